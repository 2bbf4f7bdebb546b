/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels in lanes share. */
#ifndef PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H
#define PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H

#include "lib/internal/lanes.h"

/* x where it is the larger one, else y: also where x is no number. */
INLINE vector ph_midpoint_larger(vector x, vector y)
{
    const mask m = x > y;
    return (vector)(((mask)x & m) | ((mask)y & ~m));
}

#endif
