# SPDX-License-Identifier: BSD-3-Clause
"""A session from Python (``ph_session``): Ctrl-C, progress, warnings and observers while C runs, and how it ended."""
from __future__ import annotations

import importlib
import math
import os
import sys
import threading
import time
import warnings
from typing import Any, Callable, List, Optional, Sequence, Tuple

from ._core import BY_CALLBACK, Array, Error, _pending, copied, fail, new_error, number, text, word, words
from ._polhode import ffi, lib

Observer = Callable[[float, Array, Array], Any]
"""Called with t [s], z (nz,) and p (np,) at each output."""

LARGEST = 1e10  # [bytes] that a run writes without force
OFF = 1e-5  # a configuration that is off its manifold by more is none


class RunWarning(UserWarning):
    """What the library remarks of a run or an archive: the message says what, and what it means."""


def warn(message: str) -> None:
    """A RunWarning, at the line of the user that led to it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, RunWarning, stacklevel=level)


def _clock(seconds: float) -> str:
    s = int(seconds + 0.5)
    return f"{s // 3600}:{s // 60 % 60:02d}:{s % 60:02d}" if s >= 3600 else f"{s // 60}:{s % 60:02d}" if s >= 60 else f"{s} s"


class Progress:
    """A line with share, time and time left: on stderr, or in a notebook."""

    interval = 0.2  # [s]

    def __init__(self, label: str) -> None:
        self.label, self.begun, self.shown = label, time.monotonic(), time.monotonic()
        self._display: Any = None
        if "IPython" in sys.modules:  # a notebook has a display that can be replaced
            shell = importlib.import_module("IPython").get_ipython()
            if shell is not None and "IPKernelApp" in shell.config:
                self._display = importlib.import_module("IPython.display").display({"text/plain": label}, raw=True, display_id=True)

    def show(self, t: float, done: int, total: int, error: float) -> None:
        """After so many steps of all; the error is left out where it is NaN."""
        rate = done / (time.monotonic() - self.begun)
        self.tell(done / total, f"t = {t:.6g} s  {rate:.3g} steps/s", f"  energy error {abs(error):.1e}" if error == error else "")

    def tell(self, share: float, words: str, more: str = "") -> None:
        """After this share of the work; the time that is left stands between the words and `more`."""
        now = time.monotonic()
        if share <= 0:
            return
        self.shown = now
        self._put(f"{self.label}  {100 * share:5.1f}%  {words}  {_clock((now - self.begun) * (1 - share) / share)} left{more}")

    def _put(self, line: str) -> None:
        if self._display is not None:
            self._display.update({"text/plain": line}, raw=True)
        elif sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{line[:79]}")
            sys.stderr.flush()
        else:  # in a log they become rare
            sys.stderr.write(line + "\n")
            self.interval = max(self.interval, 0.5 * (self.shown - self.begun))

    def end(self) -> None:
        if self._display is not None:
            self._display.update({"text/plain": f"{self.label}  done in {_clock(time.monotonic() - self.begun)}"}, raw=True)
        elif sys.stderr.isatty():
            sys.stderr.write("\r\033[K")


class Watch:
    """What a session calls and is given; its methods are the members of ``ph_session_options``."""

    def __init__(self, observe: Optional[Observer] = None, progress: bool = False) -> None:
        self._observe, self._wants_progress = observe, progress
        self._progress: Optional[Progress] = None
        self._messages: List[str] = []
        self._handle = ffi.new_handle(self)
        self._signal, self._by = ffi.new("char[]", b"signal"), ffi.new("char[]", b"SIGINT")
        self._kept: List[Any] = []
        self.off = ""  # what is to be said of the manifold
        self.failed = False  # did a function below raise?
        self.raised: Optional[BaseException] = None  # what ended the run

    # ---- Called by C
    def stop(self, reason: Any, by: Any) -> bool:
        """Each 0.02 s: Python looks for Ctrl-C when a function of it is called."""
        reason[0], by[0] = self._signal, self._by
        pending = _pending.get(threading.get_ident())
        return self.failed or (pending is not None and not isinstance(pending, Exception))

    def message(self, line: Any) -> None:
        self.remark(text(line))

    def see(self, state: Any, done: int, total: int, error: Any) -> None:
        if self._observe is not None:
            self._observe(state.t, copied(state.z, state.nz), copied(state.p, state.np))

    def progress(self, session: Any) -> None:
        shown = self._progress
        if shown is None or time.monotonic() - shown.shown < shown.interval:
            return
        try:
            result = ffi.new("ph_result *")
            lib.ph_session_result(session, result)
            done = int(lib.ph_session_report(session).steps)
            shown.show(result.state.t, done, int(lib.ph_session_steps(session)) - int(result.state.k) + done,
                       result.summary.energy_error_final if lib.ph_system_is_conservative(lib.ph_session_system(session)) else math.nan)
        except Exception:
            self.failed = True
            raise

    # ---- Options
    def options(self, *, force: bool = False, columns: Optional[Sequence[str]] = None, snapshot: Optional[float] = None,
                wall_clock: Optional[float] = None, until: Optional[float] = None, archive: Optional[str] = None) -> Any:
        """The ``ph_session_options``, which live as long as this object."""
        o = ffi.new("ph_session_options *")

        def keep(value: Any) -> Any:
            self._kept.append(value)
            return value

        o.force = force
        if columns is not None:
            o.columns, o.n_columns = keep(words("columns", columns))[0], len(columns)
        for name, value in (("snapshot", snapshot), ("wall_clock", wall_clock), ("until", until),
                            ("largest", None if force else LARGEST)):
            if value is not None:
                setattr(o, name, keep(ffi.new("double *", number(name, value))))
        if archive is not None:
            o.archive = keep(ffi.new("char[]", word("archive", archive)))
        if self._observe is not None:
            if not callable(self._observe):
                raise Error(f"observe is {self._observe!r}; it must be a function of t, z, p")
            o.observers = keep(ffi.new("ph_observer *", {"see": lib.py_ph_observer_see, "self": self._handle}))
            o.n_observers = 1
        o.message, o.stop, o.self = lib.py_ph_session_options_message, ffi.addressof(lib, "polhode_stop"), self._handle
        if self._wants_progress:
            o.progress = ffi.addressof(lib, "polhode_progress")
        return o

    def remark(self, line: str) -> None:
        """A warning to come."""
        self._messages.append(line)

    def warn(self) -> None:
        """Warnings of the library become Python's."""
        messages, self._messages = self._messages, []
        for line in messages:
            warn(line)

    def _judge(self, session: Any) -> None:
        """A warning where the energy gives reason to doubt that the run has kept its accuracy; and what is to be said where the
        configuration has left its manifold, which is seen nowhere else."""
        result, line = ffi.new("ph_result *"), ffi.new("char[]", lib.PH_ACCURACY_WORDS)
        lib.ph_session_result(session, result)
        if not lib.ph_accuracy_words(result, line):
            self.remark(f"accuracy: {text(line)}")
        off = result.summary.constraint_error_max
        if off > OFF:
            method = text(lib.ph_integrator_method(result.integrator).name)
            self.off = (f"the configuration left its manifold, by {off:.1g}: the method {method} does not keep it; those do whose claims "
                        f"have \"manifold\" (polhode.methods)")

    # ---- The session
    def run(self, opened: Callable[[Any, Any], Any], label: str, place: str) -> Tuple[str, int, str]:
        """Open a session by opened(session, error), run and close it: the path of its archive, its status and message. place: where its
        results are.

        Raises what opening it reports; what ends the run is for the caller, with the archive.
        """
        session, error, closing = ffi.new("ph_session **"), new_error(), new_error()
        path, message, closed = "", "", 0
        try:  # Ctrl-C may come between any two lines
            status = opened(session, error)
            self.warn()
            if status:
                fail(status, self._in_python(text(error.message), place))
            path = os.fsdecode(ffi.string(lib.ph_session_path(session[0], lib.PH_SESSION_ARCHIVE)))
            self._progress = Progress(label) if self._wants_progress else None
            status = lib.ph_session_run(session[0], error)
            message = text(error.message) if status else ""
            self._judge(session[0])
        finally:
            try:
                if self._progress is not None:
                    self._progress.end()
            finally:
                if session[0] != ffi.NULL:
                    closed = lib.ph_session_close(session[0], closing)
                self.raised = _pending.pop(threading.get_ident(), None)
        if closed and not status:
            status, message = closed, text(closing.message)
        return path, status, message

    @staticmethod
    def _in_python(message: str, place: str) -> str:
        """What a message advises, in the words of this package."""
        resume = f"force=True replaces it; polhode.open({place!r}).resume() continues the run"
        return (message.replace("allow to replace it", resume).replace("options.largest allows", "is written without force=True")
                .replace("options.", ""))


def finish(status: int, message: str, watch: Watch, run: Any) -> None:
    """Raise what ended a run before its time, with the attribute `run`: what was done. A run that was told to end is no error."""
    watch.warn()
    reason: BaseException
    if watch.raised is not None and (not isinstance(watch.raised, Exception) or watch.failed or status in BY_CALLBACK):
        reason = watch.raised
    elif status in (lib.PH_OK, lib.PH_E_STOPPED, lib.PH_E_INTERRUPTED):
        if watch.off:
            warn(watch.off)
        return
    else:
        reason = Error(f"{message}; {watch.off}" if watch.off else message, text(lib.ph_status_name(status)))
    reason.run = run  # type: ignore[attr-defined]
    if hasattr(reason, "add_note"):
        reason.add_note(f"what was done is in the attribute run of this exception: {run!r}")
    try:
        raise reason
    finally:
        del reason, watch.raised  # its traceback has this frame and that of the caller: they would keep each other
