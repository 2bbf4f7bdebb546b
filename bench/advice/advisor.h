/* SPDX-License-Identifier: BSD-3-Clause */
/* The measured span of the motion, and the reference that candidates are compared with. */
#ifndef POLHODE_BENCH_ADVISOR_H
#define POLHODE_BENCH_ADVISOR_H

#include "advice.h"
#include "bench/common/growth.h"

enum {
    ADVICE_PARTS = 25,      /* stretches of a span at most */
    ADVICE_LOOKS = 8,       /* measurements of the energy between two times that are compared */
    ADVICE_DISTANCES = 1024 /* measurements of the distance of nearby trajectories */
};

/* The motion by one method, at the end of each stretch. */
typedef struct track {
    double *z;       /* (ADVICE_PARTS x nz) */
    double *energy;  /* (ADVICE_PARTS) */
    double *momenta; /* (ADVICE_PARTS x maps) */
    double energy_scale, momentum_scale;
    char label[96];
    double step;  /* [s] */
    double doubt; /* of its configurations */
} track;

/* By the adaptive method and with ten times its tolerance; by fixed steps and twice as large ones; and another kind of these. */
enum { TRACK_FINE, TRACK_COARSE, TRACK_STEPS, TRACK_HALF, TRACK_TRIAL, TRACK_TRIAL_HALF, TRACKS };

typedef struct advisor {
    advice *a;
    const advice_plan *plan;
    const ph_system *system;
    motion start;
    meter *watch;         /* the counted work */
    double sign, stretch; /* D [s] */
    size_t parts, nz, maps;
    int64_t stretches; /* in the horizon */
    int64_t coarsest;  /* steps in a stretch: two a turn of the fastest rate */
    contender guide;   /* the method that nearby trajectories are followed with */
    double guide_ns;   /* of a step of it */
    double scouted;    /* [s] that the whole motion takes by an adaptive method; 0: it was too expensive */
    track tracks[TRACKS], *reference, *rival; /* rival: what the reference is compared with */
    double *weights;                          /* (nz) on differences of coordinates */
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
    bool grows;   /* the energy error, beyond its scatter */
    double ns;    /* a step */
} span_run;

/* ---- Work (price.c, measure.c) ------------------------------------------------------------------------ */

/* [s] spent so far. */
double advisor_now(const advisor *w);
/* A time [s] that is so long with the default budget, scaled to the budget. */
double advisor_share(const advisor *w, double seconds);
/* Report what is being done; PH_E_INTERRUPTED. */
ph_status advisor_pause(const advisor *w, const char *what, double fraction, ph_error *err);

/* ---- The motion and its reference (advisor.c, reference.c, span.c, growth.c, measure.c) ----------------------------- */

/* Measure the motion and make the reference; a, plan, system, start, sign, nz and maps are set. advisor_end frees
 * what it allocates, also after a failure. PH_E_INTERRUPTED, PH_E_NO_MEMORY, the error of a reference that cannot
 * be made. */
ph_status advisor_begin(advisor *w, const ph_scenario *scenario, ph_error *err);
void advisor_end(advisor *w);

/* tracks[TRACK_FINE] <- the span by an adaptive method; *done <- it was affordable. */
ph_status advisor_scout(advisor *w, bool *done, ph_error *err);
/* w->guide <- a method that gets through some steps, and the time of one; PH_E_UNSUPPORTED or the error of the last. */
ph_status advisor_find_guide(advisor *w, ph_error *err);
/* w->reference <- the best of several kinds over the span, with its doubt. */
ph_status advisor_refer(advisor *w, ph_error *err);
/* The logarithm of the error at time t that rounding causes in the best trajectory, as nearby ones separate. */
double advisor_log_rounding(const advisor *w, double t);
/* The largest weighted difference of n configurations; NaN where a number is not finite. */
double advisor_distance(const advisor *w, const double *a, const double *b, size_t n);

/* The step with m steps in a stretch [s]. */
double advisor_step(const advisor *w, int64_t m);
/* Does the contender take this system? */
bool advisor_takes(const advisor *w, const contender *c);
/* Is the energy error seen to grow, beyond its scatter and that of a random walk? */
bool advisor_energy_grows(const growth_blocks *energy);
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
