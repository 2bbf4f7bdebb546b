/* SPDX-License-Identifier: BSD-3-Clause */
/* Householder's factors of a matrix with few rows, A = L Q^T with interchanges: see orthogonal.h. */
#include "orthogonal.h"

#include <math.h>

/* |v| of n numbers. */
static double norm_of(const double *v, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += v[i] * v[i];
    return sqrt(square);
}

/* y <- (I - beta v v^T) y, v in row k from column k on. */
static void reflect(const ph_orthogonal *o, size_t k, double *y)
{
    const double *v = o->a + k * o->n;
    double along = 0;
    for (size_t j = k; j < o->n; j++)
        along += v[j] * y[j];
    along *= o->beta[k];
    for (size_t j = k; j < o->n; j++)
        y[j] -= along * v[j];
}

/* The row with the longest remainder becomes the k-th; returns that length. */
static double bring_longest(ph_orthogonal *o, size_t m, size_t k)
{
    size_t n = o->n, best = k;
    double longest = -1;
    for (size_t i = k; i < m; i++) {
        double remainder = norm_of(o->a + i * n + k, n - k);
        if (remainder > longest)
            longest = remainder, best = i;
    }
    if (best != k) {
        size_t which = o->row[k];
        o->row[k] = o->row[best];
        o->row[best] = which;
        o->sign = -o->sign;
        for (size_t j = 0; j < n; j++) {
            double entry = o->a[k * n + j];
            o->a[k * n + j] = o->a[best * n + j];
            o->a[best * n + j] = entry;
        }
    }
    return longest;
}

/* Reflection k takes what is left of the longest row to a multiple of e_k; the rows below are reflected,
 * too. Ends at rank `most`, or where the longest remainder is negligible. */
void ph_orthogonal_factor(ph_orthogonal *o, size_t m, size_t most, double negligible)
{
    o->sign = 1;
    o->rank = 0;
    for (size_t i = 0; i < m; i++)
        o->row[i] = i;
    for (size_t k = 0; k < most; k++) {
        double size = bring_longest(o, m, k), *v = o->a + k * o->n;
        if (!(size > negligible))
            return;
        o->diagonal[k] = -copysign(size, v[k]);
        if (o->diagonal[k] < 0)
            o->sign = -o->sign;
        o->beta[k] = 1 / (size * (size + fabs(v[k])));
        v[k] -= o->diagonal[k];
        for (size_t i = k + 1; i < m; i++)
            reflect(o, k, o->a + i * o->n);
        o->rank++;
    }
}

void ph_orthogonal_resolve(const ph_orthogonal *o, double *y)
{
    for (size_t k = 0; k < o->rank; k++)
        reflect(o, k, y);
}

void ph_orthogonal_compose(const ph_orthogonal *o, double *y)
{
    for (size_t k = o->rank; k-- > 0;)
        reflect(o, k, y);
}

/* Solves L c = b, in the order of the interchanges. */
void ph_orthogonal_forward(const ph_orthogonal *o, const double *b, double *c)
{
    for (size_t i = 0; i < o->rank; i++) {
        double sum = b[o->row[i]];
        for (size_t j = 0; j < i; j++)
            sum -= o->a[i * o->n + j] * c[j];
        c[i] = sum / o->diagonal[i];
    }
}

/* Solves L^T lambda = c. */
void ph_orthogonal_backward(const ph_orthogonal *o, double *c, double *lambda)
{
    for (size_t i = o->rank; i-- > 0;) {
        c[i] /= o->diagonal[i];
        lambda[o->row[i]] = c[i];
        for (size_t j = 0; j < i; j++)
            c[j] -= o->a[i * o->n + j] * c[i];
    }
}
