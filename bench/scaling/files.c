/* SPDX-License-Identifier: BSD-3-Clause */
/* scaling.json and scaling.csv: all results of a sweep over sizes, for other programs. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>

enum { FORMAT = 1 };

/* ---- CSV ------------------------------------------------------------------------------------------ */

static void put_row(FILE *f, const scaling *s, const scaling_line *l, size_t k)
{
    const scaling_point *p = &l->points[k];
    const timing *t = &p->time;
    double n = (double)s->parts[k];
    const double figures[] = {t->median, t->low,       t->high,       t->least, t->median / n,
                              t->ratio,  t->ratio_low, t->ratio_high, p->setup};
    field_text(f, s->family.model->name);
    fputc(',', f);
    field_text(f, l->contender->label);
    fprintf(f, ",%zu", s->sizes[k]);
    field_number(f, "%.17g", s->steps[k]);
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        field_number(f, "%.9g", figures[i]);
    fprintf(f, ",%zu,%zu,%zu", t->rounds, t->quiet, p->bytes);
    field_number(f, "%.9g", (double)p->bytes / n);
    fputc('\n', f);
}

static void put_rows(FILE *f, const bench_run *run)
{
    const scaling_report *r = (const scaling_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->sweeps[i].n_lines; j++)
            for (size_t k = 0; k < r->sweeps[i].reached; k++)
                if (scaling_has(&r->sweeps[i].lines[j], k))
                    put_row(f, &r->sweeps[i], &r->sweeps[i].lines[j], k);
}

const bench_table scaling_tables[] = {
    {"scaling.csv",
     "model,method,n,h[s],step_time_median[ns],step_time_lower_quartile[ns],step_time_upper_quartile[ns],"
     "step_time_least[ns],time_per_part[ns],time_ratio,time_ratio_low,time_ratio_high,setup[s],turns,"
     "quiet_turns,bytes,bytes_per_part",
     .put = put_rows},
    {.file = NULL}};

/* ---- JSON ----------------------------------------------------------------------------------------- */

static json_object *point_node(builder *b, const scaling *s, const scaling_line *l, size_t k)
{
    const scaling_point *p = &l->points[k];
    json_object *o = build_object(b);
    build_add(b, o, "n", build_count(b, (int64_t)s->sizes[k]));
    build_add(b, o, "h", build_number(b, s->steps[k]));
    build_add(b, o, "ns_per_part_and_step", build_number(b, scaling_per_part(s, l, k)));
    build_add(b, o, "bytes", build_count(b, (int64_t)p->bytes));
    build_add(b, o, "setup_seconds", build_number(b, p->setup));
    build_add(b, o, "timing", build_timing(b, &p->time));
    return o;
}

static json_object *line_node(builder *b, const scaling *s, const scaling_line *l)
{
    json_object *o = build_object(b), *points = build_array(b);
    build_add(b, o, "method", build_text(b, l->contender->label));
    build_add(b, o, "slope", build_number(b, l->slope));
    build_add(b, o, "left_out_from",
              l->gone < s->n_sizes ? build_count(b, (int64_t)s->sizes[l->gone]) : NULL);
    build_add(b, o, "reason", l->reason[0] ? build_text(b, l->reason) : NULL);
    for (size_t k = 0; k < s->reached; k++)
        if (scaling_has(l, k))
            build_append(b, points, point_node(b, s, l, k));
    build_add(b, o, "points", points);
    return o;
}

static json_object *sweep_node(builder *b, const scaling *s)
{
    json_object *o = build_object(b), *lines = build_array(b), *sizes = build_array(b);
    build_add(b, o, "model", build_text(b, s->family.model->name));
    build_add(b, o, "count", build_text(b, s->family.count->name));
    build_add(b, o, "preset", build_text(b, s->family.preset->name));
    build_add(b, o, "tilted", build_flag(b, s->family.tilted));
    build_add(b, o, "status", build_text(b, ph_status_name(s->status)));
    build_add(b, o, "ended", s->ended[0] ? build_text(b, s->ended) : NULL);
    for (size_t k = 0; k < s->reached; k++)
        build_append(b, sizes, build_count(b, (int64_t)s->sizes[k]));
    build_add(b, o, "sizes", build_on_one_line(b, sizes));
    build_add(b, o, "reference", build_text(b, s->lines[s->reference].contender->label));
    build_add(b, o, "words", build_lines(b, scaling_words(s)));
    for (size_t i = 0; i < s->n_lines; i++)
        build_append(b, lines, line_node(b, s, &s->lines[i]));
    build_add(b, o, "contenders", lines);
    return o;
}

json_object *scaling_json(builder *b, const bench_run *run)
{
    const scaling_report *r = (const scaling_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_scaling", build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < run->made; i++)
        build_append(b, list, sweep_node(b, &r->sweeps[i]));
    build_add(b, root, "sweeps", list);
    return root;
}
