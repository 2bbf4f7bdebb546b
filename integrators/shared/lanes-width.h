/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for a header of functions on vectors across eight systems, which is included behind this one for LANES_WIDTH 8, 4 and 2;
 * then comes this one for 0, which takes the names back:
 *   number    a vector of so many doubles, and `loosely`, the same at any address that a double may have
 *   truth     whole numbers of its comparisons
 *   WIDTH     how many numbers there are in it, and STRIDE, how many of them make eight
 *   OF(name)  how the names begin: eight_wide8_, eight_wide4_, eight_plain_
 *   TARGET    the attribute of functions for such vectors. */
#ifdef OF
#undef number
#undef loosely
#undef truth
#undef WIDTH
#undef STRIDE
#undef OF
#undef TARGET
#endif
#ifdef LANES_PUSHED
#undef LANES_PUSHED
#pragma GCC pop_options
#endif

/* GCC takes comparisons apart where a function that is to be inlined does not have the instructions itself. */
#if PH_LANES_WIDE && !defined(__clang__) && LANES_WIDTH > 2
#define LANES_PUSHED
#pragma GCC push_options
#if LANES_WIDTH == 8
#pragma GCC target("avx512f,avx512dq")
#else
#pragma GCC target("avx2")
#endif
#endif

#if LANES_WIDTH == 8
typedef double wide8 __attribute__((vector_size(64)));
typedef double wide8_loose __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t wide8_truth __attribute__((vector_size(64)));
#define number wide8
#define loosely wide8_loose
#define truth wide8_truth
#define WIDTH 8
#define STRIDE 1
#define OF(name) eight_wide8_##name
#define TARGET PH_LANES_AVX512
#elif LANES_WIDTH == 4
#define number vector
#define loosely loose
#define truth mask
#define WIDTH 4
#define STRIDE 2
#define OF(name) eight_wide4_##name
#define TARGET PH_LANES_AVX2
#elif LANES_WIDTH == 2
typedef double plain2 __attribute__((vector_size(16)));
typedef int64_t plain2_truth __attribute__((vector_size(16)));
#define number plain2
#define loosely loose_pair
#define truth plain2_truth
#define WIDTH 2
#define STRIDE 4
#define OF(name) eight_plain_##name
#define TARGET
#endif
#undef LANES_WIDTH
