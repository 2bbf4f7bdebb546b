/* SPDX-License-Identifier: BSD-3-Clause */
/* Random bundles B x G, and the same as systems with velocity constraints on the product space, written from
 * the definition q = (x, h), hdot = h zeta, in ambient coordinates:
 *     K = 1.5 I + C C^T, C_ij = c_ij + sin(k_ij . x)/4;   V = sum_i u_i sin(d_i . x) + |x|^2/2
 *     w_ij = w0_ij + 0.6 sin(l_ij . x),  xi_i = a_i + 0.5 sin(m_i . x)
 *     force -(0.3 + 0.1 cos t) (v, zeta) */
#ifndef POLHODE_TESTS_REDUCTION_SETS_H
#define POLHODE_TESTS_REDUCTION_SETS_H

#include <polhode/bundle.h>
#include <polhode/constraints.h>

#include "tests/kit/testkit.h"

enum { ST_A = 9, ST_G = 3, ST_N = ST_A + ST_G, ST_H = 9, ST_Z = ST_A + ST_H };

typedef struct set {
    ph_group group;
    size_t na, g, N, nh, nz;
    bool affine, forced;
    double c[ST_N][ST_N], k[ST_N][ST_N][ST_A], u[2], d[2][ST_A];
    double w0[ST_G][ST_A], l[ST_G][ST_A][ST_A], a[ST_G], m[ST_G][ST_A];
    ph_space *base;
    ph_bundle *bundle;
    ph_system *system;
    /* Faults of the system alone: what is added that the group does not leave as it is. */
    double tilt_metric, tilt_potential, tilt_rows, tilt_affine, tilt_force;
} set;

/* Factors of the base (n), the group, with derivatives by callbacks or without. Free with st_free. */
set *st_create(const ph_factor *factors, size_t n, ph_group group, bool affine, bool forced, bool along,
               uint64_t seed);
/* The system once more, with the faults that have been set. */
void st_rebuild(set *s);
void st_free(set *s);

/* A start: x, v, h; and z, zdot on the constraint. */
void st_start(const set *s, tk_random *r, double *x, double *v, double *h, double *z, double *zdot);
/* zeta <- of zdot at h. */
void st_spin(const set *s, const double *h, const double *hdot, double *zeta);

#endif
