/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel in gnuplot's script: its numbers, its axes, its curves. */
#ifndef POLHODE_FIGURES_PANEL_H
#define POLHODE_FIGURES_PANEL_H

#include <stdio.h>

#include "draw.h"

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

#endif
