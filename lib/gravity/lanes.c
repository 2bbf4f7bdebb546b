/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces and torques of eight systems at once (polhode/domain/gravitation.h), with the same bodies or of pairs with bodies of their
 * own: pairs.c in the lanes of vectors. */
#include "gravitation.h"
#include "pair-lanes.h"

#include <string.h>

enum { EIGHT = PH_GRAVITATION_LANES };

struct ph_gravitation_each {
    ph_pair_each pair;
    ph_pair_evaluate_each *evaluate;
    size_t wide; /* systems in a vector of its */
    const ph_gravitation *first;
};

#define ALL(x) x, x, x, x, x, x, x, x
static const double identity[9 * EIGHT] = {ALL(1), ALL(0), ALL(0), ALL(0), ALL(1),
                                           ALL(0), ALL(0), ALL(0), ALL(1)};

static const double *attitude_of(const ph_gravitation *g, size_t i, const double *z)
{
    const size_t at = g->body[i].attitude;
    return at == PH_NO_INDEX ? identity : z + EIGHT * (3 * g->places + 9 * at);
}

/* Of vectors of that many systems, whose figures are so many doubles further. */
static void evaluate_each(const ph_gravitation_each *each, const double *x, const double *Ra,
                          const double *Rb, const ph_pair_result *out)
{
    const double *pair = (const double *)(const void *)&each->pair;
    for (size_t at = 0; at < EIGHT; at += each->wide) {
        const ph_pair_result to = ph_pair_result_at(out, at);
        each->evaluate((const ph_pair_each *)(const void *)(pair + at), PH_ATTRACT_ALL, x + at, Ra + at,
                       Rb + at, &to);
    }
}

/* Two bodies by their distance; each: NULL, or what they are in each system. */
static void attract_two(const ph_gravitation *g, const ph_gravitation_each *each, size_t count,
                        unsigned parts, const double *z, double *force, double *torque, double *U)
{
    double unused[3 * EIGHT];
    const size_t a = g->body[0].attitude, b = g->body[1].attitude;
    const double *Ra = attitude_of(g, 0, z), *Rb = attitude_of(g, 1, z);
    const ph_pair_result out = {force, a == PH_NO_INDEX ? unused : torque + 3 * EIGHT * a,
                                b == PH_NO_INDEX ? unused : torque + 3 * EIGHT * b, U};
    if (each)
        evaluate_each(each, z, Ra, Rb, &out);
    else
        ph_pair_evaluate_lanes(&g->pair, g->width, count, parts, z, Ra, Rb, &out);
}

/* to (n systems' numbers) += sign * from */
static void add(size_t n, double sign, const double *from, double *to)
{
    for (size_t k = 0; k < EIGHT * n; k++)
        to[k] += sign * from[k];
}

/* Bodies a and b, added. */
static void add_pair(const ph_gravitation *g, size_t count, unsigned parts, size_t a, size_t b,
                     const double *z, double *force, double *torque, double *U)
{
    const ph_gravitating *A = &g->body[a], *B = &g->body[b];
    double x[3 * EIGHT], F[3 * EIGHT] = {0}, on_a[3 * EIGHT] = {0}, on_b[3 * EIGHT] = {0},
                               energy[EIGHT] = {0};
    const ph_pair_result out = {F, on_a, on_b, U ? energy : NULL};
    ph_pair pair;
    for (size_t k = 0; k < 3 * EIGHT; k++)
        x[k] = z[3 * EIGHT * b + k] - z[3 * EIGHT * a + k];
    ph_pair_prepare(g->G, g->order, A->mass.moment[0], A->sort, A->figure, B->mass.moment[0], B->sort,
                    B->figure, &pair);
    ph_pair_evaluate_lanes(&pair, g->width, count, parts, x, attitude_of(g, a, z), attitude_of(g, b, z),
                           &out);
    add(3, 1, F, force + 3 * EIGHT * b);
    add(3, -1, F, force + 3 * EIGHT * a);
    if (A->figure && A->attitude != PH_NO_INDEX)
        add(3, 1, on_a, torque + 3 * EIGHT * A->attitude);
    if (B->figure && B->attitude != PH_NO_INDEX)
        add(3, 1, on_b, torque + 3 * EIGHT * B->attitude);
    if (U)
        add(1, 1, energy, U);
}

bool ph_gravitation_forces_lanes(const ph_gravitation *g, size_t count, unsigned parts, double t,
                                 const double *z, double *force, double *torque, double *U)
{
    const unsigned own = parts & (PH_ATTRACT_POINTS | PH_ATTRACT_SHAPES);
    (void)t;
    if (g->central || g->n_given || !own || g->points >= PH_GRAVITATION_GROUPED)
        return false;
    if (g->relative) {
        attract_two(g, NULL, count, own, z, force, torque, U);
        return true;
    }
    memset(force, 0, EIGHT * 3 * g->places * sizeof *force);
    memset(torque, 0, EIGHT * 3 * g->attitudes * sizeof *torque);
    if (U)
        memset(U, 0, EIGHT * sizeof *U);
    for (size_t a = 0; a < g->n; a++)
        for (size_t b = a + 1; b < g->n; b++)
            add_pair(g, count, own, a, b, z, force, torque, U);
    return true;
}

/* ---- Pairs with bodies of their own ------------------------------------------------------------------------------- */

size_t ph_gravitation_each_size(void)
{
    return sizeof(ph_gravitation_each);
}

/* What the forms take of a figure into a lane; a point has none. */
static void place_figure(const ph_figure *f, size_t lane, ph_figure_each *to)
{
    for (size_t k = 0; f && k < 9; k++)
        to->even[k][lane] = f->even[k];
    for (size_t k = 0; f && k < 6; k++)
        to->square[k][lane] = f->square[k];
    for (size_t i = 0; f && i < 3; i++) {
        for (size_t k = 0; k < 5; k++)
            to->third[i][k][lane] = f->third[i][k];
        for (size_t k = 0; k < 7; k++)
            to->fourth[i][k][lane] = f->fourth[i][k];
    }
}

ph_gravitation_each *ph_gravitation_each_place(const ph_gravitation *const *g, void *memory)
{
    const ph_gravitation *first = g[0];
    const ph_pair *like = &first->pair;
    ph_gravitation_each *each = memory;
    if (first->width == PH_PAIR_ONE)
        return NULL;
    for (size_t lane = 0; lane < EIGHT; lane++) {
        const ph_gravitation *own = g[lane];
        const ph_pair *p = &own->pair;
        if (!own->relative || own->central || own->n_given || p->order != like->order ||
            p->sort_a != like->sort_a || p->sort_b != like->sort_b || own->width != first->width ||
            own->body[0].attitude != first->body[0].attitude ||
            own->body[1].attitude != first->body[1].attitude)
            return NULL;
        place_figure(p->a, lane, &each->pair.a);
        place_figure(p->b, lane, &each->pair.b);
        each->pair.G[lane] = p->G;
        each->pair.gm_a[lane] = p->gm_a;
        each->pair.gm_b[lane] = p->gm_b;
        each->pair.strength[lane] = p->strength;
    }
    each->first = first;
    each->wide = first->width == PH_PAIR_EIGHT ? 8 : 4;
    each->evaluate =
        (first->width == PH_PAIR_EIGHT ? ph_pair_forms_each_of_eight
                                       : ph_pair_forms_each_of_four)[like->order][like->sort_a][like->sort_b];
    return each->evaluate ? each : NULL;
}

void ph_gravitation_each_forces(const ph_gravitation_each *each, const double *z, double *force,
                                double *torque)
{
    attract_two(each->first, each, EIGHT, PH_ATTRACT_ALL, z, force, torque, NULL);
}
