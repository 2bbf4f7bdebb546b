/* SPDX-License-Identifier: BSD-3-Clause */
/* The turn of a free body for a finite time. */
#ifndef PH_INTEGRATORS_SHARED_ROTOR_TURN_H
#define PH_INTEGRATORS_SHARED_ROTOR_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "rotor.h"

/* Which moments of inertia are equal, to rounding. */
typedef enum ph_rotor_kind { PH_ROTOR_GENERAL, PH_ROTOR_SYMMETRIC, PH_ROTOR_ROUND } ph_rotor_kind;

/* A body. */
typedef struct ph_free_rotor {
    ph_rotor_series series;
    double axes[9]; /* its columns are the principal axes */
    bool turned;    /* are they others than those of its frame? */
    ph_rotor_kind kind;
    int axis;                      /* of a symmetric body that of symmetry */
    double longest;                /* [rad] in one step of the map */
    double most, least, excess[3]; /* of 1/I_i; 1/I_axis less the two equal ones at the axis, else 0 */
} ph_free_rotor;

/* Its motion, which survives a step: momentum in space, R Pi, constant while it is free, and the orientation of its
 * principal axes as a unit quaternion, each with its low-order part. */
typedef struct ph_free_turn {
    double q[4], low[4], S[3], S_low[3];
} ph_free_turn;

/* r <- the body with this inertia tensor (9). */
void ph_free_rotor_begin(const double J[9], ph_free_rotor *r);

/* m <- after a time tau [s] of either sign. False where it turns too far to be followed (a million radians), or a
 * number is not finite: m is anything then. *iterations are counted. */
bool ph_free_rotor_turn(const ph_free_rotor *r, double tau, ph_free_turn *m, int64_t *iterations);
/* Is tau within what ph_free_rotor_turn can follow? */
bool ph_free_rotor_can_turn(const ph_free_rotor *r, double tau, const ph_free_turn *m);

#endif
