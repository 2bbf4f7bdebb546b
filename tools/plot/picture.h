/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure before it is drawn: panels with curves, and the numbers behind them, a table for each archive. */
#ifndef POLHODE_TOOLS_PLOT_PICTURE_H
#define POLHODE_TOOLS_PLOT_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include <polhode/status.h>

#include "tools/report/archived.h"

enum { PANELS_MOST = 6, CURVES_MOST = 2 * REPORT_MOST + 1, TABLE_COLUMNS = 24, TABLE_NAME = 96 };
enum { PICTURE_WORDS = 2 * TABLE_NAME + 80 };

/* Rows of numbers. A row whose first number is NaN separates lines that are not joined. */
typedef struct table {
    char names[TABLE_COLUMNS][TABLE_NAME]; /* "t[s]" */
    size_t columns, rows, room;
    double *values; /* (rows x columns) */
} table;

typedef enum look {
    LOOK_LINE,   /* x, y */
    LOOK_FAINT,  /* the same, in the background */
    LOOK_DOTS,   /* x, y */
    LOOK_BAND,   /* between y and y2, and both of them as lines */
    LOOK_SHADES, /* x, y; the column y2 from 0 (light) to 1 (dark) */
    LOOK_GUIDE   /* a broken line for the eye */
} look;

typedef struct drawn {
    const table *of;
    size_t x, y, y2; /* columns of it */
    look look;
    size_t run; /* whose colour */
} drawn;

typedef struct panel {
    char x_label[TABLE_NAME + 40], y_label[TABLE_NAME + 40]; /* as they are: without gnuplot's markup */
    bool log_x, log_y, equal, from_zero;                     /* from_zero: y */
    drawn curves[CURVES_MOST];
    size_t n;
} panel;

typedef struct picture {
    char words[1200]; /* what is seen, growth included */
    char title[160];  /* above the axes, or empty */
    bool stacked;     /* panels below each other, else side by side */
    panel panels[PANELS_MOST];
    size_t n;
    const archived *runs; /* (n_runs), their labels and in which colour */
    size_t n_runs;
    table tables[REPORT_MOST], guide; /* of each run */
} picture;

void picture_free(picture *p);
/* better <- a label of an axis as it is written: "m^2" with a raised 2. */
void picture_words(char better[PICTURE_WORDS], const char *text);

/* The number of a new column, named as printed "%s[%s]"; the table has room for TABLE_COLUMNS. */
size_t table_column(table *t, const char *name, const char *unit);
/* Appends a row (columns); PH_E_NO_MEMORY. */
ph_status table_add(table *t, const double *row, ph_error *err);
ph_status table_break(table *t, ph_error *err);
/* Is there a number to be drawn in the picture? */
bool picture_is_empty(const picture *p);
void panel_add(panel *p, drawn one);

/* The table as CSV, with 17 digits. */
void table_csv(FILE *f, const table *t);

#endif
