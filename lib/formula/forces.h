/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of formulas has besides its energy. */
#ifndef PH_FORMULA_FORCES_H
#define PH_FORMULA_FORCES_H

#include "builder.h"

ph_status ph_formula_read_forces(ph_formula_builder *b); /* and dissipation */
/* *factor <- that of the name, "q" or "q[2]"; NULL: there is none. */
ph_status ph_formula_find_factor(ph_formula_builder *b, const char *what, const char *text,
                                 const ph_formula_factor **factor);
/* f (nz) += a turn of the factor: tau x q on S1 and S2, of_body R S(tau) on SO3. */
void ph_formula_add_turn(ph_formula_builder *b, const ph_formula_factor *factor, const ph_expr *tau,
                         double of_body, ph_expr *f);
ph_status ph_formula_read_constraints(ph_formula_builder *b); /* on velocities */
ph_status ph_formula_read_points(ph_formula_builder *b);      /* and lines between them (scene.c) */
ph_status ph_formula_read_columns(ph_formula_builder *b);     /* and formulas of events (columns.c) */
ph_status ph_formula_label_factors(ph_formula_builder *b);    /* likewise */
/* Has the system no two columns of one name, and none of that of a factor? */
ph_status ph_formula_check_columns(const ph_formula_definition *d, const ph_system *system, ph_error *err);
ph_status ph_formula_read_bodies(ph_formula_builder *b);     /* of scenes; needs the inertia (scene.c) */
ph_status ph_formula_read_symmetries(ph_formula_builder *b); /* and generators (symmetries.c) */

/* b->spins <- the terms of *H of first and second degree as declared parts; *H <- what is left. The second derivative of that,
 * with what depends on time, becomes a tape. */
ph_status ph_formula_find_spins(ph_formula_builder *b, ph_expr *H, ph_expr in_time);

/* Is the constant inertia m (n x n) that of links with point masses, whose places are among the points? Then to.linkage
 * <- these, and *U, where it is linear, becomes its gravity. */
ph_status ph_formula_find_links(ph_formula_builder *b, const double *m, ph_expr *U);
/* Is U linear, and 0 at z = 0? slope (nz) <- its gradient. */
bool ph_formula_linear(ph_formula_builder *b, ph_expr U, double *slope);
/* Is MM (nz x nz) that of rigid bodies on ball joints, and U their gravity? Then to.articulation <- these (bodies.c). */
ph_status ph_formula_find_bodies(ph_formula_builder *b, const double *MM, ph_expr *U);
/* Is m in many blocks? Then to.inverse_inertia <- its inverse. */
ph_status ph_formula_find_net(ph_formula_builder *b, const double *m);

#endif
