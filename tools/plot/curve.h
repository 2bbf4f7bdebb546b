/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of a whole run in a plane: how they are drawn, and what is said of that. */
#ifndef POLHODE_TOOLS_PLOT_CURVE_H
#define POLHODE_TOOLS_PLOT_CURVE_H

#include "figures.h"
#include "figures/thin.h"

/* A panel is about 250 pixels wide: cells are about half a pixel, and a whole one when there is too much to draw. */
enum { CURVE_CELLS = 512, CURVE_ROWS = 120000 };

/* Are neighbouring rows so far apart that lines between them would show what no motion is? */
bool curve_is_dots(const extent *e, size_t x, double width, size_t y, double height);
/* How many rows each of so many curves may have. */
size_t curve_rows(const plot_input *in, size_t curves);
/* The look of a thinned curve in the colour of a run: thin and translucent where it fills its region, earlier where others are
 * behind it. */
drawn curve_look(const thin *path, size_t run, bool alone);
/* "from t = 0 to 100 s" */
void curve_times(char text[120], const extent *e);
/* "all 10000 rows as a line", and to which accuracy where that is more than a pixel. */
void curve_words(char text[200], const thin *path);
/* Behind what is said of the first run: the rows and times of others that have not the same. */
void curve_say_others(making *m);

#endif
