/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the step of bodies under mutual gravity share (gravitation.c). */
#ifndef PH_INTEGRATORS_VARIATIONAL_GRAVITATION_H
#define PH_INTEGRATORS_VARIATIONAL_GRAVITATION_H

#include <polhode/domain/gravitation.h>

#include "integrators/shared/lanes.h"
#include "variational.h"

/* Turns of earlier steps from which the next one is guessed. */
enum { GRAVITATION_PAST = PH_STAGE_HISTORY };
/* Iterations of a turn at most; where they are not enough the branch of solutions from h = 0 is followed, and so it is
 * where a turn is larger than 28 degrees (f = 0.25) or contraction slow. */
enum { GRAVITATION_PASSES = 6 };
#define GRAVITATION_LARGEST 0.25
#define GRAVITATION_CORRECTION 0.02
#define GRAVITATION_CONTRACTION 0.05
/* [rad]; the rounding of a smaller turn may wait for the next step, which corrects the attitude; that of even smaller
 * ones for one in GRAVITATION_ROUND steps. */
#define GRAVITATION_SMALL 0.125
#define GRAVITATION_SMALLER 0.03125
enum { GRAVITATION_ROUND = 4 };
/* The first correction of two with one matrix times the second bounds what is left, for bodies whose moments of
 * inertia are within a factor of 100 of each other by 50 times this: below the rounding of f. */
#define GRAVITATION_LEAST 1e-20

/* The weights of earlier turns, of which there are `count` > 0, the latest first; stage: nullable. */
const double *ph_gravitation_weights(const ph_stage *stage, double count);

/* The turn of one body by its vector x, a root of
 *     (sin t/t) J x + ((1 - cos t)/t^2) x cross J x = s g + s^2 k,   t = |x|,
 * at s = 1 on the branch from s = 0: g the momentum times h, k the kick times h.
 *   guessed  is there a guess in x?
 *   t        [s] where the step begins, for messages
 * The status and message of ph_implicit_solve. */
ph_status ph_gravitation_root(ph_context *context, double t, const double J[9], const double g[3],
                              const double k[3], bool guessed, ph_newton_work *newton, double x[3]);

#endif
