/* SPDX-License-Identifier: BSD-3-Clause */
/* The motion that advice is about, as far as it is measured, and the reference that candidates are measured
 * by. */
#ifndef POLHODE_BENCH_ADVISOR_H
#define POLHODE_BENCH_ADVISOR_H

#include "advice.h"

enum { ADVICE_LOOKS = 8 }; /* at the energy between two times that are compared */

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
    double first[ADVICE_ROWS][3]; /* of each row, what its first passage gave: see is_twin */
    double *logs; /* (LOOKS + 1) log of how far nearby trajectories have parted, after 0 ... watched */
} advisor;

/* What a contender makes of the span; maxima over its first and its second half. */
typedef struct passage {
    ph_status status;
    bool cut; /* by the bound on CPU time, or as it was going to take far longer */
    double error[2], energy[2], momentum[2], constraint;
    double total; /* of what error[] is the largest of */
    double ns;    /* a step */
} passage;

/* Measure the motion and make the reference; a, plan, system, start, sign, nz and maps are set. What it
 * allocates is for advisor_end, also after a failure. PH_E_INTERRUPTED, PH_E_NO_MEMORY, the error of a
 * reference that cannot be made. */
ph_status advisor_begin(advisor *w, const ph_scenario *scenario, ph_error *err);
void advisor_end(advisor *w);

/* [s] that have been spent: CPU time of the process, or as steps have their price. */
double advisor_now(const advisor *w);
/* Of what is so long [s] by default: so long by the budget. */
double advisor_share(const advisor *w, double seconds);
/* Says what is being done; PH_E_INTERRUPTED. */
ph_status advisor_pause(const advisor *w, const char *what, double fraction, ph_error *err);
/* Largest |a - b| of an entry (n); NaN where one is. */
double advisor_difference(const double *a, const double *b, size_t n);
/* Of so many in a stretch [s]. */
double advisor_step(const advisor *w, int64_t m);
/* Is there an integrator of it for this system? */
bool advisor_takes(const advisor *w, const contender *c);
/* Through the span, in m steps a stretch, for at most so long [s], about. */
passage advisor_pass(const advisor *w, const contender *c, int64_t m, double bound);
/* By what the errors of the span's end grow until the horizon, at least by (t / span)^power. */
double advisor_growth(const advisor *w, double power);

#endif
