/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a system that is seen from a turning frame (polhode/domain/routh.h): the phase with locked inertia and amended
 * potential, and the invariants of its shape. */
#ifndef PH_RUN_REDUCED_H
#define PH_RUN_REDUCED_H

#include <polhode/columns.h>
#include <polhode/system.h>

/* phase, locked_inertia, amended_potential, azimuth */
enum { PH_REDUCED_NUMBERS = 4 };

/* How many invariants the shape has: of n vectors (S^2, R^3, the three columns of a rotation) the components along
 * the axis, and for each pair from different factors a product and a triple product with the axis. 0 of a system that is
 * not reduced. */
size_t ph_shape_count(const ph_system *system);
/* name (PH_COLUMN_NAME) <- of invariant `at`: along1, dot1_2, twist1_2. */
void ph_shape_name(const ph_system *system, size_t at, char *name);
/* shape (ph_shape_count) <- at z. */
void ph_shape_at(const ph_system *system, const double *z, double *shape);

/* The name of reduced number `at`, and its unit. */
const char *ph_reduced_name(size_t at, const char **unit);
/* Doubles of scratch for the next. */
size_t ph_reduced_work(const ph_system *system);
/* values (PH_REDUCED_NUMBERS) <- at z with momentum p. NaN where the whole is on the axis. */
void ph_reduced_at(const ph_system *system, const double *z, const double *p, double *values, double *work);

#endif
