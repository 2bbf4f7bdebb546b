# SPDX-License-Identifier: BSD-3-Clause
"""Polhode: variational integrators on products of manifolds.

Mechanical systems on products of R^d, circles, spheres and rotations over very long times: energy errors stay bounded, momenta are kept
to rounding, configurations stay on their manifold. Above the C library of the same name; numbers come and go as NumPy arrays, in SI
units.

>>> import polhode as ph
>>> run = ph.run(model="double-spherical-pendulum", method="variational", order=8, step=0.01, duration=1)
>>> run.t.shape, run.q.shape, bool(abs(run.energy_error).max() < 1e-9)
((101,), (101, 2, 3), True)

Models and methods
    models, model, methods, method: the catalogues, as tables; keys: what a scenario may have.
Runs
    run: a model, a scenario (file, text, dict), or a system of your own, into an archive; open: an archive. Run: columns as arrays,
    events, errors, figures, a page in motion, resuming with the same bits.
    sweep: all members of an ensemble of scenarios, on all processors; Sweep: its archive, as arrays (members, rows); merge: its shards.
Systems of your own
    System: by a Lagrangian, or by inertia, potential, forces, velocity constraints; Space, R, S1, S2, SO3, Embedded: where it moves;
    check: are the derivatives right? Linkage, LinkageBody, Articulation, Spins, Mass, gravitation: systems of known kinds.
Solving
    solve: as scipy.integrate.solve_ivp; Integrator, State, Ensemble, Dense: step by step, in place; Field: the equations of motion for
    integrators of others.
Analysis
    advise: which method and step for an accuracy; bench: methods compared; equilibria, steady_motion: motions as if rigid, and their
    stability; Reduction, routh: reduction by symmetries.
C
    lib, ffi: every function and constant of the C library, by cffi.

Every failure is an Error, whose message says what is wrong, where, and what would be right. help(polhode.run) has the parameters of
run; the manual has all of it: "The Python package".
"""
# mypy: implicit-reexport
from __future__ import annotations

from . import _rotations as rotations
from ._analysis import Advice, Bench, advise, bench, problems
from ._callbacks import signature
from ._catalogue import Catalogue, Method, Model, Option, Parameter, Preset, Support, method, methods, model, models
from ._core import CostWarning, Error, statuses
from ._diagnostics import Columns, Diagnostics, Measures, Monitor, Motion, Seen
from ._events import Event, Events, Occurrence
from ._equations import Field, forms
from ._equilibria import Equilibrium, Family, SteadyMotion, SteadyPart, equilibria, steady_motion
from ._gravity import Attraction, Central, Convergence, Elements, Forces, Given, Gravitation, Polyhedron, Tide, attract
from ._gravity import gravitation, orbit_angles, orbit_elements, orbit_frame, orbit_state, true_anomaly
from ._integrator import Dense, Ensemble, Integrator, State
from ._mass import Mass, Mesh, read_shape
from ._polhode import ffi, lib
from ._record import Run
from ._record import open_run as open
from ._run import run
from ._session import RunWarning
from ._solve import DenseSolution, Solution, solve
from ._reduction import ReducedSystem, Reduction, routh
from ._scenario import keys
from ._space import S1, S2, SO3, Embedded, Factor, R, Space, Spin
from ._spins import Anisotropy, Bonds, SpinEnergy, Spins
from ._sweep import Block, MemberEvents, Sweep, merge, sweep
from ._system import Articulation, Linkage, LinkageBody, Mistake, Part, Place, Symmetry, System, inertia_matrix, moment, torque
from ._system import check_derivatives as check
from ._tables import Table

__version__: str = ffi.string(lib.ph_version()).decode()
