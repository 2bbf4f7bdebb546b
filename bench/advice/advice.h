/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice: which method of the catalogue, with which options and step, follows a scenario to a given accuracy
 * at a horizon for the least CPU time. Each candidate runs a measured span of the motion at several steps and
 * is compared with a reference. Errors at the horizon are measured where the span reaches it, else
 * extrapolated: those of a method that keeps the structure like t, those of others like t^2, both faster
 * where nearby trajectories separate exponentially. The energy error of the former is taken to stay, that of
 * the latter to grow like t; that of the recommended method is corrected by a run that is as long as time
 * allows. */
#ifndef POLHODE_BENCH_ADVICE_H
#define POLHODE_BENCH_ADVICE_H

#include <stdbool.h>

#include "bench/common/timing.h"

enum { ADVICE_ROWS = 64, ADVICE_BUDGET = 6 };

typedef enum advice_verdict {
    ADVICE_MEETS,     /* meets the accuracy at this step, as measured */
    ADVICE_BY_ORDER,  /* this step would, by the order: too many steps to try */
    ADVICE_FLOOR,     /* smaller steps do not reduce the error */
    ADVICE_FAILS,     /* no step gets through the span, down to the reference's own step */
    ADVICE_UNDECIDED, /* more expensive than the budget allows */
    ADVICE_NO_TIME,   /* the same, and no step got through: nothing is known */
    ADVICE_TWIN       /* computes the same as another row: not shown */
} advice_verdict;

/* A candidate at the largest step that meets the accuracy, or at the last one tried. All errors but
 * `measured` are predictions for the horizon; NaN where nothing is known. */
typedef struct advice_row {
    contender contender;
    advice_verdict verdict;
    double h;              /* [s], signed like the scenario's */
    int64_t steps;         /* to the horizon */
    double measured;       /* largest distance from the reference in an ambient coordinate, over the span */
    double ratio;          /* of `measured` in the second half of the span to that in the first */
    double error;          /* distance, at the horizon */
    double energy_error;   /* relative to its scale */
    double momentum_error; /* of the momentum maps, relative to the sum of all |p| */
    double constraint_error;
    double correction;  /* factor on extrapolated errors that a run to the horizon has shown; 1: none */
    bool confirmed;     /* by a run to the horizon, or because the span reaches it */
    double run_to;      /* [s] to which its energy was followed where the horizon would take too long; or 0 */
    int halves;         /* half digits of an adaptive method's tolerance; else 0 */
    bool keeps;         /* symplectic or symmetric: its energy error does not grow by itself */
    double nanoseconds; /* CPU time of a step */
    double cpu_seconds; /* of all steps to the horizon */
} advice_row;

typedef struct advice {
    double accuracy, horizon; /* required; [s] from the start */
    double rate;              /* [rad/s] fastest at the start, or the one that suits the scenario's step */
    double budget;            /* [s of CPU], about */
    double span;              /* [s] measured */
    char reference[96];       /* the method that made it */
    double reference_step;    /* [s] */
    double uncertainty;       /* of the reference over the span */
    double watched;           /* [s] over which nearby trajectories were followed */
    double exponent;          /* [1/s] at which they separate; 0: not exponentially */
    double attainable;        /* error at the horizon that rounding alone causes, about */
    double predictable;       /* [s] until which double precision allows the accuracy; INFINITY: longer */
    bool by_energy;           /* not at the horizon: the energy error decides instead */
    bool constrained;         /* by velocity constraints: no method is symplectic */
    bool forced;              /* energy is not conserved: its error is the difference from the reference */
    advice_row *rows;         /* (n_rows) */
    size_t n_rows;
    size_t order[ADVICE_ROWS],
        n_listed;           /* rows without twins, those that meet the accuracy first, then by CPU time */
    const advice_row *best; /* the one recommended, or NULL */
} advice;

typedef struct advice_plan {
    double accuracy, horizon;
    double budget;         /* [s of CPU] for all of it, about, of a small system; 0: ADVICE_BUDGET */
    meter *watch;          /* nullable: what steps cost, where that is not CPU time; then nothing is timed */
    const contender *only; /* nullable: the one candidate, of which the step is sought */
    const volatile sig_atomic_t *interrupt;
    void (*progress)(void *self, const char *what, double fraction); /* nullable */
    void *self;
} advice_plan;

/* Uses the whole budget where all methods need their shares, and more on large systems. PH_E_INTERRUPTED,
 * PH_E_NO_MEMORY, PH_E_RANGE (a horizon without steps), the error of a reference that cannot be made. */
ph_status advice_make(advice *a, const ph_scenario *scenario, const advice_plan *plan, ph_error *err);
void advice_free(advice *a);

/* The error of a row that the accuracy is a bound on: of the trajectory or, where that cannot be computed, of the
 * energy. */
static inline double advice_row_error(const advice *a, const advice_row *row)
{
    return a->by_energy ? row->energy_error : row->error;
}
/* The number of fewest digits that is this step up to rounding. */
double advice_round_step(double h);

/* What was chosen for a scenario that gives an accuracy. */
typedef struct advice_choice {
    char label[96];  /* METHOD:option=value */
    double h, error; /* [s]; expected, relative */
    bool by_energy;  /* it is that of the energy */
    double accuracy, horizon;
} advice_choice;

/* Chooses what the scenario leaves open, method or step or both, for its accuracy over its duration, and settles
 * it (ph_scenario_settle). Of the plan, budget, watch, interrupt and progress are used. Where the step is given
 * the method is the cheapest one that would meet the accuracy also with a larger step.
 * PH_E_RANGE: the accuracy cannot be reached; the message says what can be. The errors of advice_make. */
ph_status advice_settle(ph_scenario *scenario, const advice_plan *plan, advice_choice *choice, ph_error *err);

#endif
