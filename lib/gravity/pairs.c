/* SPDX-License-Identifier: BSD-3-Clause */
/* What bodies do to each other, pair by pair (polhode/domain/gravitation.h). The same numbers are added to the force on one body of a pair
 * and taken from that on the other. Many points among each other are evaluated several at once (points.h). */
#include "gravitation.h"
#include "points.h"

#include <string.h>

/* Two bodies by their distance. */
static void attract_two(const ph_gravitation *g, unsigned parts, const double *z, double *force,
                        double *torque, double *U)
{
    double unused[3];
    const size_t a = g->body[0].attitude, b = g->body[1].attitude;
    const ph_pair_result out = {force, a == PH_NO_INDEX ? unused : torque + 3 * a,
                                b == PH_NO_INDEX ? unused : torque + 3 * b, U};
    (parts & PH_ATTRACT_SHAPES ? g->pair.evaluate : ph_pair_points)(
        &g->pair, parts, z, ph_gravitating_attitude(g, 0, z), ph_gravitating_attitude(g, 1, z), &out);
}

/* Bodies a and b, added. */
static void add_pair(const ph_gravitation *g, unsigned parts, size_t a, size_t b, const double *z,
                     double *force, double *torque, double *U)
{
    const ph_gravitating *A = &g->body[a], *B = &g->body[b];
    const double *xa = z + 3 * a, *xb = z + 3 * b, x[3] = {xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2]};
    double F[3], on_a[3], on_b[3], energy;
    const ph_pair_result out = {F, on_a, on_b, U ? &energy : NULL};
    ph_pair pair;
    ph_pair_prepare(g->G, g->order, A->mass.moment[0], A->sort, A->figure, B->mass.moment[0], B->sort,
                    B->figure, &pair);
    (parts & PH_ATTRACT_SHAPES ? pair.evaluate : ph_pair_points)(
        &pair, parts, x, ph_gravitating_attitude(g, a, z), ph_gravitating_attitude(g, b, z), &out);
    for (size_t k = 0; k < 3; k++) {
        force[3 * b + k] += F[k];
        force[3 * a + k] -= F[k];
    }
    for (size_t k = 0; A->figure && A->attitude != PH_NO_INDEX && k < 3; k++)
        torque[3 * A->attitude + k] += on_a[k];
    for (size_t k = 0; B->figure && B->attitude != PH_NO_INDEX && k < 3; k++)
        torque[3 * B->attitude + k] += on_b[k];
    if (U)
        *U += energy;
}

void ph_gravitation_pairs(const ph_gravitation *g, unsigned parts, const double *z, double *force,
                          double *torque, double *U)
{
    if (g->relative) {
        attract_two(g, parts, z, force, torque, U);
        return;
    }
    memset(force, 0, 3 * g->places * sizeof *force);
    memset(torque, 0, 3 * g->attitudes * sizeof *torque);
    if (U)
        *U = 0;
    const bool grouped = g->points >= PH_GRAVITATION_GROUPED;
    if (grouped && parts & PH_ATTRACT_POINTS)
        ph_points_attract(g, z, force, U);
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = a + 1; b < g->n; b++)
            if (!grouped || g->body[a].figure || g->body[b].figure)
                add_pair(g, parts, a, b, z, force, torque, U);
}
