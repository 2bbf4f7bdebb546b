# SPDX-License-Identifier: BSD-3-Clause
"""Integrators, states, dense output, ensembles, events in loops, and what is measured on a state."""
from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
import time
from typing import Any, Callable, List, Tuple

import numpy as np
import pytest

import polhode as ph


def oscillator(**more: Any) -> ph.System:
    return ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=lambda x: x, **more)


def of_model(name: str = "heavy-top", method: str = "variational", step: float = 0.001, **options: Any) -> Tuple[ph.Integrator, ph.State]:
    model = ph.model(name)
    it = ph.Integrator(model.system(), method, step=step, **options)
    z, v = model.initial()
    return it, it.state(z, v if it.system.space.momenta else None)


# ---- Steps -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method,options", [("variational", {"order": 4}), ("multistep", {"order": 6}), ("rk8", {}), ("gauss", {})])
def test_steps_at_once_have_the_same_bits(method: str, options: Any) -> None:
    it, one = of_model(method=method, **options)
    many = one.copy()
    for _ in range(60):
        it.step(one)
    it.step(many, 60)
    assert one.k == many.k == 60 and one.t == many.t == 0.06
    assert np.array_equal(one.z, many.z) and np.array_equal(one.p, many.p) and bytes(one) == bytes(many)
    # in stretches, too, as they are made for Ctrl-C
    it.step(one, 40000)
    left = 40000
    while left:
        n = min(left, 777)
        it.step(many, n)
        left -= n
    assert bytes(one) == bytes(many)


def test_state_is_advanced_in_place() -> None:
    it, state = of_model()
    z, p = state.z, state.p
    before = z.copy()
    it.step(state, 100)
    assert z is state.z and not np.array_equal(z, before)
    for array in (z, p):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError):
            array.flags.writeable = True
    kept = z.copy()
    del state
    assert np.array_equal(z, kept)  # the view keeps its memory


def test_backwards_is_the_inverse() -> None:
    it, state = of_model(order=4)
    start = state.z.copy()
    it.step(state, 200)
    it.step_size = -it.step_size
    it.step(state, 200)
    assert abs(state.t) < 1e-15
    np.testing.assert_allclose(state.z, start, rtol=0, atol=1e-12)


def test_step_size_and_clock() -> None:
    it, state = of_model()
    it.step(state, 3)
    it.step_size = 0.002
    it.step(state, 3)
    assert it.step_size == 0.002 and state.k == 6 and abs(state.t - 0.009) < 1e-17
    for bad in (0.0, np.inf, np.nan, "a"):
        with pytest.raises(ph.Error):
            it.step_size = bad  # type: ignore[assignment]
    assert it.step_size == 0.002
    it.step(state)


def test_what_it_says_of_itself() -> None:
    it, state = of_model(order=6)
    it.step(state, 10)
    assert (it.method, it.order, it.options["order"]) == ("variational", 6, "6")
    assert it.statistics["steps"] == 10 and it.statistics["newton_passes"] > 10
    assert "variational" in repr(it) and "k=10" in repr(state)
    assert ph.Integrator(it.system, ph.methods["rk8"], step=0.1).method == "rk8"
    assert ph.solve(it.system, (0, 0.01), *ph.model("heavy-top").initial(), method=ph.method("rk8"), step=0.01).method == "rk8"
    with pytest.raises(ph.Error, match="order"):
        ph.Integrator(it.system, step=0.1, order=5)
    with pytest.raises(ph.Error, match="ordre"):
        ph.Integrator(it.system, step=0.1, ordre=4)
    with pytest.raises(ph.Error, match="must be a number or a word"):
        ph.Integrator(it.system, step=0.1, order=True)


def test_states_are_set() -> None:
    it, state = of_model("spherical-pendulum")
    state.set([1, 0, 0], [0, 2, 0], t=3.0)
    assert state.t == 3.0 and state.k == 0 and np.array_equal(state.v, [0, 2, 0])
    state.set([2, 0, 0], [1, 2, 0], project=True)
    assert np.array_equal(state.z, [1, 0, 0]) and np.array_equal(state.v, [0, 2, 0])
    p = state.p.copy()
    before = bytes(state)
    wrong: List[Tuple[Any, str]] = [
        (lambda: state.set([2, 0, 0], [0, 1, 0]), "PH_E_NOT_ON_MANIFOLD"), (lambda: state.set([1, 0, 0], [1, 0, 0]), "PH_E_NOT_TANGENT"),
        (lambda: state.set([1, 0], [0, 1, 0]), "PH_E_SIZE"), (lambda: state.set([1, 0, np.nan], [0, 1, 0]), "PH_E_NOT_FINITE"),
        (lambda: state.set([1, 0, 0], [0, np.inf, 0]), "PH_E_NOT_FINITE"), (lambda: state.set([1, 0, 0]), "PH_E_INVALID"),
        (lambda: state.set(v=[0, 1, 0]), "PH_E_INVALID"), (lambda: state.set([1, 0, 0], [0, 1, 0], p=p), "PH_E_INVALID"),
        (lambda: state.set([1, 0, 0], [0, 1, 0], t=np.nan), "PH_E_NOT_FINITE"), (lambda: state.set(["a", "0", "0"], [0, 1, 0]), "PH_E_INVALID"),
        (lambda: state.set([1j, 0, 0], [0, 1, 0]), "PH_E_INVALID"), (lambda: state.set([1, 0, 0], p=[1, 2, 3, 4]), "PH_E_SIZE")]
    for call, status in wrong:
        with pytest.raises(ph.Error) as caught:
            call()
        assert caught.value.status == status, caught.value
    assert bytes(state) == before
    # strided and integer arrays are taken
    state.set(np.array([[1, 9], [0, 9], [0, 9]])[:, 0], np.array([0, 7, 2, 7, 0, 7])[::2])
    assert np.array_equal(state.v, [0, 2, 0])


def test_wrong_things_do_not_crash() -> None:
    it: Any
    state: Any
    it, state = of_model()
    other, strange = of_model("spherical-pendulum")
    ph_: Any = ph  # whose types say all this, too
    calls: List[Callable[[], Any]] = [lambda: it.step(strange), lambda: it.step(it), lambda: it.step(None), lambda: it.step(state, -1), lambda: it.step(state, 0.5),
                 lambda: it.step(state, 2**70), lambda: it.step(state, "a"), lambda: ph_.State(None), lambda: ph_.Integrator(None, step=1),
                 lambda: ph_.Dense(it).begin(strange), lambda: ph_.Dense(it).end(state), lambda: ph_.Dense(it).at(0.0),
                 lambda: ph_.Dense(it).begin(it), lambda: state.unpack(b""), lambda: state.unpack(bytes(strange)),
                 lambda: ph_.Diagnostics(it.system).measure(strange), lambda: ph_.Diagnostics(None), lambda: it.measure(it),
                 lambda: ph.Motion(it.system).see(strange), lambda: ph_.Columns(it.system, "energy").values(strange),
                 lambda: ph_.Columns(it.system, "q7z"), lambda: ph_.Columns(it.system, "energy_error"), lambda: ph_.Columns(it.system, 3),
                 lambda: ph.Monitor(it.system, 0, np.nan), lambda: ph_.Events(it, [3]), lambda: ph_.Events(it, ph_.Event("a", column="t")).look(state),
                 lambda: ph_.Events(it, ph_.Event("a", column="t")).begin(strange), lambda: ph_.Event("a"), lambda: ph_.Event("a", 3),
                 lambda: ph_.Event("a\0", column="t"), lambda: ph.Ensemble(it, [[1.0]]), lambda: ph.Ensemble(it, np.zeros((0, 9)))]
    for call in calls:
        with pytest.raises((ph.Error, TypeError)):
            call()
    unset = ph.State(other)
    try:
        other.step(unset, 3)
    except ph.Error:
        pass
    it.step(state)  # still good


def test_copies_and_pickles() -> None:
    it, state = of_model("double-spherical-pendulum", "multistep", step=0.01)
    it.step(state, 20)
    for again in (copy.copy(state), copy.deepcopy(state), state.copy(), ph.State(it).unpack(bytes(state))):
        assert bytes(again) == bytes(state)
        other = copy.copy(it)
        assert other.statistics["steps"] == 0 and other.options == it.options
        other.step(again, 30)
        kept = state.copy()
        it.step(kept, 30)
        assert bytes(again) == bytes(kept) and state.k == 20
    assert it.copy(0.5).step_size == 0.5 and it.step_size == 0.01
    assert copy.deepcopy(it.system) is it.system
    for thing in (it, state, it.system, it.system.space, ph.Dense(it)):
        with pytest.raises(TypeError, match="cannot be pickled: .* in each process"):
            pickle.dumps(thing)
    solution = ph.solve(it.system, (0, 1), state.z, state.v)
    loaded = pickle.loads(pickle.dumps(solution))
    assert loaded.t.shape == solution.t.shape and loaded.message == solution.message


def test_damaged_bytes_are_refused() -> None:
    """Whatever a method carries, counts and places among it: it would be followed."""
    for name, method in (("heavy-top", "gauss"), ("double-spherical-pendulum", "variational"), ("spin-chain", "spherical-midpoint")):
        it, state = of_model(name, method)
        it.step(state, 5)
        packed = bytes(state)
        for at in range(8, len(packed) - 8, 8):
            for number in (1e9, np.nan, -1.0):
                changed = packed[:at] + np.float64(number).tobytes() + packed[at + 8:]
                if changed != packed:
                    with pytest.raises(ph.Error, match="damaged"):
                        state.unpack(changed)
        for wrong in (packed[:-1], packed[8:], packed + packed, b""):
            with pytest.raises(ph.Error, match="not the bytes"):
                state.unpack(wrong)
        assert bytes(state) == packed
    four, eight = (of_model(method=method)[1] for method in ("rk8", "cf4"))
    assert len(bytes(four)) == len(bytes(eight))
    with pytest.raises(ph.Error, match="method and options"):
        four.unpack(bytes(eight))


def test_exception_leaves_the_state_whole() -> None:
    calls = [0]

    def gradient(x: Any) -> Any:
        calls[0] += 1
        if calls[0] == 50:
            raise ZeroDivisionError("the fiftieth")
        return x

    system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=gradient)
    it = ph.Integrator(system, "rk4", step=0.01)
    state = it.state([1.0], [0.0])
    calls[0] = 0
    with pytest.raises(ZeroDivisionError, match="fiftieth") as caught:
        it.step(state, 1000)
    assert any(entry.name == "gradient" for entry in caught.traceback)
    done = state.k
    assert 0 < done < 50
    whole = ph.Integrator(oscillator(), "rk4", step=0.01)
    same = whole.state([1.0], [0.0])
    whole.step(same, done)
    assert np.array_equal(same.z, state.z) and np.array_equal(same.p, state.p)
    it.step(state, 10)
    assert state.k == done + 10


def test_callbacks_may_not_step_themselves() -> None:
    box: List[Any] = []

    def gradient(x: Any) -> Any:
        if box:
            box[0].step(box[1])
        return x

    it = ph.Integrator(ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=gradient), step=0.01)
    state = it.state([1.0], [0.0])
    box += [it, state]
    with pytest.raises(ph.Error, match="in use"):
        it.step(state)
    other = ph.Integrator(oscillator(), step=0.01)
    box[:] = [other, other.state([1.0], [0.0])]  # another one may
    it.step(state)
    assert box[1].k > 0


def interrupted(call: Callable[[], object]) -> float:
    """[s] from Ctrl-C to its exception."""
    sent: List[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.05, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    took = time.perf_counter() - sent[0]
    timer.join()
    return took


def test_interrupt() -> None:
    """Ctrl-C in many steps: with and without functions of Python, one of which catches everything. The state is whole."""
    it, state = of_model("planar-pendulum", "rk4")
    assert interrupted(lambda: it.step(state, 10**14)) < 2  # 0.1 on an idle machine
    other, same = of_model("planar-pendulum", "rk4")
    other.step(same, state.k)
    assert state.k > 100 and bytes(same) == bytes(state)
    slow = ph.Integrator(oscillator(), "rk4", step=0.01)
    assert interrupted(lambda: slow.step(slow.state([1.0], [0.0]), 10**14)) < 2
    many = ph.Ensemble(it, [[0.6, -0.8]] * 5, [[0.0, 0.0]] * 5)
    assert interrupted(lambda: many.step(10**14)) < 2


def test_interrupt_of_a_loop() -> None:
    """Wherever Ctrl-C arrives in a loop of single steps, integrator and state can be used afterwards."""
    it, state = of_model("planar-pendulum", "rk4")

    def ring(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    try:
        for i in range(150):
            try:
                signal.setitimer(signal.ITIMER_REAL, 2e-4 + 1e-6 * i)
                while True:
                    it.step(state)
            except KeyboardInterrupt:
                it.step(state)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- Between steps, many at once ---------------------------------------------------------------------------------------
def test_dense() -> None:
    """The interpolant of cos: of order 6, at the ends their bits."""
    errors = []
    for h in (0.4, 0.2):
        it = ph.Integrator(oscillator(), "rk8", step=h / 8)
        state, dense = it.state([1.0], [0.0]), ph.Dense(it)
        start = state.z.copy()
        dense.begin(state)
        it.step(state, 8)
        dense.end(state)
        assert dense.order == 6
        z, p = dense.at(h / 2)
        errors.append(abs(z[0] - np.cos(h / 2)))
        assert errors[-1] / 3 < dense.error() < 3 * errors[-1]
        assert abs(p[0] + np.sin(h / 2)) < 1e-5
        assert np.array_equal(dense.at(0.0)[0], start) and np.array_equal(dense.at(state.t)[0], state.z)
        for t in (-0.01, h + 0.01, np.nan, [0.1], "a"):
            with pytest.raises(ph.Error):
                dense.at(t)  # type: ignore[arg-type]
    assert abs(np.log2(errors[0] / errors[1]) - 6) < 0.3


def test_ensemble() -> None:
    """Each member has the bits that it has alone; one that fails does not stop the others."""
    it = ph.Integrator(ph.model("spherical-pendulum").system(), step=0.01)
    angles = np.linspace(0.2, 3, 11)
    z = np.stack([np.sin(angles), 0 * angles, -np.cos(angles)], axis=1)
    v = np.tile([0.0, 1.0, 0.0], (11, 1))
    many = ph.Ensemble(it, z, v)
    many.step(50)
    for i in range(11):
        state = it.state(z[i], v[i])
        it.step(state, 50)
        assert np.array_equal(many.z[i], state.z) and np.array_equal(many.p[i], state.p)
    assert len(many) == 11 and set(many.status) == {"PH_OK"} and np.all(many.t == state.t)

    def gradient(x: Any) -> Any:
        if x[0] > 5:
            raise ValueError("too far")
        return x

    it = ph.Integrator(ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.0, gradient=gradient), "rk4", step=0.01)
    many = ph.Ensemble(it, [[1.0], [4.99], [2.0]], [[0.0], [2.0], [0.0]])
    with pytest.raises(ValueError, match="too far"):
        many.step(100)
    assert many.status == ["PH_OK", "PH_E_CALLBACK", "PH_OK"]
    np.testing.assert_allclose(many.z[[0, 2], 0], np.cos(1.0) * np.array([1, 2]), atol=1e-8)
    with pytest.raises(ph.Error, match="perpendicular"):
        ph.Ensemble(ph.Integrator(ph.model("spherical-pendulum").system(), step=0.01), z, p=np.tile(z[0] + 1, (11, 1)))


# ---- What is measured --------------------------------------------------------------------------------------------------
def test_diagnostics() -> None:
    """A pendulum of 2 kg and 1.5 m, by hand."""
    system = ph.model("spherical-pendulum").system(mass=2.0, length=1.5)
    it = ph.Integrator(system, step=0.01, order=8)
    state = it.state([0.6, 0, -0.8], [0, 3, 0])
    seen = it.measure(state)
    assert seen.kinetic == pytest.approx(0.5 * 2 * 1.5**2 * 9, rel=1e-15) and seen.potential == pytest.approx(-2 * 9.81 * 1.5 * 0.8, rel=1e-15)
    assert seen.energy == pytest.approx(seen.kinetic + seen.potential, rel=1e-15) and seen.constraint_error < 1e-15
    assert seen.momenta[0] == pytest.approx(2 * 1.5**2 * 0.6 * 3, rel=1e-15)
    motion = ph.Motion(system).see(state)
    np.testing.assert_allclose(motion.omega, np.cross([0.6, 0, -0.8], [0, 3, 0]), atol=1e-15)
    np.testing.assert_allclose(motion.positions, [[0.9, 0, -1.2]], atol=1e-15)
    assert motion.tensions is not None
    np.testing.assert_allclose(motion.tensions, [2 * (9.81 * 0.8 + 1.5 * 9)], rtol=1e-14)  # m (g cos + l v^2)
    assert motion.quaternions.shape == (0, 4) and motion.reactions.size == 0 and motion.reduced is None and motion.power == 0
    columns = ph.Columns(system, "omega1", "position1", "energy", "t")
    assert columns.names == ["omega1x", "omega1y", "omega1z", "position1x", "position1y", "position1z", "energy", "t"]
    assert columns.units[0] == "rad/s" and columns.units[3] == "m"
    np.testing.assert_array_equal(columns.values(state), np.concatenate([motion.omega, motion.positions[0], [seen.energy, 0]]))
    monitor = ph.Monitor(system, 0, 1)
    for _ in range(11):
        monitor.see(state)
        it.step(state, 10)
    summary = monitor.summary
    assert summary["outputs"] == 11 and summary["energy_initial"] == seen.energy and 0 < summary["energy_error_max"] < 1e-9
    assert len(summary["energy_error_tenths"]) == 10


def test_motion_of_a_body() -> None:
    it, state = of_model()
    it.step(state, 100)
    seen = ph.Motion(it.system).see(state)
    w, x, y, z = seen.quaternions[0]
    rotation = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    np.testing.assert_allclose(state.z.reshape(3, 3), rotation, atol=1e-14)
    np.testing.assert_allclose(it.system.space.turn(state.z, seen.omega), seen.velocity, atol=1e-13)
    assert np.array_equal(seen.velocity, state.v)


def test_events_in_a_loop() -> None:
    it = ph.Integrator(oscillator(), step=0.1, order=8)
    state = it.state([1.0], [0.0])
    looking = ph.Events(it, [ph.Event("down", column="x1_1", direction=-1), ph.Event("half", lambda t, y, level: y[0] - level, terminal=True)],
                        args=(-0.5,))
    looking.begin(state)
    found = []
    while looking.stopped is None:
        it.step(state)
        found += looking.look(state)
    assert [one.event for one in found] == ["down", "half"] and looking.found == [1, 1]
    np.testing.assert_allclose([one.t for one in found], [np.pi / 2, 2 * np.pi / 3], atol=1e-11)
    np.testing.assert_allclose(found[1].v, [-np.sin(2 * np.pi / 3)], atol=1e-11)
    assert found[0].direction == -1 and found[0].number == 0 and found[1].step == 20 and looking.stopped is found[1]

    def bad(t: float, y: Any) -> float:
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here"):
        ph.Events(it, bad).begin(state)
