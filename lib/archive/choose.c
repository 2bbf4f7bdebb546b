/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that stand for all rows of an archive, as figures and pages need them: at equal distances, with those on both
 * sides of each event, so that none is missed. Of the rows themselves only the blocks in which events lie are read. */
#include "lib/internal/missing.h"
#include "record.h"

#include <stdlib.h>

/* Where a block's rows are. */
typedef struct stretch {
    int64_t first, n;
} stretch;

/* Finds blocks by the number of a row, without their rows. */
typedef struct finder {
    ph_record *record;
    sqlite3_stmt *of_row;
    double *row; /* room for one */
    int64_t rows;
    bool backwards; /* times descend */
} finder;

/* *b, *t0 <- the last block that begins at or before the row, and its first time. */
static bool find_stretch(const finder *f, int64_t row, stretch *b, double *t0)
{
    sqlite3_bind_int64(f->of_row, 1, row);
    const bool found = sqlite3_step(f->of_row) == SQLITE_ROW;
    if (found) {
        *b = (stretch){sqlite3_column_int64(f->of_row, 0), sqlite3_column_int64(f->of_row, 1)};
        *t0 = sqlite3_column_double(f->of_row, 2);
    }
    sqlite3_reset(f->of_row);
    return found;
}

/* *b <- the block in which the time lies, or behind whose end; there may be millions of blocks. */
static bool block_of(const finder *f, double t, stretch *b)
{
    int64_t low = 0, high = f->rows;
    bool found = false;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        stretch at;
        double t0;
        if (!find_stretch(f, middle, &at, &t0))
            low = middle + 1;
        else if (f->backwards ? t0 >= t : t0 <= t) {
            *b = at;
            found = true;
            low = at.n > 0 && at.first + at.n > middle ? at.first + at.n : middle + 1;
        } else
            high = at.first < middle ? at.first : middle;
    }
    return found;
}

/* The latest row of the block that is not behind the time; the block's first where it is damaged. */
static int64_t row_before(const finder *f, const stretch *b, double t)
{
    int64_t low = b->first, high = b->n < f->rows - b->first ? b->first + b->n : f->rows, read, next;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (ph_record_read(f->record, middle, 1, f->row, &read, &next, NULL) || !read)
            return low;
        if (f->backwards ? f->row[0] >= t : f->row[0] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* at <- the rows around events, at most `most` of them, from *n on. */
static void add_around(const finder *f, int64_t most, int64_t *at, int64_t *n)
{
    const int64_t events = ph_record_events(f->record), every = 1 + 2 * events / (most > 0 ? most : 1);
    int64_t i = -1;
    for (bool there = ph_record_next_event(f->record, -1, &i); there && *n + 2 <= most;
         there = ph_record_next_event(f->record, i + every - 1, &i)) {
        ph_recorded_event event;
        stretch b;
        if (ph_record_event(f->record, i, &event, NULL) || !block_of(f, event.t, &b))
            continue;
        const int64_t before = row_before(f, &b, event.t);
        if (before < 0)
            continue;
        at[(*n)++] = before;
        if (before + 1 < f->rows)
            at[(*n)++] = before + 1;
    }
}

static ph_status add_events(ph_record *r, int64_t rows, int64_t most, int64_t *at, int64_t *n, ph_error *err)
{
    double t0, t1;
    ph_record_span(r, &t0, &t1);
    finder f = {.record = r,
                .rows = rows,
                .backwards = t1 < t0,
                .row = malloc((ph_record_columns(r) + 1) * sizeof *f.row)};
    ph_status status = f.row ? ph_database_prepare(&r->database,
                                                   "SELECT first, n, t0 FROM blocks WHERE first <= ?1 "
                                                   "ORDER BY first DESC LIMIT 1",
                                                   &f.of_row, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status && ph_record_columns(r))
        add_around(&f, most, at, n);
    sqlite3_finalize(f.of_row);
    free(f.row);
    return status;
}

/* at <- `even` >= 2 of the rows, or fewer, from *n on: every k-th where that leaves three quarters of them, so that
 * equal steps of time remain equal; otherwise as evenly as whole numbers are. */
static void add_even(int64_t rows, int64_t even, int64_t *at, int64_t *n)
{
    const int64_t stride = (rows - 2) / (even - 1) + 1, count = (rows - 1) / stride + 1;
    if (4 * count >= 3 * even) {
        for (int64_t i = 0; i < count; i++)
            at[(*n)++] = i * stride;
        if ((rows - 1) % stride)
            at[(*n)++] = rows - 1;
        return;
    }
    for (int64_t i = 0; i < even; i++)
        at[(*n)++] = (int64_t)((double)i / (double)(even - 1) * (double)(rows - 1) + 0.5);
}

ph_status ph_record_choose(ph_record *r, int64_t most, int64_t *at, int64_t *n, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    const int64_t rows = ph_record_rows(r);
    *n = 0;
    if (most < 2)
        return ph_fail(err, PH_E_RANGE, "at least 2 rows must be chosen, not %lld", (long long)most);
    if (rows <= most) {
        for (; *n < rows; (*n)++)
            at[*n] = *n;
        return PH_OK;
    }
    ph_status status = ph_record_events(r) ? add_events(r, rows, most / 2, at, n, err) : PH_OK;
    if (!status)
        add_even(rows, most - *n, at, n); /* at least 2 */
    qsort(at, (size_t)*n, sizeof *at, by_number);
    int64_t kept = 0;
    for (int64_t i = 0; i < *n; i++)
        if (!kept || at[i] != at[kept - 1])
            at[kept++] = at[i];
    *n = kept;
    return status;
}
