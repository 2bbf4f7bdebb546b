/* SPDX-License-Identifier: BSD-3-Clause */
/* What is behind draw.h: a script for gnuplot, with texts (script.c), panels (panel.c), pictures of characters (text.c), and what gnuplot
 * makes of it (gnuplot.c). */
#ifndef POLHODE_FIGURES_GNUPLOT_H
#define POLHODE_FIGURES_GNUPLOT_H

#include <stdio.h>

#include "axes.h"
#include "draw.h"
#include "labels.h"

/* ---- Texts: whatever they are, gnuplot writes them, and runs nothing of them ---- */

/* The text in quotes, on one line. */
void script_text(FILE *g, const char *text);
/* Several lines in quotes. */
void script_lines(FILE *g, const label_text *lines);

/* ---- A panel: its numbers, its axes, its curves ---- */

/* A rectangle of the picture [pixels, from the upper left corner]. */
typedef struct box {
    double left, right, top, bottom;
} box;

/* Write the numbers of its curves as data blocks from that number on; length: axes_length of the picture. Returns the next number. */
size_t panel_data(FILE *g, const panel *at, double length, size_t number);
/* Write the commands that draw it within these axes, with the data blocks from that number on. */
void panel_put(FILE *g, const picture *p, const panel *at, const box *axes, double length, size_t data);
/* The same as a picture of characters, `columns` wide. */
void panel_put_text(FILE *g, const picture *p, const panel *at, size_t columns, double length,
                    plot_format format, size_t data);

/* ---- Pictures of characters. Their curves have no colours: a digit stands at the end of each, and lines below the picture say whose it
 * is ---- */

/* gnuplot's terminal, and margins that do not depend on what stands in them. columns: the width. */
void text_begin(FILE *g, plot_format format, size_t columns);
/* What stands for a cell of that colour (0 to 1; NaN). */
char text_of_cell(double shade);
/* Where a text as wide as the picture stands above its axes: gnuplot's words behind `at`. */
void text_put_above(FILE *g, size_t columns);
/* Write the command that draws the curve with the data block of that number. */
void text_put_curve(FILE *g, const picture *p, const drawn *c, size_t data, double scale, plot_format format);
/* Write digits at the ends of a panel's curves, unless the picture has no labels. x, y: the ranges of its axes. */
void text_put_ends(FILE *g, const picture *p, const panel *at, size_t columns, const range *x,
                   const range *y);

/* Appends the labels of the curves to a picture (*size bytes), each behind its digit, in lines that are not wider than the
 * picture. PH_E_NO_MEMORY. */
ph_status text_add_key(const picture *p, plot_format format, size_t columns, char **bytes, size_t *size,
                       ph_error *err);

/* ---- Running gnuplot: a script goes in, a picture comes out; no shell and no file names are involved ---- */

/* *svg <- the output of gnuplot (malloc; *length bytes and a zero). The script is read from its beginning.
 * PH_E_IO (*missing = 1 where gnuplot is not installed; else with what it said last), PH_E_NO_MEMORY. */
ph_status gnuplot_run(FILE *script, char **svg, size_t *length, int *missing, ph_error *err);

#endif
