/* SPDX-License-Identifier: BSD-3-Clause */
/* Embedded manifolds: tangent spaces, nearest points, residuals, projections and their derivatives, on every kind of
 * factor, in subspaces, and by a projection alone. */
#include "lib/internal/space.h"
#include "tests/laws/embedded.h"

/* ---- The retraction ------------------------------------------------------------------------------- */

static void scaled(const sample *s, double scale, double *v)
{
    for (size_t i = 0; i < s->n; i++)
        v[i] = scale * s->v[i];
}

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
TEST(projection_of_products)
{
    const em_manifold *torus = em_at(EM_TORUS), *rotations = em_at(EM_SO3);
    const ph_embedding bent = em_embedding(torus, EM_BEND), alone = em_embedding(rotations, EM_PROJECTION);
    const ph_factor factors[] = {{.kind = PH_FACTOR_S1},  {.kind = PH_FACTOR_EMBEDDED, .embedding = &bent},
                                 {.kind = PH_FACTOR_SO3}, {.kind = PH_FACTOR_R, .d = 2},
                                 {.kind = PH_FACTOR_S2},  {.kind = PH_FACTOR_EMBEDDED, .embedding = &alone}};
    enum { NZ = 2 + 3 + 9 + 2 + 3 + 9, FACTORS = 6 };
    static const double weight[3] = {45. / 60, -9. / 60, 1. / 60}, h = 1e-3;
    static double P[NZ * NZ], literal[NZ * NZ];
    tk_random r = {50};
    TK_OWN(ph_space) *space = tk_space(factors, FACTORS);
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
}

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

TEST(far)
{
    for (int way = EM_BEND; way <= EM_NO_BEND; way++) {
        check_samples(EM_SPHERE, (em_way)way, far_outside);
        check_samples(EM_SPHEROID, (em_way)way, far_outside);
        check_samples(EM_ELLIPSOID, (em_way)way, far_outside);
    }
}

/* Inside and outside, at any distance: of 20000 points of the ellipsoid none is nearer. */
TEST(none_is_nearer)
{
    TK_OWN(ph_space) *space = em_space(EM_ELLIPSOID, EM_NO_BEND);
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
}

/* The distance from a torus is |sqrt((rho - R)^2 + z^2) - r|, rho the distance from the axis: from all
 * around, inside the tube, and in the hole, where the first corrections lead across the axis. */
TEST_EACH(distance_from_a_torus, 2)
{
    TK_OWN(ph_space) *space = em_space(EM_TORUS, _i ? EM_NO_BEND : EM_BEND);
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
}

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

TEST_EACH(no_nearest, sizeof nowhere / sizeof *nowhere)
{
    const ph_embedding e = em_embedding(em_at(nowhere[_i].manifold), EM_BEND);
    const ph_factor factors[] = {{.kind = PH_FACTOR_S1}, {.kind = PH_FACTOR_EMBEDDED, .embedding = &e}};
    double z[5] = {3, 4}, before[5];
    TK_OWN(ph_space) *space = tk_space(factors, 2);
    memcpy(z + 2, nowhere[_i].x, sizeof nowhere[_i].x);
    memcpy(before, z, sizeof z);
    ck_assert_int_eq(ph_space_project(space, z), PH_E_NOT_ON_MANIFOLD);
    ck_assert(!memcmp(before, z, sizeof z));
    ck_assert_int_eq(ph_space_factor_project(space, 1, z), PH_E_NOT_ON_MANIFOLD);
    ck_assert(!memcmp(before, z, sizeof z));
}

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

TEST(subspaces)
{
    const double zero[5] = {0};
    double z[5] = {0};
    TK_OWN(ph_space) *space = em_space(EM_SUBSPACE, EM_BEND);
    check_samples(EM_SUBSPACE, EM_BEND, in_a_subspace);
    tk_ok(ph_space_project(space, z)); /* the origin is one of its points */
    ck_assert(!memcmp(z, zero, sizeof z));
}

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

TEST_EACH(by_projection_alone, EM_MANIFOLDS)
{
    check_samples(_i, EM_PROJECTION, alone);
}

/* At 1.1 times a point of the manifold I - q q^T and P Y = (Y - R Y^T R)/2 are no projections; the basis
 * still spans a space that depends smoothly on the point: along a geodesic of 2 rad, taken in steps of
 * 1/1000, E^T E has no jumps. */
TEST_EACH(basis_off_the_manifold, 2)
{
    static const struct {
        int manifold;
        ph_factor_kind kind;
    } pairs[] = {{EM_SPHERE, PH_FACTOR_S2}, {EM_SO3, PH_FACTOR_SO3}};
    const ph_factor factor = {.kind = pairs[_i].kind};
    TK_OWN(ph_space) *space = em_space(pairs[_i].manifold, EM_PROJECTION);
    tk_random r = {80};
    TK_OWN(ph_space) *built_in = tk_space(&factor, 1);
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
}

int main(void)
{
    return tk_run("points of embedded manifolds");
}
