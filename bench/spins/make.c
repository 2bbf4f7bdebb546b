/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole comparison on one system (spins.h): it is prepared, the cost of steps is measured, then come trajectories and the
 * long run. */
#include "parts.h"

#include "bench/common/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- What is kept ------------------------------------------------------------------------------------------------- */

ph_status spins_measure(const spins *s, const motion *start, const ph_state *state, spins_errors *errors,
                        double *energy)
{
    double H, J[3], momentum = 0;
    ph_status status = ph_spins_energy(start->system, state->t, state->z, &H);
    if (!status)
        status = ph_spins_momentum(start->system, state->z, J);
    if (status)
        return status;
    for (size_t k = s->of->axial ? 2 : 0; k < 3; k++)
        momentum += (J[k] - s->J[k]) * (J[k] - s->J[k]);
    for (size_t i = 0; i < s->of->n; i++) {
        const double *v = state->z + 3 * i;
        const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        errors->length = fmax(errors->length, fabs(length - 1));
    }
    *energy = H - s->energy;
    errors->energy = fmax(errors->energy, fabs(*energy));
    errors->momentum = fmax(errors->momentum, sqrt(momentum));
    return isfinite(H) && isfinite(momentum) ? PH_OK : PH_E_NOT_FINITE;
}

double spins_error(const spins_point *p, spins_quantity what)
{
    return what == SPINS_ENERGY ? p->errors.energy : p->errors.place;
}

double spins_cost(const spins_line *l, spins_quantity what, double level)
{
    double errors[SPINS_POINTS], seconds[SPINS_POINTS];
    for (size_t k = 0; k < SPINS_POINTS; k++) {
        errors[k] = l->points[k].turns ? spins_error(&l->points[k], what) : (double)NAN;
        seconds[k] = l->points[k].median;
    }
    return turns_cost(errors, seconds, SPINS_POINTS, level);
}

growth spins_judge(const spins_run *r)
{
    return growth_judge(r->status, r->energy.most[0], r->energy.most[1]);
}

/* ---- Preparing ---------------------------------------------------------------------------------------------------- */

/* Methods of the list that take the system. */
static ph_status choose(spins *s, const ph_system *system, const char *const *names, size_t n, ph_error *err)
{
    s->lines = calloc(n + 1, sizeof *s->lines);
    if (!s->lines)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        contender c;
        const ph_status status = contender_parse(&c, names[i], err);
        if (status)
            return status;
        if (ph_method_supports(c.method, system, err))
            continue;
        spins_line *l = &s->lines[s->n++];
        snprintf(l->label, sizeof l->label, "%s", c.label);
        l->adaptive = (c.method->claims & PH_CLAIM_ADAPTIVE) != 0;
        l->stages = spins_stages(&c);
        l->time = no_timing;
        l->run.status = PH_E_UNKNOWN;
    }
    return s->n ? PH_OK : PH_E_UNSUPPORTED; /* err says why the last of them does not */
}

/* At a step that all methods can do: a quarter of the largest. */
static ph_status time_steps(spins *s, const motion *start, const spins_plan *plan, ph_error *err)
{
    const char **texts = calloc(s->n + 1, sizeof *texts);
    timing *times = calloc(s->n + 1, sizeof *times);
    ph_status status = texts && times ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->h = s->of->first_step / 4;
    for (size_t i = 0; i < s->n && !status; i++)
        texts[i] = s->lines[i].adaptive ? NULL : s->lines[i].label;
    watch_stage(plan->progress, "%s: the cost of steps", s->of->name);
    if (!status)
        status = steps_cost(texts, s->n, start, s->h, plan->budget, plan->watch, plan->progress, times, err);
    for (size_t i = 0; i < s->n && times && texts; i++)
        if (texts[i])
            s->lines[i].time = times[i];
    free(times);
    free(texts);
    return status;
}

/* ---- The whole ---------------------------------------------------------------------------------------------------- */

ph_status spins_make(spins *s, const spins_case *of, const char *const *names, size_t n,
                     const spins_plan *plan, ph_error *err)
{
    ph_system *system = NULL;
    double *z = calloc(3 * of->n, sizeof *z), none = 0;
    *s = (spins){.of = of, .doubt = NAN};
    ph_status status = z ? of->create(of->n, &system, z, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const motion start = {.system = system, .z = z, .p = &none};
    if (!status)
        status = choose(s, system, names, n, err);
    if (!status)
        status = ph_spins_energy(system, 0, z, &s->energy);
    if (!status)
        status = ph_spins_momentum(system, z, s->J);
    if (!status)
        status = time_steps(s, &start, plan, err);
    if (!status)
        status = spins_work(s, &start, plan, err);
    if (!status && plan->steps > 0)
        status = spins_long(s, &start, plan, err);
    ph_system_free(system);
    free(z);
    if (status == PH_E_INTERRUPTED) {
        s->status = status;
        return PH_OK;
    }
    return status;
}

void spins_free(spins *s)
{
    free(s->lines);
    *s = (spins){0};
}
