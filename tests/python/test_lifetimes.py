# SPDX-License-Identifier: BSD-3-Clause
"""Objects keep alive what they need, and nothing else: dropped in any order, as temporaries, in threads, in cycles, at exit."""
from __future__ import annotations

import gc
import random
import resource
import subprocess
import sys
import threading
import weakref
from typing import Any, Callable, Dict, List

import numpy as np
import pytest

import polhode as ph


def make_system(mark: object = None) -> ph.System:
    """With functions of Python, one of which keeps the mark."""
    def gradient(z: Any, mark: object = mark) -> Any:
        return np.array([z[0], 0.1, 0, 9.81])

    ellipsoid = ph.Embedded(3, 2, constraint=lambda x: x @ x - 1, jacobian=lambda x: 2 * x)
    return ph.System([ph.R(1), ellipsoid], inertia=[1.0, 2.0], potential=lambda z: float(z[0]**2 / 2 + 0.1 * z[1] + 9.81 * z[3]),
                     gradient=gradient, symmetries=[])


START = ([0.5, 1, 0, 0], [0.0, 0, 1, 0])


def make_all(mark: object = None) -> Dict[str, Any]:
    """One object of each kind, and what the others need."""
    system = make_system(mark)
    it = ph.Integrator(system, step=0.01)
    state = it.state(*START)
    dense = ph.Dense(it)
    dense.begin(state)
    other = state.copy()
    it.step(other)
    dense.end(other)
    events = ph.Events(it, [lambda t, y: y[0] - 0.4, ph.Event("low", column="energy")])
    events.begin(other)
    solution = ph.solve(system, (0, 0.3), *START, step=0.1, dense_output=True)
    return {"space": system.space, "system": system, "it": it, "state": state, "z": state.z, "dense": dense, "other": other,
            "events": events, "ensemble": ph.Ensemble(it, [START[0]] * 3, [START[1]] * 3), "diagnostics": ph.Diagnostics(system),
            "monitor": ph.Monitor(system, 0, 1), "motion": ph.Motion(system), "columns": ph.Columns(system, "energy", "velocity"),
            "sol": solution.sol, "forced": system.forced(force=lambda t, z, v: -0.1 * v), "copy": it.copy()}


USES: Dict[str, Callable[[Any], Any]] = {
    "space": lambda s: s.project([0.5, 3, 0, 4]), "system": lambda s: s.energy(*START), "it": lambda it: it.step(it.state(*START), 3),
    "state": lambda s: (s.v, s.copy().set(*START), bytes(s)), "z": lambda z: z + 1, "dense": lambda d: d.at(0.004), "other": lambda s: s.v,
    "events": lambda e: e.found, "ensemble": lambda e: (e.step(2), e.z), "diagnostics": lambda d: d.system.potential(START[0]),
    "monitor": lambda m: m.summary, "motion": lambda m: m.system.space.ambient, "columns": lambda c: c.names,
    "sol": lambda s: s([0.05, 0.21]), "forced": lambda f: ph.Integrator(f, step=0.01).state(*START).v, "copy": lambda c: c.statistics}


def test_dropped_in_any_order() -> None:
    """What is left can be used, whatever went before."""
    for seed in range(12):
        objects = make_all()
        names = list(objects)
        random.Random(seed).shuffle(names)
        for n, name in enumerate(names):
            del objects[name]
            if n % 5 == 4:
                for left in objects:
                    USES[left](objects[left])


@pytest.mark.parametrize("name", list(USES))
def test_each_alone(name: str) -> None:
    thing = make_all()[name]
    gc.collect()
    junk = [np.full(1000, np.nan) for _ in range(50)]  # into memory that was freed too early
    USES[name](thing)
    assert junk


def test_temporaries() -> None:
    assert ph.Integrator(make_system(), step=0.01).state(*START).v.shape == (4,)
    assert ph.Integrator(make_system(), step=0.01).state(*START).z[0] == 0.5
    sol = ph.solve(make_system(), (0, 0.2), *START, step=0.1, dense_output=True).sol
    assert sol is not None and sol(0.1).shape == (8,)
    assert ph.Diagnostics(make_system()).system.space.split(np.arange(4.0))[1].shape == (3,)
    assert ph.System(ph.Space([ph.R(1)]), inertia=[1.0]).forced(force=lambda t, z, v: -v).force(0, [0.0], [2.0])[0] == -2


def test_everything_is_freed() -> None:
    """Without the collector of cycles: nothing is in one."""
    class Mark:
        pass

    gc.collect()
    gc.disable()
    try:
        mark = Mark()
        objects = make_all(mark)
        seen = [weakref.ref(mark)] + [weakref.ref(one) for name, one in objects.items() if name != "z"]
        del mark
        assert all(ref() is not None for ref in seen)
        objects.clear()
        assert [ref() for ref in seen if ref() is not None] == []
    finally:
        gc.enable()


def test_an_exception_that_was_caught_keeps_nothing() -> None:
    """An exception has its frames: one of them that has the exception would keep all that they have until cycles are collected."""
    class Mark:
        pass

    def raises(z: Any) -> Any:
        if z[0] < 1:
            raise KeyError
        return [1.0]

    def fail(call: Any) -> "weakref.ref[Mark]":
        mark = Mark()
        system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda z, mark=mark: z[0], gradient=raises)
        with pytest.raises(KeyError):
            call(system)
        return weakref.ref(mark)

    gc.collect()
    gc.disable()
    try:
        for call in (lambda system: ph.Integrator(system, step=0.1).step(ph.Integrator(system, step=0.1).state([1.0], [0.0]), 9),
                     lambda system: system.gradient([0.0]), lambda system: ph.solve(system, (0, 1), [1.0], [0.0], step=0.1),
                     lambda system: ph.run(system, [1.0], [0.0], step=0.1, duration=1)):
            assert fail(call)() is None
    finally:
        gc.enable()


def test_cycles_are_collected() -> None:
    """Functions that hold the system, its integrator, its events."""
    def cycle() -> List["weakref.ref[Any]"]:
        box: Dict[str, Any] = {}
        box.update(make_all(box))
        box["events"] = ph.Events(box["it"], lambda t, y: (box, y[0])[1])
        return [weakref.ref(one) for one in box.values() if not isinstance(one, np.ndarray)]

    seen = cycle()
    assert any(ref() is not None for ref in seen)
    gc.collect()
    assert [ref() for ref in seen if ref() is not None] == []


def test_dropped_in_a_thread() -> None:
    objects = make_all()
    lost: List[BaseException] = []

    def work(one: Dict[str, Any]) -> None:
        try:
            for name in list(one):
                thing = one.pop(name)
                USES[name](thing)
                del thing
        except BaseException as error:
            lost.append(error)

    thread = threading.Thread(target=work, args=(objects,))
    thread.start()
    thread.join()
    assert not objects and not lost
    # and made in one that has ended
    made: List[Dict[str, Any]] = []
    thread = threading.Thread(target=lambda: made.append(make_all()))
    thread.start()
    thread.join()
    for name, thing in made[0].items():
        USES[name](thing)


def test_dropped_by_its_own_callback() -> None:
    """A function that drops everything that it can reach while it is called."""
    box: Dict[str, Any] = {}

    def gradient(x: Any) -> Any:
        box.clear()
        gc.collect(0)
        return x

    box["system"] = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=gradient)
    box["it"] = ph.Integrator(box["system"], "rk4", step=0.01)
    box["state"] = box["it"].state([1.0], [0.0])
    z = box["state"].z
    box["it"].step(box["state"], 100)
    assert not box and abs(z[0] - np.cos(1.0)) < 1e-9


def test_memory_does_not_grow() -> None:
    """All kinds of objects, also where making them fails."""
    def some(n: int) -> int:
        for _ in range(n):
            make_all()
            refused: List[Callable[[], Any]] = [lambda: ph.Integrator(make_system(), "gauss", step=np.nan), lambda: ph.System([ph.S2], inertia=[-1.0]),
                                                lambda: ph.Integrator(make_system(), step=1).state([0, 2, 0, 0], START[1])]
            for call in refused:
                with pytest.raises(ph.Error):
                    call()
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = some(15)
    assert some(40) - before < 200  # [kB]


def test_at_exit() -> None:
    """The interpreter ends with objects everywhere: in modules, in cycles, in a class, behind atexit."""
    script = ("import atexit, sys\n"
              f"sys.path.insert(0, {__file__.rsplit('/', 1)[0]!r})\n"
              "import test_lifetimes as t\n"
              "box = {}\n"
              "box.update(t.make_all(box))\n"
              "everything = t.make_all()\n"
              "sys.modules['kept'] = t.make_all()\n"
              "class Holder:\n"
              "    objects = t.make_all()\n"
              "    def __del__(self): t.USES['it'](self.objects['it'])\n"
              "holder = Holder()\n"
              "atexit.register(lambda: [t.USES[name](thing) for name, thing in everything.items()])\n"
              "print('end')\n")
    result = subprocess.run([sys.executable, "-X", "faulthandler", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"end\n", b"")
