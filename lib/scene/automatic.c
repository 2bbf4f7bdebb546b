/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a system that states none: those of its kind (ph_structure.add_parts), or else what follows from its factors: balls at
 * points, a globe with an arrow to each S^2 or spin, arrows to S^1, axes and the ellipsoid of inertia of each SO(3). */
#include <polhode/kit/vector.h>

#include "lib/system/evaluation.h"
#include "lib/system/parts.h"
#include "lib/system/structure.h"
#include "list.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A system, its space, how many points it has, and its parts so far. */
typedef struct heap {
    const ph_system *system;
    const ph_space *space;
    size_t points;
    double down[3]; /* 0 without gravity */
    ph_part_list list;
} heap;

static ph_scene_part *add(heap *h, ph_scene_kind kind, size_t point, size_t frame)
{
    return ph_part_add(&h->list, kind, point, frame);
}

static void add_axes(heap *h, size_t point, size_t frame, double length)
{
    add(h, PH_SCENE_AXES, point, frame)->size[0] = length;
}

/* ---- Factors ----------------------------------------------------------------------------------- */

static void add_direction(heap *h, size_t factor)
{
    ph_part_end(add(h, PH_SCENE_ARROW, PH_NO_INDEX, PH_NO_INDEX), PH_NO_INDEX, factor, 1, 0, 0);
}

bool ph_scene_find_tensor(const ph_system *system, size_t i, double J[9])
{
    const bool joined = ph_space_factors(ph_system_space(system)) > 1 && ph_structure_of(system)->apply;
    double found[9];
    if (joined || !ph_system_body_tensor(system, i, found) || !ph_all_finite(found, 9))
        return false;
    memcpy(J, found, sizeof found);
    return true;
}

/* Directions are about the origin, on one globe; attitudes are at the points, in their order, as far as there are
 * some, and then about the origin. */
static void add_factors(heap *h)
{
    const size_t n = ph_space_factors(h->space), points = h->points;
    size_t spheres = 0, turns = 0;
    for (size_t i = 0; i < n; i++)
        spheres += ph_space_factor(h->space, i)->kind == PH_FACTOR_S2 ||
                   ph_space_factor(h->space, i)->kind == PH_FACTOR_SPIN;
    for (size_t k = 0; k < points; k++)
        add(h, PH_SCENE_BALL, k, PH_NO_INDEX);
    if (!points && spheres)
        add(h, PH_SCENE_GLOBE, PH_NO_INDEX, PH_NO_INDEX)->size[0] = 1;
    for (size_t i = 0; i < n; i++) {
        const ph_factor_kind kind = ph_space_factor(h->space, i)->kind;
        if (!points && (kind == PH_FACTOR_S2 || kind == PH_FACTOR_SPIN || kind == PH_FACTOR_S1))
            add_direction(h, i);
        if (kind == PH_FACTOR_SO3) {
            const size_t at = turns < points ? turns : PH_NO_INDEX;
            double J[9];
            if (ph_scene_find_tensor(h->system, i, J) && J[0] > 0)
                ph_part_inertia(&h->list, at, i, 1, J, 1);
            add_axes(h, at, i, 1.3);
            turns++;
        }
    }
}

bool ph_scene_make_parts(ph_scene *s, const ph_system *system)
{
    heap h = {.system = system, .space = ph_system_space(system), .points = s->points.n};
    const ph_structure *of = ph_structure_of(system);
    if (of->gravity)
        memcpy(h.down, of->gravity(system), sizeof h.down);
    if (!of->add_parts || !of->add_parts(system, h.down, &h.list))
        add_factors(&h);
    s->parts = s->made = h.list.at;
    s->n_parts = h.list.n;
    return !h.list.failed;
}
