# SPDX-License-Identifier: BSD-3-Clause
"""Mass distributions of bodies that attract each other (``ph_mass``), and surfaces of triangles."""
from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from ._core import Array, ArrayLike, Constant, Error, check, count, create, doubles, indices, new_error, number, pointer, room
from ._polhode import ffi, lib


class Mesh(NamedTuple):
    """A surface of triangles (``ph_mesh``): vertices (n, 3) [m], faces (m, 3) of numbers of vertices from 0, counter-clockwise seen
    from outside."""

    vertices: ArrayLike
    faces: ArrayLike


def mesh(name: str, value: Any, kept: List[Any]) -> Any:
    """A Mesh for C, which lives as long as `kept`."""
    if not isinstance(value, tuple) or len(value) != 2:
        raise Error(f"{name} is {type(value).__name__}; it must be a polhode.Mesh")
    vertices = doubles(f"vertices of {name}", value[0], (-1, 3))
    faces = np.asarray(value[1])
    if faces.ndim != 2 or faces.shape[1] != 3:
        raise Error(f"faces of {name} has the shape {faces.shape}; it must be (n, 3)", "PH_E_SIZE")
    flat = indices(f"faces of {name}", faces.reshape(-1), np.uint32, max(1, len(vertices)))
    c = ffi.new("ph_mesh *", {"vertices": len(vertices), "vertex": pointer(vertices), "faces": len(faces),
                              "face": ffi.from_buffer("uint32_t *", flat)})
    kept += [vertices, flat, c]
    return c


def read_shape(path: Any, faces: Any = None, *, unit: float = 1.0) -> Mesh:
    """The surface in a file (OBJ, OFF, PLY, STL, DAMIT, PDS), or in a table of vertices and one of faces (``ph_shape_read``,
    ``ph_shape_read_tables``).

    Parameters
    ----------
    path, faces : path
        The file, whose format is recognised by what it contains; with ``faces`` the table of vertices and that of faces.
    unit : float
        Length of the unit of the file [m]: 1000 for km.
    """
    names = [os.fsencode(path), os.fsencode(faces) if faces is not None else b""]
    if any(b"\0" in name for name in names):
        raise Error("a path has a zero byte")
    scale = number("unit", unit)
    if faces is None:
        c = create("ph_shape", lambda out, err: lib.ph_shape_read(names[0], scale, out, err), lib.ph_shape_free)
    else:
        c = create("ph_shape", lambda out, err: lib.ph_shape_read_tables(names[0], names[1], scale, out, err), lib.ph_shape_free)
    found = lib.ph_shape_mesh(c)
    vertices, triangles = np.empty((found.vertices, 3)), np.empty((found.faces, 3), dtype=np.uint32)
    ffi.memmove(vertices, found.vertex, vertices.nbytes)
    ffi.memmove(triangles, found.face, triangles.nbytes)
    return Mesh(vertices, triangles.astype(np.intp))


class Mass(Constant):
    """A mass distribution (``ph_mass``): its moments up to degree 8, inertia tensor and radius. Immutable; ``+`` puts two together.

    Examples
    --------
    >>> import numpy as np, polhode as ph
    >>> body = ph.Mass.ellipsoid(5.0, [3, 2, 1])
    >>> np.diag(body.J)
    array([ 5., 10., 13.])
    >>> dumbbell = ph.Mass.sphere(1.0, 0.5).placed([-1, 0, 0]) + ph.Mass.sphere(1.0, 0.5).placed([1, 0, 0])
    >>> dumbbell.mass, dumbbell.radius
    (2.0, 1.5)
    """

    _c: Any

    def __init__(self) -> None:
        raise Error("a Mass is made by Mass.sphere, ellipsoid, from_moments, from_harmonics or polyhedron")

    @classmethod
    def _new(cls, call: Any = None) -> "Mass":
        self = cls.__new__(cls)
        self._c = ffi.new("ph_mass *")
        if call is not None:
            error = new_error()
            check(call(self._c, error), error)
        return self

    @classmethod
    def sphere(cls, mass: float, radius: float = 0.0) -> "Mass":
        """A homogeneous sphere of this mass [kg] and radius [m]; 0: a point (``ph_mass_sphere``)."""
        m, r = number("mass", mass), number("radius", radius)
        return cls._new(lambda c, err: lib.ph_mass_sphere(m, r, c, err))

    @classmethod
    def ellipsoid(cls, mass: float, half_axes: ArrayLike) -> "Mass":
        """A homogeneous ellipsoid with half-axes (3,) [m] (``ph_mass_ellipsoid``)."""
        m, axes = number("mass", mass), doubles("half_axes", half_axes, 3)
        return cls._new(lambda c, err: lib.ph_mass_ellipsoid(m, pointer(axes), c, err))

    @classmethod
    def from_moments(cls, moments: ArrayLike, radius: float) -> "Mass":
        """From moments T[a, b, c] = int x^a y^b z^c dm, an array (n + 1, n + 1, n + 1) of which a + b + c <= n counts
        (``ph_mass_from_moments``)."""
        T = doubles("moments", moments, (-1, -1, -1))
        n = T.shape[0] - 1
        if len(set(T.shape)) != 1:
            raise Error(f"moments has the shape {T.shape}; it must be (n + 1, n + 1, n + 1)", "PH_E_SIZE")
        flat = np.array([T[a, b, c] for a in range(n + 1) for b in range(n + 1 - a) for c in range(n + 1 - a - b)])
        r = number("radius", radius)
        return cls._new(lambda out, err: lib.ph_mass_from_moments(pointer(flat), n, r, out, err))

    @classmethod
    def from_harmonics(cls, mass: float, reference_radius: float, C: ArrayLike, S: Optional[ArrayLike] = None, *,
                       J: Optional[ArrayLike] = None, radius: float) -> "Mass":
        """From spherical harmonics that are not normalised, C[n, m] and S[n, m] (n + 1, n + 1), C[0, 0] = 1; the inertia tensor
        J (3, 3) is not among them (``ph_mass_from_harmonics``)."""
        c0 = doubles("C", C, (-1, -1))
        n = c0.shape[0] - 1
        c0 = doubles("C", c0, (n + 1, n + 1))
        s0 = np.zeros_like(c0) if S is None else doubles("S", S, c0.shape)
        lower = np.tril_indices(n + 1)
        flat_c, flat_s = np.ascontiguousarray(c0[lower]), np.ascontiguousarray(s0[lower])
        tensor = None if J is None else doubles("J", J, (3, 3))
        m, R, r = number("mass", mass), number("reference_radius", reference_radius), number("radius", radius)
        return cls._new(lambda out, err: lib.ph_mass_from_harmonics(m, R, n, pointer(flat_c), pointer(flat_s), pointer(tensor), r,
                                                                    out, err))

    @classmethod
    def polyhedron(cls, vertices: ArrayLike, faces: ArrayLike, density: float) -> "Mass":
        """A homogeneous polyhedron of this density [kg/m^3]: vertices (n, 3) [m], faces (m, 3) of numbers from 0
        (``ph_mass_polyhedron``). Faces that are all clockwise are turned."""
        kept: List[Any] = []
        c, rho = mesh("polyhedron", Mesh(vertices, faces), kept), number("density", density)
        return cls._new(lambda out, err: lib.ph_mass_polyhedron(c, rho, out, ffi.NULL, err))

    def copy(self) -> "Mass":
        """Another one with the same numbers."""
        other = self._new()
        other._c[0] = self._c[0]
        return other

    def placed(self, place: ArrayLike, R: Optional[ArrayLike] = None) -> "Mass":
        """The same body seen from a frame in which its own has the origin `place` (3,) [m] and the columns of R (3, 3) as axes."""
        other = self._new()
        self._add_to(other, place, R)
        return other

    def _add_to(self, whole: "Mass", place: ArrayLike = (0.0, 0.0, 0.0), R: Optional[ArrayLike] = None) -> None:
        at, turn = doubles("place", place, 3), doubles("R", np.eye(3) if R is None else R, (3, 3))
        if not np.all(np.isfinite(at)) or not np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) or np.linalg.det(turn) < 0:
            raise Error("place must be finite and R a rotation", "PH_E_NOT_ON_MANIFOLD")
        lib.ph_mass_add(self._c, pointer(at), pointer(turn), whole._c)

    def __add__(self, other: "Mass") -> "Mass":
        """Both together in one frame (``ph_mass_add``)."""
        if not isinstance(other, Mass):
            return NotImplemented
        whole = self.copy()
        other._add_to(whole)
        return whole

    def centered(self) -> Tuple["Mass", Array]:
        """The body seen from its centre of mass, and where that was (3,) [m] (``ph_mass_center``)."""
        other, center = self.copy(), np.empty(3)
        lib.ph_mass_center(other._c, room(center))
        return other, center

    def principal(self) -> Tuple["Mass", Array, Array]:
        """The body seen from its principal axes, these axes as columns of R (3, 3), and the moments (3,) [kg m^2], ascending
        (``ph_mass_principal``). The centre of mass is in the origin."""
        other, R, moments = self.copy(), np.empty((3, 3)), np.empty(3)
        lib.ph_mass_principal(other._c, room(R), room(moments))
        return other, R, moments

    def extents(self) -> Tuple[Array, Array]:
        """R (3, 3) and half-axes (3,) [m] of the homogeneous ellipsoid with its mass and inertia (``ph_mass_extents``)."""
        R, half_axes = np.empty((3, 3)), np.empty(3)
        lib.ph_mass_extents(self._c, room(R), room(half_axes))
        return R, half_axes

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self._c.moment[0])

    @property
    def J(self) -> Array:
        """Inertia tensor (3, 3) about the origin of the frame [kg m^2]; 0 of a point."""
        return np.array(list(self._c.J)).reshape(3, 3)

    @property
    def radius(self) -> float:
        """Radius of a sphere about the origin that holds all of it [m]."""
        return float(self._c.radius)

    @property
    def moments(self) -> Array:
        """The reduced operator (81,): 2n + 1 numbers of degree n from n^2 on [kg m^n] (``polhode/domain/mass.h``)."""
        return np.array(list(self._c.moment))

    def _fill_body(self, c: Any, keep: List[Any]) -> None:
        """As a body of a list of a model (``ph_model_body``): with its inertia it turns."""
        c.mass = self._c[0]
        c.turning = 1.0 if np.any(self.J) else 0.0

    def __repr__(self) -> str:
        return f"<polhode.Mass {self.mass:g} kg, radius {self.radius:g} m>"
