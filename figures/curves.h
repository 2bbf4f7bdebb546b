/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves, dots and bands, on logarithmic axes or even ones, as SVG, each with its name on it. It needs no other program, and stands alone or
 * inside a page, where text and axes take the colour of the text around it. (graph.h: many lines, by gnuplot.) */
#ifndef POLHODE_FIGURES_CURVES_H
#define POLHODE_FIGURES_CURVES_H

#include <stddef.h>
#include <stdio.h>

enum { CURVES_LINES = 24 };

typedef struct curves_line {
    const char *title;  /* one line, written along the curve; "": none */
    const char *colour; /* "#c1272d" */
    int dashed;         /* drawn broken */
    const double *x,
        *y; /* (n); a line has a gap where they are not finite; on a logarithmic axis what is not positive is left out */
    size_t n;
    int dots, faint; /* points that are not joined; in the background */
    int guide;  /* a straight line for the eye: drawn as far as the axes go, which are not as long as it */
    double bar; /* the width of the line in units of an even axis, or 0 */
    const double *upper; /* (n), or NULL: a band between y and it */
    const double *
        shade; /* (n), or NULL: from 0 (light) to 1 (dark), of each piece between gaps that of its first point */
} curves_line;

typedef struct curves {
    const char *x_label, *y_label;
    double x0;                /* a logarithmic axis begins here, at 0 with the first point */
    const curves_line *lines; /* (n), n <= CURVES_LINES; later ones are drawn over earlier ones */
    size_t n;
    int x_even, y_even; /* even axes instead of logarithmic ones */
    int equal;          /* units of the same length on both, which are even; the picture is square */
    int y_zero;         /* an even axis upwards begins at 0, or below */
    int keyed; /* a key next to the picture has the names of the curves: only guides have theirs on them */
} curves;

/* The number of points that can be drawn, without those of guides. */
size_t curves_points(const curves *c);
/* Write one <svg> element with its description in words, which is escaped. There must be points. */
void curves_draw(FILE *f, const curves *c, const char *words);
/* Write what can be drawn as data (data.h). */
void curves_data(FILE *f, const curves *c);

#endif
