/* SPDX-License-Identifier: BSD-3-Clause */
/* Other pairs of a coordinate and its momentum in which a factor of the configuration can be seen: a pendulum that swings in a vertical
 * plane has no momentum about the vertical, and its usual portrait would be a line. */
#ifndef POLHODE_TOOLS_PLOT_VIEWS_H
#define POLHODE_TOOLS_PLOT_VIEWS_H

#include "figures/thin.h"
#include "pairs.h"

enum { VIEWS_MOST = 4 };

/* The pairs of one factor in one run, and how far each moves. */
typedef struct views {
    pair at
        [VIEWS_MOST]; /* (n) the usual one first; of a direction angles about axes, of a vector its first three coordinates */
    size_t n;    /* 1: there are no others */
    extent seen; /* of t, and of the coordinate and momentum of each */
} views;

/* *v <- those of the pair's factor among the columns; of no columns (NULL) the usual one alone. */
void views_find(views *v, const ph_rows *rows, const pair *usual);
void views_enter(views *v, const double *row);
/* Where the usual one stands still, or nearly so, in all runs, the one with the momentum that moves most. all (n): the same factor in each run.
 * Result: its number in each of them. */
size_t views_choose(const views *const *all, size_t n);

#endif
