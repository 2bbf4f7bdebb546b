/* SPDX-License-Identifier: BSD-3-Clause */
/* Verification: the truth of a problem at a short time, and the errors of a contender relative to it at
 * smaller and smaller steps. The same runs are the points of the work-precision figures. */
#ifndef POLHODE_BENCH_LADDER_H
#define POLHODE_BENCH_LADDER_H

#include "problem.h"
#include "timing.h"

enum { LADDER_STEPS = 7 };

typedef enum truth_kind { TRUTH_DIGITS, TRUTH_EXACT, TRUTH_COMPUTED } truth_kind;

typedef struct truth {
    truth_kind kind;
    double time;        /* elapsed [s] */
    double uncertainty; /* of an entry of z: rounding of given digits, or last change of a computed truth */
    double *z;          /* (nz); owned */
    char text[400];     /* how it is known */
} truth;

typedef struct rung {
    double h;
    int64_t steps;
    ph_status status;        /* of the run; PH_OK where it has errors */
    double trajectory_error; /* largest |z - truth| of an entry at the end; NaN if it did not get there */
    double energy_error;     /* largest on the way, relative to the energy scale */
    timing time;             /* of a step */
    double cpu_seconds;      /* of the whole run: median time of a step x steps */
} rung;

typedef struct ladder {
    const contender *contender;
    rung rungs[LADDER_STEPS];
    int claimed;  /* order claimed for this problem */
    double order; /* measured: slope of log(trajectory error) over the finest steps that are neither coarse
                       nor at the rounding floor; NaN if fewer than two are, and for adaptive methods */
    int verified; /* the order is the claimed one, and the error falls towards the truth, or falls to rounding
                       before its order can be measured; or, of an adaptive method, the error comes from its
                       tolerance */
    char text[300]; /* what was found, a sentence */
} ladder;

/* Find the truth. PH_E_INTERRUPTED or the status of a run that cannot start. */
ph_status truth_find(truth *t, const problem *p, const ph_scenario *scenario,
                     const volatile sig_atomic_t *interrupt, ph_error *err);
void truth_free(truth *t);

/* Run all steps of the ladder and judge them. Times are left NaN. */
ph_status ladder_climb(ladder *l, const contender *c, const problem *p, const ph_scenario *scenario,
                       const truth *t, const volatile sig_atomic_t *interrupt, ph_error *err);

#endif
