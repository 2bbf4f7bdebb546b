/* SPDX-License-Identifier: BSD-3-Clause */
/* How large bodies are, for plots and viewers: the homogeneous ellipsoid with the same mass and inertia. */
#ifndef POLHODE_EXTENTS_H
#define POLHODE_EXTENTS_H

#include <polhode/domain/mass.h>

PH_BEGIN_DECLS

/** R (9), half_axes (3) <- the ellipsoid of inertia of a body about its centre of mass: its axes are the
 * columns of R in the frame of the body, a rotation, and half_axes [m] descend:
 * a^2 = 5 (J_b + J_c - J_a)/(2 M) of the principal moments. An ellipsoid has its own half-axes; a point has 0
 * and the identity; 0 where the moments are those of no body (J_c > J_a + J_b). Thread-safe; nothing
 * allocates. */
PH_API void ph_mass_extents(const ph_mass *body, double R[9], double half_axes[3]);

PH_END_DECLS
#endif
