#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What `polhode bench` wrote into a directory, read by others' parsers: results.json is JSON with the same figures as
# results.csv and with curves that fit them; report.html nests properly, describes every picture, and refers to
# nothing outside itself.
#     python3 tests/bench_files.py DIRECTORY
import csv
import html.parser
import json
import math
import os
import sys

VOID = {"meta", "img", "br", "hr", "col", "link", "input"}
failures = []


def check(ok, message):
    if not ok:
        failures.append(message)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.pictures, self.ids = [], 0, set()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        check(tag not in ("script", "link", "iframe"), f"there is a <{tag}>")
        for name in ("src", "href", "srcset", "action"):
            value = values.get(name) or "#"
            check(value.startswith(("#", "data:")), f"<{tag} {name}> refers to {value[:60]}")
        if tag == "img":
            self.pictures += 1
            check(len(values.get("alt") or "") > 20, "a picture has no description")
            check("width" in values and "height" in values, "a picture has no size")
        if "id" in values:
            check(values["id"] not in self.ids, f"the id {values['id']} occurs twice")
            self.ids.add(values["id"])

    def handle_endtag(self, tag):
        check(bool(self.open) and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        if self.open:
            self.open.pop()


def number(text):
    return float(text) if text else None


def close(a, b):
    return (a is None and b is None) or (
        a is not None and b is not None and math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-300)
    )


def check_trial(row, trial):
    where = f"{row['problem']}, {row['method']}, h = {row['h[s]']}"
    for name, value in (
        ("h[s]", trial["h"]),
        ("energy_error_max", trial["energy_error_max"]),
        ("constraint_error_max", trial["constraint_error_max"]),
        ("momentum_error_max", trial["momentum_error_max"]),
    ):
        check(close(number(row[name]), value), f"{where}: {name} is {row[name]} and {value}")
    curves = trial["curves"]
    for name in ("energy", "constraint", "momentum"):
        check(len(curves[name]) == len(curves["t"]), f"{where}: {name} has another length than t")
        seen = [value for value in curves[name] if value is not None]
        largest = trial[f"{name}_error_max"]
        if seen and largest is not None and math.isfinite(largest):
            check(math.isclose(max(seen), largest, rel_tol=1e-6, abs_tol=1e-18), f"{where}: largest {name} error")
    check(curves["t"] == sorted(curves["t"]), f"{where}: times do not ascend")


def main(directory):
    with open(os.path.join(directory, "results.json"), encoding="utf-8") as file:
        results = json.load(file, parse_constant=lambda name: check(False, f"results.json holds {name}"))
    with open(os.path.join(directory, "results.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    trials = [trial for problem in results["problems"] for trial in problem["trials"]]
    check(len(rows) == len(trials) > 0, f"{len(rows)} rows and {len(trials)} trials")
    for row, trial in zip(rows, trials):
        check_trial(row, trial)
    for problem in results["problems"]:
        check(problem["words"] and problem["verification"], f"{problem['name']} has no words or no verification")
    with open(os.path.join(directory, "report.html"), encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    page.close()
    check(not page.open, f"{page.open} are not closed")
    check("nan" not in text.lower().replace("nanosecond", "").split(), "the page says nan")
    for message in dict.fromkeys(failures):
        print(f"{directory}: {message}")
    return 1 if failures else 0


sys.exit(main(sys.argv[1]))
