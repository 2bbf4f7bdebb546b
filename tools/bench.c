/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench: methods and step sizes compared on a scenario. The comparison itself is in bench/. */
#include "command.h"

#include <bench/compare.h>

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: polhode bench FILE [-m METHOD]... [-s STEP]... [-T TIME] [-o DIR] [--force] [--quiet]\n"
    "Run a scenario by several methods and step sizes; print a table and what it says, and write\n"
    "DIR/bench.csv, DIR/energy-error.csv and (with gnuplot) the figure DIR/energy-error.svg.\n\n"
    "  -m, --method METHOD  a method, with options as METHOD:option=value (may be repeated;\n"
    "                       default: every method of the catalogue)\n"
    "  -s, --step STEP      a step size in s (may be repeated; default: the scenario's)\n"
    "  -T, --time TIME      time to run in s (default: the scenario's)\n"
    "  -o, --output DIR     where to write (default: the scenario's name + .bench.out)\n"
    "  -f, --force          overwrite results that are there\n"
    "  -q, --quiet          no progress\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done (also when a method diverged: the table says so), 2 wrong usage or scenario,\n"
    "3 cannot write, 130 interrupted.\n";

enum { MOST = 16 };

typedef struct arguments {
    const char *file, *directory;
    const char *methods[MOST];
    double steps[MOST], time;
    size_t n_methods, n_steps;
    int force, quiet;
} arguments;

static int read_positive(const char *text, const char *what, double *value)
{
    if (ph_parse_number(text, value) || !(*value > 0))
        return complain(EXIT_INPUT, "%s must be a positive number of seconds, not \"%s\"", what, text) + 1;
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
    case 's':
        if (a->n_steps == MOST)
            return complain(EXIT_INPUT, "at most %d step sizes", MOST) + 1;
        return read_positive(optarg, "the step size", &a->steps[a->n_steps++]);
    case 'T':
        return read_positive(optarg, "the time", &a->time);
    case 'o':
        a->directory = optarg;
        return 0;
    case 'f':
        return a->force = 1, 0;
    case 'q':
        return a->quiet = 1, 0;
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode bench --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {
        {"method", required_argument, NULL, 'm'}, {"step", required_argument, NULL, 's'},
        {"time", required_argument, NULL, 'T'},   {"output", required_argument, NULL, 'o'},
        {"force", no_argument, NULL, 'f'},        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    int c, code;
    *a = (arguments){0};
    while ((c = getopt_long(argc, argv, "m:s:T:o:fqh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "bench takes one scenario file, not %d\nTry: polhode bench --help",
                        argc - optind) +
               1;
    a->file = argv[optind];
    if (!a->n_methods) /* every method there is */
        while (a->n_methods < ph_methods() && a->n_methods < MOST) {
            a->methods[a->n_methods] = ph_method_at(a->n_methods)->name;
            a->n_methods++;
        }
    return 0;
}

/* trials <- step sizes x methods. */
static ph_status plan_trials(const arguments *a, const ph_scenario *sc, double duration, trial *trials,
                             ph_error *err)
{
    for (size_t i = 0; i < a->n_steps; i++) {
        double h = a->steps[i], steps = duration / h;
        if (!(steps >= 1) || fabs(steps - floor(steps + 0.5)) > 1e-6 || steps > 9e15)
            return ph_fail(
                err, PH_E_RANGE,
                "%g s is not a whole number of steps of %g s; the nearest times are %.12g and %.12g s (-T)",
                duration, h, h * fmax(1, floor(steps)), h * (floor(steps) + 1));
        for (size_t j = 0; j < a->n_methods; j++) {
            trial *t = &trials[i * a->n_methods + j];
            ph_status status = trial_parse(t, a->methods[j], err);
            if (!status && t->method->supports)
                status = t->method->supports(ph_scenario_system(sc), err);
            if (status)
                return status;
            t->h = h;
        }
    }
    return PH_OK;
}

static void show(void *self, const trial *t, double time, int64_t done)
{
    progress_show(self, time, done, t->steps);
}

static ph_status run_trials(const arguments *a, const ph_scenario *sc, double duration, trial *trials,
                            size_t n, size_t *ran, ph_error *err)
{
    for (size_t i = 0; i < n; i++) {
        char label[160];
        snprintf(label, sizeof label, "%zu/%zu %s h = %g", i + 1, n, trials[i].label, trials[i].h);
        progress p = progress_start(label, a->quiet);
        double h = copysign(trials[i].h, ph_scenario_step_size(sc));
        ph_status status = trial_run(&trials[i], sc, h, duration, signal_flag(), show, &p, err);
        progress_end(&p);
        if (status)
            return status;
        *ran = i + 1;
        if (trials[i].status == PH_E_INTERRUPTED)
            return ph_fail(err, PH_E_INTERRUPTED, "%s", trials[i].message);
    }
    return PH_OK;
}

static ph_status prepare(const arguments *a, const char *directory, ph_error *err)
{
    static const char *const names[] = {"bench.csv", "energy-error.csv", "energy-error.svg"};
    ph_status status = ph_archive_prepare(directory, true, err);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !status && !a->force; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        FILE *f = fopen(path, "r");
        if (f) {
            fclose(f);
            status = ph_fail(err, PH_E_EXISTS,
                             "%s exists already; choose another directory (-o) or add --force", path);
        }
    }
    return status;
}

static int report(const ph_scenario *sc, const char *directory, const trial *trials, size_t n)
{
    static const char *const figures[] = {", energy-error.svg", "; no figure: no error is above 0",
                                          "; no figure: gnuplot is not there", "; no figure: gnuplot failed"};
    ph_error err;
    report_figure figure = FIGURE_FAILED;
    report_table(stdout, trials, n);
    putchar('\n');
    report_words(stdout, trials, n);
    if (report_files(directory, ph_scenario_model(sc)->name, trials, n, &figure, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    printf("\nWritten: %s/bench.csv, energy-error.csv%s\n", directory, figures[figure]);
    return EXIT_OK;
}

static int bench(arguments *a, const ph_scenario *sc, trial *trials, const char *directory)
{
    ph_error err;
    size_t n = a->n_methods * a->n_steps, ran = 0;
    double duration = a->time > 0 ? a->time : fabs(ph_scenario_step_size(sc)) * (double)ph_scenario_steps(sc);
    if (plan_trials(a, sc, duration, trials, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    if (prepare(a, directory, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    catch_signals();
    printf("%s: %g s of time by %zu method%s at %zu step size%s\n\n", ph_scenario_model(sc)->name, duration,
           a->n_methods, a->n_methods == 1 ? "" : "s", a->n_steps, a->n_steps == 1 ? "" : "s");
    fflush(stdout);
    ph_status status = run_trials(a, sc, duration, trials, n, &ran, &err);
    if (status && status != PH_E_INTERRUPTED)
        return complain(EXIT_INPUT, "%s", err.message);
    int code = report(sc, directory, trials, ran);
    if (status && code == EXIT_OK)
        return complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", err.message);
    return code;
}

int command_bench(int argc, char **argv)
{
    arguments a;
    ph_scenario *sc = NULL;
    ph_error err;
    char directory[4096];
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    if (ph_scenario_load(a.file, &sc, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    if (!a.n_steps)
        a.steps[a.n_steps++] = fabs(ph_scenario_step_size(sc));
    default_directory(a.file, ".bench.out", directory, sizeof directory);
    trial *trials = calloc(a.n_methods * a.n_steps, sizeof *trials);
    code = trials ? bench(&a, sc, trials, a.directory ? a.directory : directory)
                  : complain(EXIT_INPUT, "out of memory");
    free(trials);
    ph_scenario_free(sc);
    return code;
}
