# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of doc/evidence/binaries.md: rigid bodies under mutual gravity by all methods."""
import math

from runs import number, table

STEPS = ["variational:order=2", "variational:order=4", "variational:order=6", "variational:order=8", "kepler-rotor:splitting=strang",
         "kepler-rotor", "rk4", "rk8", "gauss:order=8", "gauss"]
DAY = [*STEPS[:4], "kepler-rotor", "kepler-rotor:splitting=strang", "kepler-rotor:splitting=aba-10-6-4", "rk4", "rkmk4", "rk8", "gauss:order=8", "gauss",
       "arkode", "cvode"]


def nanoseconds(x):
    return "" if x is None else f"{x / 1000:.3g} µs" if x >= 1000 else f"{x:.3g} ns"


def methods(p, wanted):
    """As options, those that the program has."""
    there = {line.split()[0] for line in p.call("methods").stdout.splitlines() if line}
    return [word for m in wanted if m.split(":")[0] in there for word in ("-m", m)]


def bench(p, *words):
    """The systems of binary.json."""
    return p.json("bench", "binary", "--quiet", "--force", "-o", "binary", *words)["systems"]


@table("binary-steps", "30 s")
def binary_steps(p):
    """CPU time of a step of each method, the median of slices in turn with those of rk4, and as a ratio to it."""
    columns = [("ellipsoids", "ellipsoids", 2), ("ellipsoids", "ellipsoids", 4), ("polyhedron and ellipsoid", "didymos", 2),
               ("polyhedron and ellipsoid", "didymos", 4), ("polyhedron and ellipsoid", "didymos", 8)]
    found = []
    for _, system, order in columns:
        of = bench(p, system, "--order", order, "-T", 0, "--trajectory", 60, "-b", 3, "--limit", 1e-9, *methods(p, STEPS))[0]
        found.append({m["method"]: m["step"] for m in of["methods"]})
    rows = [[f"`{m}`", *(f"{nanoseconds(f[m]['ns_per_step'])} ({f[m]['ratio']:.2g})" for f in found)] for m in STEPS if m in found[0]]
    return ["method", *(f"{words}, N = {order}" for words, _, order in columns)], rows


def cost(points, level):
    """CPU time for an error of the place of this level, between the points around it on logarithmic axes."""
    best = math.inf
    for k, good in enumerate(points):
        if good["place_error"] is None or good["place_error"] > level:
            continue
        bad, seconds = points[k - 1] if k else None, good["cpu_seconds"]
        if bad and bad["place_error"] and bad["place_error"] > level and good["place_error"] > 0:
            part = math.log(bad["place_error"] / level) / math.log(bad["place_error"] / good["place_error"])
            seconds = bad["cpu_seconds"] * (seconds / bad["cpu_seconds"]) ** part
        best = min(best, seconds)
    return best


@table("binary-day", "1 min")
def binary_day(p):
    """CPU time in ms of a day of didymos and of kw4 for an error of the place at its end."""
    levels = [1, 1e-2, 1e-4, 1e-6, 1e-8]
    systems = bench(p, "didymos", "kw4", "-T", 0, "-b", 5, *methods(p, DAY))
    names = [m["method"] for m in systems[0]["methods"]]
    cells = [[[cost(m["points"], level) for level in levels] for m in s["methods"]] for s in systems]
    rows = []
    for i, name in enumerate(names):
        row = [f"`{name}`"]
        for of in cells:
            for k in range(len(levels)):
                best = min(line[k] for line in of)
                text = "" if math.isinf(of[i][k]) else f"{1e3 * of[i][k]:.3g}"
                row.append(f"**{text}**" if of[i][k] == best and text else text)
        rows.append(row)
    return ["method", *(f"{s['system']}, {number(level, 0)} m" for s in systems for level in levels)], rows


@table("binary-years", "3 min")
def binary_years(p):
    """Ten years of didymos and of kw4 by all methods at the cost of variational of order 2 with 40 steps a radian of the fastest turn."""
    rows = []
    names = [*STEPS[:7], "rk8", "arkode"]
    for s in bench(p, "didymos", "kw4", "--years", "-b", 1, "--trajectory", 60, "--limit", 1e-9, *methods(p, names)):
        for m in s["methods"]:
            r = m["long_run"]
            ended = f"{r['verdict']}" + ("" if r["status"] == "PH_OK" else f" at {number(r['reached'])} s")
            rows.append([s["system"], f"`{m['method']}`", "" if m["setting_is"] == "rtol" else f"{r['h']:.4g}", number(r["energy_error_first_tenth"]),
                         number(r["energy_error_last_tenth"]), number(r["place_error"]), number(r["attitude_error"]), f"{r['cpu_seconds']:.3g}", ended])
        rows.append([s["system"], "the truth is known to", "", "", "", number(s["long_truth_known_to"]), "", "", ""])
    return ["system", "method", "step [s]", "energy, first tenth", "last tenth", "place [m]", "attitude [rad]", "CPU [s]", "energy"], rows


@table("binary-conserved", "2 min")
def binary_conserved(p):
    """What variational of order 2 keeps over ten million steps of 50 s, sixteen years, looked at every 10 000 steps."""
    rows = []
    for model, preset in (("binary", "ellipsoids"), ("binary", "kw4"), ("binary", "didymos"), ("rigid-n-body", "triple")):
        s = p.run({"polhode": 1, "model": model, "initial": {"preset": preset}, "method": "variational", "step": 1, "duration": 1}, "variational", 50,
                  steps=10_000_000, every=10_000)
        rows.append([f"`{preset}`", number(s["energy_error_max_first_tenth"]), number(s["energy_error_max_last_tenth"]), number(s["momentum_error_max"]),
                     number(s["constraint_error_max"]), f"{s['cpu_seconds']:.3g}"])
    return ["system", "energy, first tenth", "last tenth", "momentum", "RᵀR − 1", "CPU [s]"], rows
