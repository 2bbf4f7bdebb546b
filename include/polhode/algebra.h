/* SPDX-License-Identifier: BSD-3-Clause */
/* Small algebra, inline: 3-vectors and the unit sphere. No allocation, no branch on the data that
 * could cost digits: every coefficient has a series where its closed form cancels.
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
 * Accuracy: tests/check_algebra.c measures each against long double. */
static inline void ph_sphere_coefficients(double t2, double *a, double *b, double *c)
{
    if (t2 < 1.0) {
        *a = 1 + t2 * (-1. / 6 + t2 * (1. / 120 + t2 * (-1. / 5040 + t2 * (1. / 362880
             + t2 * (-1. / 39916800 + t2 * (1. / 6227020800. + t2 * (-1. / 1307674368000.
             + t2 / 355687428096000.)))))));
        *b = 0.5 + t2 * (-1. / 24 + t2 * (1. / 720 + t2 * (-1. / 40320 + t2 * (1. / 3628800
             + t2 * (-1. / 479001600 + t2 * (1. / 87178291200. + t2 * (-1. / 20922789888000.
             + t2 / 6402373705728000.)))))));
        *c = -1. / 3 + t2 * (1. / 30 + t2 * (-1. / 840 + t2 * (1. / 45360 + t2 * (-1. / 3991680
             + t2 * (1. / 518918400 + t2 * (-1. / 93405312000. + t2 * (1. / 22230464256000.
             - t2 / 6758061133824000.)))))));
    } else {
        double t = sqrt(t2), half = sin(0.5 * t);
        *a = sin(t) / t;
        *b = 2 * half * half / t2;
        *c = (cos(t) - *a) / t2;
    }
}

/** q.q - 1 to the last place: the sum starts from -1, so that nothing cancels after a rounding. */
static inline double ph_unit_residual3(const double q[3])
{
    return fma(q[0], q[0], fma(q[1], q[1], fma(q[2], q[2], -1.0)));
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

PH_END_DECLS
#endif
