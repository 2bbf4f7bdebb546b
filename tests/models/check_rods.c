/* SPDX-License-Identifier: BSD-3-Clause */
/* Slender rods, cables and trees: energies against point masses and angles of joints; the hanging chain, the
 * clamped rod, the column, the elastica, the taut string and the catenary against their closed forms as the
 * links become more; trees against the equations of their masses; what is refused, and large systems. */
#include "tests/kit/testkit.h"

#include <float.h>
#include <stdbool.h>

static const double eps = DBL_EPSILON;

#define VALUES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- Energies ----------------------------------------------------------------------------------- */

enum { LINKS = 7 };

/* A rod as the test sees it, or a tree. */
typedef struct truth {
    size_t n;
    double l[LINKS], m[LINKS], k[LINKS], G[3], clamp[3], load[3], anchor[3], hold;
    int parent[LINKS]; /* -1: the fixed point */
} truth;

static double angle(const double *a, const double *b)
{
    double c[3];
    ph_cross3(a, b, c);
    return atan2(ph_norm3(c), ph_dot3(a, b));
}

/* Places (or velocities) of the masses. */
static void points(const truth *t, const double *z, double x[LINKS][3])
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t a = 0; a < 3; a++)
            x[i][a] = (t->parent[i] < 0 ? 0 : x[t->parent[i]][a]) + t->l[i] * z[3 * i + a];
}

/* T and U, and how large their terms are. */
static void reckon(const truth *t, const double *z, const double *v, double *T, double *U, double *T_size,
                   double *U_size)
{
    double x[LINKS][3], u[LINKS][3], off[3];
    points(t, z, x);
    points(t, v, u);
    *T = *U = *T_size = *U_size = 0;
    for (size_t i = 0; i < t->n; i++) {
        const double *before = i ? z + 3 * (i - 1) : t->clamp;
        double half = t->k[i] > 0 ? sin(angle(before, z + 3 * i) / 2) : 0;
        *T += 0.5 * t->m[i] * ph_dot3(u[i], u[i]);
        *U += 2 * t->k[i] * half * half - t->m[i] * ph_dot3(t->G, x[i]);
        *T_size += t->m[i] * 100 * (double)(t->n * t->n);
        *U_size += 2 * t->k[i] + t->m[i] * ph_norm3(t->G) * 10;
    }
    for (size_t a = 0; a < 3; a++)
        off[a] = x[t->n - 1][a] - t->anchor[a];
    *U += 0.5 * t->hold * ph_dot3(off, off) - ph_dot3(t->load, x[t->n - 1]);
    *U_size += 0.5 * t->hold * (100 + ph_dot3(t->anchor, t->anchor)) + 10 * ph_norm3(t->load);
}

static void random_vector(tk_random *r, double v[3])
{
    for (int a = 0; a < 3; a++)
        v[a] = tk_normal(r);
}

enum { ELASTIC, LISTED, CANTILEVER, CABLE, TREE, KINDS };
static const char *const models[KINDS] = {"elastic-chain", "elastic-chain", "cantilever", "hanging-cable",
                                          "branching-pendulum"};

static ph_system *random_system(int kind, tk_random *r, truth *t)
{
    double n = 1 + floor(tk_uniform(r, 0, LINKS)), length = tk_log_uniform(r, 0.3, 3),
           mass = tk_log_uniform(r, 0.3, 3), EI = tk_log_uniform(r, 0.3, 3), direction[3], parents[LINKS],
           reach = 0;
    *t = (truth){.n = (size_t)n};
    random_vector(r, t->G);
    random_vector(r, direction);
    bool clamped = kind == CANTILEVER || (kind <= LISTED && tk_uniform(r, 0, 1) < 0.5);
    for (size_t i = 0; i < t->n; i++) { /* half a link's mass at each of its ends */
        t->l[i] = kind == LISTED || kind == TREE ? tk_log_uniform(r, 0.3, 3) / LINKS : length / n;
        t->m[i] = kind == TREE ? tk_log_uniform(r, 0.3, 3) : (mass / n) * (i + 1 < t->n ? 1 : 0.5);
        t->parent[i] = kind == TREE ? (int)tk_uniform(r, 0, (double)i + 1) - 1 : (int)i - 1;
        parents[i] = t->parent[i] + 1;
        reach += t->l[i];
    }
    for (size_t i = 0; i < t->n && kind == LISTED; i++)
        t->m[i] = mass / reach * (t->l[i] + (i + 1 < t->n ? t->l[i + 1] : 0)) / 2;
    for (size_t i = clamped ? 0 : 1; i < t->n && kind <= CANTILEVER; i++)
        t->k[i] = EI / (i ? (t->l[i - 1] + t->l[i]) / 2 : t->l[0] / 2);
    for (int a = 0; a < 3 && clamped; a++)
        t->clamp[a] = direction[a] / ph_norm3(direction);
    if (kind == CABLE || kind == CANTILEVER)
        random_vector(r, t->load);
    if (kind == CABLE) {
        random_vector(r, t->anchor);
        t->hold = tk_log_uniform(r, 0.3, 3);
    }
    const ph_parameter_value rod[] = {{"length", &length, 1},
                                      {"mass", &mass, 1},
                                      {"links", &n, 1},
                                      {"gravity", t->G, 3},
                                      {"bending_stiffness", &EI, 1}};
    ph_parameter_value given[10];
    memcpy(given, rod, sizeof rod);
    size_t many = 5;
    if (kind == TREE) {
        given[0] = (ph_parameter_value){"parents", parents, t->n};
        given[1] = (ph_parameter_value){"masses", t->m, t->n};
        given[2] = (ph_parameter_value){"lengths", t->l, t->n};
        many = 4;
    } else if (kind == CABLE) {
        given[4] = (ph_parameter_value){"anchor", t->anchor, 3};
        given[many++] = (ph_parameter_value){"anchor_stiffness", &t->hold, 1};
        given[many++] = (ph_parameter_value){"pull", t->load, 3};
    } else if (kind == CANTILEVER) {
        given[many++] = (ph_parameter_value){"direction", direction, 3};
        given[many++] = (ph_parameter_value){"tip_load", t->load, 3};
    } else if (clamped) {
        given[many++] = (ph_parameter_value){"clamp", direction, 3};
    }
    if (kind == LISTED)
        given[many++] = (ph_parameter_value){"lengths", t->l, t->n};
    if (kind == LISTED && tk_uniform(r, 0, 1) < 0.5) {
        for (size_t i = 0; i < t->n; i++)
            t->m[i] = tk_log_uniform(r, 0.3, 3);
        given[many++] = (ph_parameter_value){"masses", t->m, t->n};
    }
    return tk_build(models[kind], given, many);
}

START_TEST(energies_are_those_of_masses_and_joints)
{
    tk_random r = {1 + (uint64_t)_i};
    double worst[2] = {0};
    for (int trial = 0; trial < 300; trial++) {
        truth t;
        double z[3 * LINKS], v[3 * LINKS], T, U, T_size, U_size, potential;
        ph_system *system = random_system(_i, &r, &t);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), t.n);
        tk_random_motion(system, &r, z, v);
        reckon(&t, z, v, &T, &U, &T_size, &U_size);
        tk_ok(ph_system_potential(system, z, &potential));
        worst[0] = tk_max(worst[0], fabs(tk_kinetic(system, z, v) - T) / T_size);
        worst[1] = tk_max(worst[1], fabs(potential - U) / U_size);
        ph_system_free(system);
    }
    printf("%s: kinetic energy off by %.1f eps of its terms, potential by %.1f\n", models[_i], worst[0] / eps,
           worst[1] / eps);
    ck_assert_double_le(worst[0], 8 * eps);
    ck_assert_double_le(worst[1], 8 * eps);
}
END_TEST

/* U is quadratic in z, also off the spheres: differences over a unit are exact, and those of rules that
 * evaluate it there are what they should be. */
START_TEST(gradient_is_the_derivative_off_the_spheres_too)
{
    tk_random r = {11 + (uint64_t)_i};
    double worst = 0;
    for (int trial = 0; trial < 100; trial++) {
        truth t;
        double z[3 * LINKS], dU[3 * LINKS], size = 0;
        ph_system *system = random_system(_i, &r, &t);
        for (size_t i = 0; i < 3 * t.n; i++)
            z[i] = tk_normal(&r);
        tk_ok(ph_system_gradient(system, z, dU));
        for (size_t i = 0; i < 3 * t.n; i++) {
            double ahead, behind, keep = z[i];
            z[i] = keep + 1;
            tk_ok(ph_system_potential(system, z, &ahead));
            z[i] = keep - 1;
            tk_ok(ph_system_potential(system, z, &behind));
            z[i] = keep;
            size = fmax(size, fabs(ahead) + fabs(behind));
            worst = tk_max(worst, fabs((ahead - behind) / 2 - dU[i]) / size);
        }
        ph_system_free(system);
    }
    printf("%s: gradient off by %.1f eps of the potential\n", models[_i], worst / eps);
    ck_assert_double_le(worst, 8 * eps);
}
END_TEST

/* ---- Small motions and static shapes ------------------------------------------------------------ */

/* Moments at z, relative to the largest term of the gradient: what it is, or changes by where one link is
 * turned about (two stiff joints may all but balance). */
static double unrest(const ph_system *system, const double *z)
{
    size_t n = ph_space_factors(ph_system_space(system)), middle = 3 * (n / 2);
    double *dU = malloc(9 * n * sizeof *dU), *other = dU + 3 * n, *moved = other + 3 * n, worst = 0, size = 0;
    memcpy(other, z, 3 * n * sizeof *z);
    for (size_t a = 0; a < 3; a++)
        other[middle + a] = -z[middle + a];
    tk_ok(ph_system_gradient(system, z, dU));
    tk_ok(ph_system_gradient(system, other, moved));
    for (size_t i = 0; i < n; i++) {
        double moment[3];
        ph_cross3(z + 3 * i, dU + 3 * i, moment);
        worst = tk_max(worst, ph_norm3(moment));
        size = fmax(size, fmax(ph_norm3(dU + 3 * i), ph_norm3(moved + 3 * i)));
    }
    free(dU);
    return worst / size;
}

/* K (n x n) <- second derivative of U at z, for motions along e2, to which all links are perpendicular. The
 * gradient is affine: its difference over a unit is its derivative. */
static void stiffness(const ph_system *system, const double *z, double *K)
{
    size_t n = ph_space_factors(ph_system_space(system));
    double *other = malloc(9 * n * sizeof *other), *dU = other + 3 * n, *moved = dU + 3 * n;
    memcpy(other, z, 3 * n * sizeof *z);
    tk_ok(ph_system_gradient(system, z, dU));
    for (size_t j = 0; j < n; j++) {
        ck_assert(fabs(z[3 * j + 1]) <= eps);
        other[3 * j + 1] += 1;
        tk_ok(ph_system_gradient(system, other, moved));
        other[3 * j + 1] = z[3 * j + 1];
        for (size_t i = 0; i < n; i++)
            K[i * n + j] = moved[3 * i + 1] - dU[3 * i + 1] - (i == j ? ph_dot3(z + 3 * i, dU + 3 * i) : 0);
    }
    free(other);
}

/* w2 (many) <- the lowest squared frequencies of such motions: the largest eigenvalues of M against K, which
 * LAPACK finds to rounding, where those of K against M lose the square of the number of links. */
static void lowest(const ph_system *system, const double *z, size_t many, double *w2)
{
    size_t n = ph_space_factors(ph_system_space(system));
    double *K = malloc((2 * n * n + n) * sizeof *K), *M = K + n * n, *mu = M + n * n;
    stiffness(system, z, K);
    memcpy(M, ph_system_inertia(system), n * n * sizeof *M);
    ck_assert_int_eq(tk_eigen(n, M, K, mu), 0);
    for (size_t k = 0; k < many; k++)
        w2[k] = 1 / mu[n - 1 - k];
    free(K);
}

enum { SIZES = 4, MOST = 160 };
static const double sizes[SIZES] = {20, 40, 80, 160};

/* Errors at these sizes fall with order 2, down to the bound. */
static void expect_order_two(const char *what, const double *error, double bound)
{
    double slope = -tk_slope(sizes, error, SIZES);
    printf("%s: error %.2e with 20 links, %.2e with 160, order %.3f\n", what, error[0], error[SIZES - 1],
           slope);
    ck_assert_double_eq_tol(slope, 2, 0.05);
    ck_assert_double_le(error[SIZES - 1], bound);
}

/* J_0 by its series. */
static long double bessel(long double x)
{
    long double term = 1, sum = 1;
    for (int m = 1; m < 60; m++)
        sum += term *= -x * x / 4 / m / m;
    return sum;
}

/* A uniform chain of length L hangs: w = (j/2) sqrt(g/L), J_0(j) = 0 (Daniel Bernoulli). */
START_TEST(hanging_chain_has_the_zeros_of_bessel)
{
    static const double zeros[3] = {2.404825557695773, 5.520078110286311, 8.653727912911012};
    double error[3][SIZES], z[3 * MOST], zdot[3 * MOST], w2[3];
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"bending_stiffness", VALUES(0)},
                                             {"mass", VALUES(0.7)}};
        ph_system *system = tk_build("elastic-chain", values, 4);
        tk_preset("elastic-chain", values, 4, "hanging", z, zdot);
        lowest(system, z, 3, w2);
        for (int k = 0; k < 3; k++)
            error[k][s] = fabs(sqrt(w2[k]) / (zeros[k] / 2 * sqrt(9.81 / 2)) - 1);
        ph_system_free(system);
    }
    for (int k = 0; k < 3; k++) {
        char what[60];
        ck_assert(fabsl(bessel((long double)zeros[k])) < 1e-14L);
        snprintf(what, sizeof what, "hanging chain, frequency %d", k + 1);
        expect_order_two(what, error[k], 1e-3);
    }
}
END_TEST

/* w = beta^2 sqrt(EI / (rho A L^4)), cos beta cosh beta = -1 (Euler, Bernoulli). */
START_TEST(clamped_rod_has_the_frequencies_of_euler_and_bernoulli)
{
    static const double beta[3] = {1.8751040687119612, 4.694091132974175, 7.854757438237612};
    double error[3][SIZES], z[3 * MOST], zdot[3 * MOST], w2[3];
    for (int s = 0; s < SIZES; s++) {
        const ph_parameter_value values[] = {{"links", &sizes[s], 1},
                                             {"length", VALUES(2)},
                                             {"bending_stiffness", VALUES(0.3)},
                                             {"mass", VALUES(0.7)},
                                             {"gravity", VALUES(0)}};
        ph_system *system = tk_build("cantilever", values, 5);
        tk_preset("cantilever", values, 5, "straight", z, zdot);
        lowest(system, z, 3, w2);
        if (sizes[s] == 80) { /* the fastest is that of an infinite row of links, 4 sqrt(EI/rho A)/l^2 */
            double rate;
            tk_ok(ph_system_fastest_rate(system, z, &rate, NULL));
            ck_assert_double_eq_tol(rate / (4 * sqrt(0.3 / 0.35) * 1600), 1, 2e-3);
        }
        for (int k = 0; k < 3; k++)
            error[k][s] = fabs(sqrt(w2[k]) / (beta[k] * beta[k] * sqrt(0.3 / (0.7 / 2 * 16))) - 1);
        ph_system_free(system);
    }
    for (int k = 0; k < 3; k++) {
        char what[60];
        ck_assert(fabs(cos(beta[k]) + 1 / cosh(beta[k])) < 2e-15);
        snprintf(what, sizeof what, "clamped rod, frequency %d", k + 1);
        expect_order_two(what, error[k], 1e-3);
    }
}
END_TEST

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
START_TEST(columns_buckle_at_the_loads_of_euler_and_greenhill)
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
                ph_system *system = tk_build("cantilever", values, 7);
                tk_preset("cantilever", values, 7, "straight", z, zdot);
                stiffness(system, z, loaded ? K1 : K);
                ph_system_free(system);
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
END_TEST

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

/* Place of the tip. */
static void tip_of(size_t n, double length, const double *q, double x[3])
{
    memset(x, 0, 3 * sizeof *x);
    for (size_t i = 0; i < 3 * n; i++)
        x[i % 3] += length / (double)n * q[i];
}

START_TEST(elastica_of_a_force_on_the_tip)
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
            ph_system *system = tk_build("cantilever", values, 5);
            tk_preset("cantilever", values, 5, "settled", q, zdot);
            rest = tk_max(rest, unrest(system, q));
            tip_of((size_t)sizes[s], 2, q, tip);
            error[s] = hypot(tip[0] / 2 - x, tip[2] / 2 - z);
            ck_assert(fabs(tip[1]) <= 1e-15);
            ph_system_free(system);
        }
        snprintf(what, sizeof what, "elastica, P L^2/EI = %g (at rest to %.1e)", loads[k], rest);
        expect_order_two(what, error, 1e-4);
        ck_assert_double_le(rest, 1e-14);
    }
}
END_TEST

/* The way it buckles is not what is asked, but how far. */
START_TEST(elastica_of_a_column)
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
        ph_system *system = tk_build("cantilever", values, 6);
        tk_preset("cantilever", values, 6, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
        tip_of((size_t)sizes[s], 2, q, tip);
        double up = (tip[0] + 2 * tip[1] + 2 * tip[2]) / 3;
        double out = sqrt(ph_dot3(tip, tip) - up * up);
        error[s] = hypot(up / 2 - high, out / 2 - aside);
        ph_system_free(system);
    }
    printf("column at rest to %.1e\n", rest);
    expect_order_two("buckled column, P L^2/EI = 4", error, 1e-4);
    ck_assert_double_le(rest, 1e-14);
}
END_TEST

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

START_TEST(pulled_cable_is_a_catenary)
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
        ph_system *system = tk_build("hanging-cable", values, 5);
        tk_preset("hanging-cable", values, 5, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
        error[s] = off_catenary((size_t)sizes[s], q, 0.8, 1, 0.7 * 9.81 / 2, 2);
        ph_system_free(system);
    }
    printf("pulled cable at rest to %.1e\n", rest);
    expect_order_two("pulled cable, distance from the catenary", error, 1e-4);
    ck_assert_double_le(rest, 1e-15);
}
END_TEST

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
START_TEST(held_cable_is_a_catenary)
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
            ph_system *system = tk_build("hanging-cable", values, 5);
            tk_preset("hanging-cable", values, 5, "settled", q, zdot);
            rest = tk_max(rest, unrest(system, q));
            error[s] = off_catenary((size_t)sizes[s], q, H, V, w, 2);
            tip_of((size_t)sizes[s], 2, q, tip);
            reaction = hypot(cases[k].K * (cases[k].x - tip[0]) - H, cases[k].K * (cases[k].z - tip[2]) - V);
            ph_system_free(system);
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
END_TEST

/* Without gravity, a pull F along e1: links and masses are a string of which one end is free, w_k = (2/l)
 * sqrt(F/rho) sin((k - 1/2) pi/(2 n)) exactly, whatever n. */
START_TEST(pulled_cable_is_a_string)
{
    double q[3 * 12], zdot[3 * 12], w2[12], worst = 0;
    const ph_parameter_value values[] = {{"links", VALUES(12)},           {"length", VALUES(2)},
                                         {"mass", VALUES(0.7)},           {"gravity", VALUES(0)},
                                         {"anchor_stiffness", VALUES(0)}, {"pull", VALUES(3, 0, 0)}};
    ph_system *system = tk_build("hanging-cable", values, 6);
    tk_preset("hanging-cable", values, 6, "settled", q, zdot);
    lowest(system, q, 12, w2);
    for (int k = 0; k < 12; k++) {
        double w = 2 / (2. / 12) * sqrt(3 / 0.35) * sin((k + 0.5) * M_PI / 24);
        worst = tk_max(worst, fabs(sqrt(w2[k]) / w - 1));
    }
    printf("string of 12 links: frequencies off by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-13);
    ph_system_free(system);
}
END_TEST

/* Wherever the anchor is, within reach or beyond: a + F/K, with the pull F, need only be aside by a link's
 * length. */
START_TEST(cables_hang_between_any_two_points)
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
        ph_system *system = tk_build("hanging-cable", values, 6);
        tk_preset("hanging-cable", values, 6, "settled", q, zdot);
        rest = tk_max(rest, unrest(system, q));
        ph_system_free(system);
    }
    printf("cables of 2 to 32 links between any two points: at rest to %.1e\n", rest);
    ck_assert_double_le(rest, 1e-12);
}
END_TEST

/* Without weight a cable that is taut is straight and its spring gives F = K |a| - K L; a slack one hangs as
 * if it had little weight, its end at the anchor: the limit of the heavy one whose spring is stiff. */
START_TEST(weightless_cables)
{
    const ph_parameter_value taut[] = {
        {"gravity", VALUES(0)}, {"anchor", VALUES(0, 3, 4)}, {"anchor_stiffness", VALUES(7)}};
    const ph_parameter_value slack[] = {
        {"gravity", VALUES(0)}, {"anchor", VALUES(0.5, 0, 0.2)}, {"anchor_stiffness", VALUES(7)}};
    const ph_parameter_value heavy[] = {
        {"gravity", VALUES(3)}, {"anchor", VALUES(0.5, 0, 0.2)}, {"anchor_stiffness", VALUES(1e12)}};
    double q[24], other[24], zdot[24], U;
    ph_system *system = tk_build("hanging-cable", taut, 3);
    tk_preset("hanging-cable", taut, 3, "settled", q, zdot);
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
END_TEST

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

START_TEST(trees_swing_as_their_masses_do)
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
        ph_system *system = tk_build("branching-pendulum", values, 3);
        tk_preset("branching-pendulum", values, 3, "hanging", z, zdot);
        tk_spectrum(system, z, found);
        hanging_tree(&t, w2);
        for (size_t i = 0; i < 2 * t.n; i++)
            worst = tk_max(worst, fabs(found[i] - w2[i / 2]) / w2[t.n - 1]);
        ph_system_free(system);
    }
    printf("trees: squared frequencies off by %.1e of the largest\n", worst);
    ck_assert_double_le(worst, 1e-7); /* tk_spectrum is good to 1e-8 */
}
END_TEST

/* In a complete tree sisters that swing against one another leave their parent at rest, as if it were fixed:
 * of depth 3 with 3 branches the 9 ends have g/l 3 (3 - 1) times, for each direction; and the pairs of links,
 * those of a chain whose second mass stands for three, (3 - 1) times. */
START_TEST(sisters_swing_against_one_another)
{
    const ph_parameter_value values[] = {
        {"branches", VALUES(3)}, {"lengths", VALUES(0.5)}, {"masses", VALUES(0.2)}};
    const truth pair = {.n = 2, .l = {0.5, 0.5}, .m = {0.2, 0.6}, .parent = {-1, 0}};
    double z[39], zdot[39], found[26], w2[2];
    size_t times[3] = {0};
    ph_system *system = tk_build("branching-pendulum", values, 3);
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
    ph_system_free(system);
}
END_TEST

/* ---- Runs --------------------------------------------------------------------------------------- */

/* An equilibrium stays, and from the first initial condition the energy error neither grows nor is anything
 * but of order 2: 4000 steps at h and 8000 at h/2, with the largest error of the first and of the second
 * half. */
START_TEST(runs_keep_energy_and_equilibria)
{
    static const char *const names[] = {"elastic-chain", "cantilever", "hanging-cable", "branching-pendulum"};
    const char *name = names[_i];
    double z[64], zdot[64], rate, worst[2][2] = {{0}}, moved = 0;
    ph_system *system = tk_build(name, NULL, 0);
    size_t nz = ph_space_ambient(ph_system_space(system));
    ph_integrator *it;
    ph_state *state;
    tk_preset(name, NULL, 0, NULL, z, zdot);
    rate = tk_fastest(system, z, zdot);
    for (int half = 0; half < 2; half++) {
        double h = 0.2 / rate / (1 + half), T, U, E0, *work = malloc(ph_system_work(system) * sizeof *work),
               v[64];
        int steps = 4000 * (1 + half);
        tk_start(system, "variational", NULL, h, z, zdot, &it, &state);
        tk_ok(ph_system_energy(system, z, zdot, &T, &U, work));
        E0 = T + U;
        for (int k = 0; k < steps; k++) {
            tk_ok(ph_integrator_step(it, state, 1));
            tk_ok(ph_system_velocity(system, state->z, state->p, v, work));
            tk_ok(ph_system_energy(system, state->z, v, &T, &U, work));
            double *most = &worst[half][k >= steps / 2];
            *most = tk_max(*most, fabs(T + U - E0));
        }
        tk_end(it, state);
        free(work);
    }
    tk_preset(name, NULL, 0, _i == 3 ? "hanging" : "settled", z, zdot);
    tk_start(system, "variational", NULL, 0.2 / rate, z, zdot, &it, &state);
    for (int k = 0; k < 1000; k++) {
        tk_ok(ph_integrator_step(it, state, 1));
        moved = tk_max(moved, tk_max_difference(state->z, z, nz));
    }
    tk_end(it, state);
    ph_system_free(system);
    double first = worst[0][0], second = worst[0][1], finer = tk_max(worst[1][0], worst[1][1]);
    printf("%s: energy error %.2e J in the first half, %.2e in the second, %.2e at half the step; "
           "the equilibrium moves by %.1e\n",
           name, first, second, finer, moved);
    ck_assert_double_le(second, 1.5 * first);
    ck_assert(tk_max(first, second) / finer > 3 && tk_max(first, second) / finer < 5.5);
    ck_assert_double_le(moved, 1e-11);
}
END_TEST

/* ---- Initial conditions ------------------------------------------------------------------------- */

START_TEST(initial_conditions_are_what_they_say)
{
    double z[24], zdot[24], other[24], tip[3], first[3], turn[3];
    /* bent by 90 degrees from the clamp, the tip at about 0.5 m/s across */
    const ph_parameter_value clamped[] = {
        {"clamp", VALUES(0, 2, 0)}, {"links", VALUES(8)}, {"length", VALUES(0.4)}};
    tk_preset("elastic-chain", clamped, 3, "curved", z, zdot);
    for (int i = 0; i < 8; i++) {
        double a = M_PI / 2 * (i + 0.5) / 8;
        ck_assert(fabs(z[3 * i]) <= eps && fabs(z[3 * i + 1] - cos(a)) <= 2 * eps &&
                  fabs(z[3 * i + 2] + sin(a)) <= 2 * eps);
    }
    tip_of(8, 0.4, zdot, tip);
    ck_assert_double_eq_tol(fabs(tip[0]), 0.5, 1e-15);
    ck_assert(fabs(tip[1]) + fabs(tip[2]) <= 1e-15);
    /* on a ball joint, whether there is gravity or not, it settles where it hangs */
    for (int heavy = 0; heavy < 2; heavy++) {
        const ph_parameter_value gravity = {"gravity", VALUES(9.81 * heavy)};
        tk_preset("elastic-chain", &gravity, 1, "settled", z, zdot);
        for (int i = 0; i < 24; i++)
            ck_assert(z[i] == (i % 3 == 2 ? -1 : 0) && zdot[i] == 0);
    }
    /* angles as those of a force on the tip */
    tk_preset("cantilever", NULL, 0, "plucked", z, zdot);
    for (int i = 0; i < 8; i++) {
        double s = (i + 0.5) / 8;
        ck_assert_double_eq_tol(atan2(-z[3 * i + 2], z[3 * i]), 0.5 * (2 * s - s * s), 4 * eps);
        ck_assert(z[3 * i + 1] == 0 && zdot[3 * i] == 0 && zdot[3 * i + 1] == 0 && zdot[3 * i + 2] == 0);
    }
    /* turned by 0.5 about the line through the ends: that stays */
    tk_preset("hanging-cable", NULL, 0, "swung", z, zdot);
    tk_preset("hanging-cable", NULL, 0, "settled", other, zdot);
    tip_of(8, 1, z, tip);
    tip_of(8, 1, other, first);
    ck_assert_double_le(tk_max_difference(tip, first, 3), 1e-14);
    ck_assert_double_le(hypot(tip[0] - 0.7, tip[2] - 0.2), 1e-3); /* half the weight over 1000 N/m */
    for (int i = 0; i < 8; i++) {
        double normal[2][3];
        ph_cross3(tip, z + 3 * i, normal[0]);
        ph_cross3(tip, other + 3 * i, normal[1]);
        ck_assert_double_eq_tol(angle(normal[0], normal[1]), 0.5, 1e-13);
    }
    tk_preset("hanging-cable", NULL, 0, "straight", z, zdot);
    for (int i = 0; i < 24; i++)
        ck_assert(fabs(z[i] - (i % 3 == 0 ? 0.7 : i % 3 == 2 ? 0.2 : 0) / hypot(0.7, 0.2)) <= 2 * eps);
    const ph_parameter_value pulled[] = {
        {"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 3, 0)}, {"links", VALUES(1)}};
    tk_preset("hanging-cable", pulled, 3, "straight", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 1 && z[2] == 0);
    tk_preset("hanging-cable", pulled, 1, "straight", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == -1);
    tk_preset("hanging-cable", pulled, 1, "settled", z, zdot);
    ck_assert(z[0] == 0 && z[1] == 0 && z[2] == -1);
    /* sisters lean by 0.5 away from one another, and all turn about the vertical */
    tk_preset("branching-pendulum", NULL, 0, "spread", z, zdot);
    for (int i = 0; i < 7; i++) {
        const double up[3] = {0, 0, 1};
        ck_assert_double_eq_tol(z[3 * i + 2], -cos(0.5), 4 * eps);
        ph_cross3(up, z + 3 * i, turn);
        ck_assert_double_le(tk_max_difference(turn, zdot + 3 * i, 3), eps);
    }
    for (int i = 1; i < 7; i += 2)
        ck_assert(hypot(z[3 * i] + z[3 * i + 3], z[3 * i + 1] + z[3 * i + 4]) <= 4 * eps);
    ck_assert_double_eq_tol(cos(1) * z[0] + sin(1) * 0, cos(1) * sin(0.5), 4 * eps);
    ck_assert_double_eq_tol(z[3] / z[0], cos(1), 8 * eps);
    ck_assert_double_eq_tol(z[9] / z[0], cos(2), 8 * eps);
    tk_preset("branching-pendulum", NULL, 0, "disturbed", z, zdot);
    for (int i = 0; i < 7; i++)
        ck_assert_double_eq_tol(z[3 * i + 2], i < 6 ? -1 : -cos(0.5), 4 * eps);
}
END_TEST

/* ---- Symmetries --------------------------------------------------------------------------------- */

START_TEST(symmetries_are_those_that_hold)
{
    const struct {
        const char *model;
        ph_parameter_value values[4];
        const char *names;
        double axis[3];
    } cases[] = {
        {"elastic-chain", {{"links", VALUES(3)}}, "Jg ", {0, 0, 1}},
        {"elastic-chain", {{"gravity", VALUES(0)}}, "Jx Jy Jz ", {1, 0, 0}},
        {"elastic-chain", {{"clamp", VALUES(1, 0, 0)}}, "", {0}},
        {"elastic-chain", {{"clamp", VALUES(0, 0, -2)}}, "Jg ", {0, 0, 1}},
        {"elastic-chain", {{"clamp", VALUES(0, 3, 4)}, {"gravity", VALUES(0)}}, "Ja ", {0, 0.6, 0.8}},
        {"cantilever", {{"links", VALUES(3)}}, "", {0}},
        {"cantilever", {{"gravity", VALUES(0)}}, "Ja ", {1, 0, 0}},
        {"cantilever",
         {{"direction", VALUES(2, 1, 2)}, {"gravity", VALUES(-4, -2, -4)}},
         "Jg ",
         {2. / 3, 1. / 3, 2. / 3}},
        {"cantilever", {{"gravity", VALUES(0)}, {"tip_load", VALUES(-3, 0, 0)}}, "Ja ", {1, 0, 0}},
        {"cantilever", {{"gravity", VALUES(0)}, {"tip_load", VALUES(-3, 1e-9, 0)}}, "", {0}},
        {"hanging-cable", {{"links", VALUES(3)}}, "", {0}},
        {"hanging-cable", {{"gravity", VALUES(0)}, {"anchor", VALUES(0, -2, 0)}}, "Ja ", {0, -1, 0}},
        {"hanging-cable", {{"anchor", VALUES(0, 0, -2)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 0, 1)}}, "Jg ", {0, 0, 1}},
        {"hanging-cable", {{"anchor_stiffness", VALUES(0)}, {"pull", VALUES(0, 1, 1)}}, "", {0}},
        {"branching-pendulum", {{"gravity", VALUES(0, -3, 0)}}, "Jg ", {0, 1, 0}},
        {"branching-pendulum", {{"gravity", VALUES(0)}}, "Jx Jy Jz ", {1, 0, 0}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char found[40] = "";
        size_t n = cases[i].values[1].name ? 2 : 1;
        ph_system *system = tk_build(cases[i].model, cases[i].values, n);
        for (size_t k = 0; k < ph_system_symmetries(system); k++) {
            strcat(found, ph_system_symmetry(system, k)->name);
            strcat(found, " ");
        }
        ck_assert_msg(!strcmp(found, cases[i].names), "case %zu: %s", i, found);
        if (*found)
            ck_assert_double_le(tk_max_difference(ph_system_symmetry(system, 0)->axis, cases[i].axis, 3),
                                eps);
        ph_system_free(system);
    }
}
END_TEST

/* ---- What is refused, and what is large ---------------------------------------------------------- */

START_TEST(refused_parameters_say_why)
{
    const struct {
        const char *model;
        ph_parameter_value values[2];
        ph_status status;
        const char *message;
    } cases[] = {
        {"cantilever",
         {{"direction", VALUES(0, 0, 0)}},
         PH_E_INVALID,
         "direction is (0, 0, 0); give the vector"},
        {"cantilever",
         {{"links", VALUES(0)}},
         PH_E_RANGE,
         "links is 0; it must be a whole number from 1 to 1000000"},
        {"cantilever",
         {{"bending_stiffness", VALUES(-1)}},
         PH_E_RANGE,
         "bending_stiffness is -1 N m^2; it must be"},
        {"elastic-chain", {{"links", VALUES(1000001)}}, PH_E_RANGE, "links is 1000001; it must be"},
        {"elastic-chain",
         {{"lengths", VALUES(1, 2, 3)}, {"links", VALUES(2)}},
         PH_E_SIZE,
         "lengths has 3 numbers, but there are 2 links"},
        {"elastic-chain",
         {{"masses", VALUES(1, 2, 3)}, {"links", VALUES(2)}},
         PH_E_SIZE,
         "masses has 3 numbers, but there are 2 links"},
        {"elastic-chain",
         {{"masses", VALUES(1, 2, 0)}},
         PH_E_RANGE,
         "entry 3 of masses is 0; give a positive number for each link"},
        {"elastic-chain", {{"lengths", VALUES(0, 2)}}, PH_E_RANGE, "entry 1 of lengths is 0; give"},
        {"hanging-cable",
         {{"anchor_stiffness", VALUES(-1)}},
         PH_E_RANGE,
         "anchor_stiffness is -1 N/m; it must"},
        {"branching-pendulum",
         {{"parents", VALUES(0, 1, 3)}},
         PH_E_RANGE,
         "entry 3 of parents is 3; link 3 must hang on a link before it, "
         "from 1 to 2, or on the fixed point, 0"},
        {"branching-pendulum",
         {{"parents", VALUES(0, 0.5)}},
         PH_E_RANGE,
         "entry 2 of parents is 0.5; link 2 must"},
        {"branching-pendulum",
         {{"parents", VALUES(0, -1)}},
         PH_E_RANGE,
         "entry 2 of parents is -1; link 2 must"},
        {"branching-pendulum",
         {{"masses", VALUES(1, 2)}},
         PH_E_SIZE,
         "masses has 2 numbers, but there are 7 links; give 7 numbers, or one for all"},
        {"branching-pendulum",
         {{"lengths", VALUES(1, 2)}},
         PH_E_SIZE,
         "lengths has 2 numbers, but there are 7"},
        {"branching-pendulum",
         {{"depth", VALUES(21)}},
         PH_E_RANGE,
         "a tree of depth 21 with 2 branches has more than 1000000 links"},
        {"branching-pendulum", {{"branches", VALUES(101)}}, PH_E_RANGE, "branches is 101; it must be"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        ph_system *system = NULL;
        ph_error err = {PH_OK, ""};
        double z[64], zdot[64];
        const ph_model *m = ph_model_find(cases[i].model, NULL);
        size_t n = cases[i].values[1].name ? 2 : 1;
        ck_assert_int_eq(ph_model_build(m, cases[i].values, n, &system, &err), cases[i].status);
        ck_assert_msg(strstr(err.message, cases[i].message) == err.message, "\"%s\"", err.message);
        ck_assert_ptr_null(system);
        ck_assert_int_eq(ph_model_preset(m, cases[i].values, n, NULL, z, zdot, &err), cases[i].status);
    }
    /* ends above one another */
    const ph_parameter_value above = {"anchor", VALUES(0, 0, -0.45)};
    const ph_model *m = ph_model_find("hanging-cable", NULL);
    double z[24], zdot[24];
    ph_error err;
    ck_assert_int_eq(ph_model_preset(m, &above, 1, "settled", z, zdot, &err), PH_E_NO_CONVERGENCE);
    ck_assert_ptr_nonnull(strstr(err.message, "move it aside by more than a link, or start from straight"));
    tk_ok(ph_model_preset(m, &above, 1, "straight", z, zdot, &err));
}
END_TEST

/* Lists of one link, and totals of many: the tree has the links that are listed. */
START_TEST(trees_are_as_listed)
{
    const ph_parameter_value one = {"parents", VALUES(0)}, deep[] = {{"depth", VALUES(10)}};
    const ph_parameter_value stem[] = {{"depth", VALUES(1000000)}, {"branches", VALUES(1)}};
    ph_system *system = tk_build("branching-pendulum", &one, 1);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1);
    ph_system_free(system);
    system = tk_build("branching-pendulum", deep, 1);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1023);
    const ph_linkage *l = ph_system_linkage(system);
    ck_assert_uint_eq(l->parent[0], PH_NO_INDEX);
    for (size_t i = 1; i < 1023; i++)
        ck_assert_uint_eq(l->parent[i], (i - 1) / 2);
    ph_system_free(system);
    system = tk_build("branching-pendulum", stem, 2);
    ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 1000000);
    ck_assert_uint_eq(ph_system_linkage(system)->parent[999999], 999998);
    ph_system_free(system);
}
END_TEST

/* Equilibria of 100 000 links: as much at rest as the rounding of their terms lets them be. */
START_TEST(many_links)
{
    const struct {
        const char *model;
        ph_parameter_value values[3];
    } cases[] = {
        {"cantilever", {{"links", VALUES(100000)}, {"bending_stiffness", VALUES(0.01)}, {"mass", VALUES(1)}}},
        {"elastic-chain", {{"links", VALUES(100000)}, {"clamp", VALUES(0, 1, 1)}, {"mass", VALUES(1)}}},
        {"hanging-cable", {{"links", VALUES(100000)}, {"length", VALUES(2)}, {"mass", VALUES(1)}}}};
    double *z = malloc(600000 * sizeof *z);
    for (size_t k = 0; k < COUNT(cases); k++) {
        ph_system *system = tk_build(cases[k].model, cases[k].values, 3);
        ck_assert_uint_eq(ph_space_factors(ph_system_space(system)), 100000);
        tk_preset(cases[k].model, cases[k].values, 3, "settled", z, z + 300000);
        double rest = unrest(system, z);
        printf("%s of 100000 links: at rest to %.1e, tip (%.6f, %.6f, %.6f)\n", cases[k].model, rest,
               z[299997], z[299998], z[299999]);
        ck_assert_double_le(rest, 1e-9);
        ph_system_free(system);
    }
    free(z);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        hanging_chain_has_the_zeros_of_bessel,
        clamped_rod_has_the_frequencies_of_euler_and_bernoulli,
        columns_buckle_at_the_loads_of_euler_and_greenhill,
        elastica_of_a_force_on_the_tip,
        elastica_of_a_column,
        pulled_cable_is_a_catenary,
        held_cable_is_a_catenary,
        pulled_cable_is_a_string,
        cables_hang_between_any_two_points,
        weightless_cables,
        trees_swing_as_their_masses_do,
        sisters_swing_against_one_another,
        initial_conditions_are_what_they_say,
        symmetries_are_those_that_hold,
        refused_parameters_say_why,
        trees_are_as_listed,
        many_links,
    };
    Suite *suite = suite_create("rods");
    TCase *physics = tcase_create("physics");
    tcase_set_timeout(physics, 300);
    tcase_add_loop_test(physics, energies_are_those_of_masses_and_joints, 0, KINDS);
    tcase_add_loop_test(physics, gradient_is_the_derivative_off_the_spheres_too, 0, KINDS);
    for (size_t i = 0; i < COUNT(tests); i++)
        tcase_add_test(physics, tests[i]);
    tcase_add_loop_test(physics, runs_keep_energy_and_equilibria, 0, 4);
    suite_add_tcase(suite, physics);
    return tk_main(suite);
}
