# SPDX-License-Identifier: BSD-3-Clause
"""Chaplygin reduction (``ph_bundle``): motions on a product B x G with a velocity constraint that the group G leaves as it is."""
from __future__ import annotations

from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import onerror
from ._core import (Array, ArrayLike, Constant, Error, Guard, Handle, Stretches, check, copied, count, create, doubles, new_error, number, pointer, room,
                    text, word)
from ._polhode import ffi, lib
from ._space import Factor, Space
from ._system import System

_GROUPS = {"S1": lib.PH_GROUP_S1, "SE2": lib.PH_GROUP_SE2, "SO3": lib.PH_GROUP_SO3}
_RULES = {"ends": lib.PH_BUNDLE_ENDS, "midpoint": lib.PH_BUNDLE_MIDPOINT, "rk4": lib.PH_BUNDLE_RK4}


class BundleReport(NamedTuple):
    """What ``Bundle.check`` has found (``ph_bundle_report``): errors relative to the largest entry, and the message of the first that
    is one; "" where there is none."""

    message: str
    metric: float
    derivative: float
    condition: float
    metric_varies: float
    potential_varies: float
    connection_varies: float
    affine_varies: float
    force_varies: float
    time: float


def _group(group: Union[str, int]) -> Tuple[int, int, int]:
    """Kind, k and dimension of a group: "S1", "SE2", "SO3", or k for R^k."""
    if isinstance(group, str):
        if group not in _GROUPS:
            raise Error(f"group is {group!r}; it must be {', '.join(_GROUPS)}, or k for the translations of R^k", "PH_E_UNKNOWN")
        return _GROUPS[group], 0, {"S1": 1}.get(group, 3)
    k = count("group", group, 1, int(lib.PH_GROUP_MOST))
    return lib.PH_GROUP_R, k, k


class _Functions:
    """The Python functions of a bundle, for C."""

    def __init__(self, na: int, g: int, data: Any, along: Any, force: Any) -> None:
        self.na, self.g, self.data_function, self.along_function, self.force_function = na, g, data, along, force

    def write(self, name: str, value: Any, to: Any) -> None:
        n, g = self.na + self.g, self.g
        if isinstance(value, Mapping):
            wrong = sorted(set(value) - {"K", "V", "w", "xi"})
            if wrong:
                raise Error(f"{name} returned the keys {', '.join(map(str, wrong))}; they are K, V, w, xi", "PH_E_UNKNOWN")
        else:
            raise Error(f"{name} returned {type(value).__name__}; it must return a dict of K, V, w, xi")
        for key, shape in (("K", (n, n)), ("V", ()), ("w", (g, self.na)), ("xi", (g,))):
            if value.get(key) is not None:
                array = doubles(f"{key} of {name}", value[key], shape)
                ffi.memmove(getattr(to, key), array, array.nbytes)

    def data(self, x: Any, to: Any) -> None:
        self.write("data", self.data_function(copied(x, self.na)), to)

    def along(self, x: Any, dx: Any, to: Any) -> None:
        self.write("along", self.along_function(copied(x, self.na), copied(dx, self.na)), to)

    def force(self, t: float, x: Any, v: Any, zeta: Any, to: Any) -> None:
        f = doubles("what force returned", self.force_function(t, copied(x, self.na), copied(v, self.na), copied(zeta, self.g)),
                    self.na + self.g)  # C adds it to zeros
        ffi.memmove(to, f, f.nbytes)


def _define(name: str) -> None:
    def callback(user: Any, *places: Any) -> int:
        getattr(ffi.from_handle(user), name)(*places)
        return 0

    ffi.def_extern(name=f"py_ph_bundle_{name}_fn", error=lib.PH_E_CALLBACK, onerror=onerror)(callback)


for _name in ("data", "along", "force"):
    _define(_name)


class Bundle(Constant):
    """A system on B x G that the group G leaves as it is, with the constraint zeta = xi(x) - w(x) v (``ph_bundle_create``).

    x, v are points and velocities of the base B; zeta is the velocity of the element h of G, hdot = h zeta. The Lagrangian is
    (v, zeta) . K(x) (v, zeta) / 2 - V(x).

    Parameters
    ----------
    base : Space or sequence of Factor
        B: R(d), S1, S2, SO3; na coordinates.
    group : "S1", "SE2", "SO3", or int
        G, of dimension g; k for the translations of R^k.
    data : function of x (na,)
        Returns a dict: K (na + g, na + g), V, w (g, na), xi (g,); what is left out is 0.
    along : function of x, dx, optional
        Its derivative along dx, as such a dict; without it differences of order 8 are taken.
    force : function of t, x, v, zeta, optional
        A covector (na + g,) on (v, zeta).

    Examples
    --------
    A wheel on an incline: its angle is the base, its place h, which rolls, the group. The acceleration of the angle is
    m g r sin a / (J + m r^2).

    >>> import polhode as ph
    >>> m, r, J, slope = 2.0, 0.5, 0.3, 9.81 * 0.1
    >>> wheel = ph.Bundle([ph.R(1)], 1, lambda x: {"K": [[J, 0], [0, m]], "V": -m * slope * r * x[0], "w": [[-r]]})
    >>> acceleration, reaction = wheel.acceleration(0, [0.0], [1.0])
    >>> bool(abs(acceleration[0] - m * slope * r / (J + m * r**2)) < 1e-12)
    True
    >>> motion = wheel.motion([0.0], [1.0], [0.0], step=0.01)
    >>> motion.step(100)
    >>> round(float(motion.h[0] - r * motion.x[0]), 12)
    0.0

    Source: manual, Chaplygin reduction.
    """

    def __init__(self, base: Union[Space, Factor, Sequence[Factor]], group: Union[str, int], data: Callable[[Array], Any], *,
                 along: Optional[Callable[[Array, Array], Any]] = None,
                 force: Optional[Callable[[float, Array, Array, Array], ArrayLike]] = None) -> None:
        space = base if isinstance(base, Space) else Space(base)
        kind, k, g = _group(group)
        for name, function in (("data", data), ("along", along), ("force", force)):
            if not callable(function) and (function is not None or name == "data"):
                raise Error(f"{name} is {function!r}; it must be a function")
        functions = _Functions(space.ambient, g, data, along, force)
        handle = ffi.new_handle(functions)
        d = ffi.new("ph_bundle_definition *", {"base": space._c, "group": {"kind": kind, "k": k}, "user": handle})
        d.data = lib.py_ph_bundle_data_fn
        d.along = lib.py_ph_bundle_along_fn if along is not None else ffi.NULL
        d.force = lib.py_ph_bundle_force_fn if force is not None else ffi.NULL
        self._own(create("ph_bundle", lambda out, error: lib.ph_bundle_create(d, out, error), lib.ph_bundle_free, handle, functions,
                         space))
        x = self.base.project(np.random.default_rng(5).normal(size=space.ambient))
        self.energy(x, np.zeros(space.ambient))  # so that what is wrong with data is seen here

    def _own(self, c: Any) -> None:
        self._c = c
        self.base: Space = Space._of(lib.ph_bundle_base(c), c)
        self.fibre: Space = Space._of(lib.ph_bundle_fibre(c), c)
        self.dimension = int(lib.ph_bundle_group_dimension(c))

    @classmethod
    def from_system(cls, system: System, group: Union[str, int], factors: Sequence[int], *, inverse: bool = False) -> "Bundle":
        """The bundle of a system with velocity constraints, some of whose factors are the group (``ph_bundle_create_from_system``).

        Parameters
        ----------
        system : System
        group : "S1", "SE2", "SO3", or int
        factors : list of int
            Which factors are h: for R^k factors R^d with k dimensions together, for SE2 an R^2 and an S^1, in this order.
        inverse : bool
            The factor is h^-1 (S1, SO3): the group acts from the right.
        """
        if not isinstance(system, System):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        kind, k, _ = _group(group)
        numbers = ffi.new("size_t[]", [count(f"factors[{i}]", f, 0, len(system.space.factors) - 1) for i, f in enumerate(factors)])
        action = ffi.new("ph_bundle_action *", {"group": {"kind": kind, "k": k}, "factor": numbers, "n_factors": len(numbers),
                                                "inverse": bool(inverse)})
        self = cls.__new__(cls)
        self._own(create("ph_bundle", lambda out, error: lib.ph_bundle_create_from_system(system._c, action, out, error),
                         lib.ph_bundle_free, system))
        return self

    def check(self, samples: int = 8) -> BundleReport:
        """Is it one, at so many random points: the metric positive definite, w a connection, all invariant (``ph_bundle_check``)?"""
        report, error = ffi.new("ph_bundle_report *"), new_error()
        status = lib.ph_bundle_check(self._c, count("samples", samples, 1, 10**6), report, error)
        if status not in (0, lib.PH_E_SINGULAR, lib.PH_E_UNSUPPORTED):
            check(status, error)
        return BundleReport(text(error.message) if status else "", *(getattr(report, name) for name in BundleReport._fields[1:]))

    def _call(self, function: Any, inputs: Sequence[Any], *sizes: int) -> List[Array]:
        out = [np.empty(n) for n in sizes]
        work = np.empty(max(int(lib.ph_bundle_work(self._c)), 1))
        check(function(self._c, *inputs, *map(room, out), room(work)))
        return out

    def _points(self, x: ArrayLike, *others: Tuple[str, ArrayLike]) -> List[Any]:
        return [pointer(self.base.configuration(x, "x"))] + [pointer(self.base.configuration(v, name)) for name, v in others]

    def group_velocity(self, x: ArrayLike, v: ArrayLike) -> Array:
        """zeta (g,) = xi(x) - w(x) v (``ph_bundle_group_velocity``)."""
        return self._call(lib.ph_bundle_group_velocity, self._points(x, ("v", v)), self.dimension)[0]

    def curvature(self, x: ArrayLike, u: ArrayLike, v: ArrayLike) -> Array:
        """The curvature (g,) of the connection on tangent vectors u and v (``ph_bundle_curvature``)."""
        return self._call(lib.ph_bundle_curvature, self._points(x, ("u", u), ("v", v)), self.dimension)[0]

    def momentum(self, x: ArrayLike, v: ArrayLike) -> Tuple[Array, Array, Array]:
        """The horizontal momentum y, and the full one: dl/dv, dl/dzeta (``ph_bundle_momentum``)."""
        n = self.base.momenta
        y, px, pzeta = self._call(lib.ph_bundle_momentum, self._points(x, ("v", v)), n, n, self.dimension)
        return y, px, pzeta

    def velocity(self, x: ArrayLike, y: ArrayLike) -> Array:
        """The velocity of the horizontal momentum y (``ph_bundle_velocity``)."""
        return self._call(lib.ph_bundle_velocity, [*self._points(x), pointer(doubles("y", y, self.base.momenta))], self.base.ambient)[0]

    def energy(self, x: ArrayLike, v: ArrayLike) -> float:
        """The energy [J] (``ph_bundle_energy``)."""
        return float(self._call(lib.ph_bundle_energy, self._points(x, ("v", v)), 1)[0][0])

    def acceleration(self, t: float, x: ArrayLike, v: ArrayLike) -> Tuple[Array, Array]:
        """xddot (na,) by the reduced equation, and the multipliers (g,) of the constraint (``ph_bundle_acceleration``)."""
        a, reaction = self._call(lib.ph_bundle_acceleration, [number("t", t), *self._points(x, ("v", v))], self.base.ambient, self.dimension)
        return a, reaction

    def move(self, h: ArrayLike, f: ArrayLike) -> Array:
        """h exp(f) (``ph_bundle_group_move``)."""
        moved = np.empty(self.fibre.ambient)
        h0, f0 = self.fibre.configuration(h, "h"), doubles("f", f, self.dimension)
        lib.ph_bundle_group_move(self._c, pointer(h0), pointer(f0), room(moved))
        return moved

    def motion(self, x: ArrayLike, v: ArrayLike, h: ArrayLike, *, step: float, rule: str = "ends", composition: Optional[str] = None,
               t: float = 0.0) -> "BundleMotion":
        """A motion from x with the velocity v, at h in the group.

        Parameters
        ----------
        step : float
            [s]; negative: backwards.
        rule : "ends", "midpoint" or "rk4"
            The reduced discrete step, of order 2, or the reduced equation by the Runge-Kutta-Munthe-Kaas method of order 4.
        composition : str, optional
            The composition of discrete steps, as for ``variational``: "kahan-li-9".
        """
        return BundleMotion(self, x, v, h, step=step, rule=rule, composition=composition, t=t)

    def __repr__(self) -> str:
        return f"<polhode.Bundle {self.base.factors!r} x {self.fibre.factors!r}>"


class BundleMotion(Handle):
    """A motion of a bundle, followed step by step (``ph_bundle_motion``): what ``Bundle.motion`` returns. One thread at a time."""

    def __init__(self, bundle: Bundle, x: ArrayLike, v: ArrayLike, h: ArrayLike, *, step: float, rule: str, composition: Optional[str],
                 t: float) -> None:
        if rule not in _RULES:
            raise Error(f"rule is {rule!r}; it must be {', '.join(_RULES)}", "PH_E_UNKNOWN")
        name = ffi.NULL if composition is None else ffi.new("char[]", word("composition", composition))
        self.bundle = bundle
        self._one, self._stretches = Guard("motion"), Stretches()
        self._c = create("ph_bundle_motion", lambda out, error: lib.ph_bundle_motion_create(bundle._c, _RULES[rule], name, number("step", step),
                                                                                           out, error), lib.ph_bundle_motion_free, bundle)
        self.set(x, v, h, t)

    def set(self, x: ArrayLike, v: ArrayLike, h: ArrayLike, t: float = 0.0) -> None:
        """Start again from here (``ph_bundle_motion_set``)."""
        b, error = self.bundle, new_error()
        x0, v0, h0 = b.base.configuration(x, "x"), b.base.configuration(v, "v"), b.fibre.configuration(h, "h")
        with self._one():
            check(lib.ph_bundle_motion_set(self._c, number("t", t), pointer(x0), pointer(v0), pointer(h0), error), error)

    def step(self, n: int = 1) -> None:
        """Take n steps, each whole or not at all (``ph_bundle_motion_step``)."""
        error = new_error()
        with self._one():
            check(self._stretches.run(count("n", n), lambda m: int(lib.ph_bundle_motion_step(self._c, m, error))), error)

    def set_step_size(self, step: float) -> None:
        """Continue with another step size [s] (``ph_bundle_motion_set_step_size``)."""
        error = new_error()
        with self._one():
            check(lib.ph_bundle_motion_set_step_size(self._c, number("step", step), error), error)

    @property
    def t(self) -> float:
        """Time [s] (``ph_bundle_motion_time``)."""
        return float(lib.ph_bundle_motion_time(self._c))

    @property
    def x(self) -> Array:
        """The point (na,) of the base (``ph_bundle_motion_base``)."""
        return copied(lib.ph_bundle_motion_base(self._c), self.bundle.base.ambient)

    @property
    def y(self) -> Array:
        """The horizontal momentum (``ph_bundle_motion_y``)."""
        return copied(lib.ph_bundle_motion_y(self._c), self.bundle.base.momenta)

    @property
    def v(self) -> Array:
        """The velocity (na,) of the base."""
        return self.bundle.velocity(self.x, self.y)

    @property
    def h(self) -> Array:
        """The element of the group (``ph_bundle_motion_group``)."""
        return copied(lib.ph_bundle_motion_group(self._c), self.bundle.fibre.ambient)

    @property
    def iterations(self) -> int:
        """Corrections of Newton's iteration so far (``ph_bundle_motion_newton_passes``)."""
        return int(lib.ph_bundle_motion_newton_passes(self._c))


def sphere_step(J: ArrayLike, h: float, R: ArrayLike, y: ArrayLike) -> Tuple[Array, Array, Array]:
    """The reduced step of a body that may not turn about the vertical (Veselova), on a circle bundle over S^2
    (``ph_bundle_sphere_step``).

    Parameters
    ----------
    J : (3, 3)
        Inertia tensor [kg m^2].
    h : float
        Step [s].
    R : (3, 3)
        Attitude.
    y : (3,)
        Reduced momentum [kg m^2/s], perpendicular to gamma = R^T e3.

    Returns
    -------
    R, y, f
        After the step, and the turn f (3,) in the body's frame.
    """
    turn, mu, f = doubles("R", R, (3, 3)).copy(), doubles("y", y, 3).copy(), np.empty(3)
    tensor, error = doubles("J", J, (3, 3)), new_error()
    check(lib.ph_bundle_sphere_step(pointer(tensor), number("h", h), room(turn), room(mu), room(f), error), error)
    return turn, mu, f
