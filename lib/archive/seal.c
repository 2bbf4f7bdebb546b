/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums of the tables of an archive that are no rows, events or state, doc/reference/archive.md: of the names of columns and of
 * what a sweep says of its members under keys of meta, and of all of meta under its key crc32. They are written in the transaction
 * that changes a table. Rows, events and the state have their own, which cost no second look at what is there. */
#include "seal.h"

#include "insert.h"
#include "lib/internal/bytes.h"

#include <stdio.h>
#include <string.h>

/* The tables besides meta: their keys there, and their rows in the order of their keys. */
static const struct {
    const char *name, *key, *rows;
    bool members; /* a sweep's, which changes with its members */
} sealed[] = {
    {"columns", "columns_crc32", "SELECT i, name, unit FROM columns ORDER BY i", false},
    {"failed", "failed_crc32", "SELECT member, status, t, message FROM failed ORDER BY member", true},
    {"again", "again_crc32", "SELECT member, settings FROM again ORDER BY member", true},
    {"dealt", "dealt_crc32", "SELECT place, first, n FROM dealt ORDER BY place", true},
};
enum { SEALED = sizeof sealed / sizeof sealed[0] };
static const char all_of_meta[] = "SELECT key, value FROM meta ORDER BY key", own_key[] = "crc32";

/* The checksum goes on over a value: a number as eight bytes, a text with a zero byte behind it, NULL as that zero byte. */
static uint32_t add_value(uint32_t sum, sqlite3_stmt *s, int i)
{
    unsigned char bytes[8] = {0};
    const int type = sqlite3_column_type(s, i);
    if (type == SQLITE_INTEGER)
        ph_put_word(bytes, (uint64_t)sqlite3_column_int64(s, i));
    else if (type == SQLITE_FLOAT)
        ph_put_double(bytes, sqlite3_column_double(s, i));
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
        return ph_checksum(sum, bytes, sizeof bytes);
    const unsigned char *text = sqlite3_column_blob(s, i);
    return ph_checksum(ph_checksum(sum, text, (size_t)sqlite3_column_bytes(s, i)), bytes, 1);
}

/* [bytes] of its texts. */
static int64_t row_length(sqlite3_stmt *s)
{
    int64_t n = 0;
    for (int i = 0; i < sqlite3_column_count(s); i++)
        n += sqlite3_column_type(s, i) == SQLITE_TEXT || sqlite3_column_type(s, i) == SQLITE_BLOB
                 ? sqlite3_column_bytes(s, i)
                 : 0;
    return n;
}

static uint32_t add_row(uint32_t sum, sqlite3_stmt *s)
{
    for (int i = 0; i < sqlite3_column_count(s); i++)
        sum = add_value(sum, s, i);
    return sum;
}

/* The checksums that meta has. */
typedef struct kept {
    bool there, at_there[SEALED];
    int64_t own, at[SEALED];
} kept;

static bool is_key(sqlite3_stmt *s, const char *key)
{
    const char *text = (const char *)sqlite3_column_text(s, 0);
    return text && !strcmp(text, key);
}

/* *sum <- of all rows of the query, but that of meta's own checksum; k (nullable) <- the checksums among them. */
static ph_status sum_rows(const ph_database *d, const char *rows, uint32_t *sum, kept *k, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = SQLITE_DONE;
    int64_t left = 0; /* bytes that texts can have */
    ph_status status = ph_database_size(d, &left, err);
    if (!status)
        status = ph_database_prepare(d, rows, &s, err);
    *sum = 0;
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        left -= row_length(s);
        if (left < 0) {
            status = ph_fail(err, PH_E_IO, "%s: is damaged: a table has longer texts than the file", d->path);
            break;
        }
        const bool own = k && is_key(s, own_key);
        if (own) {
            k->there = true;
            k->own = sqlite3_column_int64(s, 1);
            continue;
        }
        for (size_t i = 0; k && i < SEALED; i++)
            if (is_key(s, sealed[i].key)) {
                k->at_there[i] = true;
                k->at[i] = sqlite3_column_int64(s, 1);
            }
        *sum = add_row(*sum, s);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(d, "reading", err);
    sqlite3_finalize(s);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

static ph_status is_there(const ph_database *d, const char *table, bool *there, ph_error *err)
{
    char sql[100];
    int64_t n = 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", table);
    ph_status status = ph_database_number(d, sql, 0, &n, err);
    *there = n > 0;
    return status;
}

ph_status ph_seal_put(const ph_database *d, ph_sealing what, ph_error *err)
{
    uint32_t sums[SEALED + 1] = {0};
    bool there[SEALED + 1] = {false};
    int64_t version = 0;
    ph_status status = ph_database_number(d, "PRAGMA user_version", 0, &version, err);
    if (status || version < PH_ARCHIVE_SEALED)
        return status;
    for (size_t i = 0; i < SEALED && !status; i++) {
        if (what == PH_SEAL_ALL || (what == PH_SEAL_MEMBERS && sealed[i].members))
            status = is_there(d, sealed[i].name, &there[i], err);
        if (!status && there[i])
            status = sum_rows(d, sealed[i].rows, &sums[i], NULL, err);
    }
    ph_insert t = {.status = status};
    if (!status)
        t = ph_insert_begin(d, PH_INTO_META, "writing checksums", err);
    for (size_t i = 0; i < SEALED; i++)
        if (there[i])
            ph_insert_count(&t, sealed[i].key, sums[i]);
    kept k = {.there = false};
    if (!t.status)
        t.status = sum_rows(d, all_of_meta, &sums[SEALED], &k, err);
    ph_insert_count(&t, own_key, sums[SEALED]);
    return ph_insert_end(&t);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static ph_status fail_damaged(const ph_database *d, const char *table, const char *why, ph_error *err)
{
    return ph_fail(err, PH_E_IO, "%s: the table %s is damaged: %s", d->path, table, why);
}

/* Meta first, which has the checksums of the others. */
static ph_status check_tables(const ph_database *d, int64_t version, bool *is, ph_error *err)
{
    kept k = {.there = false};
    uint32_t sum;
    ph_status status = sum_rows(d, all_of_meta, &sum, &k, err);
    *is = k.there;
    if (status || (!k.there && version < PH_ARCHIVE_SEALED))
        return status;
    if (version < PH_ARCHIVE_SEALED)
        return ph_fail(err, PH_E_IO, "%s: its head is damaged: its tables are of a version after %lld",
                       d->path, (long long)version);
    if (!k.there || !k.at_there[0] || k.own != (int64_t)sum)
        return fail_damaged(d, "meta", k.there ? "its checksum is wrong" : "it has no checksum", err);
    for (size_t i = 0; i < SEALED && !status; i++) {
        if (k.at_there[i])
            status = sum_rows(d, sealed[i].rows, &sum, NULL, err);
        if (!status && k.at_there[i] && k.at[i] != (int64_t)sum)
            status = fail_damaged(d, sealed[i].name, "its checksum is wrong", err);
    }
    return status;
}

ph_status ph_seal_check(const ph_database *d, bool *is, ph_error *err)
{
    int64_t version = 0;
    /* in one transaction: a writer changes a table and its checksum together */
    const bool own = sqlite3_get_autocommit(d->db);
    ph_status status = own ? ph_database_run(d, "BEGIN", err) : PH_OK;
    *is = false;
    if (!status)
        status = ph_database_number(d, "PRAGMA user_version", 0, &version, err);
    if (!status)
        status = check_tables(d, version, is, err);
    if (own)
        ph_database_end_reading(d);
    return status;
}
