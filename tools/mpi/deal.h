/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members a rank gets next: blocks of about equal time, cut from what no archive has. No MPI. */
#ifndef POLHODE_TOOLS_MPI_DEAL_H
#define POLHODE_TOOLS_MPI_DEAL_H

#include <polhode/sweep.h>

typedef struct dealer {
    ph_member_range *missing; /* (n) in ascending order; those before `at` are dealt */
    size_t n, at;
    int64_t left;   /* members that are not dealt */
    int ranks;      /* that run members */
    double seconds; /* [s] that a block is to take */
} dealer;

/* What a rank says of itself when it asks. */
typedef struct asking {
    int64_t run,
        failed;    /* members that it has committed since the job began; those in its archive that failed */
    int64_t least; /* a block has a multiple of so many members: all its threads and lanes are then busy */
    double pace;   /* [s] of its wall clock that a member takes; 0: not known yet */
} asking;

/* d <- the members first ... end - 1 without those in `had` (n), in any order, which is sorted. */
ph_status dealer_create(dealer *d, int64_t first, int64_t end, ph_member_range *had, size_t n, int ranks,
                        ph_error *err);
void dealer_free(dealer *d);
/* The next block; count 0: none is left. */
ph_member_range dealer_next(dealer *d, const asking *who);
/* [s] How long a block is to take with so many ranks. */
double dealer_seconds(int ranks);

#endif
