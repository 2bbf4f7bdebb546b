# SPDX-License-Identifier: BSD-3-Clause
"""Bodies under mutual gravity (``ph_gravitation``), the attraction of two, the exact field of a polyhedron, orbits of two bodies."""
from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._core import Array, ArrayLike, Constant, Error, check, count, create, doubles, instance, new_error, number, own, pointer, room
from ._mass import Mass, Mesh, mesh
from ._polhode import ffi, lib
from ._system import System

G = float(lib.PH_GRAVITY_CONSTANT)
"""The constant of gravity [m^3/(kg s^2)], CODATA 2018."""


class Given(NamedTuple):
    """A point of mass [kg] on a prescribed Kepler motion, which attracts and is not attracted (``ph_given_body``).

    ``axis`` a [m], negative of a hyperbola; ``eccentricity``; ``inclination``, ``node``, ``periapsis`` [rad]; ``passage``: a time
    at the periapsis [s]; ``mu`` [m^3/s^2], 0: G times the mass. ``far``: the tide of a distant body alone; ``points``: without
    torques.
    """

    mass: float
    axis: float
    eccentricity: float = 0.0
    inclination: float = 0.0
    node: float = 0.0
    periapsis: float = 0.0
    passage: float = 0.0
    mu: float = 0.0
    far: bool = False
    points: bool = False


class Central(NamedTuple):
    """A body that is held in the origin and attracts the others (``ph_central_body``): its attitude at the time t is
    attitude exp(t S(spin)), ``spin`` (3,) [rad/s] in its own frame. ``surface``: its field is the exact one of this homogeneous
    polyhedron of the same mass; ``shape``: a surface for figures alone."""

    mass: Mass
    attitude: Optional[ArrayLike] = None
    spin: ArrayLike = (0.0, 0.0, 0.0)
    surface: Optional[Mesh] = None
    shape: Optional[Mesh] = None


class Tide(NamedTuple):
    """Tides that the other bodies raise on one (``ph_tide``): k_2, reference radius [m], lag [rad], density [kg/m^3]."""

    love: float
    radius: float
    lag: float
    density: float


class Forces(NamedTuple):
    """Forces (places, 3) [N] in space, torques (attitudes, 3) [N m] in the bodies' frames, and the energy U [J] or power [W]."""

    force: Array
    torque: Array
    energy: float


class Convergence(NamedTuple):
    """How far the series of a pair can be trusted (``ph_convergence``): relative errors (9,) of an order N, inf where terms do not
    shrink."""

    distance: float
    radii: float
    force: Array
    torque_a: Array
    torque_b: Array


class Attraction(NamedTuple):
    """What two bodies do to each other (``ph_attraction``), in the frame of the first: U [J], its terms by order (9,), the force on the
    second [N], the torques on both [N m]."""

    potential: float
    by_order: Array
    force: Array
    torque_a: Array
    torque_b: Array


class Elements(NamedTuple):
    """Osculating elements (``ph_elements``): lengths a, q [m], e, angles [rad]."""

    a: float
    q: float
    e: float
    i: float
    node: float
    periapsis: float
    true_anomaly: float
    mean_anomaly: float
    longitude: float


def _rotation(name: str, value: Optional[ArrayLike]) -> Array:
    R = doubles(name, np.eye(3) if value is None else value, (3, 3))
    if not np.allclose(R @ R.T, np.eye(3), atol=1e-9) or np.linalg.det(R) < 0:
        raise Error(f"{name} is not a rotation", "PH_E_NOT_ON_MANIFOLD")
    return R


def _mass_of(name: str, value: Any) -> Any:
    instance(name, value, Mass)
    return value._c


def attract(a: Mass, b: Mass, r: ArrayLike, C: Optional[ArrayLike] = None, *, order: int = 4, constant: float = G) -> Attraction:
    """The mutual attraction of two bodies (``ph_attract``).

    Parameters
    ----------
    a, b : Mass
    r : (3,)
        From the origin of a's frame to that of b's, in the frame of a [m].
    C : (3, 3), optional
        The rotation from the frame of b to that of a.
    order : int
        Terms that count, at most 8.

    Examples
    --------
    >>> import polhode as ph
    >>> ph.attract(ph.Mass.sphere(2.0), ph.Mass.sphere(3.0), [2, 0, 0], constant=1.0).force
    array([-1.5, -0. , -0. ])
    """
    r0, C0, out = doubles("r", r, 3), _rotation("C", C), ffi.new("ph_attraction *")
    lib.ph_attract(_mass_of("a", a), _mass_of("b", b), count("order", order, 0, lib.PH_MASS_DEGREE), number("constant", constant),
                   pointer(r0), pointer(C0), out)
    return Attraction(out.potential, *(np.array(list(getattr(out, name))) for name in Attraction._fields[1:]))


class Polyhedron(Constant):
    """A homogeneous polyhedron of a density [kg/m^3], for its exact field (``ph_polyhedron``).

    Examples
    --------
    >>> import polhode as ph
    >>> corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    >>> faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
    ...          [1, 5, 7], [1, 7, 3]]
    >>> cube = ph.Polyhedron(ph.Mesh(corners, faces), 1.0)
    >>> U, force, inside = cube.attract([0.5, 0.5, 0.5], constant=1.0)
    >>> round(inside, 12), bool(abs(force).max() < 1e-12)
    (1.0, True)
    """

    def __init__(self, surface: Mesh, density: float) -> None:
        kept: List[Any] = []
        c, rho = mesh("surface", surface, kept), number("density", density)
        self._c = create("ph_polyhedron", lambda out, err: lib.ph_polyhedron_create(c, rho, out, err), lib.ph_polyhedron_free)

    def attract(self, p: ArrayLike, mass: float = 1.0, *, constant: float = G) -> Tuple[float, Array, float]:
        """Energy U [J] of a point of this mass [kg] at p (3,) [m], the force on it (3,) [N], and 1 inside, 0 outside
        (``ph_polyhedron_attract``)."""
        p0, force, out = doubles("p", p, 3), np.empty(3), ffi.new("double[2]")
        lib.ph_polyhedron_attract(self._c, number("constant", constant), number("mass", mass), pointer(p0), out, room(force), out + 1)
        return out[0], force, out[1]


class Gravitation(Constant):
    """Bodies under mutual gravity (``ph_gravitation``).

    The configuration has an R^3 for each place (one, x_B - x_A, where ``relative``), then an SO(3) for each body that turns.

    Parameters
    ----------
    masses : sequence of Mass
        Each about its centre of mass (``Mass.centered``).
    order : int
        Terms of the mutual potential that count, at most 8.
    constant : float
        G [m^3/(kg s^2)].
    relative : bool
        For two bodies the distance alone.
    turning : sequence of bool, optional
        Has each an attitude? By default where its J is not 0.
    given : sequence of Given
        Bodies on prescribed motions.
    central : Central, optional
        A body that is held in the origin.
    tides : sequence of Tide or None, optional
        For each body.
    shapes : sequence of Mesh or None, optional
        Surfaces for figures.

    Examples
    --------
    >>> import numpy as np, polhode as ph
    >>> pair = ph.Gravitation([ph.Mass.sphere(1.0), ph.Mass.sphere(3.0)], constant=1.0, relative=True)
    >>> it = ph.Integrator(pair.system(), step=2 * np.pi / 8 / 200, order=4)  # a circle of radius 4 for mu = 4: period 2 pi 4
    >>> state = it.state([4, 0, 0], [0, 1, 0])
    >>> it.step(state, 1600 * 4)
    >>> bool(np.allclose(state.z, [4, 0, 0], atol=1e-6))
    True
    """

    _c: Any
    _define: Optional[Tuple[Any, List[Any], Optional[Central]]]

    def __init__(self, masses: Sequence[Mass], *, order: int = 4, constant: float = G, relative: bool = False,
                 turning: Optional[Sequence[bool]] = None, given: Sequence[Given] = (), central: Optional[Central] = None,
                 tides: Optional[Sequence[Optional[Tide]]] = None, shapes: Optional[Sequence[Optional[Mesh]]] = None) -> None:
        n = len(masses)
        kept: List[Any] = []
        d = ffi.new("ph_gravitation_definition *", {"bodies": n, "order": count("order", order, 0, lib.PH_MASS_DEGREE),
                                                    "G": number("constant", constant), "relative": bool(relative)})

        def array(kind: str, length: int) -> Any:
            kept.append(ffi.new(f"{kind}[]", max(1, length)))
            return kept[-1]

        for name, value in (("turning", turning), ("tides", tides), ("shapes", shapes)):
            if value is not None and len(value) != n:
                raise Error(f"{name} has {len(value)} entries; there are {n} masses", "PH_E_SIZE")
        d.mass = mass = array("ph_mass", n)
        for i, body in enumerate(masses):
            mass[i] = _mass_of(f"masses[{i}]", body)[0]
        if turning is not None:
            d.turning = ffi.cast("const bool *", flags := array("bool", n))
            for i, turns in enumerate(turning):
                flags[i] = bool(turns)
        d.given, d.n_given = (bodies := array("ph_given_body", len(given))), len(given)
        for i, (c, one) in enumerate(zip(bodies, given)):
            instance(f"given[{i}]", one, Given)
            c.mass, c.far, c.points = number(f"mass of given[{i}]", one.mass), bool(one.far), bool(one.points)
            for name in ("mu", "axis", "eccentricity", "inclination", "node", "periapsis", "passage"):
                setattr(c.orbit, name, number(f"{name} of given[{i}]", getattr(one, name)))
        if tides is not None:
            d.tides = raised = array("ph_tide", n)
            for i, (c, tide) in enumerate(zip(raised, tides)):
                if tide is not None:
                    for name, x in zip(Tide._fields, tide):
                        setattr(c, name, number(f"{name} of tides[{i}]", x))
        if shapes is not None:
            d.shapes = surfaces = array("const ph_mesh *", n)
            for i, shape in enumerate(shapes):
                if shape is not None:
                    surfaces[i] = mesh(f"shapes[{i}]", shape, kept)
        if central is not None:
            instance("central", central, Central)
            d.central.mass = _mass_of("mass of central", central.mass)
            kept.append(central)
            d.central.attitude = _rotation("attitude of central", central.attitude).ravel().tolist()
            d.central.spin = doubles("spin of central", central.spin, 3).tolist()
            if central.shape is not None:
                d.central.shape = mesh("shape of central", central.shape, kept)
        self._define = (d, kept, central)
        self._keep: object = None
        self._c = self._create()
        self._measure()

    @classmethod
    def _of(cls, system: System) -> "Gravitation":
        self = cls.__new__(cls)
        self._define, self._keep = None, system
        self._c = lib.ph_system_gravitation(system._c)
        if self._c == ffi.NULL:
            raise Error("this is not a system of bodies under mutual gravity", "PH_E_UNSUPPORTED")
        self._measure()
        return self

    def _create(self, owned: bool = True) -> Any:
        """A description of its own, as a system takes one over."""
        if self._define is None:
            raise Error("this belongs to a system, which there is already", "PH_E_UNSUPPORTED")
        d, kept, central = self._define
        exact = ffi.NULL
        if central is not None and central.surface is not None:
            more: List[Any] = []
            c, volume, error = mesh("surface of central", central.surface, more), ffi.new("ph_mass *"), new_error()
            check(lib.ph_mass_polyhedron(c, 1.0, volume, ffi.NULL, error), error)
            found = ffi.new("ph_polyhedron **")
            check(lib.ph_polyhedron_create(c, central.mass.mass / volume.moment[0], found, error), error)
            exact = found[0]
        d.central.exact = exact
        handle, error = ffi.new("ph_gravitation **"), new_error()
        status = lib.ph_gravitation_create(d, handle, error)
        if status:
            lib.ph_polyhedron_free(exact)
            check(status, error)
        return own(handle[0], lib.ph_gravitation_free) if owned else handle[0]

    def _measure(self) -> None:
        c = self._c
        self.bodies: int = lib.ph_gravitation_bodies(c)
        self.places: int = lib.ph_gravitation_places(c)
        self.attitudes: int = lib.ph_gravitation_attitudes(c)
        self._shape = (3 * self.places + 9 * self.attitudes,)

    def system(self) -> System:
        """A system with these bodies (``ph_gravitation_build``)."""
        c = self._create(owned=False)
        return System._of(create("ph_system", lambda out, err: lib.ph_gravitation_build(c, out, err), lib.ph_system_free))

    @property
    def masses(self) -> List[Mass]:
        """The mass distributions of the bodies."""
        out = []
        for i in range(self.bodies):
            body = Mass._new()
            body._c[0] = lib.ph_gravitation_mass(self._c, i)[0]
            out.append(body)
        return out

    def _z(self, z: ArrayLike) -> Array:
        return doubles("z", np.ravel(np.asarray(z, dtype=float)) if not isinstance(z, (list, tuple)) else
                       np.concatenate([np.ravel(doubles("z", part)) for part in z]) if any(np.ndim(part) for part in z) else z,
                       self._shape[0])

    def forces(self, z: ArrayLike, t: float = 0.0, *, points: bool = True, shapes: bool = True, given: bool = True) -> Forces:
        """The attraction at z (nz,) and t [s] (``ph_gravitation_forces``): of the masses as points, of their shapes, of the given
        bodies."""
        parts = points * lib.PH_ATTRACT_POINTS | shapes * lib.PH_ATTRACT_SHAPES | given * lib.PH_ATTRACT_GIVEN
        if not parts:
            raise Error("one of points, shapes, given must be asked for")
        z0, out = self._z(z), ffi.new("double *")
        force, torque = np.empty((self.places, 3)), np.empty((self.attitudes, 3))
        lib.ph_gravitation_forces(self._c, parts, number("t", t), pointer(z0), room(force), room(torque), out)
        return Forces(force, torque, out[0])

    def energy(self, z: ArrayLike, t: float = 0.0) -> float:
        """The potential energy [J]."""
        return self.forces(z, t).energy

    def rate(self, z: ArrayLike, t: float = 0.0) -> float:
        """dU/dt [W] at fixed z, by prescribed motions (``ph_gravitation_rate``)."""
        z0, out = self._z(z), ffi.new("double *")
        lib.ph_gravitation_rate(self._c, lib.PH_ATTRACT_ALL, number("t", t), pointer(z0), out)
        return float(out[0])

    def tides(self, z: ArrayLike, p: ArrayLike) -> Forces:
        """Forces and torques of the tides, and their power [W], at z (nz,) and the momenta p (``ph_gravitation_tides``)."""
        z0, p0 = self._z(z), doubles("p", p, 3 * (self.places + self.attitudes))
        force, torque, out = np.empty((self.places, 3)), np.empty((self.attitudes, 3)), ffi.new("double *")
        lib.ph_gravitation_tides(self._c, pointer(z0), pointer(p0), room(force), room(torque), out)
        return Forces(force, torque, out[0])

    def dissipate(self, tau: float, z: ArrayLike, p: ArrayLike) -> Array:
        """What the tides change the momenta p by in the time tau [s] at a fixed z (``ph_gravitation_dissipate``)."""
        z0, p0 = self._z(z), doubles("p", p, 3 * (self.places + self.attitudes))
        change, work = np.empty(p0.size), np.empty(max(1, int(lib.ph_gravitation_dissipate_work(self._c))))
        lib.ph_gravitation_dissipate(self._c, number("tau", tau), pointer(z0), pointer(p0), room(change), room(work))
        return change

    def convergence(self, z: ArrayLike, a: Optional[int] = 0, b: int = 1, t: float = 0.0) -> Convergence:
        """How far the series of the bodies a < b can be trusted; a = None: the central one (``ph_gravitation_convergence``)."""
        z0, out, error = self._z(z), ffi.new("ph_convergence *"), new_error()
        first = int(ffi.cast("size_t", -1)) if a is None else count("a", a, 0, self.bodies)
        check(lib.ph_gravitation_convergence(self._c, number("t", t), pointer(z0), first, count("b", b, 0, self.bodies), out, error), error)
        return Convergence(out.distance, out.radii, *(np.array(list(getattr(out, name))) for name in Convergence._fields[2:]))

    def given_place(self, i: int, t: float) -> Tuple[Array, Array]:
        """Place (3,) [m] and velocity (3,) [m/s] of a given body at t [s] (``ph_gravitation_given_place``)."""
        x, v = np.empty(3), np.empty(3)
        lib.ph_gravitation_given_place(self._c, count("i", i, 0, int(lib.ph_gravitation_given(self._c)) - 1), number("t", t), room(x),
                                       room(v))
        return x, v

    def central_attitude(self, t: float) -> Array:
        """The attitude (3, 3) of the central body at t [s] (``ph_gravitation_central_attitude``)."""
        R = np.empty((3, 3))
        lib.ph_gravitation_central_attitude(self._c, number("t", t), room(R))
        return R

    def turn_axes(self, angle: float, rate: float, z: ArrayLike, v: ArrayLike) -> Tuple[Array, Array]:
        """z, v (nz,) as seen from axes turned by an angle [rad] about e3 that turn at a rate [rad/s]
        (``ph_gravitation_turn_axes``)."""
        z0, v0 = self._z(z).copy(), self._z(v).copy()
        lib.ph_gravitation_turn_axes(self._c, number("angle", angle), number("rate", rate), pointer(z0), pointer(v0), room(z0), room(v0))
        return z0, v0

    def __repr__(self) -> str:
        return f"<polhode.Gravitation of {self.bodies} bodies, order {int(lib.ph_gravitation_order(self._c))}>"


def gravitation(system: System) -> Gravitation:
    """The bodies under mutual gravity that a system was built from (``ph_system_gravitation``).

    Examples
    --------
    >>> import polhode as ph
    >>> ph.gravitation(ph.model("binary").system())
    <polhode.Gravitation of 2 bodies, order 4>
    """
    instance("system", system, System)
    return Gravitation._of(system)


# ---- Orbits of two bodies


def orbit_elements(mu: float, x: ArrayLike, v: ArrayLike) -> Elements:
    """Osculating elements of the state x (3,) [m], v (3,) [m/s] for mu [m^3/s^2] (``ph_elements_from_state``).

    Examples
    --------
    >>> import polhode as ph
    >>> elements = ph.orbit_elements(1.0, [1, 0, 0], [0, 1.25**0.5, 0])
    >>> round(elements.e, 12), round(elements.a, 12)
    (0.25, 1.333333333333)
    """
    x0, v0, out = doubles("x", x, 3), doubles("v", v, 3), ffi.new("ph_elements *")
    gravity = number("mu", mu)
    if gravity <= 0:
        raise Error(f"mu is {gravity}; it must be positive", "PH_E_RANGE")
    lib.ph_elements_from_state(gravity, pointer(x0), pointer(v0), out)
    return Elements(*(getattr(out, name) for name in Elements._fields))


def orbit_state(mu: float, q: float, e: float, i: float = 0.0, node: float = 0.0, periapsis: float = 0.0,
                true_anomaly: float = 0.0) -> Tuple[Array, Array]:
    """x (3,), v (3,) of the distance of the periapsis q = a (1 - e) [m], e and angles [rad] (``ph_elements_state``)."""
    c = ffi.new("ph_elements *")
    for name, value in (("q", q), ("e", e), ("i", i), ("node", node), ("periapsis", periapsis), ("true_anomaly", true_anomaly)):
        setattr(c, name, number(name, value))
    x, v, error = np.empty(3), np.empty(3), new_error()
    check(lib.ph_elements_state(number("mu", mu), c, room(x), room(v), error), error)
    return x, v


def true_anomaly(e: float, mean_anomaly: float) -> float:
    """The true anomaly [rad] of a mean anomaly, by Kepler's equation (``ph_true_anomaly``)."""
    out, error = ffi.new("double *"), new_error()
    check(lib.ph_true_anomaly(number("e", e), number("mean_anomaly", mean_anomaly), out, error), error)
    return float(out[0])


def orbit_frame(x: ArrayLike, v: ArrayLike) -> Array:
    """The axes of the orbit as columns (3, 3): radial, along the track, normal (``ph_orbit_frame``)."""
    x0, v0, O = doubles("x", x, 3), doubles("v", v, 3), np.empty((3, 3))
    lib.ph_orbit_frame(pointer(x0), pointer(v0), room(O))
    return O


def orbit_angles(Q: ArrayLike) -> Array:
    """Roll, pitch, yaw (3,) [rad] of a rotation Q (3, 3) = R1(roll) R2(pitch) R3(yaw) (``ph_orbit_angles``)."""
    Q0, angles = _rotation("Q", Q), np.empty(3)
    lib.ph_orbit_angles(pointer(Q0), room(angles))
    return angles
