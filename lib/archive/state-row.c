/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of the state in an archive without state and monitor: step count, time, what belongs to the state
 * besides, and checksums. It has a checksum of its own and can be read alone. */
#include "state-row.h"
#include "lib/internal/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The checksum of its values in the order of the columns, numbers as eight bytes; NULL counts as this NaN. */
uint32_t ph_state_row_checksum(const ph_state_row *r)
{
    const uint64_t none = 0x7ff8000000000000u;
    unsigned char bytes[8 * 8 + sizeof r->written], *to = bytes;
    const size_t written = strlen(r->written);
    to = ph_put_word(to, (uint64_t)r->k);
    to = ph_put_double(to, r->t);
    to = ph_put_word(to, (uint64_t)r->account.rows);
    to = isnan(r->energy0) ? ph_put_word(to, none) : ph_put_double(to, r->energy0);
    to = ph_put_word(to, (uint64_t)r->account.newton_passes);
    to = ph_put_word(to, (uint64_t)r->account.row_passes);
    to = isnan(r->account.cpu_seconds) ? ph_put_word(to, none) : ph_put_double(to, r->account.cpu_seconds);
    memcpy(to, r->written, written);
    to = ph_put_word(to + written, r->checksum);
    return ph_checksum(0, bytes, (size_t)(to - bytes));
}

ph_status ph_state_row_select(const ph_database *d, bool whole, sqlite3_stmt **s, ph_error *err)
{
    int64_t version = 0;
    char sql[200];
    ph_status status = ph_database_number(d, "PRAGMA user_version", 0, &version, err);
    if (status)
        return status;
    snprintf(
        sql, sizeof sql,
        "SELECT k, t, rows, energy0, newton_passes, row_passes, cpu_seconds, written, crc32, %s%s FROM state",
        version == PH_ARCHIVE_UNPROTECTED ? "NULL" : "row_crc32", whole ? ", state, monitor" : "");
    status = ph_database_prepare(d, sql, s, err);
    if (status)
        return status;
    const int code = sqlite3_step(*s);
    if (code == SQLITE_NOMEM)
        return ph_database_fail(d, "reading the state", err);
    if (code != SQLITE_ROW)
        return ph_fail(err, PH_E_IO,
                       "%s: has no state to continue from: it is damaged or missing; its rows can be read",
                       d->path);
    return PH_OK;
}

/* *value <- the column i, if it is a whole number and not negative. */
static bool take_count(sqlite3_stmt *s, int i, int64_t *value)
{
    *value = sqlite3_column_int64(s, i);
    return sqlite3_column_type(s, i) == SQLITE_INTEGER && *value >= 0;
}

/* *value <- the column i, if it is a number, or NaN for NULL, which is how SQLite stores that. */
static bool take_number(sqlite3_stmt *s, int i, double *value)
{
    const int type = sqlite3_column_type(s, i);
    *value = type == SQLITE_FLOAT ? sqlite3_column_double(s, i) : (double)NAN;
    return type == SQLITE_FLOAT || type == SQLITE_NULL;
}

/* r <- the values of the columns. Returns the name of a column whose value is impossible, or NULL. */
static const char *take_values(sqlite3_stmt *s, ph_state_row *r)
{
    int64_t checksum;
    if (!take_count(s, PH_STATE_K, &r->k))
        return "k";
    if (!take_number(s, PH_STATE_T, &r->t) || !isfinite(r->t))
        return "t";
    if (!take_count(s, PH_STATE_ROWS, &r->account.rows))
        return "rows";
    if (!take_number(s, PH_STATE_ENERGY0, &r->energy0))
        return "energy0";
    if (!take_count(s, PH_STATE_NEWTON_PASSES, &r->account.newton_passes))
        return "newton_passes";
    if (!take_count(s, PH_STATE_ROW_PASSES, &r->account.row_passes))
        return "row_passes";
    if (!take_number(s, PH_STATE_CPU_SECONDS, &r->account.cpu_seconds) || r->account.cpu_seconds < 0)
        return "cpu_seconds";
    const char *written = (const char *)sqlite3_column_text(s, PH_STATE_WRITTEN);
    const int n = sqlite3_column_bytes(s, PH_STATE_WRITTEN);
    if (n < 0 || n >= (int)sizeof r->written || (n && (!written || strlen(written) != (size_t)n)))
        return "written";
    memcpy(r->written, n ? written : "", (size_t)n + 1);
    if (!take_count(s, PH_STATE_CRC32, &checksum) || checksum > UINT32_MAX)
        return "crc32";
    r->checksum = (uint32_t)checksum;
    return NULL;
}

ph_status ph_state_row_take(const ph_database *d, sqlite3_stmt *s, ph_state_row *r, ph_error *err)
{
    const char *wrong = take_values(s, r);
    if (wrong)
        return ph_fail(
            err, PH_E_IO,
            "%s: its state is damaged: \"%s\" in its row has an impossible value; its rows can be read",
            d->path, wrong);
    r->is_protected = sqlite3_column_type(s, PH_STATE_ROW_CRC32) != SQLITE_NULL;
    if (!r->is_protected) {
        int64_t version = 0;
        ph_status status = ph_database_number(d, "PRAGMA user_version", 0, &version, err);
        if (status || version == PH_ARCHIVE_UNPROTECTED)
            return status;
    }
    if (sqlite3_column_type(s, PH_STATE_ROW_CRC32) != SQLITE_INTEGER ||
        sqlite3_column_int64(s, PH_STATE_ROW_CRC32) != ph_state_row_checksum(r))
        return ph_fail(err, PH_E_IO,
                       "%s: its state is damaged: the checksum of its row is wrong; its rows can be read",
                       d->path);
    return PH_OK;
}

ph_status ph_state_table_row(const ph_database *database, ph_state_row *row, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_state_row_select(database, false, &s, err);
    if (!status)
        status = ph_state_row_take(database, s, row, err);
    sqlite3_finalize(s);
    return status;
}
