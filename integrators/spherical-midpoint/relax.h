/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours as slots.c lists them and relax.c reads them. */
#ifndef PH_INTEGRATORS_SPHERICAL_MIDPOINT_RELAX_H
#define PH_INTEGRATORS_SPHERICAL_MIDPOINT_RELAX_H

#include "lanes.h"
#include "midpoint.h"

/* Bonds of one group as seen from each spin, in words: of four spins where all have `degree` neighbours, or lack one, these, one of
 * each spin after the other: a slot, from which on theirs are in order, or BROKEN and four slots. Else how many each has, and then
 * those of each. */
struct ph_midpoint_group {
    ph_bond_kind kind;
    double axis[3], c;
    const uint32_t *begin;     /* (fours) */
    const uint32_t *degree;    /* (fours) how many, or DIFFERENT */
    const uint32_t *word;      /* neighbours */
    const uint32_t *weight_at; /* (fours) */
    const double *weight;      /* their coefficients, 0 of one that lacks; NULL: c for all */
};

static const uint32_t DIFFERENT = UINT32_MAX, BROKEN = UINT32_MAX;
/* At most so many fours, of one half, are relaxed at once: none waits for the roots and quotients of another. */
enum { BLOCK = 4 };

/* r->B, if there is one, <- by slots, with a control (3). */
void ph_midpoint_relax_field(const ph_midpoint_relaxation *r, const ph_spins *is, const double *control);

#endif
