/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured span of the motion, and the reference that candidates are compared with. */
#ifndef POLHODE_BENCH_ADVISOR_H
#define POLHODE_BENCH_ADVISOR_H

#include "advice.h"

enum {
    ADVICE_LOOKS = 8,       /* measurements of the energy between two times that are compared */
    ADVICE_DISTANCES = 1024 /* measurements of the distance of nearby trajectories */
};

typedef struct advisor {
    advice *a;
    const advice_plan *plan;
    const ph_system *system;
    motion start;
    double sign, stretch; /* D [s] */
    size_t parts, nz, maps;
    int64_t stretches; /* in the horizon */
    int64_t coarsest;  /* steps in a stretch: two a turn of the fastest rate */
    contender reference;
    double *z;       /* (parts x nz) the reference at the end of each stretch */
    double *other;   /* (parts x nz) the same, by steps twice as large */
    double *energy;  /* (parts) */
    double *momenta; /* (parts x maps) */
    double energy_scale, momentum_scale;
    ph_diagnostics *diagnostics;
    double first[ADVICE_ROWS][3]; /* of each row, the results of its first run: see is_twin */
    double *logs; /* (ADVICE_DISTANCES + 1) log of the distance of nearby trajectories at 0 ... a->watched */
} advisor;

/* A run of a contender through the span; maxima over its first and its second half. */
typedef struct span_run {
    ph_status status;
    bool cut; /* by the bound on CPU time, or as it would have taken far longer */
    double error[2], energy[2], momentum[2], constraint;
    double total; /* of what error[] is the largest of */
    double ns;    /* a step */
} span_run;

/* ---- Time (budget.c) --------------------------------------------------------------------------------- */

/* [s] spent so far: CPU time of the process, or the price of the steps. */
double advisor_now(const advisor *w);
/* A time [s] that is so long with the default budget, scaled to the budget. */
double advisor_share(const advisor *w, double seconds);
/* Report what is being done; PH_E_INTERRUPTED. */
ph_status advisor_pause(const advisor *w, const char *what, double fraction, ph_error *err);

/* ---- The motion and its reference (advisor.c, span.c, growth.c) --------------------------------------- */

/* Measure the motion and make the reference; a, plan, system, start, sign, nz and maps are set. advisor_end frees
 * what it allocates, also after a failure. PH_E_INTERRUPTED, PH_E_NO_MEMORY, the error of a reference that cannot
 * be made. */
ph_status advisor_begin(advisor *w, const ph_scenario *scenario, ph_error *err);
void advisor_end(advisor *w);

/* The step with m steps in a stretch [s]. */
double advisor_step(const advisor *w, int64_t m);
/* Does the contender take this system? */
bool advisor_takes(const advisor *w, const contender *c);
/* Run through the span in m steps a stretch, for at most `bound` s of CPU time, about. */
span_run advisor_run_span(const advisor *w, const contender *c, int64_t m, double bound);
/* Follow a pair of nearby trajectories: sets a->watched, a->exponent and logs. ns: of a step of the
 * reference. */
ph_status advisor_watch_growth(advisor *w, double ns, ph_error *err);
/* The logarithm of the largest growth of their distance until time t. */
double advisor_log_growth(const advisor *w, double t);
/* The factor by which errors grow from the end of the span to the horizon, at least (horizon / span)^power.
 * */
double advisor_growth(const advisor *w, double power);

#endif
