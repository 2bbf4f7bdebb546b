/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode bench roundoff: how rounding adds up over many steps. Members and moments are those of
 * bench/roundoff/roundoff*.c. */
#include "bench.h"
#include "command.h"

#include "bench/roundoff/report.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: polhode bench roundoff [MOTION]... [--members N] [--steps N] [--resume] "
    "[-o DIR] [--force] [--quiet] [--json]\n"
    "  or:  polhode bench roundoff --from FILE [-o DIR] [--force] [--json]\n"
    "How rounding adds up: "
    "energy, momentum and constraint errors of an ensemble of motions that differ by a\n"
    "thousandth in their first velocities, over very many steps; a stage of a composition counts as a step.\n"
    "Prints moments over the members, how they grow, "
    "and whether that is a random walk; writes DIR/report.html\n"
    "and roundoff.svg (where there is gnuplot), "
    "roundoff.json and roundoff.csv. Each member is an archive in DIR,\n"
    "so that what takes hours can be ended at any time and gone on with, to the same bits.\n\n"
    "  MOTION               one of the table (see --list; default: all)\n"
    "      --members N      how many of each (default: 32)\n"
    "      --steps N        how many steps, at least, to 1e10 (default: 1e9, of two motions 1e8)\n"
    "  -r, --resume         go on with the archives in DIR\n"
    "      --from FILE      no steps: table, words and figures from a roundoff.json that is there\n"
    "  -o, --output DIR     where to write (default: roundoff.bench.out)\n"
    "  -f, --force          overwrite results that are there, and begin anew\n"
    "  -q, --quiet          no progress\n"
    "      --json           print what roundoff.json has, in place of tables and words\n"
    "  -l, --list           list the motions\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done (also when something drifts: the words say so), 2 wrong usage, 3 cannot write, 130\n"
    "interrupted (what there is is written; --resume goes on).\n";

enum { LONG_MEMBERS = 256, LONG_STEPS, LONG_FROM, LONG_JSON };

typedef struct arguments {
    const char *directory, *from;
    const roundoff_problem *problems[ROUNDOFF_MOST];
    size_t n;
    int64_t members, steps; /* steps: 0: the motion's */
    int force, quiet, json, resume, list;
    char command[400];
} arguments;

/* ---- Arguments ----------------------------------------------------------------------------------- */

static int read_count(const char *text, const char *what, int64_t least, int64_t most, int64_t *value)
{
    double x;
    if (ph_parse_number(text, &x) || !(x >= (double)least && x <= (double)most) || x != floor(x))
        return complain(EXIT_INPUT, "%s must be a whole number from %lld to %g, not \"%s\"", what,
                        (long long)least, (double)most, text) +
               1;
    *value = (int64_t)x;
    return 0;
}

/* 0: go on; otherwise exit code + 1. */
static int take_option(int c, arguments *a)
{
    switch (c) {
    case LONG_MEMBERS:
        return read_count(optarg, "the number of members", 1, ROUNDOFF_MEMBERS, &a->members);
    case LONG_STEPS:
        return read_count(optarg, "the number of steps", 1, roundoff_most_stages, &a->steps);
    case 'r':
        return a->resume = 1, 0;
    case LONG_FROM:
        a->from = optarg;
        return 0;
    case 'o':
        a->directory = optarg;
        return 0;
    case 'f':
        return a->force = 1, 0;
    case 'q':
        return a->quiet = 1, 0;
    case LONG_JSON:
        return a->json = 1, 0;
    case 'l':
        return a->list = 1, 0;
    case 'h':
        return fputs(usage, stdout), EXIT_OK + 1;
    default:
        return complain(EXIT_INPUT, "try: polhode bench roundoff --help") + 1;
    }
}

static int take_problems(int n, char **names, arguments *a)
{
    ph_error err;
    if (n > ROUNDOFF_MOST)
        return complain(EXIT_INPUT, "at most %d motions", ROUNDOFF_MOST) + 1;
    for (int i = 0; i < n; i++) {
        a->problems[a->n] = roundoff_find(names[i], &err);
        if (!a->problems[a->n++])
            return complain(EXIT_INPUT, "%s", err.message) + 1;
    }
    for (size_t i = 0; !n && i < n_roundoff_problems; i++)
        a->problems[a->n++] = &roundoff_problems[i];
    return 0;
}

/* What makes the same data: paths are no part of it. */
static void note_command(int n, char **names, arguments *a)
{
    size_t used = (size_t)snprintf(a->command, sizeof a->command, "polhode bench roundoff");
    for (int i = 0; i < n && used < sizeof a->command; i++)
        used += (size_t)snprintf(a->command + used, sizeof a->command - used, " %s", names[i]);
    if (used < sizeof a->command)
        used += (size_t)snprintf(a->command + used, sizeof a->command - used, " --members %lld",
                                 (long long)a->members);
    if (a->steps && used < sizeof a->command)
        snprintf(a->command + used, sizeof a->command - used, " --steps %g", (double)a->steps);
}

static int read_arguments(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {{"members", required_argument, NULL, LONG_MEMBERS},
                                            {"steps", required_argument, NULL, LONG_STEPS},
                                            {"resume", no_argument, NULL, 'r'},
                                            {"from", required_argument, NULL, LONG_FROM},
                                            {"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, 'f'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, LONG_JSON},
                                            {"list", no_argument, NULL, 'l'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int c, code;
    *a = (arguments){.directory = "roundoff.bench.out", .members = 32};
    while ((c = getopt_long(argc, argv, "ro:fqlh", options, NULL)) != -1)
        if ((code = take_option(c, a)))
            return code;
    if (a->resume && a->force)
        return complain(EXIT_INPUT, "--resume goes on, and --force begins anew: one of them") + 1;
    if (a->from && (a->resume || optind < argc))
        return complain(EXIT_INPUT, "--from takes no steps: neither --resume nor motions go with it") + 1;
    note_command(argc - optind, argv + optind, a);
    return take_problems(argc - optind, argv + optind, a);
}

static int list_motions(void)
{
    printf("Motions:\n");
    for (size_t i = 0; i < n_roundoff_problems; i++)
        printf("  %-27s %s\n", roundoff_problems[i].name, roundoff_problems[i].title);
    return EXIT_OK;
}

/* ---- Running ------------------------------------------------------------------------------------- */

typedef struct teller {
    progress bar;
    char label[120];
    int64_t done, total; /* stages, since this began */
} teller;

static void tell_progress(void *self, int64_t more_stages)
{
    teller *t = self;
    t->done += more_stages;
    progress_show(&t->bar, (double)NAN, t->done, t->total, NULL);
}

static int64_t wanted(const arguments *a, const roundoff_problem *p)
{
    return a->steps ? a->steps : p->steps;
}

typedef ph_status member_action(const arguments *a, const roundoff_problem *p, size_t member,
                                const char *path, void *self, ph_error *err);

static ph_status for_each_member(const arguments *a, member_action *action, void *self, ph_error *err)
{
    char path[4400];
    ph_status status = PH_OK;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < (size_t)a->members && !status; j++) {
            roundoff_path(path, sizeof path, a->directory, a->problems[i], j);
            status = action(a, a->problems[i], j, path, self, err);
        }
    return status;
}

/* Archives of an earlier bench are gone on with, or begun anew, as was asked for. */
static ph_status look_at_archive(const arguments *a, const roundoff_problem *p, size_t member,
                                 const char *path, void *self, ph_error *err)
{
    int64_t *total = self, done = 0;
    ph_status status = PH_OK;
    (void)member;
    if (a->force)
        unlink(path);
    else if (!a->resume && !access(path, F_OK))
        return ph_fail(err, PH_E_EXISTS, "%s exists already (--resume goes on with it, --force begins anew)",
                       path);
    else
        status = roundoff_done(path, &done, err);
    const int64_t left = roundoff_reach(p, wanted(a, p)) - done;
    *total += left > 0 ? left * p->stages : 0;
    return status;
}

typedef struct stage {
    teller *teller;
    int64_t stages;
} stage;

static ph_status run_member(const arguments *a, const roundoff_problem *p, size_t member, const char *path,
                            void *self, ph_error *err)
{
    stage *r = self;
    teller *t = r->teller;
    const roundoff_watch watch = {signal_flag(), tell_progress, t};
    const int64_t most = wanted(a, p), steps = roundoff_reach(p, most < r->stages ? most : r->stages);
    int64_t done;
    snprintf(t->label, sizeof t->label, "%s, %zu of %d", p->name, member + 1, (int)a->members);
    ph_status status = roundoff_done(path, &done, err);
    return status || done >= steps ? status : roundoff_run(path, p, member, steps, &watch, err);
}

/* Decade by decade, so that what is interrupted is an ensemble. */
static ph_status run_all(const arguments *a, ph_error *err)
{
    teller t = {.bar = progress_start("", a->quiet)};
    stage r = {.teller = &t};
    t.bar.label = t.label;
    ph_status status = for_each_member(a, look_at_archive, &t.total, err);
    for (r.stages = 1000000; !status && r.stages <= roundoff_most_stages; r.stages *= 10)
        status = for_each_member(a, run_member, &r, err);
    progress_end(&t.bar);
    return status;
}

static ph_status collect(const arguments *a, roundoff_report *r, ph_error *err)
{
    ph_status status = PH_OK;
    r->ensembles = calloc(a->n + 1, sizeof *r->ensembles);
    if (!r->ensembles)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    strcpy(r->command, a->command);
    for (; r->n < a->n && !status; r->n++) {
        roundoff *e = &r->ensembles[r->n];
        const roundoff_problem *p = a->problems[r->n];
        status = roundoff_create(e, p, (size_t)a->members, wanted(a, p), err);
        if (!status)
            status = roundoff_collect(e, p, a->directory, err);
    }
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static int report(const arguments *a, const roundoff_report *r)
{
    report_figures drawn;
    ph_error err;
    if (roundoff_files(r, a->directory, &drawn, &err) || (a->json && roundoff_print(r, stdout, &err)))
        return complain(EXIT_OUTPUT, "%s", err.message);
    for (size_t i = 0; !a->json && i < r->n; i++) {
        char *words = roundoff_words(&r->ensembles[i]);
        roundoff_table(stdout, &r->ensembles[i]);
        printf("\n%s\n", words ? words : "");
        free(words);
    }
    if (!a->json)
        printf("Written: %s/report.html%s, roundoff.json, roundoff.csv%s\n", a->directory,
               bench_figures(drawn), drawn == FIGURES_DRAWN ? ", roundoff.svg" : "");
    return EXIT_OK;
}

static int run(const arguments *a, roundoff_report *r)
{
    ph_error err, lost;
    ph_status status = run_all(a, &err);
    if (status && status != PH_E_INTERRUPTED)
        return complain(status == PH_E_IO || status == PH_E_EXISTS ? EXIT_OUTPUT : EXIT_INPUT, "%s",
                        err.message);
    if (collect(a, r, &lost))
        return complain(EXIT_OUTPUT, "%s", lost.message);
    surroundings_describe(&r->where);
    for (size_t i = 0; i < r->n; i++)
        r->where.seconds += round(r->ensembles[i].cpu_seconds);
    const int code = report(a, r);
    return status && code != EXIT_OUTPUT
               ? complain(EXIT_SIGNAL + (int)*signal_flag(),
                          "interrupted; what there is was written; --resume goes on")
               : code;
}

int bench_roundoff(int argc, char **argv)
{
    static const char *const names[] = {"report.html", "roundoff.json", "roundoff.csv", "roundoff.svg"};
    arguments a;
    roundoff_report r = {.n = 0};
    ph_error err;
    int code = read_arguments(argc, argv, &a);
    if (code)
        return code - 1;
    if (a.list)
        return list_motions();
    if (a.from && roundoff_read(&r, a.from, &err))
        return complain(EXIT_INPUT, "%s", err.message);
    catch_signals(); /* from when there is a directory that says that it has begun */
    if (bench_prepare(a.directory, a.force || a.resume, names, sizeof names / sizeof names[0], &err))
        code = complain(EXIT_OUTPUT, "%s", err.message);
    else
        code = a.from ? report(&a, &r) : run(&a, &r);
    roundoff_report_free(&r);
    return code;
}
