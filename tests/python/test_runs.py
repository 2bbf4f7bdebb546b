# SPDX-License-Identifier: BSD-3-Clause
"""Runs into archives: the bits of the program, of steps one by one, of runs that were interrupted, killed and resumed."""
from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import polhode as ph
from polhode import _session
from polhode._program import call
from polhode._scenario import scenario_text

PENDULUM: Dict[str, Any] = {"model": "double-spherical-pendulum", "method": "variational", "order": 4, "step": 0.01, "duration": 3,
                            "every": 7}
EVENTS = [{"name": "section", "when": "q1x"}, {"name": "up", "when": "q2z", "direction": "up", "crosses": 0.5}]


def changed(**keywords: Any) -> Dict[str, Any]:
    return {**PENDULUM, **keywords}


def by_program(folder: Path, **keywords: Any) -> Path:
    """The archive of the program's run."""
    folder.mkdir()
    (folder / "s.yaml").write_text(scenario_text(None, **keywords).text)
    call(["run", str(folder / "s.yaml"), "-o", str(folder / "out"), "-q"])
    return folder / "out" / "s.polhode"


def same(a: ph.Run, b: ph.Run) -> None:
    """All rows and events have the same bits, and so has the state."""
    assert a.columns == b.columns and len(a) == len(b) > 2
    assert a[tuple(a.columns)].tobytes() == b[tuple(b.columns)].tobytes()
    assert list(a.events) == list(b.events)
    for name, found in a.events.items():
        for mine, theirs in zip(found, b.events[name]):
            assert mine.tobytes() == theirs.tobytes()


def oscillator() -> ph.System:
    return ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.5 * x[0]**2, gradient=lambda x: x)


def test_bits_of_the_program(tmp_path: Path) -> None:
    archive = by_program(tmp_path / "c", **PENDULUM, events=EVENTS)
    run = ph.run(**PENDULUM, events=EVENTS)
    same(run, ph.open(archive))
    assert sum(found.t.size for found in run.events.values()) > 1
    if "no (export to .npz)" in call(["--version"]):
        pytest.skip("this build does not write .npz")
    call(["export", str(archive), "-o", str(tmp_path / "x.npz"), "-q"])
    exported = np.load(tmp_path / "x.npz")
    for mine, theirs in ((run.q, "q"), (run.pi, "pi"), (run.t, "t"), (run.energy_error, "energy_error"), (run["step"], "step")):
        assert mine.shape == exported[theirs].shape and mine.tobytes() == exported[theirs].tobytes()
    call(["export", str(archive), "-o", str(tmp_path / "y.npz"), "-q", "--columns", "omega,positions,tensions,momentum_maps"])
    exported = np.load(tmp_path / "y.npz")
    for mine, theirs in ((run.omega, "omega"), (run["positions"], "position"), (run["tensions"], "tension"), (run.momentum[:, 0], "Jg")):
        assert mine.shape == exported[theirs].shape and mine.tobytes() == exported[theirs].tobytes()


def test_sources_are_equal(tmp_path: Path) -> None:
    file = tmp_path / "pendulum.yaml"
    file.write_text(scenario_text(None, **PENDULUM).text)
    run = ph.run(**PENDULUM)
    for other in (ph.run(file), ph.run(file.read_text()), ph.run({"model": PENDULUM["model"], "method": {"name": "variational", "order": 4},
                                                                 "step": 0.01, "duration": 3, "output": {"every": 7}}),
                  ph.run(file, duration=None, steps=300), ph.run(scenario_text(file, every=50), every=7)):
        same(run, other)
    assert ph.run(file, output=tmp_path / "here").path == str(tmp_path / "here" / "pendulum.polhode")
    other = ph.run(file, step=0.02, duration=1)
    assert other.step == 0.02 and other.t[-1] == 1.0
    assert run.scenario == file.read_text() and run.model == PENDULUM["model"] and run.step == 0.01 and run.reason == "duration"


def test_outputs() -> None:
    base = changed(every=None)
    assert len(ph.run(**base)) == 301
    assert np.array_equal(ph.run(**base, times=[0.333, 1.5]).t, [0, 0.333, 1.5, 3])
    run = ph.run(**base, interval=0.5)
    assert np.array_equal(run.t, np.arange(7) / 2) and not run.between.any()
    between = ph.run(**base, at=[0.005, 1.0])
    assert between.between.tolist() == [False, True, False, False]
    few = ph.run(**base, columns=["q1", "energy_error"])
    assert few.columns == ["t", "step", "q1x", "q1y", "q1z", "energy_error"]
    seen: List[Any] = []
    run = ph.run(**PENDULUM, observe=lambda t, z, p: seen.append((t, *z, *p)))
    assert np.array(seen).tobytes() == np.concatenate([run.t[:, None], run.z, run.p], axis=1).tobytes()


def test_resumed_is_uninterrupted(tmp_path: Path) -> None:
    whole = ph.run(**PENDULUM, events=EVENTS)
    part = ph.run(**changed(duration=1), events=EVENTS)
    assert part.resume(until=3) is part
    same(whole, part)
    state = ph.run(**changed(duration=1)).state
    state.integrator.step(state, 200)
    assert state.z.tobytes() == whole.state.z.tobytes() and bytes(state) == bytes(whole.state)
    with pytest.raises(ph.Error, match="is at t = 3 s already") as caught:
        part.resume(until=2)
    assert caught.value.status == "PH_E_RANGE"
    assert len(part.resume()) == len(whole)


def test_system_of_ones_own(tmp_path: Path) -> None:
    system = oscillator()
    events = [ph.Event("zero", column="x1_1"), ph.Event("turn", lambda t, y: y[1], direction=1), {"name": "half", "when": "x1_1", "crosses": 0.5}]
    run = ph.run(system, [1.0], [0.0], method="variational", order=8, step=0.1, duration=20, every=1, events=events)
    it = ph.Integrator(system, "variational", step=0.1, order=8)
    state = it.state([1.0], [0.0])
    for k in range(201):
        assert run.z[k].tobytes() == state.z.tobytes() and run.p[k].tobytes() == state.p.tobytes()
        it.step(state)
    assert run.x.shape == (201, 1, 1) and run.system is system
    np.testing.assert_allclose(run.v[:, 0], -np.sin(run.t), atol=1e-8)  # computed, as the archive has no velocities
    np.testing.assert_allclose(run.events["zero"].t, np.pi * (np.arange(6) + 0.5), atol=1e-8)
    np.testing.assert_allclose(run.events["turn"].t, np.pi * np.array([1, 3, 5]), atol=1e-8)
    np.testing.assert_allclose(run.events["half"].z[:, 0], 0.5, atol=1e-12)
    part = ph.run(system, [1.0], [0.0], method="variational", order=8, step=0.1, steps=50, every=1, events=events, output=tmp_path / "own")
    same(run, part.resume(until=20))
    with pytest.raises(ph.Error, match="it is of a system of your own"):
        ph.open(tmp_path / "own").resume(until=30)
    again = ph.open(tmp_path / "own", system=system, events=events).resume(until=30)
    assert again.t[-1] == 30.0 and again.events["turn"].t.size == 5
    with pytest.raises(ph.Error, match="rows have 9 numbers"):
        ph.open(tmp_path / "own", system=ph.System([ph.R(2)], inertia=[1.0])).resume(until=40)


@pytest.mark.parametrize("source, keywords, words", [
    (None, {**PENDULUM, "output": "there"}, "force=True replaces it; polhode.open('there').resume()"),
    (None, {"model": "heavy-top", "method": "rk4", "step": 0.1, "duration": 1.05}, "not a whole number"),
    ("no-such-file.yaml", {}, "cannot read the scenario"),
    (None, {**PENDULUM, "z0": [1.0]}, "belong to a system of your own"),
    (None, {**PENDULUM, "events": [lambda t, y: 1.0]}, "is a column that crosses"),
    (None, {**PENDULUM, "columns": ["energi"]}, "energy"),
    (None, {**PENDULUM, "columns": "energy"}, "must be a list"),
    (None, {**PENDULUM, "observe": 3}, "must be a function"),
    (None, {**PENDULUM, "wall_clock": float("nan")}, "must be finite"),
    ("own", {"step": 0.1}, "z0 is missing"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1}, "one of duration"),
    ("own", {"z0": [1.0], "v0": [0.0], "duration": 1}, "step is missing"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1.05}, "whole number of steps"),
    ("own", {"z0": [1.0, 2.0], "v0": [0.0], "step": 0.1, "duration": 1}, "z has the shape"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1, "every": 2, "interval": 0.1}, "exclude each other"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1, "at": [0.5, 1.5]}, "at must be within the span of the run, from 0 to 1 s"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": -0.1, "duration": 1, "at": [0.5]}, "at must be within the span of the run, from -1 to 0 s"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1, "at": [0.5, 0.2]}, "at must be in the order"),
    (ph.model("heavy-top"), {"method": "rk4", "step": 0.1, "duration": 1}, "the model is given by model='heavy-top'"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1, "accuracy": 1e-8}, "polhode.solve"),
    ("own", {"z0": [1.0], "v0": [0.0], "step": 0.1, "duration": 1, "events": [{"when": "x1_1"}]}, "must have name and when"),
])
def test_mistakes(source: Any, keywords: Dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if keywords.get("output"):
        ph.run(**keywords)
    with pytest.raises(ph.Error) as caught:
        ph.run(oscillator() if source == "own" else source, **keywords)
    assert words in str(caught.value)
    assert [entry for entry in os.listdir() if entry != "there"] == []


def test_ends(tmp_path: Path) -> None:
    stopped = ph.run(**PENDULUM, events=[{"name": "up", "when": "q2z", "crosses": 0.5, "action": "stop"}])
    assert (stopped.status, stopped.reason, stopped.attributes["ended_by"]) == ("stopped", "event", "up") and stopped.t[-1] < 3
    clock = ph.run(**changed(duration=1e6), wall_clock=0.05)
    assert clock.reason == "wall-clock" and 0 < clock.t[-1] < 1e6
    with pytest.raises(ph.Error, match="no solution") as caught:
        ph.run(**changed(step=0.5, duration=100, every=1))
    assert caught.value.status == "PH_E_NO_SOLUTION"
    assert 2 < len(getattr(caught.value, "run")) < 201

    def raises(t: float, z: Any, p: Any) -> None:
        if t > 1:
            raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough") as reason:
        ph.run(**PENDULUM, observe=raises, output=tmp_path / "raised")
    kept = getattr(reason.value, "run")
    whole = ph.run(**PENDULUM)
    same(whole, kept.resume())
    same(whole, ph.open(tmp_path / "raised"))
    with pytest.raises(ZeroDivisionError) as wrong:
        ph.run(ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.0, gradient=lambda x: [1 / int(x[0] > 0)]), [1.0], [0.0],
               method="rk4", step=0.1, duration=10, every=1)
    assert 2 < len(getattr(wrong.value, "run")) < 101


def test_remarks_are_warnings() -> None:
    with pytest.warns(ph.RunWarning, match="density"):
        ph.run(model="binary", parameters={"bodies": [{"density": 2e9, "radius": 100}, {"mass": 1e9}]}, method="kepler-rotor", step=1,
               duration=10)


def test_step_that_is_too_large() -> None:
    limit = 2 * np.sqrt(1 / 9.81)  # of a pendulum of 1 m by leapfrog: 2 / rate
    settings: Dict[str, Any] = {"model": "planar-pendulum", "parameters": {"mass": 1.0, "length": 1.0, "gravity": 9.81},
                                "initial": {"q": [{"angle": -np.pi / 2 + 1e-3}]}, "method": "rk4", "steps": 3}
    with pytest.warns(ph.RunWarning, match=f"{limit:.2g} s is the limit of stability") as caught:
        ph.run(**settings, step=1.01 * limit)
    assert caught[0].filename == __file__
    ph.run(**settings, step=0.99 * limit)


def test_a_configuration_that_left_its_manifold_is_said() -> None:
    with pytest.warns(ph.RunWarning, match='left its manifold.* rk4 .*"manifold"'):
        off = ph.run(model="planar-pendulum", method="rk4", step=0.3, duration=3)
    assert off.constraint_error.max() > 1e-6
    with pytest.warns(ph.RunWarning, match="too large"), pytest.raises(ph.Error, match="finite numbers.*left its manifold"):
        ph.run(model="planar-pendulum", method="rk4", step=1, duration=100)


def test_accuracy_that_was_not_kept() -> None:
    with pytest.warns(ph.RunWarning, match="accuracy"):
        ph.run(model="heavy-top", method="rk4", step=0.1, duration=10, accuracy={"value": 1e-10, "of": "energy"})


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals are the main thread's")
@pytest.mark.parametrize("own", [False, True])
def test_ctrl_c(own: bool, tmp_path: Path) -> None:
    sent: List[float] = []

    def send() -> None:
        while not list(tmp_path.glob("out/*.polhode")):
            time.sleep(0.01)
        time.sleep(0.1)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send, daemon=True).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        if own:
            ph.run(oscillator(), [1.0], [0.0], method="rk4", step=0.01, steps=10**9, output=tmp_path / "out")
        else:
            ph.run(**changed(duration=1e7, every=1000), output=tmp_path / "out")
    took = time.perf_counter() - sent[0]
    print(f"Ctrl-C took {took:.3f} s")
    assert took < 2
    run = getattr(caught.value, "run")
    assert run.reason == "callback" if own and run.reason != "signal" else run.attributes["ended_by"] == "SIGINT"
    assert ph.open(tmp_path / "out", system=oscillator() if own else None).state.k == run.state.k > 0


def test_progress(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_session.Progress, "interval", 0.0)
    ph.run(**changed(duration=1e7, every=1000), wall_clock=0.2, progress=True)
    shown = capfd.readouterr()
    assert shown.out == "" and "left  energy error" in shown.err and "double-spherical-pendulum" in shown.err
    ph.run(**PENDULUM)
    assert capfd.readouterr() == ("", "")
    damped = oscillator().forced(force=lambda t, z, v: -v, force_dv=lambda t, z, v: [[-1.0]])
    ph.run(damped, [1.0], [0.0], step=0.01, duration=1e6, every=1000, wall_clock=0.2, progress=True)
    shown = capfd.readouterr()
    assert " left" in shown.err and "energy error" not in shown.err  # the energy changes as it should


def test_progress_in_a_notebook(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    shown: List[str] = []

    class Display:
        def update(self, data: Dict[str, str], raw: bool) -> None:
            shown.append(data["text/plain"])

    shell = types.SimpleNamespace(config={"IPKernelApp": {}})
    modules: Any = sys.modules
    monkeypatch.setattr(_session.Progress, "interval", 0.0)
    monkeypatch.setitem(modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(modules, "IPython.display", types.SimpleNamespace(display=lambda data, raw, display_id: Display()))
    ph.run(**changed(duration=1e7, every=1000), wall_clock=0.2, progress=True)
    assert " left  energy error" in shown[0] and "done in" in shown[-1] and capfd.readouterr() == ("", "")


def _summary(step: float) -> Any:
    run = ph.run(**changed(step=step))
    return run, run.energy_error.tolist()


def test_killed_and_resumed(tmp_path: Path) -> None:
    scenario = tmp_path / "k.yaml"
    scenario.write_text(scenario_text(None, model="double-spherical-pendulum", method="variational", step=0.01, steps=20000,
                                      every=1000).text)
    child = subprocess.Popen([sys.executable, "-c", f"import time, polhode as ph; ph.run({str(scenario)!r}, output={str(tmp_path)!r}, "
                                                    f"snapshot=0, observe=lambda t, z, p: time.sleep(0.1))"])
    archive = tmp_path / "k.polhode"
    while not archive.exists():
        assert child.poll() is None
        time.sleep(0.005)
    run = ph.open(archive)
    while len(run.refresh()) < 3:  # read while another process writes
        time.sleep(0.002)
    with pytest.raises(ph.Error, match=str(child.pid)) as caught:
        run.resume()
    assert caught.value.status == "PH_E_EXISTS" and run.is_running and np.array_equal(run["step"], 1000 * np.arange(len(run)))
    child.send_signal(signal.SIGKILL)
    child.wait()
    killed = ph.open(tmp_path)
    assert killed.status == "" and not killed.is_running and len(killed) < 21
    same(ph.run(scenario), killed.resume())


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes(way: str) -> None:
    before = ph.run(**PENDULUM)
    first = before.energy_error.copy()
    with multiprocessing.get_context(way).Pool(1) as pool:
        (run, errors), = pool.map(_summary, [0.01])
        inside = pool.apply(len, (before,))
    assert errors == first.tolist() == run.energy_error.tolist() and inside == len(before)
    assert run.path != before.path and os.path.exists(run.path) and os.path.exists(before.path)
    same(before.resume(until=4), run.resume(until=4))


def test_threads_and_lifetime() -> None:
    whole = ph.run(**PENDULUM)
    results: List[Any] = []
    run = ph.run(**PENDULUM)
    threads = [threading.Thread(target=lambda: results.append((ph.run(**PENDULUM), run.q.copy(), run.momentum.copy()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for made, q, momentum in results:
        same(whole, made)
        assert q.tobytes() == whole.q.tobytes() and momentum.tobytes() == whole.momentum.tobytes()
    path, state, energies = run.path, run.state, run.energy
    del run
    gc.collect()
    assert not os.path.exists(os.path.dirname(path))
    state.integrator.step(state, 10)
    assert energies.size == len(whole) and ph.run(**PENDULUM).system.energy(state.z, state.v)[0] > 0


def test_accuracy() -> None:
    run = ph.run(model="free-rigid-body", accuracy=1e-6, duration=5)
    assert run.attributes["accuracy"] == "9.9999999999999995e-07" and float(run.attributes["estimated_error"]) < 1e-6
    exact = ph.run(model="free-rigid-body", method="rk8", step=0.001, duration=5, every=5000)
    assert np.abs(run.R[-1] - exact.R[-1]).max() < 1e-6
    same(run, ph.run(model="free-rigid-body", method={"name": run.method, **run.integrator.options}, step=run.step, duration=5))
