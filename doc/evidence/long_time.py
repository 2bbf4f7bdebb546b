# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of doc/evidence/long-time.md: energy, momentum maps and constraints over many steps."""
from runs import named, number, table

PENDULUM = "double-spherical-pendulum"


def windows(summary):
    """The largest energy error in the first and in the last tenth, or how the run ended."""
    if summary["status"] != "ok":
        return [f"{summary['status']} at {summary['time']:.0f} s", ""]
    return [number(summary["energy_error_tenths"][0]), number(summary["energy_error_tenths"][9])]


@table("energy", "20 s")
def energy(p):
    """The energy error of the double spherical pendulum in the first and last tenth of 1e5 s, and the CPU time of the steps."""
    trials = [("rk4-projected", 0.01), ("{name: rk4-projected, form: q-omega}", 0.01), ("rk4", 0.01), ("variational", 0.01),
              ("{name: variational, order: 6}", 0.08), ("{name: variational, order: 6}", 0.05), ("{name: variational, order: 8}", 0.125),
              ("{name: variational, order: 8}", 0.08), ("{name: multistep, order: 6}", 0.00625), ("{name: multistep, order: 8}", 0.00625),
              ("{name: multistep, order: 8}", 0.02)]
    found = [(m, h, p.run(PENDULUM, m, h, duration=1e5, every=100)) for m, h in trials]
    cpu = found[0][2]["cpu_seconds"]
    return (["method", "step", "CPU time", "first tenth", "last tenth", "momentum map", "constraint"],
            [[named(m), f"{h} s", *([f"{s['cpu_seconds'] / cpu:.2g}", *windows(s), number(s["momentum_error_max"]), number(s["constraint_error_max"])]
                                    if s["status"] == "ok" else ["", *windows(s), "", ""])] for m, h, s in found])


@table("crossing", "20 s")
def crossing(p):
    """The largest energy error of the double spherical pendulum to 1000 s and to 10 000 s, by step."""
    steps = [0.1, 0.03125, 0.01, 0.003125]
    rows = []
    for m in ("variational", "rk4-projected", "{name: rk4-projected, form: q-omega}", "cf4", "rk4"):
        cells = []
        for h in steps:
            early, late = (p.run(PENDULUM, m, h, duration=t, every=16) for t in (1000, 10000))
            cells.append(f"{number(early['energy_error_max'])}, {number(late['energy_error_max'])}" if late["status"] == "ok"
                         else f"{late['status']} at {late['time']:.0f} s")
        rows.append([named(m), *cells])
    return ["method", *(f"{h} s" for h in steps)], rows


def links(q, omega, count):
    return {"polhode": 1, "model": "chain-pendulum", "parameters": {"links": count, "masses": 1, "lengths": 9.81, "gravity": [0, 0, 9.81]},
            "initial": {"q": q, "omega": omega, "project": True}, "method": "variational", "step": 0.1, "duration": 1, "output": {"every": 1}}


MOTIONS = [("one link, large swings", links([[0.8660254037844386, 0, 0.5]], [[-0.4330127018922193, 0.8, 0.75]], 1)),
           ("two links, 0.2 and 0.3 rad", links([[0.2, 0, 0.9797958971132712], [0, 0.3, 0.9539392014169456]], [[0, 0, 0.3], [0, 0, 0.1]], 2)),
           ("double spherical pendulum, swinging widely", PENDULUM),
           ("two links, thrown", links([[0.98, 0, -0.2], [0, 0.8, -0.6]], [[0, 1, 0], [0.6, 0, 1.5]], 2))]


@table("parasitic", "1 min")
def parasitic(p):
    """The largest energy error of `multistep` to 1e4 steps and to 1e7, or the step at which a run ended."""
    rows = []
    for text, scenario in MOTIONS:
        if scenario == PENDULUM:
            scenario = links([[0.8660254037844386, 0, 0.5], [0, 0, 1]], [[-0.4330127018922193, 0, 0.75], [0, 1, 0]], 2)
        for order in (4, 6, 8):
            cells = []
            for h in (0.05, 0.02, 0.01, 0.005):
                m = f"{{name: multistep, order: {order}}}"
                early, late = p.run(scenario, m, h, steps=10000, every=100), p.run(scenario, m, h, steps=10000000, every=100000)
                cells.append(f"{number(early['energy_error_max'])}, {number(late['energy_error_max'])}" if late["status"] == "ok"
                             else f"ends after {number(late['steps'], 0)}")
            rows.append([text, str(order), *cells])
    return ["motion", "order", "0.05 s", "0.02 s", "0.01 s", "0.005 s"], rows


@table("violent", "30 s")
def violent(p):
    """The largest energy error of a violent chain of five links over 1000 s, by step."""
    steps = [0.01, 0.005, 0.0025, 0.001]
    rows = []
    for m in ("variational", "{name: variational, order: 6}", "{name: variational, order: 8}", "rk4-projected", "{name: rk4-projected, form: q-omega}", "rk4"):
        found = [p.run("chain", m, h, duration=1000, every=10) for h in steps]
        rows.append([named(m), *(number(s["energy_error_max"]) if s["status"] == "ok" else f"{s['status']} at {s['time']:.3g} s" for s in found)])
    return ["method", *(f"{h} s" for h in steps)], rows


@table("bodies", "3 s")
def bodies(p):
    """Energy and momentum errors of a free rigid body over 5000 s and of a heavy top over 1000 s."""
    body = {"polhode": 1, "model": "free-rigid-body", "parameters": {"inertia": [0.6, 0.8, 1.0]}, "initial": {"preset": "tumbling"},
            "method": "variational", "step": 0.02, "duration": 10, "output": {"every": 10}}
    top = {**body, "model": "heavy-top", "initial": {"preset": "slow"}}
    del top["parameters"]
    rows = []
    for text, scenario, h, end in (("free body, 5000 s, 0.1 s", body, 0.1, 5000), ("heavy top, 1000 s, 0.005 s", top, 0.005, 1000)):
        for m in ("moser-veselov", "variational", "{name: variational, order: 8}", "rk4-projected", "rkmk4", "cf4", "rk4"):
            s = p.run(scenario, m, h, duration=end)
            rows.append([text, named(m), *windows(s), number(s["momentum_error_max"]), number(s["constraint_error_max"])])
            text = ""
    return ["motion, step", "method", "energy, first tenth", "last tenth", "momentum maps", "constraint"], rows


# Rows of doc/howto/choose-a-method-and-step.md: a method, and its step as a part of the fastest period
FIRST_STEPS = [("{name: variational, order: 6}", 50), ("variational", 100), ("rk4-projected", 200), ("{name: variational, order: 8}", 60),
               ("{name: multistep, order: 8}", 300), ("{name: moser-veselov, order: 10}", 60), ("gauss", 20), ("gauss", 12)]


@table("first-steps", "2 min")
def first_steps(p):
    """The largest energy error over 100 of the fastest periods, at the steps of the guide. Of eight runs whose steps differ
    in the twelfth digit: on chaotic motions that, like any other rounding, leads to another motion."""
    systems = ["double-spherical-pendulum", "chain", "cart-chain", "heavy-top", "free-rigid-body", "submerged-pendula", "rigid-chain"]
    rows = []
    for method, part in FIRST_STEPS:
        cells = []
        for name in systems:
            # the longer step is for an inertia that depends on the configuration
            if (method, part) == ("gauss", 12) and name != "submerged-pendula":
                cells.append("")
                continue
            scenario = p.catalogue(name) if name in systems[5:] else name
            steps = [p.period(scenario) / part * (1 + i * 1e-12) for i in range(8)]
            found = [p.run(scenario, method, h, duration=100 * part * h) for h in steps]
            cells.append(number(max(s["energy_error_max"] for s in found)) if found[0] else "")
        rows.append([named(method), f"1/{part}", *cells])
    return ["method", "step", *(f"`{s}`" for s in systems)], rows
