/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a picture as JSON next to it, inside <figure class="plot">, from which the script of the page (viewer/src/figures) makes
 * an interactive one. */
#ifndef POLHODE_FIGURES_DATA_H
#define POLHODE_FIGURES_DATA_H

#include <stddef.h>
#include <stdio.h>

/* The element that holds the JSON. */
void data_begin(FILE *f);
void data_end(FILE *f);

/* A string of JSON, which cannot end the element, whatever the text holds. */
void data_text(FILE *f, const char *text);
/* The shortest decimal number that reads back as the value; null where it is not finite. */
void data_number(FILE *f, double value);
/* A list of n numbers, the first at x, each `stride` doubles behind the one before. */
void data_numbers(FILE *f, const double *x, size_t n, size_t stride);

/* The head of curves up to `"lines":[`, and what comes behind them: labels as "time [s]"; equal: of equal units. */
typedef struct data_axes {
    const char *x_label, *y_label;
    int x_log, y_log, equal, y_zero; /* y_zero: that axis has 0 */
    int keyed;                       /* a key has the names of the curves: they are not written on them */
} data_axes;
void data_axes_begin(FILE *f, const data_axes *a);
/* A curve of n points; before: "" or ",". */
typedef struct data_curve {
    const char *label, *colour; /* "#c1272d" */
    int dashed, marks;          /* marks: points alone */
    const double *x, *y;
    size_t n;
    int faint;
    const double *upper, *shade; /* (n) or NULL: a band between y and upper; from 0 (light) to 1 (dark) */
    int guide;                   /* for the eye: the axes are not as long as it */
    double bar;                  /* the width of the line in units of an even axis, or 0 */
} data_curve;
void data_curve_put(FILE *f, const char *before, const data_curve *c);
void data_axes_end(FILE *f);

#endif
