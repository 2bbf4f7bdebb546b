# SPDX-License-Identifier: BSD-3-Clause
"""Relative equilibria, their stability and families (``ph_equilibria``), and steady motions (``ph_steady``)."""
from __future__ import annotations

import importlib
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from ._callbacks import onerror
from ._core import (Array, ArrayLike, Constant, Error, Fixed, Guard, check, copied, count, create, doubles, new_error, number,
                        own, pointer, text)
from ._catalogue import models
from ._polhode import ffi, lib
from ._program import call_json
from ._scenario import parse, scenario_text
from ._system import System
from ._tables import Entries, Table

SAME = 1e-6  # of two configurations, relative to their size


class _Workspace:
    """A system, some of its symmetries, and what C needs to look for equilibria."""

    def __init__(self, system: System, symmetries: Sequence[Union[int, str]]) -> None:
        if not isinstance(system, System):
            raise Error(f"system is {system!r}; it must be a polhode.System")
        numbers = [system._symmetry(symmetry) for symmetry in symmetries]
        self.system, self.names = system, tuple(system.symmetries[i] for i in numbers)
        self.generators = [lib.ph_system_symmetry(system._c, i).generator != ffi.NULL for i in numbers]
        self._c = create("ph_equilibria",
                         lambda out, error: lib.ph_equilibria_create(system._c, ffi.new("size_t[]", numbers), len(numbers), out, error),
                         lib.ph_equilibria_free, system)
        self._one = Guard("search for equilibria")

    def new(self) -> Any:
        c = lib.ph_equilibrium_create(self._c)
        if c == ffi.NULL:
            raise Error("out of memory", "PH_E_NO_MEMORY")
        return own(c, lib.free, self)

    def momenta(self, momentum: ArrayLike) -> Array:
        given = np.atleast_1d(doubles("momentum", momentum))
        if given.shape == (1,) and not given[0]:
            given = np.zeros(len(self.names))
        if given.shape != (len(self.names),):
            raise Error(f"momentum has {given.size} numbers; there must be one for each of the symmetries: "
                        f"{', '.join(self.names) or 'none, so that only momentum 0 is possible'}", "PH_E_SIZE")
        for value in given:
            number("momentum", value)
        return given

    def find(self, z: Array, momenta: Array) -> "Equilibrium":
        found, error = self.new(), new_error()
        with self._one():
            check(lib.ph_equilibria_find(self._c, pointer(z), pointer(momenta), found, error), error)
        return Equilibrium(self, found)

    def same(self, one: "Equilibrium", other: "Equilibrium") -> bool:
        """Are they the same up to the symmetries, also those that the workspace does not turn along?"""
        if len(self.system.symmetries) > len(self.names) - sum(self.generators) and one.curvature.size == other.curvature.size:
            size = float(np.max(np.abs(one.curvature), initial=0.0))
            if (float(np.max(np.abs(one.curvature - other.curvature), initial=0.0)) <= SAME * size
                    and abs(one.energy - other.energy) <= 1e-9 * abs(one.energy) + 1e-12 * size):
                return True
        return one.distance(other) <= SAME * float(np.max(np.abs(one.z)))


class Equilibrium(Constant):
    """A relative equilibrium (``ph_equilibrium``): z(t) = exp(t xi) z, as if the system were rigid.

    Attributes
    ----------
    system : System
    symmetries : tuple of str
        Along which it turns.
    z, v : (nz,)
        Configuration and velocity, for ``Integrator.state``.
    momenta, rates : (symmetries,)
        mu, and xi [rad/s]; ``momentum`` and ``rate`` are those of the first.
    energy : float
        [J], that of the motion.
    stability : str
        "stable" (the amended potential has a strict minimum: motions stay near for ever), "spectrally stable" (nothing grows in the
        linear approximation), "unstable", "degenerate" (undecided).
    growth : float
        The largest real part of the eigenvalues [1/s], 0 where nothing grows.
    curvature : (modes,)
        Eigenvalues of the amended potential's second derivative relative to the kinetic energy [1/s^2], ascending; ``negative`` and
        ``zero`` are how many are so.
    eigenvalues : (2 modes,) complex
        Those of the linear motion up to the symmetries [1/s], the largest first.
    residual, iterations : float, int
        How well it is known: the largest component of what is left, relative to its terms.
    mark : str
        In a family "fold", "bifurcation", "stability changes" or "".
    """

    def __init__(self, workspace: _Workspace, c: Any, mark: str = "") -> None:
        nz, k, modes = workspace.system.space.ambient, len(workspace.names), int(c.modes)
        self._workspace, self._c = workspace, c
        self.system, self.symmetries, self.mark = workspace.system, workspace.names, mark
        self.z, self.v = copied(c.z, nz), copied(c.zdot, nz)
        self.momenta, self.rates = copied(c.momentum, k), copied(c.rate, k)
        self.momentum = float(self.momenta[0]) if k else 0.0
        self.rate = float(self.rates[0]) if k else 0.0
        self.energy, self.residual, self.growth = float(c.energy), float(c.residual), float(c.growth)
        self.iterations, self.negative, self.zero = int(c.iterations), int(c.negative), int(c.zero)
        self.curvature = copied(c.curvature, modes)
        self.eigenvalues = copied(c.real, 2 * modes) + 1j * copied(c.imaginary, 2 * modes)
        self.stability = text(lib.ph_stability_text(c.stability))

    def distance(self, other: "Equilibrium") -> float:
        """The largest difference of a coordinate after the symmetries have brought them together (``ph_equilibria_distance``)."""
        out, w = ffi.new("double *"), self._workspace
        with w._one():
            check(lib.ph_equilibria_distance(w._c, pointer(self.z), pointer(self.system.space.configuration(other.z)), out))
        return float(out[0])

    def follow(self, to: float, *, symmetry: Union[int, str] = 0, start: Optional[float] = None, step: float = 0.0,
               most: int = 0) -> "Family":
        """Follow its family to another momentum, through folds (``ph_equilibria_follow``).

        Parameters
        ----------
        to : float
            The momentum at which to end.
        symmetry : int or str
            Whose momentum varies: a name, or a position in ``symmetries``.
        start : float, optional
            The other end of the interval of the momentum, where a family that comes back ends; by default that of this one.
        step : float
            The largest change of a coordinate between points; 0: 0.05 (rad, or m on R^d).
        most : int
            Points at most; 0: 5000.

        Raises
        ------
        Error
            PH_E_SINGULAR where two families meet here.
        """
        w = self._workspace
        if isinstance(symmetry, str):
            if symmetry not in w.names:
                raise Error(f"symmetry is {symmetry!r}; this equilibrium has: {', '.join(w.names) or 'none'}", "PH_E_UNKNOWN")
            symmetry = w.names.index(symmetry)
        if not w.names:
            raise Error("an equilibrium that was found without symmetries has no family: give a symmetry to equilibria")
        i = count("symmetry", symmetry, 0, len(w.names) - 1)
        plan = ffi.new("ph_family_plan *", {"symmetry": i, "from": float(self.momenta[i]) if start is None else number("start", start),
                                            "to": number("to", to), "step": number("step", step), "most": count("most", most)})
        visitor, end, error = _Visitor(w), ffi.new("ph_family_end *"), new_error()
        handle = ffi.new_handle(visitor)
        with w._one():
            check(lib.ph_equilibria_follow(w._c, self._c, plan, lib.py_ph_family_fn, handle, end, error), error)
        return Family(visitor.points, text(lib.ph_family_end_text(end[0])), i)

    def __repr__(self) -> str:
        about = ", ".join(f"{name} = {mu:.9g} at {rate:.9g}" for name, mu, rate in zip(self.symmetries, self.momenta, self.rates))
        return f"<polhode.Equilibrium {self.stability}, {about or 'at rest'}, energy {self.energy:.9g} J{', ' * bool(self.mark)}{self.mark}>"


class _Visitor:
    def __init__(self, workspace: _Workspace) -> None:
        self.workspace, self.points = workspace, list[Equilibrium]()

    def visit(self, at: Any, mark: int) -> bool:
        c = self.workspace.new()
        lib.ph_equilibrium_copy(self.workspace._c, at, c)
        self.points.append(Equilibrium(self.workspace, c, text(lib.ph_family_mark_text(mark))))
        return True


@ffi.def_extern(name="py_ph_family_fn", error=False, onerror=onerror)  # type: ignore[misc]
def _visit(user: Any, at: Any, mark: int) -> bool:
    return bool(ffi.from_handle(user).visit(at, mark))


class Family(Fixed, Sequence[Equilibrium]):
    """Equilibria in their order along a family, and why it ends.

    Attributes
    ----------
    momentum, rate, energy, growth : (points,)
        Those of the symmetry that varies.
    marks : list of str
        "fold", "bifurcation", "stability changes" or "" of each point.
    name : str
        That of the symmetry.
    end : str
        Why it was followed no further.
    table : Table
    """

    def __init__(self, points: List[Equilibrium], end: str, symmetry: int) -> None:
        self._points, self.end = points, end
        self.name = points[0].symmetries[symmetry] if points else ""
        self.momentum = np.array([p.momenta[symmetry] for p in points])
        self.rate = np.array([p.rates[symmetry] for p in points])
        self.energy = np.array([p.energy for p in points])
        self.growth = np.array([p.growth for p in points])
        self.marks = [p.mark for p in points]
        self.table = Table(["momentum", "rate", "energy", "growth", "stability", "mark"],
                           [[mu, xi, p.energy, p.growth, p.stability, p.mark] for mu, xi, p in zip(self.momentum.tolist(),
                                                                                                  self.rate.tolist(), points)],
                           f"ends: {end}")

    @overload
    def __getitem__(self, key: int) -> Equilibrium: ...

    @overload
    def __getitem__(self, key: slice) -> List[Equilibrium]: ...

    def __getitem__(self, key: Any) -> Any:
        return self._points[key]

    def __len__(self) -> int:
        return len(self._points)

    def plot(self, ax: Any = None, y: str = "energy") -> Any:
        """Energy, rate or growth against the momentum, on the axes (Matplotlib) that are returned: where it is unstable the line is
        dashed, and what is marked has a dot and a word. Call it for several families with the same ax."""
        if y not in ("energy", "rate", "growth"):
            raise Error(f"y is {y!r}; it must be 'energy', 'rate' or 'growth'", "PH_E_UNKNOWN")
        if ax is None:
            _, ax = importlib.import_module("matplotlib.pyplot").subplots(figsize=(5.5, 4), layout="constrained")
        values, unstable = getattr(self, y), np.array([p.stability == "unstable" for p in self._points])
        line, = ax.plot(self.momentum, np.where(unstable, np.nan, values))
        # a dashed piece begins and ends where the other one does
        near = unstable | np.append(unstable[1:], False) | np.insert(unstable[:-1], 0, False)
        ax.plot(self.momentum, np.where(near, values, np.nan), linestyle="--", color=line.get_color())
        for i in (i for i, mark in enumerate(self.marks) if mark):
            ax.plot(self.momentum[i], values[i], marker="o", markersize=4, color=line.get_color())
            ax.annotate(self.marks[i], (self.momentum[i], values[i]), textcoords="offset points", xytext=(5, -10), fontsize="small")
        unit = {"energy": "[J]", "rate": "[rad/s]", "growth": "[1/s]"}[y]
        ax.set(xlabel=f"momentum {self.name}".rstrip(), ylabel=f"{y} {unit}")
        return ax

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _entries(found: Iterable[Equilibrium]) -> Entries[Equilibrium]:
    return Entries(sorted(found, key=lambda e: e.energy), ("momentum", "rate", "energy", "stability", "growth", "frequencies"),
                   lambda e: (e.momenta.tolist() if len(e.symmetries) > 1 else e.momentum,
                              e.rates.tolist() if len(e.symmetries) > 1 else e.rate, e.energy, e.stability, e.growth,
                              [float(x.imag) for x in e.eigenvalues if x.imag > 1e-9 * abs(e.eigenvalues[0])]))


def _default_symmetry(system: System) -> List[Union[int, str]]:
    turns = [i for i in range(len(system.symmetries)) if lib.ph_system_symmetry(system._c, i).generator == ffi.NULL]
    return list((turns or list(range(len(system.symmetries))))[-1:])


def equilibria(source: Any = None, *, symmetry: Union[int, str, Sequence[Union[int, str]], None] = None,
               momentum: Optional[ArrayLike] = None, starts: Union[int, Sequence[ArrayLike]] = 60, seed: int = 1,
               **keywords: Any) -> Entries[Equilibrium]:
    """Find relative equilibria: motions in which a system turns without changing its shape, or rests.

    Parameters
    ----------
    source, **keywords
        A system, which is searched by Newton's iteration from ``starts`` (``ph_equilibria_find``); or a scenario as for ``run``, or
        a model by name, which the program `polhode equilibria` searches: from the initial state, from random ones, and along the
        families that begin at rest.
    symmetry : str or int, or a list of at most 3 that commute
        To turn along; by default a rotation, of several the last (for a scenario: with the largest momentum at the start).
    momentum : float, or one for each symmetry
        0: at rest. By default 0; for a scenario that of the initial state.
    starts : int or list of configurations
        How many random configurations to start from, or these.
    seed : int
        For the random ones: the same seed, the same starts.

    Returns
    -------
    list of Equilibrium
        In the order of their energy; each once up to the symmetries. Shown as a table.

    Raises
    ------
    Error
        PH_E_UNSUPPORTED: a general Lagrangian, velocity constraints (see ``steady_motion``) or forces; an unknown symmetry.

    Examples
    --------
    A spherical pendulum that turns on a cone: its rate is sqrt(g / (l cos theta)).

    >>> import numpy as np, polhode as ph
    >>> pendulum = ph.model("spherical-pendulum").system()
    >>> cone, = ph.equilibria(pendulum, momentum=1.0)
    >>> bool(np.isclose(cone.rate**2 * -cone.z[2], 9.81)), cone.stability
    (True, 'stable')
    >>> cone.follow(2.0).end
    'the end of the interval'

    Source: Marsden, Lectures on Mechanics (1992), chapters 4 and 5.
    """
    if isinstance(source, System):
        if keywords:
            raise Error(f"{', '.join(keywords)} belong to a scenario; the source is a system")
        chosen = _default_symmetry(source) if symmetry is None else [symmetry] if isinstance(symmetry, (int, str)) else symmetry
        w = _Workspace(source, list(chosen))
        momenta = w.momenta(0.0 if momentum is None else momentum)
        return _entries(_search(w, momenta, starts, seed))
    return _by_program(source, symmetry, momentum, starts, keywords)


def _search(w: _Workspace, momenta: Array, starts: Union[int, Sequence[ArrayLike]], seed: int) -> List[Equilibrium]:
    space, found = w.system.space, list[Equilibrium]()
    random = np.random.default_rng(seed)
    if isinstance(starts, (int, np.integer)):
        given: List[Array] = [random.normal(size=space.ambient) for _ in range(count("starts", starts))]
    else:
        given = [space.configuration(z, f"starts[{i}]") for i, z in enumerate(starts)]
    for z in given:
        try:
            one = w.find(space.project(z), momenta)
        except Error as error:
            if error.status in ("PH_E_NO_CONVERGENCE", "PH_E_SINGULAR", "PH_E_NOT_FINITE"):
                continue  # nothing near this one
            raise
        if not any(w.same(one, other) for other in found):
            found.append(one)
    return found


def _by_program(source: Any, symmetry: Any, momentum: Any, starts: Any, keywords: Dict[str, Any]) -> Entries[Equilibrium]:
    """What the program finds for a scenario, found again from there in this process."""
    if isinstance(source, str) and source in models:
        source, keywords = None, {"model": source, **keywords}
    if keywords.get("model") or isinstance(source, dict):  # what is run does not matter here
        given = source if isinstance(source, dict) else {}
        for key, value, other in (("duration", 1, "steps"), ("accuracy", 1e-6, "method")):
            if not any(k in d for k in (key, other) for d in (keywords, given)):
                keywords = {**keywords, key: value}
    scenario = scenario_text(source, **keywords)
    arguments = ["equilibria", "-", "--starts", str(count("starts", starts))]
    if symmetry is not None:
        if not isinstance(symmetry, str):
            raise Error(f"symmetry is {symmetry!r}; for a scenario it must be the name of one, and for several a system must be given")
        arguments += ["--symmetry", symmetry]
    if momentum is not None:
        arguments += ["--momentum", repr(number("momentum", momentum))]
    data = call_json(arguments, scenario.text, accept=(0, 1), cwd=scenario.folder)
    if "equilibria" not in data:
        raise Error("the system has velocity constraints, and its steady motions are not given by a momentum: see steady_motion",
                    "PH_E_UNSUPPORTED")
    parsed = parse(scenario)
    w = _Workspace(System._of(lib.ph_scenario_system(parsed), parsed), [data["symmetry"]] if data["symmetry"] else [])
    return _entries(w.find(np.array(e["q"], dtype=float), w.momenta(e["momentum"])) for e in data["equilibria"])


class SteadyPart(NamedTuple):
    """What a one-parameter group of a steady motion does (``ph_steady_part``): kind is "shift" (a factor R^d along a coordinate,
    [m/s]), "turn" (the whole about an axis of space) or "spin" (a body about an axis of its frame, a circle) [rad/s]."""

    kind: str
    factor: int
    axis: int


class SteadyMotion(Fixed):
    """A motion of a system with velocity constraints that a group carries along (``ph_steady_motion``).

    Attributes
    ----------
    z, v : (nz,)
    parts : list of SteadyPart
        The one-parameter groups; ``rates`` (parts,) are how fast it moves along each.
    energy : float
        [J].
    eigenvalues : complex
        Those of the linear motion near it [1/s], the largest first; ``zero`` of them are 0: directions of the family.
    growth, decay : float
        The largest real part of the others, 0 where nothing grows; the size of the largest negative one.
    residual, iterations
        How well it is known.
    """

    def __init__(self, c: Any, nz: int, parts: List[SteadyPart]) -> None:
        self.z, self.v, self.rates = copied(c.z, nz), copied(c.zdot, nz), copied(c.rate, len(parts))
        self.parts, self.energy, self.residual = parts, float(c.energy), float(c.residual)
        self.iterations, self.zero = int(c.iterations), int(c.zero)
        self.growth, self.decay = float(c.growth), float(c.decay)
        self.eigenvalues = copied(c.real, c.modes) + 1j * copied(c.imaginary, c.modes)

    def __repr__(self) -> str:
        moves = ", ".join(f"{part.kind} {part.factor if part.kind != 'turn' else ''}{'xyz'[part.axis] if part.axis < 3 else part.axis}: "
                          f"{rate:.6g}" for part, rate in zip(self.parts, self.rates))
        return f"<polhode.SteadyMotion {moves}; growth {self.growth:.6g}/s, decay {self.decay:.6g}/s, energy {self.energy:.9g} J>"


def steady_motion(system: System, z: ArrayLike, v: ArrayLike) -> SteadyMotion:
    """The steady motion nearest to a state, for systems with velocity constraints (``ph_steady_find``).

    Its group is found: shifts, turns of the whole and spins of bodies that leave Lagrangian, constraints and forces as they are.

    Raises
    ------
    Error
        PH_E_NO_CONVERGENCE: there is none near; PH_E_UNSUPPORTED: what depends on time, or no group.

    Examples
    --------
    >>> import polhode as ph
    >>> model = ph.model("rolling-disk")
    >>> motion = ph.steady_motion(model.system(), *model.initial())
    >>> motion.residual < 1e-12
    True

    Source: Bloch, Krishnaprasad, Marsden, Murray, Arch. Rat. Mech. Anal. 136 (1996) 21.
    """
    if not isinstance(system, System):
        raise Error(f"system is {system!r}; it must be a polhode.System")
    z0, v0 = system.space.configuration(z), system.space.configuration(v, "v")
    steady = create("ph_steady", lambda out, error: lib.ph_steady_create(system._c, out, error), lib.ph_steady_free, system)
    kinds = {lib.PH_STEADY_SHIFT: "shift", lib.PH_STEADY_TURN: "turn", lib.PH_STEADY_SPIN: "spin"}
    parts = [SteadyPart(kinds[p.kind], int(p.factor), int(p.axis))
             for p in (lib.ph_steady_part_at(steady, i) for i in range(lib.ph_steady_parts(steady)))]
    found, error = own(lib.ph_steady_motion_create(steady), lib.free), new_error()
    if found == ffi.NULL:
        raise Error("out of memory", "PH_E_NO_MEMORY")
    check(lib.ph_steady_find(steady, pointer(z0), pointer(v0), found, error), error)
    return SteadyMotion(found, system.space.ambient, parts)
