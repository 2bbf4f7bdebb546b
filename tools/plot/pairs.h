/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pairs of a coordinate and its momentum the columns of an archive have. */
#ifndef POLHODE_TOOLS_PLOT_PAIRS_H
#define POLHODE_TOOLS_PLOT_PAIRS_H

#include <polhode/rows.h>

#include "figures/picture.h"

enum { PAIRS_MOST = 6 };

/* A coordinate and its momentum: columns, of an angle two of the unit vector. */
typedef struct pair {
    char x_name[TABLE_NAME], y_name[TABLE_NAME];
    const char *x_unit, *y_unit;
    long x, x2, y;      /* x2: the angle atan2(x2, x), or -1 */
    bool minus, minus2; /* of the angle: -x, -x2 */
} pair;

/* Of two columns, named as they are. */
pair pair_of(const ph_rows *rows, size_t x, size_t y);
/* label <- of an axis, with what formulas call the column. */
void pair_axis(char *label, size_t size, const ph_rows *rows, const char *name, const char *unit);
/* The number of a column by its name, or -1. */
long pair_column(const ph_rows *rows, const char *format, ...) PH_PRINTF(2, 3);
/* ph_rows_open, or a function like it. */
typedef ph_status rows_opener(ph_record *record, const char *const *words, size_t n, ph_rows **rows,
                              ph_error *err);
/* *rows <- with the columns of pairs: the configuration and the momentum, of phase spaces, which have none, the configuration alone. */
ph_status pair_open(rows_opener *open, ph_record *record, ph_rows **rows, ph_error *err);
/* pairs (PAIRS_MOST) <- those of the columns. Result: how many. */
size_t find_pairs(const ph_rows *rows, pair *pairs);
/* Is the name one of these (n), and behind it a number, as q12x and position3y? */
bool pair_is_numbered(const char *name, const char *const *words, size_t n);
/* words (most) <- names of columns of the archive, as of a coordinate or momentum of a factor: q1x, pi1z, x2_1, Pi3y. Result: how many. */
size_t pair_words(const ph_record *record, const char **words, size_t most);
/* The one of the pairs (n) that has names and units of another; NULL: none. */
const pair *pair_find(const pair *pairs, size_t n, const pair *wanted);
/* The coordinate of a pair in a row. */
double pair_coordinate(const pair *p, const double *row);

#endif
