/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice: what is asked is checked, the motion measured, the candidates searched. */
#include "advice.h"
#include "advisor.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

ph_status advice_make(advice *a, const ph_scenario *sc, const advice_plan *plan, ph_error *err)
{
    const ph_system *system = ph_scenario_system(sc);
    meter watch = {.price = advice_price};
    advisor w = {.a = a,
                 .plan = plan,
                 .system = system,
                 .start = motion_of(sc),
                 .watch = &watch,
                 .sign = copysign(1, ph_scenario_step_size(sc)),
                 .nz = ph_space_ambient(ph_system_space(system)),
                 .maps = ph_system_symmetries(system)};
    *a = (advice){.accuracy = plan->accuracy,
                  .horizon = plan->horizon,
                  .by_energy = plan->by_energy,
                  .budget = plan->budget > 0 ? plan->budget : ADVICE_BUDGET,
                  .forced = !ph_system_is_conservative(system),
                  .constrained = ph_system_constraints(system) > 0,
                  .rows = calloc(ADVICE_ROWS, sizeof *a->rows)};
    ph_status status = PH_OK;
    if (!a->rows)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else if (!(plan->horizon > 0 && plan->accuracy > 0 && isfinite(plan->horizon * plan->accuracy)))
        status = ph_fail(err, PH_E_RANGE, "accuracy and horizon are positive numbers");
    else if (!(plan->budget >= 0 && isfinite(plan->budget)))
        status = ph_fail(err, PH_E_RANGE, "the budget is a positive number, or 0 for %d s", ADVICE_BUDGET);
    else if (a->forced && a->by_energy)
        status = ph_fail(err, PH_E_INVALID,
                         "the system does not conserve energy: the accuracy can be of the trajectory only");
    else
        status = advisor_begin(&w, sc, err);
    if (!status && a->reachable)
        status = advisor_search(&w, err);
    a->spent = watch.spent;
    advisor_end(&w);
    if (status)
        advice_free(a);
    return status;
}

void advice_free(advice *a)
{
    free(a->rows);
    *a = (advice){0};
}
