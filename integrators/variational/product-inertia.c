/* SPDX-License-Identifier: BSD-3-Clause */
/* The inertia of a product in the step of product.c: in full; by pairs of arrows, where it couples them by a
 * number; and the turn of the momenta by it. */
#include "product.h"

#include <polhode/kit/algebra.h>

#include <string.h>

size_t product_count_arrows(const ph_space *space)
{
    size_t n = 0;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        ph_factor_kind kind = ph_space_factor(space, i)->kind;
        n += kind == PH_FACTOR_S2 ? 1 : kind == PH_FACTOR_SO3 ? 3 : 0;
    }
    return n;
}

static void lay_parts(product_scratch *w)
{
    size_t a = 0;
    ph_lay_parts(w->space, w->parts);
    for (const ph_part *f = w->parts; f < w->parts + w->n; f++) {
        if (f->kind == PH_FACTOR_S2)
            w->arrows[a++] = (product_arrow){f->z, 1, f->p};
        for (size_t c = 0; f->kind == PH_FACTOR_SO3 && c < 3; c++)
            w->arrows[a++] = (product_arrow){f->z + c, 3, f->p};
    }
    w->n_arrows = a;
}

static void copy_inertia(product_scratch *w)
{
    const double *M = ph_system_inertia(w->system), *MM = ph_system_ambient_inertia(w->system);
    size_t nz = w->nz, d = nz / w->n;
    if (MM) {
        memcpy(w->MM, MM, nz * nz * sizeof *MM);
        return;
    }
    memset(w->MM, 0, nz * nz * sizeof *w->MM);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++)
            for (size_t k = 0; k < d; k++)
                w->MM[(d * i + k) * nz + d * j + k] = M[i * w->n + j];
}

/* N_ab where MM couples two arrows by a number, and MM without these. */
static void split_inertia(product_scratch *w)
{
    size_t nz = w->nz, n = w->n_arrows;
    memcpy(w->rest, w->MM, nz * nz * sizeof *w->rest);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            const product_arrow *A = &w->arrows[a], *B = &w->arrows[b];
            double number = w->MM[A->z * nz + B->z];
            bool pure = true;
            for (size_t k = 0; k < 3; k++)
                for (size_t l = 0; l < 3; l++)
                    pure = pure &&
                           w->MM[(A->z + k * A->stride) * nz + B->z + l * B->stride] == (k == l ? number : 0);
            w->N[a * n + b] = pure ? number : 0;
            for (size_t k = 0; pure && k < 3; k++)
                w->rest[(A->z + k * A->stride) * nz + B->z + k * B->stride] = 0;
        }
}

/* Does `rest` couple arrows, or is the inertia of a circle no number? */
static bool is_directed(const product_scratch *w)
{
    for (size_t a = 0; a < w->n_arrows; a++)
        for (size_t b = 0; b < w->n_arrows; b++) {
            const product_arrow *A = &w->arrows[a], *B = &w->arrows[b];
            for (size_t k = 0; k < 9; k++)
                if (w->rest[(A->z + k / 3 * A->stride) * w->nz + B->z + k % 3 * B->stride] != 0)
                    return true;
        }
    for (size_t i = 0; i < w->n; i++) {
        const double *block = w->MM + w->parts[i].z * (w->nz + 1);
        if (w->parts[i].kind == PH_FACTOR_S1 && (block[0] != block[w->nz + 1] || block[1] != 0))
            return true;
    }
    return false;
}

/* sqrt of the mean moment of inertia over the mean mass: x on R^d is counted in it. */
static double choose_length(const product_scratch *w)
{
    double sums[2] = {0, 0}, counts[2] = {0, 0};
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = w->parts[i].z; k < w->parts[i].z + w->parts[i].nz; k++) {
            size_t linear = w->parts[i].kind == PH_FACTOR_R;
            sums[linear] += fabs(w->MM[k * w->nz + k]);
            counts[linear]++;
        }
    double length = sqrt(sums[0] / counts[0] / (sums[1] / counts[1]));
    return isfinite(length) && length > 0 ? length : 1;
}

void product_inertia_init(product_scratch *w)
{
    lay_parts(w);
    copy_inertia(w);
    split_inertia(w);
    w->directed = is_directed(w);
    w->length = choose_length(w);
}

static void read_arrow(const product_arrow *a, const double *v, double out[3])
{
    for (size_t k = 0; k < 3; k++)
        out[k] = v[a->z + k * a->stride];
}

void product_turn(product_scratch *w)
{
    size_t n = w->n_arrows;
    memset(w->dS, 0, w->np * sizeof *w->dS);
    for (size_t i = 0; i < w->nz; i++)
        w->column[i] = w->g[i] - w->f[i];
    ph_add_moments(w->space, w->parts, w->z, w->column, -0.5 * w->h, w->dS);
    for (size_t i = 0; i < w->nz; i++) { /* rest D / h; on R^d nothing turns */
        const double *row = w->rest + i * w->nz;
        w->column[i] = 0;
        for (size_t j = 0; j < w->nz; j++)
            w->column[i] += row[j] * w->D[j];
        w->column[i] /= w->h;
    }
    for (size_t i = 0; i < w->n; i++) {
        const ph_part *f = &w->parts[i];
        if (f->kind != PH_FACTOR_R)
            ph_add_moment(f, w->D + f->z, w->column + f->z, 1, w->dS + f->p);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            const product_arrow *A = &w->arrows[a], *B = &w->arrows[b];
            double number = w->N[a * n + b], Da[3], Db[3], turn[3];
            if (number == 0 || A->p == B->p) /* columns of one R: what one gains the other loses */
                continue;
            read_arrow(A, w->D, Da);
            read_arrow(B, w->D, Db);
            ph_cross3(Da, Db, turn);
            for (size_t k = 0; k < 3; k++) { /* a rounded 1/h would err to one side */
                double gain = number * turn[k] / w->h;
                w->dS[A->p + k] += gain;
                w->dS[B->p + k] -= gain;
            }
        }
}
