/* SPDX-License-Identifier: BSD-3-Clause */
/* One rigid body in a step of moser-veselov.c: what it carries, the guess of its turn, and how its energy is kept.
 * All of it is inline, as a step of a body takes only a few hundred instructions; the map is in
 * integrators/shared/rotor.h. */
#ifndef PH_INTEGRATORS_MOSER_VESELOV_RIGID_H
#define PH_INTEGRATORS_MOSER_VESELOV_RIGID_H

#include "integrators/shared/rotor.h"
#include "moser-veselov.h"

#include <polhode/kit/algebra.h>

#include <math.h>

enum { HISTORY = 5 };

/* The largest part of the error of the energy (which is rounding) that a step corrects. */
static const double return_rate = 1. / 16;

/* The carry of a body; all zeros: not set. */
typedef struct rigid_motion {
    double q[4], low[4]; /* orientation of the principal axes, and its low-order part */
    double S[3], S_low[3],
        moment[3];           /* in space: R Pi, its low-order part; the moment at the current place */
    double H, C;             /* when it was set, in units of the body */
    double h;                /* step size of the increments and of w */
    double count;            /* increments there are, at most HISTORY */
    double w[3], y[3], pull; /* of a free body: 1 / It; y; by which its energy is kept */
    double u[HISTORY][3];    /* increments, the latest first */
} rigid_motion;

/* The same after a step. */
typedef struct rigid_leap {
    double q[4], low[4], S[3], S_low[3], y[3], u[3];
} rigid_leap;

typedef struct rigid {
    ph_rotor_series series;
    double axes[9]; /* its columns are the principal axes */
} rigid;

/* ---- The free motion ------------------------------------------------------------------------------ */

/* aside <- the turn that brings the energy of a free body with momentum y back towards H: a turn by a changes
 * it by a.(w x y), w the angular velocity. Only rounding changes the energy, as a random walk, and for some
 * bodies with a drift. */
static inline void rigid_turn_back(const rigid *r, const rigid_motion *m, const double y[3], double aside[3])
{
    double own[3], w[3], H = 0;
    for (int i = 0; i < 3; i++) {
        own[i] = r->series.unit * y[i];
        w[i] = r->series.inverse[i] * own[i];
        H += 0.5 * own[i] * w[i];
    }
    ph_cross3(w, own, aside);
    for (int i = 0; i < 3; i++)
        aside[i] *= m->pull * (m->H - H);
}

/* By how many increments there are. */
static const double rigid_weight[HISTORY + 1][HISTORY] = {
    {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};

/* u <- the guess: the last increments extrapolated by a polynomial. */
static inline void rigid_guess(const rigid_motion *m, double u[3])
{
    const double *w = rigid_weight[(int)m->count];
    for (int i = 0; i < 3; i++)
        u[i] = w[0] * m->u[0][i] +
               (w[1] * m->u[1][i] + (w[2] * m->u[2][i] + (w[3] * m->u[3][i] + w[4] * m->u[4][i])));
}

/* S1 <- S + (h/2) moment, with its low-order part. */
static inline void rigid_kick(const double S[3], const double low[3], const double moment[3], double h,
                              double S1[3], double low1[3])
{
    for (int k = 0; k < 3; k++)
        S1[k] = ph_rotor_add_low(S[k], low[k], 0.5 * h * moment[k], &low1[k]);
}

/* R (body to space) <- that of the principal axes */
static inline void rigid_orientation(const rigid *r, const double q[4], double R[9])
{
    double A[9];
    ph_rotor_matrix(q, A);
    for (int i = 0; i < 3; i++) /* A axes^T */
        ph_apply3(r->axes, A + 3 * i, R + 3 * i);
}

/* The factor of rigid_turn_back with which a step corrects at most return_rate of the error: the correction
 * is proportional to |w x y|^2 <= |w|^2 |y|^2. */
static inline double rigid_pull(const rigid *r, double H, double C)
{
    double most = 4 * H * C * fmax(r->series.inverse[0], fmax(r->series.inverse[1], r->series.inverse[2]));
    return most > 0 ? 0.5 * return_rate / most : 0;
}

#endif
