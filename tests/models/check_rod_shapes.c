/* SPDX-License-Identifier: BSD-3-Clause */
/* Rods and trees against closed forms as the links become more: the hanging chain, the clamped rod, the column, the
 * elastica, the taut string; trees against the equations of their masses. */
#include "tests/models/rods.h"

#include <stdbool.h>

/* ---- Small motions and static shapes ------------------------------------------------------------ */

/* J_0 by its series. */
static long double bessel(long double x)
{
    long double term = 1, sum = 1;
    for (int m = 1; m < 60; m++)
        sum += term *= -x * x / 4 / m / m;
    return sum;
}

/* A uniform chain of length L hangs: w = (j/2) sqrt(g/L), J_0(j) = 0 (Daniel Bernoulli). */
TEST(hanging_chain_has_the_zeros_of_bessel)
{
    static const double zeros[3] = {2.404825557695773, 5.520078110286311, 8.653727912911012};
    double error[3][SIZES], z[3 * MOST], zdot[3 * MOST], w2[3];
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"bending_stiffness", VALUES(0)},
                                             {"mass", VALUES(0.7)}};
        TK_OWN(ph_system) *system = tk_build_at("elastic-chain", values, 4, "hanging", z, zdot);
        lowest(system, z, 3, w2);
        for (int k = 0; k < 3; k++)
            error[k][s] = fabs(sqrt(w2[k]) / (zeros[k] / 2 * sqrt(9.81 / 2)) - 1);
    }
    for (int k = 0; k < 3; k++) {
        char what[60];
        ck_assert(fabsl(bessel((long double)zeros[k])) < 1e-14L);
        snprintf(what, sizeof what, "hanging chain, frequency %d", k + 1);
        expect_order_two(what, error[k], 1e-3);
    }
}

/* w = beta^2 sqrt(EI / (rho A L^4)), cos beta cosh beta = -1 (Euler, Bernoulli). */
TEST(clamped_rod_has_the_frequencies_of_euler_and_bernoulli)
{
    static const double beta[3] = {1.8751040687119612, 4.694091132974175, 7.854757438237612};
    double error[3][SIZES], z[3 * MOST], zdot[3 * MOST], w2[3];
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"bending_stiffness", VALUES(0.3)},
                                             {"mass", VALUES(0.7)},
                                             {"gravity", VALUES(0)}};
        TK_OWN(ph_system) *system = tk_build_at("cantilever", values, 5, "straight", z, zdot);
        lowest(system, z, 3, w2);
        if (sizes[s] == 80) { /* the fastest is that of an infinite row of links, 4 sqrt(EI/rho A)/l^2 */
            double rate;
            tk_ok(ph_system_fastest_rate(system, 0, z, &rate, NULL));
            ck_assert_double_eq_tol(rate / (4 * sqrt(0.3 / 0.35) * 1600), 1, 2e-3);
        }
        for (int k = 0; k < 3; k++)
            error[k][s] = fabs(sqrt(w2[k]) / (beta[k] * beta[k] * sqrt(0.3 / (0.7 / 2 * 16))) - 1);
    }
    for (int k = 0; k < 3; k++) {
        char what[60];
        ck_assert(fabs(cos(beta[k]) + 1 / cosh(beta[k])) < 2e-15);
        snprintf(what, sizeof what, "clamped rod, frequency %d", k + 1);
        expect_order_two(what, error[k], 1e-3);
    }
}

/* Sum of the terms of J_{-1/3}(x) but for a factor. */
static long double bessel_third(long double x)
{
    long double term = 1, sum = 1;
    for (int m = 1; m < 40; m++)
        sum += term *= -x * x / 4 / m / (m - 1 / 3.0L);
    return sum;
}

/* Upright a rod buckles under a force of (pi/2)^2 EI/L^2 on its tip (Euler), and under its own weight where
 * rho A g L^3/EI = (9/4) j^2, J_{-1/3}(j) = 0 (Greenhill). The stiffness is affine in both loads: the
 * critical one is the least eigenvalue. */
TEST(columns_buckle_at_the_loads_of_euler_and_greenhill)
{
    static const double zero = 1.866350858873895;
    double error[2][SIZES], z[3 * MOST], zdot[3 * MOST];
    ck_assert(fabsl(bessel_third((long double)zero)) < 1e-14L);
    for (int s = 0; s < SIZES; s++)
        for (int own = 0; own < 2; own++) {
            size_t n = (size_t)sizes[s];
            double *K = malloc((2 * n * n + n) * sizeof *K), *K1 = K + n * n, *load = K1 + n * n;
            for (int loaded = 0; loaded < 2; loaded++) {
                const double g = own && loaded, F[3] = {0, 0, own || !loaded ? 0 : -1};
                const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                                     {"length", VALUES(2)},
                                                     {"bending_stiffness", VALUES(0.3)},
                                                     {"mass", VALUES(0.7)},
                                                     {"direction", VALUES(0, 0, 5)},
                                                     {"gravity", &g, 1},
                                                     {"tip_load", F, 3}};
                TK_OWN(ph_system) *system = tk_build_at("cantilever", values, 7, "straight", z, zdot);
                stiffness(system, z, loaded ? K1 : K);
            }
            for (size_t i = 0; i < n * n; i++)
                K1[i] = K[i] - K1[i];
            ck_assert_int_eq(tk_eigen(n, K, K1, load), 0);
            double expected = own ? 2.25 * zero * zero * 0.3 / (0.35 * 8) : M_PI * M_PI / 4 * 0.3 / 4;
            error[own][s] = fabs(load[0] / expected - 1);
            free(K);
        }
    expect_order_two("column with a load", error[0], 1e-4);
    expect_order_two("column under its weight", error[1], 1e-4);
}

/* ---- The elastica ------------------------------------------------------------------------------- */

/* int_a^{pi/2} (1 - m sin^2 t)^{-1/2} dt, or with the power 1/2, by Simpson's rule. */
static long double elliptic(long double m, long double from, bool second)
{
    enum { PANELS = 4000 };
    long double sum = 0, h = (acosl(-1) / 2 - from) / PANELS;
    for (int i = 0; i <= PANELS; i++) {
        long double s = sinl(from + h * i), root = sqrtl(1 - m * s * s);
        sum += (i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2) * (second ? root : 1 / root);
    }
    return sum * h / 3;
}

/* Clamped along x with a force P towards -z on the tip, a = L sqrt(P/EI): with m = (1 + sin theta)/2 and
 * sin phi = (2 m)^{-1/2} the angle theta of the tip is where F(phi..pi/2) = a;
 *     x/L = sqrt(2 sin theta)/a,      -z/L = 1 - (2/a) E(phi..pi/2)
 * (K. E. Bisshopp, D. C. Drucker, Q. Appl. Math. 3 (1945) 272). */
static void elastica(double a, double *x, double *z)
{
    long double low = 0.5L, high = 1 - 1e-12L;
    for (int i = 0; i < 100; i++) {
        long double m = (low + high) / 2;
        if (elliptic(m, asinl(sqrtl(1 / (2 * m))), false) < (long double)a)
            low = m;
        else
            high = m;
    }
    *x = (double)(sqrtl(2 * (2 * low - 1)) / (long double)a);
    *z = (double)(-1 + 2 / (long double)a * elliptic(low, asinl(sqrtl(1 / (2 * low))), true));
}

/* A column under a = L sqrt(P/EI) > pi/2: K(m) = a, the tip at 2 E/K - 1 of its height, 2 sqrt(m)/K aside. */
static void buckled(double a, double *high, double *aside)
{
    long double low = 0, up = 1 - 1e-12L;
    for (int i = 0; i < 100; i++) {
        long double m = (low + up) / 2;
        if (elliptic(m, 0, false) < (long double)a)
            low = m;
        else
            up = m;
    }
    *high = (double)(2 * elliptic(low, 0, true) / (long double)a - 1);
    *aside = (double)(2 * sqrtl(low) / (long double)a);
}

TEST(elastica_of_a_force_on_the_tip)
{
    static const double loads[3] = {1, 4, 10}; /* P L^2/EI, and the table of Mattiasson (1981) */
    static const double table[3][2] = {
        {1 - 0.05643, -0.30172}, {1 - 0.32894, -0.66996}, {1 - 0.55500, -0.81061}};
    for (int k = 0; k < 3; k++) {
        double x, z, error[SIZES], rest = 0, q[3 * MOST], zdot[3 * MOST], tip[3];
        char what[60];
        elastica(sqrt(loads[k]), &x, &z);
        ck_assert_double_eq_tol(x, table[k][0], 6e-6);
        ck_assert_double_eq_tol(z, table[k][1], 6e-6);
        for (int s = 0; s < SIZES; s++) {
            const double F[3] = {0, 0, -loads[k] * 0.3 / 4};
            const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                                 {"length", VALUES(2)},
                                                 {"bending_stiffness", VALUES(0.3)},
                                                 {"gravity", VALUES(0)},
                                                 {"tip_load", F, 3}};
            TK_OWN(ph_system) *system = tk_build_at("cantilever", values, 5, "settled", q, zdot);
            rest = tk_max(rest, unrest(system, q));
            tip_of((size_t)sizes[s], 2, q, tip);
            error[s] = hypot(tip[0] / 2 - x, tip[2] / 2 - z);
            ck_assert(fabs(tip[1]) <= 1e-15);
        }
        snprintf(what, sizeof what, "elastica, P L^2/EI = %g (at rest to %.1e)", loads[k], rest);
        expect_order_two(what, error, 1e-4);
        ck_assert_double_le(rest, 1e-14);
    }
}

/* The way it buckles is not what is asked, but how far. */
TEST(elastica_of_a_column)
{
    double high, aside, error[SIZES], q[3 * MOST], zdot[3 * MOST], tip[3], rest = 0;
    buckled(2, &high, &aside);
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"bending_stiffness", VALUES(0.3)},
                                             {"gravity", VALUES(0)},
                                             {"direction", VALUES(1, 2, 2)},
                                             {"tip_load", VALUES(-0.1, -0.2, -0.2)}}; /* P = 0.3 = 4 EI/L^2 */
        TK_OWN(ph_system) *system = tk_build_at("cantilever", values, 6, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
        tip_of((size_t)sizes[s], 2, q, tip);
        double up = (tip[0] + 2 * tip[1] + 2 * tip[2]) / 3;
        double out = sqrt(ph_dot3(tip, tip) - up * up);
        error[s] = hypot(up / 2 - high, out / 2 - aside);
    }
    printf("column at rest to %.1e\n", rest);
    expect_order_two("buckled column, P L^2/EI = 4", error, 1e-4);
    ck_assert_double_le(rest, 1e-14);
}

/* ---- Cables ------------------------------------------------------------------------------------- */

/* Without gravity, a pull F along e1: links and masses are a string of which one end is free, w_k = (2/l)
 * sqrt(F/rho) sin((k - 1/2) pi/(2 n)) exactly, whatever n. */
TEST(pulled_cable_is_a_string)
{
    double q[3 * 12], zdot[3 * 12], w2[12], worst = 0;
    const ph_parameter_value values[] = {{"links", VALUES(12)},           {"length", VALUES(2)},
                                         {"mass", VALUES(0.7)},           {"gravity", VALUES(0)},
                                         {"anchor_stiffness", VALUES(0)}, {"pull", VALUES(3, 0, 0)}};
    TK_OWN(ph_system) *system = tk_build_at("hanging-cable", values, 6, "settled", q, zdot);
    lowest(system, q, 12, w2);
    for (int k = 0; k < 12; k++) {
        double w = 2 / (2. / 12) * sqrt(3 / 0.35) * sin((k + 0.5) * M_PI / 24);
        worst = tk_max(worst, fabs(sqrt(w2[k]) / w - 1));
    }
    printf("string of 12 links: frequencies off by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-13);
}

/* ---- Trees -------------------------------------------------------------------------------------- */

/* Small motions of hanging masses: sideways y_i, pulled to its parent by T_i/l_i, T_i the weight of all
 * below; each frequency twice, along e1 and e2. */
static void hanging_tree(const truth *t, double *w2)
{
    double K[LINKS * LINKS] = {0}, M[LINKS * LINKS] = {0}, weight[LINKS];
    for (size_t i = t->n; i-- > 0;) {
        weight[i] = t->m[i] * 9.81;
        for (size_t j = i + 1; j < t->n; j++)
            weight[i] += t->parent[j] == (int)i ? weight[j] : 0;
    }
    for (size_t i = 0; i < t->n; i++) {
        double k = weight[i] / t->l[i];
        M[i * t->n + i] = t->m[i];
        K[i * t->n + i] += k;
        if (t->parent[i] < 0)
            continue;
        size_t on = (size_t)t->parent[i];
        K[on * t->n + on] += k;
        K[on * t->n + i] -= k;
        K[i * t->n + on] -= k;
    }
    ck_assert_int_eq(tk_eigen(t->n, K, M, w2), 0);
}

TEST(trees_swing_as_their_masses_do)
{
    tk_random r = {41};
    double worst = 0;
    for (int trial = 0; trial < 40; trial++) {
        truth t = {.n = 1 + (size_t)tk_uniform(&r, 0, LINKS)};
        double parents[LINKS], z[3 * LINKS], zdot[3 * LINKS], w2[LINKS], found[2 * LINKS];
        for (size_t i = 0; i < t.n; i++) {
            t.l[i] = tk_log_uniform(&r, 0.3, 3);
            t.m[i] = tk_log_uniform(&r, 0.3, 3);
            t.parent[i] = (int)tk_uniform(&r, 0, (double)i + 1) - 1;
            parents[i] = t.parent[i] + 1;
        }
        const ph_parameter_value values[] = {
            {"parents", parents, t.n}, {"masses", t.m, t.n}, {"lengths", t.l, t.n}};
        TK_OWN(ph_system) *system = tk_build_at("branching-pendulum", values, 3, "hanging", z, zdot);
        tk_spectrum(system, z, found);
        hanging_tree(&t, w2);
        for (size_t i = 0; i < 2 * t.n; i++)
            worst = tk_max(worst, fabs(found[i] - w2[i / 2]) / w2[t.n - 1]);
    }
    printf("trees: squared frequencies off by %.1e of the largest\n", worst);
    ck_assert_double_le(worst, 1e-7); /* tk_spectrum is good to 1e-8 */
}

/* In a complete tree sisters that swing against one another leave their parent at rest, as if it were fixed:
 * of depth 3 with 3 branches the 9 ends have g/l 3 (3 - 1) times, for each direction; and the pairs of links,
 * those of a chain whose second mass stands for three, (3 - 1) times. */
TEST(sisters_swing_against_one_another)
{
    const ph_parameter_value values[] = {
        {"branches", VALUES(3)}, {"lengths", VALUES(0.5)}, {"masses", VALUES(0.2)}};
    const truth pair = {.n = 2, .l = {0.5, 0.5}, .m = {0.2, 0.6}, .parent = {-1, 0}};
    double z[39], zdot[39], found[26], w2[2];
    size_t times[3] = {0};
    TK_OWN(ph_system) *system = tk_build("branching-pendulum", values, 3);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 13);
    tk_preset("branching-pendulum", values, 3, "hanging", z, zdot);
    tk_spectrum(system, z, found);
    hanging_tree(&pair, w2);
    for (int i = 0; i < 26; i++) {
        times[0] += fabs(found[i] - 9.81 / 0.5) < 1e-5;
        times[1] += fabs(found[i] - w2[0]) < 1e-5;
        times[2] += fabs(found[i] - w2[1]) < 1e-5;
    }
    ck_assert_uint_eq(times[0], 12);
    ck_assert_uint_eq(times[1], 4);
    ck_assert_uint_eq(times[2], 4);
}

int main(void)
{
    return tk_run("shapes of rods");
}
