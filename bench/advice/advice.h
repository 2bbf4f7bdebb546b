/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice: which method of the catalogue, with which options and step, follows a scenario to a wanted accuracy
 * at a horizon for the least CPU time. Each candidate runs a measured span of the motion at several steps,
 * beside a reference. What is expected at the horizon is measured where the span reaches it, else
 * extrapolated: the error of a method that keeps the structure by t, that of others by t^2, either faster
 * where nearby trajectories part exponentially; the energy error of the former not at all, of the latter by
 * t; of the one recommended by more, if a run that is as long as there is time for says so. */
#ifndef POLHODE_BENCH_ADVICE_H
#define POLHODE_BENCH_ADVICE_H

#include <stdbool.h>

#include "bench/common/timing.h"

enum { ADVICE_ROWS = 64, ADVICE_BUDGET = 6 };

typedef enum advice_verdict {
    ADVICE_MEETS,     /* the accuracy, at this step, as measured */
    ADVICE_BY_ORDER,  /* a step that would, by its order: too many of them to try */
    ADVICE_FLOOR,     /* smaller steps make the error no smaller */
    ADVICE_FAILS,     /* no step gets through the span, down to one at which the reference does */
    ADVICE_UNDECIDED, /* dearer than there was time for */
    ADVICE_NO_TIME,   /* nor did a step get through before that: nothing is known */
    ADVICE_TWIN       /* does the same as another row: not to be shown */
} advice_verdict;

/* A candidate at the largest step that meets the accuracy, or at the last one tried. Errors are those
 * expected at the horizon, but the first; NaN where nothing is known. */
typedef struct advice_row {
    contender contender;
    advice_verdict verdict;
    double h;              /* [s], signed like the scenario's */
    int64_t steps;         /* to the horizon */
    double measured;       /* largest distance from the reference in an ambient coordinate, over the span */
    double ratio;          /* of that in the span's second half to that in its first */
    double error;          /* the same, at the horizon */
    double energy_error;   /* relative to its scale */
    double momentum_error; /* of the momentum maps, relative to the sum of all |p| */
    double constraint_error;
    double correction;  /* of what is extrapolated: by what a run to the horizon found more; or 1 */
    bool confirmed;     /* by such a run, or as the span reaches it */
    double run_to;      /* [s] until which its energy was followed, where there was no time for all; or 0 */
    int halves;         /* of digits of an adaptive method's tolerance; else 0 */
    double nanoseconds; /* CPU time of a step */
    double cpu_seconds; /* of all steps to the horizon */
} advice_row;

typedef struct advice {
    double accuracy, horizon; /* wanted; [s] from the start */
    double rate;           /* fastest of the motion at the start [rad/s], or what the scenario's step suits */
    double budget;         /* [s of CPU] that there was, about */
    double span;           /* [s] measured */
    char reference[96];    /* what made it */
    double reference_step; /* [s] */
    double uncertainty;    /* of the reference over the span */
    double watched;        /* [s] over which nearby trajectories were followed */
    double exponent;       /* [1/s] by which they part; 0: not exponentially */
    double attainable;     /* error at the horizon that rounding alone makes, about */
    double predictable;    /* [s] until which the accuracy can be had in double precision; INFINITY: longer */
    bool by_energy;        /* it cannot be had at the horizon, and the energy error decides instead */
    bool forced;           /* energy is not conserved: its error is against the reference */
    advice_row *rows;      /* (n_rows) */
    size_t n_rows;
    size_t order[ADVICE_ROWS],
        n_listed;           /* rows without twins, those that meet the accuracy first, then by CPU time */
    const advice_row *best; /* the one recommended, or NULL */
} advice;

typedef struct advice_plan {
    double accuracy, horizon;
    double budget; /* [s of CPU] for all of it, about, of a small system; 0: ADVICE_BUDGET */
    meter *watch;  /* nullable: what steps take, where that is not CPU time; then nothing is timed */
    const volatile sig_atomic_t *interrupt;
    void (*progress)(void *self, const char *what, double fraction); /* nullable */
    void *self;
} advice_plan;

/* Takes the budget if all methods need their shares, more on large systems. PH_E_INTERRUPTED, PH_E_NO_MEMORY,
 * PH_E_RANGE (a horizon without steps), the error of a reference that cannot be made. */
ph_status advice_make(advice *a, const ph_scenario *scenario, const advice_plan *plan, ph_error *err);
void advice_free(advice *a);

#endif
