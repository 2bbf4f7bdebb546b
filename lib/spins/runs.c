/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds with one coefficient as seen from their spins: runs of consecutive spins whose neighbours are at
 * the same distances in the list. A ring is a run and its two ends; a lattice has three or fewer for each
 * of its rows, whatever its dimension. What neighbours add to such spins is then a sum of arrays, each
 * shifted, which is quick in lanes and takes hardly any memory. In a graph without order a run is one spin
 * with the list of its neighbours. */
#include "spins.h"

#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>

/* The neighbours of all spins, ascending. */
typedef struct neighbours {
    size_t spins;
    size_t *begin;  /* (spins + 1) */
    uint32_t *spin; /* (begin[spins]) */
} neighbours;

static int compare(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

void ph_spins_sort_list(uint32_t *list, size_t n)
{
    enum { SHORT = 32 };
    if (n > SHORT) {
        qsort(list, n, sizeof *list, compare);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        const uint32_t now = list[k];
        size_t m = k;
        for (; m > 0 && list[m - 1] > now; m--)
            list[m] = list[m - 1];
        list[m] = now;
    }
}

static ph_status list_neighbours(const ph_bonds *b, size_t spins, neighbours *made)
{
    size_t *begin = calloc(spins + 1, sizeof *begin);
    uint32_t *spin = malloc(2 * b->n * sizeof *spin);
    *made = (neighbours){spins, begin, spin};
    if (!begin || !spin)
        return PH_E_NO_MEMORY;
    for (size_t k = 0; k < b->n; k++) {
        begin[b->first[k] + 1]++;
        begin[b->second[k] + 1]++;
    }
    for (size_t i = 0; i < spins; i++)
        begin[i + 1] += begin[i];
    for (size_t k = 0; k < b->n; k++) { /* begin[i + 1], where i ends, goes back to where it begins */
        spin[--begin[b->first[k] + 1]] = b->second[k];
        spin[--begin[b->second[k] + 1]] = b->first[k];
    }
    memmove(begin, begin + 1, spins * sizeof *begin);
    begin[spins] = 2 * b->n;
    for (size_t i = 0; i < spins; i++)
        ph_spins_sort_list(spin + begin[i], begin[i + 1] - begin[i]);
    return PH_OK;
}

/* Are the neighbours of spin i + 1 those of i, each one further? */
static bool continues(const neighbours *l, size_t i)
{
    const size_t n = l->begin[i + 1] - l->begin[i];
    if (l->begin[i + 2] - l->begin[i + 1] != n)
        return false;
    for (size_t k = 0; k < n; k++)
        if (l->spin[l->begin[i + 1] + k] != l->spin[l->begin[i] + k] + 1)
            return false;
    return true;
}

/* The run that begins at a spin; result: where it ends. */
static size_t end_of_run(const neighbours *l, size_t begin)
{
    size_t i = begin;
    while (i + 1 < l->spins && continues(l, i))
        i++;
    return i + 1;
}

/* made's numbers <- how many runs and distances there are, or, where it has room, these. */
static void fill_runs(const neighbours *l, ph_spin_runs *made)
{
    size_t n = 0, distances = 0;
    for (size_t i = 0, end; i < l->spins; i = end) {
        const size_t count = l->begin[i + 1] - l->begin[i];
        end = end_of_run(l, i);
        if (!count)
            continue;
        if (made->run) {
            made->run[n] = (ph_spin_run){(uint32_t)i, (uint32_t)end, (uint32_t)count, distances};
            for (size_t k = 0; k < count; k++)
                made->distance[distances + k] = (int32_t)((int64_t)l->spin[l->begin[i] + k] - (int64_t)i);
        }
        n++;
        distances += count;
    }
    made->n = n;
    made->distances = distances;
}

bool ph_spin_runs_suit(const ph_bonds *b)
{
    const int zeros = (b->axis[0] == 0) + (b->axis[1] == 0) + (b->axis[2] == 0);
    return b->uniform && !b->all_pairs &&
           (b->kind == PH_BOND_EXCHANGE || (b->kind == PH_BOND_AXIAL && zeros == 2));
}

ph_status ph_spin_runs_create(const ph_bonds *b, size_t spins, ph_spin_runs *made, ph_error *err)
{
    neighbours l;
    *made = (ph_spin_runs){.n = 0};
    ph_status status = list_neighbours(b, spins, &l);
    if (!status) {
        fill_runs(&l, made);
        made->run = malloc(made->n * sizeof *made->run + made->distances * sizeof *made->distance);
        if (made->run) {
            made->distance = (int32_t *)(void *)(made->run + made->n);
            fill_runs(&l, made);
        } else {
            status = PH_E_NO_MEMORY;
        }
    }
    free(l.begin);
    free(l.spin);
    made->differences = b->kind == PH_BOND_EXCHANGE;
    for (size_t k = 0; k < 3; k++)
        made->weight[k] = b->c[0] * (made->differences ? 1 : b->axis[k] * b->axis[k]);
    return status ? ph_fail(err, status, "no memory for the neighbours of %zu spins", spins) : PH_OK;
}

void ph_spin_runs_free(ph_spin_runs *runs)
{
    free(runs->run);
}
