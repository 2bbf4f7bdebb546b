/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of steps: CPU time, or a price. */
#include "meter.h"

#include <time.h>

static double seconds(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double meter_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double meter_now(const meter *m)
{
    return m && m->price ? m->spent : seconds(CLOCK_PROCESS_CPUTIME_ID);
}

ph_status meter_steps(meter *m, ph_integrator *it, ph_state *state, int64_t steps, double *took)
{
    const ph_statistics before = *ph_integrator_statistics(it);
    const double begin = meter_now(m);
    const ph_status status = ph_integrator_step(it, state, steps);
    if (m && m->price) {
        const ph_statistics *after = ph_integrator_statistics(it);
        const ph_statistics counted = {.steps = after->steps - before.steps,
                                       .newton_passes = after->newton_passes - before.newton_passes,
                                       .branches = after->branches - before.branches,
                                       .evaluations = after->evaluations - before.evaluations};
        m->spent += m->price(m->self, it, &counted);
    }
    *took = meter_now(m) - begin;
    return status;
}
