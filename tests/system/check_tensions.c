/* SPDX-License-Identifier: BSD-3-Clause */
/* Linkages, chains and trees, with and without a cart, in space and in a plane: their inertia, its inverse
 * and the matrix of tensions against dense matrices made here from x_i = x_parent + l_i q_i, the velocity of
 * a momentum and the free acceleration against a dense solution; energies against those of the masses; long
 * chains; and what is refused. */
#include "tests/kit/testkit.h"

#include "lib/run/measure.h"

enum { MOST = 12, MOST_NZ = 3 * MOST, TREES = 300 };

typedef struct linkage {
    size_t n, first, cart, d, nz, parent[MOST];
    double length[MOST], mass[MOST], gravity[3];
    double C[MOST_NZ * MOST_NZ];  /* velocities of the masses, a row for each axis of each, from zdot */
    double MM[MOST_NZ * MOST_NZ]; /* C^T m C */
    ph_system *system;
} linkage;

static size_t at(const linkage *k, size_t i)
{
    return i < k->first ? 0 : k->cart + k->d * (i - k->first);
}

static double log_uniform(tk_random *seed)
{
    return tk_log_uniform(seed, 0.1, 10);
}

/* Any tree, or a chain; `nothing special` about masses, lengths and gravity. */
static void make(linkage *k, tk_random *seed, size_t n, bool chain)
{
    ph_factor factors[MOST] = {{0}};
    size_t d = tk_uniform(seed, 0, 1) < 0.5 ? 3 : 2,
           cart = tk_uniform(seed, 0, 1) < 0.5 ? 0 : 1 + (size_t)(tk_uniform(seed, 0, 1) * (double)d);
    *k = (linkage){.n = n, .d = d, .cart = n > 1 ? cart : 0};
    k->first = k->cart > 0;
    k->nz = k->cart + d * (n - k->first);
    for (size_t i = 0; i < n; i++) {
        factors[i] = (ph_factor){.kind = i < k->first ? PH_FACTOR_R
                                         : d == 3     ? PH_FACTOR_S2
                                                      : PH_FACTOR_S1,
                                 .d = i < k->first ? k->cart : 0};
        k->length[i] = i < k->first ? 7 : log_uniform(seed);
        k->mass[i] = log_uniform(seed);
        size_t any = (size_t)(tk_uniform(seed, 0, 1) * (double)(i + 1));
        k->parent[i] = chain ? (i ? i - 1 : PH_NO_INDEX) : any == i ? PH_NO_INDEX : any;
        if (i < k->first)
            k->parent[i] = PH_NO_INDEX;
        for (size_t a = 0; a < d; a++) {
            size_t row = i * 3 + a;
            double *C = k->C + row * MOST_NZ;
            if (k->parent[i] != PH_NO_INDEX)
                memcpy(C, k->C + (k->parent[i] * 3 + a) * MOST_NZ, MOST_NZ * sizeof *C);
            if (i >= k->first || a < k->cart)
                C[at(k, i) + a] += i < k->first ? 1 : k->length[i];
        }
    }
    for (size_t a = 0; a < d; a++)
        k->gravity[a] = 20 * tk_uniform(seed, 0, 1) - 10;
    for (size_t r = 0; r < 3 * n; r++)
        for (size_t i = 0; i < k->nz; i++)
            for (size_t j = 0; j < k->nz; j++)
                k->MM[i * k->nz + j] += k->mass[r / 3] * k->C[r * MOST_NZ + i] * k->C[r * MOST_NZ + j];
    ph_linkage description = {.parent = chain ? NULL : k->parent, .length = k->length, .mass = k->mass};
    memcpy(description.gravity, k->gravity, sizeof k->gravity);
    ph_system_definition definition = {.linkage = &description};
    TK_MAKE(ph_space, space, ph_space_create(factors, n, &space, NULL));
    definition.space = space;
    ck_assert_int_eq(ph_system_create(&definition, &k->system, NULL), PH_OK);
}

static void end(linkage *k)
{
    ph_system_free(k->system);
}

/* Unit vectors, and any place of the cart. */
static void place(const linkage *k, tk_random *seed, double *z)
{
    for (size_t i = 0; i < k->nz; i++)
        z[i] = 2 * tk_uniform(seed, 0, 1) - 1;
    ck_assert_int_eq(ph_space_project(ph_system_space(k->system), z), PH_OK);
}

static double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

TEST(sparse_algebra_is_that_of_dense_matrices)
{
    tk_random seed = {2026};
    double worst[6] = {0};
    size_t branched = 0;
    for (size_t trial = 0; trial < TREES; trial++) {
        TK_ENDS(end) linkage k;
        size_t n = 1 + trial % MOST, nz, np, shared = 0;
        make(&k, &seed, n, trial % 3 == 0);
        nz = k.nz, np = ph_space_momenta(ph_system_space(k.system));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < i; j++)
                shared += k.parent[i] == k.parent[j] && k.parent[i] != PH_NO_INDEX;
        branched += shared > 0;
        double z[MOST_NZ], z1[MOST_NZ], v[MOST_NZ], mu[MOST_NZ], out[MOST_NZ], tau[MOST],
            F[MOST * MOST + MOST];
        double LU[MOST_NZ * MOST_NZ], T[MOST * MOST], expected[MOST], p[MOST_NZ], p1[MOST_NZ], work[4096];
        int pivot[MOST_NZ], sign;
        place(&k, &seed, z);
        for (size_t i = 0; i < nz; i++) {
            v[i] = 2 * tk_uniform(&seed, 0, 1) - 1;
            z1[i] = z[i] + 0.3 * (2 * tk_uniform(&seed, 0, 1) - 1);
        }
        ck_assert(ph_system_is_sparse(k.system) && ph_system_is_dense(k.system));
        ck_assert_uint_le(ph_tension_size(k.system), sizeof F / sizeof *F);
        ck_assert_uint_le(ph_system_work(k.system), sizeof work / sizeof *work);

        /* MM v, and back */
        ph_system_apply_inertia(k.system, v, mu);
        for (size_t i = 0; i < nz; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < nz; j++) {
                sum += k.MM[i * nz + j] * v[j];
                size += fabs(k.MM[i * nz + j] * v[j]);
            }
            worst[0] = fmax(worst[0], fabs(mu[i] - sum) / size);
        }
        ph_system_apply_inverse_inertia(k.system, mu, out);
        for (size_t i = 0; i < nz; i++)
            out[i] -= v[i];
        worst[1] = fmax(worst[1], largest(out, nz));

        /* T, column by column from MM^{-1}, with directions that are not q */
        memcpy(LU, k.MM, nz * nz * sizeof *LU);
        ck_assert_int_eq(ph_lu_factor(nz, LU, pivot, NULL), PH_OK);
        memset(T, 0, sizeof T);
        for (size_t j = 0; j < n; j++) {
            memset(out, 0, sizeof out);
            if (j >= k.first)
                memcpy(out + at(&k, j), z + at(&k, j), k.d * sizeof *out);
            ph_lu_solve(nz, LU, pivot, out);
            for (size_t i = k.first; i < n; i++)
                for (size_t a = 0; a < k.d; a++)
                    T[i * n + j] += z1[at(&k, i) + a] * out[at(&k, i) + a];
        }
        if (k.first)
            T[0] = 1;
        for (size_t i = 0; i < n; i++)
            expected[i] = i < k.first ? 0 : 2 * tk_uniform(&seed, 0, 1) - 1;
        for (size_t i = 0; i < n; i++) {
            tau[i] = i < k.first ? 3 : 0;
            for (size_t j = k.first; j < n && i >= k.first; j++)
                tau[i] += T[i * n + j] * expected[j];
        }
        int dense_sign, dense_pivot[MOST];
        ck_assert_int_eq(ph_tension_factor(k.system, z1, z, F, &sign), PH_OK);
        ck_assert_int_eq(ph_lu_factor(n, T, dense_pivot, &dense_sign), PH_OK);
        if (sign > 0)
            ck_assert_int_eq(dense_sign, 1);
        ph_tension_solve(k.system, F, tau);
        for (size_t i = 0; i < n; i++)
            worst[2] = fmax(worst[2], fabs(tau[i] - expected[i]));
        ck_assert_int_eq(ph_tension_factor(k.system, z, z, F, &sign), PH_OK);
        ck_assert_int_eq(sign, 1);

        /* the velocity of a momentum is tangent and has that momentum */
        ph_space_project_tangent(ph_system_space(k.system), z, v);
        ck_assert_int_eq(ph_system_momentum(k.system, 0, z, v, p, work), PH_OK);
        ck_assert_int_eq(ph_system_velocity(k.system, 0, z, p, out, work), PH_OK);
        ck_assert_int_eq(ph_system_momentum(k.system, 0, z, out, p1, work), PH_OK);
        for (size_t i = 0; i < np; i++)
            p1[i] -= p[i];
        for (size_t i = 0; i < nz; i++)
            out[i] -= v[i];
        worst[3] = fmax(worst[3], largest(out, nz));
        worst[4] = fmax(worst[4], largest(p1, np) / largest(p, np));

        /* MM a = - dU/dz of U = - sum m G.x */
        ck_assert_int_eq(ph_system_free_acceleration(k.system, z, NULL, out), PH_OK);
        ck_assert_int_eq(ph_system_gradient(k.system, z, mu), PH_OK);
        double U = 0, along = 0;
        for (size_t i = 0; i < nz; i++) {
            double sum = mu[i], weight = 0;
            for (size_t j = 0; j < nz; j++)
                sum += k.MM[i * nz + j] * out[j];
            for (size_t r = 0; r < 3 * n; r++)
                weight -= k.mass[r / 3] * k.C[r * MOST_NZ + i] * k.gravity[r % 3];
            worst[5] = fmax(worst[5], fmax(fabs(sum), fabs(mu[i] - weight)) / largest(mu, nz));
            along += weight * z[i];
        }
        ck_assert_int_eq(ph_system_potential(k.system, z, &U), PH_OK);
        ck_assert_double_eq_tol(U, along, 1e-12 * (1 + fabs(along)) * (double)n);
    }
    for (size_t i = 0; i < 6; i++)
        printf("linkages, error %zu: %.1e\n", i, worst[i]);
    ck_assert_uint_gt(branched, TREES / 4);
    ck_assert_double_lt(worst[0], 1e-14);
    ck_assert_double_lt(worst[1], 1e-11); /* condition of MM */
    ck_assert_double_lt(worst[2], 2e-11);
    ck_assert_double_lt(worst[3], 2e-11);
    ck_assert_double_lt(worst[4], 1e-12);
    ck_assert_double_lt(worst[5], 1e-14);
}

/* Links that hang under one another at rest: all pulls are known, and nothing is lost at any length. */
TEST(long_chains_keep_their_digits)
{
    enum { LINKS = 100000 };
    static double z[3 * LINKS], v[3 * LINKS], mu[3 * LINKS], back[3 * LINKS], ones[LINKS];
    for (size_t i = 0; i < LINKS; i++) {
        ones[i] = 1;
        z[3 * i + 2] = -1;
        v[3 * i] = 1 / (double)(i + 1);
    }
    ph_linkage ropes = {.length = ones, .mass = ones, .gravity = {0, 0, -10}};
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, LINKS, &space, NULL));
    ph_system_definition definition = {.space = space, .linkage = &ropes};
    TK_MAKE(ph_system, system, ph_system_create(&definition, &system, NULL));
    ck_assert(!ph_system_is_dense(system) && !ph_system_inertia(system));
    double *work = malloc(ph_system_work(system) * sizeof *work), J = 0;
    ck_assert_ptr_nonnull(work);
    ck_assert_uint_le(ph_system_work(system) / LINKS, 30);
    ph_system_apply_inertia(system, v, mu);
    for (size_t i = LINKS; i-- > 0;) /* momentum of the last mass: harmonic number */
        J += v[3 * i];
    ck_assert_double_eq_tol(mu[3 * (LINKS - 1)], J, 1e-12 * J);
    ph_system_apply_inverse_inertia(system, mu, back);
    ck_assert_double_lt(tk_max_difference(v, back, 3 * LINKS), 1e-9);
    /* the tension of link i carries the weight below it */
    TK_MEMORY double *tau = malloc(LINKS * sizeof *tau), *F = malloc(ph_tension_size(system) * sizeof *F);
    int sign = 0;
    ck_assert(tau && F);
    ck_assert_int_eq(ph_system_free_acceleration(system, z, NULL, v), PH_OK);
    for (size_t i = 0; i < LINKS; i++) {
        ck_assert(v[3 * i + 2] == (i ? 0 : -10));
        tau[i] = v[3 * i + 2];
    }
    ck_assert_int_eq(ph_tension_factor(system, z, z, F, &sign), PH_OK);
    ph_tension_solve(system, F, tau);
    for (size_t i = 0; i < LINKS; i++)
        ck_assert_double_eq_tol(tau[i], -10.0 * (LINKS - (double)i), 1e-7 * LINKS);
    ck_assert_int_eq(ph_system_euler_lagrange(system, 0, z, v, NULL, NULL, work), PH_E_UNSUPPORTED);
    free(work);
}

static double kinetic_of_masses(const linkage *k, const double *v)
{
    double T = 0;
    for (size_t r = 0; r < 3 * k->n; r++) {
        double xdot = 0;
        for (size_t i = 0; i < k->nz; i++)
            xdot += k->C[r * MOST_NZ + i] * v[i];
        T += 0.5 * k->mass[r / 3] * xdot * xdot;
    }
    return T;
}

/* Energy, from the momenta alone, is that of the masses. So much of it may be rounding: of momenta, each of
 * which changes it by its velocity. */
TEST(energies_are_those_of_the_masses)
{
    tk_random seed = {2027};
    double worst = 0, potential = 0;
    size_t chains = 0;
    for (size_t trial = 0; trial < 4 * TREES; trial++) {
        TK_ENDS(end) linkage k;
        double z[MOST_NZ], v[MOST_NZ], mu[MOST_NZ], p[MOST_NZ], work[4096], size = 0, U = 0;
        ph_measures m;
        make(&k, &seed, 1 + trial % MOST, trial % 2);
        TK_OWN(ph_diagnostics) *d = NULL;
        chains += trial % 2 && k.d == 3;
        const ph_space *space = ph_system_space(k.system);
        place(&k, &seed, z);
        for (size_t i = 0; i < k.nz; i++)
            v[i] = 2 * tk_uniform(&seed, 0, 1) - 1;
        ph_space_project_tangent(space, z, v);
        tk_ok(ph_system_momentum(k.system, 0, z, v, p, work));
        ph_space_covector(space, z, p, mu);
        for (size_t i = 0; i < k.nz; i++)
            size += fabs(mu[i] * v[i]);
        const ph_state state = {.z = z, .p = p, .nz = k.nz, .np = ph_space_momenta(space)};
        tk_ok(ph_diagnostics_create(k.system, &d, NULL));
        tk_ok(ph_diagnostics_measure(d, &state, &m));
        worst = fmax(worst, fabs(m.kinetic - kinetic_of_masses(&k, v)) / size);
        for (size_t r = 0; r < 3 * k.n; r++)
            for (size_t i = 0; i < k.nz; i++)
                U -= k.mass[r / 3] * k.gravity[r % 3] * k.C[r * MOST_NZ + i] * z[i];
        potential = fmax(potential, fabs(m.potential - U) / (1 + fabs(U)));
        ck_assert(m.energy == m.kinetic + m.potential);
    }
    printf("linkages, kinetic energy %.1e, potential %.1e; %zu chains in space\n", worst, potential, chains);
    ck_assert_uint_gt(chains, TREES / 2);
    ck_assert_double_lt(worst, 4e-15);
    ck_assert_double_lt(potential, 1e-12);
}

/* The same of a long chain along a curve in space, whose masses all move at their own speeds. */
TEST(energy_of_a_long_chain)
{
    enum { LINKS = 1001 };
    static double z[3 * LINKS], v[3 * LINKS], p[3 * LINKS], mu[3 * LINKS], ones[LINKS];
    tk_random seed = {31};
    ph_measures m;
    long double T = 0, xdot[3] = {0}, size = 0;
    for (size_t i = 0; i < LINKS; i++) {
        const double turn = 3 * (double)i / LINKS;
        ones[i] = 1;
        z[3 * i] = sin(turn);
        z[3 * i + 1] = 0.5 * cos(turn);
        z[3 * i + 2] = -1;
        for (size_t a = 0; a < 3; a++)
            v[3 * i + a] = tk_normal(&seed);
    }
    ph_linkage rope = {.length = ones, .mass = ones, .gravity = {0, 0, -10}};
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, LINKS, &space, NULL));
    tk_ok(ph_space_project(space, z));
    ph_space_project_tangent(space, z, v);
    ph_system_definition definition = {.space = space, .linkage = &rope};
    TK_MAKE(ph_system, system, ph_system_create(&definition, &system, NULL));
    ph_system_apply_inertia(system, v, mu);
    ph_space_momentum(space, z, mu, p);
    ph_space_covector(space, z, p, mu);
    for (size_t i = 0; i < 3 * LINKS; i++) {
        xdot[i % 3] += v[i];
        T += 0.5L * xdot[i % 3] * xdot[i % 3];
        size += fabs(mu[i] * v[i]);
    }
    const ph_state state = {.z = z, .p = p, .nz = 3 * LINKS, .np = 3 * LINKS};
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    tk_ok(ph_diagnostics_measure(d, &state, &m));
    printf("chain of %d, kinetic energy: %.1e\n", (int)LINKS, (double)(fabsl(m.kinetic - T) / size));
    ck_assert_double_lt((double)(fabsl(m.kinetic - T) / size), 1e-15);
    z[3 * 700] = NAN;
    for (unsigned parts = PH_MEASURE_ENERGY; parts <= PH_MEASURE_ALL; parts++)
        ck_assert_int_eq(ph_diagnostics_measure_parts(d, &state, parts, &m), PH_E_NOT_FINITE);
}

/* Spheres measured together give what the space says of them one by one, also of those that are off. */
TEST(spheres_are_measured_as_by_the_space)
{
    tk_random seed = {33};
    for (size_t trial = 0; trial < TREES; trial++) {
        TK_ENDS(end) linkage k;
        double z[MOST_NZ], p[MOST_NZ], size = 0;
        ph_measures m;
        make(&k, &seed, 1 + trial % MOST, trial % 3);
        const ph_space *space = ph_system_space(k.system);
        const ph_state state = {.z = z, .p = p, .nz = k.nz, .np = ph_space_momenta(space)};
        place(&k, &seed, z);
        for (size_t i = 0; i < k.nz; i++)
            z[i] += trial % 2 ? tk_log_uniform(&seed, 1e-12, 1e-2) * tk_normal(&seed) : 0;
        for (size_t i = 0; i < state.np; i++)
            p[i] = tk_normal(&seed);
        for (size_t i = 0; i < k.n; i++) {
            const ph_factor_place *f = ph_space_factor(space, i);
            double square = 0;
            for (size_t a = f->p; a < f->p + f->np; a++)
                square += p[a] * p[a];
            size += sqrt(square);
        }
        TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(k.system, &d, NULL));
        tk_ok(ph_diagnostics_measure(d, &state, &m));
        ck_assert(m.constraint_error == ph_space_residual(space, z));
        ck_assert(m.tangency == ph_space_momentum_tangency(space, z, p));
        ck_assert_double_eq_tol(m.momentum_size, size, 1e-15 * size * (double)k.n);
    }
}

TEST(bad_linkages_are_refused)
{
    static const size_t self[] = {PH_NO_INDEX, 1, 0}, right[] = {PH_NO_INDEX, 0, 0};
    static const double good[] = {1, 2, 3}, zero[] = {1, 0, 3}, none[] = {1, NAN, 3}, tiny[] = {1, 1e-200, 3};
    static const ph_factor
        spheres[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}},
        mixed[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_S2}},
        bodies[] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_SO3}},
        late[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S2}},
        wide[] = {{.kind = PH_FACTOR_R, .d = 4}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}};
    const struct {
        const ph_factor *factors;
        ph_linkage linkage;
        ph_status status;
        const char *message;
    } rows[] = {
        {spheres,
         {.parent = self, .length = good, .mass = good},
         PH_E_INVALID,
         "parent[1] of the linkage is 1"},
        {spheres, {.parent = right, .mass = good}, PH_E_INVALID, "a linkage needs the lengths"},
        {spheres,
         {.parent = right, .length = zero, .mass = good},
         PH_E_RANGE,
         "length[1] of the linkage is 0"},
        {spheres, {.parent = right, .length = good, .mass = zero}, PH_E_RANGE, "mass[1] of the linkage is 0"},
        {spheres, {.length = good, .mass = none}, PH_E_NOT_FINITE, "mass[1] of the linkage is nan"},
        {spheres, {.length = tiny, .mass = good}, PH_E_SINGULAR, "the inertia m l^2 of link 1"},
        {spheres, {.length = good, .mass = good, .gravity = {0, INFINITY, 0}}, PH_E_NOT_FINITE, "gravity[1]"},
        {mixed, {.length = good, .mass = good}, PH_E_INVALID, "factor 2 is no link"},
        {bodies, {.length = good, .mass = good}, PH_E_INVALID, "factor 2 is no link"},
        {late, {.length = good, .mass = good}, PH_E_INVALID, "factor 2 is no link"},
        {wide, {.length = good, .mass = good}, PH_E_INVALID, "the cart of a linkage moves along 4 axes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_system *system = NULL;
        TK_MAKE(ph_space, space, ph_space_create(rows[i].factors, 3, &space, NULL));
        ph_system_definition definition = {.space = space, .linkage = &rows[i].linkage};
        tk_returns(ph_system_create(&definition, &system, tk_err), rows[i].status);
        ck_assert_msg(!strncmp(tk_err->message, rows[i].message, strlen(rows[i].message)), "\"%s\"",
                      tk_err->message);
        ck_assert_ptr_null(system);
    }
}

int main(void)
{
    return tk_run("linkages and tensions");
}
