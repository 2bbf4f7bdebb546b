/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench peers: beside the methods of SUNDIALS. The comparison itself is in bench/peers/peers.c. */
#include "bench.h"
#include "command.h"

#include "bench/peers/report.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "Usage: polhode bench peers [PROBLEM | FILE]... [-m METHOD]... [-T TIME] [-o DIR] [--force] [--quiet]\n"
    "                     [--json]\n"
    "Work and precision beside SUNDIALS: variational and rk4, "
    "with smaller and smaller steps, and the adaptive\n"
    "methods arkode and cvode, with smaller and smaller tolerances, "
    "on the same right-hand side (the quickest form\n"
    "that the system has): CPU time against the error of the trajectory, "
    "and against that of the energy. Prints\n"
    "tables and who is ahead where; writes DIR/report.html "
    "(with figures, where there is gnuplot), peers.json and\n"
    "peers.csv.\n\n"
    "  PROBLEM              a problem of the table (polhode bench --list); "
    "default: double-spherical-pendulum and\n"
    "                       chain-20\n"
    "  FILE                 a scenario file\n"
    "  -m, --method METHOD  a method, with options as METHOD:option=value "
    "(may be repeated; default: variational,\n"
    "                       rk4, rk4-projected, arkode, cvode)\n"
    "  -T, --time TIME      time of motion in s within which the energy error is taken "
    "(default: the problem's)\n"
    "  -b, --budget TIME    wall-clock time in s for repeating the runs, "
    "of trajectories and of energies each\n"
    "                       (default: 5)\n"
    "      --limit TIME     a run that would take longer than this, in s, is left out (default: 5)\n"
    "  -o, --output DIR     where to write (default: peers.bench.out)\n"
    "  -f, --force          overwrite results that are there\n"
    "  -q, --quiet          no progress\n"
    "      --json           print what peers.json has, in place of tables and words\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done (also when runs diverged: the table says so), "
    "2 wrong usage or scenario, or a build without\n"
    "SUNDIALS, 3 cannot write, 130 interrupted (what there is is written).\n";

enum { MOST = 16, LONG_LIMIT = 256, LONG_JSON };

typedef struct arguments {
    const char *directory;
    const char *methods[MOST];
    const char *const *names;
    size_t n_methods, n_names;
    peers_plan plan;
    int force, quiet, json;
} arguments;

/* ---- Arguments ----------------------------------------------------------------------------------- */

/* 0: go on; otherwise exit code + 1. */
static int take_option(int c, arguments *a)
{
    switch (c) {
    case 'm':
        if (a->n_methods == MOST)
            return complain(EXIT_INPUT, "at most %d methods", MOST) + 1;
        a->methods[a->n_methods++] = optarg;
        return 0;
    case 'T':
        return bench_seconds(optarg, "the time", &a->plan.horizon);
    case 'b':
        return bench_seconds(optarg, "the budget", &a->plan.budget);
    case LONG_LIMIT:
        return bench_seconds(optarg, "the limit", &a->plan.limit);
    case 'o':
        a->directory = optarg;
        return 0;
    case 'f':
        return a->force = 1, 0;
    case 'q':
        return a->quiet = 1, 0;
    case LONG_JSON:
        return a->json = 1, 0;
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode bench peers --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {
        {"method", required_argument, NULL, 'm'}, {"time", required_argument, NULL, 'T'},
        {"budget", required_argument, NULL, 'b'}, {"limit", required_argument, NULL, LONG_LIMIT},
        {"output", required_argument, NULL, 'o'}, {"force", no_argument, NULL, 'f'},
        {"quiet", no_argument, NULL, 'q'},        {"json", no_argument, NULL, LONG_JSON},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    static const char *const standard[] = {"double-spherical-pendulum", "chain-20"};
    int c, code;
    ph_error err;
    *a = (arguments){.directory = "peers.bench.out", .plan = {.budget = 5, .limit = 5}};
    while ((c = getopt_long(argc, argv, "m:T:b:o:fqh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    a->names = optind < argc ? (const char *const *)argv + optind : standard;
    a->n_names = optind < argc ? (size_t)(argc - optind) : 2;
    if (a->n_methods)
        return 0;
    if (peers_available(&err))
        return complain(EXIT_INPUT,
                        "%s\nWithout SUNDIALS there are no peers to compare with; -m METHOD compares others.",
                        err.message) +
               1;
    for (size_t i = 0; i < n_peers_standard; i++)
        a->methods[a->n_methods++] = peers_standard[i];
    return 0;
}

/* ---- Progress ------------------------------------------------------------------------------------ */

typedef struct teller {
    progress bar;
    char label[256];
    size_t number, count;
    int quiet;
} teller;

static void tell_stage(void *self, const peers *p, const char *what)
{
    teller *t = self;
    progress_end(&t->bar);
    snprintf(t->label, sizeof t->label, "[%zu/%zu] %s: %s", t->number, t->count, p->problem->name, what);
    t->bar = progress_start(t->label, t->quiet);
}

static void tell_progress(void *self, double fraction)
{
    progress_show(&((teller *)self)->bar, (double)NAN, (int64_t)(1000 * fraction), 1000, NULL);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

typedef struct entry {
    problem problem;
    ph_scenario *scenario;
} entry;

static void print_peers(const peers *p)
{
    peers_table(stdout, p);
    printf("\n%s\n", p->words);
    fflush(stdout);
}

/* made <- the comparisons that were begun, the last one perhaps interrupted. */
static ph_status compare(const arguments *a, entry *entries, peers *list, size_t *made, ph_error *err)
{
    teller t = {.count = a->n_names, .quiet = a->quiet, .bar = progress_start("", 1)};
    peers_plan plan = a->plan;
    plan.interrupt = signal_flag();
    plan.stage = tell_stage;
    plan.progress = tell_progress;
    plan.self = &t;
    for (*made = 0; *made < a->n_names;) {
        entry *e = &entries[*made];
        peers *p = &list[*made];
        t.number = *made + 1;
        ph_status status = peers_make(p, &e->problem, e->scenario, a->methods, a->n_methods, &plan, err);
        e->scenario = NULL; /* p has it now */
        progress_end(&t.bar);
        ++*made;
        if (status)
            return status;
        if (!a->json)
            print_peers(p);
        if (p->status)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    }
    return PH_OK;
}

static int write_report(const arguments *a, const peers_report *r)
{
    const char *directory = a->directory;
    report_figures drawn;
    ph_error err;
    if (peers_files(r, directory, &drawn, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (a->json)
        return peers_print(r, stdout, &err) ? complain(EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
    printf("Written: %s/report.html%s, peers.json, peers.csv\n", directory, bench_figures(drawn));
    return EXIT_OK;
}

static int run(const arguments *a, entry *entries, peers *list, size_t *made)
{
    static const char *const names[] = {"report.html", "peers.json", "peers.csv"};
    struct timespec start, end;
    ph_error err;
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (bench_prepare(a->directory, a->force, names, sizeof names / sizeof names[0], &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    clock_gettime(CLOCK_MONOTONIC, &start);
    ph_status status = compare(a, entries, list, made, &err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (status && status != PH_E_INTERRUPTED)
        return complain(EXIT_INPUT, "%s", err.message);
    peers_report r = {.problems = list, .n = *made};
    r.where.seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    surroundings_describe(&r.where);
    int code = write_report(a, &r);
    if (code == EXIT_OK && status)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", err.message);
    return code;
}

/* A mistake in a name is found before anything is run. */
static ph_status load_all(const arguments *a, entry *entries, ph_error *err)
{
    contender *list = NULL;
    ph_status status = bench_contenders(a->methods, a->n_methods, &list, err);
    free(list);
    for (size_t i = 0; i < a->n_names && !status; i++)
        status = bench_load(a->names[i], &entries[i].problem, &entries[i].scenario, err);
    return status;
}

int bench_peers(int argc, char **argv)
{
    arguments a;
    size_t made = 0;
    ph_error err;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    entry *entries = calloc(a.n_names, sizeof *entries);
    peers *list = calloc(a.n_names, sizeof *list);
    ph_status status =
        entries && list ? load_all(&a, entries, &err) : ph_fail(&err, PH_E_NO_MEMORY, "out of memory");
    code = status ? complain(EXIT_INPUT, "%s", err.message) : run(&a, entries, list, &made);
    for (size_t i = 0; entries && list && i < a.n_names; i++) {
        peers_free(&list[i]);
        ph_scenario_free(entries[i].scenario);
    }
    free(entries);
    free(list);
    return code;
}
