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

/* What was asked for, of several archives. */
typedef struct wish {
    const char *const *words; /* (n) */
    size_t n;
    unsigned long long found;     /* bit k: an archive has the k-th */
    ph_error missing[WORDS_MOST]; /* why an archive has it not */
} wish;

/* The columns of one archive, bucket by bucket. */
typedef struct series {
    ph_rows *rows; /* NULL: it has none of them */
    size_t n;      /* columns behind t */
    const ph_record *record;
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
    char label[sizeof p->panels->y_label];
    size_t i = 0;
    picture_axis(label, sizeof label, ph_rows_column(s->rows, k + 1), ph_rows_unit(s->rows, k + 1));
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

/* *rows <- with those of the words that the archive has; NULL: none. */
static ph_status open_some(const plot_input *in, size_t run, wish *w, ph_rows **rows, ph_error *err)
{
    const char *there[WORDS_MOST];
    size_t n = 0;
    *rows = NULL;
    for (size_t k = 0; k < w->n; k++) {
        ph_rows *one;
        const ph_status status = sweep_open(in->runs[run].info.record, &w->words[k], 1, &one, err);
        if (status == PH_E_UNKNOWN || status == PH_E_UNSUPPORTED) {
            w->missing[k] = *err;
        } else if (status) {
            return status;
        } else {
            w->found |= 1ull << k;
            there[n++] = w->words[k];
            ph_rows_free(one);
        }
    }
    return n ? sweep_open(in->runs[run].info.record, there, n, rows, err) : PH_OK;
}

static ph_status watch_run(making *m, size_t run, series *s, wish *w, ph_error *err)
{
    const plot_input *in = m->in;
    ph_status status = in->n > 1 ? open_some(in, run, w, &s->rows, err)
                                 : sweep_open(in->runs[run].info.record, w->words, w->n, &s->rows, err);
    if (status || !s->rows)
        return status;
    s->n = ph_rows_columns(s->rows) - 1;
    s->record = in->runs[run].info.record;
    s->at_steps = m->steps == &steps_drift;
    if (s->n > PANELS_MOST)
        return too_many(s, s->n, err);
    m->watchers[run] = (watcher){.rows = s->rows, .enter = enter_row, .self = s};
    return buckets_start(&s->buckets, s->n, err);
}

static ph_status begin_words(making *m, const char *const *words, size_t n, ph_error *err)
{
    const plot_input *in = m->in;
    series *all = m->own = calloc(in->n, sizeof *all);
    if (n > WORDS_MOST)
        return ph_fail(err, PH_E_RANGE, "%zu columns or groups of them; at most %d", n, WORDS_MOST);
    wish *w = calloc(1, sizeof *w);
    ph_status status = all && w ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < in->n && !status; i++) {
        w->words = words;
        w->n = n;
        status = watch_run(m, i, &all[i], w, err);
    }
    for (size_t k = 0; k < n && in->n > 1 && !status; k++)
        if (!(w->found >> k & 1)) {
            *err = w->missing[k];
            status = PH_E_UNKNOWN;
        }
    free(w);
    return status;
}

static ph_status draw_run(making *m, const series *s, size_t run, const char *what, ph_error *err)
{
    picture *p = &m->picture;
    ph_status status = fill_table(&p->tables[run], s, err);
    if (!status && !*p->words)
        picture_say(p, "%s over time, all %lld rows%s%s.", what, (long long)s->buckets.entered,
                    s->at_steps && s->between ? " at steps" : "",
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

static ph_status finish_words(making *m, const char *what, ph_error *err)
{
    const series *all = m->own;
    picture *p = &m->picture;
    ph_status status = PH_OK;
    p->stacked = true;
    for (size_t i = 0; i < m->in->n && !status; i++)
        if (all[i].rows)
            status = draw_run(m, &all[i], i, what, err);
    if (!status && p->n)
        snprintf(p->panels[p->n - 1].x_label, sizeof p->panels->x_label, "time t [s]");
    if (!status) {
        curve_say_others(m);
        say_lacking(p, m->in->runs);
    }
    return status;
}

static void end_words(making *m)
{
    series *all = m->own;
    for (size_t i = 0; all && i < m->in->n; i++) {
        ph_rows_free(all[i].rows);
        buckets_free(&all[i].buckets);
    }
    free(all);
}

static ph_status begin_columns(making *m, ph_error *err)
{
    if (!m->in->n_columns)
        return ph_fail(err, PH_E_INVALID, "the figure 'columns' takes --columns a,b");
    return begin_words(m, m->in->columns, m->in->n_columns, err);
}

static ph_status finish_columns(making *m, ph_error *err)
{
    return finish_words(m, "Columns", err);
}

const figure_steps steps_columns = {.begin = begin_columns, .finish = finish_columns, .end = end_words};

static ph_status begin_tension(making *m, ph_error *err)
{
    return begin_words(m, (const char *const[]){"tensions"}, 1, err);
}

static ph_status finish_tension(making *m, ph_error *err)
{
    return finish_words(m, "Tensions", err);
}

const figure_steps steps_tension = {.begin = begin_tension, .finish = finish_tension, .end = end_words};

static ph_status begin_drift(making *m, ph_error *err)
{
    return begin_words(m, (const char *const[]){"energy_error"}, 1, err);
}

static ph_status finish_drift(making *m, ph_error *err)
{
    panel *first = m->picture.panels;
    char what[80];
    const char *name = quantity_name(m->in->runs, ENERGY); /* forces change the energy */
    snprintf(what, sizeof what, "The %.40s with its sign", name);
    const ph_status status = finish_words(m, what, err);
    if (!status) {
        const char *unit = strchr(first->y_label, '[');
        char label[sizeof first->y_label];
        snprintf(label, sizeof label, "%.40s%s%.60s", name, unit ? " " : "", unit ? unit : "");
        memcpy(first->y_label, label, sizeof label);
        first->with_zero = true;
    }
    return status;
}

const figure_steps steps_drift = {.begin = begin_drift, .finish = finish_drift, .end = end_words};
