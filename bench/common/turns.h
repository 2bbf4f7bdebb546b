/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that are repeated in turn for their CPU times, and what an accuracy costs by them. */
#ifndef POLHODE_BENCH_TURNS_H
#define POLHODE_BENCH_TURNS_H

#include <stddef.h>

enum { TURNS_MOST = 15 }; /* times that are kept of a run */

/* Enter a time [s] as the next of times (TURNS_MOST; *turns of them are there): *median, *least <- of all so far. */
void turns_enter(double *times, size_t *turns, double seconds, double *median, double *least);

/* CPU seconds for an error of `level`, interpolated on logarithmic axes between the points around it; INFINITY if
 * none of the n points, from coarse to fine, is that good. Where a point is not there, its error is NaN. */
double turns_cost(const double *errors, const double *seconds, size_t n, double level);

#endif
