/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over four numbers at once, by the vector extensions of GCC and Clang. Such a loop is a header of its
 * own that includes this one and is included twice, for processors with AVX2 (PH_WIDE 1: one vector of four)
 * and for any (PH_WIDE 0: two vectors of two). PH_PICK(wide, loop) selects one of them; ph_wide_loops() says
 * whether the processor supports the wide one, and its answer is kept with the data of the loop. Each lane
 * computes what C computes with one number, and nothing is fused (-ffp-contract=off): where sums over lanes
 * are taken in the same order, both give the same bits. PH_NARROW: only the narrow loop is compiled. */
#ifndef PH_INTERNAL_VECTORS_H
#define PH_INTERNAL_VECTORS_H

#include <stdbool.h>

#include <polhode/kernels.h>

/* Vectors may be at any address that a double may have. */
typedef double ph_vector2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double ph_vector4 __attribute__((vector_size(32), aligned(8), may_alias));
/* The result of a comparison: -1 where it holds, else 0. */
typedef long long ph_truth2 __attribute__((vector_size(16)));
typedef long long ph_truth4 __attribute__((vector_size(32)));

/* For the functions that such a loop calls. */
#define PH_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__) && !defined(PH_NARROW) && !defined(PH_PLAIN_KERNELS)
#define PH_HAS_WIDE 1
#define PH_PICK(wide, name) ((wide) ? name##_wide : name##_narrow)
#else
#define PH_HAS_WIDE 0
#define PH_PICK(wide, name) ((void)(wide), name##_narrow)
#endif

static inline bool ph_wide_loops(void)
{
    return ph_kernels() & PH_KERNEL_AVX2;
}

#endif

/* ---- For the loop that is being included --------------------------------------------------------- */

#undef PH_VECTOR
#undef PH_TRUTH
#undef PH_LANES
#undef PH_NAME
#undef PH_TARGET
#if PH_WIDE
#define PH_VECTOR ph_vector4
#define PH_TRUTH ph_truth4
#define PH_LANES 4
#define PH_NAME(name) name##_wide
#define PH_TARGET __attribute__((target("avx2")))
#else
#define PH_VECTOR ph_vector2
#define PH_TRUTH ph_truth2
#define PH_LANES 2
#define PH_NAME(name) name##_narrow
#define PH_TARGET
#endif
