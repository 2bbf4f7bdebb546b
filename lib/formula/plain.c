/* SPDX-License-Identifier: BSD-3-Clause */
/* How simply expressions depend on the configuration: what is known of them at some points in general position is then known
 * everywhere, which is what kinds of systems that are recognised by their numbers rest on (definition.h: constraint_is_steady,
 * is_plain). */
#include "builder.h"

#include <stdlib.h>

/* Of a leaf. */
static unsigned char leaf_degree(const ph_formulas *f, const ph_expr_data *e)
{
    if (e->op == PH_OP_TIME)
        return PH_FORMULA_NOT_PLAIN;
    for (size_t k = 0; k < f->n_factors && e->op == PH_OP_Z; k++) {
        const ph_formula_factor *factor = &f->factors[k];
        if (factor->kind == PH_FACTOR_R && e->a >= factor->z && e->a < factor->z + factor->nz)
            return 1;
    }
    return 0;
}

/* Of a node whose operands have these. */
static unsigned char node_degree(enum ph_op op, unsigned char a, unsigned char b)
{
    const unsigned char larger = a > b ? a : b;
    const unsigned sum = (unsigned)a + b;
    switch (op) {
    case PH_OP_ADD:
    case PH_OP_SUB:
        return larger;
    case PH_OP_MUL:
        return sum < PH_FORMULA_NOT_PLAIN ? (unsigned char)sum : PH_FORMULA_NOT_PLAIN;
    case PH_OP_DIV:
        return b ? PH_FORMULA_NOT_PLAIN : a;
    case PH_OP_NEG:
        return a;
    case PH_OP_SQRT:
        return a ? PH_FORMULA_NOT_PLAIN : 0;
    default:
        return PH_FORMULA_NOT_PLAIN;
    }
}

ph_status ph_formula_degree(ph_formula_builder *b, const ph_expr *of, size_t n, int *degree)
{
    const ph_graph *g = &b->f->graph;
    unsigned char *all = malloc(g->n);
    *degree = 0;
    if (!all)
        return ph_formula_no_memory(b->err);
    for (size_t i = 0; i < g->n; i++) { /* operands come before what is made of them */
        const ph_expr_data *e = &g->node[i];
        if (!(e->depends & (PH_ON_Z | PH_ON_V | PH_ON_TIME)))
            all[i] = 0;
        else if (e->op < PH_OP_ADD)
            all[i] = leaf_degree(b->f, e);
        else
            all[i] = node_degree(e->op, all[e->a], e->op == PH_OP_NEG || e->op == PH_OP_SQRT ? 0 : all[e->b]);
    }
    for (size_t i = 0; i < n; i++)
        *degree = all[of[i]] > *degree ? all[of[i]] : *degree;
    free(all);
    return PH_OK;
}
