/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of the results: nonholonomic.json, nonholonomic.csv, the tables for the terminal and of the page. */
#include "report.h"

#include <stdlib.h>

static bool was_run(const void *row)
{
    return ((const nonholonomic_line *)row)->status != PH_E_UNKNOWN;
}

static result_value judge(const void *row)
{
    return value_word(growth_text(nonholonomic_judge(row)));
}

static json_object *find(builder *b, const void *row)
{
    return build_lines(b, nonholonomic_words(row));
}

#define LINE(type, member) RESULT_AT(type, nonholonomic_line, member)
#define SYSTEM(type, member) RESULT_AT(type, nonholonomic, member)
#define CASE(member) RESULT_VIA(WORD, nonholonomic, of, nonholonomic_case, member)
static const result_field line_fields[] = {{"method", LINE(WORD, label)},
                                           {"verdict", RESULT_MADE, .value = judge},
                                           {"status", LINE(STATUS, status)},
                                           {"h", LINE(NUMBER, h)},
                                           {"reached", LINE(NUMBER, reached)},
                                           {"energy_error_first_tenth", LINE(NUMBER, first)},
                                           {"energy_error_last_tenth", LINE(NUMBER, last)},
                                           {"energy_drift", LINE(NUMBER, drift)},
                                           {"constraint_error", LINE(NUMBER, constraint)},
                                           {"cpu_seconds", LINE(NUMBER, cpu), .csv = "cpu"},
                                           {"t", LINE(TIMES, energy)},
                                           {"energy_error", LINE(CURVE, energy)},
                                           {.name = NULL}};
static const result_rows lines = {line_fields, RESULT_SOME(nonholonomic, lines, n), .has = was_run};

static const result_field system_fields[] = {{"system", CASE(name)},
                                             {"words", CASE(words)},
                                             {"time", SYSTEM(NUMBER, time)},
                                             {"energy", SYSTEM(NUMBER, energy)},
                                             {"findings", RESULT_NODE, .node = find},
                                             {"methods", RESULT_ROWS, .rows = &lines},
                                             {.name = NULL}};
static const result_rows systems = {system_fields, RESULT_LIST(nonholonomic_report, results, run.made)};
const result_field nonholonomic_results[] = {{"stages", RESULT_AT(WHOLE, nonholonomic_report, steps)},
                                             {"systems", RESULT_ROWS, .rows = &systems},
                                             {.name = NULL}};
const bench_table nonholonomic_tables[] = {
    {"nonholonomic.csv",
     "system,method,h[s],reached[s],energy_error_first_tenth,energy_error_last_tenth,energy_drift,"
     "constraint_error,cpu[s],verdict",
     .path = {&systems, &lines}},
    {.file = NULL}};

static const result_rows *const path[] = {&lines, NULL};

static void put_reached(FILE *out, const void *row)
{
    const nonholonomic_line *l = row;
    if (nonholonomic_judge(l) == GROWTH_FAILED)
        fprintf(out, " at t = %.6g s: %s", l->reached, ph_status_text(l->status));
}

void nonholonomic_table(FILE *out, const nonholonomic *r)
{
    static const result_column columns[] = {{"method", "method", .format = "%-52s"},
                                            {"h", "step [s]", .format = "%9.4g"},
                                            {"energy_error_first_tenth", "first tenth", .format = "%11.2e"},
                                            {"energy_error_last_tenth", "last tenth", .format = "%11.2e"},
                                            {"energy_drift", "drift", .format = "%11.2e"},
                                            {"constraint_error", "constraint", .format = "%11.1e"},
                                            {"cpu_seconds", "CPU [s]", .format = "%9.3f"},
                                            {"verdict", "", .format = " %s"},
                                            {.name = NULL}};
    fprintf(out, "%s, %.6g s, energy %.6g J\n", r->of->words, r->time, r->energy);
    result_words(out, "  ", columns, path, r, put_reached);
}

void nonholonomic_page_table(FILE *f, const nonholonomic *r)
{
    static const result_column columns[] = {{"method", .head = "method"},
                                            {"h", "step [s]", .format = "%.4g"},
                                            {"energy_error_first_tenth", .head = "first tenth"},
                                            {"energy_error_last_tenth", .head = "last tenth"},
                                            {"energy_drift", "drift of the mean", .format = "%.1e"},
                                            {"constraint_error", .head = "constraint"},
                                            {"verdict", .head = ""},
                                            {.name = NULL}};
    result_page(f, "Energy error, relative", columns, path, r);
}
