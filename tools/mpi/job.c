/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks. A rank that runs members asks rank 0 for a block (ASK), and gets one (BLOCK); when it ends, for whatever
 * reason, it says so (END). Rank 0 waits for all ends; if one was a failure, or a signal, it tells the others to stop (STOP).
 * Ranks say to rank 0 what is to be printed (WARN). All messages are structs of this program as bytes: ranks are of one build. */
#include "job.h"

#include "bench/common/meter.h"

#include <mpi.h>

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASK = 1, BLOCK, END, STOP, WARN, HAD };
/* [ns] While nothing comes, rank 0 and ranks that wait for it look so often, at first and at last: they leave their processor to others. */
enum { SOON = 10 * 1000, LATER = 1000 * 1000 };

int mpi_complain(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain_as("polhode-mpi", code, format, args);
    va_end(args);
    return code;
}

/* A pause, twice as long as the last one. */
static void pause_for(long *ns)
{
    const struct timespec t = {0, *ns};
    nanosleep(&t, NULL);
    *ns = *ns < LATER / 2 ? 2 * *ns : LATER;
}

/* ---- Together --------------------------------------------------------------------------------------------- */

bool job_agrees(const job *j, ph_status status, const ph_error *err)
{
    ending own = {.status = status};
    int good = 1;
    if (status)
        snprintf(own.message, sizeof own.message, "%s", err->message);
    ending *all = j->rank ? NULL : calloc((size_t)j->ranks, sizeof *all);
    if (!j->rank && !all)
        MPI_Abort(MPI_COMM_WORLD, mpi_complain(EXIT_OUTPUT, "rank 0: out of memory"));
    MPI_Gather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; !j->rank && i < j->ranks && good; i++) {
        good = !all[i].status;
        if (!good && i)
            mpi_complain(0, "rank %d: %s", i, all[i].message);
        else if (!good)
            mpi_complain(0, "%s", all[i].message);
    }
    free(all);
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return good;
}

/* *ranks (n, malloc's) <- of which ranks there are archives where this one, NAME.rank-R.polhode, lies. */
static ph_status list_archives(const char *archive, int64_t **ranks, int64_t *n, ph_error *err)
{
    static const char mark[] = ".rank-";
    const char *slash = strrchr(archive, '/'), *name = slash ? slash + 1 : archive, *end = NULL;
    for (const char *at = name; (at = strstr(at, mark)); at++)
        end = at + strlen(mark);
    char *directory = strndup(archive, slash ? (size_t)(slash - archive) + 1 : 0);
    DIR *d = directory ? opendir(*directory ? directory : ".") : NULL;
    const struct dirent *entry;
    size_t room = 0;
    ph_status status = PH_OK;
    *n = 0;
    *ranks = NULL;
    if (!d && errno != ENOENT)
        status =
            ph_fail(err, PH_E_IO, "%s: cannot be read: %s", directory ? directory : archive, strerror(errno));
    while (d && end && !status && (entry = readdir(d))) {
        if (strncmp(entry->d_name, name, (size_t)(end - name)) != 0)
            continue;
        const char *digits = entry->d_name + (end - name);
        const size_t length = strspn(digits, "0123456789");
        if (!length || length > 18 || (length > 1 && *digits == '0') ||
            strcmp(digits + length, ".polhode") != 0)
            continue;
        if ((size_t)*n == room) {
            room = 2 * room + 64;
            int64_t *larger = realloc(*ranks, room * sizeof *larger);
            if (!larger)
                status = ph_fail(err, PH_E_NO_MEMORY, "out of memory");
            else
                *ranks = larger;
        }
        if (!status)
            (*ranks)[(*n)++] = strtoll(digits, NULL, 10);
    }
    if (d)
        closedir(d);
    free(directory);
    return status;
}

/* list <- list + more */
static ph_status append(ph_member_range **list, size_t *n, const ph_member_range *more, size_t n_more,
                        ph_error *err)
{
    ph_member_range *larger = realloc(*list, (*n + n_more + 1) * sizeof *larger);
    if (!larger)
        return ph_fail(err, PH_E_NO_MEMORY, "out of memory");
    if (n_more)
        memcpy(larger + *n, more, n_more * sizeof *more);
    *list = larger;
    *n += n_more;
    return PH_OK;
}

/* Rank 0 has one list after the other. */
static ph_status collect(const job *j, ph_member_range **had, size_t *n, ph_error *err)
{
    ph_status status = PH_OK;
    if (j->rank) {
        MPI_Send(*had, (int)(*n * sizeof **had), MPI_BYTE, 0, HAD, MPI_COMM_WORLD);
        return PH_OK;
    }
    for (int i = 1; i < j->ranks; i++) {
        MPI_Status from;
        int bytes;
        MPI_Probe(i, HAD, MPI_COMM_WORLD, &from);
        MPI_Get_count(&from, MPI_BYTE, &bytes);
        ph_member_range *its = malloc((size_t)bytes + 1);
        if (!its)
            MPI_Abort(MPI_COMM_WORLD, mpi_complain(EXIT_OUTPUT, "rank 0: out of memory"));
        MPI_Recv(its, bytes, MPI_BYTE, i, HAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!status)
            status = append(had, n, its, (size_t)bytes / sizeof *its, err);
        free(its);
    }
    return status;
}

/* One reads the directory; each reads its share of the archives in it. */
ph_status job_gather(const job *j, const char *archive, ph_member_range **had, size_t *n, ph_error *err)
{
    int64_t *ranks = NULL, archives = 0;
    ph_status status = j->rank ? PH_OK : list_archives(archive, &ranks, &archives, err);
    *had = NULL;
    *n = 0;
    if (!job_agrees(j, status, err))
        goto ended;
    MPI_Bcast(&archives, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    if (j->rank)
        ranks = malloc(((size_t)archives + 1) * sizeof *ranks);
    if (!ranks && archives)
        MPI_Abort(MPI_COMM_WORLD, mpi_complain(EXIT_OUTPUT, "rank %d: out of memory", j->rank));
    MPI_Bcast(ranks, (int)archives, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (int64_t i = j->rank; i < archives && !status; i += j->ranks) {
        ph_member_range *its = NULL;
        size_t n_its = 0;
        status = ph_sweep_rank_members(j->sweep, ranks[i], &its, &n_its, err);
        if (!status)
            status = append(had, n, its, n_its, err);
        free(its);
    }
    if (!job_agrees(j, status, err)) {
        status = status ? status : PH_E_INVALID;
        goto ended;
    }
    status = collect(j, had, n, err);
    free(ranks);
    return status;
ended:
    free(ranks);
    free(*had);
    *had = NULL;
    return status ? status : PH_E_INVALID;
}

/* ---- A rank that runs members ---------------------------------------------------------------------------------- */

/* How long a member takes, by those since it was asked the last time. */
static asking describe(job *j, const ph_sweep *sweep)
{
    ph_sweep_result r;
    ph_sweep_get_result(sweep, &r);
    if (r.run > j->run_then) {
        j->pace = (r.cpu_seconds - j->cpu_seconds) / (double)(r.run - j->run_then) / r.threads;
        j->run_then = r.run;
        j->cpu_seconds = r.cpu_seconds;
    }
    return (asking){r.run, r.failed, (int64_t)r.lanes * r.threads, j->pace};
}

static bool is_told_to_stop(job *j)
{
    int is = 0;
    if (!j->stop && j->ranks > 1) {
        MPI_Iprobe(0, STOP, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);
        if (is)
            MPI_Recv(NULL, 0, MPI_BYTE, 0, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        j->stop = is;
    }
    return j->stop;
}

bool job_stop(void *self, const char **reason, const char **by)
{
    job *j = self;
    *reason = "signal";
    *by = *signal_flag() == SIGTERM ? "SIGTERM" : "SIGINT";
    if (*signal_flag())
        return true;
    *reason = "another rank";
    *by = NULL;
    return is_told_to_stop(j);
}

ph_status job_ask(void *self, const ph_sweep *sweep, int64_t *first, int64_t *count, ph_error *err)
{
    job *j = self;
    ph_member_range block;
    const char *reason, *by;
    const asking own = describe(j, sweep);
    long ns = SOON;
    int is = 0;
    if (j->ranks == 1) {
        block = dealer_next(&j->dealer, &own);
    } else {
        MPI_Send(&own, sizeof own, MPI_BYTE, 0, ASK, MPI_COMM_WORLD);
        for (;;) {
            MPI_Iprobe(0, BLOCK, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);
            if (is)
                break;
            if (job_stop(j, &reason, &by))
                return ph_fail(err, PH_E_INTERRUPTED, "interrupted");
            pause_for(&ns);
        }
        MPI_Recv(&block, sizeof block, MPI_BYTE, 0, BLOCK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    *first = block.first;
    *count = block.count;
    return PH_OK;
}

/* Said once: warnings of all ranks are the same but for their archive. */
static void say(job *j, const char *text)
{
    if (!strncmp(j->said, text, sizeof j->said - 1))
        return;
    snprintf(j->said, sizeof j->said, "%.399s", text);
    if (!j->quiet)
        mpi_complain(0, "warning: %s", text);
}

void job_warn(void *self, const char *text)
{
    job *j = self;
    if (j->rank)
        MPI_Send(text, (int)strlen(text), MPI_BYTE, 0, WARN, MPI_COMM_WORLD);
    else
        say(j, text);
}

void job_end(const ending *e)
{
    MPI_Send(e, sizeof *e, MPI_BYTE, 0, END, MPI_COMM_WORLD);
}

/* ---- Rank 0 ------------------------------------------------------------------------------------------------------ */

void job_show(job *j)
{
    if (progress_is_due(&j->progress))
        progress_show(&j->progress, (double)NAN, j->run, j->members, NULL);
}

static void stop_all(job *j)
{
    for (int i = 1; i < j->ranks && !j->halted; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, STOP, MPI_COMM_WORLD);
    j->halted = true;
}

/* A failure is the message of the job; ranks that were told to stop say nothing that matters. */
static void take_end(job *j, int rank, const ending *e, ending *all)
{
    all->run += e->run;
    all->failed += e->failed;
    all->stopped += e->stopped;
    all->steps += e->steps;
    all->cpu_seconds += e->cpu_seconds;
    if (!e->status)
        return;
    const bool first = !all->status || (all->status == PH_E_INTERRUPTED && e->status != PH_E_INTERRUPTED);
    if (first) {
        all->status = e->status;
        snprintf(all->message, sizeof all->message, "rank %d: %.480s", rank, e->message);
    }
    stop_all(j);
}

static void take_message(job *j, const MPI_Status *from, int64_t *run, int *ended, ending *all)
{
    const int rank = from->MPI_SOURCE;
    asking who;
    ending e;
    char text[1500];
    int length;
    if (from->MPI_TAG == ASK) {
        MPI_Recv(&who, sizeof who, MPI_BYTE, rank, ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        j->run += who.run - run[rank];
        run[rank] = who.run;
        if (j->halted) /* it is told to stop already */
            return;
        const ph_member_range block = dealer_next(&j->dealer, &who);
        MPI_Send(&block, sizeof block, MPI_BYTE, rank, BLOCK, MPI_COMM_WORLD);
    } else if (from->MPI_TAG == END) {
        MPI_Recv(&e, sizeof e, MPI_BYTE, rank, END, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        j->run += e.run - run[rank];
        run[rank] = e.run;
        ++*ended;
        take_end(j, rank, &e, all);
    } else {
        MPI_Get_count(from, MPI_BYTE, &length);
        length = length < (int)sizeof text ? length : (int)sizeof text - 1;
        MPI_Recv(text, sizeof text - 1, MPI_BYTE, rank, WARN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        text[length] = '\0';
        say(j, text);
    }
}

void job_deal(job *j, double wall_clock, ending *all)
{
    const double began = meter_wall();
    int ended = 0, is;
    long ns = SOON;
    int64_t *run = calloc((size_t)j->ranks, sizeof *run);
    if (!run)
        MPI_Abort(MPI_COMM_WORLD, mpi_complain(EXIT_OUTPUT, "rank 0: out of memory"));
    while (ended < j->ranks - 1) {
        MPI_Status from;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is, &from);
        if (is) {
            take_message(j, &from, run, &ended, all);
            ns = SOON;
        } else {
            pause_for(&ns);
        }
        const bool late = meter_wall() - began >= wall_clock;
        if ((*signal_flag() || late) && !j->halted) {
            all->status = PH_E_INTERRUPTED;
            snprintf(all->message, sizeof all->message, "%s",
                     late ? "the time limit was reached" : "interrupted");
            stop_all(j);
        }
        job_show(j);
    }
    free(run);
}
