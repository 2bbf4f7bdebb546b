/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex numbers of C11 with CMPLX, which the C library may leave undefined for Clang (glibc 2.36 does). */
#ifndef POLHODE_TESTS_COMPLEXES_H
#define POLHODE_TESTS_COMPLEXES_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

#endif
