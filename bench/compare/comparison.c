/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison, in this order: find the truth and run the ladders; time their rungs; run the long trials at
 * the given steps, with timing in between; from these times, compute step sizes of equal cost; run the trials
 * at those; at last the adaptive methods, which choose their steps. */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Timings: the most turns that are kept, the least turns of the first burst, CPU time of a slice [s]. */
enum { ROUNDS_MOST = 6000, ROUNDS_LEAST = 25 };
static const double slice = 0.0003;

static void trial_shows(void *self, const trial *tr, double t, int64_t done)
{
    watch_steps(self, t, done, tr->steps);
}

/* The contender that times are relative to: what most would take otherwise. The first explicit method without
 * error control that claims the manifold alone (a projected Runge-Kutta method), else the first that claims
 * nothing, else the first that is not adaptive, else the first. */
static size_t choose_reference(const contender *contenders, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (contenders[i].method->claims == PH_CLAIM_MANIFOLD)
            return i;
    for (size_t i = 0; i < n; i++)
        if (!contenders[i].method->claims)
            return i;
    for (size_t i = 0; i < n; i++)
        if (!comparison_adaptive(&contenders[i]))
            return i;
    return 0;
}

int comparison_adaptive(const contender *c)
{
    return contender_is_adaptive(c);
}

static size_t count_groups(const problem *p)
{
    size_t n = 0;
    while (n < PROBLEM_STEPS && p->steps[n] > 0)
        n++;
    return n;
}

/* The trial of the reference contender at the step asked for; NULL where it takes part in none. */
static const trial *find_reference(const comparison *c, double group)
{
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis == SAME_STEP && t->group == group && t->contender == &c->contenders[c->reference])
            return t;
    }
    return NULL;
}

const trial *comparison_reference(const comparison *c, double group)
{
    const trial *t = find_reference(c, group);
    return t && t->steps_done ? t : NULL;
}

int comparison_shows(const comparison *c, size_t i, trial_basis basis)
{
    const trial *t = &c->trials[i];
    if (t->basis == basis)
        return 1;
    if (basis != SAME_CPU || t->contender != &c->contenders[c->reference])
        return 0;
    for (size_t j = 0; j < c->n_trials; j++) /* not if it is the only one there */
        if (c->trials[j].basis == SAME_CPU && c->trials[j].group == t->group)
            return 1;
    return 0;
}

static double error_of(const rung *r, cost_error error)
{
    return error == COST_ENERGY ? r->energy_error : r->trajectory_error;
}

const double cost_levels[COST_LEVELS] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

double cost_of(const ladder *l, cost_error error, double level)
{
    size_t first = LADDER_STEPS; /* from here on every rung is good enough */
    for (size_t i = LADDER_STEPS;
         i-- > 0 && l->rungs[i].status == PH_OK && error_of(&l->rungs[i], error) <= level;)
        first = i;
    if (first == LADDER_STEPS)
        return INFINITY;
    const rung *good = &l->rungs[first], *bad = good - (first > 0);
    double eg = error_of(good, error), eb = error_of(bad, error);
    if (first == 0 || bad->status != PH_OK || !(eg > 0) || !(eb > eg))
        return good->cpu_seconds;
    double part = log(eb / level) / log(eb / eg);
    return bad->cpu_seconds * pow(good->cpu_seconds / bad->cpu_seconds, part);
}

/* ---- Stages -------------------------------------------------------------------------------------- */

static ph_status verify_contenders(comparison *c, const comparison_plan *plan, ph_error *err)
{
    watch_stage(plan->progress, "%s: the truth", c->problem->name);
    ph_status status = truth_find(&c->truth, c->problem, c->scenario, plan->interrupt, err);
    for (size_t i = 0; i < c->n_contenders && !status; i++) {
        watch_stage(plan->progress, "%s: verification", c->problem->name);
        status = ladder_climb(&c->ladders[i], &c->contenders[i], c->problem, c->scenario, &c->truth,
                              plan->interrupt, err);
    }
    return status;
}

static ph_status time_ladders(comparison *c, const comparison_plan *plan, ph_error *err)
{
    size_t n = c->n_contenders * LADDER_STEPS;
    timing_cell *cells = calloc(n, sizeof *cells);
    timing_session *session = NULL;
    motion start = motion_of(c->scenario);
    if (!cells)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        rung *r = &c->ladders[i / LADDER_STEPS].rungs[i % LADDER_STEPS];
        cells[i] = (timing_cell){.contender = &c->contenders[i / LADDER_STEPS],
                                 .h = r->h,
                                 .span = c->problem->short_time,
                                 .reference = c->reference * LADDER_STEPS + i % LADDER_STEPS};
    }
    watch_stage(plan->progress, "%s: timing of the short runs", c->problem->name);
    ph_status status = timing_open(&session, cells, n, &start, ROUNDS_MOST, slice, NULL, err);
    if (!status)
        status = timing_burst(session, plan->timing_budget, ROUNDS_LEAST, plan->interrupt, watch_share,
                              plan->progress, err);
    for (size_t i = 0; i < n; i++) {
        rung *r = &c->ladders[i / LADDER_STEPS].rungs[i % LADDER_STEPS];
        r->time = cells[i].result;
        r->cpu_seconds = 1e-9 * r->time.median * (double)r->steps;
    }
    timing_close(session);
    free(cells);
    return status;
}

static void plan_trial(trial *t, const contender *c, trial_basis basis, double group, double h,
                       double horizon)
{
    *t = (trial){.contender = c,
                 .basis = basis,
                 .group = group,
                 .h = h,
                 .steps = (int64_t)(horizon / fabs(h) + 0.5),
                 .status = PH_E_INTERRUPTED,
                 .message = "not run",
                 .passes = NAN,
                 .time = no_timing,
                 .cpu_seconds = NAN};
    t->energy = t->constraint = t->momentum = curve_start(fabs(h));
}

/* The timing of the trials, which stays open while they run: a burst follows each of them. */
typedef struct trial_timing {
    /* (n) cell i is that of trial first + i; then the references that are not among these */
    timing_cell *cells;
    timing_session *session;
    size_t first, n;
} trial_timing;

static void timing_end(trial_timing *t)
{
    timing_close(t->session);
    free(t->cells);
    *t = (trial_timing){NULL, NULL, 0, 0};
}

/* The motion that is timed, from the start: so short that all timings repeat it many times at any speed of
 * the machine, and so measure the same motion. (A step costs more where the motion is violent.) */
static double timed_span(const comparison *c, const trial *t)
{
    double nx = (double)ph_space_dimension(ph_system_space(ph_scenario_system(c->scenario)));
    return fmin(c->problem->horizon, t->group * ceil(4e5 / (nx * nx)));
}

/* Cells for the trials [first, first + n); reference[i] is the trial that trial first + i is compared with.
 * */
static ph_status timing_begin(trial_timing *t, comparison *c, size_t first, size_t n, const size_t *reference,
                              ph_error *err)
{
    size_t count = n;
    motion start = motion_of(c->scenario);
    *t = (trial_timing){calloc(2 * n + 1, sizeof *t->cells), NULL, first, n};
    if (!t->cells)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        const trial *own = &c->trials[first + i], *ref = &c->trials[reference[i]];
        t->cells[i] = (timing_cell){.contender = own->contender, .h = own->h, .span = timed_span(c, own)};
        if (reference[i] >= first) {
            t->cells[i].reference = reference[i] - first;
            continue;
        }
        size_t at = n;
        while (at < count && t->cells[at].h != ref->h)
            at++;
        if (at == count)
            t->cells[count++] = (timing_cell){
                .contender = ref->contender, .h = ref->h, .span = timed_span(c, ref), .reference = at};
        t->cells[i].reference = at;
    }
    return timing_open(&t->session, t->cells, count, &start, ROUNDS_MOST, slice, NULL, err);
}

/* A burst, and the times of the trials from all bursts so far. */
static ph_status timing_go_on(trial_timing *t, comparison *c, const comparison_plan *plan, double length,
                              size_t rounds, ph_error *err)
{
    ph_status status =
        timing_burst(t->session, length, rounds, plan->interrupt, watch_share, plan->progress, err);
    for (size_t i = 0; i < t->n; i++) {
        trial *own = &c->trials[t->first + i];
        own->time = t->cells[i].result;
        own->cpu_seconds = 1e-9 * own->time.median * (double)own->steps;
    }
    return status;
}

static void plan_same_step(comparison *c, size_t *reference)
{
    double sign = copysign(1, ph_scenario_step_size(c->scenario));
    for (size_t g = 0; g < count_groups(c->problem); g++) {
        double h = c->problem->steps[g];
        size_t first = c->n_trials;
        for (size_t i = 0; i < c->n_contenders; i++)
            if (!comparison_adaptive(&c->contenders[i]))
                plan_trial(&c->trials[c->n_trials++], &c->contenders[i], SAME_STEP, h, sign * h,
                           c->problem->horizon);
        for (size_t i = first; i < c->n_trials; i++)
            reference[i] = (size_t)(find_reference(c, h) - c->trials);
    }
}

/* The step at which a contender costs as much as the reference over the horizon, rounded to whole steps. */
static double equal_cost_step(const trial *t, double horizon)
{
    double steps = floor(horizon / (fabs(t->h) * t->time.ratio) + 0.5);
    return copysign(horizon / fmax(1, steps), t->h);
}

/* Append the trials at equal cost; reference <- the reference of each. */
static void plan_same_cpu(comparison *c, size_t *reference)
{
    size_t first = c->n_trials;
    for (size_t i = 0; i < first; i++) {
        const trial *t = &c->trials[i];
        if (t->contender == &c->contenders[c->reference] || !(t->time.ratio > 0))
            continue;
        reference[c->n_trials - first] = (size_t)(find_reference(c, t->group) - c->trials);
        plan_trial(&c->trials[c->n_trials++], t->contender, SAME_CPU, t->group,
                   equal_cost_step(t, c->problem->horizon), c->problem->horizon);
    }
}

/* Append the trials of the adaptive contenders, with a thousand outputs; reference <- what their time is compared
 * with: the reference contender at the first step asked for, or the trial itself. */
static void plan_own_steps(comparison *c, size_t *reference)
{
    enum { OUTPUTS = 1000 };
    size_t first = c->n_trials;
    double h = c->problem->horizon / OUTPUTS;
    const trial *measure = find_reference(c, c->problem->steps[0]);
    for (size_t i = 0; i < c->n_contenders; i++) {
        if (!comparison_adaptive(&c->contenders[i]))
            continue;
        reference[c->n_trials - first] = measure ? (size_t)(measure - c->trials) : c->n_trials;
        plan_trial(&c->trials[c->n_trials++], &c->contenders[i], OWN_STEPS, h,
                   copysign(h, ph_scenario_step_size(c->scenario)), c->problem->horizon);
    }
}

/* Run the trials of a timing, with a burst after each: spread over all that time, some bursts are
 * undisturbed. */
static ph_status run_trials(comparison *c, const comparison_plan *plan, trial_timing *times, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = times->first; i < times->first + times->n && !status; i++) {
        trial *t = &c->trials[i];
        char what[160];
        snprintf(what, sizeof what, "trial %zu of %zu: %s, h = %.3g", i + 1, c->n_trials, t->contender->label,
                 fabs(t->h));
        watch_stage(plan->progress, "%s: %s", c->problem->name, what);
        status = trial_run(t, c->scenario, plan->interrupt, trial_shows, plan->progress, err);
        if (status)
            return status;
        if (t->status == PH_E_INTERRUPTED)
            return ph_fail(err, PH_E_INTERRUPTED, "%s", t->message);
        watch_stage(plan->progress, "%s: timing", c->problem->name);
        status = timing_go_on(times, c, plan, 0.5 * plan->timing_budget / (double)times->n, 1, err);
    }
    return status;
}

/* Time and run the trials [first, n_trials). */
static ph_status follow_trials(comparison *c, const comparison_plan *plan, size_t first,
                               const size_t *reference, ph_error *err)
{
    trial_timing times;
    watch_stage(plan->progress, "%s: timing", c->problem->name);
    ph_status status = timing_begin(&times, c, first, c->n_trials - first, reference, err);
    if (!status)
        status = timing_go_on(&times, c, plan, 0.5 * plan->timing_budget, ROUNDS_LEAST, err);
    if (!status)
        status = run_trials(c, plan, &times, err);
    timing_end(&times);
    return status;
}

/* Time the trials [first, n_trials) and give each the step that costs as much as its reference; one whose steps fail
 * gets a quarter of its step. *failed <- their number. */
static ph_status correct_once(comparison *c, const comparison_plan *plan, size_t first,
                              const size_t *reference, size_t *failed, ph_error *err)
{
    trial_timing times;
    watch_stage(plan->progress, "%s: steps of equal cost", c->problem->name);
    ph_status status = timing_begin(&times, c, first, c->n_trials - first, reference, err);
    if (!status)
        status = timing_go_on(&times, c, plan, 0.25 * plan->timing_budget, ROUNDS_LEAST, err);
    timing_end(&times);
    *failed = 0;
    for (size_t i = first; i < c->n_trials && !status; i++) {
        const trial t = c->trials[i];
        const double horizon = c->problem->horizon, steps = ceil(4 * horizon / fabs(t.h));
        const int works = t.time.ratio > 0;
        plan_trial(&c->trials[i], t.contender, SAME_CPU, t.group,
                   works ? equal_cost_step(&t, horizon) : copysign(horizon / steps, t.h), horizon);
        *failed += !works;
    }
    return status;
}

/* The cost of an implicit step depends on its size, and too large a step has no solution: the steps of equal cost are
 * timed and corrected, until all of them can be taken. */
static ph_status correct_steps(comparison *c, const comparison_plan *plan, size_t first,
                               const size_t *reference, ph_error *err)
{
    enum { PASSES = 3 };
    size_t failed = 1;
    ph_status status = PH_OK;
    for (int pass = 0; pass < PASSES && failed && !status; pass++)
        status = correct_once(c, plan, first, reference, &failed, err);
    return status;
}

/* First at the same step; the times measured there give the steps of equal cost; then the adaptive methods. */
static ph_status follow_all(comparison *c, const comparison_plan *plan, ph_error *err)
{
    size_t first,
        *reference = calloc((count_groups(c->problem) + 1) * c->n_contenders + 1, sizeof *reference);
    if (!reference)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    plan_same_step(c, reference);
    ph_status status = c->n_trials ? follow_trials(c, plan, 0, reference, err) : PH_OK;
    first = c->n_trials;
    if (!status)
        plan_same_cpu(c, reference);
    if (!status && c->n_trials > first)
        status = correct_steps(c, plan, first, reference, err);
    if (!status && c->n_trials > first)
        status = follow_trials(c, plan, first, reference, err);
    first = c->n_trials;
    if (!status)
        plan_own_steps(c, reference);
    if (!status && c->n_trials > first)
        status = follow_trials(c, plan, first, reference, err);
    free(reference);
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

ph_status comparison_make(comparison *c, const problem *p, ph_scenario *scenario, const contender *contenders,
                          size_t n_contenders, const comparison_plan *plan, ph_error *err)
{
    ph_status (*const stages[])(comparison *, const comparison_plan *,
                                ph_error *) = {verify_contenders, time_ladders, follow_all};
    *c = (comparison){.problem = p,
                      .scenario = scenario,
                      .contenders = contenders,
                      .n_contenders = n_contenders,
                      .reference = choose_reference(contenders, n_contenders),
                      .ladders = calloc(n_contenders, sizeof *c->ladders),
                      .trials = calloc((2 * count_groups(p) + 1) * n_contenders + 1, sizeof *c->trials)};
    ph_status status = c->ladders && c->trials ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && !status; i++)
        status = stages[i](c, plan, err);
    if (status && status != PH_E_INTERRUPTED)
        return status;
    c->status = status;
    return PH_OK;
}

void comparison_free(comparison *c)
{
    ph_scenario_free(c->scenario);
    truth_free(&c->truth);
    for (size_t i = 0; c->trials && i < c->n_trials; i++)
        trial_free(&c->trials[i]);
    free(c->ladders);
    free(c->trials);
    *c = (comparison){0};
}
