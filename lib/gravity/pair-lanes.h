/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of eight systems at once (pair.h), which have the same bodies, or each its own (`each`): number k of system i is at
 * 8 k + i, of x, R_A, R_B, the force, the torques and U. */
#ifndef PH_GRAVITY_PAIR_LANES_H
#define PH_GRAVITY_PAIR_LANES_H

#include "pair.h"

/* Which vectors there may be. */
typedef enum ph_pair_width { PH_PAIR_ONE, PH_PAIR_FOUR, PH_PAIR_EIGHT } ph_pair_width;

/* What the processor has, unless plain kernels are asked for (ph_kernels). */
ph_pair_width ph_pair_widest(void);

/* The form for the first `count` of eight systems, and perhaps for others, of a pair that has been prepared; parts without the shapes:
 * of the masses alone. Each system gets the bits that it gets alone. */
void ph_pair_evaluate_lanes(const ph_pair *p, ph_pair_width width, size_t count, unsigned parts,
                            const double *x, const double *Ra, const double *Rb, const ph_pair_result *out);

/* Of one vector: eight systems for AVX-512, four for AVX2. */
typedef ph_pair_evaluate *ph_pair_forms[PH_MASS_DEGREE + 1][PH_FIGURE_SORTS][PH_FIGURE_SORTS];
extern const ph_pair_forms ph_pair_forms_of_eight, ph_pair_forms_of_four;

/* What closed forms take of eight figures, and of eight pairs. */
typedef double ph_pair_given[PH_GRAVITATION_LANES];
typedef struct ph_figure_each {
    ph_pair_given even[9], square[6], third[3][5], fourth[3][7];
} ph_figure_each;
typedef struct ph_pair_each {
    ph_figure_each a, b;
    ph_pair_given G, gm_a, gm_b, strength;
} ph_pair_each;

/* As ph_pair_evaluate; NULL where they are not of order 4 at most in the end. */
typedef void ph_pair_evaluate_each(const ph_pair_each *p, unsigned parts, const double *x, const double *Ra,
                                   const double *Rb, const ph_pair_result *out);
typedef ph_pair_evaluate_each *const ph_pair_forms_each[PH_MASS_DEGREE + 1][PH_FIGURE_SORTS][PH_FIGURE_SORTS];
extern const ph_pair_forms_each ph_pair_forms_each_of_eight, ph_pair_forms_each_of_four;

/* The place of system `at`. */
static inline ph_pair_result ph_pair_result_at(const ph_pair_result *out, size_t at)
{
    return (ph_pair_result){out->force + at, out->torque_a + at, out->torque_b + at,
                            out->U ? out->U + at : NULL};
}

#endif
