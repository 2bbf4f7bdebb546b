/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of one contender on a motion, and how far two configurations are apart. */
#ifndef POLHODE_BENCH_BINARY_STEPS_H
#define POLHODE_BENCH_BINARY_STEPS_H

#include "binary.h"

/* Where all bodies are: the places (3 x n) and attitudes (9 x m) of z. */
typedef struct binary_motion {
    const motion *start;
    size_t nz, places, attitudes;
} binary_motion;

/* The largest distance [m] and angle [rad] between two configurations. */
void binary_differ(const binary_motion *m, const double *z, const double *truth, double *place, double *turn);

/* A contender of this text and its integrator at h. */
ph_status binary_start(const char *text, const motion *start, double h, ph_integrator **it, ph_state **state,
                       ph_error *err);
/* Steps in stretches, between which an interruption is seen; *seconds grows by their cost. */
ph_status binary_steps(const binary_plan *plan, ph_integrator *it, ph_state *state, int64_t steps,
                       double *seconds);

#endif
