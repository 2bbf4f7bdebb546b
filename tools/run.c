/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode run: a scenario from file to archive and summary.json. */
#include "command.h"

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: polhode run FILE [-o DIR] [--force] [--wall-clock S] [--snapshot-interval S] [--csv]\n"
    "                   [--columns LIST] [--json] [--quiet]\n"
    "Run a scenario and write DIR/NAME.polhode, an archive, and DIR/summary.json.\n\n"
    "  -o, --output DIR           where to write (default: the scenario's name + .out)\n"
    "  -f, --force                overwrite results that are there\n"
    "      --columns LIST         these columns behind t and step, as q1,energy_error\n"
    "                             (default: all, or as the scenario says)\n" SESSION_HELP
    "\nCtrl-C, SIGTERM and a file DIR/STOP end the run after the step, whole; a second Ctrl-C\n"
    "ends it at once. However it ends, polhode resume DIR/NAME.polhode goes on with it.\n"
    "Exit status: 0 done, or stopped by an event, 1 the run ended early, "
    "2 wrong usage or scenario, 3 cannot write.\n";

/* "q1,energy_error", which is cut into its words; 0, or -1 with a complaint. */
static int choose_columns(wishes *w, char *list)
{
    char *rest = NULL;
    size_t most = 1;
    for (const char *s = list; *s; s++)
        most += *s == ',';
    free(w->columns);
    w->columns = malloc(most * sizeof *w->columns);
    w->n_columns = 0;
    if (!w->columns)
        return complain(EXIT_OUTPUT, "out of memory"), -1;
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        w->columns[w->n_columns++] = word;
    return w->n_columns ? 0 : (complain(EXIT_INPUT, "--columns names no column"), -1);
}

/* 0: go on; otherwise exit code + 1. */
static int read_arguments(int argc, char **argv, wishes *w)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"columns", required_argument, NULL, 'l'},
                                            SESSION_OPTIONS,
                                            {NULL, 0, NULL, 0}};
    const char *directory = NULL;
    int c;
    while ((c = getopt_long(argc, argv, "o:fqh", options, NULL)) != -1) {
        if (c == 'h')
            return fputs(usage, stdout), EXIT_OK + 1;
        if (c == 'o')
            directory = optarg;
        else if (c == 'f')
            w->force = true;
        else if (c == 'l' ? choose_columns(w, optarg) : session_option(w, "run", c, optarg))
            return EXIT_INPUT + 1;
    }
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "run takes one scenario file, not %d\nTry: polhode run --help",
                        argc - optind) +
               1;
    w->file = argv[optind];
    if (directory && (!*directory || strlen(directory) >= sizeof w->directory - 32))
        return complain(EXIT_INPUT, "the output directory's name is empty or too long") + 1;
    if (directory)
        strcpy(w->directory, directory);
    else
        default_directory(w->file, ".out", w->directory, sizeof w->directory - 32);
    return 0;
}

int command_run(int argc, char **argv)
{
    wishes w = session_wishes();
    int code = read_arguments(argc, argv, &w);
    code = code ? code - 1 : session_run(&w);
    free(w.columns);
    return code;
}
