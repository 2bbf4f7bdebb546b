/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of lists of numbers. */
#ifndef POLHODE_BENCH_NUMBERS_H
#define POLHODE_BENCH_NUMBERS_H

#include <stddef.h>

/* The slope of log y against log x (n) by least squares; NaN for fewer than two points. */
double log_slope(const double *x, const double *y, size_t n);
/* The largest |a - b| of an entry (n); NaN where one is. */
double largest_difference(const double *a, const double *b, size_t n);
/* Sort in ascending order. */
void sort_numbers(double *x, size_t n);
/* The p-quantile of sorted numbers (n > 0), linear between them; 0.5 is the median. */
double sorted_quantile(const double *x, size_t n, double p);

#endif
