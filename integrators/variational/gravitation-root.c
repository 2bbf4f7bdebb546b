/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a body in a step of gravitation.c where its own iteration is not certain to find it: Newton's from a
 * guess, or the branch of solutions from h = 0, in the vector x of the turn,
 *     r = a J x + b x cross J x - (s g + s^2 k),   a = sin t/t,   b = (1 - cos t)/t^2,   t = |x|.
 * With E the basis R S(e_i) this is E^T (R+ - R) J_d less the momentum, the equation of product.c for one body, and
 * so is its Jacobian, whose symmetric part tells whether the root is on the branch. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/rotation.h>

#include "gravitation.h"

#include <string.h>

typedef struct turn_equation {
    const double *J, *g, *k;
    double s, x[3]; /* of the latest residual */
} turn_equation;

static ph_status turn_residual(void *self, double s, const double *x, double *r, double *scale)
{
    turn_equation *e = self;
    double a, b, c, Jx[3], across[3];
    e->s = s;
    memcpy(e->x, x, sizeof e->x);
    ph_sphere_coefficients(ph_dot3(x, x), &a, &b, &c);
    ph_apply3(e->J, x, Jx);
    ph_cross3(x, Jx, across);
    for (int i = 0; i < 3; i++) {
        const double kick = s * (s * e->k[i]), turn = s * e->g[i];
        double magnitude = fabs(kick) + fabs(turn);
        for (int j = 0; j < 3; j++)
            magnitude += fabs(a * e->J[3 * i + j] * x[j]);
        r[i] = (a * Jx[i] + b * across[i]) - (turn + kick);
        scale[i] = magnitude + fabs(b * x[(i + 1) % 3] * Jx[(i + 2) % 3]) +
                   fabs(b * x[(i + 2) % 3] * Jx[(i + 1) % 3]);
    }
    return PH_OK;
}

/* With a' = c x and b' = d x: a J + (J x) (c x)^T + b (S(x) J - S(J x)) + (x cross J x) (d x)^T. */
static ph_status turn_jacobian(void *self, double *K)
{
    const turn_equation *e = self;
    const double *x = e->x, t2 = ph_dot3(x, x);
    double a, b, c, Jx[3], across[3], S[9], SJ[9], SJx[9];
    ph_sphere_coefficients(t2, &a, &b, &c);
    const double d = t2 > 0 ? (a - 2 * b) / t2 : 0;
    ph_apply3(e->J, x, Jx);
    ph_cross3(x, Jx, across);
    ph_hat3(x, S);
    ph_hat3(Jx, SJx);
    ph_multiply3(S, e->J, SJ);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[3 * i + j] = a * e->J[3 * i + j] + c * Jx[i] * x[j] + b * (SJ[3 * i + j] - SJx[3 * i + j]) +
                           d * across[i] * x[j];
    return PH_OK;
}

static ph_status turn_derivative(void *self, double *rs)
{
    const turn_equation *e = self;
    for (int i = 0; i < 3; i++)
        rs[i] = -(e->g[i] + 2 * e->s * e->k[i]);
    return PH_OK;
}

static bool turn_on_the_branch(void *self)
{
    double K[9];
    turn_jacobian(self, K);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            K[3 * i + j] = 0.5 * (K[3 * i + j] + K[3 * j + i]);
    return ph_cholesky_factor(3, K) == PH_OK;
}

ph_status ph_gravitation_root(ph_context *context, double t, const double J[9], const double g[3],
                              const double k[3], bool guessed, ph_newton_work *newton, double x[3])
{
    turn_equation e = {.J = J, .g = g, .k = k};
    const ph_implicit_root root = {.equations = {.n = 3,
                                                 .size = 1,
                                                 .self = &e,
                                                 .residual = turn_residual,
                                                 .jacobian = turn_jacobian,
                                                 .parameter_derivative = turn_derivative},
                                   .guessed = guessed,
                                   .on_the_branch = turn_on_the_branch};
    return ph_implicit_solve(&root, context, t, x, newton);
}
