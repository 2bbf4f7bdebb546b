/* SPDX-License-Identifier: BSD-3-Clause */
/* Work and precision compared with another library, as a kind of bench: options, results, and their output: a
 * table and sentences for the terminal, peers.json, peers.csv, and a page, report.html. */
#ifndef POLHODE_BENCH_PEERS_REPORT_H
#define POLHODE_BENCH_PEERS_REPORT_H

#include <stdio.h>

#include "bench/kind/kind.h"
#include "bench/report/costs.h"
#include "peers.h"

/* A problem that is loaded. */
typedef struct peers_entry {
    problem problem;
    ph_scenario *scenario;
} peers_entry;

typedef struct peers_report {
    bench_run run;
    option_texts methods;
    peers_plan plan;
    peers_entry *entries; /* (run.n_items) */
    peers *problems;      /* (run.made) */
} peers_report;

extern const page_frame peers_page;
extern const bench_table peers_tables[];
json_object *peers_json(builder *b, const bench_run *run);

/* The results in sentences (malloc; NULL without memory). Lines; one that begins with two spaces is a
 * sentence, any other a heading. */
char *peers_words(const peers *p);
void peers_table(FILE *out, const peers *p);
/* "trajectory error at t = 10 s", "largest energy error within 1000 s" */
void peers_quantity(const peers *p, peer_quantity what, char *text, size_t size);
/* What accuracies cost; of p. */
cost_table peers_costs(const peers *p, peer_quantity what);

#endif
