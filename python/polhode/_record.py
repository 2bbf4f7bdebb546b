# SPDX-License-Identifier: BSD-3-Clause
"""Runs as they are in their archives (``ph_record``, ``ph_rows``): columns as arrays, events, errors, the state to continue from.

A Run opens its archive for each reading and closes it again. So it can be read while another process writes it, in any
thread, and after a fork; what was read is kept.
"""
from __future__ import annotations

import os
import re
import weakref
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple,
                    Union)

import numpy as np

from ._core import Array, Error, Fixed, Guard, check, copied, create, new_error, passed, room, text, word, words
from ._integrator import Integrator, State
from ._plot import plot
from ._polhode import ffi, lib
from ._session import Observer, Watch, finish, warn
from ._system import System
from ._tables import Table
from ._view import view

if TYPE_CHECKING:  # they are not needed to import this package
    import xarray

KEPT = 1 << 28  # [bytes] of a table that is kept whole; of a larger one the columns that are asked for
INSIDE = {"Omega": "omega", "v": "omega", "qdot": "velocity", "Rdot": "velocity", "xdot": "velocity"}  # arrays in larger groups
AT_ONCE, COMPUTED_AT_ONCE = 1 << 22, 1 << 15  # numbers that are read, or computed, between two looks at Ctrl-C


class _Missing(Error, AttributeError):
    """A run has no such array: hasattr and getattr understand that."""


class Found(NamedTuple):
    """Events of one name, in the order of time.

    Attributes
    ----------
    t : (n,)
        When [s].
    theta : (n,)
        Which part of its step had passed, in (0, 1].
    direction : (n,)
        1 where the function rose, -1 where it fell.
    step : (n,)
        Steps taken before.
    z : (n, nz); p : (n, np)
        Configuration and momentum there.
    """

    t: Array
    theta: Array
    direction: Any
    step: Any
    z: Array
    p: Array

    def __repr__(self) -> str:
        return f"<polhode.Found {self.t.size} times>"


class FoundEvents(Mapping[str, Found]):
    """Events by name: ``run.events["upright"].t``."""

    def __init__(self, by_name: Dict[str, Found]) -> None:
        self._by_name = by_name

    def __getitem__(self, name: str) -> Found:
        if name not in self._by_name:
            raise Error(f"no event is called {name!r}; there are: {', '.join(self._by_name) or 'none'}", "PH_E_UNKNOWN")
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<polhode.FoundEvents {', '.join(f'{name}: {e.t.size}' for name, e in self.items()) or 'none'}>"

    def _repr_html_(self) -> str:
        return Table(("event", "found", "first [s]", "last [s]"),
                     [(name, e.t.size, *(e.t[[0, -1]].tolist() if e.t.size else (None, None))) for name, e in self.items()])._repr_html_()


# ---- Columns as arrays -------------------------------------------------------------------------------------------------


class Group(NamedTuple):
    """Columns that make an array, and its shape behind the rows."""

    places: List[int]
    shape: Tuple[int, ...]


def groups(names: Sequence[str]) -> Dict[str, Group]:
    """The arrays that columns of these names make (``ph_table_arrays``)."""
    n = len(names)
    if n == 0:
        return {}
    kept = [ffi.new("char[]", word("the name of a column", name)) for name in names]
    source, columns = ffi.new("ph_column[]", n), ffi.new("ph_column[]", n)
    for c, name in zip(source, kept):
        c.name = name
    picked, room_for_names = ffi.new("size_t[]", list(range(n))), ffi.new("char[]", n * lib.PH_COLUMN_NAME)
    error = new_error()
    check(lib.ph_table_arrays(source, n, picked, n, columns, room_for_names, error), error)
    result: Dict[str, Group] = {}
    for c, place in zip(columns, picked):
        if c.array != ffi.NULL:
            result.setdefault(text(c.array), Group([], tuple(int(k) for k in c.shape if k))).places.append(int(place))
    return result


# ---- Files -------------------------------------------------------------------------------------------------------------


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not in one that was forked
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


class Temporary:
    """A directory that lives as long as this object."""

    def __init__(self) -> None:
        import shutil  # noqa: F401  (it is needed at exit)
        import tempfile

        self.path = tempfile.mkdtemp(prefix="polhode-")
        self.remove = weakref.finalize(self, _remove, self.path, os.getpid())


def find_archive(path: Union[str, "os.PathLike[str]"]) -> str:
    """The archive at this path, or the one in this directory."""
    name = os.fspath(path)
    if not isinstance(name, str) or "\0" in name:
        raise Error(f"{path!r} is not the path of an archive")
    if not os.path.isdir(name):
        return name
    found = sorted(entry for entry in os.listdir(name) if entry.endswith(".polhode") and entry != ".polhode")
    if len(found) != 1:
        raise Error(f"{name}: is a directory with {len(found)} archives; name one of them" if found else
                    f"{name}: is a directory without an archive (NAME.polhode)")
    return os.path.join(name, found[0])


def _unpickle(name: str, content: bytes, system: Optional[System]) -> "Run":
    temporary = Temporary()
    path = os.path.join(temporary.path, name)
    with open(path, "wb") as file:
        file.write(content)
    return Run(path, system=system, temporary=temporary)


# ---- The run -----------------------------------------------------------------------------------------------------------


class Run(Fixed):
    """A run in its archive: its columns as arrays, its events, errors, figures, and how to continue it.

    It is returned by ``polhode.run`` and ``polhode.open``. Arrays are read when they are asked for, and are kept; they are
    read-only. A run that another process still writes has the rows that were there when it was opened, until ``refresh``.

    ``run["NAME"]`` is any column, array, or group of columns, also one that is computed from configuration and momentum
    (``ph_rows``): "q1x", "R", "positions", "tensions", "momentum_maps". A column is (rows,); columns of one kind are (rows, factors,
    ...), "R" (rows, factors, 3, 3); those of one factor, "q1", (rows, ...); others (rows, columns). ``run["t", "q1x"]`` is
    (rows, 2).

    Examples
    --------
    >>> import polhode as ph
    >>> run = ph.run(model="double-spherical-pendulum", method="variational", order=8, step=0.01, duration=1)
    >>> len(run), run.q.shape, run["positions"].shape, run["q1x"].shape
    (101, (101, 2, 3), (101, 2, 3), (101,))
    >>> bool(abs(run.energy_error).max() < 1e-9)
    True
    >>> run.units["energy"], run.names("momentum_maps")
    ('J', ['Jg'])
    """

    def __init__(self, path: str, *, system: Optional[System] = None, events: Optional[Callable[[Any], Any]] = None,
                 temporary: Optional[Temporary] = None) -> None:
        self._path, self._system, self._temporary = path, system, temporary
        self._plan = events
        self._one = Guard("run")
        self._warned: set[str] = set()
        self.refresh()

    # ---- What is there
    def _open(self) -> Any:
        record = create("ph_record", lambda out, err: lib.ph_record_open(os.fsencode(self._path), out, err), lib.ph_record_close)
        if self._meta and (lib.ph_record_columns(record) != len(self._names)
                           or text(lib.ph_record_meta(record, b"created")) != self._meta.get("created", "")):
            raise Error(f"{self._path}: another run has taken the place of this one; run.refresh() reads that", "PH_E_EXISTS")
        return record

    def refresh(self) -> "Run":
        """Look at the archive again: what another process has written since is there then. Returns the run."""
        self._meta: Dict[str, str] = {}
        record, error = self._open(), new_error()
        status = lib.ph_record_verify(record, error)
        if status in (lib.PH_E_IO, lib.PH_E_PARSE):
            self._remark(f"the archive is damaged: {text(error.message)}")
        else:
            check(status, error)
        n = int(lib.ph_record_columns(record))
        self._names = [text(lib.ph_record_column(record, i)) for i in range(n)]
        self._rows = int(lib.ph_record_rows(record))
        self._places: Dict[str, int] = {}
        for i, name in enumerate(self._names):
            self._places.setdefault(name, i)
        self._units = {name: text(lib.ph_record_unit(record, i)) for i, name in enumerate(self._names)}
        keys = ("name", "source", "version", "build", "model", "method", "order", "options", "conservative", "step", "steps", "t0",
                "created", "session", "session_steps", "status", "reason", "ended_by", "message", "accuracy", "accuracy_of",
                "estimated_error", "estimated_energy_error")
        found = {key: lib.ph_record_meta(record, key.encode()) for key in (*keys, "scenario")}
        self._meta = {key: text(value) for key, value in found.items() if value != ffi.NULL}
        self._table: Optional[Array] = None
        self._arrays: Dict[str, Array] = {}
        self._computed: Dict[str, Tuple[List[str], Array]] = {}
        self._layout: Optional[Dict[str, Group]] = None
        self._events: Optional[FoundEvents] = None
        self._between: Any = None
        return self

    def __len__(self) -> int:
        return self._rows

    @property
    def path(self) -> str:
        """The archive."""
        return self._path

    @property
    def columns(self) -> List[str]:
        """Names of the archive's columns, in its order."""
        return list(self._names)

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each column of the archive, and of those that were computed; "" of counts."""
        return dict(self._units)

    @property
    def scenario(self) -> str:
        """The text of the scenario (YAML); "" of a system of your own."""
        return self._meta.get("scenario", "")

    @property
    def attributes(self) -> Dict[str, str]:
        """What the archive says of its run: version, model, method, options, reason, ... (the table meta)."""
        return {key: value for key, value in self._meta.items() if key != "scenario"}

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._meta.get("model", "")

    @property
    def method(self) -> str:
        """The name of the method."""
        return self._meta.get("method", "")

    @property
    def step(self) -> float:
        """The step size h [s]. (The column of step counts is run["step"].)"""
        try:
            return float(self._meta.get("step", "nan"))
        except ValueError:  # damaged
            return float("nan")

    @property
    def status(self) -> str:
        """How it ended: "ok", "stopped" by an event, "interrupted", "diverged", ...; "" while it runs, or where it was killed."""
        return self._meta.get("status", "")

    @property
    def reason(self) -> str:
        """Why it ended, in one word: "duration", "event", "signal", "wall-clock", ...; "" likewise."""
        return self._meta.get("reason", "")

    @property
    def is_running(self) -> bool:
        """Does a process write it at this moment?"""
        return bool(lib.ph_archive_writer(os.fsencode(self._path), ffi.NULL))

    @property
    def summary(self) -> Dict[str, float]:
        """A dict of the errors until the latest commit (``ph_summary``): energy_error_max, momentum_error_max, constraint_error_max, ...

        Energy errors are relative to ``energy_scale`` [J], those of momentum maps to ``momentum_scale``. NaN: not known.
        """
        record, summary, maps, error = self._open(), ffi.new("ph_summary *"), ffi.new("size_t *"), new_error()
        check(lib.ph_record_errors(record, summary, maps, error), error)
        names = [name for name, field in ffi.typeof("ph_summary").fields if field.type.kind == "primitive"]
        return {name: getattr(summary, name) for name in names}

    # ---- Arrays
    def _remark(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            warn(message)

    def _damaged(self, message: str) -> None:
        self._remark(f"{message}; these rows are NaN")

    def _fill(self, call: Callable[..., int], width: int, at_once: int, take: Optional[Sequence[int]] = None, begin: int = 0) -> Array:
        """All rows from `begin` on (rows, width) by ph_record_read or ph_rows_read, or these columns of them. Damaged ones are NaN."""
        rows, at_once, first = self._rows, max(1, at_once // max(width, 1)), begin
        columns = width if take is None else len(take)
        size = sum(os.path.getsize(self._path + ending) for ending in ("", "-wal") if os.path.exists(self._path + ending))
        if 8 * rows * len(self._names) > 4 * size + 10**7:
            raise Error(f"{self._path}: is damaged: it has {size} bytes, and cannot hold {rows} rows of {len(self._names)} numbers", "PH_E_IO")
        try:
            out = np.empty((rows - begin, columns))
        except (MemoryError, ValueError):
            raise Error(f"{self._path}: {rows - begin} rows of {columns} columns do not fit into memory", "PH_E_NO_MEMORY") from None
        part = np.empty((min(at_once, rows - begin), width)) if take is not None else None
        got, behind, error = ffi.new("int64_t *"), ffi.new("int64_t *"), new_error()
        while first < rows:
            n = min(at_once, rows - first)
            status = call(first, n, room(out[first - begin:first - begin + n] if part is None else part), got, behind, error)
            passed()
            if status and behind[0] <= first:
                check(status, error)
            if status:
                self._damaged(text(error.message))
            elif part is not None:
                out[first - begin:first - begin + got[0]] = part[:got[0]][:, take]
            end = min(int(behind[0]), rows) if status or got[0] else rows  # nothing there: a writer has taken rows back
            if status or not got[0]:
                out[first - begin:end - begin] = np.nan
            first = end
        out.flags.writeable = False
        return out

    def _take(self, places: List[int]) -> Array:
        """These columns of the archive (rows, columns)."""
        width = len(self._names)
        if self._table is None and 8 * self._rows * width > KEPT:
            record = self._open()
            return self._fill(lambda *a: int(lib.ph_record_read(record, *a)), width, AT_ONCE, places)
        if self._table is None:
            record = self._open()
            self._table = self._fill(lambda *a: int(lib.ph_record_read(record, *a)), width, AT_ONCE)
        if places == list(range(places[0], places[0] + len(places))):
            return self._table[:, places[0]:places[0] + len(places)]
        taken = self._table[:, places]
        taken.flags.writeable = False
        return taken

    def _compute(self, *wanted: str) -> Tuple[List[str], Array]:
        """Names and values (rows, columns) of columns by name or group, of the archive or computed."""
        key = "\0".join(wanted)
        if key not in self._computed:
            record = self._open()
            array, kept = words("columns", wanted)
            if self._system is not None and not self.scenario:
                check(lib.ph_rows_use_system(record, self._system._c, ffi.NULL))
            rows = create("ph_rows", lambda out, err: lib.ph_rows_open(record, array, len(wanted), out, err), lib.ph_rows_free, record,
                          kept)
            n = int(lib.ph_rows_columns(rows))
            names = [text(lib.ph_rows_column(rows, i)) for i in range(n)]
            for i, name in enumerate(names):
                self._units.setdefault(name, text(lib.ph_rows_unit(rows, i)))
            places = [self._places[name] for name in names if name in self._places]
            if len(places) == n:
                values = self._take(places) if n else np.empty((self._rows, 0))
            else:
                values = self._fill(lambda *a: int(lib.ph_rows_read(rows, *a)), n, COMPUTED_AT_ONCE)
            self._computed[key] = names, values
        return self._computed[key]

    def _columns(self, names: List[str]) -> Array:
        """Columns by name (rows, columns)."""
        if all(name in self._places for name in names):
            return self._take([self._places[name] for name in names]) if names else np.empty((self._rows, 0))
        return self._compute(*names)[1]

    def _flat(self, groups_: Optional[Sequence[str]]) -> List[str]:
        """The columns of these groups; all of the archive's of None."""
        if groups_ is None:
            return list(self._names)
        if isinstance(groups_, str) or not hasattr(groups_, "__iter__"):
            raise Error(f"columns is {groups_!r}; it must be a list of names")
        return [column for group in groups_ for column in self.names(group)]

    def _archived(self) -> Dict[str, Group]:
        """The arrays that the archive's columns make."""
        if self._layout is None:
            self._layout = groups(self._names)
        return self._layout

    @staticmethod
    def _columns_of(values: Array, places: List[int]) -> Array:
        return values[:, places[0]:places[-1] + 1] if places == list(range(places[0], places[-1] + 1)) else values[:, places]

    def _kind(self, array: str, group: str) -> Array:
        """The array of this name, of the archive or among the columns of a group."""
        if array not in self._arrays:
            if array in self._archived():
                found, values = self._archived()[array], self._take(self._archived()[array].places)
            else:
                names, all_values = self._compute(group)
                arrays = groups(names)
                if array not in arrays:
                    raise _Missing(f"this run has no {array}: its {group} has {', '.join(arrays) or 'no array'}", "PH_E_UNKNOWN")
                found, values = arrays[array], self._columns_of(all_values, arrays[array].places)
            self._arrays[array] = values.reshape((len(values), *found.shape))
        return self._arrays[array]

    def __getitem__(self, name: Union[str, Tuple[str, ...], List[str]]) -> Array:
        if isinstance(name, (tuple, list)):
            return self._columns(self._flat(name))
        if not isinstance(name, str):
            raise Error(f"run[{name!r}]: the name of a column, or of a group of columns, is expected; rows are run.t[{name!r}] and the like")
        if name in self._arrays:
            return self._arrays[name]
        if name in self._places:
            return self._take([self._places[name]])[:, 0]
        if name in self._archived() or name in INSIDE:
            return self._kind(name, INSIDE.get(name, name))
        names, values = self._compute(name)
        if names == [name]:
            return values[:, 0]
        arrays = list(groups(names).values())
        if len(arrays) == 1 and len(arrays[0].places) == len(names):
            shape = arrays[0].shape
            if re.search(r"\d$", name) and shape[0] == 1:
                shape = shape[1:]
            return values.reshape((len(values), *shape))
        return values

    def names(self, group: str) -> List[str]:
        """The columns that a name stands for: ["q1x", "q1y", "q1z"] of "q1"."""
        if not isinstance(group, str):
            raise Error(f"{group!r} is not the name of a column, or of a group of columns")
        if group in self._places:
            return [group]
        if group in self._archived():
            return [self._names[i] for i in self._archived()[group].places]
        names = self._compute(INSIDE.get(group, group))[0]
        return [names[i] for i in groups(names)[group].places] if group in INSIDE and group in groups(names) else list(names)

    @property
    def t(self) -> Array:
        """Times (rows,) [s]."""
        return self["t"]

    @property
    def between(self) -> Any:
        """Which rows (rows,) lie between two steps: they were interpolated, and their errors are mainly those of that."""
        if self._between is None:
            record = self._open()
            is_between = lib.ph_record_is_between
            self._between = np.fromiter((is_between(record, t) for t in self.t), bool, self._rows)
        return self._between

    @property
    def z(self) -> Array:
        """Configurations (rows, nz), all factors one after the other, as ``State.z``."""
        return self._compute("configuration")[1]

    @property
    def v(self) -> Array:
        """Velocities (rows, nz), as ``State.v``."""
        return self._compute("velocity")[1]

    @property
    def p(self) -> Array:
        """Momenta (rows, np), as ``State.p``. By kinds of factors they are ``pi``, ``Pi`` and run["p"]."""
        return self._compute("momentum")[1]

    @property
    def q(self) -> Array:
        """Unit vectors (rows, factors, 3) of spheres, (rows, factors, 2) of circles [1]."""
        return self._kind("q", "configuration")

    @property
    def x(self) -> Array:
        """Vectors (rows, factors, d) of R^d [m]."""
        return self._kind("x", "configuration")

    @property
    def R(self) -> Array:
        """Rotation matrices (rows, factors, 3, 3), body to space [1]."""
        return self._kind("R", "configuration")

    @property
    def s(self) -> Array:
        """Spins, as unit vectors (rows, spins, 3) [1]."""
        return self._kind("s", "configuration")

    @property
    def omega(self) -> Array:
        """Angular velocities (rows, factors, 3) of unit vectors on spheres, (rows, factors) on circles [rad/s]."""
        return self._kind("omega", "omega")

    @property
    def Omega(self) -> Array:
        """Angular velocities (rows, factors, 3) of bodies, in their frames [rad/s]."""
        return self._kind("Omega", "omega")

    @property
    def pi(self) -> Array:
        """Momenta (rows, factors, 3) of unit vectors in angular form, pi = q x dL/dq' [kg m^2/s]; (rows, factors) on circles."""
        return self._kind("pi", "momentum")

    @property
    def Pi(self) -> Array:
        """Angular momenta (rows, factors, 3) of bodies, in their frames [kg m^2/s]."""
        return self._kind("Pi", "momentum")

    @property
    def energy(self) -> Array:
        """Energy (rows,) [J]."""
        return self["energy"]

    @property
    def energy_error(self) -> Array:
        """Energy less that of the first row (rows,) [J]."""
        return self["energy_error"]

    @property
    def constraint_error(self) -> Array:
        """The largest deviation from the manifold (rows,) [1]."""
        return self["constraint_error"]

    @property
    def momentum(self) -> Array:
        """Momentum maps (rows, maps), which the symmetries conserve; their names are run.names("momentum_maps")."""
        return self._compute("momentum_maps")[1]

    # ---- Events
    @property
    def events(self) -> FoundEvents:
        """Events by name: ``run.events["upright"].t``. All that were looked for are there, also where none was found."""
        if self._events is None:
            self._events = self._read_events()
        return self._events

    def _read_events(self) -> FoundEvents:
        record, event, error, at = self._open(), ffi.new("ph_recorded_event *"), new_error(), ffi.new("int64_t *")
        found: Dict[str, List[Tuple[float, float, int, int, Array]]] = {name: [] for name in self._listed_events()}
        at[0] = -1
        while lib.ph_record_next_event(record, at[0], at):
            status = lib.ph_record_event(record, at[0], event, error)
            if status == lib.PH_E_RANGE:
                break
            if status:
                warn(text(error.message))
                continue
            found.setdefault(text(event.name), []).append(
                (event.t, event.theta, event.direction, event.step, copied(event.values, event.n)))
        try:
            nz = self.system.space.ambient
        except Error:  # of an archive without a system it is not known where p begins
            nz = max((len(item[4]) for items in found.values() for item in items), default=0)
        result = {}
        for name, items in found.items():
            t, theta, direction, step, values = zip(*items) if items else ((), (), (), (), ())
            at_event = np.array(values).reshape(len(items), -1) if items else np.empty((0, nz))
            result[name] = Found(np.array(t, dtype=float), np.array(theta, dtype=float), np.array(direction, dtype=np.int64),
                                 np.array(step, dtype=np.int64), at_event[:, :nz], at_event[:, nz:])
        return FoundEvents(result)

    def _listed_events(self) -> List[str]:
        if self._plan is not None or not self.scenario:
            return []
        n = ffi.new("size_t *")
        scenario = self._recall()
        events = lib.ph_scenario_events(scenario, n)
        return [text(events[i].name) for i in range(n[0])]

    # ---- The system, and where the run is
    def _recall(self) -> Any:
        """The scenario, built again, with the method and step that were chosen for an accuracy."""
        record = self._open()
        return create("ph_scenario", lambda out, err: lib.ph_session_recall(record, os.fsencode(self._path), out, err),
                      lib.ph_scenario_free)

    @property
    def system(self) -> System:
        """The system: of the scenario, or your own."""
        if self._system is None:
            if not self.scenario:
                raise Error("this archive has no scenario: it is of a system of your own; give it to polhode.open(path, system=...)",
                            "PH_E_UNSUPPORTED")
            scenario = self._recall()
            self._system = System._of(lib.ph_scenario_system(scenario), scenario)
        return self._system

    @property
    def integrator(self) -> Integrator:
        """A new integrator with the method, options and step of the run."""
        if not self.scenario:
            options = dict(pair.split("=", 1) for pair in self._meta.get("options", "").split())
            return Integrator(self.system, self.method, step=self.step, **options)
        scenario = self._recall()
        recorded = self._meta.get("options")
        c = create("ph_integrator", lambda out, err: lib.ph_scenario_integrator(
            scenario, ffi.NULL if recorded is None else recorded.encode(), out, err), lib.ph_integrator_free, scenario)
        result = Integrator.__new__(Integrator)
        result._own(c, System._of(lib.ph_scenario_system(scenario), scenario))
        return result

    @property
    def state(self) -> State:
        """The latest state that was committed, with all that its method carries: ``state = run.state``,
        ``state.integrator.step(state, n)`` makes the steps that the run would make."""
        state, record, error = State(self.integrator), self._open(), new_error()
        account = ffi.new("ph_account *")
        check(lib.ph_record_state(record, state._c, ffi.NULL, account, error), error)
        return state

    def resume(self, until: Optional[float] = None, *, progress: bool = False, observe: Optional[Observer] = None,
               wall_clock: Optional[float] = None) -> "Run":
        """Continue the run, with the same bits as one that was not interrupted (``ph_session_resume``).

        Parameters
        ----------
        until : float, optional
            To this time of the motion [s] instead of the planned one; the run may have been complete.
        progress, observe, wall_clock
            As of ``polhode.run``.

        Returns
        -------
        Run
            This one, with the new rows.

        Raises
        ------
        Error
            PH_E_EXISTS: another process writes it; PH_E_RANGE: it is past `until`; and what ends it, as of ``polhode.run``.

        Examples
        --------
        >>> import polhode as ph
        >>> run = ph.run(model="heavy-top", method="variational", step=0.01, duration=1)
        >>> float(run.resume(until=2).t[-1])
        2.0
        """
        with self._one():
            watch = Watch(observe, progress)
            options = watch.options(until=until, wall_clock=wall_clock)
            path = os.fsencode(self._path)
            if self.scenario:
                _, status, message = watch.run(lambda out, err: lib.ph_session_resume(path, options, out, err), self.model, self._path)
            else:
                from ._run import session_plan

                integrator = self.integrator
                plan = session_plan(os.path.splitext(os.path.basename(self._path))[0], integrator, None, events=self._plan)
                _, status, message = watch.run(lambda out, err: lib.ph_session_resume_system(plan.c, path, options, out, err),
                                               plan.name, self._path)
            self.refresh()
        finish(status, message, watch, self)
        return self

    def save(self, path: Union[str, "os.PathLike[str]"], *, force: bool = False) -> "Run":
        """Copy the archive, also one that is being written, as of its latest commit; a run without ``output`` ends with the program.

        path: a file, NAME.polhode, or a directory that exists. force: replace what is there. Returns the run in its new place.
        """
        import sqlite3

        target = os.fspath(path)
        if os.path.isdir(target):
            target = os.path.join(target, os.path.basename(self._path))
        if os.path.exists(target) and (not force or os.path.samefile(target, self._path)):
            raise Error(f"{target}: exists already" + ("" if force else "; force=True replaces it"), "PH_E_EXISTS")
        self._open()  # it must be this run
        try:
            if os.path.exists(target + ".part"):
                os.remove(target + ".part")
            source, copy = sqlite3.connect(self._path), sqlite3.connect(target + ".part")
            try:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()
                source.close()
            os.replace(target + ".part", target)
        except (OSError, sqlite3.Error) as reason:
            raise Error(f"{target}: cannot be written: {reason}", "PH_E_IO") from None
        return Run(target, system=self._system, events=self._plan)

    # ---- For other packages
    def export(self, path: Union[str, "os.PathLike[str]"], *, columns: Optional[Sequence[str]] = None, force: bool = False) -> None:
        """Write the rows as CSV, .npy, .npz or HDF5, by the ending of the name (the command ``polhode export``).

        columns: names or groups; by default those of the archive. force: replace what is there.
        """
        from ._program import call

        call(["export", self._path, "-o", os.fspath(path), "-q", *(["--columns", ",".join(self._flat(columns))] if columns is not None else []),
              *(["--force"] if force else [])], accept=(0, 1))

    def to_pandas(self, columns: Optional[Sequence[str]] = None) -> Any:
        """A DataFrame of the archive's columns, or of these columns and groups; its index is t [s]. ``attrs`` has units and more."""
        import pandas  # type: ignore[import]

        names = self._flat(columns)
        values = self._columns(names)
        frame = pandas.DataFrame(np.array(values), index=pandas.Index(np.array(self.t), name="t"), columns=names)
        frame = frame.drop(columns="t", errors="ignore")
        frame.attrs = {**self.attributes, "units": {name: self._units[name] for name in frame.columns}}
        return frame

    def to_xarray(self, columns: Optional[Sequence[str]] = None) -> "xarray.Dataset":
        """A Dataset of the same, in which columns of one kind are one variable (t, factor, component) with its units."""
        import xarray

        names = self._flat(columns)
        values = self._columns(names)
        made = groups(names)
        inside = {place: array for array, group in made.items() for place in group.places}
        variables: Dict[str, Any] = {}
        for i, name in enumerate(names):
            array = inside.get(i)
            if name == "t" or array in variables:
                continue
            if array is None:
                variables[name] = ("t", np.array(values[:, i]), {"units": self._units[name]})
                continue
            shape = made[array].shape
            dims = [f"{array}_{axis}" for axis in (("factor",), ("factor", "component"), ("factor", "row", "column"))[len(shape) - 1]]
            variables[array] = (("t", *dims), np.array(values[:, made[array].places]).reshape(len(values), *shape),
                                {"units": self._units[names[made[array].places[0]]]})
        return xarray.Dataset(variables, coords={"t": ("t", np.array(self.t), {"units": "s"})}, attrs=self.attributes)

    plot, view = plot, view

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled is the path of the archive, or the archive itself where it is temporary."""
        if self._plan is not None or (self._system is not None and not self.scenario):
            raise Error("a run of a system of your own cannot be pickled, as functions are part of it; its archive can be opened: "
                        "polhode.open(run.path)", "PH_E_UNSUPPORTED")
        if self._temporary is None:
            return open_run, (os.path.abspath(self._path),)
        with open(self._path, "rb") as file:
            return _unpickle, (os.path.basename(self._path), file.read(), None)

    def __repr__(self) -> str:
        end = self.status or ("running" if self.is_running else "not ended")
        return f"<polhode.Run {self.model or self._path}: {self.method}, h = {self.step:g} s, {self._rows} rows, {end}>"

    def _repr_html_(self) -> str:
        rows = [("model", self.model), ("method", f"{self.method} {self._meta.get('options', '')}"), ("step", f"{self.step:g} s"),
                ("rows", f"{self._rows}, of {len(self._names)} columns"), ("ended", self._meta.get("message") or self.status or "not yet"),
                ("archive", self._path)]
        try:
            errors = self.summary
            rows[4:4] = [("largest energy error", f"{errors['energy_error_max']:.2g} of {errors['energy_scale']:.4g} J"),
                         ("largest constraint error", f"{errors['constraint_error_max']:.2g}")]
        except Error:
            pass
        return Table(("run", ""), rows)._repr_html_()


def open_run(path: Union[str, "os.PathLike[str]"], *, system: Optional[System] = None, events: Any = None) -> Run:
    """A run from its archive, also one that another process is writing.

    Parameters
    ----------
    path : path
        An archive, NAME.polhode, or a directory that holds one.
    system : System, optional
        For a run of a system of your own: the one that it was made with, to resume it and to compute columns.
    events : optional
        Likewise the events, as ``polhode.run`` had them.

    Returns
    -------
    Run

    Warns
    -----
    RunWarning
        The archive is damaged (``ph_record_verify``): what can be read is read nevertheless.

    Raises
    ------
    Error
        PH_E_IO: missing, or damaged beyond reading; PH_E_PARSE: no archive, or of a newer version; PH_E_UNSUPPORTED: it is of a
        ``Sweep``.

    Examples
    --------
    >>> import polhode as ph
    >>> run = ph.run(model="planar-pendulum", method="rk4", step=0.01, duration=1)
    >>> ph.open(run.path).columns[:4]
    ['t', 'step', 'q1x', 'q1y']
    """
    run = Run(find_archive(path), system=system, events=events)
    if lib.ph_record_swept(run._open(), ffi.NULL):
        raise Error(f"{run.path}: is a sweep of many members; polhode.Sweep({os.fspath(path)!r}) opens it", "PH_E_UNSUPPORTED")
    return run
