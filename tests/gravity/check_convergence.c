/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimated truncation errors of the mutual potential: against terms to order 14 (30 digits, an independent program) of pairs of
 * ellipsoids and of octahedra; against the whole sum of clusters of points, near and far. */
#include <polhode/domain/convergence.h>

#include <float.h>

#include "tests/kit/binaries.h"

static const double G = 6.6743e-11;

static void make_octahedron(const double half[3], ph_mass *mass)
{
    static const uint32_t face[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const double vertex[18] = {half[0], 0,        0, -half[0], 0, 0,       0, half[1], 0,
                               0,       -half[1], 0, 0,        0, half[2], 0, 0,       -half[2]};
    const ph_mesh mesh = {6, vertex, 8, face};
    tk_ok(ph_mass_polyhedron(&mesh, 2500, mass, NULL, NULL));
}

/* Two bodies of which the first stands in the origin. */
static ph_gravitation *describe(const ph_mass *mass, size_t order)
{
    static const bool turning[2] = {true, true};
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .turning = turning, .order = order, .G = G};
    return tk_gravitation(d);
}

/* Errors of order 2, 4, 6, 8 of the force and of the torques on both bodies. */
static const struct {
    const char *name;
    double mass[2], half[2][3], radii, qa[4], qb[4], x[3], force[4], torque_a[4], torque_b[4];
} known[] = {
    {"ellipsoids",
     {3.5e11, 2e10},
     {{400, 350, 280}, {120, 90, 70}},
     520,
     {1, 0, 0, 0},
     {7, 1, 2, 1},
     {1100, 50, 30},
     {1.3e-3, 6.46e-5, 3.66e-6, 2.31e-7},
     {0.142, 0.0145, 1.29e-3, 1.07e-4},
     {0.0659, 4.28e-3, 2.85e-4, 1.91e-5}},
    {"kw4",
     {2.353e12, 1.35e11},
     {{708.5, 680.5, 591.5}, {285.5, 231.5, 174.5}},
     994,
     {.8759, .0494, .0718, -.4745},
     {0, 0, 0, 1},
     {-2565.905, 0, 0},
     {1.36e-4, 2.97e-6, 7.73e-8, 2.24e-9},
     {0.0162, 4.23e-4, 1.32e-5, 4.45e-7},
     {1, 0.0325, 1.14e-3, 4.2e-5}},
    {"octahedra",
     {0, 0},
     {{1, 1.5, .9}, {1, 0.36787944117144233, 0.3183098861837907}},
     2.5,
     {8, -1, 2, 5},
     {3, 1, 0, 4},
     {2.7, .8, .2},
     {2.58e-3, 4.05e-4, 7.09e-5, 1.62e-5},
     {0.0153, 0.0122, 2.14e-3, 1.67e-4},
     {0.297, 0.0253, 5.29e-3, 3.01e-3}},
};

/* The estimate of order 8 is that of the remainder by a geometric series: within a factor of 3. Those of lower orders have the
 * remainder added whatever its direction: they are off by at most the error of order 8 and its estimate. */
TEST_EACH(many_orders, 3)
{
    ph_mass mass[2];
    double z[6 + 18] = {0};
    ph_convergence c;
    for (size_t i = 0; i < 2; i++)
        if (known[_i].mass[i] > 0)
            tk_ok(ph_mass_ellipsoid(known[_i].mass[i], known[_i].half[i], &mass[i], NULL));
        else
            make_octahedron(known[_i].half[i], &mass[i]);
    TK_OWN(ph_gravitation) *g = describe(mass, 4);
    memcpy(z + 3, known[_i].x, sizeof known[_i].x);
    tk_attitude(known[_i].qa, z + 6);
    tk_attitude(known[_i].qb, z + 15);
    tk_ok(ph_gravitation_convergence(g, 0, z, 0, 1, &c, NULL));
    ck_assert_double_eq_tol(c.distance, ph_norm3(known[_i].x), 1e-12 * c.distance);
    ck_assert_double_eq_tol(c.radii, known[_i].radii, 1e-12 * c.radii);
    const double *const want[3] = {known[_i].force, known[_i].torque_a, known[_i].torque_b},
                        *const found[3] = {c.force, c.torque_a, c.torque_b};
    for (size_t what = 0; what < 3; what++)
        for (size_t k = 0; k < 4; k++) {
            const double at = found[what][2 * k + 2], true_error = want[what][k];
            printf("%s %zu, order %zu: %.2g, true %.2g\n", known[_i].name, what, 2 * k + 2, at, true_error);
            if (k < 3)
                ck_assert_double_le(fabs(at - true_error), 0.01 * true_error + 4 * want[what][3]);
            else
                ck_assert(at < 3 * true_error && at > true_error / 3);
        }
}

enum { POINTS = 5 };

typedef struct cluster {
    double x[POINTS][3], m[POINTS];
    ph_mass mass;
} cluster;

/* Points about their centre of mass. */
static void draw(tk_random *r, cluster *c)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double center[3] = {0}, total = 0;
    for (size_t i = 0; i < POINTS; i++) {
        c->m[i] = tk_uniform(r, 0.5, 2);
        total += c->m[i];
        for (size_t k = 0; k < 3; k++) {
            c->x[i][k] = tk_uniform(r, -1, 1);
            center[k] += c->m[i] * c->x[i][k];
        }
    }
    c->mass = (ph_mass){.radius = 0};
    for (size_t i = 0; i < POINTS; i++) {
        ph_mass point;
        for (size_t k = 0; k < 3; k++)
            c->x[i][k] -= center[k] / total;
        tk_ok(ph_mass_sphere(c->m[i], 0, &point, NULL));
        ph_mass_add(&point, c->x[i], identity, &c->mass);
    }
    memset(c->mass.moment + 1, 0, 3 * sizeof(double)); /* rounding */
}

/* The true errors from the sums over all points: how the estimates of orders 2, 4, 6 and 8 compare. They are no bounds; what counts is
 * that they do not deceive: at most one in twenty is too small by more than 3, or too large by more than 10. */
TEST(clusters)
{
    tk_random r = {11};
    size_t small = 0, large = 0, all = 0;
    double least = INFINITY, most = 0;
    for (size_t trial = 0; trial < 150; trial++) {
        cluster c[2];
        draw(&r, &c[0]);
        draw(&r, &c[1]);
        const ph_mass mass[2] = {c[0].mass, c[1].mass};
        TK_OWN(ph_gravitation) *g = describe(mass, 4);
        double z[6 + 18] = {0}, u[3], force[3] = {0};
        const double distance = (mass[0].radius + mass[1].radius) * tk_uniform(&r, 1.05, 4);
        ph_convergence found;
        tk_unit(&r, u);
        for (size_t k = 0; k < 3; k++)
            z[3 + k] = distance * u[k];
        for (size_t i = 0; i < 2; i++)
            z[6 + 9 * i] = z[10 + 9 * i] = z[14 + 9 * i] = 1;
        for (size_t i = 0; i < POINTS; i++)
            for (size_t j = 0; j < POINTS; j++) {
                double d[3];
                for (size_t k = 0; k < 3; k++)
                    d[k] = z[3 + k] + c[1].x[j][k] - c[0].x[i][k];
                for (size_t k = 0; k < 3; k++)
                    force[k] -= G * c[0].m[i] * c[1].m[j] * d[k] / pow(ph_norm3(d), 3);
            }
        tk_ok(ph_gravitation_convergence(g, 0, z, 0, 1, &found, NULL));
        for (size_t n = 2; n <= 8; n += 2) {
            static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            ph_attraction pull;
            ph_attract(&mass[0], &mass[1], n, G, z + 3, identity, &pull);
            const double d[3] = {pull.force[0] - force[0], pull.force[1] - force[1],
                                 pull.force[2] - force[2]};
            const double ratio = found.force[n] / (ph_norm3(d) / ph_norm3(force));
            ck_assert(isfinite(ratio));
            all++;
            small += ratio < 1. / 3;
            large += ratio > 10;
            least = fmin(least, ratio);
            most = fmax(most, ratio);
        }
    }
    printf("estimate / error of %zu: from %.2g to %.2g, %zu too small, %zu too large\n", all, least, most,
           small, large);
    ck_assert_uint_eq(all, 600);
    ck_assert_uint_le(small, all / 20);
    ck_assert_uint_le(large, all / 20);
}

/* Spheres have no terms; two bodies inside each other's spheres need not converge. */
TEST(limits)
{
    static const double half[3] = {400, 50, 40};
    ph_mass mass[2];
    double z[6 + 18] = {0};
    ph_convergence c;
    tk_ok(ph_mass_sphere(1e10, 100, &mass[0], NULL));
    tk_ok(ph_mass_sphere(2e10, 100, &mass[1], NULL));
    ph_gravitation *g = describe(mass, 0);
    z[3] = 300;
    z[6] = z[10] = z[14] = z[15] = z[19] = z[23] = 1;
    tk_ok(ph_gravitation_convergence(g, 0, z, 0, 1, &c, NULL));
    for (size_t n = 0; n <= 8; n++)
        ck_assert(c.force[n] == 0 && c.torque_a[n] == 0 && c.torque_b[n] == 0);
    tk_returns(ph_gravitation_convergence(g, 0, z, 1, 0, &c, tk_err), PH_E_RANGE);
    tk_returns(ph_gravitation_convergence(g, 0, z, 0, 2, &c, tk_err), PH_E_RANGE);
    tk_returns(ph_gravitation_convergence(g, 0, z, 1, 1, &c, tk_err), PH_E_RANGE);
    ph_gravitation_free(g);

    tk_ok(ph_mass_ellipsoid(1e10, half, &mass[0], NULL));
    g = describe(mass, 4);
    z[3] = 0.1;
    z[4] = 160; /* above the short side, where the sphere about the body is long left */
    tk_ok(ph_gravitation_convergence(g, 0, z, 0, 1, &c, NULL));
    ck_assert_double_lt(c.distance, c.radii);
    ck_assert(isinf(c.force[4]) && isinf(c.force[8]));
    ph_gravitation_free(g);
}

/* Two bodies that are followed by their distance alone have the same numbers. */
TEST(relative)
{
    static const double half[2][3] = {{400, 350, 280}, {120, 90, 70}};
    static const bool turning[2] = {true, true};
    tk_random r = {3};
    ph_mass mass[2];
    double z[6 + 18] = {10, -20, 30, 1110, 80, -70}, one[3 + 18] = {1100, 100, -100}, w[3];
    ph_convergence a, b;
    TK_OWN(ph_gravitation) *g = NULL, *h = NULL;
    tk_ok(ph_mass_ellipsoid(3.5e11, half[0], &mass[0], NULL));
    tk_ok(ph_mass_ellipsoid(2e10, half[1], &mass[1], NULL));
    for (size_t i = 0; i < 2; i++) {
        tk_unit(&r, w);
        ph_exp3(w, z + 6 + 9 * i);
        memcpy(one + 3 + 9 * i, z + 6 + 9 * i, 9 * sizeof *z);
    }
    const ph_gravitation_definition d = {
        .bodies = 2, .mass = mass, .turning = turning, .order = 2, .G = G, .relative = true};
    g = describe(mass, 2);
    tk_ok(ph_gravitation_create(&d, &h, NULL));
    tk_ok(ph_gravitation_convergence(g, 0, z, 0, 1, &a, NULL));
    tk_ok(ph_gravitation_convergence(h, 0, one, 0, 1, &b, NULL));
    ck_assert_mem_eq(&a, &b, sizeof a);
}

/* A central body that turns: as a free body at that attitude. */
TEST(central)
{
    static const double half[2][3] = {{400, 350, 280}, {120, 90, 70}};
    static const bool turning[2] = {true, true};
    const double t = 5000, turn[3] = {0.5, -1, 1.5};
    ph_mass mass[2];
    double z[6 + 18] = {0, 0, 0, 800, 500, -200}, w[3] = {0.3, 0.4, -2};
    ph_convergence a, b;
    TK_OWN(ph_gravitation) *free_pair = NULL, *held = NULL;
    tk_ok(ph_mass_ellipsoid(3.5e11, half[0], &mass[0], NULL));
    tk_ok(ph_mass_ellipsoid(2e10, half[1], &mass[1], NULL));
    ph_exp3(turn, z + 6); /* R_0 = 1, spin t = turn */
    ph_exp3(w, z + 15);
    const ph_gravitation_definition d = {.bodies = 1,
                                         .mass = mass + 1,
                                         .turning = turning,
                                         .order = 4,
                                         .G = G,
                                         .central = {.mass = mass, .spin = {1e-4, -2e-4, 3e-4}}};
    free_pair = describe(mass, 4);
    tk_ok(ph_gravitation_create(&d, &held, NULL));
    tk_ok(ph_gravitation_convergence(free_pair, 0, z, 0, 1, &a, NULL));
    double one[3 + 9];
    memcpy(one, z + 3, 3 * sizeof *z);
    memcpy(one + 3, z + 15, 9 * sizeof *z);
    tk_ok(ph_gravitation_convergence(held, t, one, PH_NO_INDEX, 0, &b, NULL));
    ck_assert_double_eq(a.distance, b.distance);
    ck_assert_double_eq(a.radii, b.radii);
    for (size_t n = 0; n <= 8; n++) { /* rounding of the attitudes, against terms of 1e-7 */
        ck_assert_double_eq_tol(a.force[n], b.force[n], 1e-6 * a.force[n]);
        ck_assert_double_eq_tol(a.torque_a[n], b.torque_a[n], 1e-6 * a.torque_a[n]);
        ck_assert_double_eq_tol(a.torque_b[n], b.torque_b[n], 1e-6 * a.torque_b[n]);
    }
    ck_assert_int_eq(ph_gravitation_convergence(free_pair, t, z, PH_NO_INDEX, 0, &b, NULL), PH_E_RANGE);
}

int main(void)
{
    return tk_run("convergence");
}
