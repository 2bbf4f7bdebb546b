# SPDX-License-Identifier: BSD-3-Clause
"""The page that shows a motion in three dimensions (the command ``polhode view``), also inside a notebook."""
from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Union

from ._core import Error
from ._program import call

if TYPE_CHECKING:
    from ._record import Run, Temporary


class Page:
    """A page in a file, which a notebook shows inline.

    Attributes
    ----------
    path : str
        The file: HTML that needs no other file and no network.
    """

    def __init__(self, path: str, height: int, temporary: "Optional[Temporary]" = None) -> None:
        self.path, self.height, self._temporary = path, height, temporary

    def open(self) -> "Page":
        """Show it in the browser of this machine."""
        import webbrowser

        webbrowser.open("file://" + os.path.abspath(self.path))
        return self

    def __repr__(self) -> str:
        return f"<polhode.Page {self.path}>"

    def _repr_html_(self) -> str:
        with open(self.path, encoding="utf-8") as file:
            page = html.escape(file.read())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {self.height}px; border: 0" allowfullscreen></iframe>'


def view(run: "Run", path: Union[str, "os.PathLike[str]", None] = None, *, other: "Optional[Run]" = None,
         columns: Optional[Sequence[str]] = None, rows: Optional[int] = None, size: Optional[int] = None, height: int = 640,
         open: bool = False, force: bool = True) -> Page:
    """A page that shows the motion in three dimensions, with curves and a clock.

    Parameters
    ----------
    run : Run
    path : path, optional
        Where to write it; by default a temporary file, which lives as long as the page.
    other : Run, optional
        A second run, on the same clock.
    columns, rows, size : optional
        Further columns, at most so many rows, at most so many megabytes (10).
    height : int
        In a notebook [pixels]; it is as wide as the cell.
    open : bool
        Show it in a browser. It never is unasked: a script on a cluster would wait.
    force : bool
        Replace a file that is there.

    Returns
    -------
    Page
        A notebook shows it; its ``path`` is the file, ``open()`` shows it in a browser.
    """
    from ._record import Temporary

    temporary = Temporary() if path is None else None
    name = os.fspath(path) if path is not None else os.path.join(temporary.path if temporary else "", "view.html")
    options: List[str] = ["-o", name, "--quiet", *(["--force"] if force else [])]
    for option, value in (("--columns", None if columns is None else ",".join(columns)), ("--rows", rows), ("--size", size)):
        if value is not None:
            options += [option, str(value)]
    runs: List[Any] = [run] if other is None else [run, other]
    if not all(hasattr(one, "path") for one in runs):
        raise Error(f"other is {other!r}; it must be a run")
    call(["view", *(one.path for one in runs), *options], accept=(0, 1))
    page = Page(name, height, temporary)
    return page.open() if open else page
