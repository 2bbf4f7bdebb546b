/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of links in space under gravity alone, on a cart or not, four links in a vector (the equations: variational/chain.c): what
 * does not change of it, and the walk along it that gives the changes of its increments. */
#ifndef PH_INTEGRATORS_SHARED_CHAIN_H
#define PH_INTEGRATORS_SHARED_CHAIN_H

#include "step-sizes.h"

#include <polhode/kit/algebra.h>
#include <polhode/kit/memory.h>
#include <polhode/system.h>

enum { X, Y, Z, AXES };

/* The state of four links, one of each stretch: the part that elimination and substitution both read. mu belongs to the step
 * whose end is due, or is the guess for the next step. For stages it is the impulse mu / h. */
typedef struct chain_multipliers {
    loose q[AXES], mu;
    loose square; /* |nu|^2 of the last step; 0 for stages */
} chain_multipliers;

/* A cart: position, increment, and their low-order parts. */
typedef struct chain_cart {
    double q[AXES], ql[AXES], d[AXES], dl[AXES];
} chain_cart;

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
    const void *owner;      /* what the file that includes chain-elimination.h keeps it in */
    size_t n, length, axes; /* links; blocks; axes of the cart, 0 without */
    size_t full, alike;     /* so many first blocks have four links; have parts[0] */
    double gravity[AXES];
    double cart_w;     /* 1/m of the cart */
    double rest;       /* [1/s^2] the most that a pull does to a link where nothing moves */
    chain_part *parts; /* (length) */
    chain_row *rows;   /* (length) */
    chain_last_rows *last;
} chain;

/* A rigid body that the first link hangs on, without its mass, which is that of a cart with three axes (chain-body.h): its turn is one more
 * unknown, eliminated before the first row. Lengths are over l of the first link. */
typedef struct chain_body {
    /* From the first link and its guess: all that follows, before the first row of an iteration; first: of the step. */
    void (*meet)(struct chain_body *body, const double q[AXES], double mu, double h, bool first);
    /* The correction of the turn, from that of the first link's pull. */
    void (*follow)(struct chain_body *body, const double pull[AXES], double h);
    bool positive;         /* is its pivot? */
    bool moved, large;     /* as chain_judgement */
    double turned[AXES];   /* what the guess of the turn moves the point by that the link hangs on */
    double mobility[AXES]; /* what a pull along the link moves that point by */
    double lead
        [AXES]; /* how the hitch is moved by the bending of its arm: to the right-hand side of the first row */
    double moves[AXES]; /* change of `turned` by the correction, times l */
    double q1[AXES];    /* of the first link at the guess */
    double ended[AXES]; /* `turned` in the step whose end is due */
} chain_body;

/* Lays out parts and rows, and counts links and blocks; ... */
void ph_chain_lay(chain *w, const ph_system *system, ph_lay *l);
/* ... all the rest. */
void ph_chain_set(chain *w, const ph_system *system);

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

/* *known, for w: the same with `blocks` blocks, a constant, so that loops over them are unrolled. Steps of a chain that is never
 * iterated with the rows of the iteration before (MANY) may use it. */
INLINE chain *chain_with_blocks(const size_t blocks, const chain *w, chain *known)
{
    *known = *w;
    known->length = blocks;
    return known;
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

/* q, change <- those of the last block, where the walk has begun, with the links behind it in `end`. */
INLINE void chain_change_last(const chain *w, const chain_walk *at, const chain_multipliers *links,
                              const chain_multipliers *end, vector *q, vector *change)
{
    const size_t length = w->length;
    const chain_multipliers *last = links + length - 1;
    const chain_part *p = chain_part_at(w, length - 1),
                     *p_before = chain_part_at(w, length > 1 ? length - 2 : 0);
    for (int a = 0; a < AXES; a++) {
        q[a] = last->q[a];
        vector u = last->mu * q[a], before = at->X_before[a];
        if (length > 1)
            before = p_before->w * (last[-1].mu * last[-1].q[a] - u);
        change[a] = (p->w * (u - end->mu * end->q[a]) - before) * p->il;
    }
}

#endif
