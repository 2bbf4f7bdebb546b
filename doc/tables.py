#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the manual that follow from tables of the program: scenario keys, models, methods, commands.

    doc/tables.py PROGRAM DOC [--check]

writes them into the documents below DOC, between <!-- generated: NAME --> and <!-- end of NAME -->, from what PROGRAM
(polhode) prints; with --check it writes nothing, and fails where a document differs from that. `make tables` calls it."""

import json
import pathlib
import re
import subprocess
import sys

PROGRAM, DOC = sys.argv[1], pathlib.Path(sys.argv[2])
CHECK = sys.argv[3:] == ["--check"]


def ask(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def table(head, rows):
    def line(cells):
        return "| " + " | ".join(str(c).replace("|", "\\|") for c in cells) + " |"
    return "\n".join([line(head), "|" + "---|" * len(head), *map(line, rows)]) + "\n"


def number(x):
    return "none" if x is None else f"{x:g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


# ---- Scenario ----------------------------------------------------------------------------------------

def keys():
    out = []
    for one in json.loads(ask("keys", "--json"))["maps"]:
        out.append(f"**`{one['name']}`**\n" if one["name"] else "**At the top level**\n")
        out.append(table(["key", "value", "default", "what it does"],
                         [[f"`{k['name']}`", k["value"], "required" if k["default"] is None else k["default"], k["text"]]
                          for k in one["keys"]]))
    return "\n".join(out)


# ---- Models ------------------------------------------------------------------------------------------

KINDS = {"number": "number", "count": "whole number", "vector": "`[x, y, z]`", "gravity": "`[x, y, z]` or g",
         "per-link": "one for each link, or one for all", "per-body": "one for each body, or one for all"}


def bounds(p):
    if p["kind"] in ("vector", "gravity") or p["min"] is None and p["max"] is None:
        return ""
    least = "" if p["min"] is None else "> 0" if 0 < p["min"] < 1e-300 else f"≥ {number(p['min'])}"
    most = "" if p["max"] is None else f"≤ {number(p['max'])}"
    return ", ".join(x for x in (least, most) if x)


def default(p):
    value = p["default"]
    return "`[" + ", ".join(map(number, value)) + "]`" if isinstance(value, list) else number(value)


def models():
    out = []
    for m in json.loads(ask("models", "--json"))["models"]:
        out.append(f"### `{m['name']}`\n{m['summary']}. Source: {m['reference']}.\n")
        out.append(table(["parameter", "value", "unit", "default", "bounds", "what it is"],
                         [[f"`{p['name']}`", KINDS[p["kind"]], p["unit"] or "", default(p), bounds(p), p["text"]]
                          for p in m["parameters"]]))
        out.append(table(["preset", "initial condition"],
                         [[f"`{p['name']}`" + ("" if i else " (default)"), p["text"]] for i, p in enumerate(m["presets"])]))
    return "\n".join(out)


# ---- Methods -----------------------------------------------------------------------------------------

CLAIMS = {"symplectic": "symplectic", "symmetric": "symmetric", "momentum": "momentum maps", "manifold": "manifold",
          "implicit": "implicit", "adaptive": "adaptive", "multistep": "multistep"}


def orders(m):
    words = [int(w) for o in m["options"] if o["name"] == "order" for w in o.get("choices", []) if w.isdigit()]
    orders = sorted(set(words) or {m["order"]})
    return ", ".join(map(str, orders))


def methods():
    list_ = json.loads(ask("methods", "--json"))["methods"]
    out = [table(["method", "order", "keeps or is", "what it is"],
                 [[f"[`{m['name']}`](#{m['name']})", orders(m),
                   ", ".join(CLAIMS[c] for c in CLAIMS if m["claims"][c]), m["summary"]] for m in list_])]
    for m in list_:
        out.append(f"### `{m['name']}`\n{m['summary']}. Source: {m['reference']}.\n")
        if m["options"]:
            out.append(table(["option", "values", "default", "what it does"],
                             [[f"`{o['name']}`",
                               ", ".join(f"`{w}`" for w in o["choices"]) if "choices" in o
                               else f"{number(o['min'])} to {number(o['max'])} {o['unit'] or ''}".strip(),
                               f"`{o['default']}`" if "choices" in o else number(o["default"]), o["text"]]
                              for o in m["options"]]))
        else:
            out.append("It has no options.\n")
    return "\n".join(out)


# ---- Commands ----------------------------------------------------------------------------------------

def paragraphs(text):
    return [" ".join(p.split()) for p in text.strip().split("\n\n")] if text.strip() else []


def rows_of(block, start):
    """(term, text) for each: a term begins a line at `start`, its text is wrapped at a greater column."""
    rows = []
    for line in block.splitlines():
        m = re.match(start, line)
        if m:
            rows.append([m.group(1).strip(), line[m.end():].strip()])
        elif rows:
            rows[-1][1] = (rows[-1][1] + " " + line.strip()).strip()
    return rows


def command(name):
    text = ask("help", *name.split())
    usages, rest = [], text
    while m := re.match(r"(?:Usage:|  or: ) (.*)\n", rest):
        usages.append(m.group(1))
        rest = rest[m.end():]
    about, rest = rest.split("\n\n", 1)
    options, rest = rest.split("\n\n", 1)
    notes, exits = rest.split("Exit status:\n")
    out = [f"### `polhode {name}`\n`{usages[0]}`\n", *[p + "\n" for p in paragraphs(about)]]
    option = r"  (?=\S|    --)((?:-\S, )?\s*\S+(?: \S+)*?)(?=  |$)"
    out.append(table(["option", "what it does"],
                     [[f"`{t.strip()}`", w] for t, w in rows_of(options, option) if t != "-h, --help"]))
    out += [p + "\n" for p in paragraphs(notes)]
    out.append(table(["exit status", "when"], rows_of(exits, r"  (\d+) ")))
    return "\n".join(out)


def commands():
    names = [m.group(1) for m in re.finditer(r"^  polhode ([a-z]+(?: [a-z]+)?)(?= |$)", ask("--help"), re.M)]
    return "\n".join(command(n) for n in names)


# ---- Into the documents ------------------------------------------------------------------------------

MADE = {"keys": keys, "models": models, "methods": methods, "commands": commands}


def main():
    differ, found = [], set()
    for path in sorted(DOC.rglob("*.md")):
        text = path.read_text(encoding="utf-8")

        def fill(m):
            found.add(m.group(1))
            return f"<!-- generated: {m.group(1)} -->\n{MADE[m.group(1)]()}<!-- end of {m.group(1)} -->\n"
        filled = re.sub(r"<!-- generated: (\w+) -->\n.*?<!-- end of \1 -->\n", fill, text, flags=re.S)
        if filled != text:
            differ.append(path)
            if not CHECK:
                path.write_text(filled, encoding="utf-8")
    missing = sorted(set(MADE) - found)
    if missing:
        sys.exit(f"tables.py: no document has the table{'s' if len(missing) > 1 else ''} {', '.join(missing)}")
    if CHECK and differ:
        sys.exit(f"tables.py: {', '.join(map(str, differ))}: the program has other tables now; `make tables` writes them again")


main()
