/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep over sizes as a kind of bench: options, results, and their output: tables and sentences for the
 * terminal, scaling.json, scaling.csv, and a page, report.html. */
#ifndef POLHODE_BENCH_SCALING_REPORT_H
#define POLHODE_BENCH_SCALING_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "scaling.h"

typedef struct scaling_report {
    bench_run run;
    option_texts methods;
    int64_t from, to;
    scaling_plan plan;
    contender *contenders;
    size_t n_contenders;
    scaling *sweeps; /* (run.made) */
} scaling_report;

extern const page_frame scaling_page;
extern const bench_table scaling_tables[];
json_object *scaling_json(builder *b, const bench_run *run);

/* The results of a sweep in sentences (malloc; NULL without memory). Lines; one that begins with two spaces
 * is a sentence, any other a heading. */
char *scaling_words(const scaling *s);
/* A line on what was done, for headings: "chain-pendulum, links = 1 to 1000, ...". */
void scaling_headline(const scaling *s, char *text, size_t size);

void scaling_table(FILE *out, const scaling *s);

/* The last size at which the line was timed; SCALING_SIZES if there is none. */
size_t scaling_last(const scaling *s, const scaling_line *l);
/* Among the forms of a method, does this one reach the largest size, and in the least time of those that do? */
int scaling_is_best(const scaling *s, const scaling_line *l);
/* ns a part and step, median; NaN where it was not timed. */
double scaling_per_part(const scaling *s, const scaling_line *l, size_t k);

#endif
