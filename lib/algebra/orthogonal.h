/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthogonal factors of a matrix with few rows, A (m x n), m <= n: rows interchanged (the longest remainder
 * first), A = L Q^T with L lower triangular and Q a product of Householder reflections (Golub, Van Loan,
 * Matrix Computations, 5.4.2, of A^T). The first m columns of Q span the rows of A, the others its null
 * space. In place, without allocation. */
#ifndef PH_INTERNAL_ORTHOGONAL_H
#define PH_INTERNAL_ORTHOGONAL_H

#include <stddef.h>

enum { PH_ORTHOGONAL_MOST = 48 }; /* the largest n */

typedef struct ph_orthogonal {
    size_t n, rank;
    double a[PH_ORTHOGONAL_MOST *
             PH_ORTHOGONAL_MOST]; /* A before; L below the diagonal, reflections from it on */
    double diagonal[PH_ORTHOGONAL_MOST], beta[PH_ORTHOGONAL_MOST];
    size_t row[PH_ORTHOGONAL_MOST]; /* which row of A the k-th is */
    int sign; /* of the permutation times that of the diagonal: det(A Q_1), Q_1 the first m */
} ph_orthogonal;

/* Factor the m rows in o->a (finite numbers, o->n set), at most `most` of them; o->rank <- how many could be:
 * the remainder of the others is at most `negligible` in length. */
void ph_orthogonal_factor(ph_orthogonal *o, size_t m, size_t most, double negligible);
/* y (n) <- Q^T y, and y <- Q y. */
void ph_orthogonal_resolve(const ph_orthogonal *o, double *y);
void ph_orthogonal_compose(const ph_orthogonal *o, double *y);
/* c (rank) <- L^{-1} b, b (rank) in the order of A's rows: Q (c, 0) is the shortest solution of A x = b. */
void ph_orthogonal_forward(const ph_orthogonal *o, const double *b, double *c);
/* lambda (rank), in the order of A's rows <- L^{-T} c: the least squares solution of A^T lambda = w for c the
 * first numbers of Q^T w. c is overwritten. */
void ph_orthogonal_backward(const ph_orthogonal *o, double *c, double *lambda);

#endif
