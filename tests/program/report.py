# SPDX-License-Identifier: BSD-3-Clause
# report.py PAGE CSV: the page of a run nests properly, refers to nothing outside itself, has data next to each picture; its table of
# columns has the numbers of the CSV, bit by bit; its curves have no error that the rows do not have.
import csv
import html.parser
import json
import re
import sys

VOID = {"meta", "br", "img", "link", "input", "hr"}
problems = []


def check(ok, message):
    if not ok:
        problems.append(message)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links = [], set(), []
        self.data, self.scripts, self.plots = [], 0, 0
        self.table, self.cell, self.caption = None, None, None
        self.tables = {}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        for name in ("src", "href", "srcset", "action"):
            value = values.get(name)
            check(value is None or value.startswith(("#", "data:")), f"<{tag} {name}={value!r}>")
            if value and value.startswith("#"):
                self.links.append(value[1:])
        if "id" in values and tag != "radialgradient":
            check(values["id"] not in self.ids, f"the id {values['id']} occurs twice")
            self.ids.add(values["id"])
        if tag == "script":
            self.scripts += values.get("class") != "data"
            if values.get("class") == "data":
                self.data.append("")
        if tag == "figure" and "plot" in (values.get("class") or ""):
            self.plots += 1
        if tag == "caption":
            self.caption = ""
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag in ("td", "th"):
            self.cell = ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.data and self.scripts == 0:
            self.data[-1] += data
        elif self.caption is not None and self.table is None:
            self.caption += data
        elif self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        check(bool(self.open) and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        if self.open:
            self.open.pop()
        if tag == "caption":
            self.table = self.tables.setdefault(self.caption, [])
        if tag in ("td", "th") and self.table:
            self.table[-1].append(self.cell)
            self.cell = None
        if tag == "table":
            self.table = self.caption = None


page_name, csv_name = sys.argv[1:]
with open(page_name, encoding="utf-8") as file:
    text = file.read()
page = Page()
page.feed(text)
page.close()
check(not page.open, f"{page.open} are not closed")
check("://" not in text.replace("http://www.w3.org/2000/svg", ""), "the page has an address in the network")
check(page.scripts == 1, f"{page.scripts} scripts")
check(all(link in page.ids for link in page.links) and page.links, "a link leads nowhere")
figures = [json.loads(data) for data in page.data]
check(figures and len(figures) <= page.plots, "pictures without data")

with open(csv_name, encoding="utf-8") as file:
    rows = list(csv.reader(file))
names = [name.split("[")[0] for name in rows[0]]
columns = dict(zip(names, zip(*[[float(value) for value in row] for row in rows[1:]])))
# of several runs the first stands first; its rows are the ones after the head
table = page.tables.get("First and last row, least and largest value", [])
seen = set()
for row in table:
    if row and row[0] in columns and row[0] not in seen:
        seen.add(row[0])
        values = columns[row[0]]
        expected = [values[0], values[-1], min(values), max(values)]
        check([float(cell) for cell in row[2:]] == expected, f"{row[0]}: {row[2:]} are not {expected}")
check(seen == set(columns), f"the table lacks {set(columns) - seen}")

energy = [f for f in figures if f["kind"] == "curves" and f["y"]["label"].startswith("energy error, rel")]
check(len(energy) == 1, "there is not one figure of the energy")
if energy and "energy_error" in columns:
    check(energy[0]["lines"][0].get("faint") is True, "the errors are not in the background")
    line = energy[0]["lines"][1]
    values = [y for y in line["y"] if y is not None]
    check(all(a <= b for a, b in zip(values, values[1:])), "the largest error so far falls")
    largest = max(abs(e) for e in columns["energy_error"])
    scale = largest / values[-1] if values[-1] else None
    # every value is an error of some row, on the one scale
    errors = sorted(abs(e) for e in columns["energy_error"])
    for value in values:
        check(scale is None or min(abs(value * scale - e) for e in errors) <= 1e-9 * largest, f"{value} is no error of a row")
for message in dict.fromkeys(problems):
    print(f"{page_name}: {message}")
sys.exit(1 if problems else 0)
