/* SPDX-License-Identifier: BSD-3-Clause */
/* results.csv, work-precision.csv and curves.csv: a row for a long trial, for a run of a ladder, for a point
 * of a curve. What was not measured is an empty field; texts are quoted as in RFC 4180. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

/* ---- Fields -------------------------------------------------------------------------------------- */

static void put_figures(FILE *f, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        field_number(f, "%.9g", values[i]);
}

static void put_names(FILE *f, const comparison *c, const contender *who)
{
    field_text(f, c->problem->name);
    fputc(',', f);
    field_text(f, who->label);
}

/* ---- Long trials --------------------------------------------------------------------------------- */

static const char *basis_name(trial_basis basis)
{
    return basis == SAME_CPU ? "same-cpu" : basis == OWN_STEPS ? "own-steps" : "same-step";
}

static void put_trial(FILE *f, const comparison *c, const trial *t)
{
    /* the summary of a trial that was never begun has zeros that were not measured */
    const double none = t->steps_done ? 0 : (double)NAN;
    const ph_summary *s = &t->summary;
    const double kept[] = {s->energy_error_max + none,
                           s->energy_error_max_first_tenth + none,
                           s->energy_error_max_last_tenth + none,
                           trial_growth(t) + none,
                           s->momentum_error_max + none,
                           s->constraint_error_max + none};
    const double cost[] = {t->time.median,    t->time.low,        t->time.high,   t->time.ratio,
                           t->time.ratio_low, t->time.ratio_high, t->cpu_seconds, t->passes + none};
    put_names(f, c, t->contender);
    fprintf(f, ",%s", basis_name(t->basis));
    field_number(f, "%.17g", t->group);
    field_number(f, "%.17g", t->h);
    fprintf(f, ",%lld,%lld", (long long)t->steps, (long long)t->steps_done);
    field_number(f, "%.9g", t->t_end);
    fprintf(f, ",%s", ph_status_name(t->status));
    field_number(f, "%.9g", t->status == PH_E_DIVERGED ? t->t_end : (double)NAN);
    put_figures(f, kept, sizeof kept / sizeof kept[0]);
    put_figures(f, cost, sizeof cost / sizeof cost[0]);
    fputc('\n', f);
}

static void put_trials(FILE *f, const bench_run *run)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->comparisons[i].n_trials; j++)
            put_trial(f, &r->comparisons[i], &r->comparisons[i].trials[j]);
}

/* ---- Ladders ------------------------------------------------------------------------------------- */

static void put_rung(FILE *f, const comparison *c, const ladder *l, const rung *g)
{
    const double figures[] = {g->trajectory_error, g->energy_error, g->time.median, g->cpu_seconds, l->order};
    put_names(f, c, l->contender);
    field_number(f, "%.17g", g->h);
    fprintf(f, ",%lld,%s", (long long)g->steps, ph_status_name(g->status));
    put_figures(f, figures, sizeof figures / sizeof figures[0]);
    fprintf(f, ",%d,%s\n", l->claimed, l->verified ? "yes" : "no");
}

static void put_ladders(FILE *f, const bench_run *run)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++) {
        const comparison *c = &r->comparisons[i];
        for (size_t j = 0; c->ladders && j < c->n_contenders; j++)
            for (size_t k = 0; c->ladders[j].contender && k < LADDER_STEPS; k++)
                if (c->ladders[j].rungs[k].steps)
                    put_rung(f, c, &c->ladders[j], &c->ladders[j].rungs[k]);
    }
}

/* ---- Curves -------------------------------------------------------------------------------------- */

static void put_curves_of(FILE *f, const comparison *c, const trial *t)
{
    for (size_t i = 0; i < t->energy.n; i++) {
        const double values[] = {curve_bin(&t->energy, i), curve_bin(&t->constraint, i),
                                 curve_bin(&t->momentum, i)};
        if (isnan(values[0]) && isnan(values[1]) && isnan(values[2]))
            continue; /* no output fell into this bin */
        put_names(f, c, t->contender);
        fprintf(f, ",%s", basis_name(t->basis));
        field_number(f, "%.17g", t->group);
        field_number(f, "%.17g", t->h);
        field_number(f, "%.9g", curve_time(&t->energy, i));
        put_figures(f, values, sizeof values / sizeof values[0]);
        fputc('\n', f);
    }
}

static void put_curves(FILE *f, const bench_run *run)
{
    const report *r = (const report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->comparisons[i].n_trials; j++)
            put_curves_of(f, &r->comparisons[i], &r->comparisons[i].trials[j]);
}

/* ---- Files --------------------------------------------------------------------------------------- */

const bench_table report_tables[] = {
    {"results.csv",
     "problem,method,basis,group[s],h[s],steps,steps_done,t_end[s],status,diverged_at[s],"
     "energy_error_max,energy_error_max_first_tenth,energy_error_max_last_tenth,growth,"
     "momentum_error_max,constraint_error_max,step_time_median[ns],step_time_lower_quartile[ns],"
     "step_time_upper_quartile[ns],time_ratio,time_ratio_low,time_ratio_high,cpu_time[s],"
     "newton_passes_per_step",
     .put = put_trials},
    {"work-precision.csv",
     "problem,method,h[s],steps,status,trajectory_error,energy_error,step_time_median[ns],"
     "cpu_time[s],order_measured,order_claimed,verified",
     .put = put_ladders},
    {"curves.csv", "problem,method,basis,group[s],h[s],t[s],energy_error,constraint_error,momentum_error",
     .put = put_curves},
    {.file = NULL}};
