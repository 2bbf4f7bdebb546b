/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode info: what is in an archive, how far its run is, and whether it is whole; also while it is being
 * written, and as far as possible of one that is damaged or that another program has made. */
#include "info.h"

#include "source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { EXIT_DAMAGED = EXIT_ENDED_EARLY };

typedef struct arguments {
    const char *file;
    bool check, scenario, columns, json, quiet;
} arguments;

#define AT(kind, member) OPTION_AT(kind, arguments, member)
static const option_row options[] = {
    {"FILE", 0, "archive", AT(ARCHIVE, file),
     .text = "an archive, NAME.polhode, or a directory that holds one", .required = true},
    {"check", 0, NULL, AT(FLAG, check), .text = "read all rows, events and the state, and list any damage"},
    {"scenario", 0, NULL, AT(FLAG, scenario), .text = "print nothing but the scenario, verbatim"},
    {"columns", 0, NULL, AT(FLAG, columns),
     .text = "print nothing but the names of its columns, or of a trajectory.csv's"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print the same as JSON"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing: only the exit status reports"},
    {.name = NULL}};

/* ---- What is found -------------------------------------------------------------------------------------- */

/* The same may be found twice; no memory is no damage. */
static void note_damage(info *i, const ph_error *why)
{
    if (why->status == PH_E_NO_MEMORY) {
        i->starved = true;
        return;
    }
    if (i->damaged == 1 && i->named[0] && !strcmp(i->named[0], why->message))
        return;
    if (i->damaged < INFO_NAMED && !(i->named[i->damaged] = strdup(why->message)))
        i->starved = true;
    i->damaged++;
}

/* Seconds since a time of that form, "2026-01-31T12:00:00Z": days by the months from March on, so that a leap
 * day is the last of its year. */
static double seconds_since(const char *text)
{
    int year, month, day, hour, minute, second;
    if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hour, &minute, &second) != 6)
        return (double)NAN;
    const int64_t y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    const int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
    return difftime(time(NULL), (time_t)(86400 * days + 3600 * hour + 60 * minute + second));
}

/* In bytes, with the log next to it, whose rows are not in it yet. */
static int64_t size_of(const char *file)
{
    struct stat s;
    char *log = malloc(strlen(file) + sizeof "-wal");
    int64_t size = stat(file, &s) ? 0 : (int64_t)s.st_size;
    if (log && !stat(strcat(strcpy(log, file), "-wal"), &s))
        size += (int64_t)s.st_size;
    free(log);
    return size;
}

static double number_of(const info *i, const char *key)
{
    double value;
    const char *text = info_meta(i, key);
    return text && !ph_parse_number(text, &value) ? value : (double)NAN;
}

static void find_plan(info *i)
{
    ph_error err;
    const char *steps = info_meta(i, "steps");
    i->planned = -1;
    if (steps)
        (void)ph_parse_count(steps, &i->planned);
    i->h = number_of(i, "step");
    i->t0 = number_of(i, "t0");
    i->unsound = ph_record_verify(i->record, &err);
    if (i->unsound)
        note_damage(i, &err);
}

/* Steps a second of the latest session by the wall clock, or by CPU time if it took less than a second. */
static double rate_of(const info *i)
{
    const double taken = seconds_since(info_meta(i, "session")) - i->age;
    const double before = number_of(i, "session_steps"), cpu = i->commit.account.cpu_seconds;
    if (taken >= 1 && (double)i->commit.steps > before)
        return ((double)i->commit.steps - before) / taken;
    return i->commit.steps > 0 && cpu > 0 ? (double)i->commit.steps / cpu : (double)NAN;
}

static void find_place(info *i)
{
    ph_error err;
    ph_status status = ph_record_commit(i->record, &i->commit, &err);
    i->committed = !status;
    i->age = i->rate = i->left = (double)NAN;
    if (status) {
        if (!info_meta(i, "copy"))
            note_damage(i, &err);
        return;
    }
    i->age = seconds_since(i->commit.written);
    i->rate = rate_of(i);
    if (i->writing && i->planned >= 0)
        i->left = fmax(0, (double)(i->planned - i->commit.steps) / i->rate - fmax(0, i->age));
}

/* The errors, and the scenario that the archive has, if it has one. */
static void find_errors(info *i)
{
    ph_error err;
    ph_status status = ph_record_errors(i->record, &i->errors, &i->maps, &err);
    i->monitored = !status;
    if (status)
        snprintf(i->why, sizeof i->why, "%s",
                 info_meta(i, "copy") ? "a copy has no state, and cannot be resumed" : err.message);
    if (status == PH_E_IO && i->committed)
        note_damage(i, &err);
    if (info_meta(i, "scenario") && ph_session_recall(i->record, i->file, &i->scenario, &err)) {
        i->scenario = NULL;
        snprintf(i->unread, sizeof i->unread, "%s", err.message);
    }
    i->change_is = energy_change_of(i->record, i->scenario);
}

ph_status info_open(info *i, const char *file, ph_error *err)
{
    *i = (info){.file = file};
    i->writing = ph_archive_writer(
        file, &i->process); /* before it is read: then if no process writes it, its end is read, too */
    ph_status status = ph_record_open(file, &i->record, err);
    if (status)
        return status;
    i->sweeps = ph_record_swept(i->record, &i->swept);
    i->rows = ph_record_rows(i->record);
    i->size = size_of(file);
    find_plan(i);
    find_place(i);
    if (i->sweeps)
        return PH_OK;
    find_errors(i);
    i->balanced = info_balance(i->record, &i->work, &i->change);
    return PH_OK;
}

ph_status info_starved(const info *i, ph_error *err)
{
    return i->starved ? ph_fail(err, PH_E_NO_MEMORY, "out of memory") : ph_record_starved(i->record, err);
}

void info_close(info *i)
{
    for (size_t k = 0; k < INFO_NAMED; k++)
        free(i->named[k]);
    ph_scenario_free(i->scenario);
    ph_record_close(i->record);
}

/* ---- Is it whole? ------------------------------------------------------------------------------------- */

static void check_rows(info *i)
{
    const size_t columns = ph_record_columns(i->record);
    const int64_t at_once = 65536 / (int64_t)columns + 1;
    double *values = malloc((size_t)at_once * columns * sizeof *values);
    int64_t read = 1, next = 0;
    ph_error err = {PH_E_NO_MEMORY, "out of memory"};
    if (!values)
        note_damage(i, &err);
    for (int64_t first = 0; values && (read || next > first);) {
        first = next;
        if (!ph_record_read(i->record, first, at_once, values, &read, &next, &err))
            continue;
        note_damage(i, &err);
        read = 0;
    }
    free(values);
}

/* They are numbered from 0 without a gap; however a number is damaged, each of those that are there is
 * checked once. */
static void check_events(info *i)
{
    ph_recorded_event event;
    ph_error err;
    int64_t due = 0;
    for (int64_t k = INT64_MIN; ph_record_next_event(i->record, k, &k);) {
        if (k > due) {
            ph_fail(&err, PH_E_IO, "%s: events %" PRId64 " to %" PRId64 " are missing", i->file, due, k - 1);
            note_damage(i, &err);
        }
        if (ph_record_event(i->record, k, &event, &err))
            note_damage(i, &err);
        due = k < INT64_MAX ? k + 1 : k;
    }
}

/* With the state its monitor: where the scenario can be read, that was noted before. */
static void check_state(info *i)
{
    ph_error err;
    if (i->committed && !i->damaged && ph_record_check_state(i->record, &err))
        note_damage(i, &err);
}

/* ---- The command -------------------------------------------------------------------------------------- */

static int print_columns(const char *file)
{
    source s;
    ph_error err;
    if (source_open(file, &s, &err))
        return complain_of(EXIT_INPUT, &err);
    for (size_t i = 0; i < s.n; i++) {
        ph_fail(&err, PH_OK, "%s", s.columns[i].name); /* which leaves no control character */
        printf("%s\n", err.message);
    }
    s.close(s.self);
    return EXIT_OK;
}

static int print_scenario(const info *i)
{
    const char *text = info_meta(i, "scenario");
    if (!text)
        return complain(EXIT_INPUT, "%s: has no scenario; another program has written it", i->file);
    fputs(text, stdout);
    return EXIT_OK;
}

static int print_report(info *i, const arguments *a)
{
    if (a->scenario)
        return print_scenario(i);
    i->checked = a->check;
    if (a->check) {
        check_state(i);
        check_rows(i);
        check_events(i);
    }
    if (a->check && i->sweeps)
        info_check_members(i, note_damage);
    ph_error err;
    if (info_starved(i, &err))
        return complain_of(EXIT_OUTPUT, &err);
    if (a->json && info_print_json(i))
        return EXIT_OUTPUT;
    if (!a->json && !a->quiet)
        info_print(i);
    if (info_starved(i, &err)) /* which counts again */
        return complain_of(EXIT_OUTPUT, &err);
    return i->damaged ? EXIT_DAMAGED : EXIT_OK;
}

static int run_info(void *pointer)
{
    const arguments *a = pointer;
    ph_error err;
    if (a->scenario + a->columns + a->json + a->quiet > 1)
        return complain(EXIT_INPUT, "--scenario, --columns, --json and --quiet exclude each other");
    if (a->columns)
        return print_columns(a->file);
    info i;
    if (info_open(&i, a->file, &err))
        return complain_of(EXIT_INPUT, &err);
    const int code = print_report(&i, a);
    info_close(&i);
    return code;
}

const command_row command_info = {
    .name = "info",
    .summary = "show the contents of an archive, the progress of its run, and the errors",
    .about =
        "Show the contents of an archive, the progress of its run, how it ended or which process writes it, and the errors so far.",
    .exits = {{0, "done"},
              {1, "done, but the archive is damaged"},
              {2, "wrong usage or no archive"},
              {3, "out of memory"}},
    .options = options,
    .size = sizeof(arguments),
    .run = run_info};
