/* SPDX-License-Identifier: BSD-3-Clause */
/* The first screen of the page: the headline, polhodes where there is a rigid body, one figure of the energy error, and
 * three tiles. */
#include "bench/report/file.h"
#include "bench/report/markup.h"
#include "figures/embed.h"
#include "figures/polhode.h"
#include "front.h"
#include "report.h"

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

/* Appends the largest error so far, at the end of each bin from a time on. */
static ph_status add_running(picture *p, drawn one, const trial *t, double from, ph_error *err)
{
    double x[BINS_MOST], y[BINS_MOST], most = 0;
    size_t n = 0;
    for (size_t i = 0; i < t->energy.n; i++) {
        most = fmax(most, t->energy.bin[i]);
        x[n] = curve_time(&t->energy, i);
        y[n] = most;
        n += x[n] >= from;
    }
    return picture_add(p, 0, one, x, y, n, err);
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

static void say_caption(FILE *out, const void *self)
{
    const front *f = self;
    const double h = fabs(f->yardstick->h);
    fprintf(out, "%s take ", f->adaptive ? "All others" : "All");
    char name[FRONT_NAME];
    front_name(name, f->yardstick->contender);
    if (f->basis == SAME_STEP) {
        fprintf(out, "h = %.4g s", h);
    } else {
        fprintf(out, "the CPU time of %s with h = %.4g s", name, h);
        if (isfinite(f->yardstick->cpu_seconds))
            fprintf(out, ": %.2g s", f->yardstick->cpu_seconds);
    }
    if (f->adaptive && isfinite(contender_tolerance(f->adaptive->contender))) {
        front_name(name, f->adaptive->contender);
        fprintf(out, "; %s takes steps for a tolerance of %.0e", name,
                contender_tolerance(f->adaptive->contender));
    }
    fputc('.', out);
}

static ph_status add_curve(picture *p, const front *f, size_t i, ph_error *err)
{
    const trial *t = f->lines[i];
    char name[FRONT_NAME];
    front_name(name, t->contender);
    p->colours[i] = colour_of(f, t);
    if (t->basis == OWN_STEPS && f->best && isfinite(f->time_ratio))
        picture_label(p, i, "%s: %.2g s CPU", name, t->cpu_seconds);
    else
        picture_label(p, i, "%s%s", name, t->status == PH_OK ? "" : " (ended early)");
    return add_running(p, (drawn){.run = i, .dashes = t->basis == OWN_STEPS}, t,
                       f->c->problem->horizon * 1e-4, err);
}

static void put_curves(FILE *out, const front *f)
{
    picture *p = calloc(1, sizeof *p);
    ph_status status = p ? PH_OK : PH_E_NO_MEMORY;
    ph_error err;
    const int forced = !ph_system_is_conservative(ph_scenario_system(f->c->scenario));
    for (size_t i = 0; i < f->n && !status; i++)
        status = add_curve(p, f, i, &err);
    if (!status) {
        panel *at = p->panels;
        p->n = 1;
        at->log_x = at->log_y = at->ends = true;
        snprintf(at->x_label, sizeof at->x_label, "time of motion [s]");
        snprintf(at->y_label, sizeof at->y_label, "largest energy %s so far, relative",
                 forced ? "change" : "error");
    }
    char *words = report_text(say_curves, f), *caption = report_text(say_caption, f);
    if (status || picture_is_empty(p))
        page_no_picture(out, "Nothing to draw: no energy error is above zero.", caption ? caption : "");
    else
        embed_picture(out, p, words ? words : "", caption ? caption : "");
    free(words);
    free(caption);
    graph_free(p);
}

/* ---- Polhodes --------------------------------------------------------------------------------------- */

static void put_polhode(FILE *out, const front *f)
{
    const trial *of[] = {f->yardstick, f->best};
    polhode_line lines[2];
    polhode p = {.start = ph_scenario_momentum(f->c->scenario), .lines = lines, .n = 2};
    memcpy(p.J, ph_system_bodies(ph_scenario_system(f->c->scenario))->J, sizeof p.J);
    for (size_t i = 0; i < 2; i++)
        lines[i] = (polhode_line){NULL, colour_of(f, of[i]), of[i]->path, of[i]->n_path};
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
        front_name(name, of[i]->contender);
        fprintf(out, "<strong style=\"color:%s\">", colour_of(f, of[i]));
        markup_between(out, "", name, "");
        fprintf(out, ": energy error %.1e", of[i]->summary.energy_error_max);
        if (isfinite(of[i]->cpu_seconds))
            fprintf(out, ", %#.2g s CPU", of[i]->cpu_seconds);
        fputs("</strong>", out);
    }
    fputs("</figcaption></figure>\n", out);
}

/* ---- Tiles ------------------------------------------------------------------------------------------ */

/* `at` of its summary. */
static double error_at(const trial *t, size_t at)
{
    return *(const double *)(const void *)((const char *)&t->summary + at);
}

/* The errors of the lines of the figure, a row each, in its order and colours; the smallest one is emphasised, and what
 * is equal to it in the digits that are shown. */
static void put_tile(FILE *out, const front *f, const char *title, size_t at)
{
    double least = INFINITY;
    for (size_t i = 0; i < f->n; i++)
        least = fmin(least, error_at(f->lines[i], at));
    markup_between(out, "<div class=\"tile\"><h2>", title, "</h2><dl>");
    for (size_t i = 0; i < f->n; i++) {
        char name[FRONT_NAME];
        front_name(name, f->lines[i]->contender);
        fprintf(out, "<dt style=\"--c:%s\">", colour_of(f, f->lines[i]));
        markup_between(out, "", name,
                       error_at(f->lines[i], at) <= 1.05 * least ? "</dt><dd class=\"best\">" : "</dt><dd>");
        markup_error(out, error_at(f->lines[i], at));
        fputs("</dd>", out);
    }
    fputs("</dl></div>\n", out);
}

int report_front(FILE *out, const void *self)
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
             offsetof(ph_summary, energy_error_max));
    put_tile(out, &f, "Momentum error", offsetof(ph_summary, momentum_error_max));
    put_tile(out, &f, "Off the manifold", offsetof(ph_summary, constraint_error_max));
    fputs("</div>\n", out);
    return 1;
}
