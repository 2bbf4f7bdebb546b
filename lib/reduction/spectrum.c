/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues, sorted by their size such that rounding does not change the order. */
#include "spectrum.h"

#include "lib/algebra/lapack.h"

#include <polhode/kit/elementary.h>

#include <math.h>
#include <stdlib.h>

/* Sizes and real parts that differ by less, relative, are the same. */
static const double same_to = 1e-9;

typedef struct eigenvalue {
    double re, im;
} eigenvalue;

/* The largest first, of a pair the one with positive imaginary part; equal ones by their real parts. */
static int by_size(const void *pa, const void *pb)
{
    const eigenvalue *a = pa, *b = pb;
    const double x = ph_hypot(a->re, a->im), y = ph_hypot(b->re, b->im);
    if (fabs(x - y) > same_to * (x + y))
        return x > y ? -1 : 1;
    if (fabs(fabs(a->re) - fabs(b->re)) > same_to * (x + y))
        return fabs(a->re) > fabs(b->re) ? -1 : 1;
    if (fabs(a->re - b->re) > same_to * (x + y))
        return a->re > b->re ? -1 : 1;
    return a->im > b->im ? -1 : a->im < b->im;
}

ph_status ph_spectrum(size_t n, double *A, double *real, double *imaginary, double *work, int work_size)
{
    ph_status status = ph_eigen_general(n, A, real, imaginary, NULL, work, work_size);
    if (status)
        return status;
    eigenvalue *list = (eigenvalue *)(void *)A;
    for (size_t i = 0; i < n; i++)
        list[i] = (eigenvalue){real[i], imaginary[i]};
    qsort(list, n, sizeof *list, by_size);
    for (size_t i = 0; i < n; i++) {
        real[i] = list[i].re;
        imaginary[i] = list[i].im;
    }
    return PH_OK;
}
