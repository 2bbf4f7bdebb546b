/* SPDX-License-Identifier: BSD-3-Clause */
/* What writing and reading an archive share: SQLite's failures in words, blocks of rows, events, and the
 * state. Functions take the path for messages. */
#ifndef PH_ARCHIVE_DATABASE_H
#define PH_ARCHIVE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include <polhode/archive.h>

/* In the header of the file: "Polh", and the version of the tables. In version 1 the row of the state had no
 * checksum, in version 2 meta and columns had none (seal.c). */
enum { PH_ARCHIVE_ID = 0x506f6c68, PH_ARCHIVE_UNPROTECTED = 1, PH_ARCHIVE_SEALED = 3, PH_ARCHIVE_SCHEMA = 3 };
/* [bytes] The largest length of the name or unit of a column. */
enum { PH_ARCHIVE_NAME = 255 };

/* The table of a state that takes more than one value can have. */
#define PH_STATE_PIECES "CREATE TABLE IF NOT EXISTS state_pieces(i INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"
/* The tables of a new archive, as statements of SQL (insert.c). */
extern const char ph_archive_schema[];

typedef struct ph_database {
    sqlite3 *db;
    const char *path;
    bool *starved; /* nullable; set where SQLite had no memory, also where nobody is given the status */
} ph_database;

/* The message for the latest failure, which happened in `what`. */
ph_status ph_database_fail(const ph_database *d, const char *what, ph_error *err);
/* Is there a file of that name, and not a directory or an empty file? */
ph_status ph_database_there(const char *path, ph_error *err);
/* Open; flags are SQLite's. */
ph_status ph_database_open(ph_database *d, const char *name, int flags, ph_error *err);
/* For reading a file that may be a stranger's, whose pages may lead to one another without end: no statement takes more operations, no value
 * more bytes, than a whole file of this size needs, and nothing is sorted into temporary files. No counting of a whole table by count(*), which takes
 * no operations: sum(1) does. */
ph_status ph_database_bound(const ph_database *d, ph_error *err);
/* From now on it is written, by statements that are used again and again. */
void ph_database_unbound(const ph_database *d);
/* *bytes <- of all pages, with those in the log. */
ph_status ph_database_size(const ph_database *d, int64_t *bytes, ph_error *err);
/* Is it an archive, and one that this version knows, with tables as Polhode makes them, as far as they are read (tables.c)? PH_E_PARSE,
 * PH_E_IO. */
ph_status ph_database_check(const ph_database *d, ph_error *err);
ph_status ph_database_run(const ph_database *d, const char *sql, ph_error *err);
/* Ends a transaction in which nothing was written. Memory may be refused for that once. */
void ph_database_end_reading(const ph_database *d);
ph_status ph_database_prepare(const ph_database *d, const char *sql, sqlite3_stmt **statement, ph_error *err);
/* Executes a statement with its bound values, and resets it for others; failed: binding them has. */
ph_status ph_database_step(const ph_database *d, sqlite3_stmt *statement, bool failed, const char *what,
                           ph_error *err);
/* *value <- the first number that a query gives, or `none`. */
ph_status ph_database_number(const ph_database *d, const char *sql, int64_t none, int64_t *value,
                             ph_error *err);

/* Rows first ... first + n - 1, as they are in the file. */
typedef struct ph_block {
    int64_t first, n;
    unsigned char *bytes;
    size_t room; /* of bytes, which are malloc's */
} ph_block;

/* Finds blocks; one for each database. */
typedef struct ph_blocks {
    ph_database *database;
    size_t row_bytes;
    sqlite3_stmt *head, *body, *size;
} ph_blocks;

ph_status ph_blocks_open(ph_blocks *b, ph_database *database, size_t row_bytes, ph_error *err);
void ph_blocks_close(ph_blocks *b);
/* block <- the last one that begins at or before the row; its n is 0 if there is none. PH_E_IO where it is
 * damaged: first and n are then those of the damaged block, or n is 0 if even they cannot be read. */
ph_status ph_blocks_load(ph_blocks *b, int64_t row, ph_block *block, ph_error *err);
/* bytes (row_bytes) <- the row, if a block begins with it, has the length that it says, and begins at the row's time: then the rest of the
 * block is not read, and its checksum not compared. False: it is to be read with its block. */
bool ph_blocks_first_row(ph_blocks *b, int64_t row, unsigned char *bytes);

/* The words by which columns were chosen (choice.c): none for all. */
typedef struct ph_choice {
    const char **words; /* (n), malloc's with all that they point to */
    size_t n;
} ph_choice;

/* *text <- the words as the table meta stores them, from malloc. PH_E_INVALID: one has a line break, which
 * separates words there. */
ph_status ph_choice_text(const char *const *words, size_t n, char **text, size_t *length, ph_error *err);
/* choice <- the words in the table meta; to be freed also on failure. */
ph_status ph_choice_read(const ph_database *database, ph_choice *choice, ph_error *err);
void ph_choice_free(ph_choice *choice);

/* How often each event was found, by name in ascending order (event-counts.c). */
typedef struct ph_event_counts {
    struct ph_event_count {
        char *name;
        int64_t n;
    } * at; /* (n) */
    size_t n;
} ph_event_counts;

/* n more of the event of this name. */
ph_status ph_event_counts_add(ph_event_counts *c, const char *name, int64_t n, ph_error *err);
/* Those of `from` are added. */
ph_status ph_event_counts_copy(ph_event_counts *to, const ph_event_counts *from, ph_error *err);
void ph_event_counts_free(ph_event_counts *c);
/* Those in the table of events before step k are added. */
ph_status ph_event_counts_read(ph_event_counts *c, const ph_database *database, int64_t k, ph_error *err);
/* *bytes (*size) <- as the row of a state of k steps has them; from malloc. */
ph_status ph_event_counts_pack(const ph_event_counts *c, int64_t k, unsigned char **bytes, size_t *size,
                               ph_error *err);
/* *kept: has the table of the state a column for them? Older archives have none. */
ph_status ph_event_counts_kept(const ph_database *database, bool *kept, ph_error *err);
/* Are the events there that the state counts? PH_E_IO: the message says how many of which are missing. */
ph_status ph_event_counts_check(const ph_database *database, ph_error *err);

/* Events that are written (event-table.c); one for each database. */
typedef struct ph_event_table {
    ph_database *database;
    sqlite3_stmt *put;
    int64_t written, n_waiting; /* events in the database, and events that are not written yet */
    unsigned char *waiting;
    size_t bytes, room;     /* of waiting */
    ph_event_counts counts; /* of events in the database */
    ph_event_counts now;    /* the waiting ones among them, as the state has them that is being written */
} ph_event_table;

/* Prepares the statements for writing; put_down finalizes them, waiting events are kept. */
ph_status ph_event_table_open(ph_event_table *t, ph_database *database, ph_error *err);
void ph_event_table_put_down(ph_event_table *t);
void ph_event_table_free(ph_event_table *t);
ph_status ph_event_table_add(ph_event_table *t, const char *name, const ph_occurrence *o, ph_error *err);
/* Writes the waiting events in the open transaction. Call settle after its commit, which forgets them. */
ph_status ph_event_table_write(ph_event_table *t, ph_error *err);
void ph_event_table_settle(ph_event_table *t);
/* t->now <- how many there are before step k, the waiting ones among them. */
ph_status ph_event_table_count_now(ph_event_table *t, int64_t k, ph_error *err);
/* Deletes the events behind the state of k steps. */
ph_status ph_event_table_drop(ph_event_table *t, int64_t k, ph_error *err);

/* Writes the state (state-table.c); one for each database. */
typedef struct ph_state_table {
    ph_database *database;
    size_t piece;    /* [bytes] a multiple of 8; a larger state is written in pieces of this size */
    bool has_pieces; /* does the table of pieces exist? */
    sqlite3_stmt *put;
    unsigned char *bytes; /* the packed state or a piece of it, then the packed monitor */
    size_t room;
} ph_state_table;

/* Prepares the statements for writing; put_down finalizes them. */
ph_status ph_state_table_open(ph_state_table *t, ph_database *database, ph_error *err);
void ph_state_table_put_down(ph_state_table *t);
void ph_state_table_free(ph_state_table *t);
/* Writes in the open transaction. energy0: the energy in the first row. */
ph_status ph_state_table_write(ph_state_table *t, const ph_state *state, const ph_monitor *monitor,
                               const ph_account *account, double energy0, const ph_event_counts *events,
                               ph_error *err);
/* In the open transaction: adds what a row of an earlier version lacks, its checksum and the numbers of events, and makes the file one of
 * the current version. */
ph_status ph_state_table_protect(ph_state_table *t, const ph_event_counts *events, ph_error *err);

/* The row without state and monitor. */
typedef struct ph_state_row {
    int64_t k;
    double t, energy0; /* NaN: not known */
    ph_account account;
    char written[32];
    uint32_t checksum;
    bool is_protected; /* does it have a checksum? (not in version 1) */
} ph_state_row;

/* *row <- the row, if it is undamaged and its values are possible; PH_E_IO. */
ph_status ph_state_table_row(const ph_database *database, ph_state_row *row, ph_error *err);
/* summary, *maps <- what the stored monitor has seen; needs no system. */
ph_status ph_state_table_errors(const ph_database *database, ph_summary *summary, size_t *maps,
                                ph_error *err);
/* Are row, state and monitor undamaged, as far as that can be checked without a system? */
ph_status ph_state_table_check(const ph_database *database, ph_account *account, ph_error *err);
/* As ph_record_state. */
ph_status ph_state_table_read(const ph_database *database, ph_state *state, ph_monitor *monitor,
                              ph_account *account, ph_error *err);

/* As ph_record_motion. */
ph_status ph_state_table_motion(const ph_database *database, double *t, double *z, size_t nz, double *p,
                                size_t np, ph_error *err);

/* ph_archive_create with pieces of the state of this many bytes, for tests. */
ph_status ph_archive_create_in_pieces(const char *path, const ph_archive_plan *plan, const ph_state *state,
                                      const ph_monitor *monitor, double interval, size_t piece,
                                      ph_archive **archive, ph_error *err);

/* ph_archive_due if so many seconds have passed since the latest commit. */
bool ph_archive_due_after(const ph_archive *archive, double passed);

/* An event that was read. values: t, step, theta, direction, configuration, momentum; to be freed. */
typedef struct ph_event_copy {
    double *values; /* (n), followed in the same memory by the name */
    size_t n, room; /* room in bytes */
    const char *name;
} ph_event_copy;

/* *n <- the number of events, from the index of the last one. PH_E_IO where that is impossible. */
ph_status ph_event_table_count(const ph_database *database, int64_t *n, ph_error *err);
/* *n <- the index of the first event behind `behind`; *there: is there one? */
ph_status ph_event_table_next(const ph_database *database, int64_t behind, bool *there, int64_t *n,
                              ph_error *err);
/* copy <- the n-th. PH_E_IO where it is damaged or missing. */
ph_status ph_event_table_read(const ph_database *database, int64_t n, ph_event_copy *copy, ph_error *err);

/* CRC-32 as in zlib, for any number of bytes. */
uint32_t ph_checksum(uint32_t before, const unsigned char *bytes, size_t n);

#endif
