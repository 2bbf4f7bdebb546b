/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest error in bins of time that are equal on a logarithmic axis, and properties of such a curve. */
#ifndef POLHODE_BENCH_CURVE_H
#define POLHODE_BENCH_CURVE_H

#include <stddef.h>

enum { BINS_PER_DECADE = 24, BINS_MOST = 24 * 14 };

/* Bin i ends at t_first 10^(i/BINS_PER_DECADE); NaN where no error was entered. Times are elapsed times. */
typedef struct curve {
    double t_first, t_last; /* end of the first bin; last time entered */
    double bin[BINS_MOST];
    size_t n;
} curve;

curve curve_start(double t_first);
/* Enter |error| at elapsed time t > 0; the start itself (t < t_first / 2) is ignored. */
void curve_enter(curve *c, double t, double error);
void curve_scale(curve *c, double factor);

/* The largest |error| in bin i; NaN if it is empty. */
double curve_bin(const curve *c, size_t i);
/* The time at the end of bin i (or of the last output), and the largest error up to and including it. */
double curve_time(const curve *c, size_t i);
double curve_running_max(const curve *c, size_t i);
/* Largest error up to elapsed time t (of the bins that end by then); NaN if they are empty. */
double curve_until(const curve *c, double t);
/* Slope of log(running maximum) against log(time) over the last decade of time; NaN for a shorter curve. */
double curve_exponent(const curve *c);

#endif
