/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of bonds that have no spin in common: an edge colouring of their graph. Bonds of one class commute and
 * can be treated at once; the order of the classes is a part of a splitting, and is fixed with the system. Each
 * bond takes the first class that is free at both of its spins. Where that takes more than are allowed, the
 * classes of a bipartite graph are found by alternating paths (Konig): as many as the largest number of bonds at
 * one spin, and for other graphs one more (Vizing's bound) is refused with what is needed. */
#include "spins.h"

#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 64 };

/* The graph while it is being coloured. */
typedef struct colouring {
    const ph_bonds *bonds;
    size_t spins;
    unsigned char *class_of; /* (bonds) */
    uint64_t *taken;         /* (spins) bit k: class k is taken */
} colouring;

/* The most bonds at one spin. */
static ph_status count_degree(const ph_bonds *b, size_t spins, size_t group, size_t *most, ph_error *err)
{
    uint32_t *degree = calloc(spins, sizeof *degree);
    *most = 0;
    if (!degree)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < b->n; k++) {
        const size_t i = ++degree[b->first[k]], j = ++degree[b->second[k]];
        *most = i > *most ? i : *most;
        *most = j > *most ? j : *most;
    }
    free(degree);
    if (2 * *most - 1 > MOST_CLASSES)
        return ph_fail(err, PH_E_INVALID,
                       "group %zu of bonds has %zu at one spin; at most %d can be sorted into classes: take "
                       "all_pairs, or several groups",
                       group + 1, *most, (MOST_CLASSES + 1) / 2);
    return PH_OK;
}

static size_t lowest_free(uint64_t taken)
{
    size_t k = 0;
    while (taken >> k & 1)
        k++;
    return k;
}

static size_t colour_greedily(colouring *c)
{
    size_t classes = 0;
    for (size_t k = 0; k < c->bonds->n; k++) {
        uint64_t *one = &c->taken[c->bonds->first[k]], *other = &c->taken[c->bonds->second[k]];
        const size_t free_class = lowest_free(*one | *other);
        *one |= (uint64_t)1 << free_class;
        *other |= (uint64_t)1 << free_class;
        c->class_of[k] = (unsigned char)free_class;
        classes = free_class + 1 > classes ? free_class + 1 : classes;
    }
    return classes;
}

/* at (spins x classes) <- which bond has the class at a spin, n where none: then each bond in turn gets a class that is
 * free at both spins, or one that is made free by exchanging two classes along a path. False where the path ends at
 * the bond's other spin: the graph has an odd circle there. */
static bool colour_along_paths(colouring *c, size_t classes, size_t *at)
{
    const ph_bonds *b = c->bonds;
    const uint64_t all = classes < 64 ? ((uint64_t)1 << classes) - 1 : ~(uint64_t)0;
    memset(c->taken, 0, c->spins * sizeof *c->taken);
    for (size_t i = 0; i < c->spins * classes; i++)
        at[i] = b->n;
    for (size_t k = 0; k < b->n; k++) {
        const size_t i = b->first[k], j = b->second[k];
        const uint64_t open_i = ~c->taken[i] & all, open_j = ~c->taken[j] & all;
        if (!open_i || !open_j)
            return false;
        const uint64_t common = open_i & open_j;
        size_t own = lowest_free(~(common ? common : open_i)), other = 0;
        if (!common) {
            other = lowest_free(~open_j);
            /* from j along bonds of class own, other, own, ...: exchange them, so that `own` is free at j */
            size_t spin = j, now = own, count = 0, path = at[j * classes + own];
            while (path != b->n) {
                const size_t next = b->first[path] == spin ? b->second[path] : b->first[path];
                spin = next;
                if (spin == i)
                    return false;
                now = now == own ? other : own;
                path = at[spin * classes + now];
                if (++count > b->n)
                    return false;
            }
            spin = j;
            now = own;
            path = at[j * classes + own];
            at[j * classes + own] = b->n;
            c->taken[j] &= ~((uint64_t)1 << own);
            while (path != b->n) {
                const size_t next = b->first[path] == spin ? b->second[path] : b->first[path],
                             changed = now == own ? other : own, following = at[next * classes + changed];
                at[spin * classes + changed] = path;
                c->taken[spin] |= (uint64_t)1 << changed;
                at[next * classes + changed] = path;
                c->taken[next] |= (uint64_t)1 << changed;
                c->class_of[path] = (unsigned char)changed;
                if (following == b->n) {
                    at[next * classes + now] = b->n;
                    c->taken[next] &= ~((uint64_t)1 << now);
                }
                spin = next;
                now = changed;
                path = following;
            }
        }
        at[i * classes + own] = at[j * classes + own] = k;
        c->taken[i] |= (uint64_t)1 << own;
        c->taken[j] |= (uint64_t)1 << own;
        c->class_of[k] = (unsigned char)own;
    }
    return true;
}

/* By counting: within a class the order is as given. */
static void sort_by_class(const colouring *c, size_t classes, size_t *order, size_t *begin)
{
    const size_t n = c->bonds->n;
    memset(begin, 0, (classes + 1) * sizeof *begin);
    for (size_t k = 0; k < n; k++)
        begin[c->class_of[k] + 1]++;
    for (size_t m = 0; m < classes; m++)
        begin[m + 1] += begin[m];
    size_t next[MOST_CLASSES];
    memcpy(next, begin, classes * sizeof *next);
    for (size_t k = 0; k < n; k++)
        order[next[c->class_of[k]]++] = k;
}

ph_status ph_spins_sort(const ph_bonds *b, size_t spins, size_t group, size_t *order, size_t *begin,
                        size_t *classes, ph_error *err)
{
    size_t degree;
    ph_status status = count_degree(b, spins, group, &degree, err);
    if (status)
        return status;
    colouring c = {b, spins, malloc(b->n), calloc(spins, sizeof *c.taken)};
    if (!c.class_of || !c.taken)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        *classes = colour_greedily(&c);
    const size_t wanted = b->colours ? b->colours : degree;
    if (!status && *classes > wanted) {
        size_t *at = wanted >= degree ? malloc(spins * wanted * sizeof *at) : NULL;
        if (at && colour_along_paths(&c, wanted, at)) {
            *classes = wanted;
        } else if (b->colours) {
            status = ph_fail(
                err, PH_E_INVALID,
                "group %zu of bonds cannot be sorted into %zu classes without a common spin: %s; %zu "
                "do",
                group + 1, b->colours,
                b->colours < degree ? "a spin has more bonds" : "there is a circle of odd length", *classes);
        } else {
            memset(c.taken, 0, spins * sizeof *c.taken);
            *classes = colour_greedily(&c);
        }
        free(at);
    }
    if (!status)
        sort_by_class(&c, *classes, order, begin);
    free(c.class_of);
    free(c.taken);
    return status;
}
