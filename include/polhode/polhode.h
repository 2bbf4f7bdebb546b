/* SPDX-License-Identifier: BSD-3-Clause */
/* Polhode: variational integrators on products of manifolds. This header includes all the others. */
#ifndef POLHODE_POLHODE_H
#define POLHODE_POLHODE_H

#include <polhode/algebra.h>
#include <polhode/archive.h>
#include <polhode/bundle.h>
#include <polhode/columns.h>
#include <polhode/constraints.h>
#include <polhode/convergence.h>
#include <polhode/csv.h>
#include <polhode/definition.h>
#include <polhode/dense.h>
#include <polhode/derivatives.h>
#include <polhode/diagnostics.h>
#include <polhode/elements.h>
#include <polhode/ensemble.h>
#include <polhode/equations.h>
#include <polhode/equilibria.h>
#include <polhode/events.h>
#include <polhode/extents.h>
#include <polhode/gravitation.h>
#include <polhode/gravity.h>
#include <polhode/grit.h>
#include <polhode/gubas.h>
#include <polhode/implicit.h>
#include <polhode/integrator.h>
#include <polhode/kernels.h>
#include <polhode/mass.h>
#include <polhode/memory.h>
#include <polhode/method.h>
#include <polhode/models.h>
#include <polhode/motion.h>
#include <polhode/record.h>
#include <polhode/reduction.h>
#include <polhode/rotation.h>
#include <polhode/routh.h>
#include <polhode/run.h>
#include <polhode/scenario.h>
#include <polhode/session.h>
#include <polhode/shape.h>
#include <polhode/solve.h>
#include <polhode/space.h>
#include <polhode/sphere.h>
#include <polhode/spins.h>
#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/steady.h>
#include <polhode/summary.h>
#include <polhode/system.h>
#include <polhode/table.h>
#include <polhode/tensions.h>
#include <polhode/text.h>
#include <polhode/vector.h>
#include <polhode/version.h>

#endif
