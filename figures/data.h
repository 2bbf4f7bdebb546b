/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a figure as JSON next to its static picture, inside <figure class="plot">, from which the script of the page
 * (viewer/src/figures) makes an interactive one. */
#ifndef POLHODE_FIGURES_DATA_H
#define POLHODE_FIGURES_DATA_H

#include <stdio.h>

#include "picture.h"

/* Write the i-th panel. keyed: names of curves stand elsewhere. */
void data_panel(FILE *f, const picture *p, size_t i, bool keyed);

/* ---- Parts, for other kinds of figures --------------------------------------------------------------------- */

/* The element that holds the JSON. */
void data_begin(FILE *f);
void data_end(FILE *f);
/* A string of JSON, which cannot end the element, whatever the text holds. */
void data_text(FILE *f, const char *text);
/* The numbers (n) of a list, the first at x, each `stride` doubles behind the one before, behind a comma: the shortest decimal numbers that read
 * back as the values; null where they are not finite. */
void data_numbers(FILE *f, bool comma, const double *x, size_t n, size_t stride);

#endif
