/* SPDX-License-Identifier: BSD-3-Clause */
/* The Lagrangian, its first derivatives and the energy, however it was given. With an inertia MM(z) and a
 * potential
 *     L_v = MM v,   L_z = (1/2) v . dMM/dz v - dU/dz;
 * by a callback where there is one for that, too (of formulas, which differentiate L itself, without the entries of dMM/dz);
 * of a general L by its callbacks, or as general.c computes them. */
#include "lagrangian.h"

#include <string.h>

/* ---- Sizes -------------------------------------------------------------------------------------- */

/* Doubles of work that ph_system_lagrangian_gradient needs for the root r: the inertia and its derivative,
 * or the arguments of L. */
static size_t gradient_work(const ph_system *r)
{
    size_t m = ph_inertia_rows(r);
    if (r->kind == PH_INERTIA_CONSTANT || r->kind == PH_PHASE_SPACE)
        return 0;
    if (r->kind == PH_INERTIA_VARYING)
        return r->is.lagrangian_hessian ? m * m : m * m * (1 + r->nz); /* the callbacks take dMM/dz's place */
    return 4 * r->nz + 2; /* complex arguments; or shifted ones */
}

/* Doubles that differences of the gradient need: shifted arguments and one gradient. */
static size_t hessian_work(const ph_system *r)
{
    return gradient_work(r) + 4 * r->nz;
}

size_t ph_lagrangian_work(const ph_system *s)
{
    const ph_system *r = ph_system_root(s);
    size_t general =
        r->kind == PH_LAGRANGIAN_GENERAL || r->is.lagrangian_hessian ? 2 * r->nz * r->nz + 2 * r->nz : 0;
    return hessian_work(r) + general;
}

/* ---- What is exact ------------------------------------------------------------------------------ */

bool ph_system_gradient_is_exact(const ph_system *s)
{
    const ph_system_definition *is = &ph_system_root(s)->is;
    return s->kind != PH_LAGRANGIAN_GENERAL || is->lagrangian_gradient || is->lagrangian_complex;
}

bool ph_system_gradient_on_manifold(const ph_system *s)
{
    return ph_system_root(s)->is.gradient_on_manifold;
}

bool ph_system_hessian_is_exact(const ph_system *s, bool with_zz)
{
    const bool known = ph_system_root(s)->is.lagrangian_hessian != NULL;
    return known || (s->kind != PH_LAGRANGIAN_GENERAL && !with_zz);
}

/* ---- Value, gradient, energy -------------------------------------------------------------------- */

/* Lv serves as scratch for dU/dz until it is computed. Where Lz is not requested, neither the potential
 * nor the derivative of the inertia is evaluated. */
ph_status ph_system_lagrangian_gradient(const ph_system *s, double t, const double *z, const double *v,
                                        double *Lz, double *Lv, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    const ph_system_definition *is = &r->is;
    ph_status status = PH_OK;
    if (r->kind == PH_PHASE_SPACE)
        return PH_E_UNSUPPORTED;
    if (r->kind == PH_LAGRANGIAN_GENERAL)
        return ph_general_gradient(r, t, z, v, Lz, Lv, work);
    if (Lz && is->lagrangian_gradient)
        return is->lagrangian_gradient(is->user, t, z, v, Lz, Lv);
    double *M = work, *dM = work + ph_inertia_rows(r) * ph_inertia_rows(r);
    bool varying = r->kind == PH_INERTIA_VARYING;
    if (Lz)
        status = ph_system_gradient(r, z, Lv); /* Lv for the moment */
    if (!status && varying)
        status = ph_inertia_at(r, z, M);
    if (!status && varying && Lz)
        status = is->inertia_dz(is->user, z, dM);
    if (status)
        return status;
    if (Lz && varying)
        ph_inertia_kinetic_gradient(r, dM, v, Lz);
    for (size_t k = 0; k < r->nz && Lz; k++)
        Lz[k] = (varying ? Lz[k] : 0) - Lv[k];
    if (varying)
        ph_inertia_apply(r, M, v, Lv);
    else
        ph_system_apply_inertia(r, v, Lv);
    return PH_OK;
}

ph_status ph_system_lagrangian(const ph_system *s, double t, const double *z, const double *v, double *L,
                               double *work)
{
    if (!s)
        return PH_E_INVALID;
    double T = 0, U = 0;
    if (s->kind == PH_PHASE_SPACE)
        return PH_E_UNSUPPORTED;
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return ph_general_value(ph_system_root(s), t, z, v, L, work);
    ph_status status = ph_system_energy(s, t, z, v, &T, &U, work);
    *L = T - U;
    return status;
}

/* E = L_v . v - L. With an inertia L_v . v is twice the kinetic energy, and U is evaluated by itself; of a
 * general L the potential is -L(z, 0), and the kinetic energy the rest of E. */
ph_status ph_system_energy(const ph_system *s, double t, const double *z, const double *v, double *kinetic,
                           double *potential, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz;
    double *Lv = work, *more = work + nz, L = 0, twice = 0;
    ph_status status = PH_OK;
    if (r->kind == PH_PHASE_SPACE) {
        *kinetic = 0;
        return ph_system_potential(r, z, potential);
    }
    if (r->kind != PH_LAGRANGIAN_GENERAL)
        status = ph_system_potential(r, z, potential);
    else if (!(status = ph_general_value(r, t, z, r->rest, potential, more)))
        status = ph_general_value(r, t, z, v, &L, more);
    if (!status)
        status = ph_system_lagrangian_gradient(r, t, z, v, NULL, Lv, more);
    if (status)
        return status;
    twice = ph_dot(Lv, v, nz);
    if (r->kind == PH_LAGRANGIAN_GENERAL) {
        *potential = -*potential;
        *kinetic = twice - L - *potential;
    } else {
        *kinetic = 0.5 * twice;
    }
    return PH_OK;
}
