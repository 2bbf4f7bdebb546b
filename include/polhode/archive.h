/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives, from which a run resumes with the same bits. Part of libpolhode-io. They are read by record.h;
 * trajectory.csv and events.csv are csv.h's, summary.json is summary.h's.
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
 * and of the state from which the run resumes with the same bits. doc/reference/archive.md describes the
 * file. Whatever ends the process, all that was committed is there. One object per thread. */
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
    double accuracy;                 /**< that method and step were chosen for; 0: none */
    bool of_energy;                  /**< is it that of the energy? */
    double estimate;                 /**< of the error, in the same sense; 0: not known */
    double energy_estimate;          /**< of the relative energy error; 0: not known */
    const char *kept;                /**< what the scenario had from files: ph_scenario_kept; or NULL */
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
    /** Why, in one word, as "wall-clock" (doc/reference/scenario.md has the program's). NULL: "duration"
     * where all steps were taken, otherwise the word of its status. */
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

PH_END_DECLS
#endif
