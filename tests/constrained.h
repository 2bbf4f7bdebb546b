/* SPDX-License-Identifier: BSD-3-Clause */
/* Random smooth Lagrangian systems on sets g(x) = 0, for multipliers.h, with closed forms of what
 * formulations are written with. Everything is dimensionless and of size 1.
 *     LAG_GENERAL    L = |v|^2 + 1/2 (1 + sin(k.x)/2) |W v|^2 + (l.v)^4/40 + (b.v) cos(k.x) - U(x),   in R^n
 *     LAG_AMBIENT    the same without (l.v)^4 and (b.v): L = 1/2 v.MM(x) v - U(x)
 *     LAG_QUADRATIC  L = 1/2 sum m_ij(q) v_i.v_j - U(q), m_ij = c_ij + sin(k_ij.q)/4 positive, on (S^2)^n
 *     U(x) = exp(l.x/2) + sin(b.x) + x.S x/2
 *     f(t, x, v)_a = sum_b F_ab sin(x_b + t) + G_ab v_b
 * With k and the k_ij set to zero the inertia is constant. */
#ifndef POLHODE_TESTS_CONSTRAINED_H
#define POLHODE_TESTS_CONSTRAINED_H

#include "multipliers.h"

typedef enum lag_kind { LAG_GENERAL, LAG_QUADRATIC, LAG_AMBIENT } lag_kind;

typedef enum lag_set {
    LAG_CIRCLE,   /* S^1 in R^2 */
    LAG_SPHERES,  /* (S^2)^n in R^3n, n up to LAG_SPHERES_MOST; the others have one n */
    LAG_SURFACE,  /* x^2/4 + y^2 + 2 z^2 + sin(xy)/3 = 1 in R^3: curved, no quadric */
    LAG_CODIM2,   /* |x|^2 = 2, x1 x2 + x3^3 = x4 x5 in R^5 */
    LAG_SUBSPACE, /* A x = 0 with a random 2 x 5 matrix */
    LAG_ROTATIONS, /* SO(3) in R^9: R^T R = I, six equations */
    LAG_PRODUCT    /* R x S^1 x S^2 x SO(3) in R^15 */
} lag_set;

enum { LAG_SPHERES_MOST = 4, LAG_N = 15 };

typedef struct lag_system {
    lag_set set;
    lag_kind kind;
    size_t spheres, n;
    double W[LAG_N * LAG_N], k[LAG_N], l[LAG_N], b[LAG_N], S[LAG_N * LAG_N];
    double c[LAG_SPHERES_MOST][LAG_SPHERES_MOST], kij[LAG_SPHERES_MOST][LAG_SPHERES_MOST][LAG_N];
    double A[2 * 5];
    double F[LAG_N * LAG_N], G[LAG_N * LAG_N];
    bool forced;
} lag_system;

/* own <- random numbers; returns the system, whose self is own. spheres: the number of them (LAG_SPHERES).
 * Forced; own->forced = false makes it conservative at any time. */
mult_system lag_random(lag_system *own, lag_set set, size_t spheres, lag_kind kind, tk_random *r);

/* x, v <- a random point on the set and a random velocity there, of size 1. */
void lag_point(const mult_system *s, tk_random *r, double *x, double *v);

/* LAG_QUADRATIC, n spheres: M (n x n) <- m_ij(q); dM (n x n x 3n) <- its gradients. */
void lag_inertia(const lag_system *s, const mult_number *q, mult_number *M);
void lag_inertia_gradient(const lag_system *s, const mult_number *q, mult_number *dM);
/* LAG_AMBIENT: MM (n x n), dMM (n x n x n) likewise. */
void lag_ambient_inertia(const lag_system *s, const mult_number *x, mult_number *MM);
void lag_ambient_inertia_gradient(const lag_system *s, const mult_number *x, mult_number *dMM);
/* U and dU (n) <- dU/dx */
mult_number lag_potential(const lag_system *s, const mult_number *x);
void lag_potential_gradient(const lag_system *s, const mult_number *x, mult_number *dU);

#endif
