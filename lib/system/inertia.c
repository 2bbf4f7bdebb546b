/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with an inertia, constant or not. It is given by pairs of factors, m_ij with MM = m (x) I_d for
 * vectors of d numbers, or in full (rows of ambient coordinates; then d = 1 below); ph_inertia_rows says how
 * many rows it has. */
#include "lagrangian.h"

#include <string.h>

/* ---- A constant inertia ------------------------------------------------------------------------- */

/* M by pairs has one row for the d coordinates of a factor: row i of MM v sums m_ij times the same
 * coordinate of each factor j. Of MM in full only where its rows are not 0: those of a body have 3 of 9 numbers. */
void ph_inertia_apply_rows(const ph_system *s, size_t from, size_t count, const double *v, double *mu)
{
    size_t d = s->nz / s->n; /* numbers in each factor, where there is M */
    for (size_t k = 0; k < count; k++) {
        double sum = 0;
        if (s->M) {
            const double *row = s->M + (from + k) / d * s->n;
            for (size_t j = 0; j < s->n; j++)
                sum += row[j] * v[d * j + (from + k) % d];
        } else {
            const double *row = s->MM + (from + k) * s->nz;
            const ph_row_span span = s->span[from + k];
            for (size_t j = span.begin; j < span.end; j++)
                sum += row[j] * v[j];
        }
        mu[k] = sum;
    }
}

void ph_system_apply_inertia(const ph_system *s, const double *v, double *mu)
{
    const ph_system *r = ph_system_root(s);
    if (r->of->apply)
        r->of->apply(r, v, mu);
    else
        ph_inertia_apply_rows(s, 0, s->nz, v, mu);
}

/* ---- An inertia that depends on the configuration ----------------------------------------------- */

/* Rows of the inertia as it is given. */
size_t ph_inertia_rows(const ph_system *r)
{
    return r->is.ambient_inertia_at || r->MM ? r->nz : r->n;
}

/* By the callback that the definition has. */
ph_status ph_inertia_at(const ph_system *r, const double *z, double *M)
{
    ph_inertia_fn inertia = r->is.inertia_at ? r->is.inertia_at : r->is.ambient_inertia_at;
    return inertia(r->is.user, z, M);
}

/* out (nz) <- the matrix A (m x m), by pairs or in full, times v. */
void ph_inertia_apply(const ph_system *r, const double *A, const double *v, double *out)
{
    size_t m = ph_inertia_rows(r), d = r->nz / m;
    for (size_t i = 0; i < r->nz; i++) {
        const double *row = A + i / d * m;
        out[i] = 0;
        for (size_t j = 0; j < m; j++)
            out[i] += row[j] * v[d * j + i % d];
    }
}

/* Lz (nz) <- (1/2) v . dM/dz v */
void ph_inertia_kinetic_gradient(const ph_system *r, const double *dM, const double *v, double *Lz)
{
    size_t m = ph_inertia_rows(r), d = r->nz / m;
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
void ph_inertia_mixed_derivative(const ph_system *r, const double *dM, const double *v, double *Lvz)
{
    size_t m = ph_inertia_rows(r), d = r->nz / m;
    for (size_t i = 0; i < r->nz; i++)
        for (size_t k = 0; k < r->nz; k++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++)
                sum += dM[(i / d * m + j) * r->nz + k] * v[d * j + i % d];
            Lvz[i * r->nz + k] = sum;
        }
}

/* A (nz x nz) <- M in full */
void ph_inertia_expand(const ph_system *r, const double *M, double *A)
{
    size_t m = ph_inertia_rows(r), d = r->nz / m;
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
