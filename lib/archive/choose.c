/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that stand for all rows of an archive, as figures and pages need them: at equal distances, with those on both
 * sides of each event, so that none is missed. Of the rows themselves only the blocks in which events lie are read. */
#include "lib/internal/missing.h"
#include "record.h"
#include "shares.h"

#include <math.h>
#include <stdlib.h>

enum { NONE = -1 };

/* Where a block's rows are. */
typedef struct stretch {
    int64_t first, n;
} stretch;

/* Finds blocks by the number of a row, without their rows. */
typedef struct finder {
    ph_record *record;
    double *row; /* room for one */
    int64_t rows;
    bool backwards; /* times descend */
} finder;

/* *b, *t0 <- the last block that begins at or before the row, and its first time. */
static bool find_stretch(const finder *f, int64_t row, stretch *b, double *t0)
{
    sqlite3_stmt *s = f->record->blocks.head;
    sqlite3_bind_int64(s, 1, row);
    const int code = sqlite3_step(s);
    const bool found = code == SQLITE_ROW;
    if (!found && code != SQLITE_DONE)
        (void)ph_database_fail(&f->record->database, "reading rows", NULL);
    if (found) {
        *b = (stretch){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1)};
        *t0 = sqlite3_column_double(s, 3);
    }
    sqlite3_reset(s);
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

/* Ascending, each once. */
static void put_in_order(int64_t *at, int64_t *n)
{
    int64_t kept = 0;
    qsort(at, (size_t)*n, sizeof *at, by_number);
    for (int64_t i = 0; i < *n; i++)
        if (!kept || at[i] != at[kept - 1])
            at[kept++] = at[i];
    *n = kept;
}

/* at <- the rows on both sides of an event, from *n on; of one that is damaged none. */
static void add_sides(const finder *f, int64_t event, int64_t *at, int64_t *n)
{
    ph_recorded_event found;
    stretch b;
    if (ph_record_event(f->record, event, &found, NULL) || !block_of(f, found.t, &b))
        return;
    const int64_t before = row_before(f, &b, found.t);
    if (before < 0)
        return;
    at[(*n)++] = before;
    if (before + 1 < f->rows)
        at[(*n)++] = before + 1;
}

/* at <- the rows around events, at most `most` of them, from *n on: of each name by itself, so that rare ones have theirs. */
static ph_status add_around(const finder *f, int64_t most, int64_t *at, int64_t *n, ph_error *err)
{
    sqlite3_stmt *names = NULL;
    ph_shares shares;
    ph_status status = ph_shares_count(&shares, f->record, most / 2, err);
    if (!status)
        status =
            ph_database_prepare(&f->record->database, "SELECT n, name FROM events ORDER BY n", &names, err);
    int code = SQLITE_ROW;
    while (!status && *n + 2 <= most && (code = sqlite3_step(names)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(names, 1);
        if (ph_shares_take(&shares, name ? name : ""))
            add_sides(f, sqlite3_column_int64(names, 0), at, n);
    }
    if (!status && code != SQLITE_ROW && code != SQLITE_DONE)
        (void)ph_database_fail(&f->record->database, "reading events",
                               NULL); /* where they are damaged, there are fewer */
    sqlite3_finalize(names);
    ph_shares_free(&shares);
    return status;
}

static ph_status finder_open(finder *f, ph_record *r, ph_error *err)
{
    double t0, t1;
    ph_record_span(r, &t0, &t1);
    *f = (finder){.record = r,
                  .rows = ph_record_rows(r),
                  .backwards = t1 < t0,
                  .row = malloc((ph_record_columns(r) + 1) * sizeof *f->row)};
    return f->row ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static ph_status add_events(ph_record *r, int64_t most, int64_t *at, int64_t *n, ph_error *err)
{
    finder f;
    ph_status status = finder_open(&f, r, err);
    if (!status && ph_record_columns(r))
        status = add_around(&f, most, at, n, err);
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
    ph_status status = ph_record_events(r) ? add_events(r, most / 2, at, n, err) : PH_OK;
    if (!status)
        add_even(rows, most - *n, at, n); /* at least 2 */
    put_in_order(at, n);
    return status;
}

/* ---- Rows at given times ----------------------------------------------------------------------------------- */

/* The row at the time, to rounding of times and a billionth of the distance of rows; NONE where there is none. */
static int64_t row_at(const finder *f, double t)
{
    enum { NEAR = 2 };
    stretch b;
    double times[NEAR];
    int64_t row, read, next;
    if (!block_of(f, t, &b) || (row = row_before(f, &b, t)) < 0)
        return NONE;
    for (int i = 0; i < NEAR; i++) {
        const bool there = row + i < f->rows &&
                           !ph_record_read(f->record, row + i, 1, f->row, &read, &next, NULL) && read == 1;
        times[i] = there ? f->row[0] : (double)NAN;
    }
    const double spacing = isnan(times[1]) ? 0 : fabs(times[1] - times[0]);
    for (int i = 0; i < NEAR; i++)
        if (fabs(times[i] - t) <= 1e-12 * fabs(t) + 1e-9 * spacing)
            return row + i;
    return NONE;
}

/* Does the choice have times of the list already, as of runs with the same rows? Judged by some of its rows. */
static bool is_common(ph_record *r, const double *times, size_t n_times, const int64_t *at, int64_t n)
{
    enum { PROBES = 5 };
    double *row = malloc((ph_record_columns(r) + 1) * sizeof *row);
    bool common = row != NULL;
    for (int64_t k = 1; common && k <= PROBES; k++) {
        int64_t read, next;
        size_t i = 0;
        if (ph_record_read(r, at[k * (n - 1) / PROBES], 1, row, &read, &next, NULL) || read != 1)
            continue;
        while (i < n_times && fabs(times[i] - row[0]) > 1e-12 * fabs(row[0]))
            i++;
        common = i < n_times;
    }
    free(row);
    return common;
}

static void add_at(const finder *f, const double *times, size_t n_times, int64_t most, int64_t *at,
                   int64_t *n)
{
    const size_t every = most > 0 ? (n_times + (size_t)most - 1) / (size_t)most : n_times + 1;
    for (size_t i = 0; i < n_times; i += every) {
        const int64_t row = row_at(f, times[i]);
        if (row != NONE)
            at[(*n)++] = row;
    }
}

ph_status ph_record_choose_at(ph_record *r, const double *times, size_t n_times, int64_t most, int64_t *at,
                              int64_t *n, ph_error *err)
{
    finder f;
    ph_status status = ph_record_choose(r, most, at, n, err);
    if (status || *n == ph_record_rows(r) || !ph_record_columns(r) || is_common(r, times, n_times, at, *n))
        return status;
    *n = 0;
    status = finder_open(&f, r, err);
    if (!status)
        add_at(&f, times, n_times, most * 3 / 4, at, n);
    free(f.row);
    int64_t others = 0;
    if (!status && most - *n >= 2)
        status = ph_record_choose(r, most - *n, at + *n, &others, err);
    *n += others;
    put_in_order(at, n);
    return status;
}
