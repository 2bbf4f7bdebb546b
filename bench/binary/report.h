/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary asteroids as a kind of bench: options, results, and their output: tables and sentences for the terminal, binary.json,
 * binary.csv, binary-runs.csv, and a page, report.html. */
#ifndef POLHODE_BENCH_BINARY_REPORT_H
#define POLHODE_BENCH_BINARY_REPORT_H

#include <stdio.h>

#include "bench/common/tenths.h"
#include "bench/kind/kind.h"
#include "bench/report/costs.h"
#include "binary.h"

typedef struct binary_report {
    bench_run run;
    option_texts methods;
    const char *there[CONTENDERS_MOST]; /* the standard ones of this build */
    int64_t order;
    bool years;
    binary_plan plan;
    const binary_case **cases; /* (run.n_items) */
    binary *results;           /* (run.made) */
} binary_report;

void binary_tables(FILE *out, const binary *b);
/* The results in sentences (malloc; NULL without memory). Lines; one that begins with two spaces is a sentence, any other a
 * heading. */
char *binary_words(const binary *b);
/* What accuracies cost; of b. */
cost_table binary_costs(const binary *b);

/* How the energy error of a long run behaves. */
growth binary_judge(const binary_run *r);

extern const bench_table binary_csv[];
json_object *binary_json(builder *b, const bench_run *run);
extern const page_frame binary_page;

#endif
