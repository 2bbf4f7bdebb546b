/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity constraints A zdot = b: the nearest velocity against the same problem with the manifold's own
 * equations as further multipliers (LAPACK), rows that depend on each other, states on and off the constraint,
 * what is measured, and who refuses such systems. */
#include <polhode/constraints.h>

#include "tests/kit/lagrangians.h"

/* A method that stays where it is: it takes every system, and states can be made for it. */
static ph_method_size still_size(const ph_system *system, const double *options)
{
    (void)system, (void)options;
    return (ph_method_size){.work = 0};
}

static ph_status still_step(ph_context *context, ph_state *state)
{
    (void)context, (void)state;
    return PH_OK;
}

static const ph_method still = {.name = "still",
                                .summary = "stays",
                                .reference = "none",
                                .size = still_size,
                                .step = still_step,
                                .takes_constraints = true};

/* ---- The nearest velocity, by multipliers ---------------------------------------------------------- */

/* On R^2 x S^2 x SO(3) with a full inertia; rows that depend on t and z, and act along the normals, too. */
enum { NZ = 14, NORMALS = 7, MOST = 3, ALL = NZ + NORMALS + MOST };

typedef struct general {
    size_t m;
    double MM[NZ * NZ], c[MOST * NZ], w[MOST * NZ], b[MOST];
    bool fails, spoils;
} general;

static ph_status general_rows(void *user, double t, const double *z, double *A, double *b)
{
    const general *g = user;
    for (size_t i = 0; i < g->m; i++) {
        double phase = t;
        for (size_t k = 0; k < NZ; k++)
            phase += g->w[i * NZ + k] * z[k];
        for (size_t k = 0; k < NZ; k++)
            A[i * NZ + k] = g->c[i * NZ + k] * cos(phase + (double)k);
        b[i] = g->b[i] * sin(phase);
    }
    if (g->spoils)
        A[3] = NAN;
    return g->fails ? PH_E_CALLBACK : PH_OK;
}

/* Its derivative: d/ds of cos(phase + k) and sin(phase). */
static ph_status general_along(void *user, double t, const double *z, const double *zdot, double dt,
                               const double *dz, double *rate)
{
    const general *g = user;
    for (size_t i = 0; i < g->m; i++) {
        double phase = t, turn = dt;
        for (size_t k = 0; k < NZ; k++) {
            phase += g->w[i * NZ + k] * z[k];
            turn += g->w[i * NZ + k] * dz[k];
        }
        for (size_t k = 0; k < NZ; k++)
            rate[i] -= g->c[i * NZ + k] * sin(phase + (double)k) * zdot[k] * turn;
        rate[i] -= g->b[i] * cos(phase) * turn;
    }
    return PH_OK;
}

static ph_status no_force(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)t, (void)z, (void)zdot, (void)f;
    return PH_OK;
}

static ph_system *general_system(general *g, size_t m, tk_random *r)
{
    double B[NZ * NZ];
    const ph_factor factors[] = {
        {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_SO3}};
    *g = (general){.m = m};
    for (size_t i = 0; i < NZ * NZ; i++)
        B[i] = tk_normal(r);
    for (size_t i = 0; i < NZ * NZ; i++) {
        g->MM[i] = i % (NZ + 1) ? 0 : 3;
        for (size_t k = 0; k < NZ; k++)
            g->MM[i] += 0.1 * B[i / NZ * NZ + k] * B[i % NZ * NZ + k];
    }
    for (size_t i = 0; i < MOST * NZ; i++) {
        g->c[i] = tk_normal(r);
        g->w[i] = tk_normal(r);
    }
    for (size_t i = 0; i < MOST; i++)
        g->b[i] = tk_normal(r);
    const ph_system_definition d = {
        .ambient_inertia = g->MM, .constraint = general_rows, .n_constraints = m, .user = g};
    return tk_system(d, factors, 3);
}

/* N (NORMALS x NZ) <- the gradients of |q|^2/2 and of the entries of R^T R / 2. */
static void normals(const double *z, double *N)
{
    const double *R = z + 5;
    size_t row = 1;
    memset(N, 0, NORMALS * NZ * sizeof *N);
    memcpy(N + 2, z + 2, 3 * sizeof *N);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = a; b < 3; b++, row++)
            for (size_t k = 0; k < 3; k++) {
                N[row * NZ + 5 + 3 * k + a] += R[3 * k + b];
                N[row * NZ + 5 + 3 * k + b] += R[3 * k + a];
            }
}

/* v <- the nearest velocity on A v = b and N v = 0: MM (v - v0) = A^T mu + N^T nu. */
static void nearest(const general *g, double t, const double *z, double *v)
{
    double K[ALL * ALL] = {0}, x[ALL] = {0}, C[(NORMALS + MOST) * NZ], b[MOST];
    const size_t rows = NORMALS + g->m, n = NZ + rows;
    normals(z, C);
    tk_ok(general_rows((void *)(uintptr_t)g, t, z, C + NORMALS * NZ, b));
    for (size_t i = 0; i < NZ; i++)
        for (size_t j = 0; j < NZ; j++) {
            K[i * n + j] = g->MM[i * NZ + j];
            x[i] += g->MM[i * NZ + j] * v[j];
        }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < NZ; j++)
            K[(NZ + i) * n + j] = K[j * n + NZ + i] = C[i * NZ + j];
    memcpy(x + NZ + NORMALS, b, g->m * sizeof *b);
    ck_assert_int_eq(tk_solve(n, K, x), 0);
    memcpy(v, x, NZ * sizeof *v);
}

/* A general Lagrangian with these rows: both have a user block. */
typedef struct both {
    lg_system *lagrangian;
    general *rows;
} both;

static ph_status rows_of_both(void *user, double t, const double *z, double *A, double *b)
{
    return general_rows(((both *)user)->rows, t, z, A, b);
}

static ph_status lagrangian_of_both(void *user, double t, const double *z, const double *v, double *L)
{
    return lg_lagrangian(((both *)user)->lagrangian, t, z, v, L);
}

static ph_status gradient_of_both(void *user, double t, const double *z, const double *v, double *Lz,
                                  double *Lv)
{
    return lg_gradient(((both *)user)->lagrangian, t, z, v, Lz, Lv);
}

static ph_status hessian_of_both(void *user, double t, const double *z, const double *v, double *Lzz,
                                 double *Lvz, double *Lvv)
{
    return lg_hessian(((both *)user)->lagrangian, t, z, v, Lzz, Lvz, Lvv);
}

TEST_EACH(nearest_velocities, 30)
{
    tk_random r = {(uint64_t)_i + 5};
    general g;
    double z[NZ], v[NZ], seen[NZ], again[NZ], error, t = tk_uniform(&r, -2, 2);
    TK_OWN(ph_system) *base = general_system(&g, 1 + (size_t)_i % MOST, &r), *system = NULL;
    const ph_system_definition forced = {.force = no_force};
    tk_ok(ph_system_create_forced(base, &forced, &system, NULL));
    ck_assert_uint_eq(ph_system_constraints(system), g.m);
    TK_MEMORY double *work = malloc(ph_system_constraint_work(system) * sizeof *work);
    tk_random_motion(system, &r, z, v);
    memcpy(seen, v, sizeof v);
    tk_ok(ph_system_constraint_error(system, t, z, v, &error, work));
    ck_assert_double_gt(error, 1e-3);
    tk_ok(ph_system_constraint_project(system, t, z, seen, work, NULL));
    nearest(&g, t, z, v);
    ck_assert_double_lt(tk_max_difference(v, seen, NZ), 1e-12); /* conditions of some hundreds */
    tk_ok(ph_system_constraint_error(system, t, z, seen, &error, work));
    ck_assert_double_le(error, 1e-15);
    memcpy(again, seen, sizeof seen);
    tk_ok(ph_system_constraint_project(system, t, z, again, work, NULL));
    ck_assert_mem_eq(again, seen, sizeof seen); /* on the constraint it stays as it is */
}

/* By differences, and by a callback, which is called in their place. */
TEST(derivatives)
{
    tk_random r = {23};
    general g;
    double z[NZ], v[NZ], dz[NZ], seen[MOST], expected[MOST], t = 0.7;
    TK_OWN(ph_system) *by_differences = general_system(&g, MOST, &r), *by_callback = NULL;
    const ph_system_definition d = {.space = ph_system_space(by_differences),
                                    .ambient_inertia = g.MM,
                                    .constraint = general_rows,
                                    .constraint_along = general_along,
                                    .n_constraints = MOST,
                                    .user = &g};
    tk_ok(ph_system_create(&d, &by_callback, NULL));
    TK_MEMORY double *work = malloc(ph_system_constraint_work(by_differences) * sizeof *work);
    for (int i = 0; i < 20; i++) {
        const double dt = i % 3 ? 1 : 0, size = i % 2 ? 1e-3 : 1e2;
        tk_random_motion(by_differences, &r, z, v);
        tk_random_motion(by_differences, &r, dz, dz); /* any direction */
        for (size_t k = 0; k < NZ; k++) {
            v[k] *= size;
            g.b[k % MOST] *= k < MOST ? size : 1;
        }
        memset(expected, 0, sizeof expected);
        tk_ok(general_along(&g, t, z, v, dt, dz, expected));
        tk_ok(ph_system_constraint_along(by_differences, t, z, v, dt, dz, seen, work));
        ck_assert_double_lt(tk_max_difference(seen, expected, MOST) / size, 2e-10);
        tk_ok(ph_system_constraint_along(by_callback, t, z, v, dt, dz, seen, work));
        ck_assert_mem_eq(seen, expected, sizeof seen);
        for (size_t k = 0; k < MOST; k++)
            g.b[k] /= size;
    }
    memset(dz, 0, sizeof dz);
    tk_ok(ph_system_constraint_along(by_differences, t, z, v, 0, dz, seen, work)); /* nowhere */
    ck_assert_double_eq(ph_max_norm(seen, MOST), 0);
}

/* A chain as a linkage, of which no matrix is inverted, and by its matrix. */
static ph_status last_link(void *user, double t, const double *z, double *A, double *b)
{
    (void)user;
    A[9] = z[10];
    A[10] = -z[9];
    A[2] = 1;
    b[0] = 0.3 * t;
    return PH_OK;
}

TEST(linkages)
{
    tk_random r = {17};
    const double length[] = {1, 0.7, 1.2, 0.5}, mass[] = {1, 2, 0.5, 1.5};
    double z[12], v[12], seen[12], error;
    const ph_factor sphere = {.kind = PH_FACTOR_S2};
    const ph_linkage links = {.length = length, .mass = mass, .gravity = {0, 0, -9.81}};
    TK_OWN(ph_system) *sparse = NULL, *dense = NULL, *plain = NULL;
    TK_MAKE(ph_space, space, ph_space_create_power(&sphere, 4, &space, NULL));
    const ph_system_definition d = {
        .space = space, .linkage = &links, .constraint = last_link, .n_constraints = 1};
    tk_ok(ph_system_create(&d, &sparse, NULL));
    const ph_system_definition same = {.space = space,
                                       .inertia = ph_system_inertia(sparse),
                                       .constraint = last_link,
                                       .n_constraints = 1},
                               free_of = {.space = space, .linkage = &links};
    tk_ok(ph_system_create(&same, &dense, NULL));
    tk_ok(ph_system_create(&free_of, &plain, NULL));
    TK_MEMORY double *work =
        malloc((ph_system_constraint_work(sparse) + ph_system_constraint_work(dense)) * sizeof *work);
    tk_random_motion(sparse, &r, z, v);
    memcpy(seen, v, sizeof v);
    tk_ok(ph_system_constraint_project(plain, 2, z, seen, work, NULL)); /* nothing is done */
    ck_assert_mem_eq(seen, v, sizeof v);
    tk_ok(ph_system_constraint_error(plain, 2, z, v, &error, work));
    ck_assert_double_eq(error, 0);
    tk_ok(ph_system_constraint_project(sparse, 2, z, seen, work, NULL));
    tk_ok(ph_system_constraint_project(dense, 2, z, v, work, NULL));
    ck_assert_double_lt(tk_max_difference(v, seen, 12), 1e-13);
    ck_assert_double_lt(fabs(z[10] * v[9] - z[9] * v[10] + v[2] - 0.6), 1e-14);
}

/* Of a general Lagrangian: the momentum changes by a combination of the rows, and the velocity is on the constraint. */
TEST_EACH(general_lagrangians, 10)
{
    tk_random r = {(uint64_t)_i + 61};
    lg_system of;
    general g = {.m = 2};
    double z[NZ], v[NZ], seen[NZ], p[2][NZ], A[2 * NZ], b[2], rows[2][NZ], error;
    const ph_factor factors[] = {
        {.kind = PH_FACTOR_R, .d = 2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_SO3}};
    TK_MAKE(ph_space, space, ph_space_create(factors, 3, &space, NULL));
    lg_fill(&of, NZ, &r);
    const ph_system_definition plain = {.space = space,
                                        .lagrangian = lg_lagrangian,
                                        .lagrangian_gradient = lg_gradient,
                                        .lagrangian_hessian = lg_hessian,
                                        .user = &of};
    both both_users = {&of, &g};
    for (size_t i = 0; i < MOST * NZ; i++) {
        g.c[i] = tk_normal(&r);
        g.w[i] = 0.5 * tk_normal(&r);
    }
    g.b[0] = 0.3, g.b[1] = -0.2;
    ph_system_definition d = plain;
    d.constraint = rows_of_both;
    d.lagrangian = lagrangian_of_both;
    d.lagrangian_gradient = gradient_of_both;
    d.lagrangian_hessian = hessian_of_both;
    d.n_constraints = 2;
    d.user = &both_users;
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    const size_t np = ph_space_momenta(space);
    TK_MEMORY double *work = malloc(ph_system_constraint_work(system) * sizeof *work);
    tk_random_motion(system, &r, z, v);
    memcpy(seen, v, sizeof v);
    tk_ok(ph_system_constraint_project(system, 0.4, z, seen, work, NULL));
    tk_ok(ph_system_constraint_error(system, 0.4, z, seen, &error, work));
    ck_assert_double_le(error, 2e-15);
    tk_ok(ph_system_momentum(system, 0, z, v, p[0], work));
    tk_ok(ph_system_momentum(system, 0, z, seen, p[1], work));
    tk_ok(ph_system_constraint_rows(system, 0.4, z, A, b));
    for (int i = 0; i < 2; i++)
        ph_space_momentum(space, z, A + i * NZ, rows[i]);
    /* p1 - p0 = mu_1 rows_1 + mu_2 rows_2, by least squares */
    double G[4], mu[2], left = 0;
    for (size_t k = 0; k < np; k++)
        p[1][k] -= p[0][k];
    for (int i = 0; i < 2; i++) {
        mu[i] = ph_dot(rows[i], p[1], np);
        for (int j = 0; j < 2; j++)
            G[2 * i + j] = ph_dot(rows[i], rows[j], np);
    }
    ck_assert_int_eq(tk_solve(2, G, mu), 0);
    ck_assert_double_gt(fabs(mu[0]) + fabs(mu[1]), 1e-3);
    for (size_t k = 0; k < np; k++)
        left = fmax(left, fabs(p[1][k] - mu[0] * rows[0][k] - mu[1] * rows[1][k]));
    ck_assert_double_lt(left, 1e-12);
}

/* ---- States: the vertical rolling disk ------------------------------------------------------------- */

/* (x, y, heading, rolling angle) in R^4, mass 2 kg, radius 1 m, J = 1 about the axle, I = 0.5 about the
 * diameter: xdot = thetadot cos phi, ydot = thetadot sin phi; over a floor that moves by 0.1 t along x. */
static ph_status disk_rows(void *user, double t, const double *z, double *A, double *b)
{
    A[0] = A[5] = 1;
    A[3] = -cos(z[2]);
    A[7] = -sin(z[2]);
    b[0] = user ? 0.1 * t : 0;
    return PH_OK;
}

static ph_system *disk(bool moving)
{
    static double floor_moves = 1;
    const double MM[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1};
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 4};
    const ph_system_definition d = {.ambient_inertia = MM,
                                    .constraint = disk_rows,
                                    .n_constraints = 2,
                                    .user = moving ? &floor_moves : NULL};
    return tk_system(d, &factor, 1);
}

TEST(states_of_a_disk)
{
    TK_OWN(ph_system) *system = disk(false);
    ph_measures m;
    const double z[4] = {1, 2, 0.6, -3}, rolling[4] = {3 * cos(0.6), 3 * sin(0.6), 0.2, 3},
                 spin[4] = {0, 0, 0.2, 3}, momentum[4] = {0, 0, 0.1, 3};
    TK_MAKE(ph_integrator, it, ph_integrator_create(system, &still, 0.1, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    TK_MAKE(ph_diagnostics, diagnostics, ph_diagnostics_create(system, &diagnostics, NULL));
    tk_ok(ph_state_set_velocity(it, state, 0, z, rolling, PH_STRICT, tk_err));
    tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
    ck_assert_double_le(m.velocity_constraint_error, 2e-16);
    const double p[4] = {state->p[0], state->p[1], state->p[2], state->p[3]};
    /* its spin alone: refused, and two thirds of it lost by the projection, as 2 R^2 m = 2 J (m R^2 + J) / 3 */
    tk_refused_both(ph_state_set_velocity(it, state, 1, z, spin, PH_STRICT, tk_err), PH_E_NOT_TANGENT,
                    "velocity constraint", "PH_PROJECT");
    tk_returns(ph_state_set(it, state, 1, z, momentum, PH_STRICT, tk_err), PH_E_NOT_TANGENT);
    ck_assert_mem_eq(state->p, p, sizeof p);
    ck_assert_double_eq(state->t, 0);
    for (int by_momentum = 0; by_momentum < 2; by_momentum++) {
        tk_ok(by_momentum ? ph_state_set(it, state, 1, z, momentum, PH_PROJECT, tk_err)
                          : ph_state_set_velocity(it, state, 1, z, spin, PH_PROJECT, tk_err));
        const double expected[4] = {2 * cos(0.6), 2 * sin(0.6), 0.1, 1};
        ck_assert_double_lt(tk_max_difference(state->p, expected, 4), 1e-15);
        ck_assert_double_eq(state->t, 1);
    }
    /* what is admitted keeps its bits, also by a projection; 1e-11 beside it is refused */
    tk_ok(ph_state_set(it, state, 0, z, p, PH_PROJECT, tk_err));
    ck_assert_mem_eq(state->p, p, sizeof p);
    const double beside[4] = {p[0], p[1] + 1e-10, p[2], p[3]};
    tk_returns(ph_state_set(it, state, 0, z, beside, PH_STRICT, tk_err), PH_E_NOT_TANGENT);
    /* what is measured: the velocity (0, 0, 0.2, 3) misses by 3 cos phi of sqrt(1 + cos^2 phi) |v| */
    memcpy(state->p, momentum, sizeof momentum);
    tk_ok(ph_diagnostics_measure(diagnostics, state, &m));
    const double miss = 3 * cos(0.6) / (sqrt(1 + cos(0.6) * cos(0.6)) * sqrt(9.04));
    ck_assert_double_lt(fabs(m.velocity_constraint_error - miss), 1e-15);
    ck_assert_double_eq(m.constraint_error, 0);
    /* a monitor keeps the largest, also the first one's, and that of a velocity which is on the constraint again */
    for (int first = 0; first < 2; first++) {
        ph_summary summary;
        TK_MAKE(ph_monitor, monitor, ph_monitor_create(diagnostics, 0, 1, &monitor, NULL));
        ph_monitor_summary(monitor, &summary);
        ck_assert_double_nan(summary.velocity_constraint_error_max);
        for (int i = 0; i < 3; i++) {
            memcpy(state->p, i == 1 - first ? momentum : p, sizeof p);
            tk_ok(ph_monitor_see(monitor, state, &m));
            ph_monitor_summary(monitor, &summary);
            ck_assert_double_lt(fabs(summary.velocity_constraint_error_max - (i < 1 - first ? 0 : miss)),
                                1e-15);
        }
    }
}

/* The floor moves: b is that of the state's time. */
TEST(affine_and_of_time)
{
    TK_OWN(ph_system) *system = disk(true);
    const double z[4] = {0}, v[4] = {3 + 0.1 * 4, 0, 0, 3};
    TK_MAKE(ph_integrator, it, ph_integrator_create(system, &still, 0.1, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    tk_ok(ph_state_set_velocity(it, state, 4, z, v, PH_STRICT, NULL));
    ck_assert_int_eq(ph_state_set_velocity(it, state, 3, z, v, PH_STRICT, NULL), PH_E_NOT_TANGENT);
    /* at rest on a floor that moves: m (xdot)^2 + J (thetadot)^2 least on xdot - thetadot = 0.4 */
    const double rest[4] = {0}, expected[4] = {2 * 0.4 / 3, 0, 0, -0.8 / 3};
    tk_ok(ph_state_set_velocity(it, state, 4, z, rest, PH_PROJECT, NULL));
    ck_assert_double_lt(tk_max_difference(state->p, expected, 4), 1e-15);
}

/* ---- Rank ------------------------------------------------------------------------------------------ */

/* Rows on R^3 x S^2, each a mistake. */
static const struct {
    const char *what, *first, *second;
    size_t m;
    double A[3][6], b[3];
} dependent[] = {
    {"twice",
     "constraint 2 is a combination",
     "follows",
     2,
     {{1, 2, 0, 0, 0, 0}, {3, 6, 0, 0, 0, 0}},
     {2, 6}},
    {"contradiction", "constraint 2 is", "do not allow", 2, {{1, 2, 0, 0, 0, 0}, {3, 6, 0, 0, 0, 0}}, {2, 5}},
    {"a sum, mostly of the second",
     "constraint 3 is",
     "most of it of constraint 2",
     3,
     {{1, 2, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 1}, {1, 2, 7, 0, 0, 7}},
     {0}},
    {"nothing", "constraint 2 restricts no", "is 0 or normal", 2, {{1}, {0}}, {0}},
    {"normal", "constraint 1 restricts no", "is 0 or normal", 1, {{0, 0, 0, 0, 0.6e-3, 0.8e-3}}, {0}},
    {"apart by a normal", "constraint 2 is", "follows", 2, {{1, 0, 0, 1}, {2, 0, 0, 2, 3, 4}}, {1, 2}},
    {"apart by rounding", "constraint 2 is", "follows", 2, {{1, 2, 3}, {1, 2, 3 + 1e-15}}, {0}},
    {"in other units", "constraint 2 is", "follows", 2, {{1, 2, 3}, {1e-150, 2e-150, 3e-150}}, {0}},
};
enum { DEPENDENT = sizeof dependent / sizeof dependent[0] };

static ph_status dependent_rows(void *user, double t, const double *z, double *A, double *b)
{
    const size_t which = *(size_t *)user;
    (void)t, (void)z;
    memcpy(A, dependent[which].A, dependent[which].m * 6 * sizeof *A);
    memcpy(b, dependent[which].b, dependent[which].m * sizeof *b);
    return PH_OK;
}

TEST_EACH(dependent_on_each_other, DEPENDENT)
{
    size_t which = (size_t)_i;
    double MM[36] = {0}, work[500];
    const double z[6] = {0, 0, 0, 0, 0.6, 0.8}, v[6] = {0};
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 3}, {.kind = PH_FACTOR_S2}};
    for (size_t i = 0; i < 6; i++)
        MM[7 * i] = 1 + (double)i;
    const ph_system_definition d = {.ambient_inertia = MM,
                                    .constraint = dependent_rows,
                                    .n_constraints = dependent[_i].m,
                                    .user = &which};
    TK_OWN(ph_system) *system = tk_system(d, factors, 2);
    ck_assert_uint_le(ph_system_constraint_work(system), 500);
    double there[6] = {0};
    tk_refused_both(ph_system_constraint_project(system, 0, z, there, work, tk_err), PH_E_SINGULAR,
                    dependent[_i].first, dependent[_i].second);
    ck_assert_mem_eq(there, v, sizeof v);
    TK_MAKE(ph_integrator, it, ph_integrator_create(system, &still, 0.1, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    for (int admission = PH_STRICT; admission <= PH_PROJECT; admission++)
        tk_returns(ph_state_set_velocity(it, state, 0, z, v, (ph_admission)admission, tk_err), PH_E_SINGULAR);
}

/* ---- Who refuses ----------------------------------------------------------------------------------- */

TEST(methods_without_constraints)
{
    TK_OWN(ph_system) *system = disk(false);
    ph_integrator *it = NULL;
    for (size_t i = 0; i < ph_methods(); i++) {
        const ph_method *method = ph_method_at(i);
        if (method->takes_constraints)
            continue;
        tk_refused_both(ph_integrator_create(system, method, 0.1, NULL, 0, &it, tk_err), PH_E_UNSUPPORTED,
                        "velocity constraints", method->name);
        ck_assert_ptr_null(it);
    }
    for (size_t i = 0; i < ph_fields(); i++) {
        const char *name = ph_field_at(i)->name;
        if (!strcmp(name, "q-qdot") || !strcmp(name, "q-omega")) {
            tk_ok(ph_field_supports(ph_field_at(i), system, tk_err));
            continue;
        }
        tk_refused_both(ph_field_supports(ph_field_at(i), system, tk_err), PH_E_UNSUPPORTED,
                        "velocity constraints", ph_field_at(i)->name);
    }
}

TEST(definitions)
{
    const double MM[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const ph_factor factor = {.kind = PH_FACTOR_R, .d = 4};
    ph_system *system = NULL, *base = disk(false);
    TK_MAKE(ph_space, space, ph_space_create(&factor, 1, &space, NULL));
    ph_system_definition d = {.space = space, .ambient_inertia = MM, .constraint = disk_rows};
    tk_refused_both(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "n_constraints is 0",
                    "constraint is given");
    d.n_constraints = 4;
    tk_refused_both(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "4 velocity constraints",
                    "dimension 4");
    d.constraint = NULL;
    tk_refused_both(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "n_constraints is 4",
                    "constraint is NULL");
    d.n_constraints = 0;
    d.constraint_along = general_along;
    tk_refused_both(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "constraint_along is given",
                    "constraint is NULL");
    const ph_system_definition forced = {.force = no_force, .constraint = disk_rows, .n_constraints = 2};
    tk_refused_both(ph_system_create_forced(base, &forced, &system, tk_err), PH_E_INVALID, "constraint",
                    "base");
    ck_assert_ptr_null(system);
    ph_system_free(base);
}

TEST(failing_callbacks)
{
    tk_random r = {3};
    general g;
    double z[NZ], v[NZ], before[NZ], A[2 * NZ], b[2], error;
    TK_OWN(ph_system) *system = general_system(&g, 2, &r);
    TK_MEMORY double *work = malloc(ph_system_constraint_work(system) * sizeof *work);
    tk_random_motion(system, &r, z, v);
    memcpy(before, v, sizeof v);
    TK_MAKE(ph_integrator, it, ph_integrator_create(system, &still, 0.1, NULL, 0, &it, NULL));
    TK_MAKE(ph_state, state, ph_state_create(it, &state, NULL));
    for (int spoils = 0; spoils < 2; spoils++) {
        const ph_status status = spoils ? PH_E_NOT_FINITE : PH_E_CALLBACK;
        g.fails = !spoils;
        g.spoils = spoils;
        ck_assert_int_eq(ph_system_constraint_rows(system, 0, z, A, b), status);
        ck_assert_int_eq(ph_system_constraint_error(system, 0, z, v, &error, work), status);
        ck_assert_int_eq(ph_system_constraint_along(system, 0, z, v, 1, v, b, work), status);
        tk_refused_both(ph_system_constraint_project(system, 0, z, v, work, tk_err), status,
                        "velocity constraint", "failed");
        ck_assert_mem_eq(v, before, sizeof v);
        tk_returns(ph_state_set_velocity(it, state, 0, z, v, PH_PROJECT, tk_err), status);
    }
    g.spoils = false;
    tk_ok(ph_system_constraint_rows(system, 0, z, A, b));
}

int main(void)
{
    return tk_run("constraints");
}
