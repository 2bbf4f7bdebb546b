/* SPDX-License-Identifier: BSD-3-Clause */
/* The source of the rows of `polhode export` and `polhode tail`: a table of named columns, read from its beginning
 * to its end. */
#ifndef POLHODE_TOOLS_SOURCE_H
#define POLHODE_TOOLS_SOURCE_H

#include <polhode/record.h>
#include <polhode/table.h>

#include "bench/common/command.h"

typedef struct source {
    const ph_column *columns;
    size_t n;
    const ph_attribute *attributes;
    size_t n_attributes;
    const ph_record *record; /* nullable: the archive whose rows these are */
    ph_error damage;         /* of what an archive says of its run; its status is PH_OK where there is none */
    void *self;
    /* values (n x columns) <- rows from `first` on, *read of them; none and PH_OK: there are no more. *next
     * is the next row to read. Behind something damaged, which the error names, that is more than `first`,
     * and the rows before the damage have been read; after an error that cannot be passed it is `first`. */
    ph_status (*read)(void *self, int64_t first, int64_t n, double *values, int64_t *read, int64_t *next,
                      ph_error *err);
    int64_t (*rows)(
        const void *self); /* that are there now; NULL where they have to be read to be counted, and then: */
    double (*share)(const void *self); /* of the whole that has been read */
    void (*close)(void *self);
} source;

/* *at <- the column of that name; PH_E_UNKNOWN suggests others. */
ph_status source_find(const source *s, const char *name, size_t *at, ph_error *err);
/* picked (at most as many as there are columns), *n <- those of the names, which may mean several as for `polhode run`:
 * "q1", "configuration", "positions". Also PH_E_INVALID: one is there twice. */
ph_status source_pick(const source *s, const option_texts *names, size_t *picked, size_t *n, ph_error *err);

/* Are these the letters of the column, with a number behind? */
bool has_letters(const char *column, const char *letters);

/* What the file is, an archive or a CSV. */
ph_status source_open(const char *path, source *s, ph_error *err);
/* A trajectory.csv, or another whose first line names its columns as "name[unit]" and whose others are
 * numbers. */
ph_status source_open_csv(const char *path, source *s, ph_error *err);

/* Columns of an archive, those that it has and such as are computed (polhode/rows.h): those of the words as of ph_rows_open (names), and t
 * behind them where they do not have it, which *chosen does not count. */
ph_status source_open_rows(const char *path, const option_texts *names, source *s, size_t *chosen,
                           ph_error *err);
/* On the standard error, of rows that were read, so many of them between steps, in columns (n): which errors are not those of the method. */
void source_remark(const source *s, const ph_column *columns, size_t n, int64_t between, int64_t rows);
/* Is it an archive, as far as its first bytes say? */
bool source_is_record(const char *path);

/* The events of an archive. */
ph_status source_open_events(const char *path, source *s, ph_error *err);
/* An archive, also one that is being written: the rows that it has now. */
ph_status source_open_record(const char *path, source *s, ph_error *err);

#endif
