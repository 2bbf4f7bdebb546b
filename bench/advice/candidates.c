/* SPDX-License-Identifier: BSD-3-Clause */
/* The candidates of the catalogue, and what a measured span predicts for each at the horizon. */
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double search_margin(const advisor *w)
{
    static const double margin = 4;
    return w->a->span < w->a->horizon && !w->a->by_energy ? margin : 1;
}

static void enter_row(advisor *w, const char *method, const char *option, const char *value)
{
    char text[sizeof w->guide.label];
    advice_row *row = &w->a->rows[w->a->n_rows];
    ph_error err;
    if (w->a->n_rows == ADVICE_ROWS)
        return;
    snprintf(text, sizeof text, *option ? "%s:%s=%s" : "%s", method, option, value);
    *row = (advice_row){.verdict = ADVICE_FAILS,
                        .h = NAN,
                        .correction = search_margin(w),
                        .measured = NAN,
                        .ratio = NAN,
                        .error = NAN,
                        .energy_error = NAN,
                        .momentum_error = NAN,
                        .constraint_error = NAN,
                        .nanoseconds = NAN,
                        .cpu_seconds = INFINITY};
    if (!contender_parse(&row->contender, text, &err) && advisor_takes(w, &row->contender))
        w->a->n_rows++;
}

/* A candidate for each value of the option, except the word that leaves the choice to the method. */
static void enter_values(advisor *w, const ph_method *method, const char *name)
{
    const ph_option *o = contender_option(method, name);
    char value[64];
    if (o && o->type == PH_OPTION_CHOICE)
        for (const char *word = o->choices; *word;) {
            const size_t n = strcspn(word, " ");
            snprintf(value, sizeof value, "%.*s", (int)n, word);
            if (strcmp(value, "automatic") != 0)
                enter_row(w, method->name, name, value);
            word += n + strspn(word + n, " ");
        }
    if (o && o->type == PH_OPTION_COUNT)
        for (double x = o->min; x <= fmin(o->max, o->min + 20); x++) {
            snprintf(value, sizeof value, "%.0f", x);
            enter_row(w, method->name, name, value);
        }
}

void candidates_list(advisor *w)
{
    if (w->plan->only) {
        enter_row(w, w->plan->only->label, "", "");
        return;
    }
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        if (!contender_option(method, "order"))
            enter_row(w, method->name, "", "");
        if (contender_option(method, "rtol") &&
            !(method->claims & PH_CLAIM_ADAPTIVE)) /* steps of its own, too */
            enter_row(w, method->name, "rtol", "1e-4");
        enter_values(w, method, "order");
        enter_values(w, method, "composition");
    }
}

bool candidate_is_adaptive(const advice_row *row)
{
    return contender_tolerance(&row->contender) > 0;
}

unsigned candidate_claims(const advisor *w, const contender *c, int *order)
{
    double values[CONTENDER_OPTIONS];
    *order = c->method->order;
    if (ph_method_options(c->method, c->settings, c->n_settings, values, NULL))
        return c->method->claims;
    *order = ph_method_order(c->method, w->system, values);
    return ph_method_claims(c->method, w->system, values);
}

/* Symplectic and symmetric methods keep it, but parasitic modes of multistep methods grow in a
 * chaotic motion. */
bool candidate_keeps_structure(const advisor *w, unsigned claims)
{
    return (claims & (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC)) != 0 &&
           !(claims & PH_CLAIM_MULTISTEP && w->a->exponent > 0);
}

void candidate_predict(const advisor *w, advice_row *row, const span_run *r, int64_t m)
{
    int order;
    const unsigned claims = candidate_claims(w, &row->contender, &order);
    const bool keeps = candidate_keeps_structure(w, claims);
    const double longer = w->a->horizon / w->a->span;
    /* a long chaotic motion has more violent moments than a short part of it */
    const double rarer = w->a->exponent > 0 && longer > 1 ? 3 : 1;
    row->h = advisor_step(w, m);
    row->steps = m * w->stretches;
    row->measured = fmax(r->error[0], r->error[1]);
    row->ratio = r->error[1] / r->error[0];
    row->keeps = keeps && !w->a->forced && !(longer > 1 && r->grows);
    row->error = w->a->by_energy ? NAN
                                 : row->correction * row->measured * advisor_growth(w, keeps ? 1 : 2) +
                                       w->a->uncertainty * advisor_growth(w, 1);
    row->energy_error = (w->a->by_energy ? row->correction : 1) * fmax(r->energy[0], r->energy[1]) *
                        (row->keeps ? rarer : longer);
    row->confirmed = false;
    row->run_to = 0;
    row->momentum_error = fmax(r->momentum[0], r->momentum[1]) * (claims & PH_CLAIM_MOMENTUM ? 1 : longer);
    row->constraint_error = r->constraint * (claims & PH_CLAIM_MANIFOLD ? 1 : longer);
    row->nanoseconds = r->ns;
    row->cpu_seconds = 1e-9 * r->ns * (double)row->steps;
}

double candidate_error(const advisor *w, const advice_row *row)
{
    return advice_row_error(w->a, row);
}

/* ---- Ranks ----------------------------------------------------------------------------------------- */

/* Where the energy is asked for, what a run is made for are its statistics, and a method that keeps the structure
 * comes before a cheaper one whose energy drifts, be it within the accuracy. */
static bool is_before(const advice *of, const advice_row *a, const advice_row *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    if (of->by_energy && a->keeps != b->keeps)
        return a->keeps;
    return a->cpu_seconds < b->cpu_seconds;
}

bool candidates_must_keep(const advisor *w)
{
    return w->a->by_energy && w->a->span < w->a->horizon && !w->plan->only;
}

void candidates_rank(const advisor *w)
{
    advice *a = w->a;
    a->n_listed = 0;
    for (size_t i = 0; i < a->n_rows; i++) {
        advice_row *row = &a->rows[i];
        if (candidates_must_keep(w) && row->verdict <= ADVICE_BY_ORDER && !row->keeps && !row->confirmed)
            row->verdict = ADVICE_DRIFTS;
        if (row->verdict == ADVICE_TWIN)
            continue;
        size_t k = a->n_listed++;
        for (; k > 0 && is_before(a, row, &a->rows[a->order[k - 1]]); k--)
            a->order[k] = a->order[k - 1];
        a->order[k] = i;
    }
    const advice_row *first = a->n_listed ? &a->rows[a->order[0]] : NULL;
    a->best = first && first->verdict <= ADVICE_BY_ORDER ? first : NULL;
}
