/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of any explicit Runge-Kutta method (ph_explicit) for a chain of more than two links under gravity alone, with or without a
 * cart, in one piece, by the equations of four.h. As in kernel.h it is in Nystrom's form: with A_j the accelerations at stage j and a' = a a,
 *     q_i = q + h (c_i v + h sum_j a'_ij A_j),      v_i = v + h sum_j a_ij A_j,
 * and the end likewise with b in the place of a row of a. Accelerations of a stage and the equations of the next one are computed in one
 * loop over the links. Nothing is fused: the bits are the same on every processor. */
#include "kernel.h"

#include <polhode/kit/equations.h>

/* ---- The table ------------------------------------------------------------------------------------------ */

/* A row of it: c_i, and the terms, of which the latest stage's is the last. */
typedef struct explicit_sum {
    double ahead;
    size_t terms;
    chain_term term[PH_EXPLICIT_MOST];
} explicit_sum;

size_t ph_chain_explicit_work(const ph_explicit *of)
{
    return (of->stages + 1) * sizeof(explicit_sum) / sizeof(double);
}

void ph_chain_explicit_lay(const ph_explicit *of, double *work, ph_chain_rk4 *c)
{
    const size_t s = of->stages;
    explicit_sum *sums = (explicit_sum *)(void *)work;
    for (size_t i = 0; i <= s; i++) {
        const double *a = of->table + i * s;
        sums[i] = (explicit_sum){.ahead = 0};
        for (size_t j = 0; j < s && j < i; j++) {
            double twice = 0;
            for (size_t k = j + 1; k < s && k < i; k++)
                twice += a[k] * of->table[k * s + j];
            sums[i].ahead += a[j];
            if (a[j] != 0 || twice != 0 || j + 1 == i)
                sums[i].term[sums[i].terms++] =
                    (chain_term){.q = twice, .v = a[j], .at = 4 * PH_BLOCK_A(c->row->d, j)};
        }
    }
    c->sums = sums;
}

/* ---- A step --------------------------------------------------------------------------------------------- */

/* The equations of stage i behind the pulls of the one before, which give its accelerations; or the end of the step in y, with
 * its start in the blocks, and the sum of all squares. */
INLINE double explicit_stage(const size_t d, const bool last, const ph_chain_rk4 *c, const size_t i, double h,
                             double *y, double *ride)
{
    const explicit_sum *of = (const explicit_sum *)c->sums + i;
    const vector step = all_lanes(h), ahead = all_lanes(of->ahead);
    const chain_term *latest = of->term + of->terms - 1;
    const size_t sums = 4 * PH_BLOCK_A(d, c->stages);
    const double *p = c->pulls.p;
    double *block = c->block;
    vector square = all_lanes(0);
    chain_before before = {0};
    chain_past past;
    chain_begin(d, c->row, block, p, NULL, 1, &past, ride);
    for (size_t at = 0; at < c->m; at += 4, y += 8 * d, p += 4, block += c->stride) {
        vector q[3], v[3], u[3], a[3];
        chain_pull(d, block + c->stride, p + 4, u);
        chain_accelerate(d, c->row, at, u, &past, a);
        for (size_t k = 0; k < d; k++) {
            const vector q0 = load(y + 4 * k), v0 = load(y + 4 * (d + k));
            store(block + 4 * PH_BLOCK_A(d, i - 1) + 4 * k, a[k]);
            q[k] = q0 + step * (ahead * v0 + step * (load(block + sums + 4 * k) + latest->q * a[k]));
            v[k] = v0 + step * (load(block + sums + 4 * (d + k)) + latest->v * a[k]);
            store(block + 4 * k, last ? q0 : q[k]);
            if (last) {
                store(block + 4 * (PH_BLOCK_A(d, 0) + k), v0);
                store(y + 4 * k, q[k]);
                store(y + 4 * (d + k), v[k]);
            }
        }
        if (last)
            square += chain_dot(false, d, q, q) + chain_dot(false, d, v, v);
        else
            chain_form(false, d, c->row, &c->pulls, at, q, v, &before);
    }
    if (!last)
        chain_close(false, d, c->row, &c->pulls, c->m, c->block, NULL, &before);
    return (square[0] + square[1]) + (square[2] + square[3]);
}

/* The pulls, and for stage i sums over the stages that are known. */
INLINE void explicit_eliminate(const size_t d, const ph_chain_rk4 *c, size_t i)
{
    const explicit_sum *of = (const explicit_sum *)c->sums + i;
    chain_ahead w = {.term = of->term,
                     .terms = of->terms - 1,
                     .at = 4 * PH_BLOCK_A(d, c->stages),
                     .stride = c->stride,
                     .next = c->block,
                     .end = c->block + c->m / 4 * c->stride};
    rk4_eliminate(false, d, &c->pulls, &w);
    while (w.next != w.end)
        chain_sum_next(d, &w);
}

/* x, v <- those of the cart, of which ride has the accelerations. Returns the sum of their squares. */
static double explicit_ride(const ph_chain_rk4 *c, double h, const double (*ride)[3], double *x, double *v)
{
    const explicit_sum *of = (const explicit_sum *)c->sums + c->stages;
    double square = 0;
    for (size_t k = 0; k < c->row->cart; k++) {
        double near = 0, sum = 0;
        for (size_t j = 0; j < of->terms; j++) {
            const size_t stage = of->term[j].at / (4 * c->row->d) - 1;
            near += of->term[j].q * ride[stage][k];
            sum += of->term[j].v * ride[stage][k];
        }
        x[k] += h * (of->ahead * v[k] + h * near);
        v[k] += h * sum;
        square += x[k] * x[k] + v[k] * v[k];
    }
    return square;
}

INLINE bool explicit_step(const size_t d, const ph_chain_rk4 *c, double h, double *y)
{
    double ride[PH_EXPLICIT_MOST][3], *x = y + 2 * d * c->m, before[6];
    memcpy(before, x, sizeof before);
    rk4_first(false, d, c->stride, c, y);
    explicit_eliminate(d, c, 1);
    for (size_t i = 1; i < c->stages; i++) {
        explicit_stage(d, false, c, i, h, y, ride[i - 1]);
        explicit_eliminate(d, c, i + 1);
    }
    double square = explicit_stage(d, true, c, c->stages, h, y, ride[c->stages - 1]);
    square += explicit_ride(c, h, (const double(*)[3])ride, x, x + 3);
    if (square <= c->reach)
        return true;
    memcpy(x, before, sizeof before);
    rk4_restore(d, c->stride, c, y);
    return false;
}

#define STEP(d)                                                                                              \
    PH_LANES_TWICE(PH_LANES_AVX2, bool, explicit_##d, (const ph_chain_rk4 *c, double h, double *y),          \
                   return explicit_step(d, c, h, y);)
STEP(2)
STEP(3)

ph_chain_advance ph_chain_explicit(size_t d, bool wide)
{
    static const ph_chain_advance steps[2][2] = {{explicit_2_plain, explicit_3_plain},
                                                 {explicit_2_wide, explicit_3_wide}};
    return steps[wide][d - 2];
}
