/* SPDX-License-Identifier: BSD-3-Clause */
/* Which figures a sweep has, by what varies, and their pictures but those of cells (ensemble-cells.c). */
#include "ensemble-figures.h"
#include "ensemble-cells.h"

#include "figures/utf8.h"

#include <polhode/kit/text.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points are drawn one by one, and members line by line, up to so many; of more cells and bands. Bands are of up to so many members.
 * Columns of a picture, and maps, without a wish. */
enum {
    POINTS_MOST = 3000,
    LINES_MOST = 24,
    OVERLAID_MOST = 4096,
    COLUMNS_SHOWN = 6,
    MAPS_SHOWN = 3,
    BINS = 50
};

typedef enum kind { OVER, MAP, DISTRIBUTION, MEMBERS } kind;
static const char *const figures[ENSEMBLE_FIGURES][2] = {
    {"over",
     "columns of the members' last rows over one number that varies; other values that vary as curves"},
    {"map",
     "a picture for each column, its colours over two numbers that vary; other values that vary as panels"},
    {"distribution", "a histogram of each column, with quantiles"},
    {"members", "columns over time, all members over each other; of many, bands between quantiles"}};

const char *ensemble_figure(size_t i, const char **text)
{
    *text = i < ENSEMBLE_FIGURES ? figures[i][1] : NULL;
    return i < ENSEMBLE_FIGURES ? figures[i][0] : NULL;
}

static int find_kind(const char *name)
{
    size_t i = 0;
    while (i < ENSEMBLE_FIGURES && strcmp(figures[i][0], name) != 0)
        i++;
    return (int)i;
}

bool ensemble_knows(const char *name, ph_error *err)
{
    if (find_kind(name) < ENSEMBLE_FIGURES)
        return true;
    ph_fail(
        err, PH_E_UNKNOWN,
        "a sweep has no figure '%.60s', but over, map, distribution and members; --member I draws the figures of one of its members",
        name);
    return false;
}

/* ---- Over one number ------------------------------------------------------------------------------------------ */

/* A member in the order of curves and x. */
typedef struct point {
    size_t at, i;
    double x;
} point;

static int compare_points(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->i < q->i ? -1 : 1;
}

/* *look <- of a curve: points that are one for each x are joined where x takes few values. */
static drawn_look look_of(const ensemble_column *x, const point *points, size_t from, size_t to)
{
    bool single = true;
    for (size_t i = from + 1; i < to; i++)
        single = single && points[i].x > points[i - 1].x;
    return !single || (x->n > ENSEMBLE_CELLS && !x->rises) ? LOOK_DOTS
           : to - from > 200                               ? LOOK_LINE
                                                           : LOOK_MARKED;
}

static ph_status put_points(picture *p, const ensemble *e, const split *s, const ensemble_column *x,
                            const point *points, size_t n, ph_error *err)
{
    table *t = p->tables;
    const size_t first = 2 + s->n;
    ph_status status = PH_OK;
    bool failed = false;
    table_column(t, "member", NULL);
    table_column(t, x->name, x->unit);
    for (size_t k = 0; k < s->n; k++)
        table_column(t, s->keys[k]->name, s->keys[k]->unit);
    for (size_t k = 0; k < e->n_columns; k++)
        table_column(t, e->columns[k].name, e->columns[k].unit);
    p->curved->columns = 2;
    for (size_t i = 0; i < n && !status; i++) {
        const size_t m = points[i].i;
        double row[TABLE_COLUMNS] = {e->table[m * e->width + ENSEMBLE_MEMBER], points[i].x};
        for (size_t k = 0; k < s->n; k++)
            row[2 + k] = ensemble_value(e, s->keys[k], m);
        for (size_t k = 0; k < e->n_columns; k++)
            row[first + k] = ensemble_value(e, &e->columns[k], m);
        status = table_add(t, row, err);
        failed = failed || ensemble_failed(e->table[m * e->width + ENSEMBLE_STATUS]);
    }
    for (size_t k = 0; k < p->n && !status; k++) {
        panel *at = &p->panels[k];
        for (size_t from = 0, to; from < n; from = to) {
            for (to = from; to < n && points[to].at == points[from].at;)
                to++;
            panel_add(at, (drawn){.of = t,
                                  .x = 1,
                                  .y = first + k,
                                  .look = look_of(x, points, from, to),
                                  .run = points[from].at,
                                  .from = from,
                                  .to = to});
        }
        const size_t from = p->curved->rows; /* crosses at the lower end */
        for (size_t i = 0; i < n && !status && isfinite(e->columns[k].least); i++)
            if (ensemble_failed(e->table[points[i].i * e->width + ENSEMBLE_STATUS]))
                status = table_add(p->curved, (double[]){points[i].x, e->columns[k].least}, err);
        if (p->curved->rows > from)
            panel_add(at, (drawn){.of = p->curved,
                                  .y = 1,
                                  .look = LOOK_CROSS,
                                  .run = ENSEMBLE_BLACK,
                                  .from = from,
                                  .to = p->curved->rows});
    }
    if (failed)
        picture_say(p, "Crosses at the lower end: failed.");
    return status;
}

static ph_status fill_over(picture *p, const ensemble *e, const ensemble_column *x, ph_error *err)
{
    split s;
    size_t n = 0;
    split_find(&s, e, x, NULL, RUNS_MOST);
    point *points = malloc((e->n + 1) * sizeof *points);
    if (!points)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < e->n; i++) {
        points[n] = (point){split_of(&s, e, i), i, ensemble_value(e, x, i)};
        n += isfinite(points[n].x) && points[n].at < s.count;
    }
    qsort(points, n, sizeof *points, compare_points);
    p->n_runs = 1;
    p->stacked = true;
    p->cross = "failed";
    for (size_t k = 0; k < e->n_columns; k++) {
        panel *at = &p->panels[p->n++];
        ensemble_axis(e, &e->columns[k], at->y_label, sizeof at->y_label);
        at->log_x = x->log;
        at->log_y = e->columns[k].log;
        at->close = true;
        at->whole_x = x->words;
    }
    ensemble_axis(e, x, p->panels[p->n ? p->n - 1 : 0].x_label, sizeof p->panels->x_label);
    for (size_t i = 0; s.n && i < s.count; i++) {
        char words[RUN_LABEL];
        split_words(&s, e, i, words, sizeof words);
        picture_label(p, i, "%s", words);
    }
    picture_say(p, "The last rows of the members over %.60s%s.", x->name,
                s.count > 1 ? ", a curve for each of the other values" : "");
    const ph_status status = put_points(p, e, &s, x, points, n, err);
    split_say(&s, e, x, NULL, p);
    ensemble_say(e, NULL, p);
    free(points);
    return status;
}

/* ---- Distributions -------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* As the quantiles of NAME.statistics.json (lib/sweep/statistics.c). */
static double quantile(const double *sorted, size_t n, double share)
{
    if (!n)
        return NAN;
    const double at = share * (double)(n - 1);
    const size_t i = (size_t)at, next = i + 1 < n ? i + 1 : i;
    return sorted[i] + (at - (double)i) * (sorted[next] - sorted[i]);
}

static const double shares[ENSEMBLE_SHARES] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/* Of a column of the table: the rules of NAME.statistics.json, in the order of members. */
ph_status ensemble_spread_of(const ensemble *e, const ensemble_column *c, ensemble_spread *s, ph_error *err)
{
    double *sorted = malloc((e->n + 1) * sizeof *sorted);
    long double sum = 0, squares = 0;
    size_t n = 0;
    *s = (ensemble_spread){.least = NAN, .most = NAN, .mean = NAN, .deviation = NAN};
    if (!sorted)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < e->n; i++) {
        const double x = e->table[i * e->width + c->in_table];
        if (isfinite(x))
            sum += sorted[n++] = x;
    }
    const long double mean = n ? sum / (long double)n : NAN;
    for (size_t i = 0; i < n; i++)
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    qsort(sorted, n, sizeof *sorted, compare);
    s->members = n;
    if (n) {
        s->mean = (double)mean;
        s->least = sorted[0];
        s->most = sorted[n - 1];
        s->deviation = n > 1 ? (double)sqrtl(squares / (long double)(n - 1)) : (double)NAN;
    }
    const double width = n ? s->most - s->least : 0;
    s->bins = width > 0 ? ENSEMBLE_BINS : 1;
    for (size_t i = 0; i < n; i++) {
        const double at = width > 0 ? (double)s->bins * ((sorted[i] - s->least) / width) : 0;
        s->counts[at < (double)s->bins ? (size_t)at : s->bins - 1]++;
    }
    for (size_t k = 0; k < ENSEMBLE_SHARES; k++)
        s->quantiles[k] = quantile(sorted, n, shares[k]);
    free(sorted);
    return PH_OK;
}

/* The bars of a column, and lines at its quantiles of 5, 50 and 95 %. */
static ph_status put_distribution(picture *p, size_t k, const ensemble_spread *s, ph_error *err)
{
    static const size_t lines[] = {1, 3, 5};
    table *t = p->curved;
    ph_status status = PH_OK;
    double top = 0, width = (s->most - s->least) / (double)s->bins;
    size_t from = t->rows;
    width = width > 0 ? width : 0.02 * fmax(fabs(s->least), 1e-9);
    for (size_t b = 0; b < s->bins && !status; b++) {
        top = fmax(top, s->counts[b]);
        if (s->counts[b] > 0)
            status = table_add(t, (double[]){s->least + width * ((double)b + 0.5), s->counts[b]}, err);
    }
    if (t->rows > from)
        panel_add(&p->panels[k],
                  (drawn){.of = t, .y = 1, .look = LOOK_BARS, .width = width, .from = from, .to = t->rows});
    for (size_t i = 0; i < 3 && s->members && !status; i++) {
        const double at = s->quantiles[lines[i]];
        from = t->rows;
        status = table_add(t, (double[]){at, 0}, err);
        if (!status)
            status = table_add(t, (double[]){at, top}, err);
        panel_add(&p->panels[k], (drawn){.of = t,
                                         .y = 1,
                                         .look = LOOK_LINE,
                                         .run = 1,
                                         .dashes = i == 1 ? 0 : 2,
                                         .from = from,
                                         .to = t->rows});
    }
    return status;
}

static ph_status fill_distribution(picture *p, const ensemble *e, ph_error *err)
{
    ensemble_spread of[ENSEMBLE_COLUMNS];
    double row[TABLE_COLUMNS];
    ph_status status = PH_OK;
    p->n_runs = 1;
    p->n = e->n_columns;
    p->across = p->n <= 3 ? p->n : p->n == 4 ? 2 : 3;
    p->curved->columns = 2;
    p->other = "quantiles";
    table_column(p->tables, "bin", NULL);
    table_column(p->others, "share", NULL);
    for (size_t k = 0; k < p->n && !status; k++) {
        const ensemble_column *c = &e->columns[k];
        char name[TABLE_NAME];
        snprintf(name, sizeof name, "%.60s_from", c->name);
        table_column(p->tables, name, c->unit);
        snprintf(name, sizeof name, "%.60s_members", c->name);
        table_column(p->tables, name, NULL);
        table_column(p->others, c->name, c->unit);
        picture_axis(p->panels[k].x_label, sizeof p->panels->x_label, c->name, c->unit);
        snprintf(p->panels[k].y_label, sizeof p->panels->y_label, "members");
        p->panels[k].from_zero = true;
        status = ensemble_spread_of(e, c, &of[k], err);
    }
    for (size_t b = 0; b < ENSEMBLE_BINS && !status; b++) {
        row[0] = (double)b;
        for (size_t k = 0; k < p->n; k++) {
            const bool is = b < of[k].bins;
            row[1 + 2 * k] =
                is ? of[k].least + (of[k].most - of[k].least) * (double)b / (double)of[k].bins : (double)NAN;
            row[2 + 2 * k] = is ? of[k].counts[b] : (double)NAN;
        }
        status = table_add(p->tables, row, err);
    }
    for (size_t i = 0; i < ENSEMBLE_SHARES && !status; i++) {
        row[0] = shares[i];
        for (size_t k = 0; k < p->n; k++)
            row[1 + k] = of[k].quantiles[i];
        status = table_add(p->others, row, err);
    }
    for (size_t k = 0; k < p->n && !status; k++)
        status = put_distribution(p, k, &of[k], err);
    picture_say(
        p,
        "How many members have which values in their last rows; lines at the median (solid) and at the quantiles of 5 and 95 %%.");
    ensemble_say(e, NULL, p);
    return status;
}

/* ---- Members over time ----------------------------------------------------------------------------------------- */

/* The rows of members, as ensemble_rows gives them. */
typedef struct overlay {
    double *rows;
    size_t n, each, width; /* members, rows of each, numbers of a row */
    int64_t of;
} overlay;

static ph_status put_lines(picture *p, const ensemble *e, const overlay *o, ph_error *err)
{
    table *t = p->tables;
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    table_column(t, "member", NULL);
    for (size_t k = 0; k < e->n_columns; k++)
        table_column(t, e->columns[k].name, e->columns[k].unit);
    for (size_t i = 0; i < o->n && !status; i++) {
        for (size_t r = 0; r < o->each && !status; r++) {
            const double *from = o->rows + (i * o->each + r) * o->width;
            if (!isfinite(from[0]))
                continue;
            status = table_add(t, from, err);
        }
        status = status ? status : table_break(t, err);
    }
    for (size_t k = 0; k < p->n; k++)
        panel_add(&p->panels[k], (drawn){.of = t, .y = 2 + k, .look = o->n > 8 ? LOOK_FAINT : LOOK_LINE});
    return status;
}

/* Do all members have their rows at the same times, as far as they have them? times (each) <- these. */
static bool has_common_times(const overlay *o, double *times)
{
    for (size_t r = 0; r < o->each; r++) {
        times[r] = NAN;
        for (size_t i = 0; i < o->n; i++) {
            const double t = o->rows[(i * o->each + r) * o->width];
            if (isfinite(times[r]) && isfinite(t) && fabs(t - times[r]) > 1e-9 * fabs(t))
                return false;
            times[r] = isfinite(t) ? t : times[r];
        }
    }
    return true;
}

static ph_status put_bands(picture *p, const ensemble *e, const overlay *o, const double *times,
                           ph_error *err)
{
    static const size_t of[] = {1, 2, 3, 4, 5}; /* 5, 25, 50, 75, 95 % */
    table *t = p->tables;
    double row[TABLE_COLUMNS], *sorted = malloc((o->n + 1) * sizeof *sorted);
    ph_status status = sorted ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    table_column(t, "t", "s");
    for (size_t k = 0; k < p->n; k++)
        for (size_t q = 0; q < 5; q++) {
            char name[TABLE_NAME];
            snprintf(name, sizeof name, "%.60s_%g%%", e->columns[k].name, 100 * shares[of[q]]);
            table_column(t, name, e->columns[k].unit);
        }
    for (size_t r = 0; r < o->each && !status; r++) {
        row[0] = times[r];
        for (size_t k = 0; k < p->n; k++) {
            size_t n = 0;
            for (size_t i = 0; i < o->n; i++) {
                const double x = o->rows[(i * o->each + r) * o->width + 2 + k];
                if (isfinite(x))
                    sorted[n++] = x;
            }
            qsort(sorted, n, sizeof *sorted, compare);
            for (size_t q = 0; q < 5; q++)
                row[1 + 5 * k + q] = quantile(sorted, n, shares[of[q]]);
        }
        status = table_add(t, row, err);
    }
    for (size_t k = 0; k < p->n; k++) {
        const size_t first = 1 + 5 * k;
        panel_add(&p->panels[k], (drawn){.of = t, .y = first, .y2 = first + 4, .look = LOOK_BAND, .run = 7});
        panel_add(&p->panels[k], (drawn){.of = t, .y = first + 1, .y2 = first + 3, .look = LOOK_BAND});
        panel_add(&p->panels[k], (drawn){.of = t, .y = first + 2, .look = LOOK_LINE, .run = 1});
    }
    free(sorted);
    return status;
}

static ph_status fill_members(picture *p, const ensemble *whole, ph_error *err)
{
    enum { BANDS_MOST = (TABLE_COLUMNS - 1) / 5 };
    ensemble own = *whole, *e = &own; /* without the time, which is the axis, unless it alone is drawn */
    own.n_columns = 0;
    for (size_t k = 0; k < whole->n_columns; k++)
        if (whole->columns[k].in_row != 0 || whole->n_columns == 1)
            own.columns[own.n_columns++] = whole->columns[k];
    overlay o = {.each = ensemble_times(e), .width = 2 + e->n_columns};
    double *times = malloc((o.each + 1) * sizeof *times);
    ph_status status = times ? ensemble_rows(e, OVERLAID_MOST, &o.rows, &o.n, &o.of, err)
                             : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const bool bands = !status && o.n > LINES_MOST && has_common_times(&o, times);
    p->n_runs = 1;
    p->stacked = true;
    p->n = bands && e->n_columns > BANDS_MOST ? BANDS_MOST : e->n_columns;
    for (size_t k = 0; k < p->n; k++) {
        ensemble_axis(e, &e->columns[k], p->panels[k].y_label, sizeof p->panels->y_label);
        p->panels[k].log_y = e->columns[k].log;
        p->panels[k].close = p->panels[k].ends = true;
    }
    snprintf(p->panels[p->n ? p->n - 1 : 0].x_label, sizeof p->panels->x_label, "time t [s]");
    if (!status && bands) {
        status = put_bands(p, e, &o, times, err);
        picture_say(
            p,
            "At each time the median of the members, and bands of half (25 to 75 %%) and of nine tenths (5 to 95 %%) of them.");
        if ((int64_t)o.n < o.of)
            picture_say(p, "They are of %zu members, taken evenly.", o.n);
    } else if (!status) {
        const size_t all = o.n, step = (o.n + LINES_MOST - 1) / LINES_MOST;
        for (o.n = 0; step && o.n * step < all; o.n++)
            memmove(o.rows + o.n * o.each * o.width, o.rows + o.n * step * o.each * o.width,
                    o.each * o.width * sizeof *o.rows);
        status = put_lines(p, e, &o, err);
        picture_say(p, "%zu of %" PRId64 " members that did not fail, over time.", o.n, o.of);
    }
    if (p->n < e->n_columns) {
        char list[300] = "";
        for (size_t k = p->n; k < e->n_columns; k++)
            text_add(list, sizeof list, "%s%.60s", k > p->n ? ", " : "", e->columns[k].name);
        picture_say(p, "Bands are of up to %d columns, without %s; --columns names others.", BANDS_MOST,
                    list);
    }
    if ((int64_t)o.each < e->info.swept.rows)
        picture_say(p, "%zu of %" PRId64 " rows of each, at equal distances.", o.each, e->info.swept.rows);
    ensemble_say(whole, NULL, p);
    free(o.rows);
    free(times);
    return status;
}

/* ---- Which are made --------------------------------------------------------------------------------------------- */

static picture *add_picture(ensemble_pictures *all, kind which, const char *column)
{
    ensemble_picture *one = all->n < ENSEMBLE_PICTURES ? calloc(1, sizeof *one) : NULL;
    if (!one)
        return NULL;
    snprintf(one->name, sizeof one->name, "%s%s%.60s", figures[which][0], column ? "-" : "",
             column ? column : "");
    for (char *c = one->name; *c; c++)
        if (*c == '/')
            *c = '-';
    all->at[all->n++] = one;
    return &one->picture;
}

static size_t count_numbers(const ensemble *e)
{
    size_t n = 0;
    for (size_t k = 0; k < e->n_keys; k++)
        n += !e->keys[k].words;
    return n;
}

static ph_status find_axes(const ensemble *e, const ensemble_wish *w, const ensemble_column *axes[2],
                           ph_error *err)
{
    const char *const names[] = {w->x, w->y};
    for (size_t i = 0; i < 2; i++) {
        axes[i] = names[i] ? ensemble_find(e, names[i], err) : NULL;
        if (names[i] && !axes[i])
            return PH_E_UNKNOWN;
    }
    axes[0] = axes[0] ? axes[0] : ensemble_widest(e, axes[1]);
    axes[1] = axes[1] ? axes[1] : ensemble_widest(e, axes[0]);
    if (!w->x && !w->y && axes[1] && axes[1] < axes[0]) { /* in their order */
        const ensemble_column *first = axes[1];
        axes[1] = axes[0];
        axes[0] = first;
    }
    return PH_OK;
}

static ph_status add_over(ensemble_pictures *all, ensemble *e, const ensemble_column *x, ph_error *err)
{
    if (e->n <= POINTS_MOST) {
        picture *p = add_picture(all, OVER, NULL);
        return p ? fill_over(p, e, x, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < e->n_columns; k++) {
        picture *p = add_picture(all, OVER, e->columns[k].name);
        const ph_status status = p ? ensemble_cells(p, e, x, &e->columns[k], NULL, err)
                                   : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        if (status)
            return status;
    }
    return PH_OK;
}

static ph_status add_maps(ensemble_pictures *all, ensemble *e, const ensemble_column *const axes[2],
                          bool wished, ph_error *err)
{
    size_t shown = 0;
    for (size_t k = 0; k < e->n_columns && (wished || shown < MAPS_SHOWN); k++) {
        if (&e->columns[k] == axes[0] || &e->columns[k] == axes[1])
            continue;
        picture *p = add_picture(all, MAP, e->columns[k].name);
        const ph_status status = p ? ensemble_cells(p, e, axes[0], axes[1], &e->columns[k], err)
                                   : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        if (status)
            return status;
        shown++;
    }
    return shown ? PH_OK
                 : ph_fail(
                       err, PH_E_UNSUPPORTED,
                       "map: all columns are at axes, and none is left for the colours; --columns names one");
}

static ph_status add_figure(ensemble_pictures *all, ensemble *e, kind which, const ensemble_wish *w,
                            ph_error *err)
{
    const ensemble_column *axes[2];
    picture *p;
    ph_status status = find_axes(e, w, axes, err);
    if (status)
        return status;
    const ensemble_column *x = w->x ? axes[0] : ensemble_widest(e, NULL);
    switch (which) {
    case OVER:
        return x ? add_over(all, e, x, err)
                 : ph_fail(err, PH_E_UNSUPPORTED, "over: nothing varies between the members");
    case MAP:
        if (!axes[0] || !axes[1])
            return ph_fail(
                err, PH_E_UNSUPPORTED,
                "map: it takes two values that vary, and %s%s does; --figure over draws columns over it",
                axes[0] ? "only " : "none", axes[0] ? axes[0]->name : "");
        return add_maps(all, e, axes, w->columns.n, err);
    case DISTRIBUTION:
        p = add_picture(all, DISTRIBUTION, NULL);
        return p ? fill_distribution(p, e, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    default:
        if (e->info.swept.rows < 2)
            return ph_fail(
                err, PH_E_UNSUPPORTED,
                "members: the sweep keeps one row of each member; times in `output` (interval: 0.1) keep more, and --member I "
                "draws one member");
        p = add_picture(all, MEMBERS, NULL);
        return p ? fill_members(p, e, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
}

/* By what varies. */
static ph_status add_usual(ensemble_pictures *all, ensemble *e, const ensemble_wish *w, ph_error *err)
{
    const size_t numbers = count_numbers(e);
    const bool one = numbers < 2 && e->n_keys, product = ensemble_is_product(e);
    const bool map = w->y || (numbers > 1 && product),
               over = !map && (w->x || one || (e->n_keys && ensemble_is_path(e)));
    ph_status status = PH_OK;
    if (map)
        status = add_figure(all, e, MAP, w, err);
    if (over && !status)
        status = add_figure(all, e, OVER, w, err);
    if (!status && (w->page || (!map && !over)))
        status = add_figure(all, e, DISTRIBUTION, w, err);
    if (!status && e->info.swept.rows > 1)
        status = add_figure(all, e, MEMBERS, w, err);
    return status;
}

ph_status ensemble_draw(ensemble *e, const char *path, const ensemble_wish *w, ensemble_pictures *all,
                        ph_error *err)
{
    const char *columns[ENSEMBLE_COLUMNS + 2];
    *all = (ensemble_pictures){.n = 0};
    size_t n = w->columns.n;
    for (size_t i = 0; i < n && i < ENSEMBLE_COLUMNS; i++)
        columns[i] = w->columns.at[i];
    ph_status status = ensemble_open(e, path, n ? columns : NULL, n, (const char *[]){w->x, w->y},
                                     COLUMNS_SHOWN, w->span, w->quiet, err);
    unsigned made = 0; /* a figure that is named again is made once */
    for (size_t i = 0; i < w->figures.n && !status; i++) {
        const int which = find_kind(w->figures.at[i]);
        if (made & 1u << which)
            continue;
        made |= 1u << which;
        status = add_figure(all, e, (kind)which, w, err);
    }
    if (!status && !w->figures.n)
        status = add_usual(all, e, w, err);
    return status ? status : info_starved(&e->info, err);
}

void ensemble_pictures_free(ensemble_pictures *all)
{
    for (size_t i = 0; i < all->n; i++) {
        picture_free(&all->at[i]->picture);
        free(all->at[i]);
    }
    all->n = 0;
}
