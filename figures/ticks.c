/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of numbers at axes. */
#include "ticks.h"

#include <math.h>
#include <stddef.h>

double tick_step(double length, double most)
{
    static const double digits[] = {1, 2, 5, 10};
    const double least = length / most, power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i < 3 && digits[i] * power < least * (1 - 1e-12))
        i++;
    return digits[i] * power;
}
