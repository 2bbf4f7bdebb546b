/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems on R^3 x SO(3) that SO(3) moves from the left without changing them, with constraints that
 * are affine in the velocities: q = (x, R), v_q = (v, R S(zeta)), z = (v, zeta).
 *     metric      K(z, z) = z.(2 I + A A^T) z, A_ij = C_ij + sin(k_ij.x)/4
 *     potential   exp(u.x/2) + x1 x2
 *     constraint  zeta + w(x) v = xi(x), w_ij = W_ij + sin(l_ij.x), xi_i = s_i + sin(t_i.x)
 *     force       cos(u.x) G z, as a covector on the z
 * In the embedding space y = (x, R row after row) and u = (v, R'). */
#ifndef POLHODE_TESTS_BUNDLES_H
#define POLHODE_TESTS_BUNDLES_H

#include "errata.h"

enum { BU_BASE = 3, BU_FIBRE = 3, BU_Z = BU_BASE + BU_FIBRE, BU_N = BU_BASE + 9 };

typedef struct bu_bundle {
    double C[BU_Z][BU_Z], k[BU_Z][BU_Z][BU_BASE];
    double W[BU_FIBRE][BU_BASE], l[BU_FIBRE][BU_BASE][BU_BASE], s[BU_FIBRE], t[BU_FIBRE][BU_BASE], u[BU_BASE];
    double G[BU_Z][BU_Z];
    bool linear; /* xi = 0 */
} bu_bundle;

/* A point of a motion: configuration, velocity, acceleration; the size of the terms, and 1. */
typedef struct bu_travel {
    bu_bundle b;
    mult_system s;
    double y[BU_N], u[BU_N], a[BU_N];
    mult_number yc[BU_N], uc[BU_N];
    double scale;
} bu_travel;

/* With constraint and force, or with neither. */
void bu_set_out(bu_travel *m, bool constrained, bool linear, uint64_t seed);

/* ---- On the base; self is a bu_bundle ----------------------------------------------------------------- */

/* p <- K(x) z */
void bu_lower(const bu_bundle *b, const mult_number *x, const mult_number *z, mult_number *p);
mult_number bu_potential(const bu_bundle *b, const mult_number *x);
void bu_connection(const void *self, const mult_number *x, mult_number *w); /* 3 x 3 */
void bu_drift(const void *self, const mult_number *x, mult_number *xi);     /* 3 */
/* z <- (v, shift - w v); shift NULL for 0 */
void bu_constrained(const bu_bundle *b, const mult_number *x, const mult_number *v, const mult_number *shift,
                    mult_number *z);
/* F <- the force as a covector on the z */
void bu_push(const bu_bundle *b, const mult_number *x, const mult_number *z, mult_number *F);

/* ---- In the embedding space --------------------------------------------------------------------------- */

void bu_trivialised(const mult_number *y, const mult_number *u, mult_number *z);
/* out (9) <- factor R S(p) */
void bu_turned(double factor, const mult_number *R, const mult_number *p, mult_number *out);
/* out (12) <- the covector whose value on (v, R S(zeta)) is p.(v, zeta) */
void bu_covector(const mult_number *y, const mult_number *p, mult_number *out);
/* out (12) <- the infinitesimal generator [e]_Q = (0, S(e) R) */
void bu_generator(const mult_number *y, const mult_number *e, mult_number *out);
/* The Lagrangian as mult_system needs it. */
mult_number bu_lagrangian(const void *self, const mult_number *y, const mult_number *u);
void bu_gradient(const void *self, const mult_number *y, const mult_number *u, mult_number *Lx,
                 mult_number *Lv);
void bu_force(const void *self, double t, const double *y, const double *u, double *f);

#endif
