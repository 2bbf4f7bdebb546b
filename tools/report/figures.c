/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors and Newton iterations over time, the path of the last point, and the polhode of a rigid body, of all runs in one picture each. */
#include "figures.h"
#include "verdict.h"

#include "bench/report/curves.h"
#include "bench/report/markup.h"
#include "bench/report/polhode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines of one figure, with their numbers. */
typedef struct lines {
    curves_line at[REPORT_MOST];
    size_t n;
    double *numbers; /* x and y of all of them */
} lines;

static bool lines_begin(lines *l, size_t runs, size_t each)
{
    *l = (lines){.numbers = malloc(2 * runs * each * sizeof *l->numbers)};
    return l->numbers;
}

/* Appends a line, whose x and y (each numbers of room) the caller fills. */
static curves_line *lines_add(lines *l, const archived *a, size_t each, double **x, double **y)
{
    *x = l->numbers + 2 * l->n * each;
    *y = *x + each;
    l->at[l->n] = (curves_line){.title = a->label, .colour = a->colour, .x = *x, .y = *y};
    return &l->at[l->n++];
}

static void put_figure(FILE *f, const curves *c, const char *words, const char *caption)
{
    fputs("<figure class=\"plot\">", f);
    if (curves_points(c)) {
        curves_draw(f, c, words);
        curves_data(f, c);
    } else {
        fputs("<p class=\"notice\">Nothing to draw: no value is above zero.</p>", f);
    }
    markup_between(f, "<figcaption>", caption, "</figcaption></figure>\n");
}

/* ---- Errors over time ---------------------------------------------------------------------------------- */

/* A table behind a figure: the largest error of each of some intervals of time. */
static void put_error_table(FILE *f, const archived *runs, size_t n, quantity which)
{
    enum { APART = BINS_PER_DECADE / 4 };
    const char *heads[REPORT_MOST + 1] = {"until t [s]"};
    size_t bins = 0;
    for (size_t i = 0; i < n; i++) {
        heads[i + 1] = runs[i].label;
        bins = runs[i].error[which].n > bins ? runs[i].error[which].n : bins;
    }
    markup_between(f, "<details class=\"fold\"><summary>Numbers: ", quantity_name(runs, which),
                   "</summary>\n");
    markup_table(f, "Largest so far", heads, n + 1);
    for (size_t k = bins ? (bins - 1) % APART : 0; k < bins; k += APART) {
        double t = NAN;
        for (size_t i = 0; i < n; i++)
            if (k < runs[i].error[which].n)
                t = curve_time(&runs[i].error[which], k);
        fprintf(f, "<tr><th scope=\"row\">%.6g</th>", t);
        for (size_t i = 0; i < n; i++)
            markup_cell(f, heads[i + 1], NULL,
                        k < runs[i].error[which].n ? curve_running_max(&runs[i].error[which], k)
                                                   : (double)NAN);
        fputs("</tr>\n", f);
    }
    markup_table_end(f);
    fputs("</details>\n", f);
}

static ph_status put_errors(FILE *f, const archived *runs, size_t n, quantity which, ph_error *err)
{
    char label[120], caption[300], words[160 + REPORT_MOST * (REPORT_LABEL + 160)];
    lines l;
    if (!lines_begin(&l, n, BINS_MOST))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    size_t said = (size_t)snprintf(words, sizeof words, "Logarithmic axes: largest %s so far against time. ",
                                   quantity_name(runs, which));
    for (size_t i = 0; i < n; i++) {
        char growth_text[TREND_WORDS];
        double *x, *y, most = 0;
        const curve *c = &runs[i].error[which];
        if (!runs[i].known[which])
            continue;
        curves_line *line = lines_add(&l, &runs[i], BINS_MOST, &x, &y);
        for (line->n = 0; line->n < c->n; line->n++) {
            most = fmax(most, c->bin[line->n]);
            x[line->n] = curve_time(c, line->n);
            y[line->n] = most;
        }
        trend_words(growth_text, trend_in(&runs[i], which));
        if (said < sizeof words)
            said += (size_t)snprintf(words + said, sizeof words - said, "%s: at most %.1e, %s. ",
                                     runs[i].label, runs[i].largest[which], growth_text);
    }
    snprintf(label, sizeof label, "largest %s so far%s", quantity_name(runs, which),
             which < MANIFOLD ? ", relative" : "");
    snprintf(caption, sizeof caption,
             "The largest %s up to each time. What grows like t has the slope 1, like the square root 1/2.",
             quantity_name(runs, which));
    put_figure(f, &(curves){.x_label = "time of motion [s]", .y_label = label, .lines = l.at, .n = l.n},
               words, caption);
    free(l.numbers);
    return PH_OK;
}

/* ---- Newton iterations ----------------------------------------------------------------------------------- */

static ph_status put_passes(FILE *f, const archived *runs, size_t n, ph_error *err)
{
    lines l;
    if (!lines_begin(&l, n, SPREAD_MOST))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        double *x, *y;
        if (!runs[i].n_spread)
            continue;
        curves_line *line = lines_add(&l, &runs[i], SPREAD_MOST, &x, &y);
        line->n = runs[i].n_spread;
        memcpy(x, runs[i].spread_t, line->n * sizeof *x);
        memcpy(y, runs[i].spread_passes, line->n * sizeof *y);
    }
    if (l.n)
        put_figure(
            f,
            &(curves){.x_label = "t [s]",
                      .y_label = "Newton iterations for a step",
                      .lines = l.at,
                      .n = l.n,
                      .x_even = 1,
                      .y_even = 1},
            "Newton iterations for a step against time.",
            "Newton iterations for a step, on average since the row before; 0 of a method that solves no equations.");
    free(l.numbers);
    return PH_OK;
}

/* ---- The path of the last point ----------------------------------------------------------------------------- */

/* axes (2 x 3) <- across and up in the picture: the plane with the vertical, or the one from above. */
static void choose_axes(const double *up, bool above, double axes[2][3])
{
    size_t least = 0;
    for (size_t i = 1; i < 3; i++)
        least = fabs(up[i]) < fabs(up[least]) ? i : least;
    double across[3] = {0}, length = 0;
    for (size_t i = 0; i < 3; i++) {
        across[i] = (i == least) - up[least] * up[i];
        length += across[i] * across[i];
    }
    for (size_t i = 0; i < 3; i++) {
        axes[0][i] = across[i] / sqrt(length);
        axes[1][i] = up[i];
    }
    for (size_t i = 0; above && i < 3; i++)
        axes[1][i] = up[(i + 1) % 3] * axes[0][(i + 2) % 3] - up[(i + 2) % 3] * axes[0][(i + 1) % 3];
}

static ph_status put_path(FILE *f, const archived *runs, size_t n, bool above, ph_error *err)
{
    lines l;
    double size = 0;
    if (!lines_begin(&l, n, PATH_MOST_ROWS))
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        double axes[2][3], *x, *y;
        choose_axes(runs[i].up, above, axes);
        if (runs[i].n_path < 2)
            continue;
        curves_line *line = lines_add(&l, &runs[i], PATH_MOST_ROWS, &x, &y);
        for (line->n = 0; line->n < runs[i].n_path; line->n++) {
            const double *at = &runs[i].path[3 * line->n];
            x[line->n] = y[line->n] = 0;
            for (size_t k = 0; k < 3; k++) {
                x[line->n] += axes[0][k] * at[k];
                y[line->n] += axes[1][k] * at[k];
            }
            size = fmax(size, fmin(fabs(x[line->n] - x[0]) + (above ? 0 : fabs(y[line->n] - y[0])),
                                   above ? fabs(y[line->n] - y[0]) : INFINITY));
        }
    }
    if (l.n && size > 1e-9)
        put_figure(f,
                   &(curves){.x_label = "horizontal [m]",
                             .y_label = above ? "horizontal, across [m]" : "upwards [m]",
                             .lines = l.at,
                             .n = l.n,
                             .x_even = 1,
                             .y_even = 1,
                             .equal = 1},
                   above ? "The path of the last point, seen from above."
                         : "The path of the last point, seen from the side.",
                   above ? "The path of the last point, from above, in the first rows (at most 2000)."
                         : "The path of the last point, from the side, in the first rows (at most 2000).");
    free(l.numbers);
    return PH_OK;
}

/* ---- The polhode of a rigid body ------------------------------------------------------------------------------ */

static void put_polhode(FILE *f, const archived *runs, size_t n)
{
    polhode_line at[REPORT_MOST];
    size_t drawn = 0;
    const archived *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (runs[i].n_momenta) {
            first = first ? first : &runs[i];
            at[drawn++] = (polhode_line){runs[i].label, runs[i].colour, runs[i].momenta, runs[i].n_momenta};
        }
    if (!first || !(fabs(first->momenta[0]) + fabs(first->momenta[1]) + fabs(first->momenta[2]) > 0))
        return;
    polhode p = {.start = first->momenta, .lines = at, .n = drawn};
    memcpy(p.J, ph_system_bodies(archived_system(first))->J, sizeof p.J);
    fputs("<figure class=\"plot white\">", f);
    polhode_draw(
        f, &p,
        "Path of the angular momentum of the body, in the body frame, on the ellipsoid of its energy at the start.");
    polhode_data(f, &p, NULL);
    fputs(
        "<figcaption>The angular momentum of the body, seen from the body, on the ellipsoid of its energy at the start (at most the "
        "first 2000 rows).</figcaption></figure>\n",
        f);
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

ph_status figures_write(FILE *f, const archived *runs, size_t n, ph_error *err)
{
    bool any[QUANTITIES] = {false};
    ph_status status = PH_OK;
    for (size_t k = 0; k < QUANTITIES; k++)
        for (size_t i = 0; i < n; i++)
            any[k] = any[k] || (runs[i].known[k] && runs[i].error[k].n);
    fputs("<div class=\"figures\">\n", f);
    for (size_t k = 0; k < QUANTITIES && !status; k++)
        if (any[k])
            status = put_errors(f, runs, n, (quantity)k, err);
    if (!status)
        status = put_passes(f, runs, n, err);
    for (int above = 0; above < 2 && !status; above++)
        status = put_path(f, runs, n, above, err);
    put_polhode(f, runs, n);
    fputs("</div>\n", f);
    for (size_t k = 0; k < QUANTITIES && !status; k++)
        if (any[k])
            put_error_table(f, runs, n, (quantity)k);
    return status;
}
