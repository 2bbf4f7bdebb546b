# SPDX-License-Identifier: BSD-3-Clause
"""Models and methods as data, compared with what the program lists and with closed forms."""
from __future__ import annotations

import copy
import pickle
import sys
from typing import Any, Dict, List

import numpy as np
import pytest

import polhode as ph
from polhode._program import call, call_json


def test_models_are_those_of_the_program() -> None:
    listed: List[Dict[str, Any]] = call_json(["models"])["models"]
    assert [m["name"] for m in listed] == ph.models.names == [m.name for m in ph.models]
    assert len(ph.models) == len(listed) > 40
    for theirs, mine in zip(listed, ph.models):
        assert (theirs["summary"], theirs["reference"]) == (mine.summary, mine.reference)
        assert [p["name"] for p in theirs["presets"]] == [p.name for p in mine.presets]
        for p, q in zip(theirs["parameters"], mine.parameters):
            assert (p["name"], p["kind"], p["unit"], p["text"]) == (q.name, q.kind, q.unit, q.text)
            assert (p["min"], p["max"]) == (q.min, q.max)
            if q.kind != "bodies":
                assert p["default"] == (list(q.default) if isinstance(q.default, tuple) else q.default)


def test_methods_are_those_of_the_program() -> None:
    listed = call_json(["methods"])["methods"]
    assert [m["name"] for m in listed] == ph.methods.names
    for theirs, mine in zip(listed, ph.methods):
        assert theirs["summary"] == mine.summary
        assert [o["name"] for o in theirs["options"]] == [o.name for o in mine.options]


def test_every_model_is_built_with_every_preset() -> None:
    for model in ph.models:
        for preset in model.presets:
            z, v = model.initial(preset.name)
            system = model.system(preset.name)
            assert z.shape == v.shape == (system.space.ambient,)
            assert system.space.residual(z) < 1e-12 and system.space.tangency(z, v) < 1e-12


def test_parameters_reach_the_system() -> None:
    # two links in a row along x, and turning: kinetic energy by hand
    system = ph.model("chain-pendulum").system(masses=[2, 3], lengths=[0.5, 0.25], gravity=10)
    w = np.array([0.0, 0, 2, 0, 0, -1])
    q = np.array([1.0, 0, 0, 1, 0, 0])
    v = np.concatenate([np.cross(w[:3], q[:3]), np.cross(w[3:], q[3:])])
    first, second = 0.5 * 2.0, 0.5 * 2.0 - 0.25
    assert system.energy(q, v)[0] == pytest.approx(2 * first**2 / 2 + 3 * second**2 / 2, rel=1e-14)
    down = np.array([0.0, 0, -1, 0, 0, -1])
    assert system.energy(down, 0 * v)[1] - system.energy(q, 0 * v)[1] == pytest.approx(-10 * (2 * 0.5 + 3 * 0.75), rel=1e-14)
    # one number is for all links there are, a list of one is a chain of one link
    assert len(ph.model("chain-pendulum").system(masses=[1, 1, 1], lengths=0.5).space.factors) == 3
    assert len(ph.model("chain-pendulum").system(masses=[1.0]).space.factors) == 1
    # gravity as a vector
    sideways = ph.model("spherical-pendulum").system(mass=2, length=0.5, gravity=(9.0, 0, 0))
    assert sideways.gradient([0, 0, 1]) == pytest.approx([-9.0, 0, 0])
    z, _ = ph.model("spherical-pendulum").initial("hanging", gravity=(9.0, 0, 0))
    assert z == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("parameters, status, words", [
    ({"mases": 1}, "PH_E_UNKNOWN", 'did you mean "masses"'),
    ({"masses": -1}, "PH_E_RANGE", "masses"),
    ({"masses": [1, float("nan")]}, "PH_E_NOT_FINITE", "masses"),
    ({"masses": [[1, 1]]}, "PH_E_SIZE", "masses"),
    ({"masses": "heavy"}, "PH_E_INVALID", "masses"),
    ({"gravity": [1, 2]}, "PH_E_SIZE", "gravity"),
    ({"preset": "hangin"}, "PH_E_UNKNOWN", 'did you mean "hanging"'),
    ({"masses": []}, "PH_E_SIZE", "masses"),
])
def test_wrong_parameters(parameters: Dict[str, Any], status: str, words: str) -> None:
    with pytest.raises(ph.Error) as caught:
        ph.model("chain-pendulum").system(**parameters)
    assert words in str(caught.value) and caught.value.status == status


def test_wrong_bodies() -> None:
    for bodies in (3, "ab", [{}], [None]):
        with pytest.raises(ph.Error, match="Mass"):
            ph.model("binary").system(bodies=bodies)


def test_bodies() -> None:
    # two balls: U = -G m1 m2 / r
    m1, m2, r = 3e10, 2e8, 700.0
    system = ph.model("binary").system(bodies=[ph.Mass.sphere(m1, 100.0), ph.Mass.sphere(m2, 10.0)], G=6.6743e-11)
    z = np.concatenate([[r, 0, 0], np.eye(3).ravel(), np.eye(3).ravel()])
    assert system.potential(z) == pytest.approx(-6.6743e-11 * m1 * m2 / r, rel=1e-14)


def test_names() -> None:
    assert "heavy-top" in ph.models and "heavy" not in ph.models
    assert ph.models[0].name == ph.models.names[0] and ph.models[-1].name == ph.models.names[-1]
    assert ph.model(ph.model("heavy-top")) == ph.models["heavy-top"]
    for one in (ph.model("heavy-top"), ph.method("rk4")):
        assert pickle.loads(pickle.dumps(one)) == one == copy.deepcopy(one)
    assert ph.models._ipython_key_completions_() == ph.models.names
    with pytest.raises(ph.Error, match='did you mean "heavy-top"'):
        ph.models["heavy-tip"]
    with pytest.raises(ph.Error, match='did you mean "variational"'):
        ph.method("variatonal")
    with pytest.raises(IndexError):
        ph.models[1000]


def test_a_new_scenario() -> None:
    assert ph.model("heavy-top").new() == call(["new", "heavy-top"])


def test_supports_orders_and_claims() -> None:
    ball, chain = ph.model("chaplygin-ball").system(), ph.model("chain-pendulum").system()
    answer = ph.method("variational").supports(ball)
    assert not answer and "constraint" in answer.reason
    assert ph.method("dla").supports(ball) and ph.method("dla").supports(ball).reason == ""
    for order in (2, 4, 6, 8):
        assert ph.method("variational").order_for(chain, order=order) == order
    with pytest.raises(ph.Error, match="did you mean"):
        ph.method("variational").order_for(chain, ordr=2)
    with pytest.raises(ph.Error):
        ph.method("rk4").supports("chain-pendulum")  # type: ignore[arg-type]
    assert "symplectic" in ph.method("variational").claims_for(chain)


def test_tables() -> None:
    table = ph.Table(["name", "value"], [["a<b", 1.0], ["long", None]], "T & U")
    assert repr(table).splitlines() == ["T & U", "name  value", "a<b       1", "long"]
    page = table._repr_html_()
    assert "a&lt;b" in page and "T &amp; U" in page and page.count("<tr>") == 3
    assert page.count("text-align:right") == 3 and page.count("text-align:left") == 3  # numbers and texts
    assert [row["name"] for row in table] == ["a<b", "long"]
    with pytest.raises(KeyError, match="there are: name, value"):
        table["nam"]
    frame = pytest.importorskip("pandas")
    assert list(table.to_pandas().columns) == ["name", "value"] and isinstance(ph.models.to_pandas(), frame.DataFrame)


def test_what_is_shown() -> None:
    assert repr(ph.models).splitlines()[0].split() == ["name", "summary"]
    model = ph.model("heavy-top")
    for shown in (repr(model), model._repr_html_()):
        assert model.summary in shown and "nutation" in shown and "kg" in shown
    assert model.parameters["mass"].min == sys.float_info.min and "> 0" in repr(model.parameters)
    assert ph.method("variational").options["order"].choices == ("automatic", "2", "4", "6", "8")
