/* SPDX-License-Identifier: BSD-3-Clause */
/* The Lagrangian and its derivatives, however it was given. With an inertia MM(z) and a potential
 *     L_v = MM v,   L_z = (1/2) v . dMM/dz v - dU/dz,   L_vz = dMM/dz v,   L_vv = MM;
 * a general L by its callbacks. Derivatives without a callback are computed by a complex step,
 * dL/dx = Im L(x + i s) / s, which is exact as s is so small that its square vanishes (Squire, Trapp, SIAM
 * Review 40 (1998) 110), or by central differences of order 8. */
#include <polhode/algebra.h>

#include "system.h"

#include <float.h>
#include <string.h>

/* ---- Sizes -------------------------------------------------------------------------------------- */

/* Rows of the inertia as it is given. */
static size_t inertia_rows(const ph_system *r)
{
    return r->is.ambient_inertia_at || r->MM ? r->nz : r->n;
}

static size_t gradient_work(const ph_system *r)
{
    size_t m = inertia_rows(r);
    if (r->kind == PH_INERTIA_CONSTANT)
        return 0;
    if (r->kind == PH_INERTIA_VARYING)
        return m * m * (1 + r->nz);
    return 4 * r->nz + 2; /* complex arguments; or shifted ones */
}

static size_t hessian_work(const ph_system *r)
{
    return gradient_work(r) + 4 * r->nz;
}

size_t ph_lagrangian_work(const ph_system *s)
{
    const ph_system *r = ph_system_root(s);
    size_t general = r->kind == PH_LAGRANGIAN_GENERAL ? 2 * r->nz * r->nz + 2 * r->nz : 0;
    return hessian_work(r) + general;
}

/* ---- Inertia that depends on the configuration --------------------------------------------------- */

static ph_status call_inertia(const ph_system *r, const double *z, double *M)
{
    ph_inertia_fn inertia = r->is.inertia_at ? r->is.inertia_at : r->is.ambient_inertia_at;
    return inertia(r->is.user, z, M);
}

/* out (nz) <- the matrix A (m x m), by pairs or in full, times v. */
static void apply(const ph_system *r, const double *A, const double *v, double *out)
{
    size_t m = inertia_rows(r), d = r->nz / m;
    for (size_t i = 0; i < r->nz; i++) {
        const double *row = A + i / d * m;
        out[i] = 0;
        for (size_t j = 0; j < m; j++)
            out[i] += row[j] * v[d * j + i % d];
    }
}

/* Lz (nz) <- (1/2) v . dM/dz v */
static void kinetic_gradient(const ph_system *r, const double *dM, const double *v, double *Lz)
{
    size_t m = inertia_rows(r), d = r->nz / m;
    memset(Lz, 0, r->nz * sizeof *Lz);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++) {
            const double *entry = dM + (i * m + j) * r->nz;
            double product = 0;
            for (size_t c = 0; c < d; c++)
                product += v[d * i + c] * v[d * j + c];
            for (size_t k = 0; k < r->nz; k++)
                Lz[k] += 0.5 * product * entry[k];
        }
}

/* Lvz[i nz + k] <- sum_j dM_ij/dz_k v_j */
static void mixed_derivative(const ph_system *r, const double *dM, const double *v, double *Lvz)
{
    size_t m = inertia_rows(r), d = r->nz / m;
    for (size_t i = 0; i < r->nz; i++)
        for (size_t k = 0; k < r->nz; k++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++)
                sum += dM[(i / d * m + j) * r->nz + k] * v[d * j + i % d];
            Lvz[i * r->nz + k] = sum;
        }
}

/* A (nz x nz) <- M in full */
static void expand(const ph_system *r, const double *M, double *A)
{
    size_t m = inertia_rows(r), d = r->nz / m;
    for (size_t i = 0; i < r->nz; i++)
        for (size_t j = 0; j < r->nz; j++)
            A[i * r->nz + j] = i % d == j % d ? M[i / d * m + j / d] : 0;
}

ph_status ph_system_pair_inertia(const ph_system *s, const double *z, double *m, double *dm)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    if (!ph_system_has_pair_inertia(s))
        return PH_E_UNSUPPORTED;
    if (r->M) {
        memcpy(m, r->M, r->n * r->n * sizeof *m);
        if (dm)
            memset(dm, 0, r->n * r->n * r->nz * sizeof *dm);
        return PH_OK;
    }
    ph_status status = r->is.inertia_at(r->is.user, z, m);
    return status || !dm ? status : r->is.inertia_dz(r->is.user, z, dm);
}

/* ---- A general Lagrangian: derivatives without a callback ---------------------------------------- */

/* The imaginary step: its square underflows, so that no term of second order remains. */
static const double imaginary = 1e-150;

static ph_status call_complex(const ph_system *r, const double *z, const double *v, double *L, double *work)
{
    double *zc = work, *vc = work + 2 * r->nz;
    for (size_t i = 0; i < r->nz; i++) {
        zc[2 * i] = z[i];
        vc[2 * i] = v[i];
        zc[2 * i + 1] = vc[2 * i + 1] = 0;
    }
    return r->is.lagrangian_complex(r->is.user, zc, vc, L);
}

static ph_status call_lagrangian(const ph_system *r, const double *z, const double *v, double *L,
                                 double *work)
{
    if (r->is.lagrangian)
        return r->is.lagrangian(r->is.user, z, v, L);
    double *value = work + 4 * r->nz;
    ph_status status = call_complex(r, z, v, value, work);
    *L = value[0];
    return status;
}

static ph_status complex_gradient(const ph_system *r, const double *z, const double *v, double *Lz,
                                  double *Lv, double *work)
{
    double *x = work, *L = work + 4 * r->nz;
    ph_status status = call_complex(r, z, v, L, work);
    for (size_t k = Lz ? 0 : r->nz; k < 2 * r->nz && !status; k++) { /* zc, and vc behind it */
        x[2 * k + 1] = imaginary;
        status = r->is.lagrangian_complex(r->is.user, work, work + 2 * r->nz, L);
        x[2 * k + 1] = 0;
        (k < r->nz ? Lz : Lv)[k % r->nz] = L[1] / imaginary;
    }
    return status;
}

/* Central differences of order 8: sum_j weight_j (f(x + j s) - f(x - j s)) / (2 j s). */
enum { POINTS = 4 };
static const double weight[POINTS] = {8. / 5, -4. / 5, 8. / 35, -1. / 35};
static const double step = 0x1p-7; /* of a unit of z (a radian), or of the largest velocity */

/* Factor of the step for second differences, where rounding errors are divided by the square of the step. */
enum { SECOND_WIDER = 4 };

static double velocity_step(size_t nz, const double *v)
{
    double size = ph_max_norm(v, nz);
    return size > 0 ? step * size : step;
}

/* Lz (nullable), Lv by differences of L alone. */
static ph_status differenced_gradient(const ph_system *r, const double *z, const double *v, double *Lz,
                                      double *Lv, double *work)
{
    size_t nz = r->nz;
    double *x = work; /* z, v */
    memcpy(x, z, nz * sizeof *x);
    memcpy(x + nz, v, nz * sizeof *x);
    for (size_t k = Lz ? 0 : nz; k < 2 * nz; k++) {
        double at = x[k], s = k < nz ? step : velocity_step(nz, v), sum = 0;
        for (int j = 0; j < POINTS; j++) {
            volatile double up = at + (j + 1) * s, down = at - (j + 1) * s;
            double plus = 0, minus = 0;
            x[k] = up;
            ph_status status = r->is.lagrangian(r->is.user, x, x + nz, &plus);
            x[k] = down;
            if (!status)
                status = r->is.lagrangian(r->is.user, x, x + nz, &minus);
            if (status)
                return status;
            sum += weight[j] * (plus - minus) / (up - down);
        }
        x[k] = at;
        (k < nz ? Lz : Lv)[k % nz] = sum;
    }
    return PH_OK;
}

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
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return ph_system_root(s)->is.lagrangian_hessian != NULL;
    return !with_zz;
}

/* ---- First derivatives --------------------------------------------------------------------------- */

ph_status ph_system_lagrangian_gradient(const ph_system *s, const double *z, const double *v, double *Lz,
                                        double *Lv, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    const ph_system_definition *is = &r->is;
    ph_status status = PH_OK;
    if (r->kind == PH_LAGRANGIAN_GENERAL)
        return is->lagrangian_gradient  ? is->lagrangian_gradient(is->user, z, v, Lz ? Lz : work, Lv)
               : is->lagrangian_complex ? complex_gradient(r, z, v, Lz, Lv, work)
                                        : differenced_gradient(r, z, v, Lz, Lv, work);
    double *M = work, *dM = work + inertia_rows(r) * inertia_rows(r);
    bool varying = r->kind == PH_INERTIA_VARYING;
    if (Lz)
        status = ph_system_gradient(r, z, Lv); /* Lv for the moment */
    if (!status && varying)
        status = call_inertia(r, z, M);
    if (!status && varying && Lz)
        status = is->inertia_dz(is->user, z, dM);
    if (status)
        return status;
    if (Lz && varying)
        kinetic_gradient(r, dM, v, Lz);
    for (size_t k = 0; k < r->nz && Lz; k++)
        Lz[k] = (varying ? Lz[k] : 0) - Lv[k];
    if (varying)
        apply(r, M, v, Lv);
    else
        ph_system_apply_inertia(r, v, Lv);
    return PH_OK;
}

ph_status ph_system_lagrangian(const ph_system *s, const double *z, const double *v, double *L, double *work)
{
    if (!s)
        return PH_E_INVALID;
    double T = 0, U = 0;
    if (s->kind == PH_LAGRANGIAN_GENERAL)
        return call_lagrangian(ph_system_root(s), z, v, L, work);
    ph_status status = ph_system_energy(s, z, v, &T, &U, work);
    *L = T - U;
    return status;
}

ph_status ph_system_energy(const ph_system *s, const double *z, const double *v, double *kinetic,
                           double *potential, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz;
    double *Lv = work, *more = work + nz, L = 0, twice = 0;
    ph_status status = PH_OK;
    if (r->kind != PH_LAGRANGIAN_GENERAL)
        status = ph_system_potential(r, z, potential);
    else if (!(status = call_lagrangian(r, z, r->rest, potential, more)))
        status = call_lagrangian(r, z, v, &L, more);
    if (!status)
        status = ph_system_lagrangian_gradient(r, z, v, NULL, Lv, more);
    if (status)
        return status;
    for (size_t k = 0; k < nz; k++)
        twice += Lv[k] * v[k];
    if (r->kind == PH_LAGRANGIAN_GENERAL) {
        *potential = -*potential;
        *kinetic = twice - L - *potential;
    } else {
        *kinetic = 0.5 * twice;
    }
    return PH_OK;
}

/* ---- Second derivatives -------------------------------------------------------------------------- */

/* Derivatives of the gradient by differences along z (into Lzz and Lvz, each nullable) or along v (into Lvv),
 * a column at a time. */
static ph_status differenced_columns(const ph_system *r, const double *z, const double *v, bool along_z,
                                     double *of_z, double *of_v, double *work)
{
    size_t nz = r->nz;
    double *x = work, *Lz = work + 2 * nz, *Lv = work + 3 * nz, *more = work + 4 * nz;
    double s = along_z ? step : velocity_step(nz, v);
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
        for (int j = 0; j < 2 * POINTS; j++) {
            int point = j / 2;
            volatile double up = at + (point + 1) * s, down = at - (point + 1) * s;
            double share = (j % 2 ? -1 : 1) * weight[point] / (up - down);
            *moved = j % 2 ? down : up;
            ph_status status = ph_system_lagrangian_gradient(r, x, x + nz, of_z ? Lz : NULL, Lv, more);
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

/* *second <- d2L/ds2 along the i-th and j-th of the coordinates (z, v) together (i = j: along one), by
 * differences of order 8; steps[2] are those of z and v, x (2 nz) is (z, v) again afterwards. */
static ph_status second_difference(const ph_system *r, double *x, size_t i, size_t j, const double steps[2],
                                   double *second)
{
    static const double middle = -205. / 72, beside[POINTS] = {8. / 5, -1. / 5, 8. / 315, -1. / 560};
    size_t nz = r->nz;
    double xi = x[i], xj = x[j], L = 0;
    ph_status status = r->is.lagrangian(r->is.user, x, x + nz, &L);
    *second = middle * L;
    for (int k = 0; k < 2 * POINTS && !status; k++) {
        int point = k / 2, side = k % 2 ? -1 : 1;
        x[i] = xi + side * (point + 1) * steps[i >= nz];
        if (j != i)
            x[j] = xj + side * (point + 1) * steps[j >= nz];
        status = r->is.lagrangian(r->is.user, x, x + nz, &L);
        *second += beside[point] * L;
    }
    x[i] = xi;
    x[j] = xj;
    return status;
}

/* All second derivatives from L alone: 2 d2L/dx_i dx_j = D2 along both - D2 along x_i - D2 along x_j. */
static ph_status differenced_twice(const ph_system *r, const double *z, const double *v, double *Lzz,
                                   double *Lvz, double *Lvv, double *work)
{
    size_t nz = r->nz;
    double *x = work, *own = work + 2 * nz;
    double steps[2] = {SECOND_WIDER * step, SECOND_WIDER * velocity_step(nz, v)};
    memcpy(x, z, nz * sizeof *x);
    memcpy(x + nz, v, nz * sizeof *x);
    ph_status status = PH_OK;
    for (size_t i = 0; i < 2 * nz && !status; i++)
        status = second_difference(r, x, i, i, steps, &own[i]);
    for (size_t i = 0; i < 2 * nz && !status; i++)
        for (size_t j = i < nz ? (Lzz ? 0 : nz) : Lvz ? 0 : nz; j <= i && !status; j++) {
            double both = 4 * own[i], size = steps[i >= nz] * steps[j >= nz], entry;
            if (j != i)
                status = second_difference(r, x, i, j, steps, &both);
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

ph_status ph_lagrangian_noise(const ph_system *s, const double *z, const double *zdot, double *noise,
                              double *work)
{
    static const double rounding = 32 * DBL_EPSILON; /* of a sum of values with weights up to 4 */
    const ph_system *r = ph_system_root(s);
    const double *v = zdot ? zdot : r->rest;
    double width = velocity_step(r->nz, v), L = 0, *Lv = work, *more = work + r->nz;
    *noise = 0;
    if (ph_system_hessian_is_exact(r, false))
        return PH_OK;
    ph_status status = ph_system_lagrangian_gradient(r, z, v, NULL, Lv, more);
    *noise = rounding * ph_max_norm(Lv, r->nz) / width;
    if (status || ph_system_gradient_is_exact(r))
        return status;
    status = call_lagrangian(r, z, v, &L, more);
    width *= SECOND_WIDER;
    *noise = rounding * (fabs(L) + POINTS * width * ph_max_norm(Lv, r->nz)) / (width * width);
    return status;
}

ph_status ph_system_lagrangian_hessian(const ph_system *s, const double *z, const double *v, double *Lzz,
                                       double *Lvz, double *Lvv, double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz, m = inertia_rows(r);
    ph_status status = PH_OK;
    if (r->kind == PH_LAGRANGIAN_GENERAL && r->is.lagrangian_hessian)
        return r->is.lagrangian_hessian(r->is.user, z, v, Lzz ? Lzz : work, Lvz ? Lvz : work + nz * nz, Lvv);
    if (!ph_system_is_dense(r))
        return PH_E_UNSUPPORTED;
    if (!ph_system_gradient_is_exact(r))
        return differenced_twice(r, z, v, Lzz, Lvz, Lvv, work);
    if (r->kind == PH_LAGRANGIAN_GENERAL) {
        if (Lzz || Lvz)
            status = differenced_columns(r, z, v, true, Lzz, Lvz, work);
        return status ? status : differenced_columns(r, z, v, false, NULL, Lvv, work);
    }
    if (r->kind == PH_INERTIA_CONSTANT) {
        expand(r, r->M ? r->M : r->MM, Lvv);
        if (Lvz)
            memset(Lvz, 0, nz * nz * sizeof *Lvz);
    } else {
        status = call_inertia(r, z, work);
        if (!status && Lvz)
            status = r->is.inertia_dz(r->is.user, z, work + m * m);
        if (status)
            return status;
        expand(r, work, Lvv);
        if (Lvz)
            mixed_derivative(r, work + m * m, v, Lvz);
    }
    return Lzz ? differenced_columns(r, z, v, true, Lzz, NULL, work) : PH_OK;
}

ph_status ph_system_euler_lagrange(const ph_system *s, const double *z, const double *v, double *A, double *b,
                                   double *work)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *r = ph_system_root(s);
    size_t nz = r->nz, m = inertia_rows(r);
    double *dM = work + m * m;
    if (r->kind == PH_LAGRANGIAN_GENERAL) {
        double *Lvz = work, *Lz = Lvz + nz * nz, *Lv = Lz + nz, *more = Lv + nz;
        ph_status status = ph_system_lagrangian_gradient(r, z, v, Lz, Lv, more);
        if (!status)
            status = ph_system_lagrangian_hessian(r, z, v, NULL, Lvz, A, more);
        for (size_t i = 0; i < nz && !status; i++) {
            b[i] = -Lz[i];
            for (size_t k = 0; k < nz; k++)
                b[i] += Lvz[i * nz + k] * v[k];
        }
        return status;
    }
    if (!ph_system_is_dense(r))
        return PH_E_UNSUPPORTED;
    ph_status status = ph_system_gradient(r, z, b);
    if (r->kind == PH_INERTIA_CONSTANT) {
        expand(r, r->M ? r->M : r->MM, A);
        return status;
    }
    if (!status)
        status = call_inertia(r, z, work);
    if (!status)
        status = r->is.inertia_dz(r->is.user, z, dM);
    if (status)
        return status;
    expand(r, work, A);
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
