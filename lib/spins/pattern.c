/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the second derivative of the energy of spins has blocks: at the diagonal, at pairs that a bond joins, and
 * where the definition's callback has them. Found once when a system is created, by sorting all places by column
 * and then by row. */
#include "spins.h"

#include <stdlib.h>
#include <string.h>

/* All places, with repetitions: the diagonal, then bonds in the order of their groups, then those of the callback. */
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

/* swap <- what brings n blocks, of which the k-th in order is order[k], into their order; false without memory. NULL where
 * they have it. */
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

/* Order and places of the callback's blocks, whose places are the last of p, after `before` others: bond[k] is the block that
 * place k has. */
static ph_status take_given(ph_spin_pattern *to, const places *p, size_t before, const size_t *block,
                            ph_error *err)
{
    const size_t n = to->given;
    if (!n)
        return PH_OK;
    size_t *order = malloc(n * sizeof *order), taken = 0;
    to->place = malloc(n * sizeof *to->place);
    ph_status status =
        order && to->place ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", n);
    for (size_t k = 0; k < p->n && !status; k++) {
        if (p->order[k] < before)
            continue;
        const size_t own = p->order[k] - before;
        if (taken && to->place[taken - 1] == block[p->order[k]])
            status =
                ph_fail(err, PH_E_INVALID,
                        "blocks %zu and %zu of spin_hessian have the same place (%zu, %zu), counted from "
                        "1; each place must be given once",
                        order[taken - 1] + 1, own + 1, (size_t)p->row[p->order[k]] + 1,
                        (size_t)p->column[p->order[k]] + 1);
        else {
            to->place[taken] = block[p->order[k]];
            order[taken++] = own;
        }
    }
    if (!status && !find_swaps(n, order, &to->swap))
        status = ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", n);
    free(order);
    return status;
}

/* Every pair has a block: only those of the callback have to be sorted. */
static ph_status take_complete(ph_spin_pattern *to, const ph_system_definition *d, ph_error *err)
{
    const size_t n = d->spins->n;
    places p = {0};
    size_t *block = malloc((to->given + 1) * sizeof *block);
    ph_status status = make_places(&p, to->given, n) && block
                           ? PH_OK
                           : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu blocks", to->given);
    to->complete = true;
    to->blocks = n * (n + 1) / 2;
    for (size_t k = 0; k < to->given && !status; k++) {
        set_place(&p, k, d->hessian_row[k], d->hessian_column[k]);
        block[k] = (size_t)p.row[k] * (p.row[k] + (size_t)1) / 2 + p.column[k];
    }
    if (!status) {
        sort_places(&p);
        status = take_given(to, &p, 0, block, err);
    }
    free(block);
    free_places(&p);
    return status;
}

/* to->begin, to->column <- the places of p without their repetitions, block (p->n) <- which each of p has. */
static ph_status take_blocks(ph_spin_pattern *to, const places *p, size_t *block)
{
    if (!(to->begin = calloc(p->spins + 1, sizeof *to->begin)) ||
        !(to->column = malloc(p->n * sizeof *to->column)))
        return PH_E_NO_MEMORY;
    for (size_t k = 0; k < p->n; k++) {
        const size_t own = p->order[k], last = k ? p->order[k - 1] : own;
        if (!k || p->row[own] != p->row[last] || p->column[own] != p->column[last]) {
            to->column[to->blocks++] = p->column[own];
            to->begin[p->row[own] + 1]++;
        }
        block[own] = to->blocks - 1;
    }
    for (size_t i = 0; i < p->spins; i++)
        to->begin[i + 1] += to->begin[i];
    uint32_t *fitted = realloc(to->column, to->blocks * sizeof *fitted);
    to->column = fitted ? fitted : to->column;
    return PH_OK;
}

static ph_status take_sparse(ph_spin_pattern *to, const ph_spins *is, const ph_system_definition *d,
                             ph_error *err)
{
    const size_t n = is->n;
    size_t bonds = 0;
    for (size_t g = 0; g < is->n_bonds; g++)
        bonds += is->bonds[g].n;
    const size_t all = n + bonds + to->given;
    places p = {0};
    size_t *block = malloc(all * sizeof *block), k = n;
    to->bond = malloc((bonds + 1) * sizeof *to->bond);
    ph_status status = make_places(&p, all, n) && block && to->bond ? PH_OK : PH_E_NO_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        set_place(&p, i, i, i);
    for (size_t g = 0; g < is->n_bonds && !status; g++)
        for (size_t m = 0; m < is->bonds[g].n; m++)
            set_place(&p, k++, is->bonds[g].first[m], is->bonds[g].second[m]);
    for (size_t m = 0; m < to->given && !status; m++)
        set_place(&p, k++, d->hessian_row[m], d->hessian_column[m]);
    if (!status) {
        sort_places(&p);
        status = take_blocks(to, &p, block);
    }
    if (status)
        ph_fail(err, status, "no memory for the pattern of %zu bonds", bonds);
    else {
        memcpy(to->bond, block + n, bonds * sizeof *to->bond);
        status = take_given(to, &p, n + bonds, block, err);
    }
    free(block);
    free_places(&p);
    return status;
}

ph_status ph_spins_find_pattern(ph_spin_system *spins, const ph_system_definition *d, ph_error *err)
{
    const ph_spins *is = &spins->is;
    ph_spin_pattern *to = &spins->pattern;
    if (!spins->whole && !d->spin_hessian)
        return PH_OK;
    to->given = d->n_hessian;
    for (size_t g = 0; g < is->n_bonds; g++)
        if (is->bonds[g].all_pairs)
            return take_complete(to, d, err);
    return take_sparse(to, is, d, err);
}
