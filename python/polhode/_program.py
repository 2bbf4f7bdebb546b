# SPDX-License-Identifier: BSD-3-Clause
"""The program `polhode`, for what it does and the library does not: pages, advice, benchmarks, searches."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any, Optional, Sequence

from . import _config
from ._core import Error


def program() -> str:
    """Its path: $POLHODE_PROGRAM, the one that this package was built with, or the first in PATH."""
    given = os.environ.get("POLHODE_PROGRAM")
    for path in (given, _config.PROGRAM, shutil.which("polhode")):
        if path and os.access(path, os.X_OK):
            return path
        if path and path == given:
            raise Error(f"POLHODE_PROGRAM is {given!r}, which cannot be run", "PH_E_IO")
    raise Error("the program polhode was not found; install it (Debian: polhode), or say where it is in the environment: "
                "POLHODE_PROGRAM", "PH_E_IO")


def call(arguments: Sequence[str], text: Optional[str] = None, accept: Sequence[int] = (0,), cwd: Optional[str] = None) -> str:
    """What the program prints for these arguments; text: its standard input; cwd: where it works. Another exit status raises its
    message."""
    process = subprocess.Popen([program(), *arguments], stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
    try:
        out, err = process.communicate(None if text is None else text.encode())
    except BaseException:  # Ctrl-C: it has got the signal, too
        process.terminate()
        process.wait()
        raise
    if process.returncode not in accept:
        message = err.decode("utf-8", "replace").strip().replace("stdin:", "scenario:")  # as messages of the library name a text
        raise Error(message[len("polhode: "):] if message.startswith("polhode: ") else message or
                    f"polhode {arguments[0]} ended with status {process.returncode}",
                    "PH_E_IO" if process.returncode == 3 else "PH_E_INVALID")
    return out.decode("utf-8", "replace")


def call_json(arguments: Sequence[str], text: Optional[str] = None, accept: Sequence[int] = (0,),
              cwd: Optional[str] = None) -> Any:
    """The same of a command with --json, as Python's values."""
    return json.loads(call([*arguments, "--json"], text, accept, cwd))
