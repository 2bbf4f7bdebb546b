/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a comparison's figure as data for the script of the page. */
#include "figures/data.h"
#include "figures/key.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>

/* The name of a line: its contender, and the step where there are several. */
static void name_line(char title[TITLE_SIZE + 40], const comparison *c, figure which, const series *s)
{
    char name[TITLE_SIZE];
    key_title(name, s->who->label);
    if (s->trial && figure_over_time(which) && groups_are_several(c))
        snprintf(title, TITLE_SIZE + 40, "%s, %sh = %g s", name, which == FIGURE_ENERGY_CPU ? "as at " : "",
                 s->trial->group);
    else
        snprintf(title, TITLE_SIZE + 40, "%s", name);
}

/* x, y (s->n) <- the points; where the error is zero there is a gap. Returns how many. */
static size_t gather(const series *s, figure which, double *x, double *y)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const point kind = series_point(s, which, i, &x[n], &y[n]);
        if (kind == ZERO)
            y[n] = (double)NAN;
        n += kind != NOTHING;
    }
    return n;
}

static void put_line(FILE *f, const char *before, const comparison *c, figure which, const series *s)
{
    char title[TITLE_SIZE + 40];
    double *x = malloc(s->n * sizeof *x), *y = malloc(s->n * sizeof *y);
    name_line(title, c, which, s);
    data_curve_put(f, before,
                   &(data_curve){.label = title,
                                 .colour = key_colour((size_t)(s->who - c->contenders)),
                                 .dashed = s->trial && group_index(c, s->trial->group) > 0,
                                 .x = x,
                                 .y = y,
                                 .n = x && y ? gather(s, which, x, y) : 0});
    free(x);
    free(y);
}

void figure_data(FILE *f, const comparison *c, figure which)
{
    char label[200];
    const char *before = "";
    snprintf(label, sizeof label, "%s%s%s%s", figure_over_time(which) ? "largest |" : "",
             figure_quantity(c, which), figure_over_time(which) ? "|" : "",
             which == FIGURE_CONSTRAINT || which == FIGURE_TRAJECTORY_WORK ? "" : ", relative");
    data_axes_begin(f, &(data_axes){.x_label = figure_over_time(which) ? "time [s]" : "CPU time [s]",
                                    .y_label = label,
                                    .x_log = 1,
                                    .y_log = 1});
    for (size_t i = 0; i < figure_series(c, which); i++) {
        const series s = series_at(c, which, i);
        if (!series_count(&s, which, POINT))
            continue;
        put_line(f, before, c, which, &s);
        before = ",";
    }
    data_axes_end(f);
}
