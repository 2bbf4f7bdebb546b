/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of work and precision beside another library: a table and sentences for the terminal, peers.json,
 * peers.csv, and a page, report.html. */
#ifndef POLHODE_BENCH_PEERS_REPORT_H
#define POLHODE_BENCH_PEERS_REPORT_H

#include <stdio.h>

#include "bench/report/page.h"
#include "peers.h"

typedef struct peers_report {
    const peers *problems;
    size_t n;
    surroundings where;
} peers_report;

/* What the figures say (malloc; NULL without memory), and nothing else. */
char *peers_words(const peers *p);
void peers_table(FILE *out, const peers *p);
/* "trajectory error at t = 10 s", "largest energy error within 1000 s" */
void peers_quantity(const peers *p, peer_quantity what, char *text, size_t size);

/* What peers.json has. */
ph_status peers_print(const peers_report *r, FILE *out, ph_error *err);
/* directory/peers.json, directory/peers.csv, directory/report.html. */
ph_status peers_files(const peers_report *r, const char *directory, report_figures *figures, ph_error *err);
ph_status peers_page(const peers_report *r, const char *directory, report_figures *figures, ph_error *err);

#endif
