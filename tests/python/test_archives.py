# SPDX-License-Identifier: BSD-3-Clause
"""Archives read from Python: arrays and their shapes, computed columns, damage, media that cannot be written, other packages."""
from __future__ import annotations

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest

import polhode as ph
from polhode import _record

TOP: Dict[str, Any] = {"model": "heavy-top", "method": "variational", "step": 0.01, "duration": 2, "every": 5}
CART: Dict[str, Any] = {"model": "cart-chain", "method": "variational", "step": 0.01, "duration": 1, "every": 10}


def by_sqlite(path: str) -> Dict[str, Any]:
    """The columns, as doc/reference/archive.md reads them."""
    with sqlite3.connect(path) as archive:
        names = [name for name, in archive.execute("SELECT name FROM columns ORDER BY i")]
        table = np.frombuffer(b"".join(rows for rows, in archive.execute("SELECT rows FROM blocks ORDER BY first")), "<f8")
    return dict(zip(names, table.reshape(-1, len(names)).T))


def test_arrays() -> None:
    run = ph.run(**TOP)
    columns = by_sqlite(run.path)
    assert run.columns == list(columns) and len(run) == 41
    for name, values in columns.items():
        assert run[name].tobytes() == np.ascontiguousarray(values).tobytes()
    for i, a in enumerate("xyz"):
        assert np.array_equal(run.Pi[:, 0, i], columns[f"Pi1{a}"])
        for k, b in enumerate("xyz"):
            assert np.array_equal(run.R[:, 0, i, k], columns[f"R1{a}{b}"])
    assert run["R1"].shape == (41, 3, 3) and run["Omega1"].shape == (41, 3) and run["quaternions"].shape == (41, 1, 4)
    assert run["t", "R1xx"].shape == (41, 2) and run["configuration"].shape == (41, 1, 3, 3) and run.z.shape == (41, 9)
    assert run.names("R1") == [f"R1{a}{b}" for a in "xyz" for b in "xyz"] and run.names("energy") == ["energy"]
    for t, z, v, p, e in zip(run.t, run.z, run.v, run.p, run.energy):
        np.testing.assert_allclose(run.system.velocity(z, p), v, atol=1e-12)
        np.testing.assert_allclose(sum(run.system.energy(z, v)), e, rtol=1e-13)
    for k, name in enumerate(run.names("momentum_maps")):
        np.testing.assert_allclose(run.momentum[:, k], [run.system.momentum_map(name, z, p) for z, p in zip(run.z, run.p)], rtol=1e-13)
    assert run.units["Pi1x"] == "kg m^2/s" and run.units["R1xx"] == "1" and run.units["step"] == ""
    assert not hasattr(run, "q") and hasattr(run, "R")
    with pytest.raises(ValueError):
        run.t[0] = 1
    with pytest.raises(ph.Error, match="did you mean|energy") as caught:
        run["enrgy"]
    assert caught.value.status == "PH_E_UNKNOWN"
    with pytest.raises(ph.Error, match="rows are run.t"):
        run[0]  # type: ignore[index]
    with pytest.raises(ph.Error, match="this run has no q"):
        run.q


def test_factors_of_several_kinds() -> None:
    run = ph.run(**CART)
    assert run.x.shape == (11, 1, 2) and run.q.shape == (11, 5, 3) and run.z.shape == (11, 17)
    assert np.array_equal(run.z, np.concatenate([run.x[:, 0], run.q.reshape(11, 15)], axis=1))
    assert run["p"].shape == (11, 1, 2) and run.pi.shape == (11, 5, 3) and run.p.shape == (11, 17)
    assert run["omega"].shape == (11, 17) and run.omega.shape == (11, 5, 3) and run["v"].shape == (11, 1, 2)
    spins = ph.run(model="spin-chain", method="spherical-midpoint", step=0.01, duration=1, every=10)
    assert spins.s.shape[0] == 11
    with pytest.raises(ph.Error, match="spins have no momenta"):
        spins.p


def test_events_without_columns() -> None:
    run, few = ph.run(**CART, events=["q2x"]), ph.run(**CART, events=["q2x"], columns=["energy"])
    mine, theirs = few.events["q2x"], run.events["q2x"]
    assert mine.z.shape[1] == mine.p.shape[1] == 17 and len(mine.t) > 0
    assert all(a.tobytes() == b.tobytes() for a, b in zip(mine, theirs))
    np.testing.assert_allclose(mine.z[:, 2], 0, atol=1e-12)


def test_large_tables_are_read_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ph.run(**TOP)
    monkeypatch.setattr(_record, "KEPT", 0)
    monkeypatch.setattr(_record, "AT_ONCE", 100)
    run = ph.open(whole.path)
    assert run.R.tobytes() == whole.R.tobytes() and run.Omega.tobytes() == whole.Omega.tobytes() and run._table is None
    assert run["t", "energy"].tobytes() == whole["t", "energy"].tobytes()


def damage(path: Path) -> None:
    """Blocks of 10 rows; the second one is damaged."""
    with sqlite3.connect(path) as archive:
        n, rows = archive.execute("SELECT n, rows FROM blocks").fetchone()
        size = len(rows) // n
        archive.execute("DELETE FROM blocks")
        for first in range(0, n, 10):
            block = rows[size * first:size * (first + 10)]
            t = np.frombuffer(block, "<f8")[::size // 8]
            archive.execute("INSERT INTO blocks VALUES(?, ?, ?, ?, ?, ?)",
                            (first, len(block) // size, t[0], t[-1], zlib.crc32(block, first), block))
        archive.execute("UPDATE blocks SET rows = zeroblob(length(rows)) WHERE first = 10")


def test_damage(tmp_path: Path) -> None:
    whole = ph.run(**TOP, output=tmp_path)
    expected = whole.R.copy()
    damage(tmp_path / "heavy-top.polhode")
    run = ph.open(tmp_path)
    with pytest.warns(ph.RunWarning, match="10") as caught:
        R = run.R
    assert len(caught) == 1 and len(run) == 41 and caught[0].filename == __file__
    good = np.r_[0:10, 20:41]
    assert R[good].tobytes() == expected[good].tobytes() and np.isnan(R[10:20]).all()
    assert np.isnan(run.Omega[10:20]).all() and np.isfinite(run.Omega[good]).all()  # computed: the same rows, and no second warning
    with sqlite3.connect(tmp_path / "heavy-top.polhode") as archive:
        archive.execute("UPDATE blocks SET first = 1e18 WHERE first = 40")
        archive.execute("UPDATE meta SET value = 'x' WHERE key = 'step'")
    with pytest.warns(ph.RunWarning, match="the archive is damaged") as caught:
        run = ph.open(tmp_path)
    assert len(caught) == 1 and caught[0].filename == __file__ and np.isnan(run.step)
    with pytest.raises(ph.Error, match="cannot hold 1000000000000000001 rows"):
        run.t
    with sqlite3.connect(tmp_path / "heavy-top.polhode") as archive:
        archive.execute("UPDATE state SET state = zeroblob(length(state))")
    run.refresh()  # it warns once
    with pytest.raises(ph.Error) as failed:
        run.state
    assert failed.value.status == "PH_E_IO"


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "text.polhode").write_text("hello " * 1000)
    (tmp_path / "empty.polhode").touch()
    ph.run(**TOP, output=tmp_path / "new")
    newer = tmp_path / "new" / "heavy-top.polhode"
    with sqlite3.connect(newer) as archive:
        archive.execute("PRAGMA user_version = 99")
    mistakes: List[Tuple[Any, str, str]] = [(tmp_path / "text.polhode", "PH_E_PARSE", "archive"), (tmp_path / "empty.polhode", "PH_E_PARSE", ""),
                                            (newer, "PH_E_PARSE", "newer"), (tmp_path / "missing", "PH_E_IO", "missing"),
                                            (tmp_path, "PH_E_INVALID", "2 archives"), ("a\0b", "PH_E_INVALID", "not the path")]
    for path, status, words in mistakes:
        with pytest.raises(ph.Error, match=words) as caught:
            ph.open(path)
        assert caught.value.status == status


def test_another_run_in_its_place(tmp_path: Path) -> None:
    run = ph.run(**TOP, output=tmp_path)
    ph.run(**TOP, output=tmp_path, force=True, columns=[f"R1{a}{b}" for a in "xyz" for b in "xyz"] + ["energy", "velocity", "momentum"])
    with pytest.raises(ph.Error, match="has taken the place"):
        run.t
    assert run.refresh()["Rdot1xx"].shape == (41,)


def test_saved(tmp_path: Path) -> None:
    run = ph.run(**TOP)
    whole, path = run.R.copy(), run.path
    saved = run.save(tmp_path)
    del run
    assert not os.path.exists(path) and saved.path == str(tmp_path / "heavy-top.polhode") and os.listdir(tmp_path) == ["heavy-top.polhode"]
    assert saved.R.tobytes() == whole.tobytes() and saved.resume(until=3).t[-1] == 3.0
    with pytest.raises(ph.Error, match="force=True") as caught:
        saved.save(saved.path)
    assert caught.value.status == "PH_E_EXISTS"
    with pytest.raises(ph.Error, match="exists already"):
        saved.save(saved.path, force=True)
    with pytest.raises(ph.Error, match="cannot be written"):
        saved.save(tmp_path / "no" / "x.polhode")
    assert len(ph.open(saved.save(tmp_path / "y.polhode").path)) == len(saved)


def test_media_that_cannot_be_written(tmp_path: Path) -> None:
    run = ph.run(**TOP, output=tmp_path / "out")
    os.chmod(run.path, 0o444)
    os.chmod(tmp_path / "out", 0o555)
    try:
        again = ph.open(tmp_path / "out")
        assert again.R.tobytes() == run.R.tobytes() and again.state.k == 200
        if os.geteuid() != 0:
            with pytest.raises(ph.Error):
                again.resume(until=3)
    finally:
        os.chmod(tmp_path / "out", 0o755)
    (tmp_path / "file").touch()
    with pytest.raises(ph.Error) as caught:
        ph.run(**TOP, output=tmp_path / "file" / "below")
    assert caught.value.status == "PH_E_IO"


def test_full_disk(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    script = f"""
import resource, signal, polhode as ph
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))
try:
    ph.run(model="heavy-top", method="variational", step=0.01, steps=20000, every=1, snapshot=0, output={str(tmp_path)!r})
except ph.Error as error:
    print(error.status, error.run is not None, error)
"""
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("PH_E_IO True "), shown
    same = ph.open(tmp_path).resume()
    assert len(same) == 20001 and same.reason == "duration"


def test_other_packages(tmp_path: Path) -> None:
    run = ph.run(**TOP, events=["R1xx"])
    for package in ("pandas", "xarray"):
        pytest.importorskip(package)
    frame = run.to_pandas()
    assert list(frame.columns) == run.columns[1:] and np.array_equal(frame["R1xy"], run["R1xy"]) and np.array_equal(frame.index, run.t)
    assert frame.attrs["units"]["energy"] == "J" and run.to_pandas(["Omega", "energy"]).shape == (41, 4)
    data = run.to_xarray()
    assert np.array_equal(data["R"], run.R) and data["R"].dims == ("t", "R_factor", "R_row", "R_column")
    assert data["Pi"].attrs["units"] == "kg m^2/s" and data.attrs["model"] == "heavy-top" and np.array_equal(data["energy"], run.energy)
    run.export(tmp_path / "x.npy")
    assert np.load(tmp_path / "x.npy").shape == (41,)
    with pytest.raises(ph.Error, match="exists"):
        run.export(tmp_path / "x.npy")
    run.export(tmp_path / "x.csv", columns=["t", "Omega"])
    assert np.array_equal(np.loadtxt(tmp_path / "x.csv", delimiter=",", skiprows=1)[:, 1:], run.Omega[:, 0])
    copy = pickle.loads(pickle.dumps(run))
    assert copy.R.tobytes() == run.R.tobytes() and copy.path != run.path
    path = run.path
    del run
    assert not os.path.exists(path) and copy.resume(until=3).t[-1] == 3.0
    assert "energy error" in copy._repr_html_() and "R1xx" in copy.events._repr_html_() and "heavy-top" in repr(copy)


def test_figures(tmp_path: Path) -> None:
    run = ph.run(**CART)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = run.plot()
    assert [axes.get_ylabel()[:13] for axes in figure.axes] == ["configuration", "configuration", "|energy error", "|constraint e"]
    drawn = figure.axes[2].lines[0].get_xydata()
    errors = np.abs(run.energy_error) / run.summary["energy_scale"]
    assert np.array_equal(drawn, np.stack([run.t, errors], axis=1)[errors > 0])
    one = run.plot("q2", "x1_1", against="q2z").axes
    assert [len(axes.lines) for axes in one] == [3, 1] and one[1].get_ylabel() == "x1_1 [m]" and one[1].get_xlabel() == "q2z"
    assert run.plot("q3x", axes=one[1]) is one[1].figure
    for mistake in ({"axes": one[0], "columns": ("q2", "x1_1")}, {"against": "q2"}, {"columns": ("nothing",)}):
        with pytest.raises(ph.Error):
            run.plot(*mistake.pop("columns", ()), **mistake)
    matplotlib.pyplot.close("all")


def test_page(tmp_path: Path) -> None:
    run = ph.run(**TOP)
    page = run.view(tmp_path / "view.html")
    text = (tmp_path / "view.html").read_text()
    assert page.path == str(tmp_path / "view.html") and "application/vnd.polhode" in text
    shown = page._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!doctype') and "</iframe>" in shown and shown.count('"') == 4
    with pytest.raises(ph.Error, match="exists"):
        run.view(tmp_path / "view.html", force=False)
    name = run.view(other=ph.run(run.scenario, method="rk4")).path
    assert not os.path.exists(name)  # the page was dropped
    shutil.rmtree(tmp_path)
