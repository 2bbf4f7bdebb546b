/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit circle S^1 as a factor of a space: with the turn t = Jq.v and Jq = (-y, x)
 *     exp_q(v) = cos t q + sin t Jq,
 * its inverse and its derivative, without cancellation at small angles and near the antipode. */
#include "lib/internal/space.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

/* Jq.v: the turn (angular velocity, angle) that the tangent vector v stands for, counterclockwise. */
static double turn(const double *q, const double *v)
{
    return q[0] * v[1] - q[1] * v[0];
}

/* D <- q turned by t, less q: (cos t - 1) q + sin t Jq, with 1 - cos t = 2 sin^2(t/2), which does not
 * cancel. */
static void circle_act(const ph_factor_place *f, const double *q, const double *t, double *D)
{
    double half = ph_sin(0.5 * *t), a = ph_sin(*t), b = 2 * half * half;
    (void)f;
    D[0] = -(a * q[1] + b * q[0]); /* cos t - 1 = -b */
    D[1] = a * q[0] - b * q[1];
}

/* D <- exp_q(v) - q: a turn by Jq.v. A part of v along q has no effect. */
static void circle_increment(const ph_factor_place *f, const double *q, const double *v, double *D)
{
    double t = turn(q, v);
    circle_act(f, q, &t, D);
}

/* The sine from the difference of q and q1, so that a small angle keeps its digits. */
static ph_status circle_log(const ph_factor_place *f, const double *q, const double *q1, double *v)
{
    double cosine = q[0] * q1[0] + q[1] * q1[1], d[2] = {q1[0] - q[0], q1[1] - q[1]}, sine = turn(q, d), t;
    (void)f;
    if (cosine < 0 && fabs(sine) <= 4 * DBL_EPSILON) /* the sine is nothing but rounding */
        return PH_E_NO_SOLUTION;
    t = ph_atan2(sine, cosine);
    v[0] = -t * q[1];
    v[1] = t * q[0];
    return PH_OK;
}

/* w <- (Jq.dv) Jq1 at q1 = exp_q(v): turns commute, so that the derivative is the turn of dv carried
 * along. */
static void circle_dexp(const ph_factor_place *f, const double *q, const double *v, const double *dv,
                        double *w)
{
    double D[2], rate = turn(q, dv);
    circle_increment(f, q, v, D);
    w[0] = -rate * (q[1] + D[1]);
    w[1] = rate * (q[0] + D[0]);
}

/* Every point but the centre has a nearest one. */
static ph_status circle_has_nearest(const ph_factor_place *f, const double *q)
{
    (void)f;
    return ph_all_finite(q, 2) && (q[0] != 0 || q[1] != 0) ? PH_OK : PH_E_NOT_ON_MANIFOLD;
}

/* q <- q - (|q|^2 - 1)/2 q, as on S^2, of which the circle is the equator. */
static void circle_correct(const ph_factor_place *f, double *q)
{
    double of[3] = {q[0], q[1], 0};
    (void)f;
    ph_unit_correct3(of);
    memcpy(q, of, 2 * sizeof *q);
}

static void circle_correct_sum(const ph_factor_place *f, double *q, double *low)
{
    double of[3] = {q[0], q[1], 0}, rest[3] = {low[0], low[1], 0};
    (void)f;
    ph_unit_correct_sum3(of, rest);
    memcpy(q, of, 2 * sizeof *q);
    memcpy(low, rest, 2 * sizeof *low);
}

/* q <- q/|q|. */
static ph_status circle_project(const ph_factor_place *f, double *q)
{
    ph_status status = circle_has_nearest(f, q);
    double size = fmax(fabs(q[0]), fabs(q[1])), norm;
    if (status)
        return status;
    /* a point that is on the circle to rounding is not changed, so that projecting is idempotent */
    if (size <= 1 && fabs(ph_unit_residual3((double[3]){q[0], q[1], 0})) <= 2 * DBL_EPSILON)
        return PH_OK;
    q[0] /= size; /* the square of q may be too large or too small for a double */
    q[1] /= size;
    norm = sqrt(q[0] * q[0] + q[1] * q[1]);
    q[0] /= norm;
    q[1] /= norm;
    circle_correct(f, q);
    return PH_OK;
}

/* v <- (I - q q^T) v. */
static void circle_project_tangent(const ph_factor_place *f, const double *q, double *v)
{
    (void)f;
    /* twice: the second time removes what rounding left of a large normal part */
    for (int pass = 0; pass < 2; pass++) {
        double along = q[0] * v[0] + q[1] * v[1];
        v[0] -= along * q[0];
        v[1] -= along * q[1];
    }
}

/* P = I - q q^T, also where q is off the circle. */
static void circle_projection(const ph_factor_place *f, const double *q, double *P, size_t stride)
{
    (void)f;
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++)
            P[i * stride + j] = (i == j) - q[i] * q[j];
}

/* -(dq q^T + q dq^T) y */
static void circle_projection_along(const ph_factor_place *f, const double *q, const double *dq,
                                    const double *y, double *out)
{
    double qy = q[0] * y[0] + q[1] * y[1], dy = dq[0] * y[0] + dq[1] * y[1];
    (void)f;
    for (size_t i = 0; i < 2; i++)
        out[i] = -(dq[i] * qy + q[i] * dy);
}

/* The one tangent vector, Jq. */
static void circle_basis(const ph_factor_place *f, const double *q, double *E)
{
    (void)f;
    E[0] = -q[1];
    E[1] = q[0];
}

/* | |q| - 1 | */
static double circle_residual(const ph_factor_place *f, const double *q)
{
    (void)f;
    return ph_all_finite(q, 2) ? fabs(sqrt(q[0] * q[0] + q[1] * q[1]) - 1) : NAN;
}

/* |q.v| */
static double circle_tangency(const ph_factor_place *f, const double *q, const double *v)
{
    (void)f;
    return fabs(q[0] * v[0] + q[1] * v[1]);
}

/* p <- Jq.mu, 1 number; as the entry spin w <- Jq.v. */
static void circle_momentum(const ph_factor_place *f, const double *q, const double *mu, double *p)
{
    (void)f;
    p[0] = q[0] * mu[1] - q[1] * mu[0];
}

/* v <- w Jq */
static void circle_turn(const ph_factor_place *f, const double *q, const double *w, double *v)
{
    (void)f;
    v[0] = -w[0] * q[1];
    v[1] = w[0] * q[0];
}

const ph_manifold ph_manifold_circle = {
    .name = "S^1",
    .words = {"circle", "circle", "unit vector", .angular = true},
    .configurations = {"q", PH_INDEX_AXIS, "1"},
    .momenta = {"pi", PH_INDEX_NONE, "kg m^2/s"},
    .explain = ph_unit_explain,
    .nz = 2,
    .np = 1,
    .nx = 1,
    .increment = circle_increment,
    .log = circle_log,
    .dexp = circle_dexp,
    .has_nearest = circle_has_nearest,
    .project = circle_project,
    .project_tangent = circle_project_tangent,
    .projection = circle_projection,
    .projection_along = circle_projection_along,
    .basis = circle_basis,
    .residual = circle_residual,
    .tangency = circle_tangency,
    .correct = circle_correct,
    .correct_sum = circle_correct_sum,
    .momentum = circle_momentum,
    .covector = circle_turn, /* p (-q_2, q_1), as w (-q_2, q_1) */
    .turn = circle_turn,
    .spin = circle_momentum,
    .act = circle_act,
};
