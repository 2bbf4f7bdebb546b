/* SPDX-License-Identifier: BSD-3-Clause */
/* The caption of a figure, and a description of it for those who cannot see it. */
#include "series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void say_subject(FILE *f, const comparison *c, figure which)
{
    static const char *const subjects[FIGURES] = {
        [FIGURE_CONSTRAINT] = "Constraint error, | |q| \xe2\x88\x92 1 |, at the same step size",
        [FIGURE_MOMENTUM] = "Momentum error at the same step size, "
                            "of the momentum map with the largest error, relative to its scale",
        [FIGURE_TRAJECTORY_WORK] = "Trajectory error against CPU time",
    };
    if (subjects[which])
        fputs(subjects[which], f);
    else
        fprintf(f, "Energy %s%s, relative to the energy's scale", figure_has_force(c) ? "change" : "error",
                which == FIGURE_ENERGY_WORK  ? " against CPU time"
                : which == FIGURE_ENERGY_CPU ? " at the same CPU time"
                                             : " at the same step size");
    fputs(figure_over_time(which) ? ": the largest in each short interval of time. " : ": ", f);
}

static void say_how_to_read(FILE *f, const comparison *c, figure which)
{
    frame fr = figure_frame(c, which);
    if (!figure_over_time(which))
        fprintf(f, "a point for each step size of the runs to t = %.4g s; lower left is better. ",
                c->truth.time);
    if (which == FIGURE_ENERGY_CPU)
        fprintf(f, "Each method at the step size at which it costs what %s costs. ",
                c->contenders[c->reference].label);
    if (figure_over_time(which) && groups_are_several(c))
        fprintf(f, "Colours are methods, dashes are %s. ",
                which == FIGURE_ENERGY_CPU ? "the step sizes whose cost is matched" : "step sizes");
    if (figure_any_ended_early(c, which))
        fputs("A cross is the end of a run that ended early. ", f);
    if (fr.cut)
        fprintf(f, "A curve above %g is outside the picture. ", series_highest);
    if (figure_count(c, which, NULL, ZERO))
        fprintf(f, "Where the error is zero (below %g) a line has a gap. ", series_lowest);
    if (figure_shows_uncertainty(c, which, &fr))
        fprintf(f, "Grey: the uncertainty of the truth itself, %.1e. ", c->truth.uncertainty);
    if (figure_has_force(c) &&
        (which == FIGURE_ENERGY || which == FIGURE_ENERGY_CPU || which == FIGURE_ENERGY_WORK))
        fputs("The system has forces, which change its energy: this is not an error. ", f);
}

static char *text_of(const comparison *c, figure which, void (*say)(FILE *, const comparison *, figure))
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return NULL;
    say(f, c, which);
    if (fclose(f)) {
        free(text);
        return NULL;
    }
    while (length && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static void say_caption(FILE *f, const comparison *c, figure which)
{
    say_subject(f, c, which);
    if (figure_count(c, which, NULL, POINT))
        say_how_to_read(f, c, which);
}

char *figure_caption(const comparison *c, figure which)
{
    return text_of(c, which, say_caption);
}

static void say_series(FILE *f, const series *s, figure which)
{
    double x, y, x0 = NAN, y0 = NAN, x1 = NAN, y1 = NAN, most = NAN;
    for (size_t i = 0; i < s->n; i++)
        if (series_point(s, which, i, &x, &y) == POINT) {
            x0 = isnan(x0) ? x : x0;
            y0 = isnan(y0) ? y : y0;
            x1 = x;
            y1 = y;
            most = fmax(most, y);
        }
    fputs(s->who->label, f);
    if (s->trial)
        fprintf(f, " (h = %.3g s)", s->trial->h);
    if (isnan(most))
        fputs(": zero", f);
    else
        fprintf(f, ": %.1e at %.2g s, %.1e at %.2g s, at most %.1e", y0, x0, y1, x1, most);
    if (s->trial && s->trial->status)
        fputs(s->trial->status == PH_E_DIVERGED      ? ", diverged"
              : s->trial->status == PH_E_INTERRUPTED ? ", interrupted"
                                                     : ", ended early",
              f);
    fputs(". ", f);
}

static void say_words(FILE *f, const comparison *c, figure which)
{
    fprintf(f, "Logarithmic axes: %s against %s. ", figure_quantity(c, which),
            figure_over_time(which) ? "time" : "CPU time");
    for (size_t k = 0; k < figure_series(c, which); k++) {
        series s = series_at(c, which, k);
        if (series_count(&s, which, POINT) || series_count(&s, which, ZERO))
            say_series(f, &s, which);
    }
}

char *figure_words(const comparison *c, figure which)
{
    return text_of(c, which, say_words);
}
