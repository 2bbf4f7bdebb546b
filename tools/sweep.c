/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode sweep: all members of an ensemble, from a scenario to one archive and its statistics. */
#include "program.h"

#include "bench/common/scenario-input.h"
#include "figures/utf8.h"

#include <polhode/kit/text.h>
#include <polhode/sweep.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [bytes] An archive of more than that takes --force. [s] Members are tried for so long by --dry-run. */
static const double refused_bytes = 1e10, tried_seconds = 1;
/* Members that failed are listed up to so many. */
enum { NAMED = 10 };

typedef struct sweep_arguments {
    const char *file, *directory, *shard;
    int64_t threads;
    option_texts set;
    double wall_clock, snapshot, progress; /* [s] */
    bool failed, dry_run, force, quiet, json;
} sweep_arguments;

#define AT(kind, member) OPTION_AT(kind, sweep_arguments, member)
static const option_row options[] = {
    {"FILE", 0, "scenario file", AT(OPERAND, file),
     .text = "a scenario with the key ensemble; - reads the standard input", .required = true},
    {"output", 'o', "DIR", AT(TEXT, directory),
     .text = "where to write (default: the scenario's name + .out; stdin.out for -)"},
    {"threads", 'j', "N", AT(WHOLE, threads), .text = "how many threads (default: one a processor)"},
    {"shard", 0, "K/N", AT(TEXT, shard),
     .text =
         "only the K-th of N equal ranges of members; its archive is NAME.shard-K-of-N.polhode (see polhode merge)"},
    {"failed", 0, NULL, AT(FLAG, failed),
     .text = "run again the members that failed, and replace their rows; with --set with these values"},
    {"set", 0, "KEY=VALUE", AT(TEXTS, set),
     .text = "use this value instead of the scenario's, for example step=0.01 (may be repeated)"},
    {"dry-run", 0, NULL, AT(FLAG, dry_run),
     .text = "print how many members there are, and the memory, disk and time that they take; write nothing"},
    {"force", 'f', NULL, AT(FLAG, force),
     .text = "replace an archive instead of continuing it; write more than 10 GB"},
    {"wall-clock", 0, "S", AT(DURATION, wall_clock), .text = "end after S seconds"},
    {"snapshot-interval", 0, "S", AT(DURATION, snapshot),
     .text = "save at least every S seconds: a crash loses no more (default: 5)"},
    {"progress", 0, "S", AT(DURATION, progress),
     .text =
         "if standard error is not a terminal, write a progress line every S seconds (default: 60; 0: never)"},
    {"json", 0, NULL, AT(FLAG, json), .text = "print the summary as JSON"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors: no progress, no warnings"},
    {.name = NULL}};
static const sweep_arguments defaults = {.wall_clock = INFINITY, .snapshot = 5, .progress = 60};

/* ---- While it runs ----------------------------------------------------------------------------------------------- */

static void show_progress(void *self, const ph_sweep *s)
{
    static const double parts = 1e9;
    progress *p = self;
    ph_sweep_result r;
    if (!progress_is_due(p))
        return;
    ph_sweep_get_result(s, &r);
    progress_show(p, (double)NAN, (int64_t)(parts * r.share), (int64_t)parts, NULL);
}

static void print_warning(void *self, const char *text)
{
    (void)self;
    complain(0, "warning: %s", text);
}

static bool signalled(void *self, const char **reason, const char **by)
{
    (void)self;
    *reason = "signal";
    *by = *signal_flag() == SIGTERM ? "SIGTERM" : "SIGINT";
    return *signal_flag() != 0;
}

/* ---- The summary ---------------------------------------------------------------------------------------------------- */

/* "3, 17, 4711, ..." of those that failed; message (size) <- why the first did. */
static void list_failed(const ph_sweep_result *r, char *list, size_t n, char *message, size_t size)
{
    ph_record *record;
    ph_error err;
    ph_member_failure f = {.member = -1};
    *list = *message = '\0';
    if (ph_record_open(r->path, &record, &err))
        return;
    for (int i = 0; i < NAMED && ph_record_next_failure(record, f.member, &f); i++) {
        if (!i)
            snprintf(message, size, "%s", f.message);
        text_add(list, n, "%s%" PRId64, i ? ", " : "", f.member);
    }
    if (r->failed > NAMED)
        text_add(list, n, ", ...");
    ph_record_close(record);
}

static void print_summary(const ph_sweep_result *r)
{
    char list[400], message[400];
    const int64_t all = r->all.end - r->all.first;
    printf("%" PRId64 " of %" PRId64 " member%s", r->done, all, all == 1 ? "" : "s");
    if (r->all.shards > 1)
        printf(" of shard %" PRId64 " of %" PRId64 ", from member %" PRId64, r->all.shard, r->all.shards,
               r->all.first);
    printf(", %" PRId64 " row%s each\n", r->all.rows, r->all.rows == 1 ? "" : "s");
    if (r->failed) {
        list_failed(r, list, sizeof list, message, sizeof message);
        printf("  failed           %" PRId64 ": member%s %s; the first: %s\n", r->failed,
               r->failed == 1 ? "" : "s", list, message);
    }
    if (r->stopped)
        printf("  stopped          %" PRId64 " by an event\n", r->stopped);
    if (r->run)
        printf(
            "  throughput       %.3g members/s, %.3g us of CPU time a member (%.3g ns a step), %d thread%s%s\n",
            (double)r->run / r->wall_seconds, 1e6 * r->cpu_seconds / (double)r->run,
            r->steps ? 1e9 * r->cpu_seconds / (double)r->steps : 0.0, r->threads, r->threads == 1 ? "" : "s",
            r->lanes > 1 ? ", 8 members at once" : "");
    printf("  written          %s%s%s\n", r->path, r->statistics ? ", " : "",
           r->statistics ? r->statistics : "");
}

static int print_json(const ph_sweep_result *r)
{
    builder b = {0};
    char list[400], message[400] = "";
    json_object *o = build_object(&b);
    if (r->failed)
        list_failed(r, list, sizeof list, message, sizeof message);
    build_add(&b, o, "polhode_sweep", build_count(&b, 1));
    build_add(&b, o, "file", build_text(&b, r->path));
    build_add(&b, o, "members", build_count(&b, r->all.members));
    build_add(&b, o, "first_member", build_count(&b, r->all.first));
    build_add(&b, o, "planned", build_count(&b, r->all.end - r->all.first));
    build_add(&b, o, "shard", build_count(&b, r->all.shard));
    build_add(&b, o, "shards", build_count(&b, r->all.shards));
    build_add(&b, o, "rows_per_member", build_count(&b, r->all.rows));
    build_add(&b, o, "done", build_count(&b, r->done));
    build_add(&b, o, "run", build_count(&b, r->run));
    build_add(&b, o, "failed", build_count(&b, r->failed));
    build_add(&b, o, "first_failure", r->failed ? build_text(&b, message) : NULL);
    build_add(&b, o, "stopped_by_an_event", build_count(&b, r->stopped));
    build_add(&b, o, "steps", build_count(&b, r->steps));
    build_add(&b, o, "cpu_seconds", build_number(&b, r->cpu_seconds));
    build_add(&b, o, "wall_seconds", build_number(&b, r->wall_seconds));
    build_add(&b, o, "threads", build_count(&b, r->threads));
    build_add(&b, o, "members_at_once", build_count(&b, (int64_t)r->lanes));
    build_add(&b, o, "status", build_text(&b, r->status ? ph_status_text(r->status) : "ok"));
    build_add(&b, o, "statistics", r->statistics ? build_text(&b, r->statistics) : NULL);
    return print_document(&b, o);
}

static const translation words[] = {{"options.largest allows", "are written without --force"},
                                    {"to replace it set options.force, or name another directory",
                                     "--force is needed, or another directory: -o DIR"},
                                    {"options.threads", "--threads"},
                                    {NULL, NULL}};

static int report_end(const ph_sweep *s, const sweep_arguments *a, ph_error *why)
{
    ph_sweep_result r;
    ph_sweep_get_result(s, &r);
    if (why->status == PH_E_IO || why->status == PH_E_EXISTS || why->status == PH_E_SIZE) {
        const bool chosen = strstr(why->message, "options.largest");
        translate(why, words);
        return complain(chosen ? EXIT_INPUT : EXIT_OUTPUT, "%s", why->message);
    }
    if (a->json && print_json(&r))
        return EXIT_OUTPUT;
    if (!a->quiet && !a->json)
        print_summary(&r);
    if (why->status == PH_E_INTERRUPTED)
        return complain(*signal_flag() ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_ENDED_EARLY,
                        "%s; %" PRId64 " of %" PRId64 " member%s are in %s; to continue: the same command",
                        why->message, r.done, r.all.end - r.all.first,
                        r.all.end - r.all.first == 1 ? "" : "s", r.path);
    if (why->status)
        return complain(EXIT_ENDED_EARLY, "%s", why->message);
    return r.failed ? complain(EXIT_ENDED_EARLY,
                               "%" PRId64 " member%s failed; to run %s again: --failed, with other "
                               "values by --set",
                               r.failed, r.failed == 1 ? "" : "s", r.failed == 1 ? "it" : "them")
                    : EXIT_OK;
}

/* ---- Without running --------------------------------------------------------------------------------------------------- */

static int print_plan(ph_sweep *s)
{
    ph_sweep_size size;
    ph_sweep_result r;
    ph_error err;
    char bytes[32], room[32] = "not known", memory[32], time[32], wall[32];
    double seconds;
    ph_sweep_estimate(s, &size);
    ph_sweep_get_result(s, &r);
    if (ph_sweep_time(s, tried_seconds, &seconds, &err))
        return complain_of(EXIT_INPUT, &err);
    ph_bytes_text(size.bytes, bytes);
    ph_bytes_text(size.memory, memory);
    if (isfinite(size.free))
        ph_bytes_text(size.free, room);
    write_duration(time, seconds);
    write_duration(wall, seconds / r.threads);
    printf("  members          %.0f", size.members);
    if (r.all.shards > 1)
        printf(" of %" PRId64 ", from member %" PRId64, r.all.members, r.all.first);
    printf("\n  rows             %.0f of each, of %zu numbers\n", size.rows, size.columns);
    printf("  disk             about %s for %s; free: %s\n", bytes, r.path, room);
    printf("  memory           about %s for rows that wait, %d thread%s\n", memory, r.threads,
           r.threads == 1 ? "" : "s");
    printf("  time             about %s of CPU time, %s with as many processors as threads\n", time, wall);
    return EXIT_OK;
}

/* ---- The command ------------------------------------------------------------------------------------------------------- */

/* K/N */
static ph_status read_shard(const char *text, int64_t *shard, int64_t *shards, ph_error *err)
{
    const char *slash = strchr(text, '/');
    char first[32] = "";
    if (slash && slash - text < (int)sizeof first)
        memcpy(first, text, (size_t)(slash - text));
    if (!slash || ph_parse_count(first, shard) || ph_parse_count(slash + 1, shards) || *shard < 1 ||
        *shard > *shards)
        return ph_fail(err, PH_E_INVALID, "--shard %.40s: K/N with 1 <= K <= N is expected, as 2/7", text);
    return PH_OK;
}

static int run_sweep(ph_sweep *s, const sweep_arguments *a, progress *p)
{
    ph_error err = {PH_OK, ""};
    if (a->dry_run)
        return print_plan(s);
    *p = progress_start_lines("sweep", a->quiet, a->progress);
    ph_sweep_run(s, &err);
    progress_end(p);
    return report_end(s, a, &err);
}

static int run(void *pointer)
{
    const sweep_arguments *a = pointer;
    progress p;
    ph_sweep *s = NULL;
    ph_error err;
    char *text = NULL;
    size_t length = 0;
    static const option_texts none = {.n = 0};
    ph_sweep_options o = {.force = a->force,
                          .threads = (int)fmin((double)a->threads, 1e6),
                          .failed = a->failed,
                          .snapshot = &a->snapshot,
                          .wall_clock = isinf(a->wall_clock) ? NULL : &a->wall_clock,
                          .largest = a->force ? NULL : &refused_bytes,
                          .progress = show_progress,
                          .message = a->quiet ? NULL : print_warning,
                          .stop = signalled,
                          .self = &p};
    if (a->shard && read_shard(a->shard, &o.shard, &o.shards, &err))
        return complain_of(EXIT_INPUT, &err);
    if (a->failed) {
        o.settings = a->set.at;
        o.n_settings = a->set.n;
    }
    const bool whole = !strcmp(a->file, "-") || (a->set.n && !a->failed);
    if (whole && scenario_text(a->file, a->failed ? &none : &a->set, 0, &text, &length, &err)) {
        free(text);
        return complain_of(EXIT_INPUT, &err);
    }
    catch_signals();
    ph_status status =
        whole ? ph_sweep_open_text(text, length, scenario_name(a->file), a->directory, &o, &s, &err)
              : ph_sweep_open(a->file, a->directory, &o, &s, &err);
    free(text);
    if (status) {
        translate(&err, words);
        return complain_of(status == PH_E_IO && !strstr(err.message, a->file) ? EXIT_OUTPUT : EXIT_INPUT,
                           &err);
    }
    const int code = run_sweep(s, a, &p);
    ph_sweep_close(s, NULL);
    return code;
}

const command_row command_sweep = {
    .name = "sweep",
    .summary = "run all members of an ensemble into one archive, on all processors",
    .about =
        "Run all members of a scenario's ensemble and write DIR/NAME.polhode, an archive with the rows of all, and "
        "DIR/NAME.statistics.json. Where the archive is there, it is continued: run the same command again after an "
        "interruption, a crash or a full disk.",
    .notes =
        "The rows of a member have the same bits for any number of threads and shards. Ctrl-C and SIGTERM end the sweep; "
        "members that are not complete then are run again by the next one.",
    .exits = {{0, "all members are done"},
              {1, "it ended early, or members failed"},
              {2, "wrong usage or a mistake in the scenario"},
              {3, "the archive cannot be written"},
              {130, "interrupted; members up to there were written"}},
    .options = options,
    .size = sizeof(sweep_arguments),
    .defaults = &defaults,
    .run = run};
