/* SPDX-License-Identifier: BSD-3-Clause */
/* The fastest rate of small oscillations: closed forms, that of a hanging chain by the Laguerre polynomial, and
 * Lagrangians that have none. */
#include "tests/kit/testkit.h"

/* ---- Rates --------------------------------------------------------------------------------------- */

static const double B[9] = {1, 0.3, 0, 0.3, 2, -0.5, 0, -0.5, 4};

static ph_status quadratic(void *user, const double *z, double *U)
{
    (void)user;
    *U = 0;
    for (int i = 0; i < 9; i++)
        *U += 0.5 * z[i / 3] * B[i] * z[i % 3];
    return PH_OK;
}

static ph_status quadratic_gradient(void *user, const double *z, double *dU)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        dU[i] = ph_dot3(B + 3 * i, z);
    return PH_OK;
}

/* U = q.B q / 2: at e1, e2, e3 the second derivative along geodesics is the rest of B less B_ii. */
TEST_EACH(fastest_rate_with_a_curved_potential, 3)
{
    const double inertia = 0.7;
    double q[3] = {0, 0, 0}, rate = 0;
    size_t i = (size_t)_i, a = (i + 1) % 3, b = (i + 2) % 3;
    double mean = 0.5 * (B[4 * a] + B[4 * b]) - B[4 * i], half = 0.5 * (B[4 * a] - B[4 * b]);
    double expected = fabs(mean) + hypot(half, B[3 * a + b]); /* the larger eigenvalue of a 2 x 2 matrix */
    ph_system_definition d = {.inertia = &inertia, .potential = quadratic, .gradient = quadratic_gradient};
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    q[i] = 1;
    tk_ok(ph_system_fastest_rate(system, 0, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(expected / inertia), 1e-9);
}

/* n equal links hanging: w^2 = (g/l) x, x the largest zero of the Laguerre polynomial L_n. */
TEST_EACH(fastest_rate_of_a_hanging_chain, 4)
{
    static const size_t sizes[] = {1, 2, 5, 10};
    static const double zeros[] = {1, 3.414213562373095, 12.640800844275773, 29.92069701227393};
    double m[TK_MOST], l[TK_MOST], gravity[3] = {0, 0, -9.81}, q[3 * TK_MOST] = {0}, rate = 0;
    tk_chain c;
    for (size_t i = 0; i < TK_MOST; i++)
        m[i] = 0.4, l[i] = 0.3, q[3 * i + 2] = -1;
    tk_chain_fill(&c, sizes[_i], m, l, gravity);
    TK_OWN(ph_system) *system = tk_chain_system(&c);
    tk_ok(ph_system_fastest_rate(system, 0, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-8 * rate);
    for (size_t i = 0; i < sizes[_i]; i++)
        q[3 * i + 2] = 1; /* upright: the fastest growth has the same rate */
    tk_ok(ph_system_fastest_rate(system, 0, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[_i]), 1e-8 * rate);
}

/* The heavy top with a horizontal axis: U'' has the eigenvalues m g l / 2 and - m g l / 2 along a turn of the axis with a turn about it,
 * same size against the inertia (J_1 J_2)^(1/2). */
TEST(fastest_rate_of_both_signs)
{
    const double z[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double rate = 0;
    TK_OWN(ph_system) *system = tk_model("heavy-top");
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(15 * 9.81 / 2 / sqrt(0.46875 * 15.234375)), 1e-9);
}

/* A thousand links, beyond where there are dense matrices, turned by a symmetry so that no coordinate is special. */
TEST(fastest_rate_of_a_long_chain)
{
    enum { N = 1000 };
    const double zero = 3943.247394845271; /* the largest of L_1000 */
    const double links = N, mass = 0.1, length = 0.01, gravity[3] = {-6.54, 3.27, -6.54};
    const ph_parameter_value values[] = {
        {"links", &links, 1}, {"masses", &mass, 1}, {"lengths", &length, 1}, {"gravity", gravity, 3}};
    static double q[3 * N];
    double rate = 0;
    TK_OWN(ph_system) *system = NULL;
    tk_ok(ph_model_build(ph_model_find("chain-pendulum", NULL), values, 4, &system, tk_err));
    ck_assert(!ph_system_is_dense(system));
    for (size_t k = 0; k < 3 * N; k++)
        q[k] = gravity[k % 3] / 9.81;
    tk_ok(ph_system_fastest_rate(system, 0, q, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / length * zero), 1e-7 * rate);
}

/* A pendulum of mass m and length l with the inertia of special relativity, c = 3 m/s, hanging: sqrt(g/l) all
 * the same; and one whose inertia is m l^2 (2 + q_z + q_x): half of that squared. */
static ph_status relativistic(void *user, double t, const double *q, const double *v, double *L)
{
    const double m = 0.7, l = 0.4, c = 3;
    (void)user, (void)t;
    *L = -m * c * c * sqrt(1 - l * l * ph_dot3(v, v) / (c * c)) - m * 9.81 * l * q[2];
    return PH_OK;
}

static ph_status weight(void *user, const double *q, double *U)
{
    (void)user;
    *U = 0.7 * 9.81 * 0.4 * q[2];
    return PH_OK;
}

static ph_status weight_gradient(void *user, const double *q, double *dU)
{
    (void)user, (void)q;
    dU[0] = dU[1] = 0;
    dU[2] = 0.7 * 9.81 * 0.4;
    return PH_OK;
}

static ph_status heavier(void *user, const double *q, double *M)
{
    (void)user;
    *M = 0.7 * 0.4 * 0.4 * (3 + q[2] + q[0]);
    return PH_OK;
}

static ph_status heavier_dz(void *user, const double *q, double *dM)
{
    (void)user, (void)q;
    dM[0] = dM[2] = 0.7 * 0.4 * 0.4;
    dM[1] = 0;
    return PH_OK;
}

TEST_EACH(fastest_rate_of_other_lagrangians, 2)
{
    const double down[3] = {0, 0, -1};
    double rate = 0;
    ph_system_definition general_one = {.lagrangian = relativistic}, varying = {.inertia_at = heavier,
                                                                                .inertia_dz = heavier_dz,
                                                                                .potential = weight,
                                                                                .gradient = weight_gradient};
    TK_OWN(ph_system) *system = tk_create(_i ? &varying : &general_one, 1);
    tk_ok(ph_system_fastest_rate(system, 0, down, &rate, NULL));
    ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.4 / (_i ? 2 : 1)), 1e-8 * rate);
}

/* L = -|v|^2 / 2 has a rate, but no stable notion of one: its inertia is negative. */
static ph_status negative(void *user, double t, const double *q, const double *v, double *L)
{
    (void)user, (void)t, (void)q;
    *L = -0.5 * ph_dot3(v, v);
    return PH_OK;
}

/* m = 2 + t, U = t^2 q.z: at the time t, sqrt(t^2/(2 + t)) at the bottom. */
static ph_status growing(void *user, double t, const double *q, const double *v, double *L)
{
    (void)user;
    *L = 0.5 * (2 + t) * ph_dot3(v, v) - t * t * q[2];
    return PH_OK;
}

static ph_status growing_rate(void *user, double t, const double *q, const double *v, double *Lt, double *Lvt)
{
    (void)user;
    *Lt = 0.5 * ph_dot3(v, v) - 2 * t * q[2];
    memcpy(Lvt, v, 3 * sizeof *v);
    return PH_OK;
}

static ph_status later(void *user, double t, const double *q, double *U)
{
    (void)user;
    *U = t * t * q[2];
    return PH_OK;
}

static ph_status later_dz(void *user, double t, const double *q, double *dU)
{
    (void)user, (void)q;
    dU[2] += t * t;
    return PH_OK;
}

TEST_EACH(rates_at_a_time, 2)
{
    const double down[3] = {0, 0, -1}, inertia = 5;
    double rate = 0;
    ph_system_definition general_one = {.lagrangian = growing, .lagrangian_rate = growing_rate},
                         timed = {
                             .inertia = &inertia, .potential_in_time = later, .gradient_in_time = later_dz};
    TK_OWN(ph_system) *system = tk_create(_i ? &timed : &general_one, 1);
    tk_ok(ph_system_fastest_rate(system, 3, down, &rate, NULL));
    ck_assert_double_eq_tol(rate, 3 / sqrt(5), 1e-8);
}

/* U = cos(w t) q.x, which turns 16 000 times a second, and its rate, times a fault: differences resolve both. */
typedef struct field {
    double w, fault;
} field;

static ph_status fast(void *user, double t, const double *q, double *U)
{
    *U = cos(((const field *)user)->w * t) * q[0];
    return PH_OK;
}

static ph_status fast_dz(void *user, double t, const double *q, double *dU)
{
    (void)q;
    dU[0] += cos(((const field *)user)->w * t);
    return PH_OK;
}

static ph_status fast_rate(void *user, double t, const double *q, double *rate)
{
    const field *f = user;
    *rate = -f->fault * f->w * sin(f->w * t) * q[0];
    return PH_OK;
}

TEST_EACH(rate_of_a_fast_field, 2)
{
    field f = {1e5, _i ? 1.001 : 1};
    const double inertia = 1, q[3] = {0.6, 0, -0.8}, still[3] = {0};
    ph_system_definition d = {.inertia = &inertia,
                              .potential_in_time = fast,
                              .gradient_in_time = fast_dz,
                              .potential_rate = fast_rate,
                              .user = &f};
    ph_derivative_report r;
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    tk_ok(ph_system_check_derivatives(system, 0.3, q, still, &r, NULL));
    const ph_derivative_entry *e = ph_derivative_report_entry(&r, PH_DERIVATIVE_RATE);
    ck_assert_ptr_nonnull(e);
    if (_i)
        ck_assert_double_eq_tol(e->error, 0.001, 1e-5);
    else
        ck_assert_double_lt(e->error, 1e-7);
}

TEST(no_rate_without_inertia)
{
    const double down[3] = {0, 0, -1};
    double rate = 0;
    ph_system_definition d = {.lagrangian = negative};
    TK_OWN(ph_system) *system = tk_create(&d, 1);
    tk_refused(ph_system_fastest_rate(system, 0, down, &rate, tk_err), PH_E_SINGULAR,
               "its inertia is not positive definite");
}

int main(void)
{
    return tk_run("rates");
}
