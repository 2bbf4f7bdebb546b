/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a sweep share: open.c reads the scenario and what its archive will have; pool.c deals blocks of
 * members to threads and commits them in order; block.c runs one, by kit.c, which has what steps and measures members of
 * one kind; archive.c begins, continues and ends the archive; again.c replaces members that failed; merge.c joins
 * shards, statistics.c describes what came out. */
#ifndef PH_SWEEP_PARTS_H
#define PH_SWEEP_PARTS_H

#include <polhode/columns.h>
#include <polhode/members.h>
#include <polhode/scenario.h>
#include <polhode/sweep.h>

#include "lib/archive/swept.h"

#include <stdatomic.h>
#include <string.h>

/* What the archive has of an ending, as texts. */
enum { PH_ENDING_STATUS, PH_ENDING_REASON, PH_ENDING_BY, PH_ENDING_MESSAGE, PH_ENDING_WORDS };

/* What is run. */
struct ph_sweep {
    ph_sweep_options options; /* its texts and numbers are not the caller's: see below */
    double snapshot, wall_clock, largest;
    char *text; /* (length) of the scenario */
    size_t length;
    char *again_text;              /* the same for members that failed, with other values; or NULL */
    char *settings;                /* these values, one a line; or NULL */
    char *name, *source;           /* as messages and the archive have them */
    char *directory, *path, *base; /* of the archive; its name in the directory */
    char *statistics;              /* the path of NAME.statistics.json */
    ph_swept all;
    uint32_t files;      /* a checksum of what members are made of from files */
    ph_members *members; /* of the calling thread */
    ph_scenario *first;  /* the first member of all */
    ph_column *columns;  /* (n_columns) names in `names` */
    char *names;
    size_t n_columns, varied, chosen; /* of a row; that vary; of the scenario's choice, t and step included */
    bool passes;                      /* a column has Newton iterations, which ensembles do not count */
    bool shared;                      /* have all members the same system? */
    int threads;
    bool written; /* the statistics */
    /* where it is */
    ph_archive *archive;
    ph_account before;
    char *earlier[PH_ENDING_WORDS]; /* how it had ended before members that failed ran again */
    int64_t next;                   /* the first member that is not in the archive yet */
    int64_t run, due;               /* members run by this sweep, and how many it is to run */
    int64_t failed, stopped, steps, passes_done;
    double cpu_seconds, started;
    double ahead; /* members that are being run, in parts */
    atomic_bool halt;
    atomic_size_t lanes;
    const char *reason, *by;
    bool ended;
    ph_status status;
    char message[sizeof((ph_error *)NULL)->message];
};

/* ---- What a block of members leaves ------------------------------------------------------------------ */

/* A block of consecutive members, or of members that are listed, and what has become of them. */
typedef struct ph_member_block {
    int64_t first, count;
    const int64_t *list;       /* (count) NULL: first ... first + count - 1 */
    double *rows;              /* (count x rows x columns) */
    size_t room;               /* of rows, in members */
    ph_recorded_event *events; /* (n_events) names and values from malloc */
    size_t n_events, events_room;
    ph_member_failure *failures; /* (n_failures) messages from malloc */
    size_t n_failures, failures_room;
    int64_t stopped, steps, passes;
    double cpu_seconds;
    atomic_llong done; /* steps taken, of all members */
    ph_status status;  /* why the block could not be run; PH_E_INTERRUPTED: it was left */
    ph_error error;
} ph_member_block;

static inline int64_t ph_block_member(const ph_member_block *b, int64_t i)
{
    return b->list ? b->list[i] : b->first + i;
}

void ph_block_clear(ph_member_block *b);
void ph_block_free(ph_member_block *b);
ph_status ph_block_add_failure(ph_member_block *b, int64_t member, ph_status status, double t,
                               const char *message, ph_error *err);
ph_status ph_block_add_event(ph_member_block *b, int64_t member, const char *name, const ph_occurrence *o,
                             ph_error *err);
/* A copy of an event that was recorded. */
ph_status ph_block_copy_event(ph_member_block *b, const ph_recorded_event *event, ph_error *err);
/* b->rows <- room for its members. */
ph_status ph_block_make_room(const ph_sweep *s, ph_member_block *b, ph_error *err);

/* ---- Running (block.c, kit.c) -------------------------------------------------------------------------- */

/* One thread's: its members and integrators. */
typedef struct ph_sweep_worker ph_sweep_worker;
/* again: of the failed members' text. */
ph_status ph_sweep_worker_create(ph_sweep *s, bool again, ph_sweep_worker **worker, ph_error *err);
void ph_sweep_worker_free(ph_sweep_worker *w);
/* From now on it leaves what it runs, as interrupted, after so many seconds of CPU time, or where `ask` says so: in the
 * thread that called. */
void ph_sweep_worker_bound(ph_sweep_worker *w, double seconds, ph_status (*ask)(ph_sweep *s, ph_error *err));
/* Runs the block, whose status says how that went. */
void ph_sweep_worker_run(ph_sweep_worker *w, ph_member_block *b);

/* Is `path` this key, or what is in its map or list? */
static inline bool ph_sweep_is_in(const char *path, const char *key)
{
    const size_t n = strlen(key);
    return !strncmp(path, key, n) && (!path[n] || path[n] == '.' || path[n] == '[');
}

/* How many rows a member has: those of its run alone, or one, the last state, where its `output` gives no times. (kit.c) */
int64_t ph_sweep_rows(const ph_scenario *sc);

/* ---- The pool (pool.c) ----------------------------------------------------------------------------------- */

/* Blocks in the order of members go to `commit`, called by this thread. */
typedef struct ph_sweep_job {
    int64_t first, end;
    const int64_t *list; /* then first and end are places in it */
    bool again, dealt;   /* dealt: what comes next is what options.deal says */
    ph_status (*commit)(ph_sweep *s, ph_member_block *b, ph_error *err);
} ph_sweep_job;
/* Is the sweep to end? PH_E_INTERRUPTED. Called by the calling thread. */
ph_status ph_sweep_ask(ph_sweep *s, ph_error *err);
ph_status ph_sweep_pool(ph_sweep *s, const ph_sweep_job *job, ph_error *err);
/* [bytes] of rows that may wait. */
double ph_sweep_memory(const ph_sweep *s);

/* ---- The archive (archive.c, again.c) -------------------------------------------------------------------- */

/* Is the archive of this sweep? *next <- the first member that is missing. */
ph_status ph_sweep_compare(ph_sweep *s, ph_record *record, int64_t *next, ph_error *err);
ph_status ph_sweep_begin(ph_sweep *s, ph_error *err);
ph_status ph_sweep_commit_block(ph_sweep *s, ph_member_block *b, ph_error *err);
ph_status ph_sweep_finish(ph_sweep *s, ph_status ended, const char *message, ph_error *err);
/* May members that failed be run with other values of these keys? For these, is there room for their rows and columns? (again.c) */
ph_status ph_sweep_check_keys(const ph_sweep *s, ph_error *err);
ph_status ph_sweep_check_failed(const ph_sweep *s, ph_error *err);
ph_status ph_sweep_run_again(ph_sweep *s, ph_error *err);

/* Joins the archives of ranks in the directory, each of which becomes a part of the archive that it belongs to. */
ph_status ph_sweep_join_ranks(const char *directory, bool force, ph_error *err);
/* The name of the archive, of a rank if rank >= 0, in the directory; from malloc, or NULL without memory. */
char *ph_sweep_file(const ph_sweep *s, int64_t rank);

/* *number <- of a file's name: digits without a sign or a leading zero, of a number below 1e18. What follows them, or NULL. (ranks.c) */
const char *ph_part_number(const char *at, int64_t *number);

/* Has the archive this checksum of files? (archive.c) */
bool ph_sweep_same_files(const ph_record *record, uint32_t files);

/* ---- What came out (statistics.c) -------------------------------------------------------------------------- */

/* The file `path` <- statistics of the final states in an archive of all members, and of all rows. */
ph_status ph_sweep_write_statistics(const char *archive, const char *path, bool all_rows, ph_error *err);

/* DIR/NAME.statistics.json of an archive, from malloc. */
char *ph_sweep_statistics_path(const char *archive);

#endif
