/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines on logarithmic axes, drawn by gnuplot as SVG. */
#ifndef POLHODE_BENCH_GRAPH_H
#define POLHODE_BENCH_GRAPH_H

#include <stddef.h>
#include <stdio.h>

#include <polhode/status.h>

typedef struct graph_line {
    const char *title;
    size_t look;         /* colour and mark: key_colour, key_mark */
    const double *x, *y; /* (n) points that are not positive and finite are left out */
    size_t n;
    int guide; /* a guide to the eye: broken, without marks, and not in the key */
} graph_line;

typedef struct graph {
    const char *x_label, *y_label;
    const char *y_format; /* gnuplot's format of the numbers on the axis */
    const graph_line *lines;
    size_t n;
} graph;

enum { GRAPH_MOST = 8 }; /* readers cannot distinguish more lines than that */

/* The number of points that can be drawn. */
size_t graph_points(const graph *p);
/* svg <- the picture (malloc; *length bytes and a zero). There must be points. PH_E_IO where gnuplot is
 * missing (*missing = 1) or fails; PH_E_NO_MEMORY. */
ph_status graph_draw(const graph *p, char **svg, size_t *length, int *missing, ph_error *err);

/* Write it as data (data.h). */
void graph_data(FILE *f, const graph *p);

#endif
