# SPDX-License-Identifier: BSD-3-Clause
"""Python functions as callbacks of C, and C functions as they come.

A callback of C gets places in memory that are valid during its call alone. Its Python function gets arrays that belong to
Python, into which the numbers are copied (45 ns for 3 numbers, less than a view of C's memory costs; 2 us for 30000), as an array
that a function keeps must not dangle. Their memory is used again, unless the function has kept one. Exceptions go by cffi's
`onerror` to the caller of C (``_core.fail``).
"""
from __future__ import annotations

import ctypes
import re
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, cast

import numpy as np

from ._core import Error, callback_failed, real
from ._polhode import ffi, lib


class Signature(NamedTuple):
    """What a callback takes and gives: (name, size) each. The size "" is a number; "c" in front of it stands for complex."""

    takes: Tuple[Tuple[str, str], ...]
    gives: Tuple[Tuple[str, str], ...]
    adds: bool  # what it returns is added to what is there
    least: int  # how many it must return


def _signature(line: str, least: int = 0) -> Signature:
    left, arrow, right = re.split(r" (->|\+=) ", line)
    takes, gives = (tuple((a, b) for a, _, b in (word.partition(":") for word in part.split())) for part in (left, right))
    return Signature(takes, gives, arrow == "+=", least or len(gives))


SIGNATURES: Dict[str, Signature] = {
    "potential": _signature("z:nz -> U:1"),
    "gradient": _signature("z:nz -> dU:nz"),
    "force": _signature("t z:nz v:nz += f:nz"),
    "force_dv": _signature("t z:nz v:nz += dfdv:nz*nz"),
    "potential_in_time": _signature("t z:nz -> U:1"),
    "gradient_in_time": _signature("t z:nz += dU:nz"),
    "potential_rate": _signature("t z:nz -> rate:1"),
    "inertia": _signature("z:nz -> M:m*m"),
    "inertia_dz": _signature("z:nz -> dM:m*m*nz"),
    "lagrangian": _signature("t z:nz v:nz -> L:1"),
    "lagrangian_gradient": _signature("t z:nz v:nz -> Lz:nz Lv:nz"),
    "lagrangian_hessian": _signature("t z:nz v:nz -> Lzz:nz*nz Lvz:nz*nz Lvv:nz*nz"),
    "lagrangian_complex": _signature("t z:cnz v:cnz -> L:c1"),
    "lagrangian_rate": _signature("t z:nz v:nz -> Lt:1 Lvt:nz"),
    "generator": _signature("z:nz -> xi:np"),
    "velocity_constraint": _signature("t z:nz += A:k*nz b:k", 1),
    "velocity_constraint_along": _signature("t z:nz v:nz dt dz:nz += rate:k"),
    "points": _signature("t z:nz -> x:points*3"),
    "spin_hessian": _signature("t z:nz += blocks:blocks*9"),
    "control": _signature("t -> B:3 dB:3"),
    "bond": _signature("x -> f:3"),
    "constraint": _signature("x:n -> g:k"),
    "constraint_jacobian": _signature("x:n -> A:k*n"),
    "constraint_bend": _signature("x:n v:n -> dA:k*n"),
    "projection": _signature("x:n -> P:n*n"),
    "projection_along": _signature("x:n v:n -> dP:n*n"),
}
"""Callbacks by name: ph_NAME_fn of the headers."""

SEVERAL = 16  # callbacks of one kind in one definition, where it has one for each symmetry or group of bonds
NUMBERED = ("generator", "bond")


def _c_type(name: str) -> Any:
    if name not in SIGNATURES:
        raise Error(f"there is no callback {name!r}; there are: {', '.join(SIGNATURES)}", "PH_E_UNKNOWN")
    return ffi.typeof(f"ph_{name}_fn")


def signature(name: str, form: str = "c") -> Any:
    """How a function of C for a callback must be declared.

    Parameters
    ----------
    name : str
        The callback: "potential", "force", ...
    form : {"c", "numba"}
        A text, or what ``numba.cfunc`` takes.

    Returns
    -------
    str or numba's signature
        In C: sizes are in brackets; matrices are row-major. A function returns 0 (PH_OK) or another status. Where the text says
        "+=", the function adds to what is there.

    Examples
    --------
    >>> import polhode as ph
    >>> print(ph.signature("force"))
    int force(void *user, double t, const double z[nz], const double v[nz], double f[nz]);  /* f += */
    """
    kind = _c_type(name)
    if form == "numba":
        from numba import types  # type: ignore[import]

        return types.int32(types.voidptr, *(types.float64 if one.kind == "primitive" else types.CPointer(types.float64)
                                            for one in kind.args[1:]))
    if form != "c":
        raise Error(f"form is {form!r}; it must be \"c\" or \"numba\"")
    one = SIGNATURES[name]

    def declare(part: str, size: str, qualifier: str) -> str:
        size = re.sub(r"^c(\d)", lambda m: str(2 * int(m[1])), size)
        return f"{qualifier}double {part}[{re.sub('^c', '2*', size)}]" if size else f"double {part}"

    arguments = [declare(*part, "const ") for part in one.takes] + [declare(*part, "") for part in one.gives]
    return (f"int {name}(void *user, {', '.join(arguments)});" +
            (f"  /* {', '.join(part for part, _ in one.gives)} += */" if one.adds else ""))


_DOUBLE = np.dtype(np.float64)


def _writer(name: str, part: str, size: str, sizes: Dict[str, int], adds: bool) -> Callable[[Any, Any], None]:
    """A function that writes a value to a place of C."""
    dims = tuple(int(one) if one.isdigit() else sizes[one] for one in size.lstrip("c").split("*"))
    numbers, is_complex = int(np.prod(dims)), size[0] == "c"
    kind = np.dtype(np.complex128) if is_complex else _DOUBLE
    nbytes, flat, memmove, array_type = numbers * kind.itemsize, len(dims) == 1, ffi.memmove, np.ndarray
    right = "a number" if numbers == 1 else f"{part} of shape ({', '.join(map(str, dims))}{',' if flat else ''})"

    def general(value: Any, place: Any) -> None:
        if callable(value):  # what takes time only where C asks for it
            value = value()
        try:
            array = real(value, kind.type)
            shape = array.shape
            if array.size != numbers or not (len(shape) == 1 or flat or shape[:len(dims) - 1] == dims[:-1]):
                raise Error(f"{name} returned an array of shape {shape}; it must return {right}", "PH_E_SIZE")
        except (TypeError, ValueError, OverflowError) as reason:
            raise Error(f"{name} returned {'None' if value is None else f'a {type(value).__name__} ({reason})'}; "
                        f"it must return {right}") from None
        if adds:
            array = array.reshape(-1) + np.frombuffer(ffi.buffer(place, nbytes), dtype=kind)
        memmove(place, array, nbytes)

    def write(value: Any, place: Any) -> None:
        if type(value) is array_type and value.dtype is kind and value.nbytes == nbytes and value.flags.c_contiguous \
                and (flat or value.shape == dims):
            if adds:
                there = np.frombuffer(ffi.buffer(place, nbytes))
                there += value if value.ndim == 1 else value.reshape(numbers)
            else:
                memmove(place, value, nbytes)
        else:
            general(value, place)

    def write_number(value: Any, place: Any) -> None:
        if type(value) is float or type(value) is np.float64:
            place[0] = value
        else:
            general(value, place)

    return write_number if numbers == 1 and not is_complex and not adds else write


def _alone() -> Tuple[int, int]:
    """What sys.getrefcount says of an array that a pair has and nobody else: by a local name too, and without one. (It counts less in
    Pythons that borrow references.)"""
    pair = (None, np.empty(1))
    _, array = pair
    named = sys.getrefcount(array)
    del array
    return named, sys.getrefcount(pair[1])


_NAMED, _UNNAMED = _alone()


def python_function(name: str, function: Callable[..., Any], kind: Signature, sizes: Dict[str, int]) -> Callable[..., None]:
    """What the callback of C calls with its arguments behind `user`."""
    if not callable(function):
        raise Error(f"{name} is {function!r}; it must be a function")
    inputs: List[Tuple[int, int, Any]] = []  # argument, bytes, type
    for i, (_, size) in enumerate(kind.takes):
        if size:
            dtype = np.dtype(np.complex128) if size[0] == "c" else _DOUBLE
            inputs.append((i, sizes[size.lstrip("c")] * dtype.itemsize, dtype))
    writers = [_writer(name, part, size, sizes, kind.adds) for part, size in kind.gives]
    taken, least, only = len(kind.takes), kind.least, len(kind.gives) == 1
    named, unnamed = _NAMED, _UNNAMED
    pool: List[Any] = []
    take, give, memmove, references, null, first = pool.pop, pool.append, ffi.memmove, sys.getrefcount, ffi.NULL, writers[0]

    def fresh(nbytes: int, dtype: Any) -> Tuple[Any, Any]:
        # An array that does not own its memory cannot be resized; the function gets views, whose shape it may set.
        memory = ffi.new("char[]", max(nbytes, 1))
        return memory, np.frombuffer(ffi.buffer(memory, nbytes), dtype=dtype)

    def deliver(value: Any, places: Tuple[Any, ...]) -> None:
        if only:
            first(value, places[0])
            return
        values = value if isinstance(value, tuple) else (value,)
        if not least <= len(values) <= len(writers):
            raise Error(f"{name} returned {len(values)} value{'s' * (len(values) != 1)}; it must return "
                        f"{', '.join(part for part, _ in kind.gives)}", "PH_E_SIZE")
        for one, write, place in zip(values, writers, places):
            if place != null:
                write(one, place)

    def of_numbers(*places: Any) -> None:
        deliver(function(*places[:taken]), places[taken:])

    if not inputs:
        return of_numbers
    _, size0, dtype0 = inputs[0]

    def fresh_one() -> Any:
        return fresh(size0, dtype0)

    def of_one(z: Any, place: Any) -> None:
        try:
            pair = take()
        except IndexError:
            pair = fresh_one()
        memory, array = pair
        memmove(memory, z, size0)
        first(function(array.view()), place)
        if references(array) == named:
            give(pair)

    def of_time(t: float, z: Any, place: Any) -> None:
        try:
            pair = take()
        except IndexError:
            pair = fresh_one()
        memory, array = pair
        memmove(memory, z, size0)
        first(function(t, array.view()), place)
        if references(array) == named:
            give(pair)

    def of_velocity(t: float, z: Any, v: Any, place: Any) -> None:
        try:
            pair = take()
        except IndexError:
            pair = fresh_one() + fresh_one()
        memory, array, more, other = pair
        memmove(memory, z, size0)
        memmove(more, v, size0)
        first(function(t, array.view(), other.view()), place)
        if references(array) == named and references(other) == named:
            give(pair)

    letters = "".join("z" if size else "t" for _, size in kind.takes)
    quick: Any = {"z": of_one, "tz": of_time, "tzz": of_velocity}.get(letters)
    if only and quick is not None and (len(inputs) < 2 or inputs[1][1] == size0):
        return cast(Callable[..., None], quick)

    def of_many(*places: Any) -> None:
        try:
            pairs = take()
        except IndexError:
            pairs = [fresh(nbytes, dtype) for _, nbytes, dtype in inputs]
        arguments = list(places[:taken])
        for (memory, array), (i, nbytes, _) in zip(pairs, inputs):
            memmove(memory, places[i], nbytes)
            arguments[i] = array.view()
        value = function(*arguments)
        deliver(value, places[taken:])
        del arguments, value, array
        for pair in pairs:
            if references(pair[1]) != unnamed:
                return
        give(pairs)

    return of_many


# ---- Functions of C ----------------------------------------------------------------------------------------------------


class _OfC(NamedTuple):
    address: int
    data: Any  # what it wants as `user`; None: nothing
    form: Optional[str]  # of its arguments and result, "pdp i"; None: not known


def _form(arguments: Any, result: Any, letter: Callable[[Any], str]) -> str:
    return "".join(letter(one) for one in arguments) + " " + ("i" if letter(result) == "i" else "?")


def _cffi_letter(one: Any) -> str:
    return "p" if one.kind in ("pointer", "array") else "d" if one.cname == "double" else \
        "i" if one.kind == "enum" or one.cname in ("int", "unsigned int", "int32_t", "uint32_t") else "?"


def _numba_letter(one: Any) -> str:
    name = str(one)
    return "p" if name.endswith("*") else {"float64": "d", "int32": "i", "uint32": "i"}.get(name, "?")


def _ctypes_letter(one: Any) -> str:
    if one in (ctypes.c_double, ctypes.c_int, ctypes.c_uint):
        return "d" if one is ctypes.c_double else "i"
    return "p" if one is ctypes.c_void_p or hasattr(one, "contents") or hasattr(one, "from_param") and \
        not issubclass(one, ctypes._SimpleCData) else "?"


def _text_form(text: str) -> Optional[str]:
    found = re.fullmatch(r"\s*(.+?)\s*\((.*)\)\s*", text.replace("(*)", ""))
    if not found:
        return None
    letters = ["p" if "*" in one or "[" in one else "d" if one.strip() == "double" else "?" for one in found[2].split(",")]
    return "".join(letters) + " " + ("i" if found[1] in ("int", "unsigned int", "enum ph_status", "ph_status") else "?")


def _capsule(capsule: Any) -> int:
    """The address in a PyCapsule."""
    get, name = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return get(capsule, name(capsule)) or 0


def c_pointer(function: Any) -> Optional[_OfC]:
    """A function of C (cffi, ctypes, numba's cfunc, scipy.LowLevelCallable); None of Python's."""
    if isinstance(function, ffi.CData):
        kind = ffi.typeof(function)
        if kind.kind == "pointer" and kind.item.kind == "function":
            kind = kind.item
        if kind.kind == "function" or kind.cname == "void *":
            form = None if kind.kind != "function" else _form(kind.args, kind.result, _cffi_letter)
            return _OfC(int(ffi.cast("intptr_t", function)), None, form)
        raise Error(f"{function!r} is not a pointer to a function")
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        types = getattr(function, "argtypes", None) or getattr(function, "_argtypes_", None)
        form = _form(types, function.restype, _ctypes_letter) if types else None
        return _OfC(ctypes.cast(function, ctypes.c_void_p).value or 0, None, form)
    address = getattr(function, "address", None)
    if isinstance(address, int) and hasattr(function, "native_name"):  # numba
        of = getattr(function, "_sig", None)
        return _OfC(address, None, None if of is None else _form(of.args, of.return_type, _numba_letter))
    if isinstance(function, tuple) and type(function).__name__ == "LowLevelCallable":
        own, data = function.function, function.user_data  # type: ignore[attr-defined]
        found = None if isinstance(own, (int, type(None))) else c_pointer(own)
        if found is not None:
            return found._replace(data=data)
        return _OfC(_capsule(tuple.__getitem__(function, 0)), data, _text_form(function.signature))  # type: ignore[attr-defined]
    if type(function).__name__ == "builtin_function_or_method" and type(getattr(function, "__self__", None)).__name__ == "Lib":
        raise Error(f"a function of a library of cffi is given by its address: ffi.addressof(lib, {function.__name__!r})")
    return None


def user_pointer(data: Any, kept: List[Any]) -> Any:
    """User data as a pointer."""
    if data is None:
        return ffi.NULL
    kept.append(data)
    if isinstance(data, ffi.CData):
        return ffi.cast("void *", data)
    if isinstance(data, np.ndarray):
        return ffi.cast("void *", ffi.from_buffer(data))
    if isinstance(data, int):
        return ffi.cast("void *", data)
    if isinstance(data, ctypes.Array) or isinstance(data, ctypes.Structure):
        return ffi.cast("void *", ctypes.addressof(data))
    if isinstance(data, (ctypes.c_void_p, ctypes._Pointer)):
        return ffi.cast("void *", ctypes.cast(data, ctypes.c_void_p).value or 0)
    if type(data).__name__ == "PyCapsule":
        return ffi.cast("void *", _capsule(data))
    raise Error(f"user is {data!r}; it must be a pointer of cffi or ctypes, an array, or an address")


class _Handle:
    """What `user` stands for: the functions of one definition, by the names of their callbacks."""


class Callbacks:
    """The functions of one `user` of C, which must live as long as C may call them.

    They are collected by `add` and set by `finish`: those of C directly, if all are and have the same user data; else all by way
    of Python, which calls those of C with their own.
    """

    def __init__(self, sizes: Dict[str, int], user: Any = None) -> None:
        self.sizes = sizes
        self.kept: List[Any] = []
        self.has_python = False
        self._user = user
        self._wanted: List[Tuple[Any, str, str, str, Any, Optional[_OfC]]] = []

    def add(self, target: Any, member: str, name: str, function: Any, kind: Optional[str] = None) -> None:
        """A function for this member of a structure; None is none. kind: the callback's name in SIGNATURES."""
        if function is None:
            return
        kind = kind or name
        of_c = c_pointer(function)
        if of_c is not None:
            if not of_c.address:
                raise Error(f"{name} is a NULL pointer")
            right = _c_type(kind)
            if of_c.form is not None and of_c.form != _form(right.args, right.result, _cffi_letter):
                raise Error(f"{name} is a function of C with another signature; it must be {signature(kind)}")
        elif not callable(function):
            raise Error(f"{name} is {function!r}; it must be a function")
        self.kept.append(function)
        self._wanted.append((target, member, name, kind, function, of_c))

    def finish(self, target: Any) -> None:
        """Set all members, and `user` of the target."""
        of_c = [found for *_, found in self._wanted if found is not None]
        data = [self._user if found.data is None else found.data for found in of_c]
        if self._user is not None and not of_c:
            raise Error("user is for functions of C; one of Python has its data in itself")
        if of_c and len(of_c) == len(self._wanted) and all(one is data[0] for one in data):
            for at, member, _, kind, _, found in self._wanted:
                setattr(at, member, ffi.cast(f"ph_{kind}_fn", found.address))  # type: ignore[union-attr]
            target.user = user_pointer(data[0], self.kept)
            return
        handle, numbers, rest = _Handle(), dict.fromkeys(NUMBERED, 0), iter(data)
        for at, member, name, kind, function, found in self._wanted:
            of, stem = kind, f"py_ph_{kind}_fn"
            if kind in numbers:
                of, numbers[kind] = f"{kind}_{numbers[kind]}", numbers[kind] + 1
                stem = f"py_ph_{of.replace(kind, kind + '_fn')}"
                if numbers[kind] > SEVERAL:
                    raise Error(f"{name}: at most {SEVERAL} functions of this kind may be of Python; more must be of C, all of them",
                                "PH_E_UNSUPPORTED")
            setattr(handle, of, python_function(name, function, SIGNATURES[kind], self.sizes) if found is None
                    else self._by_python(name, kind, found, user_pointer(next(rest), self.kept)))
            setattr(at, member, _extern(of, stem))
            self.has_python = True
        if self.has_python:
            self.kept.append(ffi.new_handle(handle))
            target.user = self.kept[-1]

    @staticmethod
    def _by_python(name: str, kind: str, found: _OfC, user: Any) -> Callable[..., None]:
        function = ffi.cast(f"ph_{kind}_fn", found.address)

        def call(*places: Any) -> None:
            status = function(user, *places)
            if status:
                raise Error(f"{name}, a function of C, returned {status}", "PH_E_CALLBACK")

        return call


def onerror(_: Any, error: BaseException, traceback: Any) -> None:
    """Hand the exception of a callback to the caller of C: ``onerror`` of ffi.def_extern."""
    callback_failed(error.with_traceback(traceback))


_defined: Dict[str, Any] = {}


def _extern(of: str, stem: str) -> Any:
    """The function of C that calls `of` of its handle; made when it is first needed, as all of them would take 10 ms of the import."""
    if stem not in _defined:
        # One that is written out is called faster than one with *places.
        pointer = getattr(lib, stem)
        places = ", ".join("abcdefg"[:len(ffi.typeof(pointer).args) - 1])
        scope: Dict[str, Any] = {"from_handle": ffi.from_handle}
        exec(f"def callback(user, {places}):\n    from_handle(user).{of}({places})\n    return 0", scope)
        ffi.def_extern(name=stem, error=lib.PH_E_CALLBACK, onerror=onerror)(scope["callback"])
        _defined[stem] = pointer
    return _defined[stem]


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
                                   ("ph_session_options", "stop", True), ("ph_copy_plan", "progress", False),
                                   ("ph_sweep_options", "progress", None), ("ph_sweep_options", "message", None),
                                   ("ph_sweep_options", "stop", True)):
    _define_member(_structure, _name, _failed)
