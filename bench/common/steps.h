/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of one contender that can be interrupted, and what a step of several contenders costs. */
#ifndef POLHODE_BENCH_STEPS_H
#define POLHODE_BENCH_STEPS_H

#include "contender.h"
#include "timing.h"
#include "watch.h"

/* A contender of this text and its integrator at h. */
ph_status steps_start(const char *text, const motion *start, double h, ph_integrator **it, ph_state **state,
                      ph_error *err);
/* Steps in stretches, between which an interruption is seen; *seconds grows by their cost. */
ph_status steps_take(meter *watch, const bench_watch *progress, ph_integrator *it, ph_state *state,
                     int64_t steps, double *seconds);

/* times (n) <- of a step of each contender at h, in turn with rk4, which ratios refer to; no_timing where the text is
 * NULL. An interruption leaves what was measured until then. budget: [s] wall clock. */
ph_status steps_cost(const char *const *texts, size_t n, const motion *start, double h, double budget,
                     meter *watch, bench_watch *progress, timing *times, ph_error *err);

#endif
