/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense LU (PA = LU) and Cholesky (A = L L^T), row-major: plain elimination up to n = PH_SMALL_LU,
 * LAPACK above. LAPACK sees the transpose of a row-major matrix: for LU it factors A^T and solves with
 * 'T'; the lower triangle of a symmetric matrix is its upper one. */
#include <polhode/kit/solve.h>

#include <limits.h>
#include <math.h>

/* By hand rather than through LAPACKE, which copies and allocates. The lengths of the character
 * arguments come last, as Fortran compilers require. */
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
                    const int *ipiv, double *b, const int *ldb, int *info, size_t trans_length);
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);
extern void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
                    double *b, const int *ldb, int *info, size_t uplo_length);

/* The functions below are inlined once for each small size, and their loops then unrolled: for n = 4
 * that makes a factorisation and solution 50 ns instead of 70. */
#define INLINE static inline __attribute__((always_inline))
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

/* LAPACK counts pivots from 1. BLAS libraries differ in how they treat NaN (some skip it where it is
 * multiplied by zero), so it is looked for explicitly. */
static int lu_factor_lapack(size_t size, double *A, int *pivot)
{
    int n = (int)size, info = 0, sign = 1;
    for (size_t i = 0; i < size * size; i++)
        if (!isfinite(A[i]))
            return 0;
    dgetrf_(&n, &n, A, &n, pivot, &info);
    if (info)
        return 0;
    for (size_t k = 0; k < size; k++) {
        double d = A[k * size + k];
        if (!isfinite(d))
            return 0;
        if ((d < 0) != (pivot[k] != (int)k + 1))
            sign = -sign;
    }
    return sign;
}

ph_status ph_lu_factor(size_t n, double *A, int *pivot, int *sign)
{
    int s;
    if (n > INT_MAX)
        return PH_E_INVALID;
    s = n <= PH_SMALL_LU ? BY_SIZE(lu_factor, n, A, pivot) : lu_factor_lapack(n, A, pivot);
    if (sign)
        *sign = s;
    return s ? PH_OK : PH_E_SINGULAR;
}

void ph_lu_solve(size_t n, const double *A, const int *pivot, double *b)
{
    static const int one = 1;
    int order = (int)n, info;
    if (n <= PH_SMALL_LU)
        BY_SIZE(lu_solve, n, A, pivot, b);
    else
        dgetrs_("T", &order, &one, A, &order, pivot, b, &order, &info, 1);
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

ph_status ph_cholesky_factor(size_t n, double *A)
{
    int order = (int)n, info = 0;
    if (n > INT_MAX)
        return PH_E_INVALID;
    if (n <= PH_SMALL_LU)
        return BY_SIZE(cholesky_factor, n, A);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!isfinite(A[i * n + j]))
                return PH_E_SINGULAR;
    dpotrf_("U", &order, A, &order, &info, 1);
    return info ? PH_E_SINGULAR : PH_OK;
}

void ph_cholesky_solve(size_t n, const double *A, double *b)
{
    static const int one = 1;
    int order = (int)n, info;
    if (n <= PH_SMALL_LU)
        BY_SIZE(cholesky_solve, n, A, b);
    else
        dpotrs_("U", &order, &one, A, &order, b, &order, &info, 1);
}
