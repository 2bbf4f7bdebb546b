/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a scenario, from its start or from its archive, until it is completed or something stops it. */
#ifndef POLHODE_TOOLS_SESSION_H
#define POLHODE_TOOLS_SESSION_H

#include "bench/common/command.h"

typedef struct session_arguments {
    const char *file;      /* a scenario, or an archive */
    const char *directory; /* where the results of a new run are written; NULL: the scenario's name + .out */
    const char *scenario;  /* that the archive must have, or NULL */
    bool force, quiet, csv, json, resumes, no_compile;
    double accuracy;      /* of a new run, instead of the scenario's method and step; 0: not given */
    option_texts set;     /* KEY=VALUE, of a new run, instead of the scenario's values */
    option_texts columns; /* none: as the scenario says */
    int64_t member;       /* of an ensemble; -1: the scenario is not one */
    double wall_clock;    /* [s], INFINITY: no bound */
    double snapshot;      /* [s], or NAN: as the scenario says */
    double until;         /* [s], or NAN: as planned */
    double progress;      /* [s] between two lines of progress where stderr is no terminal; 0: none */
} session_arguments;

extern const session_arguments session_defaults;

/* Options of both commands. */
/* clang-format off */
#define SESSION_OPTIONS \
    {"wall-clock", 0, "S", OPTION_AT(DURATION, session_arguments, wall_clock), .text = "end after S seconds"}, \
    {"snapshot-interval", 0, "S", OPTION_AT(DURATION, session_arguments, snapshot), \
     .text = "save at least every S seconds: a crash loses no more (default: 60, or as in the scenario)"}, \
    {"csv", 0, NULL, OPTION_AT(FLAG, session_arguments, csv), .text = "also write trajectory.csv and events.csv"}, \
    {"json", 0, NULL, OPTION_AT(FLAG, session_arguments, json), \
     .text = "print the contents of summary.json and the files written, as JSON"}, \
    {"no-compile", 0, NULL, OPTION_AT(FLAG, session_arguments, no_compile), .text = NO_COMPILE}, \
    {"progress", 0, "S", OPTION_AT(DURATION, session_arguments, progress), \
     .text = "if standard error is not a terminal, write a progress line every S seconds (default: 60; 0: never)"}, \
    {"quiet", 'q', NULL, OPTION_AT(FLAG, session_arguments, quiet), \
     .text = "print nothing but errors: no progress, no warnings"}
/* clang-format on */

/* A run from its start, or its continuation; returns an exit code. */
int session_run(const session_arguments *a);
int session_resume(const session_arguments *a);

#endif
