/* SPDX-License-Identifier: BSD-3-Clause */
/* What writing and reading an archive share: SQLite's failures in words, blocks of rows, events, and the state.
 * Functions take the path for messages. */
#ifndef PH_ARCHIVE_DATABASE_H
#define PH_ARCHIVE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include <polhode/archive.h>

/* In the header of the file: "Polh", and the version of the tables; in the first one the row of the state had no
 * checksum. */
enum { PH_ARCHIVE_ID = 0x506f6c68, PH_ARCHIVE_UNPROTECTED = 1, PH_ARCHIVE_SCHEMA = 2 };
/* [bytes] The name or unit of a column has no more. */
enum { PH_ARCHIVE_NAME = 255 };

typedef struct ph_database {
    sqlite3 *db;
    const char *path;
} ph_database;

/* The latest failure, met in `what`. */
ph_status ph_database_fail(const ph_database *d, const char *what, ph_error *err);
/* Is there a file of that name, and not a directory or an empty file? */
ph_status ph_database_there(const char *path, ph_error *err);
/* Open; flags are SQLite's. */
ph_status ph_database_open(ph_database *d, const char *name, int flags, ph_error *err);
/* Is it an archive, and one that this version knows? */
ph_status ph_database_check(const ph_database *d, ph_error *err);
ph_status ph_database_run(const ph_database *d, const char *sql, ph_error *err);
ph_status ph_database_prepare(const ph_database *d, const char *sql, sqlite3_stmt **statement, ph_error *err);
/* *value <- the first number that a query gives, or `none`. */
ph_status ph_database_number(const ph_database *d, const char *sql, int64_t none, int64_t *value,
                             ph_error *err);

/* Rows first ... first + n - 1, as they are in the file. */
typedef struct ph_block {
    int64_t first, n;
    unsigned char *bytes;
    size_t room; /* of bytes, which are malloc's */
} ph_block;

/* Finds blocks; one a database. */
typedef struct ph_blocks {
    ph_database *database;
    size_t row_bytes;
    sqlite3_stmt *head, *body;
} ph_blocks;

ph_status ph_blocks_open(ph_blocks *b, ph_database *database, size_t row_bytes, ph_error *err);
void ph_blocks_close(ph_blocks *b);
/* block <- the last one that begins at or before the row; its n is 0 if there is none. PH_E_IO where it is
 * damaged: first and n are then those of the damaged block, or n is 0 if even they cannot be read. */
ph_status ph_blocks_load(ph_blocks *b, int64_t row, ph_block *block, ph_error *err);

/* The words by which columns were chosen (choice.c): none for all. */
typedef struct ph_choice {
    const char **words; /* (n), malloc's with all that they point to */
    size_t n;
} ph_choice;

/* *text <- the words as the table meta keeps them, malloc's. PH_E_INVALID: they cannot be told apart there. */
ph_status ph_choice_text(const char *const *words, size_t n, char **text, size_t *length, ph_error *err);
/* choice <- what meta says, to be freed however it ends. */
ph_status ph_choice_read(const ph_database *database, ph_choice *choice, ph_error *err);
void ph_choice_free(ph_choice *choice);

/* Events that are written (event-table.c); one a database. */
typedef struct ph_event_table {
    ph_database *database;
    sqlite3_stmt *put;
    int64_t written, n_waiting; /* events in the database, and those that are still to be */
    unsigned char *waiting;
    size_t bytes, room; /* of waiting */
} ph_event_table;

/* Prepare what writes; put_down undoes it, what waits stays. */
ph_status ph_event_table_open(ph_event_table *t, ph_database *database, ph_error *err);
void ph_event_table_put_down(ph_event_table *t);
void ph_event_table_free(ph_event_table *t);
ph_status ph_event_table_add(ph_event_table *t, const char *name, const ph_occurrence *o, ph_error *err);
/* Write what waits, in the transaction that is open; when that was committed, it waits no longer: settle. */
ph_status ph_event_table_write(ph_event_table *t, ph_error *err);
void ph_event_table_settle(ph_event_table *t);
/* Drop what lies behind the state of k steps. */
ph_status ph_event_table_drop(ph_event_table *t, int64_t k, ph_error *err);

/* The state that is written (state-table.c); one a database. */
typedef struct ph_state_table {
    ph_database *database;
    size_t piece;    /* a state of more bytes than these, a multiple of 8, is written in pieces */
    bool has_pieces; /* is there a table of them? */
    sqlite3_stmt *put;
    unsigned char *bytes; /* the packed state or a piece of it, then the packed monitor */
    size_t room;
} ph_state_table;

/* Prepare what writes; put_down undoes it. */
ph_status ph_state_table_open(ph_state_table *t, ph_database *database, ph_error *err);
void ph_state_table_put_down(ph_state_table *t);
void ph_state_table_free(ph_state_table *t);
/* In the transaction that is open. energy0: of the first row. */
ph_status ph_state_table_write(ph_state_table *t, const ph_state *state, const ph_monitor *monitor,
                               const ph_account *account, double energy0, ph_error *err);
/* In the transaction that is open: a row of the first version gets its checksum, and the file the version of today. */
ph_status ph_state_table_protect(ph_state_table *t, ph_error *err);

/* What stands in the row beside state and monitor. */
typedef struct ph_state_row {
    int64_t k;
    double t, energy0; /* NaN: not known */
    ph_account account;
    char written[32];
    uint32_t checksum;
    bool is_protected; /* by a checksum of its own */
} ph_state_row;

/* *row <- what it says, if that is whole and possible; PH_E_IO. */
ph_status ph_state_table_row(const ph_database *database, ph_state_row *row, ph_error *err);
/* Are the row, state and monitor whole, as far as that can be told without a system? */
ph_status ph_state_table_check(const ph_database *database, ph_account *account, ph_error *err);
/* As ph_record_state. */
ph_status ph_state_table_read(const ph_database *database, ph_state *state, ph_monitor *monitor,
                              ph_account *account, ph_error *err);

/* ph_archive_create with pieces of so many bytes. */
ph_status ph_archive_create_in_pieces(const char *path, const ph_archive_plan *plan, const ph_state *state,
                                      const ph_monitor *monitor, double interval, size_t piece,
                                      ph_archive **archive, ph_error *err);

/* ph_archive_due where so many seconds have passed since the latest commit. */
bool ph_archive_due_after(const ph_archive *archive, double passed);

/* An event that was read: t, step, theta, direction, then configuration and momentum; free values. */
typedef struct ph_event_copy {
    double *values; /* (n), followed in the same memory by the name */
    size_t n, room; /* room in bytes */
    const char *name;
} ph_event_copy;

/* *n <- how many there are, by the number of the last one. PH_E_IO where that is none. */
ph_status ph_event_table_count(const ph_database *database, int64_t *n, ph_error *err);
/* *n <- the number of the first one behind, if there is one. */
ph_status ph_event_table_next(const ph_database *database, int64_t behind, bool *there, int64_t *n,
                              ph_error *err);
/* copy <- the n-th. PH_E_IO where it is damaged or missing. */
ph_status ph_event_table_read(const ph_database *database, int64_t n, ph_event_copy *copy, ph_error *err);

/* CRC-32 as zlib's, of bytes of any number. */
uint32_t ph_checksum(uint32_t before, const unsigned char *bytes, size_t n);

#endif
