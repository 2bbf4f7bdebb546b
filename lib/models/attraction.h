/* SPDX-License-Identifier: BSD-3-Clause */
/* The inner loop of sphere-n-body.c: one particle at q against a group of others, and the loop over all pairs
 * around it. Included twice (lib/internal/lanes.h), with
 *     number      the vector that it computes with, a loose or a loose_pair
 *     TARGET      what such vectors need of the processor
 *     OF(name)    the name of a function. */

enum { OF(WIDTH) = sizeof(number) / sizeof(double), OF(PARTS) = UNIT / OF(WIDTH) };

/* The forces between q and the group, or (forces false) *U += their energy. The same factor multiplies q_j in
 * the force on q and q in the force on j, so that the moments of a pair cancel to the last bit. Returns false
 * where a particle is too close to q or to its antipode. */
INLINE bool OF(against)(group *g, const double *q, double strength, bool forces, double *dU, double *U)
{
    double lanes[3][UNIT];
    number sum[3][OF(PARTS)];
    __typeof__((number){0} > 0.0) apart = (number){0} == 0.0;
    int all = 1;
    memset(sum, 0, sizeof sum);
    for (size_t at = 0; at < g->n; at += UNIT)
        for (size_t part = 0; part < OF(PARTS); part++) {
            const size_t j = at + OF(WIDTH) *part;
            const number x = *(number *)(g->q[0] + j), y = *(number *)(g->q[1] + j),
                         z = *(number *)(g->q[2] + j);
            const number cx = q[1] * z - q[2] * y, cy = q[2] * x - q[0] * z, cz = q[0] * y - q[1] * x;
            const number square = cx * cx + cy * cy + cz * cz + *(number *)(g->absent + j);
            number sine = square, pull = strength * *(number *)(g->mass + j); /* all of it is set below */
            for (size_t l = 0; l < OF(WIDTH); l++)
                sine[l] = sqrt(square[l]);
            apart &= sine > closest;
            if (!forces) {
                sum[0][part] += pull * (q[0] * x + q[1] * y + q[2] * z) / sine;
                continue;
            }
            pull /= square * sine;
            sum[0][part] += pull * x;
            sum[1][part] += pull * y;
            sum[2][part] += pull * z;
            for (size_t a = 0; a < 3; a++)
                *(number *)(g->pull[a] + j) += pull * q[a];
        }
    memcpy(lanes, sum, sizeof lanes);
    for (size_t a = 0; a < (forces ? 3 : 1); a++)
        *(forces ? dU + a : U) -= (lanes[a][0] + lanes[a][1]) + (lanes[a][2] + lanes[a][3]);
    for (size_t l = 0; l < OF(WIDTH); l++)
        all &= (int)apart[l];
    return all;
}

/* Every particle from `first`, the start of a group, onwards against those particles of the group that come
 * before it: their forces, or, where dU is NULL, their energy. */
TARGET static bool OF(meet)(const particles *p, const double *z, size_t first, double *dU, double *U)
{
    group g;
    bool apart = true;
    g.n = 0;
    add(&g, z + 3 * first, p->mass[first]);
    for (size_t i = first + 1; i < p->n; i++) {
        const double *q = z + 3 * i, strength = p->gamma * p->mass[i];
        apart &= dU ? OF(against)(&g, q, strength, true, dU + 3 * i, NULL)
                    : OF(against)(&g, q, strength, false, NULL, U);
        if (g.n < GROUP)
            add(&g, q, p->mass[i]);
    }
    for (size_t i = 0; dU && i < g.n; i++)
        for (size_t a = 0; a < 3; a++)
            dU[3 * (first + i) + a] -= g.pull[a][i];
    return apart;
}

#undef number
#undef TARGET
#undef OF
