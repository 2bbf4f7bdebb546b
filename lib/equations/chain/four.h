/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of a chain, four links at a time (lib/internal/lanes.h): what its evaluation (accelerate.c) and its steps
 * (kernel.h) share. d, the number of axes, is a constant in each copy.
 *
 * With the pulls p_i = tau_i / l_i as unknowns and w_i = 1/m_i, what hangs on nothing having w = 0 (on a cart
 * along its axes: the cart's), the equations of the tensions are
 *     (w_i + w_{i-1}) |q_i|^2 p_i - w_i q_i.q_{i+1} p_{i+1} - w_{i-1} q_i.q_{i-1} p_{i-1} = -l_i |v_i|^2,
 * in that of the first link less q_1.G on the right, G the gravity that its support does not follow; then
 *     A_i = w_i (p_i q_i - p_{i+1} q_{i+1}),      vdot_i = (A_i - A_{i-1}) / l_i,
 * -G for A_0. On a body the matrix W (carried.c) takes the place of the cart's inverse mass, as W q_1, and A_0 is what the hitch has without
 * pulls beyond gravity. One loop over the links makes the equations, the elimination is another, which starts from both ends at once, and
 * for long chains from the middle, too: within one elimination each division has to wait for the one before. */
#ifndef PH_EQUATIONS_CHAIN_FOUR_H
#define PH_EQUATIONS_CHAIN_FOUR_H

#include "elimination.h"
#include "lib/kinds/linkage/tree.h"

INLINE vector chain_dot(const size_t d, const vector *a, const vector *b)
{
    vector sum = a[0] * b[0];
    for (size_t k = 1; k < d; k++)
        sum = a[k] * b[k] + sum;
    return sum;
}

/* |q|^2 - 1 of four links. */
INLINE vector chain_excess(const size_t d, const vector *q)
{
    vector excess = all_lanes(-1);
    for (size_t k = d; k-- > 0;)
        excess = q[k] * q[k] + excess;
    return excess;
}

/* q, near the spheres (PH_CHAIN_FAR), to unit vectors, v to what is perpendicular to them. */
INLINE void chain_project(const size_t d, vector excess, vector *q, vector *v)
{
    vector shrink = all_lanes(35. / 128);
    shrink = shrink * excess + all_lanes(-5. / 16);
    shrink = shrink * excess + all_lanes(3. / 8);
    shrink = (shrink * excess + all_lanes(-1. / 2)) * excess;
    for (size_t k = 0; k < d; k++)
        q[k] = shrink * q[k] + q[k];
    vector along = -chain_dot(d, q, v);
    for (size_t k = 0; k < d; k++)
        v[k] = along * q[k] + v[k];
}

/* What the loop that makes the equations hands from four links to the next four: their directions and inverse masses. */
typedef struct chain_before {
    vector q[3], w;
} chain_before;

/* The equations at (q, v) for the four links from i on: their diagonal s and right-hand side r; and the couplings e of the
 * four links before, each with the next link. */
INLINE void chain_form(const size_t d, const ph_link_row *row, const ph_chain_pulls *at, size_t i,
                       const vector *q, const vector *v, chain_before *before)
{
    vector next[3];
    for (size_t k = 0; k < d; k++)
        next[k] = SHUFFLE(before->q[k], q[k], 1, 2, 3, 4);
    store(at->s + i, load(row->both + i) * chain_dot(d, q, q));
    store(at->r + i, load(row->l + i) * chain_dot(d, v, v));
    store(at->e + i, before->w * chain_dot(d, before->q, next));
    before->w = load(row->w + i);
    for (size_t k = 0; k < d; k++)
        before->q[k] = q[k];
}

/* The couplings of the last four links, the m-th being the last, and the first equation, in which the support takes part;
 * q: of the first four; body: NULL where the row hangs on none. */
INLINE void chain_close(const size_t d, const ph_link_row *row, const ph_chain_pulls *at, size_t m,
                        const double *q, const ph_link_body *body, chain_before *before)
{
    vector next[3], none = all_lanes(0);
    double pivot = 0, drive = at->r[0];
    for (size_t k = 0; k < d; k++) {
        double head = row->head[k] * q[4 * k];
        if (body)
            head += body->yields[k];
        next[k] = SHUFFLE(before->q[k], none, 1, 2, 3, 4);
        pivot = head * q[4 * k] + pivot;
        drive = (body ? body->fall : row->fall)[k] * q[4 * k] + drive;
    }
    store(at->e + m, before->w * chain_dot(d, before->q, next));
    at->s[0] = pivot;
    at->r[0] = drive;
}

/* What the loop over accelerations hands from four links to the next four: u = p q, and A, the accelerations of the masses. */
typedef struct chain_past {
    vector u[3], A[3];
} chain_past;

/* u of four links, q: four numbers for each axis. */
INLINE void chain_pull(const size_t d, const double *q, const double *p, vector *u)
{
    vector pull = load(p);
    for (size_t k = 0; k < d; k++)
        u[k] = pull * load(q + 4 * k);
}

/* Start of the loop: ride <- share times the cart's acceleration, of a body p of the first link; past <- what
 * the first four links need: their u, and the acceleration of the support less gravity. */
INLINE void chain_begin(const size_t d, const ph_link_row *row, const double *q, const double *p,
                        const ph_link_body *body, double share, chain_past *past, double *ride)
{
    chain_pull(d, q, p, past->u);
    for (size_t k = 0; k < d; k++) {
        double A = -(row->root[k] * past->u[k][0]);
        if (body)
            A -= p[0] * body->yields[k];
        ride[k] = body ? p[0] : share * (A + row->ride[k]);
        past->A[k] = all_lanes(A - (body ? body->fall : row->fall)[k]);
    }
}

/* a <- accelerations of the four links from i on, whose u is in past; u: of the next four, for which past is left ready. */
INLINE void chain_accelerate(const size_t d, const ph_link_row *row, size_t i, const vector *u,
                             chain_past *past, vector *a)
{
    const vector w = load(row->w + i), il = load(row->il + i);
    for (size_t k = 0; k < d; k++) {
        vector A = w * (past->u[k] - SHUFFLE(past->u[k], u[k], 1, 2, 3, 4));
        a[k] = (A - SHUFFLE(past->A[k], A, 3, 4, 5, 6)) * il;
        past->A[k] = A;
        past->u[k] = u[k];
    }
}

#endif
