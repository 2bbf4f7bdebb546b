/* SPDX-License-Identifier: BSD-3-Clause */
/* SVG of a panel: the axes, the curves by their looks, and their names, which keep clear of each other. */
#include "svg.h"
#include "axes.h"
#include "guide.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 640, HIGH = 400, LEFT = 64, RIGHT = 14, TOP = 32, BOTTOM = 46, LINE = 19 };
enum {
    DIGIT = 10,
    DOT = 5,
    MANY = 1500
}; /* the width of a digit, half that of a dot; so many points are drawn thin */

/* A panel with its axes on a sheet [pixels]. */
typedef struct sheet {
    const picture *p;
    const panel *at;
    range x, y;
    double left, right, top, bottom; /* the frame */
} sheet;

static double place_x(const sheet *s, double x)
{
    return s->left + (s->right - s->left) * axes_share(x, &s->x, s->at->log_x);
}

static double place_y(const sheet *s, double y)
{
    return s->bottom - (s->bottom - s->top) * axes_share(y, &s->y, s->at->log_y);
}

/* ---- Axes ------------------------------------------------------------------------------------------ */

static void put_tick(FILE *f, const sheet *s, const axis *a, bool vertical, double at)
{
    const range ends = a->log ? (range){log10(a->of.least), log10(a->of.most)} : a->of;
    const double share = axes_share(at, &ends, false);
    char words[AXIS_TICK];
    axis_words(words, a, at);
    if (vertical) {
        const double y = s->bottom - share * (s->bottom - s->top);
        fprintf(f, "<path stroke=\"currentColor\" opacity=\".15\" d=\"M%.1f %.1fH%.1f\"/>\n", s->left, y,
                s->right);
        fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", s->left - 6, y + 5, words);
        return;
    }
    const double x = s->left + share * (s->right - s->left), half = DIGIT * (double)utf8_length(words) / 2;
    fprintf(f, "<path stroke=\"currentColor\" opacity=\".15\" d=\"M%.1f %.1fV%.1f\"/>\n", x, s->top,
            s->bottom);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", fmin(x, WIDE - half),
            s->bottom + 20, words);
}

static void put_axes(FILE *f, const sheet *s, const axis *x, const axis *y, const axes_numbers *n)
{
    char label[AXIS_LABEL];
    double at;
    for (size_t i = 0; axis_tick(x, i, &at); i++)
        put_tick(f, s, x, false, at);
    for (size_t i = 0; axis_tick(y, i, &at); i++)
        put_tick(f, s, y, true, at);
    fprintf(f, "<path fill=\"none\" stroke=\"currentColor\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", s->left, s->top,
            s->bottom, s->right);
    if (s->at->with_zero && s->y.least < 0 && s->y.most > 0)
        fprintf(f, "<path stroke=\"currentColor\" opacity=\".5\" d=\"M%.1f %.1fH%.1f\"/>\n", s->left,
                place_y(s, 0), s->right);
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (s->left + s->right) / 2,
            s->bottom + BOTTOM - 5);
    axes_label(label, picture_x_label(s->p, s->at), &n->x, false);
    markup_between(f, "", label, "</text>\n");
    axes_label(label, s->at->y_label, &n->y, false);
    markup_between(f, "<text x=\"4\" y=\"15\">", label, "</text>\n");
}

/* ---- Curves ---------------------------------------------------------------------------------------- */

/* A place of the picture, to a tenth of a pixel. */
typedef struct place {
    long x, y, y2;
} place;

static bool find_place(const sheet *s, const drawn *c, size_t row, place *at)
{
    double x, y, y2;
    if (!drawn_at(s->at, c, row, &x, &y, &y2))
        return false;
    *at = (place){lround(10 * place_x(s, x)), lround(10 * place_y(s, y)), lround(10 * place_y(s, y2))};
    return true;
}

static void put_place(FILE *f, const char *before, long x, long y, const char *after)
{
    fprintf(f, "%s%.1f %.1f%s", before, (double)x / 10, (double)y / 10, after);
}

/* The look of a line, up to its points: the page makes its colour (--c) lighter where the background is dark. */
static void begin_path(FILE *f, const sheet *s, const drawn *c, double width, double opacity, bool dots)
{
    const char *colour = c->look == LOOK_GUIDE ? "#777777" : picture_colour(s->p, c->run);
    const char *dashes = dots ? NULL : dashes_of(c);
    fprintf(f, "<path class=\"c\" fill=\"none\" style=\"--c:%s\" stroke=\"%s\" stroke-width=\"%.3g\" ",
            colour, colour, width);
    if (opacity < 1)
        fprintf(f, "stroke-opacity=\"%.2g\" ", opacity);
    if (dashes)
        fprintf(f, "stroke-dasharray=\"%s\" ", dashes);
    fprintf(f, "stroke-linejoin=\"round\"%s d=\"", dashes ? "" : " stroke-linecap=\"round\"");
}

/* Points from row `from` on: M where a line begins or behind a gap, and L; a point alone, and each of marks, with what draws it. Points at
 * the place of the one before are left out. */
static void put_points(FILE *f, const sheet *s, const drawn *c, size_t from, size_t to, const char *mark)
{
    place before = {-1, -1, 0}, at;
    size_t joined = 0;
    for (size_t i = from; i < to; i++) {
        const bool pen = joined && !drawn_gap(c, i);
        if (joined == 1 && !pen)
            fputs("h0", f);
        joined = pen ? joined : 0;
        if (!find_place(s, c, i, &at) || (pen && at.x == before.x && at.y == before.y))
            continue;
        put_place(f, pen && !mark ? "L" : "M", at.x, at.y, mark ? mark : "");
        before = at;
        joined = mark ? 2 : joined + 1;
    }
    fputs(joined == 1 ? "h0" : "", f);
}

/* The outline of a band's pieces between gaps: along y, and back along y2. */
static void put_band(FILE *f, const sheet *s, const drawn *c, size_t from, size_t to)
{
    const char *colour = picture_colour(s->p, c->run);
    place at;
    fprintf(
        f,
        "<path class=\"c\" style=\"--c:%s\" fill=\"%s\" fill-opacity=\".35\" stroke=\"%s\" stroke-width=\"1.2\" "
        "stroke-linejoin=\"round\" d=\"",
        colour, colour, colour);
    for (size_t end; from < to; from = end + 1) {
        for (end = from; end < to && find_place(s, c, end, &at); end++)
            put_place(f, end > from ? "L" : "M", at.x, at.y, "");
        for (size_t i = end; i-- > from;) {
            find_place(s, c, i, &at);
            put_place(f, "L", at.x, at.y2, "");
        }
        fputs(end > from ? "Z" : "", f);
    }
    fputs("\"/>\n", f);
}

/* Each piece between gaps as a path with its own opacity, that of its first point. */
static void put_shades(FILE *f, const sheet *s, const drawn *c, size_t from, size_t to)
{
    for (size_t end; from < to; from = end + 1) {
        for (end = from; end < to && !drawn_gap(c, end);)
            end++;
        if (end == from)
            continue;
        const double shade = c->of->values[from * c->of->columns + c->y2];
        begin_path(f, s, c, 2, 0.2 + 0.8 * fmin(1, fmax(0, shade)), false);
        put_points(f, s, c, from, end, NULL);
        fputs("\"/>\n", f);
    }
}

static void put_bars(FILE *f, const sheet *s, const drawn *c, size_t from, size_t to)
{
    begin_path(f, s, c, (s->right - s->left) * c->width / (s->x.most - s->x.least), 0.8, false);
    for (place at; from < to; from++)
        if (find_place(s, c, from, &at))
            fprintf(f, "M%.1f %.1fV%.1f", (double)at.x / 10, place_y(s, 0), (double)at.y / 10);
    fputs("\"/>\n", f);
}

/* Cells of one colour are one path: a picture has few of them, however many cells. */
static void put_cells(FILE *f, const sheet *s, const drawn *c, size_t from, size_t to)
{
    for (int level = -1; level < COLOUR_LEVELS; level++) {
        const unsigned colour = colour_of_cell(level < 0 ? (double)NAN : (level + 0.5) / COLOUR_LEVELS);
        bool begun = false;
        for (size_t i = from; i < to; i++) {
            const double *row = c->of->values + i * c->of->columns, *edge = row + c->y2;
            double x, y;
            if (colour_of_cell(*edge) != colour || !drawn_at(s->at, c, i, &x, &y, NULL))
                continue;
            if (!begun)
                fprintf(f, "<path shape-rendering=\"crispEdges\" fill=\"#%06x\" d=\"", colour);
            begun = true;
            const double left = place_x(s, edge[1]), top = place_y(s, edge[4]);
            fprintf(f, "M%.1f %.1fh%.1fv%.1fh%.1fz", left, top, place_x(s, edge[2]) - left,
                    place_y(s, edge[3]) - top, left - place_x(s, edge[2]));
        }
        fputs(begun ? "\"/>\n" : "", f);
    }
}

/* Are all points of a line at one place, as of one row or of a system at rest? It is then drawn as a dot. */
static bool is_spot(const sheet *s, const drawn *c, size_t from, size_t to)
{
    place at, first = {0};
    bool begun = false;
    for (; from < to; from++)
        if (find_place(s, c, from, &at)) {
            first = begun ? first : at;
            begun = true;
            if (labs(at.x - first.x) >= 10 || labs(at.y - first.y) >= 10 || labs(at.y2 - first.y) >= 10)
                return false;
        }
    return true;
}

static double width_of(const sheet *s, const drawn *c, size_t points)
{
    return drawn_is_behind(c) || c->look == LOOK_FAINT || s->at->equal || points > MANY ? 1.5 : 3;
}

static void put_curve(FILE *f, const sheet *s, const drawn *c)
{
    size_t from, to;
    guide seen;
    drawn_rows(c, &from, &to);
    const bool many = to - from > MANY, faint = c->look == LOOK_FAINT || c->look == LOOK_HAZE;
    if (c->look == LOOK_GUIDE) {
        if (!guide_find(&seen, s->at, c, &s->x, &s->y))
            return;
        begin_path(f, s, c, 2, 1, false);
        fprintf(f, "M%.1f %.1fL%.1f %.1f\"/>\n", place_x(s, seen.from), place_y(s, seen.y_from),
                place_x(s, seen.to), place_y(s, seen.y_to));
    } else if (c->look == LOOK_CELLS) {
        put_cells(f, s, c, from, to);
    } else if (c->look == LOOK_BARS) {
        put_bars(f, s, c, from, to);
    } else if (c->look == LOOK_DOTS || c->look == LOOK_CROSS || is_spot(s, c, from, to)) {
        const bool cross = c->look == LOOK_CROSS;
        begin_path(f, s, c, many || cross ? 2 : 4, 1, true);
        put_points(f, s, c, from, to, cross ? "m-5 -5l10 10m0 -10l-10 10" : "h0");
        fputs("\"/>\n", f);
    } else if (c->look == LOOK_BAND) {
        put_band(f, s, c, from, to);
    } else if (c->look == LOOK_SHADES) {
        put_shades(f, s, c, from, to);
    } else {
        begin_path(f, s, c, width_of(s, c, to - from), faint ? 0.45 : 1, false);
        put_points(f, s, c, from, to, NULL);
        fputs("\"/>\n", f);
    }
    if (c->look == LOOK_MARKED) {
        begin_path(f, s, c, 9, 1, true);
        put_points(f, s, c, from, to, "h0");
        fputs("\"/>\n", f);
    }
}

/* ---- Names ----------------------------------------------------------------------------------------- */

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

/* The length of a curve inside the box [pixels]. */
static double covered(const sheet *s, const drawn *c, const box *b)
{
    enum { PARTS = 8 };
    double length = 0, x0 = NAN, y0 = NAN, x, y;
    size_t from, to;
    drawn_rows(c, &from, &to);
    for (size_t i = from; i < to; i += (to - from) / ROUGH + 1) {
        if (drawn_gap(c, i) || c->look == LOOK_DOTS || c->look == LOOK_BARS)
            x0 = NAN;
        if (!drawn_at(s->at, c, i, &x, &y, NULL))
            continue;
        x = place_x(s, x);
        y = place_y(s, y);
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

/* How bad a place for the name of a curve is: it covers a curve, is close to another one, covers one of the names (n)
 * that are there, leaves the frame, is far from the end of the picture. */
static double name_cost(const sheet *s, const drawn *own, const box *b, const box *names, size_t n)
{
    const box near = {b->x0 - 4, b->x1 + 4, b->y0 - 4, b->y1 + 4}; /* letters do not touch a curve */
    const box wider = {b->x0, b->x1, b->y0 - 10, b->y1 + 10};
    double cost = 0.25 * (s->right - b->x1);
    for (size_t k = 0; k < s->at->n; k++) {
        const drawn *c = &s->at->curves[k];
        cost += 5 * covered(s, c, &near) + (c == own ? 0 : covered(s, c, &wider));
    }
    for (size_t k = 0; k < n; k++)
        cost += overlap(b, &names[k]);
    return b->y0 < s->top || b->y1 > s->bottom ? cost + 1e4 : cost;
}

/* Where the name of a curve is best written: above or below one of its points, near or a little away. */
static box name_place(const sheet *s, const drawn *c, const char *name, const box *names, size_t n)
{
    static const double away[] = {-5, -16, -30, -44, 5, 16};
    const double width = 9.9 * (double)utf8_length(name), left = s->left + 4, right = s->right - 2;
    double least = INFINITY, at_x, at_y;
    box best = {left, left + width, s->top, s->top + LINE};
    size_t from, to;
    drawn_rows(c, &from, &to);
    for (size_t i = from; i < to; i += (to - from) / PLACES + 1)
        for (size_t k = 0; k < sizeof away / sizeof away[0] && drawn_at(s->at, c, i, &at_x, &at_y, NULL);
             k++) {
            const double x = fmax(left, fmin(place_x(s, at_x) - 0.5 * width, right - width));
            const double y = place_y(s, at_y) + away[k] - (away[k] < 0 ? LINE : 0);
            const box b = {x, x + width, y, y + LINE};
            const double cost = name_cost(s, c, &b, names, n) + fabs(away[k]) + (away[k] > 0 ? 6 : 0);
            if (cost < least) {
                least = cost;
                best = b;
            }
        }
    return best;
}

static void put_name(FILE *f, const char *name, const char *colour, double x, double y, const char *anchor)
{
    fprintf(f,
            "<text class=\"name\" style=\"--c:%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\" "
            "font-weight=\"600\">",
            colour, x, y, anchor, colour);
    markup_between(f, "", name, "</text>\n");
}

static void put_names(FILE *f, const sheet *s, bool keyed)
{
    box names[CURVES_MOST];
    guide seen;
    size_t n = 0;
    for (size_t k = 0; k < s->at->n; k++) {
        const drawn *c = &s->at->curves[k];
        char name[CURVE_NAME];
        picture_name(name, s->p, s->at, k, keyed);
        if (!*name || (keyed && c->look != LOOK_GUIDE) || !drawn_any(s->at, c))
            continue;
        if (c->look == LOOK_GUIDE) {
            if (guide_find(&seen, s->at, c, &s->x, &s->y))
                put_name(f, name, "#777777", place_x(s, seen.x) + (seen.above ? -5 : 5),
                         place_y(s, seen.y) + (seen.above ? -8 : 18), seen.above ? "end" : "start");
            continue;
        }
        names[n] = name_place(s, c, name, names, n);
        put_name(f, name,
                 c->run < LABELS_MOST && s->p->colours[c->run] ? s->p->colours[c->run]
                                                               : colour_of_text(c->run),
                 0.5 * (names[n].x0 + names[n].x1), names[n].y1 - 4, "middle");
        n++;
    }
}

/* ---- The colours of cells ---------------------------------------------------------------------------- */

enum { SCALE_WIDE = 16, SCALE_ROOM = 100 };

/* At the right of the frame, with their numbers; what they are stands above. */
static void put_scale(FILE *f, const sheet *s)
{
    const double left = s->right + 12, high = s->bottom - s->top;
    char label[AXIS_LABEL], words[AXIS_TICK];
    axis a;
    double at;
    const numbers n = axes_scale(&s->p->scale, &a);
    const range ends = a.log ? (range){log10(a.of.least), log10(a.of.most)} : a.of;
    axes_label(label, s->p->scale.label, &n, false);
    fprintf(f, "<text x=\"%d\" y=\"15\" text-anchor=\"end\">", WIDE - 4);
    markup_between(f, "", label, "</text>\n");
    for (size_t i = 0; i < COLOUR_LEVELS; i++)
        fprintf(f, "<path fill=\"#%06x\" d=\"M%.1f %.1fh%dV%.1fh-%dz\"/>\n",
                colour_of_cell((double)i / COLOUR_LEVELS), left, s->bottom - high * (double)i / COLOUR_LEVELS,
                SCALE_WIDE, s->bottom - high * (double)(i + 1) / COLOUR_LEVELS, SCALE_WIDE);
    for (size_t i = 0; axis_tick(&a, i, &at); i++) {
        const double share = ends.most > ends.least ? axes_share(at, &ends, false) : 0.5;
        axis_words(words, &a, at);
        if (share > -0.01 && share < 1.01)
            fprintf(f, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left + SCALE_WIDE + 6,
                    s->bottom - high * share + 5, words);
    }
}

/* ---- The picture ------------------------------------------------------------------------------------- */

void svg_panel(FILE *f, const picture *p, size_t i, bool keyed, const char *words)
{
    const double length = axes_length(p);
    sheet s = {.p = p, .at = &p->panels[i], .left = LEFT, .right = WIDE - RIGHT, .top = TOP};
    axis x, y;
    const axes_numbers n = axes_ticks(s.at, length, 7, (WIDE - LEFT) / (1.5 * DIGIT), &x, &y);
    axes_ranges(s.at, length, &s.x, &s.y);
    if (*p->scale.label)
        s.right -= SCALE_ROOM;
    s.left = fmax(LEFT, 12 + DIGIT * (double)axis_letters(&y));
    s.bottom = s.at->equal ? s.top + s.right - s.left : HIGH - BOTTOM;
    fprintf(f,
            "<svg class=\"curves\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.1f\" role=\"img\" "
            "font-family=\"system-ui,sans-serif\" font-size=\"17\" fill=\"currentColor\">\n",
            WIDE, s.bottom + BOTTOM);
    markup_between(f, "<title>", words, "</title>\n");
    put_axes(f, &s, &x, &y, &n);
    /* what is within the frame, with whole dots on it */
    const double x0 = s.left - DOT, y0 = s.top - DOT, wide = s.right + DOT - x0, high = s.bottom + DOT - y0;
    fprintf(f, "<svg x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" viewBox=\"%.1f %.1f %.1f %.1f\">\n",
            x0, y0, wide, high, x0, y0, wide, high);
    for (size_t k = 0; k < s.at->n; k++)
        put_curve(f, &s, &s.at->curves[k]);
    fputs("</svg>\n", f);
    if (*p->scale.label)
        put_scale(f, &s);
    put_names(f, &s, keyed);
    fputs("</svg>\n", f);
}
