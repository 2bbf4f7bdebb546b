/* SPDX-License-Identifier: BSD-3-Clause */
/* Second derivatives of the Lagrangian, and the Euler-Lagrange equations. With an inertia MM(z) and a
 * potential
 *     L_vv = MM,   L_vz = dMM/dz v,
 * L_zz by central differences of order 8 of L_z; of a general L by its callback, by differences of its
 * gradient, or, where that is by differences too, by differences of L (general.c). Without constraints the
 * equations of motion are
 *     L_vv zddot + L_vz zdot + L_vt - L_z = f. */
#include <polhode/kit/algebra.h>

#include "lagrangian.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Derivatives of the gradient by central differences of order 8 along z (dL/dz into of_z, dL/dzdot into
 * of_v, each nullable) or along v (dL/dzdot into of_v), a column at a time. work (4 nz and that of the
 * gradient) */
static ph_status differenced_columns(const ph_system *r, double t, const double *z, const double *v,
                                     bool along_z, double *of_z, double *of_v, double *work)
{
    size_t nz = r->nz;
    double *x = work, *Lz = work + 2 * nz, *Lv = work + 3 * nz, *more = work + 4 * nz;
    double s = along_z ? ph_stencil_step : ph_stencil_velocity_step(nz, v);
    memcpy(x, z, nz * sizeof *x);
    memcpy(x + nz, v, nz * sizeof *x);
    for (size_t k = 0; k < nz; k++) {
        double *moved = x + (along_z ? k : nz + k), at = *moved;
        for (size_t i = 0; i < nz; i++) {
            if (of_z)
                of_z[i * nz + k] = 0;
            if (of_v)
                of_v[i * nz + k] = 0;
        }
        for (int j = 0; j < 2 * PH_STENCIL_POINTS; j++) {
            int point = j / 2;
            volatile double up = at + (point + 1) * s, down = at - (point + 1) * s;
            double share = (j % 2 ? -1 : 1) * ph_stencil[point] / (up - down);
            *moved = j % 2 ? down : up;
            ph_status status = ph_system_lagrangian_gradient(r, t, x, x + nz, of_z ? Lz : NULL, Lv, more);
            if (status)
                return status;
            for (size_t i = 0; i < nz; i++) {
                if (of_z)
                    of_z[i * nz + k] += share * Lz[i];
                if (of_v)
                    of_v[i * nz + k] += share * Lv[i];
            }
        }
        *moved = at;
    }
    return PH_OK;
}

/* An entry of L_vv by differences of the gradient carries rounding of about eps |L_v| / s, by differences
 * of L of about eps |L| / s^2, s the step. */
ph_status ph_lagrangian_noise(const ph_system *s, double t, const double *z, const double *zdot,
                              double *noise, double *work)
{
    static const double rounding = 32 * DBL_EPSILON; /* of a sum of values with weights up to 4 */
    const ph_system *r = ph_system_root(s);
    const double *v = zdot ? zdot : r->rest;
    double width = ph_stencil_velocity_step(r->nz, v), L = 0, *Lv = work, *more = work + r->nz;
    *noise = 0;
    if (ph_system_hessian_is_exact(r, false))
        return PH_OK;
    ph_status status = ph_system_lagrangian_gradient(r, t, z, v, NULL, Lv, more);
    *noise = rounding * ph_max_norm(Lv, r->nz) / width;
    if (status || ph_system_gradient_is_exact(r))
        return status;
    status = ph_general_value(r, t, z, v, &L, more);
    width *= PH_SECOND_WIDER;
    *noise = rounding * (fabs(L) + PH_STENCIL_POINTS * width * ph_max_norm(Lv, r->nz)) / (width * width);
    return status;
}

ph_status ph_system_lagrangian_hessian(const ph_system *s, double t, const double *z, const double *v,
                                       double *Lzz, double *Lvz, double *Lvv, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz, m = ph_inertia_rows(r);
    ph_status status = PH_OK;
    if (r->is.lagrangian_hessian)
        return r->is.lagrangian_hessian(r->is.user, t, z, v, Lzz ? Lzz : work, Lvz ? Lvz : work + nz * nz,
                                        Lvv);
    if (!ph_system_is_dense(r))
        return PH_E_UNSUPPORTED;
    if (!ph_system_gradient_is_exact(r))
        return ph_general_hessian(r, t, z, v, Lzz, Lvz, Lvv, work);
    if (r->kind == PH_LAGRANGIAN_GENERAL) {
        if (Lzz || Lvz)
            status = differenced_columns(r, t, z, v, true, Lzz, Lvz, work);
        return status ? status : differenced_columns(r, t, z, v, false, NULL, Lvv, work);
    }
    if (r->kind == PH_INERTIA_CONSTANT) {
        ph_inertia_expand(r, r->M ? r->M : r->MM, Lvv);
        if (Lvz)
            memset(Lvz, 0, nz * nz * sizeof *Lvz);
    } else {
        status = ph_inertia_at(r, z, work);
        if (!status && Lvz)
            status = r->is.inertia_dz(r->is.user, z, work + m * m);
        if (status)
            return status;
        ph_inertia_expand(r, work, Lvv);
        if (Lvz)
            ph_inertia_mixed_derivative(r, work + m * m, v, Lvz);
    }
    return Lzz ? differenced_columns(r, t, z, v, true, Lzz, NULL, work) : PH_OK;
}

/* With an inertia, b = dU/dz + (rate of MM along zdot) zdot - (1/2) zdot . dMM/dz zdot, summed entry by
 * entry of the derivative of the inertia. */
ph_status ph_system_euler_lagrange(const ph_system *s, double t, const double *z, const double *v, double *A,
                                   double *b, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz, m = ph_inertia_rows(r);
    double *dM = work + m * m;
    if (r->kind == PH_LAGRANGIAN_GENERAL || (r->is.lagrangian_gradient && r->is.lagrangian_hessian)) {
        double *Lvz = work, *Lz = Lvz + nz * nz, *Lv = Lz + nz, *more = Lv + nz, Lt;
        ph_status status = ph_system_lagrangian_gradient(r, t, z, v, Lz, Lv, more);
        if (!status)
            status = ph_system_lagrangian_hessian(r, t, z, v, NULL, Lvz, A, more);
        if (!status && r->is.lagrangian_rate)
            status = r->is.lagrangian_rate(r->is.user, t, z, v, &Lt, Lv);
        for (size_t i = 0; i < nz && !status; i++) {
            b[i] = (r->is.lagrangian_rate ? Lv[i] : 0) - Lz[i];
            for (size_t k = 0; k < nz; k++)
                b[i] += Lvz[i * nz + k] * v[k];
        }
        return status;
    }
    if (!ph_system_is_dense(r))
        return PH_E_UNSUPPORTED;
    ph_status status = ph_system_gradient(r, z, b);
    if (r->kind == PH_INERTIA_CONSTANT) {
        ph_inertia_expand(r, r->M ? r->M : r->MM, A);
        return status;
    }
    if (!status)
        status = ph_inertia_at(r, z, work);
    if (!status)
        status = r->is.inertia_dz(r->is.user, z, dM);
    if (status)
        return status;
    ph_inertia_expand(r, work, A);
    /* sum_jk (dm_ij/dz_k v_k v_j) less (1/2) v . dm/dz_i v */
    size_t d = nz / m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const double *entry = dM + (i * m + j) * nz;
            double rate = 0, product = 0;
            for (size_t k = 0; k < nz; k++)
                rate += entry[k] * v[k];
            for (size_t c = 0; c < d; c++) {
                product += v[d * i + c] * v[d * j + c];
                b[d * i + c] += rate * v[d * j + c];
            }
            for (size_t k = 0; k < nz; k++)
                b[k] -= 0.5 * product * entry[k];
        }
    return PH_OK;
}
