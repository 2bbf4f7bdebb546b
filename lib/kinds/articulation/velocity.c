/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocities from momenta of a tree of rigid bodies, in time proportional to n: the articulated-body
 * algorithm, with ball joints (Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, chapter 7). In
 * the terms of articulation.c, from the leaves, where L_i = A_i ydot_i + beta_i is known of the children,
 * eliminate omega_i,
 *     Q_i omega_i = -(W_i^T ydot_i + rho_i),   rho_i = sum d x beta - S_i,
 *     Q = J - m S(c)^2 - sum S(d) A S(d),   W = -m S(c) - sum A S(d),
 *     A_i = m I + sum A - W Q^{-1} W^T,   beta_i = sum beta - W Q^{-1} rho,
 * then from the root omega_i. The sums are over the children of body i; Q is symmetric positive definite
 * where every turn moves mass. */
#include <polhode/kit/algebra.h>

#include "articulation.h"

#include <string.h>

/* ---- Elimination of one body -------------------------------------------------------------------- */

/* The terms of one body in space, as named in the first comment. Those to which its children add come
 * first. */
typedef struct node {
    double W[9], Q[9], A[9], beta[3], rho[3];
    double G[9], y[3]; /* Q^{-1} W^T, Q^{-1} rho: omega = -(G ydot + y) */
    double d[3], ydot[3];
} node;

enum { NODE = sizeof(node) / sizeof(double) };

size_t ph_articulated_work(size_t n)
{
    return n * NODE;
}

/* C <- A S(d): its rows are those of A times d. */
static void times_hat(const double A[9], const double d[3], double C[9])
{
    for (int r = 0; r < 3; r++)
        ph_cross3(A + 3 * r, d, C + 3 * r);
}

/* C <- S(d) A */
static void hat_times(const double d[3], const double A[9], double C[9])
{
    for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++)
            C[3 * a + b] =
                d[(a + 1) % 3] * A[3 * ((a + 2) % 3) + b] - d[(a + 2) % 3] * A[3 * ((a + 1) % 3) + b];
}

/* I <- Q^{-1}, Q symmetric; false where it is not positive definite. */
static bool invert_symmetric(const double Q[9], double I[9])
{
    for (int a = 0; a < 3; a++)
        ph_cross3(Q + 3 * ((a + 1) % 3), Q + 3 * ((a + 2) % 3), I + 3 * a);
    double determinant = ph_dot3(Q, I);
    bool good = Q[0] > 0 && I[8] > 0 && determinant > 0;
    for (int k = 0; k < 9; k++)
        I[k] /= determinant;
    return good;
}

/* The condition number of Q after scaling: rows and columns are divided by the square roots of the largest
 * entries of the rows, so that units do not matter. */
static double condition_number(const double Q[9])
{
    double B[9], I[9], size = 0, inverse = 0, s[3];
    for (int a = 0; a < 3; a++)
        s[a] = sqrt(fmax(fabs(Q[3 * a]), fmax(fabs(Q[3 * a + 1]), fabs(Q[3 * a + 2]))));
    for (int k = 0; k < 9; k++)
        B[k] = Q[k] / (s[k / 3] * s[k % 3]);
    if (!invert_symmetric(B, I))
        return INFINITY;
    for (int a = 0; a < 3; a++) {
        size = fmax(size, fabs(B[3 * a]) + fabs(B[3 * a + 1]) + fabs(B[3 * a + 2]));
        inverse = fmax(inverse, fabs(I[3 * a]) + fabs(I[3 * a + 1]) + fabs(I[3 * a + 2]));
    }
    return size * inverse;
}

/* Eliminates body i, to which its children have been added: Q^{-1} and what follows from it, and then the
 * terms that body i adds to its parent. */
static ph_status eliminate_body(const ph_articulated *t, const double *z, node *nodes, size_t i)
{
    node *b = &nodes[i];
    double inverse[9], WG[9];
    if (!ph_all_finite(b->Q, 9))
        return PH_E_NOT_FINITE;
    if (!invert_symmetric(b->Q, inverse))
        return PH_E_SINGULAR;
    for (int r = 0; r < 3; r++)
        ph_apply3(b->W, inverse + 3 * r, b->G + 3 * r); /* row r of Q^{-1} W^T */
    ph_apply3(inverse, b->rho, b->y);
    ph_multiply3(b->W, b->G, WG);
    for (int a = 0; a < 3; a++) {
        b->A[4 * a] += t->mass[i];
        b->beta[a] -= ph_dot3(b->W + 3 * a, b->y);
    }
    for (int k = 0; k < 9; k++)
        b->A[k] -= WG[k];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < r; c++)
            b->A[3 * r + c] = b->A[3 * c + r] = 0.5 * (b->A[3 * r + c] + b->A[3 * c + r]);
    size_t p = t->parent[i];
    if (p == PH_NO_INDEX)
        return PH_OK;
    double AS[9], SAS[9], turn[3];
    ph_apply3(z + 9 * p, t->offset + 3 * i, b->d);
    times_hat(b->A, b->d, AS);
    hat_times(b->d, AS, SAS);
    ph_cross3(b->d, b->beta, turn);
    for (int k = 0; k < 9; k++) {
        nodes[p].A[k] += b->A[k];
        nodes[p].W[k] -= AS[k];
        nodes[p].Q[k] -= 0.5 * (SAS[k] + SAS[k % 3 * 3 + k / 3]);
    }
    for (int a = 0; a < 3; a++) {
        nodes[p].beta[a] += b->beta[a];
        nodes[p].rho[a] += turn[a];
    }
    return PH_OK;
}

/* The terms of body i alone: rho, W and Q without its children. */
static void start_node(const ph_articulated *t, const double *z, const double *p, node *b, size_t i)
{
    const double *R = z + 9 * i;
    double c[3], S[9], RJ[9], square = 0, m = t->mass[i];
    ph_apply3(R, t->centre + 3 * i, c);
    ph_hat3(c, S);
    ph_multiply3(R, t->inertia + 9 * i, RJ);
    square = ph_dot3(c, c);
    for (int a = 0; a < 3; a++) {
        b->rho[a] = p ? -ph_dot3(R + 3 * a, p + 3 * i) : 0;
        for (int k = 0; k < 3; k++) {
            b->W[3 * a + k] = -m * S[3 * a + k];
            b->Q[3 * a + k] = ph_dot3(RJ + 3 * a, R + 3 * k) + m * ((a == k ? square : 0) - c[a] * c[k]);
        }
    }
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < a; k++)
            b->Q[3 * a + k] = b->Q[3 * k + a];
}

/* ---- All bodies --------------------------------------------------------------------------------- */

/* Eliminates all bodies, from the leaves to the root. p: the body momenta; NULL stands for 0. */
static ph_status eliminate_all(const ph_articulated *t, const double *z, const double *p, node *nodes,
                               double *condition)
{
    ph_status status = PH_OK;
    memset(nodes, 0, t->n * sizeof *nodes);
    for (size_t i = 0; i < t->n; i++)
        start_node(t, z, p, &nodes[i], i);
    for (size_t i = t->n; i-- > 0 && !status;) {
        if (condition)
            *condition = fmax(*condition, condition_number(nodes[i].Q));
        status = eliminate_body(t, z, nodes, i);
    }
    return status;
}

/* From the root, in space and in the frame of the body:
 *     ydot_i = ydot_parent + omega_parent x d_i,  omega_i = -(G ydot_i + y),  Rdot_i = R_i S(R_i^T omega_i).
 * The y of a body holds its omega once that is known, since its children need it. */
ph_status ph_articulated_velocity(const ph_articulated *t, const double *z, const double *p, double *zdot,
                                  double *work)
{
    node *nodes = (node *)(void *)work;
    ph_status status = eliminate_all(t, z, p, nodes, NULL);
    for (size_t i = 0; i < t->n && !status; i++) {
        node *b = &nodes[i];
        double omega[3], own[3];
        for (int a = 0; a < 3; a++)
            omega[a] = -(ph_dot3(b->G + 3 * a, b->ydot) + b->y[a]);
        ph_apply_transposed3(z + 9 * i, omega, own);
        for (int r = 0; r < 3; r++) /* rows of R S(own) */
            ph_cross3(z + 9 * i + 3 * r, own, zdot + 9 * i + 3 * r);
        memcpy(b->y, omega, sizeof omega); /* for its children */
        if (i + 1 < t->n) {
            node *next = &nodes[i + 1];
            size_t q = t->parent[i + 1];
            if (q == PH_NO_INDEX)
                continue;
            ph_cross3(nodes[q].y, next->d, next->ydot);
            for (int a = 0; a < 3; a++)
                next->ydot[a] += nodes[q].ydot[a];
        }
    }
    return status;
}

ph_status ph_articulated_regular(const ph_articulated *t, const double *z, double *work, double *condition)
{
    *condition = 0;
    ph_status status = eliminate_all(t, z, NULL, (node *)(void *)work, condition);
    if (status == PH_E_SINGULAR)
        *condition = INFINITY;
    return status;
}
