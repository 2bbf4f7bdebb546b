/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems that are given by their sparse inverse inertia, on rings, grids and any graph: everything that is done
 * with it, against dense matrices by LAPACK; elimination without interchanges against the banded one with them. */
#include "lib/kinds/net/net.h"
#include "tests/system/nets.h"

/* b <- W^{-1} b for each of d numbers */
static void dense_solve(const net *w, double *b)
{
    double A[NET_MOST * NET_MOST], column[NET_MOST];
    for (size_t c = 0; c < w->d; c++) {
        memcpy(A, w->W, w->n * w->n * sizeof *A);
        for (size_t i = 0; i < w->n; i++)
            column[i] = b[i * w->d + c];
        ck_assert_int_eq(tk_solve(w->n, A, column), 0);
        for (size_t i = 0; i < w->n; i++)
            b[i * w->d + c] = column[i];
    }
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
    double *F = calloc(ph_elimination_size(el), sizeof *F), *pairs = ph_elimination_pairs(el, F),
           size[NET_MOST];
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

TEST(sparse_algebra_is_that_of_dense_matrices)
{
    static const char *const what[] = {"MM v",        "W mu",     "W mu in place", "W (tau q)",
                                       "its terms",   "M",        "tensions",      "tensions, band",
                                       "both orders", "momentum", "velocity",      "free acceleration",
                                       "energy"};
    double worst[sizeof what / sizeof *what] = {0};
    tk_random seed = {631};
    for (size_t trial = 0; trial < NETS; trial++) {
        net w;
        size_t n = trial % NET_KINDS == GRID ? (2 + trial / NET_KINDS % 5) * (2 + trial / NET_KINDS % 5)
                                             : 1 + trial % NET_MOST,
               start[NET_MOST + 1];
        uint32_t neighbour[NET_MOST * NET_MOST], order[NET_MOST];
        net_fill(&w, (int)(trial % NET_KINDS), n, 0.3, &seed);
        TK_OWN(ph_space) *space = net_space(&w, trial % 7 == 0 ? 5 : 2 + trial % 2, trial % 4 == 0);
        random_numbers(&seed, w.pull, n * w.d);
        random_numbers(&seed, w.stiffness, n);
        w.coupling = 0.3;
        TK_OWN(ph_system) *system = net_system(&w, space, true), *dense = net_system(&w, space, false);
        size_t nz = n * w.d, np = ph_space_momenta(space);
        double z[NET_MOST_NZ], z1[NET_MOST_NZ], v[NET_MOST_NZ], mu[NET_MOST_NZ], out[NET_MOST_NZ],
            tau[NET_MOST], wanted[NET_MOST], T[NET_MOST * NET_MOST], M[NET_MOST * NET_MOST], own[NET_MOST],
            p[NET_MOST_NZ], p1[NET_MOST_NZ], x[NET_MOST], f[NET_MOST_NZ];
        TK_MEMORY double *F = malloc(ph_tension_size(system) * sizeof *F),
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

        net_inertia(&w, M);
        ck_assert_ptr_nonnull(ph_system_inertia(system));
        worst[5] = tk_max(worst[5], error_of(ph_system_inertia(system), M, n * n));
        for (size_t i = 0; i < n * n; i++)
            ck_assert(ph_system_inertia(system)[i] == ph_system_inertia(system)[i % n * n + i / n]);

        /* T tau = b: q' = q and q' elsewhere */
        for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
            const double *q1 = elsewhere ? z1 : z;
            double b[NET_MOST], LU[NET_MOST * NET_MOST];
            int sign, dense_sign, pivot[NET_MOST];
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
            ph_elimination *el;
            for (size_t i = 0; i < n; i++)
                b[i] = w.is_unit[i] ? b[i] : 0;
            TK_MEMORY ph_band *band = NULL;
            tk_ok(ph_band_create(&graph, &band));
            size_t narrow[NET_KINDS] = {[RING] = 2, [GRID] = (size_t)sqrt((double)n), n, n, n, 0};
            ck_assert_uint_le(band->width, narrow[trial % NET_KINDS]);
            TK_MEMORY double *B = calloc(ph_band_size(band), sizeof *B);
            for (size_t i = 0; i < n * n; i++)
                if (i / n == i % n || w.W[i] != 0)
                    *ph_band_entry(band, B, i / n, i % n) = T[i];
            tk_ok(ph_band_factor(band, B, &sign));
            ck_assert_int_eq(sign, dense_sign);
            memcpy(x, b, sizeof x);
            ph_band_solve(band, B, x);
            worst[7] = tk_max(worst[7], tk_max_difference(x, wanted, n));
            for (int by = 0; by < 2; by++) {
                ph_status status =
                    by ? ph_order_minimum_degree(&graph, order) : ph_order_cuthill_mckee(&graph, order);
                if (by && status == PH_E_UNSUPPORTED)
                    continue;
                tk_ok(status);
                tk_ok(ph_elimination_create(&graph, order, 0, &el));
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
        tk_ok(ph_system_momentum(system, 0, z, v, p, work));
        tk_ok(ph_system_momentum(dense, 0, z, v, p1, work1));
        worst[9] = tk_max(worst[9], error_of(p, p1, np));
        tk_ok(ph_system_velocity(system, 0, z, p1, out, work));
        worst[10] = tk_max(worst[10], tk_max_difference(out, v, nz));
        random_numbers(&seed, f, nz);
        for (int forced = 0; forced < 2; forced++) {
            tk_ok(net_gradient(&w, z, mu));
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
        tk_ok(ph_system_energy(system, 0, z, v, &T0, &U0, work));
        tk_ok(ph_system_energy(dense, 0, z, v, &T1, &U1, work1));
        ck_assert(U0 == U1);
        worst[12] = tk_max(worst[12], fabs(T0 / T1 - 1));
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

TEST(where_pivots_vanish_there_are_interchanges)
{
    static const double smalls[] = {0, 1e-9, 1e-3};
    tk_random seed = {5};
    double worst = 0, worst_alone = 0;
    for (size_t trial = 0; trial < 40; trial++) {
        net w;
        double q[NET_MOST_NZ], q1[NET_MOST_NZ], T[NET_MOST * NET_MOST], LU[NET_MOST * NET_MOST],
            wanted[NET_MOST], tau[NET_MOST], alone[NET_MOST];
        int sign = 0, dense_sign, pivot[NET_MOST];
        size_t n = trial % 2 ? 36 : 16;
        net_fill(&w, GRID, n, 0.3, &seed);
        TK_OWN(ph_space) *space = net_space(&w, 3, false);
        TK_OWN(ph_system) *system = net_system(&w, space, true);
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
        bool solved = solve_in_order(((const ph_net *)system->own)->elimination, T,
                                     ((const ph_net *)system->own)->own, alone, &pivots);
        ck_assert(small == 0 ? !solved : pivots.grown);
        if (small == 1e-9)
            worst_alone = tk_max(worst_alone, tk_max_difference(alone, wanted, n));
        free(F);
    }
    printf("tensions across: %.1f times the error of dense factors; without interchanges %.1e\n", worst,
           worst_alone);
    ck_assert_double_lt(worst, 100);
    ck_assert_double_gt(worst_alone, 1e-9);
}

/* q' anywhere: pivots of either sign, with interchanges and without. */
TEST(determinants_have_their_signs)
{
    tk_random seed = {77};
    double worst = 0;
    size_t signs[2][2] = {{0}}; /* by path and sign */
    for (size_t trial = 0; trial < 400; trial++) {
        net w;
        double q[NET_MOST_NZ], q1[NET_MOST_NZ], T[NET_MOST * NET_MOST], LU[NET_MOST * NET_MOST],
            wanted[NET_MOST], tau[NET_MOST], dense[NET_MOST];
        int sign = 0, dense_sign, pivot[NET_MOST];
        net_fill(&w, (int)(trial % NET_KINDS), trial % NET_KINDS == GRID ? 9 : 1 + trial % 12, 0.3, &seed);
        TK_OWN(ph_space) *space = net_space(&w, 3, trial % 5 == 0);
        TK_OWN(ph_system) *system = net_system(&w, space, true);
        TK_MEMORY double *F = malloc(ph_tension_size(system) * sizeof *F);
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
    }
    printf("anywhere: %zu + %zu - without interchanges, %zu + %zu - with them; "
           "%.1f times the error of dense factors\n",
           signs[0][0], signs[0][1], signs[1][0], signs[1][1], worst);
    ck_assert(signs[0][0] > 100 && signs[0][1] > 100 && signs[1][0] + signs[1][1] > 4);
    ck_assert_double_lt(worst, 20);
}

int main(void)
{
    return tk_run("sparse inverse inertias");
}
