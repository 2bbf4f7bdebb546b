/* SPDX-License-Identifier: BSD-3-Clause */
/* Random smooth Lagrangian systems on sets g(x) = 0, for multipliers.h, with closed forms of the functions
 * that the formulations need. Everything is dimensionless and of size 1.
 *     CS_GENERAL    L = |v|^2 + 1/2 (1 + sin(k.x)/2) |W v|^2 + (l.v)^4/40 + (b.v) cos(k.x) - U(x),   in R^n
 *     CS_AMBIENT    the same without (l.v)^4 and (b.v): L = 1/2 v.MM(x) v - U(x)
 *     CS_QUADRATIC  L = 1/2 sum m_ij(q) v_i.v_j - U(q), m_ij = c_ij + sin(k_ij.q)/4 positive, on (S^2)^n
 *     U(x) = exp(l.x/2) + sin(b.x) + x.S x/2
 *     f(t, x, v)_a = sum_b F_ab sin(x_b + t) + G_ab v_b
 * With k and the k_ij set to zero the inertia is constant. */
#ifndef POLHODE_TESTS_CONSTRAINED_H
#define POLHODE_TESTS_CONSTRAINED_H

#include "multipliers.h"

typedef enum cs_kind { CS_GENERAL, CS_QUADRATIC, CS_AMBIENT } cs_kind;

typedef enum cs_set {
    CS_CIRCLE,    /* S^1 in R^2 */
    CS_SPHERES,   /* (S^2)^n in R^3n, n up to CS_SPHERES_MOST; the others have one n */
    CS_SURFACE,   /* x^2/4 + y^2 + 2 z^2 + sin(xy)/3 = 1 in R^3: curved, no quadric */
    CS_CODIM2,    /* |x|^2 = 2, x1 x2 + x3^3 = x4 x5 in R^5 */
    CS_SUBSPACE,  /* A x = 0 with a random 2 x 5 matrix */
    CS_ROTATIONS, /* SO(3) in R^9: R^T R = I, six equations */
    CS_PRODUCT    /* R x S^1 x S^2 x SO(3) in R^15 */
} cs_set;

enum { CS_SPHERES_MOST = 4, CS_N = 15 };

typedef struct cs_system {
    cs_set set;
    cs_kind kind;
    size_t spheres, n;
    double W[CS_N * CS_N], k[CS_N], l[CS_N], b[CS_N], S[CS_N * CS_N];
    double c[CS_SPHERES_MOST][CS_SPHERES_MOST], kij[CS_SPHERES_MOST][CS_SPHERES_MOST][CS_N];
    double A[2 * 5];
    double F[CS_N * CS_N], G[CS_N * CS_N];
    bool forced;
} cs_system;

/* own <- random numbers; returns the system, whose self is own. spheres: the number of them (CS_SPHERES).
 * Forced; own->forced = false makes it conservative at any time. */
mult_system cs_random(cs_system *own, cs_set set, size_t spheres, cs_kind kind, tk_random *r);

/* x, v <- a random point on the set and a random velocity there, of size 1; on spheres each of 1 to 2. */
void cs_point(const mult_system *s, tk_random *r, double *x, double *v);

/* CS_QUADRATIC, n spheres: M (n x n) <- m_ij(q); dM (n x n x 3n) <- its gradients. */
void cs_inertia(const cs_system *s, const mult_number *q, mult_number *M);
void cs_inertia_gradient(const cs_system *s, const mult_number *q, mult_number *dM);
/* CS_AMBIENT: MM (n x n), dMM (n x n x n) likewise. */
void cs_ambient_inertia(const cs_system *s, const mult_number *x, mult_number *MM);
void cs_ambient_inertia_gradient(const cs_system *s, const mult_number *x, mult_number *dMM);
/* U and dU (n) <- dU/dx */
mult_number cs_potential(const cs_system *s, const mult_number *x);
void cs_potential_gradient(const cs_system *s, const mult_number *x, mult_number *dU);

/* out (n) <- uniform in (-most, most) */
void cs_numbers(tk_random *r, double most, size_t n, double *out);

/* R^T R = I for a rotation R (row after row): g (6), and its derivative in rows of this many numbers, of
 * which only those of R are set. For user-defined systems with a rotation among other coordinates. */
void cs_rotation_constraints(const mult_number *R, mult_number *g);
void cs_rotation_jacobian(const mult_number *R, size_t row, mult_number *A);

#endif
