/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs behind who is ahead (ahead.h). First each contender runs with smaller and smaller steps or tolerances until its error is at
 * rounding, or it costs many times what another one needs for that error; then what may be the fastest runs again, in turns that begin
 * with another contender each time. A run is the creation of the state at the start and all steps; the system and the integrator,
 * which many runs may have in common, exist before. */
#include "ahead.h"

#include "bench/common/meter.h"
#include "bench/common/problem.h"
#include "bench/report/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A system ------------------------------------------------------------------------------------------------------ */

/* The scenario of the row; of a chain: q_i = e1, q_i' = 0.5 e2 [1/s], 0.1 kg and 0.1 m a link. */
static void write_scenario(FILE *f, const void *self)
{
    static const char *const heads[] = {"initial:\n  q: [", "  qdot: ["}, *const entries[] = {"[1, 0, 0]",
                                                                                              "[0, 0.5, 0]"};
    const ahead_case *of = self;
    fprintf(f, "polhode: 1\n%s\n", of->scenario);
    for (size_t part = 0; part < 2 && of->links; part++) {
        fputs(heads[part], f);
        for (size_t i = 0; i < of->links; i++)
            fprintf(f, "%s%s", i ? ", " : "", entries[part]);
        fputs("]\n", f);
    }
    fputs("method: rk4\nstep: 1\nsteps: 1\n", f);
}

static ph_status load(ahead *a, ph_error *err)
{
    const ahead_case *of = a->of;
    if (of->problem) {
        const option_texts none = {.n = 0};
        problem p;
        const ph_status status = problem_load(of->problem, &none, &p, &a->scenario, err);
        a->time = p.short_time;
        a->digits = p.digits;
        return status;
    }
    char *text = report_text(write_scenario, of);
    if (!text)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const ph_status status = ph_scenario_parse(text, strlen(text), of->name, &a->scenario, err);
    a->time = of->time;
    a->digits = of->digits;
    free(text);
    return status;
}

/* Lengths are relative to the largest one at the end, so that errors of all entries are of one kind. */
static ph_status weigh(ahead *a, ph_error *err)
{
    const ph_space *space = ph_system_space(a->start.system);
    double most = 0;
    a->nz = ph_space_ambient(space);
    a->weights = calloc(a->nz, sizeof *a->weights);
    if (!a->weights)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int set = 0; set < 2; set++)
        for (size_t i = 0; i < ph_space_factors(space); i++) {
            const ph_factor_place *f = ph_space_factor(space, i);
            for (size_t k = f->z; k < f->z + f->nz; k++) {
                most = f->kind == PH_FACTOR_R ? fmax(most, fabs(a->digits[k])) : most;
                a->weights[k] = f->kind == PH_FACTOR_R && most > 0 ? 1 / most : 1;
            }
        }
    return PH_OK;
}

/* ---- Contenders ---------------------------------------------------------------------------------------------------- */

/* Symplectic, or at least symmetric. */
static bool preserves_structure(const ph_method *method)
{
    return (method->claims & (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC)) != 0;
}

ph_status ahead_open(ahead *a, const ahead_case *of, const char *const *names, size_t n, ph_error *err)
{
    *a = (ahead){.of = of, .name = of->name, .words = of->words, .status = PH_OK};
    ph_status status = load(a, err);
    if (status)
        return status;
    a->start = motion_of(a->scenario);
    a->lines = calloc(n + 1, sizeof *a->lines);
    status = a->lines ? weigh(a, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        contender c;
        ahead_line *l = &a->lines[a->n];
        status = contender_parse(&c, names[i], err);
        if (status || ph_method_supports(c.method, a->start.system, err))
            continue;
        l->adaptive = contender_tolerance(&c) > 0;
        l->ours = preserves_structure(c.method);
        if (l->adaptive)
            contender_write(&c, 0, 1, l->label);
        else
            memcpy(l->label, c.label, sizeof l->label);
        a->n++;
    }
    ahead_judge(a);
    return status || a->n ? status : PH_E_UNSUPPORTED; /* err says why the last of them does not */
}

void ahead_free(ahead *a)
{
    ph_scenario_free(a->scenario);
    free(a->weights);
    free(a->lines);
    *a = (ahead){.of = NULL};
}

/* ---- Runs ---------------------------------------------------------------------------------------------------------- */

/* The largest error of an entry; NaN where one is not finite. */
static double compare(const ahead *a, const double *z)
{
    double most = 0;
    for (size_t k = 0; k < a->nz; k++) {
        const double d = a->weights[k] * fabs(z[k] - a->digits[k]);
        most = d > most || isnan(d) ? d : most;
        if (isnan(d))
            break;
    }
    return most;
}

/* *it <- the contender of the line with the step or the tolerance of the point. */
static ph_status bind(const ahead *a, const ahead_line *l, const ahead_point *p, ph_integrator **it,
                      ph_error *err)
{
    contender c, named;
    char text[CONTENDER_TEXT], label[CONTENDER_TEXT];
    *it = NULL;
    snprintf(label, sizeof label, "%s", l->label);
    char *bare = strstr(label, ":rtol"); /* which has no value in a label */
    if (bare)
        memmove(bare, bare + 5, strlen(bare + 5) + 1);
    ph_status status = contender_parse(&named, label, err);
    if (!status && l->adaptive)
        contender_write(&named, p->setting, a->of->absolute > 0 ? a->of->absolute : 1, text);
    if (!status)
        status = contender_parse(&c, l->adaptive ? text : label, err);
    return status ? status
                  : ph_integrator_create(a->start.system, c.method, a->time / (double)p->steps, c.settings,
                                         c.n_settings, it, err);
}

/* One run: *seconds <- its CPU time; its error, and how it ended, are the point's. */
static ph_status run_once(const ahead *a, ahead_point *p, ph_integrator *it, double *seconds, ph_error *err)
{
    ph_state *state;
    const double begin = meter_now(NULL);
    ph_status status = ph_state_create(it, &state, err);
    if (status)
        return status;
    status = contender_restart(it, state, &a->start);
    p->status = status ? status : ph_integrator_step(it, state, p->steps);
    *seconds = meter_now(NULL) - begin;
    p->error = p->status ? (double)NAN : compare(a, state->z);
    if (!p->status && !isfinite(p->error))
        p->status = PH_E_DIVERGED;
    ph_state_free(state);
    return PH_OK;
}

/* A turn of a point: some runs, so that the first one, for which nothing is in the caches, is not the only one. */
static ph_status take_turn(const ahead *a, const ahead_line *l, ahead_point *p, ph_error *err)
{
    enum { RUNS = 6 };
    static const double enough = 5e-4; /* [s] */
    ph_integrator *it;
    ph_error why;
    double spent = 0, seconds = 0;
    p->status = bind(a, l, p, &it, &why);
    if (p->status)
        return p->status == PH_E_NO_MEMORY ? ph_fail(err, p->status, "out of memory") : PH_OK;
    ph_status status = PH_OK;
    for (size_t i = 0; i < RUNS && spent < enough && !status && !p->status; i++) {
        status = run_once(a, p, it, &seconds, err);
        spent += seconds;
        if (!status && !p->status)
            p->seconds = fmin(p->seconds, seconds);
    }
    p->turns += !status && !p->status;
    ph_integrator_free(it);
    return status;
}

static ph_status pause_at(const ahead_plan *plan, double share, ph_error *err)
{
    const volatile sig_atomic_t *interrupt = plan->progress ? plan->progress->interrupt : NULL;
    watch_share(plan->progress, share);
    return interrupt && *interrupt ? ph_fail(err, PH_E_INTERRUPTED, "interrupted") : PH_OK;
}

/* What others need for the error of the point: of the same side only, or of all. */
static double least_for(const ahead *a, const ahead_point *p, bool all, bool ours)
{
    double least = INFINITY;
    for (size_t i = 0; i < a->n; i++)
        if (all || a->lines[i].ours == ours)
            least = fmin(least, ahead_cost(&a->lines[i], p->error).seconds);
    return least;
}

/* From coarse to fine, until the error no longer falls, or time is wasted. At coarse steps a solver may need more time than at finer
 * ones, or fail: what counts is a time that grows. */
static ph_status climb(ahead *a, ahead_line *l, const ahead_plan *plan, double share, ph_error *err)
{
    static const double hopeless = 20, small = 1e-6, finest = 1e-15;
    double best = INFINITY, last = INFINITY;
    int settled = 0, wasted = 0, failed = 0;
    ph_status status = PH_OK;
    for (size_t k = 0; k < AHEAD_POINTS && settled < 3 && wasted < 2 && failed < 14 && !status; k++) {
        const double h = a->of->first_step * pow(0.5, 0.5 * (double)k);
        ahead_point p = {.status = PH_E_INTERRUPTED, .error = NAN, .seconds = INFINITY};
        p.steps = l->adaptive ? 1 : (int64_t)ceil(a->time / h * (1 - 1e-12));
        p.setting = l->adaptive ? 1e-2 * pow(10, -0.5 * (double)k) : a->time / (double)p.steps;
        if (l->adaptive && p.setting < finest * (1 - 1e-12))
            break;
        if (l->n && !l->adaptive && l->points[l->n - 1].steps == p.steps)
            continue;
        status = take_turn(a, l, &p, err);
        l->points[l->n++] = p;
        failed = p.turns ? 0 : failed + 1;
        settled = p.error < small && p.error > 0.7 * best ? settled + 1 : 0;
        best = fmin(best, p.error);
        if (p.turns && p.seconds > last) {
            wasted = p.seconds > hopeless * least_for(a, &p, true, true) ? wasted + 1 : 0;
            if (1.4 * p.seconds > plan->limit)
                break;
        }
        last = p.turns ? p.seconds : last;
        if (!status)
            status = pause_at(plan, share, err);
    }
    return status;
}

/* One more turn of all points that may be the fastest of their side: in the first ones of many, whose times so far may be those of a
 * disturbed run. */
static ph_status repeat(ahead *a, const ahead_plan *plan, size_t turn, double share, ph_error *err)
{
    const double near = turn < 3 ? 4 : 1.6;
    ph_status status = PH_OK;
    for (size_t j = 0; j < a->n * AHEAD_POINTS && !status; j++) {
        ahead_line *l = &a->lines[(j + turn) % a->n];
        const size_t k = (j / a->n + turn) % AHEAD_POINTS;
        if (k >= l->n || l->points[k].status ||
            l->points[k].seconds > near * least_for(a, &l->points[k], false, l->ours))
            continue;
        status = take_turn(a, l, &l->points[k], err);
        if (!status)
            status = pause_at(plan, share, err);
    }
    return status;
}

ph_status ahead_make(ahead *a, const ahead_plan *plan, ph_error *err)
{
    enum { TURNS_LEAST = 3, TURNS_MOST = 15 };
    ph_status status = PH_OK;
    watch_stage(plan->progress, "%s: errors", a->name);
    for (size_t i = 0; i < a->n && !status; i++)
        status = climb(a, &a->lines[i], plan, (double)(i + 1) / (double)a->n, err);
    const double begun = meter_wall();
    watch_stage(plan->progress, "%s: times", a->name);
    for (size_t turn = 1; turn < TURNS_MOST && !status; turn++) {
        const double spent = meter_wall() - begun;
        if (turn > TURNS_LEAST && spent > plan->budget)
            break;
        status = repeat(a, plan, turn, fmax((double)turn / TURNS_MOST, fmin(1, spent / plan->budget)), err);
    }
    ahead_judge(a);
    a->status = status == PH_E_INTERRUPTED ? status : PH_OK;
    return a->status == status ? PH_OK : status;
}
