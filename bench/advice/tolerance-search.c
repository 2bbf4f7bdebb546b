/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the loosest tolerance of an adaptive method that meets the accuracy. */
#include "search.h"

#include <math.h>
#include <stdio.h>

void search_write_tolerance(char *text, size_t size, const ph_method *method, int halves)
{
    const int first = halves % 2 ? 3 : 1, digits = (halves + 1) / 2;
    const int n = snprintf(text, size, "%s:rtol=%de-%d", method->name, first, digits);
    if (contender_option(method, "atol"))
        snprintf(text + n, size - (size_t)n, ":atol=%de-%d", first, digits);
}

int64_t search_stops(const advisor *w)
{
    enum { STOPS = 200 }; /* in the horizon: where such a run has states */
    return (STOPS + w->stretches - 1) / w->stretches;
}

/* The steps of an adaptive method are only where it stops. */
span_run search_run_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    char text[sizeof row->contender.label];
    ph_error err;
    span_run r = {PH_E_RANGE, .ns = NAN};
    search_write_tolerance(text, sizeof text, row->contender.method, halves);
    if (!contender_parse(&row->contender, text, &err))
        r = advisor_run_span(w, &row->contender, search_stops(w), bound);
    row->halves = halves;
    return r;
}

/* Does it meet the accuracy with this tolerance? Sets the verdict where a run was cut or went through. */
static bool try_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    const span_run r = search_run_tolerance(w, row, halves, bound);
    row->verdict = r.cut ? ADVICE_UNDECIDED : row->verdict;
    if (r.cut || r.status)
        return false;
    candidate_predict(w, row, &r, search_stops(w));
    row->verdict = candidate_error(w, row) <= w->a->accuracy ? ADVICE_MEETS : ADVICE_FLOOR;
    return row->verdict == ADVICE_MEETS;
}

/* Half digits by which an error that is in proportion to the tolerance becomes small enough. */
static int halves_needed(const advisor *w, const advice_row *row)
{
    enum { LEAST = 1, MOST = 12 };
    const double more = 2 * log10(candidate_error(w, row) / w->a->accuracy);
    return more > LEAST ? (int)ceil(fmin(more, MOST)) : LEAST;
}

/* From a loose tolerance by what the error requires, until it is met; then back by half digits. */
void search_tolerance(advisor *w, advice_row *row, double bound)
{
    static const double slack = 0.15; /* of the accuracy: with an error below it, half a digit less may do */
    const double begin = advisor_now(w);
    int halves = HALVES_LEAST, misses = HALVES_LEAST - 1; /* the largest that is known not to meet it */
    while (!try_tolerance(w, row, halves, bound)) {
        const bool known = row->verdict == ADVICE_FLOOR;
        if (row->verdict != ADVICE_UNDECIDED && advisor_now(w) - begin > bound)
            row->verdict = ADVICE_UNDECIDED;
        if (row->verdict == ADVICE_UNDECIDED && isnan(row->h))
            row->verdict = ADVICE_NO_TIME;
        if (row->verdict == ADVICE_UNDECIDED || row->verdict == ADVICE_NO_TIME || halves == HALVES_MOST)
            return;
        misses = halves;
        halves += known ? halves_needed(w, row) : 2;
        halves = halves < HALVES_MOST ? halves : HALVES_MOST;
    }
    while (halves - 1 > misses && candidate_error(w, row) < slack * w->a->accuracy &&
           advisor_now(w) - begin < bound) {
        const advice_row before = *row;
        if (try_tolerance(w, row, halves - 1, bound))
            halves--;
        else {
            *row = before;
            return;
        }
    }
}
