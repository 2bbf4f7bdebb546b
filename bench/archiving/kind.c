/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench archive: what rows add to the time of a run, as a table and as archive-costs.json. */
#include "archiving.h"

#include "bench/kind/kind.h"

typedef struct archiving_report {
    bench_run run;
    double budget;
    archiving costs;
} archiving_report;

/* ---- Results --------------------------------------------------------------------------------------- */

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
static const result_field results[] = {{"runs", RESULT_ROWS, .rows = &runs}, {.name = NULL}};

static void put_cost(FILE *out, const void *row)
{
    const archiving_case *c = row;
    fprintf(out, "%5.1f%% (%5.1f to %5.1f) %8.1f%%", 100 * c->cost, 100 * c->cost_low, 100 * c->cost_high,
            100 * c->cost_least);
}

static void print_table(FILE *out, const archiving_report *r)
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

/* ---- Options --------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"budget", 'b', "TIME", OPTION_AT(POSITIVE_TIME, archiving_report, budget),
     .text = "wall-clock time in s for each of the three, at least (default: 20)"},
    BENCH_OPTIONS("where to write (default: archive.bench.out)", "overwrite existing results",
                  "print what archive-costs.json has, instead of the table"),
    {.name = NULL}};

static const archiving_report defaults = {.budget = 20};

static ph_status load(bench_run *run, ph_error *err)
{
    (void)err;
    run->n_items = 1; /* there are only a few runs, which are reported together */
    return PH_OK;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    archiving_report *r = (archiving_report *)run;
    const archiving_plan plan = {.directory = run->directory, .budget = r->budget, .progress = watch};
    (void)i;
    watch_label(watch, "%s", "");
    return archiving_measure(&r->costs, &plan, err);
}

static void release(bench_run *run)
{
    (void)run;
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    (void)i;
    print_table(out, (const archiving_report *)run);
    fputc('\n', out);
}

const bench_kind archiving_kind = {
    .command =
        {.name = "bench archive",
         .summary = "measure the cost of archiving: CPU time per row, bytes per number",
         .about =
             "Measure the cost of archiving: CPU time, including that of the operating system, of the same motion without and with rows, in turn, for a double spherical pendulum with a row "
             "every 100 steps, a chain of 1000 links and a heavy top with a row every 10. Prints the "
             "time of a step and of a row, what rows add, and the bytes of the file for each number; "
             "writes DIR/archive-costs.json. Archives are written to DIR, too, and removed: its file "
             "system matters.",
         .exits = {{0, "done"}, {2, "wrong usage"}, BENCH_EXITS},
         .options = options,
         .size = sizeof(archiving_report),
         .defaults = &defaults},
    .load = load,
    .make = make,
    .release = release,
    .print = print,
    .print_last = 1,
    .json_file = "archive-costs.json",
    .json_name = "polhode_bench_archive",
    .results = results};
