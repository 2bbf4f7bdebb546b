/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps: all members of an ensemble (members.h) run into one archive, on all processors. Part of
 * libpolhode-io.
 *
 * Every member has the same number of rows in the archive, those that a run of it alone would write: by the
 * scenario's `output`, or, where that gives no times, the last state only (of one that fails, the state after
 * its last whole step); the energy is then measured at
 * start and end alone (with stop.energy-error as often as in a run). Its rows, its status and its
 * events do not depend on anything but the member: they have the same bits for any number of threads and
 * shards, with and without the kernels that step several members at once, and however often the sweep was
 * interrupted. Members are committed in their order; a sweep that was ended or killed continues behind the
 * last one, by opening and running it again.
 *
 *     ph_sweep_open("map.yaml", NULL, NULL, &sweep, &err);
 *     ph_sweep_run(sweep, &err);
 *     ph_status status = ph_sweep_close(sweep, &err);
 *
 * Threads are POSIX threads that ph_sweep_run starts and ends; each has integrators of its own, and only
 * the thread that called ph_sweep_run writes and calls back. Callbacks of a system of your own (plugin.h)
 * are called by several at once. */
#ifndef POLHODE_SWEEP_H
#define POLHODE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/record.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

/** The members of an ensemble, or a shard of them, and their archive. */
typedef struct ph_sweep ph_sweep;

/** How a sweep is run. All zero (or NULL instead of the options): the defaults. It is copied, with its
 * texts and numbers; what `self` points to must outlive the sweep. */
typedef struct ph_sweep_options {
    bool force;            /**< replace an archive that is there, instead of continuing it */
    int threads;           /**< how many step members; 0: as many as there are processors */
    int64_t shard, shards; /**< shard 1 <= shard <= shards of the members, a range of them; 0, 0: all */
    /** Run no new members but again those that failed, and replace their rows in the archive. */
    bool failed;
    /** (n_settings) for the failed members, "KEY=VALUE" as for ph_scenario_edit: values instead of the
     * scenario's. They are recorded in the archive. */
    const char *const *settings;
    size_t n_settings;        /**< how many */
    const double *snapshot;   /**< [s] >= 0: at most so much work can be lost; NULL: 5 s */
    const double *wall_clock; /**< [s] >= 0: the sweep ends so long after it was run. NULL: no bound */
    /** [bytes] > 0: run nothing, and write nothing, where more than that is to be written. NULL: no bound. */
    const double *largest;
    /** Nullable, of ranks of a parallel job: which members are to be run next. *first, *count <- a range of
     * the shard's members that no archive has; *count <- 0: none is left. It is called while members are run,
     * by the thread that called ph_sweep_run, and may wait. A status other than PH_OK ends the sweep with it;
     * PH_E_INTERRUPTED: as `stop`. */
    ph_status (*deal)(void *self, const ph_sweep *sweep, int64_t *first, int64_t *count, ph_error *err);
    /** with `deal`: >= 0, which rank this is. Its archive is NAME.rank-R.polhode, for ph_sweep_merge */
    int64_t rank;
    /** Nullable: called from time to time, at least after each block of members. It may read the sweep. */
    void (*progress)(void *self, const ph_sweep *sweep);
    /** Nullable: a warning, one line without its end. */
    void (*message)(void *self, const char *text);
    /** Nullable: is the sweep to end? true: it ends as PH_E_INTERRUPTED, with *reason and *by as of
     * ph_session_options.stop. Members that are not complete then are run again. */
    bool (*stop)(void *self, const char **reason, const char **by);
    void *self; /**< handed to progress, message and stop */
} ph_sweep_options;

/** Open a sweep of the scenario in a file: *sweep <- with nothing run and nothing written; close it by
 * ph_sweep_close.
 *   directory  where the archive is written, NAME.polhode, of a shard NAME.shard-2-of-7.polhode; made with
 *   its parents if need be; NULL: the scenario's name with .out for its ending, in the working directory
 *   options    nullable
 * The errors of ph_members_open and of ph_members_make of the first member; PH_E_RANGE: options;
 * PH_E_INVALID: options, output.columns that varies, settings of keys that vary or with which a member that
 * failed has more rows or other columns than the archive; PH_E_SIZE: the number of rows depends on more than
 * 10^6 values; PH_E_UNSUPPORTED: a member whose method and step are to be chosen for an accuracy;
 * PH_E_NO_MEMORY. */
PH_API ph_status ph_sweep_open(const char *file, const char *directory, const ph_sweep_options *options,
                               ph_sweep **sweep, ph_error *err);
/** The same of a scenario in memory, length bytes; name stands for its file, as "map.yaml". */
PH_API ph_status ph_sweep_open_text(const char *text, size_t length, const char *name, const char *directory,
                                    const ph_sweep_options *options, ph_sweep **sweep, ph_error *err);

/** Run all members that are not in the archive yet; then it is closed. What is left to do is to look at
 * the results, and to close the sweep. With all members in one archive it has NAME.statistics.json next to it
 * then (ph_sweep_merge). PH_OK: all members were run, those included that failed: see ph_sweep_result.
 * PH_E_INTERRUPTED: stopped by options.stop or options.wall_clock. PH_E_EXISTS: another process writes the
 * archive, or it is of another scenario or shard and options.force is not set. PH_E_SIZE: more would be
 * written than options.largest, or than the disk has room for. PH_E_IO: files could not be written; what
 * was committed before is safe. PH_E_NO_MEMORY: of the sweep itself; a member for which there is none is one
 * that failed. The blocks of members that were being run then, or waited for an earlier one, two for a thread
 * and one more, are run again by the next sweep. PH_E_INVALID: it has ended already. */
PH_API ph_status ph_sweep_run(ph_sweep *sweep, ph_error *err);
/** Close and free the sweep in any case: what was committed is there. */
PH_API ph_status ph_sweep_close(ph_sweep *sweep, ph_error *err);
/** Free the sweep without another word, as ph_sweep_close. NULL is allowed. */
PH_API void ph_sweep_abandon(ph_sweep *sweep);

/** What a sweep takes. */
typedef struct ph_sweep_size {
    double members; /**< of this shard */
    double rows;    /**< of each member */
    size_t columns; /**< numbers a row */
    double bytes;   /**< of the archive, events apart, whose number is not known */
    double memory;  /**< [bytes] of rows that wait to be written, at most */
    double free;    /**< [bytes] that the disk has room for; INFINITY where that is not known */
} ph_sweep_size;
/** *size <- what the whole sweep is going to write. No member is run. */
PH_API void ph_sweep_estimate(const ph_sweep *sweep, ph_sweep_size *size);
/** *seconds <- CPU time of the whole sweep [s], from members that are run for about `most` seconds of it
 * and not kept; from the steps of one that are taken in that time where it takes longer. The errors of
 * ph_sweep_run; PH_E_INTERRUPTED: by options.stop. */
PH_API ph_status ph_sweep_time(ph_sweep *sweep, double most, double *seconds, ph_error *err);

/** Where a sweep is. */
typedef struct ph_sweep_result {
    ph_swept all;           /**< of what */
    int64_t done;           /**< members in the archive */
    int64_t run;            /**< by this sweep, those of them that were run again included */
    double share;           /**< of the members to be run by this sweep, those being run included in part */
    int64_t failed;         /**< members in the archive that failed; ph_record_next_failure has them */
    int64_t stopped;        /**< members of this sweep that an event stopped */
    int64_t steps;          /**< taken by this sweep, of members that are complete */
    double cpu_seconds;     /**< of this sweep's threads */
    double wall_seconds;    /**< since ph_sweep_run */
    size_t lanes;           /**< how many members step at once: 8, or 1 */
    int threads;            /**< that step */
    ph_status status;       /**< how it ended; PH_OK: it has not, or with all members */
    const char *message;    /**< the same in a sentence; "" for PH_OK */
    const char *path;       /**< of the archive */
    const char *statistics; /**< the path of NAME.statistics.json; NULL: not written */
} ph_sweep_result;
/** *result <- the sweep until now. Texts are the sweep's. */
PH_API void ph_sweep_get_result(const ph_sweep *sweep, ph_sweep_result *result);

/** A range of members. */
typedef struct ph_member_range {
    int64_t first; /**< from this one on */
    int64_t count; /**< so many */
} ph_member_range;
/** *ranges (*n, to be freed by free) <- the members that the archive of this rank of the same sweep has; none
 * where there is no such archive. With options.force it is removed. It may be another rank than the sweep's
 * own; nothing is run.
 * PH_E_EXISTS: it is of another scenario, or, to be removed, being written; PH_E_IO; PH_E_NO_MEMORY. */
PH_API ph_status ph_sweep_rank_members(const ph_sweep *sweep, int64_t rank, ph_member_range **ranges,
                                       size_t *n, ph_error *err);

/** Join the shards in a directory into one archive of all members, NAME.polhode in it, and write
 * NAME.statistics.json next to it: of the final states mean and covariance (on spheres, circles and SO(3) the
 * Frechet mean, and the covariance of log at it), of every column mean, standard deviation, quantiles and
 * a histogram; members that failed are left out, and counted. The rows are the same, byte by byte,
 * whatever the number of shards. With one archive of all members in it, only its statistics are written.
 * Archives of ranks (ph_sweep_options.deal) are joined first, into that of their shard, or of all.
 *   path  (nullable) <- of the archive, from malloc
 * PH_E_INVALID: no shards, one is missing or not complete (the message names it), or they are of different
 * scenarios; PH_E_EXISTS: NAME.polhode is there, and not force; PH_E_IO; PH_E_NO_MEMORY. */
PH_API ph_status ph_sweep_merge(const char *directory, bool force, char **path, ph_error *err);
/** Write NAME.statistics.json of the archive of all members of a sweep again; with all_rows it also has
 * `rows`, statistics of the columns in each row of the members that did not fail, in memory of 256 MB.
 * PH_E_INVALID: the archive is not complete; PH_E_PARSE: it is not that of a sweep; PH_E_IO;
 * PH_E_NO_MEMORY. */
PH_API ph_status ph_sweep_describe(const char *archive, bool all_rows, ph_error *err);

PH_END_DECLS
#endif
