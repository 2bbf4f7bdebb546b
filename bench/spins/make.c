/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole comparison on one system (spins.h): it is prepared, the cost of steps is measured, then come trajectories and the
 * long run. */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

ph_status spins_check(const spins_case *of, const char *const *names, size_t n, ph_error *err)
{
    ph_system *system = NULL;
    double *z = calloc(3 * of->n, sizeof *z);
    spins s = {.of = of};
    ph_status status = z ? of->create(of->n, &system, z, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = choose(&s, system, names, n, err);
    spins_free(&s);
    ph_system_free(system);
    free(z);
    return status;
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
