/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a description under mutual gravity, each against each. */
#ifndef PH_GRAVITY_POINTS_H
#define PH_GRAVITY_POINTS_H

#include "gravitation.h"

/* force += what bodies without a figure do to each other, *U (nullable) += their energy. */
void ph_points_attract(const ph_gravitation *g, const double *z, double *force, double *U);

#endif
