/* SPDX-License-Identifier: BSD-3-Clause */
/* What uniform.c does in lanes, some of the stages at once: included once for each width of vectors (lanes-width.h). */
#include "turns.h"

INLINE number OF(root)(number square)
{
    for (int k = 0; k < WIDTH; k++)
        square[k] = sqrt(square[k]);
    return square;
}

INLINE void OF(take)(const double *from, size_t wide, size_t n, number *to)
{
    for (size_t k = 0; k < n; k++)
        to[k] = OF(load)(from + k * wide);
}

INLINE void OF(give)(const number *from, size_t n, size_t wide, double *to)
{
    for (size_t k = 0; k < n; k++)
        OF(store)(from[k], to + k * wide);
}

/* z and momenta of a factor, and 1/|q| or, of a body, 1/|q|^2. */
INLINE void OF(enter_factor)(const ph_factor_kind kind, size_t n, const double *q_at, const double *p_at,
                             size_t wide, double *z, double *pi, double *over)
{
    number q[3], p[3], to[3], R[9], f;
    switch (kind) {
    case PH_FACTOR_SO3:
        OF(take_body)(q_at, p_at, wide, R, to, &f);
        OF(give)(R, 9, EIGHT, z);
        OF(give)(to, 3, EIGHT, pi);
        break;
    case PH_FACTOR_S2:
        OF(take)(q_at, wide, 3, q);
        OF(take)(p_at, wide, 3, p);
        f = 1 / OF(root)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        OF(cross)(q, p, to);
        OF(give)(to, 3, EIGHT, pi);
        for (size_t k = 0; k < 3; k++)
            OF(store)(f * q[k], z + k * EIGHT);
        break;
    case PH_FACTOR_S1:
        OF(take)(q_at, wide, 2, q);
        OF(take)(p_at, wide, 2, p);
        f = 1 / OF(root)(q[0] * q[0] + q[1] * q[1]);
        OF(store)(q[0] * p[1] - q[1] * p[0], pi);
        for (size_t k = 0; k < 2; k++)
            OF(store)(f * q[k], z + k * EIGHT);
        break;
    default:
        for (size_t k = 0; k < n; k++) {
            OF(store)(OF(load)(q_at + k * wide), z + k * EIGHT);
            OF(store)(OF(load)(p_at + k * wide), pi + k * EIGHT);
        }
        return;
    }
    OF(store)(f, over);
}

INLINE void OF(enter_all)(const gauss_scratch *w, const double *Y)
{
    const uniform_own *own = w->own;
    const size_t wide = w->tableau.lanes, np = own->np;
    for (size_t at = 0; at < wide; at += WIDTH) {
        for (size_t i = 0; i < w->n; i++) {
            const gauss_part *part = &w->parts[i];
            const double *q = Y + part->q * wide + at;
            OF(enter_factor)(part->at.kind, part->n, q, q + w->N * wide, wide,
                             own->of.z + EIGHT * part->at.z + at, own->p + EIGHT * part->at.p + at,
                             own->over + EIGHT * i + at);
        }
        for (size_t i = 0; i < np; i++) {
            const double *K = own->K + i * np;
            size_t j = own->begin[i];
            number sum = K[j] * OF(load)(own->p + EIGHT * j + at);
            for (j++; j < own->end[i]; j++)
                sum += K[j] * OF(load)(own->p + EIGHT * j + at);
            OF(store)(sum, own->omega + EIGHT * i + at);
        }
    }
}

/* The rates of a factor; push: the gradient less forces, or the force and torques that gravitation has. */
INLINE void OF(leave_factor)(const ph_factor_kind kind, size_t n, const bool moments, const double *q_at,
                             const double *p_at, size_t wide, const double *z_at, const double *omega_at,
                             const double *over, const double *push, double *dq, double *dp)
{
    number q[3], p[3], z[9], g[9], omega[3], tau[3], v[3], turn[3], along, f;
    switch (kind) {
    case PH_FACTOR_SO3:
        OF(take)(omega_at, EIGHT, 3, omega);
        OF(take)(push, EIGHT, moments ? 3 : 9, g);
        if (!moments) { /* the rows of R with those of the gradient */
            OF(take)(z_at, EIGHT, 9, z);
            OF(cross)(z, g, tau);
            for (int row = 3; row < 9; row += 3) {
                OF(cross)(z + row, g + row, turn);
                for (int k = 0; k < 3; k++)
                    tau[k] += turn[k];
            }
        }
        OF(turn_body)(q_at, p_at, wide, OF(load)(over), omega, moments ? g : tau, dq, dp);
        return;
    case PH_FACTOR_S2:
        OF(take)(q_at, wide, 3, q);
        OF(take)(p_at, wide, 3, p);
        OF(take)(z_at, EIGHT, 3, z);
        OF(take)(push, EIGHT, 3, g);
        OF(take)(omega_at, EIGHT, 3, omega);
        OF(cross)(omega, q, v);
        OF(give)(v, 3, wide, dq);
        OF(cross)(omega, p, turn);
        break;
    case PH_FACTOR_S1:
        OF(take)(q_at, wide, 2, q);
        OF(take)(p_at, wide, 2, p);
        OF(take)(z_at, EIGHT, 2, z);
        OF(take)(push, EIGHT, 2, g);
        omega[0] = OF(load)(omega_at);
        OF(store)(-omega[0] * q[1], dq);
        OF(store)(omega[0] * q[0], dq + wide);
        turn[0] = -omega[0] * p[1];
        turn[1] = omega[0] * p[0];
        break;
    default:
        for (size_t k = 0; k < n; k++) {
            const number pull = OF(load)(push + k * EIGHT);
            OF(store)(OF(load)(omega_at + k * EIGHT), dq + k * wide);
            OF(store)(moments ? pull : -pull, dp + k * wide);
        }
        return;
    }
    f = OF(load)(over);
    along = z[0] * g[0] + z[1] * g[1];
    if (kind == PH_FACTOR_S2)
        along += z[2] * g[2];
    for (size_t k = 0; k < n; k++)
        OF(store)(turn[k] - f * (g[k] - along * z[k]), dp + k * wide);
}

INLINE bool OF(leave_all)(const gauss_scratch *w, const double *Y, double *F)
{
    const uniform_own *own = w->own;
    const bool moments = own->gravitation;
    const size_t wide = w->tableau.lanes, pushes = moments ? own->np : own->nz;
    number sum = {0};
    for (size_t at = 0; at < wide; at += WIDTH) {
        for (size_t k = 0; k < pushes; k++)
            sum += 0 * OF(load)(own->of.push + EIGHT * k + at);
        for (size_t i = 0; i < w->n; i++) {
            const gauss_part *part = &w->parts[i];
            const ph_factor_place *is = &part->at;
            const size_t from = part->q * wide + at, N = w->N * wide;
            OF(leave_factor)(is->kind, part->n, moments, Y + from, Y + N + from, wide,
                             own->of.z + EIGHT * is->z + at, own->omega + EIGHT * is->p + at,
                             own->over + EIGHT * i + at,
                             own->of.push + EIGHT * (moments ? is->p : is->z) + at, F + from, F + N + from);
        }
    }
    bool finite = true;
    for (int k = 0; k < WIDTH; k++)
        finite = finite && sum[k] == 0;
    return finite;
}

static TARGET void OF(enter)(const gauss_scratch *w, const double *Y)
{
    OF(enter_all)(w, Y);
}

static TARGET bool OF(leave)(const gauss_scratch *w, const double *Y, double *F)
{
    return OF(leave_all)(w, Y, F);
}

static const uniform_kind OF(kind) = {OF(enter), OF(leave)};
