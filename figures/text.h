/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of characters. Their curves have no colours: a digit stands at the end of each, and lines below the picture say whose it is. */
#ifndef POLHODE_FIGURES_TEXT_H
#define POLHODE_FIGURES_TEXT_H

#include <stdio.h>

#include "axes.h"
#include "draw.h"

/* gnuplot's terminal, and margins that do not depend on what stands in them. columns: the width. */
void text_begin(FILE *g, plot_format format, size_t columns);
/* Where a text as wide as the picture stands above its axes: gnuplot's words behind `at`. */
void text_put_above(FILE *g, size_t columns);
/* Write the command that draws the curve with the data block of that number. */
void text_put_curve(FILE *g, const picture *p, const drawn *c, size_t data, plot_format format);
/* Write digits at the ends of a panel's curves, unless the picture has no labels. x, y: the ranges of its axes. */
void text_put_ends(FILE *g, const picture *p, const panel *at, size_t columns, const range *x,
                   const range *y);

/* Appends the labels of the curves to a picture (*size bytes), each behind its digit, in lines that are not wider than the
 * picture. PH_E_NO_MEMORY. */
ph_status text_add_key(const picture *p, plot_format format, size_t columns, char **bytes, size_t *size,
                       ph_error *err);

#endif
