/* SPDX-License-Identifier: BSD-3-Clause */
/* Polhode: variational integrators on products of manifolds. This header includes all the others, which are,
 * in the order in which one needs them:
 *
 * For all users (from scenario.h on they are part of libpolhode-io)
 *     status.h        how everything fails: a code, and a message of what is wrong
 *     space.h         configuration spaces
 *     definition.h    what a system is created from: its Lagrangian, forces, symmetries
 *     constraints.h   velocity constraints of a system
 *     derivatives.h   a check of the derivatives that a definition has
 *     system.h        systems
 *     models.h        the catalogue of ready systems
 *     plugin.h        a model of your own for the program
 *     method.h        the catalogue of methods, and what a method is
 *     integrator.h    a method bound to a system and a step size
 *     state.h         the state of a trajectory
 *     run.h           the loop over steps, and its observers
 *     events.h        where a function of the state changes its sign
 *     dense.h         states between both ends of a step
 *     columns.h       the numbers of a state, by name and with units
 *     diagnostics.h   what should be conserved, and by how much it is missed
 *     motion.h        a state in physical terms: velocities, attitudes, places
 *     ensemble.h      many states that step together
 *     version.h       the version; export.h: C linkage
 *     scenario.h      runs described in YAML
 *     members.h       ensembles: scenarios in which values vary
 *     session.h       a run with its archive, which can be resumed
 *     sweep.h         all members of an ensemble in one archive
 *     archive.h       archives, written
 *     record.h        archives, read
 *     rows.h          rows of an archive with any columns
 *     table.h         tables for other programs
 *     csv.h           trajectory.csv and events.csv
 *     summary.h       summary.json
 *
 * For one domain each, in polhode/domain/ (shape.h and import.h are part of libpolhode-io)
 *     mass.h          mass distributions; from files: shape.h
 *     gravity.h       mutual gravity of two bodies; how far its series holds: convergence.h
 *     gravitation.h   the system of several bodies; its orbits: elements.h; sizes to draw: extents.h
 *     import.h        scenarios of runs of GUBAS and GRIT
 *     formula.h       systems written as formulas
 *     spins.h         spheres as phase space: spins, vortices
 *     equilibria.h    relative equilibria
 *     steady.h        steady motions with velocity constraints
 *     reduction.h     reduction by a rotation: locked inertia, amended potential
 *     routh.h         a system seen from the frame that turns with it
 *     parts.h         what of a system is drawn; put together: scene.h
 *
 * For writers of methods and other tools, in polhode/kit/
 *     vector.h        vectors of 3 numbers and 3x3 matrices; with sphere.h and rotation.h: algebra.h
 *     elementary.h    sin, exp and the like, with the same bits everywhere
 *     memory.h        several arrays in one block
 *     solve.h         dense linear equations, Newton's iteration, a branch of solutions
 *     implicit.h      the equations of an implicit step, and which root is meant
 *     elimination.h   sparse linear equations
 *     equations.h     the continuous equations as vector fields
 *     tensions.h      systems with a sparse inverse inertia
 *     rolling.h       bodies that roll on a plane
 *     train.h         cars with trailers
 *     kernels.h       which kernels the processor runs
 *     lanes.h         callbacks of eight systems at once
 *     text.h          numbers and names, read strictly */
#ifndef POLHODE_POLHODE_H
#define POLHODE_POLHODE_H

#include <polhode/archive.h>
#include <polhode/columns.h>
#include <polhode/constraints.h>
#include <polhode/csv.h>
#include <polhode/definition.h>
#include <polhode/dense.h>
#include <polhode/derivatives.h>
#include <polhode/diagnostics.h>
#include <polhode/ensemble.h>
#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/members.h>
#include <polhode/method.h>
#include <polhode/models.h>
#include <polhode/motion.h>
#include <polhode/plugin.h>
#include <polhode/record.h>
#include <polhode/rows.h>
#include <polhode/run.h>
#include <polhode/scenario.h>
#include <polhode/session.h>
#include <polhode/space.h>
#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/summary.h>
#include <polhode/sweep.h>
#include <polhode/system.h>
#include <polhode/table.h>
#include <polhode/version.h>

#include <polhode/domain/convergence.h>
#include <polhode/domain/elements.h>
#include <polhode/domain/equilibria.h>
#include <polhode/domain/extents.h>
#include <polhode/domain/formula.h>
#include <polhode/domain/gravitation.h>
#include <polhode/domain/gravity.h>
#include <polhode/domain/import.h>
#include <polhode/domain/mass.h>
#include <polhode/domain/parts.h>
#include <polhode/domain/reduction.h>
#include <polhode/domain/routh.h>
#include <polhode/domain/scene.h>
#include <polhode/domain/shape.h>
#include <polhode/domain/spins.h>
#include <polhode/domain/steady.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>
#include <polhode/kit/elimination.h>
#include <polhode/kit/equations.h>
#include <polhode/kit/implicit.h>
#include <polhode/kit/kernels.h>
#include <polhode/kit/lanes.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/rolling.h>
#include <polhode/kit/rotation.h>
#include <polhode/kit/solve.h>
#include <polhode/kit/sphere.h>
#include <polhode/kit/tensions.h>
#include <polhode/kit/text.h>
#include <polhode/kit/train.h>
#include <polhode/kit/vector.h>

#endif
