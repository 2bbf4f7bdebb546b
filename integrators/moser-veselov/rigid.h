/* SPDX-License-Identifier: BSD-3-Clause */
/* One rigid body in a step of moser-veselov.c: what it carries, the equation of its turn with Newton's
 * iteration from a guess, and the motion that follows from the turn. The equations stand in moser-veselov.c.
 * All of it is inline, as a step of a body takes only a few hundred instructions. */
#ifndef PH_INTEGRATORS_MOSER_VESELOV_RIGID_H
#define PH_INTEGRATORS_MOSER_VESELOV_RIGID_H

#include "moser-veselov.h"

#include <polhode/algebra.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { HISTORY = 5, MAX_PASSES = 8 };

/* A root that Newton's iteration finds from a guess is accepted for |u|^2 up to largest_u2, turns below 1
 * rad, if its corrections are small and contract fast. Else the branch of solutions is followed from h =
 * 0. */
static const double largest_u2 = 0.3, correction_wanted = 0.02, contraction_wanted = 0.05;
/* After a correction up to this size the inverse Jacobian of the iteration before is used again. */
static const double same_jacobian = 1e-5;
/* The error that the last correction may leave in u, relative to u. */
static const double left_over = 1e-18;
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
    ph_moser_veselov_series series;
    double axes[9]; /* its columns are the principal axes */
} rigid;

/* ---- The turn in a step -------------------------------------------------------------------------- */

/* A <- |q|^2 times the rotation matrix of q. */
static inline void rigid_matrix(const double q[4], double A[9])
{
    double xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3], ww = q[0] * q[0];
    double xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
    double wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
    A[0] = (ww + xx) - (yy + zz);
    A[4] = (ww + yy) - (xx + zz);
    A[8] = (ww + zz) - (xx + yy);
    A[1] = 2 * (xy - wz);
    A[3] = 2 * (xy + wz);
    A[2] = 2 * (xz + wy);
    A[6] = 2 * (xz - wy);
    A[5] = 2 * (yz - wx);
    A[7] = 2 * (yz + wx);
}

/* q <- the unit quaternion of the rotation R. First comes q times 4 times its largest entry, so that no sum
 * cancels but those of small entries; then it is normalised. */
static inline void rigid_quaternion(const double R[9], double q[4])
{
    double trace = R[0] + R[4] + R[8], size = 0;
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = R[4 * k] > R[4 * i] ? k : i;
    if (trace > R[4 * i]) {
        q[0] = 1 + trace;
        q[1] = R[7] - R[5];
        q[2] = R[2] - R[6];
        q[3] = R[3] - R[1];
    } else {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = R[3 * k + j] - R[3 * j + k];
        q[1 + i] = 1 + 2 * R[4 * i] - trace;
        q[1 + j] = R[3 * i + j] + R[3 * j + i];
        q[1 + k] = R[3 * i + k] + R[3 * k + i];
    }
    for (int k = 0; k < 4; k++)
        size += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(size);
}

/* w <- 1 / It_i = A / I_i + B; false where one differs from 1 / I_i by more than half of that: h is too large
 * for the series then, which gives a wrong motion. */
static inline bool rigid_find_inertia(const ph_moser_veselov_series *series, int degree, double h, double H,
                                      double C, double w[3])
{
    double A, B;
    ph_moser_veselov_inertia(series, degree, h * h * H, h * h * C, &A, &B);
    bool near = true;
    for (int i = 0; i < 3; i++) {
        w[i] = A * series->inverse[i] + B;
        near = near && fabs(w[i] - series->inverse[i]) <= 0.5 * series->inverse[i];
    }
    return near;
}

/* r <- u - w (b + b x u + (b.u) u), with each component multiplied by its own w_i. */
static inline void rigid_residual(const double w[3], const double b[3], const double u[3], double r[3])
{
    double along = ph_dot3(b, u);
    r[0] = u[0] - w[0] * (b[0] + ((b[1] * u[2] - b[2] * u[1]) + along * u[0]));
    r[1] = u[1] - w[1] * (b[1] + ((b[2] * u[0] - b[0] * u[2]) + along * u[1]));
    r[2] = u[2] - w[2] * (b[2] + ((b[0] * u[1] - b[1] * u[0]) + along * u[2]));
}

static inline void rigid_jacobian(const double w[3], const double b[3], const double u[3], double J[9])
{
    double along = ph_dot3(b, u);
    J[0] = 1 - w[0] * (along + b[0] * u[0]);
    J[1] = -w[0] * (b[1] * u[0] - b[2]);
    J[2] = -w[0] * (b[2] * u[0] + b[1]);
    J[3] = -w[1] * (b[0] * u[1] + b[2]);
    J[4] = 1 - w[1] * (along + b[1] * u[1]);
    J[5] = -w[1] * (b[2] * u[1] - b[0]);
    J[6] = -w[2] * (b[0] * u[2] - b[1]);
    J[7] = -w[2] * (b[1] * u[2] + b[0]);
    J[8] = 1 - w[2] * (along + b[2] * u[2]);
}

/* N <- J^{-1}; returns det J. */
static inline double rigid_invert(const double J[9], double N[9])
{
    double c0[3], c1[3], c2[3];
    ph_cross3(J + 3, J + 6, c0);
    ph_cross3(J + 6, J, c1);
    ph_cross3(J, J + 3, c2);
    double det = ph_dot3(J, c0), over = 1 / det;
    for (int i = 0; i < 3; i++) {
        N[3 * i] = c0[i] * over;
        N[3 * i + 1] = c1[i] * over;
        N[3 * i + 2] = c2[i] * over;
    }
    return det;
}

/* u <- the root, by Newton's iteration from the guess in u; false where it is not certain that the root is on
 * the branch from h = 0. The error after a correction is about |u| times its size times the sum of the
 * corrections since the Jacobian was made. */
static inline bool rigid_solve(const double w[3], const double b[3], double u[3], int64_t *passes)
{
    double N[9], last = INFINITY, since = 0, first = 0;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double r[3], d[3], J[9], size = 0, change = 0;
        rigid_residual(w, b, u, r);
        if (last > same_jacobian) {
            rigid_jacobian(w, b, u, J);
            if (!(rigid_invert(J, N) > 0))
                return false;
            since = 0;
        }
        ph_apply3(N, r, d);
        for (int i = 0; i < 3; i++) {
            u[i] -= d[i];
            size += fabs(u[i]);
            change += fabs(d[i]);
        }
        ++*passes;
        since += change;
        first = pass ? first : change;
        if (!(change <= (pass ? contraction_wanted * first + 1e-14 : correction_wanted)))
            return false;
        if (since * change <= left_over || change <= 2 * DBL_EPSILON * size)
            return ph_dot3(u, u) <= largest_u2;
        last = change;
    }
    return false;
}

/* ---- The free motion ------------------------------------------------------------------------------ */

/* sum <- a + low + more, and its low-order part (Knuth). */
static inline double rigid_add_low(double a, double low, double more, double *low1)
{
    double rest = low + more, sum = a + rest, added = sum - a;
    *low1 = (a - (sum - added)) + (rest - added);
    return sum;
}

/* q1 <- q (1, u) / sqrt(1 + |u|^2), corrected to length 1 to first order, and turned by the small angles 2
 * aside. It is computed as q plus an increment, for the low-order part. */
static inline void rigid_turn(const double q[4], const double low[4], const double u[3],
                              const double aside[3], double q1[4], double low1[4])
{
    double x = ph_dot3(u, u), root = sqrt(1 + x), over = 1 / (root * (1 + root)), v[3];
    double lacks = ((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])) - 1;
    double e = -x * over - 0.5 * lacks, along = (1 + root) * over - 0.5 * lacks;
    for (int i = 0; i < 3; i++)
        v[i] = along * u[i] + aside[i];
    const double d[4] = {e * q[0] - ((q[1] * v[0] + q[2] * v[1]) + q[3] * v[2]),
                         e * q[1] + ((q[0] * v[0] + q[2] * v[2]) - q[3] * v[1]),
                         e * q[2] + ((q[0] * v[1] + q[3] * v[0]) - q[1] * v[2]),
                         e * q[3] + ((q[0] * v[2] + q[1] * v[1]) - q[2] * v[0])};
    for (int i = 0; i < 4; i++)
        q1[i] = rigid_add_low(q[i], low[i], d[i], &low1[i]);
}

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

/* y1 <- y0 + (F^T - I) y */
static inline void rigid_turn_momentum(const double y0[3], const double y[3], const double u[3], double y1[3])
{
    double once[3], twice[3], factor = 2 / (1 + ph_dot3(u, u));
    ph_cross3(y, u, once);
    ph_cross3(once, u, twice);
    for (int i = 0; i < 3; i++)
        y1[i] = y0[i] + factor * (once[i] + twice[i]);
}

/* u <- the guess: the last increments extrapolated by a polynomial. */
static inline void rigid_guess(const rigid_motion *m, double u[3])
{
    static const double weight[HISTORY + 1][HISTORY] = {
        {0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}, {5, -10, 10, -5, 1}};
    const double *w = weight[(int)m->count];
    for (int i = 0; i < 3; i++)
        u[i] = w[0] * m->u[0][i] +
               (w[1] * m->u[1][i] + (w[2] * m->u[2][i] + (w[3] * m->u[3][i] + w[4] * m->u[4][i])));
}

/* S1 <- S + (h/2) moment, with its low-order part. */
static inline void rigid_kick(const double S[3], const double low[3], const double moment[3], double h,
                              double S1[3], double low1[3])
{
    for (int k = 0; k < 3; k++)
        S1[k] = rigid_add_low(S[k], low[k], 0.5 * h * moment[k], &low1[k]);
}

/* R (body to space) <- that of the principal axes */
static inline void rigid_orientation(const rigid *r, const double q[4], double R[9])
{
    double A[9];
    rigid_matrix(q, A);
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
