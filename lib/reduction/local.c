/* SPDX-License-Identifier: BSD-3-Clause */
/* The amended potential near a configuration. At fixed rates xi its slope is that of the augmented potential,
 * with v = sum_a xi_a zeta_a and A = MM v,
 *     dV_mu . e = -L_z(z, v) . e - A . (D_e v),   A . (D_e Z z) = -e . Z A for a rotation about an axis,
 * and with D_i = d/ds along exp(s W_i)
 *     H_ij = D_i (P dV_xi) . W_j + (D_i I xi) . I^{-1} (D_j I xi),
 *     G_ij = D_j A . W_i - D_i A . W_j,        B_ja = D_j xi_a = -[I^{-1} (D_j I xi)]_a at fixed mu.
 * The derivatives along W_i are differences of order 8 of these three, which have no small denominators. */
#include "equilibria.h"
#include "lib/system/generator.h"

#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include "lib/algebra/lapack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_zero(const double *x, size_t n)
{
    return !(ph_max_norm(x, n) > 0);
}

/* Generators whose part that is independent of the others is smaller than this share of them move nothing. */
static const double independent_from = 1e-6;

/* ---- Along a line -------------------------------------------------------------------------------------- */

static ph_status generator_along(void *self, double s, double *zeta)
{
    ph_equilibria *e = self;
    ph_frame_move(&e->there, e->at, e->along, s, e->moved);
    return ph_generator_at(e->system, e->symmetry[e->generator], e->moved, zeta, e->momenta);
}

/* d (nz) <- the derivative of generator a at z along `direction`. */
static ph_status differentiate_generator(ph_equilibria *e, const double *z, size_t a, const double *direction,
                                         double *d)
{
    double floor = 0;
    e->at = z;
    e->along = direction;
    e->generator = a;
    return ph_differentiate(generator_along, e, e->nz, 1, d, &floor, e->inner + 2 * e->nz);
}

ph_status ph_local_bracket(ph_equilibria *e, const double *z, size_t a, size_t b, double *bracket)
{
    double *zeta[2] = {e->zeta + a * e->nz, e->zeta + b * e->nz}, *d = e->inner;
    ph_status status = ph_generator_at(e->system, e->symmetry[a], z, zeta[0], e->momenta);
    if (!status)
        status = ph_generator_at(e->system, e->symmetry[b], z, zeta[1], e->momenta);
    ph_frame_make(&e->there, z);
    if (!status)
        status = differentiate_generator(e, z, b, zeta[0], bracket);
    if (!status)
        status = differentiate_generator(e, z, a, zeta[1], d);
    for (size_t l = 0; l < e->nz; l++)
        bracket[l] -= d[l];
    return status;
}

/* g <- g - (D zeta_a)^T A rate, as a tangent vector, for a generator that is given by a callback. */
static ph_status subtract_turning(ph_equilibria *e, size_t a, const double *z, const double *A, double *g)
{
    const size_t nz = e->nz;
    const double *at = e->at, *along = e->along;
    double *direction = e->inner, *slope = direction + nz;
    ph_status status = PH_OK;
    ph_frame_make(&e->there, z);
    for (size_t j = 0; j < e->nx && !status; j++) {
        ph_frame_vector(&e->there, j, direction);
        status = differentiate_generator(e, z, a, direction, slope);
        const double share = e->xi[a] * ph_dot(slope, A, nz) / ph_dot(direction, direction, nz);
        for (size_t l = 0; l < nz; l++)
            g[l] -= share * direction[l];
    }
    e->at = at;
    e->along = along;
    return status;
}

/* values <- P dV_xi (nz), A (nz), I xi (k) at z; e->scale <- the larger of itself and the size of dV_xi. */
static ph_status evaluate(ph_equilibria *e, const double *z, double *values)
{
    const size_t nz = e->nz;
    double *g = values, *A = values + nz, *J = A + nz;
    ph_status status = PH_OK;
    memset(e->v, 0, nz * sizeof *e->v);
    for (size_t a = 0; a < e->k && !status; a++) {
        status = ph_generator_at(e->system, e->symmetry[a], z, e->zeta + a * nz, e->momenta);
        for (size_t l = 0; l < nz; l++)
            e->v[l] += e->xi[a] * e->zeta[a * nz + l];
    }
    if (!status)
        status = ph_system_lagrangian_gradient(e->system, 0, z, e->v, e->Lz, A, e->work);
    for (size_t l = 0; l < nz && !status; l++)
        g[l] = -e->Lz[l];
    for (size_t a = 0; a < e->k && !status; a++) {
        const ph_symmetry *symmetry = ph_system_symmetry(e->system, e->symmetry[a]);
        J[a] = ph_dot(e->zeta + a * nz, A, nz);
        if (symmetry->generator)
            continue;
        ph_turn_about(e->space, symmetry->axis, A, e->v);
        for (size_t l = 0; l < nz; l++)
            g[l] += e->xi[a] * e->v[l];
    }
    if (status)
        return status;
    e->scale = fmax(e->scale, ph_max_norm(e->Lz, nz));
    ph_space_project_tangent(e->space, z, g);
    for (size_t a = 0; a < e->k && !status; a++)
        if (ph_system_symmetry(e->system, e->symmetry[a])->generator && e->xi[a] != 0)
            status = subtract_turning(e, a, z, A, g);
    return status;
}

static ph_status values_along(void *self, double s, double *values)
{
    ph_equilibria *e = self;
    ph_frame_move(&e->frame, e->at, e->along, s, e->point);
    return evaluate(e, e->point, values);
}

/* ---- The horizontal space ------------------------------------------------------------------------------ */

/* W <- L^{-1} E: orthonormal in the kinetic energy, for E^T MM E = L L^T. */
static ph_status orthonormal(ph_equilibria *e, const double *z)
{
    const size_t n = e->nx, nz = e->nz;
    double *A = e->inertia;
    ph_frame_make(&e->frame, z);
    ph_status status = ph_system_tangent_inertia(e->system, 0, z, NULL, e->frame.E, A, e->work);
    if (!status)
        status = ph_cholesky_triangle(n, A);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        double *w = e->W + i * nz;
        ph_frame_vector(&e->frame, i, w);
        for (size_t j = 0; j < i; j++)
            for (size_t l = 0; l < nz; l++)
                w[l] -= A[i * n + j] * e->W[j * nz + l];
        for (size_t l = 0; l < nz; l++)
            w[l] /= A[i * n + i];
    }
    return PH_OK;
}

/* A reflection of the coordinates from `first` on, after which u has only that one of them: W <- its rows. */
static void reflect(ph_equilibria *e, size_t first, const double *u)
{
    const size_t n = e->nx, nz = e->nz;
    double *h = e->x, square = 0;
    for (size_t i = 0; i < n; i++) {
        h[i] = i < first ? 0 : u[i];
        square += h[i] * h[i];
    }
    h[first] += copysign(sqrt(square), h[first]);
    const double factor = 2 / ph_dot(h, h, n);
    for (size_t l = 0; l < nz; l++) {
        double sum = 0;
        for (size_t i = first; i < n; i++)
            sum += h[i] * e->W[i * nz + l];
        for (size_t i = first; i < n; i++)
            e->W[i * nz + l] -= factor * sum * h[i];
    }
}

static ph_status find_frame(ph_equilibria *e, const double *z)
{
    const size_t nz = e->nz, k = e->k;
    ph_status status = orthonormal(e, z);
    e->rank = 0;
    for (size_t a = 0; a < k && !status; a++) {
        double *zeta = e->zeta + a * nz, *c = e->c + a * nz, whole = 0, rest = 0;
        status = ph_generator_at(e->system, e->symmetry[a], z, zeta, e->momenta);
        if (!status)
            status = ph_system_lagrangian_gradient(e->system, 0, z, zeta, NULL, c, e->work);
        if (status)
            break;
        for (size_t i = 0; i < e->nx; i++) {
            e->y[i] = ph_dot(e->W + i * nz, c, nz);
            whole += e->y[i] * e->y[i];
            rest += i < e->rank ? 0 : e->y[i] * e->y[i];
        }
        const bool moves = ph_max_norm(zeta, nz) > independent_from * ph_max_norm(z, nz);
        if (moves && rest > independent_from * independent_from * whole)
            reflect(e, e->rank++, e->y);
        for (size_t b = 0; b <= a; b++)
            e->I[a * k + b] = e->I[b * k + a] = ph_dot(e->zeta + b * nz, c, nz);
    }
    e->m = e->nx - e->rank;
    memmove(e->W, e->W + e->rank * nz, e->m * nz * sizeof *e->W);
    return status;
}

static ph_status find_rates(ph_equilibria *e, const double *mu)
{
    double I[PH_EQUILIBRIA_MOST * PH_EQUILIBRIA_MOST];
    int pivot[PH_EQUILIBRIA_MOST];
    memset(e->xi, 0, sizeof e->xi);
    if (is_zero(mu, e->k))
        return PH_OK;
    memcpy(I, e->I, sizeof I);
    memcpy(e->xi, mu, e->k * sizeof *mu);
    if (e->rank < e->k || ph_lu_factor(e->k, I, pivot, NULL))
        return PH_E_SINGULAR;
    ph_lu_solve(e->k, I, pivot, e->xi);
    return PH_OK;
}

/* ---- Derivatives --------------------------------------------------------------------------------------- */

/* B <- -I^{-1} (D I xi), and H + (D I xi) I^{-1} (D I xi). B holds D I xi. 0 where xi is. */
static ph_status amend(ph_equilibria *e)
{
    const size_t k = e->k, m = e->m;
    double I[PH_EQUILIBRIA_MOST * PH_EQUILIBRIA_MOST], column[PH_EQUILIBRIA_MOST];
    int pivot[PH_EQUILIBRIA_MOST];
    if (is_zero(e->xi, k)) {
        memset(e->B, 0, m * k * sizeof *e->B);
        return PH_OK;
    }
    memcpy(I, e->I, sizeof I);
    if (ph_lu_factor(k, I, pivot, NULL))
        return PH_E_SINGULAR;
    for (size_t j = 0; j < m; j++) {
        memcpy(column, e->B + j * k, k * sizeof *column);
        ph_lu_solve(k, I, pivot, column);
        for (size_t i = 0; i < m; i++)
            e->H[i * m + j] += ph_dot(e->B + i * k, column, k);
        memcpy(e->S + j * k, column, k * sizeof *column);
    }
    for (size_t j = 0; j < m * k; j++)
        e->B[j] = -e->S[j];
    return PH_OK;
}

static ph_status derive(ph_equilibria *e, const double *z)
{
    const size_t nz = e->nz, m = e->m, n = 2 * nz + e->k;
    double *d = e->slopes, floor = 0;
    e->scale = 0;
    ph_status status = evaluate(e, z, e->values);
    for (size_t j = 0; j < m && !status; j++)
        e->r[j] = ph_dot(e->values, e->W + j * nz, nz);
    for (size_t i = 0; i < m && !status; i++) {
        e->at = z;
        e->along = e->W + i * nz;
        const double size = ph_max_norm(e->along, nz);
        status = ph_differentiate(values_along, e, n, 1 / size, d, &floor, e->differences);
        for (size_t j = 0; j < m && !status; j++) {
            e->H[i * m + j] = ph_dot(d, e->W + j * nz, nz);
            e->S[i * m + j] = ph_dot(d + nz, e->W + j * nz, nz);
        }
        for (size_t a = 0; a < e->k && !status; a++)
            e->B[i * e->k + a] = d[2 * nz + a];
    }
    for (size_t i = 0; i < m && !status; i++)
        for (size_t j = 0; j <= i; j++) {
            const double mean = 0.5 * (e->H[i * m + j] + e->H[j * m + i]);
            const double turn = e->S[j * m + i] - e->S[i * m + j];
            e->H[i * m + j] = e->H[j * m + i] = mean;
            e->G[i * m + j] = turn;
            e->G[j * m + i] = -turn;
        }
    return status ? status : amend(e);
}

ph_status ph_local_all(ph_equilibria *e, const double *z, const double *mu)
{
    ph_status status = find_frame(e, z);
    if (!status)
        status = find_rates(e, mu);
    return status ? status : derive(e, z);
}

double ph_local_vector(const ph_equilibria *e, const double *x, double *u)
{
    memset(u, 0, e->nz * sizeof *u);
    for (size_t i = 0; i < e->m; i++)
        for (size_t l = 0; l < e->nz; l++)
            u[l] += x[i] * e->W[i * e->nz + l];
    return ph_max_norm(u, e->nz);
}

ph_status ph_local_explain(const ph_equilibria *e, const double *z, ph_status status, ph_error *err)
{
    char where[160] = "";
    for (size_t j = 0, used = 0; j < e->nz && used < sizeof where - 30; j++)
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%.6g", j ? ", " : "", z[j]);
    if (status == PH_E_SINGULAR && e->rank < e->k)
        return ph_fail(
            err, status,
            "at the configuration (%s) the locked inertia is singular: the symmetries there move nothing, or "
            "one as the others do; with a momentum that is not 0 no relative equilibrium is near",
            where);
    if (status == PH_E_SINGULAR)
        return ph_fail(err, status, "the inertia is not positive definite at the configuration (%s)", where);
    return ph_fail(err, status, "relative equilibria, at the configuration (%s): %s", where,
                   ph_status_text(status));
}
