#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# The pictures of the gallery: runs each scenario and draws it. Python's standard library is enough.
# usage: make.py PROGRAM GALLERY EXAMPLES          writes the pictures into GALLERY
#        make.py --check PROGRAM GALLERY EXAMPLES  compares them: the same elements, coordinates within one pixel
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

BLUE, RED, GREY = "#3b82c4", "#d9622b", "#8a8f98"  # seen on white and on black


def run(program, scenario):
    """The columns of a run, by name without unit."""
    with tempfile.TemporaryDirectory() as place:
        name = os.path.join(place, "run.yaml")
        with open(name, "w") as file:
            file.write(scenario)
        done = subprocess.run([program, "run", "run.yaml", "--csv"], cwd=place, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"make.py: {program} run failed:\n{done.stderr}")
        with open(os.path.join(place, "run.out", "trajectory.csv")) as file:
            rows = list(csv.reader(file))
    return {name.split("[")[0]: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def camera(azimuth, elevation):
    """Points in space to (right, up, towards the eye)."""
    ca, sa = math.cos(math.radians(azimuth)), math.sin(math.radians(azimuth))
    ce, se = math.cos(math.radians(elevation)), math.sin(math.radians(elevation))
    return lambda x, y, z: (-sa * x + ca * y, -se * (ca * x + sa * y) + ce * z, ce * (ca * x + sa * y) + se * z)


def path(points, centre, scale, colour, width=1.5, opacity=1.0):
    text = " ".join(f"{centre[0] + scale * p[0]:.1f},{centre[1] - scale * p[1]:.1f}" for p in points)
    return (f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}" '
            f'stroke-opacity="{opacity:.2f}" stroke-linejoin="round"/>')


def word(x, y, text, colour=GREY):
    return f'<text x="{x}" y="{y}" fill="{colour}" font-family="sans-serif" font-size="13">{text}</text>'


def picture(title, parts, width=480, height=400):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
            f"<title>{title}</title>\n" + "\n".join(parts) + "\n</svg>\n")


def split(points, centre, scale, colour):
    """A curve on a convex body: what is behind is faint."""
    parts, piece = [], [points[0]]
    for before, p in zip(points, points[1:]):
        piece.append(p)
        if (p[2] >= 0) != (before[2] >= 0):
            parts.append((before[2] >= 0, piece))
            piece = [p]
    parts.append((points[-1][2] >= 0, piece))
    return [path(piece, centre, scale, colour, 1.6, 1.0 if front else 0.25) for front, piece in parts if len(piece) > 1]


def ball(axes, view, centre, scale):
    """Meridians and parallels of an ellipsoid, the front half."""
    parts = []
    for k in range(-2, 3):
        s = math.radians(30 * k)
        parts.append([(math.cos(s) * math.cos(u), math.cos(s) * math.sin(u), math.sin(s)) for u in turn()])
    for k in range(6):
        s = math.radians(30 * k)
        parts.append([(math.cos(u) * math.cos(s), math.cos(u) * math.sin(s), math.sin(u)) for u in turn()])
    return [path([view(*(a * c for a, c in zip(axes, p))) for p in line], centre, scale, GREY, 0.6, 0.4) for line in parts]


def seen(points, axes, view):
    """Points on an ellipsoid to (right, up, whether on the eye's side), until the curve closes."""
    made = []
    for n, p in enumerate(points):
        normal = view(*(c / (a * a) for c, a in zip(p, axes)))
        made.append((*view(*p)[:2], normal[2]))
        if n > 20 and math.dist(p, points[0]) < math.dist(p, points[n - 1]):
            made.append(made[0])
            break
    return made


def turn():
    return [math.pi * k / 24 for k in range(49)]


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
    return picture("Polhodes on the ellipsoid of energy", parts + [
        word(12, 24, "momentum in the body, on the ellipsoid of energy"), word(12, 388, "the body that turns over", RED),
        word(190, 388, "other starts of the same energy", BLUE)])


def nutation(program, scenario):
    view, centre = camera(-70, 30), (240, 205)
    run_of = run(program, scenario)
    axis = [view(*p) for p in zip(run_of["R1xz"], run_of["R1yz"], run_of["R1zz"])]
    return picture("The axis of a heavy top", ball((1, 1, 1), view, centre, 160) + split(axis, centre, 160, RED)
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


PICTURES = {"flip": (flip, None), "nutation": (nutation, None), "rope": (rope, "elastic-chain"),
            "double-pendulum": (double, "double-spherical-pendulum")}
NUMBER = re.compile(r"-?\d+\.\d")


def main():
    check = sys.argv[1:2] == ["--check"]
    program, gallery, examples = sys.argv[-3:]
    for name, (draw, example) in PICTURES.items():
        source = os.path.join(examples, example + ".yaml") if example else os.path.join(gallery, name + ".yaml")
        with open(source) as file:
            text = draw(os.path.abspath(program), file.read())
        target = os.path.join(gallery, name + ".svg")
        if not check:
            with open(target, "w") as file:
                file.write(text)
            continue
        with open(target) as file:
            stored = file.read()
        a, b = NUMBER.findall(text), NUMBER.findall(stored)
        if NUMBER.sub("#", text) != NUMBER.sub("#", stored) or any(abs(float(x) - float(y)) > 1 for x, y in zip(a, b)):
            sys.exit(f"make.py: {target} is not what the program draws: make the pictures again")


main()
