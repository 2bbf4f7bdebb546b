/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of tree.c from a guess: four links at a time, whatever they hang on, with the serial part of links.h
 * for vectors (_four) and for single links (_one). All of it is inlined. */
#ifndef PH_INTEGRATORS_VARIATIONAL_TREE_H
#define PH_INTEGRATORS_VARIATIONAL_TREE_H

#include "groups.h"
#include "integrators/shared/lanes.h"
#include "integrators/shared/tensions.h"
#include "stages.h"
#include "variational.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

enum { MOST_PASSES = 8 };
enum { X, Y, Z, AXES };

#define number vector
#define mask_of_number mask
#define entry vector
#define kept loose
#define V(entry) (entry)
#define ROW row[1]
#define LANE
#define OF(name) name##_four
#define NONE ((vector){0})
#include "links.h"

typedef double four[LANES];

#define number double
#define mask_of_number int64_t
#define entry four
#define kept four
#define V(entry) (entry)[0]
#define ROW *row
#define LANE __attribute__((may_alias))
#define OF(name) name##_one
#define NONE 0.0
#include "links.h"

/* For four links that hang on different things: where the X of what each hangs on is, as an index of doubles
 * in `passing`. */
typedef struct tree_joint {
    size_t on[LANES];
} tree_joint;

/* Blocks that hang on a block of their group need `passing` only until that has been reached. They share the first
 * ones, so that these stay in the first cache; SHARED is enough for complete trees of 1e6 links. */
enum { SHARED = 64 };

typedef struct tree {
    const ph_variational *method;
    const ph_composition *of; /* steps are stages of it; or NULL */
    size_t n, blocks;         /* links; blocks of four, of groups and then of links that stand alone */
    ph_groups g;
    node_four *four; /* (blocks), those of single links for their rows alone, and the fixed point behind */
    node_four *last; /* those that hang on no other block, one beside the other */
    passing_four *passing; /* (SHARED), then as nodes */
    tree_joint *joints;    /* (blocks) of those that hang on no other block */
    node_one *one; /* (g.singles), the fixed point, and the last links of the groups as what hangs on these */
    const node_one *end;
    const void *bound; /* the carry where nodes see their links */
    double gravity[AXES];
} tree;

/* The carry: this, a block for the fixed point, whose numbers are 0, as many motions as blocks, and as many
 * recollections of each stage behind. */
typedef struct tree_carry {
    ph_tension_carry head;
    double due; /* 1: the corrections of the last step are known, and its end is still to be computed */
    link_four links[];
} tree_carry;

static inline motion_four *tree_motions(const tree *w, tree_carry *c)
{
    return (motion_four *)(void *)(c->links + w->blocks + 1);
}

static inline ph_recollection *tree_recollections(const tree *w, tree_carry *c)
{
    return (ph_recollection *)(void *)(tree_motions(w, c) + w->blocks);
}

static inline passing_four *tree_passing(const tree *w, size_t block)
{
    return w->passing + SHARED + block;
}

/* ---- Four links, whatever they hang on ------------------------------------------------------------ */

/* X_on <- the X of what the links of a block hang on. */
INLINE void tree_collect(const tree *w, size_t block, vector *X_on)
{
    const size_t *at = w->joints[block].on;
    for (int a = 0; a < AXES; a++) {
        const double *x = (const double *)w->passing + LANES * a;
        X_on[a] = (vector){x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
    }
}

INLINE vector tree_dot(const vector *a, const vector *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

/* The residual at the guess, its rounding, and the diagonal and right-hand side without what hangs on the
 * links. */
INLINE void tree_residual(const ph_step_sizes *sizes, equation_four *e, passing_four *now, link_four *own,
                          motion_four *motion, const vector *X_on)
{
    vector q[AXES], D[AXES], q1[AXES], low[AXES];
    for (int a = 0; a < AXES; a++) {
        vector change = (now->X[a] - X_on[a]) * e->il;
        q[a] = own->q[a];
        low[a] = motion->ql[a];
        D[a] = ph_increment(sizes, motion->d[a] + change);
        q1[a] = q[a] + D[a];
        motion->change[a] = change;
        now->q1[a] = q1[a];
    }
    e->phi = -ph_rate(sizes, e->l) * (tree_dot(q, D) + 0.5 * (tree_dot(D, D) + excess_of(q, low)));
    e->tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z]));
    e->r = e->phi - 0.5 * ph_rate(sizes, e->l) * own->square;
    now->along = tree_dot(q1, q);
    now->pivot = e->w * now->along;
}

/* |nu|^2 of the correction: is it what was assumed (square), but for rounding; is it small enough? */
INLINE void tree_settle(const ph_step_sizes *sizes, const equation_four *e, link_four *own,
                        const vector *moved, const vector *X_on, mask *settled, mask *small)
{
    vector nu[AXES];
    for (int a = 0; a < AXES; a++)
        own->nu[a] = nu[a] = (moved[a] - X_on[a]) * e->il;
    vector now = ph_increment(sizes, ph_increment(sizes, tree_dot(nu, nu)));
    *settled &= absolute(now - own->square) <= e->tolerance;
    *small &= now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
    own->square = now;
}

/* How steps end: that of the latest one, where it is due. */
typedef struct tree_ending {
    ph_step_sizes sizes;
    ph_forecast f;
    double known[3]; /* 1 where the backward difference of this order exists, else 0 */
} tree_ending;

INLINE tree_ending tree_ending_of(bool staged, const tree *w, tree_carry *c)
{
    const double count = c->head.count;
    return (tree_ending){
        .sizes = ph_step_sizes_of(staged, w->of, c->head.h, (size_t)c->head.stage),
        .f = ph_forecast_of(staged, w->method, w->of, &c->head, tree_recollections(w, c), w->blocks),
        .known = {count > 1, count > 2, count > 3}};
}

/* The end of the step for block k, and the guess for the next one. */
INLINE void tree_end_links(const tree_ending *e, size_t k, link_four *own, motion_four *motion)
{
    const ph_step_sizes *sizes = &e->sizes;
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(motion->d[a], (motion->change[a] + own->nu[a]) + motion->dl[a], &d, &dl);
        two_sum(own->q[a], ph_increment(sizes, d) + motion->ql[a], &q, &ql);
        motion->d[a] = d, motion->dl[a] = dl;
        own->q[a] = q, motion->ql[a] = ql;
    }
    vector mu = own->guess + own->mu;
    if (sizes->staged) {
        own->guess = mu;
        ph_forecast_take(&e->f, k, &own->guess, motion->past);
        own->square = (vector){0};
        return;
    }
    vector D1 = e->known[0] * (mu - motion->past[0]), D2 = e->known[1] * (D1 - motion->past[1]),
           D3 = e->known[2] * (D2 - motion->past[2]);
    motion->past[0] = mu, motion->past[1] = D1, motion->past[2] = D2;
    own->guess = mu + (D1 + (D2 + D3));
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* Residuals and rows of what hangs on a block of a group, whose masses move by X, and its elimination. */
INLINE void tree_reach(const ph_step_sizes *sizes, motion_four *motions, const node_four *p, mask *positive)
{
    for (node_four *on = p->first; on; on = on->beside) {
        tree_residual(sizes, on->row, on->now, on->link, motions + on->place, p->now->X);
        join_hanging_four(on);
    }
    factor_hanging_four(p, positive);
}

/* A place in what is laid out for four. */
static inline void *tree_lane(void *blocks, size_t bytes, size_t place)
{
    return (double *)blocks + place / LANES * (bytes / sizeof(double)) + place % LANES;
}

/* The nodes <- where this carry has their links. */
static inline void tree_bind(tree *w, tree_carry *c)
{
    if (w->bound == c)
        return;
    w->bound = c;
    for (size_t k = 0; k < w->g.blocks; k++)
        w->four[k].link = c->links + k;
    for (node_one *own = w->one; own < w->end; own++)
        own->link = tree_lane(c->links, sizeof *c->links, own->place);
}

/* From the free ends: the end of the last step, if it is due, and elimination at the guess. Are all pivots
 * positive? */
INLINE bool tree_eliminate(const ph_step_sizes *sizes, tree *w, tree_carry *c)
{
    const bool due = c->due > 0;
    const tree_ending ending = tree_ending_of(sizes->staged, w, c);
    const size_t groups = w->g.blocks;
    const node_one *fixed = w->one + w->g.singles;
    motion_four *motions = tree_motions(w, c);
    mask positive = {-1, -1, -1, -1};
    int64_t all_positive = -1;
    vector X_on[AXES] = {{0}, {0}, {0}};
    for (size_t k = 0; k < groups; k++) {
        if (due)
            tree_end_links(&ending, k, c->links + k, motions + k);
        vector moved[AXES];
        guess_four(w->four + k, moved);
        hand_four(w->four + k, moved);
        tree_reach(sizes, motions, w->four + k, &positive);
    }
    for (size_t k = groups; k < w->blocks && due; k++)
        tree_end_links(&ending, k, c->links + k, motions + k);
    c->due = 0;
    for (size_t a = 0; a < AXES; a++)
        fixed->now->X[a][0] = -(sizes->kick * w->gravity[a]);
    for (size_t i = 0; i < w->g.singles; i++) {
        double moved[AXES];
        guess_one(w->one + i, moved);
        hand_one(w->one + i, moved);
    }
    for (node_four *p = w->last; p; p = p->beside) {
        const size_t k = p->place;
        tree_collect(w, k, X_on);
        tree_residual(sizes, p->row, p->now, c->links + k, motions + k, X_on);
        join_hanging_four(p);
    }
    for (size_t k = groups; k < w->blocks; k++) {
        tree_collect(w, k, X_on);
        tree_residual(sizes, w->four[k].row, tree_passing(w, k), c->links + k, motions + k, X_on);
    }
    for (size_t i = 0; i < w->g.singles; i++) {
        factor_hanging_one(w->one + i, &all_positive);
        join_hanging_one(w->one + i);
    }
    factor_hanging_one(fixed, &all_positive);
    return all_positive && !any(~positive);
}

/* Right-hand sides again, with the factors there are. */
INLINE void tree_reduce(const ph_step_sizes *sizes, tree *w, tree_carry *c)
{
    for (size_t k = 0; k < w->blocks; k++) {
        equation_four *e = w->four[k].row;
        e->r = e->phi - 0.5 * ph_rate(sizes, e->l) * c->links[k].square;
        if (k < w->g.blocks)
            reduce_four(w->four + k);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        reduce_one(w->one + i);
    solve_hanging_one(w->one + w->g.singles);
}

/* Back, to |nu|^2: has it settled, and is it that of a correction? */
INLINE void tree_substitute(const ph_step_sizes *sizes, tree *w, tree_carry *c, bool *settled, bool *small)
{
    const size_t groups = w->g.blocks;
    mask still = {-1, -1, -1, -1}, little = still;
    vector X_on[AXES] = {{0}, {0}, {0}};
    for (size_t i = w->g.singles + 1; i-- > 0;) {
        double moved[AXES];
        substitute_one(w->one + i, moved);
        hand_one(w->one + i, moved);
    }
    for (size_t k = w->blocks; k-- > groups;) {
        tree_collect(w, k, X_on);
        tree_settle(sizes, w->four[k].row, c->links + k, w->four[k].now->X, X_on, &still, &little);
    }
    for (size_t k = groups; k-- > 0;) {
        const node_four *p = w->four + k;
        vector moved[AXES];
        if (w->g.above[k] == PH_NO_INDEX)
            tree_collect(w, k, p->now->X);
        substitute_four(p, moved);
        hand_on_four(p, moved);
        tree_settle(sizes, p->row, p->link, moved, p->now->X, &still, &little);
    }
    *settled = !any(~still);
    *small = !any(~little);
}

/* A step from the guess, whose end is due then; false, and the motion is as it was, where the guess is not good
 * enough. */
INLINE bool tree_advance(bool staged, tree *w, tree_carry *c, int *passes)
{
    const ph_step_sizes sizes =
        ph_step_sizes_of(staged, w->of, c->head.h, staged ? w->method->stage->index : 0);
    bool settled = false, small = false;
    tree_bind(w, c);
    if (!tree_eliminate(&sizes, w, c))
        return false;
    tree_substitute(&sizes, w, c, &settled, &small);
    for (*passes = 1; small && !settled && *passes < MOST_PASSES; ++*passes) {
        tree_reduce(&sizes, w, c);
        tree_substitute(&sizes, w, c, &settled, &small);
    }
    if (!small || !settled)
        return false;
    c->head.count++;
    if (staged)
        c->head.stage = (double)w->method->stage->index;
    c->due = 1;
    return true;
}

#endif
