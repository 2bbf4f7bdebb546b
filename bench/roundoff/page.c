/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of ensembles, and roundoff.svg, its first figure. */
#include "bench/report/file.h"
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

static const char how_to_read[] =
    "<h2>How to read it</h2>\n<ul>\n"
    "<li>Members differ by a thousandth in their first velocities. Errors are relative, against the start, "
    "and evaluated in long double from the states; a stage of a composition counts as a step.</li>\n"
    "<li>A random walk grows like the square root of the steps (broken lines), and its mean over the members "
    "is zero but for the standard error. One mean in twenty is beyond two standard errors by chance.</li>\n"
    "<li>The error of a slope comes from ensembles drawn from the members with replacement.</li>\n"
    "</ul>\n";

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

/* Of the energy, or of the momentum map that is missed by the most at the end. */
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

/* What a walk would be: through the points of one, from the first point of what grows otherwise. */
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
                            .y_format = "10^{%L}",
                            .lines = g->lines}};
    for (size_t i = 0; i < r->n && i < GRAPH_MOST; i++)
        add_lines(g, &r->ensembles[i], i, momentum);
}

static ph_status put_figure(FILE *f, figure *g, const roundoff_report *r, int momentum,
                            report_figures *figures, ph_error *err)
{
    char caption[300];
    make_figure(g, r, momentum);
    snprintf(caption, sizeof caption,
             "Root mean square of the relative %s error over the members, "
             "against steps; broken: their square root.",
             momentum ? "momentum" : "energy");
    return page_graph(f, &g->graph, caption, caption, figures, err);
}

/* The first figure as a file, where it can be drawn. */
static ph_status write_picture(figure *g, const roundoff_report *r, const char *directory, ph_error *err)
{
    char part[4200], *svg = NULL;
    size_t length = 0;
    int missing;
    make_figure(g, r, 0);
    if (!graph_points(&g->graph) || graph_draw(&g->graph, &svg, &length, &missing, err) != PH_OK)
        return PH_OK; /* the page says why */
    FILE *f = report_open(directory, "roundoff.svg", part, err);
    if (f)
        fwrite(svg, 1, length, f);
    free(svg);
    return f ? report_close(f, part, err) : PH_E_IO;
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static void put_cell(FILE *f, const char *label, const char *format, double value)
{
    fprintf(f, "<td data-label=\"%s\">", label);
    markup_number(f, format, value);
    fputs("</td>", f);
}

static void put_row(FILE *f, const roundoff *r, const roundoff_series *s)
{
    const roundoff_finding g = roundoff_find_growth(r, s);
    markup_between(f, "<tr><th scope=\"row\">", s->name, "</th>");
    put_cell(f, "steps", "%.3g", g.end_steps);
    put_cell(f, "members", "%.0f", (double)g.end.n);
    put_cell(f, "rms", "%.1e", g.end.rms);
    put_cell(f, "largest", "%.1e", g.end.largest);
    put_cell(f, "mean", "%.1e", g.end.mean);
    put_cell(f, "its error", "%.1e", g.end.error);
    put_cell(f, "mean / error", "%.1f", g.end.mean / g.end.error);
    put_cell(f, "slope", "%.2f", g.slope);
    put_cell(f, "its error", "%.2f", g.slope_error);
    markup_between(f, "<td data-label=\"verdict\">", roundoff_word(g.verdict), "</td></tr>\n");
}

static void put_ensemble(FILE *f, const roundoff *r)
{
    static const char *const heads[] = {"steps",     "members",      "rms",   "largest",   "mean",
                                        "its error", "mean / error", "slope", "its error", "verdict"};
    char *words = roundoff_words(r);
    markup_between(f, "<section>\n<h2>", r->title, "</h2>\n");
    markup_between(f, "<p class=\"soft\"><code>", r->name, "</code></p>\n");
    page_words(f, words);
    free(words);
    fputs("<div class=\"table\"><table>\n"
          "<caption>Errors at the last point</caption>\n"
          "<thead><tr><th scope=\"col\">quantity</th>",
          f);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        fprintf(f, "<th scope=\"col\">%s</th>", heads[i]);
    fputs("</tr></thead>\n<tbody>\n", f);
    for (size_t i = 0; i < r->quantities; i++)
        put_row(f, r, &r->series[i]);
    fputs("</tbody></table></div>\n</section>\n", f);
}

/* ---- Page ---------------------------------------------------------------------------------------- */

static ph_status put_page(FILE *f, figure *g, const roundoff_report *r, report_figures *figures,
                          ph_error *err)
{
    ph_status status = PH_OK;
    page_top(f, "Polhode bench: how rounding adds up", NULL, r, &r->where);
    markup_between(f, "<p>Made by <code>", r->command, "</code></p>\n");
    fputs(how_to_read, f);
    fputs("<div class=\"figures\">\n", f);
    for (int momentum = 0; momentum < 2 && !status; momentum++)
        status = put_figure(f, g, r, momentum, figures, err);
    fputs("</div>\n", f);
    for (size_t i = 0; i < r->n; i++)
        put_ensemble(f, &r->ensembles[i]);
    page_end(f);
    return status;
}

ph_status roundoff_page(const roundoff_report *r, const char *directory, report_figures *figures,
                        ph_error *err)
{
    char part[4200];
    *figures = FIGURES_DRAWN;
    figure *g = malloc(sizeof *g);
    FILE *f = g ? report_open(directory, "report.html", part, err) : NULL;
    if (!f) {
        free(g);
        return g ? PH_E_IO : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    ph_status status = put_page(f, g, r, figures, err);
    if (status) {
        fclose(f);
        remove(part);
    } else {
        status = report_close(f, part, err);
    }
    if (!status)
        status = write_picture(g, r, directory, err);
    free(g);
    return status;
}
