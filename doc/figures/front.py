# SPDX-License-Identifier: BSD-3-Clause
"""The picture and numbers of README.md from the results of `polhode bench` (scripts/readme-figures runs it):
front.py ROOT RESULTS, or front.py ROOT --check."""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

WIDTH, HEIGHT, GAP, SIDE = 1080, 460, 24, 400


def measured(results):
    """The numbers, from the headlines of the two problems."""
    problems = json.loads((results / "results.json").read_text())["problems"]
    pendulum = problems[0]["headline"]
    body = problems[1]["headline"]
    symplectic = next(t for t in problems[0]["trials"] if t["method"] == "variational:order=8" and t["basis"] == "same-cpu"
                      and t["group"] == pendulum["reference"]["h"])
    # the step at this CPU time must be one at which it is flat
    assert symplectic["energy_error_max"] < 1.5 * symplectic["energy_error_max_first_tenth"], symplectic["h"]
    assert pendulum["best"]["method"] == "gauss" and pendulum["adaptive"]["method"].startswith("rk8:rtol"), pendulum  # likewise
    assert body["basis"] == "same-step" and ":" not in body["best"]["method"].replace(":order=", " "), body["best"]
    return {
        "reference_error": pendulum["reference"]["energy_error_max"],
        "reference_step": pendulum["reference"]["h"],
        "best_error": pendulum["best"]["energy_error_max"],
        "best_step": pendulum["best"]["h"],
        "symplectic_error": symplectic["energy_error_max"],
        "symplectic_step": symplectic["h"],
        "adaptive_error": pendulum["adaptive"]["energy_error_max"],
        "adaptive_time_ratio": pendulum["time_ratio"],
        "body_method": body["best"]["method"].replace(":order=", " of order "),
        "body_step": body["reference"]["h"],
        "body_reference_error": body["reference"]["energy_error_max"],
        "body_best_error": body["best"]["energy_error_max"],
    }


def shown(name, value):
    """As README has it: a ratio to one digit behind the point, steps as they are, errors to two digits."""
    if isinstance(value, str):
        return value
    if name == "adaptive_time_ratio":
        return f"{value:.1f}"
    if name.endswith("_step"):
        return f"{value:.3g}"
    return f"{value:.1e}"


def drawing(report, name):
    """The first drawing of that class, whole: others may be within it."""
    start = depth = 0
    for tag in re.finditer(r"<svg\b[^>]*>|</svg>", report):
        if depth == 0 and f'class="{name}"' not in tag.group():
            continue
        start = start or tag.start()
        depth += 1 if tag.group() != "</svg>" else -1
        if depth == 0:
            return report[start:tag.end()]
    raise ValueError(name)


def picture(report, best):
    """The polhode and the curves of the report, side by side; below the polhode the names of its two lines."""
    body, curves = (drawing(report, name) for name in ("polhode", "curves"))
    colours = re.findall(r'stroke="(#\w+)" stroke-width="2.2"', body)  # dots in front: the reference, then the best
    names = "".join(f'<text x="{GAP + SIDE * (2 * i + 1) // 4}" y="446" text-anchor="middle" font-size="17" '
                    f'font-weight="600" fill="{colour}">{name}</text>\n'
                    for i, (colour, name) in enumerate(zip(colours, ("projected RK4", best), strict=True)))
    place = lambda svg, x, w, h: svg.replace("<svg ", f'<svg x="{x}" y="20" width="{w}" height="{h}" ', 1)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" color="#222" '
            f'font-family="system-ui,sans-serif">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
            + place(body, GAP, SIDE, SIDE) + "\n"
            + place(curves, SIDE + 2 * GAP, WIDTH - SIDE - 3 * GAP, SIDE) + "\n" + names + "</svg>\n")


def fill(text, numbers):
    """README with the numbers between its markers."""
    for name, value in numbers.items():
        text = re.sub(rf"(<!-- n:{name} -->).*?(<!-- /n -->)", rf"\g<1>{shown(name, value)}\g<2>", text, flags=re.S)
    return text


def main():
    root, what = pathlib.Path(sys.argv[1]), sys.argv[2]
    readme, data = root / "README.md", root / "doc/figures/readme.json"
    if what == "--check":
        text, numbers = readme.read_text(), json.loads(data.read_text())["numbers"]
        named = set(re.findall(r"<!-- n:(\w+) -->", text))
        if fill(text, numbers) != text or not named or named - set(numbers):
            sys.exit(f"README.md has other numbers than {data.name}: run scripts/readme-figures")
        return
    results = pathlib.Path(what)
    numbers = measured(results)
    commit = subprocess.run(["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    data.write_text(json.dumps({"command": "polhode bench double-spherical-pendulum polhode", "commit": commit,
                                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
                                "date": datetime.date.today().isoformat(), "numbers": numbers}, indent=1) + "\n")
    (root / "doc/figures/front.svg").write_text(picture((results / "report.html").read_text(), numbers["body_method"]))
    readme.write_text(fill(readme.read_text(), numbers))


main()
