# SPDX-License-Identifier: BSD-3-Clause
"""Work and precision: variational and multistep methods on SO(3) against scipy.integrate.solve_ivp, on a heavy top.

A top of mass m turns about a fixed point; c is the place of its centre of mass and J its inertia about that point, both in the
body's frame, and R in SO(3) its attitude:

    L = tr(R' Jd R'^T) / 2 - m g e3 . R c,     Jd = (tr J / 2) 1 - J.

solve_ivp takes Euler's equations with a unit quaternion. Both sides are fair to each other: the physics is written in Python
for both, steps and tolerances are swept, and the CPU time is the least of several. The same methods with the catalogue's model,
whose physics is written in C, are drawn dotted.

Source: O. Bruels, A. Cardona, M. Arnold, Lie group generalized-alpha time integration of constrained flexible multibody
systems, Mech. Mach. Theory 48 (2012) 121-137: the top, here a hundredth as fast.
Truth: the centre of mass at 10 s from Gauss methods with 40 digits.
Usage: python3 work_precision.py [POINTS]
"""
from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

m, g, J, T = 15.0, 9.81, np.array([15.234375, 0.46875, 15.234375]), 10.0  # kg, m/s^2, kg m^2, s
W0 = np.array([0, 1.5, -0.0461538])  # rad/s; R(0) = 1, c = (0, 1, 0) m
truth = np.array([1.869647667769355038571560e-01, 5.326077374635497936188310e-01, -8.254533142328550440852041e-01])
E0 = 0.5435696790865546875  # J
points = int(sys.argv[1]) if len(sys.argv) > 1 else 6
Result = Tuple[float, float, float]  # CPU time (s), error of the centre of mass (m), error of the energy (J)


def timed(compute: Callable[[], Tuple[NDArray[np.float64], float]]) -> Result:
    times = []
    for _ in range(3):
        begun = time.process_time()
        place, energy = compute()
        times.append(time.process_time() - begun)
    return min(times), float(np.abs(place - truth).max()), abs(energy - E0)


def polhode(system: ph.System, method: str, steps: int, **options: Any) -> Result:
    it = ph.Integrator(system, method, step=T / steps, **options)
    spin = np.array([[0, -W0[2], W0[1]], [W0[2], 0, -W0[0]], [-W0[1], W0[0], 0]])

    def compute() -> Tuple[NDArray[np.float64], float]:
        state = it.state([np.eye(3)], [spin])
        it.step(state, steps)
        return state.z[1::3], sum(system.energy(state.z, state.v))

    return timed(compute)


def euler(_: float, y: NDArray[np.float64]) -> Tuple[float, ...]:
    """Attitude (a unit quaternion) and angular velocity; Python's floats are faster here than small arrays."""
    a, b, c, d, u, v, w = y.tolist()
    A, B, C = J.tolist()
    return (-(b * u + c * v + d * w) / 2, (a * u + c * w - d * v) / 2, (a * v + d * u - b * w) / 2, (a * w + b * v - c * u) / 2,
            ((B - C) * v * w - m * g * (1 - 2 * (b * b + c * c))) / A, (C - A) * w * u / B, ((A - B) * u * v + 2 * m * g * (b * d - a * c)) / C)


def scipy(method: str, tolerance: float) -> Result:
    def compute() -> Tuple[NDArray[np.float64], float]:
        y = solve_ivp(euler, (0, T), [1, 0, 0, 0, *W0], method=method, rtol=tolerance, atol=tolerance, t_eval=[T]).y[:, -1]
        a, b, c, d = y[:4]
        place = np.array([2 * (b * c - a * d), 1 - 2 * (b * b + d * d), 2 * (c * d + a * b)])
        return place, float((J * y[4:] ** 2).sum() / 2 + m * g * place[2])

    return timed(compute)


up = m * g * np.eye(9)[7]  # c is the second axis, its height R_32
in_python = ph.System([ph.SO3], inertia=[J], potential=lambda z: m * g * z[7], gradient=lambda z: up)
in_c = ph.model("heavy-top").system()
results: Dict[str, List[Result]] = {}
for name, method, first, options in (("order 2", "variational", 100, {"order": 2}), ("order 4", "variational", 50, {"order": 4}),
                                     ("order 6", "variational", 50, {"order": 6}), ("order 8", "variational", 25, {"order": 8}),
                                     ("multistep 6", "multistep", 100, {"order": 6})):
    for ending, system in (("", in_python), (" C", in_c)):
        results[name + ending] = [polhode(system, method, first * 2**k, **options) for k in range(points)]
for method in ("RK45", "DOP853"):
    results[method] = [scipy(method, 10.0 ** -(3 + 1.6 * k)) for k in range(points)]
for name, found in results.items():
    times, errors, _ = zip(*found)
    order = "" if name in ("RK45", "DOP853") else f", of order {np.log2(errors[1] / errors[2]):.1f}"
    print(f"{name:13} error of the centre of mass at best {min(errors):.0e} m, in {times[-1]:.4f} s{order}")
for p in (2, 4, 6):
    coarse, fine = results[f"order {p}"][1:3]
    assert abs(np.log2(coarse[1] / fine[1]) - p) < 0.5
assert results["DOP853"][-1][1] < 10 * 10.0 ** -(1.4 * points)

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, both = plt.subplots(2, 1, figsize=(3.4, 5.4), sharex=True)
for axes, column, label in zip(both, (1, 2), ("centre of mass at 10 s: error (m)", "energy at 10 s: error (J)")):
    for i, name in enumerate(results):
        x, y = np.array([(found[0], max(found[column], 1e-16)) for found in results[name]]).T
        compiled, theirs = name.endswith(" C"), name in ("RK45", "DOP853")
        axes.loglog(x, y, ":" if compiled else "--" if theirs else "-", marker="s" if theirs else None if compiled else "o", ms=2.5,
                    color="0.3" if name == "RK45" else "0.6" if theirs else f"C{i // 2}", label=None if compiled else name)
    axes.set(ylabel=label, ylim=(1e-15, 10))
both[1].set(xlabel="CPU time (s)")
both[1].text(0.02, 0.03, "dotted: physics in C", fontsize=7, transform=both[1].transAxes)
both[0].legend(ncol=3, loc="lower center", bbox_to_anchor=(0.45, 1))
figure.savefig("work_precision.svg")
figure.savefig("work_precision.png")
