/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic on vectors of four numbers (lib/internal/lanes.h) that keeps low-order parts: exact sums, |q|^2
 * - 1 without cancellation, and two numbers of 21 bits after the leading one in the place of one. */
#ifndef PH_INTEGRATORS_SHARED_LANES_H
#define PH_INTEGRATORS_SHARED_LANES_H

#include "lib/internal/lanes.h"

/* Two numbers of which 21 places are enough, in the place of one. */
INLINE vector pair(vector first, vector second)
{
    const uint64_t half = UINT64_C(1) << 31;
    return (vector)((((bits)first + half) & ~(2 * half - 1)) | (((bits)second + half) >> 32));
}

INLINE vector first_of(vector pair)
{
    return (vector)((bits)pair & ~((UINT64_C(1) << 32) - 1));
}

INLINE vector second_of(vector pair)
{
    return (vector)((bits)pair << 32);
}
/* |q + low|^2 - 1 of four vectors in space: squares of the upper halves of q are exact, and so is their sum
 * (Dekker). */
INLINE vector excess_of(const vector *q, const vector *low)
{
    const double splitter = 0x1.8p27; /* what is added to it keeps 25 bits behind the point */
    vector upper = {-1, -1, -1, -1}, rest = {0, 0, 0, 0};
    for (int a = 0; a < 3; a++) {
        vector half = (q[a] + splitter) - splitter, lower = q[a] - half;
        upper += half * half;
        rest += (q[a] + half) * lower + (q[a] + q[a]) * low[a];
    }
    return upper + rest;
}

/* Knuth's: *s + *e = a + b */
INLINE void two_sum(vector a, vector b, vector *s, vector *e)
{
    vector sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

#endif
