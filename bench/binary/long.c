/* SPDX-License-Identifier: BSD-3-Clause */
/* A long run of each method at the cost of variational of order 2 with a fixed number of steps a radian (binary.h): the energy
 * error and the error of places and attitudes. All are looked at, at the same times, next to the truth: variational of order 8
 * with small steps, of which the doubt is the difference from the same with steps of another size. Energy errors are relative
 * to the potential energy at the start. */
#include "parts.h"

#include "bench/common/tenths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 1200, STEPS_A_RADIAN = 40 };

/* ---- Following ---------------------------------------------------------------------------------------------------- */

/* A whole number of steps of about h in an interval between samples. */
static int64_t steps_in(double interval, double h)
{
    return (int64_t)fmax(1, floor(interval / h + 0.5));
}

static ph_status energy_of(ph_diagnostics *d, const ph_state *state, double *energy)
{
    ph_measures measures;
    const ph_status status = ph_diagnostics_measure(d, state, &measures);
    *energy = measures.energy;
    return status;
}

/* z (SAMPLES x nz) <- a motion at all samples. */
static ph_status record(const binary *b, const binary_motion *m, const binary_plan *plan, double h, double *z,
                        ph_error *err)
{
    const double interval = b->time / SAMPLES;
    const int64_t steps = steps_in(interval, h);
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double unused = 0;
    ph_status status =
        steps_start("variational:order=8", m->start, interval / (double)steps, &it, &state, err);
    for (size_t i = 0; i < SAMPLES && !status; i++) {
        status = steps_take(plan->watch, plan->progress, it, state, steps, &unused);
        memcpy(z + i * m->nz, state->z, m->nz * sizeof *z);
        watch_share(plan->progress, (double)i / SAMPLES);
        if (status)
            ph_fail(err, status, "%s",
                    status == PH_E_INTERRUPTED ? "interrupted" : ph_integrator_message(it));
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

static void enter(const binary *b, binary_run *r, tenths *t, size_t i, double time, double energy,
                  double place, double turn)
{
    const double error = energy / fabs(b->potential);
    curve_enter(&r->energy, time, error);
    curve_enter(&r->distance, time, place);
    if (tenths_enter(t, (int64_t)i + 1, SAMPLES, error) == 1) {
        r->place = fmax(r->place, place);
        r->turn = fmax(r->turn, turn);
    }
}

static ph_status follow(const binary *b, binary_run *r, const char *text, const binary_motion *m,
                        const binary_plan *plan, const double *truth, ph_diagnostics *d, int64_t steps,
                        size_t stride, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    double E0 = 0, E = 0, place, turn;
    tenths t = {{0, 0}, {0, 0}, {0, 0}};
    ph_status status = steps_start(text, m->start, r->h, &it, &state, err);
    if (status)
        return status;
    status = energy_of(d, state, &E0);
    for (size_t i = stride - 1; i < SAMPLES && !status; i += stride) {
        status = steps_take(plan->watch, plan->progress, it, state, steps, &r->cpu);
        if (!status)
            status = energy_of(d, state, &E);
        if (status)
            break;
        binary_differ(m, state->z, truth + i * m->nz, &place, &turn);
        r->reached = state->t - m->start->time;
        enter(b, r, &t, i, r->reached, E - E0, place, turn);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    if (status == PH_E_INTERRUPTED)
        return ph_fail(err, status, "interrupted");
    r->status = status;
    r->first = t.most[0];
    r->last = t.most[1];
    r->drift = tenths_drift(&t);
    return PH_OK;
}

/* ---- The runs ----------------------------------------------------------------------------------------------------- */

/* [s] CPU for a second of motion: that of variational of order 2, or of the cheapest, with so many steps a radian. */
static double price(const binary *b)
{
    double least = INFINITY;
    for (size_t i = 0; i < b->n; i++) {
        if (!strcmp(b->lines[i].label, "variational:order=2") || !strcmp(b->lines[i].label, "variational"))
            return b->lines[i].time.median * STEPS_A_RADIAN * b->rate;
        least = fmin(least, b->lines[i].time.median);
    }
    return least * STEPS_A_RADIAN * b->rate;
}

/* Adaptive methods stop at each output, so that they have fewer. */
static ph_status run_line(binary *b, binary_line *l, const binary_motion *m, const binary_plan *plan,
                          const double *truth, ph_diagnostics *d, ph_error *err)
{
    enum { STRIDE = 8 };
    const double interval = b->time / SAMPLES;
    const int64_t steps = l->adaptive ? 1 : steps_in(interval, l->time.median / price(b));
    binary_run *r = &l->run;
    char text[192];
    *r = (binary_run){.h = l->adaptive ? STRIDE * interval : interval / (double)steps};
    r->energy = r->distance = curve_start(interval);
    if (l->adaptive && !strstr(l->label, "rtol"))
        snprintf(text, sizeof text, "%s:rtol=1e-10:atol=1e-14", l->label);
    else
        snprintf(text, sizeof text, "%s", l->label);
    return follow(b, r, text, m, plan, truth, d, steps, l->adaptive ? STRIDE : 1, err);
}

static ph_status find_truth(binary *b, const binary_motion *m, const binary_plan *plan, double *truth,
                            double *other, ph_error *err)
{
    watch_stage(plan->progress, "%s: the truth of the long run", b->of->name);
    ph_status status = record(b, m, plan, 0.08 / b->rate, truth, err);
    watch_stage(plan->progress, "%s: its check", b->of->name);
    if (!status)
        status = record(b, m, plan, 0.11 / b->rate, other, err);
    for (size_t i = 0; i < SAMPLES && !status; i++) {
        double place, turn;
        binary_differ(m, other + i * m->nz, truth + i * m->nz, &place, &turn);
        b->long_doubt.place = fmax(b->long_doubt.place, place);
        b->long_doubt.turn = fmax(b->long_doubt.turn, turn);
    }
    return status;
}

ph_status binary_long(binary *b, const binary_motion *m, const binary_plan *plan, ph_error *err)
{
    ph_diagnostics *d = NULL;
    double *truth = calloc(2 * SAMPLES * m->nz, sizeof *truth);
    ph_status status = truth ? ph_diagnostics_create(m->start->system, &d, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = find_truth(b, m, plan, truth, truth + SAMPLES * m->nz, err);
    watch_stage(plan->progress, "%s: the long run", b->of->name);
    for (size_t i = 0; i < b->n && !status; i++) {
        watch_share(plan->progress, (double)i / (double)b->n);
        status = run_line(b, &b->lines[i], m, plan, truth, d, err);
    }
    ph_diagnostics_free(d);
    free(truth);
    return status;
}
