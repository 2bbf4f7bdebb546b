/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of malloc and the like, counted and, on demand, refused, for the suites on memory. */
#ifndef POLHODE_TESTS_ALLOCATIONS_H
#define POLHODE_TESTS_ALLOCATIONS_H

#include "tests/kit/testkit.h"

#include <stdatomic.h>

struct counting {
    bool on;
    atomic_long asked, held; /* calls that ask for memory; blocks got and not yet returned */
    long refuse_from;        /* that call and all after it are refused; 0: none */
    bool once;               /* ... or that call only */
};

/* volatile: the compiler assumes that malloc reads nothing of ours. */
extern volatile struct counting count;

void start_counting(long refuse_from, bool once);
void stop_counting(void);
/* Are calls counted here at all? */
bool can_count(void);

/* A ring by its sparse inverse inertia. */
ph_status make_ring(ph_system **system, ph_error *err);

#endif
