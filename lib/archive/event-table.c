/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of events in an archive, doc/reference/archive.md: each is a name and a few numbers, with its own checksum.
 * Events wait in memory, packed one behind the other, until they are written together with the next state. */
#include "database.h"
#include "lib/internal/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A waiting event has a head of HEAD bytes, the lengths of its name and of its numbers. The numbers are
 * LEADING ones (t, step, theta, direction), then configuration and momentum. */
enum { HEAD = 2 * sizeof(size_t), LEADING = 4 };
/* No archive has as many events: an index from here on is damaged. */
static const int64_t most_events = (int64_t)1 << 53;

ph_status ph_event_table_open(ph_event_table *t, ph_database *database, ph_error *err)
{
    t->database = database;
    ph_status status = ph_event_table_count(database, &t->written, err);
    return status ? status
                  : ph_database_prepare(database,
                                        "INSERT INTO events(n, name, t, step, crc32, row) "
                                        "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                                        &t->put, err);
}

ph_status ph_event_table_count(const ph_database *database, int64_t *n, ph_error *err)
{
    ph_status status =
        ph_database_number(database, "SELECT n FROM events ORDER BY n DESC LIMIT 1", -1, n, err);
    if (!status && (*n < -1 || *n >= most_events)) {
        status = ph_fail(err, PH_E_IO, "%s: its events are damaged: the last has the number %lld",
                         database->path, (long long)*n);
        *n = -1;
    }
    ++*n;
    return status;
}

ph_status ph_event_table_next(const ph_database *database, int64_t behind, bool *there, int64_t *n,
                              ph_error *err)
{
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT n FROM events WHERE n > %lld ORDER BY n LIMIT 1", (long long)behind);
    ph_status status = ph_database_number(database, sql, INT64_MIN, n, err);
    *there = !status && *n > behind;
    return status;
}

void ph_event_table_put_down(ph_event_table *t)
{
    sqlite3_finalize(t->put);
    t->put = NULL;
}

/* ---- Waiting ------------------------------------------------------------------------------------- */

ph_status ph_event_table_add(ph_event_table *t, const char *name, const ph_occurrence *o, ph_error *err)
{
    const ph_state *s = o->state;
    const size_t lengths[] = {strlen(name), 8 * (LEADING + s->nz + s->np)};
    const size_t wanted = t->bytes + HEAD + lengths[0] + lengths[1];
    if (wanted > t->room) {
        unsigned char *larger = realloc(t->waiting, wanted + wanted / 2);
        if (!larger)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        t->waiting = larger;
        t->room = wanted + wanted / 2;
    }
    unsigned char *to = t->waiting + t->bytes;
    memcpy(to, lengths, HEAD);
    memcpy(to + HEAD, name, lengths[0]);
    to = ph_put_double(to + HEAD + lengths[0], o->t);
    to = ph_put_double(to, (double)o->step);
    to = ph_put_double(to, o->theta);
    to = ph_put_double(to, o->direction);
    to = ph_put_doubles(to, s->z, s->nz);
    ph_put_doubles(to, s->p, s->np);
    t->bytes = wanted;
    t->n_waiting++;
    return PH_OK;
}

/* Starts with the index of the event, so that an event in the place of another is noticed. */
static uint32_t checksum_of(int64_t n, const void *name, size_t name_bytes, const void *row, size_t row_bytes)
{
    return ph_checksum(ph_checksum((uint32_t)n, name, name_bytes), row, row_bytes);
}

/* An event that waits to be written. */
typedef struct waiting {
    const unsigned char *name, *row;
    size_t lengths[2]; /* their bytes */
    double leading[LEADING];
} waiting;

/* w <- the event at `from`; result: where the next one is. */
static const unsigned char *take_waiting(const unsigned char *from, waiting *w)
{
    memcpy(w->lengths, from, HEAD);
    w->name = from + HEAD;
    w->row = w->name + w->lengths[0];
    ph_get_doubles(w->row, w->leading, LEADING);
    return w->row + w->lengths[1];
}

ph_status ph_event_table_write(ph_event_table *t, ph_error *err)
{
    ph_status status = PH_OK;
    const unsigned char *from = t->waiting;
    for (int64_t i = 0; i < t->n_waiting && !status; i++) {
        waiting w;
        from = take_waiting(from, &w);
        const int64_t n = t->written + i;
        sqlite3_bind_int64(t->put, 1, n);
        sqlite3_bind_text64(t->put, 2, (const char *)w.name, w.lengths[0], SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_double(t->put, 3, w.leading[0]);
        sqlite3_bind_int64(t->put, 4, (int64_t)w.leading[1]);
        sqlite3_bind_int64(t->put, 5, checksum_of(n, w.name, w.lengths[0], w.row, w.lengths[1]));
        const bool failed = sqlite3_bind_blob64(t->put, 6, w.row, w.lengths[1], SQLITE_STATIC) != SQLITE_OK;
        status = ph_database_step(t->database, t->put, failed, "writing an event", err);
    }
    return status;
}

/* counts <- those of the waiting events that are before step k. */
static ph_status count_waiting(const ph_event_table *t, double k, ph_event_counts *counts, ph_error *err)
{
    ph_status status = PH_OK;
    const unsigned char *from = t->waiting;
    for (int64_t i = 0; i < t->n_waiting && !status; i++) {
        waiting w;
        from = take_waiting(from, &w);
        if (w.leading[1] < k) {
            char *copy = strndup((const char *)w.name, w.lengths[0]);
            status = copy ? ph_event_counts_add(counts, copy, 1, err)
                          : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            free(copy);
        }
    }
    return status;
}

ph_status ph_event_table_count_now(ph_event_table *t, int64_t k, ph_error *err)
{
    ph_event_counts_free(&t->now);
    ph_status status = ph_event_counts_copy(&t->now, &t->counts, err);
    return status ? status : count_waiting(t, (double)k, &t->now, err);
}

void ph_event_table_settle(ph_event_table *t)
{
    if (t->n_waiting) {
        ph_event_counts_free(&t->counts);
        t->counts = t->now;
        t->now = (ph_event_counts){NULL, 0};
    }
    t->written += t->n_waiting;
    t->n_waiting = 0;
    t->bytes = 0;
}

ph_status ph_event_table_drop(ph_event_table *t, int64_t k, ph_error *err)
{
    char sql[100];
    int64_t left = 0;
    snprintf(sql, sizeof sql, "DELETE FROM events WHERE step >= %lld", (long long)k);
    ph_status status = ph_event_counts_check(t->database, err);
    if (!status)
        status = ph_database_run(t->database, sql, err);
    if (!status)
        status = ph_event_table_count(t->database, &t->written, err);
    if (!status)
        status = ph_database_number(t->database, "SELECT sum(1) FROM events", 0, &left, err);
    if (!status && left != t->written) /* an event in the middle was deleted because its step is damaged */
        status = ph_fail(
            err, PH_E_IO,
            "%s: its events are damaged: of %lld before the state there are %lld; nothing was changed",
            t->database->path, (long long)t->written, (long long)left);
    ph_event_counts_free(&t->counts);
    return status ? status : ph_event_counts_read(&t->counts, t->database, INT64_MAX, err);
}

void ph_event_table_free(ph_event_table *t)
{
    ph_event_table_put_down(t);
    ph_event_counts_free(&t->counts);
    ph_event_counts_free(&t->now);
    free(t->waiting);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* Is the number in the column this value? NaN is stored as NULL. */
static bool is_number(sqlite3_stmt *s, int column, double value)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? isnan(value)
                                                         : sqlite3_column_double(s, column) == value;
}

/* copy <- the event at the statement, if its checksum is right. */
static ph_status take_event(ph_event_copy *c, sqlite3_stmt *s, const char *path, int64_t n, ph_error *err)
{
    const void *row = sqlite3_column_blob(s, 2);
    const char *name = (const char *)sqlite3_column_text(s, 0);
    const size_t name_bytes = (size_t)sqlite3_column_bytes(s, 0), bytes = (size_t)sqlite3_column_bytes(s, 2);
    if (!name || !row || bytes % 8 || bytes < 8 * LEADING ||
        checksum_of(n, name, name_bytes, row, bytes) != (uint32_t)sqlite3_column_int64(s, 1))
        return ph_fail(err, PH_E_IO, "%s: event %lld is damaged: its checksum is wrong", path, (long long)n);
    double leading[LEADING];
    ph_get_doubles(row, leading, LEADING);
    if (sqlite3_column_type(s, 4) != SQLITE_INTEGER || (double)sqlite3_column_int64(s, 4) != leading[1] ||
        !is_number(s, 3, leading[0]))
        return ph_fail(err, PH_E_IO, "%s: event %lld is damaged: t and step do not match its numbers", path,
                       (long long)n);
    if (c->room < bytes + name_bytes + 1) {
        double *larger = realloc(c->values, bytes + name_bytes + 1);
        if (!larger)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        c->values = larger;
        c->room = bytes + name_bytes + 1;
    }
    c->n = bytes / 8;
    ph_get_doubles(row, c->values, c->n);
    c->name = memcpy(c->values + c->n, name, name_bytes + 1);
    return PH_OK;
}

ph_status ph_event_table_read(const ph_database *database, int64_t n, ph_event_copy *copy, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status =
        ph_database_prepare(database, "SELECT name, crc32, row, t, step FROM events WHERE n = ?1", &s, err);
    if (status)
        return status;
    sqlite3_bind_int64(s, 1, n);
    const int code = sqlite3_step(s);
    if (code == SQLITE_ROW)
        status = take_event(copy, s, database->path, n, err);
    else if (code == SQLITE_DONE)
        status = ph_fail(err, PH_E_IO, "%s: event %lld is missing", database->path, (long long)n);
    else
        status = ph_database_fail(database, "reading an event", err);
    sqlite3_finalize(s);
    return status;
}
