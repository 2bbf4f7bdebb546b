# SPDX-License-Identifier: BSD-3-Clause
"""The free rigid body: 10^5 steps stay on the polhodes, and agree with Jacobi's solution.

The configuration is the attitude R in SO(3). In the frame of the body the angular momentum M follows Euler's equations,

    M' = M x I^-1 M,

on the sphere |M| = const and on a level of the energy H = M . I^-1 M / 2. Where both meet is a polhode (Poinsot 1834). The
separatrix through the middle axis divides rotations about the largest and about the smallest moment of inertia.

Source: E. Hairer and G. Vilmart, Preprocessed discrete Moser-Veselov algorithm for the full dynamics of a rigid body,
J. Phys. A 39 (2006) 13225-13235: the method, here of order 10, and the moments of inertia.
Truth: M(t) in closed form by Jacobi's elliptic functions.
Usage: python3 rigid_body.py [STEPS]
"""
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.special import ellipj

import polhode as ph

Vector = NDArray[np.float64]
I = np.array([0.6, 0.8, 1.0])  # kg m^2


def closed_form(M0: Vector, t: float) -> Vector:
    """M(t) of M(0) = M0 = (a, 0, c) with a, c > 0."""
    (a, _, c), (A, B, C) = M0, I
    E2, L2 = M0 @ (M0 / I), M0 @ M0
    if E2 * B > L2:  # about the axis of the smallest moment
        rate = np.sqrt((E2 * C - L2) * (B - A) / (A * B * C))
        sn, cn, dn, _ = ellipj(rate * t, (C - B) * (L2 - E2 * A) / ((B - A) * (E2 * C - L2)))
        return np.array([a * dn, np.sqrt(B * (L2 - E2 * A) / (B - A)) * sn, c * cn])
    rate = np.sqrt((L2 - E2 * A) * (C - B) / (A * B * C))
    sn, cn, dn, _ = ellipj(rate * t, (B - A) * (E2 * C - L2) / ((C - B) * (L2 - E2 * A)))
    return np.array([a * cn, np.sqrt(B * (E2 * C - L2) / (C - B)) * sn, c * dn])


steps, h = int(sys.argv[1]) if len(sys.argv) > 1 else 100000, 0.1  # s
angle = np.radians([8, 19, 30, 39.2, 46.8, 54.8, 62, 71, 82])  # of M(0) from the axis of the smallest moment; 50.8 is the separatrix
M0 = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)  # kg m^2/s
system = ph.System([ph.SO3], inertia=[I])
bodies = ph.Ensemble(ph.Integrator(system, "moser-veselov", step=h, order=10), np.tile(np.eye(3).ravel(), (angle.size, 1)), p=M0)

H0 = (M0**2 / I).sum(axis=1) / 2
count = np.unique(np.geomspace(1, steps, 300).astype(int))
M, energy, error = [], [], []
for n, last in zip(count, [0, *count]):
    bodies.step(int(n - last))
    M.append(bodies.p)
    energy.append(np.abs((M[-1] ** 2 / I).sum(axis=1) / 2 / H0 - 1).max())
    error.append(max(np.abs(m - closed_form(m0, n * h)).max() for m, m0 in zip(M[-1], M0)))
in_space = np.einsum("nij,nj->ni", bodies.z.reshape(-1, 3, 3), bodies.p)
print(f"after {steps} steps: energy off by {energy[-1]:.1e}, M in space by {np.abs(in_space - M0).max():.1e}, "
      f"M in the body by {error[-1]:.1e}")
assert energy[-1] < 1e-12 and error[-1] < 1e-8

# The half of the sphere that is seen from this side: there M is a function of the place on the page.
view = np.array([0.58, 0.65, 0.49])
right = np.array([-view[1], view[0], 0]) / np.hypot(view[0], view[1])
up = np.cross(view, right) / np.linalg.norm(view)
view = np.cross(right, up)
X, Y = np.meshgrid(*2 * [np.linspace(-1, 1, 801)])
depth = np.sqrt(np.maximum(1 - X**2 - Y**2, 0))
H = sum(((X * right[i] + Y * up[i] + depth * view[i]) ** 2 / I[i] for i in range(3)), np.zeros_like(X)) / 2
H[X**2 + Y**2 > 1] = np.nan

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (sphere, growth) = plt.subplots(2, 1, figsize=(3.4, 4.9), height_ratios=[2.6, 1])
sphere.add_patch(plt.Circle((0, 0), 1, fc="0.97", ec="0.5", lw=0.6))
sphere.contour(X, Y, H, levels=np.sort(H0), colors="0.45", linewidths=0.6)
sphere.contour(X, Y, H, levels=[0.5 / I[1]], colors="C1", linewidths=1)
for j in range(angle.size):
    seen = np.array([m[j] for m in M if m[j] @ view > 0])
    sphere.plot(seen @ right, seen @ up, ".", ms=2.2, color="C0")
for i, axis in enumerate(np.eye(3)):
    sphere.annotate(f"$M_{i + 1}$", (axis @ right, axis @ up), (1.5 * axis @ right, 1.5 * axis @ up), ha="center", va="center",
                    arrowprops={"arrowstyle": "<-", "lw": 0.8, "shrinkA": 1, "shrinkB": 0})
sphere.set(xlim=(-1.15, 1.15), ylim=(-1.02, 1.4), aspect="equal")
sphere.axis("off")
growth.loglog(count, error, ".", ms=2, label="$M$ against the closed form")
growth.loglog(count, np.maximum(energy, 1e-17), ".", ms=2, label="energy")
growth.set(xlabel="steps", ylabel="relative error")
growth.legend()
figure.savefig("rigid_body.svg")
figure.savefig("rigid_body.png")
