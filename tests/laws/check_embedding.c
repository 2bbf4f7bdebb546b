/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of embedded manifolds as factors of a space, on those of embeddings.c, which have separate formulas
 * for their projections: retraction, nearest point, tangent space, momenta; agreement with S^2 and SO(3); the
 * projection and its derivative on every kind of factor; what is refused, and with which message. */
#include "tests/kit/embeddings.h"
#include "tests/kit/untried.h"

#include <float.h>

#include "lib/internal/space.h"

static const double eps = DBL_EPSILON;
enum { MOST = 32 };

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double length(size_t n, const double *a)
{
    return sqrt(dot(n, a, a));
}

static void matvec(size_t n, const double *P, const double *v, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = dot(n, P + i * n, v);
}

/* A point, tangent and normal vectors there of length 1, by the manifold's own formulas. */
typedef struct sample {
    const em_manifold *m;
    size_t n;
    double x[EM_N], v[EM_N], dv[EM_N], normal[EM_N], P[EM_N * EM_N];
    double size; /* what rounding is relative to */
} sample;

static void normalise(size_t n, double *v)
{
    const double scale = 1 / length(n, v);
    for (size_t i = 0; i < n; i++)
        v[i] *= scale;
}

static void draw(const em_manifold *m, tk_random *r, sample *s)
{
    double y[EM_N], *to[3] = {s->v, s->dv, s->normal};
    s->m = m;
    s->n = m->n;
    m->point(m->user, r, s->x);
    tk_ok(m->projection((void *)(uintptr_t)m->user, s->x, s->P));
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < s->n; i++)
            to[k][i] = tk_normal(r);
        for (int pass = 0; pass < 2; pass++) { /* a small part that is left has lost digits */
            matvec(s->n, s->P, to[k], y);
            for (size_t i = 0; i < s->n; i++)
                to[k][i] = k < 2 ? y[i] : to[k][i] - y[i];
            normalise(s->n, to[k]);
        }
    }
    s->size = 1 + ph_max_norm(s->x, s->n);
}

enum { TRIALS = 100 };
typedef void law(const ph_space *space, const sample *s, tk_random *r);

static void each_sample(int i, em_way way, law *check)
{
    ph_space *space = em_space(i, way);
    tk_random r = {4000 + (uint64_t)i};
    sample s;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(em_at(i), &r, &s);
        check(space, &s, &r);
    }
    ph_space_free(space);
}

/* By constraints, with second derivatives and without; LAW_ALL: by P alone, too. */
#define LAW(test, check)                                                                                     \
    START_TEST(test)                                                                                         \
    {                                                                                                        \
        each_sample(_i, EM_BEND, check);                                                                     \
        each_sample(_i, EM_NO_BEND, check);                                                                  \
    }                                                                                                        \
    END_TEST
#define LAW_ALL(test, check)                                                                                 \
    START_TEST(test)                                                                                         \
    {                                                                                                        \
        for (int way = 0; way < EM_WAYS; way++)                                                              \
            each_sample(_i, (em_way)way, check);                                                             \
    }                                                                                                        \
    END_TEST

#define close_to(n, a, b, tolerance, what)                                                                   \
    ck_assert_msg(tk_max_difference(a, b, n) <= (tolerance), "%s: off by %g, allowed %g", what,              \
                  tk_max_difference(a, b, n), tolerance)

/* ---- The retraction ------------------------------------------------------------------------------- */

static const double reaches[] = {0, 1e-14, 1e-8, 1e-3, 0.1, 0.5};
enum { REACHES = sizeof reaches / sizeof *reaches };

static void scaled(const sample *s, double scale, double *v)
{
    for (size_t i = 0; i < s->n; i++)
        v[i] = scale * s->v[i];
}

/* z1 - z is v plus a normal vector, and z1 is on the manifold; log finds v. (Measured: 3 eps.) */
static void retraction(const ph_space *space, const sample *s, tk_random *r)
{
    (void)r;
    for (int k = 0; k < REACHES; k++) {
        double v[EM_N], z1[EM_N], d[EM_N], Pd[EM_N], back[EM_N], again[EM_N];
        scaled(s, reaches[k] * fmin(s->m->reach, 1), v);
        ph_space_exp(space, s->x, v, z1);
        for (size_t i = 0; i < s->n; i++)
            d[i] = z1[i] - s->x[i];
        matvec(s->n, s->P, d, Pd);
        close_to(s->n, Pd, v, 8 * eps * s->size, s->m->name);
        ck_assert(ph_space_residual(space, z1) <= 8 * eps * s->size);
        tk_ok(ph_space_log(space, s->x, z1, back));
        close_to(s->n, back, v, 8 * eps * s->size, s->m->name);
        ph_space_exp(space, s->x, back, again);
        close_to(s->n, again, z1, 16 * eps * s->size, s->m->name);
    }
}
LAW(law_retraction, retraction)

/* A hundred steps with a low-order part and no correction behind them: the sum is that of 64 bits, but for the
 * rounding of what is added to z (of 1e-3: 1e-19), z is that sum rounded, and stays on the manifold. */
static void steps_add_up(const ph_space *space, const sample *s, tk_random *r)
{
    double z[EM_N], low[EM_N] = {0}, v[EM_N], D[EM_N];
    long double sum[EM_N];
    for (size_t i = 0; i < s->n; i++)
        sum[i] = z[i] = s->x[i];
    for (int step = 0; step < 100; step++) {
        for (size_t i = 0; i < s->n; i++)
            v[i] = 1e-3 * fmin(s->m->reach, 1) * tk_uniform(r, -1, 1);
        ph_space_project_tangent(space, z, v);
        ph_space_factor_increment_sum(space, 0, z, low, v, D);
        ph_space_advance(space, z, low, D, z, low);
        for (size_t i = 0; i < s->n; i++)
            sum[i] += D[i];
    }
    for (size_t i = 0; i < s->n; i++) {
        ck_assert(z[i] + low[i] == z[i]);
        ck_assert(fabsl(((long double)z[i] + low[i]) - sum[i]) <= 1e-17L * s->size);
    }
    ck_assert(ph_space_residual(space, z) <= 8 * eps * s->size);
}
LAW(law_steps_add_up, steps_add_up)

/* The momentum that is carried on: P(z1) {p + N + push} with the projections of the formulas. As a sum with its
 * low-order part it is the same. */
static void carried_momentum(const ph_space *space, const sample *s, tk_random *r)
{
    double v[EM_N], z1[EM_N], P1[EM_N * EM_N], p[EM_N], low[EM_N] = {0}, /* of p */
        impulse[EM_N], push[EM_N], dp[EM_N], tangent[EM_N], whole[EM_N], expected[EM_N];
    scaled(s, 0.1 * fmin(s->m->reach, 1), v);
    ph_space_exp(space, s->x, v, z1);
    tk_ok(s->m->projection((void *)(uintptr_t)s->m->user, z1, P1));
    for (size_t i = 0; i < s->n; i++) {
        impulse[i] = tk_normal(r);
        push[i] = tk_normal(r);
    }
    matvec(s->n, s->P, impulse, tangent);
    for (size_t i = 0; i < s->n; i++) {
        p[i] = s->dv[i];
        whole[i] = p[i] + impulse[i] - tangent[i] + push[i];
    }
    matvec(s->n, P1, whole, expected);
    ph_space_factor_carry_momentum(space, 0, s->x, z1, p, low, impulse, push, dp);
    for (size_t i = 0; i < s->n; i++)
        dp[i] += p[i];
    close_to(s->n, dp, expected, 64 * eps * s->size, s->m->name);
    for (size_t i = 0; i < s->n; i++)
        low[i] = 1e-3 * p[i];
    for (size_t i = 0; i < s->n; i++)
        p[i] -= low[i];
    ph_space_factor_carry_momentum(space, 0, s->x, z1, p, low, impulse, push, dp);
    for (size_t i = 0; i < s->n; i++)
        dp[i] += p[i] + low[i];
    close_to(s->n, dp, expected, 64 * eps * s->size, s->m->name);
}
LAW(law_carried_momentum, carried_momentum)

/* Rounding errors must be unbiased, or long runs would drift: on the unit sphere the mean change of the
 * length of a tangent vector when it is projected (3e-17 if it were turned between frames), and the mean
 * normal part of a step, for which the last correction by Newton's method is about eps/2 at this length of
 * the step and always inward. The tangent part of a step keeps the digits of v. */
START_TEST(rounding_has_no_side)
{
    enum { SAMPLES = 20000 };
    const double reach = 1.8e-4;
    double length = 0, normal = 0, worst = 0;
    tk_random r = {97};
    ph_space *space = em_space(EM_SPHERE, EM_BEND);
    for (int k = 0; k < SAMPLES; k++) {
        double z[3], v[3], p[3], D[3], size, square, along;
        tk_unit(&r, z);
        tk_tangent(&r, z, v);
        size = reach / ph_norm3(v);
        for (int i = 0; i < 3; i++)
            v[i] *= size;
        along = ph_dot3(z, v);
        for (int i = 0; i < 3; i++)
            p[i] = v[i] -= along * z[i];
        square = ph_dot3(v, v);
        ph_space_project_tangent(space, z, p);
        for (int i = 0; i < 3; i++)
            length += (p[i] - v[i]) * (p[i] + v[i]) / (2 * square) / SAMPLES;
        ph_space_factor_increment(space, 0, z, v, D);
        along = ph_dot3(D, z); /* sqrt(1 - v.v) - |z| */
        normal += (along + square / 2 + square * square / 8 + ph_unit_residual3(z) / 2) / SAMPLES;
        for (int i = 0; i < 3; i++)
            worst = tk_max(worst, fabs(D[i] - along * z[i] - v[i]) / reach);
    }
    printf("rounding: length of tangent vectors %.1e, normal part of steps %.1e, tangent part %.1e\n", length,
           normal, worst);
    ck_assert_double_le(fabs(length), 5e-18);
    ck_assert_double_le(fabs(normal), 2e-17);
    ck_assert_double_le(worst, 4 * eps);
    ph_space_free(space);
}
END_TEST

/* Its acceleration at z is normal and that of a geodesic: dP(z)[v] v, by differences of the formula for P;
 * both differences are of order 4 and good to 1e-8. */
static void second_order(const ph_space *space, const sample *s, tk_random *r)
{
    static const double weight[5] = {-1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12},
                        slope[5] = {1. / 12, -8. / 12, 0, 8. / 12, -1. / 12};
    const double h = 2e-3 * fmin(s->m->reach, 1);
    double bent[EM_N] = {0}, expected[EM_N] = {0};
    (void)r;
    for (int k = 0; k < 5; k++) {
        double v[EM_N], z1[EM_N], moved[EM_N], P[EM_N * EM_N], Pv[EM_N];
        scaled(s, (k - 2) * h, v);
        ph_space_exp(space, s->x, v, z1);
        for (size_t i = 0; i < s->n; i++)
            moved[i] = s->x[i] + v[i];
        tk_ok(s->m->projection((void *)(uintptr_t)s->m->user, moved, P));
        matvec(s->n, P, s->v, Pv);
        for (size_t i = 0; i < s->n; i++) {
            bent[i] += weight[k] * z1[i] / (h * h);
            expected[i] += slope[k] * Pv[i] / h;
        }
    }
    close_to(s->n, bent, expected, 3e-8 / fmin(s->m->reach, 1), s->m->name);
}
LAW(law_retraction_is_of_second_order, second_order)

/* Differences of order 6; the vector is tangent at the new point. */
static void derivative(const ph_space *space, const sample *s, tk_random *r)
{
    static const double weight[3] = {45. / 60, -9. / 60, 1. / 60};
    const double reach = fmin(s->m->reach, 1), h = 2e-3 * reach;
    for (int k = 0; k < 2; k++) {
        double v[EM_N], w[EM_N], z1[EM_N], expected[EM_N] = {0}, P[EM_N * EM_N], Pw[EM_N];
        scaled(s, k ? tk_uniform(r, 0.05, 0.4) * reach : 0, v);
        for (int j = 1; j <= 3; j++)
            for (int side = -1; side <= 1; side += 2) {
                double moved[EM_N];
                for (size_t i = 0; i < s->n; i++)
                    moved[i] = v[i] + side * j * h * s->dv[i];
                ph_space_exp(space, s->x, moved, z1);
                for (size_t i = 0; i < s->n; i++)
                    expected[i] += side * weight[j - 1] * z1[i] / h;
            }
        ph_space_dexp(space, s->x, v, s->dv, w);
        close_to(s->n, w, expected, 1e-11 * s->size / reach, s->m->name);
        ph_space_exp(space, s->x, v, z1);
        tk_ok(s->m->projection((void *)(uintptr_t)s->m->user, z1, P));
        matvec(s->n, P, w, Pw);
        close_to(s->n, Pw, w, 1e-13 * s->size / reach, s->m->name);
        ck_assert(k || tk_max_difference(w, s->dv, s->n) <= 8 * eps); /* the identity at v = 0 */
    }
}
LAW(law_derivative_of_the_retraction, derivative)

/* On the sphere it is z1 = sqrt(1 - v.v) z + v up to |v| = 1, where the sheet ends. */
static void on_the_sphere(const ph_space *space, const sample *s, tk_random *r)
{
    static const double lengths[] = {1e-9, 0.1, 0.5, 0.9, 0.999, 1.001, 1.5, 10};
    (void)r;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        double v[3], z1[3], expected[3], w[3];
        scaled(s, lengths[k], v);
        ph_space_exp(space, s->x, v, z1);
        if (lengths[k] > 1) {
            ph_space_dexp(space, s->x, v, s->dv, w);
            for (int i = 0; i < 3; i++)
                ck_assert(isnan(z1[i]) && isnan(w[i]));
            continue;
        }
        double cosine = sqrt((1 - lengths[k]) * (1 + lengths[k]));
        for (int i = 0; i < 3; i++)
            expected[i] = cosine * s->x[i] + v[i];
        close_to(3, z1, expected, 8 * eps / cosine, "sphere"); /* the root is as uncertain as 1/cosine */
        for (int i = 0; i < 3; i++) /* across the equator there is nothing to be reached */
            expected[i] -= 2 * cosine * s->x[i];
        ck_assert_int_eq(ph_space_log(space, s->x, expected, w), PH_E_NO_SOLUTION);
    }
}

START_TEST(closed_form)
{
    each_sample(EM_SPHERE, EM_BEND, on_the_sphere);
}
END_TEST

/* Along the inner equator of the torus, of radius 1.5, the sheet ends at 1.5; beyond there is a point of the
 * outer equator, of radius 2.5, on the same line, which is on another sheet. */
START_TEST(another_sheet)
{
    static const double radius[2] = {1.5, 2.5};
    ph_space *space = em_space(EM_TORUS, EM_BEND);
    for (int outer = 0; outer < 2; outer++)
        for (int k = 1; k < 40; k++) {
            const double x[3] = {radius[outer], 0, 0}, v[3] = {0, 0.05 * k + 0.01, 0};
            double z1[3], back[3];
            ph_space_exp(space, x, v, z1);
            if (v[1] > radius[outer]) {
                ck_assert(isnan(z1[0]) && isnan(z1[1]) && isnan(z1[2]));
                const double other[3] = {sqrt(6.25 - v[1] * v[1]), v[1], 0};
                ck_assert_int_eq(ph_space_log(space, x, other, back), PH_E_NO_SOLUTION);
            } else if (v[1] < 0.8 * radius[outer]) {
                ck_assert(fabs(z1[0] - sqrt(radius[outer] * radius[outer] - v[1] * v[1])) <= 32 * eps);
                ck_assert(z1[1] == v[1] && fabs(z1[2]) <= eps);
            }
        }
    ph_space_free(space);
}
END_TEST

/* ---- The tangent space ---------------------------------------------------------------------------- */

static void tangent_space(const ph_space *space, const sample *s, tk_random *r)
{
    double P[EM_N * EM_N], E[EM_N * EM_N], PP[EM_N * EM_N] = {0}, y[EM_N], Py[EM_N], expected[EM_N];
    const size_t n = s->n, nx = s->m->dimension;
    ph_space_projection(space, s->x, P);
    close_to(n * n, P, s->P, 16 * eps * s->size, s->m->name);
    for (size_t k = 0; k < n * n; k++) {
        for (size_t i = 0; i < n; i++)
            PP[k] += P[k / n * n + i] * P[i * n + k % n];
        ck_assert(fabs(P[k] - P[k % n * n + k / n]) <= 8 * eps);
    }
    close_to(n * n, PP, P, 16 * eps * s->size, s->m->name);
    ck_assert_uint_eq(ph_space_basis_size(space), nx * n);
    ph_space_basis(space, s->x, E);
    for (size_t a = 0; a < nx; a++) {
        for (size_t b = 0; b < nx; b++)
            ck_assert(fabs(dot(n, E + a * n, E + b * n) - (a == b)) <= 8 * eps);
        matvec(n, s->P, E + a * n, Py);
        close_to(n, Py, E + a * n, 16 * eps * s->size, s->m->name);
        ck_assert(ph_space_tangency(space, s->x, E + a * n) <= 16 * eps * s->size);
    }
    for (size_t i = 0; i < n; i++)
        Py[i] = y[i] = tk_normal(r) + 1e6 * s->normal[i]; /* a large normal part leaves no trace */
    ph_space_project_tangent(space, s->x, Py);
    ck_assert(ph_space_tangency(space, s->x, Py) <= 16 * eps * length(n, Py));
    matvec(n, s->P, y, expected);
    close_to(n, Py, expected, 1e6 * 32 * eps * s->size, s->m->name);
    ck_assert(ph_space_tangency(space, s->x, s->normal) >= 0.3); /* of 1, resolved into at most six normals */
}
LAW_ALL(law_tangent_space, tangent_space)

/* Momenta are linear: p = P mu, and w is v. */
static void momenta(const ph_space *space, const sample *s, tk_random *r)
{
    double mu[EM_N], p[EM_N], expected[EM_N], back[EM_N];
    for (size_t i = 0; i < s->n; i++)
        mu[i] = tk_normal(r);
    matvec(s->n, s->P, mu, expected);
    ph_space_momentum(space, s->x, mu, p);
    close_to(s->n, p, expected, 32 * eps * s->size, s->m->name);
    ck_assert(ph_space_momentum_tangency(space, s->x, p) <= 16 * eps * s->size);
    ck_assert(ph_space_momentum_tangency(space, s->x, s->normal) >= 0.3);
    ph_space_project_momentum(space, s->x, mu);
    close_to(s->n, mu, expected, 32 * eps * s->size, s->m->name);
    ph_space_covector(space, s->x, p, back);
    ck_assert(!memcmp(back, p, s->n * sizeof *p));
    ph_space_turn(space, s->x, p, back);
    ck_assert(!memcmp(back, p, s->n * sizeof *p));
    ph_space_spin(space, s->x, p, back);
    ck_assert(!memcmp(back, p, s->n * sizeof *p));
    p[0] = NAN;
    ck_assert(isnan(ph_space_momentum_tangency(space, s->x, p)));
    ck_assert(isnan(ph_space_tangency(space, s->x, p)));
    ck_assert(isnan(ph_space_residual(space, p)));
}
LAW_ALL(law_momenta, momenta)

/* dP(x)[dx] y for tangent dx: what P is off the manifold does not matter, so that it can be compared with
 * differences of order 6 of the formula. Bounds: 1e-11 of the bend where it is given, 1e-10 where it is
 * computed by differences. */
static void projection_along(const ph_space *space, const sample *s, tk_random *r)
{
    static const double weight[3] = {45. / 60, -9. / 60, 1. / 60};
    const double h = 2e-3 * fmin(s->m->reach, 1);
    double y[EM_N], out[EM_N], expected[EM_N] = {0};
    for (size_t i = 0; i < s->n; i++)
        y[i] = tk_normal(r);
    for (int j = 1; j <= 3; j++)
        for (int side = -1; side <= 1; side += 2) {
            double moved[EM_N], P[EM_N * EM_N], Py[EM_N];
            for (size_t i = 0; i < s->n; i++)
                moved[i] = s->x[i] + side * j * h * s->dv[i];
            tk_ok(s->m->projection((void *)(uintptr_t)s->m->user, moved, P));
            matvec(s->n, P, y, Py);
            for (size_t i = 0; i < s->n; i++)
                expected[i] += side * weight[j - 1] * Py[i] / h;
        }
    ph_space_projection_along(space, s->x, s->dv, y, out);
    close_to(s->n, out, expected, 1e-10 / fmin(s->m->reach, 1), s->m->name);
}
LAW_ALL(law_projection_along, projection_along)

/* On every kind of factor, off the manifold, too, and in any direction: against differences of
 * ph_space_projection. */
START_TEST(projection_of_products)
{
    const em_manifold *torus = em_at(EM_TORUS), *rotations = em_at(EM_SO3);
    const ph_embedding bent = em_embedding(torus, EM_BEND), alone = em_embedding(rotations, EM_PROJECTION);
    const ph_factor factors[] = {{.kind = PH_FACTOR_S1},  {.kind = PH_FACTOR_EMBEDDED, .embedding = &bent},
                                 {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_R, .d = 2},
                                 {.kind = PH_FACTOR_S2},  {.kind = PH_FACTOR_EMBEDDED, .embedding = &alone}};
    enum { NZ = 2 + 3 + 9 + 2 + 3 + 9, FACTORS = 6 };
    static const double weight[3] = {45. / 60, -9. / 60, 1. / 60}, h = 1e-3;
    static double P[NZ * NZ], literal[NZ * NZ];
    ph_space *space = NULL;
    tk_random r = {50};
    tk_ok(ph_space_create(factors, FACTORS, &space, NULL));
    ck_assert_uint_eq(ph_space_ambient(space), NZ);
    for (int trial = 0; trial < 20; trial++) {
        double z[NZ], dz[NZ], y[NZ], out[NZ], Py[NZ], moved[NZ], expected[NZ] = {0};
        for (size_t i = 0; i < NZ; i++) {
            z[i] = tk_uniform(&r, 0.5, 1);
            dz[i] = tk_normal(&r);
            y[i] = tk_normal(&r);
        }
        for (int j = 1; j <= 3; j++)
            for (int side = -1; side <= 1; side += 2) {
                for (size_t i = 0; i < NZ; i++)
                    moved[i] = z[i] + side * j * h * dz[i];
                ph_space_projection(space, moved, P);
                matvec(NZ, P, y, Py);
                for (size_t i = 0; i < NZ; i++)
                    expected[i] += side * weight[j - 1] * Py[i] / h;
            }
        ph_space_projection_along(space, z, dz, y, out);
        close_to(NZ, out, expected, 1e-9, "product");
        for (size_t i = 0; i < FACTORS; i++) {
            const ph_factor_place *f = ph_space_factor(space, i);
            double one[NZ];
            memset(one, 0, sizeof one);
            ph_space_factor_projection_along(space, i, z, dz, y, one);
            ck_assert(!memcmp(one + f->z, out + f->z, f->nz * sizeof *one));
        }
        /* the formulas themselves: zero between the factors */
        ph_space_projection(space, z, P);
        memset(literal, 0, sizeof literal);
        for (size_t i = 0; i < NZ * NZ; i++) {
            size_t a = i / NZ, b = i % NZ;
            const size_t from[] = {0, 2, 5, 14, 16, 19, NZ};
            for (int k = 0; k < FACTORS; k++) {
                if (a < from[k] || a >= from[k + 1] || b < from[k] || b >= from[k + 1])
                    continue;
                const double *q = z + from[k];
                size_t row = a - from[k], column = b - from[k];
                literal[i] = k == 0 || k == 4 ? (a == b) - q[row] * q[column]
                             : k == 3         ? (a == b)
                             : k == 1         ? P[i]
                                              : NAN;
            }
        }
        for (int k = 0; k < 2; k++) { /* SO(3), built in and by its formula */
            double own[81];
            const size_t at = k ? 19 : 5;
            tk_ok(rotations->projection(NULL, z + at, own));
            for (size_t i = 0; i < 81; i++)
                literal[(at + i / 9) * NZ + at + i % 9] = own[i];
        }
        close_to(NZ * NZ, P, literal, 4 * eps, "product");
    }
    ph_space_free(space);
}
END_TEST

/* ---- Nearest points, residual, correction --------------------------------------------------------- */

/* Of x + s n, n normal, the nearest point is x while s is below the reach; projecting twice is projecting
 * once; the tangential error grows as 1 / (1 - s / reach). */
static void nearest(const ph_space *space, const sample *s, tk_random *r)
{
    for (int k = 0; k < 6; k++) {
        static const double parts[6] = {0, 1e-15, 1e-6, 0.01, 0.3, 0.9};
        double z[EM_N], again[EM_N], shift = s->m->reach * parts[k] * (tk_uniform(r, 0, 1) < 0.5 ? -1 : 1);
        for (size_t i = 0; i < s->n; i++)
            z[i] = s->x[i] + shift * s->normal[i];
        tk_ok(ph_space_project(space, z));
        close_to(s->n, z, s->x, 10 * eps * (s->size + fabs(shift)) / (1 - parts[k]), s->m->name);
        ck_assert(ph_space_residual(space, z) <= 16 * eps * (s->size + fabs(shift)));
        memcpy(again, z, sizeof z);
        tk_ok(ph_space_project(space, again));
        ck_assert(!memcmp(again, z, s->n * sizeof *z));
        tk_ok(ph_space_factor_project(space, 0, again));
        ck_assert(!memcmp(again, z, s->n * sizeof *z));
    }
}
LAW(law_nearest, nearest)

/* Off a convex surface outwards the reach has no end. */
static void far_outside(const ph_space *space, const sample *s, tk_random *r)
{
    static const double shifts[] = {1, 10, 1e3, 1e6};
    double N[3], outward = dot(3, s->normal, s->x) > 0 ? 1 : -1;
    (void)r;
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < 3; i++)
            N[i] = s->x[i] + outward * shifts[k] * s->normal[i];
        tk_ok(ph_space_project(space, N));
        close_to(3, N, s->x, 10 * eps * (s->size + shifts[k]), s->m->name);
    }
}

START_TEST(far)
{
    for (int way = EM_BEND; way <= EM_NO_BEND; way++) {
        each_sample(EM_SPHERE, (em_way)way, far_outside);
        each_sample(EM_SPHEROID, (em_way)way, far_outside);
        each_sample(EM_ELLIPSOID, (em_way)way, far_outside);
    }
}
END_TEST

/* Inside and outside, at any distance: of 20000 points of the ellipsoid none is nearer. */
START_TEST(none_is_nearer)
{
    ph_space *space = em_space(EM_ELLIPSOID, EM_NO_BEND);
    tk_random r = {55};
    for (int trial = 0; trial < 50; trial++) {
        double x[3], z[3], size = tk_log_uniform(&r, 0.3, 30), least = INFINITY;
        for (int i = 0; i < 3; i++)
            x[i] = z[i] = size * tk_normal(&r);
        tk_ok(ph_space_project(space, z));
        ck_assert(ph_space_residual(space, z) <= 8 * eps);
        for (int k = 0; k < 20000; k++) {
            double other[3], square = 0;
            em_at(EM_ELLIPSOID)->point(em_ellipsoid, &r, other);
            for (int i = 0; i < 3; i++)
                square += (other[i] - x[i]) * (other[i] - x[i]);
            least = fmin(least, sqrt(square));
        }
        for (int i = 0; i < 3; i++)
            z[i] -= x[i];
        ck_assert_msg(length(3, z) <= least * (1 + 8 * eps), "%.17g, but there is %.17g", length(3, z),
                      least);
    }
    ph_space_free(space);
}
END_TEST

/* The distance from a torus is |sqrt((rho - R)^2 + z^2) - r|, rho the distance from the axis: from all
 * around, inside the tube, and in the hole, where the first corrections lead across the axis. */
START_TEST(distance_from_a_torus)
{
    ph_space *space = em_space(EM_TORUS, _i ? EM_NO_BEND : EM_BEND);
    tk_random r = {57};
    for (int trial = 0; trial < 3000; trial++) {
        double x[3], z[3], size = tk_log_uniform(&r, 0.1, 30);
        for (int i = 0; i < 3; i++)
            x[i] = z[i] = size * tk_normal(&r);
        tk_ok(ph_space_project(space, z));
        for (int i = 0; i < 3; i++)
            z[i] -= x[i];
        double expected = fabs(hypot(hypot(x[0], x[1]) - 2, x[2]) - 0.5);
        ck_assert_msg(fabs(length(3, z) - expected) <= 64 * eps * (3 + size),
                      "(%g, %g, %g): %.17g, not %.17g", x[0], x[1], x[2], length(3, z), expected);
    }
    ph_space_free(space);
}
END_TEST

/* No nearest point, or more than one; nothing is changed, nor an earlier factor that could be projected. */
static const struct {
    int manifold;
    double x[3];
} nowhere[] = {
    {EM_SPHERE, {0, 0, 0}},
    {EM_SPHERE, {NAN, 1, 1}},
    {EM_SPHERE, {0, INFINITY, 0}},
    {EM_ELLIPSOID, {0, 0, 0}},
    {EM_ELLIPSOID, {0.2, 0, 0}},
    {EM_TORUS, {0, 0, 0}}, /* the vertex (2, 0, 0) is a saddle of the distance */
};

START_TEST(no_nearest)
{
    const ph_embedding e = em_embedding(em_at(nowhere[_i].manifold), EM_BEND);
    const ph_factor factors[] = {{.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    double z[5] = {3, 4}, before[5];
    ph_space *space = NULL;
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    memcpy(z + 2, nowhere[_i].x, sizeof nowhere[_i].x);
    memcpy(before, z, sizeof z);
    ck_assert_int_eq(ph_space_project(space, z), PH_E_NOT_ON_MANIFOLD);
    ck_assert(!memcmp(before, z, sizeof z));
    ck_assert_int_eq(ph_space_factor_project(space, 1, z), PH_E_NOT_ON_MANIFOLD);
    ck_assert(!memcmp(before, z, sizeof z));
    ph_space_free(space);
}
END_TEST

/* The residual is the distance, up to the square of it over the radius of curvature; of the curve and the
 * rotations, whose constraints have different rows, the largest part: at least 1/3 of it. One correction
 * squares it. */
static void residual(const ph_space *space, const sample *s, tk_random *r)
{
    const double shift = 1e-7, reach = fmin(s->m->reach, 1);
    double z[EM_N], moved[EM_N] = {0}, tangent[EM_N], off;
    (void)r;
    for (size_t i = 0; i < s->n; i++)
        z[i] = s->x[i] + shift * s->normal[i];
    off = ph_space_residual(space, z);
    ck_assert(off <= shift * (1 + 1e-5 / reach) && off >= 0.3 * shift);
    ck_assert(s->n - s->m->dimension > 1 || fabs(off - shift) <= 1e-5 * shift / reach);
    ph_space_correct(space, z);
    ck_assert(ph_space_residual(space, z) <= 4 * shift * shift / reach + 8 * eps * s->size);
    for (size_t i = 0; i < s->n; i++)
        moved[i] = z[i] - s->x[i];
    matvec(s->n, s->P, moved, tangent);
    ck_assert(ph_max_norm(tangent, s->n) <= 4 * shift * shift / reach + 8 * eps * s->size);
}
LAW(law_residual, residual)

/* ---- The same manifold, built in and embedded ----------------------------------------------------- */

START_TEST(agrees_with_the_built_in)
{
    static const struct {
        int manifold;
        ph_factor_kind kind;
    } pairs[] = {{EM_SPHERE, PH_FACTOR_S2}, {EM_SO3, PH_FACTOR_SO3}};
    const ph_factor factor = {.kind = pairs[_i].kind};
    tk_random r = {60};
    for (int way = 0; way < EM_WAYS; way++) {
        ph_space *built_in = NULL, *embedded = em_space(pairs[_i].manifold, (em_way)way);
        tk_ok(ph_space_create(&factor, 1, &built_in, NULL));
        for (int trial = 0; trial < TRIALS; trial++) {
            sample s;
            double P[2][EM_N * EM_N], y[EM_N], out[2][EM_N], z[2][EM_N];
            draw(em_at(pairs[_i].manifold), &r, &s);
            for (size_t i = 0; i < s.n; i++) {
                y[i] = tk_normal(&r);
                z[0][i] = z[1][i] = s.x[i] + 0.1 * tk_normal(&r);
            }
            ph_space_projection(built_in, s.x, P[0]);
            ph_space_projection(embedded, s.x, P[1]);
            close_to(s.n * s.n, P[0], P[1], 16 * eps, s.m->name);
            ph_space_projection_along(built_in, s.x, s.v, y, out[0]);
            ph_space_projection_along(embedded, s.x, s.v, y, out[1]);
            close_to(s.n, out[0], out[1], way == EM_BEND ? 32 * eps : 1e-11, s.m->name);
            if (way == EM_PROJECTION)
                continue;
            tk_ok(ph_space_project(built_in, z[0]));
            tk_ok(ph_space_project(embedded, z[1]));
            close_to(s.n, z[0], z[1], 32 * eps, s.m->name);
        }
        ph_space_free(built_in);
        ph_space_free(embedded);
    }
}
END_TEST

/* ---- Products, copies ------------------------------------------------------------------------------ */

/* A space keeps its own copies of embedding and name; a factor does in a product what it does alone. */
START_TEST(a_factor_of_a_product)
{
    char name[] = "ellipsoid";
    ph_embedding e[2] = {em_embedding(em_at(EM_ELLIPSOID), EM_BEND),
                         em_embedding(em_at(EM_CURVE), EM_NO_BEND)};
    ph_factor factors[] = {{.kind = PH_FACTOR_EMBEDDED, .embedding = &e[1]},
                           {.kind = PH_FACTOR_S2},
                           {.kind = PH_FACTOR_EMBEDDED, .embedding = &e[0]},
                           {.kind = PH_FACTOR_R, .d = 1}};
    static const size_t places[4][6] = {
        {0, 3, 0, 3, 0, 1}, {3, 3, 3, 3, 1, 2}, {6, 3, 6, 3, 3, 2}, {9, 1, 9, 1, 5, 1}};
    ph_space *space = NULL, *copy = NULL, *one = em_space(EM_ELLIPSOID, EM_BEND);
    tk_random r = {70};
    e[0].name = name;
    e[1].name = NULL;
    tk_ok(ph_space_create(factors, 4, &space, NULL));
    tk_ok(ph_space_copy(space, &copy));
    memset(e, 0, sizeof e);
    memset(name, 'x', sizeof name - 1);
    for (size_t i = 0; i < 4; i++) {
        const ph_factor_place *f = ph_space_factor(space, i), *g = ph_space_factor(copy, i);
        const size_t *at = places[i], here[6] = {f->z, f->nz, f->p, f->np, f->x, f->nx};
        ck_assert(!memcmp(at, here, sizeof here));
        ck_assert((f->embedding != NULL) == (f->kind == PH_FACTOR_EMBEDDED));
        ck_assert(f->kind != PH_FACTOR_EMBEDDED || g->embedding != f->embedding);
    }
    ck_assert_str_eq(ph_space_factor(space, 2)->embedding->name, "ellipsoid");
    ck_assert_str_eq(ph_space_factor(space, 0)->embedding->name, "embedded manifold");
    ph_space_free(space);
    ck_assert_str_eq(ph_space_factor(copy, 2)->embedding->name, "ellipsoid");
    ck_assert(ph_space_has_retraction(copy));
    e[1] = em_embedding(em_at(EM_CURVE), EM_PROJECTION); /* one factor without is enough */
    tk_ok(ph_space_create(factors, 2, &space, NULL));
    ck_assert(!ph_space_has_retraction(space));
    ph_space_free(space);
    for (int trial = 0; trial < TRIALS; trial++) {
        sample s[2];
        double z[10] = {0}, v[10] = {0}, z1[10], alone[3];
        draw(em_at(EM_CURVE), &r, &s[0]);
        draw(em_at(EM_ELLIPSOID), &r, &s[1]);
        for (size_t i = 0; i < 3; i++) {
            z[i] = s[0].x[i];
            v[i] = 0.1 * s[0].v[i];
            z[3 + i] = i == 1;
            z[6 + i] = s[1].x[i];
            v[6 + i] = 0.1 * s[1].v[i];
        }
        ph_space_exp(copy, z, v, z1);
        ck_assert(ph_space_residual(copy, z1) <= 16 * eps);
        ph_space_exp(one, z + 6, v + 6, alone);
        ck_assert(!memcmp(alone, z1 + 6, sizeof alone));
    }
    ph_space_free(copy);
    ph_space_free(one);
}
END_TEST

/* ---- A subspace ----------------------------------------------------------------------------------- */

/* The retraction is the sum; the nearest point is P x. */
static void in_a_subspace(const ph_space *space, const sample *s, tk_random *r)
{
    double y[5], z[5], expected[5], z1[5];
    for (int i = 0; i < 5; i++) {
        z[i] = y[i] = 10 * tk_normal(r);
        expected[i] = s->x[i] + 7 * s->v[i];
    }
    double v[5];
    scaled(s, 7, v);
    ph_space_exp(space, s->x, v, z1);
    close_to(5, z1, expected, 16 * eps * (s->size + 7), "subspace");
    matvec(5, s->P, y, expected);
    tk_ok(ph_space_project(space, z));
    close_to(5, z, expected, 64 * eps * 30, "subspace");
}

START_TEST(subspaces)
{
    const double zero[5] = {0};
    double z[5] = {0};
    ph_space *space = em_space(EM_SUBSPACE, EM_BEND);
    each_sample(EM_SUBSPACE, EM_BEND, in_a_subspace);
    tk_ok(ph_space_project(space, z)); /* the origin is one of its points */
    ck_assert(!memcmp(z, zero, sizeof z));
    ph_space_free(space);
}
END_TEST

/* ---- By its projection alone ---------------------------------------------------------------------- */

static void alone(const ph_space *space, const sample *s, tk_random *r)
{
    double z[EM_N], w[EM_N];
    (void)r;
    ck_assert(!ph_space_has_retraction(space));
    ph_space_exp(space, s->x, s->v, z);
    ph_space_dexp(space, s->x, s->v, s->dv, w);
    for (size_t i = 0; i < s->n; i++)
        ck_assert(isnan(z[i]) && isnan(w[i]));
    ck_assert_int_eq(ph_space_log(space, s->x, s->x, w), PH_E_UNSUPPORTED);
    memcpy(z, s->x, sizeof z);
    ck_assert_int_eq(ph_space_project(space, z), PH_E_UNSUPPORTED);
    ck_assert_int_eq(ph_space_factor_project(space, 0, z), PH_E_UNSUPPORTED);
    ph_space_correct(space, z);
    ck_assert(!memcmp(z, s->x, s->n * sizeof *z));
    ck_assert(ph_space_residual(space, z) <= 16 * eps * s->size);
}

START_TEST(by_projection_alone)
{
    each_sample(_i, EM_PROJECTION, alone);
}
END_TEST

/* At 1.1 times a point of the manifold I - q q^T and P Y = (Y - R Y^T R)/2 are no projections; the basis
 * still spans a space that depends smoothly on the point: along a geodesic of 2 rad, taken in steps of
 * 1/1000, E^T E has no jumps. */
START_TEST(basis_off_the_manifold)
{
    static const struct {
        int manifold;
        ph_factor_kind kind;
    } pairs[] = {{EM_SPHERE, PH_FACTOR_S2}, {EM_SO3, PH_FACTOR_SO3}};
    const ph_factor factor = {.kind = pairs[_i].kind};
    ph_space *space = em_space(pairs[_i].manifold, EM_PROJECTION), *built_in = NULL;
    tk_random r = {80};
    tk_ok(ph_space_create(&factor, 1, &built_in, NULL));
    for (int trial = 0; trial < 10; trial++) {
        sample s;
        double before[EM_N * EM_N] = {0};
        draw(em_at(pairs[_i].manifold), &r, &s);
        for (int k = 0; k <= 2000; k++) {
            double v[EM_N], z[EM_N], E[EM_N * EM_N], span[EM_N * EM_N] = {0};
            scaled(&s, 1e-3 * k, v);
            ph_space_exp(built_in, s.x, v, z);
            for (size_t i = 0; i < s.n; i++)
                z[i] *= 1.1;
            ph_space_basis(space, z, E);
            for (size_t i = 0; i < s.n * s.n; i++)
                for (size_t a = 0; a < s.m->dimension; a++)
                    span[i] += E[a * s.n + i / s.n] * E[a * s.n + i % s.n];
            /* no entry of P changes faster than twice the speed */
            ck_assert(k == 0 || tk_max_difference(span, before, s.n * s.n) <= 2.1e-3);
            memcpy(before, span, sizeof span);
        }
    }
    ph_space_free(space);
    ph_space_free(built_in);
}
END_TEST

/* ---- Failing callbacks ---------------------------------------------------------------------------- */

/* A sphere whose callbacks fail one at a time. */
enum { GOOD, BAD_G, BAD_A, BAD_BEND, BAD_P, BAD_ALONG, NAN_G, NAN_A, NAN_BEND, NAN_P, FAULTS };
static int fault;

static ph_status answer(int bad, int nan, double *out)
{
    if (fault == nan)
        out[0] = NAN;
    return fault == bad ? PH_E_CALLBACK : PH_OK;
}

static ph_status bad_g(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(3, x, x) - 1;
    return answer(BAD_G, NAN_G, g);
}

static ph_status bad_A(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        A[i] = 2 * x[i];
    return answer(BAD_A, NAN_A, A);
}

static ph_status bad_bend(void *user, const double *x, const double *v, double *dA)
{
    (void)user, (void)x;
    for (int i = 0; i < 3; i++)
        dA[i] = 2 * v[i];
    return answer(BAD_BEND, NAN_BEND, dA);
}

static ph_status bad_P(void *user, const double *x, double *P)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        P[i] = (i % 4 == 0) - x[i / 3] * x[i % 3];
    return answer(BAD_P, NAN_P, P);
}

static ph_status bad_along(void *user, const double *x, const double *v, double *dP)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        dP[i] = -v[i / 3] * x[i % 3] - x[i / 3] * v[i % 3];
    return answer(BAD_ALONG, -1, dP);
}

static ph_space *bad_space(bool projection)
{
    const ph_embedding constraints = {.name = "bad",
                                      .n = 3,
                                      .dimension = 2,
                                      .constraint = bad_g,
                                      .jacobian = bad_A,
                                      .bend = bad_bend},
                       projections = {.name = "bad",
                                      .n = 3,
                                      .dimension = 2,
                                      .projection = bad_P,
                                      .projection_along = bad_along};
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED,
                              .embedding = projection ? &projections : &constraints};
    ph_space *space = NULL;
    tk_ok(ph_space_create(&factor, 1, &space, NULL));
    return space;
}

#define all_nan(n, out, expected)                                                                            \
    for (size_t all_i = 0; all_i < (n); all_i++)                                                             \
    ck_assert_msg(isnan((out)[all_i]) == (expected), "fault %d: %g", fault, (out)[all_i])

START_TEST(failing_constraints)
{
    const double x[3] = {0.6, 0, 0.8}, v[3] = {0, 0.1, 0}, dv[3] = {0.8, 0.5, -0.6};
    ph_space *space = bad_space(false);
    for (fault = GOOD; fault < FAULTS; fault++) {
        const bool g = fault == BAD_G || fault == NAN_G, A = fault == BAD_A || fault == NAN_A,
                   bend = fault == BAD_BEND || fault == NAN_BEND;
        double out[9], z[3] = {0.61, 0.01, 0.79}, off;
        const ph_status passed_on = fault == NAN_G || fault == NAN_A ? PH_E_NOT_FINITE
                                    : g || A                         ? PH_E_CALLBACK
                                                                     : PH_OK;
        ph_error err = {PH_OK, ""};
        ph_space_exp(space, x, v, out);
        all_nan(3, out, g || A);
        ph_space_dexp(space, x, v, dv, out);
        all_nan(3, out, g || A);
        ck_assert_int_eq(ph_space_log(space, x, x, out), passed_on);
        ck_assert_int_eq(ph_space_project(space, z), fault == BAD_G || fault == BAD_A || fault == BAD_BEND
                                                         ? PH_E_CALLBACK
                                                     : g || A || bend ? PH_E_NOT_ON_MANIFOLD
                                                                      : PH_OK);
        ck_assert((z[0] == 0.61 && z[1] == 0.01 && z[2] == 0.79) == (g || A || bend));
        ph_space_basis(space, x, out);
        all_nan(6, out, A);
        ph_space_projection(space, x, out);
        all_nan(9, out, A);
        ph_space_projection_along(space, x, dv, dv, out);
        all_nan(3, out, A || bend);
        memcpy(out, dv, sizeof dv);
        ph_space_project_tangent(space, x, out);
        all_nan(3, out, A);
        ph_space_momentum(space, x, dv, out);
        all_nan(3, out, A);
        off = ph_space_residual(space, x);
        ck_assert(isnan(off) == (g || A));
        off = ph_space_tangency(space, x, dv);
        ck_assert(isnan(off) == A);
        memcpy(out, x, sizeof x);
        ph_space_correct(space, out);
        all_nan(3, out, g || A);
        memcpy(z, x, sizeof x);
        ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), passed_on);
        ck_assert(!passed_on ||
                  strstr(err.message, g ? "constraint of factor 1 (bad) failed at x = (0.5"
                                        : "constraint Jacobian of factor 1 (bad) failed at x = (0.5"));
        ck_assert_msg(!passed_on || strstr(err.message, ph_status_text(passed_on)), "%s", err.message);
    }
    ph_space_free(space);
}
END_TEST

START_TEST(failing_projection)
{
    const double x[3] = {0.6, 0, 0.8}, dv[3] = {0.8, 0.5, -0.6};
    ph_space *space = bad_space(true);
    for (fault = GOOD; fault < FAULTS; fault++) {
        const bool P = fault == BAD_P || fault == NAN_P;
        const ph_status passed_on = fault == BAD_P ? PH_E_CALLBACK : P ? PH_E_NOT_FINITE : PH_OK;
        double out[9], z[3], off;
        ph_error err = {PH_OK, ""};
        ph_space_basis(space, x, out);
        all_nan(6, out, P);
        ph_space_projection(space, x, out);
        all_nan(9, out, P);
        ph_space_projection_along(space, x, dv, dv, out);
        all_nan(3, out, fault == BAD_ALONG);
        ph_space_momentum(space, x, dv, out);
        all_nan(3, out, P);
        off = ph_space_residual(space, x);
        ck_assert(isnan(off) == P);
        off = ph_space_tangency(space, x, dv);
        ck_assert(isnan(off) == P);
        memcpy(z, x, sizeof x);
        ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), passed_on);
        ck_assert(!passed_on || strstr(err.message, "projection of factor 1 (bad) failed at x = (0.5"));
    }
    ph_space_free(space);
}
END_TEST

/* ---- Invalid embeddings --------------------------------------------------------------------------- */

static ph_embedding good(void)
{
    return em_embedding(em_at(EM_SPHERE), EM_BEND);
}

static ph_status refused(const ph_embedding *e, const char *text)
{
    const ph_factor factors[] = {{.kind = PH_FACTOR_S2}, {.kind = PH_FACTOR_EMBEDDED, .embedding = e}};
    ph_space *space = (ph_space *)&space;
    ph_error err = {PH_OK, ""};
    ph_status status = ph_space_create(factors, 2, &space, &err);
    ck_assert_int_eq(status, PH_E_INVALID);
    ck_assert_ptr_null(space);
    ck_assert_msg(strstr(err.message, text) && strstr(err.message, "factor 2"), "%s", err.message);
    return status;
}

START_TEST(bad_embeddings)
{
    ph_embedding e;
    const double A[6] = {1, 0, 0, 0, 1, 0};
    const ph_subspace full = {.m = 3, .n = 3, .A = A};
    refused(NULL, "its embedding is NULL");
    e = good(), e.n = 1, e.dimension = 1;
    refused(&e, "(sphere) is embedded in R^n with n = 1; it must be 2 to 48");
    e = good(), e.n = 49;
    refused(&e, "n = 49; it must be 2 to 48");
    e = good(), e.dimension = 0;
    refused(&e, "has dimension 0 in R^3; it must be 1 to 2");
    e = good(), e.dimension = 3;
    refused(&e, "has dimension 3 in R^3; it must be 1 to 2");
    e = good(), e.jacobian = NULL;
    refused(&e, "has no jacobian");
    e = good(), e.constraint = NULL;
    refused(&e, "has no constraint");
    e = good(), e.projection = em_at(EM_SPHERE)->projection;
    refused(&e, "(sphere) is given in both ways");
    e = good(), e.projection_along = bad_along;
    refused(&e, "in both ways");
    e = good(), e.constraint = NULL, e.jacobian = NULL, e.bend = NULL;
    refused(&e, "by nothing");
    e.projection_along = bad_along;
    refused(&e, "has projection_along, but no projection");
    e = good(), e.name = NULL, e.n = 0;
    refused(&e, "(embedded manifold)");
    e = ph_embedding_subspace(&full);
    refused(&e, "(subspace) has dimension 0 in R^3; it must be 1 to 2");
}
END_TEST

/* ---- Points that are not admitted ----------------------------------------------------------------- */

/* Two planes of R^3 that are one, a.x = 0 and a.x (2 + x) = 0: rank 1 everywhere, but for rounding. */
static const double slope[3] = {0.1, 0.3, 0.7};

static ph_status twice(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(3, slope, x);
    g[1] = 1e5 * dot(3, slope, x) * (2 + x[0]);
    return PH_OK;
}

static ph_status twice_jacobian(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 3; i++) {
        A[i] = slope[i];
        A[3 + i] = 1e5 * (slope[i] * (2 + x[0]) + (i == 0 ? dot(3, slope, x) : 0));
    }
    return PH_OK;
}

/* P of the sphere, and what could be wrong with it. */
enum { UNSYMMETRIC, OBLIQUE, TWO_PLANES };
static int wrong;

static ph_status wrong_P(void *user, const double *x, double *P)
{
    (void)user;
    for (int i = 0; i < 9; i++)
        P[i] = (i % 4 == 0) - x[i / 3] * x[i % 3];
    P[1] += wrong == UNSYMMETRIC ? 1e-9 : 0;
    P[4] += wrong == OBLIQUE ? 1e-9 : 0;
    for (int i = 0; i < 9 && wrong == TWO_PLANES; i++)
        P[i] = x[i / 3] * x[i % 3];
    return PH_OK;
}

static ph_status admit(const ph_embedding *e, bool project, double *z, ph_error *err)
{
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = e};
    ph_space *space = NULL;
    tk_ok(ph_space_create(&factor, 1, &space, NULL));
    ph_status status = ph_space_admit_point(space, project, z, err);
    ph_space_free(space);
    return status;
}

static void check_message(ph_status status, ph_status expected, const ph_error *err, const char *text)
{
    ck_assert_msg(status == expected, "%s: %s", ph_status_name(status), err->message);
    ck_assert_msg(!expected || strstr(err->message, text), "%s", err->message);
}

START_TEST(admission)
{
    const ph_embedding same = {.name = "plane, twice",
                               .n = 3,
                               .dimension = 1,
                               .constraint = twice,
                               .jacobian = twice_jacobian},
                       sphere = em_embedding(em_at(EM_SPHERE), EM_NO_BEND),
                       spheroid = em_embedding(em_at(EM_SPHEROID), EM_BEND),
                       projection = {.name = "wrong", .n = 3, .dimension = 2, .projection = wrong_P};
    ph_error err = {PH_OK, ""};
    double z[3] = {0.5, 1, -0.5}, centre[3] = {0}, off[3] = {0.6, 0, 0.9}, rough[3] = {0.6, 0, 0.8 + 1e-13};
    for (int project = 0; project < 2; project++)
        check_message(
            admit(&same, project, z, &err), project ? PH_E_NOT_ON_MANIFOLD : PH_E_SINGULAR, &err,
            project ? "factor 1 (plane, twice): no nearest point"
                    : "constraint Jacobian of factor 1 (plane, twice) has rank 1 of 2 at x = (0.5, 1, -0.5)");
    check_message(admit(&sphere, false, centre, &err), PH_E_SINGULAR, &err,
                  "constraint Jacobian of factor 1 (sphere) has rank 0 of 1 at x = (0, 0, 0)");
    check_message(admit(&sphere, true, centre, &err), PH_E_NOT_ON_MANIFOLD, &err,
                  "factor 1 (sphere): no nearest point of the manifold was found");
    check_message(admit(&sphere, false, off, &err), PH_E_NOT_ON_MANIFOLD, &err,
                  "factor 1 is off the manifold (sphere): its largest |g_i|/|row i of dg/dx| is 0.0786; "
                  "the projection (PH_PROJECT) would give (0.5547");
    off[0] = 0.6, off[2] = 0.9;
    check_message(admit(&sphere, true, off, &err), PH_OK, &err, "");
    ck_assert(fabs(off[0] - 0.6 / sqrt(1.17)) <= eps && fabs(off[2] - 0.9 / sqrt(1.17)) <= eps);
    check_message(admit(&sphere, false, rough, &err), PH_OK, &err, "");
    ck_assert(fabs(dot(3, rough, rough) - 1) <= 4 * eps); /* corrected */
    double pole[3] = {0, 0, 0.8};
    check_message(admit(&spheroid, false, pole, &err), PH_OK, &err, "");
    static const char *const words[] = {"is not symmetric at x = (0.5", "is not a projection at x = (0.5",
                                        "has rank 1 (its trace) at x = (0.5"};
    for (wrong = UNSYMMETRIC; wrong <= TWO_PLANES; wrong++)
        for (int project = 0; project < 2; project++) {
            double x[3] = {0.6, 0, 0.8};
            check_message(admit(&projection, project, x, &err), PH_E_INVALID, &err, words[wrong]);
            ck_assert(strstr(err.message, "factor 1 (wrong)") != NULL);
        }
    wrong = -1;
    double on[3] = {0.6, 0, 0.8}, inside[3] = {0.6, 0, 0.79};
    check_message(admit(&projection, true, on, &err), PH_OK, &err, "");
    check_message(admit(&projection, false, inside, &err), PH_E_INVALID, &err, "is x on the manifold?");
}
END_TEST

/* Velocities and momenta with a normal part, in a product, and the projection of them. */
START_TEST(admission_of_velocities)
{
    const ph_embedding e = em_embedding(em_at(EM_SPHERE), EM_BEND);
    const ph_factor factors[] = {{.kind = PH_FACTOR_R, .d = 1},
                                 {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    const double z[4] = {5, 0.6, 0, 0.8};
    for (int momentum = 0; momentum < 2; momentum++) {
        ph_space *space = NULL;
        ph_error err = {PH_OK, ""};
        tk_ok(ph_space_create(factors, 2, &space, NULL));
        ph_status (*admit_it)(const ph_space *, const double *, bool, double *, ph_error *) =
            momentum ? ph_space_admit_momentum : ph_space_admit_velocity;
        double v[4] = {7, 1, 3, 0};
        check_message(
            admit_it(space, z, false, v, &err), PH_E_NOT_TANGENT, &err,
            momentum ? "p2 is not tangent to the manifold (sphere): its normal part is of size 0.6"
                     : "velocity2 is not tangent to the manifold (sphere): its normal part is of size 0.6");
        ck_assert_msg(strstr(err.message, "would give (0.64"), "%s", err.message);
        v[1] = 1, v[2] = 3, v[3] = 0;
        tk_ok(admit_it(space, z, true, v, &err));
        ck_assert(fabs(v[1] - 0.64) <= 4 * eps && v[2] == 3 && fabs(v[3] + 0.48) <= 4 * eps && v[0] == 7);
        v[3] += 1e-13;
        tk_ok(admit_it(space, z, false, v, &err));
        ph_space_free(space);
    }
}
END_TEST

/* A message has room for some of 48 coordinates, and says that there are more. */
static ph_status big_sphere(void *user, const double *x, double *g)
{
    (void)user;
    g[0] = dot(48, x, x) - 1;
    return PH_OK;
}

static ph_status big_sphere_jacobian(void *user, const double *x, double *A)
{
    (void)user;
    for (int i = 0; i < 48; i++)
        A[i] = 2 * x[i];
    return PH_OK;
}

START_TEST(the_largest)
{
    const ph_embedding e = {
        .n = 48, .dimension = 47, .constraint = big_sphere, .jacobian = big_sphere_jacobian};
    const ph_factor factor = {.kind = PH_FACTOR_EMBEDDED, .embedding = &e};
    double z[48], v[48], z1[48], along = 0;
    ph_space *space = NULL;
    ph_error err = {PH_OK, ""};
    tk_random r = {90};
    for (int i = 0; i < 48; i++) {
        z[i] = 0.2 + 1e-3 * tk_normal(&r);
        v[i] = 0.1 * tk_normal(&r);
    }
    tk_ok(ph_space_create(&factor, 1, &space, NULL));
    ck_assert_int_eq(ph_space_admit_point(space, false, z, &err), PH_E_NOT_ON_MANIFOLD);
    ck_assert_msg(strstr(err.message, ", ...)") != NULL, "%s", err.message);
    tk_ok(ph_space_project(space, z));
    ck_assert(fabs(dot(48, z, z) - 1) <= 16 * eps);
    ph_space_project_tangent(space, z, v);
    ph_space_exp(space, z, v, z1);
    along = sqrt(1 - dot(48, v, v));
    for (int i = 0; i < 48; i++)
        ck_assert(fabs(z1[i] - (along * z[i] + v[i])) <= 16 * eps);
    ph_space_free(space);
}
END_TEST

int main(void)
{
    const TTest *const laws[] = {
        law_retraction,
        law_carried_momentum,
        law_retraction_is_of_second_order,
        law_derivative_of_the_retraction,
        law_tangent_space,
        law_momenta,
        law_projection_along,
        law_nearest,
        law_residual,
        by_projection_alone,
    };
    const TTest *const once[] = {rounding_has_no_side,
                                 closed_form,
                                 none_is_nearer,
                                 another_sheet,
                                 projection_of_products,
                                 far,
                                 subspaces,
                                 a_factor_of_a_product,
                                 failing_constraints,
                                 failing_projection,
                                 bad_embeddings,
                                 admission,
                                 admission_of_velocities,
                                 the_largest};
    Suite *suite = suite_create("embedded manifolds");
    TCase *each = tcase_create("laws");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        tcase_add_loop_test(each, laws[i], 0, EM_MANIFOLDS);
    if (tk_extended())
        tcase_add_loop_test(each, law_steps_add_up, 0, EM_MANIFOLDS);
    else
        untried(suite, "sums of steps: long double has no digits beyond those of double here");
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        tcase_add_test(each, once[i]);
    tcase_add_loop_test(each, distance_from_a_torus, 0, 2);
    tcase_add_loop_test(each, no_nearest, 0, (int)(sizeof nowhere / sizeof *nowhere));
    tcase_add_loop_test(each, agrees_with_the_built_in, 0, 2);
    tcase_add_loop_test(each, basis_off_the_manifold, 0, 2);
    suite_add_tcase(suite, each);
    return tk_main(suite);
}
