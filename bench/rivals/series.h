/* SPDX-License-Identifier: BSD-3-Clause */
/* What the Taylor series of kinds of systems share (taylor.c has the method). The unknowns are y = (z, w) in R^n, w velocities; a
 * kind has its own order of them, in which the coefficients of y are c (orders x width): k-th derivatives by k!, so that
 * y(t + s) = sum_k c_k s^k. What is no unknown in it is 0.
 */
#ifndef POLHODE_BENCH_RIVALS_SERIES_H
#define POLHODE_BENCH_RIVALS_SERIES_H

#if defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) /* takes minutes there */
#pragma GCC optimize("O3")
#endif
#include "wide.h"

#include <polhode/kit/memory.h>
#include <polhode/polhode.h>

enum { SERIES_ORDER = 20, SERIES_LANES = 4 };

typedef double lanes __attribute__((vector_size(8 * SERIES_LANES), aligned(8), may_alias));
typedef long long lane_numbers __attribute__((vector_size(8 * SERIES_LANES)));

INLINE lanes series_load(const double *from)
{
    return *(const lanes *)(const void *)from;
}

INLINE void series_store(double *to, lanes v)
{
    *(lanes *)(void *)to = v;
}

#if defined(__clang__)
#define SERIES_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define SERIES_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (lane_numbers){i, j, k, l})
#endif

/* A kind of systems. `own` is what it needs in the scratch of the method. */
typedef struct series_kind {
    const char *field; /* the form of the equations in which (z, w) are given */
    bool (*takes)(const ph_system *system);
    /* Lay out `own`, which is returned (NULL while sizes are added up). *width <- numbers in a c_k, a multiple of SERIES_LANES. */
    void *(*lay)(const ph_system *system, ph_lay *l, size_t *width);
    void (*init)(void *own, const ph_system *system);
    void (*set)(const void *own, const double *y, double *c); /* c_0 <- y */
    void (*get)(const void *own, const double *c, double *y); /* y <- what is in the place of a c_0 */
    void (*expand)(void *own, int p, double *c);              /* c_1 ... c_p <- from c_0 */
} series_kind;

extern const series_kind series_links, series_body;

#endif
