/* SPDX-License-Identifier: BSD-3-Clause */
/* roundoff.json: every error of every member at every point, to the digits that are kept, so that everything
 * else can be made from it again; roundoff.csv: the moments over the members. */
#include "bench/report/file.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

enum { FORMAT = 1 };

void roundoff_report_free(roundoff_report *r)
{
    for (size_t i = 0; i < r->n; i++)
        roundoff_free(&r->ensembles[i]);
    free(r->ensembles);
    r->ensembles = NULL;
    r->n = 0;
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

/* A number with the digits that are kept. */
static json_object *brief(builder *b, double value)
{
    char text[32];
    if (!isfinite(value))
        return NULL;
    snprintf(text, sizeof text, "%.4e", value);
    json_object *node = json_object_new_double_s(value, text);
    b->failed |= !node;
    return node;
}

static json_object *list_node(builder *b, const double *values, size_t n)
{
    json_object *list = build_array(b);
    for (size_t i = 0; i < n; i++)
        build_append(b, list, brief(b, values[i]));
    return build_on_one_line(b, list);
}

static json_object *series_node(builder *b, const roundoff *r, const roundoff_series *s)
{
    const roundoff_finding f = roundoff_find_growth(r, s);
    json_object *o = build_object(b), *points = build_array(b);
    build_add(b, o, "name", build_text(b, s->name));
    build_add(b, o, "verdict", build_text(b, roundoff_word(f.verdict)));
    build_add(b, o, "slope", brief(b, f.slope));
    build_add(b, o, "slope_standard_error", brief(b, f.slope_error));
    build_add(b, o, "slope_from", build_number(b, f.from));
    build_add(b, o, "rms_at_end", brief(b, f.end.rms));
    build_add(b, o, "mean_at_end", brief(b, f.end.mean));
    build_add(b, o, "mean_standard_error", brief(b, f.end.error));
    for (size_t j = 0; j < r->points; j++)
        build_append(b, points, list_node(b, s->errors + j * r->members, r->members));
    build_add(b, o, "errors", points);
    return o;
}

static json_object *ensemble_node(builder *b, const roundoff *r)
{
    json_object *o = build_object(b), *list = build_array(b), *steps = build_array(b);
    build_add(b, o, "name", build_text(b, r->name));
    build_add(b, o, "title", build_text(b, r->title));
    build_add(b, o, "method", build_text(b, r->method));
    build_add(b, o, "h", build_number(b, r->h));
    build_add(b, o, "stages", build_count(b, r->stages));
    build_add(b, o, "members", build_count(b, (int64_t)r->members));
    build_add(b, o, "cpu_seconds", build_number(b, round(r->cpu_seconds)));
    build_add(b, o, "words", build_lines(b, roundoff_words(r)));
    for (size_t j = 0; j < r->points; j++)
        build_append(b, steps, build_count(b, (int64_t)r->steps[j]));
    build_add(b, o, "steps", build_on_one_line(b, steps));
    build_add(b, o, "largest_constraint_error", list_node(b, r->largest_constraint, r->members));
    for (size_t i = 0; i < r->quantities; i++)
        build_append(b, list, series_node(b, r, &r->series[i]));
    build_add(b, o, "quantities", list);
    return o;
}

json_object *roundoff_json(builder *b, const bench_run *run)
{
    const roundoff_report *r = (const roundoff_report *)run;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_roundoff", build_count(b, FORMAT));
    build_add(b, root, "command", build_text(b, r->command));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < r->n; i++)
        build_append(b, list, ensemble_node(b, &r->ensembles[i]));
    build_add(b, root, "ensembles", list);
    return root;
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

static void put_series(FILE *f, const roundoff *r, const roundoff_series *s)
{
    for (size_t j = 0; j < r->points; j++) {
        const roundoff_moments m = roundoff_at(r, s, j);
        const double numbers[] = {m.rms, m.mean, m.error, m.error > 0 ? m.mean / m.error : (double)NAN,
                                  m.largest};
        if (!m.n)
            continue;
        field_text(f, r->name);
        fputc(',', f);
        field_text(f, s->name);
        fprintf(f, ",%.0f,%zu", r->steps[j], m.n);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
            field_number(f, "%.5g", numbers[i]);
        fputc('\n', f);
    }
}

static void put_rows(FILE *f, const bench_run *run)
{
    const roundoff_report *r = (const roundoff_report *)run;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->ensembles[i].quantities; k++)
            put_series(f, &r->ensembles[i], &r->ensembles[i].series[k]);
}

const bench_table roundoff_tables[] = {
    {"roundoff.csv",
     "ensemble,quantity,steps,members,rms,mean,standard_error,mean_over_standard_error,largest",
     .put = put_rows},
    {.file = NULL}};
