/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode resume: a run goes on from its archive. */
#include "command.h"

#include "session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: polhode resume FILE.polhode [--until T] [--wall-clock S] [--scenario FILE]\n"
    "       [--snapshot-interval S] [--csv] [--json] [--quiet]\n"
    "Go on with a run that was ended, killed or is through, from its archive: rows are added to it, and\n"
    "summary.json beside it is written anew. The result has the bits of a run in one piece.\n\n"
    "  -u, --until T              to this time of the motion, in s, instead of the planned one\n"
    "      --scenario FILE        only if the archived scenario is this one, line by line\n" SESSION_HELP
    "\nCtrl-C, SIGTERM and a file STOP beside the archive end the run after the step, whole.\n"
    "Exit status: 0 done, 1 the run ended early, 2 wrong usage or no archive, 3 cannot read or write.\n";

/* 0: go on; otherwise exit code + 1. */
static int read_arguments(int argc, char **argv, wishes *w)
{
    static const struct option options[] = {{"until", required_argument, NULL, 'u'},
                                            {"scenario", required_argument, NULL, 's'},
                                            SESSION_OPTIONS,
                                            {NULL, 0, NULL, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "u:qh", options, NULL)) != -1) {
        if (c == 'h')
            return fputs(usage, stdout), EXIT_OK + 1;
        if (c == 's')
            w->scenario = optarg;
        else if (c == 'u' ? session_time("--until", optarg, -INFINITY, &w->until)
                          : session_option(w, "resume", c, optarg))
            return EXIT_INPUT + 1;
    }
    if (argc - optind != 1)
        return complain(EXIT_INPUT, "resume takes one archive, not %d\nTry: polhode resume --help",
                        argc - optind) +
               1;
    w->file = argv[optind];
    if (strlen(w->file) >= sizeof w->directory - 32)
        return complain(EXIT_INPUT, "the archive's name is too long") + 1;
    return 0;
}

int command_resume(int argc, char **argv)
{
    wishes w = session_wishes();
    int code = read_arguments(argc, argv, &w);
    return code ? code - 1 : session_resume(&w);
}
