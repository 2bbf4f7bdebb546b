/* SPDX-License-Identifier: BSD-3-Clause */
/* The carry of the variational kernels that solve for tangent coordinates: see carry.h. */
#include <polhode/kit/algebra.h>
#include <polhode/kit/elementary.h>

#include "carry.h"

#include <string.h>

size_t ph_carry_size(size_t np, size_t nz)
{
    return 2 + (2 + PH_CARRY_HISTORY) * np + nz;
}

ph_carry ph_carry_at(double *carry, size_t np, size_t nz)
{
    double *S = carry + 2;
    return (ph_carry){.h = carry,
                      .count = carry + 1,
                      .S = S,
                      .low = S + np,
                      .z_low = S + 2 * np,
                      .y = S + 2 * np + nz,
                      .more = carry + ph_carry_size(np, nz)};
}

bool ph_carry_is_warm(const ph_carry *c, double h)
{
    return *c->h == h && *c->count > 0;
}

void ph_carry_basis(const ph_space *space, const ph_part *parts, const double *z, const double *p,
                    double length, double *E, double *pE, double *column)
{
    ph_space_basis(space, z, E);
    ph_space_covector(space, z, p, column);
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++) {
        bool linear = f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED;
        for (size_t k = 0; linear && k < f->nx * f->nz; k++)
            E[f->e + k] *= length;
        for (size_t a = 0; a < f->nx; a++)
            pE[f->x + a] =
                f->kind == PH_FACTOR_SO3 ? p[f->p + a] : ph_row_dot(f, E + f->e + a * f->nz, column);
    }
}

double ph_carry_length(const ph_space *space, const ph_part *parts, const double *z, const double *A,
                       const double *x)
{
    const size_t nx = ph_space_dimension(space);
    double size = 0, sums[2] = {0, 0}, counts[2] = {0, 0};
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++) {
        const size_t linear = f->kind == PH_FACTOR_R;
        if (f->kind == PH_FACTOR_EMBEDDED)
            size = fmax(size, ph_max_norm(z + f->z, f->nz));
        for (size_t a = f->x; a < f->x + f->nx; a++) {
            sums[linear] += fabs(A[a * (nx + 1)]);
            counts[linear]++;
        }
    }
    if (size == 0)
        size = counts[0] > 0 ? sqrt(sums[0] / counts[0] / (sums[1] / counts[1])) : 10 * ph_max_norm(x, nx);
    return isfinite(size) && size > 0 ? size : 1;
}

void ph_carry_begin(ph_carry *c, const ph_space *space, const ph_part *parts, const double *z,
                    const double *p, double *S0)
{
    if (*c->count != 0)
        return;
    c->S = S0;
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++)
        for (size_t k = 0; k < f->np; k++)
            S0[f->p + k] = f->kind == PH_FACTOR_SO3 ? ph_dot3(z + f->z + 3 * k, p + f->p) : p[f->p + k];
}

/* Is the increment D kept, rather than its tangent coordinates, for which the next basis is another one? */
static bool keeps_increment(const ph_part *f)
{
    return f->kind == PH_FACTOR_S2 || f->kind == PH_FACTOR_EMBEDDED;
}

/* On S^2 the tangent part of D is (sin|x|/|x|) x, on an embedded factor x. */
static void read_increment(const ph_part *f, const double *E, const double *D, double *x)
{
    double size = 0, stretch = 1;
    for (size_t a = 0; a < f->nx; a++) {
        const double *row = E + f->e + a * f->nz;
        double sum = 0;
        for (size_t k = 0; k < f->nz; k++)
            sum += row[k] * D[k];
        x[a] = sum / ph_row_square(f, row);
        size = ph_hypot(size, x[a]);
    }
    if (f->kind == PH_FACTOR_S2 && size > 0 && size < 0.95)
        stretch = ph_asin(size) / size;
    for (size_t a = 0; a < f->nx; a++)
        x[a] *= stretch;
}

void ph_carry_guess(const ph_carry *c, const ph_stage *stage, const ph_space *space, const ph_part *parts,
                    const double *E, double *x)
{
    size_t np = ph_space_momenta(space);
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++) {
        double D[PH_EMBEDDING_MOST], *guess = keeps_increment(f) ? D : x + f->x;
        for (size_t k = 0; k < f->np; k++) {
            const double *y1 = c->y + f->p + k, *y2 = y1 + np, *y3 = y2 + np;
            guess[k] = ph_extrapolate(stage, *c->count, *y1, *y2, *y3);
        }
        if (keeps_increment(f))
            read_increment(f, E, D, x + f->x);
    }
}

void ph_carry_add(const ph_carry *c, const ph_space *space, const ph_part *parts, const double *dS,
                  const double *z1, double *S1, double *low1, double *p1)
{
    size_t np = ph_space_momenta(space);
    for (size_t i = 0; i < np; i++)
        ph_two_sum(c->S[i], c->low[i] + dS[i], &S1[i], &low1[i]);
    memcpy(p1, S1, np * sizeof *p1);
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++)
        if (f->kind == PH_FACTOR_SO3)
            ph_apply_transposed3(z1 + f->z, S1 + f->p, p1 + f->p);
}

void ph_carry_keep(ph_carry *c, const ph_space *space, const ph_part *parts, double h, const double *S1,
                   const double *low1, const double *D, const double *x)
{
    size_t np = ph_space_momenta(space);
    memcpy(c->S, S1, np * sizeof *S1);
    memcpy(c->low, low1, np * sizeof *low1);
    memmove(c->y + np, c->y, (PH_CARRY_HISTORY - 1) * np * sizeof *c->y);
    for (const ph_part *f = parts; f < parts + ph_space_factors(space); f++)
        memcpy(c->y + f->p, keeps_increment(f) ? D + f->z : x + f->x, f->np * sizeof *D);
    *c->count = *c->h != h ? 1 : *c->count < PH_CARRY_HISTORY ? *c->count + 1 : PH_CARRY_HISTORY;
    *c->h = h;
}
