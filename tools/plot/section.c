/* SPDX-License-Identifier: BSD-3-Clause */
/* Poincare sections: the states that were found at events. */
#include "curve.h"
#include "figures/utf8.h"
#include "pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_BY_SIDE = 3 };

/* pairs (PAIRS_MOST), *n <- the two numbers of --columns, or all pairs. */
static ph_status find_choice(const plot_input *in, const ph_rows *rows, pair *pairs, size_t *n, ph_error *err)
{
    *n = in->n_columns == 2 ? 1 : find_pairs(rows, pairs);
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
        *pairs = pair_of(rows, at[0], at[1]);
    }
    return *n ? PH_OK
              : ph_fail(err, PH_E_UNSUPPORTED,
                        "no coordinate with its momentum for a section; choose two by --columns a,b");
}

/* What a pair does at the events of a name: their extent, and the values of the coordinate as long as there are at most two of them, as where
 * the event is defined by it. */
typedef struct seen {
    thin_plane plane;
    double values[2];
    size_t n_values; /* 3: it is free */
} seen;

/* The sections of all runs: a panel for each name of events, in the order in which they are met. */
typedef struct sections {
    char names[SIDE_BY_SIDE][TABLE_NAME];
    size_t n;
    bool more; /* names for which there is no panel */
    pair pairs
        [PAIRS_MOST]; /* (n_pairs) that all runs with events have; columns are those of the first of these runs */
    size_t n_pairs;
    seen seen[SIDE_BY_SIDE][PAIRS_MOST];
    size_t shown[SIDE_BY_SIDE]; /* which pair a panel shows */
    size_t slot[PAIRS_MOST],
        n_slots; /* the columns of a pair that is shown, in the order in which panels need them */
    int64_t found[SIDE_BY_SIDE];
    double from, to; /* times of the first and last event */
} sections;

/* One run of them. */
typedef struct section_run {
    const plot_input *in;
    size_t run;
    ph_rows *rows;
    pair pairs[PAIRS_MOST]; /* those of the sections, by the columns of this run */
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
    for (size_t i = 0; i < PAIRS_MOST; i++)
        s->seen[k][i].plane = (thin_plane){1, 2, false, INFINITY, -INFINITY, INFINITY, -INFINITY};
    s->n++;
    return k;
}

/* Another value of the coordinate, angles modulo a turn. */
static void note_value(seen *at, double x, bool angle)
{
    static const double near = 1e-6, turn = 6.2831853071795864769;
    for (size_t i = 0; i < at->n_values && i < 2; i++) {
        const double off = fabs(x - at->values[i]);
        if (off <= near * fmax(1, fabs(x)) || (angle && fabs(off - turn) <= near))
            return;
    }
    if (at->n_values < 2)
        at->values[at->n_values] = x;
    at->n_values += at->n_values < 3;
}

static void measure_event(seen *at, double x, double y, bool angle)
{
    thin_plane *p = &at->plane;
    if (!isfinite(x) || !isfinite(y))
        return;
    p->x_least = fmin(p->x_least, x);
    p->x_most = fmax(p->x_most, x);
    p->y_least = fmin(p->y_least, y);
    p->y_most = fmax(p->y_most, y);
    note_value(at, x, angle);
}

/* What all pairs are at an event, whose panel is k. */
static void measure_pairs(sections *s, const section_run *r, const ph_recorded_event *e, size_t k)
{
    for (size_t i = 0; i < s->n_pairs; i++) {
        const pair *p = &r->pairs[i];
        measure_event(&s->seen[k][i], pair_coordinate(p, e->values), e->values[p->y], p->x2 >= 0);
    }
    s->from = fmin(s->from, e->t);
    s->to = fmax(s->to, e->t);
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
        const pair *shown = &r->pairs[k < SIDE_BY_SIDE ? s->shown[k] : 0];
        const double point[3] = {e.t, pair_coordinate(shown, e.values), e.values[shown->y]};
        if (k < SIDE_BY_SIDE && enter)
            status = thin_enter(&r->points[k], point, err);
        else if (k < SIDE_BY_SIDE)
            measure_pairs(s, r, &e, k);
    }
    return status;
}

static ph_status open_run(making *m, size_t run, ph_error *err)
{
    section_run *r = (section_run *)m->own + run;
    ph_record *record = m->in->runs[run].info.record;
    r->in = m->in;
    r->run = run;
    return ph_record_events(record) ? pair_open(ph_rows_open, record, &r->rows, err) : PH_OK;
}

/* Has the run the pair, by names and units? Then it is its number `at`. */
static bool take_pair(section_run *r, const pair *wanted, size_t at)
{
    pair pairs[PAIRS_MOST];
    size_t n;
    ph_error err;
    const pair *found = find_choice(r->in, r->rows, pairs, &n, &err) ? NULL : pair_find(pairs, n, wanted);
    if (found)
        r->pairs[at] = *found;
    return found;
}

/* s->pairs <- those of the first run with events that all have. */
static ph_status agree(sections *s, section_run *all, ph_error *err)
{
    pair pairs[PAIRS_MOST];
    section_run *first = NULL, *without = NULL;
    size_t n;
    for (size_t i = 0; i < all->in->n && !first; i++)
        first = all[i].rows ? &all[i] : NULL;
    if (!first)
        return PH_OK;
    ph_status status = find_choice(all->in, first->rows, pairs, &n, err);
    for (size_t i = 0; i < all->in->n && !status && all->in->n_columns == 2;
         i++) { /* columns that are unknown are named */
        pair mine[PAIRS_MOST];
        size_t m;
        status = all[i].rows ? find_choice(all->in, all[i].rows, mine, &m, err) : PH_OK;
    }
    for (size_t k = 0; k < n && !status; k++) {
        const section_run *lacks = NULL;
        for (size_t i = 0; i < all->in->n && !lacks; i++)
            lacks = all[i].rows && !take_pair(&all[i], &pairs[k], s->n_pairs) ? &all[i] : NULL;
        if (!lacks)
            s->pairs[s->n_pairs++] = pairs[k];
        else if (k == 0)
            without = &all[lacks - all];
    }
    if (status || s->n_pairs)
        return status;
    return ph_fail(
        err, PH_E_UNSUPPORTED, "%.200s has no section of what %.200s has: no %s and %s in their units",
        first->in->runs[without->run].file, first->in->runs[first->run].file, pairs->x_name, pairs->y_name);
}

/* Each panel shows the last pair whose coordinate is free at its events, or else the last one. */
static void choose_pairs(sections *s)
{
    bool placed[PAIRS_MOST] = {false};
    for (size_t k = 0; k < s->n; k++) {
        size_t best = s->n_pairs - 1;
        while (best && s->seen[k][best].n_values < 3)
            best--;
        s->shown[k] = s->seen[k][best].n_values < 3 ? s->n_pairs - 1 : best;
        if (!placed[s->shown[k]])
            s->slot[s->shown[k]] = s->n_slots++;
        placed[s->shown[k]] = true;
    }
}

static bool is_shown(const sections *s, size_t which)
{
    bool shown = false;
    for (size_t k = 0; k < s->n; k++)
        shown = shown || s->shown[k] == which;
    return shown;
}

static ph_status fill_run(making *m, size_t run, ph_error *err)
{
    sections *s = m->common;
    section_run *r = (section_run *)m->own + run;
    picture *p = &m->picture;
    table *t = &p->tables[run];
    if (!r->rows)
        return PH_OK;
    ph_status status = PH_OK;
    for (size_t k = 0; k < s->n && !status; k++)
        status = thin_start(&r->points[k], 3, &s->seen[k][s->shown[k]].plane, 1, true, CURVE_CELLS,
                            curve_rows(r->in, r->in->n), err);
    if (!status)
        status = pass_events(s, r, true, err);
    table_column(t, "t", "s");
    table_column(t, "event", NULL);
    for (size_t slot = 0; slot < s->n_slots; slot++)
        for (size_t i = 0; i < s->n_pairs; i++)
            if (s->slot[i] == slot && is_shown(s, i)) {
                table_column(t, s->pairs[i].x_name, s->pairs[i].x_unit);
                table_column(t, s->pairs[i].y_name, s->pairs[i].y_unit);
            }
    for (size_t k = 0; k < s->n && !status; k++) {
        const table *points = &r->points[k].kept;
        const size_t from = t->rows, x = 2 + 2 * s->slot[s->shown[k]];
        for (size_t i = 0; i < points->rows && !status; i++) {
            const double *row = points->values + 3 * i;
            double numbers[2 + 2 * SIDE_BY_SIDE] = {row[0], (double)k + 1, NAN, NAN, NAN, NAN, NAN, NAN};
            numbers[x] = row[1];
            numbers[x + 1] = row[2];
            status = table_add(t, numbers, err);
        }
        if (t->rows > from)
            panel_add(&p->panels[k], (drawn){.of = t,
                                             .x = x,
                                             .y = x + 1,
                                             .look = LOOK_DOTS,
                                             .run = r->run,
                                             .from = from,
                                             .to = t->rows});
    }
    return status;
}

static ph_status finish_section(making *m, ph_error *err)
{
    const sections *s = m->common;
    picture *p = &m->picture;
    char with_name[TABLE_NAME];
    (void)err;
    p->n = s->n;
    text_add(p->words, sizeof p->words, "State at events from t = %.6g to %.6g s:", s->from, s->to);
    for (size_t k = 0; k < s->n; k++) {
        panel *at = &p->panels[k];
        const pair *of = &s->pairs[s->shown[k]];
        snprintf(with_name, sizeof with_name, "%.40s at %.40s", of->y_name, s->names[k]);
        picture_axis(at->x_label, sizeof at->x_label, of->x_name, of->x_unit);
        picture_axis(at->y_label, sizeof at->y_label, with_name, of->y_unit);
        text_add(p->words, sizeof p->words, "%s %zu is %.90s (%" PRId64 ")", k ? "," : "", k + 1, s->names[k],
                 s->found[k]);
    }
    text_add(p->words, sizeof p->words, "%s", s->more ? "; events of further names are not drawn." : ".");
    return PH_OK;
}

/* Events are few compared with rows, and are no rows: no sweep is watched. */
static ph_status begin_section(making *m, ph_error *err)
{
    const plot_input *in = m->in;
    sections *s = m->common;
    section_run *all = m->own;
    s->from = INFINITY;
    s->to = -INFINITY;
    ph_status status = agree(s, all, err);
    for (size_t i = 0; i < in->n && !status; i++)
        if (all[i].rows)
            status = pass_events(s, &all[i], false, err);
    if (!status && !s->n)
        status =
            ph_fail(err, PH_E_UNSUPPORTED, "%s: it has no events%s; a scenario has them by its key `events`",
                    in->runs->file, span_is_all(in->span) ? "" : " in that span of time");
    if (!status)
        choose_pairs(s);
    return status;
}

static void close_run(void *own)
{
    section_run *r = own;
    ph_rows_free(r->rows);
    for (size_t k = 0; k < SIDE_BY_SIDE; k++)
        thin_free(&r->points[k]);
}

const figure_steps steps_section = {.size = sizeof(section_run),
                                    .common = sizeof(sections),
                                    .open = open_run,
                                    .begin = begin_section,
                                    .fill = fill_run,
                                    .finish = finish_section,
                                    .close = close_run};
