/* SPDX-License-Identifier: BSD-3-Clause */
/* The power by which one thing grows with another. */
#ifndef POLHODE_BENCH_SLOPE_H
#define POLHODE_BENCH_SLOPE_H

#include <stddef.h>

/* The slope of log y against log x (n) by least squares; NaN for fewer than two points. */
double log_slope(const double *x, const double *y, size_t n);

#endif
