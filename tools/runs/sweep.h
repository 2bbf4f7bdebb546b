/* SPDX-License-Identifier: BSD-3-Clause */
/* All rows of an archive read once for all who watch them: the figures, and the errors of the run. */
#ifndef POLHODE_TOOLS_RUNS_SWEEP_H
#define POLHODE_TOOLS_RUNS_SWEEP_H

#include <polhode/rows.h>

#include <math.h>

#include "tools/program.h"

/* A part of the time of a run [s]; all of it: from -INFINITY to INFINITY. */
typedef struct time_span {
    double from, to;
} time_span;

static inline bool time_is_in(time_span span, double t)
{
    return t >= span.from && t <= span.to;
}

static inline bool span_is_all(time_span span)
{
    return span.from == -INFINITY && span.to == INFINITY;
}

/* Who watches the rows of an archive, and which columns of them. Zero-initialise, then fill in. */
typedef struct watcher {
    /* Nullable: columns that are watched, the time as the first of them; NULL: those of the archive in its order. */
    ph_rows *rows;
    bool behind; /* are those of the archive in its order before them? */
    bool
        whole; /* all rows, whatever their times, and what cannot be read is left out whatever the reason; else those in the span, and
                   only what is damaged is left out, while other errors of reading end the watching */
    ph_status (*enter)(void *self, const double *row, ph_error *err); /* NULL: it watches nothing */
    /* Nullable: so many rows are left out before the next one. */
    void (*gap)(void *self, int64_t rows, const ph_error *why);
    void *self;
    /* What came of it: what `enter` or the reading failed with, after which no more rows are entered. */
    ph_status status;
    ph_error err;
} watcher;

/* The rows of an archive that are swept. */
typedef struct swept {
    ph_record *record;
    int64_t rows;
    time_span span;
    progress *show;      /* its label is the caller's */
    int64_t done, total; /* rows of all sweeps that are shown together: before this one, and at its end */
} swept;

/* *rows <- with t as their first column, and behind it those of the words (n), as of ph_rows_open. */
ph_status sweep_open(ph_record *record, const char *const *words, size_t n, ph_rows **rows, ph_error *err);

/* Reads the rows block by block, each once, and hands them to the watchers (n). PH_E_INTERRUPTED, PH_E_NO_MEMORY:
 * not all rows were entered. */
ph_status sweep(const swept *of, watcher *const *watchers, size_t n, ph_error *err);

#endif
