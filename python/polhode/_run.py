# SPDX-License-Identifier: BSD-3-Clause
"""Running a scenario, or a system of your own, into an archive: ``polhode.run``."""
from __future__ import annotations

import math
import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._callbacks import callback_failed
from ._core import Array, ArrayLike, Error, check, copied, count, create, doubles, new_error, number, pointer, text, word
from ._integrator import Integrator, State, settings
from ._polhode import ffi, lib
from ._program import call_json
from ._record import Run, Temporary
from ._scenario import Scenario, scenario_text
from ._session import Observer, Watch, finish
from ._system import System

# ---- A system of your own ----------------------------------------------------------------------------------------------


class _EventFunctions:
    """Functions of t, z, p whose zeros are events."""

    def __init__(self) -> None:
        self.functions: List[Callable[[float, Array, Array], Any]] = []


class Plan(NamedTuple):
    """A ``ph_session_plan`` with what it points to."""

    c: Any
    name: str
    kept: List[Any]


def session_plan(name: str, integrator: Integrator, state: Optional[State], *, steps: int = 1, events: Any = None,
                 schedule: Optional[Mapping[str, Any]] = None, energy_bound: float = 0.0) -> Plan:
    """The plan of a run of a system of your own."""
    c = ffi.new("ph_session_plan *")
    chars = ffi.new("char[]", word("name", name))
    kept: List[Any] = [c, chars, integrator, state]
    c.name, c.model, c.integrator, c.steps, c.energy_bound = chars, chars, integrator._c, steps, energy_bound
    if state is not None:
        c.state = state._c
    c.output.kind, c.output.steps = lib.PH_EVERY_STEPS, max(1, steps // 1000)
    given = {key: value for key, value in (schedule or {}).items() if value is not None}
    if len(given) > 1:
        raise Error(f"{' and '.join(given)} exclude each other: one of them says when there is an output")
    for key, value in given.items():
        if key == "interval":
            c.output.kind, c.output.interval = lib.PH_EVERY_INTERVAL, number(key, value)
        elif key == "at":
            times = doubles(key, value, -1)
            kept.append(times)
            c.output.kind, c.output.times, c.output.n_times = lib.PH_AT_TIMES, pointer(times), times.size
        else:
            c.output.kind = lib.PH_EVERY_STEPS if key == "every" else lib.PH_PER_DECADE
            c.output.steps = count(key, value, 1)
    entries = event_list(events)
    if entries:
        array = ffi.new("ph_event[]", len(entries))
        kept.append(array)
        for e, entry in zip(array, entries):
            _fill_event(e, entry, kept)
        c.events, c.n_events = array, len(entries)
    return Plan(c, name, kept)


DIRECTIONS = {"both": 0, "up": 1, "down": -1, 0: 0, 1: 1, -1: -1}


def event_list(events: Any) -> List[Dict[str, Any]]:
    """Events as a scenario has them; a text is a column, a function has the attributes of SciPy's (terminal, direction)."""
    if events is None:
        return []
    if isinstance(events, (str, Mapping)) or callable(events):
        events = [events]
    out = []
    for i, event in enumerate(events):
        if isinstance(event, str):
            event = {"name": event, "when": event}
        elif callable(event):
            event = {"name": getattr(event, "__name__", f"event{i}").strip("<>"), "when": event,
                     "direction": int(np.sign(getattr(event, "direction", 0))),
                     "action": "stop" if getattr(event, "terminal", False) else "record"}
        if not isinstance(event, Mapping):
            raise Error(f"events[{i}] is {event!r}; it must be a dict with name and when, the name of a column, or a function")
        unknown = set(event) - {"name", "when", "crosses", "direction", "action"}
        if unknown or "when" not in event:
            raise Error(f"events[{i}] has {', '.join(map(str, event)) or 'nothing'}; it must have when (a column, or a function) and may "
                        f"have name, crosses, direction, action")
        out.append({"name": str(event["when"]), **event})
    return out


def _fill_event(e: Any, entry: Mapping[str, Any], kept: List[Any]) -> None:
    kept.append(ffi.new("char[]", word("the name of an event", entry["name"])))
    e.name, e.level = kept[-1], number("crosses", entry.get("crosses", 0.0))
    direction, action = entry.get("direction", "both"), entry.get("action", "record")
    if direction not in DIRECTIONS or action not in ("record", "stop"):
        raise Error(f"event {entry['name']}: direction is up, down or both, not {direction!r}; action record or stop, not {action!r}")
    e.direction, e.action = DIRECTIONS[direction], lib.PH_EVENT_STOP if action == "stop" else lib.PH_EVENT_RECORD
    if callable(entry["when"]):
        handle = ffi.new_handle((entry["when"], e.level))
        kept.append(handle)
        e.value, e.user, e.level = lib.py_ph_event_fn, handle, 0.0
    else:
        kept.append(ffi.new("char[]", word("when", entry["when"])))
        e.column = kept[-1]
