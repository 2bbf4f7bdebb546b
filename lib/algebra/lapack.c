/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues (dsyev, dgeev), least squares by a complete orthogonal factorisation (dgelsy) and Cholesky's triangle (dpotrf):
 * see lapack.h. By hand rather than through LAPACKE, which copies and allocates. */
#include "lapack.h"

#include <polhode/kit/vector.h>

#include <string.h>

extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
                   double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);
extern void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr,
                   double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, double *work,
                   const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length);
extern void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b,
                    const int *ldb, int *jpvt, const double *rcond, int *rank, double *work, const int *lwork,
                    int *info);
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);

ph_status ph_eigen_symmetric(size_t n, double *A, bool vectors, double *values, double *work, int size)
{
    const int order = (int)n;
    int info = 0;
    if (!n)
        return PH_OK;
    if (!ph_all_finite(A, n * n))
        return PH_E_NOT_FINITE;
    dsyev_(vectors ? "V" : "N", "L", &order, A, &order, values, work, &size, &info, 1, 1);
    return info ? PH_E_NO_CONVERGENCE : PH_OK;
}

ph_status ph_eigen_general(size_t n, double *A, double *real, double *imaginary, double *vectors,
                           double *work, int size)
{
    const int order = (int)n, one = 1;
    int info = 0;
    double unused;
    if (!n)
        return PH_OK;
    if (!ph_all_finite(A, n * n))
        return PH_E_NOT_FINITE;
    dgeev_("N", vectors ? "V" : "N", &order, A, &order, real, imaginary, &unused, &one,
           vectors ? vectors : &unused, vectors ? &order : &one, work, &size, &info, 1, 1);
    return info ? PH_E_NO_CONVERGENCE : PH_OK;
}

ph_status ph_least_squares(size_t m, size_t n, double *A, double *b, double independent_from, int *pivot,
                           double *work, int size)
{
    const int rows = (int)m, columns = (int)n, one = 1, tall = rows > columns ? rows : columns;
    int rank = 0, info = 0;
    if (!ph_all_finite(A, m * n) || !ph_all_finite(b, m))
        return PH_E_NOT_FINITE;
    memset(pivot, 0, n * sizeof *pivot);
    dgelsy_(&rows, &columns, &one, A, &rows, b, &tall, pivot, &independent_from, &rank, work, &size, &info);
    return info ? PH_E_NO_CONVERGENCE : PH_OK;
}

ph_status ph_cholesky_triangle(size_t n, double *A)
{
    const int order = (int)n;
    int info = 0;
    dpotrf_("U", &order, A, &order, &info, 1); /* which LAPACK sees as the upper triangle */
    return info ? PH_E_SINGULAR : PH_OK;
}
