/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a system in space: those of its kind, one for each factor, or what the definition says. And whether what acts
 * between them are forces along links. */
#include "parts.h"
#include "system.h"

#include <polhode/kit/tensions.h>

#include <string.h>

/* The own points of the system that takes forces are those of its root. */
size_t ph_system_points(const ph_system *s)
{
    const ph_system *root = ph_system_root(s);
    if (root->is.points)
        return root->is.n_points;
    return root->of->place ? root->n : 0;
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
    return root->of->sparse && root->of->place && !root->is.potential && !root->is.points;
}

ph_status ph_system_places(const ph_system *s, double t, const double *z, double *x)
{
    if (!s)
        return PH_E_INVALID;
    const ph_system *root = ph_system_root(s);
    if (root->is.points)
        return root->is.points(root->is.user, t, z, x);
    if (root->of->place)
        root->of->place(root, z, x);
    return PH_OK;
}
