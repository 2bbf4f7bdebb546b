/* SPDX-License-Identifier: BSD-3-Clause */
/* A serial chain of links in space, hung from a fixed point by ball joints (linkage.h), with a load on its
 * first joint and on its last mass and with viscous joints: what the pendulum models share. */
#ifndef PH_INTERNAL_CHAIN_H
#define PH_INTERNAL_CHAIN_H

#include "linkage.h"

/* The rows of a chain's parameters in the table of its model, behind masses and lengths. Further
 * parameters of the model follow. */
enum {
    PH_CHAIN_GRAVITY = PH_LINKS_LENGTH + 1,
    PH_CHAIN_DAMPING,
    PH_CHAIN_TORQUE,
    PH_CHAIN_TORQUE_AMPLITUDE,
    PH_CHAIN_TORQUE_FREQUENCY,
    PH_CHAIN_TORQUE_PHASE,
    PH_CHAIN_TIP_FORCE,
    PH_CHAIN_TIP_AMPLITUDE,
    PH_CHAIN_TIP_FREQUENCY,
    PH_CHAIN_TIP_PHASE,
    PH_CHAIN_PARAMETERS
};

#define PH_CHAIN_VECTOR(name, unit, text)                                                                    \
    {                                                                                                        \
        name, PH_PARAMETER_VECTOR, unit, -DBL_MAX, DBL_MAX, {0}, text                                        \
    }
#define PH_CHAIN_NUMBER(name, unit, text)                                                                    \
    {                                                                                                        \
        name, PH_PARAMETER_NUMBER, unit, -DBL_MAX, DBL_MAX, {0}, text                                        \
    }

/* The rows of that table. kind: PH_PARAMETER_PER_LINK, or PH_PARAMETER_NUMBER for a single link, with
 * the names and defaults of mass and length; gravity along e3 by default. */
#define PH_CHAIN_TABLE(kind, mass, m, length, l, gravity)                                                    \
    [PH_LINKS_MASS] = PH_LINKS_MASS_ROW(mass, kind, m, "link"),                                              \
    [PH_LINKS_LENGTH] = PH_LINKS_LENGTH_ROW(length, kind, l, "link"),                                        \
    [PH_CHAIN_GRAVITY] = PH_GRAVITY_PARAMETER(gravity),                                                      \
    [PH_CHAIN_DAMPING] = {"damping",                                                                         \
                          kind,                                                                              \
                          "N m s",                                                                           \
                          0,                                                                                 \
                          DBL_MAX,                                                                           \
                          {0},                                                                               \
                          "viscous damping c_i of a joint: R = sum c_i/2 |qdot_i - qdot_(i-1)|^2"},          \
    [PH_CHAIN_TORQUE] = PH_CHAIN_VECTOR("torque", "N m", "constant torque on the first joint"),              \
    [PH_CHAIN_TORQUE_AMPLITUDE] = PH_CHAIN_VECTOR(                                                           \
        "torque_amplitude", "N m", "amplitude of a torque sin(frequency t + phase) on the first joint"),     \
    [PH_CHAIN_TORQUE_FREQUENCY] = PH_CHAIN_NUMBER("torque_frequency", "rad/s", "its frequency"),             \
    [PH_CHAIN_TORQUE_PHASE] = PH_CHAIN_NUMBER("torque_phase", "rad", "its phase at t = 0"),                  \
    [PH_CHAIN_TIP_FORCE] = PH_CHAIN_VECTOR("tip_force", "N", "constant force on the last mass"),             \
    [PH_CHAIN_TIP_AMPLITUDE] = PH_CHAIN_VECTOR(                                                              \
        "tip_force_amplitude", "N", "amplitude of a force sin(frequency t + phase) on the last mass"),       \
    [PH_CHAIN_TIP_FREQUENCY] = PH_CHAIN_NUMBER("tip_force_frequency", "rad/s", "its frequency"),             \
    [PH_CHAIN_TIP_PHASE] = PH_CHAIN_NUMBER("tip_force_phase", "rad", "its phase at t = 0")

/* The presets from PH_LINKS_HANGING on. */
#define PH_CHAIN_PRESETS PH_LINKS_STRAIGHT_PRESETS("link", "in one direction perpendicular to gravity")

/* The lists of a chain whose number of links is fixed. */
#define PH_CHAIN_OF(number)                                                                                  \
    {                                                                                                        \
        "links", PH_NO_INDEX, {PH_LINKS_MASS, PH_LINKS_LENGTH, PH_CHAIN_DAMPING}, 3, number, PH_MOST_LINKS   \
    }

/* *links <- the links of the table (PH_CHAIN_PARAMETERS rows), numbered by the rule. PH_E_SIZE. */
ph_status ph_chain_read(const ph_parameter_value *table, const ph_numbering *rule, ph_links *links,
                        ph_error *err);

/* *system <- the chain. PH_E_SIZE as above, and the errors of ph_system_create. */
ph_status ph_chain_build(const ph_parameter_value *table, const ph_numbering *rule, ph_system **system,
                         ph_error *err);

#endif
