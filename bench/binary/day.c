/* SPDX-License-Identifier: BSD-3-Clause */
/* The error of a trajectory after a day against its cost (binary.h): each method with smaller and smaller steps, or tolerances.
 * First every point is run once, from coarse to fine, until an error is at rounding or at the doubt of the truth; then all run
 * again in turn, for their times. The truth is variational of order 8 with small steps, its doubt the difference from rk8. */
#include "parts.h"

#include "bench/common/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_LEAST = 3 };

/* The first step in radians of the fastest turn; the tolerances. The absolute one is that part of the relative one: spins are of
 * the size of 1e-4, entries of R of the size of 1, places of 1e3, in SI. */
static const double first_step = 2, absolute = 1e-4;
static const double tolerances[BINARY_POINTS] = {1e-3, 1e-4, 1e-5,  1e-6,  1e-7,
                                                 1e-8, 1e-9, 1e-10, 1e-12, 1e-14};

/* ---- Truth -------------------------------------------------------------------------------------------------------- */

static ph_status reach(const char *text, const binary_motion *m, const binary_plan *plan, double time,
                       double h, double *z, ph_error *err)
{
    const int64_t steps = (int64_t)ceil(time / h);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double unused = 0;
    ph_status status = steps_start(text, m->start, time / (double)steps, &it, &state, err);
    if (status)
        return status;
    status = steps_take(plan->watch, plan->progress, it, state, steps, &unused);
    memcpy(z, state->z, m->nz * sizeof *z);
    if (status)
        ph_fail(err, status, "%s: %s", text,
                status == PH_E_INTERRUPTED ? "interrupted" : ph_integrator_message(it));
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

static ph_status find_truth(binary *b, const binary_motion *m, const binary_plan *plan, double *truth,
                            ph_error *err)
{
    double *other = calloc(m->nz, sizeof *other);
    if (!other)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: the truth", b->of->name);
    ph_status status = reach("variational:order=8", m, plan, b->day, 0.06 / b->rate, truth, err);
    if (!status)
        status = reach("rk8", m, plan, b->day, 0.04 / b->rate, other, err);
    binary_differ(m, other, truth, &b->doubt.place, &b->doubt.turn);
    free(other);
    return status;
}

/* ---- Points ------------------------------------------------------------------------------------------------------- */

static void plan_points(const binary *b, binary_line *l)
{
    for (size_t k = 0; k < BINARY_POINTS; k++) {
        const double h = first_step / b->rate * pow(0.5, (double)k);
        l->points[k] = (binary_point){.setting = l->adaptive ? tolerances[k] : b->day / ceil(b->day / h),
                                      .steps = l->adaptive ? 1 : (int64_t)ceil(b->day / h),
                                      .status = PH_E_INTERRUPTED,
                                      .place = NAN,
                                      .turn = NAN,
                                      .cpu = NAN,
                                      .least = NAN};
    }
}

/* One run of a point: what it costs, and its errors. Fails only when it cannot start. */
static ph_status run_point(const binary *b, const binary_motion *m, const binary_plan *plan,
                           const binary_line *l, binary_point *p, const double *truth, double *seconds,
                           ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    char text[192];
    *seconds = 0;
    if (l->adaptive)
        snprintf(text, sizeof text, "%s:rtol=%g:atol=%g", l->label, p->setting, absolute * p->setting);
    else
        snprintf(text, sizeof text, "%s", l->label);
    ph_status status = steps_start(text, m->start, b->day / (double)p->steps, &it, &state, err);
    if (status)
        return status;
    p->status = steps_take(plan->watch, plan->progress, it, state, p->steps, seconds);
    if (p->status == PH_E_INTERRUPTED)
        status = ph_fail(err, p->status, "interrupted");
    else if (!p->status)
        binary_differ(m, state->z, truth, &p->place, &p->turn);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

static double *times_of(double *times, size_t i, size_t k)
{
    return times + (i * BINARY_POINTS + k) * TURNS_MOST;
}

/* Is there nothing to gain by finer points? */
static bool is_settled(const binary *b, const binary_point *p, double before)
{
    const bool known = p->place <= 2 * b->doubt.place;
    return known || p->place > 0.7 * before;
}

static ph_status run_line(binary *b, size_t i, const binary_motion *m, const binary_plan *plan,
                          const double *truth, double *times, ph_error *err)
{
    binary_line *l = &b->lines[i];
    double last = 0, best = INFINITY;
    int settled = 0;
    plan_points(b, l);
    for (size_t k = 0; k < BINARY_POINTS; k++) {
        binary_point *p = &l->points[k];
        double seconds;
        if (settled > 1 || 1.5 * last > plan->limit) {
            p->steps = 0;
            continue;
        }
        const ph_status status = run_point(b, m, plan, l, p, truth, &seconds, err);
        if (status)
            return status;
        if (p->status)
            continue;
        turns_enter(times_of(times, i, k), &p->turns, seconds, &p->cpu, &p->least);
        settled = is_settled(b, p, best) && p->place < 1 ? settled + 1 : 0;
        best = fmin(best, p->place);
        last = seconds;
    }
    return PH_OK;
}

/* One more turn of all completed runs, beginning with another method each time. */
static ph_status run_again(binary *b, size_t turn, const binary_motion *m, const binary_plan *plan,
                           const double *truth, double *times, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t j = 0; j < b->n * BINARY_POINTS && !status; j++) {
        const size_t i = (j + turn) % b->n, k = (j / b->n + turn) % BINARY_POINTS;
        binary_point *p = &b->lines[i].points[k], again = *p;
        double seconds;
        if (!p->turns)
            continue;
        status = run_point(b, m, plan, &b->lines[i], &again, truth, &seconds, err);
        if (!status && !again.status)
            turns_enter(times_of(times, i, k), &p->turns, seconds, &p->cpu, &p->least);
    }
    return status;
}

ph_status binary_day(binary *b, const binary_motion *m, const binary_plan *plan, ph_error *err)
{
    double *truth = calloc(m->nz, sizeof *truth);
    double *times = calloc(b->n * BINARY_POINTS * TURNS_MOST + 1, sizeof *times);
    ph_status status =
        truth && times ? find_truth(b, m, plan, truth, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    watch_stage(plan->progress, "%s: trajectories", b->of->name);
    for (size_t i = 0; i < b->n && !status; i++) {
        watch_share(plan->progress, (double)i / (double)b->n);
        status = run_line(b, i, m, plan, truth, times, err);
    }
    const double start = meter_wall();
    watch_stage(plan->progress, "%s: trajectories: times", b->of->name);
    for (size_t turn = 1; turn < BINARY_TURNS && !status; turn++) {
        if (turn >= TURNS_LEAST && meter_wall() - start > plan->budget)
            break;
        status = run_again(b, turn, m, plan, truth, times, err);
        watch_share(plan->progress, (double)turn / (BINARY_TURNS - 1));
    }
    free(times);
    free(truth);
    return status;
}
