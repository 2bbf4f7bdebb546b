/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive of a sweep, doc/reference/archive.md: its rows are those of all members, one member after the other, and its
 * state counts members in place of steps. Rows are given as numbers. Everything else (blocks, commits, the lock, the log)
 * is as in the archive of a run: ph_archive_commit, _finish, _close and _abandon take it, with ph_swept_state. */
#ifndef PH_ARCHIVE_SWEPT_H
#define PH_ARCHIVE_SWEPT_H

#include <polhode/archive.h>
#include <polhode/record.h>
#include <polhode/table.h>

#include "dealt.h"

/* What the archive is of. */
typedef struct ph_archive_sweep {
    ph_swept all;
    const ph_column
        *columns; /* (n) names and units of a row: t, step, member, status, what varies, the chosen ones */
    size_t n, varied; /* so many of them vary */
    uint32_t files;   /* a checksum of what was read from files; 0: nothing */
} ph_archive_sweep;

/* The columns before those that vary. */
enum { PH_MEMBER_TIME, PH_MEMBER_STEP, PH_MEMBER, PH_MEMBER_STATUS, PH_MEMBER_LEADING };

/* As ph_archive_create: `plan` describes the first member; of its columns and its steps no use is made. */
ph_status ph_archive_create_sweep(const char *path, const ph_archive_plan *plan,
                                  const ph_archive_sweep *members, double t0, double interval,
                                  ph_archive **archive, ph_error *err);
/* As ph_archive_reopen; *next <- the member after those in the latest commit. */
ph_status ph_archive_reopen_sweep(const char *path, double interval, ph_archive **archive, int64_t *next,
                                  ph_error *err);
/* What stands for the state in a commit: members before `next` are complete. */
ph_state ph_swept_state(int64_t next);

/* Further rows (n x columns), an event of a member with its numbers (n), a member that failed: in memory until the next
 * commit. */
ph_status ph_archive_add_rows(ph_archive *archive, const double *rows, size_t n, ph_error *err);
ph_status ph_archive_add_event(ph_archive *archive, const ph_recorded_event *event, ph_error *err);
ph_status ph_archive_add_failure(ph_archive *archive, const ph_member_failure *failure, ph_error *err);

/* What takes the place of members that failed, in ascending order. */
typedef struct ph_archive_patch {
    const ph_swept *all;
    const int64_t *members; /* (n) */
    int64_t n;
    const double *rows;              /* (n x all->rows x columns) */
    const ph_recorded_event *events; /* (n_events), likewise */
    size_t n_events;
    const ph_member_failure *failures; /* (n_failures) of those that failed again */
    size_t n_failures;
    const char
        *settings; /* the values that they were run with in place of the scenario's, one a line; "": none */
} ph_archive_patch;
/* Rows, events and failures are replaced, in one transaction. After a failure the archive is to be abandoned. */
ph_status ph_archive_put_patch(ph_archive *archive, const ph_archive_patch *patch, const ph_account *account,
                               ph_error *err);

/* The archive at `path` as one of all members: its rows are those of shard 1, to which the others' are added. path: of a
 * copy that is not an archive of its own yet. */
ph_status ph_archive_widen(const char *path, int64_t members, ph_error *err);
/* Settings of members that ran again are added to those of the archive at `path`. */
ph_status ph_archive_copy_settings(ph_archive *archive, const ph_record *record, ph_error *err);
/* A copy of the archive of a record at `path`, where nothing may be. */
ph_status ph_archive_copy(const ph_record *record, const char *path, ph_error *err);
/* Logs of an earlier archive at `path` would be taken for those of a new one: they are removed, and the removal is
 * synchronised to the disk, before the new file gets the name. */
ph_status ph_archive_remove_logs(const char *path, ph_error *err);

/* In the archive of a rank: the members of the rows that were added last. In memory until the next commit. */
ph_status ph_archive_add_dealt(ph_archive *archive, int64_t first, int64_t n, ph_error *err);
/* *list (n, malloc's) <- what was dealt, in the order of places. */
ph_status ph_record_dealt(const ph_record *record, ph_dealt **list, size_t *n, ph_error *err);

/* ---- Within lib/archive ----------------------------------------------------------------------------- */

extern const char ph_swept_schema[];

/* Describes the members in the table meta, in the open transaction of a new archive. */
ph_status ph_swept_put(ph_archive *a, const ph_archive_sweep *members, ph_error *err);
#endif
