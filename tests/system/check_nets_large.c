/* SPDX-License-Identifier: BSD-3-Clause */
/* Large sparse inverse inertias against closed forms (circulant and grid matrices) and against linkages; and bad
 * ones, which are refused. */
#include "lib/kinds/net/net.h"
#include "tests/kit/untried.h"
#include "tests/system/nets.h"

/* ---- Large ones --------------------------------------------------------------------------------- */

/* T tau by way of accelerations, not of T. */
static void apply_tensions(const large *l, const double *q1, const double *q, const double *tau, double *b)
{
    TK_MEMORY double *v = malloc(3 * l->n * sizeof *v);
    ph_tension_pull(l->system, q, tau, v);
    for (size_t i = 0; i < l->n; i++)
        b[i] = ph_dot3(q1 + 3 * i, v + 3 * i);
}

/* Solutions of T tau = b at random directions, here and elsewhere; *error <- the largest of tau, which is of
 * order one. Returns doubles of F for each factor. */
static double solve_large(const large *l, double *error)
{
    size_t n = l->n, nz = 3 * n;
    tk_random seed = {17};
    TK_MEMORY double *q = malloc(nz * sizeof *q), *q1 = malloc(nz * sizeof *q1),
                     *tau = malloc(n * sizeof *tau), *b = malloc(n * sizeof *b),
                     *F = malloc(ph_tension_size(l->system) * sizeof *F);
    int sign = 0;
    ck_assert(q && q1 && tau && b && F);
    for (size_t i = 0; i < n; i++)
        tk_unit(&seed, q + 3 * i);
    random_numbers(&seed, tau, n);
    *error = 0;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        for (size_t k = 0; k < nz; k++)
            q1[k] = q[k] + (elsewhere ? tk_uniform(&seed, -0.05, 0.05) : 0);
        apply_tensions(l, q1, q, tau, b);
        tk_ok(ph_tension_factor(l->system, q1, q, F, &sign));
        ck_assert_int_eq(sign, 1);
        ph_tension_solve(l->system, F, b);
        *error = tk_max(*error, tk_max_difference(b, tau, n));
    }
    return (double)ph_tension_size(l->system) / (double)n;
}

/* A ring W_ii = 2 + c, W_i,i+1 = -1: waves cos(k i + a) are its eigenvectors. */
TEST(rings_are_linear)
{
    enum { N = 10000 };
    static double v[3 * N], mu[3 * N], back[3 * N];
    const double c = 0.01;
    TK_ENDS(large_end) large l;
    double error;
    large_begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        large_add(&l, i, (i + 1) % N, -1);
        large_add(&l, i, i, 2 + c);
    }
    large_create(&l);
    ck_assert(!ph_system_is_dense(l.system) && !ph_system_inertia(l.system));
    double worst = 0, waves[3] = {3, 100, 2501};
    for (size_t k = 0; k < 3 * N; k++)
        v[k] = cos(2 * M_PI / N * fmod(waves[k % 3] * (double)(k / 3), N) + 0.4);
    ph_system_apply_inertia(l.system, v, mu);
    for (size_t k = 0; k < 3 * N; k++)
        worst = tk_max(worst, fabs(mu[k] * (2 + c - 2 * cos(2 * M_PI / N * waves[k % 3])) - v[k]));
    ph_system_apply_inverse_inertia(l.system, mu, back);
    double there = tk_max_difference(back, v, 3 * N), doubles = solve_large(&l, &error);
    printf("ring of %d: MM v %.1e, and back %.1e, tensions %.1e; %.1f doubles a factor\n", N, worst, there,
           error, doubles);
    ck_assert_double_lt(worst, 2e-13); /* condition 400 */
    ck_assert_double_lt(there, 2e-13);
    ck_assert_double_lt(error, 1e-12);
    ck_assert_double_le(doubles, 14.6); /* 3 + 2 * 2, and the band: 7 and an int */
    TK_MEMORY double *F = malloc(ph_tension_size(l.system) * sizeof *F); /* with a band to turn to */
    ck_assert(F && ((const ph_net *)l.system->own)->band);
    for (size_t k = 0; k < 3; k++) {
        v[0] = k == 0 ? NAN : k == 1 ? INFINITY : 1e200;
        ck_assert_int_eq(ph_tension_factor(l.system, v, v, F, NULL), PH_E_SINGULAR);
    }
}

/* U = sum_i w_i . q_i, whose gradient has one wrong number. */
typedef struct weights {
    size_t n, wrong;
    double by;
} weights;

static double weight(size_t k)
{
    return cos(1.3 * (double)k);
}

static ph_status hang(void *user, const double *q, double *U)
{
    const weights *w = user;
    *U = 0;
    for (size_t k = 0; k < w->n; k++)
        *U += weight(k) * q[k];
    return PH_OK;
}

static ph_status pull(void *user, const double *q, double *dU)
{
    const weights *w = user;
    (void)q;
    for (size_t k = 0; k < w->n; k++)
        dU[k] = weight(k) + (k == w->wrong ? w->by : 0);
    return PH_OK;
}

/* In many dimensions a gradient is checked along some directions: one number of very many that is wrong by a part in ten thousand is
 * found, and named where there are not too many. */
TEST_EACH(one_wrong_number_of_many, 4)
{
    static const size_t sizes[] = {700, 700, 5000, 5000};
    const size_t n = sizes[_i];
    tk_random seed = {5};
    weights w = {3 * n, 1001, _i % 2 ? 1e-4 : 0};
    ph_derivative_report report;
    TK_MEMORY double *q = malloc(3 * n * sizeof *q), *still = calloc(3 * n, sizeof *still),
                     *one = malloc(n * sizeof *one);
    TK_MEMORY size_t *place = malloc(n * sizeof *place);
    TK_OWN(ph_space) *space = NULL;
    TK_OWN(ph_system) *system = NULL;
    ck_assert(q && still && one && place);
    for (size_t i = 0; i < n; i++) {
        tk_unit(&seed, q + 3 * i);
        one[i] = 1;
        place[i] = i;
    }
    const ph_sparse W = {n, n, place, place, one};
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, n, &space, NULL));
    const ph_system_definition d = {
        .space = space, .inverse_inertia = &W, .potential = hang, .gradient = pull, .user = &w};
    tk_ok(ph_system_create(&d, &system, tk_err));
    tk_ok(ph_system_check_derivatives(system, 0, q, still, &report, tk_err));
    const ph_derivative_entry *e = ph_derivative_report_entry(&report, PH_DERIVATIVE_POTENTIAL);
    ck_assert_ptr_nonnull(e);
    if (!w.by)
        ck_assert_double_lt(e->error, 1e-9);
    else if (n < 1000)
        ck_assert(e->error > 1e-5 && e->error < 1e-4 && e->row / 3 == w.wrong / 3);
    else
        ck_assert(e->error > 1e-5 && e->error < 1e-4);
}

/* Was the library built with AMD? */
static bool by_degree(void)
{
    static const size_t start[2] = {0, 0};
    const ph_graph one = {1, start, NULL};
    uint32_t order;
    return ph_order_minimum_degree(&one, &order) == PH_OK;
}

/* A square grid, W_ii = 4 + c and -1 between neighbours: products of sines that vanish beyond its edges. */
TEST(grids_take_little_more)
{
    enum { SIDE = 100, N = SIDE * SIDE };
    static double v[3 * N], mu[3 * N];
    const double c = 0.01, step = M_PI / (SIDE + 1);
    TK_ENDS(large_end) large l;
    double error, worst = 0, waves[3][2] = {{1, 2}, {30, 7}, {99, 50}}, *F;
    large_begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        large_add(&l, i, i, 4 + c);
        if (i % SIDE)
            large_add(&l, i, i - 1, -1);
        if (i >= SIDE)
            large_add(&l, i, i - SIDE, -1);
    }
    large_create(&l);
    for (size_t k = 0; k < 3 * N; k++)
        v[k] = sin(step * waves[k % 3][0] * (double)(k / 3 % SIDE + 1)) *
               sin(step * waves[k % 3][1] * (double)(k / 3 / SIDE + 1));
    ph_system_apply_inertia(l.system, v, mu);
    for (size_t k = 0; k < 3 * N; k++)
        worst = tk_max(
            worst,
            fabs(mu[k] * (4 + c - 2 * cos(step * waves[k % 3][0]) - 2 * cos(step * waves[k % 3][1])) - v[k]));
    double doubles = solve_large(&l, &error);
    printf("grid of %d: MM v %.1e, tensions %.1e; %.1f doubles a factor\n", N, worst, error, doubles);
    ck_assert_double_lt(worst, 2e-13); /* condition 650 */
    ck_assert_double_lt(error, 1e-12);
    ck_assert_double_le(doubles,
                        by_degree() ? 48 : 450); /* without minimum degree, fill and band of width 100 */
    ck_assert_int_eq(((const ph_net *)l.system->own)->band != NULL, !by_degree());
    F = malloc(ph_tension_size(l.system) * sizeof *F);
    net across = {.n = N};
    TK_MEMORY double *q = malloc(3 * N * sizeof *q), *q1 = malloc(3 * N * sizeof *q1);
    place_across(&across, 0, q, q1);
    if (by_degree()) /* where T has no diagonal, nothing is left without a band */
        ck_assert_int_eq(ph_tension_factor(l.system, q1, q, F, NULL), PH_E_SINGULAR);
    q[7] = NAN;
    ck_assert_int_eq(ph_tension_factor(l.system, q, q, F, NULL), PH_E_SINGULAR);
    free(F);
}

/* A tree of links is a net, too: its inverse inertia by entries against what the linkage knows of itself. */
TEST(linkages_are_nets)
{
    enum { N = 2000 };
    static double length[N], mass[N], tau[N], tau1[N], v[3 * N], v1[3 * N], mu[3 * N], z[3 * N];
    static size_t parent[N];
    tk_random seed = {3};
    TK_ENDS(large_end) large l;
    large_begin(&l, 4 * N); /* room for siblings */
    l.n = N;
    for (size_t i = 0; i < N; i++) {
        parent[i] = i ? (i - 1) / 2 : PH_NO_INDEX;
        length[i] = tk_log_uniform(&seed, 0.5, 2);
        mass[i] = tk_log_uniform(&seed, 0.5, 2);
        tk_unit(&seed, z + 3 * i);
    }
    for (size_t i = 0; i < N; i++) {
        double shared = i ? 1 / mass[parent[i]] : 0;
        large_add(&l, i, i, (1 / mass[i] + shared) / (length[i] * length[i]));
        if (i)
            large_add(&l, i, parent[i], -shared / (length[i] * length[parent[i]]));
        if (i && i % 2 == 0)
            large_add(&l, i, i - 1, shared / (length[i] * length[i - 1]));
    }
    large_create(&l);
    ph_linkage description = {.parent = parent, .length = length, .mass = mass};
    ph_system_definition d = {.space = l.space, .linkage = &description};
    TK_MAKE(ph_system, tree, ph_system_create(&d, &tree, NULL));
    ck_assert(!ph_system_inverse_inertia(tree) && !ph_system_linkage(l.system));
    random_numbers(&seed, mu, 3 * N);
    random_numbers(&seed, tau, N);
    memcpy(tau1, tau, sizeof tau);
    TK_MEMORY double *F = malloc(ph_tension_size(l.system) * sizeof *F),
                     *F1 = malloc(ph_tension_size(tree) * sizeof *F1);
    ph_system_apply_inverse_inertia(l.system, mu, v);
    ph_system_apply_inverse_inertia(tree, mu, v1);
    double apart[3] = {error_of(v, v1, 3 * N)};
    ph_system_apply_inertia(l.system, mu, v);
    ph_system_apply_inertia(tree, mu, v1);
    apart[1] = error_of(v, v1, 3 * N);
    tk_ok(ph_tension_factor(l.system, z, z, F, NULL));
    tk_ok(ph_tension_factor(tree, z, z, F1, NULL));
    ph_tension_solve(l.system, F, tau);
    ph_tension_solve(tree, F1, tau1);
    apart[2] = error_of(tau, tau1, N);
    printf("binary tree, net against linkage: %.1e, %.1e, %.1e\n", apart[0], apart[1], apart[2]);
    /* an order without fill exists (the linkage's); minimum degree comes near it */
    double filled = (double)((const ph_net *)l.system->own)->elimination->entries /
                    (double)((const ph_net *)l.system->own)->couplings;
    printf("binary tree: %.2f entries for each coupling\n", filled);
    ck_assert_double_le(filled, by_degree() ? 1.2 : 1);
    ck_assert_double_lt(apart[0], 1e-15);
    ck_assert_double_lt(apart[1], 1e-11); /* condition of W, which the linkage does without */
    ck_assert_double_lt(apart[2], 1e-13);
}

/* ---- Refusals ----------------------------------------------------------------------------------- */

TEST(bad_matrices_are_refused)
{
    static const size_t row[] = {0, 1, 2, 1, 2, 2}, column[] = {0, 1, 2, 0, 1, 0},
                        upper[] = {0, 1, 2, 0, 1, 0}, lower[] = {0, 1, 2, 1, 2, 2}, out[] = {0, 1, 3},
                        twice[] = {0, 1, 2, 1, 1}, first[] = {0, 1, 2, 0, 0};
    static const double good[] = {2, 2, 2, -1, -1, -0.5}, laplacian[] = {2, 2, 2, -1, -1, -1},
                        indefinite[] = {2, 2, 2, -3, -1, -1}, negative[] = {2, -2, 2}, zero[] = {2, 0, 2},
                        none[] = {2, 2, 2, NAN, 1, 1}, infinite[] = {2, INFINITY, 2}, tiny[] = {2, 1e-320, 2};
    static const ph_factor
        spheres[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}},
        mixed[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_S2}},
        bodies[] = {{.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_SO3}},
        wide[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_R, .d = 2}};
    const struct {
        const ph_factor *factors;
        ph_sparse W;
        ph_status status;
        const char *message;
    } rows[] = {
        {spheres, {3, 6, row, column, good}, PH_OK, ""},
        {spheres, {3, 3, row, column, good}, PH_OK, ""}, /* apart from one another */
        {spheres,
         {2, 2, row, column, good},
         PH_E_INVALID,
         "inverse_inertia has 2 rows, and the space 3 factors"},
        {spheres,
         {3, 6, NULL, column, good},
         PH_E_INVALID,
         "inverse_inertia needs the rows, columns and values"},
        {spheres,
         {3, 6, row, NULL, good},
         PH_E_INVALID,
         "inverse_inertia needs the rows, columns and values"},
        {spheres,
         {3, 6, row, column, NULL},
         PH_E_INVALID,
         "inverse_inertia needs the rows, columns and values"},
        {spheres,
         {3, 6, upper, lower, good},
         PH_E_INVALID,
         "entry 3 of inverse_inertia is at (0, 1): give those of the lower"},
        {spheres, {3, 3, out, column, good}, PH_E_INVALID, "entry 2 of inverse_inertia is at (3, 2)"},
        {spheres, {3, 5, twice, first, good}, PH_E_INVALID, "inverse_inertia has two entries at (1, 0)"},
        {spheres,
         {3, 2, row, column, good},
         PH_E_SINGULAR,
         "inverse_inertia is 0 at (2, 2); an entry of the diagonal"},
        {spheres, {3, 0, row, column, good}, PH_E_SINGULAR, "inverse_inertia is 0 at (0, 0)"},
        {spheres, {3, 3, row, column, negative}, PH_E_SINGULAR, "inverse_inertia is -2 at (1, 1)"},
        {spheres, {3, 3, row, column, zero}, PH_E_SINGULAR, "inverse_inertia is 0 at (1, 1)"},
        {spheres,
         {3, 6, row, column, none},
         PH_E_NOT_FINITE,
         "entry 3 of inverse_inertia, at (1, 0), is nan"},
        {spheres,
         {3, 3, row, column, infinite},
         PH_E_NOT_FINITE,
         "entry 1 of inverse_inertia, at (1, 1), is inf"},
        {spheres,
         {3, 6, row, column, indefinite},
         PH_E_SINGULAR,
         "inverse_inertia (3 x 3) is not positive definite"},
        {spheres,
         {3, 6, row, column, laplacian},
         PH_E_SINGULAR,
         "inverse_inertia (3 x 3) is not positive definite"},
        {spheres,
         {3, 3, row, column, tiny},
         PH_E_SINGULAR,
         "inverse_inertia (3 x 3) is not positive definite"},
        {mixed,
         {3, 6, row, column, good},
         PH_E_INVALID,
         "inverse_inertia is for vectors of one length, S^1, S^2 or R^d; factor 2"},
        {bodies,
         {3, 6, row, column, good},
         PH_E_INVALID,
         "inverse_inertia is for vectors of one length, S^1, S^2 or R^d; factor 1"},
        {wide,
         {3, 6, row, column, good},
         PH_E_INVALID,
         "inverse_inertia is for vectors of one length, S^1, S^2 or R^d; factor 3"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ph_space *space = NULL;
        ph_system *system = NULL;
        tk_ok(ph_space_create(rows[i].factors, 3, &space, NULL));
        ph_system_definition d = {.space = space, .inverse_inertia = &rows[i].W};
        ck_assert_msg(ph_system_create(&d, &system, tk_err) == rows[i].status, "row %zu: \"%s\"", i,
                      tk_err->message);
        ck_assert_msg(!strncmp(tk_err->message, rows[i].message, strlen(rows[i].message)), "\"%s\"",
                      tk_err->message);
        ck_assert(!system == !!rows[i].status);
        ph_system_free(system);
        d.inertia = good;
        tk_refused(ph_system_create(&d, &system, tk_err), PH_E_INVALID, "2 of them are given");
        ph_space_free(space);
    }
    /* the Laplacian of a long ring, singular, whose last pivot is a sum of roundings */
    large l;
    ph_system *system = NULL;
    large_begin(&l, 1000);
    for (size_t i = 0; i < 1000; i++) {
        double stiffness = 1 + 0.5 * sin((double)i), before = 1 + 0.5 * sin((double)((i + 999) % 1000));
        large_add(&l, i, i, stiffness + before);
        large_add(&l, i, (i + 1) % 1000, -stiffness);
    }
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S1}, 1000, &space, NULL));
    ph_sparse W = {1000, l.entries, l.row, l.column, l.value};
    ph_system_definition d = {.space = space, .inverse_inertia = &W};
    ck_assert_int_eq(ph_system_create(&d, &system, NULL), PH_E_SINGULAR);
    free(l.row);
    free(l.column);
    free(l.value);
}

int main(void)
{
    if (!by_degree())
        untried(NULL, "nets by minimum degree: this build has no AMD");
    return tk_run("large sparse inverse inertias");
}
