/* SPDX-License-Identifier: BSD-3-Clause */
/* Banded LU with interchanges, P A = L U, by LAPACK (dgbtrf, dgbtrs), in the order of Cuthill and McKee. */
#include <polhode/kit/memory.h>

#include "elimination.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern void dgbtrf_(const int *m, const int *n, const int *kl, const int *ku, double *ab, const int *ldab,
                    int *ipiv, int *info);
extern void dgbtrs_(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs,
                    const double *ab, const int *ldab, const int *ipiv, double *b, const int *ldb, int *info,
                    size_t trans_length);

/* Places of the arrays; called twice. */
static ph_band *lay(ph_lay *l, size_t n)
{
    ph_band *band = ph_lay_bytes(l, sizeof *band);
    uint32_t *place = ph_lay_bytes(l, n * sizeof *place), *swap = ph_lay_bytes(l, n * sizeof *swap);
    if (band)
        *band = (ph_band){.n = n, .place = place, .swap = swap};
    return band;
}

/* The order, and the width: the largest distance of two coupled unknowns in it. */
ph_status ph_band_create(const ph_graph *g, ph_band **band)
{
    uint32_t *order = malloc(3 * g->n * sizeof *order);
    ph_lay l = {NULL, 0};
    lay(&l, g->n);
    l = (ph_lay){malloc(l.bytes), 0};
    ph_status status = order && l.base ? ph_order_cuthill_mckee(g, order) : PH_E_NO_MEMORY;
    if (!status) {
        ph_band *b = lay(&l, g->n);
        for (size_t k = 0; k < g->n; k++)
            b->place[order[k]] = (uint32_t)k;
        for (size_t i = 0; i < g->n; i++)
            for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
                uint32_t one = b->place[i], other = b->place[g->neighbour[e]];
                size_t apart = one > other ? one - other : 0;
                b->width = apart > b->width ? apart : b->width;
            }
        ph_order_swaps(g->n, order, b->swap, order + g->n);
        status = g->n <= INT_MAX && b->width <= INT_MAX / 4 ? PH_OK : PH_E_RANGE;
        *band = b;
    }
    free(order);
    if (status)
        free(l.base);
    return status;
}

/* Doubles of the band: 2 width + 1 diagonals, and width more for what interchanges fill in. */
static size_t matrix_size(const ph_band *band)
{
    return band->n * (3 * band->width + 1);
}

size_t ph_band_size(const ph_band *band)
{
    return matrix_size(band) + (band->n * sizeof(int) + sizeof(double) - 1) / sizeof(double);
}

/* The sign of det is that of the pivots and the interchanges. Pivots are counted from 1 by LAPACK. */
ph_status ph_band_factor(const ph_band *band, double *B, int *sign)
{
    int n = (int)band->n, width = (int)band->width, rows = 3 * width + 1, info = 0,
        *pivot = (int *)(void *)(B + matrix_size(band));
    double sum = 0; /* libraries differ in what they do with NaN */
    for (size_t e = 0; e < matrix_size(band); e++)
        sum += B[e] - B[e];
    if (sum != 0)
        return PH_E_SINGULAR;
    dgbtrf_(&n, &n, &width, &width, B, &rows, pivot, &info);
    *sign = 1;
    for (size_t k = 0; k < band->n && !info; k++) {
        double diagonal = B[k * (size_t)rows + 2 * band->width];
        info = !(fabs(1 / diagonal) < INFINITY);
        *sign = (diagonal < 0) != (pivot[k] != (int)k + 1) ? -*sign : *sign;
    }
    return info ? PH_E_SINGULAR : PH_OK;
}

void ph_band_solve(const ph_band *band, const double *B, double *x)
{
    static const int one = 1;
    int n = (int)band->n, width = (int)band->width, rows = 3 * width + 1, info = 0;
    const int *pivot = (const int *)(const void *)(B + matrix_size(band));
    ph_order_apply(band->n, band->swap, 1, x);
    dgbtrs_("N", &n, &width, &width, &one, B, &rows, pivot, x, &n, &info, 1);
    ph_order_undo(band->n, band->swap, 1, x);
}
