/* SPDX-License-Identifier: BSD-3-Clause */
/* algebra.h against long double: the coefficients of exp on the sphere, the correction of unit vectors,
 * the tangent basis. */
#include "tests/kit/testkit.h"

#include <float.h>

#include <polhode/kit/algebra.h>

static const double eps = DBL_EPSILON;
static const long double pi = 3.14159265358979323846264338327950288L;

/* ---- Coefficients ------------------------------------------------------------------------------- */

/* c = sum_k (-1)^(k+1) t^2k (2k+2)/(2k+3)! : the difference of the series of cos t and sin t / t, over
 * t^2. Long double loses nothing by it up to t = 2; above, the closed form does not cancel. */
static long double reference_c(long double t2)
{
    long double sum = 0, factorial = 6; /* (2k+3)! */
    if (t2 > 4) {
        long double t = sqrtl(t2);
        return (cosl(t) - sinl(t) / t) / t2;
    }
    for (int k = 0; k < 20; k++) {
        long double power = 1;
        for (int i = 0; i < k; i++)
            power *= -t2;
        sum -= power * (2 * k + 2) / factorial;
        factorial *= (long double)(2 * k + 4) * (2 * k + 5);
    }
    return sum;
}

/* Compare at t2 as it stands, so that its own rounding does not count. In units of eps:
 *   a  2 of max(|a|, |cos t|), as sin t has the condition number t / tan t and t = sqrt(t2) is rounded
 *   b  3 of b          c  3 of |c|: cos t and a differ by a fifth of their size at the switch t = 1
 * (Seen: 0.7, 1.5, 1.8.) */
static void compare(double t2, double worst[3])
{
    double a, b, c;
    long double t = sqrtl(t2), half = sinl(t / 2);
    long double ra = t > 0 ? sinl(t) / t : 1, rb = t > 0 ? 2 * half * half / t2 : 0.5L, rc = reference_c(t2);
    ph_sphere_coefficients(t2, &a, &b, &c);
    double ea = (double)(fabsl(a - ra) / fmaxl(fabsl(ra), fabsl(cosl(t)))) / eps;
    double eb = (double)(fabsl(b - rb) / rb) / eps;
    double ec = (double)(fabsl(c - rc) / fabsl(rc)) / eps;
    ck_assert_msg(ea <= 2, "a at t^2 = %.17g: %g eps", t2, ea);
    ck_assert_msg(eb <= 3, "b at t^2 = %.17g: %g eps", t2, eb);
    ck_assert_msg(ec <= 3, "c at t^2 = %.17g: %g eps", t2, ec);
    worst[0] = fmax(worst[0], ea);
    worst[1] = fmax(worst[1], eb);
    worst[2] = fmax(worst[2], ec);
}

TEST_IF(coefficients_at_all_angles, tk_extended())
{
    double worst[3] = {0};
    compare(0, worst);
    for (double exponent = -16; exponent <= 0.5; exponent += 0.001) {
        double t = pow(10, exponent), u = (double)(pi - powl(10, exponent - 1)); /* near 0, near pi */
        compare(t * t, worst);
        if (u > 0)
            compare(u * u, worst);
    }
    double last = (double)(pi - 1e-12L);
    compare(last * last, worst);
}

TEST_IF(coefficients_around_the_switch, tk_extended())
{
    double worst[3] = {0}, t2 = 1;
    for (int i = 0; i < 1000; i++)
        t2 = nextafter(t2, 0);
    for (int i = 0; i < 2000; i++, t2 = nextafter(t2, 2))
        compare(t2, worst);
    ck_assert(t2 > 1);
}

/* The limits, exactly. */
TEST(coefficients_at_zero)
{
    static const double tiny[] = {0, 5e-324, 1e-300, 1e-40};
    for (size_t i = 0; i < sizeof tiny / sizeof *tiny; i++) {
        double a, b, c;
        ph_sphere_coefficients(tiny[i], &a, &b, &c);
        ck_assert(a == 1);
        ck_assert(b == 0.5);
        ck_assert(c == -1. / 3);
    }
}

/* ---- Unit vectors ------------------------------------------------------------------------------- */

static long double true_residual(const double q[3])
{
    return (long double)q[0] * q[0] + (long double)q[1] * q[1] + (long double)q[2] * q[2] - 1;
}

/* As good as that of 64 bits, which itself rounds a few 2^-64. */
TEST_IF(unit_residual_is_true, tk_extended())
{
    tk_random r = {11};
    for (int i = 0; i < 100000; i++) {
        double q[3];
        tk_unit(&r, q);
        double error = (double)fabsl(ph_unit_residual3(q) - true_residual(q));
        ck_assert_msg(error <= 1e-3 * eps, "%g eps", error / eps);
    }
}

/* Errors as large as 1e-9 go to rounding: the new c is -(3/4) c^2 and the rounding of three products and
 * sums, 2 sum |q_i| ulp(q_i)/2 <= eps sqrt(3) / 2 at the very most. */
TEST_IF(unit_correction_reaches_rounding, tk_extended())
{
    static const double sizes[] = {1e-16, 1e-15, 1e-13, 1e-11, 1e-9};
    tk_random r = {12};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int i = 0; i < 20000; i++) {
            double q[3], off = 1 + sizes[s] * tk_uniform(&r, -1, 1);
            tk_unit(&r, q);
            for (int k = 0; k < 3; k++)
                q[k] *= off;
            ph_unit_correct3(q);
            ck_assert_msg(fabs(ph_norm3(q) - 1) <= eps, "|q| - 1 = %g", ph_norm3(q) - 1);
            ck_assert(fabsl(true_residual(q)) <= 0.87L * eps);
        }
}

/* No bias: the mean of the true c = q.q - 1 over many corrected points is within 4 standard errors of 0.
 * The points have the error that a step of rounding leaves. */
TEST_IF(unit_correction_has_no_bias, tk_extended())
{
    enum { N = 400000 };
    static double c[N];
    tk_random r = {13};
    double mean, error;
    for (int i = 0; i < N; i++) {
        double q[3], u[3];
        tk_unit(&r, q);
        tk_tangent(&r, q, u);
        double turn = 1e-3 * tk_uniform(&r, 0.5, 1) / ph_norm3(u), t2 = turn * turn * ph_dot3(u, u);
        for (int k = 0; k < 3; k++)
            q[k] = cos(sqrt(t2)) * q[k] + sin(sqrt(t2)) / sqrt(t2) * turn * u[k];
        ph_unit_correct3(q);
        c[i] = (double)true_residual(q);
    }
    tk_mean(c, N, &mean, &error);
    ck_assert_msg(fabs(mean) <= 4 * error, "mean of c: %g eps, standard error %g eps", mean / eps,
                  error / eps);
    ck_assert(error < 1e-3 * eps); /* it would have shown */
}

/* ---- Tangent basis ------------------------------------------------------------------------------ */

/* Entries are sums of few rounded products, all below 1 in size: 4 eps. */
static void check_basis(const double q[3])
{
    double e1[3], e2[3], cross[3];
    ph_tangent_basis3(q, e1, e2);
    ck_assert(fabs(ph_dot3(e1, e1) - 1) <= 4 * eps);
    ck_assert(fabs(ph_dot3(e2, e2) - 1) <= 4 * eps);
    ck_assert(fabs(ph_dot3(e1, e2)) <= 4 * eps);
    ck_assert_msg(fabs(ph_dot3(e1, q)) <= 4 * eps && fabs(ph_dot3(e2, q)) <= 4 * eps,
                  "not tangent at (%.17g, %.17g, %.17g)", q[0], q[1], q[2]);
    ph_cross3(e1, e2, cross);
    for (int k = 0; k < 3; k++)
        ck_assert_msg(fabs(cross[k] - q[k]) <= 4 * eps, "not right-handed at (%.17g, %.17g, %.17g)", q[0],
                      q[1], q[2]);
}

TEST(basis_everywhere)
{
    tk_random r = {14};
    for (int i = 0; i < 100000; i++) {
        double q[3];
        tk_unit(&r, q);
        check_basis(q);
    }
}

/* Where bases of this kind fail: the poles, their neighbourhood at every scale, the equator from both
 * sides with both zeros, the axes. */
TEST(basis_at_special_points)
{
    tk_random r = {15};
    for (double size = 1e-300; size < 0.1; size *= 7)
        for (int i = 0; i < 20; i++) {
            double x = size * tk_uniform(&r, -1, 1), y = size * tk_uniform(&r, -1, 1),
                   z = sqrt(1 - x * x - y * y);
            const double near[][3] = {{x, y, z},  {x, y, -z}, {z, x, y},
                                      {x, z, -y}, {-z, y, x}, {x, -z, fabs(y)}};
            for (size_t k = 0; k < sizeof near / sizeof *near; k++)
                check_basis(near[k]);
        }
    for (int i = 0; i < 8; i++) {
        double angle = i * (double)(pi / 4), c = cos(angle), s = sin(angle);
        const double up[3] = {c, s, 0.0}, down[3] = {c, s, -0.0};
        check_basis(up);
        check_basis(down);
    }
    for (int axis = 0; axis < 3; axis++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int zero = -1; zero <= 1; zero += 2) {
                double q[3] = {copysign(0, zero), copysign(0, zero), copysign(0, zero)};
                q[axis] = sign;
                check_basis(q);
            }
}

/* ---- Vectors ------------------------------------------------------------------------------------ */

TEST(vectors)
{
    const double a[3] = {1, -2, 3}, b[3] = {4, 5, -6};
    double c[3];
    ph_cross3(a, b, c);
    ck_assert(c[0] == -3 && c[1] == 18 && c[2] == 13);
    ck_assert(ph_dot3(a, b) == -24);
    const double d[3] = {2, -3, 6};
    ck_assert(ph_norm3(d) == 7);
}

int main(void)
{
    return tk_run("algebra");
}
