/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs by interpolation between the runs of a verification. */
#include "cost.h"

#include <math.h>

const double cost_levels[COST_LEVELS] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

double cost_trajectory(const rung *r)
{
    return r->trajectory_error;
}

double cost_energy(const rung *r)
{
    return r->energy_error;
}

double cost_of(const ladder *l, cost_error *error, double level)
{
    size_t first = LADDER_STEPS; /* from here on every rung is good enough */
    for (size_t i = LADDER_STEPS; i-- > 0 && l->rungs[i].status == PH_OK && error(&l->rungs[i]) <= level;)
        first = i;
    if (first == LADDER_STEPS)
        return INFINITY;
    const rung *good = &l->rungs[first], *bad = good - (first > 0);
    double eg = error(good), eb = error(bad);
    if (first == 0 || bad->status != PH_OK || !(eg > 0) || !(eb > eg))
        return good->cpu_seconds;
    double part = log(eb / level) / log(eb / eg);
    return bad->cpu_seconds * pow(good->cpu_seconds / bad->cpu_seconds, part);
}
