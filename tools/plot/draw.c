/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot's script of a picture. A column of a journal is 8.6 cm wide, which is 325 pixels of 1/96 inch. */
#include "draw.h"

#include "bench/report/gnuplot.h"
#include "bench/report/key.h"
#include "bench/report/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW = 325, WIDE = 680, TALL = 240, STACK = 150, TITLE_LINE = 15, PNG_SCALE = 4 };
/* Around the axes of a panel [pixels]. */
enum { LEFT = 64, LEFT_STACKED = 80, LEFT_EQUAL = 58, RIGHT = 14, BOTTOM = 42, TOP = 4 };

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

static void put_label(FILE *g, const char *text)
{
    char better[PICTURE_WORDS];
    picture_words(better, text);
    put_text(g, better);
}

typedef struct frame {
    size_t width, height, head; /* [pixels]; head: for the labels above the axes */
} frame;

static frame frame_of(const picture *p)
{
    frame f = {p->n == 1 || p->stacked ? NARROW : (p->n == 2 ? 2 * NARROW : WIDE), TALL, 0};
    f.head = TITLE_LINE * ((p->n_runs > 1 ? p->n_runs : 0) + (*p->title ? 1 : 0)) + TITLE_LINE / 2;
    if (p->stacked)
        f.height = p->n == 1 ? TALL : STACK * p->n;
    else if (p->panels->equal) /* square: as high as a panel is wide */
        f.height = f.width / p->n - LEFT_EQUAL - RIGHT + BOTTOM + TOP;
    f.height += f.head;
    return f;
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
    case PLOT_TEXT:
        fprintf(g, "set terminal dumb size %zu,%zu mono\n", columns, columns < 60 ? (size_t)18 : (size_t)24);
        break;
    default:
        fprintf(g, "set terminal svg size %zu,%zu enhanced font 'sans-serif,10' background rgb 'white'\n",
                f->width, f->height);
    }
}

/* Labels in the colours of their curves, one below the other: they cannot overlap. */
static void put_labels(FILE *g, const picture *p, const frame *f)
{
    double y = 1;
    const double line = (double)TITLE_LINE / (double)f->height;
    if (*p->title) {
        fputs("set label ", g);
        put_text(g, p->title);
        fprintf(g, " at screen 0.03,%.4f left noenhanced tc rgb '#444444'\n", y - 0.7 * line);
        y -= line;
    }
    for (size_t i = 0; p->n_runs > 1 && i < p->n_runs; i++, y -= line) {
        fputs("set label ", g);
        put_text(g, p->runs[i].label);
        fprintf(g, " at screen 0.03,%.4f left noenhanced tc rgb '%s'\n", y - 0.7 * line, key_colour(i));
    }
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
        for (size_t i = 0; c->look != LOOK_GUIDE && i < c->of->rows; i++) {
            const double *row = c->of->values + i * c->of->columns;
            enter(x, row[c->x], p->log_x);
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
    if (!(margin > 1e-14 * fmax(fabs(r->least), fabs(r->most))))
        margin = fmax(0.05 * fabs(r->most), 1e-12);
    *r = (range){r->least - margin, r->most + margin};
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

static void put_axis(FILE *g, char axis, const range *r, bool log, double pieces, plot_format format)
{
    fprintf(g, "set %crange [%.9g:%.9g]\n", axis, r->least, r->most);
    if (!log) {
        const double large = fmax(fabs(r->least), fabs(r->most));
        const bool small = large < 1e-3 || large >= 1e5;
        fprintf(g, "unset logscale %c\nset format %c '%s'\nset m%ctics 2\nset %ctics %.9g\n", axis, axis,
                format == PLOT_TEXT || !small ? "%g" : "%.1t·10^{%T}", axis, axis, tic_step(r, pieces));
        return;
    }
    const double decades = log10(r->most / r->least);
    fprintf(g, "set logscale %c\nset m%ctics %s\n", axis, axis, decades > 6 ? "1" : "10");
    fprintf(g, "set %ctics %g\nset format %c '%s'\n", axis, pow(10, fmax(1, ceil(decades / 6))), axis,
            format == PLOT_TEXT ? "1e%L" : "10^{%L}");
}

static void put_curve(FILE *g, const drawn *c, size_t data)
{
    const char *colour = key_colour(c->run);
    fprintf(g, " $d%zu using %zu:%zu", data, c->x + 1, c->y + 1);
    switch (c->look) {
    case LOOK_FAINT:
        fprintf(g, " with lines lw 0.6 lc rgb '#80%s'", colour + 1);
        break;
    case LOOK_DOTS:
        fprintf(g, " with points pt 7 ps %s lc rgb '%s'", c->of->rows > 3000 ? "0.18" : "0.3", colour);
        break;
    case LOOK_BAND:
        fprintf(g, ":%zu with filledcurves fs transparent solid 0.35 noborder lc rgb '%s',", c->y2 + 1,
                colour);
        fprintf(g, " $d%zu using %zu:%zu with lines lw 0.8 lc rgb '%s',", data, c->x + 1, c->y + 1, colour);
        fprintf(g, " $d%zu using %zu:%zu with lines lw 0.8 lc rgb '%s'", data, c->x + 1, c->y2 + 1, colour);
        break;
    case LOOK_SHADES:
        fprintf(g, ":%zu with lines lw 1.2 lc palette", c->y2 + 1);
        break;
    case LOOK_GUIDE:
        fputs(" with lines lw 0.9 dt (6,4) lc rgb '#777777'", g);
        break;
    default:
        fprintf(g, " with lines lw 1.3 lc rgb '%s'", colour);
    }
}

/* Zero and what is below it have no place on a logarithmic axis. */
static void put_data(FILE *g, const panel *p, const drawn *c, size_t number)
{
    fprintf(g, "$d%zu << EOD\n", number);
    for (size_t i = 0; i < c->of->rows; i++) {
        const double *row = c->of->values + i * c->of->columns;
        if (!isfinite(row[c->x]) || !isfinite(row[c->y])) {
            fputc('\n', g);
            continue;
        }
        if ((p->log_x && !(row[c->x] > 0)) || (p->log_y && !(row[c->y] > 0)))
            continue;
        for (size_t k = 0; k < c->of->columns; k++) {
            fputs(k ? " " : "", g);
            if (isfinite(row[k]))
                fprintf(g, "%.9g", row[k]);
            else
                fputs("?", g);
        }
        fputc('\n', g);
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

static void put_panel(FILE *g, const panel *at, double length, bool narrow, plot_format format, size_t data)
{
    range x, y;
    ranges_of(at, &x, &y);
    if (at->equal) {
        make_square(&x, length);
        make_square(&y, length);
    } else {
        widen(&x, at->log_x, at->log_x ? 0.02 : 0.0);
        y.least = at->from_zero ? fmin(0, y.least) : y.least;
        widen(&y, at->log_y, 0.06);
    }
    put_axis(g, 'x', &x, at->log_x, narrow ? 4 : 7, format);
    put_axis(g, 'y', &y, at->log_y, 6, format);
    if (format != PLOT_TEXT)
        fputs(at->equal ? "set size ratio -1\n" : "set size noratio\n", g);
    name_guide(g, at, &x, &y);
    fputs("set xlabel ", g);
    put_label(g, at->x_label);
    fputs(" noenhanced offset 0,0.3\nset ylabel ", g);
    put_label(g, at->y_label);
    fputs(" noenhanced\nplot", g);
    for (size_t k = 0; k < at->n; k++) {
        fputs(k ? "," : "", g);
        put_curve(g, &at->curves[k], data + k);
    }
    fputc('\n', g);
    fputs("unset label\n", g);
}

static void put_script(FILE *g, const picture *p, plot_format format, size_t columns)
{
    const frame f = frame_of(p);
    const double length = longest(p);
    size_t data = 0;
    put_terminal(g, format, &f, columns);
    fputs("unset key\nunset colorbox\nset border lw 0.6\nset tics nomirror scale 0.6,0.3\n"
          "set datafile missing '?'\nset palette defined (0 '#c6dbef', 1 '#08306b')\nset cbrange [0:1]\n"
          "set xtics rotate by 0\n",
          g);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->panels[i].n; k++)
            put_data(g, &p->panels[i], &p->panels[i].curves[k], data++);
    data = 0;
    if (format != PLOT_TEXT) {
        put_labels(g, p, &f);
        fputs("set multiplot\n", g);
    }
    for (size_t i = 0; i < p->n; i++) {
        if (format != PLOT_TEXT) { /* margins are set by hand: gnuplot's guesses differ between terminals */
            const double top = 1 - (double)f.head / (double)f.height,
                         each = p->stacked ? top / (double)p->n : top;
            const double bottom = p->stacked ? top - each * (double)(i + 1) : 0,
                         wide = p->stacked ? 1 : 1.0 / (double)p->n;
            const double left = p->stacked ? 0 : wide * (double)i;
            fprintf(
                g,
                "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset bmargin at screen %.4f\nset tmargin at screen %.4f\n",
                left + (p->stacked ? LEFT_STACKED : (p->panels->equal ? LEFT_EQUAL : LEFT)) / (double)f.width,
                left + wide - RIGHT / (double)f.width, bottom + BOTTOM / (double)f.height,
                bottom + each - TOP / (double)f.height);
        }
        put_panel(g, &p->panels[i], length, p->n > 1 && !p->stacked, format, data);
        data += p->panels[i].n;
    }
    if (format != PLOT_TEXT)
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
