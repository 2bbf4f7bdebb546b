/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a sweep: its members over a number that varies, maps over two, distributions, members overlaid over time. */
#ifndef POLHODE_TOOLS_PLOT_ENSEMBLE_FIGURES_H
#define POLHODE_TOOLS_PLOT_ENSEMBLE_FIGURES_H

#include "ensemble.h"

enum { ENSEMBLE_PICTURES = 3 * ENSEMBLE_COLUMNS + 2, ENSEMBLE_FIGURES = 4 };

/* What is wanted; all 0: what varies decides. */
typedef struct ensemble_wish {
    option_texts figures, columns; /* names */
    const char *x, *y;             /* keys or columns on the axes; or NULL */
    time_span span;
    bool page; /* of a report: distributions too */
    bool quiet;
} ensemble_wish;

typedef struct ensemble_picture {
    char name[TABLE_NAME]; /* "map-energy_error" */
    picture picture;
} ensemble_picture;

typedef struct ensemble_pictures {
    ensemble_picture *at[ENSEMBLE_PICTURES]; /* (n) */
    size_t n;
} ensemble_pictures;

/* Name and text of the i-th figure; NULL behind the last. */
const char *ensemble_figure(size_t i, const char **text);
/* The figure of that name is known? Else err. */
bool ensemble_knows(const char *name, ph_error *err);
/* *e <- the sweep at `path`, *all <- its pictures. ensemble_close and ensemble_pictures_free also after an error. The errors of
 * ensemble_open; PH_E_UNKNOWN: x or y; PH_E_UNSUPPORTED: the sweep has no such figure; the message says which it has. */
ph_status ensemble_draw(ensemble *e, const char *path, const ensemble_wish *wish, ensemble_pictures *all,
                        ph_error *err);
/* How a column of the members that did not fail is distributed, by the rules of NAME.statistics.json. */
enum { ENSEMBLE_BINS = 50, ENSEMBLE_SHARES = 7 };
typedef struct ensemble_spread {
    size_t members, bins; /* finite values; bins of equal width from the least to the largest */
    double mean, deviation, least, most;
    double counts[ENSEMBLE_BINS];      /* (bins) */
    double quantiles[ENSEMBLE_SHARES]; /* of 1, 5, 25, 50, 75, 95, 99 % */
} ensemble_spread;
ph_status ensemble_spread_of(const ensemble *e, const ensemble_column *c, ensemble_spread *s, ph_error *err);
void ensemble_pictures_free(ensemble_pictures *all);

#endif
