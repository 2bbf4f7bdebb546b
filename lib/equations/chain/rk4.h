/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the classical Runge-Kutta method for a chain of links under gravity alone, with or without a
 * cart, in one piece: the equations of lib/equations/tensions.c and the stages of ph_field_rk4, without a
 * function call a link. */
#ifndef PH_INTERNAL_CHAIN_RK4_H
#define PH_INTERNAL_CHAIN_RK4_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <polhode/system.h>

enum {
    PH_CHAIN_FEW = 2,       /* so few links have all numbers of a step in registers, or next to them */
    PH_CHAIN_FOUR_ENDS = 16 /* from so many on an elimination from four ends is faster than from two */
};

/* More than a few links are kept four at a time: q axis by axis, v axis by axis, of the links 4 b to 4 b + 3,
 * zeros where there are none. What a step needs beside that is in blocks of so many numbers, in such fours:
 * length, its inverse, inverse mass, both inverse masses of a link; q of a stage; a1, a2, a3. */
#define PH_BLOCK(d) (4 * (4 + 4 * (d)))
enum { PH_BLOCK_L, PH_BLOCK_IL, PH_BLOCK_W, PH_BLOCK_BOTH, PH_BLOCK_Q };
#define PH_BLOCK_A(d, stage) (PH_BLOCK_Q + (d) * ((stage) + 1))

/* What a step reads and where it works. */
typedef struct ph_chain_rk4 {
    size_t n, m, d, cart;             /* links, rounded up; axes; those of the cart */
    double root[3], ride[3], fall[3]; /* cart: inverse mass, gravity; gravity that the first link feels */
    double head[3];                   /* inverse mass of the first link and what it hangs on */
    double drop[3];                   /* fall by the first length */
    double *l, *il, *w, *both;        /* of few links, as in a block */
    double *block, *p, *e, *s,
        *r;       /* of more: blocks; pulls, matrix beside and on its diagonal, right-hand side */
    bool project; /* q to the spheres, velocities to their tangent planes, after a step? */
    double reach; /* the sum of all squares of z and zdot stays below it */
    /* One step of what it keeps, in place; false, and nothing changed, where it leads beyond reach or to what
     * is no number. */
    bool (*advance)(const struct ph_chain_rk4 *c, double h, double *y);
} ph_chain_rk4;
typedef bool (*ph_chain_advance)(const ph_chain_rk4 *c, double h, double *y);

/* May the step multiply and add in one instruction, four at a time (ph_kernels)? */
bool ph_chain_fuses(void);
/* The step for so many links, with such instructions or without; that of one or two links. */
ph_chain_advance ph_chain_step(size_t n, size_t d, bool cart, bool fused);
ph_chain_advance ph_chain_few(size_t n, size_t d, bool cart, bool fused);

#define INLINED __attribute__((always_inline))

/* (|q|^2 - 1)^2 from where on five terms of the series of 1 / |q| do not give it to rounding. They are
 * positive everywhere, so that a place that is further away keeps its direction. */
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

/* Is it such a system? */
bool ph_chain_rk4_applies(const ph_system *system);
/* Doubles that it keeps of a state, and of scratch. */
size_t ph_chain_rk4_carry(const ph_system *system);
size_t ph_chain_rk4_work(const ph_system *system);
/* Everything but project and reach; work: as said, zeros. */
void ph_chain_rk4_lay(const ph_system *system, double *work, ph_chain_rk4 *c);
/* What it keeps, from (z, zdot), and back. */
void ph_chain_rk4_pack(const ph_chain_rk4 *c, const double *y, double *carry);
void ph_chain_rk4_unpack(const ph_chain_rk4 *c, const double *carry, double *y);

#endif
