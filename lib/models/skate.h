/* SPDX-License-Identifier: BSD-3-Clause */
/* Plane bodies on a blade, which slides along itself and not across: R^2 x S^1, the centre of mass x and the heading q,
 *     L = (1/2) m |xdot|^2 + (1/2) I |qdot|^2 + m G . x,        Jq . (xdot - a qdot) = 0,   Jq = (-q_2, q_1),
 * with the blade at x - a q. Chaplygin's sleigh has a > 0 and no gravity: with u the speed along q of the blade and
 * w the rate of turning
 *     u = V tanh(k (t - t0)),  w = W sech(k (t - t0)),   V = sqrt(2E/m),  W = sqrt(2E/J),  k = a m V/J,  J = I + m a^2.
 * The knife edge has a = 0 and gravity along e1, the plane being an incline: w is constant, and the speed along q
 * changes by G (sin theta - sin theta_0)/w.
 * (Neimark, Fufaev, Dynamics of Nonholonomic Systems, AMS 1972.) */
#ifndef PH_MODELS_SKATE_H
#define PH_MODELS_SKATE_H

#include "parameters.h"

typedef struct ph_skate {
    double mass, inertia, ahead, pull; /* [kg], [kg m^2], [m] a, [m/s^2] G along e1 */
} ph_skate;

/* The first rows of the table; one more follows. */
enum { PH_SKATE_MASS, PH_SKATE_INERTIA, PH_SKATE_LAST, PH_SKATE_PARAMETERS };
#define PH_SKATE_ROWS                                                                                        \
    [PH_SKATE_MASS] = {"mass", PH_PARAMETER_NUMBER, "kg", DBL_MIN, DBL_MAX, {1}, "mass of the body"},        \
    [PH_SKATE_INERTIA] = {"inertia",                                                                         \
                          PH_PARAMETER_NUMBER,                                                               \
                          "kg m^2",                                                                          \
                          DBL_MIN,                                                                           \
                          DBL_MAX,                                                                           \
                          {0.5},                                                                             \
                          "moment of inertia about the centre of mass"}

/* *system <- the body. */
ph_status ph_skate_build(const ph_skate *of, ph_system **system, ph_error *err);

/* z, zdot <- centre of mass at the origin, heading theta, speed u of the blade along it, rate w of turning. */
void ph_skate_start(const ph_skate *s, double theta, double u, double w, double *z, double *zdot);

#endif
