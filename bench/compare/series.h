/* SPDX-License-Identifier: BSD-3-Clause */
/* What the figures of a comparison show, before they are drawn or described: their lines, the points of
 * these, and the frame. */
#ifndef POLHODE_BENCH_SERIES_H
#define POLHODE_BENCH_SERIES_H

#include "figures.h"

static const double series_lowest = 1e-18; /* an error below this counts as zero */
static const double series_highest = 10;   /* relative; a larger error has diverged */

typedef enum point { NOTHING, ZERO, POINT } point;

/* A line of a figure: a long trial, or a ladder. */
typedef struct series {
    const contender *who;
    const trial *trial;
    const ladder *ladder;
    size_t n;
} series;

int figure_over_time(figure which);

/* The lines of a figure: line k (below figure_series) has no points where it is not part of the figure. */
size_t figure_series(const comparison *c, figure which);
series series_at(const comparison *c, figure which, size_t k);

/* Point i < n of a line; how many points of the kind a line has, or the lines of a contender (NULL: all). */
point series_point(const series *s, figure which, size_t i, double *x, double *y);
size_t series_count(const series *s, figure which, point kind);
size_t figure_count(const comparison *c, figure which, const contender *who, point kind);

/* Did a trial end by diverging or without a solution? An interruption does not count. */
int series_ended_early(const series *s);
int figure_any_ended_early(const comparison *c, figure which);

/* Is k the first trial of its group, on either basis? The index of a group in their order of appearance. */
int group_is_first(const comparison *c, size_t k);
size_t group_index(const comparison *c, double group);
int groups_are_several(const comparison *c);
int group_is_drawn(const comparison *c, figure which, double group);

int figure_has_force(const comparison *c);
/* "energy error", in a system with forces "energy change", ... */
const char *figure_quantity(const comparison *c, figure which);

/* The extent of its points. */
typedef struct frame {
    double x0, x1, y0, y1;
    int cut; /* something is above it */
} frame;

/* Of a figure that has points. */
frame figure_frame(const comparison *c, figure which);
int figure_shows_uncertainty(const comparison *c, figure which, const frame *f);

#endif
