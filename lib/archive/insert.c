/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of an archive, doc/reference/archive.md, and rows that are inserted into them. */
#include "insert.h"

#include "file.h"
#include "lib/internal/bytes.h"

#include <stdio.h>
#include <string.h>

const char ph_archive_schema[] =
    "PRAGMA application_id = 0x506f6c68; PRAGMA user_version = 3;"
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE columns(i INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT);"
    "CREATE TABLE blocks(first INTEGER PRIMARY KEY, n INTEGER NOT NULL, t0, t1, "
    "crc32 INTEGER NOT NULL, rows BLOB NOT NULL);"
    "CREATE TABLE events(n INTEGER PRIMARY KEY, name TEXT NOT NULL, t, step INTEGER NOT NULL, "
    "crc32 INTEGER NOT NULL, row BLOB NOT NULL);"
    "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 0), k INTEGER NOT NULL, t, "
    "rows INTEGER NOT NULL, energy0, newton_passes INTEGER, row_passes INTEGER, cpu_seconds, "
    "written TEXT, crc32 INTEGER NOT NULL, row_crc32 INTEGER NOT NULL, state BLOB NOT NULL, monitor BLOB, events BLOB);";

ph_insert ph_insert_begin(const ph_database *database, const char *into, const char *what, ph_error *err)
{
    ph_insert t = {.database = database, .what = what, .err = err};
    t.status = ph_database_prepare(database, into, &t.statement, err);
    return t;
}

ph_status ph_insert_end(ph_insert *t)
{
    sqlite3_finalize(t->statement);
    return t->status;
}

void ph_insert_bytes(ph_insert *t, const char *key, const char *value, size_t length)
{
    if (t->status || !value)
        return;
    sqlite3_bind_text(t->statement, 1, key, -1, SQLITE_STATIC);
    const bool failed =
        sqlite3_bind_text64(t->statement, 2, value, length, SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK;
    t->status = ph_database_step(t->database, t->statement, failed, t->what, t->err);
}

void ph_insert_text(ph_insert *t, const char *key, const char *value)
{
    ph_insert_bytes(t, key, value, value ? strlen(value) : 0);
}

void ph_insert_number(ph_insert *t, const char *key, double value)
{
    char text[64];
    ph_number_text(value, text);
    ph_insert_text(t, key, text);
}

void ph_insert_count(ph_insert *t, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    ph_insert_text(t, key, text);
}

void ph_insert_column(ph_insert *t, size_t i, const char *name, const char *unit)
{
    if (t->status)
        return;
    sqlite3_bind_int64(t->statement, 1, (sqlite3_int64)i);
    sqlite3_bind_text(t->statement, 2, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(t->statement, 3, unit, -1, SQLITE_STATIC);
    t->status = ph_database_step(t->database, t->statement, false, t->what, t->err);
}

/* The time of a row, its first number. */
static double time_of(const unsigned char *row)
{
    double t;
    ph_get_double(row, &t);
    return t;
}

ph_status ph_blocks_put(const ph_database *database, sqlite3_stmt *s, const ph_block *b, int64_t n,
                        size_t row_bytes, ph_error *err)
{
    const size_t bytes = (size_t)n * row_bytes;
    sqlite3_bind_int64(s, 1, b->first);
    sqlite3_bind_int64(s, 2, n);
    sqlite3_bind_double(s, 3, time_of(b->bytes));
    sqlite3_bind_double(s, 4, time_of(b->bytes + bytes - row_bytes));
    sqlite3_bind_int64(s, 5, ph_checksum((uint32_t)b->first, b->bytes, bytes));
    const bool failed = sqlite3_bind_blob64(s, 6, b->bytes, bytes, SQLITE_STATIC) != SQLITE_OK;
    return ph_database_step(database, s, failed, "writing rows", err);
}
