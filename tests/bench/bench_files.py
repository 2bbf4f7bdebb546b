#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# What `polhode bench` wrote into a directory, read by others' parsers: results.json is JSON with the same figures as
# results.csv and with curves that fit them, and so are scaling.json and peers.json; report.html nests properly,
# describes every picture, and refers to nothing outside itself.
#     python3 tests/bench/bench_files.py DIRECTORY
import csv
import html.parser
import json
import math
import os
import re
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
        self.scripts, self.plots = [], 0  # (attributes, text); figures that a script makes interactive
        self.classes, self.headline = [], ""
        self.tiles, self.figure = [], None  # of each tile (figure, is it emphasised)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        details = "main " if tag == "svg" and "main" in self.open else ""
        self.classes += [f"{details}{tag}.{name}" for name in (values.get("class") or "").split()]
        check(tag not in ("link", "iframe"), f"there is a <{tag}>")
        if tag == "script":
            self.scripts.append((values, ""))
            check("src" not in values, "a script is elsewhere")
            of_figure = len(self.open) > 1 and self.open[-2] == "figure"
            check(of_figure == (values.get("class") == "data"), "a script is neither of the page nor data of a figure")
        if tag == "figure" and "plot" in (values.get("class") or "").split():
            self.plots += 1
        for name in ("src", "href", "srcset", "action"):
            value = values.get(name) or "#"
            check(value.startswith(("#", "data:")), f"<{tag} {name}> refers to {value[:60]}")
        if "tile" in (values.get("class") or "").split():
            self.tiles.append([])
        if tag == "dd" and "main" not in self.open:
            self.figure = values.get("class") == "best"
        self.pictures += tag == "svg" and "role" in values
        if "id" in values:
            check(values["id"] not in self.ids, f"the id {values['id']} occurs twice")
            self.ids.add(values["id"])

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)
        if self.open[-2:] == ["svg", "title"]:
            check(len(data) > 20, "a picture has no description")
        if self.open and self.open[-1] == "h1":
            self.headline += data
        if self.figure is not None and self.tiles:
            self.tiles[-1].append((data, self.figure))
            self.figure = None

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
            same = math.isclose(max(seen), largest, rel_tol=1e-6, abs_tol=1e-18)
            # the start, whose rounding is an error of the constraint, is in the summary and in no curve
            rounding = name == "constraint" and max(seen) < largest < 5e-16
            check(same or rounding, f"{where}: largest {name} error {largest}, of the curve {max(seen)}")
    check(curves["t"] == sorted(curves["t"]), f"{where}: times do not ascend")


def read(directory, name):
    with open(os.path.join(directory, f"{name}.json"), encoding="utf-8") as file:
        results = json.load(file, parse_constant=lambda what: check(False, f"{name}.json holds {what}"))
    with open(os.path.join(directory, f"{name}.csv"), encoding="utf-8", newline="") as file:
        return results, list(csv.DictReader(file))


def check_comparisons(directory):
    results, rows = read(directory, "results")
    trials = [trial for problem in results["problems"] for trial in problem["trials"]]
    check(len(rows) == len(trials) > 0, f"{len(rows)} rows and {len(trials)} trials")
    for row, trial in zip(rows, trials):
        check_trial(row, trial)
    for problem in results["problems"]:
        check(problem["words"] and problem["verification"], f"{problem['name']} has no words or no verification")
        check_headline(problem)
    return results


def two_digits(text, value):
    """Is the number as it is written, 72 000 or 1.4 million, the value to two digits?"""
    written = float(text.replace(" ", "").replace("million", "e6"))
    return math.isclose(written, value, rel_tol=0.051)


def check_headline(problem):
    """Figures in the sentence are those of the trials, by the definition of what is compared."""
    shown, where = problem["headline"], f"the headline of {problem['name']}"
    if shown is None:
        return
    trials = {(t["method"], t["basis"], t["h"]): t for t in problem["trials"]}

    def trial(node, basis):
        found = trials.get((node["method"], basis, node["h"]))
        check(found is not None, f"{where}: there is no such trial: {node}")
        return found or node

    reference = trial(shown["reference"], "same-step")
    rivals = [t for t in problem["trials"] if t["basis"] == shown["basis"] and t["group"] == abs(reference["h"])]
    check((shown["basis"] == "same-step") == ("at the same step" in shown["text"]) or "With forces" in shown["text"],
          f"{where}: {shown['text']} does not say {shown['basis']}")
    text = shown["text"]
    if shown["best"]:
        best = trial(shown["best"], shown["basis"])
        check(best["status"] == "PH_OK" and best in rivals, f"{where}: the best is not {shown['basis']}")
        ratio = reference["energy_error_max"] / best["energy_error_max"] if reference["status"] == "PH_OK" else None
        check(close(ratio, shown["error_ratio"]), f"{where}: {shown['error_ratio']} is not {ratio}")
        said = re.match(r"([0-9. ]+(?: million)?|[0-9]e\+[0-9]+) times less energy error", text)
        rounding = re.match(r"Energy error at rounding \(([^)]+)\)", text)
        if said:
            check("e+" in said[1] or two_digits(said[1], ratio), f"{where}: {said[1]} is not {ratio}")
        elif rounding:
            check(math.isclose(float(rounding[1]), best["energy_error_max"], rel_tol=0.051), f"{where}: {text}")
        else:
            check("does not" in text, f"{where}: {text}")
    else:
        check("No method" in text or "With forces" in text, f"{where}: {text}")
    if shown["best"] and shown["adaptive"]:
        adaptive = trial(shown["adaptive"], "own-steps")
        ratio = adaptive["cpu_seconds"] / best["cpu_seconds"]
        check(close(ratio, shown["time_ratio"]), f"{where}: {shown['time_ratio']} is not {ratio}")
        said = re.search(r"in 1/([0-9. ]+) of its time|in ([0-9. ]+) times the time", text)
        check(said and two_digits(said[1] or said[2], ratio), f"{where}: {text}, {ratio}")


def check_first_screen(results, page):
    """The headline, one figure, three tiles, the rest in details; a polhode where there is a body."""
    first = results["problems"][0]["headline"]
    if first is None:
        return
    check(page.headline == first["text"], f"the page says {page.headline!r}, results.json {first['text']!r}")
    for name, count in (("svg.curves", 1), ("div.tile", 3), ("details.all", 1)):
        drawn = name != "svg.curves" or any(
            value for t in results["problems"][0]["trials"] for value in t["curves"]["energy"])
        check(page.classes.count(name) == count or not drawn, f"{name} is there {page.classes.count(name)} times")
    for tile in page.tiles:
        figures = [(float(text), bold) for text, bold in tile if re.fullmatch(r"[0-9.]+(e[-+]?[0-9]+)?", text)]
        least = min((value for value, bold in figures), default=0)
        wrong = [value for value, bold in figures if bold != (value <= 1.05 * least) and abs(value - 1.05 * least) > 0.05 * least]
        unread = [text for text, bold in tile if bold and text == "–" or text != "–" and not re.match("[0-9]", text)]
        check(tile and not wrong and not unread, f"a tile emphasises others than the smallest: {tile}")
    body = any((p["headline"] or {}).get("polhode") for p in results["problems"])
    check(page.classes.count("svg.polhode") == body, "there is a polhode without a body, or a body without one")
    for problem in results["problems"]:
        for points in ((problem["headline"] or {}).get("polhode") or {}).values():
            check(len(points) % 3 == 0 and len(points) >= 6, f"{problem['name']}: a path of {len(points)} numbers")


def check_line(sweep, line):
    """Points of a contender: sizes ascend and are a beginning of the sweep's, and figures fit each other."""
    where = f"{sweep['model']}, {line['method']}"
    sizes = [point["n"] for point in line["points"]]
    check(sizes == sweep["sizes"][: len(sizes)], f"{where}: the sizes are {sizes}")
    if len(sizes) < len(sweep["sizes"]):
        check(line["reason"] and line["left_out_from"] not in sizes, f"{where}: nothing says why it ends")
    for point in line["points"]:
        time = point["timing"]
        at = f"{where}, n = {point['n']}"
        check(0 < time["ns_per_step_least"] <= time["ns_per_step_lower_quartile"], f"{at}: the least is not")
        check(time["ns_per_step_lower_quartile"] <= time["ns_per_step"] <= time["ns_per_step_upper_quartile"],
              f"{at}: the median is not between the quartiles")
        check(close(time["ns_per_step"] / point["n"], point["ns_per_part_and_step"]), f"{at}: time for a part")
        check(point["bytes"] > 0 and point["h"] > 0 and time["rounds"] >= time["quiet_rounds"], f"{at}: bytes, h")
        if line["method"] == sweep["reference"]:
            check(time["ratio"] == 1, f"{at}: the reference's ratio to itself is {time['ratio']}")
    steps = [point["h"] for point in line["points"]]
    check(steps == sorted(steps, reverse=True), f"{where}: the steps do not shrink as the system grows")


def check_scaling(directory):
    results, rows = read(directory, "scaling")
    points = []
    for sweep in results["sweeps"]:
        check(sweep["words"], f"{sweep['model']} has no words")
        check(sweep["sizes"] == sorted(set(sweep["sizes"])), f"{sweep['model']}: sizes do not ascend")
        for line in sweep["contenders"]:
            check_line(sweep, line)
            points += [(sweep["model"], line["method"], point) for point in line["points"]]
    check(len(rows) == len(points) > 0, f"{len(rows)} rows and {len(points)} points")
    for row, (model, method, point) in zip(rows, points):
        check((row["model"], row["method"], int(row["n"])) == (model, method, point["n"]), f"{row}: another point")
        check(close(number(row["step_time_median[ns]"]), point["timing"]["ns_per_step"]), f"{row}: another time")


def check_peers(directory):
    results, rows = read(directory, "peers")
    runs = []
    for problem in results["problems"]:
        check(problem["words"] and problem["form"], f"{problem['name']} has no words or no form")
        for method in problem["methods"]:
            settings = [point["setting"] for point in method["points"]]
            check(settings == sorted(settings, reverse=True), f"{method['method']}: settings do not descend")
            for quantity in ("trajectory", "energy"):
                runs += [(method["method"], quantity, point[quantity]) for point in method["points"]]
    check(len(rows) == len(runs) > 0, f"{len(rows)} rows and {len(runs)} runs")
    for row, (method, quantity, run) in zip(rows, runs):
        check((row["method"], row["quantity"]) == (method, quantity), f"{row}: another run")
        check(close(number(row["error"]), run["error"]), f"{row}: another error")
        check((run["error"] is None) == (run["turns"] == 0), f"{row}: an error without a time, or a time without one")
        check(run["turns"] == 0 or 0 < run["cpu_seconds_least"] <= run["cpu_seconds"], f"{row}: times")


def check_data(page):
    """What the script draws: JSON next to each figure, with curves of finite numbers or gaps."""
    data = [json.loads(text) for attributes, text in page.scripts if attributes.get("class") == "data"]
    programs = [text for attributes, text in page.scripts if attributes.get("class") != "data"]
    check(len(programs) == 1 and len(programs[0]) < 120000, "there is not one script")
    check(len(data) <= page.plots, "there are data without a figure")
    check(page.pictures == len(data), "a picture has no data")
    for figure in data:
        for line in figure["lines"]:
            check(line["colour"].startswith("#") and len(line["colour"]) == 7, f"the colour {line['colour']}")
            if figure["kind"] == "polhode":
                check(line["points"] and len(line["points"]) % 3 == 0, "a polhode is not of points")
                half = figure["half"]
                for i in range(0, len(line["points"]), 3):
                    x = line["points"][i : i + 3]
                    level = sum((c / a) ** 2 for c, a in zip(x, half))
                    check(0 < level < 4, f"a point of a polhode is far from the ellipsoid: {level}")
            else:
                check(len(line["x"]) == len(line["y"]) > 0, f"the curve {line['label']} has no points")
    return data


def main(directory):
    results = None
    for name, reader in (("results", check_comparisons), ("scaling", check_scaling), ("peers", check_peers)):
        if os.path.exists(os.path.join(directory, f"{name}.json")):
            results = reader(directory)
    with open(os.path.join(directory, "report.html"), encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    page.close()
    check_data(page)
    check("://" not in text.replace("http://www.w3.org/2000/svg", ""), "the page has an address in the network")
    if results and "problems" in results and os.path.exists(os.path.join(directory, "results.json")):
        check_first_screen(results, page)
    check(not page.open, f"{page.open} are not closed")
    check("nan" not in text.lower().replace("nanosecond", "").split(), "the page says nan")
    for message in dict.fromkeys(failures):
        print(f"{directory}: {message}")
    return 1 if failures else 0


sys.exit(main(sys.argv[1]))
