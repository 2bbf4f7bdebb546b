# SPDX-License-Identifier: BSD-3-Clause
"""A first run: the double spherical pendulum, its path, and errors that do not grow.

Two masses hang on massless links, the directions of which are unit vectors q1, q2: the configuration space is S^2 x S^2 and

    L = 1/2 m1 |x1'|^2 + 1/2 m2 |x2'|^2 + m1 g . x1 + m2 g . x2,     x1 = l1 q1,  x2 = x1 + l2 q2.

A model of the catalogue has this Lagrangian and its initial conditions. The variational method of order 8 keeps the angular
momentum about the vertical to rounding; the error of the energy stays small for any time.

Source: T. Lee, M. Leok, N. H. McClamroch, Lagrangian mechanics and variational integrators on two-spheres, Int. J. Numer.
Meth. Engng. 79 (2009) 1147-1174, section V.
Truth: q1 and q2 at 10 s from Taylor series of order 36 in quadruple precision.
Usage: python3 first_run.py [DURATION]
"""
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import polhode as ph

truth = np.array([[-0.8318075677671687528647, 0.4701953010398401272199, 0.2949788959999021363754],
                  [-0.235399374202968783992, -0.5731963138990128627641, 0.7848777741517687976913]])

duration = float(sys.argv[1]) if len(sys.argv) > 1 else 200.0  # s
run = ph.run(model="double-spherical-pendulum", method="variational", order=8, step=0.05, duration=duration, every=1)
print(run)

error = np.abs(run.q[run.t == 10.0][0] - truth).max()
energy, Jz = run.energy_error / abs(run.energy[0]), run.momentum[:, 0] / run.momentum[0, 0] - 1
print(f"at 10 s directions are off by {error:.1e}; until {duration:g} s the energy is off by {np.abs(energy).max():.1e}, "
      f"the angular momentum by {np.abs(Jz).max():.1e}, the length of q by {run.constraint_error.max():.1e}")
assert error < 1e-7 and np.abs(energy).max() < 1e-6 and np.abs(Jz).max() < 1e-13

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (path, growth) = plt.subplots(2, 1, figsize=(3.4, 4.8), height_ratios=[2, 1])
for i, place in enumerate(run["positions"].swapaxes(0, 1)):  # (masses, rows, 3)
    path.plot(place[:, 0], place[:, 1], lw=0.5, color=f"C{i}", label=f"mass {i + 1}", zorder=-i)
path.set(xlabel="$x$ (m)", ylabel="$y$ (m)", aspect="equal")
path.legend(ncol=2, loc="lower center", bbox_to_anchor=(0.5, 0.97))
growth.semilogy(run.t[1:], np.abs(energy[1:]), ".", ms=1, label="energy")
growth.semilogy(run.t[1:], np.abs(Jz[1:]), ".", ms=1, label="angular momentum")
growth.set(xlabel="time (s)", ylabel="relative error", xlim=(0, duration))
growth.legend(ncol=2, loc="lower center", bbox_to_anchor=(0.5, 0.97), markerscale=4)
figure.savefig("first_run.svg")
figure.savefig("first_run.png")
