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

#include "model.h"

/* The rows, which are the user block of the callbacks; a model has one of the last two by its variant, in the place of
 * PH_SKATE_AHEAD, and the other is 0. */
enum { PH_SKATE_MASS, PH_SKATE_INERTIA, PH_SKATE_AHEAD, PH_SKATE_PULL, PH_SKATE_NUMBERS };
enum { PH_SKATE_SLEIGH, PH_SKATE_EDGE };
#define PH_SKATE_INERTIA_TEXT "moment of inertia about the centre of mass"
#define PH_SKATE_ROWS                                                                                        \
    [PH_SKATE_MASS] = PH_NUMBER("mass", "kg", PH_POSITIVE, 1, "mass of the body"),                           \
    [PH_SKATE_INERTIA] = PH_NUMBER("inertia", "kg m^2", PH_POSITIVE, 0.5, PH_SKATE_INERTIA_TEXT)

/* Presets: turning, straight. */
ph_status ph_skate_build(const ph_model_table *table, ph_system **system, ph_error *err);
ph_status ph_skate_preset(const ph_model_table *table, size_t which, double *z, double *zdot, ph_error *err);

/* The members of a ph_model with these functions. */
#define PH_SKATE_HERE PH_MODEL_OF(presets, ph_skate_build, ph_skate_preset)

#endif
