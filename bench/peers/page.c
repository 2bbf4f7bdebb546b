/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of work and precision compared with another library. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

static const char how_to_read[] =
    "<li>Each method computes the same motion with seven step sizes, each half of the one before. Those "
    "with error control have seven tolerances, the same for relative and absolute errors. All but the "
    "variational integrator evaluate the same right-hand side, in the form that is the fastest on this "
    "system.</li>\n"
    "<li>The trajectory error is the largest of an entry of the configuration at the end, compared with the "
    "truth. The energy error is the largest at 50 equidistant times, relative.</li>\n"
    "<li>Times are CPU times of whole runs, steps only. The runs alternate; the median is shown.</li>\n"
    "<li>Methods with error control compute the short run without interruption, and restart at each of "
    "the 50 times of the long one.</li>\n";

static ph_status put_figure(FILE *f, size_t which, const void *self, report_figures *figures, ph_error *err)
{
    const peers *p = self;
    const peer_quantity what = (peer_quantity)which;
    double *numbers = calloc(2 * PEER_POINTS * p->n + 1, sizeof *numbers);
    graph_line *lines = calloc(p->n + 1, sizeof *lines);
    char quantity[120], caption[300];
    ph_status status = PH_OK;
    if (!numbers || !lines)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < p->n && !status; i++) {
        double *x = numbers + 2 * PEER_POINTS * i, *y = x + PEER_POINTS;
        for (size_t k = 0; k < PEER_POINTS; k++) {
            x[k] = p->list[i].points[k].runs[what].cpu;
            y[k] = p->list[i].points[k].runs[what].error;
        }
        lines[i] = (graph_line){.title = p->list[i].label, .look = i, .x = x, .y = y, .n = PEER_POINTS};
    }
    graph g = {.x_label = "CPU time [s]",
               .y_label = what == PEER_ENERGY ? "largest energy error, relative" : "trajectory error",
               .y_format = "10^{%L}",
               .lines = lines,
               .n = p->n};
    peers_quantity(p, what, quantity, sizeof quantity);
    snprintf(caption, sizeof caption, "%s: %s against the CPU time of the run.", p->problem->name, quantity);
    if (!status)
        status = page_graph(f, &g, caption, caption, figures, err);
    free(numbers);
    free(lines);
    return status;
}

static void put_cells(FILE *f, const peer_run *r, const char *name)
{
    fprintf(f, "<td data-label=\"%s error\">", name);
    if (r->steps && r->status)
        markup_text(f, ph_status_text(r->status));
    else
        markup_error(f, r->error);
    fprintf(f, "</td><td data-label=\"%s: CPU [ms]\">", name);
    markup_number(f, "%.4g", 1e3 * r->cpu);
    fputs("</td>", f);
}

static void put_table(FILE *f, const peers *p)
{
    fputs("<div class=\"table\"><table>\n"
          "<caption>All runs</caption>\n"
          "<thead><tr><th scope=\"col\">method</th><th scope=\"col\">step [s] or tolerance</th>"
          "<th scope=\"col\">trajectory error</th><th scope=\"col\">CPU [ms]</th>"
          "<th scope=\"col\">energy error</th><th scope=\"col\">CPU [ms]</th></tr></thead>\n"
          "<tbody>\n",
          f);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < PEER_POINTS; k++) {
            const peer_point *point = &p->list[i].points[k];
            markup_between(f, "<tr><th scope=\"row\">", p->list[i].label, "</th>");
            fprintf(f, "<td data-label=\"step [s] or tolerance\">%.3g</td>", point->setting);
            put_cells(f, &point->runs[PEER_TRAJECTORY], "trajectory");
            put_cells(f, &point->runs[PEER_ENERGY], "energy");
            fputs("</tr>\n", f);
        }
    fputs("</tbody></table></div>\n", f);
}

static ph_status put_problem(FILE *f, const peers *p, report_figures *figures, ph_error *err)
{
    fputs("<section>\n", f);
    markup_between(f, "<h2>", p->problem->title, "</h2>\n");
    markup_between(f, "<p class=\"soft\"><code>", p->problem->name, "</code></p>\n");
    ph_status status = page_words(f, peers_words(p), err);
    fputs("<h3>Figures</h3>\n", f);
    if (!status)
        status = page_figures(f, PEER_QUANTITIES, put_figure, p, figures, err);
    for (int what = 0; what < PEER_QUANTITIES; what++) {
        const cost_table t = peers_costs(p, (peer_quantity)what);
        costs_page(f, &t);
    }
    put_table(f, p);
    fputs("</section>\n", f);
    return status;
}

static ph_status put_problems(FILE *f, const void *self, report_figures *figures, ph_error *err)
{
    const peers_report *r = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < r->run.made && !status; i++)
        status = put_problem(f, &r->problems[i], figures, err);
    return status;
}

const page_frame peers_page = {.title = "Polhode bench: comparison with SUNDIALS",
                               .what = "comparison",
                               .how_to_read = how_to_read,
                               .body = put_problems};
