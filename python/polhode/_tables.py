# SPDX-License-Identifier: BSD-3-Clause
"""Tables: what lists and comparisons are shown as, in a terminal and in a notebook."""
from __future__ import annotations

import html
import importlib
import itertools
import textwrap
from typing import Any, Callable, Dict, Generic, Iterator, List, Sequence, SupportsIndex, Tuple, TypeVar, Union, overload

WIDEST = 70  # characters of a column of texts in a terminal


def _cell(value: Any) -> str:
    """A value for people: six digits, lists without brackets."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(_cell(v) for v in value)
    return str(value)


class Table:
    """Rows with named columns.

    ``len``, ``[i]`` and iteration give rows as dicts, ``["name"]`` a column as a list; a terminal shows aligned text, a notebook a
    table.

    Parameters
    ----------
    columns : sequence of str
    rows : sequence of sequences
        A value for each column; numbers, texts, lists, None.
    title : str, optional
        A line above.

    Examples
    --------
    >>> import polhode as ph
    >>> table = ph.Table(["method", "order"], [["rk4", 4], ["variational", 6]])
    >>> table
    method       order
    rk4              4
    variational      6
    >>> table["order"], table[0]
    ([4, 6], {'method': 'rk4', 'order': 4})
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str = "") -> None:
        self.columns: Tuple[str, ...] = tuple(columns)
        self.rows: List[Tuple[Any, ...]] = [tuple(row) for row in rows]
        self.title = title
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row has {len(row)} values; there are {len(self.columns)} columns")

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return (dict(zip(self.columns, row)) for row in self.rows)

    @overload
    def __getitem__(self, key: int) -> Dict[str, Any]: ...

    @overload
    def __getitem__(self, key: str) -> List[Any]: ...

    def __getitem__(self, key: Union[int, str]) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"there is no column {key!r}; there are: {', '.join(self.columns)}")
            return [row[self.columns.index(key)] for row in self.rows]
        return dict(zip(self.columns, self.rows[key]))

    def _ipython_key_completions_(self) -> List[str]:
        return list(self.columns)

    def _right(self) -> List[bool]:
        """Which columns are numbers: they end at the right."""
        kinds = [{type(row[i]) for row in self.rows if row[i] is not None} for i in range(len(self.columns))]
        return [bool(kind) and kind <= {int, float} for kind in kinds]

    def __repr__(self) -> str:
        cells = [[textwrap.wrap(_cell(value), WIDEST) or [""] for value in row] for row in (self.columns, *self.rows)]
        widths = [max(len(line) for lines in column for line in lines) for column in zip(*cells)]
        out = [self.title] * bool(self.title)
        for row in cells:
            for line in itertools.zip_longest(*row, fillvalue=""):
                out.append("  ".join(text.rjust(w) if right else text.ljust(w)
                                     for text, w, right in zip(line, widths, self._right())).rstrip())
        return "\n".join(out)

    def _repr_html_(self) -> str:
        align = ["right" if right else "left" for right in self._right()]
        head = "".join(f'<th style="text-align:{a}">{html.escape(c)}</th>' for c, a in zip(self.columns, align))
        body = "".join("<tr>" + "".join(f'<td style="text-align:{a}">{html.escape(_cell(value))}</td>' for value, a in zip(row, align))
                       + "</tr>" for row in self.rows)
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with these columns."""
        return importlib.import_module("pandas").DataFrame(self.rows, columns=list(self.columns))


T = TypeVar("T")


class Entries(List[T], Generic[T]):
    """A list that is shown as a table; what has a name is also found by it."""

    def __init__(self, entries: Sequence[T], columns: Sequence[str], row: Callable[[Any], Sequence[Any]]) -> None:
        super().__init__(entries)
        self.table = Table(columns, [row(entry) for entry in entries])

    @overload
    def __getitem__(self, key: Union[SupportsIndex, str]) -> T: ...

    @overload
    def __getitem__(self, key: slice) -> List[T]: ...

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        for entry, name in zip(self, self._names()):
            if name == key:
                return entry
        raise KeyError(f"there is no {key!r}; there are: {', '.join(self._names())}")

    def _names(self) -> List[str]:
        return [str(getattr(entry, "name", "")) for entry in self]

    def _ipython_key_completions_(self) -> List[str]:
        return self._names()

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
