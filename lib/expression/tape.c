/* SPDX-License-Identifier: BSD-3-Clause */
/* The tape: made from a graph, and interpreted. Registers are those of numbers that are known beforehand, then
 * t, dt, z, v, dz, then what is computed, of which each is used again when its value is needed no more. A product that
 * is used once, by a sum, is one instruction with it: still two roundings. Instructions are in runs of one operation, because
 * a jump from one to the next takes longer than what they compute. */
#include "instructions.h"

#include "lib/internal/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------- */

enum { NONE = UINT16_MAX };
enum { STATE_WAITING, STATE_DONE, STATE_TAKEN };

typedef struct maker {
    ph_graph *g;
    ph_tape *tape;
    ph_expr *order, *known; /* (n_order) those that are computed by the tape, (n_known) beforehand */
    size_t n_order, n_known;
    uint32_t *uses;   /* (nodes) how often a node is an operand, outs with one more each */
    uint16_t *place;  /* (nodes) its register */
    uint16_t *vacant; /* registers that may be used again */
    /* (nodes) not computed yet; computed, known or a leaf; a product that a sum takes in */
    unsigned char *state;
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
    enum { ENTERED = 1, LEFT = 2 };
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
                seen[i] = LEFT;
                continue;
            }
            seen[i] = operands ? ENTERED : LEFT;
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

/* Two or four instructions of one operation behind one another are done without a jump between them. */
static void join_runs(ph_tape *tape)
{
    for (size_t i = 0, n; i + 1 < tape->length; i += n) {
        const unsigned op = tape->code[i].op;
        for (n = 1; n < 4 && tape->code[i + n].op == op; n++)
            ;
        n = op <= PH_OP_DIV || op >= MULTIPLY_ADD ? (n == 3 ? 2 : n) : 1;
        tape->code[i].op = (uint16_t)(op + (n == 2 ? OPERATIONS : n == 4 ? 2 * OPERATIONS : 0));
    }
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

/* Is the node a product that only one other uses, which may then take it in? */
static bool joins(const maker *m, ph_expr i)
{
    return m->g->node[i].op == PH_OP_MUL && !is_known(m->g, i) && m->uses[i] == 1;
}

/* The operand of a sum that it may take in; PH_NO_EXPR. */
static ph_expr taken_in(const maker *m, ph_expr i)
{
    const ph_expr_data *node = &m->g->node[i];
    if (node->op != PH_OP_ADD && node->op != PH_OP_SUB)
        return PH_NO_EXPR;
    return joins(m, node->b) ? node->b : joins(m, node->a) ? node->a : PH_NO_EXPR;
}

/* What an instruction does, of a node that is computed. */
static unsigned operation_of(const maker *m, ph_expr i, ph_expr taken)
{
    const ph_expr_data *node = &m->g->node[i];
    return taken == PH_NO_EXPR     ? node->op
           : node->op == PH_OP_ADD ? (unsigned)MULTIPLY_ADD
           : taken == node->a      ? (unsigned)MULTIPLY_SUB
                                   : (unsigned)SUB_MULTIPLY;
}

/* The operand of a sum that is taken in; PH_NO_EXPR. */
static ph_expr taken_by(const maker *m, ph_expr i)
{
    const ph_expr_data *node = &m->g->node[i];
    if (node->op != PH_OP_ADD && node->op != PH_OP_SUB)
        return PH_NO_EXPR;
    return m->state[node->b] == STATE_TAKEN   ? node->b
           : m->state[node->a] == STATE_TAKEN ? node->a
                                              : PH_NO_EXPR;
}

static bool is_ready(const maker *m, ph_expr i)
{
    const ph_expr_data *node = &m->g->node[i];
    const size_t operands = ph_op_operands(node->op);
    for (size_t k = 0; k < operands; k++) {
        const ph_expr below = k ? node->b : node->a;
        if (m->state[below] == STATE_WAITING || (m->state[below] == STATE_TAKEN && !is_ready(m, below)))
            return false;
    }
    return true;
}

/* m->order <- in runs of one operation each, whose operands are all computed before: the processor can do them at once, and
 * fewer jumps are needed. Only the next few of the old order are looked at, so that values are used soon, and few
 * registers are needed. to: (n_order) scratch. */
static void schedule(maker *m, ph_expr *to)
{
    enum { STRETCH = 32 };
    size_t first = 0, n = 0;
    while (n < m->n_order) {
        unsigned op[STRETCH], count[OPERATIONS] = {0}, most = 0;
        while (m->state[m->order[first]] == STATE_DONE)
            first++;
        const size_t length = m->n_order - first < STRETCH ? m->n_order - first : STRETCH;
        for (size_t k = 0; k < length; k++) {
            const ph_expr i = m->order[first + k];
            op[k] = m->state[i] == STATE_DONE || !is_ready(m, i) ? (unsigned)STOP
                                                                 : operation_of(m, i, taken_by(m, i));
            count[op[k]] += op[k] != STOP;
            most = count[op[k]] > count[most] ? op[k] : most;
        }
        for (size_t k = 0; k < length; k++)
            if (op[k] == most)
                m->state[to[n++] = m->order[first + k]] = STATE_DONE;
    }
    memcpy(m->order, to, n * sizeof *to);
}

/* The code of all nodes. */
static void emit_all(maker *m, ph_expr *scratch)
{
    memset(m->state, STATE_DONE, m->g->n);
    for (size_t k = 0; k < m->n_order; k++)
        m->state[m->order[k]] = STATE_WAITING;
    size_t n = 0;
    for (size_t k = 0; k < m->n_order; k++) {
        const ph_expr product = taken_in(m, m->order[k]);
        if (product != PH_NO_EXPR)
            m->state[product] = STATE_TAKEN;
    }
    for (size_t k = 0; k < m->n_order; k++)
        if (m->state[m->order[k]] != STATE_TAKEN)
            m->order[n++] = m->order[k];
    m->n_order = n;
    schedule(m, scratch);
    for (size_t k = 0; k < m->n_order; k++) {
        const ph_expr i = m->order[k], product = taken_by(m, i);
        const ph_expr_data *node = &m->g->node[i];
        const unsigned op = operation_of(m, i, product);
        if (product == PH_NO_EXPR)
            emit(m, op, i, node->a, node->b, 0, ph_op_operands(node->op));
        else
            emit(m, op, i, m->g->node[product].a, m->g->node[product].b,
                 product == node->a ? node->b : node->a, 3);
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
        tape->uses_v |= node->op == PH_OP_V && m->uses[i];
        tape->uses_dz |= node->op == PH_OP_OMEGA && m->uses[i];
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
static ph_status lay_out(maker *m, ph_expr *scratch, const ph_expr *outs, size_t n, size_t nz, size_t n_nodes,
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
                      .wide = ph_lanes(PH_KERNEL_AVX),
                      .known = numbers,
                      .results = results,
                      .code = (instruction *)(void *)(results + n)};
    m->tape = tape;
    place_leaves(m, n_nodes, numbers, parameters);
    emit_all(m, scratch);
    for (size_t i = 0; i < n; i++)
        if (outs[i] != 0)
            results[tape->n_results++] = (result){(uint32_t)i, m->place[outs[i]]};
    tape->registers = m->top;
    count(tape);
    join_runs(tape);
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
        m.state = seen, m.order = lists, m.known = lists + nodes, m.vacant = m.place + nodes;
        put_in_order(&m, outs, n, lists + 2 * nodes, seen);
        status = lay_out(&m, lists + 2 * nodes, outs, n, nz, nodes, parameters);
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
 * processors predict better than one switch. ONE and TWO: how a function is applied. */
#define ADD_OF(k) r[c[k].a] + r[c[k].b]
#define SUB_OF(k) r[c[k].a] - r[c[k].b]
#define MUL_OF(k) r[c[k].a] * r[c[k].b]
#define DIV_OF(k) r[c[k].a] / r[c[k].b]
#define MULTIPLY_ADD_OF(k) r[c[k].a] * r[c[k].b] + r[c[k].c]
#define MULTIPLY_SUB_OF(k) r[c[k].a] * r[c[k].b] - r[c[k].c]
#define SUB_MULTIPLY_OF(k) r[c[k].c] - r[c[k].a] * r[c[k].b]
#define IN_RUNS(X)                                                                                           \
    X(PH_OP_ADD, ADD)                                                                                        \
    X(PH_OP_SUB, SUB)                                                                                        \
    X(PH_OP_MUL, MUL)                                                                                        \
    X(PH_OP_DIV, DIV)                                                                                        \
    X(MULTIPLY_ADD, MULTIPLY_ADD) X(MULTIPLY_SUB, MULTIPLY_SUB) X(SUB_MULTIPLY, SUB_MULTIPLY)
#define ROWS(op, name)                                                                                       \
    [op] = &&at_##name, [op + OPERATIONS] = &&at_two_##name, [op + 2 * OPERATIONS] = &&at_four_##name,
#define DO(name, k) r[c[k].to] = name##_OF(k)
#define RUNS(op, name)                                                                                       \
    at_##name : DO(name, 0);                                                                                 \
    NEXT(1);                                                                                                 \
    at_two_##name : DO(name, 0);                                                                             \
    DO(name, 1);                                                                                             \
    NEXT(2);                                                                                                 \
    at_four_##name : DO(name, 0);                                                                            \
    DO(name, 1);                                                                                             \
    DO(name, 2);                                                                                             \
    DO(name, 3);                                                                                             \
    NEXT(4);
#define ROW_ONE(op, name, f) [PH_OP_##op] = &&at_##op,
#define RUN(ONE, TWO)                                                                                        \
    static const void *const at[3 * OPERATIONS] = {                                                          \
        IN_RUNS(ROWS) PH_FUNCTION_LIST(ROW_ONE) PH_PAIR_LIST(ROW_ONE)[PH_OP_NEG] = &&at_NEG, [STOP] =        \
                                                                                                 &&at_STOP}; \
    goto *at[c->op];                                                                                         \
    IN_RUNS(RUNS)                                                                                            \
    at_NEG:                                                                                                  \
    r[c->to] = -r[c->a];                                                                                     \
    NEXT(1);                                                                                                 \
    PH_FUNCTION_LIST(ONE) PH_PAIR_LIST(TWO)
#define NEXT(n)                                                                                              \
    c += n;                                                                                                  \
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
    NEXT(1);
#define TWO(op, name, f)                                                                                     \
    at_##op : r[c->to] = f(r[c->a], r[c->b]);                                                                \
    NEXT(1);
    RUN(ONE, TWO)
#undef ONE
#undef TWO
at_STOP:;
}

/* Of one register, at all points or at half of them. */
typedef double lanes __attribute__((vector_size(8 * PH_TAPE_LANES)));
typedef double few __attribute__((vector_size(4 * PH_TAPE_LANES)));

#define RUN_LANES(set, name, lanes)                                                                          \
    set JUMPS_APART static void name(const instruction *c, lanes *restrict r)                                \
    {                                                                                                        \
        RUN(EACH_ONE, EACH_TWO)                                                                              \
    at_STOP:;                                                                                                \
    }
#define EACH_ONE(op, name, f)                                                                                \
    at_##op : for (size_t l = 0; l < sizeof *r / sizeof(double); l++) r[c->to][l] = f(r[c->a][l]);           \
    NEXT(1);
#define EACH_TWO(op, name, f)                                                                                \
    at_##op : for (size_t l = 0; l < sizeof *r / sizeof(double); l++) r[c->to][l] =                          \
                  f(r[c->a][l], r[c->b][l]);                                                                 \
    NEXT(1);
RUN_LANES(, run_lanes_plain, lanes)
RUN_LANES(PH_LANES_AVX, run_lanes_wide, lanes)
RUN_LANES(, run_few_plain, few)
RUN_LANES(PH_LANES_AVX, run_few_wide, few)

/* Numbers that are `stride` behind one another, which is known to the compiler where it is 1. */
INLINE void fill(const double *from, size_t n, size_t stride, double *to)
{
    for (size_t i = 0; from && i < n; i++)
        to[i] = from[i * stride];
}

/* ph_tape_run_at, where each number of `at` is `stride` behind the one before. */
INLINE void evaluate(const ph_tape *tape, const ph_tape_place *at, size_t parts, size_t stride, bool adds,
                     double *r)
{
    const size_t nz = tape->nz,
                 length =
                     parts == 1 ? tape->n : tape->n / parts; /* a division takes as long as ten operations */
    double *leaf = r + tape->n_known;
    fill(tape->known, tape->n_known, 1, r);
    leaf[0] = at->t, leaf[1] = at->dt;
    fill(at->z, nz, stride, leaf + 2);
    fill(at->v, tape->uses_v ? nz : 0, stride, leaf + 2 + nz);
    fill(at->dz, tape->uses_dz ? nz : 0, stride, leaf + 2 + 2 * nz);
    run(tape->code, r);
    const result *next = tape->results, *end = next + tape->n_results;
    for (size_t part = 0, first = 0; part < parts;
         part++, first += length) { /* results are in the order of outs */
        double *out = at->out[part];
        for (size_t i = 0; out && !adds && tape->n_results < tape->n && i < length; i++)
            out[i * stride] = 0;
        for (; next < end && next->at < first + length; next++)
            if (out) {
                double *to = out + (next->at - first) * stride;
                *to = adds ? *to + r[next->from] : r[next->from]; /* which keeps the sign of a zero */
            }
    }
}

/* Registers on the stack, of which most tapes need few. */
#define EVALUATE_IN(registers)                                                                               \
    static void evaluate_in_##registers(const ph_tape *tape, const ph_tape_place *at, size_t parts,          \
                                        size_t stride, bool adds)                                            \
    {                                                                                                        \
        double r[registers];                                                                                 \
        if (stride == 1)                                                                                     \
            evaluate(tape, at, parts, 1, adds, r);                                                           \
        else                                                                                                 \
            evaluate(tape, at, parts, stride, adds, r);                                                      \
    }
EVALUATE_IN(256)
EVALUATE_IN(2048)
EVALUATE_IN(32768)

static void evaluate_at(const ph_tape *tape, const ph_tape_place *at, size_t parts, size_t stride, bool adds)
{
    if (tape->registers <= 256)
        evaluate_in_256(tape, at, parts, stride, adds);
    else if (tape->registers <= 2048)
        evaluate_in_2048(tape, at, parts, stride, adds);
    else
        evaluate_in_32768(tape, at, parts, stride, adds);
}

void ph_tape_run(const ph_tape *tape, double t, const double *z, const double *v, double *out)
{
    evaluate_at(tape, &(ph_tape_place){.t = t, .z = z, .v = v, .out = &out}, 1, 1, false);
}

void ph_tape_run_at(const ph_tape *tape, const ph_tape_place *at, size_t parts, bool adds)
{
    evaluate_at(tape, at, parts, 1, adds);
}

/* Results have room between their members. */
static bool same_results(const ph_tape *a, const ph_tape *b)
{
    size_t i = 0;
    while (i < a->n_results && a->results[i].at == b->results[i].at &&
           a->results[i].from == b->results[i].from)
        i++;
    return i == a->n_results;
}

bool ph_tape_alike(const ph_tape *a, const ph_tape *b)
{
    return a == b || (a->n == b->n && a->n_results == b->n_results && a->n_known == b->n_known &&
                      a->nz == b->nz && a->registers == b->registers && a->length == b->length &&
                      a->uses_v == b->uses_v && a->uses_dz == b->uses_dz &&
                      !memcmp(a->code, b->code, a->length * sizeof *a->code) && same_results(a, b));
}

#define EVALUATE_LANES(name, lanes, plain, wide_copy)                                                        \
    static void name(const ph_tape *const *tapes, const double *t, const double *z, const double *v,         \
                     bool adds, double *out)                                                                 \
    {                                                                                                        \
        enum { BYTES = sizeof(lanes), COUNT = BYTES / sizeof(double) };                                      \
        const ph_tape *tape = tapes[0];                                                                      \
        const size_t nz = tape->nz;                                                                          \
        lanes r[MOST_IN_LANES], *leaf = r + tape->n_known;                                                   \
        for (size_t i = 0; i < tape->n_known; i++)                                                           \
            for (int l = 0; l < COUNT; l++)                                                                  \
                r[i][l] = tapes[l]->known[i];                                                                \
        memcpy(leaf, t, BYTES);                                                                              \
        for (int l = 0; l < COUNT; l++)                                                                      \
            leaf[1][l] = 1;                                                                                  \
        for (size_t i = 0; i < nz; i++)                                                                      \
            memcpy(leaf + 2 + i, z + i * PH_TAPE_LANES, BYTES);                                              \
        for (size_t i = 0; v && tape->uses_v && i < nz; i++)                                                 \
            memcpy(leaf + 2 + nz + i, v + i * PH_TAPE_LANES, BYTES);                                         \
        for (size_t i = 0; v && tape->uses_dz && i < nz; i++)                                                \
            memcpy(leaf + 2 + 2 * nz + i, v + i * PH_TAPE_LANES, BYTES);                                     \
        (tape->wide ? wide_copy : plain)(tape->code, r);                                                     \
        if (!adds && tape->n_results < tape->n)                                                              \
            memset(out, 0, tape->n *PH_TAPE_LANES * sizeof *out);                                            \
        for (size_t i = 0; i < tape->n_results; i++) {                                                       \
            lanes sum = r[tape->results[i].from], there;                                                     \
            double *to = out + tape->results[i].at * (size_t)PH_TAPE_LANES;                                  \
            if (adds) {                                                                                      \
                memcpy(&there, to, BYTES);                                                                   \
                sum += there;                                                                                \
            }                                                                                                \
            memcpy(to, &sum, BYTES);                                                                         \
        }                                                                                                    \
    }
enum { MOST_IN_LANES = 2048 }; /* registers */
EVALUATE_LANES(evaluate_lanes, lanes, run_lanes_plain, run_lanes_wide)
EVALUATE_LANES(evaluate_few, few, run_few_plain, run_few_wide)

void ph_tape_run_lanes(const ph_tape *const *tapes, size_t count, const double *t, const double *z,
                       const double *v, bool adds, double *out)
{
    if (tapes[0]->registers <= MOST_IN_LANES) {
        (count > PH_TAPE_LANES / 2 ? evaluate_lanes : evaluate_few)(tapes, t, z, v, adds, out);
        return;
    }
    for (size_t l = 0; l < count; l++) {
        const double *zdot = v ? v + l : NULL;
        evaluate_at(tapes[l], &(ph_tape_place){t[l], 1, z + l, zdot, zdot, (double *[]){out + l}}, 1,
                    PH_TAPE_LANES, adds);
    }
}
