# SPDX-License-Identifier: BSD-3-Clause
"""What every part of the package stands on: errors, ownership, arrays, one thread at a time, Ctrl-C."""
from __future__ import annotations

import functools
import sys
import threading
import time
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Protocol, Sequence, Tuple, Type, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._polhode import ffi, lib

Array = npt.NDArray[np.float64]
"""An array of doubles."""
ArrayLike = npt.ArrayLike


class Error(Exception):
    """A failure that the library reports.

    Attributes
    ----------
    status : str
        What kind of failure, "PH_E_RANGE" for instance. The list is ``polhode.statuses``.

    Examples
    --------
    >>> import polhode as ph
    >>> try:
    ...     ph.method("rk5")
    ... except ph.Error as error:
    ...     print(error.status)
    PH_E_UNKNOWN
    """

    def __init__(self, message: str, status: str = "PH_E_INVALID") -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (str(self), self.status))


class CostWarning(UserWarning):
    """Something works, and would be faster with more information: the message says what."""


def warn_of_cost(message: str) -> None:
    """Warn at the line that called the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith("polhode."):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, CostWarning, level + 1)


def text(chars: Any) -> str:
    """A text of C; "" of NULL."""
    return "" if chars == ffi.NULL else str(ffi.string(chars), "utf-8", "replace")


statuses: Dict[str, str] = {
    text(lib.ph_status_name(i)): text(lib.ph_status_text(i)) for i in range(lib.PH_STATUS_COUNT)
}
"""Name and meaning of every status."""

# ---- Exceptions of callbacks -------------------------------------------------------------------------------------------
# C calls Python in the thread that called C, and hands the status of a failed callback back. The exception waits here.
_pending: Dict[int, BaseException] = {}


def callback_failed(error: BaseException) -> None:
    """Keep an exception for the caller of C: the first, but Ctrl-C counts for more than what C may recover from."""
    if isinstance(error, Exception):
        _pending.setdefault(threading.get_ident(), error)
    else:
        _pending[threading.get_ident()] = error


def interrupted() -> bool:
    """Does something wait that must end everything: Ctrl-C, SystemExit?"""
    return bool(_pending) and not isinstance(_pending.get(threading.get_ident(), ValueError()), Exception)


def new_error() -> Any:
    """Room for the message of one call."""
    return ffi.new("ph_error *")


BY_CALLBACK = (lib.PH_E_CALLBACK, lib.PH_E_INTERRUPTED, lib.PH_E_NOT_FINITE)
"""What fails because a callback does; one without a status, of an embedding, leaves NaN."""


def arrive(status: int) -> None:
    """Raise the exception that waits for this thread, if C failed with this status because of it, or if it must end everything."""
    error = _pending.pop(threading.get_ident(), None)
    try:
        if error is not None and (status in BY_CALLBACK or not isinstance(error, Exception)):
            raise error
    finally:
        del error  # its traceback has this frame: they would keep each other, and all that the frames of callers have


def fail(status: int, message: str = "") -> None:
    """Raise what a status stands for: the exception of a callback, or an Error with this message."""
    arrive(status)
    raise Error(message or text(lib.ph_status_text(status)), text(lib.ph_status_name(status)))


def check(status: int, error: Any = ffi.NULL) -> None:
    """Raise unless the status is PH_OK. error: the ph_error of the call."""
    if status != 0:
        fail(status, text(error.message) if error != ffi.NULL else "")
    if _pending:  # C went on after a callback that failed; Ctrl-C must not be lost
        arrive(0)


def passed() -> None:
    """Raise what a callback raised in a function of C without a status."""
    if _pending:
        arrive(lib.PH_E_CALLBACK)


# ---- Ownership ---------------------------------------------------------------------------------------------------------


def own(pointer: Any, free: Callable[[Any], None], *keep: object) -> Any:
    """A handle that frees itself. What it needs is kept until it is freed, so that the order does not matter."""

    def release(handle: Any, needed: Tuple[object, ...] = keep) -> None:
        free(handle)

    return ffi.gc(pointer, release)


def create(kind: str, call: Callable[[Any, Any], Any], free: Callable[[Any], None], *keep: object) -> Any:
    """The handle of this kind, "ph_system", that call(pointer to it, error) creates."""
    handle, error = ffi.new(kind + " **"), new_error()
    status = call(handle, error)
    owned = own(handle[0], free, *keep) if status == 0 else None
    check(status, error)
    return owned


class Fixed:
    """Its public attributes cannot be set again: sizes of C's memory follow from them."""

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            if name in self.__dict__ and name[0] != "_":
                raise AttributeError(f"{name} of a polhode.{type(self).__name__} cannot be set")
            object.__setattr__(self, name, value)

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{name} of a polhode.{type(self).__name__} cannot be deleted")

        def __init_subclass__(cls, **more: object) -> None:
            """And __init__ makes an object once: half of another one would be in it."""
            super().__init_subclass__(**more)
            make = cls.__dict__.get("__init__")
            if make is not None:

                @functools.wraps(make)
                def once(self: Any, *arguments: Any, **named: Any) -> None:
                    if self.__dict__:  # also of an object that a function of the package made
                        raise TypeError(f"this polhode.{type(self).__name__} is made already; make another one")
                    make(self, *arguments, **named)

                cls.__init__ = once


class Named(Protocol):
    """What has a name of the catalogue: a Method."""

    @property
    def name(self) -> str: ...


class Handle(Fixed):
    """What stands for an object of C. It cannot be sent to another process."""

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError(f"a polhode.{type(self).__name__} cannot be pickled: it is memory and functions of C. Make one in each "
                        f"process, and send what it is made from: names, numbers, arrays, bytes(state)")


class Constant(Handle):
    """One that never changes: it is its own copy."""

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> Any:
        return self


class Guard:
    """A handle that one thread at a time may use, and no callback of its own call.

    ``with self._one():`` stands around calls of C that change it; where there are several, that of a state comes last. The lock
    is taken by C's own ``with``, into which Ctrl-C does not come: no lock is left behind.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()

    def __call__(self) -> threading.Lock:
        if self._lock.locked():
            raise Error(f"this {self._what} is in use by another thread, or by the call from which this function was called; "
                        f"create one for each", "PH_E_INVALID")
        return self._lock


# ---- Arrays ------------------------------------------------------------------------------------------------------------


def real(value: Any, kind: Any = np.float64) -> npt.NDArray[Any]:
    """The value as a contiguous array of real numbers, or of complex ones; TypeError, ValueError or OverflowError where it is not."""
    array = np.asarray(value)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):  # type: ignore[no-untyped-call]
        raise TypeError("it has masked entries")
    if array.dtype.kind not in ("fiubc" if kind is np.complex128 else "fiub"):
        if array.dtype.kind != "O" or any(one is None or isinstance(one, (str, bytes)) for one in array.ravel()):
            raise TypeError(f"{repr(value) if array.size < 20 else 'an array'} of {array.dtype}")
        array = np.array(array, dtype=kind)
    return np.ascontiguousarray(array, dtype=kind).reshape(array.shape)  # ascontiguousarray makes it one-dimensional at least


def doubles(name: str, value: ArrayLike, shape: Union[int, Tuple[int, ...], None] = None) -> Array:
    """The value as a contiguous array of doubles of this shape; -1 stands for any length.

    Raises Error with PH_E_SIZE for another shape and PH_E_INVALID for what is not real numbers.
    """
    try:
        array: Array = real(value)
    except (TypeError, ValueError, OverflowError) as reason:
        raise Error(f"{name} must be real numbers: {reason}", "PH_E_INVALID") from None
    if shape is not None:
        wanted = (shape,) if isinstance(shape, int) else shape
        if len(wanted) != array.ndim or any(n not in (-1, m) for n, m in zip(wanted, array.shape)):
            right = "(" + ", ".join("n" if n == -1 else str(n) for n in wanted) + ("," if len(wanted) == 1 else "") + ")"
            raise Error(f"{name} has the shape {array.shape}; it must be {right}", "PH_E_SIZE")
    return array


def number(name: str, value: Any) -> float:
    """The value as a finite number."""
    result = float(doubles(name, value, ()))
    if not np.isfinite(result):
        raise Error(f"{name} is {result}; it must be finite", "PH_E_NOT_FINITE")
    return result


def times_within(name: str, value: ArrayLike, t0: float, t1: float, slack: float = 0.0) -> Array:
    """The value as times (n,) of a run from t0 to t1 [s], in its order. slack: by how much one may be outside by rounding."""
    times = doubles(name, value, (-1,))
    if not np.all(np.isfinite(times)) or np.any((times < min(t0, t1) - slack) | (times > max(t0, t1) + slack)):
        raise Error(f"{name} must be within the span of the run, from {min(t0, t1):g} to {max(t0, t1):g} s", "PH_E_RANGE")
    if np.any(np.diff(times) * (t1 - t0) <= 0):
        raise Error(f"{name} must be in the order of the run, each time once", "PH_E_RANGE")
    return times


T = TypeVar("T")


def instance(name: str, value: object, kind: Type[T]) -> T:
    """The value, which must be of this class of the package."""
    if not isinstance(value, kind):
        raise Error(f"{name} is {value!r}; it must be a polhode.{kind.__name__}")
    return value


MOST = 2**63 - 1


def count(name: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """The value as a whole number; 1e6 is one."""
    try:
        result = int(value)
        if result != value or isinstance(value, str):
            raise ValueError
    except (TypeError, ValueError, OverflowError, np.ma.MaskError):
        raise Error(f"{name} is {value!r}; it must be a whole number", "PH_E_INVALID") from None
    if not least <= result <= most:
        bounds = f"at least {least}" if result < least and most == MOST else f"between {least} and {most}"
        raise Error(f"{name} is {result}; it must be {bounds}", "PH_E_RANGE")
    return result


def indices(name: str, value: ArrayLike, kind: Any, below: int, n: int = -1) -> npt.NDArray[Any]:
    """The value as a contiguous array (n,) of whole numbers of this type, from 0 and below a bound."""
    array = np.asarray(value)
    if array.size == 0:
        array = array.astype(np.intp).reshape(-1) if array.dtype.kind in "iuf" else array
    if array.ndim != 1 or array.dtype.kind not in "iu" or (n >= 0 and array.size != n):
        raise Error(f"{name} must be an array {'' if n < 0 else f'({n},) '}of whole numbers", "PH_E_SIZE" if array.ndim != 1 or
                    (n >= 0 and array.size != n) else "PH_E_INVALID")
    if array.size and not (0 <= int(array.min()) and int(array.max()) < below):
        raise Error(f"{name} has a number out of 0 ... {below - 1}", "PH_E_RANGE")
    return np.ascontiguousarray(array, dtype=kind)


def word(name: str, value: Any) -> bytes:
    """The value as a text for C."""
    if not isinstance(value, str):
        raise Error(f"{name} is {value!r}; it must be a text", "PH_E_INVALID")
    if "\0" in value:
        raise Error(f"{name} has a zero byte", "PH_E_INVALID")
    return value.encode("utf-8", "surrogateescape")


def words(name: str, values: Sequence[str]) -> Tuple[Any, list[Any]]:
    """The values as an array of texts, and what keeps them alive."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise Error(f"{name} is {values!r}; it must be a list of texts", "PH_E_INVALID")
    kept = [ffi.new("char[]", word(name, value)) for value in values]
    return ffi.new("const char *[]", kept), kept


def pointer(array: Optional[Array]) -> Any:
    """Where the numbers of an array are; it must live on, and C only reads them. NULL of None."""
    return ffi.NULL if array is None else ffi.from_buffer("double *", array)


def room(array: Array) -> Any:
    """Likewise for numbers that C writes."""
    return ffi.from_buffer("double *", array, require_writable=True)


def copied(chars: Any, n: int) -> Array:
    """A copy of n doubles of C."""
    if not isinstance(chars, ffi.CData):  # a result class made by hand, of something else
        raise Error(f"{chars!r} is not a place in C's memory; results are made by the functions that return them")
    result = np.empty(n)
    if n:
        ffi.memmove(result, chars, 8 * n)
    return result


# ---- Ctrl-C ------------------------------------------------------------------------------------------------------------

STRETCH = 0.02  # [s] between two looks at signals


class Stretches:
    """Many steps in calls of about 0.02 s, between which Python sees Ctrl-C. Their bits do not depend on that."""

    def __init__(self) -> None:
        self.quick = 1  # steps that take less than that

    def run(self, n: int, call: Callable[[int], int]) -> int:
        """The first status of call(some steps) that is not PH_OK, or PH_OK after n of them."""
        status = 0
        while n > self.quick and status == 0:
            begun, steps = time.perf_counter(), self.quick
            status = call(steps)
            n -= steps
            took = time.perf_counter() - begun
            self.quick = max(1, min(4 * steps, int(steps * STRETCH / max(took, 1e-9))))
        return status or call(n)
