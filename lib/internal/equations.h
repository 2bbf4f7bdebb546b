/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulations of the continuous equations, one file each; field.c lists them. */
#ifndef PH_INTERNAL_EQUATIONS_H
#define PH_INTERNAL_EQUATIONS_H

#include <polhode/equations.h>

extern const ph_field ph_field_q_qdot;
extern const ph_field ph_field_q_omega;

/* What they share: y = (q, v) with v in the tangent planes (omega is perpendicular to q like a velocity). */
static inline size_t ph_field_spheres(const ph_system *system)
{
    return ph_space_factors(ph_system_space(system));
}

size_t ph_field_pair_size(const ph_system *system);
ph_status ph_field_pair_project(const ph_system *system, double *y);

#endif
