/* SPDX-License-Identifier: BSD-3-Clause */
/* The potential of a system with its gradient, the one that depends on time, and the generalized forces
 * f(t, z, zdot) with df/dzdot and their work: the callbacks, what the kind of system adds, and what forced systems
 * add to their base. */
#include "system.h"

#include <math.h>
#include <string.h>

/* ---- Potential ---------------------------------------------------------------------------------- */

/* The callback's U, and what the kind of system adds, as the gravity of a linkage. */
ph_status ph_system_potential(const ph_system *s, const double *z, double *U)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    *U = 0;
    if (r->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    ph_status status = r->is.potential ? r->is.potential(r->is.user, z, U) : PH_OK;
    return status || !r->of->add_potential ? status : r->of->add_potential(r, z, U);
}

ph_status ph_system_gradient(const ph_system *s, const double *z, double *dU)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    ph_status status = PH_OK;
    if (r->kind == PH_LAGRANGIAN_GENERAL)
        return PH_E_UNSUPPORTED;
    if (r->is.gradient)
        status = r->is.gradient(r->is.user, z, dU);
    else if (!r->of->sets_gradient)
        memset(dU, 0, r->nz * sizeof *dU);
    return status || !r->of->add_gradient ? status : r->of->add_gradient(r, z, dU);
}

/* ---- Forces ------------------------------------------------------------------------------------- */

/* f += the callbacks' forces, without potentials; a forced system adds its own to those of its base. */
static ph_status add_forces(const ph_system *s, double t, const double *z, const double *zdot, double *f)
{
    ph_status status = s->base ? add_forces(s->base, t, z, zdot, f) : PH_OK;
    return status || !s->is.force ? status : s->is.force(s->is.user, t, z, zdot, f);
}

/* dU += the gradient of U(t, z). */
static ph_status add_gradient_in_time(const ph_system *s, double t, const double *z, double *dU)
{
    ph_status status = s->base ? add_gradient_in_time(s->base, t, z, dU) : PH_OK;
    if (!status && !s->base && s->of->add_gradient_in_time)
        status = s->of->add_gradient_in_time(s, t, z, dU);
    return status || !s->is.gradient_in_time ? status : s->is.gradient_in_time(s->is.user, t, z, dU);
}

/* The gradient is added to -f, so that no room is needed for it; a change of sign is exact. */
ph_status ph_system_force(const ph_system *s, double t, const double *z, const double *zdot, double *f)
{
    if (!s)
        return PH_E_INVALID;
    memset(f, 0, s->nz * sizeof *f);
    ph_status status = add_forces(s, t, z, zdot, f);
    if (status || !ph_system_has_potential_in_time(s))
        return status;
    for (size_t k = 0; k < s->nz; k++)
        f[k] = -f[k];
    status = add_gradient_in_time(s, t, z, f);
    for (size_t k = 0; k < s->nz; k++)
        f[k] = -f[k];
    return status;
}

ph_status ph_system_potential_in_time(const ph_system *s, double t, const double *z, double *U)
{
    double more = 0;
    if (!s)
        return PH_E_INVALID;
    *U = 0;
    ph_status status = s->base ? ph_system_potential_in_time(s->base, t, z, U) : PH_OK;
    if (!status && s->is.potential_in_time)
        status = s->is.potential_in_time(s->is.user, t, z, &more);
    *U += more;
    return status || s->base || !s->of->add_in_time ? status : s->of->add_in_time(s, t, z, U);
}

ph_status ph_system_gradient_in_time(const ph_system *s, double t, const double *z, double *dU)
{
    if (!s)
        return PH_E_INVALID;
    memset(dU, 0, s->nz * sizeof *dU);
    return add_gradient_in_time(s, t, z, dU);
}

ph_status ph_system_add_rate(const ph_system *s, double t, const double *z, double *rate)
{
    double own = 0;
    ph_status status = s->base ? ph_system_add_rate(s->base, t, z, rate) : PH_OK;
    if (!status && s->is.potential_rate)
        status = s->is.potential_rate(s->is.user, t, z, &own);
    *rate += own;
    return status || s->base || !s->of->add_rate ? status : s->of->add_rate(s, t, z, rate);
}

ph_status ph_system_power(const ph_system *s, double t, const double *z, const double *zdot, double *power,
                          double *work)
{
    if (!s)
        return PH_E_INVALID;
    if (!ph_system_has_power(s))
        return PH_E_UNSUPPORTED;
    *power = 0;
    ph_status status = s->of->power ? s->of->power(ph_system_root(s), t, z, power, work) : PH_OK;
    if (!status && ph_system_has_force(s)) {
        memset(work, 0, s->nz * sizeof *work);
        status = add_forces(s, t, z, zdot, work);
        for (size_t k = 0; k < s->nz; k++)
            *power += work[k] * zdot[k];
    }
    const ph_system_definition *is = &ph_system_root(s)->is;
    if (!status && is->lagrangian_rate) {
        double Lt = 0;
        status = is->lagrangian_rate(is->user, t, z, zdot, &Lt, work);
        *power -= Lt;
    }
    return status ? status : ph_system_add_rate(s, t, z, power);
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
