/* SPDX-License-Identifier: BSD-3-Clause */
/* Links in scenes: the points x_parent + l q, lines with their tensions, a ball for each mass, a box for a cart or a mark at the
 * pivot. */
#include <polhode/kit/tensions.h>

#include "lib/scene/list.h"
#include "lib/scene/scene.h"
#include "lib/system/parts.h"
#include "tree.h"

bool ph_linkage_points(const ph_system *system, ph_scene_points_list *list)
{
    static const double origin[3];
    const ph_space *space = ph_system_space(system);
    const ph_linkage *l = ph_system_linkage(system);
    bool fits = true;
    for (size_t i = 0; i < list->n; i++) {
        const ph_factor_place *f = ph_space_factor(space, i);
        ph_scene_points_from(list, i, l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX, origin);
        for (unsigned k = 0; k < f->nz && k < 3; k++)
            fits =
                fits && ph_scene_points_add(list, i, k, f->z + k, f->kind == PH_FACTOR_R ? 1 : l->length[i]);
    }
    return fits;
}

bool ph_linkage_parts(const ph_system *system, const double *down, ph_part_list *list)
{
    const ph_space *space = ph_system_space(system);
    const size_t n = ph_space_factors(space), first = ph_space_factor(space, 0)->kind == PH_FACTOR_R ? 1 : 0;
    if (ph_system_has_own_points(system))
        return false;
    const double length =
        ph_part_links(list, ph_system_linkage(system), first, n, ph_system_has_tensions(system));
    if (first)
        ph_part_size(ph_part_add(list, PH_SCENE_BOX, 0, PH_NO_INDEX), 0.25 * length, 0.15 * length,
                     0.08 * length)
            ->name = "cart";
    else
        ph_part_mark(list, PH_NO_INDEX, down, "pivot");
    return true;
}
