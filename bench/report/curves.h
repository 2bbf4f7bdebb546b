/* SPDX-License-Identifier: BSD-3-Clause */
/* A few curves, on logarithmic axes or even ones, as SVG, each with its name on it. It needs no other program, and stands alone or
 * inside a page, where text and axes take the colour of the text around it. (graph.h: many lines, by gnuplot.) */
#ifndef POLHODE_BENCH_CURVES_H
#define POLHODE_BENCH_CURVES_H

#include <stddef.h>
#include <stdio.h>

enum { CURVES_MOST = 8 };

typedef struct curves_line {
    const char *title;  /* one line, written along the curve's end */
    const char *colour; /* "#c1272d" */
    int dashed;         /* drawn broken */
    const double *x,
        *y; /* (n); points that are not finite are left out, and on a logarithmic axis those that are not positive */
    size_t n;
} curves_line;

typedef struct curves {
    const char *x_label, *y_label;
    double x0;                /* a logarithmic axis begins here, at 0 with the first point */
    const curves_line *lines; /* (n), n <= CURVES_MOST; later ones are drawn over earlier ones */
    size_t n;
    int x_even, y_even; /* even axes instead of logarithmic ones */
    int equal;          /* units of the same length on both, which are even */
} curves;

/* The number of points that can be drawn. */
size_t curves_points(const curves *c);
/* Write one <svg> element with its description in words, which is escaped. There must be points. */
void curves_draw(FILE *f, const curves *c, const char *words);
/* Write what can be drawn as data (data.h). */
void curves_data(FILE *f, const curves *c);

#endif
