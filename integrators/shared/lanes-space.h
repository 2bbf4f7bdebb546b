/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic in the lanes of a vector `number`, with the names of lanes-width.h: choices, exact sums, vectors in space. Included
 * once for each type; `number` is double where no `truth` is defined, and has no choices. */

#ifdef truth
/* Of a where it holds, else of b. */
INLINE number OF(choose)(truth holds, number a, number b)
{
    return (number)(((truth)a & holds) | ((truth)b & ~holds));
}

INLINE number OF(absolute)(number v)
{
    return (number)((truth)v & INT64_MAX);
}

/* The larger; of which one is NaN, that where it is the first. */
INLINE number OF(larger)(number a, number b)
{
    return OF(choose)(b > a, b, a);
}
#endif

INLINE void OF(two_sum)(number a, number b, number *s, number *e)
{
    const number sum = a + b, added = sum - a;
    *e = (a - (sum - added)) + (b - added);
    *s = sum;
}

INLINE number OF(dot)(const number *a, const number *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void OF(cross)(const number *a, const number *b, number *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}
