/* SPDX-License-Identifier: BSD-3-Clause */
/* Panels: data blocks, axes, curves by their looks. */
#include "gnuplot.h"
#include "guide.h"

#include <math.h>

/* Labels of axes may be so much longer than these [pixels]. */
enum { AROUND_X = 60, AROUND_Y = 20 };

/* ---- Axes ------------------------------------------------------------------------------------------------------ */

static void put_axis(FILE *g, char name, const axis *a, bool whole, bool text)
{
    double first = 0;
    fprintf(g, "set %crange [%.9g:%.9g]\n", name, a->of.least, a->of.most);
    if (!a->log) {
        fprintf(g, "unset logscale %c\nset format %c '%%g'\nset m%ctics %d\nset %ctics %.9g\n", name, name,
                name, whole ? 1 : 2, name, a->step);
        return;
    }
    if (axis_is_fine(a)) {
        double at;
        fprintf(g, "set logscale %c\nset m%ctics 1\nset %ctics (", name, name, name);
        for (size_t i = 0; axis_tick(a, i, &at); i++)
            fprintf(g, "%s'%g' %.9g", i ? "," : "", pow(10, at), pow(10, at));
        fputs(")\n", g);
        return;
    }
    const double decades = log10(a->of.most) - log10(a->of.least);
    fprintf(g, "set logscale %c\nset m%ctics %s\n", name, name, decades > 6 ? "1" : "10");
    axis_tick(a, 0, &first);
    fprintf(g, "set %ctics ", name);
    if (a->step > 1) /* gnuplot looks for the first one so long that it seems to hang */
        fprintf(g, "%g,", pow(10, first));
    fprintf(g, "%g\nset format %c '%s'\n", pow(10, a->step), name, text ? "1e%L" : "10^{%L}");
}

/* The label of an axis, in two lines where there is no room for its letters in one. Returns how many lines. */
static size_t put_label(FILE *g, const char *text, const numbers *n, size_t room, bool ascii)
{
    label_text lines;
    char better[AXIS_LABEL];
    axes_label(better, text, n, ascii);
    label_wrap(&lines, better, room, 2);
    script_lines(g, &lines);
    return lines.n;
}

/* ---- Curves ------------------------------------------------------------------------------------------------------ */

/* Of a line: a thinned one is at least as wide as a cell of its raster, so that covered cells leave no gaps. */
static double width_of(const drawn *c, double panel_width, double usual)
{
    return c->cells ? fmax(0.5, panel_width / (double)c->cells) : usual;
}

/* scale: of the numbers at the horizontal axis */
static void put_curve(FILE *g, const drawn *c, size_t data, double scale, double panel_width)
{
    const char *colour = colour_of_curve(c->run), *dashes = dashes_of(c);
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
        fprintf(g, ":(%.4g) with boxes fs solid 0.75 noborder lc rgb '%s'", c->width / scale, colour);
        break;
    case LOOK_CELLS:
        fputs(":3:4:5:6:7 with boxxyerror fs solid 1 noborder lc rgb variable", g);
        break;
    case LOOK_GUIDE:
        fprintf(g, " with lines lw 0.9 dt (%s) lc rgb '#777777'", dashes);
        break;
    case LOOK_CROSS:
        fprintf(g, " with points pt 2 ps 2.2 lw 1.2 lc rgb '%s'", colour);
        break;
    default:
        fprintf(g, " with %s lw %.2f lc rgb '%s'",
                c->look != LOOK_MARKED ? "lines"
                : to - from < 30       ? "linespoints pt 7 ps 0.6"
                                       : "linespoints pt 7 ps 0.3",
                width_of(c, panel_width, 1.3), colour);
        if (dashes)
            fprintf(g, " dt (%s)", dashes);
    }
    fputs(" notitle", g);
}

/* Is it a line whose points all are at one place, as of one row or of a system at rest? A line would not be seen. */
static bool is_spot(const panel *p, const drawn *c, const range *x, const range *y)
{
    static const double pixel = 0.004; /* of the axes */
    range across = {INFINITY, -INFINITY}, up = across;
    size_t from, to;
    drawn_rows(c, &from, &to);
    if (c->look != LOOK_LINE && c->look != LOOK_FAINT && c->look != LOOK_HAZE && c->look != LOOK_BAND)
        return false;
    for (size_t i = from; i < to; i++) {
        double at_x, at_y;
        if (!drawn_at(p, c, i, &at_x, &at_y, NULL))
            continue;
        const double u = axes_share(at_x, x, p->log_x), v = axes_share(at_y, y, p->log_y);
        across = (range){fmin(across.least, u), fmax(across.most, u)};
        up = (range){fmin(up.least, v), fmax(up.most, v)};
    }
    return across.most - across.least < pixel && up.most - up.least < pixel;
}

static void put_spot(FILE *g, const drawn *c, size_t data)
{
    fprintf(g, " $d%zu using 1:2 with points pt 7 ps 0.5 lc rgb '%s' notitle", data, colour_of_curve(c->run));
}

static void put_number(FILE *g, double x, const char *behind)
{
    if (axis_has(x, false))
        fprintf(g, "%.9g%s", x, behind);
    else
        fprintf(g, "?%s", behind);
}

/* Its edges, its colour, and the character that stands for it in a text. It reaches a little under the next ones, else renderers would
 * show gaps between them. */
static void put_cell(FILE *g, const double *shade, const axes_numbers *n)
{
    for (size_t edge = 1; edge <= 4; edge++) {
        const double more = edge % 2 ? 0 : 0.05 * (shade[edge] - shade[edge - 1]);
        put_number(g, axes_number(shade[edge] + more, edge <= 2 ? &n->x : &n->y), " ");
    }
    fprintf(g, "%u %c\n", colour_of_cell(*shade), text_of_cell(*shade));
}

/* Zero and what is below it have no place on a logarithmic axis. */
static void put_data(FILE *g, const panel *p, const drawn *c, const axes_numbers *n, size_t number)
{
    const bool three = c->look == LOOK_BAND || c->look == LOOK_SHADES || c->look == LOOK_CELLS;
    size_t from, to;
    drawn_rows(c, &from, &to);
    fprintf(g, "$d%zu << EOD\n", number);
    for (size_t i = from; i < to; i++) {
        const double *row = c->of->values + i * c->of->columns;
        if (!axis_has(row[c->x], false) || !axis_has(row[c->y], false)) {
            fputc('\n', g);
            continue;
        }
        if (!axis_has(row[c->x], p->log_x) || !axis_has(row[c->y], p->log_y))
            continue;
        put_number(g, axes_number(row[c->x] + c->shift, &n->x), " ");
        put_number(g, axes_number(row[c->y], &n->y), three ? " " : "\n");
        if (c->look == LOOK_CELLS)
            put_cell(g, &row[c->y2], n);
        else if (three)
            put_number(g, c->look == LOOK_BAND ? axes_number(row[c->y2], &n->y) : row[c->y2], "\n");
    }
    fputs("EOD\n", g);
}

size_t panel_data(FILE *g, const panel *at, double length, size_t number)
{
    const axes_numbers n = axes_numbers_of(at, length);
    for (size_t k = 0; k < at->n; k++)
        put_data(g, at, &at->curves[k], &n, number++);
    return number;
}

/* Both axes; letters: as many as fit below the panel. */
static axes_numbers put_axes(FILE *g, const picture *p, const panel *at, double length, double letters,
                             bool text)
{
    const bool narrow = p->n > 1 && !p->stacked && !text;
    axis x, y;
    const axes_numbers n = axes_ticks(at, length, narrow ? 5 : 7, letters, &x, &y);
    put_axis(g, 'x', &x, at->whole_x, text);
    put_axis(g, 'y', &y, false, text);
    return n;
}

/* The names of guides. */
static void put_guides(FILE *g, const panel *at, const range *x, const range *y, const char *name,
                       const char *style)
{
    guide seen;
    for (size_t k = 0; k < at->n && name; k++)
        if (at->curves[k].look == LOOK_GUIDE && guide_find(&seen, at, &at->curves[k], x, y))
            fprintf(g, "set label '%s' at %.6g,%.6g %s noenhanced %s\n", name, seen.x, seen.y,
                    seen.above ? "right offset -0.3,0.6" : "left offset 0.3,-0.7", style);
}

void panel_put(FILE *g, const picture *p, const panel *at, const box *axes, double length, size_t data)
{
    range x, y;
    const axes_numbers n = put_axes(g, p, at, length, (axes->right - axes->left) / LABEL_LETTER, false);
    axes_ranges(at, length, &x, &y);
    fputs(at->equal ? "set size ratio -1\n" : "set size noratio\n", g);
    fputs(at->with_zero ? "set xzeroaxis lt 1 lw 0.6 lc rgb '#888888'\n" : "unset xzeroaxis\n", g);
    put_guides(g, at, &x, &y, p->guide_name, "tc rgb '#666666'");
    fputs("set xlabel ", g);
    put_label(g, at->x_label, &n.x, (size_t)(axes->right - axes->left + AROUND_X) / LABEL_LETTER, false);
    fputs(" noenhanced offset 0,0.3\nset ylabel ", g);
    const size_t lines =
        put_label(g, at->y_label, &n.y, (size_t)(axes->bottom - axes->top + AROUND_Y) / LABEL_LETTER, false);
    fprintf(g, " noenhanced offset %s,0\nplot", lines > 1 ? "-1" : "0");
    for (size_t k = 0; k < at->n; k++) {
        fputs(k ? "," : "", g);
        if (is_spot(at, &at->curves[k], &x, &y))
            put_spot(g, &at->curves[k], data + k);
        else
            put_curve(g, &at->curves[k], data + k, n.x.scale, axes->right - axes->left);
    }
    fputs("\nunset label\nunset arrow\n", g);
}

/* The label of the vertical axis stands above it: characters cannot be turned. */
void panel_put_text(FILE *g, const picture *p, const panel *at, size_t columns, double length,
                    plot_format format, size_t data)
{
    const bool ascii = format == PLOT_DUMB;
    range x, y;
    const axes_numbers n = put_axes(g, p, at, length, (double)columns, true);
    axes_ranges(at, length, &x, &y);
    fputs(at->with_zero ? "set xzeroaxis lt 0\n" : "unset xzeroaxis\n", g);
    put_guides(g, at, &x, &y, ascii ? p->guide_ascii : p->guide_name, "front");
    fputs("set xlabel ", g);
    put_label(g, at->x_label, &n.x, columns, ascii);
    fputs(" noenhanced\nset label ", g);
    put_label(g, at->y_label, &n.y, columns, ascii);
    fputs(" at ", g);
    text_put_above(g, columns);
    fputs(" noenhanced\n", g);
    text_put_ends(g, p, at, columns, &x, &y);
    fputs("plot", g);
    for (size_t k = 0; k < at->n; k++) {
        fputs(k ? "," : "", g);
        text_put_curve(g, p, &at->curves[k], data + k, n.x.scale, format);
    }
    fputs("\nunset label\n", g);
}
