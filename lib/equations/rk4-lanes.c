/* SPDX-License-Identifier: BSD-3-Clause */
/* The classical Runge-Kutta step of eight systems at once (polhode/ensemble.h) with a constant inertia on products of R^d and S^1, in
 * (z, w): the equations of product.c and the stages of rk4.c in vectors across the systems, with the same sums, so that each
 * gets the bits that it gets alone. A system leaves for its first step, where a callback fails or numbers become large; its
 * step is then made by rk4.c. */
#include <polhode/kit/lanes.h>
#include <polhode/kit/memory.h>
#include <polhode/kit/solve.h>

#include "arrays.h"
#include "equations.h"
#include "lib/system/structure.h"

#include <polhode/constraints.h>

#include <math.h>
#include <string.h>

enum { EIGHT = PH_METHOD_LANES, ALL = (1 << EIGHT) - 1 };

/* Arrays have eight numbers, one of each system, in place of each. */
typedef struct eight {
    ph_lanes_systems of;
    const ph_field *field;
    size_t n, nz, np, numbers; /* numbers: in y */
    bool wide, pairs, project, circles;
    ph_factor_place *factors;    /* (n) */
    double *M;                   /* (8 n n) by pairs, else (8 nz nz) */
    double *E, *N, *g, *f;       /* (8 nz): rows on circles, normal parts */
    double *A;                   /* (8 np np) */
    double *y, *k, *stage, *sum; /* (8 numbers) */
    double reach[EIGHT];
    double *one; /* (numbers + work) of one system */
    ph_lanes_alone alone;
} eight;

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static void lay(eight *w, const ph_system *system, const double *options, ph_lay *l)
{
    const ph_space *space = ph_system_space(system);
    ph_lay_bytes(l, sizeof *w);
    w->field = ph_field_chosen(system, options[0]);
    w->n = ph_space_factors(space);
    w->nz = ph_space_ambient(space);
    w->np = ph_space_momenta(space);
    w->numbers = w->field->size(system);
    w->pairs = ph_system_inertia(system) != NULL;
    double **ambient[] = {&w->E, &w->N, &w->g, &w->f}, **vectors[] = {&w->y, &w->k, &w->stage, &w->sum};
    for (size_t i = 0; i < sizeof ambient / sizeof ambient[0]; i++)
        *ambient[i] = ph_lay_line(l, EIGHT * w->nz * sizeof **ambient[i]);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = ph_lay_line(l, EIGHT * w->numbers * sizeof **vectors[i]);
    const size_t rows = w->pairs ? w->n : w->nz;
    w->M = ph_lay_line(l, EIGHT * rows * rows * sizeof *w->M);
    w->A = ph_lay_line(l, EIGHT * w->np * w->np * sizeof *w->A);
    w->factors = ph_lay_bytes(l, w->n * sizeof *w->factors);
    w->of.work = ph_lay_doubles(l, ph_lanes_work(system));
    w->one = ph_lay_doubles(l, w->numbers + w->nz + w->np + w->field->work(system));
    ph_lanes_alone_lay(&w->alone, ph_field_rk4_size(system, options), system, l);
}

static ph_method_size eight_size(const ph_system *system, const double *options)
{
    eight counted;
    ph_lay l = {NULL, 0};
    lay(&counted, system, options, &l);
    return (ph_method_size){.work = l.bytes, .carry = EIGHT * (counted.numbers + 1)};
}

/* rk4.c */
static ph_status single_plain(ph_context *context)
{
    return ph_field_rk4_init(context, false);
}

static ph_status single_projected(ph_context *context)
{
    return ph_field_rk4_init(context, true);
}

static ph_status init(ph_context *context, bool project)
{
    static const ph_method plain = {.init = single_plain, .step = ph_field_rk4_step},
                           projected = {.init = single_projected, .step = ph_field_rk4_step};
    eight *w = context->work;
    const ph_space *space = ph_system_space(context->system);
    ph_lay l = {context->work, 0};
    lay(w, context->system, context->options, &l);
    ph_lanes_alone_begin(&w->alone, project ? &projected : &plain, context);
    ph_lanes_place(&w->of, context, w->of.work);
    w->wide = ph_lanes(PH_KERNEL_AVX2);
    w->project = project;
    w->circles = false;
    for (size_t i = 0; i < w->n; i++) {
        w->factors[i] = *ph_space_factor(space, i);
        w->circles = w->circles || w->factors[i].kind == PH_FACTOR_S1;
    }
    const size_t rows = w->pairs ? w->n : w->nz;
    memset(w->N, 0, EIGHT * w->nz * sizeof *w->N);
    for (size_t m = 0; m < EIGHT; m++) {
        const ph_system *s = w->of.systems[m];
        const double *M = w->pairs ? ph_system_inertia(s) : ph_system_ambient_inertia(s);
        for (size_t k = 0; k < rows * rows; k++)
            w->M[EIGHT * k + m] = M[k];
        w->reach[m] = ph_field_rk4_reach(s);
    }
    return PH_OK;
}

static ph_status init_plain(ph_context *context)
{
    return init(context, false);
}

static ph_status init_projected(ph_context *context)
{
    return init(context, true);
}

/* ---- In vectors -------------------------------------------------------------------------------------------------- */

/* zdot, the rows of E on circles, and N there. */
INLINE void turn(const eight *w, const double *y, double *zdot, size_t at)
{
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = &w->factors[i];
        const double *q = y + EIGHT * f->z + at, *rate = y + EIGHT * (w->nz + f->p) + at;
        double *v = zdot + EIGHT * f->z + at;
        if (f->kind == PH_FACTOR_R) {
            for (size_t k = 0; k < f->nz; k++)
                store(v + EIGHT * k, load(rate + EIGHT * k));
            continue;
        }
        const vector x = load(q), y1 = load(q + EIGHT), u = load(rate), v0 = -u * y1, v1 = u * x,
                     square = all_lanes(0) + v0 * v0 + v1 * v1;
        store(v, v0);
        store(v + EIGHT, v1);
        store(w->E + EIGHT * f->z + at, -y1);
        store(w->E + EIGHT * (f->z + 1) + at, x);
        store(w->N + EIGHT * f->z + at, -square * x);
        store(w->N + EIGHT * (f->z + 1) + at, -square * y1);
    }
}

/* Entry a of the basis of a factor, component k. */
INLINE vector basis(const eight *w, const ph_factor_place *f, size_t a, size_t k, size_t at)
{
    return f->kind == PH_FACTOR_R ? all_lanes(a == k) : load(w->E + EIGHT * (f->z + k) + at);
}

/* A <- E^T MM E, lower triangle. */
INLINE void fill(const eight *w, size_t at)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j <= i; j++) {
            const ph_factor_place *f = &w->factors[i], *from = &w->factors[j];
            for (size_t b = 0; b < from->nx; b++)
                for (size_t a = 0; a < f->nx; a++) {
                    double *to = w->A + EIGHT * ((f->x + a) * w->np + from->x + b) + at;
                    vector sum = all_lanes(0);
                    if (w->pairs) {
                        for (size_t k = 0; k < f->nz; k++)
                            sum += basis(w, f, a, k, at) * basis(w, from, b, k, at);
                        store(to, load(w->M + EIGHT * (i * w->n + j) + at) * sum);
                        continue;
                    }
                    for (size_t k = 0; k < f->nz; k++) {
                        const bool whole = f->kind != PH_FACTOR_R;
                        if (!whole && k != a)
                            continue;
                        vector column = all_lanes(0);
                        for (size_t l = 0; l < from->nz; l++)
                            if (from->kind != PH_FACTOR_R || l == b)
                                column += load(w->M + EIGHT * ((f->z + k) * w->nz + from->z + l) + at) *
                                          basis(w, from, b, l, at);
                        sum += basis(w, f, a, k, at) * column;
                    }
                    store(to, sum);
                }
        }
}

/* g <- f - g - MM N, N of circles alone. */
INLINE void push(const eight *w, size_t at)
{
    const size_t d = w->nz / w->n;
    for (size_t k = 0; k < w->nz; k++) {
        vector sum = all_lanes(0);
        for (size_t j = 0; j < w->n; j++) {
            const ph_factor_place *f = &w->factors[j];
            if (f->kind == PH_FACTOR_R)
                continue;
            for (size_t l = 0; l < f->nz; l++) {
                const size_t entry = w->pairs ? k / d * w->n + j : k * w->nz + f->z + l;
                if (!w->pairs || l == k % d)
                    sum += load(w->M + EIGHT * entry + at) * load(w->N + EIGHT * (f->z + l) + at);
            }
        }
        double *g = w->g + EIGHT * k + at;
        store(g, (-load(g) - sum) + load(w->f + EIGHT * k + at));
    }
}

/* a <- A^{-1} E^T g by Cholesky, as ph_cholesky_factor. Returns for which systems A is not positive
 * definite. */
INLINE unsigned accelerate(const eight *w, double *a, size_t at)
{
    const size_t n = w->np;
    unsigned failed = 0;
    mask bad = {0};
    for (size_t i = 0; i < w->n; i++) {
        const ph_factor_place *f = &w->factors[i];
        for (size_t b = 0; b < f->nx; b++) {
            vector sum = all_lanes(0);
            for (size_t k = 0; k < f->nz; k++)
                if (f->kind != PH_FACTOR_R || k == b)
                    sum += basis(w, f, b, k, at) * load(w->g + EIGHT * (f->z + k) + at);
            store(a + EIGHT * (f->x + b) + at, sum);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double *row = w->A + EIGHT * i * n + at;
        vector d = load(row + EIGHT * i), root;
        for (size_t j = 0; j < i; j++) {
            const double *other = w->A + EIGHT * j * n + at;
            vector sum = load(row + EIGHT * j);
            for (size_t k = 0; k < j; k++)
                sum -= load(row + EIGHT * k) * load(other + EIGHT * k);
            sum *= load(other + EIGHT * j);
            store(row + EIGHT * j, sum);
            d -= sum * sum;
        }
        bad |= ~((d > 0) & (d < all_lanes((double)INFINITY)));
        for (int l = 0; l < LANES; l++)
            root[l] = sqrt(d[l]);
        store(row + EIGHT * i, 1 / root);
    }
    for (size_t i = 0; i < n; i++) {
        vector sum = load(a + EIGHT * i + at);
        for (size_t j = 0; j < i; j++)
            sum -= load(w->A + EIGHT * (i * n + j) + at) * load(a + EIGHT * j + at);
        store(a + EIGHT * i + at, sum * load(w->A + EIGHT * (i * n + i) + at));
    }
    for (size_t i = n; i-- > 0;) {
        vector sum = load(a + EIGHT * i + at);
        for (size_t k = i + 1; k < n; k++)
            sum -= load(w->A + EIGHT * (k * n + i) + at) * load(a + EIGHT * k + at);
        store(a + EIGHT * i + at, sum * load(w->A + EIGHT * (i * n + i) + at));
    }
    for (size_t l = 0; l < LANES; l++)
        failed |= bad[l] ? 1u << (at + l) : 0;
    return failed;
}

#define EACH_PART for (size_t at = 0; at < EIGHT; at += LANES)
PH_LANES_TWICE(PH_LANES_AVX2, void, turn_all, (const eight *w, const double *y, double *zdot),
               EACH_PART turn(w, y, zdot, at);)
PH_LANES_TWICE(
    PH_LANES_AVX2, unsigned, accelerate_all, (const eight *w, double *a), unsigned failed = 0; EACH_PART {
        push(w, at);
        fill(w, at);
        failed |= accelerate(w, a, at);
    } return failed;)
PH_LANES_TWICE(PH_LANES_AVX2, void, combine_all,
               (size_t n, const double *x, double c, const double *y, double *to),
               ph_array_combine(n, x, c, y, to);)

/* ---- The step ---------------------------------------------------------------------------------------------------- */

/* ydot <- F(t, y). Returns for which systems that failed. */
static unsigned evaluate(const eight *w, double t, const double *y, double *ydot)
{
    const double times[EIGHT] = {t, t, t, t, t, t, t, t};
    (w->wide ? turn_all_wide : turn_all_plain)(w, y, ydot);
    unsigned failed = ph_lanes_force(&w->of, times, y, ydot, w->f);
    failed |= ph_lanes_gradient(&w->of, y, w->g);
    return failed | (w->wide ? accelerate_all_wide : accelerate_all_plain)(w, ydot + EIGHT * w->nz);
}

/* y (8 numbers) <- a step from it, as ph_field_rk4. Returns which systems leave. */
static unsigned advance(const eight *w, double t, double h)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    void (*const combine)(size_t, const double *, double, const double *, double *) =
        w->wide ? combine_all_wide : combine_all_plain;
    const size_t n = EIGHT * w->numbers;
    unsigned left = 0;
    for (size_t j = 0; j < 4; j++) {
        left |= evaluate(w, t + node[j] * h, j ? w->stage : w->y, w->k);
        if (j == 0)
            memcpy(w->sum, w->k, n * sizeof *w->sum);
        else
            combine(n, w->sum, weight[j], w->k, w->sum);
        if (j < 3)
            combine(n, w->y, node[j + 1] * h, w->k, w->stage);
    }
    combine(n, w->y, h / 6, w->sum, w->y);
    return left;
}

static void gather(const double *from, size_t n, size_t m, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[EIGHT * k + m];
}

static void scatter(const double *from, size_t n, size_t m, double *to)
{
    for (size_t k = 0; k < n; k++)
        to[EIGHT * k + m] = from[k];
}

/* Which systems leave after the step that has been made: y cannot be projected, or is large. */
static unsigned finish(const eight *w, double t)
{
    unsigned left = 0;
    for (size_t m = 0; m < EIGHT; m++) {
        double sum = 0;
        if (w->project && w->circles) {
            gather(w->y, w->numbers, m, w->one);
            if (ph_field_project(w->field, w->of.systems[m], t, w->one, w->one + w->numbers))
                left |= 1u << m;
            scatter(w->one, w->numbers, m, w->y);
        }
        for (size_t k = 0; k < w->numbers; k++)
            sum += w->y[EIGHT * k + m] * w->y[EIGHT * k + m];
        if (!(sum <= w->reach[m]))
            left |= 1u << m;
    }
    return left;
}

static ph_status eight_step(ph_context *context, ph_state *state)
{
    eight *w = context->work;
    const double *held = state->carry + EIGHT * w->numbers;
    unsigned left = ALL;
    if (held[0] != 0) {
        memcpy(w->y, state->carry, EIGHT * w->numbers * sizeof *w->y);
        left = advance(w, state->t, context->h);
        left |= finish(w, state->t + context->h);
    }
    const ph_status status = ph_lanes_alone_step(&w->alone, context, state, left);
    if (status)
        return status;
    if (left != ALL)
        memcpy(state->carry, w->y, EIGHT * w->numbers * sizeof *w->y);
    ph_lanes_alone_scatter(&w->alone, state, left);
    return PH_OK;
}

static void eight_synchronise(ph_context *context, ph_state *state)
{
    const eight *w = context->work;
    double *z = w->one + w->numbers, *p = z + w->nz;
    for (size_t m = 0; m < EIGHT; m++) {
        gather(state->carry, w->numbers, m, w->one);
        w->field->to_momentum(w->of.systems[m], state->t, w->one, z, p, p + w->np);
        scatter(z, w->nz, m, state->z);
        scatter(p, w->np, m, state->p);
    }
}

/* ---- The method -------------------------------------------------------------------------------------------------- */

const ph_method *ph_field_rk4_lanes(const ph_system *system, const double *options, bool project)
{
    static const ph_method plain = {.name = "rk4",
                                    .size = eight_size,
                                    .init = init_plain,
                                    .step = eight_step,
                                    .synchronise = eight_synchronise,
                                    .takes_systems = true},
                           projected = {.name = "rk4-projected",
                                        .size = eight_size,
                                        .init = init_projected,
                                        .step = eight_step,
                                        .synchronise = eight_synchronise,
                                        .takes_systems = true};
    const ph_space *space = ph_system_space(system);
    bool yes = ph_field_chosen(system, options[0]) == &ph_field_q_omega &&
               ph_system_kind(system) == PH_INERTIA_CONSTANT &&
               (ph_system_inertia(system) || ph_system_ambient_inertia(system)) &&
               !ph_system_constraints(system) && !ph_structure_of(system)->spin &&
               ph_space_dimension(space) <= PH_SMALL_LU;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_kind kind = ph_space_factor(space, i)->kind;
        yes = yes && (kind == PH_FACTOR_R || kind == PH_FACTOR_S1);
    }
    return yes ? project ? &projected : &plain : NULL;
}
