/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing an archive, doc/archive.md: an SQLite database in which rows and the state that belongs to them
 * appear in one transaction. A new archive is completed under the name PATH.part and renamed. It is then
 * written in WAL mode, so that readers always see the latest commit; closing it leaves one file. */
#include <polhode/archive.h>
#include <polhode/version.h>

#include "archive.h"
#include "database.h"
#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"

#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "another compiler"
#endif

/* [bytes] Waiting rows are committed when they take most_waiting. A block of less than least_block is
 * extended by the next rows instead of starting a new one, so that frequent commits do not leave many tiny
 * blocks. */
static const size_t most_waiting = (size_t)4 << 20, least_block = (size_t)64 << 10;
/* [bytes] A larger state is written in pieces of this size. */
static const size_t most_of_a_state = (size_t)64 << 20;
/* [bytes] SQLite's limit for one row, less the other columns of the row. */
static const size_t most_at_once = 999999000;
/* [bytes] of planned rows, from which on the largest page size is used: that small tables then take a whole
 * page each is negligible. */
static const double least_for_largest = 20e6;
/* The place has no links; one that somebody puts there later is not followed. */
#ifdef SQLITE_OPEN_NOFOLLOW
static const int to_write = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW;
#else
static const int to_write = SQLITE_OPEN_READWRITE;
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
    ph_columns *choice; /* the columns of a row */
    size_t columns, row_bytes, nz, np;
    ph_block block;                /* the block that new rows are appended to */
    int64_t block_saved;           /* how many of its rows are in the database */
    double energy0;                /* energy in the first row */
    bool waits;                    /* reopened, and nothing has been changed yet: see ph_archive_go_on */
    bool cut;                      /* the block has fewer rows than its copy in the database */
    int64_t behind;                /* the number of the row after that copy's last */
    int64_t steps;                 /* a changed number of planned steps that is not written yet, or 0 */
    double interval, committed_at; /* [s] */
    int64_t safe_rows, safe_steps; /* in the latest commit */
    double safe_time;
};

static double wall_seconds(void)
{
    struct timespec now = {0, 0};
#ifdef CLOCK_MONOTONIC_COARSE /* read at every row; its milliseconds are enough */
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- One writer ---------------------------------------------------------------------------------- */

static const char lock_ending[] = ".lock";

/* path + ending, malloc's, or NULL. */
static char *join(const char *path, const char *ending)
{
    char *name = malloc(strlen(path) + strlen(ending) + 1);
    if (name)
        strcat(strcpy(name, path), ending);
    return name;
}

bool ph_archive_writer(const char *path, long *process)
{
    char holder[32] = "", *place = ph_file_place(path, true), *name = place ? join(place, lock_ending) : NULL;
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

static void release(ph_archive *a)
{
    sqlite3_finalize(a->put_block);
    ph_event_table_free(&a->events);
    ph_columns_free(a->choice);
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

/* follow: if there is a link at the path, use the file that it leads to. */
static ph_status begin(const char *path, bool follow, double interval, ph_archive **archive, ph_error *err)
{
    ph_archive *a = calloc(1, sizeof *a);
    if (!a)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *a = (ph_archive){.path = strdup(path),
                      .place = ph_file_place(path, follow),
                      .lock = -1,
                      .states = {.piece = most_of_a_state},
                      .energy0 = NAN,
                      .interval = interval,
                      .committed_at = wall_seconds()};
    a->database.path = a->path;
    a->lock_path = a->place ? join(a->place, lock_ending) : NULL;
    ph_status status =
        a->path && a->lock_path ? take_lock(a, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        release(a);
    else
        *archive = a;
    return status;
}

/* a->choice <- the columns that these words choose, and the sizes that depend on it. */
static ph_status choose(ph_archive *a, const ph_system *system, const char *const *words, size_t n,
                        ph_error *err)
{
    ph_status status = ph_columns_create_trajectory(system, words, n, &a->choice, err);
    if (status)
        return status;
    const ph_space *space = ph_system_space(system);
    a->nz = ph_space_ambient(space);
    a->np = ph_space_momenta(space);
    a->columns = ph_columns_count(a->choice);
    a->row_bytes = 8 * a->columns;
    if (a->row_bytes > most_at_once)
        return ph_fail(err, PH_E_SIZE, "a row of %zu numbers: an archive takes at most %zu; choose columns",
                       a->columns, most_at_once / 8);
    return PH_OK;
}

/* ---- Rows and states ----------------------------------------------------------------------------- */

static ph_status prepare(ph_archive *a, ph_error *err)
{
    ph_status status = ph_database_prepare(
        &a->database,
        "INSERT OR REPLACE INTO blocks(first, n, t0, t1, crc32, rows) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        &a->put_block, err);
    if (!status)
        status = ph_state_table_open(&a->states, &a->database, err);
    return status ? status : ph_event_table_open(&a->events, &a->database, err);
}

static ph_status done(const ph_archive *a, sqlite3_stmt *s, const char *what, ph_error *err)
{
    ph_status status = sqlite3_step(s) == SQLITE_DONE ? PH_OK : ph_database_fail(&a->database, what, err);
    sqlite3_reset(s);
    return status;
}

static double time_of(const unsigned char *row)
{
    double t;
    ph_get_double(row, &t);
    return t;
}

/* Writes the block with its first n rows, in place of its earlier copy. */
static ph_status put_block(ph_archive *a, int64_t n, ph_error *err)
{
    const ph_block *b = &a->block;
    const size_t bytes = (size_t)n * a->row_bytes;
    sqlite3_bind_int64(a->put_block, 1, b->first);
    sqlite3_bind_int64(a->put_block, 2, n);
    sqlite3_bind_double(a->put_block, 3, time_of(b->bytes));
    sqlite3_bind_double(a->put_block, 4, time_of(b->bytes + bytes - a->row_bytes));
    sqlite3_bind_int64(a->put_block, 5, ph_checksum((uint32_t)b->first, b->bytes, bytes));
    if (sqlite3_bind_blob64(a->put_block, 6, b->bytes, bytes, SQLITE_STATIC))
        return ph_database_fail(&a->database, "writing rows", err);
    return done(a, a->put_block, "writing rows", err);
}

static ph_status put_plan(ph_archive *a, ph_error *err)
{
    char sql[100];
    snprintf(sql, sizeof sql, "UPDATE meta SET value = '%lld' WHERE key = 'steps'", (long long)a->steps);
    return a->steps ? ph_database_run(&a->database, sql, err) : PH_OK;
}

/* Writes the state, and a changed plan if there is one. */
static ph_status put_state(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                           const ph_account *account, ph_error *err)
{
    ph_status status = ph_state_table_write(&a->states, state, monitor, account, a->energy0, err);
    return status ? status : put_plan(a, err);
}

static ph_status end_transaction(const ph_archive *a, ph_status status, ph_error *err)
{
    if (!status)
        status = ph_database_run(&a->database, "COMMIT", err);
    if (status && !sqlite3_get_autocommit(a->database.db))
        sqlite3_exec(a->database.db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* Appends to the message of a failure what is safe on the disk nevertheless. */
static ph_status say_what_is_safe(const ph_archive *a, ph_status status, ph_error *err)
{
    ph_error why;
    if (!err)
        return status;
    why = *err;
    return ph_fail(err, status, "%.300s; safe are %lld rows and the state after %lld steps, at t = %.10g s",
                   why.message, (long long)a->safe_rows, (long long)a->safe_steps, a->safe_time);
}

/* Writes the waiting rows and events. */
static ph_status put_waiting(ph_archive *a, ph_error *err)
{
    ph_status status = a->block.n > a->block_saved ? put_block(a, a->block.n, err) : PH_OK;
    return status ? status : ph_event_table_write(&a->events, err);
}

/* Begins a transaction, with the waiting rows and events in it. */
static ph_status begin_adding(ph_archive *a, ph_error *err)
{
    ph_status status = ph_archive_go_on(a, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN IMMEDIATE", err);
    return status ? status : put_waiting(a, err);
}

/* After a commit: nothing waits any more, and if the block is long enough, a new one is begun. */
static void settle(ph_archive *a)
{
    ph_event_table_settle(&a->events);
    a->block_saved = a->block.n;
    if ((size_t)a->block.n * a->row_bytes < least_block)
        return;
    a->block.first += a->block.n;
    a->block.n = a->block_saved = 0;
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
    a->committed_at = wall_seconds();
    ph_status status = begin_adding(a, err);
    if (!status)
        status = put_state(a, state, monitor, &all, err);
    status = end_transaction(a, status, err);
    if (status)
        return say_what_is_safe(a, status, err);
    a->steps = 0;
    a->safe_rows = all.rows;
    a->safe_steps = state->k;
    a->safe_time = state->t;
    settle(a);
    return PH_OK;
}

void ph_archive_replan(ph_archive *a, int64_t steps)
{
    a->steps = steps;
}

bool ph_archive_due_after(const ph_archive *a, double passed)
{
    return (size_t)(a->block.n - a->block_saved) * a->row_bytes + a->events.bytes >= most_waiting ||
           passed >= a->interval;
}

bool ph_archive_due(const ph_archive *a)
{
    return ph_archive_due_after(a, wall_seconds() - a->committed_at);
}

static ph_status make_room(ph_archive *a, ph_error *err)
{
    const size_t wanted = (size_t)(a->block.n + 1) * a->row_bytes;
    if (wanted <= a->block.room)
        return PH_OK;
    const size_t room = a->row_bytes > most_waiting     ? wanted /* which is committed before the next one */
                        : wanted > most_waiting         ? wanted + wanted / 2
                        : wanted + wanted < least_block ? least_block
                                                        : 2 * wanted;
    unsigned char *larger = realloc(a->block.bytes, room);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    a->block.bytes = larger;
    a->block.room = room;
    return PH_OK;
}

ph_status ph_archive_row(ph_archive *a, const ph_state *state, const ph_measures *m, int64_t passes,
                         ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    if (state->nz != a->nz || state->np != a->np)
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    ph_status status = make_room(a, err);
    if (status)
        return status;
    if (a->block.first + a->block.n == 0 && m)
        a->energy0 = m->energy;
    const ph_row row = {state, m, a->energy0, passes};
    double *to = (double *)(void *)a->block.bytes + (size_t)a->block.n * a->columns;
    ph_columns_values(a->choice, &row, 0, a->columns, to);
    ph_make_little_endian(to, a->columns);
    a->block.n++;
    return PH_OK;
}

ph_status ph_archive_event(ph_archive *a, const char *name, const ph_occurrence *o, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (o->state->nz != a->nz || o->state->np != a->np)
        return ph_fail(err, PH_E_SIZE, "the state is not one of this system");
    return ph_event_table_add(&a->events, name, o, err);
}

/* ---- A new archive ------------------------------------------------------------------------------- */

static const char schema[] =
    "PRAGMA application_id = 0x506f6c68; PRAGMA user_version = 2;"
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
    "CREATE TABLE columns(i INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT);"
    "CREATE TABLE blocks(first INTEGER PRIMARY KEY, n INTEGER NOT NULL, t0, t1, "
    "crc32 INTEGER NOT NULL, rows BLOB NOT NULL);"
    "CREATE TABLE events(n INTEGER PRIMARY KEY, name TEXT NOT NULL, t, step INTEGER NOT NULL, "
    "crc32 INTEGER NOT NULL, row BLOB NOT NULL);"
    "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 0), k INTEGER NOT NULL, t, "
    "rows INTEGER NOT NULL, energy0, newton_passes INTEGER, row_passes INTEGER, cpu_seconds, "
    "written TEXT, crc32 INTEGER NOT NULL, row_crc32 INTEGER NOT NULL, state BLOB NOT NULL, monitor BLOB);";

/* Inserts rows, a key and a text each, into the table meta. */
typedef struct table {
    ph_archive *archive;
    sqlite3_stmt *insert;
    ph_status status;
    ph_error *err;
} table;

static void put_meta(table *t, const char *key, const char *value, size_t length)
{
    if (t->status || !value)
        return;
    sqlite3_bind_text(t->insert, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_bind_text64(t->insert, 2, value, length, SQLITE_STATIC, SQLITE_UTF8))
        t->status = ph_database_fail(&t->archive->database, "describing the run", t->err);
    else
        t->status = done(t->archive, t->insert, "describing the run", t->err);
}

static void put_text(table *t, const char *key, const char *value)
{
    put_meta(t, key, value, value ? strlen(value) : 0);
}

static void put_number(table *t, const char *key, double value)
{
    char text[64];
    ph_number_text(value, text);
    put_text(t, key, text);
}

static void put_count(table *t, const char *key, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    put_text(t, key, text);
}

static void put_now(table *t, const char *key)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc))
        put_text(t, key, text);
}

/* The time and the step count when this writer began; compared with the latest commit they give its speed. */
static void put_session(table *t, int64_t steps)
{
    put_now(t, "session");
    put_count(t, "session_steps", steps);
}

static void put_options(table *t, const ph_method *method, const double *values)
{
    char text[512];
    ph_options_text(method, values, text, sizeof text);
    put_text(t, "options", text);
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? "little-endian" : "big-endian";
}

void ph_archive_build(char *text, size_t size)
{
    snprintf(text, size, "%.100s, %.200s, %s, %zu bit", COMPILER, BUILD_FLAGS, byte_order(),
             8 * sizeof(void *));
}

static void describe(table *t, const ph_archive_plan *plan, const ph_state *state)
{
    const ph_method *method = ph_integrator_method(plan->integrator);
    const double *options = ph_integrator_options(plan->integrator);
    char text[512];
    put_meta(t, "scenario", plan->scenario, plan->length);
    put_text(t, "name", plan->name);
    put_text(t, "source", plan->source);
    put_text(t, "version", ph_version());
    ph_archive_build(text, sizeof text);
    put_text(t, "build", text);
    put_text(t, "model", plan->model);
    put_text(t, "method", method->name);
    put_number(t, "order", ph_method_order(method, ph_integrator_system(plan->integrator), options));
    put_options(t, method, options);
    put_number(t, "step", ph_integrator_step_size(plan->integrator));
    put_count(t, "steps", plan->steps);
    put_number(t, "t0", state->t);
    put_now(t, "created");
    put_session(t, state->k);
}

static void put_choice(table *t, const ph_archive_plan *plan)
{
    char *text = NULL;
    size_t length;
    if (t->status || !plan->n_columns)
        return;
    t->status = ph_choice_text(plan->columns, plan->n_columns, &text, &length, t->err);
    put_meta(t, "columns", text, length);
    free(text);
}

static ph_status name_columns(ph_archive *a, ph_error *err)
{
    sqlite3_stmt *insert = NULL;
    char room[PH_COLUMN_NAME];
    ph_status status =
        ph_database_prepare(&a->database, "INSERT INTO columns VALUES(?1, ?2, ?3)", &insert, err);
    for (size_t i = 0; i < a->columns && !status; i++) {
        sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
        sqlite3_bind_text(insert, 2, ph_columns_name(a->choice, i, room), -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 3, ph_columns_unit(a->choice, i), -1, SQLITE_STATIC);
        status = done(a, insert, "naming the columns", err);
    }
    sqlite3_finalize(insert);
    return status;
}

static ph_status fill_tables(ph_archive *a, const ph_archive_plan *plan, const ph_state *state, ph_error *err)
{
    table meta = {.archive = a, .err = err};
    meta.status = ph_database_prepare(&a->database, "INSERT INTO meta VALUES(?1, ?2)", &meta.insert, err);
    if (!meta.status)
        describe(&meta, plan, state);
    put_choice(&meta, plan);
    sqlite3_finalize(meta.insert);
    return meta.status ? meta.status : name_columns(a, err);
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

static ph_status write_whole(ph_archive *a, const ph_archive_plan *plan, const ph_state *state,
                             const ph_monitor *monitor, ph_error *err)
{
    const ph_account none = {0};
    ph_status status = set_page_size(a, plan, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN", err);
    if (!status)
        status = ph_database_run(&a->database, schema, err);
    if (!status)
        status = fill_tables(a, plan, state, err);
    if (!status)
        status = prepare(a, err);
    if (!status)
        status = put_state(a, state, monitor, &none, err);
    status = end_transaction(a, status, err);
    a->safe_steps = state->k;
    a->safe_time = state->t;
    return status;
}

/* Closes the database for now, with all prepared statements. */
static ph_status put_down(ph_archive *a, ph_status status, ph_error *err)
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

/* to <- the place of the archive + ending; the second function removes the file of that name. */
static const char *with_ending(const ph_archive *a, const char *ending, char *to)
{
    strcpy(to, a->place);
    return strcat(to, ending);
}

static bool remove_one(const ph_archive *a, const char *ending, char *name)
{
    return !unlink(with_ending(a, ending, name));
}

static ph_status write_part(ph_archive *a, const ph_archive_plan *plan, const ph_state *state,
                            const ph_monitor *monitor, char *name, ph_error *err)
{
    remove_one(a, ".part-journal", name);
    remove_one(a, ".part", name);
    ph_status status = ph_database_open(&a->database, name, to_write | SQLITE_OPEN_CREATE, err);
    if (!status)
        status = write_whole(a, plan, state, monitor, err);
    status = put_down(a, status, err);
    if (status) {
        remove_one(a, ".part-journal", name);
        remove_one(a, ".part", name);
    }
    return status;
}

/* Logs of an earlier archive at this place would be taken for those of the new one: they must be removed, and
 * the removal synchronised to the disk, before the new file gets the name. */
static ph_status put_in_place(const ph_archive *a, char *name, ph_error *err)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal"};
    bool removed = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        removed |= remove_one(a, endings[i], name);
    if (removed)
        ph_sync_directory(name);
    if (rename(with_ending(a, ".part", name), a->place)) {
        unlink(name);
        return ph_fail(err, PH_E_IO, "%s: cannot be renamed to its final name: %s", name, strerror(errno));
    }
    ph_sync_directory(name);
    return PH_OK;
}

static ph_status open_again(ph_archive *a, ph_error *err)
{
    ph_status status = ph_database_open(&a->database, a->place, to_write, err);
    if (!status)
        status = ph_database_check(&a->database, err);
    if (!status && sqlite3_db_readonly(a->database.db, "main"))
        status = ph_fail(err, PH_E_IO, "%s: is read-only, so that nothing can be added to it", a->path);
    return status ? status : prepare(a, err);
}

static ph_status begin_writing(const ph_archive *a, ph_error *err)
{
    const int64_t longest_wal = 8 << 20; /* bytes */
    int64_t page = 0;
    char sql[160];
    ph_status status = ph_database_number(&a->database, "PRAGMA page_size", 0, &page, err);
    if (status)
        return status;
    snprintf(sql, sizeof sql,
             "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = %lld",
             (long long)(longest_wal / page));
    return ph_database_run(&a->database, sql, err);
}

ph_status ph_archive_create_in_pieces(const char *path, const ph_archive_plan *plan, const ph_state *state,
                                      const ph_monitor *monitor, double interval, size_t piece,
                                      ph_archive **archive, ph_error *err)
{
    ph_archive *a;
    ph_status status = begin(path, false, interval, &a, err);
    if (status)
        return status;
    char *name = join(a->place, ".part-journal"); /* the longest of the names used */
    if (!name) {
        release(a);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    a->states.piece = piece;
    status = choose(a, ph_integrator_system(plan->integrator), plan->columns, plan->n_columns, err);
    if (!status)
        status = write_part(a, plan, state, monitor, name, err);
    if (!status)
        status = put_in_place(a, name, err);
    if (!status)
        status = open_again(a, err);
    if (!status)
        status = begin_writing(a, err);
    free(name);
    if (status)
        release(a);
    else
        *archive = a;
    return status;
}

ph_status ph_archive_create(const char *path, const ph_archive_plan *plan, const ph_state *state,
                            const ph_monitor *monitor, double interval, ph_archive **archive, ph_error *err)
{
    if (!plan->integrator)
        return ph_not_created(err, "integrator", "ph_integrator_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    return ph_archive_create_in_pieces(path, plan, state, monitor, interval, most_of_a_state, archive, err);
}

/* ---- Resuming ------------------------------------------------------------------------------------ */

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
    int64_t columns = 0;
    ph_choice choice = {NULL, 0};
    ph_error why;
    ph_status status = ph_database_number(&a->database, "SELECT count(*) FROM columns", 0, &columns, err);
    if (!status && columns < 1)
        return ph_fail(err, PH_E_IO, "%s: has no columns", a->path);
    if (!status)
        status = ph_choice_read(&a->database, &choice, err);
    if (!status && (status = choose(a, system, choice.words, choice.n, &why)))
        ph_fail(err, status, "%s: of this system: %.300s", a->path, why.message);
    ph_choice_free(&choice);
    if (!status && (int64_t)a->columns != columns)
        return ph_fail(err, PH_E_SIZE, "%s: has rows of %lld numbers; of this system they have %zu", a->path,
                       (long long)columns, a->columns);
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
        return ph_fail(err, PH_E_IO, "%s: of its %lld rows the last are missing: there are %lld", a->path,
                       (long long)rows, (long long)end);
    a->cut = end > rows;
    a->block.n = rows - a->block.first;
    if (!a->cut)
        settle(a);
    a->block_saved = a->block.n;
    return PH_OK;
}

static ph_status out_of_order(const ph_archive *a, ph_error *err)
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
            status = out_of_order(a, err);
        else
            due += n;
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&a->database, "reading rows", err);
    sqlite3_finalize(s);
    snprintf(sql, sizeof sql, "SELECT total(n) FROM blocks WHERE first < %lld", (long long)a->safe_rows);
    if (!status && due > a->behind)
        status = ph_database_number(&a->database, sql, 0, &kept, err);
    return !status && kept != a->behind ? out_of_order(a, err) : status;
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
        status = put_block(a, a->block_saved, err);
    return status ? status : ph_event_table_drop(&a->events, a->safe_steps, err);
}

static ph_status begin_session(ph_archive *a, ph_error *err)
{
    table t = {.archive = a, .err = err};
    t.status =
        ph_database_prepare(&a->database, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", &t.insert, err);
    put_session(&t, a->safe_steps);
    sqlite3_finalize(t.insert);
    return t.status;
}

ph_status ph_archive_go_on(ph_archive *a, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_reopen");
    if (!a->waits)
        return PH_OK;
    ph_status status = begin_writing(a, err);
    if (!status)
        status = ph_database_run(&a->database, "BEGIN IMMEDIATE", err);
    if (!status)
        status = drop_behind(a, err);
    if (!status)
        status = ph_database_run(
            &a->database, "DELETE FROM meta WHERE key IN ('status', 'reason', 'ended_by', 'message')", err);
    if (!status)
        status = begin_session(a, err);
    if (!status)
        status = ph_state_table_protect(&a->states, err);
    status = end_transaction(a, status, err);
    a->waits = status != PH_OK;
    return status;
}

ph_status ph_archive_reopen(const char *path, const ph_system *system, double interval, ph_archive **archive,
                            ph_error *err)
{
    if (!system)
        return ph_not_created(err, "system", "ph_system_create or ph_model_build");
    ph_archive *a = NULL;
    ph_status status = ph_database_there(path, err);
    if (!status)
        status = begin(path, true, interval, &a, err);
    if (status)
        return status;
    a->waits = true;
    status = open_again(a, err);
    if (!status)
        status = recall_columns(a, system, err);
    if (!status)
        status = read_state_row(a, err);
    if (!status)
        status = load_last_block(a, a->safe_rows, err);
    if (status)
        release(a);
    else
        *archive = a;
    return status;
}

/* ---- The end ------------------------------------------------------------------------------------- */

static ph_status put_end(ph_archive *a, const ph_ending *ending, ph_error *err)
{
    table t = {.archive = a, .err = err};
    t.status =
        ph_database_prepare(&a->database, "INSERT OR REPLACE INTO meta VALUES(?1, ?2)", &t.insert, err);
    put_text(&t, "status", ph_status_word(ending->status));
    put_text(&t, "reason", ph_ending_reason(ending));
    put_text(&t, "ended_by", ending->by);
    put_text(&t, "message", ending->message);
    sqlite3_finalize(t.insert);
    return t.status;
}

/* state: NULL for none */
static ph_status finish(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                        const ph_account *account, const ph_ending *ending, ph_error *err)
{
    ph_status status = begin_adding(a, err);
    if (!status && state)
        status = put_state(a, state, monitor, account, err);
    if (!status)
        status = put_end(a, ending, err);
    status = end_transaction(a, status, err);
    /* leave a single file; while somebody is reading, it stays in WAL mode until it is closed the next
     * time */
    if (!status)
        status = ph_database_run(&a->database, "PRAGMA wal_checkpoint(TRUNCATE)", err);
    if (!status && sqlite3_exec(a->database.db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) &&
        (sqlite3_errcode(a->database.db) & 0xff) != SQLITE_BUSY)
        status = ph_database_fail(&a->database, "completing the file", err);
    if (status)
        status = say_what_is_safe(a, status, err);
    release(a);
    return status;
}

ph_status ph_archive_finish(ph_archive *a, const ph_state *state, const ph_monitor *monitor,
                            const ph_account *account, const ph_ending *ending, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    return finish(a, state, monitor, account, ending, err);
}

ph_status ph_archive_close(ph_archive *a, const ph_ending *ending, ph_error *err)
{
    if (!a)
        return ph_not_created(err, "archive", "ph_archive_create");
    return finish(a, NULL, NULL, NULL, ending, err);
}

void ph_archive_abandon(ph_archive *a)
{
    if (a)
        release(a);
}
