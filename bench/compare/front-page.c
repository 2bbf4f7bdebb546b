/* SPDX-License-Identifier: BSD-3-Clause */
/* The first screen of the page: the headline, polhodes where there is a rigid body, one figure of the energy error, and
 * three tiles. */
#include "front-page.h"
#include "bench/report/file.h"
#include "bench/report/markup.h"
#include "figures/curves.h"
#include "figures/polhode.h"
#include "front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Looks ----------------------------------------------------------------------------------------- */

/* Red: the yardstick. Violet: adaptive. Black: multistep. The others in turn, as they are listed; green, which many
 * cannot distinguish from red, comes last. */
static const char *colour_of(const front *f, const trial *t)
{
    static const char *const others[] = {"#0b57a4", "#00798c", "#b35900", "#14803c"};
    const unsigned claims = t->contender->method->claims;
    size_t rank = 0;
    if (t == f->yardstick)
        return "#c8102e";
    if (t->basis == OWN_STEPS)
        return "#7b3fa0";
    if (claims & PH_CLAIM_MULTISTEP)
        return "#111111";
    for (const contender *c = f->c->contenders; c < t->contender; c++)
        rank += c != f->yardstick->contender && !comparison_adaptive(c) &&
                !(c->method->claims & PH_CLAIM_MULTISTEP);
    return others[rank % (sizeof others / sizeof others[0])];
}

static void put_text(FILE *f, const char *before, char *text, const char *after)
{
    markup_between(f, before, text ? text : "", after);
    free(text);
}

/* ---- The figure of the energy error ----------------------------------------------------------------- */

typedef struct curve_points {
    double x[BINS_MOST], y[BINS_MOST];
    char title[2 * FRONT_NAME];
} curve_points;

/* The largest error so far, at the end of each bin. */
static size_t running(const trial *t, curve_points *p)
{
    double most = 0;
    for (size_t i = 0; i < t->energy.n; i++) {
        most = fmax(most, t->energy.bin[i]);
        p->x[i] = curve_time(&t->energy, i);
        p->y[i] = most;
    }
    return t->energy.n;
}

/* For those who cannot see it. */
static void say_curves(FILE *out, const void *self)
{
    const front *f = self;
    fputs("Logarithmic axes: largest relative energy error so far against time. ", out);
    for (size_t i = 0; i < f->n; i++) {
        char name[FRONT_NAME], growth[FRONT_NAME];
        front_name(name, f->lines[i]->contender);
        front_growth(growth, f->lines[i]);
        fprintf(out, "%s: at most %.1e, %s. ", name, f->lines[i]->summary.energy_error_max, growth);
    }
}

static void put_curves(FILE *out, const front *f)
{
    curves_line lines[FRONT_LINES] = {{0}};
    curve_points *points = calloc(f->n, sizeof *points);
    const int forced = !ph_system_is_conservative(ph_scenario_system(f->c->scenario));
    curves c = {.x_label = "time of motion [s]",
                .y_label = forced ? "largest energy change so far, relative"
                                  : "largest energy error so far, relative",
                .x0 = f->c->problem->horizon * 1e-4,
                .lines = lines,
                .n = f->n};
    for (size_t i = 0; points && i < f->n; i++) {
        const trial *t = f->lines[i];
        char name[FRONT_NAME];
        front_name(name, t->contender);
        if (t->basis == OWN_STEPS && f->best && isfinite(f->time_ratio))
            snprintf(points[i].title, sizeof points[i].title, "%s: %.2g s CPU", name, t->cpu_seconds);
        else
            snprintf(points[i].title, sizeof points[i].title, "%s%s", name,
                     t->status == PH_OK ? "" : " (ended early)");
        lines[i] = (curves_line){.title = points[i].title,
                                 .colour = colour_of(f, t),
                                 .dashed = t->basis == OWN_STEPS,
                                 .x = points[i].x,
                                 .y = points[i].y,
                                 .n = running(t, &points[i])};
    }
    fputs("<figure class=\"plot\">", out);
    if (points && curves_points(&c)) {
        char *words = report_text(say_curves, f);
        curves_draw(out, &c, words ? words : "");
        curves_data(out, &c);
        free(words);
    } else {
        fputs("<p class=\"notice\">Nothing to draw: no energy error is above zero.</p>", out);
    }
    const double h = fabs(f->yardstick->h);
    fprintf(out, "<figcaption>%s take ", f->adaptive ? "All others" : "All");
    char name[FRONT_NAME];
    front_name(name, f->yardstick->contender);
    if (f->basis == SAME_STEP) {
        fprintf(out, "h = %.4g s", h);
    } else {
        markup_between(out, "the CPU time of ", name, "");
        fprintf(out, " with h = %.4g s", h);
        if (isfinite(f->yardstick->cpu_seconds))
            fprintf(out, ": %.2g s", f->yardstick->cpu_seconds);
    }
    if (f->adaptive && isfinite(front_tolerance(f->adaptive->contender))) {
        front_name(name, f->adaptive->contender);
        markup_between(out, "; ", name, "");
        fprintf(out, " takes steps for a tolerance of %.0e", front_tolerance(f->adaptive->contender));
    }
    fputs(".</figcaption></figure>\n", out);
    free(points);
}

/* ---- Polhodes --------------------------------------------------------------------------------------- */

static void put_polhode(FILE *out, const front *f)
{
    const trial *drawn[] = {f->yardstick, f->best};
    polhode_line lines[2];
    polhode p = {.start = ph_scenario_momentum(f->c->scenario), .lines = lines, .n = 2};
    memcpy(p.J, ph_system_bodies(ph_scenario_system(f->c->scenario))->J, sizeof p.J);
    for (size_t i = 0; i < 2; i++)
        lines[i] = (polhode_line){NULL, colour_of(f, drawn[i]), drawn[i]->path, drawn[i]->n_path};
    fputs("<figure class=\"body plot\">", out);
    polhode_draw(
        out, &p,
        "Path of the angular momentum of a rigid body in the body frame, on the ellipsoid of its energy: the "
        "true path is a closed curve, the polhode.");
    polhode_data(out, &p, NULL);
    fprintf(
        out,
        "<figcaption>The angular momentum of a free rigid body over %g s, seen from the body. The true path is "
        "one closed curve, the polhode.",
        f->c->problem->horizon);
    if (f->basis == SAME_STEP)
        fprintf(out, " Both take the same step, %.4g s, large so that a drift can be seen.",
                fabs(f->yardstick->h));
    else
        fputs(" Both take the same CPU time.", out);
    for (size_t i = 0; i < 2; i++) {
        char name[FRONT_NAME];
        front_name(name, drawn[i]->contender);
        fprintf(out, "<strong style=\"color:%s\">", colour_of(f, drawn[i]));
        markup_between(out, "", name, "");
        fprintf(out, ": energy error %.1e", drawn[i]->summary.energy_error_max);
        if (isfinite(drawn[i]->cpu_seconds))
            fprintf(out, ", %#.2g s CPU", drawn[i]->cpu_seconds);
        fputs("</strong>", out);
    }
    fputs("</figcaption></figure>\n", out);
}

/* ---- Tiles ------------------------------------------------------------------------------------------ */

static double energy_of(const trial *t)
{
    return t->summary.energy_error_max;
}

static double momentum_of(const trial *t)
{
    return t->summary.momentum_error_max;
}

static double constraint_of(const trial *t)
{
    return t->summary.constraint_error_max;
}

/* The errors of the lines of the figure, a row each, in its order and colours; the smallest one is emphasised, and what
 * is equal to it in the digits that are shown. */
static void put_tile(FILE *out, const front *f, const char *title, double (*value)(const trial *t))
{
    double least = INFINITY;
    for (size_t i = 0; i < f->n; i++)
        least = fmin(least, value(f->lines[i]));
    markup_between(out, "<div class=\"tile\"><h2>", title, "</h2><dl>");
    for (size_t i = 0; i < f->n; i++) {
        char name[FRONT_NAME];
        front_name(name, f->lines[i]->contender);
        fprintf(out, "<dt style=\"--c:%s\">", colour_of(f, f->lines[i]));
        markup_between(out, "", name,
                       value(f->lines[i]) <= 1.05 * least ? "</dt><dd class=\"best\">" : "</dt><dd>");
        markup_error(out, value(f->lines[i]));
        fputs("</dd>", out);
    }
    fputs("</dl></div>\n", out);
}

int front_page(FILE *out, const void *self)
{
    const report *r = self;
    front f, other;
    size_t body = 0;
    if (!r->run.made || !front_choose(&f, &r->comparisons[0]))
        return 0;
    while (body < r->run.made && !(front_choose(&other, &r->comparisons[body]) && front_has_polhode(&other)))
        body++;
    markup_between(out, "<p class=\"eyebrow\">",
                   f.c->problem->title && *f.c->problem->title ? f.c->problem->title : f.c->problem->name,
                   "");
    fprintf(out, ", %g s</p>\n", f.c->problem->horizon);
    put_text(out, "<h1>", front_headline(&f), "</h1>\n");
    put_text(out, "<p class=\"subline\">", front_subline(&f), "</p>\n");
    fputs(body < r->run.made ? "<div class=\"show two\">\n" : "<div class=\"show\">\n", out);
    if (body < r->run.made)
        put_polhode(out, &other);
    put_curves(out, &f);
    fputs("</div>\n<div class=\"tiles\">\n", out);
    put_tile(out, &f,
             ph_system_is_conservative(ph_scenario_system(f.c->scenario)) ? "Energy error" : "Energy change",
             energy_of);
    put_tile(out, &f, "Momentum error", momentum_of);
    put_tile(out, &f, "Off the manifold", constraint_of);
    fputs("</div>\n", out);
    return 1;
}
