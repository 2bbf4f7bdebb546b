/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tables of an archive, as writers and thinned copies insert them. The first failure is kept in status, and
 * nothing is inserted after it. */
#ifndef PH_ARCHIVE_INSERT_H
#define PH_ARCHIVE_INSERT_H

#include "database.h"

typedef struct ph_insert {
    const ph_database *database;
    sqlite3_stmt *statement;
    const char *what; /* for messages: "describing the run" */
    ph_status status;
    ph_error *err;
} ph_insert;

#define PH_INTO_META "INSERT OR REPLACE INTO meta VALUES(?1, ?2)"
#define PH_INTO_COLUMNS "INSERT INTO columns VALUES(?1, ?2, ?3)"
#define PH_INTO_BLOCKS "INSERT OR REPLACE INTO blocks VALUES(?1, ?2, ?3, ?4, ?5, ?6)"

/* Begin to insert into meta or columns; end that, which returns the first failure. */
ph_insert ph_insert_begin(const ph_database *database, const char *into, const char *what, ph_error *err);
ph_status ph_insert_end(ph_insert *t);

/* A row of meta, its text of length bytes; none where it is NULL. The same of a text that ends, a number with 17 digits, a count. */
void ph_insert_bytes(ph_insert *t, const char *key, const char *value, size_t length);
void ph_insert_text(ph_insert *t, const char *key, const char *value);
void ph_insert_number(ph_insert *t, const char *key, double value);
void ph_insert_count(ph_insert *t, const char *key, int64_t value);
/* A column, with the next number; unit: NULL where it has none. */
void ph_insert_column(ph_insert *t, size_t i, const char *name, const char *unit);

/* The first n rows of the block, in place of an earlier block that begins there; statement: PH_INTO_BLOCKS, prepared. */
ph_status ph_blocks_put(const ph_database *database, sqlite3_stmt *statement, const ph_block *b, int64_t n,
                        size_t row_bytes, ph_error *err);

#endif
