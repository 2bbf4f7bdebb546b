/* SPDX-License-Identifier: BSD-3-Clause */
/* Energies of systems with velocity constraints over long times, at equal work: on the well-behaved ones and on those
 * where no method is known to do well. */
#ifndef POLHODE_BENCH_NONHOLONOMIC_H
#define POLHODE_BENCH_NONHOLONOMIC_H

#include <signal.h>

#include <polhode/polhode.h>

#include "bench/common/curve.h"
#include "bench/common/tenths.h"
#include "bench/common/watch.h"

enum { NONHOLONOMIC_CONTENDERS = 9 };

/* What is known of a system. */
typedef enum nonholonomic_class {
    CLASS_REVERSIBLE,     /* and near an integrable one: symmetric methods stay near the energy */
    CLASS_EXACT,          /* rows of constant length and no potential: order 2 conserves the energy exactly */
    CLASS_CHAOTIC,        /* the energy error walks */
    CLASS_NOT_REVERSIBLE, /* the motion is taken to itself by no reversal: symmetric methods drift */
    CLASS_AFFINE,         /* the constraint moves: the moving energy is conserved instead of the energy */
    CLASSES
} nonholonomic_class;

/* A system in its standard motion. */
typedef struct nonholonomic_case {
    const char *name, *words; /* for people */
    const char *scenario;     /* model and what differs from its defaults */
    double stage; /* [s] the time that one stage of a composition stands for: work is counted in these */
    nonholonomic_class class;
} nonholonomic_case;

size_t nonholonomic_cases(void);
const nonholonomic_case *nonholonomic_case_at(size_t i);

/* One method on one system. */
typedef struct nonholonomic_line {
    const char *label;
    ph_status status;   /* PH_OK, or why it ended early; PH_E_UNKNOWN: not in this build */
    double h, reached;  /* [s] */
    double first, last; /* largest |E - E0| in the first and in the last tenth, relative to |E0| */
    double drift;       /* mean of E in the last tenth less that in the first, likewise */
    double constraint;  /* largest relative constraint error */
    double cpu;         /* [s] for the whole run */
    curve energy;       /* relative */
} nonholonomic_line;

typedef struct nonholonomic {
    const nonholonomic_case *of;
    double energy; /* E0 [J], or the moving energy */
    double time;   /* of the runs [s] */
    nonholonomic_line lines[NONHOLONOMIC_CONTENDERS];
    size_t n;
} nonholonomic;

/* Runs the contenders on the case, each for so many stages. PH_E_INTERRUPTED: the lines so far are kept. */
ph_status nonholonomic_make(nonholonomic *r, const nonholonomic_case *of, int64_t stages, bench_watch *watch,
                            ph_error *err);

/* How the energy error behaves. */
growth nonholonomic_judge(const nonholonomic_line *l);

#endif
