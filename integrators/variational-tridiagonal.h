/* SPDX-License-Identifier: BSD-3-Clause */
/* Tridiagonal systems of equations with positive pivots, solved where one division must not wait for another:
 * from both ends to the middle, and where there are many rows from the middle, too, so that two or four
 * chains of divisions run beside each other. To be inlined into the kernels that solve them. */
#ifndef PH_INTEGRATORS_VARIATIONAL_TRIDIAGONAL_H
#define PH_INTEGRATORS_VARIATIONAL_TRIDIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

#include "variational-lanes.h"

/* Row i: a_i x_(i-1) + diagonal_i x_i + b_i x_(i+1) = r_i; (n) each. */
typedef struct ph_tridiagonal {
    size_t n;
    double *a, *b, *diagonal; /* the matrix, and then what factors it */
    double *inverse;          /* 1 / pivots */
    double *own, *other;      /* entries with the row that is left for last, over the pivots */
    double *r;                /* the right side, and then the solution */
} ph_tridiagonal;

enum { PH_MANY_ROWS = 12 /* from so many on four chains pay */ };

/* Elimination from both ends to the middle row k. Afterwards a (up to k) and b (from k) hold what a row takes
 * of the one that was eliminated before it, and b (before k), a (behind k) the coupling to the one towards
 * the middle over the pivot. Are all pivots positive? */
INLINE bool ph_factor_few(ph_tridiagonal *w)
{
    size_t n = w->n, k = n / 2, tops = k ? k - 1 : 0, bottoms = n > k + 2 ? n - k - 2 : 0, i = 0, j = n - 1;
    double *a = w->a, *b = w->b, *inverse = w->inverse, top = w->diagonal[0], bottom = w->diagonal[n - 1];
    double middle = w->diagonal[k];
    bool positive = true;
    for (size_t p = 0; p < bottoms; p++, i++, j--) { /* two chains of divisions beside each other */
        double over = 1 / top, under = 1 / bottom;
        positive = positive && top > 0 && bottom > 0;
        inverse[i] = over;
        inverse[j] = under;
        a[i + 1] *= over;
        b[j - 1] *= under;
        top = w->diagonal[i + 1] - a[i + 1] * b[i];
        bottom = w->diagonal[j - 1] - b[j - 1] * a[j];
        b[i] *= over;
        a[j] *= under;
    }
    if (tops > bottoms) {
        double over = 1 / top;
        positive = positive && top > 0;
        inverse[i] = over;
        a[i + 1] *= over;
        top = w->diagonal[i + 1] - a[i + 1] * b[i];
        b[i] *= over;
        i++;
    }
    if (k > 0) {
        double over = 1 / top;
        positive = positive && top > 0;
        inverse[i] = over;
        a[k] *= over;
        middle -= a[k] * b[i];
        b[i] *= over;
    }
    if (j > k) {
        double under = 1 / bottom;
        positive = positive && bottom > 0;
        inverse[j] = under;
        b[k] *= under;
        middle -= b[k] * a[j];
        a[j] *= under;
    }
    inverse[k] = 1 / middle;
    return positive && middle > 0;
}

/* r <- the solution, where these are the factors. */
INLINE void ph_solve_few(ph_tridiagonal *w)
{
    size_t n = w->n, k = n / 2, bottoms = n > k + 2 ? n - k - 2 : 0, tops = k ? k - 1 : 0, i = 0, j = n - 1;
    const double *a = w->a, *b = w->b, *inverse = w->inverse;
    double *r = w->r, top = r[0], bottom = r[n - 1], middle = r[k];
    for (size_t p = 0; p < bottoms; p++, i++, j--) {
        top = r[i + 1] - a[i + 1] * top;
        bottom = r[j - 1] - b[j - 1] * bottom;
        r[i] *= inverse[i];
        r[j] *= inverse[j];
        r[i + 1] = top;
        r[j - 1] = bottom;
    }
    if (tops > bottoms) {
        top = r[i + 1] - a[i + 1] * top;
        r[i] *= inverse[i];
        r[i + 1] = top;
        i++;
    }
    if (k > 0) {
        middle -= a[k] * top;
        r[i] *= inverse[i];
    }
    if (j > k) {
        middle -= b[k] * bottom;
        r[j] *= inverse[j];
    }
    top = bottom = r[k] = middle * inverse[k];
    i = k, j = k;
    for (size_t p = k + 1; p < n; p++) {
        i--, j++;
        top = r[i] - b[i] * top;
        bottom = r[j] - a[j] * bottom;
        r[i] = top;
        r[j] = bottom;
    }
    if (i > 0) /* n is even */
        r[0] -= b[0] * top;
}

/* Rows are eliminated one into the next. On the way from a row c that is left for last a row has an entry
 * with that one each way, too: row i, column c and row c, column i. */
typedef struct ph_stretch {
    double pivot;   /* of the row that it stands at */
    double in, out; /* its entries with row c: its own, and row c's */
    double taken;   /* from the pivot of row c */
} ph_stretch;

/* The matrix: near is the coupling of a row to the one that it is eliminated into, far that one's to it.
 * Behind it near is over the pivot, and far what the next row takes. */
INLINE bool ph_eliminate(ph_stretch *e, double *near, double *far, const double *next_pivot, double *inverse)
{
    double over = 1 / e->pivot, take = *far * over;
    bool positive = e->pivot > 0;
    *inverse = over;
    *far = take;
    e->pivot = *next_pivot - take * *near;
    *near *= over;
    return positive;
}

/* The same where c is left for last: own and other <- the entries with row c over the pivot. */
INLINE bool ph_eliminate_beside(ph_stretch *e, double *near, double *far, const double *next_pivot,
                                double *inverse, double *own, double *other)
{
    double along = *near;
    bool positive = ph_eliminate(e, near, far, next_pivot, inverse);
    *own = e->in * *inverse;
    *other = e->out * *inverse;
    e->taken += *other * e->in;
    e->out = -*other * along;
    e->in = -*far * e->in;
    return positive;
}

/* Rows that are left for last: k1, c and k2, between four ph_stretches of like length: from the first link to
 * k1, from c back to k1, from c on to k2, and from the last link back to k2. */
INLINE void ph_middles(size_t n, size_t *k1, size_t *c, size_t *k2)
{
    *c = n / 2;
    *k1 = *c / 2;
    *k2 = *c + 1 + (n - *c - 1) / 2;
}

/* Four chains of divisions beside each other, as each has to wait for the one before it. Are all pivots
 * positive? */
INLINE bool ph_factor_many(ph_tridiagonal *w)
{
    double *a = w->a, *b = w->b, *d = w->diagonal, *inverse = w->inverse, *own = w->own, *other = w->other;
    size_t n = w->n, k1, c, k2, i = 0, j, k, l = n - 1;
    bool positive = true;
    ph_middles(n, &k1, &c, &k2);
    j = c - 1, k = c + 1;
    ph_stretch A = {d[0], 0, 0, 0}, B = {d[j], b[j], a[c], 0}, C = {d[k], a[k], b[c], 0}, D = {d[l], 0, 0, 0};
    for (; i < k1 && j > k1 && k < k2 && l > k2; i++, j--, k++, l--) {
        positive &= ph_eliminate(&A, b + i, a + i + 1, d + i + 1, inverse + i);
        positive &= ph_eliminate_beside(&B, a + j, b + j - 1, d + j - 1, inverse + j, own + j, other + j);
        positive &= ph_eliminate_beside(&C, b + k, a + k + 1, d + k + 1, inverse + k, own + k, other + k);
        positive &= ph_eliminate(&D, a + l, b + l - 1, d + l - 1, inverse + l);
    }
    for (; i < k1; i++) /* what is left are a row or two of each */
        positive &= ph_eliminate(&A, b + i, a + i + 1, d + i + 1, inverse + i);
    for (; j > k1; j--)
        positive &= ph_eliminate_beside(&B, a + j, b + j - 1, d + j - 1, inverse + j, own + j, other + j);
    for (; k < k2; k++)
        positive &= ph_eliminate_beside(&C, b + k, a + k + 1, d + k + 1, inverse + k, own + k, other + k);
    for (; l > k2; l--)
        positive &= ph_eliminate(&D, a + l, b + l - 1, d + l - 1, inverse + l);
    double first = A.pivot + (B.pivot - d[k1]), second = C.pivot + (D.pivot - d[k2]);
    inverse[k1] = 1 / first;
    inverse[k2] = 1 / second;
    own[k1] = B.in * inverse[k1], other[k1] = B.out * inverse[k1];
    own[k2] = C.in * inverse[k2], other[k2] = C.out * inverse[k2];
    double last = d[c] - (B.taken + C.taken + other[k1] * B.in + other[k2] * C.in);
    inverse[c] = 1 / last;
    return positive && first > 0 && second > 0 && last > 0;
}

/* r <- the solution. */
INLINE void ph_solve_many(ph_tridiagonal *w)
{
    const double *a = w->a, *b = w->b, *inverse = w->inverse, *own = w->own, *other = w->other;
    double *r = w->r;
    size_t n = w->n, k1, c, k2, i = 0, j, k, l = n - 1;
    ph_middles(n, &k1, &c, &k2);
    j = c - 1, k = c + 1;
    double A = r[i], B = r[j], C = r[k], D = r[l], last = r[c], taken = 0;
    for (; i + 1 < k1 && j - 1 > k1 && k + 1 < k2 && l - 1 > k2; i++, j--, k++, l--) {
        r[i] = A * inverse[i];
        r[j] = B * inverse[j];
        r[k] = C * inverse[k];
        r[l] = D * inverse[l];
        last -= other[j] * B;
        taken += other[k] * C;
        A = r[i + 1] - a[i + 1] * A;
        B = r[j - 1] - b[j - 1] * B;
        C = r[k + 1] - a[k + 1] * C;
        D = r[l - 1] - b[l - 1] * D;
    }
    for (; i + 1 < k1; i++)
        r[i] = A * inverse[i], A = r[i + 1] - a[i + 1] * A;
    for (; j - 1 > k1; j--)
        r[j] = B * inverse[j], last -= other[j] * B, B = r[j - 1] - b[j - 1] * B;
    for (; k + 1 < k2; k++)
        r[k] = C * inverse[k], taken += other[k] * C, C = r[k + 1] - a[k + 1] * C;
    for (; l - 1 > k2; l--)
        r[l] = D * inverse[l], D = r[l - 1] - b[l - 1] * D;
    r[i] = A * inverse[i];
    r[j] = B * inverse[j];
    r[k] = C * inverse[k];
    r[l] = D * inverse[l];
    double first = r[k1] - (a[k1] * A + b[k1] * B), second = r[k2] - (a[k2] * C + b[k2] * D);
    last -= taken + (other[j] * B + other[k] * C) + (other[k1] * first + other[k2] * second);
    r[c] = last *= inverse[c];
    A = B = r[k1] = first * inverse[k1] - own[k1] * last;
    C = D = r[k2] = second * inverse[k2] - own[k2] * last;
    i = j = k1;
    k = l = k2;
    for (; i > 0 && j + 1 < c && k > c + 1 && l + 1 < n;) {
        i--, j++, k--, l++;
        r[i] = A = r[i] - b[i] * A;
        r[j] = B = (r[j] - own[j] * last) - a[j] * B;
        r[k] = C = (r[k] - own[k] * last) - b[k] * C;
        r[l] = D = r[l] - a[l] * D;
    }
    while (i > 0)
        i--, r[i] = A = r[i] - b[i] * A;
    while (j + 1 < c)
        j++, r[j] = B = (r[j] - own[j] * last) - a[j] * B;
    while (k > c + 1)
        k--, r[k] = C = (r[k] - own[k] * last) - b[k] * C;
    while (l + 1 < n)
        l++, r[l] = D = r[l] - a[l] * D;
}

/* many: n >= PH_MANY_ROWS. Are all pivots positive? */
INLINE bool ph_tridiagonal_factor(ph_tridiagonal *w, bool many)
{
    return many ? ph_factor_many(w) : ph_factor_few(w);
}

INLINE void ph_tridiagonal_solve(ph_tridiagonal *w, bool many)
{
    if (many)
        ph_solve_many(w);
    else
        ph_solve_few(w);
}

#endif
