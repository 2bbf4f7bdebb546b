/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes, their simplification, their values. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ph_op_operands(enum ph_op op)
{
    return op < PH_OP_ADD ? 0 : op < PH_OP_NEG || op >= PH_OP_MIN ? 2 : 1;
}

double ph_op_value(enum ph_op op, double a, double b)
{
    switch (op) {
    case PH_OP_ADD:
        return a + b;
    case PH_OP_SUB:
        return a - b;
    case PH_OP_MUL:
        return a * b;
    case PH_OP_DIV:
        return a / b;
    case PH_OP_NEG:
        return -a;
#define ONE(op, name, function)                                                                              \
    case PH_OP_##op:                                                                                         \
        return function(a);
#define TWO(op, name, function)                                                                              \
    case PH_OP_##op:                                                                                         \
        return function(a, b);
        PH_FUNCTION_LIST(ONE)
        PH_PAIR_LIST(TWO)
#undef ONE
#undef TWO
    default:
        return NAN;
    }
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static size_t hash_node(const ph_expr_data *node)
{
    uint64_t h = (uint64_t)node->b << 32 | node->a;
    h = (h ^ (uint64_t)node->op << 56) * 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 29);
}

static bool same_node(const ph_expr_data *a, const ph_expr_data *b)
{
    return a->op == b->op && a->a == b->a && a->b == b->b;
}

/* Twice as many slots, and nodes in them; false without memory. */
static bool grow(ph_graph *g)
{
    const size_t slots = g->slots ? 2 * g->slots : 1024;
    ph_expr *slot = malloc(slots * sizeof *slot);
    ph_expr_data *node = slot ? realloc(g->node, slots / 2 * sizeof *node) : NULL;
    g->node = node ? node : g->node;
    ph_expr *list = node ? realloc(g->list, slots / 2 * sizeof *list) : NULL;
    g->list = list ? list : g->list;
    ph_expr *adjoint = list ? realloc(g->adjoint, slots / 2 * sizeof *adjoint) : NULL;
    g->adjoint = adjoint ? adjoint : g->adjoint;
    unsigned char *mark = adjoint ? realloc(g->mark, slots / 2) : NULL;
    g->mark = mark ? mark : g->mark;
    if (!mark) {
        free(slot);
        return false;
    }
    memset(adjoint + g->room, 0, (slots / 2 - g->room) * sizeof *adjoint);
    memset(mark + g->room, 0, slots / 2 - g->room);
    memset(slot, 0xff, slots * sizeof *slot);
    for (size_t i = 0; i < g->n; i++) {
        size_t at = hash_node(&node[i]) & (slots - 1);
        while (slot[at] != PH_NO_EXPR)
            at = (at + 1) & (slots - 1);
        slot[at] = (ph_expr)i;
    }
    free(g->slot);
    g->slot = slot, g->slots = slots, g->room = slots / 2;
    return true;
}

/* The node like this one, which is made if there is none. */
static ph_expr intern(ph_graph *g, ph_expr_data node)
{
    if (g->failed)
        return 0;
    if (g->n == g->room && (g->n >= PH_MAX_NODES || !grow(g))) {
        g->failed = g->n >= PH_MAX_NODES ? PH_E_RANGE : PH_E_NO_MEMORY;
        return 0;
    }
    size_t at = hash_node(&node) & (g->slots - 1);
    for (; g->slot[at] != PH_NO_EXPR; at = (at + 1) & (g->slots - 1))
        if (same_node(&g->node[g->slot[at]], &node))
            return g->slot[at];
    g->node[g->n] = node;
    g->slot[at] = (ph_expr)g->n;
    return (ph_expr)g->n++;
}

ph_expr ph_graph_number(ph_graph *g, double x)
{
    return intern(g, (ph_expr_data){.op = PH_OP_NUMBER, .value = x + 0.0}); /* of -0 a 0 */
}

ph_expr ph_graph_leaf(ph_graph *g, enum ph_op leaf, size_t i)
{
    static const uint8_t on[] = {0, PH_ON_PARAMETERS, PH_ON_Z, PH_ON_V, PH_ON_V, PH_ON_TIME};
    return intern(g, (ph_expr_data){.op = (uint8_t)leaf, .depends = on[leaf], .a = (ph_expr)i});
}

static ph_expr make(ph_graph *g, enum ph_op op, ph_expr a, ph_expr b)
{
    const uint8_t depends = g->node[a].depends | (ph_op_operands(op) > 1 ? g->node[b].depends : 0) |
                            (op >= PH_OP_ABS ? PH_ROUGH : 0);
    return intern(g, (ph_expr_data){.op = (uint8_t)op, .depends = depends, .a = a, .b = b});
}

ph_status ph_graph_create(ph_graph *g)
{
    *g = (ph_graph){.node = NULL};
    ph_graph_number(g, 0);
    return g->failed;
}

void ph_graph_release(ph_graph *g)
{
    free(g->node);
    free(g->slot);
    free(g->list);
    free(g->adjoint);
    free(g->mark);
    *g = (ph_graph){.node = NULL};
}

bool ph_graph_is_number(const ph_graph *g, ph_expr a, double *x)
{
    if (x && g->node[a].op == PH_OP_NUMBER)
        *x = g->node[a].value;
    return g->node[a].op == PH_OP_NUMBER;
}

/* ---- Rules -------------------------------------------------------------------------------------- */

static bool is_power_of_two(double x)
{
    int exponent;
    return isfinite(x) && fabs(frexp(x, &exponent)) == 0.5;
}

/* a = s *base, where s = +-2^k: exact, as long as nothing underflows. */
static double split(const ph_graph *g, ph_expr a, ph_expr *base)
{
    const ph_expr_data *node = &g->node[a];
    double s;
    *base = a;
    if (node->op == PH_OP_NEG) {
        *base = node->a;
        return -1;
    }
    if (node->op == PH_OP_MUL && ph_graph_is_number(g, node->a, &s) && is_power_of_two(s)) {
        *base = node->b;
        return s;
    }
    return 1;
}

ph_expr ph_graph_scale(ph_graph *g, double s, ph_expr a)
{
    double x;
    ph_expr base;
    if (ph_graph_is_number(g, a, &x))
        return ph_graph_number(g, s * x);
    s *= split(g, a, &base);
    return s == 1    ? base
           : s == -1 ? make(g, PH_OP_NEG, base, 0)
                     : make(g, PH_OP_MUL, ph_graph_number(g, s), base);
}

/* Both numbers? Then *folded <- of their values. */
static bool fold(ph_graph *g, enum ph_op op, ph_expr a, ph_expr b, ph_expr *folded)
{
    double x, y;
    if (!ph_graph_is_number(g, a, &x) || !ph_graph_is_number(g, b, &y) || !isfinite(ph_op_value(op, x, y)))
        return false;
    *folded = ph_graph_number(g, ph_op_value(op, x, y));
    return true;
}

/* An operation that commutes, its operands sorted. */
static ph_expr make_sorted(ph_graph *g, enum ph_op op, ph_expr a, ph_expr b)
{
    return a < b ? make(g, op, a, b) : make(g, op, b, a);
}

static ph_expr negative(const ph_graph *g, ph_expr a) /* of -x the node x, else PH_NO_EXPR */
{
    return g->node[a].op == PH_OP_NEG ? g->node[a].a : PH_NO_EXPR;
}

ph_expr ph_graph_add(ph_graph *g, ph_expr a, ph_expr b)
{
    ph_expr folded;
    if (fold(g, PH_OP_ADD, a, b, &folded))
        return folded;
    if (a == 0 || b == 0)
        return a + b;
    if (a == b)
        return ph_graph_scale(g, 2, a);
    if (negative(g, b) != PH_NO_EXPR)
        return ph_graph_sub(g, a, negative(g, b));
    if (negative(g, a) != PH_NO_EXPR)
        return ph_graph_sub(g, b, negative(g, a));
    return make_sorted(g, PH_OP_ADD, a, b);
}

ph_expr ph_graph_sub(ph_graph *g, ph_expr a, ph_expr b)
{
    ph_expr folded;
    if (fold(g, PH_OP_SUB, a, b, &folded))
        return folded;
    if (b == 0)
        return a;
    if (a == 0)
        return ph_graph_scale(g, -1, b);
    if (a == b)
        return 0;
    if (negative(g, b) != PH_NO_EXPR)
        return ph_graph_add(g, a, negative(g, b));
    if (negative(g, a) != PH_NO_EXPR)
        return ph_graph_scale(g, -1, ph_graph_add(g, negative(g, a), b));
    return make(g, PH_OP_SUB, a, b);
}

ph_expr ph_graph_mul(ph_graph *g, ph_expr a, ph_expr b)
{
    ph_expr folded;
    double x;
    if (fold(g, PH_OP_MUL, a, b, &folded))
        return folded;
    if (a == 0 || b == 0)
        return 0;
    double s = split(g, a, &a);
    s *= split(g, b, &b);
    if (ph_graph_is_number(g, b, NULL)) {
        const ph_expr number = b;
        b = a, a = number;
    }
    if (ph_graph_is_number(g, a, &x))
        return is_power_of_two(x) ? ph_graph_scale(g, s * x, b)
                                  : ph_graph_scale(g, s, make(g, PH_OP_MUL, a, b));
    return ph_graph_scale(g, s, make_sorted(g, PH_OP_MUL, a, b));
}

ph_expr ph_graph_div(ph_graph *g, ph_expr a, ph_expr b)
{
    ph_expr folded;
    double x;
    if (fold(g, PH_OP_DIV, a, b, &folded))
        return folded;
    if (a == 0 && b != 0)
        return 0;
    double s = split(g, a, &a);
    s /= split(g, b, &b);
    if (ph_graph_is_number(g, b, &x) && is_power_of_two(x))
        return ph_graph_scale(g, s / x, a);
    return ph_graph_scale(g, s, make(g, PH_OP_DIV, a, b));
}

ph_expr ph_graph_apply(ph_graph *g, enum ph_op op, ph_expr a, ph_expr b)
{
    ph_expr folded;
    switch (op) {
    case PH_OP_ADD:
        return ph_graph_add(g, a, b);
    case PH_OP_SUB:
        return ph_graph_sub(g, a, b);
    case PH_OP_MUL:
        return ph_graph_mul(g, a, b);
    case PH_OP_DIV:
        return ph_graph_div(g, a, b);
    case PH_OP_NEG:
        return ph_graph_scale(g, -1, a);
    default:
        if (ph_op_operands(op) < 2)
            b = 0;
        return fold(g, op, a, b, &folded) ? folded : make(g, op, a, b);
    }
}

/* By squaring. */
static ph_expr whole_power(ph_graph *g, ph_expr a, unsigned n)
{
    ph_expr power = ph_graph_number(g, 1), square = a;
    for (; n; n >>= 1) {
        if (n & 1)
            power = ph_graph_mul(g, power, square);
        if (n > 1)
            square = ph_graph_mul(g, square, square);
    }
    return power;
}

ph_expr ph_graph_power(ph_graph *g, ph_expr a, double exponent)
{
    enum { LARGEST = 64 };
    const double size = fabs(exponent);
    if (!(size <= LARGEST) || 2 * size != floor(2 * size))
        return ph_graph_apply(
            g, PH_OP_EXP, ph_graph_mul(g, ph_graph_number(g, exponent), ph_graph_apply(g, PH_OP_LOG, a, 0)),
            0);
    ph_expr power = whole_power(g, a, (unsigned)size);
    if (size != floor(size))
        power = ph_graph_mul(g, power, ph_graph_apply(g, PH_OP_SQRT, a, 0));
    return exponent < 0 ? ph_graph_div(g, ph_graph_number(g, 1), power) : power;
}

ph_expr ph_graph_dot(ph_graph *g, const ph_expr *a, const ph_expr *b, size_t n)
{
    ph_expr sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = ph_graph_add(g, sum, ph_graph_mul(g, a[i], b[i]));
    return sum;
}

/* ---- Maps, values --------------------------------------------------------------------------------- */

ph_expr ph_map_get(const ph_expr_map *map, ph_expr i)
{
    return i < map->n ? map->to[i] : PH_NO_EXPR;
}

void ph_map_put(ph_graph *g, ph_expr_map *map, ph_expr i, ph_expr to)
{
    if (i >= map->n) {
        const size_t n = (size_t)i + g->n / 4 + 64;
        ph_expr *more = realloc(map->to, n * sizeof *more);
        if (!more) {
            g->failed = PH_E_NO_MEMORY;
            return;
        }
        memset(more + map->n, 0xff, (n - map->n) * sizeof *more);
        map->to = more, map->n = n;
    }
    map->to[i] = to;
}

void ph_map_release(ph_expr_map *map)
{
    free(map->to);
    *map = (ph_expr_map){NULL, 0};
}

unsigned char *ph_graph_reach(ph_graph *g, const ph_expr *outs, size_t n)
{
    unsigned char *reached = g->failed ? NULL : calloc(g->n, 1);
    if (!reached) {
        g->failed = g->failed ? g->failed : PH_E_NO_MEMORY;
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        reached[outs[i]] = 1;
    for (size_t i = g->n; i-- > 0;) {
        const size_t operands = reached[i] ? ph_op_operands(g->node[i].op) : 0;
        if (operands > 0)
            reached[g->node[i].a] = 1;
        if (operands > 1)
            reached[g->node[i].b] = 1;
    }
    return reached;
}

static double value_of_leaf(const ph_expr_data *leaf, const ph_point *at)
{
    const double *from = leaf->op == PH_OP_PARAMETER ? at->parameters
                         : leaf->op == PH_OP_Z       ? at->z
                         : leaf->op == PH_OP_V       ? at->v
                         : leaf->op == PH_OP_OMEGA   ? at->omega
                                                     : NULL;
    return leaf->op == PH_OP_NUMBER ? leaf->value
           : leaf->op == PH_OP_TIME ? at->t
           : from                   ? from[leaf->a]
                                    : NAN;
}

void ph_graph_values(ph_graph *g, const ph_expr *outs, size_t n, const ph_point *at, double *x)
{
    unsigned char *reached = ph_graph_reach(g, outs, n);
    double *value = reached ? malloc(g->n * sizeof *value) : NULL;
    for (size_t i = 0; value && i < g->n; i++) {
        const ph_expr_data *node = &g->node[i];
        const size_t operands = ph_op_operands(node->op);
        if (reached[i])
            value[i] = operands == 0
                           ? value_of_leaf(node, at)
                           : ph_op_value(node->op, value[node->a], operands > 1 ? value[node->b] : 0);
    }
    for (size_t i = 0; i < n; i++)
        x[i] = value ? value[outs[i]] : NAN;
    if (reached && !value)
        g->failed = PH_E_NO_MEMORY;
    free(reached);
    free(value);
}
