/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a parallel sweep and what they say to each other. Rank 0 deals, the others run; a single one does both. */
#ifndef POLHODE_TOOLS_MPI_JOB_H
#define POLHODE_TOOLS_MPI_JOB_H

#include "tools/mpi/deal.h"
#include "tools/program.h"

/* How a rank ended. */
typedef struct ending {
    ph_status status;
    int64_t run, failed, stopped, steps;
    double cpu_seconds;
    char message[sizeof((ph_error *)NULL)->message];
} ending;

typedef struct job {
    int rank, ranks;
    ph_sweep *sweep;
    dealer dealer;        /* of rank 0 */
    bool stop;            /* this rank is to end: rank 0 says so */
    bool halted;          /* rank 0 has said so */
    int64_t run, members; /* run by this job, and in all */
    double cpu_seconds;   /* at the last time that this rank asked, */
    int64_t run_then;     /* and what it had run then, */
    double pace;          /* and what follows for one member */
    progress progress;
    char said[400]; /* the last warning */
    bool quiet;
} job;

/* "polhode-mpi: " message on stderr; returns code. */
int mpi_complain(int code, const char *format, ...) PH_PRINTF(2, 3);
/* Is the status of all ranks PH_OK? Otherwise rank 0 prints the first message. All ranks call it, and none goes on
 * before all have. */
bool job_agrees(const job *j, ph_status status, const ph_error *err);
/* Rank 0 gets the members that the archives of all ranks have: *had (n, malloc's) <- them. All ranks call it. */
ph_status job_gather(const job *j, const char *archive, ph_member_range **had, size_t *n, ph_error *err);
/* Callbacks of the sweep, of a rank that runs members. */
ph_status job_ask(void *self, const ph_sweep *sweep, int64_t *first, int64_t *count, ph_error *err);
bool job_stop(void *self, const char **reason, const char **by);
void job_warn(void *self, const char *text);
/* A rank has ended: rank 0 gets to know. */
void job_end(const ending *e);
/* Rank 0 deals until all ranks have ended. all <- the sum, with the first message. */
void job_deal(job *j, double wall_clock, ending *all);
/* Progress of all ranks. */
void job_show(job *j);

#endif
