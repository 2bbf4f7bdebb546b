/* SPDX-License-Identifier: BSD-3-Clause */
/* What every public header needs: C linkage and the mark of an exported symbol.
 * The library is built with hidden visibility; only what carries PH_API leaves it. */
#ifndef POLHODE_EXPORT_H
#define POLHODE_EXPORT_H

#include <stdint.h> /* where there is glibc, it says so */

#if defined(__GNUC__) || defined(__clang__)
/** The mark of an exported symbol. */
#define PH_API __attribute__((visibility("default")))
/** A function whose arguments are checked like those of printf. */
#define PH_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define PH_API
#define PH_PRINTF(format_index, first)
#endif

/** Marks a function whose inner loop calls fma, or gains from AVX: compiled twice, for processors
 * that have fma (there a call of the mathematical library would cost ten times as much), and with it AVX, and
 * for any. Nothing else is fused (-ffp-contract=off): the results are the same bits. Which of the two is
 * called is decided by an indirect function, which the C library must support: glibc does, musl does not. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&                 \
    !defined(__FMA__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                  \
    !defined(PH_PLAIN_KERNELS)
#define PH_WITH_FMA __attribute__((target_clones("fma", "default")))
#else
#define PH_WITH_FMA
#endif

#ifdef __cplusplus
#define PH_BEGIN_DECLS extern "C" {
#define PH_END_DECLS }
#else
/** From here to PH_END_DECLS declarations have C linkage. */
#define PH_BEGIN_DECLS
/** See PH_BEGIN_DECLS. */
#define PH_END_DECLS
#endif

#endif
