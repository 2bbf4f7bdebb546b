# SPDX-License-Identifier: BSD-3-Clause
"""Chaplygin reduction: a wheel on an incline in closed form, Chaplygin's ball as data and as a system with constraints."""
from __future__ import annotations

from typing import Any, Dict

import numpy as np
import pytest

import polhode as ph

M, R, J, SLOPE = 2.0, 0.5, 0.3, 0.981


def wheel(**more: Any) -> ph.Bundle:
    return ph.Bundle([ph.R(1)], 1, lambda x: {"K": [[J, 0], [0, M]], "V": -M * SLOPE * R * x[0], "w": [[-R]]}, **more)


def test_a_wheel_on_an_incline() -> None:
    b = wheel()
    a = M * SLOPE * R / (J + M * R**2)
    acceleration, reaction = b.acceleration(0, [0.4], [1.5])
    assert acceleration == pytest.approx([a]) and abs(reaction[0]) == pytest.approx(M * R * a)
    assert b.group_velocity([0.4], [1.5]) == pytest.approx([1.5 * R])
    assert b.energy([0.4], [1.5]) == pytest.approx((J + M * R**2) * 1.5**2 / 2 - M * SLOPE * R * 0.4)
    y, px, pzeta = b.momentum([0.4], [1.5])
    assert (y[0], px[0], pzeta[0]) == pytest.approx(((J + M * R**2) * 1.5, J * 1.5, M * R * 1.5))
    assert b.velocity([0.4], y) == pytest.approx([1.5])
    for rule in ("ends", "midpoint", "rk4"):  # all are exact for a constant acceleration
        motion = b.motion([0.0], [1.0], [2.0], step=0.1, rule=rule, t=1.0)
        motion.step(20)
        assert motion.t == pytest.approx(3.0) and motion.x == pytest.approx([2 + a * 2**2 / 2]) and motion.v == pytest.approx([1 + 2 * a])
        assert motion.h == pytest.approx([2 + R * motion.x[0]])
    assert b.check().message == "" and b.dimension == 1 and len(b.fibre.factors) == 1


def test_a_force_and_a_derivative() -> None:
    damped = wheel(along=lambda x, dx: {"V": -M * SLOPE * R * dx[0]}, force=lambda t, x, v, zeta: [-0.2 * v[0], -0.1 * zeta[0] + t])
    acceleration, _ = damped.acceleration(3.0, [0.0], [2.0])
    assert acceleration == pytest.approx([(M * SLOPE * R - 0.2 * 2 + R * (-0.1 * 2 * R + 3)) / (J + M * R**2)])
    assert damped.check().derivative < 1e-9
    wrong = wheel(along=lambda x, dx: {"V": M * SLOPE * R * dx[0]})
    assert "derivative" in wrong.check().message and wrong.check().derivative > 0.1


def test_chaplygins_ball_is_that_of_the_catalogue() -> None:
    values: Dict[str, Any] = {"mass": 1.3, "radius": 0.9, "inertia": [0.8, 1.1, 1.3]}
    model = ph.model("chaplygin-ball")
    known = {p.name for p in model.parameters}
    values = {k: v for k, v in values.items() if k in known}
    system = model.system(**values)
    z, v = model.initial(**values)
    place = next(i for i, f in enumerate(system.space.factors) if f.kind == ph.lib.PH_FACTOR_R)
    body = 1 - place
    b = ph.Bundle.from_system(system, 2, [place])
    report = b.check(4)
    assert report.message == "" and report.connection_varies < 1e-9
    parts, rates = system.space.split(z), system.space.split(v)
    assert b.energy(parts[body], rates[body]) == pytest.approx(sum(system.energy(z, v)))
    assert b.group_velocity(parts[body], rates[body]) == pytest.approx(rates[place])
    motion = b.motion(parts[body], rates[body], parts[place], step=0.02, composition="kahan-li-9")
    motion.step(50)
    whole = ph.Integrator(system, "dla", step=0.02, order=6)
    state = whole.state(z, v)
    whole.step(state, 50)
    there = system.space.split(state.z)
    assert motion.x == pytest.approx(there[body].ravel(), abs=1e-6) and motion.h == pytest.approx(there[place], abs=1e-6)
    # the moment of momentum about the contact is constant in space
    start = parts[body].reshape(3, 3) @ b.momentum(parts[body], rates[body])[0]
    assert motion.x.reshape(3, 3) @ motion.y == pytest.approx(start, abs=1e-12)


def test_groups_move() -> None:
    circle = ph.Bundle([ph.R(1)], "S1", lambda x: {"K": np.eye(2)})
    assert circle.move([1, 0], [np.pi / 2]) == pytest.approx([0, 1], abs=1e-15)
    ball = ph.Bundle([ph.R(1)], "SO3", lambda x: {"K": np.eye(4)})
    assert ball.move(np.eye(3), [0, 0, np.pi / 2]).reshape(3, 3) == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]]), abs=1e-15)
    # w = (0, x dy): the curvature is dx ^ dy
    plane = ph.Bundle([ph.R(2)], 1, lambda x: {"K": np.eye(3), "w": [[0, x[0]]]})
    assert plane.curvature([0.3, 0.7], [1, 0], [0, 1]) == pytest.approx([1.0])


def test_a_step_on_the_sphere() -> None:
    inertia = np.diag([0.5, 0.8, 1.1])
    turn, y = np.eye(3), np.array([0.4, -0.3, 0.0])
    back, after = turn, y
    for h in (0.05, -0.05):  # symmetric
        back, after, f = ph.sphere_step(inertia, h, back, after)
    assert back == pytest.approx(turn, abs=1e-14) and after == pytest.approx(y, abs=1e-14)
    once, moved, f = ph.sphere_step(inertia, 0.05, turn, y)
    assert moved @ once.T @ [0, 0, 1] == pytest.approx(0, abs=1e-14) and f == pytest.approx(0.05 * y / np.diag(inertia), rel=1e-2)


def test_mistakes() -> None:
    with pytest.raises(ph.Error, match="dict of K, V, w, xi"):
        ph.Bundle([ph.R(1)], 1, lambda x: 1)
    with pytest.raises(ph.Error, match=r"K of data has the shape \(3, 3\)"):
        ph.Bundle([ph.R(1)], 1, lambda x: {"K": np.eye(3)})
    with pytest.raises(ph.Error, match="keys k; they are"):
        ph.Bundle([ph.R(1)], 1, lambda x: {"k": np.eye(2)})
    with pytest.raises(ZeroDivisionError):
        ph.Bundle([ph.R(1)], 1, lambda x: 1 / 0)
    with pytest.raises(ph.Error, match="group is 'SO4'"):
        ph.Bundle([ph.R(1)], "SO4", lambda x: {})
    with pytest.raises(ph.Error, match="must be a function"):
        ph.Bundle([ph.R(1)], 1, None)  # type: ignore[arg-type]
    with pytest.raises(ph.Error, match="rule is 'end'"):
        wheel().motion([0.0], [1.0], [0.0], step=0.1, rule="end")
    with pytest.raises(ph.Error, match="kahan"):
        wheel().motion([0.0], [1.0], [0.0], step=0.1, composition="kahan-li-8")
    with pytest.raises(ph.Error):
        ph.Bundle.from_system(ph.model("heavy-top").system(), "SO3", [0])
    late = wheel(force=lambda t, x, v, zeta: 1 / 0 if t > 0.25 else [0, 0])
    motion = late.motion([0.0], [1.0], [0.0], step=0.1)
    with pytest.raises(ZeroDivisionError):
        motion.step(10)
    assert 0.1 < motion.t < 0.35
