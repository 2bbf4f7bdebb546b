/* SPDX-License-Identifier: BSD-3-Clause */
/* What accuracies cost: a table of methods and accuracies, in which the cheapest of each is marked, and a sentence. */
#ifndef POLHODE_BENCH_COSTS_H
#define POLHODE_BENCH_COSTS_H

#include <stddef.h>
#include <stdio.h>

typedef struct cost_table {
    char quantity[120];   /* "error of the trajectory" */
    const char *unit;     /* "", or " m" */
    const double *levels; /* (n_levels) from the largest error to the smallest */
    size_t n_levels, n;   /* n: methods */
    const char *(*label)(const void *self, size_t i);
    double (*cost)(const void *self, size_t i, double level); /* CPU seconds; INFINITY: not reached */
    const void *self;
} cost_table;

/* Lines of a terminal: CPU times, the least of a column with a star behind it. */
void costs_print(FILE *out, const cost_table *t);
/* A line of a list: "  The error of the place costs least with A for 1e-02 m, with B for 1e-04 to 1e-06 m; no method reaches 1e-08 m." */
void costs_say(FILE *out, const cost_table *t);
/* The table of a page, the least of a column in bold. */
void costs_page(FILE *f, const cost_table *t);

#endif
