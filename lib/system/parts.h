/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a definition: their check and their copies. */
#ifndef PH_INTERNAL_PARTS_H
#define PH_INTERNAL_PARTS_H

#include <polhode/definition.h>

/* Is the factor a place in space, where the system has no points of its own? */
static inline bool ph_factor_is_place(const ph_factor_place *f)
{
    return (f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED) && f->nz <= 3;
}

/* Points that parts may name: the system's own, or else the factors that are places. */
size_t ph_parts_points(const ph_space *space, size_t own);
/* Are the points of the system those of a callback of its definition? */
bool ph_system_has_own_points(const ph_system *s);
/* PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE: the message names the part, counted from 0. own: the points of the
 * system (ph_system_points). */
ph_status ph_parts_check(const ph_system_definition *d, const ph_space *space, size_t own, ph_error *err);
/* n_parts of a definition for whose parts there was no memory: copying them fails. */
#define PH_PARTS_REFUSED ((size_t)-1)
/* *parts <- a copy (one block, free) with the names; NULL without parts. False without memory. */
bool ph_parts_copy(const ph_system_definition *d, ph_scene_part **parts);

#endif
