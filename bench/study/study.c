/* SPDX-License-Identifier: BSD-3-Clause */
/* A study of one system (study.h): it is prepared, the cost of steps is measured, then come trajectories and the long run. */
#include "study.h"

#include "bench/common/steps.h"
#include "bench/common/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stages ------------------------------------------------------------------------------------------------------- */

/* The value of a setting, or NULL. */
static const char *setting_of(const contender *c, const char *name)
{
    for (size_t i = 0; i < c->n_settings; i++)
        if (!strcmp(c->settings[i].name, name))
            return c->settings[i].value;
    return NULL;
}

static bool has_order(const ph_method *method)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, "order"))
            return true;
    return false;
}

double study_stages(const contender *c, double plain)
{
    static const double of_order[] = {[2] = 1, [4] = 5, [6] = 11, [8] = 21};
    const char *composition = setting_of(c, "composition"), *order = setting_of(c, "order"),
               *number = composition ? strrchr(composition, '-') : NULL;
    if (c->method->claims & PH_CLAIM_ADAPTIVE)
        return of_order[8];
    if (!has_order(c->method))
        return plain;
    if (number && atoi(number + 1) > 0)
        return atoi(number + 1);
    const size_t k = order && order[0] >= '2' && order[0] <= '8' ? (size_t)(order[0] - '0') : 2;
    return of_order[k] > 0 ? of_order[k] : 1;
}

/* ---- Preparing ---------------------------------------------------------------------------------------------------- */

/* The case as a scenario, from which the system and the initial state come; or by its own function. */
static ph_status load(study *s, const study_plan *plan, ph_error *err)
{
    static const double none = 0;
    char text[700], order[64] = "";
    const study_case *of = s->of;
    if (of && of->scenario) {
        if (plan->order)
            snprintf(order, sizeof order, "parameters: {order: %lld}\n", (long long)plan->order);
        const int n = snprintf(text, sizeof text, "polhode: 1\n%s\n%smethod: %s\nstep: 1\nsteps: 1\n",
                               of->scenario, order, s->kind->scenario_method);
        const ph_status status = ph_scenario_parse(text, (size_t)n, of->name, &s->scenario, err);
        if (status)
            return status;
    }
    if (s->scenario) {
        s->start = motion_of(s->scenario);
    } else {
        s->z = calloc(3 * of->n, sizeof *s->z);
        const ph_status status =
            s->z ? of->create(of->n, &s->system, s->z, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        if (status)
            return status;
        s->start = (motion){.system = s->system, .z = s->z, .p = &none};
        s->parts = of->n;
    }
    s->nz = ph_space_ambient(ph_system_space(s->start.system));
    return PH_OK;
}

/* Methods of the list that take the system. */
static ph_status choose(study *s, const char *const *names, size_t n, ph_error *err)
{
    s->lines = calloc(n + 1, sizeof *s->lines);
    if (!s->lines)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        contender c;
        ph_status status = contender_parse(&c, names[i], err);
        if (status)
            return status;
        status = ph_method_supports(c.method, s->start.system, err);
        if (status && s->kind->all_must)
            return status;
        if (status)
            continue;
        study_line *l = &s->lines[s->n++];
        snprintf(l->label, sizeof l->label, "%s", c.label);
        l->adaptive = (c.method->claims & PH_CLAIM_ADAPTIVE) != 0;
        l->stages = study_stages(&c, s->kind->plain_stages);
        l->time = no_timing;
        l->run.status = PH_E_UNKNOWN;
    }
    return s->n ? PH_OK : PH_E_UNSUPPORTED; /* err says why the last of them does not */
}

ph_status study_open(study *s, const char *const *names, size_t n, const study_plan *plan, ph_error *err)
{
    if (s->of) {
        s->name = s->of->name;
        s->words = s->of->words;
    }
    s->sign = 1;
    s->energy_unit = s->kind->energy_unit;
    s->doubt[0] = NAN;
    ph_status status = load(s, plan, err);
    if (!status)
        status = choose(s, names, n, err);
    if (!status)
        status = s->kind->open(s, plan, err);
    return status;
}

void study_free(study *s)
{
    ph_monitor_free(s->monitor);
    ph_diagnostics_free(s->diagnostics);
    ph_system_free(s->system);
    ph_scenario_free(s->scenario);
    truth_free(&s->solution);
    free(s->work);
    free(s->z);
    free(s->lines);
    *s = (study){0};
}

/* ---- The cost of a step ------------------------------------------------------------------------------------------- */

/* At a step that all methods can do, of all that have a step of their own. */
static ph_status time_steps(study *s, const study_plan *plan, ph_error *err)
{
    const char **texts = calloc(s->n + 1, sizeof *texts);
    timing *times = calloc(s->n + 1, sizeof *times);
    ph_status status = texts && times ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->timed_at = s->first_step / s->kind->timed_part;
    for (size_t i = 0; i < s->n && !status; i++)
        texts[i] = s->lines[i].adaptive ? NULL : s->lines[i].label;
    watch_stage(plan->progress, "%s: the cost of steps", s->name);
    if (!status)
        status =
            steps_cost(texts, s->n, &s->start, s->timed_at, plan->budget, NULL, plan->progress, times, err);
    for (size_t i = 0; i < s->n && times && texts; i++)
        if (texts[i]) {
            s->lines[i].time = times[i];
            s->lines[i].timed_at = s->timed_at;
            s->lines[i].time_a_part = times[i].median / (double)s->parts;
        }
    free(times);
    free(texts);
    return status;
}

/* ---- The whole ---------------------------------------------------------------------------------------------------- */

ph_status study_make(study *s, const study_plan *plan, ph_error *err)
{
    const study_kind *kind = s->kind;
    ph_status status = kind->prepare ? kind->prepare(s, plan, err) : PH_OK;
    if (!status && kind->timed_part > 0)
        status = time_steps(s, plan, err);
    if (!status && kind->series[0].name)
        status = study_trajectories(s, plan, err);
    if (!status && (s->long_time > 0 || s->long_steps))
        status = study_long(s, plan, err);
    if (status && status != PH_E_INTERRUPTED)
        return status;
    s->status = status;
    return PH_OK;
}

/* ---- Judging ------------------------------------------------------------------------------------------------------ */

double study_cost(const study_line *l, size_t series, size_t error, double level)
{
    double errors[STUDY_POINTS], seconds[STUDY_POINTS];
    for (size_t k = 0; k < STUDY_POINTS; k++) {
        const study_point *p = &l->points[k][series];
        errors[k] = p->turns ? p->errors[error] : (double)NAN;
        seconds[k] = p->cpu;
    }
    return turns_cost(errors, seconds, STUDY_POINTS, level);
}

growth study_judge(const study_run *r)
{
    return growth_judge(r->status, r->energy.most[0], r->energy.most[1]);
}
