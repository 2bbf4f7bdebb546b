/* SPDX-License-Identifier: BSD-3-Clause */
/* A = (I + L) D (I + U), of a sparse matrix with a symmetric pattern, without interchanges. Place k has an
 * entry with place j > k if the matrix has one, or if an earlier place has entries with both (fill). List k
 * holds these j: all later places that a path through places before k leads to. Row by row (Crout):
 *     D_k = A_kk - sum_i L_ki (D U)_ik,   L_jk = (A_jk - sum_i L_ji (D U)_ik) / D_k,
 *     (D U)_kj = A_kj - sum_i L_ki (D U)_ij,   i before k, with k on their lists.
 * Both halves of an entry stand side by side: they meet the same indices. (Davis, Direct Methods for Sparse
 * Linear Systems, SIAM 2006, sections 4 and 6.) */
#include <polhode/kit/memory.h>

#include "elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Pattern ------------------------------------------------------------------------------------ */

static const uint32_t none = UINT32_MAX;

/* For each place k, finds the earlier places whose lists contain k: from each earlier neighbour of k in the
 * matrix along `parent` (the first entry of a list) until a place is met that is already marked. Counts them
 * in next[i], or, where `later` is given, puts k on list i, whose next free entry is next[i]. Returns their
 * number. */
static size_t walk(const ph_graph *g, const ph_elimination *el, uint32_t *parent, uint32_t *mark,
                   size_t *next, uint32_t *later)
{
    size_t entries = 0;
    for (size_t k = 0; k < g->n; k++)
        parent[k] = mark[k] = none;
    for (size_t k = 0; k < g->n; k++) {
        uint32_t unknown = el->order[k];
        for (size_t e = g->start[unknown]; e < g->start[unknown + 1]; e++)
            for (uint32_t i = el->place[g->neighbour[e]]; i < k && mark[i] != k; i = parent[i]) {
                mark[i] = (uint32_t)k;
                if (parent[i] == none)
                    parent[i] = (uint32_t)k;
                if (later)
                    later[next[i]] = (uint32_t)k;
                next[i]++;
                entries++;
            }
    }
    return entries;
}

/* Places of the arrays; called twice. */
static ph_elimination *lay(ph_lay *l, size_t n, size_t entries)
{
    ph_elimination *el = ph_lay_bytes(l, sizeof *el);
    size_t *start = ph_lay_bytes(l, (n + 1) * sizeof *start),
           *row_start = ph_lay_bytes(l, (n + 1) * sizeof *row_start);
    uint32_t *later = ph_lay_bytes(l, entries * sizeof *later),
             *from = ph_lay_bytes(l, entries * sizeof *from), *at = ph_lay_bytes(l, entries * sizeof *at),
             *place = ph_lay_bytes(l, n * sizeof *place), *order = ph_lay_bytes(l, n * sizeof *order),
             *swap = ph_lay_bytes(l, n * sizeof *swap);
    if (el)
        *el = (ph_elimination){.n = n,
                               .entries = entries,
                               .start = start,
                               .later = later,
                               .row_start = row_start,
                               .row_from = from,
                               .row_at = at,
                               .place = place,
                               .order = order,
                               .swap = swap};
    return el;
}

/* Which lists contain k: the transpose of the lists. next (n) */
static void fill_rows(ph_elimination *el, size_t *next)
{
    memset(next, 0, el->n * sizeof *next);
    for (size_t e = 0; e < el->entries; e++)
        next[el->later[e]]++;
    el->row_start[0] = 0;
    for (size_t k = 0; k < el->n; k++) {
        el->row_start[k + 1] = el->row_start[k] + next[k];
        next[k] = el->row_start[k];
    }
    for (size_t k = 0; k < el->n; k++)
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
            size_t r = next[el->later[e]]++;
            el->row_from[r] = (uint32_t)k;
            el->row_at[r] = (uint32_t)e;
        }
}

ph_status ph_elimination_create(const ph_graph *g, const uint32_t *order, size_t most,
                                ph_elimination **elimination)
{
    size_t n = g->n;
    uint32_t *scratch = malloc(2 * n * sizeof *scratch), *copy = malloc(n * sizeof *copy),
             *place = malloc(n * sizeof *place);
    size_t *next = calloc(n, sizeof *next);
    ph_status status = scratch && copy && place && next ? PH_OK : PH_E_NO_MEMORY;
    ph_elimination known = {.n = n, .place = place, .order = copy};
    ph_lay l = {NULL, 0};
    if (!status) {
        memcpy(copy, order, n * sizeof *order);
        for (size_t k = 0; k < n; k++)
            place[order[k]] = (uint32_t)k;
        known.entries = walk(g, &known, scratch, scratch + n, next, NULL);
        if (known.entries >= UINT32_MAX || (most && known.entries > most))
            status = PH_E_RANGE;
    }
    if (!status) {
        lay(&l, n, known.entries);
        l = (ph_lay){malloc(l.bytes), 0};
        status = l.base ? PH_OK : PH_E_NO_MEMORY;
    }
    if (!status) {
        ph_elimination *el = lay(&l, n, known.entries);
        memcpy(el->order, copy, n * sizeof *copy);
        memcpy(el->place, place, n * sizeof *place);
        el->start[0] = 0;
        for (size_t k = 0; k < n; k++) {
            el->start[k + 1] = el->start[k] + next[k];
            next[k] = el->start[k];
        }
        walk(g, el, scratch, scratch + n, next, el->later);
        fill_rows(el, next);
        ph_order_swaps(n, order, el->swap, scratch);
        *elimination = el;
    }
    free(scratch);
    free(copy);
    free(place);
    free(next);
    return status;
}

/* By bisection: lists are in ascending order. */
size_t ph_elimination_entry(const ph_elimination *el, size_t first, size_t second)
{
    size_t low = el->start[first], high = el->start[first + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (el->later[middle] <= second)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- Factors ------------------------------------------------------------------------------------ */

/* w <- row and column k of what is left once all places before k are eliminated. Returns the pivot; *moved <-
 * the size of what has been taken from it. */
static inline double reduce(const ph_elimination *el, size_t k, double diagonal, const double *pairs,
                            double *w, double *moved)
{
    double sum = 0, size = 0;
    for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
        w[2 * el->later[e]] = pairs[2 * e];
        w[2 * el->later[e] + 1] = pairs[2 * e + 1];
    }
    for (size_t r = el->row_start[k]; r < el->row_start[k + 1]; r++) {
        size_t at = el->row_at[r], end = el->start[el->row_from[r] + 1];
        double low = pairs[2 * at], up = pairs[2 * at + 1];
        sum += low * up;
        size += fabs(low * up);
        for (size_t e = at + 1; e < end; e++) {
            double *to = w + 2 * el->later[e], column = to[0] - pairs[2 * e] * up,
                   row = to[1] - low * pairs[2 * e + 1];
            to[0] = column;
            to[1] = row;
        }
    }
    *moved = size;
    return diagonal - sum;
}

ph_status ph_elimination_factor(const ph_elimination *el, double *F, const double *size, ph_pivots *pivots)
{
    /* A pivot has lost about a digit where more than this times its size was subtracted from it. Where A is
     * positive definite the ratio cannot exceed 1. */
    static const double much = 16;
    double *inverse = ph_elimination_diagonal(F), *pairs = ph_elimination_pairs(el, F),
           *w = pairs + 2 * el->entries;
    *pivots = (ph_pivots){0, false};
    for (size_t k = 0; k < el->n; k++) {
        double moved, pivot = reduce(el, k, inverse[k], pairs, w, &moved), reciprocal = 1 / pivot;
        if (!(fabs(reciprocal) > 0 && fabs(reciprocal) < INFINITY))
            return PH_E_SINGULAR;
        pivots->negative += pivot < 0;
        pivots->grown = pivots->grown || !(moved <= much * size[k]);
        inverse[k] = reciprocal;
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
            pairs[2 * e] = w[2 * el->later[e]] * reciprocal;
            pairs[2 * e + 1] = w[2 * el->later[e] + 1];
        }
    }
    return PH_OK;
}

/* (I + L) y = b place by place, then D (I + U) x = y from the last; unknowns in the order of elimination. */
void ph_elimination_solve(const ph_elimination *el, const double *F, double *x)
{
    const double *inverse = F, *pairs = F + el->n;
    ph_order_apply(el->n, el->swap, 1, x);
    for (size_t k = 0; k < el->n; k++) {
        double known = x[k];
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++)
            x[el->later[e]] -= pairs[2 * e] * known;
    }
    for (size_t k = el->n; k-- > 0;) {
        double sum = x[k];
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++)
            sum -= pairs[2 * e + 1] * x[el->later[e]];
        x[k] = sum * inverse[k];
    }
    ph_order_undo(el->n, el->swap, 1, x);
}

/* ---- Symmetric ---------------------------------------------------------------------------------- */

/* The functions below are inlined for vectors of two and three numbers, and their loops then unrolled. */
#define INLINE static inline __attribute__((always_inline))
#define BY_WIDTH(function, d, ...)                                                                           \
    ((d) == 2 ? function(2, __VA_ARGS__) : (d) == 3 ? function(3, __VA_ARGS__) : function(d, __VA_ARGS__))

/* x <- (I + L)^{-1}, D^{-1} and (I + L)^{-T} of x, for d right-hand sides that stand side by side; up holds
 * the rows of D (I + L)^T. */
INLINE void symmetric_solve(size_t d, const ph_elimination *el, const ph_symmetric_factors *f, double *x)
{
    for (size_t k = 0; k < el->n; k++)
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
            double factor = f->up[e] * f->inverse[k];
            for (size_t c = 0; c < d; c++)
                x[el->later[e] * d + c] -= factor * x[k * d + c];
        }
    for (size_t k = el->n; k-- > 0;) {
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++)
            for (size_t c = 0; c < d; c++)
                x[k * d + c] -= f->up[e] * x[el->later[e] * d + c];
        for (size_t c = 0; c < d; c++)
            x[k * d + c] *= f->inverse[k];
    }
}

void ph_symmetric_solve(const ph_elimination *el, const ph_symmetric_factors *f, size_t d, double *x)
{
    ph_order_apply(el->n, el->swap, d, x);
    BY_WIDTH(symmetric_solve, d, el, f, x);
    ph_order_undo(el->n, el->swap, d, x);
}

/* x <- D (I + U) x in place, in ascending order, as each row needs later entries that are still unchanged;
 * then x <- (I + L) x in descending order, for the same reason. */
INLINE void symmetric_apply(size_t d, const ph_elimination *el, const ph_symmetric_factors *f, double *x)
{
    for (size_t k = 0; k < el->n; k++) {
        for (size_t c = 0; c < d; c++)
            x[k * d + c] *= f->pivot[k];
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++)
            for (size_t c = 0; c < d; c++)
                x[k * d + c] += f->up[e] * x[el->later[e] * d + c];
    }
    for (size_t k = el->n; k-- > 0;)
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
            double factor = f->up[e] * f->inverse[k];
            for (size_t c = 0; c < d; c++)
                x[el->later[e] * d + c] += factor * x[k * d + c];
        }
}

void ph_symmetric_apply(const ph_elimination *el, const ph_symmetric_factors *f, size_t d, double *x)
{
    ph_order_apply(el->n, el->swap, d, x);
    BY_WIDTH(symmetric_apply, d, el, f, x);
    ph_order_undo(el->n, el->swap, d, x);
}
