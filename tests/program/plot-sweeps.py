# SPDX-License-Identifier: BSD-3-Clause
"""What plot-sweeps.sh asks of the numbers and pictures: each word with the files that it takes, see the end."""
import collections
import csv
import json
import re
import sys

STEP_X, STEP_Y = "initial.omega[0][1]", "initial.omega[0][2]"


def read(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    names = [name if name.startswith("initial") else name.split("[")[0] for name in table[0]]
    return [dict(zip(names, (float(x) if x else float("nan") for x in row))) for row in table[1:]]


def colour(share):
    """Of viridis, in 64 levels."""
    anchors = [(68, 1, 84), (65, 68, 135), (42, 120, 142), (34, 168, 132), (122, 209, 81), (253, 231, 37)]
    at = 5 * min(int(share * 64), 63) / 63
    i = min(int(at), 4)
    return [a + (at - i) * (b - a) for a, b in zip(anchors[i], anchors[i + 1])]


def check_map(members, cells, svg):
    """Values, and each rectangle of the picture: its place by the values on both axes, its colour by the energy."""
    exact = {(m[STEP_X], m[STEP_Y]): m["energy"] for m in members}
    assert len(cells) == len(exact) == 24
    for cell in cells:
        x, y = cell[STEP_X], cell[STEP_Y]
        assert cell["energy"] == exact[x, y] and cell["members"] == 1 and cell["failed"] == 0
        assert abs(cell["energy"] - (x * x + y * y) / 2) < 2e-3 * cell["energy"], cell
    boxes = [([int(c) for c in rgb.split(",")], [tuple(map(float, p.split(","))) for p in points.split()])
             for rgb, points in re.findall(r"<polygon fill = 'rgb\(([^)]*)\)' points = '([^']*)'", svg)]
    boxes = [box for box in boxes if box[1][0][0] < 370]  # else of the scale
    assert len(boxes) == 24
    xs, ys = sorted({x for x, _ in exact}), sorted({y for _, y in exact})
    left, right = min(p[0] for _, b in boxes for p in b), max(p[0] for _, b in boxes for p in b)
    top, bottom = min(p[1] for _, b in boxes for p in b), max(p[1] for _, b in boxes for p in b)
    least, most = min(exact.values()), max(exact.values())
    seen = set()
    for rgb, box in boxes:
        i = int((min(p[0] for p in box) - left) / (right - left) * 6 + 0.5)
        j = int((bottom - max(p[1] for p in box)) / (bottom - top) * 4 + 0.5)  # in equal steps, as on a logarithmic axis
        seen.add((i, j))
        wanted = colour((exact[xs[i], ys[j]] - least) / (most - least))
        assert max(abs(a - b) for a, b in zip(rgb, wanted)) <= 1, (i, j, rgb, wanted)
    assert len(seen) == 24


def check_turned(cells, turned):
    assert {(c[STEP_X], c[STEP_Y], c["energy"]) for c in cells} == {(c[STEP_X], c[STEP_Y], c["energy"]) for c in turned}
    assert list(turned[0])[:2] == [STEP_Y, STEP_X]


def check_over(members, rows):
    """All members, of each curve in the order of the axis; those that failed without values, errors by their size."""
    by_number = {m["member"]: m for m in members}
    assert sorted(r["member"] for r in rows) == sorted(by_number) == list(range(12))
    assert [(r["method"], r["scenario.step"]) for r in rows] == sorted((r["method"], r["scenario.step"]) for r in rows)
    for r in rows:
        m = by_number[r["member"]]
        assert r["scenario.step"] == m["scenario.step"] and r["method"] == m["method"]
        failed = r["member"] in (1, 7)
        assert (m["status"] != 0) == failed == (r["q1z"] != r["q1z"])
        assert failed or (r["q1z"] == m["q1z"] and r["energy_error"] == abs(m["energy_error"]))


def check_distribution(statistics, bins, quantiles):
    for name in ("q1x", "q1y", "energy"):
        of = statistics["columns"][name]
        assert [b[name + "_members"] for b in bins] == of["histogram"]["counts"]
        width = of["histogram"]["to"] - of["histogram"]["from"]
        assert all(abs(b[name + "_from"] - of["histogram"]["from"] - width * i / 50) < 1e-12 * width for i, b in enumerate(bins))
        assert {f"{q['share']:g}": q[name] for q in quantiles} == of["quantiles"], name


def check_bars(svg):
    """Bars of a histogram of 50 bins: each has the width of a bin, and together they span the panel."""
    boxes = [[float(p.split(",")[0]) for p in points.split()] for points in re.findall(r"<polygon[^>]*points = '([^']*)'", svg)]
    assert len(boxes) > 20, len(boxes)
    wanted = (max(map(max, boxes)) - min(map(min, boxes))) / 50
    assert all(abs(max(b) - min(b) - wanted) < 0.3 for b in boxes), (wanted, boxes)


def check_members(members, rows):
    times = sorted({m["t"] for m in members})
    assert [r["t"] for r in rows] == times and len(times) == 5
    for r in rows:
        for name in ("q1x", "q1y", "energy"):
            values = sorted(m[name] for m in members if m["t"] == r["t"])
            for share in (5, 25, 50, 75, 95):
                at = share / 100 * (len(values) - 1)
                i = int(at)
                wanted = values[i] + (at - i) * (values[i + 1] - values[i])
                assert abs(r[f"{name}_{share}%"] - wanted) < 1e-14, (r, name, share)


def check_earlier(members, cells):
    """The last row until 0.3 s; sampled values are in cells, all members in one of them."""
    assert {c["t"] for c in cells} == {max(m["t"] for m in members if m["t"] <= 0.3)} == {0.25}
    assert sum(c["members"] for c in cells) == 300


def check_many(members, cells):
    """The number of members in each cell, counted anew."""
    xs, ys = [m[STEP_X] for m in members], [m["q1x"] for m in members]
    (x0, x1), (y0, y1) = (min(xs), max(xs)), (min(ys), max(ys))
    place = lambda x, y: (min(int(96 * (x - x0) / (x1 - x0)), 95), min(int(96 * (y - y0) / (y1 - y0)), 95))
    counts, found = collections.Counter(map(place, xs, ys)), {place(c[STEP_X], c["q1x"]): c["members"] for c in cells}
    assert sum(found.values()) == len(members) == 100000
    assert sum(abs(counts.get(k, 0) - found.get(k, 0)) for k in counts.keys() | found.keys()) <= 20  # on an edge by rounding


def check_page(statistics, page):
    """The table of statistics, to the digits that stand there."""
    for name, of in statistics["columns"].items():
        wanted = [of["mean"], of["standard_deviation"], of["least"], *(of["quantiles"][q] for q in ("0.05", "0.5", "0.95")), of["largest"]]
        row = re.search(rf'<th scope="row">{re.escape(name)}</th>(.*?)</tr>', page.split("Last rows of the members")[1].split("What was run")[0], re.DOTALL)
        if row:
            assert re.findall(r">([-+.e0-9]+)</td>", row[1])[-7:] == [f"{x:.6g}" for x in wanted], (name, row[1], wanted)
    assert "<td data-label=\"members\">300</td>" in page


def check_embedded(members, page):
    """The static map of a column has a path for each colour, and a cell for each member; its script has none of it."""
    figure = re.search(r"<h3>Map-q1z</h3>.*?</figure>", page, re.DOTALL)[0]
    cells = re.findall(r'<path shape-rendering="crispEdges" fill="#(......)" d="([^"]*)"', figure)
    values = [m["q1z"] for m in members]
    colours = {"".join(f"{round(c):02x}" for c in colour((v - min(values)) / (max(values) - min(values)))) for v in values}
    assert {c for c, _ in cells} == colours and sum(d.count("M") for _, d in cells) == 24
    assert "application/json" not in figure


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file) if path.endswith(".json") else file.read()


{"map": check_map, "turned": check_turned, "over": check_over, "distribution": check_distribution, "bars": check_bars, "members": check_members,
 "earlier": check_earlier, "page": check_page, "embedded": check_embedded, "many": check_many}[sys.argv[1]](*(read(p) if p.endswith(".csv") else load(p) for p in sys.argv[2:]))
