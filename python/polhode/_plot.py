# SPDX-License-Identifier: BSD-3-Clause
"""Figures of runs with Matplotlib: what one wants to see first, or chosen columns."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ._core import Array, Error

if TYPE_CHECKING:
    from ._record import Run

MOST = 9  # curves of a panel of the first figure


class _Panel(NamedTuple):
    """Curves with one y axis."""

    label: str
    curves: List[Tuple[str, Array]]
    is_error: bool  # magnitudes on a logarithmic axis


def _axis(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit not in ("", "1") else name


def _is_error(name: str) -> bool:
    return name.endswith("_error") or name == "tangency"


def _at_steps(run: "Run", values: Array) -> Array:
    """Without rows between steps, whose errors are those of the interpolation."""
    return np.where(run.between, np.nan, values) if run.between.any() else values


def _curves(run: "Run", group: str) -> List[Tuple[str, Array]]:
    names = run.names(group)
    values = run[tuple(names)] if len(names) > 1 else run[names[0]][:, None] if names else np.empty((len(run), 0))
    return [(name, values[:, i]) for i, name in enumerate(names)]


def _first(run: "Run") -> List[_Panel]:
    """Configuration, energy error, constraint error, as far as they are there."""
    panels: List[_Panel] = []
    names = [name for name in run.names("configuration") if name[0] != "R" or name.endswith("z")]  # of a body its third axis
    for unit in dict.fromkeys(run.units[name] for name in names):
        curves = [(name, run[name]) for name in names if run.units[name] == unit]
        more = f", {MOST} of {len(curves)}" if len(curves) > MOST else ""
        panels.append(_Panel(_axis("configuration" + more, unit), curves[:MOST], False))
    for name, scale, label in (("energy_error", "energy_scale", "energy error"), ("constraint_error", "", "constraint error")):
        try:
            values = _at_steps(run, run[name])
            size = run.summary[scale] if scale else 1.0
        except Error:
            continue
        relative = scale != "" and np.isfinite(size) and size > 0
        panels.append(_Panel(f"{label}| / ({size:.4g} J)" if relative else _axis(label, run.units[name]),
                             [(name, values / size if relative else values)], True))
    return panels


def _chosen(run: "Run", groups: Tuple[str, ...]) -> List[_Panel]:
    """A panel for each unit; errors by themselves."""
    panels: Dict[Tuple[str, bool], _Panel] = {}
    for group in groups:
        for name, values in _curves(run, group):
            key = (run.units[name], _is_error(name))
            if key not in panels:
                panels[key] = _Panel("", [], key[1])
            panels[key].curves.append((name, _at_steps(run, values) if key[1] else values))
    return [_Panel(_axis(p.curves[0][0] if len(p.curves) == 1 else ", ".join(dict.fromkeys(groups)), unit), p.curves, p.is_error)
            for (unit, _), p in panels.items()]


def _draw(axes: Any, panel: _Panel, x: Array) -> None:
    for name, values in panel.curves:
        if panel.is_error:
            shown = np.abs(values) > 0  # no logarithm of 0, and no error of rows between steps
            axes.plot(x[shown], np.abs(values[shown]), label=name, linewidth=0.8, marker=".", markersize=1.5 if shown.sum() > 200 else 5)
        else:
            axes.plot(x, values, label=name, linewidth=1.0)
    if panel.is_error and any(np.any(np.abs(values) > 0) for _, values in panel.curves):
        axes.set_yscale("log")
    axes.set_ylabel(("|" + panel.label if "|" in panel.label else f"|{panel.label}|") if panel.is_error else panel.label)
    if len(panel.curves) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small", handlelength=1.2)
    axes.grid(True, linewidth=0.3)


def plot(run: "Run", *columns: str, against: str = "t", axes: Any = None) -> Any:
    """A figure of a run.

    Parameters
    ----------
    run : Run
    *columns : str
        Columns, or groups of them: one panel for each unit; magnitudes of errors on logarithmic axes. None: the configuration, the
        energy error relative to its scale, the constraint error.
    against : str
        The column of the x axis.
    axes : matplotlib.axes.Axes, optional
        Where to draw, for one panel.

    Returns
    -------
    matplotlib.figure.Figure
        ``run.plot().savefig("first.pdf")``; its axes are ``figure.axes``.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import polhode as ph
    >>> run = ph.run(model="heavy-top", method="variational", step=0.01, duration=1)
    >>> [axes.get_ylabel() for axes in run.plot("energy", "Omega").axes]
    ['energy [J]', 'energy, Omega [rad/s]']
    """
    import matplotlib  # type: ignore[import]
    from matplotlib import pyplot

    panels = _chosen(run, columns) if columns else _first(run)
    if not panels:
        raise Error("there is nothing to draw: name a column; run.columns lists them", "PH_E_UNKNOWN")
    x = run[against]
    if x.ndim != 1:
        raise Error(f"against is {against!r}, which is {x.shape[1]} columns; it must be one: {', '.join(run.names(against))}")
    if axes is not None:
        if len(panels) > 1:
            raise Error(f"axes takes one panel; these columns have {len(panels)} units: {', '.join(p.label for p in panels)}")
        figure, all_axes = axes.figure, [axes]
    else:
        figure, grid = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False, layout="constrained",
                                       figsize=(7.0, max(3.2, 1.2 + 1.9 * len(panels)) if against == "t" or len(panels) > 1 else 5.5))
        all_axes = list(grid[:, 0])
    for one, panel in zip(all_axes, panels):
        _draw(one, panel, x)
    all_axes[-1].set_xlabel(_axis(against, run.units[against]))
    only = panels[0].curves if len(panels) == 1 else []
    if against != "t" and only and not panels[0].is_error and {run.units[name] for name, _ in only} == {run.units[against]}:
        all_axes[0].set_aspect("equal", adjustable="datalim")
    if axes is None:
        all_axes[0].set_title(f"{run.model}, {run.method}, h = {run.step:g} s", fontsize="medium")
        if "inline" in str(matplotlib.get_backend()):  # a notebook shows what is returned; once is enough
            pyplot.close(figure)
    return figure
