/* SPDX-License-Identifier: BSD-3-Clause */
/* Small algebra, inline: vectors of 3 numbers and 3x3 matrices, the unit sphere, rotations. This header
 * includes all three. */
#ifndef POLHODE_ALGEBRA_H
#define POLHODE_ALGEBRA_H

#include <polhode/kit/rotation.h>
#include <polhode/kit/sphere.h>
#include <polhode/kit/vector.h>

#endif
