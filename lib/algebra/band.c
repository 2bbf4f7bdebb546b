/* SPDX-License-Identifier: BSD-3-Clause */
/* Banded LU with interchanges, P A = L U, in the order of Cuthill and McKee. A row has 3 width + 1 places, from column i - width on:
 * interchanges fill in as many to the right as the band is wide. The multipliers of an unknown stay in the rows that they were found in. */
#include <polhode/kit/memory.h>

#include "elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        *band = b;
    }
    free(order);
    if (status)
        free(l.base);
    return status;
}

static size_t row_size(const ph_band *band)
{
    return 3 * band->width + 1;
}

/* Where the columns of row i begin, as if they began at 0: + j for column j. */
static size_t row_of(const ph_band *band, size_t i)
{
    return i * row_size(band) + band->width - i;
}

size_t ph_band_size(const ph_band *band)
{
    return band->n * row_size(band) + (band->n * sizeof(uint32_t) + sizeof(double) - 1) / sizeof(double);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The diagonal keeps the reciprocals of the pivots. */
ph_status ph_band_factor(const ph_band *band, double *B, int *sign)
{
    const size_t n = band->n, width = band->width;
    uint32_t *pivot = (uint32_t *)(void *)(B + n * row_size(band));
    *sign = 1;
    for (size_t k = 0; k < n; k++) {
        const size_t below = least(k + width + 1, n), end = least(k + 2 * width + 1, n);
        double *row = B + row_of(band, k);
        size_t p = k;
        for (size_t i = k + 1; i < below; i++)
            if (fabs(B[row_of(band, i) + k]) > fabs(B[row_of(band, p) + k]))
                p = i;
        pivot[k] = (uint32_t)p;
        double *other = B + row_of(band, p);
        for (size_t j = k; j < end && p != k; j++) {
            const double entry = row[j];
            row[j] = other[j];
            other[j] = entry;
        }
        const double reciprocal = 1 / row[k];
        if (reciprocal == 0 || !isfinite(reciprocal))
            return PH_E_SINGULAR;
        *sign = (reciprocal < 0) != (p != k) ? -*sign : *sign;
        row[k] = reciprocal;
        for (size_t i = k + 1; i < below; i++) {
            double *next = B + row_of(band, i);
            const double l = next[k] *= reciprocal;
            for (size_t j = k + 1; j < end; j++)
                next[j] -= l * row[j];
        }
    }
    return PH_OK;
}

void ph_band_solve(const ph_band *band, const double *B, double *x)
{
    const size_t n = band->n, width = band->width;
    const uint32_t *pivot = (const uint32_t *)(const void *)(B + n * row_size(band));
    ph_order_apply(n, band->swap, 1, x);
    for (size_t k = 0; k < n; k++) {
        const double now = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = now;
        for (size_t i = k + 1; i < least(k + width + 1, n); i++)
            x[i] -= B[row_of(band, i) + k] * now;
    }
    for (size_t i = n; i-- > 0;) {
        const double *row = B + row_of(band, i);
        for (size_t j = i + 1; j < least(i + 2 * width + 1, n); j++)
            x[i] -= row[j] * x[j];
        x[i] *= row[i];
    }
    ph_order_undo(n, band->swap, 1, x);
}
