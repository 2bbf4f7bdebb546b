/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive that is being written: what the files share that begin it (create.c, resume.c), fill it
 * (rows.c, meta.c) and commit it (archive.c). */
#ifndef PH_ARCHIVE_WRITER_H
#define PH_ARCHIVE_WRITER_H

#include <polhode/archive.h>

#include "database.h"
#include "dealt.h"
#include "failures.h"

/* [bytes] A larger state is written in pieces of this size. */
enum { PH_WRITER_PIECE = 64 << 20 };

/* How the file is opened. Its place has no links; one that somebody puts there later is not followed. */
#ifdef SQLITE_OPEN_NOFOLLOW
enum { PH_WRITER_FLAGS = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW };
#else
enum { PH_WRITER_FLAGS = SQLITE_OPEN_READWRITE };
#endif

struct ph_archive {
    ph_database database;
    char *path;  /* as given by the caller, for messages */
    char *place; /* the path of the file itself, with links resolved */
    char *lock_path;
    int lock;
    sqlite3_stmt *put_block;
    ph_event_table events;
    ph_state_table states;
    ph_failure_table failures; /* of members of a sweep */
    ph_dealt_table dealt;      /* to a rank of a parallel one */
    ph_columns *choice;        /* the columns of a row; NULL in a sweep, whose rows are given as numbers */
    size_t columns, row_bytes, nz, np;
    ph_block block;                /* the block that new rows are appended to */
    int64_t block_saved;           /* how many of its rows are in the database */
    double energy0;                /* energy in the first row */
    bool waits;                    /* reopened, and nothing has been changed yet: see ph_archive_go_on */
    bool sealed;                   /* reopened, with checksums over its tables */
    bool cut;                      /* the block has fewer rows than its copy in the database */
    int64_t behind;                /* the number of the row after that copy's last */
    int64_t steps;                 /* a changed number of planned steps that is not written yet, or 0 */
    double interval, committed_at; /* [s] */
    int64_t safe_rows, safe_steps; /* in the latest commit */
    double safe_time;
};

/* ---- The writer, writer.c ------------------------------------------------------------------------ */

/* *archive <- a writer that holds the lock of the file, whose database is not open yet. follow: if there is
 * a link at the path, use the file that it leads to. PH_E_EXISTS, PH_E_IO, PH_E_NO_MEMORY. */
ph_status ph_writer_create(const char *path, bool follow, double interval, ph_archive **archive,
                           ph_error *err);
/* Closes everything, gives the lock back, frees. */
void ph_writer_free(ph_archive *a);
/* a->choice <- the columns that these words choose, and the sizes that depend on it. */
ph_status ph_writer_choose_columns(ph_archive *a, const ph_system *system, const char *const *words, size_t n,
                                   ph_error *err);
/* The same for rows of n numbers, whose columns others name. */
ph_status ph_writer_set_columns(ph_archive *a, size_t n, ph_error *err);
/* Opens the file that is there, and prepares the statements. */
ph_status ph_writer_open_database(ph_archive *a, ph_error *err);
/* Prepares the statements; the tables must exist. */
ph_status ph_writer_prepare(ph_archive *a, ph_error *err);
/* From now on the database is in WAL mode: readers see the latest commit while the next is written. On a network file
 * system it has a rollback journal. */
ph_status ph_writer_use_log(const ph_archive *a, ph_error *err);
/* Closes the database for now, with all prepared statements. Returns status, or why that failed. */
ph_status ph_writer_close_database(ph_archive *a, ph_status status, ph_error *err);
/* Commits the open transaction, or, where status or the commit is a failure, rolls it back. */
ph_status ph_writer_end_transaction(const ph_archive *a, ph_status status, ph_error *err);

/* ---- The table meta, meta.c ---------------------------------------------------------------------- */

/* What is run, and when. In the open transaction, as all below. */
ph_status ph_writer_put_plan(ph_archive *a, const ph_archive_plan *plan, const ph_state *state,
                             ph_error *err);
/* The time and the step count when this writer began; compared with the latest commit they give its speed. */
ph_status ph_writer_put_session(ph_archive *a, ph_error *err);
/* How the run ended. */
ph_status ph_writer_put_ending(ph_archive *a, const ph_ending *ending, ph_error *err);

/* ---- Rows, events and the state, rows.c ---------------------------------------------------------- */

/* Room in the block for n further rows. */
ph_status ph_writer_make_room(ph_archive *a, size_t n, ph_error *err);
/* Writes the block with its first n rows, in place of its earlier copy. */
ph_status ph_writer_put_block(ph_archive *a, int64_t n, ph_error *err);
/* Writes the waiting rows and events. */
ph_status ph_writer_put_waiting(ph_archive *a, ph_error *err);
/* After a commit: nothing waits any more, and if the block is long enough, a new one is begun. */
void ph_writer_settle(ph_archive *a);
/* Writes the state, and a changed plan if there is one. */
ph_status ph_writer_put_state(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                              const ph_account *account, ph_error *err);

#endif
