/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulations of the continuous equations, one file each; field.c lists them. */
#ifndef PH_INTERNAL_EQUATIONS_H
#define PH_INTERNAL_EQUATIONS_H

#include <stdbool.h>

#include <polhode/equations.h>

extern const ph_field ph_field_q_qdot;
extern const ph_field ph_field_q_omega;

/* What they share: y = (q, v) with v in the tangent planes (omega is perpendicular to q like a velocity). */
static inline size_t ph_field_spheres(const ph_system *system)
{
    return ph_space_factors(ph_system_space(system));
}

/* The equations on any product, for the two forms above: product.c. Work is what either wants. */
size_t ph_product_work(const ph_system *system);
ph_status ph_product_qdot(const ph_system *system, double t, const double *y, double *ydot, double *work);
ph_status ph_product_spin(const ph_system *system, double t, const double *y, double *ydot, double *work);

/* Is it (S^2)^n with a number for each pair? Its equations are written out in the files of the forms. */
bool ph_field_is_spheres(const ph_system *system);

size_t ph_field_pair_size(const ph_system *system);
ph_status ph_field_pair_project(const ph_system *system, double *y);

#endif
