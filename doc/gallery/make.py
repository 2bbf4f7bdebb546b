#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of the gallery: runs each scenario and draws it. Python's standard library is enough.
# usage: make.py PROGRAM GALLERY EXAMPLES [NAME...]          writes the pictures into GALLERY
#        make.py --check PROGRAM GALLERY EXAMPLES [NAME...]  compares them: the same elements, coordinates within one pixel;
#                                                            of chaotic motions only that there are some
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from draw import BLUE, GREEN, GREY, RED, Axes, ball, camera, dots, image, path, picture, ramp, scale_bar, seen, split, turn, word

energy_errors = []  # of the runs of a picture
said = []  # what index.md states of it


def run(program, scenario, columns=None, events=False):
    """The columns of a run, by name without unit; or its events."""
    with tempfile.TemporaryDirectory() as place:
        name = os.path.join(place, "run.yaml")
        with open(name, "w") as file:
            file.write(scenario)
        done = subprocess.run([program, "run", "run.yaml", "--csv"] + (["--columns", columns] if columns else []), cwd=place, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"make.py: {program} run failed:\n{done.stderr}")
        with open(os.path.join(place, "run.out", "summary.json")) as file:
            energy_errors.append(json.load(file)["energy_error_max"])
        with open(os.path.join(place, "run.out", "events.csv" if events else "trajectory.csv")) as file:
            rows = list(csv.reader(file))
    return {name.split("[")[0]: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0]) if name != "event"}


def sweep(program, scenario, old, new):
    """The members of a sweep, each with its rows as dicts; `new` takes the place of `old` in the scenario."""
    if old not in scenario:
        sys.exit(f'make.py: the scenario has no "{old}"')
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "sweep.yaml"), "w") as file:
            file.write(scenario.replace(old, new))
        for arguments in (["sweep", "sweep.yaml"], ["export", "sweep.out", "-o", "rows.csv"]):
            done = subprocess.run([program, *arguments, "--quiet"], cwd=place, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"make.py: {program} {arguments[0]} failed:\n{done.stderr}")
        with open(os.path.join(place, "rows.csv")) as file:
            names, *rows = csv.reader(file)
    names = [name.split("[")[0] for name in names]
    members = {}
    for row in rows:
        row = {name: float(value or "nan") for name, value in zip(names, row)}
        row["error"] = abs(row["energy_error"] / (row["energy"] - row["energy_error"]))
        members.setdefault(row["member"], []).append(row)
    energy_errors.extend(row["error"] for rows in members.values() for row in rows)
    return list(members.values())


def drift_map(program, scenario):
    masses, steps = 24, (0.025, 0.02, 0.0125, 0.01, 0.00625, 0.005, 0.004, 0.0025)
    members = sweep(program, scenario, "to: 3.2, count: 8", f"to: 3.2, count: {masses}")
    low, high = -16, 0
    parts = []
    for k, name in enumerate(("Runge-Kutta, order 4", "Lie group, order 4", "variational, order 4", "variational, order 8")):
        left, top = 58 + 208 * (k % 2), 50 + 158 * (k // 2)
        colours = []
        for i in range(len(steps)):  # the longest step above
            row = members[(k * len(steps) + i) * masses:(k * len(steps) + i + 1) * masses]
            errors = [max(r["error"] for r in rows) for rows in row]
            colours.append([ramp((math.log10(max(e, 1e-16)) - low) / (high - low)) for e in errors])
        parts += [image(colours, left, top, 190, 116), word(left, top - 6, name)]
        if k % 2 == 0:
            parts += [word(left - 6, top + 12, f"{steps[0]:g}", anchor="end"), word(left - 6, top + 114, f"{steps[-1]:g}", anchor="end")]
        parts += [word(left, top + 131, "0.1"), word(left + 190, top + 131, "3.2", anchor="end")]
    return picture("Energy errors of four methods", parts + [
        word(6, 18, "step / s, downwards shorter"), word(474, 18, "mass of the second bob / kg, to the right", anchor="end"),
        *scale_bar(150, 372, 200, low, high, "largest relative energy error in 20 s", ((-16, "1e-16"), (-8, "1e-8"), (0, "1")))])


def top_fate(program, scenario):
    n = 120
    members = sweep(program, scenario, "count: 20}", f"count: {n}}}")
    axes = Axes((64, 48, 310, 310), (-4, 4), (-4, 4), "kick about the first axis / (rad/s)", "about the second / (rad/s)", (-4, -2, 0, 2, 4), (-4, -2, 0, 2, 4))

    def colour(i):
        end = members[i][-1]
        if end["status"] == 0:  # no event stopped it
            return (138, 143, 152)
        fade = min(math.log(max(end["t"], 0.5) / 0.5) / math.log(40), 1)  # later is darker
        full = (217, 98, 43) if end["R1xz"] > 0 else (59, 130, 196)
        return tuple(round(c * (1 - 0.75 * fade)) for c in full)

    rows = [[colour(i * n + j) for i in range(n)] for j in reversed(range(n))]
    return picture("To which side a top falls", [image(rows, 64, 48, 310, 310)] + axes.frame() + [
        word(64, 20, "falls to +x", RED), word(150, 20, "falls to \u2212x", BLUE), word(236, 20, "darker: later; grey: not within 20 s")])


def chaos_map(program, scenario):
    n, low, high = 64, 0, 1.6
    members = sweep(program, scenario, "count: 12}", f"count: {n}}}")
    names = [name for name in members[0][0] if re.fullmatch(r"q\d[xyz]", name)]

    def exponent(i):
        first, last = (math.dist(*([rows[k][name] for name in names] for rows in members[2 * i:2 * i + 2])) for k in (0, -1))
        return math.log(last / first) / members[2 * i][-1]["t"]

    rates = [[exponent(i * n + j) for i in range(n)] for j in reversed(range(n))]
    axes = Axes((64, 30, 310, 310), (-8, 8), (-8, 8), "first rod / (rad/s)", "second rod / (rad/s)", (-8, -4, 0, 4, 8), (-8, -4, 0, 4, 8))
    return picture("Where a double pendulum is chaotic", [image([[ramp((x - low) / (high - low)) for x in row] for row in rates], 64, 30, 310, 310)]
                   + axes.frame() + scale_bar(388, 60, 70, low, high, "exponent", ((0, "0"), (1.6, "1.6 / s"))))


def flip(program, scenario):
    view, centre, inertia = camera(65, 25), (240, 205), (0.6, 0.8, 1.0)
    run_of = run(program, scenario)
    energy = run_of["energy"][0]
    axes = [math.sqrt(2 * energy * i) for i in inertia]  # of the ellipsoid of energy, in momenta
    scale = 165 / max(axes)
    parts = ball(axes, view, centre, scale)
    for share in (0.2, 0.5, 0.8):  # of the energy, about the first axis and about the third
        for axis, colour in ((0, BLUE), (2, BLUE)):
            omega = [0.0, math.sqrt(2 * energy * (1 - share) / inertia[1]), 0.0]
            omega[axis] = math.sqrt(2 * energy * share / inertia[axis])
            for sign in (1, -1):
                text = ", ".join(f"{sign * o if i == axis else o:.15g}" for i, o in enumerate(omega))
                start = re.sub(r"omega: \[\[.*?\]\]", f"omega: [[{text}]]", scenario)
                other = run(program, start.replace("duration: 46", "duration: 20"))
                parts += split(seen(list(zip(other["Pi1x"], other["Pi1y"], other["Pi1z"])), axes, view), centre, scale, colour)
    parts += split(seen(list(zip(run_of["Pi1x"], run_of["Pi1y"], run_of["Pi1z"])), axes, view), centre, scale, RED)
    for k, name in enumerate("123"):
        end = [0.0, 0.0, 0.0]
        end[k] = axes[k]
        tip = view(*(1.12 * c for c in end))
        parts += [path([view(*end), tip], centre, scale, GREY, 1),
                  word(f"{centre[0] + scale * tip[0] + 3:.1f}", f"{centre[1] - scale * tip[1] + 2:.1f}", "axis " + name)]
    return picture("Polhodes on the ellipsoid of energy", parts + [
        word(12, 24, "momentum in the body, on the ellipsoid of energy"), word(12, 388, "the body that turns over", RED),
        word(190, 388, "other starts of the same energy", BLUE)])


def nutation(program, scenario):
    view, centre = camera(-70, 30), (240, 205)
    run_of = run(program, scenario)
    axis = [view(*p) for p in zip(run_of["R1xz"], run_of["R1yz"], run_of["R1zz"])]
    up = [path([view(0, 0, 1), view(0, 0, 1.12)], centre, 160, GREY, 1), word(246, 46, "up")]
    return picture("The axis of a heavy top", ball((1, 1, 1), view, centre, 160) + up + split(axis, centre, 160, RED)
                   + [path([view(0, 0, 0), axis[-1]], centre, 160, GREY, 2), word(12, 24, "tip of the axis on the unit sphere; gravity points down")])


def links(run_of, count, length, row):
    points = [(0.0, 0.0, 0.0)]
    for k in range(1, count + 1):
        points.append(tuple(p + length * run_of[f"q{k}{c}"][row] for p, c in zip(points[-1], "xyz")))
    return points


def rope(program, scenario):
    view, centre, scale = camera(-90, 12), (200, 60), 275
    run_of = run(program, scenario)
    parts = []
    rows = [i for i, t in enumerate(run_of["t"]) if t <= 0.5001][::10]
    for n, row in enumerate(rows):
        parts.append(path([view(*p) for p in links(run_of, 12, 1 / 12, row)], centre, scale, BLUE, 2, 0.25 + 0.75 * n / len(rows)))
    tip = [view(*links(run_of, 12, 1 / 12, i)[-1]) for i in range(rows[-1] + 1)]
    parts.append(path(tip, centre, scale, RED, 1.2))
    parts += [path([(0, 0), (0.25, 0)], (370, 385), scale, GREY, 2), word(372, 378, "0.25 m")]
    return picture("An elastic rope that falls", parts + [
        word(12, 24, "every 0.05 s, from faint to full"), word(330, 24, "path of the free end", RED)])


def double(program, scenario):
    view, centre, scale = camera(-60, 20), (240, 110), 11.5
    run_of = run(program, scenario.replace("duration: 100", "duration: 40"))
    ends = [links(run_of, 2, 9.81, i) for i in range(len(run_of["t"]))]
    down = [[view(x, y, -z) for x, y, z in end] for end in ends]  # gravity is along +z in this scenario
    return picture("The double spherical pendulum", [
        path([end[2] for end in down], centre, scale, RED, 1, 0.8), path([end[1] for end in down], centre, scale, BLUE, 1, 0.8),
        path(down[-1], centre, scale, GREY, 2.5), path([(0, 0), (10, 0)], (350, 385), scale, GREY, 2), word(392, 378, "10 m"),
        word(12, 24, "upper mass", BLUE), word(100, 24, "lower mass", RED), word(190, 24, "over 40 s")])


def section(program, scenario):
    """Starts on the section of one energy: at theta1 = 0, by theta2 and its rate."""
    excess, g = 10, 9.81
    axes = Axes((58, 34, 408, 300), (-math.pi / 2, math.pi / 2), (-7, 7), "angle of the second rod / rad", "its rate / (rad/s)",
                (-1.5, -1, -0.5, 0, 0.5, 1, 1.5), (-6, -3, 0, 3, 6))
    parts = axes.frame()

    def passages(angle, rate):
        c, left = math.cos(angle), excess - g * (1 - math.cos(angle))  # w1^2 + w2^2/2 + w1 w2 c = what is left
        first = (-rate * c + math.sqrt(rate * rate * c * c - 2 * rate * rate + 4 * left)) / 2
        text = scenario.replace("[0, -1], [0, -1]", f"[0, -1], [{math.sin(angle):.17g}, {-c:.17g}]")
        text = re.sub("omega: .*", f"omega: [[{first:.17g}], [{rate:.17g}]]", text)
        seen = run(program, text, "energy_error", True)
        points = []
        for i in range(len(seen["q1y"])):
            c = seen["q1x"][i] * seen["q2x"][i] + seen["q1y"][i] * seen["q2y"][i]
            rate2 = (2 * seen["pi2"][i] - c * seen["pi1"][i]) / (2 - c * c)
            if seen["q1y"][i] < 0:
                points.append((math.atan2(seen["q2x"][i], -seen["q2y"][i]), rate2))
        return points

    for angle, rate in ((0, 0), (0, 1.2), (0, 2.2), (0, 3.1), (0, -1), (0, -2), (0, -3), (0, -3.9), (0, 4), (0.35, -3.5)):
        parts.append(axes.dots(passages(angle, rate), BLUE))
    wild = axes.dots(passages(0.7, 0), RED)
    return picture("A Poincare section of the double pendulum", parts + [f'<g class="chaotic">{wild}</g>'])


def whip(program, scenario):
    run_of = run(program, scenario, "positions,velocity")
    n, length, times = 16, 0.0625, run_of["t"]
    shape = [[(0.0, 0.0)] + [(run_of[f"position{k}x"][i], run_of[f"position{k}y"][i]) for k in range(1, n + 1)] for i in range(len(times))]
    parts = []
    for m, i in enumerate(range(0, len(times), 20)):
        beside = [(x + 0.085 * m, y) for x, y in shape[i]]
        parts += [path(beside, (20, 70), 245, BLUE, 1.8), dots(beside[-1:], (20, 70), 245, RED, 3.5)]
    parts += [path([(0, 0), (0.2, 0)], (20, 352), 245, GREY, 2), word(28, 372, "0.2 m"),
              word(12, 24, "the chain every 0.04 s, drawn side by side")]
    speed = [math.hypot(*(length * sum(run_of[f"qdot{k}{c}"][i] for k in range(1, n + 1)) for c in "xy")) for i in range(len(times))]
    top = max(speed)
    said.append(f"{top:.1f} m/s after {times[speed.index(top)]:.2f} s")
    axes = Axes((312, 60, 154, 272), (0, 0.45), (0, 10), "time / s", "free end: speed / (m/s)", (0, 0.2, 0.4), (0, 2, 4, 6, 8, 10))
    return picture("A folded chain whose free end outruns free fall", parts + axes.frame() + [
        axes.line([(0, 0), (0.45, 0.45 * 9.81)], GREY, 1.2), axes.line(list(zip(times, speed)), RED), word(384, 304, "a stone")])


def catenary(length, span):
    """y of a catenary of this length between two points of one height, by x."""
    low, high = 1e-3, 100.0  # of span / (2 a), with sinh(u)/u = length/span
    for _ in range(200):
        u = (low + high) / 2
        low, high = (u, high) if math.sinh(u) / u < length / span else (low, u)
    a = span / (2 * u)
    return lambda x: a * (math.cosh((x - span / 2) / a) - math.cosh(span / (2 * a)))


def cable(program, scenario):
    view, centre, scale, n = camera(-62, 16), (60, 130), 430, 12
    rest = run(program, scenario.replace("swung", "settled").replace("duration: 10", "steps: 1"), "positions")
    swing = run(program, scenario.replace("duration: 10", "duration: 0.6"), "positions")
    at = lambda r, i: [(0, 0, 0)] + [tuple(r[f"position{k}{c}"][i] for c in "xyz") for k in range(1, n + 1)]
    parts = [path([view(*p) for p in at(swing, i)], centre, scale, BLUE, 1.6, 0.25 + 0.75 * m / 7) for m, i in enumerate(range(0, len(swing["t"]), 8))]
    curve = catenary(1, 0.8)
    xs = [0.8 * k / 60 for k in range(61)]
    off = max(math.hypot(y, z - curve(x)) for x, y, z in at(rest, 0)[1:-1])
    said.append(f"{1000 * off:.1f} mm")
    parts += [path([view(x, 0, curve(x)) for x in xs], centre, scale, RED, 1.5), dots([view(*p) for p in at(rest, 0)[1:-1]], centre, scale, RED, 3)]
    return picture("A hanging cable and the catenary", parts + [
        path([(0, 0), (0.2, 0)], (40, 372), scale, GREY, 2), word(62, 390, "0.2 m"), word(12, 24, "masses at rest, on the catenary of 1 m", RED),
        word(12, 44, "the cable let go, every 0.08 s", BLUE)])


def particles(program, scenario):
    view, centre, scale = camera(-50, 62), (240, 210), 165
    run_of = run(program, scenario)
    angles = [math.degrees(math.acos(z)) for k in (1, 2, 3) for z in run_of[f"q{k}z"]]
    said.append(f"between {min(angles):.0f} and {max(angles):.0f} degrees")
    parts = ball((1, 1, 1), view, centre, scale)
    for k, colour in ((1, BLUE), (2, RED), (3, GREEN)):
        line = [view(*p) for p in zip(*(run_of[f"q{k}{c}"] for c in "xyz"))]
        parts += split(line, centre, scale, colour) + [dots([line[-1]], centre, scale, colour, 5)]
    return picture("Three particles on a sphere", parts + [word(12, 24, "paths of 9 s on the sphere of 1 m, and where they end")])


def collapse(program, scenario):
    view, centre, scale = camera(-60, 48), (240, 214), 160
    run_of = run(program, scenario)
    said.append(f"after {run_of['t'][-1]:.2f} s")
    parts = ball((1, 1, 1), view, centre, scale)
    for k, colour in ((1, BLUE), (2, RED), (3, GREEN)):
        line = [view(*p) for p in zip(*(run_of[f"s{k}{c}"] for c in "xyz"))]
        parts += split(line, centre, scale, colour) + [dots([line[0]], centre, scale, colour, 3)]
    rows = [i for i in range(0, len(run_of["t"]), 40)]
    for i in rows:
        corners = [view(*(run_of[f"s{k}{c}"][i] for c in "xyz")) for k in (1, 2, 3, 1)]
        parts.append(path(corners, centre, scale, GREY, 0.8))
    return picture("Three vortices that collapse", parts + [word(12, 24, "paths on the sphere, and the triangle every 2 s"),
                                                            word(12, 388, "circulations 1, 1 and \u22121/2 (green)")])


def quadrotor(program, scenario):
    view, centre, scale, n = camera(-75, 14), (52, 310), 235, 5
    run_of = run(program, scenario.replace("duration: 2", "duration: 0.6").replace("every: 5", "every: 10"), "positions,R2")
    parts, whole, falls = [], [], []
    for i, t in enumerate(run_of["t"]):
        places = [tuple(run_of[f"position{k}{c}"][i] for c in "xyz") for k in range(1, n + 2)]
        masses = [0.5] + [0.1] * n
        move = lambda p: view(p[0] + 2.5 * t, p[1], p[2])  # drawn one beside the other
        middle = [sum(m * p[k] for m, p in zip(masses, places)) for k in range(3)]
        whole.append(move(middle))
        falls.append((t, middle[2]))
        if i % 12:
            continue
        R = [[run_of[f"R2{a}{b}"][i] for b in "xyz"] for a in "xyz"]
        point = lambda body: move([places[0][k] + sum(R[k][j] * body[j] for j in range(3)) for k in range(3)])
        for arm in ((0.14, 0, 0), (0, 0.14, 0)):
            parts.append(path([point(arm), point([-c for c in arm])], centre, scale, RED, 2.5))
        for sign in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            ring = [point((0.14 * sign[0] + 0.05 * math.cos(u), 0.14 * sign[1] + 0.05 * math.sin(u), 0.02)) for u in turn(24)]
            parts.append(path(ring, centre, scale, RED, 1))
        parts.append(path([point((0, 0, -0.05))] + [move(p) for p in places[1:]], centre, scale, BLUE, 1.6))
        parts.append(dots([move(p) for p in places[1:]], centre, scale, BLUE, 2.5))
    parts.append(path(whole, centre, scale, GREY, 1.2))
    (_, first), (end, last), (middle, halfway) = falls[0], falls[-1], falls[len(falls) // 2]
    speed = (last - first + 9.81 / 2 * end * end) / end  # the parabola through the ends
    if abs(halfway - first - speed * middle + 9.81 / 2 * middle * middle) > 1e-13:
        sys.exit("make.py: quadrotor: the centre of mass is off its parabola")
    return picture("A quadrotor with a cable, thrown up", parts + [
        path([(0, 0), (0.25, 0)], (30, 385), scale, GREY, 2), word(40, 378, "0.25 m"), word(12, 24, "every 0.12 s, drawn one beside the other"),
        word(12, 44, "grey: path of the centre of mass")])


def beats(program, scenario):
    run_of = run(program, scenario, "positions")
    parts = []
    for k in (1, 2, 3):
        axes = Axes((58, 34 + 104 * (k - 1), 408, 88), (0, 60), (-0.6, 0.6), "time / s" if k == 3 else "", "displacement along the row / m" if k == 1 else "",
                    (0, 20, 40, 60) if k == 3 else (), (-0.5, 0, 0.5))
        out = [(t, x - 0.5 * (k - 1)) for t, x in zip(run_of["t"], run_of[f"position{k}x"])]
        parts += axes.frame() + [axes.line(out, (BLUE, RED, GREEN)[k - 1], 1)]
    return picture("Beats of three coupled pendula", parts)


def rattleback(program, scenario):
    spin = lambda run_of: [sum(run_of["R2z" + c][i] * run_of["Omega2" + c][i] for c in "xyz") for i in range(len(run_of["t"]))]
    wrong = run(program, scenario, "R2,Omega2")
    right = run(program, scenario.replace("spun", "other-way").replace("0.002", "0.01").replace("every: 10", "every: 2"), "R2,Omega2")
    rates, times = spin(wrong), wrong["t"]
    i = next(i for i, rate in enumerate(rates) if rate > 0)
    said.append(f"After {times[i] - rates[i] * (times[i] - times[i - 1]) / (rates[i] - rates[i - 1]):.1f} s")
    above = Axes((58, 34, 408, 170), (0, 10), (-6, 6), "", "spin rate about the vertical / (rad/s)", (), (-5, 0, 5))
    below = Axes((58, 242, 408, 108), (0, 10), (-4, 4), "time / s", "the long axis above the horizontal / degrees, of the red motion",
                 (0, 2, 4, 6, 8, 10), (-3, 0, 3))
    tilt = [math.degrees(math.asin(c)) for c in wrong["R2zx"]]
    return picture("A rattleback that turns back", above.frame() + [
        above.line([(0, 0), (10, 0)], GREY, 0.8), above.line(list(zip(right["t"], spin(right))), BLUE),
        above.line(list(zip(times, rates)), RED), word(70, 78, "started at 5 rad/s", BLUE), word(70, 166, "started at \u22125 rad/s", RED)]
        + below.frame() + [below.line(list(zip(times, tilt)), RED, 1)])


def places(run_of, k):
    return list(zip(*(run_of[f"position{k}{c}"] for c in "xyz")))


def spring(program, scenario):
    view, centre, scale = camera(-60, 30), (240, 44), 200
    way = [view(*p) for p in places(run(program, scenario, "positions"), 1)]
    return picture("A mass on a spring that turns", [
        path(way, centre, scale, RED, 1, 0.8), path([(0, 0), way[-1]], centre, scale, GREY, 2), dots([(0, 0)], centre, scale, GREY, 3),
        dots(way[-1:], centre, scale, BLUE, 5), path([(0, 0), (0.25, 0)], (40, 385), scale, GREY, 2), word(98, 388, "0.25 m"),
        word(12, 24, "path of the mass over 20 s")])


def hoop(program, scenario):
    axes = Axes((58, 34, 408, 300), (0, 10), (-15, 90), "time / s", "angle from the lowest point / degrees", (0, 2, 4, 6, 8, 10), (0, 30, 60, 90))
    parts = axes.frame()
    for rate, colour in ((3, BLUE), (6, RED)):
        run_of = run(program, scenario.replace("w: 6 rad/s", f"w: {rate} rad/s"))
        angle = [math.degrees(math.atan2(y, x)) for x, y in zip(run_of["q1x"], run_of["q1y"])]
        parts += [axes.line(list(zip(run_of["t"], angle)), colour)]
    rest = math.degrees(math.acos(9.81 / (36 * 0.5)))
    said.append(f"between {min(angle):.1f} and {max(angle):.1f} degrees")
    said.append(f"{rest:.1f} degrees")
    return picture("A bead on a hoop that a motor turns", parts + [
        axes.line([(0, rest), (10, rest)], GREY, 0.8), word(376, 326, "3 rad/s", BLUE), word(122, 170, "6 rad/s", RED), word(196, 120, "at rest")])


def mirror(program, scenario):
    view, centre, scale = camera(-70, 12), (240, 208), 150
    way = places(run(program, scenario, "positions"), 1)
    said.append(f"at {max(p[2] for p in way):.2f} m")
    wide = lambda z: 0.75 / math.sqrt(1 + z * z / 4)  # of a line of the field
    lines = [[(wide(z) * math.cos(u), wide(z) * math.sin(u), z) for z in (k / 20 - 1.2 for k in range(49))]
             for u in turn(12)[:-1]]
    return picture("A charged particle between magnetic mirrors", [path([view(*p) for p in line], centre, scale, GREY, 0.6, 0.5) for line in lines] + [
        path([view(*p) for p in way], centre, scale, RED, 1), dots([view(*way[-1])], centre, scale, RED, 4),
        path([(0, 0), (0.5, 0)], (30, 385), scale, GREY, 2), word(115, 388, "0.5 m"), word(12, 24, "path of the particle; grey: lines of the field")])


def bodies(program, scenario):
    view, centre, scale = camera(-55, 14), (240, 60), 330
    run_of = run(program, scenario)
    points = [places(run_of, k) for k in range(1, 5)]
    parts = [path([view(*p) for p in points[k]], centre, scale, colour, 1, 0.8) for k, colour in ((1, BLUE), (3, RED))]
    chain = [view(0, 0, 0)] + [view(*line[-1]) for line in points]
    return picture("Two bodies and a rod", parts + [
        path(chain, centre, scale, GREY, 2.5), dots(chain[:1], centre, scale, GREY, 3), dots(chain[4:], centre, scale, RED, 5),
        path([(0, 0), (0.2, 0)], (30, 385), scale, GREY, 2), word(104, 388, "0.2 m"), word(12, 24, "lower end of the plate", BLUE), word(165, 24, "the wheel", RED)])


def disk(program, scenario):
    view, centre, scale = camera(-65, 38), (215, 300), 92
    run_of = run(program, scenario)
    middle, contact = places(run_of, 1), places(run_of, 2)
    parts = [path([view(*p) for p in contact], centre, scale, RED), path([view(*p) for p in middle], centre, scale, BLUE, 1)]
    for i in range(0, len(middle), 50):
        R = [[run_of[f"R2{a}{b}"][i] for b in "xyz"] for a in "xyz"]
        rim = [view(*(middle[i][a] + 0.5 * (R[a][0] * math.cos(u) + R[a][1] * math.sin(u)) for a in range(3))) for u in turn()]
        parts.append(path(rim, centre, scale, GREY, 1.2))
    return picture("A disk that rolls", parts + [
        path([(0, 0), (1, 0)], (30, 385), scale, GREY, 2), word(130, 388, "1 m"), word(12, 24, "path of the contact", RED), word(145, 24, "path of the centre", BLUE),
        word(270, 24, "the rim every second")])


def spins(program, scenario):
    view, centre, scale = camera(-60, 30), (240, 210), 165
    run_of = run(program, scenario)
    parts = ball((1, 1, 1), view, centre, scale)
    for k, colour in ((1, BLUE), (2, RED), (3, GREEN)):
        line = [view(*p) for p in zip(*(run_of[f"s{k}{c}"] for c in "xyz"))]
        parts += split(line, centre, scale, colour) + [dots([line[-1]], centre, scale, colour, 5)]
    return picture("Three spins", parts + [word(12, 24, "paths of the three directions over 12 s, and where they end")])


PICTURES = {"flip": (flip, None), "nutation": (nutation, None), "section": (section, None), "double-pendulum": (double, "double-spherical-pendulum"),
            "beats": (beats, None), "rope": (rope, "elastic-chain"), "whip": (whip, None), "cable": (cable, "hanging-cable"),
            "particles": (particles, None), "quadrotor": (quadrotor, "quadrotor-cable"), "rattleback": (rattleback, "rattleback"),
            "collapse": (collapse, "collapse"), "spring": (spring, None), "hoop": (hoop, None), "mirror": (mirror, None), "bodies": (bodies, None),
            "disk": (disk, None), "spins": (spins, None), "drift-map": (drift_map, "drift-map"), "top-fate": (top_fate, "top-fate"),
            "chaos-map": (chaos_map, "chaos-map")}
CHAOTIC = re.compile('<g class="chaotic">.*?</g>', re.S)
NUMBER = re.compile(r"-?\d+\.\d")


def compare(name, gallery):
    """What index.md states below the picture: the largest energy error within a factor of 2, other figures as they are."""
    with open(os.path.join(gallery, "index.md")) as file:
        text = " ".join(file.read().split(f"({name}.svg)")[1].split("## ")[0].split())
    stated = re.search(r"[Ee]nergy error at most ([0-9.e-]+[0-9])", text)
    if not stated or not max(energy_errors) <= float(stated[1]) <= 2 * max(*energy_errors, 5e-15):
        sys.exit(f"make.py: index.md, {name}: the energy error is {max(energy_errors):.1e}, not {stated and stated[1]}")
    for words in said:
        if words not in text:
            sys.exit(f'make.py: index.md, {name}, does not state "{words}"')


def main():
    check = sys.argv[1:2] == ["--check"]
    program, gallery, examples = sys.argv[1 + check:4 + check]
    for name in sys.argv[4 + check:] or PICTURES:
        draw, example = PICTURES[name]
        energy_errors.clear(), said.clear()
        source = os.path.join(examples, example + ".yaml") if example else os.path.join(gallery, name + ".yaml")
        with open(source) as file:
            text = draw(os.path.abspath(program), file.read())
        target = os.path.join(gallery, name + ".svg")
        compare(name, gallery) if check else print(f"{name}: energy error {max(energy_errors):.1e}", *said, sep="; ")
        if not check:
            with open(target, "w") as file:
                file.write(text)
            continue
        with open(target) as file:
            stored = file.read()
        text, stored = (CHAOTIC.sub("chaotic", x) for x in (text, stored))
        a, b = NUMBER.findall(text), NUMBER.findall(stored)
        if NUMBER.sub("#", text) != NUMBER.sub("#", stored) or any(abs(float(x) - float(y)) > 1 for x, y in zip(a, b)):
            sys.exit(f"make.py: {target} is not what the program draws: make the pictures again")


main()
