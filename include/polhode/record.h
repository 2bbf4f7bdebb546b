/* SPDX-License-Identifier: BSD-3-Clause */
/* Records: archives that are read, also while they are being written. Part of libpolhode-io. */
#ifndef POLHODE_RECORD_H
#define POLHODE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <polhode/archive.h>
#include <polhode/diagnostics.h>
#include <polhode/state.h>
#include <polhode/status.h>

PH_BEGIN_DECLS

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
/** The number of the column of that name, of the first of several; ph_record_columns where there is none. */
PH_API size_t ph_record_find(const ph_record *record, const char *name);
/** The unit of a column, "" if it has none. */
PH_API const char *ph_record_unit(const ph_record *record, size_t i);
/** The words by which they were chosen, *n of them, after t and step; *n = 0: all there are. */
PH_API const char *const *ph_record_choice(const ph_record *record, size_t *n);
/** Rows that are there now (more may come, if it is being written), also those that its state counts and that
 * damage has lost: reading these is PH_E_IO. */
PH_API int64_t ph_record_rows(const ph_record *record);
/** Time of the first and of the last row, NaN if there is none. */
PH_API void ph_record_span(const ph_record *record, double *first, double *last);
/** Does a row at time t [s] lie between two steps? Then it was interpolated, and its errors (energy_error,
 * constraint_error, changes of momentum maps) are mainly those of the interpolation: errors of the method are
 * those of the other rows. false where the archive does not have t0 and the step. */
PH_API bool ph_record_is_between(const ph_record *record, double t);
/** Rows from `first` on, at most n: values (n, columns) <- their numbers, *read <- how many (0 at the end),
 * *next <- the row to continue with, first + *read. They end before a damaged block; when the first row is in
 * one: PH_E_IO with a message that names it, *read = 0 and *next <- the first row after the damage.
 * PH_E_RANGE, PH_E_NO_MEMORY. */
PH_API ph_status ph_record_read(ph_record *record, int64_t first, int64_t n, double *values, int64_t *read,
                                int64_t *next, ph_error *err);
/** at (most) <- numbers of rows that stand for all of the record, in ascending order, *n of them: the
 * first and the last, those on both sides of events, and others at equal distances (every k-th where that
 * leaves three quarters of `most`). Rows at events take no more than half: of more events every k-th of each
 * name has its rows, so that those of a rare name have them all. All rows where there are no more than
 * `most`. It reads times of blocks, names and times of events, and no rows but those near events. most >= 2.
 * PH_E_IO, PH_E_NO_MEMORY. */
PH_API ph_status ph_record_choose(ph_record *record, int64_t most, int64_t *at, int64_t *n, ph_error *err);

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
/** Text under a key of the table meta (doc/reference/archive.md has them) as it was when the record was
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
/** Is the state whole, with what is stored next to it, are its rows and events there, and meta and columns as
 * they were written? It takes no system. PH_E_IO: the message names the damage; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_check_state(ph_record *record, ph_error *err);
/** Are all events there that the state counts, by name? (Archives of older builds do not count them.)
 * PH_E_IO: the message says how many are missing; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_check_events(ph_record *record, ph_error *err);
/** Is all that the archive says of its run as it was written: the tables meta and columns, what a sweep says
 * of its members, the row of the state (by checksums, which archives of older builds have in part), are all
 * events there, and are `steps`, `step` and `t0` possible? Rows, events and the packed state are not read:
 * reading them verifies them. PH_E_IO: the message names the first damage, and what can be read is read
 * nevertheless; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_verify(ph_record *record, ph_error *err);
/** Was memory refused since the record was opened, also in functions that return no status (ph_record_rows,
 * ph_record_events, ph_record_next_event, ph_record_failures, ...), which then find less than there is? Asked
 * last, by those who pass on what they found. PH_E_NO_MEMORY: open it again. */
PH_API ph_status ph_record_starved(const ph_record *record, ph_error *err);
/** What ph_record_repair has saved. */
typedef struct ph_repair {
    int64_t rows, rows_lost;                      /**< saved, and not saved: damaged or missing, ... */
    bool ends;                                    /**< ... all, as it is known how many there were */
    int64_t events, events_lost;                  /**< likewise; missing ones are not among them */
    int64_t damages;                              /**< places that were named */
    bool resumable;                               /**< the state and the table meta are whole, and saved */
    void (*say)(void *self, const char *message); /**< nullable, set by the caller: it gets each place */
    void *self;                                   /**< its first argument */
} ph_repair;
/** Save what is whole into a new archive at `output`: rows of whole blocks and whole events, renumbered,
 * names and texts as they are, and the state, where it and the table meta are whole: then the run can be
 * resumed. The archive itself stays as it is. PH_E_EXISTS: there is a file at `output`; PH_E_UNSUPPORTED: the
 * archive of a sweep; PH_E_IO: it cannot be written; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_repair(ph_record *record, const char *output, ph_repair *repair, ph_error *err);
/** What the archive of a sweep (sweep.h) has: the rows of members first ... end - 1, one member after the
 * other. What its state counts, as `steps`, are members: those before ph_commit.steps are complete. */
typedef struct ph_swept {
    int64_t members;       /**< of the whole sweep */
    int64_t first, end;    /**< those of this archive */
    int64_t shard, shards; /**< this one, from 1, and how many; 1 of 1 has all members */
    int64_t rows;          /**< of each member */
    /** >= 0: of this rank of a parallel job. Its members are any of first ... end - 1, in the order in which
     * they were dealt to it; each row has its member's number, and the state counts members from `first`. -1:
     * all of them in their order */
    int64_t rank;
} ph_swept;
/** Is it the archive of a sweep? *swept (nullable) <- of what. */
PH_API bool ph_record_swept(const ph_record *record, ph_swept *swept);

/** A member of a sweep that failed. */
typedef struct ph_member_failure {
    int64_t member;      /**< which, from 0 */
    ph_status status;    /**< why */
    double t;            /**< [s] where its last whole step ended; NaN: it did not begin */
    const char *message; /**< the same in a sentence */
} ph_member_failure;
/** Members of a sweep that failed, among those that are complete. */
PH_API int64_t ph_record_failures(const ph_record *record);
/** Is there one with a number > behind? *failure <- the first of them; its message is the record's, until
 * the next one is read. */
PH_API bool ph_record_next_failure(ph_record *record, int64_t behind, ph_member_failure *failure);
/** *settings <- the values, instead of the scenario's, with which a member of a sweep that had failed ran
 * again: "KEY=VALUE" as of ph_sweep_options, one a line; "": there are none. Free with free. PH_E_IO (also:
 * not of a sweep), PH_E_NO_MEMORY. */
PH_API ph_status ph_record_member_settings(const ph_record *record, int64_t member, char **settings,
                                           ph_error *err);

/** Where the run resumes: state <- as by ph_state_unpack, monitor (nullable) <- as by ph_monitor_unpack, and
 * the account. Their errors; PH_E_IO: damaged. */
PH_API ph_status ph_record_state(ph_record *record, ph_state *state, ph_monitor *monitor, ph_account *account,
                                 ph_error *err);
/** summary, *maps <- the errors of the run so far, and of how many momentum maps, as the monitor saw them
 * that was stored next to the state. It takes no system: errors are known of any program's archive.
 * PH_E_PARSE: no monitor was stored; PH_E_IO: damaged; PH_E_NO_MEMORY. */
PH_API ph_status ph_record_errors(ph_record *record, ph_summary *summary, size_t *maps, ph_error *err);

PH_END_DECLS
#endif
