/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is ahead, at every accuracy: structure-preserving methods and codes of general use on systems whose end states are known to
 * many digits. Each contender runs with smaller and smaller steps, or tolerances; what it needs for an error follows from the lower
 * hull of its points (error, time) on logarithmic axes. */
#ifndef POLHODE_BENCH_AHEAD_H
#define POLHODE_BENCH_AHEAD_H

#include <polhode/polhode.h>

#include "bench/common/contender.h"
#include "bench/common/watch.h"

enum { AHEAD_LEVELS = 12, AHEAD_POINTS = 40, AHEAD_CONTENDERS = 32 };

/* A system as a row. Its first members are those of every list of systems (bench/kind/list.h). */
typedef struct ahead_case {
    const char *name, *words;
    const char *problem;  /* of bench/common/problems.def, whose scenario, time and digits it has; or NULL: */
    const char *scenario; /* model, parameters and initial data, */
    size_t links;         /* or a chain of so many, straight, all turning alike */
    double time;          /* [s] at which errors are taken */
    double first_step;    /* [s] the largest step */
    double absolute;      /* absolute tolerances as a part of relative ones; 0: 1 */
    const double *digits; /* (nz) the configuration at that time */
    const char *truth;    /* how it is known */
} ahead_case;

enum { AHEAD_SYSTEMS = 10 };
extern const ahead_case ahead_cases[AHEAD_SYSTEMS];

/* One run, with a step or a tolerance. */
typedef struct ahead_point {
    double setting; /* [s], or relative */
    int64_t steps;
    ph_status status; /* PH_OK where it has an error */
    double error;     /* of the configuration at the end, of the worst entry; NaN */
    double seconds;   /* CPU time, the least of all turns; NaN */
    size_t turns;
} ahead_point;

typedef struct ahead_line {
    char label[CONTENDER_TEXT];
    bool ours;     /* it preserves structure: symplectic or symmetric by its claims */
    bool adaptive; /* it has a tolerance */
    ahead_point points[AHEAD_POINTS];
    size_t n;
} ahead_line;

/* What an accuracy costs with a contender. */
typedef struct ahead_price {
    const char *label; /* NULL: nobody is that good */
    double setting, seconds;
} ahead_price;

typedef enum ahead_standing {
    AHEAD_NOBODY,  /* no contender is that good */
    AHEAD_LEADS,   /* a structure-preserving method is at least as fast */
    AHEAD_ALONE,   /* only structure-preserving methods are that good */
    AHEAD_BEHIND,  /* a code of general use is faster */
    AHEAD_MISSING, /* only codes of general use are that good */
} ahead_standing;

typedef struct ahead_level {
    double accuracy;
    ahead_price ours, general; /* the fastest */
    double ratio;              /* of their times: > 1, ours is ahead; NaN where one is absent */
    ahead_standing standing;
} ahead_level;

/* The contenders on one system. */
typedef struct ahead {
    const ahead_case *of;
    const char *name, *words;
    ph_scenario *scenario; /* owned */
    motion start;
    size_t nz;
    double time;
    const double *digits;
    double
        *weights; /* (nz) of errors of entries: lengths are relative to the largest one at the end; owned */
    ahead_line *lines; /* (n) owned */
    size_t n;
    ahead_level levels[AHEAD_LEVELS];
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */
} ahead;

typedef struct ahead_plan {
    double budget; /* [s] wall clock for repeating the runs of a system */
    double limit;  /* [s] a run that would take longer is left out */
    bench_watch *progress;
} ahead_plan;

/* Of a system: its start, and lines for the contenders (names, n) that take it. PH_E_UNSUPPORTED where none does. */
ph_status ahead_open(ahead *a, const ahead_case *of, const char *const *names, size_t n, ph_error *err);
/* Measures and judges. An interruption is not a failure: results so far are kept, and a->status says so. */
ph_status ahead_make(ahead *a, const ahead_plan *plan, ph_error *err);
void ahead_free(ahead *a);

/* What an error of `accuracy` costs with these points: the least time of a point that is that good, or on a chord between a point that
 * is and one that is not, on logarithmic axes. Nothing is extrapolated. */
ahead_price ahead_cost(const ahead_line *l, double accuracy);
/* levels <- from the points of all lines. */
void ahead_judge(ahead *a);
/* The number of levels from k on that stand alike. */
size_t ahead_alike(const ahead *a, size_t k);

#endif
