/* SPDX-License-Identifier: BSD-3-Clause */
/* report.html of binary asteroids by all methods. */
#include "bench/report/markup.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char how_to_read[] =
    "<li>Each method computes the same motion with smaller and smaller steps, each half of the one before; those with error "
    "control with smaller and smaller tolerances, the absolute one 1e-4 of the relative one, as spins are of that size in SI "
    "units. All evaluate the same forces.</li>\n"
    "<li>The error of the place is the distance from the truth at the end, in metres; that of the attitude the angle by which "
    "a body is turned off, the largest of all. The truth is the variational integrator of order 8 with small steps; what "
    "rk8 differs from it is stated.</li>\n"
    "<li>Times are CPU times of all steps. The runs alternate; the median is shown. Times of a step are measured in turn with "
    "those of rk4, in short slices.</li>\n"
    "<li>In the long run all methods take steps that cost as much, by the second of motion, as those of the variational "
    "integrator of order 2 with 40 steps a radian of the fastest turn; those with error control have a relative tolerance of "
    "1e-10. Energy errors are relative to the potential energy at the start, places compared with the truth at the same "
    "times; a line of the figure shows the largest in each interval of time.</li>\n";

/* ---- Figures ------------------------------------------------------------------------------------------------------ */

/* In the first figures, and in that of splittings and other methods, when there are too many lines for one. */
static const char *const first_set[] = {"variational:order=2",
                                        "variational:order=4",
                                        "variational:order=6",
                                        "variational:order=8",
                                        "kepler-rotor",
                                        "rk4",
                                        "rk8",
                                        "arkode"};
static const char *const second_set[] = {"variational:order=8",
                                         "kepler-rotor",
                                         "kepler-rotor:splitting=strang",
                                         "kepler-rotor:splitting=aba-10-6-4",
                                         "galerkin:order=8",
                                         "rk8",
                                         "arkode",
                                         "cvode"};

static bool is_shown(const binary *b, size_t i, const char *const *set, size_t n)
{
    if (b->n <= GRAPH_MOST)
        return i < GRAPH_MOST;
    for (size_t k = 0; k < n; k++)
        if (!strcmp(b->lines[i].label, set[k]))
            return true;
    return false;
}

typedef enum figure { PLACE, TURN, OTHERS, ENERGY, DISTANCE, FIGURES } figure;

/* x, y (BINS_MOST) <- the points of a line; how many. */
static size_t points_of(const binary_line *l, figure which, double *x, double *y)
{
    const curve *c = which == ENERGY ? &l->run.energy : &l->run.distance;
    if (which < ENERGY) {
        for (size_t k = 0; k < BINARY_POINTS; k++) {
            x[k] = l->points[k].cpu;
            y[k] = which == TURN ? l->points[k].turn : l->points[k].place;
        }
        return BINARY_POINTS;
    }
    for (size_t k = 0; k < c->n; k++) {
        x[k] = curve_time(c, k) / 86400;
        y[k] = curve_bin(c, k);
    }
    return c->n;
}

static ph_status put_figure(FILE *f, size_t which, const void *self, report_figures *figures, ph_error *err)
{
    static const char *const y_label[FIGURES] = {"error of the place [m]", "error of the attitude [rad]",
                                                 "error of the place [m]", "energy error / |U|",
                                                 "error of the place [m]"};
    static const char *const words[FIGURES] = {
        "error of the place against the CPU time of the run",
        "error of the attitudes against the CPU time of the run",
        "the splittings and other methods: error of the place against the CPU time of the run",
        "energy error in each interval of time, all methods at equal cost",
        "error of the place in each interval of time, all methods at equal cost"};
    const binary *b = self;
    double(*x)[BINS_MOST] = calloc(2 * GRAPH_MOST, sizeof *x), (*y)[BINS_MOST] = x ? x + GRAPH_MOST : NULL;
    graph_line lines[GRAPH_MOST];
    graph g = {.x_label = which < ENERGY ? "CPU time [s]" : "t [days]",
               .y_label = y_label[which],
               .y_format = "10^{%L}",
               .lines = lines};
    char caption[300];
    ph_status status = x ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < b->n && g.n < GRAPH_MOST && !status; i++) {
        if (!(which == OTHERS ? is_shown(b, i, second_set, sizeof second_set / sizeof second_set[0])
                              : is_shown(b, i, first_set, sizeof first_set / sizeof first_set[0])))
            continue;
        const size_t points = points_of(&b->lines[i], (figure)which, x[g.n], y[g.n]);
        lines[g.n] =
            (graph_line){.title = b->lines[i].label, .look = g.n, .x = x[g.n], .y = y[g.n], .n = points};
        g.n += points > 0;
    }
    snprintf(caption, sizeof caption, "%s: %s.", b->of->name, words[which]);
    if (!status)
        status = page_graph(f, &g, caption, caption, figures, err);
    free(x);
    return status;
}

/* Without a long run its figures, and where all lines are in the first ones the third, are left out. */
static ph_status put_chosen(FILE *f, size_t which, const void *self, report_figures *figures, ph_error *err)
{
    const binary *b = self;
    return put_figure(f, which >= OTHERS && b->n <= GRAPH_MOST ? which + 1 : which, self, figures, err);
}

static size_t figures_of(const binary *b)
{
    return FIGURES - (b->n <= GRAPH_MOST ? 1 : 0) - (b->time > 0 ? 0 : 2);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------- */

static void put_costs(FILE *f, const binary *b)
{
    static const char *const heads[] = {"method", "ns a step", "ratio to rk4"};
    markup_table(f, "The cost of a step", heads, 3);
    for (size_t i = 0; i < b->n; i++) {
        if (b->lines[i].adaptive)
            continue;
        markup_between(f, "<tr><th scope=\"row\">", b->lines[i].label, "</th>");
        markup_cell(f, heads[1], "%.0f", b->lines[i].time.median);
        markup_cell(f, heads[2], "%.2f", b->lines[i].time.ratio);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static void put_points(FILE *f, const binary *b)
{
    static const char *const heads[] = {"method", "step [s] or tolerance", "place [m]", "attitude [rad]",
                                        "CPU [ms]"};
    markup_table(f, "Trajectories", heads, 5);
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < BINARY_POINTS; k++) {
            const binary_point *p = &b->lines[i].points[k];
            if (!p->steps)
                continue;
            markup_between(f, "<tr><th scope=\"row\">", b->lines[i].label, "</th>");
            markup_cell(f, heads[1], "%.4g", p->setting);
            if (p->status) {
                markup_between(f, "<td data-label=\"place [m]\">", ph_status_text(p->status), "</td>");
                fputs("<td data-label=\"attitude [rad]\"></td><td data-label=\"CPU [ms]\"></td>", f);
            } else {
                markup_cell(f, heads[2], NULL, p->place);
                markup_cell(f, heads[3], NULL, p->turn);
                markup_cell(f, heads[4], "%.4g", 1e3 * p->cpu);
            }
            fputs("</tr>\n", f);
        }
    markup_table_end(f);
}

static void put_runs(FILE *f, const binary *b)
{
    static const char *const heads[] = {"method", "step [s]",  "energy, first tenth", "energy, last tenth",
                                        "drift",  "place [m]", "attitude [rad]",      "CPU [s]",
                                        ""};
    markup_table(f, "The long run", heads, 9);
    for (size_t i = 0; i < b->n; i++) {
        const binary_run *r = &b->lines[i].run;
        if (r->status == PH_E_UNKNOWN)
            continue;
        markup_between(f, "<tr><th scope=\"row\">", b->lines[i].label, "</th>");
        markup_cell(f, heads[1], "%.4g", r->h);
        markup_cell(f, heads[2], NULL, r->first);
        markup_cell(f, heads[3], NULL, r->last);
        markup_cell(f, heads[4], "%.1e", r->drift);
        markup_cell(f, heads[5], NULL, r->place);
        markup_cell(f, heads[6], NULL, r->turn);
        markup_cell(f, heads[7], "%.3f", r->cpu);
        markup_cell_text(f, "", growth_text(binary_judge(r)));
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
}

static ph_status put_all(FILE *f, const void *self, report_figures *figures, ph_error *err)
{
    const binary_report *report = self;
    ph_status status = PH_OK;
    for (size_t i = 0; i < report->run.made && !status; i++) {
        const binary *b = &report->results[i];
        fputs("<section>\n", f);
        markup_between(f, "<h2>", b->of->words, "</h2>\n");
        status = page_words(f, binary_words(b), err);
        if (!status)
            status = page_figures(f, figures_of(b), put_chosen, b, figures, err);
        const cost_table t = binary_costs(b);
        costs_page(f, &t);
        if (b->time > 0)
            put_runs(f, b);
        put_costs(f, b);
        fputs("<details class=\"fold\"><summary>All steps and tolerances</summary>\n", f);
        put_points(f, b);
        fputs("</details>\n", f);
        fputs("</section>\n", f);
    }
    return status;
}

const page_frame binary_page = {.title = "Polhode bench: binary asteroids",
                                .what = "comparison",
                                .how_to_read = how_to_read,
                                .body = put_all};
