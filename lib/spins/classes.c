/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of bonds that have no spin in common: an edge colouring of their graph. Bonds of one class
 * commute and can be treated at once; the order of the classes is a part of a splitting, and is fixed with
 * the system: it depends on the list of bonds alone.
 *
 * D is the largest number of bonds at one spin. Each bond, spin by spin, takes the first of D classes that is
 * free at both of its spins. Where there is none, two classes are exchanged along the path of their bonds
 * that begins at one of the spins. In a bipartite graph that always makes a class free (Konig): it has D
 * classes. In another graph the path may end at the other spin; if that is so for all pairs of classes,
 * one more is taken and the bonds at one spin are recoloured (a fan; Vizing's theorem in the form of Misra
 * and Gries, Inf. Process. Lett. 41 (1992) 131): it has D or D + 1. Time: bonds times D, and the lengths
 * of the paths. */
#include "spins.h"

#include <polhode/kit/memory.h>

#include "lib/internal/missing.h"

#include <stdlib.h>
#include <string.h>

/* In a graph that is not bipartite so many paths are tried, and followed so far, before a fan is taken. */
enum { TRIES = 32, FAR = 1000 };

#define NONE UINT32_MAX

/* The graph while it is being coloured. */
typedef struct graph {
    const ph_bonds *bonds;
    size_t spins, degree; /* the most bonds at one spin */
    size_t *begin;        /* (spins + 1) where the bonds of a spin begin */
    uint32_t *bond;       /* (2 bonds) the bonds of all spins */
    uint32_t *class_of;   /* (bonds + 1) or NONE */
    uint32_t *mark;       /* (spins) */
    bool bipartite;
    /* What one bond takes, each (degree + 2): */
    uint64_t *stamp;    /* of classes; those with the last stamp, `now`, are taken */
    uint64_t *in_fan;   /* of classes that a fan has, likewise */
    uint32_t *fan;      /* bonds */
    uint32_t *own_free; /* classes that are free at one end of a bond */
    uint32_t *other_free;
    uint64_t now;
} graph;

static size_t other_end(const graph *g, size_t bond, size_t spin)
{
    return g->bonds->first[bond] == spin ? g->bonds->second[bond] : g->bonds->first[bond];
}

/* The bond of a class at a spin, or NONE. */
static uint32_t bond_at(const graph *g, size_t spin, uint32_t class)
{
    for (size_t k = g->begin[spin]; k < g->begin[spin + 1]; k++)
        if (g->class_of[g->bond[k]] == class)
            return g->bond[k];
    return NONE;
}

static bool is_free(const graph *g, size_t spin, uint32_t class)
{
    return bond_at(g, spin, class) == NONE;
}

/* ---- Free classes --------------------------------------------------------------------------------------- */

/* Stamps the classes that are taken at a spin. */
static void stamp_taken(graph *g, size_t spin, uint64_t stamp)
{
    for (size_t k = g->begin[spin]; k < g->begin[spin + 1]; k++)
        if (g->class_of[g->bond[k]] != NONE)
            g->stamp[g->class_of[g->bond[k]]] = stamp;
}

/* The first class from `from` on, below `classes`, that does not have the stamp, or NONE. */
static uint32_t first_without(const graph *g, uint32_t from, size_t classes, uint64_t stamp)
{
    while (from < classes && g->stamp[from] == stamp)
        from++;
    return from < classes ? from : NONE;
}

/* The first class that is free at a spin: D + 1 are enough that there is one. */
static uint32_t first_free(graph *g, size_t spin)
{
    const uint64_t stamp = ++g->now;
    stamp_taken(g, spin, stamp);
    return first_without(g, 0, g->degree + 1, stamp);
}

/* The first of D classes that is free at both spins of a bond, or NONE. */
static uint32_t free_at_both(graph *g, size_t bond)
{
    const uint64_t stamp = ++g->now;
    stamp_taken(g, g->bonds->first[bond], stamp);
    stamp_taken(g, g->bonds->second[bond], stamp);
    return first_without(g, 0, g->degree, stamp);
}

/* ---- Paths ---------------------------------------------------------------------------------------------- */

/* The path from a spin along bonds of the class `one`, `two`, `one`, ...; at `spin` two is free. Does it
 * end elsewhere than at `avoid`, after `most` bonds at the most? */
static bool path_avoids(const graph *g, size_t spin, size_t avoid, uint32_t one, uint32_t two, size_t most)
{
    for (size_t length = 0; length < most; length++) {
        const uint32_t bond = bond_at(g, spin, length % 2 ? two : one);
        if (bond == NONE)
            return spin != avoid;
        spin = other_end(g, bond, spin);
    }
    return false;
}

/* Exchanges the two classes along this path: then `one` is free at the spin. */
static void exchange(graph *g, size_t spin, uint32_t one, uint32_t two)
{
    uint32_t bond = bond_at(g, spin, one);
    while (bond != NONE) {
        const uint32_t to = g->class_of[bond] == one ? two : one;
        spin = other_end(g, bond, spin);
        /* the next bond has the class that this one gets */
        const uint32_t next = bond_at(g, spin, to);
        g->class_of[bond] = to;
        bond = next;
    }
}

/* list <- the first D classes that are free at a spin; result: how many. */
static size_t list_free(graph *g, size_t spin, uint32_t *list)
{
    const uint64_t stamp = ++g->now;
    size_t n = 0;
    stamp_taken(g, spin, stamp);
    for (uint32_t k = 0; k < g->degree; k++)
        if (g->stamp[k] != stamp)
            list[n++] = k;
    return n;
}

/* Colours a bond by one of D classes after exchanging two along a path; false where none that was tried
 * helps. */
static bool colour_by_path(graph *g, size_t bond)
{
    const size_t i = g->bonds->first[bond], j = g->bonds->second[bond], at_i = list_free(g, i, g->own_free),
                 at_j = list_free(g, j, g->other_free), far = g->bipartite ? g->bonds->n + 1 : FAR;
    size_t tries = 0;
    for (size_t k = 0; k < at_i; k++)
        for (size_t m = 0; m < at_j && tries < TRIES; m++, tries++) {
            const uint32_t one = g->own_free[k], two = g->other_free[m];
            if (path_avoids(g, j, i, one, two, far)) {
                exchange(g, j, one, two);
                g->class_of[bond] = one;
                return true;
            }
        }
    return false;
}

/* ---- Fans ----------------------------------------------------------------------------------------------- */

/* g->fan <- bonds of the spin i, from `bond` on: the class of each is free at the end of the one before
 * it. Result: how many, with no further one. */
static size_t make_fan(graph *g, size_t i, uint32_t bond)
{
    const uint64_t mine = ++g->now;
    size_t n = 0;
    for (uint32_t next = bond; next != NONE;) {
        g->fan[n++] = next;
        const size_t end = other_end(g, next, i);
        const uint64_t stamp = ++g->now;
        stamp_taken(g, end, stamp);
        next = NONE;
        for (size_t k = g->begin[i]; k < g->begin[i + 1] && next == NONE; k++) {
            const uint32_t class = g->class_of[g->bond[k]];
            if (class != NONE && g->stamp[class] != stamp && g->in_fan[class] != mine) {
                next = g->bond[k];
                g->in_fan[class] = mine;
            }
        }
    }
    return n;
}

/* Colours a bond by one of D + 1 classes. `own` is free at its spin i, `last` at the end of the fan; after
 * their exchange `last` is free at i. The exchange may have changed one bond of the fan: up to the first
 * end where `last` is free it is one still, and its bonds can hand on their classes. */
static void colour_by_fan(graph *g, uint32_t bond)
{
    const size_t i = g->bonds->first[bond], n = make_fan(g, i, bond);
    const uint32_t own = first_free(g, i), last = first_free(g, other_end(g, g->fan[n - 1], i));
    exchange(g, i, last, own);
    size_t m = 0;
    for (; !is_free(g, other_end(g, g->fan[m], i), last); m++)
        g->class_of[g->fan[m]] = g->class_of[g->fan[m + 1]];
    g->class_of[g->fan[m]] = last;
}

/* ---- The whole ------------------------------------------------------------------------------------------ */

/* g->begin, bond, degree <- the bonds of each spin. */
static void list_bonds(graph *g)
{
    const ph_bonds *b = g->bonds;
    for (size_t k = 0; k < b->n; k++) {
        g->begin[b->first[k] + 1]++;
        g->begin[b->second[k] + 1]++;
    }
    for (size_t i = 0; i < g->spins; i++)
        g->begin[i + 1] += g->begin[i];
    for (size_t k = b->n;
         k-- > 0;) { /* backwards: begin ends where it belongs, and a spin's bonds are ascending */
        g->bond[--g->begin[b->first[k] + 1]] = (uint32_t)k;
        g->bond[--g->begin[b->second[k] + 1]] = (uint32_t)k;
    }
    /* begin[i + 1] is now where the bonds of i begin */
    memmove(g->begin, g->begin + 1, g->spins * sizeof *g->begin);
    g->begin[g->spins] = 2 * b->n;
}

/* The bonds of each spin by their other ends, where they are not many: then neighbours are coloured one
 * after the other, whatever the order of the list, and paths are short. */
static void sort_ends(graph *g)
{
    enum { MANY = 64 };
    for (size_t i = 0; i < g->spins; i++) {
        uint32_t *bond = g->bond + g->begin[i];
        const size_t n = g->begin[i + 1] - g->begin[i];
        for (size_t k = 1; k < n && n <= MANY; k++) {
            const uint32_t now = bond[k];
            size_t m = k;
            for (; m > 0 && other_end(g, bond[m - 1], i) > other_end(g, now, i); m--)
                bond[m] = bond[m - 1];
            bond[m] = now;
        }
    }
}

/* Is a pair of spins there twice? */
static ph_status check_pairs(graph *g, size_t group, ph_error *err)
{
    for (size_t i = 0; i < g->spins; i++)
        for (size_t k = g->begin[i]; k < g->begin[i + 1]; k++) {
            const size_t j = other_end(g, g->bond[k], i);
            if (g->mark[j] == i + 1) {
                size_t before = g->begin[i];
                while (other_end(g, g->bond[before], i) != j)
                    before++;
                return ph_fail(
                    err, PH_E_INVALID,
                    "bonds %zu and %zu of group %zu join the same spins %zu and %zu; a pair is in a group at "
                    "most once: add the coefficients, or take another group",
                    (size_t)g->bond[before] + 1, (size_t)g->bond[k] + 1, group + 1, i + 1, j + 1);
            }
            g->mark[j] = (uint32_t)(i + 1);
        }
    return PH_OK;
}

/* g->bipartite <- can the spins be given two signs so that each bond joins different ones? queue (bonds +
 * 1): spins whose neighbours are to be looked at. */
static void find_signs(graph *g, uint32_t *queue)
{
    memset(g->mark, 0, g->spins * sizeof *g->mark);
    g->bipartite = true;
    for (size_t start = 0; start < g->spins; start++) {
        size_t from = 0, to = 0;
        if (g->mark[start])
            continue;
        g->mark[start] = 1;
        queue[to++] = (uint32_t)start;
        while (from < to) {
            const size_t i = queue[from++];
            for (size_t k = g->begin[i]; k < g->begin[i + 1]; k++) {
                const size_t j = other_end(g, g->bond[k], i);
                if (g->mark[j] == g->mark[i])
                    g->bipartite = false;
                if (!g->mark[j]) {
                    g->mark[j] = 3 - g->mark[i];
                    queue[to++] = (uint32_t)j;
                }
            }
        }
    }
}

/* Result: the number of classes. */
static size_t colour(graph *g)
{
    size_t classes = 0;
    memset(g->class_of, 0xff, g->bonds->n * sizeof *g->class_of);
    for (size_t i = 0; i < g->spins; i++)
        for (size_t m = g->begin[i]; m < g->begin[i + 1]; m++) {
            const uint32_t k = g->bond[m];
            if (other_end(g, k, i) < i)
                continue;
            const uint32_t both = free_at_both(g, k);
            if (both != NONE)
                g->class_of[k] = both;
            else if (!colour_by_path(g, k))
                colour_by_fan(g, k);
        }
    for (size_t k = 0; k < g->bonds->n; k++)
        classes = g->class_of[k] + (size_t)1 > classes ? g->class_of[k] + (size_t)1 : classes;
    return classes;
}

/* to <- the bonds by class, in one class as they are given. */
static ph_status sort_by_class(const graph *g, size_t classes, ph_bonds *to, ph_error *err)
{
    const ph_bonds *from = g->bonds;
    size_t *begin = calloc(classes + 2, sizeof *begin);
    if (!begin)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    uint32_t *first = (uint32_t *)(uintptr_t)to->first, *second = (uint32_t *)(uintptr_t)to->second;
    double *c = (double *)(uintptr_t)to->c;
    for (size_t k = 0; k < from->n; k++)
        begin[g->class_of[k] + 2]++;
    for (size_t m = 1; m < classes + 1; m++)
        begin[m + 1] += begin[m];
    for (size_t k = 0; k < from->n; k++) { /* begin[m + 1] goes from the beginning of class m to its end */
        const size_t at = begin[g->class_of[k] + 1]++;
        first[at] = from->first[k];
        second[at] = from->second[k];
        if (!from->uniform)
            c[at] = from->c[k];
    }
    to->begin = begin;
    to->colours = classes;
    return PH_OK;
}

/* The graph's own memory; NULL without. */
static void *lay_graph(graph *g)
{
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        g->begin = ph_lay_bytes(&l, (g->spins + 1) * sizeof *g->begin);
        g->bond = ph_lay_bytes(&l, 2 * g->bonds->n * sizeof *g->bond);
        g->class_of = ph_lay_bytes(&l, (g->bonds->n + 1) * sizeof *g->class_of);
        g->mark = ph_lay_bytes(&l, g->spins * sizeof *g->mark);
        if (!pass && !(l = (ph_lay){calloc(1, l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* What one bond takes; NULL without memory. */
static void *lay_bond(graph *g)
{
    const size_t n = g->degree + 2;
    ph_lay l = {NULL, 0};
    for (int pass = 0; pass < 2; pass++) {
        g->stamp = ph_lay_bytes(&l, n * sizeof *g->stamp);
        g->in_fan = ph_lay_bytes(&l, n * sizeof *g->in_fan);
        g->fan = ph_lay_bytes(&l, n * sizeof *g->fan);
        g->own_free = ph_lay_bytes(&l, n * sizeof *g->own_free);
        g->other_free = ph_lay_bytes(&l, n * sizeof *g->other_free);
        if (!pass && !(l = (ph_lay){calloc(1, l.bytes), 0}).base)
            return NULL;
    }
    return l.base;
}

/* The rest of the work, for a graph whose memory is there. */
static ph_status sort_graph(graph *g, size_t group, ph_bonds *to, ph_error *err)
{
    const ph_bonds *b = g->bonds;
    list_bonds(g);
    sort_ends(g);
    ph_status status = check_pairs(g, group, err);
    if (status)
        return status;
    for (size_t i = 0; i < g->spins; i++)
        if (g->begin[i + 1] - g->begin[i] > g->degree)
            g->degree = g->begin[i + 1] - g->begin[i];
    if (b->colours && b->colours < g->degree)
        return ph_fail(
            err, PH_E_INVALID,
            "group %zu of bonds cannot be sorted into %zu classes without a common spin: a spin has %zu bonds",
            group + 1, b->colours, g->degree);
    void *block = lay_bond(g);
    if (!block)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    find_signs(g, g->class_of);
    const size_t classes = colour(g);
    if (b->colours && classes > b->colours)
        status = ph_fail(
            err, PH_E_INVALID,
            "group %zu of bonds was not sorted into %zu classes without a common spin: there is a circle of "
            "odd length; %zu do",
            group + 1, b->colours, classes);
    else
        status = sort_by_class(g, classes, to, err);
    free(block);
    return status;
}

ph_status ph_spins_sort(const ph_bonds *b, size_t spins, size_t group, ph_bonds *to, ph_error *err)
{
    if (b->n >= NONE)
        return ph_fail(err, PH_E_INVALID, "group %zu has %zu bonds; there may be %lu: take several groups",
                       group + 1, b->n, (unsigned long)NONE - 1);
    graph g = {.bonds = b, .spins = spins};
    void *block = lay_graph(&g);
    ph_status status = block ? sort_graph(&g, group, to, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "no memory for %zu bonds", b->n);
    free(block);
    return status;
}
