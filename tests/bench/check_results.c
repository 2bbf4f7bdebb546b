/* SPDX-License-Identifier: BSD-3-Clause */
/* Results by their description (bench/report/results.h): two groups of runs, one of them without runs, with every kind of
 * value, also absent ones, as JSON, CSV, lines of a terminal and a table of a page, against texts written by hand. */
#include "bench/report/file.h"
#include "bench/report/results.h"

#include "tests/kit/testkit.h"

#include <float.h>
#include <math.h>

/* What a run has in a part that may not have been measured. */
typedef struct part {
    bool there;
    double cost;
} part;

typedef struct run {
    char label[12];
    double error, bound;
    int64_t steps;
    int order;
    bool flag;
    ph_status status;
    part part;
} run;

typedef struct group {
    const char *name;
    const run *runs;
    size_t n;
} group;

typedef struct root {
    group groups[2];
} root;

static bool was_measured(const void *row)
{
    return ((const part *)row)->there;
}

static bool is_kept(const void *row)
{
    return ((const run *)row)->steps > 0;
}

static bool is_odd(const void *row)
{
    return ((const run *)row)->order % 2;
}

static result_value twice(const void *row)
{
    return value_number(2 * ((const run *)row)->error);
}

static json_object *count_down(builder *b, const void *row)
{
    const double numbers[] = {((const run *)row)->order, NAN};
    return build_numbers(b, numbers, 2);
}

/* Not an array: group by group. */
static const void *next_group(const void *of, size_t *i, void *room)
{
    (void)room;
    return *i < 2 ? &((const root *)of)->groups[(*i)++] : NULL;
}

static const result_field part_fields[] = {{"cost", RESULT_AT(NUMBER, part, cost)}, {.name = NULL}};
static const result_rows parts = {part_fields, RESULT_ONE(run, part), .has = was_measured};
static const result_field run_fields[] = {
    {"label", RESULT_TEXT_AT(run, label)},
    {"error", RESULT_AT(NUMBER, run, error), .csv = "e", .format = "%.3f"},
    {"bound", RESULT_AT(BOUND, run, bound)},
    {"steps", RESULT_AT(WHOLE, run, steps)},
    {"odd_order", RESULT_AT(INT, run, order), .when = is_odd},
    {"flag", RESULT_AT(FLAG, run, flag)},
    {"status", RESULT_AT(STATUS, run, status)},
    {"twice", RESULT_MADE, .value = twice, .not_in_json = true},
    {"list", RESULT_NODE, .node = count_down},
    {"part", RESULT_PART, .rows = &parts},
    {.name = NULL}};
static const result_rows runs = {run_fields, RESULT_LIST(group, runs, n), .has = is_kept};
static const result_field group_fields[] = {
    {"name", RESULT_AT(WORD, group, name)}, {"runs", RESULT_ROWS, .rows = &runs}, {.name = NULL}};
static const result_rows groups = {group_fields, .next = next_group};
static const result_rows *const path[] = {&groups, &runs, &parts, NULL};

static const run made[] = {{"a, \"b\"", 0.25, DBL_MAX, 7, 3, true, PH_OK, {true, 0.5}},
                           {"left out", 1, 1, 0, 1, true, PH_OK, {true, 1}},
                           {"", NAN, -2, 1234567, 4, false, PH_E_DIVERGED, {false, 9}}};
static const root all = {{{"first", made, 3}, {"empty", made, 0}}};

static char *text_of(void (*write)(FILE *f, const void *self))
{
    char *text = report_text(write, &all);
    ck_assert_ptr_nonnull(text);
    return text;
}

static void expect(char *text, const char *wanted)
{
    ck_assert_str_eq(text, wanted);
    free(text);
}

TEST(json_has_null_for_what_is_absent)
{
    builder b = {0};
    json_object *list = result_array(&b, &groups, &all);
    ck_assert(!b.failed);
    ck_assert_str_eq(
        json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN),
        "[{\"name\":\"first\",\"runs\":["
        "{\"label\":\"a, \\\"b\\\"\",\"error\":0.25,\"bound\":null,\"steps\":7,\"odd_order\":3,\"flag\":true,\"status\":\"PH_OK\","
        "\"list\":[ 3.0, null ],\"part\":{\"cost\":0.5}},"
        "{\"label\":null,\"error\":null,\"bound\":-2.0,\"steps\":1234567,\"odd_order\":null,\"flag\":false,"
        "\"status\":\"PH_E_DIVERGED\",\"list\":[ 4.0, null ],\"part\":null}]},{\"name\":\"empty\",\"runs\":[]}]");
    json_object_put(list);
}

static void put_csv(FILE *f, const void *self)
{
    result_csv(f, "name,label,e[m],twice[m],bound,steps,odd_order,flag,status,cost[s]", path, self);
}

TEST(csv_finds_its_columns_by_name_on_all_levels)
{
    expect(text_of(put_csv), "name,label,e[m],twice[m],bound,steps,odd_order,flag,status,cost[s]\n"
                             "first,\"a, \"\"b\"\"\",0.250,0.5,,7,3,yes,PH_OK,0.5\n"
                             "first,,,,-2,1234567,,no,PH_E_DIVERGED,\n");
}

static void put_cell(FILE *f, const void *row)
{
    fputs(row ? "<own>" : "<none>", f);
}

static void put_end(FILE *f, const void *row)
{
    fputs(row ? "" : " end", f);
}

static void put_words(FILE *f, const void *self)
{
    static const result_column columns[] = {
        {"label", "\nrun", .format = "%-8s"},       {"error", "error\n[mm]", .format = "%7.1f", .scale = 1e3},
        {"steps", "steps", .format = " %7.0f"},     {"flag", "flag", .format = "%4s"},
        {"cost", .format = "%6s", .put = put_cell}, {.name = NULL}};
    result_words(f, "  ", columns, path, self, put_end);
}

TEST(lines_of_a_terminal_are_aligned)
{
    expect(text_of(put_words), "             error    steps flag\n"
                               "  run         [mm]              \n"
                               "  a, \"b\"     250.0        7  yes <own>\n"
                               "  -              -  1234567   no <none> end\n");
}

static void put_page(FILE *f, const void *self)
{
    static const result_column columns[] = {{"label", .head = "run"},
                                            {"error", .head = "error"},
                                            {"cost", "cost", .format = "%.2f"},
                                            {"status", .head = ""},
                                            {.name = NULL}};
    result_page(f, "a < b", columns, path, self);
}

TEST(a_page_has_dashes_for_what_is_absent)
{
    expect(
        text_of(put_page),
        "<div class=\"table\"><table>\n<caption>a &lt; b</caption>\n<thead><tr><th scope=\"col\">run</th>"
        "<th scope=\"col\">error</th><th scope=\"col\">cost</th><th scope=\"col\"></th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\">a, &quot;b&quot;</th><td data-label=\"error\">2.5e-01</td><td data-label=\"cost\">0.50</td>"
        "<td data-label=\"\">PH_OK</td></tr>\n"
        "<tr><th scope=\"row\"></th><td data-label=\"error\">\xe2\x80\x93</td><td data-label=\"cost\">\xe2\x80\x93</td>"
        "<td data-label=\"\">PH_E_DIVERGED</td></tr>\n"
        "</tbody></table></div>\n");
}

int main(void)
{
    return tk_run("results");
}
