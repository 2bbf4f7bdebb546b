/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that are given by their sparse inverse inertia, on rings, grids and any graph: all that is done
 * with it against dense matrices by LAPACK, and where they are large against closed forms (circulant and grid
 * matrices) and against linkages; elimination without interchanges against the banded one with them; motion
 * against that with the same inertia in full; and what is refused. */
#include "tests/kit/testkit.h"
#include "tests/kit/untried.h"

#include "lib/system/system.h"

enum { MOST = 36, MOST_D = 5, MOST_NZ = MOST * MOST_D, NETS = 240 };

/* An inverse inertia in both forms. */
typedef struct net {
    size_t n, d, entries, row[MOST * (MOST + 1) / 2], column[MOST * (MOST + 1) / 2];
    double value[MOST * (MOST + 1) / 2], W[MOST * MOST];
    bool is_unit[MOST];
    double stiffness[MOST], pull[MOST_NZ], coupling; /* of the potential */
} net;

enum { RING, GRID, STAR, ANY, CROWD, APART, KINDS };

static bool coupled(int kind, size_t n, size_t i, size_t j, tk_random *seed) /* j < i */
{
    size_t side = (size_t)sqrt((double)n);
    switch (kind) {
    case RING:
        return i - j == 1 || i - j == n - 1;
    case GRID:
        return i - j == side || (i - j == 1 && i % side);
    case STAR:
        return j == n / 2 || i == n / 2;
    case ANY:
        return tk_uniform(seed, 0, 1) < 3 / (double)n;
    case CROWD:
        return true;
    default:
        return false;
    }
}

/* Symmetric, with dominant diagonal, then scaled by a different unit for each factor. */
static void fill(net *w, int kind, size_t n, double margin, tk_random *seed)
{
    double unit[MOST];
    *w = (net){.n = n};
    for (size_t i = 0; i < n; i++) {
        unit[i] = tk_log_uniform(seed, 0.3, 3);
        for (size_t j = 0; j < i; j++)
            if (coupled(kind, n, i, j, seed)) {
                double value = tk_uniform(seed, -1, 1);
                w->W[i * n + j] = w->W[j * n + i] = value;
                w->W[i * n + i] += fabs(value);
                w->W[j * n + j] += fabs(value);
            }
    }
    for (size_t i = 0; i < n; i++)
        w->W[i * n + i] += margin;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            w->W[i * n + j] *= unit[i] * unit[j];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (w->W[i * n + j] != 0)
                w->entries++;
    size_t at = w->entries / 2; /* in no order in particular */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (w->W[i * n + j] != 0) {
                at = at ? at - 1 : w->entries - 1;
                w->row[at] = i;
                w->column[at] = j;
                w->value[at] = w->W[i * n + j];
            }
}

static ph_sparse sparse_of(const net *w)
{
    return (ph_sparse){w->n, w->entries, w->row, w->column, w->value};
}

/* b <- W^{-1} b for each of d numbers */
static void dense_solve(const net *w, double *b)
{
    double A[MOST * MOST], column[MOST];
    for (size_t c = 0; c < w->d; c++) {
        memcpy(A, w->W, w->n * w->n * sizeof *A);
        for (size_t i = 0; i < w->n; i++)
            column[i] = b[i * w->d + c];
        ck_assert_int_eq(tk_solve(w->n, A, column), 0);
        for (size_t i = 0; i < w->n; i++)
            b[i * w->d + c] = column[i];
    }
}

/* M <- W^{-1}, exactly symmetric */
static void dense_inverse(const net *w, double *M)
{
    size_t n = w->n;
    for (size_t j = 0; j < n; j++) {
        double A[MOST * MOST];
        memcpy(A, w->W, n * n * sizeof *A);
        for (size_t i = 0; i < n; i++)
            M[j * n + i] = i == j;
        ck_assert_int_eq(tk_solve(n, A, M + j * n), 0);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            M[i * n + j] = M[j * n + i] = 0.5 * (M[i * n + j] + M[j * n + i]);
}

/* U = sum k_i |z_i|^4 / 4 + pull . z + c sum z_i . z_(i+1): nothing special, with a gradient off the
 * manifold, too. */
static ph_status potential(void *user, const double *z, double *U)
{
    const net *w = user;
    *U = 0;
    for (size_t i = 0; i < w->n; i++) {
        double square = 0;
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++) {
            square += z[k] * z[k];
            *U += w->pull[k] * z[k] + (i + 1 < w->n ? w->coupling * z[k] * z[k + w->d] : 0);
        }
        *U += 0.25 * w->stiffness[i] * square * square;
    }
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const net *w = user;
    for (size_t i = 0; i < w->n; i++) {
        double square = 0;
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++)
            square += z[k] * z[k];
        for (size_t k = i * w->d; k < (i + 1) * w->d; k++)
            dU[k] = w->pull[k] + w->stiffness[i] * square * z[k] +
                    w->coupling * ((i + 1 < w->n ? z[k + w->d] : 0) + (i ? z[k - w->d] : 0));
    }
    return PH_OK;
}

/* S^2 and R^3, S^1 and R^2, or R^5: by the trial, `mixed` with every third an R^d. */
static ph_space *make_space(net *w, size_t d, bool mixed)
{
    ph_factor factors[MOST] = {{0}};
    ph_space *space = NULL;
    w->d = d;
    for (size_t i = 0; i < w->n; i++) {
        w->is_unit[i] = d < 4 && !(mixed && i % 3 == 1);
        factors[i] = (ph_factor){.kind = !w->is_unit[i] ? PH_FACTOR_R
                                         : d == 3       ? PH_FACTOR_S2
                                                        : PH_FACTOR_S1,
                                 .d = d};
    }
    tk_ok(ph_space_create(factors, w->n, &space, NULL));
    return space;
}

/* The system by its inverse inertia, or by its inertia in full. */
static ph_system *make_system(net *w, const ph_space *space, bool sparse)
{
    double M[MOST * MOST];
    ph_sparse W = sparse_of(w);
    ph_system *system = NULL;
    ph_error err = {PH_OK, ""};
    ph_system_definition d = {.space = space, .potential = potential, .gradient = gradient, .user = w};
    if (sparse)
        d.inverse_inertia = &W;
    else
        dense_inverse(w, M), d.inertia = M;
    ph_status status = ph_system_create(&d, &system, &err);
    ck_assert_msg(status == PH_OK, "%s", err.message);
    return system;
}

static void random_numbers(tk_random *seed, double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i] = tk_uniform(seed, -1, 1);
}

static double largest(const double *v, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = tk_max(most, fabs(v[i]));
    return most;
}

/* |a - b| relative to b */
static double error_of(const double *a, const double *b, size_t n)
{
    return tk_max_difference(a, b, n) / largest(b, n);
}

/* T (n x n) from its definition. */
static void tension_matrix(const net *w, const double *q1, const double *q, double *T)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++) {
            double product = 0;
            for (size_t k = 0; k < w->d; k++)
                product += q1[i * w->d + k] * q[j * w->d + k];
            T[i * w->n + j] = w->is_unit[i] && w->is_unit[j] ? w->W[i * w->n + j] * product : i == j;
        }
}

/* The same solution by this elimination alone, whatever becomes of its pivots; false where there is none. */
static bool solve_in_order(const ph_elimination *el, const double *T, const double *own, double *x,
                           ph_pivots *pivots)
{
    size_t n = el->n;
    double *F = calloc(ph_elimination_size(el), sizeof *F), *pairs = ph_elimination_pairs(el, F), size[MOST];
    for (size_t k = 0; k < n; k++) {
        ph_elimination_diagonal(F)[k] = T[el->order[k] * (n + 1)];
        size[k] = own[el->order[k]];
        for (size_t e = el->start[k]; e < el->start[k + 1]; e++) {
            ck_assert(el->later[e] > k && (e == el->start[k] || el->later[e] > el->later[e - 1]));
            ck_assert_uint_eq(ph_elimination_entry(el, k, el->later[e]), e);
            pairs[2 * e] = T[el->order[el->later[e]] * n + el->order[k]];
            pairs[2 * e + 1] = T[el->order[k] * n + el->order[el->later[e]]];
        }
    }
    ph_status status = ph_elimination_factor(el, F, size, pivots);
    if (!status)
        ph_elimination_solve(el, F, x);
    free(F);
    return !status;
}

/* Graph of the entries of W; start (n + 1), neighbour (n n). */
static ph_graph graph_of(const net *w, size_t *start, uint32_t *neighbour)
{
    size_t many = 0;
    for (size_t i = 0; i < w->n; i++) {
        start[i] = many;
        for (size_t j = 0; j < w->n; j++)
            if (j != i && w->W[i * w->n + j] != 0)
                neighbour[many++] = (uint32_t)j;
    }
    start[w->n] = many;
    return (ph_graph){w->n, start, neighbour};
}

START_TEST(sparse_algebra_is_that_of_dense_matrices)
{
    static const char *const what[] = {"MM v",        "W mu",     "W mu in place", "W (tau q)",
                                       "its terms",   "M",        "tensions",      "tensions, band",
                                       "both orders", "momentum", "velocity",      "free acceleration",
                                       "energy"};
    double worst[sizeof what / sizeof *what] = {0};
    tk_random seed = {631};
    for (size_t trial = 0; trial < NETS; trial++) {
        net w;
        size_t n = trial % KINDS == GRID ? (2 + trial / KINDS % 5) * (2 + trial / KINDS % 5)
                                         : 1 + trial % MOST,
               start[MOST + 1];
        uint32_t neighbour[MOST * MOST], order[MOST];
        fill(&w, (int)(trial % KINDS), n, 0.3, &seed);
        ph_space *space = make_space(&w, trial % 7 == 0 ? 5 : 2 + trial % 2, trial % 4 == 0);
        random_numbers(&seed, w.pull, n * w.d);
        random_numbers(&seed, w.stiffness, n);
        w.coupling = 0.3;
        ph_system *system = make_system(&w, space, true), *dense = make_system(&w, space, false);
        size_t nz = n * w.d, np = ph_space_momenta(space);
        double z[MOST_NZ], z1[MOST_NZ], v[MOST_NZ], mu[MOST_NZ], out[MOST_NZ], tau[MOST], wanted[MOST],
            T[MOST * MOST], M[MOST * MOST], own[MOST], p[MOST_NZ], p1[MOST_NZ], x[MOST], f[MOST_NZ];
        double *F = malloc(ph_tension_size(system) * sizeof *F),
               *work = malloc(ph_system_work(system) * sizeof *work),
               *work1 = malloc(ph_system_work(dense) * sizeof *work1);
        ck_assert(ph_system_is_sparse(system) && ph_system_is_dense(system) && !ph_system_is_sparse(dense));
        random_numbers(&seed, z, nz);
        random_numbers(&seed, v, nz);
        tk_ok(ph_space_project(space, z));
        for (size_t k = 0; k < nz; k++)
            z1[k] = z[k] + tk_uniform(&seed, -0.3, 0.3);

        memcpy(out, v, sizeof out);
        dense_solve(&w, out);
        ph_system_apply_inertia(system, v, mu);
        worst[0] = tk_max(worst[0], error_of(mu, out, nz));

        for (size_t i = 0; i < nz; i++) {
            out[i] = 0;
            for (size_t j = 0; j < n; j++)
                out[i] += w.W[i / w.d * n + j] * v[j * w.d + i % w.d];
        }
        ph_system_apply_inverse_inertia(system, v, mu);
        worst[1] = tk_max(worst[1], error_of(mu, out, nz));
        memcpy(mu, v, sizeof mu);
        ph_system_apply_inverse_inertia(system, mu, mu);
        worst[2] = tk_max(worst[2], error_of(mu, out, nz));

        random_numbers(&seed, tau, n);
        for (size_t i = 0; i < nz; i++) {
            out[i] = 0;
            for (size_t j = 0; j < n; j++)
                out[i] += w.is_unit[j] ? w.W[i / w.d * n + j] * tau[j] * z[j * w.d + i % w.d] : 0;
        }
        ph_tension_pull(system, z, tau, mu);
        worst[3] = tk_max(worst[3], tk_max_difference(mu, out, nz) / largest(w.W, n * n));
        ph_tension_terms(system, tau, own);
        for (size_t i = 0; i < n; i++) {
            x[i] = 0;
            for (size_t j = 0; j < n; j++)
                x[i] += w.is_unit[j] ? fabs(w.W[i * n + j] * tau[j]) : 0;
        }
        worst[4] = tk_max(worst[4], tk_max_difference(own, x, n) / largest(w.W, n * n));
        ph_tension_own(system, own);
        for (size_t i = 0; i < n; i++)
            ck_assert(own[i] == (w.is_unit[i] ? w.W[i * n + i] : 1));

        dense_inverse(&w, M);
        ck_assert_ptr_nonnull(ph_system_inertia(system));
        worst[5] = tk_max(worst[5], error_of(ph_system_inertia(system), M, n * n));
        for (size_t i = 0; i < n * n; i++)
            ck_assert(ph_system_inertia(system)[i] == ph_system_inertia(system)[i % n * n + i / n]);

        /* T tau = b: q' = q and q' elsewhere */
        for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
            const double *q1 = elsewhere ? z1 : z;
            double b[MOST], LU[MOST * MOST];
            int sign, dense_sign, pivot[MOST];
            tension_matrix(&w, q1, z, T);
            random_numbers(&seed, wanted, n);
            for (size_t i = 0; i < n; i++) {
                wanted[i] = w.is_unit[i] ? wanted[i] : 0;
                b[i] = w.is_unit[i] ? 0 : 7;
                for (size_t j = 0; j < n && w.is_unit[i]; j++)
                    b[i] += T[i * n + j] * wanted[j];
            }
            memcpy(LU, T, sizeof LU);
            tk_ok(ph_lu_factor(n, LU, pivot, &dense_sign));
            tk_ok(ph_tension_factor(system, q1, z, F, &sign));
            ck_assert_int_eq(sign, dense_sign);
            memcpy(tau, b, sizeof tau);
            ph_tension_solve(system, F, tau);
            worst[6] = tk_max(worst[6], tk_max_difference(tau, wanted, n));
            if (!elsewhere)
                ck_assert(F[0] == 0 && sign == 1); /* positive definite: never by the band */

            /* the band on its own, and the elimination in either order */
            ph_pivots pivots;
            ph_graph graph = graph_of(&w, start, neighbour);
            ph_band *band;
            ph_elimination *el;
            for (size_t i = 0; i < n; i++)
                b[i] = w.is_unit[i] ? b[i] : 0;
            tk_ok(ph_band_create(&graph, &band));
            size_t narrow[KINDS] = {[RING] = 2, [GRID] = (size_t)sqrt((double)n), n, n, n, 0};
            ck_assert_uint_le(band->width, narrow[trial % KINDS]);
            double *B = calloc(ph_band_size(band), sizeof *B);
            for (size_t i = 0; i < n * n; i++)
                if (i / n == i % n || w.W[i] != 0)
                    *ph_band_entry(band, B, i / n, i % n) = T[i];
            tk_ok(ph_band_factor(band, B, &sign));
            ck_assert_int_eq(sign, dense_sign);
            memcpy(x, b, sizeof x);
            ph_band_solve(band, B, x);
            worst[7] = tk_max(worst[7], tk_max_difference(x, wanted, n));
            free(B);
            free(band);
            for (int by = 0; by < 2; by++) {
                ph_status status =
                    by ? ph_order_minimum_degree(&graph, order) : ph_order_cuthill_mckee(&graph, order);
                if (by && status == PH_E_UNSUPPORTED)
                    continue;
                tk_ok(status);
                tk_ok(ph_elimination_create(&graph, order, &el));
                memcpy(x, b, sizeof x);
                if (solve_in_order(el, T, own, x, &pivots) && !pivots.grown)
                    worst[8] = tk_max(worst[8], tk_max_difference(x, wanted, n));
                else
                    ck_assert(elsewhere);
                free(el);
            }
        }

        /* what the system in full says */
        ph_space_project_tangent(space, z, v);
        tk_ok(ph_system_momentum(system, z, v, p, work));
        tk_ok(ph_system_momentum(dense, z, v, p1, work1));
        worst[9] = tk_max(worst[9], error_of(p, p1, np));
        tk_ok(ph_system_velocity(system, z, p1, out, work));
        worst[10] = tk_max(worst[10], tk_max_difference(out, v, nz));
        random_numbers(&seed, f, nz);
        for (int forced = 0; forced < 2; forced++) {
            tk_ok(gradient(&w, z, mu));
            for (size_t k = 0; k < nz; k++)
                mu[k] = (forced ? f[k] : 0) - mu[k];
            for (size_t i = 0; i < nz; i++) {
                x[0] = 0;
                for (size_t j = 0; j < n; j++)
                    x[0] += w.W[i / w.d * n + j] * mu[j * w.d + i % w.d];
                out[i] = x[0];
            }
            tk_ok(ph_system_free_acceleration(system, z, forced ? f : NULL, mu));
            worst[11] = tk_max(worst[11], error_of(mu, out, nz));
        }
        double T0, T1, U0, U1;
        tk_ok(ph_system_energy(system, z, v, &T0, &U0, work));
        tk_ok(ph_system_energy(dense, z, v, &T1, &U1, work1));
        ck_assert(U0 == U1);
        worst[12] = tk_max(worst[12], fabs(T0 / T1 - 1));
        free(F);
        free(work);
        free(work1);
        ph_system_free(system);
        ph_system_free(dense);
        ph_space_free(space);
    }
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        printf("nets, error of %s: %.1e\n", what[i], worst[i]);
    /* Rounding times conditions, which the units spoil for the band and the velocity: it interchanges by
     * them. */
    static const double most[] = {5e-14, 3e-15, 3e-15, 3e-15, 3e-15, 1e-14, 1e-14,
                                  3e-13, 1e-14, 1e-14, 5e-13, 3e-15, 1e-14};
    for (size_t i = 0; i < sizeof what / sizeof *what; i++)
        ck_assert_msg(worst[i] < most[i], "%s: %g", what[i], worst[i]);
}
END_TEST

/* q' at right angles to q everywhere, and along its neighbours: T has no diagonal. */
static void place_across(const net *w, double small, double *q, double *q1)
{
    size_t side = (size_t)sqrt((double)w->n);
    memset(q, 0, w->n * 3 * sizeof *q);
    memset(q1, 0, w->n * 3 * sizeof *q1);
    for (size_t i = 0; i < w->n; i++) {
        size_t colour = (i / side + i % side) % 2;
        q[3 * i + colour] = 1;
        q1[3 * i + 1 - colour] = sqrt(1 - small * small);
        q1[3 * i + colour] = small;
    }
}

START_TEST(where_pivots_vanish_there_are_interchanges)
{
    static const double smalls[] = {0, 1e-9, 1e-3};
    tk_random seed = {5};
    double worst = 0, worst_alone = 0;
    for (size_t trial = 0; trial < 40; trial++) {
        net w;
        double q[MOST_NZ], q1[MOST_NZ], T[MOST * MOST], LU[MOST * MOST], wanted[MOST], tau[MOST], alone[MOST];
        int sign = 0, dense_sign, pivot[MOST];
        size_t n = trial % 2 ? 36 : 16;
        fill(&w, GRID, n, 0.3, &seed);
        ph_space *space = make_space(&w, 3, false);
        ph_system *system = make_system(&w, space, true);
        double *F = malloc(ph_tension_size(system) * sizeof *F), small = smalls[trial % 3];
        place_across(&w, small, q, q1);
        tension_matrix(&w, q1, q, T);
        memcpy(LU, T, sizeof LU);
        tk_ok(ph_lu_factor(n, LU, pivot, &dense_sign));
        random_numbers(&seed, wanted, n);
        for (size_t i = 0; i < n; i++) {
            tau[i] = 0;
            for (size_t j = 0; j < n; j++)
                tau[i] += T[i * n + j] * wanted[j];
        }
        memcpy(alone, tau, sizeof alone);
        ph_lu_solve(n, LU, pivot, alone);
        double lost = tk_max_difference(alone, wanted, n); /* the condition of T */
        tk_ok(ph_tension_factor(system, q1, q, F, &sign));
        ck_assert(F[0] == 1);
        ck_assert_int_eq(sign, dense_sign);
        memcpy(alone, tau, sizeof alone);
        ph_tension_solve(system, F, tau);
        worst = tk_max(worst, tk_max_difference(tau, wanted, n) / (1e-15 + lost));
        /* without them */
        ph_pivots pivots;
        bool solved = solve_in_order(system->net->elimination, T, system->net->own, alone, &pivots);
        ck_assert(small == 0 ? !solved : pivots.grown);
        if (small == 1e-9)
            worst_alone = tk_max(worst_alone, tk_max_difference(alone, wanted, n));
        free(F);
        ph_system_free(system);
        ph_space_free(space);
    }
    printf("tensions across: %.1f times the error of dense factors; without interchanges %.1e\n", worst,
           worst_alone);
    ck_assert_double_lt(worst, 100);
    ck_assert_double_gt(worst_alone, 1e-9);
}
END_TEST

/* q' anywhere: pivots of either sign, with interchanges and without. */
START_TEST(determinants_have_their_signs)
{
    tk_random seed = {77};
    double worst = 0;
    size_t signs[2][2] = {{0}}; /* by path and sign */
    for (size_t trial = 0; trial < 400; trial++) {
        net w;
        double q[MOST_NZ], q1[MOST_NZ], T[MOST * MOST], LU[MOST * MOST], wanted[MOST], tau[MOST], dense[MOST];
        int sign = 0, dense_sign, pivot[MOST];
        fill(&w, (int)(trial % KINDS), trial % KINDS == GRID ? 9 : 1 + trial % 12, 0.3, &seed);
        ph_space *space = make_space(&w, 3, trial % 5 == 0);
        ph_system *system = make_system(&w, space, true);
        double *F = malloc(ph_tension_size(system) * sizeof *F);
        for (size_t i = 0; i < w.n; i++) {
            tk_unit(&seed, q + 3 * i);
            tk_unit(&seed, q1 + 3 * i);
        }
        tension_matrix(&w, q1, q, T);
        memcpy(LU, T, sizeof LU);
        tk_ok(ph_lu_factor(w.n, LU, pivot, &dense_sign));
        random_numbers(&seed, wanted, w.n);
        for (size_t i = 0; i < w.n; i++) {
            tau[i] = 0;
            for (size_t j = 0; j < w.n; j++)
                tau[i] += w.is_unit[j] ? T[i * w.n + j] * wanted[j] : 0;
        }
        for (size_t i = 0; i < w.n; i++)
            wanted[i] = w.is_unit[i] ? wanted[i] : 0;
        memcpy(dense, tau, sizeof dense);
        ph_lu_solve(w.n, LU, pivot, dense);
        tk_ok(ph_tension_factor(system, q1, q, F, &sign));
        ck_assert_int_eq(sign, dense_sign);
        signs[F[0] == 1][sign < 0]++;
        ph_tension_solve(system, F, tau);
        worst = tk_max(worst,
                       tk_max_difference(tau, wanted, w.n) / (1e-13 + tk_max_difference(dense, wanted, w.n)));
        free(F);
        ph_system_free(system);
        ph_space_free(space);
    }
    printf("anywhere: %zu + %zu - without interchanges, %zu + %zu - with them; "
           "%.1f times the error of dense factors\n",
           signs[0][0], signs[0][1], signs[1][0], signs[1][1], worst);
    ck_assert(signs[0][0] > 100 && signs[0][1] > 100 && signs[1][0] + signs[1][1] > 4);
    ck_assert_double_lt(worst, 20);
}
END_TEST

/* ---- Large ones --------------------------------------------------------------------------------- */

typedef struct large {
    size_t n, entries, *row, *column;
    double *value;
    ph_space *space;
    ph_system *system;
} large;

static void begin(large *l, size_t n)
{
    *l = (large){.n = n, .row = malloc(3 * n * sizeof *l->row), .column = malloc(3 * n * sizeof *l->column)};
    l->value = malloc(3 * n * sizeof *l->value);
    ck_assert(l->row && l->column && l->value);
}

static void add(large *l, size_t i, size_t j, double value)
{
    l->row[l->entries] = i > j ? i : j;
    l->column[l->entries] = i > j ? j : i;
    l->value[l->entries++] = value;
}

static void create(large *l)
{
    ph_sparse W = {l->n, l->entries, l->row, l->column, l->value};
    ph_error err = {PH_OK, ""};
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S2}, l->n, &l->space, NULL));
    ph_system_definition d = {.space = l->space, .inverse_inertia = &W};
    ck_assert_msg(!ph_system_create(&d, &l->system, &err), "%s", err.message);
    /* the system has its own copy */
    const ph_sparse *copy = ph_system_inverse_inertia(l->system);
    ck_assert_ptr_nonnull(copy);
    ck_assert(copy->n == l->n && copy->entries == l->entries && copy->row != l->row);
    ck_assert(!memcmp(copy->row, l->row, l->entries * sizeof *l->row) &&
              !memcmp(copy->column, l->column, l->entries * sizeof *l->column) &&
              !memcmp(copy->value, l->value, l->entries * sizeof *l->value));
    free(l->row);
    free(l->column);
    free(l->value);
}

static void end(large *l)
{
    ph_system_free(l->system);
    ph_space_free(l->space);
}

/* T tau by way of accelerations, not of T. */
static void apply_tensions(const large *l, const double *q1, const double *q, const double *tau, double *b)
{
    double *v = malloc(3 * l->n * sizeof *v);
    ph_tension_pull(l->system, q, tau, v);
    for (size_t i = 0; i < l->n; i++)
        b[i] = ph_dot3(q1 + 3 * i, v + 3 * i);
    free(v);
}

/* Solutions of T tau = b at random directions, here and elsewhere; *error <- the largest of tau, which is of
 * order one. Returns doubles of F for each factor. */
static double solve_large(const large *l, double *error)
{
    size_t n = l->n, nz = 3 * n;
    tk_random seed = {17};
    double *q = malloc(nz * sizeof *q), *q1 = malloc(nz * sizeof *q1), *tau = malloc(n * sizeof *tau),
           *b = malloc(n * sizeof *b), *F = malloc(ph_tension_size(l->system) * sizeof *F);
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
    free(q);
    free(q1);
    free(tau);
    free(b);
    free(F);
    return (double)ph_tension_size(l->system) / (double)n;
}

/* A ring W_ii = 2 + c, W_i,i+1 = -1: waves cos(k i + a) are its eigenvectors. */
START_TEST(rings_are_linear)
{
    enum { N = 10000 };
    static double v[3 * N], mu[3 * N], back[3 * N];
    const double c = 0.01;
    large l;
    double error, rate;
    begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        add(&l, i, (i + 1) % N, -1);
        add(&l, i, i, 2 + c);
    }
    create(&l);
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
    ck_assert_int_eq(ph_system_fastest_rate(l.system, v, &rate, NULL), PH_E_UNSUPPORTED);
    double *F = malloc(ph_tension_size(l.system) * sizeof *F); /* with a band to turn to */
    ck_assert(F && l.system->net->band);
    for (size_t k = 0; k < 3; k++) {
        v[0] = k == 0 ? NAN : k == 1 ? INFINITY : 1e200;
        ck_assert_int_eq(ph_tension_factor(l.system, v, v, F, NULL), PH_E_SINGULAR);
    }
    free(F);
    end(&l);
}
END_TEST

/* Was the library built with AMD? */
static bool by_degree(void)
{
    static const size_t start[2] = {0, 0};
    const ph_graph one = {1, start, NULL};
    uint32_t order;
    return ph_order_minimum_degree(&one, &order) == PH_OK;
}

/* A square grid, W_ii = 4 + c and -1 between neighbours: products of sines that vanish beyond its edges. */
START_TEST(grids_take_little_more)
{
    enum { SIDE = 100, N = SIDE * SIDE };
    static double v[3 * N], mu[3 * N];
    const double c = 0.01, step = M_PI / (SIDE + 1);
    large l;
    double error, worst = 0, waves[3][2] = {{1, 2}, {30, 7}, {99, 50}}, *F;
    begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        add(&l, i, i, 4 + c);
        if (i % SIDE)
            add(&l, i, i - 1, -1);
        if (i >= SIDE)
            add(&l, i, i - SIDE, -1);
    }
    create(&l);
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
    ck_assert_int_eq(l.system->net->band != NULL, !by_degree());
    F = malloc(ph_tension_size(l.system) * sizeof *F);
    net across = {.n = N};
    double *q = malloc(3 * N * sizeof *q), *q1 = malloc(3 * N * sizeof *q1);
    place_across(&across, 0, q, q1);
    if (by_degree()) /* where T has no diagonal, nothing is left without a band */
        ck_assert_int_eq(ph_tension_factor(l.system, q1, q, F, NULL), PH_E_SINGULAR);
    q[7] = NAN;
    ck_assert_int_eq(ph_tension_factor(l.system, q, q, F, NULL), PH_E_SINGULAR);
    free(q);
    free(q1);
    free(F);
    end(&l);
}
END_TEST

/* A tree of links is a net, too: its inverse inertia by entries against what the linkage knows of itself. */
START_TEST(linkages_are_nets)
{
    enum { N = 2000 };
    static double length[N], mass[N], tau[N], tau1[N], v[3 * N], v1[3 * N], mu[3 * N], z[3 * N];
    static size_t parent[N];
    tk_random seed = {3};
    large l;
    begin(&l, 4 * N); /* room for siblings */
    l.n = N;
    for (size_t i = 0; i < N; i++) {
        parent[i] = i ? (i - 1) / 2 : PH_NO_INDEX;
        length[i] = tk_log_uniform(&seed, 0.5, 2);
        mass[i] = tk_log_uniform(&seed, 0.5, 2);
        tk_unit(&seed, z + 3 * i);
    }
    for (size_t i = 0; i < N; i++) {
        double shared = i ? 1 / mass[parent[i]] : 0;
        add(&l, i, i, (1 / mass[i] + shared) / (length[i] * length[i]));
        if (i)
            add(&l, i, parent[i], -shared / (length[i] * length[parent[i]]));
        if (i && i % 2 == 0)
            add(&l, i, i - 1, shared / (length[i] * length[i - 1]));
    }
    create(&l);
    ph_linkage description = {.parent = parent, .length = length, .mass = mass};
    ph_system_definition d = {.space = l.space, .linkage = &description};
    ph_system *tree;
    tk_ok(ph_system_create(&d, &tree, NULL));
    ck_assert(!ph_system_inverse_inertia(tree) && !ph_system_linkage(l.system));
    random_numbers(&seed, mu, 3 * N);
    random_numbers(&seed, tau, N);
    memcpy(tau1, tau, sizeof tau);
    double *F = malloc(ph_tension_size(l.system) * sizeof *F),
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
    double filled = (double)l.system->net->elimination->entries / (double)l.system->net->couplings;
    printf("binary tree: %.2f entries for each coupling\n", filled);
    ck_assert_double_le(filled, by_degree() ? 1.2 : 1);
    ck_assert_double_lt(apart[0], 1e-15);
    ck_assert_double_lt(apart[1], 1e-11); /* condition of W, which the linkage does without */
    ck_assert_double_lt(apart[2], 1e-13);
    free(F);
    free(F1);
    ph_system_free(tree);
    end(&l);
}
END_TEST

/* ---- Motion ------------------------------------------------------------------------------------- */

/* The same steps as with the inertia in full, on nets of unit vectors in space, in a plane, and among R^d's;
 * and by rk4 in the form tensions the same motion, but for the error of order 4 with which either leaves the
 * manifold. */
START_TEST(motion_is_that_of_the_inertia_in_full)
{
    tk_random seed = {2718};
    double worst = 0, worst_rk4 = 0;
    for (size_t trial = 0; trial < 24; trial++) {
        net w;
        fill(&w, trial % 2 ? RING : GRID, trial % 2 ? 3 + trial / 4 : 9, 0.5, &seed);
        ph_space *space = make_space(&w, 2 + trial / 2 % 2, trial % 3 == 0);
        random_numbers(&seed, w.pull, w.n * w.d);
        for (size_t i = 0; i < w.n; i++)
            w.stiffness[i] = 1;
        w.coupling = 0.3;
        double z[MOST_NZ], v[MOST_NZ];
        ph_system *systems[2];
        ph_integrator *its[2];
        ph_state *states[2];
        for (int k = 0; k < 2; k++)
            systems[k] = make_system(&w, space, !k);
        tk_random_motion(systems[1], &seed, z, v);
        for (int k = 0; k < 2; k++) {
            tk_start(systems[k], "variational", NULL, 0.02, z, v, &its[k], &states[k]);
            tk_ok(ph_integrator_step(its[k], states[k], 50));
        }
        worst = tk_max(worst, tk_max_difference(states[0]->z, states[1]->z, w.n * w.d));
        worst = tk_max(worst, error_of(states[0]->p, states[1]->p, ph_space_momenta(space)));
        for (int k = 0; k < 2; k++) {
            tk_end(its[k], states[k]);
            tk_start(systems[k], "rk4", k ? "q-qdot" : "tensions", 0.001, z, v, &its[k], &states[k]);
            tk_ok(ph_integrator_step(its[k], states[k], 20));
        }
        worst_rk4 = tk_max(worst_rk4, tk_max_difference(states[0]->z, states[1]->z, w.n * w.d));
        for (int k = 0; k < 2; k++) {
            tk_end(its[k], states[k]);
            ph_system_free(systems[k]);
        }
        ph_space_free(space);
    }
    printf("50 steps, sparse inverse against inertia in full: %.1e; by rk4 %.1e\n", worst, worst_rk4);
    ck_assert_double_lt(worst, 1e-12);
    ck_assert_double_lt(worst_rk4, 1e-11);
}
END_TEST

/* A ring of 1000, beyond dense matrices, on which nothing pulls: its angular momentum, all three components,
 * is kept, and the error of the energy is of order 2. */
START_TEST(a_long_ring_keeps_its_momentum)
{
    enum { N = 1000 };
    static double z[3 * N], v[3 * N];
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tk_random seed = {12};
    large l;
    double largest_error[2] = {0}, momentum = 0, away = 0;
    begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        add(&l, i, i, 3);
        add(&l, i, (i + 1) % N, -1);
    }
    create(&l);
    tk_random_motion(l.system, &seed, z, v);
    for (int fine = 0; fine < 2; fine++) {
        double h = fine ? 0.01 : 0.02, E0 = 0, J0[3] = {0},
               *work = malloc(ph_system_work(l.system) * sizeof *work), *zdot = malloc(3 * N * sizeof *zdot);
        ph_integrator *it;
        ph_state *state;
        tk_start(l.system, "variational", NULL, h, z, v, &it, &state);
        for (int k = 0; k <= 20; k++) {
            double T, U, J[3] = {0};
            if (k)
                tk_ok(ph_integrator_step(it, state, fine ? 10 : 5));
            tk_ok(ph_system_velocity(l.system, state->z, state->p, zdot, work));
            tk_ok(ph_system_energy(l.system, state->z, zdot, &T, &U, work));
            for (size_t i = 0; i < N; i++) {
                for (size_t a = 0; a < 3; a++)
                    J[a] += ph_dot3(axes[a], state->p + 3 * i);
                away = tk_max(away, fabs(ph_norm3(state->z + 3 * i) - 1));
            }
            if (!k) {
                E0 = T;
                memcpy(J0, J, sizeof J);
            }
            largest_error[fine] = tk_max(largest_error[fine], fabs(T / E0 - 1));
            momentum = tk_max(momentum, tk_max_difference(J, J0, 3) / largest(state->p, 3 * N));
        }
        tk_end(it, state);
        free(work);
        free(zdot);
    }
    printf("ring of %d: energy %.1e, at half the step %.1e, momentum %.1e, |q| %.1e\n", N, largest_error[0],
           largest_error[1], momentum, away);
    ck_assert_double_eq_tol(largest_error[0] / largest_error[1], 4, 0.4);
    ck_assert_double_lt(momentum, 1e-12); /* a sum of 1000 */
    ck_assert_double_lt(away, 5e-16);
    end(&l);
}
END_TEST

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)zdot, (void)z;
    f[0] += cos(t);
    return PH_OK;
}

START_TEST(a_force_on_a_net_leaves_it_one)
{
    tk_random seed = {1};
    net w;
    double z[MOST_NZ], v[MOST_NZ], a[MOST_NZ], b[MOST_NZ];
    fill(&w, RING, 5, 0.5, &seed);
    ph_space *space = make_space(&w, 3, false);
    ph_system *base = make_system(&w, space, true), *forced = NULL;
    ph_system_definition d = {.force = push, .force_ignores_velocity = true};
    tk_ok(ph_system_create_forced(base, &d, &forced, NULL));
    ck_assert(ph_system_is_sparse(forced) && ph_system_inertia(forced));
    ck_assert_ptr_eq(ph_system_inverse_inertia(forced), ph_system_inverse_inertia(base));
    ck_assert_uint_eq(ph_tension_size(forced), ph_tension_size(base));
    tk_random_motion(base, &seed, z, v);
    ph_system_apply_inertia(base, v, a);
    ph_system_apply_inertia(forced, v, b);
    ck_assert(!memcmp(a, b, 15 * sizeof *a));
    /* the check of a model says of a net what it says of the same system in full */
    ph_system *full = make_system(&w, space, false);
    ph_derivative_report report, report1;
    double rate, rate1;
    random_numbers(&seed, w.pull, 15);
    tk_ok(ph_system_check_derivatives(base, 0, z, v, &report, NULL));
    tk_ok(ph_system_check_derivatives(full, 0, z, v, &report1, NULL));
    ck_assert_uint_eq(report.n, report1.n);
    ck_assert(report.n > 0 && report.entry[0].what == PH_DERIVATIVE_POTENTIAL &&
              report.entry[0].error < 1e-9);
    tk_ok(ph_system_fastest_rate(base, z, &rate, NULL));
    tk_ok(ph_system_fastest_rate(full, z, &rate1, NULL));
    ck_assert_double_eq_tol(rate, rate1, 1e-7 * rate1);
    ph_system_free(full);
    ph_sparse W = sparse_of(&w);
    ph_system *refused = NULL;
    d.inverse_inertia = &W;
    ck_assert_int_eq(ph_system_create_forced(base, &d, &refused, NULL), PH_E_INVALID);
    ck_assert_ptr_null(refused);
    ph_system_free(forced);
    ph_system_free(base);
    ph_space_free(space);
}
END_TEST

/* ---- Refusals ----------------------------------------------------------------------------------- */

START_TEST(bad_matrices_are_refused)
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
        ph_error err = {PH_OK, ""};
        tk_ok(ph_space_create(rows[i].factors, 3, &space, NULL));
        ph_system_definition d = {.space = space, .inverse_inertia = &rows[i].W};
        ck_assert_msg(ph_system_create(&d, &system, &err) == rows[i].status, "row %zu: \"%s\"", i,
                      err.message);
        ck_assert_msg(!strncmp(err.message, rows[i].message, strlen(rows[i].message)), "\"%s\"", err.message);
        ck_assert(!system == !!rows[i].status);
        ph_system_free(system);
        d.inertia = good;
        ck_assert_int_eq(ph_system_create(&d, &system, &err), PH_E_INVALID);
        ck_assert_ptr_nonnull(strstr(err.message, "2 of them are given"));
        ph_space_free(space);
    }
    /* the Laplacian of a long ring, singular, whose last pivot is a sum of roundings */
    large l;
    ph_space *space = NULL;
    ph_system *system = NULL;
    begin(&l, 1000);
    for (size_t i = 0; i < 1000; i++) {
        double stiffness = 1 + 0.5 * sin((double)i), before = 1 + 0.5 * sin((double)((i + 999) % 1000));
        add(&l, i, i, stiffness + before);
        add(&l, i, (i + 1) % 1000, -stiffness);
    }
    tk_ok(ph_space_create_power(&(ph_factor){.kind = PH_FACTOR_S1}, 1000, &space, NULL));
    ph_sparse W = {1000, l.entries, l.row, l.column, l.value};
    ph_system_definition d = {.space = space, .inverse_inertia = &W};
    ck_assert_int_eq(ph_system_create(&d, &system, NULL), PH_E_SINGULAR);
    free(l.row);
    free(l.column);
    free(l.value);
    ph_space_free(space);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sparse inverse inertias");
    if (!by_degree())
        untried(suite, "nets by minimum degree: this build has no AMD");
    TCase *tcase = tcase_create("nets");
    tcase_add_test(tcase, sparse_algebra_is_that_of_dense_matrices);
    tcase_add_test(tcase, where_pivots_vanish_there_are_interchanges);
    tcase_add_test(tcase, determinants_have_their_signs);
    tcase_add_test(tcase, rings_are_linear);
    tcase_add_test(tcase, grids_take_little_more);
    tcase_add_test(tcase, linkages_are_nets);
    tcase_add_test(tcase, motion_is_that_of_the_inertia_in_full);
    tcase_add_test(tcase, a_long_ring_keeps_its_momentum);
    tcase_add_test(tcase, a_force_on_a_net_leaves_it_one);
    tcase_add_test(tcase, bad_matrices_are_refused);
    suite_add_tcase(suite, tcase);
    return tk_main(suite);
}
