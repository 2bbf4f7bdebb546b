# SPDX-License-Identifier: BSD-3-Clause
"""Mechanical systems: a configuration space, a Lagrangian, forces, velocity constraints, symmetries (``ph_system``)."""
from __future__ import annotations

import functools
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import Callbacks, c_pointer
from ._core import (Array, ArrayLike, Constant, Error, check, count, create, doubles, indices, instance, new_error,
                   number, passed, pointer, room, text, warn_of_cost, word)
from ._derivatives import derivative, takes_complex
from ._formulas import KEYS, create_system, describe, symbols, to_yaml
from ._mass import Mesh, mesh
from ._polhode import ffi, lib
from ._space import Factor, R, S1, S2, Space, Spin, shown
from ._spins import SpinEnergy, Spins


class Symmetry(NamedTuple):
    """A one-parameter group that leaves the Lagrangian as it is (``ph_symmetry``).

    ``axis``: rotations of the whole about it; or ``generator``: a function of z that returns xi (np,), J = p . xi.
    """

    name: str
    axis: Sequence[float] = (0.0, 0.0, 0.0)
    generator: Optional[Callable[[Array], ArrayLike]] = None
    unit: str = "kg m^2/s"
    text: str = ""


class LinkageBody(NamedTuple):
    """A rigid body that links hang on at its hitch (``ph_linkage_body``): its tensor (3, 3), or principal moments (3)."""

    inertia: ArrayLike
    hitch: ArrayLike = (0.0, 0.0, 0.0)


class Linkage(NamedTuple):
    """Links that hang on one another, massless but for a point mass at the end of each (``ph_linkage``).

    With a body the first factors are its R(3) and SO3: mass[0] is its mass, and links that hang on it have the parent 1.
    """

    length: ArrayLike
    mass: ArrayLike
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    parent: Optional[Sequence[Optional[int]]] = None
    body: Optional[LinkageBody] = None


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


PARTS = {text: getattr(lib, f"PH_SCENE_{text.upper()}") for text in (
    "ball", "line", "tube", "arrow", "axes", "box", "ellipsoid", "cylinder", "cone", "globe", "plane", "mark", "mesh")}


class Place(NamedTuple):
    """A place in space (``ph_scene_place``), at + x_point + F offset [m].

    ``point`` is the number of a point of the system; ``frame`` that of a factor: F is the rotation of SO3, turns about e3 on S1;
    of another factor in R^d, d <= 3, F offset = offset[0] z.
    """

    at: ArrayLike = (0.0, 0.0, 0.0)
    point: Optional[int] = None
    frame: Optional[int] = None
    offset: ArrayLike = (0.0, 0.0, 0.0)


class Part(NamedTuple):
    """What is drawn of a system (``ph_scene_part``).

    ``kind``: "ball", "line", "tube", "arrow", "axes", "box", "ellipsoid", "cylinder", "cone", "globe", "plane", "mark" or "mesh".
    ``a``: where it is or begins; ``b``: the other end of lines, tubes, arrows. ``R`` (3, 3) turns it in the frame of ``a``.
    ``size``: up to 3 lengths [m]: radius, half edges, half-axes, ... ``link``: number of the factor whose tension colours a line;
    ``spin``: of a factor S1 by whose angle it turns about its third axis. ``mesh``: a Mesh.
    """

    kind: str
    a: Place = Place()
    b: Place = Place()
    size: ArrayLike = ()
    R: Optional[ArrayLike] = None
    name: Optional[str] = None
    link: Optional[int] = None
    spin: Optional[int] = None
    mesh: Optional[Mesh] = None


def _index(name: str, value: Optional[int]) -> int:
    return int(ffi.cast("size_t", -1)) if value is None else count(name, value)


def _fill_parts(d: Any, parts: Sequence[Part], kept: List[Any]) -> None:
    array = ffi.new("ph_scene_part[]", max(1, len(parts)))
    kept.append(array)
    for i, (c, part) in enumerate(zip(array, parts)):
        if not isinstance(part, Part) or part.kind not in PARTS:
            raise Error(f"parts[{i}] is {part!r}; it must be a polhode.Part of a kind among {', '.join(PARTS)}")
        c.kind = PARTS[part.kind]
        for to, place, end in ((c.a, part.a, "a"), (c.b, part.b, "b")):
            instance(f"{end} of parts[{i}]", place, Place)
            to.at, to.offset = doubles(f"at of parts[{i}]", place.at, 3).tolist(), doubles(f"offset of parts[{i}]", place.offset, 3).tolist()
            to.point, to.frame = _index(f"point of parts[{i}]", place.point), _index(f"frame of parts[{i}]", place.frame)
        size = doubles(f"size of parts[{i}]", np.atleast_1d(np.asarray(part.size, dtype=float)), (-1,))
        if size.size > 3:
            raise Error(f"size of parts[{i}] has {size.size} numbers; it has at most 3", "PH_E_SIZE")
        c.size[0:size.size] = size.tolist()
        if part.R is not None:
            c.R = doubles(f"R of parts[{i}]", part.R, (3, 3)).ravel().tolist()
        c.link, c.spin = _index(f"link of parts[{i}]", part.link), _index(f"spin of parts[{i}]", part.spin)
        if part.name is not None:
            kept.append(ffi.new("char[]", word(f"name of parts[{i}]", part.name)))
            c.name = kept[-1]
        if part.mesh is not None:
            c.mesh = mesh(f"mesh of parts[{i}]", part.mesh, kept)
    d.parts, d.n_parts = array, len(parts)


def inertia_matrix(space: Space, parts: Sequence[Any]) -> Array:
    """The inertia MM (nz, nz) of a product from one entry for each factor: a mass [kg] of R(d), S1 and S2 (of a point at
    distance 1), the inertia tensor (3, 3) or principal moments (3,) [kg m^2] of a body on SO3.

    Examples
    --------
    >>> import polhode as ph
    >>> ph.inertia_matrix(ph.Space([ph.R(1), ph.SO3]), [2.0, (3.0, 2.0, 1.0)]).diagonal()
    array([2., 0., 1., 2., 0., 1., 2., 0., 1., 2.])
    """
    blocks = np.zeros((instance("space", space, Space).ambient,) * 2)
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


class System(Constant):
    """A mechanical system (``ph_system``); const, may be shared between threads.

    By formulas: ``space`` is a dictionary of factors by name, and every function below a text of the language of formulas, whose
    derivatives are exact and fast. By functions: one of ``inertia`` (with or without ``potential``), ``lagrangian``, ``linkage``, ``articulation``, ``inverse_inertia`` and
    ``spins`` says what moves. Functions are Python's, or C's: pointers of cffi and ctypes, numba's ``cfunc``,
    ``scipy.LowLevelCallable``, declared as ``polhode.signature`` says. The arrays that a function of Python gets belong to it: it may
    keep and change them. It returns numbers of the right shape, or raises: then the step ends, the state is that after the step
    before, and the exception arrives where the step was called.

    Parameters
    ----------
    space : Space, sequence of Factor, or dictionary of names
        Where it moves; None with ``spins``. ``{"r": "R1", "q": "S2"}`` with formulas; ``("R1", "rad")`` for a coordinate that is no
        length.
    kinetic, potential, lagrangian, energy, dissipation, strengths, damping : formulas
        What the keys of a scenario's ``model`` are, with ``parameters`` (numbers, arrays, ``"9.81 m/s^2"``, ``(array, "kg")``),
        ``where``, ``forces``, ``constraints`` and ``symmetries`` (lists of texts; a symmetry may be ``{"name": "L", "unit": "J s",
        "generator": {"q": "e3"}}``), ``points`` and ``columns`` (formulas by name), ``lines`` and ``bodies``; ``events`` are
        formulas that an ``Event`` may have as its column. ``strengths`` and ``damping`` may be numbers, and lists with one for each spin.
    lagrangian : function of z (nz,), v (nz,)
        L [J]. Derivatives: ``lagrangian_gradient`` returns (dL/dz, dL/dv), ``lagrangian_hessian`` (Lzz, Lvz, Lvv), Lvz[i, j] =
        d2L/dv_i dz_j. Without them: by complex steps where the function takes complex arguments, else by differences. Steps are
        several times faster where ``inertia`` and ``potential`` say it; else ``gauss`` calls L the least. Where L depends on time,
        ``lagrangian_rate`` returns (dL/dt, d2L/dv dt), and all of these are functions of t, z, v.
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
        Spheres as phase space. What ``potential`` and ``gradient`` add to their energy has a second derivative:
        ``hessian_places`` (row, column) of its blocks, column <= row, and ``spin_hessian``, a function of t, z that returns them
        (blocks, 3, 3).
    symmetries : sequence of Symmetry
        What is conserved; up to 16 generators of Python.
    points, n_points : function of z, int
        Places (n_points, 3) [m] for results and pictures.
    parts : sequence of Part
        What is drawn; by default what follows from the rest.
    up : vector
        Against gravity, for figures.
    gradient_on_manifold : bool
        The gradient is right on the manifold only: methods that evaluate it elsewhere refuse.
    user : pointer, array or address
        What functions of C get as their first argument; it is kept alive. ``scipy.LowLevelCallable`` has its own. Functions of
        Python and of C may be mixed; those of C are then called by way of Python.

    Raises
    ------
    Error
        PH_E_INVALID, PH_E_SIZE, PH_E_NOT_FINITE: what is given; PH_E_SINGULAR: an inertia that is not positive definite.

    Examples
    --------
    A heavy bead on the unit sphere:

    >>> import numpy as np, polhode as ph
    >>> system = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, 9.81])
    >>> system.energy([1, 0, 0], [0, 2, 0])
    (2.0, 0.0)
    >>> max(entry.error for entry in ph.check(system)) < 1e-9
    True

    A mass on a spring, by formulas:

    >>> spring = ph.System({"r": "R1", "q": "S2"}, parameters={"m": "1 kg", "k": "40 N/m", "l": "1 m", "g": "9.81 m/s^2"},
    ...                    where={"p": "r*q"}, kinetic="m/2*dot(d(p), d(p))", potential="k/2*(r - l)^2 + m*g*p.z")
    >>> spring.found
    'an inertia that depends on the configuration'
    >>> spring.gradient([1.2, 0, 0, 1]).round(2).tolist()
    [17.81, 0.0, 0.0, 11.77]
    """

    found: str = ""
    """What was found in formulas: a constant inertia, links, ..."""

    def __init__(self, space: Union[Space, Factor, Sequence[Factor], Mapping[str, Any], None] = None, *, lagrangian: Any = None,
                 lagrangian_gradient: Any = None, lagrangian_hessian: Any = None, lagrangian_complex: Any = None, lagrangian_rate: Any = None,
                 inertia: Any = None, inertia_dz: Any = None, potential: Any = None, gradient: Any = None,
                 potential_in_time: Any = None, gradient_in_time: Any = None, potential_rate: Any = None,
                 force: Any = None, force_dv: Any = None, force_ignores_velocity: bool = False,
                 constraint: Any = None, constraint_along: Any = None, constraints: Union[int, Sequence[str]] = 0,
                 linkage: Optional[Linkage] = None, articulation: Optional[Articulation] = None,
                 inverse_inertia: Optional[Tuple[ArrayLike, ArrayLike, ArrayLike]] = None,
                 spins: Optional[Spins] = None, spin_hessian: Any = None, hessian_places: Optional[Tuple[ArrayLike, ArrayLike]] = None,
                 symmetries: Union[Sequence[Symmetry], Sequence[Union[str, Mapping[str, Any]]]] = (),
                 points: Any = None, n_points: int = 0,
                 parts: Sequence[Part] = (), up: Optional[ArrayLike] = None, gradient_on_manifold: bool = False,
                 user: Any = None, parameters: Optional[Mapping[str, Any]] = None, where: Optional[Mapping[str, Any]] = None,
                 kinetic: Any = None, energy: Any = None, dissipation: Any = None,
                 forces: Sequence[Mapping[str, Any]] = (), lines: Sequence[Any] = (),
                 columns: Optional[Mapping[str, Any]] = None, bodies: Optional[Mapping[str, str]] = None,
                 events: Sequence[Any] = (), strengths: Any = None, damping: Any = None) -> None:
        given = {name: value for name, value in locals().items() if name not in ("self", "space")}
        if isinstance(space, Mapping):
            other = [name for name, value in given.items()
                     if name not in KEYS and value is not None and not (isinstance(value, (int, tuple)) and not value)]
            if other:
                raise Error(f"a system of formulas has no {other[0]}; it has {', '.join(KEYS)}")
            self._c, found = create_system(space, given)
            self.found = found
            self._formulas: Any = (dict(space), given)
            self.space = Space._of(lib.ph_system_space(self._c), self._c)
            self._end(None)
            return
        formulas = [name for name in ("parameters", "where", "kinetic", "energy", "dissipation", "forces", "lines", "columns", "bodies", "events", "strengths", "damping")
                    if given[name] is not None and not (isinstance(given[name], (tuple, dict)) and not given[name])]
        if formulas:
            raise Error(f"{formulas[0]} is for formulas, whose space is a dictionary of names, as {{\"q\": \"S2\"}}")
        ways = [way for way in ("inertia", "lagrangian", "linkage", "articulation", "inverse_inertia", "spins") if given[way] is not None]
        if len(ways) != 1 and (ways or lagrangian_complex is None):
            raise Error(f"a system has one of inertia, lagrangian, linkage, articulation, inverse_inertia and spins; "
                        f"{' and '.join(ways) or 'none'} {'are' if ways else 'is'} given")
        if spins is not None and not isinstance(spins, Spins):
            raise Error(f"spins is {spins!r}; it must be polhode.Spins")
        if space is None and spins is not None:
            space = Spin ** spins.n
        if not isinstance(space, Space):
            space = Space(space if space is not None else [])
        self.space = space
        self._define(lib.ph_system_create, given)

    @staticmethod
    def symbols(name: str, kind: str) -> Tuple[Any, Any]:
        """SymPy's symbols for the factor ``name`` of this kind, as "S2", and for its derivative by time: vectors, or for SO3 matrices.

        Expressions of SymPy may stand wherever formulas do; parameters are its symbols of the same name.
        """
        return symbols(name, kind)

    def _define(self, create_system: Any, given: Dict[str, Any], keep: Optional["System"] = None) -> None:
        """Fill a definition in and create the system."""
        space = self.space
        d = ffi.new("ph_system_definition *")
        kept: List[Any] = []  # until it is created: C copies it
        constraints = self._rows("constraint", "constraints", given, lambda f, z: _first(f(0.1, z)), space.ambient)
        points = self._rows("points", "n_points", given, lambda f, z: f(z), 3)
        rows, columns = given.get("hessian_places") or ((), ())
        rows = indices("rows of hessian_places", rows, np.uint32, space.ambient)
        columns = indices("columns of hessian_places", columns, np.uint32, space.ambient, rows.size)
        callbacks = Callbacks({"nz": space.ambient, "np": space.momenta, "m": 0, "k": constraints, "points": points,
                               "blocks": rows.size}, given.get("user"))

        def array(value: Array) -> Any:
            kept.append(value)
            return pointer(value)

        def member(name: str, function: Any, kind: Optional[str] = None) -> None:
            callbacks.add(d, name, name, function, kind)

        if create_system is lib.ph_system_create:
            d.space = space._c
        self._fill_lagrangian(d, given, callbacks, member, array, kept)
        self._fill_gradients(given, member)
        for name in ("force", "force_dv", "spin_hessian"):
            member(name, given.get(name))
        member("points", _at_any_time(given.get("points")))
        member("constraint", given.get("constraint"), "velocity_constraint")
        member("constraint_along", given.get("constraint_along"), "velocity_constraint_along")
        d.n_constraints, d.n_points, d.n_hessian = constraints, points, rows.size
        d.hessian_row, d.hessian_column = ffi.from_buffer("uint32_t *", rows), ffi.from_buffer("uint32_t *", columns)
        d.force_ignores_velocity = bool(given.get("force_ignores_velocity"))
        d.gradient_on_manifold = bool(given.get("gradient_on_manifold"))
        if given.get("up") is not None:
            d.up = doubles("up", given["up"], 3).tolist()
        if given.get("parts"):
            _fill_parts(d, given["parts"], kept)
        if given.get("spins") is not None:
            given["spins"]._fill(d, callbacks, kept)
        self._fill_symmetries(d, given.get("symmetries") or (), callbacks, kept)
        callbacks.finish(d)
        self._c = create("ph_system", lambda out, error: create_system(d, out, error), lib.ph_system_free, callbacks.kept, keep, space)
        self._end(callbacks.has_python or (keep is not None and keep._has_python))

    def _end(self, has_python: Optional[bool]) -> None:
        """What is known of a system that has been created."""
        self._has_python: bool = bool(has_python)
        self.symmetries: Tuple[str, ...] = tuple(text(lib.ph_system_symmetry(self._c, i).name)
                                                 for i in range(lib.ph_system_symmetries(self._c)))

    def _rows(self, name: str, number_of: str, given: Dict[str, Any], call: Callable[[Any, Array], Any], columns: int) -> int:
        """How many rows a function of Python returns, unless that is said."""
        n, function = given.get(number_of) or 0, given.get(name)
        if n or function is None or c_pointer(function) or not callable(function):
            return count(number_of, n, 0, 2**31)  # sizes of C that follow from it do not overflow
        z, _ = self._sample()
        if z is None:
            raise Error(f"{number_of} is missing: how many rows {name} returns")
        try:
            return max(1, int(np.size(call(function, z.copy()))) // columns)
        except Exception as reason:
            raise Error(f"{name} failed when it was tried, so that {number_of} must say how many rows it returns: {reason!r}",
                        "PH_E_CALLBACK") from reason

    def _sample(self) -> Tuple[Optional[Array], Array]:
        """A configuration and a tangent vector, to try functions at."""
        random = np.random.default_rng(2)
        try:
            z = self.space.project(random.normal(size=self.space.ambient))
            return z, self.space.project_tangent(z, random.normal(size=self.space.ambient))
        except Error:
            return None, np.zeros(0)

    def _fill_lagrangian(self, d: Any, given: Dict[str, Any], callbacks: Callbacks, member: Any, array: Any, kept: List[Any]) -> None:
        n, nz = len(self.space.factors), self.space.ambient
        L, in_time = given.get("lagrangian"), given.get("lagrangian_rate") is not None
        if callable(L) and given.get("lagrangian_complex") is None and given.get("lagrangian_gradient") is None \
                and not c_pointer(L):
            z, v = self._sample()
            sample = (0.1, z, v) if in_time else (z, v)
            if z is not None and takes_complex(L, len(sample) - 2, sample) and takes_complex(L, len(sample) - 1, sample):
                given["lagrangian_complex"], way, calls = L, "complex steps", 2 * nz
                given["lagrangian"] = None
            else:
                way, calls = "differences of order 8, as the function does not take complex arguments", 16 * nz
            warn_of_cost(f"derivatives of the Lagrangian are by {way}: {calls} calls of it for a gradient, {16 * nz * calls} for "
                         f"second derivatives; lagrangian_gradient makes steps faster, and inertia with potential, where L is of that form, "
                         f"much faster; the method gauss makes the fewest calls")
        for name in ("lagrangian", "lagrangian_complex", "lagrangian_gradient", "lagrangian_hessian"):
            member(name, given.get(name) if in_time else _at_any_time(given.get(name)))
        member("lagrangian_rate", given.get("lagrangian_rate"))
        inertia: Any = given.get("inertia")
        if callable(inertia) or c_pointer(inertia):
            z, _ = self._sample()
            m = nz
            if not c_pointer(inertia) and z is not None:
                shape = np.shape(inertia(z.copy()))
                m = shape[0] if len(shape) == 2 and shape[0] == shape[1] else 0
                if m not in (n, nz):
                    raise Error(f"inertia returned an array of shape {shape}; it must be ({n}, {n}) (factors) or ({nz}, {nz}) "
                                f"(coordinates)", "PH_E_SIZE")
                if given.get("inertia_dz") is None:
                    given["inertia_dz"] = derivative("inertia", "inertia_dz", inertia, 0, (z,), nz)
            callbacks.sizes["m"] = m
            member("inertia_at" if m == n and n != nz else "ambient_inertia_at", inertia, "inertia")
            member("inertia_dz", given.get("inertia_dz"))
        elif inertia is not None:
            self._fill_inertia(d, inertia, array, kept)
        for name, kind in (("linkage", Linkage), ("articulation", Articulation)):
            if given.get(name) is not None:
                if not isinstance(given[name], kind):
                    raise Error(f"{name} is {given[name]!r}; it must be a polhode.{kind.__name__}")
                setattr(d, name, self._tree(name, given[name], array, kept))
        if given.get("inverse_inertia") is not None:
            if len(given["inverse_inertia"]) != 3:
                raise Error("inverse_inertia is (row, column, value)", "PH_E_SIZE")
            row, column, value = given["inverse_inertia"]
            self._fill_sparse(d, row, column, value, array, kept)

    def _fill_inertia(self, d: Any, inertia: Any, array: Any, kept: List[Any]) -> None:
        """Of data: a matrix, or an entry for each factor."""
        n, nz = len(self.space.factors), self.space.ambient
        body = any(f.kind == lib.PH_FACTOR_SO3 for f in self.space.factors)
        try:
            shape: Optional[Tuple[int, ...]] = np.shape(inertia)
        except ValueError:  # entries of several shapes
            shape = None
        if n == 1 and (shape == () or (body and shape in ((3,), (3, 3)))):
            inertia, shape = [inertia], (1, *(shape or ()))
        matrix = shape is not None and len(shape) == 2 and shape in ((n, n), (nz, nz)) and not (body and shape == (n, 3) and n != nz)
        if not matrix:
            if shape is None or isinstance(inertia, (list, tuple)) or (len(shape) > 0 and shape[0] == n):
                if shape == (n,) and not body and len({size for _, size, _, _ in self.space._places}) == 1:
                    values = doubles("inertia", inertia, n)
                    if n > lib.PH_DENSE_PAIRS and all(f.kind in (S1.kind, S2.kind, R(1).kind) for f in self.space.factors) \
                            and np.all(values > 0) and np.all(np.isfinite(values)):
                        self._fill_sparse(d, np.arange(n), np.arange(n), 1 / values, array, kept)
                        return
                    inertia = np.diag(values)
                else:
                    inertia = inertia_matrix(self.space, inertia)
            else:
                raise Error(f"inertia has the shape {shape}; it must be ({n}, {n}) or ({nz}, {nz}), or a list with an entry for "
                            f"each factor", "PH_E_SIZE")
        value = doubles("inertia", inertia)
        setattr(d, "inertia" if value.shape[0] == n and n != nz else "ambient_inertia", array(value))

    def _fill_sparse(self, d: Any, row: ArrayLike, column: ArrayLike, value: ArrayLike, array: Any, kept: List[Any]) -> None:
        n = len(self.space.factors)
        values = doubles("the values of inverse_inertia", value, -1)
        places = [indices(f"{name} of inverse_inertia", part, np.uintp, n, values.size)
                  for name, part in (("rows", row), ("columns", column))]
        d.inverse_inertia = c = ffi.new("ph_sparse *", {
            "n": n, "entries": values.size, "value": array(values),
            "row": ffi.from_buffer("size_t *", places[0]), "column": ffi.from_buffer("size_t *", places[1])})
        kept += [c, places]

    def _tree(self, name: str, tree: Any, array: Any, kept: List[Any]) -> Any:
        n = len(self.space.factors)
        shapes = {"length": (n,), "mass": (n,), "inertia": (n, 3, 3), "joint": (n, 3), "anchor": (n, 3)}
        c = ffi.new(f"ph_{name} *")
        for field, shape in shapes.items():
            if hasattr(tree, field):
                value = getattr(tree, field)
                filled = np.full(shape, number(field, value)) if np.ndim(value) == 0 else doubles(field, value, shape)
                setattr(c, field, array(filled))
        c.gravity = list(doubles("gravity", tree.gravity, 3))
        if getattr(tree, "body", None) is not None:
            inertia = np.diag(tree.body.inertia) if np.ndim(tree.body.inertia) == 1 else tree.body.inertia
            body = ffi.new("ph_linkage_body *", {"inertia": list(doubles("inertia", inertia, (3, 3)).ravel()),
                                                 "hitch": list(doubles("hitch", tree.body.hitch, 3))})
            kept.append(body)
            c.body = body
        if tree.parent is not None:
            if len(tree.parent) != n:
                raise Error(f"parent has {len(tree.parent)} entries; the space has {n} factors", "PH_E_SIZE")
            parent = ffi.new("size_t[]", [_index("parent", i) for i in tree.parent])
            kept.append(parent)
            c.parent = parent
        kept.append(c)
        return c

    def _fill_gradients(self, given: Dict[str, Any], member: Any) -> None:
        z, _ = self._sample()
        for name, gradient, sample in (("potential", "gradient", (z,)), ("potential_in_time", "gradient_in_time", (0.1, z))):
            U = given.get(name)
            if callable(U) and given.get(gradient) is None and not c_pointer(U):
                given[gradient] = derivative(name, gradient, U, len(sample) - 1, None if z is None else sample, self.space.ambient)
            member(name, U)
            member(gradient, given.get(gradient))
        U, rate = given.get("potential_in_time"), given.get("potential_rate")
        if callable(U) and rate is None and not c_pointer(U):  # little is asked for it
            rate = derivative("potential_in_time", None, U, 0, None if z is None else (0.1, z), 1)
        member("potential_rate", rate)

    def _fill_symmetries(self, d: Any, symmetries: Sequence[Symmetry], callbacks: Callbacks, kept: List[Any]) -> None:
        symmetries = [symmetries] if isinstance(symmetries, Symmetry) else list(symmetries)
        array = ffi.new("ph_symmetry[]", max(1, len(symmetries)))
        for c, symmetry in zip(array, symmetries):
            if not isinstance(symmetry, Symmetry):
                raise Error(f"symmetries has {symmetry!r}; it must be a polhode.Symmetry")
            chars = [ffi.new("char[]", word(name, value)) for name, value in
                     (("name", symmetry.name), ("text", symmetry.text or symmetry.name), ("unit", symmetry.unit))]
            kept += chars
            c.name, c.text, c.unit = chars
            c.axis = list(doubles("axis", symmetry.axis, 3))
            callbacks.add(c, "generator", f"the generator of {symmetry.name}", symmetry.generator, "generator")
        kept.append(array)
        d.symmetries, d.n_symmetries = array, len(symmetries)

    @classmethod
    def _of(cls, c: Any, *keep: Any) -> "System":
        """A system that C has made; `c` is owned, or something of `keep` owns it."""
        self = cls.__new__(cls)
        self._c = c
        self.space = Space._of(lib.ph_system_space(c), (c, keep))
        self._end(any(getattr(k, "_has_python", False) for k in keep))
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
        return f"<polhode.System on {shown(self.space.factors)}, {self.kind}>"

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
    def structure(self) -> Dict[str, bool]:
        """What is known of it: has_pair_inertia, inertia_is_uniform, is_dense, is_sparse, has_potential, has_force, depends_on_time,
        force_ignores_velocity, gradient_is_exact, has_power, is_gravitation (``ph_system_has_pair_inertia`` and the like)."""
        names = ("has_pair_inertia", "inertia_is_uniform", "is_dense", "is_sparse", "has_potential", "has_force", "depends_on_time",
                 "force_ignores_velocity", "gradient_is_exact", "has_power", "is_gravitation")
        return {name: bool(getattr(lib, f"ph_system_{name}")(self._c)) for name in names}

    @property
    def has_tensions(self) -> bool:
        """Has it links with tensions (``ph_system_has_tensions``)?"""
        return bool(lib.ph_system_has_tensions(self._c))

    @property
    def constraints(self) -> int:
        """How many velocity constraints."""
        return int(lib.ph_system_constraints(self._c))

    @property
    def spins(self) -> SpinEnergy:
        """The energy of a system of spins and what follows from it."""
        return SpinEnergy(self)

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

    def describe(self) -> str:
        """What was found in formulas, and the operations of each derivative that a step evaluates (``ph_formula_callbacks``).

        Examples
        --------
        >>> import polhode as ph
        >>> print(ph.System({"q": "S2"}, kinetic="dot(qdot, qdot)/2", potential="exp(q.z)").describe())
        a constant inertia by pairs of factors
        gradient: 3 numbers, 0 operations, 1 function
        """
        return describe(self._c, self.found)

    def to_yaml(self) -> str:
        """The formulas as the map ``model`` of a scenario, without ``events``, which a scenario has by itself.

        Examples
        --------
        >>> import polhode as ph
        >>> print(ph.System({"q": "S2"}, parameters={"m": (2.0, "kg m^2")}, kinetic="m*dot(qdot, qdot)/2").to_yaml(), end="")
        model:
          space:
            "q": "S2"
          parameters:
            "m": "2.0 kg m^2"
          kinetic: "m*dot(qdot, qdot)/2"
        """
        if not self.found:
            raise Error("there is no system of formulas here, which could be written as one")
        return to_yaml(*self._formulas)

    def compile(self) -> None:
        """Compile the formulas with the C compiler of this machine: the same bits in less time (``ph_formula_compile``).

        Raises
        ------
        Error
            PH_E_INVALID: it is not a system of formulas; PH_E_UNSUPPORTED: there is no compiler, or it failed.
        """
        error = new_error()
        check(lib.ph_formula_compile(self._c, error), error)

    def energy(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Tuple[float, float]:
        """Kinetic and potential energy [J] at z (nz,), v (nz,) (``ph_system_energy``). The time t [s] matters to a Lagrangian that
        depends on time, here and below."""
        T, U = self._call(lib.ph_system_energy, z, v, (1, 1), self._work, number("t", t))
        return float(T[0]), float(U[0])

    def lagrangian(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> float:
        """L(z, v) [J] (``ph_system_lagrangian``)."""
        return float(self._call(lib.ph_system_lagrangian, z, v, (1,), self._work, number("t", t))[0][0])

    def lagrangian_gradient(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Tuple[Array, Array]:
        """dL/dz and dL/dv (nz,) in ambient coordinates (``ph_system_lagrangian_gradient``)."""
        nz = self.space.ambient
        Lz, Lv = self._call(lib.ph_system_lagrangian_gradient, z, v, (nz, nz), self._work, number("t", t))
        return Lz, Lv

    def lagrangian_hessian(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Tuple[Array, Array, Array]:
        """Lzz, Lvz, Lvv (nz, nz) (``ph_system_lagrangian_hessian``)."""
        nz = self.space.ambient
        a, b, c = (m.reshape(nz, nz) for m in self._call(lib.ph_system_lagrangian_hessian, z, v, (nz * nz,) * 3, self._work, number("t", t)))
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

    def momentum(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Array:
        """The momentum p (np,) of the velocity v: the Legendre transform (``ph_system_momentum``)."""
        return self._call(lib.ph_system_momentum, z, v, (self.space.momenta,), self._work, number("t", t))[0]

    def velocity(self, z: ArrayLike, p: ArrayLike, t: float = 0.0) -> Array:
        """The velocity (nz,) of the momentum p (np,) (``ph_system_velocity``)."""
        return self._call(lib.ph_system_velocity, z, p, (self.space.ambient,), self._work, number("t", t), second="p")[0]

    def covector(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Array:
        """P dL/dv (nz,), the Legendre transform in ambient coordinates (``ph_system_covector``)."""
        return self._call(lib.ph_system_covector, z, v, (self.space.ambient,), self._work, number("t", t))[0]

    def covector_velocity(self, z: ArrayLike, mu: ArrayLike, t: float = 0.0) -> Array:
        """The velocity (nz,) at which P dL/dv = P mu (``ph_system_covector_velocity``)."""
        return self._call(lib.ph_system_covector_velocity, z, mu, (self.space.ambient,), self._work, number("t", t), second="mu")[0]

    def euler_lagrange(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Tuple[Array, Array]:
        """A (nz, nz) = L_vv and b (nz,) = L_vz v + L_vt - L_z: without constraints A vdot + b = f (``ph_system_euler_lagrange``)."""
        nz = self.space.ambient
        A, b = self._call(lib.ph_system_euler_lagrange, z, v, (nz * nz, nz), self._work, number("t", t))
        return A.reshape(nz, nz), b

    def tangent_inertia(self, z: ArrayLike, v: ArrayLike, t: float = 0.0) -> Array:
        """E^T L_vv E (nx, nx), the inertia in the tangent coordinates of ``space.basis(z)`` (``ph_system_tangent_inertia``)."""
        z0, v0 = self.space.configuration(z), self.space.configuration(v, "v")
        E, A = np.empty(lib.ph_space_basis_size(self.space._c)), np.zeros((self.space.dimension, self.space.dimension))
        lib.ph_space_basis(self.space._c, pointer(z0), room(E))
        check(lib.ph_system_tangent_inertia(self._c, number("t", t), pointer(z0), pointer(v0), pointer(E), room(A), room(np.empty(self._work))))
        return np.asarray(np.tril(A) + np.tril(A, -1).T)

    def force_dv(self, t: float, z: ArrayLike, v: ArrayLike) -> Array:
        """df/dv (nz, nz) (``ph_system_force_dv``)."""
        nz = self.space.ambient
        return self._call(lib.ph_system_force_dv, z, v, (nz * nz,), 3 * max(nz, 1), number("t", t))[0].reshape(nz, nz)

    def potential_in_time(self, t: float, z: ArrayLike) -> float:
        """The potential U(t, z) [J] that depends on time (``ph_system_potential_in_time``)."""
        return float(self._call(lib.ph_system_potential_in_time, z, None, (1,), 0, number("t", t))[0][0])

    def gradient_in_time(self, t: float, z: ArrayLike) -> Array:
        """Its gradient (nz,) by z (``ph_system_gradient_in_time``)."""
        return self._call(lib.ph_system_gradient_in_time, z, None, (self.space.ambient,), 0, number("t", t))[0]

    def constraint_along(self, t: float, z: ArrayLike, v: ArrayLike, dt: float, dz: ArrayLike) -> Array:
        """The derivative (constraints,) of A v - b at fixed v along dt, dz (``ph_system_constraint_along``)."""
        z0, v0, d0 = (self.space.configuration(one, name) for one, name in ((z, "z"), (v, "v"), (dz, "dz")))
        rate, work = np.empty(self.constraints), np.empty(max(int(lib.ph_system_constraint_work(self._c)), 1))
        if self.constraints:
            check(lib.ph_system_constraint_along(self._c, number("t", t), pointer(z0), pointer(v0), number("dt", dt), pointer(d0),
                                                 room(rate), room(work)))
        return rate

    def constraint_follow(self, t: float, z: ArrayLike, v: ArrayLike, follows: Sequence[bool]) -> Array:
        """v (nz,) with the velocities of some factors computed from those of the others (``ph_system_constraint_follow``)."""
        z0, v0, error = self.space.configuration(z), self.space.configuration(v, "v").copy(), new_error()
        if len(follows) != len(self.space.factors):
            raise Error(f"follows has {len(follows)} entries; the space has {len(self.space.factors)} factors", "PH_E_SIZE")
        flags = ffi.new("bool[]", [bool(one) for one in follows])
        check(lib.ph_system_constraint_follow(self._c, number("t", t), pointer(z0), flags, room(v0), error), error)
        return v0

    def tensions(self, t: float, z: ArrayLike, v: ArrayLike) -> Array:
        """The force [N] along each link (factors,), positive where it pulls (``ph_link_tensions``)."""
        if not self.has_tensions:
            raise Error("the system has no links with tensions", "PH_E_UNSUPPORTED")
        work = max(int(lib.ph_link_tensions_work(self._c)), 1)
        return self._call(lib.ph_link_tensions, z, v, (len(self.space.factors),), work, number("t", t))[0]

    @property
    def scene(self) -> str:
        """What is drawn of it, as a line of JSON (``ph_scene_text``; the manual, Scenes)."""
        made = create("ph_scene", lambda out, error: lib.ph_scene_create(self._c, out, error), lib.ph_scene_free, self._c)
        passed()
        return text(lib.ph_scene_text(made))

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

    def places(self, z: ArrayLike, t: float = 0.0) -> Array:
        """Places (points, 3) [m] of masses and bodies in space (``ph_system_places``); t [s] matters to points of formulas that depend
        on it."""
        n = int(lib.ph_system_points(self._c))
        return self._call(lib.ph_system_places, z, None, (3 * n,), 0, number("t", t))[0].reshape(n, 3) if n else np.empty((0, 3))

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

    def fastest_rate(self, z: ArrayLike, t: float = 0.0) -> float:
        """The fastest rate [rad/s] of small motions at z and the time t (``ph_system_fastest_rate``); 0.05 / rate is a careful step."""
        z0, rate, error = self.space.configuration(z), ffi.new("double *"), new_error()
        check(lib.ph_system_fastest_rate(self._c, number("t", t), pointer(z0), rate, error), error)
        return float(rate[0])


def _at_any_time(function: Any) -> Any:
    """What does not depend on time, as C calls it."""
    if c_pointer(function) or not callable(function):
        return function
    return functools.wraps(function)(lambda t, *motion: function(*motion))


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


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
    instance("system", system, System)
    sample, tangent = system._sample() if z is None or v is None else (None, np.zeros(0))
    z0 = system.space.configuration(z) if z is not None else sample
    if z0 is None:
        raise Error("z and v must be given: the space has no nearest points")
    v0 = system.space.configuration(v, "v") if v is not None else system.space.project_tangent(z0, tangent)
    report, error = ffi.new("ph_derivative_report *"), new_error()
    check(lib.ph_system_check_derivatives(system._c, number("t", t), pointer(z0), pointer(v0), report, error), error)
    return [Mistake(text(e.name), e.error, not e.error < lib.PH_DERIVATIVE_WRONG, e.given, e.expected, text(e.mistake))
            for e in report.entry[0:report.n]]
