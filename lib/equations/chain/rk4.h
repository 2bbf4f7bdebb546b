/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the classical Runge-Kutta method, or of another explicit one, for a chain of links under gravity alone, with or
 * without a cart, in one piece: the equations of lib/equations/tensions.c and the stages of ph_field_rk4, without a
 * function call a link. */
#ifndef PH_INTERNAL_CHAIN_RK4_H
#define PH_INTERNAL_CHAIN_RK4_H

#include "elimination.h"
#include "lib/internal/lanes.h"
#include "lib/kinds/linkage/tree.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <polhode/kit/equations.h>

/* Chains of more than a few links are stored in groups of four, 4 b to 4 b + 3: four numbers for each axis of
 * q, then for each axis of v; zeros behind the last link. What else a step needs is in one block of
 * PH_BLOCK(d) numbers for each group, four at a time: q of the stage; a1, a2, a3. Blocks of other methods have the accelerations of
 * all stages, and two sums over them. */
#define PH_BLOCK(d) (4 * 4 * (d))
#define PH_BLOCK_A(d, stage) ((d) * ((stage) + 1))

/* What a step reads and where it works. */
typedef struct ph_chain_rk4 {
    const ph_link_row *row;
    size_t m; /* numbers of links, of more than a few rounded up to fours */
    bool few; /* are they in registers, and y in the order of the links? Else: */
    double *block;
    size_t stride, stages; /* from block to block; of the method */
    const void *sums;      /* those of another method than rk4 (explicit.c) */
    ph_chain_pulls pulls;
    bool project; /* after a step, q to the spheres and velocities to their tangent planes? */
    double reach; /* upper bound for the sum of all squares of z and zdot; a step beyond it fails */
    /* One step of the packed state y, in place. False, and y unchanged, where the result is beyond reach or
     * not finite. */
    bool (*advance)(const struct ph_chain_rk4 *c, double h, double *y);
} ph_chain_rk4;
typedef bool (*ph_chain_advance)(const ph_chain_rk4 *c, double h, double *y);

/* The step for so many links, by vectors of AVX2 or plain; that of one or two links. */
ph_chain_advance ph_chain_step(const ph_link_row *row, bool wide);
ph_chain_advance ph_chain_short(size_t n, size_t d, bool cart, bool wide);
/* That of an explicit method, by vectors or without; the doubles of its sums, and these from its table. */
ph_chain_advance ph_chain_explicit(size_t d, bool wide);
size_t ph_chain_explicit_work(const ph_explicit *of);
void ph_chain_explicit_lay(const ph_explicit *of, double *work, ph_chain_rk4 *c);

/* Up to this (|q|^2 - 1)^2 five terms of the series of 1 / |q| give it to rounding. Their sum is positive
 * everywhere, so that a q that is further away keeps its direction. */
#define PH_CHAIN_FAR 1e-7

/* q, v (d numbers, stride apart) of a link to the sphere and its tangent plane, from anywhere. */
static inline bool ph_chain_settle(size_t d, size_t stride, double *q, double *v)
{
    double square = 0, along = 0;
    for (size_t k = 0; k < d; k++)
        square += q[k * stride] * q[k * stride];
    double norm = sqrt(square);
    if (!(norm > 0))
        return false;
    for (size_t k = 0; k < d; k++) {
        q[k * stride] /= norm;
        along += q[k * stride] * v[k * stride];
    }
    for (size_t k = 0; k < d; k++)
        v[k * stride] -= along * q[k * stride];
    return true;
}

/* The cart after a step: b, its accelerations at the stages times h/2, h/2, h, h/6. Returns the squares of x
 * and xdot. */
INLINE double rk4_drive_cart(const size_t d, const ph_chain_rk4 *c, double h, double b[4][3], double *x,
                             double *v)
{
    double sum = 0;
    for (size_t k = 0; k < d && k < c->row->cart; k++) {
        x[k] = h * (1. / 3 * (b[0][k] + b[1][k] + 0.5 * b[2][k]) + v[k]) + x[k];
        v[k] += 1. / 3 * (b[0][k] + 2 * b[1][k] + b[2][k]) + b[3][k];
        sum += x[k] * x[k] + v[k] * v[k];
    }
    return sum;
}

/* Of systems that ph_chain_row takes: */
/* Doubles of the packed state, and of scratch, for a step of this method (of more than a few links); NULL: rk4. */
size_t ph_chain_rk4_carry(const ph_system *system);
size_t ph_chain_rk4_work(const ph_system *system, const ph_explicit *of);
/* Fills in everything but project and reach. work: ph_chain_rk4_work doubles, zeros. */
void ph_chain_rk4_lay(const ph_system *system, const ph_explicit *of, double *work, ph_chain_rk4 *c);
/* The packed state from y = (z, zdot), and back. */
void ph_chain_rk4_pack(const ph_chain_rk4 *c, const double *y, double *carry);
void ph_chain_rk4_unpack(const ph_chain_rk4 *c, const double *carry, double *y);

#endif
