/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres as phase space by all methods: the errors of a trajectory, of the energy, of J and of the lengths |s| against their
 * cost, and energies over a long time. */
#ifndef POLHODE_BENCH_SPINS_H
#define POLHODE_BENCH_SPINS_H

#include <polhode/polhode.h>

#include "bench/common/contender.h"
#include "bench/common/curve.h"
#include "bench/common/tenths.h"
#include "bench/common/timing.h"
#include "bench/common/watch.h"

enum { SPINS_POINTS = 10, SPINS_TURNS = 7 };

/* A system in its standard motion. */
typedef struct spins_case {
    const char *name, *words; /* for people */
    size_t n;                 /* spins or vortices */
    bool axial;               /* H is invariant under rotations about e3 alone: J_3 is conserved */
    double time;              /* [s] after which the errors of trajectories are taken */
    double first_step;        /* [s] the largest step of the trajectories */
    double stage;             /* [s] of the long run: the step of methods of order 2 */
    double share;             /* of the steps that are asked for, how many the long run has */
    /* *system, z (3n) <- the system and its start */
    ph_status (*create)(size_t n, ph_system **system, double *z, ph_error *err);
} spins_case;

/* Of magnets (vortices = false) or vortices; NULL behind the last. */
const spins_case *spins_case_at(bool vortices, size_t i);

/* The methods that take part by default; those that a build is without are left out. */
extern const char *const spins_standard[];
extern const size_t n_spins_standard;
/* How many steps of order 2 a step of a composition is made of; 1 of others, and of adaptive methods as many as between
 * outputs of the long run. */
double spins_stages(const contender *c);

/* How far a run is from what it should keep. */
typedef struct spins_errors {
    double place;    /* the largest |s_i - truth|, at the end */
    double energy;   /* the largest |H - H(0)|, in the units of H */
    double momentum; /* the largest |J - J(0)|, or |J_3 - J_3(0)| */
    double length;   /* the largest | |s_i| - 1 | */
} spins_errors;

/* One run for a trajectory. */
typedef struct spins_point {
    double setting;       /* step [s], or relative tolerance */
    int64_t steps;        /* 0: not run, since there is nothing more to gain or it would take too long */
    ph_status status;     /* PH_OK where it has errors */
    spins_errors errors;  /* NaN where it has none */
    double median, least; /* [s] CPU of all steps, of the turns; NaN */
    size_t turns;
} spins_point;

/* The long run. */
typedef struct spins_run {
    double h;         /* [s]; of adaptive methods the time between outputs */
    int64_t steps;    /* of that */
    ph_status status; /* PH_OK, or why it ended early; PH_E_UNKNOWN: not run */
    double reached;   /* [s] */
    tenths energy;
    double momentum, length; /* largest errors */
    double cpu;              /* [s] */
    curve energies;
} spins_run;

typedef struct spins_line {
    char label[96];
    bool adaptive;
    timing time;   /* of a step, and as a ratio to rk4; NaN of adaptive methods */
    double stages; /* spins_stages */
    spins_point points[SPINS_POINTS];
    spins_run run;
} spins_line;

typedef struct spins {
    const spins_case *of;
    double energy;      /* H at the start */
    double J[3];        /* at the start */
    double h;           /* [s] at which steps were timed */
    double doubt;       /* how well the truth is known: the largest |s_i - s_i'| of two methods */
    const char *truth;  /* the one that is the truth, and */
    const char *second; /* the one that it is compared with */
    int64_t steps;      /* of order 2 of the long run; 0: there is none */
    spins_line *lines;  /* (n) */
    size_t n;
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */
} spins;

typedef struct spins_plan {
    int64_t steps; /* of the long run; 0: there is none */
    double budget; /* [s] wall clock for repeating runs, and again for timing steps */
    double limit;  /* [s] a run of a trajectory that would take longer is left out */
    meter *watch;  /* what steps cost; NULL: measured CPU time */
    bench_watch *progress;
} spins_plan;

/* Is there one among the methods that takes the system? PH_E_UNSUPPORTED with what the last one says. */
ph_status spins_check(const spins_case *of, const char *const *names, size_t n, ph_error *err);
/* names: methods, with options. An interruption is not a failure: results so far are kept. */
ph_status spins_make(spins *s, const spins_case *of, const char *const *names, size_t n,
                     const spins_plan *plan, ph_error *err);
void spins_free(spins *s);

/* What a cost is asked for. */
typedef enum spins_quantity { SPINS_PLACE, SPINS_ENERGY, SPINS_QUANTITIES } spins_quantity;
double spins_error(const spins_point *p, spins_quantity what);
/* CPU seconds for an error of `level`; INFINITY if no point is that good. */
double spins_cost(const spins_line *l, spins_quantity what, double level);

/* How the energy error of a long run behaves. */
growth spins_judge(const spins_run *r);

#endif
