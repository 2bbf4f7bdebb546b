#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the manual that follow from tables of the program: scenario keys, models, methods, commands.

    doc/tables.py PROGRAM DOC [--check]

writes them into the documents below DOC, between <!-- generated: NAME --> and <!-- end of NAME -->, from what PROGRAM
(polhode) prints; with --check it writes nothing, and fails where a document differs from that. `make tables` calls it."""

import functools
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
         "per-link": "one for each link, or one for all", "per-body": "one for each body, or one for all", "quaternion": "`[w, x, y, z]`",
         "bodies": "[list of bodies](scenario.md#bodies)"}


def bounds(p):
    if p["kind"] in ("vector", "gravity") or p["min"] is None and p["max"] is None:
        return ""
    least = "" if p["min"] is None else "> 0" if 0 < p["min"] < 1e-300 else f"≥ {number(p['min'])}"
    most = "" if p["max"] is None else f"≤ {number(p['max'])}"
    return ", ".join(x for x in (least, most) if x)


def default(p):
    value = p["default"]
    if isinstance(value, str):
        return value
    return "`[" + ", ".join(map(number, value)) + "]`" if isinstance(value, list) else number(value)


def models():
    """A table for each, by the name of its region."""
    return {f"model-{m['name']}": functools.partial(model, m) for m in json.loads(ask("models", "--json"))["models"]}


def model(m):
    """Parameters, then presets."""
    return table(["parameter", "value", "unit", "default", "bounds", "what it is"],
                 [[f"`{p['name']}`", KINDS[p["kind"]], p["unit"] or "", default(p), bounds(p), p["text"]]
                  for p in m["parameters"]]) + "\n" + \
        table(["preset", "initial condition"],
              [[f"`{p['name']}`" + ("" if i else " (default)") + (" (`polhode new`)" if i and p["start"] else ""), p["text"]] for i, p in enumerate(m["presets"])])


# ---- Methods -----------------------------------------------------------------------------------------

CLAIMS = {"symplectic": "symplectic", "symmetric": "symmetric", "momentum": "momentum maps", "manifold": "manifold",
          "implicit": "implicit", "adaptive": "adaptive", "multistep": "multistep"}


def orders(m):
    words = [int(w) for o in m["options"] if o["name"] == "order" for w in o.get("choices", []) if w.isdigit()]
    words += [int(w.split("-")[-1]) for o in m["options"] if o["name"] == "splitting" for w in o["choices"] if "-" in w]
    orders = sorted(set(words) or {m["order"]})
    return ", ".join(map(str, orders))


def methods():
    return table(["method", "order", "keeps or is", "what it is"],
                 [[f"[`{m['name']}`](#{m['name']})", orders(m), ", ".join(CLAIMS[c] for c in CLAIMS if m["claims"][c]), m["summary"]]
                  for m in method_list()])


@functools.lru_cache
def method_list():
    return json.loads(ask("methods", "--json"))["methods"]


def method(m):
    """Its heading, source and options, by the name of its region; what else there is to say stands behind it."""
    out = f"### `{m['name']}`\nSource: {m['reference']}.\n"
    if m["options"]:
        out += "\n" + table(["option", "values", "default", "what it does"],
                            [[f"`{o['name']}`", "[forms](#forms)" if o["name"] == "form" else values(o),
                              f"`{o['default']}`" if "choices" in o else number(o["default"]),
                              "formulation of the equations" if o["name"] == "form" else o["text"]] for o in m["options"]])
    return out


def values(option):
    if "choices" in option:
        return ", ".join(f"`{w}`" for w in option["choices"])
    return f"{number(option['min'])} to {number(option['max'])} {option['unit'] or ''}".strip()


def forms():
    """The option `form`, which several methods have, once."""
    option = next(o for m in method_list() for o in m["options"] if o["name"] == "form")
    return f"`form`: {values(option)}. {option['text'][0].upper() + option['text'][1:]}.\n"


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
    own = [u for u in usages if not any(n.startswith(name + " ") and u.startswith(f"polhode {n} ") for n in names())]
    out = [f"### `polhode {name}`\n" + "<br>\n".join(f"`{u}`" for u in own) + "\n", *[p + "\n" for p in paragraphs(about)]]
    option = r"  (?=\S|    --)((?:-\S, )?\s*\S+(?: \S+)*?)(?=  |$)"
    out.append(table(["option", "what it does"],
                     [[f"`{t.strip()}`", w] for t, w in rows_of(options, option) if t != "-h, --help"]))
    out += [p + "\n" for p in paragraphs(notes)]
    out.append(table(["exit status", "when"], rows_of(exits, r"  (\d+) ")))
    return "\n".join(out)


@functools.lru_cache
def names():
    """Of the commands, as "run", "bench scaling", in the order of --help."""
    found = re.findall(r"^  polhode ([a-z]+(?: [a-z]+)?)(?= |$)", ask("--help"), re.M)
    return list(dict.fromkeys(found))


def commands():
    return "\n".join(command(n) for n in names())


# ---- Into the documents ------------------------------------------------------------------------------

MADE = {"keys": keys, "methods": methods, "forms": forms, "commands": commands, **models(),
        **{f"method-{m['name']}": functools.partial(method, m) for m in method_list()}}


def main():
    differ, found = [], set()
    for path in sorted(DOC.rglob("*.md")):
        text = path.read_text(encoding="utf-8")

        def fill(m):
            if m.group(1) not in MADE:
                sys.exit(f"tables.py: {path}: there is no table {m.group(1)}")
            found.add(m.group(1))
            return f"<!-- generated: {m.group(1)} -->\n{MADE[m.group(1)]()}<!-- end of {m.group(1)} -->\n"
        filled = re.sub(r"<!-- generated: ([\w-]+) -->\n.*?<!-- end of \1 -->\n", fill, text, flags=re.S)
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
