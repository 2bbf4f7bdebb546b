/* SPDX-License-Identifier: BSD-3-Clause */
/* Least, largest and mean values of neighbouring rows, of any number of them in constant memory: buckets become twice as long when they are
 * full. */
#ifndef POLHODE_TOOLS_PLOT_BUCKETS_H
#define POLHODE_TOOLS_PLOT_BUCKETS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

enum { BUCKETS_MOST = 1024 };

typedef struct buckets {
    size_t columns, n; /* buckets */
    int64_t each;      /* rows of a bucket; the last one may have fewer */
    int64_t entered, in_last;
    double *t;      /* (n) of the first row */
    double *values; /* (n x columns x 4): least, largest, sum, count */
} buckets;

/* *b <- without rows. PH_E_NO_MEMORY. buckets_free also after an error. */
ph_status buckets_start(buckets *b, size_t columns, ph_error *err);
/* Values (columns) that are not finite are left out. */
void buckets_enter(buckets *b, double t, const double *values);
/* Of column k in bucket i; NaN where it has no finite value. */
double buckets_least(const buckets *b, size_t i, size_t k);
double buckets_most(const buckets *b, size_t i, size_t k);
double buckets_mean(const buckets *b, size_t i, size_t k);
void buckets_free(buckets *b);

#endif
