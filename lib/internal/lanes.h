/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of four numbers, by the vector extensions of GCC and Clang, and functions that are compiled twice:
 * for any processor ("plain"), and for those with AVX, AVX2 or AVX-512 ("wide").
 *
 * A kernel is written once, as INLINE functions on vectors. INLINE functions take on the instruction set of
 * the function that they are inlined into, so only the outermost ones are compiled twice: PH_LANES_TWICE
 * makes name_plain and name_wide with the same body. What is constant in a copy (a kind of system, a number
 * of axes) is a constant argument in that body. An object keeps a pointer to the copy that it uses, which is
 * chosen when the object is created, by ph_lanes. The bits of both are the same: each lane computes what C
 * computes with one number, and nothing is fused (-ffp-contract=off).
 *
 * Without AVX, GCC splits a vector of four in two halves, which it does not keep in registers across a loop.
 * Where that matters (sums over long loops) a kernel is a header of functions OF(name) on a type `number`,
 * included once with `number` a loose_pair for the plain copy, once with `number` loose for the wide one. */
#ifndef PH_INTERNAL_LANES_H
#define PH_INTERNAL_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <polhode/kit/kernels.h>

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are arguments of inlined functions only */
#endif

enum { LANES = 4 };

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES))); /* of comparisons: -1 where they hold, else 0 */
typedef uint64_t bits __attribute__((vector_size(8 * LANES)));
/* A vector, and half of one, at any address that a double may have. */
typedef double loose __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef double loose_pair __attribute__((vector_size(16), aligned(8), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* ---- Copies for other instruction sets ----------------------------------------------------------- */

/* Before a function: the instruction set of its wide copy. PH_LANES_AVX is enough where no lanes are whole
 * numbers: compilers swap halves of vectors by AVX2's permutation of all lanes if they may, which takes twice
 * as long on some processors. (GCC does not align the stack for such vectors on Windows.) */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) && !defined(PH_PLAIN_KERNELS)
#define PH_LANES_WIDE true
#define PH_LANES_AVX __attribute__((target("avx")))
#define PH_LANES_AVX2 __attribute__((target("avx2")))
#define PH_LANES_AVX512 __attribute__((target("avx512f,avx512dq")))
#else
#define PH_LANES_WIDE false
#define PH_LANES_AVX
#define PH_LANES_AVX2
#define PH_LANES_AVX512
#endif

/* Defines name_plain and, for `target`, name_wide; then come the statements of their body, which may ask
 * whether it is the `wide` one. Where all copies are plain both are the same, and the compiler keeps one. */
#define PH_LANES_COPY(is_wide, result, name, parameters, ...)                                                \
    static result name parameters                                                                            \
    {                                                                                                        \
        const bool wide = is_wide;                                                                           \
        (void)wide;                                                                                          \
        __VA_ARGS__                                                                                          \
    }
#define PH_LANES_TWICE(target, result, name, parameters, ...)                                                \
    PH_LANES_COPY(false, result, name##_plain, parameters, __VA_ARGS__)                                      \
    target PH_LANES_COPY(PH_LANES_WIDE, result, name##_wide, parameters, __VA_ARGS__)

/* May wide copies run that use these PH_KERNEL_...? A constant, false, where all copies are plain. */
static inline bool ph_lanes(unsigned kernels)
{
    return PH_LANES_WIDE && (ph_kernels() & kernels) == kernels;
}

/* ---- Loads, stores, permutations ----------------------------------------------------------------- */

/* Lanes i, j, k, l of two vectors, of which the second has the lanes 4 to 7. */
#if defined(__clang__)
#define SHUFFLE(first, second, i, j, k, l) __builtin_shufflevector(first, second, i, j, k, l)
#else
#define SHUFFLE(first, second, i, j, k, l) __builtin_shuffle(first, second, (mask){i, j, k, l})
#endif

/* Halves of v in any order: 0 the first, 1 the second. Compiled for AVX2 throughout (-march=...), compilers
 * would permute all lanes, see PH_LANES_AVX. */
#if defined(__AVX__)
#define HALVES(v, i, j) ((vector)__builtin_ia32_vperm2f128_pd256(v, v, (i) | (j) << 4))
#else
#define HALVES(v, i, j) SHUFFLE(v, v, 2 * (i), 2 * (i) + 1, 2 * (j), 2 * (j) + 1)
#endif

INLINE vector load(const double *from)
{
    return *(const loose *)(const void *)from;
}

INLINE void store(double *to, vector v)
{
    *(loose *)(void *)to = v;
}

/* x in all lanes. */
INLINE vector all_lanes(double x)
{
    return (vector){x, x, x, x};
}

INLINE vector absolute(vector v)
{
    return (vector)((mask)v & INT64_MAX);
}

INLINE bool any(mask m)
{
    return m[0] | m[1] | m[2] | m[3];
}

#endif
