/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of long runs with velocity constraints. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>

static const char how_to_read[] =
    "<li>dla is the discrete Lagrange-d'Alembert integrator. It is symmetric, of the order that it states, keeps the "
    "constraint and the momenta of horizontal symmetries to rounding; it is not symplectic, as the motion is not, and no "
    "modified energy is known for it. That its energy error stays bounded is observed on reversible systems near "
    "integrable ones (Modin, Verdier, Numer. Math. 145 (2020) 405), not proven for ever.</li>\n"
    "<li>All runs do the same work: a step of order 4, 6, 8 is as long as its 5, 11, 21 stages together, one of RK4 as 4 "
    "of them. Adaptive methods take their own steps.</li>\n"
    "<li>Energy errors are relative to the energy at the start; of a system whose constraint moves, those of the moving "
    "energy.</li>\n"
    "<li>\"grows\": the largest error in the last tenth of the run is more than 1.5 times that in the first. "
    "\"rounding\": at most 1e-12.</li>\n";

static ph_status put_figure(FILE *f, size_t which, const void *self, report_figures *figures, ph_error *err)
{
    const nonholonomic *r = self;
    double x[GRAPH_MOST][BINS_MOST], y[GRAPH_MOST][BINS_MOST];
    graph_line lines[GRAPH_MOST];
    size_t n = 0;
    char caption[300];
    (void)which;
    for (size_t i = 0; i < r->n && n < GRAPH_MOST; i++) {
        const curve *c = &r->lines[i].energy;
        if (!c->n)
            continue;
        for (size_t k = 0; k < c->n; k++) {
            x[n][k] = curve_time(c, k);
            y[n][k] = curve_bin(c, k);
        }
        lines[n] = (graph_line){.title = r->lines[i].label, .look = n, .x = x[n], .y = y[n], .n = c->n};
        n++;
    }
    const graph g = {
        .x_label = "t [s]", .y_label = "energy error", .y_format = "10^{%L}", .lines = lines, .n = n};
    snprintf(caption, sizeof caption, "%s: largest energy error in each interval of time.", r->of->words);
    return page_graph(f, &g, caption, caption, figures, err);
}

static ph_status put_all(FILE *f, const void *self, report_figures *figures, ph_error *err)
{
    const nonholonomic_report *report = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < report->run.made && !status; i++) {
        const nonholonomic *r = &report->results[i];
        fputs("<section>\n", f);
        markup_between(f, "<h2>", r->of->words, "</h2>\n");
        status = page_words(f, nonholonomic_words(r), err);
        if (!status)
            status = page_figures(f, 1, put_figure, r, figures, err);
        nonholonomic_page_table(f, r);
        fputs("</section>\n", f);
    }
    return status;
}

const page_frame nonholonomic_page = {.title = "Polhode bench: energies of nonholonomic systems",
                                      .what = "comparison",
                                      .how_to_read = how_to_read,
                                      .body = put_all};
