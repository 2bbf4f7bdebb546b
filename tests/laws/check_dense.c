/* SPDX-License-Identifier: BSD-3-Clause */
/* LU and Cholesky of solve.h, for every n from 1 to 40 (its unrolled sizes, any size, panels): against
 * residuals, against LAPACK's own solution, and on matrices whose determinant has a known sign. */
#include "tests/kit/testkit.h"

#include "lib/algebra/orthogonal.h"

#include <float.h>
#include <limits.h>

enum { N = 40 };
static const double eps = DBL_EPSILON;

static int trials(int all)
{
    return tk_short() ? all / 10 : all;
}

static void random_matrix(tk_random *r, size_t n, double *A)
{
    for (size_t i = 0; i < n * n; i++)
        A[i] = tk_normal(r);
}

/* A symmetric positive definite: B B^T + 1. The upper triangle is overwritten, as it must not be read. */
static void random_spd(tk_random *r, size_t n, double *A, double *full)
{
    double B[N * N];
    random_matrix(r, n, B);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = i == j;
            for (size_t k = 0; k < n; k++)
                sum += B[i * n + k] * B[j * n + k];
            full[i * n + j] = sum;
            A[i * n + j] = j > i ? NAN : sum;
        }
}

/* largest |A x - b| over |A| |x|, norms of largest row sums */
static double relative_residual(size_t n, const double *A, const double *x, const double *b)
{
    double worst = 0, norm = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        long double sum = -(long double)b[i];
        double row = 0;
        ck_assert(isfinite(x[i]));
        for (size_t j = 0; j < n; j++) {
            sum += (long double)A[i * n + j] * x[j];
            row += fabs(A[i * n + j]);
        }
        worst = fmax(worst, (double)fabsl(sum));
        norm = fmax(norm, row);
        size = fmax(size, fabs(x[i]));
    }
    return worst / (norm * size);
}

/* ---- LU ----------------------------------------------------------------------------------------- */

/* Elimination as it is defined, one unknown after the other; reciprocals of pivots on the diagonal. */
static void eliminate(size_t n, double *A, int *pivot)
{
    for (size_t k = 0; k < n; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < n; i++)
            p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
        pivot[k] = (int)p;
        for (size_t j = 0; j < n; j++) {
            const double other = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = other;
        }
        A[k * n + k] = 1 / A[k * n + k];
        for (size_t i = k + 1; i < n; i++) {
            A[i * n + k] *= A[k * n + k];
            for (size_t j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j];
        }
    }
}

/* Of a matrix with a large diagonal, its lower triangle. */
static void eliminate_symmetric(size_t n, double *A)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            for (size_t k = 0; k < j; k++)
                A[i * n + j] -= A[i * n + k] * A[j * n + k];
            A[i * n + j] *= A[j * n + j];
            A[i * n + i] -= A[i * n + j] * A[i * n + j];
        }
        A[i * n + i] = 1 / sqrt(A[i * n + i]);
    }
}

/* Panels and vectors of any width keep its bits, whatever n is; the solution then has a small residual. */
enum { LARGE = 140 };
static const size_t sizes[] = {25, 31, 32, 33, 47, 64, 96, 100, 133, LARGE};
TEST_EACH(panels_have_the_bits_of_elimination, sizeof sizes / sizeof sizes[0] * TK_KERNELS)
{
    static double A[LARGE * LARGE], LU[LARGE * LARGE], B[LARGE * LARGE];
    const size_t n = sizes[_i / TK_KERNELS];
    double b[LARGE], x[LARGE], y[LARGE];
    int pivot[LARGE], wanted[LARGE], sign;
    tk_random r = {300 + (uint64_t)n};
    if (!tk_kernels(_i % TK_KERNELS))
        return;
    random_matrix(&r, n, A);
    for (size_t i = 0; i < n; i++)
        x[i] = y[i] = b[i] = tk_normal(&r);
    memcpy(LU, A, n * n * sizeof *A);
    memcpy(B, A, n * n * sizeof *A);
    tk_ok(ph_lu_factor(n, LU, pivot, &sign));
    eliminate(n, B, wanted);
    ck_assert_mem_eq(LU, B, n * n * sizeof *B);
    ck_assert_mem_eq(pivot, wanted, n * sizeof *pivot);
    ph_lu_solve(n, LU, pivot, x);
    ck_assert(relative_residual(n, A, x, b) <= 2 * (double)n * eps);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[j * n + i] = A[i * n + j] = A[i * n + j] + (i == j ? (double)n : 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            LU[i * n + j] = B[i * n + j] = j > i ? NAN : A[i * n + j];
    tk_ok(ph_cholesky_factor(n, LU));
    eliminate_symmetric(n, B);
    for (size_t i = 0; i < n; i++) {
        ck_assert_mem_eq(LU + i * n, B + i * n, (i + 1) * sizeof *B);
        for (size_t j = i + 1; j < n; j++)
            ck_assert_msg(isnan(LU[i * n + j]), "the upper triangle is written");
    }
    ph_cholesky_solve(n, LU, y);
    ck_assert(relative_residual(n, A, y, b) <= 2 * (double)n * eps);
    tk_kernels(TK_WIDE);
}

/* Backward error of elimination with partial pivoting: n eps times a growth that is small for random
 * matrices. (Seen: 0.6 n eps.) */
TEST_EACH(lu_residual, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {100 + (uint64_t)n};
    for (int trial = 0; trial < trials(200); trial++) {
        double A[N * N], LU[N * N], b[N], x[N];
        int pivot[N];
        random_matrix(&r, n, A);
        for (size_t i = 0; i < n; i++)
            x[i] = b[i] = tk_normal(&r);
        memcpy(LU, A, sizeof LU);
        tk_ok(ph_lu_factor(n, LU, pivot, NULL));
        ph_lu_solve(n, LU, pivot, x);
        ck_assert_msg(relative_residual(n, A, x, b) <= 2 * (double)n * eps, "%g n eps",
                      relative_residual(n, A, x, b) / eps / (double)n);
    }
}

/* The same solution as dgesv, to rounding times the condition number, which is below 10 here as every
 * diagonal entry outweighs its row. */
TEST_EACH(lu_agrees_with_lapack, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {200 + (uint64_t)n};
    for (int trial = 0; trial < trials(50); trial++) {
        double A[N * N], LU[N * N], x[N], y[N], size = 0;
        int pivot[N];
        random_matrix(&r, n, A);
        for (size_t i = 0; i < n; i++) {
            double row = 0;
            for (size_t j = 0; j < n; j++)
                row += fabs(A[i * n + j]);
            A[i * n + i] = copysign(1.5 * row, A[i * n + i]);
            x[i] = y[i] = tk_normal(&r);
        }
        memcpy(LU, A, sizeof LU);
        tk_ok(ph_lu_factor(n, LU, pivot, NULL));
        ph_lu_solve(n, LU, pivot, x);
        ck_assert_int_eq(tk_solve(n, A, y), 0);
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(y[i]));
        for (size_t i = 0; i < n; i++)
            ck_assert(fabs(x[i] - y[i]) <= 20 * (double)n * eps * size);
    }
}

/* A product of k reflections 1 - 2 v v^T has determinant (-1)^k; full rows, real interchanges. */
static void reflections(tk_random *r, size_t n, int k, double *A)
{
    for (size_t i = 0; i < n * n; i++)
        A[i] = i % (n + 1) == 0;
    for (; k > 0; k--) {
        double v[N], square = 0;
        for (size_t i = 0; i < n; i++) {
            v[i] = tk_normal(r);
            square += v[i] * v[i];
        }
        for (size_t i = 0; i < n; i++) {
            double along = 0;
            for (size_t j = 0; j < n; j++)
                along += A[i * n + j] * v[j];
            for (size_t j = 0; j < n; j++)
                A[i * n + j] -= 2 * along / square * v[j];
        }
    }
}

TEST_EACH(lu_sign_of_reflections, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {300 + (uint64_t)n};
    for (int k = 0; k <= 9; k++) {
        double A[N * N];
        int pivot[N], sign = 7;
        reflections(&r, n, k, A);
        tk_ok(ph_lu_factor(n, A, pivot, &sign));
        ck_assert_int_eq(sign, k % 2 ? -1 : 1);
    }
}

/* Shuffled rows of a triangular matrix: the sign is that of the permutation times that of the diagonal. */
TEST_EACH(lu_sign_of_permuted_triangles, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {400 + (uint64_t)n};
    for (int trial = 0; trial < trials(50); trial++) {
        double A[N * N] = {0};
        size_t row[N];
        int pivot[N], expected = 1, sign = 7;
        for (size_t i = 0; i < n; i++)
            row[i] = i;
        for (size_t i = 0; i + 1 < n; i++) {
            size_t j = i + (size_t)(tk_uniform(&r, 0, 1) * (double)(n - i)), t = row[i];
            row[i] = row[j];
            row[j] = t;
            if (i != j)
                expected = -expected;
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = row[i] + 1; j < n; j++)
                A[i * n + j] = tk_normal(&r);
            A[i * n + row[i]] = tk_uniform(&r, 0.5, 2) * (tk_uniform(&r, -1, 1) < 0 ? -1 : 1);
            if (A[i * n + row[i]] < 0)
                expected = -expected;
        }
        tk_ok(ph_lu_factor(n, A, pivot, &sign));
        ck_assert_int_eq(sign, expected);
    }
}

/* A zero on the diagonal is no problem with interchanges: the solution for a cyclic shift is the shifted
 * numbers, exactly. */
TEST_EACH(lu_of_a_shift_is_exact, N)
{
    size_t n = (size_t)_i + 1;
    double A[N * N] = {0}, b[N];
    int pivot[N], sign = 7;
    for (size_t i = 0; i < n; i++) {
        A[i * n + (i + 1) % n] = 2;
        b[i] = 2 * (double)i;
    }
    tk_ok(ph_lu_factor(n, A, pivot, &sign));
    ck_assert_int_eq(sign, n % 2 ? 1 : -1);
    ph_lu_solve(n, A, pivot, b);
    for (size_t i = 0; i < n; i++)
        ck_assert(b[(i + 1) % n] == (double)i);
}

/* Exactly singular: a zero matrix, a zero column, a zero row, two equal columns of ones. */
static void spoil(int how, size_t n, double *A)
{
    for (size_t i = 0; i < n; i++) {
        if (how == 0)
            memset(A + i * n, 0, n * sizeof *A);
        if (how == 1)
            A[i * n + n / 2] = 0;
        if (how == 2)
            A[n / 2 * n + i] = 0;
        if (how == 3)
            A[i * n] = A[i * n + n - 1] = n > 1;
    }
}

TEST_EACH(lu_singular, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {500 + (uint64_t)n};
    for (int how = 0; how < 4; how++) {
        double A[N * N];
        int pivot[N], sign = 7;
        random_matrix(&r, n, A);
        spoil(how, n, A);
        ck_assert_int_eq(ph_lu_factor(n, A, pivot, &sign), PH_E_SINGULAR);
        ck_assert_int_eq(sign, 0);
    }
}

/* One NaN or infinity anywhere is found, also among zeros that might hide it. */
TEST_EACH(lu_not_finite, N)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    size_t n = (size_t)_i + 1;
    tk_random r = {600 + (uint64_t)n};
    const size_t prime = tk_short() ? (n % 29 ? 29 : 31) : n % 7 ? 7 : 11;
    for (size_t place = 0; place < n * n; place += n < 10 ? 1 : prime) /* all columns */
        for (size_t k = 0; k < 6; k++) {
            double A[N * N];
            int pivot[N], sign = 7;
            random_matrix(&r, n, A);
            if (k >= 3) /* the unit matrix */
                for (size_t i = 0; i < n * n; i++)
                    A[i] = i % (n + 1) == 0;
            A[place] = bad[k % 3];
            ck_assert_msg(ph_lu_factor(n, A, pivot, &sign) == PH_E_SINGULAR, "%g at %zu of %zu x %zu",
                          A[place], place, n, n);
            ck_assert_int_eq(sign, 0);
        }
}

/* Elimination by rows and by panels are two programs: the last size of the one and the first of the other agree
 * on a matrix that one more row and column of the unit matrix does not change. */
TEST(lu_seam)
{
    enum { S = PH_SMALL_LU, L = S + 1 };
    tk_random r = {7};
    double A[S * S], B[L * L] = {0}, x[S], y[L] = {0};
    int pivot[L], small = 7, large = 8;
    random_matrix(&r, S, A);
    for (size_t i = 0; i < S; i++) {
        memcpy(B + i * L, A + i * S, S * sizeof *A);
        x[i] = y[i] = tk_normal(&r);
    }
    B[L * L - 1] = 1;
    y[S] = 5;
    tk_ok(ph_lu_factor(S, A, pivot, &small));
    ph_lu_solve(S, A, pivot, x);
    tk_ok(ph_lu_factor(L, B, pivot, &large));
    ph_lu_solve(L, B, pivot, y);
    ck_assert_int_eq(small, large);
    ck_assert(y[S] == 5);
    for (size_t i = 0; i < S; i++)
        ck_assert(fabs(x[i] - y[i]) <= 1e-12); /* the condition number is about 1e2 */
}

TEST(too_large)
{
    double A[1] = {1};
    int pivot[1];
    ck_assert_int_eq(ph_lu_factor((size_t)INT_MAX + 1, A, pivot, NULL), PH_E_INVALID);
    ck_assert_int_eq(ph_cholesky_factor((size_t)INT_MAX + 1, A), PH_E_INVALID);
    ck_assert(A[0] == 1);
}

/* ---- Cholesky ----------------------------------------------------------------------------------- */

TEST_EACH(cholesky_residual, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {700 + (uint64_t)n};
    for (int trial = 0; trial < trials(100); trial++) {
        double A[N * N], full[N * N], b[N], x[N];
        random_spd(&r, n, A, full);
        for (size_t i = 0; i < n; i++)
            x[i] = b[i] = tk_normal(&r);
        tk_ok(ph_cholesky_factor(n, A));
        ph_cholesky_solve(n, A, x);
        ck_assert_msg(relative_residual(n, full, x, b) <= 2 * (double)(n + 1) * eps, "%g n eps",
                      relative_residual(n, full, x, b) / eps / (double)n);
    }
}

/* x^T A x < 0 for some x: a negative or zero diagonal entry, a pair of large off-diagonal ones. Then NaN and
 * infinity in every place of the lower triangle. */
TEST_EACH(cholesky_not_positive_definite, N)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {800 + (uint64_t)n};
    double A[N * N], B[N * N], full[N * N];
    random_spd(&r, n, B, full);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            for (int how = 0; how < 4; how++) {
                memcpy(A, B, sizeof A);
                double large = 2 * fmax(full[i * n + i], full[j * n + j]);
                A[i * n + j] = how == 0   ? (i == j ? -1e-3 : large)
                               : how == 1 ? (i == j ? 0 : -large)
                               : how == 2 ? NAN
                                          : INFINITY;
                ck_assert_int_eq(ph_cholesky_factor(n, A), PH_E_SINGULAR);
            }
}

/* ---- Orthogonal factors -------------------------------------------------------------------------- */

enum { W = PH_ORTHOGONAL_MOST };

/* A (m x n) of this rank, and its factors. */
static void factored(tk_random *r, size_t m, size_t n, size_t rank, double *A, ph_orthogonal *o)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = i < rank ? tk_normal(r) : A[(i - rank) * n + j] * (i % 2 ? 2 : -3);
    o->n = n;
    memcpy(o->a, A, m * n * sizeof *A);
    ph_orthogonal_factor(o, m, m, 1e-10);
}

/* A's rows are combinations of the first columns of Q, Q is orthogonal, the shortest solution of A x = b
 * solves it and is one of the rows, and the least squares solution of A^T l = A^T k is k. */
TEST_EACH(orthogonal_factors, W)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {100 + (uint64_t)_i};
    for (size_t m = 1; m <= n; m++) {
        static ph_orthogonal o;
        double A[W * W], Q[W * W], B[W * W], x[W] = {0}, b[W], c[W], wanted[W], l[W],
                                             tolerance = 60 * eps * (double)n;
        int sign;
        factored(&r, m, n, m, A, &o);
        ck_assert_uint_eq(o.rank, m);
        for (size_t k = 0; k < n; k++) { /* row k: column k of Q */
            memset(Q + k * n, 0, n * sizeof *Q);
            Q[k * n + k] = 1;
            ph_orthogonal_compose(&o, Q + k * n);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double dot = 0, off = i == j, across = 0;
                for (size_t k = 0; k < n; k++) {
                    dot += Q[i * n + k] * Q[j * n + k];
                    across += i < m ? A[i * n + k] * Q[j * n + k] : 0;
                }
                ck_assert(fabs(dot - off) <= tolerance);
                ck_assert(i >= m || j < m || fabs(across) <= tolerance * sqrt((double)n));
                if (i < m && j < m)
                    B[i * m + j] = across;
            }
        int pivots[W];
        tk_ok(ph_lu_factor(m, B, pivots, &sign));
        ck_assert_int_eq(sign, o.sign);
        for (size_t i = 0; i < m; i++) { /* b = A A^T k: the shortest solution is A^T k */
            wanted[i] = tk_normal(&r);
        }
        double row_space[W] = {0};
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++)
                row_space[j] += A[i * n + j] * wanted[i];
        for (size_t i = 0; i < m; i++) {
            b[i] = 0;
            for (size_t j = 0; j < n; j++)
                b[i] += A[i * n + j] * row_space[j];
        }
        double condition = fabs(o.diagonal[0] / o.diagonal[m - 1]);
        ph_orthogonal_forward(&o, b, x);
        ph_orthogonal_compose(&o, x);
        ck_assert(tk_max_difference(x, row_space, n) <=
                  tolerance * condition * ph_max_norm(row_space, n) * 10);
        memcpy(c, row_space, n * sizeof *c);
        ph_orthogonal_resolve(&o, c);
        ph_orthogonal_backward(&o, c, l);
        ck_assert(tk_max_difference(l, wanted, m) <= tolerance * condition * ph_max_norm(wanted, m) * 10);
    }
}

TEST_EACH(orthogonal_rank, W)
{
    size_t n = (size_t)_i + 1;
    tk_random r = {200 + (uint64_t)_i};
    for (size_t m = 2; m <= n; m += 3) {
        static ph_orthogonal o;
        double A[W * W];
        factored(&r, m, n, (m + 1) / 2, A, &o);
        ck_assert_uint_eq(o.rank, (m + 1) / 2);
    }
}

/* ---- Rows ----------------------------------------------------------------------------------------- */

/* a x = b for any x_F, multipliers, and the sign, of rows with and without entries that are 0 above a diagonal. */
/* The saddle by elimination of its rows solves its equations, as the whole matrix does; y in the place of b. Rows that are nearly the same
 * are refused. */
TEST_EACH(saddles, N)
{
    const size_t n = (size_t)_i + 1;
    tk_random r = {400 + (uint64_t)n};
    size_t solved = 0;
    for (int trial = 0; trial < trials(50); trial++) {
        const size_t m = trial % 5 ? (size_t)tk_uniform(&r, 1, (double)n + 0.99) : n, all = m + n;
        double a[N * N], M[N * N], lower[N * N], f[N], b[N], x[N], y[N], work[5 * N * N];
        static double whole[4 * N * N], both[2 * N];
        int pivot[2 * N];
        ph_saddle s;
        random_matrix(&r, n, a);
        random_spd(&r, n, lower, M);
        ck_assert_uint_le(ph_saddle_size(m, n), sizeof work / sizeof work[0]);
        if (!ph_saddle_factor(&s, m, n, a, M, work)) /* a small pivot */
            continue;
        memset(whole, 0, all * all * sizeof *whole);
        for (size_t i = 0; i < n; i++) {
            both[i] = f[i] = tk_normal(&r);
            memcpy(whole + i * all, M + i * n, n * sizeof *M);
        }
        for (size_t i = 0; i < m; i++) {
            both[n + i] = b[i] = y[i] = tk_normal(&r);
            memcpy(whole + (n + i) * all, a + i * n, n * sizeof *a);
            for (size_t j = 0; j < n; j++)
                whole[j * all + n + i] = -a[i * n + j];
        }
        ph_saddle_solve(&s, f, y, x, y);
        tk_ok(ph_lu_factor(all, whole, pivot, NULL));
        ph_lu_solve(all, whole, pivot, both);
        double off = 0, size = ph_max_norm(x, n) * (double)n * ph_max_norm(M, n * n);
        for (size_t i = 0; i < n + m; i++) {
            double sum = i < n ? -f[i] : -b[i - n];
            for (size_t j = 0; j < n; j++)
                sum += (i < n ? M[i * n + j] : a[(i - n) * n + j]) * x[j];
            for (size_t j = 0; i < n && j < m; j++)
                sum -= a[j * n + i] * y[j];
            off = fmax(off, fabs(sum));
        }
        ck_assert_msg(off <= 1e-12 * size, "%g of %g", off, size);
        ck_assert(tk_max_difference(x, both, n) <=
                  1e-6 * ph_max_norm(both, n)); /* condition numbers of up to 1e9 or so */
        solved++;
        for (size_t j = 0; j < n && m > 1; j++)
            a[j] = a[n + j] * (1 + 1e-6 * tk_normal(&r));
        ck_assert(m == 1 || !ph_saddle_factor(&s, m, n, a, M, work));
    }
    ck_assert_uint_gt(solved, 0);
}

TEST_EACH(rows_of_full_rank, N)
{
    const size_t n = (size_t)_i + 1;
    tk_random r = {300 + (uint64_t)n};
    for (int trial = 0; trial < trials(100); trial++) {
        const size_t m = (size_t)tk_uniform(&r, 1, (double)n + 0.99);
        double a[N * N], B[N * N], P[N * N], size[N], b[N], x[N], y[N], c[N];
        int order[N], pivot[N], sign, known;
        random_matrix(&r, n, a); /* the first m rows of n numbers */
        for (size_t i = 0; i < m; i++)
            for (size_t j = i + n - m + 1; trial % 2 && j < n; j++)
                a[i * n + j] = 0;
        for (size_t j = 0; j < n; j++) {
            order[j] = (int)j;
            for (size_t i = 0; i < m; i++)
                B[j * m + i] = a[i * n + j];
        }
        sign = ph_rows_factor(m, n, B, order, size);
        if (!sign) /* a small pivot */
            continue;
        for (size_t i = 0; i < m; i++) {
            b[i] = x[i] = tk_normal(&r);
            c[i] = y[i] = tk_normal(&r);
            for (size_t p = 0; p < m; p++)
                P[i * m + p] = a[i * n + (size_t)order[p]];
        }
        ph_rows_multipliers(m, B, y);
        ph_rows_solve(m, B, x);
        for (size_t j = m; j < n; j++) {
            x[j] = tk_normal(&r);
            for (size_t p = 0; p < m; p++)
                x[p] -= B[j * m + p] * x[j];
        }
        double scale = ph_max_norm(x, n) * 4 * (double)n, off = 0, along = 0;
        for (size_t i = 0; i < m; i++) {
            double sum = -b[i], pull = -c[i];
            for (size_t j = 0; j < n; j++)
                sum += a[i * n + (size_t)order[j]] * x[j];
            for (size_t j = 0; j < m; j++)
                pull += P[j * m + i] * y[j];
            off = fmax(off, fabs(sum));
            along = fmax(along, fabs(pull));
        }
        ck_assert_double_le(off, 100 * (double)n * eps * scale);
        ck_assert_double_le(along, 100 * (double)n * eps * ph_max_norm(y, m) * 4 * (double)n);
        tk_ok(ph_lu_factor(m, P, pivot, &known));
        ck_assert_int_eq(sign, known);
        for (size_t j = 0; j < n; j++) /* with the same columns as they are */
            for (size_t i = 0; i < m; i++)
                B[j * m + i] = a[i * n + (size_t)order[j]];
        ck_assert_int_eq(ph_rows_factor(m, n, B, NULL, size), known);
    }
}

TEST(rows_refused)
{
    double B[8] = {1, 2, 3, 6, 4, 8, -1, -2}, size[4];
    int order[4] = {0, 1, 2, 3};
    ck_assert_int_eq(ph_rows_factor(4, 2, B, order, size), 0);
    ck_assert_int_eq(ph_rows_factor(2, 4, B, order, size), 0);
    double none[4] = {0, 1, 0, 2}, nothing[2] = {NAN, 1};
    ck_assert_int_eq(ph_rows_factor(2, 2, none, order, size), 0);
    ck_assert_int_eq(ph_rows_factor(1, 1, nothing, order, size), 0);
}

int main(void)
{
    return tk_run("dense");
}
