/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over time on logarithmic axes, and how they grow. */
#include "figures.h"

#include "tools/runs/trend.h"

#include <math.h>
#include <string.h>

/* The largest errors in bins of time, and so far. */
static ph_status tabulate(table *t, const curve *c, const char *name, const char *unit, ph_error *err)
{
    char so_far[TABLE_NAME];
    double row[3] = {0, 0, 0};
    ph_status status = PH_OK;
    table_column(t, "t", "s");
    table_column(t, name, unit);
    snprintf(so_far, sizeof so_far, "%.60s_so_far", name);
    table_column(t, so_far, unit);
    for (size_t i = 0; i < c->n && !status; i++) {
        if (!isfinite(c->bin[i]))
            continue;
        row[0] = curve_time(c, i);
        row[1] = c->bin[i];
        row[2] = fmax(row[2], c->bin[i]);
        status = table_add(t, row, err);
    }
    return status;
}

/* A line that grows as the first run does of which that is known, sqrt(t) or t, and ends a little above it. */
static ph_status add_guide(picture *p, const plot_input *in, quantity which, ph_error *err)
{
    size_t run = 0;
    while (run < in->n && !(in->runs[run].known[which] && trend_in(&in->runs[run], which).guide > 0))
        run++;
    if (run == in->n)
        return PH_OK;
    const double power = trend_in(&in->runs[run], which).guide;
    const table *t = &p->tables[run];
    size_t first = 0;
    while (first < t->rows && !(t->values[3 * first + 2] > 0))
        first++;
    if (first + 1 >= t->rows)
        return PH_OK;
    const double *last = t->values + 3 * (t->rows - 1), from = t->values[3 * first], y = 1.6 * last[2];
    p->guide_name = power == 1 ? "t" : "\xe2\x88\x9at";
    p->guide_ascii = power == 1 ? "t" : "sqrt(t)";
    table_column(&p->guide, "t", "s");
    table_column(&p->guide, "guide", NULL);
    ph_status status = table_add(&p->guide, (double[]){from, y * pow(from / last[0], power)}, err);
    if (!status)
        status = table_add(&p->guide, (double[]){last[0], y}, err);
    if (!status)
        panel_add(p->panels, (drawn){.of = &p->guide, .y = 1, .look = LOOK_GUIDE});
    return status;
}

static void say_growth(picture *p, const archived *a, size_t run, quantity which)
{
    char how[TREND_WORDS], between[BETWEEN_WORDS];
    const trend t = trend_in(a, which);
    trend_words(how, t);
    between_words(between, a);
    if (archived_lacks_steps(a))
        snprintf(how, sizeof how, "not known");
    if (!isfinite(a->largest[which]))
        picture_say(p, "%.240s: %s not known.", a->label, quantity_name(a, which));
    else if (t.growth == GROWTH_ZERO)
        picture_say(p, "%.240s: %s zero at all rows.", a->label, quantity_name(a, which));
    else
        picture_say(p, "%.240s: %s at most %.1e%s%s, %s.", a->label, quantity_name(a, which),
                    a->largest[which], *a->unit[which] ? " " : "", a->unit[which], how);
    if (*between)
        picture_say(p, "%s", between);
    if (p->n_runs == 1)
        snprintf(p->title, sizeof p->title, "%s", how);
    else
        trend_note(p->notes[run], t);
}

/* The first run that has it; NULL: none. */
static const archived *first_with(const plot_input *in, quantity which)
{
    for (size_t i = 0; i < in->n; i++)
        if (in->runs[i].known[which])
            return &in->runs[i];
    return NULL;
}

/* What the figures of this file are of. */
typedef struct error_of {
    const figure_steps *steps;
    quantity which;
    const char *lacking, *column; /* the column in words, and in tables */
} error_of;

static const error_of *find_error(const making *m)
{
    static const error_of all[] = {
        {&steps_energy, ENERGY, "energy_error", "energy_error"},
        {&steps_momentum, MOMENTUM, "of momentum_maps", "momentum_error"},
        {&steps_constraint, MANIFOLD, "constraint_error", "constraint_error"},
        {&steps_velocities, VELOCITIES, "velocity_constraint_error", "velocity_constraint_error"}};
    const error_of *found = all;
    while (found->steps != m->steps)
        found++;
    return found;
}

/* Rows are watched by the runs themselves. */
static ph_status begin_error(making *m, ph_error *err)
{
    const error_of *of = find_error(m);
    if (first_with(m->in, of->which))
        return PH_OK;
    return ph_fail(
        err, PH_E_UNSUPPORTED,
        "%s: there is no column %s: this system has none, or the scenario's `columns` leave it out",
        m->in->runs->file, of->lacking);
}

static void lay_error(picture *p, const archived *first, quantity which)
{
    panel *at = p->panels;
    const bool relative = first->relative[which], has_unit = *first->unit[which];
    p->n = 1;
    at->log_x = at->log_y = at->ends = true;
    if (first->rows && first->span[0].first != 0)
        snprintf(at->x_label, sizeof at->x_label, "time since t = %.6g s [s]", first->span[0].first);
    else
        snprintf(at->x_label, sizeof at->x_label, "time t [s]");
    snprintf(at->y_label, sizeof at->y_label, "%.80s%s%s%s%s", quantity_name(first, which),
             relative ? ", relative" : "", has_unit ? " [" : "", first->unit[which], has_unit ? "]" : "");
}

static ph_status finish_error(making *m, ph_error *err)
{
    const plot_input *in = m->in;
    const error_of *of = find_error(m);
    const quantity which = of->which;
    const archived *first = first_with(in, which);
    picture *p = &m->picture;
    char name[TABLE_NAME];
    ph_status status = PH_OK;
    lay_error(p, first, which);
    snprintf(name, sizeof name, "%s%s", of->column, first->relative[which] ? "_relative" : "");
    for (size_t i = 0; i < in->n && !status; i++) {
        const archived *a = &in->runs[i];
        status = tabulate(&p->tables[i], &a->error[which], name, a->unit[which], err);
        if (!a->known[which])
            continue;
        panel_add(p->panels, (drawn){.of = &p->tables[i], .y = 1, .look = LOOK_FAINT, .run = i});
        panel_add(p->panels, (drawn){.of = &p->tables[i], .y = 2, .look = LOOK_LINE, .run = i});
        say_growth(p, a, i, which);
    }
    return status ? status : add_guide(p, in, which, err);
}

const figure_steps steps_energy = {.begin = begin_error, .finish = finish_error};
const figure_steps steps_momentum = {.begin = begin_error, .finish = finish_error};
const figure_steps steps_constraint = {.begin = begin_error, .finish = finish_error};
const figure_steps steps_velocities = {.begin = begin_error, .finish = finish_error};
