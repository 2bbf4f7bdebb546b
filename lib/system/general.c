/* SPDX-License-Identifier: BSD-3-Clause */
/* A general Lagrangian L(z, zdot) where callbacks give L alone: its value, and its first and second
 * derivatives. The first are computed by a complex step if L is given for complex arguments,
 *     dL/dx = Im L(x + i s) / s,
 * which is exact as s is so small that its square vanishes (Squire, Trapp, SIAM Review 40 (1998) 110), else
 * by central differences of order 8; the second by differences of order 8 of L. */
#include <polhode/kit/algebra.h>

#include "lagrangian.h"

#include <string.h>

/* ---- Value and first derivatives ---------------------------------------------------------------- */

/* The imaginary step: its square underflows, so that no term of second order remains. */
static const double imaginary = 1e-150;

/* L (2) <- L at real arguments by the callback for complex ones. work (4 nz): the pairs re, im of z and of
 * v. */
static ph_status call_complex(const ph_system *r, double t, const double *z, const double *v, double *L,
                              double *work)
{
    double *zc = work, *vc = work + 2 * r->nz;
    for (size_t i = 0; i < r->nz; i++) {
        zc[2 * i] = z[i];
        vc[2 * i] = v[i];
        zc[2 * i + 1] = vc[2 * i + 1] = 0;
    }
    return r->is.lagrangian_complex(r->is.user, t, zc, vc, L);
}

ph_status ph_general_value(const ph_system *r, double t, const double *z, const double *v, double *L,
                           double *work)
{
    if (r->is.lagrangian)
        return r->is.lagrangian(r->is.user, t, z, v, L);
    double *value = work + 4 * r->nz;
    ph_status status = call_complex(r, t, z, v, value, work);
    *L = value[0];
    return status;
}

/* dL/dx_k = Im L(x + i s e_k) / s, one call for each coordinate k of (z, v), or of v where Lz is NULL. */
static ph_status complex_gradient(const ph_system *r, double t, const double *z, const double *v, double *Lz,
                                  double *Lv, double *work)
{
    double *x = work, *L = work + 4 * r->nz;
    ph_status status = call_complex(r, t, z, v, L, work);
    for (size_t k = Lz ? 0 : r->nz; k < 2 * r->nz && !status; k++) { /* zc, and vc behind it */
        x[2 * k + 1] = imaginary;
        status = r->is.lagrangian_complex(r->is.user, t, work, work + 2 * r->nz, L);
        x[2 * k + 1] = 0;
        (k < r->nz ? Lz : Lv)[k % r->nz] = L[1] / imaginary;
    }
    return status;
}

/* Lz (nullable), Lv by differences of L alone. */
static ph_status differenced_gradient(const ph_system *r, double t, const double *z, const double *v,
                                      double *Lz, double *Lv, double *work)
{
    size_t nz = r->nz;
    double *x = work; /* z, v */
    memcpy(x, z, nz * sizeof *x);
    memcpy(x + nz, v, nz * sizeof *x);
    for (size_t k = Lz ? 0 : nz; k < 2 * nz; k++) {
        double at = x[k], s = k < nz ? ph_stencil_step : ph_stencil_velocity_step(nz, v), sum = 0;
        for (int j = 0; j < PH_STENCIL_POINTS; j++) {
            volatile double up = at + (j + 1) * s, down = at - (j + 1) * s;
            double plus = 0, minus = 0;
            x[k] = up;
            ph_status status = r->is.lagrangian(r->is.user, t, x, x + nz, &plus);
            x[k] = down;
            if (!status)
                status = r->is.lagrangian(r->is.user, t, x, x + nz, &minus);
            if (status)
                return status;
            sum += ph_stencil[j] * (plus - minus) / (up - down);
        }
        x[k] = at;
        (k < nz ? Lz : Lv)[k % nz] = sum;
    }
    return PH_OK;
}

ph_status ph_general_gradient(const ph_system *r, double t, const double *z, const double *v, double *Lz,
                              double *Lv, double *work)
{
    const ph_system_definition *is = &r->is;
    return is->lagrangian_gradient  ? is->lagrangian_gradient(is->user, t, z, v, Lz ? Lz : work, Lv)
           : is->lagrangian_complex ? complex_gradient(r, t, z, v, Lz, Lv, work)
                                    : differenced_gradient(r, t, z, v, Lz, Lv, work);
}

/* ---- Second derivatives ------------------------------------------------------------------------- */

/* *second <- d2L/ds2 along the i-th and j-th of the coordinates (z, v) together (i = j: along one), by
 * differences of order 8; steps[2] are those of z and v, x (2 nz) is (z, v) again afterwards. */
static ph_status second_difference(const ph_system *r, double t, double *x, size_t i, size_t j,
                                   const double steps[2], double *second)
{
    static const double middle = -205. / 72,
                        beside[PH_STENCIL_POINTS] = {8. / 5, -1. / 5, 8. / 315, -1. / 560};
    size_t nz = r->nz;
    double xi = x[i], xj = x[j], L = 0;
    ph_status status = r->is.lagrangian(r->is.user, t, x, x + nz, &L);
    *second = middle * L;
    for (int k = 0; k < 2 * PH_STENCIL_POINTS && !status; k++) {
        int point = k / 2, side = k % 2 ? -1 : 1;
        x[i] = xi + side * (point + 1) * steps[i >= nz];
        if (j != i)
            x[j] = xj + side * (point + 1) * steps[j >= nz];
        status = r->is.lagrangian(r->is.user, t, x, x + nz, &L);
        *second += beside[point] * L;
    }
    x[i] = xi;
    x[j] = xj;
    return status;
}

/* All second derivatives from L alone: 2 d2L/dx_i dx_j = D2 along both - D2 along x_i - D2 along x_j. */
ph_status ph_general_hessian(const ph_system *r, double t, const double *z, const double *v, double *Lzz,
                             double *Lvz, double *Lvv, double *work)
{
    size_t nz = r->nz;
    double *x = work, *own = work + 2 * nz;
    double steps[2] = {PH_SECOND_WIDER * ph_stencil_step, PH_SECOND_WIDER * ph_stencil_velocity_step(nz, v)};
    memcpy(x, z, nz * sizeof *x);
    memcpy(x + nz, v, nz * sizeof *x);
    ph_status status = PH_OK;
    for (size_t i = 0; i < 2 * nz && !status; i++)
        status = second_difference(r, t, x, i, i, steps, &own[i]);
    for (size_t i = 0; i < 2 * nz && !status; i++)
        for (size_t j = i < nz ? (Lzz ? 0 : nz) : Lvz ? 0 : nz; j <= i && !status; j++) {
            double both = 4 * own[i], size = steps[i >= nz] * steps[j >= nz], entry;
            if (j != i)
                status = second_difference(r, t, x, i, j, steps, &both);
            entry = (both - own[i] - own[j]) / (2 * size);
            if (i < nz)
                Lzz[i * nz + j] = Lzz[j * nz + i] = entry;
            else if (j < nz && Lvz)
                Lvz[(i - nz) * nz + j] = entry;
            else if (j >= nz)
                Lvv[(i - nz) * nz + j - nz] = Lvv[(j - nz) * nz + i - nz] = entry;
        }
    return status;
}
