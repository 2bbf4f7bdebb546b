/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion of bodies, and how far two configurations are apart. */
#ifndef POLHODE_BENCH_BINARY_MOTION_H
#define POLHODE_BENCH_BINARY_MOTION_H

#include "bench/common/steps.h"
#include "binary.h"

/* Where all bodies are: the places (3 x n) and attitudes (9 x m) of z. */
typedef struct binary_motion {
    const motion *start;
    size_t nz, places, attitudes;
} binary_motion;

/* The largest distance [m] and angle [rad] between two configurations. */
void binary_differ(const binary_motion *m, const double *z, const double *truth, double *place, double *turn);

#endif
