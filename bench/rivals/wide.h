/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels as users write them: compiled twice, for any processor and, WIDE, for those with AVX2 and FMA; multiply-adds are fused, which
 * the library's kernels do nowhere. Included before any other header. */
#ifndef POLHODE_BENCH_RIVALS_WIDE_H
#define POLHODE_BENCH_RIVALS_WIDE_H

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are arguments of inlined functions only */
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=fast")
#endif

#include <polhode/kit/kernels.h>

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)
#define WIDE __attribute__((target("avx2,fma")))
#else
#define WIDE
#endif

/* May WIDE copies run? */
static inline bool wide_runs(void)
{
    static const unsigned wanted = PH_KERNEL_AVX2 | PH_KERNEL_FMA;
    return (ph_kernels() & wanted) == wanted;
}

#endif
