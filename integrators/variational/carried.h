/* SPDX-License-Identifier: BSD-3-Clause */
/* What is carried of links on a rigid body (carried.c). */
#ifndef PH_INTEGRATORS_VARIATIONAL_CARRIED_H
#define PH_INTEGRATORS_VARIATIONAL_CARRIED_H

#include "integrators/shared/carried.h"
#include "integrators/shared/compositions.h"

enum { GUESSES = 4 };

typedef struct carried_carry {
    double *h, *count;  /* (1) what the history is stamped with, 0: there is none; pulls and turns in it */
    double *last;       /* (1) the last step [s] */
    double *U, *U_low;  /* (3n) velocities in the middle of the last step, low-order part */
    double *M, *M_low;  /* (3) */
    double *A, *tau;    /* (3n), (3) at the configuration */
    double *z_low;      /* (nz) */
    double *lambda, *v; /* (GUESSES x n), (GUESSES x 3): the latest first */
} carried_carry;

/* n: factors of the links. */
static inline size_t carried_carry_size(size_t n)
{
    return 12 + CARRIED_BODY + 12 * n + GUESSES * (n + 3);
}

static inline carried_carry carried_carry_of(size_t n, double *c)
{
    const size_t m = 3 * n, nz = CARRIED_BODY + m;
    return (carried_carry){.h = c,
                           .count = c + 1,
                           .last = c + 2,
                           .M = c + 3,
                           .M_low = c + 6,
                           .tau = c + 9,
                           .U = c + 12,
                           .U_low = c + 12 + m,
                           .A = c + 12 + 2 * m,
                           .z_low = c + 12 + 3 * m,
                           .lambda = c + 12 + 3 * m + nz,
                           .v = c + 12 + 3 * m + nz + GUESSES * n};
}

/* Of a guess from so many steps of one size. */
static const double carried_weights[GUESSES][GUESSES] = {{1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};

/* v <- the turn that is guessed from `many` before, the latest first, in this stage or NULL. */
INLINE void carried_guess_turn(const ph_stage *stage, size_t many, const double *before, double v[3])
{
    const double *of = stage ? stage->increments[many - 1] : carried_weights[many - 1];
    for (size_t k = 0; k < 3; k++) {
        v[k] = 0;
        for (size_t j = 0; j < many; j++)
            v[k] += of[j] * before[3 * j + k];
    }
}

/* The equations of a step in the scratch of carried.c. */
const carried_step *ph_carried_equations(const void *work);

#endif
