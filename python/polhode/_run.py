# SPDX-License-Identifier: BSD-3-Clause
"""Running a scenario, or a system of your own, into an archive: ``polhode.run``."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._core import ArrayLike, Error, check, count, create, doubles, new_error, number, pointer, text, times_within, word
from ._events import Event, as_events, event_array
from ._integrator import Integrator, State, settings
from ._polhode import ffi, lib
from ._program import call_json
from ._record import Run, Temporary
from ._scenario import Scenario, parse, scenario_text
from ._session import Observer, Watch, finish
from ._system import System

# ---- A system of your own ----------------------------------------------------------------------------------------------


DIRECTIONS, ACTIONS = {"both": 0, "up": 1, "down": -1}, {"record": False, "stop": True}


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
    listed = own_events(events)
    if listed:
        array, more = event_array(listed, integrator.system)
        kept.append(more)
        c.events, c.n_events = array, len(listed)
    return Plan(c, name, kept)


def own_events(events: Any) -> List[Event]:
    """Events of ``run`` as Event: those, functions of t and y, columns by name, or dicts as a scenario has them."""
    out: List[Event] = []
    if isinstance(events, (str, Mapping, Event)) or callable(events):
        events = [events]
    if events is not None and not isinstance(events, (list, tuple)):
        raise Error(f"events is {events!r}; it must be a list of polhode.Event, columns, functions or dicts")
    for one in events or ():
        if isinstance(one, str):
            one = Event(one, column=one)
        elif isinstance(one, Mapping):
            given: Dict[str, Any] = {"crosses": 0.0, "direction": "both", "action": "record", **one}
            unknown = set(given) - {"name", "when", "crosses", "direction", "action"}
            if unknown or not {"name", "when"} <= set(given) or given["direction"] not in DIRECTIONS or given["action"] not in ACTIONS:
                raise Error(f"the event {one!r} must have name and when, and may have crosses, direction (up, down or both) and action "
                            f"(record or stop)")
            one = Event(given["name"], column=given["when"], level=given["crosses"], direction=DIRECTIONS[given["direction"]],
                        terminal=ACTIONS[given["action"]])
        out += as_events([one])
    return out


def scenario_events(events: Any) -> List[Any]:
    """Likewise as a scenario has them."""
    if any(event.function is not None for event in own_events(events)):
        raise Error("an event of a scenario is a column that crosses a number, and not a function, which its archive cannot keep; "
                    "functions are for systems of your own (run.system is one)", "PH_E_UNSUPPORTED")
    up = {number: word for word, number in DIRECTIONS.items()}
    return [{"name": e.name, "when": e.column, "crosses": e.level, "direction": up[e.direction], "action": "stop" if e.terminal else "record"}
            for e in own_events(events)]


def _run_system(system: System, z0: Optional[ArrayLike], v0: Optional[ArrayLike], p0: Optional[ArrayLike], watch: Watch, directory: str,
                options: Dict[str, Any], given: Dict[str, Any]) -> Any:
    """Run a system of your own: what ``Watch.run`` returns."""
    take = given.pop
    method, step = take("method", "variational"), take("step", None)
    if take("accuracy", None) is not None:
        raise Error("a system of your own is run with a method and a step; polhode.solve chooses the step for an accuracy", "PH_E_UNSUPPORTED")
    if step is None:
        raise Error("step is missing: the step size [s]")
    name, t, project, events = take("name", "run"), take("time", 0.0), take("project", False), take("events", None)
    duration, steps, bound = take("duration", None), take("steps", None), take("energy_error", 0.0)
    schedule = {key: take(key, None) for key in ("every", "interval", "at", "per_decade")}
    integrator = Integrator(system, method, step=step, **given)
    if z0 is None:
        raise Error("z0 is missing: a system of your own begins at z0 (nz,) with v0 (nz,) or p0 (np,)")
    state = integrator.state(z0, v0, p=p0, t=t, project=project)
    if (duration is None) == (steps is None):
        raise Error("one of duration [s] and steps says how long it is run")
    if duration is not None:
        ratio = number("duration", duration) / abs(integrator.step_size)
        steps = round(ratio) if ratio < 2**53 else -1
        if steps < 1 or abs(ratio - steps) > 1e-9 * ratio:
            raise Error(f"duration is {duration} s; it must be a whole number of steps of {abs(integrator.step_size):g} s", "PH_E_RANGE")
    steps = count("steps", steps, 1)
    if schedule["at"] is not None:
        h = integrator.step_size
        schedule["at"] = times_within("at", schedule["at"], state.t, state.t + steps * h, 1e-9 * abs(h))
    plan = session_plan(name, integrator, state, steps=steps, events=events, schedule=schedule,
                        energy_bound=number("energy_error", bound or 0.0))
    c_options = watch.options(**options)
    return watch.run(lambda out, err: lib.ph_session_open_system(plan.c, os.fsencode(directory), c_options, out, err), name, directory)


# ---- A scenario --------------------------------------------------------------------------------------------------------


def _settle(c: Any, scenario: Scenario) -> None:
    """Method and step for the accuracy of a scenario, by the measurements of ``polhode check --settle``."""
    choice = call_json(["check", "-", "--settle"], scenario.text, cwd=scenario.folder)
    method = lib.ph_method_find(word("method", choice["method"]), ffi.NULL)
    given, error = lib.ph_scenario_method(c) != ffi.NULL, new_error()
    array, n, kept = settings({} if given else choice["options"])
    step = 0.0 if lib.ph_scenario_step_size(c) else choice["step"]
    check(lib.ph_scenario_settle(c, ffi.NULL if given else method, array, n, step, choice.get("error_estimated") or 0.0,
                                 choice.get("energy_error_estimated") or 0.0, error), error)
    del kept


def _look_ahead(c: Any, watch: Watch) -> None:
    """A warning where the step is beyond the range in which small motions at the start are stable, as ``polhode run`` gives it."""
    system, rate, h = lib.ph_scenario_system(c), ffi.new("double *"), abs(lib.ph_scenario_step_size(c))
    adapts = lib.ph_scenario_method(c).claims & lib.PH_CLAIM_ADAPTIVE or lib.ph_scenario_estimate(c) > 0
    if adapts or lib.ph_space_ambient(lib.ph_system_space(system)) > 300 \
            or lib.ph_system_fastest_rate(system, lib.ph_scenario_time(c), lib.ph_scenario_configuration(c), rate, ffi.NULL):
        return
    if rate[0] * h >= 2:
        watch.remark(f"the step, {h:g} s, is too large for the fastest motion: {2 / rate[0]:.2g} s is the limit of stability")


def _run_scenario(scenario: Scenario, name: Optional[str], watch: Watch, directory: str, options: Dict[str, Any]) -> Any:
    c = parse(scenario)
    if not lib.ph_scenario_is_settled(c):
        _settle(c, scenario)
    _look_ahead(c, watch)
    model = text(lib.ph_scenario_model(c).name)
    file = scenario.path if scenario.path is not None and name is None else f"{name or model}.yaml"
    c_options = watch.options(**options)

    def opened(out: Any, error: Any) -> int:
        ffi.gc(c, None)  # it belongs to the session from here on
        return int(lib.ph_session_open_scenario(c, os.fsencode(file), os.fsencode(directory), c_options, out, error))

    return watch.run(opened, model, directory)


def run(source: Any = None, z0: Optional[ArrayLike] = None, v0: Optional[ArrayLike] = None, *, p0: Optional[ArrayLike] = None,
        output: Union[str, "os.PathLike[str]", Mapping[str, Any], None] = None, force: bool = False,
        columns: Optional[Sequence[str]] = None, observe: Optional[Observer] = None, progress: bool = False,
        wall_clock: Optional[float] = None, snapshot: Optional[float] = None, name: Optional[str] = None, **keywords: Any) -> Run:
    """Run a scenario, or a system of your own, into an archive (``ph_session``).

    Parameters
    ----------
    source : path, str, dict or System, optional
        A scenario: a file, a text (YAML or JSON), a dict with the keys of one; or nothing, with keywords alone. Or a system.
    z0, v0, p0 : arrays
        With a system: where it begins, z0 (nz,) and v0 (nz,) or p0 (np,).
    output : path, optional
        A directory for the archive and summary.json. Without it they are in a temporary one ($TMPDIR; in memory, as /dev/shm, short runs
        are faster), which lives as long as the run.
    force : bool
        Replace results that are there; write more than 10 GB.
    columns : list of str, optional
        What is written for each row, besides t and step: names and groups; by default all of a trajectory.
    observe : function of t, z, p, optional
        Called at each output. What it raises ends the run.
    progress : bool
        Show a line with the time that is left.
    wall_clock : float, optional
        End the run after so many seconds.
    snapshot : float, optional
        [s] A killed run loses at most so much work; 60.
    name : str, optional
        The name of the archive; by default that of the scenario's file, or of the model.
    **keywords
        Keys of a scenario, which replace those of the source: ``model``, ``preset``, ``parameters``, ``method`` with its options
        (``order=8``), ``step`` [s], ``duration`` [s] or ``steps``, ``accuracy`` in place of method and step, ``every``, ``interval``,
        ``at`` or ``per_decade`` for the outputs (about 1000 without them), ``events``. With a system:
        ``method``, ``step``, options, ``duration`` or ``steps``, ``time``, ``project``, ``energy_error``, outputs and ``events`` likewise.

    Returns
    -------
    Run
        Complete, or ended by what was to end it: an event, ``wall_clock``, a bound on the energy error. Its ``reason`` says which.

    Raises
    ------
    Error
        A mistake in the scenario (nothing is written then); a step that fails. What was done is the attribute ``run`` of the
        exception, also of KeyboardInterrupt, of what ``observe`` raises, and of what functions of a system do.

    Warns
    -----
    RunWarning
        What the library remarks; the configuration has left its manifold.

    Examples
    --------
    >>> import polhode as ph
    >>> run = ph.run(model="heavy-top", method="variational", order=4, step=0.01, duration=2, every=10)
    >>> run.R.shape, float(run.t[1])
    ((21, 1, 3, 3), 0.1)

    A system of your own:

    >>> system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=lambda x: x)
    >>> run = ph.run(system, [1.0], [0.0], method="variational", order=8, step=0.1, duration=10)
    >>> round(float(run.x[-1, 0, 0]), 6)  # cos 10
    -0.839072
    """
    if isinstance(output, Mapping):
        keywords["output"], output = output, None
    if "times" in keywords:
        keywords["at"] = keywords.pop("times")
    temporary = None if output is not None else Temporary()
    directory = temporary.path if temporary is not None else os.fspath(output or "")
    watch = Watch(observe, progress)
    options = {"force": bool(force), "snapshot": snapshot, "wall_clock": wall_clock, "columns": columns}
    if isinstance(source, System):
        events = keywords.get("events")
        if name is not None:
            keywords["name"] = name
        path, status, message = _run_system(source, z0, v0, p0, watch, directory, options, keywords)
        made = Run(path, system=source, events=events, temporary=temporary)
    else:
        if z0 is not None or v0 is not None or p0 is not None:
            raise Error("z0, v0 and p0 belong to a system of your own; a scenario has initial={'q': ..., 'omega': ...} or preset=...")
        if keywords.get("events") is not None:
            keywords["events"] = scenario_events(keywords["events"])
        if keywords.get("accuracy") is not None:
            keywords = {"method": None, "step": None, **keywords}
        path, status, message = _run_scenario(scenario_text(source, **keywords), name, watch, directory, options)
        made = Run(path, temporary=temporary)
    finish(status, message, watch, made)
    return made
