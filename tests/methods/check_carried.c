/* SPDX-License-Identifier: BSD-3-Clause */
/* Links that a rigid body carries (ph_linkage.body): trees with any tensor, against the same Lagrangian with a matrix MM that is written
 * down here from the places of the masses, and so against the kernels for any product. */
#include "tests/kit/testkit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 7, FACTORS = 2 + MOST, NZ = 12 + 3 * MOST, PAIRS = 24 };

typedef struct subject {
    size_t n; /* links */
    double mass[FACTORS], length[FACTORS], G[3], thrust, moment[3], stiffness, pull;
    size_t parent[FACTORS];
    ph_linkage_body body;
    double MM[NZ * NZ], g[NZ];
} subject;

/* A force on the body, and of trees on the last link; and a spring of that link. */
static ph_status force(void *user, double t, const double *z, const double *zdot, double *f)
{
    const subject *k = user;
    const size_t last = 12 + 3 * (k->n - 1);
    (void)zdot;
    for (size_t a = 0; a < 3; a++) {
        f[a] += k->thrust * z[3 + 3 * a + 2];
        f[last + a] += k->pull * cos(t + (double)a);
    }
    ph_add_moment3(z + 3, k->moment, f + 3);
    return PH_OK;
}

static ph_status spring(void *user, const double *z, double *U)
{
    const subject *k = user;
    *U = 0.5 * k->stiffness * z[12 + 3 * (k->n - 1)] * z[12 + 3 * (k->n - 1)] + k->stiffness * z[3] * z[1];
    return PH_OK;
}

static ph_status spring_gradient(void *user, const double *z, double *dU)
{
    const subject *k = user;
    memset(dU, 0, (12 + 3 * k->n) * sizeof *dU);
    dU[12 + 3 * (k->n - 1)] = k->stiffness * z[12 + 3 * (k->n - 1)];
    dU[3] = k->stiffness * z[1];
    dU[1] = k->stiffness * z[3];
    return PH_OK;
}

static ph_status all(void *user, const double *z, double *U)
{
    const subject *k = user;
    tk_ok(spring(user, z, U));
    *U += ph_dot(k->g, z, 12 + 3 * k->n);
    return PH_OK;
}

static ph_status all_gradient(void *user, const double *z, double *dU)
{
    const subject *k = user;
    tk_ok(spring_gradient(user, z, dU));
    for (size_t i = 0; i < 12 + 3 * k->n; i++)
        dU[i] += k->g[i];
    return PH_OK;
}

/* The velocity of each mass along one axis is a row A of numbers times xdot, a row of Rdot and the qdot's: MM += m A A^T; likewise U. */
static void add_mass(subject *k, double m, const double *row)
{
    const size_t nz = 12 + 3 * k->n, numbers = 4 + k->n;
    for (size_t a = 0; a < 3; a++) {
        size_t at[4 + MOST] = {a, 3 + 3 * a, 4 + 3 * a, 5 + 3 * a};
        for (size_t i = 0; i < k->n; i++)
            at[4 + i] = 12 + 3 * i + a;
        for (size_t i = 0; i < numbers; i++) {
            k->g[at[i]] -= m * k->G[a] * row[i];
            for (size_t j = 0; j < numbers; j++)
                k->MM[at[i] * nz + at[j]] += m * row[i] * row[j];
        }
    }
}

/* row: so many links, one after the other; 0: a tree. */
static void make(subject *k, tk_random *r, size_t row)
{
    double principal[3] = {tk_uniform(r, 0.5, 0.9), tk_uniform(r, 0.5, 0.9), 0}, axes[9], Jd[9] = {0},
           rows[FACTORS][4 + MOST] = {{0}};
    memset(k, 0, sizeof *k);
    k->n = row ? row : 2 + (size_t)tk_uniform(r, 0, MOST - 1.01);
    principal[2] = principal[0] + principal[1] - tk_uniform(r, 0, 0.2);
    double across[3][3];
    tk_unit(r, across[0]);
    tk_tangent(r, across[0], across[1]);
    const double norm = ph_norm3(across[1]);
    for (size_t b = 0; b < 3; b++)
        across[1][b] /= norm;
    ph_cross3(across[0], across[1], across[2]);
    for (size_t a = 0; a < 9; a++)
        axes[a] = across[a % 3][a / 3];
    for (size_t i = 0; i < 9; i++)
        for (size_t a = 0; a < 3; a++)
            k->body.inertia[i] += 0.02 * principal[a] * axes[3 * (i / 3) + a] * axes[3 * (i % 3) + a];
    for (size_t i = 0; i < 9; i++) /* as it will be made exactly symmetric */
        Jd[i] = (i % 4 ? 0 : 0.5 * (k->body.inertia[0] + k->body.inertia[4] + k->body.inertia[8])) -
                0.5 * (k->body.inertia[i] + k->body.inertia[i % 3 * 3 + i / 3]);
    for (size_t a = 0; a < 3; a++) {
        k->body.hitch[a] = 0.1 * tk_normal(r);
        k->G[a] = 3 * tk_normal(r);
        k->moment[a] = 0.02 * tk_normal(r);
    }
    k->thrust = 3 * tk_normal(r);
    k->pull = row ? 0 : 0.3 * k->thrust;
    k->mass[0] = tk_uniform(r, 0.5, 1);
    rows[0][0] = rows[1][0] = 1;
    memcpy(rows[1] + 1, k->body.hitch, sizeof k->body.hitch);
    add_mass(k, k->mass[0], rows[0]);
    for (size_t i = 2; i < k->n + 2; i++) {
        k->mass[i] = tk_uniform(r, 0.05, 0.3);
        k->length[i] = tk_uniform(r, 0.1, 0.4);
        k->parent[i] = row ? i - 1 : 1 + (size_t)tk_uniform(r, 0, (double)i - 1.01);
        memcpy(rows[i], rows[k->parent[i]], sizeof rows[i]);
        rows[i][2 + i] = k->length[i];
        add_mass(k, k->mass[i], rows[i]);
    }
    for (size_t i = 0; i < 27; i++)
        k->MM[(3 + i / 3) * (12 + 3 * k->n) + 3 + 3 * (i / 9) + i % 3] += Jd[i % 9];
}

/* *carried and *dense: the same. */
static void create(subject *k, bool driven, bool bent, bool row, ph_system **carried, ph_system **dense)
{
    const ph_linkage linkage = {.parent = row ? NULL : k->parent,
                                .length = k->length,
                                .mass = k->mass,
                                .gravity = {k->G[0], k->G[1], k->G[2]},
                                .body = &k->body};
    ph_factor factors[FACTORS] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}};
    for (size_t i = 2; i < k->n + 2; i++)
        factors[i].kind = PH_FACTOR_S2;
    k->stiffness = bent ? 2 : 0;
    ph_system_definition d = {.linkage = &linkage,
                              .potential = bent ? spring : NULL,
                              .gradient = bent ? spring_gradient : NULL,
                              .force = driven ? force : NULL,
                              .force_ignores_velocity = true,
                              .user = k};
    *carried = tk_system(d, factors, k->n + 2);
    d.linkage = NULL;
    d.ambient_inertia = k->MM;
    d.potential = all;
    d.gradient = all_gradient;
    *dense = tk_system(d, factors, k->n + 2);
}

/* Each third one a row of links, each second one driven, two in four with a spring. */
static void make_pair(subject *k, tk_random *r, int pair, ph_system **carried, ph_system **dense)
{
    const size_t row = pair % 3 == 0 ? 5 : 0;
    make(k, r, row);
    create(k, pair % 2, pair / 2 % 2, row > 0, carried, dense);
}

TEST(energies_momenta_and_velocities_are_those_of_the_matrix)
{
    tk_random r = {41};
    double worst = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        subject k;
        double z[NZ], v[NZ], p[2][NZ], w[2][NZ], U[2], g[2][NZ], x[3 * FACTORS];
        TK_OWN(ph_system) *carried = NULL;
        TK_OWN(ph_system) *dense = NULL;
        make_pair(&k, &r, pair, &carried, &dense);
        const size_t nz = 12 + 3 * k.n, np = 6 + 3 * k.n;
        const ph_system *of[] = {carried, dense};
        tk_random_motion(carried, &r, z, v);
        ck_assert_double_le(tk_max_difference(ph_system_ambient_inertia(carried), k.MM, nz * nz), 1e-15);
        for (int side = 0; side < 2; side++) {
            double work[4096];
            ck_assert_uint_le(ph_system_work(of[side]) + nz, 4096);
            tk_momentum(of[side], z, v, p[side]);
            tk_ok(ph_system_velocity(of[side], 0, z, p[0], w[side], work));
            tk_ok(ph_system_potential(of[side], z, &U[side]));
            tk_ok(ph_system_gradient(of[side], z, g[side]));
        }
        worst = tk_max(worst, tk_max_difference(p[0], p[1], np));
        worst = tk_max(worst, tk_max_difference(w[0], w[1], nz));
        worst = tk_max(worst, tk_max_difference(w[0], v, nz));
        worst = tk_max(worst, tk_max_difference(g[0], g[1], nz));
        worst = tk_max(worst, fabs(U[0] - U[1]));
        tk_ok(ph_system_places(carried, 0, z, x));
        for (size_t i = 2; i < k.n + 2; i++) /* links have their lengths */
            for (size_t a = 0; a < 3; a++)
                worst = tk_max(worst,
                               fabs(x[3 * i + a] - x[3 * k.parent[i] + a] - k.length[i] * z[6 + 3 * i + a]));
    }
    printf("carried links against a matrix: %.1e\n", worst);
    ck_assert_double_le(worst, 2e-13);
}

/* Rows of any length have equations in angular velocities by the kernel of chains, under forces on the body alone. */
TEST(rows_have_the_equations_of_the_matrix)
{
    tk_random r = {42};
    const ph_field *field = ph_field_find("q-omega", NULL);
    double worst = 0;
    for (size_t links = 2; links <= MOST; links++)
        for (int way = 0; way < 3; way++) {
            subject k;
            double z[NZ], v[NZ], y[2 * NZ], ydot[2][2 * NZ], work[8192];
            TK_OWN(ph_system) *carried = NULL;
            TK_OWN(ph_system) *dense = NULL;
            make(&k, &r, links);
            k.pull = way == 2 ? 0.5 : 0;
            create(&k, way > 0, false, true, &carried, &dense);
            const ph_system *of[] = {carried, dense};
            tk_random_motion(carried, &r, z, v);
            memcpy(y, z, sizeof z);
            ph_space_spin(ph_system_space(carried), z, v, y + 12 + 3 * links);
            for (int side = 0; side < 2; side++) {
                ck_assert_uint_le(field->work(of[side]), 8192);
                tk_ok(field->evaluate(of[side], 0, y, ydot[side], work));
            }
            worst = tk_max(worst, tk_max_difference(ydot[0], ydot[1], field->size(carried)));
        }
    printf("equations of carried rows: %.1e\n", worst);
    ck_assert_double_le(worst, 1e-11);
}

/* Near the manifold links are projected in vectors, elsewhere factor by factor; what has no projection stays as it is. */
TEST(rows_are_projected_as_their_factors_are)
{
    tk_random r = {47};
    const ph_field *field = ph_field_find("q-omega", NULL);
    double worst = 0;
    for (size_t links = 1; links <= MOST; links++)
        for (int way = 0; way < 3; way++) {
            const double off[] = {1e-9, 1e-4, 0.1};
            subject k;
            double z[NZ], v[NZ], y[2][2 * NZ], before[2 * NZ];
            TK_OWN(ph_system) *carried = NULL;
            TK_OWN(ph_system) *dense = NULL;
            make(&k, &r, links);
            create(&k, false, false, true, &carried, &dense);
            const ph_space *space = ph_system_space(carried);
            const size_t nz = 12 + 3 * links, size = field->size(carried);
            tk_random_motion(carried, &r, z, v);
            memcpy(before, z, nz * sizeof *z);
            ph_space_spin(space, z, v, before + nz);
            for (size_t i = 0; i < size; i++)
                before[i] += off[way] * tk_uniform(&r, -1, 1);
            memcpy(y[0], before, size * sizeof *z);
            memcpy(y[1], before, size * sizeof *z);
            tk_ok(field->project(carried, y[0]));
            tk_ok(ph_space_project(space, y[1]));
            ph_space_project_momentum(space, y[1], y[1] + nz);
            worst = tk_max(worst, tk_max_difference(y[0], y[1], size));
            y[0][nz - 1] = NAN;
            memcpy(before, y[0], size * sizeof *z);
            tk_returns(field->project(carried, y[0]), PH_E_NOT_ON_MANIFOLD);
            ck_assert_mem_eq(before, y[0], size * sizeof *z);
        }
    printf("projection of carried rows: %.1e\n", worst);
    ck_assert_double_le(worst, 2e-15);
}

/* Methods, with the largest difference after 100 steps of 2 ms; that of rk4, whose stages are off the manifold, is an error of it. */
static const struct {
    const char *method, *option, *value;
    double off;
} methods[] = {{"variational", NULL, NULL, 1e-12},   {"variational", "order", "4", 1e-12},
               {"variational", "order", "8", 1e-12}, {"multistep", "order", "4", 1e-12},
               {"multistep", "order", "8", 1e-12},   {"rk8", "form", "q-pi", 1e-12},
               {"rk4", "form", "q-pi", 1e-6},        {"gauss", NULL, NULL, 1e-12},
               {"rk8", "form", "q-omega", 1e-12},    {"rk4", "form", "q-omega", 1e-6}};

TEST_EACH(steps_are_those_of_the_matrix, sizeof methods / sizeof methods[0])
{
    tk_random r = {43};
    double worst = 0, moved = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        subject k;
        double z[NZ], v[NZ];
        TK_OWN(ph_system) *carried = NULL;
        TK_OWN(ph_system) *dense = NULL;
        make_pair(&k, &r, pair, &carried, &dense);
        const size_t nz = 12 + 3 * k.n, np = 6 + 3 * k.n;
        const ph_method *method = ph_method_find(methods[_i].method, NULL);
        tk_random_motion(carried, &r, z, v);
        TK_BEGIN(it, state, tk_start_with, carried, method, methods[_i].option, methods[_i].value, 0.002, 0,
                 z, v);
        TK_BEGIN(other, same, tk_start_with, dense, method, methods[_i].option, methods[_i].value, 0.002, 0,
                 z, v);
        tk_steps(it, state, 100);
        tk_steps(other, same, 100);
        worst = tk_max(worst, tk_max_difference(state->z, same->z, nz));
        worst = tk_max(worst, tk_max_difference(state->p, same->p, np));
        moved = tk_max(moved, tk_max_difference(state->z, z, nz));
    }
    printf("%s%s%s: carried links off the product's kernel by %.1e, on a way of %.1f\n", methods[_i].method,
           methods[_i].value ? " " : "", methods[_i].value ? methods[_i].value : "", worst, moved);
    ck_assert_double_ge(moved, 0.1);
    ck_assert_double_le(worst, methods[_i].off);
}

/* Rows of any length, in the vectors of chains, against the kernel for potentials, here of none: under gravity alone, with forces on the
 * body, with one that acts on the last link after a while; by steps of order 2 and composed ones, and long ones. */
static ph_status no_potential(void *user, const double *z, double *U)
{
    (void)user, (void)z;
    *U = 0;
    return PH_OK;
}

static ph_status no_gradient(void *user, const double *z, double *dU)
{
    const subject *k = user;
    (void)z;
    memset(dU, 0, (12 + 3 * k->n) * sizeof *dU);
    return PH_OK;
}

static ph_status late_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    subject k = *(const subject *)user;
    k.pull = t > 0.11 ? k.pull : 0;
    return force(&k, t, z, zdot, f);
}

/* Random, of n links (ROW at most); way: without force, on the body, on the last link, too. */
enum { ROW = 30 };
static void make_row(subject *k, tk_random *r, size_t n, int way, ph_system **vectors, ph_system **numbers)
{
    ph_factor factors[2 + ROW] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}};
    double mass[2 + ROW], length[2 + ROW] = {0, 0};
    make(k, r, 2);
    mass[0] = k->mass[0], mass[1] = 0;
    for (size_t i = 2; i < n + 2; i++) {
        factors[i].kind = PH_FACTOR_S2;
        mass[i] = tk_uniform(r, 0.05, 0.3);
        length[i] = tk_uniform(r, 0.1, 0.4);
    }
    k->n = n;
    k->pull = way == 2 ? 0.3 : 0;
    const ph_linkage linkage = {
        .length = length, .mass = mass, .gravity = {k->G[0], k->G[1], k->G[2]}, .body = &k->body};
    ph_system_definition d = {
        .linkage = &linkage, .force = way ? late_force : NULL, .force_ignores_velocity = true, .user = k};
    *vectors = tk_system(d, factors, n + 2);
    d.potential = no_potential;
    d.gradient = no_gradient;
    *numbers = tk_system(d, factors, n + 2);
}

static const struct {
    const char *method, *order;
    int way;
} in_vectors[] = {{"variational", "2", 0}, {"variational", "2", 1}, {"variational", "2", 2},
                  {"variational", "4", 0}, {"variational", "4", 1}, {"variational", "4", 2},
                  {"multistep", "4", 0},   {"multistep", "8", 0}};

TEST_EACH(rows_in_vectors_are_those_one_by_one, sizeof in_vectors / sizeof in_vectors[0])
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 8, 9, 12, 13, 16, 17, ROW};
    static const struct {
        double h;
        int steps;
    } lengths[] = {{0.001, 300}, {0.01, 30}};
    const char *order = in_vectors[_i].order;
    const ph_method *method = ph_method_find(in_vectors[_i].method, NULL);
    tk_random r = {45};
    double worst = 0, moved = 0, back = 0;
    for (size_t row = 0; row < sizeof counts / sizeof counts[0]; row++)
        for (size_t way = 0; way < 2; way++) {
            const size_t n = counts[row], nz = 12 + 3 * n;
            double z[12 + 3 * ROW], v[12 + 3 * ROW];
            subject k;
            TK_OWN(ph_system) *vectors = NULL;
            TK_OWN(ph_system) *numbers = NULL;
            make_row(&k, &r, n, in_vectors[_i].way, &vectors, &numbers);
            tk_random_motion(vectors, &r, z, v);
            TK_BEGIN(it, state, tk_start_with, vectors, method, "order", order, lengths[way].h, 0, z, v);
            TK_BEGIN(other, same, tk_start_with, numbers, method, "order", order, lengths[way].h, 0, z, v);
            /* forwards, all the way back, and by half of the step */
            static const double parts[] = {1, -1, 0.5};
            for (size_t part = 0; part < 3; part++) {
                tk_ok(ph_integrator_set_step_size(it, parts[part] * lengths[way].h));
                tk_ok(ph_integrator_set_step_size(other, parts[part] * lengths[way].h));
                for (int step = 0; step < lengths[way].steps; step++) {
                    tk_steps(it, state, 1);
                    tk_steps(other, same, 1);
                    worst = tk_max(worst, tk_max_difference(state->z, same->z, nz));
                    worst = tk_max(worst, tk_max_difference(state->p, same->p, nz - 6));
                }
                if (part == 0)
                    moved = tk_max(moved, tk_max_difference(state->z, z, nz));
                if (part == 1 &&
                    in_vectors[_i].way < 2) /* a pull that begins within a step has no way back */
                    back = tk_max(back, tk_max_difference(state->z, z, nz));
            }
        }
    printf(
        "%s %s, way %d: rows in vectors off those one by one by %.1e, on a way of %.1f; %.1e off the start when they are back\n",
        in_vectors[_i].method, order, in_vectors[_i].way, worst, moved, back);
    ck_assert_double_ge(moved, 0.1);
    /* rounding of some hundred steps: two to three times what is printed */
    ck_assert_double_le(worst, 1e-12);
    ck_assert_double_le(back, 1e-13);
}

/* A state that was looked at between its steps is the same to the last bit of what it carries. */
TEST_EACH(looks_change_nothing, sizeof in_vectors / sizeof in_vectors[0])
{
    enum { LINKS = 5, STEPS = 200 };
    tk_random r = {46};
    double z[12 + 3 * LINKS], v[12 + 3 * LINKS];
    subject k;
    TK_OWN(ph_system) *vectors = NULL;
    TK_OWN(ph_system) *numbers = NULL;
    make_row(&k, &r, LINKS, in_vectors[_i].way, &vectors, &numbers);
    tk_random_motion(vectors, &r, z, v);
    const ph_method *method = ph_method_find(in_vectors[_i].method, NULL);
    TK_BEGIN(it, state, tk_start_with, vectors, method, "order", in_vectors[_i].order, 0.001, 0, z, v);
    TK_BEGIN(other, looked_at, tk_start_with, vectors, method, "order", in_vectors[_i].order, 0.001, 0, z, v);
    tk_steps(it, state, STEPS);
    for (int step = 0; step < STEPS; step++)
        tk_steps(other, looked_at, 1);
    ck_assert_mem_eq(state->z, looked_at->z, state->nz * sizeof *z);
    ck_assert_uint_gt(state->ncarry, 0);
    ck_assert_mem_eq(state->carry, looked_at->carry, state->ncarry * sizeof *z);
}

/* Rows by Gauss' method: at all stages at once, and stage by stage from the Lagrangian; without and with forces on the body and the last link,
 * without and with a spring; back; with the same bits by all kernels. */
TEST_EACH(rows_by_gauss_at_all_stages_at_once, 4)
{
    tk_random r = {46 + (uint64_t)_i};
    const ph_method *gauss = ph_method_find("gauss", NULL);
    double worst = 0, moved = 0, back = 0;
    for (size_t links = 1; links <= MOST; links++) {
        subject k;
        double z[NZ], v[NZ], end[2][NZ], p[2][NZ];
        TK_OWN(ph_system) *carried = NULL;
        TK_OWN(ph_system) *dense = NULL;
        make(&k, &r, links);
        k.pull = 0.3;
        create(&k, _i % 2, _i / 2, true, &carried, &dense);
        const size_t nz = 12 + 3 * links, np = 6 + 3 * links;
        tk_random_motion(carried, &r, z, v);
        for (int side = 0; side < 2; side++) {
            TK_BEGIN(it, state, tk_start_with, carried, gauss, "lift", side ? "scaled" : "plain", 0.002, 0, z,
                     v);
            tk_steps(it, state, 100);
            memcpy(end[side], state->z, nz * sizeof *z);
            memcpy(p[side], state->p, np * sizeof *z);
            tk_ok(ph_integrator_set_step_size(it, -0.001));
            tk_steps(it, state, 200);
            back = tk_max(back, tk_max_difference(state->z, z, nz));
        }
        worst = tk_max(worst, tk_max_difference(end[0], end[1], nz));
        worst = tk_max(worst, tk_max_difference(p[0], p[1], np));
        moved = tk_max(moved, tk_max_difference(end[0], z, nz));
        ph_integrator *it;
        ph_state *state;
        tk_same_bits(carried, gauss, "order", links % 2 ? "8" : "16", 0.002, 0, z, v, 20, &it, &state);
        tk_end(it, state);
    }
    printf(
        "gauss, rows on a body: lifts differ by %.1e, on a way of %.1f; %.1e off the start when they are back\n",
        worst, moved, back);
    ck_assert_double_ge(moved, 0.1);
    ck_assert_double_le(worst, 1e-13);
    ck_assert_double_le(back, 1e-13);
}

/* Long steps, where guesses fail, are found by the branch: the same root. */
TEST(long_steps_are_those_of_the_matrix)
{
    tk_random r = {44};
    double worst = 0;
    int64_t branches = 0;
    for (int pair = 0; pair < PAIRS; pair++) {
        subject k;
        double z[NZ], v[NZ];
        TK_OWN(ph_system) *carried = NULL;
        TK_OWN(ph_system) *dense = NULL;
        make_pair(&k, &r, pair, &carried, &dense);
        tk_random_motion(carried, &r, z, v);
        TK_START(it, state, carried, "variational", NULL, 0.12, z, v);
        TK_START(other, same, dense, "variational", NULL, 0.12, z, v);
        for (int step = 0; step < 3; step++) { /* until motions part */
            const ph_status a = ph_integrator_step(it, state, 1), b = ph_integrator_step(other, same, 1);
            ck_assert_msg(!a == !b, "%d: %s, %s", pair, ph_integrator_message(it),
                          ph_integrator_message(other));
            if (a)
                break;
            worst = tk_max(worst, tk_max_difference(state->z, same->z, 12 + 3 * k.n));
        }
        branches += ph_integrator_statistics(it)->branches;
    }
    printf("long steps: %.1e apart, %lld branches\n", worst, (long long)branches);
    ck_assert_double_le(worst, 1e-8);
}

/* Short steps, whose stages are guessed to rounding: how fast sweeps converge is told by the first one. */
TEST(guesses_that_are_good_to_rounding_end_the_sweeps_of_gauss)
{
    enum { LINKS = 100 };
    const double links = LINKS;
    const ph_parameter_value value = {"links", &links, 1};
    double z[12 + 3 * LINKS], v[12 + 3 * LINKS];
    TK_OWN(ph_system) *system = tk_build_at("quadrotor-cable", &value, 1, "tumbling", z, v);
    TK_START(it, state, system, "gauss", NULL, 1e-4, z, v);
    tk_steps(it, state, 200);
    const double sweeps = (double)ph_integrator_statistics(it)->newton_passes / 200;
    printf("gauss, 100 links on a body: %.1f sweeps a step\n", sweeps);
    ck_assert_double_le(sweeps, 8); /* 24 without */
}

/* Thousands of links, whose matrix nobody has, fall freely with the body: momenta and energy. */
TEST(many_links)
{
    enum { LINKS = 3000 };
    const double links = LINKS;
    static const double attachment[] = {0.02, 0, -0.05};
    const ph_parameter_value values[] = {{"links", &links, 1}, {"attachment", attachment, 3}};
    double *z = malloc((12 + 3 * LINKS) * sizeof *z), *v = malloc((12 + 3 * LINKS) * sizeof *v);
    TK_OWN(ph_system) *system = tk_build_at("quadrotor-cable", values, 2, "tumbling", z, v);
    ck_assert_ptr_null(ph_system_ambient_inertia(system));
    static const char *const long_ones[] = {"rk8", "variational", "multistep"};
    for (size_t i = 0; i < 3; i++) {
        ph_measures m;
        TK_START(it, state, system, long_ones[i], NULL, 1e-4, z, v);
        TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(system, &diagnostics, NULL));
        tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
        const double E = m.energy, J = m.momenta[0], K = m.momenta[2];
        tk_steps(it, state, 20);
        tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
        printf("%s, %d links: energy %.1e, momenta %.1e, %.1e\n", long_ones[i], LINKS, m.energy / E - 1,
               m.momenta[0] - J, m.momenta[2] - K);
        ck_assert_double_le(fabs(m.energy / E - 1), 1e-8);
        ck_assert_double_le(fabs(m.momenta[0] - J), 1e-10 * m.momentum_size);
        ck_assert_double_le(fabs(m.momenta[2] - K), 1e-10 * m.momentum_size);
    }
    free(z);
    free(v);
}

TEST(what_is_no_body_with_links_is_refused)
{
    static const ph_factor
        good[] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S2}},
        plane[] = {{.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S2}},
        circle[] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_S1}};
    static const double one[] = {1, 1, 1}, none[] = {1, 0, 0};
    static const size_t fixed[] = {0, 0, PH_NO_INDEX};
    static const ph_linkage_body ball = {.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                 rod = {.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 0}},
                                 no = {.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 3}},
                                 far = {.inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .hitch = {0, INFINITY, 0}};
    static const struct {
        const ph_factor *factors;
        ph_linkage linkage;
        ph_status status;
        const char *message;
    } rows[] = {
        {plane,
         {.length = one, .mass = one, .body = &ball},
         PH_E_INVALID,
         "a linkage on a body needs the factors R^3, SO(3)"},
        {circle, {.length = one, .mass = one, .body = &ball}, PH_E_INVALID, "factor 3 is no link"},
        {good, {.length = one, .body = &ball}, PH_E_INVALID, "a linkage needs the lengths"},
        {good, {.length = one, .mass = none, .body = &ball}, PH_E_RANGE, "mass[2] of the linkage is 0"},
        {good, {.length = none, .mass = one, .body = &ball}, PH_E_RANGE, "length[2] of the linkage is 0"},
        {good,
         {.parent = fixed, .length = one, .mass = one, .body = &ball},
         PH_E_INVALID,
         "parent[2] of the linkage"},
        {good,
         {.length = one, .mass = one, .body = &rod},
         PH_E_SINGULAR,
         "the body of the linkage has a turn that moves no mass"},
        {good, {.length = one, .mass = one, .body = &no}, PH_E_RANGE, "linkage: the inertia of its body"},
        {good, {.length = one, .mass = one, .body = &far}, PH_E_NOT_FINITE, "hitch[1]"},
        {good, {.length = one, .mass = one, .gravity = {NAN}, .body = &ball}, PH_E_NOT_FINITE, "gravity[0]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_system *system = NULL;
        TK_MAKE(ph_space, space, ph_space_create(rows[i].factors, 3, &space, NULL));
        const ph_system_definition d = {.space = space, .linkage = &rows[i].linkage};
        tk_returns(ph_system_create(&d, &system, tk_err), rows[i].status);
        ck_assert_msg(!strncmp(tk_err->message, rows[i].message, strlen(rows[i].message)), "\"%s\"",
                      tk_err->message);
        ck_assert_ptr_null(system);
    }
}

int main(void)
{
    return tk_run("carried links");
}
