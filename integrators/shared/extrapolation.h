/* SPDX-License-Identifier: BSD-3-Clause */
/* Extrapolation of what a step is solved for through earlier steps or stages, which may have other sizes. An
 * increment divided by the size of its step is a velocity in its middle, up to terms in h^2. Points that are
 * close to each other would amplify these terms: of the polynomials through the latest 1, 2, ... points, that
 * with the least expected error is taken. */
#ifndef PH_INTEGRATORS_SHARED_EXTRAPOLATION_H
#define PH_INTEGRATORS_SHARED_EXTRAPOLATION_H

#include "compositions.h"

/* A quantity known at time t [steps h] up to a relative error `noise`; what is stored is the quantity times
 * scale. */
typedef struct ph_sample {
    double t, scale, noise;
} ph_sample;

/* The angle [rad] by which the fastest oscillation is assumed to advance in a step h of a composition. */
#define PH_EXTRAPOLATION_TURN 0.5

/* weights (PH_STAGE_HISTORY) <- those of the stored values of the latest 1 ... n points, the latest first, in
 * the extrapolation to `at` with the least expected error; 0 for those that are not used. */
void ph_extrapolation_weights(const ph_sample *points, size_t n, const ph_sample *at,
                              double weights[PH_STAGE_HISTORY]);
/* The gamma of the stage `back` stages before this one, in this step or an earlier one; *begin <- the time
 * [steps h] at which it begins, from the start of this step. */
double ph_composition_gamma_before(const ph_composition *of, size_t stage, size_t back, double *begin);
/* The increment of that stage as a sample of velocity. */
ph_sample ph_increment_before(const ph_composition *of, size_t stage, size_t back);

#endif
