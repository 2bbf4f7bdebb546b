/* SPDX-License-Identifier: BSD-3-Clause */
/* A number as the sum of two: high is the sum to the nearest, low what is left of it. Sums and products of pairs lose some 2^-104 of
 * their terms. */
#ifndef PH_INTERNAL_PAIR_H
#define PH_INTERNAL_PAIR_H

#include <polhode/kit/vector.h>

#include <stdint.h>
#include <string.h>

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "sums and products are to be rounded to double (for x86: -msse2 -mfpmath=sse)"
#endif

typedef struct pair {
    double high, low;
} pair;

/* a + b, where |a| >= |b| or a is 0. */
static inline pair pair_of(double a, double b)
{
    const double sum = a + b;
    return (pair){sum, b - (sum - a)};
}

static inline pair pair_sum(double a, double b)
{
    pair sum;
    ph_two_sum(a, b, &sum.high, &sum.low);
    return sum;
}

static inline pair pair_product(double a, double b)
{
    pair product;
    ph_two_product(a, b, &product.high, &product.low);
    return product;
}

static inline pair pair_add(pair a, pair b)
{
    const pair sum = pair_sum(a.high, b.high);
    return pair_of(sum.high, sum.low + (a.low + b.low));
}

static inline pair pair_times(pair a, double b)
{
    const pair product = pair_product(a.high, b);
    return pair_of(product.high, product.low + a.low * b);
}

static inline pair pair_minus(pair a)
{
    return (pair){-a.high, -a.low};
}

static inline pair pair_over(pair a, pair b)
{
    const double q = a.high / b.high;
    const pair product = pair_product(q, b.high);
    return pair_of(q, (((a.high - product.high) - product.low) + (a.low - q * b.low)) / b.high);
}

static inline pair pair_sqrt(pair a)
{
    const double root = sqrt(a.high);
    const pair square = pair_product(root, root);
    return pair_of(root, (((a.high - square.high) - square.low) + a.low) / (2 * root));
}

static inline double pair_value(pair a)
{
    return a.high + a.low;
}

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^e of a normal number. */
static inline double power_of_two(int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The integer nearest to x, |x| < 2^51. */
static inline double nearest(double x)
{
    const double shift = 0x1.8p52;
    return (x + shift) - shift;
}

#endif
