/* SPDX-License-Identifier: BSD-3-Clause */
/* What steps of eight chains of one link or two at once (short-chain-lanes.c) do in vectors across the systems: the formulas of
 * short-chain-steps.h and shared/short-chain.h, each number in the order in which it is computed there. Included once for each
 * width of vectors, with the names of lanes-eight.h. */
#include "integrators/shared/lanes-eight.h"

/* Scalar products as they are added up in a vector of four, whose last number is 0: by halves (`sum`), and by pairs (`sums`). That 0
 * makes one of -0 (`zeroed`), which is left out where it cannot be seen. */
INLINE number OF(halves)(const number *a, const number *b)
{
    return (a[0] * b[0] + a[2] * b[2]) + a[1] * b[1];
}

INLINE number OF(halves_zeroed)(const number *a, const number *b)
{
    return (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + 0.0);
}

INLINE number OF(pairs)(const number *a, const number *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

INLINE number OF(pairs_zeroed)(const number *a, const number *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + 0.0);
}

/* A link as it is carried. */
typedef struct OF(link) {
    number q[3], ql[3], d[3], dl[3];
} OF(link);

INLINE OF(link) OF(link_at)(const eight_motion *from, size_t at)
{
    OF(link) m;
    for (int k = 0; k < 3; k++) {
        m.q[k] = OF(load)(from->q[k] + at);
        m.ql[k] = OF(load)(from->ql[k] + at);
        m.d[k] = OF(load)(from->d[k] + at);
        m.dl[k] = OF(load)(from->dl[k] + at);
    }
    return m;
}

/* *upper + *rest = |q + ql|^2: the sums of `split`. */
INLINE void OF(square)(const OF(link) *m, number *squares, number *rest)
{
    const double splitter = 0x1.8p27;
    number s[3], r[3];
    for (int k = 0; k < 3; k++) {
        const number q = m->q[k], upper = (q + splitter) - splitter;
        s[k] = upper * upper;
        r[k] = (q + upper) * (q - upper) + (q + q) * m->ql[k];
    }
    *squares = (s[0] + s[1]) + s[2];
    *rest = (r[0] + r[1]) + r[2];
}

/* short_leave_step and short_remember_step */
INLINE void OF(leave)(const OF(link) *m, const number *change, size_t at, eight_motion *to)
{
    for (int k = 0; k < 3; k++) {
        number d, dl, q, ql;
        OF(two_sum)(m->d[k], change[k], &d, &dl);
        OF(two_sum)(m->q[k], d + m->ql[k], &q, &ql);
        OF(store)(d, to->d[k] + at);
        OF(store)(dl, to->dl[k] + at);
        OF(store)(q, to->q[k] + at);
        OF(store)(ql, to->ql[k] + at);
    }
}

/* What of it depends on the steps before alone. */
INLINE void OF(remember)(const eight_link *from, size_t at, eight_link *to)
{
    const number before = OF(load)(from->x + at);
    OF(store)(10 * before + OF(load)(from->late + at), to->guess + at);
    OF(store)(OF(load)(from->later + at) - 20 * before, to->late + at);
    OF(store)(15 * before - 4 * OF(load)(from->before + at), to->later + at);
    OF(store)(before, to->before + at);
    OF(store)(OF(load)(from->next + at), to->square + at);
}

INLINE void OF(add)(const eight_link *from, number x, number y, size_t at, eight_link *to)
{
    OF(store)(x, to->x + at);
    OF(store)(3 * y - 2 * OF(load)(from->y + at), to->next + at);
    OF(store)(y, to->y + at);
}

/* ---- One link -------------------------------------------------------------------------------------------------- */

/* short_advance_single. Returns in which lanes the guess is good enough. */
INLINE unsigned OF(step_single)(const eight_chain *restrict w, const eight_carry *restrict from, size_t at,
                                eight_carry *restrict to)
{
    const eight_link *link = from->links;
    const OF(link) m = OF(link_at)(&link->m, at);
    const number g = OF(load)(link->guess + at), half = 0.5 * g, square = OF(load)(link->square + at),
                 excess = OF(load)(link->excess + at), drop = OF(load)(from->drop + at);
    number fall[3], a[3], low[3], change[3];
    for (int k = 0; k < 3; k++) {
        fall[k] = OF(load)(w->fall[k] + at);
        a[k] = m.d[k] + fall[k];
        low[k] = fall[k] + m.dl[k];
    }
    const number a2 = OF(halves)(a, a), start = (drop + (g * (drop + half) + square)) + excess,
                 rate = 1 + half, t = drop + 0.5 * a2;
    number x = -start - rate * a2, gap = x - g, y = gap * (t + (g + 0.5 * gap));
    for (int k = 0; k < 3; k++)
        change[k] = (low[k] - start * m.q[k]) - a2 * (rate * m.q[k]);
    OF(remember)(link, at, to->links);
    const number miss = y - square;
    truth good = a2 < OF(load)(w->reach + at);
    const truth more = good & ~(miss * miss <= 0x1p-108 * a2);
    if (__builtin_expect(OF(bits)(more) != 0, 0)) {
        const number off = a2 + (drop + excess);
        truth going = more;
        for (int passes = 1; passes < MOST_PASSES && OF(bits)(going); passes++) {
            const number by = (off + x * ((1 + t) + 0.5 * x)) / ((1 + t) + x);
            x = OF(choose)(going, x - by, x);
            going &= ~(by * by <= 0x1p-54 * OF(absolute)(x));
        }
        good &= ~going;
        gap = OF(choose)(more, x - g, gap);
        y = OF(choose)(more, gap * (t + (g + 0.5 * gap)), y);
        for (int k = 0; k < 3; k++)
            change[k] = OF(choose)(more, low[k] + x * m.q[k], change[k]);
    }
    number squares, rest;
    OF(square)(&m, &squares, &rest);
    const number e = (squares - 1) + rest;
    OF(store)((1.5 * e - OF(load)(from->e + at)) - 2 * excess, to->links[0].excess + at);
    OF(store)(e, to->e + at);
    OF(store)(OF(pairs_zeroed)(m.q, fall) - OF(load)(w->half_square + at), to->drop + at);
    OF(leave)(&m, change, at, &to->links->m);
    OF(add)(link, x, y, at, to->links);
    return OF(bits)(good & (x > -0.5));
}

static TARGET unsigned OF(advance_single)(const eight_chain *w, const eight_carry *from, eight_carry *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        good |= OF(step_single)(w, from, at, to) << at;
    return good;
}

/* ---- Two links ------------------------------------------------------------------------------------------------- */

/* The numbers of the systems. */
typedef struct OF(levers) {
    number ratio, own, second, first, mixed; /* of short_chain: mixed[1], ... times q1.q2 in a form */
} OF(levers);

typedef struct OF(pair_pass) {
    number c1[3], c2[3], nu1[3], nu2[3], by[2], y[2];
    number T[4], over, mixed[2], R[2], bound[2];
    truth sound, settled;
} OF(pair_pass);

/* pull_pair */
INLINE void OF(pull)(const OF(levers) *w, const number *q1, const number *q2, const number *x, number *c1,
                     number *c2)
{
    for (int k = 0; k < 3; k++) {
        c1[k] = x[0] * q1[k] - x[1] * q2[k];
        c2[k] = x[1] * (w->own * q2[k]) - x[0] * (w->ratio * q1[k]);
    }
}

/* half_squares: w->first, ... with mixed that of the form. */
INLINE void OF(half_squares)(const OF(levers) *w, const number *mixed, const number *by, number *y)
{
    y[0] = by[0] * (0.5 * by[0] - mixed[0] * by[1]) + (0.5 * by[1]) * by[1];
    y[1] = by[0] * (w->first * by[0] - mixed[1] * by[1]) + (w->second * by[1]) * by[1];
}

INLINE number OF(determinant)(const number *T)
{
    return T[0] * T[1] - T[2] * T[3];
}

INLINE void OF(cramer)(const number *T, number over, const number *R, number *by)
{
    by[0] = (T[1] * R[0] + T[2] * R[1]) * over;
    by[1] = (T[0] * R[1] + T[3] * R[0]) * over;
}

INLINE truth OF(is_small)(const number *miss, const number *bound)
{
    return (miss[0] * miss[0] - bound[0] <= 0) & (miss[1] * miss[1] - bound[1] <= 0);
}

/* The loop of pass_pair behind its first solution, in the lanes that are not settled. */
INLINE void OF(settle)(const OF(levers) *w, const number *square, OF(pair_pass) *p)
{
    const number *mixed = p->mixed;
    number T[4] = {p->T[0], p->T[1], p->T[2], p->T[3]}, over = p->over;
    number miss[2] = {p->y[0] - square[0], p->y[1] - square[1]}, latest[2] = {p->by[0], p->by[1]}, y[2];
    for (int mends = 0; mends < MOST_MENDS && OF(bits)(~p->settled); mends++) {
        const truth going = ~p->settled;
        const number first[4] = {2 * 0.5 + 0 * mixed[0], 0 * w->first + -1 * mixed[1], 0 * 0.5 + 1 * mixed[0],
                                 -2 * w->first + 0 * mixed[1]},
                     second[4] = {0 * 0.5 + -1 * mixed[0], 2 * w->second + 0 * mixed[1],
                                  -2 * 0.5 + 0 * mixed[0], 0 * w->second + 1 * mixed[1]};
        for (int k = 0; k < 4; k++)
            T[k] += first[k] * latest[0] + second[k] * latest[1];
        const number off = 1 + OF(determinant)(T) * over;
        over += over * off;
        OF(cramer)(T, over, miss, latest);
        OF(half_squares)(w, mixed, latest, y);
        for (int i = 0; i < 2; i++) {
            p->by[i] = OF(choose)(going, p->by[i] + latest[i], p->by[i]);
            miss[i] = OF(choose)(going, off * off * miss[i] + y[i], miss[i]);
        }
        p->settled |= going & OF(is_small)(miss, p->bound);
    }
}

/* pass_pair without a cart: first what leads to the equations of the first solution, ... */
INLINE void OF(begin_pass)(const OF(levers) *w, const number *q1, const number *q2, const number *free,
                           const number *d2, const number *x, OF(pair_pass) *p)
{
    number near[3], own[3], D1[3], D2[3], e1[3], e2[3], h1[3], h2[3];
    OF(pull)(w, q1, q2, x, p->c1, p->c2);
    for (int k = 0; k < 3; k++) {
        near[k] = w->ratio * q1[k];
        own[k] = w->own * q2[k];
        D1[k] = free[k] + p->c1[k];
        D2[k] = d2[k] + p->c2[k];
        e1[k] = (q1[k] + free[k]) + p->c1[k];
        e2[k] = (q2[k] + d2[k]) + p->c2[k];
        h1[k] = q1[k] + 0.5 * D1[k];
        h2[k] = q2[k] + 0.5 * D2[k];
    }
    p->T[0] = OF(pairs)(e1, q1);
    p->T[1] = OF(pairs)(e2, own);
    p->T[2] = OF(pairs)(e1, q2);
    p->T[3] = OF(pairs)(e2, near);
    p->over = -1 / OF(determinant)(p->T);
    p->mixed[0] = OF(halves_zeroed)(q1, q2);
    p->mixed[1] = w->mixed * p->mixed[0];
    p->R[0] = OF(pairs_zeroed)(h1, D1);
    p->R[1] = OF(pairs_zeroed)(h2, D2);
    p->bound[0] = 0x1p-108 * OF(pairs)(D1, D1);
    p->bound[1] = 0x1p-108 * OF(pairs)(D2, D2);
}

/* ... then that, and what follows from it. */
INLINE void OF(end_pass)(const OF(levers) *w, const number *q1, const number *q2, const number *excess,
                         const number *square, OF(pair_pass) *p)
{
    const number R[2] = {p->R[0] + (excess[0] + square[0]), p->R[1] + (excess[1] + square[1])};
    OF(cramer)(p->T, p->over, R, p->by);
    OF(half_squares)(w, p->mixed, p->by, p->y);
    p->sound = (p->T[1] > 0) & (p->over < 0) &
               (2 * (p->y[0] + p->y[1]) <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
    const number miss[2] = {p->y[0] - square[0], p->y[1] - square[1]};
    p->settled = OF(is_small)(miss, p->bound);
    if (__builtin_expect(OF(bits)(~p->settled) != 0, 0))
        OF(settle)(w, square, p);
    OF(pull)(w, q1, q2, p->by, p->nu1, p->nu2);
}

/* What iterations find. */
typedef struct OF(pair_found) {
    number change[2][3], x[2];
} OF(pair_found);

/* The changes of the increments by an iteration from x. */
INLINE void OF(conclude)(const number *fall, const OF(link) *m, const OF(pair_pass) *p, const number *x,
                         OF(pair_found) *to)
{
    for (int k = 0; k < 3; k++) {
        to->change[0][k] = ((fall[k] + m[0].dl[k]) + p->c1[k]) + p->nu1[k];
        to->change[1][k] = (m[1].dl[k] + p->c2[k]) + p->nu2[k];
    }
    for (int i = 0; i < 2; i++)
        to->x[i] = x[i] + p->by[i];
}

/* short_continue: iterations without a guess of y, in lanes that are sound and not settled; returns where one settled. */
INLINE truth OF(go_on)(const OF(levers) *w, const number *fall, const number *free, const OF(link) *m,
                       const number *excess, truth going, const number *from, OF(pair_found) *to)
{
    const number none[2] = {{0}, {0}};
    number x[2] = {from[0], from[1]};
    truth settled = {0};
    for (int passes = 2; passes <= MOST_PASSES && OF(bits)(going); passes++) {
        OF(pair_pass) p;
        OF(pair_found) f = *to;
        OF(begin_pass)(w, m[0].q, m[1].q, free, m[1].d, x, &p);
        OF(end_pass)(w, m[0].q, m[1].q, excess, none, &p);
        going &= p.sound;
        const truth ends = going & p.settled;
        OF(conclude)(fall, m, &p, x, &f);
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 3; k++)
                to->change[i][k] = OF(choose)(ends, f.change[i][k], to->change[i][k]);
            to->x[i] = OF(choose)(ends, f.x[i], to->x[i]);
            x[i] += p.by[i];
        }
        settled |= ends;
        going &= ~ends;
    }
    return settled;
}

/* What both parts of a step of two links begin with. */
typedef struct OF(pair) {
    OF(link) m[2];
    OF(levers) levers;
    number excess[2], guess[2], fall[3], free[3];
} OF(pair);

INLINE OF(pair) OF(pair_at)(const eight_chain *w, const eight_link *links, size_t at)
{
    OF(pair) of = {.m = {OF(link_at)(&links[0].m, at), OF(link_at)(&links[1].m, at)},
                   .levers = {OF(load)(w->ratio + at), OF(load)(w->own + at), OF(load)(w->second + at),
                              OF(load)(w->first + at), OF(load)(w->mixed + at)},
                   .excess = {OF(load)(links[0].excess + at), OF(load)(links[1].excess + at)},
                   .guess = {OF(load)(links[0].guess + at), OF(load)(links[1].guess + at)}};
    for (int k = 0; k < 3; k++) {
        of.fall[k] = OF(load)(w->fall[k] + at);
        of.free[k] = of.m[0].d[k] + of.fall[k];
    }
    return of;
}

/* short_advance_step of two links. Returns in which lanes the guess is good enough. What does not wait for the solution stands
 * where others do. */
INLINE unsigned OF(step_pair)(const eight_chain *restrict w, const eight_link *restrict links, size_t at,
                              eight_link *restrict to)
{
    OF(pair_pass) p;
    OF(pair_found) found;
    {
        const OF(pair) of = OF(pair_at)(w, links, at);
        OF(begin_pass)(&of.levers, of.m[0].q, of.m[1].q, of.free, of.m[1].d, of.guess, &p);
    }
    READ_AGAIN(links);
    for (int i = 0; i < 2; i++) {
        const OF(link) m = OF(link_at)(&links[i].m, at);
        number squares, rest;
        OF(square)(&m, &squares, &rest);
        OF(store)(0.5 * ((squares - 1) + rest) - OF(load)(links[i].excess + at), to[i].excess + at);
        OF(remember)(&links[i], at, &to[i]);
    }
    READ_AGAIN(links);
    const OF(pair) of = OF(pair_at)(w, links, at);
    const number square[2] = {OF(load)(links[0].square + at), OF(load)(links[1].square + at)};
    OF(end_pass)(&of.levers, of.m[0].q, of.m[1].q, of.excess, square, &p);
    OF(conclude)(of.fall, of.m, &p, of.guess, &found);
    truth good = p.sound & p.settled;
    const truth more = p.sound & ~p.settled;
    if (__builtin_expect(OF(bits)(more) != 0, 0)) {
        const number x[2] = {found.x[0], found.x[1]};
        good |= OF(go_on)(&of.levers, of.fall, of.free, of.m, of.excess, more, x, &found);
    }
    for (int i = 0; i < 2; i++) {
        OF(leave)(&of.m[i], found.change[i], at, &to[i].m);
        OF(add)(&links[i], found.x[i], p.y[i], at, &to[i]);
    }
    return OF(bits)(good);
}

static TARGET unsigned OF(advance_pair)(const eight_chain *w, const eight_carry *from, eight_carry *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        good |= OF(step_pair)(w, from->links, at, to->links) << at;
    return good;
}

/* ---- Stages ---------------------------------------------------------------------------------------------------- */

/* What an iteration of a stage finds: changes by the pulls, with their corrections. */
typedef struct OF(stage_pass) {
    number c[2][3], by[2], y[2];
    truth sound, settled;
} OF(stage_pass);

/* pass_riding without a cart. */
INLINE void OF(pass_single)(const number *q, const number *free, const number *excess, const number *x,
                            const number *square, OF(stage_pass) *p)
{
    number c[3], D[3], e[3], h[3], nu[3];
    for (int k = 0; k < 3; k++) {
        c[k] = x[0] * q[k];
        D[k] = free[k] + c[k];
        e[k] = (q[k] + free[k]) + c[k];
        h[k] = (q[k] + 0.5 * free[k]) + (0.5 * x[0]) * q[k];
    }
    const number slope = OF(halves_zeroed)(e, q), R = OF(halves_zeroed)(h, D) + (excess[0] + square[0]);
    p->by[0] = -R / slope;
    for (int k = 0; k < 3; k++) {
        const number pull = x[0] * q[k] + p->by[0] * q[k];
        nu[k] = p->by[0] * q[k];
        p->c[0][k] = pull + 0 * pull;
    }
    const number corrected = OF(pairs)(nu, nu);
    p->y[0] = 0.5 * corrected;
    const number miss = p->y[0] - square[0];
    p->sound = (slope > 0) & (corrected <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION);
    p->settled = miss * miss <= 0x1p-108 * OF(pairs)(D, D);
}

INLINE void OF(pass)(const int links, const OF(levers) *w, const OF(link) *m, const number (*free)[3],
                     const number *excess, const number *x, const number *square, OF(stage_pass) *p)
{
    if (links == 1) {
        OF(pass_single)(m[0].q, free[0], excess, x, square, p);
        return;
    }
    OF(pair_pass) of;
    OF(begin_pass)(w, m[0].q, m[1].q, free[0], free[1], x, &of);
    OF(end_pass)(w, m[0].q, m[1].q, excess, square, &of);
    for (int k = 0; k < 3; k++) {
        p->c[0][k] = of.c1[k] + of.nu1[k];
        p->c[1][k] = of.c2[k] + of.nu2[k];
    }
    for (int i = 0; i < 2; i++) {
        p->by[i] = of.by[i];
        p->y[i] = of.y[i];
    }
    p->sound = of.sound;
    p->settled = of.settled;
}

/* short_leave_stage */
INLINE void OF(leave_stage)(const OF(link) *m, const short_stage_sizes *s, const number *c,
                            const number *gravity, size_t at, eight_motion *to)
{
    for (int k = 0; k < 3; k++) {
        number q, ql, v, vl, there, lost, fall, rest, kick, more, all;
        OF(two_sum)(s->half * gravity[k], c[k], &fall, &rest);
        OF(two_sum)(m->q[k], s->h * m->d[k], &there, &lost);
        OF(two_sum)(there, fall + (lost + ((rest + s->h * m->dl[k]) + m->ql[k])), &q, &ql);
        OF(two_sum)(s->h * gravity[k], c[k] / s->h, &kick, &rest);
        OF(two_sum)(kick, m->dl[k], &all, &more);
        OF(two_sum)(m->d[k], all, &v, &vl);
        OF(store)(q, to->q[k] + at);
        OF(store)(ql, to->ql[k] + at);
        OF(store)(v, to->d[k] + at);
        OF(store)(vl + (rest + more), to->dl[k] + at);
    }
}

/* short_remember_stage of a link: what is recollected of the stage, in these lanes. */
INLINE void OF(remember_stage)(number age, double stages, truth lanes, number x, number guess, number y,
                               size_t at, eight_recollection *m)
{
    const number zero = {0}, old = OF(load)(m->lacked + at), old_change = OF(load)(m->change + at),
                 old_y = OF(load)(m->y + at), lacked = OF(choose)(age < HISTORY, zero, x - guess);
    const truth first = age < stages + HISTORY, second = age < 2 * stages + HISTORY;
    const number change = lacked - old,
                 expected = OF(choose)(
                     first, lacked,
                     OF(choose)(second, lacked + change, lacked + (change + (change - old_change))));
    const number square = OF(choose)(first, y, y + (y - old_y));
    OF(store)(OF(choose)(lanes, expected, OF(load)(m->expected + at)), m->expected + at);
    OF(store)(OF(choose)(lanes, square, OF(load)(m->square + at)), m->square + at);
    OF(store)(OF(choose)(lanes, lacked, old), m->lacked + at);
    OF(store)(OF(choose)(lanes, change, old_change), m->change + at);
    OF(store)(OF(choose)(lanes, y, old_y), m->y + at);
}

/* short_advance_stage; weights (HISTORY x EIGHT) of the guess. Returns in which lanes it is good enough. */
INLINE unsigned OF(step_stage)(const int links, const eight_chain *w, const short_stage_sizes *s,
                               const double *weights, const eight_staged *from, eight_recollection *memory,
                               size_t at, eight_staged *to)
{
    const OF(levers) levers = {OF(load)(w->ratio + at), OF(load)(w->own + at), OF(load)(w->second + at),
                               OF(load)(w->first + at), OF(load)(w->mixed + at)};
    const number none[2] = {{0}, {0}}, age = OF(load)(from->age + at);
    OF(link) m[2];
    number gravity[2][3], free[2][3], excess[2], guess[2], x[2], square[2], y[2], c[2][3], end[2];
    OF(stage_pass) p;
    for (int i = 0; i < links; i++) {
        const eight_staged_link *l = &from->links[i];
        m[i] = OF(link_at)(&l->m, at);
        for (int k = 0; k < 3; k++) {
            gravity[i][k] = i ? none[0] : OF(load)(w->gravity[k] + at);
            free[i][k] = i ? s->h * m[i].d[k] : s->h * m[i].d[k] + s->half * gravity[i][k];
        }
        excess[i] = OF(load)(l->excess + at);
        guess[i] = none[0];
        for (size_t k = HISTORY; k-- > 0;)
            guess[i] += OF(load)(weights + EIGHT * k + at) * OF(load)(l->x[k] + at);
        x[i] = guess[i] + OF(load)(memory[i].expected + at);
        square[i] = OF(load)(memory[i].square + at);
    }
    OF(pass)(links, &levers, m, (const number(*)[3])free, excess, x, square, &p);
    truth good = p.sound & p.settled, going = p.sound & ~p.settled;
    for (int i = 0; i < links; i++) {
        y[i] = p.y[i];
        end[i] = x[i] + p.by[i];
        for (int k = 0; k < 3; k++)
            c[i][k] = p.c[i][k];
    }
    for (int passes = 1; passes < MOST_PASSES && OF(bits)(going); passes++) {
        for (int i = 0; i < links; i++)
            x[i] += p.by[i];
        OF(pass)(links, &levers, m, (const number(*)[3])free, excess, x, none, &p);
        going &= p.sound;
        const truth ends = going & p.settled;
        for (int i = 0; i < links; i++) {
            end[i] = OF(choose)(ends, x[i] + p.by[i], end[i]);
            for (int k = 0; k < 3; k++)
                c[i][k] = OF(choose)(ends, p.c[i][k], c[i][k]);
        }
        good |= ends;
        going &= ~ends;
    }
    for (int i = 0; i < links; i++) {
        const eight_staged_link *l = &from->links[i];
        number squares, rest;
        OF(square)(&m[i], &squares, &rest);
        OF(store)(0.5 * ((squares - 1) + rest) - excess[i], to->links[i].excess + at);
        OF(leave_stage)(&m[i], s, c[i], gravity[i], at, &to->links[i].m);
        OF(remember_stage)(age, w->stages, good, end[i], guess[i], y[i], at, &memory[i]);
        for (size_t k = HISTORY - 1; k > 0; k--)
            OF(store)(OF(load)(l->x[k - 1] + at), to->links[i].x[k] + at);
        OF(store)(end[i], to->links[i].x[0] + at);
    }
    OF(store)(age + 1, to->age + at);
    return OF(bits)(good);
}

static TARGET unsigned OF(advance_stage_single)(const eight_chain *w, const short_stage_sizes *s,
                                                const double *weights, const eight_staged *from,
                                                eight_recollection *memory, eight_staged *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        good |= OF(step_stage)(1, w, s, weights, from, memory, at, to) << at;
    return good;
}

static TARGET unsigned OF(advance_stage_pair)(const eight_chain *w, const short_stage_sizes *s,
                                              const double *weights, const eight_staged *from,
                                              eight_recollection *memory, eight_staged *to)
{
    unsigned good = 0;
    for (size_t at = 0; at < EIGHT; at += WIDTH)
        good |= OF(step_stage)(2, w, s, weights, from, memory, at, to) << at;
    return good;
}
