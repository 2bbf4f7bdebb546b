/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and torques of all bodies on each other (polhode/gravitation.h), pair by pair, and of what else acts on them. */
#include "gravitation.h"

#include <polhode/vector.h>

#include <string.h>

/* What A and B at the distance x do to each other, added: force on B, in space. */
static void attract(const ph_gravitation *g, unsigned parts, size_t a, size_t b, const double x[3],
                    const double *z, double force[3], double *torque, double *U)
{
    const double *Ra = ph_gravitating_attitude(g, a, z), *Rb = ph_gravitating_attitude(g, b, z);
    double r[3], C[9], F[3], points = 0;
    ph_attraction out;
    ph_apply_transposed3(Ra, x, r);
    ph_transposed_multiply3(Ra, Rb, C);
    ph_attract(&g->body[a].mass, &g->body[b].mass, parts & PH_ATTRACT_SHAPES ? g->order : 0, g->G, r, C,
               &out);
    if (!(parts & PH_ATTRACT_POINTS))
        points = out.by_order[0];
    ph_apply3(Ra, out.force, F);
    const double square = ph_dot3(x, x);
    for (size_t k = 0; k < 3; k++)
        force[k] = F[k] - points * x[k] / square;
    if (g->body[a].attitude != PH_NO_INDEX)
        for (size_t k = 0; k < 3; k++)
            torque[3 * g->body[a].attitude + k] += out.torque_a[k];
    if (g->body[b].attitude != PH_NO_INDEX)
        for (size_t k = 0; k < 3; k++)
            torque[3 * g->body[b].attitude + k] += out.torque_b[k];
    *U += out.potential - points;
}

/* Of all pairs, added. */
static void attract_mutually(const ph_gravitation *g, unsigned parts, const double *z, ph_attracted *out)
{
    double F[3];
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = a + 1; b < g->n; b++) {
            const double *xa = z + 3 * a, *xb = z + 3 * b;
            const double between[3] = {g->relative ? z[0] : xb[0] - xa[0], g->relative ? z[1] : xb[1] - xa[1],
                                       g->relative ? z[2] : xb[2] - xa[2]};
            attract(g, parts, a, b, between, z, F, out->torque, &out->U);
            for (size_t k = 0; k < 3; k++) {
                out->force[g->relative ? k : 3 * b + k] += F[k];
                if (!g->relative)
                    out->force[3 * a + k] -= F[k];
            }
        }
}

void ph_gravitation_evaluate(const ph_gravitation *g, unsigned groups, unsigned parts, double t,
                             const double *z, ph_attracted *out)
{
    const unsigned own = parts & (PH_ATTRACT_POINTS | PH_ATTRACT_SHAPES);
    memset(out->force, 0, 3 * g->places * sizeof *out->force);
    memset(out->torque, 0, 3 * g->attitudes * sizeof *out->torque);
    out->U = out->rate = 0;
    if (groups & PH_GROUP_MUTUAL && own)
        attract_mutually(g, own, z, out);
    if (groups & PH_GROUP_CENTRAL && own && g->central)
        ph_central_attract(g, own, t, z, out);
    if (groups & PH_GROUP_GIVEN && parts & PH_ATTRACT_GIVEN)
        ph_given_attract(g, t, z, out);
}

void ph_gravitation_forces(const ph_gravitation *g, unsigned parts, double t, const double *z, double *force,
                           double *torque, double *U)
{
    ph_attracted out = {.force = force, .torque = torque};
    ph_gravitation_evaluate(g, PH_GROUP_ALL, parts, t, z, &out);
    if (U)
        *U = out.U;
}
