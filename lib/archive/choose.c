/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that stand for all rows of an archive, as figures and pages need them: at equal distances, with those on both
 * sides of each event, so that none is missed. Of the rows themselves only the blocks in which events lie are read. */
#include "lib/internal/missing.h"
#include "record.h"

#include <stdlib.h>

/* Where a block's rows are, and their times. */
typedef struct stretch {
    int64_t first, n;
    double t0, t1;
} stretch;

typedef struct stretches {
    stretch *at;
    size_t n, room;
} stretches;

static ph_status list_blocks(const ph_record *r, stretches *list, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    ph_status status =
        ph_database_prepare(&r->database, "SELECT first, n, t0, t1 FROM blocks ORDER BY first", &s, err);
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        if (list->n == list->room) {
            const size_t room = list->room ? 2 * list->room : 64;
            stretch *more = realloc(list->at, room * sizeof *more);
            if (!more) {
                status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
                break;
            }
            list->at = more;
            list->room = room;
        }
        list->at[list->n++] = (stretch){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
                                        sqlite3_column_double(s, 2), sqlite3_column_double(s, 3)};
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&r->database, "reading the times of rows", err);
    sqlite3_finalize(s);
    return status;
}

/* The block in which the time lies, or behind whose end; times ascend, or descend in a run backwards. */
static const stretch *block_of(const stretches *list, double t, bool backwards)
{
    size_t low = 0, high = list->n;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (backwards ? list->at[middle].t0 >= t : list->at[middle].t0 <= t)
            low = middle;
        else
            high = middle;
    }
    return &list->at[low];
}

/* The latest row of the block that is not behind the time. */
static int64_t row_before(ph_record *r, const stretch *b, double t, bool backwards, double *row)
{
    int64_t low = b->first, high = b->first + b->n, read, next;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (ph_record_read(r, middle, 1, row, &read, &next, NULL) || !read)
            return low;
        if (backwards ? row[0] >= t : row[0] <= t)
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
static ph_status add_events(ph_record *r, int64_t rows, int64_t most, int64_t *at, int64_t *n, ph_error *err)
{
    const int64_t events = ph_record_events(r), every = 1 + 2 * events / (most > 0 ? most : 1);
    stretches list = {0};
    double *row = malloc(ph_record_columns(r) * sizeof *row);
    ph_status status = row ? list_blocks(r, &list, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const bool backwards = list.n && list.at[list.n - 1].t1 < list.at[0].t0;
    int64_t number = 0, i = -1;
    while (!status && list.n && ph_record_next_event(r, i, &i)) {
        ph_recorded_event event;
        if (number++ % every || *n + 2 > most || ph_record_event(r, i, &event, NULL))
            continue;
        const int64_t before = row_before(r, block_of(&list, event.t, backwards), event.t, backwards, row);
        at[(*n)++] = before;
        if (before + 1 < rows)
            at[(*n)++] = before + 1;
    }
    free(row);
    free(list.at);
    return status;
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
    const int64_t even = most - *n; /* at least 2 if most is; the last row is one of them */
    for (int64_t i = 0; i < even && !status; i++)
        at[(*n)++] = even > 1 ? (int64_t)((double)i / (double)(even - 1) * (double)(rows - 1) + 0.5) : 0;
    qsort(at, (size_t)*n, sizeof *at, by_number);
    int64_t kept = 0;
    for (int64_t i = 0; i < *n; i++)
        if (!kept || at[i] != at[kept - 1])
            at[kept++] = at[i];
    *n = kept;
    return status;
}
