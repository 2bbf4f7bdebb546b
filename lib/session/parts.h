/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a session share: open.c begins a run and resume.c continues one from its archive, after
 * compare.c has checked that it is still the same; both set it up by setup.c; run.c runs and closes it,
 * look.c observes it, end.c completes its files; session.c has what callers read, size.c
 * how much it is going to write. */
#ifndef PH_SESSION_PARTS_H
#define PH_SESSION_PARTS_H

#include <polhode/csv.h>
#include <polhode/record.h>
#include <polhode/session.h>

#include <string.h>

/* What callers are shown, made when they ask. */
typedef struct ph_session_sums {
    ph_run_report here, whole; /* of this session, and from the start of the trajectory */
    ph_statistics statistics;
    ph_summary summary;
} ph_session_sums;

struct ph_session {
    ph_session_options options; /* its texts and numbers are not the caller's: see the fields below */
    double wall_clock, until;   /* [s], INFINITY and NAN where they are not given */
    double snapshot;            /* [s], NAN likewise */
    double largest;             /* [bytes], INFINITY likewise */
    /* what is run */
    ph_scenario *scenario; /* NULL: a system of the caller's */
    char *model;
    ph_schedule output;
    double *times;       /* those of `output` of a plan, copied */
    double energy_bound; /* INFINITY: none */
    bool csv_wanted;
    bool *stops_at; /* (n_events) does this event stop the run? */
    size_t n_events;
    int64_t steps;    /* planned */
    size_t n_columns; /* of a row */
    double t0;        /* [s] the time of its start */
    /* its objects */
    ph_integrator *integrator;
    ph_state *state;
    ph_diagnostics *diagnostics;
    ph_monitor *monitor;
    ph_archive *archive;
    ph_csv *csv;
    ph_events *events;       /* NULL where none is looked for */
    ph_event_csv *event_csv; /* NULL, as csv, where none is wanted */
    ph_dense *dense;         /* NULL where no output is between steps */
    ph_observer *observers;  /* (1 + options.n_observers) the session's own first */
    /* its files */
    char *directory, *stop_file;
    char *paths[PH_SESSION_FILES];
    bool written[PH_SESSION_FILES];
    /* where it is */
    int64_t rows;                 /* since the start of the trajectory */
    int64_t row_passes;           /* Newton iterations at the row before */
    int64_t monitored;            /* the monitor has seen this step at a row inside it; -1: none */
    ph_account before;            /* of earlier sessions */
    int64_t done_before;          /* steps of earlier sessions */
    double deadline, looked;      /* of the wall clock: the end, and when STOP was looked for */
    volatile sig_atomic_t wished; /* options.stop wishes the end */
    const char *wish_reason, *wish_by;
    bool settled; /* this state is not to be committed: it was, or cannot be, or its row is missing */
    bool warned;  /* of interpolation that is less accurate than the scenario requires */
    bool inside;  /* rows inside the step of the state are being made */
    bool stops;   /* an event that stops the run was found */
    bool kept;    /* of the last state, before it made a row that the schedule does not want: */
    ph_monitor *kept_monitor;
    ph_account kept_account;
    const char *reason, *ended_by; /* why the run is to end, for ph_ending; NULL: the status says it */
    ph_run_report passed;          /* of earlier calls of this session */
    ph_run_report report;          /* of the current one */
    ph_summary summary;
    /* how it ended */
    bool ended, archived; /* archived: the archive was completed with the final state */
    ph_status status;
    char message[sizeof((ph_error *)NULL)->message];
    ph_session_sums *sums;
};

/* The name of a file without its directory. */
static inline const char *ph_session_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- What it amounts to (session.c) */

/* Newton iterations from the start of the trajectory. */
int64_t ph_session_passes(const ph_session *s);
/* Does the schedule want the state at the end of this step to be seen? (The last one of a run is seen anyway.) */
bool ph_session_is_scheduled(const ph_session *s, int64_t done);
/* What belongs to the state besides. */
ph_account ph_session_account(const ph_session *s);
/* How it ended, as archive and summary have it. */
ph_ending ph_session_ending(const ph_session *s);

/* ---- Setting up (setup.c) */

/* An empty session with these options (nullable), which are checked. */
ph_status ph_session_create(const ph_session_options *options, ph_session **session, ph_error *err);
/* Where its files go, and what they are called. */
ph_status ph_session_place(ph_session *s, const char *directory, const char *archive, ph_error *err);
/* What is run, from the scenario that the session has, or from a plan. The state has still to be set; steps
 * are those of the scenario or of the plan. recorded: the options that the archive states, or NULL. */
ph_status ph_session_take_scenario(ph_session *s, const char *recorded, ph_error *err);
ph_status ph_session_take_plan(ph_session *s, const ph_session_plan *plan, ph_error *err);
/* The number of steps to the time that is wished, if one is; where it began at t0. */
ph_status ph_session_replan(ph_session *s, ph_error *err);
/* Outputs between steps, monitor, events, observers: the rest of what a run needs, when steps and t0 are known. */
ph_status ph_session_equip(ph_session *s, const ph_event *events, size_t n, ph_error *err);
/* trajectory.csv, of the columns of these words, and events.csv, if they are wanted. */
ph_status ph_session_open_csv(ph_session *s, const char *const *columns, size_t n, ph_error *err);
/* [s] of the motion, where it is through. */
double ph_session_end_time(const ph_session *s);

/* Is what is to be written within options.largest? PH_E_SIZE (size.c). */
ph_status ph_session_check_size(const ph_session *s, ph_error *err);

/* ---- Before it is resumed (compare.c) */

/* Is this the program that began it, and is the scenario still what it was? Warns; PH_E_INVALID where it is
 * not the one that options.scenario names. */
ph_status ph_session_compare(const ph_session *s, const char *wished, const char *path,
                             const ph_record *record, ph_error *err);
/* Has the file this text? */
bool ph_session_same_text(const char *path, const char *text);
/* Do two texts differ? words <- where, "line 3: there ..., in the archive ...". */
bool ph_session_texts_differ(const char *now, size_t n, const char *then, char *words, size_t size);
/* Is the archive one of this plan? PH_E_INVALID. */
ph_status ph_session_compare_plan(const ph_session_plan *plan, const char *path, const ph_record *record,
                                  ph_error *err);

/* ---- Running (look.c) */

/* This state, and the rows until now, to the disk. */
ph_status ph_session_commit(ph_session *s, const ph_state *state, ph_error *err);
/* Ask the caller whether the run is to end. */
void ph_session_ask(ph_session *s);
/* The observer: measure, write a row. `state` is that of the session, the same at a time that differs from its own
 * by rounding, or an interpolated one. */
ph_status ph_session_look(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
/* The watch between the outputs: is it time for a snapshot, or for the end? */
ph_status ph_session_watch(void *self, const ph_state *state, int64_t done, int64_t total, ph_error *err);
/* The sink of events: into the archive and the table. */
ph_status ph_session_note_event(void *self, const ph_occurrence *occurrence, ph_error *err);

/* ---- Ending (end.c) */

/* Complete the files whatever ended the run. The session has ended then, in any case. Returns how: `ended`,
 * or why that could not be written, with a message. */
ph_status ph_session_finish(ph_session *s, ph_status ended, const char *message, ph_error *err);
/* Free everything. */
void ph_session_release(ph_session *s);

#endif
