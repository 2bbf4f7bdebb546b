/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of scenes of bodies under mutual gravity: their surfaces where these are known, else their ellipsoids of inertia. */
#include "kind.h"
#include "lib/scene/list.h"

#include <polhode/domain/extents.h>
#include <polhode/kit/vector.h>

#include <math.h>
#include <string.h>

/* The factor of an attitude, which are numbered among those of SO(3). */
static size_t attitude_factor(const ph_space *space, size_t attitude)
{
    for (size_t i = 0; attitude != PH_NO_INDEX && i < ph_space_factors(space); i++)
        if (ph_space_factor(space, i)->kind == PH_FACTOR_SO3 && attitude-- == 0)
            return i;
    return PH_NO_INDEX;
}

/* The surface of a body, in true size; false where none is known. */
static bool add_shape(ph_part_list *list, const ph_mesh *mesh, size_t point, size_t frame,
                      ph_scene_part **part)
{
    double largest = 0;
    for (size_t i = 0; mesh && i < mesh->vertices; i++)
        largest = fmax(largest, ph_norm3(mesh->vertex + 3 * i));
    if (!(largest > 0 && isfinite(largest)))
        return false;
    *part = ph_part_size(ph_part_add(list, PH_SCENE_MESH, point, frame), largest, 0, 0);
    (*part)->mesh = mesh;
    return true;
}

/* Bodies under mutual gravity: their places are the points of the scene. Those that are too small to be seen next to the largest
 * have a mark, too. */
bool ph_gravitating_parts(const ph_system *system, const double *down, ph_part_list *list)
{
    enum { SMALL = 50 };
    const ph_gravitation *g = ph_system_gravitation(system);
    const ph_space *space = ph_system_space(system);
    const ph_mass *central = ph_gravitation_central(g);
    (void)down;
    double R[9], half[3], largest = central ? central->radius : 0;
    for (size_t i = 0; i < ph_gravitation_bodies(g); i++)
        largest = fmax(largest, ph_gravitation_mass(g, i)->radius);
    for (size_t i = 0; i < ph_gravitation_bodies(g); i++) {
        const ph_mass *mass = ph_gravitation_mass(g, i);
        const size_t attitude = attitude_factor(space, ph_gravitation_attitude(g, i));
        double size = 0;
        ph_scene_part *shape;
        ph_mass_extents(mass, R, half);
        if (attitude != PH_NO_INDEX && add_shape(list, ph_gravitation_shape(g, i), i, attitude, &shape))
            size = shape->size[0] / 1.2;
        else if (half[0] > 0 && half[2] > 0 && attitude != PH_NO_INDEX)
            size = ph_part_inertia(list, i, attitude, mass->moment[0], mass->J, 0);
        else
            ph_part_add(list, PH_SCENE_BALL, i, PH_NO_INDEX)->size[0] = fmax(mass->radius, half[0]);
        if (size > 0)
            ph_part_add(list, PH_SCENE_AXES, i, attitude)->size[0] = 1.5 * size;
        if (size > 0 && SMALL * size < largest)
            ph_part_add(list, PH_SCENE_BALL, i, PH_NO_INDEX)->name = "mark";
    }
    if (central) {
        ph_gravitation_central_attitude(g, 0, R);
        ph_mass_extents(central, R, half);
        ph_scene_part *body;
        if (add_shape(list, ph_gravitation_shape(g, ph_gravitation_bodies(g)), PH_NO_INDEX, PH_NO_INDEX,
                      &body)) {
            memcpy(body->R, R, sizeof R);
            body->name = "central body";
            return true;
        }
        body = ph_part_add(list, half[0] > 0 ? PH_SCENE_ELLIPSOID : PH_SCENE_BALL, PH_NO_INDEX, PH_NO_INDEX);
        if (half[0] > 0)
            memcpy(body->R, R, sizeof R);
        memcpy(body->size, half, sizeof half);
        body->size[0] = half[0] > 0 ? half[0] : central->radius;
        body->name = "central body";
    }
    return true;
}
