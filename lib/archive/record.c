/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading an archive, doc/archive.md, also while it is being written: readers see the latest commit. */
#include <polhode/archive.h>
#include <polhode/record.h>

#include "archive.h"
#include "database.h"
#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Texts stored one behind the other, and where each begins. */
typedef struct texts {
    char *memory;
    size_t used, room, *at, n, at_room;
} texts;

struct ph_record {
    ph_database database;
    char *path;
    texts columns, meta; /* name, unit, name, ...; key, value, key, ... */
    size_t n_columns;
    ph_choice choice;
    ph_blocks blocks;
    ph_block block;      /* the block that was read last */
    ph_event_copy event; /* the event that was read last */
};

/* ---- Texts --------------------------------------------------------------------------------------- */

static ph_status grow(void **memory, size_t wanted, size_t *room, size_t unit, ph_error *err)
{
    if (wanted <= *room)
        return PH_OK;
    size_t n = wanted + *room + 64;
    void *larger = realloc(*memory, n * unit);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *memory = larger;
    *room = n;
    return PH_OK;
}

static ph_status keep(texts *t, const char *text, ph_error *err)
{
    const size_t n = text ? strlen(text) + 1 : 1;
    void *memory = t->memory, *at = t->at;
    ph_status status = grow(&memory, t->used + n, &t->room, 1, err);
    t->memory = memory;
    if (!status)
        status = grow(&at, t->n + 1, &t->at_room, sizeof *t->at, err);
    t->at = at;
    if (status)
        return status;
    memcpy(t->memory + t->used, text ? text : "", n);
    t->at[t->n++] = t->used;
    t->used += n;
    return PH_OK;
}

static const char *text_at(const texts *t, size_t i)
{
    return t->memory + t->at[i];
}

/* t <- the rows of a query with two columns of text. */
static ph_status read_texts(const ph_record *r, const char *sql, texts *t, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    ph_status status = ph_database_prepare(&r->database, sql, &s, err);
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        status = keep(t, (const char *)sqlite3_column_text(s, 0), err);
        if (!status)
            status = keep(t, (const char *)sqlite3_column_text(s, 1), err);
    }
    if (!status && code != SQLITE_DONE)
        status = ph_database_fail(&r->database, "reading", err);
    sqlite3_finalize(s);
    return status;
}

/* The names of columns are written into other files, whose formats limit their length. */
static ph_status check_names(const ph_record *r, ph_error *err)
{
    for (size_t i = 0; i < r->columns.n; i++) {
        const char *text = text_at(&r->columns, i);
        const size_t n = strlen(text);
        if (n > PH_ARCHIVE_NAME)
            return ph_fail(err, PH_E_IO,
                           "%s: is damaged: the %s of column %zu, "
                           "\"%.40s...\", has %zu bytes; at most %d are expected",
                           r->path, i % 2 ? "unit" : "name", i / 2, text, n, PH_ARCHIVE_NAME);
        if (i % 2 == 0 && !n)
            return ph_fail(err, PH_E_IO, "%s: is damaged: column %zu has no name", r->path, i / 2);
    }
    return PH_OK;
}

/* ---- Opening ------------------------------------------------------------------------------------- */

/* Does the file, or the one that a link leads to, have a log that is not empty? */
static bool has_log(const char *path)
{
    static const char *const endings[] = {"-wal", "-journal"};
    struct stat s;
    char *place = ph_file_place(path, true);
    char *name = place ? malloc(strlen(place) + sizeof "-journal") : NULL;
    bool has = !name;
    for (size_t i = 0; i < 2 && !has; i++) {
        strcat(strcpy(name, place), endings[i]);
        has = !stat(name, &s) && s.st_size;
    }
    free(name);
    free(place);
    return has;
}

static void put_down(ph_record *r)
{
    sqlite3_close(r->database.db);
    r->database.db = NULL;
}

/* Opens the archive as an immutable file: SQLite then takes no locks and creates no other files. The path is
 * given as a URI, in which everything but letters, digits and slashes is escaped. */
static ph_status open_unchanging(ph_record *r, ph_error *err)
{
    char *uri = malloc(3 * strlen(r->path) + sizeof "file:?immutable=1"), *to = uri;
    if (!uri)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    to += sprintf(to, "file:");
    for (const char *s = r->path; *s; s++) {
        bool plain =
            (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '/';
        to += plain ? sprintf(to, "%c", *s) : sprintf(to, "%%%02x", (unsigned char)*s);
    }
    sprintf(to, "?immutable=1");
    ph_status status = ph_database_open(&r->database, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    free(uri);
    return status ? status : ph_database_check(&r->database, err);
}

static ph_status open_with(ph_record *r, int flags, ph_error *err)
{
    ph_status status = ph_database_open(&r->database, r->path, flags, err);
    return status ? status : ph_database_check(&r->database, err);
}

/* If a writer was killed within a transaction, the first to open the archive has to roll it back, and needs
 * write access for that. To read an archive that was not closed, SQLite needs to create a file next to it;
 * where that is impossible, and the logs are empty, the archive is opened as immutable. */
static ph_status open_database(ph_record *r, ph_error *err)
{
    ph_status status = open_with(r, SQLITE_OPEN_READONLY, err);
    if (status && sqlite3_extended_errcode(r->database.db) == SQLITE_READONLY_ROLLBACK) {
        put_down(r);
        status = open_with(r, SQLITE_OPEN_READWRITE, err);
    }
    const int code = sqlite3_errcode(r->database.db) & 0xff;
    if (status != PH_E_IO || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY))
        return status;
    if (has_log(r->path))
        return ph_fail(err, PH_E_IO,
                       "%s: its run was not ended, and its folder cannot be written to; "
                       "copy it to another place, together with %s-wal and %s-journal if they exist",
                       r->path, r->path, r->path);
    put_down(r);
    return open_unchanging(r, err);
}

ph_status ph_record_open(const char *path, ph_record **record, ph_error *err)
{
    ph_record *r = calloc(1, sizeof *r);
    char *name = strdup(path);
    if (!r || !name) {
        free(r);
        free(name);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    r->database.path = r->path = name;
    ph_status status = ph_database_there(path, err);
    if (!status)
        status = open_database(r, err);
    if (!status)
        status = read_texts(r, "SELECT key, value FROM meta", &r->meta, err);
    if (!status)
        status = read_texts(r, "SELECT name, unit FROM columns ORDER BY i", &r->columns, err);
    if (!status)
        status = check_names(r, err);
    if (!status)
        status = ph_choice_read(&r->database, &r->choice, err);
    r->n_columns = r->columns.n / 2;
    if (!status && !r->n_columns)
        status = ph_fail(err, PH_E_IO, "%s: has no columns", path);
    if (!status)
        status = ph_blocks_open(&r->blocks, &r->database, 8 * r->n_columns, err);
    if (status)
        ph_record_close(r);
    else
        *record = r;
    return status;
}

void ph_record_close(ph_record *r)
{
    if (!r)
        return;
    ph_blocks_close(&r->blocks);
    sqlite3_close(r->database.db);
    ph_choice_free(&r->choice);
    free(r->block.bytes);
    free(r->event.values);
    free(r->columns.memory);
    free(r->columns.at);
    free(r->meta.memory);
    free(r->meta.at);
    free(r->path);
    free(r);
}

/* ---- Metadata ------------------------------------------------------------------------------------ */

size_t ph_record_columns(const ph_record *r)
{
    return r->n_columns;
}

const char *ph_record_column(const ph_record *r, size_t i)
{
    return text_at(&r->columns, 2 * i);
}

const char *ph_record_unit(const ph_record *r, size_t i)
{
    return text_at(&r->columns, 2 * i + 1);
}

const char *const *ph_record_choice(const ph_record *r, size_t *n)
{
    *n = r->choice.n;
    return r->choice.words;
}

const char *ph_record_meta(const ph_record *r, const char *key)
{
    for (size_t i = 0; i < r->meta.n; i += 2)
        if (!strcmp(text_at(&r->meta, i), key))
            return text_at(&r->meta, i + 1);
    return NULL;
}

/* *rows <- the number of rows; 0 where damage has made it negative. */
static ph_status count_rows(const ph_record *r, int64_t *rows, ph_error *err)
{
    ph_status status = ph_database_number(
        &r->database, "SELECT first + n FROM blocks ORDER BY first DESC LIMIT 1", 0, rows, err);
    if (*rows < 0)
        *rows = 0;
    return status;
}

int64_t ph_record_rows(const ph_record *r)
{
    int64_t rows;
    (void)count_rows(r, &rows, NULL);
    return rows;
}

static double first_double(const ph_record *r, const char *sql)
{
    sqlite3_stmt *s = NULL;
    double value = NAN;
    if (!ph_database_prepare(&r->database, sql, &s, NULL) && sqlite3_step(s) == SQLITE_ROW)
        value = sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    return value;
}

void ph_record_span(const ph_record *r, double *first, double *last)
{
    *first = first_double(r, "SELECT t0 FROM blocks ORDER BY first LIMIT 1");
    *last = first_double(r, "SELECT t1 FROM blocks ORDER BY first DESC LIMIT 1");
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

/* The number of the row behind the last, as far as it is known. Where the last block cannot be read, it is
 * taken from the state; where that cannot be read either, it is the largest number. */
static int64_t end_of(const ph_record *r)
{
    int64_t end;
    if (count_rows(r, &end, NULL) &&
        ph_database_number(&r->database, "SELECT rows FROM state", 0, &end, NULL))
        end = INT64_MAX;
    return end;
}

/* The first row behind `row` at which a block begins, or the end. */
static int64_t next_block(const ph_record *r, int64_t row)
{
    char sql[100];
    int64_t next, rows = end_of(r);
    snprintf(sql, sizeof sql, "SELECT min(first) FROM blocks WHERE first > %lld", (long long)row);
    if (ph_database_number(&r->database, sql, rows, &next, NULL))
        next = rows;
    return next > row ? next : row < INT64_MAX ? row + 1 : row;
}

static bool holds(const ph_block *b, int64_t row)
{
    return b->n && row >= b->first && row < b->first + b->n;
}

/* r->block <- the block with this row; *there: is there one? Where it is damaged, *next <- the row
 * behind it. */
static ph_status find(ph_record *r, int64_t row, bool *there, int64_t *next, ph_error *err)
{
    ph_block *b = &r->block;
    *there = holds(b, row);
    if (*there)
        return PH_OK;
    ph_status status = ph_blocks_load(&r->blocks, row, b, err);
    const bool ours = holds(b, row), known = b->n;
    *there = !status && ours;
    if (*there)
        return PH_OK;
    *next = ours ? b->first + b->n : next_block(r, row);
    b->n = 0; /* not valid: it must not be reused */
    if (status && ours)
        return status;
    if (row >= end_of(r))
        return PH_OK;
    if (status && !known)
        return status;
    return ph_fail(err, PH_E_IO, "%s: rows %lld to %lld are missing", r->path, (long long)row,
                   (long long)(*next - 1));
}

ph_status ph_record_read(ph_record *r, int64_t first, int64_t n, double *values, int64_t *read, int64_t *next,
                         ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    ph_status status = PH_OK;
    bool there = true;
    *read = 0;
    *next = first;
    if (first < 0 || n < 0)
        return ph_fail(err, PH_E_RANGE, "rows are counted from 0; %lld rows from %lld cannot be read",
                       (long long)n, (long long)first);
    while (*read < n) {
        status = find(r, first + *read, &there, next, err);
        if (status || !there)
            break;
        const ph_block *b = &r->block;
        int64_t from = first + *read - b->first, most = b->n - from, m = n - *read < most ? n - *read : most;
        ph_get_doubles(b->bytes + (size_t)from * 8 * r->n_columns, values + (size_t)*read * r->n_columns,
                       (size_t)m * r->n_columns);
        *read += m;
    }
    if (status && !*read)
        return status;
    *next = first + *read;
    return PH_OK;
}

/* ---- Events --------------------------------------------------------------------------------------- */

int64_t ph_record_events(const ph_record *r)
{
    int64_t n;
    (void)ph_event_table_count(&r->database, &n, NULL);
    return n;
}

bool ph_record_next_event(const ph_record *r, int64_t behind, int64_t *i)
{
    bool there;
    (void)ph_event_table_next(&r->database, behind, &there, i, NULL);
    return there;
}

int64_t ph_record_found(const ph_record *r, const char *name)
{
    sqlite3_stmt *s = NULL;
    int64_t n = 0;
    if (ph_database_prepare(&r->database, "SELECT count(*) FROM events WHERE name = ?1", &s, NULL))
        return 0;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

ph_status ph_record_event(ph_record *r, int64_t i, ph_recorded_event *event, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    int64_t n;
    ph_status status = ph_event_table_count(&r->database, &n, err);
    if (!status && (i < 0 || i >= n))
        status = ph_fail(err, PH_E_RANGE, "%s: there are %lld events, counted from 0; %lld is none of them",
                         r->path, (long long)n, (long long)i);
    if (!status)
        status = ph_event_table_read(&r->database, i, &r->event, err);
    if (status)
        return status;
    const double *v = r->event.values;
    *event = (ph_recorded_event){.name = r->event.name,
                                 .t = v[0],
                                 .step = (int64_t)v[1],
                                 .theta = v[2],
                                 .direction = (int)v[3],
                                 .values = v + 4,
                                 .n = r->event.n - 4};
    return PH_OK;
}

/* ---- The state ----------------------------------------------------------------------------------- */

ph_status ph_record_commit(ph_record *r, ph_commit *commit, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    ph_state_row row;
    ph_status status = ph_state_table_row(&r->database, &row, err);
    if (status)
        return status;
    *commit =
        (ph_commit){.steps = row.k, .t = row.t, .account = row.account, .is_protected = row.is_protected};
    memcpy(commit->written, row.written, sizeof commit->written);
    return PH_OK;
}

ph_status ph_record_check_state(ph_record *r, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    ph_account account;
    int64_t rows = 0;
    ph_status status = ph_state_table_check(&r->database, &account, err);
    if (!status)
        status = count_rows(r, &rows, err);
    if (!status && rows < account.rows)
        status = ph_fail(err, PH_E_IO, "%s: of its %lld rows the last are missing: there are %lld", r->path,
                         (long long)account.rows, (long long)rows);
    return status;
}

ph_status ph_record_state(ph_record *r, ph_state *state, ph_monitor *monitor, ph_account *account,
                          ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    if (!state)
        return ph_not_created(err, "state", "ph_state_create");
    return ph_state_table_read(&r->database, state, monitor, account, err);
}
