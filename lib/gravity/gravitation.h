/* SPDX-License-Identifier: BSD-3-Clause */
/* What a description of bodies under mutual gravity is made of (polhode/gravitation.h). */
#ifndef PH_GRAVITY_GRAVITATION_H
#define PH_GRAVITY_GRAVITATION_H

#include <polhode/gravitation.h>

typedef struct ph_gravitating {
    ph_mass mass;
    size_t attitude; /* factor SO(3), or PH_NO_INDEX */
} ph_gravitating;

struct ph_gravitation {
    size_t n, places, attitudes, order;
    double G;
    bool relative;
    double *inertia;       /* (places) */
    ph_gravitating body[]; /* (n) */
};

#endif
