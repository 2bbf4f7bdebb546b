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
#define LANE
#define OF(name) name##_four
#define NONE ((vector){0})
#include "links.h"

typedef double row[LANES];

#define number double
#define mask_of_number int64_t
#define entry row
#define kept row
#define V(entry) (entry)[0]
#define LANE __attribute__((may_alias))
#define OF(name) name##_one
#define NONE 0.0
#include "links.h"

/* For four links that hang on different things: where the X of what each hangs on is, in a carry and among
 * the parts, as an index of doubles. */
typedef struct tree_joint {
    size_t kept[LANES], part[LANES];
} tree_joint;

typedef struct tree {
    const ph_variational *method;
    const ph_composition *of; /* steps are stages of it; or NULL */
    size_t n, blocks;         /* links; blocks of four, of groups and then of links that stand alone */
    ph_groups g;
    part_four *parts;   /* (blocks), and the fixed point behind */
    tree_joint *joints; /* (blocks) of those that hang on no other block */
    node_four *four;    /* (g.blocks) */
    node_one *one; /* (g.singles), the fixed point, and the last links of the groups as what hangs on these */
    double gravity[AXES];
} tree;

/* The carry: this, and as many recollections of each stage behind. */
typedef struct tree_carry {
    ph_tension_carry head;
    double unused;   /* for the alignment of the blocks */
    row fixed[AXES]; /* X of the fixed point in the next step: - h^2 G */
    link_four links[];
} tree_carry;

static inline ph_recollection *tree_recollections(const tree *w, tree_carry *c)
{
    return (ph_recollection *)(void *)(c->links + w->blocks);
}

/* ---- Four links, whatever they hang on ------------------------------------------------------------ */

/* X_on <- the X of what four links hang on, from these places behind `base`. Returns X_on. */
INLINE const loose *tree_gather_changes(const double *base, const size_t *at, loose *X_on)
{
    for (int a = 0; a < AXES; a++) {
        const double *x = base + LANES * a;
        X_on[a] = (vector){x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
    }
    return X_on;
}

/* The residual at the guess, its rounding, and the diagonal and right-hand side without what hangs on the
 * links. */
INLINE void tree_residual(const ph_step_sizes *sizes, part_four *p, const link_four *own, const loose *X_on)
{
    vector q[AXES], D[AXES], q1[AXES], low[AXES];
    for (int a = 0; a < AXES; a++) {
        vector change = (own->X[a] - X_on[a]) * p->il;
        q[a] = own->q[a];
        low[a] = own->ql[a];
        D[a] = ph_increment(sizes, own->d[a] + change);
        q1[a] = q[a] + D[a];
        p->change[a] = change;
        p->q[a] = q[a];
        p->q1[a] = q1[a];
    }
    p->phi = -ph_rate(sizes, p->l) * (dot_four(q, D) + 0.5 * (dot_four(D, D) + excess_of(q, low)));
    p->tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z]));
    p->square = own->square;
    p->along = dot_four(q1, q);
    p->pivot = p->w * p->along;
    p->r = p->phi - 0.5 * ph_rate(sizes, p->l) * p->square;
}

/* |nu|^2 of the correction: is it what was assumed (square), but for rounding; is it small enough? */
INLINE void tree_settle(const ph_step_sizes *sizes, part_four *p, const vector *moved, const loose *X_on,
                        mask *settled, mask *small)
{
    vector nu[AXES];
    for (int a = 0; a < AXES; a++) {
        nu[a] = (moved[a] - X_on[a]) * p->il;
        p->all[a] = p->change[a] + nu[a];
    }
    vector now = ph_increment(sizes, ph_increment(sizes, dot_four(nu, nu)));
    *settled &= absolute(now - p->square) <= p->tolerance;
    *small &= now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
    p->square = now;
}

/* The end of the step for block k. known: 1 where the backward difference of this order exists, else 0. */
INLINE void tree_end_links(const ph_step_sizes *sizes, const ph_forecast *f, size_t k, const part_four *p,
                           link_four *own, const double *known)
{
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(own->d[a], p->all[a] + own->dl[a], &d, &dl);
        two_sum(p->q[a], ph_increment(sizes, d) + own->ql[a], &q, &ql);
        own->d[a] = d, own->dl[a] = dl;
        own->q[a] = q, own->ql[a] = ql;
    }
    vector mu = own->guess + p->mu;
    if (sizes->staged) {
        own->guess = mu;
        ph_forecast_take(f, k, &own->guess, own->past);
        own->square = (vector){0};
        return;
    }
    vector D1 = known[0] * (mu - own->past[0]), D2 = known[1] * (D1 - own->past[1]),
           D3 = known[2] * (D2 - own->past[2]);
    own->past[0] = mu, own->past[1] = D1, own->past[2] = D2;
    own->guess = mu + (D1 + (D2 + D3));
    own->square = p->square;
}

INLINE ph_forecast tree_forecast(bool staged, const tree *w, tree_carry *c)
{
    return ph_forecast_of(staged, w->method, w->of, &c->head, tree_recollections(w, c), w->blocks);
}

/* X of the fixed point in the next step. */
INLINE void tree_kick(bool staged, const tree *w, tree_carry *c)
{
    const size_t next = staged ? ((size_t)c->head.stage + 1) % w->of->stages : 0;
    const ph_step_sizes sizes = ph_step_sizes_of(staged, w->of, c->head.h, next);
    for (size_t a = 0; a < AXES; a++)
        c->fixed[a][0] = -(sizes.kick * w->gravity[a]);
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* From the free ends. Are all pivots positive? */
INLINE bool tree_eliminate(const ph_step_sizes *sizes, tree *w, tree_carry *c)
{
    mask positive = {-1, -1, -1, -1};
    int64_t all_positive = -1;
    loose X_on[AXES];
    for (size_t k = 0; k < w->g.blocks; k++) {
        size_t above = w->g.above[k];
        tree_residual(sizes, w->parts + k, c->links + k,
                      above != PH_NO_INDEX ? c->links[above].X
                                           : tree_gather_changes((const double *)c, w->joints[k].kept, X_on));
        eliminate_four(w->four + k, &positive);
    }
    for (size_t k = w->g.blocks; k < w->blocks; k++)
        tree_residual(sizes, w->parts + k, c->links + k,
                      tree_gather_changes((const double *)c, w->joints[k].kept, X_on));
    for (size_t i = 0; i < w->g.singles; i++)
        eliminate_one(w->one + i, &all_positive);
    factor_hanging_one(w->one + w->g.singles, &all_positive);
    return all_positive && !any(~positive);
}

/* The same with the factors there are. */
INLINE void tree_reduce(const ph_step_sizes *sizes, tree *w)
{
    for (size_t k = 0; k < w->blocks; k++) {
        part_four *p = w->parts + k;
        p->r = p->phi - 0.5 * ph_rate(sizes, p->l) * p->square;
        if (k < w->g.blocks)
            reduce_four(w->four + k);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        reduce_one(w->one + i);
    solve_hanging_one(w->one + w->g.singles);
}

/* Back, to |nu|^2: has it settled, and is it that of a correction? */
INLINE void tree_substitute(const ph_step_sizes *sizes, tree *w, bool *settled, bool *small)
{
    mask still = {-1, -1, -1, -1}, little = still;
    loose X_on[AXES];
    double moved_one[AXES];
    for (size_t i = w->g.singles + 1; i-- > 0;)
        substitute_one(w->one + i, moved_one);
    for (size_t k = w->blocks; k-- > w->g.blocks;)
        tree_settle(sizes, w->parts + k, w->parts[k].X,
                    tree_gather_changes((const double *)w->parts, w->joints[k].part, X_on), &still, &little);
    for (size_t k = w->g.blocks; k-- > 0;) {
        size_t above = w->g.above[k];
        vector moved[AXES];
        substitute_four(w->four + k, moved);
        tree_settle(sizes, w->parts + k, moved,
                    above != PH_NO_INDEX
                        ? (const loose *)w->parts[above].X
                        : tree_gather_changes((const double *)w->parts, w->joints[k].part, X_on),
                    &still, &little);
    }
    *settled = !any(~still);
    *small = !any(~little);
}

/* Everything into the carry, with this stage for the latest one, and the masses' motion by the guesses of the
 * next. */
INLINE void tree_end_step(const ph_step_sizes *sizes, const tree *w, tree_carry *c)
{
    c->head.count++;
    if (sizes->staged)
        c->head.stage = (double)w->method->stage->index;
    const double count = c->head.count, known[3] = {count > 1, count > 2, count > 3};
    const ph_forecast f = tree_forecast(sizes->staged, w, c);
    tree_kick(sizes->staged, w, c);
    for (size_t k = 0; k < w->blocks; k++) {
        tree_end_links(sizes, &f, k, w->parts + k, c->links + k, known);
        if (k < w->g.blocks)
            guess_four(w->four + k, (double *)c);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        guess_one(w->one + i, (double *)c);
}

/* A step from the guess; false, and nothing is changed, where the guess is not good enough. */
INLINE bool tree_advance(bool staged, tree *w, tree_carry *c, int *passes)
{
    const ph_step_sizes sizes =
        ph_step_sizes_of(staged, w->of, c->head.h, staged ? w->method->stage->index : 0);
    if (!tree_eliminate(&sizes, w, c))
        return false;
    for (*passes = 1;; ++*passes) {
        bool settled = false, small = false;
        tree_substitute(&sizes, w, &settled, &small);
        if (!small || (!settled && *passes == MOST_PASSES))
            return false;
        if (settled)
            break;
        tree_reduce(&sizes, w);
    }
    tree_end_step(&sizes, w, c);
    return true;
}

#endif
