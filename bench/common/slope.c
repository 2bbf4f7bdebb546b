/* SPDX-License-Identifier: BSD-3-Clause */
/* A straight line on logarithmic axes, by least squares. */
#include "slope.h"

#include <math.h>

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
