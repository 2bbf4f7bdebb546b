/* SPDX-License-Identifier: BSD-3-Clause */
/* The declared parts of the energy of spins as methods evaluate them: torques against gradients, what
 * pairs give and take, spins that are near each other, and kernels for lanes against plain code. */
#include "tests/kit/spinkit.h"

#include <pthread.h>
#include <sys/resource.h>

static double largest(size_t n, const double *v)
{
    double most = 0;
    for (size_t k = 0; k < n; k++)
        most = isnan(v[k]) ? NAN : fmax(most, fabs(v[k]));
    return most;
}

/* T = g x s for all kinds of parts, callbacks and control. */
TEST_EACH(torques, SK_MOST)
{
    tk_random r = {31 + (uint64_t)_i};
    const size_t n = 1 + (size_t)_i;
    TK_OWN(ph_system) *system = sk_random(n, _i % 2, _i % 3 > 0, &r);
    double z[3 * SK_MOST], g[3 * SK_MOST], T[3 * SK_MOST], turn[3];
    sk_random_spins(&r, n, z);
    ck_assert(!ph_spins_gradient(system, 0.7, z, g));
    ck_assert(!ph_spins_torque(system, 0.7, z, T));
    for (size_t i = 0; i < n; i++) {
        ph_cross3(g + 3 * i, z + 3 * i, turn);
        for (size_t k = 0; k < 3; k++)
            T[3 * i + k] -= turn[k];
    }
    const double error = largest(3 * n, T);
    ck_assert_msg(error < 1e-14 * (1 + largest(3 * n, g)), "%g of %g", error, largest(3 * n, g));
}

/* Two vortices at a small distance: the torque has all its digits, and the two sum to a rounding of each. */
TEST(near_vortices)
{
    static const double one = 1;
    const ph_bonds all = {.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true};
    const ph_spins two = {.n = 2, .bonds = &all, .n_bonds = 1};
    const ph_system_definition d = {.spins = &two};
    TK_MAKE(ph_system, system, ph_system_create(&d, &system, NULL));
    for (int m = 1; m <= 26; m++) {
        /* e1 turned by -a and a about e3: torques +-sin(2a) / (8 pi sin^2 a) = +-cot(a) / 4 pi along e3 */
        const double a = ldexp(1, -m), z[6] = {cos(a), -sin(a), 0, cos(a), sin(a), 0};
        double T[6];
        ck_assert(!ph_spins_torque(system, 0, z, T));
        const double exact = 1 / (4 * acos(-1) * tan(a));
        ck_assert_double_eq_tol(fabs(T[2]) / exact, 1, 2e-15); /* the sines are rounded */
        ck_assert_double_eq_tol((T[2] + T[5]) / exact, 0, 4e-16);
        ck_assert(T[0] == 0 && T[1] == 0);
    }
}

/* ---- Systems of many spins ------------------------------------------------------------------------------ */

typedef struct graph {
    size_t n; /* bonds */
    uint32_t *first, *second;
} graph;

static void add(graph *g, size_t i, size_t j)
{
    g->first[g->n] = (uint32_t)i;
    g->second[g->n++] = (uint32_t)j;
}

static graph graph_create(size_t room)
{
    return (graph){0, malloc((room + 1) * sizeof(uint32_t)), malloc((room + 1) * sizeof(uint32_t))};
}

static void graph_free(graph *g)
{
    free(g->first);
    free(g->second);
}

/* A lattice a x b x c, periodic where a side is more than 2. */
static graph lattice(size_t a, size_t b, size_t c)
{
    const size_t side[3] = {a, b, c};
    graph g = graph_create(3 * a * b * c);
    for (size_t i = 0; i < a * b * c; i++)
        for (size_t d = 0; d < 3; d++) {
            size_t at[3] = {i / (b * c), i / c % b, i % c};
            at[d] = (at[d] + 1) % side[d];
            if (side[d] > 2 || (side[d] == 2 && at[d] == 1))
                add(&g, i, (at[0] * b + at[1]) * c + at[2]);
        }
    return g;
}

/* Each pair with the same probability. */
static graph disordered(size_t n, double neighbours, tk_random *r)
{
    graph g = graph_create(n * n / 2);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (tk_uniform(r, 0, 1) < neighbours / (double)n)
                add(&g, i, j);
    if (!g.n)
        add(&g, 0, n - 1);
    return g;
}

/* What a system is made of: exchange on a graph, an axial part on it along an axis or e3, twist, with one coefficient each or with
 * one for each bond, field and anisotropy, or vortices. */
enum { AXIAL_E3 = 1, AXIAL = 2, ONE_SPIN = 4, VORTICES = 8, COEFFICIENTS = 16, TWIST = 32, ALL_PAIRS = 64 };

static ph_system *make(size_t n, const graph *g, unsigned parts, double core, tk_random *r)
{
    static const double J = 0.8, more = -0.3, one = 0.6, K = 0.4, field[3] = {0.1, -0.2, 0.7},
                        tilted[3] = {2. / 7, -3. / 7, 6. / 7};
    double *strengths = malloc((n + g->n) * sizeof *strengths), *c = strengths + n;
    for (size_t i = 0; i < n; i++)
        strengths[i] = (i % 3 ? 1 : -1) * tk_uniform(r, 0.5, 1.5);
    for (size_t k = 0; k < g->n; k++)
        c[k] = tk_uniform(r, -1, 1);
    ph_bonds bonds[3];
    size_t groups = 0;
    const ph_bonds list = {.n = g->n, .first = g->first, .second = g->second, .uniform = true};
    if (!(parts & VORTICES)) {
        bonds[groups] = list;
        if (parts & ALL_PAIRS)
            bonds[groups] = (ph_bonds){.all_pairs = true};
        bonds[groups].kind = PH_BOND_EXCHANGE;
        bonds[groups].uniform = !(parts & COEFFICIENTS);
        bonds[groups++].c = parts & COEFFICIENTS ? c : &J;
    }
    if (parts & (AXIAL_E3 | AXIAL)) {
        bonds[groups] = list;
        bonds[groups].kind = PH_BOND_AXIAL;
        bonds[groups].uniform = !(parts & COEFFICIENTS);
        bonds[groups].c = parts & COEFFICIENTS ? c : &more;
        bonds[groups].axis[2] = parts & AXIAL_E3 ? 1 : 0.8;
        bonds[groups++].axis[0] = parts & AXIAL_E3 ? 0 : -0.6;
    }
    if (parts & TWIST) {
        bonds[groups] = list;
        bonds[groups].kind = PH_BOND_TWIST;
        bonds[groups].uniform = !(parts & COEFFICIENTS);
        bonds[groups].c = parts & COEFFICIENTS ? c : &more;
        memcpy(bonds[groups++].axis, tilted, sizeof tilted);
    }
    if (parts & VORTICES)
        bonds[groups++] =
            (ph_bonds){.kind = PH_BOND_VORTICES, .all_pairs = true, .c = &one, .uniform = true, .core = core};
    const ph_anisotropy easy = {.axis = {0, 0.6, 0.8}, .K = &K, .uniform = true};
    const ph_spins spins = {.n = n,
                            .strengths = strengths,
                            .bonds = bonds,
                            .n_bonds = groups,
                            .field = parts & ONE_SPIN ? field : NULL,
                            .field_is_uniform = true,
                            .anisotropies = &easy,
                            .n_anisotropies = parts & ONE_SPIN ? 1 : 0};
    const ph_system_definition d = {.spins = &spins};
    ph_system *system = NULL;
    tk_ok(ph_system_create(&d, &system, tk_err));
    free(strengths);
    return system;
}

/* g (3n) <- the gradient by the definition of each part, in long double; T (3n) <- torques; size: the
 * largest sum of the terms' sizes at a spin. Reads the system's own description. */
static void by_definition(const ph_system *system, const double *z, long double *g, long double *T,
                          double *size)
{
    const ph_spins *is = ph_system_spins(system);
    const long double pi = acosl(-1);
    long double *sizes = calloc(is->n, sizeof *sizes);
    for (size_t k = 0; k < 3 * is->n; k++)
        g[k] = is->field ? -is->field[k % 3] : 0;
    for (size_t m = 0; m < is->n_anisotropies; m++)
        for (size_t i = 0; i < is->n; i++) {
            const ph_anisotropy *a = &is->anisotropies[m];
            long double along = 0;
            for (size_t k = 0; k < 3; k++)
                along += (long double)a->axis[k] * z[3 * i + k];
            for (size_t k = 0; k < 3; k++)
                g[3 * i + k] -= 2 * a->K[0] * along * a->axis[k];
        }
    for (size_t m = 0; m < is->n_bonds; m++) {
        const ph_bonds *b = &is->bonds[m];
        const size_t n = b->all_pairs ? is->n * is->n : b->n;
        for (size_t p = 0; p < n; p++) {
            const size_t i = b->all_pairs ? p / is->n : b->first[p],
                         j = b->all_pairs ? p % is->n : b->second[p];
            const double *s = z + 3 * i, *r = z + 3 * j, *a = b->axis;
            long double square = (long double)b->core * b->core, own = 0, other = 0;
            if (b->all_pairs && i >= j)
                continue;
            for (size_t k = 0; k < 3; k++) {
                square += ((long double)s[k] - r[k]) * ((long double)s[k] - r[k]);
                own += (long double)a[k] * s[k];
                other += (long double)a[k] * r[k];
            }
            const long double c = b->c[b->uniform ? 0 : p],
                              slope = b->kind == PH_BOND_VORTICES
                                          ? c * is->strengths[i] * is->strengths[j] / (2 * pi * square)
                                          : -c;
            for (size_t k = 0; k < 3 && b->kind == PH_BOND_TWIST; k++) { /* c a . (s x r) */
                const size_t m1 = (k + 1) % 3, m2 = (k + 2) % 3;
                g[3 * i + k] += c * ((long double)r[m1] * a[m2] - (long double)r[m2] * a[m1]);
                g[3 * j + k] += c * ((long double)a[m1] * s[m2] - (long double)a[m2] * s[m1]);
            }
            for (size_t k = 0; k < 3 && b->kind != PH_BOND_TWIST; k++) {
                const bool axial = b->kind == PH_BOND_AXIAL, vortices = b->kind == PH_BOND_VORTICES;
                g[3 * i + k] += slope * (axial ? other * a[k] : vortices ? (long double)r[k] - s[k] : r[k]);
                g[3 * j + k] += slope * (axial ? own * a[k] : vortices ? (long double)s[k] - r[k] : s[k]);
            }
            sizes[i] += fabsl(slope) * (b->kind == PH_BOND_VORTICES ? sqrtl(square) : 1);
            sizes[j] += fabsl(slope) * (b->kind == PH_BOND_VORTICES ? sqrtl(square) : 1);
        }
    }
    *size = 1;
    for (size_t i = 0; i < is->n; i++) {
        *size = fmax(*size, (double)sizes[i]);
        for (size_t k = 0; k < 3; k++)
            T[3 * i + k] = g[3 * i + (k + 1) % 3] * z[3 * i + (k + 2) % 3] -
                           g[3 * i + (k + 2) % 3] * z[3 * i + (k + 1) % 3];
    }
    free(sizes);
}

/* The system made twice, with kernels in lanes and without: gradient, torques and field have the same
 * bits, and are what the definition says. */
static void compare(size_t n, const graph *g, unsigned parts, double core, uint64_t seed)
{
    double *z = malloc(12 * n * sizeof *z), *wide = z + 3 * n, *plain = z + 6 * n, error[2] = {0, 0}, size;
    long double *exact = malloc(6 * n * sizeof *exact);
    tk_random random[2] = {{seed}, {seed}};
    tk_kernels(false);
    TK_OWN(ph_system) *first = make(n, g, parts, core, &random[0]);
    tk_kernels(true);
    TK_OWN(ph_system) *second = make(n, g, parts, core, &random[1]);
    tk_kernels(false);
    sk_random_spins(&random[0], n, z);
    by_definition(first, z, exact, exact + 3 * n, &size);
    ck_assert(!ph_spins_gradient(first, 0, z, wide) && !ph_spins_gradient(second, 0, z, plain));
    ck_assert_mem_eq(wide, plain, 3 * n * sizeof *wide);
    for (size_t k = 0; k < 3 * n; k++)
        error[0] = fmax(error[0], fabs((double)(wide[k] - exact[k])));
    ck_assert(!ph_spins_torque(first, 0, z, wide) && !ph_spins_torque(second, 0, z, plain));
    ck_assert_mem_eq(wide, plain, 3 * n * sizeof *wide);
    for (size_t k = 0; k < 3 * n; k++)
        error[1] = fmax(error[1], fabs((double)(wide[k] - exact[3 * n + k])));
    for (size_t m = 0; m < 2; m++)
        ck_assert_msg(error[m] < 4e-15 * size, "%zu spins, parts %u: %g of %g", n, parts, error[m], size);
    free(exact);
    free(z);
}

TEST_EACH(lattices, 16)
{
    static const size_t sides[][3] = {
        {1, 1, 2},   {1, 1, 3},   {1, 1, 4}, {1, 1, 5},   {1, 1, 9}, {1, 1, 16}, {1, 1, 255}, {1, 1, 256},
        {1, 1, 257}, {1, 1, 515}, {1, 4, 7}, {1, 20, 19}, {2, 2, 2}, {3, 4, 5},  {7, 8, 11},  {5, 2, 30}};
    static const unsigned parts[] = {0,
                                     AXIAL_E3,
                                     AXIAL,
                                     ONE_SPIN,
                                     AXIAL_E3 | ONE_SPIN,
                                     COEFFICIENTS | AXIAL_E3,
                                     AXIAL | TWIST,
                                     COEFFICIENTS | AXIAL | TWIST};
    const size_t *s = sides[_i];
    TK_ENDS(graph_free) graph g = lattice(s[0], s[1], s[2]);
    for (size_t m = 0; m < sizeof parts / sizeof parts[0]; m++)
        compare(s[0] * s[1] * s[2], &g, parts[m], 0, 5 + (uint64_t)_i);
}

/* Spins that are nearly parallel, as in a slow wave: the torques have all their digits, with one coefficient, with others,
 * and of all pairs. */
TEST_EACH(near_spins, 3)
{
    enum { N = 30 };
    const double amplitude = 1e-7;
    tk_random r = {19};
    TK_ENDS(graph_free) graph g = _i == 2 ? disordered(N, 2 * N, &r) : lattice(1, 5, 6);
    TK_OWN(ph_system) *system = make(N, &g, _i == 1 ? COEFFICIENTS : _i == 2 ? ALL_PAIRS : 0, 0, &r);
    const ph_bonds *b = &ph_system_spins(system)->bonds[0];
    const uint32_t *first = _i == 2 ? g.first : b->first, *second = _i == 2 ? g.second : b->second;
    double z[3 * N], T[3 * N], error = 0;
    long double exact[3 * N] = {0};
    for (size_t i = 0; i < N; i++) {
        const double x = amplitude * tk_uniform(&r, -1, 1), y = amplitude * tk_uniform(&r, -1, 1);
        z[3 * i] = 0.6 + 0.8 * x;
        z[3 * i + 1] = y;
        z[3 * i + 2] = 0.8 - 0.6 * x;
    }
    for (size_t m = 0; m < 2 * g.n; m++) { /* -c r x s = -c (r - s) x s, from either side */
        const double *s = z + 3 * (m % 2 ? first : second)[m / 2],
                     *q = z + 3 * (m % 2 ? second : first)[m / 2];
        long double *own = exact + (s - z), c = b->c[b->uniform ? 0 : m / 2];
        for (size_t k = 0; k < 3; k++) {
            const size_t next = (k + 1) % 3, last = (k + 2) % 3;
            own[k] -=
                c * (((long double)q[next] - s[next]) * s[last] - ((long double)q[last] - s[last]) * s[next]);
        }
    }
    ck_assert(!ph_spins_torque(system, 0, z, T));
    for (size_t k = 0; k < 3 * N; k++)
        error = fmax(error, fabs((double)(T[k] - exact[k])));
    ck_assert_msg(error < (_i == 2 ? N / 4 : 1) * 2e-15 * amplitude, "%g",
                  error); /* four neighbours, or N - 1 */
}

TEST_EACH(disordered_graphs, 20)
{
    tk_random r = {400 + (uint64_t)_i};
    const size_t n = 2 + (size_t)tk_uniform(&r, 0, 300);
    TK_ENDS(graph_free) graph g = disordered(n, tk_uniform(&r, 0.5, 7), &r);
    compare(n, &g, AXIAL_E3 | ONE_SPIN, 0, 17 + (uint64_t)_i);
    compare(n, &g, AXIAL | TWIST | COEFFICIENTS, 0, 37 + (uint64_t)_i);
}

TEST_EACH(many_vortices, 18)
{
    static const size_t n[] = {2,  3,  4,  5,   7,   8,   9,   31,  63,
                               64, 65, 66, 127, 128, 131, 200, 257, 513}; /* beyond a tile */
    const graph none = {0, NULL, NULL};
    compare(n[_i], &none, VORTICES, 0, 31);
    compare(n[_i], &none, VORTICES | ONE_SPIN, 0.3, 32);
}

/* ---- Measured ------------------------------------------------------------------------------------------- */

/* Energy, J and the constraint error, of a lattice, against sums in long double over the description. */
TEST_EACH(measured, 2)
{
    tk_random r = {61 + (uint64_t)_i};
    TK_ENDS(graph_free) graph g = _i ? disordered(700, 5, &r) : lattice(7, 11, 9);
    const size_t n = _i ? 700 : 7 * 11 * 9;
    TK_OWN(ph_system) *system = make(n, &g, AXIAL_E3 | ONE_SPIN, 0, &r);
    const ph_spins *is = ph_system_spins(system);
    double *z = malloc(3 * n * sizeof *z), J[3], residual = 0;
    long double H = 0, moment[3] = {0, 0, 0};
    sk_random_spins(&r, n, z);
    TK_OWN(ph_integrator) *it = sk_bind(system, "rk4", 0.01, NULL, 0);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ck_assert(!ph_integrator_step(it, state, 3));
    memcpy(z, state->z, 3 * n * sizeof *z);
    for (size_t m = 0; m < is->n_bonds; m++)
        for (size_t k = 0; k < is->bonds[m].n; k++) {
            const ph_bonds *b = &is->bonds[m];
            const double *s = z + 3 * b->first[k], *t = z + 3 * b->second[k];
            for (size_t d = b->kind == PH_BOND_AXIAL ? 2 : 0; d < 3; d++)
                H -= (long double)b->c[0] * s[d] * t[d];
        }
    for (size_t i = 0; i < n; i++) {
        const ph_anisotropy *a = is->anisotropies;
        long double along = 0, square = 0;
        for (size_t d = 0; d < 3; d++) {
            along += (long double)a->axis[d] * z[3 * i + d];
            square += (long double)z[3 * i + d] * z[3 * i + d];
            H -= (long double)is->field[d] * z[3 * i + d];
            moment[d] += (long double)is->strengths[i] * z[3 * i + d];
        }
        H -= a->K[0] * along * along;
        residual = fmax(residual, (double)fabsl(sqrtl(square) - 1));
    }
    ph_measures m;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    ck_assert(!ph_diagnostics_measure(d, state, &m));
    ck_assert(!ph_spins_momentum(system, z, J));
    ck_assert_double_eq_tol(m.energy, (double)H, 1e-14 * (double)n);
    ck_assert_double_eq_tol(m.constraint_error, residual, 4e-16);
    ck_assert(residual > 1e-12 && m.kinetic == 0 && m.tangency == 0);
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(J[k], (double)moment[k], 1e-14 * (double)n);
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size += fabs(is->strengths[i]);
    ck_assert_double_eq_tol(m.momentum_size, size, 1e-12 * size);
    state->z[5] = NAN;
    ck_assert_int_eq(ph_diagnostics_measure(d, state, &m), PH_E_NOT_FINITE);
    free(z);
}

/* ---- Memory --------------------------------------------------------------------------------------------- */

static void *all_places(void *of)
{
    const ph_space *space = of;
    const size_t n = ph_space_factors(space);
    size_t wrong = 0;
    for (size_t m = 0; m < n; m++) {
        const size_t i = n - 1 - m;
        const ph_factor_place *f = ph_space_factor(space, i);
        wrong += f->kind != PH_FACTOR_SPIN || f->z != 3 * i || f->p != 0 || f->x != 2 * i || f->nz != 3 ||
                 f->np != 0 || f->nx != 2 || f->embedding;
    }
    return wrong ? of : NULL;
}

/* The places of factors, which are written when they are asked for, by several threads at once. */
TEST(places)
{
    enum { THREADS = 4 };
    const size_t n = 20000;
    pthread_t thread[THREADS];
    TK_MAKE(ph_space, space, ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_SPIN}, n, &space, NULL));
    for (size_t m = 0; m < THREADS; m++)
        ck_assert(!pthread_create(&thread[m], NULL, all_places, space));
    for (size_t m = 0; m < THREADS; m++) {
        void *wrong;
        ck_assert(!pthread_join(thread[m], &wrong));
        ck_assert(!wrong);
    }
    ck_assert(ph_space_ambient(space) == 3 * n && ph_space_dimension(space) == 2 * n &&
              ph_space_momenta(space) == 0 && ph_space_basis_size(space) == 6 * n);
}

static void *all_blocks(void *of)
{
    const ph_system *system = of;
    const size_t n = ph_spins_hessian_blocks(system), spins = ph_system_spins(system)->n;
    uint32_t *row = malloc(8 * (n + 1)), *column = row + n;
    bool right = n == 3 * spins && !ph_spins_hessian_places(system, row, column);
    for (size_t b = 0; b < n && right; b++) /* rows in their order, columns ascend to the diagonal */
        right = column[b] <= row[b] &&
                (!b || row[b] > row[b - 1] || (row[b] == row[b - 1] && column[b] > column[b - 1]));
    free(row);
    return right ? NULL : of;
}

/* The pattern of the second derivative likewise: a square lattice has two bonds and a diagonal for each spin. */
TEST(pattern)
{
    enum { THREADS = 4 };
    tk_random r = {2};
    TK_ENDS(graph_free) graph g = lattice(1, 120, 110);
    TK_OWN(ph_system) *system = make(120 * 110, &g, AXIAL_E3, 0, &r);
    pthread_t thread[THREADS];
    for (size_t m = 0; m < THREADS; m++)
        ck_assert(!pthread_create(&thread[m], NULL, all_blocks, system));
    for (size_t m = 0; m < THREADS; m++) {
        void *wrong;
        ck_assert(!pthread_join(thread[m], &wrong));
        ck_assert(!wrong);
    }
}

/* [bytes] The most memory that this process had so far. */
static double most_memory(void)
{
    struct rusage usage;
    ck_assert(!getrusage(RUSAGE_SELF, &usage));
    return 1024. * (double)usage.ru_maxrss;
}

/* A cubic lattice with exchange: its three bonds a site are lists of 24 bytes, which the system has again,
 * with about 2 bytes of runs. While it is created no more than 80 are taken besides the caller's list;
 * with integrator, state and diagnostics, by the splitting of spins, less than 200 with that list. */
TEST(memory)
{
    const size_t side = tk_thorough() ? 100 : 60, n = side * side * side;
    static const double J = 1;
    graph g = lattice(side, side, side);
    const ph_bonds bonds = {
        .kind = PH_BOND_EXCHANGE, .n = g.n, .first = g.first, .second = g.second, .c = &J, .uniform = true};
    const ph_system_definition definition = {.spins = &(ph_spins){.n = n, .bonds = &bonds, .n_bonds = 1}};
    const double before = most_memory();
    TK_MAKE(ph_system, system, ph_system_create(&definition, &system, NULL));
    const double created = most_memory();
    graph_free(&g);
    const ph_method *splitting = ph_method_find("spin-splitting", NULL);
    TK_OWN(ph_integrator) *it = sk_bind(system, splitting ? "spin-splitting" : "rk4", 0.01, NULL, 0);
    tk_random r = {1};
    TK_MEMORY double *z = malloc(3 * n * sizeof *z);
    sk_random_spins(&r, n, z);
    TK_OWN(ph_state) *state = sk_state(it, z);
    ph_measures m;
    TK_MAKE(ph_diagnostics, d, ph_diagnostics_create(system, &d, NULL));
    ck_assert(!ph_diagnostics_measure(d, state, &m));
    ck_assert(!ph_integrator_step(it, state, 2));
    const double all = most_memory(), list = 24;
    printf("%zu sites: creation %.1f bytes a site, all %.1f\n", n, (created - before) / (double)n,
           (all - before) / (double)n + list);
    if (!tk_short())
        ck_assert(created - before < 80 * (double)n);
    if (tk_thorough()) /* of smaller blocks malloc keeps more of what is freed */
        ck_assert((all - before) / (double)n + list < 200);
}

/* The torques of isotropic bonds sum to roundings, which have no mean: over many states the mean of the
 * sum is no more than its deviation allows. */
TEST(sums_of_torques)
{
    graph lists[3] = {lattice(1, 1, 100), lattice(4, 5, 6), {0, NULL, NULL}};
    static const size_t n[3] = {100, 120, 100};
    const size_t samples = tk_thorough() ? 20000 : 1000;
    for (size_t m = 0; m < 3; m++) {
        tk_random r = {88 + (uint64_t)m};
        TK_OWN(ph_system) *system = make(n[m], &lists[m], m == 2 ? VORTICES : 0, 0.1, &r);
        double z[3 * 120], T[3 * 120], mean[3] = {0, 0, 0}, square[3] = {0, 0, 0}, size = 0;
        for (size_t sample = 0; sample < samples; sample++) {
            double sum[3] = {0, 0, 0};
            sk_random_spins(&r, n[m], z);
            ck_assert(!ph_spins_torque(system, 0, z, T));
            size = fmax(size, largest(3 * n[m], T));
            for (size_t k = 0; k < 3; k++) {
                long double exactly = 0; /* the sum's own rounding is not meant */
                for (size_t i = 0; i < n[m]; i++)
                    exactly += T[3 * i + k];
                sum[k] = (double)exactly;
                mean[k] += sum[k] / (double)samples;
                square[k] += sum[k] * sum[k] / (double)samples;
            }
        }
        for (size_t k = 0; k < 3; k++) {
            const double deviation = sqrt(square[k] / (double)samples);
            printf("sum of torques %zu%c: mean %.1e +- %.1e, root of the mean square %.1e\n", m, "xyz"[k],
                   mean[k], deviation, sqrt(square[k]));
            ck_assert(fabs(mean[k]) < 4 * deviation);
            ck_assert_msg(sqrt(square[k]) < 1e-14 * size, "%g of %g", sqrt(square[k]), size);
        }
    }
    graph_free(&lists[0]);
    graph_free(&lists[1]);
}

int main(void)
{
    return tk_run("parts of spins");
}
