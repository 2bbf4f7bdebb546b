/* SPDX-License-Identifier: BSD-3-Clause */
/* What survives a step that is solved for in tangent coordinates: the momentum in the frame of the
 * surroundings (S = pi on S^2, R Pi on SO(3), p elsewhere) as a compensated sum S + low, the low-order part of
 * the configuration, and the last increments, from which the next one is guessed. */
#ifndef PH_INTEGRATORS_SHARED_CARRY_H
#define PH_INTEGRATORS_SHARED_CARRY_H

#include <stdbool.h>

#include "compositions.h"
#include "increments.h"

/* Increments that are kept. */
enum { PH_CARRY_HISTORY = 3 };

typedef struct ph_carry {
    double *h;     /* (1) stamp of the increments (ph_stage_stamp); 0: empty */
    double *count; /* (1) increments there are, at most PH_CARRY_HISTORY */
    double *S;     /* (np) */
    double *low;   /* (np) */
    double *z_low; /* (nz) low-order part of the configuration */
    /* (PH_CARRY_HISTORY x np) increments, the latest first: D on S^2 and embedded factors, else x */
    double *y;
    double *more; /* what the kernel keeps in addition */
} ph_carry;

/* Doubles in a carry for np momenta and nz coordinates, without more. */
size_t ph_carry_size(size_t np, size_t nz);
ph_carry ph_carry_at(double *carry, size_t np, size_t nz);
/* Are there increments of this stamp to go on from? */
bool ph_carry_is_warm(const ph_carry *c, double h);

/* The basis E at z, its rows on R^d and embedded factors times `length`; pE (nx) <- p.E. column (nz) is
 * scratch. */
void ph_carry_basis(const ph_space *space, const ph_part *parts, const double *z, const double *p,
                    double length, double *E, double *pE, double *column);
/* What length goes with a turn of one rad: that of the coordinates z of embedded factors, or that which has the same inertia A
 * (nx x nx); where nothing turns, that of ten first steps x (nx). Units of the user's do not matter then to what is a large
 * correction. */
double ph_carry_length(const ph_space *space, const ph_part *parts, const double *z, const double *A,
                       const double *x);
/* Where the carry is empty: c->S <- S0 (np), which becomes S of the momentum p at z. */
void ph_carry_begin(ph_carry *c, const ph_space *space, const ph_part *parts, const double *z,
                    const double *p, double *S0);
/* x (nx) <- the last increments extrapolated; stage: nullable. */
void ph_carry_guess(const ph_carry *c, const ph_stage *stage, const ph_space *space, const ph_part *parts,
                    const double *E, double *x);
/* S1 + low1 <- S + low + dS, exact by Knuth's two-sum; p1 <- S1 in the frame of each factor at z1. */
void ph_carry_add(const ph_carry *c, const ph_space *space, const ph_part *parts, const double *dS,
                  const double *z1, double *S1, double *low1, double *p1);
/* Keep what the step has found; h: the stamp of its history. */
void ph_carry_keep(ph_carry *c, const ph_space *space, const ph_part *parts, double h, const double *S1,
                   const double *low1, const double *D, const double *x);

/* |row|^2 of a factor's basis. */
static inline double ph_row_square(const ph_part *f, const double *row)
{
    double sum = 0;
    for (size_t k = 0; k < f->nz; k++)
        sum += row[k] * row[k];
    return sum;
}

#endif
