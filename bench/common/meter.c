/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps by the clock of the process, or by a price. */
#include "meter.h"

#include <time.h>

double meter_now(const meter *m)
{
    struct timespec now = {0, 0};
    if (m && m->price)
        return m->spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
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
                                       .branches = after->branches - before.branches};
        m->spent += m->price(m->self, it, &counted);
    }
    *took = meter_now(m) - begin;
    return status;
}
