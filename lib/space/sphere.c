/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit sphere S^2 as a factor of a space, a configuration or a phase space: exp_q(v) = cos|v| q + (sin|v|/|v|) v, its inverse and its
 * derivative, without cancellation at small angles and near the antipode. */
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

/* D <- exp_q(v) - q = (sin t / t) v - (1 - cos t) q for t = |v|, with the a and b of
 * ph_sphere_coefficients: both terms are as small as the step, so that the difference of two points of size
 * 1 is never formed. */
static void sphere_increment(const ph_factor_place *f, const double *q, const double *v, double *D)
{
    double a, b, c, t2 = ph_dot3(v, v);
    (void)f;
    ph_sphere_coefficients(t2, &a, &b, &c);
    for (int i = 0; i < 3; i++) /* cos t - 1 = -b t2 */
        D[i] = a * v[i] - b * t2 * q[i];
}

/* exp(S(u)) q - q: u need not be perpendicular to q. */
static void sphere_act(const ph_factor_place *f, const double *q, const double *u, double *D)
{
    double a, b, c, once[3], twice[3];
    (void)f;
    ph_sphere_coefficients(ph_dot3(u, u), &a, &b, &c);
    ph_cross3(u, q, once);
    ph_cross3(u, once, twice);
    for (int i = 0; i < 3; i++)
        D[i] = a * once[i] + b * twice[i];
}

/* v = (angle / sine) (q x q1) x q. The sine comes from q x (q1 -+ q), whose second argument is small
 * where q and q1 (-q and q1) are close, so that it is accurate to the last digits at both ends. */
static ph_status sphere_log(const ph_factor_place *f, const double *q, const double *q1, double *v)
{
    double cosine = ph_dot3(q, q1), side = cosine < 0 ? 1 : -1;
    double d[3] = {q1[0] + side * q[0], q1[1] + side * q[1], q1[2] + side * q[2]};
    double axis[3], sine, ratio;
    (void)f;
    ph_cross3(q, d, axis);
    sine = ph_norm3(axis);
    if (cosine < 0 && sine <= 4 * DBL_EPSILON) /* the axis is nothing but rounding */
        return PH_E_NO_SOLUTION;
    ratio = sine > 0 ? ph_atan2(sine, cosine) / sine : 1;
    ph_cross3(axis, q, v);
    for (int i = 0; i < 3; i++)
        v[i] *= ratio;
    return PH_OK;
}

/* d exp = a dv + (v.dv)(c v - a q), as d(cos t) = -a v.dv and da = c v.dv. */
static void sphere_dexp(const ph_factor_place *f, const double *q, const double *v, const double *dv,
                        double *w)
{
    double a, b, c, along = ph_dot3(v, dv);
    (void)f;
    ph_sphere_coefficients(ph_dot3(v, v), &a, &b, &c);
    for (int i = 0; i < 3; i++)
        w[i] = a * dv[i] + along * (c * v[i] - a * q[i]);
}

/* Every point but the centre has a nearest one. */
static ph_status sphere_has_nearest(const ph_factor_place *f, const double *q)
{
    (void)f;
    return ph_all_finite(q, 3) && (q[0] != 0 || q[1] != 0 || q[2] != 0) ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

/* q <- q/|q|. */
static ph_status sphere_project(const ph_factor_place *f, double *q)
{
    ph_status status = sphere_has_nearest(f, q);
    double size = fmax(fabs(q[0]), fmax(fabs(q[1]), fabs(q[2]))), norm;
    if (status)
        return status;
    /* a point that is on the sphere to rounding is not changed, so that projecting is idempotent */
    if (size <= 1 && fabs(ph_unit_residual3(q)) <= 2 * DBL_EPSILON)
        return PH_OK;
    for (int i = 0; i < 3; i++)
        q[i] /= size; /* the square of q may be too large or too small for a double */
    norm = ph_norm3(q);
    for (int i = 0; i < 3; i++)
        q[i] /= norm;
    ph_unit_correct3(q);
    return PH_OK;
}

/* v <- (I - q q^T) v. */
static void sphere_project_tangent(const ph_factor_place *f, const double *q, double *v)
{
    (void)f;
    /* twice: the second time removes what rounding left of a large normal part */
    for (int pass = 0; pass < 2; pass++) {
        double along = ph_dot3(q, v);
        for (int i = 0; i < 3; i++)
            v[i] -= along * q[i];
    }
}

/* P = I - q q^T, also where q is off the sphere. */
static void sphere_projection(const ph_factor_place *f, const double *q, double *P, size_t stride)
{
    (void)f;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            P[i * stride + j] = (i == j) - q[i] * q[j];
}

/* -(dq q^T + q dq^T) y */
static void sphere_projection_along(const ph_factor_place *f, const double *q, const double *dq,
                                    const double *y, double *out)
{
    double qy = ph_dot3(q, y), dy = ph_dot3(dq, y);
    (void)f;
    for (size_t i = 0; i < 3; i++)
        out[i] = -(dq[i] * qy + q[i] * dy);
}

/* A basis of the plane perpendicular to q, also where q is off the sphere at a stage of a method. There the
 * formulas for unit vectors would give different planes on the two sides of q_3 = 0, so that the equations of
 * motion would be discontinuous; hence q is normalised first, unless it is on the sphere to rounding. */
static void sphere_basis(const ph_factor_place *f, const double *q, double *E)
{
    const double square = ph_dot3(q, q);
    (void)f;
    if (fabs(square - 1) > 8 * DBL_EPSILON && square > DBL_MIN && square < INFINITY) {
        const double norm = sqrt(square), unit[3] = {q[0] / norm, q[1] / norm, q[2] / norm};
        ph_tangent_basis3(unit, E, E + 3);
    } else {
        ph_tangent_basis3(q, E, E + 3);
    }
}

/* | |q| - 1 | */
static double sphere_residual(const ph_factor_place *f, const double *q)
{
    (void)f;
    return ph_all_finite(q, 3) ? fabs(ph_norm3(q) - 1) : NAN;
}

/* |q.v|; of a momentum, likewise. */
static double sphere_tangency(const ph_factor_place *f, const double *q, const double *v)
{
    (void)f;
    return fabs(ph_dot3(q, v));
}

/* q <- q - (|q|^2 - 1)/2 q, which rounds to no side where q/|q| would round to one. */
static void sphere_correct(const ph_factor_place *f, double *q)
{
    (void)f;
    ph_unit_correct3(q);
}

/* The same for the sum q + low of two numbers each, to their precision. */
static void sphere_correct_sum(const ph_factor_place *f, double *q, double *low)
{
    (void)f;
    ph_unit_correct_sum3(q, low);
}

/* p <- q x mu; as the entry spin w <- q x v, which is perpendicular to q. */
static void sphere_momentum(const ph_factor_place *f, const double *q, const double *mu, double *p)
{
    (void)f;
    ph_cross3(q, mu, p);
}

/* mu <- p x q, which has no part along q; as the entry turn v <- w x q. */
static void sphere_covector(const ph_factor_place *f, const double *q, const double *p, double *mu)
{
    (void)f;
    ph_cross3(p, q, mu);
}

/* What both uses of the sphere have. */
/* clang-format off */
#define ON_THE_SPHERE \
    .explain = ph_unit_explain, .nz = 3, .nx = 2, \
    .increment = sphere_increment, .log = sphere_log, .dexp = sphere_dexp, \
    .has_nearest = sphere_has_nearest, .project = sphere_project, .project_tangent = sphere_project_tangent, \
    .projection = sphere_projection, .projection_along = sphere_projection_along, .basis = sphere_basis, \
    .residual = sphere_residual, .tangency = sphere_tangency, \
    .correct = sphere_correct, .correct_sum = sphere_correct_sum, \
    .turn = sphere_covector /* w x q, as p x q */, .spin = sphere_momentum /* q x v, as q x mu */, \
    .act = sphere_act, .bracket = ph_cross3
/* clang-format on */

const ph_manifold ph_manifold_sphere = {
    ON_THE_SPHERE,
    .name = "S^2",
    .words = {"sphere", "sphere", "unit vector", .angular = true},
    .configurations = {"q", PH_INDEX_AXIS, "1"},
    .momenta = {"pi", PH_INDEX_AXIS, "kg m^2/s"},
    .np = 3,
    .momentum = sphere_momentum,
    .covector = sphere_covector,
    .project_momentum = sphere_project_tangent,
    .momentum_tangency = sphere_tangency,
};

/* ---- As a phase space ------------------------------------------------------------------------------ */

/* There is no momentum, ... */
static void spin_momentum(const ph_factor_place *f, const double *s, const double *mu, double *p)
{
    (void)f, (void)s, (void)mu, (void)p;
}

/* ... so that its covector is 0. */
static void spin_covector(const ph_factor_place *f, const double *s, const double *p, double *mu)
{
    (void)f, (void)s, (void)p;
    for (size_t k = 0; k < 3; k++)
        mu[k] = 0;
}

const ph_manifold ph_manifold_spin = {
    ON_THE_SPHERE,
    .name = "S^2 as a phase space",
    .words = {"spin", "sphere", "unit vector", .angular = true},
    .configurations = {"s", PH_INDEX_AXIS, "1"},
    .momenta = {"", PH_INDEX_NONE, "1"},
    .is_phase_space = true,
    .momentum = spin_momentum,
    .covector = spin_covector,
};
