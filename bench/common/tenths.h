/* SPDX-License-Identifier: BSD-3-Clause */
/* How the energy error of a long run behaves: its first and its last tenth compared. */
#ifndef POLHODE_BENCH_TENTHS_H
#define POLHODE_BENCH_TENTHS_H

#include <stddef.h>
#include <stdint.h>

#include <polhode/status.h>

/* Of the samples in the first (0) and in the last (1) tenth. Zero-initialise. */
typedef struct tenths {
    double most[2]; /* the largest |error| */
    double sum[2];
    size_t n[2];
} tenths;

/* Enter the error of a sample, from 1 to samples. 0, 1: it is in the first, the last tenth; -1: in neither. */
int tenths_enter(tenths *t, int64_t sample, int64_t samples, double error);
/* The mean of the last tenth less that of the first; NaN where the last has no sample. */
double tenths_drift(const tenths *t);

typedef enum growth {
    GROWTH_ROUNDING, /* at most 1e-12 */
    GROWTH_FLAT,     /* not larger in the last tenth than in the first, by half */
    GROWTH_GROWS,    /* larger */
    GROWTH_FAILED,   /* the run ended early */
    GROWTH_ABSENT,   /* it was not run: PH_E_UNKNOWN */
    GROWTHS
} growth;
growth growth_judge(ph_status status, double first, double last);
/* In a word or two, for tables. */
const char *growth_text(growth g);

#endif
