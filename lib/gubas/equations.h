/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of motion as GUBAS has them, in km, kg and s, its 30 numbers r, v, w_A, w_B (all in A), Cc (A
 * to N), C (B to A). */
#ifndef PH_GUBAS_EQUATIONS_H
#define PH_GUBAS_EQUATIONS_H

#include "moments.h"

enum {
    PH_GUBAS_R = 0,
    PH_GUBAS_V = 3,
    PH_GUBAS_WA = 6,
    PH_GUBAS_WB = 9,
    PH_GUBAS_CC = 12,
    PH_GUBAS_C = 21,
    PH_GUBAS_STATE = 30
};

typedef struct ph_gubas_equations {
    ph_gubas_case of;
    double G;            /* [km^3/(kg s^2)] */
    double m, nu;        /* reduced mass [kg]; M_B/M */
    ph_mass A, B;        /* [kg km^n]; B for rotations C */
    ph_gubas_moments TB; /* B for any C */
    double mass[2], J[2][3];
} ph_gubas_equations;

/* dx (30) <- the rate of x at time t. PH_E_DIVERGED. */
ph_status ph_gubas_rate(const ph_gubas_equations *e, double t, const double *x, double *dx, ph_error *err);

/* What the perturbations add (perturbations.c): acc (3) += acceleration of r; TA, TB (3) += torques, all in
 * A. */
void ph_gubas_perturb(const ph_gubas_equations *e, double t, const double *x, double *acc, double *TA,
                      double *TB);
/* state (6) <- place and velocity on such an orbit, axes N [km, km/s], by GUBAS's solution of Kepler's
 * equation. */
void ph_gubas_orbit_state(const ph_gubas_equations *e, const ph_gubas_orbit *orbit, double t, double *state);

static inline void ph_gubas_cross(const double a[3], const double b[3], double c[3])
{
    const double made[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    c[0] = made[0], c[1] = made[1], c[2] = made[2];
}

static inline double ph_gubas_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
