/* SPDX-License-Identifier: BSD-3-Clause */
/* Joined bodies in scenes: their centres of mass x_parent + R_parent anchor - R joint, their ellipsoids of inertia with axes,
 * lines from the centre of mass to the joints, a mark at the pivot. */
#include "articulation.h"

#include <polhode/kit/vector.h>

#include "lib/scene/list.h"
#include "lib/scene/scene.h"
#include "lib/system/parts.h"

/* += sign R rho */
static bool add_lever(ph_scene_points_list *list, size_t k, size_t at, const double rho[3], double sign)
{
    bool fits = true;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            fits = fits && ph_scene_points_add(list, k, a, at + 3 * a + b, sign * rho[b]);
    return fits;
}

bool ph_articulated_points(const ph_system *system, ph_scene_points_list *list)
{
    static const double origin[3];
    const ph_articulation *a = ph_system_articulation(system);
    bool fits = true;
    for (size_t i = 0; i < list->n; i++) {
        const size_t parent = a->parent ? a->parent[i] : i ? i - 1 : PH_NO_INDEX;
        ph_scene_points_from(list, i, parent, parent == PH_NO_INDEX ? a->anchor + 3 * i : origin);
        if (parent != PH_NO_INDEX)
            fits = fits && add_lever(list, i, 9 * parent, a->anchor + 3 * i, 1);
        fits = fits && add_lever(list, i, 9 * i, a->joint + 3 * i, -1);
    }
    return fits;
}

static void add_rod(ph_part_list *list, size_t body, const double to[3], double radius)
{
    if (to[0] == 0 && to[1] == 0 && to[2] == 0)
        return;
    ph_scene_part *line = ph_part_add(list, PH_SCENE_LINE, body, PH_NO_INDEX);
    ph_part_end(line, body, body, to[0], to[1], to[2]);
    line->size[0] = radius;
}

bool ph_articulated_parts(const ph_system *system, const double *down, ph_part_list *list)
{
    const ph_articulation *a = ph_system_articulation(system);
    bool hangs = false;
    if (ph_system_has_own_points(system))
        return false;
    for (size_t i = 0; i < ph_space_factors(ph_system_space(system)); i++) {
        const size_t parent = a->parent ? a->parent[i] : i ? i - 1 : PH_NO_INDEX;
        if (parent == PH_NO_INDEX && ph_norm3(a->joint + 3 * i) > 0 && !hangs) {
            ph_part_mark(list, PH_NO_INDEX, down, "pivot");
            hangs = true;
        }
        const double size = ph_part_inertia(list, i, i, a->mass[i], a->inertia + 9 * i, 0);
        ph_part_add(list, PH_SCENE_AXES, i, i)->size[0] = 1.3 * size;
        add_rod(list, i, a->joint + 3 * i, 0.04 * size);
        if (parent != PH_NO_INDEX)
            add_rod(list, parent, a->anchor + 3 * i, 0.04 * size);
    }
    return true;
}
