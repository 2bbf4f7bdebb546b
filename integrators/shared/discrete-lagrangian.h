/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete Lagrangians as quadratures of any L(z, zdot): with z+ reached from z in the time H,
 *
 *     L_d(z, z+) = H sum_e w_e L(z_e, v_e),        one point (w = 1) or two (w = 1/2 each),
 *
 *     ends                  z_e = z and z+                  v = (z+ - z)/H, the chord
 *     midpoint              (z + z+)/2, off the manifold    the chord
 *     normalised-midpoint   that, projected                 the chord
 *     exponential           z and z+                        the tangent vectors of w = f/H there, z+ = exp(f)
 *     exponential-midpoint  exp(f/2) z                      likewise
 *
 * (On R^d and embedded factors exponential means ends, and both midpoints mean the first.) All are symmetric,
 * hence of order 2. On (S^2)^n with an inertia m_ij(q) the first three are the usual ones; on SO(3) the
 * exponential ones are those of Lie group variational integrators.
 *
 * Each z_e and v_e turns with z and z+ when both are turned. So the momentum S = z x mu (R Pi on SO(3)) in
 * the frame of the surroundings changes in a step, factor by factor, by
 *     S+ - S = H sum_e w_e (z_e x L_z + v_e x L_v),
 * and where L is invariant under rotations of the whole these sum to zero for any z and z+, solution or not:
 * what Newton's iteration leaves does not reach the momentum map. */
#ifndef PH_INTEGRATORS_SHARED_DISCRETE_LAGRANGIAN_H
#define PH_INTEGRATORS_SHARED_DISCRETE_LAGRANGIAN_H

#include "increments.h"

/* In the order of the option's words. */
typedef enum ph_discrete_rule {
    PH_RULE_AUTOMATIC,
    PH_RULE_ENDS,
    PH_RULE_MIDPOINT,
    PH_RULE_NORMALISED,
    PH_RULE_EXPONENTIAL,
    PH_RULE_EXPONENTIAL_MIDPOINT
} ph_discrete_rule;
#define PH_RULE_WORDS "automatic ends midpoint normalised-midpoint exponential exponential-midpoint"

/* One step; every array belongs to the caller. */
typedef struct ph_discrete {
    const ph_space *space;
    const ph_part *parts;
    ph_discrete_rule rule;
    size_t n, nz, points;
    bool own;                 /* is the inertia uniform, each factor's its own: is its v x L_v 0? */
    double weight;            /* of each point */
    double s, h, H;           /* H = s h: the time that the step takes */
    const double *z, *E;      /* where it begins, and the basis there */
    const double *low;        /* (nz) nullable: its low-order part; embedded factors step from it, too */
    const double *y;          /* (nx) unknowns: x / s */
    double *x, *D, *z1;       /* (nx) tangent coordinates, (nz) increment, where the step ends */
    double *v;                /* (nz) chord velocity */
    double *dD;               /* like E: dD/dx; ph_discrete_linearise */
    double *at[2], *speed[2]; /* (nz) z_e, v_e */
    double *Lz[2], *Lv[2];    /* (nz) dL/dz and dL/dzdot there, for the caller to fill in */
} ph_discrete;

/* Does it need L_zz for its derivative, and has it one point? */
static inline bool ph_rule_is_midpoint(ph_discrete_rule rule)
{
    return rule == PH_RULE_MIDPOINT || rule == PH_RULE_NORMALISED || rule == PH_RULE_EXPONENTIAL_MIDPOINT;
}

/* Everything but Lz and Lv for unknowns y and the share s of the step; s = 0 is the limit, where x = 0 and
 * v = E y / h. */
void ph_discrete_place(ph_discrete *d, double s, const double *y);
/* On embedded factors v and the points once more, from z1 and D as they are kept. false where there is no
 * such factor and Lz, Lv are as they were. */
bool ph_discrete_replace(ph_discrete *d);
/* r (nx) <- -E^T D_1 L_d, the discrete Legendre transform at the beginning of the step: on S^1, S^2 and SO(3) also
 * components of the momentum. */
void ph_discrete_momentum(const ph_discrete *d, double *r);
/* dS (np) <- the increment of the momentum in the frame of the surroundings, the difference of the discrete Legendre
 * transforms D_2 L_d and -D_1 L_d; nothing for embedded factors. */
void ph_discrete_turn(const ph_discrete *d, double *dS);
/* push (nz of the factor) <- D_1 L_d + D_2 L_d, for R^d or an embedded factor. */
void ph_discrete_push(const ph_discrete *d, const ph_part *f, double *push);

/* dD at the place of the latest ph_discrete_place; before the two below. */
void ph_discrete_linearise(ph_discrete *d);
/* dat[e], dspeed[e] (nz of factor f) <- derivatives of its z_e, v_e along its unknown y_b. */
void ph_discrete_place_along(const ph_discrete *d, const ph_part *f, size_t b, double *const dat[2],
                             double *const dspeed[2]);
/* dr (nx of factor f) <- derivative of its part of ph_discrete_momentum along the unknown y_b of factor
 * `own`. dLz[e], dLv[e] (nz): the derivatives of Lz and Lv. */
void ph_discrete_momentum_along(const ph_discrete *d, const ph_part *f, double *const dLz[2],
                                double *const dLv[2], const ph_part *own, size_t b, double *dr);

#endif
