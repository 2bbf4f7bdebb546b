# SPDX-License-Identifier: BSD-3-Clause
"""Spins: energies and motions against closed forms, formulas of the energy, and the models of the catalogue."""
from __future__ import annotations

from itertools import combinations
from typing import Any, Callable, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest

import polhode as ph
from polhode import rotations

Array = npt.NDArray[np.float64]
random = np.random.default_rng(5)


def unit(*shape: int) -> Array:
    v = random.normal(size=(*shape, 3))
    return np.asarray(v / np.linalg.norm(v, axis=-1, keepdims=True))


def follow(system: ph.System, s: Array, t: float, steps: int, method: str = "spherical-midpoint", **options: Any) -> Array:
    it = ph.Integrator(system, method, step=t / steps, **options)
    state = it.state(s)
    it.step(state, steps)
    return np.array(state.z).reshape(-1, 3)


def test_one_spin_turns_about_its_field() -> None:
    B, s = np.array([0.3, -0.2, 0.9]), unit(1)
    for strength in (1.0, -2.0):
        system = ph.System(spins=ph.Spins(1, field=B, strengths=strength))
        exact = rotations.exp(-3.0 * B / strength) @ s[0]  # s' = -(B x s)/Gamma
        assert np.allclose(system.spins.flow(s), -np.cross(B, s) / strength, atol=1e-15)
        assert np.allclose(follow(system, s, 3.0, 300, order=6), exact, atol=1e-12)
        assert np.allclose(follow(system, s, 3.0, 300, "spin-splitting"), exact, atol=1e-14)
        assert np.allclose(system.spins.momentum(s), strength * s[0])


def test_a_field_that_depends_on_time() -> None:
    s = np.array([[1.0, 0, 0]])
    rates: List[Any] = [None, lambda t: (0, 0, -np.sin(t))]
    for rate in rates:
        spins = ph.Spins(1, control=lambda t: (0, 0, np.cos(t)), control_rate=rate, moments=2.0)
        system = ph.System(spins=spins)
        end = follow(system, s, 2.0, 400, order=4)
        angle = -2 * np.sin(2.0)
        assert np.allclose(end, [[np.cos(angle), np.sin(angle), 0]], atol=1e-9)
        assert np.allclose(system.spins.control(2.0), [0, 0, np.cos(2.0)]) and system.spins.is_declared
        assert system.power(1.0, [0.6, 0, 0.8], [0, 0, 0]) == pytest.approx(2 * 0.8 * np.sin(1.0), rel=1e-13)  # -dB/dt . m s


def test_two_spins_turn_about_their_sum() -> None:
    s, c = unit(2), 1.7
    system = ph.System(spins=ph.Spins(2, bonds=[ph.Bonds("exchange", [0], [1], c)]))
    J = s.sum(axis=0)
    exact = s @ rotations.exp(-2.0 * c * J).T
    assert np.allclose(follow(system, s, 2.0, 400, order=6), exact, atol=1e-12)
    assert system.spins.energy(s) == pytest.approx(-c * s[0] @ s[1], rel=1e-14)


def test_damping() -> None:
    B, damping, s = 1.3, 0.2, np.array([[0.8, 0, -0.6]])
    system = ph.System(spins=ph.Spins(1, field=[0, 0, B], damping=[damping]))
    end = follow(system, s, 4.0, 400, order=4)
    assert end[0, 2] == pytest.approx(np.tanh(damping * B * 4.0 + np.arctanh(-0.6)), abs=1e-8)
    assert system.spins.is_damped and not system.is_conservative


N = 6
PAIRS: List[Tuple[int, int]] = [(0, 1), (1, 2), (3, 2), (5, 0)]
FIRST, SECOND = np.array(PAIRS).T
C = np.array([1.0, -0.5, 2.0, 0.3])
A = np.array([0.6, 0.0, 0.8])
GAMMA = np.array([1.0, -2.0, 0.5, 1.0, 3.0, -1.0])


def cube(x: float) -> Tuple[float, float, float]:
    return x**3, 3 * x**2, 6 * x


def vortices(s: Array) -> float:
    return float(sum(-GAMMA[i] * GAMMA[j] * np.log(np.sum((s[i] - s[j])**2) + 0.01) / (4 * np.pi)
                     for i, j in combinations(range(N), 2)))


CASES: List[Tuple[Any, Callable[[Array], float]]] = [
    (dict(bonds=[ph.Bonds("exchange", FIRST, SECOND, C)]), lambda s: -float(np.sum(C * np.sum(s[FIRST] * s[SECOND], axis=1)))),
    (dict(bonds=[ph.Bonds("axial", FIRST, SECOND, C, axis=A)]), lambda s: -float(np.sum(C * (s[FIRST] @ A) * (s[SECOND] @ A)))),
    (dict(bonds=[ph.Bonds("twist", FIRST, SECOND, C, axis=2 * A)]), lambda s: float(np.sum(C * (np.cross(s[FIRST], s[SECOND]) @ A)))),
    (dict(bonds=[ph.Bonds("vortices", core=0.1)]), vortices),
    (dict(bonds=[ph.Bonds("function", FIRST, SECOND, 2.0, function=cube),
                 ph.Bonds("function", FIRST[:1], SECOND[:1], function=lambda x: (np.exp(x),) * 3)]),
     lambda s: float(2 * np.sum(np.sum(s[FIRST] * s[SECOND], axis=1)**3) + np.exp(s[0] @ s[1]))),
    (dict(field=np.arange(3.0 * N).reshape(N, 3)), lambda s: -float(np.sum(np.arange(3.0 * N).reshape(N, 3) * s))),
    (dict(anisotropies=[ph.Anisotropy(0.7, A), ph.Anisotropy(np.arange(6.0))]),
     lambda s: -float(0.7 * np.sum((s @ A)**2) + np.sum(np.arange(6.0) * s[:, 2]**2)))]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_each_part_of_the_energy(case: int) -> None:
    arguments, H = CASES[case]
    system, s, h = ph.System(spins=ph.Spins(N, strengths=GAMMA, **arguments)), unit(N), 1e-5
    spins = system.spins
    assert spins.energy(s) == pytest.approx(H(s), rel=1e-13)
    higher = ph.System(spins=ph.Spins(N, strengths=GAMMA, constant=7.5, **arguments)).spins
    assert higher.energy(s) - spins.energy(s) == pytest.approx(7.5, rel=1e-13)
    for _ in range(3):  # along the spheres, the only part of a gradient that matters
        v = np.cross(random.normal(size=(N, 3)), s)
        ahead, back = (system.space.exp(s, k * h * v).reshape(N, 3) for k in (1, -1))
        assert np.sum(spins.gradient(s) * v) == pytest.approx((H(ahead) - H(back)) / (2 * h), rel=1e-6, abs=1e-8)
        row, column, blocks = spins.hessian(s)
        full = np.zeros((N, N, 3, 3))
        full[row, column] = blocks
        full[column, row] = blocks.transpose(0, 2, 1)
        slope = (spins.gradient(s + h * v) - spins.gradient(s - h * v)) / (2 * h)
        assert np.allclose(np.einsum("ijab,jb->ia", full, v), slope, rtol=1e-6, atol=1e-6)
    assert np.allclose(spins.torque(s), np.cross(spins.gradient(s), s), atol=1e-13)
    assert np.allclose(spins.flow(s), spins.torque(s) / GAMMA[:, None], atol=1e-13)
    assert np.allclose(spins.momentum(s), GAMMA @ s)
    if case == 4:
        assert np.allclose(spins.bond_function(0, 0.5), cube(0.5))


def test_an_energy_by_callbacks() -> None:
    """H = s_1 . M s_0 + s_0z^4 by callbacks in addition to a field that is declared."""
    M = random.normal(size=(3, 3))

    def H(z: Array) -> Any:
        return z[3:] @ M @ z[:3] + z[2]**4

    def hessian(t: float, z: Array) -> Array:
        blocks = np.zeros((2, 3, 3))
        blocks[0, 2, 2] = 12 * z[2]**2
        blocks[1] = M
        return blocks

    spins = ph.Spins(2, field=[0, 0, 1])
    s = unit(2)
    with pytest.warns(ph.CostWarning, match="complex steps: 6 calls"):
        system = ph.System(spins=spins, potential=H, spin_hessian=hessian, hessian_places=([0, 1], [0, 0]))
    assert system.spins.energy(s) == pytest.approx(s[1] @ M @ s[0] + s[0, 2]**4 - s[:, 2].sum(), rel=1e-14)
    expected = np.array([M.T @ s[1] + [0, 0, 4 * s[0, 2]**3 - 1], M @ s[0] - [0, 0, 1]])
    assert np.allclose(system.spins.gradient(s), expected, atol=1e-14)
    assert not system.spins.is_declared
    row, column, blocks = system.spins.hessian(s)
    assert row.tolist() == [0, 1, 1] and column.tolist() == [0, 0, 1] and np.allclose(blocks[1], M) and not blocks[2].any()
    end = follow(system, s, 1.0, 100, order=4)
    assert system.spins.energy(end) == pytest.approx(system.spins.energy(s), abs=1e-9)


def test_the_models_of_the_catalogue() -> None:
    model = ph.model("spin-lattice")
    theirs = model.system()
    side = 4
    number = np.arange(side * side).reshape(side, side)
    first = np.concatenate([number.ravel(), number.ravel()])
    second = np.concatenate([np.roll(number, -1, 0).ravel(), np.roll(number, -1, 1).ravel()])
    own = ph.System(spins=ph.Spins(side * side, bonds=[ph.Bonds("exchange", first, second, 1.0)]))
    s = unit(side * side)
    assert own.spins.energy(s) == pytest.approx(theirs.spins.energy(s), rel=1e-13)
    assert np.allclose(own.spins.gradient(s), theirs.spins.gradient(s), atol=1e-14)
    assert np.allclose(follow(own, s, 1.0, 50), follow(theirs, s, 1.0, 50), atol=1e-13)
    vortices = ph.model("point-vortices").system(circulations=[1.0, 2.0, -0.5])
    mine = ph.System(spins=ph.Spins(3, bonds=[ph.Bonds("vortices")], strengths=[1.0, 2.0, -0.5]))
    s = unit(3)
    assert mine.spins.energy(s) == pytest.approx(vortices.spins.energy(s), rel=1e-13)
    assert np.allclose(follow(mine, s, 1.0, 50), follow(vortices, s, 1.0, 50), atol=1e-14)
    assert mine.spins.least_distance(s) == pytest.approx(min(np.linalg.norm(s[i] - s[j]) for i, j in combinations(range(3), 2)))
    mine.spins.check_apart(s)
    with pytest.raises(ph.Error, match="vortices"):
        mine.spins.check_apart([s[0], s[1], s[0]])


def test_what_is_refused() -> None:
    with pytest.raises(ph.Error, match="strengths is for formulas"):
        ph.System(ph.Spin ** 2, strengths=np.ones(2))
    good = ph.Bonds("exchange", [0], [1])
    calls: List[Tuple[Callable[[], Any], str]] = [
        (lambda: ph.Spins(0), "n is 0"), (lambda: ph.Spins(2, strengths=[1.0]), "strengths"), (lambda: ph.Spins(2, field=[1, 2]), "field"),
        (lambda: ph.System(spins=ph.Spins(2, strengths=0.0)), "strength"), (lambda: ph.System(spins=ph.Spins(2, damping=-1.0)), "damping"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(kind="spring")])), "kinds are exchange"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=[2])])), "out of 0 ... 1"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=[-1])])), "out of 0 ... 1"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=[0.5])])), "whole numbers"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=[1, 1])])), "whole numbers"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=[0])])), "itself|same|0"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(second=None)])), "both"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(c=[1.0, 2.0])])), "shape"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(c=np.nan)])), "finite"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(kind="twist", axis=(0, 0, 0))])), "direction"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[good._replace(kind="function")])), "function"),
        (lambda: ph.System(spins=ph.Spins(2, bonds=[3])), "Bonds"), (lambda: ph.System(spins=ph.Spins(2, anisotropies=[3])), "Aniso"),  # type: ignore
        (lambda: ph.System(spins=3), "Spins"), (lambda: ph.System(spins=ph.Spins(2, control=3)), "control"),  # type: ignore
        (lambda: ph.System([ph.S2], spins=ph.Spins(2)), "spin"), (lambda: ph.model("heavy-top").system().spins, "not a system of spins"),
        (lambda: ph.System(spins=ph.Spins(2), force=lambda t, z, v: 0 * z), "force")]
    for call, words in calls:
        with pytest.raises(ph.Error, match=words):
            call()
    with pytest.raises(ph.Error, match="group of bonds 0 is not of the kind"):
        ph.System(spins=ph.Spins(2, bonds=[good])).spins.bond_function(0, 0.0)


def test_callbacks_that_fail() -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("here")

    s = unit(2)
    system = ph.System(spins=ph.Spins(2, bonds=[ph.Bonds("function", [0], [1], function=fails)]))
    calls: List[Callable[[], Any]] = [lambda: system.spins.energy(s), lambda: system.spins.gradient(s),
                                      lambda: system.spins.bond_function(0, 0.1), lambda: follow(system, s, 1.0, 10)]
    for call in calls:
        with pytest.raises(ZeroDivisionError, match="here"):
            call()
    with pytest.raises(ZeroDivisionError):
        follow(ph.System(spins=ph.Spins(1, control=fails)), s[:1], 1.0, 10)
