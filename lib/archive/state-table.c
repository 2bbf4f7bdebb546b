/* SPDX-License-Identifier: BSD-3-Clause */
/* The state in an archive, doc/reference/archive.md: one row, with the monitor that belongs to it. SQLite takes no more
 * than 1e9 bytes at once, so that a large state is stored in pieces in a separate table. It is also packed
 * piece by piece, so that there is no second copy of it in memory while it is written. One checksum covers
 * state and monitor, another one the rest of the row (state-row.c). */
#include "lib/internal/bytes.h"
#include "state-row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Writing ------------------------------------------------------------------------------------ */

/* text <- the time in UTC, as ISO 8601 has it; "" where it is not known. */
static void write_now(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc))
        text[0] = '\0';
}

/* Prepares the statement that writes the row. (That of an older archive is prepared only when it has got its new
 * columns.) */
static ph_status prepare_put(ph_state_table *t, ph_error *err)
{
    return ph_database_prepare(
        t->database,
        "INSERT OR REPLACE INTO state(id, k, t, rows, energy0, newton_passes, row_passes, "
        "cpu_seconds, written, crc32, row_crc32, state, monitor, events) "
        "VALUES(0, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        &t->put, err);
}

ph_status ph_state_table_open(ph_state_table *t, ph_database *database, ph_error *err)
{
    int64_t there = 0, version = 0;
    t->database = database;
    ph_status status = ph_database_number(
        database, "SELECT count(*) FROM sqlite_schema WHERE name = 'state_pieces'", 0, &there, err);
    t->has_pieces = there != 0;
    if (!status)
        status = ph_database_number(database, "PRAGMA user_version", 0, &version, err);
    bool kept = false;
    if (!status)
        status = ph_event_counts_kept(database, &kept, err);
    if (!status && version != PH_ARCHIVE_UNPROTECTED && kept)
        status = prepare_put(t, err);
    return status;
}

/* The row <- how often each event was found before its k steps. */
static ph_status put_counts(const ph_database *d, const ph_event_counts *events, int64_t k, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    unsigned char *counts = NULL;
    size_t size;
    ph_status status = ph_event_counts_pack(events, k, &counts, &size, err);
    if (!status)
        status = ph_database_prepare(d, "UPDATE state SET events = ?1", &s, err);
    if (!status)
        status = ph_database_step(d, s, sqlite3_bind_blob64(s, 1, counts, size, SQLITE_STATIC),
                                  "writing the state", err);
    sqlite3_finalize(s);
    free(counts);
    return status;
}

ph_status ph_state_table_protect(ph_state_table *t, const ph_event_counts *events, ph_error *err)
{
    ph_state_row row;
    int64_t version = 0;
    char sql[120];
    ph_status status = ph_database_number(t->database, "PRAGMA user_version", 0, &version, err);
    bool kept = true;
    if (status || version == PH_ARCHIVE_SCHEMA)
        return status;
    status = ph_event_counts_kept(
        t->database, &kept,
        err); /* a failure is no answer: SQLite may have rolled back the transaction then */
    if (!status && !kept)
        status = ph_database_run(t->database, "ALTER TABLE state ADD COLUMN events BLOB", err);
    if (!status)
        status = ph_state_table_row(t->database, &row, err);
    if (!status)
        status = put_counts(t->database, events, row.k, err);
    if (!status && version == PH_ARCHIVE_UNPROTECTED) {
        snprintf(sql, sizeof sql,
                 "ALTER TABLE state ADD COLUMN row_crc32 INTEGER; "
                 "UPDATE state SET row_crc32 = %lld",
                 (long long)ph_state_row_checksum(&row));
        status = ph_database_run(t->database, sql, err);
    }
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", PH_ARCHIVE_SCHEMA);
    return status ? status : ph_database_run(t->database, sql, err);
}

void ph_state_table_put_down(ph_state_table *t)
{
    sqlite3_finalize(t->put);
    t->put = NULL;
}

void ph_state_table_free(ph_state_table *t)
{
    ph_state_table_put_down(t);
    free(t->bytes);
}

/* Room for so many bytes at t->bytes; what is there is not kept. */
static ph_status make_room(ph_state_table *t, size_t wanted, ph_error *err)
{
    if (wanted <= t->room)
        return PH_OK;
    unsigned char *larger = realloc(t->bytes, wanted);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    t->bytes = larger;
    t->room = wanted;
    return PH_OK;
}

/* Writes the packed state piece by piece; *checksum is continued over it. */
static ph_status put_pieces(ph_state_table *t, const ph_state *state, uint32_t *checksum, ph_error *err)
{
    const size_t all = ph_state_packed_size(state);
    sqlite3_stmt *insert = NULL;
    ph_status status =
        ph_database_prepare(t->database, "INSERT INTO state_pieces VALUES(?1, ?2)", &insert, err);
    for (size_t first = 0; first < all && !status; first += t->piece) {
        const size_t n = all - first < t->piece ? all - first : t->piece;
        ph_state_pack_part(state, first / 8, n / 8, t->bytes);
        *checksum = ph_checksum(*checksum, t->bytes, n);
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)(first / t->piece));
        status =
            ph_database_step(t->database, insert, sqlite3_bind_blob64(insert, 2, t->bytes, n, SQLITE_STATIC),
                             "writing the state", err);
    }
    sqlite3_finalize(insert);
    return status;
}

/* Deletes the pieces of an earlier state; creates the table if this state needs it. */
static ph_status clear_pieces(ph_state_table *t, bool wanted, ph_error *err)
{
    ph_status status = PH_OK;
    if (wanted)
        status = ph_database_run(t->database, PH_STATE_PIECES, err);
    if (!status && t->has_pieces)
        status = ph_database_run(t->database, "DELETE FROM state_pieces", err);
    t->has_pieces = t->has_pieces || wanted;
    return status;
}

ph_status ph_state_table_write(ph_state_table *t, const ph_state *state, const ph_monitor *monitor,
                               const ph_account *account, double energy0, const ph_event_counts *events,
                               ph_error *err)
{
    const size_t all = ph_state_packed_size(state), more = monitor ? ph_monitor_packed_size(monitor) : 0;
    const bool whole = all <= t->piece;
    const size_t here = whole ? all : 0; /* bytes of the state that are in its row */
    unsigned char *counts = NULL;
    size_t counts_size;
    uint32_t checksum = 0;
    ph_state_row row = {.k = state->k, .t = state->t, .energy0 = energy0, .account = *account};
    ph_status status = t->put ? PH_OK : prepare_put(t, err);
    if (!status)
        status = make_room(t, (whole ? all : t->piece) + more, err);
    if (!status)
        status = clear_pieces(t, !whole, err);
    if (!status && !whole)
        status = put_pieces(t, state, &checksum, err);
    if (!status)
        status = ph_event_counts_pack(events, state->k, &counts, &counts_size, err);
    if (status)
        return status;
    if (whole)
        ph_state_pack(state, t->bytes);
    if (monitor)
        ph_monitor_pack(monitor, t->bytes + here);
    row.checksum = ph_checksum(checksum, t->bytes, here + more);
    write_now(row.written);
    sqlite3_stmt *s = t->put;
    sqlite3_bind_int64(s, 1 + PH_STATE_K, row.k);
    sqlite3_bind_double(s, 1 + PH_STATE_T, row.t);
    sqlite3_bind_int64(s, 1 + PH_STATE_ROWS, row.account.rows);
    sqlite3_bind_double(s, 1 + PH_STATE_ENERGY0, row.energy0); /* NaN becomes NULL */
    sqlite3_bind_int64(s, 1 + PH_STATE_NEWTON_PASSES, row.account.newton_passes);
    sqlite3_bind_int64(s, 1 + PH_STATE_ROW_PASSES, row.account.row_passes);
    sqlite3_bind_double(s, 1 + PH_STATE_CPU_SECONDS, row.account.cpu_seconds);
    sqlite3_bind_int64(s, 1 + PH_STATE_CRC32, row.checksum);
    sqlite3_bind_int64(s, 1 + PH_STATE_ROW_CRC32, ph_state_row_checksum(&row));
    const bool failed =
        sqlite3_bind_blob64(s, 1 + PH_STATE_EVENTS, counts, counts_size, SQLITE_STATIC) ||
        sqlite3_bind_text(s, 1 + PH_STATE_WRITTEN, row.written, -1, SQLITE_TRANSIENT) ||
        sqlite3_bind_blob64(s, 1 + PH_STATE_STATE, t->bytes, here, SQLITE_STATIC) ||
        (monitor ? sqlite3_bind_blob64(s, 1 + PH_STATE_MONITOR, t->bytes + here, more, SQLITE_STATIC)
                 : sqlite3_bind_null(s, 1 + PH_STATE_MONITOR));
    status = ph_database_step(t->database, s, failed, "writing the state", err);
    free(counts);
    return status;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* The state's bytes, where they are in pieces. */
typedef struct piece_bytes {
    unsigned char *bytes;
    size_t n;
} piece_bytes;

/* Appends n bytes. */
static ph_status add_piece(piece_bytes *c, const void *piece, size_t n, ph_error *err)
{
    unsigned char *larger = realloc(c->bytes, c->n + n);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    c->bytes = larger;
    memcpy(c->bytes + c->n, piece, n);
    c->n += n;
    return PH_OK;
}

/* c <- all pieces of the state, in their order. */
static ph_status read_pieces(const ph_database *database, piece_bytes *c, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    int64_t most = 0;
    ph_status status = ph_database_size(database, &most, err);
    if (!status)
        status = ph_database_prepare(database, "SELECT bytes FROM state_pieces ORDER BY i", &s, err);
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const size_t n = (size_t)sqlite3_column_bytes(s, 0);
        if (n > (size_t)most - c->n)
            status =
                ph_fail(err, PH_E_IO, "%s: its state is damaged: it is larger than the file", database->path);
        else if (n) /* if one has become empty, the checksum reports it */
            status = add_piece(c, sqlite3_column_blob(s, 0), n, err);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(database, "reading the state", err);
    sqlite3_finalize(s);
    return status;
}

enum { PACKED_HEAD = 72 }; /* [bytes] of a packed state before z */

/* Data that has passed the checksums: n bytes of the state, m of the monitor. */
typedef struct stored_state {
    ph_state_row row;
    const unsigned char *state, *monitor;
    size_t n, m;
    piece_bytes pieces;
} stored_state;

/* Does the row belong to this packed state? Its step count and time (polhode/state.h) must be those of the
 * row. */
static bool belongs_to_state(const ph_state_row *row, const unsigned char *state, size_t n)
{
    uint64_t k;
    double t;
    if (n < PACKED_HEAD)
        return true; /* too short: unpacking it will fail */
    ph_get_double(state + 32, &t);
    ph_get_word(state + 56, &k);
    return (int64_t)k == row->k && t == row->t;
}

/* p <- the row, the state and the monitor at the statement, if their checksums are right and they belong
 * together. */
static ph_status open_stored(const ph_database *d, sqlite3_stmt *s, stored_state *p, ph_error *err)
{
    ph_status status = ph_state_row_take(d, s, &p->row, err);
    if (!status && !sqlite3_column_bytes(s, PH_STATE_STATE))
        status = read_pieces(d, &p->pieces, err);
    if (status)
        return status;
    p->state = p->pieces.bytes;
    p->n = p->pieces.n;
    if (!p->state) {
        p->state = sqlite3_column_blob(s, PH_STATE_STATE);
        p->n = (size_t)sqlite3_column_bytes(s, PH_STATE_STATE);
    }
    p->monitor = sqlite3_column_blob(s, PH_STATE_MONITOR);
    p->m = (size_t)sqlite3_column_bytes(s, PH_STATE_MONITOR);
    if (!p->state || ph_checksum(ph_checksum(0, p->state, p->n), p->monitor, p->m) != p->row.checksum)
        return ph_fail(err, PH_E_IO, "%s: its state is damaged: the checksum is wrong; its rows can be read",
                       d->path);
    if (!belongs_to_state(&p->row, p->state, p->n))
        return ph_fail(err, PH_E_IO,
                       "%s: its state is damaged: its row is for step %lld, t = %.17g s, "
                       "the state itself for another; its rows can be read",
                       d->path, (long long)p->row.k, p->row.t);
    return PH_OK;
}

/* The statement on the row stays open until the last piece is read, so that everything is of one commit.
 * state: NULL to check only. */
static ph_status read_state(const ph_database *d, ph_state *state, ph_monitor *monitor, ph_account *account,
                            ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_error why;
    stored_state p = {.state = NULL};
    ph_status status = ph_state_row_select(d, true, &s, err);
    if (!status)
        status = open_stored(d, s, &p, err);
    if (!status && state &&
        ((status = ph_state_unpack(state, p.state, p.n, &why)) ||
         (monitor && (status = ph_monitor_unpack(monitor, p.monitor, p.m, &why)))))
        ph_fail(err, status, "%s: %.400s", d->path, why.message);
    if (!status)
        *account = p.row.account;
    free(p.pieces.bytes);
    sqlite3_finalize(s);
    return status;
}

ph_status ph_state_table_read(const ph_database *database, ph_state *state, ph_monitor *monitor,
                              ph_account *account, ph_error *err)
{
    return read_state(database, state, monitor, account, err);
}

ph_status ph_state_table_errors(const ph_database *d, ph_summary *summary, size_t *maps, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_error why;
    stored_state p = {.state = NULL};
    ph_status status = ph_state_row_select(d, true, &s, err);
    if (!status)
        status = open_stored(d, s, &p, err);
    if (!status && (status = ph_monitor_unpack_summary(p.monitor, p.m, summary, maps, &why)))
        ph_fail(err, status, "%s: %.400s", d->path, why.message);
    free(p.pieces.bytes);
    sqlite3_finalize(s);
    return status;
}

/* t, z, p <- of a packed state (polhode/state.h). */
static ph_status unpack_motion(const stored_state *stored, double *t, double *z, size_t nz, double *p,
                               size_t np, ph_error *err)
{
    const unsigned char *at = stored->state;
    uint64_t n[3] = {0};
    for (size_t i = 0; i < 3 && stored->n >= PACKED_HEAD; i++)
        ph_get_word(at + 8 + 8 * i, &n[i]);
    if (n[0] != nz || n[1] != np || stored->n < PACKED_HEAD + 8 * (nz + np))
        return ph_fail(err, PH_E_SIZE,
                       "its state has %llu numbers in z and %llu in p; %zu and %zu are expected",
                       (unsigned long long)n[0], (unsigned long long)n[1], nz, np);
    *t = stored->row.t;
    at += PACKED_HEAD;
    for (size_t i = 0; i < nz; i++)
        ph_get_double(at + 8 * i, &z[i]);
    at += 8 * nz;
    for (size_t i = 0; i < np; i++)
        ph_get_double(at + 8 * i, &p[i]);
    return PH_OK;
}

ph_status ph_state_table_motion(const ph_database *d, double *t, double *z, size_t nz, double *p, size_t np,
                                ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_error why;
    stored_state stored = {.state = NULL};
    ph_status status = ph_state_row_select(d, true, &s, err);
    if (!status)
        status = open_stored(d, s, &stored, err);
    if (!status && (status = unpack_motion(&stored, t, z, nz, p, np, &why)))
        ph_fail(err, status, "%s: %.400s", d->path, why.message);
    free(stored.pieces.bytes);
    sqlite3_finalize(s);
    return status;
}

ph_status ph_state_table_check(const ph_database *database, ph_account *account, ph_error *err)
{
    return read_state(database, NULL, NULL, account, err);
}
