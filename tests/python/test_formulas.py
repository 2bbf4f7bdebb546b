# SPDX-License-Identifier: BSD-3-Clause
"""Systems of formulas in Python: the same texts as in scenarios, the same messages."""
from __future__ import annotations

from typing import Any, Dict, List

import numpy as np
import pytest

import polhode as ph

SPRING = dict(parameters={"m": "1 kg", "k": "40 N/m", "l": 1, "g": (9.81, "m/s^2")}, where={"p": "r*q"},
              kinetic="m/2*dot(d(p), d(p))", potential="k/2*(r - l)^2 + m*g*p.z", symmetries=["rotation about e3"],
              points={"bob": "p"}, lines=[["origin", "bob"]])


def spring(**changed: object) -> ph.System:
    return ph.System({"r": "R1", "q": "S2"}, **{**SPRING, **changed})  # type: ignore[arg-type]


def test_against_hand() -> None:
    system = spring()
    rng = np.random.default_rng(3)
    for _ in range(5):
        q = rng.normal(size=3)
        q /= np.linalg.norm(q)
        r = rng.uniform(0.5, 2)
        qdot = np.cross(rng.normal(size=3), q)
        rdot = rng.normal()
        kinetic, potential = system.energy([r, *q], [rdot, *qdot])
        assert kinetic == pytest.approx((rdot ** 2 + r ** 2 * qdot @ qdot) / 2, rel=1e-14)
        assert potential == pytest.approx(20 * (r - 1) ** 2 + 9.81 * r * q[2], rel=1e-14)
        assert np.allclose(system.gradient([r, *q]), [40 * (r - 1) + 9.81 * q[2], 0, 0, 9.81 * r], rtol=1e-14)
        assert np.allclose(system.places([r, *q]), [r * q])
    assert system.symmetries == ("J3",)
    assert max(entry.error for entry in ph.check(system)) < 1e-9
    assert system.found.startswith("an inertia that depends on the configuration; units are not checked, as l has none")


def test_arrays() -> None:
    J = np.array([[0.3, 0.01, 0], [0.01, 0.4, 0], [0, 0, 0.2]])
    body = ph.System({"B": "SO3"}, parameters={"J": J, "r": [0.1, 0, 0.4], "w": 2.0}, kinetic="dot(omega(B), J*omega(B))/2",
                     potential="w*dot(e3, B*r)")
    omega = np.array([0.3, -0.2, 1.0])
    S = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
    kinetic, potential = body.energy(np.eye(3).ravel(), S.ravel())
    assert kinetic == pytest.approx(omega @ J @ omega / 2, rel=1e-14)
    assert potential == pytest.approx(0.8, rel=1e-14)


def test_columns() -> None:
    system = spring(columns={"height": "p.z", "v": "d(p)", "far": "max(r, 3)"})
    columns = ph.Columns(system, "height", "v", "far")
    assert columns.names == ["height", "vx", "vy", "vz", "far"]
    with pytest.raises(ph.Error, match=r"columns: h, column 3: unknown name 'qz'; is it q\.z\?"):
        spring(columns={"h": "2*qz"})


def test_generators() -> None:
    system = spring(symmetries=["rotation about e3", {"name": "L", "unit": "kg m^2/s", "generator": {"q": "e3"}}])
    assert system.symmetries == ("J3", "L")
    with pytest.raises(ph.Error, match="symmetries: L: the Lagrangian changes along this generator"):
        spring(symmetries=[{"name": "L", "generator": {"q": "e1"}}])


def test_events() -> None:
    """The zeros of cos t, by a formula and by the column that it is."""
    system = ph.System({"x": "R1"}, kinetic="xdot^2/2", potential="x^2/2", events=["x*abs(x)", "xdot + 0*t"])
    found = ph.solve(system, (0, 4), [1.0], [0.0], method="rk8", step=0.1,
                     events=[ph.Event("zero", column="x*abs(x)"), ph.Event("turn", column="xdot + 0*t", direction=1)]).t_events
    assert found is not None
    assert found[0] == pytest.approx([np.pi / 2], abs=1e-10)
    assert found[1] == pytest.approx([np.pi], abs=1e-10)
    assert ph.Columns(system, "x", "xdot", "momentum(x)").names == ["x1_1", "xdot1_1", "p1_1"]
    with pytest.raises(ph.Error, match="unknown column"):
        ph.solve(system, (0, 1), [1.0], [0.0], method="rk8", step=0.1, events=ph.Event("zero", column="2*x"))
    with pytest.raises(ph.Error, match="events: number 1, column 3: unknown name 'y'"):
        ph.System({"x": "R1"}, kinetic="xdot^2/2", events=["x+y"])


def test_describe() -> None:
    system = spring()
    found, *lines = system.describe().split("\n")
    assert found == system.found
    assert [line.partition(":")[0] for line in lines] == ["gradient", "inertia", "its derivative", "gradient of L", "Hessian of L"]
    assert lines[0].startswith("gradient: 4 numbers, ")
    for method in (ph.System.describe, ph.System.to_yaml):
        with pytest.raises(ph.Error, match="there is no system of formulas here"):
            method(ph.System([ph.S2], inertia=[1.0]))


def test_to_yaml() -> None:
    """A scenario with the text is the same system."""
    given = spring(columns={"M": "outer(q, q)"}, symmetries=["rotation about e3", {"name": "L", "generator": {"q": "e3"}}],
                   parameters={"m": (2.0, "kg"), "k": "40 N/m", "l": "1 m", "g": "9.81 m/s^2", "a": ([0.5, 1e-7], "m"), "J": np.eye(3)},
                   forces=[{"at": "p", "force": "-m*g*[0, a[1]/l, a[2]/l]"}], constraints=["rdot = 0"])
    read = ph.run("polhode: 1\n" + given.to_yaml() + "initial: {q: [1, [0, 0, 1]]}\nmethod: rk8\nstep: 0.1\nsteps: 1\n").system
    assert read is not None
    z, v = [1.3, 0.6, 0.0, 0.8], [0.2, 0.8, 0.1, -0.6]
    assert read.gradient(z).tobytes() == given.gradient(z).tobytes()
    assert read.force(0, z, v).tobytes() == given.force(0, z, v).tobytes()
    assert read.places(z).tobytes() == given.places(z).tobytes()
    assert read.energy(z, v) == given.energy(z, v) and read.symmetries == given.symmetries == ("J3", "L")
    assert ph.Columns(read, "M").names == ph.Columns(given, "M").names
    damped = ph.System({"s": "spin"}, parameters={"G": 2.0}, energy="s.z", strengths="G", damping="0.1")
    assert '  strengths: "G"\n  damping: "0.1"\n' in damped.to_yaml()
    switched = ph.System({"x": "R1"}, parameters={"b": True, "c": np.array([True, False])}, kinetic="b*xdot^2/2")
    assert '    "b": 1\n    "c": [1, 0]\n' in switched.to_yaml()
    spins = ph.System({"s": "spin", "r": "spin"}, energy="dot(s, r) + s.z")
    assert spins.to_yaml() == 'model:\n  space:\n    "s": "spin"\n    "r": "spin"\n  energy: "dot(s, r) + s.z"\n'


def test_numbers_of_spins() -> None:
    """One number, and lists with one for each spin, as the texts that they stand for."""
    sympy: Any = pytest.importorskip("sympy")
    space, z = {"s": "spin", "r": "spin"}, [0.6, 0.0, 0.8, 0.0, 1.0, 0.0]

    def run(strengths: Any, damping: Any) -> bytes:
        system = ph.System(space, parameters={"G": 2.0}, energy="dot(s, r) + s.z", strengths=strengths, damping=damping)
        model = system.to_yaml()
        read = ph.run(f"polhode: 1\n{model}initial: {{q: [{z[:3]}, {z[3:]}]}}\nmethod: rk8\nstep: 0.1\nsteps: 1\n").system
        assert read is not None and read.spins.flow(z).tobytes() == system.spins.flow(z).tobytes()
        return system.spins.flow(z).tobytes()

    one, each = run("G", "0.1"), run("[1, -G]", "[0.1, 1e-7]")
    assert one != each
    assert run(2, 0.1) == run(np.float64(2), np.array([0.1, 0.1])) == run([2, "G"], (0.1, 0.1)) == one
    assert run([1, -2], [0.1, 1e-7]) == run(np.array([1, -2]), [0.1, 1e-7]) == run([True, -sympy.Symbol("G")], [0.1, 1e-7]) == each
    with pytest.raises(ph.Error, match="strengths: one number, or a list of 2"):
        run([1, 2, 3], None)
    with pytest.raises(ph.Error, match="a formula, which is a text, is expected"):
        run({"s": 1}, None)


def test_messages() -> None:
    with pytest.raises(ph.Error, match=r"potential, column 3: unknown name 'pz'; is it p\.z\?\n    m\*pz\n      \^"):
        spring(potential="m*pz")
    with pytest.raises(ph.Error, match="kinetic is 3; a formula"):
        spring(kinetic=3)
    with pytest.raises(ph.Error, match="parameters: m is '1kg'"):
        spring(parameters={"m": "1kg"})
    with pytest.raises(ph.Error, match="a system of formulas has no gradient"):
        spring(gradient=lambda q: q)
    wrongs: List[Dict[str, Any]] = [{"where": {"p": None}}, {"constraints": [None]}, {"symmetries": [None]}, {"points": {"a": None}},
                                    {"points": {"a": "p\0"}}]
    for wrong in wrongs:
        with pytest.raises(ph.Error, match="a formula, which is a text, is expected"):
            spring(**wrong)
    with pytest.raises(ph.Error, match="space: q is None"):
        ph.System({"q": None}, kinetic="1")
    with pytest.raises(ph.Error, match="a has 0 numbers; from 1 to 4096 are allowed"):
        spring(parameters={"m": 1.0, "k": 40.0, "l": 1.0, "g": 9.81, "a": []})
    with pytest.raises(ph.Error, match="rows are not of one length"):
        spring(parameters={"m": [[1, 2], [3]]})
    with pytest.raises(ph.Error, match="a system of formulas has no inertia"):
        spring(inertia=np.eye(4))
    with pytest.raises(ph.Error, match="kinetic is for formulas"):
        ph.System([ph.S2], kinetic="1")
    with pytest.raises(ph.Error, match="unknown key 'moments'"):
        spring(forces=[{"on": "q", "moments": "e1"}])


def test_forces() -> None:
    system = ph.System({"x": "R2", "a": "S1"}, parameters={"F": 3.0, "c": 0.5}, kinetic="dot(xdot, xdot)/2 + omega(a)^2/2",
                       forces=[{"at": "x", "force": "[F*sin(t), 0]"}, {"on": "a", "torque": "F"}], dissipation="c/2*dot(xdot, xdot)")
    z, v = [0.0, 0.0, 0.6, 0.8], [1.0, 2.0, 0.0, 0.0]
    assert np.allclose(system.force(0.3, z, v), [3 * np.sin(0.3) - 0.5, -1.0, -2.4, 1.8], rtol=1e-14)
    assert system.power(0.3, z, v) == pytest.approx(3 * np.sin(0.3) - 0.5 - 2.0, rel=1e-14)


def test_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    interpreted, compiled = spring(), spring()
    try:
        compiled.compile()
    except ph.Error as reason:
        pytest.skip(str(reason))
    assert list((tmp_path / "polhode" / "formulas").iterdir())
    z = [1.3, 0.6, 0.0, 0.8]
    assert interpreted.gradient(z).tobytes() == compiled.gradient(z).tobytes()
    with pytest.raises(ph.Error, match="there is no system of formulas"):
        ph.System([ph.S2], inertia=[1.0]).compile()


def test_sympy() -> None:
    """Expressions of SymPy in the place of texts: the same numbers, and what the language does not have is an error."""
    sympy = pytest.importorskip("sympy")
    m, k, l, g = sympy.symbols("m k l g")
    r, rdot = ph.System.symbols("r", "R1")
    q, qdot = ph.System.symbols("q", "S2")
    v = rdot * q + r * qdot
    system = spring(where=None, kinetic=m * v.dot(v) / 2, potential=k * (r - l) ** 2 / 2 + m * g * q[2], points={"bob": r * q})
    by_text = spring(potential="k/2*(r - l)^2 + m*g*q.z")
    z, zdot = [1.3, 0.6, 0, 0.8], [0.2, 0.8, 0.3, -0.6]
    assert system.energy(z, zdot) == pytest.approx(by_text.energy(z, zdot), rel=1e-14)
    assert np.allclose(system.gradient(z), by_text.gradient(z), rtol=1e-14)
    assert np.allclose(system.places(z), by_text.places(z), rtol=1e-14)
    B, Bdot = ph.System.symbols("B", "SO3")
    body = ph.System({"B": "SO3"}, kinetic=(Bdot.T * Bdot).trace() / 4, potential=sympy.exp(B[2, 0]) / sympy.sqrt(3) + sympy.Float(0.1) ** 2)
    R = np.eye(3)[[1, 2, 0]]
    assert body.energy(R.ravel(), np.zeros(9))[1] == pytest.approx(np.e ** R[2, 0] / 3 ** 0.5 + 0.1 ** 2, rel=1e-15)
    with pytest.raises(ph.Error, match="unknown function 'gamma'"):
        spring(potential=sympy.gamma(r))
    with pytest.raises(ph.Error, match="Integral in SymPy, has no place in a formula"):
        spring(potential=sympy.Integral(r, r))
    with pytest.raises(ph.Error, match="'S3' is no factor"):
        ph.System.symbols("q", "S3")
