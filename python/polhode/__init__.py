# SPDX-License-Identifier: BSD-3-Clause
"""Polhode: variational integrators on products of manifolds."""
# mypy: implicit-reexport
from __future__ import annotations

from . import _rotations as rotations
from ._analysis import Advice, Bench, advise, bench, problems
from ._bundle import Bundle, BundleMotion, BundleReport, sphere_step
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
from ._system import Articulation, Linkage, Mistake, Part, Place, Symmetry, System, inertia_matrix, moment, torque
from ._system import check_derivatives as check
from ._tables import Table

__version__: str = ffi.string(lib.ph_version()).decode()
