/* SPDX-License-Identifier: BSD-3-Clause */
/* What a chain carries (chain.c), four links in a vector, the walk along it that gives the changes of its
 * increments, and the end of a step: increments, places, and the guesses for the next step. */
#ifndef PH_INTEGRATORS_VARIATIONAL_CHAIN_H
#define PH_INTEGRATORS_VARIATIONAL_CHAIN_H

#include "integrators/shared/lanes.h"
#include "integrators/shared/tensions.h"
#include "stages.h"
#include "variational.h"

#include <polhode/kit/algebra.h>

enum { X, Y, Z, AXES };

/* The state of four links, one of each stretch. This is the part that elimination and substitution both read;
 * chain_motion is the other. mu belongs to the step whose end is due, or is the guess for the next step. For
 * stages it is the impulse mu / h. */
typedef struct chain_multipliers {
    loose q[AXES], mu;
    loose square; /* |nu|^2 of the last step; 0 for stages */
} chain_multipliers;

typedef struct chain_motion {
    loose d[AXES];               /* increments, of stages velocities */
    loose low[AXES];             /* pairs: low-order parts of q and of d */
    loose past[PH_STAGE_LATEST]; /* mu of the last step, its first and second backward difference; or of
                                    stages */
} chain_motion;

/* A cart: position, increment, and their low-order parts. */
typedef struct chain_cart {
    double q[AXES], ql[AXES], d[AXES], dl[AXES];
} chain_cart;

/* The carry: this with `length` links, then `length` motions, then `length` recollections of each stage. */
typedef struct chain_carry {
    ph_tension_carry head;
    double due; /* 1: the multipliers mu of the last step are known, and its end is still to be computed */
    chain_cart cart;
    chain_multipliers links[];
} chain_carry;

/* What does not change about four links: inverse masses and lengths. */
typedef struct chain_part {
    vector w, il;
} chain_part;

/* An eliminated row: x = r - b x_next - o y, with y the unknown of the last link of the stretch before.
 * `before` and `inverse` are kept for a second right-hand side. */
typedef struct chain_row {
    vector r, b, o;
    vector before, inverse; /* entry with the row before; 1 / pivot */
    vector tolerance;       /* rounding of |nu|^2 */
} chain_row;

/* The eliminated rows of the last links of the four stretches, which form a system of four. */
typedef struct chain_last_rows {
    vector before, next;         /* entries with the rows before and behind */
    double low2, low3, up0, up1; /* with each other */
    double d1, d2, m1, m2, i0, i3, over;
} chain_last_rows;

typedef struct chain {
    const ph_variational *method;
    const ph_composition *of; /* steps are stages of it; or NULL */
    size_t n, length, axes;   /* links; blocks; axes of the cart, 0 without */
    size_t full, alike;       /* so many first blocks have four links; have parts[0] */
    double gravity[AXES];
    double cart_w;     /* 1/m of the cart */
    double rest;       /* [1/s^2] the most that a pull does to a link where nothing moves */
    chain_part *parts; /* (length) */
    chain_row *rows;   /* (length) */
    chain_last_rows last;
} chain;

static inline chain_motion *chain_motions(const chain *w, chain_carry *c)
{
    return (chain_motion *)(void *)(c->links + w->length);
}

static inline ph_recollection *chain_recollections(const chain *w, chain_carry *c)
{
    return (ph_recollection *)(void *)(chain_motions(w, c) + w->length);
}

/* ---- Vectors of four ---------------------------------------------------------------------------- */

/* (first, v_0, v_1, v_2): of the last links of the stretches v, those before the first links. */
INLINE vector chain_shift_in(double first, vector v)
{
    return SHUFFLE(((vector){first, 0, 0, 0}), v, 0, 4, 5, 6);
}

/* (v_1, v_2, v_3, 0): of the first links of the stretches v, those behind the last links. */
INLINE vector chain_shift_out(vector v)
{
    return SHUFFLE(v, ((vector){0, 0, 0, 0}), 1, 2, 3, 4);
}

/* Flushes values below 1e-100 to zero, so that terms that decay along a chain never become subnormal
 * (slow). */
INLINE vector chain_flush(vector v)
{
    return (vector)((mask)v & (absolute(v) > 1e-100));
}

INLINE vector chain_dot(const vector *a, const vector *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* ---- Along the chain, four links at a time ------------------------------------------------------- */

INLINE const chain_part *chain_part_at(const chain *w, size_t s)
{
    return w->parts + (s < w->alike ? 0 : s);
}

/* Unit vectors and pulls mu q of a block and the next, X of the one before. */
typedef struct chain_walk {
    vector q[AXES], q_next[AXES], u[AXES], u_next[AXES], X_before[AXES];
} chain_walk;

/* X_0 along an axis, of what the chain hangs on: of a cart by the pull of the first link. A fixed point gets
 * - h^2 G, so that G, which all other masses have in common, can be left out of their X_i. */
INLINE double chain_root_change(const chain *w, double kick, size_t axis, double pull)
{
    return axis < w->axes ? -w->cart_w * pull : -(kick * w->gravity[axis]);
}

/* Starts a walk before the first block. end <- the links behind the last block. */
INLINE void walk_begin(chain_walk *at, const chain *w, double kick, const chain_multipliers *links,
                       chain_multipliers *end)
{
    const chain_multipliers *first = links, *last = links + w->length - 1;
    const chain_part *p = chain_part_at(w, w->length - 1);
    end->mu = chain_shift_out(first->mu);
    for (size_t a = 0; a < AXES; a++) {
        vector q = first->q[a], u = first->mu * q;
        end->q[a] = chain_shift_out(q);
        at->q_next[a] = q;
        at->u_next[a] = u;
        at->X_before[a] = chain_shift_in(chain_root_change(w, kick, a, u[0]),
                                         p->w * (last->mu * last->q[a] - chain_shift_out(u)));
    }
}

/* Goes to the next block, with `behind` the one after it; change <- (X_i - X_(i-1)) / l_i. */
INLINE void walk_advance(chain_walk *at, const chain_part *p, const chain_multipliers *behind, vector *change)
{
    for (int a = 0; a < AXES; a++) {
        at->q[a] = at->q_next[a];
        at->u[a] = at->u_next[a];
        at->q_next[a] = behind->q[a];
        at->u_next[a] = behind->mu * at->q_next[a];
        vector moved = p->w * (at->u[a] - at->u_next[a]);
        change[a] = (moved - at->X_before[a]) * p->il;
        at->X_before[a] = moved;
    }
}

/* ---- The end of the last step -------------------------------------------------------------------- */

INLINE ph_step_sizes chain_latest_sizes(bool staged, const chain *w, const chain_carry *c)
{
    return ph_step_sizes_of(staged, w->of, c->head.h, (size_t)c->head.stage);
}

INLINE ph_forecast chain_forecast(bool staged, const chain *w, chain_carry *c)
{
    return ph_forecast_of(staged, w->method, w->of, &c->head, chain_recollections(w, c), w->length);
}

/* The end of the last step, computed block by block up to `next`. The last block is done first, as the blocks
 * before it need its old values: those are in `last`. */
typedef struct chain_ending {
    chain_walk at;
    chain_multipliers last; /* the last block before it was changed */
    size_t next;            /* block */
    double known[3];        /* 1: the backward difference of this order exists; else 0 */
} chain_ending;

/* at->mu <- the guess for the next step, by the cubic through the last four values. */
INLINE void chain_forecast_step(const chain_ending *f, chain_multipliers *at, chain_motion *own)
{
    vector mu = at->mu, D1 = f->known[0] * (mu - own->past[0]), D2 = f->known[1] * (D1 - own->past[1]),
           D3 = f->known[2] * (D2 - own->past[2]);
    own->past[0] = mu, own->past[1] = D1, own->past[2] = D2;
    at->mu = mu + (D1 + (D2 + D3));
}

INLINE void chain_end_block(const ph_step_sizes *sizes, const ph_forecast *forecast, const chain_ending *f,
                            size_t s, chain_multipliers *at, chain_motion *own, const vector *q0,
                            const vector *change)
{
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(own->d[a], change[a] + second_of(own->low[a]), &d, &dl);
        two_sum(q0[a], ph_increment(sizes, d) + first_of(own->low[a]), &q, &ql);
        own->d[a] = d;
        at->q[a] = q;
        own->low[a] = pair(ql, dl);
    }
    if (sizes->staged) {
        ph_forecast_take(forecast, s, &at->mu, own->past);
        at->square = (vector){0, 0, 0, 0};
    } else {
        chain_forecast_step(f, at, own);
    }
}

/* Adds X_0 to the increment of the cart, and that to its position. */
INLINE void chain_end_cart(const chain *w, const ph_step_sizes *sizes, chain_cart *c, const chain_walk *at)
{
    for (size_t a = 0; a < w->axes; a++) {
        double change = at->X_before[a][0] + sizes->kick * w->gravity[a];
        ph_two_sum(c->d[a], change + c->dl[a], &c->d[a], &c->dl[a]);
        ph_two_sum(c->q[a], sizes->h * c->d[a] + c->ql[a], &c->q[a], &c->ql[a]);
    }
}

INLINE void chain_end_last_block(const ph_step_sizes *sizes, const ph_forecast *forecast, chain_ending *f,
                                 const chain *w, chain_carry *c)
{
    size_t length = w->length;
    chain_multipliers *last = c->links + length - 1;
    const chain_part *p = chain_part_at(w, length - 1),
                     *p_before = chain_part_at(w, length > 1 ? length - 2 : 0);
    chain_multipliers end;
    vector q[AXES], change[AXES];
    for (int i = 0; i < 3; i++)
        f->known[i] = c->head.count > i + 1;
    walk_begin(&f->at, w, sizes->kick, c->links, &end);
    chain_end_cart(w, sizes, &c->cart, &f->at);
    f->last = *last;
    f->next = 0;
    for (int a = 0; a < AXES; a++) {
        q[a] = last->q[a];
        vector u = last->mu * q[a], before = f->at.X_before[a];
        if (length > 1)
            before = p_before->w * (last[-1].mu * last[-1].q[a] - u);
        change[a] = (p->w * (u - end.mu * end.q[a]) - before) * p->il;
    }
    chain_end_block(sizes, forecast, f, length - 1, last, chain_motions(w, c) + length - 1, q, change);
    c->due = 0;
}

/* Computes the end of the step for all blocks before `to`. */
INLINE void chain_end_blocks(const ph_step_sizes *sizes, const ph_forecast *forecast, chain_ending *f,
                             const chain *w, chain_carry *c, size_t to)
{
    vector change[AXES];
    for (; f->next < to && f->next + 1 < w->length; f->next++) {
        size_t s = f->next;
        walk_advance(&f->at, chain_part_at(w, s), s + 2 < w->length ? c->links + s + 1 : &f->last, change);
        chain_end_block(sizes, forecast, f, s, c->links + s, chain_motions(w, c) + s, f->at.q, change);
    }
}

#endif
