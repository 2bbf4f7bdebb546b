/* SPDX-License-Identifier: BSD-3-Clause */
/* What a system of formulas has besides its energy. */
#ifndef PH_FORMULA_FORCES_H
#define PH_FORMULA_FORCES_H

#include "system.h"

ph_status ph_formula_read_forces(ph_formula_builder *b);      /* and dissipation */
ph_status ph_formula_read_constraints(ph_formula_builder *b); /* on velocities */
ph_status ph_formula_read_points(ph_formula_builder *b);      /* and lines between them (scene.c) */
ph_status ph_formula_read_symmetries(ph_formula_builder *b);  /* which are tried at some states */

#endif
