/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a sweep as its figures need them: of each what varies and the chosen columns of one row, in bounded memory. */
#ifndef POLHODE_TOOLS_PLOT_ENSEMBLE_H
#define POLHODE_TOOLS_PLOT_ENSEMBLE_H

#include "figures/picture.h"
#include "tools/info.h"
#include "tools/runs/sweep.h"

enum { ENSEMBLE_COLUMNS = PANELS_MOST, ENSEMBLE_KEYS = 8, ENSEMBLE_CELLS = 96, ENSEMBLE_VALUES = 4096 };
/* The numbers of a member in the table, before its keys and columns. */
enum { ENSEMBLE_MEMBER, ENSEMBLE_STATUS, ENSEMBLE_LEADING };

/* What varies, or a column. */
typedef struct ensemble_column {
    const char *name, *unit;
    size_t in_row, in_table;
    size_t n;           /* different values, at most ENSEMBLE_VALUES + 1, which stands for more */
    int64_t finite;     /* members of the table with a finite one */
    double *values;     /* (n) in ascending order */
    double least, most; /* finite ones */
    bool words, log; /* what stands for words; are its values rather evenly spaced on a logarithmic axis? */
    bool rises;      /* from member to member, never falling */
    bool error;      /* it is drawn by its size */
} ensemble_column;

typedef struct ensemble {
    info info;
    char *file;
    ph_members *members; /* for words; or NULL */
    time_span span;      /* of each member its last row in it */
    ensemble_column keys[ENSEMBLE_KEYS], columns[ENSEMBLE_COLUMNS],
        axes[2]; /* columns at axes that are not among these */
    size_t n_keys, n_columns, n_axes;
    size_t more_keys, more_columns; /* vary too, and are not among them */
    double *table;                  /* (n x width) */
    size_t n, width;
    int64_t read; /* members in the archive; where this is more than n, every k-th is in the table */
    int64_t counted, failed, elsewhere; /* of the table: drawn, failed, without a row in the span */
    int64_t damaged;                    /* rows that could not be read; the first: */
    char damage[300];
    bool quiet;
} ensemble;

/* Is it the archive of a sweep, or a directory with one? */
bool is_sweep(const char *path);
/* *e <- with the columns (n_columns) that are named, or else the first `most` of those that differ between members; besides those
 * named at axes (2; NULL: none). ensemble_close also after an error. PH_E_UNKNOWN: no such column; PH_E_INTERRUPTED, PH_E_IO, PH_E_NO_MEMORY. */
ph_status ensemble_open(ensemble *e, const char *path, const char *const *columns, size_t n_columns,
                        const char *const axes[2], size_t most, time_span span, bool quiet, ph_error *err);
void ensemble_close(ensemble *e);
/* How many rows of each member ensemble_rows gives, at equal distances. */
size_t ensemble_times(const ensemble *e);
/* *rows (malloc) <- rows (ensemble_times x (2 + n_columns): t, member, columns) of at most `most` members that did not fail; *n of them,
 * *of <- of so many. */
ph_status ensemble_rows(ensemble *e, size_t most, double **rows, size_t *n, int64_t *of, ph_error *err);
/* The column of that name among keys, columns and axes; NULL: err names those that there are. */
const ensemble_column *ensemble_find(const ensemble *e, const char *name, ph_error *err);
/* The number of the i-th member of the table, of an error its size. */
double ensemble_value(const ensemble *e, const ensemble_column *c, size_t i);
static inline bool ensemble_failed(double status)
{
    return status != PH_OK && status != PH_E_STOPPED;
}
/* What a value of a key stands for; NULL: the number. */
const char *ensemble_word(const ensemble *e, const ensemble_column *key, double value);
/* text <- "method = rk4" */
void ensemble_words(const ensemble *e, const ensemble_column *key, double value, char *text, size_t size);
/* Reports damage. Result: EXIT_OK, or EXIT_ENDED_EARLY where rows are left out. */
int ensemble_complain(const ensemble *e);
/* Appends to the words of a picture how many members it shows, and which are not there, in this column or in any (NULL). */
void ensemble_say(const ensemble *e, const ensemble_column *shown, picture *p);

#endif
