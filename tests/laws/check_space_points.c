/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of projection, basis, residual and correction on every space of spaces.c; layout of products and
 * bad input. */
#include "tests/kit/spaces.h"

#include <float.h>

#include "lib/internal/space.h"

static const double eps = DBL_EPSILON;

/* ---- Projections -------------------------------------------------------------------------------- */

/* Bound of a residual in the last place, in eps: of |q| half an eps and its rounding; the entries of
 * R^T R - I are twice as large, and summed with half an eps. (Seen: 1.6 on SO(3).) */
static bool within_rounding(const sample *s, const double *z)
{
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        double bound = ph_space_factor(s->space, i)->kind == PH_FACTOR_SO3 ? 2 : 1;
        if (!(ph_space_factor_residual(s->space, i, z) <= bound * eps))
            return false;
    }
    return true;
}

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
        ck_assert(within_rounding(s, z));
        memcpy(again, z, sizeof z);
        tk_ok(ph_space_project(s->space, again));
        ck_assert(!memcmp(again, z, s->nz * sizeof *z));
    }
}
LAW(law_project, project)

TEST_EACH(project_bad, spaces())
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    TK_OWN(ph_space) *space = make_space(_i);
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
        ck_assert_int_eq(ph_space_factor_project(space, i, z), curved(f) ? PH_E_NOT_ON_MANIFOLD : PH_OK);
        ck_assert_int_eq(ph_space_project(space, z), curved(f) ? PH_E_NOT_ON_MANIFOLD : PH_OK);
    }
}

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
    ck_assert(fabs(uPw - wPu) <= 1e6 * 20 * eps * reach(s) * reach(s)); /* 1e6 is the size of w */
    memcpy(w, s->v, sizeof w);
    ph_space_project_tangent(s->space, s->z, w);
    near(s, w, s->v, 2 * eps * s->angle);
}
LAW(law_project_tangent, project_tangent)

/* Orthonormal (on SO(3) the vectors' squares are 2), tangent, as many as the dimension; on S^2 right-handed.
 * 4 eps for sums of three products. */
static void basis(const sample *s, tk_random *r)
{
    double E[MOST_Z * MOST_Z];
    const double *row = E;
    size_t total = 0;
    (void)r;
    ph_space_basis(s->space, s->z, E);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        const double square = f->kind == PH_FACTOR_SO3 ? 2 : 1;
        for (size_t a = 0; a < f->nx; a++) {
            double whole[MOST_Z] = {0};
            memcpy(whole + f->z, row + a * f->nz, f->nz * sizeof *row);
            ck_assert(ph_space_tangency(s->space, s->z, whole) <= 4 * eps);
            for (size_t b = 0; b <= a; b++) {
                double dot = 0;
                for (size_t k = 0; k < f->nz; k++)
                    dot += row[a * f->nz + k] * row[b * f->nz + k];
                ck_assert(fabs(dot - (a == b ? square : 0)) <= 4 * eps);
            }
        }
        if (f->kind == PH_FACTOR_S2) {
            double cross[3];
            ph_cross3(row, row + 3, cross);
            for (int k = 0; k < 3; k++)
                ck_assert(fabs(cross[k] - s->z[f->z + (size_t)k]) <= 4 * eps);
        }
        if (f->kind == PH_FACTOR_S1)
            ck_assert(row[0] == -s->z[f->z + 1] && row[1] == s->z[f->z]);
        for (size_t k = 0; f->kind == PH_FACTOR_SO3 && k < 27; k++) { /* R S(e_i), to the bit */
            double e[3] = {k < 9, k / 9 == 1, k >= 18}, S[9], RS[9];
            ph_hat3(e, S);
            ph_multiply3(s->z + f->z, S, RS);
            ck_assert(row[k] == RS[k % 9]);
        }
        row += f->nx * f->nz;
        total += f->nx;
    }
    ck_assert_uint_eq(total, ph_space_dimension(s->space));
    ck_assert_uint_eq((size_t)(row - E), ph_space_basis_size(s->space));
}
LAW(law_basis, basis)

/* ---- Residual and correction -------------------------------------------------------------------- */

/* The residual says by how much |q| (on SO(3) R^T R) differs from 1, to rounding; it sees the worst factor;
 * R^d has none. */
static void residual(const sample *s, tk_random *r)
{
    static const double off[] = {1e-15, 1e-9, 1e-3, 1};
    (void)r;
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
            double z[MOST_Z], expected = curved(f) ? off[k] : 0, got, slack = 3;
            memcpy(z, s->z, sizeof z);
            for (size_t j = f->z; j < f->z + f->nz; j++)
                z[j] *= 1 + off[k];
            if (f->kind == PH_FACTOR_SO3) { /* |q| of the columns, squared */
                expected *= 2 + off[k];
                slack *= 1 + expected;
            }
            got = ph_space_residual(s->space, z);
            ck_assert_msg(fabs(got - expected) <= slack * eps, "%s: %g for %g", s->name, got, expected);
            ck_assert(ph_space_factor_residual(s->space, i, z) == got || got <= 3 * eps);
        }
    }
}
LAW(law_residual, residual)

/* From 1e-13 off to rounding, without moving sideways. */
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
    ck_assert(within_rounding(s, z));
    near(s, z, s->z, 2 * eps);
}
LAW(law_correct, correct)

/* w <- on the manifold by the same corrections, in long double. */
static void correct_long(const ph_factor_place *f, long double *w)
{
    const size_t columns = f->kind == PH_FACTOR_SO3 ? 3 : 1, rows = f->nz / columns;
    long double C[9], half[9];
    if (!curved(f))
        return;
    for (size_t a = 0; a < columns; a++)
        for (size_t b = 0; b < columns; b++) {
            C[a * columns + b] = a == b ? -1 : 0;
            for (size_t k = 0; k < rows; k++)
                C[a * columns + b] += w[k * columns + a] * w[k * columns + b];
        }
    for (size_t k = 0; k < rows; k++)
        for (size_t a = 0; a < columns; a++) {
            half[k * columns + a] = 0;
            for (size_t b = 0; b < columns; b++)
                half[k * columns + a] += 0.5L * w[k * columns + b] * C[b * columns + a];
        }
    for (size_t k = 0; k < f->nz; k++)
        w[k] -= half[k];
}

/* A hundred small increments: the sum with its low-order part is that of 64 bits, but for the rounding of
 * the increments and of long double itself; the configuration is that sum rounded. In place and not. */
static void advance(const sample *s, tk_random *r)
{
    enum { STEPS = 100 };
    static const double length = 1e-3;
    double z[MOST_Z], low[MOST_Z] = {0}, v[MOST_Z], z1[MOST_Z], D[MOST_Z], low1[MOST_Z];
    long double w[MOST_Z];
    memcpy(z, s->z, sizeof z);
    for (size_t k = 0; k < s->nz; k++)
        w[k] = z[k];
    for (int step = 0; step < STEPS; step++) {
        random_tangent(s->space, r, z, length, v);
        for (size_t i = 0; i < ph_space_factors(s->space); i++) {
            const ph_factor_place *f = ph_space_factor(s->space, i);
            ph_space_factor_increment_sum(s->space, i, z, low, v + f->z, D + f->z);
            for (size_t k = f->z; k < f->z + f->nz; k++)
                w[k] += D[k];
            correct_long(f, w + f->z);
        }
        ph_space_advance(s->space, z, low, D, z1, low1);
        ph_space_advance(s->space, z, low, D, z, low);
        ck_assert(!memcmp(z, z1, s->nz * sizeof *z) && !memcmp(low, low1, s->nz * sizeof *low));
    }
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        for (size_t k = f->z; k < f->z + f->nz; k++) {
            const double size = fmax(1, fabs(z[k]));
            ck_assert(z[k] + low[k] == z[k]);
            ck_assert_msg(fabsl(((long double)z[k] + low[k]) - w[k]) <= 3e-18L * size * sqrtl(STEPS),
                          "%s: %Lg", s->name, ((long double)z[k] + low[k]) - w[k]);
        }
    }
    ck_assert(within_rounding(s, z));
}
LAW_IF(law_advance, advance, tk_extended())

/* A long walk on S^2, S^1 and SO(3), corrected after every step: the mean of the true c = q.q - 1 (on SO(3)
 * of each entry of R^T R - I) stays within 4 standard errors of zero, and no c is larger than rounding
 * of the coordinates makes it: half of sqrt(3) eps of q.q, and the same of an entry. */
TEST_EACH(correction_has_no_bias, tk_extended() ? 3 : 0)
{
    enum { STEPS = 200000, LONG = 1000000, MOST = 6 };
    static const ph_factor kinds[] = {S2, S1, SO3};
    static const struct {
        size_t n, m, stride; /* coordinates of a column, columns, distance of its coordinates */
    } shape[] = {{3, 1, 1}, {2, 1, 1}, {3, 3, 3}};
    static double c[MOST][LONG];
    const int steps = kinds[_i].kind == PH_FACTOR_SO3 && tk_thorough() ? LONG : STEPS;
    tk_random r = {40};
    double z[9], v[9], mean, error, worst = 0, late = 0;
    size_t entries = 0;
    TK_OWN(ph_space) *space = tk_space(&kinds[_i], 1);
    random_point(space, &r, z);
    for (int i = 0; i < steps; i++) {
        double z1[9];
        random_tangent(space, &r, z, tk_uniform(&r, 0, 0.1), v);
        ph_space_exp(space, z, v, z1);
        ph_space_correct(space, z1);
        memcpy(z, z1, sizeof z);
        entries = 0;
        for (size_t a = 0; a < shape[_i].m; a++)
            for (size_t b = 0; b <= a; b++) {
                long double sum = a == b ? -1 : 0;
                for (size_t k = 0; k < shape[_i].n; k++)
                    sum += (long double)z[k * shape[_i].stride + a] * z[k * shape[_i].stride + b];
                c[entries++][i] = (double)sum;
                worst = fmax(worst, fabs((double)sum));
                if (i >= steps - steps / 10)
                    late = fmax(late, fabs((double)sum));
            }
    }
    ck_assert_msg(worst <= 0.87 * eps, "%g eps", worst / eps);
    printf("%d steps: largest |R^T R - 1| %.2f eps, in the last tenth %.2f eps\n", steps, worst / eps,
           late / eps);
    for (size_t e = 0; e < entries; e++) {
        tk_mean(c[e], (size_t)steps, &mean, &error);
        ck_assert_msg(fabs(mean) <= 4 * error, "mean %g eps, standard error %g eps", mean / eps, error / eps);
        ck_assert(error < 2e-3 * eps);
    }
}

/* A point that is on the manifold to rounding is not changed, except for coordinates above 1, which have no
 * arc sine. */
TEST_EACH(project_below_one, 3)
{
    static const ph_factor kinds[] = {S2, S1, SO3};
    double z[9] = {1 + eps, 0, 0, 0, 1, 0, 0, 0, 1};
    TK_OWN(ph_space) *space = tk_space(&kinds[_i], 1);
    tk_ok(ph_space_project(space, z));
    ck_assert(z[0] == 1);
    z[0] = 1 - eps / 2;
    tk_ok(ph_space_project(space, z));
    ck_assert(z[0] == 1 - eps / 2);
}

/* One factor alone: the same bits as all of them, and the others stay. */
static void project_one(const sample *s, tk_random *r)
{
    double z[MOST_Z], all[MOST_Z], one[MOST_Z];
    for (size_t i = 0; i < s->nz; i++)
        all[i] = z[i] = s->z[i] * tk_uniform(r, 0.9, 1.1);
    tk_ok(ph_space_project(s->space, all));
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        memcpy(one, z, sizeof z);
        tk_ok(ph_space_factor_project(s->space, i, one));
        ck_assert(!memcmp(one + f->z, all + f->z, f->nz * sizeof *z));
        memcpy(one + f->z, z + f->z, f->nz * sizeof *z);
        ck_assert(!memcmp(one, z, s->nz * sizeof *z));
    }
}
LAW(law_project_one_factor, project_one)

/* Momenta: on S^2 the part perpendicular to q, elsewhere the same bits; neither looks beyond its numbers. */
static void momenta(const sample *s, tk_random *r)
{
    double p[MOST_Z + 1], before[MOST_Z + 1], worst = 0;
    const size_t np = ph_space_momenta(s->space);
    for (size_t i = 0; i <= np; i++)
        before[i] = p[i] = i < np ? tk_normal(r) : NAN;
    for (int pass = 0; pass < 2; pass++) {
        worst = 0;
        for (size_t i = 0; i < ph_space_factors(s->space); i++) {
            const ph_factor_place *f = ph_space_factor(s->space, i);
            if (f->kind == PH_FACTOR_S2)
                worst = fmax(worst, fabs(ph_dot3(s->z + f->z, p + f->p)));
        }
        ck_assert(ph_space_momentum_tangency(s->space, s->z, p) == worst);
        if (!pass)
            ph_space_project_momentum(s->space, s->z, p);
    }
    ck_assert(worst <= 2 * eps);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double along = f->kind == PH_FACTOR_S2 ? ph_dot3(s->z + f->z, before + f->p) : 0;
        for (size_t k = 0; k < f->np; k++)
            if (along != 0)
                ck_assert(fabs(p[f->p + k] - (before[f->p + k] - along * s->z[f->z + k])) <= 8 * eps);
            else
                ck_assert(p[f->p + k] == before[f->p + k]);
        p[f->p] = NAN;
        ck_assert(isnan(ph_space_momentum_tangency(s->space, s->z, p)));
        p[f->p] = 0;
    }
}
LAW(law_momenta, momenta)

/* ---- Layout and bad input ----------------------------------------------------------------------- */

/* Factors lie one behind the other, in z, p and x; a copy is the same space. */
TEST_EACH(layout, spaces())
{
    TK_OWN(ph_space) *space = make_space(_i);
    size_t z = 0, p = 0, x = 0, basis_size = 0;
    TK_OWN(ph_space) *copy = NULL;
    tk_ok(ph_space_copy(space, &copy));
    ck_assert_uint_eq(ph_space_factors(space), space_at(_i)->n);
    for (size_t i = 0; i < space_at(_i)->n; i++) {
        const ph_factor *wanted = &space_at(_i)->factors[i];
        const ph_factor_place *f = ph_space_factor(space, i);
        static const size_t sizes[][3] = {
            [PH_FACTOR_S2] = {3, 3, 2}, [PH_FACTOR_S1] = {2, 1, 1}, [PH_FACTOR_SO3] = {9, 3, 3}};
        ck_assert_int_eq(f->kind, wanted->kind);
        ck_assert_uint_eq(f->nz, curved(f) ? sizes[f->kind][0] : wanted->d);
        ck_assert_uint_eq(f->np, curved(f) ? sizes[f->kind][1] : wanted->d);
        ck_assert_uint_eq(f->nx, curved(f) ? sizes[f->kind][2] : wanted->d);
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
    ck_assert_uint_eq(ph_space_dimension(copy), x); /* it does not lean on the first */
}

TEST(bad_factors)
{
    static const struct {
        size_t n;
        ph_factor factors[2];
        const char *text;
    } bad[] = {
        {0, {S2}, "at least"},
        {1, {{.kind = PH_FACTOR_R, .d = 0}}, "factor 1 of the space, R^d, has d = 0"},
        {2, {S2, {.kind = PH_FACTOR_R, .d = (size_t)-1}}, "factor 2"},
        {2, {S2, {.kind = (ph_factor_kind)99, .d = 1}}, "kind 99"},
        {1,
         {{.kind = PH_FACTOR_S2, .d = 5}},
         "factor 1 of the space, S^2, has d = 5; its dimension is fixed"},
        {2, {S2, {.kind = PH_FACTOR_SO3, .d = 3}}, "factor 2 of the space, SO(3), has d = 3"},
        {2,
         {{.kind = PH_FACTOR_R, .d = (size_t)1 << 30}, {.kind = PH_FACTOR_R, .d = (size_t)1 << 30}},
         "coordinates"},
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

/* A power is the product of as many factors. */
TEST_EACH(power, 4)
{
    static const ph_factor kinds[] = {S1, SO3, S2, R(2)};
    const ph_factor *factor = &kinds[_i];
    const size_t counts[] = {1, 2, 1000};
    for (int k = 0; k < 3; k++) {
        ph_error err;
        TK_OWN(ph_space) *one = tk_space(factor, 1);
        TK_OWN(ph_space) *all = NULL;
        ck_assert_msg(!ph_space_create_power(factor, counts[k], &all, &err), "%s", err.message);
        ck_assert_uint_eq(ph_space_factors(all), counts[k]);
        ck_assert_uint_eq(ph_space_ambient(all), counts[k] * ph_space_ambient(one));
        ck_assert_uint_eq(ph_space_momenta(all), counts[k] * ph_space_momenta(one));
        ck_assert_uint_eq(ph_space_dimension(all), counts[k] * ph_space_dimension(one));
        for (size_t i = 0; i < counts[k]; i++) {
            ck_assert_int_eq(ph_space_factor(all, i)->kind, factor->kind);
            ck_assert_uint_eq(ph_space_factor(all, i)->p, i * ph_space_momenta(one));
        }
    }
}

TEST(bad_powers)
{
    static const struct {
        ph_factor factor;
        size_t n;
        const char *text;
    } bad[] = {
        {S2, 0, "at least one factor"},
        {S2, (size_t)-1, "at most"},
        {{.kind = PH_FACTOR_R, .d = 0}, 3, "factor 1 of the space, R^d, has d = 0"},
        {{.kind = (ph_factor_kind)99}, 2, "kind 99"},
        {{.kind = PH_FACTOR_EMBEDDED}, 2, "its embedding is NULL"},
        {{.kind = PH_FACTOR_R, .d = (size_t)1 << 30}, 2, "coordinates"},
    };
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        const bool none = i == sizeof bad / sizeof *bad;
        ph_space *space = (ph_space *)&space;
        ph_error err = {PH_OK, ""};
        ph_status status = none ? ph_space_create_power(NULL, 2, &space, &err)
                                : ph_space_create_power(&bad[i].factor, bad[i].n, &space, &err);
        ck_assert_int_eq(status, PH_E_INVALID);
        ck_assert_ptr_null(space);
        ck_assert_msg(none || strstr(err.message, bad[i].text) != NULL, "%s", err.message);
    }
}

/* ---- Data from outside --------------------------------------------------------------------------- */

/* On S^1 x SO(3) x S^2 x R^1, all of it good but for one number. */
enum { POINT, VELOCITY, MOMENTUM };
static const struct {
    int what;
    size_t at;
    double value;
    ph_status status;
    const char *first, *second;
    bool hopeless; /* no projection either */
} flaws[] = {
    {POINT, 0, 1, PH_OK, "", "", false},
    {POINT, 0, 1 + 1e-13, PH_OK, "", "", false},
    {POINT, 0, 1.5, PH_E_NOT_ON_MANIFOLD, "q1 has length 1.5", "would give (1, 0)", false},
    {POINT, 0, 1 + 1e-11, PH_E_NOT_ON_MANIFOLD, "q1 has length", "(1, 0)", false},
    {POINT, 0, 0, PH_E_NOT_ON_MANIFOLD, "q1 is the zero vector", "unit", true},
    {POINT, 2, 1 + 1e-11, PH_E_NOT_ON_MANIFOLD, "R2 is not a rotation: an entry of R^T R - I is 2e-11",
     "would give (1, 0, 0, 0, 1, 0, 0, 0, 1)", false},
    {POINT, 2, 1 + 4e-13, PH_OK, "", "", false},
    {POINT, 2, -0.5, PH_E_NOT_ON_MANIFOLD, "R2 is not a rotation: its determinant is negative",
     "would give (1, 0, 0, 0, 1, 0, 0, 0, 1)", false},
    {POINT, 2, -1, PH_E_NOT_ON_MANIFOLD, "R2 has no nearest rotation", "rotation", true},
    {POINT, 2, -2, PH_E_NOT_ON_MANIFOLD, "R2 has no nearest rotation", "rotation", true},
    {VELOCITY, 0, 0.5, PH_E_NOT_TANGENT, "velocity1 is not perpendicular to q1", "would give (0, 1)", false},
    {VELOCITY, 0, 1e-13, PH_OK, "", "", false},
    {VELOCITY, 2, 0.5, PH_E_NOT_TANGENT, "velocity2 is not R S(w)",
     "of size 0.5; the projection (PH_PROJECT) would give w = (0, 0, 3)", false},
    {VELOCITY, 3, -2.5, PH_E_NOT_TANGENT, "velocity2 is not R S(w)", "of size 0.25", false},
    {VELOCITY, 13, 4e-11, PH_OK, "", "", false}, /* against the largest, 50 */
    {VELOCITY, 13, 1e-10, PH_E_NOT_TANGENT, "velocity3 is not perpendicular to q3", "(2, 0, 0)", false},
    {MOMENTUM, 6, 0.5, PH_E_NOT_TANGENT, "pi3 is not perpendicular to q3", "would give (4, 5, 0)", false},
    {MOMENTUM, 0, 1e9, PH_OK, "", "", false},
    {MOMENTUM, 2, 1e9, PH_OK, "", "", false},
    {MOMENTUM, 7, 1e9, PH_OK, "", "", false},
};

TEST_EACH(admission, sizeof flaws / sizeof *flaws)
{
    static const ph_factor factors[] = {S1, SO3, S2, R(1)};
    static const double good[3][15] = {{1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 7},
                                       {0, 1, 0, -3, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 50},
                                       {1, 2, 3, 4, 4, 5, 0, 6}};
    const int what = flaws[_i].what;
    TK_OWN(ph_space) *space = tk_space(factors, 4);
    for (int project = 0; project < 2; project++) {
        double v[3][15];
        ph_error err = {PH_OK, ""};
        memcpy(v, good, sizeof v);
        v[what][flaws[_i].at] = flaws[_i].value;
        ph_status status = ph_space_admit_point(space, project, v[POINT], &err);
        if (!status)
            status = ph_space_admit_velocity(space, v[POINT], project, v[VELOCITY], &err);
        if (!status)
            status = ph_space_admit_momentum(space, v[POINT], project, v[MOMENTUM], &err);
        ck_assert_int_eq(status, project && !flaws[_i].hopeless ? PH_OK : flaws[_i].status);
        if (status) {
            ck_assert_msg(strstr(err.message, flaws[_i].first) && strstr(err.message, flaws[_i].second), "%s",
                          err.message);
            continue;
        }
        ck_assert(ph_space_residual(space, v[POINT]) <= 2 * eps);
        ck_assert(ph_space_tangency(space, v[POINT], v[VELOCITY]) <= 4 * eps);
        ck_assert(ph_space_momentum_tangency(space, v[POINT], v[MOMENTUM]) <= 4 * eps);
        for (size_t i = 0; i < 15; i++) /* what is off along the normal goes back */
            ck_assert(fabs(v[POINT][i] - good[POINT][i]) <= 4 * eps);
    }
}

/* What a factor is called, and sentences cut to any size; what they say is quoted above and in tests/scenario. */
TEST(words)
{
    static const ph_factor factors[] = {S1, SO3, S2, R(2)};
    static const char *const nouns[] = {"circle", "rotation", "sphere", "vector"};
    static const double z[16] = {0.6, 0.8, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1.5, 7, 8}, v[16] = {[13] = 2};
    char text[80];
    TK_OWN(ph_space) *space = tk_space(factors, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(ph_space_factor_words(space, i)->noun, nouns[i]);
        ck_assert_int_eq(ph_space_factor_words(space, i)->angular, i < 3);
    }
    for (size_t size = 1; size < sizeof text; size++) {
        memset(text, 'x', sizeof text);
        ph_space_factor_fault(space, 2, PH_FAULT_POINT, z, NULL, text, size);
        ck_assert_uint_eq(strlen(text), size <= strlen("has length 1.5, not 1") ? size - 1 : 21);
    }
    ck_assert_str_eq(text, "has length 1.5, not 1");
    ph_space_factor_fault(space, 2, PH_FAULT_VELOCITY, z, v, text, sizeof text);
    ck_assert_str_eq(text, "is not perpendicular to q: their product is 3");
    ph_space_factor_fault(space, 3, PH_FAULT_POINT, z, NULL, text, 0);
    ck_assert_str_eq(text, "is not perpendicular to q: their product is 3");
    ph_space_factor_fault(space, 3, PH_FAULT_POINT, z, NULL, text, sizeof text);
    ck_assert_str_eq(text, "");
}

int main(void)
{
    return tk_run("space: points");
}
