/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels in lanes share. */
#ifndef PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H
#define PH_INTEGRATORS_SPHERICAL_MIDPOINT_LANES_H

#include <stddef.h>

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

/* v <- four spins in a row, by components; and back. */
INLINE void ph_midpoint_read(const double *from, vector *v)
{
    const vector a = load(from), b = load(from + LANES), c = load(from + 2 * LANES);
    const vector x = SHUFFLE(SHUFFLE(a, b, 0, 1, 6, 3), c, 0, 5, 2, 3),
                 y = SHUFFLE(SHUFFLE(b, a, 0, 5, 2, 3), c, 0, 1, 6, 3),
                 z = SHUFFLE(SHUFFLE(c, b, 0, 5, 2, 3), a, 0, 1, 6, 3);
    v[0] = SHUFFLE(x, x, 0, 3, 2, 1);
    v[1] = SHUFFLE(y, y, 1, 0, 3, 2);
    v[2] = SHUFFLE(z, z, 2, 1, 0, 3);
}

INLINE void ph_midpoint_write(const vector *v, double *to)
{
    const vector x = SHUFFLE(v[0], v[0], 0, 3, 2, 1), y = SHUFFLE(v[1], v[1], 1, 0, 3, 2),
                 z = SHUFFLE(v[2], v[2], 2, 1, 0, 3);
    store(to, SHUFFLE(SHUFFLE(x, y, 0, 5, 2, 3), z, 0, 1, 6, 3));
    store(to + LANES, SHUFFLE(SHUFFLE(y, z, 0, 5, 2, 3), x, 0, 1, 6, 3));
    store(to + 2 * LANES, SHUFFLE(SHUFFLE(z, x, 0, 5, 2, 3), y, 0, 1, 6, 3));
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
