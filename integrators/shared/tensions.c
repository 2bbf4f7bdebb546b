/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a variational step for its tensions, without a guess: see tensions.h. */
#include "tensions.h"
#include "lanes.h"

#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include <math.h>
#include <string.h>

void ph_tension_step_lay(ph_tension_step *w, const ph_system *system, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    w->system = system;
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    double **vectors[] = {&w->a1, &w->a2, &w->delta, &w->q1},
           **numbers[] = {&w->excess, &w->own, &w->lambda, &w->x};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, w->nz);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        *numbers[i] = ph_lay_doubles(l, w->n);
    w->F = ph_lay_doubles(l, ph_tension_size(system));
    ph_newton_sparse_place(&w->newton, w->n, l);
}

void ph_tension_step_init(ph_tension_step *w)
{
    ph_tension_own(w->system, w->own);
}

/* excess <- |q_i + q_low_i|^2 - 1, good to the last place. */
PH_WITH_FMA static void find_excess(ph_tension_step *w, const ph_tension_motion *from)
{
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = ph_space_factor(ph_system_space(w->system), i);
        double excess = -1;
        for (size_t k = f->z; k < f->z + f->nz; k++)
            excess = fma(from->q[k], from->q[k], excess);
        for (size_t k = f->z; k < f->z + f->nz && from->h != 0; k++)
            excess += 2 * from->q[k] * from->q_low[k];
        w->excess[i] = f->kind == PH_FACTOR_R ? 0 : excess;
    }
}

void ph_tension_step_velocity(ph_tension_step *w, const double *q, const double *p, double *delta)
{
    ph_space_covector(ph_system_space(w->system), q, p, w->a2);
    ph_system_apply_inverse_inertia(w->system, w->a2, delta);
}

void ph_tension_step_begin(ph_tension_step *w, double h, const ph_tension_motion *from, const double *p)
{
    double h1 = from->velocity ? 0 : from->h;
    w->q = from->q;
    if (h1 == 0 && !from->velocity)
        ph_tension_step_velocity(w, from->q, p, w->a1);
    for (size_t k = 0; k < w->nz; k++) {
        w->a1[k] = from->velocity ? h * (from->delta[k] + from->low[k])
                   : h1 == 0      ? h * w->a1[k]
                   : h1 == h      ? from->delta[k]
                                  : h / h1 * (from->delta[k] + from->low[k]);
        w->a1[k] += 0.5 * h * h1 * from->A[k];
        w->a2[k] = h * (0.5 * h * from->A[k]); /* by h / 2, like the velocity */
    }
    find_excess(w, from);
}

/* q + h v + rest, with all that is lost on the way in the low-order part. */
PH_WITH_FMA static void move(const ph_tension_step *w, double h, const ph_tension_motion *from,
                             const double *pulls, ph_tension_motion *to)
{
    for (size_t k = 0; k < w->nz; k++) {
        double carried = h * from->delta[k], lost = fma(h, from->delta[k], -carried) + h * from->low[k], D,
               D_low, q, q_low;
        ph_two_sum(carried, w->a2[k] + pulls[k], &D, &D_low);
        ph_two_sum(from->q[k], D, &q, &q_low);
        ph_two_sum(q, q_low + ((D_low + lost) + from->q_low[k]), &to->q[k], &to->q_low[k]);
    }
    to->h = h;
}

void ph_tension_step_kick(const ph_tension_step *w, double h, const ph_tension_motion *from,
                          const double *pulls, ph_tension_motion *to)
{
    for (size_t k = 0; k < w->nz; k++)
        ph_two_sum(from->delta[k], (0.5 * h * (from->A[k] + to->A[k]) + pulls[k] / h) + from->low[k],
                   &to->delta[k], &to->low[k]);
}

void ph_tension_step_end(const ph_tension_step *w, double h, const ph_tension_motion *from,
                         const double *pulls, ph_tension_motion *to)
{
    if (from->velocity) {
        move(w, h, from, pulls, to);
        return;
    }
    bool same = from->h == h; /* then delta changes by h^2 A and the pulls alone */
    for (size_t k = 0; k < w->nz; k++) {
        if (same)
            ph_two_sum(from->delta[k], (h * h * from->A[k] + pulls[k]) + from->low[k], &to->delta[k],
                       &to->low[k]);
        else
            ph_two_sum(w->a1[k], w->a2[k] + pulls[k], &to->delta[k], &to->low[k]);
        ph_two_sum(from->q[k], to->delta[k] + (from->h == 0 ? 0 : from->q_low[k]), &to->q[k], &to->q_low[k]);
    }
    to->h = h;
}

void ph_tension_step_momentum(ph_tension_step *w, const ph_tension_motion *at, double *p)
{
    for (size_t k = 0; k < w->nz && at->velocity; k++)
        w->a1[k] = at->delta[k] + at->low[k];
    const vector h = (vector){0} + at->h;
    size_t k = at->velocity ? w->nz : 0;
    for (; k + LANES <= w->nz; k += LANES)
        *(loose *)(w->a1 + k) = (load(at->delta + k) + load(at->low + k)) / h + 0.5 * h * load(at->A + k);
    for (; k < w->nz; k++)
        w->a1[k] = (at->delta[k] + at->low[k]) / at->h + 0.5 * at->h * at->A[k];
    ph_system_apply_inertia(w->system, w->a1, w->a2);
    ph_space_momentum(ph_system_space(w->system), at->q, w->a2, p);
}

static ph_status residual(void *self, double s, const double *x, double *r, double *scale)
{
    ph_tension_step *w = self;
    const ph_space *space = ph_system_space(w->system);
    w->s = s;
    for (size_t i = 0; i < w->n; i++)
        w->lambda[i] = x[i] / w->own[i];
    ph_tension_pull(w->system, w->q, w->lambda, w->delta);
    ph_tension_terms(w->system, w->lambda, scale);
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double size = scale[i], along = 0, square = 0;
        for (size_t k = f->z; k < f->z + f->nz; k++) {
            double carried = s * w->a1[k], pushed = s * s * w->a2[k];
            size += fabs(carried) + fabs(pushed);
            w->delta[k] += carried + pushed;
            w->q1[k] = w->q[k] + w->delta[k];
            along += w->q[k] * w->delta[k];
            square += w->delta[k] * w->delta[k];
        }
        r[i] = f->kind == PH_FACTOR_R ? x[i] : along + 0.5 * (square + s * w->excess[i]);
        scale[i] = f->kind == PH_FACTOR_R ? 1 : size + 0.5 * square;
    }
    return PH_OK;
}

static ph_status factor(void *self, int *sign)
{
    ph_tension_step *w = self;
    return ph_tension_factor(w->system, w->q1, w->q, w->F, sign);
}

static void solve(void *self, double *r)
{
    ph_tension_step *w = self;
    ph_tension_solve(w->system, w->F, r);
    for (size_t i = 0; i < w->n; i++)
        r[i] *= w->own[i];
}

static ph_status parameter_derivative(void *self, double *rs)
{
    ph_tension_step *w = self;
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = ph_space_factor(ph_system_space(w->system), i);
        rs[i] = 0.5 * w->excess[i];
        for (size_t k = f->z; k < f->z + f->nz && f->kind != PH_FACTOR_R; k++)
            rs[i] += w->q1[k] * (w->a1[k] + 2 * w->s * w->a2[k]);
    }
    return PH_OK;
}

/* The pivots at the root; the residual was last evaluated there or close to it. */
static bool on_the_branch(void *self)
{
    int sign = 0;
    return !factor(self, &sign) && sign > 0;
}

/* x <- what makes the increment tangent: T(q, q) lambda = - q . (a_1 + a_2); 0 where that is expected. */
static bool tangent_start(ph_tension_step *w)
{
    if (w->expected) {
        memset(w->x, 0, w->n * sizeof *w->x);
        return true;
    }
    if (ph_tension_factor(w->system, w->q, w->q, w->F, NULL))
        return false;
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = ph_space_factor(ph_system_space(w->system), i);
        w->x[i] = 0;
        for (size_t k = f->z; k < f->z + f->nz && f->kind != PH_FACTOR_R; k++)
            w->x[i] -= w->q[k] * (w->a1[k] + w->a2[k]);
    }
    solve(w, w->x);
    return true;
}

ph_status ph_tension_step_solve(ph_tension_step *w, ph_context *context, double t)
{
    const ph_implicit_root root = {.equations = {.n = w->n,
                                                 .size = 1,
                                                 .self = w,
                                                 .residual = residual,
                                                 .parameter_derivative = parameter_derivative,
                                                 .factor = factor,
                                                 .solve = solve},
                                   .guessed = tangent_start(w),
                                   .on_the_branch = on_the_branch};
    return ph_implicit_solve(&root, context, t, w->x, &w->newton);
}

/* ---- For kernels with a carry of their own ------------------------------------------------------- */

void ph_tension_plain_lay(ph_tension_plain *w, const ph_system *system, ph_lay *l)
{
    size_t nz = ph_space_ambient(ph_system_space(system));
    double **vectors[] = {&w->pulls,    &w->A,    &w->from.q,   &w->from.q_low, &w->from.delta,
                          &w->from.low, &w->to.q, &w->to.q_low, &w->to.delta,   &w->to.low};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_doubles(l, nz);
    w->from.A = w->A;
    ph_tension_step_lay(&w->eq, system, l);
}

ph_status ph_tension_plain_init(ph_tension_plain *w)
{
    ph_tension_step_init(&w->eq);
    return ph_system_free_acceleration(w->eq.system, w->from.q, NULL, w->A);
}

ph_status ph_tension_plain_step(ph_tension_plain *w, double h, ph_context *context, const ph_state *state)
{
    if (w->from.h == 0)
        memcpy(w->from.q, state->z, state->nz * sizeof *state->z);
    ph_tension_step_begin(&w->eq, h, &w->from, state->p);
    ph_status status = ph_tension_step_solve(&w->eq, context, state->t);
    if (status)
        return status;
    ph_tension_pull(w->eq.system, w->eq.q, w->eq.lambda, w->pulls);
    ph_tension_step_end(&w->eq, h, &w->from, w->pulls, &w->to);
    if (!ph_all_finite(w->to.q, w->eq.nz))
        return ph_fail(context->error, PH_E_DIVERGED, "the configuration is not finite after t = %.10g s",
                       state->t);
    return PH_OK;
}

void ph_tension_plain_synchronise(ph_tension_plain *w, ph_state *state)
{
    memcpy(state->z, w->from.q, state->nz * sizeof *state->z);
    ph_tension_step_momentum(&w->eq, &w->from, state->p);
}

/* Of stages the velocity at their end, half a kick of gravity behind that in their middle. */
static void gather(ph_tension_plain *w, const ph_tension_ways *ways, void *kernel, const ph_state *state)
{
    ph_tension_carry *c = (ph_tension_carry *)(void *)state->carry;
    ph_tension_motion *from = &w->from;
    from->velocity = ways->of != NULL;
    from->h = c->h;
    if (c->h != 0)
        ways->gather(kernel, c, from);
    if (!from->velocity)
        return;
    if (c->h == 0) {
        memcpy(from->q, state->z, state->nz * sizeof *from->q);
        memset(from->q_low, 0, state->nz * sizeof *from->q_low);
        memset(from->low, 0, state->nz * sizeof *from->low);
        ph_tension_step_velocity(&w->eq, from->q, state->p, from->delta);
        from->h = 1; /* there is a velocity */
        return;
    }
    const double half = 0.5 * ph_composition_gamma(ways->of, (size_t)c->stage) * c->h;
    for (size_t k = 0; k < w->eq.nz; k++)
        ph_two_sum(from->delta[k], half * from->A[k] + from->low[k], &from->delta[k], &from->low[k]);
}

/* From the velocity at the start to that in the middle of a stage of h. */
static void enter(ph_tension_plain *w, double h)
{
    for (size_t k = 0; k < w->eq.nz; k++)
        ph_two_sum(w->from.delta[k], (0.5 * h * w->A[k] + w->pulls[k] / h) + w->from.low[k], &w->to.delta[k],
                   &w->to.low[k]);
}

ph_status ph_tension_ways_step(ph_tension_plain *w, const ph_tension_ways *ways, const ph_stage *stage,
                               void *kernel, ph_context *context, ph_state *state)
{
    const double h = context->h, stamp = ph_stage_stamp(stage, h);
    ph_tension_carry *c = (ph_tension_carry *)(void *)state->carry;
    int passes = 0;
    if (c->h != stamp || !ways->advance(kernel, c, &passes)) {
        gather(w, ways, kernel, state);
        ph_status status = ph_tension_plain_step(w, h, context, state);
        if (status)
            return status;
        if (ways->of)
            enter(w, h);
        c->count = 1;
        c->h = stamp;
        c->stage = stage ? (double)stage->index : 0;
        ways->scatter(kernel, &w->to, w->eq.lambda, c);
    }
    context->statistics->newton_passes += passes;
    return PH_OK;
}

void ph_tension_ways_synchronise(ph_tension_plain *w, const ph_tension_ways *ways, void *kernel,
                                 ph_state *state)
{
    gather(w, ways, kernel, state);
    ph_tension_plain_synchronise(w, state);
}

bool ph_is_row_of_links(const ph_system *system, size_t *links)
{
    const ph_space *space = ph_system_space(system);
    const ph_linkage *linkage = ph_system_linkage(system);
    const size_t n = ph_space_factors(space);
    const bool cart = ph_space_factor(space, 0)->kind != PH_FACTOR_S2;
    *links = n - cart;
    bool row = linkage && !ph_system_has_force(system) && !ph_system_has_potential_beside(system) &&
               ph_space_factor(space, n - 1)->kind == PH_FACTOR_S2;
    for (size_t i = 0; i < n && row; i++)
        row = linkage->parent[i] == (i ? i - 1 : PH_NO_INDEX);
    return row;
}
