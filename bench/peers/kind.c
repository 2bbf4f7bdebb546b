/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench peers: the methods of SUNDIALS for comparison. */
#include "report.h"

#include "bench/common/scenario-input.h"

#include <stdlib.h>

/* ---- Options --------------------------------------------------------------------------------------- */

#define AT(kind, member) OPTION_AT(kind, peers_report, member)
static const option_row options[] = {
    {"PROBLEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text =
         "a problem of the table (polhode bench --list); default: double-spherical-pendulum and chain-20"},
    {"FILE", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "a scenario file; - reads the standard input"},
    {"method", 'm', "METHOD", AT(TEXTS, methods), .most = 16,
     .text = "a method, with options as METHOD:option=value (may be repeated; default: variational, rk4, "
             "rk4-projected, arkode, cvode)"},
    {"time", 'T', "TIME", AT(POSITIVE_TIME, plan.horizon),
     .text = "time of motion in s within which the energy error is taken (default: the problem's)"},
    {"budget", 'b', "TIME", AT(POSITIVE_TIME, plan.budget),
     .text =
         "wall-clock time in s for repeating the runs for trajectories, and again for energies (default: 5)"},
    {"limit", 0, "TIME", AT(POSITIVE_TIME, plan.limit),
     .text = "a run that would take longer than this, in s, is left out (default: 5)"},
    SET_OPTION(bench_run, set),
    BENCH_OPTIONS("where to write (default: peers.bench.out)", "overwrite existing results",
                  "print what peers.json has, instead of tables and words"),
    {.name = NULL}};

static const peers_report defaults = {.plan = {.budget = 5, .limit = 5}};

/* The methods that are compared by default. */
static ph_status take_standard(peers_report *r, ph_error *err)
{
    ph_status status = peers_available(err);
    if (status)
        r->run.remark = "Without SUNDIALS there are no peers to compare with; -m METHOD compares others.";
    r->methods = (option_texts){peers_standard, n_peers_standard};
    return status;
}

/* A mistake in a name is found before anything is run. */
static ph_status load(bench_run *run, ph_error *err)
{
    static const char *const standard[] = {"double-spherical-pendulum", "chain-20"};
    peers_report *r = (peers_report *)run;
    contender *list = NULL;
    if (!run->names.n)
        run->names = (option_texts){standard, sizeof standard / sizeof standard[0]};
    ph_status status = r->methods.n ? PH_OK : take_standard(r, err);
    if (status)
        return status;
    run->n_items = run->names.n;
    r->entries = calloc(run->n_items, sizeof *r->entries);
    r->problems = calloc(run->n_items, sizeof *r->problems);
    if (!r->entries || !r->problems)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    status = contender_parse_all(&list, r->methods.at, r->methods.n, err);
    free(list);
    for (size_t i = 0; i < run->n_items && !status; i++)
        status =
            problem_load(run->names.at[i], &run->set, &r->entries[i].problem, &r->entries[i].scenario, err);
    return status;
}

/* ---- Running --------------------------------------------------------------------------------------- */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    peers_report *r = (peers_report *)run;
    peers_entry *e = &r->entries[i];
    peers_plan plan = r->plan;
    plan.interrupt = watch->interrupt;
    plan.progress = watch;
    ph_status status =
        peers_make(&r->problems[i], &e->problem, e->scenario, r->methods.at, r->methods.n, &plan, err);
    e->scenario = NULL; /* the result owns it now */
    if (!status && r->problems[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

static void release(bench_run *run)
{
    peers_report *r = (peers_report *)run;
    for (size_t i = 0; r->entries && r->problems && i < run->n_items; i++) {
        peers_free(&r->problems[i]);
        ph_scenario_free(r->entries[i].scenario);
    }
    free(r->entries);
    free(r->problems);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const peers *p = &((const peers_report *)run)->problems[i];
    char *words = peers_words(p);
    peers_table(out, p);
    fprintf(out, "\n%s\n", words ? words : "");
    free(words);
}

const bench_kind peers_kind = {
    .command =
        {.name = "bench peers",
         .summary = "compare work and precision with SUNDIALS on the same right-hand side",
         .about =
             "Compare work and precision with SUNDIALS: variational, rk4 and rk4-projected, with smaller "
             "and smaller steps, and the adaptive methods arkode and cvode, with smaller and smaller "
             "tolerances, on the same right-hand side (in the fastest form that the system has): CPU time against the "
             "error of the trajectory, and against that of the energy. Prints tables and the fastest method for each error; writes DIR/report.html (with figures, where there is gnuplot), peers.json and "
             "peers.csv.",
         .exits = {{0, "done, also when runs diverged: the table says so"},
                   {2, "wrong usage, a mistake in the scenario, or, without -m, a build without SUNDIALS"},
                   BENCH_EXITS},
         .options = options,
         .size = sizeof(peers_report),
         .defaults = &defaults},
    .load = load,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "peers.json",
    .json = peers_json,
    .tables = peers_tables,
    .page = &peers_page};
