/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to archive a run: the same motion without and with rows, in turn, in CPU time of the process,
 * including that of the operating system for it. */
#ifndef POLHODE_BENCH_ARCHIVING_H
#define POLHODE_BENCH_ARCHIVING_H

#include <polhode/polhode.h>

#include "bench/common/watch.h"

/* Figures are NaN, counts 0, where nothing was measured. */
typedef struct archiving_case {
    const char *name;
    int64_t every;  /* steps between rows */
    size_t numbers; /* in a row */
    double h;       /* [s] */
    int64_t steps;  /* of a run */
    size_t rounds;
    double without, with; /* ns a step, the least of all rounds */
    /* what rows add to the time of the run: median of the ratios within a round, minus 1; */
    double cost;
    double cost_low, cost_high; /* their quartiles; */
    double cost_least;          /* from the least times */
    double row;                 /* ns a row, from the least times */
    int64_t rows, bytes;        /* of the file */
    double bytes_per_number;
} archiving_case;

enum { ARCHIVING_CASES = 3 };

typedef struct archiving {
    archiving_case cases[ARCHIVING_CASES];
    size_t n; /* that were begun */
} archiving;

typedef struct archiving_plan {
    const char *directory; /* archives are written, and removed, there */
    double budget;         /* [s of wall clock] for each case, at least */
    bench_watch *progress;
} archiving_plan;

/* PH_E_INTERRUPTED (finished cases are kept), PH_E_IO, PH_E_NO_MEMORY. */
ph_status archiving_measure(archiving *a, const archiving_plan *plan, ph_error *err);

#endif
