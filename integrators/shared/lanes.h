/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of four numbers, by the vector extensions of GCC and Clang, for kernels that are compiled twice:
 * for any processor, and for those that have AVX or AVX2 (but without fused multiply-add, so that the bits
 * are the same). */
#ifndef PH_INTEGRATORS_SHARED_LANES_H
#define PH_INTEGRATORS_SHARED_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <polhode/kernels.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are arguments of inlined functions only */
#endif

enum { LANES = 4 };

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));
typedef uint64_t bits __attribute__((vector_size(8 * LANES)));
typedef double loose __attribute__((vector_size(8 * LANES), aligned(8), may_alias)); /* anywhere in memory */

#define INLINE static inline __attribute__((always_inline))

/* Lanes i, j, k, l of the two behind each other. */
#if defined(__clang__)
#define SHUFFLE(first, second, i, j, k, l) __builtin_shufflevector(first, second, i, j, k, l)
#else
#define SHUFFLE(first, second, i, j, k, l) __builtin_shuffle(first, second, (mask){i, j, k, l})
#endif

/* Halves of v in any order: 0 the first, 1 the second. Where there is AVX2 compilers would permute all lanes,
 * which takes twice as long on some processors. */
#if defined(__AVX__)
#define HALVES(v, i, j) ((vector)__builtin_ia32_vperm2f128_pd256(v, v, (i) | (j) << 4))
#else
#define HALVES(v, i, j) SHUFFLE(v, v, 2 * (i), 2 * (i) + 1, 2 * (j), 2 * (j) + 1)
#endif

/* Before the copy of a function for AVX2, where there can be one; ph_kernels says whether it is to run. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__AVX2__) && !defined(PH_PLAIN_KERNELS)
#define PH_LANES_AVX2 __attribute__((target("avx2")))
#endif

/* Likewise for AVX, which is enough where no lanes are whole numbers: to swap halves by what AVX has for it
 * takes half as long on some processors as by what AVX2 has. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__AVX__) && !defined(PH_PLAIN_KERNELS)
#define PH_LANES_AVX __attribute__((target("avx")))
#endif

INLINE vector load(const double *from)
{
    return *(const loose *)(const void *)from;
}

INLINE void store(double *to, vector v)
{
    *(loose *)(void *)to = v;
}

INLINE vector absolute(vector v)
{
    return (vector)((mask)v & INT64_MAX);
}

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

INLINE bool any(mask m)
{
    return m[0] | m[1] | m[2] | m[3];
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
