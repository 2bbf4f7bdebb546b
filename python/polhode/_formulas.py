# SPDX-License-Identifier: BSD-3-Clause
"""Systems of formulas from texts of Python (``ph_formula_definition``); units, derivatives and messages are the library's."""
from __future__ import annotations

from typing import Any, List, Mapping, Sequence, Tuple

import numpy as np

from ._core import Error, create, doubles, text
from ._polhode import ffi, lib

KEYS = ("parameters", "where", "kinetic", "potential", "lagrangian", "energy", "forces", "dissipation", "constraints", "symmetries",
        "columns", "points", "lines", "bodies")
"""What a system of formulas has besides its space."""


def create_system(space: Mapping[str, Any], given: Mapping[str, Any]) -> Tuple[Any, str]:
    """The system of C, and what was found in its formulas."""
    kept: List[Any] = []
    d = ffi.new("ph_formula_definition *")

    def chars(what: str, value: Any, optional: bool = False) -> Any:
        if value is None and optional:
            return ffi.NULL
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
    texts("constraints", given.get("constraints") or ())
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
