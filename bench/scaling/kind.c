/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench scaling: the time of a step against the number of links. */
#include "report.h"

#include <stdlib.h>

/* ---- Options --------------------------------------------------------------------------------------- */

#define AT(kind, member) OPTION_AT(kind, scaling_report, member)
static const option_row options[] = {
    {"MODEL", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a model with a number of links, bodies, ... (default: chain-pendulum; see polhode models)"},
    {"method", 'm', "METHOD", AT(TEXTS, methods),
     .text = "a method, with options as METHOD:option=value (may be repeated; default: all methods in all "
             "forms)"},
    {"from", 0, "N", AT(WHOLE, from), .least = 1, .most = 1e9, .text = "the smallest size (default: 1)"},
    {"to", 0, "N", AT(WHOLE, to), .least = 1, .most = 1e9, .text = "the largest size (default: 10000)"},
    {"step", 's', "STEP", AT(POSITIVE_TIME, plan.h),
     .text = "a step size in s (default: at each size 0.02 divided by the fastest rate of small "
             "oscillations, or of a turn at the start; the same for all methods)"},
    {"budget", 'b', "TIME", AT(POSITIVE_TIME, plan.budget),
     .text = "wall-clock time in s for the timing at each size, at least (default: 1.5)"},
    {"limit", 0, "TIME", AT(POSITIVE_TIME, plan.limit),
     .text = "a method that would take longer than this for a size, in s, is left out from there on "
             "(default: 2; beyond n = 10000, where only methods of linear cost remain, 20)"},
    BENCH_OPTIONS("where to write (default: scaling.bench.out)", "overwrite existing results",
                  "print what scaling.json has, instead of tables and words"),
    {.name = NULL}};

static const scaling_report defaults = {.from = 1, .to = 10000, .plan = {.budget = 1.5}};

static ph_status load(bench_run *run, ph_error *err)
{
    static const char *const standard[] = {"chain-pendulum"};
    scaling_report *r = (scaling_report *)run;
    size_t sizes[SCALING_SIZES], n;
    if (!run->names.n)
        run->names = (option_texts){standard, 1};
    r->plan.from = (size_t)r->from;
    r->plan.to = (size_t)r->to;
    ph_status status = scaling_sizes(r->plan.from, r->plan.to, sizes, &n, err);
    for (size_t i = 0; i < run->names.n && !status; i++) {
        family f;
        status = family_find(&f, run->names.at[i], err);
    }
    if (status)
        return status;
    run->n_items = run->names.n;
    r->n_contenders = r->methods.n;
    r->sweeps = calloc(run->n_items, sizeof *r->sweeps);
    if (!r->sweeps)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    return r->methods.n ? contender_parse_all(&r->contenders, r->methods.at, r->methods.n, err)
                        : scaling_contenders(&r->contenders, &r->n_contenders, err);
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    scaling_report *r = (scaling_report *)run;
    scaling_plan plan = r->plan;
    plan.interrupt = watch->interrupt;
    plan.progress = watch;
    ph_status status =
        scaling_make(&r->sweeps[i], run->names.at[i], r->contenders, r->n_contenders, &plan, err);
    if (!status && r->sweeps[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

static void release(bench_run *run)
{
    scaling_report *r = (scaling_report *)run;
    for (size_t i = 0; r->sweeps && i < run->n_items; i++)
        scaling_free(&r->sweeps[i]);
    free(r->sweeps);
    free(r->contenders);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const scaling *s = &((const scaling_report *)run)->sweeps[i];
    char *words = scaling_words(s);
    scaling_table(out, s);
    fprintf(out, "\n%s\n", words ? words : "");
    free(words);
}

const bench_kind scaling_kind = {
    .command =
        {.name = "bench scaling",
         .summary =
             "measure how the time of a step grows with the number of links or spins, for every method",
         .about =
             "Measure how the cost of a step grows with the size of the system: every method in every form, "
             "timed in turn on systems of n = 1, 2, 5, 10, 20, ... parts, hanging and tilted by 0.1 rad "
             "along a smooth curve, spins in random directions. Prints times for each part, their slope, memory, and findings; "
             "writes DIR/report.html, scaling.json and "
             "scaling.csv.",
         .exits = {{0, "done, also when methods were left out: the report says so"},
                   {2, "wrong usage"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(scaling_report),
         .defaults = &defaults},
    .load = load,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "scaling.json",
    .json = scaling_json,
    .tables = scaling_tables,
    .page = &scaling_page};
