/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps cost [s], by counted work: the same on every machine, however busy, and the same each time, so that the choice
 * is, too. The unit is an evaluation of the equations of motion, whose time follows from the size of the system; a step of
 * each method costs so many of these, or so many for each of Newton's iterations. The figures are medians over the models of the
 * catalogue, measured on a machine of 2024; of one model they are right within a factor of 4 and mostly of 1.5. */
#include "advisor.h"

#include <math.h>
#include <string.h>

/* [s] An evaluation. */
static double price_evaluation(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    const double nz = (double)ph_space_ambient(space), np = (double)ph_space_momenta(space),
                 n = (double)ph_space_factors(space);
    if (ph_system_spins(system))
        return 1e-9 * (40 + 6 * n);
    if (ph_system_gravitation(system))
        return 1e-9 * (40 + 11 * np);
    if (ph_system_constraints(system))
        return (ph_system_kind(system) == PH_INERTIA_CONSTANT ? 100e-9 : 450e-9) * np;
    if (ph_system_bodies(system))
        return 15e-9 * np;
    if (!ph_system_inertia(system) && !ph_system_linkage(system))
        return 70e-9 * np;
    return 1e-9 * (25 + 6 * nz);
}

/* Steps of order 2 in one of a composition of this order, about. */
static double stages_of(int order)
{
    return order <= 2 ? 1 : order <= 4 ? 5 : order <= 6 ? 9 : order <= 8 ? 17 : 33;
}

double advice_price(void *self, const ph_integrator *it, const ph_statistics *counted)
{
    static const struct {
        const char *method;
        double step, stage, pass, evaluation; /* evaluations for each; stage: of a composition */
    } rows[] = {{"rk4", 4.3, 0, 0, 0},
                {"rk4-projected", 5.2, 0, 0, 0},
                {"rk8", 13, 0, 0, 0},
                {"rkmk4", 8.4, 0, 0, 0},
                {"cf4", 8.7, 0, 0, 0},
                {"dla", 0, 0, 2.1, 0},
                {"multistep", 1, 0, 2.7, 0},
                {"moser-veselov", 1, 0, 1.7, 0},
                {"kepler-rotor", 4, 0, 1.1, 0},
                {"spherical-midpoint", 0, 0, 1.4, 0},
                {"spin-splitting", 0, 2.8, 0, 0},
                {"arkode", 10, 0, 0, 3.6},
                {"cvode", 20, 0, 4, 5}};
    const ph_method *method = ph_integrator_method(it);
    const ph_system *system = ph_integrator_system(it);
    const int order = ph_method_order(method, system, ph_integrator_options(it));
    const double steps = (double)counted->steps, passes = (double)counted->newton_passes,
                 evaluations = (double)counted->evaluations, unit = price_evaluation(system);
    (void)self;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(method->name, rows[i].method))
            return unit * ((rows[i].step + rows[i].stage * stages_of(order)) * steps + rows[i].pass * passes +
                           rows[i].evaluation * evaluations);
    if (!strcmp(method->name, "galerkin")) {
        const double n = 0.5 * order * (double)ph_space_momenta(ph_system_space(system)); /* unknowns */
        return unit * steps + passes * (1.2 * order * unit + 0.02e-9 * n * n * n);
    }
    return unit * fmax(stages_of(order) * steps, passes); /* variational, and what is not known */
}
