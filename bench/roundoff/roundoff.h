/* SPDX-License-Identifier: BSD-3-Clause */
/* How rounding accumulates: the errors of conserved quantities in an ensemble of slightly different motions
 * over many steps, a sweep into one archive. A stage of a composition counts as a step. */
#ifndef POLHODE_BENCH_ROUNDOFF_H
#define POLHODE_BENCH_ROUNDOFF_H

#include <polhode/polhode.h>

#include "bench/common/surroundings.h"
#include "bench/common/watch.h"

enum {
    ROUNDOFF_ROWS = 2, /* angular velocities at the start */
    ROUNDOFF_MAPS = 3,
    ROUNDOFF_QUANTITIES = 2 + ROUNDOFF_MAPS, /* energy, constraint, momentum maps */
    ROUNDOFF_PER_DECADE = 5,
    ROUNDOFF_POINTS = 64,
    ROUNDOFF_MEMBERS = 1000
};

/* Conserved quantities at a state, in more digits than the state has; momentum maps and energy in SI units.
 * */
typedef struct roundoff_invariants {
    long double energy, momenta[ROUNDOFF_MAPS];
    long double size; /* |J|: errors of the momenta are relative to that at the start */
    long double
        constraint; /* signed: the largest |q| - 1, or the mean entry of the diagonal of (R^T R - I) / 2 */
} roundoff_invariants;

/* A motion of the table. */
typedef struct roundoff_problem {
    const char *name, *title;
    const char *model, *parameters, *q, *method; /* as in scenarios; of the method the text after `name:` */
    double omega[ROUNDOFF_ROWS][3]; /* [rad/s] (rows, 3), which members change by at most a thousandth: */
    size_t rows;
    int apart;      /* each entry separately (a row as a whole stays tangent) */
    double h;       /* [s] of a step of the method */
    int64_t stages; /* of a step */
    int64_t steps;  /* default length, in stages */
    size_t maps;
    void (*invariants)(const double *z, const double *p, roundoff_invariants *x);
} roundoff_problem;

extern const roundoff_problem roundoff_problems[];
extern const size_t n_roundoff_problems;
/* By name; NULL and PH_E_UNKNOWN with a suggestion. */
const roundoff_problem *roundoff_find(const char *name, ph_error *err);

/* ---- Members --------------------------------------------------------------------------------------- */

/* Steps to the first point after at least that many stages. */
int64_t roundoff_reach(const roundoff_problem *p, int64_t stages);

/* The scenario of an ensemble (malloc; NULL without memory), and the file of its archive. */
char *roundoff_scenario(const roundoff_problem *p, size_t members, int64_t stages);
void roundoff_path(char *path, size_t size, const char *directory, const roundoff_problem *p);

/* Run the members that are not in the archive yet; with force, all of them into a new one. PH_E_INTERRUPTED: the
 * others can be run later. PH_E_EXISTS: the archive is of something else. Otherwise errors of sweeps. */
ph_status roundoff_run(const char *directory, const roundoff_problem *p, size_t members, int64_t stages,
                       int threads, bool force, bench_watch *watch, ph_error *err);

/* ---- An ensemble ----------------------------------------------------------------------------------- */

/* A quantity at all points, for every member. */
typedef struct roundoff_series {
    char name[48];
    double *errors; /* (points, members): relative, signed; NaN for points that a member has not reached */
} roundoff_series;

typedef struct roundoff {
    char name[64], title[160], method[96];
    double h;
    int64_t stages;
    size_t members, points, quantities;
    double steps[ROUNDOFF_POINTS];               /* stages counted */
    roundoff_series series[ROUNDOFF_QUANTITIES]; /* energy first, constraint last */
    double cpu_seconds;                          /* of all members */
    double *largest_constraint;                  /* (members) |error| in all rows; NaN */
} roundoff;

/* Create an ensemble without errors yet, with points up to that many stages. */
ph_status roundoff_create(roundoff *r, const roundoff_problem *p, size_t members, int64_t stages,
                          ph_error *err);
/* Allocate the errors, all NaN; points, members and quantities are set. */
ph_status roundoff_make_room(roundoff *r, ph_error *err);
/* Read the archive, as far as it goes. The status of a member that failed. */
ph_status roundoff_collect(roundoff *r, const roundoff_problem *p, const char *directory, ph_error *err);
void roundoff_free(roundoff *r);

/* ---- What it says ---------------------------------------------------------------------------------- */

typedef struct roundoff_moments {
    size_t n;
    double rms, mean, error, largest; /* error: standard error of the mean; NaN for fewer than two members */
} roundoff_moments;

/* The moments of a series at a point. */
roundoff_moments roundoff_at(const roundoff *r, const roundoff_series *s, size_t point);

typedef enum roundoff_verdict {
    ROUNDOFF_UNKNOWN, /* too few members or points */
    ROUNDOFF_STAYS,   /* does not grow, or is no larger than rounding */
    ROUNDOFF_WALKS,   /* like the square root of the steps, and no mean beyond two standard errors */
    ROUNDOFF_DRIFTS,  /* grows, with a mean beyond two standard errors */
    ROUNDOFF_GROWS    /* otherwise */
} roundoff_verdict;

typedef struct roundoff_finding {
    double from; /* the first point of the fit [stages] */
    double slope,
        slope_error; /* of log rms against log steps by least squares; its error from resampled members */
    double scale;    /* rms about scale sqrt(steps) there */
    roundoff_moments end; /* at the last point that half of the members have reached */
    double end_steps;
    roundoff_verdict verdict;
} roundoff_finding;

/* From 10^6 steps on, or over the last two decades of shorter ones. */
roundoff_finding roundoff_find_growth(const roundoff *r, const roundoff_series *s);
const char *roundoff_word(roundoff_verdict verdict);

#endif
