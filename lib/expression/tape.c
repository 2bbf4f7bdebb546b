/* SPDX-License-Identifier: BSD-3-Clause */
/* The tape: made from a graph, and interpreted. Registers are those of numbers that are known beforehand, then
 * t, dt, z, v, dz, then what is computed, of which each is used again when its value is needed no more. A product that
 * is used once, by the sum behind it, is one instruction with it: still two roundings. */
#include "instructions.h"

#include "lib/internal/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------- */

enum { NONE = UINT16_MAX };

typedef struct maker {
    ph_graph *g;
    ph_tape *tape;
    ph_expr *order, *known; /* (n_order) those that are computed by the tape, (n_known) beforehand */
    size_t n_order, n_known;
    uint32_t *uses;   /* (nodes) how often a node is an operand, outs with one more each */
    uint16_t *place;  /* (nodes) its register */
    uint16_t *vacant; /* registers that may be used again */
    size_t n_vacant, top;
} maker;

static bool is_known(const ph_graph *g, ph_expr i)
{
    return !(g->node[i].depends & (PH_ON_Z | PH_ON_V | PH_ON_TIME));
}

static size_t operands_of(const ph_graph *g, ph_expr i, ph_expr operand[2])
{
    const ph_expr_data *node = &g->node[i];
    operand[0] = node->a, operand[1] = node->b;
    return ph_op_operands(node->op);
}

/* Depth first, so that a value is used soon: m->order, m->known, m->uses. stack: (2 nodes + 1). */
static void put_in_order(maker *m, const ph_expr *outs, size_t n, ph_expr *stack, unsigned char *seen)
{
    enum { ENTERED = 1, DONE = 2 };
    for (size_t k = 0; k < n; k++) {
        size_t height = 0;
        m->uses[outs[k]]++;
        stack[height++] = outs[k];
        while (height) {
            const ph_expr i = stack[height - 1];
            ph_expr operand[2];
            const size_t operands = is_known(m->g, i) ? 0 : operands_of(m->g, i, operand);
            if (seen[i]) {
                height--;
                if (seen[i] == ENTERED && operands)
                    m->order[m->n_order++] = i;
                seen[i] = DONE;
                continue;
            }
            seen[i] = operands ? ENTERED : DONE;
            if (!operands && is_known(m->g, i))
                m->known[m->n_known++] = i;
            for (size_t j = operands; j-- > 0;) {
                m->uses[operand[j]]++;
                if (!seen[operand[j]])
                    stack[height++] = operand[j];
            }
        }
    }
}

static uint16_t take_register(maker *m)
{
    if (m->n_vacant)
        return m->vacant[--m->n_vacant];
    return (uint16_t)(m->top < PH_TAPE_REGISTERS ? m->top++ : m->top);
}

/* One use less of a node: its register becomes vacant after the last one. */
static void release(maker *m, ph_expr i)
{
    if (--m->uses[i] == 0 && !is_known(m->g, i) && ph_op_operands(m->g->node[i].op))
        m->vacant[m->n_vacant++] = m->place[i];
}

/* Is the node a product that only the next instruction uses, and not computed yet? */
static bool joins(const maker *m, ph_expr i, const ph_expr *joined)
{
    return m->g->node[i].op == PH_OP_MUL && !is_known(m->g, i) && m->uses[i] == 1 && m->place[i] == NONE &&
           i == *joined;
}

static void emit(maker *m, unsigned op, ph_expr i, ph_expr a, ph_expr b, ph_expr c, size_t operands)
{
    instruction *next = &m->tape->code[m->tape->length++];
    *next = (instruction){(uint16_t)op, 0, m->place[a], operands > 1 ? m->place[b] : 0,
                          operands > 2 ? m->place[c] : 0};
    release(m, a);
    if (operands > 1)
        release(m, b);
    if (operands > 2)
        release(m, c);
    m->place[i] = next->to = take_register(m);
}

/* The code of all nodes in order. A product waits for the next node, which may take it in. */
static void emit_all(maker *m)
{
    ph_expr waiting = PH_NO_EXPR;
    for (size_t k = 0; k <= m->n_order; k++) {
        const ph_expr i = k < m->n_order ? m->order[k] : PH_NO_EXPR;
        const ph_expr_data *node = i == PH_NO_EXPR ? NULL : &m->g->node[i];
        if (waiting != PH_NO_EXPR) {
            const ph_expr_data product = m->g->node[waiting];
            const bool sum = node && (node->op == PH_OP_ADD || node->op == PH_OP_SUB) && node->a != node->b;
            if (sum && joins(m, node->a, &waiting)) {
                emit(m, node->op == PH_OP_ADD ? MULTIPLY_ADD : MULTIPLY_SUB, i, product.a, product.b, node->b,
                     3);
                waiting = PH_NO_EXPR;
                continue;
            }
            if (sum && joins(m, node->b, &waiting)) {
                emit(m, node->op == PH_OP_ADD ? MULTIPLY_ADD : SUB_MULTIPLY, i, product.a, product.b, node->a,
                     3);
                waiting = PH_NO_EXPR;
                continue;
            }
            emit(m, PH_OP_MUL, waiting, product.a, product.b, 0, 2);
            waiting = PH_NO_EXPR;
        }
        if (node && node->op == PH_OP_MUL && m->uses[i] == 1)
            waiting = i;
        else if (node)
            emit(m, node->op, i, node->a, node->b, 0, ph_op_operands(node->op));
    }
    m->tape->code[m->tape->length++] = (instruction){.op = STOP};
}

/* Registers of what is known beforehand, of leaves; the values of the former. */
static void place_leaves(maker *m, size_t n_nodes, double *known, const double *parameters)
{
    ph_tape *tape = m->tape;
    for (size_t i = 0; i < n_nodes; i++) {
        const ph_expr_data *node = &m->g->node[i];
        const size_t z = tape->n_known + 2;
        m->place[i] = node->op == PH_OP_TIME ? (uint16_t)tape->n_known
                      : node->op == PH_OP_Z  ? (uint16_t)(z + node->a)
                      : node->op == PH_OP_V  ? (uint16_t)(z + tape->nz + node->a)
                      : node->op == PH_OP_OMEGA
                          ? (uint16_t)(node->a < tape->nz ? z + 2 * tape->nz + node->a : tape->n_known + 1)
                          : NONE;
    }
    for (size_t i = 0; i < m->n_known; i++)
        m->place[m->known[i]] = (uint16_t)i;
    ph_graph_values(m->g, m->known, m->n_known, &(ph_point){.parameters = parameters}, known);
    m->top = tape->n_known + 2 + 3 * tape->nz;
}

static void count(ph_tape *tape)
{
    for (size_t i = 0; i + 1 < tape->length; i++) {
        const unsigned op = tape->code[i].op;
        tape->calls += op >= PH_OP_SIN && op < PH_OPS;
        tape->operations += op < PH_OP_SIN ? 1 : op >= PH_OPS ? 2 : 0;
    }
}

/* The tape of what m has found, of one block: the struct, numbers, code, registers of outs. */
static ph_status lay_out(maker *m, const ph_expr *outs, size_t n, size_t nz, size_t n_nodes,
                         const double *parameters)
{
    const size_t known = m->n_known * sizeof(double), code = (m->n_order + 1) * sizeof(instruction);
    if (m->n_known + 2 + 3 * nz > PH_TAPE_REGISTERS)
        return PH_E_RANGE;
    ph_tape *tape = malloc(sizeof *tape + known + n * sizeof(result) + code);
    if (!tape)
        return PH_E_NO_MEMORY;
    double *numbers = (double *)(void *)(tape + 1);
    result *results = (result *)(void *)(numbers + m->n_known);
    *tape = (ph_tape){.n = n,
                      .n_known = m->n_known,
                      .nz = nz,
                      .known = numbers,
                      .results = results,
                      .code = (instruction *)(void *)(results + n)};
    m->tape = tape;
    place_leaves(m, n_nodes, numbers, parameters);
    emit_all(m);
    for (size_t i = 0; i < n; i++)
        if (outs[i] != 0)
            results[tape->n_results++] = (result){(uint32_t)i, m->place[outs[i]]};
    tape->registers = m->top;
    count(tape);
    return m->g->failed ? m->g->failed : m->top >= PH_TAPE_REGISTERS ? PH_E_RANGE : PH_OK;
}

ph_status ph_tape_create(ph_graph *g, const ph_expr *outs, size_t n, size_t nz, const double *parameters,
                         ph_tape **tape)
{
    const size_t nodes = g->n;
    maker m = {.g = g};
    if (g->failed)
        return g->failed;
    ph_expr *lists = malloc((4 * nodes + 1) * sizeof *lists);
    unsigned char *seen = calloc(nodes, 1);
    m.uses = calloc(nodes, sizeof *m.uses);
    m.place = malloc(2 * nodes * sizeof *m.place);
    ph_status status = lists && seen && m.uses && m.place ? PH_OK : PH_E_NO_MEMORY;
    if (!status) {
        m.order = lists, m.known = lists + nodes, m.vacant = m.place + nodes;
        put_in_order(&m, outs, n, lists + 2 * nodes, seen);
        status = lay_out(&m, outs, n, nz, nodes, parameters);
    }
    free(lists);
    free(seen);
    free(m.uses);
    free(m.place);
    if (status) {
        free(m.tape);
        m.tape = NULL;
    }
    *tape = m.tape;
    return status;
}

void ph_tape_free(ph_tape *tape)
{
    free(tape);
}

size_t ph_tape_operations(const ph_tape *tape)
{
    return tape->operations;
}

size_t ph_tape_calls(const ph_tape *tape)
{
    return tape->calls;
}

size_t ph_tape_outs(const ph_tape *tape)
{
    return tape->n;
}

const double *ph_tape_known(const ph_tape *tape)
{
    return tape->known;
}

/* ---- Running ------------------------------------------------------------------------------------ */

/* The loop over the code, once for numbers and once for vectors of them: an operation jumps to the next, which
 * processors predict better than one switch. ONE and TWO: how a function of libm is applied. */
#define BINARY(OP, sign)                                                                                     \
    at_##OP : r[c->to] = r[c->a] sign r[c->b];                                                               \
    NEXT;
#define ROW_ONE(op, name, f) [PH_OP_##op] = &&at_##op,
#define RUN(ONE, TWO)                                                                                        \
    static const void *const at[OPERATIONS] = {[PH_OP_ADD] = &&at_ADD,                                       \
                                               [PH_OP_SUB] = &&at_SUB,                                       \
                                               [PH_OP_MUL] = &&at_MUL,                                       \
                                               [PH_OP_DIV] = &&at_DIV,                                       \
                                               [PH_OP_NEG] = &&at_NEG,                                       \
                                               PH_FUNCTION_LIST(ROW_ONE)                                     \
                                                   PH_PAIR_LIST(ROW_ONE)[MULTIPLY_ADD] = &&at_MULTIPLY_ADD,  \
                                               [MULTIPLY_SUB] = &&at_MULTIPLY_SUB,                           \
                                               [SUB_MULTIPLY] = &&at_SUB_MULTIPLY,                           \
                                               [STOP] = &&at_STOP};                                          \
    goto *at[c->op];                                                                                         \
    BINARY(ADD, +)                                                                                           \
    BINARY(SUB, -)                                                                                           \
    BINARY(MUL, *)                                                                                           \
    BINARY(DIV, /)                                                                                           \
    at_NEG:                                                                                                  \
    r[c->to] = -r[c->a];                                                                                     \
    NEXT;                                                                                                    \
    at_MULTIPLY_ADD:                                                                                         \
    r[c->to] = r[c->a] * r[c->b] + r[c->c];                                                                  \
    NEXT;                                                                                                    \
    at_MULTIPLY_SUB:                                                                                         \
    r[c->to] = r[c->a] * r[c->b] - r[c->c];                                                                  \
    NEXT;                                                                                                    \
    at_SUB_MULTIPLY:                                                                                         \
    r[c->to] = r[c->c] - r[c->a] * r[c->b];                                                                  \
    NEXT;                                                                                                    \
    PH_FUNCTION_LIST(ONE) PH_PAIR_LIST(TWO)
#define NEXT                                                                                                 \
    c++;                                                                                                     \
    goto *at[c->op]

/* Each operation keeps a jump of its own: GCC would merge their ends, and the processor predict the next less often. */
#if defined(__GNUC__) && !defined(__clang__)
#define JUMPS_APART __attribute__((optimize("no-crossjumping")))
#else
#define JUMPS_APART
#endif

JUMPS_APART static void run(const instruction *c, double *restrict r)
{
#define ONE(op, name, f)                                                                                     \
    at_##op : r[c->to] = f(r[c->a]);                                                                         \
    NEXT;
#define TWO(op, name, f)                                                                                     \
    at_##op : r[c->to] = f(r[c->a], r[c->b]);                                                                \
    NEXT;
    RUN(ONE, TWO)
#undef ONE
#undef TWO
at_STOP:;
}

typedef double lanes __attribute__((vector_size(8 * PH_TAPE_LANES))); /* of one register */

JUMPS_APART static void run_lanes(const instruction *c, lanes *restrict r)
{
#define EACH                                                                                                 \
    for (int l = 0; l < PH_TAPE_LANES; l++)                                                                  \
    r[c->to][l]
#define ONE(op, name, f)                                                                                     \
    at_##op : EACH = f(r[c->a][l]);                                                                          \
    NEXT;
#define TWO(op, name, f)                                                                                     \
    at_##op : EACH = f(r[c->a][l], r[c->b][l]);                                                              \
    NEXT;
    RUN(ONE, TWO)
#undef ONE
#undef TWO
#undef EACH
at_STOP:;
}

/* As ph_tape_place, where each number is `stride` behind the one before. */
typedef struct place {
    const double *t, *z, *v, *dt, *dz;
    double *const *out;
    size_t parts, stride;
    bool adds;
} place;

static void fill(const double *from, size_t n, size_t stride, double *to)
{
    for (size_t i = 0; from && i < n; i++)
        to[i] = from[i * stride];
}

INLINE void evaluate(const ph_tape *tape, const place *at, double *r)
{
    const size_t nz = tape->nz, length = tape->n / at->parts, stride = at->stride;
    memcpy(r, tape->known, tape->n_known * sizeof *r);
    double *leaf = r + tape->n_known;
    fill(at->t, 1, stride, leaf);
    fill(at->dt, 1, stride, leaf + 1);
    fill(at->z, nz, stride, leaf + 2);
    fill(at->v, nz, stride, leaf + 2 + nz);
    fill(at->dz, nz, stride, leaf + 2 + 2 * nz);
    run(tape->code, r);
    for (size_t part = 0; part < at->parts && !at->adds && tape->n_results < tape->n; part++)
        for (size_t i = 0; at->out[part] && i < length; i++)
            at->out[part][i * stride] = 0;
    size_t part = 0, first = 0; /* results are in the order of outs */
    for (size_t i = 0; i < tape->n_results; i++) {
        const size_t k = tape->results[i].at;
        for (; k >= first + length; first += length)
            part++;
        double *to = at->out[part];
        if (to) {
            to += (k - first) * stride;
            *to = r[tape->results[i].from] + (at->adds ? *to : 0);
        }
    }
}

/* Registers on the stack, of which most tapes need few. */
#define EVALUATE_IN(registers)                                                                               \
    static void evaluate_in_##registers(const ph_tape *tape, const place *at)                                \
    {                                                                                                        \
        double r[registers];                                                                                 \
        evaluate(tape, at, r);                                                                               \
    }
EVALUATE_IN(256)
EVALUATE_IN(2048)
EVALUATE_IN(32768)

static void evaluate_at(const ph_tape *tape, const place *at)
{
    if (tape->registers <= 256)
        evaluate_in_256(tape, at);
    else if (tape->registers <= 2048)
        evaluate_in_2048(tape, at);
    else
        evaluate_in_32768(tape, at);
}

void ph_tape_run(const ph_tape *tape, double t, const double *z, const double *v, double *out)
{
    evaluate_at(tape, &(place){.t = &t, .z = z, .v = v, .out = &out, .parts = 1, .stride = 1});
}

void ph_tape_run_at(const ph_tape *tape, const ph_tape_place *at, size_t parts, bool adds)
{
    evaluate_at(tape, &(place){&at->t, at->z, at->v, &at->dt, at->dz, at->out, parts, 1, adds});
}

void ph_tape_run_lanes(const ph_tape *tape, const double *t, const double *z, const double *v, double *out)
{
    enum { BYTES = PH_TAPE_LANES * sizeof(double), MOST = 2048 };
    static const double along = 1;
    lanes r[MOST];
    for (size_t l = 0; tape->registers > MOST && l < PH_TAPE_LANES; l++) {
        double *to = out + l;
        evaluate_at(tape, &(place){.t = t + l,
                                   .z = z + l,
                                   .v = v ? v + l : NULL,
                                   .dt = &along,
                                   .dz = v ? v + l : NULL,
                                   .out = &to,
                                   .parts = 1,
                                   .stride = PH_TAPE_LANES});
    }
    if (tape->registers > MOST)
        return;
    for (size_t i = 0; i < tape->n_known; i++)
        for (int l = 0; l < PH_TAPE_LANES; l++)
            r[i][l] = tape->known[i];
    lanes *leaf = r + tape->n_known;
    memcpy(leaf, t, BYTES);
    for (int l = 0; l < PH_TAPE_LANES; l++)
        leaf[1][l] = 1;
    memcpy(leaf + 2, z, tape->nz * BYTES);
    if (v) {
        memcpy(leaf + 2 + tape->nz, v, tape->nz * BYTES);
        memcpy(leaf + 2 + 2 * tape->nz, v, tape->nz * BYTES);
    }
    run_lanes(tape->code, r);
    if (tape->n_results < tape->n)
        memset(out, 0, tape->n * BYTES);
    for (size_t i = 0; i < tape->n_results; i++)
        memcpy(out + tape->results[i].at * (size_t)PH_TAPE_LANES, &r[tape->results[i].from], BYTES);
}
