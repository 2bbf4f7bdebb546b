/* SPDX-License-Identifier: BSD-3-Clause */
/* The discrete Euler-Lagrange equations in multiplier form, on systems whose inverse inertia is sparse
 * (polhode/kit/tensions.h): unknown are the tensions, one for each unit vector. With lambda_i a tension times
 * h^2, and a step from q by s h, s = 1,
 *     delta(lambda; s) = s a_1 + s^2 a_2 + MM^{-1} (lambda q),      q+ = q + delta,
 *     R_i = q_i . delta_i + (1/2) |delta_i|^2 + (s/2) (|q_i|^2 - 1) = 0,
 *     dR/dlambda = T(q + delta, q),
 * T the matrix of tensions, tridiagonal of a chain. a_1 is what the last increment or the momentum carries
 * on, a_2 half h^2 times the free acceleration. */
#ifndef PH_INTEGRATORS_SHARED_TENSIONS_H
#define PH_INTEGRATORS_SHARED_TENSIONS_H

#include "compositions.h"

#include <polhode/kit/implicit.h>

/* A guess that the first pass corrects by more than this is no good one. */
#define PH_LARGEST_CORRECTION 0.02

/* What is carried from step to step, in place of a momentum; vectors of nz numbers. */
typedef struct ph_tension_motion {
    double h;      /* step size of delta; 0: there is none, and only q counts */
    double *q;     /* configuration, and ... */
    double *q_low; /* ... its low-order part */
    double *delta; /* increment that led to q, and ... */
    double *low;   /* ... its low-order part */
    double *A;     /* free acceleration at q */
    bool velocity; /* delta and low are a velocity: for steps of several sizes */
} ph_tension_motion;

typedef struct ph_tension_step {
    const ph_system *system;
    size_t n, nz;
    size_t d, shift;    /* factor i has d numbers from shift + d i on, all but a cart, which comes first */
    size_t units;       /* how many factors are unit vectors, ... */
    size_t *unit;       /* (n) ... and which; behind them the others */
    const double *q;    /* (nz) at the start */
    double *a1, *a2;    /* (nz) */
    double *excess;     /* (n) |q_i|^2 - 1; 0 of an R^d */
    double *own;        /* (n) unknowns are x = own lambda, displacements */
    double *delta, *q1; /* (nz) of the latest residual; q + delta */
    double *lambda;     /* (n) likewise */
    double *F;          /* factors of T */
    double *x;          /* (n) */
    double s;           /* of the latest residual */
    bool expected;      /* is lambda expected to be small, as a_2 has most of it? */
    ph_newton_work newton;
} ph_tension_step;

/* Unit vectors have two numbers or three: a function that is inlined for both, so that its loops over them are
 * unrolled. Where vectors have other lengths, there are no units. */
#define PH_BY_WIDTH(w, function, ...) ((w)->d == 3 ? function(3, __VA_ARGS__) : function(2, __VA_ARGS__))

void ph_tension_step_lay(ph_tension_step *w, const ph_system *system, ph_lay *l);
/* Once: what does not change. */
void ph_tension_step_init(ph_tension_step *w);
/* a_1, a_2 and excess of a step by h from this motion, where it has no increment from the momentum p. */
void ph_tension_step_begin(ph_tension_step *w, double h, const ph_tension_motion *from, const double *p);
/* From q, a1, a2, excess: delta and lambda of the root on the branch from h = 0. First Newton's iteration
 * from the lambda that makes the increment tangent (0 would lead to wrong roots), accepted only where it
 * contracts fast and all pivots are positive; else the branch is followed. */
ph_status ph_tension_step_solve(ph_tension_step *w, ph_context *context, double t);
/* to: q, delta and their low parts at the end of the step by h, whose pulls are MM^{-1} (lambda q). Not A. Of
 * a velocity q alone; the velocity, when to->A is known, by ph_tension_step_kick. */
void ph_tension_step_end(const ph_tension_step *w, double h, const ph_tension_motion *from,
                         const double *pulls, ph_tension_motion *to);
void ph_tension_step_kick(const ph_tension_step *w, double h, const ph_tension_motion *from,
                          const double *pulls, ph_tension_motion *to);
/* delta <- the velocity MM^{-1} p of the momentum p at q. */
void ph_tension_step_velocity(ph_tension_step *w, const double *q, const double *p, double *delta);
/* p <- q x MM (delta / h + (h/2) A). */
void ph_tension_step_momentum(ph_tension_step *w, const ph_tension_motion *at, double *p);

/* ---- For kernels with a carry of their own, under gravity alone: their steps without a guess --------- */

typedef struct ph_tension_plain {
    ph_tension_step eq;
    double *pulls, *A;          /* (nz) the latter the same everywhere */
    ph_tension_motion from, to; /* what the kernel's carry holds; what it is to hold */
} ph_tension_plain;

void ph_tension_plain_lay(ph_tension_plain *w, const ph_system *system, ph_lay *l);
ph_status ph_tension_plain_init(ph_tension_plain *w);
/* to <- the end of the step by h, from the motion in `from`, or where from.h is 0 from the state; eq.lambda
 * are the multipliers. */
ph_status ph_tension_plain_step(ph_tension_plain *w, double h, ph_context *context, const ph_state *state);
/* z and p of the motion in `from`. */
void ph_tension_plain_synchronise(ph_tension_plain *w, ph_state *state);

/* Is it a row of links in space, perhaps on a cart, under gravity alone? *links <- how many. */
bool ph_is_row_of_links(const ph_system *system, size_t *links);

/* What the carry of such a kernel begins with, and what it has to say for itself. */
typedef struct ph_tension_carry {
    double h;     /* step size of its motion, of stages that of their step; 0: there is none */
    double count; /* steps or stages that have left their multipliers */
    double stage; /* the latest one */
} ph_tension_carry;

typedef struct ph_tension_ways {
    const ph_composition *of; /* steps are stages of it, and increments velocities in their middle; or NULL */
    /* A step from the guess, counted in c; false, and the motion is as it was, where the guess is no good. */
    bool (*advance)(void *kernel, ph_tension_carry *c, int *passes);
    /* Its motion into q, q_low, delta, low. */
    void (*gather)(void *kernel, ph_tension_carry *c, ph_tension_motion *to);
    /* Back, with multipliers that begin a new history. */
    void (*scatter)(void *kernel, const ph_tension_motion *from, const double *lambda, ph_tension_carry *c);
} ph_tension_ways;

/* Their step, or this stage, and z and p: from the guess, or where it is no good without. */
ph_status ph_tension_ways_step(ph_tension_plain *w, const ph_tension_ways *ways, const ph_stage *stage,
                               void *kernel, ph_context *context, ph_state *state);
void ph_tension_ways_synchronise(ph_tension_plain *w, const ph_tension_ways *ways, void *kernel,
                                 ph_state *state);

#endif
