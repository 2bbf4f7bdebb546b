/* SPDX-License-Identifier: BSD-3-Clause */
/* Pendula in a row along e1: pivot i is at a i e1, and what hangs there at x_i = a i e1 + l_i q_i. */
#ifndef PH_MODELS_ROW_H
#define PH_MODELS_ROW_H

#include "model.h"

/* What the user block of such a model begins with. */
typedef struct ph_row {
    size_t n;
    double spacing;  /* a */
    double *length;  /* (n) l_i */
    double *inertia; /* (n) of q_i */
    double *weight;  /* (3 n) w_i, the part sum w_i . q_i of U */
} ph_row;

/* Sets n and the arrays, in a storage of 5 n numbers, whose end is returned. */
double *ph_row_lay(ph_row *row, size_t n, double *storage);

/* Callbacks, whose user is a block that begins with a row: U and dU <- of the weight alone; x (3 x n) <- x_i. */
ph_status ph_row_potential(void *user, const double *z, double *U);
ph_status ph_row_gradient(void *user, const double *z, double *dU);
ph_status ph_row_points(void *user, double t, const double *z, double *x);

/* Pendulum i: its rod, a ball of this name (nullable), a mark at its pivot, which gravity G leaves; and the beam that all hang from. */
void ph_row_draw(const ph_row *row, size_t i, double thickness, double radius, const char *name,
                 const double G[3], ph_part_list *parts);
void ph_row_draw_beam(const ph_row *row, ph_part_list *parts);

/* Those rotations of ph_gravity_symmetries that leave the row as it is, too, whose pendula feel each other (coupled): the
 * ones about e1; or else all of them. */
size_t ph_row_symmetries(const double G[3], bool coupled, ph_symmetry symmetries[3]);

/* z, zdot <- at rest, all along gravity G, or against it where up (n, nullable) is true; but 30 degrees aside `beating`
 * the first, towards -e1 as far as that is horizontal, and `across` all, across that. */
enum { PH_ROW_BEATING, PH_ROW_HANGING, PH_ROW_ACROSS };
void ph_row_preset(size_t n, const double G[3], const bool *up, size_t which, double *z, double *zdot);

#endif
