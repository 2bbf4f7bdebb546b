/* SPDX-License-Identifier: BSD-3-Clause */
/* Surfaces thinned for figures. */
#ifndef PH_GRAVITY_THIN_H
#define PH_GRAVITY_THIN_H

#include <stdbool.h>

#include <polhode/domain/mass.h>

/* *thin <- a copy of the surface, of at most so many triangles, one block to be freed; NULL of NULL, of one with numbers that are not
 * finite or vertices that do not exist, and of one that has no triangle of any size. False without memory. */
bool ph_mesh_thin(const ph_mesh *mesh, size_t most, ph_mesh **thin);

#endif
