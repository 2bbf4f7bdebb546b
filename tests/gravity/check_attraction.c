/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutual gravity: worked numbers of two ellipsoids; order by order against Legendre polynomials of clusters of points; forces
 * and torques against differences; that both bodies may change places. */
#include <polhode/domain/gravity.h>

#include "tests/kit/binaries.h"

/* G = 1, two ellipsoids; U, F on B and the torques in the frames of the bodies, of 60-digit arithmetic. */
TEST(worked)
{
    static const struct {
        size_t order;
        double U, F[3], A[3], B[3];
    } at[] = {{2,
               -0.1669812442684286,
               {-0.0931126521639007, -0.0103055001802284, 0.00489151022235996},
               {-1.28354410341583e-05, 0.000264043358416971, 0.000297048778219092},
               {-2.41857897172569e-05, -0.000847366418308181, -0.000126857194787657}},
              {4,
               -0.1670192938134076,
               {-0.0932189955582171, -0.0103122319460453, 0.0048663428419819},
               {-1.24237178996226e-05, 0.000253817069601287, 0.000306612238721824},
               {-2.59659210540949e-05, -0.00089683904906215, -0.000130970503908654}}};
    const double a[3] = {.5, .4, .3}, b[3] = {.3, .2, .15}, r[3] = {1.8, .2, -.1}, q[4] = {7, 1, 2, 1};
    double C[9];
    ph_mass A, B;
    ph_attraction pull;
    tk_attitude(q, C);
    tk_ok(ph_mass_ellipsoid(1, a, &A, NULL));
    tk_ok(ph_mass_ellipsoid(.3, b, &B, NULL));
    for (size_t i = 0; i < 2; i++) {
        ph_attract(&A, &B, at[i].order, 1, r, C, &pull);
        ck_assert_double_eq_tol(pull.potential, at[i].U, 2e-16);
        ck_assert_double_le(tk_max_difference(pull.force, at[i].F, 3), 1e-15);
        ck_assert_double_le(tk_max_difference(pull.torque_a, at[i].A, 3), 1e-17);
        ck_assert_double_le(tk_max_difference(pull.torque_b, at[i].B, 3), 1e-17);
    }
}

enum { POINTS = 4 };

typedef struct cluster {
    double x[POINTS][3], m[POINTS];
    ph_mass mass;
} cluster;

static cluster draw_cluster(tk_random *r, double size)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cluster c = {.mass = {{0}, {0}, 0}};
    for (size_t i = 0; i < POINTS; i++) {
        ph_mass point;
        c.m[i] = tk_uniform(r, 0.5, 2);
        for (size_t k = 0; k < 3; k++)
            c.x[i][k] = tk_uniform(r, -size, size);
        tk_ok(ph_mass_sphere(c.m[i], 0, &point, NULL));
        ph_mass_add(&point, c.x[i], identity, &c.mass);
    }
    return c;
}

static double legendre(size_t n, double x)
{
    double before = 1, now = x;
    if (!n)
        return 1;
    for (size_t k = 1; k < n; k++) {
        const double next = ((double)(2 * k + 1) * x * now - (double)k * before) / (double)(k + 1);
        before = now;
        now = next;
    }
    return now;
}

/* 1 / |r - s| = sum_n |s|^n P_n(cos) / |r|^(n+1), s = x_A - C x_B, for each pair of points. */
static double exact_order(const cluster *A, const cluster *B, size_t n, const double r[3], const double C[9])
{
    double sum = 0;
    const double R = ph_norm3(r);
    for (size_t i = 0; i < POINTS; i++)
        for (size_t j = 0; j < POINTS; j++) {
            double s[3];
            ph_apply3(C, B->x[j], s);
            for (size_t k = 0; k < 3; k++)
                s[k] = A->x[i][k] - s[k];
            const double S = ph_norm3(s);
            sum -= A->m[i] * B->m[j] * pow(S / R, (double)n) * legendre(n, ph_dot3(s, r) / (S * R)) / R;
        }
    return sum;
}

typedef struct pair {
    cluster A, B;
    double r[3], C[9];
} pair;

static pair draw_pair(uint64_t seed)
{
    tk_random r = {seed};
    pair p = {draw_cluster(&r, 0.4), draw_cluster(&r, 0.5), {0}, {0}};
    double x[3];
    for (size_t k = 0; k < 3; k++) {
        x[k] = tk_uniform(&r, -2, 2);
        p.r[k] = tk_uniform(&r, 1, 2) * (k % 2 ? -1 : 1);
    }
    ph_exp3(x, p.C);
    return p;
}

TEST_EACH(by_order, 5)
{
    const pair p = draw_pair((uint64_t)_i + 3);
    ph_attraction pull, fewer;
    ph_attract(&p.A.mass, &p.B.mass, 8, 1, p.r, p.C, &pull);
    double sum = 0;
    for (size_t n = 0; n <= 8; n++) {
        const double expected = exact_order(&p.A, &p.B, n, p.r, p.C);
        ck_assert_double_eq_tol(pull.by_order[n], expected, 3e-15 * fabs(pull.potential));
        sum += expected;
        ph_attract(&p.A.mass, &p.B.mass, n, 1, p.r, p.C, &fewer);
        ck_assert_double_eq_tol(fewer.potential, sum, 4e-15 * fabs(pull.potential));
    }
}

/* By central differences of order 8 of the potential: along r, and along turns of either body. */
TEST(slopes)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280};
    const double h = 1. / 64;
    for (size_t order = 0; order <= 8; order++) {
        const pair p = draw_pair(20 + order);
        ph_attraction pull, other;
        ph_attract(&p.A.mass, &p.B.mass, order, 1, p.r, p.C, &pull);
        for (size_t what = 0; what < 9; what++) {
            double slope = 0;
            for (int j = -4; j <= 4; j++) {
                if (!j)
                    continue;
                double r[3], C[9], turn[9], w[3] = {0, 0, 0};
                memcpy(r, p.r, sizeof r);
                memcpy(C, p.C, sizeof C);
                w[what % 3] = j * h;
                if (what < 3)
                    r[what] += j * h;
                else if (what < 6) { /* A turns by exp(S(w)): r and B are turned back in its frame */
                    for (size_t k = 0; k < 3; k++)
                        w[k] = -w[k];
                    ph_exp3(w, turn);
                    ph_apply3(turn, p.r, r);
                    ph_multiply3(turn, p.C, C);
                } else { /* B by its own axes */
                    ph_exp3(w, turn);
                    ph_multiply3(p.C, turn, C);
                }
                ph_attract(&p.A.mass, &p.B.mass, order, 1, r, C, &other);
                slope += (j > 0 ? 1 : -1) * weight[abs(j) - 1] * other.potential / h;
            }
            const double *given = what < 3 ? pull.force : what < 6 ? pull.torque_a : pull.torque_b;
            ck_assert_double_eq_tol(given[what % 3], -slope, 2e-10 * fabs(pull.potential));
        }
    }
}

/* B and A in each other's place: r <- -C^T r, C <- C^T. */
TEST(exchanged)
{
    const pair p = draw_pair(40);
    double r[3], C[9], F[3];
    ph_apply_transposed3(p.C, p.r, r);
    for (size_t k = 0; k < 9; k++)
        C[k] = p.C[k % 3 * 3 + k / 3];
    for (size_t k = 0; k < 3; k++)
        r[k] = -r[k];
    ph_attraction one, two;
    ph_attract(&p.A.mass, &p.B.mass, 8, 1, p.r, p.C, &one);
    ph_attract(&p.B.mass, &p.A.mass, 8, 1, r, C, &two);
    ck_assert_double_eq_tol(two.potential, one.potential, 1e-14 * fabs(one.potential));
    ck_assert_double_le(tk_max_difference(two.torque_a, one.torque_b, 3), 2e-14 * fabs(one.potential));
    ck_assert_double_le(tk_max_difference(two.torque_b, one.torque_a, 3), 2e-14 * fabs(one.potential));
    ph_apply_transposed3(p.C, one.force, F); /* on B, in its frame; two.force is that on A */
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(two.force[k], -F[k], 2e-14 * fabs(one.potential));
}

/* ---- The exact field of a polyhedron --------------------------------------------------------------------------- */

static const double corners[] = {1, 0, 0, -1, 0, 0, 0, 1.5, 0, 0, -1.5, 0, 0, 0, 0.9, 0.2, 0.1, -0.9};
static const uint32_t octahedron[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

/* Far away the series to degree 8 has all digits; the force is the slope of the potential everywhere. */
TEST(exact_field)
{
    static const double weight[4] = {4. / 5, -1. / 5, 4. / 105, -1. / 280},
                        identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ph_mesh mesh = {6, corners, 8, octahedron};
    ph_mass body, point;
    ph_attraction pull;
    double U, F[3], inside;
    TK_MAKE(ph_polyhedron, exact, ph_polyhedron_create(&mesh, 2, &exact, NULL));
    tk_ok(ph_mass_polyhedron(&mesh, 2, &body, NULL, NULL));
    tk_ok(ph_mass_sphere(3, 0, &point, NULL));
    const double far[3] = {20, -30, 25};
    ph_attract(&body, &point, 8, 1, far, identity, &pull);
    ph_polyhedron_attract(exact, 1, 3, far, &U, F, &inside);
    ck_assert_double_eq_tol(U, pull.potential, 1e-11 * fabs(pull.potential)); /* what cancels in the sum */
    ck_assert_double_le(tk_max_difference(F, pull.force, 3), 1e-11 * fabs(pull.potential));
    ck_assert_double_eq_tol(inside, 0, 1e-14);
    static const struct {
        double p[3], inside;
    } at[] = {
        {{1.2, 0.4, 0.3}, 0}, {{0.1, 0.2, 0.1}, 1}, {{0, 0, 1.1}, 0}, {{3, 1, -2}, 0}, {{-0.3, 0.2, 0.1}, 1}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ph_polyhedron_attract(exact, 1, 3, at[i].p, &U, F, &inside);
        ck_assert_double_eq_tol(inside, at[i].inside, 1e-14);
        for (size_t k = 0; k < 3; k++) {
            double slope = 0;
            for (int j = -4; j <= 4; j++) {
                double p[3] = {at[i].p[0], at[i].p[1], at[i].p[2]}, V;
                p[k] += j / 128.;
                if (!j)
                    continue;
                ph_polyhedron_attract(exact, 1, 3, p, &V, NULL, NULL);
                slope += (j > 0 ? 1 : -1) * weight[abs(j) - 1] * V * 128;
            }
            ck_assert_double_eq_tol(F[k], -slope, 1e-8 * fabs(U));
        }
    }
    /* on an edge, a corner, a face: finite */
    static const double on[][3] = {{0.5, 0.75, 0}, {0, 0, 0.9}, {0.25, 0.375, 0.45}};
    for (size_t i = 0; i < 3; i++) {
        ph_polyhedron_attract(exact, 1, 3, on[i], &U, F, NULL);
        ck_assert(isfinite(U) && ph_all_finite(F, 3));
    }
}

/* A cube of edge 2 a at its centre: U = -4 G rho m a^2 (3 ln((sqrt 3 + 1)/(sqrt 3 - 1)) - pi / 2). */
TEST(centre_of_a_cube)
{
    static const uint32_t faces[] = {3, 2, 0, 1, 3, 0, 7, 5, 4, 6, 7, 4, 5, 1, 0, 4, 5, 0,
                                     7, 6, 2, 3, 7, 2, 6, 4, 0, 2, 6, 0, 7, 3, 1, 5, 7, 1};
    double vertices[24], U, F[3], inside;
    for (size_t i = 0; i < 24; i++)
        vertices[i] = 2 * ((double)(i / 3 >> (2 - i % 3) & 1) - 0.5);
    const ph_mesh mesh = {8, vertices, 12, faces};
    const double centre[3] = {0, 0, 0}, s = sqrt(3);
    ph_polyhedron *exact;
    tk_ok(ph_polyhedron_create(&mesh, 1, &exact, NULL));
    ph_polyhedron_attract(exact, 1, 1, centre, &U, F, &inside);
    ck_assert_double_eq_tol(U, -4 * (3 * log((s + 1) / (s - 1)) - acos(0)), 5e-14);
    ck_assert_double_le(ph_max_norm(F, 3), 1e-14);
    ck_assert_double_eq_tol(inside, 1, 1e-15);
    ph_polyhedron_free(exact);
    /* clockwise, and a face without area */
    uint32_t other[36];
    for (size_t i = 0; i < 36; i++)
        other[i] = faces[i / 3 * 3 + 2 - i % 3];
    const ph_mesh inside_out = {8, vertices, 12, other};
    tk_refused(ph_polyhedron_create(&inside_out, 1, &exact, tk_err), PH_E_INVALID, "clockwise");
    ck_assert_ptr_null(exact);
    ph_polyhedron_attract(exact, 1, 1, centre, &U, F, NULL);
    ck_assert(isnan(U) && isnan(F[0]));
    ph_polyhedron_free(exact);
}

int main(void)
{
    return tk_run("attraction");
}
