/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations: 3x3 matrices, exp, log, dexp and Cayley of algebra.h against long double and closed forms at
 * log-spaced angles; the nearest rotation against matrices made from their polar decomposition. */
#include "tests/kit/spaces.h"

#include <float.h>

#include <polhode/kit/algebra.h>

static const double eps = DBL_EPSILON;
static const long double pi = 3.14159265358979323846264338327950288L;

/* ---- Angles and axes ------------------------------------------------------------------------------ */

/* From both ends, in between, and on both sides of the switches of the series at t^2 = 1 and 4. */
enum { ANGLES = 17 + 13 + 32 + 4 };
static double angle_at(int k)
{
    static const double special[] = {1 - 1e-15, 1 + 1e-15, 2 - 1e-15, 2 + 1e-15};
    if (k < 17)
        return pow(10, k - 16); /* 1e-16 ... 1 */
    if (k < 30)
        return (double)(pi - powl(10, k - 29)); /* pi - 1e-12 ... pi - 1 */
    return k < 62 ? 0.1 * (k - 30) : special[k - 62];
}

/* Any axis, coordinate axes, and axes with one small entry: every branch of log. */
static void axis_at(int trial, tk_random *r, double w[3])
{
    tk_unit(r, w);
    if (trial % 4 == 1)
        w[trial / 4 % 3] = 0;
    for (int k = 0; k < 3; k++)
        if (trial % 4 == 2)
            w[k] = k == trial / 4 % 3 ? trial % 8 - 4 : 0;
    if (trial % 4 == 3)
        w[trial / 4 % 3] *= 1e-9;
    double norm = ph_norm3(w);
    for (int k = 0; k < 3; k++)
        w[k] /= norm;
}

typedef void angle_law(double t, const double *w, tk_random *r);

/* w has the angle t to rounding. */
static void each_angle(angle_law *check)
{
    tk_random r = {50};
    for (int k = 0; k < ANGLES; k++)
        for (int trial = 0; trial < (tk_short() ? 24 : 400); trial++) {
            double w[3], t = angle_at(k);
            axis_at(trial, &r, w);
            for (int i = 0; i < 3; i++)
                w[i] *= t;
            check(t, w, &r);
        }
}

#define ANGLE_LAW(test, check, condition)                                                                    \
    TEST_IF(test, condition)                                                                                 \
    {                                                                                                        \
        each_angle(check);                                                                                   \
    }

/* exp(S(w)) by the axis, cosine and sine: cos t I + sin t S(n) + (1 - cos t) n n^T. */
static void reference(const long double w[3], long double R[9])
{
    long double t = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), n[3] = {0}, half = sinl(t / 2),
                versine = 2 * half * half;
    for (int k = 0; k < 3 && t > 0; k++)
        n[k] = w[k] / t;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] = 1 - versine * (n[j] * n[j] + n[k] * n[k]);
        R[3 * i + j] = versine * n[i] * n[j] - sinl(t) * n[k];
        R[3 * j + i] = versine * n[i] * n[j] + sinl(t) * n[k];
    }
}

static void reference_of(const double w[3], long double R[9])
{
    const long double exact[3] = {w[0], w[1], w[2]};
    reference(exact, R);
}

/* ---- Matrices ------------------------------------------------------------------------------------- */

TEST(matrices)
{
    static const double A[9] = {1, 2, 3, 4, 5, 6, 7, 8, 10}, B[9] = {2, 0, 1, -1, 3, 0, 5, 1, -2},
                        AB[9] = {15, 9, -5, 33, 21, -8, 56, 34, -13},
                        AtB[9] = {33, 19, -13, 39, 23, -14, 50, 28, -17}, x[3] = {1, -2, 3},
                        Ax[3] = {6, 12, 21}, Atx[3] = {14, 16, 21};
    double C[9], y[3], z[3];
    ph_multiply3(A, B, C);
    ck_assert_mem_eq(C, AB, sizeof C);
    ph_transposed_multiply3(A, B, C);
    ck_assert_mem_eq(C, AtB, sizeof C);
    ph_apply3(A, x, y);
    ck_assert_mem_eq(y, Ax, sizeof y);
    ph_apply_transposed3(A, x, y);
    ck_assert_mem_eq(y, Atx, sizeof y);
    ck_assert(ph_determinant3(A) == -3);
    ph_hat3(x, C); /* S(x) y = x x y, S + S^T = 0 */
    ph_apply3(C, Ax, y);
    ph_cross3(x, Ax, z);
    ck_assert_mem_eq(y, z, sizeof y);
    for (int i = 0; i < 9; i++)
        ck_assert(C[i] == -C[i % 3 * 3 + i / 3]);
    ph_vee3(C, y);
    ck_assert_mem_eq(y, x, sizeof y);
    for (int i = 0; i < 9; i++) /* vee does not see a symmetric part */
        C[i] += AB[i] + AB[i % 3 * 3 + i / 3];
    ph_vee3(C, y);
    ck_assert_mem_eq(y, x, sizeof y);
}

/* ---- exp ------------------------------------------------------------------------------------------ */

/* d = (t - sin t) / t^3 within 2 eps (seen: 1.2); the reference is its series to t = 3, where long double
 * loses nothing by it. */
static void coefficient(double t, const double *w, tk_random *r)
{
    double a, b, d, t2 = t * t, a1, b1, c1;
    long double sum = 0, term = 1.0L / 6;
    (void)w, (void)r;
    ph_rotation_coefficients(t2, &a, &b, &d);
    ph_sphere_coefficients(t2, &a1, &b1, &c1);
    ck_assert(a == a1 && b == b1);
    for (int k = 0; k < 30; k++) {
        sum += term;
        term *= -(long double)t2 / ((2 * k + 4) * (2 * k + 5));
    }
    ck_assert_msg(fabsl(d - sum) <= 2 * eps * sum, "d at t = %.17g: %Lg eps", t, (d - sum) / sum / eps);
}
ANGLE_LAW(coefficient_d, coefficient, tk_extended())

/* Of the increment, relative to the angle: 1 eps at small ones; up to 4 eps at pi, where entries are 2. */
static void exp_is_right(double t, const double *w, tk_random *r)
{
    double R[9], X[9], C[9];
    long double E[9];
    (void)r;
    ph_exp3(w, R);
    ph_exp_increment3(w, X);
    reference_of(w, E);
    for (int k = 0; k < 9; k++) {
        double bound = 1.5 * eps * t;
        long double one = k % 4 ? 0 : 1;
        if (t > 1e-3) /* below, the reference's diagonal less one has no digits */
            ck_assert_msg(fabsl(X[k] - (E[k] - one)) <= bound, "angle %.17g: %Lg eps", t,
                          (X[k] - (E[k] - one)) / eps);
        else if (k % 4)
            ck_assert(fabsl(X[k] - E[k]) <= bound);
        ck_assert(fabsl(R[k] - E[k]) <= 0.5 * eps + bound);
    }
    for (int k = 0; k < 9; k += 4) { /* 1 - cos t has its own size */
        double expected = -0.5 * (t * t - w[k / 4] * w[k / 4]);
        ck_assert(t > 1e-4 || fabs(X[k] - expected) <= 1e-8 * t * t);
    }
    ph_rotation_residual3(R, C);
    ck_assert(ph_max_norm(C, 9) <= (1 + 3 * t) * eps);
    ck_assert(fabs(ph_determinant3(R) - 1) <= (2 + 3 * t) * eps);
}
ANGLE_LAW(exp_against_long_double, exp_is_right, tk_extended())

/* Turns about a coordinate axis: cos and sin themselves, and the sense of rotation. */
TEST(exp_about_axes)
{
    for (int k = 0; k < ANGLES; k++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            double w[3] = {0}, R[9], t = angle_at(k);
            w[i] = t;
            ph_exp3(w, R);
            ck_assert(R[4 * i] == 1 && R[3 * i + j] == 0 && R[3 * i + l] == 0 && R[3 * j + i] == 0);
            ck_assert(fabs(R[4 * j] - cos(t)) <= 3 * eps && R[4 * j] == R[4 * l]);
            ck_assert(fabs(R[3 * l + j] - sin(t)) <= 2 * eps && R[3 * j + l] == -R[3 * l + j]);
        }
    double w[3] = {0, 0, M_PI / 2}, R[9], x[3] = {1, 0, 0}, y[3];
    ph_exp3(w, R);
    ph_apply3(R, x, y);
    ck_assert(fabs(y[0]) <= eps && fabs(y[1] - 1) <= eps && y[2] == 0);
}

/* exp(S(a w)) exp(S(b w)) = exp(S((a + b) w)), and exp(-w) is the transpose to the bit. */
static void exp_composes(double t, const double *w, tk_random *r)
{
    double part = tk_uniform(r, -2, 2), u[3], v[3], U[9], V[9], UV[9], W[9], back[3];
    for (int k = 0; k < 3; k++) {
        u[k] = part * w[k];
        v[k] = w[k] - u[k];
        back[k] = -w[k];
    }
    ph_exp3(u, U);
    ph_exp3(v, V);
    ph_exp3(w, W);
    ph_multiply3(U, V, UV);
    for (int k = 0; k < 9; k++)
        ck_assert_msg(fabs(UV[k] - W[k]) <= (2 + 6 * t) * eps, "%g eps at %g", (UV[k] - W[k]) / eps, t);
    ph_exp3(back, V);
    for (int k = 0; k < 9; k++)
        ck_assert(V[k] == W[k % 3 * 3 + k / 3]);
}
ANGLE_LAW(exp_of_parallel_vectors, exp_composes, true)

/* ---- log ------------------------------------------------------------------------------------------ */

/* Of the matrix rounded once: 3 eps of the angle in every entry, from 1e-16 to pi - 1e-12. (Seen: 2.0.) */
static void log_is_right(double t, const double *w, tk_random *r)
{
    long double E[9];
    double R[9], u[3];
    (void)r;
    reference_of(w, E);
    for (int k = 0; k < 9; k++)
        R[k] = (double)E[k];
    ck_assert(ph_log3(R, u));
    for (int k = 0; k < 3; k++)
        ck_assert_msg(fabs(u[k] - w[k]) <= 3 * eps * t, "angle %.17g: %g eps", t, (u[k] - w[k]) / eps / t);
}
ANGLE_LAW(log_against_long_double, log_is_right, tk_extended())

/* Of the increment with all its digits, at angles whose squares are no numbers any more. */
TEST(log_of_tiny_increments)
{
    tk_random r = {51};
    for (double t = 1e-300; t < 1e-17; t *= 1000) {
        double w[3], X[9], u[3];
        tk_unit(&r, w);
        for (int k = 0; k < 3; k++)
            w[k] *= t;
        ph_exp_increment3(w, X);
        ck_assert(ph_log_increment3(X, u));
        for (int k = 0; k < 3; k++)
            ck_assert(fabs(u[k] - w[k]) <= 2 * eps * t);
    }
}

/* Half turns, exact and rounded, have no log; a turn of pi - 1e-14 has. */
TEST_IF(log_of_half_turns, tk_extended())
{
    tk_random r = {52};
    for (int trial = 0; trial < 10000; trial++) {
        double n[3], R[9], w[3] = {7, 7, 7};
        long double v[3], E[9];
        axis_at(trial, &r, n);
        for (int k = 0; k < 9; k++)
            R[k] = 2 * n[k / 3] * n[k % 3] - (k % 4 ? 0 : 1);
        ck_assert(!ph_log3(R, w));
        ck_assert(w[0] == 0 && w[1] == 0 && w[2] == 0);
        for (int k = 0; k < 3; k++)
            v[k] = (pi - 1e-14L) * n[k];
        reference(v, E);
        for (int k = 0; k < 9; k++)
            R[k] = (double)E[k];
        ck_assert(ph_log3(R, w));
        ck_assert(ph_dot3(w, n) > 3.14);
    }
}

/* ---- dexp ----------------------------------------------------------------------------------------- */

/* R^T dR by sixth-order differences in long double with step 1e-3 (truncation below 1e-19): 3 eps.
 * (Seen: 1.4.) */
static void dexp_is_right(double t, const double *w, tk_random *r)
{
    static const long double weight[3] = {45.0L / 60, -9.0L / 60, 1.0L / 60}, h = 1e-3L;
    double u[3], v[3];
    long double R[9], dR[9] = {0}, plus[9], minus[9];
    tk_unit(r, u);
    ph_dexp3(w, u, v);
    for (int j = 1; j <= 3; j++) {
        long double ahead[3], behind[3];
        for (int k = 0; k < 3; k++) {
            ahead[k] = w[k] + j * h * u[k];
            behind[k] = w[k] - j * h * u[k];
        }
        reference(ahead, plus);
        reference(behind, minus);
        for (int k = 0; k < 9; k++)
            dR[k] += weight[j - 1] * (plus[k] - minus[k]) / h;
    }
    reference_of(w, R);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        long double expected = 0;
        for (int m = 0; m < 3; m++)
            expected += (R[3 * m + k] * dR[3 * m + j] - R[3 * m + j] * dR[3 * m + k]) / 2;
        ck_assert_msg(fabsl(v[i] - expected) <= 3 * eps, "angle %g: %Lg eps", t, (v[i] - expected) / eps);
    }
}
ANGLE_LAW(dexp_against_differences, dexp_is_right, tk_extended())

/* ---- Cayley --------------------------------------------------------------------------------------- */

/* u = tan(t/2) n turns by t about n; and by its definition, R (I - S(u)) = I + S(u). */
static void cayley_is_right(double t, const double *w, tk_random *r)
{
    double u[3], R[9], S[9], left[9], size;
    long double E[9];
    (void)r;
    if (t > 3.1) /* u is large: nothing but rounding to compare */
        return;
    for (int k = 0; k < 3; k++)
        u[k] = t > 0 ? tan(t / 2) * (w[k] / t) : 0;
    size = 1 + ph_norm3(u);
    ph_cayley3(u, R);
    reference_of(w, E);
    for (int k = 0; k < 9; k++)
        ck_assert_msg(fabsl(R[k] - E[k]) <= 4 * eps, "angle %g: %Lg eps", t, (R[k] - E[k]) / eps);
    ph_hat3(u, S);
    ph_multiply3(R, S, left);
    for (int k = 0; k < 9; k++)
        ck_assert(fabs(R[k] - left[k] - (S[k] + (k % 4 ? 0 : 1))) <= 4 * eps * size);
}
ANGLE_LAW(cayley, cayley_is_right, tk_extended())

/* ---- Residual and correction ---------------------------------------------------------------------- */

static long double true_residual(const double *R, int i, int j)
{
    long double sum = i == j ? -1 : 0;
    for (int m = 0; m < 3; m++)
        sum += (long double)R[3 * m + i] * R[3 * m + j];
    return sum;
}

/* As good as that of 64 bits. The correction leaves the rounding of the entries: each entry of R^T R - I is
 * sum R_mi dR_mj + dR_mi R_mj, at most half of sqrt(3) eps. */
TEST_IF(residual_and_correction, tk_extended())
{
    static const double sizes[] = {0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9};
    tk_random r = {53};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int trial = 0; trial < 20000; trial++) {
            double w[3], R[9], C[9];
            axis_at(trial, &r, w);
            ph_exp3(w, R);
            for (int k = 0; k < 9; k++)
                R[k] += sizes[s] * tk_uniform(&r, -1, 1);
            ph_rotation_residual3(R, C);
            for (int k = 0; k < 9; k++)
                ck_assert(fabsl(C[k] - true_residual(R, k / 3, k % 3)) <= 1e-3L * eps);
            ph_rotation_correct3(R);
            for (int k = 0; k < 9; k++)
                ck_assert(fabsl(true_residual(R, k / 3, k % 3)) <= 0.87L * eps);
        }
}

/* A reflection satisfies R^T R = I, but is no rotation. */
TEST(reflections_are_off)
{
    static const ph_factor rotation = SO3;
    tk_random r = {54};
    TK_OWN(ph_space) *space = tk_space(&rotation, 1);
    for (int trial = 0; trial < 1000; trial++) {
        double R[9];
        random_point(space, &r, R);
        ck_assert(ph_space_residual(space, R) <= 2 * eps);
        for (int k = 0; k < 9; k++)
            R[k] = -R[k];
        ck_assert(ph_space_residual(space, R) == 2);
        for (int k = 0; k < 9; k++)
            R[k] *= 2; /* R^T R - I = 3 I */
        ck_assert(fabs(ph_space_residual(space, R) - 3) <= 8 * eps);
        ck_assert_int_eq(ph_space_project(space, R), PH_E_NOT_ON_MANIFOLD);
    }
}

/* ---- The nearest rotation ------------------------------------------------------------------------- */

/* A = R V diag(s) V^T is nearest to R when s1 >= s2 >= |s3| and s2 + s3 > 0. */
static void matrix_of(tk_random *r, const double s[3], double scale, double *R, double *A)
{
    double w[3], V[9];
    long double H[9] = {0};
    tk_unit(r, w);
    for (int k = 0; k < 3; k++)
        w[k] *= tk_uniform(r, 0, 3);
    ph_exp3(w, R);
    ph_rotation_correct3(R);
    tk_unit(r, w);
    ph_exp3(w, V);
    ph_rotation_correct3(V);
    for (int k = 0; k < 27; k++)
        H[k / 3] += (long double)V[k / 9 * 3 + k % 3] * s[k % 3] * V[k / 3 % 3 * 3 + k % 3];
    for (int k = 0; k < 9; k++) {
        long double sum = 0;
        for (int m = 0; m < 3; m++)
            sum += R[k / 3 * 3 + m] * H[3 * m + k % 3];
        A[k] = (double)(sum * scale);
    }
}

static const struct {
    double s[3];
} stretches[] = {
    {{1, 1, 1}},        {{1.5, 1, 0.5}},       {{1, 1, 0}},         {{3, 2, -1}},
    {{1, 1, -0.999}},   {{1, 1e-3, 1e-3}},     {{1, 1e-6, 1e-7}},   {{1, 1e-6, -0.9e-6}},
    {{1, 1e-10, 0}},    {{1, 1, -1 + 1e-9}},   {{1, 1e-12, 1e-12}}, {{1, 0.5, -0.49999}},
    {{1e6, 1e6, 1e-6}}, {{1, 1 - 1e-9, 1e-9}},
};

/* Rounding of A moves the nearest rotation by up to eps s1 / (s2 + s3), and it is rounded itself: 3 of the
 * larger. (Seen: 1.9.) */
TEST_EACH(nearest_rotation, tk_extended() ? sizeof stretches / sizeof *stretches : 0)
{
    static const double scales[] = {1e-300, 1e-200, 1e-9, 1, 1e9, 1e200, 1e300};
    static const ph_factor rotation = SO3;
    tk_random r = {55};
    const double *s = stretches[_i].s;
    double worst = 0;
    TK_OWN(ph_space) *space = tk_space(&rotation, 1);
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        for (int trial = 0; trial < 1000; trial++) {
            double R[9], A[9], again[9];
            matrix_of(&r, s, scales[k], R, A);
            tk_ok(ph_space_project(space, A));
            worst = tk_max(worst, tk_max_difference(A, R, 9));
            ck_assert(ph_space_residual(space, A) <= 2 * eps);
            memcpy(again, A, sizeof A);
            tk_ok(ph_space_project(space, again));
            ck_assert_mem_eq(again, A, sizeof A);
        }
    double condition = fmax(s[0] / (s[1] + s[2]), 1);
    printf("stretches %g, %g, %g: off by %.2f eps of the condition number %g\n", s[0], s[1], s[2],
           worst / eps / condition, condition);
    ck_assert_msg(worst <= 3 * eps * condition, "%g eps of the condition number %g", worst / eps / condition,
                  condition);
}

/* The largest numbers, whose sums are none, and the smallest, which have lost digits. */
TEST_IF(nearest_at_the_ends, tk_extended())
{
    static const ph_factor rotation = SO3;
    static const double same[3] = {1, 1, 1};
    tk_random r = {57};
    TK_OWN(ph_space) *space = tk_space(&rotation, 1);
    for (int trial = 0; trial < 1000; trial++) {
        double R[9], A[9];
        matrix_of(&r, same, trial % 2 ? 1.7e308 : 1e-310, R, A);
        tk_ok(ph_space_project(space, A));
        ck_assert(tk_max_difference(A, R, 9) <= (trial % 2 ? 2 * eps : 1e-13));
    }
}

/* No nearest rotation: rank 1 or 0, a reflection with two equal least singular values. Left as they are. */
/* Symmetric matrices with given eigenvalues, equal, graded and of both signs, among others. */
TEST(principal_axes)
{
    static const double values[][3] = {{1, 2, 3},  {1, 1, 1}, {1, 1, 2}, {1e-9, 1, 1e9},
                                       {-3, 0, 2}, {0, 0, 1}, {0, 0, 0}};
    tk_random r = {7};
    for (int trial = 0; trial < 2000; trial++) {
        const double *l = values[trial % 7];
        double w[3], R[9], J[9], axes[9], m[3], back[9], size = 1e-300, turned = 0;
        tk_unit(&r, w);
        for (int k = 0; k < 3; k++)
            w[k] *= trial < 7 ? 0 : tk_log_uniform(&r, 1e-8, 3);
        ph_exp3(w, R);
        for (int k = 0; k < 9; k++) {
            J[k] = 0;
            for (int a = 0; a < 3; a++)
                J[k] += R[k / 3 * 3 + a] * l[a] * R[k % 3 * 3 + a];
            size = fmax(size, fabs(J[k]));
        }
        for (int k = 0; k < 9; k++)
            J[k] = J[k / 3 <= k % 3 ? k : k % 3 * 3 + k / 3];
        ph_principal_axes(J, axes, m);
        for (int k = 0; k < 9; k++) {
            double sum = 0;
            back[k] = 0;
            for (int a = 0; a < 3; a++) {
                back[k] += axes[k / 3 * 3 + a] * m[a] * axes[k % 3 * 3 + a];
                sum += axes[3 * a + k / 3] * axes[3 * a + k % 3];
            }
            turned = fmax(turned, fabs(sum - (k % 4 == 0)));
            ck_assert_msg(fabs(back[k] - J[k]) <= 8 * eps * size, "trial %d: %g for %g", trial, back[k],
                          J[k]);
        }
        double first_two[3];
        ph_cross3(axes, axes + 3, first_two);
        ck_assert(turned <= 2 * eps && ph_dot3(first_two, axes + 6) > 0.5);
        ck_assert(trial >= 7 || (m[0] == l[0] && m[1] == l[1] && m[2] == l[2]));
    }
}

TEST(no_nearest_rotation)
{
    static const double singular[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, -1}, {2, 1, -1}, {1e3, 1e-2, -1e-2}};
    static const double scales[] = {1e-200, 1, 1e200};
    static const ph_factor rotation = SO3;
    tk_random r = {56};
    TK_OWN(ph_space) *space = tk_space(&rotation, 1);
    for (size_t i = 0; i < sizeof singular / sizeof *singular; i++)
        for (int trial = 0; trial < 3000; trial++) {
            double R[9], A[9], before[9];
            matrix_of(&r, singular[i], scales[trial % 3], R, A);
            memcpy(before, A, sizeof A);
            ck_assert_int_eq(ph_space_project(space, A), PH_E_NOT_ON_MANIFOLD);
            ck_assert_mem_eq(before, A, sizeof A);
        }
}

int main(void)
{
    return tk_run("rotation");
}
