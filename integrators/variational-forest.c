/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of variational-multipliers.c for trees of links in space under gravity alone: the same equations,
 * written out for speed as in variational-chain.c. With the impulses mu_i = lambda_i / l_i along q_i mass i
 * changes its increment by
 *     X_i = w_i (mu_i q_i - sum over the links c that hang on it of mu_c q_c) + h^2 G,      w = 1/m,
 * and link i by (X_i - X_parent(i)) / l_i. The Newton matrix, T times l_i l_j, has in row i
 *     (w_i + w_p) q1_i.q_i,  - w_p q1_i.q_p,  w_p q1_i.q_s,  - w_i q1_i.q_c
 * for its parent p, the siblings s and what hangs on it, c.
 *
 * Four subtrees of one shape are computed beside each other, a lane each (variational-groups.h), what is left
 * of the tree one link at a time, by the same formulas (variational-links.h). A walk from the free ends has
 * residual, matrix and elimination, one back substitution and |nu|^2; both again for each further pass. The
 * walk that ends the step has the motion of the masses by the next guess.
 *
 * Sources: as variational-multipliers.c. */
#include <polhode/algebra.h>
#include <polhode/tensions.h>

#include "variational-groups.h"
#include "variational-lanes.h"
#include "variational-tensions.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST_PASSES = 8 };
enum { X, Y, Z, AXES };

#define number vector
#define stored loose
#define truth mask
#define OF(name) name##_four
#define NONE ((vector){0})
#define ABSOLUTE absolute
#define TWO_SUM two_sum
#include "variational-links.h"
#undef number
#undef stored
#undef truth
#undef OF
#undef NONE
#undef ABSOLUTE
#undef TWO_SUM

#define number double
#define stored double
#define truth int64_t
#define OF(name) name##_one
#define NONE 0.0
#define ABSOLUTE fabs
#define TWO_SUM two_sum_of_one
#include "variational-links.h"

/* Where a group hangs on links that stand alone. */
typedef struct joint {
    size_t root;                     /* its last block */
    size_t used;                     /* lanes */
    uint32_t on[LANES], stub[LANES]; /* parts: what they hang on, what stands for them there */
} joint;

typedef struct forest {
    size_t n, joints;
    ph_groups g;
    joint *joint;      /* (joints) in the order of their blocks */
    part_four *four;   /* (blocks) */
    part_one *one;     /* (singles), the fixed point, the roots of the groups as what hangs on these */
    double *hung;      /* (singles + 1) x AXES: mu q of the groups, zero between the steps */
    double root[AXES]; /* - h^2 G */
} forest;

/* The carry: this, and behind it blocks of four links and single ones. */
typedef struct carry {
    double h, count; /* as in variational-multipliers.c */
    double links[];
} carry;

typedef struct scratch {
    ph_variational_head head;
    ph_tension_plain plain;
    forest f;
    bool (*advance)(forest *w, carry *c, int *passes);
    double h;
} scratch;

/* ---- Memory ------------------------------------------------------------------------------------- */

static carry *carry_of(const ph_state *state)
{
    return (carry *)(void *)state->carry;
}

static link_four *fours(carry *c)
{
    return (link_four *)(void *)c->links;
}

static link_one *ones(const forest *w, carry *c)
{
    return (link_one *)(void *)(fours(c) + w->g.blocks);
}

/* The most doubles that the parts and joints of n links take: all are roots of groups of two, one in each
 * lane. */
static size_t most_parts(size_t n)
{
    size_t bytes = (n + 1) / 2 * (sizeof(part_four) + sizeof(joint)) + (n + 1) * sizeof(part_one);
    size_t matrices = (n + 2) / 3 * AXES * AXES * 2;
    return bytes / sizeof(double) + matrices;
}

static size_t lay_scratch(scratch *w, const ph_system *system, double *memory)
{
    size_t used = 0, n = ph_space_factors(ph_system_space(system));
    size_t **arrays[] = {&w->f.g.link, &w->f.g.above, &w->f.g.used, &w->f.g.place};
    const size_t sizes[] = {PH_GROUPS_MOST * n, n, n, n};
    w->f.n = n;
    w->f.four = (part_four *)(void *)ph_take(memory, &used, most_parts(n)); /* first: aligned */
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = (size_t *)(void *)ph_take(memory, &used, sizes[i]);
    w->f.hung = ph_take(memory, &used, AXES * (n + 1));
    ph_tension_plain_lay(&w->plain, system, memory, &used);
    return used;
}

static size_t head_size(void)
{
    return (sizeof(scratch) + 63) & ~(size_t)63;
}

static ph_method_size size(const ph_system *system, const double *options)
{
    scratch w;
    size_t n = ph_space_factors(ph_system_space(system));
    (void)options;
    return (ph_method_size){.work = head_size() + lay_scratch(&w, system, NULL) * sizeof(double),
                            .carry =
                                (sizeof(carry) + PH_GROUPS_MOST * n * sizeof(link_one)) / sizeof(double)};
}

/* ---- The step ----------------------------------------------------------------------------------- */

/* v[lane] */
INLINE double *lane_of(vector *v, size_t lane)
{
    return (double *)(void *)v + lane;
}

/* From the free ends. Are all pivots positive? */
INLINE bool eliminate(forest *w, carry *c)
{
    link_four *four = fours(c);
    link_one *one = ones(w, c);
    part_one *fixed = w->one + w->g.singles;
    mask positive = {-1, -1, -1, -1};
    int64_t positive_one = -1;
    for (size_t j = 0, k = 0; j < w->joints; j++) {
        const joint *at = w->joint + j;
        loose on[AXES];
        part_four *root = w->four + at->root;
        for (size_t lane = 0; lane < LANES; lane++)
            for (int a = 0; a < AXES; a++)
                on[a][lane] = w->one + at->on[lane] == fixed ? w->root[a] : one[at->on[lane]].X[a];
        for (; k <= at->root; k++)
            eliminate_four(w->four, w->four + k, four + k, k < at->root ? four[w->four[k].above].X : on,
                           &positive);
        for (size_t lane = 0; lane < at->used; lane++) {
            part_one *stub = w->one + at->stub[lane];
            for (int a = 0; a < AXES; a++) {
                stub->q[a] = *lane_of(root->q + a, lane);
                stub->q1[a] = *lane_of(root->q1 + a, lane);
            }
            stub->along = *lane_of(&root->along, lane);
            stub->pivot = *lane_of(&root->pivot, lane);
            stub->r = *lane_of(&root->r, lane);
        }
    }
    for (size_t i = 0; i < w->g.singles; i++) {
        part_one *p = w->one + i;
        eliminate_one(w->one, p, one + i, w->one + p->above == fixed ? w->root : one[p->above].X,
                      &positive_one);
    }
    for (uint32_t i = fixed->first, left = fixed->many; left > 0; left--, i = w->one[i].beside) {
        part_one *p = w->one + i;
        positive_one &= p->pivot > 0;
        p->own = 1 / p->pivot;
        p->r *= p->own;
    }
    return positive_one && !any(~positive);
}

/* The same with the factors there are. */
INLINE void reduce(forest *w)
{
    const part_one *fixed = w->one + w->g.singles;
    for (size_t j = 0, k = 0; j < w->joints; j++) {
        const joint *at = w->joint + j;
        for (; k <= at->root; k++)
            reduce_four(w->four, w->four + k);
        for (size_t lane = 0; lane < at->used; lane++)
            w->one[at->stub[lane]].r = *lane_of(&w->four[at->root].r, lane);
    }
    for (size_t i = 0; i < w->g.singles; i++)
        reduce_one(w->one, w->one + i);
    for (uint32_t i = fixed->first, left = fixed->many; left > 0; left--, i = w->one[i].beside)
        w->one[i].r *= w->one[i].own;
}

/* Back. Has |nu|^2 settled, and is it that of a correction? */
INLINE void substitute(forest *w, bool *settled, bool *small)
{
    const part_one *fixed = w->one + w->g.singles;
    mask still = {-1, -1, -1, -1}, little = still;
    int64_t still_one = -1, little_one = -1;
    for (uint32_t i = fixed->first, left = fixed->many; left > 0; left--, i = w->one[i].beside)
        w->one[i].mu = w->one[i].r;
    for (size_t i = w->g.singles; i-- > 0;)
        substitute_one(w->one, w->one + i, w->one[w->one[i].above].X, &still_one, &little_one);
    for (size_t j = w->joints, k = w->g.blocks; j-- > 0;) {
        const joint *at = w->joint + j;
        size_t before = j ? at[-1].root + 1 : 0;
        vector on[AXES];
        for (size_t lane = 0; lane < LANES; lane++) {
            w->four[at->root].mu[lane] = w->one[at->stub[lane]].mu;
            for (int a = 0; a < AXES; a++)
                on[a][lane] = w->one[at->on[lane]].X[a];
        }
        for (; k-- > before;)
            substitute_four(w->four, w->four + k, k < at->root ? w->four[w->four[k].above].X : on, &still,
                            &little);
        k++;
    }
    *settled = still_one && !any(~still);
    *small = little_one && !any(~little);
}

/* X of the masses by the next guess; with the end of the step before it. */
INLINE void pull(bool end, forest *w, carry *c)
{
    const double known[3] = {c->count >= 1, c->count >= 2, c->count >= 3};
    link_four *four = fours(c);
    link_one *one = ones(w, c);
    for (size_t k = 0; k < w->g.blocks; k++) {
        if (end)
            finish_four(w->four + k, four + k, known);
        pull_four(w->four, w->four + k, four, w->g.blocks, NULL);
    }
    for (size_t j = 0; j < w->joints; j++) {
        const joint *at = w->joint + j;
        const link_four *root = four + at->root;
        for (int a = 0; a < AXES; a++) {
            vector u = root->guess * root->q[a];
            for (size_t lane = 0; lane < at->used; lane++)
                w->hung[AXES * at->on[lane] + a] += *lane_of(&u, lane);
        }
    }
    memset(w->hung + AXES * w->g.singles, 0, AXES * sizeof *w->hung); /* the fixed point stays */
    for (size_t i = 0; i < w->g.singles; i++) {
        if (end)
            finish_one(w->one + i, one + i, known);
        pull_one(w->one, w->one + i, one, w->g.singles, w->hung + AXES * i);
    }
}

/* A step from the guess; false, and nothing is changed, where the guess is no good. */
INLINE bool advance(forest *w, carry *c, int *passes)
{
    if (!eliminate(w, c))
        return false;
    for (*passes = 1;; ++*passes) {
        bool settled = false, small = false;
        substitute(w, &settled, &small);
        if (!small || (!settled && *passes == MOST_PASSES))
            return false;
        if (settled)
            break;
        reduce(w);
    }
    pull(true, w, c);
    return true;
}

static bool advance_plain(forest *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}

#ifdef PH_LANES_AVX2
PH_LANES_AVX2 static bool advance_avx2(forest *w, carry *c, int *passes)
{
    return advance(w, c, passes);
}
#endif

/* ---- The plain form ----------------------------------------------------------------------------- */

/* Places of a link in the carry: field f, of those of a link_one, is at [stride f]. */
static double *place_of(const forest *w, carry *c, size_t at, size_t *stride)
{
    size_t many = LANES * w->g.blocks;
    *stride = at < many ? LANES : 1;
    return at < many ? (double *)(void *)(fours(c) + at / LANES) + at % LANES
                     : (double *)(void *)(ones(w, c) + (at - many));
}

enum {
    Q = offsetof(link_one, q) / sizeof(double),
    QL = offsetof(link_one, ql) / sizeof(double),
    DELTA = offsetof(link_one, d) / sizeof(double),
    DL = offsetof(link_one, dl) / sizeof(double),
    GUESS = offsetof(link_one, guess) / sizeof(double),
    D0 = offsetof(link_one, D0) / sizeof(double),
    D1 = offsetof(link_one, D1) / sizeof(double),
    D2 = offsetof(link_one, D2) / sizeof(double),
    SQUARE = offsetof(link_one, square) / sizeof(double)
};

static void gather_motion(scratch *w, carry *c)
{
    ph_tension_motion *to = &w->plain.from;
    to->h = c->h;
    if (c->h == 0)
        return;
    for (size_t i = 0; i < w->f.n; i++) {
        size_t stride;
        const double *own = place_of(&w->f, c, w->f.g.place[i], &stride);
        for (size_t a = 0; a < AXES; a++) {
            to->q[AXES * i + a] = own[stride * (Q + a)];
            to->q_low[AXES * i + a] = own[stride * (QL + a)];
            to->delta[AXES * i + a] = own[stride * (DELTA + a)];
            to->low[AXES * i + a] = own[stride * (DL + a)];
        }
    }
}

/* Without a guess. The multipliers begin a new history. */
static ph_status step_plain(scratch *w, ph_context *context, const ph_state *state, carry *c)
{
    const ph_tension_motion *to = &w->plain.to;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    gather_motion(w, c);
    ph_status status = ph_tension_plain_step(&w->plain, w->h, context, state);
    if (status)
        return status;
    for (size_t at = 0; at < LANES * w->f.g.blocks + w->f.g.singles; at++) {
        size_t stride, i = w->f.g.link[at];
        double *own = place_of(&w->f, c, at, &stride);
        for (size_t a = 0; a < AXES; a++) {
            own[stride * (Q + a)] = to->q[AXES * i + a];
            own[stride * (QL + a)] = to->q_low[AXES * i + a];
            own[stride * (DELTA + a)] = to->delta[AXES * i + a];
            own[stride * (DL + a)] = to->low[AXES * i + a];
        }
        own[stride * GUESS] = own[stride * D0] = w->plain.eq.lambda[i] * (1 / linkage->length[i]);
        own[stride * D1] = own[stride * D2] = own[stride * SQUARE] = 0;
    }
    pull(false, &w->f, c);
    return PH_OK;
}

/* ---- The kernel --------------------------------------------------------------------------------- */

static void plain(ph_context *context)
{
    scratch *w = context->work;
    w->advance = advance_plain;
}

/* Room for factors of what hangs on a mass, where that are three or more. */
static double *matrix_at(double **next, size_t many, size_t numbers)
{
    double *matrix = many > 2 ? *next : NULL;
    *next += many > 2 ? AXES * AXES * numbers : 0;
    return matrix;
}

static void build_fours(forest *w, const ph_linkage *linkage)
{
    const ph_groups *g = &w->g;
    double *next = (double *)(void *)(w->four + g->blocks);
    w->joints = 0;
    memset(w->four, 0, g->blocks * sizeof *w->four);
    for (size_t k = 0; k < g->blocks; k++) {
        part_four *p = w->four + k;
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t i = g->link[LANES * k + lane];
            p->l[lane] = linkage->length[i];
            p->il[lane] = 1 / linkage->length[i];
            p->w[lane] = 1 / linkage->mass[i];
        }
        p->matrix = (vector *)(void *)matrix_at(&next, p->many, LANES);
        w->joints += g->above[k] == PH_NO_INDEX;
        if (g->above[k] == PH_NO_INDEX)
            continue;
        part_four *above = w->four + g->above[k];
        p->above = (uint32_t)g->above[k];
        p->beside = above->first;
        above->first = (uint32_t)k;
        above->many++;
    }
    w->one = (part_one *)(void *)next;
}

/* A part that hangs on another one. */
static void hang(forest *w, size_t at, size_t on)
{
    part_one *p = w->one + at, *above = w->one + on;
    p->above = (uint32_t)on;
    p->beside = above->first;
    above->first = (uint32_t)at;
    above->many++;
}

static size_t single_of(const forest *w, const ph_linkage *linkage, size_t i)
{
    size_t parent = linkage->parent[i];
    return parent == PH_NO_INDEX ? w->g.singles : w->g.place[parent] - LANES * w->g.blocks;
}

static void build_ones(forest *w, const ph_linkage *linkage)
{
    const ph_groups *g = &w->g;
    size_t stub = g->singles + 1;
    for (size_t k = 0; k < g->blocks; k++)
        stub += g->above[k] == PH_NO_INDEX ? g->used[k] : 0;
    memset(w->one, 0, stub * sizeof *w->one);
    w->joint = (joint *)(void *)(w->one + stub);
    stub = g->singles + 1;
    for (size_t k = 0, j = 0; k < g->blocks; k++) {
        if (g->above[k] != PH_NO_INDEX)
            continue;
        joint *at = w->joint + j++;
        *at = (joint){.root = k, .used = g->used[k]};
        for (size_t lane = 0; lane < LANES; lane++) {
            at->on[lane] = (uint32_t)single_of(w, linkage, g->link[LANES * k + lane]);
            at->stub[lane] = lane < at->used ? (uint32_t)stub : at->stub[0];
            if (lane < at->used)
                hang(w, stub++, at->on[lane]);
        }
    }
    double *next = (double *)(void *)(w->joint + w->joints);
    for (size_t k = 0; k < g->singles; k++) {
        size_t i = g->link[LANES * g->blocks + k];
        part_one *p = w->one + k;
        p->l = linkage->length[i];
        p->il = 1 / linkage->length[i];
        p->w = 1 / linkage->mass[i];
        p->matrix = matrix_at(&next, p->many, 1);
        hang(w, k, single_of(w, linkage, i));
    }
}

static ph_status init(ph_context *context)
{
    scratch *w = context->work;
    const ph_linkage *linkage = ph_system_linkage(context->system);
    double *memory = (double *)(void *)((char *)context->work + head_size());
    lay_scratch(w, context->system, memory);
    w->head.kernel = &ph_variational_forest;
    w->h = context->h;
    for (size_t a = 0; a < AXES; a++)
        w->f.root[a] = -w->h * w->h * linkage->gravity[a];
    ph_groups_find(&w->f.g, w->f.n, linkage->parent, (size_t *)(void *)w->f.four); /* before the parts */
    build_fours(&w->f, linkage);
    build_ones(&w->f, linkage);
    memset(w->f.hung, 0, AXES * (w->f.n + 1) * sizeof(double));
    plain(context);
#ifdef PH_LANES_AVX2
    if (__builtin_cpu_supports("avx2"))
        w->advance = advance_avx2;
#endif
    return ph_tension_plain_init(&w->plain);
}

static ph_status step(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    carry *c = carry_of(state);
    int passes = 0;
    if (c->h == w->h && w->advance(&w->f, c, &passes)) {
        c->count += c->count < 3;
    } else {
        ph_status status = step_plain(w, context, state, c);
        if (status)
            return status;
        c->count = 1;
        c->h = w->h;
    }
    context->statistics->newton_passes += passes;
    return PH_OK;
}

static void synchronise(ph_context *context, ph_state *state)
{
    scratch *w = context->work;
    gather_motion(w, carry_of(state));
    ph_tension_plain_synchronise(&w->plain, state);
}

const ph_variational_kernel ph_variational_forest = {
    .size = size, .init = init, .step = step, .synchronise = synchronise, .plain = plain};
