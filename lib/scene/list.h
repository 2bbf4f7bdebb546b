/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a scene (polhode/domain/parts.h) that are put together one after another: by models, and where none are stated. */
#ifndef PH_INTERNAL_PART_LIST_H
#define PH_INTERNAL_PART_LIST_H

#include <stdbool.h>

#include <polhode/definition.h>

typedef struct ph_part_list {
    ph_scene_part *at; /* (n) malloc */
    size_t n, room;
    bool failed; /* no memory for one of them: the list is not to be used */
    ph_scene_part spare;
} ph_part_list;

/* Another part of this kind, its place a the point or the frame or both (PH_NO_INDEX: none), the rest as in a part without
 * anything; valid until the next one. Without memory it is a spare one. */
ph_scene_part *ph_part_add(ph_part_list *list, ph_scene_kind kind, size_t point, size_t frame);
/* The other end of a line or an arrow, the offset in the frame. Returns the part. */
ph_scene_part *ph_part_end(ph_scene_part *part, size_t point, size_t frame, double x, double y, double z);
/* Where a is in its frame, or in space without one; the sizes. They return the part. */
ph_scene_part *ph_part_shift(ph_scene_part *part, double x, double y, double z);
ph_scene_part *ph_part_size(ph_scene_part *part, double a, double b, double c);
/* R <- turns the third axis of the part to the first or second one of its frame (axis 0 or 1). Returns the part. */
ph_scene_part *ph_part_lay(ph_scene_part *part, int axis);

/* A line and a ball for each of the links first, ..., n - 1, whose points have their numbers; tensions: with that of each as its
 * colour. Returns their mean length. */
double ph_part_links(ph_part_list *list, const ph_linkage *l, size_t first, size_t n, bool tensions);
/* A mark of this name at the place of a point (PH_NO_INDEX: the origin), the system leaving it in the direction d (3); NULL or 0:
 * no direction. Returns it. */
ph_scene_part *ph_part_mark(ph_part_list *list, size_t point, const double *d, const char *name);

/* The ellipsoid of inertia of J and a mass, in the frame; its largest half-axis is `largest`, if that is positive. Returns
 * that half-axis; 0, and there is no part, where the moments are those of no body. */
double ph_part_inertia(ph_part_list *list, size_t point, size_t frame, double mass, const double J[9],
                       double largest);

/* The parts of the list are those of the definition, unless a number of them overflows, as with extreme parameters, with
 * which a system should be created all the same; where there was no memory for them, there is none for the system
 * either (PH_E_NO_MEMORY). Free list->at when it has been used. */
void ph_part_give(const ph_part_list *list, ph_system_definition *definition);
/* ph_system_create of the definition with these parts; the list is freed. */
ph_status ph_part_create(ph_part_list *list, ph_system_definition *definition, ph_system **system,
                         ph_error *err);

#endif
