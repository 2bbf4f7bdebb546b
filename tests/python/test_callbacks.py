# SPDX-License-Identifier: BSD-3-Clause
"""Callbacks: functions of Python that misbehave in every way, and functions of C by every way to name one."""
from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import traceback
import warnings
import weakref
from typing import Any, Callable, List, Type

import numpy as np
import numpy.typing as npt
import pytest

import polhode as ph

Array = npt.NDArray[np.float64]
G = 9.81


def pendulum(potential: Any = lambda q: G * q[2], gradient: Any = lambda q: np.array([0, 0, G]), **more: Any) -> ph.System:
    return ph.System([ph.S2], inertia=1.0, potential=potential, gradient=gradient, **more)


def start(system: ph.System, method: str = "variational") -> Any:
    it = ph.Integrator(system, method, step=0.01)
    return it, it.state([1, 0, 0], [0, 1, 0])


class Sometimes:
    """A gradient that does something at its 40th call."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act, self.calls = act, 0

    def __call__(self, q: Array) -> Any:
        self.calls += 1
        if self.calls == 40:
            return self.act()
        return [0, 0, G]


def reference(steps: int) -> Array:
    it, state = start(pendulum())
    it.step(state, steps)
    return np.array(state.z)


class Strange(BaseException):
    pass


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, RecursionError, MemoryError, Strange, StopIteration, GeneratorExit])
def test_an_exception_ends_the_step_whole_and_arrives_with_its_traceback(kind: Type[BaseException]) -> None:
    def act() -> None:
        raise kind("here")

    gradient = Sometimes(act)
    it, state = start(pendulum(gradient=gradient))
    with pytest.raises(kind) as raised:
        it.step(state, 1000)
    assert raised.value.args == ("here",)
    assert [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)][-2:] == ["__call__", "act"]
    assert 0 < state.k < 1000 and state.t == pytest.approx(0.01 * state.k)
    assert np.array_equal(state.z, reference(state.k))  # the state is that after the last whole step
    it.step(state, 5)
    assert np.array_equal(state.z, reference(state.k))  # and continues with the same bits


def test_endless_recursion() -> None:
    def act() -> Any:
        return act()

    it, state = start(pendulum(gradient=Sometimes(act)))
    with pytest.raises(RecursionError):
        it.step(state, 1000)

    holder: List[Any] = []
    system = pendulum(potential=lambda q: holder[0].potential(q) if holder else 0.0)
    holder.append(system)
    with pytest.raises((RecursionError, ph.Error)):
        system.potential([1, 0, 0])


@pytest.mark.parametrize("value, words", [
    (None, "None"), ("north", "north"), ([1, 2], r"shape \(2,\)"), (np.ones((3, 3)), r"shape \(3, 3\)"), ([1j, 0, 0], "complex"),
    (np.ones(3, complex), "complex"), ([None, 0, 0], "None"), ([10**400, 0, 0], "too large"), (object(), "object"), ({}, "dict"),
    ([[1, 2], [3]], "must return"), (b"abc", "abc"), (np.array(["a", "b", "c"]), "must return"), (7.0, r"shape \(\)"),
    (np.array([], float), r"shape \(0,\)")])
def test_what_is_not_a_gradient_is_an_error_that_says_what_is_right(value: Any, words: str) -> None:
    gradient = Sometimes(lambda: value)
    it, state = start(pendulum(gradient=gradient))
    with pytest.raises(ph.Error, match=words) as raised, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy warns of ragged lists
        it.step(state, 1000)
    assert "gradient returned" in str(raised.value) and "(3,)" in str(raised.value)
    it.step(state, 1)


@pytest.mark.parametrize("value", [None, "1", 1j, np.complex128(1), [1, 2], 10**400, object(), np.ones((2, 2)), np.ma.masked, ["3"],
                                   np.array(["3"], object)])
def test_what_is_not_a_number(value: Any) -> None:
    system = pendulum(potential=lambda q: value)
    with pytest.raises(ph.Error, match="potential returned .*it must return a number"):
        system.potential([1, 0, 0])


def test_what_is_a_number_or_an_array() -> None:
    for value in (3, 3.0, np.float32(3.0), np.int8(3), True + 2, np.array(3), np.array([3.0]), [3], np.array([[3]])):
        assert pendulum(potential=lambda q: value).potential([1, 0, 0]) == 3
    for value in ([1, 2, 3], (1, 2, 3), np.arange(1, 4), np.array([1, 2, 3], np.float32), np.array([[1.0, 2, 3]]), np.arange(3.0, 0, -1)[::-1],
                  np.array([1.0, 9, 2, 9, 3, 9])[::2], np.array([1, 2, 3], ">f8"), np.array([1, 2, 3], object)):
        assert pendulum(gradient=lambda q: value).gradient([1, 0, 0]).tolist() == [1, 2, 3]


def test_an_embedding_that_raises_arrives() -> None:
    """Its functions are called by functions of C without a status, too, and their NaN fails somewhere else."""
    raising, nothing = False, {"": 0}

    def constraint(x: Array) -> Any:
        return x @ x - 1 if not raising else nothing["here"]

    system = ph.System(ph.Embedded(3, 2, constraint=constraint, jacobian=lambda x: 2 * x if not raising else nothing["here"]), inertia=1.0,
                       potential=lambda q: G * q[2], gradient=lambda q: [0, 0, G])
    z, v = [1, 0, 0], [0, 1, 0]
    starts = [start(system, method) for method in ("variational", "rk4", "rk8")]
    it, state = starts[0]
    many, dense = ph.Ensemble(it, [z], [v]), ph.solve(system, (0, 0.1), z, v, step=0.05, dense_output=True).sol
    run = ph.run(system, z, v, step=0.05, duration=0.1)
    raising = True
    calls: List[Callable[[], Any]] = [lambda: state.v, lambda: many.step(), lambda: it.measure(state), lambda: dense and dense(0.03), lambda: run.v,
                                      lambda: run.resume(until=0.2), lambda: system.fastest_rate(z), *(
                                          lambda it=it, state=state: it.step(state) for it, state in starts)]
    for call in calls:
        with pytest.raises(KeyError, match="here"):
            call()


def test_numbers_that_are_not_finite_are_reported() -> None:
    it, state = start(pendulum(gradient=Sometimes(lambda: [0, 0, np.nan])))
    with pytest.raises(ph.Error) as raised:
        it.step(state, 1000)
    assert raised.value.status in ("PH_E_NOT_FINITE", "PH_E_NO_SOLUTION", "PH_E_NO_CONVERGENCE", "PH_E_DIVERGED")
    assert np.array_equal(state.z, reference(state.k))


def test_arguments_that_are_kept_stay_as_they_were() -> None:
    kept: List[Array] = []
    values: List[Array] = []

    def gradient(q: Array) -> Array:
        kept.append(q if len(kept) % 2 else q[1:])
        values.append(kept[-1].copy())
        return np.array([0, 0, G])

    it, state = start(pendulum(gradient=gradient))
    it.step(state, 20)
    del it, state
    gc.collect()
    assert len(kept) > 20 and all(np.array_equal(a, b) for a, b in zip(kept, values))
    assert len({a.__array_interface__["data"][0] for a in kept}) == len(kept)


def test_memory_is_used_again_where_nobody_keeps_it() -> None:
    memories: List[Any] = []

    def look(*arrays: Any) -> Any:
        memories.extend(weakref.ref(a.base) for a in arrays if isinstance(a, np.ndarray))
        return [0, 0, G]

    system = pendulum(gradient=look).forced(force=lambda t, q, v: look(q, v), potential_in_time=lambda t, q: float(look(q)[0]),
                                            gradient_in_time=look)
    it, state = start(system, "rk4")
    it.step(state, 20)
    lagrangian = ph.System([ph.S2], lagrangian=lambda q, v: float(0 * look(q, v)[0] + v @ v / 2), lagrangian_gradient=lambda q, v: (0 * q, v))
    for _ in range(20):
        lagrangian.lagrangian([1, 0, 0], [0, 1, 0])
    assert len(memories) > 200 and all(memory() is not None for memory in memories)


def test_arguments_that_are_changed_and_returned() -> None:
    def gradient(q: Array) -> Array:
        q.shape = (3, 1)
        q[:] = 0
        q[2] = G
        with pytest.raises(ValueError):
            q.resize((30000,), refcheck=False)
        return q[::1]

    def potential(q: Array) -> Any:
        q *= G
        return q[2]

    it, state = start(pendulum(gradient=gradient, potential=potential))
    it.step(state, 10)
    assert np.array_equal(state.z, reference(10))
    assert pendulum(potential=potential).energy([0, 0, 1], [1, 0, 0]) == (0.5, G)


def test_a_callback_may_not_step_what_steps_it() -> None:
    holder: List[Any] = []
    for act in (lambda: holder[0].step(holder[1]), lambda: holder[1].set([1, 0, 0], [0, 1, 0]), lambda: holder[1].copy(),
                lambda: setattr(holder[0], "step_size", 0.02)):
        holder[:] = start(pendulum(gradient=Sometimes(act)))
        with pytest.raises(ph.Error, match="in use"):
            holder[0].step(holder[1], 1000)
        assert np.array_equal(holder[1].z, reference(holder[1].k))


def test_a_callback_may_use_other_systems_and_its_own_at_a_point() -> None:
    other_it, other = start(pendulum())

    def force(t: float, q: Array, v: Array) -> Array:
        other_it.step(other)
        return 0 * system.momentum(q, v)

    system = pendulum().forced(force=force)
    it, state = start(system)
    it.step(state, 10)
    assert other.k > 9
    assert np.allclose(state.z, reference(10), atol=1e-5)


def test_objects_that_a_callback_drops() -> None:
    holder: List[Any] = []
    calls: List[int] = []

    def gradient(q: Array) -> Any:
        calls.append(1)
        if len(calls) == 9:
            holder.clear()
            gc.collect()
        return [0, 0, G]

    system = pendulum(gradient=gradient)
    holder[:] = start(system)
    dead = weakref.ref(system)
    del system
    holder[0].step(holder[1], 100)
    assert len(calls) > 99
    gc.collect()
    assert dead() is None


def test_a_system_that_its_own_callback_names_is_freed() -> None:
    holder: List[Any] = []
    system = pendulum(gradient=lambda q: [0, 0, G + 0 * len(holder)])
    holder.append(system)
    dead = weakref.ref(system)
    del system
    holder.clear()
    gc.collect()
    assert dead() is None
    lost: Any = None
    lost = pendulum(potential=lambda q: 0.0 if lost is None else 1.0)  # a cycle through a cell
    gone = weakref.ref(lost)
    lost = None
    gc.collect()
    assert gone() is None


def test_threads_and_forks() -> None:
    done: List[int] = []

    def act() -> Any:
        thread = threading.Thread(target=lambda: done.append(int(system.potential([0, 0, 1]))))
        thread.start()
        thread.join()
        child = os.fork()
        if child == 0:
            os._exit(7)
        done.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        return [0, 0, G]

    system = pendulum(gradient=Sometimes(act))
    it, state = start(system)
    it.step(state, 50)
    assert done == [9, 7] and np.array_equal(state.z, reference(50))


def test_one_system_in_eight_threads() -> None:
    system = pendulum(gradient=lambda q: np.array([0, 0, G]))
    runs = [start(system) for _ in range(8)]
    threads = [threading.Thread(target=it.step, args=(state, 200)) for it, state in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(state.z, reference(200)) for _, state in runs)


def test_an_exception_in_one_thread_stays_there() -> None:
    seen: List[Any] = []

    def work(fail: bool) -> None:
        def gradient(q: Array) -> Any:
            if fail:
                raise ValueError("mine")
            return [0, 0, G]
        it, state = start(pendulum(gradient=gradient))
        try:
            it.step(state, 100)
            seen.append(None)
        except ValueError as error:
            seen.append(str(error))

    threads = [threading.Thread(target=work, args=(i % 2 == 0,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, seen)) == ["None"] * 3 + ["mine"] * 3


def test_functions_without_a_status() -> None:
    def jacobian(x: Array) -> Array:
        if broken:
            raise ZeroDivisionError("slope")
        return 2 * x

    broken = False
    space = ph.Space([ph.Embedded(3, 2, constraint=lambda x: x @ x - 1, jacobian=jacobian)])
    assert space.residual([1, 0, 0]) == 0
    broken = True
    calls: List[Callable[[], Any]] = [lambda: space.exp([1, 0, 0], [0, 0.1, 0]), lambda: space.residual([1, 0, 0]), lambda: space.tangency([1, 0, 0], [0, 1, 0]),
                 lambda: space.basis([1, 0, 0]), lambda: space.project([1, 1, 0]), lambda: space.log([1, 0, 0], [0.9, 0.1, 0])]
    for call in calls:
        with pytest.raises(ZeroDivisionError, match="slope"):
            call()
    broken = False
    assert space.residual([1, 0, 0]) == 0


def test_exceptions_in_events_and_forces_and_generators() -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("here")

    system = pendulum(symmetries=[ph.Symmetry("J", generator=fails)], points=fails, n_points=1)
    with pytest.raises(ZeroDivisionError, match="here"):
        ph.solve(system, (0, 1), [1, 0, 0], [0, 1, 0], step=0.01, events=fails)
    with pytest.raises(ZeroDivisionError, match="here"):
        system.momentum_map("J", [1, 0, 0], [0, 0, 1])
    with pytest.raises(ZeroDivisionError, match="here"):
        system.places([1, 0, 0])
    it, state = start(system.forced(force=fails), "rk4")
    with pytest.raises(ZeroDivisionError, match="here"):
        it.step(state)
    assert state.k == 0 and state.z.tolist() == [1, 0, 0]


# ---- Functions of C


def c_functions() -> Any:
    """The pendulum's potential and gradient of C, by each way to name them."""
    numba = pytest.importorskip("numba")
    scipy = pytest.importorskip("scipy")

    @numba.cfunc(ph.signature("potential", "numba"))
    def potential(user, z, U):  # type: ignore[no-untyped-def]
        U[0] = 9.81 * z[2]
        return 0

    @numba.cfunc(ph.signature("gradient", "numba"))
    def gradient(user, z, dU):  # type: ignore[no-untyped-def]
        dU[0], dU[1], dU[2] = 0.0, 0.0, 9.81
        return 0

    import cffi  # type: ignore[import]

    other = cffi.FFI()
    kind = "int(*)(void *, const double *, double *)"
    pair = (potential, gradient)
    return {"numba": pair, "ctypes": tuple(f.ctypes for f in pair), "cffi": tuple(other.cast(kind, f.address) for f in pair),
            "polhode's cffi": tuple(ph.ffi.cast(f"ph_{name}_fn", f.address) for name, f in zip(("potential", "gradient"), pair)),
            "LowLevelCallable of ctypes": tuple(scipy.LowLevelCallable(f.ctypes) for f in pair),
            "LowLevelCallable of cffi": tuple(scipy.LowLevelCallable(other.cast(kind, f.address)) for f in pair),
            "mixed": (potential, lambda q: np.array([0, 0, G])), "mixed the other way": (lambda q: G * q[2], gradient.ctypes)}


def test_functions_of_c_give_the_bits_of_those_of_python() -> None:
    expected = reference(100)
    for name, (potential, gradient) in c_functions().items():
        system = pendulum(potential, gradient)
        it, state = start(system)
        it.step(state, 100)
        assert np.array_equal(state.z, expected), name
        assert system.potential([0, 0, 1]) == G


def with_data() -> Any:
    numba = pytest.importorskip("numba")

    @numba.cfunc(ph.signature("gradient", "numba"))
    def gradient(user, z, dU):  # type: ignore[no-untyped-def]
        g = numba.carray(user, 1, np.float64)
        dU[0], dU[1], dU[2] = 0.0, 0.0, g[0]
        return 0 if g[0] < 100 else 9

    @numba.cfunc(ph.signature("potential", "numba"))
    def potential(user, z, U):  # type: ignore[no-untyped-def]
        U[0] = numba.carray(user, 1, np.float64)[0] * z[2]
        return 0

    return potential, gradient


def test_user_data() -> None:
    scipy = pytest.importorskip("scipy")
    potential, gradient = with_data()
    g = np.array([G])
    number = ctypes.c_double(G)
    place = ph.ffi.new("double *", G)
    for data in (g, place, g.ctypes.data, ctypes.cast(ctypes.pointer(number), ctypes.c_void_p), ctypes.pointer(number)):
        it, state = start(pendulum(potential, gradient, user=data))
        it.step(state, 20)
        assert np.array_equal(state.z, reference(20))
    # each with its own data; together with functions of Python
    address = ctypes.cast(ctypes.pointer(number), ctypes.c_void_p)
    low = [scipy.LowLevelCallable(f.ctypes, address) for f in (potential, gradient)]
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule = new(ctypes.addressof(number), None, None)
    assert pendulum(scipy.LowLevelCallable(potential.ctypes, capsule), low[1]).potential([0, 0, 1]) == G
    half = ctypes.c_double(0)
    other = scipy.LowLevelCallable(potential.ctypes, ctypes.cast(ctypes.pointer(half), ctypes.c_void_p))
    assert pendulum(*low).potential([0, 0, 1]) == G
    system = pendulum(other, low[1], force=lambda t, q, v: 0 * v)
    assert system.potential([0, 0, 1]) == 0 and system.gradient([0, 0, 1])[2] == G
    number.value = 1000.0
    with pytest.raises(ph.Error) as raised:
        system.gradient([0, 0, 1])
    assert raised.value.status == "PH_E_CALLBACK" and "returned 9" in str(raised.value)


def test_functions_of_c_that_are_refused() -> None:
    numba = pytest.importorskip("numba")
    wrong = numba.cfunc(numba.types.float64(numba.types.float64))(lambda x: x)
    for function in (wrong, wrong.ctypes, ph.ffi.cast("ph_force_fn", 8), ph.ffi.cast("double(*)(void *, double *, double *)", 8)):
        with pytest.raises(ph.Error, match=r"signature; it must be int potential\(void \*user, const double z\[nz\], double U\[1\]\)"):
            pendulum(potential=function)
    with pytest.raises(ph.Error, match="NULL"):
        pendulum(potential=ph.ffi.NULL)
    with pytest.raises(ph.Error, match="addressof"):
        pendulum(potential=ph.lib.ph_system_potential)
    with pytest.raises(ph.Error, match="not a pointer to a function"):
        pendulum(potential=ph.ffi.new("double *"))
    with pytest.raises(ph.Error, match="must be a function"):
        pendulum(potential=3)
    with pytest.raises(ph.Error, match="user"):
        pendulum(user=np.zeros(3))
    with pytest.raises(ph.Error, match="there is no callback"):
        ph.signature("potentials")


def test_several_generators() -> None:
    space = ph.Space([ph.R(3)])
    axes = np.eye(3)

    def along(i: int) -> Callable[[Array], Array]:
        return lambda z: np.asarray(axes[i])

    symmetries = [ph.Symmetry(f"p{i}", generator=along(i)) for i in range(3)] + [ph.Symmetry("J", axis=(0, 0, 1))]
    system = ph.System(space, inertia=2.0, symmetries=symmetries)
    p = [3.0, 5.0, 7.0]
    assert [system.momentum_map(name, [1, 0, 0], p) for name in system.symmetries] == [3, 5, 7, 5]
    with pytest.raises(ph.Error, match="at most 16"):
        ph.System(space, inertia=2.0, symmetries=[ph.Symmetry(f"p{i}", generator=along(0)) for i in range(17)])


def test_at_the_end_of_the_interpreter() -> None:
    import subprocess

    code = ("import polhode as ph, threading\n"
            "s = ph.System([ph.S2], inertia=1.0, potential=lambda q: q[2], gradient=lambda q: [0, 0, 1])\n"
            "it = ph.Integrator(s, step=0.01); state = it.state([1, 0, 0], [0, 1, 0]); s.me = s\n"
            "threading.Thread(target=it.step, args=(state, 3000), daemon=True).start()\n")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert found.returncode == 0 and not found.stderr, found.stderr
