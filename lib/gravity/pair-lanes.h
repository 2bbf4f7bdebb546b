/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of eight systems at once, which have the same bodies (pair.h): number k of system i is at 8 k + i, of x, R_A, R_B, the
 * force, the torques and U. */
#ifndef PH_GRAVITY_PAIR_LANES_H
#define PH_GRAVITY_PAIR_LANES_H

#include "pair.h"

/* Which vectors there may be. */
typedef enum ph_pair_width { PH_PAIR_ONE, PH_PAIR_FOUR, PH_PAIR_EIGHT } ph_pair_width;

/* What the processor has, unless plain kernels are asked for (ph_kernels). */
ph_pair_width ph_pair_widest(void);

/* The form for eight systems of a pair that has been prepared; parts without the shapes: of the masses alone. Each system gets
 * the bits that it gets alone. */
void ph_pair_evaluate_lanes(const ph_pair *p, ph_pair_width width, unsigned parts, const double *x,
                            const double *Ra, const double *Rb, const ph_pair_result *out);

/* In vectors of eight for AVX-512, and of four for AVX2. */
typedef ph_pair_evaluate *ph_pair_forms[PH_MASS_DEGREE + 1][PH_FIGURE_SORTS][PH_FIGURE_SORTS];
extern const ph_pair_forms ph_pair_forms_of_eight, ph_pair_forms_of_four;

#endif
