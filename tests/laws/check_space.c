/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws of exp, log and dexp on every space of spaces.c. */
#include "tests/kit/spaces.h"

#include <float.h>

static const double eps = DBL_EPSILON;

/* ---- exp ---------------------------------------------------------------------------------------- */

/* |q|, |v| and q.v are off by eps each, and so are the two coefficients: a few eps. (Seen: 2.5.) The entries
 * of R^T R, squares of lengths, are off by twice as much, and those of R are sums of six products.
 * (Seen: 9.0.) */
static void exp_stays(const sample *s, tk_random *r)
{
    double z1[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        double bound = ph_space_factor(s->space, i)->kind == PH_FACTOR_SO3 ? 12 : 4;
        ck_assert(ph_space_factor_residual(s->space, i, z1) <= bound * eps);
    }
}
LAW(law_exp_stays, exp_stays)

/* Against the formula in long double: 2 eps of each coordinate's scale. (Seen: 0.8.) */
static void exp_is_the_geodesic(const sample *s, tk_random *r)
{
    double z1[MOST_Z], expected[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        long double there[MOST_Z];
        long_exp(f, s, 0, there);
        for (size_t k = 0; k < f->nz; k++)
            expected[f->z + k] = (double)there[k];
    }
    near(s, z1, expected, 2 * eps * reach(s));
}
LAW_IF(law_exp_is_the_geodesic, exp_is_the_geodesic, tk_extended())

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
 * directions are close together. 4 eps. (Seen: 1.8.) */
static void exp_of_log(const sample *s, tk_random *r)
{
    double z1[MOST_Z], v[MOST_Z], back[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    tk_ok(ph_space_log(s->space, s->z, z1, v));
    ph_space_exp(s->space, s->z, v, back);
    near(s, back, z1, 4 * eps * reach(s));
}
LAW(law_exp_of_log, exp_of_log)

/* The point exp(v) is rounded by eps: the angle changes by that much, on S^2 the direction by eps / sin,
 * which makes angle / sin in v. On S^1 and SO(3) the direction does not suffer. (Seen: 0.9 eps of that on
 * S^2.) */
static void log_of_exp(const sample *s, tk_random *r)
{
    double z1[MOST_Z], v[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    tk_ok(ph_space_log(s->space, s->z, z1, v));
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        double turn = f->kind == PH_FACTOR_S2 ? s->angle / sin(s->angle) : s->angle;
        for (size_t k = f->z; k < f->z + f->nz; k++)
            ck_assert_msg(fabs(v[k] - s->v[k]) <= 2 * eps * (reach(s) + turn), "%s, angle %.17g: %g eps",
                          s->name, s->angle, (v[k] - s->v[k]) / eps);
    }
}
LAW(law_log_of_exp, log_of_exp)

/* Angle between q and q1 in long double: the cross product from the difference (or sum) loses nothing. */
static double angle_of_units(size_t n, const double *q, const double *q1)
{
    long double c = 0, d[3] = {0}, x[3], p[3] = {0}, side;
    for (size_t k = 0; k < n; k++)
        c += (long double)q[k] * q1[k];
    side = c < 0 ? 1 : -1;
    for (size_t k = 0; k < n; k++) {
        p[k] = q[k];
        d[k] = q1[k] + side * q[k];
    }
    for (int k = 0; k < 3; k++)
        x[k] = p[(k + 1) % 3] * d[(k + 2) % 3] - p[(k + 2) % 3] * d[(k + 1) % 3];
    return (double)atan2l(sqrtl(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), c);
}

/* Angle of R^T R1: its skew part is sin t, from the difference R1 - R, and 1 - cos t = |R1 - R|^2 / 4. */
static double angle_of_rotations(const double *R, const double *R1)
{
    long double sine[3] = {0}, versine = 0; /* 1 - cos t = |R1 - R|^2 / 4 */
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            long double dj = (long double)R1[3 * m + j] - R[3 * m + j],
                        dk = (long double)R1[3 * m + k] - R[3 * m + k];
            sine[i] += (R[3 * m + k] * dj - R[3 * m + j] * dk) / 2;
            versine += dj * dj / 4;
        }
    return (double)atan2l(sqrtl(sine[0] * sine[0] + sine[1] * sine[1] + sine[2] * sine[2]), 1 - versine);
}

static double reference_angle(const ph_factor_place *f, const double *z, const double *z1)
{
    return f->kind == PH_FACTOR_SO3 ? angle_of_rotations(z + f->z, z1 + f->z)
                                    : angle_of_units(f->nz, z + f->z, z1 + f->z);
}

/* Relative to the angle, however small: 4 eps. (Seen: 2.9.) And log is tangent. */
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
        double expected = reference_angle(f, s->z, z1), got = size_of(f, v);
        ck_assert_msg(fabs(got - expected) <= 4 * eps * expected, "%s: |log| %.17g, angle %.17g", s->name,
                      got, expected);
    }
    ck_assert(ph_space_tangency(s->space, s->z, v) <= 2 * eps * s->angle);
}
LAW_IF(law_log_length_is_the_angle, log_length, tk_extended())

/* z1 <- a point at the distance pi: -q, or R turned by pi about some axis. */
static void antipode(const ph_factor_place *f, tk_random *r, const double *z, double *z1)
{
    double axis[3], half[9];
    for (size_t k = f->z; k < f->z + f->nz; k++)
        z1[k] = -z[k];
    if (f->kind != PH_FACTOR_SO3)
        return;
    tk_unit(r, axis);
    for (int k = 0; k < 9; k++)
        half[k] = 2 * axis[k / 3] * axis[k % 3] - (k % 4 ? 0 : 1);
    ph_multiply3(z + f->z, half, z1 + f->z);
    ph_rotation_correct3(z1 + f->z);
}

TEST_EACH(log_of_antipodes, spaces())
{
    TK_OWN(ph_space) *space = make_space(_i);
    tk_random r = {20};
    bool any = false;
    for (size_t i = 0; i < ph_space_factors(space); i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        double z[MOST_Z], z1[MOST_Z], v[MOST_Z];
        for (int trial = 0; curved(f) && trial < 1000; trial++) {
            any = true;
            random_point(space, &r, z);
            memcpy(z1, z, sizeof z);
            antipode(f, &r, z, z1);
            ck_assert_int_eq(ph_space_log(space, z, z1, v), PH_E_NO_SOLUTION);
            for (size_t k = f->z; k < f->z + f->nz; k++) /* an ulp off is still no direction */
                z1[k] = nextafter(z1[k], 9);
            ck_assert_int_eq(ph_space_log(space, z, z1, v), PH_E_NO_SOLUTION);
        }
    }
    double z[MOST_Z], v[MOST_Z];
    random_point(space, &r, z);
    tk_ok(ph_space_log(space, z, z, v)); /* and of the point itself it is 0 */
    for (size_t i = 0; i < ph_space_ambient(space); i++)
        ck_assert(v[i] == 0);
    ck_assert(any || space_at(_i)->factors[0].kind == PH_FACTOR_R);
}

/* ---- dexp --------------------------------------------------------------------------------------- */

/* Sixth-order central differences with step 1e-3: truncation below 1e-19, rounding below 1e-16 of R^d's
 * largest coordinate. Then 3 eps for the formula. (Seen: 1.0.) */
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
    near(s, w, expected, 3 * eps * reach(s));
}
LAW_IF(law_dexp_is_the_derivative, dexp_is_the_derivative, tk_extended())

/* Geodesics have constant speed: |dexp_v(v)| = |v|; and dexp is tangent at the new point.
 * (Seen: 3.2, 2.6 and 1.3 eps.) */
static void dexp_keeps_speed(const sample *s, tk_random *r)
{
    double z1[MOST_Z], w[MOST_Z], u[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    ph_space_dexp(s->space, s->z, s->v, s->v, w);
    for (size_t i = 0; i < ph_space_factors(s->space); i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        ck_assert(fabs(size_of(f, w) - s->angle) <= 6 * eps * s->angle);
    }
    ck_assert(ph_space_tangency(s->space, z1, w) <= 4 * eps * s->angle);
    ph_space_dexp(s->space, s->z, s->v, s->dv, u);
    ck_assert(ph_space_tangency(s->space, z1, u) <= 4 * eps * (1 + s->angle));
}
LAW(law_dexp_of_the_direction, dexp_keeps_speed)

/* dexp is linear in dv, so it does not depend on the basis in which dv is written: resolve dv in the space's
 * basis turned by a random angle. (Seen: 3 eps.) */
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
            double square = f->kind == PH_FACTOR_SO3 ? 2 : 1; /* of a basis vector's length */
            double c = f->nx == 2 ? cos(turn) : 1, sn = f->nx == 2 ? (b ? -sin(turn) : sin(turn)) : 0;
            for (size_t k = 0; k < f->nz; k++) {
                e[f->z + k] = c * x[k] + sn * other[k];
                along += e[f->z + k] * s->dv[f->z + k] / square;
            }
            ph_space_dexp(s->space, s->z, s->v, e, w);
            for (size_t k = 0; k < s->nz; k++)
                sum[k] += along * w[k];
        }
        row += f->nx * f->nz;
    }
    near(s, sum, expected, 8 * eps);
}
LAW(law_dexp_needs_no_basis, dexp_needs_no_basis)

/* Turning round at the end of a geodesic leads back. (Seen: 2.2 eps.) */
static void geodesics_reverse(const sample *s, tk_random *r)
{
    double z1[MOST_Z], back[MOST_Z], w[MOST_Z];
    (void)r;
    ph_space_exp(s->space, s->z, s->v, z1);
    ph_space_dexp(s->space, s->z, s->v, s->v, w);
    for (size_t i = 0; i < s->nz; i++)
        w[i] = -w[i];
    ph_space_exp(s->space, z1, w, back);
    near(s, back, s->z, 6 * eps * reach(s));
}
LAW(law_geodesics_reverse, geodesics_reverse)

int main(void)
{
    return tk_run("space: exp, log, dexp");
}
