/* SPDX-License-Identifier: BSD-3-Clause */
/* Confirmation of the first row by a run to the horizon, or as far as time allows. */
#include "search.h"

#include "bench/common/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 64 };                        /* at which runs to the horizon are compared */
static const double for_confirmation = 1.5; /* [s of CPU], for small systems, of ADVICE_BUDGET */

/* A run to the horizon in `fold` times as many steps: ends (TIMES x nz) <- configurations, at the same times
 * for every fold; *energy <- the largest error there and in between. */
static ph_status run_to_horizon(const advisor *w, const contender *c, double h, int64_t steps, int64_t fold,
                                double *ends, double *energy)
{
    const int64_t each = fold * steps / TIMES / ADVICE_LOOKS + 1;
    ph_integrator *it;
    ph_state *state;
    ph_measures m;
    ph_error err;
    double took;
    ph_status status = contender_start(c, &w->start, h / (double)fold, &it, &state, &err);
    if (status)
        return status;
    *energy = 0;
    for (int64_t k = 1; k <= TIMES && !status; k++) {
        const int64_t end = fold * (int64_t)((double)k / TIMES * (double)steps);
        while (state->k < end && !status) {
            const int64_t left = end - state->k;
            status = meter_steps(w->plan->watch, it, state, left < each ? left : each, &took);
            if (!status)
                status = ph_diagnostics_measure(w->diagnostics, state, &m);
            if (!status)
                *energy = fmax(*energy, fabs(m.energy - w->energy[0]) / w->energy_scale);
            if (!status && w->plan->interrupt && *w->plan->interrupt)
                status = PH_E_INTERRUPTED;
        }
        memcpy(ends + (k - 1) * (int64_t)w->nz, state->z, w->nz * sizeof *ends);
    }
    ph_state_free(state);
    ph_integrator_free(it);
    return status;
}

/* *energy <- the largest energy error of the row in that many steps; *error <- the largest distance from a
 * run with half the step, or with two more digits of its tolerance. INFINITY where a run fails. */
static ph_status find_errors(const advisor *w, const advice_row *row, int64_t steps, double *error,
                             double *energy, ph_error *err)
{
    contender finer;
    double *ends = calloc(2 * TIMES * w->nz + 1, sizeof *ends), others;
    char text[sizeof finer.label];
    if (!ends)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    snprintf(text, sizeof text, "%s", row->contender.label);
    if (row->halves)
        search_write_tolerance(text, sizeof text, row->contender.method,
                               row->halves + 4 < HALVES_MOST ? row->halves + 4 : HALVES_MOST);
    ph_status status = contender_parse(&finer, text, err);
    if (!status)
        status = run_to_horizon(w, &row->contender, row->h, steps, 1, ends, energy);
    if (!status && !w->a->by_energy)
        status = run_to_horizon(w, &finer, row->h, steps, row->halves ? 1 : 2, ends + TIMES * w->nz, &others);
    *error = largest_difference(ends, ends + TIMES * w->nz, TIMES * w->nz);
    free(ends);
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, status == PH_E_INTERRUPTED ? "interrupted: %s" : "out of memory for %s",
                       row->contender.label);
    if (status)
        *error = *energy = INFINITY;
    return PH_OK;
}

/* A smaller step or tolerance for a row that had this error at the horizon. */
static void tighten(const advisor *w, advice_row *row, double error)
{
    int order;
    static const double most = 1e6, aim = 0.5, factor_least = 1.1;
    const double more = fmin(most, error / (aim * w->a->accuracy));
    int64_t m = 1;
    candidate_claims(w, &row->contender, &order);
    row->correction *= fmin(most, fmax(1, error / candidate_error(w, row)));
    row->verdict = ADVICE_UNDECIDED;
    if (row->halves >= HALVES_MOST)
        return;
    if (!row->halves)
        m = search_round_up(w, (double)row->steps / (double)w->stretches *
                                   fmax(factor_least, pow(more, 1.0 / order)));
    const double bound = advisor_share(w, for_confirmation);
    const int halves = (int)fmin(HALVES_MOST, row->halves + fmax(1, ceil(2 * log10(more))));
    const span_run r = row->halves ? search_run_tolerance(w, row, halves, bound)
                                   : advisor_run_span(w, &row->contender, m, bound);
    if (r.status || r.cut)
        return;
    candidate_predict(w, row, &r, m);
    if (candidate_error(w, row) <= w->a->accuracy)
        row->verdict = ADVICE_MEETS;
}

/* The factor by which the energy error grows from a part of the horizon to all of it. With a method that
 * keeps the structure it hardly grows while steps are small. Where they are large for the violent moments of
 * a chaotic motion, each of these adds a small error: a random walk of a few steps of any size, hence the
 * factor 2. */
static double energy_growth(const advisor *w, const advice_row *row, double part)
{
    int order;
    const double walk = 2 * sqrt(1 / part);
    return candidate_keeps_structure(w, candidate_claims(w, &row->contender, &order)) ? walk
                                                                                      : fmax(walk, 1 / part);
}

/* The energy of the first row over the part of the horizon that there is time for. *done: it is as good as
 * predicted, or that part is hardly longer than the span. */
static ph_status confirm_part(advisor *w, advice_row *row, double part, bool *done, ph_error *err)
{
    double error, energy = INFINITY;
    const double until = part * w->a->horizon;
    *done = until < 2 * w->a->span;
    if (*done)
        return PH_OK;
    ph_status status = find_errors(w, row, (int64_t)(part * (double)row->steps), &error, &energy, err);
    if (status)
        return status;
    energy *= energy_growth(w, row, part);
    *done = energy <= w->a->accuracy;
    if (*done) {
        row->run_to = until;
        row->energy_error = energy;
    } else
        tighten(w, row, energy);
    candidates_rank(w->a);
    return PH_OK;
}

ph_status search_confirm(advisor *w, ph_error *err)
{
    enum { MOST = 12, MOST_PARTS = 6 };
    int parts = 0;
    ph_status status = PH_OK;
    for (int k = 0; k < MOST && !status && w->a->best; k++) {
        advice_row *row = &w->a->rows[w->a->order[0]];
        double error = INFINITY, energy = INFINITY;
        const double runs = w->a->by_energy ? 1 : 3,
                     part = advisor_share(w, for_confirmation) / (runs * row->cpu_seconds);
        if (row->verdict != ADVICE_MEETS || row->confirmed ||
            (part < 1 && (!w->a->by_energy || parts++ == MOST_PARTS)) || (w->a->forced && w->a->by_energy))
            break;
        status = advisor_pause(w, "confirmation", 0.95, err);
        if (!status && part < 1) {
            bool done = false;
            status = confirm_part(w, row, part, &done, err);
            if (done)
                break;
            continue;
        }
        if (!status)
            status = find_errors(w, row, row->steps, &error, &energy, err);
        if (status)
            break;
        if (w->a->by_energy)
            error = energy;
        row->confirmed = error <= w->a->accuracy;
        if (!row->confirmed)
            tighten(w, row, error);
        else if (!w->a->by_energy)
            row->error = error;
        if (row->confirmed && !w->a->forced)
            row->energy_error = energy;
        candidates_rank(w->a);
    }
    return status;
}
