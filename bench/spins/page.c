/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of spheres as phase space by all methods. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char how_to_read[] =
    "<li>Each method computes the same motion with smaller and smaller steps, each half of the one before; those with error "
    "control with smaller and smaller tolerances, relative and absolute alike, starting again at four times. All evaluate the "
    "same energy.</li>\n"
    "<li>The error of a trajectory is the largest distance of a point on its sphere from the truth, at the end; those of the "
    "energy H, of J and of the lengths |s| are the largest at twenty times until then. The truth is rk8 with small steps; what "
    "a method of another family differs from it is stated.</li>\n"
    "<li>Times are CPU times of all steps. The runs alternate; the median is shown. Times of a step are measured in turn with "
    "those of rk4, in short slices.</li>\n"
    "<li>In the long run a step of a composition is as long as its stages together, each of the length of a step of order 2; "
    "Runge-Kutta methods take the steps of order 2. The CPU time is stated.</li>\n"
    "<li>\"grows\": the largest energy error in the last tenth of the run is more than 1.5 times that in the first. "
    "\"rounding\": at most 1e-12.</li>\n";

/* ---- Figures ------------------------------------------------------------------------------------------------------ */

/* When there are too many lines for one figure. */
static const char *const shown[] = {"spherical-midpoint:order=2",
                                    "spherical-midpoint:order=4",
                                    "spherical-midpoint:order=8",
                                    "spin-splitting:order=2",
                                    "spin-splitting:order=4",
                                    "spin-splitting:order=8",
                                    "rk4-projected",
                                    "rk8"};

static bool is_shown(const spins *s, size_t i)
{
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
        if (!strcmp(s->lines[i].label, shown[k]))
            return true;
    return s->n <= GRAPH_MOST;
}

/* The long run first; where there is none, its figure is left out. */
typedef enum figure { LONG, PLACE, ENERGY, FIGURES } figure;

/* x, y (BINS_MOST) <- the points of a line; how many. */
static size_t points_of(const spins_line *l, figure which, double *x, double *y)
{
    const curve *c = &l->run.energies;
    for (size_t k = 0; which != LONG && k < SPINS_POINTS; k++) {
        x[k] = l->points[k].median;
        y[k] = spins_error(&l->points[k], which == ENERGY ? SPINS_ENERGY : SPINS_PLACE);
    }
    for (size_t k = 0; which == LONG && k < c->n; k++) {
        x[k] = curve_time(c, k);
        y[k] = curve_bin(c, k);
    }
    return which == LONG ? c->n : SPINS_POINTS;
}

static ph_status put_figure(FILE *f, size_t which, const void *self, report_figures *figures, ph_error *err)
{
    static const char *const words[FIGURES] = {"energy error in each interval of time of the long run",
                                               "error of the trajectory against the CPU time of the run",
                                               "energy error against the CPU time of the run"};
    const spins *s = self;
    which += s->steps ? LONG : PLACE;
    double(*x)[BINS_MOST] = calloc(2 * GRAPH_MOST, sizeof *x), (*y)[BINS_MOST] = x ? x + GRAPH_MOST : NULL;
    graph_line lines[GRAPH_MOST];
    graph g = {.x_label = which == LONG ? "t [s]" : "CPU time [s]",
               .y_label = which == PLACE ? "trajectory error" : "energy error",
               .y_format = "10^{%L}",
               .lines = lines};
    char caption[300];
    ph_status status = x ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->n && g.n < GRAPH_MOST && !status; i++) {
        if (!is_shown(s, i))
            continue;
        const size_t points = points_of(&s->lines[i], (figure)which, x[g.n], y[g.n]);
        lines[g.n] =
            (graph_line){.title = s->lines[i].label, .look = g.n, .x = x[g.n], .y = y[g.n], .n = points};
        g.n += points > 0;
    }
    snprintf(caption, sizeof caption, "%s: %s.", s->of->words, words[which]);
    if (!status)
        status = page_graph(f, &g, caption, caption, figures, err);
    free(x);
    return status;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------- */

static void put_costs(FILE *f, const spins *s)
{
    static const char *const heads[] = {"method", "ns a step", "ns a sphere", "ratio to rk4"};
    markup_table(f, "The cost of a step", heads, 4);
    for (size_t i = 0; i < s->n; i++) {
        const timing *t = &s->lines[i].time;
        if (s->lines[i].adaptive)
            continue;
        markup_between(f, "<tr><th scope=\"row\">", s->lines[i].label, "</th>");
        markup_cell(f, heads[1], "%.0f", t->median);
        markup_cell(f, heads[2], "%.1f", t->median / (double)s->of->n);
        markup_cell(f, heads[3], "%.2f", t->ratio);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static void put_point(FILE *f, const char *const *heads, const char *label, const spins_point *p)
{
    if (!p->steps)
        return;
    markup_between(f, "<tr><th scope=\"row\">", label, "</th>");
    markup_cell(f, heads[1], "%.4g", p->setting);
    if (p->status)
        markup_cell_text(f, heads[2], ph_status_text(p->status));
    else
        markup_cell(f, heads[2], NULL, p->errors.place);
    markup_cell(f, heads[3], NULL, p->errors.energy);
    markup_cell(f, heads[4], NULL, p->errors.momentum);
    markup_cell(f, heads[5], NULL, p->errors.length);
    markup_cell(f, heads[6], "%.4g", 1e3 * p->median);
    fputs("</tr>\n", f);
}

static void put_points(FILE *f, const spins *s)
{
    const char *const heads[] = {
        "method", "step [s] or tolerance", "trajectory", "H", s->of->axial ? "J_3" : "J", "|s|", "CPU [ms]"};
    markup_table(f, "Errors within the trajectory", heads, 7);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < SPINS_POINTS; k++)
            put_point(f, heads, s->lines[i].label, &s->lines[i].points[k]);
    markup_table_end(f);
}

static void put_runs(FILE *f, const spins *s)
{
    const char *const heads[] = {"method",
                                 "step [s]",
                                 "steps",
                                 "H, first tenth",
                                 "H, last tenth",
                                 "drift of its mean",
                                 s->of->axial ? "J_3" : "J",
                                 "|s|",
                                 "CPU [s]",
                                 ""};
    markup_table(f, "The long run", heads, 10);
    for (size_t i = 0; i < s->n; i++) {
        const spins_run *r = &s->lines[i].run;
        if (r->status == PH_E_UNKNOWN)
            continue;
        markup_between(f, "<tr><th scope=\"row\">", s->lines[i].label, "</th>");
        markup_cell(f, heads[1], "%.4g", r->h);
        markup_cell(f, heads[2], "%.0f", (double)r->steps);
        markup_cell(f, heads[3], NULL, r->energy.most[0]);
        markup_cell(f, heads[4], NULL, r->energy.most[1]);
        markup_cell(f, heads[5], "%.1e", tenths_drift(&r->energy));
        markup_cell(f, heads[6], NULL, r->momentum);
        markup_cell(f, heads[7], NULL, r->length);
        markup_cell(f, heads[8], "%.3f", r->cpu);
        markup_cell_text(f, heads[9], growth_text(spins_judge(r)));
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static ph_status put_all(FILE *f, const void *self, report_figures *figures, ph_error *err)
{
    const spins_report *report = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < report->run.made && !status; i++) {
        const spins *s = &report->results[i];
        fputs("<section>\n", f);
        markup_between(f, "<h2>", s->of->words, "</h2>\n");
        status = page_words(f, spins_words(s), err);
        if (!status)
            status = page_figures(f, s->steps ? FIGURES : FIGURES - PLACE, put_figure, s, figures, err);
        for (int what = 0; what < SPINS_QUANTITIES; what++) {
            const cost_table t = spins_costs(s, (spins_quantity)what);
            costs_page(f, &t);
        }
        if (s->steps)
            put_runs(f, s);
        put_costs(f, s);
        fputs("<details class=\"fold\"><summary>All steps and tolerances</summary>\n", f);
        put_points(f, s);
        fputs("</details>\n", f);
        fputs("</section>\n", f);
    }
    return status;
}

const page_frame spins_page = {
    .title = "Polhode bench: spins", .what = "comparison", .how_to_read = how_to_read, .body = put_all};
const page_frame vortices_page = {.title = "Polhode bench: vortices on a sphere",
                                  .what = "comparison",
                                  .how_to_read = how_to_read,
                                  .body = put_all};
