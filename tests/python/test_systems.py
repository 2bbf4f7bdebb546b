# SPDX-License-Identifier: BSD-3-Clause
"""Systems by callbacks and by data: one motion in several descriptions, derivatives by steps and by hand, models of the catalogue."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest

import polhode as ph
from polhode import rotations

Array = npt.NDArray[np.float64]
G = 9.81
random = np.random.default_rng(3)


def run(system: ph.System, z: Any, v: Any, steps: int = 50, step: float = 0.01, method: str = "variational", **options: Any) -> Array:
    it = ph.Integrator(system, method, step=step, **options)
    state = it.state(z, v, project=True)
    it.step(state, steps)
    return np.concatenate([state.z, state.v])


# ---- Derivatives


def point(space: ph.Space) -> Tuple[Array, Array]:
    z = space.project(random.normal(size=space.ambient))
    return z, space.project_tangent(z, random.normal(size=space.ambient))


B = random.normal(size=(3, 3))
SPACES: List[Tuple[Any, Callable[[Array], Any], Callable[[Array], Array]]] = [
    (ph.R(3), lambda x: np.exp(x[0]) * np.sin(x[1]) + x[2]**4,
     lambda x: np.array([np.exp(x[0]) * np.sin(x[1]), np.exp(x[0]) * np.cos(x[1]), 4 * x[2]**3])),
    (ph.S2, lambda q: q @ B @ q + 1 / (2 + q[2]), lambda q: np.asarray((B + B.T) @ q - np.array([0, 0, 1 / (2 + q[2])**2]))),
    (ph.SO3, lambda R: np.sum(B.ravel() * R) + R[0]**3 * R[8], lambda R: np.asarray(
        B.ravel() + np.eye(9)[0] * 3 * R[0]**2 * R[8] + np.eye(9)[8] * R[0]**3))]


@pytest.mark.parametrize("case", range(3))
def test_derivatives_against_gradients_by_hand(case: int) -> None:
    factor, U, dU = SPACES[case]
    inertia: Any = [(1.0, 2.0, 3.0)] if factor is ph.SO3 else [1.5]
    z, v = point(ph.Space(factor))
    n = len(z)
    with pytest.warns(ph.CostWarning, match=f"gradient|complex steps: {n} calls") as said:
        exact = ph.System([factor], inertia=inertia, potential=U)
    assert len(said) == 1 and said[0].filename == __file__ and f"complex steps: {n} calls of it" in str(said[0].message)
    with pytest.warns(ph.CostWarning, match=f"differences of order 8: {8 * n} calls"):
        by_differences = ph.System([factor], inertia=inertia, potential=lambda z: U(z + 0 * np.abs(z)) if z.dtype == float else 1 / 0)
    for tried in range(10):
        z, v = point(ph.Space(factor))
        g = dU(z)
        assert np.max(np.abs(exact.gradient(z) - g)) < 4e-15 * max(1, np.max(np.abs(g)))
        assert np.max(np.abs(by_differences.gradient(z) - g)) < 2e-11 * max(1, np.max(np.abs(g)))
    by_hand = ph.System([factor], inertia=inertia, potential=U, gradient=dU)
    assert not any(entry.wrong for system in (by_hand, exact, by_differences) for entry in ph.check(system))
    # the same motion, by a general Lagrangian, too
    MM = ph.inertia_matrix(exact.space, inertia)
    with pytest.warns(ph.CostWarning, match="Lagrangian are by complex steps"):
        general = ph.System([factor], lagrangian=lambda z, v: 0.5 * v @ MM @ v - U(z))
    with pytest.warns(ph.CostWarning, match="Lagrangian are by differences"):
        least = ph.System([factor], lagrangian=lambda z, v: float(0.5 * v @ MM @ v - U(z)))
    assert np.allclose(general.lagrangian_gradient(z, v)[0], -dU(z), atol=1e-14)
    assert np.allclose(general.lagrangian_hessian(z, v)[2], MM, atol=1e-10)
    ends = [run(system, z, v, 4, method="rk4") for system in (by_hand, exact, by_differences, general, least)]
    assert np.allclose(ends[1], ends[0], atol=1e-13) and np.allclose(ends[2], ends[0], atol=1e-11)
    assert np.allclose(ends[3], ends[0], atol=1e-10) and np.allclose(ends[4], ends[0], atol=1e-8)


@pytest.mark.parametrize("rate", [0.4, -0.7])
def test_a_lagrangian_in_time(rate: float) -> None:
    # L = e^(rate t) (v^2 - w^2 z^2)/2: z'' + rate z' + w^2 z = 0
    w = 2.0

    def L(t: float, z: Any, v: Any) -> Any:
        return np.exp(rate * t) * (v[0]**2 - w**2 * z[0]**2) / 2

    with pytest.warns(ph.CostWarning, match="Lagrangian are by complex steps"):
        system = ph.System([ph.R(1)], lagrangian=L, lagrangian_rate=lambda t, z, v: (rate * L(t, z, v), rate * np.exp(rate * t) * v))
    assert {"dL/dt", "d2L/dzdot dt"} <= {entry.name for entry in ph.check(system, [0.3], [0.2], 0.7) if not entry.wrong}
    assert system.momentum([1.0], [3.0], 2.0) == pytest.approx(3 * np.exp(2 * rate))
    assert system.power(0.5, [0.3], [0.2]) == pytest.approx(-rate * L(0.5, [0.3], [0.2]))
    it = ph.Integrator(system, "variational", step=0.01, order=6)
    state = it.state([1.0], [0.0])
    it.step(state, 500)
    t, W = 5.0, np.sqrt(w**2 - rate**2 / 4)
    assert state.t == pytest.approx(t)
    assert state.z[0] == pytest.approx(np.exp(-rate * t / 2) * (np.cos(W * t) + rate / (2 * W) * np.sin(W * t)), abs=1e-10)
    assert sum(system.energy(state.z, state.v, t)) == pytest.approx(np.exp(rate * t) * (state.v[0]**2 + w**2 * state.z[0]**2) / 2)


def test_check_names_what_is_wrong() -> None:
    system = ph.System([ph.S2], inertia=1.0, potential=lambda q: G * q[2], gradient=lambda q: [0, 0, 2 * G])
    wrong = [entry for entry in ph.check(system) if entry.wrong]
    assert len(wrong) == 1 and "2" in wrong[0].mistake
    damped = ph.System([ph.R(2)], inertia=1.0, force=lambda t, x, v: -0.3 * v, force_dv=lambda t, x, v: 0.3 * np.eye(2))
    assert any(entry.wrong for entry in ph.check(damped))


# ---- One double pendulum, in all descriptions

L1, L2, M1, M2 = 1.0, 0.5, 2.0, 1.0
PAIRS = np.array([[(M1 + M2) * L1**2, M2 * L1 * L2], [M2 * L1 * L2, M2 * L2**2]])
WEIGHTS = np.array([(M1 + M2) * L1, M2 * L2])


def weight(z: Array) -> Any:
    return G * (WEIGHTS[0] * z[2] + WEIGHTS[1] * z[5])


def pull(z: Array) -> Array:
    return G * np.array([0, 0, WEIGHTS[0], 0, 0, WEIGHTS[1]])


Z0 = [[0.6, 0.0, -0.8], [0.0, 1.0, 0.0]]
V0 = [[0.0, 0.5, 0.0], [0.3, 0.0, 1.0]]


def test_one_motion_in_all_descriptions() -> None:
    space = ph.S2**2
    MM = np.kron(PAIRS, np.eye(3))
    inverse = np.linalg.inv(PAIRS)
    plain: Any = dict(potential=weight, gradient=pull)
    systems = {
        "pairs": ph.System(space, inertia=PAIRS, **plain),
        "coordinates": ph.System(space, inertia=MM, **plain),
        "linkage": ph.System(space, linkage=ph.Linkage([L1, L2], [M1, M2], gravity=(0, 0, -G))),
        "a tree": ph.System(space, linkage=ph.Linkage([L1, L2], [M1, M2], gravity=(0, 0, -G), parent=[None, 0])),
        "inverse": ph.System(space, inverse_inertia=([0, 1, 1], [0, 0, 1], [inverse[0, 0], inverse[0, 1], inverse[1, 1]]), **plain),
        "a function, pairs": ph.System(space, inertia=lambda z: PAIRS, inertia_dz=lambda z: np.zeros((2, 2, 6)), **plain),
        "a function": ph.System(space, inertia=lambda z: MM, inertia_dz=lambda z: np.zeros((6, 6, 6)), **plain),
        "Lagrangian": ph.System(space, lagrangian=lambda z, v: 0.5 * v @ MM @ v - weight(z),
                                lagrangian_gradient=lambda z, v: (-pull(z), MM @ v),
                                lagrangian_hessian=lambda z, v: (np.zeros((6, 6)), np.zeros((6, 6)), MM)),
        "in time": ph.System(space, inertia=PAIRS, potential_in_time=lambda t, z: weight(z), gradient_in_time=lambda t, z: pull(z)),
        "a force": ph.System(space, inertia=PAIRS, force=lambda t, z, v: -pull(z), force_ignores_velocity=True),
        "torques": ph.System(space, inertia=PAIRS).forced(force=lambda t, z, v: np.concatenate([
            ph.torque(z[:3], np.cross(z[:3], -pull(z)[:3])), ph.torque(z[3:], np.cross(z[3:], -pull(z)[3:]))])),
        "the catalogue": ph.model("chain-pendulum").system(masses=[M1, M2], lengths=[L1, L2], gravity=G),
    }
    ends = {name: run(system, Z0, V0, 100, method="rk8") for name, system in systems.items()}
    for name, end in ends.items():
        assert np.allclose(end, ends["pairs"], atol=1e-12), name
    kinds = {name: system.kind for name, system in systems.items()}
    assert kinds["pairs"] == kinds["linkage"] == "constant inertia" and kinds["Lagrangian"] == "general Lagrangian"
    assert kinds["a function"] == "inertia that depends on the configuration"
    assert [system.is_conservative for system in systems.values()] == [True] * 8 + [False] * 3 + [True]
    energies = [sum(systems[name].energy(np.ravel(Z0), np.ravel(V0))) for name in ("pairs", "linkage", "Lagrangian")]
    T = 0.5 * np.ravel(V0) @ MM @ np.ravel(V0)
    assert np.allclose(energies, T + weight(np.ravel(Z0)), rtol=1e-14)
    assert np.allclose(systems["linkage"].places(Z0), [[0.6, 0, -0.8], [0.6, 0.5, -0.8]])


def test_masses_one_for_each_factor() -> None:
    a = ph.System(ph.R(2)**3, inertia=[1.0, 2.0, 3.0])
    assert a.momentum(np.zeros(6), np.ones(6)).tolist() == [1, 1, 2, 2, 3, 3]
    assert repr(ph.Space([ph.SO3, *ph.R(2)**9])) == "Space([SO3, R(2)**9])"
    many = ph.System(ph.R(3)**2000, inertia=np.arange(1.0, 2001))  # without a matrix of 36 million numbers
    assert many.momentum(np.zeros(6000), np.ones(6000))[-1] == 2000
    body = ph.System(ph.SO3, inertia=(3.0, 2.0, 1.5))
    w = np.array([0.1, 0.2, 0.3])
    assert np.allclose(body.momentum(np.eye(3).ravel(), rotations.hat(w).ravel()), [0.3, 0.4, 0.45])
    mixed = ph.System([ph.R(1), ph.SO3], inertia=[2.0, np.diag([3.0, 2.0, 1.5])])
    z: Any = [[0.0], np.eye(3)]
    v: Any = [[1.0], rotations.hat(w)]
    assert np.allclose(mixed.momentum(z, v), [2, 0.3, 0.4, 0.45])


def test_a_heavy_top_as_body_articulation_and_model() -> None:
    m, J, rho = 2.0, np.diag([0.5, 0.6, 0.3]), np.array([0.0, 0.1, 0.4])
    about = J + m * (rho @ rho * np.eye(3) - np.outer(rho, rho))
    row = np.concatenate([np.zeros(6), m * G * rho])
    top = ph.System(ph.SO3, inertia=about, potential=lambda R: row @ R, gradient=lambda R: row, points=lambda R: R.reshape(3, 3) @ rho,
                    symmetries=[ph.Symmetry("Jg", axis=(0, 0, 1))], up=(0, 0, 1))
    hung = ph.System(ph.SO3, articulation=ph.Articulation([m], [J], [-rho], [[0, 0, 0]], gravity=(0, 0, -G)))
    theirs = ph.model("heavy-top").system(mass=m, centre=rho, inertia=J.diagonal(), gravity=(0, 0, -G))
    R, w = rotations.exp([0.4, 0.2, 0.1]), np.array([0.5, -0.3, 6.0])
    z, v = R.ravel(), (R @ rotations.hat(w)).ravel()
    ends = [run(system, z, v, 100, order=8) for system in (top, hung, theirs)]
    assert np.allclose(ends[1], ends[0], atol=1e-11) and np.allclose(ends[2], ends[0], atol=1e-11)
    p = top.momentum(z, v)
    assert np.allclose(p, about @ w) and top.momentum_map("Jg", z, p) == pytest.approx((R @ p)[2])
    assert np.allclose(top.places(z), [R @ rho]) and np.allclose(hung.places(z), [R @ rho])
    assert np.allclose(top.gradient(z).reshape(3, 3), np.outer([0, 0, 1], m * G * rho))


# ---- Inertia that depends on the configuration, forces, time


def test_polar_coordinates() -> None:
    """Kepler's motion: r, phi in R^2 against x, y."""
    with pytest.warns(ph.CostWarning, match="inertia is by complex steps: 2 calls"):
        polar = ph.System([ph.R(2)], inertia=lambda z: np.diag([1.0 + 0 * z[0], z[0]**2]), potential=lambda z: -1 / z[0],
                          gradient=lambda z: [1 / z[0]**2, 0], symmetries=[ph.Symmetry("L", generator=lambda z: [0, 1])])
    plane = ph.System([ph.R(2)], inertia=1.0, potential=lambda x: -(x @ x)**-0.5, gradient=lambda x: x * (x @ x)**-1.5,
                      symmetries=[ph.Symmetry("L", axis=(0, 0, 1))])
    assert not any(entry.wrong for entry in ph.check(polar, [1.2, 0.1], [0.1, 0.2]))
    a, b = run(polar, [1.0, 0.0], [0.0, 1.2], 100, method="rk8"), run(plane, [1.0, 0.0], [0.0, 1.2], 100, method="rk8")
    assert np.allclose(a[0] * np.array([np.cos(a[1]), np.sin(a[1])]), b[:2], atol=1e-12)
    assert polar.momentum_map("L", a[:2], polar.momentum(a[:2], a[2:])) == pytest.approx(1.2, abs=1e-12)
    assert plane.momentum_map(0, b[:2], b[2:]) == pytest.approx(1.2, abs=1e-12)


def test_a_potential_that_depends_on_time() -> None:
    """x'' = cos(w t): x = (1 - cos(w t))/w^2."""
    w = 3.0
    with pytest.warns(ph.CostWarning, match="gradient_in_time"):
        system = ph.System([ph.R(1)], inertia=1.0, potential_in_time=lambda t, x: -x[0] * np.cos(w * t))
    end = run(system, [0.0], [0.0], 100, order=8)
    assert np.allclose(end, [(1 - np.cos(w)) / w**2, np.sin(w) / w], atol=1e-12)
    assert system.power(0.4, [2.0], [5.0]) == pytest.approx(2 * w * np.sin(w * 0.4), rel=1e-14)  # of U(t, x) alone: dU/dt
    damped = ph.System([ph.R(1)], inertia=2.0, force=lambda t, x, v: -4 * v, force_dv=lambda t, x, v: [[-4.0]])
    assert run(damped, [0.0], [1.0], 100, order=4)[1] == pytest.approx(np.exp(-2.0), abs=1e-9)
    again = damped.forced(force=lambda t, x, v: [2.0])  # forces add up: v -> 1/2
    assert again.force(0.0, [0.0], [1.0]).tolist() == [-2.0]


# ---- Velocity constraints


def test_a_sleigh_as_the_model() -> None:
    m, inertia, a = 1.0, 0.5, 0.3
    system = ph.System([ph.R(2), ph.S1], inertia=[m, inertia], constraint=lambda t, z: [[-z[3], z[2], a * z[3], -a * z[2]]])
    model = ph.model("chaplygin-sleigh")
    z, v = model.initial("turning")
    assert system.constraints == 1 and system.constraint_error(0.0, z, v) < 1e-15
    for method in ("dla", "rk4"):
        own, theirs = run(system, z, v, 100, method=method), run(model.system(), z, v, 100, method=method)
        assert np.allclose(own, theirs, rtol=0, atol=1e-12), method
    A, b = system.constraint_rows(0.0, z)
    assert A.shape == (1, 4) and b.tolist() == [0] and np.allclose(system.reactions(0, z, v), model.system().reactions(0, z, v), atol=1e-10)
    pushed = system.constraint_project(0.0, z, v + [0.1, 0.2, 0, 0])
    assert system.constraint_error(0.0, z, pushed) < 1e-15


def test_a_moving_constraint() -> None:
    """A belt: xdot = 0.5, by (A, b)."""
    system = ph.System([ph.R(2)], inertia=1.0, constraint=lambda t, x: ([[1.0, 0.0]], [0.5]))
    assert not system.is_conservative
    assert np.allclose(run(system, [0, 0], [0.5, 1.0], 100, method="rk4"), [0.5, 1, 0.5, 1], atol=1e-13)


def test_a_rolling_disk_as_the_model() -> None:
    m, r, g, J = 15.0, 1.0, 9.81, np.diag([3.75, 3.75, 7.5])
    D2 = np.array([r * r, r * r, 0.0])
    tensor = np.zeros((11, 11))
    tensor[0, 0] = tensor[1, 1] = m
    tensor[2:, 2:] = np.kron(np.eye(3), np.trace(J) / 2 * np.eye(3) - J)

    def shape(z: Array) -> Tuple[Any, Any]:
        gamma = z[8:]
        h = ((D2 * gamma) @ gamma)**0.5
        return h, D2 * gamma / h

    def turn(R: Array, w: Array) -> Array:  # the row that is w . Omega on R S(Omega)
        S = np.array([[0 * w[0], -w[2], w[1]], [w[2], 0 * w[0], -w[0]], [-w[1], w[0], 0 * w[0]]])
        return np.asarray(0.5 * (R.reshape(3, 3) @ S).ravel())

    def inertia(z: Array) -> Array:
        q = np.concatenate([np.zeros(2), turn(z[2:], np.cross(shape(z)[1], z[8:]))])
        return tensor + m * np.outer(q, q)

    def rolls(t: float, z: Array) -> Array:
        nu = shape(z)[1]
        return np.array([np.concatenate([np.eye(2)[i], turn(z[2:], np.cross(z[2 + 3 * i:5 + 3 * i], nu))]) for i in range(2)])

    def gradient(z: Array) -> Array:
        return np.concatenate([np.zeros(8), m * g * shape(z)[1]])

    with pytest.warns(ph.CostWarning):
        disk = ph.System([ph.R(2), ph.SO3], inertia=inertia, potential=lambda z: m * g * shape(z)[0], gradient=gradient, constraint=rolls)
    model = ph.model("rolling-disk")
    z, v = model.initial("wobbling")
    assert disk.constraints == 2
    own, theirs = (run(system, z, v, 20, method="dla") for system in (disk, model.system()))  # not in stages off the tangent space
    assert np.allclose(own, theirs, rtol=0, atol=1e-12)


# ---- Embedded manifolds


def test_a_sphere_embedded_and_as_factor() -> None:
    sphere = ph.Embedded(3, 2, constraint=lambda x: x @ x - 1, jacobian=lambda x: 2 * x, bend=lambda x, v: 2 * v)
    projected = ph.Embedded(3, 2, projection=lambda x: np.eye(3) - np.outer(x, x), name="a sphere by P")
    z, v = np.array([0.6, 0.0, -0.8]), np.array([0.4, 1.0, 0.3])
    ends = [run(ph.System([factor], inertia=1.0, potential=lambda x: G * x[2], gradient=lambda x: [0, 0, G]), z, v, 50, method="rk8")
            for factor in (ph.S2, sphere, projected)]
    assert np.allclose(ends[1], ends[0], atol=1e-12) and np.allclose(ends[2], ends[0], atol=1e-11)
    a = np.array([1.0, 4.0, 9.0])
    ellipsoid = ph.Embedded(3, 2, constraint=lambda x: x @ (x / a) - 1, jacobian=lambda x: 2 * x / a)
    free = ph.System([ellipsoid], inertia=1.0)
    end = run(free, [1, 0, 0], [0, 0.5, 1.0], 200, order=4)
    assert sum(free.energy(end[:3], end[3:])) == pytest.approx(0.625, abs=1e-7) and abs(end[:3] @ (end[:3] / a) - 1) < 1e-14


def test_a_subspace() -> None:
    """x + y + z = 0 in R^3: a plane, in which a point falls along (1, 1, -2)/sqrt(6)."""
    plane = ph.Embedded.subspace([[1.0, 1.0, 1.0]])
    with pytest.warns(ph.CostWarning):
        system = ph.System([plane], inertia=2.0, potential=lambda x: 2 * G * x[2])
    end = run(system, [0, 0, 0], [0, 0, 0], 100, method="rk4")
    a = -G * (np.array([0, 0, 1]) - 1 / 3)
    assert np.allclose(end, np.concatenate([a / 2, a]), atol=1e-12)
    assert np.allclose(system.space.projection([0, 0, 0]), np.eye(3) - 1 / 3) and not system.space.is_homogeneous
    with pytest.raises(ph.Error, match="group of motions"):
        system.space.act([0, 0, 0], [0, 0, 0])


def test_links_that_a_body_carries() -> None:
    M, J, hitch = 0.7, np.array([0.02, 0.03, 0.04]), np.array([0.05, -0.02, -0.1])
    length, mass, g = [0, 0, 0.4, 0.3], [M, 0, 0.2, 0.1], np.array([0, 0, -G])
    system = ph.System([ph.R(3), ph.SO3, ph.S2, ph.S2],
                       linkage=ph.Linkage(length, mass, gravity=(0, 0, -G), body=ph.LinkageBody(J, hitch)))
    Q, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))
    Q *= np.sign(np.linalg.det(Q))
    x, q = np.array([0.3, -0.2, 1.0]), np.array([[0.6, 0, -0.8], [0, 0.8, -0.6]])
    v, w, u = np.array([0.5, 1.0, -2.0]), np.array([0.7, -0.4, 1.1]), np.array([[0, 2.0, 0], [1.0, 0, 0]])
    spin = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    places = [x + Q @ hitch + 0.4 * q[0], x + Q @ hitch + 0.4 * q[0] + 0.3 * q[1]]
    rates = [v + Q @ spin @ hitch + 0.4 * u[0], v + Q @ spin @ hitch + 0.4 * u[0] + 0.3 * u[1]]
    T = 0.5 * M * v @ v + 0.5 * w @ (J * w) + sum(0.5 * m * r @ r for m, r in zip(mass[2:], rates))
    U = -M * g @ x - sum(m * g @ at for m, at in zip(mass[2:], places))
    z, zdot = np.concatenate([x, Q.ravel(), q.ravel()]), np.concatenate([v, (Q @ spin).ravel(), u.ravel()])
    kinetic, potential = system.energy(z, zdot)
    assert kinetic == pytest.approx(T, rel=1e-13) and potential == pytest.approx(U, rel=1e-13)
    with pytest.raises(ph.Error, match="shape|numbers"):
        ph.System([ph.R(3), ph.SO3, ph.S2, ph.S2], linkage=ph.Linkage(length, mass, body=ph.LinkageBody([1.0, 2.0])))


# ---- What else can be asked


def test_evaluations() -> None:
    chain = ph.System(ph.S2**2, linkage=ph.Linkage([L1, L2], [M1, M2], gravity=(0, 0, -G)))
    hanging = [[0, 0, -1.0], [0, 0, -1.0]]
    assert np.allclose(chain.tensions(0, hanging, np.zeros(6)), [(M1 + M2) * G, M2 * G], rtol=1e-13)
    v = np.array([0.0, 2.0, 0.0, 0.0, 0.0, 0.0])  # the upper one turns at 2 rad/s
    assert chain.tensions(0, hanging, v)[1] == pytest.approx(M2 * (G + L1 * 4), rel=1e-12)
    assert chain.structure["has_pair_inertia"] and chain.structure["is_sparse"] and not chain.structure["has_force"]
    MM = np.kron(PAIRS, np.eye(3))
    z, v = np.ravel(Z0), np.ravel(V0)
    mu = chain.covector(z, v)
    assert np.allclose(mu, chain.space.projection(z) @ MM @ v) and np.allclose(chain.covector_velocity(z, mu), v)
    A, b = chain.euler_lagrange(z, v)
    assert np.allclose(A, MM) and np.allclose(b, pull(z))
    E = np.zeros((4, 6))
    for i, rows in enumerate(chain.space.basis(z)):
        E[2 * i:2 * i + 2, 3 * i:3 * i + 3] = rows
    assert np.allclose(chain.tangent_inertia(z, v), E @ MM @ E.T)
    assert '"parts"' in chain.scene
    forced = chain.forced(force=lambda t, z, v: -0.3 * v, potential_in_time=lambda t, z: t * z[0], gradient_in_time=lambda t, z: t * np.eye(6)[0])
    assert np.allclose(forced.force_dv(0, z, v), -0.3 * np.eye(6)) and forced.potential_in_time(2.0, z) == 1.2
    assert forced.gradient_in_time(2.0, z).tolist() == [2, 0, 0, 0, 0, 0] and forced.structure["depends_on_time"]
    space = ph.Space([ph.S2, ph.SO3, ph.R(1)])
    z = space.project(random.normal(size=13))
    u = random.normal(size=7)
    q, R, x = space.split(space.act(z, u))
    q0, R0, x0 = space.split(z)
    assert np.allclose(q, rotations.exp(u[:3]) @ q0) and np.allclose(R, R0 @ rotations.exp(u[3:6])) and np.allclose(x, x0 + u[6:])
    w = random.normal(size=7)
    assert np.allclose(space.bracket(u, w), [*np.cross(u[:3], w[:3]), *np.cross(w[3:6], u[3:6]), 0])
    assert np.allclose(space.correct(z + 1e-13), z, atol=1e-12) and space.has_retraction and not space.is_phase_space
    p = space.project_momentum(z, w)
    assert space.momentum_tangency(z, p) < 1e-15 < space.momentum_tangency(z, w)
    sleigh = ph.model("chaplygin-sleigh")
    system, (z, v) = sleigh.system(), sleigh.initial("turning")
    h, dz = 1e-5, system.space.project_tangent(z, random.normal(size=4))
    ahead, back = (system.constraint_rows(0, z + s * h * dz)[0] @ v for s in (1, -1))
    assert np.allclose(system.constraint_along(0, z, v, 1.0, dz), (ahead - back) / (2 * h), atol=1e-9)
    assert system.constraint_error(0, z, system.constraint_follow(0, z, v, [True, False])) < 1e-15


# ---- What is drawn


def test_points_and_parts() -> None:
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    surface = ph.Mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    parts = [ph.Part("line", ph.Place(), ph.Place(point=0), link=0), ph.Part("ball", ph.Place(point=0), size=0.1, name="bob"),
             ph.Part("mesh", ph.Place(point=0), size=[1.0], mesh=surface, R=np.eye(3)), ph.Part("plane", ph.Place((0, 0, -1)))]
    system = ph.System([ph.S2], inertia=1.0, points=lambda q: 2 * q, n_points=1, parts=parts, up=(0, 0, 2))
    assert np.allclose(system.places([0, 0, 1]), [[0, 0, 2]])
    n = ph.ffi.new("size_t *")
    drawn = ph.lib.ph_system_parts(system._c, n)
    assert n[0] == 4 and ph.ffi.string(drawn[1].name) == b"bob" and drawn[1].size[0] == 0.1 and drawn[0].link == 0
    assert drawn[2].mesh.faces == 4 and drawn[3].a.at[2] == -1
    for bad, words in ((ph.Part("bell"), "kind"), (ph.Part("ball", ph.Place(point=5)), "point"), (ph.Part("ball", size=[1, 2, 3, 4]), "size"),
                       (ph.Part("ball", ph.Place((0, 0, np.nan))), "finite|part"), (3, "Part"), (ph.Part("mesh", mesh=3), "Mesh")):  # type: ignore
        with pytest.raises(ph.Error, match=words):
            ph.System([ph.S2], inertia=1.0, parts=[bad])  # type: ignore[list-item]


# ---- What is refused


def test_what_is_refused() -> None:
    def system(**more: Any) -> ph.System:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ph.CostWarning)
            return ph.System([ph.S2, ph.S2], **more)

    unit: Any = dict(inertia=[1.0, 1.0])
    calls: List[Tuple[Callable[[], Any], str]] = [
        (lambda: system(), "inertia|Lagrangian|nothing"), (lambda: system(inertia=[1.0]), "entries|shape"), (lambda: system(inertia=np.ones((2, 3))), "shape|numbers"),
        (lambda: system(inertia=[1.0, -1.0]), "positive definite"), (lambda: system(inertia=[1.0, np.nan]), "finite|positive"),
        (lambda: system(inertia="heavy"), "numbers|shape"), (lambda: system(inertia=[[1, 2], [3, 1]]), "symmetric"),
        (lambda: system(inertia=lambda z: np.ones(3)), "shape"), (lambda: system(potential=lambda z: 0.0, **unit).gradient([1, 2]), "shape"),
        (lambda: system(force=3, **unit), "function"),
        (lambda: system(constraint=lambda t, z: 1 / 0, **unit), "constraints must say"), (lambda: system(symmetries=[3], **unit), "Symmetry"),
        (lambda: system(linkage=3), "Linkage"), (lambda: system(linkage=ph.Linkage([1.0], [1.0])), "shape|numbers"),
        (lambda: system(linkage=ph.Linkage(1.0, 1.0, parent=[None, 1])), "parent|hangs"),
        (lambda: system(inverse_inertia=([0], [0])), "row, column, value"), (lambda: system(inverse_inertia=([0, 2], [0, 0], [1.0, 1.0])), "out of"),
        (lambda: system(up=(1, 2), **unit), "up"), (lambda: system(hessian_places=([0], [0, 1]), **unit), "whole numbers"),
        (lambda: ph.System([ph.S2, 3], inertia=1.0), "made of"), (lambda: ph.System([], inertia=1.0), "at least one"),  # type: ignore[list-item]
        (lambda: system(**unit).momentum_map("J", np.zeros(6), np.zeros(6)), "no symmetry"),
        (lambda: ph.System(ph.R(1), inertia=1.0, points=lambda x: [x[0], 0, 0], n_points=2**62), "between 0 and"),
        (lambda: ph.Space([ph.Embedded(3, 2)]), "constraint|projection"), (lambda: ph.R(0), "between 1"), (lambda: ph.R(10**30), "between 1"),
        (lambda: ph.S2**10**30, "power")]
    for call, words in calls:
        with pytest.raises(ph.Error, match=words):
            call()


def test_each_method_is_asked_about_each_system() -> None:
    """The order on a system that a method does not take is that of the method; asking for it must not crash."""
    systems = [ph.model(name).system() for name in ("heavy-top", "spin-lattice", "binary", "chain-pendulum", "chaplygin-sleigh", "kepler")]
    for method in ph.methods:
        for system in systems:
            order = method.order_for(system)
            assert order >= method.order and set(method.claims_for(system)) >= set(method.claims)
            if not method.supports(system):
                assert order == method.order


def test_objects_are_made_once() -> None:
    """__init__ again, of an object that C knows, left one half of each: an integrator of one system with the sizes of another."""
    system, other = ph.System([ph.S2], inertia=1.0), ph.System(ph.R(3)**40, inertia=[1.0] * 40)
    it = ph.Integrator(system, step=0.01)
    state = it.state([1, 0, 0], [0, 1, 0])
    again: List[Tuple[Any, Tuple[Any, ...], Any]] = [
        (it, (other,), {"step": 0.1}), (state, (ph.Integrator(other, step=0.1),), {}), (system, (other.space,), {"inertia": [1.0] * 40}),
        (system.space, ([ph.R(100)],), {}), (ph.Dense(it), (it,), {}), (ph.S2, (0, "R", 5), {}),
        (ph.Polyhedron(ph.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]), 1.0), (3, 4), {})]
    for one, arguments, more in again:
        c = getattr(one, "_c", None)
        with pytest.raises(TypeError, match="made already"):
            one.__init__(*arguments, **more)
        assert getattr(one, "_c", None) is c
    for one, name in ((system, "space"), (system.space, "ambient"), (it, "system"), (state, "system"), (ph.S2, "kind")):
        with pytest.raises(AttributeError, match="cannot be set"):
            setattr(one, name, 3)
        with pytest.raises(AttributeError, match="cannot be deleted"):
            delattr(one, name)
    it.step(state)


def test_one_way_to_say_what_moves() -> None:
    cases: List[Tuple[Dict[str, Any], str]] = [({}, "none is given"),
                                               ({"inertia": [1.0], "lagrangian": lambda z, v: v @ v}, "inertia and lagrangian are given")]
    for ways, said in cases:
        with pytest.raises(ph.Error, match="a system has one of inertia, lagrangian, .*; " + said):
            ph.System(ph.S2, **ways)
