/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues of a linear motion, in the order in which they are listed. */
#ifndef PH_REDUCTION_SPECTRUM_H
#define PH_REDUCTION_SPECTRUM_H

#include <stddef.h>

#include <polhode/status.h>

/* Doubles of work that LAPACK is given for n eigenvalues. */
static inline int ph_spectrum_work(size_t n)
{
    return (int)(8 * n + 16); /* dgeev without vectors: 3 n, more is quicker */
}

/* real, imaginary (n each) <- the eigenvalues of A (n x n, overwritten; column after column), the largest |lambda| first, of
 * a pair the one with positive imaginary part. A has room for 2 n numbers at least. */
ph_status ph_spectrum(size_t n, double *A, double *real, double *imaginary, double *work, int work_size);

#endif
