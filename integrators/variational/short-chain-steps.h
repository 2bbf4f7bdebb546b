/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps and stages of short-chain.c from a guess, for one link or two, without a cart or on one: what they carry, and
 * their end. All of it is inlined into a function for each kind of system. */
#ifndef PH_INTEGRATORS_VARIATIONAL_SHORT_CHAIN_STEPS_H
#define PH_INTEGRATORS_VARIATIONAL_SHORT_CHAIN_STEPS_H

#include "integrators/shared/short-chain.h"
#include "variational.h"

#include <string.h>

enum { MOST_PASSES = 8, HISTORY = 4 }; /* iterations; earlier stages whose x is kept */

/* Vectors have a number for each link: of two in lanes 0 and 1 and again in 2 and 3, of a single one in
 * all. */
typedef struct short_history {
    loose guess;       /* of the x of this step */
    loose x, before;   /* x of the last step and of the one before it */
    loose late, later; /* partial sums of earlier x: of the next guess, and of the one after it */
    loose square;      /* expected y of this step: |nu|^2 / 2 of the correction of the guess */
    loose next;        /* that of the next step */
    loose y;           /* y of the last step */
} short_history;

/* What is known of a stage from the steps before. */
typedef struct short_recollection {
    loose lacked;   /* x less its guess by the other stages, in the last step */
    loose change;   /* how that differed from the step before */
    loose expected; /* what it is expected to be in this step */
    loose y;        /* |nu|^2 / 2 of the correction of the guess, in the last step */
    loose square;   /* what that is expected to be in this step */
} short_recollection;

typedef struct short_carry {
    double stamp;   /* ph_stage_stamp; 0: there is no motion */
    double age;     /* stages since the last one without a guess */
    double drop, e; /* of steps of a single link without a cart: see short_advance_single */
    loose excess;   /* what |q|^2 - 1 adds to the residual */
    union {
        short_history past; /* of steps of one size */
        loose x[HISTORY];   /* of the stages before, the latest first */
    } of;
    short_motion parts[]; /* links, then the cart; for stages their recollections follow */
} short_carry;

/* A stage's step size h, and h^2/2. */
typedef struct short_stage_sizes {
    double h, half;
} short_stage_sizes;

typedef struct short_scratch {
    ph_tension_plain plain;
    ph_short_chain chain;
    double count; /* number of stages; 0: steps of one size */
    double h;
    vector fall, ride;  /* steps of one size: h^2 times gravity of the first link and of the cart */
    double half_square; /* |fall|^2 / 2 */
    double reach;       /* of |d + fall|^2: see short_advance_single */
    short_stage_sizes stages[PH_MOST_STAGES];
} short_scratch;

INLINE short_recollection *short_recollections(short_carry *c, size_t parts)
{
    return (short_recollection *)(void *)(c->parts + parts);
}

INLINE short_stage_sizes short_stage_size(const ph_composition *of, size_t i, double step)
{
    const double h = ph_composition_gamma(of, i) * step;
    return (short_stage_sizes){h, 0.5 * h * h};
}

/* What gravity does in steps of w->h. */
INLINE void short_set_fall(short_scratch *w)
{
    const double h2 = w->h * w->h;
    w->fall = h2 * w->chain.gravity;
    w->ride = h2 * w->chain.ride;
    w->half_square = 0.5 * sum(w->fall * w->fall)[0];
    w->reach = w->half_square < 0.00125 ? 0.01 : 0; /* |fall| < 0.05, |d + fall| < 0.1 */
}

/* ---- What all steps share ----------------------------------------------------------------------- */

INLINE bool short_is_pair(int kind)
{
    return kind == PAIR || kind == RIDING_PAIR;
}

INLINE bool short_is_riding(int kind)
{
    return kind == RIDING || kind == RIDING_PAIR;
}

/* An iteration from x, with the expected |nu|^2 / 2 of its correction. s: of stages only. */
INLINE short_pass short_iterate(bool staged, int kind, const short_scratch *w, const short_stage_sizes *s,
                                const short_carry *c, vector x, vector square)
{
    const short_motion *one = c->parts, *two = one + 1;
    vector free = staged ? s->h * one->d + s->half * w->chain.gravity : one->d + w->fall, excess = c->excess;
    if (!short_is_pair(kind))
        return pass_riding(&w->chain, one->q, free, excess, x, square);
    vector d2 = two->d;
    return pass_pair(kind == RIDING_PAIR, &w->chain, one->q, two->q, free, staged ? s->h * d2 : d2, excess, x,
                     square);
}

/* The excess e / 2 of the next step, before its q is known. A step takes back the excess that it uses, so
 * that e is e' of the present q less twice the excess of this step, but for rounding. */
INLINE void short_keep_excess(int kind, short_carry *c)
{
    c->excess = 0.5 * excess_of_links(short_is_pair(kind), c->parts, c->parts + 1) - c->excess;
}

/* Steps return false, and change nothing, where the guess is not good enough. The rounding of a residual is
 * about 2^-54 |d|. */

/* ---- Steps of one size -------------------------------------------------------------------------- */

/* The end of the step of a part, whose increment changes by `change`. */
INLINE void short_leave_step(short_motion *m, vector change)
{
    vector d, dl, q, ql;
    two_sum(m->d, change, &d, &dl);
    two_sum(m->q, d + m->ql, &q, &ql);
    m->d = d, m->dl = dl;
    m->q = q, m->ql = ql;
}

/* The guess of x_k is by the cubic through x_(k-2) ... x_(k-5), that of y_k by the line through y_(k-2),
 * y_(k-3): the latest values come too late. */
INLINE void short_remember_step(short_history *past, vector x, vector y)
{
    vector before = past->x;
    past->guess = 10 * before + past->late;
    past->late = past->later - 20 * before;
    past->later = 15 * before - 4 * past->before;
    past->before = before;
    past->x = x;
    past->square = past->next;
    past->next = 3 * y - 2 * past->y;
    past->y = y;
}

/* A single link. With a = d + fall, the increment is a + x q, and
 *     x + (t + x / 2) x + off = 0,      t = q.a,      off = q.a + (|a|^2 + e) / 2,      e = |q|^2 - 1,
 * but for e x. As q came about by d, q.d is (|d|^2 + e - e') / 2, with e' of the step before, and so
 *     t = |a|^2 / 2 + drop,     off = |a|^2 + drop + excess,
 *     drop = (q - d).fall - |fall|^2 / 2,      excess = e - e' / 2:
 * nothing but |a|^2 waits for the last step. From a guess g, x = - off - (t + g / 2) g lacks
 * y = (x - g) (t + (x + g) / 2), which is extrapolated. Where that is not enough Newton's iteration follows.
 *
 * e itself is not there in time, but known, if for rounding, by those that have been found, e' and e'' of the
 * two steps before, and by the excess' that was used: e = 2 e' - e'' - 2 excess'.
 *
 * |d| + |fall| < 1/4, of which `reach` makes sure, is enough for there to be two roots however small a part
 * of the step is taken, and that on the branch from h = 0 is where 1 + t + x > 0. */
INLINE bool short_advance_single(const short_scratch *w, short_carry *c, int *passes)
{
    short_motion *link = c->parts;
    short_history *past = &c->of.past;
    vector g = past->guess, half = 0.5 * g, square = past->square, excess = c->excess;
    vector q = link->q, a = link->d + w->fall, low = w->fall + link->dl, a2 = sum(a * a);
    vector start = (c->drop + (g * (c->drop + half) + square)) + excess, rate = 1 + half;
    vector t = c->drop + 0.5 * a2, x = -start - rate * a2, gap = x - g, y = gap * (t + (g + 0.5 * gap));
    vector change = (low - start * q) - a2 * (rate * q);
    double miss = y[0] - square[0];
    if (!(a2[0] < w->reach))
        return false;
    *passes = 1;
    if (__builtin_expect(!(miss * miss <= 0x1p-108 * a2[0]), 0)) {
        vector off = a2 + (c->drop + excess), by;
        do {
            if (++*passes > MOST_PASSES)
                return false;
            by = (off + x * ((1 + t) + 0.5 * x)) / ((1 + t) + x);
            x -= by;
        } while (!(by[0] * by[0] <= 0x1p-54 * fabs(x[0])));
        gap = x - g;
        y = gap * (t + (g + 0.5 * gap));
        change = low + x * q;
    }
    if (!(x[0] > -0.5))
        return false;
    vector squares, rest;
    split(link, &squares, &rest);
    vector all = sums(squares, rest, q * w->fall, q * w->fall);
    double e = (all[0] - 1) + all[1];
    c->excess = (1.5 * e - c->e) - 2 * excess;
    c->e = e;
    c->drop = all[2] - w->half_square;
    short_leave_step(link, change);
    short_remember_step(past, x, y);
    return true;
}

/* The end of a step of another kind, by Newton's iteration with a matrix for each. x: what the last iteration
 * p began with; y: of the first one. */
INLINE void short_finish_step(int kind, const short_scratch *w, short_carry *c, const short_pass *p, vector x,
                              vector y)
{
    short_motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    short_keep_excess(kind, c);
    short_leave_step(one, ((w->fall + one->dl) + p->c1) + p->nu1);
    if (short_is_pair(kind))
        short_leave_step(two, (two->dl + p->c2) + p->nu2);
    if (short_is_riding(kind))
        short_leave_step(cart, (w->ride + cart->dl) + w->chain.back * p->pull);
    short_remember_step(&c->of.past, x + p->by, y);
}

/* The iterations after the first one, which led to x: short_continue for one kind of system. */
typedef bool (*short_continuing)(const short_scratch *w, short_carry *c, const vector *x, const vector *y,
                                 int *passes);

INLINE bool short_continue(int kind, const short_scratch *w, short_carry *c, const vector *from,
                           const vector *y, int *passes)
{
    vector x = *from;
    for (*passes = 2; *passes <= MOST_PASSES; ++*passes) {
        short_pass p = short_iterate(false, kind, w, NULL, c, x, (vector){0});
        if (!p.sound)
            return false;
        if (p.settled) {
            short_finish_step(kind, w, c, &p, x, *y);
            return true;
        }
        x += p.by;
    }
    return false;
}

INLINE bool short_advance_step(int kind, const short_scratch *w, short_carry *c, int *passes,
                               short_continuing go_on_from)
{
    vector guess = c->of.past.guess;
    short_pass p = short_iterate(false, kind, w, NULL, c, guess, c->of.past.square);
    if (!p.sound)
        return false;
    if (__builtin_expect(!p.settled, 0)) {
        vector x = guess + p.by, y = p.y;
        return go_on_from(w, c, &x, &y, passes);
    }
    *passes = 1;
    short_finish_step(kind, w, c, &p, guess, p.y);
    return true;
}

/* ---- Stages ------------------------------------------------------------------------------------- */

/* The end of a stage of a part: q + D, v + c / h + h G. If a constant, G, is added to a number whose last
 * place is larger, the rounding is the same in every stage, and adds up. So sums with G are kept whole
 * (two_sum) until the low-order parts, which differ from stage to stage, decide how they are rounded. */
INLINE void short_leave_stage(short_motion *m, const short_stage_sizes *s, vector c, vector gravity)
{
    vector q, ql, v, vl, at, lost, fall, rest, kick, more, all;
    two_sum(s->half * gravity, c, &fall, &rest);
    two_sum(m->q, s->h * m->d, &at, &lost);
    two_sum(at, fall + (lost + ((rest + s->h * m->dl) + m->ql)), &q, &ql);
    two_sum(s->h * gravity, c / s->h, &kick, &rest);
    two_sum(kick, m->dl, &all, &more);
    two_sum(m->d, all, &v, &vl);
    m->q = q, m->ql = ql;
    m->d = v, m->dl = vl + (rest + more);
}

/* guess: the one by the stages before alone. In the first few stages it says nothing about later ones. */
INLINE void short_remember_stage(short_carry *c, short_recollection *m, double stages, vector x, vector guess,
                                 vector y)
{
    vector lacked = x - guess;
    if (c->age < HISTORY)
        lacked = (vector){0, 0, 0, 0};
    const bool first = c->age < stages + HISTORY, second = c->age < 2 * stages + HISTORY;
    vector change = lacked - m->lacked;
    m->expected = first ? lacked : second ? lacked + change : lacked + (change + (change - m->change));
    m->square = first ? y : y + (y - m->y);
    m->lacked = lacked;
    m->change = change;
    m->y = y;
    c->age++;
    for (size_t i = HISTORY - 1; i > 0; i--)
        c->of.x[i] = c->of.x[i - 1];
    c->of.x[0] = x;
}

INLINE void short_finish_stage(int kind, const short_scratch *w, const short_stage_sizes *s, short_carry *c,
                               const short_pass *p)
{
    const vector none = {0, 0, 0, 0};
    short_motion *one = c->parts, *two = one + 1, *cart = kind == RIDING ? two : two + 1;
    short_keep_excess(kind, c);
    short_leave_stage(one, s, p->c1 + p->nu1, w->chain.gravity);
    if (short_is_pair(kind))
        short_leave_stage(two, s, p->c2 + p->nu2, none);
    if (short_is_riding(kind))
        short_leave_stage(cart, s, w->chain.back * p->pull, w->chain.ride);
}

INLINE bool short_advance_stage(int kind, const short_scratch *w, const ph_stage *of, short_carry *c,
                                int *passes)
{
    const vector none = {0, 0, 0, 0};
    const short_stage_sizes *s = w->stages + of->index;
    const double *weights = of->tensions[c->age < HISTORY ? (size_t)c->age - 1 : HISTORY - 1];
    short_recollection *m =
        short_recollections(c, (size_t)1 + short_is_pair(kind) + short_is_riding(kind)) + of->index;
    vector guess = none;
    for (size_t i = HISTORY; i-- > 0;)
        guess += weights[i] * c->of.x[i];
    vector x = guess + m->expected;
    short_pass p = short_iterate(true, kind, w, s, c, x, m->square);
    vector y = p.y;
    for (*passes = 1; p.sound && !p.settled && *passes < MOST_PASSES; ++*passes) {
        x += p.by;
        p = short_iterate(true, kind, w, s, c, x, none);
    }
    if (!p.sound || !p.settled)
        return false;
    short_finish_stage(kind, w, s, c, &p);
    short_remember_stage(c, m, w->count, x + p.by, guess, y);
    return true;
}

#endif
