/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform gravity with the acceleration G: a frame, the symmetries, and what tells these. */
#ifndef PH_INTERNAL_GRAVITY_H
#define PH_INTERNAL_GRAVITY_H

#include "model.h"

/* Are all n numbers 0? */
bool ph_all_zero(size_t n, const double *x);
/* Do turns about the unit vector leave v as it is? */
bool ph_is_along(const double axis[3], const double v[3]);

/* Right-handed frame (along, down x along, down) of unit vectors; down is along gravity, or -e3 where
 * there is none. */
void ph_gravity_frame(const double G[3], double along[3], double across[3], double down[3]);

/* The rotations of the whole that leave gravity as it is: about its axis, or about any (e1, e2, e3) where
 * there is none. Returns their number; the strings are static. */
size_t ph_gravity_symmetries(const double G[3], ph_symmetry symmetries[3]);

/* PH_E_INVALID, with the reason, unless gravity is along e3 (or none). */
ph_status ph_gravity_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err);

#endif
