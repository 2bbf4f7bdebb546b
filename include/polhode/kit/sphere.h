/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit sphere in chord form, inline. A tangent vector u at q (q.u = 0) moves q to
 *     exp_q(u) = cos|u| q + (sin|u|/|u|) u,      u = f x q for the rotation vector f, |f| = |u|,
 * which is exp(S(f)) q for f.q = 0 (Lee, Leok, McClamroch, two-spheres, section II). No branch on the data
 * that could cost digits: every coefficient has a series where its closed form cancels. */
#ifndef POLHODE_SPHERE_H
#define POLHODE_SPHERE_H

#include <polhode/kit/elementary.h>
#include <polhode/kit/vector.h>

PH_BEGIN_DECLS

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
        double t = sqrt(t2), half = ph_sin(0.5 * t);
        *a = ph_sin(t) / t;
        *b = 2 * half * half / t2;
        *c = (ph_cos(t) - *a) / t2;
    }
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

/** The same as ph_unit_correct3 for q + low, whose low-order part is at most half a last place of q: what is
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

PH_END_DECLS
#endif
