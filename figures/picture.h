/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure before it is drawn: panels with curves, and the numbers behind them, a table for each archive. */
#ifndef POLHODE_FIGURES_PICTURE_H
#define POLHODE_FIGURES_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include <polhode/status.h>

enum {
    PANELS_MOST = 12,
    RUNS_MOST = 8, /* as many as there are colours */
    LABELS_MOST = 32,
    RUN_LABEL = 240,
    CURVES_MOST = 96,
    DASHES = 6,
    TABLE_COLUMNS = 2 * PANELS_MOST + 1,
    TABLE_NAME = 96
};
enum { CURVE_NAME = RUN_LABEL + 44 };

/* Rows of numbers. A row whose first number is NaN separates lines that are not joined. */
typedef struct table {
    char names[TABLE_COLUMNS][TABLE_NAME]; /* "t[s]" */
    size_t columns, rows, room;
    double *values; /* (rows x columns) */
} table;

typedef enum drawn_look {
    LOOK_LINE,   /* x, y */
    LOOK_MARKED, /* the same, with a dot at each point */
    LOOK_FAINT,  /* the same, thin and translucent */
    LOOK_HAZE,   /* the same, pale: others stand before it */
    LOOK_DOTS,   /* x, y */
    LOOK_CROSS,  /* the same, as crosses */
    LOOK_BAND,   /* between y and y2, and both of them as lines */
    LOOK_SHADES, /* x, y; the column y2 from 0 (light) to 1 (dark) */
    LOOK_BARS,   /* x, and y as the height of a bar */
    LOOK_CELLS, /* rectangles: their middles x, y; their colour from 0 to 1 in the column y2, NaN: grey; behind it the columns
                  * of the left, right, lower and upper edge */
    LOOK_GUIDE /* a broken line for the eye */
} drawn_look;

typedef struct drawn {
    const table *of;
    size_t x, y, y2; /* columns of it */
    drawn_look look;
    size_t run;      /* whose colour and label */
    size_t dashes;   /* of a line: 0 solid, else one of DASHES - 1 patterns */
    size_t from, to; /* its rows; 0, 0: all */
    double width;    /* of a bar */
    size_t
        cells; /* of the raster by which it was thinned: a line is as wide as a cell, or more; 0: of its look */
    double shift; /* of a bar to the right */
} drawn;

typedef struct panel {
    char x_label[TABLE_NAME + 40], y_label[TABLE_NAME + 40]; /* as they are: without gnuplot's markup */
    bool log_x, log_y, equal, from_zero;                     /* from_zero: y */
    bool with_zero, whole_x;                                 /* a line at y = 0; x counts something */
    bool close; /* logarithmic axes begin and end with the values, not at powers of ten */
    bool ends;  /* labels stand at the right ends of its curves */
    double top; /* what is above it is cut off; 0: nothing */
    drawn curves[CURVES_MOST];
    size_t n;
} panel;

/* Which values the colours of cells stand for. */
typedef struct colour_scale {
    char label[TABLE_NAME + 40]; /* empty: there are no cells */
    double least, most;
    bool log;
} colour_scale;

typedef struct picture {
    char words[1200]; /* what is seen, growth included */
    char title[480];  /* above the axes, or empty */
    bool stacked;     /* panels below each other, else side by side */
    size_t across;    /* so many side by side, the others below; 0: all */
    panel panels[PANELS_MOST];
    size_t n;
    size_t n_runs;
    const char *colours[LABELS_MOST];     /* of curves, as "#c1272d"; NULL: of the palette */
    char labels[LABELS_MOST][RUN_LABEL];  /* of curves by their colour */
    char notes[LABELS_MOST][40];          /* the last line of a label, or empty */
    size_t n_labels;                      /* 0: one run, without a label */
    char dashes[DASHES][40];              /* what curves with these dashes are, or empty */
    const char *cross;                    /* what crosses are */
    colour_scale scale;                   /* of cells */
    table tables[RUNS_MOST], guide;       /* of each run; a line for the eye, */
    const char *guide_name, *guide_ascii; /* what stands at it; NULL: nothing */
    table curved[RUNS_MOST]; /* what is drawn of a run where that is more than its rows: no file has it */
    table others[RUNS_MOST]; /* a second one of each run, or none; its file is NAME-`other`.csv */
    const char *other;
} picture;

void picture_free(picture *p);
/* The i-th colour, which colour-blind readers can distinguish from the others; for texts darker where it is light. */
const char *colour_of_curve(size_t i);
const char *colour_of_text(size_t i);
/* "#c1272d" */
const char *picture_colour(const picture *p, size_t colour);
/* name <- of the k-th curve; empty where it has none: where it is behind others, or, unless names stand in a key, an earlier one of its
 * colour has it. */
void picture_name(char name[CURVE_NAME], const picture *p, const panel *at, size_t k, bool keyed);
/* The colour of a cell, one of COLOUR_LEVELS from dark to light, as 0xRRGGBB; grey for NaN. */
enum { COLOUR_LEVELS = 64 };
unsigned colour_of_cell(double shade);
/* From 0 to 1; NaN for what is none, or has no place on the scale. */
double colour_shade(const colour_scale *scale, double value);
/* Lengths of the strokes and gaps of a line, "9,5"; NULL: it is solid. */
const char *dashes_of(const drawn *c);

/* Panels below each other share the axis of the last one. */
static inline const char *picture_x_label(const picture *p, const panel *at)
{
    return *at->x_label ? at->x_label : p->panels[p->n - 1].x_label;
}

/* The number of a new column, named as printed "%s[%s]"; the table has room for TABLE_COLUMNS. */
size_t table_column(table *t, const char *name, const char *unit);
/* Appends a row (columns); PH_E_NO_MEMORY. */
ph_status table_add(table *t, const double *row, ph_error *err);
ph_status table_break(table *t, ph_error *err);
/* The rows of the table that the curve shows, from *from on and before *to. */
void drawn_rows(const drawn *c, size_t *from, size_t *to);
/* label <- "pi1 [kg m^2/s]" */
void picture_axis(char *label, size_t size, const char *name, const char *unit);
/* The label of the curves in a colour, in place of that of a run. */
void picture_label(picture *p, size_t colour, const char *format, ...) PH_PRINTF(3, 4);
/* Appends to the words of the picture, behind a blank. */
void picture_say(picture *p, const char *format, ...) PH_PRINTF(2, 3);
/* Appends points (n) to the first table, whose columns are x and y, and the curve `one` of them to the panel of that number. PH_E_NO_MEMORY. */
ph_status picture_add(picture *p, size_t number, drawn one, const double *x, const double *y, size_t n,
                      ph_error *err);
/* Has it a curve of this run (RUN_ANY: of any), with these dashes (DASHES: any), of one of these looks, LOOK(LINE) | LOOK(BAND)? */
enum { RUN_ANY = LABELS_MOST };
#define LOOK(look) (1u << LOOK_##look)
bool picture_has(const picture *p, size_t run, size_t dashes, unsigned looks);
/* Is there no number to be drawn, but of guides? */
bool panel_is_empty(const panel *p);
bool picture_is_empty(const picture *p);
void panel_add(panel *p, drawn one);
/* Can the curve be drawn at this row? *x, *y <- where; y2: nullable. Not where a number has no place on its axis. */
bool drawn_at(const panel *p, const drawn *c, size_t row, double *x, double *y, double *y2);
/* Is there any such row? */
bool drawn_any(const panel *p, const drawn *c);
/* Is it behind the other curves of its run? A thinned curve that fills its region is not, though it is drawn faint. */
bool drawn_is_behind(const drawn *c);
/* Is there a gap, where a number is not finite? */
bool drawn_gap(const drawn *c, size_t row);
/* *x, *y <- where the curves of a colour end that are seen (of a band its middle), of bars the top of the highest. Result: is there such a
 * place? */
bool panel_end(const panel *p, size_t colour, double *x, double *y);
/* Has the value a place on an axis? Not what is infinite, zero and less on a logarithmic one, and numbers so large or small that
 * gnuplot could not compute with their differences and powers. */
bool axis_has(double value, bool log);

#endif
