# SPDX-License-Identifier: BSD-3-Clause
"""Spins: a magnetic skyrmion is relaxed by damping, and then breathes without losing its energy or its topological charge.

Unit vectors s_i on a periodic square lattice (constant 1, spins and J of magnitude 1) with exchange, the interaction of
Dzyaloshinskii and Moriya along the bonds, and a field B along e3 have the energy

    H = -J sum s_i . s_j + D sum e_ij . (s_i x s_j) - B sum s_i3,      s_i' = dH/ds_i x s_i  (and a damping).

The configuration space is (S^2)^n as a phase space: there are no momenta. The topological charge is the solid angle that the
spins cover, divided by 4 pi; for a skyrmion in a field along e3 it is -1.

Sources: A. Bogdanov, A. Hubert, J. Magn. Magn. Mater. 138 (1994) 255-269; B. Berg, M. Luescher, Nucl. Phys. B 190 (1981)
412-424 (charge on a lattice); R. I. McLachlan, K. Modin, O. Verdier, Phys. Rev. E 89 (2014) 061301 (spherical midpoint).
Truth: the same equations with NumPy's roll by SciPy's DOP853; the charge is an integer.
Usage: python3 skyrmion.py [SIDE]
"""
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

Field = NDArray[np.float64]
side = int(sys.argv[1]) if len(sys.argv) > 1 else 24
J, D, B = 1.0, 0.5, 0.18
number = np.arange(side**2).reshape(side, side)
right, above = np.roll(number, -1, axis=0).ravel(), np.roll(number, -1, axis=1).ravel()


# %% The system, and its topological charge
def lattice(B: float, damping: float) -> ph.System:
    bonds = [kind for axis, second in (([1, 0, 0], right), ([0, 1, 0], above))
             for kind in (ph.Bonds("exchange", number.ravel(), second, J), ph.Bonds("twist", number.ravel(), second, D, axis))]
    return ph.System(spins=ph.Spins(side**2, bonds=bonds, field=[0, 0, B], damping=damping or None))


def solid_angle(a: Field, b: Field, c: Field) -> Field:
    """The oriented solid angles of spherical triangles."""
    volume, sides = (a * np.cross(b, c)).sum(axis=-1), (a * b + b * c + c * a).sum(axis=-1)
    return np.asarray(2 * np.arctan2(volume, 1 + sides))


def charge(s: Field) -> float:
    corner = s[np.roll(number, (-1, -1), axis=(0, 1)).ravel()]
    return float((solid_angle(s, s[right], corner) + solid_angle(s, corner, s[above])).sum() / (4 * np.pi))


# %% The same equations by hand, for SciPy
def landau_lifshitz(_: float, y: Field) -> Field:
    s = y.reshape(side, side, 3)
    gradient = np.zeros_like(s)
    for axis, e in ((0, np.array([1.0, 0, 0])), (1, np.array([0, 1.0, 0]))):
        after, before = np.roll(s, -1, axis), np.roll(s, 1, axis)
        gradient += -J * (after + before) + D * np.cross(after - before, e)
    gradient[..., 2] -= B
    return np.asarray(np.cross(gradient, s)).ravel()


# %% A reversed disk of radius 6 relaxes by damping
x = np.arange(side) - (side - 1) / 2
X, Y = np.meshgrid(x, x, indexing="ij")
theta, phi = np.pi * np.clip(1 - np.hypot(X, Y) / 6, 0, 1), np.arctan2(Y, X)
start = np.stack([np.sin(theta) * np.sin(phi), -np.sin(theta) * np.cos(phi), np.cos(theta)], axis=-1).reshape(-1, 3)
damped = lattice(B, damping=0.5)
integrator = ph.Integrator(damped, "spherical-midpoint", step=0.1)
state = integrator.state(start)
integrator.step(state, 2000)
rest = state.z.reshape(-1, 3).copy()
torque = np.abs(damped.spins.torque(rest)).max()

# %% The field falls by a fifth, and the skyrmion breathes, without damping
system, h, n = lattice(0.8 * B, damping=0), 0.1, 1500
integrator = ph.Integrator(system, "spin-splitting", step=h, order=4)
state = integrator.state(rest)
t, area, H, Q = h * np.arange(n + 1), np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
for i in range(n + 1):
    s = state.z.reshape(-1, 3)
    area[i], H[i], Q[i] = (1 - s[:, 2]).sum() / 2, system.spins.energy(s), charge(s)
    if i == 100:
        early = s.copy()
    integrator.step(state)
B *= 0.8
truth = solve_ivp(landau_lifshitz, (0, t[100]), rest.ravel(), method="DOP853", rtol=1e-9, atol=1e-10).y[:, -1].reshape(-1, 3)
error = np.abs(early - truth).max()
print(f"relaxed to a torque of {torque:.1e}; charge {charge(rest):.12f}, later at most {np.abs(Q + 1).max():.1e} off -1")
print(f"energy within {np.ptp(H) / abs(H[0]):.1e}; at t = {t[100]:g} spins are {error:.1e} from those of DOP853")
assert torque < 1e-8 and np.abs(Q + 1).max() < 1e-9 and np.ptp(H) < 1e-5 * abs(H[0]) and error < 1e-4

# %% The figure
plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (picture, breath) = plt.subplots(2, 1, figsize=(3.4, 4.6), height_ratios=[2.4, 1])
s = rest.reshape(side, side, 3)
image = picture.imshow(s[..., 2].T, origin="lower", cmap="coolwarm", vmin=-1, vmax=1, extent=(-side / 2, side / 2) * 2)
picture.quiver(X, Y, s[..., 0], s[..., 1], pivot="mid", scale=1.1 * side, width=0.005)
figure.colorbar(image, ax=picture, label="$s_3$", ticks=[-1, 0, 1], shrink=0.8)
picture.set(xlabel="$x$ (lattice constants)", ylabel="$y$ (lattice constants)")
breath.plot(t, np.sqrt(area / np.pi))
breath.set(xlabel="time ($1/J$)", ylabel="radius", xlim=(0, t[-1]))
figure.savefig("skyrmion.svg")
figure.savefig("skyrmion.png")
