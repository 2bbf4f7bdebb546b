/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead as a kind of bench: its arguments with its results, and how these are shown. */
#ifndef POLHODE_BENCH_AHEAD_REPORT_H
#define POLHODE_BENCH_AHEAD_REPORT_H

#include "ahead.h"
#include "bench/kind/kind.h"

typedef struct ahead_report {
    bench_run run;
    option_texts methods;
    const char *present[AHEAD_CONTENDERS]; /* contenders that this build has, */
    const char *missing[AHEAD_CONTENDERS]; /* (n_missing) and those of the default ones that it has not */
    size_t n_missing;
    ahead_plan plan;
    ahead *systems; /* (run.n_items) */
} ahead_report;

/* The words for a standing: "ahead", "behind", ... */
const char *ahead_standing_word(ahead_standing standing);
/* A cell of the matrix: the ratio, or who alone is that good. */
void ahead_cell(const ahead_level *level, char text[24]);
/* In sentences: of a system; of all of them, with where we are behind first. */
char *ahead_words(const ahead *a);
char *ahead_summary(const ahead_report *r);
/* For the terminal: a system; systems x accuracies. */
void ahead_print(FILE *out, const ahead *a);
void ahead_print_matrix(FILE *out, const ahead_report *r);
/* The body of the page. */
ph_status ahead_page(FILE *f, const void *report, ph_error *err);

#endif
