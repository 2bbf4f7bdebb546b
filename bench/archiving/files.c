/* SPDX-License-Identifier: BSD-3-Clause */
/* What archiving costs: the table for the terminal, and archive-costs.json. */
#include "report.h"

#include <math.h>

enum { FORMAT = 1 };

void archiving_table(FILE *out, const archiving *a)
{
    fprintf(out, "%-26s %5s %8s %8s %12s %12s %9s %20s %12s %8s\n", "", "every", "numbers", "rows",
            "ns a step", "with rows", "ns a row", "cost, its quartiles", "of least", "bytes a");
    fprintf(out, "%-26s %5s %8s %8s %12s %12s %9s %20s %12s %8s\n", "run", "", "in a row", "", "", "", "", "",
            "", "number");
    for (size_t i = 0; i < a->n; i++) {
        const archiving_case *c = &a->cases[i];
        fprintf(out, "%-26s %5lld %8zu %8lld %12.1f %12.1f %9.0f %5.1f%% (%5.1f to %5.1f) %8.1f%% %8.3f\n",
                c->name, (long long)c->every, c->numbers, (long long)c->rows, c->without, c->with, c->row,
                100 * c->cost, 100 * c->cost_low, 100 * c->cost_high, 100 * c->cost_least,
                c->bytes_per_number);
    }
}

static json_object *case_node(builder *b, const archiving_case *c)
{
    json_object *o = build_object(b);
    build_add(b, o, "run", build_text(b, c->name));
    build_add(b, o, "method", build_text(b, "variational"));
    build_add(b, o, "every", build_count(b, c->every));
    build_add(b, o, "numbers_in_a_row", build_count(b, (int64_t)c->numbers));
    build_add(b, o, "h", build_number(b, c->h));
    build_add(b, o, "steps", build_count(b, c->steps));
    build_add(b, o, "rows", build_count(b, c->rows));
    build_add(b, o, "rounds", build_count(b, (int64_t)c->rounds));
    build_add(b, o, "ns_per_step", build_number(b, c->without));
    build_add(b, o, "ns_per_step_with_rows", build_number(b, c->with));
    build_add(b, o, "ns_per_row", build_number(b, c->row));
    build_add(b, o, "cost", build_number(b, c->cost));
    build_add(b, o, "cost_lower_quartile", build_number(b, c->cost_low));
    build_add(b, o, "cost_upper_quartile", build_number(b, c->cost_high));
    build_add(b, o, "cost_of_least", build_number(b, c->cost_least));
    build_add(b, o, "bytes", build_count(b, c->bytes));
    build_add(b, o, "bytes_per_number", build_number(b, c->bytes_per_number));
    return o;
}

json_object *archiving_json(builder *b, const bench_run *run)
{
    const archiving *a = &((const archiving_report *)run)->costs;
    json_object *root = build_object(b), *list = build_array(b);
    build_add(b, root, "polhode_bench_archive", build_count(b, FORMAT));
    build_surroundings(b, root, &run->where);
    for (size_t i = 0; i < a->n; i++)
        build_append(b, list, case_node(b, &a->cases[i]));
    build_add(b, root, "runs", list);
    return root;
}
