/* SPDX-License-Identifier: BSD-3-Clause */
/* Tangent coordinates x of a basis E of the tangent space at z, zdot = E x (ph_space_basis): the inertia E^T
 * L_vv E in them, the components E^T mu of a covector, the velocity E x. E lists its vectors by factors,
 * each with the numbers of its factor alone. */
#include <polhode/kit/vector.h>

#include "system.h"

#include <string.h>

/* The block of factors i, j of A <- E^T B E, B with rows of nz numbers: B e_b before its products with all e_a. */
static void congruence_of_block(const double *B, size_t nz, const ph_factor_place *fi, const double *ei,
                                const ph_factor_place *fj, const double *ej, size_t m, double *A)
{
    enum { PIECE = 16 };
    double column[PIECE];
    for (size_t b = 0; b < fj->nx; b++)
        for (size_t from = 0; from < fi->nz; from += PIECE) {
            const size_t n = fi->nz - from < PIECE ? fi->nz - from : PIECE;
            for (size_t k = 0; k < n; k++)
                column[k] = ph_dot(B + (fi->z + from + k) * nz + fj->z, ej + b * fj->nz, fj->nz);
            for (size_t a = 0; a < fi->nx; a++) {
                double *entry = A + (fi->x + a) * m + fj->x + b;
                *entry = (from ? *entry : 0) + ph_dot(ei + a * fi->nz + from, column, n);
            }
        }
}

/* A <- E^T B E, lower triangle; B in full (nz x nz), or where it is NULL M by pairs (n x n): block by
 * block, as E has no entries between factors. */
static void congruence(const ph_space *space, const double *B, const double *M, const double *E, double *A)
{
    size_t n = ph_space_factors(space), nz = ph_space_ambient(space), m = ph_space_dimension(space), at = 0;
    for (size_t i = 0; i < n; i++) {
        const ph_factor_place *fi = ph_space_factor(space, i);
        size_t from = 0;
        for (size_t j = 0; j <= i; j++) {
            const ph_factor_place *fj = ph_space_factor(space, j);
            if (B)
                congruence_of_block(B, nz, fi, E + at, fj, E + from, m, A);
            for (size_t a = 0; a < fi->nx && !B; a++)
                for (size_t b = 0; b < fj->nx; b++)
                    A[(fi->x + a) * m + fj->x + b] =
                        M[i * n + j] * ph_dot(E + at + a * fi->nz, E + from + b * fj->nz, fi->nz);
            from += fj->nx * fj->nz;
        }
        at += fi->nx * fi->nz;
    }
}

void ph_congruence(const ph_space *space, const double *B, const double *E, double *A)
{
    congruence(space, B, NULL, E, A);
}

/* For a constant inertia from the matrix that is kept, else from L_vv at (z, v). */
ph_status ph_system_tangent_inertia(const ph_system *s, double t, const double *z, const double *v,
                                    const double *E, double *A, double *work)
{
    if (!s)
        return PH_E_INVALID;
    if (!ph_system_is_dense(s))
        return PH_E_UNSUPPORTED;
    if (s->kind == PH_INERTIA_CONSTANT) {
        congruence(s->space, s->MM, s->M, E, A);
        return PH_OK;
    }
    double *Lvv = work;
    ph_status status =
        ph_system_lagrangian_hessian(s, t, z, v ? v : s->rest, NULL, NULL, Lvv, work + s->nz * s->nz);
    if (!status)
        ph_congruence(s->space, Lvv, E, A);
    return status;
}

/* Doubles of work that ph_system_tangent_inertia needs. */
size_t ph_tangent_work(const ph_system *s)
{
    return s->kind == PH_INERTIA_CONSTANT ? 0 : s->nz * s->nz + ph_lagrangian_work(s);
}

/* E lists nx vectors of nz numbers for each factor, one behind the other. */
void ph_tangent_components(const ph_space *space, const double *E, const double *mu, double *b)
{
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, E += f->nz)
            b[f->x + a] = ph_dot(E, mu + f->z, f->nz);
    }
}

void ph_tangent_combine(const ph_space *space, const double *E, const double *x, double *v)
{
    memset(v, 0, ph_space_ambient(space) * sizeof *v);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        for (size_t a = 0; a < f->nx; a++, E += f->nz)
            for (size_t k = 0; k < f->nz; k++)
                v[f->z + k] += E[k] * x[f->x + a];
    }
}
