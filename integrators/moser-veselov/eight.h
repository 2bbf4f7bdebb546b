/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps of eight free bodies at once (eight.c) do in vectors across the systems: the formulas of rigid.h and shared/rotor.h, each
 * number in the order in which it is computed there. Included once for each width of vectors, with the names of lanes-width.h. */
#include "integrators/shared/lanes-eight.h"

/* ph_rotor_solve: returns in which lanes it is certain that this is the root. */
INLINE truth OF(solve)(const number *w, const number *b, number *u)
{
    const number zero = {0};
    truth going = zero == zero, good = {0};
    number N[9] = {zero}, last = zero + (double)INFINITY, since = zero, first = zero;
    for (int pass = 0; pass < PH_ROTOR_PASSES && OF(bits)(going); pass++) {
        number r[3], size = zero, change = zero;
        const number along = OF(dot)(b, u);
        const truth fresh = going & (last > ph_rotor_same_jacobian);
        OF(cross)(b, u, r);
        for (int i = 0; i < 3; i++)
            r[i] = u[i] - w[i] * (b[i] + (r[i] + along * u[i]));
        if (OF(bits)(fresh)) {
            const number J[9] = {1 - w[0] * (along + b[0] * u[0]), -w[0] * (b[1] * u[0] - b[2]),
                                 -w[0] * (b[2] * u[0] + b[1]),     -w[1] * (b[0] * u[1] + b[2]),
                                 1 - w[1] * (along + b[1] * u[1]), -w[1] * (b[2] * u[1] - b[0]),
                                 -w[2] * (b[0] * u[2] - b[1]),     -w[2] * (b[1] * u[2] + b[0]),
                                 1 - w[2] * (along + b[2] * u[2])};
            number c[3][3];
            OF(cross)(J + 3, J + 6, c[0]);
            OF(cross)(J + 6, J, c[1]);
            OF(cross)(J, J + 3, c[2]);
            const number det = OF(dot)(J, c[0]), over = 1 / det;
            for (int k = 0; k < 9; k++)
                N[k] = OF(choose)(fresh, c[k % 3][k / 3] * over, N[k]);
            going &= ~fresh | (det > 0);
            since = OF(choose)(fresh, zero, since);
        }
        for (int i = 0; i < 3; i++) {
            const number d = OF(dot)(N + 3 * i, r), moved = u[i] - d;
            size += OF(absolute)(moved);
            change += OF(absolute)(d);
            u[i] = OF(choose)(going, moved, u[i]);
        }
        since += change;
        first = pass ? first : change;
        going &= change <=
                 (pass ? ph_rotor_contraction_wanted * first + 1e-14 : zero + ph_rotor_correction_wanted);
        const truth ends =
            going & ((since * change <= ph_rotor_left_over) | (change <= 2 * DBL_EPSILON * size));
        good |= ends & (OF(dot)(u, u) <= ph_rotor_largest_u2);
        going &= ~ends;
        last = change;
    }
    return good;
}

/* ph_rotor_matrix */
INLINE void OF(matrix)(const number *q, number *A)
{
    const number xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3], ww = q[0] * q[0], xy = q[1] * q[2],
                 xz = q[1] * q[3], yz = q[2] * q[3], wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    A[0] = (ww + xx) - (yy + zz);
    A[4] = (ww + yy) - (xx + zz);
    A[8] = (ww + zz) - (xx + yy);
    A[1] = 2 * (xy - wz);
    A[3] = 2 * (xy + wz);
    A[2] = 2 * (xz + wy);
    A[6] = 2 * (xz - wy);
    A[5] = 2 * (yz - wx);
    A[7] = 2 * (yz + wx);
}

/* ph_rotor_turn */
INLINE void OF(turn)(const number *q, const number *u, const number *aside, const eight_motion *m, size_t at,
                     eight_leap *to)
{
    const number x = OF(dot)(u, u);
    number root = 1 + x, v[3];
    for (int l = 0; l < WIDTH; l++)
        root[l] = sqrt(root[l]);
    const number over = 1 / (root * (1 + root)),
                 lacks = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])) - 1,
                 e = -x * over - 0.5 * lacks, along = (1 + root) * over - 0.5 * lacks;
    for (int i = 0; i < 3; i++)
        v[i] = along * u[i] + aside[i];
    const number d[4] = {e * q[0] - ((q[1] * v[0] + q[2] * v[1]) + q[3] * v[2]),
                         e * q[1] + ((q[0] * v[0] + q[2] * v[2]) - q[3] * v[1]),
                         e * q[2] + ((q[0] * v[1] + q[3] * v[0]) - q[1] * v[2]),
                         e * q[3] + ((q[0] * v[2] + q[1] * v[1]) - q[2] * v[0])};
    for (int i = 0; i < 4; i++) {
        number sum, rest;
        OF(two_sum)(q[i], OF(load)(m->low[i] + at) + d[i], &sum, &rest);
        OF(store)(sum, to->q[i] + at);
        OF(store)(rest, to->low[i] + at);
    }
}

/* rigid_move of free bodies. Returns in which lanes it is made. */
INLINE unsigned OF(move)(const eight *w, const eight_motion *m, double h, size_t at, eight_leap *to)
{
    number q[4], A[9], S[3], y[3], inertia[3], read_off[3], own[3], rate[3], aside[3], b[3], u[3], once[3],
        twice[3], H = {0};
    const number unit = OF(load)(w->unit + at);
    for (int i = 0; i < 4; i++)
        q[i] = OF(load)(m->q[i] + at);
    OF(matrix)(q, A);
    for (int i = 0; i < 3; i++) {
        S[i] = OF(load)(m->S[i] + at);
        y[i] = OF(load)(m->y[i] + at);
        inertia[i] = OF(load)(m->w[i] + at);
        b[i] = 0.5 * h * unit * y[i];
        u[i] = OF(load)(w->weight[HISTORY - 1] + at) * OF(load)(m->u[HISTORY - 1][i] + at);
        for (size_t k = HISTORY - 1; k-- > 0;)
            u[i] = OF(load)(w->weight[k] + at) * OF(load)(m->u[k][i] + at) + u[i];
    }
    for (int i = 0; i < 3; i++) {
        read_off[i] = A[i] * S[0] + A[3 + i] * S[1] + A[6 + i] * S[2];
        own[i] = unit * read_off[i];
        rate[i] = OF(load)(w->inverse[i] + at) * own[i];
        H += 0.5 * own[i] * rate[i];
    }
    OF(cross)(rate, own, aside);
    for (int i = 0; i < 3; i++)
        aside[i] *= OF(load)(m->pull + at) * (OF(load)(m->H + at) - H);
    const truth good = OF(solve)(inertia, b, u);
    const number factor = 2 / (1 + OF(dot)(u, u));
    OF(cross)(y, u, once);
    OF(cross)(once, u, twice);
    for (int i = 0; i < 3; i++) {
        OF(store)(read_off[i] + factor * (once[i] + twice[i]), to->y[i] + at);
        OF(store)(u[i], to->u[i] + at);
    }
    OF(turn)(q, u, aside, m, at, to);
    return OF(bits)(good);
}

static TARGET unsigned OF(move_all)(const eight *w, const eight_motion *m, double h, eight_leap *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        good |= OF(move)(w, m, h, at, to) << at;
    return good;
}
