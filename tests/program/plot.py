# SPDX-License-Identifier: BSD-3-Clause
"""The numbers behind figures of polhode plot are those of rows that polhode export wrote, and labels are where they can be read.

plot.py numbers ROWS.csv DIR         least and largest values in buckets, largest errors so far, Newton iterations are computed here again
plot.py curve ROWS.csv FILE.csv Y X  the curve through the rows of FILE is that through all rows
plot.py within FILE.csv FROM TO      its times are
plot.py labels FILE.svg N            the picture has labels in N colours, inside it and not over each other
plot.py guide FILE.svg LAW           the name of the guide stands clear of curves
plot.py circle FILE.svg ROWS         the longest curve is a circle, not a polygon through so many rows
plot.py axes FILE.svg                labels of vertical axes are inside the picture, numbers at axes not over them nor over each other"""
import csv
import re
import sys


def read(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    names = [name.split("[")[0] for name in table[0]]
    return [dict(zip(names, (float(x) if x else float("nan") for x in row))) for row in table[1:]]


def check_columns(rows, found, names):
    each = 1
    while len(rows) > 1024 * each:
        each *= 2
    buckets = [rows[i:i + each] for i in range(0, len(rows), each)]
    assert len(buckets) == len(found), (len(buckets), len(found))
    assert each > 1, "too few rows to test buckets"
    for bucket, row in zip(buckets, found):
        assert row["t"] == bucket[0]["t"]
        for name in names:
            assert row[name + "_least"] == min(r[name] for r in bucket), (name, row)
            assert row[name + "_largest"] == max(r[name] for r in bucket), (name, row)


def check_errors(rows, found):
    """The largest error up to the end of each bin; the last one is that of all rows."""
    assert 10 < len(found) < 400
    for row in found:
        largest = max(abs(r["constraint_error"]) for r in rows if 0 < r["t"] <= row["t"] * (1 + 1e-9))
        assert row["constraint_error_so_far"] == largest, (row, largest)
    assert found[-1]["t"] == rows[-1]["t"]


def check_newton(rows, found, shares):
    """Mean and largest of all rows; the shares are of all steps."""
    counts, steps_all, passes_all, most = {}, 0, 0, 0
    for before, row in zip(rows, rows[1:]):
        steps = row["step"] - before["step"]
        each = row["newton_passes"] / steps
        counts[int(each + 0.5)] = counts.get(int(each + 0.5), 0) + steps
        steps_all, passes_all, most = steps_all + steps, passes_all + row["newton_passes"], max(most, each)
    assert len(found) < 1100 and max(row["newton_passes_per_step_largest"] for row in found) == most
    assert {int(row["newton_passes_per_step"]): row["share_of_steps"] for row in shares} == {k: n / steps_all for k, n in counts.items()}


def check_curve(rows, found, y, x):
    """Each row is within a 256th of the extents of a piece between two neighbouring rows that were kept, and these are rows of the run."""
    there = {row["t"]: row for row in rows}
    width = max(r[x] for r in rows) - min(r[x] for r in rows), max(r[y] for r in rows) - min(r[y] for r in rows)
    place = lambda row: (row[x] / width[0], row[y] / width[1])
    for row in found:
        assert there[row["t"]][x] == row[x] and there[row["t"]][y] == row[y], row
    pieces = [(place(a), place(b)) for a, b in zip(found, found[1:])]
    far = 0
    for row in rows[::3]:
        px, py = place(row)
        near = min(abs(ax + s * (bx - ax) - px) if abs(ax + s * (bx - ax) - px) > abs(ay + s * (by - ay) - py) else abs(ay + s * (by - ay) - py)
                   for (ax, ay), (bx, by) in pieces if min(ax, bx) - 0.02 < px < max(ax, bx) + 0.02
                   for s in (0, 0.25, 0.5, 0.75, 1))
        far = max(far, near)
    assert far < 1 / 128, far


def check_within(found, least, most):
    times = [row["t"] for row in found if row["t"] == row["t"]]
    assert times and min(times) >= least and max(times) <= most, (min(times), max(times))
    assert max(times) - min(times) > 0.9 * (most - least)


LETTER, LINE = 6.4, 10  # pixels of a letter of the font, at most on average; of a line of text
TEXT = re.compile(r'<g transform="translate\(([-0-9.]+),([-0-9.]+)\)" stroke="none" fill="([^"]*)" font-family="[^"]*" font-size="[^"]*"\s*'
                  r'text-anchor="start">\s*<text>(.*?)</text>', re.DOTALL)


def check_labels(svg, n):
    width, height = (float(x) for x in re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg).groups())
    boxes = []
    for x, y, colour, inside in TEXT.findall(svg):
        text = re.sub("<[^>]*>", "", inside).replace("&lt;", "<").replace("&amp;", "&").strip()
        if not text:
            continue
        x, y = float(x), float(y)
        boxes.append((x, y - LINE, x + LETTER * len(text), y, colour, text))
        assert 0 <= x and x + LETTER * len(text) < width + 1 and LINE - 4 <= y < height, (text, x, y, width, height)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] + 0.5 or b[3] < a[1] + 0.5, (a, b)
    colours = {box[4].lower() for box in boxes} - {"#444444", "#666666", "black", "rgb( 68,  68,  68)"}
    colours |= {"black"} & {box[4] for box in boxes}
    assert len(colours) >= n, (n, colours)


PLACED = r'<g transform="translate\(([-0-9.]+),([-0-9.]+)\)%s" stroke="none" fill="[^"]*" font-family="[^"]*" font-size="[^"]*"\s*text-anchor="%s">\s*<text>(.*?)</text>'


def placed(svg, turned, anchor):
    found = re.findall(PLACED % (turned, anchor), svg, re.DOTALL)
    return [(float(x), float(y), re.sub("<[^>]*>", "", text)) for x, y, text in found]


def check_axes(svg):
    upright = sorted(placed(svg, r" rotate\(270\)", "middle"))
    assert upright, "no label of a vertical axis"
    numbers = placed(svg, "", "end")
    for x, y, text in upright:
        assert x - 8 >= 0, f"{text!r} is outside of the picture: {x}"
        own = [n for n in numbers if n[0] > x and not any(x < other[0] < n[0] for other in upright)]
        for at, _, number in own:
            assert at - LETTER * len(number) > x + 2, f"{number} lies on {text!r}"
    below = placed(svg, "", "middle")
    for a in below:
        for b in below:
            if a[1] == b[1] and a[0] < b[0]:
                assert a[0] + 3 * len(a[2]) < b[0] - 3 * len(b[2]), f"{a[2]} lies on {b[2]}"


def check_guide(svg, law):
    name = {"walk": "\u221at", "linear": "t"}[law]
    left, x, y, text = next((anchor == "end", *label) for anchor in ("start", "end") for label in placed(svg, "", anchor) if label[2] == name)
    box = x - 12 * left, y - 8, x + 12 * (not left), y
    paths = re.findall(r"<path stroke='rgb\((?! *68)[^']*'( stroke-dasharray='[^']*')? *d='(M[^']*)'", svg)
    assert len(paths) > 1, "no curves"
    for dashes, path in paths:
        points = [tuple(map(float, p.split(","))) for p in re.findall(r"[-0-9.]+,[-0-9.]+", path)]
        for (ax, ay), (bx, by) in zip(points, points[1:]):
            for k in range(33):
                px, py = ax + k / 32 * (bx - ax), ay + k / 32 * (by - ay)
                assert not (box[0] < px < box[2] and box[1] < py < box[3]), f"{text} at {x}, {y} lies on a curve"


def check_circle(svg, rows):
    """The middle of each piece is as far from the centre as its ends, within 0.3 per cent: of a polygon with 6 corners it is 13 per cent nearer."""
    curves = [[tuple(map(float, p.split(","))) for p in re.findall(r"[-0-9.]+,[-0-9.]+", d)] for d in re.findall(r" d='(M[^']*)'", svg)]
    points = max(curves, key=len)
    assert len(points) > 3 * rows, (len(points), rows)
    low, high = [min(p[k] for p in points) for k in (0, 1)], [max(p[k] for p in points) for k in (0, 1)]
    (cx, cy), r = [(a + b) / 2 for a, b in zip(low, high)], (high[0] - low[0]) / 2
    for (ax, ay), (bx, by) in zip(points, points[1:]):
        far = ((ax + bx) / 2 - cx) ** 2 + ((ay + by) / 2 - cy) ** 2
        assert abs(far ** 0.5 / r - 1) < 0.006, (ax, ay, far ** 0.5, r)  # and the digits of the file


if sys.argv[1] == "numbers":
    exported = read(sys.argv[2])
    check_columns(exported, read(sys.argv[3] + "/columns.csv"), ["energy", "q1x"])
    check_columns(exported, read(sys.argv[3] + "/drift.csv"), ["energy_error"])
    check_errors(exported, read(sys.argv[3] + "/constraint.csv"))
    check_newton(exported, read(sys.argv[3] + "/newton.csv"), read(sys.argv[3] + "/newton-shares.csv"))
elif sys.argv[1] == "curve":
    check_curve(read(sys.argv[2]), read(sys.argv[3]), *sys.argv[4:])
elif sys.argv[1] == "within":
    check_within(read(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
elif sys.argv[1] == "guide":
    check_guide(open(sys.argv[2], encoding="utf-8").read(), sys.argv[3])
elif sys.argv[1] == "circle":
    check_circle(open(sys.argv[2], encoding="utf-8").read(), int(sys.argv[3]))
elif sys.argv[1] == "axes":
    check_axes(open(sys.argv[2], encoding="utf-8").read())
else:
    check_labels(open(sys.argv[2], encoding="utf-8").read(), int(sys.argv[3]))
