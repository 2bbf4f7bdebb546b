/* SPDX-License-Identifier: BSD-3-Clause */
/* From where on a step of bodies.c, or of eight of them at once (bodies-lanes.c), is left to the general one. */
#ifndef PH_INTEGRATORS_VARIATIONAL_BODIES_H
#define PH_INTEGRATORS_VARIATIONAL_BODIES_H

/* Larger turns (f = 0.25: 28 degrees) and slower contraction are left to the general step. */
enum { MAX_PASSES = 5 };
static const double largest_f = 0.25, correction_wanted = 0.02, contraction_wanted = 0.05;
/* Its square is below rounding, for bodies whose moments of inertia are within a factor of 100 of each other. */
static const double last_correction = 1e-10;

#endif
