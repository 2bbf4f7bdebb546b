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

/* Of a given step: the cheapest method that meets the accuracy with a step that is at least as large. */
static const advice_row *choose_for_step(const advice *a, double h)
{
    static const double same = 1e-12;
    const advice_row *best = NULL;
    for (size_t i = 0; i < a->n_rows; i++) {
        const advice_row *r = &a->rows[i];
        if (r->verdict == ADVICE_MEETS && fabs(r->h) >= h * (1 - same) &&
            (!best || r->nanoseconds < best->nanoseconds))
            best = r;
    }
    return best;
}

static const char *error_words(const advice *a)
{
    return a->by_energy ? "in the energy" : "in the trajectory";
}

/* Nothing meets the accuracy: what does best. */
static ph_status fail_accuracy(const advice *a, const ph_scenario *sc, ph_error *err)
{
    const double h = fabs(ph_scenario_step_size(sc));
    const advice_row *best = NULL;
    if (h && a->best)
        return ph_fail(
            err, PH_E_RANGE,
            "no method meets the accuracy %g with the step %g s; %s does with %g s; give that step, "
            "or leave it out",
            a->accuracy, h, a->best->contender.label, fabs(a->best->h));
    for (size_t i = 0; i < a->n_rows; i++)
        if (isfinite(advice_row_error(a, &a->rows[i])) &&
            (!best || advice_row_error(a, &a->rows[i]) < advice_row_error(a, best)))
            best = &a->rows[i];
    if (!best)
        return ph_fail(err, PH_E_RANGE,
                       "the accuracy %g cannot be reached: no method that was tried gets to %g s",
                       a->accuracy, a->horizon);
    return ph_fail(
        err, PH_E_RANGE,
        "the accuracy %g cannot be reached at %g s; the smallest error found is %.1e %s, by %s with "
        "%.4g s (to see all: polhode methods --advise)",
        a->accuracy, a->horizon, advice_row_error(a, best), error_words(a), best->contender.label,
        fabs(best->h));
}

static ph_status settle_by(ph_scenario *sc, const advice *a, advice_choice *choice, ph_error *err)
{
    const double given = fabs(ph_scenario_step_size(sc));
    const advice_row *row = given ? choose_for_step(a, given) : a->best;
    if (!row)
        return fail_accuracy(a, sc, err);
    const contender *c = &row->contender;
    const bool named = ph_scenario_method(sc);
    *choice = (advice_choice){.h = given ? ph_scenario_step_size(sc) : advice_round_step(fabs(row->h)),
                              .error = advice_row_error(a, row),
                              .by_energy = a->by_energy,
                              .accuracy = a->accuracy,
                              .horizon = a->horizon};
    snprintf(choice->label, sizeof choice->label, "%s", c->label);
    return ph_scenario_settle(sc, named ? NULL : c->method, c->settings, named ? 0 : c->n_settings,
                              given ? 0 : choice->h, choice->error, err);
}

ph_status advice_settle(ph_scenario *sc, const advice_plan *plan, advice_choice *choice, ph_error *err)
{
    advice a;
    contender given;
    advice_plan mine = *plan;
    mine.accuracy = ph_scenario_accuracy(sc);
    mine.horizon = ph_scenario_duration(sc);
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
