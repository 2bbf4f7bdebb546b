/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of comparisons: a table and sentences for the terminal, results.json, results.csv, curves.csv,
 * and a page, report.html, with its figures inside. */
#ifndef POLHODE_BENCH_REPORT_H
#define POLHODE_BENCH_REPORT_H

#include <stdio.h>

#include "bench/report/file.h"
#include "bench/report/page.h"
#include "comparison.h"

typedef struct report {
    const comparison *comparisons;
    size_t n;
    surroundings where;
} report;

/* words <- the sentences of a comparison (malloc; NULL without memory), made from its figures alone. */
char *report_words(const comparison *c);

void report_table(FILE *out, const comparison *c);
/* What results.json has. */
ph_status report_print(const report *r, FILE *out, ph_error *err);

/* directory/results.json; results.csv, work-precision.csv and curves.csv: each written aside and then
 * renamed. */
ph_status report_json(const report *r, const char *directory, ph_error *err);
ph_status report_csv(const report *r, const char *directory, ph_error *err);

/* directory/report.html. Without gnuplot it has its tables and words, and says what is missing. */
ph_status report_html(const report *r, const char *directory, report_figures *figures, ph_error *err);

#endif
