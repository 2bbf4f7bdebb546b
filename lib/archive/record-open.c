/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening an archive to read it, also while it is being written, or where its folder cannot be written to;
 * and the texts of its tables, which are read at once. */
#include <polhode/record.h>

#include <polhode/kit/text.h>

#include "place.h"
#include "record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Texts -------------------------------------------------------------------------------------- */

/* [bytes] Scenarios have 64 MB at most, scenes and results of columns less. */
enum { LONGEST = 1 << 27 };

/* Makes *memory larger where it has no room for `wanted` units; *room is what it has then. */
static ph_status grow_memory(void **memory, size_t wanted, size_t *room, size_t unit, ph_error *err)
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

/* Appends a copy of the text; NULL counts as "". */
static ph_status add_text(ph_texts *t, const char *text, ph_error *err)
{
    const size_t n = text ? strlen(text) + 1 : 1;
    void *memory = t->memory, *at = t->at;
    ph_status status = grow_memory(&memory, t->used + n, &t->room, 1, err);
    t->memory = memory;
    if (!status)
        status = grow_memory(&at, t->n + 1, &t->at_room, sizeof *t->at, err);
    t->at = at;
    if (status)
        return status;
    memcpy(t->memory + t->used, text ? text : "", n);
    t->at[t->n++] = t->used;
    t->used += n;
    return PH_OK;
}

/* t <- the rows of a query with two columns of text. Each row takes three bytes at least: where there are more than so many, the
 * pages of the table lead back to one another. */
static ph_status read_texts(const ph_record *r, const char *sql, ph_texts *t, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    int64_t bytes = 0, rows = 0, taken = 0;
    ph_status status = ph_database_size(&r->database, &bytes, err);
    if (!status)
        status = ph_database_prepare(&r->database, sql, &s, err);
    int code = SQLITE_DONE;
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW) {
        taken += sqlite3_column_bytes(s, 0) + sqlite3_column_bytes(s, 1);
        if (++rows > bytes / 3 || taken > bytes || sqlite3_column_bytes(s, 0) > LONGEST ||
            sqlite3_column_bytes(s, 1) > LONGEST)
            status =
                ph_fail(err, PH_E_IO,
                        "%s: is damaged: a table of texts has more of them, or longer ones, than a run gives",
                        r->path);
        if (!status)
            status = add_text(t, (const char *)sqlite3_column_text(s, 0), err);
        if (!status)
            status = add_text(t, (const char *)sqlite3_column_text(s, 1), err);
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
        const char *text = ph_texts_at(&r->columns, i);
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

/* ---- Opening ------------------------------------------------------------------------------------ */

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

/* Closes the database, which another way to open it will try again. */
static void close_database(ph_record *r)
{
    sqlite3_close(r->database.db);
    r->database.db = NULL;
}

static ph_status check_database(const ph_record *r, ph_error *err)
{
    ph_status status = ph_database_bound(&r->database, err);
    return status ? status : ph_database_check(&r->database, err);
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
    return status ? status : check_database(r, err);
}

/* Opens the file with these flags of SQLite, and checks that it is an archive. */
static ph_status open_with(ph_record *r, int flags, ph_error *err)
{
    ph_status status = ph_database_open(&r->database, r->path, flags, err);
    return status ? status : check_database(r, err);
}

/* If a writer was killed within a transaction, the first to open the archive has to roll it back, and needs
 * write access for that. To read an archive that was not closed, SQLite needs to create a file next to it;
 * where that is impossible, and the logs are empty, the archive is opened as immutable. */
static ph_status open_database(ph_record *r, ph_error *err)
{
    ph_status status = open_with(r, SQLITE_OPEN_READONLY, err);
    if (status && sqlite3_extended_errcode(r->database.db) == SQLITE_READONLY_ROLLBACK) {
        close_database(r);
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
    close_database(r);
    return open_unchanging(r, err);
}

static double read_number(const ph_record *r, const char *key)
{
    double value;
    const char *text = ph_record_meta(r, key);
    return text && !ph_parse_number(text, &value) ? value : (double)NAN;
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
    r->database.starved = &r->starved;
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
    if (!status) {
        r->t0 = read_number(r, "t0");
        r->h = read_number(r, "step");
    }
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
    if (r->kept)
        r->free_kept(r->kept);
    ph_blocks_close(&r->blocks);
    sqlite3_close(r->database.db);
    ph_choice_free(&r->choice);
    free(r->block.bytes);
    free(r->event.values);
    free(r->message);
    free(r->columns.memory);
    free(r->columns.at);
    free(r->meta.memory);
    free(r->meta.at);
    free(r->path);
    free(r);
}
