/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of sweeps over sizes: tables and sentences for the terminal, scaling.json, scaling.csv, and a page,
 * report.html. */
#ifndef POLHODE_BENCH_SCALING_REPORT_H
#define POLHODE_BENCH_SCALING_REPORT_H

#include <stdio.h>

#include "bench/report/page.h"
#include "scaling.h"

typedef struct scaling_report {
    const scaling *sweeps;
    size_t n;
    surroundings where;
} scaling_report;

/* What the figures of a sweep say (malloc; NULL without memory), and nothing else. */
char *scaling_words(const scaling *s);
/* A line on what was done, for headings: "chain-pendulum, links = 1 to 1000, ...". */
void scaling_headline(const scaling *s, char *text, size_t size);

void scaling_table(FILE *out, const scaling *s);
/* What scaling.json has. */
ph_status scaling_print(const scaling_report *r, FILE *out, ph_error *err);
/* directory/scaling.json, directory/scaling.csv, directory/report.html. */
ph_status scaling_files(const scaling_report *r, const char *directory, report_figures *figures,
                        ph_error *err);
ph_status scaling_page(const scaling_report *r, const char *directory, report_figures *figures,
                       ph_error *err);

/* The last size at which the line was timed; SCALING_SIZES if there is none. */
size_t scaling_last(const scaling *s, const scaling_line *l);
/* Does line a go further than b, or as far and is quicker there? */
int scaling_before(const scaling *s, const scaling_line *a, const scaling_line *b);
/* Of the forms of a method, is it the one that goes furthest, and is the quickest of those there? */
int scaling_is_best(const scaling *s, const scaling_line *l);
/* ns a part and step, median; NaN where it was not timed. */
double scaling_per_part(const scaling *s, const scaling_line *l, size_t k);

#endif
