/* SPDX-License-Identifier: BSD-3-Clause */
/* Small algebra, inline: 3-vectors, the unit sphere, 3x3 matrices and rotations. No allocation, no branch on
 * the data that could cost digits: every coefficient has a series where its closed form cancels. Matrices are
 * 9 numbers, row after row; outputs do not overlap inputs.
 *
 * Sphere in chord form. A tangent vector u at q (q.u = 0) moves q to
 *     exp_q(u) = cos|u| q + (sin|u|/|u|) u,      u = f x q for the rotation vector f, |f| = |u|,
 * which is exp(S(f)) q for f.q = 0 (Lee, Leok, McClamroch, two-spheres, section II). */
#ifndef POLHODE_ALGEBRA_H
#define POLHODE_ALGEBRA_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <polhode/export.h>

PH_BEGIN_DECLS

/** a . b */
static inline double ph_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** c <- a x b; c may not overlap a or b. */
static inline void ph_cross3(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** |a| */
static inline double ph_norm3(const double a[3])
{
    return sqrt(ph_dot3(a, a));
}

/** Is every one of the n numbers finite? */
static inline bool ph_all_finite(const double *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] - v[i]; /* 0, or NaN for a number that is not finite */
    return sum == 0;
}

/** max |v_i|; a NaN does not count. */
static inline double ph_max_norm(const double *v, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    return largest;
}

/** Coefficients of exp and its derivative on the sphere, as functions of t2 = |u|^2 [rad^2]:
 *     a = sin t / t            b = (1 - cos t) / t^2        c = (cos t - a) / t^2
 * Series below t2 = 1 (the neglected term is below 2e-17 relative), closed forms above.
 * Accuracy: tests/laws/check_algebra.c measures each against long double. */
static inline void ph_sphere_coefficients(double t2, double *a, double *b, double *c)
{
    if (t2 < 1.0) {
        /* clang-format off */
        *a = 1 + t2 * (-1. / 6 + t2 * (1. / 120 + t2 * (-1. / 5040 + t2 * (1. / 362880
             + t2 * (-1. / 39916800 + t2 * (1. / 6227020800. + t2 * (-1. / 1307674368000.
             + t2 / 355687428096000.)))))));
        *b = 0.5 + t2 * (-1. / 24 + t2 * (1. / 720 + t2 * (-1. / 40320 + t2 * (1. / 3628800
             + t2 * (-1. / 479001600 + t2 * (1. / 87178291200. + t2 * (-1. / 20922789888000.
             + t2 / 6402373705728000.)))))));
        *c = -1. / 3 + t2 * (1. / 30 + t2 * (-1. / 840 + t2 * (1. / 45360 + t2 * (-1. / 3991680
             + t2 * (1. / 518918400 + t2 * (-1. / 93405312000. + t2 * (1. / 22230464256000.
             - t2 / 6758061133824000.)))))));
        /* clang-format on */
    } else {
        double t = sqrt(t2), half = sin(0.5 * t);
        *a = sin(t) / t;
        *b = 2 * half * half / t2;
        *c = (cos(t) - *a) / t2;
    }
}

/** x with at most 25 bits behind the point: products of two such, and sums of a few of them, are exact where
 * no x is much above 1 (Dekker, Numer. Math. 18 (1971) 224). */
static inline double ph_upper_half(double x)
{
    const double splitter = 201326592; /* 1.5 2^27 */
    return (x + splitter) - splitter;
}

/** q.q - 1 of q + low, as if it were formed with twice the digits: squares of the upper half of q, and their
 * sum, are exact (ph_upper_half). low may be that of a sum, or 0. */
static inline double ph_unit_residual_sum3(const double q[3], const double low[3])
{
    double exact = -1, rest = 0;
    for (int k = 0; k < 3; k++) {
        double upper = ph_upper_half(q[k]);
        exact += upper * upper;
        rest += (q[k] - upper) * (q[k] + upper) + 2 * q[k] * low[k];
    }
    return exact + rest;
}

/** The same of q alone. */
static inline double ph_unit_residual3(const double q[3])
{
    const double none[3] = {0};
    return ph_unit_residual_sum3(q, none);
}

/** Bring q back to the unit sphere from within rounding of it: q <- q - (c/2) q, c = q.q - 1.
 * Never q/|q|: the division rounds to one side and the momentum then drifts linearly. */
static inline void ph_unit_correct3(double q[3])
{
    double half = 0.5 * ph_unit_residual3(q);
    q[0] -= half * q[0];
    q[1] -= half * q[1];
    q[2] -= half * q[2];
}

/** s + e <- a + b exactly (Knuth's two-sum). */
static inline void ph_two_sum(double a, double b, double *s, double *e)
{
    double sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

/** The same for q + low, whose low-order part is at most half a last place of q: what is
 * corrected stays in low. */
static inline void ph_unit_correct_sum3(double q[3], double low[3])
{
    double half = 0.5 * ph_unit_residual_sum3(q, low);
    for (int k = 0; k < 3; k++)
        ph_two_sum(q[k], low[k] - half * q[k], &q[k], &low[k]);
}

/** e1, e2 <- orthonormal basis of the plane perpendicular to the unit vector q, e1 x e2 = q.
 * Smooth but for a jump across q[2] = 0; no cancellation anywhere
 * (Duff et al., J. Comput. Graphics Tech. 6 (2017)). */
static inline void ph_tangent_basis3(const double q[3], double e1[3], double e2[3])
{
    double s = copysign(1.0, q[2]);
    double a = -1.0 / (s + q[2]);
    double b = q[0] * q[1] * a;
    e1[0] = 1 + s * q[0] * q[0] * a;
    e1[1] = s * b;
    e1[2] = -s * q[0];
    e2[0] = b;
    e2[1] = s + q[1] * q[1] * a;
    e2[2] = -q[1];
}

/** f <- f - q x tau: the generalized force on the unit vector q of a torque tau [N m], whose virtual work for
 * delta q = eta x q is tau.eta; only its part perpendicular to q acts. */
static inline void ph_add_torque3(const double q[3], const double tau[3], double f[3])
{
    double turn[3];
    ph_cross3(q, tau, turn);
    f[0] -= turn[0];
    f[1] -= turn[1];
    f[2] -= turn[2];
}

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

/* ---- 3x3 matrices --------------------------------------------------------------------------------- */

/** The hat map: S <- S(w), the matrix with S(w) x = w x x. */
static inline void ph_hat3(const double w[3], double S[9])
{
    S[0] = S[4] = S[8] = 0;
    S[7] = w[0];
    S[2] = w[1];
    S[3] = w[2];
    S[5] = -w[0];
    S[6] = -w[1];
    S[1] = -w[2];
}

/** Its inverse on the skew part of A: S(w) = (A - A^T)/2. */
static inline void ph_vee3(const double A[9], double w[3])
{
    w[0] = 0.5 * (A[7] - A[5]);
    w[1] = 0.5 * (A[2] - A[6]);
    w[2] = 0.5 * (A[3] - A[1]);
}

/** y <- A x */
static inline void ph_apply3(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = ph_dot3(A + 3 * i, x);
}

/** y <- A^T x */
static inline void ph_apply_transposed3(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/** C <- A B */
static inline void ph_multiply3(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        ph_apply_transposed3(B, A + 3 * i, C + 3 * i);
}

/** C <- A^T B */
static inline void ph_transposed_multiply3(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

/** det A */
static inline double ph_determinant3(const double A[9])
{
    double c[3];
    ph_cross3(A + 3, A + 6, c);
    return ph_dot3(A, c);
}

/* ---- Rotations ------------------------------------------------------------------------------------ */

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
    ratio = n > 0 ? 2 * atan2(n, fabs(u[0])) / n : 2 / u[0];
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

PH_END_DECLS
#endif
