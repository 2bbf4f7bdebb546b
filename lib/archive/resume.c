/* SPDX-License-Identifier: BSD-3-Clause */
/* Resuming an archive: the writer finds its columns, its last state and the block of rows that it continues.
 * Nothing in the file is changed until the run resumes (ph_archive_go_on); then what is behind the state is
 * dropped, after a check that it is what should be there. */
#include <polhode/archive.h>

#include "lib/internal/missing.h"
#include "seal.h"
#include "swept.h"
#include "writer.h"

#include <stdio.h>

/* ---- Reopening ---------------------------------------------------------------------------------- */

/* a->safe_... <- rows, step and time of the state that was committed last, from its row. */
static ph_status read_state_row(ph_archive *a, ph_error *err)
{
    ph_state_row row;
    ph_status status = ph_state_table_row(&a->database, &row, err);
    if (status)
        return status;
    a->safe_rows = row.account.rows;
    a->energy0 = row.energy0;
    a->safe_steps = row.k;
    a->safe_time = row.t;
    return PH_OK;
}

/* Chooses the columns that the archive was created with. */
static ph_status recall_columns(ph_archive *a, const ph_system *system, ph_error *err)
{
    int64_t columns = 0, copies = 0;
    ph_choice choice = {NULL, 0};
    ph_error why;
    ph_status status =
        ph_database_number(&a->database, "SELECT count(*) FROM meta WHERE key = 'copy'", 0, &copies, err);
    if (!status && copies)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "%s: is a copy, for a page or of a damaged archive, which has no state: it cannot be resumed",
            a->path);
    if (!status)
        status = ph_database_number(&a->database, "SELECT sum(1) FROM columns", 0, &columns, err);
    if (!status && columns < 1)
        return ph_fail(err, PH_E_IO, "%s: has no columns", a->path);
    if (!status)
        status = ph_choice_read(&a->database, &choice, err);
    if (!status && (status = ph_writer_choose_columns(a, system, choice.words, choice.n, &why)))
        ph_fail(err, status, "%s: its columns do not suit this system: %.300s", a->path, why.message);
    ph_choice_free(&choice);
    if (!status && (int64_t)a->columns != columns)
        return ph_fail(err, PH_E_SIZE, "%s: its rows have %lld numbers; those of this system have %zu",
                       a->path, (long long)columns, a->columns);
    return status;
}

/* The block with the last of so many rows becomes the one that new rows are appended to. */
static ph_status load_last_block(ph_archive *a, int64_t rows, ph_error *err)
{
    ph_blocks blocks;
    ph_status status = ph_blocks_open(&blocks, &a->database, a->row_bytes, err);
    if (!status)
        status = ph_blocks_load(&blocks, rows - 1, &a->block, err);
    ph_blocks_close(&blocks);
    const int64_t end = a->block.first + a->block.n;
    a->behind = end;
    if (status == PH_E_IO && a->block.n && end == rows) { /* damaged, but complete: a new block follows it */
        a->block.first = rows;
        a->block.n = 0;
        return PH_OK;
    }
    if (status)
        return status;
    if (end < rows)
        return ph_fail(err, PH_E_IO, "%s: rows are missing: %lld are expected, and only the first %lld exist",
                       a->path, (long long)rows, (long long)end);
    a->cut = end > rows;
    a->block.n = rows - a->block.first;
    if (!a->cut)
        ph_writer_settle(a);
    a->block_saved = a->block.n;
    return PH_OK;
}

/* The columns of a sweep are as many as the archive names. */
static ph_status count_columns(ph_archive *a, ph_error *err)
{
    int64_t columns = 0, members = 0;
    ph_status status = ph_database_number(
        &a->database, "SELECT count(*) FROM meta WHERE key = 'rows_per_member'", 0, &members, err);
    if (!status)
        status = ph_database_number(&a->database, "SELECT sum(1) FROM columns", 0, &columns, err);
    if (!status && (!members || columns < PH_MEMBER_LEADING))
        status = ph_fail(err, PH_E_PARSE, "%s: is not the archive of a sweep", a->path);
    a->failures.there = true;
    return status ? status : ph_writer_set_columns(a, (size_t)columns, err);
}

/* system: NULL for a sweep. */
static ph_status reopen(const char *path, const ph_system *system, double interval, ph_archive **archive,
                        ph_error *err)
{
    ph_archive *a = NULL;
    ph_status status = ph_database_there(path, err);
    if (!status)
        status = ph_writer_create(path, true, interval, &a, err);
    if (status)
        return status;
    a->waits = true;
    status = ph_writer_open_database(a, err);
    if (!status)
        status = ph_seal_check(&a->database, &a->sealed, err);
    if (!status)
        status = system ? recall_columns(a, system, err) : count_columns(a, err);
    if (!status)
        status = read_state_row(a, err);
    if (!status)
        status = load_last_block(a, a->safe_rows, err);
    if (status)
        ph_writer_free(a);
    else
        *archive = a;
    return status;
}

ph_status ph_archive_reopen(const char *path, const ph_system *system, double interval, ph_archive **archive,
                            ph_error *err)
{
    return system ? reopen(path, system, interval, archive, err)
                  : ph_not_created(err, "system", "ph_system_create or ph_model_build");
}

ph_status ph_archive_reopen_sweep(const char *path, double interval, ph_archive **archive, int64_t *next,
                                  ph_error *err)
{
    ph_status status = reopen(path, NULL, interval, archive, err);
    if (status)
        return status;
    status = ph_dealt_table_recall(&(*archive)->dealt, (*archive)->safe_steps, err);
    *next = (*archive)->safe_steps;
    if (status) {
        ph_writer_free(*archive);
        *archive = NULL;
    }
    return status;
}

/* ---- Dropping what is behind the state ---------------------------------------------------------- */

/* The failure where rows are not those that the state needs. */
static ph_status fail_out_of_order(const ph_archive *a, ph_error *err)
{
    return ph_fail(err, PH_E_IO,
                   "%s: rows are missing or out of order, and some may be among those behind its state, "
                   "which would be dropped; nothing was changed (polhode info --check names them)",
                   a->path);
}

/* Are the blocks that will be dropped really rows behind the state, consecutive and starting with the
 * state's, and are no earlier rows missing? A block that a damaged number had moved there would be lost. */
static ph_status check_behind(const ph_archive *a, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    char sql[100];
    int64_t due = a->behind, kept = a->behind;
    int code = SQLITE_DONE;
    ph_status status = ph_database_prepare(
        &a->database, "SELECT first, n FROM blocks WHERE first >= ?1 ORDER BY first", &s, err);
    if (!status)
        sqlite3_bind_int64(s, 1, a->safe_rows);
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const int64_t n = sqlite3_column_int64(s, 1);
        if (sqlite3_column_int64(s, 0) != due || n < 1 || n > INT64_MAX - due)
            status = fail_out_of_order(a, err);
        else
            due += n;
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&a->database, "reading rows", err);
    sqlite3_finalize(s);
    snprintf(sql, sizeof sql, "SELECT total(n) FROM blocks WHERE first < %lld", (long long)a->safe_rows);
    if (!status && due > a->behind)
        status = ph_database_number(&a->database, sql, 0, &kept, err);
    return !status && kept != a->behind ? fail_out_of_order(a, err) : status;
}

/* Deletes the rows and events behind the state. */
static ph_status drop_behind(ph_archive *a, ph_error *err)
{
    char sql[100];
    ph_status status = check_behind(a, err);
    snprintf(sql, sizeof sql, "DELETE FROM blocks WHERE first >= %lld", (long long)a->safe_rows);
    if (!status)
        status = ph_database_run(&a->database, sql, err);
    if (!status && a->cut)
        status = ph_writer_put_block(a, a->block_saved, err);
    /* members of a rank have no order: of theirs nothing is behind, as all is written with the state */
    const int64_t behind = a->dealt.there ? INT64_MAX : a->safe_steps;
    if (!status)
        status = ph_event_table_drop(&a->events, behind, err);
    return status ? status : ph_failure_table_drop(&a->failures, behind, err);
}

ph_status ph_archive_go_on(ph_archive *a, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_reopen");
    if (!a->waits)
        return PH_OK;
    ph_status status = ph_writer_use_log(a, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN IMMEDIATE", err);
    if (!status)
        status = drop_behind(a, err);
    if (!status)
        status = ph_database_run(
            &a->database, "DELETE FROM meta WHERE key IN ('status', 'reason', 'ended_by', 'message')", err);
    if (!status)
        status = ph_writer_put_session(a, err);
    if (!status)
        status = ph_state_table_protect(&a->states, &a->events.counts, err);
    if (!status)
        status = ph_seal_put(&a->database,
                             !a->sealed          ? PH_SEAL_ALL
                             : a->failures.there ? PH_SEAL_MEMBERS
                                                 : PH_SEAL_META,
                             err);
    status = ph_writer_end_transaction(a, status, err);
    a->waits = status != PH_OK;
    return status;
}
