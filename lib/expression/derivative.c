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

/* adjoint[i] += d, where `on` says that i leads to a leaf that is asked for. */
static void give(ph_graph *g, ph_expr *adjoint, const unsigned char *on, ph_expr i, ph_expr d)
{
    if (on[i])
        adjoint[i] = ph_graph_add(g, adjoint[i], d);
}

/* What node i with the adjoint `own` adds to those of its operands. */
static void pull(ph_graph *g, ph_expr *adjoint, const unsigned char *on, ph_expr i, ph_expr own)
{
    const ph_expr_data node = g->node[i];
    ph_expr quotient;
    switch (node.op) {
    case PH_OP_ADD:
    case PH_OP_SUB:
        give(g, adjoint, on, node.a, own);
        give(g, adjoint, on, node.b, node.op == PH_OP_ADD ? own : ph_graph_scale(g, -1, own));
        break;
    case PH_OP_NEG:
        give(g, adjoint, on, node.a, ph_graph_scale(g, -1, own));
        break;
    case PH_OP_MUL:
        if (on[node.a])
            give(g, adjoint, on, node.a, ph_graph_mul(g, own, node.b));
        if (on[node.b])
            give(g, adjoint, on, node.b, ph_graph_mul(g, own, node.a));
        break;
    case PH_OP_DIV: /* with one division */
        quotient = ph_graph_div(g, own, node.b);
        give(g, adjoint, on, node.a, quotient);
        if (on[node.b])
            give(g, adjoint, on, node.b, ph_graph_scale(g, -1, ph_graph_mul(g, quotient, i)));
        break;
    case PH_OP_SQRT: /* likewise */
        give(g, adjoint, on, node.a, ph_graph_div(g, ph_graph_scale(g, 0.5, own), i));
        break;
    default:
        give(g, adjoint, on, node.a, ph_graph_mul(g, own, slope(g, i)));
    }
}

void ph_graph_reverse(ph_graph *g, ph_expr out, const ph_expr *leaves, size_t n, ph_expr *d)
{
    memset(d, 0, n * sizeof *d);
    unsigned char *on = ph_graph_reach(g, &out, 1), *wanted = on ? calloc(g->n, 1) : NULL;
    ph_expr *adjoint = wanted ? calloc(g->n, sizeof *adjoint) : NULL;
    if (on && !adjoint)
        g->failed = PH_E_NO_MEMORY;
    for (size_t i = 0; adjoint && i < n; i++)
        wanted[leaves[i]] = 1;
    for (ph_expr i = 0; adjoint && i <= out; i++) {
        const size_t operands = ph_op_operands(g->node[i].op);
        on[i] =
            on[i] && (wanted[i] || (operands > 0 && on[g->node[i].a]) || (operands > 1 && on[g->node[i].b]));
    }
    if (adjoint)
        adjoint[out] = ph_graph_number(g, 1);
    for (ph_expr i = out + 1; adjoint && i-- > 0 && !g->failed;)
        if (on[i] && adjoint[i] != 0 && ph_op_operands(g->node[i].op) > 0)
            pull(g, adjoint, on, i, adjoint[i]);
    for (size_t i = 0; adjoint && i < n; i++)
        d[i] = leaves[i] <= out ? adjoint[leaves[i]] : 0;
    free(on);
    free(wanted);
    free(adjoint);
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

static unsigned degree_of(const ph_expr_data *node, const unsigned char *degree)
{
    const size_t operands = ph_op_operands(node->op);
    const unsigned a = operands > 0 ? degree[node->a] : 0, b = operands > 1 ? degree[node->b] : 0;
    switch (node->op) {
    case PH_OP_V:
    case PH_OP_OMEGA:
        return 1;
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

unsigned ph_graph_degree(ph_graph *g, const ph_expr *outs, size_t n)
{
    unsigned char *reached = ph_graph_reach(g, outs, n), *degree = reached ? malloc(g->n) : NULL;
    unsigned most = 0;
    if (reached && !degree)
        g->failed = PH_E_NO_MEMORY;
    for (size_t i = 0; degree && i < g->n; i++)
        degree[i] = reached[i] ? (unsigned char)degree_of(&g->node[i], degree) : 0;
    for (size_t i = 0; degree && i < n; i++)
        most = degree[outs[i]] > most ? degree[outs[i]] : most;
    free(reached);
    free(degree);
    return most;
}
