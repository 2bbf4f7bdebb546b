/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues, least squares and a Cholesky triangle by LAPACK, which no step needs: its bits depend on the BLAS. All of LAPACK and BLAS that the library calls
 * is here. Matrices are given column after column and overwritten; work has `size` doubles, the more the faster. PH_E_NOT_FINITE where a
 * matrix has what is not finite, in which libraries differ; PH_E_NO_CONVERGENCE. */
#ifndef PH_ALGEBRA_LAPACK_H
#define PH_ALGEBRA_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include <polhode/status.h>

/* values (n) <- the eigenvalues of the symmetric A (n x n), ascending; A <- unit eigenvectors, if `vectors`. size: 3 n at
 * least. */
ph_status ph_eigen_symmetric(size_t n, double *A, bool vectors, double *values, double *work, int size);
/* real, imaginary (n) <- the eigenvalues of A (n x n), those of a pair one after the other, the one with positive imaginary
 * part first; vectors (n x n, nullable) <- right eigenvectors, of a pair the real and the imaginary part. size: 3 n at
 * least, 4 n with vectors. */
ph_status ph_eigen_general(size_t n, double *A, double *real, double *imaginary, double *vectors,
                           double *work, int size);
/* b (the larger of m and n) <- the shortest least squares solution of A x = b, A (m x n); what is independent of the rest by
 * less than `independent_from`, relative, is not. pivot: (n) scratch. */
ph_status ph_least_squares(size_t m, size_t n, double *A, double *b, double independent_from, int *pivot,
                           double *work, int size);
/* A <- L in its lower triangle, row after row, A = L L^T (n x n), of which only the lower triangle is read. PH_E_SINGULAR where
 * it is not positive definite. (ph_cholesky_factor keeps reciprocals on the diagonal.) */
ph_status ph_cholesky_triangle(size_t n, double *A);

#endif
