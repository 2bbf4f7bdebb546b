/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep over sizes as a kind of bench: what is asked, what was found, and what is made of it: tables and
 * sentences for the terminal, scaling.json, scaling.csv, and a page, report.html. */
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

/* What the figures of a sweep say (malloc; NULL without memory), and nothing else. Lines; one that begins
 * with two spaces is a sentence, any other a heading. */
char *scaling_words(const scaling *s);
/* A line on what was done, for headings: "chain-pendulum, links = 1 to 1000, ...". */
void scaling_headline(const scaling *s, char *text, size_t size);

void scaling_table(FILE *out, const scaling *s);

/* The last size at which the line was timed; SCALING_SIZES if there is none. */
size_t scaling_last(const scaling *s, const scaling_line *l);
/* Does line a go further than b, or as far and is quicker there? */
int scaling_before(const scaling *s, const scaling_line *a, const scaling_line *b);
/* Of the forms of a method, is it the one that goes furthest, and is the quickest of those there? */
int scaling_is_best(const scaling *s, const scaling_line *l);
/* ns a part and step, median; NaN where it was not timed. */
double scaling_per_part(const scaling *s, const scaling_line *l, size_t k);

#endif
