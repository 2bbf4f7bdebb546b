/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors over time on logarithmic axes, and Newton iterations. */
#include "figures.h"

#include "tools/report/verdict.h"

#include <math.h>
#include <string.h>

/* ---- Errors over time ------------------------------------------------------------------------------------ */

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

/* A line like sqrt(t) that ends a little above the first run. */
static ph_status add_guide(picture *p, ph_error *err)
{
    const table *t = p->panels->n ? p->panels->curves[0].of : NULL;
    size_t first = 0;
    while (t && first < t->rows && !(t->values[3 * first + 2] > 0))
        first++;
    if (!t || first + 1 >= t->rows)
        return PH_OK;
    const double *last = t->values + 3 * (t->rows - 1), from = t->values[3 * first], y = 1.4 * last[2];
    table_column(&p->guide, "t", "s");
    table_column(&p->guide, "sqrt", NULL);
    ph_status status = table_add(&p->guide, (double[]){from, y * sqrt(from / last[0])}, err);
    if (!status)
        status = table_add(&p->guide, (double[]){last[0], y}, err);
    if (!status)
        panel_add(p->panels, (drawn){&p->guide, 0, 1, 0, LOOK_GUIDE, 0});
    return status;
}

static void say_growth(picture *p, const archived *a, quantity which)
{
    char how[120];
    const size_t used = strlen(p->words);
    trend_words(how, trend_in(a, which));
    snprintf(p->words + used, sizeof p->words - used, "%s%.240s: %s at most %.1e%s%s, %s.", used ? " " : "",
             a->label, quantity_name(a, which), a->largest[which], *a->unit[which] ? " " : "", a->unit[which],
             how);
    if (p->n_runs == 1)
        snprintf(p->title, sizeof p->title, "%.*s",
                 (int)(strstr(how, " over the") ? strstr(how, " over the") - how : (long)strlen(how)), how);
}

static ph_status make_error(picture *p, const plot_input *in, quantity which, const char *column,
                            ph_error *err)
{
    char name[TABLE_NAME];
    const archived *first = NULL;
    *p = (picture){.runs = in->runs, .n_runs = in->n, .n = 1};
    for (size_t i = 0; i < in->n && !first; i++)
        first = in->runs[i].known[which] ? &in->runs[i] : NULL;
    if (!first)
        return ph_fail(
            err, PH_E_UNSUPPORTED,
            "%s: there is no column %s: this system has none, or the scenario's `columns` leave it out",
            in->runs->file, column);
    panel *at = p->panels;
    at->log_x = at->log_y = true;
    snprintf(at->x_label, sizeof at->x_label, "time t [s]");
    const bool relative = first->relative[which], has_unit = *first->unit[which];
    snprintf(at->y_label, sizeof at->y_label, "%.80s%s%s%s%s", quantity_name(first, which),
             relative ? ", relative" : "", has_unit ? " [" : "", first->unit[which], has_unit ? "]" : "");
    snprintf(name, sizeof name, "%s%s", which == MOMENTUM ? "momentum_error" : column,
             relative ? "_relative" : "");
    ph_status status = PH_OK;
    for (size_t i = 0; i < in->n && !status; i++) {
        const archived *a = &in->runs[i];
        status = tabulate(&p->tables[i], &a->error[which], name, a->unit[which], err);
        if (!a->known[which])
            continue;
        panel_add(at, (drawn){&p->tables[i], 0, 1, 0, LOOK_FAINT, i});
        panel_add(at, (drawn){&p->tables[i], 0, 2, 0, LOOK_LINE, i});
        say_growth(p, a, which);
    }
    return status ? status : add_guide(p, err);
}

ph_status make_energy(picture *p, const plot_input *in, ph_error *err)
{
    return make_error(p, in, ENERGY, "energy_error", err);
}
ph_status make_momentum(picture *p, const plot_input *in, ph_error *err)
{
    return make_error(p, in, MOMENTUM, "of momentum_maps", err);
}
ph_status make_constraint(picture *p, const plot_input *in, ph_error *err)
{
    return make_error(p, in, MANIFOLD, "constraint_error", err);
}
ph_status make_velocities(picture *p, const plot_input *in, ph_error *err)
{
    return make_error(p, in, VELOCITIES, "velocity_constraint_error", err);
}

/* ---- Newton iterations ------------------------------------------------------------------------------------- */

/* The share of rows with so many iterations for a step, rounded, behind the curve. */
static double mean_of(const archived *a, double *most)
{
    double sum = 0;
    *most = 0;
    for (size_t i = 0; i < a->n_spread; i++) {
        sum += a->spread_passes[i];
        *most = fmax(*most, a->spread_passes[i]);
    }
    return sum / (double)a->n_spread;
}

ph_status make_newton(picture *p, const plot_input *in, ph_error *err)
{
    *p = (picture){.runs = in->runs, .n_runs = in->n, .n = 1};
    ph_status status = PH_OK;
    snprintf(p->panels->x_label, sizeof p->panels->x_label, "time t [s]");
    snprintf(p->panels->y_label, sizeof p->panels->y_label, "Newton iterations for a step");
    p->panels->from_zero = true;
    for (size_t i = 0; i < in->n && !status; i++) {
        const archived *a = &in->runs[i];
        double most;
        if (!a->n_spread)
            continue;
        table_column(&p->tables[i], "t", "s");
        table_column(&p->tables[i], "newton_passes_per_step", NULL);
        for (size_t k = 0; k < a->n_spread && !status; k++)
            status = table_add(&p->tables[i], (double[]){a->spread_t[k], a->spread_passes[k]}, err);
        panel_add(p->panels, (drawn){&p->tables[i], 0, 1, 0, LOOK_LINE, i});
        const double mean = mean_of(a, &most);
        const size_t used = strlen(p->words);
        snprintf(p->words + used, sizeof p->words - used,
                 "%s%.240s: %.2f iterations for a step on average, at most %.4g.", used ? " " : "", a->label,
                 mean, most);
    }
    if (!status && !p->panels->n)
        return ph_fail(err, PH_E_UNSUPPORTED, "%s: the columns step and newton_passes are not both there",
                       in->runs->file);
    return status;
}
