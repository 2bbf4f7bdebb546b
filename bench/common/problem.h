/* SPDX-License-Identifier: BSD-3-Clause */
/* A problem on which methods are compared: a row of problems.def, or a user's scenario. */
#ifndef POLHODE_BENCH_PROBLEM_H
#define POLHODE_BENCH_PROBLEM_H

#include <polhode/polhode.h>

#include "bench/common/command.h"

enum { PROBLEM_STEPS = 16 };

typedef struct problem {
    const char *name;     /* one word */
    const char *title;    /* a line */
    const char *source;   /* where initial data and truth come from */
    const char *scenario; /* YAML */
    int standard;         /* belongs to the default set */

    double horizon;              /* [s] of the long trials */
    double steps[PROBLEM_STEPS]; /* [s] of the long trials, that of the headline first; 0 ends the list */

    /* Its headline compares methods at the same step, not at the same CPU time: at its large steps a step of the
     * reference may cost several times what it costs at smaller ones, which then are the better use of that time. */
    int at_same_step;

    double short_time; /* [s] at which trajectories are compared with the truth */
    double first_step; /* [s] largest step of the ladder, which halves it repeatedly */

    /* The truth at t0 + short_time; where there is neither, it is computed. */
    const double *digits; /* (nz) configuration to many digits, or NULL */
    double turning;       /* [rad/s] a motion that turns as a whole about e3, or 0 */
} problem;

extern const problem problems[];
extern const size_t n_problems;

/* By name; NULL and PH_E_UNKNOWN with a suggestion. */
const problem *problem_find(const char *name, ph_error *err);

/* *rate <- the fastest rate at the start [rad/s], of the linearised system or of rotation; 0 at rest.
 * PH_E_UNSUPPORTED: the system is too large. */
ph_status problem_rate(const ph_scenario *scenario, double *rate, ph_error *err);

/* p <- a problem made of a scenario: its step and duration; short time and ladder from the fastest rate of
 * its linearised system and of its start. p->name points to `name`, which must outlive p. */
ph_status problem_of_scenario(problem *p, const ph_scenario *scenario, const char *name, ph_error *err);

/* p <- a problem of the table by its name, or one made of the scenario in the file of that name ("-": of the standard
 * input) with the values of `set` (scenario-input.h). The caller owns *scenario, which is NULL after a failure.
 * PH_E_UNKNOWN, PH_E_INVALID (values set in a problem of the table, a scenario without method or step), or the error
 * of scenario_read. */
ph_status problem_load(const char *name, const option_texts *set, problem *p, ph_scenario **scenario,
                       ph_error *err);

#endif
