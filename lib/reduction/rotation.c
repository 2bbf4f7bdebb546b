/* SPDX-License-Identifier: BSD-3-Clause */
/* Locked inertia, mechanical connection and amended potential of a rotation about an axis
 * (polhode/domain/reduction.h). In ambient coordinates its generator is linear, zeta = Z z with Z^T = -Z, so that with
 * c = MM zeta
 *     I = zeta . c,   dI . e = 2 c . Z e + zeta . (dMM . e) zeta = (-2 Z c + 2 d/dz [zeta . MM zeta / 2]) . e:
 * no derivative of the generator is needed. */
#include <polhode/constraints.h>
#include <polhode/domain/reduction.h>
#include <polhode/kit/vector.h>

#include "lib/internal/missing.h"
#include "lib/system/generator.h"
#include "lib/system/structure.h"

#include <math.h>
#include <stdio.h>

/* Where nothing is off the axis by more than this part of z, there is no connection: I below 1e-12. */
static const double off_axis_from = 1e-6;

size_t ph_reduction_work(const ph_system *s)
{
    return 3 * ph_space_ambient(ph_system_space(s)) + ph_system_work(s);
}

static ph_status takes(const ph_system *s, size_t i)
{
    if (!s)
        return PH_E_INVALID;
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    if (!symmetry)
        return PH_E_RANGE;
    return symmetry->generator || ph_system_kind(s) == PH_LAGRANGIAN_GENERAL ||
                   ph_structure_of(s)->no_velocities || ph_system_constraints(s)
               ? PH_E_UNSUPPORTED
               : PH_OK;
}

ph_status ph_reduction_generator(const ph_system *s, size_t i, const double *z, double *zeta)
{
    ph_status status = takes(s, i);
    if (!status)
        ph_turn_about(ph_system_space(s), ph_system_symmetry(s, i)->axis, z, zeta);
    return status;
}

/* zeta, c <- the generator and its covector MM zeta; Lz (nz) <- dL/dz at that velocity. */
static ph_status load(const ph_system *s, size_t i, const double *z, double *zeta, double *c, double *Lz,
                      double *work)
{
    ph_status status = ph_reduction_generator(s, i, z, zeta);
    return status ? status : ph_system_lagrangian_gradient(s, 0, z, zeta, Lz, c, work);
}

ph_status ph_reduction_locked_inertia(const ph_system *s, size_t i, const double *z, double *inertia,
                                      double *work)
{
    ph_status status = takes(s, i);
    if (status)
        return status;
    const size_t nz = ph_space_ambient(ph_system_space(s));
    double *zeta = work, *c = work + nz, *rest = work + 3 * nz;
    status = load(s, i, z, zeta, c, NULL, rest);
    if (!status)
        *inertia = ph_dot(zeta, c, nz);
    return status;
}

ph_status ph_reduction_locked_inertia_gradient(const ph_system *s, size_t i, const double *z, double *dI,
                                               double *work)
{
    ph_status status = takes(s, i);
    if (status)
        return status;
    const ph_space *space = ph_system_space(s);
    const size_t nz = ph_space_ambient(space);
    double *zeta = work, *c = work + nz, *Lz = work + 2 * nz, *rest = work + 3 * nz;
    const bool varying = ph_system_kind(s) == PH_INERTIA_VARYING;
    status = load(s, i, z, zeta, c, varying ? Lz : NULL, rest);
    if (!status && varying)
        status = ph_system_gradient(s, z, zeta); /* dL/dz + dU: the part of the kinetic energy */
    if (status)
        return status;
    ph_turn_about(space, ph_system_symmetry(s, i)->axis, c, dI);
    for (size_t k = 0; k < nz; k++)
        dI[k] = -2 * dI[k] + (varying ? 2 * (Lz[k] + zeta[k]) : 0);
    return PH_OK;
}

/* Nothing is off the axis: which factors point where? */
static ph_status fail_on_axis(const ph_system *s, size_t i, const double *z, ph_error *err)
{
    const ph_space *space = ph_system_space(s);
    const ph_symmetry *symmetry = ph_system_symmetry(s, i);
    char where[160] = "";
    for (size_t j = 0, at = 0; j < ph_space_factors(space) && at < sizeof where - 40; j++) {
        const ph_factor_place *f = ph_space_factor(space, j);
        if (f->kind != PH_FACTOR_S2)
            continue;
        const bool along = ph_dot(z + f->z, symmetry->axis, 3) > 0;
        at +=
            (size_t)snprintf(where + at, sizeof where - at, "%s%s %zu %s", at ? ", " : ": ",
                             ph_space_factor_words(space, j)->noun, j + 1, along ? "along it" : "against it");
    }
    return ph_fail(err, PH_E_SINGULAR,
                   "the locked inertia of the symmetry %s is 0, as nothing is off its axis (%g, %g, %g)%s; "
                   "reduction needs a configuration that the rotation moves",
                   symmetry->name, symmetry->axis[0], symmetry->axis[1], symmetry->axis[2], where);
}

static bool is_on_axis(const ph_system *s, size_t i, const double *z, const double *zeta, double inertia)
{
    const size_t nz = ph_space_ambient(ph_system_space(s));
    const double *axis = ph_system_symmetry(s, i)->axis, size = sqrt(ph_dot(axis, axis, 3));
    return !(inertia > 0) || ph_max_norm(zeta, nz) <= off_axis_from * size * ph_max_norm(z, nz);
}

static ph_status fail_called(ph_error *err, ph_status status)
{
    if (status == PH_E_UNSUPPORTED)
        return ph_fail(err, status,
                       "reduction by a rotation takes symmetries that are given by an axis, of systems "
                       "without velocity constraints whose kinetic energy is quadratic (spins have none)");
    return ph_fail(err, status, "reduction by a rotation: %s", ph_status_text(status));
}

ph_status ph_reduction_connection(const ph_system *s, size_t i, const double *z, const double *zdot,
                                  double *rate, double *work, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    double inertia;
    ph_status status = ph_reduction_locked_inertia(s, i, z, &inertia, work);
    if (status)
        return fail_called(err, status);
    const size_t nz = ph_space_ambient(ph_system_space(s)); /* work: zeta and MM zeta */
    if (is_on_axis(s, i, z, work, inertia))
        return fail_on_axis(s, i, z, err);
    *rate = ph_dot(work + nz, zdot, nz) / inertia;
    return PH_OK;
}

ph_status ph_reduction_amended_potential(const ph_system *s, size_t i, const double *z, double mu, double *V,
                                         double *dV, double *work, ph_error *err)
{
    if (!s)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    double inertia, U = 0;
    ph_status status = ph_reduction_locked_inertia(s, i, z, &inertia, work);
    if (status)
        return fail_called(err, status);
    const size_t nz = ph_space_ambient(ph_system_space(s));
    if (mu != 0 && is_on_axis(s, i, z, work, inertia))
        return fail_on_axis(s, i, z, err);
    const double rate = mu != 0 ? mu / inertia : 0;
    double *dU = work;
    status = ph_system_potential(s, z, &U);
    if (!status && dV)
        status = ph_reduction_locked_inertia_gradient(s, i, z, dV, work);
    if (!status && dV)
        status = ph_system_gradient(s, z, dU);
    if (status)
        return fail_called(err, status);
    for (size_t k = 0; dV && k < nz; k++)
        dV[k] = dU[k] - 0.5 * rate * rate * dV[k];
    *V = U + 0.5 * rate * mu;
    return PH_OK;
}
