/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and standard deviation of numbers, summed in twice the digits of double: the same on every machine, whatever long double is. */
#ifndef PH_INTERNAL_MEAN_H
#define PH_INTERNAL_MEAN_H

#include "pair.h"

#include <math.h>
#include <stddef.h>

/* Of n finite numbers; without enough of them NAN. A power of two in front of them all: no square is beyond the range. */
static inline void ph_mean(const double *x, size_t n, double *mean, double *deviation)
{
    pair sum = {0, 0}, squares = {0, 0};
    double largest = 0;
    int e;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    (void)frexp(largest, &e);
    for (size_t i = 0; i < n; i++)
        sum = pair_add(sum, (pair){ldexp(x[i], -e), 0});
    const pair middle = pair_over(sum, (pair){(double)n, 0});
    for (size_t i = 0; i < n; i++) {
        const pair from = pair_add((pair){ldexp(x[i], -e), 0}, pair_minus(middle));
        squares = pair_add(squares, pair_product(from.high, from.high));
    }
    *mean = n ? ldexp(pair_value(middle), e) : (double)NAN;
    *deviation = n > 1 ? ldexp(sqrt(pair_value(squares) / (double)(n - 1)), e) : (double)NAN;
}

#endif
