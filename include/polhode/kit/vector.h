/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of 3 numbers, 3x3 matrices (9 numbers, row after row), and sums that are exact, inline. No
 * allocation; outputs do not overlap inputs. */
#ifndef POLHODE_VECTOR_H
#define POLHODE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <polhode/export.h>

PH_BEGIN_DECLS

/** a . b */
static inline double ph_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** c <- a x b; c may not overlap a or b. */
static inline void ph_cross3(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/** |a| */
static inline double ph_norm3(const double a[3])
{
    return sqrt(ph_dot3(a, a));
}

/** Is every one of the n numbers finite? */
static inline bool ph_all_finite(const double *v, size_t n)
{
    double sum = 0, more = 0; /* two sums: none waits for the other, and they fit one vector */
    for (size_t i = 0; i < n / 2; i++) {
        sum += v[2 * i] - v[2 * i]; /* 0, or NaN for a number that is not finite */
        more += v[2 * i + 1] - v[2 * i + 1];
    }
    if (n % 2)
        sum += v[n - 1] - v[n - 1];
    return sum + more == 0;
}

/** a . b of n numbers. */
static inline double ph_dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/** max |v_i|; a NaN does not count. */
static inline double ph_max_norm(const double *v, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    return largest;
}

/* ---- 3x3 matrices ------------------------------------------------------------------------------- */

/** The hat map: S <- S(w), the matrix with S(w) x = w x x. */
static inline void ph_hat3(const double w[3], double S[9])
{
    S[0] = S[4] = S[8] = 0;
    S[7] = w[0];
    S[2] = w[1];
    S[3] = w[2];
    S[5] = -w[0];
    S[6] = -w[1];
    S[1] = -w[2];
}

/** Its inverse on the skew part of A: S(w) = (A - A^T)/2. */
static inline void ph_vee3(const double A[9], double w[3])
{
    w[0] = 0.5 * (A[7] - A[5]);
    w[1] = 0.5 * (A[2] - A[6]);
    w[2] = 0.5 * (A[3] - A[1]);
}

/** y <- A x */
static inline void ph_apply3(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = ph_dot3(A + 3 * i, x);
}

/** y <- A^T x */
static inline void ph_apply_transposed3(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
}

/** C <- A B */
static inline void ph_multiply3(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        ph_apply_transposed3(B, A + 3 * i, C + 3 * i);
}

/** C <- A^T B */
static inline void ph_transposed_multiply3(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

/** det A */
static inline double ph_determinant3(const double A[9])
{
    double c[3];
    ph_cross3(A + 3, A + 6, c);
    return ph_dot3(A, c);
}

/* ---- Exact sums and products -------------------------------------------------------------------- */

/** x with at most 25 bits behind the point: products of two such, and sums of a few of them, are exact where
 * no x is much above 1 (Dekker, Numer. Math. 18 (1971) 224). */
static inline double ph_upper_half(double x)
{
    const double splitter = 201326592; /* 1.5 2^27 */
    return (x + splitter) - splitter;
}

/** s + e <- a + b exactly (Knuth's two-sum). */
static inline void ph_two_sum(double a, double b, double *s, double *e)
{
    double sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

/** p + e <- a b exactly, by halves of 26 bits (Veltkamp, Dekker), where a, b and p are far from the ends of
 * the range. */
static inline void ph_two_product(double a, double b, double *p, double *e)
{
    const double splitter = 134217729; /* 2^27 + 1 */
    const double product = a * b, as = splitter * a, bs = splitter * b;
    const double ah = as - (as - a), bh = bs - (bs - b), al = a - ah, bl = b - bh;
    *e = al * bl - (((product - ah * bh) - al * bh) - ah * bl);
    *p = product;
}

PH_END_DECLS
#endif
