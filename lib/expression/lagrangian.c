/* SPDX-License-Identifier: BSD-3-Clause */
/* Angular velocities written out, constant inertia tensors found, a Lagrangian taken apart by powers of the
 * velocity. */
#include "lagrangian.h"

#include <stdlib.h>
#include <string.h>

static ph_expr leaf(ph_formulas *f, enum ph_op op, size_t i)
{
    return ph_graph_leaf(&f->graph, op, i);
}

/* a_i bdot_j - a_j bdot_i of numbers i, j of z and zdot. */
static ph_expr swept(ph_formulas *f, size_t i, size_t j)
{
    ph_graph *g = &f->graph;
    return ph_graph_sub(g, ph_graph_mul(g, leaf(f, PH_OP_Z, i), leaf(f, PH_OP_V, j)),
                        ph_graph_mul(g, leaf(f, PH_OP_Z, j), leaf(f, PH_OP_V, i)));
}

/* The k-th number of a factor's angular velocity. */
static ph_expr omega_of(ph_formulas *f, const ph_formula_factor *factor, size_t k)
{
    ph_graph *g = &f->graph;
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    ph_expr sum = 0;
    if (factor->kind == PH_FACTOR_S1)
        return swept(f, factor->z, factor->z + 1);
    if (factor->kind == PH_FACTOR_S2)
        return swept(f, factor->z + i, factor->z + j);
    for (size_t row = 0; row < 3; row++) /* (1/2) (R^T Rdot - Rdot^T R)_ji */
        sum = ph_graph_add(g, sum, swept(f, factor->z + 3 * row + j, factor->z + 3 * row + i));
    return ph_graph_scale(g, 0.5, sum);
}

ph_status ph_omega_written_out(ph_formulas *f, const ph_expr *in, size_t n, ph_expr *out)
{
    ph_expr_map memo = {NULL, 0};
    for (size_t i = 0; i < f->n_factors; i++)
        for (size_t k = 0; k < f->factors[i].n_omega; k++)
            ph_map_put(&f->graph, &memo, leaf(f, PH_OP_OMEGA, f->factors[i].omega + k),
                       omega_of(f, &f->factors[i], k));
    ph_graph_substitute(&f->graph, in, n, &memo, out);
    ph_map_release(&memo);
    return f->graph.failed;
}

/* to (n) <- with velocities and, where it says so, angular velocities 0. */
static void at_rest(ph_formulas *f, const ph_expr *in, size_t n, ph_expr *to)
{
    ph_expr_map memo = {NULL, 0};
    for (size_t i = 0; i < f->nz; i++)
        ph_map_put(&f->graph, &memo, leaf(f, PH_OP_V, i), 0);
    for (size_t i = 0; i < f->n_omega; i++)
        ph_map_put(&f->graph, &memo, leaf(f, PH_OP_OMEGA, i), 0);
    ph_graph_substitute(&f->graph, in, n, &memo, to);
    ph_map_release(&memo);
}

/* ---- Constant inertia tensors --------------------------------------------------------------------- */

/* J (3 x 3, its first n x n) <- the second derivative of T by the angular velocity of a factor, where that is all
 * there is of it in T: no linear terms, no products with other velocities, and constant. */
static bool is_own_constant(ph_formulas *f, ph_expr T, const ph_formula_factor *factor,
                            const ph_expr *velocities, ph_expr J[9])
{
    const size_t n = factor->n_omega, all = f->n_omega + f->nz;
    ph_expr slope[3], linear[3];
    ph_expr *row = ph_formulas_room(f, all * sizeof *row);
    ph_graph_reverse(&f->graph, T, velocities + factor->omega, n, slope);
    at_rest(f, slope, n, linear);
    for (size_t i = 0; i < n && row; i++) {
        ph_graph_reverse(&f->graph, slope[i], velocities, all, row);
        at_rest(f, row, all, row);
        if (linear[i] != 0)
            return false;
        for (size_t j = 0; j < all; j++) {
            const bool own = j >= factor->omega && j < factor->omega + n;
            if (own ? (f->graph.node[row[j]].depends & ~PH_ON_PARAMETERS) != 0 : row[j] != 0)
                return false;
        }
        memcpy(J + 3 * i, row + factor->omega, n * sizeof *row);
    }
    return row != NULL;
}

/* The same kinetic energy by zdot; 0 where it is none (on S^2, where J is no multiple of 1). */
static ph_expr by_velocities(ph_formulas *f, const ph_formula_factor *factor, const ph_expr J[9])
{
    ph_graph *g = &f->graph;
    ph_expr v[9], sum = 0;
    for (size_t i = 0; i < factor->nz; i++)
        v[i] = leaf(f, PH_OP_V, factor->z + i);
    if (factor->kind != PH_FACTOR_SO3) {
        for (size_t i = 0; i < factor->n_omega; i++)
            for (size_t j = 0; j < factor->n_omega; j++)
                if (J[3 * i + j] != (i == j ? J[0] : 0))
                    return 0;
        return ph_graph_mul(g, ph_graph_scale(g, 0.5, J[0]), ph_graph_dot(g, v, v, factor->nz));
    }
    const ph_expr trace = ph_graph_add(g, ph_graph_add(g, J[0], J[4]), J[8]);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            const ph_expr Jd = ph_graph_scale(
                g, 0.5, ph_graph_sub(g, i == j ? ph_graph_scale(g, 0.5, trace) : 0, J[3 * i + j]));
            for (size_t row = 0; row < 3; row++)
                sum = ph_graph_add(g, sum,
                                   ph_graph_mul(g, Jd, ph_graph_mul(g, v[3 * row + i], v[3 * row + j])));
        }
    return sum;
}

/* T without angular velocities: those with a constant J of their own by zdot, the others written out. */
static ph_expr without_omegas(ph_formulas *f, ph_expr T)
{
    ph_graph *g = &f->graph;
    unsigned char *reached = ph_graph_reach(g, &T, 1);
    ph_expr *velocities = ph_formulas_room(f, (f->n_omega + f->nz) * sizeof *velocities);
    const size_t nodes = g->n;
    bool used = false;
    for (size_t i = 0; velocities && i < f->n_omega + f->nz; i++)
        velocities[i] = i < f->n_omega ? leaf(f, PH_OP_OMEGA, i) : leaf(f, PH_OP_V, i - f->n_omega);
    for (size_t i = 0; reached && velocities && i < f->n_omega; i++)
        used = used || (velocities[i] < nodes && reached[velocities[i]]);
    const bool polynomial =
        used && ph_graph_degree(g, &T, 1) <= 2 && ph_graph_affords(g, 8 * f->n_factors, 0);
    ph_expr_map gone = {NULL, 0};
    ph_expr sum = 0;
    for (size_t i = 0; polynomial && i < f->n_factors && !g->failed; i++) {
        const ph_formula_factor *factor = &f->factors[i];
        bool here = false;
        for (size_t k = 0; k < factor->n_omega; k++)
            here = here || (velocities[factor->omega + k] < nodes && reached[velocities[factor->omega + k]]);
        ph_expr J[9] = {0};
        const ph_expr own =
            here && is_own_constant(f, T, factor, velocities, J) ? by_velocities(f, factor, J) : 0;
        sum = ph_graph_add(g, sum, own);
        for (size_t k = 0; k < factor->n_omega && own != 0; k++)
            ph_map_put(g, &gone, velocities[factor->omega + k], 0);
    }
    if (sum != 0) {
        ph_graph_substitute(g, &T, 1, &gone, &T);
        T = ph_graph_add(g, T, sum);
    }
    ph_map_release(&gone);
    free(reached);
    if (used && !g->failed)
        ph_omega_written_out(f, &T, 1, &T);
    return T;
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static unsigned depends(const ph_graph *g, const ph_expr *nodes, size_t n)
{
    unsigned on = 0;
    for (size_t i = 0; i < n; i++)
        on |= g->node[nodes[i]].depends;
    return on;
}

ph_status ph_lagrangian_take_apart(ph_formulas *f, ph_expr L, ph_lagrangian_parts *parts)
{
    ph_graph *g = &f->graph;
    const size_t nz = f->nz;
    *parts = (ph_lagrangian_parts){.L = without_omegas(f, L)};
    ph_expr *room =
        ph_graph_affords(g, nz, nz * nz) ? ph_formulas_room(f, nz * (nz + 3) * sizeof *room) : NULL;
    if (!room || g->failed)
        return g->failed;
    ph_expr *v = room, *slope = room + nz;
    parts->L1 = room + 2 * nz;
    parts->M = room + 3 * nz;
    parts->degree = ph_graph_degree(g, &parts->L, 1);
    at_rest(f, &parts->L, 1, &parts->L0);
    if (parts->degree > 2)
        return g->failed;
    for (size_t i = 0; i < nz; i++)
        v[i] = leaf(f, PH_OP_V, i);
    ph_graph_reverse(g, parts->L, v, nz, slope);
    at_rest(f, slope, nz, parts->L1);
    for (size_t i = 0; i < nz && !g->failed; i++)
        if (slope[i] != 0)
            ph_graph_reverse(g, slope[i], v, nz, parts->M + i * nz);
    at_rest(f, parts->M, nz * nz, parts->M);
    parts->M_depends = depends(g, parts->M, nz * nz);
    parts->L1_depends = depends(g, parts->L1, nz);
    for (size_t i = 0; i < nz; i++)
        parts->has_L1 = parts->has_L1 || parts->L1[i] != 0;
    return g->failed;
}
