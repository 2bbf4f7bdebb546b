/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and torques of all bodies on each other (polhode/gravitation.h), pair by pair. */
#include "gravitation.h"

#include <polhode/vector.h>

#include <string.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static const double *attitude_of(const ph_gravitation *g, size_t i, const double *z)
{
    const size_t at = g->body[i].attitude;
    return at == PH_NO_INDEX ? identity : z + 3 * g->places + 9 * at;
}

/* What A and B at the distance x do to each other, added: force on B, in space. */
static void attract(const ph_gravitation *g, unsigned parts, size_t a, size_t b, const double x[3],
                    const double *z, double force[3], double *torque, double *U)
{
    const double *Ra = attitude_of(g, a, z), *Rb = attitude_of(g, b, z);
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

void ph_gravitation_forces(const ph_gravitation *g, unsigned parts, double t, const double *z, double *force,
                           double *torque, double *U)
{
    double energy = 0, F[3];
    (void)t;
    memset(force, 0, 3 * g->places * sizeof *force);
    memset(torque, 0, 3 * g->attitudes * sizeof *torque);
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = a + 1; b < g->n; b++) {
            const double *xa = z + 3 * a, *xb = z + 3 * b;
            const double between[3] = {g->relative ? z[0] : xb[0] - xa[0], g->relative ? z[1] : xb[1] - xa[1],
                                       g->relative ? z[2] : xb[2] - xa[2]};
            attract(g, parts, a, b, between, z, F, torque, &energy);
            for (size_t k = 0; k < 3; k++) {
                force[g->relative ? k : 3 * b + k] += F[k];
                if (!g->relative)
                    force[3 * a + k] -= F[k];
            }
        }
    if (U)
        *U = energy;
}
