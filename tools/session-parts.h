/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a session share: session.c opens and runs it, session-look.c looks on, session-recall.c goes on
 * from an archive, session-compare.c asks whether it is what it was, session-end.c ends it. */
#ifndef POLHODE_TOOLS_SESSION_PARTS_H
#define POLHODE_TOOLS_SESSION_PARTS_H

#include "command.h"
#include "session.h"

enum { PATHS = 4096 + 300 };

typedef struct session {
    const wishes *wishes;
    ph_scenario *scenario;
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_archive *archive;
    ph_csv *csv;
    ph_events *events;       /* NULL where the scenario has none */
    ph_event_csv *event_csv; /* NULL, as csv, where none is wanted */
    progress progress;
    char path[PATHS], stop_file[PATHS];
    int64_t steps;      /* planned */
    int64_t rows;       /* since the start of the trajectory */
    int64_t row_passes; /* Newton passes at the row before */
    ph_account before;  /* of earlier sessions */
    int64_t done_before;
    double deadline, looked; /* of the wall clock: the end, and when STOP was looked for */
    bool settled; /* this state is not to be committed: it was, or cannot be, or its row is missing */
    bool stops;   /* an event that stops the run was found */
    bool kept;    /* of the last state, before it made a row that the schedule does not want: */
    ph_monitor *kept_monitor;
    ph_account kept_account;
    const char *reason, *ended_by; /* why the run is to end, for ph_ending; NULL: the status says it */
    ph_run_report report;
    ph_summary summary;
} session;

/* Newton passes from the start of the trajectory. */
int64_t session_passes(const session *s);
/* Does the schedule want this state to be seen? (The last one of a run is seen anyway.) */
bool session_is_scheduled(const session *s, int64_t done);
/* What belongs to the state besides. */
ph_account session_account(const session *s);
/* This state, and the rows until now, to the disk. */
ph_status session_commit(session *s, const ph_state *state, ph_error *err);
/* The observer: measure, write a row. */
ph_status session_look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
/* The watch between the outputs: show progress; is it time for a snapshot, or for the end? */
ph_status session_watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);

/* Planned, where it began at t0. */
double session_end_time(const session *s, double t0);
/* What a start and a resumption need; the state has still to be set. */
ph_status session_open_motion(session *s, const char *options, ph_error *err);
double session_snapshot_interval(const session *s);
bool session_wants_csv(const session *s);
/* trajectory.csv, of the columns of these words, and events.csv, if they are wanted. */
ph_status session_open_csv(session *s, const char *const *columns, size_t n, ph_error *err);

/* Open the session from its archive. */
ph_status session_recall(session *s, ph_error *err);
/* Before: is this the program that began it, and is the scenario still what it was? Warns; PH_E_INVALID where it is not
 * the one that --scenario names. */
ph_status session_compare(const session *s, const ph_record *record, ph_error *err);

/* Is it a failure of what is written, not of the input? */
bool session_is_about_output(ph_status status);
/* Complete the files whatever ended the run, and say how it ended; returns an exit code. */
int session_finish(session *s, ph_status ended, const ph_error *why);

#endif
