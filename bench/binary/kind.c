/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench binary: binary asteroids by all methods. */
#include "make.h"
#include "report.h"

#include "bench/kind/list.h"

#include <stdlib.h>

static const double ten_years = 10 * 365.25 * 86400;

/* ---- Options --------------------------------------------------------------------------------------- */

#define AT(kind, member) OPTION_AT(kind, binary_report, member)
static const option_row options[] = {
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a system of the list (default: didymos and kw4)"},
    {"method", 'm', "METHOD", AT(TEXTS, methods), .most = 16,
     .text =
         "a method, with options as METHOD:option=value (may be repeated; default: variational of order 2, 4, 6 and 8, "
         "kepler-rotor with three splittings, rk4, rkmk4, rk8, galerkin, arkode, cvode)"},
    {"order", 'N', "N", AT(WHOLE, order), .least = 1, .most = 8,
     .text = "order of the mutual potential (default: 4)"},
    {"time", 'T', "TIME", AT(DURATION, plan.time),
     .text = "duration of the long run in s (default: 100 days); 0: there is none"},
    {"years", 0, NULL, AT(FLAG, years), .text = "a long run of ten years: some minutes"},
    {"trajectory", 0, "TIME", AT(POSITIVE_TIME, plan.day),
     .text = "time in s after which the errors of trajectories are taken (default: a day)"},
    {"budget", 'b', "TIME", AT(POSITIVE_TIME, plan.budget),
     .text =
         "wall-clock time in s for timing steps, and again for repeating the runs of trajectories (default: 3)"},
    {"limit", 0, "TIME", AT(POSITIVE_TIME, plan.limit),
     .text = "a run of a trajectory that would take longer than this, in s, is left out (default: 1)"},
    BENCH_LIST("list the systems"),
    BENCH_OPTIONS_QUIET("where to write (default: binary.bench.out)", "overwrite existing results",
                        "no progress, and of what is printed the sentences alone",
                        "print what binary.json has, instead of tables and words"),
    {.name = NULL}};

static const binary_report defaults = {
    .order = 4, .plan = {.day = 86400, .time = 100 * 86400.0, .budget = 3, .limit = 1}};

static void system_at(size_t i, const char **name, const char **words)
{
    *name = binary_case_at(i)->name;
    *words = binary_case_at(i)->words;
}

static bench_list systems(void)
{
    return (bench_list){binary_cases(), system_at, 12};
}

/* A mistake in a name is found before anything is run. */
static ph_status load(bench_run *run, ph_error *err)
{
    static const char *const standard[] = {"didymos", "kw4"};
    binary_report *r = (binary_report *)run;
    contender *parsed = NULL;
    if (!run->names.n)
        run->names = (option_texts){standard, sizeof standard / sizeof standard[0]};
    r->cases = calloc(run->names.n, sizeof *r->cases);
    r->results = calloc(run->names.n, sizeof *r->results);
    if (!r->cases || !r->results)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    const bench_list all = systems();
    ph_status status = PH_OK;
    for (size_t i = 0, at = 0; i < run->names.n && !status; i++) {
        status = list_find(&all, run->names.at[i], &at, err);
        r->cases[i] = binary_case_at(at);
    }
    if (!status && !r->methods.n)
        status = contenders_there(binary_standard, n_binary_standard, r->there, &r->methods.n, err);
    if (!r->methods.at)
        r->methods.at = r->there;
    if (!status)
        status = contender_parse_all(&parsed, r->methods.at, r->methods.n, err);
    free(parsed);
    if (r->years)
        r->plan.time = ten_years;
    r->plan.order = (size_t)r->order;
    run->n_items = run->names.n;
    return status;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    binary_report *r = (binary_report *)run;
    r->plan.progress = watch;
    ph_status status = binary_make(&r->results[i], r->cases[i], r->methods.at, r->methods.n, &r->plan, err);
    if (!status && r->results[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

static void release(bench_run *run)
{
    binary_report *r = (binary_report *)run;
    for (size_t i = 0; r->results && i < run->n_items; i++)
        binary_free(&r->results[i]);
    free(r->cases);
    free(r->results);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const binary *b = &((const binary_report *)run)->results[i];
    char *words = binary_words(b);
    if (!run->quiet)
        binary_tables(out, b);
    fprintf(out, "%s%s\n", run->quiet ? "" : "\n", words ? words : "");
    free(words);
}

const bench_kind binary_kind = {
    .command =
        {.name = "bench binary",
         .summary =
             "compare all methods on binary asteroids: error against cost over a day, energy over years",
         .about =
             "Compare the methods on binary asteroids: the variational integrator of order 2 to 8 (LGVI), the splittings of "
             "kepler-rotor, Runge-Kutta methods and SUNDIALS. Prints the cost of a step and its ratio to rk4, the errors of "
             "the place and the attitudes after a day against CPU time, and energies and places over a long run in which all "
             "methods cost the same; in words what an accuracy costs. Writes DIR/report.html (with figures, where there is "
             "gnuplot), binary.json, binary.csv and binary-runs.csv.",
         .exits = {{0, "done, also when runs ended early: the report says so"},
                   {2, "wrong usage"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(binary_report),
         .defaults = &defaults},
    .load = load,
    .systems = systems,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "binary.json",
    .json = binary_json,
    .tables = binary_csv,
    .page = &binary_page};
