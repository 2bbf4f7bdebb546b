/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps cost [s], by counted work: the same on every machine, however busy, and the same each time, so that the choice
 * is, too. The unit is an evaluation of the equations of motion, whose time follows from the size of the system; a step of
 * each method costs so many of these, or so many for each of its iterations. The figures are medians over the models of the
 * catalogue, measured in turn with `rk4` on a machine of 2024; of one model they are right within a factor of 4 and mostly of 1.5.
 */
#include "advisor.h"

#include <math.h>
#include <string.h>

static const double price_body = 15e-9; /* [s] an evaluation of a body, of each of its momenta */

/* [s] An evaluation. */
static double price_evaluation(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const double nz = (double)ph_space_ambient(space), np = (double)ph_space_momenta(space),
                 n = (double)ph_space_factors(space);
    if (ph_system_spins(system))
        return 1e-9 * (50 + 8 * n);
    if (ph_system_gravitation(system))
        return 1e-9 * (40 + 11 * np);
    if (ph_system_constraints(system))
        return (ph_system_kind(system) == PH_INERTIA_CONSTANT ? 100e-9 : 450e-9) * np;
    if (ph_system_bodies(system))
        return price_body * np;
    if (!ph_system_inertia(system) && !ph_system_linkage(system))
        return 90e-9 * np;
    return 1e-9 * (25 + 6 * nz);
}

/* Steps of order 2 in one of a composition of this order, about. */
static double stages_of(int order)
{
    return order <= 2 ? 1 : order <= 4 ? 5 : order <= 6 ? 9 : order <= 8 ? 17 : 33;
}

/* Links under gravity alone, and these in a row: they have kernels of their own. */
static bool is_hung(const ph_system *system)
{
    return ph_system_linkage(system) && !ph_system_has_force(system) &&
           !ph_system_has_further_potential(system);
}

static bool is_row(const ph_system *system)
{
    const ph_linkage *links = ph_system_linkage(system);
    const size_t n = ph_space_factors(ph_system_space(system));
    bool row = is_hung(system);
    for (size_t i = 0; row && i < n; i++)
        row = links->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return row;
}

/* Bodies on joints. */
static bool is_jointed(const ph_system *system)
{
    return ph_system_articulation(system) && !ph_system_has_force(system);
}

/* Has the method a kernel for bodies on joints, to which each costs what a single one does? */
static bool goes_by_bodies(const char *method)
{
    return !strcmp(method, "gauss") || !strcmp(method, "variational") || !strcmp(method, "multistep");
}

static bool is_gravitation(const ph_system *system)
{
    return ph_system_gravitation(system);
}

/* One inertia everywhere, which stages in lanes share. */
static bool is_uniform(const ph_system *system)
{
    return ph_system_kind(system) == PH_INERTIA_CONSTANT && ph_system_inertia_is_uniform(system);
}

/* The first row of a method that has the system is what it costs: evaluations for a step, or for an evaluation, if that is more; for
 * each of its parts of order 2, where it is a composition; for an iteration, and for each stage of one (`gauss`); and [s] for each
 * number of the state at an evaluation, of a library that handles it as a vector. */
typedef struct price_row {
    const char *method;
    bool (*of)(const ph_system *system); /* NULL: all others */
    double step, part, pass, stage, evaluation, number;
} price_row;

static const price_row rows[] = {{"rk4", is_row, .step = 0.9},
                                 {"rk4", .step = 4.3},
                                 {"rk4-projected", is_row, .step = 0.9},
                                 {"rk4-projected", .step = 5.2},
                                 {"rk8", .step = 13, .evaluation = 1.15},
                                 {"rkmk4", .step = 8.4},
                                 {"cf4", .step = 8.7},
                                 {"dla", .pass = 2.1},
                                 {"gauss", is_row, .step = 1, .pass = 1.2, .stage = 0.1},
                                 {"gauss", is_hung, .step = 1, .pass = 2.7, .stage = 0.4},
                                 {"gauss", is_jointed, .step = 1, .pass = 1.25, .stage = 0.15},
                                 {"gauss", is_gravitation, .step = 2, .pass = 2.1, .stage = 0.1},
                                 {"gauss", is_uniform, .step = 2, .pass = 2.8, .stage = 0.75},
                                 {"gauss", .step = 2, .pass = 0.5, .stage = 2},
                                 {"multistep", is_row, .step = 0.7, .pass = 1.7},
                                 {"multistep", is_gravitation, .step = 3.5, .pass = 9},
                                 {"multistep", .step = 1, .pass = 2.7},
                                 {"moser-veselov", .step = 0.6, .pass = 0.9},
                                 {"kepler-rotor", .step = 2.4, .pass = 0.7},
                                 {"rotor-splitting", is_gravitation, .part = 0.5, .pass = 0.7},
                                 {"rotor-splitting", .part = 0.52, .pass = 1.3},
                                 {"spherical-midpoint", .pass = 1.4},
                                 {"spin-splitting", .part = 2.8},
                                 {"arkode", .step = 10, .evaluation = 2, .number = 12e-9},
                                 {"cvode", .step = 20, .evaluation = 2, .number = 110e-9}};

double advice_price(void *self, const ph_integrator *it, const ph_statistics *counted)
{
    const ph_method *method = ph_integrator_method(it);
    const ph_system *system = ph_integrator_system(it);
    const ph_space *space = ph_system_space(system);
    const int order = ph_method_order(method, system, ph_integrator_options(it));
    const double steps = (double)counted->steps, passes = (double)counted->newton_passes,
                 evaluations = (double)counted->evaluations, np = (double)ph_space_momenta(space),
                 unit = is_jointed(system) && goes_by_bodies(method->name) ? price_body * np
                                                                           : price_evaluation(system);
    (void)self;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const price_row *r = &rows[i];
        if (!strcmp(method->name, r->method) && (!r->of || r->of(system)))
            return unit * (fmax(r->step * steps, r->evaluation * evaluations) +
                           r->part * stages_of(order) * steps + (r->pass + r->stage * 0.5 * order) * passes) +
                   r->number * evaluations * ((double)ph_space_ambient(space) + np);
    }
    return unit * fmax(stages_of(order) * steps, passes); /* variational, and what is not known */
}
