/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of one model that differ in how many parts they have: chains of n links. */
#ifndef POLHODE_BENCH_FAMILY_H
#define POLHODE_BENCH_FAMILY_H

#include "contender.h"

typedef struct family {
    const ph_model *model;
    const ph_parameter *count; /* the parameter that says how many: links, bodies, ... */
    const ph_preset *preset;   /* `hanging`, where there is one, else the model's first */
    int tilted;                /* the preset is disturbed: see family_build */
    double rates[2];           /* [rad/s] fastest small oscillation at FAMILY_SMALL and FAMILY_LARGE */
} family;

enum { FAMILY_SMALL = 50, FAMILY_LARGE = 100 };

/* One of them, at its start. */
typedef struct member {
    size_t n;
    ph_system *system;
    double *z, *p;
    double h;       /* [s] step at which its fastest oscillation is resolved */
    double seconds; /* of CPU, it took to be built */
    double bytes;   /* by which the process has grown; 0 where that cannot be told */
} member;

/* The model of that name as a family. PH_E_UNKNOWN (suggests), PH_E_UNSUPPORTED where it has no parameter that
 * counts. */
ph_status family_find(family *f, const char *model, ph_error *err);

/* m <- the one with n parts: all parameters by default, so that links keep their length and the whole grows. At
 * rest; from `hanging` factor i (0 to n - 1) is turned by 0.1 rad about an axis that turns by half a turn about
 * the vertical from the first to the last, a smooth spatial curve. The step is 0.02 over the fastest rate of
 * small oscillations, which is computed up to FAMILY_LARGE parts; beyond, it follows the power law between
 * FAMILY_SMALL and that: the computation is dense. PH_E_SINGULAR where there is no such rate; then, or to have
 * another step, give h > 0. */
ph_status family_build(member *m, family *f, size_t n, double h, ph_error *err);
void member_free(member *m);
motion member_motion(const member *m);

#endif
