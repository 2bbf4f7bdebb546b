/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a system in space: of a linkage its cart and its masses, x_i = x_parent + l_i q_i; of a tree of bodies
 * their centres of mass, x_i = x_parent + R_parent anchor_i - R_i joint_i; or what the definition says. And
 * whether what acts between them are forces along links. */
#include "parts.h"
#include "system.h"

#include <polhode/tensions.h>
#include <polhode/vector.h>

#include <string.h>

/* The own points of the system that takes forces are those of its root. */
size_t ph_system_points(const ph_system *s)
{
    const ph_system *root = ph_system_root(s);
    if (root->is.points)
        return root->is.n_points;
    return root->tree || root->of->place ? root->n : 0;
}

bool ph_system_has_own_points(const ph_system *s)
{
    return ph_system_root(s)->is.points != NULL;
}

const ph_scene_part *ph_system_parts(const ph_system *s, size_t *n)
{
    const ph_system *root = ph_system_root(s);
    *n = root->is.n_parts;
    return root->parts;
}

void ph_system_up(const ph_system *s, double up[3])
{
    memcpy(up, ph_system_root(s)->is.up, 3 * sizeof *up);
}

bool ph_system_has_tensions(const ph_system *s)
{
    const ph_system *root = ph_system_root(s);
    return root->tree && !root->is.potential && !root->is.points;
}

/* q has two coordinates in a plane, a cart one less than its links; what is missing is 0. */
static void place_links(const ph_system *s, const double *z, double *x)
{
    const ph_linkage *l = &s->tree->is;
    for (size_t i = 0; i < s->n; i++) {
        const ph_factor_place *f = ph_space_factor(s->space, i);
        const size_t parent = l->parent ? l->parent[i] : i ? i - 1 : PH_NO_INDEX;
        const double length = f->kind == PH_FACTOR_R ? 1 : l->length[i];
        for (size_t k = 0; k < 3; k++)
            x[3 * i + k] =
                (parent == PH_NO_INDEX ? 0 : x[3 * parent + k]) + (k < f->nz ? length * z[f->z + k] : 0);
    }
}

ph_status ph_system_places(const ph_system *s, const double *z, double *x)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *root = ph_system_root(s);
    if (root->is.points)
        return root->is.points(root->is.user, z, x);
    if (root->tree)
        place_links(root, z, x);
    else if (root->of->place)
        root->of->place(root, z, x);
    return PH_OK;
}
