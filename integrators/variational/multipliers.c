/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational integrator in multiplier form, of order 2, on systems whose inverse inertia MM^{-1} is
 * sparse (polhode/kit/tensions.h): chains, trees, carts, nets. Same map as spheres.c and product.c, by n scalar
 * unknowns. Between steps it carries the increment delta = q_k - q_(k-1) instead of the momentum: with steps
 * h1 to q and h from it the discrete Euler-Lagrange equations
 *     q x { MM (q+ - q) / h - MM delta / h1 - (1/2) (h1 + h) (f - dU/dq) } = 0
 * say that for some tensions lambda
 *     q+ - q = (h/h1) delta + (h/2) (h1 + h) A + MM^{-1} (lambda q),      A = MM^{-1} (f - dU/dq),
 * and lambda is found from |q+| = 1 (shared/tensions.h). Any lambda keeps the momentum map, so that it
 * does not see what Newton leaves.
 *
 * Guess: lambda extrapolated from the last steps, and one factorisation of T there. The residual is quadratic
 * in lambda: with nu = MM^{-1} (dlambda q) it is, exactly,
 *     R(lambda + dlambda) = R + T dlambda + (1/2) |nu|^2,
 * so that iterations dlambda <- - T^{-1} (R + (1/2) |nu|^2) with these factors cost a solution each, and
 * converge like |nu|^j. Where they do not at once, the equations are solved without a guess.
 *
 * Rounding: q and delta carry their low-order parts, so that what is lost in a step is relative to the change
 * of delta, not to q. The momentum at the end of a step (discrete Legendre transform) is synchronised when
 * somebody asks:
 *     p = q x MM (delta/h + (h/2) A).
 *
 * Sources: Marsden, West, Acta Numerica 10 (2001), part 3.5 (constraints and multipliers); Ryckaert,
 * Ciccotti, Berendsen, J. Comput. Phys. 23 (1977) 327. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include "integrators/shared/lanes.h"
#include "integrators/shared/tensions.h"
#include "variational.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { HISTORY = 4, MOST_PASSES = 5 };

/* The carry. */
typedef struct multipliers_carry {
    double *h, *count; /* (1) step size of the increment, 0: none; multipliers there are */
    double *delta;     /* (nz) last increment, and ... */
    double *low;       /* (nz) ... its low-order part */
    double *q_low;     /* (nz) that of q */
    double *A;         /* (nz) free acceleration at q */
    double *lambda;    /* (HISTORY x n) the latest first */
} multipliers_carry;

typedef struct multipliers_scratch {
    const ph_variational *method;
    ph_tension_step eq;
    const ph_system *system;
    size_t n, nz;
    bool forced;
    double *guess, *change, *rest;   /* (n) lambda; its correction; R */
    double *tolerance, *square;      /* (n) what rounding leaves in R; |nu|^2 */
    double *pulls, *nu, *all;        /* (nz) MM^{-1} (lambda q) of the guess; of the correction; of both */
    double *q;                       /* (nz) at the end of the step, ... */
    double *delta, *low, *q_low, *A; /* (nz) ... and these, behind each other as in the carry */
    double *A0, *v0;                 /* (nz) at the start of the first one */
    double *f, *v;                   /* (nz) force; a velocity */
    double *work;                    /* of the system */
} multipliers_scratch;

static size_t carry_size(size_t n, size_t nz)
{
    return 2 + 4 * nz + HISTORY * n;
}

static multipliers_carry carry_of(const ph_state *state)
{
    double *c = state->carry;
    size_t nz = state->nz;
    return (multipliers_carry){.h = c,
                               .count = c + 1,
                               .delta = c + 2,
                               .low = c + 2 + nz,
                               .q_low = c + 2 + 2 * nz,
                               .A = c + 2 + 3 * nz,
                               .lambda = c + 2 + 4 * nz};
}

static ph_tension_motion motion_of(const multipliers_scratch *w, const multipliers_carry *c,
                                   const ph_state *state)
{
    return (ph_tension_motion){.h = *c->h,
                               .velocity = w->method->composition != NULL,
                               .q = state->z,
                               .q_low = c->q_low,
                               .delta = c->delta,
                               .low = c->low,
                               .A = c->A};
}

static size_t multipliers_lay(const ph_system *system, const double *options, ph_lay *l)
{
    multipliers_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_space *space = ph_system_space(system);
    (void)options;
    w->system = system;
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    double **numbers[] = {&w->guess, &w->change, &w->rest, &w->tolerance, &w->square};
    double **vectors[] = {&w->pulls, &w->nu, &w->all, &w->q, &w->f, &w->v, &w->A0, &w->v0};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = ph_lay_doubles(l, w->n);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, w->nz);
    w->delta = ph_lay_doubles(l, 4 * w->nz);
    if (w->delta) {
        w->low = w->delta + w->nz;
        w->q_low = w->low + w->nz;
        w->A = w->q_low + w->nz;
    }
    w->work = ph_lay_doubles(l, ph_system_work(system));
    ph_tension_step_lay(&w->eq, system, l);
    return carry_size(w->n, w->nz);
}

static ph_status multipliers_init(ph_variational *method, ph_context *context)
{
    multipliers_scratch *w = method->work;
    w->method = method;
    w->forced = ph_system_has_force(context->system);
    ph_tension_step_init(&w->eq);
    memset(w->v, 0, w->nz * sizeof *w->v); /* forces do not look at it */
    for (size_t j = w->eq.units; j < w->n; j++)
        w->rest[w->eq.unit[j]] = w->square[w->eq.unit[j]] = 0;
    return PH_OK;
}

/* A <- MM^{-1} (f - dU/dz) at (t, q). */
static ph_status multipliers_accelerate(multipliers_scratch *w, const ph_context *context, double t,
                                        const double *q, double *A)
{
    ph_status status = PH_OK;
    if (w->forced)
        status = ph_context_judge(context, "the force", t, ph_system_force(w->system, t, q, w->v, w->f), w->f,
                                  w->nz);
    if (status)
        return status;
    status = ph_system_free_acceleration(w->system, q, w->forced ? w->f : NULL, A);
    if (!status && ph_all_finite(A, w->nz))
        return PH_OK;
    return ph_context_judge(context, "the gradient of the potential", t, status, A, w->nz);
}

/* ---- A guess ------------------------------------------------------------------------------------ */

/* guess <- the sum of so many lambda, with these weights. */
INLINE void multipliers_sum(const multipliers_scratch *w, const double *weights, size_t many,
                            const double *lambda)
{
    for (size_t i = 0; i < w->n; i++) {
        double total = 0;
        for (size_t j = 0; j < many; j++)
            total += weights[j] * lambda[j * w->n + i];
        w->guess[i] = total;
    }
}

INLINE void multipliers_extrapolate(const multipliers_scratch *w, const multipliers_carry *c)
{
    static const double weights[HISTORY + 1][HISTORY] = {{0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    const int many = (int)*c->count;
    const double *of = w->method->stage ? w->method->stage->tensions[many - 1] : weights[many];
    if (many == HISTORY)
        multipliers_sum(w, of, HISTORY, c->lambda);
    else
        multipliers_sum(w, of, (size_t)many, c->lambda);
}

/* q1 and rest at the guess, whose pulls there are, and what rounding leaves in rest: a_1, a_2 and |q|^2 - 1 as
 * in shared/tensions.c, of a motion of the same step size, or a velocity. */
INLINE void multipliers_residual(const size_t d, const bool velocity, const multipliers_scratch *w,
                                 const ph_tension_motion *from, double h)
{
    const ph_tension_step *eq = &w->eq;
    const double *q = from->q, *low = from->q_low, carried = velocity ? 0 : 0.5 * h * h;
    for (size_t j = 0; j < eq->units; j++) {
        const size_t i = eq->unit[j], begin = eq->shift + d * i;
        double along = 0, square = 0, size = 0, excess = -1;
        for (size_t k = begin; k < begin + d; k++) {
            const double A = from->A[k], delta = from->delta[k],
                         a1 = (velocity ? h * (delta + from->low[k]) : delta) + carried * A,
                         D = a1 + (h * (0.5 * h * A) + w->pulls[k]);
            eq->q1[k] = q[k] + D;
            along += q[k] * D;
            square += D * D;
            size += fabs(D);
            excess = fma(q[k], q[k], excess);
        }
        for (size_t k = begin; k < begin + d; k++)
            excess += 2 * q[k] * low[k];
        w->rest[i] = along + 0.5 * (square + excess);
        w->tolerance[i] = 0.25 * DBL_EPSILON * size;
        w->square[i] = 0;
    }
}

/* change <- - (rest + (1/2) |nu|^2) */
INLINE void multipliers_aim(const multipliers_scratch *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->change[i] = -(w->rest[i] + 0.5 * w->square[i]);
}

/* square <- |nu|^2, all <- the pulls with nu. *largest <- of |nu|^2; has one changed by more than rounding of
 * the residual? */
INLINE bool multipliers_measure(const size_t d, const multipliers_scratch *w, double *largest)
{
    const ph_tension_step *eq = &w->eq;
    double most = 0;
    bool changed = false;
    for (size_t j = 0; j < eq->units; j++) {
        const size_t i = eq->unit[j], begin = eq->shift + d * i;
        double square = 0;
        for (size_t k = begin; k < begin + d; k++) {
            const double nu = w->nu[k];
            square += nu * nu;
            w->all[k] = w->pulls[k] + nu;
        }
        changed |= !(fabs(square - w->square[i]) <= w->tolerance[i]);
        most = square > most ? square : most;
        w->square[i] = square;
    }
    *largest = most;
    return changed;
}

/* The same of what is no unit vector. */
static void multipliers_add_rest(const multipliers_scratch *w)
{
    const ph_space *space = ph_system_space(w->system);
    for (size_t j = w->eq.units; j < w->n; j++) {
        const ph_factor_place *f = ph_space_factor(space, w->eq.unit[j]);
        for (size_t k = f->z; k < f->z + f->nz; k++)
            w->all[k] = w->pulls[k] + w->nu[k];
    }
}

/* From the extrapolated lambda: pulls and lambda of the solution. False where it is no good. */
PH_WITH_FMA static bool multipliers_guess(const multipliers_scratch *w, const multipliers_carry *c,
                                          const ph_tension_motion *from, double h, ph_context *context)
{
    const ph_tension_step *eq = &w->eq;
    const ph_tension_motion own = *from;
    int sign = 0;
    bool left = true;
    multipliers_extrapolate(w, c);
    ph_tension_pull(w->system, own.q, w->guess, w->pulls);
    if (own.velocity)
        PH_BY_WIDTH(eq, multipliers_residual, true, w, &own, h);
    else
        PH_BY_WIDTH(eq, multipliers_residual, false, w, &own, h);
    if (ph_tension_factor(w->system, eq->q1, own.q, eq->F, &sign) || sign < 0)
        return false;
    for (int pass = 0; pass < MOST_PASSES && left; pass++) {
        double largest = 0;
        multipliers_aim(w);
        ph_tension_solve(w->system, eq->F, w->change);
        ph_tension_pull(w->system, own.q, w->change, w->nu);
        left = PH_BY_WIDTH(eq, multipliers_measure, w, &largest);
        context->statistics->newton_passes++;
        if (!(largest <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION))
            return false;
    }
    if (left)
        return false;
    for (size_t i = 0; i < w->n; i++)
        eq->lambda[i] = w->guess[i] + w->change[i];
    if (eq->units < w->n)
        multipliers_add_rest(w);
    return true;
}

/* ---- The step ----------------------------------------------------------------------------------- */

static void multipliers_commit(multipliers_scratch *w, ph_state *state, multipliers_carry *c, double stamp)
{
    const int many = *c->h != stamp ? 0 : (int)*c->count;
    memcpy(state->z, w->q, w->nz * sizeof *w->q);
    memcpy(c->delta, w->delta, 4 * w->nz * sizeof *w->delta);
    memmove(c->lambda + w->n, c->lambda, (HISTORY - 1) * w->n * sizeof(double));
    memcpy(c->lambda, w->eq.lambda, w->n * sizeof(double));
    *c->count = many < HISTORY ? many + 1 : HISTORY;
    *c->h = stamp;
}

static ph_status multipliers_step(ph_variational *method, ph_context *context, ph_state *state)
{
    multipliers_scratch *w = method->work;
    multipliers_carry c = carry_of(state);
    const double h = context->h, stamp = ph_stage_stamp(w->method->stage, h),
                 t1 = state->t_base + (double)(state->k + 1 - state->k_base) * h;
    ph_tension_motion from = motion_of(w, &c, state),
                      to = {.q = w->q, .q_low = w->q_low, .delta = w->delta, .low = w->low, .A = w->A};
    ph_status status = PH_OK;
    if (*c.h == 0) {
        status = multipliers_accelerate(w, context, state->t, state->z, w->A0);
        from.A = w->A0;
        if (from.velocity) {
            ph_tension_step_velocity(&w->eq, state->z, state->p, w->v0);
            from.delta = w->v0;
        }
    }
    if (status)
        return status;
    if (*c.h != stamp || !multipliers_guess(w, &c, &from, h, context)) {
        ph_tension_step_begin(&w->eq, h, &from, state->p);
        status = ph_tension_step_solve(&w->eq, context, state->t);
        if (status)
            return status;
        ph_tension_pull(w->system, w->eq.q, w->eq.lambda, w->all);
    }
    ph_tension_step_end(&w->eq, h, &from, w->all, &to);
    if (!ph_all_finite(w->q, w->nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the configuration is not finite after t = %.10g s",
                       state->t);
    status = multipliers_accelerate(w, context, t1, w->q, w->A);
    if (status)
        return status;
    if (from.velocity)
        ph_tension_step_kick(&w->eq, h, &from, w->all, &to);
    multipliers_commit(w, state, &c, stamp);
    return PH_OK;
}

static void multipliers_synchronise(ph_variational *method, ph_state *state)
{
    multipliers_scratch *w = method->work;
    multipliers_carry c = carry_of(state);
    ph_tension_motion at = motion_of(w, &c, state);
    ph_tension_step_momentum(&w->eq, &at, state->p);
}

const ph_variational_kernel ph_variational_multipliers = {.lay = multipliers_lay,
                                                          .init = multipliers_init,
                                                          .step = multipliers_step,
                                                          .synchronise = multipliers_synchronise};
