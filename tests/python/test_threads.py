# SPDX-License-Identifier: BSD-3-Clause
"""Threads and processes: the same bits as one after the other, one thread at a time for each object, Ctrl-C in the main thread."""
from __future__ import annotations

import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, List

import numpy as np
import pytest

import polhode as ph

THREADS = 8


def python_system() -> ph.System:
    return ph.System([ph.R(1), ph.S2], inertia=[1.0, 2.0], potential=lambda z: float(z[0]**2 / 2 + z[3] * z[0]),
                     gradient=lambda z: np.array([z[0] + z[3], 0, 0, z[0]]))


def motion(it: ph.Integrator, i: int, steps: int) -> bytes:
    """Where a start of its own ends."""
    angle = 0.3 * i + 0.1
    if it.system.space.ambient == 4:
        state = it.state([angle, np.cos(angle), 0, np.sin(angle)], [0.0, 0, 1.0, 0])
    else:
        state = it.state([np.cos(angle), np.sin(angle), 0, 0, 0, 1], [0, 0, 1.0, 0, 1.0, 0])
    it.step(state, steps)
    return bytes(state)


@pytest.mark.parametrize("kind,steps", [("model", 20000), ("python", 200)])
def test_threads_have_the_same_bits(kind: str, steps: int) -> None:
    system = ph.model("double-spherical-pendulum").system() if kind == "model" else python_system()
    it = ph.Integrator(system, step=0.01, order=4)
    serial = [motion(it.copy(), i, steps) for i in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda i: motion(it.copy(), i, steps), range(THREADS))) == serial


def test_solve_in_threads() -> None:
    system = python_system()

    def one(i: int) -> Any:
        sol = ph.solve(system, (0, 2), [0.1 * i, 1, 0, 0], [0.0, 0, 1, 0], accuracy=1e-6, events=lambda t, y: y[1], dense_output=True)
        assert sol.sol is not None and sol.t_events is not None
        return sol.y, sol.t_events[0], sol.sol(0.77)

    serial = [one(i) for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for ours, theirs in zip(pool.map(one, range(4)), serial):
            assert all(np.array_equal(a, b) for a, b in zip(ours, theirs))


def test_dense_output_in_threads() -> None:
    sol = ph.solve(python_system(), (0, 2), [0.5, 1, 0, 0], [0.0, 0, 1, 0], dense_output=True).sol
    t = np.linspace(0, 2, 50)

    def evaluate(_: int) -> bytes:
        assert sol is not None
        return sol(t).tobytes()

    expected = evaluate(0)
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(evaluate, range(20))) == [expected] * 20


def test_steps_run_at_the_same_time() -> None:
    """The interpreter's lock is free during steps: others count meanwhile."""
    model = ph.model("heavy-top")
    it = ph.Integrator(model.system(), "rk8", step=1e-6)
    state = it.state(*model.initial())
    n = 1000
    begun = time.perf_counter()
    it.step(state, n)
    n = int(n * 0.3 / (time.perf_counter() - begun))
    before = []
    worker = threading.Thread(target=lambda: it.step(state, n))
    worker.start()
    while worker.is_alive():
        before.append(time.perf_counter())
        time.sleep(1e-3)
    assert len(before) > 5  # one look, if steps kept the lock


def test_one_thread_at_a_time() -> None:
    """Eight threads on one integrator and state: steps, or an error; never both at once."""
    model = ph.model("heavy-top")
    it = ph.Integrator(model.system(), step=1e-3)
    state = it.state(*model.initial())
    done, refused = [0] * THREADS, [0] * THREADS

    def work(i: int) -> None:
        for _ in range(100):
            try:
                it.step(state, 20)
                done[i] += 20
            except ph.Error as error:
                assert "in use by another thread" in str(error)
                refused[i] += 1

    threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state.k == sum(done) == it.statistics["steps"] and sum(done) > 0
    alone = it.state(*model.initial())
    it.step(alone, state.k)
    assert bytes(alone) == bytes(state)


def test_exceptions_stay_in_their_thread() -> None:
    def bad(i: int) -> ph.System:
        def gradient(x: Any) -> Any:
            if x[0] < 0.5:
                raise ValueError(str(i))
            return x
        return ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.0, gradient=gradient)

    def one(i: int) -> str:
        it = ph.Integrator(bad(i), "rk4", step=0.01)
        try:
            it.step(it.state([1.0], [0.0]), 1000)
        except ValueError as error:
            return str(error)
        return "nothing"

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(one, range(40))) == [str(i) for i in range(40)]


def test_interrupt_leaves_workers_alone() -> None:
    """Ctrl-C arrives in the main thread; a thread that steps meanwhile comes to its end, with its bits."""
    system = python_system()
    it, result = ph.Integrator(system, step=0.01), []
    worker = threading.Thread(target=lambda: result.append(motion(it.copy(), 3, 2000)))
    main = ph.Integrator(ph.model("heavy-top").system(), step=1e-3)
    state = main.state(*ph.model("heavy-top").initial())
    threading.Timer(0.03, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        main.step(state, 10**12)
    worker.join()
    assert result == [motion(it, 3, 2000)]


# ---- Processes ---------------------------------------------------------------------------------------------------------
def in_process(i: int) -> bytes:
    """What a process of a pool does."""
    return motion(ph.Integrator(python_system(), step=0.01, order=4), i, 50)


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_multiprocessing(way: str, tmp_path: pathlib.Path) -> None:
    expected = [in_process(i) for i in range(4)]
    if way == "fork":
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(in_process, range(4)) == expected
        return
    # a process that is spawned imports this file by its name
    script = ("import sys, multiprocessing; sys.path.insert(0, sys.argv[1]); from test_threads import in_process\n"
              "if __name__ == '__main__':\n"
              "    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
              "        sys.stdout.buffer.write(b''.join(pool.map(in_process, range(4))))\n")
    file = tmp_path / "spawned.py"
    file.write_text(script, encoding="utf-8")
    result = subprocess.run([sys.executable, str(file), os.path.dirname(os.path.abspath(__file__))], stdout=subprocess.PIPE, check=True)
    assert result.stdout == b"".join(expected)


def test_objects_after_a_fork() -> None:
    """A child goes on with what its parent had, while a thread of the parent is stepping, and drops it."""
    system = python_system()
    it = ph.Integrator(system, step=0.01, order=4)
    state = it.state([0.5, 1, 0, 0], [0.0, 0, 1, 0])
    sol = ph.solve(system, (0, 1), [0.5, 1, 0, 0], [0.0, 0, 1, 0], dense_output=True)
    it.step(state, 20)
    busy = ph.Integrator(ph.model("heavy-top").system(), step=1e-3)
    other = busy.state(*ph.model("heavy-top").initial())
    worker = threading.Thread(target=lambda: busy.step(other, 20000))
    worker.start()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            it.step(state, 30)
            sent = bytes(state) + np.asarray(sol.sol(0.3)).tobytes() if sol.sol else b""
            del it, state, sol, system
            os.write(writing, sent)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        received = file.read()
    assert os.waitpid(child, 0)[1] == 0
    worker.join()
    it.step(state, 30)
    assert sol.sol is not None and received == bytes(state) + sol.sol(0.3).tobytes()


def test_threads_at_exit() -> None:
    """The interpreter ends while daemon threads step, in C and in functions of Python."""
    script = ("import threading, polhode as ph\n"
              "def work(system, z, v):\n"
              "    it = ph.Integrator(system, step=1e-4); it.step(it.state(z, v), 10**12)\n"
              "oscillator = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: float(x[0])**2 / 2, gradient=lambda x: x)\n"
              "for system, z, v in ((ph.model('planar-pendulum').system(), [0, -1], [1, 0]), (oscillator, [1], [0])):\n"
              "    threading.Thread(target=work, args=(system, z, v), daemon=True).start()\n"
              "import time; time.sleep(0.1); print('end')\n")
    result = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert result.returncode == 0 and result.stdout == b"end\n" and result.stderr == b""
