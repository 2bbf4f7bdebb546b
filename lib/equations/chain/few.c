/* SPDX-License-Identifier: BSD-3-Clause */
/* Runge-Kutta steps of chains of one or two links (few.h), with and without a cart, plain and
 * for processors with AVX2 and FMA. */
#include "rk4.h"

#include <string.h>

#ifndef __clang__ /* GCC would load pairs by one instruction, which waits until two recent stores are done */
#pragma GCC optimize("no-tree-slp-vectorize", "no-tree-loop-distribute-patterns")
#endif

#define MADD(a, b, c) ((a) * (b) + (c))
#define KERNEL(name) plain_##name
#include "few.h"
#undef KERNEL
#undef MADD

#if defined __x86_64__ && defined __GNUC__ && !defined PH_PLAIN_KERNELS
#define FUSED
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define MADD(a, b, c) __builtin_fma(a, b, c)
#define KERNEL(name) fused_##name
#include "few.h"
#undef KERNEL
#undef MADD
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

ph_chain_advance ph_chain_few(size_t n, size_t d, bool cart, bool fused)
{
    static const ph_chain_advance plain[2][2][2] = {
        {{plain_one_2, plain_one_3}, {plain_two_2, plain_two_3}},
        {{plain_cart_one_2, plain_cart_one_3}, {plain_cart_two_2, plain_cart_two_3}}};
#ifdef FUSED
    static const ph_chain_advance fusing[2][2][2] = {
        {{fused_one_2, fused_one_3}, {fused_two_2, fused_two_3}},
        {{fused_cart_one_2, fused_cart_one_3}, {fused_cart_two_2, fused_cart_two_3}}};
    if (fused)
        return fusing[cart][n - 1][d - 2];
#else
    (void)fused;
#endif
    return plain[cart][n - 1][d - 2];
}
