/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles as a kind of bench: options, results, and their output: tables and sentences for the terminal,
 * roundoff.json (which can be read again), roundoff.csv, roundoff.svg, and a page, report.html. */
#ifndef POLHODE_BENCH_ROUNDOFF_REPORT_H
#define POLHODE_BENCH_ROUNDOFF_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "roundoff.h"

enum { ROUNDOFF_MOST = 16 };

typedef struct roundoff_report {
    bench_run run;
    const char *from;                               /* a file to read instead of running steps, or NULL */
    int64_t members, steps, threads;                /* steps: 0: the motion's; threads: 0: all processors */
    const roundoff_problem *motions[ROUNDOFF_MOST]; /* (n_motions) */
    size_t n_motions;
    roundoff *ensembles; /* (n) */
    size_t n;
    char command[400]; /* the command that makes the same data */
} roundoff_report;

/* Free its ensembles. */
void roundoff_report_free(roundoff_report *r);

extern const bench_kind roundoff_kind;
extern const page_frame roundoff_page;
extern const bench_table roundoff_tables[];
json_object *roundoff_json(builder *b, const bench_run *run);
/* Write directory/roundoff.svg, the first figure, where it can be drawn. */
ph_status roundoff_picture(const bench_run *run, const char *directory, ph_error *err);

/* The results in sentences (malloc; NULL without memory), as above. */
char *roundoff_words(const roundoff *r);
void roundoff_table(FILE *out, const roundoff *r);
/* Command, ensembles and surroundings of *r <- those of a roundoff.json. PH_E_IO, PH_E_PARSE, PH_E_NO_MEMORY.
 * */
ph_status roundoff_read(roundoff_report *r, const char *path, ph_error *err);

#endif
