/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the largest step that meets the accuracy: runs through the span at sizes that follow from
 * the order of the method and the last error. */
#include "search.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sizes ---------------------------------------------------------------------------------------- */

int64_t search_round_up(const advisor *w, double m)
{
    enum { TRIES = 10000 };
    static const double few_more = 1.1, same = 1e-14;
    const int64_t first = (int64_t)ceil(fmax(1, m) - 1e-9);
    for (int64_t n = first; (double)n <= few_more * (double)first && n < first + TRIES; n++) {
        char text[32];
        snprintf(text, sizeof text, "%.4g", fabs(advisor_step(w, n)));
        if (fabs(strtod(text, NULL) / fabs(advisor_step(w, n)) - 1) < same)
            return n;
    }
    return first;
}

/* The next size is chosen so that its error becomes this part of the accuracy, by the order; a larger step
 * that is tried when one has been found, this part. */
static const double aim = 0.5, aim_of_larger = 0.8;

/* The factor on the number of steps that brings the error to its aim, by the order. */
static double factor_needed(const advisor *w, const advice_row *row, int order)
{
    return pow(candidate_error(w, row) / (aim * w->a->accuracy), 1.0 / order);
}

/* Is the error so small that it follows the order? */
static bool follows_order(const advisor *w, const advice_row *row, int order)
{
    static const double small = 0.1, many = 1e6, above_rounding = 4;
    return row->measured < small && factor_needed(w, row, order) < many &&
           aim * w->a->accuracy > above_rounding * DBL_EPSILON;
}

/* ---- Larger steps ---------------------------------------------------------------------------------- */

/* Sizes worth a run: from this factor on the steps that are too few, to this factor on those that meet. */
static const double fewer_least = 1.05, fewer_most = 0.9;
enum { LARGER_MOST = 3 }; /* larger steps that are tried */

/* Larger steps than that of a row which meets the accuracy with `high` steps a stretch; `low` steps do not,
 * or there are none so few. Where steps are too large to follow the order, the next size is half way. */
static void enlarge_step(const advisor *w, advice_row *row, int64_t low, int64_t high, int order,
                         double bound)
{
    const double begin = advisor_now(w);
    double least = fewer_least * (double)low;
    for (int k = 0; k < LARGER_MOST && advisor_now(w) - begin < bound; k++) {
        const double by_order = (double)high * pow(candidate_error(w, row) / (aim_of_larger * w->a->accuracy),
                                                   1.0 / (double)order);
        const int64_t m = search_round_up(w, fmax(by_order, least));
        if ((double)m > fewer_most * (double)high)
            return;
        const span_run r = advisor_run_span(w, &row->contender, m, bound);
        if (r.cut)
            return;
        advice_row tried = *row;
        if (!r.status)
            candidate_predict(w, &tried, &r, m);
        if (r.status || !(candidate_error(w, &tried) <= w->a->accuracy)) {
            least = sqrt((double)m * (double)high);
            continue;
        }
        high = m;
        candidate_predict(w, row, &r, m);
    }
}

/* ---- The search ------------------------------------------------------------------------------------ */

typedef struct step_search {
    advisor *w;
    advice_row *row;
    int order;
    double begin, bound; /* [s] */
    int64_t m;           /* steps a stretch, of the next run */
    int64_t low;         /* of the last run; 0: no run yet */
    double cheapest;     /* [ns] of a stretch, of the runs that were cut */
    double least;        /* error so far */
    int stuck;           /* consecutive runs that hardly reduced it */
} step_search;

enum {
    FINER = 8,           /* the first size, in that of two steps a turn */
    STUCK_MOST = 3,      /* consecutive runs that hardly reduce the error */
    STEPS_MOST = 1 << 24 /* a stretch */
};
static const double share_of_a_run = 0.5;     /* of the bound on time */
static const double reduction = 0.5;          /* of the least error: by less, the search is stuck */
static const double may_be_rounding = 1e-6;   /* an error */
static const double factor_after_failure = 2; /* on the number of steps */
static const double factor_least = 1.25, factor_most = 8; /* on the number of steps, after an error */
static const double factor_worth_a_run = 1.5;             /* the least, where time allows no more */

static bool is_settled(advice_verdict v)
{
    return v == ADVICE_MEETS || v == ADVICE_FLOOR || v == ADVICE_TWIN;
}

/* Does an earlier row compute the same? The first runs of both, at the same step, are compared: by sums, as
 * the largest errors of different methods may agree where there is nothing but rounding. */
static bool is_twin(advisor *w, const advice_row *row, const span_run *r)
{
    const size_t own = (size_t)(row - w->a->rows);
    const double first[3] = {row->h, r->total, r->energy[0] + r->energy[1]};
    memcpy(w->first[own], first, sizeof first);
    for (size_t i = 0; i < own; i++)
        if (w->a->rows[i].contender.method == row->contender.method &&
            !memcmp(w->first[i], first, sizeof first))
            return true;
    return false;
}

/* After a run that was cut: such a step is too large, or there is no time anyway. Smaller steps are worth a
 * run while no step has succeeded, and as long as they are so much cheaper that a whole stretch is. */
static bool smaller_may_be_cheaper(step_search *s, const span_run *r)
{
    const double stretch = r->ns * (double)s->m;
    if (s->row->verdict != ADVICE_FAILS || !(stretch < s->cheapest))
        return false;
    s->cheapest = stretch;
    return true;
}

/* The verdict after a run that went through. */
static advice_verdict judge(step_search *s, const span_run *r)
{
    const bool first = s->row->verdict == ADVICE_FAILS;
    candidate_predict(s->w, s->row, r, s->m);
    if (first && is_twin(s->w, s->row, r))
        return ADVICE_TWIN;
    const double error = candidate_error(s->w, s->row);
    if (error <= s->w->a->accuracy)
        return ADVICE_MEETS;
    s->stuck = error < reduction * s->least ? 0 : s->stuck + 1;
    s->least = fmin(s->least, error);
    const bool at_floor = s->stuck >= STUCK_MOST && s->row->measured < may_be_rounding;
    return at_floor ? ADVICE_FLOOR : ADVICE_UNDECIDED;
}

/* The next number of steps; 0 if there is no time for one that is worth a run. Nothing is predicted from a
 * step that fails: it is expensive because it is too large. */
static double next_size(const step_search *s, const span_run *r)
{
    const double m = (double)s->m;
    if (r->cut || r->status)
        return factor_after_failure * m;
    const double factor = factor_needed(s->w, s->row, s->order),
                 next = fmin(factor_most, fmax(factor_least, factor)) * m;
    const double time = fmin(share_of_a_run * s->bound, s->begin + s->bound - advisor_now(s->w)),
                 most = time / (1e-9 * r->ns * (double)s->w->parts);
    if (next > most && (follows_order(s->w, s->row, s->order) || most < factor_worth_a_run * m))
        return 0;
    return fmin(next, most);
}

/* A run with m steps a stretch, its verdict, and the next size. false: the search ends. */
static bool try_size(step_search *s)
{
    const span_run r = advisor_run_span(s->w, &s->row->contender, s->m, share_of_a_run * s->bound);
    if (r.cut && !smaller_may_be_cheaper(s, &r))
        return false;
    if (!r.cut && !r.status)
        s->row->verdict = judge(s, &r);
    const double next = is_settled(s->row->verdict) ? 0 : next_size(s, &r);
    if (!(next > 0))
        return false;
    s->low = s->m;
    s->m = search_round_up(s->w, next);
    return advisor_now(s->w) - s->begin <= s->bound && s->m <= STEPS_MOST;
}

/* A search that ended before any step met the accuracy: the verdict, and what the order predicts. */
static void conclude_unsettled(const step_search *s)
{
    const advisor *w = s->w;
    advice_row *row = s->row;
    if (row->verdict == ADVICE_FAILS) {
        if (isfinite(s->cheapest) || fabs(advisor_step(w, s->low)) > w->a->reference_step)
            row->verdict = ADVICE_NO_TIME;
        return;
    }
    if (!follows_order(w, row, s->order))
        return;
    row->verdict = ADVICE_BY_ORDER;
    row->steps = (int64_t)ceil(factor_needed(w, row, s->order) * (double)row->steps);
    row->h = w->sign * w->a->horizon / (double)row->steps;
    row->error = row->energy_error = row->momentum_error = row->constraint_error = NAN;
    *(w->a->by_energy ? &row->energy_error : &row->error) = aim * w->a->accuracy;
    row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
}

/* The first size is some sixteen steps a turn; smaller or larger steps follow. Larger ones first would fail
 * with most methods, and a step that follows the branch of solutions from h = 0 takes all the time for it. */
void search_step(advisor *w, advice_row *row, double bound)
{
    step_search s = {.w = w,
                     .row = row,
                     .begin = advisor_now(w),
                     .bound = bound,
                     .m = search_round_up(w, FINER * (double)w->coarsest),
                     .cheapest = INFINITY,
                     .least = INFINITY};
    candidate_claims(w, &row->contender, &s.order);
    while (try_size(&s))
        ;
    if (row->verdict == ADVICE_MEETS)
        enlarge_step(w, row, s.low ? s.low : w->coarsest - 1, s.m, s.order, bound);
    else if (!is_settled(row->verdict))
        conclude_unsettled(&s);
}
