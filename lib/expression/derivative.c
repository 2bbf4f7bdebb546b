/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of expressions, as expressions of the same graph: the gradient by reverse mode, further ones by
 * forward mode over it, zeros left out, everything shared (Griewank, Walther, Evaluating Derivatives, chapters 3
 * and 4). */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

bool ph_graph_affords(ph_graph *g, size_t derivatives, size_t results)
{
    enum { RESULTS = 1 << 24 };
    const double visits = 4e9;
    if (!g->failed && ((double)derivatives * (double)g->n > visits || results > RESULTS))
        g->failed = PH_E_RANGE;
    return !g->failed;
}

/* df(a)/da of a function of one number, where i = f(a). */
static ph_expr slope(ph_graph *g, ph_expr i)
{
    const enum ph_op op = g->node[i].op;
    const ph_expr a = g->node[i].a, one = ph_graph_number(g, 1);
    switch (op) {
    case PH_OP_SQRT:
        return ph_graph_div(g, ph_graph_number(g, 0.5), i);
    case PH_OP_SIN:
        return ph_graph_apply(g, PH_OP_COS, a, 0);
    case PH_OP_COS:
        return ph_graph_scale(g, -1, ph_graph_apply(g, PH_OP_SIN, a, 0));
    case PH_OP_TAN:
        return ph_graph_add(g, one, ph_graph_mul(g, i, i));
    case PH_OP_EXP:
        return i;
    case PH_OP_LOG:
        return ph_graph_div(g, one, a);
    case PH_OP_SINH:
        return ph_graph_apply(g, PH_OP_COSH, a, 0);
    case PH_OP_COSH:
        return ph_graph_apply(g, PH_OP_SINH, a, 0);
    case PH_OP_TANH:
        return ph_graph_sub(g, one, ph_graph_mul(g, i, i));
    case PH_OP_ASIN:
    case PH_OP_ACOS:
        return ph_graph_div(g, ph_graph_number(g, op == PH_OP_ASIN ? 1 : -1),
                            ph_graph_apply(g, PH_OP_SQRT, ph_graph_sub(g, one, ph_graph_mul(g, a, a)), 0));
    case PH_OP_ATAN:
        return ph_graph_div(g, one, ph_graph_add(g, one, ph_graph_mul(g, a, a)));
    default:
        g->failed =
            PH_E_UNSUPPORTED; /* has a corner; formulas that need derivatives refuse it as they are read */
        return 0;
    }
}

/* ---- Reverse mode ------------------------------------------------------------------------------- */

enum { REACHED = 1, WANTED = 2, LEADS = 4 }; /* marks: LEADS to a leaf that is asked for */

static bool leads(const ph_graph *g, ph_expr i)
{
    return g->mark[i] & LEADS;
}

/* The adjoint of i += d, where that is asked for. */
static void give(ph_graph *g, ph_expr i, ph_expr d)
{
    const ph_expr sum = leads(g, i) ? ph_graph_add(g, g->adjoint[i], d) : 0;
    g->adjoint[i] = sum; /* which may have moved */
}

/* What node i with the adjoint `own` adds to those of its operands. */
static void pull(ph_graph *g, ph_expr i, ph_expr own)
{
    const ph_expr_data node = g->node[i];
    ph_expr quotient;
    switch (node.op) {
    case PH_OP_ADD:
    case PH_OP_SUB:
        give(g, node.a, own);
        give(g, node.b, node.op == PH_OP_ADD ? own : ph_graph_scale(g, -1, own));
        break;
    case PH_OP_NEG:
        give(g, node.a, ph_graph_scale(g, -1, own));
        break;
    case PH_OP_MUL:
        if (leads(g, node.a))
            give(g, node.a, ph_graph_mul(g, own, node.b));
        if (leads(g, node.b))
            give(g, node.b, ph_graph_mul(g, own, node.a));
        break;
    case PH_OP_DIV: /* with one division */
        quotient = ph_graph_div(g, own, node.b);
        give(g, node.a, quotient);
        if (leads(g, node.b))
            give(g, node.b, ph_graph_scale(g, -1, ph_graph_mul(g, quotient, i)));
        break;
    case PH_OP_SQRT: /* likewise */
        give(g, node.a, ph_graph_div(g, ph_graph_scale(g, 0.5, own), i));
        break;
    default:
        give(g, node.a, ph_graph_mul(g, own, slope(g, i)));
    }
}

static int ascending(const void *a, const void *b)
{
    const ph_expr *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* g->list <- the nodes below out, ascending, with their marks; the result: how many. */
static size_t collect(ph_graph *g, ph_expr out)
{
    size_t n = 0;
    g->list[n++] = out;
    g->mark[out] |= REACHED;
    for (size_t at = 0; at < n; at++) {
        const ph_expr_data *node = &g->node[g->list[at]];
        const ph_expr below[2] = {node->a, node->b};
        for (size_t k = 0; k < ph_op_operands(node->op); k++)
            if (!(g->mark[below[k]] & REACHED)) {
                g->mark[below[k]] |= REACHED;
                g->list[n++] = below[k];
            }
    }
    qsort(g->list, n, sizeof *g->list, ascending);
    for (size_t at = 0; at < n; at++) {
        const ph_expr i = g->list[at];
        const ph_expr_data *node = &g->node[i];
        const size_t operands = ph_op_operands(node->op);
        if (g->mark[i] & WANTED || (operands > 0 && leads(g, node->a)) || (operands > 1 && leads(g, node->b)))
            g->mark[i] |= LEADS;
    }
    return n;
}

void ph_graph_reverse(ph_graph *g, ph_expr out, const ph_expr *leaves, size_t n, ph_expr *d)
{
    memset(d, 0, n * sizeof *d);
    if (g->failed)
        return;
    for (size_t i = 0; i < n; i++)
        g->mark[leaves[i]] = WANTED;
    const size_t below = collect(g, out);
    const ph_expr one = ph_graph_number(g, 1);
    g->adjoint[out] = one;
    for (size_t at = below; at-- > 0 && !g->failed;) {
        const ph_expr i = g->list[at], own = g->adjoint[i];
        if (leads(g, i) && own != 0 && ph_op_operands(g->node[i].op) > 0)
            pull(g, i, own);
    }
    for (size_t i = 0; i < n; i++) {
        d[i] = g->adjoint[leaves[i]];
        g->mark[leaves[i]] = 0;
    }
    for (size_t at = 0; at < below; at++)
        g->adjoint[g->list[at]] = g->mark[g->list[at]] = 0;
}

/* ---- Forward mode, substitution, degree ----------------------------------------------------------- */

/* The tangent of node i, those of whose operands are da and db. */
static ph_expr push(ph_graph *g, ph_expr i, ph_expr da, ph_expr db)
{
    const ph_expr_data node = g->node[i];
    switch (node.op) {
    case PH_OP_ADD:
        return ph_graph_add(g, da, db);
    case PH_OP_SUB:
        return ph_graph_sub(g, da, db);
    case PH_OP_NEG:
        return ph_graph_scale(g, -1, da);
    case PH_OP_MUL:
        return ph_graph_add(g, ph_graph_mul(g, da, node.b), ph_graph_mul(g, node.a, db));
    case PH_OP_DIV:
        return ph_graph_div(g, ph_graph_sub(g, da, ph_graph_mul(g, i, db)), node.b);
    default:
        return da == 0 && db == 0 ? 0 : ph_graph_mul(g, slope(g, i), da);
    }
}

/* memo <- the tangents of all nodes below outs, or what stands in their place, where it has none: from the bottom to
 * the top. */
static void sweep(ph_graph *g, const ph_expr *outs, size_t n, ph_expr_map *memo, bool tangents, ph_expr *to)
{
    unsigned char *reached = ph_graph_reach(g, outs, n);
    const size_t below = g->n;
    for (ph_expr i = 0; reached && i < below && !g->failed; i++) {
        if (!reached[i] || ph_map_get(memo, i) != PH_NO_EXPR)
            continue;
        const ph_expr_data node = g->node[i];
        const size_t operands = ph_op_operands(node.op);
        const ph_expr a = operands > 0 ? ph_map_get(memo, node.a) : 0,
                      b = operands > 1 ? ph_map_get(memo, node.b) : 0;
        ph_map_put(g, memo, i,
                   operands == 0 ? (tangents ? 0 : i)
                   : tangents    ? push(g, i, a, b)
                                 : ph_graph_apply(g, node.op, a, b));
    }
    for (size_t i = 0; i < n; i++)
        to[i] = g->failed ? 0 : ph_map_get(memo, outs[i]);
    free(reached);
}

void ph_graph_forward(ph_graph *g, const ph_expr *outs, size_t n, ph_expr_map *memo, ph_expr *d)
{
    sweep(g, outs, n, memo, true, d);
}

void ph_graph_substitute(ph_graph *g, const ph_expr *outs, size_t n, ph_expr_map *memo, ph_expr *to)
{
    sweep(g, outs, n, memo, false, to);
}

static unsigned degree_of(const ph_expr_data *node, const unsigned char *degree, unsigned on)
{
    const size_t operands = ph_op_operands(node->op);
    if (operands == 0)
        return (node->depends & on) != 0;
    const unsigned a = operands > 0 ? degree[node->a] : 0, b = operands > 1 ? degree[node->b] : 0;
    switch (node->op) {
    case PH_OP_ADD:
    case PH_OP_SUB:
        return a > b ? a : b;
    case PH_OP_MUL:
        return a + b < PH_NO_DEGREE ? a + b : PH_NO_DEGREE;
    case PH_OP_NEG:
        return a;
    case PH_OP_DIV:
        return b ? PH_NO_DEGREE : a;
    default:
        return a || b ? PH_NO_DEGREE : 0;
    }
}

unsigned char *ph_graph_degrees(ph_graph *g, const ph_expr *outs, size_t n, unsigned on)
{
    unsigned char *reached = ph_graph_reach(g, outs, n), *degree = reached ? malloc(g->n) : NULL;
    if (reached && !degree)
        g->failed = PH_E_NO_MEMORY;
    for (size_t i = 0; degree && i < g->n; i++)
        degree[i] = reached[i] ? (unsigned char)degree_of(&g->node[i], degree, on) : 0;
    free(reached);
    return degree;
}

unsigned ph_graph_degree(ph_graph *g, const ph_expr *outs, size_t n)
{
    unsigned char *degree = ph_graph_degrees(g, outs, n, PH_ON_V);
    unsigned most = 0;
    for (size_t i = 0; degree && i < n; i++)
        most = degree[outs[i]] > most ? degree[outs[i]] : most;
    free(degree);
    return most;
}
