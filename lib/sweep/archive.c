/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive of a sweep is begun, or continued if it is of the same sweep; blocks of members are added to it, and it is
 * closed. */
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/archive/words.h"
#include "lib/session/parts.h"

#include <polhode/kit/text.h>
#include <polhode/version.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Continuing --------------------------------------------------------------------------------------------- */

/* Are its columns, and the numbers that vary in its last member, those of this sweep? They may come from files that have
 * changed. */
static bool same_members(ph_sweep *s, ph_record *record, int64_t next)
{
    bool same = ph_record_columns(record) == s->n_columns;
    for (size_t i = 0; i < s->n_columns && same; i++)
        same = !strcmp(ph_record_column(record, i), s->columns[i].name);
    if (!same || next == s->all.first || !s->varied)
        return same;
    ph_error err;
    int64_t read = 0, after; /* the last row has the number of its member */
    double *row = malloc(s->n_columns * sizeof *row), *now = malloc(s->varied * sizeof *now);
    same = row && now &&
           !ph_record_read(record, (next - s->all.first) * s->all.rows - 1, 1, row, &read, &after, &err) &&
           read == 1 && row[PH_MEMBER] >= 0 && row[PH_MEMBER] < (double)s->all.members &&
           !ph_members_values(s->members, (int64_t)row[PH_MEMBER], now, &err) &&
           !memcmp(now, row + PH_MEMBER_LEADING, s->varied * sizeof *now);
    free(row);
    free(now);
    return same;
}

bool ph_sweep_same_files(const ph_record *record, uint32_t files)
{
    const char *text = ph_record_meta(record, "files");
    int64_t then = 0;
    return (!text || !ph_parse_count(text, &then)) && then == (int64_t)files;
}

static ph_status refuse(const ph_sweep *s, const char *why, ph_error *err)
{
    return ph_fail(
        err, PH_E_EXISTS,
        "%.300s: is another sweep's: %.500s; to replace it set options.force, or name another directory",
        s->path, why);
}

/* A warning where another build of the library began it. */
static void compare_build(const ph_sweep *s, const ph_record *record)
{
    const char *version = ph_record_meta(record, "version"), *build = ph_record_meta(record, "build");
    char here[512], text[1400];
    ph_archive_build(here, sizeof here);
    if (!s->options.message || !version || !build || (!strcmp(version, ph_version()) && !strcmp(build, here)))
        return;
    snprintf(text, sizeof text,
             "%.200s was begun by version %.40s (%.400s), this is %s (%.400s); bits may differ", s->path,
             version, build, ph_version(), here);
    s->options.message(s->options.self, text);
}

ph_status ph_sweep_compare(ph_sweep *s, ph_record *record, int64_t *next, ph_error *err)
{
    ph_swept all;
    ph_commit commit;
    char words[400];
    const char *then = ph_record_meta(record, "scenario");
    if (!ph_record_swept(record, &all))
        return refuse(s, "it holds a run", err);
    if (!then || ph_session_texts_differ(s->text, s->length, then, words, sizeof words))
        return refuse(s, then ? words : "it has no scenario", err);
    if (memcmp(&all, &s->all, sizeof all) != 0) {
        snprintf(words, sizeof words, "it has the members %lld to %lld of %lld in %lld rows each",
                 (long long)all.first, (long long)all.end - 1, (long long)all.members, (long long)all.rows);
        return refuse(s, words, err);
    }
    ph_status status = ph_record_commit(record, &commit, err);
    if (!status && (commit.steps < all.first || commit.steps > all.end))
        status = ph_fail(err, PH_E_IO, "%s: is damaged: its state is that of member %lld", s->path,
                         (long long)commit.steps);
    if (status)
        return status;
    if (!ph_sweep_same_files(record, s->files))
        return refuse(
            s,
            "the files that it was made of were others: a table of members, a plugin, or what they begin from",
            err);
    if (!same_members(s, record, commit.steps))
        return refuse(s, "its members have other values: has a file of members changed?", err);
    compare_build(s, record);
    *next = commit.steps;
    s->before = commit.account;
    s->failed = ph_record_failures(record);
    return ph_record_starved(record, err);
}

/* ---- Sizes ---------------------------------------------------------------------------------------------------- */

/* Nobody knows in advance what a rank is going to write: who deals checks the whole. */
static ph_status check_size(const ph_sweep *s, double largest, ph_error *err)
{
    ph_sweep_size size;
    char bytes[32], bound[32];
    if (s->all.rank >= 0)
        return PH_OK;
    ph_sweep_estimate(s, &size);
    const double share = (double)(s->all.end - s->next) / (double)(s->all.end - s->all.first),
                 most = fmin(largest, size.free);
    if (!(share * size.bytes > most))
        return PH_OK;
    ph_bytes_text(share * size.bytes, bytes);
    ph_bytes_text(most, bound);
    return ph_fail(
        err, PH_E_SIZE,
        "%.10g members with %.10g rows of %zu numbers would take about %s on disk, more than the %s that %s",
        share * size.members, size.rows, size.columns, bytes, bound,
        largest <= size.free ? "options.largest allows" : "the disk has room for");
}

/* ---- Beginning -------------------------------------------------------------------------------------------------- */

static ph_status create(ph_sweep *s, ph_error *err)
{
    ph_integrator *integrator = NULL;
    char *directory = strdup(s->directory), *source = s->source ? realpath(s->source, NULL) : NULL;
    const double rows = (double)(s->all.end - s->all.first) * (double)s->all.rows;
    ph_archive_plan plan = {.scenario = s->text,
                            .length = s->length,
                            .name = s->name,
                            .source = source,
                            .model = ph_scenario_model(s->first)->name,
                            .rows = (int64_t)fmin(rows * (double)s->n_columns, 9e18),
                            .kept = ph_scenario_kept(s->first)};
    const ph_archive_sweep what = {s->all, s->columns, s->n_columns, s->varied, s->files};
    ph_status status =
        directory ? ph_make_directories(directory, err) : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (!status)
        status = ph_scenario_integrator(s->first, NULL, &integrator, err);
    plan.integrator = integrator;
    if (!status)
        status = ph_archive_create_sweep(s->path, &plan, &what, ph_scenario_time(s->first), s->snapshot,
                                         &s->archive, err);
    if (!status && s->all.rank <= 1) /* of the ranks of a job one says it */
        ph_file_note_network(s->path, s->options.message, s->options.self);
    ph_integrator_free(integrator);
    free(source);
    free(directory);
    return status;
}

/* Members that failed run again: that is not how the archive has ended, before or behind its last member. */
static ph_status keep_ending(ph_sweep *s, const ph_record *record, ph_error *err)
{
    static const char *const keys[PH_ENDING_WORDS] = {"status", "reason", "ended_by", "message"};
    for (size_t i = 0; i < PH_ENDING_WORDS && s->options.failed; i++) {
        const char *text = ph_record_meta(record, keys[i]);
        if (text && !(s->earlier[i] = strdup(text)))
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    return PH_OK;
}

/* The archive that is there, if members are missing in it. */
static ph_status reopen(ph_sweep *s, ph_error *err)
{
    ph_record *record = NULL;
    int64_t next = 0;
    ph_status status = ph_record_open(s->path, &record, err);
    if (!status)
        status = ph_sweep_compare(s, record, &s->next, err);
    const bool ended = !status && ph_record_meta(record, "status");
    if (!status)
        status = keep_ending(s, record, err);
    ph_record_close(record);
    if (status || (s->next == s->all.end && ended && !s->options.failed))
        return status;
    status = check_size(s, INFINITY, err); /* when it was begun it was allowed */
    if (!status)
        status = ph_archive_reopen_sweep(s->path, s->snapshot, &s->archive, &next, err);
    if (!status && next != s->next) /* another process has continued it in between */
        status = ph_fail(err, PH_E_EXISTS, "%s: another process has written it just now", s->path);
    return status ? status : ph_archive_go_on(s->archive, err);
}

ph_status ph_sweep_begin(ph_sweep *s, ph_error *err)
{
    const bool there = !access(s->path, F_OK);
    if (there && (!s->options.force || s->options.failed))
        return reopen(s, err);
    if (s->options.failed)
        return ph_fail(err, PH_E_IO, "%s: does not exist: no member has failed yet", s->path);
    s->next = s->all.first;
    ph_status status = check_size(s, s->largest, err);
    return status ? status : create(s, err);
}

/* ---- Members ------------------------------------------------------------------------------------------------------ */

/* Of all members in the archive. */
static ph_account account_of(const ph_sweep *s)
{
    return (ph_account){.rows = (s->next - s->all.first) * s->all.rows,
                        .newton_passes = s->before.newton_passes + s->passes_done,
                        .cpu_seconds = s->before.cpu_seconds + s->cpu_seconds};
}

ph_status ph_sweep_commit_block(ph_sweep *s, ph_member_block *b, ph_error *err)
{
    ph_status status = ph_archive_add_rows(s->archive, b->rows, (size_t)(b->count * s->all.rows), err);
    for (size_t i = 0; i < b->n_events && !status; i++)
        status = ph_archive_add_event(s->archive, &b->events[i], err);
    for (size_t i = 0; i < b->n_failures && !status; i++)
        status = ph_archive_add_failure(s->archive, &b->failures[i], err);
    if (!status && s->all.rank >= 0)
        status = ph_archive_add_dealt(s->archive, b->first, b->count, err);
    if (status)
        return status;
    s->next += b->count;
    s->run += b->count;
    s->failed += (int64_t)b->n_failures;
    s->stopped += b->stopped;
    s->steps += b->steps;
    s->passes_done += b->passes;
    if (!ph_archive_due(s->archive))
        return PH_OK;
    const ph_account account = account_of(s);
    const ph_state state = ph_swept_state(s->next);
    return ph_archive_commit(s->archive, &state, NULL, &account, err);
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

ph_status ph_sweep_finish(ph_sweep *s, ph_status ended, const char *message, ph_error *err)
{
    const ph_account account = account_of(s);
    const ph_state state = ph_swept_state(s->next);
    ph_ending ending = {.status = ended,
                        .reason = ended == PH_E_INTERRUPTED ? s->reason ? s->reason : "caller"
                                  : ended                   ? NULL
                                                            : "duration",
                        .by = ended == PH_E_INTERRUPTED ? s->by : NULL,
                        .message = ended ? message : NULL};
    if (!s->archive)
        return ended ? ph_fail(err, ended, "%s", message) : PH_OK;
    if (ended == PH_E_IO || ended == PH_E_EXISTS) {
        ph_archive_abandon(s->archive);
        s->archive = NULL;
        return ph_fail(err, ended, "%s", message);
    }
    if (s->options.failed && !s->earlier[PH_ENDING_STATUS]) { /* it was killed; all blocks are in it */
        ph_archive_abandon(s->archive);
        s->archive = NULL;
        return ended ? ph_fail(err, ended, "%s", message) : PH_OK;
    }
    if (s->options.failed)
        ending = (ph_ending){.status = ph_status_of_word(s->earlier[PH_ENDING_STATUS]),
                             .reason = s->earlier[PH_ENDING_REASON],
                             .by = s->earlier[PH_ENDING_BY],
                             .message = s->earlier[PH_ENDING_MESSAGE]};
    const ph_status status = ph_archive_finish(s->archive, &state, NULL, &account, &ending, err);
    s->archive = NULL;
    return status || !ended ? status : ph_fail(err, ended, "%s", message);
}
