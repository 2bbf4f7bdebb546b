/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves of spins. */
#ifndef PH_INTEGRATORS_SPIN_HALVES_H
#define PH_INTEGRATORS_SPIN_HALVES_H

#include <polhode/domain/spins.h>

/* half (n) <- 0 or 1, so that bonds are between the halves where that is possible (a bipartite graph, by union and find with
 * parities); the first spin of each connected part is in half 0. axial: bonds along an axis, too. With bonds of all pairs there is
 * one half. parent (n), room (2n): what is in them does not matter. */
void ph_spin_halves(const ph_spins *is, bool axial, uint32_t *parent, unsigned char *room,
                    unsigned char *half);

#endif
