# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of doc/evidence/accuracy.md: errors of trajectories, and what they cost."""
import math
import re
import subprocess

from runs import named, number, table, truth

PENDULUM = "double-spherical-pendulum"
COMPOSITIONS = ["suzuki-5", "mclachlan-5", "kahan-li-9", "sofroniou-spaletta-11", "suzuki-umeno-15", "kahan-li-17", "sofroniou-spaletta-21"]


def off(summary, digits):
    """The largest error of an entry of the configuration at the end of a run."""
    if summary["status"] != "ok":
        return None
    return max(abs(a - b) for a, b in zip(summary["final_state"]["z"], digits))


@table("orders", "3 s")
def orders(p):
    """The largest error of q of the double spherical pendulum at t = 10 s, by method and step."""
    methods = ["rk4-projected", "variational", *(f"{{name: variational, composition: {c}}}" for c in COMPOSITIONS),
               *(f"{{name: gauss, order: {k}}}" for k in (4, 8, 12, 16)),
               *(f"{{name: multistep, order: {k}}}" for k in (4, 6, 8))]
    steps = [0.16, 0.08, 0.04, 0.02, 0.01]
    digits, rows = truth(PENDULUM), []
    for m in methods:
        # 10 s are no whole number of steps of 0.16 s
        cells = [off(p.run(PENDULUM, m, h if h < 0.16 else 10 / 63, duration=10), digits) if "multistep" not in m or h <= 0.04
                 else None for h in steps]
        rows.append([named(m), *map(number, cells)])
    return ["method", *(f"{h} s" for h in steps)], rows


@table("work", "30 s")
def work(p):
    """CPU time in ms of a motion at the largest step at which a method has the wanted error at its end."""
    cases = [(PENDULUM, 10, 1e-5), (PENDULUM, 10, 1e-7), (PENDULUM, 10, 1e-9), (PENDULUM, 10, 1e-11), (PENDULUM, 100, 1e-5),
             (PENDULUM, 100, 1e-7), (PENDULUM, 100, 1e-9), ("heavy-top", 5, 1e-6), ("heavy-top", 5, 1e-9), ("free-rigid-body", 10, 1e-6),
             ("free-rigid-body", 10, 1e-10), ("submerged-pendula", 6, 1e-6), ("submerged-pendula", 6, 1e-9), ("chain", 1, 1e-6)]
    kinds = {"variational 2": ["variational", "variational:order=2"], "4": ["variational:order=4"], "6": ["variational:order=6"],
             "8": ["variational:order=8"], "`multistep`": ["multistep"], "`gauss`": ["gauss"], "`moser-veselov`": ["moser-veselov"],
             "`rk4-projected`": ["rk4-projected"], "`cf4`": ["cf4"], "`arkode`": ["arkode"], "`cvode`": ["cvode"]}
    rows = []
    for scenario, horizon, error in cases:
        path = p.catalogue(scenario) if scenario == "submerged-pendula" else p.scenario(scenario)
        found = p.json("methods", "--advise", path, "--accuracy", error, "--horizon", horizon, "--timed")["candidates"]
        times = []
        for labels in kinds.values():
            of = [c["cpu_seconds"] for c in found if c["verdict"] == "meets" and (c["label"] in labels or c["method"] == labels[0] != "variational")]
            times.append(min(of) * 1e3 if of else None)
        best = min(t for t in times if t)
        cells = ["" if t is None else f"**{t:.2g}**" if t == best else f"{t:.2g}" if t < 99.5 else f"{t:.0f}" for t in times]
        rows.append([f"`{scenario}`, {horizon} s", number(error, 0), *cells])
    return ["system, end", "error", *kinds], rows


def least(methods, error):
    """The least time [s] for an error with these methods: on the lower hull of the points of each."""
    at, times = math.log(error), [math.inf]
    for m in methods:
        p = [(math.log(max(x["error"], 1e-17)), math.log(x["cpu_seconds"])) for x in m["points"] if x["status"] == "PH_OK"]
        times += [t for x, t in p if x <= at]
        times += [ta + (at - xa) * (tb - ta) / (xb - xa) for xa, ta in p for xb, tb in p if xa > at >= xb]
    return math.exp(min(times))


@table("ahead", "5 min")
def ahead(p):
    """Time of the fastest code of general use relative to the fastest structure-preserving method, by system and accuracy."""
    rows = []
    for s in p.json("bench", "ahead", "--quiet", "--force", "-o", "ahead")["systems"]:
        for text, left_out in ((f"`{s['system']}`", None), ("without `taylor`", "taylor")):
            of = {side: [m for m in s["methods"] if m["side"] == side and m["method"].split(":")[0] != left_out] for side in ("structure-preserving", "general")}
            if left_out and len(of["general"]) == sum(m["side"] == "general" for m in s["methods"]):
                continue
            cells = []
            for level in s["levels"]:
                ours, code = least(of["structure-preserving"], level["accuracy"]), least(of["general"], level["accuracy"])
                cells.append("" if ours == code == math.inf else "only it" if code == math.inf else "**only code**" if ours == math.inf
                             else f"{code / ours:.2g}" if code >= ours else f"**{code / ours:.2g}**")
            best = ["" if left_out else f"`{s['levels'][k][side]}`" for side in ("ours", "general") for k in (3, 9)]
            rows.append([text, *cells, *(b.replace("`None`", "") for b in best)])
    return ["system", *(f"1e{k}" for k in range(-3, -15, -1)), "fastest at 1e-6", "at 1e-12", "code at 1e-6", "at 1e-12"], rows


@table("free-body", "2 s")
def free_body(p):
    """The largest error of R of a tumbling free body at t = 10 s, by method and number of steps."""
    methods = [*(f"{{name: moser-veselov, order: {k}}}" for k in (2, 4, 6, 8, 10)), "{name: variational, order: 8}", "rk4-projected", "rkmk4", "cf4"]
    counts = [50, 100, 200, 400, 800]
    body = {"polhode": 1, "model": "free-rigid-body", "parameters": {"inertia": [0.6, 0.8, 1.0]}, "initial": {"preset": "tumbling"},
            "method": "variational", "step": 0.02, "duration": 10}
    digits = truth("free-rigid-body")
    return (["method", *(f"{n} steps" for n in counts)],
            [[named(m), *(number(off(p.run(body, m, 10 / n, duration=10), digits)) for n in counts)] for m in methods])


@table("top", "10 s")
def top(p):
    """The largest error of R of the heavy top at t = 10 s by the number of steps, and the time of a step."""
    w, x, y, z = 0.2805763585312776930347, -0.04996097915622762588643, 0.8292049057772769907375, -0.4808326443056628532489
    digits = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
              2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    methods = [*(f"{{name: rotor-splitting, order: {k}}}" for k in (2, 4, 6)), *(f"{{name: gauss, order: {k}}}" for k in (8, 16)),
               "{name: variational, order: 8}", "rk8"]
    counts = [40, 60, 80, 120, 240, 480]
    body = {"polhode": 1, "model": "heavy-top", "initial": {"preset": "slow"}, "method": "variational", "step": 0.02, "duration": 10}
    times = p.timed(3, *((body, m, 10 / 120, 2000) for m in methods))
    return (["method", *(f"{n} steps" for n in counts), "a step"],
            [[named(m), *(number(off(p.run(body, m, 10 / n, duration=10), digits)) for n in counts), f"{t:.0f} ns"]
             for m, t in zip(methods, times)])


@table("adaptive", "1 s")
def adaptive(p):
    """Errors of q of the double spherical pendulum at t = 10 s and CPU time by adaptive methods, by the step between outputs."""
    digits, rows = truth(PENDULUM), []
    for h in (10, 1, 0.1, 0.01):
        cells = []
        for m in ("arkode", "cvode", "{name: arkode, rtol: 1e-10, atol: 1e-10}", "{name: cvode, rtol: 1e-8, atol: 1e-8}"):
            s = p.run(PENDULUM, m, h, duration=10)
            cells += [number(off(s, digits)), f"{1e3 * s['cpu_seconds']:.2g} ms"]
        rows.append([f"{h} s", *cells])
    return ["step", "`arkode`, 1e-14", "time", "`cvode`, 1e-10", "time", "`arkode`, 1e-10", "time", "`cvode`, 1e-8", "time"], rows


@table("rules", "40 s")
def rules(p):
    """The largest energy error over 100 s by the discrete Lagrangian, and the time of a step relative to that of `ends`."""
    words = ["ends", "midpoint", "normalised-midpoint", "exponential", "exponential-midpoint"]
    chain = {"polhode": 1, "model": "chain-pendulum", "initial": {"preset": "curved"}, "method": "variational", "step": 1, "duration": 1,
             "parameters": {"links": 5, "masses": 0.1, "lengths": 0.1, "gravity": 9.81}}
    top = {"polhode": 1, "model": "heavy-top", "initial": {"preset": "slow"}, "method": "variational", "step": 1, "duration": 1}
    balls = {"polhode": 1, "model": "submerged-pendula", "initial": {"preset": "beating"}, "method": "variational", "step": 1, "duration": 1}
    rows = []
    for text, scenario, h in (("double spherical pendulum", PENDULUM, 0.01), ("chain of five links", chain, 0.001), ("heavy top", top, 0.005),
                              ("balls in water (inertia varies)", balls, 0.02)):
        runs = [(scenario, f"{{name: variational, discrete-lagrangian: {w}}}", h, 100) for w in words]
        errors, times = [p.run(*r)["energy_error_max"] for r in runs], p.timed(3, *runs)
        rows.append([f"{text}, {h} s", *(f"{number(e)}, {t / times[0]:.2g}" for e, t in zip(errors, times))])
    return ["system, step", *(f"`{w}`" for w in words)], rows


@table("claims", "1 min")
def claims(p):
    """What `tests/methods/check_claims` measures on the models: the range of orders, and the largest of each error."""
    build = p.path.parent
    subprocess.run(["make", "-C", build, "tests/methods/check_claims"], capture_output=True, check=True)
    printed = subprocess.run([build / "tests/methods/check_claims"], capture_output=True, text=True, check=True, cwd=p.scratch).stdout
    line = re.compile(r"^(\S+) (\S+) +(\S.*?) +order (\S+) \(\S+\) reversal (\S+) form (\S+) \d+ maps (\S+) \|q\| (\S+) R\^T R (\S+)", re.M)
    found = {}
    for method, option, system, *values in line.findall(printed):
        found.setdefault((method, option), {})[system] = [float(v) for v in values]
    rows = []
    for key in [("variational", k) for k in "2468"] + [("gauss", k) for k in ("4", "8", "16")] + [("multistep", k) for k in "468"] + \
            [("moser-veselov", k) for k in ("2", "10")] + [(m, "automatic") for m in ("rk4", "rk4-projected", "rkmk4", "cf4")]:
        of = list(zip(*found[key].values()))
        # where no map, sphere or rotation is there is nothing to measure
        largest = [max((v for v in column if v == v), default=None) for column in of[1:]]
        # above 8 errors are rounding before they show it: check_gauss.c finds it in long double
        order = "" if key == ("gauss", "16") else f"{min(of[0]):.2f} to {max(of[0]):.2f}"
        rows.append([f"`{key[0]}`" + ("" if key[1] == "automatic" else f", {key[1]}"), str(len(found[key])), order,
                     *map(number, largest)])
    return ["method, order", "systems", "order", "there and back", "symplectic form", "momentum maps", "|q|", "RᵀR"], rows
