/* SPDX-License-Identifier: BSD-3-Clause */
/* A free rigid body that turns by the discrete Moser-Veselov map: in principal axes, with momentum y, it turns in a
 * time h by the quaternion
 *     (1, u) / sqrt(1 + |u|^2),
 *     u_i = w_i (b + b x u + (b.u) u)_i,      b = (h/2) y,      w_i = 1 / It_i,
 * where It are moments of inertia with which the map makes the motion of the body of moments I to order 2, 4, ... 10
 * (Hairer, Vilmart, J. Phys. A 39 (2006) 13225, theorem 1 and appendix),
 *     1 / It_i = A / I_i + B,
 *     A = 1 + h^2 s_3 + h^4 s_5 + h^6 s_7 + h^8 s_9,
 *     B =     h^2 d_3 + h^4 d_5 + h^6 d_7 + h^8 d_9,
 * s and d forms of degree 1 to 4 in the body's energy H and C = |y|^2 / 2 (rotor-series.c). The equation and the turn
 * are inline, as a step of a body takes only a few hundred instructions. Nothing is divided by a norm: what a unit
 * quaternion lacks is part of the next increment. */
#ifndef PH_INTEGRATORS_SHARED_ROTOR_H
#define PH_INTEGRATORS_SHARED_ROTOR_H

#include <polhode/kit/algebra.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Largest degree of the series, in h^2. */
enum { PH_ROTOR_DEGREE = 4 };

typedef struct ph_rotor_series {
    double unit;       /* moments and momenta are times this, a power of 2 */
    double inverse[3]; /* 1 / I_i */
    /* A and B: the coefficient of C^j H^i at [j][i]. */
    double A[PH_ROTOR_DEGREE + 1][PH_ROTOR_DEGREE + 1];
    double B[PH_ROTOR_DEGREE + 1][PH_ROTOR_DEGREE + 1];
} ph_rotor_series;

/* From a body with the principal moments I. */
void ph_rotor_begin(const double I[3], ph_rotor_series *series);
/* H, C <- of the momentum y in principal axes, in the units of the series. */
void ph_rotor_invariants(const ph_rotor_series *series, const double y[3], double *H, double *C);
/* A, B <- up to this degree, order 2 (degree + 1), for H and C times h^2. */
void ph_rotor_inertia(const ph_rotor_series *series, int degree, double H, double C, double *A, double *B);

/* ---- The turn in a step -------------------------------------------------------------------------- */

enum { PH_ROTOR_PASSES = 8 };
/* A root that Newton's iteration finds from a guess is accepted for |u|^2 up to ph_rotor_largest_u2, turns below 1
 * rad, if its corrections are small and contract fast. Else the branch of solutions is followed from h =
 * 0. */
static const double ph_rotor_largest_u2 = 0.3, ph_rotor_correction_wanted = 0.02,
                    ph_rotor_contraction_wanted = 0.05;
/* After a correction up to this size the inverse Jacobian of the iteration before is used again. */
static const double ph_rotor_same_jacobian = 1e-5;
/* The error that the last correction may leave in u, relative to u. */
static const double ph_rotor_left_over = 1e-18;

/* A <- |q|^2 times the rotation matrix of q. */
static inline void ph_rotor_matrix(const double q[4], double A[9])
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
static inline void ph_rotor_quaternion(const double R[9], double q[4])
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
static inline bool ph_rotor_find_inertia(const ph_rotor_series *series, int degree, double h, double H,
                                         double C, double w[3])
{
    double A, B;
    ph_rotor_inertia(series, degree, h * h * H, h * h * C, &A, &B);
    bool near = true;
    for (int i = 0; i < 3; i++) {
        w[i] = A * series->inverse[i] + B;
        near = near && fabs(w[i] - series->inverse[i]) <= 0.5 * series->inverse[i];
    }
    return near;
}

/* r <- u - w (b + b x u + (b.u) u), with each component multiplied by its own w_i. */
static inline void ph_rotor_residual(const double w[3], const double b[3], const double u[3], double r[3])
{
    double along = ph_dot3(b, u);
    r[0] = u[0] - w[0] * (b[0] + ((b[1] * u[2] - b[2] * u[1]) + along * u[0]));
    r[1] = u[1] - w[1] * (b[1] + ((b[2] * u[0] - b[0] * u[2]) + along * u[1]));
    r[2] = u[2] - w[2] * (b[2] + ((b[0] * u[1] - b[1] * u[0]) + along * u[2]));
}

static inline void ph_rotor_jacobian(const double w[3], const double b[3], const double u[3], double J[9])
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
static inline double ph_rotor_invert(const double J[9], double N[9])
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
static inline bool ph_rotor_solve(const double w[3], const double b[3], double u[3], int64_t *passes)
{
    double N[9], last = INFINITY, since = 0, first = 0;
    for (int pass = 0; pass < PH_ROTOR_PASSES; pass++) {
        double r[3], d[3], J[9], size = 0, change = 0;
        ph_rotor_residual(w, b, u, r);
        if (last > ph_rotor_same_jacobian) {
            ph_rotor_jacobian(w, b, u, J);
            if (!(ph_rotor_invert(J, N) > 0))
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
        if (!(change <= (pass ? ph_rotor_contraction_wanted * first + 1e-14 : ph_rotor_correction_wanted)))
            return false;
        if (since * change <= ph_rotor_left_over || change <= 2 * DBL_EPSILON * size)
            return ph_dot3(u, u) <= ph_rotor_largest_u2;
        last = change;
    }
    return false;
}

/* sum <- a + low + more, and its low-order part (Knuth). */
static inline double ph_rotor_add_low(double a, double low, double more, double *low1)
{
    double rest = low + more, sum = a + rest, added = sum - a;
    *low1 = (a - (sum - added)) + (rest - added);
    return sum;
}

/* q1 <- q (1, u) / sqrt(1 + |u|^2), corrected to length 1 to first order, and turned by the small angles 2
 * aside. It is computed as q plus an increment, for the low-order part. */
static inline void ph_rotor_turn(const double q[4], const double low[4], const double u[3],
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
        q1[i] = ph_rotor_add_low(q[i], low[i], d[i], &low1[i]);
}

/* y1 <- y0 + (F^T - I) y */
static inline void ph_rotor_turn_momentum(const double y0[3], const double y[3], const double u[3],
                                          double y1[3])
{
    double once[3], twice[3], factor = 2 / (1 + ph_dot3(u, u));
    ph_cross3(y, u, once);
    ph_cross3(once, u, twice);
    for (int i = 0; i < 3; i++)
        y1[i] = y0[i] + factor * (once[i] + twice[i]);
}

#endif
