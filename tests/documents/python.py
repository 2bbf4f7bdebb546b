# SPDX-License-Identifier: BSD-3-Clause
"""What the manual does with the Python package, by tests/documents/blocks.sh: python.py TOP BLOCKS < LIST, with "NUMBER PAGE:LINE" for each
block. The blocks of a page are one program, as a reader types it; all pages run in this one process, and a warning that they cause is an error.

`print(...)  # TEXT` must print TEXT, and `# < NUMBER` a number below that.
"""
import ast
import contextlib
import io
import os
import re
import sys
import traceback
import warnings

import polhode


def said(line, node):
    """The comment behind a statement, or None."""
    behind = line.encode()[node.end_col_offset:].decode()
    return behind.split("#", 1)[1].strip() if re.match(r" *# ", behind) else None


def agrees(printed, claimed):
    if claimed.startswith("< "):
        return abs(float(printed)) < float(claimed[2:])
    return printed == claimed


def run(text, file="<block>", first=0, names=None):
    """One block, each statement by itself. first: the line of the page before it."""
    names = {} if names is None else names
    lines = text.split("\n")
    for node in ast.parse(text, file).body:
        out, shown = io.StringIO(), said(lines[node.end_lineno - 1], node)
        ast.increment_lineno(node, first)
        with contextlib.redirect_stdout(out):
            exec(compile(ast.Module([node], []), file, "exec"), names)
        prints = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "print"
        if prints and shown is not None and not agrees(out.getvalue().strip(), shown):
            raise AssertionError(f"{file}:{node.lineno} prints {out.getvalue().strip()!r}, and the page says {shown!r}")


def main(top, blocks):
    warnings.filterwarnings("error", module="__main__|polhode")
    warnings.simplefilter("ignore", polhode.CostWarning)  # said by the pages
    warnings.simplefilter("ignore", polhode.RunWarning)  # the method that ph.advise recommends differs from day to day
    os.environ["BROWSER"] = "true"
    for right, wrong in (("print(1)  # 1", "print(1)  # 2"), ("print(1e-9)  # < 1e-8", "print(1e-7)  # < 1e-8")):
        run(right)
        with contextlib.suppress(AssertionError):
            run(wrong)
            sys.exit(f"{wrong} is not noticed")
    pages, failed = {}, False
    for line in sys.stdin:
        number, place = line.split()
        page, first = place.split(":")
        pages.setdefault(page, []).append((number, int(first)))
    for page, its in pages.items():
        names = {"__name__": "__main__"}
        file = os.path.join(top, page if page == "README.md" else os.path.join("doc", page))
        for number, first in its:
            with open(os.path.join(blocks, number), encoding="utf-8") as f:
                text = f.read()
            try:
                run(text, file, first, names)
            except ModuleNotFoundError as error:
                print(f"untried: {page}:{first}: there is no {error.name}")
                break
            except BaseException:
                print(f"{page}:{first}:")
                traceback.print_exc(file=sys.stdout)
                failed = True
                break
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
