/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the loosest tolerance of an adaptive method that meets the accuracy. */
#include "search.h"

#include <math.h>
#include <stdio.h>

void search_write_tolerance(char *text, size_t size, const ph_method *method, int halves)
{
    const int first = halves % 2 ? 3 : 1, digits = (halves + 1) / 2;
    snprintf(text, size, "%s:rtol=%de-%d:atol=%de-%d", method->name, first, digits, first, digits);
}

/* One step a stretch: the steps of an adaptive method are only where it stops. */
span_run search_run_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    char text[sizeof row->contender.label];
    ph_error err;
    span_run r = {PH_E_RANGE, .ns = NAN};
    search_write_tolerance(text, sizeof text, row->contender.method, halves);
    if (!contender_parse(&row->contender, text, &err))
        r = advisor_run_span(w, &row->contender, 1, bound);
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
    candidate_predict(w, row, &r, 1);
    row->verdict = candidate_error(w, row) <= w->a->accuracy ? ADVICE_MEETS : ADVICE_FLOOR;
    return row->verdict == ADVICE_MEETS;
}

/* Digit by digit, and then half a digit back. */
void search_tolerance(const advisor *w, advice_row *row, double bound)
{
    const double begin = advisor_now(w);
    for (int halves = HALVES_LEAST; halves <= HALVES_MOST; halves += 2) {
        if (try_tolerance(w, row, halves, bound)) {
            if (halves > HALVES_LEAST && !try_tolerance(w, row, halves - 1, bound))
                try_tolerance(w, row, halves, bound);
            return;
        }
        if (row->verdict != ADVICE_UNDECIDED && advisor_now(w) - begin > bound)
            row->verdict = ADVICE_UNDECIDED;
        if (row->verdict == ADVICE_UNDECIDED) {
            if (isnan(row->h))
                row->verdict = ADVICE_NO_TIME;
            return;
        }
    }
}
