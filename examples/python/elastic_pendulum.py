# SPDX-License-Identifier: BSD-3-Clause
"""A user-defined Lagrangian: the elastic pendulum in resonance, whose plane of swing turns step by step.

A mass hangs on a spring. With the spring's length r and its direction q, a unit vector, the configuration is in R x S^2 and

    L = m/2 (r'^2 + r^2 |q'|^2) - m g r q_3 - k/2 (r - l0)^2.

The Lagrangian is all that is written: its derivatives are taken by complex steps, as exactly as by hand, and the variational
step of order 6 follows from it. Where the spring is twice as quick as the swing, each passes its energy to the other and back,
and every time the mass swings in another plane.

Source: P. Lynch, Resonant motions of the three-dimensional elastic pendulum, Int. J. Non-Linear Mech. 37 (2002) 345-367.
Truth: the same motion in Cartesian coordinates by SciPy's DOP853 with tight tolerances.
Usage: python3 elastic_pendulum.py [DURATION]
"""
from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

m, l, g, k = 1.0, 1.0, np.pi**2, 4 * np.pi**2  # kg, m, m/s^2, N/m: it swings in 2 s and bounces in 1 s
l0 = l - m * g / k  # m: the spring without load


def lagrangian(z: NDArray[Any], v: NDArray[Any]) -> Any:
    r, q, rdot, qdot = z[0], z[1:], v[0], v[1:]
    return m / 2 * (rdot**2 + r**2 * (qdot @ qdot)) - m * g * r * q[2] - k / 2 * (r - l0) ** 2


def cartesian(t: float, y: NDArray[np.float64]) -> NDArray[np.float64]:
    r = np.linalg.norm(y[:3])
    return np.concatenate([y[3:], -k / m * (1 - l0 / r) * y[:3] - [0, 0, g]])


duration, h = float(sys.argv[1]) if len(sys.argv) > 1 else 125.0, 0.05
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ph.CostWarning)  # it says that derivatives by hand would be faster
    system = ph.System([ph.R(1), ph.S2], lagrangian=lagrangian, symmetries=[ph.Symmetry("Jz", axis=(0, 0, 1))])

x0, v0 = np.array([0.04, 0, -l + 0.08]), np.array([0, 0.034, 0])
r0 = np.linalg.norm(x0)
q0, rdot0 = x0 / r0, x0 @ v0 / r0
integrator = ph.Integrator(system, "gauss", step=h)
state = integrator.state([[r0], q0], [[rdot0], (v0 - rdot0 * q0) / r0])
J0, E0 = system.momentum_map("Jz", state.z, state.p), sum(system.energy(state.z, state.v))

t = h * np.arange(round(duration / h) + 1)
x = np.empty((t.size, 3))
for i in range(t.size):
    x[i] = state.z[0] * state.z[1:]
    if i < t.size - 1:
        integrator.step(state)
J, E = system.momentum_map("Jz", state.z, state.p), sum(system.energy(state.z, state.v))

truth = solve_ivp(cartesian, (0, t[-1]), np.concatenate([x0, v0]), method="DOP853", rtol=1e-12, atol=1e-13, t_eval=t).y[:3].T
error = np.abs(x - truth).max()
print(f"after {t[-1]:g} s: off by {error:.1e} m, energy by {E - E0:.1e} J, Jz by {J - J0:.1e} kg m^2/s")
assert error < 1e-4 and abs(J - J0) < 1e-13

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (above, side) = plt.subplots(2, 1, figsize=(3.4, 4.6), height_ratios=[2.6, 1])
track = LineCollection(np.stack([x[:-1, :2], x[1:, :2]], axis=1) * 100, array=t[:-1], cmap="viridis", lw=0.7, capstyle="round")
above.add_collection(track)
above.autoscale()
above.set(xlabel="$x$ (cm)", ylabel="$y$ (cm)", aspect="equal")
figure.colorbar(track, ax=above, label="time (s)", aspect=30)
side.plot(t, 100 * np.hypot(x[:, 0], x[:, 1]), lw=0.7, label=r"swing, $\sqrt{x^2 + y^2}$")
side.plot(t, 100 * (x[:, 2] + l), lw=0.7, label="bounce, $z + l$")
side.set(xlabel="time (s)", ylabel="displacement (cm)", xlim=(0, t[-1]))
side.legend(ncol=2, loc="lower center", bbox_to_anchor=(0.5, 0.98))
figure.savefig("elastic_pendulum.svg")
figure.savefig("elastic_pendulum.png")
