/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation of order 4 to 16 on products of R^d, S^1, S^2, SO(3) and of spheres as phase space: the method in R^N, on a lift of the
 * system to T*R^N with an energy that is invariant under p -> p + sigma q for each factor with |q| = 1. Then |q|^2 is an integral, quadratic,
 * which Gauss' methods keep; they commute with p -> p + sigma q, so that the map is one of T*Q, and it is symplectic there, as they are in
 * T*R^N; momentum maps are quadratic in (q, p), and kept to rounding. With stages Y_i, L_j = h b_j f(Y_j),
 *     Y_i = y + sum_j mu_ij L_j,     y+ = y + sum_j L_j.
 * How they are solved for is in solve.c. All is carried as a compensated sum.
 *
 * Sources: Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, VI.4, VIII.6; lifts and reduction: see lift.c. */
#include "gauss.h"

#include <polhode/kit/algebra.h>

#include <string.h>

enum { ORDER, LIFT, BOUND };
static const ph_option options[] = {
    [ORDER] = {.name = "order",
               .type = PH_OPTION_CHOICE,
               .initial = 6,
               .choices = "4 6 8 10 12 14 16",
               .text = "of convergence: twice as many as there are stages"},
    [LIFT] =
        {.name = "lift",
         .type = PH_OPTION_CHOICE,
         .choices = "automatic plain scaled",
         .text =
             "of links and bodies: plain is for all stages at once, scaled evaluates one by one, and allows longer steps where links are stiff"},
    [BOUND] = PH_ITERATIONS_OPTION,
};

static size_t stages_of(const double *values)
{
    return (size_t)values[ORDER] + 2;
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

enum { AUTOMATIC, PLAIN, SCALED };

static const gauss_lift *lift_of(const ph_system *system, const double *values)
{
    static const gauss_lift *const in_lanes[] = {&ph_gauss_links, &ph_gauss_joints, &ph_gauss_uniform};
    if (values[LIFT] == AUTOMATIC && ph_gauss_top.takes(system))
        return &ph_gauss_top;
    for (size_t i = 0; i < sizeof in_lanes / sizeof *in_lanes; i++)
        if ((values[LIFT] != SCALED || in_lanes[i]->always) && in_lanes[i]->takes(system))
            return in_lanes[i];
    return &ph_gauss_points;
}

/* What survives a step: h of the stages, y, its low-order part, L, what the lift keeps. */
typedef struct gauss_carry {
    double *h, *y, *low, *L, *kept;
} gauss_carry;

static gauss_carry carry_at(const gauss_scratch *w, double *carry)
{
    const size_t D = w->D;
    double *L = carry + 1 + 2 * D;
    return (gauss_carry){carry, carry + 1, carry + 1 + D, L, L + D * w->tableau.lanes};
}

static size_t numbers_of(const ph_system *system)
{
    const ph_space *space = ph_system_space(system);
    return (ph_space_is_phase_space(space) ? 1 : 2) * ph_gauss_parts(space, NULL);
}

static void lay(gauss_scratch *w, const ph_system *system, const double *values, ph_lay *l)
{
    const size_t stages = stages_of(values);
    const size_t n = ph_space_factors(ph_system_space(system)), D = numbers_of(system),
                 lanes = stages <= 4 ? 4 : 8;
    ph_lay_bytes(l, sizeof *w);
    w->parts = ph_lay_bytes(l, n * sizeof *w->parts);
    double **all[] = {&w->scale, &w->y0, &w->low0, &w->y1, &w->low1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = ph_lay_doubles(l, D);
    w->L = ph_lay_line(l, D * lanes * sizeof *w->L);
    w->Y = ph_lay_line(l, D * lanes * sizeof *w->Y);
    w->F = ph_lay_line(l, D * lanes * sizeof *w->F);
    w->parted = ph_lay_line(l, D * lanes * sizeof *w->parted);
    w->kept = ph_gauss_kept(D * lanes);
    for (size_t i = 0; i < sizeof w->change / sizeof *w->change; i++)
        w->change[i] = ph_lay_doubles(l, w->kept * D * lanes);
    for (size_t i = 0; i < sizeof w->at / sizeof *w->at; i++)
        w->at[i] = ph_lay_doubles(l, D * lanes);
    w->own = lift_of(system, values)->lay(system, lanes, l);
}

static ph_method_size gauss_size(const ph_system *system, const double *values)
{
    gauss_scratch none;
    ph_lay l = {NULL, 0};
    const size_t stages = stages_of(values), D = numbers_of(system);
    lay(&none, system, values, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry = 1 + 2 * D + D * (stages <= 4 ? 4 : 8) + lift_of(system, values)->kept};
}

static ph_status gauss_init(ph_context *context)
{
    gauss_scratch *w = context->work;
    const ph_system *system = context->system;
    const ph_space *space = ph_system_space(system);
    const size_t stages = stages_of(context->options);
    ph_lay l = {context->work, 0};
    lay(w, system, context->options, &l);
    ph_gauss_tableau(&w->tableau, stages);
    w->system = system;
    w->n = ph_space_factors(space);
    w->N = ph_gauss_parts(space, w->parts);
    w->D = numbers_of(system);
    w->spins = ph_space_is_phase_space(space);
    w->lift = lift_of(system, context->options);
    w->least = 1e-36; /* what is left has a sign, and more of it where sweeps converge slowly, as of bodies */
    for (size_t i = 0; i < w->n; i++)
        if (w->parts[i].at.kind == PH_FACTOR_SO3)
            w->least = 1e-40;
    ph_gauss_choose(w);
    memset(w->F, 0, w->D * w->tableau.lanes * sizeof *w->F); /* in lanes without a stage it stays so */
    const ph_status status = w->lift->init(w->own, system, w->tableau.lanes);
    return status ? ph_fail(context->error, status, "gauss: the inertia has no inverse") : PH_OK;
}

static ph_status gauss_supports(const ph_system *system, ph_error *err)
{
    if (!ph_space_is_homogeneous(ph_system_space(system)))
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "gauss needs |q|^2 as an integral, on factors R^d, S^1, S^2 and SO(3), "
                       "which an embedded manifold does not have: use variational");
    return PH_OK;
}

/* ---- The step ------------------------------------------------------------------------------------------- */

static ph_status gauss_step(ph_context *context, ph_state *state)
{
    gauss_scratch *w = context->work;
    const size_t lanes = w->tableau.lanes, all = w->D * lanes;
    gauss_carry c = carry_at(w, state->carry);
    const double *y = c.y, *low = c.low, *guess = *c.h == context->h ? c.L : NULL;
    if (*c.h == 0) {
        ph_gauss_enter(w, state->z, state->p, w->y0);
        memset(w->low0, 0, w->D * sizeof *w->low0);
        memset(w->L, 0, all * sizeof *w->L);
        ph_gauss_settle(w, NULL, w->y0, w->low0, w->L);
        y = w->y0;
        low = w->low0;
    }
    const ph_status status = ph_gauss_solve(w, context, state->t, y, low, guess);
    if (status)
        return status;
    for (size_t d = 0; d < w->D; d++) {
        double lost, sum, rest;
        const double way = gauss_sum(w->L + lanes * d, lanes, &lost);
        ph_two_sum(y[d], way, &sum, &rest);
        const double below = rest + (lost + low[d]);
        w->y1[d] = sum + below;
        w->low1[d] = below - (w->y1[d] - sum);
    }
    ph_gauss_settle(w, y, w->y1, w->low1, w->L);
    if (!ph_all_finite(w->y1, w->D))
        return ph_fail(context->error, PH_E_DIVERGED, "the state is not finite after t = %.10g s", state->t);
    if (w->lift->advance)
        w->lift->advance(w, context->h, y, c.kept);
    memcpy(c.y, w->y1, w->D * sizeof *c.y);
    memcpy(c.low, w->low1, w->D * sizeof *c.low);
    memcpy(c.L, w->L, all * sizeof *c.L);
    *c.h = context->h;
    return PH_OK;
}

static void gauss_synchronise(ph_context *context, ph_state *state)
{
    gauss_scratch *w = context->work;
    const gauss_carry c = carry_at(w, state->carry);
    if (*c.h == 0)
        return;
    ph_gauss_leave(w, c.y, state->z, state->p);
    if (w->lift->leave)
        w->lift->leave(w, c.kept, state->z, state->p);
    ph_space_correct(ph_system_space(w->system), state->z);
}

static int gauss_order_for(const ph_system *system, const double *values)
{
    (void)system; /* the same for all */
    return 2 * (int)stages_of(values);
}

const ph_method ph_method_gauss = {
    .name = "gauss",
    .summary =
        "Gauss collocation on lifts to flat space: order 4 to 16; implicit, symplectic, momentum-preserving",
    .reference = "Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3, VI.4, VIII.6",
    .order = 4,
    .order_for = gauss_order_for,
    .claims =
        PH_CLAIM_SYMPLECTIC | PH_CLAIM_SYMMETRIC | PH_CLAIM_MOMENTUM | PH_CLAIM_MANIFOLD | PH_CLAIM_IMPLICIT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .supports = gauss_supports,
    .size = gauss_size,
    .init = gauss_init,
    .step = gauss_step,
    .synchronise = gauss_synchronise,
    .takes_spins = true,
    .takes_parts = true,
};
