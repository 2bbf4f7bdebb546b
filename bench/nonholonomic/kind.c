/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench nonholonomic: energies of systems with velocity constraints over long times. */
#include "report.h"

#include "bench/kind/list.h"

#include <stdlib.h>

/* ---- Options --------------------------------------------------------------------------------------- */

static const option_row options[] = {
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a system of the list (default: all; see --list)"},
    {"steps", 'n', "N", OPTION_AT(WHOLE, nonholonomic_report, steps), .least = 1000, .most = 1e12,
     .text = "the length of each run in steps of order 2; longer steps are fewer (default: 50000)"},
    BENCH_LIST("list the systems"),
    BENCH_OPTIONS("where to write (default: nonholonomic.bench.out)", "overwrite existing results",
                  "print what nonholonomic.json has, instead of tables and words"),
    {.name = NULL}};

static const nonholonomic_report defaults = {.steps = 50000};

static void system_at(size_t i, const char **name, const char **words)
{
    *name = nonholonomic_case_at(i)->name;
    *words = nonholonomic_case_at(i)->words;
}

static bench_list systems(void)
{
    return (bench_list){nonholonomic_cases(), system_at, 22};
}

static ph_status load(bench_run *run, ph_error *err)
{
    nonholonomic_report *r = (nonholonomic_report *)run;
    const size_t n = run->names.n ? run->names.n : nonholonomic_cases();
    r->cases = calloc(n, sizeof *r->cases);
    r->results = calloc(n, sizeof *r->results);
    if (!r->cases || !r->results)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const bench_list all = systems();
    ph_status status = PH_OK;
    for (size_t i = 0; i < n && !status; i++) {
        size_t at = i;
        if (run->names.n)
            status = list_find(&all, run->names.at[i], &at, err);
        r->cases[i] = nonholonomic_case_at(at);
    }
    run->n_items = n;
    return status;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    nonholonomic_report *r = (nonholonomic_report *)run;
    return nonholonomic_make(&r->results[i], r->cases[i], r->steps, watch, err);
}

static void release(bench_run *run)
{
    nonholonomic_report *r = (nonholonomic_report *)run;
    free(r->cases);
    free(r->results);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const nonholonomic *r = &((const nonholonomic_report *)run)->results[i];
    char *words = nonholonomic_words(r);
    nonholonomic_table(out, r);
    fprintf(out, "%s\n", words ? words : "");
    free(words);
}

const bench_kind nonholonomic_kind = {
    .command =
        {.name = "bench nonholonomic",
         .summary = "compare the energies of rolling and sliding systems over long times",
         .about =
             "Follow systems with velocity constraints over a long time by dla of every order, RK4, and adaptive methods, all "
             "with the same work, and report how the energy error behaves: also on systems where it drifts by every method "
             "that is known. Prints a table and words for each; writes DIR/report.html (with figures, where there is "
             "gnuplot), nonholonomic.json and nonholonomic.csv.",
         .exits = {{0, "done, also when runs ended early: the report says so"},
                   {2, "wrong usage"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(nonholonomic_report),
         .defaults = &defaults},
    .load = load,
    .systems = systems,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "nonholonomic.json",
    .json_name = "polhode_bench_nonholonomic",
    .results = nonholonomic_results,
    .tables = nonholonomic_tables,
    .page = &nonholonomic_page};
