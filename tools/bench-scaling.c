/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench scaling: the time of a step against the number of links. The sweep itself is in
 * bench/scaling/scaling.c. */
#include "bench.h"
#include "command.h"

#include "bench/scaling/report.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "Usage: polhode bench scaling [MODEL]... [-m METHOD]... [--from N] [--to N] "
    "[-s STEP] [-o DIR] [--force] [--quiet] [--json]\n"
    "How the cost of a step grows with the size of the system: every method in every form, timed in turn on\n"
    "systems of n = 1, 2, 5, 10, 20, ... parts, "
    "hanging and tilted by 0.1 rad along a smooth curve. Prints times\n"
    "for each part, their slope, memory, and what they say; "
    "writes DIR/report.html (with figures, where there is\n"
    "gnuplot), scaling.json and scaling.csv.\n\n"
    "  MODEL                a model with a number of links, bodies, ... "
    "(default: chain-pendulum; see polhode models)\n"
    "  -m, --method METHOD  a method, with options as METHOD:option=value "
    "(may be repeated; default: every one in\n"
    "                       every form)\n"
    "      --from N         the smallest size (default: 1)\n"
    "      --to N           the largest size (default: 10000)\n"
    "  -s, --step STEP      a step size in s (default: at each size 0.02 over the fastest rate of small\n"
    "                       oscillations, the same for all methods)\n"
    "  -b, --budget TIME    wall-clock time in s for the timing at each size, at least (default: 1.5)\n"
    "      --limit TIME     a method that would take longer than this for a size, in s, "
    "is left out from there on\n"
    "                       (default: 2; beyond n = 10000, where only what grows with n is left, 20)\n"
    "  -o, --output DIR     where to write (default: scaling.bench.out)\n"
    "  -f, --force          overwrite results that are there\n"
    "  -q, --quiet          no progress\n"
    "      --json           print what scaling.json has, in place of tables and words\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done (also when methods were left out: the report says so), "
    "2 wrong usage, 3 cannot write, 130\n"
    "interrupted (what there is is written).\n";

enum { MOST = 64, LONG_FROM = 256, LONG_TO, LONG_LIMIT, LONG_JSON };

typedef struct arguments {
    const char *directory;
    const char *methods[MOST];
    const char *const *models;
    size_t n_methods, n_models;
    scaling_plan plan;
    int force, quiet, json;
} arguments;

/* ---- Arguments ----------------------------------------------------------------------------------- */

static int read_size(const char *text, const char *what, size_t *value)
{
    int64_t n;
    if (ph_parse_count(text, &n) || n < 1 || n > 1000000000)
        return complain(EXIT_INPUT, "%s must be a whole number from 1 to 1e9, not \"%s\"", what, text) + 1;
    *value = (size_t)n;
    return 0;
}

/* 0: go on; otherwise exit code + 1. */
static int take_option(int c, arguments *a)
{
    switch (c) {
    case 'm':
        if (a->n_methods == MOST)
            return complain(EXIT_INPUT, "at most %d methods", MOST) + 1;
        a->methods[a->n_methods++] = optarg;
        return 0;
    case LONG_FROM:
        return read_size(optarg, "the smallest size", &a->plan.from);
    case LONG_TO:
        return read_size(optarg, "the largest size", &a->plan.to);
    case 's':
        return bench_seconds(optarg, "the step size", &a->plan.h);
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
        return complain(EXIT_INPUT, "try: polhode bench scaling --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {
        {"method", required_argument, NULL, 'm'}, {"from", required_argument, NULL, LONG_FROM},
        {"to", required_argument, NULL, LONG_TO}, {"step", required_argument, NULL, 's'},
        {"budget", required_argument, NULL, 'b'}, {"limit", required_argument, NULL, LONG_LIMIT},
        {"output", required_argument, NULL, 'o'}, {"force", no_argument, NULL, 'f'},
        {"quiet", no_argument, NULL, 'q'},        {"json", no_argument, NULL, LONG_JSON},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    static const char *const standard[] = {"chain-pendulum", NULL};
    size_t sizes[SCALING_SIZES], n;
    int c, code;
    ph_error err;
    *a = (arguments){.directory = "scaling.bench.out", .plan = {.from = 1, .to = 10000, .budget = 1.5}};
    while ((c = getopt_long(argc, argv, "m:s:b:o:fqh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    a->models = optind < argc ? (const char *const *)argv + optind : standard;
    a->n_models = optind < argc ? (size_t)(argc - optind) : 1;
    if (scaling_sizes(a->plan.from, a->plan.to, sizes, &n, &err))
        return complain(EXIT_INPUT, "%s", err.message) + 1;
    for (size_t i = 0; i < a->n_models; i++) {
        family f;
        if (family_find(&f, a->models[i], &err))
            return complain(EXIT_INPUT, "%s", err.message) + 1;
    }
    return 0;
}

/* ---- Progress ------------------------------------------------------------------------------------ */

typedef struct teller {
    progress bar;
    char label[200];
    size_t number, count;
} teller;

static void tell_stage(void *self, const scaling *s, size_t n)
{
    teller *t = self;
    snprintf(t->label, sizeof t->label, "[%zu/%zu] %s: n = %zu", t->number, t->count, s->family.model->name,
             n);
}

static void tell_progress(void *self, double fraction)
{
    teller *t = self;
    double whole = ((double)(t->number - 1) + fraction) / (double)t->count;
    progress_show(&t->bar, (double)NAN, (int64_t)(1e6 * whole), 1000000, NULL);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static void print_sweep(const scaling *s)
{
    scaling_table(stdout, s);
    printf("\n%s\n", s->words);
    fflush(stdout);
}

/* made <- the sweeps that were begun, the last one perhaps interrupted. */
static ph_status sweep_all(const arguments *a, const contender *list, size_t n, scaling *sweeps, size_t *made,
                           ph_error *err)
{
    teller t = {.count = a->n_models, .bar = progress_start("", a->quiet)};
    scaling_plan plan = a->plan;
    plan.interrupt = signal_flag();
    plan.stage = tell_stage;
    plan.progress = tell_progress;
    plan.self = &t;
    t.bar.label = t.label;
    ph_status status = PH_OK;
    for (*made = 0; *made < a->n_models && !status;) {
        scaling *s = &sweeps[*made];
        t.number = *made + 1;
        status = scaling_make(s, a->models[*made], list, n, &plan, err);
        progress_end(&t.bar);
        ++*made;
        if (status)
            return status;
        if (!a->json)
            print_sweep(s);
        if (s->status)
            status = ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    }
    return status;
}

static int write_report(const arguments *a, const scaling_report *r)
{
    const char *directory = a->directory;
    report_figures drawn;
    ph_error err;
    if (scaling_files(r, directory, &drawn, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (a->json)
        return scaling_print(r, stdout, &err) ? complain(EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
    printf("Written: %s/report.html%s, scaling.json, scaling.csv\n", directory, bench_figures(drawn));
    return EXIT_OK;
}

static int run(const arguments *a, const contender *list, size_t n, scaling *sweeps, size_t *made)
{
    static const char *const names[] = {"report.html", "scaling.json", "scaling.csv"};
    struct timespec start, end;
    ph_error err;
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (bench_prepare(a->directory, a->force, names, sizeof names / sizeof names[0], &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    clock_gettime(CLOCK_MONOTONIC, &start);
    ph_status status = sweep_all(a, list, n, sweeps, made, &err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (status && status != PH_E_INTERRUPTED)
        return complain(EXIT_INPUT, "%s", err.message);
    scaling_report r = {.sweeps = sweeps, .n = *made};
    r.where.seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    surroundings_describe(&r.where);
    int code = write_report(a, &r);
    if (code == EXIT_OK && status)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", err.message);
    return code;
}

int bench_scaling(int argc, char **argv)
{
    arguments a;
    contender *list = NULL;
    size_t n, made = 0;
    ph_error err;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    n = a.n_methods;
    scaling *sweeps = calloc(a.n_models, sizeof *sweeps);
    ph_status status = n ? bench_contenders(a.methods, n, &list, &err) : scaling_contenders(&list, &n, &err);
    if (!sweeps && !status)
        status = ph_fail(&err, PH_E_NO_MEMORY, "out of memory");
    code = status ? complain(EXIT_INPUT, "%s", err.message) : run(&a, list, n, sweeps, &made);
    for (size_t i = 0; i < made; i++)
        scaling_free(&sweeps[i]);
    free(sweeps);
    free(list);
    return code;
}
