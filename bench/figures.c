/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison: the key, and the script that draws them. Colour and
 * marks tell contenders, dashes tell steps, the same in all figures of a comparison. */
#include <bench/figures.h>
#include <bench/gnuplot.h>
#include <bench/series.h>
#include <bench/utf8.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On a telephone the picture is some 370 pixels wide: a font of 16 is read as one of 11 there. */
enum { WIDTH = 520, HEIGHT = 384, KEY_LINE = 24, AXIS = 76, KEY_LEFT = 12, SAMPLE = 40 };
/* A character of a title takes some 9 pixels at most; a title has as many as fit into the width, and two side
 * by side have together as many as fit beside their samples. */
enum { LETTER = 9, GAP = 8, TITLE_SIZE = 320, TITLE_MOST = 46, TITLE_HEAD = 30, TITLES_BOTH = 44 };

enum { CROSS = 2, DOT = 7 }; /* gnuplot's marks */

/* ---- Looks --------------------------------------------------------------------------------------- */

/* Okabe and Ito's colours, which colour-blind readers tell apart, darkest first. */
static const char *colour(const comparison *c, const contender *who)
{
    static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#000000",
                                          "#CC79A7", "#882255", "#E69F00", "#56B4E9"};
    return colours[(size_t)(who - c->contenders) % (sizeof colours / sizeof colours[0])];
}

static int mark(const comparison *c, const contender *who)
{
    static const int marks[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 15};
    return marks[(size_t)(who - c->contenders) % (sizeof marks / sizeof marks[0])];
}

static const char *dashes(const comparison *c, double group)
{
    static const char *const patterns[] = {"solid", "(9,5)", "(2,4)", "(9,4,2,4)", "(16,6)", "(9,4,2,4,2,4)"};
    return patterns[group_index(c, group) % (sizeof patterns / sizeof patterns[0])];
}

/* ---- Key ----------------------------------------------------------------------------------------- */

/* An entry of the key: its text, and the line and the mark (gnuplot's number, or 0) of its sample. */
typedef struct entry {
    char title[TITLE_SIZE];
    const char *colour, *dashes; /* dashes may be NULL: no line */
    int mark;
    size_t column, row;
} entry;

/* It is drawn by hand: gnuplot's own guesses how wide texts are, and cuts them off. */
typedef struct key {
    entry *entries;
    size_t n, n_contenders, rows;
    size_t second; /* where the second column begins [pixels] */
} key;

static size_t characters(const char *text)
{
    size_t n = 0;
    char one[5];
    for (; *text; n++)
        text = utf8_next(text, one);
    return n;
}

/* The label on one line, its middle left out if it is long. */
static void set_title(char title[TITLE_SIZE], const char *label)
{
    size_t n = characters(label), tail = n > TITLE_MOST ? n - (TITLE_MOST - TITLE_HEAD - 1) : 0;
    char *end = title, one[5];
    for (size_t i = 0; *label && end < title + TITLE_SIZE - 16; i++) {
        label = utf8_next(label, one);
        if (tail && i == TITLE_HEAD)
            end = stpcpy(end, "\xe2\x80\xa6");
        if (!tail || i < TITLE_HEAD || i >= tail)
            end = stpcpy(end, strpbrk(one, "\t\r\n") ? " " : one);
    }
    *end = '\0';
}

static void key_contenders(key *k, const comparison *c, figure which)
{
    for (size_t i = 0; i < c->n_contenders; i++) {
        const contender *who = &c->contenders[i];
        size_t drawn = figure_count(c, which, who, POINT);
        entry *e = &k->entries[k->n];
        if (!drawn && !figure_count(c, which, who, ZERO))
            continue;
        *e = (entry){.colour = colour(c, who), .dashes = "solid", .mark = mark(c, who)};
        set_title(e->title, who->label);
        if (!drawn)
            strcat(e->title, ": zero");
        k->n++;
    }
    k->n_contenders = k->n;
}

/* Two greys that look alike: what follows each other in one colour, gnuplot draws with the dashes of the
 * first. */
static void key_steps(key *k, const comparison *c, figure which)
{
    for (size_t i = 0; figure_over_time(which) && groups_are_several(c) && i < c->n_trials; i++) {
        double group = c->trials[i].group;
        entry *e = &k->entries[k->n];
        if (!group_is_first(c, i) || !group_is_drawn(c, which, group))
            continue;
        *e = (entry){.colour = k->n % 2 ? "#666666" : "#656565", .dashes = dashes(c, group)};
        snprintf(e->title, sizeof e->title, "%sh = %g s", which == FIGURE_ENERGY_CPU ? "as at " : "", group);
        k->n++;
    }
}

static void key_signs(key *k, const comparison *c, figure which, const frame *f)
{
    if (figure_any_ended_early(c, which))
        k->entries[k->n++] = (entry){.title = "ended early", .colour = "#666666", .mark = CROSS};
    if (figure_shows_uncertainty(c, which, f))
        k->entries[k->n++] = (entry){.title = "truth's uncertainty", .colour = "#aaaaaa", .dashes = "solid"};
}

/* Contenders to the left of the rest, or in both columns if there is no rest. */
static size_t column_of(const key *k, size_t i)
{
    return k->n > k->n_contenders ? i >= k->n_contenders : i % 2;
}

/* Two columns if the titles are short enough. */
static void lay_out(key *k)
{
    size_t used[2] = {0, 0}, longest[2] = {0, 0};
    for (size_t i = 0; i < k->n; i++) {
        size_t length = characters(k->entries[i].title), column = column_of(k, i);
        longest[column] = length > longest[column] ? length : longest[column];
    }
    for (size_t i = 0; i < k->n; i++) {
        entry *e = &k->entries[i];
        e->column = longest[0] + longest[1] <= TITLES_BOTH ? column_of(k, i) : 0;
        e->row = used[e->column]++;
    }
    k->rows = used[0] > used[1] ? used[0] : used[1];
    k->second = KEY_LEFT + SAMPLE + 2 * GAP + LETTER * longest[0];
    if (k->second < WIDTH / 2)
        k->second = WIDTH / 2;
}

static ph_status make_key(key *k, const comparison *c, figure which, const frame *f, ph_error *err)
{
    *k = (key){.entries = calloc(c->n_contenders + c->n_trials + 2, sizeof *k->entries)};
    if (!k->entries)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    key_contenders(k, c, which);
    key_steps(k, c, which);
    key_signs(k, c, which, f);
    lay_out(k);
    return PH_OK;
}

/* ---- Script -------------------------------------------------------------------------------------- */

/* In single quotes gnuplot replaces nothing and runs nothing. */
static void put_quoted(FILE *g, const char *text)
{
    fputc('\'', g);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', g);
        fputc(*text, g);
    }
    fputc('\'', g);
}

/* Coordinates of the screen run from 0 to 1, from the lower left corner. */
static void put_entry(FILE *g, const key *k, const entry *e, size_t height)
{
    double x = (double)(e->column ? k->second : KEY_LEFT) / WIDTH, sample = (double)SAMPLE / WIDTH;
    double y = (double)(KEY_LINE * (k->rows - e->row) - KEY_LINE / 3) / (double)height;
    fputs("set label ", g);
    put_quoted(g, e->title);
    fprintf(g, " at screen %.4f,%.4f left noenhanced\n", x + sample + (double)GAP / WIDTH, y);
    if (e->dashes)
        fprintf(g, "set arrow from screen %.4f,%.4f to screen %.4f,%.4f nohead lw 2 dt %s lc rgb '%s'\n", x,
                y, x + sample, y, e->dashes, e->colour);
    if (e->mark)
        fprintf(g, "set label '' at screen %.4f,%.4f point pt %d ps %g lw 2 lc rgb '%s'\n", x + sample / 2, y,
                e->mark, e->mark == CROSS ? 1.3 : 0.8, e->colour);
}

static void put_key(FILE *g, const key *k, size_t height)
{
    for (size_t i = 0; i < k->n; i++)
        put_entry(g, k, &k->entries[i], height);
}

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
    put_key(g, k, height);
}

/* What stands at the next place (by `step`) at which something was seen. */
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

/* $d: the line, with a gap where the error is zero. $i: points alone between gaps, which no line shows. $e:
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

/* ", $d0 with ..., " for one line; the data must stand before the plot command, so it comes into another
 * file. */
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
    return figure_over_time(which) ? "Nothing to draw: no trial was run that shows this."
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
