/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks that people who write a model are given: a wrong gradient and a wrong df/dqdot are found and
 * named, right ones pass, and the fastest rate is that of the Laguerre polynomial for a hanging chain. */
#include "testkit.h"

/* One sphere, U = q.K q / 2 with the fault asked for; force f = -C qdot likewise. */
typedef struct faulty {
    int gradient,
        force; /* 0: right; gradient 1: sign of an entry, 2: a factor; force 1: rows and columns swapped */
} faulty;

static const double K[9] = {1, 0.3, 0, 0.3, 2, -0.5, 0, -0.5, 4}, C[9] = {1, 2, 0, 0.5, 3, 0.1, 0.2, 0, 1};

static void times(const double *A, const double *x, double sign, double *y)
{
    for (int i = 0; i < 3; i++)
        y[i] += sign * ph_dot3(A + 3 * i, x);
}

static ph_status potential(void *user, const double *z, double *U)
{
    double y[3] = {0, 0, 0};
    (void)user;
    times(K, z, 0.5, y);
    *U = ph_dot3(y, z);
    return PH_OK;
}

static ph_status gradient(void *user, const double *z, double *dU)
{
    const faulty *f = user;
    memset(dU, 0, 3 * sizeof *dU);
    times(K, z, f->gradient == 2 ? 1.01 : 1, dU);
    if (f->gradient == 1)
        dU[1] = -dU[1];
    return PH_OK;
}

static ph_status force(void *user, double t, const double *z, const double *zdot, double *out)
{
    (void)user, (void)t, (void)z;
    times(C, zdot, -1, out);
    return PH_OK;
}

static ph_status force_dv(void *user, double t, const double *z, const double *zdot, double *dfdv)
{
    const faulty *f = user;
    (void)t, (void)z, (void)zdot;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dfdv[3 * i + j] -= f->force ? C[3 * j + i] : C[3 * i + j];
    return PH_OK;
}

static ph_derivative_report report_of(faulty *f)
{
    const double inertia = 1, q[3] = {0.6, 0, 0.8}, v[3] = {0.8, 1, -0.6};
    ph_system_definition d = {.inertia = &inertia,
                              .potential = potential,
                              .gradient = gradient,
                              .force = force,
                              .force_dv = force_dv,
                              .user = f};
    ph_system *system = tk_create(&d, 1);
    ph_derivative_report r;
    tk_ok(ph_system_check_derivatives(system, 0, q, v, &r, NULL));
    ph_system_free(system);
    return r;
}

START_TEST(right_derivatives_pass)
{
    faulty f = {0, 0};
    ph_derivative_report r = report_of(&f);
    ck_assert_double_le(r.gradient_error, 1e-10);
    ck_assert_double_le(r.force_dv_error, 1e-8);
}
END_TEST

START_TEST(wrong_derivatives_are_named)
{
    faulty f = {_i + 1, 1};
    ph_derivative_report r = report_of(&f);
    ck_assert_double_gt(r.gradient_error, 1e-3);
    ck_assert_double_gt(fabs(r.gradient_given - r.gradient_expected), 1e-3);
    ck_assert_double_gt(r.force_dv_error, 0.1);
    /* the largest difference between C and its transpose stands at (0, 1) and (1, 0) */
    ck_assert_uint_eq(r.force_dv_row + r.force_dv_column, 1);
    ck_assert_double_eq_tol(r.force_dv_given, -(r.force_dv_row ? 2 : 0.5), 1e-8);
    ck_assert_double_eq_tol(r.force_dv_expected, -(r.force_dv_row ? 0.5 : 2), 1e-8);
}
END_TEST

/* Under a large constant the differences of U are rough; beside U that is no error. */
static ph_status high_potential(void *user, const double *z, double *U)
{
    (void)user;
    *U = 1e9 + 2 * z[2];
    return PH_OK;
}

static ph_status high_gradient(void *user, const double *z, double *dU)
{
    (void)user, (void)z;
    dU[0] = dU[1] = 0;
    dU[2] = 2;
    return PH_OK;
}

START_TEST(rounding_is_no_error)
{
    const double inertia = 1, q[3] = {0.28, 0, -0.96}, rest[3] = {0, 0, 0};
    ph_system_definition d = {.inertia = &inertia, .potential = high_potential, .gradient = high_gradient};
    ph_system *system = tk_create(&d, 1);
    ph_derivative_report r;
    tk_ok(ph_system_check_derivatives(system, 0, q, rest, &r, NULL));
    /* U is rounded by 6e-8, and differenced over 1e-3 with weights that sum to 3/2 */
    ck_assert_double_gt(fabs(r.gradient_given - r.gradient_expected), 1e-7);
    ck_assert_double_le(r.gradient_error, 2e-13);
    ph_system_free(system);
}
END_TEST

/* The differences of the force are as wide as the velocity asks, fast or slow. */
START_TEST(velocities_of_any_size)
{
    static const double speeds[] = {1e-6, 1, 1e6, 1e12};
    const double inertia = 1, q[3] = {0.6, 0, 0.8};
    faulty f = {0, 0};
    double v[3] = {0.8 * speeds[_i], speeds[_i], -0.6 * speeds[_i]};
    ph_system_definition d = {.inertia = &inertia, .force = force, .force_dv = force_dv, .user = &f};
    ph_system *system = tk_create(&d, 1);
    ph_derivative_report r;
    tk_ok(ph_system_check_derivatives(system, 0, q, v, &r, NULL));
    ck_assert_double_le(r.force_dv_error, 1e-8);
    ph_system_free(system);
}
END_TEST

/* U = q.K q / 2: at e1, e2, e3 the second derivative along geodesics is the rest of K less K_ii. */
START_TEST(fastest_rate_with_a_curved_potential)
{
    const double inertia = 0.7;
    faulty f = {0, 0};
    double q[3] = {0, 0, 0}, rate = 0;
    size_t i = (size_t)_i, a = (i + 1) % 3, b = (i + 2) % 3;
    double mean = 0.5 * (K[4 * a] + K[4 * b]) - K[4 * i], half = 0.5 * (K[4 * a] - K[4 * b]);
    double expected = fabs(mean) + hypot(half, K[3 * a + b]); /* the larger eigenvalue of a 2 x 2 matrix */
    ph_system_definition d = {.inertia = &inertia, .potential = potential, .gradient = gradient, .user = &f};
    ph_system *system = tk_create(&d, 1);
    q[i] = 1;
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(expected / inertia), 1e-6);
    ph_system_free(system);
}
END_TEST

/* n equal links hanging: w^2 = (g/l) x, x the largest zero of the Laguerre polynomial L_n. */
START_TEST(fastest_rate_of_a_hanging_chain)
{
    static const size_t sizes[] = {1, 2, 5, 10};
    static const double zeros[] = {1, 3.414213562373095, 12.640800844275773, 29.92069701227393};
    double m[TK_MOST], l[TK_MOST], gravity[3] = {0, 0, -9.81}, q[3 * TK_MOST] = {0}, rate = 0;
    tk_chain c;
    for (size_t i = 0; i < TK_MOST; i++)
        m[i] = 0.4, l[i] = 0.3, q[3 * i + 2] = -1;
    tk_chain_fill(&c, sizes[_i], m, l, gravity);
    ph_system *system = tk_chain_system(&c);
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-6 * rate);
    for (size_t i = 0; i < sizes[_i]; i++)
        q[3 * i + 2] = 1; /* upright: the fastest growth has the same rate */
    tk_ok(ph_system_fastest_rate(system, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-6 * rate);
    ph_system_free(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("derivatives");
    TCase *tc = tcase_create("derivatives");
    tcase_add_test(tc, right_derivatives_pass);
    tcase_add_loop_test(tc, wrong_derivatives_are_named, 0, 2);
    tcase_add_test(tc, rounding_is_no_error);
    tcase_add_loop_test(tc, velocities_of_any_size, 0, 4);
    tcase_add_loop_test(tc, fastest_rate_with_a_curved_potential, 0, 3);
    tcase_add_loop_test(tc, fastest_rate_of_a_hanging_chain, 0, 4);
    suite_add_tcase(suite, tc);
    return tk_main(suite);
}
