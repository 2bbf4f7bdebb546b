/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of rk4.h for more than two links, by the equations of four.h. It is in Nystrom's form, with the stages of q written
 * out:
 *     q2 = q + h/2 v,               v2 = v + h/2 a1,
 *     q3 = q + h/2 (v + h/2 a1),    v3 = v + h/2 a2,      q+ = q + (h v + h^2/6 (a1 + a2 + a3)),
 *     q4 = q + h (v + h/2 a2),      v4 = v + h a3,        v+ = v + h/6 (a1 + 2 (a2 + a3) + a4).
 * The accelerations of a stage and the equations of the next one are computed in one loop over the links, four at a time. */
#ifndef PH_EQUATIONS_CHAIN_KERNEL_H
#define PH_EQUATIONS_CHAIN_KERNEL_H

#include "four.h"
#include "rk4.h"

#include <string.h>

/* A stage before the last: a1, a2 or a3 from its pulls, and the equations of the next. */
INLINE void rk4_stage(const size_t d, const ph_chain_rk4 *c, const size_t stage, double h, const double *y,
                      double *ride)
{
    const vector step = all_lanes(stage < 2 ? h / 2 : h), half = all_lanes(h / 2);
    const double *p = c->pulls.p;
    double *block = c->block;
    chain_before before = {0};
    chain_past past;
    chain_begin(d, c->row, block, p, NULL, stage < 2 ? h / 2 : h, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        vector q[3], v[3], a[3], u[3];
        chain_pull(d, block + PH_BLOCK(d), p + 4, u);
        chain_accelerate(d, c->row, i, u, &past, a);
        for (size_t k = 0; k < d; k++) {
            vector q0 = load(y + 4 * k), v0 = load(y + 4 * (d + k)), then = v0;
            if (stage)
                then = half * load(block + 4 * (PH_BLOCK_A(d, stage - 1) + k)) + v0;
            store(block + 4 * (PH_BLOCK_A(d, stage) + k), a[k]);
            q[k] = step * then + q0;
            v[k] = step * a[k] + v0;
            store(block + 4 * k, q[k]);
        }
        chain_form(d, c->row, &c->pulls, i, q, v, &before);
    }
    chain_close(d, c->row, &c->pulls, c->m, c->block, NULL, &before);
}

/* The equations at the start of a step. */
INLINE void rk4_first(const size_t d, const size_t stride, const ph_chain_rk4 *c, const double *y)
{
    double *block = c->block;
    chain_before before = {0};
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, block += stride) {
        vector q[3], v[3];
        for (size_t k = 0; k < d; k++) {
            q[k] = load(y + 4 * k);
            v[k] = load(y + 4 * (d + k));
            store(block + 4 * k, q[k]);
        }
        chain_form(d, c->row, &c->pulls, i, q, v, &before);
    }
    chain_close(d, c->row, &c->pulls, c->m, c->block, NULL, &before);
}

/* y <- the end of the step; its start is kept in the blocks. Returns the sum of all squares; *far <- the sum
 * of (|q|^2 - 1)^2 over the links before the projection. */
INLINE double rk4_last(const size_t d, const ph_chain_rk4 *c, const bool project, double h, double *y,
                       double *ride, double *far)
{
    const vector whole = all_lanes(h), sixth = all_lanes(h / 6), square = all_lanes(h * h / 6);
    vector sum = all_lanes(0), away = sum;
    const double *p = c->pulls.p;
    double *block = c->block;
    chain_past past;
    chain_begin(d, c->row, block, p, NULL, h / 6, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        vector q[3], v[3], a[3], u[3];
        chain_pull(d, block + PH_BLOCK(d), p + 4, u);
        chain_accelerate(d, c->row, i, u, &past, a);
        for (size_t k = 0; k < d; k++) {
            vector q0 = load(y + 4 * k), v0 = load(y + 4 * (d + k));
            vector a1 = load(block + 4 * (PH_BLOCK_A(d, 0) + k)),
                   middle =
                       load(block + 4 * (PH_BLOCK_A(d, 1) + k)) + load(block + 4 * (PH_BLOCK_A(d, 2) + k));
            q[k] = q0 + (square * (a1 + middle) + whole * v0);
            v[k] = sixth * ((a1 + a[k]) + (middle + middle)) + v0;
            store(block + 4 * k, q0);
            store(block + 4 * (PH_BLOCK_A(d, 0) + k), v0);
        }
        if (project) {
            const vector excess = chain_excess(d, q);
            chain_project(d, excess, q, v);
            away = excess * excess + away;
        }
        for (size_t k = 0; k < d; k++) {
            store(y + 4 * k, q[k]);
            store(y + 4 * (d + k), v[k]);
        }
        sum += chain_dot(d, q, q) + chain_dot(d, v, v);
    }
    *far = (away[0] + away[1]) + (away[2] + away[3]) -
           (double)(c->m - c->row->n); /* lanes without a link have 1 */
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ph_chain_settle of all links. */
static bool rk4_settle(const ph_chain_rk4 *c, double *y)
{
    for (size_t i = 0; i < c->row->n; i++) {
        double *q = y + i / 4 * 8 * c->row->d + i % 4;
        if (!ph_chain_settle(c->row->d, 4, q, q + 4 * c->row->d))
            return false;
    }
    return true;
}

/* y <- the start of a step, which is in the blocks when the step has ended. */
INLINE void rk4_restore(const size_t d, const size_t stride, const ph_chain_rk4 *c, double *y)
{
    for (size_t i = 0; i < c->m; i += 4, y += 8 * d) {
        const double *block = c->block + i / 4 * stride;
        memcpy(y, block, 4 * d * sizeof *y);
        memcpy(y + 4 * d, block + 4 * PH_BLOCK_A(d, 0), 4 * d * sizeof *y);
    }
}

INLINE bool rk4_many(const size_t d, const ph_chain_rk4 *c, double h, double *y)
{
    double ride[4][3] = {{0}}, *x = y + 2 * d * c->m, before[6], far;
    rk4_first(d, PH_BLOCK(d), c, y);
    rk4_eliminate(d, &c->pulls, NULL);
    rk4_stage(d, c, 0, h, y, ride[0]);
    rk4_eliminate(d, &c->pulls, NULL);
    rk4_stage(d, c, 1, h, y, ride[1]);
    rk4_eliminate(d, &c->pulls, NULL);
    rk4_stage(d, c, 2, h, y, ride[2]);
    rk4_eliminate(d, &c->pulls, NULL);
    memcpy(before, x, sizeof before);
    double sum =
        c->project ? rk4_last(d, c, true, h, y, ride[3], &far) : rk4_last(d, c, false, h, y, ride[3], &far);
    sum += rk4_drive_cart(d, c, h, ride, x, x + 3);
    if (sum <= c->reach && (!c->project || far <= PH_CHAIN_FAR || rk4_settle(c, y)))
        return true;
    memcpy(x, before, sizeof before);
    rk4_restore(d, PH_BLOCK(d), c, y);
    return false;
}

#endif
