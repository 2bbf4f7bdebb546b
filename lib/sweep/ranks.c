/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives of the ranks of a parallel job: which members one has, and how all are joined. Joining is a sweep whose blocks are
 * read from the archives of the ranks, in the order of members, instead of being run. So the rows are those of a sweep
 * without ranks, and a join that was killed continues. */
#include "parts.h"

#include "lib/archive/lock.h"
#include "lib/archive/place.h"
#include "lib/internal/grow.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* [numbers] that are copied at a time; archives that are open at a time. */
enum { NUMBERS = 1 << 18, MOST_OPEN = 100 };

/* ---- The members of one rank ---------------------------------------------------------------------------- */

/* In a record of a rank of the sweep, which is compared with it as if it were the sweep's own. */
static ph_status read_members(const ph_sweep *s, ph_record *record, int64_t rank, const char *path,
                              ph_dealt **list, size_t *n, ph_error *err)
{
    int64_t next = 0;
    ph_sweep its = *s;
    its.all.rank = rank;
    its.path = (char *)(uintptr_t)path; /* which is only read */
    *n = 0;
    ph_status status = ph_sweep_compare(&its, record, &next, err);
    if (!status)
        status = ph_record_dealt(record, list, n, err);
    if (status)
        return status;
    int64_t members = s->all.first;
    for (size_t i = 0; i < *n && !status; i++) {
        const ph_dealt *d = &(*list)[i];
        if (d->place != members - s->all.first || d->n < 1 || d->first < s->all.first ||
            d->first > s->all.end - d->n || d->n > next - members)
            status =
                ph_fail(err, PH_E_IO, "%s: is damaged: its list of members is not that of its rows", path);
        members += d->n;
    }
    if (!status && members != next)
        status = ph_fail(err, PH_E_IO, "%s: is damaged: %lld members are listed, %lld have rows", path,
                         (long long)(members - s->all.first), (long long)(next - s->all.first));
    if (status) {
        free(*list);
        *list = NULL;
        *n = 0;
    }
    return status;
}

static ph_status remove_archive(const char *path, ph_error *err)
{
    static const char *const endings[] = {"-wal", "-shm", "-journal", ""};
    bool blocked = false;
    char *lock = ph_path_join(path, ".lock", "");
    const int held = lock ? ph_file_lock(lock, &blocked) : -1;
    ph_status status = PH_OK;
    if (held < 0)
        status = blocked ? ph_fail(err, PH_E_EXISTS, "%s: another process is writing this archive", path)
                         : ph_fail(err, PH_E_IO, "%s: cannot be removed: %s", path,
                                   strerror(lock ? errno : ENOMEM));
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !status; i++) {
        char *name = ph_path_join(path, endings[i], "");
        if (!name || (remove(name) && errno != ENOENT))
            status = ph_fail(err, PH_E_IO, "%s%s: cannot be removed: %s", path, endings[i],
                             strerror(name ? errno : ENOMEM));
        free(name);
    }
    if (held >= 0)
        ph_file_unlock(held, lock);
    free(lock);
    return status;
}

ph_status ph_sweep_rank_members(const ph_sweep *s, int64_t rank, ph_member_range **ranges, size_t *n,
                                ph_error *err)
{
    ph_record *record = NULL;
    ph_dealt *list = NULL;
    char *file = ph_sweep_file(s, rank), *path = file ? ph_path_join(s->directory, "/", file) : NULL;
    ph_status status = path ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    *ranges = NULL;
    *n = 0;
    if (!status && !access(path, F_OK)) {
        status = s->options.force ? remove_archive(path, err) : ph_record_open(path, &record, err);
        if (!status && record)
            status = read_members(s, record, rank, path, &list, n, err);
    }
    if (!status && !(*ranges = malloc((*n + 1) * sizeof **ranges)))
        status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < *n && !status; i++)
        (*ranges)[i] = (ph_member_range){list[i].first, list[i].n};
    ph_record_close(record);
    free(list);
    free(file);
    free(path);
    return status;
}

/* ---- Archives of ranks in a directory -------------------------------------------------------------------- */

typedef struct rank_file {
    char *stem, *path; /* NAME of NAME.rank-3.polhode */
    int64_t rank;
    ph_record *record; /* while it is open */
} rank_file;

typedef struct rank_files {
    rank_file *list; /* (n) by stem and rank */
    size_t n, room;
} rank_files;

const char *ph_part_number(const char *at, int64_t *number)
{
    const size_t digits = strspn(at, "0123456789");
    if (!digits || digits > 18 || (*at == '0' && digits > 1))
        return NULL;
    *number = strtoll(at, NULL, 10);
    return at + digits;
}

/* NAME.rank-R.polhode: *length <- of NAME. */
static bool is_rank(const char *file, size_t *length, int64_t *rank)
{
    static const char mark[] = ".rank-";
    const char *at = NULL, *end;
    for (const char *next = file; (next = strstr(next, mark)); next++)
        at = next;
    if (!at || at == file)
        return false;
    *length = (size_t)(at - file);
    end = ph_part_number(at + strlen(mark), rank);
    return end && !strcmp(end, ".polhode");
}

static ph_status take_file(rank_files *f, const char *directory, const char *name, size_t length,
                           int64_t rank, ph_error *err)
{
    rank_file *list = ph_grow(f->list, f->n, &f->room, sizeof *list);
    if (!list)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    f->list = list;
    rank_file *one = &f->list[f->n++];
    *one =
        (rank_file){.stem = strndup(name, length), .path = ph_path_join(directory, "/", name), .rank = rank};
    return one->stem && one->path ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

static int compare_files(const void *a, const void *b)
{
    const rank_file *x = a, *y = b;
    const int by_stem = strcmp(x->stem, y->stem);
    return by_stem ? by_stem : (x->rank > y->rank) - (x->rank < y->rank);
}

static ph_status look_around(rank_files *f, const char *directory, ph_error *err)
{
    DIR *d = opendir(directory);
    const struct dirent *entry;
    ph_status status = PH_OK;
    size_t length;
    int64_t rank;
    if (!d)
        return ph_fail(err, PH_E_IO, "%s: cannot be read: %s", directory, strerror(errno));
    while (!status && (entry = readdir(d)))
        if (is_rank(entry->d_name, &length, &rank))
            status = take_file(f, directory, entry->d_name, length, rank, err);
    closedir(d);
    if (!status && f->n)
        qsort(f->list, f->n, sizeof *f->list, compare_files);
    return status;
}

/* ---- What the ranks of one sweep have ---------------------------------------------------------------------- */

/* A range of members in the archive of a file; an event. */
typedef struct source {
    int64_t first, n, place;
    size_t file;
} source;
typedef struct event_at {
    int64_t member, index;
    size_t file;
} event_at;

typedef struct joining {
    ph_sweep *sweep;
    rank_file *files; /* (n) */
    size_t n;
    size_t opened[MOST_OPEN],
        n_opened;    /* files whose record is open, and how many were; the oldest is closed */
    source *sources; /* (n_sources) by member */
    size_t n_sources, room;
    event_at *events; /* (n_events) by member and place */
    size_t n_events, events_room, next_event;
    ph_account account;
    ph_member_block block;
} joining;

/* *record <- of this file; it stays open until some others were. */
static ph_status open_file(joining *j, size_t file, ph_record **record, ph_error *err)
{
    rank_file *f = &j->files[file];
    ph_status status = PH_OK;
    if (!f->record) {
        size_t *slot = &j->opened[j->n_opened % MOST_OPEN];
        if (j->n_opened >= MOST_OPEN) {
            ph_record_close(j->files[*slot].record);
            j->files[*slot].record = NULL;
        }
        status = ph_record_open(f->path, &f->record, err);
        if (status)
            f->record = NULL;
        *slot = file;
        j->n_opened++;
    }
    *record = f->record;
    return status;
}

static ph_status list_sources(joining *j, size_t file, ph_record *record, ph_error *err)
{
    ph_dealt *list = NULL;
    size_t n = 0;
    ph_status status =
        read_members(j->sweep, record, j->files[file].rank, j->files[file].path, &list, &n, err);
    for (size_t i = 0; i < n && !status; i++) {
        source *larger = ph_grow(j->sources, j->n_sources, &j->room, sizeof *larger);
        if (!larger) {
            status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            break;
        }
        j->sources = larger;
        j->sources[j->n_sources++] = (source){list[i].first, list[i].n, list[i].place, file};
    }
    free(list);
    return status;
}

static ph_status list_events(joining *j, size_t file, ph_record *record, ph_error *err)
{
    ph_recorded_event event;
    ph_status status = PH_OK;
    for (int64_t i = 0; !status && i < ph_record_events(record); i++) {
        status = ph_record_event(record, i, &event, err);
        event_at *larger = ph_grow(j->events, j->n_events, &j->events_room, sizeof *larger);
        if (!larger)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        j->events = larger;
        if (!status)
            j->events[j->n_events++] = (event_at){event.step, i, file};
    }
    return status ? status : ph_record_starved(record, err);
}

static int compare_sources(const void *a, const void *b)
{
    const source *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static int compare_events(const void *a, const void *b)
{
    const event_at *x = a, *y = b;
    if (x->member != y->member)
        return x->member > y->member ? 1 : -1;
    if (x->file != y->file)
        return x->file > y->file ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static ph_status list_all(joining *j, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < j->n && !status; i++) {
        ph_record *record = NULL;
        ph_commit commit;
        status = open_file(j, i, &record, err);
        if (!status)
            status = list_sources(j, i, record, err);
        if (!status)
            status = list_events(j, i, record, err);
        if (!status)
            status = ph_record_commit(record, &commit, err);
        if (!status) {
            j->account.newton_passes += commit.account.newton_passes;
            j->account.cpu_seconds += commit.account.cpu_seconds;
        }
    }
    if (j->n_sources)
        qsort(j->sources, j->n_sources, sizeof *j->sources, compare_sources);
    if (j->n_events)
        qsort(j->events, j->n_events, sizeof *j->events, compare_events);
    return status;
}

/* Are all members there? The message has how many are not, and the first of them. */
static ph_status check_all(const joining *j, const char *directory, ph_error *err)
{
    const ph_swept *all = &j->sweep->all;
    int64_t next = all->first, missing = 0, first = -1;
    for (size_t i = 0; i <= j->n_sources; i++) {
        const int64_t from = i < j->n_sources ? j->sources[i].first : all->end;
        if (from > next) {
            first = missing ? first : next;
            missing += from - next;
        }
        if (i < j->n_sources && from + j->sources[i].n > next)
            next = from + j->sources[i].n;
    }
    if (!missing)
        return PH_OK;
    return ph_fail(
        err, PH_E_INVALID,
        "%s: the archives of %zu ranks do not have %lld of the %lld members of %s, member %lld being the first; "
        "polhode-mpi sweep runs them, with any number of ranks",
        directory, j->n, (long long)missing, (long long)(all->end - all->first), j->sweep->base,
        (long long)first);
}

/* ---- Joining -------------------------------------------------------------------------------------------------- */

/* Failures and events of the block's members. */
static ph_status read_rest(joining *j, size_t file, ph_record *record, ph_error *err)
{
    ph_member_block *b = &j->block;
    const int64_t end = b->first + b->count;
    ph_member_failure f = {.member = b->first - 1};
    ph_recorded_event e;
    ph_status status = PH_OK;
    while (!status && ph_record_next_failure(record, f.member, &f) && f.member < end)
        status = ph_block_add_failure(b, f.member, f.status, f.t, f.message, err);
    for (; !status && j->next_event < j->n_events && j->events[j->next_event].member < end; j->next_event++) {
        const event_at *at = &j->events[j->next_event];
        if (at->member < b->first || at->file != file)
            continue; /* of a member that was joined before, or that is taken from another archive */
        status = ph_record_event(record, at->index, &e, err);
        if (!status)
            status = ph_block_copy_event(b, &e, err);
    }
    return status ? status : ph_record_starved(record, err);
}

/* Members from `first` on, of a range that has them, as one block. */
static ph_status join_block(joining *j, const source *from, int64_t first, int64_t count, ph_error *err)
{
    ph_sweep *s = j->sweep;
    ph_record *record = NULL;
    ph_member_block *b = &j->block;
    const int64_t rows = count * s->all.rows, row = (from->place + first - from->first) * s->all.rows;
    int64_t next = 0;
    ph_block_clear(b);
    b->first = first;
    b->count = count;
    ph_status status = ph_block_make_room(s, b, err);
    if (!status)
        status = open_file(j, from->file, &record, err);
    for (int64_t done = 0, read = 0; done < rows && !status; done += read) {
        status = ph_record_read(record, row + done, rows - done, b->rows + (size_t)done * s->n_columns, &read,
                                &next, err);
        if (!status && !read)
            status = ph_fail(err, PH_E_IO, "%s: rows of member %lld are missing", j->files[from->file].path,
                             (long long)(first + done / s->all.rows));
    }
    if (!status)
        status = read_rest(j, from->file, record, err);
    return status ? status : ph_sweep_commit_block(s, b, err);
}

static ph_status join_sources(joining *j, ph_error *err)
{
    ph_sweep *s = j->sweep;
    const int64_t most = NUMBERS / (s->all.rows * (int64_t)s->n_columns) + 1;
    ph_status status = PH_OK;
    for (size_t i = 0; i < j->n_sources && !status; i++) {
        const source *from = &j->sources[i];
        const int64_t end = from->first + from->n;
        while (s->next < end && !status) /* a member that two archives have is taken once */
            status = join_block(j, from, s->next, end - s->next < most ? end - s->next : most, err);
    }
    return status;
}

/* j->sweep <- the sweep whose ranks these are, by what the archive of the first says. */
static ph_status open_whole(joining *j, const char *directory, bool force, ph_error *err)
{
    ph_record *record = NULL;
    ph_swept all;
    ph_status status = open_file(j, 0, &record, err);
    if (status)
        return status;
    const char *text = ph_record_meta(record, "scenario"), *name = ph_record_meta(record, "name"),
               *path = ph_record_meta(record, "source");
    if (!ph_record_swept(record, &all) || all.rank < 0 || !text || !name)
        return ph_fail(err, PH_E_INVALID, "%s: is not the archive of a rank of a sweep", j->files[0].path);
    const ph_sweep_options options = {.force = force,
                                      .threads = 1,
                                      .shard = all.shards > 1 ? all.shard : 0,
                                      .shards = all.shards > 1 ? all.shards : 0};
    status = ph_sweep_open_text(text, strlen(text), path ? path : name, directory, &options, &j->sweep, err);
    if (status)
        return status;
    const size_t length = strlen(j->files[0].stem);
    if (strncmp(j->sweep->base, j->files[0].stem, length) != 0 ||
        strcmp(j->sweep->base + length, ".polhode") != 0)
        return ph_fail(err, PH_E_INVALID, "%s: was renamed; it is of the archive %s", j->files[0].path,
                       j->sweep->base);
    return PH_OK;
}

static ph_status join_group(joining *j, const char *directory, bool force, ph_error *err)
{
    ph_status status = open_whole(j, directory, force, err);
    if (!status)
        status = list_all(j, err);
    if (!status)
        status = check_all(j, directory, err);
    if (!status)
        status = ph_sweep_begin(j->sweep, err);
    if (status || !j->sweep->archive) /* it is complete already */
        return status;
    j->sweep->before = j->account;
    status = join_sources(j, err);
    if (status) {
        ph_archive_abandon(j->sweep->archive);
        j->sweep->archive = NULL;
        return status;
    }
    return ph_sweep_finish(j->sweep, PH_OK, NULL, err);
}

ph_status ph_sweep_join_ranks(const char *directory, bool force, ph_error *err)
{
    rank_files all = {.n = 0};
    ph_status status = look_around(&all, directory, err);
    for (size_t i = 0, n; i < all.n && !status; i += n) {
        for (n = 1; i + n < all.n && !strcmp(all.list[i].stem, all.list[i + n].stem);)
            n++;
        joining j = {.files = all.list + i, .n = n};
        status = join_group(&j, directory, force, err);
        for (size_t k = 0; k < n; k++)
            ph_record_close(j.files[k].record);
        ph_block_free(&j.block);
        ph_sweep_abandon(j.sweep);
        free(j.sources);
        free(j.events);
    }
    for (size_t i = 0; i < all.n; i++) {
        free(all.list[i].stem);
        free(all.list[i].path);
    }
    free(all.list);
    return status;
}
