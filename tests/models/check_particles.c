/* SPDX-License-Identifier: BSD-3-Clause */
/* The models of particles on circles and spheres (planar and coupled pendula, dipoles, particles on a sphere)
 * against their definitions: energies term by term, frequencies of small motions, motions known exactly,
 * symmetries, and what they refuse. (Chains in space: check_chain.c.) */
#include "tests/kit/testkit.h"

#include <float.h>
#include <stdbool.h>

enum { N = 6, NZ = 3 * N };
static const double eps = DBL_EPSILON;

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)

/* ---- Planar pendulum and chain --------------------------------------------------------------------- */

/* Period of a pendulum let go at th0: 2 pi sqrt(l/g) / agm(1, cos(th0/2)). */
TEST(planar_pendulum_has_its_period)
{
    const ph_parameter_value v[] = {{"length", VALUES(0.7)}, {"mass", VALUES(3)}, {"gravity", VALUES(9.81)}};
    double a = 1, b = cos(acos(-1) / 6), h[3], error[3], z[2], zdot[2], U;
    for (int k = 0; k < 8; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double period = 2 * acos(-1) * sqrt(0.7 / 9.81) / a;
    TK_OWN(ph_system) *system = tk_build_at("planar-pendulum", v, 3, NULL, z, zdot);
    ck_assert_double_eq_tol(z[0], sqrt(0.75), 4 * eps); /* 60 degrees from hanging */
    ck_assert_double_eq_tol(z[1], -0.5, 4 * eps);
    tk_ok(ph_system_potential(system, z, &U));
    ck_assert_double_eq_tol(U, -3 * 9.81 * 0.7 * 0.5, 1e-14 * 20);
    ck_assert_double_eq_tol(ph_system_inertia(system)[0], 3 * 0.49, 1e-15);
    for (int k = 0; k < 3; k++) { /* a quarter of it: there it is fast, and hangs */
        int64_t steps = 50 << k;
        h[k] = period / 4 / (double)steps;
        TK_START(it, state, system, "variational", NULL, h[k], z, zdot);
        tk_ok(ph_integrator_step(it, state, steps));
        error[k] = fabs(state->z[0]);
    }
    double slope = tk_slope(h, error, 3);
    printf("planar pendulum: off after a quarter of its period by %.1e, slope %.3f\n", error[2], slope);
    ck_assert_double_eq_tol(slope, 2, 0.02);
    ck_assert_double_le(error[2], 1e-4);
}

/* It goes round: th' keeps its sign. Energy 2.5^2/2 - 1 = 2.125 m g l is above that of upright. */
TEST(whirling_goes_round)
{
    double z[2], zdot[2];
    TK_OWN(ph_system) *system = tk_build_at("planar-pendulum", NULL, 0, "whirling", z, zdot);
    TK_START(it, state, system, "variational", NULL, 0.01, z, zdot);
    for (int k = 0; k < 1000; k++) {
        tk_ok(ph_integrator_step(it, state, 1));
        ck_assert(state->p[0] > 0);
    }
}

static void random_chain(tk_random *r, size_t n, double *m, double *l)
{
    for (size_t i = 0; i < n; i++) {
        m[i] = tk_log_uniform(r, 0.3, 3);
        l[i] = tk_log_uniform(r, 0.3, 3);
    }
}

/* A chain in space that starts in a plane stays there: the model in the plane moves alike, whichever way
 * gravity points. */
TEST_EACH(planar_chain_is_a_chain_in_a_plane, N)
{
    size_t n = 1 + (size_t)_i;
    tk_random r = {7 + n};
    double m[N], l[N], flat[2 * N], v[2 * N], z[NZ], zdot[NZ], worst = 0;
    double g = n % 2 ? 9.81 : -9.81, G[3] = {0, -g, 0};
    random_chain(&r, n, m, l);
    const ph_parameter_value planar[] = {
        {"masses", m, n}, {"lengths", l, n}, {"links", (const double[]){(double)n}, 1}, {"gravity", &g, 1}};
    const ph_parameter_value spatial[] = {planar[0], planar[1], planar[2], {"gravity", G, 3}};
    TK_OWN(ph_system) *a = tk_build("planar-chain", planar, 4), *b = tk_build("chain-pendulum", spatial, 4);
    ck_assert(!memcmp(ph_system_inertia(a), ph_system_inertia(b), n * n * sizeof(double)));
    ck_assert_uint_eq(ph_system_symmetries(a), 0);
    tk_random_motion(a, &r, flat, v);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) {
            z[3 * i + k] = k < 2 ? flat[2 * i + k] : 0;
            zdot[3 * i + k] = k < 2 ? v[2 * i + k] : 0;
        }
    TK_START(ita, sa, a, "variational", NULL, 0.002, flat, v);
    TK_START(itb, sb, b, "variational", NULL, 0.002, z, zdot);
    tk_ok(ph_integrator_step(ita, sa, 200));
    tk_ok(ph_integrator_step(itb, sb, 200));
    for (size_t i = 0; i < n; i++) {
        worst = tk_max(worst, fabs(sa->p[i] - sb->p[3 * i + 2]) / (1 + fabs(sa->p[i])));
        for (size_t k = 0; k < 2; k++)
            worst = tk_max(worst, fabs(sa->z[2 * i + k] - sb->z[3 * i + k]));
    }
    printf("%zu links in a plane and in space: apart by %.1e after 200 steps\n", n, worst);
    ck_assert_double_le(worst, 1e-11); /* roundings, let grow by the motion */
}

/* Equal links hanging: (g/l) times the zeros of the Laguerre polynomial; upright the same, negative. */
TEST(planar_chain_has_the_laguerre_frequencies)
{
    static const double zeros[5] = {.263560319718141, 1.413403059106517, 3.596425771040722, 7.085810005858838,
                                    12.640800844275783};
    const ph_parameter_value v[] = {{"masses", VALUES(0.4)}, {"lengths", VALUES(0.3)}, {"links", VALUES(5)}};
    double z[10], zdot[10], w2[5], rate, worst = 0;
    TK_OWN(ph_system) *system = tk_build("planar-chain", v, 3);
    for (int up = 0; up < 2; up++) {
        tk_preset("planar-chain", v, 3, up ? "upright" : "hanging", z, zdot);
        tk_spectrum(system, z, w2);
        for (int k = 0; k < 5; k++)
            worst = tk_max(worst, fabs((up ? -w2[4 - k] : w2[k]) / (9.81 / 0.3) - zeros[k]) / zeros[4]);
        tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
        ck_assert_double_eq_tol(rate, sqrt(9.81 / 0.3 * zeros[4]), 1e-6 * rate);
    }
    printf("planar chain: squares of the rates off by %.1e of the largest\n", worst);
    ck_assert_double_le(worst, 1e-7);
}

/* ---- Coupled pendula ------------------------------------------------------------------------------- */

static long double spring_length(const double *l, double a, const double *z, size_t i)
{
    long double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        long double d =
            (long double)l[i + 1] * z[3 * i + 3 + k] - (long double)l[i] * z[3 * i + k] + (k ? 0 : a);
        sum += d * d;
    }
    return sqrtl(sum);
}

TEST(coupled_pendula_have_their_energy)
{
    tk_random r = {71};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        size_t n = 1 + (size_t)trial % N;
        double m[N], l[N], G[3] = {tk_normal(&r), tk_normal(&r), tk_normal(&r)}, a = tk_uniform(&r, 0, 2),
                           k = tk_uniform(&r, 0, 5), L = tk_uniform(&r, 0, 2), z[NZ], zdot[NZ], U;
        long double V = 0, T = 0, size = 0;
        random_chain(&r, n, m, l);
        const ph_parameter_value v[] = {{"masses", m, n},
                                        {"lengths", l, n},
                                        {"spacing", &a, 1},
                                        {"stiffness", &k, 1},
                                        {"gravity", G, 3},
                                        {"rest_length", &L, 1},
                                        {"pendula", (const double[]){(double)n}, 1}};
        TK_OWN(ph_system) *system = tk_build("coupled-pendula", v, 7);
        tk_random_motion(system, &r, z, zdot);
        for (size_t i = 0; i < n; i++) {
            V -= (long double)m[i] * l[i] * ph_dot3(G, z + 3 * i);
            T += (long double)m[i] * l[i] * l[i] * ph_dot3(zdot + 3 * i, zdot + 3 * i) / 2;
            size += m[i] * l[i] * ph_norm3(G);
            if (i + 1 < n) {
                long double s = spring_length(l, a, z, i) - L;
                V += k / 2 * s * s;
                size += k / 2 * (s * s + fabsl(s));
            }
        }
        tk_ok(ph_system_potential(system, z, &U));
        worst = tk_max(worst, (double)(fabsl(U - V) / size));
        worst = tk_max(worst, (double)fabsl(tk_kinetic(system, z, zdot) / T - 1));
    }
    printf("coupled pendula: energies off by %.1e\n", worst);
    ck_assert_double_le(worst, 30 * eps);
}

/* Equal pendula, springs at rest: across the row each has g/l; along it g/l + 4 (k/m) sin^2(pi j/(2n)). */
TEST_EACH(coupled_pendula_have_their_normal_modes, N)
{
    size_t n = 1 + (size_t)_i;
    const double g = 9.81, l = 0.8, m = 1.5, k = 20;
    const ph_parameter_value v[] = {
        {"masses", &m, 1},        {"lengths", &l, 1},           {"stiffness", &k, 1},
        {"spacing", VALUES(0.4)}, {"rest_length", VALUES(0.4)}, {"pendula", (const double[]){(double)n}, 1}};
    double z[NZ], zdot[NZ], w2[2 * N], expected[2 * N], worst = 0, rate;
    TK_OWN(ph_system) *system = tk_build_at("coupled-pendula", v, 6, "hanging", z, zdot);
    tk_spectrum(system, z, w2);
    for (size_t j = 0; j < n; j++) {
        double s = sin(acos(-1) * (double)j / (double)(2 * n));
        expected[j] = g / l;
        expected[n + j] = g / l + 4 * k / m * s * s; /* both ascend, and the second begins with g/l */
    }
    for (size_t j = 0; j < 2 * n; j++)
        worst = tk_max(worst, fabs(w2[j] - expected[j]) / expected[2 * n - 1]);
    tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
    worst = tk_max(worst, fabs(rate * rate / expected[2 * n - 1] - 1));
    printf("%zu coupled pendula: squares of the rates off by %.1e\n", n, worst);
    ck_assert_double_le(worst, 1e-6);
}

/* ---- Dipoles --------------------------------------------------------------------------------------- */

TEST(dipoles_have_their_energy)
{
    tk_random r = {81};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        size_t n = 1 + (size_t)trial % N, columns = (size_t)tk_uniform(&r, 0, 5), row = columns ? columns : n;
        double a = tk_uniform(&r, 0.5, 2), J = tk_uniform(&r, 0.1, 2), k = tk_uniform(&r, 0, 3), z[NZ],
               zdot[NZ], U;
        const ph_parameter_value v[] = {{"dipoles", (const double[]){(double)n}, 1},
                                        {"columns", (const double[]){(double)columns}, 1},
                                        {"spacing", &a, 1},
                                        {"inertia", &J, 1},
                                        {"coupling", &k, 1}};
        long double V = 0, T = 0, size = 0;
        TK_OWN(ph_system) *system = tk_build("dipole-array", v, 5);
        tk_random_motion(system, &r, z, zdot);
        for (size_t i = 0; i < n; i++) {
            T += (long double)J * ph_dot3(zdot + 3 * i, zdot + 3 * i) / 2;
            for (size_t j = i + 1; j < n; j++) {
                long double d[3] = {a * ((double)(i % row) - (double)(j % row)),
                                    a * ((double)(i / row) - (double)(j / row)), 0},
                            r2 = d[0] * d[0] + d[1] * d[1], one = 0, other = 0, both = 0;
                for (size_t c = 0; c < 3; c++) {
                    one += z[3 * i + c] * d[c];
                    other += z[3 * j + c] * d[c];
                    both += (long double)z[3 * i + c] * z[3 * j + c];
                }
                V += k * (both * r2 - 3 * one * other) / (r2 * r2 * sqrtl(r2));
                size += 4 * k / (r2 * sqrtl(r2));
            }
        }
        tk_ok(ph_system_potential(system, z, &U));
        worst = tk_max(worst, (double)(fabsl(U - V) / (size + DBL_MIN)));
        worst = tk_max(worst, (double)fabsl(tk_kinetic(system, z, zdot) / T - 1));
    }
    printf("dipoles: energies off by %.1e\n", worst);
    ck_assert_double_le(worst, 30 * eps);
}

/* An aligned row: U's second derivative in u, the part of q across the row, has 2 k sum_j r_ij^-3 on its
 * diagonal and k r_ij^-3 off it, for both directions; for two dipoles the squared rates are 3 k/(J a^3) and
 * k/(J a^3). */
TEST_EACH(aligned_dipoles_have_their_modes, N - 1)
{
    const double a = 0.7, J = 0.3, k = 1.3;
    size_t n = 2 + (size_t)_i;
    const ph_parameter_value v[] = {{"dipoles", (const double[]){(double)n}, 1},
                                    {"spacing", &a, 1},
                                    {"inertia", &J, 1},
                                    {"coupling", &k, 1}};
    double z[NZ], zdot[NZ], w2[2 * N], expected[N], K[N * N] = {0}, M[N * N] = {0}, worst = 0;
    for (size_t i = 0; i < n; i++) {
        M[i * n + i] = J;
        for (size_t j = 0; j < n; j++)
            if (j != i) {
                K[i * n + j] = k / pow(a * fabs((double)i - (double)j), 3);
                K[i * n + i] += 2 * K[i * n + j];
            }
    }
    ck_assert_int_eq(tk_eigen(n, K, M, expected), 0);
    if (n == 2) {
        ck_assert_double_eq_tol(expected[0], k / (J * a * a * a), 1e-13 * expected[1]);
        ck_assert_double_eq_tol(expected[1], 3 * k / (J * a * a * a), 1e-13 * expected[1]);
    }
    TK_OWN(ph_system) *system = tk_build_at("dipole-array", v, 4, "aligned", z, zdot);
    tk_spectrum(system, z, w2);
    for (size_t i = 0; i < 2 * n; i++)
        worst = tk_max(worst, fabs(w2[i] - expected[i / 2]) / expected[n - 1]);
    printf("%zu dipoles in a row: squares of the rates off by %.1e\n", n, worst);
    ck_assert_double_le(worst, 1e-6);
}

/* ---- Particles on a sphere ------------------------------------------------------------------------- */

TEST(sphere_n_body_has_its_energy)
{
    tk_random r = {91};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        size_t n = 1 + (size_t)trial % N;
        double m[N], l[N], gamma = tk_normal(&r), z[NZ], zdot[NZ], U;
        long double V = 0, T = 0, size = DBL_MIN;
        random_chain(&r, n, m, l);
        const ph_parameter_value v[] = {
            {"masses", m, n}, {"gamma", &gamma, 1}, {"particles", (const double[]){(double)n}, 1}};
        TK_OWN(ph_system) *system = tk_build("sphere-n-body", v, 3);
        ck_assert_uint_eq(ph_system_symmetries(system), 3);
        tk_random_motion(system, &r, z, zdot);
        for (size_t i = 0; i < n; i++) {
            T += (long double)m[i] * ph_dot3(zdot + 3 * i, zdot + 3 * i) / 2;
            for (size_t j = i + 1; j < n; j++) {
                long double c = 0;
                for (size_t k = 0; k < 3; k++)
                    c += (long double)z[3 * i + k] * z[3 * j + k];
                long double s2 = 1 - c * c;
                V -= gamma * m[i] * m[j] * c / sqrtl(s2);
                size +=
                    fabs(gamma) * m[i] * m[j] / powl(s2, 1.5L); /* 1/s^2: of the rounding of z; 1/s: of U */
            }
        }
        tk_ok(ph_system_potential(system, z, &U));
        worst = tk_max(worst, (double)(fabsl(U - V) / size));
        worst = tk_max(worst, (double)fabsl(tk_kinetic(system, z, zdot) / T - 1));
    }
    printf("particles on a sphere: energies off by %.1e\n", worst);
    ck_assert_double_le(worst, 30 * eps);
}

/* A ring turns as it is, at a rate from the balance of one particle: Om^2 sin th cos th is the pull towards
 * the axis. */
TEST_EACH(ring_turns_steadily, N - 1)
{
    size_t n = 2 + (size_t)_i;
    const double m = 0.7, gamma = 1.9;
    const ph_parameter_value v[] = {
        {"masses", &m, 1}, {"gamma", &gamma, 1}, {"particles", (const double[]){(double)n}, 1}};
    double z[NZ], zdot[NZ], dU[NZ], exact[NZ], h[3], error[3];
    TK_OWN(ph_system) *system = tk_build_at("sphere-n-body", v, 3, "ring", z, zdot);
    tk_ok(ph_system_gradient(system, z, dU));
    double Om = zdot[1] / z[0], towards[3] = {-z[2], 0, z[0]}; /* the first is at (sin th, 0, cos th) */
    ck_assert_double_eq_tol(m * Om * Om * z[0] * z[2], -ph_dot3(dU, towards), 1e-13 * m * Om * Om);
    for (int k = 0; k < 3; k++) {
        int64_t steps = 40 << k;
        double angle = 2, c = cos(angle), s = sin(angle);
        h[k] = angle / Om / (double)steps;
        for (size_t i = 0; i < n; i++) {
            exact[3 * i] = c * z[3 * i] - s * z[3 * i + 1];
            exact[3 * i + 1] = s * z[3 * i] + c * z[3 * i + 1];
            exact[3 * i + 2] = z[3 * i + 2];
        }
        TK_START(it, state, system, "variational", NULL, h[k], z, zdot);
        tk_ok(ph_integrator_step(it, state, steps));
        error[k] = tk_max_difference(state->z, exact, 3 * n);
    }
    double slope = tk_slope(h, error, 3);
    printf("ring of %zu: off by %.1e after 2 rad, slope %.3f\n", n, error[2], slope);
    ck_assert_double_eq_tol(slope, 2, 0.05);
}

/* Where two meet, or are antipodal, there is neither energy nor force; near by there is. */
TEST(collisions_are_told)
{
    const double near = 1e-6, q[][6] = {{1, 0, 0, 1, 0, 0},
                                        {0.6, 0, 0.8, -0.6, 0, -0.8},
                                        {1, 0, 0, 1, 1e-17, 0},
                                        {1, 0, 0, cos(near), sin(near), 0}};
    ph_system *system = tk_build("sphere-n-body", NULL, 0);
    for (int k = 0; k < 4; k++) {
        double U, dU[6];
        ph_status expected = k < 3 ? PH_E_NOT_FINITE : PH_OK;
        ck_assert_int_eq(ph_system_potential(system, q[k], &U), expected);
        ck_assert_int_eq(ph_system_gradient(system, q[k], dU), expected);
        if (k == 3) {
            ck_assert_double_eq_tol(U, -1 / tan(near), 1e-9 / near);
            ck_assert_double_eq_tol(dU[1], -sin(near) / pow(sin(near), 3), 1e-9 * fabs(dU[1]));
        }
    }
    ph_system_free(system);
    /* springs of no length have no direction, unless they are drawn from no length */
    const double lengths[2] = {0, 0.1};
    for (int rest = 0; rest < 2; rest++) {
        const ph_parameter_value v[] = {
            {"spacing", VALUES(0)}, {"rest_length", &lengths[rest], 1}, {"pendula", VALUES(2)}};
        double dU[6], U;
        system = tk_build("coupled-pendula", v, 3);
        tk_ok(ph_system_potential(system, q[0], &U));
        ck_assert_int_eq(ph_system_gradient(system, q[0], dU), rest ? PH_E_NOT_FINITE : PH_OK);
        ph_system_free(system);
    }
}

/* ---- Initial conditions ----------------------------------------------------------------------------- */

TEST(initial_conditions_are_as_described)
{
    double z[24], zdot[24];
    tk_preset("planar-chain", NULL, 0, "curved", z, zdot);
    for (int i = 0; i < 5; i++) {
        ck_assert_double_eq_tol(z[2 * i], cos(0.3 * i), 2 * eps);
        ck_assert_double_eq_tol(z[2 * i + 1], -sin(0.3 * i), 2 * eps);
    }
    tk_preset("coupled-pendula", NULL, 0, "beating", z, zdot);
    ck_assert_double_le(tk_max_difference(z, (const double[]){-0.5, 0, -sqrt(0.75), 0, 0, -1, 0, 0, -1}, 9),
                        2 * eps);
    tk_preset("coupled-pendula", NULL, 0, "across", z, zdot);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(fabs(z[3 * i + 1]), 0.5, 2 * eps);
        ck_assert_double_eq_tol(z[3 * i + 2], -sqrt(0.75), 2 * eps);
    }
    const ph_parameter_value v[] = {
        {"coupling", VALUES(2)}, {"inertia", VALUES(0.5)}, {"spacing", VALUES(0.8)}};
    tk_preset("dipole-array", v, 3, "twisted", z, zdot);
    for (int i = 0; i < 8; i++) {
        double rate = sqrt(2 / (0.5 * 0.512));
        ck_assert_double_eq_tol(z[3 * i], cos(0.5 * i), 2 * eps);
        ck_assert_double_eq_tol(z[3 * i + 1], sin(0.5 * i), 2 * eps);
        ck_assert_double_eq_tol(zdot[3 * i + 2], rate * sin(0.5 * i), 8 * eps * rate);
        ck_assert(zdot[3 * i] == 0 && zdot[3 * i + 1] == 0);
    }
    tk_preset("dipole-array", NULL, 0, "turned", z, zdot);
    ck_assert_double_eq_tol(z[2], sin(0.5), 2 * eps);
    ck_assert(z[3] == 1 && z[21] == 1);
    tk_preset("sphere-n-body", NULL, 0, "ring", z, zdot);
    double rate = zdot[1] / z[0];
    ck_assert_double_eq_tol(z[2], sqrt(0.75), 2 * eps);
    tk_preset("sphere-n-body", NULL, 0, "orbits", z, zdot);
    ck_assert_double_eq_tol(zdot[1] / z[0], 0.8 * rate, 8 * eps * rate);
}

/* ---- Symmetries ------------------------------------------------------------------------------------ */

static const struct {
    const char *model;
    ph_parameter_value value[2];
    size_t n;
    const char *names;
} symmetries[] = {
    {"planar-pendulum", {{"gravity", VALUES(0)}}, 1, "Jz "},
    {"planar-pendulum", {{NULL, NULL, 0}}, 0, ""},
    {"planar-chain", {{"gravity", VALUES(0)}}, 1, "Jz "},
    {"coupled-pendula", {{NULL, NULL, 0}}, 0, ""},
    {"coupled-pendula", {{"spacing", VALUES(0)}}, 1, "Jg "},
    {"coupled-pendula", {{"gravity", VALUES(1, 0, 0)}}, 1, "Jg "},
    {"coupled-pendula", {{"gravity", VALUES(0)}}, 1, "Jx "},
    {"coupled-pendula", {{"gravity", VALUES(0)}, {"spacing", VALUES(0)}}, 2, "Jx Jy Jz "},
    {"coupled-pendula", {{"stiffness", VALUES(0)}}, 1, "Jg "},
    {"dipole-array", {{NULL, NULL, 0}}, 0, "Jx "},
    {"dipole-array", {{"columns", VALUES(3)}}, 1, ""},
    {"dipole-array", {{"columns", VALUES(1)}}, 1, "Jy "},
    {"dipole-array", {{"columns", VALUES(100)}}, 1, "Jx "},
    {"dipole-array", {{"dipoles", VALUES(1)}}, 1, "Jx Jy Jz "},
    {"sphere-n-body", {{NULL, NULL, 0}}, 0, "Jx Jy Jz "},
    {"free-rigid-body", {{NULL, NULL, 0}}, 0, "Jx Jy Jz "},
    {"heavy-top", {{NULL, NULL, 0}}, 0, "Jg "},
    {"heavy-top", {{"gravity", VALUES(0)}}, 1, "Jx Jy Jz "},
    {"rigid-chain", {{NULL, NULL, 0}}, 0, "Jg "},
    {"rigid-chain", {{"gravity", VALUES(0)}}, 1, "Jx Jy Jz "},
};

/* Turning the whole about each axis that is named changes neither U nor T. */
TEST_EACH(symmetries_are_these, sizeof symmetries / sizeof *symmetries)
{
    tk_random r = {5};
    char names[40] = "";
    TK_OWN(ph_system) *system = tk_build(symmetries[_i].model, symmetries[_i].value, symmetries[_i].n);
    const ph_space *space = ph_system_space(system);
    for (size_t i = 0; i < ph_system_symmetries(system); i++) {
        double z[81], zdot[81], w[81], turn[81], dU[81], work = 0, size = 0;
        const ph_symmetry *s = ph_system_symmetry(system, i);
        strcat(strcat(names, s->name), " ");
        tk_random_motion(system, &r, z, zdot);
        for (size_t k = 0; k < ph_space_factors(space); k++) { /* as angular velocities of the factors */
            const ph_factor_place *f = ph_space_factor(space, k);
            if (f->kind == PH_FACTOR_S2)
                memcpy(w + f->p, s->axis, sizeof s->axis);
            else if (f->kind == PH_FACTOR_SO3)
                ph_apply_transposed3(z + f->z, s->axis, w + f->p);
            else
                w[f->p] = s->axis[2];
        }
        ph_space_turn(space, z, w, turn);
        tk_ok(ph_system_gradient(system, z, dU));
        for (size_t k = 0; k < ph_space_ambient(space); k++) {
            work += dU[k] * turn[k];
            size += fabs(dU[k] * turn[k]);
        }
        ck_assert_double_le(fabs(work), 1e-12 * size);
    }
    ck_assert_str_eq(names, symmetries[_i].names);
}

int main(void)
{
    return tk_run("particles");
}
