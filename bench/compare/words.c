/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of a comparison in sentences: which methods are verified, what an accuracy costs, which is
 * ahead at which horizon, and when curves cross. Nothing here depends on particular methods. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

/* ---- What an accuracy costs ------------------------------------------------------------------------ */

static void say_cost(FILE *out, const comparison *c, const char *what, cost_error error, double level)
{
    double best = INFINITY;
    for (size_t i = 0; i < c->n_contenders; i++)
        best = fmin(best, cost_of(&c->ladders[i], error, level));
    if (!isfinite(best))
        return;
    fprintf(out, "  %s to %.0e:", what, level);
    for (size_t i = 0; i < c->n_contenders; i++) {
        double cost = cost_of(&c->ladders[i], error, level);
        fprintf(out, "%s %s", i ? "," : "", c->contenders[i].label);
        if (isinf(cost))
            fprintf(out, " not reached with these steps");
        else if (isnan(cost))
            fprintf(out, " at an unknown cost");
        else if (cost <= best)
            fprintf(out, " %.3g ms (least)", 1e3 * cost);
        else
            fprintf(out, " %.3g ms (%.1f times)", 1e3 * cost, cost / best);
    }
    fprintf(out, ".\n");
}

static void say_costs(FILE *out, const comparison *c, int conservative)
{
    char what[80];
    fprintf(out, "CPU time for an accuracy, up to t = %.6g s\n", c->truth.time);
    snprintf(what, sizeof what, "Trajectory at t = %.6g s", c->truth.time);
    for (size_t i = 0; i < COST_LEVELS; i++)
        say_cost(out, c, what, COST_TRAJECTORY, cost_levels[i]);
    for (size_t i = 0; conservative && i < COST_LEVELS; i++)
        say_cost(out, c, "Energy on the way", COST_ENERGY, cost_levels[i]);
}

/* ---- The smaller error ----------------------------------------------------------------------------- */

/* Times at which two curves can be compared: the bins of the one that starts later, up to the end of the one
 * that ends first. */
typedef struct time_grid {
    const curve *clock;
    size_t n;
    double last;
} time_grid;

static double grid_time(time_grid g, size_t i)
{
    return i + 1 < g.n ? curve_time(g.clock, i) : g.last;
}

static time_grid grid_of(const trial *a, const trial *b)
{
    const curve *ca = &a->energy, *cb = &b->energy;
    time_grid g = {ca->t_first >= cb->t_first ? ca : cb, 0, fmin(ca->t_last, cb->t_last)};
    while (g.n < g.clock->n && curve_time(g.clock, g.n) < g.last * (1 - 1e-9))
        g.n++;
    if (g.last >= 0.5 * g.clock->t_first)
        g.n++;
    return g;
}

static double error_at(const trial *t, time_grid g, size_t i)
{
    return curve_until(&t->energy, grid_time(g, i));
}

/* -1: the largest error of a up to then is smaller; 0: they are equal to 1 per cent; 1: that of b is. */
static int compare_at(const trial *a, const trial *b, time_grid g, size_t i)
{
    double ea = error_at(a, g, i), eb = error_at(b, g, i);
    return eb > 1.01 * ea ? -1 : ea > 1.01 * eb ? 1 : 0;
}

/* The first time of the grid from which on `who` (-1, 0, 1) leads; g.n if it does not lead at the end. */
static size_t leads_from(const trial *a, const trial *b, time_grid g, int who)
{
    size_t from = g.n;
    for (size_t i = g.n; i-- > 0 && compare_at(a, b, g, i) == who;)
        from = i;
    return from;
}

static void put_name(FILE *out, const trial *t)
{
    fputs(t->contender->label, out);
    if (t->basis == SAME_CPU)
        fprintf(out, " (h = %.3g s)", fabs(t->h));
}

/* A remark where the smaller error grows towards the other, which does not grow. */
static void say_extrapolation(FILE *out, const trial *smaller, const trial *larger, time_grid g)
{
    double p = curve_exponent(&smaller->energy), flat = curve_exponent(&larger->energy);
    double es = error_at(smaller, g, g.n - 1), el = error_at(larger, g, g.n - 1);
    if (!smaller->status && !larger->status && p > 0.5 && flat < 0.1)
        fprintf(out, "; growing at this rate its error would exceed the other after %.1e s (extrapolated)",
                g.last * pow(el / es, 1 / p));
}

static void say_pair(FILE *out, const trial *a, const trial *b)
{
    time_grid g = grid_of(a, b);
    if (!g.n)
        return;
    int who = compare_at(a, b, g, g.n - 1);
    fputs("  ", out);
    if (!who) {
        put_name(out, a);
        fputs(" and ", out);
        put_name(out, b);
        fprintf(out, " have equal energy errors after %.3g s.\n", g.last);
        return;
    }
    const trial *ahead = who < 0 ? a : b, *behind = who < 0 ? b : a;
    size_t from = leads_from(a, b, g, who), first = 0;
    while (compare_at(a, b, g, first) == 0)
        first++;
    if (from <= first) {
        put_name(out, ahead);
        fputs(" has a smaller energy error than ", out);
        put_name(out, behind);
        fputs(" throughout", out);
    } else if (compare_at(a, b, g, first) == -who) {
        put_name(out, behind);
        fprintf(out, " starts with the smaller energy error; after %.3g s ", grid_time(g, from));
        put_name(out, ahead);
        fprintf(out, " is ahead %s", ahead->status ? "until it ended" : "for good");
    } else {
        put_name(out, ahead);
        fputs(" and ", out);
        put_name(out, behind);
        fprintf(out, " take turns; after %.3g s ", grid_time(g, from));
        put_name(out, ahead);
        fprintf(out, " is ahead %s", ahead->status ? "until it ended" : "for good");
    }
    fprintf(out, ": %.1e against %.1e after %.3g s", error_at(ahead, g, g.n - 1),
            error_at(behind, g, g.n - 1), g.last);
    say_extrapolation(out, ahead, behind, g);
    fputs(".\n", out);
}

/* ---- How each fares -------------------------------------------------------------------------------- */

static void say_trial(FILE *out, const trial *t, const char *error)
{
    double p = curve_exponent(&t->energy);
    fputs("  ", out);
    put_name(out, t);
    if (t->status == PH_E_DIVERGED || t->status == PH_E_NOT_FINITE)
        fprintf(out, " diverged at t = %.4g s.\n", t->t_end);
    else if (t->status)
        fprintf(out, " ended at t = %.4g s: %s.\n", t->t_end, t->message);
    else if (t->summary.energy_error_max == 0)
        fprintf(out, ": no energy %s at all.\n", error);
    else if (isfinite(p))
        fprintf(out, ": largest energy %s %.2e; over the last decade of time it grew like t^%.2f%s.\n", error,
                t->summary.energy_error_max, p,
                p < 0.1              ? " (it does not grow)"
                : p > 0.8 && p < 1.2 ? " (linearly)"
                                     : "");
    else
        fprintf(out, ": largest energy %s %.2e (too short to show growth).\n", error,
                t->summary.energy_error_max);
}

/* The trial that others of the group are compared with: that of the reference contender if it was completed,
 * else the first completed one, else that of the reference contender, else the first. */
static const trial *choose_measure(const comparison *c, double group)
{
    const trial *reference = comparison_reference(c, group), *first = NULL, *whole = NULL;
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis != SAME_STEP || t->group != group || !t->steps_done)
            continue;
        if (!first)
            first = t;
        if (!whole && !t->status)
            whole = t;
    }
    if (reference && !reference->status)
        return reference;
    return whole ? whole : reference ? reference : first;
}

static void say_group(FILE *out, const comparison *c, trial_basis basis, double group, int conservative)
{
    const trial *reference = basis == SAME_STEP ? choose_measure(c, group) : comparison_reference(c, group);
    const char *error = conservative ? "error" : "change";
    int said = 0;
    if (!reference)
        return;
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis != basis || t->group != group || !t->steps_done)
            continue;
        if (!said++ && basis == SAME_STEP)
            fprintf(out, "At the same step, h = %g s\n", group);
        else if (said == 1)
            fprintf(out, "At the same CPU time as %s with h = %g s (%.3g s for %g s of motion)\n",
                    reference->contender->label, group, reference->cpu_seconds, c->problem->horizon);
        say_trial(out, t, error);
    }
    for (size_t i = 0; said && conservative && i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis == basis && t->group == group && t->steps_done && t != reference)
            say_pair(out, reference, t);
    }
}

static void say_structure(FILE *out, const comparison *c)
{
    fputs("Manifold and momentum, over all steps\n", out);
    for (size_t i = 0; i < c->n_contenders; i++) {
        double constraint = NAN, momentum = NAN;
        for (size_t j = 0; j < c->n_trials; j++)
            if (c->trials[j].contender == &c->contenders[i] && c->trials[j].steps_done) {
                constraint = fmax(constraint, c->trials[j].summary.constraint_error_max);
                momentum = fmax(momentum, c->trials[j].summary.momentum_error_max);
            }
        if (isnan(constraint))
            continue;
        fprintf(out, "  %s: largest constraint error %.1e", c->contenders[i].label, constraint);
        if (isfinite(momentum))
            fprintf(out, ", largest momentum error %.1e", momentum);
        fputs(".\n", out);
    }
}

/* ---- In short -------------------------------------------------------------------------------------- */

/* Does t end with a smaller energy error than `best` (or is that NULL)? Only completed trials count. */
static int is_better(const trial *t, const trial *best)
{
    return !t->status && t->steps_done &&
           (!best || t->summary.energy_error_max < best->summary.energy_error_max);
}

static void say_best_energy(FILE *out, const comparison *c, double group)
{
    const trial *best = NULL, *next = NULL, *reference = comparison_reference(c, group);
    if (!reference)
        return;
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->group != group || !(t->basis == SAME_CPU || t == reference))
            continue;
        if (is_better(t, best)) {
            next = best;
            best = t;
        } else if (is_better(t, next)) {
            next = t;
        }
    }
    fprintf(out, "  Energy over %g s, at the CPU time of %s with h = %g s: ", c->problem->horizon,
            reference->contender->label, group);
    if (!best) {
        fputs("no method completes it.\n", out);
        return;
    }
    fprintf(out, "%s has the smallest error (%.1e", best->contender->label, best->summary.energy_error_max);
    if (next)
        fprintf(out, "; next %s, %.1e", next->contender->label, next->summary.energy_error_max);
    fputs(").\n", out);
}

/* The cheapest method for each accuracy of the trajectory. */
static void say_best_trajectory(FILE *out, const comparison *c)
{
    int said = 0;
    for (size_t l = 0; l < COST_LEVELS; l++) {
        size_t best = c->n_contenders;
        double least = INFINITY;
        for (size_t i = 0; i < c->n_contenders; i++) {
            double cost = cost_of(&c->ladders[i], COST_TRAJECTORY, cost_levels[l]);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        if (best == c->n_contenders)
            continue;
        if (!said++)
            fprintf(out, "  Trajectory up to t = %g s: cheapest method for an error of", c->truth.time);
        fprintf(out, "%s %.0e: %s", said > 1 ? "; of" : "", cost_levels[l], c->contenders[best].label);
    }
    if (said)
        fputs(".\n", out);
}

static int all_ladders_run(const comparison *c)
{
    size_t n = 0;
    while (n < c->n_contenders && c->ladders[n].contender)
        n++;
    return n == c->n_contenders;
}

static void write_words(FILE *out, const void *self)
{
    const comparison *c = self;
    int conservative = ph_system_is_conservative(ph_scenario_system(c->scenario)),
        climbed = all_ladders_run(c);
    fputs("In short\n", out);
    if (climbed)
        say_best_trajectory(out, c);
    for (size_t i = 0; conservative && i < PROBLEM_STEPS && c->problem->steps[i] > 0; i++)
        say_best_energy(out, c, c->problem->steps[i]);
    fputs("Verification\n", out);
    if (c->truth.text[0])
        fprintf(out, "  %s\n", c->truth.text);
    for (size_t i = 0; i < c->n_contenders; i++)
        if (c->ladders[i].contender)
            fprintf(out, "  %s\n", c->ladders[i].text);
    if (!conservative)
        fputs("  The system has forces: what its energy does is a change, "
              "not an error, and methods are not ranked by it.\n",
              out);
    for (trial_basis basis = SAME_STEP; basis <= SAME_CPU; basis++)
        for (size_t i = 0; i < PROBLEM_STEPS && c->problem->steps[i] > 0; i++)
            say_group(out, c, basis, c->problem->steps[i], conservative);
    if (climbed)
        say_costs(out, c, conservative);
    say_structure(out, c);
}

char *report_words(const comparison *c)
{
    return report_text(write_words, c);
}
