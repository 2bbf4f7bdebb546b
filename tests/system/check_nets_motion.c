/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion with a sparse inverse inertia against that with the same inertia in full. */
#include "tests/system/nets.h"

/* ---- Motion ------------------------------------------------------------------------------------- */

/* The same steps as with the inertia in full, on nets of unit vectors in space, in a plane, and among R^d's;
 * and by rk4 in the form tensions the same motion, but for the error of order 4 with which either leaves the
 * manifold. */
TEST(motion_is_that_of_the_inertia_in_full)
{
    tk_random seed = {2718};
    double worst = 0, worst_rk4 = 0;
    for (size_t trial = 0; trial < 24; trial++) {
        net w;
        net_fill(&w, trial % 2 ? RING : GRID, trial % 2 ? 3 + trial / 4 : 9, 0.5, &seed);
        TK_OWN(ph_space) *space = net_space(&w, 2 + trial / 2 % 2, trial % 3 == 0);
        random_numbers(&seed, w.pull, w.n * w.d);
        for (size_t i = 0; i < w.n; i++)
            w.stiffness[i] = 1;
        w.coupling = 0.3;
        double z[NET_MOST_NZ], v[NET_MOST_NZ];
        ph_system *systems[2];
        ph_integrator *its[2];
        ph_state *states[2];
        for (int k = 0; k < 2; k++)
            systems[k] = net_system(&w, space, !k);
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
    }
    printf("50 steps, sparse inverse against inertia in full: %.1e; by rk4 %.1e\n", worst, worst_rk4);
    ck_assert_double_lt(worst, 1e-12);
    ck_assert_double_lt(worst_rk4, 1e-11);
}

/* A ring of 1000, beyond dense matrices, on which nothing pulls: its angular momentum, all three components,
 * is kept, and the error of the energy is of order 2. */
TEST(a_long_ring_keeps_its_momentum)
{
    enum { N = 1000 };
    static double z[3 * N], v[3 * N];
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tk_random seed = {12};
    TK_ENDS(large_end) large l;
    double largest_error[2] = {0}, momentum = 0, away = 0;
    large_begin(&l, N);
    for (size_t i = 0; i < N; i++) {
        large_add(&l, i, i, 3);
        large_add(&l, i, (i + 1) % N, -1);
    }
    large_create(&l);
    tk_random_motion(l.system, &seed, z, v);
    for (int fine = 0; fine < 2; fine++) {
        double h = fine ? 0.01 : 0.02, E0 = 0, J0[3] = {0},
               *work = malloc(ph_system_work(l.system) * sizeof *work), *zdot = malloc(3 * N * sizeof *zdot);
        TK_START(it, state, l.system, "variational", NULL, h, z, v);
        for (int k = 0; k <= 20; k++) {
            double T, U, J[3] = {0};
            if (k)
                tk_ok(ph_integrator_step(it, state, fine ? 10 : 5));
            tk_ok(ph_system_velocity(l.system, 0, state->z, state->p, zdot, work));
            tk_ok(ph_system_energy(l.system, 0, state->z, zdot, &T, &U, work));
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
        free(work);
        free(zdot);
    }
    printf("ring of %d: energy %.1e, at half the step %.1e, momentum %.1e, |q| %.1e\n", N, largest_error[0],
           largest_error[1], momentum, away);
    ck_assert_double_eq_tol(largest_error[0] / largest_error[1], 4, 0.4);
    ck_assert_double_lt(momentum, 1e-12); /* a sum of 1000 */
    ck_assert_double_lt(away, 5e-16);
}

static ph_status push(void *user, double t, const double *z, const double *zdot, double *f)
{
    (void)user, (void)zdot, (void)z;
    f[0] += cos(t);
    return PH_OK;
}

TEST(a_force_on_a_net_leaves_it_one)
{
    tk_random seed = {1};
    net w;
    double z[NET_MOST_NZ], v[NET_MOST_NZ], a[NET_MOST_NZ], b[NET_MOST_NZ];
    net_fill(&w, RING, 5, 0.5, &seed);
    TK_OWN(ph_space) *space = net_space(&w, 3, false);
    TK_OWN(ph_system) *base = net_system(&w, space, true), *forced = NULL;
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
    ph_system *full = net_system(&w, space, false);
    ph_derivative_report report, report1;
    double rate, rate1;
    random_numbers(&seed, w.pull, 15);
    tk_ok(ph_system_check_derivatives(base, 0, z, v, &report, NULL));
    tk_ok(ph_system_check_derivatives(full, 0, z, v, &report1, NULL));
    ck_assert_uint_eq(report.n, report1.n);
    ck_assert(report.n > 0 && report.entry[0].what == PH_DERIVATIVE_POTENTIAL &&
              report.entry[0].error < 1e-9);
    tk_ok(ph_system_fastest_rate(base, 0, z, &rate, NULL));
    tk_ok(ph_system_fastest_rate(full, 0, z, &rate1, NULL));
    ck_assert_double_eq_tol(rate, rate1, 1e-7 * rate1);
    ph_system_free(full);
    ph_sparse W = net_sparse(&w);
    ph_system *refused = NULL;
    d.inverse_inertia = &W;
    ck_assert_int_eq(ph_system_create_forced(base, &d, &refused, NULL), PH_E_INVALID);
    ck_assert_ptr_null(refused);
}

int main(void)
{
    return tk_run("motion with sparse inverse inertias");
}
