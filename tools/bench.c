/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench: methods compared on problems of the table or on scenarios. The comparison itself is in
 * bench/. */
#include "bench.h"
#include "command.h"

#include "bench/compare/report.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "Usage: polhode bench [PROBLEM | FILE]... [-m METHOD]... [-s STEP]... "
    "[-T TIME] [-o DIR] [--force] [--quiet] [--json]\n"
    "  or:  polhode bench scaling [OPTION | MODEL]...\n"
    "  or:  polhode bench peers [OPTION | PROBLEM | FILE]...\n"
    "  or:  polhode bench archive [OPTION]...\n"
    "  or:  polhode bench roundoff [OPTION | MOTION]...\n"
    "Compare methods: verify each one's order, time them in turn, "
    "and follow them for long at the same step and at\n"
    "the same CPU time. Prints tables and what they say; "
    "writes DIR/report.html (with figures, where there is\n"
    "gnuplot), results.json, results.csv, work-precision.csv "
    "and curves.csv. The other kinds, how cost grows with\n"
    "size, what SUNDIALS does on the same equations, "
    "what archiving costs and how rounding adds up, have a --help of\n"
    "their own.\n\n"
    "  PROBLEM              a problem of the table (see --list); "
    "default: those marked there, within two minutes\n"
    "  FILE                 a scenario file\n"
    "  -m, --method METHOD  a method, with options as METHOD:option=value "
    "(may be repeated; default: those that\n"
    "                       bench/common/contenders.def marks and that support the problem)\n"
    "  -s, --step STEP      a step size in s (may be repeated; default: the problem's)\n"
    "  -T, --time TIME      time of motion of the long runs in s (default: the problem's)\n"
    "  -b, --budget TIME    wall-clock time in s for each of the three timings of a problem (default: 1.5)\n"
    "  -o, --output DIR     where to write "
    "(default: the scenario's or problem's name + .bench.out; bench.out for\n"
    "                       several)\n"
    "  -f, --force          overwrite results that are there\n"
    "  -q, --quiet          no progress\n"
    "      --json           print what results.json has, in place of tables and words\n"
    "  -l, --list           list the problems\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done (also when a method diverged: the table says so), "
    "1 done, but a method could not be\n"
    "verified, 2 wrong usage or scenario, 3 cannot write, 130 interrupted (what there is is written).\n";

enum { MOST = PROBLEM_STEPS, LONG_JSON = 256 };

static const struct {
    const char *text;
    int standard;
} listed[] = {
#define CONTENDER(text, standard) {text, standard},
#include "bench/common/contenders.def"
#undef CONTENDER
};
enum { LISTED = sizeof listed / sizeof listed[0] };

typedef struct arguments {
    const char *directory;
    char **names;
    size_t n_names;
    const char *methods[MOST];
    double steps[MOST], time, budget;
    size_t n_methods, n_steps;
    int force, quiet, json, list;
} arguments;

/* A problem made ready: what is given here overrides the table. */
typedef struct entry {
    problem problem;
    ph_scenario *scenario;
    contender contenders[MOST];
    size_t n_contenders;
} entry;

/* ---- Arguments ------------------------------------------------------------------------------------ */

int bench_seconds(const char *text, const char *what, double *value)
{
    if (ph_parse_number(text, value) || !(*value > 0))
        return complain(EXIT_INPUT, "%s must be a positive number of seconds, not \"%s\"", what, text) + 1;
    return 0;
}

static int list_as_json(void)
{
    builder b = {0};
    json_object *o = build_object(&b), *list = build_array(&b);
    for (size_t i = 0; i < n_problems; i++) {
        json_object *node = build_object(&b);
        build_add(&b, node, "name", build_text(&b, problems[i].name));
        build_add(&b, node, "title", build_text(&b, problems[i].title));
        build_add(&b, node, "default", build_flag(&b, problems[i].standard));
        build_append(&b, list, node);
    }
    build_add(&b, o, "polhode_problems", build_count(&b, 1));
    build_add(&b, o, "problems", list);
    return print_document(&b, o);
}

static int list_problems(void)
{
    printf("Problems (* in the default set):\n");
    for (size_t i = 0; i < n_problems; i++)
        printf("%c %-29s %s\n", problems[i].standard ? '*' : ' ', problems[i].name, problems[i].title);
    return EXIT_OK;
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
    case 's':
        if (a->n_steps == MOST)
            return complain(EXIT_INPUT, "at most %d step sizes", MOST) + 1;
        return bench_seconds(optarg, "the step size", &a->steps[a->n_steps++]);
    case 'T':
        return bench_seconds(optarg, "the time", &a->time);
    case 'b':
        return bench_seconds(optarg, "the budget", &a->budget);
    case 'o':
        a->directory = optarg;
        return 0;
    case 'f':
        return a->force = 1, 0;
    case 'q':
        return a->quiet = 1, 0;
    case LONG_JSON:
        return a->json = 1, 0;
    case 'l':
        return a->list = 1, 0;
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode bench --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {{"method", required_argument, NULL, 'm'},
                                            {"step", required_argument, NULL, 's'},
                                            {"time", required_argument, NULL, 'T'},
                                            {"budget", required_argument, NULL, 'b'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, LONG_JSON},
                                            {"list", no_argument, NULL, 'l'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int c, code;
    *a = (arguments){.budget = 1.5};
    while ((c = getopt_long(argc, argv, "m:s:T:b:o:fqlh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    a->names = argv + optind;
    a->n_names = (size_t)(argc - optind);
    return 0;
}

/* ---- Problems -------------------------------------------------------------------------------------- */

static int is_file(const char *name)
{
    return strchr(name, '/') || strchr(name, '.') || access(name, F_OK) == 0;
}

ph_status bench_load(const char *name, problem *p, ph_scenario **scenario, ph_error *err)
{
    ph_error unknown;
    const problem *row = problem_find(name, &unknown);
    if (row) {
        *p = *row;
        return ph_scenario_parse(row->scenario, strlen(row->scenario), row->name, scenario, err);
    }
    if (!is_file(name))
        return ph_fail(err, PH_E_UNKNOWN, "%s\n(a scenario is meant when there is a file of that name)",
                       unknown.message);
    ph_status status = ph_scenario_load(name, scenario, err);
    return status ? status : problem_of_scenario(p, *scenario, name, err);
}

static ph_status override(entry *e, const arguments *a, ph_error *err)
{
    problem *p = &e->problem;
    if (a->time > 0)
        p->horizon = a->time;
    if (a->n_steps) {
        memset(p->steps, 0, sizeof p->steps);
        memcpy(p->steps, a->steps, a->n_steps * sizeof *a->steps);
    }
    for (size_t i = 0; i < PROBLEM_STEPS && p->steps[i] > 0; i++) {
        double h = p->steps[i], steps = p->horizon / h;
        if (!(steps >= 1) || fabs(steps - floor(steps + 0.5)) > 1e-6 || steps > 9e15)
            return ph_fail(
                err, PH_E_RANGE,
                "%g s is not a whole number of steps of %g s; the nearest times are %.12g and %.12g s (-T)",
                p->horizon, h, h * fmax(1, floor(steps)), h * (floor(steps) + 1));
    }
    return PH_OK;
}

static ph_status choose_contenders(entry *e, const arguments *a, ph_error *err)
{
    size_t n = a->n_methods ? a->n_methods : LISTED;
    const ph_system *system = ph_scenario_system(e->scenario);
    for (size_t i = 0; i < n; i++) {
        if (!a->n_methods && !listed[i].standard)
            continue;
        contender *c = &e->contenders[e->n_contenders];
        ph_status status = contender_parse(c, a->n_methods ? a->methods[i] : listed[i].text, err);
        if (status)
            return status;
        if (!c->method->supports || c->method->supports(system, err) == PH_OK)
            e->n_contenders++;
        else if (a->n_methods)
            return PH_E_UNSUPPORTED;
    }
    return PH_OK;
}

static ph_status make_entry(entry *e, const char *name, const arguments *a, ph_error *err)
{
    ph_status status = bench_load(name, &e->problem, &e->scenario, err);
    if (!status)
        status = override(e, a, err);
    return status ? status : choose_contenders(e, a, err);
}

/* ---- Progress -------------------------------------------------------------------------------------- */

typedef struct teller {
    progress bar;
    char label[256];
    size_t number, count;
    int quiet;
} teller;

static void tell_stage(void *self, const comparison *c, const char *what)
{
    teller *t = self;
    progress_end(&t->bar);
    snprintf(t->label, sizeof t->label, "[%zu/%zu] %s: %s", t->number, t->count, c->problem->name, what);
    t->bar = progress_start(t->label, t->quiet);
}

static void tell_progress(void *self, double time, int64_t done, int64_t total)
{
    progress_show(&((teller *)self)->bar, time, done, total, NULL);
}

/* ---- The whole ------------------------------------------------------------------------------------- */

ph_status bench_prepare(const char *directory, int force, const char *const *names, size_t n, ph_error *err)
{
    ph_status status = ph_archive_prepare(directory, NULL, true, err);
    for (size_t i = 0; i < n && !status && !force; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (access(path, F_OK) == 0)
            status = ph_fail(err, PH_E_EXISTS,
                             "%s exists already; choose another directory (-o) or add --force", path);
    }
    return status;
}

ph_status bench_contenders(const char *const *names, size_t n, contender **list, ph_error *err)
{
    ph_status status = PH_OK;
    *list = calloc(n + 1, sizeof **list);
    if (!*list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !status; i++)
        status = contender_parse(&(*list)[i], names[i], err);
    return status;
}

const char *bench_figures(report_figures figures)
{
    static const char *const words[] = {"", " (without figures: gnuplot is not there)",
                                        " (without figures: gnuplot failed)"};
    return words[figures];
}

static ph_status prepare(const char *directory, int force, ph_error *err)
{
    static const char *const names[] = {"report.html", "results.json", "results.csv", "work-precision.csv",
                                        "curves.csv"};
    return bench_prepare(directory, force, names, sizeof names / sizeof names[0], err);
}

static void print_comparison(const comparison *c)
{
    printf("%s%s\n\n", c->problem->title, c->status ? " (interrupted)" : "");
    report_table(stdout, c);
    printf("\n%s\n", c->words);
    fflush(stdout);
}

/* made <- the comparisons that were begun, the last one perhaps interrupted. */
static ph_status compare(entry *entries, size_t n, const arguments *a, comparison *comparisons, size_t *made,
                         ph_error *err)
{
    teller t = {.count = n, .quiet = a->quiet, .bar = progress_start("", 1)};
    comparison_plan plan = {.timing_budget = a->budget,
                            .interrupt = signal_flag(),
                            .stage = tell_stage,
                            .progress = tell_progress,
                            .self = &t};
    for (*made = 0; *made < n;) {
        entry *e = &entries[*made];
        comparison *c = &comparisons[*made];
        t.number = *made + 1;
        ph_status status =
            comparison_make(c, &e->problem, e->scenario, e->contenders, e->n_contenders, &plan, err);
        e->scenario = NULL; /* the comparison has it now */
        progress_end(&t.bar);
        ++*made;
        if (status)
            return status;
        if (!a->json)
            print_comparison(c);
        if (c->status)
            return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
    }
    return PH_OK;
}

static int write_report(const arguments *a, const comparison *comparisons, size_t n, const char *directory,
                        double seconds)
{
    report r = {.comparisons = comparisons, .n = n, .where.seconds = seconds};
    report_figures drawn = FIGURES_FAILED;
    ph_error err;
    surroundings_describe(&r.where);
    if (report_json(&r, directory, &err) || report_csv(&r, directory, &err) ||
        report_html(&r, directory, &drawn, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    if (a->json)
        return report_print(&r, stdout, &err) ? complain(EXIT_OUTPUT, "%s", err.message) : EXIT_OK;
    printf("Written: %s/report.html%s, results.json, results.csv, work-precision.csv, curves.csv\n",
           directory, bench_figures(drawn));
    return EXIT_OK;
}

static int all_verified(const comparison *comparisons, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < comparisons[i].n_contenders; j++)
            if (!comparisons[i].ladders[j].verified)
                return complain(0, "%s: %s", comparisons[i].problem->name, comparisons[i].ladders[j].text);
    return 1;
}

static int bench(const arguments *a, entry *entries, comparison *comparisons, size_t n, const char *directory)
{
    ph_error err;
    size_t made = 0;
    struct timespec start, end;
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (prepare(directory, a->force, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    clock_gettime(CLOCK_MONOTONIC, &start);
    ph_status status = compare(entries, n, a, comparisons, &made, &err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (status && status != PH_E_INTERRUPTED)
        return complain(EXIT_INPUT, "%s", err.message);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    int code = write_report(a, comparisons, made, directory, seconds);
    if (code)
        return code;
    if (status)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", err.message);
    return all_verified(comparisons, n) ? EXIT_OK : EXIT_ENDED_EARLY;
}

static int run_entries(const arguments *a, const char *const *names, size_t n)
{
    ph_error err;
    char directory[4096];
    int code = EXIT_OK;
    entry *entries = calloc(n + 1, sizeof *entries);
    comparison *comparisons = calloc(n + 1, sizeof *comparisons);
    if (!entries || !comparisons)
        code = complain(EXIT_INPUT, "out of memory");
    for (size_t i = 0; i < n && code == EXIT_OK; i++)
        if (make_entry(&entries[i], names[i], a, &err))
            code = complain(EXIT_INPUT, "%s", err.message);
    if (n == 1)
        default_directory(names[0], ".bench.out", directory, sizeof directory);
    else
        snprintf(directory, sizeof directory, "bench.out");
    if (code == EXIT_OK)
        code = bench(a, entries, comparisons, n, a->directory ? a->directory : directory);
    for (size_t i = 0; i < n && entries && comparisons; i++) {
        comparison_free(&comparisons[i]);
        ph_scenario_free(entries[i].scenario);
    }
    free(entries);
    free(comparisons);
    return code;
}

int command_bench(int argc, char **argv)
{
    arguments a;
    if (argc > 1 && !strcmp(argv[1], "scaling"))
        return bench_scaling(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "peers"))
        return bench_peers(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "archive"))
        return bench_archive(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "roundoff"))
        return bench_roundoff(argc - 1, argv + 1);
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    if (a.list)
        return a.json ? list_as_json() : list_problems();
    if (a.n_names)
        return run_entries(&a, (const char *const *)a.names, a.n_names);
    const char **standard = calloc(n_problems + 1, sizeof *standard);
    size_t n = 0;
    if (!standard)
        return complain(EXIT_INPUT, "out of memory");
    for (size_t i = 0; i < n_problems; i++)
        if (problems[i].standard)
            standard[n++] = problems[i].name;
    code = run_entries(&a, standard, n);
    free(standard);
    return code;
}
