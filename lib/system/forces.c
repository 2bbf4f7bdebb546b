/* SPDX-License-Identifier: BSD-3-Clause */
/* The potential of a system with its gradient, and its generalized forces f(t, z, zdot) with df/dzdot: the
 * callbacks, the gravity of linkages and articulations, and what forced systems add to their base. */
#include "system.h"

#include <math.h>
#include <string.h>

/* ---- Potential ---------------------------------------------------------------------------------- */

/* The callback's U, in addition to that of the gravity of a linkage; an articulation has its gravity
 * alone. */
ph_status ph_system_potential(const ph_system *s, const double *z, double *U)
{
    if (!s)
        return PH_E_INVALID;
    *U = 0;
    if (s->base)
        return ph_system_potential(s->base, z, U);
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    ph_status status = s->is.potential ? s->is.potential(s->is.user, z, U) : PH_OK;
    if (s->articulated)
        *U = ph_articulated_potential(s->articulated, z);
    if (s->tree)
        ph_tree_add_potential(s->tree, z, U);
    return status;
}

/* Like the potential: the callback's, an articulation's, and the weight of a linkage in addition. */
ph_status ph_system_gradient(const ph_system *s, const double *z, double *dU)
{
    if (!s)
        return PH_E_INVALID;
    if (s->base)
        return ph_system_gradient(s->base, z, dU);
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    ph_status status = PH_OK;
    if (s->is.gradient)
        status = s->is.gradient(s->is.user, z, dU);
    else if (s->articulated)
        ph_articulated_gradient(s->articulated, dU);
    else
        memset(dU, 0, s->nz * sizeof *dU);
    if (s->tree)
        ph_tree_add_gradient(s->tree, dU);
    return status;
}

/* ---- Forces ------------------------------------------------------------------------------------- */

/* A forced system adds its own force to those of its base. */
ph_status ph_system_force(const ph_system *s, double t, const double *z, const double *zdot, double *f)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force(s->base, t, z, zdot, f);
    else
        memset(f, 0, s->nz * sizeof *f);
    return status || !s->is.force ? status : s->is.force(s->is.user, t, z, zdot, f);
}

/* dfdv += the derivative of this system's force (without its base's) by central differences, with a step of
 * 6e-6, about eps^(1/3), times the largest |v_j| plus 1e-3. */
static ph_status difference_force(const ph_system *s, double t, const double *z, const double *zdot,
                                  double *dfdv, double *work)
{
    size_t m = s->nz;
    double *v = work, *plus = work + m, *minus = work + 2 * m, size = 0;
    for (size_t j = 0; j < m; j++)
        size = fmax(size, fabs(zdot[j]));
    memcpy(v, zdot, m * sizeof *v);
    for (size_t j = 0; j < m; j++) {
        volatile double up = zdot[j] + 6e-6 * (size + 1e-3), down = zdot[j] - 6e-6 * (size + 1e-3);
        memset(plus, 0, 2 * m * sizeof *plus); /* and minus */
        v[j] = up;
        ph_status status = s->is.force(s->is.user, t, z, v, plus);
        v[j] = down;
        if (!status)
            status = s->is.force(s->is.user, t, z, v, minus);
        if (status)
            return status;
        v[j] = zdot[j];
        for (size_t i = 0; i < m; i++)
            dfdv[i * m + j] += (plus[i] - minus[i]) / (up - down);
    }
    return PH_OK;
}

ph_status ph_system_force_dv(const ph_system *s, double t, const double *z, const double *zdot, double *dfdv,
                             double *work)
{
    if (!s)
        return PH_E_INVALID;
    ph_status status = PH_OK;
    if (s->base)
        status = ph_system_force_dv(s->base, t, z, zdot, dfdv, work);
    else
        memset(dfdv, 0, s->nz * s->nz * sizeof *dfdv);
    if (status || !s->is.force || s->is.force_ignores_velocity)
        return status;
    if (s->is.force_dv)
        return s->is.force_dv(s->is.user, t, z, zdot, dfdv);
    return difference_force(s, t, z, zdot, dfdv, work);
}
