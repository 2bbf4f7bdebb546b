# SPDX-License-Identifier: BSD-3-Clause
"""What is measured on a state: energies, errors, momentum maps (``ph_diagnostics``, ``ph_monitor``), motion in physical terms
(``ph_motion``), columns by name (``ph_columns``)."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from ._core import Array, Error, Guard, Handle, check, copied, create, new_error, number, room, text, words
from ._integrator import State
from ._polhode import ffi, lib
from ._system import System


class Measures(NamedTuple):
    """Measurements of one state (``ph_measures``): energies [J], errors, and a momentum map for each symmetry of the system."""

    energy: float
    kinetic: float
    potential: float
    constraint_error: float
    tangency: float
    momentum_size: float
    velocity_constraint_error: float
    momenta: Array


class _OfSystem(Handle):
    """Something that looks at states of one system."""

    def __init__(self, system: System) -> None:
        if not isinstance(system, System):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        self.system = system
        self._one = Guard(type(self).__name__)

    def _state(self, state: State) -> Any:
        if not isinstance(state, State) or state.system._c != self.system._c:
            raise Error(f"{state!r} is not a state of this system")
        return state._c


class Diagnostics(_OfSystem):
    """What is conserved, and by how much it is missed (``ph_diagnostics``).

    Examples
    --------
    >>> import polhode as ph
    >>> system = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, 9.81],
    ...                    symmetries=[ph.Symmetry("Lz", axis=(0, 0, 1))])
    >>> state = ph.Integrator(system, step=0.01).state([1, 0, 0], [0, 2, 0])
    >>> seen = ph.Diagnostics(system).measure(state)
    >>> seen.energy, seen.momenta
    (2.0, array([2.]))
    """

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self._c = create("ph_diagnostics", lambda out, error: lib.ph_diagnostics_create(system._c, out, error),
                         lib.ph_diagnostics_free, system)
        self._measures = ffi.new("ph_measures *")

    def measure(self, state: State) -> Measures:
        """Measure a state of the system (``ph_diagnostics_measure``)."""
        c, m = self._state(state), self._measures
        with self._one():
            check(lib.ph_diagnostics_measure(self._c, c, m))
            return self._copy(m)

    def _copy(self, m: Any) -> Measures:
        return Measures(m.energy, m.kinetic, m.potential, m.constraint_error, m.tangency, m.momentum_size,
                        m.velocity_constraint_error, copied(m.momenta, len(self.system.symmetries)))


class Monitor(Diagnostics):
    """The largest errors of a trajectory, also for each tenth of its time (``ph_monitor``).

    Parameters
    ----------
    system : System
    t0, t1 : float
        The planned span [s].

    Examples
    --------
    >>> import polhode as ph
    >>> top = ph.model("heavy-top")
    >>> it = ph.Integrator(top.system(), step=0.01)
    >>> state, monitor = it.state(*top.initial()), ph.Monitor(it.system, 0, 1)
    >>> for _ in range(11):
    ...     seen = monitor.see(state)
    ...     it.step(state, 10)
    >>> summary = monitor.summary
    >>> summary["outputs"], summary["momentum_error_max"] < 1e-13
    (11, True)
    """

    def __init__(self, system: System, t0: float, t1: float) -> None:
        super().__init__(system)
        first, last = number("t0", t0), number("t1", t1)
        self._monitor = create("ph_monitor", lambda out, error: lib.ph_monitor_create(self._c, first, last, out, error),
                               lib.ph_monitor_free, system, self._c)

    def see(self, state: State) -> Measures:
        """Measure a state; the first one is what errors refer to."""
        c, m = self._state(state), self._measures
        with self._one():
            check(lib.ph_monitor_see(self._monitor, c, m))
            return self._copy(m)

    @property
    def summary(self) -> Dict[str, Any]:
        """What was seen so far, as in ``ph_summary``: energy_error_max, momentum_error_max, ..."""
        s = ffi.new("ph_summary *")
        with self._one():
            lib.ph_monitor_summary(self._monitor, s)
        return {name: list(value) if isinstance(value, ffi.CData) else value
                for name, value in ((name, getattr(s, name)) for name, _ in ffi.typeof("ph_summary").fields)}


class Seen(NamedTuple):
    """A state in physical terms (``ph_motion``); None for what the system does not have."""

    velocity: Array
    omega: Array
    quaternions: Array
    positions: Array
    tensions: Optional[Array]
    reactions: Array
    constraint_error: float
    power: float
    reduced: Optional[Array]
    shape: Optional[Array]


class Motion(_OfSystem):
    """Velocities (nz,), angular velocities (np,), quaternions (n, 4), positions (points, 3) [m], tensions (factors,) [N], reactions
    of velocity constraints, power [W]; for reduced systems phase, locked inertia, amended potential and azimuth (4,), and
    invariants of the shape.

    Examples
    --------
    >>> import polhode as ph
    >>> model = ph.model("spherical-pendulum")
    >>> state = ph.Integrator(model.system(), step=0.01).state([0, 0, -1], [3, 0, 0])
    >>> seen = ph.Motion(state.system).see(state)
    >>> seen.omega, seen.tensions  # m (g + v^2 / l)
    (array([ 0., -3.,  0.]), array([18.81]))
    """

    def __init__(self, system: System) -> None:
        super().__init__(system)
        self._c = create("ph_motion", lambda out, error: lib.ph_motion_create(system._c, out, error), lib.ph_motion_free, system)

    def see(self, state: State) -> Seen:
        """Look at a state of the system (``ph_motion_see``)."""
        c, m, n = self._state(state), self._c, ffi.new("size_t *")
        space = self.system.space

        def several(function: Any, width: int = 1) -> Array:
            numbers = function(m, n)
            return copied(numbers, width * n[0]).reshape((-1, width) if width > 1 else -1)

        with self._one():
            check(lib.ph_motion_see(m, c))
            tensions = lib.ph_motion_tensions(m)
            reduced = several(lib.ph_motion_reduced)
            return Seen(copied(lib.ph_motion_velocity(m), space.ambient), copied(lib.ph_motion_omega(m), space.algebra),
                        several(lib.ph_motion_quaternions, 4), several(lib.ph_motion_points, 3),
                        None if tensions == ffi.NULL else copied(tensions, len(space.factors)), several(lib.ph_motion_reactions),
                        lib.ph_motion_constraint_error(m)[0], lib.ph_motion_power(m)[0], reduced if reduced.size else None,
                        several(lib.ph_motion_shape) if reduced.size else None)


class Columns(_OfSystem):
    """The numbers of a state by the names that results have (``ph_columns``): "q1x", "energy", groups as "q1", "omega".

    Parameters
    ----------
    system : System
    *words : str
        Columns and groups of them; none: all.

    Attributes
    ----------
    names, units : lists of str
        Those of each column.

    Examples
    --------
    >>> import polhode as ph
    >>> state = ph.Integrator(ph.model("planar-pendulum").system(), step=0.01).state([0, -1], [2, 0])
    >>> columns = ph.Columns(state.system, "q1", "omega", "energy")
    >>> dict(zip(columns.names, columns.values(state).round(9).tolist()))
    {'q1x': 0.0, 'q1y': -1.0, 'omega1': 2.0, 'energy': -7.81}
    """

    def __init__(self, system: System, *given: str) -> None:
        super().__init__(system)
        array, kept = words("a column", list(given))
        self._c = create("ph_columns", lambda out, error: lib.ph_columns_create(system._c, array, len(given), out, error),
                         lib.ph_columns_free, system, kept)
        if lib.ph_columns_needs(self._c) & lib.PH_COLUMN_RUN:
            raise Error("energy_error and newton_passes are of a run, not of a state", "PH_E_INVALID")
        n, place = int(lib.ph_columns_count(self._c)), ffi.new("char[]", int(lib.PH_COLUMN_NAME))
        self.names: List[str] = [text(lib.ph_columns_name(self._c, i, place)) for i in range(n)]
        self.units: List[str] = [text(lib.ph_columns_unit(self._c, i)) for i in range(n)]
        self._diagnostics = Diagnostics(system) if lib.ph_columns_needs(self._c) & lib.PH_COLUMN_MEASURES else None
        self._row = ffi.new("ph_row *")

    def values(self, state: State) -> Array:
        """(columns,) numbers of a state of the system (``ph_columns_values``)."""
        out, row = np.empty(len(self.names)), self._row
        row.state = self._state(state)
        with self._one():
            if self._diagnostics is not None:
                check(lib.ph_diagnostics_measure(self._diagnostics._c, row.state, self._diagnostics._measures))
                row.measures = self._diagnostics._measures
            lib.ph_columns_values(self._c, row, 0, len(out), room(out))
        return out
