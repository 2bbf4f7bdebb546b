/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of subtrees of equal shape: see groups.h. Shapes are distinguished by their size and a hash of the
 * shapes of their children that does not depend on order; where both agree, the subtrees are compared link by
 * link. Groups of four are formed first, the largest subtrees first; then groups of three from what is left
 * (a group of two would be no faster than single links). So no group contains another one, and its roots hang
 * on single links. */
#include "groups.h"

#include <polhode/status.h>
#include <polhode/system.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct shapes {
    size_t n;
    const size_t *parent;
    size_t *size, *hash; /* (n) of the subtree of each link */
    size_t *order;       /* (n) links sorted by size, the largest first, then hash, then number */
    size_t *first,
        *beside;   /* (n) first child of a link, next child of its parent, in this order; PH_NO_INDEX */
    size_t *state; /* (n) FREE, MIXED (a part of its subtree is in a group) or TAKEN (in a group) */
} shapes;

enum { FREE, MIXED, TAKEN };

static size_t mix(size_t x)
{
    uint64_t h = (uint64_t)x + 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    return (size_t)(h ^ h >> 31);
}

static bool same_shape(const shapes *s, size_t i, size_t j)
{
    return s->size[i] == s->size[j] && s->hash[i] == s->hash[j];
}

/* Does link i come before link j? */
static bool before(const shapes *s, size_t i, size_t j)
{
    if (s->size[i] != s->size[j])
        return s->size[i] > s->size[j];
    return s->hash[i] != s->hash[j] ? s->hash[i] < s->hash[j] : i < j;
}

/* Restores the heap property below entry i of the heap of the first n entries, whose top comes last in
 * order. */
static void sink(const shapes *s, size_t i, size_t n)
{
    size_t moved = s->order[i];
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && before(s, s->order[child], s->order[child + 1]);
        if (!before(s, moved, s->order[child]))
            break;
        s->order[i] = s->order[child];
    }
    s->order[i] = moved;
}

/* Heapsort: it needs no memory and O(n log n) in every case. */
static void sort(const shapes *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->order[i] = i;
    for (size_t i = s->n / 2; i-- > 0;)
        sink(s, i, s->n);
    for (size_t i = s->n; i-- > 1;) {
        size_t last = s->order[0];
        s->order[0] = s->order[i];
        s->order[i] = last;
        sink(s, 0, i);
    }
}

/* Fills all that `shapes` says of the links. */
static void describe(const shapes *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->size[i] = 1;
        s->hash[i] = 0;
        s->first[i] = PH_NO_INDEX;
        s->state[i] = FREE;
    }
    for (size_t i = s->n; i-- > 0;) {
        size_t above = s->parent[i];
        s->hash[i] = mix(s->hash[i] + s->size[i]);
        if (above == PH_NO_INDEX)
            continue;
        s->size[above] += s->size[i];
        s->hash[above] += s->hash[i];
    }
    sort(s);
    for (size_t k = 0; k < s->n; k++) { /* the smallest comes first */
        size_t i = s->order[k], above = s->parent[i];
        s->beside[i] = PH_NO_INDEX;
        if (above == PH_NO_INDEX)
            continue;
        s->beside[i] = s->first[above];
        s->first[above] = i;
    }
}

/* The link that follows link i in the subtree of `root` in preorder (a link, then its children), or
 * PH_NO_INDEX. *up <- 0 if that is a child of i; otherwise 1 + how many links one climbs from i first. The
 * sequence of these numbers determines the shape. */
static size_t next(const shapes *s, size_t root, size_t i, size_t *up)
{
    *up = 0;
    if (s->first[i] != PH_NO_INDEX)
        return s->first[i];
    *up = 1;
    while (i != root && s->beside[i] == PH_NO_INDEX) {
        i = s->parent[i];
        ++*up;
    }
    return i == root ? PH_NO_INDEX : s->beside[i];
}

/* Lays the subtrees of `used` roots into lanes, in blocks behind those of g; false if their shapes differ
 * although sizes and hashes are equal. Idle lanes follow the first subtree. */
static bool lay(ph_groups *g, const shapes *s, const size_t *root, size_t used)
{
    size_t at[LANES], up[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        at[lane] = root[lane < used ? lane : 0];
    for (size_t k = g->blocks + s->size[root[0]]; k-- > g->blocks;) {
        g->above[k] = at[0] == root[0] ? PH_NO_INDEX : g->place[s->parent[at[0]]] / LANES;
        for (size_t lane = LANES; lane-- > 0;) {
            g->link[LANES * k + lane] = lane < used ? at[lane] : PH_NO_INDEX;
            g->place[at[lane]] = LANES * k + lane;
            at[lane] = next(s, root[lane < used ? lane : 0], at[lane], &up[lane]);
        }
        for (size_t lane = 1; lane < used; lane++)
            if (up[lane] != up[0] || (at[lane] == PH_NO_INDEX) != (at[0] == PH_NO_INDEX))
                return false;
    }
    return true;
}

/* Makes a group of these subtrees, if their shapes are equal. */
static void take(ph_groups *g, const shapes *s, const size_t *root, size_t used)
{
    size_t up;
    if (!lay(g, s, root, used))
        return;
    g->blocks += s->size[root[0]];
    for (size_t lane = 0; lane < used; lane++)
        for (size_t i = root[lane]; i != PH_NO_INDEX; i = next(s, root[lane], i, &up))
            s->state[i] = TAKEN;
}

/* Makes groups of LANES free subtrees of equal shape, and of the rest of each shape one of at least
 * `least`. */
static void group(ph_groups *g, const shapes *s, size_t least)
{
    size_t root[LANES], many = 0;
    for (size_t k = 0; k < s->n; k++) {
        size_t i = s->order[k];
        if (many && !same_shape(s, i, root[0])) {
            if (many >= least)
                take(g, s, root, many);
            many = 0;
        }
        if (s->state[i] == FREE)
            root[many++] = i;
        if (many == LANES) {
            take(g, s, root, many);
            many = 0;
        }
    }
    if (many >= least)
        take(g, s, root, many);
}

void ph_groups_find(ph_groups *g, size_t n, const size_t *parent, size_t *work)
{
    const shapes s = {.n = n,
                      .parent = parent,
                      .size = work,
                      .hash = work + n,
                      .order = work + 2 * n,
                      .first = work + 3 * n,
                      .beside = work + 4 * n,
                      .state = work + 5 * n};
    g->blocks = g->singles = 0;
    describe(&s);
    group(g, &s, LANES);
    for (size_t i = n; i-- > 0;)
        if (s.state[i] != FREE && parent[i] != PH_NO_INDEX && s.state[parent[i]] == FREE)
            s.state[parent[i]] = MIXED;
    group(g, &s, LANES - 1);
    for (size_t i = n; i-- > 0;)
        if (s.state[i] != TAKEN) {
            g->place[i] = LANES * g->blocks + g->singles++;
            g->link[g->place[i]] = i;
        }
    for (size_t k = g->singles; k % LANES; k++)
        g->link[LANES * g->blocks + k] = PH_NO_INDEX;
}
