/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense LU (PA = LU) and Cholesky (A = L L^T), row-major: plain elimination up to n = PH_SMALL_LU, panels of columns
 * above, with the same bits on every processor, whose BLAS would have others. */
#include "lib/internal/lanes.h"

#include <polhode/kit/solve.h>

#include <limits.h>
#include <math.h>

/* The functions below are inlined once for each small size, and their loops then unrolled: for n = 4
 * that makes a factorisation and solution 50 ns instead of 70. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif
#define BY_SIZE(function, n, ...)                                                                            \
    ((n) == 1   ? function(1, __VA_ARGS__)                                                                   \
     : (n) == 2 ? function(2, __VA_ARGS__)                                                                   \
     : (n) == 3 ? function(3, __VA_ARGS__)                                                                   \
     : (n) == 4 ? function(4, __VA_ARGS__)                                                                   \
     : (n) == 5 ? function(5, __VA_ARGS__)                                                                   \
     : (n) == 6 ? function(6, __VA_ARGS__)                                                                   \
                : function(n, __VA_ARGS__))

/* ---- LU ----------------------------------------------------------------------------------------- */

/* The row of the entry of largest size in column k, from row k on. */
INLINE size_t find_pivot(size_t n, const double *A, size_t k)
{
    size_t p = k;
    UNROLL
    for (size_t i = k + 1; i < n; i++)
        if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
            p = i;
    return p;
}

INLINE void swap_rows(size_t n, double *A, size_t k, size_t p)
{
    UNROLL
    for (size_t j = 0; j < n; j++) {
        double t = A[k * n + j];
        A[k * n + j] = A[p * n + j];
        A[p * n + j] = t;
    }
}

/* Returns the sign of det A; 0 where a pivot is zero or not finite. A NaN anywhere spreads to a pivot.
 * The diagonal keeps the reciprocals of the pivots. */
INLINE int lu_factor(size_t n, double *A, int *pivot)
{
    int sign = 1;
    UNROLL
    for (size_t k = 0; k < n; k++) {
        size_t p = find_pivot(n, A, k);
        pivot[k] = (int)p;
        if (p != k) {
            swap_rows(n, A, k, p);
            sign = -sign;
        }
        double reciprocal = 1 / A[k * n + k];
        if (reciprocal == 0 || !isfinite(reciprocal))
            return 0;
        if (reciprocal < 0)
            sign = -sign;
        A[k * n + k] = reciprocal;
        UNROLL
        for (size_t i = k + 1; i < n; i++) {
            double l = A[i * n + k] * reciprocal;
            A[i * n + k] = l;
            UNROLL
            for (size_t j = k + 1; j < n; j++)
                A[i * n + j] -= l * A[k * n + j];
        }
    }
    return sign;
}

/* b <- A^{-1} b: the interchanges, then L y = P b, then U x = y. Sums are kept in a local variable: the
 * compiler must assume that b may overlap A. */
INLINE void lu_solve(size_t n, const double *A, const int *pivot, double *b)
{
    UNROLL
    for (size_t i = 0; i < n; i++) {
        double sum = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = sum;
    }
    UNROLL
    for (size_t i = 1; i < n; i++) {
        double sum = b[i];
        UNROLL
        for (size_t j = 0; j < i; j++)
            sum -= A[i * n + j] * b[j];
        b[i] = sum;
    }
    UNROLL
    for (size_t i = n; i-- > 0;) {
        double sum = b[i];
        UNROLL
        for (size_t j = i + 1; j < n; j++)
            sum -= A[i * n + j] * b[j];
        b[i] = sum * A[i * n + i];
    }
}

/* ---- LU of large matrices ------------------------------------------------------------------------------------ */

/* C (rows x columns) -= A (rows x depth) B (depth x columns), of strides a, b and c, entry by entry in the order of the depth, as elimination
 * one unknown after the other does: blocks and vectors change no bits. */
INLINE void subtract_product(size_t rows, size_t columns, size_t depth, const double *A, size_t a,
                             const double *B, size_t b, double *C, size_t c)
{
    enum { TALL = 4, BROAD = 2 * LANES };
    size_t i = 0;
    for (; i + TALL <= rows; i += TALL) {
        const double *at = A + i * a;
        double *to = C + i * c;
        size_t j = 0;
        for (; j + BROAD <= columns; j += BROAD) {
            vector left[TALL], right[TALL];
            UNROLL
            for (size_t r = 0; r < TALL; r++) {
                left[r] = load(to + r * c + j);
                right[r] = load(to + r * c + j + LANES);
            }
            for (size_t k = 0; k < depth; k++) {
                const vector first = load(B + k * b + j), second = load(B + k * b + j + LANES);
                UNROLL
                for (size_t r = 0; r < TALL; r++) {
                    const vector x = all_lanes(at[r * a + k]);
                    left[r] -= x * first;
                    right[r] -= x * second;
                }
            }
            UNROLL
            for (size_t r = 0; r < TALL; r++) {
                store(to + r * c + j, left[r]);
                store(to + r * c + j + LANES, right[r]);
            }
        }
        for (; j < columns; j++) {
            double sum[TALL];
            UNROLL
            for (size_t r = 0; r < TALL; r++)
                sum[r] = to[r * c + j];
            for (size_t k = 0; k < depth; k++) {
                UNROLL
                for (size_t r = 0; r < TALL; r++)
                    sum[r] -= at[r * a + k] * B[k * b + j];
            }
            UNROLL
            for (size_t r = 0; r < TALL; r++)
                to[r * c + j] = sum[r];
        }
    }
    for (; i < rows; i++)
        for (size_t k = 0; k < depth; k++) {
            const double x = A[i * a + k];
            size_t j = 0;
            for (; j + LANES <= columns; j += LANES)
                store(C + i * c + j, load(C + i * c + j) - all_lanes(x) * load(B + k * b + j));
            for (; j < columns; j++)
                C[i * c + j] -= x * B[k * b + j];
        }
}

enum { PANEL = 16 };

/* As lu_factor, a panel of columns at a time. */
INLINE int lu_factor_panels(size_t n, double *A, int *pivot)
{
    int sign = 1;
    for (size_t start = 0; start < n; start += PANEL) {
        const size_t end = start + PANEL < n ? start + PANEL : n;
        for (size_t k = start; k < end; k++) {
            const size_t p = find_pivot(n, A, k);
            pivot[k] = (int)p;
            if (p != k) {
                swap_rows(n, A, k, p);
                sign = -sign;
            }
            const double reciprocal = 1 / A[k * n + k];
            if (reciprocal == 0 || !isfinite(reciprocal))
                return 0;
            if (reciprocal < 0)
                sign = -sign;
            A[k * n + k] = reciprocal;
            if (k + 1 == n)
                return sign;
            for (size_t i = k + 1; i < n; i++)
                A[i * n + k] *= reciprocal;
            subtract_product(n - k - 1, end - k - 1, 1, A + (k + 1) * n + k, n, A + k * n + k + 1, n,
                             A + (k + 1) * n + k + 1, n);
        }
        for (size_t k = start; k < end; k++)
            subtract_product(end - k - 1, n - end, 1, A + (k + 1) * n + k, n, A + k * n + end, n,
                             A + (k + 1) * n + end, n);
        subtract_product(n - end, n - end, end - start, A + end * n + start, n, A + start * n + end, n,
                         A + end * n + end, n);
    }
    return sign;
}

PH_LANES_TWICE(PH_LANES_AVX2, int, lu_factor_large, (size_t n, double *A, int *pivot),
               return lu_factor_panels(n, A, pivot);)

/* sum_r -= row_r . x, m numbers each, of eight rows at once: no sum waits for another. */
enum { ROWS = 8 };
INLINE void subtract_rows(size_t rows, size_t n, size_t m, const double *row, const double *x, double *sum)
{
    if (rows == ROWS) {
        double now[ROWS];
        UNROLL
        for (size_t r = 0; r < ROWS; r++)
            now[r] = sum[r];
        for (size_t j = 0; j < m; j++) {
            UNROLL
            for (size_t r = 0; r < ROWS; r++)
                now[r] -= row[r * n + j] * x[j];
        }
        UNROLL
        for (size_t r = 0; r < ROWS; r++)
            sum[r] = now[r];
    } else
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < m; j++)
                sum[r] -= row[r * n + j] * x[j];
}

/* x <- L^{-1} x; `unit`: of ones on the diagonal, which else keeps reciprocals. */
static void solve_lower(size_t n, const double *L, bool unit, double *x)
{
    for (size_t i = 0; i < n; i += ROWS) {
        const size_t rows = n - i < ROWS ? n - i : ROWS;
        subtract_rows(rows, n, i, L + i * n, x, x + i);
        for (size_t r = i; r < i + rows; r++) {
            for (size_t j = i; j < r; j++)
                x[r] -= L[r * n + j] * x[j];
            x[r] *= unit ? 1 : L[r * n + r];
        }
    }
}

/* x <- U^{-1} x */
static void solve_upper(size_t n, const double *U, double *x)
{
    for (size_t end = n; end > 0;) {
        const size_t rows = end < ROWS ? end : ROWS, i = end - rows;
        subtract_rows(rows, n, n - end, U + i * n + end, x + end, x + i);
        for (size_t r = end; r-- > i;) {
            for (size_t j = r + 1; j < end; j++)
                x[r] -= U[r * n + j] * x[j];
            x[r] *= U[r * n + r];
        }
        end = i;
    }
}

static void lu_solve_large(size_t n, const double *A, const int *pivot, double *b)
{
    for (size_t i = 0; i < n; i++) {
        const double other = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = other;
    }
    solve_lower(n, A, true, b);
    solve_upper(n, A, b);
}

ph_status ph_lu_factor(size_t n, double *A, int *pivot, int *sign)
{
    if (n > INT_MAX)
        return PH_E_INVALID;
    const int s = n <= PH_SMALL_LU           ? BY_SIZE(lu_factor, n, A, pivot)
                  : ph_lanes(PH_KERNEL_AVX2) ? lu_factor_large_wide(n, A, pivot)
                                             : lu_factor_large_plain(n, A, pivot);
    if (sign)
        *sign = s;
    return s ? PH_OK : PH_E_SINGULAR;
}

void ph_lu_solve(size_t n, const double *A, const int *pivot, double *b)
{
    if (n <= PH_SMALL_LU)
        BY_SIZE(lu_solve, n, A, pivot, b);
    else
        lu_solve_large(n, A, pivot, b);
}

/* ---- Cholesky ----------------------------------------------------------------------------------- */

/* A <- L, row by row, in its lower triangle; the diagonal keeps the reciprocals of that of L. Only the lower
 * triangle is read. */
INLINE ph_status cholesky_factor(size_t n, double *A)
{
    UNROLL
    for (size_t i = 0; i < n; i++) {
        double *row = A + i * n, d = row[i];
        UNROLL
        for (size_t j = 0; j < i; j++) {
            const double *other = A + j * n;
            double sum = row[j];
            UNROLL
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum *= other[j];
            d -= sum * sum;
        }
        if (!(d > 0) || !isfinite(d))
            return PH_E_SINGULAR;
        row[i] = 1 / sqrt(d);
    }
    return PH_OK;
}

/* b <- A^{-1} b: L y = b, then L^T x = y. */
INLINE void cholesky_solve(size_t n, const double *A, double *b)
{
    UNROLL
    for (size_t i = 0; i < n; i++) {
        double sum = b[i];
        UNROLL
        for (size_t j = 0; j < i; j++)
            sum -= A[i * n + j] * b[j];
        b[i] = sum * A[i * n + i];
    }
    UNROLL
    for (size_t i = n; i-- > 0;) {
        double sum = b[i];
        UNROLL
        for (size_t k = i + 1; k < n; k++)
            sum -= A[k * n + i] * b[k];
        b[i] = sum * A[i * n + i];
    }
}

/* As cholesky_factor, a panel of columns at a time. What panels subtract from the lower triangle is taken by tiles of columns, whose
 * transpose is laid out in `tile`. */
INLINE ph_status cholesky_factor_panels(size_t n, double *A)
{
    enum { BROAD = 2 * LANES };
    for (size_t start = 0; start < n; start += PANEL) {
        const size_t end = start + PANEL < n ? start + PANEL : n, wide = end - start;
        double tile[PANEL * PANEL];
        for (size_t i = start; i < end; i++) {
            double *row = A + i * n, d = row[i];
            for (size_t j = start; j < i; j++) {
                double sum = row[j];
                for (size_t k = start; k < j; k++)
                    sum -= row[k] * A[j * n + k];
                row[j] = sum *= A[j * n + j];
                d -= sum * sum;
            }
            if (!(d > 0) || !isfinite(d))
                return PH_E_SINGULAR;
            row[i] = 1 / sqrt(d);
        }
        for (size_t k = 0; k < wide; k++)
            for (size_t j = k + 1; j < wide; j++)
                tile[k * PANEL + j] = A[(start + j) * n + start + k];
        for (size_t k = start; k < end; k++) {
            for (size_t i = end; i < n; i++)
                A[i * n + k] *= A[k * n + k];
            subtract_product(n - end, end - k - 1, 1, A + end * n + k, n,
                             tile + (k - start) * PANEL + (k - start) + 1, PANEL, A + end * n + k + 1, n);
        }
        for (size_t j = end; j < n; j += BROAD) {
            const size_t broad = n - j < BROAD ? n - j : BROAD, below = j + broad;
            for (size_t k = 0; k < wide; k++)
                for (size_t l = 0; l < broad; l++)
                    tile[k * BROAD + l] = A[(j + l) * n + start + k];
            for (size_t i = j; i < below; i++)
                for (size_t k = 0; k < wide; k++)
                    for (size_t l = 0; l <= i - j; l++)
                        A[i * n + j + l] -= A[i * n + start + k] * tile[k * BROAD + l];
            subtract_product(n - below, broad, wide, A + below * n + start, n, tile, BROAD, A + below * n + j,
                             n);
        }
    }
    return PH_OK;
}

PH_LANES_TWICE(PH_LANES_AVX2, ph_status, cholesky_factor_large, (size_t n, double *A),
               return cholesky_factor_panels(n, A);)

/* x <- L^{-T} x, by rows of L. */
static void solve_transposed(size_t n, const double *L, double *x)
{
    for (size_t i = n; i-- > 0;) {
        const double *row = L + i * n, now = x[i] *= row[i];
        for (size_t j = 0; j < i; j++)
            x[j] -= now * row[j];
    }
}

ph_status ph_cholesky_factor(size_t n, double *A)
{
    if (n > INT_MAX)
        return PH_E_INVALID;
    return n <= PH_SMALL_LU           ? BY_SIZE(cholesky_factor, n, A)
           : ph_lanes(PH_KERNEL_AVX2) ? cholesky_factor_large_wide(n, A)
                                      : cholesky_factor_large_plain(n, A);
}

void ph_cholesky_solve(size_t n, const double *A, double *b)
{
    if (n <= PH_SMALL_LU)
        BY_SIZE(cholesky_solve, n, A, b);
    else {
        solve_lower(n, A, false, b);
        solve_transposed(n, A, b);
    }
}
