/* SPDX-License-Identifier: BSD-3-Clause */
/* What a scenario with an accuracy leaves open, method or step or both, is chosen by advice. */
#include "advice.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double advice_round_step(double h)
{
    char text[32];
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, h);
        if (fabs(strtod(text, NULL) / h - 1) < 4e-16)
            return strtod(text, NULL);
    }
    return h;
}

/* The method of the scenario with its options as the one contender. */
static ph_status take_given(const ph_scenario *sc, contender *c, ph_error *err)
{
    size_t n;
    const ph_setting *settings = ph_scenario_settings(sc, &n);
    char text[sizeof c->label];
    int used = snprintf(text, sizeof text, "%s", ph_scenario_method(sc)->name);
    for (size_t i = 0; i < n && used > 0 && (size_t)used < sizeof text; i++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, ":%s=%s", settings[i].name, settings[i].value);
    if (used < 0 || (size_t)used >= sizeof text)
        return ph_fail(err, PH_E_SIZE, "method: its options are too long for a step to be sought");
    return contender_parse(c, text, err);
}

static const char *error_words(const advice *a)
{
    return a->by_energy ? "in the energy" : "in the trajectory";
}

static const advice_row *find_best(const advice *a, bool needs_smaller)
{
    const advice_row *best = NULL;
    for (size_t i = 0; i < a->n_rows; i++) {
        const advice_row *r = &a->rows[i];
        if (needs_smaller
                ? r->verdict == ADVICE_NEEDS_SMALLER && (!best || r->cpu_seconds < best->cpu_seconds)
                : r->verdict != ADVICE_DRIFTS && isfinite(advice_row_error(a, r)) &&
                      (!best || advice_row_error(a, r) < advice_row_error(a, best)))
            best = r;
    }
    return best;
}

/* Nothing computes the trajectory so well: how well it is known, and what would be right. */
static ph_status fail_trajectory(const advice *a, ph_error *err)
{
    char known[160] = "", until[80] = "", energy[80] = "", units[80] = "";
    if (a->span < a->horizon)
        snprintf(known, sizeof known,
                 "nearby trajectories separate so fast (seen until %.4g s) that rounding alone makes",
                 fmax(a->span, a->watched));
    else
        snprintf(known, sizeof known, "the two most accurate computations, by %.50s and %.50s, differ by",
                 a->reference, *a->second ? a->second : "the same with twice the step");
    if (a->predictable > 0.01 * a->horizon && a->predictable < 0.99 * a->horizon)
        snprintf(until, sizeof until, " (it is reached until about %.3g s)", a->predictable);
    if (a->length > 0)
        snprintf(units, sizeof units, " (lengths: of %.3g m)", a->length);
    if (!a->forced)
        snprintf(energy, sizeof energy, ", or accuracy: {value: %g, of: energy}", a->accuracy);
    return ph_fail(err, PH_E_RANGE,
                   "the accuracy %g of the trajectory%s cannot be reached until %g s%s: %s %.1e; "
                   "give an accuracy above that, a shorter duration%s",
                   a->accuracy, units, a->horizon, until, known, a->attainable, energy);
}

/* Nothing meets the accuracy: what does best. */
static ph_status fail_accuracy(const advice *a, const ph_scenario *sc, ph_error *err)
{
    const double h = fabs(ph_scenario_step_size(sc));
    const advice_row *larger = h ? find_best(a, true) : NULL, *best = find_best(a, false);
    if (!a->reachable)
        return fail_trajectory(a, err);
    if (larger)
        return ph_fail(
            err, PH_E_RANGE,
            "no method meets the accuracy %g with the step %g s; %s may with %g s; give that step, or leave it out",
            a->accuracy, h, larger->contender.label, fabs(larger->h));
    if (!best)
        return ph_fail(
            err, PH_E_RANGE,
            "the accuracy %g cannot be reached: no method that was tried gets to %g s%s within the budget of %g s of "
            "CPU time for the choice",
            a->accuracy, a->horizon, a->by_energy ? " with an energy error that does not grow" : "",
            a->budget);
    return ph_fail(
        err, PH_E_RANGE,
        "the accuracy %g could not be shown %s until %g s, within the budget of %g s of CPU time for the choice; the "
        "smallest error found is %.1e, by %s with %.4g s; give an accuracy above that, or more "
        "(accuracy: {value: %g, budget: %g}; to see all: polhode methods --advise)",
        a->accuracy, error_words(a), a->horizon, a->budget, advice_row_error(a, best), best->contender.label,
        fabs(best->h), a->accuracy, 10 * a->budget);
}

/* A trajectory of which less than this part was followed is not promised: a motion can be calm for long, and then violent (a disk that
 * nearly falls). An energy error is extrapolated, since nothing amplifies it. */
static const double followed_least = 0.5;

static ph_status fail_unseen(const advice *a, double seen, ph_error *err)
{
    char energy[80] = "";
    if (!a->forced)
        snprintf(energy, sizeof energy, ", or accuracy: {value: %g, of: energy}", a->accuracy);
    return ph_fail(
        err, PH_E_RANGE,
        "the accuracy %g of the trajectory until %g s cannot be promised: the budget of %g s of CPU time for the "
        "choice is enough to follow the motion to %.3g s only; give more (accuracy: {value: %g, budget: %.3g}), a "
        "shorter duration%s",
        a->accuracy, a->horizon, a->budget, seen, a->accuracy, 2 * a->budget * a->horizon / seen, energy);
}

static ph_status settle_by(ph_scenario *sc, const advice *a, advice_choice *choice, ph_error *err)
{
    const double given = fabs(ph_scenario_step_size(sc));
    const advice_row *row = a->best;
    if (!row)
        return fail_accuracy(a, sc, err);
    const double seen = row->run_to > 0 ? row->run_to : a->span;
    if (!a->by_energy && !row->confirmed && seen < followed_least * a->horizon)
        return fail_unseen(a, seen, err);
    const contender *c = &row->contender;
    const bool named = ph_scenario_method(sc);
    *choice = (advice_choice){.h = given ? ph_scenario_step_size(sc) : advice_round_step(fabs(row->h)),
                              .error = advice_row_error(a, row),
                              .energy_error = a->forced ? (double)NAN : row->energy_error,
                              .by_energy = a->by_energy,
                              .confirmed = row->confirmed,
                              .run_to = seen,
                              .length = a->by_energy ? 0 : a->length,
                              .accuracy = a->accuracy,
                              .horizon = a->horizon};
    snprintf(choice->label, sizeof choice->label, "%s", c->label);
    return ph_scenario_settle(sc, named ? NULL : c->method, c->settings, named ? 0 : c->n_settings,
                              given ? 0 : choice->h, choice->error, choice->energy_error, err);
}

ph_status advice_settle(ph_scenario *sc, const advice_plan *plan, advice_choice *choice, ph_error *err)
{
    advice a;
    contender given;
    advice_plan mine = *plan;
    mine.accuracy = ph_scenario_accuracy(sc);
    mine.horizon = ph_scenario_duration(sc);
    mine.by_energy = ph_scenario_accuracy_of(sc) == PH_ACCURACY_ENERGY;
    mine.budget = ph_scenario_budget(sc);
    mine.step = fabs(ph_scenario_step_size(sc));
    ph_status status = PH_OK;
    if (ph_scenario_method(sc)) {
        status = take_given(sc, &given, err);
        mine.only = &given;
    }
    if (!status)
        status = advice_make(&a, sc, &mine, err);
    if (status)
        return status;
    status = settle_by(sc, &a, choice, err);
    advice_free(&a);
    return status;
}
