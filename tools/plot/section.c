/* SPDX-License-Identifier: BSD-3-Clause */
/* Poincare sections: the states that were found at events. */
#include "curve.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_BY_SIDE = 3 };

/* Which two numbers: those of --columns, or the last pair. */
static ph_status choose_pair(const plot_input *in, const ph_rows *rows, pair *chosen_pair, ph_error *err)
{
    pair pairs[PAIRS_MOST];
    const size_t n = find_pairs(rows, pairs);
    if (in->n_columns == 2) {
        size_t at[2];
        for (size_t k = 0; k < 2; k++) {
            at[k] = ph_rows_find(rows, in->columns[k]);
            if (at[k] == ph_rows_columns(rows))
                return ph_fail(
                    err, PH_E_UNKNOWN,
                    "events have no column '%s': they have those of the configuration and momentum",
                    in->columns[k]);
        }
        *chosen_pair = (pair){.x = (long)at[0],
                              .x2 = -1,
                              .y = (long)at[1],
                              .x_unit = ph_rows_unit(rows, at[0]),
                              .y_unit = ph_rows_unit(rows, at[1])};
        snprintf(chosen_pair->x_name, TABLE_NAME, "%.60s", in->columns[0]);
        snprintf(chosen_pair->y_name, TABLE_NAME, "%.60s", in->columns[1]);
        return PH_OK;
    }
    if (!n)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "no coordinate with its momentum for a section; choose two by --columns a,b");
    *chosen_pair = pairs[n - 1];
    return PH_OK;
}

/* The sections of all runs: a panel for each name of events, in the order in which they are met. */
typedef struct sections {
    char names[SIDE_BY_SIDE][TABLE_NAME];
    size_t n;
    bool more; /* names for which there is no panel */
    thin_plane planes[SIDE_BY_SIDE];
    int64_t found[SIDE_BY_SIDE];
    pair pair;       /* of the first run with events */
    double from, to; /* times of the first and last event */
} sections;

/* One run of them. */
typedef struct section_run {
    const plot_input *in;
    size_t run;
    ph_rows *rows;
    pair pair;
    thin points[SIDE_BY_SIDE];
} section_run;

/* The panel of an event's name, SIDE_BY_SIDE where there is no more room. */
static size_t panel_of(sections *s, const char *name)
{
    size_t k = 0;
    while (k < s->n && strncmp(s->names[k], name, TABLE_NAME - 1) != 0)
        k++;
    if (k < s->n)
        return k;
    if (k == SIDE_BY_SIDE) {
        s->more = true;
        return k;
    }
    snprintf(s->names[k], TABLE_NAME, "%.95s", name);
    s->planes[k] = (thin_plane){1, 2, false, INFINITY, -INFINITY, INFINITY, -INFINITY};
    s->n++;
    return k;
}

static void measure_event(sections *s, const double point[3], size_t k)
{
    thin_plane *p = &s->planes[k];
    if (!isfinite(point[1]) || !isfinite(point[2]))
        return;
    p->x_least = fmin(p->x_least, point[1]);
    p->x_most = fmax(p->x_most, point[1]);
    p->y_least = fmin(p->y_least, point[2]);
    p->y_most = fmax(p->y_most, point[2]);
    s->from = fmin(s->from, point[0]);
    s->to = fmax(s->to, point[0]);
    s->found[k]++;
}

/* All events in the span: measured, or entered into the sections of their panels. */
static ph_status pass_events(sections *s, section_run *r, bool enter, ph_error *err)
{
    ph_record *record = r->in->runs[r->run].info.record;
    ph_status status = PH_OK;
    for (int64_t i = INT64_MIN; !status && ph_record_next_event(record, i, &i);) {
        ph_recorded_event e;
        if (*signal_flag())
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
        if (ph_record_event(record, i, &e, err) ||
            !time_is_in(r->in->span, e.t)) /* damaged: others are whole */
            continue;
        if (e.n != ph_rows_columns(r->rows))
            return ph_fail(err, PH_E_UNSUPPORTED,
                           "%s: events have %zu numbers, the configuration and momentum %zu",
                           r->in->runs[r->run].file, e.n, ph_rows_columns(r->rows));
        const size_t k = panel_of(s, e.name);
        const double point[3] = {e.t, pair_coordinate(&r->pair, e.values), e.values[r->pair.y]};
        if (k < SIDE_BY_SIDE && enter)
            status = thin_enter(&r->points[k], point, err);
        else if (k < SIDE_BY_SIDE)
            measure_event(s, point, k);
    }
    return status;
}

static ph_status open_run(section_run *r, ph_error *err)
{
    ph_record *record = r->in->runs[r->run].info.record;
    if (!ph_record_events(record))
        return PH_OK;
    ph_status status = pair_open(ph_rows_open, record, &r->rows, err);
    if (!status)
        status = choose_pair(r->in, r->rows, &r->pair, err);
    return status;
}

/* The pair of the run by names and units. Result: has it one? */
static bool take_pair(section_run *r, const pair *wanted)
{
    pair pairs[PAIRS_MOST];
    if (pair_find(&r->pair, 1, wanted))
        return true;
    const pair *found = r->in->n_columns == 2 ? NULL : pair_find(pairs, find_pairs(r->rows, pairs), wanted);
    if (found)
        r->pair = *found;
    return found;
}

/* Of all runs with events the same pair: the last one of the first that all have. */
static ph_status agree(sections *s, section_run *all, ph_error *err)
{
    pair pairs[PAIRS_MOST];
    section_run *first = NULL, *without = NULL;
    for (size_t i = 0; i < all->in->n && !first; i++)
        first = all[i].rows ? &all[i] : NULL;
    if (!first)
        return PH_OK;
    size_t n = first->in->n_columns == 2 ? 1 : find_pairs(first->rows, pairs);
    if (first->in->n_columns == 2)
        *pairs = first->pair;
    for (; n; n--) {
        without = NULL;
        for (size_t i = 0; i < all->in->n && !without; i++)
            without = all[i].rows && !take_pair(&all[i], &pairs[n - 1]) ? &all[i] : NULL;
        if (!without) {
            s->pair = pairs[n - 1];
            return PH_OK;
        }
    }
    return ph_fail(
        err, PH_E_UNSUPPORTED, "%.200s has no section of what %.200s has: no %s and %s in their units",
        first->in->runs[without->run].file, first->in->runs[first->run].file, pairs->x_name, pairs->y_name);
}

static ph_status fill_section(picture *p, sections *s, section_run *r, ph_error *err)
{
    table *t = &p->tables[r->run];
    ph_status status = PH_OK;
    for (size_t k = 0; k < s->n && !status; k++)
        status = thin_start(&r->points[k], 3, &s->planes[k], 1, true, CURVE_CELLS,
                            curve_rows(r->in, r->in->n), err);
    if (!status)
        status = pass_events(s, r, true, err);
    table_column(t, "t", "s");
    table_column(t, "event", NULL);
    table_column(t, r->pair.x_name, r->pair.x_unit);
    table_column(t, r->pair.y_name, r->pair.y_unit);
    for (size_t k = 0; k < s->n && !status; k++) {
        const thin *points = &r->points[k];
        const size_t from = t->rows;
        for (size_t i = 0; i < points->rows && !status; i++) {
            const double *row = points->kept + 3 * i;
            status = table_add(t, (double[]){row[0], (double)k + 1, row[1], row[2]}, err);
        }
        if (t->rows > from)
            panel_add(
                &p->panels[k],
                (drawn){
                    .of = t, .x = 2, .y = 3, .look = LOOK_DOTS, .run = r->run, .from = from, .to = t->rows});
    }
    return status;
}

static void lay_sections(picture *p, const sections *s)
{
    char with_name[TABLE_NAME];
    p->n = s->n;
    size_t used = (size_t)snprintf(p->words, sizeof p->words,
                                   "State at events from t = %.6g to %.6g s:", s->from, s->to);
    for (size_t k = 0; k < s->n; k++) {
        panel *at = &p->panels[k];
        snprintf(with_name, sizeof with_name, "%.40s at %.40s", s->pair.y_name, s->names[k]);
        picture_axis(at->x_label, sizeof at->x_label, s->pair.x_name, s->pair.x_unit);
        picture_axis(at->y_label, sizeof at->y_label, with_name, s->pair.y_unit);
        used += (size_t)snprintf(p->words + used, sizeof p->words - used, "%s %zu is %.90s (%" PRId64 ")",
                                 k ? "," : "", k + 1, s->names[k], s->found[k]);
    }
    snprintf(p->words + used, sizeof p->words - used, "%s",
             s->more ? "; events of further names are not drawn." : ".");
}

/* Events are few compared with rows, and are no rows: no sweep is watched. */
typedef struct drawn_sections {
    sections of;
    section_run *runs; /* (in->n) */
} drawn_sections;

static ph_status find_sections(sections *s, section_run *all, ph_error *err)
{
    const plot_input *in = all->in;
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++)
        status = open_run(&all[i], err);
    if (!status)
        status = agree(s, all, err);
    for (size_t i = 0; i < in->n && !status; i++)
        if (all[i].rows)
            status = pass_events(s, &all[i], false, err);
    if (!status && !s->n)
        status =
            ph_fail(err, PH_E_UNSUPPORTED, "%s: it has no events%s; a scenario has them by its key `events`",
                    in->runs->file, span_is_all(in->span) ? "" : " in that span of time");
    return status;
}

static ph_status begin_section(making *m, ph_error *err)
{
    drawn_sections *d = m->own = calloc(1, sizeof *d);
    section_run *all = d ? d->runs = calloc(m->in->n, sizeof *all) : NULL;
    if (!all)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    d->of = (sections){.pair = {.x = -1}, .from = INFINITY, .to = -INFINITY};
    for (size_t i = 0; i < m->in->n; i++) {
        all[i].in = m->in;
        all[i].run = i;
    }
    return find_sections(&d->of, all, err);
}

static ph_status finish_section(making *m, ph_error *err)
{
    drawn_sections *d = m->own;
    ph_status status = PH_OK;
    for (size_t i = 0; i < m->in->n && !status; i++)
        if (d->runs[i].rows)
            status = fill_section(&m->picture, &d->of, &d->runs[i], err);
    if (!status)
        lay_sections(&m->picture, &d->of);
    return status;
}

static void end_section(making *m)
{
    drawn_sections *d = m->own;
    for (size_t i = 0; d && d->runs && i < m->in->n; i++) {
        ph_rows_free(d->runs[i].rows);
        for (size_t k = 0; k < SIDE_BY_SIDE; k++)
            thin_free(&d->runs[i].points[k]);
    }
    free(d ? d->runs : NULL);
    free(d);
}

const figure_steps steps_section = {.begin = begin_section, .finish = finish_section, .end = end_section};
