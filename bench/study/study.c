/* SPDX-License-Identifier: BSD-3-Clause */
/* A study of one system (study.h): it is prepared, the cost of steps is measured, then come trajectories and the long run. */
#include "study.h"

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
    if (contender_is_adaptive(c))
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
        const int n =
            snprintf(text, sizeof text, "polhode: 1\n%s\n%smethod: %s\nstep: 1\nsteps: %lld\n", of->scenario,
                     order, s->kind->scenario_method, (long long)(plan->steps > 0 ? plan->steps : 1));
        ph_status status = ph_scenario_parse(text, (size_t)n, of->name, &s->scenario, err);
        status = status ? status : ph_scenario_compile(s->scenario, err); /* for a long run */
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
        l->adaptive = contender_is_adaptive(&c);
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

/* What a step costs, at a step that all methods can do, of all that have a step of their own, in turn with rk4, which ratios refer to. */
static ph_status time_steps(study *s, const study_plan *plan, ph_error *err)
{
    const double h = s->timed_at = s->first_step / s->kind->timed_part;
    contender *list = calloc(s->n + 1, sizeof *list);
    timing_cell *cells = calloc(s->n + 1, sizeof *cells);
    timing_session *session = NULL;
    size_t n = 0;
    ph_status status = list && cells ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: the cost of steps", s->name);
    for (size_t i = 0; i <= s->n && !status; i++) {
        if (i && s->lines[i - 1].adaptive)
            continue;
        status = contender_parse(&list[n], i ? s->lines[i - 1].label : "rk4", err);
        cells[n] = (timing_cell){.contender = &list[n], .h = h, .span = 400 * h, .settle = 8};
        n++;
    }
    if (!status)
        status = timing_open(&session, cells, n, &s->start, 400, 0.0005, NULL, err);
    if (!status)
        status = timing_burst(session, plan->budget, 15, plan->progress ? plan->progress->interrupt : NULL,
                              watch_share, plan->progress, err);
    for (size_t i = 0, k = 1; i < s->n && session; i++) {
        study_line *l = &s->lines[i];
        if (l->adaptive)
            continue;
        l->time = cells[k++].result;
        l->timed_at = h;
        l->time_a_part = l->time.median / (double)s->parts;
    }
    timing_close(session);
    free(cells);
    free(list);
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
    double best = INFINITY, before = NAN, before_cpu = NAN;
    for (size_t k = 0; k < STUDY_POINTS; k++) {
        const study_point *p = &l->points[k][series];
        const double e = p->turns ? p->errors[error] : (double)NAN;
        if (e <= level) {
            const double part = log(before / level) / log(before / e);
            best = fmin(best, before > level && e > 0 ? before_cpu * pow(p->cpu / before_cpu, part) : p->cpu);
        }
        before = e;
        before_cpu = p->cpu;
    }
    return best;
}

growth study_judge(const study_run *r)
{
    const double first = r->energy.most[0], last = r->energy.most[1];
    if (r->status)
        return r->status == PH_E_UNKNOWN ? GROWTH_ABSENT : GROWTH_FAILED;
    if (fmax(first, last) <= 1e-12)
        return GROWTH_ROUNDING;
    return last > 1.5 * first ? GROWTH_GROWS : GROWTH_FLAT;
}

const char *growth_text(growth g)
{
    static const char *const text[] = {"rounding", "flat", "grows", "ended early", "not in this build"};
    return text[g];
}
