/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of ensembles, and roundoff.svg, its first figure. */
#include "bench/report/file.h"
#include "bench/report/markup.h"
#include "figures/svg.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

static const char how_to_read[] =
    "<li>Members differ by a thousandth in their initial velocities. Errors are relative, against the start, "
    "and evaluated in long double from the states; a stage of a composition counts as a step.</li>\n"
    "<li>A random walk grows like the square root of the steps (broken lines), and its mean over the "
    "members is zero within the standard error. By chance, one mean in twenty is beyond two standard "
    "errors.</li>\n"
    "<li>The standard error of a slope is a bootstrap over the members.</li>\n";

/* ---- Figures ------------------------------------------------------------------------------------- */

enum { LINES = 2 * GRAPH_MOST };

typedef struct figure {
    graph graph;
    graph_line lines[LINES];
    double y[LINES][ROUNDOFF_POINTS];
} figure;

static int is_momentum(const roundoff *r, size_t i)
{
    return i > 0 && i + 1 < r->quantities;
}

/* The series of the energy, or of the momentum map with the largest error at the end. */
static const roundoff_series *series_of(const roundoff *r, int momentum)
{
    const roundoff_series *s = &r->series[momentum];
    double largest = -1;
    for (size_t i = 0; momentum && i < r->quantities; i++) {
        const double rms = is_momentum(r, i) ? roundoff_find_growth(r, &r->series[i]).end.rms : -1;
        if (rms > largest) {
            largest = rms;
            s = &r->series[i];
        }
    }
    return s;
}

/* A random walk to compare with: through the points of one, or from the first point of a series that grows
 * otherwise. */
static double walk_beside(const roundoff *r, const roundoff_finding *f, const double *rms)
{
    size_t first = 0;
    while (r->steps[first] < f->from)
        first++;
    return f->verdict == ROUNDOFF_WALKS ? f->scale : rms[first] / sqrt(f->from);
}

static void add_lines(figure *g, const roundoff *r, size_t look, int momentum)
{
    const roundoff_series *s = series_of(r, momentum);
    const roundoff_finding f = roundoff_find_growth(r, s);
    const size_t at = g->graph.n++;
    for (size_t j = 0; j < r->points; j++)
        g->y[at][j] = roundoff_at(r, s, j).n > 1 ? roundoff_at(r, s, j).rms : (double)NAN;
    g->lines[at] = (graph_line){.title = r->name, .look = look, .x = r->steps, .y = g->y[at], .n = r->points};
    if (f.verdict == ROUNDOFF_UNKNOWN || f.verdict == ROUNDOFF_STAYS)
        return;
    const size_t guide = g->graph.n++;
    const double scale = walk_beside(r, &f, g->y[at]);
    for (size_t j = 0; j < r->points; j++)
        g->y[guide][j] =
            r->steps[j] >= f.from && r->steps[j] <= f.end_steps ? scale * sqrt(r->steps[j]) : (double)NAN;
    g->lines[guide] = (graph_line){.guide = 1, .look = look, .x = r->steps, .y = g->y[guide], .n = r->points};
}

static void make_figure(figure *g, const roundoff_report *r, int momentum)
{
    *g = (figure){.graph = {.x_label = "steps",
                            .y_label = momentum ? "momentum error, rms" : "energy error, rms",
                            .lines = g->lines}};
    for (size_t i = 0; i < r->n && i < GRAPH_MOST; i++)
        add_lines(g, &r->ensembles[i], i, momentum);
}

static ph_status put_figure(FILE *f, size_t momentum, const void *self, ph_error *err)
{
    char caption[300];
    figure *g = malloc(sizeof *g);
    if (!g)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    make_figure(g, self, momentum != 0);
    snprintf(caption, sizeof caption,
             "Root mean square of the relative %s error over the members, "
             "against steps; broken: their square root.",
             momentum ? "momentum" : "energy");
    ph_status status = page_graph(f, &g->graph, caption, caption, err);
    free(g);
    return status;
}

ph_status roundoff_picture(const bench_run *run, const char *directory, ph_error *err)
{
    char part[4200];
    figure *g = malloc(sizeof *g);
    if (g)
        make_figure(g, (const roundoff_report *)run, 0);
    picture *p = g ? graph_picture(&g->graph, err) : NULL;
    FILE *f = p && !picture_is_empty(p) ? report_open(directory, "roundoff.svg", part, err) : NULL;
    if (f)
        svg_panel(f, p, 0, false,
                  "Root mean square of the relative energy error over the members, against steps.");
    const bool empty = p && picture_is_empty(p);
    graph_free(p);
    free(g);
    return f       ? report_close(f, part, err)
           : empty ? PH_OK
           : !p    ? ph_fail(err, PH_E_NO_MEMORY, "out of memory")
                   : PH_E_IO;
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static void put_row(FILE *f, const roundoff *r, const roundoff_series *s)
{
    const roundoff_finding g = roundoff_find_growth(r, s);
    markup_between(f, "<tr><th scope=\"row\">", s->name, "</th>");
    markup_cell(f, "steps", "%.3g", g.end_steps);
    markup_cell(f, "members", "%.0f", (double)g.end.n);
    markup_cell(f, "rms", "%.1e", g.end.rms);
    markup_cell(f, "largest", "%.1e", g.end.largest);
    markup_cell(f, "mean", "%.1e", g.end.mean);
    markup_cell(f, "its error", "%.1e", g.end.error);
    markup_cell(f, "mean / error", "%.1f", g.end.mean / g.end.error);
    markup_cell(f, "slope", "%.2f", g.slope);
    markup_cell(f, "its error", "%.2f", g.slope_error);
    markup_cell_text(f, "verdict", roundoff_word(g.verdict));
    fputs("</tr>\n", f);
}

static ph_status put_ensemble(FILE *f, const roundoff *r, ph_error *err)
{
    static const char *const heads[] = {"quantity", "steps",     "members",   "rms",
                                        "largest",  "mean",      "its error", "mean / error",
                                        "slope",    "its error", "verdict"};
    markup_between(f, "<section>\n<h2>", r->title, "</h2>\n");
    markup_between(f, "<p class=\"soft\"><code>", r->name, "</code></p>\n");
    const ph_status status = page_words(f, roundoff_words(r), err);
    markup_table(f, "Errors at the last point", heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < r->quantities; i++)
        put_row(f, r, &r->series[i]);
    markup_table_end(f);
    fputs("</section>\n", f);
    return status;
}

/* ---- Page ---------------------------------------------------------------------------------------- */

static void put_command(FILE *f, const void *self)
{
    markup_between(f, "<p>Made by <code>", ((const roundoff_report *)self)->command, "</code></p>\n");
}

static ph_status put_ensembles(FILE *f, const void *self, ph_error *err)
{
    const roundoff_report *r = self;
    ph_status status = page_figures(f, 2, put_figure, r, err);
    for (size_t i = 0; i < r->n && !status; i++)
        status = put_ensemble(f, &r->ensembles[i], err);
    return status;
}

const page_frame roundoff_page = {.title = "Polhode bench: how rounding accumulates",
                                  .how_to_read = how_to_read,
                                  .before = put_command,
                                  .body = put_ensembles};
