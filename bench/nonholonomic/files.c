/* SPDX-License-Identifier: BSD-3-Clause */
/* nonholonomic.json and nonholonomic.csv: all results, for other programs. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

enum { FORMAT = 1 };

static void put_rows(FILE *f, const bench_run *run)
{
    const nonholonomic_report *report = (const nonholonomic_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < report->results[i].n; j++) {
            const nonholonomic_line *l = &report->results[i].lines[j];
            const double figures[] = {l->h, l->reached, l->first, l->last, l->drift, l->constraint, l->cpu};
            if (l->status == PH_E_UNKNOWN)
                continue;
            field_text(f, report->results[i].of->name);
            fputc(',', f);
            field_text(f, l->label);
            for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
                field_number(f, "%.9g", figures[k]);
            fprintf(f, ",%s\n", growth_text(nonholonomic_judge(l)));
        }
}

const bench_table nonholonomic_tables[] = {
    {"nonholonomic.csv",
     "system,method,h[s],reached[s],energy_error_first_tenth,energy_error_last_tenth,energy_drift,"
     "constraint_error,cpu[s],verdict",
     put_rows},
    {NULL, NULL, NULL}};

static json_object *line_node(builder *b, const nonholonomic_line *l)
{
    json_object *o = build_object(b);
    build_add(b, o, "method", build_text(b, l->label));
    build_add(b, o, "verdict", build_text(b, growth_text(nonholonomic_judge(l))));
    build_add(b, o, "status", build_text(b, ph_status_name(l->status)));
    build_add(b, o, "h", build_number(b, l->h));
    build_add(b, o, "reached", build_number(b, l->reached));
    build_add(b, o, "energy_error_first_tenth", build_number(b, l->first));
    build_add(b, o, "energy_error_last_tenth", build_number(b, l->last));
    build_add(b, o, "energy_drift", build_number(b, l->drift));
    build_add(b, o, "constraint_error", build_number(b, l->constraint));
    build_add(b, o, "cpu_seconds", build_number(b, l->cpu));
    build_add(b, o, "t", build_curve_times(b, &l->energy));
    build_add(b, o, "energy_error", build_curve(b, &l->energy));
    return o;
}

json_object *nonholonomic_json(builder *b, const bench_run *run)
{
    const nonholonomic_report *report = (const nonholonomic_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_nonholonomic", build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    build_add(b, root, "stages", build_count(b, report->steps));
    for (size_t i = 0; i < run->made; i++) {
        const nonholonomic *r = &report->results[i];
        json_object *o = build_object(b), *lines = build_array(b);
        build_add(b, o, "system", build_text(b, r->of->name));
        build_add(b, o, "words", build_text(b, r->of->words));
        build_add(b, o, "time", build_number(b, r->time));
        build_add(b, o, "energy", build_number(b, r->energy));
        build_add(b, o, "findings", build_lines(b, nonholonomic_words(r)));
        for (size_t j = 0; j < r->n; j++)
            if (r->lines[j].status != PH_E_UNKNOWN)
                build_append(b, lines, line_node(b, &r->lines[j]));
        build_add(b, o, "methods", lines);
        build_append(b, list, o);
    }
    build_add(b, root, "systems", list);
    return root;
}
