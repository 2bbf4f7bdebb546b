/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of ensembles: tables and sentences for the terminal, roundoff.json (which can be read again),
 * roundoff.csv, roundoff.svg, and a page, report.html. */
#ifndef POLHODE_BENCH_ROUNDOFF_REPORT_H
#define POLHODE_BENCH_ROUNDOFF_REPORT_H

#include <stdio.h>

#include "bench/report/page.h"
#include "roundoff.h"

enum { ROUNDOFF_MOST = 16 };

typedef struct roundoff_report {
    roundoff *ensembles; /* (n) */
    size_t n;
    char command[400];
    surroundings where;
} roundoff_report;

void roundoff_report_free(roundoff_report *r);

/* What the figures say (malloc; NULL without memory), and nothing else. */
char *roundoff_words(const roundoff *r);
void roundoff_table(FILE *out, const roundoff *r);

/* What roundoff.json has; and directory/roundoff.json, roundoff.csv, roundoff.svg, report.html. */
ph_status roundoff_print(const roundoff_report *r, FILE *out, ph_error *err);
ph_status roundoff_files(const roundoff_report *r, const char *directory, report_figures *figures,
                         ph_error *err);
ph_status roundoff_page(const roundoff_report *r, const char *directory, report_figures *figures,
                        ph_error *err);
/* *r <- what such a file has. PH_E_IO, PH_E_PARSE, PH_E_NO_MEMORY. */
ph_status roundoff_read(roundoff_report *r, const char *path, ph_error *err);

#endif
