# SPDX-License-Identifier: BSD-3-Clause
"""Relative equilibria, steady motions and reduction against closed forms, and against what the program finds."""
from __future__ import annotations

from typing import Any, Dict

import numpy as np
import pytest

import polhode as ph
from polhode._program import call_json

G = 9.81


def test_conical_pendulum() -> None:
    m, l, mu = 2.0, 0.5, 1.7
    pendulum = ph.model("spherical-pendulum").system(mass=m, length=l)
    found = ph.equilibria(pendulum, momentum=mu)
    cone, = found
    cos, sin2 = -cone.z[2], 1 - cone.z[2] ** 2
    assert cone.rate**2 == pytest.approx(G / (l * cos), rel=1e-12)
    assert m * l**2 * sin2 * cone.rate == pytest.approx(mu, rel=1e-12)
    assert cone.energy == pytest.approx(m * l**2 * sin2 * cone.rate**2 / 2 - m * G * l * cos, rel=1e-12)
    assert cone.v == pytest.approx(cone.rate * np.cross([0, 0, 1], cone.z), abs=1e-12)
    assert cone.stability == "stable" and cone.growth == 0 and cone.residual < 1e-13
    # small oscillations about the cone: Omega^2 (1 + 3 cos^2)
    w = cone.rate * np.sqrt(1 + 3 * cos**2)
    assert cone.curvature == pytest.approx([w**2], rel=1e-9)
    assert cone.eigenvalues == pytest.approx([1j * w, -1j * w], rel=1e-9)
    assert repr(cone) in repr([cone]) and "stable" in repr(found) and "<table>" in found._repr_html_()


def test_equilibria_at_rest() -> None:
    pendulum = ph.model("spherical-pendulum").system()
    below, above = ph.equilibria(pendulum)
    assert below.z == pytest.approx([0, 0, -1], abs=1e-10) and above.z == pytest.approx([0, 0, 1], abs=1e-10)
    assert (below.stability, above.stability) == ("stable", "unstable")
    assert above.growth == pytest.approx(np.sqrt(G), rel=1e-9)
    assert below.distance(above) == pytest.approx(2)
    # from a start of one's own, which need not be on the sphere
    only, = ph.equilibria(pendulum, starts=[[0.1, 0.2, -3]])
    assert only.z == pytest.approx(below.z, abs=1e-10)
    # a system without symmetries: a double well on a line, U = (x^2 - 1)^2 / 4
    wells = ph.System([ph.R(1)], inertia=[2.0], potential=lambda x: float((x[0] ** 2 - 1) ** 2 / 4), gradient=lambda x: (x**2 - 1) * x)
    found = ph.equilibria(wells, starts=[[0.9], [-1.2], [0.1], [0.85]])
    assert sorted(float(e.z[0]) for e in found) == pytest.approx([-1, 0, 1], abs=1e-8)
    assert found[0].curvature == pytest.approx([1.0]) and found[2].growth == pytest.approx(np.sqrt(0.5))


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_sleeping_top(share: float) -> None:
    # about the pivot A, A, C: upright it is stable where (C w)^2 > 4 A m g l
    mass, l, a, c = 2.0, 0.3, 0.4, 0.1
    top = ph.model("heavy-top").system(mass=mass, centre=[0, 0, l], inertia=[a, a, c])
    A = a + mass * l**2
    w = share * np.sqrt(4 * A * mass * G * l) / c
    sleeping = ph.equilibria(top, momentum=c * w, starts=[np.eye(3)])[0]
    assert sleeping.z == pytest.approx(np.eye(3).ravel()) and sleeping.rate == pytest.approx(w)
    assert sleeping.energy == pytest.approx(c * w**2 / 2 + mass * G * l)
    growth = np.sqrt(max(mass * G * l / A - (c * w / (2 * A)) ** 2, 0))
    assert sleeping.growth == pytest.approx(growth, rel=1e-6)
    assert sleeping.stability == ("unstable" if share < 1 else "spectrally stable")


def test_a_family() -> None:
    pendulum = ph.model("spherical-pendulum").system()
    cone, = ph.equilibria(pendulum, momentum=0.5)
    family = cone.follow(30.0)
    assert family.momentum[0] == 0.5 and family.momentum[-1] == pytest.approx(30.0) and (np.diff(family.momentum) > 0).all()
    cos = G / family.rate**2
    assert family.momentum == pytest.approx((1 - cos**2) * family.rate, rel=1e-9)
    assert family.end == "the end of the interval" and set(family.marks) == {""} and len(family) == len(family.table)
    assert family[0].z == pytest.approx(cone.z) and len(family[1:3]) == 2 and family[-1].follow(20.0).momentum[-1] == pytest.approx(20)
    to_rest = cone.follow(0.0)  # the circle shrinks to hanging at rest
    assert to_rest.rate[-1] == pytest.approx(np.sqrt(G), rel=1e-3) and to_rest.momentum[-1] < 1e-3


def test_those_of_the_program() -> None:
    theirs = call_json(["equilibria", "double-spherical-pendulum", "--momentum", "100", "--to", "400"])
    system = ph.model("double-spherical-pendulum").system()
    for found in (ph.equilibria("double-spherical-pendulum", momentum=100), ph.equilibria(system, momentum=100)):
        assert len(found) == len(theirs["equilibria"]) == 4
        for mine, other in zip(found, theirs["equilibria"]):
            assert (mine.rate, mine.energy) == pytest.approx((other["rate"], other["energy"]), rel=1e-9)
            assert (mine.stability, mine.negative) == (other["stability"], other["negative"])
            assert mine.growth == pytest.approx(other["growth"], rel=1e-6, abs=1e-6)
    family, points = found[1].follow(400), theirs["families"][1]["points"]
    assert [mark for mark in family.marks if mark] == [p["mark"] for p in points if p["mark"]] == ["stability changes"]
    changes = [p["momentum"] for p in points if p["mark"]]
    assert family.momentum[family.marks.index("stability changes")] == pytest.approx(changes[0], rel=1e-5)


def test_a_figure_of_a_family() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    family = ph.equilibria("double-spherical-pendulum", momentum=100)[1].follow(400)
    ax = family.plot()
    stable, unstable, dot = ax.get_lines()
    i = family.marks.index("stability changes")
    assert dot.get_xdata() == family.momentum[i] and [t.get_text() for t in ax.texts] == ["stability changes"]
    assert np.isfinite(stable.get_ydata()).sum() + np.isfinite(unstable.get_ydata()).sum() >= len(family)
    assert unstable.get_linestyle() == "--" and family.plot(ax, "rate") is ax
    with pytest.raises(ph.Error, match="'energy', 'rate' or 'growth'"):
        family.plot(y="rates")
    matplotlib.pyplot.close("all")


def test_scenarios_for_equilibria() -> None:
    model = ph.model("spherical-pendulum")
    from_dict = ph.equilibria({"model": "spherical-pendulum"}, length=2.0, momentum=1.0)
    text = model.new()
    from_text = ph.equilibria(text, length=2.0, momentum=1.0)
    direct = ph.equilibria(model.system(length=2.0), momentum=1.0)
    assert from_dict[0].rate == pytest.approx(direct[0].rate) and from_text[0].rate == pytest.approx(direct[0].rate, rel=1e-9)
    assert from_dict[0].follow(2.0).momentum[-1] == pytest.approx(2.0)


@pytest.mark.parametrize("share", [0.8, 1.2])
def test_upright_disk(share: float) -> None:
    # A (A + m r^2) lambda^2 = A m g r - C (C + m r^2) w^2 (Neimark and Fufaev)
    m, r, A, C = 2.0, 0.5, 0.2, 0.3
    model = ph.model("rolling-disk")
    values: Dict[str, Any] = {"mass": m, "radius": r, "diametral": A, "axial": C, "gravity": G}
    z, v = model.initial("straight", **values)
    w = share * np.sqrt(A * m * G * r / (C * (C + m * r**2)))
    motion = ph.steady_motion(model.system(**values), z, v * w / 3)
    square = (A * m * G * r - C * (C + m * r**2) * w**2) / (A * (A + m * r**2))
    assert motion.growth == pytest.approx(np.sqrt(max(square, 0)), rel=1e-6, abs=1e-9)
    fastest = motion.eigenvalues[0]
    assert fastest**2 == pytest.approx(square, rel=1e-6)
    assert motion.energy == pytest.approx((C + m * r**2) * w**2 / 2 + m * G * r) and motion.residual < 1e-12
    rates = {(p.kind, p.axis): rate for p, rate in zip(motion.parts, motion.rates)}
    assert abs(rates["spin", 2]) == pytest.approx(w) and np.hypot(rates["shift", 0], rates["shift", 1]) == pytest.approx(w * r)


def test_reduction_of_a_spherical_pendulum() -> None:
    m, l, mu = 2.0, 3.0, 5.0
    turn = ph.Reduction(ph.model("spherical-pendulum").system(mass=m, length=l))
    rng = np.random.default_rng(3)
    for _ in range(5):
        q = rng.normal(size=3)
        q /= np.linalg.norm(q)
        w = rng.normal(size=3)
        v = np.cross(w, q)
        inertia = m * l**2 * (1 - q[2] ** 2)
        assert turn.generator(q) == pytest.approx(np.cross([0, 0, 1], q))
        assert turn.locked_inertia(q) == pytest.approx(inertia)
        assert turn.connection(q, v) == pytest.approx(m * l**2 * np.cross(q, v)[2] / inertia)
        V, dV = turn.amended_potential(q, mu)
        assert V == pytest.approx(m * G * l * q[2] + mu**2 / (2 * inertia))
        tangent = np.cross(q, rng.normal(size=3))
        slope = tangent @ [0, 0, m * G * l + mu**2 * m * l**2 * q[2] / inertia**2]
        assert dV @ tangent == pytest.approx(slope)
        assert turn.locked_inertia_gradient(q) @ tangent == pytest.approx(-2 * m * l**2 * q[2] * tangent[2])
        c, s = np.cos(0.3), np.sin(0.3)
        R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        assert turn.turn(0.3, q) == pytest.approx(R @ q) and turn.turn_momentum(0.3, v) == pytest.approx(R @ v)
    with pytest.raises(ph.Error) as caught:
        turn.connection([0, 0, 1], [1, 0, 0])
    assert caught.value.status == "PH_E_SINGULAR"


def test_the_reduced_trajectory_is_that_of_the_whole() -> None:
    model = ph.model("double-spherical-pendulum")
    system = model.system()
    q, v = model.initial()
    reduced = ph.routh(system, "Jg")
    z, zdot = reduced.reduce(q, v, phi=0.2)
    assert z[-1] == 0.2 and zdot[-1] == pytest.approx(ph.Reduction(system).connection(q, v))
    back = reduced.reconstruct(z, zdot)
    assert back[0] == pytest.approx(q) and back[1] == pytest.approx(v)
    assert sum(reduced.energy(z, zdot)) == pytest.approx(sum(system.energy(q, v)))
    whole = ph.Integrator(system, "variational", step=0.01, order=4)
    part = ph.Integrator(reduced, "variational", step=0.01, order=4)
    one, other = whole.state(q, v), part.state(z, zdot)
    whole.step(one, 200)
    part.step(other, 200)
    assert reduced.reconstruct(other.z, other.v)[0] == pytest.approx(one.z, abs=1e-11)


def test_reduction_by_all_rotations() -> None:
    model = ph.model("free-rigid-body")
    system = model.system(inertia=[0.6, 0.8, 1.0])
    q, v = model.initial()  # body angular momentum (1.8, 0.4, -0.9)
    reduced = ph.routh(system, "SO3")
    z, zdot = reduced.reduce(q, v)
    mu = reduced.momentum(z, zdot)[-1]
    assert mu == pytest.approx(np.sqrt(1.8**2 + 0.4**2 + 0.9**2))
    assert z[:9].reshape(3, 3).T @ [0, 0, 1] == pytest.approx(np.array([1.8, 0.4, -0.9]) / mu)


@pytest.mark.parametrize("call, status", [
    (lambda: ph.equilibria(ph.model("rolling-disk").system()), "PH_E_UNSUPPORTED"),
    (lambda: ph.equilibria("rolling-disk"), "PH_E_UNSUPPORTED"),
    (lambda: ph.equilibria(ph.model("kepler").system(), symmetry="J9"), "PH_E_UNKNOWN"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), momentum=[1, 2]), "PH_E_SIZE"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), momentum=float("nan")), "PH_E_NOT_FINITE"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), symmetry=[0, 0]), "PH_E_INVALID"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), starts=[[1, 2]]), "PH_E_SIZE"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), length=2), "PH_E_INVALID"),
    (lambda: ph.equilibria(3), "PH_E_INVALID"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), symmetry=[], starts=3)[0].follow(1), "PH_E_INVALID"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), momentum=1)[0].follow(2, symmetry="J"), "PH_E_UNKNOWN"),
    (lambda: ph.equilibria(ph.model("spherical-pendulum").system(), momentum=1)[0].follow(float("inf")), "PH_E_NOT_FINITE"),
    (lambda: ph.steady_motion(ph.model("rolling-disk").system(), [1], [2]), "PH_E_SIZE"),
    (lambda: ph.steady_motion(None, [1], [2]), "PH_E_INVALID"),  # type: ignore[arg-type]
    (lambda: ph.routh(ph.model("rolling-disk").system()), "PH_E_UNKNOWN"),
    (lambda: ph.routh(ph.model("heavy-top").system(), "SO3"), "PH_E_UNSUPPORTED"),
    (lambda: ph.Reduction(ph.model("heavy-top").system(), 7), "PH_E_RANGE"),
])
def test_mistakes(call: Any, status: str) -> None:
    with pytest.raises(ph.Error) as caught:
        call()
    assert caught.value.status == status, caught.value


def test_an_exception_of_a_callback_arrives() -> None:
    def potential(q: ph._core.Array) -> float:
        raise ZeroDivisionError("here")

    symmetry = ph.Symmetry("J3", (0, 0, 1))
    system = ph.System([ph.S2], inertia=[1.0], potential=potential, gradient=lambda q: 1 / 0, symmetries=[symmetry])
    with pytest.raises(ZeroDivisionError):
        ph.equilibria(system, momentum=1.0, starts=2)


def test_made_by_hand() -> None:
    # what has the names of C's structure, and less behind them, would be read beyond its end
    model = ph.model("heavy-top")
    state = ph.Integrator(model.system(), step=0.1).state(*model.initial())
    with pytest.raises(ph.Error, match="made by the functions that return them"):
        ph.SteadyMotion(state, 100, [])
