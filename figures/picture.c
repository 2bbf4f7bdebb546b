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

void picture_words(char better[PICTURE_WORDS], const char *text)
{
    char *end = better;
    for (; *text && end < better + PICTURE_WORDS - 8; text++)
        if (*text == '^' && (text[1] == '2' || text[1] == '3'))
            end = stpcpy(end, *++text == '2' ? "\xc2\xb2" : "\xc2\xb3");
        else
            *end++ = *text;
    *end = '\0';
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
    if (colour >= RUNS_MOST)
        return;
    va_start(values, format);
    vsnprintf(p->labels[colour], RUN_LABEL, format, values);
    va_end(values);
    p->n_labels = p->n_labels > colour ? p->n_labels : colour + 1;
}

static bool has_number(const panel *p, const drawn *c)
{
    size_t from, to;
    drawn_rows(c, &from, &to);
    for (size_t i = from; i < to; i++) {
        const double *row = c->of->values + i * c->of->columns;
        if (axis_has(row[c->x], p->log_x) && axis_has(row[c->y], p->log_y))
            return true;
    }
    return false;
}

bool axis_has(double value, bool log)
{
    static const double largest = 1e300;
    return fabs(value) <= largest && (!log || value >= 1 / largest);
}

bool picture_is_empty(const picture *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->panels[i].n; k++)
            if (p->panels[i].curves[k].look != LOOK_GUIDE &&
                has_number(&p->panels[i], &p->panels[i].curves[k]))
                return false;
    return true;
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
