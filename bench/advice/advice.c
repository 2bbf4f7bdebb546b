/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice: what is asked is checked, the motion measured, the candidates searched. */
#include "advice.h"
#include "advisor.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

/* w->a->energy <- the same question of the energy, with the reference that there is and what is left of the budget. */
static ph_status ask_for_energy(advisor *w, ph_error *err)
{
    static const double least = 0.25; /* of the budget */
    advice *first = w->a, *a = malloc(sizeof *a);
    if (!a)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *a = *first;
    a->by_energy = a->reachable = true;
    a->predictable = INFINITY;
    a->budget = fmax(least * first->budget, first->budget - w->watch->spent);
    a->rows = calloc(ADVICE_ROWS, sizeof *a->rows);
    a->n_rows = a->n_listed = 0;
    a->best = NULL;
    a->disproved = false;
    first->energy = a;
    w->watch->spent = 0;
    w->a = a;
    ph_status status = a->rows ? advisor_search(w, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    a->spent = w->watch->spent;
    w->a = first;
    return status;
}

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
    if (!status && plan->both && !a->forced && !a->by_energy)
        status = ask_for_energy(&w, err);
    advisor_end(&w);
    if (status)
        advice_free(a);
    return status;
}

void advice_free(advice *a)
{
    if (a->energy)
        advice_free(a->energy);
    free(a->energy);
    free(a->rows);
    *a = (advice){0};
}
