/* SPDX-License-Identifier: BSD-3-Clause */
/* What archiving costs: the table for the terminal, and the fields of archive-costs.json. */
#include "report.h"

static result_value name_method(const void *row)
{
    (void)row;
    return value_word("variational");
}

#define AT(type, member) RESULT_AT(type, archiving_case, member)
static const result_field fields[] = {{"run", AT(WORD, name)},
                                      {"method", RESULT_MADE, .value = name_method},
                                      {"every", AT(WHOLE, every)},
                                      {"numbers_in_a_row", AT(SIZE, numbers)},
                                      {"h", AT(NUMBER, h)},
                                      {"steps", AT(WHOLE, steps)},
                                      {"rows", AT(WHOLE, rows)},
                                      {"rounds", AT(SIZE, rounds)},
                                      {"ns_per_step", AT(NUMBER, without)},
                                      {"ns_per_step_with_rows", AT(NUMBER, with)},
                                      {"ns_per_row", AT(NUMBER, row)},
                                      {"cost", AT(NUMBER, cost)},
                                      {"cost_lower_quartile", AT(NUMBER, cost_low)},
                                      {"cost_upper_quartile", AT(NUMBER, cost_high)},
                                      {"cost_of_least", AT(NUMBER, cost_least)},
                                      {"bytes", AT(WHOLE, bytes)},
                                      {"bytes_per_number", AT(NUMBER, bytes_per_number)},
                                      {.name = NULL}};
static const result_rows runs = {.fields = fields, RESULT_SOME(archiving_report, costs.cases, costs.n)};
const result_field archiving_results[] = {{"runs", RESULT_ROWS, .rows = &runs}, {.name = NULL}};

static void put_cost(FILE *out, const void *row)
{
    const archiving_case *c = row;
    fprintf(out, "%5.1f%% (%5.1f to %5.1f) %8.1f%%", 100 * c->cost, 100 * c->cost_low, 100 * c->cost_high,
            100 * c->cost_least);
}

void archiving_table(FILE *out, const archiving_report *r)
{
    static const result_column columns[] = {
        {"run", "\nrun", .format = "%-26s"},
        {"every", "every", .format = "%5.0f"},
        {"numbers_in_a_row", "numbers\nin a row", .format = "%8.0f"},
        {"rows", "rows", .format = "%8.0f"},
        {"ns_per_step", "ns a step", .format = "%12.1f"},
        {"ns_per_step_with_rows", "with rows", .format = "%12.1f"},
        {"ns_per_row", "ns a row", .format = "%9.0f"},
        {"cost", "cost, its quartiles     of least", .format = "%33s", .put = put_cost},
        {"bytes_per_number", "bytes a\nnumber", .format = "%8.3f"},
        {.name = NULL}};
    result_words(out, "", columns, (const result_rows *[]){&runs, NULL}, r, NULL);
}
