# SPDX-License-Identifier: BSD-3-Clause
"""The continuous equations of motion as a vector field, for integrators of others: SciPy's ``solve_ivp`` (``ph_field``)."""
from __future__ import annotations

from typing import Any, List, Optional, Tuple, Union

import numpy as np

from ._core import Array, ArrayLike, Constant, Error, check, doubles, fail, new_error, number, passed, pointer, room, text, word
from ._polhode import ffi, lib
from ._system import System

forms: List[str] = [text(lib.ph_field_at(i).name) for i in range(lib.ph_fields())]
"""The formulations of the equations (``ph_fields``): "q-qdot", "q-omega", ..."""


class Field(Constant):
    """ydot = F(t, y), the equations of motion of a system in one of their forms: call it with t and y.

    Parameters
    ----------
    system : System
    form : str
        One of ``forms``, what y consists of: "q-qdot" (z, v), "q-omega" (z, angular velocities), "q-mu" (z, dL/dv), "q-pi" (z, p),
        "x-xdot", "x-mu" (with projection matrices), "tensions" (z, v of links, O(n)). "automatic": the cheapest for this system.

    Attributes
    ----------
    form, reference : str
        Its name, and paper and equation.
    size : int
        Numbers in y.

    Examples
    --------
    >>> import polhode as ph
    >>> from scipy.integrate import solve_ivp
    >>> model = ph.model("double-spherical-pendulum")
    >>> system = model.system()
    >>> F = ph.Field(system, "q-pi")
    >>> z, v = model.initial()
    >>> result = solve_ivp(F, (0, 1), F.y(z, v), method="DOP853", rtol=1e-10, atol=1e-10)
    >>> z1, p1 = F.state(result.y[:, -1])
    >>> E0, E1 = sum(system.energy(z, v)), sum(system.energy(z1, system.velocity(z1, p1)))
    >>> abs(E1 / E0 - 1) < 1e-7
    True
    """

    def __init__(self, system: System, form: str = "automatic") -> None:
        if not isinstance(system, System):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        self.system = system
        self._field = self._find(form)
        self.form, self.reference = text(self._field.name), text(self._field.reference)
        self.size = int(self._field.size(system._c))

    def _find(self, form: str) -> Any:
        error = new_error()
        found = lib.ph_field_chosen(self.system._c, 0.0) if form == "automatic" else lib.ph_field_find(word("form", form), error)
        if found == ffi.NULL:
            fail(error.status, text(error.message))
        check(lib.ph_field_supports(found, self.system._c, error), error)
        return found

    def _work(self) -> Any:
        return room(np.empty(max(int(self._field.work(self.system._c)), 1)))

    def __call__(self, t: float, y: ArrayLike) -> Array:
        """F(t, y) (size,); y may be off the manifold."""
        y0, out = doubles("y", y, self.size), np.empty(self.size)
        check(self._field.evaluate(self.system._c, number("t", t), pointer(y0), room(out), self._work()))
        return out

    def y(self, z: ArrayLike, v: Optional[ArrayLike] = None, *, p: Optional[ArrayLike] = None, t: float = 0.0) -> Array:
        """y (size,) of configuration z and velocity v or momentum p; spins have neither."""
        space = self.system.space
        z0 = space.configuration(z)
        if v is not None and p is not None:
            raise Error("y is made of a velocity v or of a momentum p, not of both")
        if v is None and p is None and space.momenta:
            raise Error("a velocity v or a momentum p is missing")
        p0 = self.system.momentum(z0, v, t) if v is not None else doubles("p", p if p is not None else [], space.momenta)
        out = np.empty(self.size)
        check(self._field.from_momentum(self.system._c, t, pointer(z0), pointer(p0), room(out), self._work()))
        return out

    def state(self, y: ArrayLike, t: float = 0.0) -> Tuple[Array, Array]:
        """Configuration z and momentum p of y, for ``Integrator.state`` (``System.velocity`` makes a velocity of p)."""
        y0 = doubles("y", y, self.size)
        z, p = np.empty(self.system.space.ambient), np.empty(self.system.space.momenta)
        check(self._field.to_momentum(self.system._c, t, pointer(y0), room(z), room(p), self._work()))
        return z, p

    def project(self, y: ArrayLike) -> Array:
        """The nearest y whose configuration is on the manifold and whose velocity is tangent."""
        y0 = doubles("y", y, self.size).copy()
        check(self._field.project(self.system._c, room(y0)))
        passed()
        return y0

    def convert(self, y: ArrayLike, to: Union[str, "Field"], t: float = 0.0) -> Array:
        """What y is in another form (``ph_field_convert``)."""
        other = to if isinstance(to, Field) else Field(self.system, to)
        y0, out = doubles("y", y, self.size), np.empty(other.size)
        work = np.empty(max(int(lib.ph_field_convert_work(self._field, other._field, self.system._c)), 1))
        check(lib.ph_field_convert(self._field, other._field, self.system._c, t, pointer(y0), room(out), room(work)))
        return out

    def __repr__(self) -> str:
        return f"<polhode.Field {self.form} of {self.system!r}>"
