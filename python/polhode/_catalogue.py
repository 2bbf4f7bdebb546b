# SPDX-License-Identifier: BSD-3-Clause
"""Models and methods as data (``ph_model``, ``ph_method``), also as tables in a notebook."""
from __future__ import annotations

import html
import sys
from typing import Any, Callable, Dict, Generic, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np

from ._core import Array, Error, Fixed, check, count, create, doubles, fail, new_error, number, passed, pointer, room, text, word
from ._integrator import settings
from ._polhode import ffi, lib
from ._program import call
from ._system import System
from ._tables import Entries, Table

_KINDS = {lib.PH_PARAMETER_NUMBER: "number", lib.PH_PARAMETER_COUNT: "count", lib.PH_PARAMETER_VECTOR: "vector",
          lib.PH_PARAMETER_GRAVITY: "gravity", lib.PH_PARAMETER_PER_LINK: "per-link", lib.PH_PARAMETER_PER_BODY: "per-body",
          lib.PH_PARAMETER_BODIES: "bodies", lib.PH_PARAMETER_QUATERNION: "quaternion"}
_CLAIMS = {lib.PH_CLAIM_SYMPLECTIC: "symplectic", lib.PH_CLAIM_SYMMETRIC: "symmetric", lib.PH_CLAIM_MOMENTUM: "momentum",
           lib.PH_CLAIM_MANIFOLD: "manifold", lib.PH_CLAIM_IMPLICIT: "implicit", lib.PH_CLAIM_ADAPTIVE: "adaptive",
           lib.PH_CLAIM_MULTISTEP: "multistep"}


def _bound(value: float) -> Optional[float]:
    return None if abs(value) == sys.float_info.max else float(value)


def _range(least: Optional[float], most: Optional[float]) -> str:
    """Bounds for people: "> 0", "0 to 1"."""
    if least is not None and most is not None:
        return f"{least:g} to {most:g}"
    if most is not None:
        return f"<= {most:g}"
    if least is None:
        return ""
    return "> 0" if least == sys.float_info.min else f">= {least:g}"


class Parameter(NamedTuple):
    """A parameter of a model (``ph_parameter``).

    kind: "number", "count" (a whole number), "vector" (3 numbers), "gravity" (3, or one g for (0, 0, -g)), "per-link" and
    "per-body" (a number for each, or one for all), "bodies" (a list of bodies), "quaternion" (4). min and max are bounds of every
    number, None where there is none; the least positive double as min stands for > 0.
    """

    name: str
    kind: str
    unit: str
    default: Any
    min: Optional[float]
    max: Optional[float]
    text: str


class Option(NamedTuple):
    """An option of a method (``ph_option``): type is "number", "count" or "choice"; choices are its words."""

    name: str
    type: str
    default: Any
    min: Optional[float]
    max: Optional[float]
    choices: Tuple[str, ...]
    unit: str
    text: str


class Preset(NamedTuple):
    """A named initial condition of a model (``ph_preset``)."""

    name: str
    text: str


class Support(NamedTuple):
    """Does a method take a system, and if not, why; true or false where a truth value is needed."""

    supported: bool
    reason: str

    def __bool__(self) -> bool:
        return self.supported


class _Described(Fixed):
    """What models and methods share."""

    def __init__(self, c: Any) -> None:
        self._c = c
        self.name = text(c.name)
        self.summary = text(c.summary)
        self.reference = text(c.reference)

    def __reduce__(self) -> Tuple[Any, ...]:  # static data of C: found again by name
        return _by_name, (type(self).__name__, self.name)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.name == getattr(other, "name", None)

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.name))

    def _tables(self) -> Sequence[Table]:
        raise NotImplementedError

    def __repr__(self) -> str:
        kind = type(self).__name__
        return "\n\n".join([f"{kind} {self.name}: {self.summary}\n{self.reference}", *(repr(t) for t in self._tables() if len(t))])

    def _repr_html_(self) -> str:
        head = f"<p><b>{html.escape(self.name)}</b>: {html.escape(self.summary)}<br><i>{html.escape(self.reference)}</i></p>"
        return head + "".join(t._repr_html_() for t in self._tables() if len(t))


class Model(_Described):
    """A model of the catalogue (``ph_model``): a system with parameters and named initial conditions.

    Attributes
    ----------
    name, summary, reference : str
        What it is, in a line, and the paper that it is from.

    Examples
    --------
    >>> import polhode as ph
    >>> model = ph.model("double-spherical-pendulum")
    >>> [parameter.name for parameter in model.parameters][:3]
    ['masses', 'lengths', 'gravity']
    >>> system = model.system(lengths=[1.0, 0.5])
    >>> z, v = model.initial("hanging", lengths=[1.0, 0.5])
    >>> system.space.split(z)[1]  # gravity points upwards here
    array([-0., -0.,  1.])
    """

    @property
    def parameters(self) -> "Entries[Parameter]":
        """Its parameters: a list of ``Parameter``, also by name, that is shown as a table."""
        out = []
        for i in range(self._c.n_parameters):
            p = self._c.parameters[i]
            kind = _KINDS[p.kind]
            default: Any = [p.initial[k] for k in range(int(lib.ph_parameter_numbers(p.kind)))]
            if kind == "bodies":
                default = self._bodies(None)
            elif len(default) == 1:
                default = int(default[0]) if kind == "count" else default[0]
            else:
                default = tuple(default)
            out.append(Parameter(text(p.name), kind, text(p.unit), default, _bound(p.min), _bound(p.max), text(p.text)))
        return Entries(out, ("name", "kind", "unit", "default", "range", "text"),
                       lambda p: (p.name, p.kind, p.unit, p.default, _range(p.min, p.max), p.text))

    def _bodies(self, preset: Optional[str]) -> Tuple[str, ...]:
        """How a scenario writes the bodies of a preset; "" where that is long."""
        n, error = ffi.new("size_t *"), new_error()
        name = ffi.NULL if preset is None else ffi.new("char[]", word("preset", preset))
        check(lib.ph_model_preset_bodies(self._c, name, ffi.NULL, ffi.NULL, n, error), error)
        words = ffi.new(f"char[{max(n[0], 1)}][{int(lib.PH_MODEL_BODY_WORDS)}]")
        check(lib.ph_model_preset_bodies(self._c, name, ffi.NULL, words, n, error), error)
        return tuple(text(words[i]) for i in range(n[0]))

    @property
    def presets(self) -> "Entries[Preset]":
        """Its named initial conditions: a list of ``Preset``, also by name; the first is the default."""
        return Entries([Preset(text(p.name), text(p.text)) for p in self._c.presets[0:self._c.n_presets]], ("name", "text"), tuple)

    def _tables(self) -> Sequence[Table]:
        return self.parameters.table, self.presets.table

    def _values(self, parameters: Dict[str, Any], keep: List[Any]) -> Tuple[Any, int]:
        """The parameters as C has them. What they point to, and is needed as long as the system, is added to keep."""
        kinds = {text(p.name): _KINDS[p.kind] for p in self._c.parameters[0:self._c.n_parameters]}
        array = ffi.new("ph_parameter_value[]", len(parameters))
        keep.append(array)
        for c, (name, value) in zip(array, parameters.items()):
            keep.append(ffi.new("char[]", word("parameter", name)))
            c.name = keep[-1]
            kind = kinds.get(name)
            if kind == "bodies":
                bodies = _model_bodies(name, value, keep)
                c.values, c.n = lib.ph_parameter_of_bodies(c.name, bodies, len(bodies)).values, len(bodies) * _BODY_NUMBERS
                continue
            if kind is None:  # the library says so, with a suggestion
                numbers = np.zeros(1)
            elif kind == "count":
                numbers = np.array([float(count(name, value, -2**53, 2**53))])
            elif kind in ("per-link", "per-body") and np.ndim(value):
                numbers = doubles(name, value, -1)
            elif kind in ("vector", "quaternion") or (kind == "gravity" and np.ndim(value)):
                numbers = doubles(name, value, 4 if kind == "quaternion" else 3)
            else:
                numbers = np.array([number(name, value)])
            keep.append(numbers)
            c.values = pointer(numbers)
            c.n = lib.PH_LIST_OF_ONE if np.ndim(value) and numbers.size == 1 else numbers.size
        return array, len(parameters)

    def _build(self, preset: Optional[str], parameters: Dict[str, Any]) -> Tuple[Any, Any, int, Any, List[Any]]:
        keep: List[Any] = []
        values, n = self._values(parameters, keep)
        name = ffi.NULL if preset is None else ffi.new("char[]", word("preset", preset))
        c = create("ph_system", lambda out, error: lib.ph_model_build_for(self._c, name, values, n, out, error),
                   lib.ph_system_free, keep)
        return c, values, n, name, keep

    def system(self, preset: Optional[str] = None, **parameters: Any) -> System:
        """Build the model's system (``ph_model_build_for``).

        Parameters
        ----------
        preset : str, optional
            Whose defaults hold: some presets have bodies and numbers of their own. None: the first; "": none, so that defaults are
            those of ``parameters``.
        **parameters
            By name: numbers, vectors (3,), a number for each link or body or one for all, bodies as a list of ``Mass``.

        Raises
        ------
        Error
            An unknown parameter or preset (with a suggestion), a value out of its range or of another shape.

        Examples
        --------
        >>> import polhode as ph
        >>> ph.model("chain-pendulum").system(masses=[1, 1, 1], gravity=1.62)
        <polhode.System on [S2, S2, S2], constant inertia>
        """
        c, _, _, _, keep = self._build(preset, parameters)
        return System._of(c, keep)

    def initial(self, preset: Optional[str] = None, **parameters: Any) -> Tuple[Array, Array]:
        """Configuration z (nz,) and velocity v (nz,) of a preset, for the system of the same parameters (``ph_model_preset``)."""
        c, values, n, name, _ = self._build(preset, parameters)
        nz, error = int(lib.ph_space_ambient(lib.ph_system_space(c))), new_error()
        z, v = np.empty(nz), np.empty(nz)
        check(lib.ph_model_preset(self._c, values, n, name, nz, room(z), room(v), error), error)
        return z, v

    def new(self, accuracy: Optional[float] = None) -> str:
        """The text of a scenario to begin with, with every parameter and its meaning: what ``polhode new`` prints."""
        return call(["new", self.name] + ([] if accuracy is None else ["--accuracy", repr(number("accuracy", accuracy))]))


_BODY_NUMBERS = ffi.sizeof("ph_model_body") // ffi.sizeof("double")


def _model_bodies(name: str, bodies: Any, keep: List[Any]) -> Any:
    """An array of ph_model_body of objects that can fill one in: fill(body, keep)."""
    if isinstance(bodies, (str, dict)) or not hasattr(bodies, "__len__"):
        raise Error(f"{name} is {bodies!r}; it must be a list of Mass")
    array = ffi.new("ph_model_body[]", len(bodies))
    keep.append(array)
    for i, (c, body) in enumerate(zip(array, bodies)):
        if not hasattr(body, "_fill_body"):
            raise Error(f"{name}[{i}] is {body!r}; it must be a Mass")
        body._fill_body(c, keep)
    return array


class Method(_Described):
    """A method of the catalogue (``ph_method``).

    Attributes
    ----------
    name, summary, reference : str
        What it is, in a line, and the paper that it is from.
    order : int
        Order of convergence on every system and with all options; ``order_for`` has that of a system.
    claims : tuple of str
        What it claims everywhere, each measured by the tests: "symplectic", "symmetric" (in time), "momentum" (keeps momentum maps
        to rounding), "manifold" (likewise the manifold), "implicit", "adaptive", "multistep"; ``claims_for`` has those of a system.
    takes_constraints, takes_spins : bool
        Does it keep velocity constraints, and take spheres as phase space?

    Examples
    --------
    >>> import polhode as ph
    >>> ph.method("variational").claims
    ('symplectic', 'symmetric', 'momentum', 'manifold', 'implicit')
    >>> bool(ph.method("moser-veselov").supports(ph.model("chain-pendulum").system()))
    False
    """

    def __init__(self, c: Any) -> None:
        super().__init__(c)
        self.order = int(c.order)
        self.claims = self._words(c.claims)
        self.takes_constraints = bool(c.takes_constraints)
        self.takes_spins = bool(c.takes_spins)

    @staticmethod
    def _words(claims: int) -> Tuple[str, ...]:
        return tuple(name for bit, name in _CLAIMS.items() if claims & bit)

    @property
    def options(self) -> "Entries[Option]":
        """Its options: a list of ``Option``, also by name, that is shown as a table."""
        out = []
        for o in self._c.options[0:self._c.n_options]:
            choices = tuple(text(o.choices).split())
            type_ = {lib.PH_OPTION_NUMBER: "number", lib.PH_OPTION_COUNT: "count", lib.PH_OPTION_CHOICE: "choice"}[o.type]
            default: Any = choices[int(o.initial)] if type_ == "choice" else int(o.initial) if type_ == "count" else o.initial
            least, most = (None, None) if type_ == "choice" else (_bound(o.min), _bound(o.max))
            out.append(Option(text(o.name), type_, default, least, most, choices, text(o.unit), text(o.text)))
        return Entries(out, ("name", "type", "default", "values", "unit", "text"),
                       lambda o: (o.name, o.type, o.default, " ".join(o.choices) or _range(o.min, o.max), o.unit, o.text))

    def _tables(self) -> Sequence[Table]:
        title = f"order {self.order}; {', '.join(self.claims)}"
        return (Table(self.options.table.columns, self.options.table.rows, title),)

    def supports(self, system: System) -> Support:
        """Does it take the system, whatever its options, and if not, why (``ph_method_supports``)?"""
        error = new_error()
        status = lib.ph_method_supports(self._c, _system(system), error)
        passed()
        return Support(status == 0, text(error.message) if status else "")

    def _options(self, options: Dict[str, Any]) -> Any:
        values, error = ffi.new("double[]", max(self._c.n_options, 1)), new_error()
        array, n, _kept = settings(options)
        check(lib.ph_method_options(self._c, array, n, values, error), error)
        return values

    def order_for(self, system: System, **options: Any) -> int:
        """Its order on this system with these options (``ph_method_order``).

        Examples
        --------
        >>> import polhode as ph
        >>> ph.method("variational").order_for(ph.model("heavy-top").system(), order=8)
        8
        """
        return int(lib.ph_method_order(self._c, _system(system), self._options(options)))

    def claims_for(self, system: System, **options: Any) -> Tuple[str, ...]:
        """What it claims there (``ph_method_claims``)."""
        return self._words(lib.ph_method_claims(self._c, _system(system), self._options(options)))


def _system(system: Any) -> Any:
    if not isinstance(system, System):
        raise Error(f"{system!r} is not a System")
    return system._c


D = TypeVar("D", bound=_Described)


class Catalogue(Generic[D]):
    """The models or the methods: iterate, ``len``, ``[i]``, ``["name"]``, ``in``; shown as a table.

    Examples
    --------
    >>> import polhode as ph
    >>> "heavy-top" in ph.models, ph.models["heavy-top"].name
    (True, 'heavy-top')
    >>> [method.name for method in ph.methods if "multistep" in method.claims]
    ['multistep']
    """

    def __init__(self, n: Callable[[], int], at: Callable[[int], Any], find: Callable[[bytes, Any], Any], make: Callable[[Any], D],
                 kind: str) -> None:
        self._n, self._at, self._find, self._make, self._kind = n, at, find, make, kind

    @property
    def names(self) -> List[str]:
        """All names, in the order of the catalogue."""
        return [text(self._at(i).name) for i in range(self._n())]

    def __len__(self) -> int:
        return int(self._n())

    def __iter__(self) -> Iterator[D]:
        return (self._make(self._at(i)) for i in range(self._n()))

    def __contains__(self, key: object) -> bool:
        return getattr(key, "name", key) in self.names

    def __getitem__(self, key: Union[str, int, D]) -> D:
        if isinstance(key, _Described):
            return self[key.name]
        if isinstance(key, int):
            return self._make(self._at(range(self._n())[key]))
        error = new_error()
        c = self._find(word(self._kind, key), error)
        if c == ffi.NULL:
            fail(error.status, text(error.message))
        return self._make(c)

    def _ipython_key_completions_(self) -> List[str]:
        return self.names

    def _table(self) -> Table:
        if self._kind == "method":
            return Table(["name", "order", "claims", "summary"],
                         [[m.name, getattr(m, "order"), getattr(m, "claims"), m.summary] for m in self])
        return Table(["name", "summary"], [[m.name, m.summary] for m in self])

    def __repr__(self) -> str:
        return repr(self._table())

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` of what is shown."""
        return self._table().to_pandas()


models: Catalogue[Model] = Catalogue(lib.ph_models, lib.ph_model_at, lib.ph_model_find, Model, "model")
"""All models."""
methods: Catalogue[Method] = Catalogue(lib.ph_methods, lib.ph_method_at, lib.ph_method_find, Method, "method")
"""All methods of this build."""


def _by_name(kind: str, name: str) -> Union[Model, Method]:
    return models[name] if kind == "Model" else methods[name]


def model(name: Union[str, Model]) -> Model:
    """A model by name (``ph_model_find``); ``models`` has all."""
    return models[name]


def method(name: Union[str, Method]) -> Method:
    """A method by name (``ph_method_find``); ``methods`` has all."""
    return methods[name]
