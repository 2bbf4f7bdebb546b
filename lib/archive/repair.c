/* SPDX-License-Identifier: BSD-3-Clause */
/* What is whole in a damaged archive becomes a new one: rows of whole blocks and whole events, renumbered, the texts, and the state, if it
 * and meta are whole. Nothing is changed in the archive itself, and what is not whole is named. */
#include <polhode/record.h>

#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"

#include "insert.h"
#include "place.h"
#include "record.h"
#include "seal.h"
#include "state-row.h"
#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct repair {
    ph_record *from;
    ph_database to;
    ph_repair *report;
    ph_event_counts counts; /* of saved events before the state */
    ph_state_row row;
    bool stated, described; /* are the state, and meta, whole? */
} repair;

/* It is damage, which is named, and not a failure of memory. */
static bool is_damage(repair *r, ph_status status, const ph_error *why)
{
    if (status != PH_E_IO && status != PH_E_PARSE)
        return false;
    r->report->damages++;
    if (r->report->say)
        r->report->say(r->report->self, why->message);
    return true;
}

/* ---- What is whole ----------------------------------------------------------------------------------------- */

/* Meta and columns, then the state. */
static ph_status judge(repair *r, ph_error *err)
{
    ph_error why;
    ph_account account;
    bool sealed;
    ph_status status = ph_seal_check(&r->from->database, &sealed, &why);
    r->described = !status;
    if (status && !is_damage(r, status, &why))
        return ph_fail(err, status, "%s", why.message);
    if (ph_record_meta(r->from, "copy"))
        return PH_OK;
    status = ph_state_table_row(&r->from->database, &r->row, &why);
    if (!status)
        status = ph_state_table_check(&r->from->database, &account, &why);
    r->stated = !status;
    if (!r->stated)
        r->row = (ph_state_row){.k = 0}; /* not what was read until then */
    if (status && !is_damage(r, status, &why))
        return ph_fail(err, status, "%s", why.message);
    return PH_OK;
}

/* ---- Saving ------------------------------------------------------------------------------------------------ */

static ph_status put_texts(const repair *r, ph_error *err)
{
    const ph_texts *meta = &r->from->meta;
    ph_insert t = ph_insert_begin(&r->to, PH_INTO_META, "saving texts", err);
    for (size_t i = 0; i + 1 < meta->n; i += 2)
        if (!strstr(ph_texts_at(meta, i), "crc32"))
            ph_insert_text(&t, ph_texts_at(meta, i), ph_texts_at(meta, i + 1));
    if (!r->report->resumable && !ph_record_meta(r->from, "copy"))
        ph_insert_text(&t, "copy", "of what was whole in a damaged archive: it can be viewed, not resumed");
    if (!r->report->resumable) {
        ph_insert_count(&t, "copied_rows", r->report->rows);
        ph_insert_count(&t, "copied_events", r->report->events);
    }
    const ph_status status = ph_insert_end(&t);
    if (status)
        return status;
    t = ph_insert_begin(&r->to, PH_INTO_COLUMNS, "saving columns", err);
    for (size_t i = 0; i < r->from->n_columns; i++) {
        const char *unit = ph_record_unit(r->from, i);
        ph_insert_column(&t, i, ph_record_column(r->from, i), *unit ? unit : NULL);
    }
    return ph_insert_end(&t);
}

/* Rows that are read, in little-endian order, as one block. */
static ph_status put_block(const repair *r, sqlite3_stmt *s, double *values, int64_t n, ph_error *err)
{
    const size_t columns = r->from->n_columns;
    const ph_block b = {.first = r->report->rows, .n = n, .bytes = (unsigned char *)values};
    ph_make_little_endian(values, (size_t)n * columns);
    return ph_blocks_put(&r->to, s, &b, n, 8 * columns, err);
}

/* *before <- how many of the saved rows belong to the state. */
static ph_status put_rows(repair *r, int64_t *before, ph_error *err)
{
    const int64_t at_once = 65536 / (int64_t)(8 * r->from->n_columns) + 1;
    double *values = malloc((size_t)at_once * r->from->n_columns * sizeof *values);
    sqlite3_stmt *s = NULL;
    ph_error why;
    int64_t read = 1, next = 0;
    ph_status status = values ? ph_database_prepare(&r->to, PH_INTO_BLOCKS, &s, err)
                              : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int64_t first = 0; !status && (read || next > first);) {
        first = next;
        status = ph_record_read(r->from, first, at_once, values, &read, &next, &why);
        if (status && is_damage(r, status, &why)) {
            r->report->rows_lost += next - first;
            status = PH_OK;
            continue;
        }
        if (status)
            ph_fail(err, status, "%s", why.message);
        const int64_t behind = first + read - r->row.account.rows; /* the state */
        if (!status && read)
            status = put_block(r, s, values, read, err);
        r->report->rows += read;
        *before += behind <= 0 ? read : behind < read ? read - behind : 0;
    }
    sqlite3_finalize(s);
    free(values);
    return status;
}

static ph_status put_event(repair *r, sqlite3_stmt *s, const ph_event_copy *c, ph_error *err)
{
    const size_t name = strlen(c->name), bytes = 8 * c->n;
    const int64_t n = r->report->events;
    unsigned char *row = malloc(bytes);
    if (!row)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    ph_put_doubles(row, c->values, c->n);
    sqlite3_bind_int64(s, 1, n);
    sqlite3_bind_text(s, 2, c->name, -1, SQLITE_STATIC);
    sqlite3_bind_double(s, 3, c->values[0]);
    sqlite3_bind_int64(s, 4, (int64_t)c->values[1]);
    sqlite3_bind_int64(
        s, 5, ph_checksum(ph_checksum((uint32_t)n, (const unsigned char *)c->name, name), row, bytes));
    ph_status status = ph_database_step(&r->to, s, sqlite3_bind_blob64(s, 6, row, bytes, SQLITE_STATIC),
                                        "saving events", err);
    free(row);
    if (!status && r->stated && (int64_t)c->values[1] < r->row.k)
        status = ph_event_counts_add(&r->counts, c->name, 1, err);
    r->report->events++;
    return status;
}

static ph_status put_events(repair *r, ph_error *err)
{
    ph_event_copy c = {.values = NULL};
    sqlite3_stmt *s = NULL;
    ph_error why;
    ph_status status =
        ph_database_prepare(&r->to, "INSERT INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6)", &s, err);
    for (int64_t k = -1; !status && ph_record_next_event(r->from, k, &k);) {
        status = ph_event_table_read(&r->from->database, k, &c, &why);
        if (!status)
            status = put_event(r, s, &c, err);
        else if (is_damage(r, status, &why)) {
            r->report->events_lost++;
            status = PH_OK;
        } else
            ph_fail(err, status, "%s", why.message);
    }
    sqlite3_finalize(s);
    free(c.values);
    if (status || ph_record_meta(r->from, "copy"))
        return status;
    status = ph_event_counts_check(&r->from->database, &why); /* those that are not there */
    return !status || is_damage(r, status, &why) ? PH_OK : ph_fail(err, status, "%s", why.message);
}

/* All rows that the query gives go into the statement, with the values that are bound there already behind them. */
static ph_status copy_rows(const repair *r, const char *query, sqlite3_stmt *to, ph_error *err)
{
    sqlite3_stmt *from = NULL;
    int code = SQLITE_DONE;
    ph_status status = ph_database_prepare(&r->from->database, query, &from, err);
    while (!status && (code = sqlite3_step(from)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        status = ph_database_step(&r->to, to, false, "saving the state", err);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&r->from->database, "reading the state", err);
    sqlite3_finalize(from);
    return status;
}

static ph_status put_pieces(const repair *r, ph_error *err)
{
    int64_t there = 0;
    sqlite3_stmt *to = NULL;
    ph_status status = ph_database_number(
        &r->from->database, "SELECT 1 FROM sqlite_schema WHERE name = 'state_pieces'", 0, &there, err);
    if (status || !there)
        return status;
    status = ph_database_run(&r->to, PH_STATE_PIECES, err);
    if (!status)
        status = ph_database_prepare(&r->to, "INSERT INTO state_pieces VALUES(?1, ?2)", &to, err);
    if (!status)
        status = copy_rows(r, "SELECT i, bytes FROM state_pieces ORDER BY i", to, err);
    sqlite3_finalize(to);
    return status;
}

/* Its row, with so many rows before it, and its saved events. */
static ph_status put_state(repair *r, int64_t before, ph_error *err)
{
    sqlite3_stmt *to = NULL;
    unsigned char *counts = NULL;
    size_t size;
    r->row.account.rows = before;
    ph_status status = ph_event_counts_pack(&r->counts, r->row.k, &counts, &size, err);
    if (!status)
        status = ph_database_prepare(
            &r->to,
            "INSERT INTO state(id, k, t, energy0, newton_passes, row_passes, cpu_seconds, written, crc32, state, "
            "monitor, rows, row_crc32, events) VALUES(0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            &to, err);
    if (!status) {
        sqlite3_bind_int64(to, 11, before);
        sqlite3_bind_int64(to, 12, ph_state_row_checksum(&r->row));
        sqlite3_bind_blob64(to, 13, counts, size, SQLITE_STATIC);
        status = copy_rows(
            r,
            "SELECT k, t, energy0, newton_passes, row_passes, cpu_seconds, written, crc32, state, monitor "
            "FROM state",
            to, err);
    }
    sqlite3_finalize(to);
    free(counts);
    return status ? status : put_pieces(r, err);
}

static ph_status fill(repair *r, ph_error *err)
{
    int64_t before = 0;
    ph_status status = ph_database_run(&r->to, "PRAGMA page_size = 8192; BEGIN", err);
    if (!status)
        status = ph_database_run(&r->to, ph_archive_schema, err);
    if (!status)
        status = judge(r, err);
    r->report->resumable = r->stated && r->described;
    if (!status)
        status = put_rows(r, &before, err);
    if (!status)
        status = put_events(r, err);
    if (!status && r->report->resumable)
        status = put_state(r, before, err);
    if (!status)
        status = put_texts(r, err);
    if (!status)
        status = ph_seal_put(&r->to, PH_SEAL_ALL, err);
    return status ? status : ph_database_run(&r->to, "COMMIT", err);
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

/* output <- the file at `part`, when it is whole. */
static ph_status write_file(repair *r, char *part, const char *output, ph_error *err)
{
    remove(part);
    ph_status status = ph_database_open(&r->to, part, PH_WRITER_FLAGS | SQLITE_OPEN_CREATE, err);
    if (!status)
        status = fill(r, err);
    if (sqlite3_close(r->to.db) && !status)
        status = ph_fail(err, PH_E_IO, "%s: cannot be closed", part);
    if (!status && rename(part, output))
        status = ph_fail(err, PH_E_IO, "%s: cannot be renamed to its final name: %s", part, strerror(errno));
    if (status)
        remove(part);
    ph_sync_directory(part);
    return status;
}

ph_status ph_record_repair(ph_record *record, const char *output, ph_repair *report, ph_error *err)
{
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    report->rows = report->rows_lost = report->events = report->events_lost = report->damages = 0;
    report->resumable = false;
    if (ph_record_swept(record, NULL))
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "%s: is the archive of a sweep, whose members have their places; it is made by sweeping again",
            record->path);
    ph_status status = ph_file_target(output, false, err);
    if (status)
        return status;
    char *part = ph_path_join(output, ".part", "");
    if (!part)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    repair r = {.from = record, .to.path = output, .report = report};
    status = ph_database_run(&record->database, "BEGIN", err); /* all of one commit */
    if (!status)
        status = write_file(&r, part, output, err);
    ph_database_end_reading(&record->database);
    ph_event_counts_free(&r.counts);
    free(part);
    return status;
}
