/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot's script of a picture. A column of a journal is 8.6 cm wide, which is 325 pixels of 1/96 inch; one and a half are 12 cm, and two 18. */
#include "draw.h"
#include "gnuplot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW = 325, MIDDLE = 454, WIDE = 680, TALL = 240, STACK = 150, TITLE_LINE = 15, PNG_SCALE = 4 };
/* Around the axes of a panel [pixels]. Labels of curves stand behind a gap, in which a line leads to their curve. */
enum { SCALE_WIDE = 10, SCALE_ROOM = 84 }; /* of the colours of cells, and for it with its numbers */
enum { LEFT = 64, LEFT_STACKED = 80, LEFT_EQUAL = 58, RIGHT = 14, BOTTOM = 42, TOP = 4, GAP = 18, EDGE = 4 };

/* Where things are [pixels]. */
typedef struct frame {
    size_t width, height, head; /* head: for the lines above the axes */
    size_t left, margin;        /* of a panel, for its numbers; of the picture at the right, for labels */
    bool corner;                /* three panels in two rows, labels in the free corner */
    labels labels;
    label_text title, common;
} frame;

static size_t room_for_labels(const labels *l)
{
    return l->n ? GAP + LABEL_LETTER * l->letters + EDGE : 0;
}

/* Room at the left of the axes of each panel: for the longest number at any of them, with its tick, and the label. */
static size_t left_of(const picture *p, double length)
{
    enum { AROUND_NUMBERS = 34 };
    size_t left = p->stacked ? LEFT_STACKED : (p->panels->equal ? LEFT_EQUAL : LEFT);
    for (size_t i = 0; i < p->n; i++) {
        axis x, y;
        axes_ticks(&p->panels[i], length, 1, 1, &x, &y);
        const size_t wanted = AROUND_NUMBERS + LABEL_LETTER * axis_letters(&y);
        left = wanted > left ? wanted : left;
    }
    return left;
}

/* How many panels stand side by side, and how many rows of them there are. */
static size_t across_of(const picture *p, bool corner)
{
    return p->stacked ? 1 : p->across ? p->across : corner ? 2 : p->n;
}

static size_t down_of(const picture *p, bool corner)
{
    const size_t across = across_of(p, corner);
    return (p->n + across - 1) / across;
}

static frame frame_of(const picture *p, double length)
{
    frame f = {.height = TALL};
    const bool single = p->n == 1 || p->stacked;
    f.left = left_of(p, length);
    labels_of(&f.labels, p);
    f.corner = f.labels.n && p->n == 3 && !p->stacked && !p->across;
    f.margin = f.corner ? 0 : room_for_labels(&f.labels) + (*p->scale.label ? SCALE_ROOM : 0);
    f.width = single ? (f.margin ? MIDDLE : NARROW) : (p->n == 2 && !f.margin ? 2 * NARROW : WIDE);
    label_wrap(&f.title, p->title, (f.width - 20) / LABEL_LETTER, TITLE_LINES);
    label_wrap(&f.common, f.labels.common, (f.width - 20) / LABEL_LETTER, TITLE_LINES);
    f.head = TITLE_LINE * (f.title.n + f.common.n + (*p->scale.label != '\0')) + TITLE_LINE / 2;
    if (p->stacked)
        f.height = p->n == 1 ? TALL : STACK * p->n;
    else if (p->panels->equal) /* square: as high as a panel is wide */
        f.height = (f.width - f.margin) / across_of(p, f.corner) - f.left - RIGHT + BOTTOM + TOP;
    f.height *= p->stacked ? 1 : down_of(p, f.corner);
    if (f.height < LABEL_LINE * f.labels.lines + EDGE)
        f.height = LABEL_LINE * f.labels.lines + EDGE;
    f.height += f.head;
    return f;
}

/* The axes of a panel. */
static box axes_of(const picture *p, const frame *f, size_t i)
{
    const size_t across = across_of(p, f->corner), down = down_of(p, f->corner);
    const double wide = (double)(f->width - f->margin) / (double)across,
                 high = (double)(f->height - f->head) / (double)down;
    const double left = wide * (double)(i % across), top = (double)f->head + high * (double)(i / across);
    return (box){left + (double)f->left, left + wide - RIGHT, top + TOP, top + high - BOTTOM};
}

static void put_terminal(FILE *g, plot_format format, const frame *f)
{
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
    script_text(g, text);
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

/* The colours of cells at the right side, with their numbers; what they are stands above. */
static void put_scale(FILE *g, const picture *p, const frame *f)
{
    const box first = axes_of(p, f, 0);
    const double left = (double)(f->width - f->margin) + 2, high = first.bottom - first.top;
    char label[AXIS_LABEL];
    axis a;
    double at;
    const numbers n = axes_scale(&p->scale, &a);
    const range ends = a.log ? (range){log10(a.of.least), log10(a.of.most)} : a.of;
    axes_label(label, p->scale.label, &n, false);
    put_line_of_text(g, f, label, 10, (double)f->head - TITLE_LINE, "#444444");
    for (size_t i = 0; i < COLOUR_LEVELS; i++) {
        fputs("set object rectangle from", g);
        put_at(g, f, left, first.bottom - high * (double)i / COLOUR_LEVELS);
        fputs(" to", g);
        put_at(g, f, left + SCALE_WIDE,
               i + 1 < COLOUR_LEVELS ? first.bottom - high * ((double)i + 1.5) / COLOUR_LEVELS : first.top);
        fprintf(g, " fc rgb '#%06x' fs solid 1 noborder\n", colour_of_cell((double)i / COLOUR_LEVELS));
    }
    for (size_t i = 0; axis_tick(&a, i, &at); i++) {
        char words[AXIS_TICK];
        const double share = ends.most > ends.least ? axes_share(at, &ends, false) : 0.5;
        axis_words(words, &a, at);
        if (share > -0.01 && share < 1.01)
            put_line_of_text(g, f, words, left + SCALE_WIDE + 5, first.bottom - high * share, "#000000");
    }
}

/* ---- Labels at the ends of curves ---------------------------------------------------------------------------- */

/* Where the curve of that colour ends on the screen [pixels from above]; NaN: it has none there. */
static double end_of(const panel *at, const box *axes, const range *y, size_t colour)
{
    double x, value = NAN;
    if (!panel_end(at, colour, &x, &value))
        return NAN;
    return axes->bottom - axes_share(value, y, at->log_y) * (axes->bottom - axes->top);
}

static void put_leader(FILE *g, const frame *f, double x0, double y0, double x1, double y1, size_t colour)
{
    fputs("set arrow from", g);
    put_at(g, f, x0, y0);
    fputs(" to", g);
    put_at(g, f, x1, y1);
    fprintf(g, " nohead lw 1.3 lc rgb '%s'\n", colour_of_curve(colour));
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
    double wanted[LABELS_MOST], heights[LABELS_MOST], tops[LABELS_MOST];
    const labels *l = &f->labels;
    const box axes = axes_of(p, f, 0);
    const column c = column_of(p, f);
    range of_x, of_y;
    axes_ranges(p->panels, length, &of_x, &of_y);
    for (size_t i = 0; i < l->n; i++) {
        const double end = end_of(p->panels, &axes, &of_y, i);
        heights[i] = picture_has(p, i, DASHES, ~LOOK(GUIDE)) ? LABEL_LINE * (double)l->at[i].n : 0;
        wanted[i] = c.ends && isfinite(end) ? end - heights[i] / 2 : c.least + (double)i;
    }
    labels_place(l->n, wanted, heights, c.least, c.most, tops);
    for (size_t i = 0; i < l->n; i++) {
        const double end = end_of(p->panels, &axes, &of_y, i), first = tops[i] + LABEL_LINE / 2.0;
        for (size_t k = 0; k < l->at[i].n && heights[i] > 0; k++)
            put_line_of_text(g, f, l->at[i].lines[k], c.left, first + LABEL_LINE * (double)k,
                             colour_of_text(i));
        if (c.ends && isfinite(end))
            put_leader(g, f, axes.right, end, c.left - 3, tops[i] + heights[i] / 2, i);
        else if (heights[i] > 0)
            put_leader(g, f, c.from, first, c.left - 3, first, i);
    }
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

/* What is set before all panels. */
static void put_settings(FILE *g, plot_format format, const frame *f, size_t columns)
{
    fputs("set encoding utf8\n", g);
    if (plot_is_text(format))
        text_begin(g, format, columns);
    else
        put_terminal(g, format, f);
    fputs(
        "unset key\nunset colorbox\nset border lw 0.6\nset tics nomirror scale 0.6,0.3\n"
        "set datafile missing '?'\nset palette defined (0 '#f2b04a', 1 '#6b1a00')\nset cbrange [0:1]\n"
        "set xtics rotate by 0\nset clip two\n", /* a guide both of whose ends are outside of the axes is drawn within them */
        g);
}

static void put_script(FILE *g, const picture *p, plot_format format, size_t columns)
{
    const double length = axes_length(p);
    const frame f = frame_of(p, length);
    size_t data = 0;
    put_settings(g, format, &f, columns);
    for (size_t i = 0; i < p->n; i++)
        data = panel_data(g, &p->panels[i], length, data);
    data = 0;
    if (!plot_is_text(format)) {
        put_head(g, &f);
        put_labels(g, p, &f, length);
        if (*p->scale.label)
            put_scale(g, p, &f);
        fputs("set multiplot\n", g);
    }
    for (size_t i = 0; i < p->n; i++) {
        const box axes = axes_of(p, &f, i);
        if (plot_is_text(format)) {
            panel_put_text(g, p, &p->panels[i], columns, length, format, data);
        } else {
            put_margins(g, &f, &axes);
            panel_put(g, p, &p->panels[i], &axes, length, data);
        }
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

/* gnuplot begins each picture of characters with a form feed. */
static void drop_form_feeds(char *bytes, size_t *size)
{
    size_t kept = 0;
    for (size_t i = 0; i < *size; i++)
        if (bytes[i] != '\f')
            bytes[kept++] = bytes[i];
    *size = kept;
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
    ph_status status = gnuplot_run(script, bytes, size, missing, err);
    fclose(script);
    if (!status && plot_is_text(format))
        drop_form_feeds(*bytes, size);
    if (!status && plot_is_text(format))
        status = text_add_key(p, format, columns, bytes, size, err);
    if (!status && format == PLOT_PDF)
        forget_date(*bytes, *size);
    return status;
}
