/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of embedded manifolds as factors of a space, on those of embeddings.c, which have separate formulas for
 * their projections: the retraction and what it does to momenta; agreement with S^2 and SO(3); products. */
#include "lib/internal/space.h"
#include "tests/laws/embedded.h"

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
LAW_IF(law_steps_add_up, steps_add_up, tk_digits("sums of steps"))

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
TEST(rounding_has_no_side)
{
    enum { SAMPLES = 20000 };
    const double reach = 1.8e-4;
    double length = 0, normal = 0, worst = 0;
    tk_random r = {97};
    TK_OWN(ph_space) *space = em_space(EM_SPHERE, EM_BEND);
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
}

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

TEST(closed_form)
{
    check_samples(EM_SPHERE, EM_BEND, on_the_sphere);
}

/* Along the inner equator of the torus, of radius 1.5, the sheet ends at 1.5; beyond there is a point of the
 * outer equator, of radius 2.5, on the same line, which is on another sheet. */
TEST(another_sheet)
{
    static const double radius[2] = {1.5, 2.5};
    TK_OWN(ph_space) *space = em_space(EM_TORUS, EM_BEND);
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
}

/* ---- The same manifold, built in and embedded ----------------------------------------------------- */

TEST_EACH(agrees_with_the_built_in, 2)
{
    static const struct {
        int manifold;
        ph_factor_kind kind;
    } pairs[] = {{EM_SPHERE, PH_FACTOR_S2}, {EM_SO3, PH_FACTOR_SO3}};
    const ph_factor factor = {.kind = pairs[_i].kind};
    tk_random r = {60};
    for (int way = 0; way < EM_WAYS; way++) {
        TK_OWN(ph_space) *embedded = em_space(pairs[_i].manifold, (em_way)way);
        TK_OWN(ph_space) *built_in = tk_space(&factor, 1);
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
    }
}

/* ---- Products, copies ------------------------------------------------------------------------------ */

/* A space keeps its own copies of embedding and name; a factor does in a product what it does alone. */
TEST(a_factor_of_a_product)
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
    TK_OWN(ph_space) *one = em_space(EM_ELLIPSOID, EM_BEND);
    tk_random r = {70};
    e[0].name = name;
    e[1].name = NULL;
    ph_space *space = tk_space(factors, 4);
    TK_OWN(ph_space) *copy = NULL;
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
}

int main(void)
{
    return tk_run("embedded manifolds");
}
