# SPDX-License-Identifier: BSD-3-Clause
# report-tables.py PAGE CSV SCALE [CSV SCALE]...: the tables behind the figure of the energy, one of each run in the order of the page, have
# up to each of their times the largest error of the run's rows up to then, whatever times the rows of the other runs have, and end with
# the last row.
import csv
import re
import sys

page_name, *pairs = sys.argv[1:]
with open(page_name, encoding="utf-8") as file:
    page = file.read()
fold = re.search(r"<summary>Numbers: Energy</summary>(.*?)</details>", page, re.S).group(1)
tables = re.findall(r"<tbody>(.*?)</tbody>", fold, re.S)
problems = []
if len(tables) != len(pairs) // 2:
    problems.append(f"{len(tables)} tables of {len(pairs) // 2} runs")


def read_rows(name, scale):
    with open(name, encoding="utf-8") as opened:
        return [(float(row["t[s]"]), abs(float(row["energy_error[J]"])) / scale) for row in csv.DictReader(opened)]


# times and errors are written with six digits
close = 1e-5
for text, csv_name, scale in zip(tables, pairs[::2], pairs[1::2]):
    rows = read_rows(csv_name, float(scale))
    shown = [[float(cell) for cell in re.findall(r">([-+.e0-9]+)</t[hd]>", row)] for row in re.findall(r"<tr>(.*?)</tr>", text)]
    times = [row[0] for row in shown]
    if len(shown) < 8 or times != sorted(set(times)):
        problems.append(f"{csv_name}: the times {times} do not rise")
    for t, _, so_far in shown:
        least = max(error for at, error in rows if at <= t * (1 - close))
        most = max(error for at, error in rows if at <= t * (1 + close))
        if not least * (1 - close) <= so_far <= most * (1 + close):
            problems.append(f"{csv_name}: until {t} the largest error is {least}, not {so_far}")
    if abs(times[-1] - rows[-1][0]) > close * rows[-1][0]:
        problems.append(f"{csv_name}: the table ends at {times[-1]}, the run at {rows[-1][0]}")
for problem in problems:
    print(f"{page_name}: {problem}")
sys.exit(1 if problems else 0)
