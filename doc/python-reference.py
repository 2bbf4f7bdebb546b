#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the manual about the Python package that follow from it: its reference, and the Python name of each name of C.

    PYTHONPATH=BUILD/python doc/python-reference.py DOC HEADERS [--check]

writes DOC/reference/python.md from the docstrings of what `polhode` has, and DOC/reference/python-names.md: for each function and type
of HEADERS (include/polhode) what names it in a docstring, as ``ph_system_energy``, or else the public object whose code calls it, or
`lib.NAME`. With --check it writes nothing, and fails where a page differs from that. `make tables` calls it."""
from __future__ import annotations

import ast
import inspect
import pathlib
import re
import sys
import textwrap
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

sys.dont_write_bytecode = True

import polhode  # noqa: E402

# The modules in the order of the reference, with the titles of their sections.
SECTIONS = {"_run": "Running scenarios and systems", "_record": "Runs and their results", "_sweep": "Sweeps", "_session": "Sessions", "_plot": "Figures",
            "_view": "Runs in motion", "_analysis": "Choosing a method", "_catalogue": "Catalogues of models and methods",
            "_space": "Configuration spaces", "_system": "Systems by callbacks", "_derivatives": "Derivatives",
            "_callbacks": "Callbacks", "_spins": "Spins in phase space", "_mass": "Mass distributions", "_gravity": "Bodies under mutual gravity",
            "_solve": "Solving as SciPy does", "_integrator": "Integrators and states", "_events": "Event functions",
            "_equilibria": "Equilibria and steady motions", "_reduction": "Reducing by a rotation",
            "_equations": "Equations of motion for other integrators", "_diagnostics": "Measuring and watching states", "_rotations": "Rotations of space", "_tables": "Tables in notebooks",
            "_scenario": "Scenario texts", "_core": "Errors and warnings"}
for _name in sorted(sys.modules):  # others, at the end
    if re.fullmatch(r"polhode\._\w+", _name) and str(getattr(sys.modules[_name], "__file__", "")).endswith(".py"):
        SECTIONS.setdefault(_name[8:], f"The rest: {_name[9:]}")
CLASS_FIRST = ("_space", "_system", "_integrator", "_spins", "_mass", "_core", "_solve")
HEADINGS = ("Parameters", "Returns", "Raises", "Warns", "Attributes", "Yields", "Notes", "Examples")


class Entry(NamedTuple):
    """A public object or a member of one."""

    name: str  # "System.energy"
    what: Any
    parent: str  # "System"; "" of an object of the package


# ---- What the package has ------------------------------------------------------------------------------------------------


def public() -> Dict[str, Any]:
    """Objects of the package by the name that a user writes, those of its public modules as "rotations.exp"; without ffi and lib."""
    out: Dict[str, Any] = {}
    for name, what in vars(polhode).items():
        if name.startswith("_") or name in ("ffi", "lib", "annotations"):
            continue
        if not inspect.ismodule(what):
            out[name] = what
        elif what.__name__.startswith("polhode."):
            out.update((f"{name}.{own}", getattr(what, own)) for own in what.__all__)
    return out


def module_of(name: str, what: Any) -> str:
    """The module that defines an object, "_system"; of a value, the one that has it first."""
    module = getattr(what, "__module__", None) or ""
    if (inspect.isclass(what) or inspect.isfunction(what)) and module.startswith("polhode."):
        return str(module.split(".")[1])
    return next((m for m in SECTIONS if any(v is what for v in vars(sys.modules.get(f"polhode.{m}", polhode)).values())
                 and re.search(rf"^{re.escape(name)}\b.*=", source(m), re.M)), type(what).__module__.partition(".")[2])


def source(module: str) -> str:
    found = sys.modules.get(f"polhode.{module}")
    return inspect.getsource(found) if found is not None else ""


def members(name: str, cls: type) -> Iterator[Entry]:
    """Its documented public methods and properties, and those that begin and end with two underscores and say what they do."""
    for own, what in vars(cls).items():
        raw = what.__func__ if isinstance(what, (staticmethod, classmethod)) else what
        if (inspect.isfunction(raw) or isinstance(raw, property)) and inspect.getdoc(raw) and (not own.startswith("_") or own in (
                "__add__", "__bytes__", "__call__", "__enter__")) and "polhode" in (getattr(raw, "__module__", None) or cls.__module__):
            yield Entry(f"{name}.{own}", what, name)


def entries() -> List[Entry]:
    out = []
    for name, what in public().items():
        out.append(Entry(name, what, ""))
        if inspect.isclass(what):
            out += members(name, what)
    return out


# ---- Docstrings as Markdown ----------------------------------------------------------------------------------------------


def document(what: Any) -> str:
    """Its docstring; of a value, the text behind it in its module."""
    return inspect.getdoc(what) or ""


def value_text(name: str, module: str) -> str:
    """The text below NAME = ... in a module."""
    body = ast.parse(source(module)).body
    for one, after in zip(body, body[1:]):
        target = one.target if isinstance(one, ast.AnnAssign) else one.targets[0] if isinstance(one, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id == name and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return inspect.cleandoc(str(after.value.value))
    return ""


def inline(text: str) -> str:
    """``x`` is `x`, and everything else is what it says."""
    parts = re.split(r"(``.*?``|`.*?`)", " ".join(text.split()))
    return "".join(f"`{p.strip('`')}`" if p.startswith("`") else re.sub(r"([*_<|\\$\[\]])", r"\\\1", p) for p in parts)


def paragraphs(text: str) -> Iterator[Tuple[str, str]]:
    """("text" or "code", paragraph) of a part of a docstring."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.lstrip().startswith(">>>"):
            yield "code", textwrap.dedent(block)
        elif block.strip():
            yield "text", block


def prose(text: str) -> List[str]:
    out: List[str] = []
    for kind, block in paragraphs(text):
        if kind == "code" and out and out[-1].startswith("```pycon"):
            out[-1] = out[-1][:-4] + "\n" + block + "\n```\n"
        else:
            out.append(f"```pycon\n{block}\n```\n" if kind == "code" else inline(block) + "\n")
    return out


def items(text: str) -> List[str]:
    """Parameters: "name : type" with an indented text each."""
    out: List[str] = []
    for line in textwrap.dedent(text).splitlines():
        if not line.strip():
            continue
        if line.startswith(" ") and out:
            out[-1] += " " + line.strip()
        else:
            name, colon, kind = line.partition(" : ")
            names = ", ".join(f"`{n.strip()}`" for n in name.split(",")) if colon else inline(name)
            out.append(f"- {names}" + (f" ({inline(kind)}):" if colon else ":"))
    return [inline_rest(item) for item in out]


def inline_rest(item: str) -> str:
    """The text behind the first colon of an item is made Markdown; without one the colon goes."""
    head, _, rest = item.partition(": ")
    return f"{head}: {inline(rest)}" if rest else item.rstrip(":")


def markdown(doc: str) -> str:
    """A docstring in NumPy's style."""
    pattern = rf"^({'|'.join(HEADINGS)})\n-+\n"
    parts = re.split(pattern, doc, flags=re.M)
    out = prose(parts[0])
    for heading, body in zip(parts[1::2], parts[2::2]):
        if heading in ("Examples", "Notes"):
            out += prose(body)
            continue
        found = re.split(r"^(?=Source: )", body, flags=re.M)  # behind the last one
        out.append(f"*{heading}*\n\n" + "\n".join(items(found[0])) + "\n")
        out += [inline(rest) + "\n" for rest in found[1:]]
    return "\n".join(out)


def signature(entry: Entry) -> str:
    """name(a, b=2): parameters without their types, which the text has."""
    what = entry.what
    name = entry.name
    raw = what.__func__ if isinstance(what, (staticmethod, classmethod)) else what
    if isinstance(raw, property) or not (inspect.isfunction(raw) or inspect.isclass(raw)):
        return name
    if inspect.isclass(raw) and not (hasattr(raw, "_fields") or "__init__" in vars(raw)) or inspect.isclass(raw) and \
            issubclass(raw, Exception):
        return name
    try:
        given = inspect.signature(raw)
    except (TypeError, ValueError):
        return name
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in given.parameters.values()]
    if entry.parent and bare and bare[0].name in ("self", "cls") and not isinstance(what, staticmethod):
        bare = bare[1:]
    returns = given.return_annotation
    shown = "" if returns in (inspect.Signature.empty, "None", "Any", None) or inspect.isclass(raw) else f" -> {str(returns).strip(chr(39))}"
    return f"{name}{re.sub(r'<[^>]*>', '...', str(given.replace(parameters=bare, return_annotation=inspect.Signature.empty)))}{shown}"


def is_hidden(name: str, what: Any) -> bool:
    """A class that a user does not create: without a signature worth showing."""
    doc = document(what)
    return inspect.isclass(what) and "Parameters\n---" not in doc and not hasattr(what, "_fields")


def reference() -> str:
    names = public()
    by_module: Dict[str, List[str]] = {}
    for name, what in names.items():
        by_module.setdefault(module_of(name, what), []).append(name)
    for m, own in by_module.items():
        if m not in CLASS_FIRST:
            own.sort(key=lambda name: inspect.isclass(names[name]))  # functions first, otherwise as they are imported
    out = ["# The Python package", INTRODUCTION, "| section | what it has |\n|---|---|"]
    chosen = [m for m in SECTIONS if m in by_module]
    out += [f"| [{SECTIONS[m]}](#{slug(SECTIONS[m])}) | "
            + ", ".join(f"[`{n}`](#{slug(heading(n, names[n]))})" for n in by_module[m]) + " |" for m in chosen]
    for m in chosen:
        out.append(f"\n## {SECTIONS[m]}\n" + markdown(inspect.getdoc(sys.modules[f"polhode.{m}"]) or ""))
        for name in by_module[m]:
            what = names[name]
            out.append(f"### {heading(name, what)}")
            if inspect.isclass(what) or inspect.isfunction(what):
                shown = name if is_hidden(name, what) else signature(Entry(name, what, ""))
                out.append(f"`{shown}`\n\n{markdown(document(what))}")
            else:
                out.append(markdown(value_text(name, m) or document(what)))
            if inspect.isclass(what):
                for member in members(name, what):
                    out.append(f"**`{signature(member)}`**\n\n{markdown(document(member.what))}")
    return "\n".join(out).replace("\n\n\n", "\n\n")


def heading(name: str, what: Any) -> str:
    return f"class {name}" if inspect.isclass(what) else name


def slug(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


# ---- Names of C ----------------------------------------------------------------------------------------------------------


def declared(headers: pathlib.Path) -> Dict[str, List[Tuple[str, str]]]:
    """Types and functions of each header, and what each is."""
    out = {}
    for path in sorted(headers.rglob("*.h"), key=lambda path: path.name):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        functions = re.findall(r"^(?:PH_API|static inline) [^;{()]*?\b(ph_\w+)\(", text, re.M)
        structures = re.findall(r"^typedef (?:struct|union) (ph_\w+)\b", text, re.M)
        enumerations = re.findall(r"^typedef enum (ph_\w+)\b", text, re.M)
        callbacks = re.findall(r"^typedef .*\(\*(ph_\w+_fn)\)", text, re.M)
        kinds = (("structure", structures), ("enum", enumerations), ("callback", callbacks), ("function", functions))
        found = [(name, kind) for kind, names in kinds for name in dict.fromkeys(names)]
        if found:
            out[path.name] = found
    return out


def said() -> Dict[str, List[str]]:
    """The Python names whose docstrings have a name of C."""
    out: Dict[str, List[str]] = {}
    for entry in entries():
        raw = entry.what.__func__ if isinstance(entry.what, (staticmethod, classmethod)) else entry.what
        for name in re.findall(r"``(ph_\w+)``", document(raw)):
            out.setdefault(name, []).append(entry.name)
    return out


class Scope:
    """A function, class, method or value of the package: the names of C in its code, and the names of the package."""

    def __init__(self) -> None:
        self.c: Dict[str, None] = {}
        self.names: Dict[str, None] = {}

    def read(self, node: ast.AST) -> None:
        for child in ast.walk(node):
            if isinstance(child, ast.Name):
                self.names[child.id] = None
            elif isinstance(child, ast.Attribute):
                of_lib = isinstance(child.value, ast.Name) and child.value.id == "lib"
                (self.c if of_lib else self.names)[child.attr] = None
            elif isinstance(child, ast.Constant) and isinstance(child.value, str):
                match = re.fullmatch(r"(ph_\w+)( \*\*?|\[\d*\])?", child.value)
                if match:
                    self.c[match.group(1)] = None


def used() -> Dict[str, List[str]]:
    """The public Python names whose code calls a function of C or has its type, directly or by what is not public."""
    objects = public()
    own_name = {(module_of(name, what), getattr(what, "__name__", name)): name for name, what in objects.items()}
    known = {entry.name for entry in entries()}
    scopes: Dict[str, Scope] = {}  # by the public name, or that of what is not public
    for module in SECTIONS:
        for node in ast.parse(source(module)).body if source(module) else ():
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
            name = node.name if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else target.id if isinstance(target, ast.Name) else None
            if name is None:
                continue
            name = own_name.get((module, name), name)
            for part in node.body if isinstance(node, ast.ClassDef) else [node]:
                inner = f"{name}.{part.name}" if isinstance(part, ast.FunctionDef) and part is not node else name
                scopes.setdefault(inner if inner in known else name, Scope()).read(part)
    out: Dict[str, Dict[str, None]] = {}
    for direct in (True, False):
        late: Dict[str, Dict[str, None]] = {}
        for name in known & set(scopes):
            seen, todo = {name}, [name]
            while todo:
                scope = scopes[todo.pop()]
                for c in scope.c:
                    late.setdefault(c, {})[name] = None
                if not direct:
                    inner_names = [n for n in scope.names if n in scopes and n not in known and n not in seen]
                    seen.update(inner_names)
                    todo += inner_names
        for c, names in late.items():
            out.setdefault(c, names)
    return {c: sorted(names) for c, names in out.items()}


def python_of(name: str, headings: Dict[str, str], by_text: Dict[str, List[str]], by_code: Dict[str, List[str]], kind: str) -> str:
    """What a row of the table has for a name of C."""
    if name.endswith("_free") and kind == "function":
        return "objects free themselves"
    found = by_text.get(name) or by_code.get(name, [])
    owner = {f: f if f in headings else f.split(".")[0] for f in found}
    # a class stands for its members, where it names it itself, and where there are many
    whole = [f for f in found if f == owner[f]]
    shown = [f for f in found if f in whole or owner[f] not in whole]
    if len(shown) > 3:
        shown = list(dict.fromkeys(owner[f] for f in shown))[:3]
    if shown:
        return ", ".join(f"[`{f}`](python.md#{headings[owner.get(f, f)]})" for f in shown)
    if kind == "function":
        return f"`lib.{name}`"
    if kind == "enum":
        return "constants of `lib`"
    if kind == "callback":
        own = name[3:-3] in vars(sys.modules["polhode._callbacks"])["SIGNATURES"] and "signature" in headings
        return f"a Python function: [`signature`](python.md#{headings['signature']})" if own else f"`lib.py_{name}`"
    return f'`ffi.new("{name} *")`'


def names_page(headers: pathlib.Path) -> str:
    headings = {name: slug(heading(name, what)) for name, what in public().items()}
    by_text, by_code = said(), used()
    table, raw, total = [], 0, 0
    unknown = set(by_text)
    for header, found in declared(headers).items():
        table.append(f"\n## `{header}`\n\n| C | Python |\n|---|---|")
        for name, kind in found:
            python = python_of(name, headings, by_text, by_code, kind)
            unknown.discard(name)
            table.append(f"| `{name}` | {python} |")
            total += kind == "function"
            raw += kind == "function" and python.startswith("`lib.")
    lost = sorted(unknown - {"ph_error", "ph_status"})
    if lost:
        sys.exit(f"python-reference.py: docstrings name what no header has: {', '.join(lost)}")
    counts = f"The headers have {total} functions: the package uses {total - raw}, and {raw} are reached by `lib` alone."
    return "\n".join(["# Names of C in Python", NAMES_INTRODUCTION, counts, *table]) + "\n"


# ---- Into the documents --------------------------------------------------------------------------------------------------

INTRODUCTION = """
<!-- made by doc/python-reference.py from the package's docstrings: `make tables` -->
`import polhode as ph` gives what is below. `help(ph.System)` shows the same text in Python. Units are SI. Configurations `z` are arrays of `nz`
numbers, the factors of the space one after the other ([Names of C in Python](python-names.md) has the C interface in Python). Functions raise
`ph.Error`, whose message says what is wrong, where, and what would be right. The examples are run by the tests.
"""
NAMES_INTRODUCTION = """
<!-- made by doc/python-reference.py from the package: `make tables` -->
Each function and type of the [C interface](api.md), and what serves it in [the Python package](python.md). All of them, and all constants, are also
in `polhode.lib` and `polhode.ffi`, the module that [cffi](https://cffi.readthedocs.io) makes of the headers; what a function takes and returns is in the C
interface. A handle of the package is its attribute `_c`. For example, the number of methods, and the name of the first:

```pycon
>>> import polhode as ph
>>> ph.ffi.string(ph.lib.ph_method_at(0).name)
b'variational'
```
"""


def main() -> None:
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--check"]):
        sys.exit("usage: python-reference.py DOC HEADERS [--check]")
    folder, headers, check = pathlib.Path(sys.argv[1]) / "reference", pathlib.Path(sys.argv[2]), bool(sys.argv[3:])
    differ = []
    for name, text in (("python.md", reference()), ("python-names.md", names_page(headers))):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            differ.append(str(path))
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and differ:
        sys.exit(f"python-reference.py: {', '.join(differ)}: the package has other texts now; `make tables` writes them again")


main()
