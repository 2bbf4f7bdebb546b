/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational step in multiplier form: the map of the dense forms on random chains, trees and carts, its
 * passes, its rounding, and long chains. */
#include "tests/kit/testkit.h"

#include <float.h>

enum { MOST = 16, NZ = 3 * MOST };

/* A linkage, and the same system with its inertia in full. */
typedef struct pair {
    size_t n, first, d, nz;
    ph_system *sparse, *dense;
    double dU[NZ];
} pair;

static ph_status weight(void *user, const double *z, double *U)
{
    const pair *p = user;
    *U = 0;
    for (size_t i = 0; i < p->nz; i++)
        *U += p->dU[i] * z[i];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *z, double *dU)
{
    const pair *p = user;
    (void)z;
    memcpy(dU, p->dU, p->nz * sizeof *dU);
    return PH_OK;
}

/* U in addition to gravity: bending between the links, and a spring on the cart. */
static ph_status bend(void *user, const double *z, double *U)
{
    const pair *p = user;
    *U = 0;
    for (size_t i = 0; i + p->d < p->nz; i++)
        *U -= 0.3 * z[i] * z[i + p->d] * z[i];
    return PH_OK;
}

static ph_status bend_gradient(void *user, const double *z, double *dU)
{
    const pair *p = user;
    memset(dU, 0, p->nz * sizeof *dU);
    for (size_t i = 0; i + p->d < p->nz; i++) {
        dU[i] -= 0.6 * z[i] * z[i + p->d];
        dU[i + p->d] -= 0.3 * z[i] * z[i];
    }
    return PH_OK;
}

static ph_status both(void *user, const double *z, double *U)
{
    double more;
    weight(user, z, U);
    bend(user, z, &more);
    *U += more;
    return PH_OK;
}

static ph_status both_gradient(void *user, const double *z, double *dU)
{
    const pair *p = user;
    double own[NZ];
    bend_gradient(user, z, own);
    weight_gradient(user, z, dU);
    for (size_t i = 0; i < p->nz; i++)
        dU[i] += own[i];
    return PH_OK;
}

static ph_status blow(void *user, double t, const double *z, const double *zdot, double *f)
{
    const pair *p = user;
    (void)zdot;
    for (size_t i = 0; i < p->nz; i++)
        f[i] += 0.2 * cos(3 * t + (double)i) * (1 + z[(i + 1) % p->nz]);
    return PH_OK;
}

/* shape: 0 a chain, 1 a tree. */
static void make(pair *p, tk_random *r, size_t n, bool tree, bool cart, bool plane, bool bent, bool blown)
{
    ph_factor factors[MOST] = {{0}};
    size_t parent[MOST];
    double length[MOST], mass[MOST], MM[NZ * NZ], gravity[3] = {0, 0, 0}, zero[NZ] = {0};
    *p = (pair){.n = n, .first = cart, .d = plane ? 2 : 3};
    gravity[p->d - 1] = -9.81;
    for (size_t i = 0; i < n; i++) {
        size_t any = (size_t)tk_uniform(r, 0, (double)i + (cart ? 0 : 1) - 1e-9);
        factors[i] = (ph_factor){.kind = i < p->first ? PH_FACTOR_R
                                         : plane      ? PH_FACTOR_S1
                                                      : PH_FACTOR_S2,
                                 .d = i < p->first ? p->d - 1 : 0};
        parent[i] = !i ? PH_NO_INDEX : !tree ? i - 1 : any == i ? PH_NO_INDEX : any;
        length[i] = i < p->first ? 1 : tk_log_uniform(r, 0.3, 3);
        mass[i] = tk_log_uniform(r, 0.3, 3);
    }
    ph_linkage linkage = {.parent = parent, .length = length, .mass = mass};
    memcpy(linkage.gravity, gravity, sizeof gravity);
    TK_OWN(ph_space) *space = tk_space(factors, n);
    p->nz = ph_space_ambient(space);
    ph_system_definition d = {.space = space,
                              .linkage = &linkage,
                              .potential = bent ? bend : NULL,
                              .gradient = bent ? bend_gradient : NULL,
                              .force = blown ? blow : NULL,
                              .force_ignores_velocity = true,
                              .user = p};
    tk_ok(ph_system_create(&d, &p->sparse, NULL));
    memcpy(MM, zero, sizeof zero);
    for (size_t j = 0; j < p->nz; j++) {
        double e[NZ] = {0}, column[NZ];
        e[j] = 1;
        ph_system_apply_inertia(p->sparse, e, column); /* checked in check_tensions */
        for (size_t i = 0; i < p->nz; i++)
            MM[i * p->nz + j] = column[i];
    }
    if (bent) { /* the weight alone */
        pair bare = *p;
        ph_system_definition h = {.space = space, .linkage = &linkage};
        (void)bare;
        TK_OWN(ph_system) *heavy = tk_defined(&h);
        tk_ok(ph_system_gradient(heavy, zero, p->dU));
    } else {
        tk_ok(ph_system_gradient(p->sparse, zero, p->dU));
    }
    d.linkage = NULL;
    d.ambient_inertia = MM;
    d.potential = bent ? both : weight;
    d.gradient = bent ? both_gradient : weight_gradient;
    tk_ok(ph_system_create(&d, &p->dense, NULL));
    ck_assert(ph_system_is_sparse(p->sparse) && !ph_system_is_sparse(p->dense));
}

static void drop(pair *p)
{
    ph_system_free(p->sparse);
    ph_system_free(p->dense);
}

/* 1000 systems, each of the 32 kinds; steps of some 0.1 rad, of changing size and direction. */
TEST(the_map_is_that_of_the_dense_forms)
{
    enum { STEPS = 10 };
    tk_random r = {61};
    double worst[2] = {0, 0};
    int systems = tk_short() ? 96 : 1024, compared = 0;
    for (int k = 0; k < systems; k++) {
        TK_ENDS(drop) pair p;
        double z[NZ], v[NZ];
        ph_integrator *it[2];
        ph_state *state[2];
        ph_system *system[2];
        make(&p, &r, 2 + (size_t)k / 32 % (MOST - 2), k & 1, k & 2, k & 4, k & 8, k & 16);
        system[0] = p.sparse, system[1] = p.dense;
        tk_random_motion(p.dense, &r, z, v);
        double h = 0.05 / tk_fastest(p.dense, z, v);
        for (int i = 0; i < 2; i++)
            tk_start(system[i], "variational", NULL, h, z, v, &it[i], &state[i]);
        for (int j = 0; j < STEPS; j++) {
            double now = j < 5 ? h : j == 6 ? -0.7 * h : (0.5 + 0.1 * j) * h;
            for (int i = 0; i < 2; i++) {
                tk_ok(ph_integrator_set_step_size(it[i], now));
                ck_assert_msg(!ph_integrator_step(it[i], state[i], 1), "%d: %s", k,
                              ph_integrator_message(it[i]));
            }
        }
        double size = 0;
        for (size_t i = 0; i < state[0]->np; i++)
            size = fmax(size, fabs(state[1]->p[i]));
        double dz = tk_max_difference(state[0]->z, state[1]->z, p.nz),
               dp = tk_max_difference(state[0]->p, state[1]->p, state[0]->np) / size;
        worst[0] = fmax(worst[0], dz);
        worst[1] = fmax(worst[1], dp);
        ck_assert_msg(dz <= 1e-12 && dp <= 1e-12, "system %d: z off by %.1e, p by %.1e", k, dz, dp);
        compared++;
        for (int i = 0; i < 2; i++)
            tk_end(it[i], state[i]);
    }
    printf("%d systems, %d steps: z off the dense forms' by %.1e, p by %.1e of its largest\n", compared,
           STEPS, worst[0], worst[1]);
}

/* Few passes, and rarely without a guess. */
TEST_EACH(guesses_are_good, 6)
{
    const char *models[] = {"spherical-pendulum", "double-spherical-pendulum",
                            "chain-pendulum",     "planar-chain",
                            "cart-chain",         "planar-cart"};
    const ph_model *model = ph_model_find(models[_i], NULL);
    double z[NZ], v[NZ];
    TK_OWN(ph_system) *system = tk_model(models[_i]);
    tk_preset(models[_i], NULL, 0, model->presets[0].name, z, v);
    TK_START(it, state, system, "variational", NULL, 1e-3, z, v);
    tk_ok(ph_integrator_step(it, state, 10000));
    const ph_statistics *s = ph_integrator_statistics(it);
    printf("%s: %.2f passes a step\n", models[_i], (double)s->newton_passes / 1e4);
    ck_assert_int_le(s->newton_passes, 25000);
    ck_assert_int_eq(s->branches, 0);
}

/* |q|^2 - 1 of three numbers, to twice their places. */
static double excess_of(const double *q)
{
    double s = -1, low = 0;
    for (int a = 0; a < 3; a++) {
        double square = q[a] * q[a], sum = s + square, added = sum - s;
        low += fma(q[a], q[a], -square) + ((s - (sum - added)) + (square - added));
        s = sum;
    }
    return s + low;
}

/* One link (0), two (1), one and two on a cart (2, 3): 300 steps compared with the dense forms, with one
 * iteration where steps are small and several where they are not (with two links most iterations are
 * corrected with the same matrix). |q|^2 - 1 is the rounding error of the numbers of q, some 1e-16, as often
 * above as below: the mean over many steps is within 2e-18. */
TEST_EACH(few_links_step_as_the_dense_forms_do, 4)
{
    enum { STEPS = 300, SYSTEMS = 20, MANY = 20000 };
    const bool cart = _i >= 2;
    const size_t n = 1 + (size_t)_i % 2;
    tk_random r = {17 + (uint64_t)_i};
    double worst = 0, passes[2] = {0, 0}, mean = 0;
    for (int k = 0; k < 2 * SYSTEMS; k++) {
        TK_ENDS(drop) pair p;
        double z[NZ], v[NZ], h;
        ph_integrator *it[4];
        ph_state *state[4];
        make(&p, &r, n + cart, false, cart, false, false, false);
        tk_random_motion(p.dense, &r, z, v);
        h = (k % 2 ? 0.05 : 2e-3) / tk_fastest(p.dense, z, v);
        tk_start(p.sparse, "variational", NULL, h, z, v, &it[0], &state[0]);
        tk_start(p.dense, "variational", NULL, h, z, v, &it[1], &state[1]);
        tk_start(p.dense, "variational", NULL, h * (1 + 4 * DBL_EPSILON), z, v, &it[2], &state[2]);
        tk_start(p.dense, "variational", NULL, h * (1 - 4 * DBL_EPSILON), z, v, &it[3], &state[3]);
        for (int i = 0; i < 4; i++)
            ck_assert_msg(!ph_integrator_step(it[i], state[i], STEPS), "%d: %s", k,
                          ph_integrator_message(it[i]));
        double off = tk_max_difference(state[0]->z, state[1]->z, p.nz),
               bound = 1e-13 + 10 * fmax(tk_max_difference(state[2]->z, state[1]->z, p.nz),
                                         tk_max_difference(state[3]->z, state[1]->z, p.nz));
        ck_assert_msg(off <= bound, "system %d: off by %.1e, of which %.1e would be rounding", k, off, bound);
        worst = fmax(worst, off);
        passes[k % 2] += (double)ph_integrator_statistics(it[0])->newton_passes / STEPS / SYSTEMS;
        for (int j = 0; k < 2 && j < MANY; j++) {
            tk_ok(ph_integrator_step(it[0], state[0], 1));
            for (size_t i = 0; i < n; i++)
                mean += excess_of(state[0]->z + p.nz - 3 * n + 3 * i) / (double)(2 * n * MANY);
        }
        for (int i = 0; i < 4; i++)
            tk_end(it[i], state[i]);
    }
    printf("%zu %s%s: off the dense forms' by %.1e after %d steps; "
           "%.2f passes a fine step, %.2f a coarse one; |q|^2 - 1 %.1e in the mean\n",
           n, n > 1 ? "links" : "link", cart ? " on a cart" : "", worst, STEPS, passes[0], passes[1], mean);
    ck_assert_double_le(passes[0], 1.1);
    ck_assert_double_ge(passes[1], n > 1 ? 1.05 : 1.5);
    ck_assert_double_le(passes[1], 4);
    ck_assert_double_le(fabs(mean), 2e-18);
}

/* Turns of up to a radian in a step, as few links as above: what the dense forms find, which follow the root
 * from h = 0, or that there is none. */
TEST_EACH(few_links_find_the_root_of_the_dense_forms, 4)
{
    enum { STEPS = 8, SYSTEMS = 400 };
    const bool cart = _i >= 2;
    const size_t n = 1 + (size_t)_i % 2;
    tk_random r = {71 + (uint64_t)_i};
    double worst = 0;
    int found = 0, none = 0;
    for (int k = 0; k < SYSTEMS; k++) {
        TK_ENDS(drop) pair p;
        double z[NZ], v[NZ], h;
        ph_integrator *it[2];
        ph_state *state[2];
        ph_status status[2] = {PH_OK, PH_OK};
        make(&p, &r, n + cart, false, cart, false, false, false);
        tk_random_motion(p.dense, &r, z, v);
        h = tk_log_uniform(&r, 0.05, 1) / tk_fastest(p.dense, z, v);
        tk_start(p.sparse, "variational", NULL, h, z, v, &it[0], &state[0]);
        tk_start(p.dense, "variational", NULL, h, z, v, &it[1], &state[1]);
        for (int j = 0; j < STEPS && !status[0]; j++) {
            for (int i = 0; i < 2; i++)
                status[i] = ph_integrator_step(it[i], state[i], 1);
            ck_assert_msg(!status[0] == !status[1], "system %d, step %d: %s, but %s", k, j,
                          ph_status_text(status[0]), ph_status_text(status[1]));
            found += !status[0];
            none += !!status[0];
            worst = fmax(worst, tk_max_difference(state[0]->z, state[1]->z, p.nz));
        }
        for (int i = 0; i < 2; i++)
            tk_end(it[i], state[i]);
    }
    printf("%zu %s%s: %d steps as the dense forms', off by %.1e, and %d that have no solution\n", n,
           n > 1 ? "links" : "link", cart ? " on a cart" : "", found, worst, none);
    ck_assert_double_le(worst, 1e-10); /* a wrong root is off by some 0.1 */
    ck_assert_int_ge(none, 20);
}

static size_t memory_of(const ph_integrator *it)
{
    return ph_state_size(it) +
           ph_integrator_method(it)->size(ph_integrator_system(it), ph_integrator_options(it)).work;
}

/* n = 1000 at a step that resolves its waves: energy bounded, momentum without a trend, constraint to the
 * last place. */
TEST(a_long_chain_keeps_what_it_should)
{
    enum { LINKS = 1000 };
    static double z[3 * LINKS], v[3 * LINKS], ones[LINKS], work[40 * LINKS];
    const int64_t blocks = 100, each = tk_short() ? 2 : 1000;
    double first = 0, last = 0, E0 = 0, J0 = 0, scale = 0, worst = 0, constraint = 0;
    for (size_t i = 0; i < LINKS; i++) {
        double a = 0.03 * sin(6 * (double)i / LINKS), b = 0.02 * cos(9 * (double)i / LINKS);
        ones[i] = 1.0 / LINKS;
        z[3 * i] = sin(a) * cos(b), z[3 * i + 1] = sin(b), z[3 * i + 2] = -cos(a) * cos(b);
        v[3 * i] = -0.5 * z[3 * i + 1], v[3 * i + 1] = 0.5 * z[3 * i];
    }
    ph_linkage rope = {.length = ones, .mass = ones, .gravity = {0, 0, -9.81}};
    ph_symmetry vertical = {.name = "Jz", .text = "vertical", .unit = "kg m^2/s", .axis = {0, 0, 1}};
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, LINKS, &space, NULL));
    ph_system_definition d = {.space = space, .linkage = &rope, .symmetries = &vertical, .n_symmetries = 1};
    TK_OWN(ph_system) *system = tk_defined(&d);
    ck_assert_uint_le(ph_system_work(system), sizeof work / sizeof *work);
    /* fastest wave: 2 sqrt(g n / L) sqrt(n) = 198 rad/s near the top */
    TK_START(it, state, system, "variational", NULL, 1e-4, z, v);
    ck_assert_uint_le(memory_of(it) / LINKS, 2000);
    for (int64_t k = 0; k <= blocks; k++) {
        double T, U, J, sum = 0;
        if (k)
            tk_ok(ph_integrator_step(it, state, each));
        tk_ok(ph_system_velocity(system, 0, state->z, state->p, v, work));
        tk_ok(ph_system_energy(system, 0, state->z, v, &T, &U, work));
        tk_ok(ph_system_momentum_map(system, 0, state->z, state->p, &J, work));
        for (size_t i = 0; i < LINKS; i++)
            sum += fabs(state->p[3 * i + 2]);
        if (!k)
            E0 = T + U, J0 = J;
        scale = fmax(scale, sum);
        worst = fmax(worst, fabs(J - J0));
        constraint = fmax(constraint, ph_space_residual(space, state->z));
        if (k <= blocks / 10)
            first = fmax(first, fabs(T + U - E0));
        if (k > blocks - blocks / 10)
            last = fmax(last, fabs(T + U - E0));
    }
    printf("1000 links, %lld steps: energy error %.1e in the first tenth, %.1e in the last (E = %.3g), "
           "momentum off by %.1e of its terms, constraint %.1e, %.2f passes a step\n",
           (long long)(blocks * each), first, last, E0, worst / scale, constraint,
           (double)ph_integrator_statistics(it)->newton_passes / (double)(blocks * each));
    ck_assert_double_le(worst / scale, 1e-13); /* a walk: 1e-12 is what would be allowed */
    ck_assert_double_le(constraint, 4e-16);
    ck_assert_double_le(first, 1e-8 * fabs(E0));
    if (!tk_short())
        ck_assert_double_le(last, 1.5 * first);
}

/* A chain (0), one on a cart (1), a tree (2) of n links. */
static ph_system *linked(int shape, size_t n)
{
    ph_factor factors[64] = {{0}};
    size_t parent[64];
    double length[64], mass[64];
    size_t first = shape == 1, all = n + first;
    for (size_t i = 0; i < all; i++) {
        factors[i] = (ph_factor){.kind = i < first ? PH_FACTOR_R : PH_FACTOR_S2, .d = i < first ? 2 : 0};
        parent[i] = !i ? PH_NO_INDEX : shape == 2 ? (i - 1) / 3 : i - 1;
        length[i] = 0.1 + 0.03 * sin((double)i);
        mass[i] = 0.1 + 0.05 * cos(2.0 * (double)i);
    }
    ph_linkage linkage = {.parent = parent, .length = length, .mass = mass, .gravity = {0.1, -0.2, -9.81}};
    TK_OWN(ph_space) *space = tk_space(factors, all);
    ph_system_definition d = {.space = space, .linkage = &linkage};
    return tk_defined(&d);
}

/* Low-order parts are carried: what a step loses of the momentum about the vertical is the rounding of a
 * change of an increment, a small part of that of the increment. (Without those parts it is a hundred times
 * as much.) */
TEST_EACH(rounding_of_the_momentum_is_that_of_changes, 6)
{
    static const struct {
        int shape;
        size_t n;
    } row[] = {{0, 1}, {0, 2}, {0, 5}, {0, 13}, {2, 7}, {2, 40}};
    const int64_t blocks = 20, each = (tk_short() ? 2000 : 2000000) / 20 / (int64_t)row[_i].n;
    const double down[3] = {0.1, -0.2, -9.81};
    double z[3 * 64], v[3 * 64], J0 = 0, scale = 0, worst = 0;
    tk_random r = {11};
    TK_OWN(ph_system) *system = linked(row[_i].shape, row[_i].n);
    tk_random_motion(system, &r, z, v);
    for (size_t i = 0; i < row[_i].n; i++)
        for (size_t a = 0; a < 3; a++) {
            z[3 * i + a] = down[a] / 9.81 + 0.3 * z[3 * i + a]; /* near rest, to be projected */
            v[3 * i + a] *= 0.3;
        }
    TK_START(it, state, system, "variational", NULL, 5e-4, z, v);
    for (int64_t k = 0; k <= blocks; k++) {
        double J = 0, sum = 0;
        if (k)
            tk_ok(ph_integrator_step(it, state, each));
        for (size_t i = 0; i < row[_i].n; i++) {
            J += ph_dot3(state->p + 3 * i, down) / ph_norm3(down);
            sum += ph_norm3(state->p + 3 * i);
        }
        J0 = k ? J0 : J;
        scale = fmax(scale, sum);
        worst = fmax(worst, fabs(J - J0));
    }
    printf("%s of %zu, %lld steps: momentum off by %.1e of its terms\n", row[_i].shape ? "tree" : "chain",
           row[_i].n, (long long)(blocks * each), worst / scale);
    ck_assert_double_le(worst / scale, 1.5e-15);
}

/* With the instructions of this processor or without, at once or one by one: the same bits, whatever the
 * number of links (of the last vector, of the ways of elimination). */
TEST_EACH(paths_give_the_same_bits, 3)
{
    enum { STEPS = 200 };
    tk_random r = {7};
    for (size_t n = 1; n <= 30; n += n < 20 ? 1 : 5) {
        double z[3 * 64], v[3 * 64];
        TK_OWN(ph_system) *system = linked(_i, n);
        tk_random_motion(system, &r, z, v);
        for (size_t i = 0; i < ph_space_ambient(ph_system_space(system)); i++)
            v[i] *= 0.3;
        TK_BEGIN(it, state, tk_same_bits, system, ph_method_find("variational", NULL), NULL, NULL, 2e-4, 0, z,
                 v, STEPS);
    }
}

/* A step that has no solution leaves the state as it was, in the middle of many. */
TEST_EACH(a_step_that_fails_changes_nothing, 3)
{
    double z[3 * 64], v[3 * 64] = {0};
    TK_OWN(ph_system) *system = linked(_i, 7);
    tk_random r = {_i + 1};
    tk_random_motion(system, &r, z, v);
    TK_START(it, state, system, "variational", NULL, 1e-3, z, v);
    TK_START(other, before, system, "variational", NULL, 1e-3, z, v);
    tk_ok(ph_integrator_step(it, state, 20));
    tk_ok(ph_integrator_step(other, before, 20));
    tk_ok(ph_integrator_set_step_size(it, 0.5)); /* far beyond the fold */
    ck_assert_int_ne(ph_integrator_step(it, state, 5), PH_OK);
    ck_assert(strstr(ph_integrator_message(it), "h = ") || strstr(ph_integrator_message(it), "no solution"));
    ck_assert_mem_eq(state->z, before->z, state->nz * sizeof(double));
    ck_assert_mem_eq(state->p, before->p, state->np * sizeof(double));
    ck_assert_mem_eq(state->carry, before->carry, state->ncarry * sizeof(double));
    tk_ok(ph_integrator_set_step_size(it, 1e-3));
    tk_ok(ph_integrator_step(it, state, 20));
    tk_ok(ph_integrator_step(other, before, 20));
    ck_assert_mem_eq(state->z, before->z, state->nz * sizeof(double));
}

/* What hangs and does not move is found in one pass, by the statistics, and stays where it is. (Its
 * increments are nothing, or what rounding leaves; in units of these no correction was small enough: 7.3
 * passes at 100 links, and each step without a guess.) Chains on a point and on a cart, and a binary tree. */
TEST_EACH(what_hangs_takes_one_pass, 3)
{
    static const char *const models[] = {"chain-pendulum", "cart-chain", "branching-pendulum"};
    static const double most[][2] = {{4, 1}, {12, 2}, {100, 5}, {1000, 8}}; /* links; levels of a tree */
    const bool tree = _i == 2;
    for (size_t a = 0; a < 4; a++)
        for (int b = 0; b < 2; b++) {
            const double h = b ? 5e-3 : 5e-4, mass = 0.1;
            const ph_parameter_value values[] = {{tree ? "depth" : "links", &most[a][tree], 1},
                                                 {"masses", &mass, 1}};
            TK_OWN(ph_system) *system = tk_build(models[_i], values, 2);
            const size_t nz = ph_space_ambient(ph_system_space(system));
            TK_MEMORY double *z = calloc(2 * nz, sizeof *z);
            double *v = z + nz;
            tk_preset(models[_i], values, 2, "hanging", z, v);
            TK_START(it, state, system, "variational", NULL, h, z, v);
            tk_ok(ph_integrator_step(it, state, 20)); /* guesses begin */
            const int64_t before = ph_integrator_statistics(it)->newton_passes;
            tk_ok(ph_integrator_step(it, state, 200));
            const double passes = (double)(ph_integrator_statistics(it)->newton_passes - before) / 200;
            printf("%s, %g, h = %g s, at rest: %.2f passes\n", models[_i], most[a][tree], h, passes);
            /* 1 but where rounding of the guess asks for another, as pulls of many links add up */
            ck_assert_double_le(passes, !tree && most[a][0] <= 100 ? 1.1 : 2.1);
            /* a last place of q, and of the largest pull, n h^2 g over the length of 1 m: it does not add up */
            ck_assert_double_le(tk_max_difference(state->z, z, nz),
                                2 * DBL_EPSILON * (1 + most[a][0] * h * h * 9.81));
        }
}

int main(void)
{
    return tk_run("steps in multiplier form");
}
