/* SPDX-License-Identifier: BSD-3-Clause */
/* Constant inertias by pairs that have a fast form: those in blocks, and links with point masses, a chain or a tree: with the sum mu_j of the masses that hang on link j,
 *
 *     M_jj = l_j^2 mu_j,    M_ij = l_i l_j mu_j where i is on the way from the fixed point to j, else 0.
 *
 * One length for each link that hangs on the fixed point is free; the points of the system say which. */
#include "forces.h"

#include <polhode/kit/solve.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct links {
    size_t n;
    size_t *parent;
    double *length, *mass, *below; /* below: mu */
    bool known;                    /* are lengths known, or those on the fixed point taken as 1? */
} links;

/* The last factor before j that is on the way to it. */
static size_t find_parent(const double *m, size_t n, size_t j)
{
    for (size_t i = j; i-- > 0;)
        if (m[i * n + j] != 0)
            return i;
    return PH_NO_INDEX;
}

/* length (factors) <- of links that hang on the fixed point: the number before their q in the places of points, on which all that
 * have one agree; 0: there is none. */
static void lengths_from_points(ph_formula_builder *b, double *length)
{
    ph_graph *g = &b->f->graph;
    const size_t n = b->f->n_factors, points = b->to.n_points;
    ph_expr *z = ph_formula_nodes(b, n), *d = ph_formula_nodes(b, n), *known = ph_formula_nodes(b, n);
    double *here = ph_formulas_room(b->f, n * sizeof *here);
    memset(length, 0, n * sizeof *length);
    if (!z || !d || !known || !here || !ph_graph_affords(g, points, points))
        return;
    for (size_t j = 0; j < n; j++)
        z[j] = ph_graph_leaf(g, PH_OP_Z, b->f->factors[j].z);
    for (size_t i = 0; i < points; i++) {
        ph_graph_reverse(g, b->points[3 * i], z, n, d);
        for (size_t j = 0; j < n; j++) /* 0: not a constant */
            known[j] = g->node[d[j]].depends & ~PH_ON_PARAMETERS ? 0 : d[j];
        ph_graph_values(g, known, n, &(ph_point){.parameters = b->f->parameters}, here);
        for (size_t j = 0; j < n; j++)
            if (d[j] != 0)
                length[j] = known[j] != 0 && (length[j] == 0 || length[j] == here[j]) ? here[j] : NAN;
    }
}

/* Are all M_ij what the links make them? Lengths, masses, parents <- these. */
static bool fit(ph_formula_builder *b, const double *m, links *l)
{
    const size_t n = l->n;
    const double admitted = 8 * (double)n * DBL_EPSILON;
    lengths_from_points(b, l->length);
    l->known = true;
    for (size_t j = 0; j < n; j++) {
        const size_t up = l->parent[j] = find_parent(m, n, j);
        if (up != PH_NO_INDEX)
            l->length[j] = m[j * n + j] / m[up * n + j] * l->length[up];
        else if (l->length[j] == 0)
            l->known = false, l->length[j] = 1;
        if (!(l->length[j] > 0))
            return false;
        l->mass[j] = l->below[j] = m[j * n + j] / (l->length[j] * l->length[j]);
        if (up != PH_NO_INDEX)
            l->mass[up] -= l->below[j];
        size_t next = up;
        for (size_t i = j; i-- > 0;) { /* the way up, nothing else */
            const double expected = i == next ? l->length[i] * l->length[j] * l->below[j] : 0;
            if (!(fabs(m[i * n + j] - expected) <= admitted * fabs(expected)))
                return false;
            next = i == next ? l->parent[i] : next;
        }
    }
    for (size_t j = 0; j < n; j++)
        if (!(l->mass[j] > 0))
            return false;
    return true;
}

bool ph_formula_linear(ph_formula_builder *b, ph_expr U, double *slope)
{
    ph_graph *g = &b->f->graph;
    const size_t nz = b->f->nz;
    const ph_expr *z = ph_formula_leaves(b, PH_OP_Z);
    ph_expr *d = ph_formula_nodes(b, nz), rest = U;
    ph_expr_map origin = {NULL, 0};
    if (!z || !d)
        return false;
    for (size_t i = 0; i < nz; i++)
        ph_map_put(g, &origin, z[i], 0);
    ph_graph_substitute(g, &U, 1, &origin, &rest);
    ph_map_release(&origin);
    ph_graph_reverse(g, U, z, nz, d);
    for (size_t i = 0; i < nz; i++)
        if (rest != 0 || g->node[d[i]].depends & ~PH_ON_PARAMETERS) /* nor a constant, which would be lost */
            return false;
    ph_graph_values(g, d, nz, &(ph_point){.parameters = b->f->parameters}, slope);
    return !g->failed;
}

/* U = -sum_j mu_j l_j G . q_j: gravity (3) <- G. */
static bool is_gravity(ph_formula_builder *b, const links *l, ph_expr U, double gravity[3])
{
    const size_t nz = b->f->nz, d = b->f->factors[0].nz;
    double *slope = malloc(nz * sizeof *slope);
    bool is = slope && ph_formula_linear(b, U, slope);
    for (size_t i = 0; i < nz && is; i++) {
        const double G = -slope[i] / (l->below[i / d] * l->length[i / d]);
        if (i < d)
            gravity[i] = G;
        is = fabs(G - gravity[i % d]) <= 8 * (double)l->n * DBL_EPSILON * fabs(G);
    }
    free(slope);
    return is;
}

/* ---- Sparse inverses ------------------------------------------------------------------------------ */

enum { FEW = 4 }; /* factors that need none */

static void add_entry(ph_sparse *W, size_t row, size_t column, double value)
{
    ((size_t *)(uintptr_t)W->row)[W->entries] = row;
    ((size_t *)(uintptr_t)W->column)[W->entries] = column;
    ((double *)(uintptr_t)W->value)[W->entries++] = value;
}

/* b->net <- room for so many entries; false without memory. */
static bool begin_net(ph_formula_builder *b, size_t most)
{
    double *value = ph_formulas_room(b->f, most * sizeof *value);
    size_t *row = value ? ph_formulas_room(b->f, 2 * most * sizeof *row) : NULL;
    b->net = (ph_sparse){.n = b->f->n_factors, .row = row, .column = row ? row + most : NULL, .value = value};
    return row;
}

static void take_net(ph_formula_builder *b)
{
    b->to.inverse_inertia = &b->net;
    b->to.inertia = NULL;
}

/* Of links M^-1 = (1/l) D (1/m) D^T (1/l), D the differences of places to those of parents: it couples parents and siblings, and
 * does not depend on the lengths that are free. */
static ph_status invert_links(ph_formula_builder *b, const links *l)
{
    size_t most = 2 * l->n;
    for (size_t k = 0; k < l->n; k++)
        for (size_t j = 0; j < k; j++)
            most += l->parent[j] == l->parent[k] && l->parent[k] != PH_NO_INDEX;
    if (!begin_net(b, most))
        return ph_formula_no_memory(b->err);
    for (size_t k = 0; k < l->n; k++) {
        const size_t p = l->parent[k];
        const double own = 1 / l->length[k], above = p == PH_NO_INDEX ? 0 : 1 / l->mass[p];
        add_entry(&b->net, k, k, own * (1 / l->mass[k] + above) * own);
        for (size_t j = 0; j < k && p != PH_NO_INDEX; j++)
            if (j == p || l->parent[j] == p)
                add_entry(&b->net, k, j, (j == p ? -own : own) * above / l->length[j]);
    }
    take_net(b);
    ph_formula_found_out(b,
                         ", of links; if places under scene.points say how long they are, a step is faster");
    return PH_OK;
}

ph_status ph_formula_find_links(ph_formula_builder *b, const double *m, ph_expr *U)
{
    const ph_formulas *f = b->f;
    const size_t n = f->n_factors;
    for (size_t i = 0; i < n; i++)
        if (f->factors[i].kind != f->factors[0].kind ||
            (f->factors[i].kind != PH_FACTOR_S1 && f->factors[i].kind != PH_FACTOR_S2))
            return PH_OK;
    double *room = malloc(n * (3 * sizeof *room + sizeof(size_t)));
    if (!room)
        return ph_formula_no_memory(b->err);
    b->links = room;
    links l = {.n = n,
               .length = room,
               .mass = room + n,
               .below = room + 2 * n,
               .parent = (size_t *)(void *)(room + 3 * n)};
    if (!fit(b, m, &l) || (!l.known && n <= FEW))
        return PH_OK;
    if (!l.known)
        return invert_links(b, &l);
    b->linkage = (ph_linkage){.parent = l.parent, .length = l.length, .mass = l.mass};
    b->to.linkage = &b->linkage;
    b->to.inertia = NULL;
    const bool gravity = *U != 0 && is_gravity(b, &l, *U, b->linkage.gravity);
    if (gravity)
        *U = 0;
    else
        memset(b->linkage.gravity, 0, sizeof b->linkage.gravity);
    ph_formula_found_out(b, ": it moves like %zu link%s with point masses%s", n, n > 1 ? "s" : "",
                         gravity ? " under gravity" : "");
    return ph_formula_failed(b);
}

/* ---- Blocks --------------------------------------------------------------------------------------- */

/* block (n) <- the first factor of those that are coupled with one another; the result: how many numbers the lower triangles of
 * all blocks have. */
static size_t find_blocks(const double *m, size_t n, size_t *block)
{
    size_t numbers = 0;
    for (size_t i = 0; i < n; i++) {
        block[i] = i;
        for (size_t j = 0; j < i; j++) {
            const size_t low = block[i] < block[j] ? block[i] : block[j], high = block[i] + block[j] - low;
            for (size_t k = 0; k <= i && m[i * n + j] != 0 && low != high; k++)
                block[k] = block[k] == high ? low : block[k];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            numbers += block[i] == block[j];
    return numbers;
}

/* W += the inverse of the block of m whose n_own factors are `own`; M, x: scratch. */
static ph_status invert_block(const double *m, size_t n, const size_t *own, size_t n_own, double *M,
                              double *x, ph_sparse *W)
{
    for (size_t i = 0; i < n_own * n_own; i++)
        M[i] = m[own[i / n_own] * n + own[i % n_own]];
    if (ph_cholesky_factor(n_own, M))
        return PH_E_SINGULAR;
    for (size_t j = 0; j < n_own; j++) {
        memset(x, 0, n_own * sizeof *x);
        x[j] = 1;
        ph_cholesky_solve(n_own, M, x);
        for (size_t i = j; i < n_own; i++)
            add_entry(W, own[i], own[j], x[i]);
    }
    return PH_OK;
}

ph_status ph_formula_find_net(ph_formula_builder *b, const double *m)
{
    enum { PART = 3 }; /* where more than 1/PART of m is left, there is none */
    const size_t n = b->f->n_factors;
    size_t *block = malloc(2 * n * sizeof *block), *own = block ? block + n : NULL;
    if (!block)
        return ph_formula_no_memory(b->err);
    const size_t numbers = n > FEW ? find_blocks(m, n, block) : n * n;
    const bool few = PART * numbers <= n * (n + 1) / 2;
    double *M = few && begin_net(b, numbers) ? malloc((n * n + n) * sizeof *M) : NULL;
    ph_status status = few && !M ? ph_formula_no_memory(b->err) : PH_OK;
    size_t blocks = 0;
    bool regular = true;
    for (size_t r = 0; r < n && M && regular; r++) {
        size_t n_own = 0;
        for (size_t i = r; i < n; i++)
            if (block[i] == r)
                own[n_own++] = i;
        blocks += n_own > 0;
        regular = n_own == 0 || !invert_block(m, n, own, n_own, M, M + n * n, &b->net);
    }
    if (M && regular) { /* what is singular is said where the system is created */
        take_net(b);
        ph_formula_found_out(b, ", in %zu parts that it does not couple", blocks);
    }
    free(block);
    free(M);
    return status;
}
