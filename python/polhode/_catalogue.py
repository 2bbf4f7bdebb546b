# SPDX-License-Identifier: BSD-3-Clause
"""Models and methods as data (``ph_model``, ``ph_method``), also as tables in a notebook."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from ._core import Error, create, fail, new_error, text, word
from ._polhode import ffi, lib
from ._system import System


class Model:
    """A model of the catalogue: ``polhode.model("heavy-top")``."""

    def __init__(self, c: Any) -> None:
        self._c = c
        self.name = text(c.name)

    def system(self) -> System:
        return System._of(create("ph_system", lambda out, err: lib.ph_model_build(self._c, ffi.NULL, 0, out, err), lib.ph_system_free))


def model(name: str) -> Model:
    """A model by name."""
    error = new_error()
    c = lib.ph_model_find(word("model", name), error)
    if c == ffi.NULL:
        fail(error.status, text(error.message))
    return Model(c)


def method(name: str) -> Any:
    """A method by name."""
    error = new_error()
    c = lib.ph_method_find(word("method", name), error)
    if c == ffi.NULL:
        fail(error.status, text(error.message))
    return c
