/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of multipliers.c for trees of links in space under gravity alone: the same equations,
 * written out for speed as in chain.c. With the impulses mu_i = lambda_i / l_i along q_i mass i
 * changes its increment by
 *     X_i = w_i (mu_i q_i - sum over the links c that hang on it of mu_c q_c) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_parent(i)) / l_i. The Newton matrix, T times l_i l_j, has in row i
 *     (w_i + w_p) q1_i.q_i,  - w_p q1_i.q_p,  w_p q1_i.q_s,  - w_i q1_i.q_c
 * for its parent p, the siblings s and what hangs on it, c.
 *
 * Four subtrees of one shape are computed beside each other, a lane each (groups.h), what is left
 * of the tree one link at a time, by the same formulas (links.h). A walk from the free ends has
 * residual, matrix and elimination, one back substitution and |nu|^2; both again for each further pass. The
 * walk that ends the step has the motion of the masses by the next guess. Stages of a composition go the same
 * ways (stages.h).
 *
 * Sources: as multipliers.c. */
#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include "groups.h"
#include "integrators/shared/lanes.h"
#include "integrators/shared/tensions.h"
#include "stages.h"
#include "variational.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Of four links that hang each elsewhere: where X is of what they hang on, in a carry and among the parts, as
 * the number of its first one in doubles. */
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
    double unused;   /* blocks begin where vectors may */
    row fixed[AXES]; /* X of the fixed point in the next step: - h^2 G */
    link_four links[];
} tree_carry;

typedef struct tree_scratch {
    ph_tension_plain plain;
    ph_tension_ways ways;
    tree f;
    double *matrices;
} tree_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

/* Matrices are for masses on which three links hang at least; two more for rounding and the fixed point. */
static void tree_lay(tree_scratch *w, const ph_system *system, ph_lay *l)
{
    ph_lay_bytes(l, sizeof *w);
    const size_t nine = AXES * AXES;
    size_t n = ph_space_factors(ph_system_space(system)), most = PH_GROUPS_MOST_BLOCKS(n);
    w->f.n = n;
    w->f.parts = ph_lay_line(l, (most + 1) * sizeof(part_four));
    w->matrices = ph_lay_line(l, sizeof(double) * (nine * (LANES * most + n) / 3 + 2 * nine));
    w->f.joints = ph_lay_bytes(l, most * sizeof(tree_joint));
    w->f.four = ph_lay_line(l, most * sizeof(node_four));
    w->f.one = ph_lay_line(l, (n + 1) * sizeof(node_one));
    w->f.g.link = ph_lay_bytes(l, LANES * most * sizeof *w->f.g.link);
    w->f.g.above = ph_lay_bytes(l, most * sizeof *w->f.g.above);
    w->f.g.place = ph_lay_bytes(l, n * sizeof *w->f.g.place);
    ph_tension_plain_lay(&w->plain, system, l);
}

static ph_method_size tree_size(const ph_system *system, const double *options)
{
    tree_scratch w;
    ph_lay l = {NULL, 0};
    size_t most = PH_GROUPS_MOST_BLOCKS(ph_space_factors(ph_system_space(system)));
    const ph_composition *of = ph_variational_composition_of(options);
    const size_t recollections = of ? of->stages * sizeof(ph_recollection) : 0;
    tree_lay(&w, system, &l);
    return (ph_method_size){.work = l.bytes,
                            .carry = (sizeof(tree_carry) + most * (sizeof(link_four) + recollections)) /
                                     sizeof(double)};
}

static ph_recollection *tree_recollections(const tree *w, tree_carry *c)
{
    return (ph_recollection *)(void *)(c->links + w->blocks);
}

/* ---- Four links, whatever they hang on ------------------------------------------------------------ */

/* X of what four links hang on that hang each elsewhere: numbers at these places behind `base`. */
INLINE const loose *tree_gather_changes(const double *base, const size_t *at, loose *X_on)
{
    for (int a = 0; a < AXES; a++) {
        const double *x = base + LANES * a;
        X_on[a] = (vector){x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
    }
    return X_on;
}

/* The residual at the guess, what rounding is, and what their rows have of themselves. */
INLINE void tree_residual(const ph_pace *pace, part_four *p, const link_four *own, const loose *X_on)
{
    vector q[AXES], D[AXES], q1[AXES], low[AXES];
    for (int a = 0; a < AXES; a++) {
        vector change = (own->X[a] - X_on[a]) * p->il;
        q[a] = own->q[a];
        low[a] = own->ql[a];
        D[a] = ph_increment(pace, own->d[a] + change);
        q1[a] = q[a] + D[a];
        p->change[a] = change;
        p->q[a] = q[a];
        p->q1[a] = q1[a];
    }
    p->phi = -ph_rate(pace, p->l) * (dot_four(q, D) + 0.5 * (dot_four(D, D) + excess_of(q, low)));
    p->tolerance = 0.25 * DBL_EPSILON * (absolute(D[X]) + absolute(D[Y]) + absolute(D[Z]));
    p->square = own->square;
    p->along = dot_four(q1, q);
    p->pivot = p->w * p->along;
    p->r = p->phi - 0.5 * ph_rate(pace, p->l) * p->square;
}

/* |nu|^2 of the correction: where is it as before (square), but for rounding; where that of a correction? */
INLINE void tree_settle(const ph_pace *pace, part_four *p, const vector *moved, const loose *X_on,
                        mask *settled, mask *small)
{
    vector nu[AXES];
    for (int a = 0; a < AXES; a++) {
        nu[a] = (moved[a] - X_on[a]) * p->il;
        p->all[a] = p->change[a] + nu[a];
    }
    vector now = ph_increment(pace, ph_increment(pace, dot_four(nu, nu)));
    *settled &= absolute(now - p->square) <= p->tolerance;
    *small &= now <= PH_LARGEST_CORRECTION * PH_LARGEST_CORRECTION;
    p->square = now;
}

/* The end of the step, of block k. known: how many steps have left their mu. */
INLINE void tree_end_links(const ph_pace *pace, const ph_forecast *f, size_t k, const part_four *p,
                           link_four *own, const double *known)
{
    for (int a = 0; a < AXES; a++) {
        vector d, dl, q, ql;
        two_sum(own->d[a], p->all[a] + own->dl[a], &d, &dl);
        two_sum(p->q[a], ph_increment(pace, d) + own->ql[a], &q, &ql);
        own->d[a] = d, own->dl[a] = dl;
        own->q[a] = q, own->ql[a] = ql;
    }
    vector mu = own->guess + p->mu;
    if (pace->staged) {
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

/* What the fixed point does in the step behind the latest one. */
INLINE void tree_kick(bool staged, const tree *w, tree_carry *c)
{
    const size_t next = staged ? ((size_t)c->head.stage + 1) % w->of->stages : 0;
    const ph_pace pace = ph_pace_of(staged, w->of, c->head.h, next);
    for (size_t a = 0; a < AXES; a++)
        c->fixed[a][0] = -(pace.kick * w->gravity[a]);
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* From the free ends. Are all pivots positive? */
INLINE bool tree_eliminate(const ph_pace *pace, tree *w, tree_carry *c)
{
    mask positive = {-1, -1, -1, -1};
    int64_t all_positive = -1;
    loose X_on[AXES];
    for (size_t k = 0; k < w->g.blocks; k++) {
        size_t above = w->g.above[k];
        tree_residual(pace, w->parts + k, c->links + k,
                      above != PH_NO_INDEX ? c->links[above].X
                                           : tree_gather_changes((const double *)c, w->joints[k].kept, X_on));
        eliminate_four(w->four + k, &positive);
    }
    for (size_t k = w->g.blocks; k < w->blocks; k++)
        tree_residual(pace, w->parts + k, c->links + k,
                      tree_gather_changes((const double *)c, w->joints[k].kept, X_on));
    for (size_t i = 0; i < w->g.singles; i++)
        eliminate_one(w->one + i, &all_positive);
    factor_hanging_one(w->one + w->g.singles, &all_positive);
    return all_positive && !any(~positive);
}

/* The same with the factors there are. */
INLINE void tree_reduce(const ph_pace *pace, tree *w)
{
    for (size_t k = 0; k < w->blocks; k++) {
        part_four *p = w->parts + k;
        p->r = p->phi - 0.5 * ph_rate(pace, p->l) * p->square;
        if (k < w->g.blocks)
            reduce_four(w->four + k);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        reduce_one(w->one + i);
    solve_hanging_one(w->one + w->g.singles);
}

/* Back, to |nu|^2: has it settled, and is it that of a correction? */
INLINE void tree_substitute(const ph_pace *pace, tree *w, bool *settled, bool *small)
{
    mask still = {-1, -1, -1, -1}, little = still;
    loose X_on[AXES];
    double moved_one[AXES];
    for (size_t i = w->g.singles + 1; i-- > 0;)
        substitute_one(w->one + i, moved_one);
    for (size_t k = w->blocks; k-- > w->g.blocks;)
        tree_settle(pace, w->parts + k, w->parts[k].X,
                    tree_gather_changes((const double *)w->parts, w->joints[k].part, X_on), &still, &little);
    for (size_t k = w->g.blocks; k-- > 0;) {
        size_t above = w->g.above[k];
        vector moved[AXES];
        substitute_four(w->four + k, moved);
        tree_settle(pace, w->parts + k, moved,
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
INLINE void tree_end_step(const ph_pace *pace, const tree *w, tree_carry *c)
{
    c->head.count++;
    if (pace->staged)
        c->head.stage = (double)w->method->stage->index;
    const double count = c->head.count, known[3] = {count > 1, count > 2, count > 3};
    const ph_forecast f = tree_forecast(pace->staged, w, c);
    tree_kick(pace->staged, w, c);
    for (size_t k = 0; k < w->blocks; k++) {
        tree_end_links(pace, &f, k, w->parts + k, c->links + k, known);
        if (k < w->g.blocks)
            guess_four(w->four + k, (double *)c);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        guess_one(w->one + i, (double *)c);
}

/* A step from the guess; false, and nothing is changed, where the guess is no good. */
INLINE bool tree_advance(bool staged, tree *w, tree_carry *c, int *passes)
{
    const ph_pace pace = ph_pace_of(staged, w->of, c->head.h, staged ? w->method->stage->index : 0);
    if (!tree_eliminate(&pace, w, c))
        return false;
    for (*passes = 1;; ++*passes) {
        bool settled = false, small = false;
        tree_substitute(&pace, w, &settled, &small);
        if (!small || (!settled && *passes == MOST_PASSES))
            return false;
        if (settled)
            break;
        tree_reduce(&pace, w);
    }
    tree_end_step(&pace, w, c);
    return true;
}

PH_LANES_TWICE(PH_LANES_AVX2, bool, tree_advance_step, (void *kernel, ph_tension_carry *c, int *passes),
               return tree_advance(false, kernel, (tree_carry *)(void *)c, passes);)
PH_LANES_TWICE(PH_LANES_AVX2, bool, tree_advance_stage, (void *kernel, ph_tension_carry *c, int *passes),
               return tree_advance(true, kernel, (tree_carry *)(void *)c, passes);)

/* ---- The plain form ----------------------------------------------------------------------------- */

/* The first number of a link, of those of a carry. */
static size_t tree_link_at(size_t place)
{
    return (offsetof(tree_carry, links) + place / LANES * sizeof(link_four)) / sizeof(double) + place % LANES;
}

static link_one *tree_lane(tree_carry *c, size_t place)
{
    return (link_one *)(void *)((double *)(void *)c + tree_link_at(place));
}

static part_one *tree_part_at(const tree *w, size_t place)
{
    return (part_one *)(void *)((double *)(void *)(w->parts + place / LANES) + place % LANES);
}

static void tree_gather(void *kernel, ph_tension_carry *c, ph_tension_motion *to)
{
    const tree *w = kernel;
    for (size_t i = 0; i < w->n; i++) {
        const link_one *own = tree_lane((tree_carry *)(void *)c, w->g.place[i]);
        for (size_t a = 0; a < AXES; a++) {
            to->q[AXES * i + a] = own->q[a][0];
            to->q_low[AXES * i + a] = own->ql[a][0];
            to->delta[AXES * i + a] = own->d[a][0];
            to->low[AXES * i + a] = own->dl[a][0];
        }
    }
}

/* Guesses by the latest stage alone. What stages have lacked is forgotten: it went with another history. */
static void tree_begin_stages(const tree *w, tree_carry *c)
{
    ph_recollection *recollections = tree_recollections(w, c);
    memset(recollections, 0, w->of->stages * w->blocks * sizeof *recollections);
    const ph_forecast f = tree_forecast(true, w, c);
    for (size_t k = 0; k < w->blocks; k++)
        ph_forecast_take(&f, k, &c->links[k].guess, c->links[k].past);
}

/* Lanes that are not used hang at rest. */
static void tree_scatter(void *kernel, const ph_tension_motion *from, const double *lambda,
                         ph_tension_carry *head)
{
    const tree *w = kernel;
    tree_carry *c = (tree_carry *)(void *)head;
    const double h = ph_pace_of(w->of != NULL, w->of, head->h, (size_t)head->stage).h;
    memset(c->links, 0, w->blocks * sizeof *c->links);
    for (size_t k = 0; k < w->blocks; k++)
        c->links[k].q[Z] = (vector){1, 1, 1, 1};
    for (size_t i = 0; i < w->n; i++) {
        link_one *own = tree_lane(c, w->g.place[i]);
        for (size_t a = 0; a < AXES; a++) {
            own->q[a][0] = from->q[AXES * i + a];
            own->ql[a][0] = from->q_low[AXES * i + a];
            own->d[a][0] = from->delta[AXES * i + a];
            own->dl[a][0] = from->low[AXES * i + a];
        }
        own->guess[0] = lambda[i] * tree_part_at(w, w->g.place[i])->il[0] / h;
        own->past[0][0] = own->guess[0];
    }
    if (w->of)
        tree_begin_stages(w, c);
    tree_kick(w->of != NULL, w, c);
    for (size_t k = 0; k < w->g.blocks; k++)
        guess_four(w->four + k, (double *)c);
    for (size_t i = 0; i < w->g.singles; i++)
        guess_one(w->one + i, (double *)c);
}

/* ---- The kernel --------------------------------------------------------------------------------- */

/* What does not change about the links; lanes that are not used pull on nothing. */
static void tree_build_parts(tree *w, const ph_linkage *linkage)
{
    memset(w->parts, 0, (w->blocks + 1) * sizeof *w->parts);
    for (size_t at = 0; at < LANES * w->blocks; at++) {
        size_t i = w->g.link[at];
        part_one *p = tree_part_at(w, at);
        p->w[0] = i == PH_NO_INDEX ? 1 : 1 / linkage->mass[i];
        p->l[0] = i == PH_NO_INDEX ? 0 : linkage->length[i];
        p->il[0] = i == PH_NO_INDEX ? 0 : 1 / linkage->length[i];
    }
}

/* Room for the factors of what hangs on a mass, where that are three or more. */
static double *tree_next_matrix(double **next, size_t many, size_t numbers)
{
    double *matrix = many > 2 ? *next : NULL;
    *next += many > 2 ? AXES * AXES * numbers : 0;
    return matrix;
}

static void tree_build_fours(tree *w, double **matrices)
{
    for (size_t k = 0; k < w->g.blocks; k++)
        w->four[k] = (node_four){.part = w->parts + k, .link = tree_link_at(LANES * k)};
    for (size_t k = 0; k < w->g.blocks; k++) {
        node_four *own = w->four + k;
        own->matrix = (vector *)(void *)tree_next_matrix(matrices, own->many, LANES);
        if (w->g.above[k] == PH_NO_INDEX)
            continue;
        node_four *on = w->four + w->g.above[k];
        own->beside = on->first;
        on->first = own;
        on->many++;
    }
}

/* The node of what the link at that place hangs on: one by itself, or the fixed point. */
static node_one *tree_held_by(const tree *w, const ph_linkage *linkage, size_t place)
{
    size_t i = w->g.link[place], parent = i == PH_NO_INDEX ? i : linkage->parent[i];
    return w->one + (parent == PH_NO_INDEX ? w->g.singles : w->g.place[parent] - LANES * w->g.blocks);
}

/* Links by themselves, what hangs on them, and joints. */
static void tree_build_ones(tree *w, const ph_linkage *linkage, double **matrices)
{
    const size_t unit = sizeof(double);
    size_t groups = LANES * w->g.blocks;
    node_one *fixed = w->one + w->g.singles, *root = fixed + 1;
    memset(w->one, 0, (w->g.singles + 1) * sizeof *w->one);
    fixed->part = tree_part_at(w, LANES * w->blocks);
    for (size_t i = 0; i < w->g.singles; i++)
        w->one[i] = (node_one){.part = tree_part_at(w, groups + i), .link = tree_link_at(groups + i)};
    for (size_t place = 0; place < LANES * w->blocks; place++) {
        tree_joint *at = w->joints + place / LANES;
        if (place < groups && w->g.above[place / LANES] != PH_NO_INDEX)
            continue;
        node_one *on = tree_held_by(w, linkage, place),
                 *own = place < groups ? root : w->one + (place - groups);
        at->kept[place % LANES] =
            on == fixed ? offsetof(tree_carry, fixed) / unit : on->link + offsetof(link_one, X) / unit;
        at->part[place % LANES] =
            (size_t)((double *)on->part - (double *)w->parts) + offsetof(part_one, X) / unit;
        if (w->g.link[place] == PH_NO_INDEX)
            continue;
        if (place < groups) {
            root++;
            *own = (node_one){.part = tree_part_at(w, place), .link = tree_link_at(place)};
        }
        own->beside = on->first;
        on->first = own;
        on->many++;
    }
    for (node_one *own = w->one; own <= fixed; own++)
        own->matrix = tree_next_matrix(matrices, own->many, 1);
}

static ph_status tree_init(ph_variational *method, ph_context *context)
{
    tree_scratch *w = method->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    ph_lay l = {method->work, 0}, counted = {NULL, 0};
    tree_lay(w, context->system, &counted);
    memset(method->work, 0, counted.bytes);
    tree_lay(w, context->system, &l);
    double *matrices = w->matrices;
    w->f.method = method;
    w->f.of = w->ways.of = ph_variational_composition_of(context->options);
    w->ways.gather = tree_gather;
    w->ways.scatter = tree_scatter;
    for (size_t a = 0; a < AXES; a++)
        w->f.gravity[a] = linkage->gravity[a];
    ph_groups_find(&w->f.g, w->f.n, linkage->parent, (size_t *)(void *)w->f.parts); /* before the parts */
    w->f.blocks = w->f.g.blocks + (w->f.g.singles + LANES - 1) / LANES;
    tree_build_parts(&w->f, linkage);
    tree_build_fours(&w->f, &matrices);
    tree_build_ones(&w->f, linkage, &matrices);
    if (ph_lanes(PH_KERNEL_AVX2))
        w->ways.advance = w->f.of ? tree_advance_stage_wide : tree_advance_step_wide;
    else
        w->ways.advance = w->f.of ? tree_advance_stage_plain : tree_advance_step_plain;
    return ph_tension_plain_init(&w->plain);
}

static ph_status tree_step(ph_variational *method, ph_context *context, ph_state *state)
{
    tree_scratch *w = method->work;
    return ph_tension_ways_step(&w->plain, &w->ways, method->stage, &w->f, context, state);
}

static void tree_synchronise(ph_variational *method, ph_state *state)
{
    tree_scratch *w = method->work;
    ph_tension_ways_synchronise(&w->plain, &w->ways, &w->f, state);
}

const ph_variational_kernel ph_variational_tree = {
    .size = tree_size, .init = tree_init, .step = tree_step, .synchronise = tree_synchronise};
