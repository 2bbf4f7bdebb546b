/* SPDX-License-Identifier: BSD-3-Clause */
/* A panel's curves, taken out of the tables of its picture, as bench/report/curves.h draws them. */
#include "panels.h"

#include "bench/report/curves.h"
#include "bench/report/markup.h"

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

/* to (rows) <- a column. */
static double *copy_column(double *to, const table *t, size_t column)
{
    for (size_t i = 0; i < t->rows; i++)
        to[i] = t->values[i * t->columns + column];
    return to;
}

/* Is there a line of the run before the k-th that is not in the background? */
static bool is_named(const panel *p, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (p->curves[i].run == p->curves[k].run && p->curves[i].look != LOOK_FAINT &&
            p->curves[i].look != LOOK_GUIDE)
            return true;
    return false;
}

static const char *title_of(const picture *p, const panel *at, size_t k)
{
    const drawn *c = &at->curves[k];
    if (c->look == LOOK_GUIDE)
        return "\xe2\x88\x9at";
    return p->n_runs < 2 || c->look == LOOK_FAINT || is_named(at, k) ? "" : p->runs[c->run].label;
}

/* Appends the k-th curve. *room: where its numbers go, and those of the next. */
static void take_curve(lines *l, const picture *p, const panel *at, size_t k, double **room)
{
    const drawn *c = &at->curves[k];
    const size_t n = c->of->rows;
    curves_line *line = &l->at[l->n++];
    *line = (curves_line){.title = title_of(p, at, k),
                          .colour = c->look == LOOK_GUIDE ? "#777777" : p->runs[c->run].colour,
                          .dashed = c->look == LOOK_GUIDE,
                          .guide = c->look == LOOK_GUIDE,
                          .x = copy_column(*room, c->of, c->x),
                          .y = copy_column(*room + n, c->of, c->y),
                          .n = n,
                          .dots = c->look == LOOK_DOTS,
                          .faint = c->look == LOOK_FAINT};
    if (c->look == LOOK_BAND)
        line->upper = copy_column(*room + 2 * n, c->of, c->y2);
    if (c->look == LOOK_SHADES)
        line->shade = copy_column(*room + 2 * n, c->of, c->y2);
    *room += 3 * n;
}

static bool take_curves(lines *l, const picture *p, const panel *at)
{
    size_t rows = 0;
    for (size_t k = 0; k < at->n; k++)
        rows += at->curves[k].of->rows;
    *l = (lines){.numbers = malloc((3 * rows + 1) * sizeof *l->numbers)};
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
                      .y_zero = at->from_zero};
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
    return status;
}
