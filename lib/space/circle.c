/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit circle S^1 as a factor of a space: exp_q(v) = cos t q + sin t Jq with the turn t = Jq.v and
 * Jq = (-y, x), its inverse and its derivative, without cancellation at small angles and near the antipode.
 */
#include "internal/space.h"

#include <float.h>
#include <math.h>

#include <polhode/algebra.h>

/* Jq.v: the turn (angular velocity, angle) that the tangent vector v stands for, counterclockwise. */
static double turn(const double *q, const double *v)
{
    return q[0] * v[1] - q[1] * v[0];
}

static void circle_act(size_t n, const double *q, const double *t, double *q1)
{
    double half = sin(0.5 * *t), a = sin(*t), b = 2 * half * half;
    (void)n;
    /* cos t = 1 - b: the increment is summed first, so that a small step keeps its digits */
    q1[0] = q[0] - (a * q[1] + b * q[0]);
    q1[1] = q[1] + (a * q[0] - b * q[1]);
}

static void circle_exp(size_t n, const double *q, const double *v, double *q1)
{
    double t = turn(q, v);
    circle_act(n, q, &t, q1);
}

/* The sine from the difference of q and q1, so that a small angle keeps its digits. */
static ph_status circle_log(size_t n, const double *q, const double *q1, double *v)
{
    double cosine = q[0] * q1[0] + q[1] * q1[1], d[2] = {q1[0] - q[0], q1[1] - q[1]}, sine = turn(q, d), t;
    (void)n;
    if (cosine < 0 && fabs(sine) <= 4 * DBL_EPSILON) /* all of the sine is rounding */
        return PH_E_NO_SOLUTION;
    t = atan2(sine, cosine);
    v[0] = -t * q[1];
    v[1] = t * q[0];
    return PH_OK;
}

static void circle_dexp(size_t n, const double *q, const double *v, const double *dv, double *w)
{
    double q1[2], rate = turn(q, dv);
    circle_exp(n, q, v, q1);
    w[0] = -rate * q1[1];
    w[1] = rate * q1[0];
}

static bool circle_has_nearest(size_t n, const double *q)
{
    return ph_all_finite(q, n) && (q[0] != 0 || q[1] != 0);
}

/* q.q - 1 to the last place: the sum starts from -1. */
static double unit_residual(const double *q)
{
    return fma(q[0], q[0], fma(q[1], q[1], -1.0));
}

static void circle_correct(size_t n, double *q)
{
    double half = 0.5 * unit_residual(q);
    (void)n;
    q[0] -= half * q[0];
    q[1] -= half * q[1];
}

static void circle_project(size_t n, double *q)
{
    double size = fmax(fabs(q[0]), fabs(q[1])), norm;
    /* what is on the circle to rounding is left alone: projecting twice is projecting once */
    if (size <= 1 && fabs(unit_residual(q)) <= 2 * DBL_EPSILON)
        return;
    q[0] /= size; /* the square of q may be too large or too small for a double */
    q[1] /= size;
    norm = sqrt(q[0] * q[0] + q[1] * q[1]);
    q[0] /= norm;
    q[1] /= norm;
    circle_correct(n, q);
}

static void circle_project_tangent(size_t n, const double *q, double *v)
{
    (void)n;
    /* twice: what rounding leaves of a large normal part is taken away the second time */
    for (int pass = 0; pass < 2; pass++) {
        double along = q[0] * v[0] + q[1] * v[1];
        v[0] -= along * q[0];
        v[1] -= along * q[1];
    }
}

static void circle_basis(size_t n, const double *q, double *E)
{
    (void)n;
    E[0] = -q[1];
    E[1] = q[0];
}

static double circle_residual(size_t n, const double *q)
{
    return ph_all_finite(q, n) ? fabs(sqrt(q[0] * q[0] + q[1] * q[1]) - 1) : NAN;
}

static double circle_tangency(size_t n, const double *q, const double *v)
{
    (void)n;
    return fabs(q[0] * v[0] + q[1] * v[1]);
}

static void circle_momentum(size_t n, const double *q, const double *mu, double *p)
{
    (void)n;
    p[0] = q[0] * mu[1] - q[1] * mu[0];
}

static void circle_turn(size_t n, const double *q, const double *w, double *v)
{
    (void)n;
    v[0] = -w[0] * q[1];
    v[1] = w[0] * q[0];
}

const ph_manifold ph_manifold_circle = {
    .name = "S^1",
    .nz = 2,
    .np = 1,
    .nx = 1,
    .exp = circle_exp,
    .log = circle_log,
    .dexp = circle_dexp,
    .has_nearest = circle_has_nearest,
    .project = circle_project,
    .project_tangent = circle_project_tangent,
    .basis = circle_basis,
    .residual = circle_residual,
    .tangency = circle_tangency,
    .correct = circle_correct,
    .momentum = circle_momentum,
    .covector = circle_turn, /* p (-q_2, q_1), as w (-q_2, q_1) */
    .turn = circle_turn,
    .spin = circle_momentum,
    .act = circle_act,
};
