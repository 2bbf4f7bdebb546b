# SPDX-License-Identifier: BSD-3-Clause
"""Python functions as callbacks of C, and C functions as they come.

A callback of C gets places in memory that are valid during its call alone. So its Python function gets arrays that belong to
Python, into which the numbers are copied (some nanoseconds); they are used again, unless the function has kept one.
"""
from __future__ import annotations

import ctypes
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._core import Error, callback_failed
from ._polhode import ffi, lib


class Signature(NamedTuple):
    """What a callback takes and gives, as names of sizes: "t" is a number, "c" in front stands for complex."""

    takes: Tuple[str, ...]
    gives: Tuple[str, ...]
    adds: bool = False  # what is given is added to what is there


SIGNATURES: Dict[str, Signature] = {
    "potential": Signature(("nz",), ("1",)),
    "gradient": Signature(("nz",), ("nz",)),
    "force": Signature(("t", "nz", "nz"), ("nz",), True),
    "force_dv": Signature(("t", "nz", "nz"), ("nz*nz",), True),
    "potential_in_time": Signature(("t", "nz"), ("1",)),
    "gradient_in_time": Signature(("t", "nz"), ("nz",), True),
    "potential_rate": Signature(("t", "nz"), ("1",)),
    "inertia": Signature(("nz",), ("m*m",)),
    "inertia_dz": Signature(("nz",), ("m*m*nz",)),
    "lagrangian": Signature(("nz", "nz"), ("1",)),
    "lagrangian_gradient": Signature(("nz", "nz"), ("nz", "nz")),
    "lagrangian_hessian": Signature(("nz", "nz"), ("nz*nz", "nz*nz", "nz*nz")),
    "lagrangian_complex": Signature(("cnz", "cnz"), ("c1",)),
    "generator": Signature(("nz",), ("np",)),
    "velocity_constraint": Signature(("t", "nz"), ("k*nz", "k"), True),
    "velocity_constraint_along": Signature(("t", "nz", "nz", "t", "nz"), ("k",), True),
    "points": Signature(("nz",), ("3*points",)),
    "spin_hessian": Signature(("t", "nz"), ("9*blocks",), True),
    "control": Signature(("t",), ("3", "3")),
    "bond": Signature(("t",), ("3",)),
    "constraint": Signature(("n",), ("k",)),
    "constraint_jacobian": Signature(("n",), ("k*n",)),
    "constraint_bend": Signature(("n", "n"), ("k*n",)),
    "projection": Signature(("n",), ("n*n",)),
    "projection_along": Signature(("n", "n"), ("n*n",)),
}
"""Callbacks by name: ph_NAME_fn of the headers."""


def _size(expression: str, sizes: Dict[str, int]) -> int:
    result = 1
    for part in expression.lstrip("c").split("*"):
        result *= int(part) if part.isdigit() else sizes[part]
    return result


class _Output(NamedTuple):
    numbers: int
    complex: bool

    def write(self, name: str, value: Any, place: Any, adds: bool) -> None:
        kind = np.complex128 if self.complex else np.float64
        if value is None:
            raise Error(f"{name} returned None; it must return {self.words()}")
        array = np.asarray(value)
        if array.dtype.kind == "c" and not self.complex:
            raise Error(f"{name} returned complex numbers for real arguments")
        if array.size != self.numbers:
            raise Error(f"{name} returned an array of shape {array.shape}; it must return {self.words()}", "PH_E_SIZE")
        array = np.ascontiguousarray(array, dtype=kind)
        if adds:
            array = array.ravel() + np.frombuffer(ffi.buffer(place, array.nbytes), dtype=kind)
        ffi.memmove(place, array, array.nbytes)

    def words(self) -> str:
        return "a number" if self.numbers == 1 else f"{self.numbers} numbers"


def python_function(name: str, function: Callable[..., Any], signature: Signature,
                    sizes: Dict[str, int]) -> Callable[..., int]:
    """What the callback of C calls with its arguments behind `user`."""
    if not callable(function):
        raise Error(f"{name} is {function!r}; it must be a function")
    inputs: List[Tuple[int, int, Any]] = []  # argument, bytes, type
    for i, what in enumerate(signature.takes):
        if what != "t":
            kind = np.complex128 if what[0] == "c" else np.float64
            inputs.append((i, _size(what, sizes) * np.dtype(kind).itemsize, kind))
    outputs = [_Output(_size(what, sizes), what[0] == "c") for what in signature.gives]
    taken, adds = len(signature.takes), signature.adds
    pool: List[List[Any]] = []
    memmove, references = ffi.memmove, sys.getrefcount
    number = len(outputs) == 1 and outputs[0].numbers == 1 and not outputs[0].complex and not adds

    def call(*places: Any) -> int:
        try:
            arguments = list(places[:taken])
            arrays = pool.pop() if pool else [np.empty(size // np.dtype(kind).itemsize, kind) for _, size, kind in inputs]
            for array, (i, size, _) in zip(arrays, inputs):
                memmove(array, places[i], size)
                arguments[i] = array
            value = function(*arguments)
            if number:
                places[taken][0] = value
            elif len(outputs) == 1:
                outputs[0].write(name, value, places[taken], adds)
            else:
                if not isinstance(value, tuple):
                    value = (value,)
                if len(value) > len(outputs):
                    raise Error(f"{name} returned {len(value)} values; it must return {len(outputs)}", "PH_E_SIZE")
                for one, output, place in zip(value, outputs, places[taken:]):
                    if place != ffi.NULL:
                        output.write(name, one, place, adds)
            del arguments, value
            array = None
            if all(references(array) <= 3 for array in arrays):
                pool.append(arrays)
            return 0
        except BaseException as error:  # arrives where C was called
            return callback_failed(error)

    return call


def c_pointer(function: Any) -> Optional[Tuple[int, Any]]:
    """Address and user data of a function of C (cffi, ctypes, numba's cfunc, scipy.LowLevelCallable); None of Python's."""
    if isinstance(function, ffi.CData):
        if ffi.typeof(function).kind == "function" or ffi.typeof(function) is ffi.typeof("void *"):
            return int(ffi.cast("intptr_t", function)), None
        raise Error(f"{function!r} is not a pointer to a function")
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        return ctypes.cast(function, ctypes.c_void_p).value or 0, None
    address = getattr(function, "address", None)  # numba
    if isinstance(address, int) and hasattr(function, "native_name"):
        return address, None
    if type(function).__name__ == "LowLevelCallable":
        own = function.function
        data = function.user_data
        if not isinstance(own, (int, type(None))) and c_pointer(own):
            pointed = c_pointer(own)
            return (pointed[0] if pointed else 0), data
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        name = ctypes.pythonapi.PyCapsule_GetName
        name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
        capsule = tuple.__getitem__(function, 0)
        return get(capsule, name(capsule)) or 0, data
    return None


class Callbacks:
    """The functions of one `user` of C. Its handle must live as long as C may call them."""

    def __init__(self, sizes: Dict[str, int], user: Any = None) -> None:
        self.sizes = sizes
        self.functions: Dict[str, Callable[..., int]] = {}
        self.kept: List[Any] = []
        self.of_c: List[str] = []
        self._user = user

    def add(self, name: str, function: Any, kind: Optional[str] = None, signature: Optional[Signature] = None) -> Any:
        """The pointer for a member of a definition; NULL of None. kind: the callback's name in SIGNATURES."""
        kind = kind or name
        if function is None:
            return ffi.NULL
        self.kept.append(function)
        pointed = c_pointer(function)
        if pointed:
            address, data = pointed
            if not address:
                raise Error(f"{name} is a NULL pointer")
            if data is not None:
                self._user = data
            self.of_c.append(name)
        else:
            self.functions[kind] = python_function(name, function, signature or SIGNATURES[kind], self.sizes)
        if self.of_c and self.functions:
            raise Error(f"{self.of_c[0]} is a function of C, and others are of Python; all must be of one kind, as they "
                        f"share their user data")
        if pointed:
            return ffi.cast(f"ph_{kind}_fn", pointed[0])
        return getattr(lib, f"py_ph_{kind}_fn")

    def user(self) -> Any:
        """What C hands to them."""
        if self.of_c:
            data = self._user
            if data is None:
                return ffi.NULL
            if isinstance(data, ffi.CData):
                return ffi.cast("void *", data)
            if isinstance(data, np.ndarray):
                self.kept.append(data)
                return ffi.cast("void *", ffi.from_buffer(data))
            return ffi.cast("void *", data if isinstance(data, int) else ctypes.cast(data, ctypes.c_void_p).value or 0)
        if self._user is not None:
            raise Error("user is for functions of C; one of Python has its data in itself")
        handle = ffi.new_handle(self)
        self.kept.append(handle)
        return handle


def onerror(kind: Any, error: BaseException, trace: Any) -> None:
    """What cffi calls for an exception that leaves a callback: Ctrl-C may come before the callback's first line."""
    callback_failed(error.with_traceback(trace))


def _define(kind: str) -> None:
    def callback(user: Any, *places: Any) -> int:
        return int(ffi.from_handle(user).functions[kind](*places))

    ffi.def_extern(name=f"py_ph_{kind}_fn", error=lib.PH_E_CALLBACK, onerror=onerror)(callback)


for _kind in SIGNATURES:
    _define(_kind)


def _define_member(structure: str, name: str, failed: Any) -> None:
    """The function of a structure's member calls the method `name` of the object whose handle is self. It returns what C gets;
    None stands for PH_OK. One that raises hands `failed` to C, and its exception arrives where C was called."""

    def callback(this: Any, *places: Any) -> Any:
        value = getattr(ffi.from_handle(this), name)(*places)
        return type(failed)(value or 0) if failed is not None else None

    ffi.def_extern(name=f"py_{structure}_{name}", error=failed, onerror=onerror)(callback)


for _structure, _name, _failed in (("ph_observer", "see", int(lib.PH_E_CALLBACK)), ("ph_watch", "see", int(lib.PH_E_CALLBACK)),
                                   ("ph_event_sink", "found", int(lib.PH_E_CALLBACK)),
                                   ("ph_session_options", "found", int(lib.PH_E_CALLBACK)),
                                   ("ph_session_options", "progress", None), ("ph_session_options", "message", None),
                                   ("ph_session_options", "stop", True), ("ph_copy_plan", "progress", False)):
    _define_member(_structure, _name, _failed)
