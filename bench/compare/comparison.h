/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison of contenders on one problem: verify, time, run long at the same step and at the same CPU
 * time. */
#ifndef POLHODE_BENCH_COMPARISON_H
#define POLHODE_BENCH_COMPARISON_H

#include "bench/common/ladder.h"
#include "bench/common/problem.h"
#include "bench/common/trial.h"
#include "bench/common/watch.h"

typedef struct comparison {
    const problem *problem;
    ph_scenario *scenario; /* owned */
    const contender *contenders;
    size_t n_contenders;
    size_t reference; /* the contender that times are compared with */
    truth truth;
    ladder *ladders; /* (n_contenders) in their order; those not climbed have contender NULL */
    trial *trials;   /* (n_trials): by group all SAME_STEP, then by group all SAME_CPU but the reference's,
                        which is its SAME_STEP one, then OWN_STEPS, one of each adaptive contender, which has no
                        others; those not run have steps_done 0 and status PH_E_INTERRUPTED */
    size_t n_trials;
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */
} comparison;

/* How long it may take, and its progress. */
typedef struct comparison_plan {
    /* [s of wall clock] for each of the three timings: of the short runs, and of the long ones at the same
     * step and at the same cost, half of it before and half between the trials */
    double timing_budget;
    const volatile sig_atomic_t *interrupt;
    bench_watch *progress; /* nullable */
} comparison_plan;

/* Takes ownership of the scenario, also after a failure. An interruption is not a failure: the comparison
 * keeps its results so far. */
ph_status comparison_make(comparison *c, const problem *p, ph_scenario *scenario, const contender *contenders,
                          size_t n_contenders, const comparison_plan *plan, ph_error *err);
void comparison_free(comparison *c);

/* The trial that others of a group are compared with, which is that of the reference contender; NULL if it
 * was not run. */
const trial *comparison_reference(const comparison *c, double group);
/* Is trial i shown next to others of its group on this basis? At the same CPU time the reference contender is
 * represented by its trial at the same step. */
int comparison_shows(const comparison *c, size_t i, trial_basis basis);
/* Does it choose its steps itself? */
int comparison_adaptive(const contender *c);

/* What an accuracy costs: CPU seconds for an error of `level`, interpolated on logarithmic axes between the two runs of a verification
 * around it; INFINITY if no run is that good, NaN if its time is not known, and the time of the coarsest if that is good enough. The
 * error is that of the trajectory at its end, or the largest of the energy on the way. */
typedef enum cost_error { COST_TRAJECTORY, COST_ENERGY } cost_error;
double cost_of(const ladder *l, cost_error error, double level);
enum { COST_LEVELS = 5 };
extern const double cost_levels[COST_LEVELS]; /* for which costs are reported, descending */

#endif
