/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tape is made of, for what interprets it (tape.c) and what writes it as C (write.c). Registers are those of numbers
 * that are known beforehand, then t, dt, z, v, dz (nz each), then what is computed. */
#ifndef PH_EXPRESSION_INSTRUCTIONS_H
#define PH_EXPRESSION_INSTRUCTIONS_H

#include "tape.h"

/* Operations of a tape: those of the graph from ADD on, and products with sums. One that begins a run of two or four of
 * its kind is OPERATIONS or 2 OPERATIONS more. */
enum {
    MULTIPLY_ADD = PH_OPS, /* a b + c */
    MULTIPLY_SUB,          /* a b - c */
    SUB_MULTIPLY,          /* c - a b */
    STOP,
    OPERATIONS
};

typedef struct instruction {
    uint16_t op, to, a, b, c;
} instruction;

/* Where out number `at` is; those that are 0 are not listed. */
typedef struct result {
    uint32_t at;
    uint16_t from;
} result;

struct ph_tape {
    size_t n, n_results, n_known, nz, registers, operations, calls, length;
    bool uses_v, uses_dz;  /* else these leaves are not written */
    bool wide;             /* lanes by wide vectors */
    const double *known;   /* (n_known) */
    const result *results; /* (n_results) */
    instruction *code;     /* (length), the last of them STOP */
};

#endif
