/* SPDX-License-Identifier: BSD-3-Clause */
/* A long run of each method (study.h): how the energy error grows from its first to its last tenth, and, where there is a truth,
 * how far the motion is from it in the last tenth. A step of a composition of s stages is s times as long as one of order 2, where
 * the kind has no other plan. All runs with a truth are looked at at the same times; it is the kind's most accurate method with
 * small steps, and its doubt the difference from the same with steps of another size. */
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_LEAST = 20 };

/* ---- Truth -------------------------------------------------------------------------------------------------------- */

/* z (samples x nz) <- the motion at all samples, by a whole number of steps of about h in each interval. */
static ph_status record(const study *s, const study_plan *plan, double h, double *z, ph_error *err)
{
    const int64_t samples = s->kind->samples;
    const double interval = s->long_time / (double)samples;
    const int64_t steps = (int64_t)fmax(1, floor(interval / h + 0.5));
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double unused = 0;
    ph_status status = study_start(s, s->kind->truth, interval / (double)steps, &it, &state, err);
    for (int64_t i = 0; i < samples && !status; i++) {
        status = study_take(plan, it, state, steps, &unused);
        memcpy(z + (size_t)i * s->nz, state->z, s->nz * sizeof *z);
        watch_share(plan->progress, (double)i / (double)samples);
        if (status)
            ph_fail(err, status, "%s",
                    status == PH_E_INTERRUPTED ? "interrupted" : ph_integrator_message(it));
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* truth, other (samples x nz) */
static ph_status find_truth(study *s, const study_plan *plan, double *known, double *other, ph_error *err)
{
    const study_kind *kind = s->kind;
    watch_stage(plan->progress, "%s: the truth of the long run", s->name);
    ph_status status = record(s, plan, kind->long_part * s->first_step, known, err);
    watch_stage(plan->progress, "%s: its check", s->name);
    if (!status)
        status = record(s, plan, kind->long_second_part * s->first_step, other, err);
    for (int64_t i = 0; i < kind->samples && !status; i++) {
        double errors[STUDY_ERRORS] = {0};
        kind->compare(s, other + (size_t)i * s->nz, known + (size_t)i * s->nz, errors);
        for (size_t k = 0; k < STUDY_ERRORS; k++)
            s->long_doubt[k] = fmax(s->long_doubt[k], errors[k]);
    }
    return status;
}

/* ---- Runs --------------------------------------------------------------------------------------------------------- */

typedef struct path {
    study *s;
    study_run *r;
    const study_plan *plan;
    const double *known; /* or NULL */
    ph_integrator *it;
    ph_state *state;
    double begun, share; /* of all runs: before this one, and its own */
} path;

/* 0, 1: the sample, from 1 to samples, is in the first, the last tenth; -1: in neither. */
static int enter_tenth(tenths *t, int64_t sample, int64_t samples, double error)
{
    const int which = sample * 10 <= samples ? 0 : sample * 10 > 9 * samples ? 1 : -1;
    if (which < 0)
        return which;
    t->sum[which] += error;
    t->n[which]++;
    t->most[which] = fmax(t->most[which], fabs(error));
    return which;
}

static void enter(path *x, int64_t i, int64_t samples, double energy)
{
    study_run *r = x->r;
    const study *s = x->s;
    double errors[STUDY_ERRORS] = {0};
    r->reached = x->state->t - s->start.time;
    const int tenth = enter_tenth(&r->energy, i, samples, energy);
    curve_enter(&r->energies, r->reached, energy);
    if (!x->known)
        return;
    s->kind->compare(s, x->state->z, x->known + (size_t)(s->kind->samples / samples * i - 1) * s->nz, errors);
    curve_enter(&r->distances, r->reached, errors[0]);
    for (size_t k = 0; k < STUDY_ERRORS && tenth == 1; k++)
        r->errors[k] = fmax(r->errors[k], errors[k]);
}

static ph_status follow(path *x, ph_error *err)
{
    study_run *r = x->r;
    study *s = x->s;
    const int64_t samples = r->steps < s->kind->samples ? r->steps : s->kind->samples;
    double energy = 0;
    int64_t done = 0;
    ph_status status = s->kind->measure(s, x->state, true, r->errors, &energy);
    for (int64_t i = 1; i <= samples && !status; i++) {
        const int64_t until = (int64_t)((double)r->steps * (double)i / (double)samples);
        status = study_take(x->plan, x->it, x->state, until - done, &r->cpu);
        done = until;
        if (!status)
            status = s->kind->measure(s, x->state, false, r->errors, &energy);
        if (status)
            break;
        enter(x, i, samples, energy);
        if (i % 100 == 0)
            watch_share(x->plan->progress, x->begun + x->share * (double)i / (double)samples);
    }
    if (status == PH_E_INTERRUPTED)
        return ph_fail(err, status, "interrupted");
    r->status = status;
    return PH_OK;
}

static ph_status run_line(study *s, size_t i, const study_plan *plan, const double *known, ph_error *err)
{
    study_line *l = &s->lines[i];
    path x = {.s = s,
              .r = &l->run,
              .plan = plan,
              .known = known,
              .begun = (double)i / (double)s->n,
              .share = 1 / (double)s->n};
    char text[192];
    l->run = (study_run){.status = PH_E_INTERRUPTED};
    if (s->kind->plan_run) {
        s->kind->plan_run(s, l);
    } else {
        l->run.h = l->stages * s->of->stage;
        l->run.steps = (int64_t)fmax(STEPS_LEAST, (double)s->long_steps / l->stages);
    }
    l->run.energies = l->run.distances =
        curve_start(s->kind->plan_run ? s->long_time / (double)s->kind->samples : 10 * s->of->stage);
    snprintf(text, sizeof text, "%s%s", l->label,
             l->adaptive && s->kind->long_options && !strstr(l->label, "rtol") ? s->kind->long_options : "");
    ph_status status = study_start(s, text, l->run.h, &x.it, &x.state, err);
    if (!status)
        status = follow(&x, err);
    ph_state_free(x.state);
    ph_integrator_free(x.it);
    return status;
}

ph_status study_long(study *s, const study_plan *plan, ph_error *err)
{
    const size_t samples = (size_t)s->kind->samples;
    double *known = s->kind->long_part > 0 ? calloc(2 * samples * s->nz, sizeof *known) : NULL;
    ph_status status = PH_OK;
    if (s->kind->long_part > 0)
        status = known ? find_truth(s, plan, known, known + samples * s->nz, err)
                       : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: the long run", s->name);
    for (size_t i = 0; i < s->n && !status; i++)
        status = run_line(s, i, plan, known, err);
    free(known);
    return status;
}
