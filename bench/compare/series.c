/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines, points and frames of the figures, taken from trials and ladders. */
#include "series.h"

#include <math.h>

/* ---- Lines and points ------------------------------------------------------------------------------- */

int figure_over_time(figure which)
{
    return which != FIGURE_TRAJECTORY_WORK && which != FIGURE_ENERGY_WORK;
}

static trial_basis figure_basis(figure which)
{
    return which == FIGURE_ENERGY_CPU ? SAME_CPU : SAME_STEP;
}

int figure_shows(const comparison *c, size_t i, trial_basis basis)
{
    const trial *t = &c->trials[i];
    if (t->basis == basis)
        return 1;
    if (basis != SAME_CPU || t->contender != &c->contenders[c->reference])
        return 0;
    for (size_t j = 0; j < c->n_trials; j++) /* not if it is the only one there */
        if (c->trials[j].basis == SAME_CPU && c->trials[j].group == t->group)
            return 1;
    return 0;
}

static const curve *curve_of(const trial *t, figure which)
{
    return which == FIGURE_CONSTRAINT ? &t->constraint : which == FIGURE_MOMENTUM ? &t->momentum : &t->energy;
}

size_t figure_series(const comparison *c, figure which)
{
    return figure_over_time(which) ? c->n_trials : c->ladders ? c->n_contenders : 0;
}

/* The line of trial or contender k; without points where it is not part of the figure. */
series series_at(const comparison *c, figure which, size_t k)
{
    series s = {0};
    if (figure_over_time(which)) {
        s.trial = &c->trials[k];
        s.who = s.trial->contender;
        if (s.trial->steps_done && figure_shows(c, k, figure_basis(which)))
            s.n = curve_of(s.trial, which)->n;
    } else {
        s.ladder = &c->ladders[k];
        s.who = s.ladder->contender;
        s.n = s.who ? LADDER_STEPS : 0;
    }
    return s;
}

point series_point(const series *s, figure which, size_t i, double *x, double *y)
{
    if (s->trial) {
        const curve *line = curve_of(s->trial, which);
        *x = curve_time(line, i);
        *y = line->bin[i];
    } else {
        const rung *g = &s->ladder->rungs[i];
        *x = g->steps && !g->status ? g->cpu_seconds : (double)NAN;
        *y = which == FIGURE_ENERGY_WORK ? g->energy_error : g->trajectory_error;
    }
    if (!(*x > 0) || !isfinite(*x) || !isfinite(*y))
        return NOTHING;
    return *y >= series_lowest ? POINT : ZERO;
}

size_t series_count(const series *s, figure which, point kind)
{
    double x, y;
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += series_point(s, which, i, &x, &y) == kind;
    return count;
}

size_t figure_count(const comparison *c, figure which, const contender *who, point kind)
{
    size_t count = 0;
    for (size_t k = 0; k < figure_series(c, which); k++) {
        series s = series_at(c, which, k);
        if (!who || s.who == who)
            count += series_count(&s, which, kind);
    }
    return count;
}

int series_ended_early(const series *s)
{
    return s->trial && s->trial->status && s->trial->status != PH_E_INTERRUPTED;
}

int figure_any_ended_early(const comparison *c, figure which)
{
    for (size_t k = 0; k < figure_series(c, which); k++) {
        series s = series_at(c, which, k);
        if (series_ended_early(&s) && series_count(&s, which, POINT))
            return 1;
    }
    return 0;
}

/* Is k the first trial of its group, on either basis? */
int group_is_first(const comparison *c, size_t k)
{
    for (size_t j = 0; j < k; j++)
        if (c->trials[j].group == c->trials[k].group)
            return 0;
    return 1;
}

/* 0, 1, 2, ... in the order in which groups appear; the number of groups for a group that does not exist. */
size_t group_index(const comparison *c, double group)
{
    size_t index = 0;
    for (size_t k = 0; k < c->n_trials; k++)
        if (group_is_first(c, k)) {
            if (c->trials[k].group == group)
                return index;
            index++;
        }
    return index;
}

int groups_are_several(const comparison *c)
{
    return group_index(c, NAN) > 1;
}

int group_is_drawn(const comparison *c, figure which, double group)
{
    for (size_t k = 0; k < c->n_trials; k++) {
        series s = series_at(c, which, k);
        if (s.trial->group == group && series_count(&s, which, POINT))
            return 1;
    }
    return 0;
}

int figure_has_force(const comparison *c)
{
    return !ph_system_is_conservative(ph_scenario_system(c->scenario));
}

const char *figure_quantity(const comparison *c, figure which)
{
    switch (which) {
    case FIGURE_CONSTRAINT:
        return "constraint error";
    case FIGURE_MOMENTUM:
        return "momentum error";
    case FIGURE_TRAJECTORY_WORK:
        return "trajectory error";
    default:
        return figure_has_force(c) ? "energy change" : "energy error";
    }
}

/* ---- Its frame ----------------------------------------------------------------------------------- */

static frame find_extent(const comparison *c, figure which)
{
    frame f = {INFINITY, 0, INFINITY, 0, 0};
    double x, y;
    for (size_t k = 0; k < figure_series(c, which); k++) {
        series s = series_at(c, which, k);
        for (size_t i = 0; i < s.n; i++)
            if (series_point(&s, which, i, &x, &y) == POINT) {
                f.x0 = fmin(f.x0, x);
                f.x1 = fmax(f.x1, x);
                f.y0 = fmin(f.y0, y);
                f.y1 = fmax(f.y1, y);
            }
    }
    return f;
}

/* The uncertainty of the truth is drawn if it is near the other lines. */
int figure_shows_uncertainty(const comparison *c, figure which, const frame *f)
{
    double u = c->truth.uncertainty;
    return which == FIGURE_TRAJECTORY_WORK && isfinite(u) && u >= series_lowest && u >= 1e-3 * f->y0 &&
           u <= f->y1;
}

frame figure_frame(const comparison *c, figure which)
{
    frame f = find_extent(c, which);
    /* a curve that diverges may leave the picture if another stays in it */
    f.cut = f.y0 < 1.2 && 1.2 * f.y1 > series_highest;
    if (f.cut)
        f.y1 = series_highest;
    return f;
}
