# SPDX-License-Identifier: BSD-3-Clause
"""``solve``: a trajectory at given times, as ``scipy.integrate.solve_ivp`` returns one, with an accuracy that is kept."""
from __future__ import annotations

import math
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._core import Array, ArrayLike, Constant, Error, Named, arrive, check, count, create, doubles, fail, new_error, number, passed, pointer, room, text, times_within, word
from ._equations import Field
from ._events import Event, Events_, Occurrence, Sink, as_events, event_array, velocity_into
from ._integrator import Dense, Integrator, State
from ._polhode import ffi, lib
from ._session import Progress
from ._system import System

LARGEST = 4e9  # [bytes] that the rows of a solution may take
EPS = 2.0**-52
CHECKED = 32  # times at least at which two runs are compared
NOTHING = 1e-12  # a vector of R(d) that is always shorter than that counts as 0 next to factors of other kinds
ROUNDING = 1e-6  # where runs that differ by less do not come nearer, rounding is the cause


class Solution(Dict[str, Any]):
    """What ``solve`` returns; its entries are attributes, too, as those of SciPy's results.

    Attributes
    ----------
    t : (rows,)
        Times [s].
    y : (2 nz, rows)
        z, then v; (nz, rows), z alone, for spins.
    z, v, p : (rows, nz), (rows, nz), (rows, np)
        Configuration, velocity, momentum.
    energy : (rows,)
        [J]; NaN where it is not finite.
    sol : DenseSolution or None
        A function of t, with ``dense_output=True``.
    t_events, y_events : lists of arrays, or None
        For each event its times, and y there (found, 2 nz).
    status, message, success : int, str, bool
        0: the end was reached; 1: a terminal event; -1: it failed, and the message says why.
    method, options, step, steps : str, dict, float, int
        What made it: h [s] and how many steps.
    estimate : float
        The error that is expected at most, in the sense of ``accuracy``; NaN with a fixed ``step``.
    nfev : int
        Iterations of Newton's method, evaluations of adaptive methods, and steps, in all runs that it took.
    statistics : dict
        Counters of the run: see ``Integrator.statistics``.
    """

    t: Array
    y: Array
    z: Array
    v: Array
    p: Array
    energy: Array
    sol: Optional["DenseSolution"]
    t_events: List[Array]  # None without events, for which no type checker should ask those who have some
    y_events: List[Array]
    status: int
    message: str
    success: bool
    method: str
    options: Dict[str, Union[float, str]]
    step: float
    steps: int
    estimate: float
    nfev: int
    statistics: Dict[str, int]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        return (f"<polhode.Solution: {self['message']} {len(self['t'])} rows, {self['method']}, h = {self['step']:.4g} s, "
                f"estimate = {self['estimate']:.2g}>")


class _Rows:
    """An observer that keeps t, z and p of what it sees."""

    def __init__(self, rows: int, nz: int, momenta: int) -> None:
        self.n, self.t, self.z, self.p = 0, np.empty(rows), np.empty((rows, nz)), np.empty((rows, momenta))
        self._z, self._p, self._nz, self._np = room(self.z), room(self.p), nz, momenta

    def see(self, state: Any, done: int, total: int, error: Any) -> None:
        i = self.n
        self.t[i] = state.t
        ffi.memmove(self._z + i * self._nz, state.z, 8 * self._nz)
        if self._np:
            ffi.memmove(self._p + i * self._np, state.p, 8 * self._np)
        self.n = i + 1

    def keep(self, which: Any) -> None:
        """These rows alone."""
        self.t, self.z, self.p = self.t[which], self.z[which], self.p[which]
        self.n = len(self.t)

    def append(self, t: float, z: Array, p: Array) -> None:
        """One more."""
        self.t, self.z, self.p = np.append(self.t, t), np.vstack([self.z, z]), np.vstack([self.p, p])
        self.n += 1


class _Watch:
    """Lets Python look for Ctrl-C every 0.02 s, and shows progress."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.progress = progress

    def see(self, state: Any, done: int, total: int, error: Any) -> None:
        shown = self.progress
        if shown is not None and time.monotonic() - shown.shown >= shown.interval:
            shown.show(state.t, done, total, math.nan)


class _Bare:
    """A state of C into which rows are written, for what is computed from them; it is not stepped."""

    def __init__(self, integrator: Integrator) -> None:
        self.state = State(integrator)
        self.c = self.state._c

    def put(self, k: int, t: float, z: Array, p: Array) -> Any:
        self.c.t, self.c.k = t, k
        ffi.memmove(self.c.z, z, 8 * self.c.nz)
        ffi.memmove(self.c.p, p, 8 * self.c.np)
        return self.c


def _y(system: System, z: Array, v: Array) -> Array:
    """z and v as SciPy has them, in the last index."""
    return z if system.space.momenta == 0 else np.concatenate([z, v], axis=-1)


class DenseSolution(Constant):
    """The trajectory as a function of time: ``sol(t)``, between the steps by Hermite interpolation (``ph_dense``).

    Attributes
    ----------
    t_min, t_max : float
        Between which it is known [s].
    ts : (steps + 1,)
        Where the steps are [s].
    """

    def __init__(self, integrator: Integrator, t: Array, z: Array, p: Array, end: float) -> None:
        self.system, self.ts, self._z, self._p = integrator.system, t, z, p
        self.t_min, self.t_max = min(float(t[0]), end), max(float(t[0]), end)
        self._sign = 1.0 if t[-1] >= t[0] else -1.0
        self._integrator = integrator
        self._spare: List[Tuple[Any, Tuple[_Bare, _Bare]]] = [self._interpolant()]  # one for each thread that is in `at`

    def _interpolant(self) -> Tuple[Any, Tuple[_Bare, _Bare]]:
        c = create("ph_dense", lambda out, error: lib.ph_dense_create(self._integrator._c, out, error), lib.ph_dense_free, self.system)
        return c, (_Bare(self._integrator), _Bare(self._integrator))

    def at(self, t: ArrayLike) -> Tuple[Array, Array, Array]:
        """z (n, nz), v (n, nz), p (n, np) at the times t (n,), in any order."""
        when = doubles("t", t).ravel()
        # a time of linspace(*t_span) may be behind its end by rounding
        slack = 8 * EPS * max(abs(self.t_min), abs(self.t_max))
        bad = when[~((when >= self.t_min - slack) & (when <= self.t_max + slack))]
        if bad.size:
            raise Error(f"t = {bad[0]:.10g} s is outside the solution, which is from {self.t_min:.10g} to {self.t_max:.10g} s",
                        "PH_E_RANGE")
        when = np.clip(when, self.t_min, self.t_max)
        n, nz = when.size, self._z.shape[1]
        z, v, p = np.empty((n, nz)), np.empty((n, nz)), np.empty((n, self._p.shape[1]))
        work, there, error, taken = np.empty(self.system._work), ffi.new("const ph_state **"), new_error(), -1
        steps = np.clip(np.searchsorted(self._sign * self.ts, self._sign * when, side="left") - 1, 0, max(len(self.ts) - 2, 0))
        try:
            interpolant = self._spare.pop()
        except IndexError:
            interpolant = self._interpolant()
        dense, ends = interpolant
        for i in np.argsort(steps, kind="stable"):
            k = int(steps[i])
            if k != taken:
                for j, take in enumerate((lib.ph_dense_begin, lib.ph_dense_end)):
                    end = ends[j].put(k + j, self.ts[k + j], pointer(self._z[k + j]), pointer(self._p[k + j]))
                    check(take(dense, end, error), error)
                taken = k
            check(lib.ph_dense_at(dense, when[i], there, error), error)
            ffi.memmove(pointer(z[i]), there[0].z, z[i].nbytes)
            if p.shape[1]:
                ffi.memmove(pointer(p[i]), there[0].p, p[i].nbytes)
            velocity_into(self.system, there[0], v[i], work)
        self._spare.append(interpolant)
        return z, v, p

    def __call__(self, t: ArrayLike) -> Array:
        """y at t: (2 nz,) for a number, (2 nz, n) for an array (n,)."""
        z, v, p = self.at(t)
        y = _y(self.system, z, v).T
        return y[:, 0] if np.ndim(t) == 0 else y


class _Problem:
    """What is to be solved, and one run of it."""

    def __init__(self, system: System, t0: float, t1: float, start: Tuple[Any, ...], t_eval: Optional[Array],
                 events: List[Event], args: Tuple[Any, ...], dense: bool, progress: bool) -> None:
        self.system, self.t0, self.t1, self.start = system, t0, t1, start
        self.events, self.args, self.dense, self.progress = events, args, dense, progress
        self.t_eval = t_eval
        self.passes = 0  # what all runs took
        self.times: Optional[Array] = None  # at which rows are made; None: at each step
        self.even = 0  # of how many equal parts of the span they are the ends; 0: they are not
        self.parts = 1  # the number of steps is a multiple of it
        self.lengths = np.zeros(system.space.ambient, dtype=bool)
        for factor, (a, n, _, _) in zip(system.space.factors, system.space._places):
            self.lengths[a:a + n] = factor.kind == lib.PH_FACTOR_R
        if t_eval is not None and not dense:
            self.times = t_eval
            m = self.even = self._even(t_eval)
            if len(t_eval) <= CHECKED:  # more times, at steps, at which runs are compared
                m = m * -(-CHECKED // m) if m else CHECKED
                self.even = m if self.even else 0
                self.times = np.union1d(t_eval, t0 + (t1 - t0) * np.arange(1, m) / m)
                self.times = self.times[np.append(True, np.diff(self.times) > 1e-9 * abs(t1 - t0) / m)]
                self.times = self.times if t1 > t0 else self.times[::-1].copy()
            self.parts = m or 1

    def _even(self, t: Array) -> int:
        """Of how many equal parts of the span are the times the ends; 0: they are not."""
        if len(t) < 2:
            return 0
        parts = (self.t1 - self.t0) * (len(t) - 1) / (t[-1] - t[0])
        if not parts < 4 * len(t) + CHECKED:  # close together in a long span
            return 0
        places = (t - self.t0) / (self.t1 - self.t0) * parts
        even = bool(np.all(np.abs(places - np.round(places)) < 1e-9)) and abs(parts - round(parts)) < 1e-9
        return int(round(parts)) if even else 0

    def steps(self, wanted: float) -> int:
        """How many are taken where so many would do."""
        n = max(1, math.ceil(wanted - 1e-6))
        return n if n < self.parts / 2 else -(-n // self.parts) * self.parts

    def between(self, n: int) -> bool:
        """Are there rows between the steps of a run of n steps?"""
        return self.dense or (self.times is not None and (self.even == 0 or n % self.even != 0))

    def bytes(self, n: int) -> float:
        """What the rows of a run of n steps take."""
        rows = n + 1 if self.times is None else len(self.times) + 2
        return 8.0 * rows * (1 + self.system.space.ambient + self.system.space.momenta)


class _Trial:
    """A run of n steps with its rows."""

    def __init__(self, problem: _Problem, integrator: Integrator, n: int) -> None:
        self.problem, self.integrator, self.n = problem, integrator, n
        system, space = problem.system, problem.system.space
        h = (problem.t1 - problem.t0) / n
        integrator.step_size = h
        z0, v0, p0, project = problem.start
        state = integrator.state(z0, v0, p=p0, t=problem.t0, project=project)
        self.rows = _Rows(n + 1 if problem.times is None else len(problem.times) + 2, space.ambient, space.momenta)
        self.sink = Sink(problem.events, system)
        progress = Progress(f"{integrator.method}, h = {abs(h):.3g} s") if problem.progress else None
        watched = [self.rows, self.sink, _Watch(progress)]
        kept: List[Any] = [ffi.new_handle(one) for one in watched]
        plan, report, error = ffi.new("ph_run_plan *"), ffi.new("ph_run_report *"), new_error()
        plan.steps, plan.n_observers = n, 1
        plan.output.kind, plan.output.steps = lib.PH_EVERY_STEPS, 1
        observer = ffi.new("ph_observer *", {"see": lib.py_ph_observer_see, "self": kept[0]})
        watch = ffi.new("ph_watch *", {"see": lib.py_ph_watch_see, "self": kept[2]})
        plan.observers = observer
        if problem.times is not None or progress:
            plan.watch = watch
        if problem.times is not None:
            plan.output.kind = lib.PH_AT_TIMES
            plan.output.times, plan.output.n_times = pointer(problem.times), len(problem.times)
            kept.append(create("ph_dense", lambda out, err: lib.ph_dense_create(integrator._c, out, err), lib.ph_dense_free))
            plan.dense = kept[-1]
        if problem.events:
            array, more = event_array(problem.events, system, problem.args)
            sink = ffi.new("ph_event_sink *", {"found": lib.py_ph_event_sink_found, "self": kept[1]})
            kept += [sink, more]
            kept.append(create("ph_events", lambda out, err: lib.ph_events_create(
                integrator._c, array, len(problem.events), sink, out, err), lib.ph_events_free))
            plan.events = kept[-1]
        before = integrator.statistics
        with integrator._one(), state._one():
            self.status = int(lib.ph_run(integrator._c, state._c, plan, report, error))
        if progress:
            progress.end()
        self.message = text(error.message)
        self.stopped = self.sink.ended_by if self.status == lib.PH_E_STOPPED else None
        if self.status == lib.PH_E_CALLBACK:
            fail(self.status, self.message)
        arrive(self.status)  # what an embedding raised; Ctrl-C that C did not see
        after = integrator.statistics
        self.statistics = {name: after[name] - before[name] for name in after}
        problem.passes += sum(self.statistics[name] for name in ("steps", "newton_passes", "evaluations"))
        self.steps = int(report.steps)
        self.rows.keep(slice(0, self.rows.n))
        self.reached = float(state.t)
        if self.status == 0:
            self.reached = self.rows.t[-1] = problem.t1  # but for rounding

    @property
    def good(self) -> bool:
        """Did it come to its end?"""
        return self.status in (0, lib.PH_E_STOPPED)

    def dense(self) -> DenseSolution:
        """Of its rows, which are at all steps."""
        return DenseSolution(self.integrator, self.rows.t, self.rows.z, self.rows.p, float(self.rows.t[-1]))


def _differences(coarse: _Trial, fine: _Trial) -> Tuple[Array, Array]:
    """Times, and there the largest difference of a coordinate of z between a run and that with half its step, as an accuracy
    measures it; events count, too. Infinite where an event ended one of them alone."""
    problem, t, z, other = coarse.problem, coarse.rows.t, coarse.rows.z, fine.rows.z
    scale = np.ones(z.shape[1])
    if problem.lengths.any():
        largest = float(np.max(np.abs(other[:, problem.lengths])))
        # next to factors of unit size, what is less comes from their rounding: from a symmetric start, for instance
        scale[problem.lengths] = largest if largest > (0 if problem.lengths.all() else NOTHING) else 1.0
    if problem.times is None:
        rows = min(len(z), (len(other) + 1) // 2)
        other = other[::2]
        if problem.dense and rows > 1:  # between the steps, too; in the middle alone a uniform motion would have no error
            quarters = np.concatenate([t[:rows - 1] + share * np.diff(t[:rows]) for share in (0.25, 0.5)])
            between, finer = coarse.dense().at(quarters)[0], fine.dense().at(quarters)[0]
            t, z, other = np.append(t[:rows], quarters), np.vstack([z[:rows], between]), np.vstack([other[:rows], finer])
    n = min(len(z), len(other))
    t, errors = t[:n], np.max(np.abs(z[:n] - other[:n]) / scale, axis=1)
    if coarse.stopped and fine.stopped:  # rows behind the event do not count
        errors[(t - coarse.stopped.t) * (problem.t1 - problem.t0) > 0] = 0
    elif coarse.stopped or fine.stopped:
        errors[-1:] = np.inf
    for i in range(len(problem.events)):
        ours, theirs = ([one for one in trial.sink.occurrences if one.number == i] for trial in (coarse, fine))
        for a, b in zip(ours, theirs) if len(ours) == len(theirs) else ():
            late = abs(a.t - b.t) * np.abs(b.v)  # a time counts by how far the motion goes meanwhile
            t, errors = np.append(t, b.t), np.append(errors, np.max(np.maximum(np.abs(a.z - b.z), late) / scale))
    return t, errors


def _method_for(system: System, accuracy: float, method: Optional[str], options: Dict[str, Any]) -> Tuple[str, Dict[str, Any]]:
    """Method and options where the caller leaves them out: of the highest order that pays."""
    if method is None:
        names = ["dla"] if system.constraints else ["spin-splitting", "spherical-midpoint"] if system.space.momenta == 0 else []
        if not options and [f.kind for f in system.space.factors].count(lib.PH_FACTOR_R) <= 2:
            names.append("kepler-rotor")  # for two bodies it is exact but for their shapes; for more it needs a hierarchy
        if not options and lib.ph_system_kind(system._c) in (lib.PH_INERTIA_VARYING, lib.PH_LAGRANGIAN_GENERAL):
            names.append("gauss")  # with the same step it calls functions a tenth as often as variational does at order 8
        for method in [*names, "variational", "rk8"]:
            if lib.ph_method_supports(lib.ph_method_find(word("method", method), ffi.NULL), system._c, ffi.NULL) == 0:
                break
    found = lib.ph_method_find(word("method", method), ffi.NULL)
    has_order = found != ffi.NULL and "order" in [text(found.options[i].name) for i in range(found.n_options)]
    if has_order and "order" not in options and "composition" not in options:
        highest = {"gauss": 16, "moser-veselov": 10}.get(method, 8)
        options = {**options, "order": 4 if accuracy > 1e-4 else 6 if accuracy > 1e-7 else highest}
    return method, options


class _Choice:
    """The choice of a step for an accuracy: runs of n and 2 n steps, until they agree."""

    def __init__(self, problem: _Problem, integrator: Integrator, accuracy: float, max_steps: int) -> None:
        self.problem, self.integrator, self.accuracy, self.max_steps = problem, integrator, accuracy, max_steps
        self.dense_order = 6
        if problem.times is not None or problem.dense:
            self.dense_order = Dense(integrator).order
        self.estimate = self.difference = math.nan
        self.t, self.errors = np.empty(0), np.empty(0)
        self.message = self.limit = ""
        self.failed: Optional[_Trial] = None
        self.best = self.run()

    def first(self) -> int:
        """How many steps to begin with: from the fastest rate at the start."""
        problem = self.problem
        rate, error = ffi.new("double *"), new_error()
        z0 = problem.system.space.configuration(problem.start[0])
        fast = 0.0
        if lib.ph_system_fastest_rate(problem.system._c, problem.t0, pointer(z0), rate, error) == 0 and math.isfinite(rate[0]):
            fast = rate[0]
        turns = 0.5 * fast
        if self.integrator.method == "gauss":
            # A step that is too long looks for its stages along a branch, by many calls of L. Small motions at the start
            # may have no rate: what is of unit size has that of its velocity and acceleration.
            turns = 2.0 * max(fast, self.quickness(z0))
        turns *= abs(problem.t1 - problem.t0)
        return problem.steps(min(max(8.0, turns), self.max_steps / 8))

    def quickness(self, z0: Array) -> float:
        """The rate [rad/s] of what is of unit size, by its velocity and acceleration at the start; 0 where the form does not take it."""
        try:
            field = Field(self.problem.system, "q-qdot")
            y = field.y(z0, self.problem.start[1], p=self.problem.start[2], t=self.problem.t0)
            v, a = np.abs(field(self.problem.t0, y)).reshape(2, -1)[:, ~self.problem.lengths]
        except Error:
            return 0.0
        return max(float(np.max(v, initial=0.0)), math.sqrt(np.max(a, initial=0.0)))

    def trial(self, n: int) -> Optional[_Trial]:
        """A run of n steps; None where it, with its outputs, would be too long."""
        if n > self.max_steps:
            self.limit = f"Shorter steps would be more than max_steps = {self.max_steps}."
        elif self.problem.bytes(n) > LARGEST / 2:
            self.limit = f"The rows of {n} steps would take more than {LARGEST / 2e9:g} GB: give t_eval, of fewer times, without dense_output."
        else:
            return _Trial(self.problem, self.integrator, n)
        return None

    def run(self) -> _Trial:
        """The run that is accepted, or the best with a message."""
        n, raised, missed, stuck = self.first(), 0, 0, 0
        before, base, least = 0.0, 1, math.inf  # the difference of the pair before, its n; the least of all
        coarse: Optional[_Trial] = None
        best: Optional[_Trial] = None  # the finest that came to its end
        while True:
            try:
                coarse = coarse or self.trial(n)
                fine = self.trial(2 * n) if coarse is not None and coarse.good else None
            except Exception:  # a function that fails where a step was too long is tried again, with shorter ones
                raised += 1
                if raised > 2 or 8 * n > self.max_steps:
                    raise
                n, coarse = 4 * n, None
                continue
            best = fine if fine is not None and fine.good else coarse if coarse is not None and coarse.good else best
            if coarse is None or (coarse.good and fine is None):
                return self.give_up(best, "")
            if fine is None or not fine.good:
                self.failed = fine or coarse
                n, coarse = 2 * n, None
                continue
            self.t, self.errors = _differences(coarse, fine)
            if coarse.sink.times != fine.sink.times and missed < 3:  # two events within a step are not seen
                n, coarse, missed = 2 * n, fine, missed + 1
                continue
            rounding = EPS * math.sqrt(n)  # that both may have
            difference = self.difference = float(np.max(self.errors)) + rounding
            # As the order says it from the pair before, the shorter step has 2^-order of it, taken sixteen times, and rounding; else
            # it may be something that shorter steps do not change, and the shorter step has as much.
            order = min(self.integrator.order, self.dense_order) if self.problem.between(n) else self.integrator.order
            share = 16 * 0.5**order
            as_ordered = difference < 4 * before * (base / n)**order
            self.estimate = 4 * difference
            if as_ordered:
                self.estimate = min(self.estimate, share * (difference - rounding) + 16 * max(rounding, self.noise(n)))
            if self.estimate <= self.accuracy:
                return fine
            stuck = stuck + 1 if difference > 0.5 * least and difference < ROUNDING else 0
            if stuck >= 2:
                return self.give_up(fine, "Shorter steps do not bring runs nearer to each other: rounding is what is left.")
            before, base, least = difference, n, min(least, difference)
            wanted = n * (2 * share * difference / self.accuracy) ** (1 / order) if as_ordered and difference < 0.1 else 2.0 * n
            if wanted <= 2.5 * n:
                n, coarse = 2 * n, fine
            else:
                n, coarse = self.problem.steps(min(wanted, 16.0 * n, max(self.max_steps // 2, 2 * n))), None

    def noise(self, n: int) -> float:
        """What rounding, EPS a step, has become at the end: the motion has enlarged it as it has the differences of its start."""
        share = np.abs(self.t - self.problem.t0) / abs(self.problem.t1 - self.problem.t0)
        early = (share > 0.05) & (share < 0.5)
        ratios = EPS * np.sqrt(n * share[early]) / np.maximum(self.errors[early], 1e-300)
        return float(np.max(ratios, initial=0.0) * np.max(self.errors))

    def give_up(self, best: Optional[_Trial], reason: str) -> _Trial:
        """The best run, or the latest one that failed, and what is to be said about it."""
        if best is None:
            if self.failed is None:
                raise Error(self.limit, "PH_E_RANGE")
            self.message = (f"No run came to its end: the last one failed at t = {self.failed.reached:.6g} s: {self.failed.message}. "
                            f"{self.limit}")
            return self.failed
        self.estimate = 4 * self.difference
        said = f"The accuracy {self.accuracy:g} was not reached"
        late = np.flatnonzero(self.errors > self.accuracy)
        if not math.isnan(self.difference):
            said += f": runs with steps of h and h/2 differ by {self.difference:.2g}"
            said += f", and by less until t = {self.t[late[0] - 1]:.6g} s" if len(late) and late[0] > 0 else ""
        said += f". {reason or self.limit}"
        if self.difference > 1e3 * self.accuracy and not reason:
            said += " The motion may be chaotic, so that errors grow exponentially: a shorter span helps."
        self.message = said + " Ask for less" + (", or for a shorter span." if reason else ", or allow more steps.")
        return best


def solve(system: System, t_span: Sequence[float], z0: ArrayLike, v0: Optional[ArrayLike] = None, *,
          p0: Optional[ArrayLike] = None, accuracy: Optional[float] = None, step: Optional[float] = None,
          method: Union[str, Named, None] = None, t_eval: Optional[ArrayLike] = None, events: Optional[Events_] = None,
          args: Tuple[Any, ...] = (), dense_output: bool = False, max_steps: Optional[int] = None, project: bool = False,
          progress: bool = False, **options: Any) -> Solution:
    """The motion over a span of time, with an accuracy that is kept or a fixed step (``ph_run``).

    Parameters
    ----------
    system : System
    t_span : (t0, t1)
        [s]; t1 < t0 runs backwards.
    z0 : (nz,); v0 : (nz,) or p0 : (np,)
        Configuration and velocity or momentum at t0. Spins have neither v0 nor p0.
    accuracy : float
        The largest error of a coordinate of z in any row and event, with ``dense_output`` at any time; for vectors of R(d) relative to
        the largest coordinate of all of them. 1e-6 where no ``step`` is given. Runs with steps of h and h/2 are made until they
        agree, and the latter is returned; where that cannot be had, ``status`` is -1 and ``message`` says what was reached.
    step : float
        Instead: the longest step [s]. The span is made a whole number of steps.
    method : str or Method
        By name, or one of ``polhode.methods``. By default variational, or gauss where the inertia is not constant; for spins
        spin-splitting or spherical-midpoint, with velocity constraints dla, for two bodies under mutual gravity kepler-rotor; of
        an order that suits the accuracy.
    t_eval : (rows,)
        Times of rows, in the order of the run; each step where it is not given.
    events : function of t, y; Event; or a list
        As SciPy has them: functions may have the attributes ``terminal`` and ``direction``.
    args : tuple
        Handed to these functions behind t and y.
    dense_output : bool
        Make ``sol``, a function of t. It keeps the state of each step.
    max_steps : int
        The most of one run; 1e6, or 1e5 where steps call functions of Python.
    project : bool
        Bring z0 and v0 to the manifold; by default being off it by more than 1e-12 is an error.
    progress : bool
        Show a line with the time left, of each run.
    options
        Those of the method: ``order=8``.

    Returns
    -------
    Solution
        As that of ``scipy.integrate.solve_ivp``, for y = (z, v).

    Raises
    ------
    Error
        For what is given wrongly. A run that fails on its way is returned, with ``status`` -1. What a function of Python raises
        arrives as it is.

    Notes
    -----
    The error is estimated as in Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4, from the
    difference of both runs over the whole span: a method of order p leaves 2^-p of it with the shorter step. Where the runs before
    agree with the order it is sixteen times that, with what the motion makes of rounding; elsewhere four times the difference.

    Examples
    --------
    >>> import numpy as np, polhode as ph
    >>> oscillator = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=lambda x: x)
    >>> sol = ph.solve(oscillator, (0, 10), [1.0], [0.0], accuracy=1e-9, t_eval=np.linspace(0, 10, 21))
    >>> sol.success, bool(np.max(np.abs(sol.y[0] - np.cos(sol.t))) < 1e-9)
    (True, True)
    """
    chosen: Any = getattr(method, "name", method)
    for name in ("rtol", "atol"):
        if name in options and chosen not in ("arkode", "cvode"):
            raise TypeError(f"solve has no {name}: give accuracy, a bound on the error of the trajectory itself, not of a step")
    if not isinstance(system, System):
        raise Error(f"system is {system!r}; it must be a polhode.System")
    span = doubles("t_span", t_span, 2)
    t0, t1 = (number(f"t_span[{i}]", span[i]) for i in range(2))
    if t0 == t1:
        raise Error(f"t_span is from {t0:g} to {t1:g} s; it must have a length", "PH_E_RANGE")
    max_steps = count("max_steps", max_steps, 1) if max_steps is not None else 100_000 if system._has_python else 1_000_000
    times = None if t_eval is None else times_within("t_eval", t_eval, t0, t1)
    if step is not None and accuracy is not None:
        raise Error("a run has a fixed step or an accuracy, not both")
    if accuracy is None:
        accuracy = 1e-6
    elif not 0 < number("accuracy", accuracy) < 1:
        raise Error(f"accuracy is {accuracy}; it must be between 0 and 1", "PH_E_RANGE")
    if v0 is None and p0 is None and system.space.momenta:
        raise Error("v0 or p0 is missing: the velocity, or the momentum, at the start")
    problem = _Problem(system, t0, t1, (z0, v0, p0, project), times, as_events(events),
                       args if isinstance(args, tuple) else (args,), dense_output, progress)
    if step is None or chosen is None:
        chosen, options = _method_for(system, accuracy if step is None else 0.0, chosen, options)
    h = (t1 - t0) / 16 if step is None else number("step", step)
    integrator = Integrator(system, chosen, step=math.copysign(h, t1 - t0), **options)
    if step is not None:
        n = max(1, math.ceil(abs((t1 - t0) / h) - 1e-6))
        if n > max_steps:
            raise Error(f"the span takes {n} steps; max_steps is {max_steps}", "PH_E_RANGE")
        if problem.bytes(n) > LARGEST:
            raise Error(f"the rows of {n} steps take {problem.bytes(n) / 1e9:.3g} GB; at most {LARGEST / 1e9:g} are allowed: give "
                        f"t_eval, leave dense_output out, or run it into an archive (polhode.run)", "PH_E_RANGE")
        trial = _Trial(problem, integrator, n)
        failure = "" if trial.good else f"The run failed at t = {trial.reached:.6g} s: {trial.message}."
        return _solution(problem, trial, math.nan, failure)
    if lib.ph_method_claims(lib.ph_integrator_method(integrator._c), system._c, lib.ph_integrator_options(integrator._c)) \
            & lib.PH_CLAIM_ADAPTIVE:
        raise Error(f"{chosen} chooses steps by its options rtol and atol: give step and rtol in place of accuracy",
                    "PH_E_UNSUPPORTED")
    choice = _Choice(problem, integrator, accuracy, max_steps)
    return _solution(problem, choice.best, choice.estimate, choice.message)


def _solution(problem: _Problem, trial: _Trial, estimate: float, failure: str) -> Solution:
    """What the caller gets of a run."""
    system, rows, integrator, stopped = problem.system, trial.rows, trial.integrator, trial.stopped
    sign = math.copysign(1.0, problem.t1 - problem.t0)
    sol = None
    end = stopped.t if stopped else trial.reached
    if problem.dense and len(rows.t) > 1:
        sol = DenseSolution(integrator.copy(), rows.t, rows.z, rows.p, end)
    if problem.t_eval is not None:
        wanted = problem.t_eval[sign * problem.t_eval <= sign * end]
        if sol is not None:
            z, _, p = sol.at(wanted)
            rows.t, rows.z, rows.p = wanted, z, p
        elif len(wanted):
            places = np.clip(np.searchsorted(sign * rows.t, sign * wanted), 1, max(len(rows.t) - 1, 1))
            places = places - (np.abs(rows.t[places - 1] - wanted) <= np.abs(rows.t[np.minimum(places, len(rows.t) - 1)] - wanted))
            rows.keep(places)
            rows.t = wanted
        else:
            rows.keep(slice(0, 0))
    elif stopped:
        rows.keep(sign * rows.t < sign * end)
        rows.append(end, stopped.z, stopped.p)
    v, energy = _measured(integrator, rows)
    t_events = y_events = None
    if problem.events:
        found: List[List[Occurrence]] = [[] for _ in problem.events]
        for one in trial.sink.occurrences:
            found[one.number].append(one)
        width = system.space.ambient * (1 if system.space.momenta == 0 else 2)
        t_events = [np.array([one.t for one in each], dtype=float) for each in found]
        y_events = [np.array([_y(system, one.z, one.v) for one in each], dtype=float).reshape(-1, width) for each in found]
    status = -1 if failure else 1 if stopped else 0
    message = failure or (f"The event \"{stopped.event}\" ended the run." if stopped else "The end of the span was reached.")
    return Solution(t=rows.t, y=_y(system, rows.z, v).T, z=rows.z, v=v, p=rows.p, energy=energy, sol=sol, t_events=t_events,
                    y_events=y_events, status=status, message=message, success=status >= 0, method=integrator.method,
                    options=integrator.options, step=(problem.t1 - problem.t0) / trial.n, steps=trial.steps, estimate=estimate,
                    nfev=problem.passes, statistics=trial.statistics)


def _measured(integrator: Integrator, rows: _Rows) -> Tuple[Array, Array]:
    """Velocities (rows, nz) and energies (rows,)."""
    system, bare = integrator.system, _Bare(integrator)
    v, energy, work = np.empty_like(rows.z), np.empty(len(rows.t)), np.empty(system._work)
    diagnostics = create("ph_diagnostics", lambda out, error: lib.ph_diagnostics_create(system._c, out, error),
                         lib.ph_diagnostics_free, system)
    measures, c, move, measure = ffi.new("ph_measures *"), bare.c, ffi.memmove, lib.ph_diagnostics_measure
    z, p, out, to, times = pointer(rows.z), pointer(rows.p), room(v), room(work), rows.t.tolist()
    nz, momenta, velocity = v.shape[1], rows.p.shape[1], lib.ph_system_velocity_at
    for i, t in enumerate(times):
        c.t = t
        move(c.z, z + i * nz, 8 * nz)
        move(c.p, p + i * momenta, 8 * momenta)
        status = velocity(system._c, t, c.z, c.p, out + i * nz, to)
        if not status:
            status = measure(diagnostics, c, measures)
            energy[i] = math.nan if status else measures.energy
        if status and status != lib.PH_E_NOT_FINITE:
            check(status)
    passed()
    return v, energy
