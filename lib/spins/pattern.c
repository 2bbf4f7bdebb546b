/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the second derivative of the energy of spins has blocks: at the diagonal, at pairs that a bond
 * joins, and where the definition's callback has them. Found when it is first asked for: the columns of
 * each row are gathered and sorted, in the memory that is kept for them since the system was created. */
#include "spins.h"

#include <stdlib.h>
#include <string.h>

/* The places of the callback's blocks. */
typedef struct places {
    size_t n, spins;
    uint32_t *row, *column;
    size_t *order, *other, *count; /* (n), (n), (spins + 1) */
} places;

static void free_places(places *p)
{
    free(p->row);
    free(p->column);
    free(p->order);
    free(p->other);
    free(p->count);
}

static bool make_places(places *p, size_t n, size_t spins)
{
    *p = (places){.n = n,
                  .spins = spins,
                  .row = malloc((n + 1) * sizeof *p->row),
                  .column = malloc((n + 1) * sizeof *p->column),
                  .order = malloc((n + 1) * sizeof *p->order),
                  .other = malloc((n + 1) * sizeof *p->other),
                  .count = malloc((spins + 1) * sizeof *p->count)};
    return p->row && p->column && p->order && p->other && p->count;
}

/* to <- the order `from` sorted by key, and as before where keys are equal. */
static void sort_by(places *p, const uint32_t *key, const size_t *from, size_t *to)
{
    memset(p->count, 0, (p->spins + 1) * sizeof *p->count);
    for (size_t k = 0; k < p->n; k++)
        p->count[key[k] + 1]++;
    for (size_t i = 0; i < p->spins; i++)
        p->count[i + 1] += p->count[i];
    for (size_t k = 0; k < p->n; k++)
        to[p->count[key[from[k]]]++] = from[k];
}

/* p->order <- the places row by row. */
static void sort_places(places *p)
{
    for (size_t k = 0; k < p->n; k++)
        p->order[k] = k;
    sort_by(p, p->column, p->order, p->other);
    sort_by(p, p->row, p->other, p->order);
}

static void set_place(places *p, size_t k, size_t i, size_t j)
{
    p->row[k] = (uint32_t)(i > j ? i : j);
    p->column[k] = (uint32_t)(i > j ? j : i);
}

/* swap <- what brings n blocks, of which the k-th in order is order[k], into their order; false without
 * memory. NULL where they have it. */
static bool find_swaps(size_t n, const size_t *order, size_t **swap)
{
    bool sorted = true;
    for (size_t k = 0; k < n; k++)
        sorted &= order[k] == k;
    if (sorted)
        return true;
    size_t *at = malloc(n * sizeof *at), *where = malloc(n * sizeof *where);
    *swap = malloc(n * sizeof **swap);
    bool made = at && where && *swap;
    for (size_t k = 0; k < n && made; k++)
        at[k] = where[k] = k;
    for (size_t k = 0; k < n && made; k++) {
        const size_t from = where[order[k]], away = at[k];
        (*swap)[k] = from;
        at[from] = away;
        where[away] = from;
        at[k] = order[k];
        where[order[k]] = k;
    }
    free(at);
    free(where);
    return made;
}

/* Order and places of the callback's blocks. */
static ph_status take_given(ph_spin_pattern *to, const places *p, const size_t *block, ph_error *err)
{
    const size_t n = to->given;
    size_t *order = malloc(n * sizeof *order);
    to->place = malloc(n * sizeof *to->place);
    ph_status status =
        order && to->place ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", n);
    for (size_t k = 0; k < n && !status; k++) {
        order[k] = p->order[k];
        to->place[k] = block[order[k]];
        if (k && to->place[k - 1] == to->place[k])
            status =
                ph_fail(err, PH_E_INVALID,
                        "blocks %zu and %zu of spin_hessian have the same place (%zu, %zu), counted from "
                        "1; each place must be given once",
                        order[k - 1] + 1, order[k] + 1, (size_t)p->row[order[k]] + 1,
                        (size_t)p->column[order[k]] + 1);
    }
    if (!status && !find_swaps(n, order, &to->swap))
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", n);
    free(order);
    return status;
}

/* The same, when the places of all blocks are known. */
static ph_status find_given(ph_spin_pattern *to, const ph_system_definition *d, ph_error *err)
{
    if (!to->given)
        return PH_OK;
    places p = {0};
    size_t *block = malloc(to->given * sizeof *block);
    ph_status status = make_places(&p, to->given, d->spins->n) && block
                           ? PH_OK
                           : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", to->given);
    for (size_t k = 0; k < to->given && !status; k++) {
        set_place(&p, k, d->hessian_row[k], d->hessian_column[k]);
        block[k] = p.row[k] == p.column[k] ? ph_pattern_diagonal(to, p.row[k])
                                           : ph_pattern_pair(to, p.row[k], p.column[k]);
    }
    if (!status) {
        sort_places(&p);
        status = take_given(to, &p, block, err);
    }
    free(block);
    free_places(&p);
    return status;
}

/* Every place below the diagonal, of bonds and of the callback: 0, 1, ... while `next` finds one. */
typedef struct walk {
    const ph_spins *is;
    const ph_system_definition *d; /* nullable: without those of the callback */
    size_t group, k;
} walk;

static bool next(walk *w, size_t *row, size_t *column)
{
    size_t i, j;
    while (w->group < w->is->n_bonds && w->k == w->is->bonds[w->group].n) {
        w->group++;
        w->k = 0;
    }
    if (w->group < w->is->n_bonds) {
        i = w->is->bonds[w->group].first[w->k];
        j = w->is->bonds[w->group].second[w->k++];
    } else if (w->d && w->k < w->d->n_hessian) {
        i = w->d->hessian_row[w->k];
        j = w->d->hessian_column[w->k++];
    } else {
        return false;
    }
    *row = i > j ? i : j;
    *column = i > j ? j : i;
    return true;
}

/* The list of a row without what is there twice; result: how many. */
static size_t unite(const uint32_t *from, size_t n, uint32_t *to)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if (!k || from[k] != from[k - 1])
            to[kept++] = from[k];
    return kept;
}

/* to's arrays, for `all` places with repetitions, and blocks <- the places of bonds and of the callback. */
static void fill(ph_spin_pattern *to, const ph_spins *is, const ph_system_definition *d)
{
    const size_t n = is->n;
    size_t row, column, *begin = to->begin, all = 0;
    begin[0] = 0;
    for (size_t i = 0; i < n; i++)
        begin[i + 1] = 1;
    for (walk w = {.is = is, .d = d}; next(&w, &row, &column);)
        begin[row + 1]++;
    for (size_t i = 0; i < n; i++)
        all = begin[i + 1] += begin[i];
    for (size_t i = 0; i < n; i++) /* begin[i + 1], where row i ends, goes back to where it begins */
        to->column[--begin[i + 1]] = (uint32_t)i;
    for (walk w = {.is = is, .d = d}; next(&w, &row, &column);)
        to->column[--begin[row + 1]] = (uint32_t)column;
    to->blocks = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t first = begin[i + 1], end = i + 1 < n ? begin[i + 2] : all;
        ph_spins_sort_list(to->column + first, end - first);
        begin[i] = to->blocks;
        to->blocks += unite(to->column + first, end - first, to->column + to->blocks);
    }
    begin[n] = to->blocks;
}

ph_status ph_spins_find_pattern(ph_spin_system *spins, const ph_system_definition *d, ph_error *err)
{
    const ph_spins *is = &spins->is;
    ph_spin_pattern *to = &spins->pattern;
    if (!spins->whole && !d->spin_hessian)
        return PH_OK;
    to->known = true;
    to->given = d->n_hessian;
    size_t all = is->n + to->given;
    for (size_t g = 0; g < is->n_bonds; g++) {
        to->complete |= is->bonds[g].all_pairs;
        all += is->bonds[g].n;
    }
    if (to->complete) {
        to->blocks = is->n * (is->n + 1) / 2;
        atomic_store(&to->once, PH_ONCE_DONE);
        return find_given(to, d, err);
    }
    to->begin = malloc((is->n + 1) * sizeof *to->begin);
    to->column = malloc(all * sizeof *to->column);
    if (!to->begin || !to->column)
        return ph_fail(err, PH_E_NO_MEMORY, "no memory for the pattern of %zu spins", is->n);
    if (!to->given)
        return PH_OK;
    fill(to, is, d);
    atomic_store(&to->once, PH_ONCE_DONE);
    return find_given(to, d, err);
}

const ph_spin_pattern *ph_spins_pattern(ph_spin_system *spins)
{
    ph_spin_pattern *p = &spins->pattern;
    if (!p->known)
        return NULL;
    if (ph_once_begins(&p->once)) {
        fill(p, &spins->is, NULL);
        ph_once_ends(&p->once);
    }
    return p;
}
