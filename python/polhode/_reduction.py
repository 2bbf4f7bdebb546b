# SPDX-License-Identifier: BSD-3-Clause
"""Reduction by a rotation (``ph_reduction``), and the reduced system itself (``ph_routh``)."""
from __future__ import annotations

from typing import Any, Tuple, Union

import numpy as np

from ._core import Array, ArrayLike, Error, Fixed, check, create, doubles, new_error, number, passed, pointer, room
from ._polhode import ffi, lib
from ._system import System


class Reduction(Fixed):
    """A rotation that a system is invariant under, and what belongs to it.

    With zeta the velocity of the whole turning at unit rate: the momentum map J = zeta . MM v (``System.momentum_map``), the locked
    inertia I = zeta . MM zeta, the connection J / I, the amended potential U + mu^2 / (2 I).

    Parameters
    ----------
    system : System
    symmetry : str or int
        A rotation, by name or number.

    Examples
    --------
    >>> import polhode as ph
    >>> pendulum = ph.model("spherical-pendulum").system(mass=2, length=3)
    >>> turn = ph.Reduction(pendulum, pendulum.symmetries[0])
    >>> round(turn.locked_inertia([0.6, 0, -0.8]), 12)  # m (l sin theta)^2
    6.48
    """

    def __init__(self, system: System, symmetry: Union[int, str] = 0) -> None:
        if not isinstance(system, System):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        self.system = system
        self.number = system._symmetry(symmetry)
        self.name = system.symmetries[self.number]

    def _scratch(self) -> Any:
        return room(np.empty(max(int(lib.ph_reduction_work(self.system._c)), 1)))

    def generator(self, z: ArrayLike) -> Array:
        """zeta (nz,), the velocity at z of turning about the axis at the rate |axis| (``ph_reduction_generator``)."""
        z0, zeta = self.system.space.configuration(z), np.empty(self.system.space.ambient)
        check(lib.ph_reduction_generator(self.system._c, self.number, pointer(z0), room(zeta)))
        return zeta

    def locked_inertia(self, z: ArrayLike) -> float:
        """I(z) [kg m^2], that of the system with its joints locked (``ph_reduction_locked_inertia``)."""
        z0, out = self.system.space.configuration(z), ffi.new("double *")
        check(lib.ph_reduction_locked_inertia(self.system._c, self.number, pointer(z0), out, self._scratch()))
        return float(out[0])

    def locked_inertia_gradient(self, z: ArrayLike) -> Array:
        """A covector (nz,) whose tangent part is dI (``ph_reduction_locked_inertia_gradient``)."""
        z0, dI = self.system.space.configuration(z), np.empty(self.system.space.ambient)
        check(lib.ph_reduction_locked_inertia_gradient(self.system._c, self.number, pointer(z0), room(dI), self._scratch()))
        return dI

    def connection(self, z: ArrayLike, v: ArrayLike) -> float:
        """J / I [rad/s], the rate at which it turns as a whole (``ph_reduction_connection``)."""
        z0, v0 = self.system.space.configuration(z), self.system.space.configuration(v, "v")
        out, error = ffi.new("double *"), new_error()
        check(lib.ph_reduction_connection(self.system._c, self.number, pointer(z0), pointer(v0), out, self._scratch(), error), error)
        return float(out[0])

    def amended_potential(self, z: ArrayLike, mu: float) -> Tuple[float, Array]:
        """U + mu^2 / (2 I) [J] and a covector (nz,) whose tangent part is its derivative (``ph_reduction_amended_potential``)."""
        z0, out, dV = self.system.space.configuration(z), ffi.new("double *"), np.empty(self.system.space.ambient)
        error = new_error()
        check(lib.ph_reduction_amended_potential(self.system._c, self.number, pointer(z0), number("mu", mu), out, room(dV),
                                                 self._scratch(), error), error)
        return float(out[0]), dV

    def turn(self, angle: float, z: ArrayLike) -> Array:
        """A configuration or velocity (nz,), turned about the axis (``ph_routh_turn``)."""
        x = self.system.space.configuration(z).copy()
        lib.ph_routh_turn(self.system._c, self.number, number("angle", angle), room(x), room(np.empty(2 * max(x.size, 1))))
        passed()
        return x

    def turn_momentum(self, angle: float, p: ArrayLike) -> Array:
        """The same for a momentum (np,) (``ph_routh_turn_momentum``)."""
        turned = doubles("p", p, self.system.space.momenta).copy()
        lib.ph_routh_turn_momentum(self.system._c, self.number, number("angle", angle), room(turned))
        passed()
        return turned


class ReducedSystem(System):
    """A system seen from a frame that turns such that the motion in it is horizontal: what ``routh`` returns.

    Attributes
    ----------
    whole : System
    all_rotations : bool
        Is it reduced by SO(3): about the angular momentum, which ``reduce`` turns along the third axis?
    """

    whole: System
    all_rotations: bool

    def reduce(self, q: ArrayLike, v: ArrayLike, phi: float = 0.0) -> Tuple[Array, Array]:
        """(r, phi) and its velocity (nz + 1,) of the motion (q, v) of the whole, from the frame at phi (``ph_routh_reduce``,
        ``ph_routh_align``)."""
        whole, error = self.whole.space, new_error()
        q0, v0 = whole.configuration(q).copy(), whole.configuration(v, "v").copy()
        if self.all_rotations:
            scratch = np.empty(max(int(lib.ph_reduction_work(self.whole._c)), 1))
            check(lib.ph_routh_align(self.whole._c, room(q0), room(v0), room(scratch), error), error)
        z, zdot = np.empty(whole.ambient + 1), np.empty(whole.ambient + 1)
        check(lib.ph_routh_reduce(self._c, pointer(q0), pointer(v0), number("phi", phi), room(z), room(zdot), self._scratch(), error),
              error)
        return z, zdot

    def reconstruct(self, z: ArrayLike, v: ArrayLike) -> Tuple[Array, Array]:
        """The motion (q, v) (nz,) of the whole; with SO(3) in the frame of the angular momentum (``ph_routh_reconstruct``)."""
        z0, v0 = self.space.configuration(z), self.space.configuration(v, "v")
        q, qdot = np.empty(self.whole.space.ambient), np.empty(self.whole.space.ambient)
        check(lib.ph_routh_reconstruct(self._c, pointer(z0), pointer(v0), room(q), room(qdot), self._scratch()))
        return q, qdot

    def _scratch(self) -> Any:
        return room(np.empty(max(int(lib.ph_routh_work(self._c)), 1)))


def routh(system: System, symmetry: Union[int, str] = 0) -> ReducedSystem:
    """Reduce a system by a rotation: Routh reduction (``ph_routh_create``).

    The reduced system lives on (factors of the whole) x R^1 with z = (r, phi): r is the motion of the shape, lifted horizontally, phi
    the phase that reconstructs the whole, and its momentum is that of the symmetry. "variational" and methods for velocity
    constraints step it.

    Parameters
    ----------
    system : System
        With constant inertia, without forces and velocity constraints.
    symmetry : str or int
        A rotation; "SO3": all of them (``ph_routh_all_rotations``).

    Examples
    --------
    >>> import polhode as ph
    >>> model = ph.model("spherical-pendulum")
    >>> reduced = ph.routh(model.system())
    >>> z, v = reduced.reduce(*model.initial())
    >>> it = ph.Integrator(reduced, "variational", step=0.01)
    >>> state = it.state(z, v)
    >>> it.step(state, 100)
    >>> q, qdot = reduced.reconstruct(state.z, state.v)

    Source: Jalnapurkar, Leok, Marsden, West, J. Phys. A 39 (2006) 5521.
    """
    if not isinstance(system, System):
        raise Error(f"system is {system!r}; it must be a polhode.System")
    error, every = new_error(), symmetry == "SO3" and "SO3" not in system.symmetries
    if every:
        third = ffi.new("size_t *")
        check(lib.ph_routh_all_rotations(system._c, third, error), error)
        i = int(third[0])
    else:
        i = system._symmetry(symmetry)
    c = create("ph_system", lambda out, err: lib.ph_routh_create(system._c, i, out, err), lib.ph_system_free, system)
    reduced = ReducedSystem._of(c, system)
    assert isinstance(reduced, ReducedSystem)
    reduced.whole, reduced.all_rotations = system, every
    return reduced
