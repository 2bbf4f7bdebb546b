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
void ph_tape_run_and_add(const ph_tape *tape, double t, const double *z, const double *v,
                         double *out); /* out += */
/* The same where outs depend on a direction, too, by the leaves PH_OP_OMEGA: number i < nz is dz_i, number nz is dt. */
void ph_tape_run_along(const ph_tape *tape, double t, const double *z, const double *v, double dt,
                       const double *dz, double *out);
/* The same into several arrays, `parts` of the same length, n / parts; NULL: not wanted. */
void ph_tape_run_parts(const ph_tape *tape, double t, const double *z, const double *v, size_t parts,
                       double *const *out);
/* The same at eight points at once: number i of point l is [i * PH_TAPE_LANES + l]. */
void ph_tape_run_lanes(const ph_tape *tape, const double *t, const double *z, const double *v, double *out);

#endif
