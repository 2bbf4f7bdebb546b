/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels in lanes share. */
#ifndef PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H
#define PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H

#include "lib/internal/lanes.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored                                                                               \
    "-Wmaybe-uninitialized" /* GCC 12, of vectors that are split where there is no AVX */
#endif

/* x where it is the larger one, else y: also where x is no number. */
INLINE vector ph_midpoint_larger(vector x, vector y)
{
    const mask m = x > y;
    return (vector)(((mask)x & m) | ((mask)y & ~m));
}

/* s + low <- s + low + d of four spins, on the spheres: ph_unit_correct_sum3 of the sums. */
INLINE void ph_midpoint_advance(vector *s, vector *low, const vector *d)
{
    const double splitter = 201326592; /* ph_upper_half */
    vector sum[3], rest[3], exact = all_lanes(-1), more = {0};
    for (size_t a = 0; a < 3; a++) {
        const vector move = d[a] + low[a];
        sum[a] = s[a] + move;
        const vector added = sum[a] - s[a];
        rest[a] = (s[a] - (sum[a] - added)) + (move - added);
    }
    for (size_t a = 0; a < 3; a++) { /* ph_unit_residual_sum3 */
        const vector upper = (sum[a] + splitter) - splitter;
        exact += upper * upper;
        more += (sum[a] - upper) * (sum[a] + upper) + 2 * sum[a] * rest[a];
    }
    const vector half = 0.5 * (exact + more);
    for (size_t a = 0; a < 3; a++) {
        const vector move = rest[a] - half * sum[a], end = sum[a] + move, added = end - sum[a];
        s[a] = end;
        low[a] = (sum[a] - (end - added)) + (move - added);
    }
}

#endif
