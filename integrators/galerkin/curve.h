/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a step of `galerkin` in time H, tau in [-1/2, 1/2] counted in steps from its middle. On every
 * factor they are polynomials in the exponential chart around the middle of the geodesic between the ends,
 *
 *     z(tau) = exp_{z_1/2}(xi(tau)),
 *     xi(tau) = sum_k phi_k(tau) y_k,     xi(-1/2) = -a,  xi(1/2) = a = y_0,
 *     phi_0 = 2 tau,     phi_k = integral of P_k(2 tau) from -1/2, which is 0 at both ends,
 *
 * P_k Legendre's polynomials, and L_d = H sum_i b_i L(z(tau_i), zdot(tau_i)) over Gauss' points is stationary
 * for given ends. The chart moves with the ends when both are turned, and where they change places a becomes
 * -a: L_d has the symmetries of L, and the step is symmetric.
 *
 * On SO(3), in the frame of the body, Pi = dL/domega and M = dL/d(turn) at a fixed omega = T(xi) xidot
 * (ph_dexp3),
 *     dL_d/dy_k = sum_i b_i { phi_k' T^T Pi + H phi_k (T^T M + (domega/dxi)^T Pi) }
 * at a middle that stays, which has to be 0 for k > 0; for k = 0, where the ends and with them the middle
 * move,
 *     dL_d/dy_0 = 2 T(2 a) p + T(a) H sum_i b_i exp(xi_i) M_i,     p the momentum at the start.
 * On S^2 the last is the same for the rotations perpendicular to e_3 of a frame (e_1, e_2, q), exp(xi_i) M_i
 * the moment q x L_q + qdot x L_qdot as seen from the middle; on S^1 and R^d T = 1. */
#ifndef PH_INTEGRATORS_GALERKIN_CURVE_H
#define PH_INTEGRATORS_GALERKIN_CURVE_H

#include "integrators/shared/increments.h"

enum { PH_GAUSS_MOST = 4 };

/* Gauss' rule on [-1/2, 1/2] with the functions of the curves there. */
typedef struct ph_gauss {
    size_t points;
    double node[PH_GAUSS_MOST], weight[PH_GAUSS_MOST];
    double phi[PH_GAUSS_MOST][PH_GAUSS_MOST], slope[PH_GAUSS_MOST][PH_GAUSS_MOST]; /* [k][i] */
} ph_gauss;

/* S^2 or SO(3) at one point. */
typedef struct ph_turn_point {
    double xi[3], u[3]; /* xi, xidot: rotation vectors on SO(3), tangent coordinates on S^2 */
    double psi[6];      /* psi_k = sum_j (-x)^j / (2j + k)!, x = |xi|^2 */
    double omega[3], R[9];
    double q[3], qdot[3]; /* S^2: as seen from the middle */
} ph_turn_point;
typedef struct ph_turn {
    /* frames at the start and in the middle, and the rotation between them */
    double base[9], middle[9], a[3];
    ph_turn_point point[PH_GAUSS_MOST];
} ph_turn;

/* One step; every array belongs to the caller. Unknowns y (points x nx) are the y_k per share of the step, in
 * tangent coordinates of E. */
typedef struct ph_curve {
    const ph_space *space;
    const ph_part *parts;
    const ph_gauss *gauss;
    size_t n, nz, np, nx;
    double s, h, H;           /* H = s h: the time that the step takes */
    const double *z, *E, *pE; /* (nz) where it begins, the basis there, (nx) p.E */
    ph_turn *turns;           /* (n) */
    /* (nz) z(tau_i), zdot(tau_i) */
    double *at[PH_GAUSS_MOST], *speed[PH_GAUSS_MOST];
    /* (nz) dL/dz, with forces, and dL/dzdot there, for the caller to fill in */
    double *Lz[PH_GAUSS_MOST], *Lv[PH_GAUSS_MOST];
} ph_curve;

/* points: 2, 3 or 4 */
void ph_gauss_fill(ph_gauss *g, size_t points);

/* Everything but Lz and Lv for unknowns y and the share s of the step; s = 0 is the limit, where all points
 * are z. */
void ph_curve_place(ph_curve *c, double s, const double *y);
/* z (nz), E (like E) <- the middle of the latest place and the basis of its chart. */
void ph_curve_middle(const ph_curve *c, const double *y, double *z, double *E);
/* r (points x nx) <- dL_d/dy_k less what it has to be; scale: magnitudes of the terms, the most over a
 * factor */
void ph_curve_residual(const ph_curve *c, double *r, double *scale);
/* dS (np) <- the increment of the momentum in the frame of the surroundings, H sum_i b_i (z_i x L_z + v_i x
 * L_v). */
void ph_curve_turn(const ph_curve *c, double *dS);
/* y of the whole step (s = 1) <- for angular velocities w (points x np, ph_space_spin) that the points should
 * have. */
void ph_curve_fit(ph_curve *c, const double *w, double *y);

#endif
