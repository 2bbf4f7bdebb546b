/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs in the forms that they are evaluated in: clusters of points against 70-digit values, every sort of body and order against
 * the operator form of ph_attract, worked numbers, parts, powers of the distance, conservation, exchange, truncation, points among
 * each other, and that all kernels have the same bits. */
#include <polhode/domain/gravitation.h>

#include "tests/gravity/clusters.h"
#include "tests/kit/binaries.h"

#include <float.h>

/* ---- Two bodies by their distance --------------------------------------------------------------------------------- */

/* What a pair does: force in space, torques in the frames of the bodies. */
typedef struct acting {
    double U, force[3], a[3], b[3];
} acting;

typedef struct placed {
    double x[3], A[9], B[9];
} placed;

static ph_gravitation *describe(const ph_mass *mass, size_t bodies, size_t order, double G, bool relative)
{
    const ph_gravitation_definition d = {
        .bodies = bodies, .mass = mass, .order = order, .G = G, .relative = relative};
    return tk_gravitation(d);
}

static acting evaluate(const ph_gravitation *g, unsigned parts, const placed *at)
{
    acting out = {0, {0}, {0}, {0}};
    double z[21], torque[6] = {0};
    const size_t a = ph_gravitation_attitude(g, 0), b = ph_gravitation_attitude(g, 1);
    memcpy(z, at->x, sizeof at->x);
    if (a != PH_NO_INDEX)
        memcpy(z + 3 + 9 * a, at->A, sizeof at->A);
    if (b != PH_NO_INDEX)
        memcpy(z + 3 + 9 * b, at->B, sizeof at->B);
    ph_gravitation_forces(g, parts, 0, z, out.force, torque, &out.U);
    if (a != PH_NO_INDEX)
        memcpy(out.a, torque + 3 * a, sizeof out.a);
    if (b != PH_NO_INDEX)
        memcpy(out.b, torque + 3 * b, sizeof out.b);
    return out;
}

static acting act(const ph_mass *A, const ph_mass *B, size_t order, double G, unsigned parts,
                  const placed *at)
{
    const ph_mass both[2] = {*A, *B};
    TK_OWN(ph_gravitation) *g = describe(both, 2, order, G, true);
    const acting out = evaluate(g, parts, at);
    return out;
}

/* The largest difference, of the energy in units of |U|, of the force in |U| / |x|, of the torques in |U|. */
static double differ(const acting *one, const acting *two, double scale, double distance)
{
    double most = fabs(one->U - two->U);
    most = tk_max(most, distance * tk_max_difference(one->force, two->force, 3));
    most = tk_max(most, tk_max_difference(one->a, two->a, 3));
    most = tk_max(most, tk_max_difference(one->b, two->b, 3));
    return most / scale;
}

/* ---- Clusters of points ------------------------------------------------------------------------------------------- */

enum { MOST_POINTS = 24 };

typedef struct cluster {
    size_t n;
    double m[MOST_POINTS], x[MOST_POINTS][3];
} cluster;

static void add_point(cluster *c, double m, double x, double y, double z)
{
    c->m[c->n] = m;
    c->x[c->n][0] = x / 64;
    c->x[c->n][1] = y / 64;
    c->x[c->n++][2] = z / 64;
}

/* The point and its images in the planes of symmetry. */
static void add_images(cluster *c, double m, double x, double y, double z)
{
    for (int i = 0; i < 8; i++)
        if ((x != 0 || !(i & 1)) && (y != 0 || !(i & 2)) && (z != 0 || !(i & 4)))
            add_point(c, m, i & 1 ? -x : x, i & 2 ? -y : y, i & 4 ? -z : z);
}

/* A point by which the centre of mass is in the origin. */
static void balance(cluster *c, double m)
{
    double sum[3] = {0};
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < 3; k++)
            sum[k] -= 64 * c->m[i] * c->x[i][k];
    add_point(c, m, sum[0] / m, sum[1] / m, sum[2] / m);
}

/* All moments are sums of whole numbers over powers of 2: exact, and 0 where they should be. */
static ph_mass find_mass(const cluster *c)
{
    double T[165], *to = T;
    ph_mass mass;
    for (size_t i = 0; i <= 8; i++)
        for (size_t j = 0; j <= 8 - i; j++)
            for (size_t k = 0; k <= 8 - i - j; k++, to++) {
                *to = 0;
                for (size_t p = 0; p < c->n; p++) {
                    double term = c->m[p];
                    for (size_t power = 0; power < 8; power++)
                        term *= (power < i ? c->x[p][0] : 1) * (power < j ? c->x[p][1] : 1) *
                                (power < k ? c->x[p][2] : 1);
                    *to += term;
                }
            }
    tk_ok(ph_mass_from_moments(T, 8, 0.5, &mass, NULL));
    return mass;
}

static ph_mass make_cluster(int which)
{
    cluster c = {.n = 0};
    if (which == LUMP) {
        add_point(&c, 1, 16, -9, 5);
        add_point(&c, 2, -11, 14, -3);
        add_point(&c, 1.5, 4, 7, -19);
        balance(&c, 2);
    } else if (which == STONE) {
        add_point(&c, .5, -20, 3, 8);
        add_point(&c, .75, 10, -15, 6);
        add_point(&c, .25, 6, 12, -14);
        balance(&c, 1);
    } else if (which == BRICK) {
        add_images(&c, .25, 18, 12, 6);
        add_images(&c, .5, 20, 0, 0);
        add_images(&c, .125, 0, 0, 14);
    } else if (which == SLAB) {
        add_images(&c, .125, 7, 15, 10);
        add_images(&c, .25, 0, 22, 0);
        add_images(&c, .5, 3, 0, 11);
    } else {
        add_point(&c, 1.25, 0, 0, 0);
    }
    return find_mass(&c);
}

/* Rounding: a few units in the last place of the largest terms, those of order 0. */
TEST(clusters)
{
    static const double qa[4] = {5, 1, -2, 1}, qb[4] = {2, -1, 1, 3};
    double worst = 0;
    placed at = {{1.375, -0.625, 0.75}, {0}, {0}};
    tk_attitude(qa, at.A);
    tk_attitude(qb, at.B);
    for (size_t i = 0; i < sizeof pair_values / sizeof *pair_values; i++) {
        const ph_mass A = make_cluster(pair_values[i].a), B = make_cluster(pair_values[i].b);
        for (size_t order = 0; order <= 8; order++) {
            const double *v = pair_values[i].value[order];
            const acting expected = {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}, {v[7], v[8], v[9]}},
                         found = act(&A, &B, order, 1, PH_ATTRACT_ALL, &at);
            const double off = differ(&found, &expected, fabs(v[0]), ph_norm3(at.x));
            ck_assert_msg(off <= 2e-15, "pair %zu, order %zu: off by %.3g", i, order, off);
            worst = tk_max(worst, off);
        }
    }
    printf("clusters: off by at most %.2g of U\n", worst);
}

/* G = 1, two ellipsoids, orders 2 and 4: numbers of 60-digit arithmetic. */
TEST(worked)
{
    static const double a[3] = {.5, .4, .3}, b[3] = {.3, .2, .15}, still[4] = {1, 0, 0, 0},
                        q[4] = {7, 1, 2, 1};
    static const acting expected[] = {{-0.1669812442684286,
                                       {-0.0931126521639007, -0.0103055001802284, 0.00489151022235996},
                                       {-1.28354410341583e-05, 0.000264043358416971, 0.000297048778219092},
                                       {-2.41857897172569e-05, -0.000847366418308181, -0.000126857194787657}},
                                      {-0.1670192938134076,
                                       {-0.0932189955582171, -0.0103122319460453, 0.0048663428419819},
                                       {-1.24237178996226e-05, 0.000253817069601287, 0.000306612238721824},
                                       {-2.59659210540949e-05, -0.00089683904906215, -0.000130970503908654}}};
    placed at = {{1.8, .2, -.1}, {0}, {0}};
    ph_mass A, B;
    tk_attitude(still, at.A);
    tk_attitude(q, at.B);
    tk_ok(ph_mass_ellipsoid(1, a, &A, NULL));
    tk_ok(ph_mass_ellipsoid(.3, b, &B, NULL));
    for (size_t i = 0; i < 2; i++) {
        const acting found = act(&A, &B, 2 + 2 * i, 1, PH_ATTRACT_ALL, &at);
        ck_assert_double_eq_tol(found.U, expected[i].U, 2e-16);
        ck_assert_double_le(tk_max_difference(found.force, expected[i].force, 3), 4e-17);
        ck_assert_double_le(tk_max_difference(found.a, expected[i].a, 3), 1e-18);
        ck_assert_double_le(tk_max_difference(found.b, expected[i].b, 3), 2e-18);
    }
}

/* ---- Every sort of body --------------------------------------------------------------------------------------------- */

enum { SORTS = 7 };

/* A point, a sphere, an ellipsoid, one of revolution, a box of points, a polyhedron, a cluster. */
static ph_mass draw_body(size_t sort, tk_random *r)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t face[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    const double m = tk_uniform(r, .5, 2), size = tk_uniform(r, .2, .5);
    double axes[3] = {size * tk_uniform(r, .3, 1), size * tk_uniform(r, .3, 1), size * tk_uniform(r, .3, 1)};
    double vertex[18] = {size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size, 0, 0, 0, size, 0, 0, -size};
    const ph_mesh mesh = {6, vertex, 8, face};
    ph_mass body = {{0}, {0}, 0};
    switch (sort) {
    case 0:
    case 1:
        tk_ok(ph_mass_sphere(m, sort ? size : 0, &body, NULL));
        break;
    case 2:
    case 3:
        if (sort == 3)
            axes[1] = axes[0];
        tk_ok(ph_mass_ellipsoid(m, axes, &body, NULL));
        break;
    case 4: {
        cluster box = {.n = 0};
        add_images(&box, 0.25, 1 + floor(20 * axes[0]), 20, 1 + floor(30 * axes[2]));
        add_images(&box, 0.5, 12, 1 + floor(20 * axes[1]), 3);
        body = find_mass(&box);
        break;
    }
    case 5:
        for (size_t i = 0; i < 18; i++)
            vertex[i] += size * tk_uniform(r, -.3, .3);
        tk_ok(ph_mass_polyhedron(&mesh, 2, &body, NULL, NULL));
        ph_mass_center(&body, NULL);
        break;
    default:
        for (size_t i = 0; i < 5; i++) {
            ph_mass part;
            double place[3] = {tk_uniform(r, -size, size), tk_uniform(r, -size, size),
                               tk_uniform(r, -size, size)};
            tk_ok(ph_mass_sphere(tk_uniform(r, .1, 1), 0, &part, NULL));
            ph_mass_add(&part, place, identity, &body);
        }
        ph_mass_center(&body, NULL);
    }
    return body;
}

static placed draw_place(tk_random *r, double distance)
{
    placed at;
    double turn[3];
    tk_unit(r, at.x);
    for (size_t k = 0; k < 3; k++)
        at.x[k] *= distance;
    for (size_t body = 0; body < 2; body++) {
        for (size_t k = 0; k < 3; k++)
            turn[k] = tk_uniform(r, -2, 2);
        ph_exp3(turn, body ? at.B : at.A);
    }
    return at;
}

/* The same by ph_attract, another evaluation: all in frame A, with the operator of B turned there. */
static acting in_operator_form(const ph_mass *A, const ph_mass *B, size_t order, double G, const placed *at,
                               double *points)
{
    double r[3], C[9];
    ph_attraction pull;
    acting out;
    ph_apply_transposed3(at->A, at->x, r);
    ph_transposed_multiply3(at->A, at->B, C);
    ph_attract(A, B, order, G, r, C, &pull);
    out.U = pull.potential;
    ph_apply3(at->A, pull.force, out.force);
    memcpy(out.a, pull.torque_a, sizeof out.a);
    memcpy(out.b, pull.torque_b, sizeof out.b);
    *points = pull.by_order[0];
    return out;
}

/* Some 20 roundings of the largest terms, those of order 0. */
TEST_EACH(sorts, tk_thorough() ? 50 : 2)
{
    tk_random r = {(uint64_t)_i + 100};
    double worst = 0;
    for (size_t a = 0; a < SORTS; a++)
        for (size_t b = 0; b < SORTS; b++)
            for (size_t order = 0; order <= 8; order++) {
                const ph_mass A = draw_body(a, &r), B = draw_body(b, &r);
                const double distance = tk_uniform(&r, 1.6, 3);
                const placed at = draw_place(&r, distance);
                double points;
                acting expected = in_operator_form(&A, &B, order, 1.7, &at, &points);
                const acting found = act(&A, &B, order, 1.7, PH_ATTRACT_ALL, &at),
                             shapes = act(&A, &B, order, 1.7, PH_ATTRACT_SHAPES, &at),
                             alone = act(&A, &B, order, 1.7, PH_ATTRACT_POINTS, &at);
                const double off = differ(&found, &expected, fabs(points), distance);
                ck_assert_msg(off <= 5e-15, "bodies %zu and %zu, order %zu: off by %.3g", a, b, order, off);
                worst = tk_max(worst, off);
                expected.U -= points;
                for (size_t k = 0; k < 3; k++)
                    expected.force[k] -= points * at.x[k] / (distance * distance);
                ck_assert_double_le(differ(&shapes, &expected, fabs(points), distance), 5e-15);
                ck_assert_double_eq_tol(alone.U, points, 2e-15 * fabs(points));
                ck_assert_double_eq(ph_max_norm(alone.a, 3) + ph_max_norm(alone.b, 3), 0);
                for (size_t k = 0; k < 3; k++)
                    ck_assert_double_eq_tol(alone.force[k] + shapes.force[k], found.force[k],
                                            1e-15 * fabs(points));
            }
    printf("sorts: off by at most %.2g of U\n", worst);
}

/* Shapes alone have all digits however far away: degree 2 is homogeneous, to the last bit where the distance is multiplied by
 * a power of 2; no difference with the masses' attraction would be. */
TEST(far_away)
{
    tk_random r = {200};
    const double scale = 1 << 24, square = scale * scale;
    for (size_t a = 2; a < SORTS; a++)
        for (size_t b = 0; b < SORTS; b++) {
            const ph_mass A = draw_body(a, &r), B = draw_body(b, &r);
            placed at = draw_place(&r, 2);
            const acting near = act(&A, &B, 2, 1, PH_ATTRACT_SHAPES, &at);
            for (size_t k = 0; k < 3; k++)
                at.x[k] *= scale;
            const acting distant = act(&A, &B, 2, 1, PH_ATTRACT_SHAPES, &at);
            ck_assert_double_eq(distant.U * scale * square, near.U);
            for (size_t k = 0; k < 3; k++) {
                ck_assert_double_eq(distant.force[k] * square * square, near.force[k]);
                ck_assert_double_eq(distant.a[k] * scale * square, near.a[k]);
                ck_assert_double_eq(distant.b[k] * scale * square, near.b[k]);
            }
            for (size_t order = 3; order <= 8; order++) { /* what else there is, is less by the distance */
                const acting more = act(&A, &B, order, 1, PH_ATTRACT_SHAPES, &at);
                ck_assert_double_eq_tol(more.U, distant.U, 3e-7 * fabs(near.U) / (scale * square));
                ck_assert_double_le(tk_max_difference(more.force, distant.force, 3),
                                    3e-7 * ph_norm3(near.force) / (square * square));
            }
        }
}

/* Needles, plates, grains; distances and masses from 1e-3 to 1e12. */
TEST(extremes)
{
    static const double shape[][3] = {{1, .01, .01}, {1, 1, .001}, {.01, 1, .02}, {1e-6, 2e-6, 3e-6}};
    tk_random r = {300};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            for (size_t order = 2; order <= 8; order++) {
                const double unit = tk_log_uniform(&r, 1e-3, 1e12);
                double axes_a[3], axes_b[3], points;
                ph_mass A, B;
                for (size_t k = 0; k < 3; k++) {
                    axes_a[k] = unit * shape[a][k];
                    axes_b[k] = unit * shape[b][(k + 1) % 3];
                }
                tk_ok(ph_mass_ellipsoid(tk_log_uniform(&r, 1e-3, 1e30), axes_a, &A, NULL));
                tk_ok(ph_mass_ellipsoid(tk_log_uniform(&r, 1e-3, 1e30), axes_b, &B, NULL));
                const placed at = draw_place(&r, 2.2 * unit);
                const acting expected = in_operator_form(&A, &B, order, 6.6743e-11, &at, &points),
                             found = act(&A, &B, order, 6.6743e-11, PH_ATTRACT_ALL, &at);
                ck_assert(isfinite(found.U));
                ck_assert_double_le(differ(&found, &expected, fabs(points), 2.2 * unit), 2e-14);
            }
    /* in the same place: nothing finite */
    const ph_mass A = draw_body(2, &r), B = draw_body(6, &r);
    placed at = draw_place(&r, 0);
    for (size_t order = 0; order <= 8; order++) {
        const acting found = act(&A, &B, order, 1, PH_ATTRACT_ALL, &at);
        ck_assert(!isfinite(found.U) && !isfinite(found.force[0]));
    }
}

/* T_A + T_B + x x F = 0, all in space: rounding, and to no side. */
TEST(balanced)
{
    enum { SAMPLE = 2000 };
    tk_random r = {400};
    static double sum[3][SAMPLE];
    for (size_t order = 2; order <= 8; order += 2)
        for (size_t sort = 2; sort <= 6; sort += 4) {
            const ph_mass both[2] = {draw_body(sort, &r), draw_body(sort, &r)};
            TK_OWN(ph_gravitation) *g = describe(both, 2, order, 1, true);
            double largest = 0;
            for (size_t i = 0; i < SAMPLE; i++) {
                const placed at = draw_place(&r, 1.7);
                const acting found = evaluate(g, PH_ATTRACT_SHAPES, &at);
                double a[3], b[3], across[3];
                ph_apply3(at.A, found.a, a);
                ph_apply3(at.B, found.b, b);
                ph_cross3(at.x, found.force, across);
                largest = tk_max(largest, ph_norm3(a) + ph_norm3(b));
                for (size_t k = 0; k < 3; k++)
                    sum[k][i] = a[k] + b[k] + across[k];
            }
            for (size_t k = 0; k < 3; k++) {
                double mean, error;
                tk_mean(sum[k], SAMPLE, &mean, &error);
                /* 3 x 8 means: 4.5 standard errors are met by chance once in 6000 */
                ck_assert_double_le(fabs(mean), 4.5 * error);
                ck_assert_double_le(ph_max_norm(sum[k], SAMPLE), 4e-15 * largest);
            }
        }
}

/* B and A in each other's place: the same torques, the opposite force. */
TEST(exchanged)
{
    tk_random r = {500};
    for (size_t a = 0; a < SORTS; a++)
        for (size_t b = 0; b < SORTS; b++)
            for (size_t order = 0; order <= 8; order++) {
                const ph_mass A = draw_body(a, &r), B = draw_body(b, &r);
                const placed at = draw_place(&r, 2);
                placed other = {{-at.x[0], -at.x[1], -at.x[2]}, {0}, {0}};
                memcpy(other.A, at.B, sizeof at.B);
                memcpy(other.B, at.A, sizeof at.A);
                const acting one = act(&A, &B, order, 1, PH_ATTRACT_ALL, &at),
                             two = act(&B, &A, order, 1, PH_ATTRACT_ALL, &other);
                acting back = {two.U, {-two.force[0], -two.force[1], -two.force[2]}, {0}, {0}};
                memcpy(back.a, two.b, sizeof back.a);
                memcpy(back.b, two.a, sizeof back.b);
                ck_assert_double_le(differ(&back, &one, fabs(one.U), 2), 4e-15);
            }
}

/* Relative errors of the force, and of the torque on B, that truncation leaves, of two ellipsoids and of those of 1999 KW4: against order
 * 14 in 40 digits, of which order 8 is as far away as its own row says. */
TEST(truncation)
{
    static const struct {
        double m[2], axes[2][3], x[3], force[4], torque[4];
    } of[] = {{{3.5e11, 2e10},
               {{400, 350, 280}, {120, 90, 70}},
               {1100, 50, 30},
               {0.0013046, 6.4605e-5, 3.6562e-6, 2.31e-7},
               {0.065888, 0.0042795, 0.00028492, 1.9103e-5}},
              {{2.353e12, 1.35e11},
               {{708.5, 680.5, 591.5}, {285.5, 231.5, 174.5}},
               {-2540, 60, 100},
               {0.00017444, 3.7897e-6, 9.9428e-8, 2.9741e-9},
               {0.022312, 0.00056643, 1.585e-5, 4.5963e-7}}};
    static const double still[4] = {1, 0, 0, 0}, q[4] = {7, 1, 2, 1};
    for (size_t i = 0; i < 2; i++) {
        ph_mass A, B;
        placed at = {{of[i].x[0], of[i].x[1], of[i].x[2]}, {0}, {0}};
        tk_attitude(still, at.A);
        tk_attitude(q, at.B);
        tk_ok(ph_mass_ellipsoid(of[i].m[0], of[i].axes[0], &A, NULL));
        tk_ok(ph_mass_ellipsoid(of[i].m[1], of[i].axes[1], &B, NULL));
        const acting full = act(&A, &B, 8, PH_GRAVITY_CONSTANT, PH_ATTRACT_ALL, &at);
        for (size_t j = 0; j < 3; j++) {
            const acting less = act(&A, &B, 2 + 2 * j, PH_GRAVITY_CONSTANT, PH_ATTRACT_ALL, &at);
            double force[3], torque[3];
            for (size_t k = 0; k < 3; k++) {
                force[k] = less.force[k] - full.force[k];
                torque[k] = less.b[k] - full.b[k];
            }
            /* 1e-4: the digits that are given */
            ck_assert_double_eq_tol(ph_norm3(force) / ph_norm3(full.force), of[i].force[j],
                                    of[i].force[3] + 1e-4 * of[i].force[j]);
            ck_assert_double_eq_tol(ph_norm3(torque) / ph_norm3(full.b), of[i].torque[j],
                                    of[i].torque[3] + 1e-4 * of[i].torque[j]);
        }
    }
}

/* ---- Many bodies ------------------------------------------------------------------------------------------------- */

/* n bodies, of which every k-th one has a figure (k 0: none). */
static ph_gravitation *draw_many(tk_random *r, size_t n, size_t k, double *z)
{
    TK_MEMORY ph_mass *mass = calloc(n, sizeof *mass);
    ck_assert_ptr_nonnull(mass);
    size_t attitudes = 0;
    for (size_t i = 0; i < n; i++) {
        mass[i] = draw_body(k && i % k == 0 ? 2 + i % 5 : 0, r);
        for (size_t c = 0; c < 3; c++)
            z[3 * i + c] = tk_uniform(r, -20, 20);
    }
    ph_gravitation *g = describe(mass, n, 4, 1.25, false);
    attitudes = ph_gravitation_attitudes(g);
    for (size_t i = 0; i < attitudes; i++) {
        const double turn[3] = {tk_uniform(r, -2, 2), tk_uniform(r, -2, 2), tk_uniform(r, -2, 2)};
        ph_exp3(turn, z + 3 * n + 9 * i);
    }
    return g;
}

enum { MANY = 200 };

/* All pairs one by one in long double: by each pair's own description. */
TEST(many)
{
    static const struct {
        size_t n, k;
    } of[] = {{2, 0},  {3, 0},   {4, 0},    {5, 0}, {64, 0}, {65, 0},
              {66, 0}, {130, 0}, {MANY, 0}, {7, 3}, {70, 40}};
    static double z[12 * MANY], force[3 * MANY], torque[3 * MANY], plain[6 * MANY];
    tk_random r = {700};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const size_t n = of[i].n;
        TK_OWN(ph_gravitation) *g = draw_many(&r, n, of[i].k, z);
        double U = 0, other = 0;
        long double energy = 0, size = 0, sum[3 * MANY] = {0}, turning[3 * MANY] = {0}, scale = 0;
        ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, force, torque, &U);
        for (size_t a = 0; a < n; a++)
            for (size_t b = a + 1; b < n; b++) {
                placed at;
                const size_t ra = ph_gravitation_attitude(g, a), rb = ph_gravitation_attitude(g, b);
                for (size_t k = 0; k < 3; k++)
                    at.x[k] = z[3 * b + k] - z[3 * a + k];
                if (ra != PH_NO_INDEX)
                    memcpy(at.A, z + 3 * n + 9 * ra, sizeof at.A);
                if (rb != PH_NO_INDEX)
                    memcpy(at.B, z + 3 * n + 9 * rb, sizeof at.B);
                const acting pair =
                    act(ph_gravitation_mass(g, a), ph_gravitation_mass(g, b), 4, 1.25, PH_ATTRACT_ALL, &at);
                energy += pair.U;
                size = fmaxl(size, ph_norm3(pair.force));
                scale += fabs(pair.U);
                for (size_t k = 0; k < 3; k++) {
                    sum[3 * a + k] -= pair.force[k];
                    sum[3 * b + k] += pair.force[k];
                    if (ra != PH_NO_INDEX)
                        turning[3 * ra + k] += pair.a[k];
                    if (rb != PH_NO_INDEX)
                        turning[3 * rb + k] += pair.b[k];
                }
            }
        ck_assert_double_le(fabs(U - (double)energy), 4e-15 * (double)scale);
        for (size_t k = 0; k < 3 * n; k++)
            ck_assert_double_le(fabs(force[k] - (double)sum[k]), 1e-14 * (double)size);
        for (size_t k = 0; k < 3 * ph_gravitation_attitudes(g); k++)
            ck_assert_double_le(fabs(torque[k] - (double)turning[k]), 1e-14 * (double)size);
        /* all together nothing: each pair's numbers are the same ones */
        for (size_t axis = 0; axis < 3; axis++) {
            long double total = 0, largest = 0;
            for (size_t b = 0; b < n; b++) {
                total += force[3 * b + axis];
                largest = fmaxl(largest, fabs(force[3 * b + axis]));
            }
            ck_assert_double_le(fabs((double)total), 1e-15 * sqrt((double)n) * (double)largest);
        }
        ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z, plain, plain + 3 * n, NULL);
        ck_assert_mem_eq(plain, force, 3 * n * sizeof *force);
        ph_gravitation_forces(g, PH_ATTRACT_SHAPES, 0, z, plain, plain + 3 * n, &other);
        if (!of[i].k)
            ck_assert(other == 0 && ph_max_norm(plain, 3 * n) == 0);
    }
}

/* Plain and wide kernels. */
TEST(kernels)
{
    static double z[2][12 * MANY], force[2][3 * MANY], torque[3 * MANY], U[2];
    for (size_t n = 3; n < MANY; n += 31) {
        for (size_t i = 0; i < 2; i++) {
            tk_random r = {800 + n};
            tk_kernels(i == 0);
            TK_OWN(ph_gravitation) *g = draw_many(&r, n, 0, z[i]);
            ph_gravitation_forces(g, PH_ATTRACT_ALL, 0, z[i], force[i], torque, &U[i]);
        }
        ck_assert_mem_eq(z[0], z[1], 3 * n * sizeof z[0][0]);
        ck_assert_mem_eq(force[0], force[1], 3 * n * sizeof force[0][0]);
        ck_assert_double_eq(U[0], U[1]);
    }
}

int main(void)
{
    return tk_run("pairs");
}
