/* SPDX-License-Identifier: BSD-3-Clause */
/* The rotation nearest to a matrix in the Frobenius norm (nearest-rotation.c), for rotation.c. */
#ifndef PH_SPACE_ROTATION_H
#define PH_SPACE_ROTATION_H

#include <stdbool.h>

/* Is there one, and only one? A: finite. */
bool ph_rotation_has_nearest(const double A[9]);

/* R <- the rotation nearest to it, to rounding; false where there is none, and R is unchanged. */
bool ph_rotation_find_nearest(double R[9]);

#endif
