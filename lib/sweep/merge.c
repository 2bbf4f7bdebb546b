/* SPDX-License-Identifier: BSD-3-Clause */
/* Shards are joined: the archive of the first one is copied, and the rows, events and failures of the others are added to it in
 * their order. It gets its name when it is whole. */
#include "parts.h"

#include "lib/archive/lock.h"
#include "lib/archive/place.h"
#include "lib/session/parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* [numbers] that are copied at a time. */
enum { NUMBERS = 1 << 18 };

typedef struct merge {
    const char *directory;
    char *name;          /* NAME of NAME.shard-2-of-7.polhode; NULL: none was found */
    char *whole, *other; /* archives of sweeps of all members, if the directory has some */
    int64_t shards;
    char **paths;             /* (shards) NULL: missing */
    char *path, *part, *lock; /* NAME.polhode, and the same while it is made */
    ph_account account;
} merge;

/* ---- What is in the directory -------------------------------------------------------------------------------- */

/* NAME.shard-K-of-N.polhode: *length <- of NAME. */
static bool is_shard(const char *file, size_t *length, int64_t *shard, int64_t *shards)
{
    static const char mark[] = ".shard-", of[] = "-of-";
    const char *at = NULL, *end;
    for (const char *next = file; (next = strstr(next, mark)); next++)
        at = next;
    if (!at || at == file)
        return false;
    *length = (size_t)(at - file);
    end = ph_part_number(at + strlen(mark), shard);
    end = end && !strncmp(end, of, strlen(of)) ? ph_part_number(end + strlen(of), shards) : NULL;
    return end && !strcmp(end, ".polhode") && *shard >= 1 && *shard <= *shards;
}

/* Is the file an archive of a whole sweep? */
static bool is_whole(const char *path)
{
    ph_record *record = NULL;
    ph_swept all;
    const size_t n = strlen(path), ending = strlen(".polhode");
    if (n < ending || strcmp(path + n - ending, ".polhode") != 0 || ph_record_open(path, &record, NULL))
        return false;
    const bool is = ph_record_swept(record, &all) && all.shards == 1 && all.rank < 0;
    ph_record_close(record);
    return is;
}

/* A shard, of the sweep that the others are of. */
static ph_status take_shard(merge *m, const char *file, size_t length, int64_t shard, int64_t shards,
                            ph_error *err)
{
    enum { MOST = 1000000 }; /* a name of a file must not decide how much memory is needed */
    if (shards > MOST)
        return ph_fail(err, PH_E_SIZE, "%s: %.200s is of %lld shards; at most %d can be joined", m->directory,
                       file, (long long)shards, MOST);
    if (!m->name) {
        m->name = strndup(file, length);
        m->shards = shards;
        m->paths = calloc((size_t)shards, sizeof *m->paths);
        if (!m->name || !m->paths)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    if (strlen(m->name) != length || strncmp(m->name, file, length) != 0)
        return ph_fail(err, PH_E_INVALID,
                       "%s: has shards of two sweeps, %s and %.*s; each needs its own directory",
                       m->directory, m->name, (int)length, file);
    if (shards != m->shards)
        return ph_fail(err, PH_E_INVALID,
                       "%s: has shards of %lld and of %lld; those of one number are expected", m->directory,
                       (long long)m->shards, (long long)shards);
    m->paths[shard - 1] = ph_path_join(m->directory, "/", file);
    return m->paths[shard - 1] ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static ph_status look_around(merge *m, ph_error *err)
{
    DIR *directory = opendir(m->directory);
    const struct dirent *entry;
    ph_status status = PH_OK;
    size_t length;
    int64_t shard, shards;
    if (!directory)
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", m->directory, strerror(errno));
    while (!status && (entry = readdir(directory))) {
        if (is_shard(entry->d_name, &length, &shard, &shards)) {
            status = take_shard(m, entry->d_name, length, shard, shards, err);
            continue;
        }
        char *path = ph_path_join(m->directory, "/", entry->d_name), **to = m->whole ? &m->other : &m->whole;
        if (path && !*to && is_whole(path))
            *to = path;
        else
            free(path);
    }
    closedir(directory);
    return status;
}

/* Are all shards there? The message names the first few that are not. */
static ph_status check_all(const merge *m, ph_error *err)
{
    enum { NAMED = 5 };
    char list[200] = "";
    int64_t missing = 0;
    for (int64_t i = 0; i < m->shards; i++)
        if (!m->paths[i] && missing++ < NAMED)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%lld", missing > 1 ? ", " : "",
                     (long long)(i + 1));
    if (!missing)
        return PH_OK;
    return ph_fail(err, PH_E_INVALID,
                   "%s: shard%s %s%s of %lld %s missing: polhode sweep FILE --shard %lld/%lld", m->directory,
                   missing > 1 ? "s" : "", list, missing > NAMED ? ", ..." : "", (long long)m->shards,
                   missing > 1 ? "are" : "is", (long long)strtoll(list, NULL, 10), (long long)m->shards);
}

/* ---- Do they belong together? ------------------------------------------------------------------------------------ */

static ph_status compare(const merge *m, int64_t i, const ph_record *first, ph_record *record, ph_error *err)
{
    ph_swept one, all;
    ph_commit commit;
    char words[400];
    const char *text = ph_record_meta(record, "scenario"), *with = ph_record_meta(first, "scenario");
    if (!ph_record_swept(record, &one) || !ph_record_swept(first, &all) || !text || !with)
        return ph_fail(err, PH_E_INVALID, "%s: is not the archive of a sweep", m->paths[i]);
    if (ph_session_texts_differ(text, strlen(text), with, words, sizeof words))
        return ph_fail(err, PH_E_INVALID,
                       "%.300s: is of another scenario than shard 1 of %lld (\"the archive\"): %s",
                       m->paths[i], (long long)m->shards, words);
    bool same = one.members == all.members && one.rows == all.rows && one.shard == i + 1 &&
                one.shards == m->shards && ph_record_columns(record) == ph_record_columns(first);
    for (size_t k = 0; k < ph_record_columns(first) && same; k++)
        same = !strcmp(ph_record_column(first, k), ph_record_column(record, k));
    const char *files = ph_record_meta(record, "files"), *with_files = ph_record_meta(first, "files");
    if (strcmp(files ? files : "", with_files ? with_files : "") != 0)
        return ph_fail(
            err, PH_E_INVALID,
            "%.300s: was made of other files than shard 1 of %lld: a table of members, a plugin, or what they "
            "begin from, has changed in between",
            m->paths[i], (long long)m->shards);
    if (!same)
        return ph_fail(err, PH_E_INVALID, "%s: has other members, rows or columns than shard 1 of %lld",
                       m->paths[i], (long long)m->shards);
    ph_status status = ph_record_commit(record, &commit, err);
    if (!status && commit.steps < one.end)
        status =
            ph_fail(err, PH_E_INVALID,
                    "%s: is not complete: it has %lld of %lld members; polhode sweep FILE --shard %lld/%lld "
                    "runs the others",
                    m->paths[i], (long long)(commit.steps - one.first), (long long)(one.end - one.first),
                    (long long)one.shard, (long long)one.shards);
    return status;
}

static ph_status compare_all(merge *m, ph_error *err)
{
    ph_record *first = NULL;
    ph_commit commit;
    ph_status status = ph_record_open(m->paths[0], &first, err);
    for (int64_t i = 0; i < m->shards && !status; i++) {
        ph_record *record = NULL;
        status = ph_record_open(m->paths[i], &record, err);
        if (!status)
            status = compare(m, i, first, record, err);
        if (!status)
            status = ph_record_check_state(record, err);
        if (!status && !(status = ph_record_commit(record, &commit, err))) {
            m->account.rows += commit.account.rows;
            m->account.newton_passes += commit.account.newton_passes;
            m->account.cpu_seconds += commit.account.cpu_seconds;
        }
        ph_record_close(record);
    }
    ph_record_close(first);
    return status;
}

/* ---- Joining -------------------------------------------------------------------------------------------------------- */

/* The state is that of the shard's end throughout: events are counted by it, and what is not whole has no name. */
static ph_status commit_some(ph_archive *a, int64_t end, ph_error *err)
{
    const ph_state state = ph_swept_state(end);
    const ph_account account = {.rows = 0};
    return ph_archive_due(a) ? ph_archive_commit(a, &state, NULL, &account, err) : PH_OK;
}

static ph_status add_rows(ph_archive *a, ph_record *record, const ph_swept *all, ph_error *err)
{
    const size_t columns = ph_record_columns(record);
    const int64_t at_once = NUMBERS / (int64_t)columns + 1, n = (all->end - all->first) * all->rows;
    double *values = malloc((size_t)at_once * columns * sizeof *values);
    ph_status status = values ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (int64_t row = 0, read = 0, next; row < n && !status; row += read) {
        status =
            ph_record_read(record, row, at_once < n - row ? at_once : n - row, values, &read, &next, err);
        if (!status && !read)
            status = ph_fail(err, PH_E_IO, "rows are missing: there are %lld of %lld", (long long)row,
                             (long long)n);
        if (!status)
            status = ph_archive_add_rows(a, values, (size_t)read, err);
        if (!status)
            status = commit_some(a, all->end, err);
    }
    free(values);
    return status;
}

static ph_status add_shard(ph_archive *a, const char *path, ph_error *err)
{
    ph_record *record = NULL;
    ph_recorded_event event;
    ph_member_failure failure = {.member = -1};
    ph_swept all;
    ph_status status = ph_record_open(path, &record, err);
    for (int64_t i = 0; !status && i < ph_record_events(record); i++) {
        status = ph_record_event(record, i, &event, err);
        if (!status)
            status = ph_archive_add_event(a, &event, err);
    }
    while (!status && ph_record_next_failure(record, failure.member, &failure))
        status = ph_archive_add_failure(a, &failure, err);
    if (!status)
        status = ph_archive_copy_settings(a, record, err);
    if (!status && ph_record_swept(record, &all))
        status = add_rows(a, record, &all, err);
    if (!status)
        status = ph_record_starved(record, err);
    ph_record_close(record);
    return status;
}

static ph_status join(const merge *m, ph_error *err)
{
    static const ph_ending done = {.reason = "duration"};
    ph_record *first = NULL;
    ph_archive *a = NULL;
    ph_swept all;
    int64_t next = 0;
    remove(m->part);
    ph_status status = ph_archive_remove_logs(m->part, err);
    if (!status)
        status = ph_record_open(m->paths[0], &first, err);
    if (!status)
        status = ph_archive_copy(first, m->part, err);
    if (!status && !ph_record_swept(first, &all))
        status = ph_fail(err, PH_E_IO, "%s: is damaged", m->paths[0]);
    ph_record_close(first);
    if (!status)
        status = ph_archive_widen(m->part, all.members, err);
    if (!status)
        status = ph_archive_reopen_sweep(m->part, 60, &a, &next, err);
    if (!status)
        status = ph_archive_go_on(a, err);
    for (int64_t i = 1; i < m->shards && !status; i++)
        status = add_shard(a, m->paths[i], err);
    if (!status) {
        const ph_state state = ph_swept_state(all.members);
        status = ph_archive_finish(a, &state, NULL, &m->account, &done, err);
    } else {
        ph_archive_abandon(a);
    }
    return status;
}

/* NAME.polhode <- what was joined, when it is whole; another writer of it is kept out. */
static ph_status join_in_place(merge *m, bool force, ph_error *err)
{
    bool blocked = false;
    ph_status status = ph_file_target(m->path, force, err);
    if (status)
        return status;
    const int lock = ph_file_lock(m->lock, &blocked);
    if (lock < 0)
        return blocked ? ph_fail(err, PH_E_EXISTS, "%s: another process is writing this archive", m->path)
                       : ph_fail(err, PH_E_IO, "%s: cannot be created: %s", m->lock, strerror(errno));
    status = join(m, err);
    if (!status)
        status = ph_archive_remove_logs(m->path, err);
    if (!status && rename(m->part, m->path))
        status =
            ph_fail(err, PH_E_IO, "%s: cannot be renamed to its final name: %s", m->part, strerror(errno));
    if (status)
        remove(m->part);
    char *place = strdup(m->path);
    if (place)
        ph_sync_directory(place);
    free(place);
    ph_file_unlock(lock, m->lock);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static ph_status run_merge(merge *m, bool force, ph_error *err)
{
    ph_status status = look_around(m, err);
    if (!status && !m->name && !m->whole)
        status = ph_fail(
            err, PH_E_INVALID,
            "%s: has no shards of a sweep (NAME.shard-1-of-2.polhode), and no archives of ranks (NAME.rank-1.polhode)",
            m->directory);
    if (!status && !m->name && m->other)
        status = ph_fail(err, PH_E_INVALID,
                         "the archives %s and %s are of two sweeps; each needs its own directory", m->whole,
                         m->other);
    if (!status && m->name) {
        char *stem = ph_path_join(m->directory, "/", m->name);
        m->path = stem ? ph_path_join(stem, ".polhode", "") : NULL;
        free(stem);
    } else if (!status) {
        m->path = strdup(m->whole);
    }
    if (status || !m->path || !(m->part = ph_path_join(m->path, ".part", "")) ||
        !(m->lock = ph_path_join(m->path, ".lock", "")))
        return status ? status : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!m->name)
        return PH_OK;
    status = check_all(m, err);
    if (!status)
        status = compare_all(m, err);
    return status ? status : join_in_place(m, force, err);
}

/* An archive of its own is described when it is complete. */
ph_status ph_sweep_describe(const char *archive, bool all_rows, ph_error *err)
{
    ph_record *record = NULL;
    ph_swept all;
    ph_commit commit;
    char *path = ph_sweep_statistics_path(archive);
    ph_status status =
        path ? ph_record_open(archive, &record, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_record_commit(record, &commit, err);
    if (!status && ph_record_swept(record, &all) && commit.steps < all.end)
        status = ph_fail(err, PH_E_INVALID, "%s: is not complete: it has %lld of %lld members", archive,
                         (long long)commit.steps, (long long)all.members);
    ph_record_close(record);
    if (!status)
        status = ph_sweep_write_statistics(archive, path, all_rows, err);
    free(path);
    return status;
}

ph_status ph_sweep_merge(const char *directory, bool force, char **path, ph_error *err)
{
    merge m = {.directory = directory};
    if (!directory || !*directory)
        return ph_fail(err, PH_E_INVALID, "the name of the directory is empty");
    ph_status status = ph_sweep_join_ranks(directory, force, err);
    if (!status)
        status = run_merge(&m, force, err);
    if (!status)
        status = ph_sweep_describe(m.path, false, err);
    for (int64_t i = 0; m.paths && i < m.shards; i++)
        free(m.paths[i]);
    free(m.paths);
    free(m.name);
    free(m.whole);
    free(m.other);
    free(m.part);
    free(m.lock);
    if (!status && path)
        *path = m.path;
    else
        free(m.path);
    return status;
}
