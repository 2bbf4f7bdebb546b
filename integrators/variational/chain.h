/* SPDX-License-Identifier: BSD-3-Clause */
/* What a chain carries (chain.c), and the end of a step: increments, places, and the guesses for the next step. */
#ifndef PH_INTEGRATORS_VARIATIONAL_CHAIN_H
#define PH_INTEGRATORS_VARIATIONAL_CHAIN_H

#include "integrators/shared/chain.h"
#include "integrators/shared/tensions.h"
#include "stages.h"
#include "variational.h"

typedef struct chain_motion {
    loose d[AXES];               /* increments, of stages velocities */
    loose low[AXES];             /* pairs: low-order parts of q and of d */
    loose past[PH_STAGE_LATEST]; /* mu of the last step, its first and second backward difference; or of
                                    stages */
} chain_motion;

/* The carry: this with `length` links, then `length` motions, then `length` recollections of each stage. */
typedef struct chain_carry {
    ph_tension_carry head;
    double due; /* 1: the multipliers mu of the last step are known, and its end is still to be computed */
    chain_cart cart;
    chain_multipliers links[];
} chain_carry;

/* A chain and its steps. */
typedef struct chain_steps {
    chain c;
    const ph_variational *method;
    const ph_composition *of; /* steps are stages of it; or NULL */
    chain_body *body;         /* that it hangs on; or NULL */
} chain_steps;

/* How many numbers are carried; what does not change. */
size_t ph_chain_steps_lay(chain_steps *w, const ph_system *system, const double *options, ph_lay *l);
void ph_chain_steps_set(chain_steps *w, const ph_system *system, chain_body *body,
                        const ph_variational *method, const double *options);
/* As ph_tension_ways has them, with &chain_steps.c as kernel. */
typedef bool chain_advancing(void *kernel, ph_tension_carry *c, int *passes);
chain_advancing *ph_chain_choose_advance(const chain_steps *w);
void ph_chain_end(const chain *w, ph_tension_carry *head); /* of the last step, if it is due */
void ph_chain_gather(void *kernel, ph_tension_carry *head, ph_tension_motion *to);
void ph_chain_scatter(void *kernel, const ph_tension_motion *from, const double *lambda,
                      ph_tension_carry *head);

static inline const chain_steps *chain_steps_of(const chain *w)
{
    return w->owner;
}

static inline chain_motion *chain_motions(const chain *w, chain_carry *c)
{
    return (chain_motion *)(void *)(c->links + w->length);
}

static inline ph_recollection *chain_recollections(const chain *w, chain_carry *c)
{
    return (ph_recollection *)(void *)(chain_motions(w, c) + w->length);
}

/* ---- The end of the last step -------------------------------------------------------------------- */

INLINE ph_step_sizes chain_latest_sizes(bool staged, const chain *w, const chain_carry *c)
{
    return ph_step_sizes_of(staged, chain_steps_of(w)->of, c->head.h, (size_t)c->head.stage);
}

typedef ph_forecast chain_forecast;

INLINE ph_forecast chain_forecast_of(bool staged, const chain *w, chain_carry *c)
{
    const chain_steps *steps = chain_steps_of(w);
    return ph_forecast_of(staged, steps->method, steps->of, &c->head, chain_recollections(w, c), w->length);
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
    chain_multipliers end;
    vector q[AXES], change[AXES];
    for (int i = 0; i < 3; i++)
        f->known[i] = c->head.count > i + 1;
    walk_begin(&f->at, w, sizes->kick, c->links, &end);
    chain_end_cart(w, sizes, &c->cart, &f->at);
    f->last = *last;
    f->next = 0;
    chain_change_last(w, &f->at, c->links, &end, q, change);
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
