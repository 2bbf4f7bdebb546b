/* SPDX-License-Identifier: BSD-3-Clause */
/* How simply expressions depend on the configuration. What polynomials and rational functions are at some points in general position
 * they are everywhere, which is what kinds of systems that are recognised by their numbers rest on (definition.h:
 * constraint_is_steady, is_plain). A square root can be a wall, sqrt(u^2) + u: there is one at most, and it must be known. */
#include "builder.h"

#include <stdlib.h>

static ph_formula_plain both(ph_formula_plain a, ph_formula_plain b)
{
    const bool other = a.root != PH_NO_EXPR && b.root != PH_NO_EXPR && a.root != b.root;
    const unsigned char larger = a.degree > b.degree ? a.degree : b.degree;
    return (ph_formula_plain){.degree = other ? PH_FORMULA_NOT_PLAIN : larger,
                              .divides = a.divides || b.divides,
                              .root = a.root != PH_NO_EXPR ? a.root : b.root};
}

static ph_formula_plain of_leaf(const ph_formulas *f, const ph_expr_data *e)
{
    ph_formula_plain p = {.degree = e->op == PH_OP_TIME ? PH_FORMULA_NOT_PLAIN : 0, .root = PH_NO_EXPR};
    for (size_t k = 0; k < f->n_factors && e->op == PH_OP_Z; k++) {
        const ph_formula_factor *factor = &f->factors[k];
        if (factor->kind == PH_FACTOR_R && e->a >= factor->z && e->a < factor->z + factor->nz)
            p.degree = 1;
    }
    return p;
}

/* Of node i, whose operands are known. */
static ph_formula_plain of_node(const ph_graph *g, const ph_formula_plain *known, ph_expr i)
{
    const ph_expr_data *e = &g->node[i];
    ph_formula_plain p = known[e->a];
    switch (e->op) {
    case PH_OP_ADD:
    case PH_OP_SUB:
        return both(p, known[e->b]);
    case PH_OP_MUL: {
        const unsigned sum = (unsigned)p.degree + known[e->b].degree;
        p = both(p, known[e->b]);
        p.degree = sum > p.degree ? (unsigned char)(sum < PH_FORMULA_NOT_PLAIN ? sum : PH_FORMULA_NOT_PLAIN)
                                  : p.degree;
        return p;
    }
    case PH_OP_DIV: {
        const unsigned char below = known[e->b].degree;
        p = both(p, known[e->b]);
        p.degree = below ? PH_FORMULA_NOT_PLAIN : p.degree;
        p.divides = p.divides || g->node[e->b].depends & PH_ON_Z;
        return p;
    }
    case PH_OP_NEG:
        return p;
    case PH_OP_SQRT:
        return (ph_formula_plain){
            .degree = p.degree || p.divides || p.root != PH_NO_EXPR ? PH_FORMULA_NOT_PLAIN : 0,
            .divides = true,
            .root = i};
    default:
        return (ph_formula_plain){.degree = PH_FORMULA_NOT_PLAIN, .root = PH_NO_EXPR};
    }
}

ph_status ph_formula_find_plain(ph_formula_builder *b, const ph_expr *of, size_t n, ph_formula_plain *all)
{
    const ph_graph *g = &b->f->graph;
    ph_formula_plain *known = malloc(g->n * sizeof *known);
    if (!known)
        return ph_formula_no_memory(b->err);
    for (size_t i = 0; i < g->n; i++) { /* operands come before what is made of them */
        const ph_expr_data *e = &g->node[i];
        if (!(e->depends & (PH_ON_Z | PH_ON_V | PH_ON_TIME)))
            known[i] = (ph_formula_plain){.root = PH_NO_EXPR};
        else
            known[i] = e->op < PH_OP_ADD ? of_leaf(b->f, e) : of_node(g, known, (ph_expr)i);
    }
    for (size_t i = 0; i < n; i++)
        *all = both(*all, known[of[i]]);
    free(known);
    return PH_OK;
}
