/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench archive: what rows add to the time of a run. */
#include "report.h"

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

static void show_progress(void *self, const char *name, double fraction)
{
    watch_label(self, "%s", name);
    watch_share(self, fraction);
}

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    archiving_report *r = (archiving_report *)run;
    const archiving_plan plan = {.directory = run->directory,
                                 .budget = r->budget,
                                 .interrupt = watch->interrupt,
                                 .progress = show_progress,
                                 .self = watch};
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
    archiving_table(out, (const archiving_report *)run);
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
    .results = archiving_results};
