# SPDX-License-Identifier: BSD-3-Clause
"""Mechanical systems: a configuration space, a Lagrangian, forces, velocity constraints, symmetries (``ph_system``)."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import SIGNATURES, Callbacks, Signature, c_pointer
from ._core import (Array, ArrayLike, CostWarning, Error, check, copied, count, create, doubles, new_error, number, pointer, room,
                    text, word)
from ._polhode import ffi, lib
from ._space import Factor, Space

STEP = 1e-30  # of complex steps


class Symmetry(NamedTuple):
    """A one-parameter group that leaves the Lagrangian as it is (``ph_symmetry``).

    ``axis``: rotations of the whole about it; or ``generator``: a function of z that returns xi (np,), J = p . xi.
    """

    name: str
    axis: Sequence[float] = (0.0, 0.0, 0.0)
    generator: Optional[Callable[[Array], ArrayLike]] = None
    unit: str = "kg m^2/s"
    text: str = ""


class Linkage(NamedTuple):
    """Links that hang on one another, massless but for a point mass at the end of each (``ph_linkage``)."""

    length: ArrayLike
    mass: ArrayLike
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    parent: Optional[Sequence[Optional[int]]] = None


class Articulation(NamedTuple):
    """Rigid bodies joined by ball joints to a tree (``ph_articulation``): inertia (n, 3, 3), joint and anchor (n, 3)."""

    mass: ArrayLike
    inertia: ArrayLike
    joint: ArrayLike
    anchor: ArrayLike
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    parent: Optional[Sequence[Optional[int]]] = None


class Mistake(NamedTuple):
    """What ``check`` found of one derivative or condition (``ph_derivative_entry``)."""

    name: str
    error: float
    wrong: bool
    given: float
    expected: float
    mistake: str


def _complex_step(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> Array:
    """The derivatives of function(*arguments) by the entries of argument `at`, in the last index."""
    z = np.array(arguments[at], dtype=np.complex128)
    before, after = arguments[:at], arguments[at + 1:]
    columns = []
    for k in range(z.size):
        keep = z[k]
        z[k] = keep + 1j * STEP
        columns.append(np.imag(function(*before, z, *after)) / STEP)
        z[k] = keep
    return np.stack(columns, axis=-1)


# Differences of order 8: offsets and weights, for a width of 1/128.
_WEIGHTS = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))


def _differences(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> Array:
    """The same by differences of order 8."""
    z = np.array(arguments[at], dtype=np.float64)
    before, after = arguments[:at], arguments[at + 1:]
    columns = []
    for k in range(z.size):
        keep, h, total = z[k], max(1.0, float(np.max(np.abs(z)))) / 128, np.zeros(())
        for n, weight in _WEIGHTS:
            z[k] = keep + n * h
            total = total + weight * np.asarray(function(*before, z, *after), dtype=float)
            z[k] = keep - n * h
            total = total - weight * np.asarray(function(*before, z, *after), dtype=float)
        z[k] = keep
        columns.append(total / h)
    return np.stack(columns, axis=-1)


def _takes_complex(function: Callable[..., Any], at: int, arguments: Tuple[Any, ...]) -> bool:
    """Is the function analytic in argument `at`: is its derivative by a complex step that by differences?"""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            by_step = _complex_step(function, at, arguments)
            by_differences = _differences(function, at, arguments)
        except Exception:
            return False
    return bool(np.allclose(by_step, by_differences, rtol=1e-6, atol=1e-7 * float(np.max(np.abs(by_differences), initial=1e-9))))


def inertia_matrix(space: Space, parts: Sequence[Any]) -> Array:
    """The inertia MM (nz, nz) of a product from one entry for each factor: a mass [kg] of R(d), S1 and S2 (of a point at
    distance 1), the inertia tensor (3, 3) or principal moments (3,) [kg m^2] of a body on SO3.

    Examples
    --------
    >>> import polhode as ph
    >>> ph.inertia_matrix(ph.Space([ph.R(1), ph.SO3]), [2.0, (3.0, 2.0, 1.0)]).diagonal()
    array([2., 0., 1., 2., 0., 1., 2., 0., 1., 2.])
    """
    blocks = np.zeros((space.ambient, space.ambient))
    if len(parts) != len(space.factors):
        raise Error(f"inertia has {len(parts)} entries; the space has {len(space.factors)} factors", "PH_E_SIZE")
    for i, (part, factor, (a, n, _, _)) in enumerate(zip(parts, space.factors, space._places)):
        if factor.kind == lib.PH_FACTOR_SO3:
            J = doubles(f"inertia[{i}]", part)
            J = np.diag(J) if J.shape == (3,) else doubles(f"inertia[{i}]", J, (3, 3))
            blocks[a:a + n, a:a + n] = np.kron(np.eye(3), np.trace(J) / 2 * np.eye(3) - J)
        else:
            blocks[a:a + n, a:a + n] = number(f"inertia[{i}]", part) * np.eye(n)
    return blocks


class System:
    """A mechanical system (``ph_system``); const, may be shared between threads.

    One of ``inertia`` (with or without ``potential``), ``lagrangian``, ``linkage``, ``articulation``, ``inverse_inertia`` and
    ``spins`` says what moves. Functions are Python's, or all are C's (pointers of cffi and ctypes, numba's ``cfunc``,
    ``scipy.LowLevelCallable``) with the signatures of ``polhode/definition.h``.

    Parameters
    ----------
    space : Space or sequence of Factor
        Where it moves; None with ``spins``.
    lagrangian : function of z (nz,), v (nz,)
        L [J]. Derivatives: ``lagrangian_gradient`` returns (dL/dz, dL/dv), ``lagrangian_hessian`` (Lzz, Lvz, Lvv), Lvz[i, j] =
        d2L/dv_i dz_j. Without them: by complex steps where the function takes complex arguments, else by differences.
    inertia : array, function of z, or a list with an entry for each factor
        M (factors, factors), MM (nz, nz), or masses and inertia tensors as in ``inertia_matrix``.
    inertia_dz : function of z, optional
        The derivative of an inertia that is a function, (m, m, nz).
    potential, gradient : functions of z
        U [J] and dU/dz (nz,).
    potential_in_time, gradient_in_time, potential_rate : functions of t, z
        A further potential U(t, z), its gradient by z, and dU/dt.
    force, force_dv : functions of t, z, v
        Generalized force f (nz,): its virtual work is f . dz; df/dv (nz, nz). ``torque`` makes one of a torque.
    constraint : function of t, z
        Velocity constraints A v = b: A (constraints, nz), or (A, b). ``constraint_along``: function of t, z, v, dt, dz.
    constraints : int
        How many rows.
    linkage, articulation : Linkage, Articulation
        Links, or bodies joined to a tree.
    inverse_inertia : (row, column, value)
        M^{-1}, sparse: its lower triangle with the whole diagonal.
    spins : Spins
        Spheres as phase space; ``spin_hessian`` (function of t, z) and ``hessian_places`` (row, column) say what ``potential``
        adds.
    symmetries : sequence of Symmetry
        What is conserved.
    points : function of z
        Places (n_points, 3) [m] for results and pictures.
    up : vector
        Against gravity, for figures.

    Examples
    --------
    A heavy bead on the unit sphere. L is written for any numbers, so it is differentiated by complex steps.

    >>> import numpy as np, polhode as ph
    >>> system = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, 9.81])
    >>> system.energy([1, 0, 0], [0, 2, 0])
    (2.0, 0.0)
    >>> max(entry.error for entry in ph.check(system)) < 1e-9
    True
    """

    def __init__(self, space: Union[Space, Factor, Sequence[Factor], None] = None, *, lagrangian: Any = None,
                 lagrangian_gradient: Any = None, lagrangian_hessian: Any = None, lagrangian_complex: Any = None,
                 inertia: Any = None, inertia_dz: Any = None, potential: Any = None, gradient: Any = None,
                 potential_in_time: Any = None, gradient_in_time: Any = None, potential_rate: Any = None,
                 force: Any = None, force_dv: Any = None, force_ignores_velocity: bool = False,
                 constraint: Any = None, constraint_along: Any = None, constraints: int = 0,
                 linkage: Optional[Linkage] = None, articulation: Optional[Articulation] = None,
                 inverse_inertia: Optional[Tuple[ArrayLike, ArrayLike, ArrayLike]] = None,
                 spins: Any = None, spin_hessian: Any = None, hessian_places: Optional[Tuple[ArrayLike, ArrayLike]] = None,
                 symmetries: Sequence[Symmetry] = (), points: Any = None, n_points: int = 0,
                 up: Optional[ArrayLike] = None, gradient_on_manifold: bool = False, user: Any = None) -> None:
        if space is None and spins is not None:
            space = spins.space()
        if not isinstance(space, Space):
            space = Space(space if space is not None else [])
        self.space = space
        self._define(lib.ph_system_create, dict(locals()))

    def _define(self, create_system: Any, given: Dict[str, Any], keep: object = None) -> None:
        """Fill a definition in and create the system."""
        space, nz = self.space, self.space.ambient
        d = ffi.new("ph_system_definition *")
        kept: List[Any] = [d, keep, space]
        callbacks = Callbacks({"nz": nz, "np": space.momenta, "m": 0, "k": given.get("constraints") or 0,
                               "points": given.get("n_points") or 0, "blocks": 0}, given.get("user"))

        def array(value: Array) -> Any:
            kept.append(value)
            return pointer(value)

        def member(name: str, function: Any, kind: Optional[str] = None) -> None:
            setattr(d, name, callbacks.add(name, function, kind))

        if create_system is lib.ph_system_create:
            d.space = space._c
        self._fill_lagrangian(d, given, callbacks, member, array)
        self._fill_gradients(d, given, member)
        for name in ("force", "force_dv"):
            member(name, given.get(name))
        d.force_ignores_velocity = bool(given.get("force_ignores_velocity"))
        d.gradient_on_manifold = bool(given.get("gradient_on_manifold"))
        d.n_constraints = count("constraints", given.get("constraints") or 0)
        member("constraint", given.get("constraint"), "velocity_constraint")
        member("constraint_along", given.get("constraint_along"), "velocity_constraint_along")
        d.n_points = count("n_points", given.get("n_points") or 0)
        member("points", given.get("points"))
        if given.get("up") is not None:
            d.up = list(doubles("up", given["up"], 3))
        spins = given.get("spins")
        if spins is not None:
            spins.fill(d, given, callbacks, kept)
        self._fill_symmetries(d, given.get("symmetries") or (), callbacks, kept)
        d.user = callbacks.user()
        # C's functions may be called as long as C has the system: `kept` lives as long as its handle
        self._c = create("ph_system", lambda out, error: create_system(d, out, error), lib.ph_system_free, kept, callbacks)
        self._has_python = bool(callbacks.functions) or getattr(keep, "_has_python", False)
        self.symmetries: List[str] = [text(lib.ph_system_symmetry(self._c, i).name)
                                      for i in range(lib.ph_system_symmetries(self._c))]

    def _sample(self) -> Tuple[Optional[Array], Array]:
        """A configuration and a tangent vector, to try functions at."""
        random = np.random.default_rng(2)
        try:
            z = self.space.project(random.normal(size=self.space.ambient))
            return z, self.space.project_tangent(z, random.normal(size=self.space.ambient))
        except Error:
            return None, np.zeros(0)

    def _derivative(self, name: str, missing: str, function: Any, at: int, arguments: Optional[Tuple[Any, ...]]) -> Any:
        """The derivative by argument `at`, a configuration: by complex steps, or else by differences. Says what it costs."""
        exact = arguments is not None and _takes_complex(function, at, arguments)
        calls = self.space.ambient * (1 if exact else 8)
        warnings.warn(f"the derivative of {name} is by {'complex steps' if exact else 'differences of order 8'}: {calls} calls of it; "
                      f"{missing} makes steps faster", CostWarning, stacklevel=6)
        return lambda *a: (_complex_step if exact else _differences)(function, at, a)

    def _fill_lagrangian(self, d: Any, given: Dict[str, Any], callbacks: Callbacks, member: Any, array: Any) -> None:
        n, nz = len(self.space.factors), self.space.ambient
        L = given.get("lagrangian")
        if L is not None and given.get("lagrangian_complex") is None and given.get("lagrangian_gradient") is None \
                and not c_pointer(L):
            z, v = self._sample()
            if z is not None and _takes_complex(L, 0, (z, v)) and _takes_complex(L, 1, (z, v)):
                given["lagrangian_complex"], way, calls = L, "complex steps", 2 * nz
                given["lagrangian"] = None
            else:
                way, calls = "differences of order 8, as the function does not take complex arguments", 16 * nz
            warnings.warn(f"derivatives of the Lagrangian are by {way}: {calls} calls of it for a gradient, {16 * nz * calls} for "
                          f"second derivatives; lagrangian_gradient makes steps faster", CostWarning, stacklevel=5)
        for name in ("lagrangian", "lagrangian_complex", "lagrangian_gradient", "lagrangian_hessian"):
            member(name, given.get(name))
        inertia = given.get("inertia")
        if inertia is not None and (callable(inertia) or c_pointer(inertia)):
            z, _ = self._sample()
            m = nz
            if not c_pointer(inertia) and z is not None:
                m = np.asarray(inertia(z)).shape[0] if np.ndim(inertia(z)) == 2 else nz
                if m not in (n, nz):
                    raise Error(f"inertia returned a matrix of {m} rows; it must have {n} (factors) or {nz} (coordinates)", "PH_E_SIZE")
                if given.get("inertia_dz") is None:
                    given["inertia_dz"] = self._derivative("inertia", "inertia_dz", inertia, 0, (z,))
            callbacks.sizes["m"] = m
            member("inertia_at" if m == n and n != nz else "ambient_inertia_at", inertia, "inertia")
            member("inertia_dz", given.get("inertia_dz"))
        elif inertia is not None:
            if isinstance(inertia, (list, tuple)) and (np.ndim(inertia[0]) == 0 or len(set(map(np.ndim, inertia))) > 1
                                                       or self.space.factors[0].kind == lib.PH_FACTOR_SO3):
                inertia = inertia_matrix(self.space, inertia)
            matrix = doubles("inertia", inertia)
            if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] not in (n, nz):
                raise Error(f"inertia has the shape {matrix.shape}; it must be ({n}, {n}) or ({nz}, {nz}), or a list with an entry "
                            f"for each factor", "PH_E_SIZE")
            setattr(d, "inertia" if matrix.shape[0] == n and n != nz else "ambient_inertia", array(matrix))
        for name in ("linkage", "articulation"):
            if given.get(name) is not None:
                setattr(d, name, self._tree(name, given[name], array, callbacks))
        if given.get("inverse_inertia") is not None:
            row, column, value = given["inverse_inertia"]
            value = doubles("the values of inverse_inertia", value, -1)
            places = [self._indices("inverse_inertia", part, value.size) for part in (row, column)]
            callbacks.kept.append(ffi.new("ph_sparse *", {
                "n": n, "entries": value.size, "value": array(value),
                "row": ffi.from_buffer("size_t *", places[0]), "column": ffi.from_buffer("size_t *", places[1])}))
            d.inverse_inertia = callbacks.kept[-1]
            callbacks.kept.append(places)

    def _indices(self, name: str, value: ArrayLike, n: int) -> Any:
        array = np.asarray(value)
        if array.shape != (n,) or array.dtype.kind not in "iu" or (array < 0).any():
            raise Error(f"{name}: rows and columns are {n} whole numbers from 0", "PH_E_INVALID")
        return np.ascontiguousarray(array, dtype=np.uintp)

    def _tree(self, name: str, tree: Any, array: Any, callbacks: Callbacks) -> Any:
        n = len(self.space.factors)
        shapes = {"length": (n,), "mass": (n,), "inertia": (n, 3, 3), "joint": (n, 3), "anchor": (n, 3)}
        c = ffi.new(f"ph_{name} *")
        for field, shape in shapes.items():
            if hasattr(tree, field):
                value = getattr(tree, field)
                filled = np.full(shape, number(field, value)) if np.ndim(value) == 0 else doubles(field, value, shape)
                setattr(c, field, array(filled))
        c.gravity = list(doubles("gravity", tree.gravity, 3))
        if tree.parent is not None:
            if len(tree.parent) != n:
                raise Error(f"parent has {len(tree.parent)} entries; the space has {n} factors", "PH_E_SIZE")
            none = int(ffi.cast("size_t", -1))
            c.parent = ffi.new("size_t[]", [none if i is None else count("parent", i, 0, n - 1) for i in tree.parent])
            callbacks.kept.append(c.parent)
        callbacks.kept.append(c)
        return c

    def _fill_gradients(self, d: Any, given: Dict[str, Any], member: Any) -> None:
        for name, gradient, at in (("potential", "gradient", 0), ("potential_in_time", "gradient_in_time", 1)):
            U = given.get(name)
            if U is not None and given.get(gradient) is None and not c_pointer(U):
                z, _ = self._sample()
                given[gradient] = self._derivative(name, gradient, U, at, None if z is None else (0.1, z)[1 - at:])
            member(name, U)
            member(gradient, given.get(gradient))
        member("potential_rate", given.get("potential_rate"))

    def _fill_symmetries(self, d: Any, symmetries: Sequence[Symmetry], callbacks: Callbacks, kept: List[Any]) -> None:
        array = ffi.new("ph_symmetry[]", len(symmetries))
        generators = [s.generator for s in symmetries if s.generator is not None]
        if len(generators) > 1 and not all(map(c_pointer, generators)):
            raise Error("one symmetry may have a generator of Python; others are rotations about an axis, or functions of C",
                        "PH_E_UNSUPPORTED")
        for c, symmetry in zip(array, symmetries):
            chars = [ffi.new("char[]", word(name, value)) for name, value in
                     (("name", symmetry.name), ("text", symmetry.text or symmetry.name), ("unit", symmetry.unit))]
            kept += chars
            c.name, c.text, c.unit = chars
            c.axis = list(doubles("axis", symmetry.axis, 3))
            c.generator = callbacks.add("generator", symmetry.generator)
        kept.append(array)
        d.symmetries, d.n_symmetries = array, len(symmetries)

    @classmethod
    def _of(cls, c: Any, *keep: Any) -> "System":
        """A system that C has made; `c` is owned, or something of `keep` owns it."""
        self = cls.__new__(cls)
        self._c = c
        self.space = Space._of(lib.ph_system_space(c), (c, keep))
        self._has_python = any(getattr(k, "_has_python", False) for k in keep)
        self.symmetries = [text(lib.ph_system_symmetry(c, i).name) for i in range(lib.ph_system_symmetries(c))]
        return self

    def forced(self, *, force: Any = None, force_dv: Any = None, force_ignores_velocity: bool = False,
               potential_in_time: Any = None, gradient_in_time: Any = None, potential_rate: Any = None,
               symmetries: Sequence[Symmetry] = (), user: Any = None) -> "System":
        """A system like this one with a further force, or a potential that depends on time (``ph_system_create_forced``).

        Examples
        --------
        >>> import polhode as ph
        >>> top = ph.model("heavy-top").system()
        >>> damped = top.forced(force=lambda t, z, v: -0.1 * v)
        >>> damped.is_conservative
        False
        """
        result = System.__new__(System)
        result.space = self.space
        given = {k: v for k, v in locals().items() if k not in ("self", "result")}
        result._define(lambda d, out, error: lib.ph_system_create_forced(self._c, d, out, error), given, keep=self)
        return result

    def __repr__(self) -> str:
        return f"<polhode.System on {self.space.factors!r}, {self.kind}>"

    # ---- Structure
    @property
    def kind(self) -> str:
        """"constant inertia", "inertia that depends on the configuration", "general Lagrangian" or "phase space"."""
        return {lib.PH_INERTIA_CONSTANT: "constant inertia", lib.PH_INERTIA_VARYING: "inertia that depends on the configuration",
                lib.PH_LAGRANGIAN_GENERAL: "general Lagrangian", lib.PH_PHASE_SPACE: "phase space"}[lib.ph_system_kind(self._c)]

    @property
    def is_conservative(self) -> bool:
        """Is the energy conserved?"""
        return bool(lib.ph_system_is_conservative(self._c))

    @property
    def constraints(self) -> int:
        """How many velocity constraints."""
        return int(lib.ph_system_constraints(self._c))

    # ---- Evaluation
    def _call(self, function: Any, z: ArrayLike, v: Optional[ArrayLike], sizes: Sequence[int], work: int,
              *first: Any, second: str = "v") -> Tuple[Array, ...]:
        """function(system, first..., z, v, outputs..., work); sizes of the outputs."""
        arguments = [pointer(self.space.configuration(z))] if z is not None else []
        if v is not None:
            arguments.append(pointer(doubles("p", v, self.space.momenta) if second == "p" else self.space.configuration(v, second)))
        out = tuple(np.empty(n) for n in sizes)
        last = [room(np.empty(work))] if work else []
        check(function(self._c, *first, *arguments, *map(room, out), *last))
        return out

    @property
    def _work(self) -> int:
        return max(int(lib.ph_system_work(self._c)), 1)

    def energy(self, z: ArrayLike, v: ArrayLike) -> Tuple[float, float]:
        """Kinetic and potential energy [J] at z (nz,), v (nz,) (``ph_system_energy``)."""
        T, U = self._call(lib.ph_system_energy, z, v, (1, 1), self._work)
        return float(T[0]), float(U[0])

    def lagrangian(self, z: ArrayLike, v: ArrayLike) -> float:
        """L(z, v) [J] (``ph_system_lagrangian``)."""
        return float(self._call(lib.ph_system_lagrangian, z, v, (1,), self._work)[0][0])

    def lagrangian_gradient(self, z: ArrayLike, v: ArrayLike) -> Tuple[Array, Array]:
        """dL/dz and dL/dv (nz,) in ambient coordinates (``ph_system_lagrangian_gradient``)."""
        nz = self.space.ambient
        Lz, Lv = self._call(lib.ph_system_lagrangian_gradient, z, v, (nz, nz), self._work)
        return Lz, Lv

    def lagrangian_hessian(self, z: ArrayLike, v: ArrayLike) -> Tuple[Array, Array, Array]:
        """Lzz, Lvz, Lvv (nz, nz) (``ph_system_lagrangian_hessian``)."""
        nz = self.space.ambient
        a, b, c = (m.reshape(nz, nz) for m in self._call(lib.ph_system_lagrangian_hessian, z, v, (nz * nz,) * 3, self._work))
        return a, b, c

    def potential(self, z: ArrayLike) -> float:
        """U(z) [J] (``ph_system_potential``)."""
        return float(self._call(lib.ph_system_potential, z, None, (1,), 0)[0][0])

    def gradient(self, z: ArrayLike) -> Array:
        """dU/dz (nz,) [J] (``ph_system_gradient``)."""
        return self._call(lib.ph_system_gradient, z, None, (self.space.ambient,), 0)[0]

    def force(self, t: float, z: ArrayLike, v: ArrayLike) -> Array:
        """Generalized forces (nz,) and those of a potential that depends on time (``ph_system_force``)."""
        return self._call(lib.ph_system_force, z, v, (self.space.ambient,), 0, number("t", t))[0]

    def power(self, t: float, z: ArrayLike, v: ArrayLike) -> float:
        """The rate at which the energy changes [W] (``ph_system_power``)."""
        return float(self._call(lib.ph_system_power, z, v, (1,), max(self.space.ambient, 1), number("t", t))[0][0])

    def momentum(self, z: ArrayLike, v: ArrayLike) -> Array:
        """The momentum p (np,) of the velocity v: the Legendre transform (``ph_system_momentum``)."""
        return self._call(lib.ph_system_momentum, z, v, (self.space.momenta,), self._work)[0]

    def velocity(self, z: ArrayLike, p: ArrayLike) -> Array:
        """The velocity (nz,) of the momentum p (np,) (``ph_system_velocity``)."""
        return self._call(lib.ph_system_velocity, z, p, (self.space.ambient,), self._work, second="p")[0]

    def momentum_map(self, symmetry: Union[int, str], z: ArrayLike, p: ArrayLike) -> float:
        """The conserved quantity of a symmetry, by number or name (``ph_system_momentum_map``)."""
        return float(self._call(lib.ph_system_momentum_map, z, p, (1,), max(self.space.algebra, 1), self._symmetry(symmetry),
                                second="p")[0][0])

    def _symmetry(self, symmetry: Union[int, str]) -> int:
        if isinstance(symmetry, str):
            if symmetry not in self.symmetries:
                raise Error(f"there is no symmetry {symmetry!r}; there are: {', '.join(self.symmetries) or 'none'}", "PH_E_UNKNOWN")
            return self.symmetries.index(symmetry)
        if not self.symmetries:
            raise Error("the system has no symmetry", "PH_E_UNKNOWN")
        return count("symmetry", symmetry, 0, len(self.symmetries) - 1)

    def places(self, z: ArrayLike) -> Array:
        """Places (points, 3) [m] of masses and bodies in space (``ph_system_places``)."""
        n = int(lib.ph_system_points(self._c))
        return self._call(lib.ph_system_places, z, None, (3 * n,), 0)[0].reshape(n, 3) if n else np.empty((0, 3))

    def constraint_rows(self, t: float, z: ArrayLike) -> Tuple[Array, Array]:
        """A (constraints, nz) and b (constraints,) of the velocity constraints (``ph_system_constraint_rows``)."""
        m, nz = self.constraints, self.space.ambient
        A, b = self._call(lib.ph_system_constraint_rows, z, None, (m * nz, m), 0, number("t", t)) if m else (np.empty(0),) * 2
        return A.reshape(m, nz), b

    def constraint_error(self, t: float, z: ArrayLike, v: ArrayLike) -> float:
        """How far v is off the velocity constraints (``ph_system_constraint_error``)."""
        work = max(int(lib.ph_system_constraint_work(self._c)), 1)
        return float(self._call(lib.ph_system_constraint_error, z, v, (1,), work, number("t", t))[0][0])

    def constraint_project(self, t: float, z: ArrayLike, v: ArrayLike) -> Array:
        """The velocity on the constraint that is nearest to v in the kinetic energy (``ph_system_constraint_project``)."""
        z0, v0, error = self.space.configuration(z), self.space.configuration(v, "v").copy(), new_error()
        work = np.empty(max(int(lib.ph_system_constraint_work(self._c)), 1))
        check(lib.ph_system_constraint_project(self._c, number("t", t), pointer(z0), room(v0), room(work), error), error)
        return v0

    def reactions(self, t: float, z: ArrayLike, v: ArrayLike) -> Array:
        """The multipliers of the velocity constraints (``ph_system_reactions``)."""
        work = max(int(lib.ph_system_reactions_work(self._c)), 1)
        return self._call(lib.ph_system_reactions, z, v, (self.constraints,), work, number("t", t))[0]

    def fastest_rate(self, z: ArrayLike) -> float:
        """The fastest rate [rad/s] of small motions at z (``ph_system_fastest_rate``); 0.05 / rate is a careful step."""
        z0, rate, error = self.space.configuration(z), ffi.new("double *"), new_error()
        check(lib.ph_system_fastest_rate(self._c, pointer(z0), rate, error), error)
        return float(rate[0])


def torque(q: ArrayLike, tau: ArrayLike) -> Array:
    """The generalized force (3,) of a torque tau (3,) [N m] on a unit vector q: -q x tau (``ph_add_torque3``)."""
    f = np.zeros(3)
    q0, tau0 = doubles("q", q, 3), doubles("tau", tau, 3)
    lib.ph_add_torque3(pointer(q0), pointer(tau0), room(f))
    return f


def moment(R: ArrayLike, m: ArrayLike) -> Array:
    """The generalized force (3, 3) of a moment m (3,) [N m] in the frame of the body with attitude R (3, 3)
    (``ph_add_moment3``)."""
    f = np.zeros((3, 3))
    R0, m0 = doubles("R", R, (3, 3)), doubles("m", m, 3)
    lib.ph_add_moment3(pointer(R0), pointer(m0), room(f))
    return f


def check_derivatives(system: System, z: Optional[ArrayLike] = None, v: Optional[ArrayLike] = None, t: float = 0.0) -> List[Mistake]:
    """Compare every derivative that a system has with differences, and try its conditions (``ph_system_check_derivatives``).

    Parameters
    ----------
    system : System
    z, v : arrays (nz,), optional
        Where; by default at random. t [s].

    Returns
    -------
    list of Mistake
        One for each derivative and condition; ``wrong`` says which are, ``mistake`` what would explain it.

    Examples
    --------
    >>> import polhode as ph
    >>> system = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, -9.81])
    >>> [entry.mistake for entry in ph.check(system) if entry.wrong]
    ['the sign of all entries is wrong']
    """
    sample, tangent = system._sample() if z is None or v is None else (None, np.zeros(0))
    z0 = system.space.configuration(z) if z is not None else sample
    if z0 is None:
        raise Error("z and v must be given: the space has no nearest points")
    v0 = system.space.configuration(v, "v") if v is not None else system.space.project_tangent(z0, tangent)
    report, error = ffi.new("ph_derivative_report *"), new_error()
    check(lib.ph_system_check_derivatives(system._c, number("t", t), pointer(z0), pointer(v0), report, error), error)
    return [Mistake(text(e.name), e.error, not e.error < lib.PH_DERIVATIVE_WRONG, e.given, e.expected, text(e.mistake))
            for e in report.entry[0:report.n]]
