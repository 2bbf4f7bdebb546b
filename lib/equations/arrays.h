/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of arrays, four numbers at a time: the compiler is kept from making vectors of loops (configure.ac), as most
 * are short. */
#ifndef PH_INTERNAL_ARRAYS_H
#define PH_INTERNAL_ARRAYS_H

#include "lib/internal/lanes.h"

#include <stddef.h>

/* to (n) <- x + c y; to may be x. */
INLINE void ph_array_combine(size_t n, const double *x, double c, const double *y, double *to)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store(to + i, load(x + i) + c * load(y + i));
    for (; i < n; i++)
        to[i] = x[i] + c * y[i];
}

/* x (n) <- x + y */
INLINE void ph_array_add(size_t n, const double *y, double *x)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        store(x + i, load(x + i) + load(y + i));
    for (; i < n; i++)
        x[i] += y[i];
}

#endif
