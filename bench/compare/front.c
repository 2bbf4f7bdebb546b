/* SPDX-License-Identifier: BSD-3-Clause */
/* What is shown of a comparison first: its choice, the headline with its two numbers, the sentence below it, and the small table of the
 * terminal. */
#include "front.h"
#include "bench/report/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- The headline ----------------------------------------------------------------------------------- */

/* Two digits, as one writes them: 150 000, 28, 1.3, 5e+12. */
static void put_times(FILE *out, double ratio)
{
    if (ratio >= 1e7) {
        fprintf(out, "%.0e", ratio);
        return;
    }
    const double unit = ratio < 10 ? 0.1 : pow(10, floor(log10(ratio)) - 1);
    const double rounded = unit * floor(ratio / unit + 0.5);
    if (rounded < 10)
        fprintf(out, "%.1f", rounded);
    else if (rounded < 1000)
        fprintf(out, "%.0f", rounded);
    else if (rounded < 1e6)
        fprintf(out, "%.0f %03.0f", floor(rounded / 1000), fmod(rounded, 1000));
    else
        fprintf(out, "%.1f million", rounded / 1e6);
}

/* What the lines have in common. */
static void put_basis(FILE *out, const front *f)
{
    if (f->basis == SAME_STEP)
        fprintf(out, "at the same step of %.4g s", fabs(f->yardstick->h));
    else
        fputs("at the same CPU time", out);
}

/* What an adaptive method takes, compared with the best one. */
static void say_adaptive(FILE *out, const front *f)
{
    char name[FRONT_NAME];
    const double error = f->adaptive->summary.energy_error_max / f->best->summary.energy_error_max;
    if (!isfinite(f->time_ratio) || !(f->time_ratio > 0))
        return;
    front_name(name, f->adaptive->contender);
    if (error >= 0.8 && f->time_ratio >= 1.05) {
        fprintf(out, ", and %s %s in 1/", error > 1.25 ? "less than" : "as little as", name);
        put_times(out, f->time_ratio);
        fputs(" of its time", out);
        return;
    }
    fprintf(out, "; %s has ", name);
    put_times(out, error >= 1 ? error : 1 / error);
    fprintf(out, " times %s error in ", error >= 1 ? "the" : "less");
    put_times(out, f->time_ratio);
    fputs(" times the time", out);
}

/* With forces, whose energy changes: the cheapest way to the best trajectory that the reference reaches. */
static void say_trajectory(FILE *out, const front *f)
{
    const comparison *c = f->c;
    const ladder *reference = &c->ladders[c->reference], *best = reference;
    size_t level = COST_LEVELS;
    while (level > 0 && !isfinite(cost_of(reference, COST_TRAJECTORY, cost_levels[level - 1])))
        level--;
    fputs("With forces, which change the energy", out);
    if (!level || !reference->contender) {
        fputs(", methods are compared by their trajectories: see the report", out);
        return;
    }
    const double error = cost_levels[level - 1], measure = cost_of(reference, COST_TRAJECTORY, error);
    for (size_t i = 0; i < c->n_contenders; i++) {
        const ladder *l = &c->ladders[i];
        if (l->contender && l->verified && !l->contender->details_only &&
            cost_of(l, COST_TRAJECTORY, error) < cost_of(best, COST_TRAJECTORY, error))
            best = l;
    }
    char name[FRONT_NAME], other[FRONT_NAME];
    front_name(name, best->contender);
    front_name(other, reference->contender);
    if (best == reference) {
        fprintf(out, ": no method here has a trajectory error of %.0e after %.3g s in less CPU time than %s",
                error, c->truth.time, other);
        return;
    }
    fprintf(out, ": %s has a trajectory error of %.0e after %.3g s in 1/", name, error, c->truth.time);
    put_times(out, measure / cost_of(best, COST_TRAJECTORY, error));
    fprintf(out, " of the CPU time of %s", other);
}

static void write_headline(FILE *out, const void *self)
{
    const front *f = self;
    char yardstick[FRONT_NAME], best[FRONT_NAME];
    front_name(yardstick, f->yardstick->contender);
    if (!ph_system_is_conservative(ph_scenario_system(f->c->scenario))) {
        say_trajectory(out, f);
        return;
    }
    if (!f->best) {
        fprintf(out, "No method here has a smaller energy error than %s ", yardstick);
        put_basis(out, f);
        return;
    }
    front_name(best, f->best->contender);
    if (f->yardstick->status) {
        fprintf(out, "%s runs to the end with an energy error of %.1e; %s, ", best,
                f->best->summary.energy_error_max, yardstick);
        put_basis(out, f);
        fputs(", does not", out);
    } else if (f->best->summary.energy_error_max < front_rounding && f->error_ratio > 1e3) {
        fprintf(out, "Energy error at rounding (%.1e), where %s has %.1e ", f->best->summary.energy_error_max,
                yardstick, f->yardstick->summary.energy_error_max);
        put_basis(out, f);
    } else {
        put_times(out, f->error_ratio);
        fprintf(out, " times less energy error than %s ", yardstick);
        put_basis(out, f);
    }
    if (f->adaptive)
        say_adaptive(out, f);
}

static void write_subline(FILE *out, const void *self)
{
    const front *f = self;
    for (size_t i = 0; i < 2; i++) {
        const trial *t = i ? f->yardstick : f->best;
        char name[FRONT_NAME], growth[FRONT_NAME];
        if (!t)
            continue;
        front_name(name, t->contender);
        front_growth(growth, t);
        fprintf(out, "%s: %.1e, %s. ", name, t->summary.energy_error_max, growth);
    }
    if (f->basis == SAME_STEP && f->best && isfinite(f->best->cpu_seconds + f->yardstick->cpu_seconds))
        fprintf(out, "They take %.2g s and %.2g s of CPU time for %g s of motion.", f->best->cpu_seconds,
                f->yardstick->cpu_seconds, f->c->problem->horizon);
    else if (f->basis == SAME_CPU && isfinite(f->yardstick->cpu_seconds))
        fprintf(out, "Each takes %.2g s of CPU time for %g s of motion.", f->yardstick->cpu_seconds,
                f->c->problem->horizon);
}

static void put_cell(FILE *out, const char *format, double value)
{
    char text[16] = "-";
    if (isfinite(value))
        snprintf(text, sizeof text, format, value);
    fprintf(out, " %9s", text);
}

static void write_table(FILE *out, const void *self)
{
    const front *f = self;
    fprintf(out, "  %-24s %9s %9s %9s %9s %9s  energy %s\n", "", "h [s]", "CPU [s]", "energy", "momentum",
            "manifold", ph_system_is_conservative(ph_scenario_system(f->c->scenario)) ? "error" : "change");
    for (size_t i = 0; i < f->n; i++) {
        const trial *t = f->lines[i];
        char name[FRONT_NAME], growth[FRONT_NAME];
        front_name(name, t->contender);
        front_growth(growth, t);
        fprintf(out, "  %-24s", name);
        put_cell(out, "%.3g", t->basis == OWN_STEPS ? (double)NAN : fabs(t->h));
        put_cell(out, "%.2g", t->cpu_seconds);
        put_cell(out, "%.1e", t->summary.energy_error_max);
        put_cell(out, "%.1e", t->summary.momentum_error_max);
        put_cell(out, "%.1e", t->summary.constraint_error_max);
        fprintf(out, "  %s\n", growth);
    }
}

char *front_headline(const front *f)
{
    return report_text(write_headline, f);
}

char *front_subline(const front *f)
{
    return report_text(write_subline, f);
}

char *front_table(const front *f)
{
    return report_text(write_table, f);
}
