/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole search: each candidate for the largest step, or the loosest tolerance, that meets the accuracy;
 * ranks by their time; and the first confirmed by a run to the horizon. */
#include "search.h"

#include <math.h>

/* [s of CPU] Parts of the default budget, ADVICE_BUDGET, for small systems; advisor_share scales them. */
static const double for_candidates = 3.5, for_timing = 0.5, least_for_a_candidate = 0.05,
                    for_an_adaptive = 0.5;
/* An adaptive one may run as often as that takes with the smallest tolerance. */
static const double runs_of_an_adaptive = 4;
/* A candidate may use up to this many equal shares of the remaining time, as many candidates need less than one. */
static const double most_of_a_share = 2;
/* Progress, as a fraction of the whole. */
static const double search_begins = 0.25, search_length = 0.6, timing_begins = 0.9;

/* Methods that do not claim to keep the energy, where they must; result <- their number. */
static size_t leave_out(advisor *w)
{
    size_t n = 0;
    int order;
    for (size_t i = 0; i < w->a->n_rows && candidates_must_keep(w); i++) {
        advice_row *row = &w->a->rows[i];
        if (candidate_keeps_structure(w, candidate_claims(w, &row->contender, &order)))
            continue;
        row->verdict = ADVICE_DRIFTS;
        n++;
    }
    return n;
}

static ph_status search_all(advisor *w, ph_error *err)
{
    double left = advisor_share(w, for_candidates);
    size_t done = leave_out(w);
    for (int fixed = 0; fixed < 2; fixed++) /* adaptive ones first: they get through whatever the motion is */
        for (size_t i = 0; i < w->a->n_rows; i++) {
            advice_row *row = &w->a->rows[i];
            if (row->verdict == ADVICE_DRIFTS || fixed == candidate_is_adaptive(row))
                continue;
            const double begin = advisor_now(w),
                         least = fixed ? advisor_share(w, least_for_a_candidate)
                                       : fmax(advisor_share(w, for_an_adaptive),
                                              runs_of_an_adaptive * w->scouted),
                         share = fmax(least, most_of_a_share * left / (double)(w->a->n_rows - done));
            ph_status status =
                advisor_pause(w, row->contender.label,
                              search_begins + search_length * (double)done++ / (double)w->a->n_rows, err);
            if (status)
                return status;
            if (fixed)
                search_step(w, row, share);
            else
                search_tolerance(w, row, share);
            left -= advisor_now(w) - begin;
        }
    return PH_OK;
}

/* Where nothing meets the accuracy yet, and an adaptive method had no time to: it has half of what is left. */
static void search_again(advisor *w)
{
    for (size_t i = 0; i < w->a->n_rows; i++)
        if (w->a->rows[i].verdict == ADVICE_MEETS)
            return;
    for (size_t i = 0; i < w->a->n_rows; i++) {
        advice_row *row = &w->a->rows[i];
        if (!candidate_is_adaptive(row) || row->verdict != ADVICE_UNDECIDED)
            continue;
        row->verdict = ADVICE_FAILS; /* as before the first search */
        search_tolerance(w, row, 0.5 * fmax(0, w->a->budget - advisor_now(w)));
    }
}

/* Rows that meet the accuracy with the step of the run, or a larger one, have that step; others do not meet it. */
static void impose_step(advisor *w)
{
    static const double same = 1e-12;
    for (size_t i = 0; i < w->a->n_rows && w->plan->step > 0; i++) {
        advice_row *row = &w->a->rows[i];
        if (row->verdict != ADVICE_MEETS)
            continue;
        if (!row->halves && fabs(row->h) < w->plan->step * (1 - same)) {
            row->verdict = ADVICE_NEEDS_SMALLER;
            continue;
        }
        row->h = w->sign * w->plan->step;
        row->steps = (int64_t)round(w->a->horizon / w->plan->step);
        row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
    }
}

/* Times the first rows that meet the accuracy, in turn, where the plan asks for times. */
static ph_status time_rows(advisor *w, ph_error *err)
{
    enum { MOST = 12, ROUNDS = 400, ROUNDS_LEAST = 5 };
    timing_cell cells[MOST];
    timing_session *session;
    size_t n = 0, which[MOST];
    for (size_t i = 0; i < w->a->n_listed && n < MOST; i++) {
        const advice_row *row = &w->a->rows[w->a->order[i]];
        if (row->verdict != ADVICE_MEETS)
            break;
        which[n] = w->a->order[i];
        cells[n++] = (timing_cell){.contender = &row->contender, .h = row->h, .span = w->a->span};
    }
    if (!n || !w->plan->timed)
        return PH_OK;
    ph_status status = timing_open(&session, cells, n, &w->start, ROUNDS, 5e-4, NULL, err);
    if (status)
        return status;
    status = timing_burst(session, advisor_share(w, for_timing), ROUNDS_LEAST, w->plan->interrupt, NULL, NULL,
                          err);
    for (size_t i = 0; i < n; i++) {
        advice_row *row = &w->a->rows[which[i]];
        if (isfinite(cells[i].result.median)) {
            row->nanoseconds = cells[i].result.median;
            row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
        }
    }
    timing_close(session);
    return status;
}

ph_status advisor_search(advisor *w, ph_error *err)
{
    const double begun = advisor_now(w);
    candidates_list(w);
    ph_status status = search_all(w, err);
    if (status)
        return status;
    search_again(w);
    impose_step(w);
    candidates_rank(w);
    status = advisor_pause(w, "timing", timing_begins, err);
    if (!status)
        status = time_rows(w, err);
    candidates_rank(w);
    return status ? status : search_confirm(w, begun, err);
}
