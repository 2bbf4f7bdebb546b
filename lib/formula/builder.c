/* SPDX-License-Identifier: BSD-3-Clause */
/* Means of what builds a system of formulas: failures, rooms, tapes, texts with their units, derivatives. */
#include "builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ph_status ph_formula_failed(const ph_formula_builder *b)
{
    const ph_status failed = b->f->graph.failed;
    if (failed == PH_E_NO_MEMORY)
        return ph_formula_no_memory(b->err);
    return failed
               ? ph_fail(
                     b->err, failed,
                     "the formulas with their derivatives are too large: there may be %d operations, and matrices of 16 million numbers",
                     PH_MAX_NODES)
               : PH_OK;
}

ph_status ph_formula_read_names(const ph_formula_definition *d, ph_formulas *f, ph_error *err)
{
    ph_status status = PH_OK;
    for (size_t i = 0; i < d->n_parameters && !status; i++) {
        const ph_formula_parameter *p = &d->parameters[i];
        status = ph_formulas_add_parameter(f, p->name, p->rank, p->rows, p->columns, p->values, p->unit, err);
    }
    for (size_t i = 0; i < d->n_space && !status; i++)
        status = ph_formulas_add_factor(f, d->space[i].name, d->space[i].text, d->space[i].unit, err);
    for (size_t i = 0; i < d->n_where && !status; i++)
        status = ph_formulas_abbreviate(f, d->where[i].name, d->where[i].text, err);
    return status;
}

ph_expr *ph_formula_nodes(ph_formula_builder *b, size_t n)
{
    return ph_formulas_room(b->f, (n + !n) * sizeof(ph_expr));
}

ph_status ph_formula_tape(ph_formula_builder *b, ph_formula_part part, const ph_expr *outs, size_t n)
{
    ph_status status = ph_formula_failed(b);
    if (status)
        return status;
    status = ph_tape_create(&b->f->graph, outs, n, b->f->nz, b->f->parameters, &b->user->part[part]);
    return status == PH_E_RANGE ? ph_fail(b->err, status, "the formulas need more than %d numbers at a time",
                                          PH_TAPE_REGISTERS)
           : status             ? ph_formula_no_memory(b->err)
                                : PH_OK;
}

const ph_unit ph_formula_joule = {{2 * PH_UNIT_ONE, PH_UNIT_ONE, -2 * PH_UNIT_ONE}};

ph_status ph_formula_in_unit(ph_formula_builder *b, const char *what, const ph_value *value,
                             const ph_unit *is, const ph_unit *wanted)
{
    char one[96], other[96];
    if (!ph_formulas_have_units(b->f) || memcmp(is, wanted, sizeof *is) == 0)
        return PH_OK;
    return ph_value_is_zero(value) ? PH_OK
                                   : ph_fail(b->err, PH_E_PARSE, "%s is in %s; it should be in %s", what,
                                             ph_unit_text(is, one), ph_unit_text(wanted, other));
}

ph_status ph_formula_read(ph_formula_builder *b, const char *what, const char *text, const ph_unit *unit,
                          unsigned flags, ph_value *value)
{
    ph_status status = ph_formulas_read(b->f, what, text, flags, value, b->err);
    return status || !unit ? status : ph_formula_in_unit(b, what, value, &value->unit, unit);
}

ph_status ph_formula_each(ph_formula_builder *b, const char *what, const char *text, ph_formula_add *add)
{
    ph_list_head list;
    ph_status status = ph_formulas_read_list(b->f, what, text, &list, b->err);
    char entry[2 * PH_FORMULA_NAME + 8];
    snprintf(entry, sizeof entry, "%.*s[%s]", (int)list.length, text, list.index);
    for (int64_t i = list.first; i <= list.last && !status; i++) {
        ph_value value;
        status = ph_formulas_read_at(b->f, what, entry, list.index, i, &value, b->err);
        status = status ? status : add(b, what, &value);
    }
    return status;
}

void ph_formula_found_out(ph_formula_builder *b, const char *format, ...)
{
    const size_t there = strlen(b->found.text);
    va_list words;
    va_start(words, format);
    vsnprintf(b->found.text + there, sizeof b->found.text - there, format, words);
    va_end(words);
}

void ph_formula_along(ph_formula_builder *b, const ph_expr *in, size_t n, ph_expr leaf, ph_expr *d)
{
    ph_expr_map memo = {NULL, 0};
    ph_map_put(&b->f->graph, &memo, leaf, ph_graph_number(&b->f->graph, 1));
    ph_graph_forward(&b->f->graph, in, n, &memo, d);
    ph_map_release(&memo);
}

ph_expr *ph_formula_leaves(ph_formula_builder *b, enum ph_op op)
{
    ph_expr *list = ph_formula_nodes(b, b->f->nz + 1);
    for (size_t i = 0; list && i < b->f->nz; i++)
        list[i] = ph_graph_leaf(&b->f->graph, op, i);
    if (list)
        list[b->f->nz] = ph_graph_leaf(&b->f->graph, PH_OP_TIME, 0);
    return list;
}

ph_status ph_formula_split(ph_formula_builder *b, ph_expr sum, const unsigned char *marked, bool scaled,
                           ph_expr *others, ph_expr *those)
{
    ph_graph *g = &b->f->graph;
    typedef struct term {
        ph_expr node, factor;
    } term;
    *others = *those = 0;
    if (!marked[sum]) {
        *others = sum;
        return PH_OK;
    }
    const size_t most = g->n; /* of what is looked at: a sum may share its terms, and have very many */
    const ph_expr one = ph_graph_number(g, 1);
    term *stack = malloc((most + 2) * sizeof *stack);
    size_t height = 0, looked = 0;
    if (!stack)
        return ph_formula_no_memory(b->err);
    stack[height++] = (term){sum, one};
    for (; height && looked < most && !g->failed; looked++) {
        const term top = stack[--height];
        const ph_expr_data node = g->node[top.node];
        const ph_expr minus = ph_graph_scale(g, -1, top.factor);
        const bool product = scaled && node.op == PH_OP_MUL, first = product && !marked[node.a];
        if (marked[top.node] && (node.op == PH_OP_ADD || node.op == PH_OP_SUB)) {
            stack[height++] = (term){node.b, node.op == PH_OP_SUB ? minus : top.factor};
            stack[height++] = (term){node.a, top.factor};
        } else if (marked[top.node] && node.op == PH_OP_NEG)
            stack[height++] = (term){node.a, minus};
        else if (marked[top.node] && product &&
                 !(g->node[first ? node.a : node.b].depends & ~PH_ON_PARAMETERS))
            stack[height++] =
                (term){first ? node.b : node.a, ph_graph_mul(g, top.factor, first ? node.a : node.b)};
        else {
            ph_expr *to = marked[top.node] ? those : others;
            *to = ph_graph_add(g, *to, ph_graph_mul(g, top.factor, top.node));
        }
    }
    if (height)
        *others = 0, *those = sum;
    free(stack);
    return ph_formula_failed(b);
}
