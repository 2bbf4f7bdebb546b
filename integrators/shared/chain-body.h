/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a rigid body that a chain hangs on (chain_body), in the equations of carried.h, whose letters these are: with r the
 * right-hand side of its row, q and mu those of the first link,
 *     K e + c x (change of mu) q = r,      r = - R_0 - rest,
 * moves the hitch by e x c+ + bent. What is not linear in e, rest of spin(F) and bent of (F - I) c, is expected to be what it was in the
 * last step, as |nu|^2 of links is, and an iteration has settled where it is. */
#ifndef PH_INTEGRATORS_SHARED_CHAIN_BODY_H
#define PH_INTEGRATORS_SHARED_CHAIN_BODY_H

#include "joints.h"

#include "chain.h"

typedef struct ph_hitch {
    chain_body of;
    double arm[3], J[6]; /* in the body frame, as in carried.h */
    double w, il;        /* of the body's mass; of the first link */
    joints_node b;       /* c, J, load at the start; v: the guess, then the turn; q0, Dc; r; Q: K^{-1} */
    double guess[3];     /* the turn that the matrices were made with, with ... */
    double q0, Dc[3], spin[3], K[9], c1[3];
    double s[3], e[3];       /* K^{-1} r; correction */
    double rest[3], bent[3]; /* expected, then found */
    double rounding;         /* of a residual */
} ph_hitch;

/* Once. body: of the system; chain: of its links. */
void ph_hitch_set(ph_hitch *w, const ph_linkage_body *body, const chain *links);
/* c and J at the attitude R; the load, guess, rest and bent are the caller's. */
void ph_hitch_begin(ph_hitch *w, const double *R);

#endif
