/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves on logarithmic or even axes: the frame (to whole decades), the lines, and their names, which keep clear of
 * each other. */
#include "curves.h"
#include "data.h"
#include "ticks.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 640, HIGH = 400, LEFT = 64, RIGHT = 14, TOP = 32, BOTTOM = 46, LINE = 19 };
enum { SQUARE = WIDE - LEFT - RIGHT + TOP + BOTTOM }; /* the height of a picture with equal units */

typedef struct extent {
    double x0, x1, y0, y1; /* decimal logarithms, or the numbers themselves */
    int x_even, y_even;
    double high; /* of the picture */
    int left;    /* of the axes: room for the numbers there */
} extent;

static double forth(double value, int even)
{
    return even ? value : log10(value);
}

static int is_drawn(const curves *c, const curves_line *l, size_t i)
{
    const int x = c->x_even ? isfinite(l->x[i]) : l->x[i] > 0 && l->x[i] >= c->x0 && isfinite(l->x[i]);
    return x && isfinite(l->y[i]) && (c->y_even || l->y[i] > 0) &&
           (!l->upper || (isfinite(l->upper[i]) && (c->y_even || l->upper[i] > 0)));
}

static int is_gap(const curves_line *l, size_t i)
{
    return !isfinite(l->x[i]) || !isfinite(l->y[i]);
}

size_t curves_points(const curves *c)
{
    size_t count = 0;
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < c->lines[k].n && !c->lines[k].guide; i++)
            count += is_drawn(c, &c->lines[k], i) != 0;
    return count;
}

/* The longer side of a picture with equal units fits; the other one has room left on both sides. */
static void equalise(extent *e)
{
    const double wide = WIDE - e->left - RIGHT, high = e->high - BOTTOM - TOP;
    const double unit = fmax((e->x1 - e->x0) / wide, (e->y1 - e->y0) / high);
    const double x = 0.5 * (e->x0 + e->x1), y = 0.5 * (e->y0 + e->y1);
    e->x0 = x - 0.5 * unit * wide;
    e->x1 = x + 0.5 * unit * wide;
    e->y0 = y - 0.5 * unit * high;
    e->y1 = y + 0.5 * unit * high;
}

/* Room around numbers on an even axis, also where they are all the same. */
static void widen(double *least, double *most, double share)
{
    const double size = fmax(fabs(*least), fabs(*most));
    double room = share * (*most - *least);
    if (!(*most - *least > 1e-12 * size))
        room = size > 0 ? 1e-3 * size : 1;
    *least -= room;
    *most += room;
}

enum { TICK_WORDS = 80 };

/* A number as it stands at an axis: "-0.25", "2.5 10^-4" with raised digits. */
static void tick_words(char text[TICK_WORDS], double value)
{
    const double size = fabs(value);
    char digits[40], *exponent;
    const int plain = size == 0 || (size >= 1e-3 && size < 1e5);
    snprintf(digits, sizeof digits, plain ? "%.6g" : "%.5e", size);
    char *end = stpcpy(text, value < 0 ? "\xe2\x88\x92" : "");
    exponent = strchr(digits, 'e');
    if (plain || !exponent) {
        strcpy(end, digits);
        return;
    }
    *exponent = '\0';
    char raised[UTF8_RAISED];
    utf8_raised(raised, atoi(exponent + 1));
    sprintf(end,
            "%g\xc2\xb7"
            "10%s",
            strtod(digits, NULL), raised);
}

/* Room for the numbers on the left of even axes. */
static int find_left(const extent *e)
{
    enum { DIGIT = 10 };
    const double step = tick_step(e->y1 - e->y0, 6);
    size_t most = 0;
    for (double n = ceil(e->y0 / step - 1e-9); e->y_even && n * step <= e->y1 + 1e-9 * step; n++) {
        char text[TICK_WORDS];
        tick_words(text, n == 0 ? 0 : n * step);
        const size_t length = utf8_length(text);
        most = length > most ? length : most;
    }
    const int wanted = 12 + DIGIT * (int)most;
    return wanted > LEFT ? wanted : LEFT;
}

/* One bar does not fill the picture: there is room for four. */
static void make_room_for_bars(const curves *c, extent *e)
{
    double widest = 0;
    for (size_t k = 0; k < c->n; k++)
        widest = fmax(widest, c->lines[k].bar);
    const double lacking = 4 * widest - (e->x1 - e->x0);
    e->x0 -= fmax(0, lacking / 2);
    e->x1 += fmax(0, lacking / 2);
}

static extent find_extent(const curves *c)
{
    extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY, c->x_even, c->y_even, c->equal ? SQUARE : HIGH,
                LEFT};
    for (size_t k = 0; k < c->n; k++)
        for (size_t i = 0; i < c->lines[k].n; i++)
            if (is_drawn(c, &c->lines[k], i) && !c->lines[k].guide) {
                const double x = forth(c->lines[k].x[i], c->x_even), y = forth(c->lines[k].y[i], c->y_even);
                e.x0 = fmin(e.x0, x - c->lines[k].bar / 2);
                e.x1 = fmax(e.x1, x + c->lines[k].bar / 2);
                e.y0 = fmin(e.y0, y);
                e.y1 = fmax(e.y1, c->lines[k].upper ? forth(c->lines[k].upper[i], c->y_even) : y);
            }
    if (c->y_zero)
        e.y0 = fmin(0, e.y0);
    make_room_for_bars(c, &e);
    if (c->x_even)
        widen(&e.x0, &e.x1, c->equal ? 0.05 : 0);
    else
        e.x1 = fmax(e.x1, e.x0 + 0.1);
    if (c->y_even) {
        widen(&e.y0, &e.y1, 0.08);
    } else {
        e.y0 = floor(e.y0 - 0.15);
        e.y1 = ceil(e.y1 + 0.15);
    }
    e.left = find_left(&e);
    if (c->equal)
        equalise(&e);
    return e;
}

/* Of numbers on the axes, logarithms where these are logarithmic. */
static double across(const extent *e, double x)
{
    return e->left + (WIDE - e->left - RIGHT) * (x - e->x0) / (e->x1 - e->x0);
}

static double upwards(const extent *e, double y)
{
    return e->high - BOTTOM - (e->high - BOTTOM - TOP) * (y - e->y0) / (e->y1 - e->y0);
}

static double place_x(const extent *e, double x)
{
    return across(e, forth(x, e->x_even));
}

static double place_y(const extent *e, double y)
{
    return upwards(e, forth(y, e->y_even));
}

/* ---- Axes ------------------------------------------------------------------------------------------ */

static void put_power(FILE *f, double x, double y, const char *anchor, int power)
{
    fprintf(
        f,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">10<tspan dy=\"-6\" font-size=\"12\">%s%d</tspan></text>\n",
        x, y, anchor, power < 0 ? "\xe2\x88\x92" : "", power < 0 ? -power : power);
}

static void put_plain(FILE *f, double x, double y, const char *anchor, double value)
{
    char words[TICK_WORDS];
    tick_words(words, value);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words);
}

/* The middle of a number below the axis: at its tick, or a little to the left of it where it would leave the picture. */
static double within_picture(double place, double at, int even)
{
    enum { HALF_DIGIT = 5, HALF_POWER = 19 }; /* 10^-12 */
    char words[TICK_WORDS];
    tick_words(words, at);
    const double half = even ? HALF_DIGIT * (double)utf8_length(words) : HALF_POWER;
    return fmin(place, WIDE - half);
}

/* A tick across (or on the left): its line, and its number or power of ten. */
static void put_tick(FILE *f, const extent *e, int vertical, double at, int even)
{
    const double place = vertical ? upwards(e, at) : across(e, at);
    if (vertical)
        fprintf(f, "<path stroke=\"currentColor\" opacity=\".15\" d=\"M%d %.1fH%d\"/>\n", e->left, place,
                WIDE - RIGHT);
    else
        fprintf(f, "<path stroke=\"currentColor\" opacity=\".15\" d=\"M%.1f %dV%g\"/>\n", place, TOP,
                e->high - BOTTOM);
    const double x = vertical ? e->left - 6 : within_picture(place, at, even),
                 y = vertical ? place + 5 : e->high - BOTTOM + 20;
    if (even)
        put_plain(f, x, y, vertical ? "end" : "middle", at);
    else
        put_power(f, x, y, vertical ? "end" : "middle", (int)at);
}

static void put_ticks(FILE *f, const extent *e, int vertical)
{
    const double low = vertical ? e->y0 : e->x0, high = vertical ? e->y1 : e->x1;
    const int even = vertical ? e->y_even : e->x_even;
    const double step = even ? tick_step(high - low, vertical ? 6 : 7) : vertical && high - low > 8 ? 2 : 1;
    for (double n = ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++)
        put_tick(f, e, vertical, n == 0 ? 0 : n * step, even);
}

static void put_axes(FILE *f, const curves *c, const extent *e)
{
    put_ticks(f, e, 0);
    put_ticks(f, e, 1);
    fprintf(f, "<path fill=\"none\" stroke=\"currentColor\" d=\"M%d %dV%gH%d\"/>\n", e->left, TOP,
            e->high - BOTTOM, WIDE - RIGHT);
    fprintf(f, "<text x=\"%d\" y=\"%g\" text-anchor=\"middle\">", (WIDE + e->left - RIGHT) / 2, e->high - 5);
    markup_between(f, "", c->x_label, "</text>\n");
    markup_between(f, "<text x=\"4\" y=\"15\">", c->y_label, "</text>\n");
}

/* ---- Lines and names ------------------------------------------------------------------------------- */

/* The look of a line, up to its points: the page makes its colour (--c) lighter where the background is dark. */
static void begin_path(FILE *f, const curves_line *l, const char *width, double opacity)
{
    fprintf(f, "<path class=\"c\" fill=\"none\" style=\"--c:%s\" stroke=\"%s\" stroke-width=\"%s\" ",
            l->colour, l->colour, width);
    if (opacity < 1)
        fprintf(f, "stroke-opacity=\"%.2g\" ", opacity);
    fprintf(f, "stroke-linejoin=\"round\"%s%s d=\"", l->dots ? " stroke-linecap=\"round\"" : "",
            l->dashed ? " stroke-dasharray=\"9 5\"" : "");
}

/* A place of the picture, to a tenth of a pixel. */
typedef struct place {
    long x, y;
} place;

static place place_of(const extent *e, const curves_line *l, size_t i, const double *y)
{
    return (place){lround(10 * place_x(e, l->x[i])), lround(10 * place_y(e, y[i]))};
}

/* The points of a path: M where it begins or behind a gap, and dots as lines of no length. Points at the place of the one before are
 * left out. */
static void put_points(FILE *f, const curves *c, const curves_line *l, const extent *e, size_t from,
                       size_t to)
{
    place before = {-1, -1};
    int pen = 0;
    for (size_t i = from; i < to; i++) {
        pen = pen && !is_gap(l, i);
        if (!is_drawn(c, l, i))
            continue;
        const place at = place_of(e, l, i, l->y);
        if (pen && at.x == before.x && at.y == before.y)
            continue;
        fprintf(f, "%s%.1f %.1f%s", pen && !l->dots ? "L" : "M", (double)at.x / 10, (double)at.y / 10,
                l->dots ? "h0" : "");
        before = at;
        pen = 1;
    }
}

/* The outline of a band's pieces between gaps: along y, and back along upper. */
static void put_band(FILE *f, const curves *c, const curves_line *l, const extent *e)
{
    fprintf(
        f,
        "<path class=\"c\" style=\"--c:%s\" fill=\"%s\" fill-opacity=\".35\" stroke=\"%s\" stroke-width=\"1.2\" "
        "stroke-linejoin=\"round\" d=\"",
        l->colour, l->colour, l->colour);
    for (size_t from = 0, to; from < l->n; from = to + 1) {
        for (to = from; to < l->n && is_drawn(c, l, to);)
            to++;
        for (size_t i = from; i < to; i++) {
            const place at = place_of(e, l, i, l->y);
            fprintf(f, "%s%.1f %.1f", i > from ? "L" : "M", (double)at.x / 10, (double)at.y / 10);
        }
        for (size_t i = to; i-- > from;) {
            const place at = place_of(e, l, i, l->upper);
            fprintf(f, "L%.1f %.1f", (double)at.x / 10, (double)at.y / 10);
        }
        fputs(to > from ? "Z" : "", f);
    }
    fputs("\"/>\n", f);
}

/* Each piece between gaps as a path with its own opacity. */
static void put_shades(FILE *f, const curves *c, const curves_line *l, const extent *e)
{
    for (size_t from = 0, to; from < l->n; from = to + 1) {
        for (to = from; to < l->n && !is_gap(l, to);)
            to++;
        if (to == from)
            continue;
        begin_path(f, l, "2", 0.2 + 0.8 * fmin(1, fmax(0, l->shade[from])));
        put_points(f, c, l, e, from, to);
        fputs("\"/>\n", f);
    }
}

/* Are all points of a line at one place, as of one row or of a system at rest? It is then drawn as a dot. */
static int is_spot(const curves *c, const curves_line *l, const extent *e)
{
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (size_t i = 0; i < l->n; i++)
        if (is_drawn(c, l, i)) {
            x0 = fmin(x0, place_x(e, l->x[i]));
            x1 = fmax(x1, place_x(e, l->x[i]));
            y0 = fmin(y0, place_y(e, l->y[i]));
            y1 = fmax(y1, place_y(e, l->y[i]));
        }
    return !l->bar && !l->guide && x1 - x0 < 1 && y1 - y0 < 1;
}

static void put_line(FILE *f, const curves *c, const curves_line *l, const extent *e)
{
    enum { MANY = 1500 };
    if (!l->dots && is_spot(c, l, e)) {
        curves_line spot = *l;
        spot.dots = 1;
        spot.upper = spot.shade = NULL;
        put_line(f, c, &spot, e);
        return;
    }
    if (l->upper) {
        put_band(f, c, l, e);
        return;
    }
    if (l->shade) {
        put_shades(f, c, l, e);
        return;
    }
    if (l->bar > 0) {
        char wide[40];
        snprintf(wide, sizeof wide, "%.1f", across(e, e->x0 + l->bar) - across(e, e->x0));
        begin_path(f, l, wide, 0.8);
        put_points(f, c, l, e, 0, l->n);
        fputs("\"/>\n", f);
        return;
    }
    const char *width = l->dots                               ? (l->n > MANY ? "2" : "4")
                        : c->equal || l->faint || l->n > MANY ? "1.5"
                                                              : "3";
    begin_path(f, l, width, l->faint ? 0.45 : 1);
    put_points(f, c, l, e, 0, l->n);
    fputs("\"/>\n", f);
}

typedef struct box {
    double x0, x1, y0, y1;
} box;

static double overlap(const box *a, const box *b)
{
    const double w = fmin(a->x1, b->x1) - fmax(a->x0, b->x0), h = fmin(a->y1, b->y1) - fmax(a->y0, b->y0);
    return w > 0 && h > 0 ? w * h : 0;
}

/* Of many points as many as names need to be placed by. */
enum { PLACES = 60, ROUGH = 240 };

static size_t every(const curves_line *l, size_t most)
{
    return l->n / most + 1;
}

/* The length of a curve inside the box [pixels]. */
static double covered(const curves *c, const curves_line *l, const extent *e, const box *b)
{
    enum { PARTS = 8 };
    double length = 0, x0 = NAN, y0 = NAN;
    for (size_t i = 0; i < l->n; i += every(l, ROUGH)) {
        if (is_gap(l, i) || l->dots)
            x0 = NAN;
        if (!is_drawn(c, l, i))
            continue;
        const double x = place_x(e, l->x[i]), y = place_y(e, l->y[i]);
        for (int p = 0; p < PARTS && isfinite(x0); p++) {
            const double at = (p + 0.5) / PARTS, px = x0 + at * (x - x0), py = y0 + at * (y - y0);
            if (px > b->x0 && px < b->x1 && py > b->y0 && py < b->y1)
                length += hypot(x - x0, y - y0) / PARTS;
        }
        x0 = x;
        y0 = y;
    }
    return length;
}

/* How bad a place for the name of a line is: it covers a curve, is close to another one, covers one of the names (n)
 * that are there, leaves the frame, is far from the end of the picture. */
static double name_cost(const curves *c, const curves_line *own, const extent *e, const box *b,
                        const box *names, size_t n)
{
    const box near = {b->x0 - 4, b->x1 + 4, b->y0 - 4, b->y1 + 4}; /* letters do not touch a curve */
    const box wider = {b->x0, b->x1, b->y0 - 10, b->y1 + 10};
    double cost = 0.25 * (WIDE - RIGHT - b->x1);
    for (size_t k = 0; k < c->n; k++) {
        cost += 5 * covered(c, &c->lines[k], e, &near);
        if (&c->lines[k] != own)
            cost += covered(c, &c->lines[k], e, &wider);
    }
    for (size_t k = 0; k < n; k++)
        cost += overlap(b, &names[k]);
    return b->y0 < TOP || b->y1 > e->high - BOTTOM ? cost + 1e4 : cost;
}

/* Where the name of a line is best written: above or below one of its points, near or a little away. */
static box name_place(const curves *c, const curves_line *l, const extent *e, const box *names, size_t n)
{
    static const double away[] = {-5, -16, -30, -44, 5, 16};
    const double width = 9.9 * (double)utf8_length(l->title), left = e->left + 4, right = WIDE - RIGHT - 2;
    double least = INFINITY;
    box best = {left, left + width, TOP, TOP + LINE};
    for (size_t i = 0; i < l->n; i += every(l, PLACES))
        for (size_t k = 0; k < sizeof away / sizeof away[0] && is_drawn(c, l, i); k++) {
            const double x = fmax(left, fmin(place_x(e, l->x[i]) - 0.5 * width, right - width));
            const double y = place_y(e, l->y[i]) + away[k] - (away[k] < 0 ? LINE : 0);
            const box b = {x, x + width, y, y + LINE};
            const double cost = name_cost(c, l, e, &b, names, n) + fabs(away[k]) + (away[k] > 0 ? 6 : 0);
            if (cost < least) {
                least = cost;
                best = b;
            }
        }
    return best;
}

static void put_names(FILE *f, const curves *c, const extent *e)
{
    box names[CURVES_LINES];
    size_t n = 0;
    for (size_t k = 0; k < c->n; k++) {
        size_t drawn = 0;
        for (size_t i = 0; i < c->lines[k].n; i++)
            drawn += is_drawn(c, &c->lines[k], i) != 0;
        if (!drawn || !*c->lines[k].title || (c->keyed && !c->lines[k].guide))
            continue;
        names[n] = name_place(c, &c->lines[k], e, names, n);
        fprintf(
            f,
            "<text class=\"name\" style=\"--c:%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\" font-weight=\"600\">",
            c->lines[k].colour, 0.5 * (names[n].x0 + names[n].x1), names[n].y1 - 4, c->lines[k].colour);
        markup_between(f, "", c->lines[k].title, "</text>\n");
        n++;
    }
}

/* What is seen of a guide, a straight line in the picture. */
typedef struct seen {
    double x[3], y[3];
} seen;

/* Narrows [from, to], shares of the way from a to b, to where it is between low and high. */
static void narrow(double a, double b, double low, double high, double *from, double *to)
{
    if (a == b)
        return;
    const double s = (low - a) / (b - a), t = (high - a) / (b - a);
    *from = fmax(*from, fmin(s, t));
    *to = fmin(*to, fmax(s, t));
}

/* *line <- the guide from its first to its last point as far as it is within the axes, with its middle. */
static void clip_guide(const extent *e, curves_line *line, seen *room)
{
    const size_t last = line->n - 1;
    const double x0 = forth(line->x[0], e->x_even), x1 = forth(line->x[last], e->x_even);
    const double y0 = forth(line->y[0], e->y_even), y1 = forth(line->y[last], e->y_even);
    double from = 0, to = 1;
    narrow(x0, x1, e->x0, e->x1, &from, &to);
    narrow(y0, y1, e->y0, e->y1, &from, &to);
    line->n = from < to ? 3 : 0;
    for (size_t i = 0; i < line->n; i++) {
        const double share = from + (to - from) * (double)i / 2, x = x0 + share * (x1 - x0),
                     y = y0 + share * (y1 - y0);
        room->x[i] = e->x_even ? x : pow(10, x);
        room->y[i] = e->y_even ? y : pow(10, y);
    }
    line->x = room->x;
    line->y = room->y;
}

void curves_draw(FILE *f, const curves *all, const char *words)
{
    const extent e = find_extent(all);
    curves_line lines[CURVES_LINES];
    seen guides[CURVES_LINES];
    curves clipped = *all, *c = &clipped;
    c->lines = lines;
    for (size_t k = 0; k < c->n; k++) {
        lines[k] = all->lines[k];
        if (lines[k].guide && lines[k].n)
            clip_guide(&e, &lines[k], &guides[k]);
    }
    fprintf(f,
            "<svg class=\"curves\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %g\" role=\"img\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"17\" fill=\"currentColor\">\n",
            WIDE, e.high);
    markup_between(f, "<title>", words, "</title>\n");
    put_axes(f, c, &e);
    for (size_t k = 0; k < c->n; k++)
        put_line(f, c, &c->lines[k], &e);
    put_names(f, c, &e);
    fputs("</svg>\n", f);
}

void curves_data(FILE *f, const curves *c)
{
    data_axes_begin(
        f, &(data_axes){c->x_label, c->y_label, !c->x_even, !c->y_even, c->equal, c->y_zero, c->keyed});
    for (size_t k = 0; k < c->n; k++) {
        const curves_line *l = &c->lines[k];
        size_t from = 0;
        while (from < l->n && !is_drawn(c, l, from))
            from++;
        data_curve_put(f, k ? "," : "",
                       &(data_curve){l->title, l->colour, l->dashed, l->dots, l->x + from, l->y + from,
                                     l->n - from, l->faint, l->upper ? l->upper + from : NULL,
                                     l->shade ? l->shade + from : NULL, l->guide, l->bar});
    }
    data_axes_end(f);
}
