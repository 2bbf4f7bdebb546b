# SPDX-License-Identifier: BSD-3-Clause
"""Advice and comparisons of methods, on a motion whose closed form is known: a conical pendulum."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Dict

import numpy as np
import pytest

import polhode as ph
from polhode._program import call, call_json

# theta from hanging; rate^2 = g / (l cos theta)
THETA, LENGTH, G = 1.0, 0.5, 9.81
RATE = np.sqrt(G / (LENGTH * np.cos(THETA)))
SCENARIO: Dict[str, Any] = {"model": "spherical-pendulum", "length": LENGTH, "gravity": G, "duration": 4,
                            "initial": {"q": [[np.sin(THETA), 0, -np.cos(THETA)]], "qdot": [[0, RATE * np.sin(THETA), 0]]}}


def exact(t: float) -> ph._core.Array:
    return np.array([np.sin(THETA) * np.cos(RATE * t), np.sin(THETA) * np.sin(RATE * t), -np.cos(THETA)])


def integrator(method: str, step: float, **options: Any) -> ph.Integrator:
    return ph.Integrator(ph.model("spherical-pendulum").system(length=LENGTH, gravity=G), method, step=step, **options)


def errors(it: ph.Integrator, steps: int) -> Any:
    state = it.state(exact(0), [0, RATE * np.sin(THETA), 0], project=True)
    for _ in range(steps):
        it.step(state)
        yield float(np.max(np.abs(state.z - exact(state.t))))


def test_what_is_advised_meets_the_accuracy() -> None:
    advice = ph.advise(**SCENARIO, accuracy=1e-7, budget=0.5)
    assert advice.method and advice.method in ph.methods and advice.step and advice.error and advice.horizon == 4
    steps = round(4 / advice.step)
    assert steps * advice.step == pytest.approx(4, rel=1e-14)
    true = max(errors(integrator(advice.method, advice.step, **advice.options), steps))
    assert true < 1e-7 and true < 1.2 * advice.error + 1e-12
    assert advice.settings == {"method": {"name": advice.method, **advice.options}, "step": advice.step}
    assert advice.candidates[0]["method"].startswith(advice.method) and len(advice.candidates) > 10
    assert advice.reason in repr(advice) and advice.method in advice._repr_html_()
    # its scenario is one with that method and step
    checked = call_json(["check", "-"], advice.scenario, accept=(0, 1))
    assert (checked["method"], checked["step"], checked["accuracy"]) == (advice.method, advice.step, 1e-7)


def test_a_scenario_has_its_own_accuracy_and_the_default() -> None:
    text = ph._scenario.scenario_text(**SCENARIO).text
    assert ph.advise(text, budget=0.02, horizon=0.1).accuracy == 1e-6
    short = ph.advise(text + "accuracy: 1e-3\n", budget=0.02, horizon=0.1)
    assert (short.accuracy, short.horizon) == (1e-3, 0.1)


def test_nothing_is_good_enough() -> None:
    advice = ph.advise(model="double-spherical-pendulum", duration=1000, accuracy=1e-13, budget=0.05)
    assert advice.method is None and advice.step is None and advice.reason
    with pytest.raises(ph.Error, match="no method is recommended"):
        advice.settings


def test_bench_against_the_closed_form(tmp_path: Path) -> None:
    result = ph.bench(**SCENARIO, steps=[0.02], methods=["rk4", {"name": "variational", "order": 4}], budget=0.01, horizon=4,
                      output=tmp_path / "bench")
    assert sorted(os.listdir(tmp_path / "bench"))[-1] == "work-precision.csv"
    assert result.verification["method"] == ["rk4", "variational:order=4"] and all(result.verification["verified"])
    assert result.verification["order_measured"] == pytest.approx([4, 4], abs=0.2)
    assert set(result.verification["problem"]) == {"scenario"}
    row = next(row for row in result.work_precision if row["method"] == "rk4" and row["error"] < 1e-5)
    *_, last = errors(integrator("rk4", row["step"]), row["steps"])
    assert row["error"] == pytest.approx(last, rel=1e-3)
    assert set(result.long_runs["basis"]) == {"same-step", "same-cpu"}
    assert result.words == repr(result).splitlines() and result.headlines[0] in result._repr_html_()


def test_a_figure() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = ph.bench("conical-pendulum", methods="rk4", horizon=1, budget=0.01)
    ax = result.plot("conical-pendulum")
    line = ax.get_lines()[0]
    assert line.get_label() == "rk4" and list(line.get_ydata()) == result.work_precision["error"]
    assert list(line.get_xdata()) == result.work_precision["cpu_seconds"]
    assert result.plot(error="energy_error", ax=ax) is ax
    with pytest.raises(ph.Error, match="there are: conical-pendulum"):
        result.plot("conical")
    with pytest.raises(ph.Error, match="'error' or 'energy_error'"):
        result.plot(error="errors")
    matplotlib.pyplot.close("all")


def test_problems_are_those_of_the_program() -> None:
    listed = call(["bench", "--list"])
    assert all(name in listed for name in ph.problems()["name"]) and len(ph.problems()) >= 10


def test_mistakes() -> None:
    with pytest.raises(ph.Error, match='did you mean "conical-pendulum"'):
        ph.bench("conical-pendulm")
    with pytest.raises(ph.Error, match="belong to a scenario"):
        ph.bench("conical-pendulum", step=1)
    with pytest.raises(ph.Error, match="it must be a name"):
        ph.bench("conical-pendulum", methods=[3])
    with pytest.raises(ph.Error, match="duration"):
        ph.advise(model="heavy-top")
    with pytest.raises(ph.Error, match="budget"):
        ph.advise(**SCENARIO, budget="long")  # type: ignore[arg-type]


def test_systems_that_few_methods_take() -> None:
    for model, method in (("rolling-disk", "dla"), ("spin-chain", "spherical-midpoint")):
        for methods in (None, [method]):
            assert ph._analysis._some_method(ph._scenario.scenario_text(model=model), methods) == method
