/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduced discrete step over S^2 of a body whose constraint is gamma . Omega = 0, gamma = R^T e3: the
 * bundle SO(3) -> S^2 is no product, so it is stepped by horizontal lifts. With f perpendicular to gamma,
 * two unknowns,
 *     P_gamma T(f)^{-1} J f = h y,     gamma+ = exp(-S(f)) gamma,     y+ = P_gamma+ T(f)^{-T} J f / h,
 *     T(f)^{-1} g = g + f x g / 2 + e f x (f x g),     e = (1 - (t/2) cot(t/2)) / t^2,     t = |f|. */
#include <polhode/algebra.h>
#include <polhode/implicit.h>

#include "bundle.h"

#include <math.h>

enum { N = 2 };

typedef struct turn {
    const double *J, *y;
    double h, s, E[N][3], f[3];
} turn;

/* *e and its derivative in t^2; the series are the Bernoulli numbers |B_2k| / (2k)!. */
static void coefficients(double t2, double *e, double *slope)
{
    static const double c[] = {
        1. / 12, 1. / 720, 1. / 30240, 1. / 1209600, 1. / 47900160, 691. / 1307674368000, 1. / 74724249600.};
    *e = *slope = 0;
    if (t2 < 0.25) {
        for (int k = 6; k >= 0; k--) {
            *slope = *slope * t2 + *e;
            *e = *e * t2 + c[k];
        }
        return;
    }
    const double half = sqrt(t2) / 2, cot = 1 / tan(half), sine = sin(half);
    *e = (1 - half * cot) / t2;
    *slope = (-(cot - half / (sine * sine)) / (8 * half) - *e) / t2;
}

/* out <- J f + sign f x J f / 2 + e f x (f x J f): T(f)^{-1} J f, or with -1 T(f)^{-T} J f. */
static void pull(const double *J, const double *f, double sign, double *out)
{
    double e, slope, g[3], once[3], twice[3];
    coefficients(ph_dot3(f, f), &e, &slope);
    ph_apply3(J, f, g);
    ph_cross3(f, g, once);
    ph_cross3(f, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = g[i] + (sign * 0.5 * once[i] + e * twice[i]);
}

static ph_status residual(void *self, double s, const double *x, double *r, double *scale)
{
    turn *m = self;
    double g[3];
    m->s = s;
    for (int i = 0; i < 3; i++)
        m->f[i] = x[0] * m->E[0][i] + x[1] * m->E[1][i];
    pull(m->J, m->f, 1, g);
    for (int k = 0; k < N; k++) {
        const double old = s * m->h * ph_dot3(m->E[k], m->y), now = ph_dot3(m->E[k], g);
        r[k] = now - old;
        scale[k] = fabs(now) + fabs(old) + ph_norm3(g);
    }
    return PH_OK;
}

static ph_status jacobian(void *self, double *J)
{
    const turn *m = self;
    const double *f = m->f;
    double e, slope, g[3], fg[3], ffg[3];
    coefficients(ph_dot3(f, f), &e, &slope);
    ph_apply3(m->J, f, g);
    ph_cross3(f, g, fg);
    ph_cross3(f, fg, ffg);
    for (int k = 0; k < N; k++) {
        const double *u = m->E[k];
        double Ju[3], a[3], b[3], once[3], c[3], d[3];
        ph_apply3(m->J, u, Ju);
        ph_cross3(u, g, a);
        ph_cross3(f, Ju, b);
        for (int i = 0; i < 3; i++)
            once[i] = a[i] + b[i]; /* of f x J f */
        ph_cross3(u, fg, c);
        ph_cross3(f, once, d);
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += m->E[j][i] *
                       (Ju[i] + once[i] / 2 + 2 * slope * ph_dot3(f, u) * ffg[i] + e * (c[i] + d[i]));
            J[j * N + k] = sum;
        }
    }
    return PH_OK;
}

static ph_status along_step(void *self, double *rs)
{
    const turn *m = self;
    for (int k = 0; k < N; k++)
        rs[k] = -m->h * ph_dot3(m->E[k], m->y);
    return PH_OK;
}

/* At h = 0 the Jacobian is J on the plane: its symmetric part is positive definite. */
static bool on_the_branch(void *self)
{
    double J[N * N];
    jacobian(self, J);
    const double off = (J[1] + J[2]) / 2;
    return J[0] > 0 && J[0] * J[3] - off * off > 0;
}

static void project(const double *gamma, double *y)
{
    const double along = ph_dot3(gamma, y) / ph_dot3(gamma, gamma);
    for (int i = 0; i < 3; i++)
        y[i] -= along * gamma[i];
}

ph_status ph_bundle_sphere_step(const double *J, double h, double *R, double *y, double *f, ph_error *err)
{
    double block[64], x[N], F[9], next[9];
    ph_statistics statistics = {0};
    ph_context context = {.h = h, .statistics = &statistics, .error = err};
    ph_newton_work newton;
    ph_lay lay = {(unsigned char *)block, 0};
    turn m = {.J = J, .y = y, .h = h};
    const double *gamma = R + 6;
    int least = fabs(gamma[0]) < fabs(gamma[1]) ? 0 : 1;
    if (!isfinite(h) || h == 0)
        return ph_fail(err, PH_E_RANGE, "the step size is %g s; it must be finite and not 0", h);
    if (!ph_all_finite(R, 9) || !ph_all_finite(y, 3) || !ph_all_finite(J, 9))
        return ph_fail(err, PH_E_NOT_FINITE, "J, R or y is not finite");
    if (fabs(gamma[2]) < fabs(gamma[least]))
        least = 2;
    const double axis[3] = {least == 0, least == 1, least == 2};
    ph_cross3(gamma, axis, m.E[0]);
    const double length = ph_norm3(m.E[0]);
    for (int i = 0; i < 3; i++)
        m.E[0][i] /= length;
    ph_cross3(gamma, m.E[0], m.E[1]);
    ph_newton_place(&newton, N, &lay);
    const ph_implicit_root root = {.equations = {.n = N,
                                                 .size = 1,
                                                 .self = &m,
                                                 .residual = residual,
                                                 .jacobian = jacobian,
                                                 .parameter_derivative = along_step},
                                   .on_the_branch = on_the_branch,
                                   .guessed = true};
    /* the guess: J f = h y on the plane */
    const double zero[N] = {0, 0};
    double r[N], scale[N], A[N * N];
    residual(&m, 1, zero, r, scale);
    jacobian(&m, A);
    const double det = A[0] * A[3] - A[1] * A[2];
    x[0] = -(A[3] * r[0] - A[1] * r[1]) / det;
    x[1] = -(A[0] * r[1] - A[2] * r[0]) / det;
    ph_status status = ph_implicit_solve(&root, &context, 0, x, &newton);
    if (status)
        return status;
    residual(&m, 1, x, r, scale);
    ph_exp3(m.f, F);
    ph_multiply3(R, F, next);
    ph_rotation_correct3(next);
    memcpy(R, next, sizeof next);
    memcpy(f, m.f, sizeof m.f);
    pull(J, m.f, -1, y);
    for (int i = 0; i < 3; i++)
        y[i] /= h;
    project(R + 6, y);
    return PH_OK;
}
