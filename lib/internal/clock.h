/* SPDX-License-Identifier: BSD-3-Clause */
/* A clock that only advances, cheap enough to be read at every row and every stretch of steps. */
#ifndef PH_INTERNAL_CLOCK_H
#define PH_INTERNAL_CLOCK_H

#include <time.h>

/* [s] from some origin; where the system has a coarse clock it is good to some milliseconds. */
static inline double ph_coarse_clock(void)
{
    struct timespec now = {0, 0};
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
