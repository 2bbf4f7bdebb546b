/* SPDX-License-Identifier: BSD-3-Clause */
/* Points under mutual gravity, F = -G m_i m_j x / |x|^3 (points.h): one against four others at once. Groups of them are kept
 * coordinate by coordinate; what is added to the force on one is, number by number, what is taken from that on the other. */
#include "points.h"

#include "lib/internal/lanes.h"

#include <math.h>

enum { GROUP = 64 };

/* Some of the points: places, masses, and the sums of the forces that they exert. Lanes at the end that are not filled have no
 * mass, and 1 in `absent`, which keeps them apart from all. */
typedef struct group {
    size_t n;
    double x[3][GROUP], mass[GROUP], absent[GROUP], pull[3][GROUP];
} group;

static void add(group *g, const double *x, double mass)
{
    const size_t at = g->n++;
    if (at % LANES == 0)
        for (size_t i = at; i < at + LANES; i++) {
            g->x[0][i] = g->x[1][i] = g->x[2][i] = g->mass[i] = 0;
            g->pull[0][i] = g->pull[1][i] = g->pull[2][i] = 0;
            g->absent[i] = 1;
        }
    for (size_t k = 0; k < 3; k++)
        g->x[k][at] = x[k];
    g->mass[at] = mass;
    g->absent[at] = 0;
}

INLINE double sum_of(const vector *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* force += of the group on the point at x, *U (nullable) += its energy with them; G m. */
INLINE void meet(group *g, const double *x, double strength, double *force, double *U)
{
    vector sum[3] = {{0}, {0}, {0}}, energy = {0};
    for (size_t at = 0; at < g->n; at += LANES) {
        const vector d[3] = {x[0] - load(g->x[0] + at), x[1] - load(g->x[1] + at), x[2] - load(g->x[2] + at)};
        const vector square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + load(g->absent + at);
        vector root = square;
        for (size_t k = 0; k < LANES; k++)
            root[k] = sqrt(square[k]);
        const vector both = strength * load(g->mass + at), pull = both / (square * root);
        for (size_t k = 0; k < 3; k++) {
            const vector part = pull * d[k];
            sum[k] -= part;
            store(g->pull[k] + at, load(g->pull[k] + at) + part);
        }
        if (U)
            energy -= pull * square;
    }
    for (size_t k = 0; k < 3; k++)
        force[k] += sum_of(&sum[k]);
    if (U)
        *U += sum_of(&energy);
}

/* Points from `first` on against those of the group that begins there and come before them. */
PH_LANES_TWICE(PH_LANES_AVX2, void, meet_group,
               (const ph_gravitation *all, size_t first, const double *z, double *force, double *U), {
                   group g;
                   g.n = 0;
                   for (size_t i = first; i < all->points; i++) {
                       const size_t body = all->point[i];
                       const double mass = all->body[body].mass.moment[0];
                       if (i > first)
                           meet(&g, z + 3 * body, all->G * mass, force + 3 * body, U);
                       if (g.n < GROUP)
                           add(&g, z + 3 * body, mass);
                   }
                   for (size_t i = 0; i < g.n; i++)
                       for (size_t k = 0; k < 3; k++)
                           force[3 * all->point[first + i] + k] += g.pull[k][i];
               })

void ph_points_attract(const ph_gravitation *g, const double *z, double *force, double *U)
{
    for (size_t first = 0; first < g->points; first += GROUP)
        (g->width != PH_PAIR_ONE ? meet_group_wide : meet_group_plain)(g, first, z, force, U);
}
