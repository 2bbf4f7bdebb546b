/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables: the catenary against its closed form as the links become more; cables between any two points, and
 * weightless ones. */
#include "tests/models/rods.h"

/* ---- Cables ------------------------------------------------------------------------------------- */

/* Place at the arc length s of a cable with the weight w per length, pulled by H along x and V up at its end,
 * from its beginning: with a = H/w the curve z = a cosh(x/a), moved. */
static void catenary(long double H, long double V, long double w, long double L, long double s, double *x,
                     double *z)
{
    long double first = V - w * L, here = first + w * s;
    *x = (double)(H / w * (asinhl(here / H) - asinhl(first / H)));
    *z = (double)((sqrtl(H * H + here * here) - sqrtl(H * H + first * first)) / w);
}

/* Largest distance of the masses from it. */
static double off_catenary(size_t n, const double *q, double H, double V, double w, double L)
{
    double place[2] = {0}, worst = 0;
    for (size_t i = 0; i < n; i++) {
        double x, z;
        place[0] += L / (double)n * q[3 * i];
        place[1] += L / (double)n * q[3 * i + 2];
        catenary(H, V, w, L, L * ((double)i + 1) / (double)n, &x, &z);
        worst = tk_max(worst, hypot(place[0] - x, place[1] - z));
    }
    return worst;
}

TEST(pulled_cable_is_a_catenary)
{
    double error[SIZES], rest = 0, x, z, q[3 * MOST], zdot[3 * MOST];
    catenary(0.8L, 1, 0.7L * 9.81L / 2, 2, 1.2, &x, &z);
    /* does it solve y'' = (1/a) sqrt(1 + y'^2), as a cosh does? */
    double x1, z1, x2, z2;
    catenary(0.8L, 1, 0.7L * 9.81L / 2, 2, 1.2 - 1e-4, &x1, &z1);
    catenary(0.8L, 1, 0.7L * 9.81L / 2, 2, 1.2 + 1e-4, &x2, &z2);
    double slope = (z2 - z1) / (x2 - x1),
           bend = ((z2 - z) / (x2 - x) - (z - z1) / (x - x1)) / ((x2 - x1) / 2);
    ck_assert_double_eq_tol(bend, 0.7 * 9.81 / 2 / 0.8 * sqrt(1 + slope * slope), 1e-5 * bend);
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"mass", VALUES(0.7)},
                                             {"anchor_stiffness", VALUES(0)},
                                             {"pull", VALUES(0.8, 0, 1)}};
        TK_OWN(ph_system) *system = tk_build_at("hanging-cable", values, 5, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
        error[s] = off_catenary((size_t)sizes[s], q, 0.8, 1, 0.7 * 9.81 / 2, 2);
    }
    printf("pulled cable at rest to %.1e\n", rest);
    expect_order_two("pulled cable, distance from the catenary", error, 1e-4);
    ck_assert_double_le(rest, 1e-15);
}

/* H, V of the catenary to (x, z) that the spring K holds: x(L) + H/K = x and so on, by Newton's iteration. */
static void held(double x, double z, double K, double w, double L, double *H, double *V)
{
    double P[2] = {w * L / 2, w * L / 2};
    for (int pass = 0; pass < 200; pass++) {
        double at[3][2];
        for (int k = 0; k < 3; k++) {
            double h = P[0] + (k == 1 ? 1e-6 : 0), v = P[1] + (k == 2 ? 1e-6 : 0);
            catenary((long double)h, (long double)v, (long double)w, (long double)L, (long double)L,
                     &at[k][0], &at[k][1]);
            at[k][0] += h / K - x;
            at[k][1] += v / K - z;
        }
        double a = (at[1][0] - at[0][0]) / 1e-6, b = (at[2][0] - at[0][0]) / 1e-6,
               c = (at[1][1] - at[0][1]) / 1e-6, d = (at[2][1] - at[0][1]) / 1e-6, scale = 0.3;
        if (hypot(at[0][0], at[0][1]) < 1e-3)
            scale = 1;
        P[0] = fmax(P[0] - scale * (d * at[0][0] - b * at[0][1]) / (a * d - b * c), P[0] / 4);
        P[1] -= scale * (a * at[0][1] - c * at[0][0]) / (a * d - b * c);
    }
    *H = P[0];
    *V = P[1];
}

/* Between two points, one of them a spring: slack, and nearly taut. What the spring gives changes the
 * reaction by a part in the ratio of its stiffness to that of the cable. */
TEST(held_cable_is_a_catenary)
{
    static const struct {
        double x, z, K;
    } cases[] = {{1.2, 0.5, 200}, {0.3, -0.4, 200}, {1.99, 0, 2000}, {2.1, 0.1, 50}};
    double q[3 * MOST], zdot[3 * MOST], tip[3], w = 0.7 * 9.81 / 2;
    for (size_t k = 0; k < COUNT(cases); k++) {
        double error[SIZES], H, V, stiff[2], rest = 0, check[2], reaction = 0;
        char what[80];
        held(cases[k].x, cases[k].z, cases[k].K, w, 2, &H, &V);
        catenary((long double)H, (long double)V, (long double)w, 2, 2, &check[0], &check[1]);
        ck_assert_double_le(
            hypot(check[0] + H / cases[k].K - cases[k].x, check[1] + V / cases[k].K - cases[k].z), 1e-13);
        for (int s = 0; s < SIZES; s++) {
            const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                                 {"length", VALUES(2)},
                                                 {"mass", VALUES(0.7)},
                                                 {"anchor_stiffness", &cases[k].K, 1},
                                                 {"anchor", VALUES(cases[k].x, 0, cases[k].z)}};
            TK_OWN(ph_system) *system = tk_build_at("hanging-cable", values, 5, "settled", q, zdot);
            rest = tk_max(rest, unrest(system, q));
            error[s] = off_catenary((size_t)sizes[s], q, H, V, w, 2);
            tip_of((size_t)sizes[s], 2, q, tip);
            reaction = hypot(cases[k].K * (cases[k].x - tip[0]) - H, cases[k].K * (cases[k].z - tip[2]) - V);
        }
        reaction /= hypot(H, V);
        snprintf(what, sizeof what, "cable held at (%g, %g), %g N/m, distance", cases[k].x, cases[k].z,
                 cases[k].K);
        expect_order_two(what, error, 1e-3);
        printf("  at rest to %.1e, reaction off by %.1e with 160 links", rest, reaction);
        if (hypot(cases[k].x, cases[k].z) < 2) {
            held(cases[k].x, cases[k].z, 1e9, w, 2, &stiff[0], &stiff[1]);
            printf(", the spring's give %.1e", hypot(stiff[0] - H, stiff[1] - V) / hypot(H, V));
        }
        printf("\n");
        ck_assert_double_le(reaction, 1e-3);
        ck_assert_double_le(rest, 1e-13);
    }
}

/* Wherever the anchor is, within reach or beyond: a + F/K, with the pull F, need only be aside by a link's
 * length. */
TEST(cables_hang_between_any_two_points)
{
    tk_random r = {71};
    double q[3 * 32], zdot[3 * 32], rest = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double n = floor(pow(2, tk_uniform(&r, 1, 5))), reach = tk_log_uniform(&r, 0.1, 10),
               aside = reach * tk_log_uniform(&r, 1 / n, 1.2), turn = tk_uniform(&r, 0, 6),
               K = tk_log_uniform(&r, 1, 1e6), mass = tk_log_uniform(&r, 0.1, 10), pull[3];
        double anchor[3] = {aside * cos(turn), aside * sin(turn), reach * tk_uniform(&r, -1.2, 1.2)};
        for (int a = 0; a < 3; a++) {
            pull[a] = 10 * mass * tk_normal(&r);
            anchor[a] -= pull[a] / K;
        }
        const ph_parameter_value values[] = {{"links", &n, 1},   {"length", &reach, 1},
                                             {"mass", &mass, 1}, {"anchor", anchor, 3},
                                             {"pull", pull, 3},  {"anchor_stiffness", &K, 1}};
        TK_OWN(ph_system) *system = tk_build_at("hanging-cable", values, 6, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
    }
    printf("cables of 2 to 32 links between any two points: at rest to %.1e\n", rest);
    ck_assert_double_le(rest, 1e-12);
}

/* Without weight a cable that is taut is straight and its spring gives F = K |a| - K L; a slack one hangs as
 * if it had little weight, its end at the anchor: the limit of the heavy one whose spring is stiff. */
TEST(weightless_cables)
{
    const ph_parameter_value taut[] = {
        {"gravity", VALUES(0)}, {"anchor", VALUES(0, 3, 4)}, {"anchor_stiffness", VALUES(7)}};
    const ph_parameter_value slack[] = {
        {"gravity", VALUES(0)}, {"anchor", VALUES(0.5, 0, 0.2)}, {"anchor_stiffness", VALUES(7)}};
    const ph_parameter_value heavy[] = {
        {"gravity", VALUES(3)}, {"anchor", VALUES(0.5, 0, 0.2)}, {"anchor_stiffness", VALUES(1e12)}};
    double q[24], other[24], zdot[24], U;
    ph_system *system = tk_build_at("hanging-cable", taut, 3, "settled", q, zdot);
    for (size_t i = 0; i < 24; i++)
        ck_assert(fabs(q[i] - (double)(i % 3) * (i % 3 == 1 ? 0.6 : 0.4)) <= 2 * eps);
    tk_ok(ph_system_potential(system, q, &U));
    ck_assert_double_eq_tol(U, 0.5 * 7 * 16, 1e-13);
    ph_system_free(system);
    tk_preset("hanging-cable", slack, 3, "settled", q, zdot);
    tk_preset("hanging-cable", heavy, 3, "settled", other, zdot);
    ck_assert_double_le(tk_max_difference(q, other, 24), 1e-11);
    system = tk_build("hanging-cable", slack, 3);
    tk_ok(ph_system_potential(system, q, &U));
    ck_assert_double_le(U, 1e-29);
    ph_system_free(system);
}

int main(void)
{
    return tk_run("cables");
}
