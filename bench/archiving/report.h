/* SPDX-License-Identifier: BSD-3-Clause */
/* What archiving costs, as a kind of bench: options, results, and their output: a table for the terminal and
 * archive-costs.json. */
#ifndef POLHODE_BENCH_ARCHIVING_REPORT_H
#define POLHODE_BENCH_ARCHIVING_REPORT_H

#include <stdio.h>

#include "archiving.h"
#include "bench/kind/kind.h"

typedef struct archiving_report {
    bench_run run;
    double budget;
    archiving costs;
} archiving_report;

void archiving_table(FILE *out, const archiving_report *r);
extern const result_field archiving_results[]; /* of an archiving_report */

#endif
