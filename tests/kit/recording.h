/* SPDX-License-Identifier: BSD-3-Clause */
/* Test data of the suites on archives: a short run of the double spherical pendulum with its archive "r" in the
 * folder of the test, and the same rows in memory to compare with. */
#ifndef POLHODE_TESTS_RECORDING_H
#define POLHODE_TESTS_RECORDING_H

#include "iokit.h"

enum { REC_COLUMNS = 2 + 6 + 6 + 4 + 1 + 1 }; /* of a row: t, step, z, p, measures, Newton iterations */

typedef struct recording {
    io_run r;
    ph_archive *archive;
    double *rows; /* (n, REC_COLUMNS) what was written, kept apart */
    int64_t n;
    double energy0;
} recording;

extern const char rec_text[]; /* of the scenario */

/* Create the archive; with a commit every `interval` s, and a state of more than `piece` bytes in pieces. */
void rec_create(recording *t, double interval);
void rec_begin(recording *t, int rows);
void rec_create_in_pieces(recording *t, double interval, size_t piece);
/* One of this test, created with these rows, which are committed. */
#define RECORDING(t, rows)                                                                                   \
    TK_ENDS(rec_free) recording t;                                                                           \
    rec_begin(&t, rows)
/* Reopen and resume it. */
void rec_reopen(recording *t);
/* End it as interrupted; and free what is in memory. */
void rec_close(recording *t);
void rec_free(recording *t);

/* Add rows to the archive (where it is open) and to memory, with three steps after each. */
void rec_add_row(recording *t);
void rec_add_rows(recording *t, int n);
/* Add an event at the present state; its numbers are invented. */
void rec_add_event(recording *t, const char *name, int64_t step);
/* Made-up sums that belong to the rows so far; and a commit with them. */
ph_account rec_account(const recording *t);
void rec_commit(recording *t);
void rec_commit_rows(recording *t, int n); /* n more rows, and a commit */

ph_record *rec_open(const char *name);
/* The archive has the first n rows and no others, read `at_once` at a time. */
void rec_check_rows(const recording *t, int64_t n, int64_t at_once);
/* The state in the archive is this one, with this account. */
void rec_check_state(const recording *t, const ph_state *state, ph_account expected, int64_t rows);
/* There are no files besides the archive. */
void rec_check_one_file(void);

/* With a user_version before 3: without the checksums that came with it, so that what is changed is noticed by itself. */
#define REC_UNSEALED "DELETE FROM meta WHERE key LIKE '%crc32'"
/* Run SQL on the archive; the number that a query gives. */
void rec_change(const char *sql);
int64_t rec_number(const char *sql);
/* Bytes of a file in the folder: all of them (free), to be written, or one of them replaced. */
unsigned char *rec_load(const char *name, size_t *size);
void rec_store(const char *name, const unsigned char *bytes, size_t size);
void rec_poke(const char *name, size_t at, unsigned char byte);

#endif
