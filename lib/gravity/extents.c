/* SPDX-License-Identifier: BSD-3-Clause */
/* The ellipsoid of inertia (polhode/domain/extents.h): J_a = (M/5)(b^2 + c^2) and so on, solved for the half-axes. */
#include <polhode/domain/extents.h>

#include <math.h>

void ph_mass_extents(const ph_mass *body, double R[9], double half_axes[3])
{
    ph_mass copy = *body;
    double J[3];
    ph_mass_principal(&copy, R, J); /* ascending moments: descending half-axes */
    for (int k = 0; k < 3; k++) {
        const double square = 2.5 * (J[(k + 1) % 3] + J[(k + 2) % 3] - J[k]) / body->moment[0];
        half_axes[k] = square > 0 ? sqrt(square) : 0;
    }
}
