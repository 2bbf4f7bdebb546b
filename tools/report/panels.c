/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel's curves, taken out of the tables of its picture, as figures/curves.h draws them. */
#include "panels.h"

#include "bench/report/markup.h"
#include "figures/curves.h"
#include "figures/key.h"
#include "figures/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)CURVES_LINES >= (int)CURVES_MOST, "a panel has room for all of its curves");

/* The curves of a panel, with their numbers. */
typedef struct lines {
    curves_line at[CURVES_MOST];
    size_t n;
    double *numbers; /* x, y and a third of all of them */
} lines;

/* Numbers of a curve: a bar has three points, its foot, its top and a gap. */
static size_t points_of(const drawn *c)
{
    size_t from, to;
    drawn_rows(c, &from, &to);
    return (to - from) * (c->look == LOOK_BARS ? 3 : 1);
}

/* to (points_of) <- a column in the rows of the curve. */
static double *copy_column(double *to, const drawn *c, size_t column)
{
    size_t from, end;
    drawn_rows(c, &from, &end);
    for (size_t i = from; i < end; i++)
        to[i - from] = c->of->values[i * c->of->columns + column];
    return to;
}

static void copy_bars(double *x, double *y, const drawn *c)
{
    size_t from, end;
    drawn_rows(c, &from, &end);
    for (size_t i = from; i < end; i++) {
        const double *row = c->of->values + i * c->of->columns;
        double *bar_x = x + 3 * (i - from), *bar_y = y + 3 * (i - from);
        bar_x[0] = bar_x[1] = row[c->x] + c->shift;
        bar_y[0] = 0;
        bar_y[1] = row[c->y];
        bar_x[2] = bar_y[2] = NAN;
    }
}

/* Is it behind the other curves of its run? A thinned curve that fills its region is not, though it is drawn faint. */
static bool is_behind(const drawn *c)
{
    return c->look == LOOK_HAZE || (c->look == LOOK_FAINT && !c->cells);
}

/* Is there a line of the run before the k-th that is not in the background? */
static bool is_named(const panel *p, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (p->curves[i].run == p->curves[k].run && !is_behind(&p->curves[i]) &&
            p->curves[i].look != LOOK_GUIDE)
            return true;
    return false;
}

static const char *label_of(const picture *p, size_t i)
{
    return p->n_labels ? p->labels[i] : "";
}

static const char *colour_of(const picture *p, size_t i)
{
    return i < RUNS_MOST && p->colours[i] ? p->colours[i] : key_colour(i);
}

/* Names of more curves than these, or longer ones [letters], would lie over each other, or leave the picture. */
enum { NAMES_MOST = 4, LETTERS_MOST = 44 };

static bool has_key(const picture *p)
{
    bool many =
        p->n_runs > NAMES_MOST || (p->n_runs > 1 && p->n && !p->panels->ends); /* paths may be the same */
    for (size_t i = 0; i < p->n_runs && p->n_runs > 1; i++)
        many = many || utf8_length(p->labels[i]) > LETTERS_MOST;
    return many;
}

static void put_key(FILE *f, const picture *p)
{
    fputs("<ul class=\"key\">", f);
    for (size_t i = 0; i < p->n_runs; i++) {
        fprintf(f, "<li><span class=\"swatch\" style=\"--c:%s\"></span>", colour_of(p, i));
        markup_between(f, "", label_of(p, i), "</li>\n");
    }
    fputs("</ul>\n", f);
}

static const char *title_of(const picture *p, const panel *at, size_t k)
{
    const drawn *c = &at->curves[k];
    if (c->look == LOOK_GUIDE)
        return picture_guide(p, false);
    return is_behind(c) || is_named(at, k) ? "" : label_of(p, c->run);
}

/* Appends the k-th curve. *room: where its numbers go, and those of the next. */
static void take_curve(lines *l, const picture *p, const panel *at, size_t k, double **room)
{
    const drawn *c = &at->curves[k];
    const size_t n = points_of(c);
    curves_line *line = &l->at[l->n++];
    *line = (curves_line){.title = title_of(p, at, k),
                          .colour = c->look == LOOK_GUIDE ? "#777777" : colour_of(p, c->run),
                          .dashed = c->look == LOOK_GUIDE,
                          .guide = c->look == LOOK_GUIDE,
                          .x = *room,
                          .y = *room + n,
                          .n = n,
                          .dots = c->look == LOOK_DOTS,
                          .faint = c->look == LOOK_FAINT || c->look == LOOK_HAZE};
    if (c->look == LOOK_BARS) {
        line->bar = c->width;
        copy_bars(*room, *room + n, c);
    } else {
        copy_column(*room, c, c->x);
        copy_column(*room + n, c, c->y);
    }
    if (c->look == LOOK_BAND)
        line->upper = copy_column(*room + 2 * n, c, c->y2);
    if (c->look == LOOK_SHADES)
        line->shade = copy_column(*room + 2 * n, c, c->y2);
    *room += 3 * n;
}

static bool take_curves(lines *l, const picture *p, const panel *at)
{
    size_t points = 0;
    for (size_t k = 0; k < at->n; k++)
        points += points_of(&at->curves[k]);
    *l = (lines){.numbers = malloc((3 * points + 1) * sizeof *l->numbers)};
    double *room = l->numbers;
    for (size_t k = 0; room && k < at->n; k++)
        take_curve(l, p, at, k, &room);
    return room;
}

/* Panels below each other share the axis of the last one. */
static const char *x_label_of(const picture *p, size_t i)
{
    const char *own = p->panels[i].x_label;
    return *own ? own : p->panels[p->n - 1].x_label;
}

static ph_status write_panel(FILE *f, const picture *p, size_t i, const char *words, ph_error *err)
{
    const panel *at = &p->panels[i];
    char x_label[PICTURE_WORDS], y_label[PICTURE_WORDS], said[2400];
    lines l;
    if (!take_curves(&l, p, at))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    picture_words(x_label, x_label_of(p, i));
    picture_words(y_label, at->y_label);
    const curves c = {.x_label = x_label,
                      .y_label = y_label,
                      .lines = l.at,
                      .n = l.n,
                      .x_even = !at->log_x,
                      .y_even = !at->log_y,
                      .equal = at->equal,
                      .y_zero = at->from_zero,
                      .keyed = has_key(p)};
    snprintf(said, sizeof said, "%s against %s%s. %s", y_label, x_label,
             at->log_x && at->log_y ? ", on logarithmic axes" : "", words);
    if (curves_points(&c)) {
        fputs("<figure class=\"plot\">", f);
        curves_draw(f, &c, said);
        curves_data(f, &c);
        fputs("</figure>\n", f);
    }
    free(l.numbers);
    return PH_OK;
}

ph_status panels_write(FILE *f, const picture *p, const char *words, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < p->n && !status; i++)
        status = write_panel(f, p, i, i ? "" : words, err);
    if (!status && has_key(p))
        put_key(f, p);
    return status;
}
