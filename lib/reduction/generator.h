/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators of symmetries as tangent vectors in ambient coordinates. */
#ifndef PH_REDUCTION_GENERATOR_H
#define PH_REDUCTION_GENERATOR_H

#include <polhode/system.h>

/* y <- Z x, Z^T = -Z: every 3-vector of x turned about the axis, in the plane by the axis's third component. */
void ph_turn_about(const ph_space *space, const double axis[3], const double *x, double *y);

/* zeta (nz) <- the generator of symmetry i at z, whether it is given by an axis or by a callback. work
 * (ph_space_momenta). A callback's status. */
ph_status ph_generator_at(const ph_system *s, size_t i, const double *z, double *zeta, double *work);

#endif
