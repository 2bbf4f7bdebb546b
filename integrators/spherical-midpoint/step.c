/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the midpoint methods on spheres (spherical-midpoint.c), and of their compositions: guesses, the solution by the fixed
 * point or by Newton's iteration, and the sum.
 *
 * s is a compensated sum; what |s| lacks is part of the next sum (ph_unit_correct_sum3). Nothing is divided
 * by a norm. */
#include <polhode/kit/algebra.h>
#include <polhode/method.h>

#include "integrators/shared/extrapolation.h"
#include "lanes.h"
#include "midpoint.h"

#include <string.h>

/* After the fixed point has contracted slowly in one stage. */
static const double stages_by_newton = 16;

/* ---- Guesses --------------------------------------------------------------------------------------- */

/* Steps of one size: through the latest n by the polynomial of degree n - 1. */
static void weigh_steps(double weights[PH_STAGE_HISTORY][PH_STAGE_HISTORY])
{
    for (size_t n = 1; n <= PH_STAGE_HISTORY; n++) {
        double binomial = (double)n;
        for (size_t j = 0; j < PH_STAGE_HISTORY; j++) {
            weights[n - 1][j] = j < n ? (j % 2 ? -binomial : binomial) : 0;
            binomial *= ((double)n - (double)j - 1) / ((double)j + 2);
        }
    }
}

static void weigh_stage(const ph_composition *of, size_t stage,
                        double weights[PH_STAGE_HISTORY][PH_STAGE_HISTORY])
{
    const ph_sample own = ph_increment_before(of, stage, 0);
    ph_sample before[PH_STAGE_HISTORY];
    for (size_t j = 0; j < PH_STAGE_HISTORY; j++)
        before[j] = ph_increment_before(of, stage, j + 1);
    for (size_t n = 1; n <= PH_STAGE_HISTORY; n++)
        ph_extrapolation_weights(before, n, &own, weights[n - 1]);
}

static double *history(const ph_midpoint *w, double *carry, size_t back)
{
    const size_t latest = (size_t)carry[PH_MIDPOINT_LATEST];
    return carry + PH_MIDPOINT_HEAD + 3 * w->n * (1 + (latest + PH_STAGE_HISTORY - back) % PH_STAGE_HISTORY);
}

INLINE void extrapolate_all(size_t m, const double *by, const double *const *of, double *y)
{
    size_t k = 0;
    for (; k + LANES <= m; k += LANES)
        store(y + k, by[0] * load(of[0] + k) + by[1] * load(of[1] + k) + by[2] * load(of[2] + k) +
                         by[3] * load(of[3] + k) + by[4] * load(of[4] + k));
    for (; k < m; k++)
        y[k] = by[0] * of[0][k] + by[1] * of[1][k] + by[2] * of[2][k] + by[3] * of[3][k] + by[4] * of[4][k];
}
_Static_assert(PH_STAGE_HISTORY == 5, "the terms of the sum");

PH_LANES_TWICE(PH_LANES_AVX2, void, extrapolate,
               (size_t m, const double *by, const double *const *of, double *y),
               extrapolate_all(m, by, of, y);)

/* w->y <- the guess for this stage: 0 where there is nothing to extrapolate. */
static void guess(ph_midpoint *w, double *carry, size_t stage)
{
    const size_t count = (size_t)carry[PH_MIDPOINT_COUNT];
    if (count == 0) {
        memset(w->y, 0, 3 * w->n * sizeof *w->y);
        return;
    }
    const double *of[PH_STAGE_HISTORY];
    for (size_t j = 0; j < PH_STAGE_HISTORY; j++)
        of[j] = history(w, carry, j);
    (w->wide ? extrapolate_wide : extrapolate_plain)(3 * w->n, w->weights[stage][count - 1], of, w->y);
}

/* ---- A stage --------------------------------------------------------------------------------------- */

static ph_status too_slow(const ph_context *context, const ph_midpoint *w)
{
    if (!ph_all_finite(w->rate, 3 * w->n))
        return ph_context_judge(context, "the gradient of the energy", w->t + 0.5 * w->h, PH_OK, w->rate,
                                3 * w->n);
    return ph_fail(context->error, PH_E_NO_CONVERGENCE,
                   "step from t = %.10g s: the fixed-point iteration does not contract at h = %.6g s, and "
                   "for %zu spins there is no other; take a smaller step",
                   w->t, context->h, w->n);
}

/* w->y, the guess, <- the solution by the fixed point or, where that contracts slowly (*newton <- true), by
 * Newton's iteration from the guess. */
static ph_status solve_for_y(ph_midpoint *w, ph_context *context, double *carry, size_t stage, bool *newton)
{
    ph_status status = PH_OK;
    *newton = w->newton.unknowns && carry[PH_MIDPOINT_DIRECT] > 0;
    if (!*newton) {
        switch (ph_midpoint_iterate(w, context, !w->newton.unknowns, &status)) {
        case PH_MIDPOINT_SOLVED:
            return PH_OK;
        case PH_MIDPOINT_FAILED:
            return status;
        case PH_MIDPOINT_SLOW:
            break;
        }
        if (!w->newton.unknowns &&
            carry[PH_MIDPOINT_COUNT] > 0) { /* from rest, as of a state that was just set */
            memset(w->y, 0, 3 * w->n * sizeof *w->y);
            if (ph_midpoint_iterate(w, context, true, &status) == PH_MIDPOINT_SOLVED)
                return PH_OK;
        }
        if (!w->newton.unknowns)
            return status ? status : too_slow(context, w);
        guess(w, carry, stage);
        carry[PH_MIDPOINT_DIRECT] = stages_by_newton;
        *newton = true;
    }
    carry[PH_MIDPOINT_DIRECT]--;
    return ph_midpoint_solve(w, context, carry[PH_MIDPOINT_COUNT] > 0);
}

/* w->y, the guess, <- the solution; *d (3n) <- its increment. */
static ph_status solve(ph_midpoint *w, ph_context *context, double *carry, size_t stage, const double **d)
{
    const double t = w->t + 0.5 * w->h;
    bool newton;
    ph_status status = solve_for_y(w, context, carry, stage, &newton);
    *d = newton || w->ambient ? w->d : w->y;
    if (status || *d == w->y)
        return status;
    status = ph_midpoint_field(w, t, w->middle, w->d);
    for (size_t k = 0; k < 3 * w->n; k++)
        w->d[k] *= w->h;
    return ph_context_judge(context, "the gradient of the energy", t, status, w->d, 3 * w->n);
}

INLINE void advance_four(const double *d, double *z, double *low)
{
    vector s[3], rest[3], y[3];
    ph_midpoint_read(z, s);
    ph_midpoint_read(low, rest);
    ph_midpoint_read(d, y);
    ph_midpoint_advance(s, rest, y);
    ph_midpoint_write(s, z);
    ph_midpoint_write(rest, low);
}

/* z + low <- z + low + d, on the spheres, four spins at once; the last of them have separate room. */
INLINE void advance_all(size_t n, const double *d, double *z, double *low)
{
    enum { FOUR = 3 * LANES };
    const size_t last = 3 * n % FOUR;
    double rest[3][FOUR] = {{0}, {0}, {0}};
    size_t k = 0;
    for (; k + FOUR <= 3 * n; k += FOUR)
        advance_four(d + k, z + k, low + k);
    memcpy(rest[0], d + k, last * sizeof *d);
    memcpy(rest[1], z + k, last * sizeof *z);
    memcpy(rest[2], low + k, last * sizeof *low);
    advance_four(rest[0], rest[1], rest[2]);
    memcpy(z + k, rest[1], last * sizeof *z);
    memcpy(low + k, rest[2], last * sizeof *low);
}

PH_LANES_TWICE(PH_LANES_AVX2, void, advance, (size_t n, const double *d, double *z, double *low),
               advance_all(n, d, z, low);)

/* A stage of size context->h from t. Where it fails, only the first numbers of the carry may have changed. */
static ph_status make_stage(ph_midpoint *w, ph_context *context, ph_state *state, double t, size_t stage)
{
    double *carry = state->carry;
    w->t = t;
    w->h = context->h;
    w->s = state->z;
    w->low = carry + PH_MIDPOINT_HEAD;
    guess(w, carry, stage);
    const double *d;
    const ph_status status = solve(w, context, carry, stage, &d);
    if (status)
        return status;
    (w->wide ? advance_wide : advance_plain)(w->n, d, state->z, carry + PH_MIDPOINT_HEAD);
    carry[PH_MIDPOINT_LATEST] = (double)(((size_t)carry[PH_MIDPOINT_LATEST] + 1) % PH_STAGE_HISTORY);
    carry[PH_MIDPOINT_COUNT] = fmin(carry[PH_MIDPOINT_COUNT] + 1, PH_STAGE_HISTORY);
    memcpy(history(w, carry, 0), w->y, 3 * w->n * sizeof *w->y);
    return PH_OK;
}

/* ---- A step ---------------------------------------------------------------------------------------- */

static ph_status explain(const ph_context *context, const ph_composition *of, size_t i, ph_status status)
{
    const ph_error why = *context->error;
    return ph_fail(context->error, status, "stage %zu of %zu of %s, of %.4f h: %.380s", i + 1, of->stages,
                   of->name, ph_composition_gamma(of, i),
                   why.message[0] ? why.message : ph_status_text(status));
}

static ph_status compose(ph_midpoint *w, ph_context *context, ph_state *state)
{
    ph_context own = *context;
    ph_status status = PH_OK;
    double begin = 0;
    memcpy(w->saved, state->z, state->nz * sizeof *w->saved);
    memcpy(w->saved + state->nz, state->carry, state->ncarry * sizeof *w->saved);
    for (size_t i = 0; i < w->of->stages; i++) {
        const double gamma = ph_composition_gamma(w->of, i);
        own.h = gamma * context->h;
        status = make_stage(w, &own, state, state->t + begin * context->h, i);
        if (status) {
            memcpy(state->z, w->saved, state->nz * sizeof *w->saved);
            memcpy(state->carry, w->saved + state->nz, state->ncarry * sizeof *w->saved);
            return explain(context, w->of, i, status);
        }
        begin += gamma;
    }
    return PH_OK;
}

ph_status ph_midpoint_step(ph_context *context, ph_state *state)
{
    ph_midpoint *w = context->work;
    double head[PH_MIDPOINT_HEAD];
    memcpy(head, state->carry, sizeof head);
    if (head[PH_MIDPOINT_STAMP] != context->h) {
        state->carry[PH_MIDPOINT_STAMP] = context->h;
        state->carry[PH_MIDPOINT_COUNT] = state->carry[PH_MIDPOINT_LATEST] =
            state->carry[PH_MIDPOINT_DIRECT] = 0;
    }
    const ph_status status = w->of ? compose(w, context, state) : make_stage(w, context, state, state->t, 0);
    if (status)
        memcpy(state->carry, head, sizeof head);
    return status;
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

const ph_composition *ph_midpoint_composition_of(const double *values, int *order)
{
    return ph_composition_chosen(values[PH_MIDPOINT_ORDER], values[PH_MIDPOINT_COMPOSITION], order);
}

static void midpoint_lay(ph_midpoint *w, const ph_system *system, const double *values, ph_lay *l)
{
    const size_t n = ph_system_spins(system)->n;
    double **large[] = {&w->y, &w->rate, &w->d};
    int order;
    ph_lay_bytes(l, sizeof *w);
    w->inverse = ph_lay_doubles(l, n);
    w->unit = ph_lay_doubles(l, n);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        *large[i] = ph_lay_doubles(l, 3 * n);
    w->middle = ph_lay_doubles(l, 3 * n);
    w->saved = ph_midpoint_composition_of(values, &order)
                   ? ph_lay_doubles(l, 3 * n + PH_MIDPOINT_HEAD + 3 * n * (1 + PH_STAGE_HISTORY))
                   : NULL;
    ph_midpoint_newton_place(&w->newton, system, values[PH_MIDPOINT_EXTENSION] > 0, l);
    if (ph_midpoint_relax_suits(system, values[PH_MIDPOINT_EXTENSION] > 0))
        ph_midpoint_relax_place(&w->relaxation, ph_system_spins(system), l);
}

ph_method_size ph_midpoint_size(const ph_system *system, const double *values)
{
    ph_midpoint counted;
    ph_lay l = {NULL, 0};
    midpoint_lay(&counted, system, values, &l);
    return (ph_method_size){
        .work = l.bytes, .carry = PH_MIDPOINT_HEAD + 3 * ph_system_spins(system)->n * (1 + PH_STAGE_HISTORY)};
}

ph_status ph_midpoint_init(ph_context *context)
{
    ph_midpoint *w = context->work;
    ph_lay l = {context->work, 0};
    int order;
    midpoint_lay(w, context->system, context->options, &l);
    w->system = context->system;
    w->is = ph_system_spins(context->system);
    w->n = w->is->n;
    w->ambient = context->options[PH_MIDPOINT_EXTENSION] > 0;
    w->in_time = ph_system_depends_on_time(context->system);
    w->of = ph_midpoint_composition_of(context->options, &order);
    w->wide = ph_lanes(PH_KERNEL_AVX2);
    if (order == 0)
        return ph_fail(context->error, PH_E_INVALID,
                       "the composition %s is of order %d; leave out the order, or the composition",
                       w->of->name, w->of->order);
    for (size_t i = 0; i < w->n; i++)
        w->inverse[i] = w->is->strengths ? 1 / w->is->strengths[i] : 1;
    if (!w->of)
        weigh_steps(w->weights[0]);
    for (size_t i = 0; w->of && i < w->of->stages; i++)
        weigh_stage(w->of, i, w->weights[i]);
    w->relaxation.is_used = ph_midpoint_relax_suits(w->system, w->ambient);
    if (w->relaxation.is_used) {
        const ph_status status = ph_midpoint_relax_prepare(&w->relaxation, w->is, w->inverse, context->error);
        if (status)
            return status;
    }
    return ph_midpoint_newton_init(w, context->error);
}

void ph_midpoint_finish(ph_context *context)
{
    ph_midpoint *w = context->work;
    ph_midpoint_newton_finish(&w->newton);
}
