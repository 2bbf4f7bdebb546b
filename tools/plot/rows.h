/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive for curves, and what pairs of a coordinate and its momentum they have. */
#ifndef POLHODE_TOOLS_PLOT_ROWS_H
#define POLHODE_TOOLS_PLOT_ROWS_H

#include <polhode/rows.h>

#include "figures.h"

enum { ROWS_MOST = 2000, PAIRS_MOST = 6 };

/* Some rows with chosen columns. */
typedef struct chosen {
    ph_rows *rows;
    size_t columns;
    double *values; /* (n x columns), the last one from which a column t is */
    int64_t n;
} chosen;

/* Of the archive: at most ROWS_MOST of the first rows (from_start), or spread over all. `words` as of ph_rows_open; the first column is
 * added: t. Damaged rows are left out. chosen_free also after an error. */
ph_status chosen_read(chosen *c, const archived *a, const char *const *words, size_t n, bool from_start,
                      ph_error *err);
void chosen_free(chosen *c);

/* A coordinate and its momentum: columns, of an angle two of the unit vector. */
typedef struct pair {
    char x_name[TABLE_NAME], y_name[TABLE_NAME];
    const char *x_unit, *y_unit;
    long x, x2, y; /* x2: the angle atan2(x2, x), or -1 */
} pair;

/* The pairs (at most PAIRS_MOST) of columns with these names (n). Result: how many. */
size_t find_pairs(const ph_rows *rows, size_t first, pair *pairs);
/* The coordinate of a pair in a row. */
double pair_coordinate(const pair *p, const double *row);

#endif
