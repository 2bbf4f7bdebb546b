/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison of methods as a kind of bench: options, results, and their output: a table and sentences for
 * the terminal, results.json, results.csv, work-precision.csv, curves.csv, and a page, report.html, with its
 * figures inside. */
#ifndef POLHODE_BENCH_REPORT_H
#define POLHODE_BENCH_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "comparison.h"

enum { REPORT_CONTENDERS = 16 };

/* A problem that is loaded; options override the table. */
typedef struct report_entry {
    problem problem;
    ph_scenario *scenario;
    contender contenders[REPORT_CONTENDERS];
    size_t n_contenders;
} report_entry;

typedef struct report {
    bench_run run;
    option_texts methods;
    option_numbers steps;
    double time, budget;
    bool words;              /* print all tables and findings */
    const char **standard;   /* names, where none are given; owned */
    report_entry *entries;   /* (run.n_items) */
    comparison *comparisons; /* (run.made) */
} report;

extern const page_frame report_page;
extern const bench_table report_tables[];
extern const result_field report_results[]; /* of a report */

/* The sentences of a comparison (malloc; NULL without memory), made from its results alone. Lines; one that
 * begins with two spaces is a sentence, any other a heading. */
char *report_words(const comparison *c);
void report_table(FILE *out, const comparison *c);
/* Of the page: the first screen, which shows the first problem, and the polhode of the first one that has one (false, and nothing
 * written, where the first problem has nothing to show); the figures of a comparison. */
int report_front(FILE *out, const void *self);
ph_status report_figures(FILE *f, const comparison *c, ph_error *err);

#endif
