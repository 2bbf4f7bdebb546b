/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of what depends on time: the gradient of a potential against slopes along geodesics at one time, its rate dU/dt, and dL/dt and
 * d2L/dzdot dt of a Lagrangian, against differences in time, all of order 8. */
#include <polhode/kit/algebra.h>

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

/* d (n), which differences over about a second gave, and *floor <- by narrower ones, where it is not what is given and two widths agree: what
 * changes faster is resolved there. */
static ph_status look_closer(ph_checks *c, ph_line_fn f, size_t n, const double *given, double *d,
                             double *floor)
{
    double *now = c->given, *before = c->expected, off = 0;
    for (size_t i = 0; i < n; i++)
        off = fmax(off, fabs(d[i] - given[i]));
    if (off <= 1e-8 * fmax(ph_max_norm(given, n), *floor))
        return PH_OK;
    memcpy(before, d, n * sizeof *d);
    for (double width = 1. / 30; width > 1e-13; width /= 30) {
        double noise = 0, change = 0;
        ph_status status = ph_differentiate(f, c, n, width, now, &noise, c->differences);
        if (status)
            return status;
        for (size_t i = 0; i < n; i++)
            change = fmax(change, fabs(now[i] - before[i]));
        if (change <= 1e-7 * ph_max_norm(now, n)) {
            memcpy(d, now, n * sizeof *d);
            *floor = noise;
            return PH_OK;
        }
        memcpy(before, now, n * sizeof *now);
    }
    return PH_OK;
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
    if (!status)
        status = look_closer(c, potential_later, 1, &rate, &expected, &floor);
    const ph_comparison tables = {1, 1, 0, &rate, &expected, floor};
    return status ? status : ph_check_tables(c, PH_DERIVATIVE_RATE, &tables);
}

/* dL/dzdot (nz) and L, s later. */
static ph_status lagrangian_later(void *self, double s, double *values)
{
    ph_checks *c = self;
    ph_status status = ph_system_lagrangian(c->root, c->t + s, c->z, c->zdot, values + c->nz, c->work);
    return status ? status
                  : ph_system_lagrangian_gradient(&c->bare, c->t + s, c->z, c->zdot, NULL, values, c->work);
}

ph_status ph_check_lagrangian_rate(ph_checks *c)
{
    const ph_system_definition *is = &c->root->is;
    double *Lvt = c->gradient, *Lt = Lvt + c->nz, floor = 0;
    ph_status status = is->lagrangian_rate(is->user, c->t, c->z, c->zdot, Lt, Lvt);
    if (!status)
        status = ph_differentiate(lagrangian_later, c, c->nz + 1, 1, c->column, &floor, c->differences);
    if (!status)
        status = look_closer(c, lagrangian_later, c->nz + 1, c->gradient, c->column, &floor);
    const ph_comparison one = {1, 1, 0, Lt, c->column + c->nz, floor};
    if (!status)
        status = ph_check_tables(c, PH_DERIVATIVE_LT, &one);
    return status ? status : ph_check_vector(c, PH_DERIVATIVE_LVT, Lvt, c->column, floor);
}

ph_status ph_check_in_time(ph_checks *c)
{
    ph_status status = ph_system_gradient_in_time(c->system, c->t, c->z, c->gradient);
    if (!status)
        status = ph_check_slopes(c, PH_DERIVATIVE_IN_TIME, potential_along, potential_at);
    return status || !ph_system_has_power(c->system) ? status : ph_check_rate(c);
}
