/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of doc/theory/errata.md share: verdicts on an equation as printed and as corrected, and points of
 * motions of random systems, with accelerations from multipliers and all that the papers' equations are
 * written in. */
#ifndef POLHODE_TESTS_ERRATA_H
#define POLHODE_TESTS_ERRATA_H

#include "tests/kit/constrained.h"

/* ---- Judgement ---------------------------------------------------------------------------------------- */

/* Residuals relative to the size of the terms: of the equation as printed, the smallest and the largest over
 * the systems tried, and as corrected, the largest. */
typedef struct er_verdict {
    double least, most, corrected;
} er_verdict;

extern const er_verdict er_none; /* before the first */

void er_add(er_verdict *v, double printed, double corrected);
/* Prints, and asserts that every residual as printed is above 0.01 and every one as corrected below 1e-12:
 * some hundred operations on terms of size 1, and what a matrix of condition 100 makes of their rounding. */
void er_pronounce(const char *what, const er_verdict *v);
void er_holds(const char *what, double residual); /* the second half alone */

/* ---- Vectors ------------------------------------------------------------------------------------------ */

double er_size(size_t n, const mult_number *z); /* largest real part */
double er_distance(size_t n, const mult_number *a, const mult_number *b);
void er_sum_up(size_t n, double factor, const mult_number *z, mult_number *out); /* out += factor z */
/* Three numbers a sphere: out_i <- S(a_i) b_i, out_i <- (I - q_i q_i^T) z_i (z may be out). */
void er_cross_each(size_t spheres, const mult_number *a, const mult_number *b, mult_number *out);
void er_project_each(size_t spheres, const mult_number *q, const mult_number *z, mult_number *out);
/* n x n matrices: y <- A x, T <- A^T */
void er_apply(size_t n, const mult_number *A, const mult_number *x, mult_number *y);
void er_transpose(size_t n, const mult_number *A, mult_number *T);

/* ---- A point of a motion ------------------------------------------------------------------------------ */

typedef struct er_motion {
    cs_system *own;
    mult_system s;
    size_t spheres, n;
    double x[CS_N], v[CS_N], a[CS_N], f[CS_N];
    /* the same as complex numbers, and w = q x v, wd = q x a on spheres */
    mult_number q[CS_N], qd[CS_N], qdd[CS_N], force[CS_N], w[CS_N], wd[CS_N];
    double scale; /* size of the terms of Lagrange's equations, and 1 */
} er_motion;

void er_move(er_motion *m, cs_system *own, cs_set set, size_t spheres, cs_kind kind, uint64_t seed);
/* The rest from s, spheres, n, x and v. */
void er_complete(er_motion *m);

/* out (count) <- d/dt F(q, qdot) along the motion */
void er_along_motion(const er_motion *m, mult_map F, const void *self, size_t count, mult_number *out);
void er_momentum(const er_motion *m, mult_number *Lx, mult_number *Lv);

/* A momentum, its rate along the motion, and the gradients of a Hamiltonian in q and in it. */
typedef struct er_phase {
    mult_number mu[CS_N], mud[CS_N], Hx[CS_N], Hm[CS_N];
} er_phase;

/* (x, v) -> mu = P(x) L_v, with self the mult_system */
void er_projected_momentum(const void *self, const mult_number *z, mult_number *out);
/* All but mud from H: (x, mu) -> C. */
void er_phase_of(const er_motion *m, mult_map H, const void *self, const mult_number *mu, er_phase *p);
/* mu = P L_v and H(x, mu) = mu.u - L(x, u) with u tangent, P L_v(x, u) = P mu, for any L. */
void er_legendre(const er_motion *m, er_phase *p);

#endif
