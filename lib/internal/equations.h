/* SPDX-License-Identifier: BSD-3-Clause */
/* The formulations of the continuous equations, one file each; field.c lists them. */
#ifndef PH_INTERNAL_EQUATIONS_H
#define PH_INTERNAL_EQUATIONS_H

#include <polhode/equations.h>

extern const ph_field ph_field_q_qdot;
extern const ph_field ph_field_q_omega;

#endif
