/* SPDX-License-Identifier: BSD-3-Clause */
/* Thinned copies of archives, for pages that are sent (polhode/rows.h): an SQLite database in memory with the tables of
 * an archive, doc/reference/archive.md, and the rows that ph_record_choose chooses. */
#include <polhode/domain/scene.h>
#include <polhode/rows.h>

#include "lib/archive/insert.h"
#include "lib/archive/record.h"
#include "lib/archive/seal.h"
#include "lib/archive/shares.h"
#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first columns of a copy: then those of the plan. Rows that are read begin with t and step, and, in a copy, row. */
enum { T, STEP, ROW, OWN };

typedef struct copy {
    ph_record *record;
    const ph_copy_plan *plan;
    ph_rows *rows;
    const char **words; /* t, step, and those of the plan */
    double *read;       /* a row as it is read */
    size_t columns;     /* of the copy */
    size_t read_own;    /* of those that are read, before those of the plan: 2, or 3 of a copy */
    ph_database database;
    ph_copy_report *report;
    /* a block that is being filled */
    double *block;
    int64_t room, filled, first;
    sqlite3_stmt *insert;
    int64_t *at; /* the chosen rows */
    int64_t chosen;
} copy;

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* ---- Words and columns --------------------------------------------------------------------------------- */

/* Has the text of a scene the surface of a body? */
static bool has_mesh(const char *scene)
{
    return scene && strstr(scene, "{\"kind\":\"mesh\"");
}

/* The scene is described as this version does it, where the system is known: columns are chosen by that. Surfaces that were read from
 * files are in the scene of the archive alone, which then remains. */
static void put_scene(const copy *c, ph_insert *meta)
{
    ph_scene *scene;
    if (!ph_rows_system(c->rows) || ph_scene_create(ph_rows_system(c->rows), &scene, NULL))
        return;
    if (has_mesh(ph_scene_text(scene)) || !has_mesh(ph_record_meta(c->record, "scene")))
        ph_insert_text(meta, "scene", ph_scene_text(scene));
    ph_scene_free(scene);
}

/* The names (n, NULL among them are left out), each in a line; nothing where there is none. */
static void put_names(ph_insert *meta, const char *key, const copy *c, size_t n,
                      const char *(*name)(const copy *c, size_t i))
{
    size_t length = 1;
    for (size_t i = 0; i < n; i++)
        length += name(c, i) ? strlen(name(c, i)) + 1 : 0;
    char *text = malloc(length), *end = text;
    if (!text && !meta->status)
        meta->status = no_memory(meta->err);
    for (size_t i = 0; text && i < n; i++)
        if (name(c, i))
            end += sprintf(end, "%s%s", end > text ? "\n" : "", name(c, i));
    ph_insert_text(meta, key, end > text ? text : NULL);
    free(text);
}

static const char *computed_name(const copy *c, size_t i)
{
    return ph_rows_is_computed(c->rows, i) ? ph_rows_column(c->rows, i) : NULL;
}

static const char *map_name(const copy *c, size_t i)
{
    return ph_system_symmetry(ph_rows_system(c->rows), i)->name;
}

/* To what relative errors refer; a copy of a copy has this from its source. */
static void put_scales(const copy *c, ph_insert *meta)
{
    ph_summary seen;
    size_t maps;
    if (ph_record_errors(c->record, &seen, &maps, NULL))
        return;
    if (seen.energy_scale > 0 && isfinite(seen.energy_scale))
        ph_insert_number(meta, "energy_scale", seen.energy_scale);
    if (seen.momentum_scale > 0 && isfinite(seen.momentum_scale))
        ph_insert_number(meta, "momentum_scale", seen.momentum_scale);
}

/* N of "n of N ...", as the words of a copy have it; else `own`. Not by sscanf: an archive may say anything, and of numbers that are
 * too large that makes what it likes. */
static int64_t first_number(const ph_record *record, const char *key, int64_t own)
{
    const char *text = ph_record_meta(record, key);
    char *end;
    if (!text)
        return own;
    (void)strtoll(text, &end, 10);
    errno = 0;
    const int64_t of = end > text && !strncmp(end, " of ", 4) ? strtoll(end + 4, NULL, 10) : own;
    return of >= own && !errno ? of : own;
}

/* "n of N rows" under the key, where some are left out, here or in the archive. */
static void put_share(const copy *c, ph_insert *meta, const char *key, int64_t n, int64_t of,
                      const char *what)
{
    char text[100];
    if (n == of && !ph_record_meta(c->record, key))
        return;
    snprintf(text, sizeof text, "%lld of %lld %s", (long long)n, (long long)first_number(c->record, key, of),
             what);
    ph_insert_text(meta, key, text);
}

static ph_status put_words(const copy *c, ph_error *err)
{
    const ph_texts *words = &c->record->meta;
    const ph_system *system = ph_rows_system(c->rows);
    const ph_copy_report *r = c->report;
    ph_insert meta = ph_insert_begin(&c->database, PH_INTO_META, "copying", err);
    for (size_t i = 0; i + 1 < words->n; i += 2)
        if (!strstr(ph_texts_at(words, i), "crc32")) /* of tables that a copy has otherwise, or not */
            ph_insert_text(&meta, ph_texts_at(words, i), ph_texts_at(words, i + 1));
    put_scene(c, &meta);
    put_names(&meta, "computed", c, ph_rows_columns(c->rows), computed_name);
    put_scales(c, &meta);
    ph_insert_text(&meta, "copy", "for a page: it can be viewed, not resumed");
    put_names(&meta, "momentum_maps", c, system ? ph_system_symmetries(system) : 0, map_name);
    if (system &&
        !ph_record_meta(c->record, "conservative")) /* where forces change the energy, that is no error */
        ph_insert_text(&meta, "conservative", ph_system_is_conservative(system) ? "true" : "false");
    ph_insert_count(&meta, "copied_rows", r->rows);
    ph_insert_count(&meta, "copied_events", r->events);
    put_share(c, &meta, "thinned", r->rows, r->rows_of, "rows");
    put_share(c, &meta, "thinned_events", r->events, r->events_of, "events");
    return ph_insert_end(&meta);
}

static ph_status put_columns(const copy *c, ph_error *err)
{
    static const char *const own[OWN][2] = {{"t", "s"}, {"step", NULL}, {"row", NULL}};
    ph_insert columns = ph_insert_begin(&c->database, PH_INTO_COLUMNS, "copying", err);
    for (size_t i = 0; i < OWN; i++)
        ph_insert_column(&columns, i, own[i][0], own[i][1]);
    for (size_t i = OWN; i < c->columns; i++) {
        const size_t from = i - OWN + c->read_own;
        const char *unit = ph_rows_unit(c->rows, from);
        ph_insert_column(&columns, i, ph_rows_column(c->rows, from), *unit ? unit : NULL);
    }
    return ph_insert_end(&columns);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static ph_status write_block(copy *c, ph_error *err)
{
    const ph_block b = {.first = c->first, .n = c->filled, .bytes = (unsigned char *)c->block};
    if (!c->filled)
        return PH_OK;
    ph_make_little_endian(c->block, (size_t)c->filled * c->columns);
    const ph_status status =
        ph_blocks_put(&c->database, c->insert, &b, b.n, c->columns * sizeof(double), err);
    c->first += c->filled;
    c->filled = 0;
    return status;
}

/* A chosen row, or what is wrong with the block that it is in: then *next is behind it. */
static ph_status copy_row(copy *c, int64_t number, int64_t *next, ph_error *err)
{
    int64_t read;
    double *to = c->block + (size_t)c->filled * c->columns;
    ph_error why;
    const ph_status status = ph_rows_read(c->rows, number, 1, c->read, &read, next, &why);
    if (status == PH_E_NO_MEMORY)
        return no_memory(err);
    if (status || !read) {
        c->report->damaged += status != PH_OK;
        *next = status && *next > number ? *next : number + 1;
        return PH_OK;
    }
    to[T] = c->read[T];
    to[STEP] = c->read[STEP];
    to[ROW] = c->read_own > ROW ? c->read[ROW] : (double)number;
    memcpy(to + OWN, c->read + c->read_own, (c->columns - OWN) * sizeof *to);
    if (c->plan->copied)
        c->plan->copied[c->report->rows] = to[T];
    c->filled++;
    c->report->rows++;
    return c->filled == c->room ? write_block(c, err) : PH_OK;
}

static ph_status copy_rows(copy *c, ph_error *err)
{
    int64_t next = 0;
    ph_status status = ph_database_prepare(&c->database, PH_INTO_BLOCKS, &c->insert, err);
    for (int64_t i = 0; i < c->chosen && !status; i++) {
        if (c->plan->progress && i % 64 == 0 &&
            !c->plan->progress(c->plan->self, (double)i / (double)c->chosen))
            return ph_fail(err, PH_E_INTERRUPTED, "stopped; nothing was written");
        if (c->at[i] >= next)
            status = copy_row(c, c->at[i], &next, err);
    }
    return status ? status : write_block(c, err);
}

/* ---- Events -------------------------------------------------------------------------------------------- */

/* As they are in the archive, damaged ones, too: readers see to that. */
static ph_status copy_events(copy *c, ph_error *err)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    ph_shares shares;
    ph_status status = ph_shares_count(&shares, c->record, c->plan->events, err);
    if (!status)
        status = ph_database_prepare(
            &c->record->database, "SELECT n, name, t, step, crc32, row FROM events ORDER BY n", &from, err);
    if (!status)
        status =
            ph_database_prepare(&c->database, "INSERT INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6)", &to, err);
    while (!status && sqlite3_step(from) == SQLITE_ROW) {
        c->report->events_of++;
        const char *name = (const char *)sqlite3_column_text(from, 1);
        if (!ph_shares_take(&shares, name ? name : ""))
            continue;
        for (int k = 0; k < 6; k++)
            sqlite3_bind_value(to, k + 1, sqlite3_column_value(from, k));
        status = ph_database_step(&c->database, to, false, "copying", err);
        c->report->events++;
    }
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    ph_shares_free(&shares);
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------------- */

/* How many bytes have the blocks in which `most` rows lie that are far from each other? */
static double bytes_of_blocks(const copy *c, int64_t rows, int64_t most, int64_t *blocks)
{
    if (ph_database_number(&c->record->database, "SELECT sum(1) FROM blocks", 0, blocks, NULL) || !*blocks)
        return 0;
    const double each = 8.0 * (double)ph_record_columns(c->record) * (double)rows / (double)*blocks;
    return each * (double)(most < *blocks ? most : *blocks);
}

/* c->at <- rows with which blocks begin, evenly among these, and the last row: at most `most`. */
static ph_status choose_firsts(copy *c, int64_t rows, int64_t most, int64_t blocks, ph_error *err)
{
    sqlite3_stmt *s = NULL;
    const int64_t every = blocks > most - 1 ? (blocks + most - 2) / (most - 1) : 1;
    ph_status status =
        ph_database_prepare(&c->record->database, "SELECT first FROM blocks ORDER BY first", &s, err);
    for (int64_t i = 0; !status && c->chosen < most && sqlite3_step(s) == SQLITE_ROW; i++) {
        const int64_t first = sqlite3_column_int64(s, 0);
        if (i % every == 0 && first >= 0 && first < rows)
            c->at[c->chosen++] = first;
    }
    sqlite3_finalize(s);
    if (!status && c->chosen < most && (!c->chosen || c->at[c->chosen - 1] < rows - 1))
        c->at[c->chosen++] = rows - 1;
    c->record->alone = !status;
    return status;
}

static ph_status choose_rows(copy *c, ph_error *err)
{
    enum { BLOCK = 1 << 16 };
    const int64_t rows = ph_record_rows(c->record), most = rows < c->plan->rows ? rows : c->plan->rows;
    if (c->plan->rows < 2)
        return ph_fail(err, PH_E_RANGE, "a copy has at least 2 rows, not %lld", (long long)c->plan->rows);
    c->report->rows_of = rows;
    c->columns = OWN + ph_rows_columns(c->rows) - c->read_own;
    c->room = 1 + BLOCK / (int64_t)(8 * c->columns);
    c->at = malloc(((size_t)most + 2) * sizeof *c->at);
    c->block = malloc((size_t)c->room * c->columns * sizeof *c->block);
    c->read = malloc(ph_rows_columns(c->rows) * sizeof *c->read);
    if (!c->at || !c->block || !c->read)
        return no_memory(err);
    int64_t blocks;
    if (c->plan->bytes > 0 && rows > most && bytes_of_blocks(c, rows, most, &blocks) > (double)c->plan->bytes)
        return choose_firsts(c, rows, most, blocks, err);
    if (c->plan->times && c->plan->n_times)
        return ph_record_choose_at(c->record, c->plan->times, c->plan->n_times, most < 2 ? 2 : most, c->at,
                                   &c->chosen, err);
    return ph_record_choose(c->record, most < 2 ? 2 : most, c->at, &c->chosen, err);
}

/* Is the record a copy itself, whose third column has the numbers of rows in the first archive? */
static bool is_copy(const ph_record *record)
{
    return ph_record_meta(record, "thinned") && ph_record_columns(record) > ROW &&
           !strcmp(ph_record_column(record, ROW), "row");
}

/* t and step first, and once. */
static ph_status open_rows(copy *c, ph_error *err)
{
    const bool all = !c->plan->n;
    const size_t n = all ? ph_record_columns(c->record) : c->plan->n;
    c->words = malloc((n + OWN) * sizeof *c->words);
    if (!c->words)
        return no_memory(err);
    c->words[T] = "t";
    c->words[STEP] = "step";
    c->read_own = STEP + 1;
    if (is_copy(c->record))
        c->words[c->read_own++] = "row";
    size_t taken = c->read_own;
    for (size_t i = 0; i < n; i++) {
        const char *word = all ? ph_record_column(c->record, i) : c->plan->words[i];
        if (strcmp(word, "t") && strcmp(word, "step") && strcmp(word, "row"))
            c->words[taken++] = word;
    }
    return ph_rows_open(c->record, c->words, taken, &c->rows, err);
}

static ph_status fill_copy(copy *c, ph_error *err)
{
    ph_status status = choose_rows(c, err);
    if (!status)
        status = ph_database_open(&c->database, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (!status)
        status = ph_database_run(&c->database, ph_archive_schema, err);
    if (!status)
        status = ph_database_run(&c->database, "BEGIN", err);
    if (!status)
        status = put_columns(c, err);
    if (!status)
        status = copy_rows(c, err);
    if (!status)
        status = copy_events(c, err);
    if (!status)
        status = put_words(c, err);
    if (!status)
        status = ph_seal_put(&c->database, PH_SEAL_ALL, err);
    sqlite3_finalize(c->insert);
    c->insert = NULL;
    return status ? status : ph_database_run(&c->database, "COMMIT", err);
}

static ph_status take_bytes(copy *c, unsigned char **bytes, size_t *size, ph_error *err)
{
    sqlite3_int64 n = 0;
    unsigned char *made = sqlite3_serialize(c->database.db, "main", &n, 0);
    *bytes = made ? malloc((size_t)n) : NULL;
    *size = (size_t)n;
    if (*bytes)
        memcpy(*bytes, made, (size_t)n);
    sqlite3_free(made);
    return *bytes ? PH_OK : no_memory(err);
}

ph_status ph_record_copy(ph_record *record, const ph_copy_plan *plan, unsigned char **bytes, size_t *size,
                         ph_copy_report *report, ph_error *err)
{
    *bytes = NULL;
    *report = (ph_copy_report){0};
    if (!record)
        return ph_not_created(err, "record", "ph_record_open");
    copy c = {.record = record, .plan = plan, .report = report, .database.path = record->path};
    ph_status status = open_rows(&c, err);
    if (!status)
        status = fill_copy(&c, err);
    if (!status)
        status = ph_record_starved(record, err);
    if (!status)
        status = take_bytes(&c, bytes, size, err);
    record->alone = false;
    sqlite3_close(c.database.db);
    free(c.at);
    free(c.read);
    free(c.words);
    free(c.block);
    ph_rows_free(c.rows);
    return status;
}
