/* SPDX-License-Identifier: BSD-3-Clause */
/* polhode-mpi sweep: all members of an ensemble by the ranks of a parallel job, each of which writes an archive of its own. */
#include "tools/mpi/sweep.h"
#include "bench/common/meter.h"
#include "bench/common/scenario-input.h"

#include <polhode/kit/text.h>

#include <mpi.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [bytes] Archives of more than that take --force. */
static const double refused_bytes = 1e10;

typedef struct mpi_arguments {
    const char *file, *directory, *shard;
    int64_t threads;
    option_texts set;
    double wall_clock, snapshot, progress; /* [s] */
    bool force, quiet;
} mpi_arguments;

#define AT(kind, member) OPTION_AT(kind, mpi_arguments, member)
static const option_row options[] = {
    {"FILE", 0, "scenario file", AT(OPERAND, file),
     .text = "a scenario with the key ensemble; rank 0 reads it", .required = true},
    {"output", 'o', "DIR", AT(TEXT, directory),
     .text = "where to write (default: the scenario's name + .out)"},
    {"threads", 'j', "N", AT(WHOLE, threads), .text = "how many threads each rank has (default: 1)"},
    {"shard", 0, "K/N", AT(TEXT, shard),
     .text = "only the K-th of N equal ranges of members, for several jobs next to one another"},
    {"set", 0, "KEY=VALUE", AT(TEXTS, set),
     .text = "use this value instead of the scenario's, for example step=0.01 (may be repeated)"},
    {"force", 'f', NULL, AT(FLAG, force),
     .text =
         "replace the archives of ranks that are there, instead of continuing them; write more than 10 GB"},
    {"wall-clock", 0, "S", AT(DURATION, wall_clock), .text = "end after S seconds"},
    {"snapshot-interval", 0, "S", AT(DURATION, snapshot),
     .text = "save at least every S seconds: a rank that dies loses no more (default: 30)"},
    {"progress", 0, "S", AT(DURATION, progress),
     .text =
         "if standard error is not a terminal, write a progress line every S seconds (default: 60; 0: never)"},
    {"quiet", 'q', NULL, AT(FLAG, quiet), .text = "print nothing but errors: no progress, no warnings"},
    {.name = NULL}};
static const mpi_arguments defaults = {.threads = 1, .wall_clock = INFINITY, .snapshot = 30, .progress = 60};

/* ---- The sweep of a rank --------------------------------------------------------------------------------------- */

/* K/N */
static ph_status read_shard(const char *text, ph_sweep_options *o, ph_error *err)
{
    const char *slash = strchr(text, '/');
    char first[32] = "";
    if (slash && slash - text < (int)sizeof first)
        memcpy(first, text, (size_t)(slash - text));
    if (!slash || ph_parse_count(first, &o->shard) || ph_parse_count(slash + 1, &o->shards) || o->shard < 1 ||
        o->shard > o->shards)
        return ph_fail(err, PH_E_INVALID, "--shard %.40s: K/N with 1 <= K <= N is expected, as 2/7", text);
    return PH_OK;
}

/* *text (length, malloc's) <- the scenario, and *path (malloc's) where it stands: read by one rank for all. */
static ph_status share_scenario(const mpi_arguments *a, const job *j, char **text, size_t *length,
                                char **path, ph_error *err)
{
    int64_t sizes[2] = {0, 0};
    ph_status status = PH_OK;
    *text = *path = NULL;
    if (!j->rank) {
        status = scenario_text(a->file, &a->set, 0, text, length, err);
        *path = strcmp(a->file, "-") ? realpath(a->file, NULL) : NULL;
        if (!*path)
            *path = strdup(scenario_name(a->file));
        sizes[0] = status ? 0 : (int64_t)*length;
        sizes[1] = *path ? (int64_t)strlen(*path) : 0;
    }
    if (!job_agrees(j, status, err))
        return status ? status : PH_E_INVALID;
    MPI_Bcast(sizes, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (j->rank) {
        *text = malloc((size_t)sizes[0] + 1);
        *path = calloc((size_t)sizes[1] + 1, 1);
        *length = (size_t)sizes[0];
    }
    if (!*text || !*path)
        MPI_Abort(MPI_COMM_WORLD, mpi_complain(EXIT_OUTPUT, "rank %d: out of memory", j->rank));
    MPI_Bcast(*text, (int)sizes[0], MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(*path, (int)sizes[1], MPI_BYTE, 0, MPI_COMM_WORLD);
    return PH_OK;
}

/* Of a single rank, which nobody else watches. */
static void show_own(void *self, const ph_sweep *sweep)
{
    job *j = self;
    ph_sweep_result r;
    ph_sweep_get_result(sweep, &r);
    j->run = r.run;
    job_show(j);
}

/* j->sweep <- of this rank. */
static bool open_all(const mpi_arguments *a, job *j)
{
    ph_error err = {PH_OK, ""};
    char *text, *path;
    size_t length = 0;
    ph_sweep_options o = {.force = a->force,
                          .threads = (int)fmin((double)a->threads, 1e6),
                          .snapshot = &a->snapshot,
                          .deal = job_ask,
                          .rank = j->rank,
                          .message = job_warn,
                          .stop = job_stop,
                          .wall_clock = j->ranks == 1 && isfinite(a->wall_clock) ? &a->wall_clock : NULL,
                          .progress = j->ranks == 1 ? show_own : NULL,
                          .self = j};
    ph_status status = share_scenario(a, j, &text, &length, &path, &err);
    if (!status) {
        if (a->shard)
            status = read_shard(a->shard, &o, &err);
        if (!status)
            status = ph_sweep_open_text(text, length, path, a->directory, &o, &j->sweep, &err);
        status = job_agrees(j, status, &err) ? PH_OK : PH_E_INVALID;
    }
    free(text);
    free(path);
    return !status;
}

/* ---- Dealing ------------------------------------------------------------------------------------------------------ */

/* Will the disk, and the user, take what is missing? */
static ph_status check_size(const job *j, bool force, ph_error *err)
{
    ph_sweep_size size;
    char bytes[32], bound[32];
    ph_sweep_estimate(j->sweep, &size);
    const double due = size.bytes * (double)j->dealer.left / size.members,
                 most = force ? size.free : fmin(size.free, refused_bytes);
    if (!(due > most))
        return PH_OK;
    ph_bytes_text(due, bytes);
    ph_bytes_text(most, bound);
    return ph_fail(err, PH_E_SIZE,
                   "%" PRId64 " members with %.10g rows of %zu numbers would take about %s on disk, %s %s%s",
                   j->dealer.left, size.rows, size.columns, bytes, "more than the", bound,
                   most < size.free ? " that are written without --force" : " that the disk has room for");
}

/* j->dealer <- what no archive has. */
static bool find_missing(job *j, bool force)
{
    ph_error err = {PH_OK, ""};
    ph_sweep_result r;
    ph_member_range *had = NULL;
    size_t n = 0;
    ph_sweep_get_result(j->sweep, &r);
    ph_status status = job_gather(j, r.path, &had, &n, &err);
    if (status && !*err.message) /* which was printed */
        return false;
    if (!status && !j->rank)
        status =
            dealer_create(&j->dealer, r.all.first, r.all.end, had, n, j->ranks > 1 ? j->ranks - 1 : 1, &err);
    if (!status && !j->rank)
        status = check_size(j, force, &err);
    j->members = j->dealer.left;
    free(had);
    return job_agrees(j, status, &err);
}

/* The members of this rank. */
static void run_own(job *j, ending *e)
{
    ph_sweep_result r;
    ph_error err = {PH_OK, ""};
    e->status = ph_sweep_run(j->sweep, &err);
    snprintf(e->message, sizeof e->message, "%s", err.message);
    ph_sweep_get_result(j->sweep, &r);
    e->run = r.run;
    e->failed = r.failed;
    e->stopped = r.stopped;
    e->steps = r.steps;
    e->cpu_seconds = r.cpu_seconds;
}

/* ---- The end -------------------------------------------------------------------------------------------------------- */

static int report(job *j, const mpi_arguments *a, const ending *all, double seconds)
{
    ph_sweep_result r;
    ph_sweep_get_result(j->sweep, &r);
    const int64_t members = r.all.end - r.all.first, done = members - j->members + all->run;
    const char *slash = strrchr(r.path, '/');
    const int length = slash ? (int)(slash - r.path) : 0;
    if (!a->quiet) {
        printf("%" PRId64 " of %" PRId64 " member%s, %" PRId64 " row%s each, by %d rank%s\n", done, members,
               members == 1 ? "" : "s", r.all.rows, r.all.rows == 1 ? "" : "s", j->ranks,
               j->ranks == 1 ? "" : "s");
        if (all->failed)
            printf("  failed           %" PRId64 " in the archives of these ranks\n", all->failed);
        if (all->stopped)
            printf("  stopped          %" PRId64 " by an event\n", all->stopped);
        if (all->run)
            printf("  throughput       %.3g members/s, %.3g us of CPU time a member (%.3g ns a step)\n",
                   (double)all->run / seconds, 1e6 * all->cpu_seconds / (double)all->run,
                   all->steps ? 1e9 * all->cpu_seconds / (double)all->steps : 0.0);
        printf("  written          archives of ranks in %.*s; to join them: polhode merge %.*s\n", length,
               r.path, length, r.path);
    }
    if (all->status == PH_E_INTERRUPTED)
        return mpi_complain(*signal_flag() ? EXIT_SIGNAL + (int)*signal_flag() : EXIT_ENDED_EARLY,
                            "%s; to continue: the same command, with any number of ranks", all->message);
    if (all->status)
        return mpi_complain(all->status == PH_E_IO || all->status == PH_E_EXISTS ? EXIT_OUTPUT
                                                                                 : EXIT_ENDED_EARLY,
                            "%s", all->message);
    return all->failed
               ? mpi_complain(EXIT_ENDED_EARLY,
                              "%" PRId64 " member%s failed; polhode sweep --failed runs them again when the "
                              "archives are joined",
                              all->failed, all->failed == 1 ? "" : "s")
               : EXIT_OK;
}

/* ---- The command ------------------------------------------------------------------------------------------------------ */

static int run_job(job *j, const mpi_arguments *a)
{
    const double began = meter_wall();
    ending all = {.status = PH_OK};
    if (!open_all(a, j))
        return EXIT_INPUT;
    if (!find_missing(j, a->force))
        return EXIT_OUTPUT;
    j->progress = progress_start_lines("sweep", a->quiet || j->rank, a->progress);
    int64_t missing = j->members;
    MPI_Bcast(&missing, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (missing && (j->rank || j->ranks == 1))
        run_own(j, &all);
    if (missing && j->rank)
        job_end(&all);
    if (j->rank)
        return EXIT_OK;
    if (missing && j->ranks > 1)
        job_deal(j, a->wall_clock, &all);
    progress_end(&j->progress);
    return report(j, a, &all, meter_wall() - began);
}

static int run(void *pointer)
{
    const mpi_arguments *a = pointer;
    job j = {.quiet = a->quiet};
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    catch_signals();
    const int code = run_job(&j, a);
    ph_sweep_abandon(j.sweep);
    dealer_free(&j.dealer);
    return code;
}

const command_row command_mpi_sweep = {
    .name = "sweep",
    .program = "polhode-mpi",
    .summary = "run all members of an ensemble by the ranks of an MPI job",
    .about =
        "Run all members of a scenario's ensemble as an MPI job: mpirun -n 8 polhode-mpi sweep FILE -o DIR. Rank 0 deals out blocks of "
        "members as the others become free; with one rank it runs them itself. Each rank writes an archive of its own, "
        "DIR/NAME.rank-R.polhode; polhode merge DIR joins them into one, whose rows have the same bits as those of polhode sweep.",
    .notes =
        "What the archives of all ranks in DIR have is not run again: after an interruption or a crash run the same command "
        "again, with the same or another number of ranks. If one rank fails, all end; the message names it. SIGTERM, of a batch system's time "
        "limit, say, ends all ranks; members that are not complete then are run again.",
    .exits = {{0, "all members are done"},
              {1, "it ended early, or members failed"},
              {2, "wrong usage or a mistake in the scenario"},
              {3, "an archive cannot be written"},
              {130, "interrupted; members up to there were written"}},
    .options = options,
    .size = sizeof(mpi_arguments),
    .defaults = &defaults,
    .run = run};
