/* SPDX-License-Identifier: BSD-3-Clause */
/* binary.json, binary.csv and binary-runs.csv: all results, for other programs. */
#include "bench/report/file.h"
#include "report.h"

enum { FORMAT = 1 };

/* ---- CSV ---------------------------------------------------------------------------------------------------------- */

static void put_name(FILE *f, const binary *b, const binary_line *l)
{
    field_text(f, b->of->name);
    fputc(',', f);
    field_text(f, l->label);
}

static void put_points(FILE *f, const bench_run *run)
{
    const binary_report *r = (const binary_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->results[i].n; j++)
            for (size_t k = 0; k < BINARY_POINTS; k++) {
                const binary_line *l = &r->results[i].lines[j];
                const binary_point *p = &l->points[k];
                if (!p->steps)
                    continue;
                put_name(f, &r->results[i], l);
                fprintf(f, ",%s", l->adaptive ? "rtol" : "h");
                field_number(f, "%.17g", p->setting);
                fprintf(f, ",%lld,%s", (long long)p->steps, ph_status_name(p->status));
                field_number(f, "%.9g", p->place);
                field_number(f, "%.9g", p->turn);
                field_number(f, "%.9g", p->cpu);
                field_number(f, "%.9g", p->least);
                fprintf(f, ",%zu\n", p->turns);
            }
}

static void put_runs(FILE *f, const bench_run *run)
{
    const binary_report *r = (const binary_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->results[i].n; j++) {
            const binary_line *l = &r->results[i].lines[j];
            const double figures[] = {l->time.median, l->time.ratio, l->run.h,     l->run.reached,
                                      l->run.first,   l->run.last,   l->run.drift, l->run.place,
                                      l->run.turn,    l->run.cpu};
            put_name(f, &r->results[i], l);
            for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
                field_number(f, "%.9g", l->run.status == PH_E_UNKNOWN && k > 1 ? (double)NAN : figures[k]);
            fprintf(f, ",%s\n", l->run.status == PH_E_UNKNOWN ? "" : growth_text(binary_judge(&l->run)));
        }
}

const bench_table binary_csv[] = {
    {"binary.csv",
     "system,method,setting_is,setting,steps,status,place_error[m],attitude_error[rad],cpu_time_median[s],"
     "cpu_time_least[s],turns",
     .put = put_points},
    {"binary-runs.csv",
     "system,method,step_time[ns],ratio_to_rk4,h[s],reached[s],energy_error_first_tenth,"
     "energy_error_last_tenth,energy_drift,place_error[m],attitude_error[rad],cpu[s],verdict",
     .put = put_runs},
    {.file = NULL}};

/* ---- JSON --------------------------------------------------------------------------------------------------------- */

static json_object *point_node(builder *b, const binary_point *p)
{
    json_object *o = build_object(b);
    build_add(b, o, "setting", build_number(b, p->setting));
    build_add(b, o, "steps", build_count(b, p->steps));
    build_add(b, o, "status", p->steps ? build_text(b, ph_status_name(p->status)) : NULL);
    build_add(b, o, "place_error", build_number(b, p->place));
    build_add(b, o, "attitude_error", build_number(b, p->turn));
    build_add(b, o, "cpu_seconds", build_number(b, p->cpu));
    build_add(b, o, "cpu_seconds_least", build_number(b, p->least));
    build_add(b, o, "turns", build_count(b, (int64_t)p->turns));
    return o;
}

static json_object *run_node(builder *b, const binary_run *r)
{
    json_object *o = build_object(b);
    build_add(b, o, "h", build_number(b, r->h));
    build_add(b, o, "status", build_text(b, ph_status_name(r->status)));
    build_add(b, o, "verdict", build_text(b, growth_text(binary_judge(r))));
    build_add(b, o, "reached", build_number(b, r->reached));
    build_add(b, o, "energy_error_first_tenth", build_number(b, r->first));
    build_add(b, o, "energy_error_last_tenth", build_number(b, r->last));
    build_add(b, o, "energy_drift", build_number(b, r->drift));
    build_add(b, o, "place_error", build_number(b, r->place));
    build_add(b, o, "attitude_error", build_number(b, r->turn));
    build_add(b, o, "cpu_seconds", build_number(b, r->cpu));
    build_add(b, o, "t", build_curve_times(b, &r->energy));
    build_add(b, o, "energy_error", build_curve(b, &r->energy));
    build_add(b, o, "place_error_of_t", build_curve(b, &r->distance));
    return o;
}

static json_object *line_node(builder *b, const binary_line *l)
{
    json_object *o = build_object(b), *points = build_array(b);
    build_add(b, o, "method", build_text(b, l->label));
    build_add(b, o, "setting_is", build_text(b, l->adaptive ? "rtol" : "h"));
    build_add(b, o, "step", l->adaptive ? NULL : build_timing(b, &l->time));
    build_add(b, o, "step_timed_at_h", l->adaptive ? NULL : build_number(b, l->h));
    for (size_t k = 0; k < BINARY_POINTS; k++)
        build_append(b, points, point_node(b, &l->points[k]));
    build_add(b, o, "points", points);
    build_add(b, o, "long_run", l->run.status == PH_E_UNKNOWN ? NULL : run_node(b, &l->run));
    return o;
}

static json_object *system_node(builder *b, const binary *s)
{
    json_object *o = build_object(b), *lines = build_array(b);
    build_add(b, o, "system", build_text(b, s->of->name));
    build_add(b, o, "words", build_text(b, s->of->words));
    build_add(b, o, "order", build_count(b, (int64_t)s->order));
    build_add(b, o, "status", build_text(b, ph_status_name(s->status)));
    build_add(b, o, "fastest_rate", build_number(b, s->rate));
    build_add(b, o, "potential_energy", build_number(b, s->potential));
    build_add(b, o, "trajectory_time", build_number(b, s->day));
    build_add(b, o, "long_time", build_number(b, s->time));
    build_add(b, o, "truth_known_to", build_number(b, s->doubt.place));
    build_add(b, o, "truth_known_to_rad", build_number(b, s->doubt.turn));
    build_add(b, o, "long_truth_known_to", s->time > 0 ? build_number(b, s->long_doubt.place) : NULL);
    build_add(b, o, "findings", build_lines(b, binary_words(s)));
    for (size_t i = 0; i < s->n; i++)
        build_append(b, lines, line_node(b, &s->lines[i]));
    build_add(b, o, "methods", lines);
    return o;
}

json_object *binary_json(builder *b, const bench_run *run)
{
    const binary_report *r = (const binary_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_binary", build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < run->made; i++)
        build_append(b, list, system_node(b, &r->results[i]));
    build_add(b, root, "systems", list);
    return root;
}
