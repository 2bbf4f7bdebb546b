/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows a (m x n) of full rank, by elimination with the columns of largest entries: B = a^T becomes, its rows in the order of
 * the pivots,
 *     B_P = a_P^T = L U,   B_F = Y^T,   Y = a_P^{-1} a_F,
 * L with a unit diagonal: entries of a that are 0 above a diagonal, as where bodies follow each other, cost nothing. */
#include <polhode/kit/solve.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

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

/* ---- Saddles -------------------------------------------------------------------------------------- */

size_t ph_saddle_size(size_t m, size_t n)
{
    return m > n ? 0 : n * m + (n - m) * (n - m) + 3 * n;
}

/* u (n - m) <- W^T x. */
static void restrict_to_free(const ph_saddle *s, const double *x, double *u)
{
    for (size_t d = 0; d < s->n - s->m; d++) {
        const double *row = s->B + (s->m + d) * s->m;
        u[d] = x[s->order[s->m + d]];
        for (size_t p = 0; p < s->m; p++)
            u[d] -= row[p] * x[s->order[p]];
    }
}

/* x (n) += share times column d of W. */
static void add_free(const ph_saddle *s, size_t d, double share, double *x)
{
    const double *row = s->B + (s->m + d) * s->m;
    x[s->order[s->m + d]] += share;
    for (size_t p = 0; p < s->m; p++)
        x[s->order[p]] -= row[p] * share;
}

bool ph_saddle_factor(ph_saddle *s, size_t m, size_t n, const double *a, const double *M, double *work)
{
    if (m > n)
        return false;
    const size_t k = n - m;
    *s = (ph_saddle){.m = m, .n = n, .M = M, .B = work};
    s->K = s->B + n * m;
    s->t = s->K + k * k;
    s->u = s->t + n;
    s->order = (int *)(void *)(s->u + n);
    for (size_t j = 0; j < n; j++) {
        s->order[j] = (int)j;
        for (size_t i = 0; i < m; i++)
            s->B[j * m + i] = a[i * n + j];
    }
    if (!ph_rows_factor(m, n, s->B, s->order, s->t))
        return false;
    for (size_t d = 0; d < k; d++) {
        double *w = s->t, *u = s->u; /* a column of W, then W^T M of it; M of it */
        memset(w, 0, n * sizeof *w);
        add_free(s, d, 1, w);
        for (size_t j = 0; j < n; j++)
            u[j] = ph_dot(M + j * n, w, n);
        restrict_to_free(s, u, w);
        for (size_t e = 0; e < k; e++)
            s->K[e * k + d] = w[e];
    }
    return !ph_cholesky_factor(k, s->K);
}

void ph_saddle_solve(const ph_saddle *s, const double *f, const double *b, double *x, double *y)
{
    const size_t m = s->m, n = s->n, k = n - m;
    if (y != b)
        memcpy(y, b, m * sizeof *y);
    ph_rows_solve(m, s->B, y);
    memset(x, 0, n * sizeof *x);
    for (size_t p = 0; p < m; p++)
        x[s->order[p]] = y[p];
    for (size_t j = 0; j < n; j++)
        s->t[j] = f[j] - ph_dot(s->M + j * n, x, n);
    restrict_to_free(s, s->t, s->u);
    ph_cholesky_solve(k, s->K, s->u);
    for (size_t d = 0; d < k; d++)
        add_free(s, d, s->u[d], x);
    for (size_t p = 0; p < m; p++) {
        const size_t j = (size_t)s->order[p];
        y[p] = ph_dot(s->M + j * n, x, n) - f[j];
    }
    ph_rows_multipliers(m, s->B, y);
}
