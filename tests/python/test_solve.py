# SPDX-License-Identifier: BSD-3-Clause
"""ph.solve: accuracies against closed forms and SciPy, SciPy's conventions, events, dense output, what it refuses."""
from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from decimal import Decimal, localcontext
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import pytest

import polhode as ph

solve_ivp = pytest.importorskip("scipy.integrate").solve_ivp
brentq = pytest.importorskip("scipy.optimize").brentq
LowLevelCallable = pytest.importorskip("scipy").LowLevelCallable
ellipk = pytest.importorskip("scipy.special").ellipk
Array = Any


def turn(axis: Array, angle: float) -> Array:
    """The rotation by an angle about an axis (Rodrigues)."""
    n = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    hat = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * hat + (1 - np.cos(angle)) * hat @ hat


def oscillator() -> ph.System:
    return ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=lambda x: x)


class Case(NamedTuple):
    """A motion that is known."""

    system: ph.System
    z: Array
    v: Optional[Array]
    span: float
    exact: Callable[[float], Array]


def harmonic() -> Case:
    return Case(oscillator(), [1.0], [0.5], 10.0, lambda t: np.array([np.cos(t) + 0.5 * np.sin(t)]))


def kepler() -> Case:
    """e = 0.6, a = 1, three turns, by Kepler's equation."""
    e = 0.6

    def exact(t: float) -> Array:
        E = brentq(lambda E: E - e * np.sin(E) - t, t - 1, t + 1, xtol=1e-15)
        return np.array([np.cos(E) - e, np.sqrt(1 - e * e) * np.sin(E)])

    system = ph.System([ph.R(2)], inertia=[1.0], potential=lambda x: -1 / np.hypot(*x), gradient=lambda x: x / np.hypot(*x)**3)
    return Case(system, [1 - e, 0], [0, np.sqrt((1 + e) / (1 - e))], 6 * np.pi, exact)


def polar() -> Case:
    """e = 0.3, a = 1, one turn in r and phi, by a Lagrangian: no inertia is constant there."""
    e = 0.3

    def exact(t: float) -> Array:
        E = brentq(lambda E: E - e * np.sin(E) - t, t - 1, t + 1, xtol=1e-15)
        return np.array([1 - e * np.cos(E), E + 2 * np.arctan(e * np.sin(E) / (1 + np.sqrt(1 - e * e) - e * np.cos(E)))])

    def gradient(z: Array, v: Array) -> Tuple[Array, Array]:
        return np.array([z[0] * v[1]**2 - z[0]**-2, 0]), np.array([v[0], z[0]**2 * v[1]])

    system = ph.System([ph.R(2)], lagrangian=lambda z, v: (v[0]**2 + z[0]**2 * v[1]**2) / 2 + 1 / z[0], lagrangian_gradient=gradient)
    return Case(system, [1 - e, 0], [0, np.sqrt((1 + e) / (1 - e)) / (1 - e)], 2 * np.pi, exact)


def pendulum() -> Case:
    """2 rad from hanging, over one period: there the motion is known at its quarters, and between them by its symmetry."""
    period = 4 * ellipk(np.sin(1.0)**2) / np.sqrt(9.81)
    system = ph.model("planar-pendulum").system()
    start = np.array([np.sin(2.0), -np.cos(2.0)])
    quarters = {0: start, 1: [0, -1], 2: [-start[0], start[1]], 3: [0, -1], 4: start}
    return Case(system, start, [0, 0], period, lambda t: np.array(quarters.get(round(4 * t / period, 9), [np.nan, np.nan])))


def top() -> Case:
    """A free symmetric body: it turns about L at |L|/A, and about its own axis at (1 - C/A) Omega_3."""
    A, C, Omega = 1.0, 0.4, np.array([0.7, 0.2, 1.5])
    system = ph.System([ph.SO3], inertia=[(A, A, C)])
    start = turn([1, 2, 3], 0.7)
    L = start @ (np.array([A, A, C]) * Omega)
    rate = (C - A) / A * Omega[2]

    def exact(t: float) -> Array:
        return (turn(L, float(np.linalg.norm(L)) / A * t) @ start @ turn([0, 0, 1], -rate * t)).ravel()

    return Case(system, start.ravel(), system.space.turn(start.ravel(), Omega), 8.0, exact)


def knife_edge() -> Case:
    """The blade on an incline: speed (g / w) sin w t along its heading w t (w = 1), a cycloid."""
    g = 4.905

    def exact(t: float) -> Array:
        return np.array([g / 2 * np.sin(t)**2, g * (t / 2 - np.sin(2 * t) / 4), np.cos(t), np.sin(t)])

    model = ph.model("knife-edge")
    return Case(model.system(), *model.initial("turning"), 7.0, exact)


def rabi() -> Case:
    """A spin under a drive that turns: in its frame it turns about W e1 + (w0 - w1) e3."""
    model = ph.model("bloch-sphere")
    return Case(model.system("rabi"), model.initial("rabi")[0], None, 20.0,
                lambda t: turn([0, 0, 1], 0.8 * t) @ turn([0.35, 0, 0.2], np.hypot(0.35, 0.2) * t) @ [0, 0, 1])


CASES = {make.__name__: make() for make in (harmonic, kepler, polar, pendulum, top, knife_edge, rabi)}


@pytest.mark.parametrize("accuracy", [1e-4, 1e-7, 1e-10])
@pytest.mark.parametrize("name", CASES)
def test_accuracy_is_kept(name: str, accuracy: float) -> None:
    case = CASES[name]
    sol = ph.solve(case.system, (0, case.span), case.z, case.v, accuracy=accuracy, t_eval=np.linspace(0, case.span, 25))
    assert sol.success and sol.estimate <= accuracy and sol.t.shape == (25,)
    assert sol.method == {"polar": "gauss", "knife_edge": "dla", "rabi": "spin-splitting"}.get(name, "variational")
    exact = np.array([case.exact(t) for t in sol.t])
    known = ~np.isnan(exact[:, 0])
    assert known.sum() >= 5
    scale = np.ones(exact.shape[1])
    if isinstance(case.system.space.factors[0], ph.Factor) and repr(case.system.space.factors[0]).startswith("R"):
        n = case.system.space.factors[0].d
        scale[:n] = np.max(np.abs(exact[known, :n]))
    assert np.max(np.abs(sol.z[known] - exact[known]) / scale) <= accuracy


@pytest.mark.parametrize("options", [{}, {"t_eval": [0.3, 1.7, 9.1]}, {"dense_output": True}, {"t_eval": [2.0, 2.5], "dense_output": True},
                                     {"t_eval": [10.0]}, {"t_eval": [5.0, 5.000001]}, {"t_eval": np.linspace(0, 10, 41)}], ids=lambda o: "+".join(o) or "steps")
def test_accuracy_of_each_kind_of_rows(options: Dict[str, Any]) -> None:
    for accuracy in (1e-5, 1e-11):
        sol = ph.solve(oscillator(), (0, 10), [1.0], [0.0], accuracy=accuracy, **options)
        assert sol.success
        np.testing.assert_allclose(sol.y[0], np.cos(sol.t), rtol=0, atol=accuracy)
        if "t_eval" in options:
            assert np.array_equal(sol.t, options["t_eval"])
        else:
            assert sol.t[0] == 0 and sol.t[-1] == 10 and len(sol.t) == sol.steps + 1
        if sol.sol is not None:
            t = np.linspace(0, 10, 301)
            np.testing.assert_allclose(sol.sol(t)[0], np.cos(t), rtol=0, atol=accuracy)


@pytest.mark.parametrize("name,span", [("heavy-top", 1.0), ("double-spherical-pendulum", 3.0), ("binary", 2e5), ("rolling-disk", 1.0),
                                       ("spin-chain", 5.0), ("cart-chain", 1.0), ("kepler", 20.0)])
def test_models_by_other_methods(name: str, span: float) -> None:
    """The trajectory of an independent kind of method, ten times as accurate."""
    model = ph.model(name)
    system, (z, velocity) = model.system(), model.initial()
    v = None if system.space.momenta == 0 else velocity
    t = np.linspace(0, span, 34)
    truth = ph.solve(system, (0, span), z, v, method="rk8", accuracy=1e-10, t_eval=t)
    lengths = np.concatenate([np.full(n, repr(f).startswith("R")) for f, (_, n, _, _) in zip(system.space.factors, system.space._places)])
    scale = np.where(lengths, np.max(np.abs(truth.z[:, lengths]), initial=0.0), 1.0)
    for accuracy in (1e-4, 1e-9):
        sol = ph.solve(system, (0, span), z, v, accuracy=accuracy, t_eval=t)
        assert sol.success and truth.success
        assert np.max(np.abs(sol.z - truth.z) / scale) <= accuracy


def test_against_scipy() -> None:
    """An elastic pendulum, DOP853 at 1e-13 on its own equations."""
    def fall(t: float, y: Array) -> Array:
        r = np.hypot(y[0], y[1])
        return np.concatenate([y[2:], -40 * (1 - 1 / r) * y[:2] - [0, 9.81]])

    system = ph.System([ph.R(2)], inertia=[1.0], potential=lambda x: 20 * (np.hypot(*x) - 1)**2 + 9.81 * x[1],
                       gradient=lambda x: 40 * (1 - 1 / np.hypot(*x)) * x + [0, 9.81])
    t = np.linspace(0, 3, 31)
    theirs = solve_ivp(fall, (0, 3), [1, 0, 0, 0.5], method="DOP853", rtol=1e-13, atol=1e-13, t_eval=t)
    ours = ph.solve(system, (0, 3), [1, 0], [0, 0.5], accuracy=1e-10, t_eval=t)
    assert ours.y.shape == theirs.y.shape
    np.testing.assert_allclose(ours.y[:2], theirs.y[:2], rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.y[2:], theirs.y[2:], rtol=0, atol=1e-8)  # velocities, of a frequency of 6 rad/s
    np.testing.assert_allclose(ours.energy, ours.energy[0], rtol=1e-10)


def test_order() -> None:
    """With half the step the error is 2^-order of it."""
    for order, h in ((2, 0.02), (4, 0.1), (6, 0.25), (8, 0.5)):
        errors = [abs(ph.solve(oscillator(), (0, 5), [1.0], [0.0], step=s, method="variational", order=order).z[-1, 0] - np.cos(5.0))
                  for s in (h, h / 2)]
        assert abs(np.log2(errors[0] / errors[1]) - order) < 0.3


def test_fixed_step_is_the_integrators() -> None:
    model = ph.model("heavy-top")
    system, (z, v) = model.system(), model.initial()
    sol = ph.solve(system, (0, 0.5), z, v, step=0.01, method="variational", order=4)
    it = ph.Integrator(system, "variational", step=0.01, order=4)
    state = it.state(z, v)
    it.step(state, 50)
    assert sol.steps == 50 and sol.step == 0.01 and np.isnan(sol.estimate)
    assert np.array_equal(sol.z[-1], state.z) and np.array_equal(sol.p[-1], state.p)
    np.testing.assert_allclose(sol.v[-1], state.v, rtol=0, atol=0)
    # a step that does not divide the span is made shorter
    assert ph.solve(system, (0, 0.5), z, v, step=0.012).steps == 42


def test_backwards() -> None:
    there = ph.solve(oscillator(), (2, 7), [1.0], [0.0], accuracy=1e-11)
    back = ph.solve(oscillator(), (7, 2), there.z[-1], there.v[-1], accuracy=1e-11, t_eval=[7, 5, 2])
    np.testing.assert_allclose(back.y[:, -1], [1, 0], rtol=0, atol=2e-11)
    np.testing.assert_allclose(back.y[0, 1], np.cos(3), rtol=0, atol=2e-11)
    assert back.step < 0 and list(back.t) == [7, 5, 2]


# ---- Events ------------------------------------------------------------------------------------------------------------
def zero(t: float, y: Array, level: float = 0.0) -> float:
    return float(y[0] - level)


def falling(t: float, y: Array) -> float:
    return float(y[0])


falling.direction = -1  # type: ignore[attr-defined]


def test_events_are_scipys() -> None:
    """The same lists as solve_ivp's, and times that are exact."""
    events = [falling, lambda t, y: y[1] - 0.5, lambda t, y: y[0] - 3]
    theirs = solve_ivp(lambda t, y: [y[1], -y[0]], (0, 10), [1, 0], events=events, rtol=1e-12, atol=1e-12)
    ours = ph.solve(oscillator(), (0, 10), [1.0], [0.0], events=events, accuracy=1e-11)
    assert ours.status == theirs.status == 0 and ours.t_events is not None and ours.y_events is not None
    assert len(ours.t_events) == len(theirs.t_events) == 3
    for t, y, t1, y1 in zip(ours.t_events, ours.y_events, theirs.t_events, theirs.y_events):
        assert t.shape == t1.shape
        np.testing.assert_allclose(t, t1, rtol=0, atol=1e-9)
        if t.size:
            np.testing.assert_allclose(y, y1, rtol=0, atol=1e-9)
    assert ours.y_events[2].shape == (0, 2)
    np.testing.assert_allclose(ours.t_events[0], np.pi / 2 + 2 * np.pi * np.arange(2), rtol=0, atol=1e-11)
    np.testing.assert_allclose(ours.t_events[1], np.array([7 / 6, 11 / 6, 19 / 6]) * np.pi, rtol=0, atol=1e-11)


@pytest.mark.parametrize("options", [{}, {"t_eval": np.linspace(0, 20, 81)}, {"dense_output": True}], ids=lambda o: "+".join(o) or "steps")
@pytest.mark.parametrize("times", [True, 2])
def test_terminal_event(times: Any, options: Dict[str, Any]) -> None:
    end = {True: np.pi / 3, 2: 5 * np.pi / 3}[times]
    event = ph.Event("half", zero, terminal=times)
    sol = ph.solve(oscillator(), (0, 20), [1.0], [0.0], events=event, args=(0.5,), accuracy=1e-10, **options)
    assert sol.status == 1 and sol.success and "half" in sol.message
    assert sol.t_events is not None and len(sol.t_events[0]) == int(times)
    np.testing.assert_allclose(sol.t_events[0][-1], end, rtol=0, atol=1e-10)
    np.testing.assert_allclose(sol.y[0], np.cos(sol.t), rtol=0, atol=1e-10)
    if "t_eval" in options:
        assert np.array_equal(sol.t, options["t_eval"][options["t_eval"] <= end])
    else:
        np.testing.assert_allclose([sol.t[-1], sol.y[0, -1]], [end, 0.5], rtol=0, atol=1e-10)
        assert np.all(np.diff(sol.t) > 0)
    if sol.sol is not None:
        assert sol.sol.t_max == sol.t[-1]
        with pytest.raises(ph.Error, match="outside"):
            sol.sol(end + 0.01)


def test_events_that_end_together() -> None:
    """What is behind the terminal event in the same step is not reported."""
    first, second = ph.Event("1.0", column="t", level=1.001, terminal=True), ph.Event("2", column="t", level=1.002)
    sol = ph.solve(oscillator(), (0, 20), [1.0], [0.0], events=[second, first], step=0.5)
    assert sol.status == 1 and sol.t_events is not None and [len(t) for t in sol.t_events] == [0, 1]
    np.testing.assert_allclose(sol.t[-1], 1.001, rtol=1e-14)


def test_events_of_c() -> None:
    """Functions of C, with and without user data; a ph_state begins with its time."""
    Numbers = ctypes.POINTER(ctypes.c_double)

    def value(user: Any, state: Any, g: Any) -> int:
        g[0] = state[0] - (ctypes.cast(user, Numbers)[0] if user else 1.5)
        return 0

    late = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, Numbers, Numbers)(value)
    level = (ctypes.c_double * 1)(1.25)
    with_data = LowLevelCallable(late, ctypes.cast(level, ctypes.c_void_p))
    sol = ph.solve(oscillator(), (0, 3), [1.0], [0.0], events=[late, ph.Event("with data", with_data)])
    assert sol.t_events is not None
    np.testing.assert_allclose(np.concatenate(sol.t_events), [1.5, 1.25], rtol=1e-13)
    other: Any = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(abs)
    with pytest.raises(ph.Error, match="another signature; it must be int value"):
        ph.solve(oscillator(), (0, 3), [1.0], [0.0], events=other)


def test_pendulums_period() -> None:
    """The time from turn to turn, by an elliptic integral, from events of a column."""
    case = CASES["pendulum"]
    events = ph.Event("lowest", column="q1x", direction=-1)
    sol = ph.solve(case.system, (0, 3 * case.span), case.z, case.v, events=events, accuracy=1e-11)
    assert sol.t_events is not None
    np.testing.assert_allclose(sol.t_events[0], case.span * (np.arange(3) + 0.25), rtol=0, atol=1e-10)


# ---- Dense output ------------------------------------------------------------------------------------------------------
def test_dense_output_of_a_uniform_motion() -> None:
    """A wheel that rolls straight ahead: exact at the steps, and by symmetry in the middle of each; not between."""
    model = ph.model("vertical-disk")
    z, v = model.initial("straight")
    sol = ph.solve(model.system("straight"), (0, 16), z, v, accuracy=1e-7, dense_output=True)
    assert sol.success and sol.sol is not None
    t = np.linspace(0, 16, 333)
    np.testing.assert_allclose(sol.sol(t)[4:6].T, np.stack([np.cos(t), np.sin(t)], axis=1), rtol=0, atol=1e-7)


def test_dense_output() -> None:
    case = CASES["top"]
    sol = ph.solve(case.system, (0, case.span), case.z, case.v, accuracy=1e-9, dense_output=True)
    assert sol.sol is not None
    t = np.random.default_rng(4).uniform(0, case.span, 60)  # in no order
    y = sol.sol(t)
    assert y.shape == (18, 60) and sol.sol(1.5).shape == (18,) and sol.sol([]).shape == (18, 0)
    np.testing.assert_allclose(y[:9].T, [case.exact(x) for x in t], rtol=0, atol=1e-9)
    assert np.array_equal(sol.sol(sol.t)[:9].T, sol.z)  # at the steps the bits of the steps
    assert case.system.space.residual(y[:9, 7]) < 1e-15  # on the manifold
    with pytest.raises(ph.Error, match=r"t = 8\.1 s is outside the solution, which is from 0 to 8 s"):
        sol.sol([1, 8.1])
    with pytest.raises(ph.Error, match="outside"):
        sol.sol(np.nan)
    # rows between steps are the same, whether ph_run makes them or the kept states
    times = np.sort(t)
    rows = ph.solve(case.system, (0, case.span), case.z, case.v, step=sol.step, method=sol.method, order=sol.options["order"], t_eval=times)
    again = ph.solve(case.system, (0, case.span), case.z, case.v, step=sol.step, method=sol.method, order=sol.options["order"],
                     t_eval=times, dense_output=True)
    assert np.array_equal(rows.y, again.y) and np.array_equal(rows.p, again.p)


def test_a_lagrangian_that_is_at_rest_for_small_motions() -> None:
    """A horizontal pendulum has no small motions: the first step must not be so long that gauss looks for its stages in millions of calls."""
    calls = 0

    def L(z: Array, v: Array) -> Any:
        nonlocal calls
        calls += 1
        assert calls < 400_000
        return v @ v / 2 - 9.81 * z[2]

    with pytest.warns(ph.CostWarning):
        system = ph.System(ph.S2, lagrangian=L)
    sol = ph.solve(system, (0, 8), [1, 0, 0], [0, 0.5, 0], accuracy=1e-2, t_eval=[8])
    pendulum = ph.System(ph.S2, inertia=1.0, potential=lambda z: 9.81 * z[2], gradient=lambda z: [0, 0, 9.81])
    right = ph.solve(pendulum, (0, 8), [1, 0, 0], [0, 0.5, 0], accuracy=1e-5, t_eval=[8])
    assert sol.success and sol.method == "gauss" and np.max(np.abs(sol.z - right.z)) < 1e-2


# ---- What is refused, and what fails -----------------------------------------------------------------------------------
@pytest.mark.parametrize("arguments,words", [
    ({"t_span": (0, 0)}, "must have a length"), ({"t_span": (0, np.inf)}, "must be finite"), ({"t_span": [1, 2, 3]}, "must be \\(2,\\)"),
    ({"t_eval": [0, 11]}, "within the span"), ({"t_eval": [2, 1]}, "in the order"), ({"t_eval": [1, 1]}, "each time once"),
    ({"t_eval": [np.nan]}, "within the span"), ({"accuracy": 0}, "between 0 and 1"), ({"accuracy": -1e-3}, "between 0 and 1"),
    ({"accuracy": np.nan}, "must be finite"), ({"accuracy": 1e-3, "step": 0.1}, "not both"), ({"step": 0}, "step"),
    ({"step": 1e-9}, "max_steps is"), ({"step": 0.1, "max_steps": 5}, "takes 100 steps"), ({"v0": None}, "v0 or p0 is missing"),
    ({"v0": [1, 2]}, "v has the shape"), ({"z0": [np.nan]}, ""), ({"method": "rk5"}, "rk4"), ({"order": 3}, "order"),
    ({"events": 3}, "events\\[0\\] is 3"), ({"events": lambda t, y: None}, "must return a real number"),
    ({"z0": np.ma.MaskedArray([1.0], [True])}, "masked"), ({"z0": [10**400]}, "must be real numbers"), ({"max_steps": np.ma.masked}, "a whole number"), ({"events": [3]}, "events\\[0\\] is 3"), ({"events": lambda t, y: "a"}, ""), ({"method": "arkode"}, "rtol|needs SUNDIALS"),
    ({"events": ph.Event("a", column="q9z")}, "q9z"), ({"events": lambda t, y: y}, "must return a real number"),
    ({"step": 1e-6, "t_span": (0, 300), "max_steps": 10**9}, "GB"), ({"p0": [0.0]}, "not by both")])
def test_refused(arguments: Dict[str, Any], words: str) -> None:
    given: Dict[str, Any] = {"t_span": (0, 10), "z0": [1.0], "v0": [0.0], **arguments}
    with pytest.raises((ph.Error, TypeError), match=words):
        ph.solve(oscillator(), **given)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polhode._solve.LARGEST", 1e5)
    with pytest.raises(ph.Error, match="GB; at most .* give t_eval"):
        ph.solve(oscillator(), (0, 10), [1.0], [0.0], step=0.001, dense_output=True)
    with pytest.raises(ph.Error, match="GB: give t_eval, of fewer times"):
        ph.solve(oscillator(), (0, 10), [1.0], [0.0], t_eval=np.linspace(0, 10, 3000))
    sol = ph.solve(oscillator(), (0, 1000), [1.0], [0.0], accuracy=1e-9)
    assert sol.status == -1 and "GB" in sol.message and len(sol.t) > 100
    assert ph.solve(oscillator(), (0, 1000), [1.0], [0.0], accuracy=1e-9, t_eval=[1000]).success


def test_tolerances_of_steps_are_not_offered() -> None:
    with pytest.raises(TypeError, match="give accuracy"):
        ph.solve(oscillator(), (0, 10), [1.0], [0.0], rtol=1e-6)


def test_chaos_is_said() -> None:
    model = ph.model("double-spherical-pendulum")
    system, (z, v) = model.system(), model.initial()
    sol = ph.solve(system, (0, 300), z, v, accuracy=1e-3, max_steps=20000)
    assert sol.status == -1 and not sol.success and sol.estimate > 1e-3
    assert "was not reached" in sol.message and "until t = " in sol.message and "max_steps = 20000" in sol.message
    assert sol.t[-1] == 300 and np.all(np.isfinite(sol.y))


def test_rounding_is_said() -> None:
    case = CASES["top"]
    sol = ph.solve(case.system, (0, 8), case.z, case.v, accuracy=1e-15)
    assert sol.status == -1 and "rounding" in sol.message and 1e-15 < sol.estimate < 1e-12
    assert np.max(np.abs(sol.z[-1] - case.exact(8.0))) < sol.estimate


def test_coordinates_that_stay_zero() -> None:
    """A vector that is 0 but for rounding has no relative error."""
    system = ph.System([ph.R(1), ph.S2], inertia=[1.0, 2.0], potential=lambda z: float(z[0]**2 / 2 + z[3] * z[0]),
                       gradient=lambda z: np.array([z[0] + z[3], 0, 0, z[0]]))
    sol = ph.solve(system, (0, 2), [0, 0.6, 0.8, 0], [0, -1.6, 1.2, 0], accuracy=1e-10)
    assert sol.success and sol.steps < 1000 and np.max(np.abs(sol.z[:, [0, 3]])) < 1e-12
    angle = np.arctan2(0.8, 0.6) + 2 * sol.t
    np.testing.assert_allclose(sol.z[:, 1:3], np.stack([np.cos(angle), np.sin(angle)], axis=1), rtol=0, atol=1e-10)
    still = ph.solve(oscillator(), (0, 2), [0.0], [0.0], accuracy=1e-10)
    assert still.success and not still.y.any()


def tumble(s: Array, size: float, inertia: Array, span: float) -> Array:
    """s' = size s x s / inertia from s, after `span`: by its Taylor series, with 30 digits."""
    with localcontext() as context:
        context.prec = 30
        inverse, x, steps, terms = [1 / Decimal(i) for i in inertia], [Decimal(float(one)) for one in s], 240, 16
        h = Decimal(span) / steps
        for _ in range(steps):
            series = [[one] for one in x]
            for n in range(terms):
                for i in range(3):
                    j, k = (i + 1) % 3, (i + 2) % 3
                    product = sum((series[j][m] * series[k][n - m] for m in range(n + 1)), Decimal(0))
                    series[i].append(Decimal(size) * (inverse[k] - inverse[j]) * product / (n + 1))
            x = [sum((term * h**n for n, term in enumerate(one)), Decimal(0)) for one in series]
        return np.array([float(one) for one in x])


def test_estimate_where_rounding_grows() -> None:
    """About the axis of the middle moment, which is unstable."""
    model = ph.model("reduced-rigid-body")
    system, z = model.system("intermediate-axis"), model.initial("intermediate-axis")[0]
    span = 40 / system.fastest_rate(z)
    sol = ph.solve(system, (0, span), z, accuracy=6e-10, t_eval=np.linspace(0, span, 40))
    exact = tumble(z, model.parameters["momentum"].default, model.parameters["inertia"].default, span)
    assert sol.success and 1e-12 < np.max(np.abs(sol.z[-1] - exact)) < sol.estimate < 6e-10


def test_failing_step() -> None:
    """A body that reaches the edge of its potential."""
    system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: -np.sqrt(x[0]), gradient=lambda x: [-0.5 / np.sqrt(x[0])])
    with np.errstate(invalid="ignore"):
        sol = ph.solve(system, (0, 10), [1.0], [-2.5], step=0.01, method="rk4")
    assert sol.status == -1 and "failed at t = 0." in sol.message and not sol.success
    assert 0 < sol.t[-1] < 1 and np.all(np.isfinite(sol.y))


def test_energy_that_is_not_finite() -> None:
    system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: np.inf if x[0] < 0 else 0.5 * x[0]**2, gradient=lambda x: x)
    sol = ph.solve(system, (0, 3), [1.0], [0.0], t_eval=[0, 1, 3])
    assert sol.success and np.isfinite(sol.energy).tolist() == [True, True, False]


@pytest.mark.parametrize("options", [{}, {"dense_output": True}, {"t_eval": [0, 0.5]}, {"t_eval": [0.5], "dense_output": True}],
                         ids=lambda o: "+".join(o) or "steps")
def test_no_step_at_all(options: Dict[str, Any]) -> None:
    """Every step is too long: what there is is the start."""
    system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.0, gradient=lambda x: [np.nan if x[0] != 1 else 1.0])
    choices: List[Dict[str, Any]] = [{"step": 0.1}, {"accuracy": 1e-3}]
    for more in choices:
        sol = ph.solve(system, (0, 1), [1.0], [-2.5], method="rk4", max_steps=1000, **more, **options)
        assert sol.status == -1 and sol.sol is None and "failed at t = 0 s" in sol.message
        assert sol.t.tolist() == ([0] if 0 in options.get("t_eval", [0]) else []) and sol.y.shape == (2, len(sol.t))


def test_exceptions_arrive() -> None:
    class Mine(Exception):
        pass

    def bad(t: float, y: Array) -> float:
        if t > 1:
            raise Mine("at t > 1")
        return 1.0

    with pytest.raises(Mine, match="at t > 1") as caught:
        ph.solve(oscillator(), (0, 10), [1.0], [0.0], step=0.1, events=bad)
    assert any(entry.name == "bad" for entry in caught.traceback)

    def gradient(x: Array) -> Array:
        if x[0] < 0:
            raise Mine("left")
        return x

    system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: x[0]**2 / 2, gradient=gradient)
    with pytest.raises(Mine, match="left"):
        ph.solve(system, (0, 10), [1.0], [0.0])
    assert ph.solve(system, (0, 1), [1.0], [0.0]).success


def test_interrupt() -> None:
    """Ctrl-C in a run without functions of Python."""
    system, (z, v) = ph.model("heavy-top").system(), ph.model("heavy-top").initial()
    sent: List[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.05, send).start()
    with pytest.raises(KeyboardInterrupt):
        ph.solve(system, (0, 1e6), z, v, step=0.01, t_eval=[1e6], max_steps=10**9)
    assert time.perf_counter() - sent[0] < 2  # 0.1 on an idle machine


def test_progress(capfd: pytest.CaptureFixture[str]) -> None:
    model = ph.model("heavy-top")
    z, v = model.initial()
    ph.solve(model.system(), (0, 1), z, v, step=1e-2)
    assert capfd.readouterr() == ("", "")
    begun = time.perf_counter()
    late = ph.Event("late", lambda t, y: time.perf_counter() - begun - 0.5, terminal=True)
    ph.solve(model.system(), (0, 1e5), z, v, step=0.01, method="rk8", t_eval=[1e5], max_steps=10**8, events=late, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "rk8, h = 0.01 s" in err and "left" in err


def test_result_is_scipys() -> None:
    sol = ph.solve(oscillator(), (0, 1), [1.0], [0.0])
    for name in ("t", "y", "sol", "t_events", "y_events", "status", "message", "success", "nfev"):
        assert sol[name] is getattr(sol, name)
    assert sol.t_events is None and sol.sol is None and sol.nfev > 0
    with pytest.raises(AttributeError):
        sol.nonsense
    assert "rows" in repr(sol) and "estimate" in dir(sol)
