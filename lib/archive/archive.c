/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing an archive, doc/reference/archive.md: an SQLite database in which rows and the state that belongs to them
 * appear in one transaction. It is begun by create.c or resume.c, rows wait in rows.c; here they are
 * committed, and the archive is closed. It is written in WAL mode, so that readers always see the latest
 * commit (on a network file system with a rollback journal); closing it leaves one file. */
#include <polhode/archive.h>

#include "lib/internal/clock.h"
#include "lib/internal/missing.h"
#include "writer.h"

#include <stdio.h>

/* ---- Commits ------------------------------------------------------------------------------------ */

/* Appends to the message of a failure what is safe on the disk nevertheless. */
static ph_status say_what_is_safe(const ph_archive *a, ph_status status, ph_error *err)
{
    ph_error why;
    if (!err)
        return status;
    why = *err;
    if (a->failures.there)
        return ph_fail(err, status, "%.300s; safe are %lld rows, of the members before %lld", why.message,
                       (long long)a->safe_rows, (long long)a->safe_steps);
    return ph_fail(err, status, "%.300s; safe are %lld rows and the state after %lld steps, at t = %.10g s",
                   why.message, (long long)a->safe_rows, (long long)a->safe_steps, a->safe_time);
}

/* Begins a transaction, with the waiting rows and events in it. */
static ph_status begin_transaction(ph_archive *a, ph_error *err)
{
    ph_status status = ph_archive_go_on(a, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN IMMEDIATE", err);
    return status ? status : ph_writer_put_waiting(a, err);
}

ph_status ph_archive_commit(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                            const ph_account *account, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    ph_account all = *account;
    all.rows = a->block.first + a->block.n;
    a->committed_at = ph_coarse_clock();
    ph_status status = begin_transaction(a, err);
    if (!status)
        status = ph_writer_put_state(a, state, monitor, &all, err);
    status = ph_writer_end_transaction(a, status, err);
    if (status)
        return say_what_is_safe(a, status, err);
    a->steps = 0;
    a->safe_rows = all.rows;
    a->safe_steps = state->k;
    a->safe_time = state->t;
    ph_writer_settle(a);
    return PH_OK;
}

void ph_archive_replan(ph_archive *a, int64_t steps)
{
    a->steps = steps;
}

/* ---- The end ------------------------------------------------------------------------------------ */

/* Leave a single file: readers who have it open for a moment are waited for, up to 2 s; while somebody is reading
 * for longer, it stays in WAL mode until it is closed the next time. */
static ph_status leave_one_file(const ph_database *d, ph_error *err)
{
    enum { TRIALS = 200, PAUSE = 10 /* ms */ };
    int code = SQLITE_BUSY;
    for (int i = 0; i < TRIALS && (code & 0xff) == SQLITE_BUSY; i++) {
        if (i)
            sqlite3_sleep(PAUSE);
        code = sqlite3_exec(d->db, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE", NULL,
                            NULL, NULL);
    }
    return code && (code & 0xff) != SQLITE_BUSY ? ph_database_fail(d, "completing the file", err) : PH_OK;
}

/* state: NULL for none */
static ph_status end_archive(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                             const ph_account *account, const ph_ending *ending, ph_error *err)
{
    ph_status status = begin_transaction(a, err);
    if (!status && state)
        status = ph_writer_put_state(a, state, monitor, account, err);
    if (!status)
        status = ph_writer_put_ending(a, ending, err);
    status = ph_writer_end_transaction(a, status, err);
    if (!status)
        status = leave_one_file(&a->database, err);
    if (status)
        status = say_what_is_safe(a, status, err);
    ph_writer_free(a);
    return status;
}

ph_status ph_archive_finish(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                            const ph_account *account, const ph_ending *ending, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    return end_archive(a, state, monitor, account, ending, err);
}

ph_status ph_archive_close(ph_archive *a, const ph_ending *ending, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    return end_archive(a, NULL, NULL, NULL, ending, err);
}

void ph_archive_abandon(ph_archive *a)
{
    if (a)
        ph_writer_free(a);
}
