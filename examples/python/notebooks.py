# SPDX-License-Identifier: BSD-3-Clause
"""Make a notebook of an example: its docstring and the lines `# %% ...` become text, what is between them cells of code.

Usage: python3 notebooks.py EXAMPLE.py...       writes EXAMPLE.ipynb, without outputs, into the current directory
"""
from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List


def cell(kind: str, number: int, text: str) -> Dict[str, Any]:
    code: Dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.strip("\n").splitlines(keepends=True), **code}


def notebook(script: str) -> Dict[str, Any]:
    """The notebook (nbformat 4.5) of the text of a script."""
    tree = ast.parse(script)
    docstring = ast.get_docstring(tree) or ""
    title, _, text = docstring.partition("\n")
    text = re.sub(r"\n*^Usage:.*", "", text, flags=re.MULTILINE)
    code = "\n".join(script.splitlines()[tree.body[0].end_lineno:])
    # what belongs to a command: its argument, and the place of its file
    code = re.sub(r"\w+\(sys\.argv\[1\]\) if len\(sys\.argv\) > 1 else ", "", code)
    code = code.replace('Path(__file__).with_name("journal.mplstyle")', '"journal.mplstyle"')
    code = re.sub(r"^(from __future__ import annotations|import sys|from pathlib import Path)\n", "", code, flags=re.MULTILINE)
    # indented lines are formulas
    cells: List[Dict[str, Any]] = [cell("markdown", 0, f"# {title.rstrip(chr(46))}\n{text}")]
    heading, *parts = re.split(r"^# %% (.*)\n", code, flags=re.MULTILINE)
    cells.append(cell("code", 1, heading))
    for name, body in zip(parts[::2], parts[1::2]):
        cells += [cell("markdown", len(cells), f"## {name}"), cell("code", len(cells) + 1, body)]
    return {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                                         "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    for file in sys.argv[1:]:
        made = notebook(Path(file).read_text(encoding="utf-8"))
        Path(Path(file).with_suffix(".ipynb").name).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
