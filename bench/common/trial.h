/* SPDX-License-Identifier: BSD-3-Clause */
/* One trial: a contender at a step size over a long time, watched at times that are dense on a logarithmic
 * axis. */
#ifndef POLHODE_BENCH_TRIAL_H
#define POLHODE_BENCH_TRIAL_H

#include "curve.h"
#include "timing.h"

typedef enum trial_basis {
    SAME_STEP, /* at one of the step sizes asked for */
    SAME_CPU,  /* at the step size at which it costs what the reference contender costs at one of them */
    OWN_STEPS  /* by an adaptive method, which chooses its steps itself; h is the time between outputs */
} trial_basis;

typedef struct trial {
    const contender *contender;
    trial_basis basis;
    double group;  /* the step size asked for: trials of one basis and group are compared with each other;
                      of OWN_STEPS, its h */
    double h;      /* its own; signed like the scenario's */
    int64_t steps; /* planned */

    ph_status status; /* PH_OK; PH_E_DIVERGED, PH_E_NO_SOLUTION, ..., PH_E_INTERRUPTED */
    char message[512];
    double t_end; /* elapsed time reached */
    int64_t steps_done;
    ph_summary summary; /* growth: last tenth / first tenth */
    double passes;      /* iterations a step, Newton's or sweeps; NaN for explicit methods */
    curve energy, constraint,
        momentum;       /* relative to the scales of the summary; momentum: of the worst map */
    timing time;        /* of a step, and as a ratio to the group's reference contender */
    double cpu_seconds; /* for the planned steps: median time of a step x steps */
    /* of a single rigid body: its momentum in the body frame (n_path x 3) at up to PATH_MOST times spread over
     * the whole run; owned; NULL for other systems */
    double *path;
    size_t n_path;
} trial;

enum { PATH_MOST = 2400 };

/* Called from time to time while a trial runs. */
typedef void (*trial_progress)(void *self, const trial *tr, double t, int64_t done);

/* Run `tr` (contender, basis, group, h, steps filled in). A trial that ends early keeps what it has. Fails
 * only when it cannot start. trial_free releases its path. */
ph_status trial_run(trial *tr, const ph_scenario *scenario, const volatile sig_atomic_t *interrupt,
                    trial_progress show, void *self, ph_error *err);

void trial_free(trial *tr);

/* The largest energy error in the last tenth over that in the first; NaN where it is not known. */
double trial_growth(const trial *tr);

#endif
