/* SPDX-License-Identifier: BSD-3-Clause */
/* The laws of a configuration space, each checked on every space of one table, at angles from 1e-16 to
 * pi - 1e-12. A new manifold is one row here; its factors get random points and directions from the
 * space's own projections, which have laws of their own. */
#include "testkit.h"

#include <float.h>

#include "internal/space.h"

enum { MOST_FACTORS = 8, MOST_Z = 32 };
static const double eps = DBL_EPSILON;
static const long double pi = 3.14159265358979323846264338327950288L;

#define R(d) {PH_FACTOR_R, d}
#define S2 {PH_FACTOR_S2, 0}
static const struct {
    const char *name;
    size_t n;
    ph_factor factors[MOST_FACTORS];
} table[] = {
    {"R^1", 1, {R(1)}},
    {"R^3", 1, {R(3)}},
    {"S^2", 1, {S2}},
    {"S^2 x S^2", 2, {S2, S2}},
    {"R^3 x S^2", 2, {R(3), S2}},
    {"S^2 x R^1", 2, {S2, R(1)}},
    {"R^2 x S^2 x R^1 x S^2", 4, {R(2), S2, R(1), S2}},
    {"(S^2)^5 x R^7 x S^2", 7, {S2, S2, S2, S2, S2, R(7), S2}},
};
enum { SPACES = sizeof table / sizeof *table };

static ph_space *make(int i)
{
    ph_space *space = NULL;
    ph_error err;
    ck_assert_msg(!ph_space_create(table[i].factors, table[i].n, &space, &err), "%s", err.message);
    return space;
}

/* Angles [rad], from both ends and in between, with both sides of the switch of the series at 1. */
enum { ANGLES = 42 };
static double angle_at(int k)
{
    if (k < 17)
        return pow(10, k - 16);
    if (k < 29)
        return (double)(pi - powl(10, k - 28)); /* pi - 1e-11 ... pi - 1 */
    if (k < 39)
        return 0.3 * (k - 28);
    return k == 39 ? (double)(pi - 1e-12L) : k == 40 ? nextafter(1, 0) : nextafter(1, 2);
}

static bool curved(const ph_factor_place *f)
{
    return f->kind != PH_FACTOR_R;
}

static void random_point(const ph_space *space, tk_random *r, double *z)
{
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        z[i] = tk_normal(r);
    tk_ok(ph_space_project(space, z));
}

static double size_of(const ph_factor_place *f, const double *v)
{
    double square = 0;
    for (size_t i = 0; i < f->nz; i++)
        square += v[f->z + i] * v[f->z + i];
    return sqrt(square);
}

/* A random tangent vector whose part in every factor has the given length. */
static void random_tangent(const ph_space *space, tk_random *r, const double *z, double length, double *v)
{
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        v[i] = tk_normal(r);
    ph_space_project_tangent(space, z, v);
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double scale = length / size_of(f, v);
        for (size_t k = 0; k < f->nz; k++)
            v[f->z + k] *= scale;
    }
}

/* What a law gets: a space, a point, two tangent vectors of the given angle and of length 1. */
typedef struct sample {
    const ph_space *space;
    const char *name;
    size_t nz;
    double angle;
    double z[MOST_Z], v[MOST_Z], dv[MOST_Z];
} sample;

typedef void law(const sample *s, tk_random *r);

static void each_sample(int space_index, law *check)
{
    ph_space *space = make(space_index);
    tk_random r = {1000 + (uint64_t)space_index};
    for (int k = 0; k < ANGLES; k++)
        for (int trial = 0; trial < 100; trial++) {
            sample s = {.space = space, .name = table[space_index].name, .nz = ph_space_ambient(space),
                        .angle = angle_at(k)};
            random_point(space, &r, s.z);
            random_tangent(space, &r, s.z, s.angle, s.v);
            random_tangent(space, &r, s.z, 1, s.dv);
            check(&s, &r);
        }
    ph_space_free(space);
}

#define LAW(test, check)             \
    START_TEST(test)                 \
    {                                \
        each_sample(_i, check);      \
    }                                \
    END_TEST

#define near(s, x, y, tolerance)                                                                         \
    do {                                                                                                 \
        double near_d = tk_max_difference(x, y, (s)->nz), near_t = (tolerance);                          \
        ck_assert_msg(near_d <= near_t, "%s, angle %.17g: off by %g, allowed %g", (s)->name, (s)->angle, \
                      near_d, near_t);                                                                   \
    } while (0)

/* The largest coordinate of the point, which is what rounding on R^d is relative to. */
static double reach(const sample *s)
{
    double most = 1;
    for (size_t i = 0; i < s->nz; i++)
        most = fmax(most, fabs(s->z[i]) + s->angle);
    return most;
}

/* ---- exp ---------------------------------------------------------------------------------------- */

/* |q|, |v| and q.v are off by eps each, and so are the two coefficients: a few eps. (Seen: 2.) */
static void exp_stays(const sample *s, tk_random *r)
{
    double z1[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    ck_assert(ph_space_residual(s->space, z1) <= 4 * eps);
}
LAW(law_exp_stays, exp_stays)

/* Against the formula in long double, 3 eps of each coordinate's scale. */
static void exp_is_the_geodesic(const sample *s, tk_random *r)
{
    double z1[MOST_Z], expected[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        const double *q = s->z + f->z, *v = s->v + f->z;
        long double t = 0, c = 1, a = 1;
        for (size_t k = 0; k < f->nz; k++)
            t += (long double)v[k] * v[k];
        t = sqrtl(t);
        if (curved(f)) {
            c = cosl(t);
            a = t > 0 ? sinl(t) / t : 1;
        }
        for (size_t k = 0; k < f->nz; k++)
            expected[f->z + k] = (double)(c * q[k] + a * v[k]);
    }
    near(s, z1, expected, 3 * eps * reach(s));
}
LAW(law_exp_is_the_geodesic, exp_is_the_geodesic)

static void exp_zero(const sample *s, tk_random *r)
{
    double z1[MOST_Z], zero[MOST_Z] = {0};
    (void)r;
    ph_space_exp(s->space, s->z, zero, z1);
    for (size_t i = 0; i < s->nz; i++)
        ck_assert(z1[i] == s->z[i]);
}
LAW(law_exp_of_zero_is_exact, exp_zero)

/* ---- log ---------------------------------------------------------------------------------------- */

/* exp(log) = id needs no condition number: where the direction of log is bad, the points of all
 * directions are close together. 8 eps. (Seen: 3.) */
static void exp_of_log(const sample *s, tk_random *r)
{
    double z1[MOST_Z], v[MOST_Z], back[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    tk_ok(ph_space_log(s->space, s->z, z1, v));
    ph_space_exp(s->space, s->z, v, back);
    near(s, back, z1, 8 * eps * reach(s));
}
LAW(law_exp_of_log, exp_of_log)

/* The point exp(v) is rounded by eps: the angle changes by that much, the direction by eps / sin, which
 * makes angle / sin in v. */
static void log_of_exp(const sample *s, tk_random *r)
{
    double z1[MOST_Z], v[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    tk_ok(ph_space_log(s->space, s->z, z1, v));
    near(s, v, s->v, 4 * eps * (reach(s) + s->angle / sin(s->angle)));
}
LAW(law_log_of_exp, log_of_exp)

/* Angle between q and q1 in long double: the cross product from the difference (or sum) loses nothing. */
static double reference_angle(const double *q, const double *q1)
{
    long double c = 0, d[3], x[3], side;
    for (int k = 0; k < 3; k++)
        c += (long double)q[k] * q1[k];
    side = c < 0 ? 1 : -1;
    for (int k = 0; k < 3; k++)
        d[k] = q1[k] + side * q[k];
    for (int k = 0; k < 3; k++)
        x[k] = q[(k + 1) % 3] * d[(k + 2) % 3] - q[(k + 2) % 3] * d[(k + 1) % 3];
    return (double)atan2l(sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), c);
}

/* Relative to the angle, however small: 4 eps. (Seen: 1.8.) And log is tangent. */
static void log_length(const sample *s, tk_random *r)
{
    double z1[MOST_Z], v[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    tk_ok(ph_space_log(s->space, s->z, z1, v));
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        if (!curved(f))
            continue;
        double expected = reference_angle(s->z + f->z, z1 + f->z), got = size_of(f, v);
        ck_assert_msg(fabs(got - expected) <= 4 * eps * expected, "%s: |log| %.17g, angle %.17g", s->name, got, expected);
    }
    ck_assert(ph_space_tangency(s->space, s->z, v) <= 2 * eps * s->angle);
}
LAW(law_log_length_is_the_angle, log_length)

START_TEST(log_of_antipodes)
{
    ph_space *space = make(_i);
    tk_random r = {20};
    bool any = false;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double z[MOST_Z], z1[MOST_Z], v[MOST_Z];
        for (int trial = 0; curved(f) && trial < 1000; trial++) {
            any = true;
            random_point(space, &r, z);
            memcpy(z1, z, sizeof z);
            for (size_t k = f->z; k < f->z + f->nz; k++)
                z1[k] = -z[k];
            ck_assert_int_eq(ph_space_log(space, z, z1, v), PH_E_NO_SOLUTION);
        }
    }
    double z[MOST_Z], v[MOST_Z], zero[MOST_Z] = {0};
    random_point(space, &r, z);
    tk_ok(ph_space_log(space, z, z, v)); /* and of the point itself it is 0 */
    ck_assert(tk_max_difference(v, zero, ph_space_ambient(space)) == 0);
    ck_assert(any || table[_i].factors[0].kind == PH_FACTOR_R);
    ph_space_free(space);
}
END_TEST

/* ---- dexp --------------------------------------------------------------------------------------- */

/* exp in long double at v + t dv. */
static void long_exp(const ph_factor_place *f, const sample *s, long double t, long double *z1)
{
    long double u[MOST_Z], square = 0, c = 1, a = 1;
    for (size_t k = 0; k < f->nz; k++) {
        u[k] = s->v[f->z + k] + t * s->dv[f->z + k];
        square += u[k] * u[k];
    }
    if (curved(f)) {
        long double size = sqrtl(square);
        c = cosl(size);
        a = size > 0 ? sinl(size) / size : 1;
    }
    for (size_t k = 0; k < f->nz; k++)
        z1[k] = c * s->z[f->z + k] + a * u[k];
}

/* Sixth-order central differences with step 1e-3: truncation below 1e-19, rounding below 1e-16 of R^d's
 * largest coordinate. Then 8 eps for the formula. (Seen: 3.) */
static void dexp_is_the_derivative(const sample *s, tk_random *r)
{
    static const long double weight[3] = {45.0L / 60, -9.0L / 60, 1.0L / 60}, h = 1e-3L;
    double w[MOST_Z], expected[MOST_Z];
    (void)r;
    ph_space_dexp(s->space, s->z, s->v, s->dv, w);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        long double sum[MOST_Z] = {0}, ahead[MOST_Z], behind[MOST_Z];
        for (int j = 1; j <= 3; j++) {
            long_exp(f, s, j * h, ahead);
            long_exp(f, s, -j * h, behind);
            for (size_t k = 0; k < f->nz; k++)
                sum[k] += weight[j - 1] * (ahead[k] - behind[k]) / h;
        }
        for (size_t k = 0; k < f->nz; k++)
            expected[f->z + k] = (double)sum[k];
    }
    near(s, w, expected, 8 * eps * reach(s));
}
LAW(law_dexp_is_the_derivative, dexp_is_the_derivative)

/* Geodesics have constant speed: |dexp_v(v)| = |v|; and dexp is tangent at the new point. */
static void dexp_keeps_speed(const sample *s, tk_random *r)
{
    double z1[MOST_Z], w[MOST_Z], u[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    ph_space_dexp(s->space, s->z, s->v, s->v, w);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        ck_assert(fabs(size_of(f, w) - s->angle) <= 8 * eps * s->angle);
    }
    ck_assert(ph_space_tangency(s->space, z1, w) <= 4 * eps * s->angle);
    ph_space_dexp(s->space, s->z, s->v, s->dv, u);
    ck_assert(ph_space_tangency(s->space, z1, u) <= 8 * eps * (1 + s->angle));
}
LAW(law_dexp_of_the_direction, dexp_keeps_speed)

/* dexp is linear in dv, so it does not depend on the basis in which dv is written: resolve dv in the space's
 * basis and in that basis turned by a random angle. */
static void dexp_needs_no_basis(const sample *s, tk_random *r)
{
    double E[MOST_Z * MOST_Z], expected[MOST_Z], sum[MOST_Z] = {0}, turn = tk_uniform(r, 0, 6);
    const double *row = E;
    ph_space_basis(s->space, s->z, E);
    ph_space_dexp(s->space, s->z, s->v, s->dv, expected);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t b = 0; b < f->nx; b++) {
            double e[MOST_Z] = {0}, w[MOST_Z], along = 0;
            const double *x = row + b * f->nz, *other = row + (b + 1) % f->nx * f->nz;
            double c = f->nx == 2 ? cos(turn) : 1, sn = f->nx == 2 ? (b ? -sin(turn) : sin(turn)) : 0;
            for (size_t k = 0; k < f->nz; k++) {
                e[f->z + k] = c * x[k] + sn * other[k];
                along += e[f->z + k] * s->dv[f->z + k];
            }
            ph_space_dexp(s->space, s->z, s->v, e, w);
            for (size_t k = 0; k < s->nz; k++)
                sum[k] += along * w[k];
        }
        row += f->nx * f->nz;
    }
    near(s, sum, expected, 16 * eps);
}
LAW(law_dexp_needs_no_basis, dexp_needs_no_basis)

/* Turning round at the end of a geodesic leads back. */
static void geodesics_reverse(const sample *s, tk_random *r)
{
    double z1[MOST_Z], back[MOST_Z], w[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    ph_space_dexp(s->space, s->z, s->v, s->v, w);
    for (size_t i = 0; i < s->nz; i++)
        w[i] = -w[i];
    ph_space_exp(s->space, z1, w, back);
    near(s, back, s->z, 16 * eps * reach(s));
}
LAW(law_geodesics_reverse, geodesics_reverse)

/* ---- Projections -------------------------------------------------------------------------------- */

static const double scales[] = {1e-300, 1e-160, 1e-16, 1e-3, 0.999999, 1 + 1e-9, 1e5, 1e160, 1e300};

/* The nearest point of s q is q, for every s > 0 (2 eps: |q| and the quotient are rounded); projecting
 * twice is projecting once, to the bit; R^d stays as it is. */
static void project(const sample *s, tk_random *r)
{
    (void)r;
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        double z[MOST_Z], again[MOST_Z];
        memcpy(z, s->z, sizeof z);
        for (size_t i = 0; i < ph_space_factors(s->space); i++) {
            const ph_factor_place *f = ph_space_factor(s->space, i);
            for (size_t j = f->z; curved(f) && j < f->z + f->nz; j++)
                z[j] *= scales[k];
        }
        tk_ok(ph_space_project(s->space, z));
        near(s, z, s->z, 2 * eps);
        ck_assert(ph_space_residual(s->space, z) <= eps);
        memcpy(again, z, sizeof z);
        tk_ok(ph_space_project(s->space, again));
        ck_assert(tk_max_difference(again, z, s->nz) == 0);
    }
}
LAW(law_project, project)

START_TEST(project_bad)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    ph_space *space = make(_i);
    tk_random r = {30};
    double z[MOST_Z], before[MOST_Z];
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            random_point(space, &r, z);
            z[0] *= 3; /* an earlier factor that could be projected stays as it is */
            z[i] = bad[k];
            memcpy(before, z, sizeof z);
            ck_assert_int_eq(ph_space_project(space, z), PH_E_NOT_ON_MANIFOLD);
            ck_assert_int_eq(memcmp(before, z, ph_space_ambient(space) * sizeof *z), 0);
            ck_assert(isnan(ph_space_residual(space, z)));
        }
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        random_point(space, &r, z);
        memset(z + f->z, 0, f->nz * sizeof *z);
        ck_assert_int_eq(ph_space_project(space, z), curved(f) ? PH_E_NOT_ON_MANIFOLD : PH_OK);
    }
    ph_space_free(space);
}
END_TEST

/* The projection on the tangent space: the result is tangent, a tangent vector stays as it is, and it is
 * orthogonal (self-adjoint): u.Pw = w.Pu. A normal part 1e6 times as large is taken away, too. */
static void project_tangent(const sample *s, tk_random *r)
{
    double u[MOST_Z], w[MOST_Z], Pu[MOST_Z], Pw[MOST_Z], uPw = 0, wPu = 0;
    for (size_t i = 0; i < s->nz; i++) {
        Pu[i] = u[i] = tk_normal(r);
        Pw[i] = w[i] = tk_normal(r) + 1e6 * s->z[i];
    }
    ph_space_project_tangent(s->space, s->z, Pu);
    ph_space_project_tangent(s->space, s->z, Pw);
    ck_assert(ph_space_tangency(s->space, s->z, Pu) <= 4 * eps);
    ck_assert(ph_space_tangency(s->space, s->z, Pw) <= 8 * eps);
    for (size_t i = 0; i < s->nz; i++) {
        uPw += u[i] * Pw[i];
        wPu += w[i] * Pu[i];
    }
    ck_assert(fabs(uPw - wPu) <= 1e6 * 100 * eps * reach(s) * reach(s)); /* 1e6 is the size of w */
    memcpy(w, s->v, sizeof w);
    ph_space_project_tangent(s->space, s->z, w);
    near(s, w, s->v, 2 * eps * s->angle);
}
LAW(law_project_tangent, project_tangent)

/* Orthonormal, tangent, as many as the dimension; on S^2 right-handed. 4 eps for sums of three products. */
static void basis(const sample *s, tk_random *r)
{
    double E[MOST_Z * MOST_Z];
    const double *row = E;
    size_t total = 0;
    (void)r;
    ph_space_basis(s->space, s->z, E);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t a = 0; a < f->nx; a++) {
            double whole[MOST_Z] = {0};
            memcpy(whole + f->z, row + a * f->nz, f->nz * sizeof *row);
            ck_assert(ph_space_tangency(s->space, s->z, whole) <= 4 * eps);
            for (size_t b = 0; b <= a; b++) {
                double dot = 0;
                for (size_t k = 0; k < f->nz; k++)
                    dot += row[a * f->nz + k] * row[b * f->nz + k];
                ck_assert(fabs(dot - (a == b)) <= 4 * eps);
            }
        }
        if (f->kind == PH_FACTOR_S2) {
            double cross[3];
            ph_cross3(row, row + 3, cross);
            ck_assert(tk_max_difference(cross, s->z + f->z, 3) <= 4 * eps);
        }
        row += f->nx * f->nz;
        total += f->nx;
    }
    ck_assert_uint_eq(total, ph_space_dimension(s->space));
    ck_assert_uint_eq((size_t)(row - E), ph_space_basis_size(s->space));
}
LAW(law_basis, basis)

/* ---- Residual and correction -------------------------------------------------------------------- */

/* The residual says by how much |q| differs from 1, to rounding; it sees the worst factor; R^d has none. */
static void residual(const sample *s, tk_random *r)
{
    static const double off[] = {1e-15, 1e-9, 1e-3, 1};
    (void)r;
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
            double z[MOST_Z], expected = curved(f) ? off[k] : 0, got;
            memcpy(z, s->z, sizeof z);
            for (size_t j = f->z; j < f->z + f->nz; j++)
                z[j] *= 1 + off[k];
            got = ph_space_residual(s->space, z);
            ck_assert_msg(fabs(got - expected) <= 3 * eps, "%s: %g for %g", s->name, got, expected);
        }
    }
}
LAW(law_residual, residual)

/* From 1e-13 off to rounding, without moving sideways: 2.3e-16 is one eps of |q|. */
static void correct(const sample *s, tk_random *r)
{
    double z[MOST_Z];
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double factor = curved(f) ? 1 + 1e-13 * tk_uniform(r, -1, 1) : 1;
        for (size_t j = f->z; j < f->z + f->nz; j++)
            z[j] = factor * s->z[j];
    }
    ph_space_correct(s->space, z);
    ck_assert(ph_space_residual(s->space, z) <= 2.3e-16);
    near(s, z, s->z, 2 * eps);
}
LAW(law_correct, correct)

/* A long walk, corrected after every step: the mean of the true c = q.q - 1 stays within 3 standard errors of
 * zero, and no c is larger than rounding of the coordinates makes it (sqrt(3) eps). */
START_TEST(correction_has_no_bias)
{
    enum { STEPS = 200000 };
    static double c[STEPS];
    ph_space *space = make(2);
    tk_random r = {40};
    double z[3], v[3], mean, error;
    random_point(space, &r, z);
    for (int i = 0; i < STEPS; i++) {
        double z1[3];
        long double sum = -1;
        random_tangent(space, &r, z, tk_uniform(&r, 0, 0.1), v);
        ph_space_exp(space, z, v, z1);
        ph_space_correct(space, z1);
        memcpy(z, z1, sizeof z);
        for (int k = 0; k < 3; k++)
            sum += (long double)z[k] * z[k];
        c[i] = (double)sum;
        ck_assert(fabs(c[i]) <= 1.8 * eps);
    }
    tk_mean(c, STEPS, &mean, &error);
    ck_assert_msg(fabs(mean) <= 3 * error, "mean %g eps, standard error %g eps", mean / eps, error / eps);
    ph_space_free(space);
}
END_TEST

/* ---- Layout and bad input ----------------------------------------------------------------------- */

/* Factors lie one behind the other, in z, p and x; a copy is the same space. */
START_TEST(layout)
{
    ph_space *space = make(_i), *copy = NULL;
    size_t z = 0, p = 0, x = 0, basis_size = 0;
    tk_ok(ph_space_copy(space, &copy));
    ck_assert_uint_eq(ph_space_factors(space), table[_i].n);
    for (size_t i = 0; i < table[_i].n; i++) {
        const ph_factor *wanted = &table[_i].factors[i];
        const ph_factor_place *f = ph_space_factor(space, i);
        bool sphere = wanted->kind == PH_FACTOR_S2;
        ck_assert_int_eq(f->kind, wanted->kind);
        ck_assert_uint_eq(f->nz, sphere ? 3 : wanted->d);
        ck_assert_uint_eq(f->np, sphere ? 3 : wanted->d);
        ck_assert_uint_eq(f->nx, sphere ? 2 : wanted->d);
        ck_assert(f->z == z && f->p == p && f->x == x);
        z += f->nz;
        p += f->np;
        x += f->nx;
        basis_size += f->nx * f->nz;
        ck_assert(!memcmp(f, ph_space_factor(copy, i), sizeof *f));
    }
    ck_assert_uint_eq(ph_space_ambient(space), z);
    ck_assert_uint_eq(ph_space_momenta(space), p);
    ck_assert_uint_eq(ph_space_dimension(space), x);
    ck_assert_uint_eq(ph_space_basis_size(copy), basis_size);
    ph_space_free(space);
    ck_assert_uint_eq(ph_space_dimension(copy), x); /* it does not lean on the first */
    ph_space_free(copy);
}
END_TEST

START_TEST(bad_factors)
{
    static const struct {
        size_t n;
        ph_factor factors[2];
        const char *text;
    } bad[] = {
        {0, {S2}, "at least"},
        {1, {{PH_FACTOR_R, 0}}, "factor 1 of the space, R^d, has d = 0"},
        {2, {S2, {PH_FACTOR_R, (size_t)-1}}, "factor 2"},
        {2, {S2, {(ph_factor_kind)99, 1}}, "kind 99"},
        {2, {{PH_FACTOR_R, (size_t)1 << 30}, {PH_FACTOR_R, (size_t)1 << 30}}, "coordinates"},
        {(size_t)-1, {S2}, "at most"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ph_space *space = (ph_space *)&space;
        ph_error err = {PH_OK, ""};
        ck_assert_int_eq(ph_space_create(bad[i].factors, bad[i].n, &space, &err), PH_E_INVALID);
        ck_assert_ptr_null(space);
        ck_assert_int_eq(err.status, PH_E_INVALID);
        ck_assert_msg(strstr(err.message, bad[i].text) != NULL, "%s", err.message);
        ck_assert_int_eq(ph_space_create(bad[i].factors, bad[i].n, &space, NULL), PH_E_INVALID);
    }
    ph_space *space = NULL;
    ck_assert_int_eq(ph_space_create(NULL, 1, &space, NULL), PH_E_INVALID);
    ph_space_free(NULL);
}
END_TEST

int main(void)
{
    static const TTest *const laws[] = {
        law_exp_stays, law_exp_is_the_geodesic, law_exp_of_zero_is_exact, law_exp_of_log, law_log_of_exp,
        law_log_length_is_the_angle, log_of_antipodes, law_dexp_is_the_derivative, law_dexp_of_the_direction,
        law_dexp_needs_no_basis, law_geodesics_reverse, law_project, project_bad, law_project_tangent, law_basis,
        law_residual, law_correct, layout,
    };
    Suite *suite = suite_create("space");
    TCase *each = tcase_create("laws"), *other = tcase_create("other");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        tcase_add_loop_test(each, laws[i], 0, SPACES);
    tcase_add_test(other, correction_has_no_bias);
    tcase_add_test(other, bad_factors);
    suite_add_tcase(suite, each);
    suite_add_tcase(suite, other);
    return tk_main(suite);
}
