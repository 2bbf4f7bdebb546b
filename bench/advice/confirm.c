/* SPDX-License-Identifier: BSD-3-Clause */
/* Confirmation of the first row by a run to the horizon, or as far as the budget allows, next to a more accurate one by the same
 * method: the largest difference at any step counts, not that at the end. */
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double for_confirmation = 1.5; /* [s of CPU], of ADVICE_BUDGET, where the search took less */

enum {
    COMPARED = 100000,
    MEASURED = 1000
}; /* times of a run, about; energy is measured where a run has rows by default */

/* What a run of a row has shown. */
typedef struct trial {
    double reached;       /* [s] */
    double error, energy; /* the largest; INFINITY where a run fails */
    growth_blocks energies;
} trial;

/* One run, or two at once; the second has `fold` steps in one of the first. */
typedef struct runners {
    ph_integrator *it[2];
    ph_state *state[2];
    int64_t fold;
} runners;

static void end_runners(runners *r)
{
    for (int i = 0; i < 2; i++) {
        ph_state_free(r->state[i]);
        ph_integrator_free(r->it[i]);
    }
}

static ph_status begin_runners(const advisor *w, const advice_row *row, runners *r, contender *finer,
                               ph_error *err)
{
    char text[sizeof finer->label];
    *r = (runners){.fold = row->halves ? 1 : 2};
    snprintf(text, sizeof text, "%s", row->contender.label);
    if (row->halves)
        search_write_tolerance(text, sizeof text, row->contender.method,
                               row->halves + 4 < HALVES_FINEST ? row->halves + 4 : HALVES_FINEST);
    ph_status status = contender_parse(finer, text, err);
    if (!status)
        status = contender_start(&row->contender, &w->start, row->h, &r->it[0], &r->state[0], err);
    if (!status && !w->a->by_energy)
        status = contender_start(finer, &w->start, row->h / (double)r->fold, &r->it[1], &r->state[1], err);
    return status;
}

/* The next n steps of both, and how far they are apart then. */
static ph_status advance(const advisor *w, runners *r, int64_t n, trial *t)
{
    double took;
    ph_status status = meter_steps(w->watch, r->it[0], r->state[0], n, &took);
    if (!status && r->it[1])
        status = meter_steps(w->watch, r->it[1], r->state[1], n * r->fold, &took);
    if (status || !r->it[1])
        return status;
    const double apart = advisor_distance(w, r->state[0]->z, r->state[1]->z, 1);
    t->error = fmax(t->error, isnan(apart) ? INFINITY : apart);
    return PH_OK;
}

/* t <- the run of the row, for at most `bound` s. */
static ph_status try_row(const advisor *w, const advice_row *row, double bound, trial *t, ph_error *err)
{
    const double begin = advisor_now(w);
    const int64_t each = row->steps / COMPARED + 1, looks = row->steps > MEASURED ? row->steps / MEASURED : 1;
    runners r;
    contender finer;
    ph_measures m;
    int order;
    int64_t done = 0;
    *t = (trial){0};
    ph_status status = begin_runners(w, row, &r, &finer, err);
    while (!status && done < row->steps && advisor_now(w) - begin <= bound) {
        const int64_t left = row->steps - done, until_look = looks - done % looks;
        int64_t n = each < until_look ? each : until_look;
        n = n < left ? n : left;
        status = advance(w, &r, n, t);
        done += n;
        if (!status && (done % looks == 0 || done == row->steps)) {
            status = ph_diagnostics_measure(w->diagnostics, r.state[0], &m);
            if (!status && !w->a->forced) {
                const double error = fabs(m.energy - w->reference->energy[0]) / w->reference->energy_scale;
                t->energy = fmax(t->energy, error);
                growth_enter(&t->energies, error);
            }
            if (!status && w->plan->interrupt && *w->plan->interrupt)
                status = PH_E_INTERRUPTED;
        }
    }
    end_runners(&r);
    t->reached = fabs(row->h) * (double)done;
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, status == PH_E_INTERRUPTED ? "interrupted: %s" : "out of memory for %s",
                       row->contender.label);
    candidate_claims(w, &row->contender, &order);
    if (!row->halves) /* the other one has an error, too */
        t->error /= 1 - pow(0.5, order);
    if (status || !isfinite(t->error) || !isfinite(t->energy))
        t->error = t->energy = INFINITY;
    return PH_OK;
}

/* A smaller step or tolerance for a row that had this error at the horizon. */
static void tighten(advisor *w, advice_row *row, double error)
{
    int order;
    static const double most = 1e6, aim = 0.5, factor_least = 1.1;
    const double more = fmin(most, error / (aim * w->a->accuracy));
    int64_t m = 1;
    candidate_claims(w, &row->contender, &order);
    row->correction *= fmin(most, fmax(1, error / candidate_error(w, row)));
    row->verdict = w->plan->step > 0 && !row->halves ? ADVICE_NEEDS_SMALLER : ADVICE_UNDECIDED;
    w->a->disproved = true;
    if (row->halves >= HALVES_MOST || row->verdict == ADVICE_NEEDS_SMALLER)
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
    candidate_predict(w, row, &r, row->halves ? search_stops(w) : m);
    if (candidate_error(w, row) <= w->a->accuracy)
        row->verdict = ADVICE_MEETS;
}

/* The factor by which the energy error grows from a part of the horizon to all of it. With a method that
 * keeps the structure it hardly grows while steps are small. Where they are large for the violent moments of
 * a chaotic motion, each of these adds a small error: a random walk of a few steps of any size, hence the
 * factor 2. */
static double energy_growth(const advice_row *row, double part)
{
    const double walk = 2 * sqrt(1 / part);
    return row->keeps ? walk : fmax(walk, 1 / part);
}

/* The factor by which an error of the trajectory grows from the time t to the horizon. */
static double error_growth(const advisor *w, const advice_row *row, double t)
{
    int order;
    const double power = candidate_keeps_structure(w, candidate_claims(w, &row->contender, &order)) ? 1 : 2,
                 separation =
                     w->a->exponent > 0 ? advisor_log_growth(w, w->a->horizon) - advisor_log_growth(w, t) : 0;
    return exp(fmin(700, fmax(separation, power * log(w->a->horizon / t))));
}

/* What the trial says of the row. *done: the row is as good as it says, or nothing more can be learnt of it. */
static void judge_trial(advisor *w, advice_row *row, const trial *t, bool *done)
{
    advice *a = w->a;
    const bool whole = t->reached >= a->horizon * (1 - 1e-12);
    row->keeps = row->keeps && (whole || !advisor_energy_grows(&t->energies));
    const double known =
                     a->span >= a->horizon ? row->measured + a->uncertainty : 0, /* against the reference */
        error =
            whole ? fmax(t->error, known) : search_margin(w) * t->error * error_growth(w, row, t->reached),
                 energy = whole ? t->energy : t->energy * energy_growth(row, t->reached / a->horizon);
    *done = false;
    if (!whole && isfinite(t->error) && t->reached < 2 * a->span) {
        *done = true; /* the span is known as well */
        return;
    }
    const double of_interest = a->by_energy ? energy : error;
    if (!(of_interest <= a->accuracy)) {
        tighten(w, row, of_interest);
        return;
    }
    *done = whole || row->keeps || !candidates_must_keep(w);
    row->confirmed = whole;
    row->run_to = whole ? 0 : t->reached;
    if (!a->by_energy)
        row->error = error;
    if (!a->forced)
        row->energy_error = energy;
}

ph_status search_confirm(advisor *w, double begun, ph_error *err)
{
    enum { MOST = 16 };
    advice *a = w->a;
    const double searched = advisor_now(w) - begun,
                 bound = fmax(searched, advisor_share(w, for_confirmation));
    bool done = false;
    for (int k = 0; k < MOST && !done && a->best; k++) {
        advice_row *row = &a->rows[a->order[0]];
        const double left = fmin(bound, a->budget - advisor_now(w));
        trial t;
        if (row->verdict != ADVICE_MEETS || !(left > 0))
            break;
        ph_status status = advisor_pause(w, "confirmation", 0.95, err);
        if (!status)
            status = try_row(w, row, left, &t, err);
        if (status)
            return status;
        judge_trial(w, row, &t, &done);
        candidates_rank(w);
    }
    /* What the span has shown of others was wrong of one: it is not enough. */
    for (size_t i = 0; i < a->n_rows && a->disproved && !done; i++)
        if (a->rows[i].verdict <= ADVICE_BY_ORDER)
            a->rows[i].verdict = ADVICE_UNDECIDED;
    candidates_rank(w);
    return PH_OK;
}
