/* SPDX-License-Identifier: BSD-3-Clause */
/* peers.json and peers.csv: work and precision for other programs. */
#include "bench/report/file.h"
#include "report.h"

enum { FORMAT = 1 };

static const char *const quantities[PEER_QUANTITIES] = {"trajectory", "energy"};

/* ---- CSV ------------------------------------------------------------------------------------------ */

static void put_row(FILE *f, const peers *p, const peer *who, const peer_point *point, int what)
{
    const peer_run *r = &point->runs[what];
    field_text(f, p->problem->name);
    fputc(',', f);
    field_text(f, who->label);
    fprintf(f, ",%s,%s", quantities[what], who->adaptive ? "rtol" : "h");
    field_number(f, "%.17g", point->setting);
    field_number(f, "%.9g", p->horizons[what]);
    fprintf(f, ",%lld,%s", (long long)r->steps, r->steps ? ph_status_name(r->status) : "");
    field_number(f, "%.9g", r->error);
    field_number(f, "%.9g", r->cpu);
    field_number(f, "%.9g", r->least);
    fprintf(f, ",%zu\n", r->turns);
}

static void put_rows(FILE *f, const bench_run *run)
{
    const peers_report *r = (const peers_report *)run;
    for (size_t i = 0; i < run->made; i++)
        for (size_t j = 0; j < r->problems[i].n; j++)
            for (int what = 0; what < PEER_QUANTITIES; what++)
                for (size_t k = 0; k < PEER_POINTS; k++)
                    put_row(f, &r->problems[i], &r->problems[i].list[j], &r->problems[i].list[j].points[k],
                            what);
}

const bench_table peers_tables[] = {
    {"peers.csv",
     "problem,method,quantity,setting_is,setting,horizon[s],steps,status,error,cpu_time_median[s],"
     "cpu_time_least[s],turns",
     .put = put_rows},
    {.file = NULL}};

/* ---- JSON ----------------------------------------------------------------------------------------- */

static json_object *run_node(builder *b, const peer_run *r)
{
    json_object *o = build_object(b);
    build_add(b, o, "h", build_number(b, r->h));
    build_add(b, o, "steps", build_count(b, r->steps));
    build_add(b, o, "status", r->steps ? build_text(b, ph_status_name(r->status)) : NULL);
    build_add(b, o, "error", build_number(b, r->error));
    build_add(b, o, "cpu_seconds", build_number(b, r->cpu));
    build_add(b, o, "cpu_seconds_least", build_number(b, r->least));
    build_add(b, o, "turns", build_count(b, (int64_t)r->turns));
    return o;
}

static json_object *peer_node(builder *b, const peer *who)
{
    json_object *o = build_object(b), *points = build_array(b);
    build_add(b, o, "method", build_text(b, who->label));
    build_add(b, o, "setting_is", build_text(b, who->adaptive ? "rtol" : "h"));
    for (size_t k = 0; k < PEER_POINTS; k++) {
        json_object *point = build_object(b);
        build_add(b, point, "setting", build_number(b, who->points[k].setting));
        for (int what = 0; what < PEER_QUANTITIES; what++)
            build_add(b, point, quantities[what], run_node(b, &who->points[k].runs[what]));
        build_append(b, points, point);
    }
    build_add(b, o, "points", points);
    return o;
}

static json_object *problem_node(builder *b, const peers *p)
{
    json_object *o = build_object(b), *list = build_array(b);
    build_add(b, o, "name", build_text(b, p->problem->name));
    build_add(b, o, "title", build_text(b, p->problem->title));
    build_add(b, o, "scenario", build_text(b, p->problem->scenario));
    build_add(b, o, "status", build_text(b, ph_status_name(p->status)));
    build_add(b, o, "form", build_text(b, p->form));
    build_add(b, o, "truth", build_text(b, p->truth.text[0] ? p->truth.text : NULL));
    build_add(b, o, "trajectory_time", build_number(b, p->horizons[PEER_TRAJECTORY]));
    build_add(b, o, "energy_horizon", build_number(b, p->horizons[PEER_ENERGY]));
    build_add(b, o, "words", build_lines(b, peers_words(p)));
    for (size_t i = 0; i < p->n; i++)
        build_append(b, list, peer_node(b, &p->list[i]));
    build_add(b, o, "methods", list);
    return o;
}

json_object *peers_json(builder *b, const bench_run *run)
{
    const peers_report *r = (const peers_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_peers", build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < run->made; i++)
        build_append(b, list, problem_node(b, &r->problems[i]));
    build_add(b, root, "problems", list);
    return root;
}
