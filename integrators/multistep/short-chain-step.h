/* SPDX-License-Identifier: BSD-3-Clause */
/* A multistep step of one link or two from a guess (short-chain.c): what is carried, and the next point. All of it is
 * inlined into a function for each kind of system and number of steps. */
#ifndef PH_INTEGRATORS_MULTISTEP_SHORT_CHAIN_STEP_H
#define PH_INTEGRATORS_MULTISTEP_SHORT_CHAIN_STEP_H

#include "integrators/shared/short-chain.h"
#include "multistep.h"

enum { MOST_PASSES = 8 }; /* iterations */
enum { SMOOTH = PH_MULTISTEP_SMOOTH, HISTORY = PH_MULTISTEP_HISTORY };

/* A small whole number as an index, which takes fewer instructions than the conversion of any double. */
INLINE size_t whole(double number)
{
    return (size_t)(int)number;
}

/* A part at one point of the window; u and a are increments. In the second half of the ring q and ql are
 * unused. */
typedef struct links_place {
    loose q, ql, u, a;
} links_place;

typedef struct links_carry {
    double begin;                   /* of the window in the ring */
    double age;                     /* multipliers that there are */
    double late;                    /* where in x, as it is there for the second time, the latest one is */
    double h;                       /* of its increments */
    double x[2 * (HISTORY + 2)][2]; /* of the points before the latest one: see expect */
    loose y, square;                /* |nu|^2 / 2 of the latest step, and of this one as is expected */
    loose excess;                   /* (|q|^2 - 1) / 2, see variational/short-chain.c */
    loose d[MOST_LINKS + 1], dl[MOST_LINKS + 1]; /* between the two latest points */
    links_place ring[];                          /* points of all parts, one after the other */
} links_carry;

/* Weights of multipliers: of the latest, and of two and two before it, as they lie there. */
typedef struct links_expectation {
    vector older[HISTORY / 2], latest;
} links_expectation;

typedef struct links_scratch {
    ph_short_chain chain;
    const ph_multistep *of;
    size_t parts, nz;
    bool (*step)(const struct links_scratch *w, links_carry *c, int *passes);
    double h, square, drop, share; /* h^2; h^2 sigma and 1 / sigma of the latest acceleration */
    vector fallen, falling;        /* h^2 sigma and h^2 times gravity of the first link; ... */
    vector ridden, riding;         /* ... and of the cart */
    vector d[PH_MULTISTEP_MOST / 2], sigma[PH_MULTISTEP_MOST / 2];
    links_expectation expectations[HISTORY]; /* by how many multipliers there are */
} links_scratch;

/* sum sigma a - sum d u of a part over the points before the latest one, which is its u but for what the
 * latest a adds. *found <- the term of the last of these points, which the step before has just found: apart,
 * so that the other terms need not wait for it. */
INLINE vector links_bracket(const links_scratch *w, size_t K, size_t parts, const links_place *latest,
                            vector *found)
{
    const size_t half = K / 2;
    const links_place *middle = latest - (half - 1) * parts, *first = latest - (K - 2) * parts,
                      *before = latest - parts;
    vector pushed = w->sigma[0] * first->a, turned = first->u;
    if (K > 4) {
        const links_place *other = first + parts; /* of the same weight as the last */
        pushed += w->sigma[1] * other->a + w->sigma[half - 1] * middle->a;
        turned += w->d[1] * other->u + w->d[half - 1] * middle->u;
    }
    for (size_t j = 2; j < half - 1; j++) {
        const links_place *late = latest - j * parts, *early = latest - (K - 2 - j) * parts;
        pushed += w->sigma[j] * (early->a + late->a);
        turned += w->d[j] * (early->u + late->u);
    }
    *found = w->sigma[1] * before->a - w->d[1] * before->u;
    return pushed - turned;
}

/* A part at the next point. */
typedef struct links_arrival {
    vector q, ql, u, a, d, dl;
} links_arrival;

/* The next point of a part. b: its bracket; d, dl: the increment that led to `from`; c: the change by the
 * multipliers, on which as few operations as possible wait; fallen, falling: gravity in u and in a (NULL: it
 * has no effect). */
INLINE links_arrival links_leave(const links_scratch *w, const links_place *from, vector b, vector d,
                                 vector dl, vector c, const vector *fallen, const vector *falling)
{
    links_arrival to;
    const vector without = fallen ? b + *fallen : b;
    to.u = without + c;
    to.a = falling ? *falling + w->share * c : w->share * c;
    two_sum(d, (without + dl) + c, &to.d, &to.dl);
    two_sum(from->q, to.d + from->ql, &to.q, &to.ql);
    return to;
}

/* Enters the next point of a part; begin: index of the first point of the window, whose place the next one
 * takes. */
INLINE void links_arrive(links_carry *c, size_t K, size_t parts, size_t part, size_t begin,
                         const links_arrival *to)
{
    const size_t before = begin ? begin - 1 : K;
    links_place *latest = c->ring + before * parts + part, *again = latest + (K + 1) * parts,
                *next = c->ring + begin * parts + part;
    latest->u = again->u = to->u;
    latest->a = again->a = to->a;
    next->q = to->q;
    next->ql = to->ql;
    c->d[part] = to->d;
    c->dl[part] = to->dl;
}

/* The guess of the next multiplier. Multipliers are in a ring with one more entry than is needed, stored
 * twice so that any window is contiguous. Each write fills lanes 2 and 3, too, the place of the next entry,
 * with a copy. Only one product waits for the latest multiplier. */
INLINE vector links_expect(const links_expectation *e, size_t history, const double (*latest)[2])
{
    const double *x = *latest;
    vector all = e->older[history / 2 - 1] * load(x - 2 * history);
    for (size_t i = history / 2 - 1; i-- > 0;)
        all += e->older[i] * load(x - 4 * (i + 1));
    return (all + SWAP_HALVES(all)) + e->latest * load(x);
}

INLINE void links_retain(links_carry *c, size_t history, vector x)
{
    const size_t ring = history + 1, next = whole(c->late) + 1, late = next == 2 * ring ? ring : next;
    store(c->x[late - ring], x);
    store(c->x[late], x);
    c->late = (double)(int)late;
    c->age += c->age < (double)history;
}

/* (|q|^2 - 1) / 2 of the latest point, less the one that was used to find it: what rounding has left. */
INLINE vector links_excess_at(bool two, const links_place *latest, vector used)
{
    const short_motion one = {.q = latest->q, .ql = latest->ql};
    if (!two)
        return 0.5 * excess_of_links(false, &one, NULL) - used;
    const short_motion other = {.q = latest[1].q, .ql = latest[1].ql};
    return 0.5 * excess_of_links(true, &one, &other) - used;
}

/* free, other: the increments of the first link and the second without the multipliers. */
INLINE short_pass links_iterate(int kind, const links_scratch *w, const links_place *latest, vector free,
                                vector other, vector excess, vector x, vector square)
{
    if (kind == SINGLE || kind == RIDING)
        return pass_riding(&w->chain, latest->q, free, excess, x, square);
    return pass_pair(kind == RIDING_PAIR, &w->chain, latest->q, latest[1].q, free, other, excess, x, square);
}

/* A step; false, and nothing is changed, where the guess is not good enough. */
INLINE bool links_advance(int kind, size_t K, const links_scratch *w, links_carry *c, int *passes)
{
    const vector none = {0, 0, 0, 0};
    const bool two = kind == PAIR || kind == RIDING_PAIR, cart = kind == RIDING || kind == RIDING_PAIR;
    const size_t parts = kind == SINGLE ? 1 : kind == RIDING_PAIR ? 3 : 2, last = parts - 1;
    const size_t begin = whole(c->begin), history = SMOOTH + K - 2;
    const links_place *latest = c->ring + (begin + K) * parts,
                      *here = c->ring + (begin ? begin - 1 : K) * parts;
    vector b[MOST_LINKS + 1], known[MOST_LINKS + 1];
    for (size_t i = 0; i < parts; i++) {
        vector found, earlier = links_bracket(w, K, parts, latest + i, &found);
        known[i] = (c->d[i] + (earlier + c->dl[i])) + found;
        b[i] = earlier + found;
    }
    vector x = links_expect(w->expectations + (whole(c->age) - 1), history, c->x + whole(c->late));
    const vector free = known[0] + w->fallen, excess = c->excess;
    short_pass p = links_iterate(kind, w, here, free, known[1], excess, x, c->square);
    const vector y = p.y;
    for (*passes = 1; p.sound && !p.settled && *passes < MOST_PASSES; ++*passes) {
        x += p.by;
        p = links_iterate(kind, w, here, free, known[1], excess, x, none);
    }
    if (!p.sound || !p.settled)
        return false;
    c->excess = links_excess_at(two, here, excess);
    links_arrival to[MOST_LINKS + 1];
    to[0] = links_leave(w, here, b[0], c->d[0], c->dl[0], p.c1 + p.nu1, &w->fallen, &w->falling);
    if (two)
        to[1] = links_leave(w, here + 1, b[1], c->d[1], c->dl[1], p.c2 + p.nu2, NULL, NULL);
    if (cart)
        to[last] = links_leave(w, here + last, b[last], c->d[last], c->dl[last], w->chain.back * p.pull,
                               &w->ridden, &w->riding);
    for (size_t i = 0; i < parts; i++)
        links_arrive(c, K, parts, i, begin, &to[i]);
    c->begin = begin == K ? 0 : c->begin + 1;
    links_retain(c, history, x + p.by);
    c->square = y + (y - c->y);
    c->y = y;
    return true;
}

#endif
