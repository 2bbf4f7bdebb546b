/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of rk4.h for more than two links, four at a time (lib/internal/lanes.h). With `fused` products and
 * sums are one instruction; d is the number of axes. Both are constants in each copy of the step.
 *
 * With the pulls p_i = tau_i / l_i as unknowns and w_i = 1/m_i, what hangs on nothing having w = 0 (on a cart
 * along its axes: the cart's), the equations of the tensions are
 *     (w_i + w_{i-1}) |q_i|^2 p_i - w_i q_i.q_{i+1} p_{i+1} - w_{i-1} q_i.q_{i-1} p_{i-1} = -l_i |v_i|^2,
 * in that of the first link less q_1.G on the right, G the gravity that its support does not follow; then
 *     A_i = w_i (p_i q_i - p_{i+1} q_{i+1}),      vdot_i = (A_i - A_{i-1}) / l_i,
 * -G for A_0. The step is in Nystrom's form, with the stages of q written out:
 *     q2 = q + h/2 v,               v2 = v + h/2 a1,
 *     q3 = q + h/2 (v + h/2 a1),    v3 = v + h/2 a2,      q+ = q + (h v + h^2/6 (a1 + a2 + a3)),
 *     q4 = q + h (v + h/2 a2),      v4 = v + h a3,        v+ = v + h/6 (a1 + 2 (a2 + a3) + a4).
 * The accelerations of a stage and the equations of the next one are computed in one loop over the links,
 * four at a time. The elimination is another loop. It starts from both ends at once, and for long chains from
 * the middle, too: within one elimination each division has to wait for the one before. */
#ifndef PH_EQUATIONS_CHAIN_KERNEL_H
#define PH_EQUATIONS_CHAIN_KERNEL_H

#include "elimination.h"
#include "rk4.h"

#include <string.h>

/* ---- Four links at a time ---------------------------------------------------------------------------- */

INLINE vector rk4_dot(const bool fused, const size_t d, const vector *a, const vector *b)
{
    vector sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = madd_lanes(fused, a[k], b[k], sum);
    return sum;
}

/* Where a loop over the links reads and writes. */
typedef struct rk4_places {
    double *y, *block, *p, *e, *s, *r;
} rk4_places;

/* What the loop hands from four links to the next four: u = p q, and A, the accelerations of the masses. */
typedef struct rk4_past {
    vector u[3], A[3];
} rk4_past;

/* u of the four links in this block. */
INLINE void rk4_pulls(const size_t d, const double *block, const double *p, vector *u)
{
    vector pull = load(p);
    for (size_t k = 0; k < d; k++)
        u[k] = pull * load(block + 4 * (PH_BLOCK_Q + k));
}

/* a <- accelerations of these four links, whose u is in past. Reads the next four links as well (a block of
 * zeros at the end), and leaves past ready for them. */
INLINE void rk4_accelerate(const size_t d, const double *block, const double *p, rk4_past *past, vector *a)
{
    vector u[3], w = load(block + 4 * PH_BLOCK_W), il = load(block + 4 * PH_BLOCK_IL);
    rk4_pulls(d, block + PH_BLOCK(d), p + 4, u);
    for (size_t k = 0; k < d; k++) {
        vector A = w * (past->u[k] - SHUFFLE(past->u[k], u[k], 1, 2, 3, 4));
        a[k] = (A - SHUFFLE(past->A[k], A, 3, 4, 5, 6)) * il;
        past->A[k] = A;
        past->u[k] = u[k];
    }
}

/* The equations at the stage (q, v) for these four links: their diagonal s and right-hand side r; and the
 * couplings e of the four links before, each with the next link, whose directions are in memory. */
INLINE void rk4_form_equations(const bool fused, const size_t d, double *block, const rk4_places *at,
                               size_t i, const vector *q, const vector *v)
{
    vector before[3], next[3];
    const double *last = block - PH_BLOCK(d);
    for (size_t k = 0; k < d; k++) {
        before[k] = load(last + 4 * (PH_BLOCK_Q + k));
        next[k] = SHUFFLE(before[k], q[k], 1, 2, 3, 4);
    }
    store(at->s + i, load(block + 4 * PH_BLOCK_BOTH) * rk4_dot(fused, d, q, q));
    store(at->r + i, load(block + 4 * PH_BLOCK_L) * rk4_dot(fused, d, v, v));
    store(at->e + i, load(last + 4 * PH_BLOCK_W) * rk4_dot(fused, d, before, next));
}

/* The couplings of the last four links, and the first equation, in which the support takes part. */
INLINE void rk4_close_equations(const bool fused, const size_t d, const ph_chain_rk4 *c)
{
    vector q[3], next[3], none = all_lanes(0);
    const double *last = c->block + (c->m / 4 - 1) * PH_BLOCK(d);
    double pivot = 0, drive = c->r[0];
    for (size_t k = 0; k < d; k++) {
        q[k] = load(last + 4 * (PH_BLOCK_Q + k));
        next[k] = SHUFFLE(q[k], none, 1, 2, 3, 4);
        double first = c->block[4 * (PH_BLOCK_Q + k)];
        pivot = madd(fused, c->head[k] * first, first, pivot);
        drive = madd(fused, c->fall[k], first, drive);
    }
    store(c->e + c->m, load(last + 4 * PH_BLOCK_W) * rk4_dot(fused, d, q, next));
    c->s[0] = pivot;
    c->r[0] = drive;
}

/* Start of the loop over the links: ride <- share times the cart's acceleration; past <- what the first four
 * links need: their u, and the acceleration of the support less gravity. */
INLINE void rk4_begin(const size_t d, const ph_chain_rk4 *c, double share, rk4_past *past, double *ride)
{
    rk4_pulls(d, c->block, c->p, past->u);
    for (size_t k = 0; k < d; k++) {
        double A = -(c->root[k] * past->u[k][0]);
        ride[k] = share * (A + c->ride[k]);
        past->A[k] = all_lanes(A - c->fall[k]);
    }
}

/* A stage before the last: a1, a2 or a3 from its pulls, and the equations of the next. */
INLINE void rk4_stage(const bool fused, const size_t d, const ph_chain_rk4 *c, const size_t stage, double h,
                      const double *y, double *ride)
{
    const vector step = all_lanes(stage < 2 ? h / 2 : h), half = all_lanes(h / 2);
    const rk4_places at = {.s = c->s, .e = c->e, .r = c->r};
    const double *p = c->p;
    double *block = c->block;
    rk4_past past;
    rk4_begin(d, c, stage < 2 ? h / 2 : h, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        vector q[3], v[3], a[3];
        rk4_accelerate(d, block, p, &past, a);
        for (size_t k = 0; k < d; k++) {
            vector q0 = load(y + 4 * k), v0 = load(y + 4 * (d + k)), then = v0;
            if (stage)
                then = madd_lanes(fused, half, load(block + 4 * (PH_BLOCK_A(d, stage - 1) + k)), v0);
            store(block + 4 * (PH_BLOCK_A(d, stage) + k), a[k]);
            q[k] = madd_lanes(fused, step, then, q0);
            v[k] = madd_lanes(fused, step, a[k], v0);
            store(block + 4 * (PH_BLOCK_Q + k), q[k]);
        }
        rk4_form_equations(fused, d, block, &at, i, q, v);
    }
    rk4_close_equations(fused, d, c);
}

INLINE void rk4_first(const bool fused, const size_t d, const ph_chain_rk4 *c, const double *y)
{
    const rk4_places at = {.s = c->s, .e = c->e, .r = c->r};
    double *block = c->block;
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, block += PH_BLOCK(d)) {
        vector q[3], v[3];
        for (size_t k = 0; k < d; k++) {
            q[k] = load(y + 4 * k);
            v[k] = load(y + 4 * (d + k));
            store(block + 4 * (PH_BLOCK_Q + k), q[k]);
        }
        rk4_form_equations(fused, d, block, &at, i, q, v);
    }
    rk4_close_equations(fused, d, c);
}

/* y <- the end of the step; its start is kept in the blocks. Returns the sum of all squares; *far <- the sum
 * of (|q|^2 - 1)^2 over the links before the projection. */
INLINE double rk4_last(const bool fused, const size_t d, const ph_chain_rk4 *c, const bool project, double h,
                       double *y, double *ride, double *far)
{
    const vector whole = all_lanes(h), sixth = all_lanes(h / 6), square = all_lanes(h * h / 6);
    vector sum = all_lanes(0), away = sum;
    const double *p = c->p;
    double *block = c->block;
    rk4_past past;
    rk4_begin(d, c, h / 6, &past, ride);
    for (size_t i = 0, m = c->m; i < m; i += 4, y += 8 * d, p += 4, block += PH_BLOCK(d)) {
        vector q[3], v[3], a[3];
        rk4_accelerate(d, block, p, &past, a);
        for (size_t k = 0; k < d; k++) {
            vector q0 = load(y + 4 * k), v0 = load(y + 4 * (d + k));
            vector a1 = load(block + 4 * (PH_BLOCK_A(d, 0) + k)),
                   middle =
                       load(block + 4 * (PH_BLOCK_A(d, 1) + k)) + load(block + 4 * (PH_BLOCK_A(d, 2) + k));
            q[k] = q0 + madd_lanes(fused, square, a1 + middle, whole * v0);
            v[k] = madd_lanes(fused, sixth, (a1 + a[k]) + (middle + middle), v0);
            store(block + 4 * (PH_BLOCK_Q + k), q0);
            store(block + 4 * (PH_BLOCK_A(d, 0) + k), v0);
        }
        if (project) {
            vector excess = all_lanes(-1);
            for (size_t k = d; k-- > 0;)
                excess = madd_lanes(fused, q[k], q[k], excess);
            vector shrink = all_lanes(35. / 128);
            shrink = madd_lanes(fused, shrink, excess, all_lanes(-5. / 16));
            shrink = madd_lanes(fused, shrink, excess, all_lanes(3. / 8));
            shrink = madd_lanes(fused, shrink, excess, all_lanes(-1. / 2)) * excess;
            for (size_t k = 0; k < d; k++)
                q[k] = madd_lanes(fused, shrink, q[k], q[k]);
            vector along = -rk4_dot(fused, d, q, v);
            for (size_t k = 0; k < d; k++)
                v[k] = madd_lanes(fused, along, q[k], v[k]);
            away = madd_lanes(fused, excess, excess, away);
        }
        for (size_t k = 0; k < d; k++) {
            store(y + 4 * k, q[k]);
            store(y + 4 * (d + k), v[k]);
        }
        sum += rk4_dot(fused, d, q, q) + rk4_dot(fused, d, v, v);
    }
    *far =
        (away[0] + away[1]) + (away[2] + away[3]) - (double)(c->m - c->n); /* lanes without a link have 1 */
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ph_chain_settle of all links. */
static bool rk4_settle(const ph_chain_rk4 *c, double *y)
{
    for (size_t i = 0; i < c->n; i++) {
        double *q = y + i / 4 * 8 * c->d + i % 4;
        if (!ph_chain_settle(c->d, 4, q, q + 4 * c->d))
            return false;
    }
    return true;
}

INLINE bool rk4_many(const bool fused, const size_t d, const ph_chain_rk4 *c, double h, double *y)
{
    double ride[4][3] = {{0}}, *x = y + 2 * d * c->m, before[6], far;
    rk4_first(fused, d, c, y);
    rk4_eliminate(fused, c);
    rk4_stage(fused, d, c, 0, h, y, ride[0]);
    rk4_eliminate(fused, c);
    rk4_stage(fused, d, c, 1, h, y, ride[1]);
    rk4_eliminate(fused, c);
    rk4_stage(fused, d, c, 2, h, y, ride[2]);
    rk4_eliminate(fused, c);
    memcpy(before, x, sizeof before);
    double sum = c->project ? rk4_last(fused, d, c, true, h, y, ride[3], &far)
                            : rk4_last(fused, d, c, false, h, y, ride[3], &far);
    sum += rk4_drive_cart(fused, d, c, h, ride, x, x + 3);
    if (sum <= c->reach && (!c->project || far <= PH_CHAIN_FAR || rk4_settle(c, y)))
        return true;
    memcpy(x, before, sizeof before);
    for (size_t i = 0; i < c->m; i += 4, y += 8 * d) {
        const double *block = c->block + i / 4 * PH_BLOCK(d);
        memcpy(y, block + 4 * PH_BLOCK_Q, 4 * d * sizeof *y);
        memcpy(y + 4 * d, block + 4 * PH_BLOCK_A(d, 0), 4 * d * sizeof *y);
    }
    return false;
}

#endif
