/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions as a tape: instructions on registers, in an order in which each operand comes before its use,
 * and for the same outputs always the same. What depends on parameters alone is computed once, when the tape is
 * made. Evaluated for one point, or for eight in lanes, by the same operations, so that the bits are the same;
 * and those of the C that ph_tape_write makes of it. */
#ifndef PH_EXPRESSION_TAPE_H
#define PH_EXPRESSION_TAPE_H

#include "graph.h"

#include <stdio.h>

enum { PH_TAPE_LANES = 8, PH_TAPE_REGISTERS = 1 << 15 };

typedef struct ph_tape ph_tape;

/* A tape of the n outs, which depend on z and v (nz each), time and parameters, whose values are given. Outs that
 * are 0 cost nothing but their place. PH_E_RANGE: more than PH_TAPE_REGISTERS; PH_E_NO_MEMORY. */
ph_status ph_tape_create(ph_graph *g, const ph_expr *outs, size_t n, size_t nz, const double *parameters,
                         ph_tape **tape);
void ph_tape_free(ph_tape *tape);
size_t ph_tape_operations(const ph_tape *tape); /* arithmetic and square roots */
size_t ph_tape_calls(const ph_tape *tape);      /* of other functions */
size_t ph_tape_outs(const ph_tape *tape);

/* out (n) <- the values at t, z (nz), v (nz; NULL where nothing depends on it). Thread-safe, no allocation. */
void ph_tape_run(const ph_tape *tape, double t, const double *z, const double *v, double *out);
/* Where a tape is evaluated, and where its values go. */
typedef struct ph_tape_place {
    double t, dt;
    const double *z, *v; /* (nz), as in ph_tape_run */
    const double *
        dz; /* (nz): outs may depend on a direction (dt, dz), too, by the leaves PH_OP_OMEGA: number i < nz is
                            dz_i, number nz is dt; nullable */
    double *const *out; /* (parts) arrays of the same length, n / parts; NULL in it: not wanted */
} ph_tape_place;
/* The same into several arrays; adds: out += the values. */
void ph_tape_run_at(const ph_tape *tape, const ph_tape_place *at, size_t parts, bool adds);
/* Have these tapes the same instructions, so that they differ in what is known beforehand alone? */
bool ph_tape_alike(const ph_tape *a, const ph_tape *b);
/* ph_tape_run at the first `count` of eight points at once, and perhaps at others, along the motion (dt = 1, dz = v): number i of point l
 * is [i * PH_TAPE_LANES + l]. tapes (PH_TAPE_LANES): one for each point, all alike. */
void ph_tape_run_lanes(const ph_tape *const *tapes, size_t count, const double *t, const double *z,
                       const double *v, bool adds, double *out);

/* ---- As C ---------------------------------------------------------------------------------------- */

/* The functions that compiled tapes call, so that they are those of the interpreter. */
typedef struct ph_tape_functions {
#define PH_TAPE_ONE(op, name, f) double (*op)(double);
#define PH_TAPE_TWO(op, name, f) double (*op)(double, double);
    PH_FUNCTION_LIST(PH_TAPE_ONE) PH_PAIR_LIST(PH_TAPE_TWO)
#undef PH_TAPE_ONE
#undef PH_TAPE_TWO
} ph_tape_functions;
extern const ph_tape_functions ph_tape_elementary;

/* A compiled tape: known are the numbers that ph_tape_known returns. */
typedef void ph_tape_compiled(const ph_tape_functions *functions, const double *known,
                              const ph_tape_place *at);
const double *ph_tape_known(const ph_tape *tape);

/* What stands before functions, and a function f<number> of the type ph_tape_compiled that does what ph_tape_run_at does,
 * operation by operation. No number or name of the formulas is in it. PH_E_NO_MEMORY. */
void ph_tape_write_head(FILE *to);
ph_status ph_tape_write(const ph_tape *tape, unsigned number, size_t parts, bool adds, FILE *to);

#endif
