/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an archive read block by block. A block of raw rows is read once; each watcher gets its columns of it, row by row. */
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

/* ---- What each sees ---------------------------------------------------------------------------------------- */

typedef struct view {
    watcher *of;
    size_t n;       /* columns of its rows */
    double *values; /* (rows of a block x n) */
} view;

typedef struct sweeping {
    const swept *of;
    size_t width;    /* columns of a raw row */
    int64_t at_once; /* rows of a block */
    double *raw, *row;
    view *views; /* (n_views) */
    size_t n_views;
} sweeping;

static ph_status lay_views(sweeping *s, watcher *const *watchers, size_t n, ph_error *err)
{
    size_t numbers = s->width, longest = 0;
    s->views = calloc(n + 1, sizeof *s->views);
    for (; s->views && s->n_views < n; s->n_views++) {
        const watcher *w = watchers[s->n_views];
        const size_t own = w->rows ? ph_rows_columns(w->rows) : 0;
        s->views[s->n_views] = (view){.of = watchers[s->n_views], .n = own};
        numbers += own;
        longest = own > longest ? own : longest;
    }
    s->at_once = NUMBERS_AT_ONCE / (int64_t)numbers + 1;
    s->raw = malloc((size_t)s->at_once * s->width * sizeof *s->raw);
    s->row = malloc((s->width + longest) * sizeof *s->row);
    bool all = s->views && s->raw && s->row;
    for (size_t i = 0; i < s->n_views; i++) {
        view *v = &s->views[i];
        v->values = malloc(((size_t)s->at_once * v->n + 1) * sizeof *v->values);
        all = all && v->values;
    }
    return all ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static void sweeping_free(sweeping *s)
{
    for (size_t i = 0; i < s->n_views; i++)
        free(s->views[i].values);
    free(s->views);
    free(s->raw);
    free(s->row);
}

/* ---- Reading ------------------------------------------------------------------------------------------------- */

/* The i-th row of the block as the watcher sees it. */
static const double *see_row(const sweeping *s, const view *v, size_t i)
{
    const double *raw = s->raw + i * s->width, *own = v->values + i * v->n;
    if (!v->of->rows)
        return raw;
    if (!v->of->behind)
        return own;
    memcpy(s->row, raw, s->width * sizeof *raw);
    memcpy(s->row + s->width, own, v->n * sizeof *own);
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
    for (size_t i = 0; i < s->n_views && !status; i++)
        if (s->views[i].of->rows && !s->views[i].of->status)
            status = ph_rows_values(s->views[i].of->rows, s->raw, n, s->views[i].values, err);
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
        if (why.status == PH_E_NO_MEMORY)
            return ph_fail(err, why.status, "%s", why.message);
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
    ph_status status = lay_views(&s, watchers, n, err);
    if (!status)
        status = read_blocks(&s, err);
    sweeping_free(&s);
    return status;
}
