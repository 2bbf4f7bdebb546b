/* SPDX-License-Identifier: BSD-3-Clause */
/* From where on a step of bodies.c, or of eight of them at once (bodies-lanes.c), is left to the general one. */
#ifndef PH_INTEGRATORS_VARIATIONAL_BODIES_H
#define PH_INTEGRATORS_VARIATIONAL_BODIES_H

/* Larger turns (f = 0.25: 28 degrees) and slower contraction are left to the general step. */
enum { MAX_PASSES = 5 };
static const double largest_f = 0.25, correction_wanted = 0.02, contraction_wanted = 0.05;
/* What is left of a correction must stay below this; its estimate is the last change of the correction, times the ratio of the
 * first change to the correction. What is left has the same sign in step after step: 1e-20 would be a drift of 1e-21 of the energy of
 * a free body. At most so many changes, each of which costs a tenth of a new iteration. */
static const double least_rest = 1e-25;
enum { MOST_TERMS = 4 };

#endif
