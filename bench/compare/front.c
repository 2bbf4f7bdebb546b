/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of what is shown of a comparison first. */
#include "front.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Choice ---------------------------------------------------------------------------------------- */

const double front_rounding = 1e-13;

static double error_of(const trial *t)
{
    return t->status || !t->steps_done ? INFINITY : t->summary.energy_error_max;
}

static int is_verified(const comparison *c, const trial *t)
{
    return c->ladders && c->ladders[t->contender - c->contenders].verified;
}

/* Insert at its place among lines 1 to n - 1; the last one is dropped where there is no room. */
static void insert_line(front *f, const trial *t, size_t most)
{
    size_t at = f->n;
    while (at > 1 && error_of(f->lines[at - 1]) > error_of(t))
        at--;
    if (at >= most)
        return;
    if (f->n < most)
        f->n++;
    memmove(&f->lines[at + 1], &f->lines[at], (f->n - at - 1) * sizeof f->lines[0]);
    f->lines[at] = t;
}

/* Is t better than u? At the same step errors at rounding are equal, and the cheaper one is better. */
static int is_better(const front *f, const trial *t, const trial *u)
{
    if (f->basis == SAME_STEP && error_of(t) < front_rounding && error_of(u) < front_rounding &&
        isfinite(t->cpu_seconds) && isfinite(u->cpu_seconds))
        return t->cpu_seconds < u->cpu_seconds;
    return error_of(t) < error_of(u);
}

static const trial *choose_adaptive(const comparison *c)
{
    const trial *best = NULL;
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t->basis == OWN_STEPS && isfinite(error_of(t)) && (!best || error_of(t) < error_of(best)))
            best = t;
    }
    return best;
}

int front_choose(front *f, const comparison *c)
{
    const int conservative = ph_system_is_conservative(ph_scenario_system(c->scenario));
    const double group = c->problem->steps[0];
    *f = (front){.c = c,
                 .basis = c->problem->at_same_step ? SAME_STEP : SAME_CPU,
                 .error_ratio = NAN,
                 .time_ratio = NAN};
    f->yardstick = f->lines[0] = comparison_reference(c, group);
    if (!f->yardstick)
        return 0;
    f->n = 1;
    f->adaptive = choose_adaptive(c);
    for (size_t i = 0; i < c->n_trials; i++) {
        const trial *t = &c->trials[i];
        if (t == f->yardstick || t->basis != f->basis || t->group != group || !t->steps_done ||
            t->contender->details_only)
            continue;
        insert_line(f, t, FRONT_LINES - (f->adaptive != NULL));
        if (conservative && is_verified(c, t) && error_of(t) < error_of(f->yardstick) &&
            (!f->best || is_better(f, t, f->best)))
            f->best = t;
    }
    if (f->adaptive)
        f->lines[f->n++] = f->adaptive;
    if (f->best && !f->yardstick->status)
        f->error_ratio = error_of(f->yardstick) / error_of(f->best);
    if (f->best && f->adaptive)
        f->time_ratio = f->adaptive->cpu_seconds / f->best->cpu_seconds;
    return 1;
}

/* ---- Polhodes -------------------------------------------------------------------------------------- */

/* Is the length of the momentum constant? Beyond this there is a torque, or the method is useless. */
static int keeps_length(const trial *t, double tolerance)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < t->n_path; i++) {
        const double *p = &t->path[3 * i], length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        least = fmin(least, length);
        most = fmax(most, length);
    }
    return t->n_path > 1 && most - least <= tolerance * most;
}

int front_has_polhode(const front *f)
{
    return f->best && f->best->path && f->yardstick->path && keeps_length(f->best, 1e-6);
}

/* ---- Names ----------------------------------------------------------------------------------------- */

void front_name(char name[FRONT_NAME], const contender *c)
{
    static const struct {
        const char *label, *name;
    } known[] = {{"rk4", "RK4"},
                 {"rk4-projected", "projected RK4"},
                 {"arkode", "SUNDIALS arkode"},
                 {"cvode", "SUNDIALS cvode"}};
    const char *rest = strchr(c->label, ':');
    size_t n = rest ? (size_t)(rest - c->label) : strlen(c->label), at;
    at = (size_t)snprintf(name, FRONT_NAME, "%.*s", (int)n, c->label);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].label) == n && !strncmp(known[i].label, c->label, n))
            at = (size_t)snprintf(name, FRONT_NAME, "%s", known[i].name);
    for (; rest && *rest && at + 3 < FRONT_NAME; rest++) {
        if (*rest == ':')
            name[at++] = ',';
        name[at++] = *rest == ':' || *rest == '=' ? ' ' : *rest;
    }
    name[at] = '\0';
}

double front_tolerance(const contender *c)
{
    double values[CONTENDER_OPTIONS];
    if (!ph_method_options(c->method, c->settings, c->n_settings, values, NULL))
        for (size_t i = 0; i < c->method->n_options; i++)
            if (!strcmp(c->method->options[i].name, "rtol"))
                return values[i];
    return NAN;
}

void front_growth(char text[FRONT_NAME], const trial *t)
{
    const double growth = trial_growth(t);
    if (t->status == PH_E_DIVERGED || t->status == PH_E_NOT_FINITE)
        snprintf(text, FRONT_NAME, "diverged at %.3g s", t->t_end);
    else if (t->status)
        snprintf(text, FRONT_NAME, "ended at %.3g s", t->t_end);
    else if (t->summary.energy_error_max == 0)
        snprintf(text, FRONT_NAME, "zero");
    else if (t->summary.energy_error_max < front_rounding)
        snprintf(text, FRONT_NAME, "at rounding");
    else if (!isfinite(growth))
        snprintf(text, FRONT_NAME, "too short to show growth");
    else if (growth < 2)
        snprintf(text, FRONT_NAME, "flat");
    else
        snprintf(text, FRONT_NAME, "grows: last tenth %.2g x first", growth);
}
