/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a definition: their check and their copies. */
#ifndef PH_INTERNAL_PARTS_H
#define PH_INTERNAL_PARTS_H

#include <polhode/definition.h>
#include <polhode/domain/scene.h>

/* Is the factor a place in space, where the system has no points of its own? */
static inline bool ph_factor_is_place(const ph_factor_place *f)
{
    return (f->kind == PH_FACTOR_R || f->kind == PH_FACTOR_EMBEDDED) && f->nz <= 3;
}

/* What parts refer to by their indices. */
typedef struct ph_parts_stage {
    const ph_space *space;         /* whose factors, or NULL: */
    const ph_scene_factor *listed; /* (factors) */
    size_t factors, points;
    const char *none; /* what stands for no index, in messages */
} ph_parts_stage;

/* Points that parts may name: the system's own, or else the factors that are places. */
size_t ph_parts_points(const ph_space *space, size_t own);
/* Are the points of the system those of a callback of its definition? */
bool ph_system_has_own_points(const ph_system *s);
/* Part number i: PH_E_INVALID, PH_E_NOT_FINITE, PH_E_RANGE; the message names it, counted from 0. */
ph_status ph_part_check(const ph_parts_stage *stage, size_t i, const ph_scene_part *part, ph_error *err);
/* Has that kind an end b, and no attitude? */
bool ph_part_has_end(ph_scene_kind kind);
/* All of a definition, likewise. own: the points of the system (ph_system_points). */
ph_status ph_parts_check(const ph_system_definition *d, const ph_space *space, size_t own, ph_error *err);
/* n_parts of a definition for whose parts there was no memory: copying them fails. */
#define PH_PARTS_REFUSED ((size_t)-1)
/* *parts <- a copy (one block, free) with the names; NULL without parts. False without memory. */
bool ph_parts_copy(const ph_system_definition *d, ph_scene_part **parts);

#endif
