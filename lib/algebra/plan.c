/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse elimination as methods see it (polhode/kit/elimination.h): the plan from a list of entries, and the
 * matrix by rows and columns. */
#include "elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The symmetric pattern of the pairs, each listed once in both rows. */
typedef struct pattern {
    size_t *start;       /* (n + 1) */
    uint32_t *neighbour; /* (2 pairs) */
    uint32_t *mark;      /* (n) */
} pattern;

static void forget(pattern *p)
{
    free(p->start);
    free(p->neighbour);
    free(p->mark);
}

/* Sorts the pairs by rows, and drops what is there twice. */
static ph_status collect(size_t n, size_t pairs, const uint32_t *row, const uint32_t *column, pattern *p)
{
    size_t *next = calloc(n + 1, sizeof *next), kept = 0;
    p->start = calloc(n + 1, sizeof *p->start);
    p->neighbour = malloc((2 * pairs + 1) * sizeof *p->neighbour);
    p->mark = malloc((n + 1) * sizeof *p->mark);
    const ph_status status = next && p->start && p->neighbour && p->mark ? PH_OK : PH_E_NO_MEMORY;
    for (size_t k = 0; k < pairs && !status; k++) {
        p->start[row[k] + 1]++;
        p->start[column[k] + 1]++;
    }
    for (size_t i = 0; i < n && !status; i++) {
        p->start[i + 1] += p->start[i];
        next[i] = p->start[i];
        p->mark[i] = UINT32_MAX;
    }
    for (size_t k = 0; k < pairs && !status; k++) {
        p->neighbour[next[row[k]]++] = column[k];
        p->neighbour[next[column[k]]++] = row[k];
    }
    for (size_t i = 0; i < n && !status; i++) {
        const size_t begin = p->start[i], end = next[i];
        p->start[i] = kept;
        for (size_t e = begin; e < end; e++)
            if (p->mark[p->neighbour[e]] != i) {
                p->mark[p->neighbour[e]] = (uint32_t)i;
                p->neighbour[kept++] = p->neighbour[e];
            }
    }
    if (!status)
        p->start[n] = kept;
    free(next);
    return status;
}

ph_status ph_elimination_plan(size_t n, size_t pairs, const uint32_t *row, const uint32_t *column,
                              size_t most, ph_elimination **made, ph_error *err)
{
    pattern p = {NULL, NULL, NULL};
    ph_elimination *el = NULL;
    if (n == 0 || n >= UINT32_MAX)
        return ph_fail(err, PH_E_RANGE, "a sparse matrix of %zu rows", n);
    for (size_t k = 0; k < pairs; k++)
        if (row[k] >= n || column[k] >= n || row[k] == column[k])
            return ph_fail(err, PH_E_RANGE,
                           "entry %zu of a sparse matrix is (%u, %u); there are %zu rows, and the "
                           "diagonal is not listed, because it always exists",
                           k, (unsigned)row[k], (unsigned)column[k], n);
    uint32_t *order = malloc(n * sizeof *order);
    ph_status status = order ? collect(n, pairs, row, column, &p) : PH_E_NO_MEMORY;
    const ph_graph graph = {n, p.start, p.neighbour};
    if (!status)
        status = ph_order_best(&graph, order);
    if (!status)
        status = ph_elimination_create(&graph, order, most, &el);
    forget(&p);
    free(order);
    if (status == PH_E_RANGE)
        return ph_fail(
            err, status,
            "the factors of a sparse matrix of %zu rows have more than the %zu entries that are allowed", n,
            most ? most : (size_t)UINT32_MAX);
    if (status)
        return ph_fail(err, status, "%s", ph_status_text(status));
    *made = el;
    return PH_OK;
}

void ph_elimination_free(ph_elimination *el)
{
    free(el);
}

/* The sizes of the diagonal, too, by which growth is judged. */
size_t ph_elimination_doubles(const ph_elimination *el)
{
    return ph_elimination_size(el) + el->n;
}

size_t ph_elimination_place(const ph_elimination *el, size_t i, size_t j)
{
    const size_t row = el->place[i], column = el->place[j];
    if (row == column)
        return row;
    return row > column ? el->n + 2 * ph_elimination_entry(el, column, row)
                        : el->n + 2 * ph_elimination_entry(el, row, column) + 1;
}

ph_status ph_elimination_decompose(const ph_elimination *el, double *F, size_t *negative)
{
    if (!el)
        return PH_E_INVALID;
    double *size = F + ph_elimination_size(el);
    ph_pivots pivots;
    for (size_t k = 0; k < el->n; k++)
        size[k] = fabs(F[k]);
    const ph_status status = ph_elimination_factor(el, F, size, &pivots);
    if (negative)
        *negative = pivots.negative;
    return status;
}
