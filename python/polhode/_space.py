# SPDX-License-Identifier: BSD-3-Clause
"""Configuration spaces: products of R^d, S^1, S^2, SO(3), embedded manifolds; spheres as phase space."""
from __future__ import annotations

from itertools import groupby
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import Callbacks
from ._core import Array, ArrayLike, Constant, Error, Fixed, check, count, create, doubles, passed, pointer, room, text, word
from ._polhode import ffi, lib


class Factor(Fixed):
    """A manifold of a product: ``R(d)``, ``S1``, ``S2``, ``SO3``, ``Spin``, or an ``Embedded`` one."""

    def __init__(self, kind: int, name: str, d: int = 0) -> None:
        self.kind, self.name, self.d = kind, name, d

    def __repr__(self) -> str:
        return self.name

    def __pow__(self, n: int) -> List["Factor"]:
        return [self] * count("the power", n, 1)


def R(d: int) -> Factor:
    """The space R^d, d >= 1."""
    return Factor(lib.PH_FACTOR_R, f"R({d})", count("d", d, 1, 2**31))


S1 = Factor(lib.PH_FACTOR_S1, "S1")
"""The unit circle in R^2."""
S2 = Factor(lib.PH_FACTOR_S2, "S2")
"""The unit sphere in R^3."""
SO3 = Factor(lib.PH_FACTOR_SO3, "SO3")
"""The rotations of R^3: matrices from the body to space, row after row."""
Spin = Factor(lib.PH_FACTOR_SPIN, "Spin")
"""The unit sphere as phase space: a spin, a point vortex, a Bloch vector."""


class Embedded(Factor):
    """A manifold M embedded in R^n: {g(x) = 0}, or what an orthogonal projection P(x) projects on (``ph_embedding``).

    Parameters
    ----------
    n, dimension : int
        Dimensions of R^n (2 to 48) and of the manifold.
    constraint, jacobian : functions of x (n,)
        g (n - dimension,) and its derivative (n - dimension, n).
    bend : function of x, v, optional
        The derivative of the Jacobian along v; by differences where it is not given.
    projection, projection_along : functions, instead of constraint and jacobian
        P(x) (n, n), and its derivative along v.

    Examples
    --------
    >>> import numpy as np, polhode as ph
    >>> a = np.array([1.0, 4.0, 9.0])
    >>> ellipsoid = ph.Embedded(3, 2, constraint=lambda x: x @ (x / a) - 1, jacobian=lambda x: 2 * x / a)
    >>> ph.Space([ellipsoid]).dimension
    2
    """

    _callbacks: Any
    _c: Any

    def __init__(self, n: int, dimension: int, *, constraint: Any = None, jacobian: Any = None, bend: Any = None,
                 projection: Any = None, projection_along: Any = None, user: Any = None,
                 name: str = "embedded manifold") -> None:
        super().__init__(lib.PH_FACTOR_EMBEDDED, name)
        n = count("n", n, 2, lib.PH_EMBEDDING_MOST)
        dimension = count("dimension", dimension, 1, n - 1)
        self._callbacks = Callbacks({"n": n, "k": n - dimension}, user)
        self._name = ffi.new("char[]", word("name", name))
        self._c = ffi.new("ph_embedding *", {"name": self._name, "n": n, "dimension": dimension})
        for member, function, kind in (("constraint", constraint, "constraint"), ("jacobian", jacobian, "constraint_jacobian"),
                                       ("bend", bend, "constraint_bend"), ("projection", projection, "projection"),
                                       ("projection_along", projection_along, "projection_along")):
            self._callbacks.add(self._c, member, member, function, kind)
        self._callbacks.finish(self._c)

    @classmethod
    def subspace(cls, A: ArrayLike) -> "Embedded":
        """{x: A x = 0} in R^n, A (m, n) of rank m < n (``ph_embedding_subspace``)."""
        rows = doubles("A", A, (-1, -1)).copy()
        m, n = rows.shape
        self = cls.__new__(cls)
        Factor.__init__(self, lib.PH_FACTOR_EMBEDDED, "subspace")
        count("n", n, 2, lib.PH_EMBEDDING_MOST)
        count("the rows of A", m, 1, n - 1)
        described = ffi.new("ph_subspace *", {"m": m, "n": n, "A": pointer(rows)})
        self._callbacks, self._c = [rows, described], ffi.new("ph_embedding *", lib.ph_embedding_subspace(described))
        return self


def shown(factors: Sequence[Factor]) -> str:
    """The factors as a text; of many, runs of one kind as a power."""
    if len(factors) <= 8:
        return f"[{', '.join(map(repr, factors))}]"
    runs = [(name, sum(1 for _ in run)) for name, run in groupby(map(repr, factors))]
    parts = [name if n == 1 else f"{name}**{n}" for name, n in runs]
    return f"[{', '.join(parts if len(parts) <= 8 else parts[:7] + ['...'])}]"


class Space(Constant):
    """A product of manifolds (``ph_space``); const, may be shared between threads.

    A configuration z is the list of the factors' ambient coordinates: d numbers of R^d, 2 of S^1, 3 of S^2, 9 of SO(3). A
    tangent vector v has the same layout. Momenta p: linear on R^d; on S^2 q x mu, on SO(3) in the body's frame.

    Parameters
    ----------
    factors : sequence of Factor
        ``[ph.S2, ph.SO3]``, ``ph.S2**5``.

    Examples
    --------
    >>> import polhode as ph
    >>> space = ph.Space([ph.R(3), ph.SO3])
    >>> space.ambient, space.momenta, space.dimension
    (12, 6, 6)
    """

    def __init__(self, factors: Union[Factor, Sequence[Factor]]) -> None:
        self.factors: Tuple[Factor, ...] = (factors,) if isinstance(factors, Factor) else tuple(factors)
        for factor in self.factors:
            if not isinstance(factor, Factor):
                raise Error(f"a space is made of R(d), S1, S2, SO3, Spin and Embedded(...), not of {factor!r}")
        if not self.factors:
            raise Error("a space has at least one factor")
        array = ffi.new("ph_factor[]", len(self.factors))
        for c, factor in zip(array, self.factors):
            c.kind, c.d = factor.kind, factor.d
            if isinstance(factor, Embedded):
                c.embedding = factor._c
        self._c = create("ph_space", lambda out, error: lib.ph_space_create(array, len(self.factors), out, error),
                         lib.ph_space_free, self.factors)
        self._keep: object = None
        self._measure()

    @classmethod
    def _of(cls, c: Any, keep: object) -> "Space":
        """The space of a system, which keeps it alive."""
        self = cls.__new__(cls)
        self._c, self._keep = c, keep
        names = {lib.PH_FACTOR_S1: S1, lib.PH_FACTOR_S2: S2, lib.PH_FACTOR_SO3: SO3, lib.PH_FACTOR_SPIN: Spin}
        found = []
        for i in range(lib.ph_space_factors(c)):
            place = lib.ph_space_factor(c, i)
            found.append(names.get(place.kind) or (R(place.nz) if place.kind == lib.PH_FACTOR_R
                                                          else Factor(place.kind, text(place.embedding.name))))
        self.factors = tuple(found)
        self._measure()
        return self

    def _measure(self) -> None:
        c = self._c
        self.ambient: int = lib.ph_space_ambient(c)
        self.momenta: int = lib.ph_space_momenta(c)
        self.dimension: int = lib.ph_space_dimension(c)
        self.algebra: int = lib.ph_space_algebra(c)
        places = [lib.ph_space_factor(c, i) for i in range(len(self.factors))]
        self._places = [(p.z, p.nz, p.p, p.np) for p in places]

    def __repr__(self) -> str:
        return f"Space({shown(self.factors)})"

    def configuration(self, z: ArrayLike, name: str = "z") -> Array:
        """z as one array (nz,): from such an array, from one of shape (factors, ...), or from a list with one for each factor."""
        if isinstance(z, (list, tuple)) and len(z) == len(self.factors) and any(np.ndim(part) for part in z):
            parts = [doubles(f"{name}[{i}]", part).ravel() for i, part in enumerate(z)]
            for i, (part, (_, n, _, _)) in enumerate(zip(parts, self._places)):
                if part.size != n:
                    raise Error(f"{name}[{i}] has {part.size} numbers; {self.factors[i]} has {n}", "PH_E_SIZE")
            return np.concatenate(parts)
        array = doubles(name, z)
        if array.ndim > 1 and array.size == self.ambient and (array.shape[0] == len(self.factors) or len(self.factors) == 1):
            return array.reshape(-1)
        return doubles(name, array, self.ambient)

    def split(self, z: Array) -> List[Array]:
        """Views of the factors' parts of z (..., nz): (..., 3) of S2, (..., 3, 3) of SO3, (..., d) of R(d).

        Examples
        --------
        >>> import numpy as np, polhode as ph
        >>> q, A = ph.Space([ph.S2, ph.SO3]).split(np.arange(12.0))
        >>> q.shape, A.shape
        ((3,), (3, 3))
        """
        return [z[..., a:a + n].reshape(z.shape[:-1] + (3, 3)) if f.kind == lib.PH_FACTOR_SO3 else z[..., a:a + n]
                for f, (a, n, _, _) in zip(self.factors, self._places)]

    def _unary(self, function: Callable[..., Any], z: ArrayLike, other: ArrayLike, n: int, name: str, m: Optional[int] = None) -> Array:
        z0 = self.configuration(z)
        v0 = self.configuration(other, name) if m is None else doubles(name, other, m)
        out = np.empty(n)
        function(self._c, pointer(z0), pointer(v0), room(out))
        passed()
        return out

    def exp(self, z: ArrayLike, v: ArrayLike) -> Array:
        """exp_z(v): the geodesic from z with the initial velocity v, after unit time (``ph_space_exp``)."""
        return self._unary(lib.ph_space_exp, z, v, self.ambient, "v")

    def log(self, z: ArrayLike, z1: ArrayLike) -> Array:
        """The shortest tangent v with exp_z(v) = z1 (``ph_space_log``)."""
        z0, z2, v = self.configuration(z), self.configuration(z1, "z1"), np.empty(self.ambient)
        check(lib.ph_space_log(self._c, pointer(z0), pointer(z2), room(v)))
        return v

    def dexp(self, z: ArrayLike, v: ArrayLike, dv: ArrayLike) -> Array:
        """d/dt exp_z(v + t dv) at t = 0 (``ph_space_dexp``)."""
        z0, v0, d0 = self.configuration(z), self.configuration(v, "v"), self.configuration(dv, "dv")
        w = np.empty(self.ambient)
        lib.ph_space_dexp(self._c, pointer(z0), pointer(v0), pointer(d0), room(w))
        passed()
        return w

    def project(self, z: ArrayLike) -> Array:
        """The nearest point of the manifold (``ph_space_project``)."""
        z0 = self.configuration(z).copy()
        check(lib.ph_space_project(self._c, room(z0)))
        return z0

    def project_tangent(self, z: ArrayLike, v: ArrayLike) -> Array:
        """The orthogonal projection of v on the tangent space at z (``ph_space_project_tangent``)."""
        z0, v0 = self.configuration(z), self.configuration(v, "v").copy()
        lib.ph_space_project_tangent(self._c, pointer(z0), room(v0))
        passed()
        return v0

    def momentum(self, z: ArrayLike, mu: ArrayLike) -> Array:
        """The momentum p (np,) of the covector mu (nz,) (``ph_space_momentum``)."""
        return self._unary(lib.ph_space_momentum, z, mu, self.momenta, "mu")

    def covector(self, z: ArrayLike, p: ArrayLike) -> Array:
        """The covector (nz,) of the momentum p (np,) without a normal part (``ph_space_covector``)."""
        return self._unary(lib.ph_space_covector, z, p, self.ambient, "p", self.momenta)

    def turn(self, z: ArrayLike, w: ArrayLike) -> Array:
        """The tangent vector of the angular velocity w; on SO3 in the body's frame (``ph_space_turn``)."""
        return self._unary(lib.ph_space_turn, z, w, self.ambient, "w", self.algebra)

    def spin(self, z: ArrayLike, v: ArrayLike) -> Array:
        """The angular velocity of the tangent vector v (``ph_space_spin``)."""
        return self._unary(lib.ph_space_spin, z, v, self.algebra, "v")

    def act(self, z: ArrayLike, u: ArrayLike) -> Array:
        """exp(u).z (nz,): z moved by an element u of the algebra of the group of motions (``ph_space_act``)."""
        self._needs(self.is_homogeneous, "a group of motions")
        return self._unary(lib.ph_space_act, z, u, self.ambient, "u", self.algebra)

    def bracket(self, u: ArrayLike, v: ArrayLike) -> Array:
        """[u, v] in that algebra (``ph_space_bracket``)."""
        self._needs(self.is_homogeneous, "a group of motions")
        u0, v0, w = doubles("u", u, self.algebra), doubles("v", v, self.algebra), np.zeros(self.algebra)
        lib.ph_space_bracket(self._c, pointer(u0), pointer(v0), room(w))
        return w

    def projection(self, z: ArrayLike) -> Array:
        """P (nz, nz), the orthogonal projection on the tangent space at z (``ph_space_projection``)."""
        z0, P = self.configuration(z), np.empty((self.ambient, self.ambient))
        lib.ph_space_projection(self._c, pointer(z0), room(P))
        passed()
        return P

    def projection_along(self, z: ArrayLike, dz: ArrayLike, y: ArrayLike) -> Array:
        """dP(z)[dz] y (nz,), its derivative along dz times y (``ph_space_projection_along``)."""
        z0, d0, y0, out = self.configuration(z), self.configuration(dz, "dz"), self.configuration(y, "y"), np.empty(self.ambient)
        lib.ph_space_projection_along(self._c, pointer(z0), pointer(d0), pointer(y0), room(out))
        passed()
        return out

    def correct(self, z: ArrayLike) -> Array:
        """z, within rounding of the manifold, brought back to it without bias (``ph_space_correct``)."""
        z0 = self.configuration(z).copy()
        lib.ph_space_correct(self._c, room(z0))
        passed()
        return z0

    def project_momentum(self, z: ArrayLike, p: ArrayLike) -> Array:
        """The nearest momentum (np,) that a motion can have (``ph_space_project_momentum``)."""
        z0, p0 = self.configuration(z), doubles("p", p, self.momenta).copy()
        lib.ph_space_project_momentum(self._c, pointer(z0), room(p0))
        passed()
        return p0

    def momentum_tangency(self, z: ArrayLike, p: ArrayLike) -> float:
        """How far p is from that (``ph_space_momentum_tangency``)."""
        z0, p0 = self.configuration(z), doubles("p", p, self.momenta)
        distance = float(lib.ph_space_momentum_tangency(self._c, pointer(z0), pointer(p0)))
        passed()
        return distance

    def _needs(self, has: bool, what: str) -> None:
        if not has:
            raise Error(f"this space has no {what}: it has embedded manifolds", "PH_E_UNSUPPORTED")

    @property
    def is_homogeneous(self) -> bool:
        """Has every factor a group of motions? All but embedded manifolds (``ph_space_is_homogeneous``)."""
        return bool(lib.ph_space_is_homogeneous(self._c))

    @property
    def has_retraction(self) -> bool:
        """Has every factor exp, log and nearest points? All but manifolds given by P alone (``ph_space_has_retraction``)."""
        return bool(lib.ph_space_has_retraction(self._c))

    @property
    def is_phase_space(self) -> bool:
        """Are the factors spins, so that there are no momenta (``ph_space_is_phase_space``)?"""
        return bool(lib.ph_space_is_phase_space(self._c))

    def basis(self, z: ArrayLike) -> List[Array]:
        """For each factor an orthogonal basis (nx, nz) of its tangent space at z (``ph_space_basis``)."""
        z0, flat = self.configuration(z), np.empty(lib.ph_space_basis_size(self._c))
        lib.ph_space_basis(self._c, pointer(z0), room(flat))
        passed()
        out, at = [], 0
        for i, (_, nz, _, _) in enumerate(self._places):
            nx = lib.ph_space_factor(self._c, i).nx
            out.append(flat[at:at + nx * nz].reshape(nx, nz))
            at += nx * nz
        return out

    def residual(self, z: ArrayLike) -> float:
        """How far z is off the manifold, the largest of the factors (``ph_space_residual``)."""
        z0 = self.configuration(z)
        distance = float(lib.ph_space_residual(self._c, pointer(z0)))
        passed()
        return distance

    def tangency(self, z: ArrayLike, v: ArrayLike) -> float:
        """How far v is from tangent at z (``ph_space_tangency``)."""
        z0, v0 = self.configuration(z), self.configuration(v, "v")
        distance = float(lib.ph_space_tangency(self._c, pointer(z0), pointer(v0)))
        passed()
        return distance
