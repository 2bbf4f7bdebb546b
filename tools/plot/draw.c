/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot's script of a picture. A column of a journal is 8.6 cm wide, which is 325 pixels of 1/96 inch; one and a half are 12 cm, and two 18. */
#include "draw.h"
#include "labels.h"

#include "bench/report/gnuplot.h"
#include "bench/report/key.h"
#include "bench/report/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW = 325, MIDDLE = 454, WIDE = 680, TALL = 240, STACK = 150, TITLE_LINE = 15, PNG_SCALE = 4 };
/* Around the axes of a panel [pixels]. Labels of curves stand behind a gap, in which a line leads to their curve. */
enum { LEFT = 64, LEFT_STACKED = 80, LEFT_EQUAL = 58, RIGHT = 14, BOTTOM = 42, TOP = 4, GAP = 18, EDGE = 4 };

/* Within single quotes gnuplot replaces nothing and runs nothing. */
static void put_text(FILE *g, const char *text)
{
    char one[5];
    fputc('\'', g);
    while (*text) {
        text = utf8_next(text, one);
        fputs(*one == '\'' ? "''" : (strpbrk(one, "\t\r\n") ? " " : one), g);
    }
    fputc('\'', g);
}

/* Where things are [pixels]. */
typedef struct frame {
    size_t width, height, head; /* head: for the lines above the axes */
    size_t margin;              /* at the right, for labels */
    bool corner;                /* three panels in two rows, labels in the free corner */
    labels labels;
    label_text title, common;
} frame;

static size_t room_for_labels(const labels *l)
{
    return l->n ? GAP + LABEL_LETTER * l->letters + EDGE : 0;
}

static frame frame_of(const picture *p)
{
    frame f = {.height = TALL};
    const bool single = p->n == 1 || p->stacked;
    labels_of(&f.labels, p);
    f.corner = f.labels.n && p->n == 3 && !p->stacked;
    f.margin = f.corner ? 0 : room_for_labels(&f.labels);
    f.width = single ? (f.margin ? MIDDLE : NARROW) : (p->n == 2 && !f.margin ? 2 * NARROW : WIDE);
    label_wrap(&f.title, p->title, (f.width - 20) / LABEL_LETTER, TITLE_LINES);
    label_wrap(&f.common, f.labels.common, (f.width - 20) / LABEL_LETTER, TITLE_LINES);
    f.head = TITLE_LINE * (f.title.n + f.common.n) + TITLE_LINE / 2;
    if (p->stacked)
        f.height = p->n == 1 ? TALL : STACK * p->n;
    else if (p->panels->equal) /* square: as high as a panel is wide */
        f.height = (f.width - f.margin) / (f.corner ? 2 : p->n) - LEFT_EQUAL - RIGHT + BOTTOM + TOP;
    f.height *= f.corner ? 2 : 1;
    if (f.height < LABEL_LINE * f.labels.lines + EDGE)
        f.height = LABEL_LINE * f.labels.lines + EDGE;
    f.height += f.head;
    return f;
}

/* The axes of a panel [pixels, from the upper left corner]. */
typedef struct box {
    double left, right, top, bottom;
} box;

static box axes_of(const picture *p, const frame *f, size_t i)
{
    const size_t across = p->stacked ? 1 : (f->corner ? 2 : p->n),
                 down = p->stacked ? p->n : (f->corner ? 2 : 1);
    const double wide = (double)(f->width - f->margin) / (double)across,
                 high = (double)(f->height - f->head) / (double)down;
    const double left = wide * (double)(i % across), top = (double)f->head + high * (double)(i / across);
    return (box){left + (p->stacked ? LEFT_STACKED : (p->panels->equal ? LEFT_EQUAL : LEFT)),
                 left + wide - RIGHT, top + TOP, top + high - BOTTOM};
}

static void put_terminal(FILE *g, plot_format format, const frame *f, size_t columns)
{
    fputs("set encoding utf8\n", g);
    switch (format) {
    case PLOT_PDF:
        fprintf(g, "set terminal pdfcairo enhanced size %.4fin,%.4fin font 'sans-serif,7.5'\n",
                (double)f->width / 96, (double)f->height / 96);
        break;
    case PLOT_PNG:
        fprintf(
            g,
            "set terminal pngcairo enhanced size %zu,%zu font 'sans-serif,7.5' fontscale %d linewidth %d\n",
            f->width * PNG_SCALE, f->height * PNG_SCALE, PNG_SCALE, PNG_SCALE);
        break;
    case PLOT_DUMB:
    case PLOT_BLOCK:
        fprintf(g, "set terminal %s size %zu,%zu mono\n", format == PLOT_BLOCK ? "block braille" : "dumb",
                columns, columns < 60 ? (size_t)18 : (size_t)24);
        break;
    default:
        fprintf(g, "set terminal svg size %zu,%zu enhanced font 'sans-serif,10' background rgb 'white'\n",
                f->width, f->height);
    }
}

/* gnuplot's coordinates of the whole picture begin in the lower left corner. */
static void put_at(FILE *g, const frame *f, double x, double y)
{
    fprintf(g, " screen %.4f,%.4f", x / (double)f->width, 1 - y / (double)f->height);
}

static void put_line_of_text(FILE *g, const frame *f, const char *text, double x, double y,
                             const char *colour)
{
    fputs("set label ", g);
    put_text(g, text);
    fputs(" at", g);
    put_at(g, f, x, y);
    fprintf(g, " left noenhanced tc rgb '%s'\n", colour);
}

/* Above the axes: how errors grow, and what all labels have in common. */
static void put_head(FILE *g, const frame *f)
{
    double y = 0.7 * TITLE_LINE;
    for (size_t i = 0; i < f->title.n; i++, y += TITLE_LINE)
        put_line_of_text(g, f, f->title.lines[i], 10, y, "#444444");
    for (size_t i = 0; i < f->common.n; i++, y += TITLE_LINE)
        put_line_of_text(g, f, f->common.lines[i], 10, y, "#444444");
}

/* The range of one axis. */
typedef struct range {
    double least, most;
} range;

static void enter(range *r, double x, bool log)
{
    if (isfinite(x) && (!log || x > 0)) {
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
        }
    }
}

/* A margin; something to see where all values are the same. */
static void widen(range *r, bool log, double share)
{
    if (!(r->least <= r->most))
        *r = (range){log ? 0.1 : -1, 1};
    if (log) {
        const double factor = pow(r->most / r->least, share);
        *r = (range){r->least / factor, r->most * factor};
        if (r->most < 100 * r->least) /* two powers of ten have their numbers */
            *r = (range){pow(10, floor(log10(r->least))), pow(10, ceil(log10(r->most)))};
        return;
    }
    double margin = share * (r->most - r->least);
    if (share == 0 && r->most > r->least)
        return;
    if (!(margin > 1e-14 * fmax(fabs(r->least), fabs(r->most))))
        margin = fmax(0.05 * fabs(r->most), 1e-12);
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

static double longest(const picture *p)
{
    double length = 0;
    for (size_t i = 0; i < p->n; i++) {
        range x, y;
        ranges_of(&p->panels[i], &x, &y);
        length = fmax(length, fmax(x.most - x.least, y.most - y.least));
    }
    return length > 0 ? 1.08 * length : 1;
}

/* 1, 2 or 5 times a power of ten: about `pieces` of them fit. */
static double tic_step(const range *r, double pieces)
{
    const double least = (r->most - r->least) / pieces, power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : (least <= 2 * power ? 2 : (least <= 5 * power ? 5 : 10)));
}

static void put_axis(FILE *g, char axis, const range *r, bool log, bool whole, double pieces,
                     plot_format format)
{
    fprintf(g, "set %crange [%.9g:%.9g]\n", axis, r->least, r->most);
    if (!log) {
        const double step = tic_step(r, pieces);
        fprintf(g, "unset logscale %c\nset format %c '%%g'\nset m%ctics %d\nset %ctics %.9g\n", axis, axis,
                axis, whole ? 1 : 2, axis, whole ? fmax(1, ceil(step)) : step);
        return;
    }
    const double decades = log10(r->most / r->least);
    fprintf(g, "set logscale %c\nset m%ctics %s\n", axis, axis, decades > 6 ? "1" : "10");
    fprintf(g, "set %ctics %g\nset format %c '%s'\n", axis, pow(10, fmax(1, ceil(decades / 6))), axis,
            plot_is_text(format) ? "1e%L" : "10^{%L}");
}

static void axes_ranges(const panel *at, double length, range *x, range *y)
{
    ranges_of(at, x, y);
    if (at->equal) {
        make_square(x, length);
        make_square(y, length);
        return;
    }
    widen(x, at->log_x, at->log_x || !at->ends ? 0.02 : 0.0); /* curves over time fill the width */
    y->least = at->from_zero ? fmin(0, y->least) : y->least;
    widen(y, at->log_y, 0.06);
    if (at->from_zero && y->least > -0.1 * y->most)
        y->least = 0;
}

/* The numbers at an axis are (value - offset) / 10^power, so that they have few digits. */
typedef struct numbers {
    double offset, scale;
    int power;
} numbers;

typedef struct axes_numbers {
    numbers x, y;
} axes_numbers;

static double shifted_size(const range *r, double offset)
{
    return fmax(fabs(r->least - offset), fabs(r->most - offset));
}

static numbers numbers_for(double offset, double size, bool log)
{
    const int power = !log && size > 0 && (size < 1e-3 || size >= 1e5) ? (int)floor(log10(size)) : 0;
    return (numbers){offset, pow(10, power), power};
}

static axes_numbers numbers_of(const panel *at, double length)
{
    range x, y;
    axes_ranges(at, length, &x, &y);
    const double ox = offset_of(&x, at->log_x), oy = offset_of(&y, at->log_y);
    const double sx = shifted_size(&x, ox), sy = shifted_size(&y, oy);
    return (axes_numbers){numbers_for(ox, at->equal ? fmax(sx, sy) : sx, at->log_x),
                          numbers_for(oy, at->equal ? fmax(sx, sy) : sy, at->log_y)};
}

static double number_of(double value, const numbers *n)
{
    return (value - n->offset) / n->scale;
}

/* Appends to text, whose room is size. */
PH_PRINTF(3, 4) static void add_text(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

/* "10^-5" with raised digits. */
static void add_power(char *text, size_t size, int power)
{
    static const char *const digits[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                         "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                         "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", power);
    add_text(text, size, "10");
    for (const char *c = plain; *c; c++)
        add_text(text, size, "%s", *c == '-' ? "\xe2\x81\xbb" : digits[*c - '0']);
}

/* Within double quotes, which line ends take, gnuplot would run what stands between backquotes: each byte is written by its number. */
static void put_lines(FILE *g, const label_text *lines)
{
    fputc('"', g);
    for (size_t i = 0; i < lines->n; i++) {
        fputs(i ? "\\n" : "", g);
        for (const char *c = lines->lines[i]; *c; c++)
            fprintf(g, "\\%03o", (unsigned)(unsigned char)*c);
    }
    fputc('"', g);
}

/* The label of an axis: "m^2" as it is written, and what is done with its numbers: "energy - 72.5 [10^-6 J]"; in two lines where there is no
 * room for its letters in one. */
static void put_label(FILE *g, const char *text, const numbers *n, size_t room)
{
    label_text lines;
    const char *unit = strrchr(text, '[');
    char better[2 * TABLE_NAME + 160] = "";
    for (; *text; text++) {
        if (text == unit && n->offset != 0)
            add_text(better, sizeof better, "%s %.10g ", n->offset > 0 ? "\xe2\x88\x92" : "+",
                     fabs(n->offset));
        if (*text == '^' && (text[1] == '2' || text[1] == '3'))
            add_text(better, sizeof better, "%s", *++text == '2' ? "\xc2\xb2" : "\xc2\xb3");
        else if (unit && text > unit && *text == ' ') /* a unit is not broken */
            add_text(better, sizeof better, "\xc2\xa0");
        else
            add_text(better, sizeof better, "%c", *text);
        if (text == unit && n->power) {
            add_power(better, sizeof better, n->power);
            add_text(better, sizeof better, "\xc2\xa0");
        }
    }
    if (!unit && n->offset != 0)
        add_text(better, sizeof better, " %s %.10g", n->offset > 0 ? "\xe2\x88\x92" : "+", fabs(n->offset));
    if (!unit && n->power) {
        add_text(better, sizeof better, " [");
        add_power(better, sizeof better, n->power);
        add_text(better, sizeof better, "]");
    }
    label_wrap(&lines, better, room, 2);
    put_lines(g, &lines);
}

/* Of a line: a thinned one is at least as wide as a cell of its raster, so that covered cells leave no gaps. */
static double width_of(const drawn *c, double panel_width, double usual)
{
    return c->cells ? fmax(0.5, panel_width / (double)c->cells) : usual;
}

/* gnuplot's title of a curve, for its key in a text: once for each label. */
static void put_title(FILE *g, const picture *p, const drawn *c, plot_format format)
{
    if (!plot_is_text(format) || !p->n_labels || c->look == LOOK_GUIDE || c->look == LOOK_HAZE ||
        (c->look == LOOK_FAINT && !c->cells)) {
        fputs(" notitle", g);
        return;
    }
    fputs(" title ", g);
    put_text(g, p->labels[c->run]);
}

static void put_curve(FILE *g, const picture *p, const drawn *c, size_t data, double panel_width,
                      plot_format format)
{
    const char *colour = key_colour(c->run);
    size_t from, to;
    drawn_rows(c, &from, &to);
    fprintf(g, " $d%zu using 1:2", data);
    switch (c->look) {
    case LOOK_FAINT:
        fprintf(g, " with lines lw %.2f lc rgb '#80%s'", width_of(c, panel_width, 0.6), colour + 1);
        break;
    case LOOK_HAZE:
        fprintf(g, " with lines lw %.2f lc rgb '#c8d6e2'", width_of(c, panel_width, 0.7));
        break;
    case LOOK_DOTS:
        fprintf(g, " with points pt 7 ps %s lc rgb '%s'",
                to - from > 3000 ? "0.15" : (to - from > 300 ? "0.3" : "0.5"), colour);
        break;
    case LOOK_BAND:
        fprintf(g, ":3 with filledcurves fs transparent solid 0.35 noborder lc rgb '%s' notitle,", colour);
        fprintf(g, " $d%zu using 1:2 with lines lw 0.8 lc rgb '%s' notitle,", data, colour);
        fprintf(g, " $d%zu using 1:3 with lines lw 0.8 lc rgb '%s'", data, colour);
        break;
    case LOOK_SHADES:
        fputs(":3 with lines lw 1.2 lc palette", g);
        break;
    case LOOK_BARS:
        fprintf(g, ":(%.4g) with boxes fs solid 0.75 noborder lc rgb '%s'", c->width, colour);
        break;
    case LOOK_GUIDE:
        fputs(" with lines lw 0.9 dt (6,4) lc rgb '#777777'", g);
        break;
    default:
        fprintf(g, " with lines lw %.2f lc rgb '%s'", width_of(c, panel_width, 1.3), colour);
    }
    put_title(g, p, c, format);
}

static void put_number(FILE *g, double x, const char *behind)
{
    if (isfinite(x))
        fprintf(g, "%.9g%s", x, behind);
    else
        fprintf(g, "?%s", behind);
}

/* Zero and what is below it have no place on a logarithmic axis. */
static void put_data(FILE *g, const panel *p, const drawn *c, const axes_numbers *n, size_t number)
{
    const bool three = c->look == LOOK_BAND || c->look == LOOK_SHADES;
    size_t from, to;
    drawn_rows(c, &from, &to);
    fprintf(g, "$d%zu << EOD\n", number);
    for (size_t i = from; i < to; i++) {
        const double *row = c->of->values + i * c->of->columns;
        if (!isfinite(row[c->x]) || !isfinite(row[c->y])) {
            fputc('\n', g);
            continue;
        }
        if ((p->log_x && !(row[c->x] > 0)) || (p->log_y && !(row[c->y] > 0)))
            continue;
        put_number(g, number_of(row[c->x] + c->shift, &n->x), " ");
        put_number(g, number_of(row[c->y], &n->y), three ? " " : "\n");
        if (three)
            put_number(g, c->look == LOOK_BAND ? number_of(row[c->y2], &n->y) : row[c->y2], "\n");
    }
    fputs("EOD\n", g);
}

/* "sqrt(t)" at the middle of what is seen of the guide. */
static void name_guide(FILE *g, const panel *p, const range *x, const range *y)
{
    for (size_t k = 0; k < p->n; k++) {
        const drawn *c = &p->curves[k];
        if (c->look != LOOK_GUIDE || c->of->rows < 2)
            continue;
        const double *a = c->of->values, *b = a + c->of->columns, scale = b[c->y] / sqrt(b[c->x]);
        const double from = fmax(fmax(a[c->x], x->least), pow(y->least / scale, 2));
        const double to = fmin(fmin(b[c->x], x->most), pow(y->most / scale, 2));
        if (from < to)
            fprintf(
                g,
                "set label '\xe2\x88\x9at' at %.6g,%.6g left offset 0.3,-0.7 noenhanced tc rgb '#666666'\n",
                sqrt(from * to), scale * sqrt(sqrt(from * to)));
    }
}

/* ---- Labels at the ends of curves ---------------------------------------------------------------------------- */

/* Where the curve of that colour ends on the screen [pixels from above]; NaN: it has none there. */
static double end_of(const panel *at, const box *axes, const range *y, size_t colour)
{
    double value = NAN;
    for (size_t k = 0; k < at->n; k++) {
        const drawn *c = &at->curves[k];
        size_t from, to;
        drawn_rows(c, &from, &to);
        if (c->run != colour || c->look == LOOK_GUIDE || (c->look == LOOK_FAINT && isfinite(value)))
            continue;
        for (size_t i = from; i < to; i++) {
            const double *row = c->of->values + i * c->of->columns;
            const double v = c->look == LOOK_BAND ? (row[c->y] + row[c->y2]) / 2 : row[c->y];
            value = isfinite(v) && (!at->log_y || v > 0) ? v : value;
        }
    }
    const double share = at->log_y ? log(value / y->least) / log(y->most / y->least)
                                   : (value - y->least) / (y->most - y->least);
    return axes->bottom - share * (axes->bottom - axes->top);
}

/* Black with a part of the colour, where the colour is too light to be read. */
static const char *text_colour(size_t i)
{
    static const char *const darker[REPORT_MOST] = {"#0072B2", "#B84F00", "#00775A", "#000000",
                                                    "#A04F7D", "#882255", "#8F6300", "#1B74A8"};
    return darker[i % REPORT_MOST];
}

static void put_leader(FILE *g, const frame *f, double x0, double y0, double x1, double y1, size_t colour)
{
    fputs("set arrow from", g);
    put_at(g, f, x0, y0);
    fputs(" to", g);
    put_at(g, f, x1, y1);
    fprintf(g, " nohead lw 1.3 lc rgb '%s'\n", key_colour(colour));
}

static bool has_curve(const picture *p, size_t colour)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->panels[i].n; k++)
            if (p->panels[i].curves[k].run == colour && p->panels[i].curves[k].look != LOOK_GUIDE)
                return true;
    return false;
}

/* Where labels stand [pixels]. */
typedef struct column {
    double left, least, most; /* their left side, behind the leaders; from where to where */
    double from;              /* where leaders begin, in a list */
    bool ends;                /* at the ends of the curves of the first panel, else a list from the top */
} column;

static column column_of(const picture *p, const frame *f)
{
    const box first = axes_of(p, f, 0), last = axes_of(p, f, p->n - 1);
    const double room =
        p->stacked && p->n > 1 ? first.bottom + BOTTOM - first.top : (double)(f->height - f->head) - EDGE;
    column c = {.left = (double)(f->width - f->margin) + GAP - RIGHT / 2.0,
                .least = (double)f->head,
                .most = (double)f->height - EDGE,
                .from = last.right + RIGHT / 2.0,
                .ends = p->panels->ends && (p->stacked || p->n == 1) &&
                        LABEL_LINE * (double)f->labels.lines <= room};
    if (c.ends)
        c.most = c.least + room;
    if (f->corner) {
        const box right = axes_of(p, f, 1);
        c.least = right.bottom + BOTTOM + TOP;
        c.from = right.left;
        c.left = right.left + GAP;
    }
    return c;
}

static void put_labels(FILE *g, const picture *p, const frame *f, double length)
{
    double wanted[REPORT_MOST], heights[REPORT_MOST], tops[REPORT_MOST];
    const labels *l = &f->labels;
    const box axes = axes_of(p, f, 0);
    const column c = column_of(p, f);
    range of_x, of_y;
    axes_ranges(p->panels, length, &of_x, &of_y);
    for (size_t i = 0; i < l->n; i++) {
        const double end = end_of(p->panels, &axes, &of_y, i);
        heights[i] = has_curve(p, i) ? LABEL_LINE * (double)l->at[i].n : 0;
        wanted[i] = c.ends && isfinite(end) ? end - heights[i] / 2 : c.least + (double)i;
    }
    labels_place(l->n, wanted, heights, c.least, c.most, tops);
    for (size_t i = 0; i < l->n; i++) {
        const double end = end_of(p->panels, &axes, &of_y, i), first = tops[i] + LABEL_LINE / 2.0;
        for (size_t k = 0; k < l->at[i].n && heights[i] > 0; k++)
            put_line_of_text(g, f, l->at[i].lines[k], c.left, first + LABEL_LINE * (double)k, text_colour(i));
        if (c.ends && isfinite(end))
            put_leader(g, f, axes.right, end, c.left - 3, tops[i] + heights[i] / 2, i);
        else if (heights[i] > 0)
            put_leader(g, f, c.from, first, c.left - 3, first, i);
    }
}

/* ---- Panels ------------------------------------------------------------------------------------------------------ */

static void put_panel(FILE *g, const picture *p, const panel *at, const box *axes, double length,
                      plot_format format, size_t data)
{
    const bool narrow = p->n > 1 && !p->stacked;
    range x, y;
    axes_ranges(at, length, &x, &y);
    const axes_numbers n = numbers_of(at, length);
    x = (range){number_of(x.least, &n.x), number_of(x.most, &n.x)};
    y = (range){number_of(y.least, &n.y), number_of(y.most, &n.y)};
    put_axis(g, 'x', &x, at->log_x, at->whole_x, narrow ? 5 : 7, format);
    put_axis(g, 'y', &y, at->log_y, false, 6, format);
    if (!plot_is_text(format))
        fputs(at->equal ? "set size ratio -1\n" : "set size noratio\n", g);
    fputs(at->with_zero ? "set xzeroaxis lt 1 lw 0.6 lc rgb '#888888'\n" : "unset xzeroaxis\n", g);
    name_guide(g, at, &x, &y);
    fputs("set xlabel ", g);
    put_label(g, at->x_label, &n.x, (size_t)(axes->right - axes->left + LEFT) / LABEL_LETTER);
    fputs(" noenhanced offset 0,0.3\nset ylabel ", g);
    put_label(g, at->y_label, &n.y, (size_t)(axes->bottom - axes->top + BOTTOM / 2) / LABEL_LETTER);
    fputs(" noenhanced\nplot", g);
    for (size_t k = 0; k < at->n; k++) {
        fputs(k ? "," : "", g);
        put_curve(g, p, &at->curves[k], data + k, axes->right - axes->left, format);
    }
    fputs("\nunset label\nunset arrow\n", g);
}

/* Margins are set by hand: gnuplot's guesses differ between terminals. */
static void put_margins(FILE *g, const frame *f, const box *axes)
{
    fprintf(
        g,
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset bmargin at screen %.4f\nset tmargin at screen "
        "%.4f\n",
        axes->left / (double)f->width, axes->right / (double)f->width, 1 - axes->bottom / (double)f->height,
        1 - axes->top / (double)f->height);
}

static void put_script(FILE *g, const picture *p, plot_format format, size_t columns)
{
    const frame f = frame_of(p);
    const double length = longest(p);
    size_t data = 0;
    put_terminal(g, format, &f, columns);
    fputs(plot_is_text(format) && p->n_labels ? "set key below noenhanced\n" : "unset key\n", g);
    fputs("unset colorbox\nset border lw 0.6\nset tics nomirror scale 0.6,0.3\n"
          "set datafile missing '?'\nset palette defined (0 '#f2b04a', 1 '#6b1a00')\nset cbrange [0:1]\n"
          "set xtics rotate by 0\n",
          g);
    for (size_t i = 0; i < p->n; i++) {
        const axes_numbers n = numbers_of(&p->panels[i], length);
        for (size_t k = 0; k < p->panels[i].n; k++)
            put_data(g, &p->panels[i], &p->panels[i].curves[k], &n, data++);
    }
    data = 0;
    if (!plot_is_text(format)) {
        put_head(g, &f);
        put_labels(g, p, &f, length);
        fputs("set multiplot\n", g);
    }
    for (size_t i = 0; i < p->n; i++) {
        const box axes = axes_of(p, &f, i);
        if (!plot_is_text(format))
            put_margins(g, &f, &axes);
        put_panel(g, p, &p->panels[i], &axes, length, format, data);
        data += p->panels[i].n;
    }
    if (!plot_is_text(format))
        fputs("unset multiplot\n", g);
}

/* The time at which cairo wrote a PDF would differ from one call to the next. */
static void forget_date(char *bytes, size_t size)
{
    static const char word[] = "/CreationDate (D:", date[] = "20000101000000";
    const size_t n = sizeof word - 1;
    for (size_t i = 0; i + n + sizeof date < size; i++)
        if (!memcmp(bytes + i, word, n))
            memcpy(bytes + i + n, date, sizeof date - 1);
}

ph_status picture_draw(const picture *p, plot_format format, size_t columns, char **bytes, size_t *size,
                       int *missing, ph_error *err)
{
    *bytes = NULL;
    *missing = 0;
    FILE *script = tmpfile();
    if (!script)
        return ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    put_script(script, p, format, columns);
    const ph_status status = gnuplot_run(script, bytes, size, missing, err);
    fclose(script);
    if (!status && format == PLOT_PDF)
        forget_date(*bytes, *size);
    return status;
}
