/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows a (m x n) of full rank, by elimination with the columns of largest entries: B = a^T becomes, its rows in the order of
 * the pivots,
 *     B_P = a_P^T = L U,   B_F = Y^T,   Y = a_P^{-1} a_F,
 * L with a unit diagonal: entries of a that are 0 above a diagonal, as where bodies follow each other, cost nothing. */
#include <polhode/kit/solve.h>

#include <math.h>

/* A pivot is at least this part of the largest entry of its row. */
static const double least_pivot = 1e-3;

/* The row of B with the largest entry in column i, from row i on. */
static size_t find_pivot(size_t m, size_t n, const double *B, size_t i)
{
    size_t p = i;
    for (size_t j = i + 1; j < n; j++)
        if (fabs(B[j * m + i]) > fabs(B[p * m + i]))
            p = j;
    return p;
}

static void exchange(size_t m, double *B, int *order, size_t i, size_t p)
{
    const int other = order[i];
    order[i] = order[p];
    order[p] = other;
    for (size_t k = 0; k < m; k++) {
        const double entry = B[i * m + k];
        B[i * m + k] = B[p * m + k];
        B[p * m + k] = entry;
    }
}

int ph_rows_factor(size_t m, size_t n, double *B, int *order, double *size)
{
    int sign = 1;
    if (m > n)
        return 0;
    for (size_t i = 0; i < m; i++)
        size[i] = 0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++)
            size[i] = fmax(size[i], fabs(B[j * m + i]));
    for (size_t i = 0; i < m; i++) {
        const size_t p = order ? find_pivot(m, n, B, i) : i;
        const double pivot = B[p * m + i], reciprocal = 1 / pivot;
        if (!(fabs(pivot) >= least_pivot * size[i]) || !isfinite(reciprocal))
            return 0;
        if (p != i)
            exchange(m, B, order, i, p);
        sign = pivot < 0 ? -sign : sign;
        const double *row = B + i * m;
        for (size_t j = i + 1; j < n; j++) {
            double *other = B + j * m;
            if (other[i] == 0)
                continue;
            const double l = other[i] *= reciprocal;
            for (size_t k = i + 1; k < m; k++)
                other[k] -= l * row[k];
        }
    }
    for (size_t j = m; j < n; j++)
        for (size_t i = m; i-- > 0;) {
            const double last = B[j * m + i];
            for (size_t k = 0; k < i; k++)
                B[j * m + k] -= B[i * m + k] * last;
        }
    return sign;
}

void ph_rows_solve(size_t m, const double *B, double *x)
{
    for (size_t i = 0; i < m; i++) {
        const double *row = B + i * m, own = x[i] / row[i];
        x[i] = own;
        for (size_t k = i + 1; k < m; k++)
            x[k] -= row[k] * own;
    }
    for (size_t i = m; i-- > 1;)
        for (size_t k = 0; k < i; k++)
            x[k] -= B[i * m + k] * x[i];
}

void ph_rows_multipliers(size_t m, const double *B, double *y)
{
    for (size_t i = 1; i < m; i++)
        for (size_t k = 0; k < i; k++)
            y[i] -= B[i * m + k] * y[k];
    for (size_t i = m; i-- > 0;) {
        const double *row = B + i * m;
        for (size_t k = i + 1; k < m; k++)
            y[i] -= row[k] * y[k];
        y[i] /= row[i];
    }
}
