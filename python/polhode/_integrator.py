# SPDX-License-Identifier: BSD-3-Clause
"""Integrators, states, ensembles and dense output (``ph_integrator``, ``ph_state``, ``ph_ensemble``, ``ph_dense``)."""
from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy as np

from ._core import _pending as pending
from ._core import (Array, ArrayLike, Error, Guard, Handle, Named, Stretches, check, copied, count, create, doubles, fail,
                   instance, interrupted, new_error, number, own, pointer, room, text, word)
from ._polhode import ffi, lib
from ._system import System

if TYPE_CHECKING:
    from ._diagnostics import Diagnostics, Measures


def settings(options: Dict[str, Any]) -> Tuple[Any, int, List[Any]]:
    """Options of a method as C takes them; an underscore in a name stands for a hyphen where the method has one."""
    kept: List[Any] = []
    array = ffi.new("ph_setting[]", max(len(options), 1))
    for c, (name, value) in zip(array, options.items()):
        if isinstance(value, (bool, np.bool_)):
            raise Error(f"option {name} is {value}; it must be a number or a word")
        shown = value if isinstance(value, str) else repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)
        kept += [ffi.new("char[]", word("the name of an option", name)), ffi.new("char[]", word(f"option {name}", shown))]
        c.name, c.value = kept[-2], kept[-1]
    return array, len(options), kept


class State(Handle):
    """The state of a trajectory (``ph_state``): time t [s], steps k, configuration z (nz,) and momentum p (np,).

    z and p are read-only views that change as the state is stepped; ``set`` writes them.
    """

    def __init__(self, integrator: "Integrator") -> None:
        instance("integrator", integrator, Integrator)
        self._integrator = integrator  # its kind, and the system for velocities
        self.system = integrator.system
        self._memory = np.zeros((int(lib.ph_state_size(integrator._c)) + 7) // 8)
        self._c = lib.ph_state_place(integrator._c, room(self._memory))
        self._one = Guard("state")
        base = int(ffi.cast("intptr_t", room(self._memory)))

        def view(numbers: Any, n: int) -> Array:
            at = (int(ffi.cast("intptr_t", numbers)) - base) // 8
            return np.asarray(self._memory[at:at + n].data.toreadonly())  # it cannot be made writable

        self.z: Array = view(self._c.z, self._c.nz)
        self.p: Array = view(self._c.p, self._c.np)

    @property
    def integrator(self) -> "Integrator":
        """The one that made it."""
        return self._integrator

    @property
    def t(self) -> float:
        """Time [s]."""
        return float(self._c.t)

    @property
    def k(self) -> int:
        """Steps taken since it was set."""
        return int(self._c.k)

    @property
    def v(self) -> Array:
        """Velocity (nz,)."""
        out = np.empty(self.system.space.ambient)
        work = np.empty(self.system._work)
        check(lib.ph_system_velocity_at(self.system._c, self._c.t, self._c.z, self._c.p, room(out), room(work)))
        return out

    def set(self, z: Optional[ArrayLike] = None, v: Optional[ArrayLike] = None, *, p: Optional[ArrayLike] = None, t: float = 0.0,
            project: bool = False) -> "State":
        """Set configuration and velocity v or momentum p (``ph_state_set``, ``ph_state_set_velocity``).

        Parameters
        ----------
        z : (nz,); v : (nz,) or p : (np,)
            None together: the present ones stay. A v of spins is None.
        t : float
            Time [s].
        project : bool
            Bring z and v to the manifold; by default more than 1e-12 off it is an error.
        """
        space, error = self.system.space, new_error()
        z0 = None if z is None else space.configuration(z)
        admission = lib.PH_PROJECT if project else lib.PH_STRICT
        t = number("t", t)
        if v is not None and p is not None:
            raise Error("a state is set by a velocity v or by a momentum p, not by both")
        if z0 is None and (v is not None or p is not None):
            raise Error("z is missing: a velocity or momentum belongs to a configuration")
        with self._integrator._one(), self._one():
            c, i = self._c, self._integrator._c
            if v is not None or (p is None and z0 is not None and space.momenta == 0):
                v0 = None if v is None else space.configuration(v, "v")
                check(lib.ph_state_set_velocity(i, c, t, pointer(z0), pointer(v0), admission, error), error)
            else:
                if z0 is not None and p is None:
                    raise Error("a velocity v or a momentum p is missing")
                p0 = None if p is None else doubles("p", p, space.momenta)
                check(lib.ph_state_set(i, c, t, pointer(z0), pointer(p0), admission, error), error)
        return self

    def copy(self) -> "State":
        """Another state with the same bits (``ph_state_copy``)."""
        other = State(self._integrator)
        with self._one():
            check(lib.ph_state_copy(other._c, self._c))
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "State":
        return self.copy()

    def _stamp(self, packed: Any) -> bytes:
        """Eight bytes that say what the packed state is of, and that it is whole."""
        it = self._integrator
        of = f"{it.method} {it.options} {self.system.space!r} {self.system.kind}".encode()
        return zlib.crc32(packed, zlib.crc32(of)).to_bytes(8, "little")

    def __bytes__(self) -> bytes:
        """All of it, with what the method carries, for ``unpack``: the bytes of ``ph_state_pack``, and a checksum of eight bytes."""
        packed = ffi.new("char[]", int(lib.ph_state_packed_size(self._c)))
        with self._one():
            lib.ph_state_pack(self._c, packed)
        return bytes(ffi.buffer(packed)) + self._stamp(ffi.buffer(packed))

    def unpack(self, packed: bytes) -> "State":
        """Take over a packed state of the same system, method, options and step (``ph_state_unpack``).

        Examples
        --------
        >>> import polhode as ph
        >>> model = ph.model("heavy-top")
        >>> it = ph.Integrator(model.system(), step=0.01)
        >>> state = it.state(*model.initial())
        >>> ph.State(it).unpack(bytes(state)).v.tolist() == state.v.tolist()
        True
        """
        if not isinstance(packed, (bytes, bytearray)):
            raise Error(f"packed is {packed!r}; it must be the bytes of a state")
        # what a method carries is not looked through: it must be what that method wrote
        if len(packed) != int(lib.ph_state_packed_size(self._c)) + 8 or self._stamp(packed[:-8]) != packed[-8:]:
            raise Error("these are not the bytes of a state of this space, method and options, or they are damaged", "PH_E_PARSE")
        error = new_error()
        with self._one():
            check(lib.ph_state_unpack(self._c, ffi.from_buffer(packed), len(packed) - 8, error), error)
        return self

    def __repr__(self) -> str:
        return f"<polhode.State t={self.t:g} k={self.k} z={np.array2string(self.z, precision=6, threshold=9)}>"


class Integrator(Handle):
    """A method bound to a system, a step size and options (``ph_integrator``). One for each thread.

    Parameters
    ----------
    system : System
    method : str or Method
        By name, or one of ``polhode.methods``.
    step : float
        h [s]; negative runs backwards.
    options
        Those of the method: ``order=8``, ``form="q-omega"``.

    Examples
    --------
    >>> import polhode as ph
    >>> system = ph.System([ph.S2], inertia=[1.0], potential=lambda q: 9.81 * q[2], gradient=lambda q: [0, 0, 9.81])
    >>> it = ph.Integrator(system, "variational", step=0.01, order=4)
    >>> state = it.state([1, 0, 0], [0, 1, 0])
    >>> it.step(state, 100)
    >>> round(state.t, 12), state.k
    (1.0, 100)
    """

    def __init__(self, system: System, method: Union[str, Named] = "variational", *, step: float, **options: Any) -> None:
        instance("system", system, System)
        error = new_error()
        found = lib.ph_method_find(word("method", getattr(method, "name", method)), error)
        if found == ffi.NULL:
            fail(error.status, text(error.message))
        array, n, kept = settings(options)
        h = number("step", step)
        self._own(create("ph_integrator", lambda out, err: lib.ph_integrator_create(system._c, found, h, array, n, out, err),
                         lib.ph_integrator_free, system, kept), system)

    def _own(self, c: Any, system: System) -> None:
        self._c, self.system = c, system
        self._one = Guard("integrator")
        self._stretches = Stretches()
        self._diagnostics: Optional["Diagnostics"] = None

    def copy(self, step: Optional[float] = None) -> "Integrator":
        """Another one of the same system, method and options, for another thread or step (``ph_integrator_copy``)."""
        other = Integrator.__new__(Integrator)
        h = self.step_size if step is None else number("step", step)
        other._own(create("ph_integrator", lambda out, err: lib.ph_integrator_copy(self._c, h, out, err),
                          lib.ph_integrator_free, self.system), self.system)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Integrator":
        return self.copy()

    def state(self, z: ArrayLike, v: Optional[ArrayLike] = None, *, p: Optional[ArrayLike] = None, t: float = 0.0,
              project: bool = False) -> State:
        """A new state; see ``State.set``."""
        return State(self).set(z, v, p=p, t=t, project=project)

    def step(self, state: State, n: int = 1) -> None:
        """Advance the state by n steps, in place. n at once and n calls give the same bits (``ph_integrator_step``).

        If a step fails, the state is that after the step before it. Python's lock is free meanwhile.
        """
        if type(n) is not int or not 0 <= n < 2**62:
            n = count("n", n)
        if not isinstance(state, State):
            raise Error(f"state is {state!r}; it must be a polhode.State")
        c = state._c
        with self._one(), state._one():
            if n <= self._stretches.quick:
                status = lib.ph_integrator_step(self._c, c, n)
            else:
                status = self._stretches.run(n, lambda m: int(lib.ph_integrator_step(self._c, c, m)))
        if status:
            fail(status, text(lib.ph_integrator_message(self._c)))
        if pending:  # of a callback that failed, after which C found another way
            check(0)

    def measure(self, state: State) -> "Measures":
        """Energies, errors and momentum maps of a state; see ``Diagnostics``."""
        from ._diagnostics import Diagnostics

        if self._diagnostics is None:
            self._diagnostics = Diagnostics(self.system)
        return self._diagnostics.measure(state)

    @property
    def method(self) -> str:
        """The name of the method."""
        return text(lib.ph_integrator_method(self._c).name)

    @property
    def order(self) -> int:
        """The order of convergence on this system with these options (``ph_method_order``)."""
        c = self._c
        return int(lib.ph_method_order(lib.ph_integrator_method(c), self.system._c, lib.ph_integrator_options(c)))

    @property
    def options(self) -> Dict[str, Union[float, str]]:
        """Options of the method with their values."""
        method, values = lib.ph_integrator_method(self._c), lib.ph_integrator_options(self._c)
        result: Dict[str, Union[float, str]] = {}
        for i in range(method.n_options):
            option = method.options[i]
            choice = option.type == lib.PH_OPTION_CHOICE
            result[text(option.name)] = text(option.choices).split()[int(values[i])] if choice else values[i]
        return result

    @property
    def step_size(self) -> float:
        """h [s]; set it to change it."""
        return float(lib.ph_integrator_step_size(self._c))

    @step_size.setter
    def step_size(self, h: float) -> None:
        with self._one():
            status = lib.ph_integrator_set_step_size(self._c, number("step", h))
        if status:
            fail(status, text(lib.ph_integrator_message(self._c)))

    @property
    def statistics(self) -> Dict[str, int]:
        """What it has done: steps, newton_passes, branches, evaluations (``ph_statistics``)."""
        s = lib.ph_integrator_statistics(self._c)
        return {name: int(getattr(s, name)) for name in ("steps", "newton_passes", "branches", "evaluations")}

    def __repr__(self) -> str:
        return f"<polhode.Integrator {self.method} {self.options}, h = {self.step_size:g} s>"


class Dense(Handle):
    """The state at any time within a step, by Hermite interpolation (``ph_dense``).

    Examples
    --------
    >>> import polhode as ph
    >>> system = ph.System([ph.R(1)], inertia=[1.0], potential=lambda x: 0.5 * x[0]**2, gradient=lambda x: x)
    >>> it = ph.Integrator(system, step=0.1, order=8)
    >>> state, dense = it.state([1.0], [0.0]), ph.Dense(it)
    >>> dense.begin(state); it.step(state); dense.end(state)
    >>> z, p = dense.at(0.05)
    >>> bool(abs(z[0] - 0.998750260394966) < 1e-9)
    True
    """

    def __init__(self, integrator: Integrator) -> None:
        self.system = instance("integrator", integrator, Integrator).system
        self._one = Guard("dense output")
        self._c = create("ph_dense", lambda out, err: lib.ph_dense_create(integrator._c, out, err), lib.ph_dense_free, self.system)

    @property
    def order(self) -> int:
        """The order of the error of z; that of p is one less."""
        return int(lib.ph_dense_order(self._c))

    def _take(self, function: Any, state: State) -> None:
        error = new_error()
        instance("state", state, State)
        with self._one(), state._one():
            check(function(self._c, state._c, error), error)

    def begin(self, state: State) -> None:
        """The state at one end of a step, which is copied."""
        self._take(lib.ph_dense_begin, state)

    def end(self, state: State) -> None:
        """The state at the other end."""
        self._take(lib.ph_dense_end, state)

    def at(self, t: float) -> Tuple[Array, Array]:
        """z (nz,) and p (np,) at the time t [s] between both ends."""
        there, error = ffi.new("const ph_state **"), new_error()
        with self._one():
            check(lib.ph_dense_at(self._c, doubles("t", t, ()).item(), there, error), error)
            return copied(there[0].z, there[0].nz), copied(there[0].p, there[0].np)

    def error(self) -> float:
        """An estimate of the largest error of a coordinate of z inside the step; NaN without accelerations."""
        size, error = ffi.new("double *"), new_error()
        with self._one():
            check(lib.ph_dense_error(self._c, size, error), error)
        return float(size[0])


class Ensemble(Handle):
    """Many states of one integrator, stepped at once (``ph_ensemble``).

    Parameters
    ----------
    integrator : Integrator
        Its system, method, options and step are taken.
    z : (members, nz); v : (members, nz) or p : (members, np)
        Where they begin, at the time t [s].

    Examples
    --------
    >>> import numpy as np, polhode as ph
    >>> it = ph.Integrator(ph.model("planar-pendulum").system(), step=0.01)
    >>> a = np.linspace(0.1, 3, 20)
    >>> many = ph.Ensemble(it, np.stack([np.sin(a), -np.cos(a)], axis=1), p=np.zeros((20, 1)))
    >>> many.step(100)
    >>> many.z.shape
    (20, 2)
    """

    def __init__(self, integrator: Integrator, z: ArrayLike, v: Optional[ArrayLike] = None, *, p: Optional[ArrayLike] = None,
                 t: float = 0.0, project: bool = False) -> None:
        self.system = instance("integrator", integrator, Integrator).system
        space = self.system.space
        z0 = doubles("z", z, (-1, space.ambient)).copy()
        n = z0.shape[0]
        if p is None:
            v0 = None if v is None else doubles("v", v, (n, space.ambient))
            one = State(integrator)
            p0 = np.empty((n, space.momenta))
            for i in range(n):
                one.set(z0[i], None if v0 is None else v0[i], t=t, project=project)
                z0[i], p0[i] = one.z, one.p
        elif v is not None:
            raise Error("an ensemble is set by velocities v or by momenta p, not by both")
        else:
            p0 = doubles("p", p, (n, space.momenta))
        self._one = Guard("ensemble")
        self._stretches = Stretches()
        self._c = create("ph_ensemble", lambda out, err: lib.ph_ensemble_create(integrator._c, n, out, err), lib.ph_ensemble_free,
                         integrator.system, integrator)
        error = new_error()
        zt, pt = np.ascontiguousarray(z0.T), np.ascontiguousarray(p0.T)
        check(lib.ph_ensemble_set(self._c, number("t", t), pointer(zt), pointer(pt), lib.PH_PROJECT if project else lib.PH_STRICT,
                                  error), error)

    def step(self, n: int = 1) -> None:
        """n steps of each member that has not failed; raises what the first failure was, after all have made theirs."""
        n, status = count("n", n), 0

        def advance(m: int) -> int:
            nonlocal status
            status = int(lib.ph_ensemble_step(self._c, m))
            return status if interrupted() else 0  # the others are not stopped by one that has failed

        with self._one():
            self._stretches.run(n, advance)
        if status:
            fail(status, text(lib.ph_ensemble_message(self._c)))

    def _get(self) -> Tuple[Array, Array]:
        n = len(self)
        z, p = np.empty((self.system.space.ambient, n)), np.empty((self.system.space.momenta, n))
        with self._one():
            lib.ph_ensemble_get(self._c, room(z), room(p))
        return z.T, p.T

    def __len__(self) -> int:
        return int(lib.ph_ensemble_members(self._c))

    @property
    def z(self) -> Array:
        """(members, nz), a copy."""
        return self._get()[0]

    @property
    def p(self) -> Array:
        """(members, np), a copy."""
        return self._get()[1]

    @property
    def t(self) -> Array:
        """(members,) times [s]."""
        return np.array([lib.ph_ensemble_time(self._c, i) for i in range(len(self))])

    @property
    def lanes(self) -> int:
        """How many step at once: 1 or 8."""
        return int(lib.ph_ensemble_lanes(self._c))

    @property
    def status(self) -> List[str]:
        """(members,) PH_OK, or why a member steps no more."""
        return [text(lib.ph_status_name(lib.ph_ensemble_status(self._c, i))) for i in range(len(self))]
