/* SPDX-License-Identifier: BSD-3-Clause */
/* gnuplot's script for lines on logarithmic axes. */
#include "graph.h"
#include "figures/data.h"
#include "figures/gnuplot.h"
#include "figures/key.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int drawable(const graph_line *l, size_t i)
{
    return isfinite(l->x[i]) && isfinite(l->y[i]) && l->x[i] > 0 && l->y[i] > 0;
}

static size_t points(const graph_line *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += drawable(l, i) != 0;
    return n;
}

size_t graph_points(const graph *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += points(&p->lines[i]);
    return n;
}

static ph_status make_key(key *k, const graph *p, ph_error *err)
{
    *k = (key){.entries = calloc(p->n + 1, sizeof *k->entries)};
    if (!k->entries)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < p->n; i++) {
        key_entry *e = &k->entries[k->n];
        if (p->lines[i].guide || !points(&p->lines[i]))
            continue;
        *e = (key_entry){
            .colour = key_colour(p->lines[i].look), .dashes = "solid", .mark = key_mark(p->lines[i].look)};
        key_title(e->title, p->lines[i].title);
        k->n++;
    }
    k->n_left = k->n;
    key_lay_out(k);
    return PH_OK;
}

/* The range of the axes: all points, and a small margin. */
typedef struct window {
    double x0, x1, y0, y1;
} window;

static window find_window(const graph *p)
{
    window w = {INFINITY, 0, INFINITY, 0};
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->lines[i].n; j++) {
            double x = p->lines[i].x[j], y = p->lines[i].y[j];
            if (!drawable(&p->lines[i], j))
                continue;
            w = (window){fmin(w.x0, x), fmax(w.x1, x), fmin(w.y0, y), fmax(w.y1, y)};
        }
    double x = fmax(1.25, pow(w.x1 / w.x0, 0.05)), y = fmax(1.25, pow(w.y1 / w.y0, 0.05));
    return (window){w.x0 / x, w.x1 * x, w.y0 / y, w.y1 * y};
}

/* Tics between powers of ten, where the axis has only a few of these. */
static void put_tics(FILE *g, const window *w)
{
    static const double digits[] = {1, 2, 5};
    if (w->y1 / w->y0 > 150)
        return;
    const char *before = "set format y '%g'\nset ytics (";
    for (double power = floor(log10(w->y0)); power <= log10(w->y1); power++)
        for (size_t i = 0; i < 3; i++) {
            double at = digits[i] * pow(10, power);
            if (at < w->y0 || at > w->y1)
                continue;
            fprintf(g, "%s%g", before, at);
            before = ",";
        }
    fputs(*before == ',' ? ")\n" : "", g);
}

static void put_frame(FILE *g, const graph *p, const key *k)
{
    window w = find_window(p);
    size_t height = HEIGHT + KEY_LINE * k->rows;
    fprintf(g,
            "set encoding utf8\n"
            "set terminal svg size %d,%zu enhanced font 'sans-serif,16' background rgb 'white'\n"
            "unset key\nset bmargin at screen %.4f\n"
            "set logscale xy\nset format x '10^{%%L}'\nset format y '%s'\n"
            "set grid lc rgb '#dddddd' lw 1 dt solid\nset border lw 1.2\nset tics nomirror\n"
            "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n",
            WIDTH, height, (double)(AXIS + KEY_LINE * k->rows) / (double)height, p->y_format, w.x0, w.x1,
            w.y0, w.y1);
    put_tics(g, &w);
    fprintf(g, "set xlabel '%s' offset 0,0.4\nset ylabel '%s'\n", p->x_label, p->y_label);
    key_put(g, k, height);
}

static void put_lines(FILE *g, const graph *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const graph_line *l = &p->lines[i];
        fprintf(g, "$d%zu << EOD\n", i);
        for (size_t j = 0; j < l->n; j++)
            if (drawable(l, j))
                fprintf(g, "%.6g %.6g\n", l->x[j], l->y[j]);
        fputs("EOD\n", g);
    }
    const char *before = "plot";
    for (size_t i = 0; i < p->n; i++) {
        size_t look = p->lines[i].look;
        if (!points(&p->lines[i]))
            continue;
        fprintf(g, "%s $d%zu with ", before, i);
        if (p->lines[i].guide)
            fprintf(g, "lines lw 1.5 dt '-' lc rgb '%s'", key_colour(look));
        else
            fprintf(g, "linespoints lw 2 pt %d ps 0.8 dt solid lc rgb '%s'", key_mark(look),
                    key_colour(look));
        before = ",";
    }
    fputc('\n', g);
}

ph_status graph_draw(const graph *p, char **svg, size_t *length, int *missing, ph_error *err)
{
    key k = {0};
    *svg = NULL;
    *missing = 0;
    FILE *script = tmpfile();
    if (!script)
        return ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    ph_status status = make_key(&k, p, err);
    if (!status) {
        put_frame(script, p, &k);
        put_lines(script, p);
        status = gnuplot_run(script, svg, length, missing, err);
    }
    free(k.entries);
    fclose(script);
    return status;
}

void graph_data(FILE *f, const graph *p)
{
    const char *before = "";
    data_axes_begin(f, &(data_axes){.x_label = p->x_label, .y_label = p->y_label, .x_log = 1, .y_log = 1});
    for (size_t i = 0; i < p->n; i++) {
        const graph_line *l = &p->lines[i];
        if (!points(l))
            continue;
        data_curve_put(f, before,
                       &(data_curve){.label = l->guide ? "" : l->title,
                                     .colour = key_colour(l->look),
                                     .dashed = l->guide,
                                     .x = l->x,
                                     .y = l->y,
                                     .n = l->n});
        before = ",";
    }
    data_axes_end(f);
}
