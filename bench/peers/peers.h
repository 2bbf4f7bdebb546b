/* SPDX-License-Identifier: BSD-3-Clause */
/* Work and precision compared with the methods of another library, on the same right-hand side: the cost of
 * an error of the trajectory, or of the energy, for each of them. Methods with a fixed step run with smaller
 * and smaller steps, those with error control with smaller and smaller tolerances. */
#ifndef POLHODE_BENCH_PEERS_H
#define POLHODE_BENCH_PEERS_H

#include "bench/common/ladder.h"
#include "bench/common/watch.h"

enum { PEER_POINTS = 7, PEER_OUTPUTS = 50 };

/* Trajectory: largest |z - truth| of an entry at the end. Energy: the largest error at PEER_OUTPUTS
 * equidistant times, relative to its scale. */
typedef enum peer_quantity { PEER_TRAJECTORY, PEER_ENERGY, PEER_QUANTITIES } peer_quantity;

typedef struct peer_run {
    double h;          /* [s] step of the method, which error control may divide */
    int64_t steps;     /* 0: not run, since it would take too long */
    ph_status status;  /* PH_OK where the run has an error */
    double error;      /* NaN */
    double cpu, least; /* [s] of the whole run: median and least over the turns; NaN */
    size_t turns;
} peer_run;

typedef struct peer_point {
    contender contender;
    double setting; /* a step [s], or the tolerance (relative and absolute) */
    peer_run runs[PEER_QUANTITIES];
} peer_point;

typedef struct peer {
    char label[96]; /* without its tolerance */
    int adaptive;
    peer_point points[PEER_POINTS]; /* from coarse to fine */
} peer;

typedef struct peers {
    const problem *problem;
    ph_scenario *scenario;            /* owned */
    char form[32];                    /* of the right-hand side: the fastest on this system */
    double horizons[PEER_QUANTITIES]; /* [s] */
    truth truth;
    peer *list; /* (n) */
    size_t n;
    ph_status status; /* PH_OK or PH_E_INTERRUPTED */
} peers;

typedef struct peers_plan {
    double horizon; /* [s] for the energy; 0: the problem's */
    double budget;  /* [s] for the turns of each quantity, beyond the first */
    double limit;   /* [s] a run that would take longer is left out */
    const volatile sig_atomic_t *interrupt;
    bench_watch *progress; /* nullable */
} peers_plan;

/* The methods that are compared by default. */
extern const char *const peers_standard[];
extern const size_t n_peers_standard;

/* Are the methods of the other library in this build? PH_E_UNKNOWN: the message says what to install. */
ph_status peers_available(ph_error *err);

/* Takes ownership of the scenario, also after a failure. names: methods, which may have options; without the
 * option `form` they get the fastest one. An interruption is not a failure. */
ph_status peers_make(peers *p, const problem *row, ph_scenario *scenario, const char *const *names, size_t n,
                     const peers_plan *plan, ph_error *err);
void peers_free(peers *p);

/* CPU seconds for an error of `level`, interpolated on logarithmic axes between the points around it;
 * INFINITY if no point is that good. */
double peer_cost(const peer *p, peer_quantity what, double level);

#endif
