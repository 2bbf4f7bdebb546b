/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of links in space, hung from a fixed point by ball joints (linkage.h), with a load on its
 * first joint and on its last mass and with viscous joints: what the pendulum models share. */
#ifndef PH_INTERNAL_CHAIN_H
#define PH_INTERNAL_CHAIN_H

#include "linkage.h"

/* The rows of a chain's parameters in the table of its model, behind masses and lengths. Further
 * parameters of the model follow. */
enum { PH_CHAIN_GRAVITY = PH_LINKS_LENGTH + 1, PH_CHAIN_DAMPING, PH_CHAIN_TORQUE, PH_CHAIN_TORQUE_AMPLITUDE };
enum { PH_CHAIN_TORQUE_FREQUENCY = PH_CHAIN_TORQUE_AMPLITUDE + 1, PH_CHAIN_TORQUE_PHASE, PH_CHAIN_TIP_FORCE };
enum { PH_CHAIN_TIP_AMPLITUDE = PH_CHAIN_TIP_FORCE + 1, PH_CHAIN_TIP_FREQUENCY, PH_CHAIN_TIP_PHASE };

/* The rows of that table, behind them PH_CHAIN_LINKS where the model has one. kind: PER_LINK, or NUMBER for a single link, with
 * the names and defaults of mass and length; gravity along e3 by default. */
enum { PH_CHAIN_LINKS = PH_CHAIN_TIP_PHASE + 1 };
#define PH_CHAIN_DAMPING_TEXT "viscous damping c_i of a joint: R = sum c_i/2 |qdot_i - qdot_(i-1)|^2"
#define PH_CHAIN_TORQUE_TEXT "amplitude of a torque sin(frequency t + phase) on the first joint"
#define PH_CHAIN_FORCE_TEXT "amplitude of a force sin(frequency t + phase) on the last mass"
#define PH_CHAIN_ROWS(kind, mass, m, length, l, gravity)                                                     \
    PH_LINKS_ROWS(kind, mass, m, length, l, "link"),                                                         \
        [PH_CHAIN_GRAVITY] = PH_GRAVITY(gravity),                                                            \
        [PH_CHAIN_DAMPING] = PH_ROW(kind, "damping", "N m s", PH_NOT_NEGATIVE, 0, PH_CHAIN_DAMPING_TEXT),    \
        [PH_CHAIN_TORQUE] =                                                                                  \
            PH_VECTOR("torque", "N m", PH_ANY, 0, 0, 0, "constant torque on the first joint"),               \
        [PH_CHAIN_TORQUE_AMPLITUDE] =                                                                        \
            PH_VECTOR("torque_amplitude", "N m", PH_ANY, 0, 0, 0, PH_CHAIN_TORQUE_TEXT),                     \
        [PH_CHAIN_TORQUE_FREQUENCY] = PH_NUMBER("torque_frequency", "rad/s", PH_ANY, 0, "its frequency"),    \
        [PH_CHAIN_TORQUE_PHASE] = PH_NUMBER("torque_phase", "rad", PH_ANY, 0, "its phase at t = 0"),         \
        [PH_CHAIN_TIP_FORCE] =                                                                               \
            PH_VECTOR("tip_force", "N", PH_ANY, 0, 0, 0, "constant force on the last mass"),                 \
        [PH_CHAIN_TIP_AMPLITUDE] =                                                                           \
            PH_VECTOR("tip_force_amplitude", "N", PH_ANY, 0, 0, 0, PH_CHAIN_FORCE_TEXT),                     \
        [PH_CHAIN_TIP_FREQUENCY] = PH_NUMBER("tip_force_frequency", "rad/s", PH_ANY, 0, "its frequency"),    \
        [PH_CHAIN_TIP_PHASE] = PH_NUMBER("tip_force_phase", "rad", PH_ANY, 0, "its phase at t = 0")

/* The presets from PH_LINKS_HANGING on. */
#define PH_CHAIN_PRESETS PH_LINKS_STRAIGHT_PRESETS("link", "in one direction perpendicular to gravity")

/* *links <- the links of the table; how many is the variant of the model, or, where that is 0, as its rows say. PH_E_SIZE. */
ph_status ph_chain_read(const ph_model_table *table, ph_links *links, ph_error *err);

/* *system <- the chain. PH_E_SIZE as above, and the errors of ph_system_create. */
ph_status ph_chain_build(const ph_model_table *table, ph_system **system, ph_error *err);

#endif
