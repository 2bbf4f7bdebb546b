/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture as a file: gnuplot's script for it, and what gnuplot makes of that. */
#ifndef POLHODE_FIGURES_DRAW_H
#define POLHODE_FIGURES_DRAW_H

#include "picture.h"

typedef enum plot_format {
    PLOT_SVG,
    PLOT_PDF,
    PLOT_PNG,
    PLOT_DUMB,
    PLOT_BLOCK,
    PLOT_CSV,
    PLOT_FORMATS
} plot_format;

/* Of characters: ASCII, or Unicode's Braille patterns, which take a gnuplot of version 6. */
static inline bool plot_is_text(plot_format format)
{
    return format == PLOT_DUMB || format == PLOT_BLOCK;
}

/* *bytes (*size; malloc) <- the picture. columns: the width of a text in characters. The same picture gives the same
 * bytes. PH_E_IO: gnuplot is missing (*missing = 1), or fails; PH_E_NO_MEMORY. */
ph_status picture_draw(const picture *p, plot_format format, size_t columns, char **bytes, size_t *size,
                       int *missing, ph_error *err);

#endif
