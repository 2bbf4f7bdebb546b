# SPDX-License-Identifier: BSD-3-Clause
"""The package as a whole: its version, and where it finds the program."""
from __future__ import annotations

import os
import re

from polhode import _config
from polhode._polhode import ffi, lib

HEADERS = os.path.join(os.path.dirname(__file__), "..", "..", "include", "polhode")


def test_version() -> None:
    with open(os.path.join(HEADERS, "version.h"), encoding="utf-8") as file:
        found = re.search(r'#define PH_VERSION "(.*)"', file.read())
    assert found is not None
    assert ffi.string(lib.PH_VERSION).decode() == found.group(1)


def test_program() -> None:
    assert os.access(_config.PROGRAM, os.X_OK)
