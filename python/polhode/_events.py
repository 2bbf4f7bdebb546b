# SPDX-License-Identifier: BSD-3-Clause
"""Events: where a function of the state changes its sign along a trajectory (``ph_event``, ``ph_events``)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import c_pointer, onerror, user_pointer
from ._core import Array, Error, Fixed, Guard, Handle, check, copied, count, create, doubles, new_error, number, room, word
from ._polhode import ffi, lib
from ._system import System

if TYPE_CHECKING:
    from ._integrator import Integrator, State


class Event(Fixed):
    """Something to look for: zeros of a function, or of a column minus a level.

    Between the two steps where the sign changes the place is found by partial steps of the same method, so that an event is as
    accurate as the trajectory.

    Parameters
    ----------
    name : str
        In messages and results.
    function : function of t, y (and args)
        A number; y is z (nz,) followed by v (nz,), and z alone for spins. Or a function of C (``ph_event_fn``).
    column : str
        Instead of a function: a column, ``"q1z"``, ``"energy"``, ``"t"``, or one of the formulas that its system has as ``events``.
    level : float
        The zeros are those of the column minus this, in its unit.
    direction : int
        +1: where it rises along the run, -1: where it falls, 0: both.
    terminal : bool or int
        Does it end the run; a number: when it was found so often (in ``solve`` only).

    Examples
    --------
    >>> import polhode as ph
    >>> ph.Event("section", column="q1z", direction=1)
    Event('section', column='q1z', direction=1)
    """

    def __init__(self, name: str, function: Optional[Any] = None, *, column: Optional[str] = None, level: float = 0.0,
                 direction: float = 0, terminal: Union[bool, int, None] = False) -> None:
        self.name = word("the name of an event", name).decode()
        if (function is None) == (column is None):
            raise Error(f"the event {name!r} must have a function or a column, one of both")
        if function is not None and not callable(function) and not c_pointer(function):
            raise Error(f"the event {name!r} is {function!r}; it must be a function of t and y")
        self.function, self.column, self.level = function, column, number("level", level)
        self.direction = int(np.sign(number("direction", direction)))
        self.terminal = count("terminal", int(terminal or 0))

    def __repr__(self) -> str:
        more = "".join(f", {name}={value!r}" for name, value in (
            ("column", self.column), ("level", self.level), ("direction", self.direction), ("terminal", self.terminal)) if value)
        return f"Event({self.name!r}{more})" if self.column else f"Event({self.name!r}, {self.function!r}{more})"


Events_ = Union[Event, Callable[..., Any], Sequence[Union[Event, Callable[..., Any]]]]
"""What stands for events: one or a list of Event, or of functions with the attributes terminal and direction that SciPy has."""


def as_events(events: Optional[Events_]) -> List[Event]:
    """A list of Event."""
    if events is None:
        return []
    result: List[Event] = []
    if isinstance(events, Event) or callable(events) or not hasattr(events, "__iter__"):
        events = [events]  # type: ignore[list-item]
    for i, one in enumerate(events):
        if not isinstance(one, Event):
            if not callable(one):
                raise Error(f"events[{i}] is {one!r}; it must be a polhode.Event or a function of t and y")
            name = getattr(one, "__name__", "")
            one = Event(name if name.isidentifier() else f"event {i}", one, direction=getattr(one, "direction", 0),
                        terminal=getattr(one, "terminal", False))
        result.append(one)
    return result


def velocity_into(system: System, state: Any, place: Array, work: Array) -> None:
    """place (nz,) <- the velocity of a state of C."""
    check(lib.ph_system_velocity_at(system._c, state.t, state.z, state.p, room(place), room(work)))


class _Function:
    """A function of Python whose zeros are looked for; C has its handle."""

    def __init__(self, event: Event, system: System, args: Tuple[Any, ...]) -> None:
        self.name, self.function, self.args, self.system = event.name, event.function, args, system
        self.nz = system.space.ambient
        self.numbers = self.nz if system.space.momenta == 0 else 2 * self.nz
        self.work = np.empty(system._work)

    def value(self, state: Any, g: Any) -> None:
        y = np.empty(self.numbers)
        ffi.memmove(y, state.z, 8 * self.nz)
        if self.numbers > self.nz:
            velocity_into(self.system, state, y[self.nz:], self.work)
        value = self.function(state.t, y, *self.args)  # type: ignore[misc]
        try:
            g[0] = value if isinstance(value, (float, int)) else doubles("it", value).item()
        except (Error, ValueError):
            raise Error(f"the event {self.name!r} returned {value!r}; it must return a real number") from None


def _value(user: Any, state: Any, g: Any) -> int:
    ffi.from_handle(user).value(state, g)
    return 0


ffi.def_extern(name="py_ph_event_fn", error=lib.PH_E_CALLBACK, onerror=onerror)(_value)


def event_array(events: Sequence[Event], system: System, args: Tuple[Any, ...] = ()) -> Tuple[Any, List[Any]]:
    """ph_event[len(events)] for C, and what must be kept as long as C may call their functions."""
    array, kept = ffi.new("ph_event[]", max(len(events), 1)), []  # type: Any, List[Any]
    for c, event in zip(array, events):
        kept.append(ffi.new("char[]", word("the name of an event", event.name)))
        c.name, c.level, c.direction = kept[-1], event.level, event.direction
        c.action = lib.PH_EVENT_STOP if event.terminal == 1 else lib.PH_EVENT_RECORD
        pointed = None if event.function is None else c_pointer(event.function)
        if event.column is not None:
            kept.append(ffi.new("char[]", word("column", event.column)))
            c.column = kept[-1]
        elif pointed:
            kept.append(event.function)
            if pointed.form not in (None, "ppp i"):
                raise Error(f"the event {event.name!r} is a function of C with another signature; it must be "
                            f"int value(void *user, const ph_state *state, double *g)")
            c.value, c.user = ffi.cast("ph_event_fn", pointed.address), user_pointer(pointed.data, kept)
        else:
            kept.append(ffi.new_handle(_Function(event, system, args)))
            c.value, c.user = lib.py_ph_event_fn, kept[-1]
    return array, [array, *kept]


class Occurrence(NamedTuple):
    """An event that was found (``ph_occurrence``): its name, when [s], and z (nz,), v (nz,), p (np,) there; ``number`` is its
    place in the list of events."""

    event: str
    t: float
    z: Array
    v: Array
    p: Array
    direction: int
    step: int
    theta: float
    number: int


class Sink:
    """Receives what was found: a list of Occurrence, until an event was found as often as it may be."""

    def __init__(self, events: Sequence[Event], system: System) -> None:
        self.events, self.system = events, system
        self.occurrences: List[Occurrence] = []
        self.times = [0] * len(events)
        self.ended_by: Optional[Occurrence] = None
        self._work = np.empty(system._work)

    def found(self, occurrence: Any, error: Any) -> int:
        s, i = occurrence.state, occurrence.event
        v = np.empty(s.nz)
        velocity_into(self.system, s, v, self._work)
        one = Occurrence(self.events[i].name, occurrence.t, copied(s.z, s.nz), v, copied(s.p, s.np), occurrence.direction,
                         occurrence.step, occurrence.theta, i)
        self.occurrences.append(one)
        self.times[i] += 1
        if self.times[i] == self.events[i].terminal:
            self.ended_by = one
            return int(lib.PH_E_STOPPED)
        return 0


class Events(Handle):
    """Events looked for in a loop of one's own (``ph_events``). One for each thread.

    Parameters
    ----------
    integrator : Integrator
        Whose states are looked at.
    events : Event, function, or a list of them
    args : tuple
        Handed to functions behind t and y.

    Attributes
    ----------
    stopped : Occurrence or None
        The terminal event that was found.

    Examples
    --------
    >>> import polhode as ph
    >>> oscillator = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=lambda x: x)
    >>> it = ph.Integrator(oscillator, step=0.1, order=8)
    >>> looking, state = ph.Events(it, ph.Event("zero", column="x1_1")), it.state([1.0], [0.0])
    >>> looking.begin(state)
    >>> for _ in range(50):
    ...     it.step(state)
    ...     for found in looking.look(state):
    ...         print(f"{found.t:.9f}")
    1.570796327
    4.712388980
    """

    def __init__(self, integrator: "Integrator", events: Events_, args: Tuple[Any, ...] = ()) -> None:
        if not isinstance(getattr(integrator, "system", None), System):
            raise Error(f"integrator is {integrator!r}; it must be a polhode.Integrator")
        self.system, self.events = integrator.system, as_events(events)
        self._one = Guard("list of events")
        self._sink = Sink(self.events, self.system)
        array, kept = event_array(self.events, self.system, args)
        handle = ffi.new_handle(self._sink)
        sink = ffi.new("ph_event_sink *", {"found": lib.py_ph_event_sink_found, "self": handle})
        n = len(self.events)
        self._c = create("ph_events", lambda out, error: lib.ph_events_create(integrator._c, array, n, sink, out, error),
                         lib.ph_events_free, self.system, kept, handle, sink)

    @property
    def stopped(self) -> Optional[Occurrence]:
        return self._sink.ended_by

    @property
    def found(self) -> List[int]:
        """How often each was found."""
        return [int(lib.ph_events_found(self._c, i)) for i in range(len(self.events))]

    def begin(self, state: "State") -> None:
        """A trajectory begins, or continues, at this state."""
        error = new_error()
        with self._one(), state._one():
            check(lib.ph_events_begin(self._c, state._c, error), error)

    def look(self, state: "State") -> List[Occurrence]:
        """What is found in the step that was made since the state before: call it after each step."""
        error, self._sink.occurrences = new_error(), []
        with self._one(), state._one():
            status = lib.ph_events_look(self._c, state._c, error)
        if status != lib.PH_E_STOPPED:
            check(status, error)
        return self._sink.occurrences
