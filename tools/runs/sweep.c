/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive read block by block. A block of raw rows is read once; what is computed of it is computed by as few objects as
 * the names of columns allow, in general by one; then each watcher gets its columns, row by row. */
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 256, NUMBERS_AT_ONCE = 1 << 16 };

ph_status sweep_open(ph_record *record, const char *const *words, size_t n, ph_rows **rows, ph_error *err)
{
    const char *all[WORDS_MOST] = {"t"};
    *rows = NULL;
    if (n >= WORDS_MOST)
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most %d", n, WORDS_MOST - 1);
    size_t taken = 1;
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], "t") != 0) /* it is there */
            all[taken++] = words[i];
    return ph_rows_open(record, all, taken, rows, err);
}

/* ---- What is computed -------------------------------------------------------------------------------------- */

/* Columns that are computed together, from raw rows. */
typedef struct source {
    ph_rows *of;    /* a watcher's, or ... */
    ph_rows *own;   /* ... those of several; NULL: of one */
    double *values; /* (rows of a block x its columns) */
} source;

/* Where a column of a watcher is: in the raw rows (0), or in source k - 1. */
typedef struct place {
    size_t source, at;
} place;

typedef struct view {
    watcher *of;
    place *places; /* (n); NULL: the row as it is */
    size_t n;
} view;

typedef struct sweeping {
    const swept *of;
    size_t width;    /* columns of a raw row */
    int64_t at_once; /* rows of a block */
    double *raw, *row;
    source *sources; /* (n_sources) */
    size_t n_sources;
    view *views; /* (n_views) */
    size_t n_views;
} sweeping;

static ph_status no_memory(ph_error *err)
{
    return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

/* The number of a computed column; that of all columns: there is none. */
static size_t find_computed(const ph_rows *rows, const char *name)
{
    const size_t n = ph_rows_columns(rows), i = ph_rows_find(rows, name);
    return i < n && ph_rows_is_computed(rows, i) ? i : n;
}

/* Has it all columns that the others compute? */
static bool covers(const ph_rows *rows, const ph_rows *others)
{
    for (size_t i = 0; i < ph_rows_columns(others); i++)
        if (ph_rows_is_computed(others, i) &&
            find_computed(rows, ph_rows_column(others, i)) == ph_rows_columns(rows))
            return false;
    return true;
}

static bool computes(const ph_rows *rows)
{
    for (size_t i = 0; rows && i < ph_rows_columns(rows); i++)
        if (ph_rows_is_computed(rows, i))
            return true;
    return false;
}

/* names (n) <- with those of computed columns that are not yet among them; WORDS_MOST + 1: they are too many. */
static size_t add_names(const char **names, size_t n, const ph_rows *rows)
{
    for (size_t i = 0; i < ph_rows_columns(rows) && n <= WORDS_MOST; i++) {
        size_t k = 0;
        while (k < n && strcmp(names[k], ph_rows_column(rows, i)) != 0)
            k++;
        if (!ph_rows_is_computed(rows, i) || k < n)
            continue;
        if (n < WORDS_MOST)
            names[n] = ph_rows_column(rows, i);
        n++;
    }
    return n;
}

/* What both compute, in one object; NULL where names do not allow that: a name may also be that of a group. */
static ph_rows *unite(ph_record *record, const ph_rows *one, const ph_rows *other)
{
    const char *names[WORDS_MOST];
    ph_rows *both;
    ph_error err;
    const size_t n = add_names(names, add_names(names, 0, one), other);
    if (n > WORDS_MOST || ph_rows_open(record, names, n, &both, &err))
        return NULL;
    if (ph_rows_columns(both) == n && covers(both, one) && covers(both, other))
        return both;
    ph_rows_free(both);
    return NULL;
}

/* The columns get a source: one that is there, a larger one in place of it, or a new one. */
static void add_source(sweeping *s, ph_rows *rows)
{
    for (size_t i = 0; i < s->n_sources; i++) {
        source *at = &s->sources[i];
        if (covers(at->of, rows))
            return;
        ph_rows *both = unite(s->of->record, at->of, rows);
        if (both) {
            ph_rows_free(at->own);
            at->of = at->own = both;
            return;
        }
    }
    s->sources[s->n_sources++] = (source){.of = rows};
}

static place find_place(const sweeping *s, const ph_rows *rows, size_t i)
{
    if (!ph_rows_is_computed(rows, i))
        return (place){0, ph_rows_origin(rows, i)};
    for (size_t k = 0; k < s->n_sources; k++) {
        const size_t at =
            s->sources[k].of == rows ? i : find_computed(s->sources[k].of, ph_rows_column(rows, i));
        if (at < ph_rows_columns(s->sources[k].of))
            return (place){k + 1, at};
    }
    return (place){0, 0}; /* not reached: each has a source */
}

/* ---- What each sees ---------------------------------------------------------------------------------------- */

static ph_status lay_view(sweeping *s, watcher *of, ph_error *err)
{
    const size_t first = of->rows ? ph_rows_columns(of->rows) : s->width;
    const size_t further = of->more ? ph_rows_columns(of->more) : 0;
    view *v = &s->views[s->n_views++];
    *v = (view){.of = of, .n = first + further};
    if (!of->rows && !of->more)
        return PH_OK;
    v->places = malloc((v->n + 1) * sizeof *v->places);
    if (!v->places)
        return no_memory(err);
    for (size_t i = 0; i < first; i++)
        v->places[i] = of->rows ? find_place(s, of->rows, i) : (place){0, i};
    for (size_t i = 0; i < further; i++)
        v->places[first + i] = find_place(s, of->more, i);
    return PH_OK;
}

static ph_status lay_sources(sweeping *s, watcher *const *watchers, size_t n, ph_error *err)
{
    s->sources = calloc(2 * n + 1, sizeof *s->sources);
    if (!s->sources)
        return no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (computes(watchers[i]->more))
            add_source(s, watchers[i]->more);
        if (computes(watchers[i]->rows))
            add_source(s, watchers[i]->rows);
    }
    return PH_OK;
}

static ph_status lay_views(sweeping *s, watcher *const *watchers, size_t n, ph_error *err)
{
    ph_status status = PH_OK;
    s->views = calloc(n + 1, sizeof *s->views);
    if (!s->views)
        return no_memory(err);
    for (size_t i = 0; i < n && !status; i++)
        status = lay_view(s, watchers[i], err);
    return status;
}

static ph_status lay_values(sweeping *s, ph_error *err)
{
    size_t numbers = s->width, longest = s->width;
    for (size_t i = 0; i < s->n_sources; i++)
        numbers += ph_rows_columns(s->sources[i].of);
    for (size_t i = 0; i < s->n_views; i++)
        longest = s->views[i].n > longest ? s->views[i].n : longest;
    s->at_once = NUMBERS_AT_ONCE / (int64_t)numbers + 1;
    s->raw = malloc((size_t)s->at_once * s->width * sizeof *s->raw);
    s->row = malloc(longest * sizeof *s->row);
    bool all = s->raw && s->row;
    for (size_t i = 0; i < s->n_sources; i++) {
        source *at = &s->sources[i];
        at->values = malloc((size_t)s->at_once * ph_rows_columns(at->of) * sizeof *at->values);
        all = all && at->values;
    }
    return all ? PH_OK : no_memory(err);
}

static void sweeping_free(sweeping *s)
{
    for (size_t i = 0; i < s->n_sources; i++) {
        ph_rows_free(s->sources[i].own);
        free(s->sources[i].values);
    }
    for (size_t i = 0; i < s->n_views; i++)
        free(s->views[i].places);
    free(s->sources);
    free(s->views);
    free(s->raw);
    free(s->row);
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

/* The i-th row of the block as the watcher sees it. */
static const double *see_row(const sweeping *s, const view *v, size_t i)
{
    const double *raw = s->raw + i * s->width;
    if (!v->places)
        return raw;
    for (size_t k = 0; k < v->n; k++) {
        const place from = v->places[k];
        if (!from.source) {
            s->row[k] = raw[from.at];
        } else {
            const source *at = &s->sources[from.source - 1];
            s->row[k] = at->values[i * ph_rows_columns(at->of) + from.at];
        }
    }
    return s->row;
}

static void show_rows(const sweeping *s, const view *v, int64_t n)
{
    watcher *w = v->of;
    for (size_t i = 0; i < (size_t)n && !w->status; i++) {
        const double *row = see_row(s, v, i);
        if (w->whole || time_is_in(s->of->span, row[0]))
            w->status = w->enter(w->self, row, &w->err);
    }
}

static void show_gap(watcher *w, int64_t rows, const ph_error *why)
{
    if (w->status)
        return;
    if (why->status != PH_E_IO && !w->whole) {
        w->status = why->status;
        w->err = *why;
    } else if (w->gap) {
        w->gap(w->self, rows, why);
    }
}

/* The rows of a block that was read. */
static ph_status show_block(const sweeping *s, int64_t n, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < s->n_sources && !status; i++)
        status = ph_rows_values(s->sources[i].of, s->raw, n, s->sources[i].values, err);
    for (size_t i = 0; i < s->n_views && !status; i++)
        show_rows(s, &s->views[i], n);
    return status;
}

static bool is_watched(const sweeping *s)
{
    for (size_t i = 0; i < s->n_views; i++)
        if (!s->views[i].of->status)
            return true;
    return false;
}

static ph_status read_blocks(const sweeping *s, ph_error *err)
{
    const swept *of = s->of;
    ph_status status = PH_OK;
    for (int64_t first = 0, read, next; !status && first < of->rows && is_watched(s); first = next) {
        ph_error why;
        const int64_t few = of->rows - first < s->at_once ? of->rows - first : s->at_once;
        why.status = ph_record_read(of->record, first, few, s->raw, &read, &next, &why);
        if (*signal_flag())
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted; nothing was written");
        status = show_block(s, read, err);
        for (size_t i = 0; why.status && i < s->n_views; i++)
            show_gap(s->views[i].of, (next < of->rows ? next : of->rows) - first, &why);
        if (next <= first)
            break;
        progress_show(of->show, (double)NAN, of->done + next, of->total, NULL);
    }
    return status;
}

ph_status sweep(const swept *of, watcher *const *watchers, size_t n, ph_error *err)
{
    sweeping s = {.of = of, .width = ph_record_columns(of->record)};
    ph_status status = lay_sources(&s, watchers, n, err);
    if (!status)
        status = lay_views(&s, watchers, n, err);
    if (!status)
        status = lay_values(&s, err);
    if (!status)
        status = read_blocks(&s, err);
    sweeping_free(&s);
    return status;
}
