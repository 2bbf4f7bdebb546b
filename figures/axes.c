/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges, numbers and labels of axes. */
#include "axes.h"
#include "labels.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS_LEAST = 4 }; /* on an axis that counts something */

static void enter(range *r, double x, bool log)
{
    if (axis_has(x, log)) {
        r->least = fmin(r->least, x);
        r->most = fmax(r->most, x);
    }
}

static void ranges_of(const panel *p, range *x, range *y)
{
    *x = *y = (range){INFINITY, -INFINITY};
    for (size_t k = 0; k < p->n; k++) {
        const drawn *c = &p->curves[k];
        size_t from, to;
        drawn_rows(c, &from, &to);
        for (size_t i = from; c->look != LOOK_GUIDE && i < to; i++) {
            const double *row = c->of->values + i * c->of->columns;
            enter(x, row[c->x] + c->shift - (c->look == LOOK_BARS ? c->width : 0), p->log_x);
            enter(x, row[c->x] + c->shift + (c->look == LOOK_BARS ? c->width : 0), p->log_x);
            enter(y, row[c->y], p->log_y);
            if (c->look == LOOK_BAND)
                enter(y, row[c->y2], p->log_y);
            for (size_t edge = 1; c->look == LOOK_CELLS && edge <= 4; edge++)
                enter(edge <= 2 ? x : y, row[c->y2 + edge], edge <= 2 ? p->log_x : p->log_y);
        }
    }
    if (p->top > 0)
        y->most = fmin(y->most, p->top);
}

/* Of a logarithmic axis, which shows a decade or more, or begins and ends close to the values. */
static void widen_decades(range *r, double share, bool close)
{
    double least = log10(r->least), most = log10(r->most);
    const double margin = share * (most - least);
    least -= margin;
    most += margin;
    if (most - least < 2 && (!close || !(most - least > 1e-3))) { /* two powers of ten have their numbers */
        least = floor(least);
        most = fmax(ceil(most), least + 1);
    }
    *r = (range){pow(10, fmax(least, -304)), pow(10, fmin(most, 304))};
}

/* A margin; something to see where all values are the same. */
static void widen(range *r, bool log, double share, bool close)
{
    if (!(r->least <= r->most))
        *r = (range){log ? 0.1 : -1, 1};
    if (log) {
        widen_decades(r, share, close);
        return;
    }
    double margin = share * (r->most - r->least);
    if (share == 0 && r->most > r->least)
        return;
    const double size = fmax(fabs(r->least), fabs(r->most));
    if (!(margin > 1e-14 * size))
        margin = size > 0 ? 0.05 * size : 1;
    *r = (range){r->least - margin, r->most + margin};
}

/* What is subtracted from the values of an axis whose numbers would have too many digits: the middle of them to few digits, or 0. */
static double offset_of(const range *r, bool log)
{
    const double length = r->most - r->least, middle = (r->least + r->most) / 2;
    if (log || !(length > 0) || !(length < 2e-4 * fabs(middle)))
        return 0;
    const double unit = pow(10, ceil(log10(length)));
    return unit * round(middle / unit);
}

/* Both with the same length, about their middles. */
static void make_square(range *r, double length)
{
    const double middle = (r->least + r->most) / 2;
    *r = (range){middle - length / 2, middle + length / 2};
}

double axes_length(const picture *p)
{
    double length = 0;
    for (size_t i = 0; i < p->n; i++) {
        range x, y;
        ranges_of(&p->panels[i], &x, &y);
        length = fmax(length, fmax(x.most - x.least, y.most - y.least));
    }
    return length > 0 ? 1.08 * length : 1;
}

void axes_ranges(const panel *at, double length, range *x, range *y)
{
    ranges_of(at, x, y);
    if (at->equal) {
        make_square(x, length);
        make_square(y, length);
        return;
    }
    for (size_t k = 0; k < at->n; k++)
        if (at->curves[k].look == LOOK_CELLS) { /* they fill the frame */
            widen(x, at->log_x, 0, true);
            widen(y, at->log_y, 0, true);
            return;
        }
    if (at->whole_x && x->most - x->least < COUNTS_LEAST) /* one bar would fill the panel */
        make_square(x, COUNTS_LEAST);
    widen(x, at->log_x, at->log_x || !at->ends ? 0.02 : 0.0, at->close); /* curves over time fill the width */
    y->least = at->from_zero ? fmin(0, y->least) : y->least;
    widen(y, at->log_y, 0.06, at->close);
    if (at->from_zero && y->least > -0.1 * y->most)
        y->least = 0;
}

static double shifted_size(const range *r, double offset)
{
    return fmax(fabs(r->least - offset), fabs(r->most - offset));
}

static numbers numbers_for(double offset, double size, bool log)
{
    const int power = !log && size > 0 && (size < 1e-3 || size >= 1e5) ? (int)floor(log10(size)) : 0;
    return (numbers){offset, pow(10, power), power};
}

axes_numbers axes_numbers_of(const panel *at, double length)
{
    range x, y;
    axes_ranges(at, length, &x, &y);
    const double ox = offset_of(&x, at->log_x), oy = offset_of(&y, at->log_y);
    const double sx = shifted_size(&x, ox), sy = shifted_size(&y, oy);
    return (axes_numbers){numbers_for(ox, at->equal ? fmax(sx, sy) : sx, at->log_x),
                          numbers_for(oy, at->equal ? fmax(sx, sy) : sy, at->log_y)};
}

double axes_number(double value, const numbers *n)
{
    return (value - n->offset) / n->scale;
}

double axes_share(double value, const range *r, bool log_axis)
{
    return log_axis ? (log(value) - log(r->least)) / (log(r->most) - log(r->least))
                    : (value - r->least) / (r->most - r->least);
}

/* *x, *y <- the ranges in the numbers that stand at the axes. */
static axes_numbers axes_numbered(const panel *at, double length, range *x, range *y)
{
    const axes_numbers n = axes_numbers_of(at, length);
    axes_ranges(at, length, x, y);
    *x = (range){axes_number(x->least, &n.x), axes_number(x->most, &n.x)};
    *y = (range){axes_number(y->least, &n.y), axes_number(y->most, &n.y)};
    return n;
}

/* ---- Ticks --------------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten: about `most` of them fit into the length, and not more. */
static double tick_step(double length, double most)
{
    static const double digits[] = {1, 2, 5, 10};
    const double least = length / most, power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i < 3 && digits[i] * power < least * (1 - 1e-12))
        i++;
    return digits[i] * power;
}

/* 1, 2 and 5 times the powers of ten. */
static bool fine_tick(const axis *a, size_t i, double *at)
{
    static const double digits[] = {0, 0.30102999566398120, 0.69897000433601880};
    const double least = log10(a->of.least) - 1e-9, most = log10(a->of.most) + 1e-9, first = floor(least);
    size_t k = 0;
    while (first + digits[k % 3] + (double)(k / 3) < least)
        k++;
    k += i;
    *at = first + digits[k % 3] + (double)(k / 3);
    return *at <= most;
}

bool axis_is_fine(const axis *a)
{
    return a->log && a->step < 1;
}

bool axis_tick(const axis *a, size_t i, double *at)
{
    if (axis_is_fine(a))
        return fine_tick(a, i, at);
    const double least = a->log ? log10(a->of.least) : a->of.least,
                 most = a->log ? log10(a->of.most) : a->of.most;
    const double n = ceil(least / a->step - 1e-9) + (double)i;
    *at = n == 0 ? 0 : n * a->step;
    return *at <= most + 1e-9 * a->step;
}

size_t axis_letters(const axis *a)
{
    size_t most = 0;
    double at;
    for (size_t i = 0; !a->log && axis_tick(a, i, &at); i++) {
        char text[40];
        const size_t letters = (size_t)snprintf(text, sizeof text, "%g", at);
        most = letters > most ? letters : most;
    }
    return most;
}

/* About so many, or fewer: their numbers next to each other do not need more than `room` letters. */
static void set_step(axis *a, double pieces, double room, bool close)
{
    const double length = a->of.most - a->of.least;
    if (a->log) {
        const double powers =
            floor(log10(a->of.most) + 1e-9) - ceil(log10(a->of.least) - 1e-9) + 1; /* of ten on it */
        a->step = close && powers < 3 && log10(a->of.most / a->of.least) < 2.5
                      ? 0.3
                      : fmax(1, ceil((log10(a->of.most) - log10(a->of.least)) / 6));
        return;
    }
    a->step = tick_step(length, pieces);
    while (pieces > 1 && (double)(axis_letters(a) + 1) * length / a->step > room)
        a->step = tick_step(length, --pieces);
}

axes_numbers axes_ticks(const panel *at, double length, double pieces, double letters, axis *x, axis *y)
{
    const axes_numbers n = axes_numbered(at, length, &x->of, &y->of);
    x->log = at->log_x;
    y->log = at->log_y;
    set_step(x, pieces, letters, at->close);
    if (at->whole_x && !x->log)
        x->step = fmax(1, ceil(x->step));
    set_step(y, 6, INFINITY, at->close);
    return n;
}

void axis_words(char text[AXIS_TICK], const axis *a, double at)
{
    char raised[UTF8_RAISED];
    utf8_raised(raised, (int)lround(at));
    if (axis_is_fine(a))
        snprintf(text, AXIS_TICK, "%g", pow(10, at));
    else if (a->log)
        snprintf(text, AXIS_TICK, "10%s", raised);
    else
        snprintf(text, AXIS_TICK, "%s%g", at < 0 ? "\xe2\x88\x92" : "", fabs(at));
}

numbers axes_scale(const colour_scale *scale, axis *of)
{
    double values[] = {0, scale->least, 1, scale->most};
    const table ends = {.columns = 2, .rows = 2, .room = 2, .values = values};
    panel at = {.log_y = scale->log, .close = true, .n = 1};
    axis x;
    at.curves[0] = (drawn){.of = &ends, .y = 1, .look = LOOK_DOTS};
    const axes_numbers n = axes_ticks(&at, 1, 1, 1, &x, of);
    of->of = (range){axes_number(scale->least, &n.y), axes_number(scale->most, &n.y)};
    return n.y;
}

/* ---- Labels -------------------------------------------------------------------------------------------------- */

/* "10^-5", with raised digits unless it is to be ASCII. */
static void add_power(char *text, size_t size, int power, bool ascii)
{
    char raised[UTF8_RAISED];
    utf8_raised(raised, power);
    if (ascii)
        text_add(text, size, "10^%d", power);
    else
        text_add(text, size, "10%s", raised);
}

/* What is subtracted from the numbers of an axis: " - 72.5". */
static void add_offset(char *text, size_t size, double offset, bool ascii)
{
    const char *minus = ascii ? "-" : "\xe2\x88\x92";
    text_add(text, size, "%s %.10g", offset > 0 ? minus : "+", fabs(offset));
}

/* The unit of a label, from its bracket: a name may end in an index, as "omega[1]". */
static const char *find_unit(const char *text)
{
    const char *unit = NULL;
    for (const char *at = text; (at = strstr(at, " [")); at++)
        unit = at + 1;
    return unit;
}

void axes_label(char better[AXIS_LABEL], const char *text, const numbers *n, bool ascii)
{
    const char *unit = find_unit(text), *blank = ascii ? " " : "\xc2\xa0"; /* a unit is not broken */
    *better = '\0';
    for (; *text; text++) {
        if (text == unit && n->offset != 0) {
            add_offset(better, AXIS_LABEL, n->offset, ascii);
            text_add(better, AXIS_LABEL, " ");
        }
        if (!ascii && *text == '^' && (text[1] == '2' || text[1] == '3'))
            text_add(better, AXIS_LABEL, "%s", *++text == '2' ? "\xc2\xb2" : "\xc2\xb3");
        else if (unit && text > unit && *text == ' ')
            text_add(better, AXIS_LABEL, "%s", blank);
        else
            text_add(better, AXIS_LABEL, "%c", *text);
        if (text == unit && n->power) {
            add_power(better, AXIS_LABEL, n->power, ascii);
            text_add(better, AXIS_LABEL, "%s", blank);
        }
    }
    if (!unit && n->offset != 0) {
        text_add(better, AXIS_LABEL, " ");
        add_offset(better, AXIS_LABEL, n->offset, ascii);
    }
    if (!unit && n->power) {
        text_add(better, AXIS_LABEL, " [");
        add_power(better, AXIS_LABEL, n->power, ascii);
        text_add(better, AXIS_LABEL, "]");
    }
}
