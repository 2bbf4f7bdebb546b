/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of eight systems of spins at once (polhode/ensemble.h) by the fixed point on the spheres: the sums of iterate.c and
 * step.c in vectors across the systems, each of which ends its iteration where it would alone, so that it gets the
 * bits that it gets alone. A system leaves where the fixed point contracts slowly, or a number is not finite; its step, all
 * stages of it, is then made by the method itself. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/lanes.h>

#include "lanes.h"
#include "midpoint.h"

#include <string.h>

enum { EIGHT = PH_METHOD_LANES, ALL = (1 << EIGHT) - 1 };

/* Arrays have eight numbers, one of each system, in place of each. */
typedef struct eight {
    ph_lanes_systems of;
    ph_lanes_spins *spins; /* NULL: they are stepped one by one */
    size_t n, carry;       /* spins; numbers that one system carries */
    bool wide, scaled, damped;
    double *inverse, *lambda;             /* (8n) 1 / Gamma, damping */
    double *z, *carried;                  /* (8 x 3n), (8 carry) in a step */
    double *y, *middle, *rate;            /* (8 x 3n) as in midpoint.h */
    double longest[EIGHT], change[EIGHT]; /* |d|^2/4, and of y; the largest in each */
    ph_midpoint_progress progress[EIGHT];
    int64_t passes[EIGHT];
    ph_lanes_alone alone;
} eight;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void lay(eight *w, const ph_system *system, const double *values, ph_lay *l)
{
    const size_t n = ph_system_spins(system)->n;
    const ph_method_size one = ph_midpoint_size(system, values);
    ph_lay_bytes(l, sizeof *w);
    w->n = n;
    w->carry = one.carry;
    double **each[] = {&w->z, &w->y, &w->middle, &w->rate};
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++)
        *each[i] = ph_lay_line(l, 3 * EIGHT * n * sizeof **each[i]);
    w->carried = ph_lay_line(l, EIGHT * one.carry * sizeof *w->carried);
    w->inverse = ph_lay_line(l, EIGHT * n * sizeof *w->inverse);
    w->lambda = ph_lay_line(l, EIGHT * n * sizeof *w->lambda);
    w->of.work = ph_lay_doubles(l, ph_lanes_work(system));
    w->spins = ph_lay_line(l, ph_lanes_spins_size(system));
    ph_lanes_alone_lay(&w->alone, one, system, l);
}

static ph_method_size eight_size(const ph_system *system, const double *values)
{
    eight counted;
    ph_lay l = {NULL, 0};
    lay(&counted, system, values, &l);
    return (ph_method_size){.work = l.bytes, .carry = EIGHT * counted.carry};
}

static ph_status eight_init(ph_context *context)
{
    static const ph_method single = {
        .init = ph_midpoint_init, .step = ph_midpoint_step, .finish = ph_midpoint_finish};
    eight *w = context->work;
    ph_lay l = {context->work, 0};
    lay(w, context->system, context->options, &l);
    ph_lanes_alone_begin(&w->alone, &single, context);
    ph_lanes_place(&w->of, context, w->of.work);
    w->spins = ph_lanes_spins_place(&w->of, w->spins);
    w->wide = ph_lanes(PH_KERNEL_AVX2);
    const ph_spins *first = ph_system_spins(w->of.systems[0]);
    w->scaled = first->strengths != NULL;
    w->damped = first->damping != NULL;
    for (size_t k = 0; k < EIGHT * w->n; k++) {
        const ph_spins *is = ph_system_spins(w->of.systems[k % EIGHT]);
        w->inverse[k] = is->strengths ? 1 / is->strengths[k / EIGHT] : 1;
        w->lambda[k] = is->damping ? is->damping[k / EIGHT] : 0;
        if (w->scaled != (is->strengths != NULL) || w->damped != (is->damping != NULL))
            w->spins = NULL;
    }
    return ph_lanes_alone_ready(&w->alone, 0);
}

static void eight_finish(ph_context *context)
{
    eight *w = context->work;
    ph_lanes_alone_finish(&w->alone);
}

/* ---- In vectors -------------------------------------------------------------------------------------------------- */

/* middle <- the normalised midpoints of z and z + y; longest. */
INLINE void halfway(eight *w, size_t at)
{
    const double *low = w->carried + EIGHT * PH_MIDPOINT_HEAD;
    vector longest = {0};
    for (size_t i = 0; i < w->n; i++) {
        const size_t k = 3 * EIGHT * i + at;
        const vector d[3] = {load(w->y + k), load(w->y + k + EIGHT), load(w->y + k + 2 * EIGHT)},
                     quarter = 0.25 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        vector unit;
        longest = ph_midpoint_larger(quarter, longest);
        for (int l = 0; l < LANES; l++)
            unit[l] = sqrt(1 - quarter[l]);
        unit = 1 / unit;
        for (size_t a = 0; a < 3; a++) {
            const size_t j = k + a * EIGHT;
            store(w->middle + j, unit * (load(w->z + j) + (0.5 * d[a] + load(low + j))));
        }
    }
    store(w->longest + at, longest);
}

/* y <- h X for the torques in `rate`, of the systems that go on; change. */
INLINE void take(eight *w, double h, const mask *goes_on, size_t at)
{
    vector change = {0};
    for (size_t i = 0; i < w->n; i++) {
        const vector inverse = load(w->inverse + EIGHT * i + at), lambda = load(w->lambda + EIGHT * i + at);
        vector T[3], m[3], X[3];
        for (size_t a = 0; a < 3; a++) {
            T[a] = X[a] = load(w->rate + EIGHT * (3 * i + a) + at);
            m[a] = load(w->middle + EIGHT * (3 * i + a) + at);
        }
        for (size_t a = 0; a < 3 && (w->damped || w->scaled); a++) {
            const size_t b = (a + 1) % 3, c = (a + 2) % 3;
            X[a] = T[a] * inverse;
            if (w->damped)
                X[a] += lambda * (T[b] * m[c] - T[c] * m[b]);
        }
        for (size_t a = 0; a < 3; a++) {
            double *y = w->y + EIGHT * (3 * i + a) + at;
            const vector before = load(y), next = h * X[a], moved = absolute(next - before);
            change = ph_midpoint_larger(moved, change);
            store(y, (vector)(((mask)next & *goes_on) | ((mask)before & ~*goes_on)));
        }
    }
    store(w->change + at, change);
}

/* z + low <- z + low + y, on the spheres. */
INLINE void advance(eight *w, size_t at)
{
    double *carried = w->carried + EIGHT * PH_MIDPOINT_HEAD;
    for (size_t i = 0; i < w->n; i++) {
        vector s[3], low[3], d[3];
        for (size_t a = 0; a < 3; a++) {
            const size_t k = EIGHT * (3 * i + a) + at;
            s[a] = load(w->z + k);
            low[a] = load(carried + k);
            d[a] = load(w->y + k);
        }
        ph_midpoint_advance(s, low, d);
        for (size_t a = 0; a < 3; a++) {
            const size_t k = EIGHT * (3 * i + a) + at;
            store(w->z + k, s[a]);
            store(carried + k, low[a]);
        }
    }
}

/* y <- by the latest five. */
INLINE void extrapolate(eight *w, const double *by, double *const *latest, size_t at)
{
    for (size_t k = at; k < 3 * EIGHT * w->n; k += EIGHT)
        store(w->y + k, by[0] * load(latest[0] + k) + by[1] * load(latest[1] + k) +
                            by[2] * load(latest[2] + k) + by[3] * load(latest[3] + k) +
                            by[4] * load(latest[4] + k));
}
_Static_assert(PH_STAGE_HISTORY == 5, "the terms of the sum");

#define EACH_PART for (size_t at = 0; at < EIGHT; at += LANES)
PH_LANES_TWICE(PH_LANES_AVX2, void, halfway_all, (eight * w), EACH_PART halfway(w, at);)
PH_LANES_TWICE(PH_LANES_AVX2, void, take_all, (eight * w, double h, const mask *goes_on),
               EACH_PART take(w, h, goes_on + at / LANES, at);)
PH_LANES_TWICE(PH_LANES_AVX2, void, advance_all, (eight * w), EACH_PART advance(w, at);)
PH_LANES_TWICE(PH_LANES_AVX2, void, extrapolate_all, (eight * w, const double *by, double *const *latest),
               EACH_PART extrapolate(w, by, latest, at);)

/* ---- A stage ----------------------------------------------------------------------------------------------------- */

static double *history(const eight *w, size_t back)
{
    const size_t latest = (size_t)w->carried[EIGHT * PH_MIDPOINT_LATEST];
    return w->carried + EIGHT * (PH_MIDPOINT_HEAD +
                                 3 * w->n * (1 + (latest + PH_STAGE_HISTORY - back) % PH_STAGE_HISTORY));
}

/* What the method itself has found for these steps. */
static const ph_midpoint *single_of(const eight *w)
{
    return w->alone.context.work;
}

static void guess(eight *w, size_t stage)
{
    const size_t count = (size_t)w->carried[EIGHT * PH_MIDPOINT_COUNT];
    double *latest[PH_STAGE_HISTORY];
    if (count == 0) {
        memset(w->y, 0, 3 * EIGHT * w->n * sizeof *w->y);
        return;
    }
    for (size_t j = 0; j < PH_STAGE_HISTORY; j++)
        latest[j] = history(w, j);
    (w->wide ? extrapolate_all_wide : extrapolate_all_plain)(w, single_of(w)->weights[stage][count - 1],
                                                             latest);
}

/* The largest of the numbers of system m. */
static double size_of(const eight *w, size_t m)
{
    double largest = 0;
    for (size_t k = m; k < 3 * EIGHT * w->n; k += EIGHT)
        largest = fabs(w->y[k]) > largest ? fabs(w->y[k]) : largest;
    return largest;
}

static bool is_finite(const eight *w, size_t m)
{
    double sum = 0;
    for (size_t k = m; k < 3 * EIGHT * w->n; k += EIGHT)
        sum += 0 * w->y[k];
    return sum == 0;
}

/* y <- the solutions from the guesses of those that have not left. Returns which have. */
static unsigned iterate(eight *w, double h, unsigned left)
{
    unsigned active = ALL & ~left;
    double size[EIGHT];
    for (size_t m = 0; m < EIGHT; m++)
        w->progress[m] = (ph_midpoint_progress){.before = INFINITY, .left = INFINITY};
    for (int pass = 0; active; pass++) {
        mask goes_on[EIGHT / LANES];
        (w->wide ? halfway_all_wide : halfway_all_plain)(w);
        for (size_t m = 0; m < EIGHT; m++)
            if (active & 1u << m && (!(w->longest[m] < 1) || pass == PH_MIDPOINT_PASSES)) {
                active &= ~(1u << m);
                left |= 1u << m;
            }
        for (size_t m = 0; m < EIGHT; m++)
            goes_on[m / LANES][m % LANES] = active & 1u << m ? -1 : 0;
        ph_lanes_torque(w->spins, w->middle, w->rate);
        (w->wide ? take_all_wide : take_all_plain)(w, h, goes_on);
        for (size_t m = 0; m < EIGHT; m++) {
            const unsigned own = 1u << m;
            if (!(active & own))
                continue;
            w->passes[m]++;
            if (pass == 0)
                size[m] = size_of(w, m);
            const bool ends = ph_midpoint_has_settled(&w->progress[m], w->change[m], size[m]);
            if (ends || w->progress[m].slow >= 2)
                active &= ~own;
            if (!ends && w->progress[m].slow >= 2)
                left |= own;
            if (ends && !is_finite(w, m))
                left |= own;
        }
    }
    return left;
}

static unsigned make_stage(eight *w, double h, size_t stage, unsigned left)
{
    guess(w, stage);
    left = iterate(w, h, left);
    (w->wide ? advance_all_wide : advance_all_plain)(w);
    for (size_t m = 0; m < EIGHT; m++) {
        double *head = w->carried + m;
        head[EIGHT * PH_MIDPOINT_LATEST] =
            (double)(((size_t)head[EIGHT * PH_MIDPOINT_LATEST] + 1) % PH_STAGE_HISTORY);
        head[EIGHT * PH_MIDPOINT_COUNT] = fmin(head[EIGHT * PH_MIDPOINT_COUNT] + 1, PH_STAGE_HISTORY);
    }
    memcpy(history(w, 0), w->y, 3 * EIGHT * w->n * sizeof *w->y);
    return left;
}

/* ---- A step ------------------------------------------------------------------------------------------------------ */

/* Which systems do not make their step together? Of the others z and what is carried are at its end. */
static unsigned step_together(eight *w, const ph_context *context, const ph_state *state)
{
    const ph_composition *of = single_of(w)->of;
    unsigned left = 0;
    memcpy(w->z, state->z, state->nz * sizeof *w->z);
    memcpy(w->carried, state->carry, state->ncarry * sizeof *w->carried);
    for (size_t m = 0; m < EIGHT; m++) {
        double *head = w->carried + m;
        w->passes[m] = 0;
        if (head[EIGHT * PH_MIDPOINT_STAMP] != context->h) {
            head[EIGHT * PH_MIDPOINT_STAMP] = context->h;
            head[EIGHT * PH_MIDPOINT_COUNT] = head[EIGHT * PH_MIDPOINT_LATEST] =
                head[EIGHT * PH_MIDPOINT_DIRECT] = 0;
        }
        if (head[EIGHT * PH_MIDPOINT_DIRECT] > 0)
            left |= 1u << m;
    }
    for (size_t i = 0; i < (of ? of->stages : 1) && left != ALL; i++)
        left = make_stage(w, of ? ph_composition_gamma(of, i) * context->h : context->h, i, left);
    for (size_t m = 0; m < EIGHT; m++)
        context->statistics->newton_passes += left & 1u << m ? 0 : w->passes[m];
    return left;
}

static ph_status eight_step(ph_context *context, ph_state *state)
{
    eight *w = context->work;
    const unsigned left = w->spins ? step_together(w, context, state) : ALL;
    const ph_status status = ph_lanes_alone_step(&w->alone, context, state, left);
    if (status)
        return status;
    if (left != ALL) {
        memcpy(state->z, w->z, state->nz * sizeof *w->z);
        memcpy(state->carry, w->carried, state->ncarry * sizeof *w->carried);
    }
    ph_lanes_alone_scatter(&w->alone, state, left);
    return PH_OK;
}

const ph_method *ph_midpoint_eight(const ph_system *system, const double *options)
{
    static const ph_method method = {.name = "spherical-midpoint",
                                     .size = eight_size,
                                     .init = eight_init,
                                     .finish = eight_finish,
                                     .step = eight_step,
                                     .takes_systems = true};
    return ph_system_spins(system)->n <= PH_MIDPOINT_FEW && options[PH_MIDPOINT_EXTENSION] == 0 &&
                   ph_lanes_spins_size(system)
               ? &method
               : NULL;
}
