/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates from the catalogue: each searched for the largest step, or the loosest tolerance, that meets the
 * accuracy; ranked by their time; and the first confirmed by a run to the horizon. */
#include "search.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 64 }; /* at which runs to the horizon are compared */

/* [s of CPU], of small systems, of ADVICE_BUDGET */
static const double for_candidates = 3.5, for_timing = 0.5, for_confirmation = 1.5;

/* ---- Candidates ---------------------------------------------------------------------------------- */

static const ph_option *option_of(const ph_method *method, const char *name)
{
    for (size_t i = 0; i < method->n_options; i++)
        if (!strcmp(method->options[i].name, name))
            return &method->options[i];
    return NULL;
}

static void enter(advisor *w, const char *method, const char *option, const char *value)
{
    char text[sizeof w->reference.label];
    advice_row *row = &w->a->rows[w->a->n_rows];
    ph_error err;
    if (w->a->n_rows == ADVICE_ROWS)
        return;
    snprintf(text, sizeof text, *option ? "%s:%s=%s" : "%s", method, option, value);
    *row = (advice_row){.verdict = ADVICE_FAILS,
                        .h = NAN,
                        .correction = 1,
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

/* A candidate for each value of the option but its word for none in particular. */
static void enter_values(advisor *w, const ph_method *method, const char *name)
{
    const ph_option *o = option_of(method, name);
    char value[64];
    if (o && o->type == PH_OPTION_CHOICE)
        for (const char *word = o->choices; *word;) {
            const size_t n = strcspn(word, " ");
            snprintf(value, sizeof value, "%.*s", (int)n, word);
            if (strcmp(value, "automatic") != 0)
                enter(w, method->name, name, value);
            word += n + strspn(word + n, " ");
        }
    if (o && o->type == PH_OPTION_COUNT)
        for (double x = o->min; x <= fmin(o->max, o->min + 20); x++) {
            snprintf(value, sizeof value, "%.0f", x);
            enter(w, method->name, name, value);
        }
}

static void list_candidates(advisor *w)
{
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        if (!option_of(method, "order"))
            enter(w, method->name, "", "");
        enter_values(w, method, "order");
        enter_values(w, method, "composition");
    }
}

/* ---- The search ---------------------------------------------------------------------------------- */

static unsigned claims_of(const advisor *w, const contender *c, int *order)
{
    double values[CONTENDER_OPTIONS];
    *order = c->method->order;
    if (ph_method_options(c->method, c->settings, c->n_settings, values, NULL))
        return c->method->claims;
    *order = ph_method_order(c->method, w->system, values);
    return ph_method_claims(c->method, w->system, values);
}

/* Is its energy error taken not to drift? Parasitic modes of multistep methods grow in a chaotic motion. */
static bool keeps_structure(const advisor *w, unsigned claims)
{
    return (claims & (PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC)) != 0 &&
           !(claims & PH_CLAIM_MULTISTEP && w->a->exponent > 0);
}

/* What a passage lets expect at the horizon. */
static void expect(const advisor *w, advice_row *row, const passage *p, int64_t m)
{
    int order;
    const unsigned claims = claims_of(w, &row->contender, &order);
    const bool keeps = keeps_structure(w, claims);
    const double longer = w->a->horizon / w->a->span;
    /* a chaotic motion has moments more violent than those of a short part of it */
    const double rarer = w->a->exponent > 0 && longer > 1 ? 3 : 1;
    row->h = advisor_step(w, m);
    row->steps = m * w->stretches;
    row->measured = fmax(p->error[0], p->error[1]);
    row->ratio = p->error[1] / p->error[0];
    row->error = w->a->by_energy ? NAN : row->correction * row->measured * advisor_growth(w, keeps ? 1 : 2);
    row->energy_error = (w->a->by_energy ? row->correction : 1) * fmax(p->energy[0], p->energy[1]) *
                        (keeps && !w->a->forced ? rarer : longer);
    row->confirmed = w->a->span >= w->a->horizon;
    row->run_to = 0;
    row->momentum_error = fmax(p->momentum[0], p->momentum[1]) * (claims & PH_CLAIM_MOMENTUM ? 1 : longer);
    row->constraint_error = p->constraint * (claims & PH_CLAIM_MANIFOLD ? 1 : longer);
    row->nanoseconds = p->ns;
    row->cpu_seconds = 1e-9 * p->ns * (double)row->steps;
}

static double deciding(const advisor *w, const advice_row *row)
{
    return w->a->by_energy ? row->energy_error : row->error;
}

/* The next number of steps a stretch, if there is one near, whose step has few digits. */
static int64_t round_up(const advisor *w, double m)
{
    const int64_t first = (int64_t)ceil(fmax(1, m) - 1e-9);
    for (int64_t n = first; (double)n <= 1.1 * (double)first && n < first + 10000; n++) {
        char text[32];
        snprintf(text, sizeof text, "%.4g", fabs(advisor_step(w, n)));
        if (fabs(strtod(text, NULL) / fabs(advisor_step(w, n)) - 1) < 1e-14)
            return n;
    }
    return first;
}

/* Does an earlier row do the same? Passages at the same step are compared, the first of each: by sums, as the
 * largest errors of different methods may be the same where there is nothing but rounding. */
static bool is_twin(advisor *w, const advice_row *row, const passage *p)
{
    const size_t own = (size_t)(row - w->a->rows);
    const double first[3] = {row->h, p->total, p->energy[0] + p->energy[1]};
    memcpy(w->first[own], first, sizeof first);
    for (size_t i = 0; i < own; i++)
        if (w->a->rows[i].contender.method == row->contender.method &&
            !memcmp(w->first[i], first, sizeof first))
            return true;
    return false;
}

/* The next step is chosen so that the error becomes this much of what is wanted, by the order; a larger one
 * that is tried when a step is there, so much of it. */
static const double aim = 0.5, aim_of_larger = 0.8;
/* What is worth a passage: from so many times the steps that are too few, to so many times those that do. */
static const double fewer_least = 1.05, fewer_most = 0.9;
enum { LARGER_MOST = 3 }; /* times that larger steps are tried */

/* Larger steps from a number of them that does; with `low` it does not, or there are none so few. What the
 * order promises fails where steps are too large for it: then half way. */
static void refine(const advisor *w, advice_row *row, int64_t low, int64_t high, int order, double bound)
{
    const double begin = advisor_now(w);
    double least = fewer_least * (double)low;
    for (int k = 0; k < LARGER_MOST && advisor_now(w) - begin < bound; k++) {
        const double by_order =
            (double)high * pow(deciding(w, row) / (aim_of_larger * w->a->accuracy), 1.0 / (double)order);
        const int64_t m = round_up(w, fmax(by_order, least));
        if ((double)m > fewer_most * (double)high)
            return;
        const passage p = advisor_pass(w, &row->contender, m, bound);
        if (p.cut)
            return;
        advice_row tried = *row;
        if (!p.status)
            expect(w, &tried, &p, m);
        if (p.status || !(deciding(w, &tried) <= w->a->accuracy)) {
            least = sqrt((double)m * (double)high);
            continue;
        }
        high = m;
        row->h = tried.h;
        row->steps = tried.steps;
        expect(w, row, &p, m);
    }
}

/* By what the number of steps is to grow until the error is half of what is wanted, by the order. */
static double needed(const advisor *w, const advice_row *row, int order)
{
    return pow(deciding(w, row) / (aim * w->a->accuracy), 1.0 / order);
}

/* Is the error so small that it goes by the order? */
static bool goes_by_order(const advisor *w, const advice_row *row, int order)
{
    static const double small = 0.1, many = 1e6, above_rounding = 4;
    return row->measured < small && needed(w, row, order) < many &&
           aim * w->a->accuracy > above_rounding * DBL_EPSILON;
}

/* The search for a step, a passage after the other. */
typedef struct step_search {
    advisor *w;
    advice_row *row;
    int order;
    double begin, bound; /* [s] */
    int64_t m, low;      /* steps a stretch, of this passage and of the last one: 0 */
    double cheapest;     /* [ns] of a stretch, of the passages that were cut */
    double least;        /* error */
    int stuck;           /* passages that made it little smaller */
} step_search;

enum { FINER = 8, STUCK_MOST = 3, STEPS_MOST = 1 << 24 };
static const double of_a_passage = 0.5;  /* of the bound */
static const double smaller = 0.5;       /* of the least error: one that is no longer stuck */
static const double at_floor = 1e-6;     /* an error that may be rounding */
static const double after_a_failure = 2; /* so many times the steps */
static const double growth_least = 1.25, growth_most = 8;
static const double worth_a_passage = 1.5; /* so many times the steps, where time allows no more */

typedef enum outcome {
    GOES_ON,
    ENDS,   /* no more steps are tried: conclude has the verdict */
    SETTLED /* the verdict is there */
} outcome;

/* Such a step is too large, or there is no time anyway: smaller ones are tried as long as they are so much
 * cheaper that all of them together are. */
static outcome judge_cut(step_search *s, const passage *p)
{
    const double all = p->ns * (double)s->m;
    if (s->row->verdict != ADVICE_FAILS || !(all < s->cheapest))
        return ENDS;
    s->cheapest = all;
    return GOES_ON;
}

static outcome judge(step_search *s, const passage *p)
{
    advisor *w = s->w;
    advice_row *row = s->row;
    const bool first = row->verdict == ADVICE_FAILS;
    expect(w, row, p, s->m);
    row->verdict = ADVICE_UNDECIDED;
    if (first && is_twin(w, row, p)) {
        row->verdict = ADVICE_TWIN;
        return SETTLED;
    }
    const double error = deciding(w, row);
    if (error <= w->a->accuracy) {
        row->verdict = ADVICE_MEETS;
        refine(w, row, s->low ? s->low : w->coarsest - 1, s->m, s->order, s->bound);
        return SETTLED;
    }
    s->stuck = error < smaller * s->least ? 0 : s->stuck + 1;
    s->least = fmin(s->least, error);
    if (s->stuck < STUCK_MOST || !(row->measured < at_floor))
        return GOES_ON;
    row->verdict = ADVICE_FLOOR;
    return SETTLED;
}

/* The next number of steps, 0 if there is no time for one that is worth it. Nothing is foretold from a step
 * that fails, expensive as it is too large. */
static double next_size(const step_search *s, const passage *p)
{
    const double m = (double)s->m;
    if (p->cut || p->status)
        return after_a_failure * m;
    const double next = fmin(growth_most, fmax(growth_least, needed(s->w, s->row, s->order))) * m;
    const double room = fmin(of_a_passage * s->bound, s->begin + s->bound - advisor_now(s->w)),
                 most = room / (1e-9 * p->ns * (double)s->w->parts);
    if (next > most && (goes_by_order(s->w, s->row, s->order) || most < worth_a_passage * m))
        return 0;
    return fmin(next, most);
}

/* There are too many steps to be tried: what the order lets expect of them, where it does. */
static void conclude(const step_search *s)
{
    const advisor *w = s->w;
    advice_row *row = s->row;
    if (row->verdict == ADVICE_FAILS) {
        if (isfinite(s->cheapest) || fabs(advisor_step(w, s->low)) > w->a->reference_step)
            row->verdict = ADVICE_NO_TIME;
        return;
    }
    if (!goes_by_order(w, row, s->order))
        return;
    row->verdict = ADVICE_BY_ORDER;
    row->steps = (int64_t)ceil(needed(w, row, s->order) * (double)row->steps);
    row->h = w->sign * w->a->horizon / (double)row->steps;
    row->error = row->energy_error = row->momentum_error = row->constraint_error = NAN;
    row->confirmed = false;
    *(w->a->by_energy ? &row->energy_error : &row->error) = aim * w->a->accuracy;
    row->cpu_seconds = 1e-9 * row->nanoseconds * (double)row->steps;
}

/* From steps of some sixteen a turn, towards smaller or larger ones. Larger ones first would fail with most
 * methods, and what follows the branch from h = 0 in every step takes all the time for it. */
static void search_step(advisor *w, advice_row *row, double bound)
{
    step_search s = {.w = w,
                     .row = row,
                     .begin = advisor_now(w),
                     .bound = bound,
                     .m = round_up(w, FINER * (double)w->coarsest),
                     .cheapest = INFINITY,
                     .least = INFINITY};
    claims_of(w, &row->contender, &s.order);
    do {
        const passage p = advisor_pass(w, &row->contender, s.m, of_a_passage * bound);
        const outcome o = p.cut ? judge_cut(&s, &p) : p.status ? GOES_ON : judge(&s, &p);
        if (o == SETTLED)
            return;
        const double next = o == ENDS ? 0 : next_size(&s, &p);
        if (!(next > 0))
            break;
        s.low = s.m;
        s.m = round_up(w, next);
    } while (advisor_now(w) - s.begin <= bound && s.m <= STEPS_MOST);
    conclude(&s);
}

enum { HALVES_LEAST = 8, HALVES_MOST = 28 };

/* text <- METHOD with a tolerance of so many half digits: 1e-4, 3e-5, 1e-5, ... */
static void write_tolerance(char *text, size_t size, const ph_method *method, int halves)
{
    const int first = halves % 2 ? 3 : 1, digits = (halves + 1) / 2;
    snprintf(text, size, "%s:rtol=%de-%d:atol=%de-%d", method->name, first, digits, first, digits);
}

/* An adaptive method with such a tolerance, through the span; its steps are only where it stops. */
static passage pass_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    char text[sizeof row->contender.label];
    ph_error err;
    passage p = {PH_E_RANGE, .ns = NAN};
    write_tolerance(text, sizeof text, row->contender.method, halves);
    if (!contender_parse(&row->contender, text, &err))
        p = advisor_pass(w, &row->contender, 1, bound);
    row->halves = halves;
    return p;
}

/* Does it meet the accuracy with this tolerance? */
static bool try_tolerance(const advisor *w, advice_row *row, int halves, double bound)
{
    const passage p = pass_tolerance(w, row, halves, bound);
    row->verdict = p.cut ? ADVICE_UNDECIDED : row->verdict;
    if (p.cut || p.status)
        return false;
    expect(w, row, &p, 1);
    row->verdict = deciding(w, row) <= w->a->accuracy ? ADVICE_MEETS : ADVICE_FLOOR;
    return row->verdict == ADVICE_MEETS;
}

/* Digit by digit, and then half a digit back. */
static void search_tolerance(const advisor *w, advice_row *row, double bound)
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

static ph_status search_all(advisor *w, ph_error *err)
{
    double left = advisor_share(w, for_candidates);
    for (size_t i = 0; i < w->a->n_rows; i++) {
        advice_row *row = &w->a->rows[i];
        const double begin = advisor_now(w),
                     share = fmax(advisor_share(w, 0.05), 2 * left / (double)(w->a->n_rows - i));
        ph_status status =
            advisor_pause(w, row->contender.label, 0.25 + 0.6 * (double)i / (double)w->a->n_rows, err);
        if (status)
            return status;
        if (row->contender.method->claims & PH_CLAIM_ADAPTIVE)
            search_tolerance(w, row, share);
        else
            search_step(w, row, share);
        left -= advisor_now(w) - begin;
    }
    return PH_OK;
}

/* ---- Ranks --------------------------------------------------------------------------------------- */

static bool is_before(const advice_row *a, const advice_row *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    return a->cpu_seconds < b->cpu_seconds;
}

static void rank(advice *a)
{
    a->n_listed = 0;
    for (size_t i = 0; i < a->n_rows; i++) {
        if (a->rows[i].verdict == ADVICE_TWIN)
            continue;
        size_t k = a->n_listed++;
        for (; k > 0 && is_before(&a->rows[i], &a->rows[a->order[k - 1]]); k--)
            a->order[k] = a->order[k - 1];
        a->order[k] = i;
    }
    const advice_row *first = a->n_listed ? &a->rows[a->order[0]] : NULL;
    a->best = first && first->verdict <= ADVICE_BY_ORDER ? first : NULL;
}

/* Those that meet the accuracy, timed in turn; where steps have a price, that is what they take. */
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
    if (!n || (w->plan->watch && w->plan->watch->price))
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

/* ---- Confirmation -------------------------------------------------------------------------------- */

/* From the start to the horizon in `fold` times so many steps: ends (TIMES x nz) <- the configurations at
 * some of them, whatever the fold; *energy <- the largest error there and between. */
static ph_status go_through(const advisor *w, const contender *c, double h, int64_t steps, int64_t fold,
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

/* *energy <- the row's largest energy error in so many steps; *error <- the largest distance from the same
 * with half the step, or with two more digits of its tolerance. INFINITY where it does not get there. */
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
        write_tolerance(text, sizeof text, row->contender.method,
                        row->halves + 4 < HALVES_MOST ? row->halves + 4 : HALVES_MOST);
    ph_status status = contender_parse(&finer, text, err);
    if (!status)
        status = go_through(w, &row->contender, row->h, steps, 1, ends, energy);
    if (!status && !w->a->by_energy)
        status = go_through(w, &finer, row->h, steps, row->halves ? 1 : 2, ends + TIMES * w->nz, &others);
    *error = advisor_difference(ends, ends + TIMES * w->nz, TIMES * w->nz);
    free(ends);
    if (status == PH_E_INTERRUPTED || status == PH_E_NO_MEMORY)
        return ph_fail(err, status, status == PH_E_INTERRUPTED ? "interrupted: %s" : "out of memory for %s",
                       row->contender.label);
    if (status)
        *error = *energy = INFINITY;
    return PH_OK;
}

/* A smaller step or tolerance, after the horizon has shown this error. */
static void tighten(const advisor *w, advice_row *row, double error)
{
    int order;
    const double more = fmin(1e6, error / (0.5 * w->a->accuracy));
    int64_t m = 1;
    claims_of(w, &row->contender, &order);
    row->correction *= fmin(1e6, fmax(1, error / deciding(w, row)));
    row->verdict = ADVICE_UNDECIDED;
    if (row->halves >= HALVES_MOST)
        return;
    if (!row->halves)
        m = round_up(w, (double)row->steps / (double)w->stretches * fmax(1.1, pow(more, 1.0 / order)));
    const double bound = advisor_share(w, for_confirmation);
    const passage p = row->halves ? pass_tolerance(w, row, row->halves + 1, bound)
                                  : advisor_pass(w, &row->contender, m, bound);
    if (p.status || p.cut)
        return;
    expect(w, row, &p, m);
    if (row->halves || deciding(w, row) <= w->a->accuracy)
        row->verdict = ADVICE_MEETS;
}

/* By what the energy error grows from a part of the horizon to all of it. Of a method that keeps the
 * structure by little while steps are small, but where they are large for the violent moments of a chaotic
 * motion, each of these leaves a little behind: a random walk, of few steps of any size, whence the 2. */
static double energy_growth(const advisor *w, const advice_row *row, double part)
{
    int order;
    const double walk = 2 * sqrt(1 / part);
    return keeps_structure(w, claims_of(w, &row->contender, &order)) ? walk : fmax(walk, 1 / part);
}

/* The first row, where all of the horizon would take too long: its energy over the part there is time for.
 * *done: it is as good as was expected, or that part is no news. */
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
    rank(w->a);
    return PH_OK;
}

/* Until the first row has shown at the horizon that it is as good as expected, or that takes too long. */
static ph_status confirm(advisor *w, ph_error *err)
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
        rank(w->a);
    }
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

ph_status advisor_search(advisor *w, ph_error *err)
{
    list_candidates(w);
    ph_status status = search_all(w, err);
    if (status)
        return status;
    rank(w->a);
    status = advisor_pause(w, "timing", 0.9, err);
    if (!status)
        status = time_rows(w, err);
    rank(w->a);
    return status ? status : confirm(w, err);
}
