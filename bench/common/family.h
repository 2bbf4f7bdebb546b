/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of one model that differ in their number of parts: chains of n links, of n spins. */
#ifndef POLHODE_BENCH_FAMILY_H
#define POLHODE_BENCH_FAMILY_H

#include "contender.h"

typedef struct family {
    const ph_model *model;
    const ph_parameter *count; /* the parameter that is the number of links, bodies, ... */
    const ph_preset *preset; /* `hanging`, `circle` or `random`, where there is one, else the model's first */
    int tilted;              /* the preset is perturbed: see family_build */
    double rates[2];         /* [rad/s] fastest small oscillation at FAMILY_SMALL and FAMILY_LARGE */
} family;

enum { FAMILY_SMALL = 50, FAMILY_LARGE = 100 };

/* A member of a family, at its start. */
typedef struct member {
    size_t n;
    /* n; or the number of spins (a lattice has n times its other sides), or of links (a tree has n levels) */
    size_t parts;
    ph_system *system;
    double *z, *p;
    double turn;    /* [rad/s] the fastest at the start; NaN of spins */
    double h;       /* [s] step at which its fastest oscillation, or turn, is resolved */
    double seconds; /* [s of CPU] that building it took */
    double bytes;   /* by which the process has grown; 0 where that is not known */
} member;

/* f <- the model of that name as a family. PH_E_UNKNOWN (suggests a name), PH_E_UNSUPPORTED where no
 * parameter is a number of parts. */
ph_status family_find(family *f, const char *model, ph_error *err);

/* m <- the member with n parts: all other parameters have their defaults, so that links keep their length and
 * the whole grows. At rest; from `hanging`, factor i (0 to n - 1) is turned by 0.1 rad about an axis that
 * turns by half a turn about the vertical from the first to the last, which makes a smooth spatial curve. The
 * step is 0.02 divided by the fastest rate of small oscillations, or that of a turn at the start, if that is faster. The
 * former is computed up to FAMILY_LARGE parts and extrapolated by a power law from FAMILY_SMALL and FAMILY_LARGE beyond. Of
 * spins it is the fastest at which one of them turns in the field that the others make at the start, |dH/ds_i|/|Gamma_i|,
 * of any number.
 * PH_E_SINGULAR where there is no such rate; h > 0 sets the step instead. */
ph_status family_build(member *m, family *f, size_t n, double h, ph_error *err);
void member_free(member *m);
motion member_motion(const member *m);

/* The fastest turn of a factor [rad/s]; w: room for the angular velocities (ph_space_algebra). */
double fastest_turn(const ph_space *space, const double *z, const double *zdot, double *w);

#endif
