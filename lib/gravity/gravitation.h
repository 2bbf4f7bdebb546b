/* SPDX-License-Identifier: BSD-3-Clause */
/* What a description of bodies under mutual gravity is made of (polhode/gravitation.h). */
#ifndef PH_GRAVITY_GRAVITATION_H
#define PH_GRAVITY_GRAVITATION_H

#include "pair.h"

#include <polhode/gravitation.h>

typedef struct ph_gravitating {
    ph_mass mass;
    size_t attitude; /* factor SO(3), or PH_NO_INDEX */
    ph_figure_sort sort;
    const ph_figure *figure; /* NULL of a point */
} ph_gravitating;

struct ph_gravitation {
    size_t n, places, attitudes, order;
    double G;
    bool relative;
    bool wide;             /* may the wide kernels be used? */
    double *inertia;       /* (places) */
    size_t *point;         /* (points) bodies without a figure, */
    size_t points;         /* how many */
    ph_figure *figures;    /* of those that have one */
    ph_pair pair;          /* of two bodies */
    ph_gravitating body[]; /* (n) */
};

/* force (3 x places), torque (3 x attitudes), U (nullable) <- what the bodies do to each other. */
void ph_gravitation_pairs(const ph_gravitation *g, unsigned parts, const double *z, double *force,
                          double *torque, double *U);

#endif
