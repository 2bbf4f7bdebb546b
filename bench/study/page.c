/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of a study (report.h). */
#include "bench/report/markup.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static bool is_shown(const study *s, const study_figure *figure, size_t i)
{
    if (!figure->shown || s->n <= GRAPH_MOST)
        return true;
    for (const char *const *label = figure->shown; *label; label++)
        if (!strcmp(s->lines[i].label, *label))
            return true;
    return false;
}

/* x, y (BINS_MOST) <- the points of a line; how many. */
static size_t points_of(const study_line *l, const study_figure *figure, double unit, double *x, double *y)
{
    const curve *c = figure->error ? &l->run.distances : &l->run.energies;
    for (size_t k = 0; figure->of && k < STUDY_POINTS; k++) {
        const study_point *p = &l->points[k][figure->of->series];
        x[k] = p->cpu;
        y[k] = p->errors[figure->error];
    }
    for (size_t k = 0; !figure->of && k < c->n; k++) {
        x[k] = curve_time(c, k) / unit;
        y[k] = curve_bin(c, k);
    }
    return figure->of ? STUDY_POINTS : c->n;
}

static ph_status put_figure(FILE *f, const study *s, const study_figure *figure, ph_error *err)
{
    const char *time = s->kind->days ? "t [days]" : "t [s]";
    double(*x)[BINS_MOST] = calloc(2 * GRAPH_MOST, sizeof *x), (*y)[BINS_MOST] = x ? x + GRAPH_MOST : NULL;
    graph_line lines[GRAPH_MOST];
    graph g = {.x_label = figure->of ? "CPU time [s]" : time, .y_label = figure->y_label, .lines = lines};
    char caption[400], quantity[120] = "";
    if (!x)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->n && g.n < GRAPH_MOST; i++) {
        if (!is_shown(s, figure, i))
            continue;
        const size_t n = points_of(&s->lines[i], figure, s->kind->days ? 86400 : 1, x[g.n], y[g.n]);
        lines[g.n] = (graph_line){.title = s->lines[i].label, .look = g.n, .x = x[g.n], .y = y[g.n], .n = n};
        g.n += n > 0;
    }
    if (figure->of)
        costs_quantity(s, figure->of, quantity);
    snprintf(caption, sizeof caption, "%s: %s%s%s.", s->words, figure->words ? figure->words : "", quantity,
             figure->of ? " against the CPU time of the run" : "");
    const ph_status status = page_graph(f, &g, caption, caption, err);
    free(x);
    return status;
}

/* Figures for which there are results. */
static ph_status put_figures(FILE *f, const study *s, ph_error *err)
{
    ph_status status = PH_OK;
    fputs("<div class=\"figures\">\n", f);
    for (size_t i = 0; i < s->kind->n_figures && !status; i++) {
        const study_figure *figure = &s->kind->figures[i];
        if (figure->of ? !(figure->spare && s->n <= GRAPH_MOST) : s->long_time > 0 || s->long_steps)
            status = put_figure(f, s, figure, err);
    }
    fputs("</div>\n", f);
    return status;
}

ph_status study_page(FILE *f, const void *self, ph_error *err)
{
    const study_report *report = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < report->run.made && !status; i++) {
        const study *s = &report->results[i];
        fputs("<section>\n", f);
        markup_between(f, "<h2>", s->words, "</h2>\n");
        if (!s->of)
            markup_between(f, "<p class=\"soft\"><code>", s->name, "</code></p>\n");
        status = page_words(f, study_words(s), err);
        if (!status)
            status = put_figures(f, s, err);
        for (size_t k = 0; k < s->kind->n_accuracies; k++)
            costs_page(f, s, &s->kind->accuracies[k]);
        study_page_runs(f, s);
        study_page_steps(f, s);
        if (s->kind->series[0].name) {
            fputs("<details class=\"fold\"><summary>All steps and tolerances</summary>\n", f);
            study_page_points(f, s);
            fputs("</details>\n", f);
        }
        fputs("</section>\n", f);
    }
    return status;
}
