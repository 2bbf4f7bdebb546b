/* SPDX-License-Identifier: BSD-3-Clause */
/* Uniform gravity with the acceleration G: a frame, the symmetries, and the potential of anything that
 * consists of rigid pieces, which is linear in z: U = dU . z. */
#ifndef PH_INTERNAL_GRAVITY_H
#define PH_INTERNAL_GRAVITY_H

#include <stdbool.h>

#include <polhode/models.h>

/* Are all n numbers 0? */
bool ph_all_zero(size_t n, const double *x);

/* Right-handed frame (along, down x along, down) of unit vectors; down is along gravity, or -e3 where
 * there is none. */
void ph_gravity_frame(const double G[3], double along[3], double across[3], double down[3]);

/* The same for pendula in a row along e1. Of the directions perpendicular to down, `back` is the one nearest
 * to -e1 (if there is one), and `side` is perpendicular to both. */
void ph_gravity_row_frame(const double G[3], double back[3], double side[3], double down[3]);

/* q <- along down (sense 1) or against it (-1), or 30 degrees from there towards the unit vector `aside`
 * (nullable), which is perpendicular to down. */
void ph_gravity_row_lean(const double down[3], const double *aside, double sense, double q[3]);

/* The rotations of the whole that leave gravity as it is: about its axis, or about any (e1, e2, e3) where
 * there is none. Returns their number; the strings are static. */
size_t ph_gravity_symmetries(const double G[3], ph_symmetry symmetries[3]);

/* Those of them that leave a row of pivots along e1 as it is, too, whose pendula feel each other
 * (coupled): the ones about e1; or else all of them. */
size_t ph_gravity_row_symmetries(const double G[3], bool coupled, ph_symmetry symmetries[3]);

/* PH_E_INVALID, with the reason, unless gravity is along e3 (or none). */
ph_status ph_gravity_check_vertical(const ph_parameter_value *gravity, const char *reason, ph_error *err);

/* The user block of the two callbacks; freed with free. */
typedef struct ph_weight {
    size_t nz;
    double dU[]; /* (nz) */
} ph_weight;

ph_weight *ph_weight_create(size_t nz); /* zeros; NULL without memory */
ph_status ph_weight_potential(void *user, const double *z, double *U);
ph_status ph_weight_gradient(void *user, const double *z, double *dU);

#endif
