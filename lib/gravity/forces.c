/* SPDX-License-Identifier: BSD-3-Clause */
/* All that acts on bodies under mutual gravity (polhode/gravitation.h). */
#include "gravitation.h"

void ph_gravitation_forces(const ph_gravitation *g, unsigned parts, double t, const double *z, double *force,
                           double *torque, double *U)
{
    (void)t;
    ph_gravitation_pairs(g, parts, z, force, torque, U);
}
