/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive of a sweep: rows that are given as numbers, members that failed, and what the table meta says of
 * them. Creation, commits and the rest are those of every archive. */
#include "swept.h"

#include "insert.h"
#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"
#include "record.h"
#include "seal.h"
#include "words.h"
#include "writer.h"

#include <polhode/kit/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char ph_swept_schema[] =
    "CREATE TABLE failed(member INTEGER PRIMARY KEY, status TEXT NOT NULL, t, message TEXT);"
    "CREATE TABLE again(member INTEGER PRIMARY KEY, settings TEXT NOT NULL);";
static const char rank_schema[] =
    "CREATE TABLE dealt(place INTEGER PRIMARY KEY, first INTEGER NOT NULL, n INTEGER NOT NULL);";

ph_state ph_swept_state(int64_t next)
{
    return (ph_state){.k = next};
}

/* ---- The table meta ------------------------------------------------------------------------------ */

/* What describes the first member only: `step` where the step varies. */
static ph_status forget_varied(ph_archive *a, const char *name, ph_error *err)
{
    if (!strcmp(name, "scenario.step"))
        return ph_database_run(&a->database, "DELETE FROM meta WHERE key = 'step'", err);
    if (!strncmp(name, "method", 6))
        return ph_database_run(&a->database, "DELETE FROM meta WHERE key IN ('method', 'order', 'options')",
                               err);
    if (!strcmp(name, "initial.time"))
        return ph_database_run(&a->database, "DELETE FROM meta WHERE key = 't0'", err);
    return PH_OK;
}

/* The names of what varies, one a line. */
static void put_varied(ph_insert *t, const ph_archive_sweep *m)
{
    size_t size = 1;
    for (size_t i = 0; i < m->varied; i++)
        size += strlen(m->columns[PH_MEMBER_LEADING + i].name) + 1;
    char *text = malloc(size), *to = text;
    if (!text) {
        t->status = t->status ? t->status : ph_fail(t->err, PH_E_NO_MEMORY, "out of memory");
        return;
    }
    *text = '\0';
    for (size_t i = 0; i < m->varied; i++)
        to = stpcpy(stpcpy(to, i ? "\n" : ""), m->columns[PH_MEMBER_LEADING + i].name);
    ph_insert_text(t, "varied", text);
    free(text);
}

ph_status ph_swept_put(ph_archive *a, const ph_archive_sweep *m, ph_error *err)
{
    ph_insert t = ph_insert_begin(&a->database, PH_INTO_META, "describing the sweep", err);
    ph_insert_count(&t, "members", m->all.members);
    ph_insert_count(&t, "first_member", m->all.first);
    ph_insert_count(&t, "steps", m->all.end);
    ph_insert_count(&t, "shard", m->all.shard);
    ph_insert_count(&t, "shards", m->all.shards);
    ph_insert_count(&t, "rows_per_member", m->all.rows);
    if (m->all.rank >= 0)
        ph_insert_count(&t, "rank", m->all.rank);
    put_varied(&t, m);
    if (m->files)
        ph_insert_count(&t, "files", m->files);
    ph_status status = ph_insert_end(&t);
    if (!status && m->all.rank >= 0)
        status = ph_database_run(&a->database, rank_schema, err);
    for (size_t i = 0; i < m->varied && !status; i++)
        status = forget_varied(a, m->columns[PH_MEMBER_LEADING + i].name, err);
    if (status)
        return status;
    t = ph_insert_begin(&a->database, PH_INTO_COLUMNS, "naming the columns", err);
    for (size_t i = 0; i < m->n; i++)
        ph_insert_column(&t, i, m->columns[i].name, m->columns[i].unit);
    return ph_insert_end(&t);
}

/* ---- Rows and events ------------------------------------------------------------------------------- */

ph_status ph_archive_add_rows(ph_archive *a, const double *rows, size_t n, ph_error *err)
{
    ph_status status = ph_writer_make_room(a, n, err);
    if (status)
        return status;
    double *to = (double *)(void *)a->block.bytes + (size_t)a->block.n * a->columns;
    memcpy(to, rows, n * a->row_bytes);
    ph_make_little_endian(to, n * a->columns);
    a->block.n += (int64_t)n;
    return PH_OK;
}

/* Its numbers stand for a state. */
ph_status ph_archive_add_event(ph_archive *a, const ph_recorded_event *event, ph_error *err)
{
    ph_state state = {.z = (double *)(uintptr_t)event->values, .nz = event->n}; /* which nobody changes */
    const ph_occurrence o = {.t = event->t,
                             .theta = event->theta,
                             .step = event->step,
                             .direction = event->direction,
                             .state = &state};
    return ph_event_table_add(&a->events, event->name, &o, err);
}

/* ---- Failures --------------------------------------------------------------------------------------- */

ph_status ph_archive_add_failure(ph_archive *a, const ph_member_failure *failure, ph_error *err)
{
    return ph_failure_table_add(&a->failures, failure, err);
}

/* ---- What was dealt to a rank -------------------------------------------------------------------------- */

ph_status ph_archive_add_dealt(ph_archive *a, int64_t first, int64_t n, ph_error *err)
{
    return ph_dealt_table_add(&a->dealt, first, n, err);
}

ph_status ph_record_dealt(const ph_record *r, ph_dealt **list, size_t *n, ph_error *err)
{
    return ph_dealt_table_read(&r->database, list, n, err);
}

/* ---- Replacing --------------------------------------------------------------------------------------- */

/* n rows from `row` on, in their blocks. */
static ph_status replace_rows(ph_archive *a, ph_blocks *blocks, ph_block *b, int64_t row, const double *rows,
                              int64_t n, ph_error *err)
{
    ph_status status = PH_OK;
    while (n > 0 && !status) {
        if (!b->n || row < b->first || row >= b->first + b->n)
            status = ph_blocks_load(blocks, row, b, err);
        if (!status && (!b->n || row >= b->first + b->n))
            status = ph_fail(err, PH_E_IO, "%s: row %lld is missing", a->path, (long long)row);
        if (status)
            break;
        const int64_t from = row - b->first, room = b->n - from, here = n < room ? n : room;
        double *to = (double *)(void *)(b->bytes + (size_t)from * a->row_bytes);
        memcpy(to, rows, (size_t)here * a->row_bytes);
        ph_make_little_endian(to, (size_t)here * a->columns);
        status = ph_blocks_put(&a->database, a->put_block, b, b->n, a->row_bytes, err);
        row += here;
        rows += (size_t)here * a->columns;
        n -= here;
    }
    return status;
}

static ph_status replace_all_rows(ph_archive *a, const ph_archive_patch *p, ph_error *err)
{
    ph_blocks blocks;
    ph_block b = {.n = 0};
    ph_status status = ph_blocks_open(&blocks, &a->database, a->row_bytes, err);
    for (int64_t i = 0; i < p->n && !status; i++)
        status = replace_rows(a, &blocks, &b, (p->members[i] - p->all->first) * p->all->rows,
                              p->rows + (size_t)(i * p->all->rows) * a->columns, p->all->rows, err);
    ph_blocks_close(&blocks);
    free(b.bytes);
    return status;
}

/* For each member of the patch; the first value is its number, the second the settings. */
static ph_status for_members(ph_archive *a, const ph_archive_patch *p, const char *sql, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_database_prepare(&a->database, sql, &s, err);
    for (int64_t i = 0; i < p->n && !status; i++) {
        sqlite3_bind_int64(s, 1, p->members[i]);
        if (sqlite3_bind_parameter_count(s) > 1)
            sqlite3_bind_text(s, 2, p->settings, -1, SQLITE_STATIC);
        status = ph_database_step(&a->database, s, false, "replacing members", err);
    }
    sqlite3_finalize(s);
    return status;
}

static int compare_members(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Events of the table that are not of the patch's members wait again, with those of the patch between them by member. */
static ph_status gather_events(ph_archive *a, const ph_archive_patch *p, int64_t n, ph_error *err)
{
    ph_event_copy copy = {.values = NULL};
    ph_status status = PH_OK;
    size_t k = 0;
    for (int64_t i = 0; i < n && !status; i++) {
        status = ph_event_table_read(&a->database, i, &copy, err);
        if (status)
            break;
        const double *v = copy.values;
        const int64_t member = (int64_t)v[1];
        if (bsearch(&member, p->members, (size_t)p->n, sizeof member, compare_members))
            continue;
        for (; k < p->n_events && p->events[k].step < member && !status; k++)
            status = ph_archive_add_event(a, &p->events[k], err);
        const ph_recorded_event kept = {copy.name, v[0], member, v[2], (int)v[3], v + 4, copy.n - 4};
        if (!status)
            status = ph_archive_add_event(a, &kept, err);
    }
    for (; k < p->n_events && !status; k++)
        status = ph_archive_add_event(a, &p->events[k], err);
    free(copy.values);
    return status;
}

/* All events are written again, numbered from 0. */
static ph_status replace_events(ph_archive *a, const ph_archive_patch *p, ph_error *err)
{
    int64_t n = 0;
    ph_status status = ph_event_table_count(&a->database, &n, err);
    if (status || (!n && !p->n_events))
        return status;
    status = gather_events(a, p, n, err);
    if (!status)
        status = ph_database_run(&a->database, "DELETE FROM events", err);
    a->events.written = 0;
    ph_event_counts_free(&a->events.counts);
    return status ? status : ph_event_table_write(&a->events, err);
}

ph_status ph_archive_put_patch(ph_archive *a, const ph_archive_patch *p, const ph_account *account,
                               ph_error *err)
{
    const ph_state state = ph_swept_state(a->safe_steps);
    ph_status status = ph_database_run(&a->database, "BEGIN IMMEDIATE", err);
    if (!status)
        status = replace_all_rows(a, p, err);
    if (!status)
        status = for_members(a, p, "DELETE FROM failed WHERE member = ?1", err);
    if (!status && *p->settings)
        status = for_members(a, p, "INSERT OR REPLACE INTO again VALUES(?1, ?2)", err);
    for (size_t i = 0; i < p->n_failures && !status; i++)
        status = ph_archive_add_failure(a, &p->failures[i], err);
    if (!status)
        status = ph_failure_table_write(&a->failures, err);
    if (!status)
        status = replace_events(a, p, err);
    if (!status)
        status = ph_seal_put(&a->database, PH_SEAL_MEMBERS, err);
    if (!status)
        status = ph_writer_put_state(a, &state, NULL, account, err);
    status = ph_writer_end_transaction(a, status, err);
    if (!status) {
        ph_event_table_settle(&a->events);
        ph_failure_table_forget(&a->failures);
    }
    return status;
}

/* ---- Reading ---------------------------------------------------------------------------------------- */

/* *value <- a number of the table meta, within bounds. */
static bool take(const ph_record *r, const char *key, int64_t least, int64_t most, int64_t *value)
{
    const char *text = ph_record_meta(r, key);
    return text && !ph_parse_count(text, value) && *value >= least && *value <= most;
}

bool ph_record_swept(const ph_record *r, ph_swept *swept)
{
    ph_swept s;
    const bool is =
        take(r, "members", 1, INT64_MAX, &s.members) && take(r, "first_member", 0, s.members, &s.first) &&
        take(r, "steps", s.first, s.members, &s.end) && take(r, "shards", 1, INT64_MAX, &s.shards) &&
        take(r, "shard", 1, s.shards, &s.shard) && take(r, "rows_per_member", 1, INT64_MAX, &s.rows);
    if (!take(r, "rank", 0, INT64_MAX, &s.rank))
        s.rank = -1;
    if (is && swept)
        *swept = s;
    return is;
}

int64_t ph_record_failures(const ph_record *r)
{
    int64_t n = 0;
    if (ph_record_swept(r, NULL))
        (void)ph_database_number(&r->database, "SELECT sum(1) FROM failed", 0, &n, NULL);
    return n;
}

bool ph_record_next_failure(ph_record *r, int64_t behind, ph_member_failure *failure)
{
    sqlite3_stmt *s = NULL;
    if (ph_database_prepare(
            &r->database,
            "SELECT member, status, t, message FROM failed WHERE member > ?1 ORDER BY member LIMIT 1", &s,
            NULL))
        return false;
    sqlite3_bind_int64(s, 1, behind);
    const int code = sqlite3_step(s);
    const bool is = code == SQLITE_ROW;
    if (!is && code != SQLITE_DONE)
        (void)ph_database_fail(&r->database, "reading failures", NULL);
    if (is) {
        const char *word = (const char *)sqlite3_column_text(s, 1),
                   *message = (const char *)sqlite3_column_text(s, 3);
        char *copy = strdup(message ? message : "");
        r->starved = r->starved || !copy;
        free(r->message);
        r->message = copy;
        *failure = (ph_member_failure){
            .member = sqlite3_column_int64(s, 0),
            .t = sqlite3_column_type(s, 2) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(s, 2),
            .message = copy ? copy : "",
            .status = word ? ph_status_of_word(word) : PH_OK};
    }
    sqlite3_finalize(s);
    return is;
}

/* ---- Copies ----------------------------------------------------------------------------------------- */

ph_status ph_archive_copy(const ph_record *record, const char *path, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_database_prepare(&record->database, "VACUUM INTO ?1", &s, err);
    if (status)
        return status;
    const bool failed = sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC) != SQLITE_OK;
    status = ph_database_step(&record->database, s, failed, "copying", err);
    sqlite3_finalize(s);
    return status;
}

ph_status ph_archive_copy_settings(ph_archive *a, const ph_record *record, ph_error *err)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    int code = SQLITE_DONE;
    ph_status status =
        ph_database_prepare(&record->database, "SELECT member, settings FROM again", &from, err);
    if (!status)
        status = ph_database_prepare(&a->database, "INSERT OR REPLACE INTO again VALUES(?1, ?2)", &to, err);
    while (!status && (code = sqlite3_step(from)) == SQLITE_ROW) {
        sqlite3_bind_int64(to, 1, sqlite3_column_int64(from, 0));
        sqlite3_bind_value(to, 2, sqlite3_column_value(from, 1));
        status = ph_database_step(&a->database, to, false, "writing settings", err);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&record->database, "reading settings", err);
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return status ? status : ph_seal_put(&a->database, PH_SEAL_MEMBERS, err);
}

ph_status ph_record_member_settings(const ph_record *record, int64_t member, char **settings, ph_error *err)
{
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    sqlite3_stmt *s = NULL;
    ph_status status =
        ph_database_prepare(&record->database, "SELECT settings FROM again WHERE member = ?1", &s, err);
    *settings = NULL;
    if (status)
        return status;
    sqlite3_bind_int64(s, 1, member);
    const int code = sqlite3_step(s);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : "";
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = ph_database_fail(&record->database, "reading settings", err);
    else if (!text || !(*settings = strdup(text)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    sqlite3_finalize(s);
    return status;
}

ph_status ph_archive_widen(const char *path, int64_t members, ph_error *err)
{
    ph_database d = {.path = path};
    char sql[300];
    snprintf(sql, sizeof sql,
             "BEGIN; UPDATE meta SET value = '%lld' WHERE key = 'steps'; UPDATE meta SET value = '1' "
             "WHERE key IN ('shard', 'shards')",
             (long long)members);
    ph_status status = ph_database_open(&d, path, PH_WRITER_FLAGS, err);
    if (!status)
        status = ph_database_run(&d, sql, err);
    if (!status)
        status = ph_seal_put(&d, PH_SEAL_META, err);
    if (!status)
        status = ph_database_run(&d, "COMMIT", err);
    sqlite3_close(d.db);
    return status;
}
