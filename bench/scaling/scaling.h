/* SPDX-License-Identifier: BSD-3-Clause */
/* How the cost of a step grows with the size of the system: contenders timed in turn on the members of a
 * family, from the smallest on. */
#ifndef POLHODE_BENCH_SCALING_H
#define POLHODE_BENCH_SCALING_H

#include <signal.h>

#include "bench/common/family.h"
#include "bench/common/timing.h"
#include "bench/common/watch.h"

enum { SCALING_SIZES = 48 };

/* A contender at a size. */
typedef struct scaling_point {
    timing time;  /* of a step; no_timing where it was not there */
    size_t bytes; /* of state and workspace */
    double setup; /* [s of CPU] to start it */
} scaling_point;

typedef struct scaling_line {
    const contender *contender;
    scaling_point points[SCALING_SIZES];
    size_t gone;      /* it is left out from this size on (an index of sizes); n_sizes: never */
    char reason[400]; /* why; "" */
    double slope;     /* of log(time of a step) against log(n), over the upper half of its sizes; NaN */
} scaling_line;

typedef struct scaling {
    family family;
    const contender *contenders;
    size_t n_lines;
    scaling_line *lines; /* (n_lines), in the order of the contenders */
    size_t reference;    /* the line that ratios refer to: rk4 with its defaults, else the first */
    size_t sizes[SCALING_SIZES], n_sizes;
    size_t parts[SCALING_SIZES]; /* at each size: n, or of spins how many */
    double steps[SCALING_SIZES]; /* h [s] at each size */
    size_t reached;              /* sizes that were completed */
    char ended[500];             /* why the sweep ended early; "" */
    ph_status status;            /* PH_OK or PH_E_INTERRUPTED */
} scaling;

typedef struct scaling_plan {
    size_t from, to; /* sizes: 1, 2, 5, 10, 20, ... between these, and these */
    double h;        /* [s]; 0: the member's own */
    double budget;   /* [s of wall clock] for the timing of all contenders at a size, at least */
    /* [s of CPU] a contender that would take longer at a size is left out from there on; 0: 2, and 20 beyond
     * 10^4 parts */
    double limit;
    meter *watch; /* nullable: what steps cost, where that is not CPU time; starting then costs nothing */
    const volatile sig_atomic_t *interrupt;
    bench_watch *progress; /* nullable */
} scaling_plan;

/* *list <- every method of the catalogue in each of its forms, (*n) in an array that the caller frees; those
 * with error control, with their defaults. */
ph_status scaling_contenders(contender **list, size_t *n, ph_error *err);

/* Sizes of the plan: PH_E_RANGE where `from` is 0 or above `to`. */
ph_status scaling_sizes(size_t from, size_t to, size_t sizes[SCALING_SIZES], size_t *n, ph_error *err);

/* An interruption, or a model or contender that refuses a size, is not a failure: results so far are kept. */
ph_status scaling_make(scaling *s, const char *model, const contender *contenders, size_t n,
                       const scaling_plan *plan, ph_error *err);
void scaling_free(scaling *s);

/* Was the contender timed at this size? */
int scaling_has(const scaling_line *line, size_t size);

#endif
