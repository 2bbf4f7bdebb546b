/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions: a run that can be resumed, as one object. Part of libpolhode-io.
 *
 * A session runs a scenario, or a system of your own, into an archive (archive.h): the rows that its schedule
 * asks for, events, and from time to time the state together with exactly the rows before it, in one
 * transaction. However a session ends (all steps taken, stopped, closed, process killed, disk full, power
 * lost), another one resumes from the archive, and the final state, rows and events have the same bits as
 * those of an uninterrupted run. `polhode run` and `polhode resume` are users of sessions.
 *
 *     ph_session_open("chain.yaml", "chain.out", NULL, &session, &err);
 *     ph_session_run(session, &err);
 *     ph_status status = ph_session_close(session, &err);
 *
 * A session belongs to one thread at a time; any number of them may run at once, each with an archive of its
 * own. It catches no signals and prints nothing: messages, progress and the wish to stop are callbacks. */
#ifndef POLHODE_SESSION_H
#define POLHODE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/record.h>
#include <polhode/run.h>
#include <polhode/scenario.h>
#include <polhode/state.h>
#include <polhode/status.h>
#include <polhode/summary.h>

PH_BEGIN_DECLS

/** A run that can be resumed, and its files. */
typedef struct ph_session ph_session;

/** How a session is run. All zero (or NULL instead of the options): the defaults. It is copied, with its
 * texts and numbers; what `self` and the observers point to must outlive the session. */
typedef struct ph_session_options {
    bool force; /**< to open: replace results that are there */
    bool csv;   /**< write trajectory.csv, too, and events.csv where events are looked for */
    /** To open: the archive's file name in the directory. NULL: the name of the run, with .polhode for its
     * ending. */
    const char *archive;
    const char *const *columns; /**< (n_columns) to open: columns of a row, instead of the scenario's */
    size_t n_columns;           /**< 0: as the scenario says, or all */
    /** [s] >= 0: at most so much work can be lost. NULL: as the scenario says, or 60 s. */
    const double *snapshot;
    const double *wall_clock; /**< [s] >= 0: the run ends so long after it was opened. NULL: no bound */
    /** The time of the motion [s] at which it is through, a whole number of steps from its start, instead
     * of the planned one. It is recorded in the archive. NULL: as planned. */
    const double *until;
    /** [bytes] > 0: open nothing, and write nothing, where more than that is to be written (as
     * ph_session_estimate has it). NULL: no bound. */
    const double *largest;
    const char
        *scenario; /**< to resume: refuse, unless the archived scenario is that of this file; or NULL */

    /** (n_observers) called at each output, after its row was made: they see what is put out, and the last
     * state of a run. A failure ends the run with its status. An output that was committed before
     * is not shown again when the run is resumed. */
    const ph_observer *observers;
    size_t n_observers; /**< how many */
    /** Nullable: called for each event, after it was recorded. A failure ends the run with its status. */
    ph_status (*found)(void *self, const char *name, const ph_occurrence *occurrence, ph_error *err);
    /** Nullable: called after each stretch of steps (about 0.02 s, or one step). It may read the session. */
    void (*progress)(void *self, const ph_session *session);
    /** Nullable: a warning, one line without its end: the scenario's file has changed since; the archive was
     * begun by another version or build; rows between steps are less accurate than the scenario requires. */
    void (*message)(void *self, const char *text);
    /** Nullable: is the run to end? Asked when a run begins, after each stretch of steps and after each
     * output. true: it ends as PH_E_INTERRUPTED. *reason is a word for archive and summary ("signal", say;
     * unless set "caller"), *by what it was, by name, or NULL; both texts must outlive the session. */
    bool (*stop)(void *self, const char **reason, const char **by);
    void *self; /**< handed to found, progress, message and stop */
} ph_session_options;

/** A run of a system of your own. It is copied, with its texts; the integrator's system, and what the events'
 * `user` points to, must outlive the session. */
typedef struct ph_session_plan {
    const char *name;  /**< of the run, for its files; without a slash */
    const char *model; /**< what archive and summary call the system; NULL: the name */
    /** For the system, with method, options and step size. The session steps with a copy of it. */
    const ph_integrator *integrator;
    const ph_state *state; /**< to open: where it begins, no step taken; not used to resume */
    int64_t steps;         /**< >= 1, to open: how many are planned */
    /** What makes a row, in addition to the first and the last step; also between steps. All zero: each
     * step. It is copied, with its times. */
    ph_schedule output;
    const ph_event *events; /**< (n_events) to look for, or NULL */
    size_t n_events;        /**< how many */
    double energy_bound;    /**< a relative energy error beyond this ends the run; 0: none does */
} ph_session_plan;

/** Open a run of the scenario in a file: *session <- at its start, no step taken; close it by
 * ph_session_close. Its archive exists from now on, and other writers are kept out.
 *   directory  where files are written, made with its parents if need be; NULL: the scenario's name with
 *              .out for its ending, in the working directory
 *   options    nullable
 * The errors of ph_scenario_load, ph_integrator_create, ph_archive_prepare (PH_E_EXISTS: results are there,
 * and options.force is not set) and ph_archive_create (PH_E_EXISTS: another process writes the archive);
 * PH_E_UNKNOWN, PH_E_RANGE, PH_E_INVALID: options, which messages call options.until and the like;
 * PH_E_SIZE: the results would be larger than options.largest or, where that is set, than what the disk has
 * room for; PH_E_NO_MEMORY. */
PH_API ph_status ph_session_open(const char *file, const char *directory, const ph_session_options *options,
                                 ph_session **session, ph_error *err);
/** The same of a scenario that was read from this file. The session takes it over, and frees it also where it
 * fails. */
PH_API ph_status ph_session_open_scenario(ph_scenario *scenario, const char *file, const char *directory,
                                          const ph_session_options *options, ph_session **session,
                                          ph_error *err);
/** The same of a scenario in memory, length bytes; name stands for its file, as "chain.yaml". Errors
 * likewise, those of ph_scenario_parse included. */
PH_API ph_status ph_session_open_text(const char *text, size_t length, const char *name,
                                      const char *directory, const ph_session_options *options,
                                      ph_session **session, ph_error *err);
/** The same of a system of your own. Errors likewise; PH_E_INVALID: no name, integrator or state, a state
 * of another kind, or one that has taken steps, an output with an interval or times of which its kind makes
 * no use; PH_E_RANGE: steps, output, energy_bound; PH_E_UNSUPPORTED: output between steps (ph_dense_create);
 * the errors of ph_event_check. */
PH_API ph_status ph_session_open_system(const ph_session_plan *plan, const char *directory,
                                        const ph_session_options *options, ph_session **session,
                                        ph_error *err);

/** Resume the run in an archive of a scenario: *session <- at the state that was committed last. The
 * scenario is the archived one. Files are written next to the archive. What lies behind that state (rows
 * that the schedule did not ask for, how it ended) is dropped, since it is made again.
 * PH_E_IO (missing, damaged), PH_E_PARSE (not an archive, or one of a user-defined system), PH_E_EXISTS
 * (another process writes it), PH_E_INVALID (options.scenario is another one), PH_E_RANGE (options),
 * PH_E_SIZE (what is still to be written is larger than options.largest), PH_E_NO_MEMORY, and what
 * ph_archive_reopen, ph_record_state and ph_archive_go_on say. The archive is as it was then. */
PH_API ph_status ph_session_resume(const char *archive, const ph_session_options *options,
                                   ph_session **session, ph_error *err);
/** The same of a system of your own, which must be the one that the archive was begun with: PH_E_INVALID
 * where its name, method, options or step size are others, or where the archive is of a scenario; PH_E_SIZE
 * where its columns are. What else makes it the same (parameters, callbacks) only the caller can know. */
PH_API ph_status ph_session_resume_system(const ph_session_plan *plan, const char *archive,
                                          const ph_session_options *options, ph_session **session,
                                          ph_error *err);

/** *scenario <- that of an archive (ph_scenario_recall), with the method and the step that it was run with
 * where it leaves them to be chosen for an accuracy; free it by ph_scenario_free. path: of the archive, for
 * messages.
 * PH_E_PARSE (it has none, or does not state the choice), and the errors of ph_scenario_recall. */
PH_API ph_status ph_session_recall(const ph_record *record, const char *path, ph_scenario **scenario,
                                   ph_error *err);

/** Run until the planned end, or until something stops it; then its files are complete and the archive is
 * closed. What is left to do is to look at the results, and to close the session.
 * PH_OK: all steps were taken. PH_E_INTERRUPTED: stopped by options.stop, options.wall_clock, the bound on
 * the energy error or a file STOP in the directory, which is removed (looked for once a second).
 * PH_E_STOPPED: by an event. The status of a failing step, event, observer or measurement (PH_E_DIVERGED:
 * no finite energy). PH_E_IO, PH_E_EXISTS: files could not be written; what was committed before is safe.
 * However it ends, it can be resumed. PH_E_INVALID: it has ended already. */
PH_API ph_status ph_session_run(ph_session *session, ph_error *err);
/** Run to the first step at or after the time t [s] of the motion (before it, if h < 0) and pause: the
 * session is open, and runs on when asked to. A pause leaves no trace: bits and rows are those of a run
 * without it. At the planned end or beyond it is ph_session_run; where the state has been reached nothing
 * happens. Errors as of ph_session_run; PH_E_NOT_FINITE: t is NaN. */
PH_API ph_status ph_session_run_until(ph_session *session, double t, ph_error *err);

/** Close and free the session in any case. A run that has not ended ends here (PH_E_INTERRUPTED, by the
 * reason "closed"): its state is committed and its files are completed, so that nothing is lost.
 * PH_E_IO: that could not be written. */
PH_API ph_status ph_session_close(ph_session *session, ph_error *err);
/** Free the session without another word: what was committed stays, as if the process had been killed. NULL
 * is allowed. */
PH_API void ph_session_abandon(ph_session *session);

/* All below: owned by the session, valid until the next call that runs, closes or abandons it. */
PH_API const ph_state *ph_session_state(const ph_session *session); /**< where the run is */
/** The session's own: its statistics are those of this session. */
PH_API const ph_integrator *ph_session_integrator(const ph_session *session);
PH_API const ph_system *ph_session_system(const ph_session *session); /**< of the integrator */
/** What is run; NULL for a system of your own. After a resume it has no initial state. */
PH_API const ph_scenario *ph_session_scenario(const ph_session *session);
PH_API int64_t ph_session_steps(const ph_session *session);  /**< planned, from the start of the trajectory */
PH_API int64_t ph_session_rows(const ph_session *session);   /**< made, from the start of the trajectory */
PH_API bool ph_session_has_ended(const ph_session *session); /**< its files are complete; it cannot run on */
/** What this session did; of the whole run see ph_session_result. */
PH_API const ph_run_report *ph_session_report(const ph_session *session);
/** *result <- the run until now, as summary.json has it: report and statistics from the start of the
 * trajectory, the errors until the latest output, and how it ended (PH_OK as long as it has not). For
 * ph_summary_print. */
PH_API void ph_session_result(const ph_session *session, ph_result *result);

/** What a session is still to write. */
typedef struct ph_session_size {
    double rows;    /**< from its state to the planned end */
    size_t columns; /**< numbers a row */
    double bytes;   /**< of all its files, events apart, whose number is not known */
    double free;    /**< [bytes] on their disk; INFINITY: not known */
} ph_session_size;
/** *size <- what the session is going to write until its planned end, from the state where it is: rows by its
 * schedule, within 2 of what it makes (per decade: within a twentieth); the archive within a twentieth where
 * it takes more than 1 MB, trajectory.csv within a third. While it is written, an archive has a log next to
 * it, of some megabytes. */
PH_API void ph_session_estimate(const ph_session *session, ph_session_size *size);

/** The files of a session. */
typedef enum ph_session_file {
    PH_SESSION_ARCHIVE,    /**< the archive */
    PH_SESSION_SUMMARY,    /**< summary.json */
    PH_SESSION_TRAJECTORY, /**< trajectory.csv */
    PH_SESSION_EVENTS,     /**< events.csv */
    PH_SESSION_FILES       /**< how many there may be */
} ph_session_file;
/** The path of one of its files, or NULL where it was not written (by now: all but the archive appear when
 * the run ends). */
PH_API const char *ph_session_path(const ph_session *session, ph_session_file file);

PH_END_DECLS
#endif
