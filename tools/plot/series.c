/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns over time: least and largest value in buckets of rows, so that any number of them is drawn as it is. A panel shows the columns of
 * all archives that have its name and unit; which archives lack it is said. */
#include "buckets.h"
#include "curve.h"

#include "tools/runs/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 63 };

/* Of several archives, what each has. */
typedef struct wish {
    unsigned long long found;     /* bit k: an archive has the k-th word */
    ph_error missing[WORDS_MOST]; /* why an archive has it not */
} wish;

/* The columns of one archive, bucket by bucket. */
typedef struct series {
    ph_rows *rows; /* NULL: it has none of them */
    size_t n;      /* columns behind t */
    ph_record *record;
    bool at_steps;   /* are rows between steps left out? */
    int64_t between; /* how many there are */
    buckets buckets;
} series;

static ph_status enter_row(void *self, const double *row, ph_error *err)
{
    series *s = self;
    const bool between = ph_record_is_between(s->record, row[0]);
    (void)err;
    s->between += between;
    if (!between || !s->at_steps)
        buckets_enter(&s->buckets, row[0], row + 1);
    return PH_OK;
}

static ph_status fill_table(table *t, const series *s, ph_error *err)
{
    double row[TABLE_COLUMNS];
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    for (size_t k = 0; k < s->n; k++)
        for (int side = 0; side < 2; side++) {
            char name[TABLE_NAME];
            snprintf(name, sizeof name, "%.60s_%s", ph_rows_column(s->rows, k + 1),
                     side ? "largest" : "least");
            table_column(t, name, ph_rows_unit(s->rows, k + 1));
        }
    for (size_t i = 0; i < s->buckets.n && !status; i++) {
        row[0] = s->buckets.t[i];
        for (size_t k = 0; k < s->n; k++) {
            row[1 + 2 * k] = buckets_least(&s->buckets, i, k);
            row[2 + 2 * k] = buckets_most(&s->buckets, i, k);
        }
        status = table_add(t, row, err);
    }
    return status;
}

static ph_status too_many(const series *s, size_t n, ph_error *err)
{
    return ph_fail(err, PH_E_RANGE,
                   "%zu columns, and a figure has up to %d panels; name fewer by --columns, as %s,%s", n,
                   PANELS_MOST, ph_rows_column(s->rows, 1), ph_rows_column(s->rows, s->n));
}

/* The panel of column k, by its name and unit, a new one where there is none; PANELS_MOST: there is no room. */
static size_t find_panel(picture *p, const series *s, size_t k)
{
    char label[sizeof p->panels->y_label], room[PH_COLUMN_NAME];
    size_t i = 0;
    picture_axis(label, sizeof label,
                 ph_column_title(ph_rows_system(s->rows), ph_rows_column(s->rows, k + 1), room),
                 ph_rows_unit(s->rows, k + 1));
    while (i < p->n && strcmp(p->panels[i].y_label, label) != 0)
        i++;
    if (i == p->n && p->n < PANELS_MOST) {
        memcpy(p->panels[i].y_label, label, sizeof label);
        p->panels[i].ends = true;
        p->n++;
    }
    return i;
}

static ph_status add_curves(picture *p, const series *s, size_t run, ph_error *err)
{
    for (size_t k = 0; k < s->n; k++) {
        const size_t at = find_panel(p, s, k);
        if (at == PANELS_MOST)
            return too_many(s, PANELS_MOST + s->n - k, err);
        panel_add(
            &p->panels[at],
            (drawn){.of = &p->tables[run], .y = 1 + 2 * k, .y2 = 2 + 2 * k, .look = LOOK_BAND, .run = run});
    }
    return PH_OK;
}

/* What the figure shows: words for its columns (*n). */
static const char *const *words_of(const making *m, size_t *n)
{
    static const char *const tension[] = {"tensions"}, *const drift[] = {"energy_error"};
    const bool own = m->steps == &steps_columns;
    *n = own ? m->in->n_columns : 1;
    return own ? m->in->columns : m->steps == &steps_drift ? drift : tension;
}

/* *rows <- with those of the words that the archive has; NULL: none. */
static ph_status open_some(making *m, size_t run, ph_rows **rows, ph_error *err)
{
    ph_record *record = m->in->runs[run].info.record;
    const char *there[WORDS_MOST];
    size_t most, n = 0;
    const char *const *words = words_of(m, &most);
    wish *w = m->common;
    for (size_t k = 0; k < most; k++) {
        ph_rows *one;
        const ph_status status = sweep_open(record, &words[k], 1, &one, err);
        if (status == PH_E_UNKNOWN || status == PH_E_UNSUPPORTED) {
            w->missing[k] = *err;
        } else if (status) {
            return status;
        } else {
            w->found |= 1ull << k;
            there[n++] = words[k];
            ph_rows_free(one);
        }
    }
    return n ? sweep_open(record, there, n, rows, err) : PH_OK;
}

static ph_status open_run(making *m, size_t run, ph_error *err)
{
    series *s = (series *)m->own + run;
    size_t n;
    const char *const *words = words_of(m, &n);
    if (!n)
        return ph_fail(err, PH_E_INVALID, "the figure 'columns' takes --columns a,b");
    if (n > WORDS_MOST)
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most %d", n, WORDS_MOST);
    s->record = m->in->runs[run].info.record;
    const ph_status status =
        m->in->n > 1 ? open_some(m, run, &s->rows, err) : sweep_open(s->record, words, n, &s->rows, err);
    if (status || !s->rows)
        return status;
    s->n = ph_rows_columns(s->rows) - 1;
    s->at_steps = m->steps == &steps_drift;
    if (s->n > PANELS_MOST)
        return too_many(s, s->n, err);
    m->watchers[run] = (watcher){.rows = s->rows, .enter = enter_row, .self = s};
    return buckets_start(&s->buckets, s->n, err);
}

/* Each word is of one archive at least. */
static ph_status begin_words(making *m, ph_error *err)
{
    const wish *w = m->common;
    size_t n;
    words_of(m, &n);
    for (size_t k = 0; k < n && m->in->n > 1; k++)
        if (!(w->found >> k & 1)) {
            *err = w->missing[k];
            return PH_E_UNKNOWN;
        }
    m->picture.stacked = true;
    return PH_OK;
}

static ph_status fill_run(making *m, size_t run, ph_error *err)
{
    const series *s = (series *)m->own + run;
    const char *energy = quantity_name(m->in->runs, ENERGY); /* forces change it */
    picture *p = &m->picture;
    if (!s->rows)
        return PH_OK;
    const ph_status status = fill_table(&p->tables[run], s, err);
    if (!status && !*p->words)
        picture_say(p, "%s%.40s%s over time, all %lld rows%s%s.",
                    s->at_steps                  ? "The "
                    : m->steps == &steps_columns ? "Columns"
                                                 : "Tensions",
                    s->at_steps ? energy : "", s->at_steps ? " with its sign" : "",
                    (long long)s->buckets.entered, s->at_steps && s->between ? " at steps" : "",
                    s->buckets.each > 1 ? ", least and largest of neighbouring ones" : "");
    if (!status && s->between && !s->at_steps)
        picture_say(p,
                    "%s: %lld rows are interpolated between steps; errors there are not those of the method.",
                    m->in->runs[run].label, (long long)s->between);
    return status ? status : add_curves(p, s, run, err);
}

static bool has_run(const panel *at, size_t run)
{
    for (size_t k = 0; k < at->n; k++)
        if (at->curves[k].run == run)
            return true;
    return false;
}

/* Which archives lack the column of a panel. */
static void say_lacking(picture *p, const archived *runs)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t run = 0; run < p->n_runs; run++)
            if (!has_run(&p->panels[i], run))
                picture_say(p, "%.80s has no column %.60s.", runs[run].label, p->panels[i].y_label);
}

static ph_status finish_words(making *m, ph_error *err)
{
    picture *p = &m->picture;
    (void)err;
    if (p->n)
        snprintf(p->panels[p->n - 1].x_label, sizeof p->panels->x_label, "time t [s]");
    curve_say_others(m);
    say_lacking(p, m->in->runs);
    return PH_OK;
}

static ph_status finish_drift(making *m, ph_error *err)
{
    panel *first = m->picture.panels;
    char label[sizeof first->y_label];
    const ph_status status = finish_words(m, err);
    const char *unit = strchr(first->y_label, '[');
    snprintf(label, sizeof label, "%.40s%s%.60s", quantity_name(m->in->runs, ENERGY), unit ? " " : "",
             unit ? unit : "");
    memcpy(first->y_label, label, sizeof label);
    first->with_zero = true;
    return status;
}

static void close_run(void *own)
{
    series *s = own;
    ph_rows_free(s->rows);
    buckets_free(&s->buckets);
}

#define SERIES(end)                                                                                          \
    {                                                                                                        \
        .size = sizeof(series), .common = sizeof(wish), .open = open_run, .begin = begin_words,              \
        .fill = fill_run, .finish = (end), .close = close_run                                                \
    }
const figure_steps steps_columns = SERIES(finish_words);
const figure_steps steps_tension = SERIES(finish_words);
const figure_steps steps_drift = SERIES(finish_drift);
