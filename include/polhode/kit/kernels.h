/* SPDX-License-Identifier: BSD-3-Clause */
/* Which kernels there are: what steps of chains, trees and pairs of particles spend their time in is compiled
 * for any processor of its kind, and again for those with wide vectors. Which one is taken is asked when a
 * system of the catalogue is built and when an integrator is created or its step size set, and stays so for
 * that object. (Dense matrices of more than 24 rows ask when they are factored.)
 *
 * The environment variable POLHODE_KERNELS=plain leaves the wide ones aside (for tools that know not all
 * instructions of the processor, as valgrind; for comparing), "avx2" those for AVX-512; "wide", or not set:
 * what the processor has. It is only read, by getenv, at these moments: do not change it in another thread
 * meanwhile. ph_integrator_create refuses any other word (PH_E_UNKNOWN). A library that was configured with
 * --disable-wide-kernels has the plain ones only. One compiled for a certain processor (-march=...) is for
 * that one throughout, its plain kernels, too.
 *
 * All give the same bits.
 *
 * Further words, behind commas, as in "plain,no-trees", switch off ways that are faster than the general one
 * for some systems (ph_fast_paths), for tests and for finding a fault. */
#ifndef POLHODE_KERNELS_H
#define POLHODE_KERNELS_H

#include <polhode/export.h>

PH_BEGIN_DECLS

/** What the wide kernels use. */
enum {
    PH_KERNEL_AVX = 1 << 0,  /**< four numbers at once */
    PH_KERNEL_AVX2 = 1 << 1, /**< and whole numbers likewise */
    PH_KERNEL_FMA = 1 << 2,  /**< fused multiply-add, which no kernel of the library uses */
    /** Eight numbers at once, whole numbers among them (AVX-512, its parts F and DQ). */
    PH_KERNEL_AVX512 = 1 << 3
};

/** Those PH_KERNEL_... that the processor has and that may be used now; 0: plain kernels. For methods of your
 * own that have such kernels, too. Thread-safe as getenv is. */
PH_API unsigned ph_kernels(void);

/** Ways that are faster than the general one, in the order of their words in POLHODE_KERNELS. Results without
 * one have the same bits, or differ by rounding; `multistep` and guesses apart, steps are the same map. */
enum {
    PH_PATH_LANES = 1 << 0,        /**< no-lanes: eight members of an ensemble at once */
    PH_PATH_SHORT_CHAINS = 1 << 1, /**< no-short-chains: one link or two in registers */
    PH_PATH_CHAINS = 1 << 2,       /**< no-chains: rows of links, also on a cart or body */
    PH_PATH_TREES = 1 << 3,        /**< no-trees: trees of links, by `variational` */
    PH_PATH_ARTICULATED = 1 << 4,  /**< no-articulated: passes over bodies with joints */
    PH_PATH_TRAINS = 1 << 5,       /**< no-trains: cars with trailers */
    PH_PATH_CARRY = 1 << 6,      /**< no-carry: what a state keeps beside z and p, low-order parts among it */
    PH_PATH_AMD = 1 << 7,        /**< no-amd: the order of elimination by AMD, not Cuthill-McKee */
    PH_PATH_LIBDEFLATE = 1 << 8, /**< no-libdeflate: checksums of archives by libdeflate */
    PH_PATH_COMPILED = 1 << 9    /**< no-compiled: formulas of scenarios are compiled */
};

/** Those PH_PATH_... that may be used now: all, unless POLHODE_KERNELS switches some off. Asked at the same
 * moments as ph_kernels; no-libdeflate and no-compiled when they are due. */
PH_API unsigned ph_fast_paths(void);

PH_END_DECLS
#endif
