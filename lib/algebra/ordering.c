/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders of elimination for sparse matrices: reverse Cuthill-McKee, which is ours, and approximate minimum
 * degree, which is SuiteSparse's AMD where configure has found it. An order of n unknowns is applied in
 * place, as n interchanges. */
#include "config.h"

#include "elimination.h"

#include <polhode/kit/kernels.h>

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_AMD
#include <amd.h>
#endif

/* ---- Reverse Cuthill-McKee ---------------------------------------------------------------------- */

static const uint32_t nowhere = UINT32_MAX;

/* The number of neighbours of unknown i. */
static size_t degree(const ph_graph *g, size_t i)
{
    return g->start[i + 1] - g->start[i];
}

/* Breadth-first search: queue <- the unknowns connected with the root, the nearest first; level <- their
 * distances. Returns their number. */
static size_t spread(const ph_graph *g, uint32_t root, uint32_t *queue, uint32_t *level)
{
    size_t many = 1;
    queue[0] = root;
    level[root] = 0;
    for (size_t k = 0; k < many; k++)
        for (size_t e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++)
            if (level[g->neighbour[e]] == nowhere) {
                level[g->neighbour[e]] = level[queue[k]] + 1;
                queue[many++] = g->neighbour[e];
            }
    return many;
}

/* An unknown at the edge of the component of `root`: the most distant one with the fewest neighbours;
 * repeated from there as long as the distance grows. level is left unchanged. */
static uint32_t find_edge(const ph_graph *g, uint32_t root, uint32_t *queue, uint32_t *level)
{
    for (uint32_t depth = 0;;) {
        size_t many = spread(g, root, queue, level);
        uint32_t far = queue[many - 1], deepest = level[far];
        for (size_t k = many; k-- > 0 && level[queue[k]] == deepest;)
            if (degree(g, queue[k]) < degree(g, far))
                far = queue[k];
        for (size_t k = 0; k < many; k++)
            level[queue[k]] = nowhere;
        if (deepest <= depth)
            return root;
        depth = deepest;
        root = far;
    }
}

/* Keys in ascending order: by degree, then by number, so that the order does not depend on the sorting. */
static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Appends to `order` the component of the root, neighbours in the order of their degrees. keys: room for the
 * neighbours of one unknown. */
static size_t append(const ph_graph *g, uint32_t root, uint32_t *order, size_t many, uint32_t *level,
                     uint64_t *keys)
{
    size_t from = many;
    order[many++] = root;
    level[root] = 0;
    for (; from < many; from++) {
        size_t found = 0;
        for (size_t e = g->start[order[from]]; e < g->start[order[from] + 1]; e++) {
            uint32_t j = g->neighbour[e];
            if (level[j] != nowhere)
                continue;
            level[j] = 0;
            keys[found++] = (uint64_t)degree(g, j) << 32 | j;
        }
        qsort(keys, found, sizeof *keys, compare);
        for (size_t k = 0; k < found; k++)
            order[many++] = (uint32_t)keys[k];
    }
    return many;
}

/* Component by component from an edge of it, and the whole order reversed, which makes for less fill. */
ph_status ph_order_cuthill_mckee(const ph_graph *g, uint32_t *order)
{
    size_t most = 1, many = 0;
    for (size_t i = 0; i < g->n; i++)
        most = degree(g, i) > most ? degree(g, i) : most;
    uint32_t *level = malloc(g->n * sizeof *level);
    uint64_t *keys = malloc(most * sizeof *keys);
    if (!level || !keys) {
        free(level);
        free(keys);
        return PH_E_NO_MEMORY;
    }
    for (size_t i = 0; i < g->n; i++)
        level[i] = nowhere;
    for (size_t i = 0; i < g->n; i++)
        if (level[i] == nowhere)
            many = append(g, find_edge(g, (uint32_t)i, order + many, level), order, many, level, keys);
    for (size_t k = 0; k < g->n / 2; k++) {
        uint32_t other = order[g->n - 1 - k];
        order[g->n - 1 - k] = order[k];
        order[k] = other;
    }
    free(level);
    free(keys);
    return PH_OK;
}

/* ---- Minimum degree ----------------------------------------------------------------------------- */

#ifdef HAVE_AMD
ph_status ph_order_minimum_degree(const ph_graph *g, uint32_t *order)
{
    size_t entries = g->start[g->n];
    SuiteSparse_long *start = malloc((g->n + 1) * sizeof *start), *found = malloc(g->n * sizeof *found),
                     *index = malloc((entries + 1) * sizeof *index);
    ph_status status = PH_E_NO_MEMORY;
    if (start && found && index) {
        for (size_t i = 0; i <= g->n; i++)
            start[i] = (SuiteSparse_long)g->start[i];
        for (size_t e = 0; e < entries; e++)
            index[e] = g->neighbour[e];
        if (amd_l_order((SuiteSparse_long)g->n, start, index, found, NULL, NULL) >= AMD_OK)
            status = PH_OK; /* the graph is valid, so that AMD can fail only for want of memory */
        for (size_t k = 0; k < g->n && !status; k++)
            order[k] = (uint32_t)found[k];
    }
    free(start);
    free(found);
    free(index);
    return status;
}

ph_status ph_order_best(const ph_graph *g, uint32_t *order)
{
    return ph_fast_paths() & PH_PATH_AMD ? ph_order_minimum_degree(g, order)
                                         : ph_order_cuthill_mckee(g, order);
}
#else
ph_status ph_order_minimum_degree(const ph_graph *g, uint32_t *order)
{
    (void)g;
    (void)order;
    return PH_E_UNSUPPORTED;
}

ph_status ph_order_best(const ph_graph *g, uint32_t *order)
{
    return ph_order_cuthill_mckee(g, order);
}
#endif

/* ---- In place ----------------------------------------------------------------------------------- */

/* Interchange k brings the unknown order[k] to place k, wherever the earlier ones have moved it. */
void ph_order_swaps(size_t n, const uint32_t *order, uint32_t *swap, uint32_t *scratch)
{
    uint32_t *where = scratch, *what = scratch + n; /* of each unknown; at each place */
    for (size_t k = 0; k < n; k++)
        where[k] = what[k] = (uint32_t)k;
    for (size_t k = 0; k < n; k++) {
        swap[k] = where[order[k]];
        what[swap[k]] = what[k];
        where[what[k]] = swap[k];
    }
}

/* Interchanges two vectors of d numbers. */
static inline __attribute__((always_inline)) void exchange(size_t d, double *a, double *b)
{
    for (size_t c = 0; c < d; c++) {
        double number = a[c];
        a[c] = b[c];
        b[c] = number;
    }
}

static inline __attribute__((always_inline)) void apply(size_t d, size_t n, const uint32_t *swap, double *x)
{
    for (size_t k = 0; k < n; k++)
        if (swap[k] != k)
            exchange(d, x + k * d, x + swap[k] * d);
}

static inline __attribute__((always_inline)) void undo(size_t d, size_t n, const uint32_t *swap, double *x)
{
    for (size_t k = n; k-- > 0;)
        if (swap[k] != k)
            exchange(d, x + k * d, x + swap[k] * d);
}

/* With loops over numbers and short vectors unrolled. */
#define BY_WIDTH(function, d, ...)                                                                           \
    ((d) == 1   ? function(1, __VA_ARGS__)                                                                   \
     : (d) == 2 ? function(2, __VA_ARGS__)                                                                   \
     : (d) == 3 ? function(3, __VA_ARGS__)                                                                   \
                : function(d, __VA_ARGS__))

void ph_order_apply(size_t n, const uint32_t *swap, size_t d, double *x)
{
    BY_WIDTH(apply, d, n, swap, x);
}

void ph_order_undo(size_t n, const uint32_t *swap, size_t d, double *x)
{
    BY_WIDTH(undo, d, n, swap, x);
}
