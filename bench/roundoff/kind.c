/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench roundoff: how rounding accumulates over many steps. */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Options --------------------------------------------------------------------------------------- */

#define AT(kind, member) OPTION_AT(kind, roundoff_report, member)
static const option_row options[] = {
    {"MOTION", 0, NULL, OPTION_AT(OPERANDS, bench_run, names),
     .text = "one of the table (see --list; default: all)"},
    {"members", 0, "N", AT(WHOLE, members), .least = 1, .most = ROUNDOFF_MEMBERS,
     .text = "number of members of each ensemble (default: 32)"},
    {"steps", 0, "N", AT(WHOLE, steps), .least = 1, .most = 1e10,
     .text = "the least number of steps, up to 1e10 (default: 1e9, for two motions 1e8)"},
    {"threads", 0, "N", AT(WHOLE, threads), .least = 1, .most = 1000,
     .text = "how many threads step members (default: as many as there are processors)"},
    {"resume", 'r', NULL, AT(FLAG, run.resume), .text = "continue the archives in DIR"},
    {"from", 0, "FILE", AT(TEXT, from),
     .text = "take no steps: make table, words and figures from an existing roundoff.json"},
    BENCH_OPTIONS("where to write (default: roundoff.bench.out)",
                  "overwrite existing results and start again",
                  "print what roundoff.json has, instead of tables and words"),
    BENCH_LIST("list the motions"),
    {.name = NULL}};

static const roundoff_report defaults = {.members = 32};

static ph_status take_motions(roundoff_report *r, ph_error *err)
{
    const bench_run *run = &r->run;
    if (run->names.n > ROUNDOFF_MOST)
        return ph_fail(err, PH_E_RANGE, "at most %d motions", ROUNDOFF_MOST);
    for (size_t i = 0; i < run->names.n; i++) {
        r->motions[r->n_motions] = roundoff_find(run->names.at[i], err);
        if (!r->motions[r->n_motions++])
            return PH_E_UNKNOWN;
    }
    for (size_t i = 0; !run->names.n && i < n_roundoff_problems; i++)
        r->motions[r->n_motions++] = &roundoff_problems[i];
    return PH_OK;
}

/* The command that makes the same data; paths are not part of it. */
static void note_command(roundoff_report *r)
{
    size_t used = (size_t)snprintf(r->command, sizeof r->command, "polhode bench roundoff");
    for (size_t i = 0; i < r->run.names.n && used < sizeof r->command; i++)
        used += (size_t)snprintf(r->command + used, sizeof r->command - used, " %s", r->run.names.at[i]);
    if (used < sizeof r->command)
        used += (size_t)snprintf(r->command + used, sizeof r->command - used, " --members %lld",
                                 (long long)r->members);
    if (r->steps && used < sizeof r->command)
        snprintf(r->command + used, sizeof r->command - used, " --steps %g", (double)r->steps);
}

/* --resume continues an archive of any motion: those of others are begun next to it. */
static ph_status find_begun(const char *directory, ph_error *err)
{
    char path[4400];
    for (size_t i = 0; i < n_roundoff_problems; i++) {
        roundoff_path(path, sizeof path, directory, &roundoff_problems[i]);
        if (!access(path, F_OK))
            return PH_OK;
    }
    return ph_fail(
        err, PH_E_INVALID,
        "--resume: nothing to resume in %s, which has no roundoff-MOTION.polhode; -o DIR names where "
        "it was begun, and without --resume it begins",
        directory);
}

static ph_status load(bench_run *run, ph_error *err)
{
    roundoff_report *r = (roundoff_report *)run;
    if (run->resume && run->force)
        return ph_fail(err, PH_E_INVALID,
                       "--resume continues, and --force begins again: only one of them can be given");
    if (r->from && (run->resume || run->names.n))
        return ph_fail(err, PH_E_INVALID, "--from takes no steps: it excludes --resume and motions");
    note_command(r);
    ph_status status = take_motions(r, err);
    if (status || run->list)
        return status;
    if (run->resume && (status = find_begun(run->directory ? run->directory : "roundoff.bench.out", err)))
        return status;
    run->n_items = r->from ? 0 : r->n_motions;
    return r->from ? roundoff_read(r, r->from, err) : PH_OK;
}

static void list(FILE *out)
{
    fprintf(out, "Motions:\n");
    for (size_t i = 0; i < n_roundoff_problems; i++)
        fprintf(out, "  %-27s %s\n", roundoff_problems[i].name, roundoff_problems[i].title);
}

/* ---- Running --------------------------------------------------------------------------------------- */

static int64_t steps_of(const roundoff_report *r, const roundoff_problem *p)
{
    return r->steps ? r->steps : p->steps;
}

/* Before the first motion: archives of an earlier bench are continued or replaced, as the options say. */
static ph_status look_at_archives(const roundoff_report *r, ph_error *err)
{
    char path[4400];
    for (size_t i = 0; i < r->n_motions && !r->run.force && !r->run.resume; i++) {
        roundoff_path(path, sizeof path, r->run.directory, r->motions[i]);
        if (!access(path, F_OK))
            return ph_fail(err, PH_E_EXISTS,
                           "%s: exists already; continue it (--resume) or allow to replace it (--force)",
                           path);
    }
    return PH_OK;
}

static ph_status make(bench_run *run, size_t i, bench_watch *watch, ph_error *err)
{
    const roundoff_report *r = (const roundoff_report *)run;
    const roundoff_problem *p = r->motions[i];
    ph_status status = i ? PH_OK : look_at_archives(r, err);
    if (status)
        return status;
    watch->items = run->n_items;
    watch_label(watch, "%s", p->name);
    status = roundoff_run(run->directory, p, (size_t)r->members, steps_of(r, p), (int)r->threads, run->force,
                          watch, err);
    return status == PH_E_INTERRUPTED ? ph_fail(err, PH_E_INTERRUPTED, "interrupted") : status;
}

/* Read the archives, of this run and of those before. */
static ph_status conclude(bench_run *run, ph_error *err)
{
    roundoff_report *r = (roundoff_report *)run;
    ph_status status = PH_OK;
    if (r->from)
        return PH_OK;
    r->ensembles = calloc(r->n_motions + 1, sizeof *r->ensembles);
    if (!r->ensembles)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    run->where.seconds = 0;
    for (; r->n < r->n_motions && !status; r->n++) {
        roundoff *e = &r->ensembles[r->n];
        const roundoff_problem *p = r->motions[r->n];
        status = roundoff_create(e, p, (size_t)r->members, steps_of(r, p), err);
        if (!status)
            status = roundoff_collect(e, p, run->directory, err);
        run->where.seconds += round(e->cpu_seconds);
    }
    return status;
}

static void release(bench_run *run)
{
    roundoff_report_free((roundoff_report *)run);
}

static void print(FILE *out, const bench_run *run, size_t i)
{
    const roundoff_report *r = (const roundoff_report *)run;
    (void)i;
    for (size_t k = 0; k < r->n; k++) {
        char *words = roundoff_words(&r->ensembles[k]);
        roundoff_table(out, &r->ensembles[k]);
        fprintf(out, "\n%s\n", words ? words : "");
        free(words);
    }
}

const bench_kind roundoff_kind = {
    .command =
        {.name = "bench roundoff",
         .summary = "measure how rounding accumulates in an ensemble of motions over very many steps",
         .about =
             "Measure how rounding accumulates: energy, momentum and constraint errors of an ensemble of motions "
             "that differ by a thousandth in their initial velocities, over very many steps; a stage of "
             "a composition counts as a step. Prints moments over the members, how they grow, and "
             "whether that is a random walk; writes DIR/report.html, roundoff.svg"
             ", roundoff.json and roundoff.csv. Each motion is a sweep into an archive in DIR: it can be interrupted at any time, and is continued behind the last members that are complete, with the same bits.",
         .exits = {{0, "done, even if something drifts: the words say so"},
                   {2, "wrong usage"},
                   {3, "the results cannot be written"},
                   {130, "interrupted; results up to there were written, and --resume continues"}},
         .options = options,
         .size = sizeof(roundoff_report),
         .defaults = &defaults},
    .load = load,
    .list = list,
    .make = make,
    .conclude = conclude,
    .release = release,
    .print = print,
    .print_last = 1,
    .json_file = "roundoff.json",
    .json = roundoff_json,
    .tables = roundoff_tables,
    .page = &roundoff_page,
    .picture_file = "roundoff.svg",
    .picture = roundoff_picture,
    .hint = "--resume continues"};
