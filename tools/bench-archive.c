/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench archive: what rows add to the time of a run. The measuring itself is in bench/archiving/archiving.c. */
#include "bench.h"
#include "command.h"

#include "bench/archiving/archiving.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

static const char usage[] =
    "Usage: polhode bench archive [-b TIME] [-o DIR] [--force] [--quiet] [--json]\n"
    "What it costs to archive a run: CPU time, the system's included, "
    "of the same motion in turn without rows\n"
    "and with them, for a double spherical pendulum with a row each 100 steps, "
    "a chain of 1000 links and a heavy\n"
    "top with one each 10. "
    "Prints ns a step and a row, what rows add, and the bytes of the file a number; writes\n"
    "DIR/archive-costs.json. Archives are written in DIR, too, and removed: its file system counts.\n\n"
    "  -b, --budget TIME    wall-clock time in s for each of the three, at least (default: 20)\n"
    "  -o, --output DIR     where to write (default: archive.bench.out)\n"
    "  -f, --force          overwrite results that are there\n"
    "  -q, --quiet          no progress\n"
    "      --json           print what archive-costs.json has, in place of the table\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done, 2 wrong usage, 3 cannot write, 130 interrupted (what there is is written).\n";

enum { LONG_JSON = 256 };

typedef struct arguments {
    const char *directory;
    double budget;
    int force, quiet, json;
} arguments;

/* 0: go on; otherwise exit code + 1. */
static int take_option(int c, arguments *a)
{
    switch (c) {
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
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode bench archive --help") + 1;
    }
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {{"budget", required_argument, NULL, 'b'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, LONG_JSON},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int c, code;
    *a = (arguments){.directory = "archive.bench.out", .budget = 20};
    while ((c = getopt_long(argc, argv, "b:o:fqh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    if (optind < argc)
        return complain(EXIT_INPUT, "\"%s\" is not expected: what is measured is fixed", argv[optind]) + 1;
    return 0;
}

static void tell_progress(void *self, const char *name, double fraction)
{
    progress *bar = self;
    bar->label = name;
    progress_show(bar, (double)NAN, (int64_t)(1e6 * fraction), 1000000, NULL);
}

int bench_archive(int argc, char **argv)
{
    static const char *const names[] = {"archive-costs.json"};
    arguments a;
    archiving r = {.n = 0};
    struct timespec start, end;
    ph_error err, lost;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (bench_prepare(a.directory, a.force, names, 1, &err))
        return complain(EXIT_OUTPUT, "%s", err.message);
    progress bar = progress_start("", a.quiet);
    const archiving_plan plan = {.directory = a.directory,
                                 .budget = a.budget,
                                 .interrupt = signal_flag(),
                                 .progress = tell_progress,
                                 .self = &bar};
    clock_gettime(CLOCK_MONOTONIC, &start);
    ph_status status = archiving_measure(&r, &plan, &err);
    clock_gettime(CLOCK_MONOTONIC, &end);
    progress_end(&bar);
    if (status && status != PH_E_INTERRUPTED)
        return complain(status == PH_E_IO || status == PH_E_EXISTS ? EXIT_OUTPUT : EXIT_INPUT, "%s",
                        err.message);
    r.where.seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    surroundings_describe(&r.where);
    if (archiving_file(&r, a.directory, &lost) || (a.json && archiving_print(&r, stdout, &lost)))
        return complain(EXIT_OUTPUT, "%s", lost.message);
    if (!a.json) {
        archiving_table(stdout, &r);
        printf("\nWritten: %s/archive-costs.json\n", a.directory);
    }
    return status ? complain(EXIT_SIGNAL + (int)*signal_flag(), "%s; what there is was written", err.message)
                  : EXIT_OK;
}
