/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes on logarithmic axes, differences, quantiles. */
#include "numbers.h"

#include <math.h>
#include <stdlib.h>

double log_slope(const double *x, const double *y, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, m = (double)n;
    for (size_t i = 0; i < n; i++) {
        double a = log(x[i]), b = log(y[i]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return n < 2 ? (double)NAN : (m * sxy - sx * sy) / (m * sxx - sx * sx);
}

double largest_difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        if (!(d <= most))
            most = d; /* a NaN stays */
    }
    return most;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sort_numbers(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare_numbers);
}

double sorted_quantile(const double *x, size_t n, double p)
{
    const double place = p * (double)(n - 1);
    const size_t i = (size_t)place;
    return i + 1 < n ? x[i] + (place - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}
