/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of steps: the measured CPU time of the process; or a price computed from the work done, which is
 * the same on every machine, however busy, so that tests can rely on known times. */
#ifndef POLHODE_BENCH_METER_H
#define POLHODE_BENCH_METER_H

#include <polhode/polhode.h>

/* Without a price, or where the pointer is NULL: measured CPU time. */
typedef struct meter {
    /* the price [s] of the last steps, some of which may have failed; counted: what the integrator counted
     * during them */
    double (*price)(void *self, const ph_integrator *it, const ph_statistics *counted);
    void *self;
    double spent; /* [s] sum of all prices so far */
} meter;

/* [s] by a clock that is never set back. */
double meter_wall(void);

/* [s] CPU time of the process, or the sum of all prices so far. */
double meter_now(const meter *m);

/* ph_integrator_step; *took <- its cost [s]. */
ph_status meter_steps(meter *m, ph_integrator *it, ph_state *state, int64_t steps, double *took);

#endif
