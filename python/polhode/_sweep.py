# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps: all members of an ensemble of scenarios in one archive, run on all processors (``ph_sweep``), and read as arrays."""
from __future__ import annotations

import json
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._core import Array, Error, Fixed, Guard, _pending, check, copied, count, create, fail, new_error, number, own, text, word, words
from ._polhode import ffi, lib
from ._record import AT_ONCE, Group, Run, Temporary, find_archive
from ._run import scenario_events
from ._scenario import Scenario, scenario_text, seen, yaml
from ._session import LARGEST, Progress, Watch, finish, warn
from ._tables import Table

if TYPE_CHECKING:  # it is not needed to import this package
    import xarray

LEADING = 4  # columns before those that vary: t, step, member, status
TRIED = 100  # members of which one can be made


class MemberEvents(NamedTuple):
    """Events of one name, in the order of members, and of time in each.

    Attributes
    ----------
    member : (n,)
        The number of the member, from 0.
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

    member: npt.NDArray[np.int64]
    t: Array
    theta: Array
    direction: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    z: Array
    p: Array

    def __repr__(self) -> str:
        return f"<polhode.MemberEvents {self.t.size} times>"


class Block:
    """Consecutive members that were complete at one time: what ``observe`` of ``polhode.sweep`` is called with.

    ``block["NAME"]`` is an array of the archive, (members, rows, ...), as that of a ``Sweep``.

    Attributes
    ----------
    members : (members,)
        Which, from 0.
    done, planned : int
        Members that are complete, and of which they are a part.
    """

    def __init__(self, run: Run, swept: Any, begin: int) -> None:
        record = run._open()
        width, first = len(run._names), begin - swept.first
        self._run, self._each = run, int(swept.rows)
        self._table = run._fill(lambda *a: int(lib.ph_record_read(record, *a)), width, AT_ONCE, begin=first * self._each)
        self.done, self.planned = len(run) // self._each, int(swept.end - swept.first)
        self.members: npt.NDArray[np.int64] = np.arange(begin, swept.first + self.done)

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, name: str) -> Array:
        return _shaped(self._run, name, self._each, lambda places: Run._columns_of(self._table, places))

    def __repr__(self) -> str:
        return f"<polhode.Block of {len(self)} members from {self.members[0] if len(self) else '-'}, {self.done} of {self.planned} done>"


def _shaped(run: Run, name: str, each: int, take: Callable[[List[int]], Array]) -> Array:
    """A column of the archive (members, rows), or the array of its columns that has this name (members, rows, ...)."""
    if not isinstance(name, str):
        raise Error(f"[{name!r}]: the name of a column, or of an array of columns, is expected")
    if name in run._places:
        return take([run._places[name]]).reshape(-1, each)
    found: Optional[Group] = run._archived().get(name)
    if found is None:
        raise Error(f"{run.path} has no {name!r}; there are: {', '.join([*run._archived(), *run._names])}", "PH_E_UNKNOWN")
    return take(found.places).reshape(-1, each, *found.shape)


class Sweep(Fixed):
    """All members of an ensemble in their archive: what varies, columns as arrays, failures, events, statistics.

    It is returned by ``polhode.sweep`` and ``polhode.merge``; ``Sweep(path)`` opens the archive of a sweep (a file, or a directory that
    holds one), also one that another process writes: it has the members that were complete then, until ``refresh``. Arrays are read
    when they are asked for; they are read-only.

    ``sweep["NAME"]`` is a column of the archive (members, rows), or an array of its columns: "q" (members, rows, factors, 3),
    "R" (members, rows, factors, 3, 3), "omega", "pi", ... A member that failed has the rows that it reached, and NaN in those after them:
    ``statuses`` and ``failed`` say which these are.

    Parameters
    ----------
    path : path
        An archive, NAME.polhode, or a directory that holds one.

    Examples
    --------
    >>> import polhode as ph
    >>> sweep = ph.sweep(model="planar-pendulum", method="rk4", step=0.01, duration=1,
    ...                  ensemble={"product": {"parameters.length": [0.5, 1, 2]}})
    >>> sweep["energy"].shape, sweep["q"].shape, sweep.values["parameters.length"]
    ((3, 1), (3, 1, 1, 2), array([0.5, 1. , 2. ]))
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], *, _temporary: Optional[Temporary] = None) -> None:
        self._path, self._temporary = find_archive(path), _temporary
        self._one = Guard("sweep")
        self.refresh()

    def refresh(self) -> "Sweep":
        """Look at the archive again: members that another process has completed since are there then. Returns the sweep."""
        self._run = Run(self._path, temporary=self._temporary)
        self._swept = ffi.new("ph_swept *")
        record = self._run._open()
        if not lib.ph_record_swept(record, self._swept):
            raise Error(f"{self._path}: is a run, and not a sweep; polhode.open({self._path!r}) opens it", "PH_E_UNSUPPORTED")
        varied = lib.ph_record_meta(record, b"varied")
        names = text(varied).split("\n") if varied != ffi.NULL and text(varied) else []
        self._varied = ["step" if name == "scenario.step" else name for name in names]
        self._source: Optional[str] = text(lib.ph_record_meta(record, b"source")) or None
        self._members_of: Any = None
        self._values: Optional[Dict[str, npt.NDArray[Any]]] = None
        return self

    # ---- What is there
    def __len__(self) -> int:
        return len(self._run) // int(self._swept.rows)

    @property
    def path(self) -> str:
        """The archive."""
        return self._path

    @property
    def members(self) -> npt.NDArray[np.int64]:
        """Numbers of the members that are complete (members,), from 0; those of a shard begin elsewhere."""
        return np.arange(self._swept.first, self._swept.first + len(self))

    @property
    def planned(self) -> int:
        """How many members the archive has when it is complete."""
        return int(self._swept.end - self._swept.first)

    @property
    def shard(self) -> Tuple[int, int]:
        """Which shard of how many, from 1: (2, 7). (1, 1) is all."""
        return int(self._swept.shard), int(self._swept.shards)

    @property
    def rows(self) -> int:
        """Rows of each member; 1, its last state, where the scenario has no `output`."""
        return int(self._swept.rows)

    @property
    def columns(self) -> List[str]:
        """Names of the archive's columns: t, step, member, status, what varies, and those of the scenario."""
        return self._run.columns

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each column; "" of counts, and of what varies."""
        return self._run.units

    @property
    def scenario(self) -> str:
        """The text of the scenario with its ensemble (YAML)."""
        return self._run.scenario

    @property
    def scenario_path(self) -> Optional[str]:
        """The file that it is from, to whose directory its paths are relative; or None."""
        return self._source

    @property
    def attributes(self) -> Dict[str, str]:
        """What the archive says of the sweep: version, model, method, reason, ... (the table meta)."""
        return self._run.attributes

    @property
    def status(self) -> str:
        """How the sweep ended: "ok", also where members failed, "interrupted", ...; "" while it runs, or where it was killed."""
        return self._run.status

    @property
    def is_running(self) -> bool:
        """Does a process write it at this moment?"""
        return self._run.is_running

    # ---- Arrays
    def __getitem__(self, name: str) -> Array:
        return _shaped(self._run, name, self.rows, self._run._take)

    @property
    def t(self) -> Array:
        """Times (members, rows) [s]; NaN in rows that a member has not."""
        return self["t"]

    @property
    def values(self) -> Mapping[str, npt.NDArray[Any]]:
        """What varies, by the keys of the ensemble: numbers (members,), or words, as of methods."""
        if self._values is None:
            self._values = {name: self._value(j) for j, name in enumerate(self._varied)}
        return self._values

    def _value(self, j: int) -> npt.NDArray[Any]:
        """The j-th of what varies."""
        numbers = self._run._take([LEADING + j]).reshape(-1, self.rows)[:, 0]
        try:
            members = self._members()
        except Error as reason:  # a file of members is not where it was
            warn(f"what varies is given as numbers, words as the indices of their choices: {reason}")
            return numbers
        if lib.ph_members_word(members, j, 0.0) == ffi.NULL:
            return numbers
        chosen, which = np.unique(numbers, return_inverse=True)
        texts = [text(lib.ph_members_word(members, j, one)) for one in chosen]
        return np.array([json.loads(one) if one[0] == '"' else one for one in texts])[which]

    @property
    def statuses(self) -> npt.NDArray[np.str_]:
        """How each member ended (members,): "PH_OK", "PH_E_STOPPED" by an event, or why it failed (``polhode.statuses``)."""
        numbers, which = np.unique(self["status"][:, -1], return_inverse=True)
        names: List[str] = [text(lib.ph_status_name(int(one))) for one in numbers]
        return np.array(names, dtype=np.str_)[which]

    @property
    def failed(self) -> Table:
        """Members that failed: member, status, t [s] where its last whole step ended, message (``ph_record_next_failure``)."""
        record, failure = self._run._open(), ffi.new("ph_member_failure *")
        rows: List[Tuple[Any, ...]] = []
        behind = -1
        while lib.ph_record_next_failure(record, behind, failure):
            behind = int(failure.member)
            rows.append((behind, text(lib.ph_status_name(failure.status)), float(failure.t), text(failure.message)))
        return Table(("member", "status", "t", "message"), rows)

    @property
    def statistics(self) -> Dict[str, Any]:
        """NAME.statistics.json, which is next to the archive of a complete sweep: mean and covariance of the final states, of each column
        mean, standard deviation, quantiles and a histogram."""
        path = (self._path[:-len(".polhode")] if self._path.endswith(".polhode") else self._path) + ".statistics.json"
        try:
            with open(path, encoding="utf-8") as file:
                found: Dict[str, Any] = json.load(file)
                return found
        except (OSError, ValueError) as reason:
            raise Error(f"{path}: {getattr(reason, 'strerror', None) or reason}; it is written when all members are in one archive "
                        f"(polhode.sweep, polhode.merge)", "PH_E_IO") from None

    # ---- Members
    def _members(self) -> Any:
        """The ``ph_members`` of the scenario."""
        if self._members_of is None:
            chars = self.scenario.encode("utf-8", "surrogateescape")
            path = os.fsencode(self._source if self._source is not None else self._run.attributes.get("name", "scenario"))
            self._members_of = create("ph_members", lambda out, err: lib.ph_members_open(chars, len(chars), path, out, err),
                                      lib.ph_members_free)
        return self._members_of

    def member(self, i: int) -> Scenario:
        """The scenario of member i, without `ensemble`: ``ph.run(sweep.member(i))`` runs it alone, with the same bits."""
        out, error = ffi.new("char **"), new_error()
        with self._one():
            check(lib.ph_members_text(self._members(), count("i", i), out, error), error)
        return Scenario(text(own(out[0], lib.free)), self._source)

    def _ambient(self) -> int:
        """How many numbers of an event are its configuration."""
        members, out, error = self._members(), ffi.new("ph_scenario **"), new_error()
        status, i, last = 1, int(self._swept.first), min(int(self._swept.end), int(self._swept.first) + TRIED)
        while status and i < last:
            status = lib.ph_members_make(members, i, out, error)
            i += 1
        check(status, error)
        nz = int(lib.ph_space_ambient(lib.ph_system_space(lib.ph_scenario_system(out[0]))))
        lib.ph_scenario_free(out[0])
        return nz

    @property
    def events(self) -> Dict[str, MemberEvents]:
        """Events by name: ``sweep.events["upright"].member``."""
        record, event, error, at = self._run._open(), ffi.new("ph_recorded_event *"), new_error(), ffi.new("int64_t *")
        found: Dict[str, List[Tuple[int, float, float, int, Array]]] = {}
        at[0] = -1
        while lib.ph_record_next_event(record, at[0], at):
            status = lib.ph_record_event(record, at[0], event, error)
            if status == lib.PH_E_RANGE:
                break
            if status:
                warn(text(error.message))
                continue
            found.setdefault(text(event.name), []).append(
                (event.step, event.t, event.theta, event.direction, copied(event.values, event.n)))
        with self._one():
            nz = self._ambient() if found else 0
        result = {}
        for name, items in found.items():
            items.sort(key=lambda item: item[0])
            member, t, theta, direction, values = zip(*items)
            numbers = np.array(values)
            result[name] = MemberEvents(np.array(member), np.array(t), np.array(theta), np.array(direction),
                                        numbers[:, -1].astype(np.int64), numbers[:, :nz], numbers[:, nz:-1])
        return result

    # ---- Elsewhere
    def to_xarray(self) -> "xarray.Dataset":
        """A Dataset (member, row, ...) in which columns of one kind are one variable with its units; what varies, and the times, are its
        coordinates."""
        import xarray

        made = self._run._archived()
        inside = {place: array for array, group in made.items() for place in group.places}
        variables: Dict[str, Any] = {}
        for i, name in list(enumerate(self._run._names))[LEADING + len(self._varied):]:
            array = inside.get(i, name)
            if array in variables:
                continue
            values = np.array(self[array])
            dims = [f"{array}_{axis}" for axis in ((), ("factor",), ("factor", "component"), ("factor", "row", "column"))[values.ndim - 2]]
            variables[array] = (("member", "row", *dims), values, {"units": self._run.units[name]})
        coordinates: Dict[str, Any] = {name: ("member", value) for name, value in self.values.items()}
        coordinates.update(member=self.members, t=(("member", "row"), np.array(self.t), {"units": "s"}), status=("member", self.statuses))
        return xarray.Dataset(variables, coords=coordinates, attrs=self.attributes)

    def __reduce__(self) -> Tuple[Any, ...]:
        """Pickled is the path of the archive."""
        if self._temporary is not None:
            raise Error("this sweep is in a temporary directory, and cannot be pickled; polhode.sweep(..., output=...) gives it a place",
                        "PH_E_UNSUPPORTED")
        return Sweep, (os.path.abspath(self._path),)

    def __repr__(self) -> str:
        k, n = self.shard
        varied = f", {', '.join(self._varied)} varied" if self._varied else ""
        return (f"<polhode.Sweep {self._run.model}: {len(self)} of {self.planned} members{f' of shard {k} of {n}' if n > 1 else ''}, "
                f"{self.rows} rows each{varied}, {self.status or ('running' if self.is_running else 'not ended')}>")


# ---- Running -----------------------------------------------------------------------------------------------------------


class SweepWatch(Watch):
    """What a sweep calls and is given; its methods are the members of ``ph_sweep_options``."""

    def __init__(self, observe: Optional[Callable[[Block], Any]], progress: bool) -> None:
        super().__init__(progress=progress)
        if observe is not None and not callable(observe):
            raise Error(f"observe is {observe!r}; it must be a function of a polhode.Block")
        self._observe_block = observe
        self._path = ""
        self._next = self._done = -1  # the first member that was not observed; members done when the archive was looked at

    # ---- Called by C
    def progress(self, sweep: Any) -> None:
        try:
            result = ffi.new("ph_sweep_result *")
            lib.ph_sweep_get_result(sweep, result)
            if self._observe_block is not None and result.done != self._done:
                self._done = int(result.done)
                self._see()
            shown = self._progress
            if shown is not None and time.monotonic() - shown.shown >= shown.interval:
                failures = f"  {result.failed} failed" if result.failed else ""
                shown.tell(result.share, f"{result.done} members", failures)
        except BaseException:
            self.failed = True
            raise

    def _see(self) -> None:
        """Members that were committed since the last time go to the observer."""
        if self._observe_block is None or not os.path.exists(self._path):
            return
        run, swept = Run(self._path), ffi.new("ph_swept *")
        if lib.ph_record_swept(run._open(), swept) and len(run) // swept.rows > self._next - swept.first:
            block = Block(run, swept, self._next)
            self._next = int(swept.first) + block.done
            self._observe_block(block)

    # ---- The sweep
    def conduct(self, scenario: Scenario, name: str, directory: str, o: Any) -> Tuple[str, int, str]:
        """Open, run and close it: the path of its archive, its status and message."""
        o.progress, o.message = lib.py_ph_sweep_options_progress, lib.py_ph_sweep_options_message
        o.stop, o.self = lib.py_ph_sweep_options_stop, self._handle
        chars = scenario.text.encode("utf-8", "surrogateescape")
        c, error, result = ffi.new("ph_sweep **"), new_error(), ffi.new("ph_sweep_result *")
        try:  # Ctrl-C may come between any two lines
            status = lib.ph_sweep_open_text(chars, len(chars), os.fsencode(name), os.fsencode(directory), o, c, error)
            self.warn()
            if status:
                fail(status, self._in_python(text(error.message), directory))
            lib.ph_sweep_get_result(c[0], result)
            self._path = os.fsdecode(ffi.string(result.path))
            self._next = int(result.all.first) if o.force and not o.failed else self._begin(result.all)
            self._progress = Progress("sweep") if self._wants_progress else None
            status = lib.ph_sweep_run(c[0], error)
            message = text(error.message) if status else ""
        finally:
            try:
                if self._progress is not None:
                    self._progress.end()
            finally:
                lib.ph_sweep_abandon(c[0])
                self.raised = _pending.pop(threading.get_ident(), None)
        if self.raised is None and not self.failed:
            self._see()
        return self._path, status, message

    def _begin(self, all: Any) -> int:
        """The first member that is not in the archive."""
        swept = ffi.new("ph_swept *")
        if self._observe_block is None or not os.path.exists(self._path):
            return int(all.first)
        run = Run(self._path)
        return int(all.first) + (len(run) // int(swept.rows) if lib.ph_record_swept(run._open(), swept) else 0)

    @staticmethod
    def _in_python(message: str, place: str) -> str:
        return (message.replace("to replace it set options.force, or name another directory", "force=True replaces it")
                .replace("options.largest allows", "is written without force=True").replace("options.", ""))


def _sweep_options(watch: SweepWatch, threads: Optional[int], shard: Optional[Tuple[int, int]], failed: Union[bool, Mapping[str, Any]],
                   force: bool, snapshot: Optional[float], wall_clock: Optional[float]) -> Any:
    """The ``ph_sweep_options``, which live as long as the watch."""
    o = ffi.new("ph_sweep_options *")
    o.force, o.failed = force, failed is not False
    if threads is not None:
        o.threads = count("threads", threads, 1, 2**31 - 1)
    if shard is not None:
        if not isinstance(shard, (tuple, list)) or len(shard) != 2:
            raise Error(f"shard is {shard!r}; it must be two numbers, (2, 7) for the second of seven")
        o.shard, o.shards = (count("shard", one, 1) for one in shard)
    if isinstance(failed, Mapping):
        settings = words("failed", [f"{key}={yaml(key, value)}" for key, value in failed.items()])
        watch._kept.append(settings)
        o.settings, o.n_settings = settings[0], len(failed)
    for key, value in (("snapshot", snapshot), ("wall_clock", wall_clock), ("largest", None if force else LARGEST)):
        if value is not None:
            place = ffi.new("double *", number(key, value))
            watch._kept.append(place)
            setattr(o, key, place)
    return o


def sweep(source: Any = None, *, output: Union[str, "os.PathLike[str]", Mapping[str, Any], None] = None, threads: Optional[int] = None,
          shard: Optional[Tuple[int, int]] = None, failed: Union[bool, Mapping[str, Any]] = False, force: bool = False,
          observe: Optional[Callable[[Block], Any]] = None, progress: bool = False, wall_clock: Optional[float] = None,
          snapshot: Optional[float] = None, name: Optional[str] = None, **keywords: Any) -> Sweep:
    """Run all members of an ensemble of scenarios into one archive, on all processors (``ph_sweep_run``).

    Where the archive is there, it is continued: the same call again runs the members that are missing, and none where it is complete.
    A member has the same bits for any number of threads and shards.

    Parameters
    ----------
    source : path, str or dict, optional
        A scenario with the key ``ensemble``: a file, a text (YAML or JSON), a dict; or nothing, with keywords alone.
    output : path, optional
        A directory for the archive and its statistics. Without it they are in a temporary one, which lives as long as the sweep.
    threads : int, optional
        How many threads step members; as many as there are processors.
    shard : (int, int), optional
        (k, n): only the k-th of n equal ranges of members, from 1. ``polhode.merge`` joins the archives.
    failed : bool or dict, optional
        Run again the members that failed, and replace their rows; a dict has values of keys instead of the scenario's:
        ``{"step": 0.001}``.
    force : bool
        Replace an archive that is there, instead of continuing it; write more than 10 GB.
    observe : function of a Block, optional
        Called in this thread with members that have been run since the last call, in their order, after each snapshot and at the end;
        ``snapshot=0`` makes that each 0.1 s or so. What it raises ends the sweep.
    progress : bool
        Show a line with the time that is left.
    wall_clock : float, optional
        End the sweep after so many seconds.
    snapshot : float, optional
        [s] A sweep that is killed loses at most so much work; 5.
    name : str, optional
        The name of the archive; by default that of the scenario's file, or of the model.
    **keywords
        Keys of a scenario, which replace those of the source, as of ``polhode.run``; ``ensemble={"product": {"step": [0.1, 0.2]}}``.

    Returns
    -------
    Sweep
        Complete, or ended by ``wall_clock``.

    Raises
    ------
    Error
        A mistake in the scenario; PH_E_EXISTS: the archive is another sweep's, or another process writes it; PH_E_SIZE: it would have more
        than 10 GB, or than the disk has room for. What was done is the attribute ``run`` of the exception, also of KeyboardInterrupt
        and of what ``observe`` raises.

    Warns
    -----
    RunWarning
        Members failed: how many, and why the first did; ``Sweep.failed`` has all.

    Examples
    --------
    >>> import polhode as ph
    >>> sweep = ph.sweep(model="planar-pendulum", method="variational", step=0.01, duration=1,
    ...                  ensemble={"product": {"method": ["rk4", "variational"], "step": [0.1, 0.05]}})
    >>> len(sweep), sweep.values["method"].tolist(), sweep.values["step"].tolist()
    (4, ['rk4', 'rk4', 'variational', 'variational'], [0.1, 0.05, 0.1, 0.05])
    >>> sweep["energy_error"].shape
    (4, 1)
    """
    if isinstance(output, Mapping):
        keywords["output"], output = output, None
    if keywords.get("events") is not None:
        keywords["events"] = scenario_events(keywords["events"])
    scenario = scenario_text(source, **keywords)
    temporary = None if output is not None else Temporary()
    directory = temporary.path if temporary is not None else os.fspath(output or "")
    file = os.path.abspath(scenario.path) if scenario.path is not None else ""
    if name is not None or not file:
        file = os.path.join(os.path.dirname(file), f"{name or seen(scenario).get('model', 'sweep')}.yaml")
    watch = SweepWatch(observe, progress)
    options = _sweep_options(watch, threads, shard, failed, bool(force), snapshot, wall_clock)
    path, status, message = watch.conduct(scenario, file, directory, options)
    if status in (lib.PH_E_EXISTS, lib.PH_E_SIZE) or not os.path.exists(path):
        fail(status, watch._in_python(message, directory))
    made = Sweep(path, _temporary=temporary)
    if not status:
        failures = made.failed
        if failures.rows:
            first = failures[0]
            watch.remark(f"{len(failures)} of {len(made)} members failed, member {first['member']} for instance: {first['message']}")
    finish(status, watch._in_python(message, directory), watch, made)
    return made


def merge(directory: Union[str, "os.PathLike[str]"], *, force: bool = False, rows: bool = False) -> Sweep:
    """Join the shards in a directory into one archive of all members, and write its statistics (``ph_sweep_merge``).

    Parameters
    ----------
    directory : path
        With the archives of all shards.
    force : bool
        Replace the joined archive that is there.
    rows : bool
        Statistics of every row of the members too, as ``statistics["rows"]``, besides those of their last rows
        (``ph_sweep_describe``).

    Returns
    -------
    Sweep
        All members; the same bytes for any number of shards.

    Raises
    ------
    Error
        PH_E_INVALID: there are no shards, one is missing or not complete (the message names it), or they are of different scenarios;
        PH_E_EXISTS: the joined archive is there.

    Examples
    --------
    >>> import polhode as ph, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for k in (1, 2):
    ...         part = ph.sweep(model="planar-pendulum", method="rk4", step=0.01, duration=1, output=folder, shard=(k, 2),
    ...                         ensemble={"product": {"parameters.length": [1, 2, 3]}})
    ...     len(part), len(ph.merge(folder))
    (1, 3)
    """
    out, error = ffi.new("char **"), new_error()
    status = lib.ph_sweep_merge(word("directory", os.fspath(directory)), bool(force), out, error)
    if status:
        raise Error(SweepWatch._in_python(text(error.message), ""), text(lib.ph_status_name(status)))
    joined = own(out[0], lib.free)
    if rows:
        check(lib.ph_sweep_describe(joined, True, error), error)
    return Sweep(os.fsdecode(ffi.string(joined)))
