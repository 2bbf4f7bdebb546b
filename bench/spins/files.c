/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON and CSV files of spheres as phase space: all results, for other programs. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

enum { FORMAT = 1 };

/* ---- CSV ---------------------------------------------------------------------------------------------------------- */

static void put_name(FILE *f, const spins *s, const spins_line *l)
{
    field_text(f, s->of->name);
    fputc(',', f);
    field_text(f, l->label);
}

static void put_numbers(FILE *f, const double *numbers, size_t n)
{
    for (size_t k = 0; k < n; k++)
        field_number(f, "%.9g", numbers[k]);
}

static void put_point(FILE *f, const spins *s, const spins_line *l, const spins_point *p)
{
    const double numbers[] = {p->errors.place,  p->errors.energy, p->errors.momentum,
                              p->errors.length, p->median,        p->least};
    if (!p->steps)
        return;
    put_name(f, s, l);
    fprintf(f, ",%s", l->adaptive ? "rtol" : "h");
    field_number(f, "%.17g", p->setting);
    fprintf(f, ",%lld,%s", (long long)p->steps, ph_status_name(p->status));
    put_numbers(f, numbers, sizeof numbers / sizeof numbers[0]);
    fprintf(f, ",%zu\n", p->turns);
}

static void put_points(FILE *f, const bench_run *run)
{
    const spins_report *r = (const spins_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->results[i].n; j++)
            for (size_t k = 0; k < SPINS_POINTS; k++)
                put_point(f, &r->results[i], &r->results[i].lines[j], &r->results[i].lines[j].points[k]);
}

static void put_runs(FILE *f, const bench_run *run)
{
    const spins_report *report = (const spins_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < report->results[i].n; j++) {
            const spins_line *l = &report->results[i].lines[j];
            const spins_run *r = &l->run;
            const bool there = r->status != PH_E_UNKNOWN;
            const double cost[] = {l->time.median, l->time.ratio}, numbers[] = {r->h,
                                                                                (double)r->steps,
                                                                                r->reached,
                                                                                r->energy.most[0],
                                                                                r->energy.most[1],
                                                                                tenths_drift(&r->energy),
                                                                                r->momentum,
                                                                                r->length,
                                                                                r->cpu};
            put_name(f, &report->results[i], l);
            put_numbers(f, cost, 2);
            for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
                field_number(f, "%.9g", there ? numbers[k] : (double)NAN);
            fprintf(f, ",%s\n", there ? growth_text(spins_judge(r)) : "");
        }
}

#define POINTS                                                                                               \
    "system,method,setting_is,setting,steps,status,trajectory_error,energy_error,momentum_error,"            \
    "length_error,cpu_time_median[s],cpu_time_least[s],turns"
#define RUNS                                                                                                 \
    "system,method,step_time[ns],ratio_to_rk4,h[s],steps,reached[s],energy_error_first_tenth,"               \
    "energy_error_last_tenth,energy_drift,momentum_error,length_error,cpu[s],verdict"

const bench_table spins_csv[] = {
    {"spins.csv", POINTS, .put = put_points}, {"spins-runs.csv", RUNS, .put = put_runs}, {.file = NULL}};
const bench_table vortices_csv[] = {{"vortices.csv", POINTS, .put = put_points},
                                    {"vortices-runs.csv", RUNS, .put = put_runs},
                                    {.file = NULL}};

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static json_object *point_node(builder *b, const spins_point *p)
{
    json_object *o = build_object(b);
    build_add(b, o, "setting", build_number(b, p->setting));
    build_add(b, o, "steps", build_count(b, p->steps));
    build_add(b, o, "status", p->steps ? build_text(b, ph_status_name(p->status)) : NULL);
    build_add(b, o, "trajectory_error", build_number(b, p->errors.place));
    build_add(b, o, "energy_error", build_number(b, p->errors.energy));
    build_add(b, o, "momentum_error", build_number(b, p->errors.momentum));
    build_add(b, o, "length_error", build_number(b, p->errors.length));
    build_add(b, o, "cpu_seconds", build_number(b, p->median));
    build_add(b, o, "cpu_seconds_least", build_number(b, p->least));
    build_add(b, o, "turns", build_count(b, (int64_t)p->turns));
    return o;
}

static json_object *run_node(builder *b, const spins_run *r)
{
    json_object *o = build_object(b);
    build_add(b, o, "h", build_number(b, r->h));
    build_add(b, o, "steps", build_count(b, r->steps));
    build_add(b, o, "status", build_text(b, ph_status_name(r->status)));
    build_add(b, o, "verdict", build_text(b, growth_text(spins_judge(r))));
    build_add(b, o, "reached", build_number(b, r->reached));
    build_add(b, o, "energy_error_first_tenth", build_number(b, r->energy.most[0]));
    build_add(b, o, "energy_error_last_tenth", build_number(b, r->energy.most[1]));
    build_add(b, o, "energy_drift", build_number(b, tenths_drift(&r->energy)));
    build_add(b, o, "momentum_error", build_number(b, r->momentum));
    build_add(b, o, "length_error", build_number(b, r->length));
    build_add(b, o, "cpu_seconds", build_number(b, r->cpu));
    build_add(b, o, "t", build_curve_times(b, &r->energies));
    build_add(b, o, "energy_error", build_curve(b, &r->energies));
    return o;
}

static json_object *line_node(builder *b, const spins_line *l)
{
    json_object *o = build_object(b), *points = build_array(b);
    build_add(b, o, "method", build_text(b, l->label));
    build_add(b, o, "setting_is", build_text(b, l->adaptive ? "rtol" : "h"));
    build_add(b, o, "step", l->adaptive ? NULL : build_timing(b, &l->time));
    build_add(b, o, "stages", build_number(b, l->stages));
    for (size_t k = 0; k < SPINS_POINTS; k++)
        build_append(b, points, point_node(b, &l->points[k]));
    build_add(b, o, "points", points);
    build_add(b, o, "long_run", l->run.status == PH_E_UNKNOWN ? NULL : run_node(b, &l->run));
    return o;
}

static json_object *system_node(builder *b, const spins *s)
{
    json_object *o = build_object(b), *lines = build_array(b);
    build_add(b, o, "system", build_text(b, s->of->name));
    build_add(b, o, "words", build_text(b, s->of->words));
    build_add(b, o, "spheres", build_count(b, (int64_t)s->of->n));
    build_add(b, o, "status", build_text(b, ph_status_name(s->status)));
    build_add(b, o, "energy", build_number(b, s->energy));
    build_add(b, o, "trajectory_time", build_number(b, s->of->time));
    build_add(b, o, "step_timed_at_h", build_number(b, s->h));
    build_add(b, o, "truth", build_text(b, s->truth));
    build_add(b, o, "truth_compared_with", build_text(b, s->second));
    build_add(b, o, "truth_known_to", build_number(b, s->doubt));
    build_add(b, o, "long_steps", build_count(b, s->steps));
    build_add(b, o, "findings", build_lines(b, spins_words(s)));
    for (size_t i = 0; i < s->n; i++)
        build_append(b, lines, line_node(b, &s->lines[i]));
    build_add(b, o, "methods", lines);
    return o;
}

json_object *spins_json(builder *b, const bench_run *run)
{
    const spins_report *r = (const spins_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, r->vortices ? "polhode_bench_vortices" : "polhode_bench_spins",
              build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < run->made; i++)
        build_append(b, list, system_node(b, &r->results[i]));
    build_add(b, root, "systems", list);
    return root;
}
