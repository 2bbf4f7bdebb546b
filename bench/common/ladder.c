/* SPDX-License-Identifier: BSD-3-Clause */
/* Verification of a contender: its error against the truth must fall with the power of the step that it
 * claims. */
#include "ladder.h"
#include "numbers.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The truth ---------------------------------------------------------------------------------- */

/* z <- where the contender is after `steps` steps of h; the status of the run. */
static ph_status arrive(const contender *c, const ph_scenario *sc, double h, int64_t steps, double *z,
                        const volatile sig_atomic_t *interrupt, ph_error *err)
{
    ph_integrator *it;
    ph_state *state;
    ph_run_plan plan = {.steps = steps, .output = {.steps = steps}, .interrupt = interrupt};
    ph_run_report report;
    motion start = motion_of(sc);
    ph_status status = contender_start(c, &start, h, &it, &state, err);
    if (status)
        return status;
    status = ph_run(it, state, &plan, &report, err);
    memcpy(z, state->z, state->nz * sizeof *z);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* By a Runge-Kutta method whose step is halved until the result settles, or changes by rounding only. */
static ph_status compute(truth *t, const problem *p, const ph_scenario *sc,
                         const volatile sig_atomic_t *interrupt, ph_error *err)
{
    enum { FIRST = LADDER_STEPS - 1, LAST = LADDER_STEPS + 5 };
    static const double settled = 2e-13;
    size_t nz = ph_space_ambient(ph_system_space(ph_scenario_system(sc)));
    double *other = calloc(nz + 1, sizeof *other), h = copysign(p->first_step, ph_scenario_step_size(sc));
    contender c;
    ph_status status =
        other ? contender_parse(&c, "rk4-projected", err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    double steps = p->short_time / p->first_step, change = INFINITY, halvings = FIRST;
    for (int k = FIRST; !status && k <= LAST; k++) {
        double *to = k == FIRST ? t->z : other;
        status = arrive(&c, sc, h * pow(0.5, k), (int64_t)(steps * pow(2, k) + 0.5), to, interrupt, err);
        if (status || k == FIRST)
            continue;
        double moved = largest_difference(other, t->z, nz);
        if (!(moved < change))
            break; /* rounding dominates: the result before is the better one */
        change = moved;
        halvings = k;
        memcpy(t->z, other, nz * sizeof *other);
        if (change < settled)
            break;
    }
    free(other);
    t->uncertainty = change;
    if (status && status != PH_E_INTERRUPTED) {
        t->z[0] = NAN; /* no error relative to it is finite */
        snprintf(t->text, sizeof t->text, "No truth at t = %.6g s: its computation failed (%.300s).", t->time,
                 err->message);
        return PH_OK;
    }
    snprintf(t->text, sizeof t->text,
             "Truth at t = %.6g s: computed here by rk4-projected "
             "with steps halved until %.3g s; the last halving changed it by %.1e.",
             t->time, fabs(h) * pow(0.5, halvings), change);
    return status;
}

/* The start turned about e3, vector by vector. */
static void turn(truth *t, const problem *p, const ph_scenario *sc, size_t nz)
{
    const double *z = ph_scenario_configuration(sc);
    double angle = p->turning * copysign(t->time, ph_scenario_step_size(sc)), c = cos(angle), s = sin(angle);
    for (size_t i = 0; i + 2 < nz; i += 3) {
        t->z[i] = c * z[i] - s * z[i + 1];
        t->z[i + 1] = s * z[i] + c * z[i + 1];
        t->z[i + 2] = z[i + 2];
    }
}

ph_status truth_find(truth *t, const problem *p, const ph_scenario *sc,
                     const volatile sig_atomic_t *interrupt, ph_error *err)
{
    size_t nz = ph_space_ambient(ph_system_space(ph_scenario_system(sc)));
    *t = (truth){.kind = TRUTH_COMPUTED, .time = p->short_time, .z = calloc(nz + 1, sizeof *t->z)};
    if (!t->z)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (p->digits) {
        t->kind = TRUTH_DIGITS;
        t->uncertainty = DBL_EPSILON;
        memcpy(t->z, p->digits, nz * sizeof *t->z);
        snprintf(t->text, sizeof t->text,
                 "Truth at t = %.6g s: known to 20 digits, "
                 "from Taylor series of high order in quadruple precision.",
                 t->time);
        return PH_OK;
    }
    if (p->turning != 0) {
        t->kind = TRUTH_EXACT;
        t->uncertainty = 16 * DBL_EPSILON * fmax(1, fabs(p->turning * t->time));
        turn(t, p, sc, nz);
        snprintf(t->text, sizeof t->text,
                 "Truth at t = %.6g s: exact, a rotation about the vertical at %.15g rad/s.", t->time,
                 p->turning);
        return PH_OK;
    }
    return compute(t, p, sc, interrupt, err);
}

void truth_free(truth *t)
{
    free(t->z);
    t->z = NULL;
}

/* ---- The ladder ---------------------------------------------------------------------------------- */

static ph_status see(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err)
{
    ph_status status = ph_monitor_see(self, state, NULL);
    (void)done, (void)total;
    return status ? ph_fail(err, PH_E_DIVERGED, "no longer finite at t = %.10g s", state->t) : PH_OK;
}

static ph_status run_rung(rung *r, const contender *c, const ph_scenario *sc, const truth *t,
                          const volatile sig_atomic_t *interrupt, ph_error *err)
{
    ph_integrator *it = NULL;
    ph_state *state = NULL;
    ph_diagnostics *diagnostics = NULL;
    ph_monitor *monitor = NULL;
    ph_summary summary;
    double t0 = ph_scenario_time(sc);
    motion start = motion_of(sc);
    ph_status status = contender_start(c, &start, r->h, &it, &state, err);
    if (!status)
        status = ph_diagnostics_create(ph_scenario_system(sc), &diagnostics, err);
    if (!status)
        status = ph_monitor_create(diagnostics, t0, t0 + r->h * (double)r->steps, &monitor, err);
    if (!status) {
        ph_observer observer = {see, monitor};
        ph_run_plan plan = {.steps = r->steps,
                            .output = {.steps = 1},
                            .observers = &observer,
                            .n_observers = 1,
                            .interrupt = interrupt};
        ph_run_report report;
        ph_error why;
        r->status = ph_run(it, state, &plan, &report, &why);
        ph_monitor_summary(monitor, &summary);
        r->energy_error = summary.energy_error_max;
        if (!r->status)
            r->trajectory_error = largest_difference(state->z, t->z, state->nz);
    }
    ph_monitor_free(monitor);
    ph_diagnostics_free(diagnostics);
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* An error up to this comes from rounding, or from the truth's own uncertainty. */
static double rounding(const truth *t)
{
    return 30 * fmax(t->uncertainty, 2e-14);
}

/* Is the error so small that the leading power dominates, and larger than rounding? */
static int shows_order(const rung *r, const truth *t)
{
    return r->status == PH_OK && r->trajectory_error > rounding(t) && r->trajectory_error < 0.1;
}

/* The order, by least squares of log(error) against log(h) over the finest three rungs that show it; NaN for
 * fewer than two. */
static double measured_order(const ladder *l, const truth *t)
{
    double h[3], error[3];
    size_t n = 0;
    for (size_t i = LADDER_STEPS; i-- > 0 && n < 3;)
        if (shows_order(&l->rungs[i], t)) {
            h[n] = fabs(l->rungs[i].h);
            error[n++] = l->rungs[i].trajectory_error;
        }
    return log_slope(h, error, n);
}

/* An adaptive method has no order in h: at every step size its error must come from its tolerance, which each
 * of up to some hundred thousand internal steps may use up. */
static void judge_adaptive(ladder *l, const truth *t, double largest)
{
    static const double internal_steps = 1e5;
    const contender *c = l->contender;
    const double rtol = contender_tolerance(c);
    l->verified = largest < fmin(0.1, fmax(internal_steps * rtol, rounding(t)));
    snprintf(l->text, sizeof l->text,
             "%s is %s: error %.1e at most, whatever the step size, for a tolerance of %.0e.", c->label,
             l->verified ? "verified" : "NOT verified", largest, rtol);
}

static void judge(ladder *l, const truth *t)
{
    static const double tolerance = 0.25;
    const char *label = l->contender->label;
    const rung *finest = &l->rungs[LADDER_STEPS - 1];
    int claimed = l->claimed;
    double largest = 0;
    for (size_t i = 0; i < LADDER_STEPS; i++)
        largest = l->rungs[i].status == PH_OK ? fmax(largest, l->rungs[i].trajectory_error) : INFINITY;
    if (contender_is_adaptive(l->contender)) {
        judge_adaptive(l, t, largest);
        return;
    }
    l->order = measured_order(l, t);
    const int at_rounding = finest->status == PH_OK && finest->trajectory_error < rounding(t);
    const int measured = isfinite(l->order);
    l->verified = measured ? l->order > claimed - tolerance && finest->trajectory_error < 0.1 : at_rounding;
    if (largest < rounding(t))
        snprintf(l->text, sizeof l->text, "%s is verified: no step size has an error above rounding.", label);
    else if (l->verified && at_rounding && !(l->order < claimed + tolerance))
        snprintf(
            l->text, sizeof l->text,
            "%s is verified: it reaches rounding (error %.1e at h = %.3g s) before its order, %d claimed, can "
            "be measured.",
            label, finest->trajectory_error, fabs(finest->h), claimed);
    else if (measured)
        snprintf(l->text, sizeof l->text,
                 "%s is %s: order %.2f measured, %d claimed; error %.1e at h = %.3g s.", label,
                 !l->verified                     ? "NOT verified"
                 : l->order > claimed + tolerance ? "verified (better than it claims here)"
                                                  : "verified",
                 l->order, claimed, finest->trajectory_error, fabs(finest->h));
    else
        snprintf(l->text, sizeof l->text,
                 "%s is NOT verified: at no two steps down to h = %.3g s is its error between "
                 "rounding and 0.1, so no order (%d claimed) can be measured.",
                 label, fabs(finest->h), claimed);
}

ph_status ladder_climb(ladder *l, const contender *c, const problem *p, const ph_scenario *sc, const truth *t,
                       const volatile sig_atomic_t *interrupt, ph_error *err)
{
    double values[CONTENDER_OPTIONS];
    ladder made = {.contender = c, .order = NAN};
    ph_status read = ph_method_options(c->method, c->settings, c->n_settings, values, err);
    if (read)
        return read;
    made.claimed = ph_method_order(c->method, ph_scenario_system(sc), values);
    double steps = p->short_time / p->first_step;
    for (size_t k = 0; k < LADDER_STEPS; k++) {
        rung *r = &made.rungs[k];
        *r = (rung){.h = copysign(p->first_step, ph_scenario_step_size(sc)) * pow(0.5, (double)k),
                    .steps = (int64_t)(steps * pow(2, (double)k) + 0.5),
                    .trajectory_error = NAN,
                    .energy_error = NAN,
                    .time = no_timing,
                    .cpu_seconds = NAN};
        ph_status status = run_rung(r, c, sc, t, interrupt, err);
        if (status)
            return status;
        if (r->status == PH_E_INTERRUPTED)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted while %s was verified", c->label);
    }
    judge(&made, t);
    *l = made; /* an interrupted ladder does not count */
    return PH_OK;
}
