/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of exchange, along an axis and of twist as seen from their spins: runs of consecutive spins whose neighbours are at
 * the same distances in the list. A ring is a run and its two ends; a lattice has three or fewer for each
 * of its rows, whatever its dimension. What neighbours add to such spins is then a sum of arrays, each
 * shifted, which is quick in lanes and takes hardly any memory. In a graph without order a run is one spin
 * with the list of its neighbours. Coefficients are in the order in which lanes read them. The gradient is the sum of neighbours,
 * each by its coefficient, then by a matrix where the axis is not one of the coordinates: -a a^T, or, with opposite coefficients at
 * both ends, that of r -> r x a. */
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
            made->run[n] = (ph_spin_run){(uint32_t)i, (uint32_t)end, (uint32_t)count, distances, l->begin[i]};
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
    return !b->all_pairs &&
           (b->kind == PH_BOND_EXCHANGE || b->kind == PH_BOND_AXIAL || b->kind == PH_BOND_TWIST);
}

/* c of a bond to `other`, as seen from spin i. */
static void put_coefficient(const neighbours *l, const ph_spin_runs *made, size_t i, uint32_t other, double c)
{
    size_t low = 0, high = made->n - 1, k = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (made->run[middle].end <= i)
            low = middle + 1;
        else
            high = middle;
    }
    const ph_spin_run *r = &made->run[low];
    while (l->spin[l->begin[i] + k] != other)
        k++;
    made->c[r->c + k * (r->end - r->begin) + (i - r->begin)] = c;
}

/* How the sum of neighbours makes the gradient; in which c is, unless bonds have their own. */
static void weigh(const ph_bonds *b, ph_spin_runs *made)
{
    const double c = made->c ? 1 : b->c[0], *a = b->axis;
    const int zeros = (a[0] == 0) + (a[1] == 0) + (a[2] == 0);
    made->differences = b->kind == PH_BOND_EXCHANGE;
    made->mapped = b->kind == PH_BOND_TWIST || (b->kind == PH_BOND_AXIAL && zeros != 2);
    for (size_t k = 0; k < 3; k++) {
        made->weight[k] = made->mapped ? -1 : c * (made->differences ? 1 : a[k] * a[k]);
        for (size_t m = 0; m < 3; m++)
            made->map[3 * k + m] = b->kind == PH_BOND_TWIST ? 0 : -c * a[k] * a[m];
        if (b->kind == PH_BOND_TWIST) {
            made->map[3 * k + (k + 1) % 3] = a[(k + 2) % 3];
            made->map[3 * k + (k + 2) % 3] = -a[(k + 1) % 3];
        }
    }
}

ph_status ph_spin_runs_create(const ph_bonds *b, size_t spins, ph_spin_runs *made, ph_error *err)
{
    neighbours l;
    *made = (ph_spin_runs){.n = 0};
    ph_status status = list_neighbours(b, spins, &l);
    const bool twist = b->kind == PH_BOND_TWIST;
    const size_t own = twist || !b->uniform ? 2 * b->n : 0; /* coefficients */
    if (!status) {
        fill_runs(&l, made);
        made->run = malloc(made->n * sizeof *made->run + own * sizeof *made->c +
                           made->distances * sizeof *made->distance);
        if (made->run) {
            made->c = own ? (double *)(void *)(made->run + made->n) : NULL;
            made->distance = (int32_t *)(void *)((double *)(void *)(made->run + made->n) + own);
            fill_runs(&l, made);
        } else {
            status = PH_E_NO_MEMORY;
        }
    }
    for (size_t k = 0; k < b->n && own && !status; k++) {
        const double c = b->c[b->uniform ? 0 : k];
        put_coefficient(&l, made, b->first[k], b->second[k], c);
        put_coefficient(&l, made, b->second[k], b->first[k], twist ? -c : c);
    }
    free(l.begin);
    free(l.spin);
    weigh(b, made);
    return status ? ph_fail(err, status, "no memory for the neighbours of %zu spins", spins) : PH_OK;
}

void ph_spin_runs_free(ph_spin_runs *runs)
{
    free(runs->run);
}
