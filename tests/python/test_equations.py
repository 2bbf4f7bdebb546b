# SPDX-License-Identifier: BSD-3-Clause
"""The equations of motion as a vector field, against closed forms and against each other."""
from __future__ import annotations

import threading

import numpy as np
import pytest

import polhode as ph


def test_a_pendulum() -> None:
    # qddot = -|qdot|^2 q - g (e3 - (e3 . q) q) on the unit sphere
    system = ph.model("spherical-pendulum").system(gravity=9.81)
    q, w = np.array([0.6, 0, -0.8]), np.array([0.3, 1.2, 0.225])
    v = np.cross(w, q)
    F = ph.Field(system, "q-qdot")
    e3 = np.array([0, 0, 1.0])
    rate = F(0.0, F.y(q, v))
    assert rate[:3] == pytest.approx(v) and rate[3:] == pytest.approx(-(v @ v) * q - 9.81 * (e3 - q[2] * q))
    assert ph.Field(system).form in ph.forms and F.size == 6


def test_a_free_body() -> None:
    # Euler's equations: J wdot = J w x w, Rdot = R S(w)
    J = np.array([0.6, 0.8, 1.0])
    system = ph.model("free-rigid-body").system(inertia=J)
    w = np.array([0.3, -1.1, 0.7])
    F = ph.Field(system, "q-omega")
    S = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    rate = F(0.0, F.y(np.eye(3), S))
    assert rate[:9].reshape(3, 3) == pytest.approx(S) and rate[9:] == pytest.approx(np.cross(J * w, w) / J)


@pytest.mark.parametrize("form", ph.forms)
def test_all_forms_say_the_same(form: str) -> None:
    model = ph.model("double-spherical-pendulum")
    system = model.system()
    z, v = model.initial()
    F, base = ph.Field(system, form), ph.Field(system, "q-pi")
    y = F.y(z, v)
    assert F.state(y)[0] == pytest.approx(z) and F.state(y)[1] == pytest.approx(system.momentum(z, v))
    assert F.y(z, p=system.momentum(z, v)) == pytest.approx(y) and F.project(y) == pytest.approx(y)
    assert F.convert(y, "q-pi") == pytest.approx(base.y(z, v)) and base.convert(base.y(z, v), F) == pytest.approx(y)
    h = 1e-4  # the derivative in the momenta by differences along the field
    ahead, behind = (F.convert(F.project(y + s * h * F(0.0, y)), base) for s in (1, -1))
    assert (ahead - behind) / (2 * h) == pytest.approx(base(0.0, base.y(z, v)), rel=1e-5, abs=1e-5)


def test_it_serves_scipy() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    model = ph.model("double-spherical-pendulum")
    system = model.system()
    z, v = model.initial()
    F = ph.Field(system)
    result = integrate.solve_ivp(F, (0, 1), F.y(z, v), method="DOP853", rtol=1e-11, atol=1e-11)
    it = ph.Integrator(system, "variational", step=0.01, order=8)
    state = it.state(z, v)
    it.step(state, 100)
    assert F.state(result.y[:, -1])[0] == pytest.approx(state.z, abs=1e-8)


def test_threads_share_one() -> None:
    system = ph.model("chain-pendulum").system(masses=[1.0] * 6)
    z, v = ph.model("chain-pendulum").initial(masses=[1.0] * 6)
    F = ph.Field(system)
    y = F.y(z, v)
    alone, found = F(0.0, y), list[ph._core.Array]()
    threads = [threading.Thread(target=lambda: found.extend(F(0.0, y) for _ in range(50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and all((one == alone).all() for one in found)


def test_mistakes() -> None:
    system = ph.model("heavy-top").system()
    with pytest.raises(ph.Error, match='did you mean "q-omega"'):
        ph.Field(system, "q-omeg")
    with pytest.raises(ph.Error, match="linkage|links"):
        ph.Field(system, "tensions")
    F = ph.Field(system)
    with pytest.raises(ph.Error, match="must be"):
        F(0.0, [1, 2])
    with pytest.raises(ph.Error, match="missing"):
        F.y(np.eye(3))
    with pytest.raises(ph.Error, match="not of both"):
        F.y(np.eye(3), np.zeros((3, 3)), p=[0, 0, 0])
    failing = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 0.0, gradient=lambda q: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ph.Field(failing)(0.0, [1, 0, 0, 0, 0, 0])
