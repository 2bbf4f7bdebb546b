# SPDX-License-Identifier: BSD-3-Clause
"""A Poincare section: order and chaos of the double pendulum in a plane at one energy.

Two masses of 1 kg on massless rods of 1 m, on S^1 x S^1, with the angles a, b of the rods from hanging:

    L = a'^2 + b'^2 / 2 + a' b' cos(a - b) + 2 g cos a + g cos b.

Every time when the first rod passes the vertical to the right (a = 0, a' > 0), b and b' are a point. Where the motion is
regular, points lie on curves; where it is chaotic, one orbit fills an area. The points are found on the discrete trajectory
itself, so that a long orbit does not leave its curve.

Source: P. H. Richter, H.-J. Scholz, Chaos in classical mechanics: the double pendulum, in P. Schuster (ed.), Stochastic
Phenomena and Chaotic Behaviour in Complex Systems, Springer (1984) 86-97.
Truth: crossings of one orbit by the equations in angles and SciPy's DOP853 with events; the energy at every point.
Usage: python3 poincare_section.py [DURATION]
"""
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

Vector = NDArray[np.float64]
g, E = 9.81, 14.0  # m/s^2; J above hanging at rest


def rate(b: float, bdot: float) -> float:
    """a' > 0 on the section a = 0 at the energy E; NaN where there is none."""
    half = bdot * np.cos(b) / 2
    return float(-half + np.sqrt(half**2 - bdot**2 / 2 + E - g * (1 - np.cos(b))))


def start(b: float, bdot: float) -> Vector:
    """Directions and velocities (8,) of a point of the section."""
    return np.array([0, -1, np.sin(b), -np.cos(b), rate(b, bdot), 0, bdot * np.cos(b), bdot * np.sin(b)])


def in_angles(t: float, y: Vector) -> Vector:
    a, b, adot, bdot = y
    M = np.array([[2, np.cos(a - b)], [np.cos(a - b), 1]])
    return np.append(y[2:], np.linalg.solve(M, [-np.sin(a - b) * bdot**2 - 2 * g * np.sin(a), np.sin(a - b) * adot**2 - g * np.sin(b)]))


duration = float(sys.argv[1]) if len(sys.argv) > 1 else 1000.0  # s
system = ph.model("planar-chain").system(masses=[1, 1], lengths=[1, 1], gravity=g)
section = ph.Event("section", column="q1x", direction=1)
chaotic = (0.9, 0.5)
regular = [(0.0, bdot) for bdot in (4.8, 4.5, 4.1, 3.6, 3.1, 2.7, 0.2, -0.4, -0.9, -1.25, -3.6, -4.4, -4.9, -5.3, -5.8, -6.3, -6.8, -7.2, -7.4)]
regular += [(side * b, bdot) for side in (-1, 1) for b, bdot in ((1.4, 2.4), (1.5, 2.6), (1.4, 0.1), (1.4, -1.5))]

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, axes = plt.subplots(figsize=(3.4, 3.4))
drift = 0.0
for i, (b, bdot) in enumerate([chaotic, *regular]):
    y0 = start(b, bdot)
    end = duration if i else 10 * duration
    sol = ph.solve(system, (0, end), y0[:4], y0[4:], step=0.01, order=4, t_eval=[end], events=section)
    y = sol.y_events[0]  # (points, 8)
    energy = [sum(system.energy(z, v)) + 3 * g for z, v in zip(y[::20, :4], y[::20, 4:])]
    drift = max(drift, float(np.abs(np.array(energy) / E - 1).max()))
    axes.plot(np.arctan2(y[:, 2], -y[:, 3]), y[:, 2] * y[:, 7] - y[:, 3] * y[:, 6], ".", ms=1, mew=0,
              color=f"C{i % 6}" if i else "0.5")

sol = ph.solve(system, (0, 20), start(0, 4.1)[:4], start(0, 4.1)[4:], accuracy=1e-9, t_eval=[20], events=section)
when = lambda t, y: np.sin(y[0])  # noqa: E731
when.direction = 1  # type: ignore[attr-defined]
truth = solve_ivp(in_angles, (0, 20), [0, 0, rate(0, 4.1), 4.1], method="DOP853", rtol=1e-12, atol=1e-12, events=when)
late = np.abs(sol.t_events[0] - truth.t_events[0][-len(sol.t_events[0]):]).max()
print(f"{len(sol.t_events[0])} crossings of one orbit at times within {late:.1e} s of DOP853's; "
      f"energies of all points within {drift:.1e}")
assert late < 1e-8 and drift < 1e-5

axes.set(xlabel="$b$ (rad)", ylabel="$\\dot b$ (rad/s)")
figure.savefig("poincare_section.svg")
figure.savefig("poincare_section.png")
