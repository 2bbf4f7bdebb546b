/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space as two kinds of bench, of magnets and of vortices: options, results, and their output: tables and
 * sentences for the terminal, spins.json (vortices.json), two CSV files, and a page, report.html. */
#ifndef POLHODE_BENCH_SPINS_REPORT_H
#define POLHODE_BENCH_SPINS_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "bench/report/costs.h"
#include "spins.h"

typedef struct spins_report {
    bench_run run;
    bool vortices; /* which of the two kinds it is */
    option_texts methods;
    const char *there[CONTENDERS_MOST]; /* the standard ones of this build */
    spins_plan plan;
    const spins_case **cases; /* (run.n_items) */
    spins *results;           /* (run.made) */
} spins_report;

void spins_tables(FILE *out, const spins *s);
/* The results in sentences (malloc; NULL without memory). Lines; one that begins with two spaces is a sentence, any other a
 * heading. */
char *spins_words(const spins *s);
/* What accuracies cost; of s. */
cost_table spins_costs(const spins *s, spins_quantity what);

extern const bench_table spins_csv[], vortices_csv[];
json_object *spins_json(builder *b, const bench_run *run);
extern const page_frame spins_page, vortices_page;

#endif
