# SPDX-License-Identifier: BSD-3-Clause
"""A quadrotor under feedback that is written in Python: geometric tracking control on SE(3) along a helix.

The configuration is the position x in R^3 and the attitude R in SO(3); the rotors give a thrust f along the body's third axis
and a moment M. With e = x - x_d(t), and e3 upwards, the controller takes

    F = -k_x e - k_v e' + m (g e3 + x_d''),     f = F . R e3,
    M = -k_R e_R - k_W e_W + W x J W - J (W x R^T R_c W_c - R^T R_c W_c'),

where the third axis of the attitude R_c is along F, and e_R, e_W are the errors of attitude and angular velocity. It is a
function of t, z and v, the generalized force of a polhode.System.

Source: T. Lee, M. Leok, N. H. McClamroch, Geometric tracking control of a quadrotor UAV on SE(3), 49th IEEE CDC (2010), case I.
Truth: Newton's and Euler's equations of the same closed loop by SciPy's DOP853.
Usage: python3 quadrotor.py [DURATION]
"""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Tuple

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import polhode as ph

Vector = NDArray[np.float64]
m, J, g = 4.34, np.array([0.0820, 0.0845, 0.1377]), 9.81  # kg, kg m^2, m/s^2
k_x, k_v, k_R, k_W = 16 * m, 5.6 * m, 8.81, 2.54
e3 = np.array([0.0, 0.0, 1.0])


# %% The helix, and derivatives of vectors
def wave(t: float, rates: Vector, amplitudes: Vector, phases: Vector) -> Vector:
    """A sin(w t + phase) and its derivatives up to the fourth, one a row."""
    n = np.arange(5)[:, None]
    return np.asarray(amplitudes * rates**n * np.sin(rates * t + phases + n * np.pi / 2))


def helix(t: float) -> Vector:
    """x_d and its four derivatives: a helix about e1 with a pitch of 0.8 m."""
    d = wave(t, np.array([np.pi] * 3), np.array([0, 0.4, -0.6]), np.array([0, 0, np.pi / 2]))
    d[:2, 0] = 0.4 * t, 0.4
    return d


def unit(a: Vector) -> Vector:
    """a / |a| with two derivatives, of a with two."""
    n = np.linalg.norm(a[0])
    u = a[0] / n
    du = (a[1] - u * (u @ a[1])) / n
    return np.array([u, du, (a[2] - 2 * du * (u @ a[1]) - u * (du @ a[1] + u @ a[2])) / n])


def cross(a: Vector, b: Vector) -> Vector:
    """a x b with two derivatives."""
    c = np.cross
    return np.array([c(a[0], b[0]), c(a[1], b[0]) + c(a[0], b[1]), c(a[2], b[0]) + 2 * c(a[1], b[1]) + c(a[0], b[2])])


def vee(S: Vector) -> Vector:
    """The vector of the skew part."""
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2


# %% The controller, as a force
def controller(t: float, x: Vector, v: Vector, R: Vector, W: Vector) -> Tuple[float, Vector]:
    """Thrust f [N] and moment M [N m]."""
    d = helix(t)
    b3, db3 = R[:, 2], R @ np.cross(W, e3)
    F = -k_x * (x - d[0]) - k_v * (v - d[1]) + m * (g * e3 + d[2])
    f = F @ b3
    a = f * b3 / m - g * e3
    dF = -k_x * (v - d[1]) - k_v * (a - d[2]) + m * d[3]
    da = ((dF @ b3 + F @ db3) * b3 + f * db3) / m
    ddF = -k_x * (a - d[2]) - k_v * (da - d[3]) + m * d[4]
    c3 = unit(np.array([F, dF, ddF]))
    heading = wave(t, np.array([np.pi] * 3), np.array([1, 1, 0]), np.array([np.pi / 2, 0, 0]))[:3]
    c2 = unit(cross(c3, heading))
    Rc, dRc, ddRc = np.stack([cross(c2, c3), c2, c3], axis=-1)
    Wc, Q = vee(Rc.T @ dRc), R.T @ Rc
    dWc = vee(Rc.T @ ddRc)  # the skew part of R^T R'' is the angular acceleration
    eR, eW = vee(Rc.T @ R), W - Q @ Wc
    return f, -k_R * eR - k_W * eW + np.cross(W, J * W) - J * (np.cross(W, Q @ Wc) - Q @ dWc)


def force(t: float, z: Vector, v: Vector) -> Vector:
    """The generalized force of the rotors, as polhode takes it."""
    R, Rdot = z[3:].reshape(3, 3), v[3:].reshape(3, 3)
    f, M = controller(t, z[:3], v[:3], R, vee(R.T @ Rdot))
    return np.concatenate([f * R[:, 2], ph.moment(R, M).ravel()])


def newton_euler(t: float, y: Vector) -> Vector:
    """The same by hand, for SciPy: x, v, R, W."""
    R, W = y[6:15].reshape(3, 3), y[15:]
    f, M = controller(t, y[:3], y[3:6], R, W)
    return np.concatenate([y[3:6], f * R[:, 2] / m - g * e3, (np.cross(R, W)).ravel(), (M - np.cross(W, J * W)) / J])


# %% The flight
duration, h = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0, 0.005  # s
system = ph.System([ph.R(3), ph.SO3], inertia=[m, J], potential=lambda z: m * g * z[2],
                   gradient=lambda z: np.concatenate([m * g * e3, np.zeros(9)]), force=force)
roll = np.radians(178)  # it starts upside down
R0 = np.array([[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]])
integrator = ph.Integrator(system, "cf4", step=h)
state = integrator.state([np.zeros(3), R0], [np.zeros(3), np.zeros((3, 3))])
t = h * np.arange(round(duration / h) + 1)
z = np.empty((t.size, 12))
for i in range(t.size):
    z[i] = state.z
    if i < t.size - 1:
        integrator.step(state)
x, R = system.space.split(z)
target = np.array([helix(s)[0] for s in t])
distance = np.linalg.norm(x - target, axis=1)

# %% The same flight by SciPy
y0 = np.concatenate([np.zeros(6), R0.ravel(), np.zeros(3)])
truth = solve_ivp(newton_euler, (0, t[-1]), y0, method="DOP853", rtol=1e-9, atol=1e-11).y[:3, -1]
print(f"after {t[-1]:g} s: {distance[-1]:.1e} m from the helix; DOP853 is {np.abs(x[-1] - truth).max():.1e} m away; "
      f"R^T R - 1 is at most {np.abs(R.transpose(0, 2, 1) @ R - np.eye(3)).max():.1e}")
assert np.abs(x[-1] - truth).max() < 1e-6 and distance[-1] < 0.6 * np.exp(-1.2 * (t[-1] - 1.5))

# %% The figure
plt.style.use(Path(__file__).with_name("journal.mplstyle"))
figure, (path, decay) = plt.subplots(2, 1, figsize=(3.4, 4), height_ratios=[1.5, 1])
page = np.array([[0.87, 0.17], [0.5, -0.3], [0, 0.94]])  # a view from the side and above
path.plot(*(target @ page).T, "--", color="0.6", lw=0.8, label="helix")
path.plot(*(x @ page).T, lw=0.8, label="flight")
for i in range(0, t.size, max(round(0.3 / h), 1)):
    arms = x[i] + 0.12 * np.array([[1, 1, 0], [-1, -1, 0], [np.nan] * 3, [1, -1, 0], [-1, 1, 0]]) @ R[i].T
    path.plot(*(arms @ page).T, color="C1")
    path.plot(*(np.array([x[i], x[i] + 0.18 * R[i, :, 2]]) @ page).T, color="C2", lw=0.8)
for i, axis in enumerate(0.5 * page):
    path.annotate(f"$x_{i + 1}$", (-0.9, 0.75), np.add((-0.9, 0.75), 1.25 * axis), ha="center", va="center", fontsize=7,
                  arrowprops={"arrowstyle": "<-", "lw": 0.6, "shrinkA": 3, "shrinkB": 0})
path.text(-0.55, 1.05, "0.5 m each", fontsize=7)
path.set(aspect="equal", xlim=(-1, 2.6), ylim=(-0.7, 1.35))
path.axis("off")
path.legend(loc="lower right")
decay.semilogy(t, distance)
decay.set(xlabel="time (s)", ylabel="distance from the helix (m)", xlim=(0, t[-1]))
figure.savefig("quadrotor.svg")
figure.savefig("quadrotor.png")
