/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice: which method of the catalogue, with which options and step, follows a scenario to a given accuracy
 * until a horizon for the least CPU time.
 *
 * A reference is made of the whole motion where the budget allows it, else of a part, the span; by two kinds of methods
 * where the first alone does not settle. Each candidate runs through the span at several steps and is compared with the
 * reference. Errors beyond the span are extrapolated: those of a method that keeps the structure like t, those of others
 * like t^2, both faster where nearby trajectories separate exponentially. The method that is recommended is then run to the
 * horizon next to one with half its step, and compared at each step, or as far as the budget allows.
 *
 * Which method costs least for the energy over the whole run is another question, and has another answer: methods that keep the
 * structure may take larger steps. Beyond the span only those count whose energy error does not grow, by what they claim and as
 * measured.
 *
 * All work is counted, not measured (price.c): the same scenario gets the same advice, on every machine. Errors of
 * coordinates are those of ph_accuracy_of: lengths relative to the largest of the motion. */
#ifndef POLHODE_BENCH_ADVICE_H
#define POLHODE_BENCH_ADVICE_H

#include <stdbool.h>

#include "bench/common/timing.h"

enum { ADVICE_ROWS = 64, ADVICE_BUDGET = 10 };

typedef enum advice_verdict {
    ADVICE_MEETS,         /* meets the accuracy at this step, as measured */
    ADVICE_BY_ORDER,      /* this step would, by the order: too many steps to try */
    ADVICE_DRIFTS,        /* its energy error grows, which is what is asked for: not extrapolated */
    ADVICE_NEEDS_SMALLER, /* meets it, but with a smaller step than the run's */
    ADVICE_FLOOR,         /* smaller steps do not reduce the error */
    ADVICE_FAILS,         /* no step gets through the span, down to the reference's own step */
    ADVICE_UNDECIDED,     /* more expensive than the budget allows */
    ADVICE_NO_TIME,       /* the same, and no step got through: nothing is known */
    ADVICE_TWIN           /* computes the same as another row: not shown */
} advice_verdict;

/* A candidate at the largest step that meets the accuracy, or at the last one tried. All errors but
 * `measured` are predictions for the horizon; NaN where nothing is known. */
typedef struct advice_row {
    contender contender;
    advice_verdict verdict;
    double h;              /* [s], signed like the scenario's */
    int64_t steps;         /* to the horizon */
    double measured;       /* largest distance from the reference over the span */
    double ratio;          /* of `measured` in the second half of the span to that in the first */
    double error;          /* until the horizon; the reference's own doubt is in it */
    double energy_error;   /* relative to its scale */
    double momentum_error; /* of the momentum maps, relative to the sum of all |p| */
    double constraint_error;
    double correction;  /* factor on extrapolated errors: a margin, and what a run to the horizon has shown */
    bool confirmed;     /* by a run to the horizon, compared at each step */
    double run_to;      /* [s] to which it was so compared where the horizon would take too long; or 0 */
    int halves;         /* half digits of an adaptive method's tolerance; else 0 */
    bool keeps;         /* symplectic or symmetric, and its energy error was not seen to grow */
    double nanoseconds; /* CPU time of a step: counted, or measured where the plan is `timed` */
    double cpu_seconds; /* of all steps to the horizon */
} advice_row;

typedef struct advice {
    double accuracy, horizon; /* required; [s] from the start */
    bool by_energy;           /* it is required of the energy, not of the trajectory */
    double rate;              /* [rad/s] fastest at the start, or the one that suits the scenario's step */
    double budget;            /* [s of CPU] at most, by counted work */
    double spent;             /* of it */
    double
        length;  /* [m] largest coordinate of the motion, which errors of lengths are relative to; 0: none */
    double span; /* [s] measured */
    char reference[96];    /* the method that made it */
    char second[96];       /* the one that it was compared with; "": itself in twice as large steps */
    double reference_step; /* [s] */
    double uncertainty;    /* of the reference over the span */
    double watched;        /* [s] over which nearby trajectories were followed; 0: they were not */
    double exponent;       /* [1/s] at which they separate; 0: not exponentially */
    double attainable;     /* error at the horizon below which nothing could be shown, about */
    bool reachable;        /* that is less than the accuracy; true by_energy */
    double predictable; /* [s] until which the accuracy could be shown; INFINITY: longer than the horizon */
    bool constrained;   /* by velocity constraints: no method is symplectic */
    bool forced;        /* energy is not conserved: its error is the difference from the reference */
    advice_row *rows;   /* (n_rows) */
    size_t n_rows;
    size_t order[ADVICE_ROWS],
        n_listed;           /* rows without twins, those that meet the accuracy first, then by CPU time */
    const advice_row *best; /* the one recommended, or NULL */
    bool disproved;         /* a run to the horizon had a larger error than was predicted */
    struct advice *energy;  /* the same accuracy of the energy, where the plan asks for both; or NULL */
} advice;

typedef struct advice_plan {
    double accuracy, horizon;
    bool by_energy;        /* the accuracy is that of the energy; of a conservative system only */
    bool both;             /* first of the trajectory, then of the energy, where it is conserved */
    double budget;         /* [s of CPU] for all of it, by counted work; 0: ADVICE_BUDGET */
    double step;           /* [s] of the run, > 0; 0: it is sought */
    bool timed;            /* ranks by measured times, not by counted work: no longer the same each time */
    const contender *only; /* nullable: the one candidate, of which the step is sought */
    const volatile sig_atomic_t *interrupt;
    void (*progress)(void *self, const char *what, double fraction); /* nullable */
    void *self;
} advice_plan;

/* PH_E_INTERRUPTED, PH_E_NO_MEMORY, PH_E_RANGE (a horizon without steps), PH_E_INVALID (the energy of a system that does
 * not conserve it), the error of a reference that cannot be made. Where the accuracy is not reachable, nothing is recommended. */
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

/* What this work costs [s of CPU], for meter.price: counted, not measured, so the same on every machine (price.c). self: not
 * used. */
double advice_price(void *self, const ph_integrator *it, const ph_statistics *counted);

/* What was chosen for a scenario that gives an accuracy. */
typedef struct advice_choice {
    char label[96];      /* METHOD:option=value */
    double h, error;     /* [s]; expected */
    double energy_error; /* expected, relative; NaN where energy is not conserved */
    bool by_energy;      /* the error is that of the energy */
    bool confirmed;      /* a run to the end has shown it */
    double run_to;       /* [s] from which it is extrapolated, where it is not confirmed */
    double length;       /* [m] that errors of lengths are relative to; 0: there are none */
    double accuracy, horizon;
} advice_choice;

/* Chooses what the scenario leaves open, method or step or both, for its accuracy over its duration, and settles
 * it (ph_scenario_settle). Of the plan, interrupt and progress are used. Where the step is given the method is the
 * cheapest one that meets the accuracy with it.
 * PH_E_RANGE: the accuracy cannot be reached; the message says what can be. The errors of advice_make. */
ph_status advice_settle(ph_scenario *scenario, const advice_plan *plan, advice_choice *choice, ph_error *err);

#endif
