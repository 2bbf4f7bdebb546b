# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps: arrays of members against runs of them alone, failures, events, shards, interruptions, what is observed."""
from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest

import polhode as ph
from polhode._program import call

TOP: Dict[str, Any] = {"model": "heavy-top", "method": "variational", "step": 0.01, "duration": 1, "every": 20}
PRODUCT = {"product": {"parameters.mass": [0.5, 1, 2], "method": ["rk4", {"name": "variational", "order": 4}]}}
PENDULUM: Dict[str, Any] = {"model": "planar-pendulum", "method": "rk4", "step": 0.01, "duration": 1}


def test_members_have_the_bits_of_runs_alone() -> None:
    sweep = ph.sweep(**TOP, ensemble=PRODUCT)
    assert len(sweep) == sweep.planned == 6 and sweep.rows == 6 and sweep.status == "ok" and sweep.shard == (1, 1)
    assert sweep["R"].shape == (6, 6, 1, 3, 3) and sweep.t.shape == (6, 6) and not len(sweep.failed) and not sweep.events
    assert sweep.values["parameters.mass"].tolist() == [0.5, 0.5, 1, 1, 2, 2]
    assert sweep.values["method"].tolist() == ["rk4", '{"name": "variational", "order": 4}'] * 3
    for i in sweep.members:
        alone = ph.run(sweep.member(int(i)))
        assert "ensemble" not in alone.scenario
        for name in ("t", "R", "Pi", "energy_error"):
            assert sweep[name][i].tobytes() == alone[name].tobytes()
    with pytest.raises(ph.Error, match="no member"):
        sweep.member(6)
    with pytest.raises(ph.Error, match="there are: .*energy"):
        sweep["enrgy"]
    assert (sweep.statuses == "PH_OK").all()


def test_threads_and_shards_have_the_same_bits(tmp_path: Path) -> None:
    whole = ph.sweep(**TOP, ensemble=PRODUCT, threads=2, output=tmp_path / "whole", name="top")
    for k in (1, 2, 3, 4):
        part = ph.sweep(**TOP, ensemble=PRODUCT, threads=1, shard=(k, 4), output=tmp_path / "parts", name="top")
        assert part.shard == (k, 4) and part.members.tolist() == [[0, 1], [2, 3], [4], [5]][k - 1]
        with pytest.raises(ph.Error, match="statistics.json"):
            part.statistics
    joined = ph.merge(tmp_path / "parts")
    assert len(joined) == 6 and joined["R"].tobytes() == whole["R"].tobytes()
    assert joined.statistics["columns"]["energy"] == whole.statistics["columns"]["energy"]
    assert whole.statistics["columns"]["energy"]["mean"] == pytest.approx(whole["energy"][:, -1].mean(), rel=1e-14)
    assert "rows" not in joined.statistics
    of_rows = ph.merge(tmp_path / "parts", force=True, rows=True).statistics["rows"]
    assert len(of_rows) == joined.rows
    with pytest.raises(ph.Error, match="PH_E_EXISTS|exists|is there") as reason:
        ph.merge(tmp_path / "parts")
    assert reason.value.status == "PH_E_EXISTS"
    os.remove(joined.path)
    os.remove(part.path)
    with pytest.raises(ph.Error, match="4"):
        ph.merge(tmp_path / "parts")


def test_the_archive_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "top.yaml").write_text("polhode: 1\nmodel: heavy-top\nmethod: rk4\nstep: 0.01\nduration: 1\n"
                                       "ensemble: {product: {step: [0.01, 0.02, 0.04]}}\n")
    call(["sweep", str(tmp_path / "top.yaml"), "-o", str(tmp_path / "out"), "-q"])
    theirs, mine = ph.Sweep(tmp_path / "out"), ph.sweep(tmp_path / "top.yaml")
    assert theirs["R"].tobytes() == mine["R"].tobytes() and theirs.values["step"].tolist() == [0.01, 0.02, 0.04]
    assert theirs["step"][:, 0].tolist() == [100, 50, 25]
    assert theirs.scenario_path == str(tmp_path / "top.yaml")
    assert pickle.loads(pickle.dumps(theirs)).path == theirs.path
    assert ph.sweep(tmp_path / "top.yaml", output=tmp_path / "out")["R"].tobytes() == mine["R"].tobytes()
    with pytest.raises(ph.Error, match="cannot be pickled"):
        pickle.dumps(mine)
    with pytest.raises(ph.Error, match=r"polhode\.Sweep\("):
        ph.open(tmp_path / "out")
    with pytest.raises(ph.Error, match=r"polhode\.open\("):
        ph.Sweep(ph.run(**TOP, output=tmp_path / "run").path)
    with pytest.raises(ph.Error, match="force=True replaces it") as reason:
        ph.sweep(tmp_path / "top.yaml", duration=2, output=tmp_path / "out")
    assert reason.value.status == "PH_E_EXISTS"
    longer = ph.sweep(tmp_path / "top.yaml", duration=2, output=tmp_path / "out", force=True)
    assert (longer.t == 2).all() and theirs.refresh().t.max() == 2


def test_failures_are_told_and_run_again(tmp_path: Path) -> None:
    given = {**PENDULUM, "method": "variational", "step": 0.1, "initial": {"q": [[0, 1]], "omega": [1]},
             "ensemble": {"product": {"initial.omega[0]": [1, 20, 2]}}}
    with pytest.warns(ph.RunWarning, match="1 of 3 members failed, member 1 for instance: no solution .* too long"):
        sweep = ph.sweep(given, output=tmp_path)
    assert sweep.failed["member"] == [1] and "no solution" in sweep.failed[0]["message"] and sweep.failed[0]["t"] == 0
    assert sweep.statuses.tolist() == ["PH_OK", "PH_E_NO_SOLUTION", "PH_OK"] and sweep.failed[0]["status"] == "PH_E_NO_SOLUTION"
    assert sweep.t[:, 0].tolist() == [1, 0, 1]  # it got no further
    with pytest.warns(ph.RunWarning, match="1 of 3"):
        rows = ph.sweep(given, interval=0.5)
    assert np.isnan(rows["energy"]).tolist() == [[False] * 3, [False, True, True], [False] * 3]
    again = ph.sweep(given, output=tmp_path, failed={"step": 0.01})
    assert not len(again.failed) and again["energy"][[0, 2]].tobytes() == sweep["energy"][[0, 2]].tobytes()
    assert again["q"][1].tobytes() == ph.run(sweep.member(1), step=0.01).q[-1:].tobytes()


def test_events_have_their_members() -> None:
    sweep = ph.sweep(**PENDULUM, initial={"q": [[0, 1]], "omega": [1]}, ensemble={"product": {"initial.omega[0]": [1, 2, 3, 4]}},
                     events=[{"name": "side", "when": "q1y", "crosses": -0.5, "action": "stop"}, {"name": "up", "when": "q1x"}])
    assert sweep.rows == 1
    for name, found in sweep.events.items():
        for i in sweep.members:
            one = ph.run(sweep.member(int(i))).events[name]
            mine = found.member == i
            for mine_of, theirs in ((found.t, one.t), (found.z, one.z), (found.p, one.p), (found.step, one.step)):
                assert mine_of[mine].tobytes() == theirs.tobytes()
    stopped = sweep.statuses == "PH_E_STOPPED"
    assert stopped.any() and sorted(sweep.events["side"].member) == np.flatnonzero(stopped).tolist()
    assert np.array_equal(sweep.t[stopped, 0] < 1, np.ones(stopped.sum(), bool))


def test_members_are_observed_as_they_finish(tmp_path: Path) -> None:
    seen: List[ph.Block] = []
    given = {**PENDULUM, "initial": {"q": [[0, 1]], "omega": [1]}, "duration": 20,
             "ensemble": {"product": {"initial.omega[0]": {"from": 0.1, "to": 2, "count": 500}}}}
    sweep = ph.sweep(given, observe=seen.append, snapshot=0, output=tmp_path)
    assert np.concatenate([block.members for block in seen]).tolist() == list(range(500)) and len(seen) > 1
    assert np.concatenate([block["q"] for block in seen]).tobytes() == sweep["q"].tobytes()
    assert seen[-1].done == seen[-1].planned == 500 and seen[0].done == len(seen[0])
    ph.sweep(given, observe=seen.append, output=tmp_path)  # it is complete: nothing is left to see
    assert sum(len(block) for block in seen) == 500
    ph.sweep(given, observe=seen.append, output=tmp_path, force=True)  # all again
    assert sum(len(block) for block in seen) == 1000


def test_what_an_observer_raises_ends_it_and_it_goes_on(tmp_path: Path) -> None:
    given = {**PENDULUM, "initial": {"q": [[0, 1]], "omega": [1]}, "duration": 50,
             "ensemble": {"product": {"initial.omega[0]": {"from": 0.1, "to": 2, "count": 400}}}}

    def refuse(block: ph.Block) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough") as reason:
        ph.sweep(given, observe=refuse, snapshot=0, output=tmp_path)
    part = reason.value.run  # type: ignore[attr-defined]
    assert isinstance(part, ph.Sweep) and 0 < len(part) < part.planned == 400 and part.status == "interrupted"
    short = ph.sweep(given, wall_clock=0, output=tmp_path)
    assert len(short) == len(part) and short.attributes["reason"] == "wall-clock"
    whole = ph.sweep(given, output=tmp_path)
    assert len(whole) == 400 and whole["q"].tobytes() == ph.sweep(given)["q"].tobytes()


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("""
import os, signal, sys, threading
import polhode as ph
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    ph.sweep(model="planar-pendulum", method="rk4", step=0.001, duration=1000, snapshot=0, output=sys.argv[1], initial={"q": [[0, 1]],
             "omega": [1]}, ensemble={"product": {"initial.omega[0]": {"from": 0.1, "to": 2, "count": 100000}}})
except KeyboardInterrupt as reason:
    print(reason.run.status, len(reason.run) < reason.run.planned)
""")
    done = subprocess.run([sys.executable, str(tmp_path / "s.py"), str(tmp_path / "out")], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["interrupted", "True"], done.stderr


def test_progress(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from polhode import _session

    monkeypatch.setattr(_session.Progress, "interval", 0.0)
    ph.sweep({**PENDULUM, "duration": 20}, initial={"q": [[0, 1]], "omega": [1]}, progress=True,
             ensemble={"product": {"initial.omega[0]": {"from": 0.1, "to": 2, "count": 200}}})
    lines = capfd.readouterr().err.splitlines()
    assert lines and all("members" in line and "left" in line and line.startswith("sweep ") for line in lines)


def test_a_dataset() -> None:
    xarray = pytest.importorskip("xarray")
    sweep = ph.sweep(**TOP, ensemble=PRODUCT)
    data = sweep.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["R"].dims == ("member", "row", "R_factor", "R_row", "R_column")
    assert data["energy"].dims == ("member", "row") and data["energy"].attrs["units"] == "J"
    assert data.coords["parameters.mass"].values.tolist() == [0.5, 0.5, 1, 1, 2, 2] and data.coords["t"].dims == ("member", "row")
    heavy = data.where(data["parameters.mass"] == 2, drop=True)
    assert heavy["R"].values.tobytes() == sweep["R"][4:].tobytes()


def test_bad_input(tmp_path: Path) -> None:
    bad: List[Tuple[Dict[str, Any], str]] = [
        ({"ensemble": {"product": {"parameters.mas": [1, 2]}}}, "mass"), ({"threads": 0}, "threads is 0"), ({"shard": 2}, "shard is 2"),
        ({"shard": (3, 2)}, "shard"), ({"shard": (1, 7)}, "7 shards of 6"), ({"observe": 1}, "observe is 1"),
        ({"failed": True}, "no member has failed"),
        ({"ensemble": {"product": {"parameters.mass": {"from": 1, "to": 2, "count": 10**12}}}}, "force=True")]
    for keywords, words in bad:
        given: Dict[str, Any] = {**TOP, "ensemble": PRODUCT, **keywords}
        with pytest.raises(ph.Error, match=words):
            ph.sweep(**given, output=tmp_path)
    assert not os.listdir(tmp_path)
    one = ph.sweep(**TOP)
    assert len(one) == 1 and one.values == {} and one["R"][0].tobytes() == ph.run(**TOP).R.tobytes()
