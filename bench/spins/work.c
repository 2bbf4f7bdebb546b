/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of trajectories against their cost (spins.h): each method with smaller and smaller steps, or tolerances. First every
 * point is run once, from coarse to fine, until an error is at rounding or at the doubt of the truth; then all run again in
 * turn, for their times. Truth and doubt are two methods of different families where the build has them. */
#include "measure.h"
#include "parts.h"

#include "bench/common/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outputs of a run, at which the energy is measured: adaptive methods start again at each. */
enum { TURNS_LEAST = 3, OUTPUTS = 20, OUTPUTS_ADAPTIVE = 4 };

static const double tolerances[SPINS_POINTS] = {1e-3, 1e-4, 1e-5,  1e-6,  1e-7,
                                                1e-8, 1e-9, 1e-10, 1e-12, 1e-14};
/* The truth has steps of first_step over this, the method that it is compared with over a number that is no multiple. */
static const double truth_part = 80, second_part = 55;

static double farthest(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = a[3 * i] - b[3 * i], y = a[3 * i + 1] - b[3 * i + 1],
                     z = a[3 * i + 2] - b[3 * i + 2], d = sqrt(x * x + y * y + z * z);
        if (!(d <= most))
            most = d; /* a NaN stays */
    }
    return most;
}

/* ---- Truth -------------------------------------------------------------------------------------------------------- */

static ph_status reach(const char *text, const spins *s, const motion *start, const spins_plan *plan,
                       double part, double *z, ph_error *err)
{
    const int64_t steps = (int64_t)ceil(s->of->time * part / s->of->first_step);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double unused = 0;
    ph_status status = steps_start(text, start, s->of->time / (double)steps, &it, &state, err);
    if (status)
        return status;
    status = steps_take(plan->watch, plan->progress, it, state, steps, &unused);
    memcpy(z, state->z, 3 * s->of->n * sizeof *z);
    if (status)
        ph_fail(err, status, "%s: %s", text,
                status == PH_E_INTERRUPTED ? "interrupted" : ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

static ph_status find_truth(spins *s, const motion *start, const spins_plan *plan, double *truth,
                            ph_error *err)
{
    static const char *const others[] = {"spin-splitting:order=8", "spherical-midpoint:order=8", "rk8"};
    double *other = calloc(3 * s->of->n, sizeof *other);
    if (!other)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    s->truth = "rk8";
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        contender c;
        s->second = others[i];
        if (!contender_parse(&c, others[i], NULL) && !ph_method_supports(c.method, start->system, NULL))
            break;
    }
    watch_stage(plan->progress, "%s: the truth", s->of->name);
    ph_status status = reach(s->truth, s, start, plan, truth_part, truth, err);
    if (!status)
        status = reach(s->second, s, start, plan, second_part, other, err);
    if (!status)
        s->doubt = farthest(other, truth, s->of->n);
    free(other);
    return status;
}

/* ---- Points ------------------------------------------------------------------------------------------------------- */

static void plan_points(const spins *s, spins_line *l)
{
    for (size_t k = 0; k < SPINS_POINTS; k++) {
        const double steps = ceil(s->of->time / s->of->first_step) * pow(2, (double)k);
        l->points[k] = (spins_point){.setting = l->adaptive ? tolerances[k] : s->of->time / steps,
                                     .steps = l->adaptive ? OUTPUTS_ADAPTIVE : (int64_t)steps,
                                     .status = PH_E_INTERRUPTED,
                                     .errors = {NAN, NAN, NAN, NAN},
                                     .median = NAN,
                                     .least = NAN};
    }
}

/* The steps of a run, with errors at OUTPUTS times. */
static ph_status follow(const spins *s, const motion *start, const spins_plan *plan, const spins_point *p,
                        ph_integrator *it, ph_state *state, spins_errors *errors, double *seconds)
{
    const int64_t outputs = p->steps < OUTPUTS ? p->steps : OUTPUTS;
    ph_status status = PH_OK;
    double energy;
    for (int64_t i = 0; i < outputs && !status; i++) {
        const int64_t next = p->steps * (i + 1) / outputs - p->steps * i / outputs;
        status = steps_take(plan->watch, plan->progress, it, state, next, seconds);
        if (!status)
            status = spins_measure(s, start, state, errors, &energy);
    }
    return status;
}

/* One run of a point: what it costs, and its errors. Fails only when it cannot start. */
static ph_status run_point(const spins *s, const motion *start, const spins_plan *plan, const spins_line *l,
                           spins_point *p, const double *truth, double *seconds, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    spins_errors errors = {0, 0, 0, 0};
    char text[192];
    *seconds = 0;
    if (l->adaptive)
        snprintf(text, sizeof text, "%s:rtol=%g:atol=%g", l->label, p->setting, p->setting);
    else
        snprintf(text, sizeof text, "%s", l->label);
    ph_status status = steps_start(text, start, s->of->time / (double)p->steps, &it, &state, err);
    if (status)
        return status;
    p->status = follow(s, start, plan, p, it, state, &errors, seconds);
    if (p->status == PH_E_INTERRUPTED)
        status = ph_fail(err, p->status, "interrupted");
    if (!p->status) {
        p->errors = errors;
        p->errors.place = farthest(state->z, truth, s->of->n);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* Is there nothing to gain by finer points? */
static bool is_settled(const spins *s, const spins_point *p, double before)
{
    return p->errors.place < 1e-6 && (p->errors.place <= 2 * s->doubt || p->errors.place > 0.7 * before);
}

static double *times_of(double *times, size_t i, size_t k)
{
    return times + (i * SPINS_POINTS + k) * TURNS_MOST;
}

static ph_status run_line(spins *s, size_t i, const motion *start, const spins_plan *plan,
                          const double *truth, double *times, ph_error *err)
{
    spins_line *l = &s->lines[i];
    double last = 0, best = INFINITY;
    int settled = 0;
    plan_points(s, l);
    for (size_t k = 0; k < SPINS_POINTS; k++) {
        spins_point *p = &l->points[k];
        double seconds;
        if (settled > 1 || 1.5 * last > plan->limit) {
            p->steps = 0;
            continue;
        }
        const ph_status status = run_point(s, start, plan, l, p, truth, &seconds, err);
        if (status)
            return status;
        if (p->status)
            continue;
        turns_enter(times_of(times, i, k), &p->turns, seconds, &p->median, &p->least);
        settled = is_settled(s, p, best) ? settled + 1 : 0;
        best = fmin(best, p->errors.place);
        last = seconds;
    }
    return PH_OK;
}

/* One more turn of all completed runs, beginning with another method each time. */
static ph_status run_again(spins *s, size_t turn, const motion *start, const spins_plan *plan,
                           const double *truth, double *times, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t j = 0; j < s->n * SPINS_POINTS && !status; j++) {
        const size_t i = (j + turn) % s->n, k = (j / s->n + turn) % SPINS_POINTS;
        spins_point *p = &s->lines[i].points[k], again = *p;
        double seconds;
        if (!p->turns)
            continue;
        status = run_point(s, start, plan, &s->lines[i], &again, truth, &seconds, err);
        if (!status && !again.status)
            turns_enter(times_of(times, i, k), &p->turns, seconds, &p->median, &p->least);
    }
    return status;
}

ph_status spins_work(spins *s, const motion *start, const spins_plan *plan, ph_error *err)
{
    double *truth = calloc(3 * s->of->n, sizeof *truth);
    double *times = calloc(s->n * SPINS_POINTS * TURNS_MOST + 1, sizeof *times);
    ph_status status = truth && times ? find_truth(s, start, plan, truth, err)
                                      : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: trajectories", s->of->name);
    for (size_t i = 0; i < s->n && !status; i++) {
        watch_share(plan->progress, (double)i / (double)s->n);
        status = run_line(s, i, start, plan, truth, times, err);
    }
    const double begun = meter_wall();
    watch_stage(plan->progress, "%s: trajectories: times", s->of->name);
    for (size_t turn = 1; turn < SPINS_TURNS && !status; turn++) {
        if (turn >= TURNS_LEAST && meter_wall() - begun > plan->budget)
            break;
        status = run_again(s, turn, start, plan, truth, times, err);
        watch_share(plan->progress, (double)turn / (SPINS_TURNS - 1));
    }
    free(times);
    free(truth);
    return status;
}
