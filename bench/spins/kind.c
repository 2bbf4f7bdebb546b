/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench spins, polhode bench vortices: spheres as phase space by all methods. */
#include "report.h"

#include "bench/kind/list.h"

#include <stdlib.h>

/* ---- Options ------------------------------------------------------------------------------------------------------ */

#define AT(kind, member) OPTION_AT(kind, spins_report, member)
/* clang-format off */
#define OPTIONS(kind) \
    {"SYSTEM", 0, NULL, OPTION_AT(OPERANDS, bench_run, names), \
     .text = "a system of the list (default: all; see --list)"}, \
    {"method", 'm', "METHOD", AT(TEXTS, methods), .most = 16, \
     .text = "a method, with options as METHOD:option=value (may be repeated; default: spherical-midpoint and spin-splitting of " \
             "order 2, 4, 6 and 8, rk4, rk4-projected, rk8, arkode, cvode)"}, \
    {"steps", 'n', "N", AT(WHOLE, plan.steps), .least = 0, .most = 1e9, \
     .text = "the length of the long run in steps of order 2, which a large system has fewer of; longer steps are fewer " \
             "(default: 20000); 0: there is none"}, \
    {"budget", 'b', "TIME", AT(POSITIVE_TIME, plan.budget), \
     .text = "wall-clock time in s for timing steps, and again for repeating the runs of trajectories (default: 2)"}, \
    {"limit", 0, "TIME", AT(POSITIVE_TIME, plan.limit), \
     .text = "a run of a trajectory that would take longer than this, in s, is left out (default: 0.3)"}, \
    BENCH_LIST("list the systems"), \
    BENCH_OPTIONS_QUIET("where to write (default: " kind ".bench.out)", "overwrite existing results", \
                  "no progress, and of what is printed the sentences alone", \
                  "print what " kind ".json has, instead of tables and words"), \
    {.name = NULL}
/* clang-format on */
static const option_row spins_options[] = {OPTIONS("spins")}, vortices_options[] = {OPTIONS("vortices")};

static const spins_report spins_defaults = {.plan = {.steps = 20000, .budget = 2, .limit = 0.3}},
                          vortices_defaults = {.vortices = true,
                                               .plan = {.steps = 20000, .budget = 2, .limit = 0.3}};

static void magnet_at(size_t i, const char **name, const char **words)
{
    *name = spins_case_at(false, i)->name;
    *words = spins_case_at(false, i)->words;
}

static void vortices_at(size_t i, const char **name, const char **words)
{
    *name = spins_case_at(true, i)->name;
    *words = spins_case_at(true, i)->words;
}

static bench_list systems(bool vortices)
{
    bench_list all = {0, vortices ? vortices_at : magnet_at, 12};
    while (spins_case_at(vortices, all.n))
        all.n++;
    return all;
}

static bench_list magnets(void)
{
    return systems(false);
}

static bench_list vortices(void)
{
    return systems(true);
}

/* A mistake in a name is found before anything is run. */
static ph_status load(bench_run *run, ph_error *err)
{
    spins_report *r = (spins_report *)run;
    const bench_list all = systems(r->vortices);
    const size_t n = run->names.n ? run->names.n : all.n;
    contender *parsed = NULL;
    ph_status status = PH_OK;
    r->cases = calloc(n, sizeof *r->cases);
    r->results = calloc(n, sizeof *r->results);
    if (!r->cases || !r->results)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        size_t at = i;
        if (run->names.n)
            status = list_find(&all, run->names.at[i], &at, err);
        r->cases[i] = spins_case_at(r->vortices, at);
    }
    if (!status && !r->methods.n) {
        status = contenders_there(spins_standard, n_spins_standard, r->there, &r->methods.n, err);
        r->methods.at = r->there;
    }
    if (!status)
        status = contender_parse_all(&parsed, r->methods.at, r->methods.n, err);
    free(parsed);
    for (size_t i = 0; i < n && !status; i++)
        status = spins_check(r->cases[i], r->methods.at, r->methods.n, err);
    run->n_items = n;
    return status;
}

/* ---- Running ------------------------------------------------------------------------------------------------------ */

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    spins_report *r = (spins_report *)run;
    r->plan.progress = watch;
    ph_status status = spins_make(&r->results[i], r->cases[i], r->methods.at, r->methods.n, &r->plan, err);
    if (!status && r->results[i].status)
        status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    return status;
}

static void release(bench_run *run)
{
    spins_report *r = (spins_report *)run;
    for (size_t i = 0; r->results && i < run->n_items; i++)
        spins_free(&r->results[i]);
    free(r->cases);
    free(r->results);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const spins *s = &((const spins_report *)run)->results[i];
    char *words = spins_words(s);
    if (!run->quiet)
        spins_tables(out, s);
    fprintf(out, "%s%s\n", run->quiet ? "" : "\n", words ? words : "");
    free(words);
}

#define ABOUT(systems, files)                                                                                       \
    "Compare the methods on " systems                                                                               \
    ": the spherical midpoint and the splittings of order 2 to 8, Runge-Kutta "                                     \
    "methods, and SUNDIALS where it takes them. Prints the cost of a step and its ratio to rk4; the errors of the " \
    "trajectory, of the energy, of J and of the lengths of the vectors against CPU time; and how the energy error " \
    "grows over a long run; in words what an accuracy costs. Writes DIR/report.html (with figures, "                \
    "where there is gnuplot), " files "."
#define EXITS                                                                                                \
    {                                                                                                        \
        {0, "done, also when runs ended early: the report says so"}, {2, "wrong usage"}, BENCH_EXITS         \
    }

const bench_kind spins_kind = {
    .command = {.name = "bench spins",
                .summary = "compare all methods on spins: errors against cost, energy over a long time",
                .about = ABOUT("spins on lattices", "spins.json, spins.csv and spins-runs.csv"),
                .exits = EXITS,
                .options = spins_options,
                .size = sizeof(spins_report),
                .defaults = &spins_defaults},
    .load = load,
    .systems = magnets,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "spins.json",
    .json = spins_json,
    .tables = spins_csv,
    .page = &spins_page};

const bench_kind vortices_kind = {
    .command =
        {.name = "bench vortices",
         .summary =
             "compare all methods on vortices on a sphere: errors against cost, energy over a long time",
         .about = ABOUT("point vortices on a sphere", "vortices.json, vortices.csv and vortices-runs.csv"),
         .exits = EXITS,
         .options = vortices_options,
         .size = sizeof(spins_report),
         .defaults = &vortices_defaults},
    .load = load,
    .systems = vortices,
    .make = make,
    .release = release,
    .print = print,
    .json_file = "vortices.json",
    .json = spins_json,
    .tables = vortices_csv,
    .page = &vortices_page};
