# SPDX-License-Identifier: BSD-3-Clause
"""An animation with Matplotlib: a chain of 20 links that is let go from a horizontal line.

Point masses m_i at the ends of massless links of length l in a plane, on (S^1)^20. With the angles a_i of the links from hanging
and M_ij = sum of m_k, k >= max(i, j),

    sum_j M_ij l (a_j'' cos(a_i - a_j) + a_j'^2 sin(a_i - a_j)) + M_ii g sin a_i = 0.

One run gives the places of all masses at evenly spaced times; a FuncAnimation moves them. The figure shows the same as a
stroboscope does.

Source: B. Fritzkowski, H. Kaminski, Dynamics of a rope modeled as a discrete system with extensible members, Comput. Mech. 44
(2009) 473-480 (the rigid limit).
Truth: the equation above by SciPy's DOP853 until the chain has fallen.
Usage: python3 animation.py [FRAMES]
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, List

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

Vector = NDArray[np.float64]
n, l, m, g = 20, 0.05, 0.02, 9.81  # links, m, kg, m/s^2
frames, rate = int(sys.argv[1]) if len(sys.argv) > 1 else 60, 50  # pictures per second of the motion


def in_angles(t: float, y: Vector) -> Vector:
    a, adot = y[:n], y[n:]
    M = m * (n - np.maximum(*np.indices((n, n))))
    difference = a[:, None] - a
    force = -M * np.sin(difference) @ adot**2 * l - np.diag(M) * g * np.sin(a)
    return np.append(adot, np.linalg.solve(M * np.cos(difference) * l, force))


run = ph.run(model="planar-chain", parameters={"masses": [m] * n, "lengths": [l] * n, "gravity": g}, preset="horizontal",
             method="variational", order=6, step=0.0005, duration=frames / rate, interval=1 / rate)
places = np.concatenate([np.zeros((len(run), 1, 3)), run["positions"]], axis=1)  # (rows, masses, 3)

early = min(0.4, run.t[-1])
row = int(round(early * rate))
truth = solve_ivp(in_angles, (0, early), np.append(np.full(n, np.pi / 2), np.zeros(n)), method="DOP853", rtol=1e-10, atol=1e-10)
a = truth.y[:n, -1]
error = np.abs(run.q[row] - np.stack([np.sin(a), -np.cos(a)], axis=1)).max()
energy = np.abs(run.energy_error / (n * m * g * n * l)).max()
print(f"{len(run)} pictures; at {early:g} s directions are within {error:.1e} of DOP853's; energy within {energy:.1e} of m g L")
assert error < 1e-6 and energy < 1e-3

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, axes = plt.subplots(figsize=(3.4, 2.5))
axes.set(xlabel="$x$ (m)", ylabel="$y$ (m)", xlim=(-1.05, 1.1), ylim=(-1.1, 0.2), aspect="equal")
chain, = axes.plot([], [], "o-", ms=2)
clock = axes.text(0.03, 0.95, "", transform=axes.transAxes)


def draw(i: int) -> List[Any]:
    chain.set_data(places[i, :, 0], places[i, :, 1])
    clock.set_text(f"{run.t[i]:.2f} s")
    return [chain, clock]


film = FuncAnimation(figure, draw, frames=len(run), blit=True)
film.save("animation.gif", writer=PillowWriter(fps=25), dpi=100)

chain.remove()
clock.remove()
shades = plt.get_cmap("viridis")
for i in range(0, len(run), 3):
    axes.plot(places[i, :, 0], places[i, :, 1], "-", lw=0.7, color=shades(run.t[i] / run.t[-1]))
axes.plot(places[:, -1, 0], places[:, -1, 1], ":", lw=0.8, color="0.4")
scale = plt.cm.ScalarMappable(plt.Normalize(0, run.t[-1]), shades)
figure.colorbar(scale, ax=axes, label="time (s)", shrink=0.75)
figure.savefig("animation.svg")
figure.savefig("animation.png")
