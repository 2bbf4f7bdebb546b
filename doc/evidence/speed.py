# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of doc/evidence/speed.md and rounding.md: time and instructions of a step, growth with size, kept ensembles."""
import json
import math
import re
import subprocess

from runs import ROOT, commit_of, named, number, table


def nanoseconds(x):
    return "" if x is None else f"{x / 1000:.3g} µs" if x >= 1000 else f"{x:.3g} ns"


@table("steps", "30 s")
def steps(p):
    """The time of a step of each method, the least of nine runs in turn."""
    def model(name, preset, **parameters):
        return {"polhode": 1, "model": name, "parameters": parameters, "initial": {"preset": preset}, "method": "variational", "step": 1, "duration": 1}
    systems = [("double spherical pendulum", "double-spherical-pendulum", 0.01), ("chain of 5", "chain", 0.0005),
               ("cart and 3 links", "cart-chain", 0.0005), ("free body", model("free-rigid-body", "tumbling", inertia=[0.6, 0.8, 1.0]), 0.02),
               ("heavy top", model("heavy-top", "slow"), 0.002), ("balls in water", model("submerged-pendula", "beating"), 0.02)]
    methods = ["variational", "{name: variational, order: 6}", "{name: variational, order: 8}", "{name: gauss, order: 8}", "gauss",
               "{name: multistep, order: 6}", "moser-veselov", "rk4", "rk4-projected", "rkmk4", "cf4"]
    columns = []
    for _, scenario, h in systems:
        # as many steps as take 20 ms or so
        tried = {m: p.run(scenario, m, h, steps=1000, every=1000) for m in methods}
        lengths = {m: round(1000 * min(1000, max(1, 2e4 / s["ns_per_step"]))) for m, s in tried.items() if s}
        times = dict(zip(lengths, p.timed(9, *((scenario, m, h, None, n, n) for m, n in lengths.items()))))
        columns.append([nanoseconds(times.get(m)) for m in methods])
    return (["method", *(f"{text}, {h} s" for text, _, h in systems)],
            [[named(m), *(c[i] for c in columns)] for i, m in enumerate(methods)])


@table("lagrangian", "2 s")
def lagrangian(p):
    """The time of a step of the double spherical pendulum as a user's Lagrangian, by what is given and by the discrete Lagrangian."""
    build, program = p.path.parent, p.scratch / "lagrangian"
    subprocess.run(["cc", "-O2", f"-I{ROOT / 'include'}", "-o", program, ROOT / "doc/evidence/lagrangian.c", f"-L{build / '.libs'}", "-lpolhode",
                    "-lm", f"-Wl,-rpath,{build / '.libs'}"], check=True)
    times = {}
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        way, rule, time = line.split()
        times.setdefault(way, {})[rule] = float(time)
    words = {"model": "the model of the catalogue", "hessian": "L, gradient, second derivatives", "gradient": "L and gradient",
             "complex": "a complex version of L", "values": "values of L alone"}
    return (["given", *(f"`{rule}`" for rule in times["model"])],
            [[words[way], *map(nanoseconds, row.values())] for way, row in times.items()])


@table("gravity", "10 s")
def gravity(p):
    """The time of an evaluation of two bodies under mutual gravity, force and torques, by order and kind of bodies."""
    build, program = p.path.parent, p.scratch / "gravity"
    subprocess.run(["cc", "-O2", f"-I{ROOT / 'include'}", "-o", program, ROOT / "doc/evidence/gravity.c", f"-L{build / '.libs'}", "-lpolhode",
                    "-lm", f"-Wl,-rpath,{build / '.libs'}"], check=True)
    words = {"ellipsoids": "two ellipsoids", "any": "any two bodies"}
    rows = []
    for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
        bodies, order, *times = line.split()
        generic, one, eight = map(float, times)
        rows.append([words[bodies], order, nanoseconds(generic), nanoseconds(one), f"{generic / one:.0f}", nanoseconds(eight), f"{one / eight:.1f}"])
    return ["bodies", "order", "`ph_attract`", "one system", "times as fast", "of eight systems at once, each", "times as fast"], rows


def links(count, **more):
    """A chain at rest on a smooth curve: each link 0.1 rad from hanging, in a direction that turns by half a turn along the chain."""
    q = [[math.sin(0.1) * math.cos(a), math.sin(0.1) * math.sin(a), -math.cos(0.1)] for a in (math.pi * i / count for i in range(count))]
    return {"polhode": 1, "model": "chain-pendulum", "parameters": {"links": count, "masses": 0.1, "lengths": 0.1, "gravity": 9.81},
            "initial": {"q": q, "omega": [[0, 0, 0]] * count, "project": True}, "method": "variational", "step": 1, "duration": 1, "output": {"every": 1000000}, **more}


@table("instructions", "5 min")
def instructions(p):
    """Instructions of a step, counted by valgrind as the difference of runs of 400 and of 1200 steps."""
    def model(name, preset, **parameters):
        return {**links(1), "model": name, "parameters": parameters, "initial": {"preset": preset}}
    systems = [("one link", links(1), 0.0005), ("two links", links(2), 0.0005), ("chain of 5", links(5), 0.0005), ("chain of 20", links(20), 0.0005),
               ("chain of 200", links(200), 0.0005), ("cart and 3 links", "cart-chain", 0.0005), ("`planar-chain`, 20",
                model("planar-chain", "curved", links=20, lengths=0.1, masses=0.1), 0.0005), ("`coupled-pendula`, 5",
                model("coupled-pendula", "beating", pendula=5), 0.0005),
               ("free body", model("free-rigid-body", "tumbling", inertia=[0.6, 0.8, 1.0]), 0.02), ("heavy top", model("heavy-top", "slow"), 0.002),
               ("`rigid-chain`, 10", model("rigid-chain", "curved", bodies=10), 0.0005)]
    methods = ["variational", "{name: variational, order: 8}", "{name: multistep, order: 6}", "moser-veselov", "rk4", "rk4-projected"]
    rows = []
    for text, scenario, h in systems:
        found = [p.instructions(scenario, m, h) for m in methods]
        rows.append([text, *("" if f is None else f"{f[0]:.0f}" + ("" if f[1] else " (plain)") for f in found)])
    return ["system", *(named(m) for m in methods)], rows


@table("observing", "3 min")
def observing(p):
    """Instructions of a step of `variational` beside which a row is written or an event is looked for, which does not occur."""
    cases = [("nothing", [], {}), ("a row at each step", ["output.every=1"], {}),
             *((f"an event on {text}", [], {"events": [{"name": "never", "when": column, "crosses": 1e9}]})
               for text, column in (("a coordinate", "q1x"), ("the momentum map", "Jg"), ("the energy", "energy")))]
    rows = []
    for text, sets, more in cases:
        rows.append([text, *(f"{p.instructions(links(n, **more), 'variational', 0.0005, sets)[0]:.0f}" for n in (2, 1000))])
    return ["what is done besides", "two links", "chain of 1000 links"], rows


@table("forms", "5 s")
def forms(p):
    """Instructions of one evaluation of the equations in each form, counted by valgrind."""
    build = p.path.parent
    done = subprocess.run(["python3", ROOT / "scripts/forms", build], capture_output=True, text=True, check=True)
    lines = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in done.stdout.splitlines()]
    return lines[0], lines[2:]


def sweep(p, model, most, *methods):
    """Times of a step from `polhode bench scaling`: n, then for each method the time and the bytes a part."""
    words = [w for m in methods for w in ("-m", m)]
    found = p.json("bench", "scaling", model, *words, "--to", most, "--quiet", "--force", "-o", "scaling")["sweeps"][0]["contenders"]
    by = {c["method"]: {q["n"]: q for q in c["points"]} for c in found}
    rows = []
    for n in sorted({n for points in by.values() for n in points}):
        cells = []
        for points in by.values():
            q = points.get(n)
            cells += [nanoseconds(q and q["ns_per_part_and_step"]), f"{q['bytes'] / n:.0f}" if q else ""]
        rows.append([str(n), *cells])
    return ["n", *(x for m in by for x in (f"`{m}`", "bytes"))], rows


@table("chain", "30 s")
def chain(p):
    """The time of a step of a chain and the bytes of state and workspace, a link."""
    return sweep(p, "chain-pendulum", 10000, "variational", "variational:order=8", "multistep:order=6", "rk4", "rk4-projected")


@table("rigid-chain", "20 s")
def rigid_chain(p):
    """The time of a step of a chain of rigid bodies and the bytes of state and workspace, a body."""
    return sweep(p, "rigid-chain", 1000, "variational", "rk4", "rk4-projected")


@table("ensembles", "1 min")
def ensembles(p):
    """Throughput of ensembles in all ways of polhode bench ensembles."""
    found, rows = p.json("bench", "ensembles", "--quiet", "--force", "-o", "ensembles")["ensembles"], []
    for one in found:
        ways = one["ways"]
        row = [f"{one['ensemble']}, {one['h']:g} s", number(ways[0]["error"])]
        for i, w in enumerate(ways):
            row.append(f"{w['cpu_us']:.3g}" + (f" ({w['times_as_fast']:.2g})" if i else "") + (f", error {number(w['error']) or 'infinite'}" if i in (4, 7) else ""))
        rows.append(row)
    return ["ensemble, step", "error", "one after the other", "lanes", "sweep, 1 thread", "sweep, 2 threads", "RK4, same step", "RK4, same accuracy",
            "Taylor, same accuracy", "Taylor, order 20"], rows


@table("rounding", "1 s")
def rounding(p):
    """Relative errors of ensembles of 32 after their last step, kept in bench/data/roundoff.json."""
    kept, rows = json.loads((ROOT / "bench/data/roundoff.json").read_text()), []
    for one in kept["ensembles"]:
        energy, momentum = (next(q for q in one["quantities"] if q["name"].startswith(name)) for name in ("energy", "momentum"))
        rows.append([f"{one['name']}, `{one['method']}`, {one['h']} s", number(one["steps"][-1]), number(energy["rms_at_end"]),
                     f"{number(energy['mean_at_end'])} ± {number(energy['mean_standard_error'])}",
                     f"{energy['slope']:.2f} ± {energy['slope_standard_error']:.2f}", {"walk": "walks", "drift": "drifts", "grow": "grows"}.get(energy["verdict"], energy["verdict"]),
                     number(momentum["rms_at_end"]), number(one["largest_constraint_error"][-1])])
    return ["motion, method, step", "steps", "energy: rms", "mean", "slope", "verdict", "momentum: rms", "constraint: largest"], rows, {
        "date": kept["date"][:10], "commit": commit_of("bench/data/roundoff.json"), "machine": kept["machine"]}
