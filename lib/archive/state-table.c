/* SPDX-License-Identifier: BSD-3-Clause */
/* The state in an archive, doc/archive.md: one row, with the monitor that belongs to it. SQLite takes no more
 * than 1e9 bytes at once, so that a large state lies in pieces in a table of its own, and is packed a piece
 * at a time: there is no second copy of it in memory while it is written. */
#include <archive/database.h>

#include <stdlib.h>
#include <string.h>

/* ---- Writing ------------------------------------------------------------------------------------- */

ph_status ph_state_table_open(ph_state_table *t, ph_database *database, ph_error *err)
{
    int64_t there = 0;
    t->database = database;
    ph_status status = ph_database_number(
        database, "SELECT count(*) FROM sqlite_schema WHERE name = 'state_pieces'", 0, &there, err);
    t->has_pieces = there != 0;
    return status ? status
                  : ph_database_prepare(database,
                                        "INSERT OR REPLACE INTO state(id, k, t, rows, energy0, "
                                        "newton_passes, row_passes, cpu_seconds, "
                                        "written, crc32, state, monitor) VALUES(0, ?1, ?2, ?3, ?4, ?5, ?6, "
                                        "?7, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?8, ?9, ?10)",
                                        &t->put, err);
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

/* What is bound to the statement, into its table; `failed` if it could not be bound. */
static ph_status put(const ph_state_table *t, sqlite3_stmt *s, bool failed, ph_error *err)
{
    ph_status status = failed || sqlite3_step(s) != SQLITE_DONE
                           ? ph_database_fail(t->database, "writing the state", err)
                           : PH_OK;
    sqlite3_reset(s);
    return status;
}

/* All but the monitor, piece by piece; *checksum goes on. */
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
        status = put(t, insert, sqlite3_bind_blob64(insert, 2, t->bytes, n, SQLITE_STATIC), err);
    }
    sqlite3_finalize(insert);
    return status;
}

/* No pieces of an earlier state, and a table for those of this one. */
static ph_status clear_pieces(ph_state_table *t, bool wanted, ph_error *err)
{
    ph_status status = PH_OK;
    if (wanted)
        status = ph_database_run(
            t->database,
            "CREATE TABLE IF NOT EXISTS state_pieces(i INTEGER PRIMARY KEY, bytes BLOB NOT NULL)", err);
    if (!status && t->has_pieces)
        status = ph_database_run(t->database, "DELETE FROM state_pieces", err);
    t->has_pieces = t->has_pieces || wanted;
    return status;
}

ph_status ph_state_table_write(ph_state_table *t, const ph_state *state, const ph_monitor *monitor,
                               const ph_account *account, double energy0, ph_error *err)
{
    const size_t all = ph_state_packed_size(state), more = monitor ? ph_monitor_packed_size(monitor) : 0;
    const bool whole = all <= t->piece;
    const size_t here = whole ? all : 0; /* of the state, in its row */
    uint32_t checksum = 0;
    sqlite3_stmt *s = t->put;
    ph_status status = make_room(t, (whole ? all : t->piece) + more, err);
    if (!status)
        status = clear_pieces(t, !whole, err);
    if (!status && !whole)
        status = put_pieces(t, state, &checksum, err);
    if (status)
        return status;
    if (whole)
        ph_state_pack(state, t->bytes);
    if (monitor)
        ph_monitor_pack(monitor, t->bytes + here);
    sqlite3_bind_int64(s, 1, state->k);
    sqlite3_bind_double(s, 2, state->t);
    sqlite3_bind_int64(s, 3, account->rows);
    sqlite3_bind_double(s, 4, energy0); /* NaN becomes NULL */
    sqlite3_bind_int64(s, 5, account->newton_passes);
    sqlite3_bind_int64(s, 6, account->row_passes);
    sqlite3_bind_double(s, 7, account->cpu_seconds);
    sqlite3_bind_int64(s, 8, ph_checksum(checksum, t->bytes, here + more));
    return put(t, s,
               sqlite3_bind_blob64(s, 9, t->bytes, here, SQLITE_STATIC) ||
                   (monitor ? sqlite3_bind_blob64(s, 10, t->bytes + here, more, SQLITE_STATIC)
                            : sqlite3_bind_null(s, 10)),
               err);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* The state's bytes, where they are in pieces. */
typedef struct copy {
    unsigned char *bytes;
    size_t n;
} copy;

static ph_status add_piece(copy *c, const void *piece, size_t n, ph_error *err)
{
    unsigned char *larger = realloc(c->bytes, c->n + n);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    c->bytes = larger;
    memcpy(c->bytes + c->n, piece, n);
    c->n += n;
    return PH_OK;
}

static ph_status gather(const ph_database *database, copy *c, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    ph_status status = ph_database_prepare(database, "SELECT bytes FROM state_pieces ORDER BY i", &s, err);
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const size_t n = (size_t)sqlite3_column_bytes(s, 0);
        if (n) /* one that was emptied is missed by the checksum */
            status = add_piece(c, sqlite3_column_blob(s, 0), n, err);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(database, "reading the state", err);
    sqlite3_finalize(s);
    return status;
}

static ph_status unpack(const ph_database *database, sqlite3_stmt *s, const copy *pieces, ph_state *state,
                        ph_monitor *monitor, ph_error *err)
{
    const unsigned char *first = pieces->bytes, *second = sqlite3_column_blob(s, 6);
    const size_t m = (size_t)sqlite3_column_bytes(s, 6);
    size_t n = pieces->n;
    if (!first) {
        first = sqlite3_column_blob(s, 5);
        n = (size_t)sqlite3_column_bytes(s, 5);
    }
    uint32_t checksum = ph_checksum(ph_checksum(0, first, n), second, m);
    if (!first || checksum != (uint32_t)sqlite3_column_int64(s, 4))
        return ph_fail(err, PH_E_IO, "%s: its state is damaged: the checksum is wrong; its rows can be read",
                       database->path);
    ph_error why;
    ph_status status = ph_state_unpack(state, first, n, &why);
    if (!status && monitor)
        status = ph_monitor_unpack(monitor, second, m, &why);
    return status ? ph_fail(err, status, "%s: %.400s", database->path, why.message) : PH_OK;
}

static ph_status read_row(const ph_database *database, sqlite3_stmt *s, ph_state *state, ph_monitor *monitor,
                          ph_account *account, ph_error *err)
{
    copy pieces = {NULL, 0};
    const int code = sqlite3_step(s);
    if (code == SQLITE_NOMEM)
        return ph_database_fail(database, "reading the state", err);
    if (code != SQLITE_ROW)
        return ph_fail(err, PH_E_IO, "%s: its state is damaged or missing; its rows can be read",
                       database->path);
    *account = (ph_account){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
                            sqlite3_column_int64(s, 2), sqlite3_column_double(s, 3)};
    ph_status status = sqlite3_column_bytes(s, 5) ? PH_OK : gather(database, &pieces, err);
    if (!status)
        status = unpack(database, s, &pieces, state, monitor, err);
    free(pieces.bytes);
    return status;
}

/* The row is stepped through to the last piece, so that all is of one commit. */
ph_status ph_state_table_read(const ph_database *database, ph_state *state, ph_monitor *monitor,
                              ph_account *account, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_database_prepare(
        database, "SELECT rows, newton_passes, row_passes, cpu_seconds, crc32, state, monitor FROM state", &s,
        err);
    if (!status)
        status = read_row(database, s, state, monitor, account, err);
    sqlite3_finalize(s);
    return status;
}
