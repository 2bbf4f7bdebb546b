# SPDX-License-Identifier: BSD-3-Clause
"""The package while memory that the library asks for is refused, or what it asks of the system fails, at the n-th call, for n = 1, 2, ...
until the work is not hurt any more: once, and at all calls from there on. Each time there is an exception of ours, or the work has the
bits that it always has; and so has the same work afterwards. No interpreter crashes.

    LD_PRELOAD=torture.so POLHODE_TORTURE=malloc:0 POLHODE_TORTURE_FROM=/libpolhode python3 torture.py STRIDE [WORK]

Of the n, each STRIDE-th is tried (tests/kit/torture.c has the kinds, and torture_again).
"""
from __future__ import annotations

import ctypes
import faulthandler
import hashlib
import random
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

import polhode as ph

PENDULUM: Dict[str, Any] = {"model": "double-spherical-pendulum", "method": "variational", "order": 4, "step": 0.01, "duration": 0.3,
                            "every": 5}
EVENTS = [{"name": "section", "when": "q1x"}]
again = ctypes.CDLL(None).torture_again
again.argtypes, again.restype = [ctypes.c_long, ctypes.c_int], ctypes.c_long


def objects(_: Path) -> bytes:
    """Systems of a model, of formulas and of functions; an integrator, a state, an ensemble, a dense output."""
    found = b""
    model = ph.model("double-spherical-pendulum").system()
    formulas = ph.System({"x": "R2"}, kinetic="dot(d(x), d(x))/2", potential="cos(x[1])*exp(x[2])")
    functions = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, 9.81])
    motions: List[Tuple[ph.System, List[float], List[float]]] = [
        (model, [1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 1, 0]), (formulas, [0.1, 0.2], [0, 0.3]), (functions, [1, 0, 0], [0, 1, 0])]
    for system, z, v in motions:
        for name in ("variational", "rk4", "gauss"):
            it = ph.Integrator(system, name, step=0.01)
            state = it.state(z, v)
            it.step(state, 20)
            found += state.z.tobytes() + state.p.tobytes()
        many = ph.Ensemble(ph.Integrator(system, "rk4", step=0.01), np.tile(np.array(z, float), (3, 1)),
                           np.tile(np.array(v, float), (3, 1)))
        many.step(10)
        found += many.z.tobytes()
    return found


def runs(folder: Path) -> bytes:
    """A run into an archive, read again with columns that are computed."""
    run = ph.run(**PENDULUM, events=EVENTS, output=folder / "out", name="s", force=True)
    return run[tuple(run.columns)].tobytes() + run["positions"].tobytes() + run.events["section"].t.tobytes()


def in_memory(_: Path) -> bytes:
    """A run without files."""
    run = ph.run(**PENDULUM)
    return run.t.tobytes() + run.q.tobytes()


def sweeps(_: Path) -> bytes:
    """Members of an ensemble. One for which there was no memory has failed, which is an answer."""
    sweep = ph.sweep(**PENDULUM, threads=1, ensemble={"product": {"step": [0.01, 0.015], "method": ["rk4", "variational"]}})
    if len(sweep.failed):
        raise MemoryError("a member has failed")
    return sweep["q"].tobytes()


def solutions(_: Path) -> bytes:
    """solve, equilibria, check."""
    pendulum = ph.model("spherical-pendulum").system()
    cone, = ph.equilibria(pendulum, momentum=1.0, starts=5)
    wrong = any(entry.wrong for entry in ph.check(pendulum))
    sol = ph.solve(pendulum, (0, 0.5), [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], method="rk4", step=0.01)
    return cone.z.tobytes() + bytes([wrong]) + sol.z.tobytes()


WORKS: Dict[str, Callable[[Path], bytes]] = {w.__name__: w for w in (objects, runs, in_memory, sweeps, solutions)}


def attempt(work: Callable[[Path], bytes], folder: Path, n: int, always: bool) -> Tuple[Any, int]:
    """(Digest or exception, calls that were made to fail)."""
    again(n, always)
    try:
        result: Any = hashlib.sha256(work(folder)).hexdigest()
    except (ph.Error, MemoryError, OSError, AttributeError) as error:
        result = error
    return result, again(0, 0)


def torture(name: str, stride: int) -> int:
    bad = n = tried = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        work = WORKS[name]
        good, _ = attempt(work, folder, 0, False)
        good, _ = attempt(work, folder, 0, False)  # what is kept from the first one is there
        n = random.randint(1, stride)
        while True:
            hurt = 0
            for always in (False, True):
                result, failed = attempt(work, folder, n, always)
                hurt += failed
                tried += 1
                after, _ = attempt(work, folder, 0, False)
                if (isinstance(result, str) and result != good) or after != good or isinstance(result, AttributeError) or (
                        isinstance(result, Exception) and not (str(result) or isinstance(result, MemoryError))):
                    bad += 1
                    print(f"FAIL: {name}, call {n}{'+' * always}: {result!r}, afterwards {after!r}", flush=True)
            if not hurt:
                break
            n += stride
    print(f"{name}: {tried} attempts, up to call {n}, {bad} went wrong", flush=True)
    return bad


if __name__ == "__main__":
    faulthandler.enable()
    warnings.simplefilter("ignore")
    random.seed(1)
    names = sys.argv[2:] or list(WORKS)
    sys.exit(sum(torture(one, int(sys.argv[1])) for one in names) > 0)
