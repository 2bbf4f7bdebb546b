# SPDX-License-Identifier: BSD-3-Clause
"""Scenario texts from files, texts, dicts and keywords."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polhode as ph
from polhode._polhode import ffi, lib
from polhode._program import call_json
from polhode._scenario import Scenario, parse, scenario_text

TEXT = """polhode: 1
model: chain-pendulum  # of two links
method: rk4
step: 0.1
duration: 5
output: {every: 3}
"""


def parsed(text: str) -> Any:
    return parse(Scenario(text))


def test_keywords() -> None:
    scenario = parsed(scenario_text(model="chain-pendulum", masses=[1, np.float64(2)], preset="hanging", method="variational", order=8.0,
                                    step=0.01, steps=1000.0, every=10, energy_error=1e-3,
                                    events=[{"name": "up", "when": "q1x", "action": "stop"}]).text)
    assert lib.ph_scenario_steps(scenario) == 1000
    assert lib.ph_scenario_step_size(scenario) == 0.01
    assert lib.ph_scenario_energy_bound(scenario) == 1e-3
    n = ffi.new("size_t *")
    settings = lib.ph_scenario_settings(scenario, n)
    assert [(ffi.string(settings[i].name), ffi.string(settings[i].value)) for i in range(n[0])] == [(b"order", b"8")]
    assert lib.ph_scenario_events(scenario, n)[0].direction == 0 and n[0] == 1


def test_numbers_keep_their_bits() -> None:
    step = 0.1 + 2**-55
    assert lib.ph_scenario_step_size(parsed(scenario_text(TEXT, step=step, duration=None, steps=3).text)) == step


def test_overrides_keep_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "chain.yaml"
    file.write_text(TEXT)
    assert scenario_text(file) == (TEXT, str(file))
    assert scenario_text(str(file)).folder == str(tmp_path)
    changed = scenario_text(TEXT, steps=7, at=np.array([0.1, 0.2]), method="variational", order=4).text
    assert "# of two links" in changed and "duration" not in changed and "every" not in changed
    scenario = parsed(changed)
    assert lib.ph_scenario_steps(scenario) == 7 and ffi.string(lib.ph_scenario_method(scenario).name) == b"variational"
    assert scenario_text({"model": "heavy-top", "step": 0.5}, step=0.25).text == 'polhode: 1\nmodel: "heavy-top"\nstep: 0.25\n'


@pytest.mark.parametrize("source, keywords, words", [
    (None, {"modle": 1}, "did you mean 'model'"),
    (None, {"ordr": 8}, "did you mean 'order'"),
    (None, {"model": "rigid-n-body", "method": "variational", "order": 4}, "say which: method={'order': ...}"),
    (None, {"step": float("nan")}, "must be finite"),
    (None, {"parameters": {"masses": [1, object()]}}, "masses[1] is"),
    (None, {"model": "binary", "bodies": [ph.Mass.sphere(1.0)]}, "in a scenario a body is a dict"),
    ("heavy-top", {}, "the model is given by model='heavy-top'"),
    ("a\0b", {}, "cannot read"),
    (3, {}, "the path of a file"),
])
def test_mistakes(source: object, keywords: dict[str, object], words: str) -> None:
    with pytest.raises(ph.Error, match=".") as caught:
        scenario_text(source, **keywords)
    assert words in str(caught.value)


def test_keys_are_those_of_the_program() -> None:
    theirs = [(m["name"], k["name"], k["default"] or "required") for m in call_json(["keys"])["maps"] for k in m["keys"]]
    assert [(row["map"], row["key"], row["default"]) for row in ph.keys()] == theirs and len(theirs) > 60
