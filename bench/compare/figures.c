/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison: the key, and the script that draws them. Colours and marks distinguish
 * contenders, dashes distinguish steps, the same in all figures of a comparison. */
#include "figures.h"
#include "figures/gnuplot.h"
#include "figures/key.h"
#include "series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Looks --------------------------------------------------------------------------------------- */

static const char *colour(const comparison *c, const contender *who)
{
    return key_colour((size_t)(who - c->contenders));
}

static int mark(const comparison *c, const contender *who)
{
    return key_mark((size_t)(who - c->contenders));
}

static const char *dashes(const comparison *c, double group)
{
    static const char *const patterns[] = {"solid", "(9,5)", "(2,4)", "(9,4,2,4)", "(16,6)", "(9,4,2,4,2,4)"};
    return patterns[group_index(c, group) % (sizeof patterns / sizeof patterns[0])];
}

/* ---- Key ----------------------------------------------------------------------------------------- */

static void key_contenders(key *k, const comparison *c, figure which)
{
    for (size_t i = 0; i < c->n_contenders; i++) {
        const contender *who = &c->contenders[i];
        size_t drawn = figure_count(c, which, who, POINT);
        key_entry *e = &k->entries[k->n];
        if (!drawn && !figure_count(c, which, who, ZERO))
            continue;
        *e = (key_entry){.colour = colour(c, who), .dashes = "solid", .mark = mark(c, who)};
        key_title(e->title, who->label);
        if (!drawn)
            strcat(e->title, ": zero");
        k->n++;
    }
    k->n_left = k->n;
}

/* Two greys that look alike: gnuplot would draw consecutive lines of one colour with the dashes of the first.
 * */
static void key_steps(key *k, const comparison *c, figure which)
{
    for (size_t i = 0; figure_over_time(which) && groups_are_several(c) && i < c->n_trials; i++) {
        double group = c->trials[i].group;
        key_entry *e = &k->entries[k->n];
        if (!group_is_first(c, i) || !group_is_drawn(c, which, group))
            continue;
        *e = (key_entry){.colour = k->n % 2 ? "#666666" : "#656565", .dashes = dashes(c, group)};
        snprintf(e->title, sizeof e->title, "%sh = %g s", which == FIGURE_ENERGY_CPU ? "as at " : "", group);
        k->n++;
    }
}

static void key_signs(key *k, const comparison *c, figure which, const frame *f)
{
    if (figure_any_ended_early(c, which))
        k->entries[k->n++] = (key_entry){.title = "ended early", .colour = "#666666", .mark = CROSS};
    if (figure_shows_uncertainty(c, which, f))
        k->entries[k->n++] =
            (key_entry){.title = "truth's uncertainty", .colour = "#aaaaaa", .dashes = "solid"};
}

static ph_status make_key(key *k, const comparison *c, figure which, const frame *f, ph_error *err)
{
    *k = (key){.entries = calloc(c->n_contenders + c->n_trials + 2, sizeof *k->entries)};
    if (!k->entries)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    key_contenders(k, c, which);
    key_steps(k, c, which);
    key_signs(k, c, which, f);
    key_lay_out(k);
    return PH_OK;
}

/* ---- Script -------------------------------------------------------------------------------------- */

static void put_frame(FILE *g, const comparison *c, figure which, const frame *f, const key *k)
{
    size_t height = HEIGHT + KEY_LINE * k->rows;
    fprintf(g,
            "set encoding utf8\n"
            "set terminal svg size %d,%zu enhanced font 'sans-serif,16' background rgb 'white'\n"
            "unset key\nset bmargin at screen %.4f\n"
            "set logscale xy\nset format xy '10^{%%L}'\nset grid lc rgb '#dddddd' lw 1 dt solid\n"
            "set border lw 1.2\nset tics nomirror\n",
            WIDTH, height, (double)(AXIS + KEY_LINE * k->rows) / (double)height);
    fprintf(g, "set xlabel '%s' offset 0,0.4\nset ylabel '%s%s%s%s'\n",
            figure_over_time(which) ? "time [s]" : "CPU time [s]", figure_over_time(which) ? "largest |" : "",
            figure_quantity(c, which), figure_over_time(which) ? "|" : "",
            which == FIGURE_CONSTRAINT || which == FIGURE_TRAJECTORY_WORK ? "" : ", relative");
    fprintf(g, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", f->x0, f->x1, f->y0, f->y1);
    key_put(g, k, height);
}

/* The next point (in direction `step`) that is not empty. */
static point neighbour(const series *s, figure which, size_t i, int step)
{
    double x, y;
    point kind = NOTHING;
    while (kind == NOTHING && (step > 0 ? i + 1 < s->n : i > 0)) {
        i = step > 0 ? i + 1 : i - 1;
        kind = series_point(s, which, i, &x, &y);
    }
    return kind;
}

/* $d: the line, with a gap where the error is zero. $i: single points between gaps, which no line shows. $e:
 * its end. */
static void put_data(FILE *g, const series *s, figure which, size_t k, const frame *f, size_t *alone)
{
    double x, y, x_last = NAN, y_last = NAN;
    fprintf(g, "$d%zu << EOD\n", k);
    for (size_t i = 0; i < s->n; i++) {
        point kind = series_point(s, which, i, &x, &y);
        if (kind == POINT)
            fprintf(g, "%.6g %.4g\n", x_last = x, y_last = y);
        else if (kind == ZERO)
            fputc('\n', g);
    }
    fprintf(g, "EOD\n$i%zu << EOD\n", k);
    *alone = 0;
    for (size_t i = 0; i < s->n; i++)
        if (series_point(s, which, i, &x, &y) == POINT && neighbour(s, which, i, -1) != POINT &&
            neighbour(s, which, i, 1) != POINT) {
            fprintf(g, "%.6g %.4g\n", x, y);
            ++*alone;
        }
    fprintf(g, "EOD\n$e%zu << EOD\n%.6g %.4g\nEOD\n", k, x_last, fmin(y_last, f->y1));
}

/* ", $d0 with ..., " for one line; the data must come before the plot command, which is therefore collected
 * separately. */
static void put_line(FILE *plot, const comparison *c, const series *s, figure which, size_t k, size_t alone)
{
    size_t points = series_count(s, which, POINT);
    const char *hue = colour(c, s->who);
    fprintf(plot, ", $d%zu with linespoints lw 2 pt %d ps 0.8 pi %zu dt %s lc rgb '%s'", k, mark(c, s->who),
            s->trial ? points / 5 + 1 : 1, s->trial ? dashes(c, s->trial->group) : "solid", hue);
    if (alone)
        fprintf(plot, ", $i%zu with points pt %d ps 0.3 lc rgb '%s'", k, DOT, hue);
    if (series_ended_early(s))
        fprintf(plot, ", $e%zu with points pt %d ps 1.3 lw 2 lc rgb '%s'", k, CROSS, hue);
}

static void put_script(FILE *g, FILE *plot, const comparison *c, figure which, const frame *f, const key *k)
{
    put_frame(g, c, which, f, k);
    fputs("plot NaN", plot);
    if (figure_shows_uncertainty(c, which, f))
        fprintf(plot, ", %.6g with lines lw 2 lc rgb '#aaaaaa'", c->truth.uncertainty);
    for (size_t i = 0; i < figure_series(c, which); i++) {
        series s = series_at(c, which, i);
        size_t alone;
        if (!series_count(&s, which, POINT))
            continue;
        put_data(g, &s, which, i, f, &alone);
        put_line(plot, c, &s, which, i, alone);
    }
    fputc('\n', plot);
}

static ph_status write_script(FILE *g, const comparison *c, figure which, ph_error *err)
{
    char *command = NULL;
    size_t length;
    frame f = figure_frame(c, which);
    key k = {0};
    FILE *plot = open_memstream(&command, &length);
    ph_status status = plot ? make_key(&k, c, which, &f, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status) {
        put_script(g, plot, c, which, &f, &k);
        free(k.entries);
    }
    if (plot && fclose(plot) && !status)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        fputs(command, g);
    free(command);
    return status;
}

/* Why there is nothing to draw; NULL if there is something. */
static const char *nothing_to_draw(const comparison *c, figure which)
{
    if (figure_count(c, which, NULL, POINT))
        return NULL;
    if (figure_count(c, which, NULL, ZERO))
        return "Nothing to draw: this error is zero throughout, for every method.";
    return figure_over_time(which) ? "Nothing to draw: no trial that shows this was run."
                                   : "Nothing to draw: no run was both finished and timed.";
}

ph_status figure_draw(const comparison *c, figure which, char **svg, size_t *length, const char **why,
                      int *missing, ph_error *err)
{
    *svg = NULL;
    *length = 0;
    *missing = 0;
    *why = nothing_to_draw(c, which);
    if (*why)
        return PH_OK;
    FILE *script = tmpfile();
    if (!script)
        return ph_fail(err, PH_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    ph_status status = write_script(script, c, which, err);
    if (!status)
        status = gnuplot_run(script, svg, length, missing, err);
    fclose(script);
    return status;
}
