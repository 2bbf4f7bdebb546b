/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary asteroids by all methods: the error of a trajectory against its cost, and energies and places over a long time at
 * equal cost. */
#ifndef POLHODE_BENCH_BINARY_H
#define POLHODE_BENCH_BINARY_H

#include <polhode/polhode.h>

#include "bench/common/contender.h"
#include "bench/common/curve.h"
#include "bench/common/timing.h"
#include "bench/common/watch.h"

enum { BINARY_POINTS = 10, BINARY_TURNS = 9 };

/* A system in its standard motion. */
typedef struct binary_case {
    const char *name, *words; /* for people */
    const char *model, *preset;
} binary_case;

size_t binary_cases(void);
const binary_case *binary_case_at(size_t i);

/* The methods that take part by default; those that a build is without are left out. */
extern const char *const binary_standard[];
extern const size_t n_binary_standard;

/* One run over the day. */
typedef struct binary_point {
    double setting;   /* step [s], or relative tolerance */
    int64_t steps;    /* 0: not run, since there is nothing more to gain or it would take too long */
    ph_status status; /* PH_OK where it has errors */
    double place,
        turn;          /* error at the end: of the largest distance [m], of the largest attitude [rad]; NaN */
    double cpu, least; /* [s] of all steps: median and least of the turns; NaN */
    size_t turns;
} binary_point;

/* The long run. */
typedef struct binary_run {
    double h;         /* [s]; of adaptive methods the time between outputs */
    ph_status status; /* PH_OK, or why it ended early; PH_E_UNKNOWN: not run */
    double reached;   /* [s] */
    double first,
        last;     /* largest energy error in the first and in the last tenth, of the first potential energy */
    double drift; /* mean of the energy in the last tenth less that in the first, likewise */
    double place, turn; /* largest errors in the last tenth [m, rad] */
    double cpu;         /* [s] */
    curve energy, distance;
} binary_run;

typedef struct binary_line {
    char label[96];
    bool adaptive;
    timing time; /* of a step, and as a ratio to rk4; NaN of adaptive methods */
    double h;    /* [s] at which that was measured */
    binary_point points[BINARY_POINTS];
    binary_run run;
} binary_line;

/* How well the truth is known: the largest difference [m, rad] between the same motion by two methods of different families. */
typedef struct binary_doubt {
    double place, turn;
} binary_doubt;

typedef struct binary {
    const binary_case *of;
    size_t order;     /* of the mutual potential */
    double rate;      /* [rad/s] the fastest of the spins and the orbit */
    double potential; /* [J] at the start */
    double day, time; /* [s] of the trajectories and of the long run; 0: there is none */
    binary_doubt doubt, long_doubt;
    binary_line *lines; /* (n) */
    size_t n;
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */
} binary;

typedef struct binary_plan {
    size_t order;
    double day, time; /* [s] */
    double budget;    /* [s] wall clock for repeating the runs of a day, and again for timing steps */
    double limit;     /* [s] a run of a day that would take longer is left out */
    meter *watch;     /* what steps cost; NULL: measured CPU time */
    bench_watch *progress;
} binary_plan;

void binary_free(binary *b);

/* CPU seconds for an error of the place of `level` [m] after a day, interpolated on logarithmic axes between the points around
 * it; INFINITY if no point is that good. */
double binary_cost(const binary_line *l, double level);

#endif
