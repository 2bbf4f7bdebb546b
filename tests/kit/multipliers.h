/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations of constrained Lagrangian systems by multipliers, in the space that the configurations are
 * embedded in, by Lagrange-d'Alembert's principle: an oracle that uses nothing of the manifold but the
 * equations that define it:
 *     d/dt L_v - L_x - f = A^T l + B^T n,      g(x) = 0, A = g_x,      B(x) v = b(x),
 * with the constraints differentiated once more in time and solved together (KKT).
 *
 * Functions are complex, so that a derivative is one evaluation and exact: Im F(x + i s u) / s with s = 1e-30
 * (complex step). They must be analytic: csin, cexp, csqrt, sums and products, and no cabs, conj or creal.
 * What they call the gradient and the Jacobian are closed forms; second derivatives follow from them.
 * Matrices are row-major. */
#ifndef POLHODE_TESTS_MULTIPLIERS_H
#define POLHODE_TESTS_MULTIPLIERS_H

#include "complexes.h"
#undef I /* other code uses this name; CMPLX is enough here */

#include "testkit.h"

typedef double complex mult_number;

/* Coordinates at most; constraints of both kinds together at most. */
enum { MULT_N = 15, MULT_M = 12 };

typedef struct mult_system {
    size_t n; /* coordinates of the embedding space */
    size_t m; /* constraints g(x) = 0; may be 0 */
    size_t k; /* constraints B(x) v = b(x); may be 0 */
    const void *self;

    mult_number (*lagrangian)(const void *self, const mult_number *x, const mult_number *v);
    /* Lx, Lv (n) <- the derivatives of L */
    void (*gradient)(const void *self, const mult_number *x, const mult_number *v, mult_number *Lx,
                     mult_number *Lv);
    void (*constraints)(const void *self, const mult_number *x, mult_number *g); /* g (m); where m > 0 */
    void (*jacobian)(const void *self, const mult_number *x, mult_number *A);    /* A (m x n) */
    /* B (k x n), b (k); where k > 0 */
    void (*velocities)(const void *self, const mult_number *x, mult_number *B, mult_number *b);
    /* f (n) <- the generalized force; NULL if there is none */
    void (*force)(const void *self, double t, const double *x, const double *v, double *f);
} mult_system;

/* ---- Accelerations ------------------------------------------------------------------------------------ */

/* a (n) <- the acceleration at (t, x, v), which must satisfy the constraints. */
void mult_acceleration(const mult_system *s, double t, const double *x, const double *v, double *a);

/* E (n) <- d/dt L_v - L_x with the acceleration a (no force in it). */
void mult_euler_lagrange(const mult_system *s, const double *x, const double *v, const double *a, double *E);

/* Lvv (n x n) <- the second derivative of L in v. */
void mult_mass(const mult_system *s, const double *x, const double *v, double *Lvv);

/* f (n) <- the force, zero where there is none. */
void mult_force(const mult_system *s, double t, const double *x, const double *v, double *f);

/* x, v <- the nearest point with g = 0 by Newton's iteration, then the nearest velocity that all constraints
 * allow. */
void mult_admit(const mult_system *s, double *x, double *v);

/* P (n x n) <- I - A^T (A A^T)^{-1} A at x: orthogonal projection to the tangent space of g = 0. */
void mult_projection(const mult_system *s, const mult_number *x, mult_number *P);

/* ---- Derivatives and algebra -------------------------------------------------------------------------- */

typedef void (*mult_map)(const void *self, const mult_number *z, mult_number *out);

/* out (m) <- the derivative of F: C^n -> C^m at z along dz. */
void mult_derivative(mult_map F, const void *self, size_t n, size_t m, const double *z, const double *dz,
                     double *out);

/* out (n) <- the gradient of F: C^n -> C at z. */
void mult_gradient(mult_map F, const void *self, size_t n, const double *z, double *out);

/* z (2n) <- (x, v): for functions of both. */
void mult_pair(size_t n, const double *x, const double *v, double *z);

/* B <- A^{-1} B by LAPACK. A (n x n) is overwritten; B is n x columns. */
void mult_solve(size_t n, mult_number *A, size_t columns, mult_number *B);

void mult_complex(size_t n, const double *x, mult_number *out);
mult_number mult_dot(size_t n, const mult_number *a, const mult_number *b); /* a.b, no conjugate */
mult_number mult_along(size_t n, const double *a, const mult_number *b);    /* the same, a real */
void mult_cross(const mult_number *a, const mult_number *b, mult_number *c);
/* y (rows) <- A x, A (rows x columns) */
void mult_apply(size_t rows, size_t columns, const double *A, const double *x, double *y);

#endif
