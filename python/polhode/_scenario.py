# SPDX-License-Identifier: BSD-3-Clause
"""The text of a scenario from what a user gives: a file, a text, a dict, keywords, or several of these (``ph_scenario_edit``)."""
from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._catalogue import Model
from ._core import Error, check, create, new_error, own, text, word
from ._polhode import ffi, lib
from ._tables import Table


class Scenario(NamedTuple):
    """A scenario as a text (YAML) and the file that it is from, to whose directory its paths are relative; or None."""

    text: str
    path: Optional[str] = None

    @property
    def folder(self) -> Optional[str]:
        """The directory of the file."""
        return None if self.path is None else os.path.dirname(os.path.abspath(self.path))


def keys() -> Table:
    """The keys of a scenario as a table (``ph_scenario_map_at``): map ("" for the scenario itself), key, value, default, text.

    Examples
    --------
    >>> import polhode as ph
    >>> [row["key"] for row in ph.keys() if row["map"] == "stop"]
    ['energy-error']
    """
    maps = (lib.ph_scenario_map_at(i) for i in range(lib.ph_scenario_maps()))
    return Table(["map", "key", "value", "default", "text"],
                 [[text(m.name), text(k.name), text(k.value), text(k.initial) or "required", text(k.text)]
                  for m in maps for k in m.keys[0:m.n_keys]])


def _keys() -> Dict[str, List[str]]:
    """Those of each map."""
    out: Dict[str, List[str]] = {}
    for row in keys():
        out.setdefault(row["map"], []).append(row["key"])
    return out


# A keyword may be a key of the scenario or, where no other place has it, of one of these maps.
_INNER = ("initial", "output", "stop")
# Keys of which one takes the place of the others.
_EITHER = (("duration", "steps"), ("output.every", "output.interval", "output.per-decade", "output.at"),
           ("initial.preset", "initial.q", "initial.from"), ("initial.omega", "initial.qdot", "initial.momentum"))


def _plain(name: str, value: Any) -> Any:
    """The value as JSON can have it."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Error(f"{name} has the number {value}; it must be finite", "PH_E_NOT_FINITE")
        whole = value.is_integer() and abs(value) < 2**53 and (value != 0 or math.copysign(1, value) > 0)
        return int(value) if whole else float(value)  # 1000.0 is no count for a scenario, 1000 is one
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        return {str(k): _plain(f"{name}.{k}", v) for k, v in value.items()}
    if hasattr(value, "_scenario"):  # a body, an event: what a scenario says of it
        return _plain(name, value._scenario())
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return _plain(name, value.tolist())
    if isinstance(value, (list, tuple, range)):
        return [_plain(f"{name}[{i}]", v) for i, v in enumerate(value)]
    if hasattr(value, "name") and isinstance(value.name, str):  # a model, a method
        return value.name
    if hasattr(value, "_fill_body"):
        raise Error(f"{name} is {value!r}; in a scenario a body is a dict, as {{'mass': 3e11, 'half-axes': [400, 350, 280]}} (keys() lists "
                    f"its keys); a Mass is for model(...).system(bodies=...) and gravitation")
    raise Error(f"{name} is {value!r}; it must be a number, a text, a list or a dict of these")


def yaml(name: str, value: Any) -> str:
    """The value in YAML, on one line; name: of the key, for messages."""
    return json.dumps(_plain(name, value), ensure_ascii=False)


def _names(find: Any, kind: str, given: Any, entries: str, every: Any) -> List[str]:
    """Names of the entries ("options") of this method or model; of all of them where it is not known."""
    if isinstance(given, Mapping):
        given = given.get("name")
    given = getattr(given, "name", given)
    found = find(word(kind, given), ffi.NULL) if isinstance(given, str) else ffi.NULL
    those = every() if found == ffi.NULL else [found]
    return [text(getattr(c, entries)[i].name) for c in those for i in range(getattr(c, "n_" + entries))]


def _place(keyword: str, keywords: Mapping[str, Any], of_dict: Mapping[str, Any]) -> str:
    """The key that a keyword stands for: "step", "method.order", "output.every", "parameters.masses"."""
    known_keys, key = _keys(), keyword.replace("_", "-")
    if key in known_keys[""]:
        return key
    options = _names(lib.ph_method_find, "method", keywords.get("method", of_dict.get("method")), "options",
                     lambda: [lib.ph_method_at(i) for i in range(lib.ph_methods())])
    parameters = _names(lib.ph_model_find, "model", keywords.get("model", of_dict.get("model")), "parameters",
                        lambda: [lib.ph_model_at(i) for i in range(lib.ph_models())])
    inner = [f"{outer}.{key}" for outer in _INNER if key in known_keys[outer]]
    places = inner + [f"method.{k}" for k in (key, keyword) if k in options][:1] + [f"parameters.{keyword}"] * (keyword in parameters)
    if len(places) == 1:
        return places[0]
    if places:
        first, rest = places[0].split(".")[0], [place.split(".")[0] for place in places[1:]]
        raise Error(f"{keyword} may belong to {first} or to {' or '.join(rest)}; say which: {first}={{{key!r}: ...}}")
    known = known_keys[""] + [k for outer in _INNER for k in known_keys[outer]] + options + parameters
    known = sorted({k.replace("-", "_") for k in known})
    names, error = [ffi.new("char[]", k.encode()) for k in known], new_error()
    near = lib.ph_suggest(word("keyword", keyword), ffi.new("const char *[]", names), len(names))
    if near == ffi.NULL:
        raise Error(f"unknown keyword {keyword!r}; there are the keys of a scenario ({', '.join(k.replace('-', '_') for k in known_keys[''])}), "
                    f"of its maps {', '.join(_INNER)}, options of the method and parameters of the model", "PH_E_UNKNOWN")
    raise Error(f"unknown keyword {keyword!r}; did you mean {text(near)!r}?", "PH_E_UNKNOWN")


def edit(scenario: str, key: str, value: Optional[str]) -> str:
    """The scenario with another value of a key, "method.order"; value in YAML; None removes it (``ph_scenario_edit``)."""
    chars = scenario.encode("utf-8", "surrogateescape")
    out, error = ffi.new("char **"), new_error()
    given = ffi.NULL if value is None else ffi.new("char[]", word(key, value))
    check(lib.ph_scenario_edit(chars, len(chars), word("key", key), given, out, error), error)
    return text(own(out[0], lib.free))


def seen(scenario: Scenario) -> Dict[str, str]:
    """The model and the method that the text seems to have: they only decide what short keywords stand for."""
    found = {key: re.search(rf'(?m)^[{{ ]*"?{key}"?\s*:\s*(?:{{?\s*"?name"?\s*:\s*)?"?([\w-]+)', scenario.text)
             for key in ("model", "method")}
    return {key: match.group(1) for key, match in found.items() if match}


def _with_seen(scenario: Scenario) -> Tuple[Scenario, Mapping[str, Any]]:
    return scenario, seen(scenario)


def _read(source: Any) -> Tuple[Scenario, Mapping[str, Any]]:
    """What the source says, and as a dict where it is one."""
    if source is None:
        source = {}
    if isinstance(source, Mapping):
        given = {"polhode": 1, **source}
        return Scenario("".join(f"{k}: {yaml(k, v)}\n" for k, v in given.items() if v is not None)), given
    if isinstance(source, Scenario):
        return _with_seen(source)
    own_text = getattr(source, "scenario", None)  # of a run, an advice
    if isinstance(own_text, str):
        return _with_seen(Scenario(own_text, getattr(source, "scenario_path", None)))
    if isinstance(source, Model):
        raise Error(f"the model is given by model={source.name!r}")
    if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        return _with_seen(Scenario(source))
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                return _with_seen(Scenario(file.read(), str(path)))
        except (OSError, ValueError) as reason:
            near = ""
            model = lib.ph_model_find(word("scenario", path), ffi.NULL) if isinstance(path, str) and "\0" not in path else ffi.NULL
            if model != ffi.NULL:
                near = f"; the model is given by model={path!r}"
            raise Error(f"cannot read the scenario {path!r}: {getattr(reason, 'strerror', None) or reason}{near}", "PH_E_IO") from None
    raise Error(f"a scenario is the path of a file, a text (YAML), or a dict, and not {source!r:.60}")


def scenario_text(source: Any = None, **keywords: Any) -> Scenario:
    """The text of a scenario, for ``ph_scenario_parse`` or the standard input of the program.

    Parameters
    ----------
    source : path, str, dict, or object with an attribute ``scenario``; optional
        A file, a text (YAML or JSON; it has more than one line or begins with "{"), a dict, a run, an advice.
    **keywords
        Keys of a scenario, which replace those of the source; a key with "-" has "_". Those of its maps ``initial``, ``output``
        and ``stop``, options of the method and parameters of the model may be given without the map: ``preset="hanging"``,
        ``every=10``, ``order=8``, ``masses=[1, 2]``. None removes a key.

    Returns
    -------
    Scenario
        text and path; unchanged text where there are no keywords. It has not been checked: whoever parses it does that.

    Raises
    ------
    Error
        An unknown keyword (with a suggestion), a value that YAML cannot have, a file that cannot be read.

    Examples
    --------
    >>> print(scenario_text(model="heavy-top", method="variational", order=8, step=0.01, duration=10).text, end="")
    polhode: 1
    model: "heavy-top"
    method: {name: variational, order: 8}
    step: 0.01
    duration: 10
    """
    scenario, of_dict = _read(source)
    places = {}
    for keyword, value in keywords.items():
        places[keyword] = (_place(keyword, keywords, of_dict), value)
    now = scenario.text
    for key, value in sorted(places.values(), key=lambda place: "." in place[0]):  # whole maps first; the order of the rest stays
        value_text = None if value is None else yaml(key, value)
        for group in _EITHER:
            if key in group and value is not None:
                for other in group:
                    if other != key and other not in (k for k, _ in places.values()):
                        now = edit(now, other, None)
        now = edit(now, key, value_text)
    return Scenario(now, scenario.path)


def parse(scenario: Scenario) -> Any:
    """The ``ph_scenario`` of a text, checked (``ph_scenario_parse``, ``ph_scenario_parse_at``); it frees itself."""
    chars = scenario.text.encode("utf-8", "surrogateescape")
    if scenario.path is None:
        return create("ph_scenario", lambda out, err: lib.ph_scenario_parse(chars, len(chars), b"scenario", out, err),
                      lib.ph_scenario_free)
    path = os.fsencode(scenario.path)
    return create("ph_scenario", lambda out, err: lib.ph_scenario_parse_at(chars, len(chars), path, out, err), lib.ph_scenario_free)
