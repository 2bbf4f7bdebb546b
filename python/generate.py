#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The C source of the module polhode._polhode, made by cffi from the public headers.

    python3 generate.py INCLUDE OUTPUT.c

INCLUDE is the directory with polhode/polhode.h. The source is compiled for the stable interface of Python 3.9 and later
(-DPy_LIMITED_API=0x03090000) and linked with libpolhode-io and libpolhode.
"""
from __future__ import annotations

import contextlib
import io
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from declarations import declarations  # noqa: E402  (beside this file)


def generate(include: str, output: str) -> None:
    """Write the source: whole, or not at all."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(declarations(include))
    ffi.set_source("polhode._polhode", "#include <signal.h>\n#include <stdlib.h>\n#include <polhode/polhode.h>", py_limited_api=True)
    part = output + ".part"
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_c_code(part)
    os.replace(part, output)
    os.utime(output)  # cffi leaves a file that is right as it is: now it is newer than the headers


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: generate.py INCLUDE OUTPUT.c")
    generate(sys.argv[1], sys.argv[2])
