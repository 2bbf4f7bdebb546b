# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of doc/evidence/spins.md: spheres as phase space by all methods."""
import math
import subprocess

from runs import ROOT, number, table

METHODS = ["spherical-midpoint:order=2", "spherical-midpoint:order=4", "spherical-midpoint:order=6", "spherical-midpoint:order=8",
           "spin-splitting:order=2", "spin-splitting:order=4", "spin-splitting:order=6", "spin-splitting:order=8", "rk4", "rk4-projected", "rk8"]


def nanoseconds(x):
    return "" if x is None else f"{x / 1e6:.3g} ms" if x >= 1e6 else f"{x / 1000:.3g} µs" if x >= 1000 else f"{x:.3g} ns"


def there(p, methods):
    """Those that the program has."""
    names = {line.split()[0] for line in p.call("methods").stdout.splitlines() if line}
    return [m for m in methods if m.split(":")[0] in names]


def bench(p, kind, *words):
    """The systems of spins.json, vortices.json."""
    methods = [word for m in there(p, METHODS) for word in ("-m", m)]
    return p.json("bench", kind, "--quiet", "--force", "-o", kind, *methods, *words)["systems"]


def program(p, what, methods):
    """The lines of doc/evidence/spins.c: name, spheres, bonds, and times of the gradient and of the steps of the methods."""
    build, path = p.path.parent, p.scratch / "spins"
    subprocess.run(["cc", "-O2", f"-I{ROOT / 'include'}", "-o", path, ROOT / "doc/evidence/spins.c", f"-L{build / '.libs'}", "-lpolhode",
                    "-lm", f"-Wl,-rpath,{build / '.libs'}"], check=True)
    for line in subprocess.run([path, what, *methods], capture_output=True, text=True, check=True).stdout.splitlines():
        name, spheres, bonds, *times = line.split()
        yield name, int(spheres), int(bonds), [float(t) for t in times]


@table("spin-steps", "20 s")
def spin_steps(p):
    """The time of the gradient and of a step, for each sphere and for each bond, the least of 60 rounds in turn."""
    methods = there(p, ["spherical-midpoint", "spin-splitting", "spin-splitting:order=4", "rk4"])
    words = {"ring": "ring of 16", "long-ring": "ring of 1000", "xxz-ring": "ring of 1000, XXZ, field, easy axis", "cube": "periodic cube, 4 x 4 x 4",
             "large-cube": "periodic cube, 16 x 16 x 16", "five-vortices": "five vortices", "vortices": "200 vortices"}
    rows = []
    for name, spheres, bonds, (gradient, *steps) in program(p, "systems", methods):
        cells = [nanoseconds(gradient), nanoseconds(gradient / spheres), nanoseconds(gradient / bonds)]
        for step in steps:
            cells.append(f"{nanoseconds(step)} ({step / bonds:.3g} a bond)")
        rows.append([words[name], *cells])
    return ["system", "gradient", "a sphere", "a bond or pair", *(f"step of `{m}`" for m in methods)], rows


def cost(points, what, level):
    """CPU time for an error of this level, between the points around it on logarithmic axes."""
    best = math.inf
    for k, good in enumerate(points):
        if good[what] is None or good[what] > level:
            continue
        bad, seconds = points[k - 1] if k else None, good["cpu_seconds"]
        if bad and bad[what] and bad[what] > level and good[what] > 0:
            part = math.log(bad[what] / level) / math.log(bad[what] / good[what])
            seconds = bad["cpu_seconds"] * (seconds / bad["cpu_seconds"]) ** part
        best = min(best, seconds)
    return best


@table("spin-work", "1 min")
def spin_work(p):
    """CPU time in ms for an error of the trajectory, and the largest energy error, on a ring and with vortices."""
    levels = [1e-2, 1e-4, 1e-6, 1e-8, 1e-10]
    systems = [("ring of 16", *bench(p, "spins", "ring", "-n", 0, "-b", 4)), ("five vortices", *bench(p, "vortices", "five", "-n", 0, "-b", 4)),
               ("200 vortices", *bench(p, "vortices", "cloud", "-n", 0, "-b", 4, "--limit", 1))]
    columns = [[cost(m["points"], "trajectory_error", level) for m in s["methods"]] for _, s in systems for level in levels]
    names = [m["method"] for m in systems[0][1]["methods"]]

    def cell(column, i):
        text = f"{1e3 * column[i]:.3g}" if math.isfinite(column[i]) else ""
        return f"**{text}**" if text and column[i] == min(column) else text
    return (["method", *(f"{text}, {number(level, 0)}" for text, _ in systems for level in levels)],
            [[f"`{name}`", *(cell(c, i) for c in columns)] for i, name in enumerate(names)])


@table("spin-long", "1 min")
def spin_long(p):
    """The energy error in the first and in the last tenth of a million steps of order 2, and the largest errors of J and of lengths."""
    rows = []
    for text, kind, name in (("ring of 16", "spins", "ring"), ("five vortices", "vortices", "five")):
        for m in bench(p, kind, name, "-n", 1000000, "-b", 0.1, "--limit", 1e-9)[0]["methods"]:
            r = m["long_run"]
            first, last = number(r["energy_error_first_tenth"]), number(r["energy_error_last_tenth"])
            if r["status"] != "PH_OK":
                last = f"ends at {r['reached']:.3g} s"
            rows.append([text, f"`{m['method']}`", f"{r['h']:.4g} s", first, last, r["verdict"], number(r["momentum_error"]), number(r["length_error"]),
                         f"{r['cpu_seconds']:.2f} s"])
            text = ""
    return ["system", "method", "step", "energy, first tenth", "last tenth", "", "J", "length", "CPU time"], rows


@table("spin-growth", "1 min")
def spin_growth(p):
    """The time of the gradient and of a step on periodic cubes of up to a million spins, for each spin."""
    methods = there(p, ["spherical-midpoint", "spin-splitting", "spin-splitting:order=4", "rk4"])
    rows = [[str(spheres), *(nanoseconds(t / spheres) for t in times)] for _, spheres, _, times in program(p, "growth", methods)]
    return ["spins", "gradient", *(f"`{m}`" for m in methods)], rows
