/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines on logarithmic axes. */
#ifndef POLHODE_BENCH_GRAPH_H
#define POLHODE_BENCH_GRAPH_H

#include <stddef.h>

typedef struct graph_line {
    const char *title;
    size_t look;         /* number of its colour */
    const double *x, *y; /* (n) points that are not positive and finite are left out */
    size_t n;
    int guide; /* a guide to the eye: broken */
} graph_line;

typedef struct graph {
    const char *x_label, *y_label;
    const graph_line *lines;
    size_t n;
} graph;

enum { GRAPH_MOST = 8 }; /* readers cannot distinguish more lines than that */

#endif
