/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a comparison as pictures. Colours distinguish contenders, dashes distinguish steps, the same in all figures of a
 * comparison. */
#include "figures.h"
#include "bench/report/page.h"
#include "figures/embed.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>

static void label_axes(panel *at, const comparison *c, figure which)
{
    const int over_time = figure_over_time(which);
    at->log_x = at->log_y = true;
    snprintf(at->x_label, sizeof at->x_label, over_time ? "time [s]" : "CPU time [s]");
    snprintf(at->y_label, sizeof at->y_label, "%s%s%s%s", over_time ? "largest |" : "",
             figure_quantity(c, which), over_time ? "|" : "",
             which == FIGURE_CONSTRAINT || which == FIGURE_TRAJECTORY_WORK ? "" : ", relative");
}

static void label_contenders(picture *p, const comparison *c, figure which)
{
    for (size_t i = 0; i < c->n_contenders; i++) {
        const contender *who = &c->contenders[i];
        if (figure_count(c, which, who, POINT))
            picture_label(p, i, "%s", who->label);
        else if (figure_count(c, which, who, ZERO))
            picture_label(p, i, "%s: zero", who->label);
    }
    for (size_t i = 0; figure_over_time(which) && groups_are_several(c) && i < c->n_trials; i++)
        if (group_is_first(c, i))
            snprintf(p->dashes[group_index(c, c->trials[i].group) % DASHES], sizeof *p->dashes, "%sh = %g s",
                     which == FIGURE_ENERGY_CPU ? "as at " : "", c->trials[i].group);
}

/* The line, with a gap where the error is zero, and a cross at its end where it ended early. */
static ph_status add_series(picture *p, const comparison *c, figure which, const series *s, ph_error *err)
{
    double *x = calloc(2 * s->n, sizeof *x), *y = x ? x + s->n : NULL;
    size_t n = 0;
    drawn one = {.look = s->trial ? LOOK_LINE : LOOK_MARKED,
                 .run = (size_t)(s->who - c->contenders) % LABELS_MOST,
                 .dashes = s->trial ? group_index(c, s->trial->group) % DASHES : 0};
    if (!x)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->n; i++) {
        const point kind = series_point(s, which, i, &x[n], &y[n]);
        if (kind == ZERO)
            y[n] = NAN;
        n += kind != NOTHING;
    }
    ph_status status = picture_add(p, 0, one, x, y, n, err);
    while (n && isnan(y[n - 1]))
        n--;
    if (!status && n && series_ended_early(s)) {
        one.look = LOOK_CROSS;
        y[n - 1] = p->panels->top > 0 ? fmin(y[n - 1], p->panels->top) : y[n - 1];
        status = picture_add(p, 0, one, &x[n - 1], &y[n - 1], 1, err);
    }
    free(x);
    return status;
}

static ph_status add_uncertainty(picture *p, const comparison *c, const frame *f, ph_error *err)
{
    const size_t colour = p->n_labels;
    picture_label(p, colour, "truth's uncertainty");
    p->colours[colour % LABELS_MOST] = "#888888";
    return picture_add(p, 0, (drawn){.run = colour % LABELS_MOST}, (double[]){f->x0, f->x1},
                       (double[]){c->truth.uncertainty, c->truth.uncertainty}, 2, err);
}

static ph_status make(picture *p, const comparison *c, figure which, ph_error *err)
{
    const frame f = figure_frame(c, which);
    ph_status status = PH_OK;
    p->n = 1;
    p->cross = "ended early";
    p->panels->top = f.cut ? series_highest : 0;
    label_axes(p->panels, c, which);
    label_contenders(p, c, which);
    for (size_t i = 0; i < figure_series(c, which) && !status; i++) {
        const series s = series_at(c, which, i);
        if (series_count(&s, which, POINT))
            status = add_series(p, c, which, &s, err);
    }
    if (!status && figure_shows_uncertainty(c, which, &f))
        status = add_uncertainty(p, c, &f, err);
    p->n_runs = p->n_labels;
    return status;
}

/* Why there is nothing to draw. */
static const char *why_nothing(const comparison *c, figure which)
{
    if (figure_count(c, which, NULL, ZERO))
        return "Nothing to draw: this error is zero throughout, for every method.";
    return figure_over_time(which) ? "Nothing to draw: no trial that shows this was run."
                                   : "Nothing to draw: no run was both finished and timed.";
}

ph_status figure_write(FILE *f, const comparison *c, figure which, ph_error *err)
{
    picture *p = calloc(1, sizeof *p);
    char *caption = figure_caption(c, which), *words = figure_words(c, which);
    ph_status status = p && caption && words ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status && !figure_count(c, which, NULL, POINT))
        page_no_picture(f, why_nothing(c, which), caption);
    else if (!status && !(status = make(p, c, which, err)))
        embed_picture(f, p, words, caption);
    if (p)
        picture_free(p);
    free(p);
    free(caption);
    free(words);
    return status;
}
