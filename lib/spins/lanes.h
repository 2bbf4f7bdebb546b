/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of spins in lanes (lanes.c). wide: may they use AVX? The bits are the same. */
#ifndef PH_SPINS_LANES_H
#define PH_SPINS_LANES_H

#include "spins.h"

/* g (3 (end - begin)) -= what neighbours add to the spins from begin to end: weight (sum of r - s), or
 * weight (sum of r). Behind a spin that is not the last of all, g's next number is read and written,
 * unchanged. */
void ph_spin_lanes_add_runs(bool wide, const ph_spin_runs *runs, bool differences, size_t spins,
                            const double *z, size_t begin, size_t end, double *g);
/* g (3n) += M (3 x 3) of each of s (3n). */
void ph_spin_lanes_map(bool wide, const double *M, size_t n, const double *s, double *g);
/* T (3n) <- g x s. T does not overlap g. */
void ph_spin_lanes_cross(bool wide, size_t n, const double *g, const double *s, double *T);
/* g (3n) += the gradient of vortices, each with each, by differences of spins. */
void ph_spin_lanes_add_vortices(bool wide, const ph_spins *is, double coefficient, double core,
                                const double *z, double *g);

#endif
