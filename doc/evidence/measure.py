#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The measured tables of doc/evidence: what `make evidence` runs.

    doc/evidence/measure.py PROGRAM [NAME...]   measures all tables, or the named ones, with PROGRAM (polhode)
    doc/evidence/measure.py --list              names, what they take, and what they are
    doc/evidence/measure.py --fill              writes the pages from measured.json again
    doc/evidence/measure.py --check             fails where a page has other numbers than measured.json

A measurement is a function of one of the modules below that is decorated with @table. Its result is kept in
measured.json, with date, commit and machine, and written into the page that has <!-- measured: NAME -->."""
import datetime
import json
import os
import pathlib
import platform
import re
import sys
import tempfile
import time

import accuracy
import binaries
import long_time
import reliability
import speed
import spins
from runs import TABLES, Program, git

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "measured.json"


def commit():
    """Of the sources that are measured; with a + where they have changes that are not committed."""
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/lib", ":/integrators", ":/bench", ":/tools")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def machine():
    names = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()) if os.path.exists("/proc/cpuinfo") else []
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"


def markdown(name, one):
    """A table, and the line below it: when, of which commit, on what, and how to have it again."""
    def line(cells):
        return "| " + " | ".join(str(c).replace("|", "\\|") for c in cells) + " |"
    rows = [line(one["head"]), "|" + "---|" * len(one["head"]), *map(line, one["rows"])]
    note = (f"*{one['date']}, commit {one['commit']}, {one['machine']}: `make evidence TABLES={name}`, "
            f"{max(1, round(one['seconds']))} s.*")
    return "\n".join([*rows, "", note]) + "\n"


def fill(check):
    data, found, differ = json.loads(DATA.read_text()), set(), []
    for page in sorted(HERE.glob("*.md")):
        text = page.read_text(encoding="utf-8")

        def put(m):
            name = m.group(1)
            if name not in data:
                sys.exit(f"measure.py: {page.name}: {name} has not been measured: make evidence TABLES={name}")
            found.add(name)
            return f"<!-- measured: {name} -->\n{markdown(name, data[name])}<!-- end of {name} -->\n"
        filled = re.sub(r"<!-- measured: ([\w-]+) -->\n(?:.*?<!-- end of \1 -->\n)", put, text, flags=re.S)
        if filled != text:
            differ.append(page.name)
            if not check:
                page.write_text(filled, encoding="utf-8")
    unknown = sorted(set(data) ^ set(TABLES)) + sorted(set(data) - found)
    if unknown:
        sys.exit(f"measure.py: not in all three of a module, {DATA.name} and a page: {', '.join(dict.fromkeys(unknown))}")
    if check and differ:
        sys.exit(f"measure.py: {', '.join(differ)}: other numbers than in {DATA.name}; measure.py --fill writes them again")


def main():
    words = sys.argv[1:]
    if words in (["--fill"], ["--check"]):
        return fill(words == ["--check"])
    if words == ["--list"]:
        for name, one in TABLES.items():
            print(f"{name:20} {one.takes:8} {one.text}")
        return None
    if not words or words[0].startswith("-"):
        sys.exit(__doc__)
    unknown = [w for w in words[1:] if w not in TABLES]
    if unknown:
        sys.exit(f"measure.py: there is no table {', '.join(unknown)}; there are {', '.join(TABLES)}")
    for name in words[1:] or TABLES:
        print(f"{name}: {TABLES[name].takes}", flush=True)
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            head, rows, *kept = TABLES[name].measure(Program(pathlib.Path(words[0]).resolve(), pathlib.Path(scratch)))
        data = json.loads(DATA.read_text()) if DATA.exists() else {}
        data[name] = {"date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(),
                      "seconds": round(time.monotonic() - begun, 1), "head": head, "rows": rows, **(kept[0] if kept else {})}
        ordered = {n: data[n] for n in TABLES if n in data}
        DATA.write_text("{\n" + ",\n".join(f" {json.dumps(n)}: {json.dumps(o, ensure_ascii=False)}" for n, o in ordered.items()) + "\n}\n")
    return fill(False)


if __name__ == "__main__":
    main()
