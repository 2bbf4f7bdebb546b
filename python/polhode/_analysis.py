# SPDX-License-Identifier: BSD-3-Clause
"""Which method and step suit a scenario, and methods compared: what `polhode methods --advise` and `polhode bench` find, as data."""
from __future__ import annotations

import html
import importlib
import os
import re
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._catalogue import Method, method, model, models
from ._core import Error, number
from ._program import call_json
from ._scenario import Scenario, edit, scenario_text, seen, yaml
from ._tables import Table

ACCURACY = 1e-6  # where none is given


def _has(text: str, key: str) -> bool:
    return edit(text, key, None) != text


class Advice:
    """What ``advise`` found.

    ``ph.run(advice)`` runs its scenario with the method and step that are recommended.

    Attributes
    ----------
    method, options, step : str, dict, float
        What is recommended: options of the method as texts, the step in s. None where nothing is good enough.
    settings : dict
        The same as keywords of ``run``: method (with options) and step.
    error, energy_error, cpu_seconds : float
        To expect: of the trajectory until the horizon, of the energy, and of CPU time [s].
    reason : str
        In a sentence.
    candidates : Table
        All that was tried, what meets the accuracy first, then by CPU time.
    attainable : float
        The smallest error that can be shown for any of them.
    energy : Advice
        The same for the energy over the whole run, with the same accuracy. None where energy is not conserved, or is what the accuracy is of.
    scenario : str
        The scenario with the method and the step.
    data : dict
        Everything that the program found.
    """

    def __init__(self, data: Dict[str, Any], scenario: str, path: Optional[str]) -> None:
        self.data = data
        self.reason: str = data["reason"]
        self.accuracy: float = data["accuracy"]
        self.horizon: float = data["horizon"]
        self.attainable: Optional[float] = data["attainable"]
        names = ("label", "step", "steps", "error", "energy_error", "momentum_error", "constraint_error", "ns_per_step", "cpu_seconds",
                 "verdict")
        self.candidates = Table(["method", *names[1:]], [[c[name] for name in names] for c in data["candidates"]])
        best = data["recommended"]
        found: Mapping[str, Any] = next((c for c in data["candidates"] if best and c["label"] == best["label"]), {})
        self.method: Optional[str] = found.get("method")
        self.options: Dict[str, str] = dict(found.get("options", {}))
        self.step: Optional[float] = best["step"] if best else None
        self.error: Optional[float] = found.get("error")
        self.energy_error: Optional[float] = found.get("energy_error")
        self.cpu_seconds: Optional[float] = found.get("cpu_seconds")
        self.scenario_path = path
        self.energy: Optional[Advice] = Advice(data["energy"], scenario, path) if data["energy"] else None
        if best:
            scenario = edit(edit(scenario, "method", yaml("method", self.settings["method"])), "step", yaml("step", self.step))
        self.scenario = scenario

    @property
    def settings(self) -> Dict[str, Any]:
        """Method and step as keywords of ``run``; Error where nothing is recommended."""
        if self.method is None:
            raise Error(f"no method is recommended: {self.reason}", "PH_E_NO_CONVERGENCE")
        return {"method": {"name": self.method, **self.options}, "step": self.step}

    def __repr__(self) -> str:
        return f"{self.reason}\n\n{self.candidates!r}"

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.reason)}</p>{self.candidates._repr_html_()}"


def advise(source: Any = None, *, horizon: Optional[float] = None, budget: Optional[float] = None, **keywords: Any) -> Advice:
    """Find the method and the step with which a motion costs least at an accuracy: each method is tried on it.

    Parameters
    ----------
    source, **keywords
        A scenario as for ``run``: a file, a text, a dict, keywords. Its own method and step do not matter, its ``accuracy`` does: the
        largest error of a coordinate until the horizon, of a length relative to the largest (1e-6 where none is given).
    horizon : float, optional
        How much of the motion counts [s]; by default all of it.
    budget : float, optional
        CPU time [s] that the search may take, by counted work; 10 by default.

    Returns
    -------
    Advice

    Raises
    ------
    Error
        A mistake in the scenario. That nothing is good enough is no error: ``method`` is None then.

    Examples
    --------
    >>> import polhode as ph
    >>> advice = ph.advise(model="free-rigid-body", preset="intermediate-axis", duration=5, accuracy=1e-6)
    >>> advice.error < 1e-6
    True
    >>> sorted(advice.settings)
    ['method', 'step']
    """
    scenario = scenario_text(source, **keywords)
    text = scenario.text if _has(scenario.text, "accuracy") else edit(scenario.text, "accuracy", repr(ACCURACY))
    arguments = ["methods", "--advise", "-"]
    for name, value in (("horizon", horizon), ("budget", budget)):
        if value is not None:
            arguments += [f"--{name}", repr(number(name, value))]
    return Advice(call_json(arguments, text, accept=(0, 1), cwd=scenario.folder), text, scenario.path)


def _label(method: Any) -> str:
    """A method as the program takes it: "variational:order=8"."""
    if isinstance(method, Method):
        return method.name
    if isinstance(method, Mapping):
        options = [f":{k.replace('_', '-')}={v}" for k, v in method.items() if k != "name"]
        return f"{method.get('name', '')}{''.join(options)}"
    if not isinstance(method, str):
        raise Error(f"a method is {method!r}; it must be a name, a text such as 'variational:order=8', or a dict of name and options")
    return method


def _some_method(scenario: Scenario, methods: Any) -> str:
    """A method that a scenario without one can have, so that it is read; others are compared."""
    if methods:
        return _label(methods if isinstance(methods, (str, Mapping, Method)) else methods[0]).partition(":")[0]
    name = seen(scenario).get("model", "")
    system = model(name).system() if name in models else None
    return next((m for m in ("dla", "spherical-midpoint") if system and method(m).supports(system)
                 and not method("variational").supports(system)), "variational")


class Bench:
    """What ``bench`` measured.

    Attributes
    ----------
    words : list of str
        The findings, for people.
    verification : Table
        For each problem and method the order that it claims and the order that was measured.
    work_precision : Table
        For each step size the error of the trajectory, of the energy, time per step [ns] and CPU time [s].
    long_runs : Table
        Runs over the horizon, at the same step and at the same CPU time: errors of energy and momentum, whether they grow.
    data : dict
        Everything that the program found; long_runs have curves there.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        self.data = data
        self.words: List[str] = [line for p in data["problems"] for line in p["words"]]
        self.headlines: List[str] = [p["headline"]["text"] for p in data["problems"] if p.get("headline")]
        orders: List[Sequence[Any]] = []
        work: List[Sequence[Any]] = []
        trials: List[Sequence[Any]] = []
        for p in data["problems"]:
            for v in p["verification"]:
                orders.append([p["name"], v["method"], v["order_claimed"], v["order_measured"], v["verified"], v["text"]])
                work += [[p["name"], v["method"], r["h"], r["steps"], r["trajectory_error"], r["energy_error"],
                          (r["timing"] or {}).get("ns_per_step"), r["cpu_seconds"], r["status"]] for r in v["rungs"]]
            trials += [[p["name"], t["method"], t["basis"], t["h"], t["steps_done"], t["energy_error_max"], t["growth"],
                        t["momentum_error_max"], t["constraint_error_max"], t["cpu_seconds"], t["status"]] for t in p["trials"]]
        self.verification = Table(["problem", "method", "order_claimed", "order_measured", "verified", "text"], orders)
        self.work_precision = Table(["problem", "method", "step", "steps", "error", "energy_error", "ns_per_step", "cpu_seconds",
                                     "status"], work)
        self.long_runs = Table(["problem", "method", "basis", "step", "steps", "energy_error", "growth", "momentum_error",
                                "constraint_error", "cpu_seconds", "status"], trials)

    def plot(self, problem: Union[int, str] = 0, ax: Any = None, error: str = "error") -> Any:
        """Work and precision: the error (of the trajectory, or error="energy_error") against CPU time, a line for each method.

        Returns the axes (Matplotlib). problem: its name or number.
        """
        names = [p["name"] for p in self.data["problems"]]
        if isinstance(problem, str) and problem not in names:
            raise Error(f"there is no problem {problem!r}; there are: {', '.join(names)}", "PH_E_UNKNOWN")
        chosen = self.data["problems"][names.index(problem) if isinstance(problem, str) else problem]
        if error not in ("error", "energy_error"):
            raise Error(f"error is {error!r}; it must be 'error' or 'energy_error'", "PH_E_UNKNOWN")
        if ax is None:
            pyplot = importlib.import_module("matplotlib.pyplot")
            _, ax = pyplot.subplots(figsize=(5.5, 4), layout="constrained")
        rows = [row for row in self.work_precision if row["problem"] == chosen["name"] and row["cpu_seconds"] and row[error]]
        for i, method in enumerate(dict.fromkeys(row["method"] for row in rows)):
            own = [row for row in rows if row["method"] == method]
            ax.loglog([row["cpu_seconds"] for row in own], [row[error] for row in own], marker="osD^v<>pX"[i % 9], markersize=4,
                      linewidth=1, label=method)
        floor = (chosen.get("truth") or {}).get("uncertainty")
        if error == "error" and floor:
            ax.axhline(floor, color="0.6", linewidth=0.8, linestyle=":", label="what is known of the truth")
        short = chosen["short_time"]
        ax.set_xlabel(f"CPU time of {short:g} s of motion [s]")
        ax.set_ylabel("largest error of a coordinate at the end" if error == "error" else "relative energy error")
        ax.set_title(chosen["title"], fontsize="medium", wrap=True)
        ax.legend(fontsize="small")
        return ax

    def __repr__(self) -> str:
        return "\n".join(self.words) or "nothing was compared"

    def _repr_html_(self) -> str:
        lines = "".join(f"<p><b>{html.escape(line)}</b></p>" for line in self.headlines)
        return lines + self.verification._repr_html_() + self.work_precision._repr_html_() + self.long_runs._repr_html_()


def bench(source: Any = None, *, methods: Any = None, steps: Optional[Sequence[float]] = None, horizon: Optional[float] = None,
          budget: Optional[float] = None, output: Union[str, "os.PathLike[str]", None] = None, **keywords: Any) -> Bench:
    """Compare methods on a scenario or a built-in problem: order, time, and errors over a long time.

    Parameters
    ----------
    source, **keywords
        A scenario as for ``run``, with a step; or the name of a problem ("conical-pendulum"; ``problems`` lists them), or a list of
        names.
    methods : list, optional
        "rk4", "variational:order=8", {"name": "variational", "order": 8}; by default all that suit.
    steps : list of float, optional
        Step sizes [s].
    horizon : float, optional
        Time of motion of the long runs [s].
    budget : float, optional
        Wall-clock time [s] for each timing, of which there are up to four for a problem; 1.5 by default.
    output : path, optional
        Where the program's results remain: report.html, tables. By default they are removed.

    Returns
    -------
    Bench

    Examples
    --------
    >>> import polhode as ph
    >>> result = ph.bench("conical-pendulum", methods=["rk4", "variational"], horizon=2, budget=0.01)
    >>> result.verification["order_claimed"]
    [4, 2]
    """
    arguments, text, folder = ["bench"], None, None
    given = [source] if isinstance(source, str) else source
    if isinstance(given, (list, tuple)) and given and all(isinstance(p, str) and re.fullmatch(r"[\w-]+", p) for p in given):
        if keywords:
            raise Error(f"{', '.join(keywords)} belong to a scenario; a problem has its own", "PH_E_INVALID")
        arguments += given
    else:
        scenario = scenario_text(source, **keywords)
        text, folder = scenario.text, scenario.folder
        if not _has(text, "method"):
            text = edit(text, "method", _some_method(scenario, methods))
        if steps is not None and len(steps) and not _has(text, "step"):
            text = edit(text, "step", yaml("steps", steps[0]))
        arguments.append("-")
    for method in [methods] if isinstance(methods, (str, Mapping, Method)) else methods or ():
        arguments += ["--method", _label(method)]
    for step in steps or ():
        arguments += ["--step", repr(number("steps", step))]
    for name, value in (("time", horizon), ("budget", budget)):
        if value is not None:
            arguments += [f"--{name}", repr(number(name, value))]
    with tempfile.TemporaryDirectory(prefix="polhode-") as place:
        arguments += ["--output", os.path.abspath(output) if output is not None else os.path.join(place, "bench"), "--quiet"]
        data = call_json(arguments, text, accept=(0, 1), cwd=folder)
    for found in data["problems"] if text is not None else ():
        found["name"] = os.path.basename(scenario.path or "scenario")
    return Bench(data)


def problems() -> Table:
    """The problems of ``bench``: names and what they are."""
    listed: List[Dict[str, Any]] = call_json(["bench", "--list"])["problems"]
    return Table(["name", "title"], [[p["name"], p["title"]] for p in listed])
