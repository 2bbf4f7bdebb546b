/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations, most of them inline: matrices R of 9 numbers, row after row, and rotation vectors w,
 * R = exp(S(w)), |w| the angle in rad. Coefficients have a series where their closed form cancels, as on the
 * sphere. Outputs do not overlap inputs. */
#ifndef POLHODE_ROTATION_H
#define POLHODE_ROTATION_H

#include <polhode/kit/elementary.h>
#include <polhode/kit/sphere.h>

PH_BEGIN_DECLS

/** Coefficients of exp and its derivative on the rotations, as functions of t2 = |w|^2 [rad^2]: a and b as on
 * the sphere, and d = (1 - a) / t^2 = (t - sin t) / t^3, by its series below t2 = 4. */
static inline void ph_rotation_coefficients(double t2, double *a, double *b, double *d)
{
    double c;
    ph_sphere_coefficients(t2, a, b, &c);
    /* clang-format off */
    if (t2 < 4.0)
        *d = 1. / 6 + t2 * (-1. / 120 + t2 * (1. / 5040 + t2 * (-1. / 362880 + t2 * (1. / 39916800
             + t2 * (-1. / 6227020800. + t2 * (1. / 1307674368000. + t2 * (-1. / 355687428096000.
             + t2 * (1. / 121645100408832e3 + t2 * (-1. / 5109094217170944e4
             + t2 * (1. / 2585201673888497664e4 - t2 / 15511210043330985984e6))))))))));
    else
        *d = (1 - *a) / t2;
    /* clang-format on */
}

/** X <- exp(S(w)) - I = a S(w) + b S(w)^2, small where w is (Rodrigues). */
static inline void ph_exp_increment3(const double w[3], double X[9])
{
    double a, b, c, square[3] = {w[0] * w[0], w[1] * w[1], w[2] * w[2]};
    ph_sphere_coefficients(ph_dot3(w, w), &a, &b, &c);
    ph_hat3(w, X);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            X[3 * i + j] = a * X[3 * i + j] + b * (w[i] * w[j]);
    X[0] = -b * (square[1] + square[2]);
    X[4] = -b * (square[0] + square[2]);
    X[8] = -b * (square[0] + square[1]);
}

/** R <- exp(S(w)): the rotation about w by |w| [rad]. */
static inline void ph_exp3(const double w[3], double R[9])
{
    ph_exp_increment3(w, R);
    R[0] += 1;
    R[4] += 1;
    R[8] += 1;
}

/** v <- T(w) u with d/ds exp(S(w + s u)) = exp(S(w)) S(T(w) u) at s = 0: the angular velocity in the body
 * frame, T(w) u = u - b w x u + d w x (w x u). */
static inline void ph_dexp3(const double w[3], const double u[3], double v[3])
{
    double a, b, d, once[3], twice[3];
    ph_rotation_coefficients(ph_dot3(w, w), &a, &b, &d);
    ph_cross3(w, u, once);
    ph_cross3(w, once, twice);
    for (int i = 0; i < 3; i++)
        v[i] = u[i] + (d * twice[i] - b * once[i]);
}

/** w <- the shortest vector with exp(S(w)) = I + X. false, and w = 0, where |w| is pi within rounding: the
 * sign of w is then undefined. With the unit quaternion (cos t/2, n sin t/2) of the rotation, u is 4 times
 * its largest entry times all of it, from sums of entries of X in which nothing cancels but what is small;
 * t = 2 atan(|u_v| / u_0). Relative accuracy at small X, absolute accuracy up to pi, of length and
 * direction. */
static inline bool ph_log_increment3(const double X[9], double w[3])
{
    double trace = X[0] + X[4] + X[8], u[4] = {4 + trace, 0, 0, 0}, n, ratio;
    int largest = 0;
    for (int i = 0; i < 3; i++)
        if (2 * X[4 * i] - trace > u[0]) {
            u[0] = 2 * X[4 * i] - trace;
            largest = i + 1;
        }
    if (!largest) {
        u[1] = X[7] - X[5];
        u[2] = X[2] - X[6];
        u[3] = X[3] - X[1];
    } else {
        int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        u[1 + i] = (X[4 * i] - X[4 * j]) - X[4 * k];
        u[1 + j] = X[3 * i + j] + X[3 * j + i];
        u[1 + k] = X[3 * i + k] + X[3 * k + i];
        u[0] = X[3 * k + j] - X[3 * j + k];
        if (fabs(u[0]) <= 4e-15) { /* all of it is rounding */
            w[0] = w[1] = w[2] = 0;
            return false;
        }
    }
    n = ph_norm3(u + 1);
    ratio = n > 0 ? 2 * ph_atan2(n, fabs(u[0])) / n : 2 / u[0];
    for (int i = 0; i < 3; i++)
        w[i] = (u[0] < 0 ? -ratio : ratio) * u[1 + i];
    return true;
}

/** w <- the shortest vector with exp(S(w)) = R, a rotation; false as above. */
static inline bool ph_log3(const double R[9], double w[3])
{
    double X[9];
    for (int i = 0; i < 9; i++)
        X[i] = R[i] - (i % 4 ? 0 : 1);
    return ph_log_increment3(X, w);
}

/** R <- (I + S(u)) (I - S(u))^{-1} = I + 2 (S(u) + S(u)^2) / (1 + |u|^2), the Cayley map: the rotation
 * about u by 2 atan|u|. */
static inline void ph_cayley3(const double u[3], double R[9])
{
    double f = 2 / (1 + ph_dot3(u, u)), square[3] = {u[0] * u[0], u[1] * u[1], u[2] * u[2]};
    ph_hat3(u, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = f * (R[3 * i + j] + u[i] * u[j]);
    R[0] = 1 - f * (square[1] + square[2]);
    R[4] = 1 - f * (square[0] + square[2]);
    R[8] = 1 - f * (square[0] + square[1]);
}

/** C <- R^T R - I of R + low, as if it were formed with twice the digits: products of the upper halves of R,
 * and their sums, are exact (ph_upper_half). low may be that of a sum, or 0. */
static inline void ph_rotation_residual_sum3(const double R[9], const double low[9], double C[9])
{
    double upper[9], rest[9];
    for (int k = 0; k < 9; k++) {
        upper[k] = ph_upper_half(R[k]);
        rest[k] = (R[k] - upper[k]) + low[k];
    }
    for (int i = 0; i < 3; i++) {
        double exact = -1, more = 0;
        for (int k = i; k < 9; k += 3) {
            exact += upper[k] * upper[k];
            more += rest[k] * (upper[k] + R[k]);
        }
        C[4 * i] = exact + more;
        for (int j = 0; j < i; j++) {
            exact = more = 0;
            for (int k = 0; k < 9; k += 3) {
                exact += upper[k + i] * upper[k + j];
                more += upper[k + i] * rest[k + j] + rest[k + i] * R[k + j];
            }
            C[3 * i + j] = C[3 * j + i] = exact + more;
        }
    }
}

/** The same of R alone. */
static inline void ph_rotation_residual3(const double R[9], double C[9])
{
    const double none[9] = {0};
    ph_rotation_residual_sum3(R, none, C);
}

/** Bring R back to the rotations from within rounding of them, without bias: R <- R - (1/2) R (R^T R - I). */
static inline void ph_rotation_correct3(double R[9])
{
    double C[9], half[9];
    ph_rotation_residual3(R, C);
    ph_multiply3(R, C, half);
    for (int i = 0; i < 9; i++)
        R[i] -= 0.5 * half[i];
}

/** The same for R + low, whose low-order part is at most half a last place of R: what is
 * corrected stays in low. */
static inline void ph_rotation_correct_sum3(double R[9], double low[9])
{
    double C[9], half[9];
    ph_rotation_residual_sum3(R, low, C);
    ph_multiply3(R, C, half);
    for (int i = 0; i < 9; i++)
        ph_two_sum(R[i], low[i] - 0.5 * half[i], &R[i], &low[i]);
}

/** J = axes diag(moments) axes^T, for symmetric J: axes is a rotation, whose columns are the principal axes,
 * in the order in which they are nearest to the coordinate axes; those of a diagonal J are exact. */
PH_API void ph_principal_axes(const double J[9], double axes[9], double moments[3]);

/** f <- f + (1/2) R S(m): the generalized force on the rotation R (row after row) of a moment m [N m] in the
 * body frame, whose virtual work for delta R = R S(eta) is m.eta. */
static inline void ph_add_moment3(const double R[9], const double m[3], double f[9])
{
    for (int i = 0; i < 3; i++) { /* a row v of R: v^T S(m) = v x m */
        double turn[3];
        ph_cross3(R + 3 * i, m, turn);
        for (int j = 0; j < 3; j++)
            f[3 * i + j] += 0.5 * turn[j];
    }
}

PH_END_DECLS
#endif
