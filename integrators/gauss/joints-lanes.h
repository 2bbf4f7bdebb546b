/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways inwards and outwards of joints.c in lanes, some of the stages at once: included once for each width of vectors (lanes-width.h). */
#include "symmetric.h"
#include "turns.h"

INLINE number OF(all)(double x)
{
    return x - (number){0};
}

/* What is kept of a body between the ways inwards and outwards, for some lanes. */
typedef struct OF(stage) {
    number R[9], Pi[3], over; /* over: 1 / |x|^2 */
    number A[6], a[3];        /* of what hangs on its joint: in space, then in the frame of its parent */
    number inverse[6], K[9], r[3];
    number v[3]; /* of its joint, in its own frame */
} OF(stage);

/* ---- Three numbers, and symmetric matrices of six, in lanes ---------------------------------------------- */

/* T <- Q S Q^T. */
INLINE void OF(turn_symmetric)(const number *Q, const number *S, number *T)
{
    static const int place[9] = {XX, XY, XZ, XY, YY, YZ, XZ, YZ, ZZ};
    number row[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            row[3 * i + j] =
                Q[3 * i] * S[place[j]] + Q[3 * i + 1] * S[place[3 + j]] + Q[3 * i + 2] * S[place[6 + j]];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            T[place[3 * i + j]] =
                row[3 * i] * Q[3 * j] + row[3 * i + 1] * Q[3 * j + 1] + row[3 * i + 2] * Q[3 * j + 2];
}

/* ---- The field -------------------------------------------------------------------------------------------- */

/* Adds S(d) A' and - S(d) A' S(d) of a child to K and the inertia, S(d) a' from r; A' and a' to their sums. */
INLINE void OF(add_child)(const double *d, const OF(stage) *child, number *inertia, number *K, number *r,
                          number *A, number *a)
{
    static const int place[9] = {XX, XY, XZ, XY, YY, YZ, XZ, YZ, ZZ};
    number column[3], moved[3], SA[9];
    for (int j = 0; j < 3; j++) { /* columns of S(d) A' */
        THREE column[k] = child->A[place[3 * k + j]];
        OF(cross_numbers)(d, column, moved);
        THREE SA[3 * k + j] = moved[k];
    }
    for (int k = 0; k < 9; k++)
        K[k] += SA[k];
    /* - (S(d) A') S(d): its rows times -S(d) are d x row */
    for (int i = 0; i < 3; i++) {
        OF(cross_numbers)(d, SA + 3 * i, moved);
        for (int j = i; j < 3; j++)
            inertia[place[3 * i + j]] += moved[j];
    }
    OF(cross_numbers)(d, child->a, moved);
    THREE r[k] -= moved[k];
    for (int k = 0; k < 6; k++)
        A[k] += child->A[k];
    THREE a[k] += child->a[k];
}

/* Inwards: J', K, r of body i, whose children's A, a are turned into its frame; and its own A, a in space, where it has a parent. */
INLINE void OF(inwards)(const joints_own *o, size_t i)
{
    const joint_body *b = &o->bodies[i];
    OF(stage) *stages = o->stages, *s = &stages[i];
    const number none = OF(all)(0),
                 mc[3] = {OF(all)(b->m * b->c[0]), OF(all)(b->m * b->c[1]), OF(all)(b->m * b->c[2])};
    number A[6] = {none, none, none, none, none, none}, a[3] = {none, none, none};
    const number hat[9] = {none, -mc[2], mc[1], mc[2], none, -mc[0], -mc[1], mc[0], none};
    memcpy(s->K, hat, sizeof hat);
    memcpy(s->r, s->Pi, sizeof s->r);
    if (b->child == PH_NO_INDEX)
        for (int k = 0; k < 6; k++)
            s->inverse[k] = OF(all)(b->inverse[k]);
    else {
        number inertia[6];
        for (int k = 0; k < 6; k++)
            inertia[k] = OF(all)(b->J[k]);
        const number back[9] = {s->R[0], s->R[3], s->R[6], s->R[1], s->R[4],
                                s->R[7], s->R[2], s->R[5], s->R[8]};
        for (size_t c = b->child; c != PH_NO_INDEX; c = o->bodies[c].sibling) {
            OF(stage) *child = &stages[c];
            number turned[6], moved[3];
            OF(turn_symmetric)(back, child->A, turned);
            OF(apply)(back, child->a, moved);
            memcpy(child->A, turned, sizeof turned);
            memcpy(child->a, moved, sizeof moved);
            OF(add_child)(o->bodies[c].d, child, inertia, s->K, s->r, A, a);
        }
        OF(invert)(inertia, s->inverse);
    }
    if (b->rooted)
        return;
    static const int place[9] = {XX, XY, XZ, XY, YY, YZ, XZ, YZ, ZZ};
    number JK[9], column[3], moved[3], out[3]; /* J' K, column by column */
    for (int j = 0; j < 3; j++) {
        THREE column[k] = s->K[3 * k + j];
        OF(apply_symmetric)(s->inverse, column, moved);
        THREE JK[3 * k + j] = moved[k];
    }
    A[XX] += b->m;
    A[YY] += b->m;
    A[ZZ] += b->m;
    for (int p = 0; p < 3; p++)
        for (int j = p; j < 3; j++)
            A[place[3 * p + j]] -= s->K[p] * JK[j] + s->K[3 + p] * JK[3 + j] + s->K[6 + p] * JK[6 + j];
    THREE a[k] += JK[k] * s->r[0] + JK[3 + k] * s->r[1] + JK[6 + k] * s->r[2];
    OF(turn_symmetric)(s->R, A, s->A);
    OF(apply)(s->R, a, out);
    memcpy(s->a, out, sizeof out);
}

/* Outwards: the rates of body i, and the velocities of the joints of what hangs on it. */
INLINE void OF(outwards)(const joints_own *o, size_t i, const double *x_at, const double *y_at, size_t wide,
                         double *dx, double *dy)
{
    const joint_body *b = &o->bodies[i];
    OF(stage) *stages = o->stages, *s = &stages[i];
    number rest[3], Omega[3], tau[3], down[3], moved[3], at[3];
    memcpy(rest, s->r, sizeof rest);
    if (!b->rooted) {
        OF(apply)(s->K, s->v, moved);
        THREE rest[k] -= moved[k];
    }
    OF(apply_symmetric)(s->inverse, rest, Omega);
    THREE down[k] = s->R[k] * o->gravity[0] + s->R[3 + k] * o->gravity[1] + s->R[6 + k] * o->gravity[2];
    OF(cross_numbers)(b->weight, down, tau);
    if (!b->rooted) {
        number swung[3];
        const double mc[3] = {b->m * b->c[0], b->m * b->c[1], b->m * b->c[2]};
        OF(cross_numbers)(mc, Omega, moved); /* - m Omega x c */
        OF(cross)(s->v, moved, swung);       /* m (Omega x c) x v */
        THREE tau[k] += swung[k];
    }
    for (size_t c = b->child; c != PH_NO_INDEX; c = o->bodies[c].sibling) {
        OF(stage) *child = &stages[c];
        number P[3], turn[3], way[3];
        OF(cross_numbers)(o->bodies[c].d, Omega, turn);
        THREE turn[k] = -turn[k]; /* Omega x d */
        THREE at[k] = b->rooted ? turn[k] : s->v[k] + turn[k];
        OF(apply_symmetric)(child->A, at, P);
        THREE P[k] += child->a[k];
        OF(cross)(turn, P, moved);
        THREE tau[k] += moved[k];
        OF(apply)(s->R, at, way);
        OF(apply_transposed)(child->R, way, child->v);
    }
    OF(turn_body)(x_at, y_at, wide, s->over, Omega, tau, dx, dy);
}

static TARGET void OF(field)(const joints_own *o, size_t wide, size_t N, const double *Y, double *F)
{
    OF(stage) *stages = o->stages;
    for (size_t at = 0; at < wide; at += WIDTH) {
        const double *x = Y + at, *y = x + N * wide;
        double *dx = F + at, *dy = dx + N * wide;
        for (size_t i = o->n; i-- > 0;) {
            OF(stage) *s = &stages[i];
            OF(take_body)(x + 4 * i * wide, y + 4 * i * wide, wide, s->R, s->Pi, &s->over);
            OF(inwards)(o, i);
        }
        for (size_t i = 0; i < o->n; i++)
            OF(outwards)(o, i, x + 4 * i * wide, y + 4 * i * wide, wide, dx + 4 * i * wide,
                         dy + 4 * i * wide);
    }
}
