/* SPDX-License-Identifier: BSD-3-Clause */
/* A system of formulas with more than a definition of formula.h has: momenta by names, generators as formulas, and parts
 * of a scene. */
#ifndef PH_FORMULA_BUILD_H
#define PH_FORMULA_BUILD_H

#include "lib/scene/list.h"

#include <polhode/domain/formula.h>

/* As ph_symmetry; a generator is a vector formula in the layout of momenta. */
typedef struct ph_formula_symmetry {
    const char *name, *text, *unit;
    double axis[3];
    const char *generator; /* nullable */
} ph_formula_symmetry;

typedef struct ph_formula_more {
    const ph_formula_symmetry *symmetries; /* (n_symmetries), after those of the definition */
    size_t n_symmetries;
    const ph_part_list *parts; /* nullable */
} ph_formula_more;

/* ph_formula_system_create with this, too. more, found: nullable. */
ph_status ph_formula_system_build(const ph_formula_definition *definition, const ph_formula_more *more,
                                  ph_system **system, ph_formula_found *found, ph_error *err);

#endif
