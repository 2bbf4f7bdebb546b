/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of a potential that depends on time: its gradient against slopes along geodesics at one time, its rate dU/dt
 * against differences in time, both of order 8. */
#include "check.h"

#include <math.h>
#include <string.h>

/* U at the time c->t and the point s of a geodesic along e, ... */
static ph_status potential_along(void *self, double s, double *U)
{
    ph_checks *c = self;
    ph_frame_move(&c->frame, c->z, c->e, s, c->x);
    return ph_system_potential_in_time(c->system, c->t, c->x, U);
}

/* ... where one coordinate of z is s further on, ... */
static ph_status potential_at(void *self, double s, double *U)
{
    ph_checks *c = self;
    ph_check_move(c, s);
    return ph_system_potential_in_time(c->system, c->t, c->x, U);
}

/* ... and at z, s later. */
static ph_status potential_later(void *self, double s, double *U)
{
    ph_checks *c = self;
    return ph_system_potential_in_time(c->system, c->t + s, c->z, U);
}

/* dU/dt at fixed z. Differences in time are as wide as U takes to change by itself, or
 * narrower, down to a second, where they agree better: a potential that turns may have its extremum now. */
ph_status ph_check_rate(ph_checks *c)
{
    double U, rate = 0, floor = 0, expected = 0;
    ph_status status = ph_system_potential_in_time(c->system, c->t, c->z, &U);
    if (!status)
        status = ph_system_add_rate(c->system, c->t, c->z, &rate);
    if (status)
        return status;
    const double own = fabs(U / rate), widest = own > 1 && isfinite(own) ? fmin(own, 1e15) : 1;
    for (double width = widest; width >= 1 && !status; width /= 30) {
        double slope, noise = 0;
        status = ph_differentiate(potential_later, c, 1, width, &slope, &noise, c->differences);
        if (width < widest && !(fabs(slope - rate) < fabs(expected - rate)))
            continue;
        expected = slope;
        floor = noise;
    }
    const ph_comparison tables = {1, 1, 0, &rate, &expected, floor};
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_RATE, &tables);
}

ph_status ph_check_in_time(ph_checks *c)
{
    ph_status status = ph_system_gradient_in_time(c->system, c->t, c->z, c->gradient);
    if (!status)
        status = ph_check_slopes(c, PH_DERIVATIVE_IN_TIME, potential_along, potential_at);
    return status || !ph_system_has_power(c->system) ? status : ph_check_rate(c);
}
