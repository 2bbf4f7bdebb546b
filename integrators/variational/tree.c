/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of multipliers.c for trees of links in space under gravity alone: the same equations,
 * written out for speed as in chain.c. With the impulses mu_i = lambda_i / l_i along q_i mass i
 * changes its increment by
 *     X_i = w_i (mu_i q_i - sum over the links c that hang on it of mu_c q_c) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_parent(i)) / l_i. The Newton matrix, T times l_i l_j, has in row i
 *     (w_i + w_p) q1_i.q_i,  - w_p q1_i.q_p,  w_p q1_i.q_s,  - w_i q1_i.q_c
 * for its parent p, the siblings s and what hangs on it, c.
 *
 * Four subtrees of one shape are computed side by side, a lane each (groups.h), the rest of the tree one link at a
 * time, by the same formulas (links.h). A walk from the free ends computes residual, matrix and elimination, a walk
 * back the substitution and |nu|^2; further iterations repeat both. The walk that ends the step computes the motion
 * of the masses by the next guess. Stages of a composition take the same walks (stages.h).
 *
 * Sources: as multipliers.c. */
#include "tree.h"

#include <stddef.h>
#include <string.h>

typedef struct tree_scratch {
    ph_tension_plain plain;
    ph_tension_ways ways;
    tree f;
    double *matrices;
} tree_scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

/* Only masses on which three or more links hang have matrices; two more are for rounding up and the fixed
 * point. */
static size_t tree_lay(const ph_system *system, const double *options, ph_lay *l)
{
    tree_scratch counted, *w = ph_variational_place(l, &counted, sizeof counted);
    const ph_composition *of = ph_variational_composition_of(options);
    const size_t nine = AXES * AXES;
    size_t n = ph_space_factors(ph_system_space(system)), most = PH_GROUPS_MOST_BLOCKS(n);
    memset(w, 0, sizeof *w);
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
    return (sizeof(tree_carry) +
            most * (sizeof(link_four) + (of ? of->stages * sizeof(ph_recollection) : 0))) /
           sizeof(double);
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
    const double h = ph_step_sizes_of(w->of != NULL, w->of, head->h, (size_t)head->stage).h;
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

/* Masses and lengths of the links; lanes that are not used get such that pull on nothing. */
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

/* Memory for the matrix of a mass on which `many` links hang; NULL for less than three, which have none. */
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

/* The node of what the link at that place hangs on: a single link, or the fixed point. */
static node_one *tree_held_by(const tree *w, const ph_linkage *linkage, size_t place)
{
    size_t i = w->g.link[place], parent = i == PH_NO_INDEX ? i : linkage->parent[i];
    return w->one + (parent == PH_NO_INDEX ? w->g.singles : w->g.place[parent] - LANES * w->g.blocks);
}

/* The nodes of single links, with what hangs on them, and the joints. */
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
    const ph_method_size own =
        ph_variational_measure(&ph_variational_tree, context->system, context->options);
    double *matrices = w->matrices;
    memset(w + 1, 0, own.work - sizeof *w);
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
    .lay = tree_lay, .init = tree_init, .step = tree_step, .synchronise = tree_synchronise};
