/* SPDX-License-Identifier: BSD-3-Clause */
/* The one writer of an archive: its lock, its database with the statements that it prepares, and the columns
 * of a row. */
#include <polhode/archive.h>

#include "insert.h"
#include "lib/internal/clock.h"
#include "lock.h"
#include "place.h"
#include "writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* [bytes] SQLite's limit for one row, less the other columns of the row. */
static const size_t most_at_once = 999999000;

/* ---- One writer --------------------------------------------------------------------------------- */

static const char lock_ending[] = ".lock";

bool ph_archive_writer(const char *path, long *process)
{
    char holder[32] = "", *place = ph_file_place(path, true),
         *name = place ? ph_path_join(place, lock_ending, "") : NULL;
    const bool locked = name && ph_file_locked(name, holder, sizeof holder);
    free(name);
    free(place);
    if (process)
        *process = locked ? strtol(holder, NULL, 10) : 0;
    return locked;
}

/* The lock is on a separate file: closing any descriptor of the database would drop SQLite's own locks
 * on it. */
static ph_status take_lock(ph_archive *a, ph_error *err)
{
    bool blocked;
    char holder[32];
    a->lock = ph_file_lock(a->lock_path, &blocked);
    if (a->lock >= 0) {
        int n = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
        if (pwrite(a->lock, holder, (size_t)n, 0) != n) {
            ; /* the process number is for messages only; the lock is valid without it, also on a full disk */
        }
        return PH_OK;
    }
    if (!blocked)
        return ph_fail(err, PH_E_IO, "%s: cannot be created, but an archive cannot be written without it: %s",
                       a->lock_path, strerror(errno));
    (void)ph_file_locked(a->lock_path, holder, sizeof holder);
    holder[strcspn(holder, "\n")] = '\0';
    return ph_fail(err, PH_E_EXISTS, "%s: process %s is writing this archive; wait for it or end it", a->path,
                   *holder ? holder : "?");
}

void ph_writer_free(ph_archive *a)
{
    sqlite3_finalize(a->put_block);
    ph_event_table_free(&a->events);
    ph_columns_free(a->choice);
    ph_failure_table_free(&a->failures);
    free(a->dealt.list);
    ph_state_table_free(&a->states);
    sqlite3_close(a->database.db);
    if (a->lock >= 0)
        ph_file_unlock(a->lock, a->lock_path);
    free(a->block.bytes);
    free(a->lock_path);
    free(a->place);
    free(a->path);
    free(a);
}

ph_status ph_writer_create(const char *path, bool follow, double interval, ph_archive **archive,
                           ph_error *err)
{
    ph_archive *a = calloc(1, sizeof *a);
    if (!a)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *a = (ph_archive){.path = strdup(path),
                      .place = ph_file_place(path, follow),
                      .lock = -1,
                      .states = {.piece = PH_WRITER_PIECE},
                      .energy0 = NAN,
                      .interval = interval,
                      .committed_at = ph_coarse_clock()};
    a->database.path = a->path;
    a->failures.database = a->dealt.database = &a->database;
    a->lock_path = a->place ? ph_path_join(a->place, lock_ending, "") : NULL;
    ph_status status =
        a->path && a->lock_path ? take_lock(a, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        ph_writer_free(a);
    else
        *archive = a;
    return status;
}

ph_status ph_writer_choose_columns(ph_archive *a, const ph_system *system, const char *const *words, size_t n,
                                   ph_error *err)
{
    ph_status status = ph_columns_create_trajectory(system, words, n, &a->choice, err);
    if (status)
        return status;
    const ph_space *space = ph_system_space(system);
    a->nz = ph_space_ambient(space);
    a->np = ph_space_momenta(space);
    return ph_writer_set_columns(a, ph_columns_count(a->choice), err);
}

ph_status ph_writer_set_columns(ph_archive *a, size_t n, ph_error *err)
{
    a->columns = n;
    a->row_bytes = 8 * n;
    if (a->row_bytes > most_at_once)
        return ph_fail(err, PH_E_SIZE, "a row of %zu numbers: an archive takes at most %zu; choose columns",
                       a->columns, most_at_once / 8);
    return PH_OK;
}

/* ---- The database ------------------------------------------------------------------------------- */

ph_status ph_writer_prepare(ph_archive *a, ph_error *err)
{
    ph_status status = ph_database_prepare(&a->database, PH_INTO_BLOCKS, &a->put_block, err);
    if (!status)
        status = ph_state_table_open(&a->states, &a->database, err);
    return status ? status : ph_event_table_open(&a->events, &a->database, err);
}

ph_status ph_writer_close_database(ph_archive *a, ph_status status, ph_error *err)
{
    sqlite3_finalize(a->put_block);
    ph_event_table_put_down(&a->events);
    ph_state_table_put_down(&a->states);
    a->put_block = NULL;
    if (sqlite3_close(a->database.db) && !status)
        status = ph_database_fail(&a->database, "closing", err);
    a->database.db = NULL;
    return status;
}

ph_status ph_writer_open_database(ph_archive *a, ph_error *err)
{
    ph_status status = ph_database_open(&a->database, a->place, PH_WRITER_FLAGS, err);
    if (!status)
        status = ph_database_bound(&a->database, err);
    if (!status)
        status = ph_database_check(&a->database, err);
    if (!status && sqlite3_db_readonly(a->database.db, "main"))
        status = ph_fail(err, PH_E_IO, "%s: is read-only, so that nothing can be added to it", a->path);
    return status ? status : ph_writer_prepare(a, err);
}

/* synchronous = FULL: a commit is on the disk when it returns. The log is copied into the database
 * whenever it has 8 MB. Processes share its index by shared memory, which does not reach other machines: on a network
 * file system there is a rollback journal instead, and a commit waits for readers, up to a minute. Such a journal is
 * emptied, not deleted: that is on the disk when the commit returns, and directories stay as they are. */
ph_status ph_writer_use_log(const ph_archive *a, ph_error *err)
{
    const int64_t longest_wal = 8 << 20; /* bytes */
    int64_t page = 0;
    char sql[160];
    ph_database_unbound(&a->database);
    ph_status status = ph_database_run(&a->database, "PRAGMA synchronous = FULL", err);
    if (!status && ph_file_network(a->place))
        return ph_database_run(&a->database, "PRAGMA busy_timeout = 60000; PRAGMA journal_mode = TRUNCATE",
                               err);
    if (!status)
        status = ph_database_number(&a->database, "PRAGMA page_size", 0, &page, err);
    if (status)
        return status;
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = %lld",
             (long long)(longest_wal / page));
    return ph_database_run(&a->database, sql, err);
}

/* SQLite may have rolled back by itself, after a full disk, say. */
ph_status ph_writer_end_transaction(const ph_archive *a, ph_status status, ph_error *err)
{
    if (!status)
        status = ph_database_run(&a->database, "COMMIT", err);
    if (status && !sqlite3_get_autocommit(a->database.db))
        sqlite3_exec(a->database.db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
