# SPDX-License-Identifier: BSD-3-Clause
"""Parameters from measurements: moments of inertia of a tumbling body from a noisy gyroscope, by scipy.optimize.

A body that is thrown about its middle axis turns over again and again. When it does depends on the ratios a = I1/I3 and
b = I2/I3 of its moments of inertia in Euler's equations

    I w' = (I w) x w,

so that the angular velocity w(t), measured with noise, determines them. Nonlinear least squares fit a, b and w(0); their
covariance is sigma^2 (J^T J)^-1.

Source: R. I. Jennrich, Asymptotic properties of non-linear least squares estimators, Ann. Math. Statist. 40 (1969) 633-643.
Truth: the measurements are made from Euler's equations by SciPy's DOP853, with noise on top; without noise the fit has to
return the parameters that they were made with.
Usage: python3 fit_parameters.py [SAMPLES]
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

import polhode as ph

Vector = NDArray[np.float64]
truth = np.array([0.45, 0.80, 0.5, 3.0, 0.3])  # I1/I3, I2/I3, w(0) in rad/s
sigma, h = 0.15, 0.05  # noise (rad/s) and interval (s) of the gyroscope
t = h * np.arange(int(sys.argv[1]) if len(sys.argv) > 1 else 300)


def rates(x: Vector, samples: int) -> Vector:
    """The angular velocities (samples, 3) of a body with the parameters x."""
    I, w0 = np.append(x[:2], 1.0), x[2:]
    body = ph.Integrator(ph.System([ph.SO3], inertia=[I]), "moser-veselov", step=h, order=6)
    state = body.state([np.eye(3)], p=I * w0)
    w = np.empty((samples, 3))
    for row in w:
        row[:] = state.p / I  # the momentum p on SO(3) is I w in the frame of the body
        body.step(state)
    return w


def fit(data: Vector) -> Any:
    """Least squares: first of the beginning, where a bad guess is not yet out of step with the body, then of more."""
    x = np.array([0.5, 0.75, *data[:5].mean(axis=0)])
    for samples in (len(data) // 8, len(data) // 2, len(data)):
        result = least_squares(lambda x: ((rates(x, samples) - data[:samples]) / sigma).ravel(), x, x_scale="jac",
                               bounds=([0.2, 0.2, -9, -9, -9], [1, 1, 9, 9, 9]), xtol=1e-10)
        x = result.x
    return result


def euler(_: float, w: Vector) -> Vector:
    I = np.append(truth[:2], 1.0)
    return np.asarray(np.cross(I * w, w) / I)


exact = solve_ivp(euler, (0, t[-1]), truth[2:], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=t).y.T
measured = exact + sigma * np.random.default_rng(1).normal(size=exact.shape)
clean, found = fit(exact), fit(measured)
covariance = np.linalg.inv(found.jac.T @ found.jac)
error, chi2 = np.sqrt(np.diag(covariance)), 2 * found.cost / (measured.size - truth.size)
for name, value, deviation, was in zip(("I1/I3", "I2/I3"), found.x, error, truth):
    print(f"{name} = {value:.4f} +- {deviation:.4f} (made with {was})")
print(f"chi^2 per degree of freedom {chi2:.2f}, {found.nfev} evaluations; without noise off by {np.abs(clean.x - truth).max():.1e}")
assert np.abs(clean.x - truth).max() < 1e-6 and np.all(np.abs(found.x - truth) < 4 * error) and 0.8 < chi2 < 1.25

plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (series, plane) = plt.subplots(2, 1, figsize=(3.4, 4.4))
w = rates(found.x, t.size)
for i in range(3):
    series.plot(t, measured[:, i], ".", ms=2, color=f"C{i}", alpha=0.6)
    series.plot(t, w[:, i], color=f"C{i}", label=rf"$\omega_{i + 1}$")
series.set(xlabel="time (s)", ylabel="angular velocity (rad/s)", xlim=(0, t[-1]))
series.legend(ncol=3, loc="lower center", bbox_to_anchor=(0.5, 0.97))
turn = np.linspace(0, 2 * np.pi, 200)
circle = np.linalg.cholesky(covariance[:2, :2]) @ [np.cos(turn), np.sin(turn)]
for probability, style in ((0.68, "-"), (0.95, "--")):
    plane.plot(*(found.x[:2, None] + np.sqrt(-2 * np.log(1 - probability)) * circle), style, color="C0", label=f"{probability:.0%}")
plane.plot(*found.x[:2], "o", color="C0", label="fit")
plane.plot(*truth[:2], "x", color="C1", ms=5, label="made with")
plane.set(xlabel="$I_1/I_3$", ylabel="$I_2/I_3$")
plane.locator_params(axis="x", nbins=4)
plane.legend(loc="center left", bbox_to_anchor=(1, 0.5))
figure.savefig("fit_parameters.svg")
figure.savefig("fit_parameters.png")
