/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep is opened: its scenario is read, its options are checked, and it is settled which members, rows and columns its archive
 * has. Nothing is run or written. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for sched_getaffinity */
#endif
#include "parts.h"

#include "lib/archive/place.h"
#include "lib/scenario/ensemble.h"
#include "lib/scenario/parts.h"
#include "lib/scenario/yaml.h"
#include "lib/text/file.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* [s] what may be lost, and the most threads. */
static const double default_snapshot = 5;
enum { MOST_THREADS = 4096 };
/* Where the first member cannot be made, others are tried, up to so many; and the number of rows may depend on so many values. */
enum { TRIALS = 100, COUNTED = 1000000 };

/* ---- Options -------------------------------------------------------------------------------------------- */

static ph_status take_number(const char *name, const double *from, double *to, ph_error *err)
{
    if (!from)
        return PH_OK;
    if (!isfinite(*from) || *from < 0)
        return ph_fail(err, PH_E_RANGE, "options.%s is %g: a number that is not negative is expected", name,
                       *from);
    *to = *from;
    return PH_OK;
}

/* The processors that this process may use. */
static int processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n < MOST_THREADS ? (int)n : MOST_THREADS;
}

static ph_status take_options(ph_sweep *s, const ph_sweep_options *o, ph_error *err)
{
    s->options = *o;
    ph_status status = take_number("snapshot", o->snapshot, &s->snapshot, err);
    if (!status)
        status = take_number("wall_clock", o->wall_clock, &s->wall_clock, err);
    if (!status)
        status = take_number("largest", o->largest, &s->largest, err);
    if (status)
        return status;
    if (o->threads < 0 || o->threads > MOST_THREADS)
        return ph_fail(err, PH_E_RANGE,
                       "options.threads is %d: 1 to %d are possible, or 0 for one a processor", o->threads,
                       MOST_THREADS);
    if (o->shards < 0 || o->shard < (o->shards > 0) || o->shard > o->shards)
        return ph_fail(err, PH_E_RANGE, "shard %lld of %lld: one of 1 to the number of shards is expected",
                       (long long)o->shard, (long long)o->shards);
    if (o->n_settings && (!o->settings || !o->failed))
        return ph_fail(err, PH_E_INVALID,
                       "options.settings are values for members that failed: a list of them, and "
                       "options.failed, are expected");
    if (o->deal && (o->rank < 0 || o->failed))
        return ph_fail(err, PH_E_INVALID,
                       "options.deal, with rank %lld%s: a rank >= 0 is expected, without `failed`",
                       (long long)o->rank, o->failed ? " and `failed`" : "");
    s->threads = o->threads ? o->threads : processors();
    return PH_OK;
}

/* s->again_text, s->settings <- the scenario with the values of the options. */
static ph_status take_settings(ph_sweep *s, ph_error *err)
{
    ph_status status = PH_OK;
    size_t size = 1;
    for (size_t i = 0; i < s->options.n_settings; i++)
        size += strlen(s->options.settings[i]) + 1;
    s->settings = calloc(1, size);
    if (!s->settings)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < s->options.n_settings && !status; i++) {
        const char *words = s->options.settings[i], *equals = strchr(words, '='),
                   *from = s->again_text ? s->again_text : s->text;
        if (!equals || equals == words)
            return ph_fail(err, PH_E_INVALID, "\"%.200s\": KEY=VALUE is expected, as step=0.01", words);
        char *key = strndup(words, (size_t)(equals - words)), *edited = NULL;
        if (!key)
            return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
        status =
            ph_scenario_edit(from, s->again_text ? strlen(from) : s->length, key, equals + 1, &edited, err);
        free(key);
        if (status)
            break;
        free(s->again_text);
        s->again_text = edited;
        strcat(strcat(s->settings, i ? "\n" : ""), words);
    }
    return status;
}

/* ---- Members ---------------------------------------------------------------------------------------------- */

static ph_status refuse_choice(const ph_sweep *s, ph_error *err)
{
    ph_yaml *file = NULL;
    ph_status status =
        ph_yaml_parse(s->text, s->length, ph_yaml_longest, s->source ? s->source : s->name, &file, err);
    if (status)
        return status;
    const ph_node root = ph_yaml_root(file), accuracy = ph_node_find(&root, "accuracy");
    status = ph_node_fail(
        accuracy.node ? &accuracy : &root, err, PH_E_UNSUPPORTED,
        "in a sweep, method and step are not chosen for an accuracy; give both (polhode methods --advise "
        "finds them for one member)");
    ph_yaml_free(file);
    return status;
}

/* s->first <- the first member that can be made; the error of the very first. */
static ph_status make_first(ph_sweep *s, int64_t *at, ph_error *err)
{
    ph_error other;
    ph_status status = ph_members_make(s->members, 0, &s->first, err);
    *at = 0;
    while (!s->first && *at + 1 < s->all.members && *at + 1 < TRIALS)
        if (!ph_members_make(s->members, ++*at, &s->first, &other))
            status = PH_OK;
    if (!status && !ph_scenario_is_settled(s->first))
        status = refuse_choice(s, err);
    return status;
}

/* Have the members one system? */
static bool share_system(const ph_sweep *s, int64_t at)
{
    ph_scenario *other = NULL;
    ph_error err;
    for (int64_t i = at + 1; !other && i < s->all.members && i < at + TRIALS; i++)
        if (ph_members_make(s->members, i, &other, &err))
            other = NULL;
    const bool same = other && ph_scenario_system(other) == ph_scenario_system(s->first);
    ph_scenario_free(other);
    return same;
}

/* Members are dealt to shards in ranges, the first of which have one more where they cannot be equal. */
static void take_shard(ph_sweep *s)
{
    ph_swept *a = &s->all;
    a->shards = s->options.shards ? s->options.shards : 1;
    a->shard = s->options.shards ? s->options.shard : 1;
    a->rank = s->options.deal ? s->options.rank : -1;
    const int64_t each = a->members / a->shards, rest = a->members % a->shards, before = a->shard - 1;
    a->first = before * each + (before < rest ? before : rest);
    a->end = a->first + each + (before < rest);
}

/* ---- Rows and columns -------------------------------------------------------------------------------------- */

static bool is_output(const char *key, bool words)
{
    (void)words;
    return ph_sweep_is_in(key, "output");
}

/* May the number of rows depend on this key? */
static bool makes_rows(const char *key, bool words)
{
    static const char *const makes[] = {"step",           "steps",        "duration", "output",
                                        "initial.preset", "initial.from", "accuracy", "initial.time",
                                        "model",          "system",       "units"};
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        if (ph_sweep_is_in(key, makes[i]))
            return true;
    (void)words;
    return !strcmp(key, "initial"); /* a map, in which there may be a time */
}

/* Does the scenario choose the columns of the first member? */
static bool same_columns(const ph_sweep *s, const ph_scenario *sc)
{
    size_t n, m;
    const char *const *own = ph_scenario_columns(s->first, &n), *const *its = ph_scenario_columns(sc, &m);
    bool same = n == m;
    for (size_t i = 0; i < n && same; i++)
        same = !strcmp(own[i], its[i]);
    return same;
}

static ph_status refuse_columns(const ph_sweep *s, const char *varies, ph_error *err)
{
    return ph_fail(
        err, PH_E_INVALID,
        "%s: ensemble: %s; all members of a sweep have the same columns: give them in the scenario's own "
        "output.columns",
        s->name, varies);
}

/* s->all.rows <- the most that a member has. Members that differ in nothing which rows depend on are asked once, along with s->first,
 * which is member `at`. */
static ph_status count_rows(ph_sweep *s, int64_t at, ph_error *err)
{
    ph_error why;
    ph_scenario *sc;
    s->all.rows = ph_sweep_rows(s->first);
    if (s->first->output_by_length && ph_members_differing(s->members, is_output, at, 1) < 0)
        return PH_OK;
    for (int64_t k = 0, i; (i = ph_members_differing(s->members, makes_rows, at, k)) >= 0; k++) {
        if (k == COUNTED)
            return ph_fail(
                err, PH_E_SIZE,
                "%s: the number of rows of a member depends on more than %d values of step, duration or "
                "output; all members have as many rows as the one with the most, which is not to be found "
                "out",
                s->name, COUNTED);
        if (i == at || ph_members_make(s->members, i, &sc, &why))
            continue;
        const int64_t rows = ph_sweep_rows(sc);
        const bool same = same_columns(s, sc);
        s->all.rows = rows > s->all.rows ? rows : s->all.rows;
        ph_scenario_free(sc);
        if (!same)
            return refuse_columns(s, "output varies, and with it the columns that are chosen", err);
    }
    return PH_OK;
}

/* The names of the scenario's columns, behind those of every member. */
static ph_status name_columns(ph_sweep *s, const ph_columns *columns, ph_error *err)
{
    static const ph_column leading[PH_MEMBER_LEADING] = {[PH_MEMBER_TIME] = {.name = "t", .unit = "s"},
                                                         [PH_MEMBER_STEP] = {.name = "step"},
                                                         [PH_MEMBER] = {.name = "member"},
                                                         [PH_MEMBER_STATUS] = {.name = "status"}};
    const size_t own = s->chosen - 2;
    s->varied = ph_members_columns(s->members);
    s->n_columns = PH_MEMBER_LEADING + s->varied + own;
    s->columns = calloc(s->n_columns, sizeof *s->columns);
    s->names = malloc((own + 1) * PH_COLUMN_NAME);
    if (!s->columns || !s->names)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(s->columns, leading, sizeof leading);
    for (size_t j = 0; j < s->varied; j++) {
        const char *name = ph_members_column(s->members, j);
        s->columns[PH_MEMBER_LEADING + j].name = strcmp(name, "step") ? name : "scenario.step";
    }
    for (size_t j = 0; j < own; j++) {
        char *room = s->names + j * PH_COLUMN_NAME;
        const char *name = ph_columns_name(columns, j + 2, room);
        if (name != room)
            snprintf(room, PH_COLUMN_NAME, "%s", name);
        s->columns[PH_MEMBER_LEADING + s->varied + j] =
            (ph_column){.name = room, .unit = ph_columns_unit(columns, j + 2)};
    }
    return PH_OK;
}

/* Of all columns the last, of Newton iterations, which members side by side do not count, is there only where it is
 * named. */
static ph_status choose_columns(ph_sweep *s, ph_error *err)
{
    size_t n;
    ph_columns *columns = NULL;
    for (size_t j = 0; j < ph_members_columns(s->members); j++)
        if (ph_sweep_is_in(ph_members_column(s->members, j), "output.columns"))
            return refuse_columns(s, "output.columns varies", err);
    const char *const *words = ph_scenario_columns(s->first, &n);
    ph_status status = ph_columns_create_trajectory(ph_scenario_system(s->first), words, n, &columns, err);
    if (status)
        return status;
    s->chosen = ph_columns_count(columns) - (n == 0);
    for (size_t i = 0; i < n; i++)
        s->passes = s->passes || !strcmp(words[i], "newton_passes");
    status = name_columns(s, columns, err);
    ph_columns_free(columns);
    return status;
}

/* ---- Files -------------------------------------------------------------------------------------------------- */

/* NAME.polhode, NAME.shard-2-of-7.polhode or NAME.rank-3.polhode, malloc's */
char *ph_sweep_file(const ph_sweep *s, int64_t rank)
{
    char shard[80] = "", ending[40] = ".polhode";
    const char *dot = strrchr(s->name, '.');
    char *stem = strndup(s->name, dot && dot != s->name ? (size_t)(dot - s->name) : strlen(s->name));
    if (s->all.shards > 1)
        snprintf(shard, sizeof shard, ".shard-%lld-of-%lld", (long long)s->all.shard,
                 (long long)s->all.shards);
    if (rank >= 0)
        snprintf(ending, sizeof ending, ".rank-%lld.polhode", (long long)rank);
    char *file = stem ? ph_path_join(stem, shard, ending) : NULL;
    free(stem);
    return file;
}

/* The archive in its directory, NAME.out where none is given. */
static ph_status place_files(ph_sweep *s, const char *directory, ph_error *err)
{
    const char *dot = strrchr(s->name, '.');
    char *stem = strndup(s->name, dot && dot != s->name ? (size_t)(dot - s->name) : strlen(s->name));
    if (stem) {
        s->directory = directory ? strdup(directory) : ph_path_join(stem, ".out", "");
        s->base = ph_sweep_file(s, s->all.rank);
    }
    if (s->directory && s->base)
        s->path = ph_path_join(s->directory, "/", s->base);
    s->statistics = s->path ? ph_sweep_statistics_path(s->path) : NULL;
    free(stem);
    if (directory && !*directory)
        return ph_fail(err, PH_E_INVALID, "the name of the output directory is empty");
    return s->statistics ? PH_OK : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
}

char *ph_sweep_statistics_path(const char *archive)
{
    static const char ending[] = ".polhode";
    const size_t n = strlen(archive), cut = sizeof ending - 1;
    char *stem = strndup(archive, n > cut && !strcmp(archive + n - cut, ending) ? n - cut : n);
    char *path = stem ? ph_path_join(stem, ".statistics.json", "") : NULL;
    free(stem);
    return path;
}

/* ---- Opening -------------------------------------------------------------------------------------------------- */

static ph_status set_up(ph_sweep *s, const char *directory, const ph_sweep_options *options, ph_error *err)
{
    static const ph_sweep_options none = {.force = false};
    int64_t at = 0;
    ph_status status = take_options(s, options ? options : &none, err);
    if (!status)
        status = take_settings(s, err);
    if (!status)
        status = ph_members_open(s->text, s->length, s->source ? s->source : s->name, &s->members, err);
    if (status)
        return status;
    status = ph_sweep_check_keys(s, err);
    if (status)
        return status;
    s->all.members = ph_members_count(s->members);
    if (s->options.shards > s->all.members)
        return ph_fail(err, PH_E_RANGE, "%lld shards of %lld members: some would have none",
                       (long long)s->options.shards, (long long)s->all.members);
    take_shard(s);
    status = make_first(s, &at, err);
    if (!status)
        status = choose_columns(s, err);
    if (!status)
        status = place_files(s, directory, err);
    if (status)
        return status;
    s->files = ph_members_files(s->members, s->first, at);
    s->shared = share_system(s, at);
    s->next = s->all.first;
    status = count_rows(s, at, err);
    return status || !s->again_text ? status : ph_sweep_check_failed(s, err);
}

/* A sweep of this text, which it takes over. source: the path of its file, or NULL. */
static ph_status open_sweep(char *text, size_t length, const char *name, const char *source,
                            const char *directory, const ph_sweep_options *options, ph_sweep **sweep,
                            ph_error *err)
{
    const char *slash = strrchr(name, '/');
    ph_sweep *s = calloc(1, sizeof *s);
    if (!s) {
        free(text);
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    }
    s->text = text;
    s->length = length;
    s->name = strdup(slash ? slash + 1 : name);
    s->source = source ? strdup(source) : NULL;
    s->snapshot = default_snapshot;
    s->wall_clock = s->largest = INFINITY;
    ph_status status = s->name && (s->source || !source) ? set_up(s, directory, options, err)
                                                         : ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (status)
        ph_sweep_abandon(s);
    else
        *sweep = s;
    return status;
}

ph_status ph_sweep_open(const char *file, const char *directory, const ph_sweep_options *options,
                        ph_sweep **sweep, ph_error *err)
{
    enum { LONGEST = 64 << 20 };
    char *text;
    size_t length;
    if (!file)
        return ph_fail(err, PH_E_INVALID, "there is no scenario: the name of its file is NULL");
    ph_error why;
    ph_status status = ph_text_slurp(file, LONGEST, &text, &length, &why);
    if (status)
        return ph_fail(err, status, "%.300s: %.200s", file, why.message);
    return open_sweep(text, length, file, file, directory, options, sweep, err);
}

ph_status ph_sweep_open_text(const char *text, size_t length, const char *name, const char *directory,
                             const ph_sweep_options *options, ph_sweep **sweep, ph_error *err)
{
    const char *slash = name ? strrchr(name, '/') : NULL;
    if (!text || !name || !*(slash ? slash + 1 : name))
        return ph_fail(err, PH_E_INVALID, "there is no scenario: a text and a name for it are expected");
    char *copy = malloc(length + 1);
    if (!copy)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    memcpy(copy, text, length);
    copy[length] = '\0';
    return open_sweep(copy, length, name, slash ? name : NULL, directory, options, sweep, err);
}

void ph_sweep_abandon(ph_sweep *s)
{
    if (!s)
        return;
    ph_archive_abandon(s->archive);
    ph_scenario_free(s->first);
    ph_members_free(s->members);
    free(s->columns);
    free(s->names);
    free(s->text);
    free(s->again_text);
    free(s->settings);
    for (size_t i = 0; i < PH_ENDING_WORDS; i++)
        free(s->earlier[i]);
    free(s->name);
    free(s->source);
    free(s->directory);
    free(s->base);
    free(s->path);
    free(s->statistics);
    free(s);
}
