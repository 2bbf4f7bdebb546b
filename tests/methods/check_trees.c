/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational step on trees of links, in which subtrees of the same shape are computed side by side in
 * vectors: the layout, and the motion compared with dense matrices, with the equations in plain loops (which
 * a system with a force uses, even if it is zero), and between the ways of computing it. */
#include "tests/kit/testkit.h"

#include "integrators/variational/groups.h"

/* ---- Trees -------------------------------------------------------------------------------------- */

enum { MOST = 1100, DENSE = 24 };

typedef enum shape {
    BINARY,
    TERNARY,
    COMB,      /* a chain with a link on each of its links */
    TEETH,     /* a chain with chains of three */
    STAR,      /* all on the first */
    BUNCH,     /* all on the fixed point */
    ARMS,      /* seven chains on the first: groups of four and of three */
    TWO_KINDS, /* subtrees of three links on the first, chains and forks in turn */
    PAIRS,     /* two on the fixed point, each with a chain: nothing to group but leaves */
    BRUSHES,   /* four with forty chains each: more wait for what they hang on than share memory */
    TWINS,     /* random, with copies of existing subtrees */
    RANDOM,
    SHAPES
} shape;

static const char *const names[SHAPES] = {"binary", "ternary",   "comb",  "teeth",   "star",  "bunch",
                                          "arms",   "two kinds", "pairs", "brushes", "twins", "random"};

/* parent (n) <- the tree; of copies the subtree of any link on any other. */
static void plant(shape kind, size_t n, tk_random *r, size_t *parent)
{
    size_t m = kind == COMB ? (n + 1) / 2 : (n + 3) / 4, copied[MOST];
    for (size_t i = 0; i < n; i++) {
        size_t any = (size_t)tk_uniform(r, 0, (double)i - 1e-9);
        parent[i] = kind == BINARY      ? (i - 1) / 2
                    : kind == TERNARY   ? (i - 1) / 3
                    : kind == COMB      ? (i < m ? i - 1 : i - m)
                    : kind == TEETH     ? (i < m ? i - 1 : i - m)
                    : kind == STAR      ? 0
                    : kind == BUNCH     ? PH_NO_INDEX
                    : kind == ARMS      ? (i < 8 ? 0 : i - 7)
                    : kind == TWO_KINDS ? (i % 3 == 1                 ? 0
                                           : i % 3 == 0 && i % 6 == 0 ? i - 2
                                                                      : i - 1)
                    : kind == PAIRS     ? (i < 2 ? PH_NO_INDEX : i - 2)
                    : kind == BRUSHES   ? (i < 5     ? 0
                                           : i < 165 ? 1 + (i - 5) % 4
                                                     : i - 160)
                                        : any;
        if (!i)
            parent[i] = PH_NO_INDEX;
        if (kind != TWINS || i < 5)
            continue;
        size_t of = (size_t)tk_uniform(r, 1, (double)i - 1e-9), first = i; /* links of `of` are behind it */
        parent[i] = any;
        memset(copied, 0, sizeof copied);
        copied[of] = i + 1;
        for (size_t j = of + 1; j < first && i + 1 < n; j++)
            if (parent[j] != PH_NO_INDEX && copied[parent[j]]) {
                parent[++i] = copied[parent[j]] - 1;
                copied[j] = i + 1;
            }
    }
}

static ph_status nothing(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)f;
    return PH_OK;
}

static ph_status weight(void *user, const double *z, double *U)
{
    const double *dU = user;
    *U = 0;
    for (size_t i = 0; i < 3 * DENSE; i++)
        *U += dU[i] * z[i];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    (void)z;
    memcpy(dU, user, 3 * DENSE * sizeof *dU);
    return PH_OK;
}

typedef enum way { LINKS, LOOPS, FULL } way;

/* n links of different lengths and masses; LOOPS: in plain loops; FULL (n = DENSE): with its inertia in full,
 * dU (nz) must stay. */
static ph_system *tree(way how, size_t n, const size_t *parent, double *dU)
{
    static double MM[9 * DENSE * DENSE];
    double length[MOST], mass[MOST];
    ph_system *full = NULL;
    for (size_t i = 0; i < n; i++) {
        length[i] = 0.1 + 0.04 * sin((double)i);
        mass[i] = 0.1 + 0.06 * cos(2.0 * (double)i);
    }
    ph_linkage linkage = {.parent = parent, .length = length, .mass = mass, .gravity = {0.1, -0.2, -9.81}};
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, NULL));
    ph_system_definition d = {.space = space,
                              .linkage = &linkage,
                              .force = how == LOOPS ? nothing : NULL,
                              .force_ignores_velocity = true};
    ph_system *system = tk_defined(&d);
    if (how == FULL) {
        const size_t nz = 3 * n;
        ck_assert_uint_eq(n, DENSE);
        for (size_t j = 0; j < nz; j++) {
            double e[3 * DENSE] = {0}, column[3 * DENSE];
            e[j] = 1;
            ph_system_apply_inertia(system, e, column);
            for (size_t i = 0; i < nz; i++)
                MM[i * nz + j] = column[i];
        }
        tk_ok(ph_system_gradient(system, MM, dU)); /* the same everywhere */
        d = (ph_system_definition){.space = space,
                                   .ambient_inertia = MM,
                                   .potential = weight,
                                   .gradient = weight_gradient,
                                   .user = dU};
        tk_ok(ph_system_create(&d, &full, NULL));
        ph_system_free(system);
        system = full;
    }
    return system;
}

/* ---- What lies where ---------------------------------------------------------------------------- */

typedef struct places {
    ph_groups g;
    size_t parent[MOST], work[PH_GROUPS_WORK * MOST], link[LANES * PH_GROUPS_MOST_BLOCKS(MOST)],
        above[PH_GROUPS_MOST_BLOCKS(MOST)], place[MOST];
} places;

static void find(places *p, shape kind, size_t n, tk_random *r)
{
    plant(kind, n, r, p->parent);
    p->g = (ph_groups){.link = p->link, .above = p->above, .place = p->place};
    ph_groups_find(&p->g, n, p->parent, p->work);
}

/* Every link is in one lane, behind what hangs on it; lanes of a block hang on the same lanes, or on links
 * that stand alone. */
TEST(groups_are_trees_beside_each_other)
{
    static places p;
    tk_random r = {811};
    for (int kind = 0; kind < SHAPES; kind++)
        for (size_t n = 1; n <= MOST; n += n < 60 ? 1 : n / 3) {
            find(&p, (shape)kind, n, &r);
            const size_t groups = LANES * p.g.blocks;
            size_t blocks = p.g.blocks + (p.g.singles + LANES - 1) / LANES, links = 0;
            ck_assert_uint_le(blocks, PH_GROUPS_MOST_BLOCKS(n));
            for (size_t at = 0; at < LANES * blocks; at++) {
                size_t i = p.link[at], k = at / LANES;
                if (i == PH_NO_INDEX) /* the last lane of a group, the last of all */
                    ck_assert_msg(at < groups ? at % LANES == LANES - 1 : at >= groups + p.g.singles,
                                  "%s of %zu: lane %zu is not used", names[kind], n, at);
                if (i == PH_NO_INDEX)
                    continue;
                ck_assert_uint_eq(p.place[i], at);
                links++;
                size_t on = p.parent[i], there = on == PH_NO_INDEX ? on : p.place[on];
                ck_assert(there > at);
                if (at < groups && p.above[k] != PH_NO_INDEX)
                    ck_assert_uint_eq(there, LANES * p.above[k] + at % LANES);
                else
                    ck_assert(there >= groups);
            }
            ck_assert_uint_eq(links, n);
        }
}

/* What is left of each is known. */
TEST(groups_are_as_many_as_can_be)
{
    static const struct {
        shape kind;
        size_t n, blocks, singles;
    } rows[] = {{BINARY, 1023, 255, 3},    {TERNARY, 1093, 2 * 121 + 2 * 13 + 2, 4 + 1 + 3 + 1 + 3 + 1},
                {COMB, 1000, 125, 500},    {STAR, 1000, 250, 1},
                {STAR, 4, 1, 1},           {STAR, 3, 0, 3},
                {BUNCH, 8, 2, 0},          {ARMS, 1 + 7 * 20, 40, 1},
                {PAIRS, 9, 0, 9},          {TWO_KINDS, 1 + 3 * 8, 2 * 3, 1},
                {TEETH, 4 * 9, 2 * 3, 12}, {BINARY, 7, 1, 3}};
    static places p;
    tk_random r = {812};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        find(&p, rows[row].kind, rows[row].n, &r);
        ck_assert_msg(p.g.blocks == rows[row].blocks && p.g.singles == rows[row].singles,
                      "%s of %zu: %zu blocks and %zu links", names[rows[row].kind], rows[row].n, p.g.blocks,
                      p.g.singles);
    }
}

/* ---- The motion --------------------------------------------------------------------------------- */

/* Some 0.1 rad a step; the guess takes over from the second on, and after a change of the step. */
static void move(ph_integrator *it, ph_state *state, double h, const char *what)
{
    for (int k = 0; k < 14; k++) {
        tk_ok(ph_integrator_set_step_size(it, k < 9 ? h : -0.6 * h));
        ck_assert_msg(!ph_integrator_step(it, state, 1), "%s: %s", what, ph_integrator_message(it));
    }
}

/* How far the end of the motion is from that of the other system: z, and p by its largest. */
static double compare(ph_system *a, ph_system *b, double h, const double *z, const double *v,
                      const char *what)
{
    ph_integrator *it[2];
    ph_state *state[2];
    double off, size = 0;
    for (int i = 0; i < 2; i++) {
        tk_start(i ? b : a, "variational", NULL, h, z, v, &it[i], &state[i]);
        move(it[i], state[i], h, what);
    }
    for (size_t i = 0; i < state[1]->np; i++)
        size = fmax(size, fabs(state[1]->p[i]));
    off = fmax(tk_max_difference(state[0]->z, state[1]->z, state[0]->nz),
               tk_max_difference(state[0]->p, state[1]->p, state[0]->np) / size);
    for (int i = 0; i < 2; i++)
        tk_end(it[i], state[i]);
    return off;
}

/* Trees of DENSE links: no formula is shared. */
TEST(the_map_is_that_of_the_dense_forms)
{
    double worst = 0;
    tk_random r = {813};
    for (int k = 0; k < (tk_short() ? 4 : 40) * SHAPES; k++) {
        size_t parent[DENSE];
        double z[3 * DENSE], v[3 * DENSE], dU[3 * DENSE];
        plant((shape)(k % SHAPES), DENSE, &r, parent);
        TK_OWN(ph_system) *links = tree(LINKS, DENSE, parent, NULL);
        TK_OWN(ph_system) *full = tree(FULL, DENSE, parent, dU);
        tk_random_motion(full, &r, z, v);
        double off = compare(links, full, 0.03 / tk_fastest(full, z, v), z, v, names[k % SHAPES]);
        ck_assert_msg(off <= 1e-12, "%s: off by %.1e", names[k % SHAPES], off); /* as in check_sparse_step */
        worst = fmax(worst, off);
    }
    printf("trees of %d links: off the dense forms by %.1e\n", DENSE, worst);
}

/* A tree at rest, links some 0.3 rad from hanging. */
static void lean(size_t n, tk_random *r, double *z, double *v)
{
    for (size_t i = 0; i < n; i++) {
        double a = tk_uniform(r, -0.3, 0.3), b = tk_uniform(r, -0.3, 0.3);
        z[3 * i] = sin(a) * cos(b), z[3 * i + 1] = sin(b), z[3 * i + 2] = -cos(a) * cos(b);
        v[3 * i] = v[3 * i + 1] = v[3 * i + 2] = 0;
    }
}

/* Large ones, by the same map in plain loops. */
TEST_EACH(the_map_is_that_of_plain_loops, SHAPES)
{
    static double z[3 * MOST], v[3 * MOST];
    const size_t sizes[SHAPES] = {[BINARY] = 1023,   [TERNARY] = 1093, [COMB] = 1000,  [TEETH] = 400,
                                  [STAR] = 200,      [BUNCH] = 1000,   [ARMS] = 1000,  [PAIRS] = 200,
                                  [TWO_KINDS] = 999, [BRUSHES] = 645,  [TWINS] = 1000, [RANDOM] = 1000};
    size_t parent[MOST];
    tk_random r = {814};
    plant((shape)_i, sizes[_i], &r, parent);
    TK_OWN(ph_system) *links = tree(LINKS, sizes[_i], parent, NULL);
    TK_OWN(ph_system) *loops = tree(LOOPS, sizes[_i], parent, NULL);
    lean(sizes[_i], &r, z, v);
    double off = compare(links, loops, 1e-4, z, v, names[_i]);
    printf("%s of %zu links: off plain loops by %.1e\n", names[_i], sizes[_i], off);
    ck_assert_double_le(off, 1e-12);
}

/* With the instructions of this processor or without, at once or one by one. */
TEST_EACH(paths_give_the_same_bits, SHAPES)
{
    static double z[3 * MOST], v[3 * MOST];
    const size_t sizes[] = {3, 4, 5, 8, 9, 13, 14, 29, 40, 160, 1000};
    tk_random r = {815};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s];
        const int steps = n > 100 ? 20 : 100;
        size_t parent[MOST];
        if (_i == STAR && n > 200) /* the first step of a star is dense */
            continue;
        plant((shape)_i, n, &r, parent);
        TK_OWN(ph_system) *system = tree(LINKS, n, parent, NULL);
        lean(n, &r, z, v);
        TK_BEGIN(it, state, tk_same_bits, system, ph_method_find("variational", NULL), NULL, NULL, 1e-4, 0, z,
                 v, steps);
        /* from the guess, in one pass or two, with right factors; the first step takes some 8 */
        ck_assert_int_ge(ph_integrator_statistics(it)->newton_passes, steps);
        ck_assert_int_le(ph_integrator_statistics(it)->newton_passes, 2 * steps + 12);
    }
}

/* A step that has no solution leaves the state unchanged, and later steps continue from there. */
TEST_EACH(a_step_that_fails_changes_nothing, SHAPES)
{
    static double z[3 * DENSE], v[3 * DENSE];
    size_t parent[DENSE];
    tk_random r = {816};
    plant((shape)_i, DENSE, &r, parent);
    TK_OWN(ph_system) *system = tree(LINKS, DENSE, parent, NULL);
    lean(DENSE, &r, z, v);
    TK_START(it, state, system, "variational", NULL, 1e-3, z, v);
    TK_START(other, before, system, "variational", NULL, 1e-3, z, v);
    tk_ok(ph_integrator_step(it, state, 20));
    tk_ok(ph_integrator_step(other, before, 20));
    tk_ok(ph_integrator_set_step_size(it, 1.0)); /* far beyond the fold */
    ck_assert_int_ne(ph_integrator_step(it, state, 5), PH_OK);
    ck_assert_mem_eq(state->carry, before->carry, state->ncarry * sizeof(double));
    tk_ok(ph_integrator_set_step_size(it, 1e-3));
    tk_ok(ph_integrator_step(it, state, 20));
    tk_ok(ph_integrator_step(other, before, 20));
    ck_assert_mem_eq(state->z, before->z, state->nz * sizeof(double));
    ck_assert_mem_eq(state->p, before->p, state->np * sizeof(double));
}

/* Two states of one integrator, a step of each in turn. */
TEST_EACH(states_take_turns, SHAPES)
{
    static double z[3 * DENSE], v[3 * DENSE];
    size_t parent[DENSE];
    ph_state *state[4];
    tk_random r = {817};
    plant((shape)_i, DENSE, &r, parent);
    TK_OWN(ph_system) *system = tree(LINKS, DENSE, parent, NULL);
    lean(DENSE, &r, z, v);
    TK_START(it, first, system, "variational", NULL, 1e-3, z, v);
    state[0] = first;
    for (int i = 1; i < 4; i++)
        tk_ok(ph_state_create(it, &state[i], NULL));
    lean(DENSE, &r, z, v);
    tk_ok(ph_state_set_velocity(it, state[1], 0, z, v, PH_PROJECT, NULL));
    for (int i = 0; i < 2; i++)
        tk_ok(ph_state_copy(state[2 + i], state[i]));
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 2; i++)
            tk_ok(ph_integrator_step(it, state[i], 2));
    for (int i = 0; i < 2; i++) {
        tk_ok(ph_integrator_step(it, state[2 + i], 40));
        ck_assert_mem_eq(state[i]->z, state[2 + i]->z, first->nz * sizeof(double));
        ck_assert_mem_eq(state[i]->p, state[2 + i]->p, first->np * sizeof(double));
    }
    for (int i = 1; i < 4; i++)
        ph_state_free(state[i]);
}

int main(void)
{
    return tk_run("trees of links");
}
