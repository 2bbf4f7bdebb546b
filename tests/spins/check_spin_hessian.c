/* SPDX-License-Identifier: BSD-3-Clause */
/* The second derivative of the energy of spins by blocks: against differences of the gradient along geodesics, pair by pair,
 * of every kind of part and of a callback whose blocks are given in any order; where there are blocks; what is refused. */
#include "tests/kit/spinkit.h"

enum { MOST_BLOCKS = SK_MOST * (SK_MOST + 1) / 2 };

/* ---- Systems -------------------------------------------------------------------------------------------- */

/* f = exp(x) + x^3/2 */
static ph_status bond(void *user, double x, double *f)
{
    (void)user;
    f[0] = exp(x) + 0.5 * x * x * x;
    f[1] = exp(x) + 1.5 * x * x;
    f[2] = exp(x) + 3 * x;
    return PH_OK;
}

/* By callback: U = sum_k (u_k . s_i) (v_k . s_j)^2 over pairs (i, j), some of them with i = j, and in time cos(t) times as
 * much again. */
typedef struct cubic {
    size_t n, pairs;
    uint32_t i[SK_MOST], j[SK_MOST];
    double u[SK_MOST][3], v[SK_MOST][3];
    uint32_t *row, *column; /* of the blocks, in the order in which they are given */
    size_t blocks;
} cubic;

static double along(const double *u, const double *s)
{
    return ph_dot3(u, s);
}

static double amount(const cubic *c, const double *z)
{
    double sum = 0;
    for (size_t k = 0; k < c->pairs; k++) {
        const double b = along(c->v[k], z + 3 * c->j[k]);
        sum += along(c->u[k], z + 3 * c->i[k]) * b * b;
    }
    return sum;
}

static void add_slope(const cubic *c, double factor, const double *z, double *g)
{
    for (size_t k = 0; k < c->pairs; k++) {
        const double a = along(c->u[k], z + 3 * c->i[k]), b = along(c->v[k], z + 3 * c->j[k]);
        for (size_t m = 0; m < 3; m++) {
            g[3 * c->i[k] + m] += factor * b * b * c->u[k][m];
            g[3 * c->j[k] + m] += factor * 2 * a * b * c->v[k][m];
        }
    }
}

static ph_status potential(void *user, const double *z, double *U)
{
    *U = amount(user, z);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *g)
{
    memset(g, 0, 3 * ((const cubic *)user)->n * sizeof *g);
    add_slope(user, 1, z, g);
    return PH_OK;
}

static ph_status potential_in_time(void *user, double t, const double *z, double *U)
{
    *U = cos(t) * amount(user, z);
    return PH_OK;
}

static ph_status gradient_in_time(void *user, double t, const double *z, double *g)
{
    add_slope(user, cos(t), z, g);
    return PH_OK;
}

/* Adds c a b^T at (i, j) to the block that is given for it. */
static void add_block(const cubic *c, size_t i, size_t j, double factor, const double *a, const double *b,
                      double *blocks)
{
    for (size_t k = 0; k < c->blocks; k++)
        if (c->row[k] == i && c->column[k] == j)
            for (size_t m = 0; m < 9; m++)
                blocks[9 * k + m] += factor * a[m / 3] * b[m % 3];
}

static ph_status hessian(void *user, double t, const double *z, double *blocks)
{
    const cubic *c = user;
    const double factor = 1 + cos(t);
    for (size_t k = 0; k < c->pairs; k++) {
        const size_t i = c->i[k], j = c->j[k];
        const double a = along(c->u[k], z + 3 * i), b = along(c->v[k], z + 3 * j);
        add_block(c, j, j, 2 * factor * a, c->v[k], c->v[k], blocks);
        add_block(c, i, j, 2 * factor * b, c->u[k], c->v[k], blocks);
        add_block(c, j, i, 2 * factor * b, c->v[k], c->u[k], blocks);
        /* of i != j one of both is in the lower triangle; of i = j both are at (i, i) */
    }
    return PH_OK;
}

static void free_cubic(void *user)
{
    cubic *c = user;
    free(c->row);
    free(c->column);
    free(c);
}

/* The callback's part for n spins, and the places of its blocks in random order. */
static cubic *make_cubic(size_t n, tk_random *r)
{
    cubic *c = calloc(1, sizeof *c);
    c->n = n;
    c->pairs = n;
    for (size_t k = 0; k < n; k++) {
        c->i[k] = (uint32_t)(tk_uniform(r, 0, 1) * (double)n);
        c->j[k] = (uint32_t)(tk_uniform(r, 0, 1) * (double)n);
        for (size_t m = 0; m < 3; m++) {
            c->u[k][m] = tk_uniform(r, -1, 1);
            c->v[k][m] = tk_uniform(r, -1, 1);
        }
    }
    c->row = malloc(MOST_BLOCKS * sizeof *c->row);
    c->column = malloc(MOST_BLOCKS * sizeof *c->column);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            bool has = false;
            for (size_t k = 0; k < n; k++)
                has |= (c->i[k] == i && c->j[k] == j) || (c->i[k] == j && c->j[k] == i) ||
                       (i == j && c->j[k] == i);
            if (!has)
                continue;
            const size_t at = (size_t)(tk_uniform(r, 0, 1) * (double)(c->blocks + 1)), last = c->blocks++;
            c->row[last] = c->row[at];
            c->column[last] = c->column[at];
            c->row[at] = (uint32_t)i;
            c->column[at] = (uint32_t)j;
        }
    return c;
}

/* n spins with bonds of all kinds on a random tree that is closed to a circle, on some of its edges several; complete: one of
 * all pairs, too. by_callback: with the cubic part. */
static ph_system *make_random(size_t n, bool complete, bool by_callback, tk_random *r)
{
    enum { KINDS = 5 };
    static const double one = 0.8;
    uint32_t first[SK_MOST], second[SK_MOST];
    double strengths[SK_MOST], K[SK_MOST], c[KINDS][SK_MOST], damping[SK_MOST];
    ph_bonds bonds[KINDS + 1];
    size_t groups = 0;
    for (size_t i = 0; i < n; i++) {
        first[i] = (uint32_t)i;
        second[i] = (uint32_t)((i + 1 + (size_t)(tk_uniform(r, 0, 1) * (double)(n - 1))) % n);
        strengths[i] = (tk_uniform(r, 0, 1) < 0.3 ? -1 : 1) * tk_uniform(r, 0.5, 2);
        K[i] = tk_uniform(r, -1, 1);
        damping[i] = 0.1;
    }
    size_t m = 0; /* a pair at most once */
    for (size_t i = 0; i < n; i++) {
        bool had = first[i] == second[i];
        for (size_t k = 0; k < m; k++)
            had |= (first[k] == first[i] && second[k] == second[i]) ||
                   (first[k] == second[i] && second[k] == first[i]);
        if (!had) {
            first[m] = first[i];
            second[m++] = second[i];
        }
    }
    for (size_t g = 0; g < KINDS && m; g++) {
        static const ph_bond_kind kinds[KINDS] = {PH_BOND_EXCHANGE, PH_BOND_AXIAL, PH_BOND_TWIST,
                                                  PH_BOND_VORTICES, PH_BOND_FUNCTION};
        const size_t skipped = g % m;
        for (size_t k = 0; k < m; k++)
            c[g][k] = tk_uniform(r, -1, 1);
        bonds[groups] = (ph_bonds){.kind = kinds[g],
                                   .n = m - skipped,
                                   .first = first + skipped,
                                   .second = second + skipped,
                                   .c = c[g],
                                   .core = g % 2 ? 0 : 0.1};
        bonds[groups].function = kinds[g] == PH_BOND_FUNCTION ? bond : NULL;
        tk_unit(r, bonds[groups++].axis);
    }
    if (complete && n > 1)
        bonds[groups++] =
            (ph_bonds){.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true, .core = 0.1};
    ph_anisotropy easy[2] = {{.K = K}, {.K = &one, .uniform = true}};
    tk_unit(r, easy[0].axis);
    tk_unit(r, easy[1].axis);
    cubic *user = by_callback ? make_cubic(n, r) : NULL;
    const ph_spins spins = {.n = n,
                            .strengths = strengths,
                            .damping = damping,
                            .bonds = bonds,
                            .n_bonds = groups,
                            .anisotropies = easy,
                            .n_anisotropies = 2};
    const ph_system_definition d = {.spins = &spins,
                                    .potential = by_callback ? potential : NULL,
                                    .gradient = by_callback ? gradient : NULL,
                                    .potential_in_time = by_callback ? potential_in_time : NULL,
                                    .gradient_in_time = by_callback ? gradient_in_time : NULL,
                                    .spin_hessian = by_callback ? hessian : NULL,
                                    .hessian_row = by_callback ? user->row : NULL,
                                    .hessian_column = by_callback ? user->column : NULL,
                                    .n_hessian = by_callback ? user->blocks : 0,
                                    .user = user,
                                    .user_free = by_callback ? free_cubic : NULL};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    return system;
}

/* ---- Values --------------------------------------------------------------------------------------------- */

/* dg (3n) <- the derivative of the gradient where spin j moves along the unit tangent vector u, by differences of order 8 along
 * the geodesic. */
static void differences(const ph_system *system, double t, const double *z, size_t j, const double *u,
                        double *dg)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    const size_t nz = 3 * ph_system_spins(system)->n;
    double x[3 * SK_MOST], g[3 * SK_MOST];
    memcpy(x, z, nz * sizeof *x);
    memset(dg, 0, nz * sizeof *dg);
    for (int m = -4; m <= 4; m++) {
        const double h = 1. / 256, turn = m * h;
        if (!m)
            continue;
        for (size_t k = 0; k < 3; k++)
            x[3 * j + k] = cos(turn) * z[3 * j + k] + sin(turn) * u[k];
        ck_assert(!ph_spins_gradient(system, t, x, g));
        for (size_t k = 0; k < nz; k++)
            dg[k] += (m < 0 ? -1 : 1) * weight[abs(m) - 1] * g[k] / h;
    }
}

/* Every pair of spins, also those without a block. */
TEST_EACH(against_gradient, 4 * SK_MOST)
{
    tk_random r = {301 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i % SK_MOST;
    TK_OWN(ph_system) *system = make_random(n, _i / SK_MOST % 2, _i / SK_MOST / 2, &r);
    const size_t blocks = ph_spins_hessian_blocks(system);
    double z[3 * SK_MOST], values[9 * MOST_BLOCKS], worst = 0, size = 1;
    uint32_t row[MOST_BLOCKS], column[MOST_BLOCKS];
    ck_assert(blocks >= n && blocks <= n * (n + 1) / 2);
    sk_random_spins(&r, n, z);
    for (size_t k = 0; k < 9 * MOST_BLOCKS; k++)
        values[k] = NAN;
    ck_assert(!ph_spins_hessian_places(system, row, column));
    ck_assert(!ph_spins_hessian(system, 0.4, z, values));
    for (size_t b = 0; b < blocks; b++)
        for (size_t k = 0; k < 9; k++) {
            size = fmax(size, fabs(values[9 * b + k]));
            if (row[b] == column[b]) /* symmetric, up to the order of products */
                ck_assert_double_eq_tol(values[9 * b + k], values[9 * b + k % 3 * 3 + k / 3], 1e-15 * size);
        }
    for (size_t j = 0; j < n; j++)
        for (int trial = 0; trial < 2; trial++) {
            double u[3], dg[3 * SK_MOST];
            tk_tangent(&r, z + 3 * j, u);
            const double length = sqrt(ph_dot3(u, u));
            for (size_t k = 0; k < 3; k++)
                u[k] /= length;
            differences(system, 0.4, z, j, u, dg);
            for (size_t b = 0; b < blocks; b++)
                for (size_t k = 0; k < 9; k++) {
                    if (column[b] == j)
                        dg[3 * row[b] + k / 3] -= values[9 * b + k] * u[k % 3];
                    if (row[b] == j && column[b] != j)
                        dg[3 * column[b] + k % 3] -= values[9 * b + k] * u[k / 3];
                }
            for (size_t k = 0; k < 3 * n; k++)
                worst = fmax(worst, fabs(dg[k]));
        }
    /* rounding of differences with h = 1/256, and h^8/630 of a ninth derivative where two vortices are near */
    ck_assert_msg(worst < 1e-11 * size, "%zu spins, %zu blocks: %g of %g", n, blocks, worst, size);
}

/* Two vortices at a small distance, by the closed form along the great circle of both: nothing cancels. */
TEST(near_vortices)
{
    static const double one = 1, strengths[] = {1.5, -0.7};
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    const ph_spins spins = {.n = 2, .strengths = strengths, .bonds = &all, .n_bonds = 1};
    const ph_system_definition def = {.spins = &spins};
    TK_MAKE(ph_system, system, ph_system_create(&def, &system, NULL));
    for (double d = 0.1; d > 1e-5; d /= 10) {
        const double z[6] = {0, 0, 1, sin(d), 0, cos(d)}, k = 1.5 * -0.7 / (8 * atan(1));
        double values[27];
        ck_assert(!ph_spins_hessian(system, 0, z, values));
        /* along the great circle of both, at angle d: H = -(k/2) log(2 - 2 cos d), H'' = k / (4 sin^2(d/2)) */
        const double second = k / (4 * sin(d / 2) * sin(d / 2)), normal = -k / 2;
        double along[2] = {0, 0}; /* d/ds_1 along e1 twice, and along both circles */
        const double u[3] = {1, 0, 0}, v[3] = {cos(d), 0, -sin(d)};
        for (size_t m = 0; m < 9; m++) {
            along[0] += u[m / 3] * values[m] * u[m % 3];
            along[1] += v[m / 3] * values[9 + m] * u[m % 3];
        }
        /* the second derivative along the geodesic is u . H u - g . s, and g . s = k (cos d - 1) / (2 - 2 cos d) */
        ck_assert_double_eq_tol((along[0] - normal) / second, 1, 1e-14);
        ck_assert_double_eq_tol(along[1] / -second, 1, 1e-14);
    }
}

/* ---- Places --------------------------------------------------------------------------------------------- */

TEST(places_of_a_ring)
{
    static const uint32_t rows[] = {0, 1, 1, 2, 2, 3, 3, 3}, columns[] = {0, 0, 1, 1, 2, 0, 2, 3};
    TK_OWN(ph_system) *ring = sk_ring(4);
    uint32_t row[10], column[10];
    double values[90], z[12];
    tk_random r = {5};
    ck_assert_uint_eq(ph_spins_hessian_blocks(ring), 8);
    ck_assert(!ph_spins_hessian_places(ring, row, column));
    sk_random_spins(&r, 4, z);
    ck_assert(!ph_spins_hessian(ring, 0, z, values));
    for (size_t b = 0; b < 8; b++) {
        ck_assert_uint_eq(row[b], rows[b]);
        ck_assert_uint_eq(column[b], columns[b]);
        for (size_t k = 0; k < 9; k++)
            ck_assert_double_eq(values[9 * b + k], row[b] != column[b] && k % 4 == 0 ? -1 : 0);
    }
}

/* A long ring: in proportion to its bonds. All pairs: n (n + 1) / 2, and no pattern is kept of so many. */
TEST(places_of_many)
{
    enum { MANY = 100000 };
    static const double one = 1;
    ph_system *ring = sk_ring(MANY);
    ck_assert_uint_eq(ph_spins_hessian_blocks(ring), 2 * MANY);
    TK_MEMORY uint32_t *row = malloc(2 * MANY * sizeof *row), *column = malloc(2 * MANY * sizeof *column);
    ck_assert(!ph_spins_hessian_places(ring, row, column));
    for (size_t b = 1; b < 2 * MANY; b++)
        ck_assert(row[b] > row[b - 1] || (row[b] == row[b - 1] && column[b] > column[b - 1]));
    ph_system_free(ring);
    const ph_bonds all = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &one, .uniform = true};
    const ph_spins spins = {.n = MANY, .bonds = &all, .n_bonds = 1};
    const ph_system_definition d = {.spins = &spins};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    ck_assert_uint_eq(ph_spins_hessian_blocks(system), (size_t)MANY * (MANY + 1) / 2);
}

/* ---- Not known, or refused ------------------------------------------------------------------------------ */

TEST(not_known)
{
    tk_random r = {9};
    TK_OWN(ph_system) *system = sk_random(3, false, false, &r);
    double z[9], values[9 * 6];
    uint32_t row[6], column[6];
    sk_random_spins(&r, 3, z);
    ck_assert_uint_eq(ph_spins_hessian_blocks(system), 0);
    ck_assert_int_eq(ph_spins_hessian_places(system, row, column), PH_E_UNSUPPORTED);
    ck_assert_int_eq(ph_spins_hessian(system, 0, z, values), PH_E_UNSUPPORTED);
}

static const uint32_t zero[2] = {0, 0}, one[2] = {1, 1}, two[1] = {2};

static const struct {
    ph_potential_fn potential;
    ph_spin_hessian_fn hessian;
    const uint32_t *row, *column;
    size_t n;
    ph_status status;
    const char *said;
} refused[] = {
    {NULL, hessian, one, zero, 1, PH_E_INVALID, "without a potential"},
    {potential, NULL, one, zero, 1, PH_E_INVALID, "n_hessian is 1: that needs spin_hessian"},
    {potential, hessian, NULL, zero, 1, PH_E_INVALID, "and the lists hessian_row"},
    {potential, hessian, zero, one, 1, PH_E_RANGE, "block 1 of spin_hessian is at (1, 2)"},
    {potential, hessian, two, zero, 1, PH_E_RANGE, "its row must be 1 to 2"},
    {potential, hessian, one, zero, 2, PH_E_INVALID, "blocks 1 and 2 of spin_hessian have the same place"},
};

TEST_EACH(definitions_refused, sizeof refused / sizeof refused[0])
{
    static const double c = 1;
    const ph_bonds all = {.kind = PH_BOND_EXCHANGE, .all_pairs = true, .c = &c, .uniform = true};
    for (size_t complete = 0; complete < 2; complete++) {
        const ph_spins spins = {.n = 2, .bonds = &all, .n_bonds = complete};
        const ph_system_definition d = {.spins = &spins,
                                        .potential = refused[_i].potential,
                                        .gradient = refused[_i].potential ? gradient : NULL,
                                        .spin_hessian = refused[_i].hessian,
                                        .hessian_row = refused[_i].row,
                                        .hessian_column = refused[_i].column,
                                        .n_hessian = refused[_i].n};
        ph_system *system = NULL;
        tk_refused(ph_system_create(&d, &system, tk_err), refused[_i].status, refused[_i].said);
        ck_assert(!system);
    }
}

/* A Lagrangian has no such callback. */
TEST(refused_elsewhere)
{
    static const double inertia = 1;
    const ph_factor line = {.kind = PH_FACTOR_R, .d = 1};
    TK_MAKE(ph_space, space, ph_space_create(&line, 1, &space, tk_err));
    TK_OWN(ph_system) *system = NULL;
    tk_refused(ph_system_create(
                   &(ph_system_definition){.space = space, .inertia = &inertia, .spin_hessian = hessian},
                   &system, tk_err),
               PH_E_INVALID, "spin_hessian is for spins alone");
    ck_assert(
        !ph_system_create(&(ph_system_definition){.space = space, .inertia = &inertia}, &system, tk_err));
    ck_assert_uint_eq(ph_spins_hessian_blocks(system), 0);
    ck_assert_int_eq(ph_spins_hessian_places(system, NULL, NULL), PH_E_INVALID);
}

int main(void)
{
    return tk_run("second derivative of spins");
}
