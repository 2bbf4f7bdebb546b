/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and torques of all bodies on each other (polhode/domain/gravitation.h, pairs.c), and of what else acts on them. */
#include "gravitation.h"

#include <string.h>

enum { OWN = PH_ATTRACT_POINTS | PH_ATTRACT_SHAPES };

void ph_gravitation_evaluate(const ph_gravitation *g, unsigned groups, unsigned parts, double t,
                             const double *z, ph_attracted *out)
{
    const unsigned own = parts & OWN;
    out->U = out->rate = 0;
    if (groups & PH_GROUP_MUTUAL && own) {
        ph_gravitation_pairs(g, own, z, out->force, out->torque, &out->U);
    } else {
        memset(out->force, 0, 3 * g->places * sizeof *out->force);
        memset(out->torque, 0, 3 * g->attitudes * sizeof *out->torque);
    }
    if (groups & PH_GROUP_CENTRAL && own && g->central)
        ph_central_attract(g, own, t, z, out);
    if (groups & PH_GROUP_GIVEN && parts & PH_ATTRACT_GIVEN && g->n_given)
        ph_given_attract(g, t, z, out);
}

void ph_gravitation_forces(const ph_gravitation *g, unsigned parts, double t, const double *z, double *force,
                           double *torque, double *U)
{
    if (!g->central && !g->n_given && parts & OWN) { /* most, and nothing else to be added */
        ph_gravitation_pairs(g, parts, z, force, torque, U);
        return;
    }
    ph_attracted out = {.force = force, .torque = torque};
    ph_gravitation_evaluate(g, PH_GROUP_ALL, parts, t, z, &out);
    if (U)
        *U = out.U;
}
