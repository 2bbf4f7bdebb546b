/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of the vector field X_i = (1/Gamma_i) g_i x s_i + lambda_i s_i x (s_i x g_i), g = dH/ds, along vectors. With dg
 * the derivative of g along a tangent vector u, that of X_i in ambient coordinates is
 *     (1/Gamma_i) (dg_i x s_i + g_i x u_i) + lambda_i ((dg_i x s_i + g_i x u_i) x s_i + (g_i x s_i) x u_i),
 * as s x (s x g) = (g x s) x s. Along the motion, u = X, and with dg/dt at fixed s added to dg, it is s''. The tangent part of it
 * is the covariant derivative on the spheres. */
#include "spins.h"

#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

static bool has_callbacks(const ph_system *s)
{
    return s->is.gradient || s->is.gradient_in_time;
}

/* g <- what callbacks add to the gradient. */
static ph_status callback_gradient(const ph_system *s, double t, const double *z, double *g)
{
    ph_status status = PH_OK;
    if (s->is.gradient)
        status = s->is.gradient(s->is.user, z, g);
    else
        memset(g, 0, s->nz * sizeof *g);
    return status || !s->is.gradient_in_time ? status : s->is.gradient_in_time(s->is.user, t, z, g);
}

/* dg += the derivative of that along the geodesic of u, at times t + rate tau: `points` values at tau = shift[m] h with the
 * weights weight[m] / h. work (3 nz) */
static ph_status add_differences(const ph_system *s, double t, double rate, const double *z, const double *u,
                                 double h, int points, const double *weight, const double *shift, double *dg,
                                 double *work)
{
    double *v = work, *x = v + s->nz, *g = x + s->nz;
    ph_status status = PH_OK;
    for (int m = 0; m < points && !status; m++) {
        for (size_t k = 0; k < s->nz; k++)
            v[k] = shift[m] * h * u[k];
        ph_space_exp(s->space, z, v, x);
        status = callback_gradient(s, t + rate * shift[m] * h, x, g);
        for (size_t k = 0; k < s->nz; k++)
            dg[k] += weight[m] / h * g[k];
    }
    return status;
}

/* The derivative by differences of order 8 where time stands still, on both sides, ... */
static ph_status add_callbacks_along(const ph_system *s, double t, const double *z, const double *u, double h,
                                     double *dg, double *work)
{
    static const double weight[] = {4. / 5,   -4. / 5,   -1. / 5,   1. / 5,
                                    4. / 105, -4. / 105, -1. / 280, 1. / 280},
                        shift[] = {1, -1, 2, -2, 3, -3, 4, -4};
    return add_differences(s, t, 0, z, u, h, 8, weight, shift, dg, work);
}

/* ... and of order 6 along the motion where time matters, on one side: a callback need not be defined at times before the
 * first and after the last one of a run. */
static ph_status add_callbacks_later(const ph_system *s, double t, const double *z, const double *v,
                                     double span, double *dg, double *work)
{
    static const double weight[] = {-49. / 20, 6, -15. / 2, 20. / 3, -15. / 4, 6. / 5, -1. / 6},
                        shift[] = {0, 1, 2, 3, 4, 5, 6};
    return add_differences(s, t, 1, z, v, span / 12, 7, weight, shift, dg, work);
}

/* The derivative of X_i by those of its arguments, in ambient coordinates. */
static void derive(const ph_spins *is, size_t i, const double *z, const double *g, const double *u,
                   const double *dg, double *dX)
{
    const double *s = z + 3 * i, of = ph_spin_strength(is, i), lambda = is->damping ? is->damping[i] : 0;
    double turn[3], bent[3], fall[3], more[3];
    ph_cross3(dg + 3 * i, s, turn);
    ph_cross3(g + 3 * i, u + 3 * i, bent);
    for (size_t k = 0; k < 3; k++)
        turn[k] += bent[k];
    ph_cross3(turn, s, fall);
    ph_cross3(g + 3 * i, s, bent);
    ph_cross3(bent, u + 3 * i, more);
    for (size_t k = 0; k < 3; k++)
        dX[3 * i + k] = turn[k] / of + (lambda > 0 ? lambda * (fall[k] + more[k]) : 0);
}

/* The largest |u_i| */
static double largest(size_t nz, const double *u)
{
    double most = 0;
    for (size_t k = 0; k < nz; k += 3)
        most = fmax(most, ph_norm3(u + k));
    return most;
}

ph_status ph_spins_flow_along(const ph_system *s, double t, const double *z, const double *g, const double *u,
                              double *dX, double *work)
{
    const ph_spin_system *spins = s->own;
    double *dg = work, *more = work + s->nz;
    const double size = largest(s->nz, u);
    memset(dg, 0, s->nz * sizeof *dg);
    ph_status status = ph_spins_add_gradient_along(spins, s->is.user, z, u, dg);
    if (!status && has_callbacks(s) && size > 0)
        status = add_callbacks_along(s, t, z, u, 1 / (64 * size), dg, more);
    if (status)
        return status;
    for (size_t i = 0; i < s->n; i++)
        derive(&spins->is, i, z, g, u, dg, dX);
    ph_space_project_tangent(s->space, z, dX);
    return PH_OK;
}

ph_status ph_spins_bend(const ph_system *s, double t, const double *z, const double *v, double span,
                        double *a, double *work)
{
    const ph_spin_system *spins = s->own;
    double *dg = work, *more = work + s->nz;
    memset(dg, 0, s->nz * sizeof *dg);
    ph_status status = ph_spins_add_gradient_along(spins, s->is.user, z, v, dg);
    if (!status && spins->is.control)
        status = ph_spins_add_control_gradient_rate(spins, s->is.user, t, dg);
    if (!status && s->is.gradient_in_time)
        status = add_callbacks_later(s, t, z, v, span, dg, more);
    else if (!status && has_callbacks(s))
        status = add_callbacks_along(s, t, z, v, fabs(span) / 16, dg, more); /* the same from both sides */
    if (!status)
        status = ph_spins_gradient(s, t, z, more);
    for (size_t i = 0; i < s->n && !status; i++)
        derive(&spins->is, i, z, more, v, dg, a);
    return status;
}
