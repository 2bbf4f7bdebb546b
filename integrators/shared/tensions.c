/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a variational step for its tensions, without a guess: see tensions.h. */
#include "tensions.h"
#include "lanes.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/tensions.h>

#include <math.h>
#include <string.h>

#define number double
#define get(p) (*(p))
#define put(p, x) (*(p) = (x))
#define OF(name) ph_##name
#include "moves.h"

#define number vector
#define get load
#define put store
#define OF(name) name
#include "moves.h"

/* All of nz numbers, four at a time as long as there are as many. */
#define EACH(nz, move, ...)                                                                                  \
    do {                                                                                                     \
        size_t k_ = 0;                                                                                       \
        for (; k_ + LANES <= (nz); k_ += LANES)                                                              \
            move(__VA_ARGS__, k_);                                                                           \
        for (; k_ < (nz); k_++)                                                                              \
            ph_##move(__VA_ARGS__, k_);                                                                      \
    } while (0)

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
    w->unit = ph_lay_bytes(l, w->n * sizeof *w->unit);
    w->F = ph_lay_doubles(l, ph_tension_size(system));
    ph_newton_sparse_place(&w->newton, w->n, l);
}

void ph_tension_step_init(ph_tension_step *w)
{
    const ph_space *space = ph_system_space(w->system);
    const ph_factor_place *last = ph_space_factor(space, w->n - 1);
    w->d = last->nz;
    w->shift = last->z - w->d * (w->n - 1);
    w->units = 0;
    size_t end = w->n;
    for (size_t i = 0; i < w->n; i++)
        w->unit[ph_space_factor(space, i)->kind != PH_FACTOR_R ? w->units++ : --end] = i;
    memset(w->excess, 0, w->n * sizeof *w->excess);
    ph_tension_own(w->system, w->own);
}

/* excess <- |q_i + q_low_i|^2 - 1, good to the last place; low NULL: 0. */
INLINE void excess_from(const size_t d, const ph_tension_step *w, const double *q, const double *low)
{
    for (size_t j = 0; j < w->units; j++) {
        const size_t i = w->unit[j], begin = w->shift + d * i;
        double excess = -1;
        for (size_t k = begin; k < begin + d; k++)
            excess = fma(q[k], q[k], excess);
        for (size_t k = begin; k < begin + d && low; k++)
            excess += 2 * q[k] * low[k];
        w->excess[i] = excess;
    }
}

PH_WITH_FMA static void find_excess(const ph_tension_step *w, const double *q, const double *low)
{
    PH_BY_WIDTH(w, excess_from, w, q, low);
}

void ph_tension_step_velocity(ph_tension_step *w, const double *q, const double *p, double *delta)
{
    ph_space_covector(ph_system_space(w->system), q, p, w->a2);
    ph_system_apply_inverse_inertia(w->system, w->a2, delta);
}

void ph_tension_step_begin(ph_tension_step *w, double h, const ph_tension_motion *from, const double *p)
{
    const double h1 = from->velocity ? 0 : from->h;
    const ph_tension_motion f = *from;
    const ph_tension_step own = *w;
    w->q = from->q;
    if (f.velocity) {
        EACH(w->nz, carry_over, &own, &f, h, h1, h);
    } else if (h1 == 0) {
        ph_tension_step_velocity(w, f.q, p, w->a1);
        for (size_t k = 0; k < w->nz; k++) {
            w->a1[k] = h * w->a1[k];
            w->a2[k] = h * (0.5 * h * f.A[k]);
        }
    } else if (h1 == h) {
        EACH(w->nz, carry_on, &own, &f, h);
    } else {
        EACH(w->nz, carry_over, &own, &f, h, h1, h / h1);
    }
    find_excess(w, f.q, f.h != 0 ? f.q_low : NULL);
}

/* q + h v + rest, with all that is lost on the way in the low-order part. */
PH_WITH_FMA static void move(size_t nz, double h, const ph_tension_motion *from, const double *pulls,
                             const ph_tension_motion *to)
{
    for (size_t k = 0; k < nz; k++) {
        double carried = h * from->delta[k], lost = fma(h, from->delta[k], -carried) + h * from->low[k], D,
               D_low, q, q_low;
        ph_two_sum(carried, h * (0.5 * h * from->A[k]) + pulls[k], &D, &D_low);
        ph_two_sum(from->q[k], D, &q, &q_low);
        ph_two_sum(q, q_low + ((D_low + lost) + from->q_low[k]), &to->q[k], &to->q_low[k]);
    }
}

/* delta + h^2 A + pulls. */
PH_WITH_FMA static void carry_on_to(size_t nz, double h, const ph_tension_motion *from, const double *pulls,
                                    const ph_tension_motion *to)
{
    const ph_tension_motion f = *from, t = *to;
    EACH(nz, end_same, &f, h, pulls, &t);
}

PH_WITH_FMA static void kick_all(size_t nz, double h, const ph_tension_motion *from, const double *pulls,
                                 const ph_tension_motion *to)
{
    const ph_tension_motion f = *from, t = *to;
    EACH(nz, kick, &f, h, pulls, &t);
}

/* a_1 + a_2 + pulls, where the last step was of another size or there was none. */
static void begin_to(const ph_tension_step *w, const ph_tension_motion *from, const double *pulls,
                     const ph_tension_motion *to)
{
    for (size_t k = 0; k < w->nz; k++) {
        ph_two_sum(w->a1[k], w->a2[k] + pulls[k], &to->delta[k], &to->low[k]);
        ph_two_sum(from->q[k], to->delta[k] + (from->h == 0 ? 0 : from->q_low[k]), &to->q[k], &to->q_low[k]);
    }
}

void ph_tension_step_kick(const ph_tension_step *w, double h, const ph_tension_motion *from,
                          const double *pulls, ph_tension_motion *to)
{
    kick_all(w->nz, h, from, pulls, to);
}

void ph_tension_step_end(const ph_tension_step *w, double h, const ph_tension_motion *from,
                         const double *pulls, ph_tension_motion *to)
{
    to->h = h;
    if (from->velocity)
        move(w->nz, h, from, pulls, to);
    else if (from->h == h)
        carry_on_to(w->nz, h, from, pulls, to);
    else
        begin_to(w, from, pulls, to);
}

void ph_tension_step_momentum(ph_tension_step *w, const ph_tension_motion *at, double *p)
{
    const ph_tension_motion last = *at;
    const ph_tension_step own = *w;
    for (size_t k = 0; k < w->nz && last.velocity; k++)
        w->a1[k] = last.delta[k] + last.low[k];
    if (!last.velocity)
        EACH(w->nz, speed, &own, &last);
    ph_system_apply_inertia(w->system, w->a1, w->a2);
    ph_space_momentum(ph_system_space(w->system), at->q, w->a2, p);
}

/* R and the sizes of its terms, at the increment that there is; on entry `scale` is that of the pulls. */
INLINE void residual_at(const size_t d, const ph_tension_step *w, double *r, double *scale)
{
    const double s = w->s;
    for (size_t j = 0; j < w->units; j++) {
        const size_t i = w->unit[j], begin = w->shift + d * i;
        double size = scale[i], along = 0, square = 0;
        for (size_t k = begin; k < begin + d; k++) {
            size += fabs(s * w->a1[k]) + fabs(s * s * w->a2[k]);
            along += w->q[k] * w->delta[k];
            square += w->delta[k] * w->delta[k];
        }
        r[i] = along + 0.5 * (square + s * w->excess[i]);
        scale[i] = size + 0.5 * square;
    }
}

static ph_status residual(void *self, double s, const double *x, double *r, double *scale)
{
    ph_tension_step *w = self;
    w->s = s;
    for (size_t i = 0; i < w->n; i++)
        w->lambda[i] = x[i] / w->own[i];
    ph_tension_pull(w->system, w->q, w->lambda, w->delta);
    ph_tension_terms(w->system, w->lambda, scale);
    for (size_t k = 0; k < w->nz; k++) {
        w->delta[k] += s * w->a1[k] + s * s * w->a2[k];
        w->q1[k] = w->q[k] + w->delta[k];
    }
    for (size_t j = w->units; j < w->n; j++) {
        const size_t i = w->unit[j];
        r[i] = x[i];
        scale[i] = 1;
    }
    PH_BY_WIDTH(w, residual_at, w, r, scale);
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

INLINE void derivative_at(const size_t d, const ph_tension_step *w, double *rs)
{
    for (size_t j = 0; j < w->units; j++) {
        const size_t i = w->unit[j], begin = w->shift + d * i;
        double sum = 0.5 * w->excess[i];
        for (size_t k = begin; k < begin + d; k++)
            sum += w->q1[k] * (w->a1[k] + 2 * w->s * w->a2[k]);
        rs[i] = sum;
    }
}

static ph_status parameter_derivative(void *self, double *rs)
{
    const ph_tension_step *w = self;
    for (size_t j = w->units; j < w->n; j++)
        rs[w->unit[j]] = 0;
    PH_BY_WIDTH(w, derivative_at, w, rs);
    return PH_OK;
}

/* The pivots at the root; the residual was last evaluated there or close to it. */
static bool on_the_branch(void *self)
{
    int sign = 0;
    return !factor(self, &sign) && sign > 0;
}

/* x <- - q . (a_1 + a_2) */
INLINE void normal_part(const size_t d, const ph_tension_step *w)
{
    for (size_t j = 0; j < w->units; j++) {
        const size_t i = w->unit[j], begin = w->shift + d * i;
        double sum = 0;
        for (size_t k = begin; k < begin + d; k++)
            sum -= w->q[k] * (w->a1[k] + w->a2[k]);
        w->x[i] = sum;
    }
}

/* x <- what makes the increment tangent: T(q, q) lambda = - q . (a_1 + a_2); 0 where that is expected. */
static bool tangent_start(ph_tension_step *w)
{
    memset(w->x, 0, w->n * sizeof *w->x);
    if (w->expected)
        return true;
    if (ph_tension_factor(w->system, w->q, w->q, w->F, NULL))
        return false;
    PH_BY_WIDTH(w, normal_part, w);
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
