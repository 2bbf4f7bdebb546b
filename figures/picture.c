/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of figures, labels, and where curves end. */
#include "picture.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void picture_free(picture *p)
{
    for (size_t i = 0; i < RUNS_MOST; i++) {
        free(p->tables[i].values);
        free(p->others[i].values);
        free(p->curved[i].values);
    }
    free(p->guide.values);
    memset(p, 0, sizeof *p);
}

const char *colour_of_curve(size_t i)
{
    /* Okabe and Ito's, darkest first */
    static const char *const colours[RUNS_MOST] = {"#0072B2", "#D55E00", "#009E73", "#000000",
                                                   "#CC79A7", "#882255", "#E69F00", "#56B4E9"};
    return colours[i % RUNS_MOST];
}

const char *colour_of_text(size_t i)
{
    static const char *const darker[RUNS_MOST] = {"#0072B2", "#B84F00", "#00775A", "#000000",
                                                  "#A04F7D", "#882255", "#8F6300", "#1B74A8"};
    return darker[i % RUNS_MOST];
}

const char *picture_colour(const picture *p, size_t colour)
{
    return p->colours[colour % LABELS_MOST] ? p->colours[colour % LABELS_MOST] : colour_of_curve(colour);
}

/* The anchors are those of the palette viridis (van der Walt and Smith, CC0), whose lightness rises evenly. */
unsigned colour_of_cell(double shade)
{
    static const double anchors[][3] = {{68, 1, 84},    {65, 68, 135},  {42, 120, 142},
                                        {34, 168, 132}, {122, 209, 81}, {253, 231, 37}};
    const unsigned grey = 0xc4c4c4;
    if (!isfinite(shade))
        return grey;
    const double level = fmin(floor(fmax(shade, 0) * COLOUR_LEVELS), COLOUR_LEVELS - 1),
                 at = 5 * level / (COLOUR_LEVELS - 1);
    const size_t i = at < 4 ? (size_t)at : 4;
    unsigned colour = 0;
    for (size_t k = 0; k < 3; k++)
        colour = colour << 8 |
                 (unsigned)lround(anchors[i][k] + (at - (double)i) * (anchors[i + 1][k] - anchors[i][k]));
    return colour;
}

double colour_shade(const colour_scale *scale, double value)
{
    const double least = scale->log ? log(scale->least) : scale->least,
                 most = scale->log ? log(scale->most) : scale->most;
    if (!axis_has(value, scale->log))
        return NAN;
    return most > least ? ((scale->log ? log(value) : value) - least) / (most - least) : 0.5;
}

bool drawn_is_behind(const drawn *c)
{
    return c->look == LOOK_HAZE || (c->look == LOOK_FAINT && !c->cells);
}

/* Has a curve before the k-th its name? */
static bool is_named(const panel *at, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (at->curves[i].run == at->curves[k].run && !drawn_is_behind(&at->curves[i]) &&
            at->curves[i].look != LOOK_GUIDE)
            return true;
    return false;
}

void picture_name(char name[CURVE_NAME], const picture *p, const panel *at, size_t k, bool keyed)
{
    const drawn *c = &at->curves[k];
    const char *label = c->run < p->n_labels ? p->labels[c->run] : "",
               *dashes = p->dashes[c->dashes % DASHES];
    *name = '\0';
    if (c->look == LOOK_GUIDE)
        snprintf(name, CURVE_NAME, "%s", p->guide_name ? p->guide_name : "");
    else if (!drawn_is_behind(c) && (keyed || !is_named(at, k)))
        snprintf(name, CURVE_NAME, "%s%s%s", label, *label && *dashes ? ", " : "", dashes);
}

const char *dashes_of(const drawn *c)
{
    static const char *const patterns[DASHES] = {NULL, "9,5", "2,4", "9,4,2,4", "16,6", "9,4,2,4,2,4"};
    return c->look == LOOK_GUIDE ? "6,4" : patterns[c->dashes % DASHES];
}

size_t table_column(table *t, const char *name, const char *unit)
{
    const size_t i = t->columns < TABLE_COLUMNS - 1 ? t->columns++ : TABLE_COLUMNS - 1;
    if (unit && *unit && strcmp(unit, "1") != 0)
        snprintf(t->names[i], TABLE_NAME, "%.60s[%.30s]", name, unit);
    else
        snprintf(t->names[i], TABLE_NAME, "%.90s", name);
    return i;
}

ph_status table_add(table *t, const double *row, ph_error *err)
{
    if (t->rows == t->room) {
        const size_t room = t->room ? 2 * t->room : 256;
        double *values = realloc(t->values, room * t->columns * sizeof *values);
        if (!values)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        t->values = values;
        t->room = room;
    }
    memcpy(t->values + t->rows++ * t->columns, row, t->columns * sizeof *row);
    return PH_OK;
}

ph_status table_break(table *t, ph_error *err)
{
    double row[TABLE_COLUMNS];
    for (size_t i = 0; i < TABLE_COLUMNS; i++)
        row[i] = NAN;
    return table_add(t, row, err);
}

void drawn_rows(const drawn *c, size_t *from, size_t *to)
{
    *from = c->from;
    *to = c->to ? c->to : c->of->rows;
}

void picture_axis(char *label, size_t size, const char *name, const char *unit)
{
    const bool has = unit && *unit && strcmp(unit, "1") != 0;
    snprintf(label, size, has ? "%.90s [%.30s]" : "%.90s", name, unit);
}

void picture_say(picture *p, const char *format, ...)
{
    size_t used = strlen(p->words);
    va_list values;
    if (used && used + 1 < sizeof p->words)
        p->words[used++] = ' ';
    va_start(values, format);
    vsnprintf(p->words + used, sizeof p->words - used, format, values);
    va_end(values);
}

void picture_label(picture *p, size_t colour, const char *format, ...)
{
    va_list values;
    if (colour >= LABELS_MOST)
        return;
    va_start(values, format);
    vsnprintf(p->labels[colour], RUN_LABEL, format, values);
    va_end(values);
    p->n_labels = p->n_labels > colour ? p->n_labels : colour + 1;
}

bool drawn_gap(const drawn *c, size_t row)
{
    const double *at = c->of->values + row * c->of->columns;
    return !axis_has(at[c->x], false) || !axis_has(at[c->y], false);
}

bool drawn_at(const panel *p, const drawn *c, size_t row, double *x, double *y, double *y2)
{
    const double *at = c->of->values + row * c->of->columns;
    *x = at[c->x] + c->shift;
    *y = at[c->y];
    if (y2)
        *y2 = c->look == LOOK_BAND ? at[c->y2] : *y;
    return axis_has(at[c->x], p->log_x) && axis_has(*y, p->log_y) && (!y2 || axis_has(*y2, p->log_y));
}

bool drawn_any(const panel *p, const drawn *c)
{
    double x, y;
    size_t from, to;
    drawn_rows(c, &from, &to);
    while (from < to && !drawn_at(p, c, from, &x, &y, NULL))
        from++;
    return from < to;
}

ph_status picture_add(picture *p, size_t number, drawn one, const double *x, const double *y, size_t n,
                      ph_error *err)
{
    table *t = p->tables;
    ph_status status = PH_OK;
    t->columns = 2;
    one.of = t;
    one.x = 0;
    one.y = 1;
    one.from = t->rows;
    for (size_t i = 0; i < n && !status; i++)
        status = table_add(t, (double[]){x[i], y[i]}, err);
    one.to = t->rows;
    if (n)
        panel_add(&p->panels[number], one);
    return status;
}

bool axis_has(double value, bool log)
{
    static const double largest = 1e300;
    return fabs(value) <= largest && (!log || value >= 1 / largest);
}

bool panel_is_empty(const panel *p)
{
    for (size_t k = 0; k < p->n; k++)
        if (p->curves[k].look != LOOK_GUIDE && drawn_any(p, &p->curves[k]))
            return false;
    return true;
}

bool picture_is_empty(const picture *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (!panel_is_empty(&p->panels[i]))
            return false;
    return true;
}

bool picture_has(const picture *p, size_t run, size_t dashes, unsigned looks)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->panels[i].n; k++) {
            const drawn *c = &p->panels[i].curves[k];
            if ((run == RUN_ANY || c->run == run) && (dashes == DASHES || c->dashes == dashes) &&
                looks >> c->look & 1)
                return true;
        }
    return false;
}

void panel_add(panel *p, drawn one)
{
    if (p->n < CURVES_MOST)
        p->curves[p->n++] = one;
}

bool panel_end(const panel *p, size_t colour, double *x, double *y)
{
    bool found = false;
    for (size_t k = 0; k < p->n; k++) {
        const drawn *c = &p->curves[k];
        size_t from, to;
        drawn_rows(c, &from, &to);
        if (c->run != colour || c->look == LOOK_GUIDE || (c->look == LOOK_FAINT && found))
            continue;
        for (size_t i = from; i < to; i++) {
            const double *row = c->of->values + i * c->of->columns;
            const double v = c->look == LOOK_BAND ? (row[c->y] + row[c->y2]) / 2 : row[c->y];
            if (!axis_has(row[c->x], p->log_x) || !axis_has(v, p->log_y))
                continue;
            if (c->look == LOOK_BARS && found && v <= *y)
                continue;
            *x = row[c->x] + c->shift;
            *y = v;
            found = true;
        }
    }
    return found;
}
