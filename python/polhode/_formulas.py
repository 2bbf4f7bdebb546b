# SPDX-License-Identifier: BSD-3-Clause
"""Systems of formulas from texts of Python (``ph_formula_definition``); units, derivatives and messages are the library's."""
from __future__ import annotations

import json
from importlib import import_module
from typing import Any, List, Mapping, Sequence, Tuple

import numpy as np

from ._core import Error, create, doubles, text
from ._polhode import ffi, lib

KEYS = ("parameters", "where", "kinetic", "potential", "lagrangian", "energy", "strengths", "damping", "forces", "dissipation", "constraints", "symmetries",
        "columns", "points", "lines", "bodies", "events")
"""What a system of formulas has besides its space."""


def is_sympy(value: Any) -> bool:
    """Is it SymPy's? It is not imported for that."""
    return type(value).__module__.partition(".")[0] == "sympy"


def of_sympy(what: str, e: Any) -> str:
    """The formula that an expression or a matrix of SymPy is; columns are vectors."""
    def inner(part: Any) -> str:
        return of_sympy(what, part)

    if getattr(e, "is_Matrix", False):
        rows = [[inner(entry) for entry in row] for row in e.tolist()]
        return "[" + ", ".join(row[0] if e.shape[1] == 1 else f"[{', '.join(row)}]" for row in rows) + "]"
    if e.is_Symbol or e.is_Integer:
        return f"({e})" if e.is_negative else str(e)
    if e.is_Rational:
        return f"({e.p}/{e.q})"
    if e.is_Float or str(e) == "E":
        return f"({float(e)!r})"
    if e.is_NumberSymbol:
        return str(e)
    if e.is_Add or e.is_Mul:
        return "(" + (" + " if e.is_Add else "*").join(map(inner, e.args)) + ")"
    if e.is_Pow:
        return f"({inner(e.base)}^{inner(e.exp)})"
    if e.is_Function:
        return f"{e.func.__name__}({', '.join(map(inner, e.args))})"
    raise Error(f"{what}: {e}, {type(e).__name__} in SymPy, has no place in a formula")


def symbols(name: str, kind: str) -> Tuple[Any, Any]:
    """SymPy's symbols for a factor and for its derivative by time."""
    sympy: Any = import_module("sympy")
    known: Any = {"S1": (2, 1), "S2": (3, 1), "spin": (3, 1), "SO3": (3, 3)}.get(kind)
    if known is None and kind[:1] == "R" and kind[1:].isdigit() and int(kind[1:]) > 0:
        known = (int(kind[1:]), 1)
    if known is None:
        raise Error(f"{kind!r} is no factor; it is R1, R2, ..., S1, S2, SO3 or spin")

    shape: Tuple[int, int] = known

    def symbol(of: str, i: int, j: int) -> Any:
        place = f"[{i + 1},{j + 1}]" if kind == "SO3" else f".{'xyz'[i]}" if shape[0] <= 3 else f"[{i + 1}]"
        return sympy.Symbol(of + (place if shape != (1, 1) else ""), real=True)

    both = [sympy.Matrix(*shape, lambda i, j, of=of: symbol(of, int(i), int(j))) for of in (name, _rate(name))]
    return (both[0][0], both[1][0]) if shape == (1, 1) else (both[0], both[1])


def _rate(name: str) -> str:
    """qdot of q, cdot[2] of c[2]."""
    stem, bracket, index = name.partition("[")
    return stem + "dot" + bracket + index


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def describe(system: Any, found: str) -> str:
    """What was found, and a line for each derivative that a step evaluates."""
    if not found:
        raise Error("there is no system of formulas here, of which something could be found")
    callbacks = ffi.new("ph_formula_callback[]", lib.PH_FORMULA_CALLBACKS)
    lines = [found]
    for c in callbacks[0:lib.ph_formula_callbacks(system, callbacks)]:
        of = f", {_count(c.calls, 'function')}" if c.calls else ""
        lines.append(f"{text(c.name)}: {_count(c.n, 'number')}, {_count(c.operations, 'operation')}{of}")
    return "\n".join(lines)


def to_yaml(space: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The map ``model`` of a scenario; texts are quoted as in JSON, which YAML includes."""
    def plain(what: str, value: Any) -> Any:
        if is_sympy(value):
            return of_sympy(what, value)
        if isinstance(value, Mapping):
            return {key: plain(what, entry) for key, entry in value.items()}
        if isinstance(value, (np.ndarray, np.generic)):
            value = value.tolist()
        if isinstance(value, (list, tuple)):
            return [plain(what, entry) for entry in value]
        return int(value) if isinstance(value, bool) else value

    def parameter(value: Any) -> Any:
        numbers, unit = value if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str) else (value, "")
        return f"{json.dumps(plain('parameters', numbers))} {unit}" if unit else plain("parameters", numbers)

    model = {"space": {name: {"in": of[0], "unit": of[1]} if isinstance(of, tuple) else of for name, of in space.items()}}  # type: dict[str, Any]
    for key in KEYS:
        value = given.get(key)
        if key == "parameters":
            model[key] = {name: parameter(entry) for name, entry in (value or {}).items()}
        elif key == "lines":
            model["scene"] = {**model.get("scene", {}), key: [line.split() if isinstance(line, str) else list(line) for line in value or ()]}
        elif key in ("points", "bodies"):
            model["scene"] = {**model.get("scene", {}), key: plain(key, value or {})}
        elif key != "events":
            model[key] = plain(key, value)
    model["scene"] = {key: value for key, value in model["scene"].items() if value}
    lines = ["model:"]
    for key, value in model.items():
        if not value:
            continue
        lines += [f"  {key}: {json.dumps(value, ensure_ascii=False)}"] if not isinstance(value, dict) else [
            f"  {key}:", *(f"    {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in value.items())]
    return "\n".join(lines) + "\n"


def _vector(what: str, value: Any) -> Any:
    """Numbers, and lists with one entry for each spin, as formulas."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if is_sympy(value):
        return of_sympy(what, value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(_vector(what, entry)) for entry in value) + "]"
    return repr(+value) if isinstance(value, (int, float)) else value


def create_system(space: Mapping[str, Any], given: Mapping[str, Any]) -> Tuple[Any, str]:
    """The system of C, and what was found in its formulas."""
    kept: List[Any] = []
    d = ffi.new("ph_formula_definition *")

    def chars(what: str, value: Any, optional: bool = False) -> Any:
        if value is None and optional:
            return ffi.NULL
        if is_sympy(value):
            value = of_sympy(what, value)
        if not isinstance(value, str) or "\0" in value:
            raise Error(f"{what} is {value!r}; a formula, which is a text, is expected")
        kept.append(ffi.new("char[]", value.encode()))
        return kept[-1]

    def rows(name: str, kind: str, n: int, to: Any = d) -> Any:
        kept.append(ffi.new(f"{kind}[]", n))
        setattr(to, name, kept[-1])
        setattr(to, "n_" + name, n)
        return kept[-1]

    def lines(name: str, entries: Mapping[str, Any], to: Any = d) -> None:
        for line, (key, value) in zip(rows(name, "ph_formula_line", len(entries), to), entries.items()):
            formula, unit = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
            line.name, line.text, line.unit = chars(name, key), chars(f"{name}: {key}", formula), chars(name, unit, True)

    def texts(name: str, entries: Sequence[str]) -> None:
        to = rows(name, "char *", len(entries))
        for i, entry in enumerate(entries):
            to[i] = chars(name, entry)

    lines("space", space)
    parameters = given.get("parameters") or {}
    for p, (key, value) in zip(rows("parameters", "ph_formula_parameter", len(parameters)), parameters.items()):
        numbers, unit = value if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str) else (value, None)
        if isinstance(numbers, str):  # "9.81 m/s^2"
            number, _, unit = numbers.strip().partition(" ")
            try:
                numbers = float(number)
            except ValueError:
                raise Error(f"parameters: {key} is {value!r}; a number with its unit is expected, as \"9.81 m/s^2\"") from None
        try:
            shape = np.shape(numbers)
        except ValueError:
            raise Error(f"parameters: {key} is {numbers!r}; its rows are not of one length") from None
        if len(shape) > 2:
            raise Error(f"parameters: {key} has {len(shape)} dimensions; a number, a vector or a matrix is expected")
        array = np.atleast_1d(doubles(f"parameters: {key}", numbers, shape))
        kept.append(array)
        p.name, p.unit, p.rank = chars("parameters", key), chars("parameters", unit or None, True), len(shape)
        p.rows, p.columns = (*shape, 1, 1)[:2] if shape else (1, 1)
        p.values = ffi.from_buffer("double *", array)
    lines("where", given.get("where") or {})
    lines("bodies", given.get("bodies") or {})
    lines("columns", given.get("columns") or {})
    lines("points", given.get("points") or {})
    for name in ("kinetic", "potential", "lagrangian", "energy", "dissipation"):
        setattr(d, name, chars(name, given.get(name), True))
    for name in ("strengths", "damping"):
        setattr(d, name, chars(name, _vector(name, given.get(name)), True))
    texts("constraints", given.get("constraints") or ())
    texts("events", given.get("events") or ())
    symmetries = given.get("symmetries") or ()
    texts("symmetries", [entry for entry in symmetries if not isinstance(entry, Mapping)])
    generators = [entry for entry in symmetries if isinstance(entry, Mapping)]
    for g, entry in zip(rows("generators", "ph_formula_generator", len(generators)), generators):
        g.name, g.unit = chars("symmetries", entry.get("name")), chars("symmetries", entry.get("unit"), True)
        lines("of", entry.get("generator") or {}, g)
    texts("lines", [line if isinstance(line, str) else " ".join(line) for line in given.get("lines") or ()])
    forces = given.get("forces") or ()
    for c, force in zip(rows("forces", "ph_formula_force", len(forces)), forces):
        for key, formula in force.items():
            if key not in ("at", "force", "on", "moment", "torque"):
                raise Error(f"forces: unknown key {key!r}; available: at and force, on and moment, on and torque")
            setattr(c, key, chars(f"forces: {key}", formula))
    found = ffi.new("ph_formula_found *")
    system = create("ph_system", lambda out, error: lib.ph_formula_system_create(d, out, found, error), lib.ph_system_free)
    return system, text(found.text)
