/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of trajectories against their cost (study.h): each method with smaller and smaller steps, each half of the one before, or
 * tolerances. First every point is run once, from coarse to fine, until an error is at rounding or at the doubt of the truth; then
 * all run again in turn, for their times. Times are those of all steps, without setting up. */
#include "study.h"

#include "bench/common/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_LEAST = 3, TURNS_MOST = 15 };

int64_t study_steps(double time, double h)
{
    return (int64_t)ceil(time / h *
                         (1 - 1e-12)); /* a whole number of steps but for rounding is that number */
}

/* ---- Truth -------------------------------------------------------------------------------------------------------- */

ph_status study_reach(const study *s, const char *text, double time, double h, const study_plan *plan,
                      double *z, ph_error *err)
{
    const int64_t steps = study_steps(time, h);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double unused = 0;
    ph_status status = study_start(s, text, time / (double)steps, &it, &state, err);
    if (status)
        return status;
    status = study_take(plan, it, state, steps, &unused);
    memcpy(z, state->z, s->nz * sizeof *z);
    if (status)
        ph_fail(err, status, "%s: %s", text,
                status == PH_E_INTERRUPTED ? "interrupted" : ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* Truth and doubt are two methods of different families where the build has them. A problem brings its own truth. */
static ph_status find_truth(study *s, const study_plan *plan, double *known, ph_error *err)
{
    const study_kind *kind = s->kind;
    watch_stage(plan->progress, "%s: the truth", s->name);
    if (!kind->truth) {
        const ph_status status = truth_find(&s->solution, &s->problem, s->scenario,
                                            plan->progress ? plan->progress->interrupt : NULL, err);
        if (!status)
            memcpy(known, s->solution.z, s->nz * sizeof *known);
        s->truth = s->solution.text[0] ? s->solution.text : NULL;
        return status;
    }
    double *other = calloc(s->nz, sizeof *other);
    if (!other)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->truth = kind->truth;
    for (size_t i = 0; kind->seconds[i]; i++) {
        contender c;
        s->second = kind->seconds[i];
        if (!contender_parse(&c, s->second, NULL) && !ph_method_supports(c.method, s->start.system, NULL))
            break;
    }
    ph_status status =
        study_reach(s, s->truth, s->times[0], kind->truth_part * s->first_step, plan, known, err);
    if (!status)
        status = study_reach(s, s->second, s->times[0], kind->second_part * s->first_step, plan, other, err);
    if (!status)
        kind->compare(s, other, known, s->doubt);
    free(other);
    return status;
}

/* ---- Points ------------------------------------------------------------------------------------------------------- */

/* The runs of all lines; of a series, with the truth and the times of its turns (n x STUDY_POINTS x TURNS_MOST). */
typedef struct pass {
    study *s;
    const study_plan *plan;
    size_t which;
    const study_series *series;
    const double *known;
    double *times;
} pass;

static void plan_points(const pass *x, study_line *l)
{
    const study *s = x->s;
    const double time = s->times[x->which];
    for (size_t k = 0; k < s->kind->n_points; k++) {
        const int64_t steps = l->adaptive ? x->series->outputs_adaptive
                                          : study_steps(time, s->first_step * pow(0.5, (double)k));
        const double h = time / (double)steps;
        l->points[k][x->which] = (study_point){.quantity = x->series->name,
                                               .setting = l->adaptive ? s->kind->tolerances[k] : h,
                                               .time = time,
                                               .h = s->sign * h,
                                               .steps = steps,
                                               .status = PH_E_INTERRUPTED,
                                               .errors = {NAN, NAN, NAN, NAN},
                                               .cpu = NAN,
                                               .least = NAN};
    }
}

/* The steps of a run, with what should be conserved at its outputs. */
static ph_status follow(const pass *x, const study_point *p, ph_integrator *it, ph_state *state,
                        double *errors, double *seconds)
{
    study *s = x->s;
    const int64_t most = x->series->outputs > 1 ? x->series->outputs : 1,
                  outputs = p->steps < most ? p->steps : most;
    double energy;
    ph_status status = x->series->outputs ? s->kind->measure(s, state, true, errors, &energy) : PH_OK;
    for (int64_t i = 0; i < outputs && !status; i++) {
        const int64_t next = p->steps * (i + 1) / outputs - p->steps * i / outputs;
        status = study_take(x->plan, it, state, next, seconds);
        if (!status && x->series->outputs)
            status = s->kind->measure(s, state, false, errors, &energy);
    }
    return status;
}

/* One run of a point: what it costs, and its errors. Fails only when it cannot start. */
static ph_status run_point(const pass *x, const study_line *l, study_point *p, double *seconds, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double errors[STUDY_ERRORS] = {0};
    char text[CONTENDER_TEXT];
    contender c;
    *seconds = 0;
    snprintf(text, sizeof text, "%s", l->label);
    ph_status status = l->adaptive ? contender_parse(&c, text, err) : PH_OK;
    if (!status && l->adaptive)
        contender_write(&c, p->setting, x->s->kind->absolute, text);
    if (!status)
        status = study_start(x->s, text, p->h, &it, &state, err);
    if (status)
        return status;
    p->status = follow(x, p, it, state, errors, seconds);
    if (p->status == PH_E_INTERRUPTED)
        status = ph_fail(err, p->status, "interrupted");
    if (!p->status) {
        if (x->series->compared)
            x->s->kind->compare(x->s, state->z, x->known, errors);
        memcpy(p->errors, errors, sizeof errors);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

static double *times_of(const pass *x, size_t i, size_t k)
{
    return x->times + (i * STUDY_POINTS + k) * TURNS_MOST;
}

/* Enters the time of a turn of a point: of all so far the median and the least are kept. */
static void enter_turn(const pass *x, size_t i, size_t k, double seconds)
{
    study_point *p = &x->s->lines[i].points[k][x->which];
    double *times = times_of(x, i, k), sorted[TURNS_MOST];
    times[p->turns++] = seconds;
    memcpy(sorted, times, p->turns * sizeof *sorted);
    sort_numbers(sorted, p->turns);
    p->least = sorted[0];
    p->cpu = sorted_quantile(sorted, p->turns, 0.5);
}

/* Is there nothing to gain by finer points? */
static bool is_settled(const study *s, const study_point *p, double before)
{
    return p->errors[0] < s->kind->settled &&
           (p->errors[0] <= 2 * s->doubt[0] || p->errors[0] > 0.7 * before);
}

static ph_status run_line(const pass *x, size_t i, ph_error *err)
{
    study *s = x->s;
    study_line *l = &s->lines[i];
    double last = 0, best = INFINITY;
    int settled = 0;
    plan_points(x, l);
    for (size_t k = 0; k < s->kind->n_points; k++) {
        study_point *p = &l->points[k][x->which];
        double seconds;
        watch_share(x->plan->progress, ((double)i + (double)k / (double)s->kind->n_points) / (double)s->n);
        if (settled > 1 || last * s->kind->growth > x->plan->limit) {
            p->steps = 0;
            continue;
        }
        const ph_status status = run_point(x, l, p, &seconds, err);
        if (status)
            return status;
        if (p->status)
            continue;
        enter_turn(x, i, k, seconds);
        settled = is_settled(s, p, best) ? settled + 1 : 0;
        best = fmin(best, p->errors[0]);
        last = seconds;
    }
    return PH_OK;
}

/* One more turn of all completed runs, beginning with another method each time. */
static ph_status run_again(const pass *x, size_t turn, ph_error *err)
{
    study *s = x->s;
    ph_status status = PH_OK;
    for (size_t j = 0; j < s->n * s->kind->n_points && !status; j++) {
        const size_t i = (j + turn) % s->n, k = (j / s->n + turn) % s->kind->n_points;
        study_point *p = &s->lines[i].points[k][x->which], again = *p;
        double seconds;
        if (!p->turns)
            continue;
        status = run_point(x, &s->lines[i], &again, &seconds, err);
        if (!status && !again.status)
            enter_turn(x, i, k, seconds);
    }
    return status;
}

static ph_status run_series(const pass *x, ph_error *err)
{
    study *s = x->s;
    bench_watch *progress = x->plan->progress;
    ph_status status = PH_OK;
    watch_stage(progress, "%s: %s", s->name, x->series->name);
    for (size_t i = 0; i < s->n && !status; i++)
        status = run_line(x, i, err);
    const double begun = meter_wall();
    watch_stage(progress, "%s: %s: times", s->name, x->series->name);
    for (size_t turn = 1; turn < s->kind->turns && !status; turn++) {
        if (turn >= TURNS_LEAST && meter_wall() - begun > x->plan->budget)
            break;
        status = run_again(x, turn, err);
        watch_share(progress, (double)turn / (double)(s->kind->turns - 1));
    }
    return status;
}

ph_status study_trajectories(study *s, const study_plan *plan, ph_error *err)
{
    double *known = calloc(s->nz, sizeof *known);
    ph_status status =
        known ? find_truth(s, plan, known, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t which = 0; which < STUDY_SERIES && s->kind->series[which].name && !status; which++) {
        const pass x = {.s = s,
                        .plan = plan,
                        .which = which,
                        .series = &s->kind->series[which],
                        .known = known,
                        .times = calloc(s->n * STUDY_POINTS * TURNS_MOST + 1, sizeof *x.times)};
        status = x.times ? run_series(&x, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        free(x.times);
    }
    free(known);
    return status;
}
