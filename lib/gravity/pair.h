/* SPDX-License-Identifier: BSD-3-Clause */
/* Two bodies under mutual gravity, prepared for one order of the series: closed forms up to order 4 (pair-closed.h), above the
 * operator form of a fixed order (pair-operator.h). Nothing is taken from the heap. */
#ifndef PH_GRAVITY_PAIR_H
#define PH_GRAVITY_PAIR_H

#include "figure.h"

#include <polhode/domain/gravitation.h>

/* Where an evaluation puts its numbers: the force on B in space, the torques in the frames of the bodies, the energy. */
typedef struct ph_pair_result {
    double *force, *torque_a, *torque_b; /* (3) */
    double *U;                           /* nullable */
} ph_pair_result;

typedef struct ph_pair ph_pair;

/* *out <- what both do to each other: x (3) from A to B in space, Ra, Rb (9) body to space; Ra, Rb are not read of a point.
 * Not finite where x = 0. */
typedef void ph_pair_evaluate(const ph_pair *p, unsigned parts, const double *x, const double *Ra,
                              const double *Rb, const ph_pair_result *out);

struct ph_pair {
    int order;
    ph_figure_sort sort_a, sort_b;
    double G, gm_a, gm_b, strength; /* G m_A, G m_B, G m_A m_B */
    const ph_figure *a, *b;         /* NULL of a point */
    ph_pair_evaluate *evaluate;
};

/* *pair <- two bodies of these masses and figures, terms up to this order. The figures remain the caller's. */
void ph_pair_prepare(double G, size_t order, double mass_a, ph_figure_sort sort_a, const ph_figure *a,
                     double mass_b, ph_figure_sort sort_b, const ph_figure *b, ph_pair *pair);

/* The masses alone: a ph_pair_evaluate for any two bodies. */
ph_pair_evaluate ph_pair_points;

#endif
