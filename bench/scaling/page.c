/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of sweeps over sizes. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

static const char how_to_read[] =
    "<li>All methods take the same step size on the same system. They are timed alternately, in slices of about "
    "a millisecond, in random order. Slices disturbed by other processes are discarded. Times are the median "
    "CPU time of a step.</li>\n"
    "<li>A ratio is the median of the ratios within one round. Above 1, the method is slower than the "
    "reference.</li>\n"
    "<li>The slope is that of log(time of a step) against log(n) over the upper half of a method's "
    "sizes: 1 is a cost that grows like n, 3 one that grows like its cube.</li>\n"
    "<li>Bytes are those of the state and the workspace, divided by the number of parts of the system.</li>\n"
    "<li>A method that refuses a size, or would take too long for it, is left out from that size on.</li>\n";

/* ---- Figures ------------------------------------------------------------------------------------- */

/* chosen <- the reference, and each method in its best form, as long as there is room. */
static size_t choose(const scaling *s, size_t chosen[GRAPH_MOST])
{
    size_t n = 0;
    if (scaling_last(s, &s->lines[s->reference]) < SCALING_SIZES)
        chosen[n++] = s->reference;
    for (size_t i = 0; i < s->n_lines && n < GRAPH_MOST; i++)
        if (i != s->reference && scaling_last(s, &s->lines[i]) < SCALING_SIZES &&
            scaling_is_best(s, &s->lines[i]))
            chosen[n++] = i;
    return n;
}

/* 0: times, 1: ratios */
static ph_status put_figure(FILE *f, size_t ratios, const void *self, ph_error *err)
{
    const scaling *s = self;
    size_t chosen[GRAPH_MOST], n = choose(s, chosen);
    double x[SCALING_SIZES], y[GRAPH_MOST][SCALING_SIZES];
    char caption[600], headline[300];
    graph_line lines[GRAPH_MOST];
    for (size_t k = 0; k < s->reached; k++)
        x[k] = (double)s->sizes[k];
    for (size_t i = 0; i < n; i++) {
        const scaling_line *l = &s->lines[chosen[i]];
        for (size_t k = 0; k < s->reached; k++)
            y[i][k] = ratios ? l->points[k].time.ratio : scaling_per_part(s, l, k);
        lines[i] = (graph_line){.title = l->contender->label, .look = i, .x = x, .y = y[i], .n = s->reached};
    }
    graph p = {.x_label = "n",
               .y_label = ratios ? "time, to the reference" : "ns a part and step",
               .lines = lines,
               .n = n};
    scaling_headline(s, headline, sizeof headline);
    snprintf(caption, sizeof caption, "%s: %s%s.%s", headline,
             ratios ? "CPU time of a step against that of " : "CPU time of a step, for each part",
             ratios ? s->lines[s->reference].contender->label : "",
             s->n_lines > n
                 ? " Of each method the form that reaches the largest size, and is the fastest there."
                 : "");
    return page_graph(f, &p, caption, caption, err);
}

/* ---- Tables -------------------------------------------------------------------------------------- */

static void put_row(FILE *f, const scaling *s, const scaling_line *l, int ratios)
{
    const size_t last = scaling_last(s, l);
    char head[40];
    if (last == SCALING_SIZES)
        return;
    markup_between(f, "<tr><th scope=\"row\">", l->contender->label, "</th>");
    for (size_t k = 0; k < s->reached; k++) {
        const double value = ratios ? l->points[k].time.ratio : scaling_per_part(s, l, k);
        snprintf(head, sizeof head, "n = %zu", s->sizes[k]);
        markup_cell(f, head, ratios ? (value < 0.1 ? "%.4f" : "%.2f") : value < 100 ? "%.1f" : "%.0f", value);
    }
    markup_cell(f, "slope", "%.2f", l->slope);
    markup_cell(f, "bytes a part", "%.0f", (double)l->points[last].bytes / (double)s->parts[last]);
    fputs("</tr>\n", f);
}

static void put_table(FILE *f, const scaling *s, int ratios)
{
    fputs("<div class=\"table\"><table>\n<caption>", f);
    if (ratios)
        markup_between(f, "Time of a step, to that of ", s->lines[s->reference].contender->label, "");
    else
        fputs("Time of a step for each part [ns]", f);
    fputs("</caption>\n<thead><tr><th scope=\"col\">method</th>", f);
    for (size_t k = 0; k < s->reached; k++)
        fprintf(f, "<th scope=\"col\">%zu</th>", s->sizes[k]);
    fputs("<th scope=\"col\">slope</th><th scope=\"col\">bytes a part</th></tr></thead>\n<tbody>\n", f);
    for (size_t i = 0; i < s->n_lines; i++)
        put_row(f, s, &s->lines[i], ratios);
    markup_table_end(f);
}

/* ---- Page ---------------------------------------------------------------------------------------- */

static ph_status put_sweep(FILE *f, const scaling *s, ph_error *err)
{
    fputs("<section>\n", f);
    markup_between(f, "<h2>", s->family.model->summary, "</h2>\n");
    markup_between(f, "<p class=\"soft\"><code>", s->family.model->name, "</code></p>\n");
    ph_status status = page_words(f, scaling_words(s), err);
    if (s->reached && !status) {
        fputs("<h3>Figures</h3>\n", f);
        status = page_figures(f, 2, put_figure, s, err);
        put_table(f, s, 0);
        put_table(f, s, 1);
    }
    fputs("</section>\n", f);
    return status;
}

static ph_status put_sweeps(FILE *f, const void *self, ph_error *err)
{
    const scaling_report *r = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < r->run.made && !status; i++)
        status = put_sweep(f, &r->sweeps[i], err);
    return status;
}

const page_frame scaling_page = {.title = "Polhode bench: how cost grows with size",
                                 .what = "sweep",
                                 .how_to_read = how_to_read,
                                 .body = put_sweeps};
