# SPDX-License-Identifier: BSD-3-Clause
"""Spheres as phase space: spins, point vortices, Bloch vectors (``ph_spins``)."""
from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._callbacks import Callbacks, c_pointer
from ._core import (Array, ArrayLike, Constant, Error, Fixed, check, count, doubles, indices, instance, new_error, number,
                   pointer, room)
from ._derivatives import derivative
from ._polhode import ffi, lib

_KINDS = {"exchange": lib.PH_BOND_EXCHANGE, "axial": lib.PH_BOND_AXIAL, "twist": lib.PH_BOND_TWIST,
          "vortices": lib.PH_BOND_VORTICES, "function": lib.PH_BOND_FUNCTION}


class Bonds(NamedTuple):
    """A group of bonds of one kind (``ph_bonds``); what each adds to the energy:

    ============  ===============================================================================================
    "exchange"    -c s_i . s_j
    "axial"       -c (a . s_i) (a . s_j), a the unit vector ``axis``
    "twist"       c a . (s_i x s_j): Dzyaloshinskii and Moriya's
    "vortices"    -(c / 4 pi) Gamma_i Gamma_j log(|s_i - s_j|^2 + core^2)
    "function"    c f(s_i . s_j): ``function`` returns (f, f', f'') at x
    ============  ===============================================================================================

    ``first`` and ``second`` are the numbers (bonds,) of the spins, from 0; without them every pair has a bond. ``c`` is one number
    or (bonds,). ``colours``: the most classes of bonds without a common spin; 0: as many as needed.
    """

    kind: str
    first: Optional[ArrayLike] = None
    second: Optional[ArrayLike] = None
    c: ArrayLike = 1.0
    axis: ArrayLike = (0.0, 0.0, 1.0)
    core: float = 0.0
    function: Optional[Callable[[float], ArrayLike]] = None
    colours: int = 0


class Anisotropy(NamedTuple):
    """-K (a . s)^2 of every spin, K one number or (n,): an easy axis a where K > 0, an easy plane where K < 0."""

    K: ArrayLike
    axis: ArrayLike = (0.0, 0.0, 1.0)


def _unit(name: str, value: ArrayLike) -> List[float]:
    axis = doubles(name, value, 3)
    length = float(np.linalg.norm(axis))
    if not 0 < length < np.inf:
        raise Error(f"{name} is {axis}; it must be a direction", "PH_E_RANGE")
    return [float(x) for x in axis / length]


def _numbers(name: str, value: ArrayLike, n: int) -> Tuple[Array, bool]:
    """n numbers, or one for all: then True."""
    return (doubles(name, value).reshape(1), True) if np.ndim(value) == 0 else (doubles(name, value, n), False)


class Spins(Fixed):
    """The energy of n spins by parts, on (S^2)^n as a phase space (``ph_spins``): Gamma_i s_i' = dH/ds_i x s_i.

    Parameters
    ----------
    n : int
        How many spins.
    bonds : sequence of Bonds
    field : array (3,) or (n, 3), optional
        -B . s of each spin.
    anisotropies : sequence of Anisotropy
    control : function of t, optional
        A field B (3,) that depends on time [s]: -B(t) . sum moment_i s_i. ``control_rate``: its derivative; without it by complex
        steps or differences, where a rate is asked for. A C function writes both.
    moments : (n,), optional
        What the control acts on; all 1.
    strengths : number or (n,), optional
        Gamma_i, not 0; all 1. In the usual sign of magnetism, s' = s x dH/ds, it is -1.
    damping : number or (n,), optional
        lambda_i >= 0 of Landau, Lifshitz and Gilbert.
    constant : number, optional
        Added to the energy; it does not change the motion.

    Examples
    --------
    One spin turns about a field at the rate |B|, here half a turn in the time pi:

    >>> import numpy as np, polhode as ph
    >>> system = ph.System(spins=ph.Spins(1, field=[0, 0, 1]))
    >>> it = ph.Integrator(system, "spherical-midpoint", step=np.pi / 1000)
    >>> state = it.state([1, 0, 0])
    >>> it.step(state, 1000)
    >>> bool(np.allclose(state.z, [-1, 0, 0], atol=1e-5))
    True
    """

    def __init__(self, n: int, *, bonds: Sequence[Bonds] = (), field: Optional[ArrayLike] = None,
                 anisotropies: Sequence[Anisotropy] = (), control: Any = None, control_rate: Any = None,
                 moments: Optional[ArrayLike] = None, strengths: Optional[ArrayLike] = None,
                 damping: Optional[ArrayLike] = None, constant: float = 0) -> None:
        self.n = count("n", n, 1, 2**30 // 3)
        self.bonds: Tuple[Bonds, ...] = tuple(bonds)
        self.anisotropies: Tuple[Anisotropy, ...] = tuple(anisotropies)
        self.field = None if field is None else doubles("field", field, (3,) if np.ndim(field) == 1 else (self.n, 3))
        self.control, self.control_rate = control, control_rate
        self.constant = number("constant", constant)
        self.moments, self.strengths, self.damping = (
            None if value is None else np.ascontiguousarray(np.broadcast_to(doubles(name, value, None if np.ndim(value) == 0 else self.n),
                                                                            self.n))
            for name, value in (("moments", moments), ("strengths", strengths), ("damping", damping)))

    def _fill(self, d: Any, callbacks: Callbacks, kept: List[Any]) -> None:
        """Put it into a definition."""
        c = ffi.new("ph_spins *", {"n": self.n, "constant": self.constant})
        kept += [c, self]
        for name in ("moments", "strengths", "damping", "field"):
            value = getattr(self, name)
            if value is not None:
                right = (3,) if name == "field" and value.ndim == 1 else (self.n, 3) if name == "field" else (self.n,)
                value = doubles(name, value, right)  # it can have been resized
                kept.append(value)
                setattr(c, name, pointer(value))
        c.field_is_uniform = self.field is not None and self.field.ndim == 1
        c.n_bonds, c.n_anisotropies = len(self.bonds), len(self.anisotropies)
        groups, axes = ffi.new("ph_bonds[]", max(1, c.n_bonds)), ffi.new("ph_anisotropy[]", max(1, c.n_anisotropies))
        c.bonds, c.anisotropies = groups, axes
        kept += [groups, axes]
        for i, bonds in enumerate(self.bonds):
            self._fill_bonds(groups[i], f"bonds[{i}]", bonds, callbacks, kept)
        for i, anisotropy in enumerate(self.anisotropies):
            instance(f"anisotropies[{i}]", anisotropy, Anisotropy)
            K, axes[i].uniform = _numbers(f"K of anisotropies[{i}]", anisotropy.K, self.n)
            axes[i].axis, axes[i].K = _unit(f"axis of anisotropies[{i}]", anisotropy.axis), pointer(K)
            kept.append(K)
        control, rate = self.control, self.control_rate
        if control is not None and c_pointer(control) is None:
            if not callable(control):
                raise Error(f"control is {control!r}; it must be a function")
            slope: Callable[[float], ArrayLike] = rate or derivative("control", None, control, 0, (0.1,), 1)

            def both(t: float) -> Tuple[ArrayLike, Callable[[], ArrayLike]]:
                return control(t), lambda: slope(t)

            callbacks.add(c, "control", "control", both)
        else:
            if rate is not None:
                raise Error("control_rate belongs to a control of Python; one of C writes both")
            callbacks.add(c, "control", "control", control)
        d.spins = c

    def _fill_bonds(self, c: Any, name: str, bonds: Bonds, callbacks: Callbacks, kept: List[Any]) -> None:
        instance(name, bonds, Bonds)
        if bonds.kind not in _KINDS:
            raise Error(f"{name} is of the kind {bonds.kind!r}; the kinds are {', '.join(_KINDS)}", "PH_E_UNKNOWN")
        c.kind, c.core = _KINDS[bonds.kind], number(f"core of {name}", bonds.core)
        c.axis, c.colours = _unit(f"axis of {name}", bonds.axis), count(f"colours of {name}", bonds.colours)
        if (bonds.first is None) != (bonds.second is None):
            raise Error(f"{name} has one of first and second; it takes both, or neither for all pairs")
        if bonds.first is None or bonds.second is None:
            c.all_pairs, n = True, self.n * (self.n - 1) // 2
            if np.ndim(bonds.c) != 0:
                raise Error(f"{name} is of all pairs, which have one coefficient c", "PH_E_SIZE")
        else:
            first = indices(f"first of {name}", bonds.first, np.uint32, self.n)
            second = indices(f"second of {name}", bonds.second, np.uint32, self.n, first.size)
            c.first, c.second = ffi.from_buffer("uint32_t *", first), ffi.from_buffer("uint32_t *", second)
            c.n = n = first.size
            kept += [first, second]
        strength, c.uniform = _numbers(f"c of {name}", bonds.c, n)
        kept.append(strength)
        c.c = pointer(strength)
        if (bonds.kind == "function") != (bonds.function is not None):
            raise Error(f"{name} is of the kind {bonds.kind!r}; a function belongs to the kind \"function\", and to no other")
        callbacks.add(c, "function", f"function of {name}", bonds.function, "bond")


class SpinEnergy(Constant):
    """The energy of a system of spins and what follows from it: ``system.spins``. z is (3 n,) or (n, 3); t [s].

    Examples
    --------
    >>> import polhode as ph
    >>> system = ph.System(spins=ph.Spins(2, bonds=[ph.Bonds("exchange", [0], [1], 2.0)]))
    >>> z = [[1, 0, 0], [0, 1, 0]]
    >>> system.spins.energy(z), system.spins.gradient(z).tolist()
    (0.0, [[0.0, -2.0, 0.0], [-2.0, 0.0, 0.0]])
    """

    def __init__(self, system: Any) -> None:
        self._system, self._c = system, getattr(system, "_c", None)
        if not isinstance(self._c, ffi.CData) or ffi.typeof(self._c) is not ffi.typeof("ph_system *"):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        found = lib.ph_system_spins(self._c)
        if found == ffi.NULL:
            raise Error("this is not a system of spins", "PH_E_UNSUPPORTED")
        self.n = int(found.n)

    def _get(self, function: Any, z: ArrayLike, shape: Tuple[int, ...], t: Optional[float]) -> Array:
        out, z0 = np.empty(shape), self._system.space.configuration(z)
        check(function(self._c, *(() if t is None else (number("t", t),)), pointer(z0), room(out)))
        return out

    def energy(self, z: ArrayLike, t: float = 0.0) -> float:
        """H(t, z) (``ph_spins_energy``)."""
        return float(self._get(lib.ph_spins_energy, z, (1,), t)[0])

    def gradient(self, z: ArrayLike, t: float = 0.0) -> Array:
        """dH/ds (n, 3) in ambient coordinates (``ph_spins_gradient``)."""
        return self._get(lib.ph_spins_gradient, z, (self.n, 3), t)

    def torque(self, z: ArrayLike, t: float = 0.0) -> Array:
        """dH/ds_i x s_i (n, 3) (``ph_spins_torque``)."""
        return self._get(lib.ph_spins_torque, z, (self.n, 3), t)

    def flow(self, z: ArrayLike, t: float = 0.0) -> Array:
        """s' (n, 3) (``ph_spins_flow``)."""
        return self._get(lib.ph_spins_flow, z, (self.n, 3), t)

    def momentum(self, z: ArrayLike) -> Array:
        """J (3,) = sum Gamma_i s_i (``ph_spins_momentum``)."""
        return self._get(lib.ph_spins_momentum, z, (3,), None)

    def control(self, t: float) -> Array:
        """B(t) (3,), zeros without a control (``ph_spins_control``)."""
        out = np.empty(3)
        check(lib.ph_spins_control(self._c, number("t", t), room(out)))
        return out

    def least_distance(self, z: ArrayLike) -> float:
        """The least |s_i - s_j| of all pairs (``ph_spins_least_distance``)."""
        z0 = self._system.space.configuration(z)
        return float(lib.ph_spins_least_distance(self._c, pointer(z0)))

    def check_apart(self, z: ArrayLike) -> None:
        """Raise where two vortices without a core are at one point (``ph_spins_check_apart``)."""
        z0, error = self._system.space.configuration(z), new_error()
        check(lib.ph_spins_check_apart(self._c, pointer(z0), error), error)

    def bond_function(self, group: int, x: float) -> Array:
        """f, f', f'' (3,) at x of a group of bonds of the kind "function" (``ph_spins_bond_function``)."""
        out, groups = np.empty(3), lib.ph_system_spins(self._c)
        group = count("group", group, 0, max(0, groups.n_bonds - 1))
        if groups.n_bonds == 0 or groups.bonds[group].kind != lib.PH_BOND_FUNCTION:
            raise Error(f"the group of bonds {group} is not of the kind \"function\"")
        check(lib.ph_spins_bond_function(self._c, group, number("x", x), room(out)))
        return out

    def hessian(self, z: ArrayLike, t: float = 0.0) -> Tuple[Array, Array, Array]:
        """Row and column (blocks,) of spins and blocks (blocks, 3, 3) of d2H/ds_row ds_column, of the lower triangle
        (``ph_spins_hessian``, ``ph_spins_hessian_places``)."""
        blocks = int(lib.ph_spins_hessian_blocks(self._c))
        row, column = np.empty(blocks, dtype=np.uint32), np.empty(blocks, dtype=np.uint32)
        check(lib.ph_spins_hessian_places(self._c, ffi.from_buffer("uint32_t *", row, require_writable=True),
                                          ffi.from_buffer("uint32_t *", column, require_writable=True)))
        return row.astype(np.intp), column.astype(np.intp), self._get(lib.ph_spins_hessian, z, (blocks, 3, 3), t)

    @property
    def is_declared(self) -> bool:
        """Is the whole energy declared by parts, so that it can be split?"""
        return bool(lib.ph_spins_are_declared(self._c))

    @property
    def is_damped(self) -> bool:
        """Is one of the damping coefficients not 0?"""
        return bool(lib.ph_spins_are_damped(self._c))
