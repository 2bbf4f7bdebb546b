/* SPDX-License-Identifier: BSD-3-Clause */
/* Classical spins on the sites of a lattice, as spin-chain and spin-lattice have them:
 *     H = -J sum_bonds (s_i.s_j + (Delta - 1) s_i3 s_j3) + sum_bonds D_a.(s_i x s_j) - K sum s_i3^2 - B . sum s_i,
 * the bond from i to j along the axis a of the lattice. */
#ifndef PH_MODELS_MAGNET_H
#define PH_MODELS_MAGNET_H

#include "lattice.h"
#include "model.h"

typedef struct ph_magnet {
    ph_lattice lattice;
    double J, delta, K;
    double field[3];
    double twist[3][3]; /* D of the bonds along each axis of the lattice */
    /* Gamma and lambda, one for all or one for each site */
    const ph_parameter_value *strengths, *damping;
} ph_magnet;

/* *system <- the system, with rotations about the axes that leave H as it is for symmetries, unless there is damping. The
 * energy is declared by parts. Errors of ph_system_create, PH_E_NO_MEMORY. */
ph_status ph_magnet_build(const ph_magnet *magnet, ph_system **system, ph_error *err);

/* *steepness <- l of a wall s_k3 = tanh l (k - c), cosh l = Delta + K/J: exact where K = 0, else in the limit of wide walls.
 * PH_E_RANGE where e3 is no easy axis. */
ph_status ph_magnet_steepness(double J, double delta, double K, double *steepness, ph_error *err);

/* The rows that both models have, in two groups, and what they say: *m <- with them, all else 0. exchange, field: the first rows of
 * the groups. */
#define PH_EXCHANGE_ROWS                                                                                     \
    PH_NUMBER("exchange", "J", PH_ANY, 1,                                                                    \
              "J of neighbours: they are parallel where J > 0, antiparallel where J < 0"),                   \
        PH_NUMBER("delta", "1", PH_ANY, 1,                                                                   \
                  "Delta: exchange of the components along e3 relative to the others (XXZ); 1: isotropic"),  \
        PH_NUMBER("anisotropy", "J", PH_ANY, 0,                                                              \
                  "K of -K s_3^2: e3 is an easy axis where K > 0, a hard one where K < 0")
#define PH_FIELD_ROWS                                                                                        \
    PH_VECTOR("field", "J", PH_ANY, 0, 0, 0, "B of -B.s: magnetic field times the moment of a spin"),        \
        PH_PER_BODY("strengths", "J s", PH_ANY, 1,                                                           \
                    "Gamma, angular momentum of a spin, of either sign but not 0"),                          \
        PH_PER_BODY("damping", "1/(J s)", PH_NOT_NEGATIVE, 0,                                                \
                    "lambda of Landau, Lifshitz and Gilbert: s' = ... + lambda s x (s x dH/ds)")
#define PH_SEED(text) PH_COUNT("seed", PH_FROM(0, 4294967295.), 1, text)
void ph_magnet_read(const ph_model_table *table, size_t exchange, size_t field, ph_magnet *m);

#endif
