/* SPDX-License-Identifier: BSD-3-Clause */
/* Results on disk: archives, from which a run resumes with the same bits; trajectory.csv, events.csv and
 * summary.json. Part of libpolhode-io.
 *
 * A file is written under a temporary name next to its place and renamed when it is complete, so that
 * what is under the final name is always whole. Write errors (full disk) are reported, and what
 * was there before stays. */
#ifndef POLHODE_ARCHIVE_H
#define POLHODE_ARCHIVE_H

#include <stdbool.h>
#include <stdio.h>

#include <polhode/columns.h>
#include <polhode/diagnostics.h>
#include <polhode/events.h>
#include <polhode/integrator.h>
#include <polhode/models.h>
#include <polhode/run.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** Make the directory (with its parents) if need be, and see that it is writable and, unless force,
 * that none of trajectory.csv, events.csv, summary.json and a file `archive` (nullable) is in it.
 * PH_E_EXISTS, PH_E_IO. */
PH_API ph_status ph_archive_prepare(const char *directory, const char *archive, bool force, ph_error *err);

/** An archive that is being written: an SQLite database of rows, the columns of trajectory.csv, of events,
 * and of the state from which the run resumes with the same bits. doc/archive.md describes the file. Whatever
 * ends the process, all that was committed is there. One object per thread. */
typedef struct ph_archive ph_archive;

/** What an archive is of. */
typedef struct ph_archive_plan {
    const char *scenario;            /**< the scenario's text (length bytes), or NULL */
    size_t length;                   /**< see scenario */
    const char *name;                /**< the scenario's name, or NULL */
    const char *source;              /**< where it stands: the path of its file, or NULL */
    const char *model;               /**< name, or NULL */
    const ph_integrator *integrator; /**< method, order, options, h; its system must outlive the archive */
    int64_t steps;                   /**< planned, counted from the start of the trajectory */
    const char *const *columns;      /**< (n_columns) what a row has, as for ph_columns_create_trajectory */
    size_t n_columns;                /**< 0: all columns there are */
    int64_t rows;                    /**< planned, about: of many, pages are large; 0: not known */
} ph_archive_plan;

/** What belongs to a state, but is not in it. */
typedef struct ph_account {
    int64_t rows;          /**< rows until there (ph_archive_commit counts them itself) */
    int64_t newton_passes; /**< from the start of the trajectory */
    int64_t row_passes;    /**< the same, at the latest row */
    double cpu_seconds;    /**< likewise, in steps */
} ph_account;

/** How this library was built (compiler, flags, order of bytes): what an archive that it begins has under
 * `build`. Cut to size bytes. */
PH_API void ph_archive_build(char *text, size_t size);

/** Start an archive at `path`, in place of what is there; it appears there whole, with the state at its start
 * and no rows. `path`.lock keeps other writers out as long as it is open. interval [s] >= 0 is how much work
 * may be lost (ph_archive_due). monitor may be NULL, here and in ph_archive_commit.
 * PH_E_EXISTS (another process writes it: the message has its number), PH_E_IO, PH_E_NO_MEMORY;
 * PH_E_SIZE: a row would take more than 10^9 bytes; and the errors of ph_columns_create_trajectory. What
 * was at `path` is still there then. Where a link is at `path`, the archive takes its place; what it
 * leads to is not touched. */
PH_API ph_status ph_archive_create(const char *path, const ph_archive_plan *plan, const ph_state *state,
                                   const ph_monitor *monitor, double interval, ph_archive **archive,
                                   ph_error *err);

/** Open the archive at `path`, of this system, which must outlive it, to resume its run. Other writers are
 * kept out from now on; the file stays as it is until ph_archive_go_on, or the first commit: where there
 * turns out to be nothing to resume, give it back by ph_archive_abandon. Where a link is at `path`, it is the
 * archive that the link leads to, and the lock is next to that. Errors as of ph_archive_create, PH_E_PARSE
 * for what is no archive, PH_E_SIZE where its rows are not of this system. */
PH_API ph_status ph_archive_reopen(const char *path, const ph_system *system, double interval,
                                   ph_archive **archive, ph_error *err);

/** The run resumes: rows and events after its state are dropped, since they will be made again, and so is
 * the record of how it ended; an archive of an older version is converted to this one. PH_E_IO (also:
 * what would be dropped is not what should be there), PH_E_NO_MEMORY: the file is as it was, and another
 * try may succeed. */
PH_API ph_status ph_archive_go_on(ph_archive *archive, ph_error *err);

/** Another number of steps is planned: written with the next commit. */
PH_API void ph_archive_replan(ph_archive *archive, int64_t steps);

/** A further row, in memory until the next commit: its columns, energy_error against the first row.
 * passes: Newton iterations since the row before. measures may be NULL where no column needs them.
 * PH_E_SIZE, PH_E_NO_MEMORY. */
PH_API ph_status ph_archive_row(ph_archive *archive, const ph_state *state, const ph_measures *measures,
                                int64_t passes, ph_error *err);

/** A further event that was found, likewise: name, and the occurrence as ph_events reports it. In the
 * order in which they are reported, before the state at the end of their step is committed.
 * PH_E_SIZE, PH_E_NO_MEMORY. */
PH_API ph_status ph_archive_event(ph_archive *archive, const char *name, const ph_occurrence *occurrence,
                                  ph_error *err);

/** Is it time to commit: are rows and events waiting that take some megabytes, or has the interval passed
 * since the last time? */
PH_API bool ph_archive_due(const ph_archive *archive);

/** The rows and events until now, and the state that belongs to them, to the disk, in one transaction: all or
 * nothing. account->rows is not looked at. PH_E_IO: the message says what is safe; they still wait, and a
 * later commit may succeed. */
PH_API ph_status ph_archive_commit(ph_archive *archive, const ph_state *state, const ph_monitor *monitor,
                                   const ph_account *account, ph_error *err);

/** How a run ended, and why. Texts are words, or a line. */
typedef struct ph_ending {
    ph_status status; /**< PH_OK: all its steps were taken */
    /** Why, in one word, as "wall-clock" (doc/scenario.md has those of the program). NULL: "duration" where
     * all steps were taken, otherwise the word of its status. */
    const char *reason;
    const char *by;      /**< what ended it, by name: an event, a signal; or NULL */
    const char *message; /**< the same in a sentence, or NULL */
} ph_ending;

/** Write rows and events that still wait without a state (ph_archive_go_on will drop them: the last state of
 * a run that was stopped between two outputs, say), say how the run ended, and leave one file that can be
 * read from anywhere. Frees the archive in any case. */
PH_API ph_status ph_archive_close(ph_archive *archive, const ph_ending *ending, ph_error *err);
/** The same together with a last state, in one transaction: a resumed run continues after that end, or, where
 * the process was killed before, reaches it again. account->rows: rows that belong to the state; those after
 * it will be dropped when the run resumes. */
PH_API ph_status ph_archive_finish(ph_archive *archive, const ph_state *state, const ph_monitor *monitor,
                                   const ph_account *account, const ph_ending *ending, ph_error *err);
/** Close without another word: what was committed stays. NULL is allowed. */
PH_API void ph_archive_abandon(ph_archive *archive);

/** Does a process write the archive at `path` at this moment? *process (nullable) <- its number, or 0 where
 * that is not known. It only looks: however often it is called, it does not get in the way of a writer. */
PH_API bool ph_archive_writer(const char *path, long *process);

/** An archive that is being read: also one that is being written, and one on a medium that cannot be written.
 * One object per thread. */
typedef struct ph_record ph_record;

/** Open the archive at `path` for reading. PH_E_IO (missing, unreadable, damaged; the name or unit of a
 * column has more than 255 bytes), PH_E_PARSE (no archive, or of a newer version), PH_E_NO_MEMORY. */
PH_API ph_status ph_record_open(const char *path, ph_record **record, ph_error *err);
PH_API void ph_record_close(ph_record *record); /**< Free; NULL is allowed. */

/** Numbers in a row. */
PH_API size_t ph_record_columns(const ph_record *record);
/** Name of a column, as "q1x". Owned by the record, as all texts. */
PH_API const char *ph_record_column(const ph_record *record, size_t i);
/** Its unit, "" if it has none. */
PH_API const char *ph_record_unit(const ph_record *record, size_t i);
/** The words by which they were chosen, *n of them, after t and step; *n = 0: all there are. */
PH_API const char *const *ph_record_choice(const ph_record *record, size_t *n);
/** Rows that are there now (more may come, if it is being written). */
PH_API int64_t ph_record_rows(const ph_record *record);
/** Time of the first and of the last row, NaN if there is none. */
PH_API void ph_record_span(const ph_record *record, double *first, double *last);
/** Rows from `first` on, at most n: values (n, columns) <- their numbers, *read <- how many (0 at the end),
 * *next <- the row to continue with, first + *read. They end before a damaged block; when the first row is in
 * one: PH_E_IO with a message that names it, *read = 0 and *next <- the first row after the damage.
 * PH_E_RANGE, PH_E_NO_MEMORY. */
PH_API ph_status ph_record_read(ph_record *record, int64_t first, int64_t n, double *values, int64_t *read,
                                int64_t *next, ph_error *err);
/** An event in an archive. */
typedef struct ph_recorded_event {
    const char *name;     /**< as given to ph_archive_event */
    double t;             /**< [s] when, as the following of ph_occurrence */
    int64_t step;         /**< steps taken before */
    double theta;         /**< part of the step */
    int direction;        /**< +1: it rose, -1: it fell */
    const double *values; /**< (n) configuration, then momentum there, all of them */
    size_t n;             /**< see values */
} ph_recorded_event;

/** Events that are there now. */
PH_API int64_t ph_record_events(const ph_record *record);
/** Is there an event with a number > behind? *i <- the first of them. In a whole archive they are numbered
 * from 0 without a gap. */
PH_API bool ph_record_next_event(const ph_record *record, int64_t behind, int64_t *i);
/** How often the event of that name was found, among them. */
PH_API int64_t ph_record_found(const ph_record *record, const char *name);
/** *event <- the i-th, in the order of time; what it points to is the record's, until the next one is read.
 * PH_E_RANGE; PH_E_IO: damaged, others may be whole; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_event(ph_record *record, int64_t i, ph_recorded_event *event, ph_error *err);
/** Text under a key of the table meta (doc/archive.md has them) as it was when the record was
 * opened, or NULL. */
PH_API const char *ph_record_meta(const ph_record *record, const char *key);
/** What an archive has in addition to the state that was committed last. */
typedef struct ph_commit {
    int64_t steps;      /**< taken from the start of the trajectory */
    double t;           /**< [s] */
    ph_account account; /**< as given to ph_archive_commit, with the rows */
    char written[32];   /**< when: "2026-01-31T12:00:00Z" (UTC) */
    bool is_protected;  /**< by a checksum; false where the version of Polhode that wrote it made none */
} ph_commit;

/** *commit <- of the latest one. It takes no state and no system, and can be read where the state is damaged.
 * PH_E_IO: it is damaged itself, or missing. */
PH_API ph_status ph_record_commit(ph_record *record, ph_commit *commit, ph_error *err);
/** Is the state whole, with what is stored next to it, and are its rows there? It takes no system. PH_E_IO:
 * the message names the damage; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_check_state(ph_record *record, ph_error *err);
/** Where the run resumes: state <- as by ph_state_unpack, monitor (nullable) <- as by ph_monitor_unpack, and
 * the account. Their errors; PH_E_IO: damaged. */
PH_API ph_status ph_record_state(ph_record *record, ph_state *state, ph_monitor *monitor, ph_account *account,
                                 ph_error *err);

/** A trajectory that is being written. */
typedef struct ph_csv ph_csv;

/** Start path (through path.part). The columns are those of ph_columns_create_trajectory. The first line
 * names every one with its unit; of all: t[s], step, q1x[1], ..., pi1x[kg m^2/s], ..., energy[J],
 * energy_error[J], constraint_error[1], tangency[kg m^2/s], one column per momentum map, newton_passes.
 * Numbers have 17 digits. The system must outlive the table. */
PH_API ph_status ph_csv_create(const char *path, const ph_system *system, const char *const *words, size_t n,
                               ph_csv **csv, ph_error *err);

/** One row. Arguments as of ph_archive_row. */
PH_API ph_status ph_csv_row(ph_csv *csv, const ph_state *state, const ph_measures *measures, int64_t passes,
                            ph_error *err);

/** A row that was written before, by the values of its columns. first_energy [J]: that of the first row, for
 * the energy_error of those to come. */
PH_API ph_status ph_csv_recall(ph_csv *csv, const double *values, double first_energy, ph_error *err);

/** Complete the file and rename it. Frees csv in any case; on failure the temporary file is removed. */
PH_API ph_status ph_csv_close(ph_csv *csv, ph_error *err);
/** Give up: remove the temporary file, free. NULL is allowed. */
PH_API void ph_csv_abandon(ph_csv *csv);

/** A table of events that is being written. */
typedef struct ph_event_csv ph_event_csv;

/** Start path (through path.part). Its columns: event (the name), t[s], step and theta (where it lies: that
 * part of the way from this step to the next), direction, then configuration and momentum there. */
PH_API ph_status ph_event_csv_create(const char *path, const ph_system *system, ph_event_csv **csv,
                                     ph_error *err);
/** A row: an occurrence of the event of that name. */
PH_API ph_status ph_event_csv_row(ph_event_csv *csv, const char *name, const ph_occurrence *occurrence,
                                  ph_error *err);
/** As ph_csv_close. */
PH_API ph_status ph_event_csv_close(ph_event_csv *csv, ph_error *err);
/** As ph_csv_abandon. */
PH_API void ph_event_csv_abandon(ph_event_csv *csv);

/** What summary.json reports. */
typedef struct ph_result {
    const char *model;               /**< name */
    const ph_integrator *integrator; /**< method, order, h, options, statistics */
    const ph_state *state;           /**< final state */
    const ph_run_report *report;     /**< of ph_run; of a run in parts: the sums */
    const ph_summary *summary;       /**< of the monitor that observed the run */
    const ph_statistics *statistics; /**< of the whole run, if it was made in parts; NULL: the integrator's */
    ph_ending ending;                /**< how the run ended; PH_E_DIVERGED fills diverged_at */
    const ph_events *events;         /**< nullable: how often they were found */
} ph_result;

/** Write path (through path.part). Numbers that are not finite become null. */
PH_API ph_status ph_summary_write(const char *path, const ph_result *result, ph_error *err);
/** The same to a stream, and with it the names of files (n, nullable) as `files`. PH_E_IO, PH_E_NO_MEMORY. */
PH_API ph_status ph_summary_print(FILE *stream, const ph_result *result, const char *const *files, size_t n,
                                  ph_error *err);

PH_END_DECLS
#endif
