# SPDX-License-Identifier: BSD-3-Clause
"""Rotations of R^3, one at a time: ``polhode.rotations.exp(w)``. Matrices R (3, 3) turn from the body to space; w (3,) is a rotation
vector [rad], R = exp(S(w)) with the hat map S(w) x = w x x.

Examples
--------
>>> import numpy as np
>>> from polhode import rotations
>>> R = rotations.exp([0, 0, np.pi / 2])
>>> np.round(R @ [1, 0, 0], 12)
array([0., 1., 0.])
>>> bool(np.allclose(rotations.log(R), [0, 0, np.pi / 2]))
True
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Array, ArrayLike, Error, doubles, pointer, room
from ._polhode import lib

__all__ = ["cayley", "correct", "dexp", "exp", "from_quaternion", "hat", "log", "project", "quaternion", "vee"]


def _finite(name: str, value: ArrayLike, shape: Any) -> Array:
    array = doubles(name, value, shape)
    if not np.all(np.isfinite(array)):
        raise Error(f"{name} has a number that is not finite", "PH_E_NOT_FINITE")
    return array


def _rotation(R: ArrayLike) -> Array:
    R0 = _finite("R", R, (3, 3))
    if not np.allclose(R0.T @ R0, np.eye(3), atol=1e-9) or np.linalg.det(R0) < 0:
        raise Error("R is not a rotation; `project` gives the nearest one", "PH_E_NOT_ON_MANIFOLD")
    return R0


def hat(w: ArrayLike) -> Array:
    """S(w) (3, 3), S(w) x = w x x (``ph_hat3``)."""
    w0, S = doubles("w", w, 3), np.empty((3, 3))
    lib.ph_hat3(pointer(w0), room(S))
    return S


def vee(A: ArrayLike) -> Array:
    """w (3,) with S(w) = (A - A^T)/2 (``ph_vee3``)."""
    A0, w = doubles("A", A, (3, 3)), np.empty(3)
    lib.ph_vee3(pointer(A0), room(w))
    return w


def exp(w: ArrayLike) -> Array:
    """exp(S(w)) (3, 3): the rotation about w by |w| (``ph_exp3``)."""
    w0, R = _finite("w", w, 3), np.empty((3, 3))
    lib.ph_exp3(pointer(w0), room(R))
    return R


def log(R: ArrayLike) -> Array:
    """The shortest w (3,) with exp(S(w)) = R (``ph_log3``). PH_E_NO_SOLUTION by half a turn, where its sign is not defined."""
    R0, w = _rotation(R), np.empty(3)
    if not lib.ph_log3(pointer(R0), room(w)):
        raise Error("R is by half a turn: the sign of its rotation vector is not defined", "PH_E_NO_SOLUTION")
    return w


def dexp(w: ArrayLike, u: ArrayLike) -> Array:
    """T(w) u (3,): d/ds exp(S(w + s u)) = exp(S(w)) S(T(w) u) at s = 0 (``ph_dexp3``)."""
    w0, u0, v = _finite("w", w, 3), _finite("u", u, 3), np.empty(3)
    lib.ph_dexp3(pointer(w0), pointer(u0), room(v))
    return v


def cayley(u: ArrayLike) -> Array:
    """(I + S(u)) (I - S(u))^{-1} (3, 3): the rotation about u by 2 atan|u| (``ph_cayley3``)."""
    u0, R = _finite("u", u, 3), np.empty((3, 3))
    lib.ph_cayley3(pointer(u0), room(R))
    return R


def quaternion(R: ArrayLike) -> Array:
    """The unit quaternion (w, x, y, z) of R, its first component that is not 0 positive (``ph_rotation_quaternion``)."""
    R0, q = _rotation(R), np.empty(4)
    lib.ph_rotation_quaternion(pointer(R0), room(q))
    return q


def from_quaternion(q: ArrayLike) -> Array:
    """The rotation (3, 3) of a quaternion (w, x, y, z) of any length but 0: the Cayley map of (x, y, z)/w, continued."""
    q0 = _finite("q", q, 4)
    scale = float(np.max(np.abs(q0)))
    if scale == 0:
        raise Error("q is 0; it must have a length", "PH_E_RANGE")
    w, v = q0[0] / scale, q0[1:] / scale
    S = hat(v)
    return np.asarray(np.eye(3) + 2 * (w * S + S @ S) / (w * w + v @ v))


def correct(R: ArrayLike) -> Array:
    """R (3, 3), within rounding of a rotation, brought back to the rotations without bias (``ph_rotation_correct3``)."""
    R0 = _rotation(R).copy()
    lib.ph_rotation_correct3(room(R0))
    return R0


def project(A: ArrayLike) -> Array:
    """The rotation (3, 3) nearest to a matrix A (``ph_space_project`` of SO3)."""
    from ._space import SO3, Space

    return Space(SO3).project(doubles("A", A, (3, 3)).ravel()).reshape(3, 3)
