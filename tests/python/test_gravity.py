# SPDX-License-Identifier: BSD-3-Clause
"""Mass distributions, mutual gravity, orbits and rotations, against closed forms and the models of the catalogue."""
from __future__ import annotations

from math import factorial
from pathlib import Path
from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt
import pytest

import polhode as ph
from polhode import rotations

Array = npt.NDArray[np.float64]
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                  [1, 5, 7], [1, 7, 3]])


def test_inertia_tensors() -> None:
    assert np.allclose(ph.Mass.sphere(3.0, 2.0).J, 2 / 5 * 3 * 4 * np.eye(3), rtol=1e-15)
    a, b, c = 3.0, 2.0, 1.0
    body = ph.Mass.ellipsoid(7.0, [a, b, c])
    assert np.allclose(body.J, 7 / 5 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b]), rtol=1e-15)
    assert body.radius == 3 and body.mass == 7
    R, half_axes = body.extents()
    assert np.allclose(half_axes, [3, 2, 1], rtol=1e-14)
    box = ph.Mass.polyhedron(CORNERS * [2, 4, 6], FACES, 10.0)
    assert box.mass == pytest.approx(480, rel=1e-14)
    box, center = box.centered()
    assert np.allclose(center, [1, 2, 3], rtol=1e-14)
    assert np.allclose(box.J, 480 / 12 * np.diag([16 + 36, 4 + 36, 4 + 16]), rtol=1e-13, atol=1e-10)
    turn = rotations.exp([0.3, -0.2, 0.5])
    turned = box.placed([0, 0, 0], turn)
    assert np.allclose(turned.J, turn @ box.J @ turn.T, rtol=1e-13)
    _, axes, moments = turned.principal()
    assert np.allclose(moments, [800, 1600, 2080], rtol=1e-13)
    assert np.allclose(axes @ np.diag(moments) @ axes.T, turned.J, rtol=1e-12)
    # a clockwise surface is the same body
    assert np.allclose(ph.Mass.polyhedron(CORNERS, FACES[:, ::-1], 1.0).moments, ph.Mass.polyhedron(CORNERS, FACES, 1.0).moments)


def test_moments_and_harmonics() -> None:
    n = 4
    T = np.zeros((n + 1,) * 3)
    for a in range(0, n + 1, 2):  # the moments of a homogeneous cube [-1, 1]^3 of mass 8
        for b in range(0, n + 1 - a, 2):
            for c in range(0, n + 1 - a - b, 2):
                T[a, b, c] = 8 / ((a + 1) * (b + 1) * (c + 1))
    cube = ph.Mass.from_moments(T, 3**0.5)
    exact = ph.Mass.polyhedron(2 * CORNERS - 1, FACES, 1.0)
    assert np.allclose(cube.moments[:25], exact.moments[:25], atol=1e-13) and np.allclose(cube.J, exact.J)
    # an oblate body: C_20 = -J_2; its energy with a point on the axis at distance r is -(GM/r)(1 - J_2 (R/r)^2)
    C = np.zeros((3, 3))
    C[0, 0], C[2, 0] = 1, -0.01
    body = ph.Mass.from_harmonics(5.0, 2.0, C, radius=2.0)
    point = ph.Mass.sphere(1.0)
    assert ph.attract(body, point, [0, 0, 10], constant=1.0).potential == pytest.approx(-0.5 * (1 - 0.01 * 0.04), rel=1e-14)
    assert ph.attract(body, point, [10, 0, 0], constant=1.0).potential == pytest.approx(-0.5 * (1 + 0.005 * 0.04), rel=1e-14)


def test_two_spheres_attract_as_points() -> None:
    a, b, r = ph.Mass.sphere(5.0, 1.0), ph.Mass.sphere(7.0, 2.0), np.array([3.0, -4.0, 12.0])
    found = ph.attract(a, b, r, rotations.exp([1, 2, 3]), order=8)
    assert found.potential == pytest.approx(-ph.lib.PH_GRAVITY_CONSTANT * 35 / 13, rel=1e-14)
    assert np.allclose(found.force, -ph.lib.PH_GRAVITY_CONSTANT * 35 * r / 13**3, rtol=1e-14)
    assert np.max(np.abs(found.torque_a)) < 1e-24 and np.max(np.abs(found.torque_b)) < 1e-24


def test_a_sum_attracts_as_its_parts() -> None:
    one, two, probe = ph.Mass.sphere(2.0, 0.1), ph.Mass.sphere(3.0, 0.1), ph.Mass.sphere(1.0)
    both, r = one.placed([0.3, 0, 0]) + two.placed([-0.2, 0, 0]), np.array([0.0, 8.0, 0.0])
    found = ph.attract(both, probe, r, order=8, constant=1.0)
    apart = -2 / np.hypot(0.3, 8) - 3 / np.hypot(0.2, 8)
    assert found.potential == pytest.approx(apart, rel=1e-12)
    assert np.argmax(np.abs(found.by_order)) == 0 and abs(found.by_order[8]) < 1e-10
    assert both.mass == 5 and both.radius == pytest.approx(0.4)


def test_a_polyhedron_attracts_as_its_moments_far_away() -> None:
    surface = ph.Mesh(CORNERS - 0.5, FACES)
    cube, field = ph.Mass.polyhedron(*surface, 2.0), ph.Polyhedron(surface, 2.0)
    p = np.array([5.0, 3.0, -4.0])
    U, force, inside = field.attract(p, 3.0, constant=1.0)
    series = ph.attract(cube, ph.Mass.sphere(3.0), p, order=8, constant=1.0)
    assert U == pytest.approx(series.potential, rel=1e-9) and np.allclose(force, series.force, rtol=1e-7) and abs(inside) < 1e-12
    # in its middle: U = -rho m int dV/r over the unit cube
    exact = 3 * np.log((1 + np.sqrt(3)) / np.sqrt(2)) - np.pi / 4  # int dV/r over a unit cube from its corner; twice that from its middle
    U, force, inside = field.attract([0, 0, 0], 1.0, constant=1.0)
    assert inside == pytest.approx(1) and np.max(np.abs(force)) < 1e-12
    assert U == pytest.approx(-2.0 * 2 * exact, rel=1e-12)


def test_kepler_motion() -> None:
    m1, m2, e, a = 2.0, 1.0, 0.6, 1.5
    mu = m1 + m2
    x, v = ph.orbit_state(mu, a * (1 - e), e, 0.4, 0.7, 1.1)
    pair = ph.Gravitation([ph.Mass.sphere(m1), ph.Mass.sphere(m2)], constant=1.0, relative=True)
    it = ph.Integrator(pair.system(), "variational", order=8, step=0.01)
    state = it.state(x, v)
    it.step(state, 700)
    elements = ph.orbit_elements(mu, state.z, state.v)
    assert np.allclose([elements.a, elements.e, elements.i, elements.node, elements.periapsis], [a, e, 0.4, 0.7, 1.1], atol=1e-7)
    mean = np.sqrt(mu / a**3) * 7.0
    nu = ph.true_anomaly(e, mean)
    exact, _ = ph.orbit_state(mu, a * (1 - e), e, 0.4, 0.7, 1.1, nu)
    assert np.allclose(state.z, exact, atol=1e-6)
    # Kepler's equation by its own words
    E = 2 * np.arctan(np.sqrt((1 - e) / (1 + e)) * np.tan(nu / 2))
    assert (E - e * np.sin(E) - mean) % (2 * np.pi) == pytest.approx(0, abs=1e-12) or \
        (E - e * np.sin(E) - mean) % (2 * np.pi) == pytest.approx(2 * np.pi, abs=1e-12)
    assert np.allclose(ph.orbit_frame(x, v)[:, 2], np.cross(x, v) / np.linalg.norm(np.cross(x, v)), atol=1e-14)
    assert np.allclose(ph.orbit_angles(np.eye(3)), 0)


def test_the_model_binary() -> None:
    bodies = [ph.Mass.ellipsoid(3.5e11, [400, 350, 280]), ph.Mass.ellipsoid(2e10, [120, 90, 70])]
    model = ph.model("binary")
    own = ph.Gravitation(bodies, order=4, relative=True)
    system, theirs = own.system(), model.system()
    z, v = model.initial()
    ends = []
    for one in (system, theirs):
        it = ph.Integrator(one, "variational", order=4, step=60.0)
        state = it.state(z, v)
        it.step(state, 50)
        ends.append(np.concatenate([state.z, state.p]))
    assert np.array_equal(ends[0], ends[1])
    assert ph.model("binary").system(bodies=bodies).space.ambient == 21
    forces = own.forces(z)
    assert np.array_equal(forces.force, ph.gravitation(theirs).forces(z).force)
    # force and torque against attract, in the frame of the first body
    r, A, B = system.space.split(z)
    found = ph.attract(bodies[0], bodies[1], A.T @ r, A.T @ B, order=4)
    assert np.allclose(forces.force[0], A @ found.force, rtol=1e-13, atol=1e-9 * np.abs(found.force).max())
    assert np.allclose(forces.torque, [found.torque_a, found.torque_b], rtol=1e-12, atol=1e-13 * abs(found.potential))
    assert forces.energy == pytest.approx(found.potential, rel=1e-14) and own.energy(z) == system.potential(z)
    near = own.convergence(z)
    assert near.distance == pytest.approx(np.linalg.norm(r)) and near.radii == 520 and near.force[6] < near.force[2] < 0.1
    assert [body.mass for body in ph.gravitation(theirs).masses] == [3.5e11, 2e10]


def test_given_and_central_bodies_and_tides() -> None:
    sphere, rock = ph.Mass.sphere(10.0, 1.0), ph.Mass.ellipsoid(1e-9, [1e-3, 8e-4, 5e-4])
    spin = np.array([0.0, 0.0, 0.3])
    cube = ph.Mesh(CORNERS - 0.5, FACES)
    central = ph.Central(ph.Mass.polyhedron(*cube, 10.0), spin=spin, surface=cube)
    held = ph.Gravitation([rock], central=central, given=[ph.Given(1.0, 50.0, 0.3)], constant=1.0)
    assert (held.places, held.attitudes) == (1, 1)
    assert np.allclose(held.central_attitude(2.0), rotations.exp(2 * spin), atol=1e-14)
    x, v = held.given_place(0, 0.0)
    assert np.allclose(x, [35, 0, 0], rtol=1e-13) and x @ v == pytest.approx(0, abs=1e-12)
    z = np.concatenate([[2.0, 0.5, 0.1], np.eye(3).ravel()])
    system = held.system()
    assert not system.is_conservative and np.isfinite(system.potential(z))
    h = 1e-5
    slope = (held.energy(z, 1 + h) - held.energy(z, 1 - h)) / (2 * h)
    assert held.rate(z, 1.0) == pytest.approx(slope, rel=1e-6)
    raised = ph.Gravitation([sphere, ph.Mass.sphere(1.0, 0.1)], constant=1.0, tides=[ph.Tide(0.3, 1.0, 0.05, 2.0), None])
    zz = np.concatenate([[0, 0, 0, 5, 0, 0], np.eye(3).ravel(), np.eye(3).ravel()])
    pp = np.concatenate([[0, 0, 0, 0, 1.4, 0], 4.0 * np.array([0, 0, 2.0]), [0, 0, 0]])
    tide = raised.tides(zz, pp)
    assert tide.energy < 0 and np.allclose(tide.force.sum(axis=0), 0, atol=1e-18)
    # total angular momentum stays: x cross F + torques = 0
    assert np.allclose(np.cross([5, 0, 0], tide.force[1]) + tide.torque.sum(axis=0), 0, atol=1e-18)
    change = raised.dissipate(1e-3, zz, pp)
    assert np.allclose(change, 1e-3 * np.concatenate([tide.force.ravel(), tide.torque.ravel()]), rtol=1e-3, atol=1e-20)
    z1, v1 = held.turn_axes(np.pi / 2, 0.0, z, 0 * z)
    assert np.allclose(z1[:3], [0.5, -2, 0.1])


def test_shapes_from_files(tmp_path: Path) -> None:
    file = tmp_path / "cube.obj"
    file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES))
    surface = ph.read_shape(file, unit=1000)
    assert np.array_equal(surface.vertices, 1000 * CORNERS) and np.array_equal(surface.faces, FACES)
    (tmp_path / "v").write_text("\n".join(",".join(map(str, row)) for row in CORNERS))
    (tmp_path / "f").write_text("\n".join(",".join(map(str, row)) for row in FACES))
    again = ph.read_shape(str(tmp_path / "v"), str(tmp_path / "f"))
    assert ph.Mass.polyhedron(again.vertices, again.faces, 1.0).mass == pytest.approx(1)
    with pytest.raises(ph.Error) as raised:
        ph.read_shape(tmp_path / "none.obj")
    assert raised.value.status == "PH_E_IO"


def test_what_is_refused() -> None:
    point = ph.Mass.sphere(1.0)
    calls: List[Tuple[Any, str]] = [
        (lambda: ph.Mass(), "Mass.sphere"), (lambda: ph.Mass.sphere(-1.0), "mass"), (lambda: ph.Mass.sphere(np.nan), "finite"),
        (lambda: ph.Mass.ellipsoid(1.0, [1, 2]), "shape"), (lambda: ph.Mass.polyhedron(CORNERS, FACES + 1, 1.0), "out of"),
        (lambda: ph.Mass.polyhedron(CORNERS, FACES[1:], 1.0), "edge"), (lambda: ph.Mass.polyhedron(CORNERS, [[0, 1]], 1.0), "shape"),
        (lambda: point + 1, "unsupported operand"),  # type: ignore[operator]
        (lambda: point.placed([0, 0, 0], 2 * np.eye(3)), "rotation"),
        (lambda: ph.Gravitation([point]), "bodies|2"), (lambda: ph.Gravitation([point, 1]), "Mass"),  # type: ignore[list-item]
        (lambda: ph.Gravitation([point, point.placed([1, 0, 0])]), "centre"), (lambda: ph.Gravitation([point] * 2, order=9), "order"),
        (lambda: ph.Gravitation([point] * 2, tides=[None]), "tides"), (lambda: ph.Gravitation([point] * 2, turning=[True] * 2), "positive definite"),
        (lambda: ph.Gravitation([point] * 2).forces([0, 0, 0]), "shape"), (lambda: ph.Gravitation([point] * 2).convergence(range(6), 1, 0), ""),
        (lambda: ph.gravitation(ph.model("heavy-top").system()), "gravity"), (lambda: ph.orbit_state(1.0, -1.0, 0.1), "periapsis"),
        (lambda: ph.Central(point)._replace(mass=None) and ph.Gravitation([point], central=ph.Central(None)), "Mass"),  # type: ignore
        (lambda: ph.Mass.from_moments(np.ones((10, 10, 10)), 1.0), "degree"), (lambda: rotations.log(-np.eye(3)), "rotation"),
        (lambda: rotations.log(np.diag([1.0, -1, -1])), "half a turn"), (lambda: rotations.from_quaternion([0, 0, 0, 0]), "length")]
    for call, words in calls:
        with pytest.raises((ph.Error, TypeError), match=words):
            call()


def test_rotations() -> None:
    random = np.random.default_rng(1)
    for w in (*random.normal(size=(5, 3)), np.array([1e-9, 2e-9, -1e-9]), np.zeros(3), np.array([0, 0, 3.1415])):
        R, S = rotations.exp(w), rotations.hat(w)
        assert np.allclose(R, sum(np.linalg.matrix_power(S, k) / float(factorial(k)) for k in range(40)), atol=1e-14)
        assert np.allclose(rotations.log(R), w, rtol=1e-12, atol=1e-15) and np.allclose(rotations.vee(S), w, atol=0)
        q = rotations.quaternion(R)
        t = np.linalg.norm(w)
        assert np.allclose(q, [np.cos(t / 2), *(np.sin(t / 2) * w / t if t else w)], atol=1e-15)
        assert np.allclose(rotations.from_quaternion(-3 * q), R, atol=1e-15)
        assert np.allclose(rotations.cayley(w), np.linalg.solve((np.eye(3) - S).T, (np.eye(3) + S).T).T, atol=1e-14)
        u, h = random.normal(size=3), 1e-6
        slope = rotations.vee(R.T @ (rotations.exp(w + h * u) - rotations.exp(w - h * u))) / (2 * h)
        assert np.allclose(rotations.dexp(w, u), slope, atol=1e-8)
        assert np.allclose(rotations.project(R + 1e-3), rotations.correct(rotations.project(R + 1e-3)), atol=1e-15)


def test_made_once() -> None:
    # its C handle would be that of three bodies, its sizes those of two
    of_system = ph.gravitation(ph.model("binary").system())
    with pytest.raises(TypeError, match="made already"):
        of_system.__init__([ph.Mass.sphere(1.0, 0.0)] * 3, order=0)  # type: ignore[misc]
