/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison, with their captions, and descriptions for those who cannot see them. Colours distinguish contenders,
 * dashes distinguish steps, the same in all figures of a comparison. */
#include "bench/report/file.h"
#include "figures/embed.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum figure {
    ENERGY,          /* energy error over time, same step */
    ENERGY_CPU,      /* the same at the same CPU time */
    CONSTRAINT,      /* constraint error over time */
    MOMENTUM,        /* momentum error over time */
    TRAJECTORY_WORK, /* trajectory error against CPU time */
    ENERGY_WORK,     /* energy error against CPU time */
    FIGURES
} figure;

static const double lowest = 1e-18; /* an error below this counts as zero */
static const double highest = 10;   /* relative; a larger error has diverged */

/* A line: a long trial, or a ladder, of which trial is NULL. y is NaN where the error is zero. */
typedef struct series {
    const contender *who;
    const trial *trial;
    double x[BINS_MOST], y[BINS_MOST];
    size_t n, positive; /* how many of them are not zero */
} series;

typedef struct drawing {
    const comparison *c;
    figure which;
    bool over_time, forced, several; /* several: groups */
    series *lines;                   /* (n) those that have points */
    size_t n;
    double x0, x1, y0, y1; /* their extent */
    size_t n_positive, n_zero;
    bool cut;        /* a curve that diverges may leave the picture if another stays in it */
    bool ends_early; /* a line of it does */
    bool uncertain;  /* the uncertainty of the truth is drawn: it is near the other lines */
} drawing;

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

static bool ended_early(const series *s)
{
    return s->trial && s->trial->status && s->trial->status != PH_E_INTERRUPTED;
}

static void enter_point(series *s, double x, double y)
{
    if (!(x > 0) || !isfinite(x) || !isfinite(y))
        return;
    s->x[s->n] = x;
    s->y[s->n++] = y >= lowest ? y : (double)NAN;
    s->positive += y >= lowest;
}

static void enter_trial(const drawing *d, series *s, size_t k)
{
    const trial *t = &d->c->trials[k];
    const curve *line = d->which == CONSTRAINT ? &t->constraint
                        : d->which == MOMENTUM ? &t->momentum
                                               : &t->energy;
    s->trial = t;
    s->who = t->contender;
    if (t->steps_done && comparison_shows(d->c, k, d->which == ENERGY_CPU ? SAME_CPU : SAME_STEP))
        for (size_t i = 0; i < line->n; i++)
            enter_point(s, curve_time(line, i), line->bin[i]);
}

static void enter_ladder(const drawing *d, series *s, const ladder *l)
{
    s->who = l->contender;
    for (size_t i = 0; l->contender && i < LADDER_STEPS; i++) {
        const rung *g = &l->rungs[i];
        if (g->steps && !g->status)
            enter_point(s, g->cpu_seconds, d->which == ENERGY_WORK ? g->energy_error : g->trajectory_error);
    }
}

static void enter_line(drawing *d, const series *s)
{
    d->n += s->n > 0;
    d->n_positive += s->positive;
    d->n_zero += s->n - s->positive;
    d->ends_early = d->ends_early || (s->positive && ended_early(s));
    for (size_t i = 0; i < s->n; i++)
        if (!isnan(s->y[i])) {
            d->x0 = fmin(d->x0, s->x[i]);
            d->x1 = fmax(d->x1, s->x[i]);
            d->y0 = fmin(d->y0, s->y[i]);
            d->y1 = fmax(d->y1, s->y[i]);
        }
}

/* 0, 1, 2, ... in the order in which groups appear; the number of groups for one that does not exist. */
static size_t group_index(const comparison *c, double group)
{
    double groups[2 * PROBLEM_STEPS];
    size_t n = 0, i;
    for (size_t k = 0; k < c->n_trials; k++) {
        for (i = 0; i < n && groups[i] != c->trials[k].group; i++)
            ;
        if (i == n)
            groups[n++] = c->trials[k].group;
    }
    for (i = 0; i < n && groups[i] != group; i++)
        ;
    return i;
}

static ph_status take_lines(drawing *d, const comparison *c, figure which, ph_error *err)
{
    const bool over_time = which != TRAJECTORY_WORK && which != ENERGY_WORK;
    const size_t n = over_time ? c->n_trials : c->ladders ? c->n_contenders : 0;
    const double u = c->truth.uncertainty;
    *d = (drawing){.c = c,
                   .which = which,
                   .over_time = over_time,
                   .forced = !ph_system_is_conservative(ph_scenario_system(c->scenario)),
                   .several = group_index(c, NAN) > 1,
                   .lines = calloc(n + 1, sizeof *d->lines),
                   .x0 = INFINITY,
                   .y0 = INFINITY};
    if (!d->lines)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < n; k++) {
        series *s = &d->lines[d->n];
        *s = (series){.n = 0};
        if (over_time)
            enter_trial(d, s, k);
        else
            enter_ladder(d, s, &c->ladders[k]);
        enter_line(d, s);
    }
    d->cut = d->y0 < 1.2 && 1.2 * d->y1 > highest;
    d->y1 = d->cut ? highest : d->y1;
    d->uncertain = which == TRAJECTORY_WORK && isfinite(u) && u >= lowest && u >= 1e-3 * d->y0 && u <= d->y1;
    return PH_OK;
}

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

/* "energy error", in a system with forces "energy change", ... */
static const char *quantity(const drawing *d)
{
    return d->which == CONSTRAINT        ? "constraint error"
           : d->which == MOMENTUM        ? "momentum error"
           : d->which == TRAJECTORY_WORK ? "trajectory error"
           : d->forced                   ? "energy change"
                                         : "energy error";
}

static void say_subject(FILE *f, const drawing *d)
{
    static const char *const subjects[FIGURES] = {
        [CONSTRAINT] = "Constraint error, | |q| \xe2\x88\x92 1 |, at the same step size",
        [MOMENTUM] = "Momentum error at the same step size, "
                     "of the momentum map with the largest error, relative to its scale",
        [TRAJECTORY_WORK] = "Trajectory error against CPU time",
    };
    if (subjects[d->which])
        fputs(subjects[d->which], f);
    else
        fprintf(f, "Energy %s%s, relative to the energy's scale", d->forced ? "change" : "error",
                d->which == ENERGY_WORK  ? " against CPU time"
                : d->which == ENERGY_CPU ? " at the same CPU time"
                                         : " at the same step size");
    fputs(d->over_time ? ": the largest in each short interval of time." : ":", f);
}

static void write_caption(FILE *f, const void *self)
{
    const drawing *d = self;
    const comparison *c = d->c;
    say_subject(f, d);
    if (!d->n_positive)
        return;
    if (!d->over_time)
        fprintf(f, " a point for each step size of the runs to t = %.4g s; lower left is better.",
                c->truth.time);
    if (d->which == ENERGY_CPU)
        fprintf(f, " Each method at the step size at which it costs what %s costs.",
                c->contenders[c->reference].label);
    if (d->over_time && d->several)
        fprintf(f, " Colours are methods, dashes are %s.",
                d->which == ENERGY_CPU ? "the step sizes whose cost is matched" : "step sizes");
    if (d->ends_early)
        fputs(" A cross is the end of a run that ended early.", f);
    if (d->cut)
        fprintf(f, " A curve above %g is outside the picture.", highest);
    if (d->n_zero)
        fprintf(f, " Where the error is zero (below %g) a line has a gap.", lowest);
    if (d->uncertain)
        fprintf(f, " Grey: the uncertainty of the truth itself, %.1e.", c->truth.uncertainty);
    if (d->forced && (d->which == ENERGY || d->which == ENERGY_CPU || d->which == ENERGY_WORK))
        fputs(" The system has forces, which change its energy: this is not an error.", f);
}

static void say_series(FILE *f, const series *s)
{
    size_t first = 0, last = s->n;
    double most = 0;
    while (first < s->n && isnan(s->y[first]))
        first++;
    while (last > first && isnan(s->y[last - 1]))
        last--;
    for (size_t i = first; i < last; i++)
        most = fmax(most, s->y[i]);
    fprintf(f, " %s", s->who->label);
    if (s->trial)
        fprintf(f, " (h = %.3g s)", s->trial->h);
    if (first == last)
        fputs(": zero", f);
    else
        fprintf(f, ": %.1e at %.2g s, %.1e at %.2g s, at most %.1e", s->y[first], s->x[first], s->y[last - 1],
                s->x[last - 1], most);
    if (s->trial && s->trial->status)
        fputs(s->trial->status == PH_E_DIVERGED      ? ", diverged"
              : s->trial->status == PH_E_INTERRUPTED ? ", interrupted"
                                                     : ", ended early",
              f);
    fputc('.', f);
}

static void write_words(FILE *f, const void *self)
{
    const drawing *d = self;
    fprintf(f, "Logarithmic axes: %s against %s.", quantity(d), d->over_time ? "time" : "CPU time");
    for (size_t k = 0; k < d->n; k++)
        say_series(f, &d->lines[k]);
}

/* Why there is nothing to draw. */
static const char *why_nothing(const drawing *d)
{
    return d->n_zero      ? "Nothing to draw: this error is zero throughout, for every method."
           : d->over_time ? "Nothing to draw: no trial that shows this was run."
                          : "Nothing to draw: no run was both finished and timed.";
}

/* ---- Pictures ------------------------------------------------------------------------------------------------------- */

static void label_axes(panel *at, const drawing *d)
{
    at->log_x = at->log_y = true;
    snprintf(at->x_label, sizeof at->x_label, d->over_time ? "time [s]" : "CPU time [s]");
    snprintf(at->y_label, sizeof at->y_label, "%s%s%s%s", d->over_time ? "largest |" : "", quantity(d),
             d->over_time ? "|" : "",
             d->which == CONSTRAINT || d->which == TRAJECTORY_WORK ? "" : ", relative");
}

static void label_contenders(picture *p, const drawing *d)
{
    const comparison *c = d->c;
    for (size_t i = 0; i < c->n_contenders; i++) {
        const contender *who = &c->contenders[i];
        size_t n = 0, positive = 0;
        for (size_t k = 0; k < d->n; k++)
            if (d->lines[k].who == who) {
                n += d->lines[k].n;
                positive += d->lines[k].positive;
            }
        if (n)
            picture_label(p, i, positive ? "%s" : "%s: zero", who->label);
    }
    for (size_t i = 0; d->over_time && d->several && i < c->n_trials; i++)
        snprintf(p->dashes[group_index(c, c->trials[i].group) % DASHES], sizeof *p->dashes, "%sh = %g s",
                 d->which == ENERGY_CPU ? "as at " : "", c->trials[i].group);
}

/* The line, with a gap where the error is zero, and a cross at its end where it ended early. */
static ph_status add_series(picture *p, const comparison *c, const series *s, ph_error *err)
{
    drawn one = {.look = s->trial ? LOOK_LINE : LOOK_MARKED,
                 .run = (size_t)(s->who - c->contenders) % LABELS_MOST,
                 .dashes = s->trial ? group_index(c, s->trial->group) % DASHES : 0};
    ph_status status = picture_add(p, 0, one, s->x, s->y, s->n, err);
    size_t last = s->n - 1;
    while (isnan(s->y[last]))
        last--;
    if (status || !ended_early(s))
        return status;
    const double top = p->panels->top, y = top > 0 ? fmin(s->y[last], top) : s->y[last];
    one.look = LOOK_CROSS;
    return picture_add(p, 0, one, &s->x[last], &y, 1, err);
}

static ph_status add_uncertainty(picture *p, const drawing *d, ph_error *err)
{
    const size_t colour = p->n_labels;
    const double u = d->c->truth.uncertainty;
    picture_label(p, colour, "truth's uncertainty");
    p->colours[colour % LABELS_MOST] = "#888888";
    return picture_add(p, 0, (drawn){.run = colour % LABELS_MOST}, (double[]){d->x0, d->x1}, (double[]){u, u},
                       2, err);
}

static ph_status make(picture *p, const drawing *d, ph_error *err)
{
    ph_status status = PH_OK;
    p->n = 1;
    p->cross = "ended early";
    p->panels->top = d->cut ? highest : 0;
    label_axes(p->panels, d);
    label_contenders(p, d);
    for (size_t i = 0; i < d->n && !status; i++)
        if (d->lines[i].positive)
            status = add_series(p, d->c, &d->lines[i], err);
    if (!status && d->uncertain)
        status = add_uncertainty(p, d, err);
    p->n_runs = p->n_labels;
    return status;
}

/* The figure, or why a logarithmic axis can show nothing. */
static ph_status put_figure(FILE *f, size_t which, const void *self, ph_error *err)
{
    drawing d;
    ph_status status = take_lines(&d, self, (figure)which, err);
    if (status)
        return status;
    picture *p = calloc(1, sizeof *p);
    char *caption = report_text(write_caption, &d), *words = report_text(write_words, &d);
    if (!p || !caption || !words)
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    else if (!d.n_positive)
        page_no_picture(f, why_nothing(&d), caption);
    else if (!(status = make(p, &d, err)))
        embed_picture(f, p, words, caption);
    graph_free(p);
    free(d.lines);
    free(caption);
    free(words);
    return status;
}

ph_status report_figures(FILE *f, const comparison *c, ph_error *err)
{
    fputs("<h3>Figures</h3>\n", f);
    return page_figures(f, FIGURES, put_figure, c, err);
}
