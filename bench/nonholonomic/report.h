/* SPDX-License-Identifier: BSD-3-Clause */
/* Long runs of systems with velocity constraints as a kind of bench: options, results, and their output. */
#ifndef POLHODE_BENCH_NONHOLONOMIC_REPORT_H
#define POLHODE_BENCH_NONHOLONOMIC_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "nonholonomic.h"

typedef struct nonholonomic_report {
    bench_run run;
    int64_t steps;                   /* stages of each run */
    const nonholonomic_case **cases; /* (n_items) */
    nonholonomic *results;           /* (n_items) */
} nonholonomic_report;

void nonholonomic_table(FILE *out, const nonholonomic *r);
void nonholonomic_page_table(FILE *f, const nonholonomic *r);
/* Sentences about the case, as page_words takes them (malloc); NULL without memory. */
char *nonholonomic_words(const nonholonomic *r);

extern const bench_table nonholonomic_tables[];
extern const result_field nonholonomic_results[]; /* of a nonholonomic_report */
extern const page_frame nonholonomic_page;

#endif
