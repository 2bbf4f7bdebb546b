/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase portraits: coordinates against their momenta over the whole run. */
#include "curve.h"
#include "pairs.h"
#include "turning.h"
#include "views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_BY_SIDE = THIN_PLANES, ARCHIVED_MOST = 200 };

/* The momentum of the first rotation in the body frame, in three projections. */
static size_t body_pairs(const ph_rows *rows, pair *pairs)
{
    long at = -1;
    for (size_t i = 0; i + 2 < ph_rows_columns(rows) && at < 0; i++)
        if (!strncmp(ph_rows_column(rows, i), "Pi", 2))
            at = (long)i;
    for (long k = 0; at >= 0 && k < 3; k++)
        pairs[k] = pair_of(rows, (size_t)(at + (k == 2)), (size_t)(at + 1 + (k > 0)));
    return at >= 0 ? 3 : 0;
}

/* A run whose portrait is drawn: it watches two sweeps, for the extents and for what is drawn. */
typedef struct portrait {
    ph_rows *rows;
    pair pairs[PAIRS_MOST];
    size_t n, of; /* pairs that are drawn, of how many */
    bool body;    /* they are a momentum in the body frame */
    bool common;  /* of the first run: some have pairs that others lack, which are left out */
    extent extent;
    views views[SIDE_BY_SIDE]; /* (n) in which each pair could be seen */
    turning turning;           /* of a body */
    thin curve;
} portrait;

/* The numbers of a row: t, x and y of each pair. */
static void numbers_of(const portrait *q, const double *row, double *numbers)
{
    numbers[0] = row[0];
    for (size_t k = 0; k < q->n; k++) {
        numbers[1 + 2 * k] = pair_coordinate(&q->pairs[k], row);
        numbers[2 + 2 * k] = row[q->pairs[k].y];
    }
}

static ph_status measure_row(void *self, const double *row, ph_error *err)
{
    portrait *q = self;
    double numbers[THIN_NUMBERS];
    (void)err;
    numbers_of(q, row, numbers);
    extent_enter(&q->extent, numbers);
    for (size_t k = 0; k < q->n; k++)
        views_enter(&q->views[k], row);
    turning_enter(&q->turning, row);
    return PH_OK;
}

static ph_status trace_row(void *self, const double *row, ph_error *err)
{
    portrait *q = self;
    double numbers[THIN_NUMBERS];
    numbers_of(q, row, numbers);
    return thin_enter(&q->curve, numbers, err);
}

/* Of --against: the first of two columns against the second. */
static ph_status open_two(portrait *q, const plot_input *in, size_t run, ph_error *err)
{
    const ph_status status = sweep_open(in->runs[run].info.record, in->columns, in->n_columns, &q->rows, err);
    if (status)
        return status;
    const bool t_first = !strcmp(in->columns[0], "t"), t_last = !strcmp(in->columns[1], "t");
    const size_t n = ph_rows_columns(q->rows), y = !t_first, x = t_last ? 0 : n - 1; /* t is the first */
    if (n != 3 - (size_t)(t_first || t_last) || x == y)
        return ph_fail(err, PH_E_RANGE, "--against takes two columns, not %zu", n - 1);
    *q->pairs = pair_of(q->rows, x, y);
    q->of = 1;
    return PH_OK;
}

static void find_portraits(portrait *q)
{
    q->of = body_pairs(q->rows, q->pairs);
    q->body = q->of > 0;
    q->of = q->body ? q->of : find_pairs(q->rows, q->pairs);
}

/* Of the columns that the archive has. Result: are there portraits? */
static bool open_archived(portrait *q, const plot_input *in, size_t run)
{
    const char *words[ARCHIVED_MOST];
    ph_error other;
    const ph_record *record = in->runs[run].info.record;
    const size_t n = pair_words(record, words, ARCHIVED_MOST);
    if (n && !sweep_open(in->runs[run].info.record, words, n, &q->rows, &other))
        find_portraits(q);
    return q->of;
}

static ph_status open_pairs(portrait *q, const plot_input *in, size_t run, ph_error *err)
{
    const ph_status status = pair_open(sweep_open, in->runs[run].info.record, &q->rows, err);
    if (status) /* of a user-defined system, or of a part of the columns */
        return open_archived(q, in, run) ? PH_OK : status;
    find_portraits(q);
    return q->of ? PH_OK
                 : ph_fail(err, PH_E_UNSUPPORTED, "%s: it has no factor with a portrait", in->runs[run].file);
}

/* Of every run the pairs that all runs (n) have, in the order of the first: a panel shows the same quantities of all. */
static ph_status keep_common(portrait *all, const plot_input *in, ph_error *err)
{
    pair common[RUNS_MOST][PAIRS_MOST];
    size_t n = 0, without = 0;
    for (size_t k = 0; k < all->of; k++) {
        const pair *found = &all->pairs[k];
        for (size_t i = 0; i < in->n && found; i++) {
            found = pair_find(all[i].pairs, all[i].of, &all->pairs[k]);
            if (found)
                common[i][n] = *found;
            else
                without = i;
        }
        n += found != NULL;
    }
    if (!n)
        return ph_fail(err, PH_E_UNSUPPORTED,
                       "%.200s has no portrait of what %.200s has: no %s and %s in their units",
                       in->runs[without].file, in->runs->file, all->pairs->x_name, all->pairs->y_name);
    for (size_t i = 0; i < in->n; i++) {
        all[i].common = n < all[i].of || n < all->of || all[i].common;
        memcpy(all[i].pairs, common[i], n * sizeof **common);
    }
    for (size_t i = 1; i < in->n; i++)
        all->common = all->common || all[i].common;
    for (size_t i = 0; i < in->n; i++)
        all[i].of = n;
    return PH_OK;
}

/* two: the columns were chosen, and there are no other views. */
static watcher portrait_measure(portrait *q, bool two)
{
    q->n = q->of > SIDE_BY_SIDE ? SIDE_BY_SIDE : q->of;
    unsigned angles = 0;
    for (size_t k = 0; k < q->n; k++) {
        angles |= (unsigned)(q->pairs[k].x2 >= 0) << (1 + 2 * k);
        views_find(&q->views[k], two ? NULL : q->rows, &q->pairs[k]);
    }
    if (q->body)
        turning_find(&q->turning, q->rows, q->pairs->x_name);
    q->extent = extent_start(1 + 2 * q->n, angles);
    return (watcher){.rows = q->rows, .enter = measure_row, .self = q};
}

/* The k-th pair of a run is replaced, and with it the extents of its coordinate and momentum, numbers x and y of others. */
static void replace_pair(portrait *q, size_t k, const pair *by, const extent *of_x, size_t x,
                         const extent *of_y, size_t y)
{
    extent *e = &q->extent;
    for (size_t i = 1; i <= 2; i++) {
        const extent *from = i == 1 ? of_x : of_y;
        const size_t to = i + 2 * k, at = i == 1 ? x : y;
        e->first[to] = from->first[at];
        e->before[to] = from->before[at];
        e->least[to] = from->least[at];
        e->most[to] = from->most[at];
        e->way[to] = from->way[at];
    }
    q->pairs[k] = *by;
    if (by->x2 >= 0)
        e->angles |= 1U << (1 + 2 * k);
}

/* Pairs that stand still are replaced, in all runs (n) by the same. */
static void choose_views(portrait *all, size_t n)
{
    for (size_t k = 0; k < all->n; k++) {
        const views *of[RUNS_MOST];
        for (size_t i = 0; i < n; i++)
            of[i] = &all[i].views[k];
        const size_t which = views_choose(of, n);
        for (size_t i = 0; i < n && which; i++)
            replace_pair(&all[i], k, &all[i].views[k].at[which], &all[i].views[k].seen, 1 + 2 * which,
                         &all[i].views[k].seen, 2 + 2 * which);
    }
}

/* Bodies that turn about one axis in all runs (n) show their angle. */
static void choose_turn(portrait *all, size_t n)
{
    static const size_t momenta[TURN_AXES] = {1, 2,
                                              4}; /* their numbers among the projections of body_pairs */
    const turning *of[RUNS_MOST];
    for (size_t i = 0; i < n; i++)
        of[i] = &all[i].turning;
    const size_t axis = turning_choose(of, n);
    for (size_t i = 0; i < n && axis < TURN_AXES; i++) {
        const extent whole = all[i].extent;
        replace_pair(&all[i], 0, &all[i].turning.at[axis], &all[i].turning.seen, 1 + axis, &whole,
                     momenta[axis]);
        all[i].n = all[i].of = 1;
        all[i].body = false;
    }
}

/* The k-th panel's plane, which all runs share; of a momentum in the body frame with equal scales. */
static thin_plane plane_of(const portrait *all, size_t n, size_t k)
{
    thin_plane p = {1 + 2 * k, 2 + 2 * k, all->pairs[k].x2 >= 0, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        p.x_least = fmin(p.x_least, all[i].extent.least[p.x]);
        p.x_most = fmax(p.x_most, all[i].extent.most[p.x]);
        p.y_least = fmin(p.y_least, all[i].extent.least[p.y]);
        p.y_most = fmax(p.y_most, all[i].extent.most[p.y]);
    }
    return p;
}

static ph_status fill_run(making *m, size_t run, ph_error *err)
{
    const portrait *q = (portrait *)m->own + run;
    picture *p = &m->picture;
    table *t = &p->tables[run];
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    for (size_t k = 0; k < q->n; k++) {
        table_column(t, q->pairs[k].x_name, q->pairs[k].x_unit);
        table_column(t, q->pairs[k].y_name, q->pairs[k].y_unit);
        drawn one = curve_look(&q->curve, run, p->n_runs == 1);
        one.of = t;
        one.x = 1 + 2 * k;
        one.y = 2 + 2 * k;
        panel_add(&p->panels[k], one);
    }
    for (size_t i = 0; i < q->curve.kept.rows && !status; i++)
        status = table_add(t, q->curve.kept.values + i * q->curve.n, err);
    return status;
}

static ph_status finish_portraits(making *m, ph_error *err)
{
    const portrait *q = m->own;
    const bool two = m->steps == &steps_against;
    picture *p = &m->picture;
    char when[120], how[200], room[2][PH_COLUMN_NAME];
    (void)err;
    p->n = q->n;
    for (size_t k = 0; k < q->n; k++) {
        const pair *pr = &q->pairs[k];
        pair_axis(p->panels[k].x_label, sizeof p->panels[k].x_label, q->rows, pr->x_name, pr->x_unit);
        pair_axis(p->panels[k].y_label, sizeof p->panels[k].y_label, q->rows, pr->y_name, pr->y_unit);
        p->panels[k].equal = q->body;
    }
    curve_times(when, &q->extent);
    curve_words(how, &q->curve);
    if (two)
        picture_say(p, "%.60s against %.60s %s: %s.",
                    ph_column_title(ph_rows_system(q->rows), q->pairs->y_name, room[0]),
                    ph_column_title(ph_rows_system(q->rows), q->pairs->x_name, room[1]), when, how);
    else if (q->body)
        picture_say(p, "The angular momentum of the first body in its frame %s: %s.", when, how);
    else if (q->n < q->of)
        picture_say(
            p,
            "Coordinates and momenta of the first %zu of %zu%s factors %s: %s; others by polhode plot with --columns and --against.",
            q->n, q->of, q->of == PAIRS_MOST ? " or more" : "", when, how);
    else
        picture_say(p, "Coordinates and momenta %s: %s.", when, how);
    if (q->common && !two)
        picture_say(p, "What not all archives have is left out.");
    curve_say_others(m);
    return PH_OK;
}

static ph_status open_run(making *m, size_t run, ph_error *err)
{
    portrait *q = (portrait *)m->own + run;
    m->twice = true;
    return m->steps == &steps_against ? open_two(q, m->in, run, err) : open_pairs(q, m->in, run, err);
}

static ph_status begin_portraits(making *m, ph_error *err)
{
    portrait *all = m->own;
    const ph_status status = keep_common(all, m->in, err);
    for (size_t i = 0; i < m->in->n && !status; i++)
        m->watchers[i] = portrait_measure(&all[i], m->steps == &steps_against);
    return status;
}

static ph_status trace_portraits(making *m, ph_error *err)
{
    const plot_input *in = m->in;
    portrait *all = m->own;
    thin_plane planes[SIDE_BY_SIDE];
    bool dots = false;
    choose_views(all, in->n);
    choose_turn(all, in->n);
    ph_status status = PH_OK;
    for (size_t k = 0; k < all->n; k++) {
        planes[k] = plane_of(all, in->n, k);
        for (size_t i = 0; i < in->n; i++)
            dots = dots || curve_is_dots(&all[i].extent, planes[k].x, planes[k].x_most - planes[k].x_least,
                                         planes[k].y, planes[k].y_most - planes[k].y_least);
    }
    for (size_t i = 0; i < in->n && !status; i++) {
        status = thin_start(&all[i].curve, 1 + 2 * all->n, planes, all->n, dots, CURVE_CELLS,
                            curve_rows(in, in->n), err);
        m->watchers[i] = (watcher){.rows = all[i].rows, .enter = trace_row, .self = &all[i]};
    }
    return status;
}

static void close_run(void *own)
{
    portrait *q = own;
    ph_rows_free(q->rows);
    thin_free(&q->curve);
}

#define PORTRAITS                                                                                            \
    {                                                                                                        \
        .size = sizeof(portrait), .open = open_run, .begin = begin_portraits, .between = trace_portraits,    \
        .fill = fill_run, .finish = finish_portraits, .close = close_run                                     \
    }
const figure_steps steps_phase = PORTRAITS, steps_against = PORTRAITS;
