#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The declarations of the public headers, as cffi reads them.

    python3 declarations.py INCLUDE > declarations.h

INCLUDE is the directory with polhode/polhode.h. Comments and preprocessor lines go, bodies of inline functions become
declarations, structures end with "...;" (the C compiler fills in what a later version added), lengths of arrays are the
compiler's, and each type of a callback gets a Python function of that type: ph_potential_fn has py_ph_potential_fn. So does
each member of a structure that is handed `self` or `user`: see of ph_observer has py_ph_observer_see. Of those that
a definition has several of there are 16, py_ph_bond_fn_0 and so on.
"""
from __future__ import annotations

import os
import re
import sys

# What headers take from the system, of which cffi reads nothing; and what their texts say is to be freed by free.
SYSTEM = "typedef int... sig_atomic_t;\nvoid free(void *);"


def _headers(include: str) -> list[str]:
    """All headers, each after those that it includes."""
    done: list[str] = []

    def visit(name: str) -> None:
        if name in done or name == "polhode/export.h":
            return
        with open(os.path.join(include, name), encoding="utf-8") as file:
            for other in re.findall(r"^#include <(polhode/[\w/]+\.h)>", file.read(), re.MULTILINE):
                visit(other)
        done.append(name)

    visit("polhode/polhode.h")
    return done


def _without_bodies(text: str) -> str:
    """static inline T f(...) { ... } becomes T f(...);"""
    while True:
        found = re.search(r"static inline ([^{;]*?)\s*\{", text)
        if not found:
            return text
        depth, end = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + found.group(1) + ";" + text[end:]


def _constants(text: str) -> list[str]:
    """Macros that are numbers or texts, as cffi declares constants."""
    out = []
    for name, value in re.findall(r"^#define (PH_\w+) +(\S.*)$", text, re.MULTILINE):
        if name.startswith(("PH_API", "PH_PRINTF", "PH_WITH_FMA", "PH_BEGIN", "PH_END", "PH_STATUS_")) or name.endswith("_OPTION"):
            continue
        if value.startswith('"'):
            out.append(f"static char *const {name};")
        elif re.fullmatch(r"[\d.]*(\d\.|\.\d|\d?e-?\d)[\d.e-]*", value):
            out.append(f"static const double {name};")
        else:
            out.append(f"#define {name} ...")
    return out


def declarations(include: str) -> str:
    """All of them, as one text."""
    out = [SYSTEM]
    numbers: dict[str, str] = {}
    for name in _headers(include):
        with open(os.path.join(include, name), encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        text = re.sub(r"//[^\n]*", "", text)
        text = text.replace("\\\n", " ")
        statuses = re.search(r"^#define PH_STATUS_LIST.*$", text, re.MULTILINE)
        if statuses:
            codes = ", ".join(re.findall(r"X\((PH_\w+)", statuses.group()))
            text = re.sub(r"enum ph_status \{.*?\}", f"enum ph_status {{ {codes}, PH_STATUS_COUNT }}", text, flags=re.DOTALL)
        out += _constants(text)
        numbers.update(re.findall(r"^#define (PH_\w+) +(\d+)$", text, re.MULTILINE))
        text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
        text = re.sub(r"\bPH_(API|BEGIN_DECLS|END_DECLS)\b|\bPH_PRINTF\(\d+, *\d+\)", "", text)
        text = _without_bodies(text)
        # values of enumerations are the compiler's
        text = re.sub(r"enum(\s+\w+)?\s*\{(.*?)\}",
                      lambda e: f"enum{e.group(1) or ''} {{ {re.sub(r' = [^,]*', '', e.group(2)).strip().rstrip(',')}, ... }}",
                      text, flags=re.DOTALL)
        # lengths of members too; parameters are pointers; what is a pointer to an array has its length
        text = re.sub(r"(\(\*\w+\))\[(PH_\w+)\]", lambda e: f"{e.group(1)}[{numbers[e.group(2)]}]", text)
        text = re.sub(r"\[[^\]]*[A-Z(+*][^\]]*\](?=\s*[,)])", "[]", text)
        text = re.sub(r"\[[^\]]*[A-Z(+*][^\]]*\]", "[...]", text)
        text = re.sub(r"\n\}( ph_\w+;)", r"\n    ...;\n}\1", text)
        text = re.sub(r"(enum[^{]*\{[^}]*?),?\s*\.\.\.;\s*\}", r"\1 }", text)
        out.append(re.sub(r"\s+", " ", text).replace("; ", ";\n").strip())
    text = "\n".join(out)
    callbacks = re.findall(r"typedef ((?:const )?\w+ \*?)\(\*(ph_\w+_fn)\)\(([^;]*)\);", text)
    for structure, members in re.findall(r"struct (ph_\w+) \{([^{}]*)\n\} ph_\w+;", text):
        callbacks += [(kind, f"{structure}_{name}", arguments)
                      for kind, name, arguments in re.findall(r"(\w+ \*?)\(\*(\w+)\)\((void \*(?:self|user)[^;]*)\);", members)]
    # A definition has one `user`, and of some callbacks several: each of these has its own function.
    out += [f'extern "Python" {kind.strip()} py_{name}{number}({arguments});' for kind, name, arguments in callbacks
            for number in ([f"_{i}" for i in range(16)] if name in ("ph_generator_fn", "ph_bond_fn") else [""])]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(declarations(sys.argv[1]))
