/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading an archive, doc/reference/archive.md: metadata, rows, events and the state, each from the latest commit. */
#include <polhode/kit/text.h>
#include <polhode/record.h>

#include "lib/internal/bytes.h"
#include "lib/internal/missing.h"
#include "record.h"
#include "seal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Metadata ----------------------------------------------------------------------------------- */

size_t ph_record_columns(const ph_record *r)
{
    return r->n_columns;
}

const char *ph_record_column(const ph_record *r, size_t i)
{
    return ph_texts_at(&r->columns, 2 * i);
}

size_t ph_record_find(const ph_record *r, const char *name)
{
    size_t i = 0;
    while (i < r->n_columns && strcmp(ph_record_column(r, i), name) != 0)
        i++;
    return i;
}

const char *ph_record_unit(const ph_record *r, size_t i)
{
    return ph_texts_at(&r->columns, 2 * i + 1);
}

const char *const *ph_record_choice(const ph_record *r, size_t *n)
{
    *n = r->choice.n;
    return r->choice.words;
}

const char *ph_record_meta(const ph_record *r, const char *key)
{
    for (size_t i = 0; i < r->meta.n; i += 2)
        if (!strcmp(ph_texts_at(&r->meta, i), key))
            return ph_texts_at(&r->meta, i + 1);
    return NULL;
}

/* Rounding of t and of t0 + k h, in units of the last place of the larger of t and t0, with room for that of a time that was asked for. */
static const double rounding = 8 * DBL_EPSILON;

bool ph_record_is_between(const ph_record *r, double t)
{
    const double steps = (t - r->t0) / r->h, off = fabs(steps - nearbyint(steps)) * fabs(r->h);
    return off > rounding * fmax(fabs(t), fabs(r->t0));
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

/* A number of the table meta; 0 where it has none. */
static int64_t meta_count(const ph_record *r, const char *key)
{
    int64_t n;
    const char *text = ph_record_meta(r, key);
    return text && !ph_parse_count(text, &n) && n > 0 ? n : 0;
}

/* Rows that the state counts, 0 where it has no checksum or is damaged; a copy has no state, and says it itself. */
static int64_t count_expected(const ph_record *r)
{
    ph_state_row row;
    return !ph_state_table_row(&r->database, &row, NULL) && row.is_protected ? row.account.rows
                                                                             : meta_count(r, "copied_rows");
}

int64_t ph_record_rows(const ph_record *r)
{
    int64_t rows, expected = count_expected(r);
    (void)count_rows(r, &rows, NULL);
    return rows > expected ? rows : expected;
}

/* The first number that the query gives; NaN where there is none. */
static double first_double(const ph_record *r, const char *sql)
{
    sqlite3_stmt *s = NULL;
    double value = NAN;
    const int code = ph_database_prepare(&r->database, sql, &s, NULL) ? SQLITE_DONE : sqlite3_step(s);
    if (code == SQLITE_ROW)
        value = sqlite3_column_double(s, 0);
    else if (code != SQLITE_DONE)
        (void)ph_database_fail(&r->database, "reading", NULL);
    sqlite3_finalize(s);
    return value;
}

void ph_record_span(const ph_record *r, double *first, double *last)
{
    *first = first_double(r, "SELECT t0 FROM blocks ORDER BY first LIMIT 1");
    *last = first_double(r, "SELECT t1 FROM blocks ORDER BY first DESC LIMIT 1");
}

/* ---- Rows --------------------------------------------------------------------------------------- */

/* The number of the row behind the last, as far as it is known: of the last block, or of the state where that counts more. Where
 * neither can be read, it is the largest number. */
static int64_t end_of(const ph_record *r)
{
    int64_t end, expected = count_expected(r);
    if (count_rows(r, &end, NULL) &&
        ph_database_number(&r->database, "SELECT rows FROM state", 0, &end, NULL))
        end = INT64_MAX;
    return end > expected ? end : expected;
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

/* Does the block have this row? */
static bool block_holds(const ph_block *b, int64_t row)
{
    return b->n && row >= b->first && row < b->first + b->n;
}

/* r->block <- the block with this row; *there: is there one? Where it is damaged, *next <- the row
 * behind it. again: it was looked for before. */
static ph_status find_block(ph_record *r, int64_t row, bool again, bool *there, int64_t *next, ph_error *err)
{
    ph_block *b = &r->block;
    *there = block_holds(b, row);
    if (*there)
        return PH_OK;
    ph_status status = ph_blocks_load(&r->blocks, row, b, err);
    const bool ours = block_holds(b, row), known = b->n;
    *there = !status && ours;
    if (*there)
        return PH_OK;
    const int64_t behind = b->first + b->n;
    b->n = 0; /* not valid: it must not be reused */
    *next = row;
    if (status == PH_E_NO_MEMORY) /* then the end is not known, either */
        return ph_record_note(r, status);
    *next = ours ? behind : next_block(r, row);
    if (status && ours)
        return status;
    const int64_t end = end_of(r);
    if (row >= end)
        return PH_OK;
    if (!status && !again) /* a writer may have committed it since then */
        return find_block(r, row, true, there, next, err);
    if (status && !known)
        return status;
    return ph_fail(err, PH_E_IO, "%s: rows %lld to %lld are missing: %lld rows of %lld", r->path,
                   (long long)row, (long long)(*next - 1), (long long)(*next - row), (long long)end);
}

/* values <- the row, where it can be read without its block. */
static bool read_alone(ph_record *r, int64_t row, double *values)
{
    if (!r->alone || block_holds(&r->block, row))
        return false;
    const size_t bytes = 8 * r->n_columns;
    if (r->block.room < bytes) {
        unsigned char *larger = realloc(r->block.bytes, bytes);
        if (!larger)
            return false;
        r->block.bytes = larger;
        r->block.room = bytes;
    }
    r->block.n = 0; /* its memory is used */
    if (!ph_blocks_first_row(&r->blocks, row, r->block.bytes))
        return false;
    ph_get_doubles(r->block.bytes, values, r->n_columns);
    return true;
}

/* A failure is returned only where no row could be read before it; otherwise the rows so far, and the next
 * call meets it. */
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
    if (n == 1 && read_alone(r, first, values)) {
        *read = 1;
        *next = first + 1;
        return PH_OK;
    }
    while (*read < n) {
        status = find_block(r, first + *read, false, &there, next, err);
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

/* ---- Events ------------------------------------------------------------------------------------- */

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
    else
        (void)ph_database_fail(&r->database, "reading events", NULL);
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
        status =
            ph_fail(err, PH_E_RANGE, "%s: there are %lld events, numbered from 0; there is no event %lld",
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

/* ---- The state ---------------------------------------------------------------------------------- */

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

/* Undamaged, and no row is missing that the state counts. */
ph_status ph_record_check_state(ph_record *r, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    ph_account account;
    int64_t rows = 0;
    bool sealed;
    ph_status status = ph_seal_check(&r->database, &sealed, err);
    if (!status)
        status = ph_state_table_check(&r->database, &account, err);
    if (!status)
        status = count_rows(r, &rows, err);
    if (!status && rows < account.rows)
        status = ph_fail(err, PH_E_IO, "%s: of its %lld rows the last are missing: there are %lld", r->path,
                         (long long)account.rows, (long long)rows);
    return status ? status : ph_event_counts_check(&r->database, err);
}

ph_status ph_record_check_events(ph_record *r, ph_error *err)
{
    return r ? ph_event_counts_check(&r->database, err) : ph_not_created(err, "record", "ph_record_open");
}

/* Are the numbers of meta possible, where they exist? */
static ph_status check_plan(const ph_record *r, ph_error *err)
{
    static const struct {
        const char *key, *wanted;
    } at[] = {{"steps", "a whole number, at least 0,"},
              {"step", "a number of seconds, not 0"},
              {"t0", "a number of seconds"}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const char *text = ph_record_meta(r, at[i].key);
        int64_t count;
        double number;
        const bool is =
            !text || (i == 0 ? !ph_parse_count(text, &count) && count >= 0
                             : !ph_parse_number(text, &number) && isfinite(number) && (i > 1 || number != 0));
        if (!is)
            return ph_fail(err, PH_E_IO, "%s: the table meta is damaged: %s is \"%.40s\"; %s is expected",
                           r->path, at[i].key, text, at[i].wanted);
    }
    return PH_OK;
}

/* Are rows and events as many as a copy says of itself? */
static ph_status check_copy(const ph_record *r, ph_error *err)
{
    int64_t rows, events = 0;
    ph_status status = count_rows(r, &rows, err);
    if (!status)
        status = ph_database_number(&r->database, "SELECT sum(1) FROM events", 0, &events, err);
    if (!status && rows < meta_count(r, "copied_rows"))
        status = ph_fail(err, PH_E_IO, "%s: of its %lld rows the last are missing: there are %lld", r->path,
                         (long long)meta_count(r, "copied_rows"), (long long)rows);
    if (!status && events < meta_count(r, "copied_events"))
        status = ph_fail(err, PH_E_IO, "%s: of its %lld events there are %lld", r->path,
                         (long long)meta_count(r, "copied_events"), (long long)events);
    return status;
}

static ph_status verify(const ph_record *r, ph_error *err)
{
    bool sealed;
    ph_state_row row;
    ph_status status = check_plan(r, err);
    if (!status)
        status = ph_seal_check(&r->database, &sealed, err);
    if (!status && ph_record_meta(r, "copy"))
        return check_copy(r, err);
    if (!status && sealed)
        status = ph_state_table_row(&r->database, &row, err);
    return status ? status : ph_event_counts_check(&r->database, err);
}

ph_status ph_record_verify(ph_record *r, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    /* all of one commit */
    ph_status status = ph_database_run(&r->database, "BEGIN", err);
    if (status)
        return status;
    status = ph_record_note(r, verify(r, err));
    ph_database_end_reading(&r->database);
    return status;
}

ph_status ph_record_starved(const ph_record *r, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    return r->starved ? ph_fail(err, PH_E_NO_MEMORY, "out of memory") : PH_OK;
}

ph_status ph_record_errors(ph_record *r, ph_summary *summary, size_t *maps, ph_error *err)
{
    if (!r)
        return ph_not_created(err, "record", "ph_record_open");
    return ph_state_table_errors(&r->database, summary, maps, err);
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

ph_status ph_record_motion(ph_record *r, double *t, double *z, size_t nz, double *p, size_t np, ph_error *err)
{
    return ph_state_table_motion(&r->database, t, z, nz, p, np, err);
}
