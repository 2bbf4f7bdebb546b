/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as a graph: each node once (hash-consing), so that what occurs twice is computed once. A node is
 * a leaf or an operation on one or two nodes, whose numbers are smaller: ascending order is an order of
 * evaluation. Nodes are simplified as they are made, by rules that keep the bits of an evaluation, but for the
 * sign of a zero and NaN out of 0 x: numbers are folded; 0 and 1; x - x; x + x; powers of two and minus signs
 * are pulled out of products and quotients; sums and products are sorted by node. Nothing is reassociated, nothing
 * distributed, nothing cancelled. Parameters are leaves: a derivative is right for all of their values, except that
 * one which is exactly 0 is a number.
 *
 * A graph that fails (memory, MAX_NODES) says so in `failed`; its functions then return 0, which is a node. */
#ifndef PH_EXPRESSION_GRAPH_H
#define PH_EXPRESSION_GRAPH_H

#include <polhode/kit/elementary.h>
#include <polhode/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions of one number: X(OP, its name, that in C). Of those from ABS on there is no derivative. */
#define PH_FUNCTION_LIST(X)                                                                                  \
    X(SQRT, "sqrt", sqrt)                                                                                    \
    X(SIN, "sin", ph_sin)                                                                                    \
    X(COS, "cos", ph_cos)                                                                                    \
    X(TAN, "tan", ph_tan)                                                                                    \
    X(EXP, "exp", ph_exp)                                                                                    \
    X(LOG, "log", ph_log)                                                                                    \
    X(SINH, "sinh", ph_sinh)                                                                                 \
    X(COSH, "cosh", ph_cosh)                                                                                 \
    X(TANH, "tanh", ph_tanh)                                                                                 \
    X(ASIN, "asin", ph_asin)                                                                                 \
    X(ACOS, "acos", ph_acos)                                                                                 \
    X(ATAN, "atan", ph_atan)                                                                                 \
    X(ABS, "abs", fabs)
/* Of two, likewise without a derivative. */
#define PH_PAIR_LIST(X)                                                                                      \
    X(MIN, "min", fmin)                                                                                      \
    X(MAX, "max", fmax)                                                                                      \
    X(ATAN2, "atan2", ph_atan2)

enum ph_op {
    PH_OP_NUMBER,
    PH_OP_PARAMETER,
    PH_OP_Z,
    PH_OP_V,     /* a component of zdot */
    PH_OP_OMEGA, /* of the angular velocity of a factor, which stands for itself until ph_omega_written_out */
    PH_OP_TIME,
    PH_OP_ADD, /* the first that is no leaf */
    PH_OP_SUB,
    PH_OP_MUL,
    PH_OP_DIV,
    PH_OP_NEG,
#define PH_OP_OF(op, name, function) PH_OP_##op,
    PH_FUNCTION_LIST(PH_OP_OF) PH_PAIR_LIST(PH_OP_OF)
#undef PH_OP_OF
        PH_OPS
};

/* What a node depends on, a bit each. */
enum {
    PH_ON_PARAMETERS = 1,
    PH_ON_Z = 2,
    PH_ON_V = 4,
    PH_ON_TIME = 8,
    PH_ROUGH = 16 /* has a corner or jumps */
};

typedef uint32_t ph_expr;
enum { PH_NO_EXPR = UINT32_MAX, PH_MAX_NODES = 1 << 21 };

typedef struct ph_expr_data {
    uint8_t op, depends;
    union {
        struct {
            ph_expr a, b; /* operands; of a leaf a is which one */
        };
        double value;
    };
} ph_expr_data;

typedef struct ph_graph {
    ph_expr_data *node;
    ph_expr *slot; /* the hash table, of `slots` entries, a power of two */
    size_t n, room, slots;
    ph_expr *list, *adjoint; /* (room) of ph_graph_reverse: scratch, and zeros */
    unsigned char *mark;     /* (room) likewise zeros */
    ph_status failed;
} ph_graph;

/* An array by node that grows; PH_NO_EXPR where nothing was put. */
typedef struct ph_expr_map {
    ph_expr *to;
    size_t n;
} ph_expr_map;

ph_status ph_graph_create(ph_graph *g); /* node 0 is the number 0 */
void ph_graph_release(ph_graph *g);

ph_expr ph_graph_number(ph_graph *g, double x);
ph_expr ph_graph_leaf(ph_graph *g, enum ph_op leaf, size_t i);
ph_expr ph_graph_add(ph_graph *g, ph_expr a, ph_expr b);
ph_expr ph_graph_sub(ph_graph *g, ph_expr a, ph_expr b);
ph_expr ph_graph_mul(ph_graph *g, ph_expr a, ph_expr b);
ph_expr ph_graph_div(ph_graph *g, ph_expr a, ph_expr b);
ph_expr ph_graph_scale(ph_graph *g, double s, ph_expr a); /* s a, s = +-2^k */
ph_expr ph_graph_apply(ph_graph *g, enum ph_op op, ph_expr a,
                       ph_expr b); /* any operation; b where it has two */
ph_expr ph_graph_power(ph_graph *g, ph_expr a, double exponent);
/* a[0] b[0] + a[1] b[1] + ..., from the left */
ph_expr ph_graph_dot(ph_graph *g, const ph_expr *a, const ph_expr *b, size_t n);

bool ph_graph_is_number(const ph_graph *g, ph_expr a, double *x); /* x nullable */
size_t ph_op_operands(enum ph_op op);                             /* 0: a leaf */
double ph_op_value(enum ph_op op, double a, double b);

ph_expr ph_map_get(const ph_expr_map *map, ph_expr i);
void ph_map_put(ph_graph *g, ph_expr_map *map, ph_expr i, ph_expr to); /* failure: g->failed */
void ph_map_release(ph_expr_map *map);

/* Those that are reached from `outs`, themselves included: flags (g->n, calloc), or NULL (g->failed). */
unsigned char *ph_graph_reach(ph_graph *g, const ph_expr *outs, size_t n);

/* May so many derivatives of all of it be taken, with so many results in all? If not, g->failed is PH_E_RANGE: a text from a
 * stranger takes bounded time and memory. */
bool ph_graph_affords(ph_graph *g, size_t derivatives, size_t results);

/* ---- Derivatives (derivative.c); failures: g->failed -------------------------------------------------- */

/* d (n) <- d out / d leaves, by reverse mode. */
void ph_graph_reverse(ph_graph *g, ph_expr out, const ph_expr *leaves, size_t n, ph_expr *d);
/* d (n) <- the tangents of outs, by forward mode. memo: those of leaves, 0 where nothing is put; it keeps those of
 * all other nodes, for further calls with the same leaves. */
void ph_graph_forward(ph_graph *g, const ph_expr *outs, size_t n, ph_expr_map *memo, ph_expr *d);
/* to (n) <- outs with other nodes in the place of some, put into memo; it keeps the others, likewise. */
void ph_graph_substitute(ph_graph *g, const ph_expr *outs, size_t n, ph_expr_map *memo, ph_expr *to);
/* The degree in the velocities (V, OMEGA) as a polynomial, the largest of outs; PH_NO_DEGREE where one is none. */
enum { PH_NO_DEGREE = 99 };
unsigned ph_graph_degree(ph_graph *g, const ph_expr *outs, size_t n);
/* (g->n, to be freed; NULL: g->failed) the same of each node below outs, in the leaves that are PH_ON_...; else 0. */
unsigned char *ph_graph_degrees(ph_graph *g, const ph_expr *outs, size_t n, unsigned on);

/* ---- Values --------------------------------------------------------------------------------------- */

typedef struct ph_point {
    const double *parameters, *z, *v, *omega; /* NULL where there are none */
    double t;
} ph_point;
/* x (n) <- the values of outs; slow, for what is computed once. */
void ph_graph_values(ph_graph *g, const ph_expr *outs, size_t n, const ph_point *at, double *x);

#endif
