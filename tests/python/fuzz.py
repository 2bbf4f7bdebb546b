#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random calls of everything public in polhode, with random arguments of all kinds: no call may crash the interpreter.

    python3 fuzz.py [SECONDS] [SEED]

Calls are made in child processes of some seconds each. One that dies of a signal or of a sanitizer, or that does not return although it
was interrupted, is a failure: its seed and its last calls are printed (``fuzz.py --child SEED SECONDS FILE`` repeats it). An exception
is an answer; those that are neither polhode.Error nor TypeError are counted by kind, as a sentence would be better. What writes files
does so in a temporary directory. (Attributes that begin with an underscore, ffi and lib are not public.)
"""
from __future__ import annotations

import ast
import collections
import faulthandler
import gc
import inspect
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from typing import Any, Callable, Counter, Dict, List, Optional, Tuple

CHUNK = 8.0  # seconds of a child
LONG = 1.5  # seconds after which a call is interrupted
# after which it is said to hang: one step of dla for hundreds of coordinates takes minutes with sanitizers on a busy machine
HANG = 600.0 if os.environ.get("ASAN_OPTIONS") else 120.0


class Late(BaseException):
    """A call that takes long is interrupted by this, as by Ctrl-C."""


class Fuzz:
    """Calls by one seed."""

    def __init__(self, seed: int, log: Optional[int]) -> None:
        import numpy as np

        import polhode as ph

        self.np, self.ph, self.log = np, ph, log
        self.random = random.Random(seed)
        self.pool: List[Any] = []
        self.calls = 0
        self.untidy: Counter[str] = collections.Counter()
        self.worked: Counter[str] = collections.Counter()  # by function; 0: called, and never returned
        self.depth = 0
        # bench, advise, problems run the program: seconds each; so do pages and pictures
        skip = {"ffi", "lib", "annotations", "bench", "advise", "problems", "Advice", "Bench"}
        targets = [getattr(ph, name) for name in sorted(dir(ph)) if name[0] != "_" and name not in skip
                        and callable(getattr(ph, name))]
        self.targets = [one for one in targets for _ in range(1 if inspect.isclass(one) and issubclass(one, (tuple, BaseException)) else 5)]
        self.targets += [getattr(ph.rotations, name) for name in ph.rotations.__all__]
        self.targets += [getattr(ph.Mass, name) for name in ("sphere", "ellipsoid", "from_moments", "from_harmonics", "polyhedron")] * 2
        self.models = [model.name for model in ph.models]
        self.methods = [method.name for method in ph.methods]
        self.types = tuple(t for t in self.targets if inspect.isclass(t) and not issubclass(t, BaseException))

    # ---- Arguments
    def pick(self, kind: Any) -> Any:
        """An object of the pool of this kind, or None."""
        found = [one for one in self.pool if isinstance(one, kind)]
        return self.random.choice(found) if found else None

    def whole(self) -> int:
        return self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 16, -1, -3, 100, 2**31, 2**32 + 1, 2**63 - 1, 2**63, 2**64, -2**63,
                                   10**30, -10**400])

    def number(self) -> float:
        return self.random.choice([0.0, 1.0, 1.0, 2.0, 0.5, 0.1, 0.01, 0.01, -1.0, 3.7, 1e-9, 1e9, float("nan"), float("inf"), -float("inf"), 1e308,
                                   5e-324, -0.0, 1e-300])

    def array(self, shape: Tuple[int, ...]) -> Any:
        """Of one of many kinds, most of them good."""
        np, r = self.np, self.random
        a = np.array([r.gauss(0, 1) for _ in range(int(np.prod(shape)))]).reshape(shape)
        way = r.randrange(24)
        if way == 0:
            a[...] = self.number()
        elif way == 1 and a.size:
            a.flat[r.randrange(a.size)] = self.number()
        elif way == 2:
            a = np.asfortranarray(a)
        elif way == 3:
            a = np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a
        elif way == 4:
            a.flags.writeable = False
        elif way == 5:
            a = a.astype(r.choice([np.float32, np.complex128, object, ">f8", np.int8, bool, np.float16, "U8", "S3", np.uint64]))
        elif way == 6:
            a = a.reshape(-1)[::-1]
        elif way == 7:
            return a.tolist()
        elif way == 8:
            a = np.broadcast_to(a, (2, *a.shape))
        elif way == 9:
            a = a[..., :-1] if a.ndim else a
        elif way == 10:
            a = np.zeros(shape)
        elif way == 11:
            a = np.ma.masked_array(a) if r.random() < 0.5 else np.matrix(a) if a.ndim == 2 else memoryview(a)
        return a

    def configuration(self, space: Any, velocity: bool = False) -> Any:
        if space is None:
            return self.array((self.random.choice([1, 2, 3, 6, 9, 12]),))
        n = space.ambient
        if n > 20000:
            return self.np.zeros(3)
        try:
            z = space.project(self.np.array([self.random.gauss(0, 1) for _ in range(n)]))
            self.last = z
            if velocity:
                z = space.project_tangent(z, self.np.array([self.random.gauss(0, 1) for _ in range(n)]))
        except Exception:
            return self.array((n,))
        way = self.random.randrange(12)
        return self.array((n,)) if way == 0 else space.split(z) if way == 1 else z.tolist() if way == 2 else z * 1e-3 if way == 3 else z

    def junk(self) -> Any:
        np, r = self.np, self.random
        way = r.randrange(26)
        if way < 3:
            return None
        if way < 6:
            return self.whole()
        if way < 9:
            return self.number()
        if way < 11:
            return self.array(tuple(r.choice([0, 1, 2, 3, 3, 6, 9]) for _ in range(r.randrange(4))))
        if way < 13:
            return r.choice(["", "z", "a\0b", "\udc80", "energy", "order=2", "heavy-top", "variational", "-1", "nan", "{}", "[1, 2]", "é" * 300,
                             "../x", "/", "SO3", "%s%n", "J"])
        if way < 15:
            return self.function()
        if way < 20 and self.pool:
            return r.choice(self.pool)
        return r.choice([True, 1j, b"abc", bytearray(16), [], (), {}, [[1], [2, 3]], {"a": 1}, object(), int, range(3), ..., NotImplemented,
                         np.float32(1), np.array(3.0), np.array(None), {1, 2}, [None] * 3, self.ph.ffi.NULL, self.ph.ffi.new("double[3]"),
                         np.datetime64("2020-01-01"), slice(1), iter([1.0, 2.0, 3.0]), lambda: 1])

    def function(self) -> Callable[..., Any]:
        """A callback: good, or bad in one of many ways, sometimes only at a later call."""
        r, np = self.random, self.np
        way, after, value, kept = r.randrange(22), r.choice([0, 0, 1, 5, 40]), self.junk_value(), []
        state = [0]

        def call(*arguments: Any, **more: Any) -> Any:
            state[0] += 1
            arrays = [a for a in arguments if isinstance(a, np.ndarray)]
            z = arrays[-1] if arrays else np.zeros(3)
            if state[0] > after:
                if way == 0:
                    raise ValueError("of a callback")
                if way == 1:
                    raise r.choice([KeyboardInterrupt, SystemExit, RecursionError, MemoryError, StopIteration, GeneratorExit])("of a callback")
                if way == 2:
                    return value
                if way == 3:
                    kept.append(z[1:])
                if way == 4 and z.flags.writeable:
                    z[...] = np.nan
                if way == 5 and self.depth < 3:  # whatever is public, in the middle of a step
                    self.act()
                if way == 6 and self.pool and self.depth < 3:
                    del self.pool[r.randrange(len(self.pool))]
                    gc.collect(0)
                if way == 7:
                    return call()
                if way == 8:
                    return float("nan")
                if way == 9:
                    return z
                if way == 10:
                    thread = threading.Thread(target=lambda: [self.junk_value() for _ in range(3)])
                    thread.start()
                    thread.join()
            if way == 11:
                return np.outer(z, z)
            if way == 12:
                return np.eye(max(1, len(z)))
            if way == 13:
                return tuple(np.zeros_like(a) for a in arrays) or 0.0
            return (z @ z) / 2 if way % 2 else 0 * z

        return call

    def junk_value(self) -> Any:
        return self.random.choice([None, "text", 1j, [1, 2], {}, self.np.zeros(2), self.np.zeros((3, 3)), 10**400, object(), [None], b"1", self.np.array(["a"]),
                                   self.np.zeros(3, complex), (1, 2, 3, 4), []])

    def argument(self, name: str, this: Any, annotation: str) -> Any:
        """For a parameter of this name of a function of `this`, mostly of the right kind."""
        r, ph, np = self.random, self.ph, self.np
        if r.random() < 0.12:
            return self.junk()
        space = this if isinstance(this, ph.Space) else getattr(this, "space", None) or getattr(getattr(this, "system", None), "space", None)
        space = space if isinstance(space, ph.Space) else None
        if isinstance(this, ph.Gravitation) and name in ("z", "v", "p") and this.bodies < 20:
            return self.array((3 * this.places + 9 * this.attitudes,) if name != "p" else (3 * (this.places + this.attitudes),))
        if isinstance(this, ph.SpinEnergy) and name == "z":
            return self.array((this.n, 3)) if r.random() < 0.3 else np.tile([0.6, 0.0, 0.8], this.n)
        if name in ("mu", "other") and "float" in annotation:
            return self.number()
        if name == "moments":
            return self.array((r.choice([1, 3, 3, 5, 9, 10]),) * 3)
        if name == "q" or (name == "A" and "float" not in annotation and r.random() < 0.5):
            return self.array((4,) if name == "q" and r.random() < 0.6 else (1, 3))
        if name in ("z", "z0", "z1"):
            return self.configuration(space)
        if name in ("v", "v0", "dv", "mu", "other"):
            return self.configuration(space, True)
        if name in ("p", "p0"):
            return self.array((space.momenta if space is not None and space.momenta < 20000 else r.choice([1, 3, 6]),))
        if name == "w":
            return self.array((space.algebra if space is not None and space.algebra < 20000 else 3,))
        if name == "system":
            return self.pick(ph.System)
        if name == "space":
            return r.choice([self.pick(ph.Space), self.factors()])
        if name in ("integrator", "of"):
            return self.pick(ph.Integrator)
        if name == "state":
            return self.pick(ph.State)
        if name in ("factors",):
            return self.factors()
        if name == "method":
            return r.choice(self.methods + ["variational"] * 10 + ["rk4"] * 5 + ["spherical-midpoint"] * 5)
        if name in ("name", "model", "kind", "form", "symmetry"):
            return r.choice([*self.models, *self.methods, "ball", "exchange", "vortices", "function", "twist", "force", "numba", "c", 0, 1, "J", "SO3"])
        if name in ("n", "k", "steps", "i", "starts", "members", "max_steps", "count", "n_points", "constraints", "order", "group", "colours"):
            return r.choice([0, 1, 1, 2, 3, 3, 4, 8, 50, self.whole()])
        if name in ("step", "t", "t0", "h", "mass", "radius", "density", "tolerance", "accuracy", "x", "constant", "duration", "until"):
            return r.choice([0.01, 0.1, 1.0, 2.0, 1e-3, self.number()]) if name != "x" or "float" in annotation else self.array((3,))
        if name == "t_span":
            return r.choice([(0, 0.5), [0, 1], (0.0, self.number())])
        if name in ("inertia", "masses"):
            n = len(space.factors) if space is not None else r.choice([1, 2])
            masses = [one for one in self.pool if isinstance(one, ph.Mass)]
            if name == "masses" and masses:
                return [r.choice(masses) for _ in range(r.choice([1, 2, 2, 3]))]
            return r.choice([1.0, [1.0] * n, [(3.0, 2.0, 2.0)] * n, self.array((n, n)), self.np.eye(3), self.function()])
        if name in ("potential", "gradient", "lagrangian", "force", "constraint", "points", "generator", "control", "function", "jacobian",
                    "projection", "observe") or "Callable" in annotation:
            return r.choice([None, self.function(), self.function()])
        if name in ("spins",):
            return self.pick(ph.Spins)
        if name in ("bonds", "anisotropies", "given", "tides", "shapes", "parts", "symmetries", "events"):
            found = [one for one in self.pool if isinstance(one, (ph.Bonds, ph.Anisotropy, ph.Given, ph.Tide, ph.Mesh, ph.Part, ph.Symmetry, ph.Event))]
            return [r.choice(found) for _ in range(r.randrange(3))] if found else []
        if name in ("surface", "shape", "mesh"):
            return self.pick(ph.Mesh)
        if name in ("first", "second"):
            return self.np.array([r.randrange(4) for _ in range(r.choice([1, 1, 2, 5]))])
        if name in ("vertices",):
            return self.array((4, 3))
        if name in ("faces",):
            return r.choice([[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], self.np.array([[0, 1, 2]]), self.array((4, 3))])
        if name in ("a", "b", "body", "mass") and self.pick(ph.Mass) is not None and r.random() < 0.7:
            return self.pick(ph.Mass)
        if name in ("R", "C", "Q", "A", "attitude"):
            return r.choice([self.np.eye(3), self.array((3, 3))])
        if name in ("path", "output", "source"):
            return r.choice(["a.polhode", "b.polhode", "out", "none/x", *self.models[:4], {"model": {"name": r.choice(self.models)},
                                                                                           "integrator": {"step": 0.01}, "duration": 0.05}])
        if name == "packed":
            return r.choice([b"", bytes(100), self.array((3,)), next((bytes(one) for one in self.pool if isinstance(one, ph.State)), b"1")])
        if "bool" in annotation:
            return r.random() < 0.5
        if "float" in annotation:
            return self.number()
        if "int" in annotation:
            return self.whole()
        if "ArrayLike" in annotation:
            return self.array((r.choice([3, 3, 3, 1, 2, 6, 9]),))
        return self.junk()

    def factors(self) -> Any:
        r, ph = self.random, self.ph
        if r.random() < 0.15:
            return [ph.Spin] * r.choice([1, 2, 5])
        some = [ph.R(1), ph.R(2), ph.R(3), ph.S1, ph.S2, ph.SO3]
        embedded = self.pick(ph.Embedded)
        if embedded is not None:
            some.append(embedded)
        return [r.choice(some) for _ in range(r.choice([1, 1, 1, 2, 3]))]

    # ---- Calls
    def arguments(self, function: Any, this: Any) -> Tuple[List[Any], Dict[str, Any]]:
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return [self.junk() for _ in range(self.random.randrange(3))], {}
        positional, named = [], {}
        if self.random.random() < 0.03:
            return [self.junk() for _ in range(self.random.randrange(5))], {}
        for one in parameters:
            if one.kind is one.VAR_POSITIONAL or one.name == "self":
                continue
            if one.kind is one.VAR_KEYWORD:
                if self.random.random() < 0.1:
                    named[self.random.choice(["order", "form", "step", "duration", "model", "gravity", "x"])] = self.junk()
                continue
            if one.default is not one.empty and self.random.random() < 0.7:
                continue
            value = self.argument(one.name, this, str(one.annotation))
            if one.kind is one.KEYWORD_ONLY or one.default is not one.empty:
                named[one.name] = value
            else:
                positional.append(value)
        return positional, named

    def say(self, what: str) -> None:
        if self.log is not None:
            os.write(self.log, (what[:600] + "\n").encode("utf-8", "backslashreplace"))

    @staticmethod
    def shown(value: Any) -> str:
        try:
            return repr(value).replace("\n", " ")[:80]
        except BaseException as error:
            return f"<{type(value).__name__}: repr raised {type(error).__name__}>"

    def guarded(self, what: str, call: Callable[[], Any], name: str = "") -> None:
        """Make the call; an exception is an answer."""
        self.calls += 1
        if name:
            self.worked[name] += 0
        self.say(what)
        self.depth += 1
        try:
            value = call()
            if name:
                self.worked[name] += 1
            if value is not None and not isinstance(value, (bool, int, float, str)):
                if len(self.pool) > 60:
                    self.pool[self.random.randrange(len(self.pool))] = value
                else:
                    self.pool.append(value)
        except (self.ph.Error, TypeError):
            pass
        except BaseException as error:
            if isinstance(error, SystemError):
                self.say(f"  SystemError: {error}")
                os.abort()
            if "of a callback" not in str(error) and " of " not in what[:9] and "truth value" not in str(error) and not isinstance(error, (Late, RecursionError, MemoryError)):
                self.untidy[f"{type(error).__name__} of {what.split('(')[0][:60]}: {str(error)[:80]}"] += 1
        finally:
            self.depth -= 1

    def act(self) -> None:
        """One random thing."""
        r, ph = self.random, self.ph
        way = r.randrange(100)
        if way < 8:
            self.good()
        elif way < 38 or not self.pool:
            target = r.choice(self.targets)
            a, k = self.arguments(target, None)
            self.guarded(f"{getattr(target, '__qualname__', target)}({', '.join(map(self.shown, a))}, **{self.shown(k)})", lambda: target(*a, **k),
                         str(getattr(target, "__qualname__", target)))
        elif way < 82:
            ours = [one for one in self.pool if type(one).__module__.startswith("polhode")]
            this = r.choice([one for one in ours if not isinstance(one, tuple)] or ours or self.pool) if r.random() < 0.9 else r.choice(self.pool)
            names = [name for name in dir(type(this)) if name[0] != "_" and name not in ("plot", "view", "to_pandas", "to_xarray", "export", "count", "index", "with_traceback", "add_note")]
            if isinstance(this, (list, tuple, dict, str, self.np.ndarray)) and not type(this).__module__.startswith("polhode") or not names:
                return
            name = r.choice(names)
            if isinstance(getattr(type(this), name, None), property) and r.random() < 0.8:
                self.guarded(f"{self.shown(this)}.{name}", lambda: getattr(this, name), f"{type(this).__name__}.{name}")
                return
            try:
                function = getattr(this, name)
            except Exception:
                return
            if not callable(function):
                return
            a, k = self.arguments(function, this)
            self.guarded(f"{self.shown(this)}.{name}({', '.join(map(self.shown, a))}, **{self.shown(k)})", lambda: function(*a, **k),
                         f"{type(this).__name__}.{name}")
        elif way < 90:
            this, other = r.choice(self.pool), r.choice([*self.pool, 3, None])
            what, call = r.choice([
                ("repr", lambda: repr(this)), ("bytes", lambda: bytes(this)), ("len", lambda: len(this)), ("hash", lambda: hash(this)),
                ("iter", lambda: [one for one, _ in zip(iter(this), range(50))]), ("+", lambda: this + other), ("==", lambda: this == other),
                ("[]", lambda: this[self.junk()]), ("call", lambda: this(self.number())), ("copy", lambda: __import__("copy").copy(this)),
                ("pickle", lambda: __import__("pickle").loads(__import__("pickle").dumps(this))), ("vars", lambda: [getattr(this, n) for n in vars(this)]),
                ("html", lambda: this._repr_html_()), ("**", lambda: this ** r.choice([1, 2, 0, -1, 2.5])),
                ("set", lambda: setattr(this, r.choice([n for n in dir(this) if n[0] != "_"]), self.junk())),
                ("init", lambda: this.__init__(*self.arguments(type(this), None)[0]))])
            if what in ("repr", "iter", "==") or type(this).__module__.startswith("polhode"):
                self.guarded(f"{what} of {self.shown(this)}, {self.shown(other)}", call)
        elif way < 94:
            for _ in range(r.choice([1, 1, 5, 30])):
                if self.pool:
                    del self.pool[r.randrange(len(self.pool))]
            if r.random() < 0.3:
                gc.collect()
        elif way < 97 and self.depth == 0:
            threads = [threading.Thread(target=self.quietly) for _ in range(r.choice([2, 4]))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        elif way < 98 and self.depth == 0:
            child = os.fork()
            if child == 0:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(20)
                for _ in range(5):
                    self.quietly(1)
                os._exit(0)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status not in (0, -signal.SIGALRM):
                self.say(f"  the child of a fork ended with {status}")
                os.abort()

    def quietly(self, n: int = 10) -> None:
        for _ in range(n):
            try:
                self.depth += 1
                try:
                    self.act()
                finally:
                    self.depth -= 1
            except BaseException:
                pass

    def good(self) -> None:
        """Something that works, so that there are objects to call."""
        r, ph, np = self.random, self.ph, self.np
        way = r.randrange(11)
        system = self.pick(ph.System)
        integrator, state = self.pick(ph.Integrator), self.pick(ph.State)
        if way == 0 or system is None:
            name = r.choice(self.models)
            self.guarded(f"model({name}).system()", lambda: ph.model(name).system())
        elif way == 1:
            f = self.function()
            self.guarded("System(potential=f)", lambda: ph.System(self.factors(), inertia=1.0, potential=f, gradient=self.function(), force=r.choice([None, f])))
        elif way == 2:
            self.guarded("System(gradient)", lambda: ph.System(ph.S2, inertia=1.0, potential=lambda q: q[2], gradient=self.function()))
        elif way == 3 or integrator is None:
            method = r.choice(["variational"] * 3 + self.methods)
            self.guarded(f"Integrator({self.shown(system)}, {method})", lambda: ph.Integrator(system, method, step=0.01))
        elif way == 4 or state is None:
            z = self.configuration(integrator.system.space)
            v = integrator.system.space.project_tangent(self.last, self.array((integrator.system.space.ambient,))) if integrator.system.space.momenta else None
            self.guarded(f"{self.shown(integrator)}.state({self.shown(z)})", lambda: integrator.state(z, v, project=True))
        elif way == 5:
            n = r.choice([1, 2, 10, 1000])
            owner = state.integrator if r.random() < 0.8 else integrator
            self.guarded(f"{self.shown(owner)}.step({self.shown(state)}, {n})", lambda: owner.step(state, n))
        elif way == 6:
            body = ph.Mass.ellipsoid(1e9, [3.0, 2.0, 1.0])
            more: Any = r.choice([lambda g: g, lambda g: g.system()])
            self.guarded("Gravitation", lambda: more(ph.Gravitation(
                [body, r.choice([body, ph.Mass.sphere(1.0)])], constant=1.0, order=r.choice([0, 2, 4, 8]), relative=r.random() < 0.5,
                given=r.choice([[], [ph.Given(1.0, 100.0)]]), tides=r.choice([None, [ph.Tide(0.1, 1.0, 0.1, 1.0), None]]))))
        elif way == 7:
            spins = ph.Spins(4, bonds=[ph.Bonds("exchange", [0, 1], [1, 2]), ph.Bonds("function", [2], [3], function=self.function())],
                             control=r.choice([None, self.function()]), field=[0, 0, 1])
            self.guarded("System(spins)", lambda: ph.System(spins=spins))
        elif way == 8:
            made = r.choice([ph.Diagnostics, ph.Monitor, ph.Motion, ph.Reduction, ph.Columns, ph.BundleSystem if hasattr(ph, "BundleSystem") else ph.Motion,
                             lambda s: s.space, lambda s: s.spins, ph.gravitation, ph.routh, lambda s: ph.Events(integrator, self.function())])
            self.guarded(f"{made}({self.shown(system)})", lambda: made(system))
        elif way == 9:
            n = r.choice([1, 2, 5])
            made = r.choice([lambda: ph.Dense(integrator), lambda: ph.Ensemble(integrator, np.stack([state.z] * n), p=np.stack([state.p] * n)),
                             lambda: ph.solve(state.system, (0, 0.1), state.z, p0=state.p if len(state.p) else None, step=0.01, dense_output=r.random() < 0.5,
                                              events=r.choice([None, self.function()]))])
            self.guarded("Dense, Ensemble, solve", made)
        else:
            spec = {"model": {"name": r.choice(self.models)}, "integrator": {"method": "variational", "step": 0.01}, "duration": 0.05}
            self.guarded("run", lambda: ph.run(spec, output=r.choice([None, "a.polhode"]), force=True))


def child(seed: int, seconds: float, path: str) -> None:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    threading.excepthook = lambda _: None
    sys.unraisablehook = lambda _: None
    if not os.environ.get("ASAN_OPTIONS"):
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # so that memory is refused, not taken from others
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    fuzz = Fuzz(seed, log)
    end = time.monotonic() + seconds

    def late(*_: Any) -> None:
        raise Late("late")

    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    while time.monotonic() < end:
        try:
            signal.setitimer(signal.ITIMER_REAL, LONG, LONG)
            fuzz.act()
            signal.setitimer(signal.ITIMER_REAL, 0)
        except BaseException:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if os.lseek(log, 0, os.SEEK_CUR) > 4 << 20:
            os.ftruncate(log, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    fuzz.say("end")
    print(fuzz.calls)
    print(repr(dict(fuzz.worked)))
    for what, times in fuzz.untidy.most_common(40):
        print(f"{times} {what}".replace("\n", " "))


def main(seconds: float, seed: int) -> int:
    end, calls, children, failed, cpu = time.monotonic() + seconds, 0, 0, 0, time.process_time()
    untidy: Counter[str] = collections.Counter()
    worked: Counter[str] = collections.Counter()
    paths = [os.path.abspath(one) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    while time.monotonic() < end:
        chunk = min(CHUNK, max(1.0, end - time.monotonic()))
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "calls")
            process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--child", str(seed), str(chunk), log], cwd=folder, env=environment,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            hung = False
            try:
                out, err = process.communicate(timeout=chunk + HANG)
            except subprocess.TimeoutExpired:
                hung = True
                process.send_signal(signal.SIGABRT)  # faulthandler says where
                out, err = process.communicate()
            children += 1
            lines = out.decode("utf-8", "replace").splitlines()
            if process.returncode != 0 or hung:
                failed += 1
                print(f"seed {seed}: {'hangs' if hung else f'ended with {process.returncode}'}; the last calls:")
                with open(log, encoding="utf-8", errors="replace") as file:
                    print("    " + "    ".join(file.readlines()[-12:]))
                print("    " + err.decode("utf-8", "replace")[-6000:].replace("\n", "\n    "), flush=True)
            elif lines:
                calls += int(lines[0])
                for name, times in ast.literal_eval(lines[1]).items():
                    worked[name] += times
                for line in lines[2:]:
                    many, _, what = line.partition(" ")
                    untidy[what] += int(many)
        seed += 1
    own = os.times()
    print(f"{children} processes, {calls} calls, {own.children_user + own.children_system:.0f} s of CPU, {failed} failed; the next seed is {seed}")
    never = sorted(name for name, times in worked.items() if not times)
    print(f"{len(worked)} functions, methods and properties; {len(never)} of them returned no value in any call: {', '.join(never)}")
    for what, times in untidy.most_common(40):
        print(f"  {times} x {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
    else:
        sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
