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
 * time, by the same formulas (links.h). A walk from the free ends first ends the last step (increment, place and the
 * next guess), then computes residual, matrix and elimination, a walk back the substitution and |nu|^2; further
 * iterations repeat both. So a step reads what large trees have twice, as rarely as it can: the walk back leaves
 * increments alone, and what a link needs only until the next one has been reached (passing) stays in the first
 * cache. Stages of a composition take the same walks (stages.h).
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
    w->f.passing = ph_lay_line(l, (SHARED + most + 1) * sizeof(passing_four));
    w->matrices = ph_lay_line(l, sizeof(double) * (nine * (LANES * most + n) / 3 + 2 * nine));
    w->f.joints = ph_lay_bytes(l, most * sizeof(tree_joint));
    w->f.four = ph_lay_line(l, (most + 1) * sizeof(node_four));
    w->f.one = ph_lay_line(l, (n + 1) * sizeof(node_one));
    w->f.g.link = ph_lay_bytes(l, LANES * most * sizeof *w->f.g.link);
    w->f.g.above = ph_lay_bytes(l, most * sizeof *w->f.g.above);
    w->f.g.place = ph_lay_bytes(l, n * sizeof *w->f.g.place);
    ph_tension_plain_lay(&w->plain, system, l);
    return (sizeof(tree_carry) + sizeof(link_four) +
            most *
                (sizeof(link_four) + sizeof(motion_four) + (of ? of->stages * sizeof(ph_recollection) : 0))) /
           sizeof(double);
}

PH_LANES_TWICE(PH_LANES_AVX2, bool, tree_advance_step, (void *kernel, ph_tension_carry *c, int *passes),
               return tree_advance(false, kernel, (tree_carry *)(void *)c, passes);)
PH_LANES_TWICE(PH_LANES_AVX2, bool, tree_advance_stage, (void *kernel, ph_tension_carry *c, int *passes),
               return tree_advance(true, kernel, (tree_carry *)(void *)c, passes);)

/* ---- The plain form ----------------------------------------------------------------------------- */

static void tree_gather(void *kernel, ph_tension_carry *head, ph_tension_motion *to)
{
    const tree *w = kernel;
    tree_carry *c = (tree_carry *)(void *)head;
    const tree_ending ending = tree_ending_of(w->of != NULL, w, c);
    motion_four *motions = tree_motions(w, c);
    for (size_t k = 0; k < w->blocks && c->due > 0; k++)
        tree_end_links(&ending, k, c->links + k, motions + k);
    c->due = 0;
    for (size_t i = 0; i < w->n; i++) {
        const size_t k = w->g.place[i] / LANES, lane = w->g.place[i] % LANES;
        for (size_t a = 0; a < AXES; a++) {
            to->q[AXES * i + a] = c->links[k].q[a][lane];
            to->q_low[AXES * i + a] = motions[k].ql[a][lane];
            to->delta[AXES * i + a] = motions[k].d[a][lane];
            to->low[AXES * i + a] = motions[k].dl[a][lane];
        }
    }
}

/* Guesses by the latest stage alone. What stages have lacked is forgotten: it went with another history. */
static void tree_begin_stages(const tree *w, tree_carry *c)
{
    ph_recollection *recollections = tree_recollections(w, c);
    memset(recollections, 0, w->of->stages * w->blocks * sizeof *recollections);
    const tree_ending ending = tree_ending_of(true, w, c);
    for (size_t k = 0; k < w->blocks; k++)
        ph_forecast_take(&ending.f, k, &c->links[k].guess, tree_motions(w, c)[k].past);
}

/* Lanes that are not used hang at rest. */
static void tree_scatter(void *kernel, const ph_tension_motion *from, const double *lambda,
                         ph_tension_carry *head)
{
    const tree *w = kernel;
    tree_carry *c = (tree_carry *)(void *)head;
    motion_four *motions = tree_motions(w, c);
    const double h = ph_step_sizes_of(w->of != NULL, w->of, head->h, (size_t)head->stage).h;
    c->due = 0;
    memset(c->links, 0, (w->blocks + 1) * sizeof *c->links);
    memset(motions, 0, w->blocks * sizeof *motions);
    for (size_t k = 0; k < w->blocks; k++)
        c->links[k].q[Z] = (vector){1, 1, 1, 1};
    for (size_t i = 0; i < w->n; i++) {
        const size_t k = w->g.place[i] / LANES, lane = w->g.place[i] % LANES;
        for (size_t a = 0; a < AXES; a++) {
            c->links[k].q[a][lane] = from->q[AXES * i + a];
            motions[k].ql[a][lane] = from->q_low[AXES * i + a];
            motions[k].d[a][lane] = from->delta[AXES * i + a];
            motions[k].dl[a][lane] = from->low[AXES * i + a];
        }
        c->links[k].guess[lane] = motions[k].past[0][lane] = lambda[i] * w->four[k].row->il[lane] / h;
    }
    if (w->of)
        tree_begin_stages(w, c);
}

/* ---- The kernel --------------------------------------------------------------------------------- */

/* Where blocks have their numbers, masses and lengths; lanes that are not used get such that pull on nothing. */
static void tree_build_blocks(tree *w, const ph_linkage *linkage)
{
    memset(w->four, 0, (w->blocks + 1) * sizeof *w->four);
    for (size_t k = 0; k < w->blocks; k++) {
        node_four *own = w->four + k;
        own->now = tree_passing(w, k);
        own->place = k;
        for (size_t lane = 0; lane < LANES; lane++) {
            const size_t i = w->g.link[LANES * k + lane];
            const bool idle = i == PH_NO_INDEX;
            own->row->w[lane] = idle ? 1 : 1 / linkage->mass[i];
            own->row->l[lane] = idle ? 0 : linkage->length[i];
            own->row->il[lane] = idle ? 0 : 1 / linkage->length[i];
        }
    }
}

/* Memory for the matrix of a mass on which `many` links hang; NULL for less than three, which have none. */
static double *tree_next_matrix(double **next, size_t many, size_t numbers)
{
    double *matrix = many > 2 ? *next : NULL;
    *next += many > 2 ? AXES * AXES * numbers : 0;
    return matrix;
}

/* What hangs on a block shares `passing` by how many blocks wait for theirs meanwhile. A block and what hangs on it
 * are needed at once: odd generations have other ones. Where three and more hang on a mass, further iterations need
 * them. `joints` holds the numbers meanwhile. */
static void tree_share_passing(const tree *w)
{
    for (size_t k = w->g.blocks; k-- > 0;) {
        size_t at = w->g.above[k] == PH_NO_INDEX ? 0 : w->joints[k].on[0];
        at = at % 2 ? at - 1 : at + 1;
        for (node_four *c = w->four[k].first; c; c = c->beside, at += 2) {
            w->joints[c - w->four].on[0] = at;
            if (w->four[k].many < 3 && at < SHARED)
                c->now = w->passing + at;
        }
    }
}

static void tree_build_fours(tree *w, double **matrices)
{
    w->last = NULL;
    for (size_t k = w->g.blocks; k-- > 0;) {
        const size_t above = w->g.above[k];
        node_four *own = w->four + k, **first = above == PH_NO_INDEX ? &w->last : &w->four[above].first;
        own->beside = *first;
        *first = own;
        if (above != PH_NO_INDEX)
            w->four[above].many++;
    }
    for (size_t k = 0; k < w->g.blocks; k++)
        w->four[k].matrix = (vector *)(void *)tree_next_matrix(matrices, w->four[k].many, LANES);
    tree_share_passing(w);
}

/* The node of what the link at that place hangs on: a single link, or the fixed point. */
static node_one *tree_held_by(const tree *w, const ph_linkage *linkage, size_t place)
{
    size_t i = w->g.link[place], parent = i == PH_NO_INDEX ? i : linkage->parent[i];
    return w->one + (parent == PH_NO_INDEX ? w->g.singles : w->g.place[parent] - LANES * w->g.blocks);
}

/* The node of a lane. */
static node_one tree_node_at(const tree *w, size_t place)
{
    return (node_one){.row = tree_lane(w->four->row, sizeof *w->four, place),
                      .now = tree_lane(tree_passing(w, 0), sizeof *w->passing, place),
                      .place = place};
}

/* The nodes of single links, with what hangs on them, and the joints. */
static void tree_build_ones(tree *w, const ph_linkage *linkage, double **matrices)
{
    const size_t groups = LANES * w->g.blocks;
    node_one *fixed = w->one + w->g.singles, *root = fixed + 1;
    for (size_t i = 0; i < w->g.singles; i++)
        w->one[i] = tree_node_at(w, groups + i);
    *fixed = tree_node_at(w, LANES * w->blocks);
    for (size_t place = 0; place < LANES * w->blocks; place++) {
        if (place < groups && w->g.above[place / LANES] != PH_NO_INDEX)
            continue;
        node_one *on = tree_held_by(w, linkage, place),
                 *own = place < groups ? root : w->one + (place - groups);
        w->joints[place / LANES].on[place % LANES] = (size_t)(on->now->X[0] - (const double *)w->passing);
        if (w->g.link[place] == PH_NO_INDEX)
            continue;
        if (place < groups)
            *root++ = tree_node_at(w, place);
        own->beside = on->first;
        on->first = own;
        on->many++;
    }
    w->end = root;
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
    ph_groups_find(&w->f.g, w->f.n, linkage->parent, (size_t *)(void *)w->f.four); /* before the nodes */
    w->f.blocks = w->f.g.blocks + (w->f.g.singles + LANES - 1) / LANES;
    tree_build_blocks(&w->f, linkage);
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
