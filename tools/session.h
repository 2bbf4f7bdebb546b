/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a scenario, from its start or from its archive, until it is through or something stops it. */
#ifndef POLHODE_TOOLS_SESSION_H
#define POLHODE_TOOLS_SESSION_H

#include <getopt.h>
#include <stdbool.h>

#include <polhode/polhode.h>

/* What the command line says. */
typedef struct wishes {
    const char *file;     /* a scenario, or an archive */
    char directory[4096]; /* where the results of a new run go */
    const char *scenario; /* that an archive is to be of, or NULL */
    bool force, quiet, csv, json;
    const char **columns; /* (n_columns) words, malloc's; none: as the scenario says */
    size_t n_columns;
    double wall_clock; /* [s], INFINITY: no bound */
    double snapshot;   /* [s], or NAN: as the scenario says */
    double until;      /* [s], or NAN: as planned */
} wishes;

/* Options of both commands, for getopt_long and for their help. */
/* clang-format off */
#define SESSION_OPTIONS                                                                                      \
    {"wall-clock", required_argument, NULL, 'w'}, {"snapshot-interval", required_argument, NULL, 'i'},       \
    {"csv", no_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'}, {"quiet", no_argument, NULL, 'q'},    \
    {"help", no_argument, NULL, 'h'}
/* clang-format on */
#define SESSION_HELP                                                                                         \
    "      --wall-clock S         end after S seconds\n"                                                     \
    "      --snapshot-interval S  at most S seconds of work can be lost (default: 60, or\n"                  \
    "                             as the scenario says)\n"                                                   \
    "      --csv                  write trajectory.csv, too, and events.csv\n"                               \
    "      --json                 print what summary.json says and the files written, as JSON\n"             \
    "  -q, --quiet                print nothing but errors: no progress, no warnings\n"                      \
    "  -h, --help                 this text\n"

wishes session_wishes(void);
/* Take one of these options; 0, or -1 with a complaint where its value is wrong. */
int session_option(wishes *w, const char *command, int option, const char *value);
/* *value <- a time of the command line. */
int session_time(const char *option, const char *text, double least, double *value);

/* Run from the start, or go on; returns an exit code. */
int session_run(const wishes *w);
int session_resume(const wishes *w);

#endif
