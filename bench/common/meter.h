/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps take: the CPU time of the process, as it is measured; or a price that somebody sets on what has
 * been done, which is the same on every machine, however busy, so that tests can have times that are known. */
#ifndef POLHODE_BENCH_METER_H
#define POLHODE_BENCH_METER_H

#include <polhode/polhode.h>

/* Without a price, or NULL in its place: what is measured. */
typedef struct meter {
    /* [s] of the steps that have just been taken, some of which may have failed: what the integrator counted
     * meanwhile */
    double (*price)(void *self, const ph_integrator *it, const ph_statistics *counted);
    void *self;
    double spent; /* [s] all prices so far */
} meter;

/* [s] of a clock that only goes forward. */
double meter_wall(void);

/* [s] from some time on: CPU time of the process, or all prices so far. */
double meter_now(const meter *m);

/* ph_integrator_step; *took <- [s] that it took. */
ph_status meter_steps(meter *m, ph_integrator *it, ph_state *state, int64_t steps, double *took);

#endif
