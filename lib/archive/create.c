/* SPDX-License-Identifier: BSD-3-Clause */
/* A new archive. It is completed under the name PATH.part, tables, description and first state, and renamed;
 * then it is opened again under its own name, in WAL mode, to be written. */
#include <polhode/archive.h>

#include "lib/internal/missing.h"

#include "insert.h"
#include "place.h"
#include "seal.h"
#include "swept.h"
#include "writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* [bytes] of planned rows, from which on the largest page size is used: that small tables then take a whole
 * page each is negligible. */
static const double least_for_largest = 20e6;

/* ---- Tables ------------------------------------------------------------------------------------- */

/* Columns of one statement. */
enum { TOGETHER = 200 };

/* Columns from *i on, as many as make whole statements, with the numbers that follow: a chain may have millions. The texts
 * stand where the statement has them from the one before: only one of another length or place is bound again. */
static ph_status name_many(const ph_archive *a, size_t *i, ph_error *err)
{
    static const char into[] = "INSERT INTO columns VALUES";
    char sql[sizeof into + TOGETHER * sizeof ",(NULL,?200,?400)"], *end = stpcpy(sql, into);
    char room[TOGETHER * PH_COLUMN_NAME];
    const char *texts[2 * TOGETHER], *bound[2 * TOGETHER] = {NULL}; /* names, then units */
    size_t length[2 * TOGETHER] = {0};
    if (a->columns - *i < TOGETHER)
        return PH_OK;
    for (int k = 0; k < TOGETHER; k++)
        end += sprintf(end, "%s(NULL,?%d,?%d)", k ? "," : "", k + 1, TOGETHER + k + 1);
    ph_insert t = ph_insert_begin(&a->database, sql, "naming the columns", err);
    for (; a->columns - *i >= TOGETHER && !t.status; *i += TOGETHER) {
        ph_columns_names(a->choice, *i, TOGETHER, room, texts, texts + TOGETHER);
        for (int k = 0; k < 2 * TOGETHER; k++) {
            const size_t letters = texts[k] ? strlen(texts[k]) : 0;
            if (texts[k] != bound[k] || letters != length[k])
                sqlite3_bind_text(t.statement, k + 1, texts[k], (int)letters, SQLITE_STATIC);
            bound[k] = texts[k];
            length[k] = letters;
        }
        t.status = ph_database_step(t.database, t.statement, false, t.what, t.err);
    }
    return ph_insert_end(&t);
}

/* The table columns: name and unit of each number of a row, in their order. */
static ph_status name_columns(const ph_archive *a, ph_error *err)
{
    char room[PH_COLUMN_NAME];
    ph_insert t = ph_insert_begin(&a->database, PH_INTO_COLUMNS, "naming the columns", err);
    for (size_t i = 0; i < a->columns && !t.status; i++) {
        if (i == 1) /* the first has its number, 0 */
            t.status = name_many(a, &i, err);
        if (i < a->columns)
            ph_insert_column(&t, i, ph_columns_name(a->choice, i, room), ph_columns_unit(a->choice, i));
    }
    return ph_insert_end(&t);
}

/* What is archived: a run, or the members of a sweep, and what a new archive says of it. */
typedef struct content {
    const ph_archive_plan *plan;
    const ph_archive_sweep *members; /* NULL: a run */
    const ph_state *state;
    const ph_monitor *monitor;
} content;

/* What a new archive says about its run, before the first row. */
static ph_status fill_tables(ph_archive *a, const content *c, ph_error *err)
{
    ph_status status = ph_writer_put_plan(a, c->plan, c->state, err);
    if (status)
        return status;
    return c->members ? ph_swept_put(a, c->members, err) : name_columns(a, err);
}

/* Each page that is written costs system calls: hence larger pages for long rows, and the largest where the
 * archive will be so large that partly filled pages are negligible. */
static ph_status set_page_size(const ph_archive *a, const ph_archive_plan *plan, ph_error *err)
{
    const bool much = (double)a->row_bytes * (double)plan->rows > least_for_largest;
    return ph_database_run(&a->database,
                           much               ? "PRAGMA page_size = 65536"
                           : a->columns < 512 ? "PRAGMA page_size = 8192"
                                              : "PRAGMA page_size = 16384",
                           err);
}

/* All that a new archive has, in one transaction: tables, description, and the state at its start. */
static ph_status write_whole(ph_archive *a, const content *c, ph_error *err)
{
    const ph_account none = {0};
    ph_status status = set_page_size(a, c->plan, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN", err);
    if (!status)
        status = ph_database_run(&a->database, ph_archive_schema, err);
    if (!status && c->members)
        status = ph_database_run(&a->database, ph_swept_schema, err);
    if (!status)
        status = fill_tables(a, c, err);
    if (!status)
        status = ph_seal_put(&a->database, PH_SEAL_ALL, err);
    if (!status)
        status = ph_writer_prepare(a, err);
    if (!status)
        status = ph_writer_put_state(a, c->state, c->monitor, &none, err);
    status = ph_writer_end_transaction(a, status, err);
    a->safe_steps = c->state->k;
    a->safe_time = c->state->t;
    return status;
}

/* ---- The file ----------------------------------------------------------------------------------- */

/* to <- the place of the archive + ending. */
static const char *with_ending(const ph_archive *a, const char *ending, char *to)
{
    strcpy(to, a->place);
    return strcat(to, ending);
}

/* Removes the place of the archive + ending, if it is there; name: room for its path. Was it? */
static bool remove_one(const ph_archive *a, const char *ending, char *name)
{
    return !unlink(with_ending(a, ending, name));
}

/* Writes PATH.part from nothing, whatever a crash has left there; after a failure nothing is left. */
static ph_status write_part(ph_archive *a, const content *c, char *name, ph_error *err)
{
    remove_one(a, ".part-journal", name);
    remove_one(a, ".part", name);
    ph_status status = ph_database_open(&a->database, name, PH_WRITER_FLAGS | SQLITE_OPEN_CREATE, err);
    if (!status)
        status = write_whole(a, c, err);
    status = ph_writer_close_database(a, status, err);
    if (status) {
        remove_one(a, ".part-journal", name);
        remove_one(a, ".part", name);
    }
    return status;
}

ph_status ph_archive_remove_logs(const char *path, ph_error *err)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    bool removed = false;
    char *name = ph_path_join(path, "-journal", ""), *ending = name ? name + strlen(path) : NULL;
    if (!name)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        strcpy(ending, endings[i]);
        removed |= !unlink(name);
    }
    if (removed)
        ph_sync_directory(name);
    free(name);
    return PH_OK;
}

static ph_status put_in_place(const ph_archive *a, char *name, ph_error *err)
{
    const ph_status status = ph_archive_remove_logs(a->place, err);
    if (status) {
        remove_one(a, ".part", name);
        return status;
    }
    if (rename(with_ending(a, ".part", name), a->place)) {
        unlink(name);
        return ph_fail(err, PH_E_IO, "%s: cannot be renamed to its final name: %s", name, strerror(errno));
    }
    ph_sync_directory(name);
    return PH_OK;
}

static ph_status choose_columns(ph_archive *a, const content *c, ph_error *err)
{
    const ph_archive_plan *plan = c->plan;
    a->failures.there = c->members;
    a->dealt.there = c->members && c->members->all.rank >= 0;
    return c->members ? ph_writer_set_columns(a, c->members->n, err)
                      : ph_writer_choose_columns(a, ph_integrator_system(plan->integrator), plan->columns,
                                                 plan->n_columns, err);
}

static ph_status create(const char *path, const content *c, double interval, size_t piece,
                        ph_archive **archive, ph_error *err)
{
    ph_archive *a;
    ph_status status = ph_writer_create(path, false, interval, &a, err);
    if (status)
        return status;
    char *name = ph_path_join(a->place, ".part-journal", ""); /* the longest of the names used */
    if (!name) {
        ph_writer_free(a);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    a->states.piece = piece;
    status = choose_columns(a, c, err);
    if (!status)
        status = write_part(a, c, name, err);
    if (!status)
        status = put_in_place(a, name, err);
    if (!status)
        status = ph_writer_open_database(a, err);
    if (!status)
        status = ph_writer_use_log(a, err);
    free(name);
    if (status)
        ph_writer_free(a);
    else
        *archive = a;
    return status;
}

ph_status ph_archive_create_in_pieces(const char *path, const ph_archive_plan *plan, const ph_state *state,
                                      const ph_monitor *monitor, double interval, size_t piece,
                                      ph_archive **archive, ph_error *err)
{
    const content c = {.plan = plan, .state = state, .monitor = monitor};
    return create(path, &c, interval, piece, archive, err);
}

ph_status ph_archive_create_sweep(const char *path, const ph_archive_plan *plan,
                                  const ph_archive_sweep *members, double t0, double interval,
                                  ph_archive **archive, ph_error *err)
{
    const ph_state state = {.k = members->all.first, .t = t0};
    const content c = {.plan = plan, .members = members, .state = &state};
    return create(path, &c, interval, PH_WRITER_PIECE, archive, err);
}

ph_status ph_archive_create(const char *path, const ph_archive_plan *plan, const ph_state *state,
                            const ph_monitor *monitor, double interval, ph_archive **archive, ph_error *err)
{
    if (!plan->integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    return ph_archive_create_in_pieces(path, plan, state, monitor, interval, PH_WRITER_PIECE, archive, err);
}
